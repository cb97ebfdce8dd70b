// format.c - properties of each texture format
// SPDX-License-Identifier: MIT
#include "gl/format.h"
#include "shaders/common/interface.h"
#include "shaders/common/interface_store.h"

#include <stddef.h>
#include <stdio.h>

// The members of ag_format in their order: name, image, read, texture, words, glsl, text, channels,
// bytes, store, hold, srgb.
#define AG_FORMATS(X)                                                                              \
    X(GL_R8, GL_R8, GL_R8, GL_R8, AG_PACKING_FLOATS, "r8", "R8", 1, 1, AG_STORE_UNORM8,            \
      AG_TEXEL_UNORM8, false)                                                                      \
    X(GL_RG8, GL_RG8, GL_RG8, GL_RG8, AG_PACKING_FLOATS, "rg8", "RG8", 2, 2, AG_STORE_UNORM8,      \
      AG_TEXEL_UNORM8, false)                                                                      \
    X(GL_RGBA8, GL_RGBA8, GL_RGBA8, GL_R32UI, AG_PACKING_8888, "rgba8", "RGBA8", 4, 4,             \
      AG_STORE_UNORM8, AG_TEXEL_UNORM8, false)                                                     \
    X(GL_SRGB8_ALPHA8, GL_RGBA8, GL_RGBA8, GL_R32UI, AG_PACKING_8888, "rgba8", "SRGB8_ALPHA8", 4,  \
      4, AG_STORE_SRGB8, AG_TEXEL_FLOAT4, true)                                                    \
    X(GL_RGB10_A2, GL_RGB10_A2, GL_RGB10_A2, GL_R32UI, AG_PACKING_10_10_10_2, "rgb10_a2",          \
      "RGB10_A2", 4, 4, AG_STORE_10_10_10_2, AG_TEXEL_UNORM10, false)                              \
    X(GL_R11F_G11F_B10F, GL_R11F_G11F_B10F, GL_R32UI, GL_R32UI, AG_PACKING_11_11_10, "r32ui",      \
      "R11F_G11F_B10F", 3, 4, AG_STORE_11_11_10F, AG_TEXEL_HALF4, false)                           \
    X(GL_R16F, GL_R16F, GL_R16F, GL_R16F, AG_PACKING_FLOATS, "r16f", "R16F", 1, 2, AG_STORE_16F,   \
      AG_TEXEL_HALF2, false)                                                                       \
    X(GL_RG16F, GL_RG16F, GL_RG16F, GL_R32UI, AG_PACKING_16_16, "rg16f", "RG16F", 2, 4,            \
      AG_STORE_16F, AG_TEXEL_HALF2, false)                                                         \
    X(GL_RGBA16F, GL_RGBA16F, GL_RGBA16F, GL_RG32UI, AG_PACKING_16_16, "rgba16f", "RGBA16F", 4, 8, \
      AG_STORE_16F, AG_TEXEL_HALF4, false)                                                         \
    X(GL_R32F, GL_R32F, GL_R32F, GL_R32F, AG_PACKING_FLOATS, "r32f", "R32F", 1, 4, AG_STORE_32F,   \
      AG_TEXEL_FLOAT1, false)                                                                      \
    X(GL_RG32F, GL_RG32F, GL_RG32F, GL_RG32F, AG_PACKING_FLOATS, "rg32f", "RG32F", 2, 8,           \
      AG_STORE_32F, AG_TEXEL_FLOAT2, false)                                                        \
    X(GL_RGBA32F, GL_RGBA32F, GL_RGBA32F, GL_RGBA32F, AG_PACKING_FLOATS, "rgba32f", "RGBA32F", 4,  \
      16, AG_STORE_32F, AG_TEXEL_FLOAT4, false)

// Of hosts that hand over video of more than 8 bits: read and written by bloom and convolutions.
#define AG_FRAME_FORMATS_ONLY(X)                                                               \
    X(GL_RGBA16, GL_RGBA16, GL_RGBA16, GL_RGBA16, AG_PACKING_FLOATS, "rgba16", "RGBA16", 4, 8, \
      AG_STORE_UNORM16, AG_TEXEL_FLOAT4, false)

// Integer SATs: only written.
#define AG_INTEGER_FORMATS(X)                                                                      \
    X(GL_R32UI, GL_R32UI, GL_R32UI, GL_R32UI, AG_PACKING_NONE, "r32ui", "R32UI", 1, 4,             \
      AG_STORE_32UI, AG_TEXEL_FLOAT1, false)                                                       \
    X(GL_RG32UI, GL_RG32UI, GL_RG32UI, GL_RG32UI, AG_PACKING_NONE, "rg32ui", "RG32UI", 2, 8,       \
      AG_STORE_32UI, AG_TEXEL_FLOAT2, false)                                                       \
    X(GL_RGBA32UI, GL_RGBA32UI, GL_RGBA32UI, GL_RGBA32UI, AG_PACKING_NONE, "rgba32ui", "RGBA32UI", \
      4, 16, AG_STORE_32UI, AG_TEXEL_FLOAT4, false)

