// block.c - what `#include "pass.glsl"` stands for: a step's slots, textures and settings as GLSL
// SPDX-License-Identifier: MIT
//
// Each slot or texture is a constant of a type of its own, so that load(src, p) selects a function
// by its first argument: GLSL has overloads, but neither references to images nor pasted words.
#include "passes/description.h"
#include "shaders/common/interface.h"
#include "shaders/pass/interface.h"

#include <stdio.h>

static void add_settings(const ag_description *d, const ag_request *request, ag_defines *to)
{
    for (int32_t i = 0; i < d->float_count; i += 4)
        ag_defines_add(to, "layout(location = %d) uniform vec4 u_floats_%d;\n",
                       AG_LOC_PASS_FLOATS + i / 4, i / 4);
    for (int32_t i = 0; i < d->int_count; i += 4)
        ag_defines_add(to, "layout(location = %d) uniform ivec4 u_ints_%d;\n",
                       AG_LOC_PASS_INTS + i / 4, i / 4);
    for (uint32_t i = 0; i < d->effect.info.setting_count; ++i) {
        static const char *const parts[] = {"x", "y", "z", "w", "xyz", "yzw"};
        const ag_setting_info *s = &d->settings[i];
        int32_t at = d->places[i];
        bool real = s->type == AG_FLOAT;
        const char *part = parts[at < 0 ? 0 : (s->count == 3 ? 4 : 0) + at % 4];
        for (uint32_t k = 0; k < s->name_count; ++k)
            ag_defines_add(to, "#define %s_%s %u\n", s->name, s->names[k], k);
        if (s->prepare == AG_PREPARE_PLAN)
            ag_defines_add(to, "#define setting_%s %d\n", s->name,
                           request->settings.words[s->offset / 4]);
        else if (at >= 0)
            ag_defines_add(to,
                           s->type == AG_BOOL ? "#define setting_%s (u_%s_%d.%s != 0)\n"
                                              : "#define setting_%s u_%s_%d.%s\n",
                           s->name, real ? "floats" : "ints", at / 4, part);
    }
}

// Functions of a texture of whole numbers, to which threads can add at once.
static void add_words(const ag_pass_use *use, ag_defines *to)
{
    const char *n = use->name;
    if (use->access & AG_READ)
        ag_defines_add(to,
                       "uint load_word(type_%s s, ivec2 p)\n{\n    ivec2 q = inside(u_%s, p);\n"
                       "    return b_%s.at[q.y * u_%s.z + q.x];\n}\n",
                       n, n, n, n);
    if (use->access & AG_WRITE)
        ag_defines_add(to,
                       "void store_word(type_%s s, ivec2 p, uint w)\n{\n    if (within(u_%s, p))\n"
                       "        b_%s.at[p.y * u_%s.z + p.x] = w;\n}\n",
                       n, n, n, n);
    if (use->access == (AG_READ | AG_WRITE))
        ag_defines_add(to,
                       "void add_word(type_%s s, ivec2 p, uint w)\n{\n    if (within(u_%s, p))\n"
                       "        atomicAdd(b_%s.at[p.y * u_%s.z + p.x], w);\n}\n",
                       n, n, n, n);
}

// Functions of a texture, which lies in a buffer.
static void add_texture(const ag_format *format, const ag_pass_use *use, int32_t binding,
                        ag_defines *to)
{
    static const struct {
        GLenum format;
        const char *type, *read, *write;
    } rows[] = {
        {GL_RGBA8, "uint", "unpackUnorm4x8(w)", "packUnorm4x8(c)"},
        {GL_RG16F, "uint", "vec4(unpackHalf2x16(w), 0.0, 1.0)", "pack_halves(c.rg)"},
        {GL_RGBA16F, "uvec2", "vec4(unpackHalf2x16(w.x), unpackHalf2x16(w.y))",
         "uvec2(pack_halves(c.rg), pack_halves(c.ba))"},
        {GL_R32F, "float", "vec4(w, 0.0, 0.0, 1.0)", "c.r"},
        {GL_RG32F, "vec2", "vec4(w, 0.0, 1.0)", "c.rg"},
        {GL_RGBA32F, "vec4", "w", "c"},
        {GL_R32UI, "uint", "", ""},
    };
    const char *n = use->name, *way = use->access == AG_READ    ? "readonly "
                                      : use->access == AG_WRITE ? "writeonly "
                                                                : "";
    size_t i = 0;
    while (rows[i].format != format->name)
        ++i;
    ag_defines_add(to, "layout(std430, binding = %d) %sbuffer Block_%s { %s at[]; } b_%s;\n",
                   binding, way, n, rows[i].type, n);
    if (format->name == GL_R32UI) {
        add_words(use, to);
        return;
    }
    if (use->access & AG_READ)
        ag_defines_add(to,
                       "vec4 load(type_%s s, ivec2 p)\n{\n"
                       "    ivec2 q = inside(u_%s, p);\n"
                       "    %s w = b_%s.at[q.y * u_%s.z + q.x];\n    return %s;\n}\n"
                       "BILINEAR(type_%s)\n",
                       n, n, rows[i].type, n, n, rows[i].read, n);
    if (use->access & AG_WRITE)
        ag_defines_add(to,
                       "void store(type_%s s, ivec2 p, vec4 c)\n{\n"
                       "    if (within(u_%s, p)) {\n        count_texels();\n"
                       "        b_%s.at[p.y * u_%s.z + p.x] = %s;\n    }\n}\n",
                       n, n, n, n, rows[i].write);
}

