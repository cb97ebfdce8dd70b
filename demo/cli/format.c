// cli/format.c - the texture formats by name
// SPDX-License-Identifier: MIT
#include "format.h"

#include "words.h"

#include <glad/gl.h>
#include <stdio.h>
#include <string.h>

const format_info format_table[] = {
    {"r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, 1, FORMAT_UNORM8},
    {"rg8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, 2, FORMAT_UNORM8},
    {"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 4, FORMAT_UNORM8},
    {"srgb8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 4, FORMAT_SRGB8},
    {"rgb10a2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, 4, FORMAT_UNORM10},
    {"rgba16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 4, 8, FORMAT_UNORM16},
    {"r11g11b10f", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 3, 4,
     FORMAT_FLOAT11},
    {"r16f", GL_R16F, GL_RED, GL_HALF_FLOAT, 1, 2, FORMAT_FLOAT16},
    {"rg16f", GL_RG16F, GL_RG, GL_HALF_FLOAT, 2, 4, FORMAT_FLOAT16},
    {"rgba16f", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 4, 8, FORMAT_FLOAT16},
    {"r32f", GL_R32F, GL_RED, GL_FLOAT, 1, 4, FORMAT_FLOAT32},
    {"rg32f", GL_RG32F, GL_RG, GL_FLOAT, 2, 8, FORMAT_FLOAT32},
    {"rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, 4, 16, FORMAT_FLOAT32},
    {"r32ui", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 1, 4, FORMAT_UINT32},
    {"rg32ui", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 2, 8, FORMAT_UINT32},
    {"rgba32ui", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 4, 16, FORMAT_UINT32},
    {0},
};

const format_info *format_by_name(const char *name, size_t length)
{
    for (const format_info *at = format_table; at->name; at++)
        if (strlen(at->name) == length && strncmp(at->name, name, length) == 0)
            return at;
    return NULL;
}

const format_info *format_by_enum(uint32_t sized)
{
    for (const format_info *at = format_table; at->name; at++)
        if (at->sized == sized)
            return at;
    return NULL;
}

const format_info *format_find(format_class kind, int channels)
{
    for (const format_info *at = format_table; at->name; at++)
        if (at->kind == kind && at->channels >= channels)
            return at;
    return NULL;
}

// Those of depth have names, too: textures of an engine that no file becomes.
const char *format_name(uint32_t sized, char buffer[16])
{
    static const struct {
        uint32_t sized;
        const char *name;
    } depths[] = {
        {GL_DEPTH_COMPONENT16, "depth16"},         {GL_DEPTH_COMPONENT24, "depth24"},
        {GL_DEPTH_COMPONENT32, "depth32"},         {GL_DEPTH_COMPONENT32F, "depth32f"},
        {GL_DEPTH24_STENCIL8, "depth24_stencil8"}, {GL_DEPTH32F_STENCIL8, "depth32f_stencil8"}};
    const format_info *known = format_by_enum(sized);
    if (known)
        return known->name;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        if (depths[i].sized == sized)
            return depths[i].name;
    snprintf(buffer, 16, "0x%04X", (unsigned)sized);
    return buffer;
}

const char *format_names(char *buffer, size_t size)
{
    words names = words_begin(buffer, size, " ");
    for (const format_info *at = format_table; at->name; at++)
        words_add(&names, at->name);
    return buffer;
}

const format_info *format_of_image(const image *source)
{
    switch (source->type) {
    case IMAGE_F16: return format_find(FORMAT_FLOAT16, source->channels);
    case IMAGE_U8: return format_find(FORMAT_UNORM8, source->channels);
    case IMAGE_U32: return format_find(FORMAT_UINT32, source->channels);
    case IMAGE_F32:
    case IMAGE_U16: break;
    }
    return format_find(FORMAT_FLOAT32, source->channels);
}
