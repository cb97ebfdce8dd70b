// cli/image.c - images in memory: creation, conversion, and the choice of a file type
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "image.h"

#include "file.h"
#include "report.h"
#include "srgb.h"
#include "texel.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *extension;
    image_file type;
} file_types[] = {
    {".npy", FILE_NPY},   {".png", FILE_PNG},  {".jpg", FILE_JPG},
    {".hdr", FILE_HDR},   {".exr", FILE_EXR},  {".tif", FILE_TIFF},
    {".webp", FILE_WEBP}, {".jpeg", FILE_JPG}, {".tiff", FILE_TIFF},
};

image_file image_file_type(const char *path)
{
    const char *extension = file_extension(path);
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++)
        if (strcasecmp(extension, file_types[i].extension) == 0)
            return file_types[i].type;
    return FILE_UNKNOWN;
}

image_file image_output_type(const char *path)
{
    image_file type = image_file_type(path);
    return type == FILE_WEBP ? FILE_UNKNOWN : type;
}

image_file image_content_type(int first)
{
    switch (first) {
    case 0x93: return FILE_NPY;
    case 0x89: return FILE_PNG;
    case 0xFF: return FILE_JPG;
    case 0x76: return FILE_EXR;
    case '#': return FILE_HDR;
    case 'I': return FILE_TIFF;
    case 'M': return FILE_TIFF;
    case 'R': return FILE_WEBP;
    default: return FILE_UNKNOWN;
    }
}

const char *image_extension(image_file type)
{
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++)
        if (file_types[i].type == type)
            return file_types[i].extension;
    return "";
}

size_t image_type_bytes(image_type type)
{
    return type == IMAGE_U8 ? 1 : type == IMAGE_F16 || type == IMAGE_U16 ? 2 : 4;
}

size_t image_value_count(const image *source)
{
    return (size_t)source->width * (size_t)source->height * (size_t)source->channels;
}

int image_create(int width, int height, int channels, image_type type, image *out)
{
    image made = {.width = width, .height = height, .channels = channels, .type = type};
    made.data = calloc(image_value_count(&made), image_type_bytes(type));
    if (!made.data)
        return fail_memory();
    *out = made;
    return STATUS_OK;
}

void image_destroy(image *target)
{
    free(target->data);
    free(target->imag);
    *target = (image){0};
}

image_limits image_default_limits(void)
{
    enum { LAYERS = 2048 };
    return (image_limits){.side = IMAGE_MAX, .layers = LAYERS, .memory = file_half_memory()};
}

int image_check_size(const char *path, const char *type, int width, int height,
                     const image_limits *limits)
{
    if (width < 1 || width > IMAGE_MAX || height < 1 || height > IMAGE_MAX)
        return fail(STATUS_USAGE, "%s: the %s file is %dx%d; expected 1..%d each way", path, type,
                    width, height, IMAGE_MAX);
    if (width > limits->side || height > limits->side)
        return fail(STATUS_USAGE, "%s: the %s file is %dx%d; this device takes up to %dx%d", path,
                    type, width, height, limits->side, limits->side);
    return STATUS_OK;
}

int image_check_memory(const char *path, size_t bytes, const image_limits *limits)
{
    return bytes <= limits->memory ? STATUS_OK
                                   : file_over_memory(path, "reading it", bytes, limits->memory);
}

// Pictures are recognised by their first bytes, not by their names.
static int parse_picture(const char *path, const unsigned char *data, size_t size,
                         const image_view *view, const image_limits *limits, image *out)
{
    if (size >= 2 && memcmp(data, "#?", 2) == 0)
        return image_parse_hdr(path, data, size, limits, out);
    if (size >= 4 && memcmp(data, "\x76\x2F\x31\x01", 4) == 0)
        return image_parse_exr(path, data, size, view, limits, out);
    if (size >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0)
        return image_parse_png(path, data, size, view, limits, out);
    if (size >= 2 && memcmp(data, "\xFF\xD8", 2) == 0)
        return image_parse_jpg(path, data, size, view, limits, out);
    if (size >= 4 && (memcmp(data, "II", 2) == 0 || memcmp(data, "MM", 2) == 0) &&
        (data[2] ^ data[3]) <= 43 && (data[2] == 0 || data[3] == 0))
        return image_parse_tiff(path, data, size, view, limits, out);
    if (size >= 12 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0)
        return image_parse_webp(path, data, size, view, limits, out);
    image_file type = image_file_type(path);
    return type == FILE_UNKNOWN
               ? fail(STATUS_USAGE, "%s: neither Y4M nor one of %s", path, IMAGE_READ_FILES)
               : fail(STATUS_USAGE, "%s: not a %s file", path, image_extension(type));
}

int image_load(const char *path, const image_view *view, image *out)
{
    const image_limits limits = image_default_limits();
    return image_load_within(path, view, &limits, out);
}

int image_load_within(const char *path, const image_view *view, const image_limits *limits,
                      image *out)
{
    image_file type = image_file_type(path);
    bool standard = strcmp(path, "-") == 0;
    if (type == FILE_UNKNOWN && !standard)
        return fail(STATUS_USAGE, "%s: unknown file type; expected one of %s", path,
                    IMAGE_READ_FILES);
    unsigned char *data = NULL;
    size_t size = 0;
    int status = file_read_within(path, limits->memory, &data, &size);
    if (standard) {
        path = "standard input";
        type = status == STATUS_OK && size ? image_content_type(*data) : FILE_UNKNOWN;
    }
    if (status == STATUS_OK) {
        status = type == FILE_NPY ? image_parse_npy(path, data, size, limits, out)
                                  : parse_picture(path, data, size, view, limits, out);
        free(data);
    }
    return status;
}

