// cli/words.h - joins words into a buffer, cutting off what does not fit; finds the one that was
// meant
// SPDX-License-Identifier: MIT
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stddef.h>

typedef struct words {
    char *buffer;
    size_t size, used;
    const char *between;
    const char *wanted, *nearest; // what somebody wrote, and the word that is most like it
    size_t wanted_length;
    int distance;
} words;

words words_begin(char *buffer, size_t size, const char *between);
// Words that are added from now on are compared with this text, of so many characters.
void words_seek(words *list, const char *text, size_t length);
void words_add(words *list, const char *word);
// "; did you mean WORD?" in `buffer`, or nothing if no word is like the text.
const char *words_guess(const words *list, char buffer[64]);

#endif
