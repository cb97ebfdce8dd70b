// cli/image_codes.c - converts codes of 8 or 16 bits, from .png and .jpg, to linear floats
// SPDX-License-Identifier: MIT
#include "image.h"

#include "report.h"
#include "srgb.h"

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
    made.two_axes = channels == 1; // in case it is written as .npy
    if (status == STATUS_OK)
        *out = made;
    else
        image_destroy(&made);
    return status;
}
