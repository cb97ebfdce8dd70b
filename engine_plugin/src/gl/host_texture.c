// host_texture.c - the host's textures: checked once, in prepare, and viewed where a view is needed
// SPDX-License-Identifier: MIT
#include "gl/host_texture.h"
#include "base/abi.h"
#include "base/log.h"
#include "base/memory.h"
#include "gl/format.h"

#ifndef GL_TEXTURE_TARGET
#define GL_TEXTURE_TARGET 0x1006 // OpenGL 4.5
#endif

// Which part of a texture is used may change freely; what it is may not.
static bool same_texture(const ag_texture *a, const ag_texture *b)
{
    return a->name == b->name && a->version == b->version && a->target == b->target &&
           a->format == b->format && a->width == b->width && a->height == b->height &&
           a->level == b->level && a->first_layer + a->layers <= b->first_layer + b->layers;
}

ag_known *ag_texture_find(const ag_gpu *gpu, const ag_texture *texture)
{
    ag_known *known = gpu->textures;
    while (known && !same_texture(texture, &known->checked))
        known = known->next;
    return known;
}

GLuint ag_texture_to_write(const ag_known *known)
{
    return !known ? 0 : known->view ? known->view : known->checked.name;
}

GLuint ag_texture_to_read(const ag_known *known)
{
    return known && known->codes ? known->codes : ag_texture_to_write(known);
}

// ---- what GL says ------------------------------------------------------------------------------

typedef struct facts { // what GL reports of the level
    GLint immutable, levels, layers, base, max;
    GLint last; // last level that may be queried; its size is 0 x 0 if it does not exist
    GLint width, height, depth, format, samples;
} facts;

static bool is_array(GLenum target)
{
    return target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

// An immutable texture has the levels that it was made with. For other textures, querying a level
// beyond those of the context's largest texture is a GL error.
static GLint last_level(const ag_gl *gl, GLenum target, const facts *f)
{
    GLint last = 0;
    if (f->immutable)
        return f->levels - 1;
    if (target == GL_TEXTURE_2D || target == GL_TEXTURE_2D_ARRAY)
        while (gl->max_texture_size >> (last + 1))
            ++last;
    return last;
}

static void ask_level(const ag_gl *gl, GLenum target, GLint level, facts *f)
{
    gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_WIDTH, &f->width);
    gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_HEIGHT, &f->height);
    gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_DEPTH, &f->depth);
    gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_INTERNAL_FORMAT, &f->format);
    gl->GetTexLevelParameteriv(target, level, GL_TEXTURE_SAMPLES, &f->samples);
}

