// cli/words.c - joins words into a buffer, cutting off what does not fit
// SPDX-License-Identifier: MIT
#include "words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 32 };

words words_begin(char *buffer, size_t size, const char *between)
{
    buffer[0] = '\0';
    return (words){.buffer = buffer, .size = size, .between = between};
}

void words_seek(words *list, const char *text, size_t length)
{
    list->wanted = text;
    list->wanted_length = length;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Letters to change, to insert, to leave out or to swap with their neighbour (Damerau 1964), so
// that one text becomes the other.
static int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++)
        for (size_t j = 0; j <= b_length; j++) {
            int *here = &rows[i][j];
            if (i == 0 || j == 0) {
                *here = (int)(i + j);
                continue;
            }
            bool same = a[i - 1] == b[j - 1];
            *here = least(rows[i - 1][j - 1] + !same, 1 + least(rows[i - 1][j], rows[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                *here = least(*here, rows[i - 2][j - 2] + 1);
        }
    return rows[a_length][b_length];
}

static void compare(words *list, const char *word)
{
    size_t length = strlen(word);
    if (length > LONGEST || list->wanted_length > LONGEST)
        return;
    int d = distance(list->wanted, list->wanted_length, word, length);
    if (list->nearest && d >= list->distance)
        return;
    list->nearest = word;
    list->distance = d;
}

const char *words_guess(const words *list, char buffer[64])
{
    buffer[0] = '\0';
    if (list->nearest && list->distance <= (list->wanted_length < 6 ? 1 : 2))
        snprintf(buffer, 64, "; did you mean %s?", list->nearest);
    return buffer;
}

void words_add(words *list, const char *word)
{
    if (list->wanted)
        compare(list, word);
    if (list->used + 1 >= list->size)
        return;
    int more = snprintf(list->buffer + list->used, list->size - list->used, "%s%s",
                        list->used ? list->between : "", word);
    list->used += more > 0 ? (size_t)more : 0; // past the end when cut off: nothing follows
}
