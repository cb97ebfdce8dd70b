// words.h - the words of a line of a pass, and where an error is
// SPDX-License-Identifier: MIT
#ifndef AG_WORDS_H
#define AG_WORDS_H

#include "base/log.h"
#include "passes/description.h"

typedef struct ag_word {
    const char *at;
    size_t length;
    bool quoted; // a text; `at` is behind its first quote
} ag_word;

typedef struct ag_words {
    const ag_host *host;
    ag_description *d;
    ag_problem *problem;
    bool failed;                 // the first error counts: what follows does nothing of use
    const char *line, *end, *at; // of the line
    uint32_t number;             // of the line
    const char *variable;        // of the step's rounds; NULL: none
    char rounds[AG_PASS_NAME];
} ag_words;

void ag_word_fail(ag_words *r, const char *at, const char *format, ...) AG_PRINTF(3, 4);
void ag_word_expected(ag_words *r, ag_word t, const char *what);
int32_t ag_word_shown(size_t length); // of what a message quotes

// The next word; of length 0 at the line's end.
ag_word ag_word_peek(const ag_words *r);
void ag_word_skip(ag_words *r, ag_word t);
ag_word ag_word_next(ag_words *r);
bool ag_word_is(ag_word t, const char *word);
bool ag_word_take(ag_words *r, const char *word); // skips it if it is the next one
void ag_word_end(ag_words *r);                    // the line must end

const char *ag_word_keep(ag_words *r, const char *at, size_t length);
bool ag_word_is_reserved(const char *name, size_t length); // by GLSL or by pass.glsl
bool ag_word_is_name(const char *at, size_t length);
// A new name, also of the shader's; "" after an error.
const char *ag_word_name(ag_words *r, const char *what, bool of_shader);
const char *ag_word_help(ag_words *r);

// Digits with a point, but no exponent, as C reads them whatever the locale is.
bool ag_word_number(const char *at, size_t length, double *out);
int32_t ag_word_whole(ag_words *r, const char *at, size_t length, int32_t least, int32_t most,
                      const char *what);

#endif
