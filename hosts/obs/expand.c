// expand.c - the curve that gives SDR frames highlights for the bloom, and its inverse
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. A plugin that is built of it links libobs, which is
// under the GNU GPL, version 2 or later, so the built plugin is distributed under those terms.
//
// The frame of an SDR source ends at white: a lamp is as bright as the paper under it, and a bloom
// of it is hardly seen. With m the largest of r, g, b of a texel, linear and in 0 .. 1, and h the
// setting `highlights`
//
//   expand:    c / (1 - k m)     k = 1 - 1/h: m = 0 stays, white becomes h, hue stays
//   compress:  c / (1 + k m)     the exact inverse; m is that of the bloomed texel
//
// So the frame is unchanged where nothing blooms, and glows end softly below white. This is the
// tone curve of Reinhard et al. 2002, Photographic Tone Reproduction for Digital Images, scaled so
// that h becomes 1, on the largest channel.
#include "filter.h"

static const char text[] =
    "uniform float4x4 ViewProj;\n"
    "uniform texture2d image;\n"
    "uniform float k;\n"
    "sampler_state points { Filter = Point; AddressU = Clamp; AddressV = Clamp; };\n"
    "struct Vertex { float4 pos : POSITION; float2 uv : TEXCOORD0; };\n"
    "Vertex place(Vertex v)\n"
    "{\n"
    "    v.pos = mul(float4(v.pos.xyz, 1.0), ViewProj);\n"
    "    return v;\n"
    "}\n"
    "float4 expand(Vertex v) : TARGET\n"
    "{\n"
    "    float4 c = image.Sample(points, v.uv);\n"
    "    return float4(c.rgb / (1.0 - k * min(max(max(c.r, c.g), c.b), 1.0)), c.a);\n"
    "}\n"
    "float4 compress(Vertex v) : TARGET\n"
    "{\n"
    "    float4 c = image.Sample(points, v.uv);\n"
    "    return float4(c.rgb / (1.0 + k * max(max(max(c.r, c.g), c.b), 0.0)), c.a);\n"
    "}\n"
    "technique Expand { pass { vertex_shader = place(v); pixel_shader = expand(v); } }\n"
    "technique Compress { pass { vertex_shader = place(v); pixel_shader = compress(v); } }\n";

gs_effect_t *curve_create(void)
{
    char *errors = NULL;
    gs_effect_t *effect = gs_effect_create(text, "afterglow expand", &errors);
    if (!effect)
        blog(LOG_ERROR, "[afterglow] expand.c: %s", errors ? errors : "its shaders do not compile");
    bfree(errors);
    return effect;
}

static float curve_factor(float highlights)
{
    return highlights > 1 ? 1 - 1 / highlights : 0; // also of NaN
}

void curve_expand(gs_effect_t *effect, gs_texture_t *codes, float highlights)
{
    gs_effect_set_float(gs_effect_get_param_by_name(effect, "k"), curve_factor(highlights));
    gs_effect_set_texture_srgb(gs_effect_get_param_by_name(effect, "image"), codes);
    while (gs_effect_loop(effect, "Expand"))
        gs_draw_sprite(codes, 0, 0, 0);
}

void curve_compress(gs_effect_t *effect, gs_texture_t *light, float highlights)
{
    gs_effect_set_float(gs_effect_get_param_by_name(effect, "k"), curve_factor(highlights));
    gs_effect_set_texture(gs_effect_get_param_by_name(effect, "image"), light);
    while (gs_effect_loop(effect, "Compress"))
        gs_draw_sprite(light, 0, 0, 0);
}
