// cli/texel.h - packs and unpacks a texture's texels on the CPU
// SPDX-License-Identifier: MIT
//
// Drivers round differently when glTexSubImage2D converts values, so they get packed texels. Floats
// are rounded to nearest even, and finite values are clamped to the largest finite one. Other
// values become the nearest code.
#ifndef CLI_TEXEL_H
#define CLI_TEXEL_H

#include "format.h"
#include "image.h"

float half_to_float(uint16_t bits);
uint16_t half_from_float(float value);

// The packed texels for an image. Missing channels are 0 and alpha 1; the grey of a decoded image
// fills red, green and blue; floats into srgb8 are encoded. The caller frees `bits`.
int texel_pack(const image *source, const format_info *format, void **bits);
// Whether texel_pack can convert the image; if not, prints why, with `path`.
int texel_check(const image *source, const format_info *format, const char *path);

// The image of packed texels: float32, codes as uint8, integers as uint32.
int texel_unpack(const void *bits, const format_info *format, int width, int height, image *out);

#endif
