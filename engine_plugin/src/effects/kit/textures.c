// textures.c - textures as the shaders of a frame read and write them
// SPDX-License-Identifier: MIT
#include "effects/kit/textures.h"
#include "base/float_bits.h"

ag_reading ag_reading_of(const ag_request *request, int slot)
{
    return !(request->sampled >> slot & 1)                      ? AG_BY_IMAGE
           : request->slots[slot].target == GL_TEXTURE_2D_ARRAY ? AG_BY_TEXTURE_ARRAY
                                                                : AG_BY_TEXTURE;
}

void ag_source_defines(const ag_format *format, ag_reading reading, ag_defines *defines)
{
    ag_defines_add(defines,
                   "#define SRC_FORMAT %s\n#define SRC_CODES %d\n#define SRC_SRGB %d\n"
                   "#define SRC_TEXEL %d\n#define SRC_CHANNELS %d\n#define SRC_PACKING %d\n"
                   "#define ARRAY %d\n",
                   format->glsl, format->read == GL_R32UI, format->srgb + 2 * format->expands,
                   format->hold, format->channels,
                   reading == AG_BY_IMAGE ? AG_PACKING_NONE : format->words,
                   reading == AG_BY_TEXTURE_ARRAY);
}

ag_picture ag_slot_picture(const ag_frame *f, int slot)
{
    const ag_request *request = ag_frame_request(f);
    return (ag_picture){ag_slot(slot), &request->slots[slot], request->formats[slot], 0};
}

ag_view ag_picture_view(const ag_picture *source, uint32_t access, int32_t layer)
{
    return (ag_view){.of = source->of, .access = access, .layer = layer};
}

ag_view ag_packed_view(const ag_picture *source, uint32_t access, int32_t layer)
{
    static const GLenum words[] = {0, GL_R16UI, GL_R32UI, 0, GL_RG32UI}; // by channels
    ag_view view = ag_picture_view(source, access, layer);
    const ag_format *format = source->format;
    if (access == AG_READ && format->read == GL_RGBA16F && format->hold == AG_TEXEL_HALF4)
        view.format = GL_RG32UI;
    if (access == AG_WRITE && format->store == AG_STORE_16F)
        view.format = words[format->channels];
    return view;
}

void ag_read_uniforms(ag_uniform *u, const ag_picture *source, int32_t channels, bool scrub,
                      int32_t layer)
{
    const ag_texture *t = source->shape;
    u[0] =
        (ag_uniform)AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height);
    u[1] = (ag_uniform)AG_INTS(AG_LOC_SRC_MODE, channels, ag_float_bits(source->highlights), scrub,
                               t->first_layer + layer);
}

ag_shader *ag_picture_shader(ag_frame *f, const char *path, const ag_format *format)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_source_defines(format, AG_BY_IMAGE, defines);
    return shader;
}

void ag_shader_reads_like(const ag_frame *f, ag_shader *shader, int slot, const ag_format *format)
{
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_source_defines(format, ag_reading_of(ag_frame_request(f), slot), defines);
}

void ag_shader_reads(const ag_frame *f, ag_shader *shader, int slot)
{
    ag_shader_reads_like(f, shader, slot, ag_frame_request(f)->formats[slot]);
}

ag_view *ag_dispatch_reads_like(const ag_frame *f, ag_dispatch *dispatch, int slot,
                                const ag_picture *source, int32_t layer)
{
    bool by_image = ag_reading_of(ag_frame_request(f), slot) == AG_BY_IMAGE;
    ag_view *view = by_image ? &dispatch->images[AG_IMAGE_SRC] : &dispatch->textures[0];
    *view = ag_picture_view(source, AG_READ, layer);
    return view;
}

void ag_dispatch_reads(const ag_frame *f, ag_dispatch *dispatch, int slot, int32_t layer)
{
    ag_picture source = ag_slot_picture(f, slot);
    ag_dispatch_reads_like(f, dispatch, slot, &source, layer);
}
