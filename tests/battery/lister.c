/* Writes a closed tour of N x N squares, N eight times a power of two, in a short program that is written for speed. The yardstick
   of lists: the next square is found in a table, each name is copied, and nothing is checked. Tiles of 8x8 have all the same
   tour. Where four tiles meet in the middle of a block of them, their four tours are made one: each loses one move there,
   and four moves join them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char tour[] = "a8b6c8a7c6a5c4a3b5d6b7d8f7h8g6f8d7b8a6c5b3a1c2d4f3h4g2e1d3e5g4h2f1e3d1b2a4c3b1d2e4f2h1g3"
                           "f5h6g8e7d5b4a2c1e2g1h3f4h5f6h7g5e6g7e8c7";
/* By corner of a tile (lower right, lower left, upper left, upper right): twice a square, the next one, and the move instead. */
static const int joins[4][2][6] = {{{6, 6, 7, 4, 1, 2}, {7, 4, 6, 6, 2, 1}}, {{1, 5, 0, 7, -2, -1}, {0, 7, 1, 5, 2, 1}},
                                   {{2, 0, 0, 1, -2, -1}, {0, 1, 2, 0, -2, 1}}, {{6, 2, 7, 0, 2, -1}, {7, 0, 6, 2, -1, -2}}};
static struct { int x, y; } moves[16][64][2]; /* by the corners of the tile that are joined, and by square */
static char text[1 << 16];
int main(int count, char **words) {
  unsigned long n = count > 1 ? strtoul(words[1], 0, 10) : 0, k = n / 8;
  if (n < 8 || n != 8 * k || k & (k - 1)) return fputs("lister N: 8, 16, 32, ..\n", stderr), 2;
  for (int joined = 0; joined < 16; joined++)
    for (int at = 0; at < 64; at++)
      for (int way = 0; way < 2; way++) {
        const char *a = tour + 2 * at, *b = tour + 2 * ((at + (way ? 63 : 1)) % 64);
        int x = a[0] - 'a', y = '8' - a[1], dx = b[0] - a[0], dy = a[1] - b[1];
        for (int i = 0; i < 8; i++) {
          const int *join = joins[i / 2][i % 2];
          if (joined >> i / 2 & 1 && join[0] == x && join[1] == y && join[2] == x + dx && join[3] == y + dy)
            dx = join[4], dy = join[5];
        }
        moves[joined][8 * y + x][way].x = dx, moves[joined][8 * y + x][way].y = dy;
      }
  unsigned char *tiles = calloc(k, k);
  for (unsigned long i = 1; i < k; i++)
    for (unsigned long j = 1; j < k; j++)
      if (__builtin_ctzl(i) == __builtin_ctzl(j)) {
        unsigned char *lower = tiles + k * j + i, *upper = lower - k;
        upper[-1] |= 1, upper[0] |= 2, lower[0] |= 4, lower[-1] |= 8;
      }
  struct { char name[8]; int length; } *cols = calloc(n, sizeof *cols), *rows = calloc(n, sizeof *rows);
  for (unsigned long i = 0; i < n; i++) {
    char letters[8], *end = letters;
    for (unsigned long rest = i + 1; rest; rest = (rest - 1) / 26) *end++ = 'a' + (rest - 1) % 26;
    while (end > letters) cols[i].name[cols[i].length++] = *--end;
    rows[i].length = snprintf(rows[i].name, 8, "%lu ", n - i);
  }
  size_t have = snprintf(text, 32, "%lux%lu ", n, n);
  int x = 0, y = 0, back_x = 0, back_y = 0;
  for (unsigned long left = n * n; left--;) {
    memcpy(text + have, cols[x].name, 8), have += cols[x].length;
    memcpy(text + have, rows[y].name, 8), have += rows[y].length;
    if (!left) text[have - 1] = '\n';
    if (have > sizeof text - 64 || !left) {
      if (write(1, text, have) != (ssize_t)have) return 3;
      have = 0;
    }
    int joined = tiles[k * (y / 8) + x / 8], square = y % 8 * 8 + x % 8;
    int way = moves[joined][square][0].x == back_x && moves[joined][square][0].y == back_y;
    back_x = -moves[joined][square][way].x, back_y = -moves[joined][square][way].y;
    x -= back_x, y -= back_y;
  }
}
