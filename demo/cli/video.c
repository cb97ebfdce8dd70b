// cli/video.c - frames of video to linear floats and back
// SPDX-License-Identifier: MIT
//
// Where samples of chroma (c) lie among texels (x), of 4:2:0:
//
//     not centred across, centred down      centred both ways
//     (C420mpeg2)                           (C420jpeg)
//       x   x   x   x                         x   x   x   x
//       c       c                               c       c
//       x   x   x   x                         x   x   x   x
//
// Reading interpolates between the two nearest samples of each axis. Writing takes, of each axis,
// texels with weights 1 1 where the sample is centred, and 1 2 1 around the texel where it is not.
#include "video.h"

#include "report.h"
#include "srgb.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE = 1 << 14 }; // intervals of the tables: linear between them, errors are below 4e-9

struct video_coder {
    video_format format;
    image_view view;
    float decode[CURVE + 2]; // code value to light
    float encode[CURVE + 2]; // root of light to code value
    // Of planes with chroma: Cb and Cr of each texel of the frame being written; three rows of the
    // frame being read, and where its texels lie among samples.
    float *chroma[2], *row;
    struct between *across;
};

static int chroma_width(const video_format *f)
{
    return (f->width + (1 << f->shift_x) - 1) >> f->shift_x;
}

static int chroma_height(const video_format *f)
{
    return (f->height + (1 << f->shift_y) - 1) >> f->shift_y;
}

static size_t sample_bytes(const video_format *f)
{
    return f->bits <= 8 ? 1 : f->bits <= 16 ? 2 : 4;
}

size_t video_frame_bytes(const video_format *f)
{
    size_t texels = (size_t)f->width * (size_t)f->height, samples = texels * (size_t)f->channels;
    if (f->planes && f->channels >= 3)
        samples = texels * (size_t)(f->channels - 2) +
                  2 * (size_t)chroma_width(f) * (size_t)chroma_height(f);
    return samples * sample_bytes(f);
}

size_t video_memory(const video_format *f)
{
    size_t texels = (size_t)f->width * (size_t)f->height;
    bool chroma = f->planes && f->channels >= 3;
    return video_frame_bytes(f) + texels * (size_t)f->channels * sizeof(float) +
           (chroma ? 2 * texels * sizeof(float) : 0) + IMAGE_DECODER;
}

// ---- places ------------------------------------------------------------------------------------

// The two samples of an axis around a texel, and the weight of the second.
typedef struct between {
    int first, second;
    float weight;
} between;

static between place(int texel, int shift, bool centred, int count)
{
    float at = ((float)texel + (centred ? 0.5f : 0)) / (float)(1 << shift) - (centred ? 0.5f : 0);
    int first = (int)floorf(at), second = first + 1;
    between out = {first, second, at - (float)first};
    out.first = first < 0 ? 0 : first >= count ? count - 1 : first;
    out.second = second < 0 ? 0 : second >= count ? count - 1 : second;
    return out;
}

// ---- curves ------------------------------------------------------------------------------------

static float look_up(const float *table, float x)
{
    float at = x * (float)CURVE;
    int i = (int)at;
    return table[i] + (table[i + 1] - table[i]) * (at - (float)i);
}

static float clamp01(float x)
{
    return x > 0 ? x < 1 ? x : 1 : 0; // NaN: 0
}

static float light_of(const video_coder *c, float code)
{
    return c->view.linear ? clamp01(code) : look_up(c->decode, clamp01(code));
}

static float code_of(const video_coder *c, float light, float gain)
{
    light = light > 0 ? light * gain : 0;
    if (c->view.aces)
        light = (float)image_tone_aces((double)light);
    light = clamp01(light);
    return c->view.linear ? light : look_up(c->encode, sqrtf(light));
}

static bool make_rows(video_coder *coder)
{
    const video_format *f = &coder->format;
    size_t width = (size_t)f->width, texels = width * (size_t)f->height;
    coder->chroma[0] = malloc(2 * texels * sizeof(float));
    coder->row = malloc(3 * width * sizeof(float));
    coder->across = malloc(width * sizeof *coder->across);
    if (!coder->chroma[0] || !coder->row || !coder->across)
        return false;
    coder->chroma[1] = coder->chroma[0] + texels;
    for (int x = 0; x < f->width; x++)
        coder->across[x] = place(x, f->shift_x, f->centred_x, chroma_width(f));
    return true;
}

video_coder *video_coder_create(const video_format *format, const image_view *view)
{
    video_coder *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->format = *format;
    made->view = *view;
    for (int i = 0; i <= CURVE + 1; i++) {
        double x = fmin((double)i / CURVE, 1);
        made->decode[i] = (float)srgb_decode(x);
        made->encode[i] = (float)srgb_encoded(x * x);
    }
    if (format->planes && format->channels >= 3 && !make_rows(made)) {
        video_coder_destroy(made);
        return NULL;
    }
    return made;
}

void video_coder_destroy(video_coder *target)
{
    if (target) {
        free(target->chroma[0]);
        free(target->row);
        free(target->across);
    }
    free(target);
}

// ---- samples -----------------------------------------------------------------------------------

