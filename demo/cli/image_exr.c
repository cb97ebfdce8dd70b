// cli/image_exr.c - reads .exr files by OpenEXR's C core
// SPDX-License-Identifier: MIT
//
// Accepted are files of one part, with scan lines or tiles (of which level 0 is read) of half
// floats or floats. Several parts and several samples a texel ("deep") are refused. The image is
// the data window. If all channels that are read are half floats, the image has half floats, else
// floats.
//
// Debian 12 has version 3.1.5, which gets few of the security fixes of later versions, and in 2026
// new findings were still frequent. Therefore little of the library is used: headers, tables of
// chunks, and chunks of four compressions, two of which are zlib's. All sizes are checked here
// before it decodes. The vulnerabilities below were looked up in their public records, in the
// project's release notes (up to 3.5.4) and in its table of versions, in November 2026. Each has
// the reason why it is not reached:
//
//   CVE-2023-5841, 2025-48071, 48073, 2026-27622    deep files: refused by their header
//   CVE-2026-34588                                  PIZ: refused
//   CVE-2026-34379, 34589, 40244, 40250;            DWA: refused
//   GHSA-whf5-29mj-gp53, -vp77-hhrc-m2c3,
//   -rjg8-982x-jhc2
//   CVE-2026-34544, GHSA-frx8-5p4h-j8m7             B44: refused
//   CVE-2026-34545, 45696, 53532                    HTJ2K: refused, and not in 3.1
//   CVE-2025-48074                                  memory for a huge data window: checked against
//                                                   the file's length
//   CVE-2026-59981 to 59985                         systems of 32 bits
//   CVE-2026-55371, GHSA-3cp4-779m-h837             functions that are not called: they set byte
//                                                   attributes, and copy attributes
//   CVE-2026-42216, 42217, 88384,                   the C++ library: not linked
//   GHSA-g248-596f-9995, -rxwg-x3wx-pgfh
//   CVE-2024-31047, 2026-41142, 54920, 55059,       OpenEXRUtil and tools: not linked
//   55373, 59184, 59187, GHSA-pp92-4rv3-wfq6
//   CVE-2026-61703, 62986, 68513, 68514;            Python's bindings
//   GHSA-j76p-h7gw-vmpf, -638x-x7mr-89xc,
//   -2v77-pvhx-25c3
//   CVE-2021-45942                                  fixed in 3.1.4
//   CVE-2025-64181, 2026-34378, 34380, 34543,       only in 3.2, 3.3 or 3.4 and later, by the
//   39886                                           project's table; not examined further
//
// Others were not found there, or not the place of the error. The fuzz target exr is for these.
#include "image.h"

#include "report.h"

#include <openexr.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = 4, MAX_LISTED = 1024 };

typedef struct exr_reader {
    const char *path;
    const unsigned char *data;
    size_t size;
    exr_context_t file;
    bool tiled;
    exr_attr_box2i_t window;
    int width, height;
    size_t texel_bytes; // of all channels of the file together
    const exr_attr_chlist_entry_t *wanted[MAX_CHANNELS];
    int channels;
    exr_pixel_type_t type; // of the channels that are read
    unsigned char *texels;
    char why[256]; // the library's first message
} exr_reader;

// ---- the library's view of a file in memory ----------------------------------------------------

static int64_t read_bytes(exr_const_context_t file, void *user, void *to, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t error)
{
    (void)file, (void)error;
    const exr_reader *reader = user;
    if (offset > reader->size)
        return 0;
    size_t left = reader->size - (size_t)offset, some = size < left ? (size_t)size : left;
    memcpy(to, reader->data + offset, some);
    return (int64_t)some;
}

static int64_t count_bytes(exr_const_context_t file, void *user)
{
    (void)file;
    return (int64_t)((const exr_reader *)user)->size;
}

