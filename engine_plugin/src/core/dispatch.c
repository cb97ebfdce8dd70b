// dispatch.c - the only code that binds, dispatches, places barriers, times and unbinds
// SPDX-License-Identifier: MIT
#include "core/dispatch.h"

#include <assert.h>
#include <string.h>

// ---- saving and restoring ----------------------------------------------------------------------

static void save(const ag_gpu *gpu, const ag_units *units, ag_gl_state *state)
{
    const ag_gl *gl = &gpu->gl;
    GLint value = 0;
    gl->GetIntegerv(GL_CURRENT_PROGRAM, &value);
    *state = (ag_gl_state){.struct_size = sizeof *state, .program = (uint32_t)value};
    for (GLuint i = 0; i < units->images; ++i) {
        GLuint unit = gpu->gl.image_unit_base + i;
        struct ag_image_unit *image = &state->images[i];
        GLboolean layered = GL_FALSE;
        gl->GetIntegeri_v(GL_IMAGE_BINDING_NAME, unit, &value);
        image->texture = (uint32_t)value;
        gl->GetBooleani_v(GL_IMAGE_BINDING_LAYERED, unit, &layered);
        image->layered = layered;
        gl->GetIntegeri_v(GL_IMAGE_BINDING_ACCESS, unit, &value);
        image->access = (uint32_t)value;
        gl->GetIntegeri_v(GL_IMAGE_BINDING_FORMAT, unit, &value);
        image->format = (uint32_t)value;
        gl->GetIntegeri_v(GL_IMAGE_BINDING_LEVEL, unit, &image->level);
        gl->GetIntegeri_v(GL_IMAGE_BINDING_LAYER, unit, &image->layer);
    }
    for (GLuint i = 0; i < units->ssbos; ++i) {
        GLuint binding = gpu->gl.ssbo_base + i;
        GLint64 start = 0, size = 0;
        gl->GetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, binding, &value);
        gl->GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_START, binding, &start);
        gl->GetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, binding, &size);
        state->ssbos[i] = (struct ag_ssbo){(uint32_t)value, 0, (uint64_t)start, (uint64_t)size};
    }
    gl->GetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &value);
    state->ssbo_generic = (uint32_t)value;
}

// Saves one of our texture units, when the first texture is bound there.
static void save_texture(const ag_gpu *gpu, GLuint unit, GLenum target, ag_gl_state *state)
{
    const ag_gl *gl = &gpu->gl;
    struct ag_texture_unit *saved = &state->textures[unit];
    GLenum query = target == GL_TEXTURE_2D               ? GL_TEXTURE_BINDING_2D
                   : target == GL_TEXTURE_2D_ARRAY       ? GL_TEXTURE_BINDING_2D_ARRAY
                   : target == GL_TEXTURE_2D_MULTISAMPLE ? GL_TEXTURE_BINDING_2D_MULTISAMPLE
                                                         : GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY;
    GLint value = 0;
    if (!state->active_texture) { // with the first unit: the next one would find ours active
        gl->GetIntegerv(GL_ACTIVE_TEXTURE, &value);
        state->active_texture = (uint32_t)value;
    }
    gl->ActiveTexture(GL_TEXTURE0 + gl->texture_unit_base + unit);
    gl->GetIntegerv(query, &value);
    saved->texture = (uint32_t)value;
    saved->target = target;
    gl->GetIntegerv(GL_SAMPLER_BINDING, &value);
    saved->sampler = (uint32_t)value;
}

static void put_back_textures(const ag_recording *r, const ag_gl_state *state)
{
    const ag_gl *gl = &r->gpu->gl;
    bool used = false;
    for (GLuint i = 0; i < r->units.textures; ++i) {
        const struct ag_texture_unit *unit = &state->textures[i];
        GLenum target = r->textures[i].target;
        if (!r->textures[i].texture)
            continue;
        gl->ActiveTexture(GL_TEXTURE0 + gl->texture_unit_base + i);
        gl->BindTexture(target, !unit->target || unit->target == target ? unit->texture : 0);
        gl->BindSampler(gl->texture_unit_base + i, unit->sampler);
        used = true;
    }
    if (used)
        gl->ActiveTexture(state->active_texture ? state->active_texture : GL_TEXTURE0);
}

