// cli/image_tiff.c - .tif files of 8 and 16 bits, half floats and floats, by libtiff
// SPDX-License-Identifier: MIT
//
// Only compressions whose decoders need little memory are read, and rows as they are stored: the
// orientation tag is not applied.
#include "image.h"

#include "report.h"
#include "texel.h"
#include "tiff.h"

#include <stdlib.h>
#include <string.h>

typedef struct tiff_memory {
    unsigned char *data;
    size_t size, capacity, at;
    bool failed;
} tiff_memory;

static tmsize_t take_bytes(thandle_t handle, void *to, tmsize_t count)
{
    tiff_memory *from = (tiff_memory *)handle;
    size_t left = from->at < from->size ? from->size - from->at : 0;
    size_t taken = (size_t)count < left ? (size_t)count : left;
    if (taken)
        memcpy(to, from->data + from->at, taken);
    from->at += taken;
    return (tmsize_t)taken;
}

static tmsize_t put_bytes(thandle_t handle, void *data, tmsize_t count)
{
    tiff_memory *to = (tiff_memory *)handle;
    size_t end = to->at + (size_t)count;
    if (end > to->capacity) {
        size_t capacity = end > 2 * to->capacity ? end : 2 * to->capacity;
        unsigned char *grown = realloc(to->data, capacity);
        if (!grown) {
            to->failed = true;
            return 0;
        }
        to->data = grown;
        to->capacity = capacity;
    }
    if (to->at > to->size)
        memset(to->data + to->size, 0, to->at - to->size);
    memcpy(to->data + to->at, data, (size_t)count);
    to->at = end;
    to->size = end > to->size ? end : to->size;
    return count;
}

static tmsize_t put_nothing(thandle_t handle, void *data, tmsize_t count)
{
    (void)handle, (void)data, (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence)
{
    tiff_memory *in = (tiff_memory *)handle;
    size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? in->at : in->size;
    in->at = base + (size_t)offset;
    return in->at;
}

static int leave_open(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle)
{
    return ((tiff_memory *)handle)->size;
}

// Reading needs no copy of the file.
static int map(thandle_t handle, void **data, toff_t *size)
{
    tiff_memory *from = (tiff_memory *)handle;
    *data = from->data;
    *size = from->size;
    return 1;
}

static void unmap(thandle_t handle, void *data, toff_t size)
{
    (void)handle, (void)data, (void)size;
}

// ---- reading -----------------------------------------------------------------------------------

typedef struct tiff_file {
    const tiff_library *lib;
    TIFF *tiff;
    const char *path;
    uint32_t width, height;
    uint16_t samples, bits, kind, planes, photometric;
    // Strips are tiles as wide as the image.
    uint32_t tile_width, tile_height;
    size_t tile_bytes;
    bool odd; // libtiff makes codes of it: palettes, YCbCr, fewer than 8 bits
} tiff_file;

static bool reads_compression(uint16_t compression)
{
    static const uint16_t known[] = {COMPRESSION_NONE,          COMPRESSION_CCITTRLE,
                                     COMPRESSION_CCITTFAX3,     COMPRESSION_CCITTFAX4,
                                     COMPRESSION_LZW,           COMPRESSION_JPEG,
                                     COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
                                     COMPRESSION_PACKBITS};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == compression)
            return true;
    return false;
}

