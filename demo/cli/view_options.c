// cli/view_options.c - the options that several commands share
// SPDX-License-Identifier: MIT
#include "view_options.h"

#include "options.h"
#include "report.h"

#include <math.h>
#include <string.h>

int view_parse_exposure(const char *text, image_view *out)
{
    double value = 0;
    if (!parse_double(text, &value) || fabs(value) > 100)
        return fail(STATUS_USAGE, "--exposure %s: expected stops, -100..100", text);
    out->exposure = value;
    return STATUS_OK;
}

int view_parse_tonemap(const char *text, image_view *out)
{
    if (strcmp(text, "none") != 0 && strcmp(text, "aces") != 0)
        return fail(STATUS_USAGE, "--tonemap %s: expected none or aces", text);
    out->aces = strcmp(text, "aces") == 0;
    return STATUS_OK;
}

int view_parse_device(const char *text, int *out)
{
    if (!parse_int(text, 0, 1000, out))
        return fail(STATUS_USAGE, "--device %s: expected the index of an EGL device, from 0", text);
    return STATUS_OK;
}
