// format.c - properties of each texture format
// SPDX-License-Identifier: MIT
#include "gl/format.h"
#include "shaders/common/interface.h"

#include <stddef.h>
#include <stdio.h>

// The members of ag_format in their order: name (GL's, and as text), image, read, texture, words,
// glsl, channels, bytes, store, hold. AG_ROW adds the prefixes.
#define AG_FORMATS(X)                                                                          \
    X(R8, R8, R8, R8, FLOATS, "r8", 1, 1, UNORM8, UNORM8)                                      \
    X(RG8, RG8, RG8, RG8, FLOATS, "rg8", 2, 2, UNORM8, UNORM8)                                 \
    X(RGBA8, RGBA8, RGBA8, R32UI, 8888, "rgba8", 4, 4, UNORM8, UNORM8)                         \
    X(SRGB8_ALPHA8, RGBA8, RGBA8, R32UI, 8888, "rgba8", 4, 4, SRGB8, FLOAT4)                   \
    X(RGB10_A2, RGB10_A2, RGB10_A2, R32UI, 10_10_10_2, "rgb10_a2", 4, 4, 10_10_10_2, UNORM10)  \
    X(R11F_G11F_B10F, R11F_G11F_B10F, R32UI, R32UI, 11_11_10, "r32ui", 3, 4, 11_11_10F, HALF4) \
    X(R16F, R16F, R16F, R16F, FLOATS, "r16f", 1, 2, 16F, HALF2)                                \
    X(RG16F, RG16F, RG16F, R32UI, 16_16, "rg16f", 2, 4, 16F, HALF2)                            \
    X(RGBA16F, RGBA16F, RGBA16F, RG32UI, 16_16, "rgba16f", 4, 8, 16F, HALF4)                   \
    X(R32F, R32F, R32F, R32F, FLOATS, "r32f", 1, 4, 32F, FLOAT1)                               \
    X(RG32F, RG32F, RG32F, RG32F, FLOATS, "rg32f", 2, 8, 32F, FLOAT2)                          \
    X(RGBA32F, RGBA32F, RGBA32F, RGBA32F, FLOATS, "rgba32f", 4, 16, 32F, FLOAT4)

// Of hosts that hand over video of more than 8 bits: read and written by bloom and convolutions.
#define AG_FRAME_FORMATS_ONLY(X) \
    X(RGBA16, RGBA16, RGBA16, RGBA16, FLOATS, "rgba16", 4, 8, UNORM16, FLOAT4)

// Integer SATs: only written.
#define AG_INTEGER_FORMATS(X)                                             \
    X(R32UI, R32UI, R32UI, R32UI, NONE, "r32ui", 1, 4, 32UI, FLOAT1)      \
    X(RG32UI, RG32UI, RG32UI, RG32UI, NONE, "rg32ui", 2, 8, 32UI, FLOAT2) \
    X(RGBA32UI, RGBA32UI, RGBA32UI, RGBA32UI, NONE, "rgba32ui", 4, 16, 32UI, FLOAT4)

// clang-format off

