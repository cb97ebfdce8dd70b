// cli/format.h - the texture formats by name
// SPDX-License-Identifier: MIT
#ifndef CLI_FORMAT_H
#define CLI_FORMAT_H

#include "image.h"

#include <stdint.h>

typedef enum format_class {
    FORMAT_UNORM8,
    FORMAT_SRGB8,
    FORMAT_UNORM16,
    FORMAT_UNORM10, // 10, 10, 10 bits and 2 of alpha
    FORMAT_FLOAT11, // 11, 11, 10 bits, unsigned
    FORMAT_FLOAT16,
    FORMAT_FLOAT32,
    FORMAT_UINT32
} format_class;

typedef struct format_info {
    const char *name;
    uint32_t sized;            // GL_RGBA16F
    uint32_t components, type; // of a transfer that copies the texture's bits unchanged
    int channels, texel_bytes;
    format_class kind;
} format_info;

extern const format_info format_table[]; // ends with a name of NULL

const format_info *format_by_name(const char *name, size_t length); // NULL: no such format
const format_info *format_by_enum(uint32_t sized);
const format_info *format_find(format_class kind,
                               int channels); // the smallest format with these channels
// The name of a sized format, or its number written into `buffer`.
const char *format_name(uint32_t sized, char buffer[16]);
// All names, separated by spaces.
const char *format_names(char *buffer, size_t size);

// The format that holds a file's data unchanged; floats for decoded images.
const format_info *format_of_image(const image *source);

#endif
