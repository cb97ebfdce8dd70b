// format.h - what the module knows of each texture format
// SPDX-License-Identifier: MIT
#ifndef AG_FORMAT_H
#define AG_FORMAT_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ag_format {
    GLenum name;      // sized internal format
    GLenum image;     // the format of its image unit: itself, or RGBA8 for SRGB8_ALPHA8
    GLenum read;      // the same for reading: R32UI for R11F_G11F_B10F, whose small values NVIDIA's
                      // image loads flush to 0; the shader takes the codes apart
    GLenum texture;   // of the view that a texture unit reads: words that hold the texel as it is
                      // where that takes fewer gathers of four texels, else as `name`
    int32_t words;    // AG_WORDS_*: what those words are
    const char *glsl; // of an image variable that reads
    const char *text; // "RGBA16F"
    int32_t channels;
    int32_t bytes; // of a texel
    int32_t store; // AG_STORE_*
    int32_t hold;  // AG_HOLD_*: how a texel waits in registers
    bool srgb;
    bool depth; // read through a texture unit: no image unit takes it
} ag_format;

// The format of a GL enum, or NULL when the module does not know it.
const ag_format *ag_format_find(GLenum name);

// Every colour format that effects on images accept, as ag_slot_info.formats wants it.
enum { AG_COLOUR_FORMATS = 12 };
extern const uint32_t ag_colour_formats[AG_COLOUR_FORMATS];

// Depth, and R32F, which holds it, too.
enum { AG_DEPTH_FORMATS = 7 };
extern const uint32_t ag_depth_formats[AG_DEPTH_FORMATS];

#endif
