// cli/image_stb.c - .png and .jpg files, decoded and compressed by stb
// SPDX-License-Identifier: MIT
#include "image.h"

#include "report.h"
#include "srgb.h"
#include "stb.h"

#include <limits.h>
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

// Grey and alpha as red, green, blue and alpha: two channels of a texture are data, not a colour.
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

int image_parse_stb(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, image *out)
{
    if (size > INT_MAX)
        return fail(STATUS_USAGE, "%s: larger than 2 GiB", path);
    int length = (int)size, width = 0, height = 0, channels = 0;
    bool wide = stbi_is_16_bit_from_memory(data, length);
    void *pixels =
        wide ? (void *)stbi_load_16_from_memory(data, length, &width, &height, &channels, 0)
             : (void *)stbi_load_from_memory(data, length, &width, &height, &channels, 0);
    if (!pixels) {
        return fail(STATUS_USAGE, "%s: not a readable .png or .jpg file: %s", path,
                    stbi_failure_reason());
    }
    image made;
    int status = image_create(width, height, channels, IMAGE_F32, &made);
    if (status == STATUS_OK) {
        status = decode_codes(pixels, wide ? 16 : 8, view->linear, &made);
        if (status == STATUS_OK && channels == 2)
            status = spread_grey(&made);
        made.decoded = true;
        made.codes = !wide;
        made.two_axes = channels == 1; // for a .npy of it
        if (status == STATUS_OK)
            *out = made;
        else
            image_destroy(&made);
    }
    stbi_image_free(pixels);
    return status;
}

static void write_bytes(void *stream, void *data, int size)
{
    fwrite(data, 1, (size_t)size, stream); // file_end asks the stream whether this went well
}

bool image_write_png(FILE *stream, const image *codes)
{
    return stbi_write_png_to_func(write_bytes, stream, codes->width, codes->height, codes->channels,
                                  codes->data, codes->width * codes->channels);
}

bool image_write_jpg(FILE *stream, const image *codes)
{
    enum { QUALITY = 95 };
    return stbi_write_jpg_to_func(write_bytes, stream, codes->width, codes->height, codes->channels,
                                  codes->data, QUALITY);
}
