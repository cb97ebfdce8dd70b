// viewer/fonts.h - the panel's fonts, which the build carries: a machine need not have them
// SPDX-License-Identifier: MIT
#ifndef VIEWER_FONTS_H
#define VIEWER_FONTS_H

#include <stddef.h>

extern const unsigned char font_regular[], font_medium[], font_mono[]; // TrueType files
extern const size_t font_regular_size, font_medium_size, font_mono_size;

#endif