static const ag_format formats[] = {
#define AG_FORMAT_ROW(name, image, read, texture, words, glsl, text, channels, bytes, store, hold, \
                      srgb)                                                                        \
    {name,     image, read,  texture, words, glsl,  text,                                          \
     channels, bytes, store, hold,    srgb,  false, false},
    AG_FORMATS(AG_FORMAT_ROW) AG_FRAME_FORMATS_ONLY(AG_FORMAT_ROW) AG_INTEGER_FORMATS(AG_FORMAT_ROW)
#undef AG_FORMAT_ROW
#define AG_DEPTH_ROW(name, text, bytes)                            \
    {                                                              \
        name, name, name,  name,         AG_PACKING_FLOATS, "",    \
        text, 1,    bytes, AG_STORE_32F, AG_TEXEL_FLOAT1,   false, \
        true, false},
        AG_DEPTH_ROW(GL_DEPTH_COMPONENT16, "DEPTH_COMPONENT16", 2)
            AG_DEPTH_ROW(GL_DEPTH_COMPONENT24, "DEPTH_COMPONENT24", 4)
                AG_DEPTH_ROW(GL_DEPTH_COMPONENT32, "DEPTH_COMPONENT32", 4)
                    AG_DEPTH_ROW(GL_DEPTH_COMPONENT32F, "DEPTH_COMPONENT32F", 4)
                        AG_DEPTH_ROW(GL_DEPTH24_STENCIL8, "DEPTH24_STENCIL8", 4)
                            AG_DEPTH_ROW(GL_DEPTH32F_STENCIL8, "DEPTH32F_STENCIL8", 8)
#undef AG_DEPTH_ROW
};

const uint32_t ag_depth_formats[AG_DEPTH_FORMATS] = {GL_DEPTH_COMPONENT16,
                                                     GL_DEPTH_COMPONENT24,
                                                     GL_DEPTH_COMPONENT32,
                                                     GL_DEPTH_COMPONENT32F,
                                                     GL_DEPTH24_STENCIL8,
                                                     GL_DEPTH32F_STENCIL8,
                                                     GL_R32F};

const uint32_t ag_colour_formats[AG_COLOUR_FORMATS] = {
#define AG_FORMAT_NAME(name, image, read, texture, words, glsl, text, channels, bytes, store, \
                       hold, srgb)                                                            \
    name,
    AG_FORMATS(AG_FORMAT_NAME)};

const uint32_t ag_frame_formats[AG_FRAME_FORMATS] = {AG_FORMATS(AG_FORMAT_NAME)
                                                         AG_FRAME_FORMATS_ONLY(AG_FORMAT_NAME)};
#undef AG_FORMAT_NAME

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
// A texel of light is four floats, whatever it was stored in.
#define AG_STORE_SRGB_OF(store)                                     \
    ((store) == AG_STORE_UNORM8       ? AG_STORE_SRGB8              \
     : (store) == AG_STORE_10_10_10_2 ? AG_STORE_SRGB_10_10_10_2    \
     : (store) == AG_STORE_UNORM16    ? AG_STORE_SRGB16             \
                                      : (store))
#define AG_LIGHT_ROW(n, i, r, t, w, glsl, text, c, b, store, hold, srgb) \
    {n, i, r, t, w, glsl, text, c, b, store, AG_TEXEL_FLOAT4, srgb, false, true},
#define AG_CODES_ROW(n, i, r, t, w, glsl, text, c, b, store, hold, srgb) \
    {n, i, r, t, w, glsl, text, c, b, AG_STORE_SRGB_OF(store), AG_TEXEL_FLOAT4, true, false, false},
#define AG_BOTH_ROW(n, i, r, t, w, glsl, text, c, b, store, hold, srgb) \
    {n, i, r, t, w, glsl, text, c, b, AG_STORE_SRGB_OF(store), AG_TEXEL_FLOAT4, true, false, true},
// clang-format on

static const ag_format expanded[] = {AG_FORMATS(AG_LIGHT_ROW) AG_FRAME_FORMATS_ONLY(AG_LIGHT_ROW)};
static const ag_format codes[] = {AG_FORMATS(AG_CODES_ROW) AG_FRAME_FORMATS_ONLY(AG_CODES_ROW)};
static const ag_format expanded_codes[] = {AG_FORMATS(AG_BOTH_ROW)
                                               AG_FRAME_FORMATS_ONLY(AG_BOTH_ROW)};

const ag_format *ag_format_light(const ag_format *format, bool srgb, bool expands)
{
    const ag_format *of = srgb ? (expands ? expanded_codes : codes) : expands ? expanded : formats;
    bool floats = format->store == AG_STORE_32F || format->store == AG_STORE_16F ||
                  format->store == AG_STORE_11_11_10F;
    for (size_t i = 0; i < AG_FRAME_FORMATS && !(srgb && floats); ++i)
        if (of[i].name == format->name)
            return &of[i];
    return NULL;
}