// Restores every unit that the effect may use, also those that this recording did not use, so that
// the host knows their state without knowing the method.
static void put_back(const ag_recording *r, const ag_gl_state *state)
{
    const ag_gl *gl = &r->gpu->gl;
    gl->UseProgram(state->program);
    for (GLuint i = 0; i < r->units.images; ++i) {
        const struct ag_image_unit *image = &state->images[i];
        // An empty unit has an access and a format, too; zeros from the host mean GL's initial
        // values.
        gl->BindImageTexture(r->gpu->gl.image_unit_base + i, image->texture, image->level,
                             image->layered ? GL_TRUE : GL_FALSE, image->layer,
                             image->access ? image->access : GL_READ_ONLY,
                             image->format ? image->format : GL_R8);
    }
    for (GLuint i = 0; i < r->units.ssbos; ++i) {
        const struct ag_ssbo *ssbo = &state->ssbos[i];
        if (ssbo->buffer && ssbo->bytes)
            gl->BindBufferRange(GL_SHADER_STORAGE_BUFFER, r->gpu->gl.ssbo_base + i, ssbo->buffer,
                                (GLintptr)ssbo->offset, (GLsizeiptr)ssbo->bytes);
        else
            gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, r->gpu->gl.ssbo_base + i, ssbo->buffer);
    }
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, state->ssbo_generic);
    put_back_textures(r, state);
}

// ---- recording ---------------------------------------------------------------------------------

static void push(const ag_recording *r, const char *name)
{
    if (r->gpu->gl.labels)
        r->gpu->gl.PushDebugGroup(GL_DEBUG_SOURCE_THIRD_PARTY, 0, -1, name);
}

static void pop(const ag_recording *r)
{
    if (r->gpu->gl.labels)
        r->gpu->gl.PopDebugGroup();
}

GLuint ag_image_units(const ag_gl *gl, GLuint wanted)
{
    GLuint base = gl->image_unit_base;
    GLuint most = gl->max_image_units > AG_IMAGE_MAX ? AG_IMAGE_MAX : (GLuint)gl->max_image_units;
    GLuint left = base < most ? most - base : 0;
    GLuint units = wanted < left ? wanted : left;
    return units < AG_IMAGE_COUNT ? AG_IMAGE_COUNT : units;
}

void ag_record_begin(ag_recording *r, const ag_gpu *gpu, const char *name, ag_units units,
                     GLbitfield bits, bool restore_by_get, const ag_gl_state *restore,
                     ag_timer *timer, ag_sample *sample)
{
    *r = (ag_recording){.gpu = gpu,
                        .timer = timer,
                        .units = units,
                        .restore_by_get = restore_by_get,
                        .restore = restore,
                        .sample = sample,
                        .by_step = sample && sample->by_step};
    push(r, name);
    if (restore_by_get)
        save(gpu, &units, &r->saved);
    ag_timer_stamp(timer, sample, 0);
    gpu->gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | bits);
}

void ag_record_begin_prepare(ag_recording *r, const ag_gpu *gpu, const char *name)
{
    ag_units units = {AG_IMAGE_COUNT, AG_SSBO_COUNT, 1};
    ag_record_begin(r, gpu, name, units, 0, true, NULL, NULL, NULL);
    r->in_prepare = true;
}

void ag_record_step(ag_recording *r, uint32_t step, const char *name, bool waits)
{
    if (r->grouped)
        pop(r);
    if (waits)
        r->gpu->gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (r->by_step && step)
        ag_timer_stamp(r->timer, r->sample, step);
    push(r, name);
    r->grouped = true;
}

void ag_record_wait(ag_recording *r, GLbitfield bits)
{
    r->gpu->gl.MemoryBarrier(bits);
}

static void bind_image(ag_recording *r, GLuint i, const ag_image_binding *image)
{
    ag_image_binding *bound = &r->images[i];
    if (!image->texture || (bound->texture == image->texture && bound->level == image->level &&
                            bound->layer == image->layer && bound->access == image->access &&
                            bound->format == image->format && bound->layered == image->layered))
        return;
    r->gpu->gl.BindImageTexture(r->gpu->gl.image_unit_base + i, image->texture, image->level,
                                image->layered ? GL_TRUE : GL_FALSE, image->layer, image->access,
                                image->format);
    *bound = *image;
}

static void bind_range(ag_recording *r, GLuint i, const ag_range *range)
{
    ag_range *bound = &r->ranges[i];
    if (!range->buffer || (bound->buffer == range->buffer && bound->offset == range->offset &&
                           bound->bytes == range->bytes))
        return;
    assert(range->bytes <= (uint64_t)r->gpu->gl.max_ssbo_bytes);
    assert(range->offset % (uint64_t)r->gpu->gl.ssbo_alignment == 0);
    r->gpu->gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, r->gpu->gl.ssbo_base + i, range->buffer,
                               (GLintptr)range->offset, (GLsizeiptr)range->bytes);
    *bound = *range;
}

static void bind_texture(ag_recording *r, GLuint i, const ag_texture_binding *texture)
{
    const ag_gl *gl = &r->gpu->gl;
    ag_texture_binding *bound = &r->textures[i];
    if (!texture->texture ||
        (bound->texture == texture->texture && bound->target == texture->target))
        return;
    if (r->restore_by_get && !bound->texture)
        save_texture(r->gpu, i, texture->target, &r->saved);
    gl->ActiveTexture(GL_TEXTURE0 + gl->texture_unit_base + i);
    gl->BindTexture(texture->target, texture->texture);
    if (!bound->texture)
        gl->BindSampler(gl->texture_unit_base + i, 0); // the view has its own sampling parameters
    *bound = *texture;
}

