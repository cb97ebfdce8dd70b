// texture_ask.c - describes a texture of the host from its bare name
// SPDX-License-Identifier: MIT
#include "gl/texture_ask.h"
#include "base/abi.h"
#include "base/log.h"
#include "gl/format.h"

#ifndef GL_TEXTURE_TARGET
#define GL_TEXTURE_TARGET 0x1006 // OpenGL 4.5
#endif

// The query of a target's binding; 0: a target that no effect takes.
static GLenum binding_of(GLenum target)
{
    switch (target) {
    case GL_TEXTURE_2D: return GL_TEXTURE_BINDING_2D;
    case GL_TEXTURE_2D_ARRAY: return GL_TEXTURE_BINDING_2D_ARRAY;
    case GL_TEXTURE_2D_MULTISAMPLE: return GL_TEXTURE_BINDING_2D_MULTISAMPLE;
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY: return GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY;
    default: return 0;
    }
}

// OpenGL 4.3 itself cannot be asked for a texture's target. Where 4.5's function is missing, the
// host's word is taken.
static GLenum target_of(const ag_gl *gl, GLuint name, GLenum said)
{
    GLint target = 0;
    if (gl->GetTextureParameteriv)
        gl->GetTextureParameteriv(name, GL_TEXTURE_TARGET, &target);
    return target ? (GLenum)target : said ? said : GL_TEXTURE_2D;
}

typedef struct answer {
    GLint width, height, depth, format;
} answer;

// False if the texture has another target.
static bool ask(const ag_gl *gl, GLenum target, GLuint name, int32_t level, answer *a)
{
    GLint bound = 0, now = 0, immutable = 0, levels = 0;
    gl->GetIntegerv(binding_of(target), &bound);
    gl->BindTexture(target, name);
    gl->GetIntegerv(binding_of(target), &now);
    if ((GLuint)now != name)
        return false;
    // To ask for a level that no texture can have is a GL error.
    gl->GetTexParameteriv(target, GL_TEXTURE_IMMUTABLE_FORMAT, &immutable);
    if (immutable)
        gl->GetTexParameteriv(target, GL_TEXTURE_VIEW_NUM_LEVELS, &levels);
    else if (target == GL_TEXTURE_2D || target == GL_TEXTURE_2D_ARRAY)
        while (gl->max_texture_size >> levels)
            ++levels;
    else
        levels = 1;
    if (level < levels) {
        gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_WIDTH, &a->width);
        gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_HEIGHT, &a->height);
        gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_DEPTH, &a->depth);
        gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_INTERNAL_FORMAT, &a->format);
    }
    gl->BindTexture(target, (GLuint)bound);
    return true;
}

ag_status ag_texture_ask(ag_gpu *gpu, GLuint name, int32_t level, ag_texture *texture)
{
    const ag_host *host = &gpu->host;
    const ag_gl *gl = &gpu->gl;
    ag_texture mine;
    answer a = {0};
    ag_status status = ag_gpu_check(gpu);
    if (status >= 0)
        status = ag_read_struct(host, "texture", &mine, sizeof mine, texture);
    if (status < 0)
        return status;
    if (level < 0)
        return ag_fail(host, AG_E_ARG, "texture: level is %d; it must be 0 or more", level);
    if (!gl->IsTexture(name))
        return ag_fail(host, AG_E_ARG,
                       "texture: %u is no texture in this context. A name is one from the first "
                       "glBindTexture on",
                       name);
    GLenum target = target_of(gl, name, mine.target);
    if (!binding_of(target))
        return ag_fail(host, AG_E_ARG,
                       "texture: %u has the target 0x%04X; effects take 2D textures and 2D arrays",
                       name, target);
    if (!ask(gl, target, name, level, &a))
        return ag_fail(host, AG_E_ARG,
                       "texture: %u does not have the target 0x%04X; set texture->target, because "
                       "this context cannot be asked for it",
                       name, target);
    if (a.width < 1 || a.height < 1)
        return ag_fail(host, AG_E_ARG, "texture: %u has no level %d", name, level);
    char words[AG_FORMAT_WORDS];
    if (!ag_format_find((GLenum)a.format))
        return ag_fail(host, AG_E_FORMAT, "texture: level %d of %u has format %s", level, name,
                       ag_format_words((GLenum)a.format, words));
    bool array = target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    mine = (ag_texture){.struct_size = sizeof mine,
                        .name = name,
                        .target = target,
                        .format = (uint32_t)a.format,
                        .width = a.width,
                        .height = a.height,
                        .level = level,
                        .layers = array ? a.depth : 1,
                        .version = mine.version};
    return ag_write_struct(host, "texture", texture, &mine, sizeof mine);
}
