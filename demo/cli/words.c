// cli/words.c - joins words into a buffer, cutting off what does not fit
// SPDX-License-Identifier: MIT
#include "words.h"

#include <stdio.h>

words words_begin(char *buffer, size_t size, const char *between)
{
    buffer[0] = '\0';
    return (words){.buffer = buffer, .size = size, .between = between};
}

void words_add(words *list, const char *word)
{
    if (list->used + 1 >= list->size)
        return;
    int more = snprintf(list->buffer + list->used, list->size - list->used, "%s%s",
                        list->used ? list->between : "", word);
    list->used += more > 0 ? (size_t)more : 0; // past the end when cut off: nothing follows
}