#define AG_ROW(n, i, r, t, w, glsl, c, b, store, hold)                                             \
    {GL_##n, GL_##i, GL_##r, GL_##t, AG_PACKING_##w, glsl, #n, c, b, AG_STORE_##store,             \
     AG_TEXEL_##hold, AG_STORE_##store == AG_STORE_SRGB8, false, false},
#define AG_DEPTH_ROW(n, bytes)                                                                     \
    {GL_##n, GL_##n, GL_##n, GL_##n, AG_PACKING_FLOATS, "", #n, 1, bytes, AG_STORE_32F,            \
     AG_TEXEL_FLOAT1, false, true, false},

static const ag_format formats[] = {
    AG_FORMATS(AG_ROW)
    AG_FRAME_FORMATS_ONLY(AG_ROW)
    AG_INTEGER_FORMATS(AG_ROW)
    AG_DEPTH_ROW(DEPTH_COMPONENT16, 2)
    AG_DEPTH_ROW(DEPTH_COMPONENT24, 4)
    AG_DEPTH_ROW(DEPTH_COMPONENT32, 4)
    AG_DEPTH_ROW(DEPTH_COMPONENT32F, 4)
    AG_DEPTH_ROW(DEPTH24_STENCIL8, 4)
    AG_DEPTH_ROW(DEPTH32F_STENCIL8, 8)
};

const uint32_t ag_depth_formats[AG_DEPTH_FORMATS] = {
    GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT32F,
    GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8, GL_R32F};

#define AG_NAME(n, i, r, t, w, glsl, c, b, store, hold) GL_##n,
const uint32_t ag_colour_formats[AG_COLOUR_FORMATS] = {AG_FORMATS(AG_NAME)};
const uint32_t ag_frame_formats[AG_FRAME_FORMATS] = {
    AG_FORMATS(AG_NAME) AG_FRAME_FORMATS_ONLY(AG_NAME)};

// clang-format on

const ag_format *ag_format_find(GLenum name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (formats[i].name == name)
            return &formats[i];
    return NULL;
}

// What hosts hand over and no effect takes, with what to use instead.
static const struct {
    GLenum name;
    const char *words;
} strange[] = {
    {0, "0; set the texture's sized internal format"},
    {GL_RED, "RED, which is unsized; use R8, R16F or R32F"},
    {GL_RG, "RG, which is unsized; use RG8, RG16F or RG32F"},
    {GL_RGB, "RGB, which is unsized; use RGBA8 or RGBA16F"},
    {GL_RGBA, "RGBA, which is unsized; use RGBA8, RGBA16F or RGBA32F"},
    {GL_BGR, "BGR, which is unsized; use RGBA8"},
    {GL_BGRA, "BGRA, which is unsized; use RGBA8"},
    {0x1906, "ALPHA, which is unsized; use R8"},
    {0x1909, "LUMINANCE, which is unsized; use R8"},
    {0x190A, "LUMINANCE_ALPHA, which is unsized; use RG8"},
    {GL_DEPTH_COMPONENT, "DEPTH_COMPONENT, which is unsized; use DEPTH_COMPONENT32F"},
    {GL_DEPTH_STENCIL, "DEPTH_STENCIL, which is unsized; use DEPTH24_STENCIL8"},
    {GL_SRGB, "SRGB, which is unsized; use SRGB8_ALPHA8"},
    {GL_SRGB_ALPHA, "SRGB_ALPHA, which is unsized; use SRGB8_ALPHA8"},
    {GL_RGB8, "RGB8; use RGBA8"},
    {GL_SRGB8, "SRGB8; use SRGB8_ALPHA8"},
    {GL_RGB16, "RGB16; use RGBA16 or RGBA16F"},
    {GL_RGB16F, "RGB16F; use RGBA16F"},
    {GL_RGB32F, "RGB32F; use RGBA32F"},
    {GL_R3_G3_B2, "R3_G3_B2; use RGBA8"},
    {GL_RGB4, "RGB4; use RGBA8"},
    {GL_RGB5, "RGB5; use RGBA8"},
    {GL_RGB565, "RGB565; use RGBA8"},
    {GL_RGB10, "RGB10; use RGB10_A2"},
    {GL_RGB12, "RGB12; use RGBA16"},
    {GL_RGBA2, "RGBA2; use RGBA8"},
    {GL_RGBA4, "RGBA4; use RGBA8"},
    {GL_RGB5_A1, "RGB5_A1; use RGBA8"},
    {GL_RGBA12, "RGBA12; use RGBA16"},
    {GL_RGB9_E5, "RGB9_E5; use R11F_G11F_B10F or RGBA16F"},
    {GL_RGB10_A2UI, "RGB10_A2UI; use RGB10_A2"},
    {GL_R16, "R16; use R16F or R32F"},
    {GL_RG16, "RG16; use RG16F or RG32F"},
    {GL_R8_SNORM, "R8_SNORM; use R16F"},
    {GL_RG8_SNORM, "RG8_SNORM; use RG16F"},
    {GL_RGB8_SNORM, "RGB8_SNORM; use RGBA16F"},
    {GL_RGBA8_SNORM, "RGBA8_SNORM; use RGBA16F"},
    {GL_R16_SNORM, "R16_SNORM; use R32F"},
    {GL_RG16_SNORM, "RG16_SNORM; use RG32F"},
    {GL_RGB16_SNORM, "RGB16_SNORM; use RGBA32F"},
    {GL_RGBA16_SNORM, "RGBA16_SNORM; use RGBA32F"},
    {GL_R8UI, "R8UI; use R8"},
    {GL_R8I, "R8I; use R8"},
    {GL_RG8UI, "RG8UI; use RG8"},
    {GL_RG8I, "RG8I; use RG8"},
    {GL_RGB8UI, "RGB8UI; use RGBA8"},
    {GL_RGB8I, "RGB8I; use RGBA8"},
    {GL_RGBA8UI, "RGBA8UI; use RGBA8"},
    {GL_RGBA8I, "RGBA8I; use RGBA8"},
    {GL_R16UI, "R16UI; use R16F or R32F"},
    {GL_R16I, "R16I; use R16F or R32F"},
    {GL_RG16UI, "RG16UI; use RG16F or RG32F"},
    {GL_RG16I, "RG16I; use RG16F or RG32F"},
    {GL_RGB16UI, "RGB16UI; use RGBA16F or RGBA32F"},
    {GL_RGB16I, "RGB16I; use RGBA16F or RGBA32F"},
    {GL_RGBA16UI, "RGBA16UI; use RGBA16F or RGBA32F"},
    {GL_RGBA16I, "RGBA16I; use RGBA16F or RGBA32F"},
    {GL_R32I, "R32I; use R32F"},
    {GL_RG32I, "RG32I; use RG32F"},
    {GL_RGB32UI, "RGB32UI; use RGBA32F"},
    {GL_RGB32I, "RGB32I; use RGBA32F"},
    {GL_RGBA32I, "RGBA32I; use RGBA32F"},
    {GL_STENCIL_INDEX8, "STENCIL_INDEX8"},
};

static const struct {
    GLenum first, last;
    const char *words;
} compressed[] = {
    {0x83F0, 0x83F3, "BC1, BC2 or BC3 (S3TC); use RGBA8"},
    {0x8C4C, 0x8C4F, "BC1, BC2 or BC3 (S3TC) in sRGB; use SRGB8_ALPHA8"},
    {0x8DBB, 0x8DBC, "BC4 (RGTC); use R8 or R16F"},
    {0x8DBD, 0x8DBE, "BC5 (RGTC); use RG8 or RG16F"},
    {0x8E8C, 0x8E8C, "BC7 (BPTC); use RGBA8"},
    {0x8E8D, 0x8E8D, "BC7 (BPTC) in sRGB; use SRGB8_ALPHA8"},
    {0x8E8E, 0x8E8F, "BC6H (BPTC); use RGBA16F"},
};

const char *ag_format_words(GLenum name, char *text)
{
    const ag_format *known = ag_format_find(name);
    const char *words = known ? known->text : NULL;
    for (size_t i = 0; !words && i < sizeof strange / sizeof *strange; ++i)
        words = strange[i].name == name ? strange[i].words : NULL;
    for (size_t i = 0; !words && i < sizeof compressed / sizeof *compressed; ++i)
        if (name >= compressed[i].first && name <= compressed[i].last)
            words = compressed[i].words;
    if (words)
        snprintf(text, AG_FORMAT_WORDS, "%s", words);
    else
        snprintf(text, AG_FORMAT_WORDS, "0x%04X, which no effect takes", name);
    return text;
}

// clang-format off

// A texel of light is four floats, whatever it was stored in. The rows differ in: the values are
// codes of sRGB's curve; highlights are expanded.
#define AG_LIGHT(n, i, r, t, w, glsl, c, b, store, srgb, expands)                                  \
    {GL_##n, GL_##i, GL_##r, GL_##t, AG_PACKING_##w, glsl, #n, c, b, store, AG_TEXEL_FLOAT4, srgb, \
     false, expands},
#define AG_SRGB_OF(store)                                        \
    ((store) == AG_STORE_UNORM8       ? AG_STORE_SRGB8           \
     : (store) == AG_STORE_10_10_10_2 ? AG_STORE_SRGB_10_10_10_2 \
     : (store) == AG_STORE_UNORM16    ? AG_STORE_SRGB16          \
                                      : (store))
#define AG_EXPANDED_ROW(n, i, r, t, w, glsl, c, b, store, hold) \
    AG_LIGHT(n, i, r, t, w, glsl, c, b, AG_STORE_##store, AG_STORE_##store == AG_STORE_SRGB8, true)
#define AG_CODES_ROW(n, i, r, t, w, glsl, c, b, store, hold) \
    AG_LIGHT(n, i, r, t, w, glsl, c, b, AG_SRGB_OF(AG_STORE_##store), true, false)
#define AG_BOTH_ROW(n, i, r, t, w, glsl, c, b, store, hold) \
    AG_LIGHT(n, i, r, t, w, glsl, c, b, AG_SRGB_OF(AG_STORE_##store), true, true)

static const ag_format light[3][AG_FRAME_FORMATS] = {
    {AG_FORMATS(AG_EXPANDED_ROW) AG_FRAME_FORMATS_ONLY(AG_EXPANDED_ROW)},
    {AG_FORMATS(AG_CODES_ROW) AG_FRAME_FORMATS_ONLY(AG_CODES_ROW)},
    {AG_FORMATS(AG_BOTH_ROW) AG_FRAME_FORMATS_ONLY(AG_BOTH_ROW)}};

// clang-format on

const ag_format *ag_format_light(const ag_format *format, bool srgb, bool expands)
{
    const ag_format *of = srgb || expands ? light[2 * srgb + expands - 1] : formats;
    bool floats = format->store == AG_STORE_32F || format->store == AG_STORE_16F ||
                  format->store == AG_STORE_11_11_10F;
    for (size_t i = 0; i < AG_FRAME_FORMATS && !(srgb && floats); ++i)
        if (of[i].name == format->name)
            return &of[i];
    return NULL;
}