// Drivers with more units than the standard promises would not detect these errors.
static void check(const ag_recording *r, const ag_gl_dispatch *d)
{
    int outputs = 0;
    for (GLuint i = 0; i < AG_IMAGE_MAX; ++i) {
        outputs += d->images[i].texture != 0;
        assert(!d->images[i].texture || i < r->units.images);
    }
    for (GLuint i = 0; i < AG_SSBO_COUNT; ++i) {
        outputs += d->ranges[i].buffer != 0;
        assert(!d->ranges[i].buffer || i < r->units.ssbos);
    }
    for (GLuint i = 0; i < AG_TEXTURE_MAX; ++i) {
        assert(!d->textures[i].texture || i < r->units.textures);
        // One target per unit, because only that target is restored.
        assert(!d->textures[i].texture || !r->textures[i].texture ||
               d->textures[i].target == r->textures[i].target);
    }
    assert(r->units.images <= AG_IMAGE_MAX && AG_SSBO_COUNT <= 8);
    assert(outputs <= r->gpu->gl.max_outputs);
    for (uint32_t i = 0; i < d->uniform_count; ++i)
        assert(d->uniforms[i].location >= 0 && d->uniforms[i].location < AG_MAX_LOCATIONS);
    for (int i = 0; i < 3; ++i)
        assert(d->groups[i] > 0 && d->groups[i] <= (uint32_t)r->gpu->gl.max_groups[i]);
    (void)r;
    (void)outputs;
}

// A program keeps the values of its uniforms, and most do not change from frame to frame. Skipping
// these saves about twenty calls a frame.
static void set_uniform(const ag_gl *gl, const ag_program *program, const ag_uniform *u)
{
    ag_values *values = program->values;
    union ag_value *value = &values->at[u->location];
    uint64_t bit = (uint64_t)1 << u->location;
    if ((values->known & bit) && !memcmp(value, &u->value, sizeof *value))
        return;
    if (u->is_float)
        gl->ProgramUniform4fv(program->name, u->location, 1, u->value.f);
    else
        gl->ProgramUniform4iv(program->name, u->location, 1, u->value.i);
    memcpy(value, &u->value, sizeof *value);
    values->known |= bit;
}

// Rare, so the host's binding is asked for each time, and is no part of ag_gl_state.
static void dispatch_indirect(const ag_gl *gl, const ag_range *groups)
{
    GLint bound = 0;
    gl->GetIntegerv(GL_DISPATCH_INDIRECT_BUFFER_BINDING, &bound);
    gl->BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, groups->buffer);
    gl->DispatchComputeIndirect((GLintptr)groups->offset);
    gl->BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, (GLuint)bound);
}

void ag_record(ag_recording *r, const ag_gl_dispatch *d)
{
    const ag_gl *gl = &r->gpu->gl;
    check(r, d);
    if (r->program != d->program->name) {
        gl->UseProgram(d->program->name);
        r->program = d->program->name;
    }
    for (GLuint i = 0; i < AG_IMAGE_MAX; ++i)
        bind_image(r, i, &d->images[i]);
    for (GLuint i = 0; i < AG_TEXTURE_MAX; ++i)
        bind_texture(r, i, &d->textures[i]);
    for (GLuint i = 0; i < AG_SSBO_COUNT; ++i)
        bind_range(r, i, &d->ranges[i]);
    ag_use *use = d->program->use;
    use->in_prepare = use->in_prepare || r->in_prepare;
    if (r->sample && !use->seen)
        r->sample->first = true;
    use->seen = true;
    for (uint32_t i = 0; i < d->uniform_count; ++i) {
        const ag_uniform *u = &d->uniforms[i];
        uint64_t bit = (uint64_t)1 << u->location;
        *(u->is_float ? &use->floats : &use->ints) |= bit;
        // An edited shader may lack a uniform; setting it would be a GL error that the host sees.
        if ((u->is_float ? d->program->floats : d->program->ints) & bit)
            set_uniform(gl, d->program, u);
    }
    if (d->indirect.buffer)
        dispatch_indirect(gl, &d->indirect);
    else
        gl->DispatchCompute(d->groups[0], d->groups[1], d->groups[2]);
}

void ag_record_end(ag_recording *r, GLbitfield bits)
{
    static const ag_gl_state nothing = {.struct_size = sizeof nothing};
    if (r->grouped)
        pop(r);
    if (bits)
        r->gpu->gl.MemoryBarrier(bits);
    if (r->sample)
        ag_timer_stamp(r->timer, r->sample, r->sample->intervals);
    put_back(r, r->restore_by_get ? &r->saved : r->restore ? r->restore : &nothing);
    pop(r);
    ag_timer_leave(r->timer, r->sample);
}
