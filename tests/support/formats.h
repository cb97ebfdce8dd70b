// formats.h - the texture formats of the tests: exact rounding, packing and units, on the CPU
// SPDX-License-Identifier: MIT
//
// Values are doubles in the format's linear domain: unorm 0..1, sRGB decoded by the exact piecewise
// curve (alpha linear), floats as they are.
#ifndef AG_TEST_FORMATS_H
#define AG_TEST_FORMATS_H

#include <stdint.h>

typedef enum format_kind { FORMAT_UNORM, FORMAT_SRGB, FORMAT_FLOAT, FORMAT_UINT } format_kind;

typedef struct format_info {
    const char *name;  // "rgba16f", as in the command line
    uint32_t internal; // GL_RGBA16F
    uint32_t base;     // GL_RGBA, for uploads and reads
    uint32_t type;     // GL_HALF_FLOAT: the packed type that moves unconverted
    format_kind kind;
    int channels, bytes; // per texel
    int bits[4];         // per channel; floats: 32, 16, or unsigned 11 and 10
} format_info;

enum { FORMAT_COUNT = 12, FRAME_FORMAT_COUNT = 13 }; // colours; frames of video: rgba16, too.
// Beyond them, by name only: r32ui, rg32ui, rgba32ui; depth: d16, d24, d32, d32f, d24s8, d32fs8
const format_info *format_at(int index);           // 0..FRAME_FORMAT_COUNT - 1
const format_info *format_find(uint32_t internal); // NULL when unknown
const format_info *format_named(const char *name); // NULL when unknown

// The representable value nearest to `value`, ties to the even code; beyond the range: the end of
// the range (largest finite value for floats, 0 below unsigned formats). NaN stays NaN.
double format_quantise(const format_info *format, int channel, double value);

// The distance of neighbouring representable values around `value`: one unorm step; the ulp of the
// value's binade (subnormals included); for sRGB the width of one code step at that value.
double format_unit(const format_info *format, int channel, double value);

// How far `stored` is outside [exact - bound, exact + bound] clamped to the format's range, in
// units of the format (for sRGB: in codes). A correct store within `bound` gives at most 0.5. NaN:
// NaN.
double format_error_units(const format_info *format, int channel, double exact, double stored,
                          double bound);

// One texel. Packing quantises finite values; NaN and Inf stay what they are where the format has
// them (unorm: NaN is 0).
void format_pack(const format_info *format, const double *values, void *texel);
void format_unpack(const format_info *format, const void *texel, double *values);

double format_largest(const format_info *format, int channel); // largest finite value
double format_srgb_encode(double linear);                      // 0..1 to 0..1, exact piecewise
double format_srgb_decode(double encoded);

#endif
