// format.c - properties of each texture format
// SPDX-License-Identifier: MIT
#include "gl/format.h"
#include "shaders/common/interface.h"
#include "shaders/common/interface_store.h"

#include <stddef.h>

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