static void add_depth(const ag_pass_use *use, int32_t binding, ag_defines *to)
{
    const char *n = use->name;
    ag_defines_add(to,
                   "layout(binding = %d) uniform sampler2D t_%s;\n"
                   "vec4 load(type_%s s, ivec2 p) { return vec4(texelFetch(t_%s, inside(u_%s, p), "
                   "0).r, 0.0, 0.0, 1.0); }\nBILINEAR(type_%s)\n",
                   binding, n, n, n, n, n);
}

static void add_image(const ag_format *f, const ag_pass_use *use, int32_t binding, ag_defines *to)
{
    const char *n = use->name;
    bool packed = f->read == GL_R32UI, reads = use->access & AG_READ;
    bool floats = f->store == AG_STORE_32F || f->store == AG_STORE_16F || packed;
    if (use->access == AG_WRITE)
        ag_defines_add(to, "layout(binding = %d) writeonly uniform image2D i_%s;\n", binding, n);
    else
        ag_defines_add(to, "layout(%s, binding = %d) %suniform %simage2D i_%s;\n", f->glsl, binding,
                       use->access == AG_READ ? "readonly " : "", packed ? "u" : "", n);
    if (reads)
        ag_defines_add(to,
                       "vec4 load(type_%s s, ivec2 p) { return %s(%simageLoad(i_%s, inside(u_%s, "
                       "p))%s); }\nBILINEAR(type_%s)\n",
                       n,
                       f->srgb  ? "decoded"
                       : floats ? "clean"
                                : "",
                       packed ? "decode_11_11_10(" : "", n, n, packed ? ".x)" : "", n);
    if (use->access & AG_WRITE)
        ag_defines_add(to,
                       "void store(type_%s s, ivec2 p, vec4 c)\n{\n"
                       "    if (within(u_%s, p)) {\n        count_texels();\n"
                       "        imageStore(i_%s, u_%s.xy + p, rounded(%d, c));\n    }\n}\n",
                       n, n, n, n, f->store);
}

// A slot that a texture unit reads: as ag_format.texture, and four texels at once by textureGather.
static void add_sampled(const ag_format *f, const ag_pass_use *use, int32_t binding, ag_defines *to)
{
    static const char *const values[] = {[AG_PACKING_FLOATS] = "",
                                         [AG_PACKING_8888] = "of_8888",
                                         [AG_PACKING_10_10_10_2] = "of_10_10_10_2",
                                         [AG_PACKING_11_11_10] = "of_11_11_10",
                                         [AG_PACKING_16_16] = "of_halves"};
    const char *n = use->name, *w = f->words == AG_PACKING_FLOATS ? "vec4" : "uvec4";
    bool floats = f->store == AG_STORE_32F || f->store == AG_STORE_16F || f->read == GL_R32UI;
    int32_t words = f->words == AG_PACKING_FLOATS ? f->channels : (f->bytes + 3) / 4;
    bool halves = f->words == AG_PACKING_16_16 && words == 2;
    ag_defines_add(to,
                   "layout(binding = %d) uniform %ssampler2D t_%s;\n"
                   "vec4 value_of(type_%s s, %s w) { return %s(%s(w)); }\n"
                   "vec4 load(type_%s s, ivec2 p)\n{\n"
                   "    return value_of(s, texelFetch(t_%s, inside(u_%s, p), 0));\n}\n"
                   "GATHERED(type_%s, %s, t_%s, u_%s,",
                   binding, *w == 'u' ? "u" : "", n, n, w,
                   f->srgb             ? "decoded"
                   : floats && !halves ? "clean"
                                       : "",
                   halves ? "clean_halves" : values[f->words], n, n, n, n, w, n, n);
    for (int32_t i = 0; i < words; ++i)
        ag_defines_add(to, " GATHER(%s, t_%s, u_%s, %d, %c)", w, n, n, i, "xyzw"[i]);
    ag_defines_add(to, ")\n");
}

void ag_pass_block(const ag_description *d, const ag_pass_step *step, const ag_request *request,
                   ag_defines *to)
{
    int32_t units[3] = {0};
    ag_defines_add(to, "#define STEP_%s 1\n", step->name);
    for (int32_t i = 0; i < step->define_count; ++i)
        ag_define(to, step->defines[i].name, step->defines[i].value);
    ag_defines_add(to,
                   "#define GROUP_X %d\n#define GROUP_Y %d\n"
                   "layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;\n",
                   step->group[0], step->group[1]);
    if (step->repeats)
        ag_defines_add(to, "#define round_number u_run.y\n");
    add_settings(d, request, to);
    for (int32_t i = 0; i < step->use_count; ++i) {
        const ag_pass_use *use = &step->uses[i];
        const ag_format *format =
            use->slot >= 0 ? request->formats[use->slot] : d->textures[use->texture].format;
        const char *n = use->name;
        if (use->slot >= 0 && d->slots[use->slot].access & AG_OPTIONAL)
            ag_defines_add(to, "#define has_%s %d\n", n, format != NULL);
        if (!format)
            continue;
        ag_defines_add(to,
                       "layout(location = %d) uniform ivec4 u_%s;\n"
                       "struct type_%s { int none; };\nconst type_%s %s = type_%s(0);\n"
                       "ivec2 size_of(type_%s s) { return u_%s.zw; }\n"
                       "bool contains(type_%s s, ivec2 p) { return within(u_%s, p); }\n",
                       AG_LOC_PASS_USES + i, n, n, n, n, n, n, n, n, n);
        if (use->slot < 0)
            add_texture(format, use, units[2]++, to);
        else if (format->depth)
            add_depth(use, units[1]++, to);
        else if (ag_pass_samples(request, use))
            add_sampled(format, use, units[1]++, to);
        else
            add_image(format, use, units[0]++, to);
    }
}
