// cli/texel.c - packs and unpacks a texture's texels on the CPU
// SPDX-License-Identifier: MIT
#include "texel.h"

#include "report.h"
#include "srgb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- floats with 5 exponent bits of bias 15: half (10 mantissa bits), 11-bit (6), 10-bit (5) ----

static uint32_t small_from_magnitude(double value, int mantissa)
{
    const uint32_t infinity = 31u << mantissa;
    if (isnan(value))
        return infinity | 1u << (mantissa - 1);
    if (isinf(value))
        return infinity;
    // Above the largest finite value the result is that value, which is one below infinity.
    if (value >= ldexp(2 - ldexp(1, -mantissa), 15))
        return infinity - 1;
    int exponent = 0;
    frexp(value, &exponent); // value = f * 2^exponent, f in [0.5, 1)
    exponent = exponent - 1 < -14 || value == 0 ? -14 : exponent - 1;
    // nearbyint rounds to even. A significand that rounds up to the next power of two carries into
    // the exponent by itself, and one below 2^mantissa (a subnormal) leaves the exponent at 0.
    uint32_t significand = (uint32_t)nearbyint(ldexp(value, mantissa - exponent));
    return ((uint32_t)(exponent + 14) << mantissa) + significand;
}

static double small_to_magnitude(uint32_t bits, int mantissa)
{
    uint32_t exponent = bits >> mantissa;
    uint32_t fraction = bits & ((1u << mantissa) - 1);
    if (exponent == 31)
        return fraction ? (double)NAN : (double)INFINITY;
    if (exponent == 0)
        return ldexp(fraction, -14 - mantissa);
    return ldexp(fraction + (1u << mantissa), (int)exponent - 15 - mantissa);
}

uint16_t half_from_float(float value)
{
    uint32_t sign = signbit(value) ? 0x8000u : 0;
    return (uint16_t)(sign | small_from_magnitude(fabs((double)value), 10));
}

float half_to_float(uint16_t bits)
{
    double magnitude = small_to_magnitude(bits & 0x7FFFu, 10);
    return (float)(bits & 0x8000u ? -magnitude : magnitude);
}

static uint32_t unsigned_small(float value, int mantissa)
{
    return small_from_magnitude(value < 0 ? 0 : (double)value, mantissa);
}

static uint32_t unorm(float value, double largest)
{
    return (uint32_t)(fmin(fmax((double)value, 0), 1) * largest + 0.5); // fmax gives 0 for NaN
}

// ---- texels ------------------------------------------------------------------------------------

static void store_texel(const format_info *format, const srgb_coder *coder, const float value[4],
                        void *out)
{
    uint8_t *bytes = out;
    uint16_t *halves = out;
    uint32_t *word = out;
    switch (format->kind) {
    case FORMAT_UNORM8:
        for (int c = 0; c < format->channels; c++)
            bytes[c] = (uint8_t)unorm(value[c], 255);
        break;
    case FORMAT_SRGB8:
        for (int c = 0; c < 3; c++)
            bytes[c] = srgb_encode(coder, (double)value[c]);
        bytes[3] = (uint8_t)unorm(value[3], 255);
        break;
    case FORMAT_UNORM16:
        for (int c = 0; c < 4; c++)
            halves[c] = (uint16_t)unorm(value[c], 65535);
        break;
    case FORMAT_UNORM10:
        *word = unorm(value[0], 1023) | unorm(value[1], 1023) << 10 | unorm(value[2], 1023) << 20 |
                unorm(value[3], 3) << 30;
        break;
    case FORMAT_FLOAT11:
        *word = unsigned_small(value[0], 6) | unsigned_small(value[1], 6) << 11 |
                unsigned_small(value[2], 5) << 22;
        break;
    case FORMAT_FLOAT16:
        for (int c = 0; c < format->channels; c++)
            halves[c] = half_from_float(value[c]);
        break;
    case FORMAT_FLOAT32: memcpy(out, value, (size_t)format->texel_bytes); break;
    case FORMAT_UINT32: break; // never reached: integers are packed as integers
    }
}

static void pack_values(const image *source, const format_info *format, unsigned char *to)
{
    srgb_coder coder;
    srgb_coder_init(&coder);
    // Codes stay codes in an 8-bit texture of either kind: no curve is applied to them.
    format_info target = *format;
    if (source->type == IMAGE_U8 && format->kind == FORMAT_SRGB8)
        target.kind = FORMAT_UNORM8;
    bool spread = source->decoded && source->channels == 1;
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < texels; i++, to += format->texel_bytes) {
        float value[4] = {0, 0, 0, 1};
        for (int c = 0; c < source->channels; c++)
            value[c] = image_value(source, i, c);
        if (spread)
            value[1] = value[2] = value[0];
        store_texel(&target, &coder, value, to);
    }
}

