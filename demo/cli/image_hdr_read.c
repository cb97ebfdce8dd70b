// cli/image_hdr_read.c - reads Radiance .hdr files; damaged ones are refused with their line
// SPDX-License-Identifier: MIT
//
// G. Ward, "Real Pixels", Graphics Gems II, 1991; Radiance's src/common/color.c. A scan line is
// stored in one of three ways: run lengths of each component ("new"), repeated texels ("old"), or
// texels as they are, which is an old line without a repetition. Lines run from top to bottom and
// texels from left to right ("-Y H +X W"); Radiance has seven other orders, which are refused.
// EXPOSURE= is not applied, as in most programs.
#include "image.h"

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEW_MIN = 8, NEW_MAX = 32767 }; // widths of lines that may have run lengths

typedef struct hdr_reader {
    const char *path;
    const unsigned char *at, *end;
    int width, height, line;
} hdr_reader;

static int truncated(const hdr_reader *reader)
{
    return fail(STATUS_USAGE, "%s: the .hdr file is truncated: it ends in line %d of %d",
                reader->path, reader->line + 1, reader->height);
}

static int damaged(const hdr_reader *reader, const char *why)
{
    return fail(STATUS_USAGE, "%s: the .hdr file is damaged in line %d of %d: %s", reader->path,
                reader->line + 1, reader->height, why);
}

