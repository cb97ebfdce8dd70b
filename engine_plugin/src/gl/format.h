// format.h - properties of each texture format
// SPDX-License-Identifier: MIT
#ifndef AG_FORMAT_H
#define AG_FORMAT_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ag_format {
    GLenum name;      // sized internal format
    GLenum image;     // the format of its image unit: itself, or RGBA8 for SRGB8_ALPHA8
    GLenum read;      // the same for reading. R32UI for R11F_G11F_B10F, because NVIDIA's image
                      // loads flush its small values to 0; the shader unpacks the texel
    GLenum texture;   // of the view that a texture unit reads: integers with packed texels if
                      // that takes fewer 2x2 gathers, else `name`
    int32_t words;    // AG_PACKING_*: the packing of `texture`
    const char *glsl; // format qualifier of an image variable for reading
    const char *text; // "RGBA16F"
    int32_t channels;
    int32_t bytes; // of a texel
    int32_t store; // AG_STORE_*
    int32_t hold;  // AG_TEXEL_*: the form of a packed texel in registers
    bool srgb;
    bool depth;   // read by a texture unit, because image units cannot read depth
    bool expands; // a colour image of bloom: highlights are expanded, and compressed again
} ag_format;

// The format of a GL enum, or NULL if the module does not know it.
const ag_format *ag_format_find(GLenum name);

// "RGBA16F", "RGB8; use RGBA8", "0x1234": a format for messages, which the module need not know.
// `text`: at least AG_FORMAT_WORDS bytes.
enum { AG_FORMAT_WORDS = 64 };
const char *ag_format_words(GLenum name, char *text);

// The same format, read as light and stored from it: `srgb`: its values are codes of the sRGB
// curve; `expands`: see there. NULL: codes of a format of floats, which has none.
const ag_format *ag_format_light(const ag_format *format, bool srgb, bool expands);

// All colour formats that effects on images accept, for ag_slot_info.formats.
enum { AG_COLOUR_FORMATS = 12 };
extern const uint32_t ag_colour_formats[AG_COLOUR_FORMATS];

// The same and RGBA16, for effects on frames of video.
enum { AG_FRAME_FORMATS = AG_COLOUR_FORMATS + 1 };
extern const uint32_t ag_frame_formats[AG_FRAME_FORMATS];

// All depth formats, and R32F for depths in a colour texture.
enum { AG_DEPTH_FORMATS = 7 };
extern const uint32_t ag_depth_formats[AG_DEPTH_FORMATS];

#endif
