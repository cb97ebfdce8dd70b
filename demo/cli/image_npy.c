// cli/image_npy.c - NumPy's .npy files, exact in both directions
// SPDX-License-Identifier: MIT
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html: a magic string, a
// version, the length of a header, the header (a Python dict in ASCII), the data.
#include "image.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "image_npy.c reads and writes little-endian data without conversion"
#endif

static const char magic[] = "\x93NUMPY";

typedef struct npy_header {
    char type;    // 'f', 'u', or 'c' for complex
    int bytes;    // of a value
    bool fortran; // the first axis runs fastest
    int axes;     // 2 to 4
    int shape[4]; // layers, height, width, channels
    const unsigned char *data;
    size_t data_bytes;
} npy_header;

static int bad_header(const char *path)
{
    return fail(STATUS_USAGE, "%s: not a .npy file of format version 1.0 or 2.0", path);
}

// The text after 'key': in the header, or NULL.
static const char *find_key(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static int parse_type(const char *path, const char *at, npy_header *out)
{
    static const char *const known[] = {"f4", "f8", "f2", "u1", "u4", "c8", "c16"};
    size_t length = *at == '\'' ? strcspn(at + 1, "'") : 0;
    if (length >= 3 && strchr("<|=", at[1])) {
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            if (length == 1 + strlen(known[i]) && strncmp(at + 2, known[i], length - 1) == 0) {
                out->type = known[i][0];
                out->bytes = (int)strtol(known[i] + 1, NULL, 10);
                return STATUS_OK;
            }
        }
    }
    return fail(STATUS_USAGE, "%s: data type %.*s; expected one of <f4 <f8 <f2 |u1 <u4 <c8 <c16",
                path, length ? (int)(length < 16 ? length : 16) : 10,
                length ? at + 1 : "structured");
}

static int parse_shape(const char *path, const char *at, npy_header *out)
{
    long long shape[5] = {0};
    int axes = 0;
    bool valid = *at++ == '(';
    while (valid && axes < 5) {
        char *end = NULL;
        at += strspn(at, " ");
        if (*at == ')')
            break;
        shape[axes] = strtoll(at, &end, 10);
        valid = end != at && shape[axes] >= 1 && shape[axes] <= 65536;
        at = end + strspn(end, " L,");
        axes++;
    }
    if (axes == 2)
        shape[2] = 1;
    const long long *rest = axes == 4 ? shape + 1 : shape;
    long long layers = axes == 4 ? shape[0] : 1;
    if (!valid || axes < 2 || axes > 4 || rest[2] > 4 || layers > 2048) {
        return fail(STATUS_USAGE,
                    "%s: expected the shape (H, W), (H, W, C) or (L, H, W, C), "
                    "H and W 1..65536, C 1..4, L 1..2048",
                    path);
    }
    out->axes = axes;
    out->shape[0] = (int)layers;
    for (int i = 0; i < 3; i++)
        out->shape[1 + i] = (int)rest[i];
    return STATUS_OK;
}

static int parse_header(const char *path, const unsigned char *data, size_t size, npy_header *out)
{
    *out = (npy_header){0};
    if (size < 12 || memcmp(data, magic, 6) != 0 || (data[6] != 1 && data[6] != 2))
        return bad_header(path);
    size_t start = data[6] == 1 ? 10 : 12; // the length has 2 bytes in version 1, 4 in version 2
    size_t length = (size_t)data[8] | (size_t)data[9] << 8;
    if (data[6] == 2)
        length |= (size_t)data[10] << 16 | (size_t)data[11] << 24;
    if (length > size - start || length > 65536)
        return bad_header(path);
    char *text = malloc(length + 1);
    if (!text)
        return fail_memory();
    memcpy(text, data + start, length);
    text[length] = '\0';

    const char *type = find_key(text, "'descr'");
    const char *order = find_key(text, "'fortran_order'");
    const char *shape = find_key(text, "'shape'");
    int status = type && order && shape ? STATUS_OK : bad_header(path);
    if (status == STATUS_OK) {
        out->fortran = strncmp(order, "True", 4) == 0;
        status = parse_type(path, type, out);
    }
    if (status == STATUS_OK)
        status = parse_shape(path, shape, out);
    free(text);
    out->data = data + start + length;
    out->data_bytes = size - start - length;
    return status;
}

// Copies one value, of `bytes` bytes; float64 is rounded to float32, because no texture has it.
static void copy_value(int bytes, const unsigned char *from, unsigned char *to)
{
    if (bytes == 8) {
        double wide;
        memcpy(&wide, from, sizeof wide);
        float narrow = (float)wide;
        memcpy(to, &narrow, sizeof narrow);
    } else {
        memcpy(to, from, (size_t)bytes);
    }
}

