// cli/image_codes.c - converts codes of 8 or 16 bits, from .png and .jpg, to linear floats and back
// SPDX-License-Identifier: MIT
#include "image.h"

#include "report.h"
#include "srgb.h"
#include "texel.h"

#include <math.h>
#include <stdlib.h>

// Codes of 8 or 16 bits as linear floats; alpha has no curve.
static int decode_codes(const void *codes, int bits, bool linear, image *out)
{
    int largest = (1 << bits) - 1;
    float *curve = malloc(((size_t)largest + 1) * sizeof *curve);
    if (!curve)
        return fail_memory();
    for (int i = 0; i <= largest; i++) {
        double code = (double)i / largest;
        curve[i] = (float)(linear ? code : srgb_decode(code));
    }
    bool has_alpha = out->channels == 2 || out->channels == 4;
    int alpha = has_alpha ? out->channels - 1 : out->channels;
    float *to = out->data;
    size_t texels = (size_t)out->width * (size_t)out->height;
    for (size_t i = 0, at = 0; i < texels; i++) {
        for (int c = 0; c < out->channels; c++, at++) {
            unsigned code =
                bits == 8 ? ((const uint8_t *)codes)[at] : ((const uint16_t *)codes)[at];
            to[at] = c == alpha ? (float)((double)code / largest) : curve[code];
        }
    }
    free(curve);
    return STATUS_OK;
}

// Grey with alpha becomes RGBA, because two channels of a texture are data, not a colour.
static int spread_grey(image *target)
{
    image wide;
    int status = image_create(target->width, target->height, 4, IMAGE_F32, &wide);
    if (status != STATUS_OK)
        return status;
    const float *from = target->data;
    float *to = wide.data;
    size_t texels = (size_t)target->width * (size_t)target->height;
    for (size_t i = 0; i < texels; i++, from += 2, to += 4) {
        to[0] = to[1] = to[2] = from[0];
        to[3] = from[1];
    }
    image_destroy(target);
    *target = wide;
    return STATUS_OK;
}

int image_from_codes(const void *codes, int bits, const image_view *view, int width, int height,
                     int channels, image *out)
{
    image made;
    int status = image_create(width, height, channels, IMAGE_F32, &made);
    if (status != STATUS_OK)
        return status;
    status = decode_codes(codes, bits, view->linear, &made);
    if (status == STATUS_OK && channels == 2)
        status = spread_grey(&made);
    made.decoded = true;
    made.codes = bits == 8;
    made.wide = bits == 16;
    made.two_axes = channels == 1; // in case it is written as .npy
    if (status == STATUS_OK)
        *out = made;
    else
        image_destroy(&made);
    return status;
}

// K. Narkowicz, "ACES Filmic Tone Mapping Curve", 2016.
double image_tone_aces(double x)
{
    x = fmin(x, 1e6); // infinity would become NaN
    return (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
}

static uint8_t encode_linear(double value)
{
    return (uint8_t)(fmin(fmax(value, 0), 1) * 255 + 0.5); // fmax gives 0 for NaN
}

// ---- dithering ---------------------------------------------------------------------------------
//
// Rounding alone turns a slow gradient into bands, and its error depends on the value. With the sum
// of two uniform numbers as noise, from -1 to 1 code, mean and variance of the error are 0 and 1/4
// code^2 for any value (Lipshitz, Wannamaker and Vanderkooy 1992). Noise that leaves 0..255 would
// be cut off, so within half a code of an end one uniform number serves, whose mean is 0, too.

// M. Jarzynski and M. Olano, "Hash Functions for GPU Rendering", 2020: pcg3d, two of its words as
// numbers in [-1/2, 1/2).
static void hash(uint32_t x, uint32_t y, uint32_t z, double out[2])
{
    uint32_t v[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            v[i] += v[(i + 1) % 3] * v[(i + 2) % 3];
        for (int i = 0; i < 3 && !round; i++)
            v[i] ^= v[i] >> 16;
    }
    for (int i = 0; i < 2; i++)
        out[i] = ldexp((double)v[i], -32) - 0.5;
}

// What is a code already stays: the nearest code's light within 1/256 of a code, and the same light
// in a texture of half floats.
static uint8_t dithered(const image *source, const image_view *view, double value, size_t texel,
                        int channel)
{
    enum { NEAR = 256 };
    double light = fmin(fmax(value, 0), 1), noise[2];
    double at = 255 * (view->linear ? light : srgb_encoded(light)), code = floor(at + 0.5);
    double exact = view->linear ? code / 255 : srgb_decode(code / 255);
    bool half = (source->halves || source->type == IMAGE_F16) && view->exposure == 0 && !view->aces;
    if (fabs(at - code) * NEAR < 1 ||
        (half && half_from_float((float)value) == half_from_float((float)exact)))
        return (uint8_t)code;
    size_t width = (size_t)source->width;
    hash((uint32_t)(texel % width), (uint32_t)(texel / width), (uint32_t)channel, noise);
    bool at_end = at < 0.5 || at > 254.5;
    return (uint8_t)fmin(fmax(floor(at + noise[0] + (at_end ? 0 : noise[1]) + 0.5), 0), 255);
}

static uint16_t encode_wide(double value, bool linear)
{
    value = fmin(fmax(value, 0), 1);
    return (uint16_t)((linear ? value : srgb_encoded(value)) * 65535 + 0.5);
}

int image_to_codes(const image *source, const image_view *view, int bits, image *out)
{
    image made;
    int status = image_create(source->width, source->height, source->channels,
                              bits == 8 ? IMAGE_U8 : IMAGE_U16, &made);
    if (status != STATUS_OK)
        return status;
    made.two_axes = source->two_axes;
    made.layers = source->layers;
    made.codes = bits == 8;
    double gain = exp2(view->exposure);
    int colours = source->channels < 3 ? 1 : 3;             // the rest is alpha
    bool dither = view->dither && source->type != IMAGE_U8; // codes have their steps already
    srgb_coder coder;
    srgb_coder_init(&coder);
    uint8_t *to = made.data;
    uint16_t *wide = made.data;
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < texels; i++) {
        for (int c = 0; c < source->channels; c++) {
            double value = (double)image_value(source, i, c);
            if (c < colours) {
                value = fmax(value, 0) * gain;
                value = view->aces ? image_tone_aces(value) : value;
            }
            if (bits == 16) {
                *wide++ = encode_wide(value, view->linear || c >= colours);
                continue;
            }
            if (c >= colours) {
                *to++ = encode_linear(value);
                continue;
            }
            *to++ = dither         ? dithered(source, view, value, i, c)
                    : view->linear ? encode_linear(value)
                                   : srgb_encode(&coder, value);
        }
    }
    *out = made;
    return STATUS_OK;
}