static void hear(exr_const_context_t file, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)code;
    if (!file || exr_get_user_data(file, &user) != EXR_ERR_SUCCESS || !user)
        return;
    exr_reader *reader = user;
    if (!reader->why[0])
        snprintf(reader->why, sizeof reader->why, "%s", message);
}

static int damaged(const exr_reader *reader, exr_result_t code)
{
    return fail(code == EXR_ERR_OUT_OF_MEMORY ? STATUS_FAILED : STATUS_USAGE,
                "%s: the .exr file is damaged or truncated: %s", reader->path,
                reader->why[0] ? reader->why : exr_get_default_error_message(code));
}

// ---- the header ----------------------------------------------------------------------

static int refuse(const exr_reader *reader, const char *what, const char *expected)
{
    return fail(STATUS_USAGE, "%s: the .exr file %s; expected %s", reader->path, what, expected);
}

static int read_kind(exr_reader *reader)
{
    static const char *const compressions[] = {"none",  "rle", "zips", "zip",  "piz",
                                               "pxr24", "b44", "b44a", "dwaa", "dwab"};
    int parts = 0;
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    exr_compression_t compression = EXR_COMPRESSION_LAST_TYPE;
    char text[64];
    exr_result_t code = exr_get_count(reader->file, &parts);
    if (code != EXR_ERR_SUCCESS)
        return damaged(reader, code);
    if (parts != 1) {
        snprintf(text, sizeof text, "has %d parts", parts);
        return refuse(reader, text, "one: `exrmultipart -separate` takes them apart");
    }
    code = exr_get_storage(reader->file, 0, &storage);
    if (code != EXR_ERR_SUCCESS)
        return damaged(reader, code);
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return refuse(reader, "is deep", "scan lines or tiles of one sample a texel");
    reader->tiled = storage == EXR_STORAGE_TILED;
    code = exr_get_compression(reader->file, 0, &compression);
    if (code != EXR_ERR_SUCCESS)
        return damaged(reader, code);
    if (compression > EXR_COMPRESSION_ZIP) {
        bool known = (size_t)compression < sizeof compressions / sizeof *compressions;
        snprintf(text, sizeof text, "is compressed by %s",
                 known ? compressions[compression] : "a newer method");
        return refuse(reader, text, "none, rle, zips or zip (oiiotool --compression zip)");
    }
    return STATUS_OK;
}

static int read_window(exr_reader *reader, const image_limits *limits)
{
    exr_result_t code = exr_get_data_window(reader->file, 0, &reader->window);
    if (code != EXR_ERR_SUCCESS)
        return damaged(reader, code);
    const exr_attr_box2i_t *window = &reader->window;
    int64_t width = (int64_t)window->max.x - window->min.x + 1;
    int64_t height = (int64_t)window->max.y - window->min.y + 1;
    reader->width = (int)(width > INT_MAX ? INT_MAX : width < 0 ? 0 : width);
    reader->height = (int)(height > INT_MAX ? INT_MAX : height < 0 ? 0 : height);
    return image_check_size(reader->path, ".exr", reader->width, reader->height, limits);
}

static const exr_attr_chlist_entry_t *find_channel(const exr_attr_chlist_t *list, const char *name,
                                                   size_t length)
{
    for (int i = 0; i < list->num_channels; i++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[i];
        if ((size_t)entry->name.length == length && memcmp(entry->name.str, name, length) == 0)
            return entry;
    }
    return NULL;
}

static void list_names(const exr_attr_chlist_t *list, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < list->num_channels && used + 1 < size; i++) {
        int more =
            snprintf(text + used, size - used, "%s%.40s", i ? " " : "", list->entries[i].name.str);
        used += more > 0 ? (size_t)more : 0;
    }
}