static size_t left(const hdr_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

// The next line of the header without its end, cut to `size`; false at the end of the file.
static bool next_text(hdr_reader *reader, char *text, size_t size)
{
    const unsigned char *end = left(reader) ? memchr(reader->at, '\n', left(reader)) : NULL;
    if (!end)
        return false;
    size_t length = (size_t)(end - reader->at);
    length = length && reader->at[length - 1] == '\r' ? length - 1 : length;
    length = length < size ? length : size - 1;
    memcpy(text, reader->at, length);
    text[length] = '\0';
    reader->at = end + 1;
    return true;
}

static int read_size(hdr_reader *reader, const image_limits *limits)
{
    char text[128], excess;
    if (!next_text(reader, text, sizeof text))
        return fail(STATUS_USAGE, "%s: the .hdr file is truncated: it ends in its header",
                    reader->path);
    if (sscanf(text, "-Y %9d +X %9d%c", &reader->height, &reader->width, &excess) != 2) {
        char y, x;
        bool other = sscanf(text, "%*1[-+]%c %*d %*1[-+]%c", &y, &x) == 2;
        return fail(STATUS_USAGE, "%s: the .hdr file has %s '%.40s'; expected -Y H +X W",
                    reader->path, other ? "the orientation" : "no size but", text);
    }
    return image_check_size(reader->path, ".hdr", reader->width, reader->height, limits);
}

static int read_header(hdr_reader *reader, const image_limits *limits)
{
    char text[128];
    bool has_format = false;
    if (!next_text(reader, text, sizeof text) ||
        (strcmp(text, "#?RADIANCE") != 0 && strcmp(text, "#?RGBE") != 0))
        return fail(STATUS_USAGE, "%s: not a .hdr file", reader->path);
    for (;;) {
        if (!next_text(reader, text, sizeof text))
            return fail(STATUS_USAGE, "%s: the .hdr file is truncated: it ends in its header",
                        reader->path);
        if (text[0] == '\0')
            break;
        if (strncmp(text, "FORMAT=", 7) != 0)
            continue;
        if (strcmp(text + 7, "32-bit_rle_rgbe") != 0) {
            return fail(STATUS_USAGE, "%s: the .hdr file has %.40s; expected 32-bit_rle_rgbe",
                        reader->path, text);
        }
        has_format = true;
    }
    if (!has_format) {
        return fail(STATUS_USAGE, "%s: the .hdr file has no FORMAT=32-bit_rle_rgbe in its header",
                    reader->path);
    }
    return read_size(reader, limits);
}

// Reads plain texels, or (1, 1, 1, n), which repeats the previous texel n times. If several of
// these follow each other, each count is 256 times the weight of the one before it.
static int read_old_line(hdr_reader *reader, unsigned char *line)
{
    size_t width = (size_t)reader->width;
    unsigned shift = 0;
    for (size_t x = 0; x < width;) {
        if (left(reader) < 4)
            return truncated(reader);
        const unsigned char *texel = reader->at;
        reader->at += 4;
        if (texel[0] != 1 || texel[1] != 1 || texel[2] != 1) {
            memcpy(line + 4 * x++, texel, 4);
            shift = 0;
            continue;
        }
        size_t count = shift < 32 ? (size_t)texel[3] << shift : 0;
        if (x == 0)
            return damaged(reader, "it starts with a repetition");
        if (shift >= 32 || count > width - x)
            return damaged(reader, "a repetition goes beyond its end");
        for (; count; count--, x++)
            memcpy(line + 4 * x, line + 4 * (x - 1), 4);
        shift += 8;
    }
    return STATUS_OK;
}

// Reads one component after the other: (128 + n, byte) is a run of n, (n, bytes...) are n bytes.
static int read_new_line(hdr_reader *reader, unsigned char *line)
{
    size_t width = (size_t)reader->width;
    for (size_t c = 0; c < 4; c++) {
        for (size_t x = 0; x < width;) {
            if (left(reader) < 2)
                return truncated(reader);
            size_t count = *reader->at++;
            bool run = count > 128;
            count -= run ? 128 : 0;
            if (count == 0)
                return damaged(reader, "a run has no length");
            if (count > width - x)
                return damaged(reader, "a run goes beyond its end");
            if (left(reader) < (run ? 1 : count))
                return truncated(reader);
            for (size_t i = 0; i < count; i++, x++)
                line[4 * x + c] = reader->at[run ? 0 : i];
            reader->at += run ? 1 : count;
        }
    }
    return STATUS_OK;
}

static int read_line(hdr_reader *reader, unsigned char *line)
{
    const unsigned char *at = reader->at;
    if (left(reader) < 4)
        return truncated(reader);
    bool may_be_new = reader->width >= NEW_MIN && reader->width <= NEW_MAX;
    if (!may_be_new || at[0] != 2 || at[1] != 2 || at[2] >= 128)
        return read_old_line(reader, line);
    if ((at[2] << 8 | at[3]) != reader->width)
        return damaged(reader, "its width is not that of the image");
    reader->at += 4;
    return read_new_line(reader, line);
}

int image_parse_hdr(const char *path, const unsigned char *data, size_t size,
                    const image_limits *limits, image *out)
{
    hdr_reader reader = {.path = path, .at = data, .end = data + size};
    int status = read_header(&reader, limits);
    if (status != STATUS_OK)
        return status;
    // No line can be shorter than this, so a body that is too short is refused before anything is
    // allocated.
    size_t least = reader.width == 1 ? 4 : 8;
    if (left(&reader) < least * (size_t)reader.height) {
        return fail(STATUS_USAGE, "%s: the .hdr file is truncated: %zu bytes cannot hold %dx%d",
                    path, left(&reader), reader.width, reader.height);
    }
    size_t texels = (size_t)reader.width * (size_t)reader.height;
    status = image_check_memory(path, size + 3 * sizeof(float) * texels + IMAGE_DECODER, limits);
    if (status != STATUS_OK)
        return status;
    unsigned char *line = malloc((size_t)reader.width * 4);
    image made = {0};
    status = line ? image_create(reader.width, reader.height, 3, IMAGE_F32, &made) : fail_memory();
    float *to = made.data;
    for (; status == STATUS_OK && reader.line < reader.height; reader.line++) {
        status = read_line(&reader, line);
        for (size_t x = 0; status == STATUS_OK && x < (size_t)reader.width; x++) {
            const unsigned char *rgbe = line + 4 * x;
            float unit = rgbe[3] ? ldexpf(1, rgbe[3] - (128 + 8)) : 0;
            for (int c = 0; c < 3; c++)
                *to++ = (float)rgbe[c] * unit;
        }
    }
    free(line);
    made.decoded = true;
    if (status == STATUS_OK)
        *out = made;
    else
        image_destroy(&made);
    return status;
}
