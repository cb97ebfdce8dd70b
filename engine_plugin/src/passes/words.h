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

typedef struct ag_declared { // where a name was declared
    const char *line, *at;
    uint32_t number; // of the line
} ag_declared;

typedef struct ag_words {
    const ag_host *host;
    ag_description *d;
    ag_problem *problem;
    bool failed;                 // the first error counts: what follows does nothing of use
    const char *line, *end, *at; // of the line
    const char *word;            // where the last word began
    uint32_t number;             // of the line
    const char *variable;        // of the step's rounds; NULL: none
    char rounds[AG_PASS_NAME];
    const char *uses[AG_PASS_USES]; // of the step, where they stand
    ag_declared slots[AG_MAX_SLOTS], textures[AG_PASS_TEXTURES];
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
bool ag_word_is_macro(const char *name, size_t length);    // of these, by A-Z
// Fails if a name is the number of a choice; `place`: where it stands.
void ag_word_no_choice(ag_words *r, const char *place, const char *name, size_t length);
bool ag_word_is_name(const char *at, size_t length);
// A new name, also of the shader's; "" after an error.
const char *ag_word_name(ag_words *r, const char *what, bool of_shader);
const char *ag_word_help(ag_words *r);

// Digits with a point, but no exponent, as C reads them whatever the locale is.
bool ag_word_number(const char *at, size_t length, double *out);
int32_t ag_word_whole(ag_words *r, const char *at, size_t length, int32_t least, int32_t most,
                      const char *what);

// ---- read.c, read_step.c

// What the lines so far have named; -1: nothing.
int32_t ag_find_slot(const ag_description *d, const char *at, size_t length);
int32_t ag_find_texture(const ag_description *d, const char *at, size_t length);
int32_t ag_find_setting(const ag_description *d, const char *at, size_t length);
// Whether a step before `end` has this access to the slot, or to any level of the texture.
bool ag_steps_use(const ag_description *d, int32_t end, int32_t slot, int32_t texture,
                  uint32_t access);
void ag_read_step(ag_words *r); // a line

#endif
