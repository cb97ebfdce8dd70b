// textures.c - textures as the shaders of a frame read and write them
// SPDX-License-Identifier: MIT
#include "effects/kit/textures.h"
#include "base/float_bits.h"

int32_t ag_reading_of(const ag_request *request, int slot)
{
    return !(request->sampled >> slot & 1)                      ? AG_BY_IMAGE
           : request->slots[slot].target == GL_TEXTURE_2D_ARRAY ? AG_BY_TEXTURE_ARRAY
                                                                : AG_BY_TEXTURE;
}

// Whether an image unit may read a format as packed halves.
static bool packs(const ag_format *format)
{
    return format->read == GL_RGBA16F && format->hold == AG_TEXEL_HALF4;
}

static void add_source(const ag_format *format, int32_t reading, int32_t packing, ag_defines *to)
{
    ag_defines_add(to,
                   "#define SRC_UNIT %d\n#define SRC_PACKING %d\n#define SRC_CHANNELS %d\n"
                   "#define SRC_SRGB %d\n",
                   reading, packing, format->channels, format->srgb + 2 * format->expands);
    if (reading < AG_BY_TEXTURE)
        ag_defines_add(to, "#define SRC_FORMAT %s\n",
                       packing == AG_PACKING_16_16 ? "rg32ui" : format->glsl);
}

void ag_source_defines(const ag_format *format, int32_t reading, ag_defines *defines)
{
    int32_t image = format->read == GL_R32UI ? AG_PACKING_11_11_10 : AG_PACKING_FLOATS;
    add_source(format, reading, reading < AG_BY_TEXTURE ? image : format->words, defines);
}

ag_picture ag_slot_picture(const ag_frame *f, int slot)
{
    const ag_request *request = ag_frame_request(f);
    return (ag_picture){.of = ag_slot(slot),
                        .shape = &request->slots[slot],
                        .format = request->formats[slot],
                        .reading = ag_reading_of(request, slot)};
}

ag_picture ag_own_picture(ag_frame *f, const ag_own *own, const ag_texture *shape)
{
    return (ag_picture){.of = ag_own_memory(f, own),
                        .shape = shape,
                        .format = ag_format_find(own->format)};
}

ag_view ag_picture_view(const ag_picture *source, uint32_t access, int32_t layer)
{
    ag_view view = {.of = source->of, .access = access, .layer = layer};
    if (source->stacked) {
        view.layer = 0;
        view.bytes = (uint64_t)source->shape->rect_width * (uint64_t)source->shape->rect_height *
                     (uint64_t)source->format->bytes;
    }
    return view;
}

ag_view ag_packed_view(const ag_picture *source, uint32_t access, int32_t layer)
{
    static const GLenum words[] = {0, GL_R16UI, GL_R32UI, 0, GL_RG32UI}; // by channels
    ag_view view = ag_picture_view(source, access, layer);
    const ag_format *format = source->format;
    if (access == AG_READ && packs(format))
        view.format = GL_RG32UI;
    if (access & AG_WRITE && format->store == AG_STORE_16F)
        view.format = words[format->channels];
    return view;
}

void ag_read_uniforms(ag_uniform *u, const ag_picture *source, int32_t channels, bool scrub,
                      int32_t layer)
{
    u[0] = ag_layer_uniform(AG_LOC_SRC_RECT, source, layer);
    u[1] = (ag_uniform)AG_INTS(AG_LOC_SRC_MODE, channels, ag_float_bits(source->highlights), scrub,
                               source->shape->first_layer + layer);
}

ag_uniform ag_rect_uniform(int32_t location, const ag_texture *t)
{
    return (ag_uniform)AG_INTS(location, t->rect_x, t->rect_y, t->rect_width, t->rect_height);
}

ag_uniform ag_layer_uniform(int32_t location, const ag_picture *picture, int32_t layer)
{
    ag_uniform rect = ag_rect_uniform(location, picture->shape);
    if (picture->stacked)
        rect.value.i[1] += layer * picture->shape->rect_height;
    return rect;
}

ag_shader *ag_picture_shader(ag_frame *f, const char *path, const ag_format *format)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_shader_reads_picture(shader, &(ag_picture){.format = format, .reading = AG_BY_IMAGE});
    return shader;
}

void ag_shader_define_format(ag_shader *shader, const char *name, const ag_format *format)
{
    ag_defines *defines = ag_shader_defines(shader);
    if (defines && format)
        ag_defines_add(defines, "#define %s %s\n", name, format->glsl);
}

void ag_shader_reads_picture(ag_shader *shader, const ag_picture *source)
{
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_source_defines(source->format, source->reading, defines);
}

void ag_shader_reads_packed(ag_shader *shader, const ag_picture *source)
{
    ag_defines *defines = ag_shader_defines(shader);
    if (defines && source->reading == AG_BY_IMAGE && packs(source->format))
        add_source(source->format, source->reading, AG_PACKING_16_16, defines);
    else
        ag_shader_reads_picture(shader, source);
}

ag_view *ag_dispatch_reads_picture(ag_dispatch *dispatch, const ag_picture *source, int32_t layer)
{
    ag_view *view =
        source->reading == AG_BY_IMAGE ? &dispatch->images[AG_IMAGE_SRC] : &dispatch->textures[0];
    *view = ag_picture_view(source, AG_READ, layer);
    return view;
}

void ag_shader_reads(const ag_frame *f, ag_shader *shader, int slot)
{
    ag_picture source = ag_slot_picture(f, slot);
    ag_shader_reads_picture(shader, &source);
}

void ag_dispatch_reads(const ag_frame *f, ag_dispatch *dispatch, int slot, int32_t layer)
{
    ag_picture source = ag_slot_picture(f, slot);
    ag_dispatch_reads_picture(dispatch, &source, layer);
}
