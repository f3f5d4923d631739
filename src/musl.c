/* Copies of memory, for the static program. Those of musl begin with an instruction (`rep movsq`) that takes some thirty cycles before
   its first byte, and a search, a list of tours and a reader of grids copy ten bytes at a time.

   Up to 128 bytes are read whole, from both ends, and then written: what both ends have in common is written twice. Longer ones go by
   64, from the side where nothing is written that is still to be read, and the last 64 are read first. So places may overlap, and
   both functions are one. */
#include <stddef.h>
#include <stdint.h>

/* What lies anywhere. */
typedef uint16_t Two __attribute__((aligned(1), may_alias));
typedef uint32_t Four __attribute__((aligned(1), may_alias));
typedef uint64_t Eight __attribute__((aligned(1), may_alias));
typedef long long Sixteen __attribute__((vector_size(16), aligned(1), may_alias));

#define EACH(count) _Pragma("GCC unroll 8") for (int i = 0; i < (count); i++)

/* This many of a type from the beginning, and as many from the end. */
#define ENDS(type, count) \
    { \
        type first[count], last[count]; \
        const type *begin = (const type *)from, *end = (const type *)(from + length) - (count); \
        EACH(count) first[i] = begin[i], last[i] = end[i]; \
        EACH(count) ((type *)to)[i] = first[i], ((type *)(to + length) - (count))[i] = last[i]; \
    }

/* 64 bytes, behind which the places are these. */
#define MOVE(to, from) \
    { \
        Sixteen piece[4]; \
        EACH(4) piece[i] = ((const Sixteen *)(from))[i]; \
        EACH(4) ((Sixteen *)(to))[i] = piece[i]; \
    }

void *memmove(void *target, const void *source, size_t length)
{
    char *to = target;
    const char *from = source;
    if (length > 128) {
        int is_forward = (size_t)(to - from) >= length;
        size_t last = is_forward ? length - 64 : 0;
        Sixteen kept[4];
        EACH(4) kept[i] = ((const Sixteen *)(from + last))[i];
        if (is_forward)
            for (size_t at = 0; at < last; at += 64) MOVE(to + at, from + at)
        else
            for (size_t end = length; end > 64; end -= 64) MOVE(to + end - 64, from + end - 64)
        EACH(4) ((Sixteen *)(to + last))[i] = kept[i];
    } else if (length > 64) ENDS(Sixteen, 4)
    else if (length > 32) ENDS(Sixteen, 2)
    else if (length > 16) ENDS(Sixteen, 1)
    else if (length >= 8) ENDS(Eight, 1)
    else if (length >= 4) ENDS(Four, 1)
    else if (length >= 2) ENDS(Two, 1)
    else if (length > 0) *to = *from;
    return target;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length) __attribute__((alias("memmove")));

#ifdef CHECK
/* Every length, and up to 129 bytes every distance, against a copy byte by byte, at every place of a word. */
static unsigned char own[2048], plain[2048];

int main(void)
{
    for (size_t length = 0; length <= 300; length++)
        for (size_t from = 500; from < 516; from++)
            for (size_t to = 0; to < 1000; to += length < 130 || to % 64 == 0 ? 1 : 7) {
                for (size_t i = 0; i < sizeof own; i++) own[i] = plain[i] = (unsigned char)(i * 37 + (i >> 8));
                for (size_t i = 0; i < length; i++) {
                    size_t at = to <= from ? i : length - 1 - i;
                    ((volatile unsigned char *)plain)[to + at] = plain[from + at];
                }
                if (memmove(own + to, own + from, length) != own + to) return 1;
                for (size_t i = 0; i < sizeof own; i++)
                    if (own[i] != plain[i]) return 2;
            }
    return 0;
}
#endif