static int read_tags(tiff_file *file, const image_limits *limits)
{
    const tiff_library *lib = file->lib;
    uint16_t compression = 0;
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_IMAGEWIDTH, &file->width);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_IMAGELENGTH, &file->height);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_SAMPLESPERPIXEL, &file->samples);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_BITSPERSAMPLE, &file->bits);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_SAMPLEFORMAT, &file->kind);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_PLANARCONFIG, &file->planes);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_PHOTOMETRIC, &file->photometric);
    lib->GetFieldDefaulted(file->tiff, TIFFTAG_COMPRESSION, &compression);
    int width = file->width > INT32_MAX ? INT32_MAX : (int)file->width;
    int height = file->height > INT32_MAX ? INT32_MAX : (int)file->height;
    int status = image_check_size(file->path, ".tif", width, height, limits);
    if (status != STATUS_OK)
        return status;
    if (!reads_compression(compression))
        return fail(STATUS_USAGE,
                    "%s: compression %d of the .tif file; expected none, LZW, Deflate, PackBits, "
                    "JPEG or CCITT fax",
                    file->path, compression);
    bool grey =
        file->photometric == PHOTOMETRIC_MINISBLACK || file->photometric == PHOTOMETRIC_MINISWHITE;
    bool colour = file->photometric == PHOTOMETRIC_RGB;
    bool whole = file->kind == SAMPLEFORMAT_UINT;
    file->odd = whole &&
                ((file->bits < 8 && (grey || colour)) || file->photometric == PHOTOMETRIC_PALETTE ||
                 file->photometric == PHOTOMETRIC_YCBCR);
    bool codes = whole && (file->bits == 8 || file->bits == 16);
    bool floats = file->kind == SAMPLEFORMAT_IEEEFP && (file->bits == 16 || file->bits == 32);
    if (!file->odd && !((grey || colour) && (codes || floats)))
        return fail(STATUS_USAGE,
                    "%s: the .tif file has %d bits a sample (format %d, photometric %d); expected "
                    "8 or 16 bits, or floats of 16 or 32, grey, RGB or a palette",
                    file->path, file->bits, file->kind, file->photometric);
    if (file->samples < 1 || file->samples > 4)
        return fail(STATUS_USAGE, "%s: the .tif file has %d samples a texel; expected 1 to 4",
                    file->path, file->samples);
    return STATUS_OK;
}

// The file, its samples, a tile before and behind its codec, and the image.
static int check_memory(tiff_file *file, size_t size, const image_limits *limits)
{
    const tiff_library *lib = file->lib;
    uint64_t tile;
    if (lib->IsTiled(file->tiff)) {
        lib->GetFieldDefaulted(file->tiff, TIFFTAG_TILEWIDTH, &file->tile_width);
        lib->GetFieldDefaulted(file->tiff, TIFFTAG_TILELENGTH, &file->tile_height);
        tile = lib->TileSize64(file->tiff);
    } else {
        lib->GetFieldDefaulted(file->tiff, TIFFTAG_ROWSPERSTRIP, &file->tile_height);
        file->tile_width = file->width;
        if (file->tile_height > file->height)
            file->tile_height = file->height;
        tile = lib->StripSize64(file->tiff);
    }
    size_t texels = (size_t)file->width * file->height;
    size_t sample = file->odd ? 4 : (size_t)file->samples * (file->bits / 8u);
    size_t channels = file->samples == 2 && file->kind == SAMPLEFORMAT_UINT ? 6 : file->samples;
    if (!file->tile_width || !file->tile_height || !tile)
        return fail(STATUS_USAGE, "%s: the .tif file has no size of its strips or tiles",
                    file->path);
    tile = tile < SIZE_MAX / 8 ? tile : SIZE_MAX / 8; // so that the sum below cannot overflow
    file->tile_bytes = (size_t)tile;
    return image_check_memory(file->path,
                              size + texels * (sample + channels * sizeof(float)) +
                                  3 * (size_t)tile + IMAGE_DECODER,
                              limits);
}

static int damaged(const tiff_file *file)
{
    return fail(STATUS_USAGE, "%s: the .tif file is damaged or truncated%s%s", file->path,
                *tiff_error ? ": " : "", tiff_error);
}

// The samples of one tile of a plane to their places.
static void place(const tiff_file *file, const unsigned char *tile, uint32_t x, uint32_t y,
                  int plane, unsigned char *out)
{
    size_t bytes = file->bits / 8u, texel = bytes * file->samples;
    bool apart = file->planes == PLANARCONFIG_SEPARATE;
    size_t step = apart ? bytes : texel;
    uint32_t columns = file->width - x < file->tile_width ? file->width - x : file->tile_width;
    uint32_t rows = file->height - y < file->tile_height ? file->height - y : file->tile_height;
    for (uint32_t row = 0; row < rows; row++) {
        const unsigned char *from = tile + (size_t)row * file->tile_width * step;
        unsigned char *to = out + ((size_t)(y + row) * file->width + x) * texel;
        if (!apart) {
            memcpy(to, from, columns * texel);
            continue;
        }
        for (uint32_t i = 0; i < columns; i++)
            memcpy(to + i * texel + (size_t)plane * bytes, from + i * bytes, bytes);
    }
}

