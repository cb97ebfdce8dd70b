// cli/view_options.h - the options that several commands share
// SPDX-License-Identifier: MIT
#ifndef CLI_VIEW_OPTIONS_H
#define CLI_VIEW_OPTIONS_H

#include "image.h"

#define VIEW_HELP_DITHER                                                      \
    "noise of up to one code before light is rounded to .png and .jpg, the\n" \
    "same in each run, so that gradients have no bands; default on"
#define VIEW_HELP_BITS                                                        \
    "of each code of a .png or .tif, 8 or 16; default: 16 if the input has\n" \
    "codes of 16, else 8"
#define VIEW_HELP_EXPOSURE "stops of light added for codes, as of .png; default 0"
#define VIEW_AS "npy|png|jpg|hdr|exr|tif"
#define VIEW_HELP_AS "file type of -o -, standard output"
#define VIEW_HELP_MEMORY                                                               \
    "most memory that reading a file may take, with its texels: bytes, or with K, M\n" \
    "or G; default: half of the machine's"
#define VIEW_HELP_TONEMAP "tone curve for codes, as of .png; default none"

// All return a STATUS_*; errors are printed.
int view_parse_as(const char *text, image_file *out);
int view_parse_exposure(const char *text, image_view *out);
int view_parse_bits(const char *text, image_view *out);
int view_parse_dither(const char *text, image_view *out);
int view_parse_tonemap(const char *text, image_view *out);
int view_parse_memory(const char *text, size_t *out);
int view_parse_device(const char *text, int *out);
// The type of the file -o `path`; `as` is that of --as, or FILE_UNKNOWN. `also` names what else the
// path may be, as ", or a folder", or is "". "-" needs --as, and that it is no terminal.
int view_check_output(const char *path, image_file as, const char *also, image_file *type);

#endif