// Finds the channels that --channels names, in its order.
static int find_named(exr_reader *reader, const exr_attr_chlist_t *list, const char *names)
{
    char known[256];
    for (const char *at = names;;) {
        size_t length = strcspn(at, ",");
        const exr_attr_chlist_entry_t *found = find_channel(list, at, length);
        if (!found || reader->channels == MAX_CHANNELS) {
            list_names(list, known, sizeof known);
            return found ? fail(STATUS_USAGE, "--channels %s: expected at most %d names", names,
                                MAX_CHANNELS)
                         : fail(STATUS_USAGE, "%s: no channel %.*s; the file has: %s", reader->path,
                                (int)length, at, known);
        }
        reader->wanted[reader->channels++] = found;
        if (at[length] == '\0')
            return STATUS_OK;
        at += length + 1;
    }
}

// Finds red, green and blue, or grey, each with alpha if the file has it; else all channels, if
// there are up to four.
static int find_usual(exr_reader *reader, const exr_attr_chlist_t *list)
{
    static const char *const pictures[] = {"RGB", "Y"};
    for (size_t i = 0; i < 2; i++) {
        const char *letters = pictures[i];
        int count = 0;
        while (letters[count] && find_channel(list, &letters[count], 1))
            count++;
        if (letters[count])
            continue;
        for (int k = 0; k < count; k++)
            reader->wanted[reader->channels++] = find_channel(list, &letters[k], 1);
        const exr_attr_chlist_entry_t *alpha = find_channel(list, "A", 1);
        if (alpha)
            reader->wanted[reader->channels++] = alpha;
        return STATUS_OK;
    }
    if (list->num_channels > MAX_CHANNELS) {
        char known[256];
        list_names(list, known, sizeof known);
        return fail(STATUS_USAGE, "%s: expected --channels with up to %d of: %s", reader->path,
                    MAX_CHANNELS, known);
    }
    for (int i = 0; i < list->num_channels; i++)
        reader->wanted[reader->channels++] = &list->entries[i];
    return STATUS_OK;
}

static int read_channels(exr_reader *reader, const char *names)
{
    const exr_attr_chlist_t *list = NULL;
    exr_result_t code = exr_get_channels(reader->file, 0, &list);
    if (code != EXR_ERR_SUCCESS || !list || list->num_channels < 1)
        return damaged(reader, code ? code : EXR_ERR_MISSING_REQ_ATTR);
    if (list->num_channels > MAX_LISTED)
        return refuse(reader, "has more than 1024 channels", "fewer");
    int status = names ? find_named(reader, list, names) : find_usual(reader, list);
    if (status != STATUS_OK)
        return status;
    // Chunks contain all channels, so the sizes below depend also on channels that are not read.
    for (int i = 0; i < list->num_channels; i++) {
        if (list->entries[i].x_sampling != 1 || list->entries[i].y_sampling != 1)
            return refuse(reader, "has channels of fewer samples", "one sample a texel");
        reader->texel_bytes += list->entries[i].pixel_type == EXR_PIXEL_HALF ? 2 : 4;
    }
    reader->type = EXR_PIXEL_HALF;
    for (int i = 0; i < reader->channels; i++) {
        exr_pixel_type_t type = reader->wanted[i]->pixel_type;
        if (type != EXR_PIXEL_HALF && type != EXR_PIXEL_FLOAT)
            return refuse(reader, "has integers in these channels", "half floats or floats");
        reader->type = type == EXR_PIXEL_FLOAT ? type : reader->type;
    }
    return STATUS_OK;
}

// Deflate makes at most 1032 bytes of one byte, and the other methods make less. A file that is too
// short for its image is therefore refused before memory for the image is allocated.
static int check_length(const exr_reader *reader)
{
    enum { MAX_OF_ONE = 1032 };
    size_t whole = reader->texel_bytes * (size_t)reader->width * (size_t)reader->height;
    if (whole / MAX_OF_ONE <= reader->size)
        return STATUS_OK;
    return fail(STATUS_USAGE, "%s: the .exr file is truncated: %zu bytes cannot hold %dx%d",
                reader->path, reader->size, reader->width, reader->height);
}

// ---- chunks ------------------------------------------------------------------------------------

