// cli/texel.h - the bits of a texture's texels, made and read on the CPU
// SPDX-License-Identifier: MIT
//
// Drivers differ in how they round what glTexSubImage2D converts, so they get the bits as they are:
// to nearest even for floats, with finite values clamped to the largest finite one, to the nearest
// code for the rest.
#ifndef CLI_TEXEL_H
#define CLI_TEXEL_H

#include "format.h"
#include "image.h"

float half_to_float(uint16_t bits);
uint16_t half_from_float(float value);

// The texture's bits for an image. Missing channels are 0 and alpha 1; the grey of a decoded image
// fills red, green and blue; floats into srgb8 are encoded. The caller frees `bits`.
int texel_pack(const image *source, const format_info *format, void **bits);
// Whether texel_pack would do it; if not, prints what does not fit and names `path`.
int texel_check(const image *source, const format_info *format, const char *path);

// The image that a texture's bits hold: float32, codes as uint8, integers as uint32.
int texel_unpack(const void *bits, const format_info *format, int width, int height, image *out);

#endif
