// formats.c - exact rounding to texture formats, on the CPU in double
// SPDX-License-Identifier: MIT
#include "formats.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <glad/gl.h>

enum { ALL = FORMAT_COUNT + 10, FINDABLE = FORMAT_COUNT + 4 }; // not by format_find: depth

// A row for each format.
// clang-format off
static const format_info formats[ALL] = {
    {"r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, FORMAT_UNORM, 1, 1, {8, 0, 0, 0}},
    {"rg8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, FORMAT_UNORM, 2, 2, {8, 8, 0, 0}},
    {"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, FORMAT_UNORM, 4, 4, {8, 8, 8, 8}},
    {"srgb8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, FORMAT_SRGB, 4, 4, {8, 8, 8, 8}},
    {"rgb10a2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV,
     FORMAT_UNORM, 4, 4, {10, 10, 10, 2}},
    {"r11g11b10f", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV,
     FORMAT_FLOAT, 3, 4, {11, 11, 10, 0}},
    {"r16f", GL_R16F, GL_RED, GL_HALF_FLOAT, FORMAT_FLOAT, 1, 2, {16, 0, 0, 0}},
    {"rg16f", GL_RG16F, GL_RG, GL_HALF_FLOAT, FORMAT_FLOAT, 2, 4, {16, 16, 0, 0}},
    {"rgba16f", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, FORMAT_FLOAT, 4, 8, {16, 16, 16, 16}},
    {"r32f", GL_R32F, GL_RED, GL_FLOAT, FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
    {"rg32f", GL_RG32F, GL_RG, GL_FLOAT, FORMAT_FLOAT, 2, 8, {32, 32, 0, 0}},
    {"rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, FORMAT_FLOAT, 4, 16, {32, 32, 32, 32}},
    {"rgba16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, FORMAT_UNORM, 4, 8, {16, 16, 16, 16}},
    {"r32ui", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, FORMAT_UINT, 1, 4, {32, 0, 0, 0}},
    {"rg32ui", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, FORMAT_UINT, 2, 8, {32, 32, 0, 0}},
    {"rgba32ui", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
     FORMAT_UINT, 4, 16, {32, 32, 32, 32}},
    // Moved as floats, and rounded by GL: read them back.
    {"d16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_FLOAT, FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
    {"d24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_FLOAT, FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
    {"d32", GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT, GL_FLOAT, FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
    {"d32f", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT,
     FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
    {"d24s8", GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT, GL_FLOAT, FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
    {"d32fs8", GL_DEPTH32F_STENCIL8, GL_DEPTH_COMPONENT, GL_FLOAT,
     FORMAT_FLOAT, 1, 4, {32, 0, 0, 0}},
};
// clang-format on

const format_info *format_at(int index)
{
    return &formats[index];
}

const format_info *format_find(uint32_t internal)
{
    for (int i = 0; i < FINDABLE; ++i) {
        if (formats[i].internal == internal)
            return &formats[i];
    }
    return NULL;
}

const format_info *format_named(const char *name)
{
    for (int i = 0; i < ALL; ++i) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}

double format_srgb_encode(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

double format_srgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

// ---- codes: every format stores a channel as `bits` bits

typedef struct float_layout {
    int mantissa, exponent; // bits
    int bias;
    bool sign;
} float_layout;

static float_layout layout_of(int bits)
{
    switch (bits) {
    case 10: return (float_layout){5, 5, 15, false};
    case 11: return (float_layout){6, 5, 15, false};
    case 16: return (float_layout){10, 5, 15, true};
    default: return (float_layout){23, 8, 127, true};
    }
}

static double float_largest(float_layout f)
{
    return ldexp(2 - ldexp(1, -f.mantissa), f.bias);
}

// The ulp of the binade that holds `value`.
static double float_ulp(float_layout f, double value)
{
    double magnitude = fmin(fabs(value), float_largest(f));
    int exponent = 1 - f.bias; // of the smallest normal and of all subnormals
    if (magnitude >= ldexp(1, exponent))
        exponent = ilogb(magnitude);
    return ldexp(1, exponent - f.mantissa);
}

static double float_quantise(float_layout f, double value)
{
    if (isnan(value))
        return value;
    if (value < 0 && !f.sign)
        return 0;
    double largest = float_largest(f);
    if (fabs(value) >= largest)
        return copysign(largest, value);
    double ulp = float_ulp(f, value);
    return copysign(fmin(rint(value / ulp) * ulp, largest), value); // rint: ties to even
}

static uint32_t float_encode(float_layout f, double value)
{
    uint32_t top = ((1u << f.exponent) - 1) << f.mantissa;
    uint32_t sign = f.sign && signbit(value) ? 1u << (f.mantissa + f.exponent) : 0;
    if (isnan(value))
        return top | 1u << (f.mantissa - 1);
    if (isinf(value))
        return f.sign || value > 0 ? sign | top : 0;
    double magnitude = fabs(float_quantise(f, value));
    if (magnitude < ldexp(1, 1 - f.bias))
        return sign | (uint32_t)ldexp(magnitude, f.bias - 1 + f.mantissa);
    int exponent = ilogb(magnitude);
    uint32_t fraction = (uint32_t)ldexp(magnitude, f.mantissa - exponent) - (1u << f.mantissa);
    return sign | (uint32_t)(exponent + f.bias) << f.mantissa | fraction;
}

static double float_decode(float_layout f, uint32_t code)
{
    uint32_t fraction = code & ((1u << f.mantissa) - 1);
    uint32_t exponent = code >> f.mantissa & ((1u << f.exponent) - 1);
    double sign = f.sign && code >> (f.mantissa + f.exponent) & 1 ? -1 : 1;
    if (exponent == (1u << f.exponent) - 1)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - f.bias - f.mantissa);
    return sign * ldexp(fraction + ldexp(1, f.mantissa), (int)exponent - f.bias - f.mantissa);
}

static bool is_srgb(const format_info *format, int channel)
{
    return format->kind == FORMAT_SRGB && channel < 3;
}

static double top_code(const format_info *format, int channel)
{
    return ldexp(1, format->bits[channel]) - 1;
}

// The position of a value on the code axis of a unorm or sRGB channel, clamped to its range.
static double code_position(const format_info *format, int channel, double value)
{
    if (isnan(value))
        return value;
    double x = fmin(fmax(value, 0), 1);
    return top_code(format, channel) * (is_srgb(format, channel) ? format_srgb_encode(x) : x);
}

static double code_value(const format_info *format, int channel, double code)
{
    double x = code / top_code(format, channel);
    return is_srgb(format, channel) ? format_srgb_decode(x) : x;
}

double format_largest(const format_info *format, int channel)
{
    return format->kind == FORMAT_FLOAT ? float_largest(layout_of(format->bits[channel])) : 1;
}

double format_quantise(const format_info *format, int channel, double value)
{
    if (isnan(value))
        return value;
    if (format->kind == FORMAT_FLOAT)
        return float_quantise(layout_of(format->bits[channel]), value);
    return code_value(format, channel, rint(code_position(format, channel, value)));
}

double format_unit(const format_info *format, int channel, double value)
{
    if (format->kind == FORMAT_FLOAT)
        return float_ulp(layout_of(format->bits[channel]), value);
    if (!is_srgb(format, channel))
        return 1 / top_code(format, channel);
    double position = code_position(format, channel, value);
    double low = fmin(fmax(position - 0.5, 0), top_code(format, channel) - 1);
    return code_value(format, channel, low + 1) - code_value(format, channel, low);
}

double format_error_units(const format_info *format, int channel, double exact, double stored,
                          double bound)
{
    if (isnan(exact) || isnan(stored) || isnan(bound))
        return (double)NAN;
    double target = fmin(fmax(stored, exact - bound), exact + bound);
    if (format->kind != FORMAT_FLOAT)
        return fabs(code_position(format, channel, target) -
                    code_position(format, channel, stored));
    float_layout f = layout_of(format->bits[channel]);
    double largest = float_largest(f);
    target = fmin(fmax(target, f.sign ? -largest : 0), largest);
    return fabs(target - stored) / float_ulp(f, target);
}

// ---- texels

static uint32_t encode(const format_info *format, int channel, double value)
{
    if (format->kind == FORMAT_UINT)
        return (uint32_t)value;
    if (format->kind == FORMAT_FLOAT)
        return float_encode(layout_of(format->bits[channel]), value);
    return isnan(value) ? 0 : (uint32_t)rint(code_position(format, channel, value));
}

static double decode(const format_info *format, int channel, uint32_t code)
{
    if (format->kind == FORMAT_UINT)
        return code;
    if (format->kind == FORMAT_FLOAT)
        return float_decode(layout_of(format->bits[channel]), code);
    return code_value(format, channel, code);
}

// Packed formats hold channel 0 in the lowest bits of a 32-bit word; others one array element each.
static bool is_packed(const format_info *format)
{
    return format->bits[0] == 10 || format->bits[0] == 11;
}

void format_pack(const format_info *format, const double *values, void *texel)
{
    uint8_t *bytes = texel;
    uint32_t word = 0;
    int shift = 0;
    for (int c = 0; c < format->channels; ++c) {
        uint32_t code = encode(format, c, values[c]);
        if (is_packed(format)) {
            word |= code << shift;
            shift += format->bits[c];
        } else if (format->bits[c] == 8) {
            bytes[c] = (uint8_t)code;
        } else if (format->bits[c] == 16) {
            uint16_t half = (uint16_t)code;
            memcpy(bytes + 2 * c, &half, sizeof half);
        } else {
            memcpy(bytes + 4 * c, &code, sizeof code);
        }
    }
    if (is_packed(format))
        memcpy(bytes, &word, sizeof word);
}

void format_unpack(const format_info *format, const void *texel, double *values)
{
    const uint8_t *bytes = texel;
    uint32_t word = 0;
    int shift = 0;
    if (is_packed(format))
        memcpy(&word, bytes, sizeof word);
    for (int c = 0; c < format->channels; ++c) {
        uint32_t code = 0;
        uint16_t half = 0;
        if (is_packed(format)) {
            code = word >> shift & ((1u << format->bits[c]) - 1);
            shift += format->bits[c];
        } else if (format->bits[c] == 8) {
            code = bytes[c];
        } else if (format->bits[c] == 16) {
            memcpy(&half, bytes + 2 * c, sizeof half);
            code = half;
        } else {
            memcpy(&code, bytes + 4 * c, sizeof code);
        }
        values[c] = decode(format, c, code);
    }
}