static float sample(const video_format *f, const void *samples, size_t i)
{
    return f->bits <= 8 ? ((const uint8_t *)samples)[i] : ((const uint16_t *)samples)[i];
}

static void put_sample(const video_format *f, void *samples, size_t i, float value)
{
    float most = (float)((1 << f->bits) - 1);
    value = value > 0 ? value < most ? value : most : 0;
    if (f->bits <= 8)
        ((uint8_t *)samples)[i] = (uint8_t)(value + 0.5f);
    else
        ((uint16_t *)samples)[i] = (uint16_t)(value + 0.5f);
}

// A code is offset + scale x: x is Y of 0..1, or Cb and Cr of -0.5..0.5.
typedef struct codes {
    float luma_offset, luma_scale, chroma_offset, chroma_scale;
} codes;

static codes codes_of(const video_format *f)
{
    float unit = (float)(1 << (f->bits - 8)), most = (float)((1 << f->bits) - 1);
    if (f->full_range)
        return (codes){0, most, 128 * unit, most};
    return (codes){16 * unit, 219 * unit, 128 * unit, 224 * unit};
}

typedef struct matrix {
    float red, green, blue; // of Y
} matrix;

static matrix matrix_of(const video_format *f)
{
    return f->bt709 ? (matrix){0.2126f, 0.7152f, 0.0722f} : (matrix){0.299f, 0.587f, 0.114f};
}

static const char *plane(const video_format *f, const void *samples, int index)
{
    size_t texels = (size_t)f->width * (size_t)f->height,
           chroma = (size_t)chroma_width(f) * (size_t)chroma_height(f);
    size_t before = index == 0 ? 0 : texels + (size_t)(index - 1) * chroma;
    return (const char *)samples + before * sample_bytes(f);
}

// ---- reading -----------------------------------------------------------------------------------

// Cb or Cr, -0.5 .. 0.5, of a row of texels: first between rows of samples, then along the row.
static void chroma_row(const video_coder *coder, const void *samples, between down,
                       const between *across, float *rows, float *to)
{
    const video_format *f = &coder->format;
    codes k = codes_of(f);
    size_t count = (size_t)chroma_width(f), first = count * (size_t)down.first,
           second = count * (size_t)down.second;
    for (size_t i = 0; i < count; i++) {
        float a = sample(f, samples, first + i), b = sample(f, samples, second + i);
        rows[i] = (a + (b - a) * down.weight - k.chroma_offset) / k.chroma_scale;
    }
    for (int x = 0; x < f->width; x++) {
        float a = rows[across[x].first], b = rows[across[x].second];
        to[x] = a + (b - a) * across[x].weight;
    }
}

static void decode_grey(const video_coder *coder, const void *samples, float *to)
{
    const video_format *f = &coder->format;
    codes k = codes_of(f);
    size_t texels = (size_t)f->width * (size_t)f->height;
    for (size_t i = 0; i < texels; i++)
        to[i] = light_of(coder, (sample(f, samples, i) - k.luma_offset) / k.luma_scale);
}

static void decode_planes(const video_coder *coder, const void *samples, float *to)
{
    const video_format *f = &coder->format;
    codes k = codes_of(f);
    matrix m = matrix_of(f);
    const char *alpha = plane(f, samples, 3);
    float most = (float)((1 << f->bits) - 1), *blues = coder->row, *reds = blues + f->width,
          *between_rows = reds + f->width;
    size_t texel = 0;
    for (int y = 0; y < f->height; y++) {
        between down = place(y, f->shift_y, f->centred_y, chroma_height(f));
        chroma_row(coder, plane(f, samples, 1), down, coder->across, between_rows, blues);
        chroma_row(coder, plane(f, samples, 2), down, coder->across, between_rows, reds);
        for (int x = 0; x < f->width; x++, texel++) {
            float luma = (sample(f, samples, texel) - k.luma_offset) / k.luma_scale;
            float red = luma + 2 * (1 - m.red) * reds[x], blue = luma + 2 * (1 - m.blue) * blues[x];
            *to++ = light_of(coder, red);
            *to++ = light_of(coder, (luma - m.red * red - m.blue * blue) / m.green);
            *to++ = light_of(coder, blue);
            if (f->channels == 4)
                *to++ = sample(f, alpha, texel) / most;
        }
    }
}

static void decode_interleaved(const video_coder *coder, const void *samples, float *to)
{
    const video_format *f = &coder->format;
    float most = (float)((1 << f->bits) - 1);
    size_t count = (size_t)f->width * (size_t)f->height * (size_t)f->channels;
    for (size_t i = 0; i < count; i++) {
        float code = sample(f, samples, i) / most;
        to[i] = i % (size_t)f->channels == 3 ? code : light_of(coder, code);
    }
}

int video_decode(video_coder *coder, const void *samples, image *out)
{
    const video_format *f = &coder->format;
    image made;
    int status = image_create(f->width, f->height, f->channels, IMAGE_F32, &made);
    if (status != STATUS_OK)
        return status;
    made.decoded = true;
    made.codes = f->bits == 8;
    if (f->bits == 32)
        memcpy(made.data, samples, video_frame_bytes(f));
    else if (f->planes && f->channels == 1)
        decode_grey(coder, samples, made.data);
    else if (f->planes)
        decode_planes(coder, samples, made.data);
    else
        decode_interleaved(coder, samples, made.data);
    *out = made;
    return STATUS_OK;
}