static int read_tiles(const tiff_file *file, unsigned char *out)
{
    const tiff_library *lib = file->lib;
    bool tiled = lib->IsTiled(file->tiff);
    int planes = file->planes == PLANARCONFIG_SEPARATE ? file->samples : 1;
    unsigned char *tile = calloc(file->tile_bytes, 1);
    int status = tile ? STATUS_OK : fail_memory();
    uint32_t index = 0;
    for (int plane = 0; plane < planes && status == STATUS_OK; plane++)
        for (uint32_t y = 0; y < file->height && status == STATUS_OK; y += file->tile_height)
            for (uint32_t x = 0; x < file->width && status == STATUS_OK; x += file->tile_width) {
                uint32_t rows =
                    file->height - y < file->tile_height ? file->height - y : file->tile_height;
                size_t needed =
                    tiled ? file->tile_bytes : file->tile_bytes / file->tile_height * rows;
                tmsize_t size = (tmsize_t)file->tile_bytes;
                tmsize_t got = tiled ? lib->ReadEncodedTile(file->tiff, index, tile, size)
                                     : lib->ReadEncodedStrip(file->tiff, index, tile, size);
                index++;
                if (got < 0 || (size_t)got < needed)
                    status = damaged(file);
                else
                    place(file, tile, x, y, plane, out);
            }
    free(tile);
    return status;
}

// Codes by libtiff, of 8 bits: grey, or red, green and blue.
static int read_odd(tiff_file *file, unsigned char *out)
{
    uint16_t orientation = ORIENTATION_TOPLEFT;
    size_t texels = (size_t)file->width * file->height;
    uint32_t *raster = calloc(texels, sizeof *raster);
    if (!raster)
        return fail_memory();
    file->lib->GetFieldDefaulted(file->tiff, TIFFTAG_ORIENTATION, &orientation);
    int good = file->lib->ReadRGBAImageOriented(file->tiff, file->width, file->height, raster,
                                                orientation, 1);
    file->samples =
        file->photometric == PHOTOMETRIC_MINISBLACK || file->photometric == PHOTOMETRIC_MINISWHITE
            ? 1
            : 3;
    file->bits = 8;
    for (size_t i = 0; i < texels; i++)
        for (int c = 0; c < file->samples; c++)
            *out++ = (unsigned char)(raster[i] >> 8 * c);
    free(raster);
    return good ? STATUS_OK : damaged(file);
}

static void invert(const tiff_file *file, void *codes)
{
    size_t texels = (size_t)file->width * file->height;
    for (size_t i = 0; i < texels; i++) { // only the first sample: others are alpha
        size_t at = i * file->samples;
        if (file->bits == 8)
            ((uint8_t *)codes)[at] = (uint8_t)(255 - ((uint8_t *)codes)[at]);
        else
            ((uint16_t *)codes)[at] = (uint16_t)(65535 - ((uint16_t *)codes)[at]);
    }
}

static int read_image(tiff_file *file, size_t size, const image_view *view,
                      const image_limits *limits, image *out)
{
    int status = read_tags(file, limits);
    if (status == STATUS_OK)
        status = check_memory(file, size, limits);
    if (status != STATUS_OK)
        return status;
    bool floats = file->kind == SAMPLEFORMAT_IEEEFP;
    if (!file->lib->LastDirectory(file->tiff))
        note("%s: the first of several images", file->path);
    image made;
    if (floats) {
        status = image_create((int)file->width, (int)file->height, file->samples,
                              file->bits == 16 ? IMAGE_F16 : IMAGE_F32, &made);
        if (status != STATUS_OK)
            return status;
        made.decoded = true;
        made.two_axes = file->samples == 1;
        status = read_tiles(file, made.data);
        if (status == STATUS_OK)
            *out = made;
        else
            image_destroy(&made);
        return status;
    }
    size_t texels = (size_t)file->width * file->height;
    unsigned char *codes = calloc(texels, file->odd ? 3u : file->samples * (file->bits / 8u));
    if (!codes)
        return fail_memory();
    bool white = file->photometric == PHOTOMETRIC_MINISWHITE && !file->odd;
    status = file->odd ? read_odd(file, codes) : read_tiles(file, codes);
    if (status == STATUS_OK && white)
        invert(file, codes);
    if (status == STATUS_OK)
        status = image_from_codes(codes, file->bits, view, (int)file->width, (int)file->height,
                                  file->samples, out);
    free(codes);
    return status;
}