// False if the texture has another target.
static bool read_facts(const ag_gl *gl, GLuint name, GLenum target, int32_t level, facts *f)
{
    GLint now = 0;
    GLuint former = ag_gpu_bind_texture(gl, target, name);
    gl->GetIntegerv(ag_gpu_texture_query(target), &now);
    if ((GLuint)now != name)
        return false;
    gl->GetTexParameteriv(target, GL_TEXTURE_IMMUTABLE_FORMAT, &f->immutable);
    gl->GetTexParameteriv(target, GL_TEXTURE_VIEW_NUM_LEVELS, &f->levels);
    gl->GetTexParameteriv(target, GL_TEXTURE_VIEW_NUM_LAYERS, &f->layers);
    gl->GetTexParameteriv(target, GL_TEXTURE_BASE_LEVEL, &f->base);
    gl->GetTexParameteriv(target, GL_TEXTURE_MAX_LEVEL, &f->max);
    f->last = last_level(gl, target, f);
    if (level <= f->last)
        ask_level(gl, target, level, f);
    gl->BindTexture(target, former);
    return true;
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

ag_status ag_texture_ask(ag_gpu *gpu, GLuint name, int32_t level, ag_texture *texture)
{
    const ag_host *host = &gpu->host;
    const ag_gl *gl = &gpu->gl;
    ag_texture mine;
    facts f = {0};
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
    if (!ag_gpu_texture_query(target))
        return ag_fail(host, AG_E_ARG,
                       "texture: %u has the target 0x%04X; effects take 2D textures and 2D arrays",
                       name, target);
    if (!read_facts(gl, name, target, level, &f))
        return ag_fail(host, AG_E_ARG,
                       "texture: %u does not have the target 0x%04X; set texture->target, because "
                       "this context cannot be asked for it",
                       name, target);
    if (f.width < 1 || f.height < 1)
        return ag_fail(host, AG_E_ARG, "texture: %u has no level %d", name, level);
    char words[AG_FORMAT_WORDS];
    if (!ag_format_find((GLenum)f.format))
        return ag_fail(host, AG_E_FORMAT, "texture: level %d of %u has format %s", level, name,
                       ag_format_words((GLenum)f.format, words));
    mine = (ag_texture){.struct_size = sizeof mine,
                        .name = name,
                        .target = target,
                        .format = (uint32_t)f.format,
                        .width = f.width,
                        .height = f.height,
                        .level = level,
                        .layers = is_array(target) ? f.depth : 1,
                        .version = mine.version};
    return ag_write_struct(host, "texture", texture, &mine, sizeof mine);
}

// ---- checks ------------------------------------------------------------------------------------

// Levels of a mutable texture may be missing or have any size; an immutable one may have too few
// levels.
static ag_status check_chain(const ag_gpu *gpu, const char *slot, const ag_texture *t,
                             int32_t more_levels, const facts *f)
{
    const ag_host *host = &gpu->host;
    const ag_gl *gl = &gpu->gl;
    char stated[AG_FORMAT_WORDS], found[AG_FORMAT_WORDS];
    GLint last = t->level + more_levels;
    if (f->immutable && last >= f->levels)
        return ag_fail(host, AG_E_ARG,
                       "slot %s: texture %u has %d levels; the chain needs levels %d to %d. "
                       "Create the texture with more levels, or set `levels` to %d",
                       slot, t->name, f->levels, t->level, last, f->levels - 1 - t->level);
    if (f->immutable)
        return AG_OK;
    if (last > f->max)
        return ag_fail(host, AG_E_ARG,
                       "slot %s: level %d of texture %u is beyond its MAX_LEVEL %d; GL then drops "
                       "what is written. Immutable textures (glTexStorage) have no such limit",
                       slot, last, t->name, f->max);
    ag_status status = AG_OK;
    GLuint former = ag_gpu_bind_texture(gl, t->target, t->name);
    for (GLint i = 1; i <= more_levels && status >= 0; ++i) {
        int32_t w = t->width >> i > 1 ? t->width >> i : 1,
                h = t->height >> i > 1 ? t->height >> i : 1;
        facts below = {0};
        ask_level(gl, t->target, t->level + i, &below);
        if (below.width != w || below.height != h || below.depth != f->depth ||
            (uint32_t)below.format != t->format)
            status = ag_fail(host, AG_E_ARG,
                             "slot %s: level %d of texture %u is %dx%dx%d, %s, in GL; the chain "
                             "needs %dx%dx%d, %s",
                             slot, t->level + i, t->name, below.width, below.height, below.depth,
                             ag_format_words((GLenum)below.format, found), w, h, f->depth,
                             ag_format_words(t->format, stated));
    }
    gl->BindTexture(t->target, former);
    return status;
}

// `more_levels`: so many below must exist as a chain.
static ag_status compare(const ag_gpu *gpu, const char *slot, bool reads, int32_t more_levels,
                         const ag_texture *t, const facts *f)
{
    const ag_host *host = &gpu->host;
    char stated[AG_FORMAT_WORDS], found[AG_FORMAT_WORDS];
    if (t->level > f->last)
        return ag_fail(host, AG_E_ARG, "slot %s: level is %d; %s %u has levels 0 .. %d%s", slot,
                       t->level, f->immutable ? "immutable texture" : "texture", t->name, f->last,
                       f->immutable ? "" : " at most, the limit of this context");
    if (f->width != t->width || f->height != t->height)
        return ag_fail(host, AG_E_ARG, "slot %s: level %d of texture %u is %dx%d in GL, not %dx%d",
                       slot, t->level, t->name, f->width, f->height, t->width, t->height);
    if ((uint32_t)f->format != t->format)
        return ag_fail(host, AG_E_ARG, "slot %s: texture %u is not %s; in GL it has format %s",
                       slot, t->name, ag_format_words(t->format, stated),
                       ag_format_words((GLenum)f->format, found));
    if (is_array(t->target) && t->first_layer + t->layers > f->depth)
        return ag_fail(host, AG_E_ARG,
                       "slot %s: texture %u has %d layers; first_layer %d + layers %d is more",
                       slot, t->name, f->depth, t->first_layer, t->layers);
    const ag_format *format = ag_format_find(t->format);
    bool needs_view = format->srgb || format->depth || (reads && format->read != format->image);
    if (!f->immutable && needs_view)
        return ag_fail(
            host, AG_E_FORMAT,
            "slot %s: texture %u is %s made by glTexImage; only immutable ones (glTexStorage) can "
            "be viewed as %s, which compute needs%s",
            slot, t->name, format->text,
            format->depth  ? "plain depth"
            : format->srgb ? "RGBA8"
                           : "R32UI",
            format->srgb ? "" : " to read it");
    if (!f->immutable && (t->level < f->base || t->level > f->max))
        return ag_fail(
            host, AG_E_ARG,
            "slot %s: level %d of texture %u is outside its BASE_LEVEL %d .. MAX_LEVEL %d; GL "
            "then reads 0. Immutable textures (glTexStorage) have no such limit",
            slot, t->level, t->name, f->base, f->max);
    return more_levels ? check_chain(gpu, slot, t, more_levels, f) : AG_OK;
}

// ---- records -----------------------------------------------------------------------------------

// A view of all levels, for image units.
static GLuint view_all(const ag_gpu *gpu, const ag_texture *t, GLenum format, const facts *f)
{
    const ag_gl *gl = &gpu->gl;
    GLuint view = 0;
    gl->GenTextures(1, &view);
    gl->TextureView(view, t->target, t->name, format, 0, (GLuint)f->levels, 0, (GLuint)f->layers);
    ag_gpu_label(gpu, GL_TEXTURE, view, "afterglow view");
    return view;
}

// Drops the records of a texture, or of all textures (0). Those of version `kept` stay; NULL: none.
static void drop(ag_gpu *gpu, GLuint texture, const uint64_t *kept, bool with_gl)
{
    for (ag_known **link = &gpu->textures; *link;) {
        ag_known *known = *link;
        if ((texture && known->checked.name != texture) ||
            (kept && known->checked.version == *kept)) {
            link = &known->next;
            continue;
        }
        *link = known->next;
        ++gpu->texture_changes;
        const GLuint views[] = {known->view, known->codes, known->texels}; // GL ignores 0
        if (with_gl)
            gpu->gl.DeleteTextures(3, views);
        ag_free(&gpu->host, known, sizeof *known);
    }
}

ag_status ag_texture_check(ag_gpu *gpu, const char *slot, const ag_texture_uses *uses,
                           const ag_texture *texture)
{
    const ag_format *format = ag_format_find(texture->format);
    ag_known *found = ag_texture_find(gpu, texture);
    bool wants_codes = uses->read && format->read != format->image;
    bool wants_texels = uses->sampled && !format->depth;
    bool right = found && (!wants_codes || found->codes) &&
                 (!wants_texels || found->texels || !found->immutable);
    int32_t more_levels = uses->more_levels;
    if (found) { // the new record must serve all earlier uses, too
        wants_codes |= found->codes != 0;
        wants_texels |= found->texels != 0;
    }
    if (right && found->more_levels >= more_levels)
        return AG_OK;
    facts f = {0};
    if (!gpu->gl.IsTexture(texture->name))
        return ag_fail(&gpu->host, AG_E_ARG,
                       "slot %s: name is %u, which is no texture in this context", slot,
                       texture->name);
    if (!read_facts(&gpu->gl, texture->name, texture->target, texture->level, &f))
        return ag_fail(&gpu->host, AG_E_ARG, "slot %s: texture %u does not have the target 0x%04X",
                       slot, texture->name, texture->target);
    ag_status status = compare(gpu, slot, uses->read, more_levels, texture, &f);
    if (status < 0)
        return status;
    if (right) {
        found->more_levels = more_levels;
        return AG_OK;
    }
    ag_known *known = ag_alloc(&gpu->host, sizeof *known);
    if (!known)
        return AG_E_MEMORY;
    *known = (ag_known){.next = gpu->textures,
                        .checked = *texture,
                        .more_levels = more_levels,
                        .immutable = f.immutable,
                        .levels = f.immutable ? f.levels : 0,
                        .samples = f.samples};
    if (is_array(texture->target)) { // all its layers exist
        known->checked.first_layer = 0;
        known->checked.layers = f.depth;
    }
    if (f.immutable && (f.levels > 1 || format->srgb || format->depth))
        known->view = view_all(gpu, texture, format->image, &f);
    if (wants_codes)
        known->codes = view_all(gpu, texture, format->read, &f);
    if (wants_texels &&
        f.immutable) // of the one level, because textureGather has no argument for it
        known->texels = ag_gpu_view(gpu, "afterglow view", texture->target, format->texture,
                                    texture->name, texture->level, f.layers);
    gpu->textures = known;
    ++gpu->texture_changes;
    return AG_OK;
}

ag_status ag_texture_validate(const ag_gpu *gpu, const char *slot, bool reads,
                              const ag_texture *texture)
{
    const ag_known *known = ag_texture_find(gpu, texture);
    facts f = {0};
    if (!known || !gpu->gl.IsTexture(texture->name))
        return ag_fail(
            &gpu->host, AG_E_STATE,
            "slot %s: texture %u was deleted after prepare; call forget before you delete a "
            "texture, and prepare with the new one",
            slot, texture->name);
    bool same = read_facts(&gpu->gl, texture->name, texture->target, texture->level, &f) &&
                known->immutable == (f.immutable != 0) &&
                (!f.immutable || known->levels == f.levels);
    if (!same)
        return ag_fail(
            &gpu->host, AG_E_STATE,
            "slot %s: texture %u is not the one that prepare saw; call forget before you delete a "
            "texture, and prepare with the new one",
            slot, texture->name);
    return compare(gpu, slot, reads, known->more_levels, texture, &f);
}

void ag_texture_settle(ag_gpu *gpu, const ag_texture *texture)
{
    drop(gpu, texture->name, &texture->version, true);
}

void ag_texture_forget(ag_gpu *gpu, GLuint texture, bool with_gl)
{
    drop(gpu, texture, NULL, with_gl);
}