static void pack_integers(const image *source, const format_info *format, uint32_t *to)
{
    const uint32_t *words = source->data;
    const uint8_t *bytes = source->data;
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < texels; i++, to += format->channels) {
        uint32_t value[4] = {0, 0, 0, 1};
        for (int c = 0; c < source->channels; c++) {
            size_t at = i * (size_t)source->channels + (size_t)c;
            value[c] = source->type == IMAGE_U32 ? words[at] : bytes[at];
        }
        memcpy(to, value, (size_t)format->texel_bytes);
    }
}

int texel_check(const image *source, const format_info *format, const char *path)
{
    bool integers = format->kind == FORMAT_UINT32;
    if (source->type == IMAGE_U32 && !integers) {
        return fail(STATUS_USAGE,
                    "%s: uint32 data needs a format of integers, r32ui, rg32ui or rgba32ui; got %s",
                    path, format->name);
    }
    if (integers && source->type != IMAGE_U32 && source->type != IMAGE_U8)
        return fail(STATUS_USAGE, "%s: %s needs .npy data of uint32 or uint8", path, format->name);
    // Only a format of red, green and blue may drop a fourth channel.
    if (source->channels > format->channels && !(source->channels == 4 && format->channels == 3)) {
        return fail(STATUS_USAGE, "%s has %d channels; format %s holds %d", path, source->channels,
                    format->name, format->channels);
    }
    return STATUS_OK;
}

int texel_pack(const image *source, const format_info *format, void **bits)
{
    size_t texels = (size_t)source->width * (size_t)source->height;
    void *packed = malloc(texels * (size_t)format->texel_bytes);
    if (!packed)
        return fail_memory();
    if (format->kind == FORMAT_UINT32)
        pack_integers(source, format, packed);
    else
        pack_values(source, format, packed);
    *bits = packed;
    return STATUS_OK;
}

static void load_texel(const format_info *format, const void *bits, float value[4])
{
    uint32_t word = 0;
    uint16_t halves[4] = {0};
    switch (format->kind) {
    case FORMAT_UNORM16:
        memcpy(halves, bits, sizeof halves);
        for (int c = 0; c < 4; c++)
            value[c] = (float)halves[c] / 65535.0f;
        break;
    case FORMAT_UNORM10:
        memcpy(&word, bits, sizeof word);
        for (int c = 0; c < 3; c++)
            value[c] = (float)(word >> (10 * c) & 1023u) / 1023.0f;
        value[3] = (float)(word >> 30) / 3.0f;
        break;
    case FORMAT_FLOAT11:
        memcpy(&word, bits, sizeof word);
        value[0] = (float)small_to_magnitude(word & 0x7FFu, 6);
        value[1] = (float)small_to_magnitude(word >> 11 & 0x7FFu, 6);
        value[2] = (float)small_to_magnitude(word >> 22, 5);
        break;
    case FORMAT_FLOAT16:
        memcpy(halves, bits, (size_t)format->texel_bytes);
        for (int c = 0; c < format->channels; c++)
            value[c] = half_to_float(halves[c]);
        break;
    default: break; // texels of other kinds are copied unchanged
    }
}

int texel_unpack(const void *bits, const format_info *format, int width, int height, image *out)
{
    bool codes = format->kind == FORMAT_UNORM8 || format->kind == FORMAT_SRGB8;
    bool integers = format->kind == FORMAT_UINT32;
    image made;
    int status = image_create(width, height, format->channels,
                              codes      ? IMAGE_U8
                              : integers ? IMAGE_U32
                                         : IMAGE_F32,
                              &made);
    if (status != STATUS_OK)
        return status;
    made.codes = codes;
    made.srgb = format->kind == FORMAT_SRGB8;
    made.halves = format->kind == FORMAT_FLOAT16;
    size_t texels = (size_t)width * (size_t)height;
    if (codes || integers || format->kind == FORMAT_FLOAT32) {
        memcpy(made.data, bits, texels * (size_t)format->texel_bytes);
    } else {
        const unsigned char *from = bits;
        float *to = made.data;
        for (size_t i = 0; i < texels; i++, from += format->texel_bytes, to += format->channels) {
            float value[4] = {0};
            load_texel(format, from, value);
            memcpy(to, value, (size_t)format->channels * sizeof *to);
        }
    }
    *out = made;
    return STATUS_OK;
}
