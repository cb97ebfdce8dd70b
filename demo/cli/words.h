// cli/words.h - joins words into a buffer, cutting off what does not fit
// SPDX-License-Identifier: MIT
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stddef.h>

typedef struct words {
    char *buffer;
    size_t size, used;
    const char *between;
} words;

words words_begin(char *buffer, size_t size, const char *between);
void words_add(words *list, const char *word);

#endif
