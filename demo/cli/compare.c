// cli/compare.c - how far a result is from a reference file
// SPDX-License-Identifier: MIT
#include "compare.h"

#include "complex.h"

#include "report.h"

#include <math.h>

// 8-bit codes as .npy files hold them, without a curve.
static int plain_codes(const image *source, image *out)
{
    const image_view linear = {.linear = true};
    return source->type == IMAGE_U8 ? image_with_channels(source, source->channels, out)
                                    : image_to_codes(source, &linear, 8, out);
}

// An image converted to the unit of the comparison.
static int convert(const image *source, const image *reference, const image_view *view, image *out)
{
    if (reference->codes && source->type != IMAGE_U32)
        return reference->decoded ? image_to_codes(source, view, 8, out) : plain_codes(source, out);
    if (reference->type == IMAGE_U32 && source->type == IMAGE_U32)
        return image_with_channels(source, source->channels, out);
    return image_to_float(source, out);
}

static double number(const image *source, size_t at)
{
    switch (source->type) {
    case IMAGE_U8: return ((const uint8_t *)source->data)[at];
    case IMAGE_U32: return ((const uint32_t *)source->data)[at];
    default: return (double)((const float *)source->data)[at];
    }
}

typedef struct distance {
    double psnr, largest, peak;
    size_t at; // the position of the largest difference
} distance;

static distance measure(const image *a, const image *reference)
{
    distance result = {.peak = reference->type == IMAGE_U8 ? 255 : 1};
    double sum = 0;
    size_t count = image_value_count(reference);
    for (size_t i = 0; i < count; i++) {
        double x = number(a, i), y = number(reference, i);
        if (isfinite(y))
            result.peak = fmax(result.peak, fabs(y));
        if (x == y || (isnan(x) && isnan(y)))
            continue; // also equal infinities, whose difference would be NaN
        double difference = fabs(x - y);
        difference = isnan(difference) ? (double)INFINITY : difference;
        sum += difference * difference;
        if (difference > result.largest) {
            result.largest = difference;
            result.at = i;
        }
    }
    double mean = sum / (double)count;
    result.psnr = mean > 0 ? 10 * log10(result.peak * result.peak / mean) : (double)INFINITY;
    return result;
}

static int compare_converted(image *a, image *b, const char *path, double limit_db)
{
    if (a->width != b->width || a->height != b->height) {
        return fail(STATUS_USAGE, "--compare %s: %dx%d; expected the result's size, %dx%d", path,
                    b->width, b->height, a->width, a->height);
    }
    // The side without alpha gets alpha 1.
    image *narrow = a->channels < b->channels ? a : b;
    const image *wide = narrow == a ? b : a;
    if (narrow->channels == 3 && wide->channels == 4) {
        image widened;
        int status = image_with_channels(narrow, 4, &widened);
        if (status != STATUS_OK)
            return status;
        image_destroy(narrow);
        *narrow = widened;
    }
    if (a->channels != b->channels) {
        return fail(STATUS_USAGE, "--compare %s: %d channels; expected the result's %d", path,
                    b->channels, a->channels);
    }
    distance found = measure(a, b);
    size_t texel = found.at / (size_t)a->channels;
    bool close_enough = found.psnr >= limit_db;
    printf("PSNR %.2f dB (limit %.2f, peak %g), largest difference %.6g", found.psnr, limit_db,
           found.peak, found.largest);
    if (found.largest > 0) {
        printf(" at (%zu, %zu), channel %zu", texel % (size_t)a->width, texel / (size_t)a->width,
               found.at % (size_t)a->channels);
    }
    printf(": %s\n", close_enough ? "within" : "too far");
    return close_enough ? STATUS_OK : STATUS_FAILED;
}

int compare_with_file(const image *result, const char *path, const image_view *view,
                      const image_limits *limits, double limit_db)
{
    image reference = {0}, a = {0}, b = {0};
    image_view plain = *view;
    plain.channels = NULL; // the channels apply to the input only
    int status = image_load_within(path, &plain, limits, &reference);
    image stacked = {0};
    if (status == STATUS_OK && !reference.imag != !result->imag)
        status = fail(STATUS_USAGE, "--compare %s: %s numbers; the result has %s ones", path,
                      reference.imag ? "complex" : "real", result->imag ? "complex" : "real");
    if (status == STATUS_OK && result->imag) {
        image parts = {0};
        status = complex_stack(result, &stacked);
        if (status == STATUS_OK)
            status = complex_stack(&reference, &parts);
        image_destroy(&reference);
        reference = parts;
        result = &stacked;
    }
    if (status != STATUS_OK) {
        image_destroy(&reference);
        image_destroy(&stacked);
        return status;
    }
    // The codes of the reference are those of its file: exposure and tone curve do not apply.
    const image_view as_stored = {.linear = view->linear};
    status = convert(result, &reference, view, &a);
    if (status == STATUS_OK)
        status = convert(&reference, &reference, &as_stored, &b);
    if (status == STATUS_OK && a.type != b.type)
        status = fail(STATUS_USAGE, "--compare %s: integers; expected floats or codes", path);
    if (status == STATUS_OK)
        status = compare_converted(&a, &b, path, limit_db);
    image_destroy(&reference);
    image_destroy(&stacked);
    image_destroy(&a);
    image_destroy(&b);
    return status;
}