int image_parse_tiff(const char *path, const unsigned char *data, size_t size,
                     const image_view *view, const image_limits *limits, image *out)
{
    const tiff_library *lib = tiff_open(path);
    if (!lib)
        return STATUS_USAGE;
    tiff_memory memory = {.size = size};
    memcpy(&memory.data, &data, sizeof data); // it is only read
    tiff_file file = {.lib = lib, .path = path};
    file.tiff = lib->ClientOpen(path, "r", (thandle_t)&memory, take_bytes, put_nothing, seek,
                                leave_open, size_of, map, unmap);
    if (!file.tiff)
        return damaged(&file);
    int status = read_image(&file, size, view, limits, out);
    lib->Close(file.tiff);
    return status;
}

// ---- writing -----------------------------------------------------------------------------------

static bool write_rows(const tiff_library *lib, TIFF *tiff, const image *source)
{
    bool floats = source->type == IMAGE_F32 || source->type == IMAGE_F16;
    bool rounds = source->type == IMAGE_F32 && source->halves; // 16 bits hold each value
    size_t bytes = rounds ? 2 : image_type_bytes(source->type);
    int channels = source->channels;
    const uint16_t extra[] = {floats && channels == 2 ? EXTRASAMPLE_UNSPECIFIED
                                                      : EXTRASAMPLE_UNASSALPHA};
    lib->SetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)source->width);
    lib->SetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)source->height);
    lib->SetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
    lib->SetField(tiff, TIFFTAG_BITSPERSAMPLE, (int)(8 * bytes));
    lib->SetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    lib->SetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    lib->SetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    lib->SetField(tiff, TIFFTAG_PHOTOMETRIC,
                  channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    if (channels % 2 == 0)
        lib->SetField(tiff, TIFFTAG_EXTRASAMPLES, 1, extra);
    lib->SetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    lib->SetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    lib->SetField(tiff, TIFFTAG_ROWSPERSTRIP, lib->DefaultStripSize(tiff, 0));
    size_t line = (size_t)source->width * (size_t)channels * bytes;
    unsigned char *row = malloc(line); // which the codec changes
    bool good = row;
    for (int y = 0; y < source->height && good; y++) {
        size_t values = (size_t)source->width * (size_t)channels;
        if (rounds)
            for (size_t i = 0; i < values; i++)
                ((uint16_t *)(void *)row)[i] =
                    half_from_float(((const float *)source->data)[(size_t)y * values + i]);
        else
            memcpy(row, (const unsigned char *)source->data + (size_t)y * line, line);
        good = lib->WriteScanline(tiff, row, (uint32_t)y, 0) >= 0;
    }
    free(row);
    return good;
}

// A pipe cannot be written in the order that libtiff takes, so the file is made in memory.
bool image_write_tiff(FILE *stream, const image *source)
{
    const tiff_library *lib = tiff_open("-o");
    if (!lib)
        return false;
    tiff_memory memory = {0};
    size_t bytes = image_value_count(source) * image_type_bytes(source->type);
    const size_t large = (size_t)3 << 30; // of 4 GiB
    TIFF *tiff = lib->ClientOpen("-o", bytes > large ? "w8" : "w", (thandle_t)&memory, take_bytes,
                                 put_bytes, seek, leave_open, size_of, map, unmap);
    bool good = tiff && write_rows(lib, tiff, source);
    if (tiff)
        lib->Close(tiff);
    good = good && !memory.failed && !*tiff_error;
    if (good)
        good = fwrite(memory.data, 1, memory.size, stream) == memory.size;
    free(memory.data);
    return good;
}
