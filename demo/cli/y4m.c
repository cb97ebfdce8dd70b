// cli/y4m.c - headers of YUV4MPEG2 streams
// SPDX-License-Identifier: MIT
#include "y4m.h"

#include "options.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The names of C, without the bits of names such as 420p10. 8 bits unless the name says others.
static const struct {
    const char *name;
    int channels, shift_x, shift_y;
    bool centred_x, centred_y;
} layouts[] = {
    {"420jpeg", 3, 1, 1, true, true},    {"420mpeg2", 3, 1, 1, false, true},
    {"420paldv", 3, 1, 1, false, false}, {"420", 3, 1, 1, true, true},
    {"411", 3, 2, 0, false, false},      {"422", 3, 1, 0, false, false},
    {"444", 3, 0, 0, false, false},      {"444alpha", 4, 0, 0, false, false},
    {"mono", 1, 0, 0, false, false},
};

// "420p10", "mono10": the name without bits, and the bits. Planes of more are as MPEG's.
static int bits_of(const char *text, size_t *length)
{
    size_t name = strncmp(text, "mono", 4) == 0 ? 4 : strspn(text, "0123456789");
    const char *number = text + name + (name && text[name] == 'p' && *text != 'm');
    int bits = 8;
    *length = strlen(text);
    if (name && *number >= '1' && *number <= '9') {
        *length = name;
        bits = parse_int(number, 9, 16, &bits) ? bits : 0;
    }
    return bits;
}

static int parse_colours(const char *path, const char *text, video_format *out)
{
    size_t length;
    int bits = bits_of(text, &length);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && bits; i++) {
        if (strlen(layouts[i].name) != length || strncmp(layouts[i].name, text, length) != 0)
            continue;
        out->bits = bits;
        out->channels = layouts[i].channels;
        out->shift_x = layouts[i].shift_x;
        out->shift_y = layouts[i].shift_y;
        out->centred_x = layouts[i].centred_x && bits == 8;
        out->centred_y = layouts[i].centred_y || (bits > 8 && out->shift_y);
        return STATUS_OK;
    }
    return fail(STATUS_USAGE,
                "%s: planes C%s; expected 420jpeg, 420mpeg2, 420paldv, 411, 422, 444, 444alpha or "
                "mono, or 420p10, 422p12, 444p16, mono10 and their like",
                path, text);
}

static void keep(y4m_header *out, const char *tag)
{
    size_t used = strlen(out->kept);
    snprintf(out->kept + used, sizeof out->kept - used, " %s", tag);
}

static int parse_rate(const char *path, const char *text, double *rate)
{
    int above = 0, below = 0, used = 0;
    if (sscanf(text, "%9d:%9d%n", &above, &below, &used) != 2 || text[used] || above < 0 ||
        below < 0)
        return fail(STATUS_USAGE, "%s: rate F%s; expected F25:1", path, text);
    if (above && below)
        *rate = (double)above / below;
    return STATUS_OK;
}

static int parse_tag(const char *path, const char *tag, y4m_header *out)
{
    video_format *f = &out->format;
    const char *value = tag + 1;
    switch (*tag) {
    case 'W':
    case 'H':
        if (!parse_int(value, 1, IMAGE_MAX, *tag == 'W' ? &f->width : &f->height))
            return fail(STATUS_USAGE, "%s: %s; expected 1..%d", path, tag, IMAGE_MAX);
        return STATUS_OK;
    case 'C':
        snprintf(out->colours, sizeof out->colours, "%.31s", value);
        return parse_colours(path, value, f);
    case 'I':
        // A field has every other line of a moment of its own; effects work on whole frames.
        return *value == 'p' || *value == '?'
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "%s: interlaced (%s); expected whole frames", path, tag);
    case 'F': keep(out, tag); return parse_rate(path, value, &out->rate);
    case 'X':
        if (strcmp(value, "COLORRANGE=FULL") == 0)
            f->full_range = true;
        keep(out, tag);
        return STATUS_OK;
    default: keep(out, tag); return STATUS_OK; // A, the shape of a texel; and what is yet unknown
    }
}

int y4m_parse(const char *path, const char *line, int bt709, y4m_header *out)
{
    char tags[Y4M_LINE];
    y4m_header made = {.rate = 25, .format = {.planes = true}};
    if (strncmp(line, "YUV4MPEG2", 9) != 0 || (line[9] && line[9] != ' ') ||
        strlen(line) >= sizeof tags)
        return fail(STATUS_USAGE, "%s: no Y4M stream; expected a line YUV4MPEG2 ..., or --raw",
                    path);
    snprintf(tags, sizeof tags, "%s", line + 9);
    int status = parse_colours(path, "420jpeg", &made.format);
    for (char *tag = strtok(tags, " "); tag && status == STATUS_OK; tag = strtok(NULL, " "))
        status = parse_tag(path, tag, &made);
    if (status == STATUS_OK && (!made.format.width || !made.format.height))
        status = fail(STATUS_USAGE, "%s: a Y4M stream without its size; expected W and H", path);
    if (status != STATUS_OK)
        return status;
    made.format.bt709 =
        bt709 < 0 ? made.format.width >= 1280 || made.format.height > 576 : bt709 > 0;
    *out = made;
    return STATUS_OK;
}

void y4m_print(const y4m_header *header, int width, int height, char out[2 * Y4M_LINE])
{
    snprintf(out, 2 * Y4M_LINE, "YUV4MPEG2 W%d H%d%s Ip%s%s\n", width, height, header->kept,
             header->colours[0] ? " C" : "", header->colours);
}