// Reads a chunk, which must have this size. Its first texel is at x, y of the image.
static exr_result_t decode_chunk(exr_reader *reader, const exr_chunk_info_t *chunk, int x, int y,
                                 int width, int height)
{
    // The library has checked this already. The code below relies on it to stay within the image.
    if (chunk->width != width || chunk->height != height || chunk->packed_size > reader->size ||
        chunk->unpacked_size != reader->texel_bytes * (size_t)width * (size_t)height)
        return EXR_ERR_CORRUPT_CHUNK;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_result_t code = exr_decoding_initialize(reader->file, 0, chunk, &pipeline);
    size_t bytes = reader->type == EXR_PIXEL_HALF ? 2 : 4;
    size_t texel = bytes * (size_t)reader->channels, line = texel * (size_t)reader->width;
    for (int i = 0; code == EXR_ERR_SUCCESS && i < pipeline.channel_count; i++) {
        exr_coding_channel_info_t *channel = &pipeline.channels[i];
        channel->decode_to_ptr = NULL;
        for (int k = 0; k < reader->channels; k++) {
            if (strcmp(channel->channel_name, reader->wanted[k]->name.str) != 0)
                continue;
            if (channel->width != width || channel->height != height)
                code = EXR_ERR_CORRUPT_CHUNK;
            channel->decode_to_ptr =
                reader->texels + (size_t)y * line + (size_t)x * texel + (size_t)k * bytes;
            channel->user_pixel_stride = (int32_t)texel;
            channel->user_line_stride = (int32_t)line;
            channel->user_bytes_per_element = (int16_t)bytes;
            channel->user_data_type = (uint16_t)reader->type;
        }
    }
    if (code == EXR_ERR_SUCCESS)
        code = exr_decoding_choose_default_routines(reader->file, 0, &pipeline);
    if (code == EXR_ERR_SUCCESS)
        code = exr_decoding_run(reader->file, 0, &pipeline);
    exr_decoding_destroy(reader->file, &pipeline);
    return code;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static exr_result_t decode_lines(exr_reader *reader)
{
    int32_t lines = 0;
    exr_result_t code = exr_get_scanlines_per_chunk(reader->file, 0, &lines);
    if (code == EXR_ERR_SUCCESS && lines < 1)
        code = EXR_ERR_CORRUPT_CHUNK;
    for (int y = 0; code == EXR_ERR_SUCCESS && y < reader->height; y += lines) {
        exr_chunk_info_t chunk = {0};
        code = exr_read_scanline_chunk_info(reader->file, 0, reader->window.min.y + y, &chunk);
        if (code == EXR_ERR_SUCCESS)
            code =
                decode_chunk(reader, &chunk, 0, y, reader->width, least(lines, reader->height - y));
    }
    return code;
}

static exr_result_t decode_tiles(exr_reader *reader)
{
    int32_t across = 0, down = 0;
    exr_result_t code = exr_get_tile_sizes(reader->file, 0, 0, 0, &across, &down);
    if (code == EXR_ERR_SUCCESS &&
        (across < 1 || down < 1 || across > IMAGE_MAX || down > IMAGE_MAX))
        code = EXR_ERR_CORRUPT_CHUNK;
    for (int y = 0; code == EXR_ERR_SUCCESS && y < reader->height; y += down) {
        for (int x = 0; code == EXR_ERR_SUCCESS && x < reader->width; x += across) {
            exr_chunk_info_t chunk = {0};
            code = exr_read_tile_chunk_info(reader->file, 0, x / across, y / down, 0, 0, &chunk);
            if (code == EXR_ERR_SUCCESS)
                code = decode_chunk(reader, &chunk, x, y, least(across, reader->width - x),
                                    least(down, reader->height - y));
        }
    }
    return code;
}

// ---- the file ----------------------------------------------------------------------------------

// Grey with alpha becomes RGBA, as for .png.
static int spread_grey(image *target)
{
    image wide;
    int status = image_create(target->width, target->height, 4, target->type, &wide);
    if (status != STATUS_OK)
        return status;
    size_t bytes = image_type_bytes(target->type);
    const unsigned char *from = target->data;
    unsigned char *to = wide.data;
    size_t texels = (size_t)target->width * (size_t)target->height;
    for (size_t i = 0; i < texels; i++, from += 2 * bytes)
        for (int c = 0; c < 4; c++, to += bytes)
            memcpy(to, from + (c == 3 ? bytes : 0), bytes);
    image_destroy(target);
    *target = wide;
    return STATUS_OK;
}

// What the file and its table of chunks, a chunk (packed, unpacked, and once between), and the
// image take together; grey with alpha is copied into a larger image.
static int check_memory(const exr_reader *reader, const image_limits *limits)
{
    int32_t across = reader->width, down = 0, chunks = 0;
    exr_result_t code = reader->tiled ? exr_get_tile_sizes(reader->file, 0, 0, 0, &across, &down)
                                      : exr_get_scanlines_per_chunk(reader->file, 0, &down);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_chunk_count(reader->file, 0, &chunks);
    if (code != EXR_ERR_SUCCESS || across < 1 || down < 1 || chunks < 0)
        return damaged(reader, code == EXR_ERR_SUCCESS ? EXR_ERR_CORRUPT_CHUNK : code);
    size_t texels = (size_t)reader->width * (size_t)reader->height;
    size_t chunk = (size_t)least(across, reader->width) * (size_t)least(down, reader->height);
    size_t channels = (size_t)reader->channels + (reader->channels == 2 ? 4 : 0);
    return image_check_memory(
        reader->path,
        2 * reader->size + (size_t)chunks * sizeof(uint64_t) + 2 * chunk * reader->texel_bytes +
            texels * channels * (reader->type == EXR_PIXEL_HALF ? 2 : 4) + IMAGE_DECODER,
        limits);
}

static int read_picture(exr_reader *reader, const char *names, const image_limits *limits,
                        image *out)
{
    int status = read_kind(reader);
    status = status == STATUS_OK ? read_window(reader, limits) : status;
    status = status == STATUS_OK ? read_channels(reader, names) : status;
    status = status == STATUS_OK ? check_length(reader) : status;
    status = status == STATUS_OK ? check_memory(reader, limits) : status;
    image made = {0};
    if (status == STATUS_OK)
        status = image_create(reader->width, reader->height, reader->channels,
                              reader->type == EXR_PIXEL_HALF ? IMAGE_F16 : IMAGE_F32, &made);
    if (status != STATUS_OK)
        return status;
    reader->texels = made.data;
    exr_result_t code = reader->tiled ? decode_tiles(reader) : decode_lines(reader);
    status = code == EXR_ERR_SUCCESS ? STATUS_OK : damaged(reader, code);
    if (status == STATUS_OK && made.channels == 2 && reader->wanted[0]->name.str[0] == 'Y')
        status = spread_grey(&made);
    made.decoded = true;
    made.two_axes = made.channels == 1;
    if (status == STATUS_OK)
        *out = made;
    else
        image_destroy(&made);
    return status;
}

int image_parse_exr(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out)
{
    exr_reader reader = {.path = path, .data = data, .size = size};
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.error_handler_fn = hear;
    start.user_data = &reader;
    start.read_fn = read_bytes;
    start.size_fn = count_bytes;
    start.max_image_width = start.max_image_height = IMAGE_MAX;
    start.max_tile_width = start.max_tile_height = IMAGE_MAX;
    start.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION; // a missing chunk is an error
    exr_result_t code = exr_start_read(&reader.file, path, &start);
    if (code != EXR_ERR_SUCCESS)
        return damaged(&reader, code);
    int status = read_picture(&reader, view->channels, limits, out);
    exr_finish(&reader.file);
    return status;
}
