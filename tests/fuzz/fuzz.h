// fuzz.h - what the fuzz targets share: an input read as numbers, checks that end the process
// SPDX-License-Identifier: MIT
//
// A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput, corpus/NAME/ and, if it reads text,
// NAME.dict. Sanitizers find accesses out of bounds; FUZZ_CHECK checks all other conditions.
#ifndef AG_FUZZ_H
#define AG_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// libFuzzer calls this with every input.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
// libFuzzer calls this once, before the first input, where a target has it.
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *what);

typedef struct fuzz_input { // numbers, taken from the front; beyond the end all are 0
    const uint8_t *at;
    size_t left;
} fuzz_input;

uint32_t fuzz_take(fuzz_input *input, int bytes);       // 1 to 4 bytes, little-endian
uint32_t fuzz_below(fuzz_input *input, uint32_t count); // 0..count - 1, from one byte, or two
int32_t fuzz_number(fuzz_input *input); // small numbers and limits are more frequent
float fuzz_float(fuzz_input *input);    // the same, with infinities and NaN
void fuzz_copy(fuzz_input *input, void *to, size_t bytes); // zeros beyond the end

// The path of a file in memory that has these bytes, until the next call.
const char *fuzz_file(const uint8_t *data, size_t size);

// Makes an empty folder, removed when the program ends, the current one. The command line finds no
// cache of programs from there.
void fuzz_enter_folder(void);
// Removes what is in it, but for names that `keeps` is true for; NULL: all.
void fuzz_empty_folder(bool (*keeps)(const char *name));

// Checks that each value lies in the range of its setting.
struct ag_effect_info;
void fuzz_check_settings(const struct ag_effect_info *effect, const void *settings);

// Checks that an image of the command line is complete and within the allowed sizes.
struct image;
void fuzz_check_image(const struct image *read);

// Reads an image file of the command line, with limits; whether it was taken. No more is
// allocated than the limits allow.
struct image_view;
struct image_limits;
typedef int fuzz_parser(const char *path, const unsigned char *data, size_t size,
                        const struct image_view *view, const struct image_limits *limits,
                        struct image *out);
bool fuzz_read_image(fuzz_parser *parse, const uint8_t *data, size_t size, const char *channels,
                     struct image *out);
// Writes it and reads that: it is taken, and has the same size.
void fuzz_read_again(fuzz_parser *parse, bool (*write)(FILE *, const struct image *),
                     const struct image *read, struct image *again);
bool fuzz_same_bits(const struct image *a, const struct image *b);

#endif