int image_parse_npy(const char *path, const unsigned char *data, size_t size,
                    const image_limits *limits, image *out)
{
    npy_header header;
    int status = parse_header(path, data, size, &header);
    if (status != STATUS_OK)
        return status;
    size_t layers = (size_t)header.shape[0], height = (size_t)header.shape[1];
    size_t width = (size_t)header.shape[2], channels = (size_t)header.shape[3];
    size_t bytes = (size_t)header.bytes;
    status = image_check_size(path, ".npy", header.shape[2], header.shape[1], limits);
    if (status == STATUS_OK && header.shape[0] > limits->layers)
        status = fail(STATUS_USAGE, "%s: an array of %d layers; this device takes up to %d", path,
                      header.shape[0], limits->layers);
    if (status != STATUS_OK)
        return status;
    // The factors are bounded, so no product exceeds 64 bits.
    if (header.data_bytes < layers * height * width * channels * bytes) {
        return fail(STATUS_USAGE, "%s: truncated; expected %zu bytes of data, found %zu", path,
                    layers * height * width * channels * bytes, header.data_bytes);
    }
    image_type type = header.type == 'u' ? (bytes == 1 ? IMAGE_U8 : IMAGE_U32)
                      : bytes == 2       ? IMAGE_F16
                                         : IMAGE_F32;
    bool complex = header.type == 'c';
    size_t values = layers * height * width * channels;
    status = image_check_memory(path,
                                size + values * image_type_bytes(type) +
                                    (complex ? values * sizeof(float) : 0) + IMAGE_DECODER,
                                limits);
    if (status != STATUS_OK)
        return status;
    image made;
    status = image_create(header.shape[2], header.shape[0] * header.shape[1], header.shape[3], type,
                          &made);
    if (status != STATUS_OK)
        return status;
    made.two_axes = header.axes == 2;
    made.layers = header.axes == 4 ? header.shape[0] : 0;
    made.codes = type == IMAGE_U8;
    int part = header.bytes / (complex ? 2 : 1); // bytes of a real number
    if (complex && !(made.imag = calloc(image_value_count(&made), sizeof *made.imag))) {
        image_destroy(&made);
        return fail_memory();
    }

    // In C order the last axis runs fastest, in Fortran order the first.
    size_t step_l = header.fortran ? 1 : height * width * channels;
    size_t step_y = header.fortran ? layers : width * channels;
    size_t step_x = header.fortran ? layers * height : channels;
    size_t step_c = header.fortran ? layers * height * width : 1;
    unsigned char *to = made.data, *imag = (unsigned char *)made.imag;
    for (size_t row = 0; row < layers * height; row++) {
        size_t begin = row / height * step_l + row % height * step_y;
        for (size_t x = 0; x < width; x++) {
            for (size_t c = 0; c < channels; c++, to += image_type_bytes(type)) {
                size_t at = begin + x * step_x + c * step_c;
                copy_value(part, header.data + at * bytes, to);
                if (complex)
                    copy_value(part, header.data + at * bytes + part,
                               imag + (to - (unsigned char *)made.data));
            }
        }
    }
    *out = made;
    return STATUS_OK;
}

bool image_write_npy(FILE *stream, const image *source)
{
    static const char *const types[] = {
        [IMAGE_F32] = "<f4", [IMAGE_F16] = "<f2", [IMAGE_U8] = "|u1", [IMAGE_U32] = "<u4"};
    char channels[16] = "", layers[16] = "";
    if (!source->two_axes || source->channels > 1 || source->layers)
        snprintf(channels, sizeof channels, ", %d", source->channels);
    if (source->layers)
        snprintf(layers, sizeof layers, "%d, ", source->layers);
    int height = source->layers ? source->height / source->layers : source->height;
    // The header is padded so that the data starts at a multiple of 64 bytes; 128 always suffice.
    enum { PREFIX = 10, HEADER = 128 - PREFIX };
    char header[HEADER + 1];
    int used = snprintf(header, sizeof header,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (%s%d, %d%s), }",
                        source->imag ? "<c8" : types[source->type], layers, height, source->width,
                        channels);
    if (used < 0 || used >= HEADER)
        return false;
    memset(header + used, ' ', (size_t)(HEADER - used));
    header[HEADER - 1] = '\n';

    const unsigned char rest[4] = {1, 0, HEADER, 0};
    size_t bytes = image_type_bytes(source->type), count = image_value_count(source);
    bool good = fwrite(magic, 1, 6, stream) == 6 && fwrite(rest, 1, 4, stream) == 4 &&
                fwrite(header, 1, HEADER, stream) == HEADER;
    if (!source->imag)
        return good && fwrite(source->data, bytes, count, stream) == count;
    const float *real = source->data;
    for (size_t i = 0; i < count && good; i++) {
        const float both[2] = {real[i], source->imag[i]};
        good = fwrite(both, sizeof both, 1, stream) == 1;
    }
    return good;
}