// ---- writing -----------------------------------------------------------------------------------

// The mean of the texels around one chroma sample, clamped to the image.
static float mean_around(const video_format *f, const float *values, int cx, int cy)
{
    int taps_x = f->shift_x ? 1 << f->shift_x : 1, taps_y = f->shift_y ? 1 << f->shift_y : 1;
    int from_x = f->centred_x || !f->shift_x ? 0 : 1 - taps_x, to_x = taps_x - 1;
    int from_y = f->centred_y || !f->shift_y ? 0 : 1 - taps_y, to_y = taps_y - 1;
    float sum = 0, weights = 0;
    for (int j = from_y; j <= to_y; j++) {
        float down = f->centred_y ? 1 : (float)(taps_y - abs(j));
        int y = (cy << f->shift_y) + j;
        y = y < 0 ? 0 : y >= f->height ? f->height - 1 : y;
        for (int i = from_x; i <= to_x; i++) {
            float weight = down * (f->centred_x ? 1 : (float)(taps_x - abs(i)));
            int x = (cx << f->shift_x) + i;
            x = x < 0 ? 0 : x >= f->width ? f->width - 1 : x;
            sum += weight * values[(size_t)y * (size_t)f->width + (size_t)x];
            weights += weight;
        }
    }
    return sum / weights;
}

static void encode_chroma(const video_coder *coder, void *samples)
{
    const video_format *f = &coder->format;
    codes k = codes_of(f);
    int width = chroma_width(f), height = chroma_height(f);
    for (int c = 0; c < 2; c++) {
        char *to = (char *)samples + (plane(f, samples, 1 + c) - (const char *)samples);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                put_sample(f, to, (size_t)y * (size_t)width + (size_t)x,
                           k.chroma_offset +
                               k.chroma_scale * mean_around(f, coder->chroma[c], x, y));
    }
}

// Code values of a texel. Of a grey format they are Y of the image's colours.
static void codes_at(const video_coder *coder, const image *source, size_t texel, float gain,
                     float v[4])
{
    const video_format *f = &coder->format;
    for (int c = 0; c < source->channels; c++) {
        float value = image_value(source, texel, c);
        v[c] = f->bits == 32 ? value : c == 3 ? clamp01(value) : code_of(coder, value, gain);
    }
    matrix m = matrix_of(f);
    if (f->channels == 1 && source->channels >= 3)
        v[0] = m.red * v[0] + m.green * v[1] + m.blue * v[2];
}

static void encode_planes(const video_coder *coder, const image *source, float gain, void *samples)
{
    const video_format *f = &coder->format;
    codes k = codes_of(f);
    matrix m = matrix_of(f);
    char *alpha = (char *)samples + (plane(f, samples, 3) - (const char *)samples);
    float most = (float)((1 << f->bits) - 1);
    size_t texels = (size_t)f->width * (size_t)f->height;
    for (size_t i = 0; i < texels; i++) {
        float v[4] = {0};
        codes_at(coder, source, i, gain, v);
        float luma = f->channels == 1 ? v[0] : m.red * v[0] + m.green * v[1] + m.blue * v[2];
        put_sample(f, samples, i, k.luma_offset + k.luma_scale * luma);
        if (f->channels == 1)
            continue;
        coder->chroma[0][i] = (v[2] - luma) / (2 * (1 - m.blue));
        coder->chroma[1][i] = (v[0] - luma) / (2 * (1 - m.red));
        if (f->channels == 4)
            put_sample(f, alpha, i, v[3] * most);
    }
    if (f->channels >= 3)
        encode_chroma(coder, samples);
}

static void encode_interleaved(const video_coder *coder, const image *source, float gain,
                               void *samples)
{
    const video_format *f = &coder->format;
    size_t texels = (size_t)f->width * (size_t)f->height, at = 0;
    for (size_t i = 0; i < texels; i++) {
        float v[4] = {0};
        codes_at(coder, source, i, gain, v);
        for (int c = 0; c < f->channels; c++, at++)
            if (f->bits == 32)
                ((float *)samples)[at] = v[c];
            else
                put_sample(f, samples, at, v[c] * (float)((1 << f->bits) - 1));
    }
}

int video_encode(video_coder *coder, const image *source, void *samples)
{
    const video_format *f = &coder->format;
    bool to_grey = f->channels == 1 && source->channels == 3;
    if (source->width != f->width || source->height != f->height ||
        (source->channels != f->channels && !to_grey))
        return fail(STATUS_FAILED, "a frame of %dx%d with %d channels; expected %dx%d with %d",
                    source->width, source->height, source->channels, f->width, f->height,
                    f->channels);
    float gain = (float)exp2(coder->view.exposure);
    if (f->planes)
        encode_planes(coder, source, gain, samples);
    else
        encode_interleaved(coder, source, gain, samples);
    return STATUS_OK;
}
