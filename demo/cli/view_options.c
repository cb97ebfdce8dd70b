// cli/view_options.c - the options that several commands share
// SPDX-License-Identifier: MIT
#include "view_options.h"

#include "file.h"
#include "options.h"
#include "report.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int view_parse_as(const char *text, image_file *out)
{
    char path[16];
    snprintf(path, sizeof path, "x%s%.8s", text[0] == '.' ? "" : ".", text);
    *out = image_output_type(path);
    return *out != FILE_UNKNOWN ? STATUS_OK
                                : fail(STATUS_USAGE, "--as %s: expected one of " IMAGE_FILES, text);
}

int view_check_output(const char *path, image_file as, const char *also, image_file *type)
{
    if (strcmp(path, "-") == 0) {
        *type = as;
        return as != FILE_UNKNOWN
                   ? file_check_pipe()
                   : fail(STATUS_USAGE, "-o - needs a file type: --as with one of " IMAGE_FILES);
    }
    *type = image_output_type(path);
    if (*type == FILE_UNKNOWN)
        return fail(STATUS_USAGE, "-o %s: unknown file type; expected one of " IMAGE_FILES "%s",
                    path, also);
    if (as != FILE_UNKNOWN && as != *type)
        return fail(STATUS_USAGE, "--as is for -o -, got -o %s", path);
    return file_check_writable(path);
}

int view_parse_exposure(const char *text, image_view *out)
{
    double value = 0;
    if (!parse_double(text, &value) || fabs(value) > 100)
        return fail(STATUS_USAGE, "--exposure %s: expected stops, -100..100", text);
    out->exposure = value;
    return STATUS_OK;
}

int view_parse_dither(const char *text, image_view *out)
{
    if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
        return fail(STATUS_USAGE, "--dither %s: expected on or off", text);
    out->dither = strcmp(text, "on") == 0;
    return STATUS_OK;
}

int view_parse_bits(const char *text, image_view *out)
{
    if (!parse_int(text, 8, 16, &out->bits) || out->bits % 8)
        return fail(STATUS_USAGE, "--bits %s: expected 8 or 16", text);
    return STATUS_OK;
}

int view_parse_tonemap(const char *text, image_view *out)
{
    if (strcmp(text, "none") != 0 && strcmp(text, "aces") != 0)
        return fail(STATUS_USAGE, "--tonemap %s: expected none or aces", text);
    out->aces = strcmp(text, "aces") == 0;
    return STATUS_OK;
}

int view_parse_memory(const char *text, size_t *out)
{
    static const char units[] = "KMG";
    char *end = NULL;
    errno = 0;
    unsigned long long number = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    const char *unit = number && *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    bool whole = number && !errno && (unit ? end[1] == '\0' : *end == '\0');
    if (!whole || number > SIZE_MAX >> shift)
        return fail(STATUS_USAGE, "--max-memory %s: expected bytes, or a number with K, M or G",
                    text);
    *out = (size_t)number << shift;
    return STATUS_OK;
}

int view_parse_device(const char *text, int *out)
{
    if (!parse_int(text, 0, 1000, out))
        return fail(STATUS_USAGE, "--device %s: expected the index of an EGL device, from 0", text);
    return STATUS_OK;
}
