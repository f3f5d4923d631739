/* Checks lines "8x8 a1 b3 .." of 64 names as fast as a short program in C can; prints how many are tours and how many are
   not. The yardstick of `verify`: every name is two bytes, which lead to its square and to the squares next to it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct { uint64_t own, near; } of[65536];
static char text[(1 << 18) + 256];
#define SQUARE(k) { uint16_t name; memcpy(&name, line + 4 + 3 * (k), 2); uint64_t own = of[name].own; \
  wrong |= (own & ~near) | (line[3 + 3 * (k)] ^ ' '); seen |= own; near = of[name].near; }
#define FOUR(k) SQUARE(k) SQUARE(k + 1) SQUARE(k + 2) SQUARE(k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
int main(void) {
  for (int s = 0; s < 4096; s++) {
    int x = s % 8 - s / 64 % 8, y = s / 8 % 8 - s / 512, name = ('a' + s % 8) | ('1' + s / 8 % 8) << 8;
    of[name].own = 1ull << s % 64;
    if (abs(x * y) == 2) of[name].near |= 1ull << s / 64;
  }
  unsigned long tours = 0, others = 0, have = 0, got;
  while ((got = fread(text + have, 1, sizeof text - 256 - have, stdin)) > 0) {
    char *line = text;
    for (have += got; line + 196 <= text + have;) {
      uint64_t seen = 0, near = ~0ull, wrong = memcmp(line, "8x8", 3) | (line[195] ^ '\n');
      SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)
      if (!wrong && seen == ~0ull) { tours++; line += 196; continue; }
      char *end = memchr(line, '\n', text + have - line);
      if (!end) break;
      others++, line = end + 1;
    }
    memmove(text, line, have -= line - text);
  }
  printf("%lu tours, %lu others\n", tours, others);
}
