// texture.h - textures of the tests: exact uploads, poison, read back in double
// SPDX-License-Identifier: MIT
//
// Arrays are double, row by row from y = 0, layer after layer, with as many interleaved channels as
// the format has (1, 2, 3 for r11g11b10f, 4). All functions leave GL_TEXTURE_2D,
// GL_TEXTURE_2D_ARRAY and the pixel pack and unpack buffers unbound on the active unit, and pixel
// store at its defaults.
#ifndef AG_TEST_TEXTURE_H
#define AG_TEST_TEXTURE_H

#include "fixture.h"
#include "formats.h"

typedef struct texture {
    uint32_t name, target;
    const format_info *format;
    int width, height, layers, levels; // layers 0: GL_TEXTURE_2D, else GL_TEXTURE_2D_ARRAY
} texture;

// Immutable storage. `values`: level 0, rounded to the format; NULL: every level is poison.
texture texture_create(fixture *f, const char *format, int width, int height, const double *values);
texture texture_create_array(fixture *f, const char *format, int width, int height, int layers,
                             int levels, const double *values);
void texture_destroy(fixture *f, texture *t); // f->device forgets it first

int texture_level_size(int size, int level);    // max(1, size >> level)
int texture_full_levels(int width, int height); // of a whole chain, with level 0 and 1 x 1
// Replaces one level.
void texture_upload(fixture *f, const texture *t, int level, const double *values);
// Fills every level with a pattern that no correct result has: finite, and very large for floats.
void texture_poison(fixture *f, const texture *t);
// Counts the texels of the rectangle, in all layers, that are still poison; w = h = 0: the whole
// level.
size_t texture_poison_count(fixture *f, const texture *t, int level, int x, int y, int w, int h);
// True when every texel of every level is poison.
bool texture_is_poison(fixture *f, const texture *t);

// A level's values (malloc; free it), and its stored bytes, tightly packed.
double *texture_read(fixture *f, const texture *t, int level);
uint8_t *texture_read_bytes(fixture *f, const texture *t, int level);
size_t texture_value_count(const texture *t, int level); // width * height * layers * channels
size_t texture_byte_count(const texture *t, int level);

// The values of an upload as the texture holds them: quantised in place.
void texture_quantise(const char *format, double *values, size_t texels);

// ag_texture of level 0, all layers, version 1; change members as needed.
ag_texture texture_view(const texture *t);
ag_texture texture_no_view(void); // an empty slot

#endif