static int write_file(const char *path, const image *source, bool (*write)(FILE *, const image *))
{
    file_writer writer;
    int status = file_begin(&writer, path);
    if (status != STATUS_OK)
        return status;
    if (!write(writer.stream, source) && !ferror(writer.stream))
        status = fail(STATUS_FAILED, "%s: cannot be encoded", path);
    return file_end(&writer, status);
}

int image_check_output(const char *path, image_file type, int width, int height, int channels)
{
    enum { JPG_MAX = 65535 };
    size_t line = (size_t)width * (size_t)channels;
    if (type == FILE_JPG && (width > JPG_MAX || height > JPG_MAX)) {
        return fail(STATUS_USAGE, "%s: %dx%d; a .jpg file holds up to %d each way", path, width,
                    height, JPG_MAX);
    }
    if (type == FILE_JPG && line * (size_t)height > INT_MAX) {
        return fail(STATUS_USAGE,
                    "%s: %dx%d with %d channels is more than the %d values that are written to a "
                    ".jpg file",
                    path, width, height, channels, INT_MAX);
    }
    return STATUS_OK;
}

int image_save(const char *path, const image *source, const image_view *view)
{
    return image_save_as(path, image_file_type(path), source, view);
}

int image_save_as(const char *path, image_file type, const image *source, const image_view *view)
{
    if (source->layers && type != FILE_NPY)
        return fail(STATUS_USAGE, "%s: the result is an array of %d layers; expected a .npy file",
                    path, source->layers);
    int height = source->layers ? source->height / source->layers : source->height;
    int status = image_check_output(path, type, source->width, height, source->channels);
    if (status != STATUS_OK)
        return status;
    if (type == FILE_NPY)
        return write_file(path, source, image_write_npy);
    // A .tif of what held codes has codes.
    bool codes = view->bits || source->codes || source->wide || source->type == IMAGE_U8;
    bool floats = type == FILE_HDR || type == FILE_EXR || (type == FILE_TIFF && !codes);
    if (floats && type != FILE_HDR && source->type == IMAGE_F16)
        return write_file(path, source, type == FILE_EXR ? image_write_exr : image_write_tiff);
    image encoded = {0};
    bool deep = type == FILE_PNG || type == FILE_TIFF;
    int bits = !deep ? 8 : view->bits ? view->bits : source->wide ? 16 : 8;
    status =
        floats ? image_to_float(source, &encoded) : image_to_codes(source, view, bits, &encoded);
    if (status == STATUS_OK) {
        status = write_file(path, &encoded,
                            type == FILE_HDR    ? image_write_hdr
                            : type == FILE_EXR  ? image_write_exr
                            : type == FILE_PNG  ? image_write_png
                            : type == FILE_TIFF ? image_write_tiff
                                                : image_write_jpg);
    }
    image_destroy(&encoded);
    return status;
}

float image_value(const image *source, size_t texel, int channel)
{
    size_t at = texel * (size_t)source->channels + (size_t)channel;
    switch (source->type) {
    case IMAGE_F32: return ((const float *)source->data)[at];
    case IMAGE_F16: return half_to_float(((const uint16_t *)source->data)[at]);
    case IMAGE_U32: return (float)((const uint32_t *)source->data)[at];
    case IMAGE_U16: return (float)(((const uint16_t *)source->data)[at] / 65535.0);
    case IMAGE_U8: break;
    }
    double value = ((const uint8_t *)source->data)[at] / 255.0;
    return (float)(source->srgb && channel < 3 ? srgb_decode(value) : value);
}

int image_to_float(const image *source, image *out)
{
    image made;
    int status = image_create(source->width, source->height, source->channels, IMAGE_F32, &made);
    if (status != STATUS_OK)
        return status;
    float *to = made.data;
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < texels; i++)
        for (int c = 0; c < source->channels; c++)
            *to++ = image_value(source, i, c);
    made.two_axes = source->two_axes;
    made.layers = source->layers;
    made.decoded = source->decoded;
    made.halves = source->halves;
    made.codes = source->codes;
    made.wide = source->wide;
    *out = made;
    return STATUS_OK;
}

int image_with_channels(const image *source, int channels, image *out)
{
    image made;
    int status = image_create(source->width, source->height, channels, source->type, &made);
    if (status != STATUS_OK)
        return status;
    const float one = 1;
    const uint16_t half_one = 0x3C00;
    const uint8_t code_one = 255;
    const uint32_t integer_one = 1;
    const void *fill = source->type == IMAGE_F32   ? (const void *)&one
                       : source->type == IMAGE_F16 ? (const void *)&half_one
                       : source->type == IMAGE_U8  ? (const void *)&code_one
                                                   : (const void *)&integer_one;
    size_t bytes = image_type_bytes(source->type);
    size_t texels = (size_t)source->width * (size_t)source->height;
    const char *from = source->data;
    char *to = made.data;
    for (size_t i = 0; i < texels; i++, from += bytes * (size_t)source->channels)
        for (int c = 0; c < channels; c++, to += bytes)
            memcpy(to, c < source->channels ? from + bytes * (size_t)c : fill, bytes);
    made.two_axes = source->two_axes && channels == 1;
    made.layers = source->layers;
    made.decoded = source->decoded;
    made.halves = source->halves;
    made.codes = source->codes;
    made.wide = source->wide;
    made.srgb = source->srgb;
    *out = made;
    return STATUS_OK;
}
