// simple.h - one call an effect: textures by their GL names, without slots, jobs and passes
// SPDX-License-Identifier: MIT
//
//   ag_simple post;
//   ag_simple_open(&post, ag_entry_v1, NULL, NULL);        once, with the context current
//   ag_simple_exposure(&post, hdr, exposure, dt, NULL);    every frame; NULL: default settings
//   ag_simple_bloom(&post, hdr, bloomed, ag_bloom_params(.size = 0.45f));
//   ag_simple_frame(&post);                                at the end of every frame
//   ag_simple_forget(&post, bloomed);                      before a texture is deleted or resized
//   ag_simple_close(&post, 0);
//
// This is inline C (also C++11) on top of afterglow.h, and no part of the ABI. What it lacks can be
// done beside it, with its members `ag` and `device`.
//
// A call returns what ag_api.run does. Below 0 the log has the reason, and the output is unchanged.
// The call works on level 0 and all layers of its textures. It asks GL for the format and size of a
// name that is new, or was forgotten. An effect has a pass for each of its outputs, so it may run
// several times in a frame, with other settings for each; to forget the output destroys the pass.
// Outputs may be used in any way at once. Before a call place a barrier for inputs that your
// shaders wrote by imageStore: glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT).
#ifndef AFTERGLOW_SIMPLE_H
#define AFTERGLOW_SIMPLE_H

#include "afterglow.h"
#include "bloom.h"
#include "box_blur.h"
#include "exposure.h"
#include "mipchain.h"

#include <stdio.h>
#include <string.h>

// A frame that uses more than these works, but makes passes, or asks for textures, again and again.
enum ag_simple_limits { AG_SIMPLE_PASSES = 16, AG_SIMPLE_TEXTURES = 32, AG_SIMPLE_SLOTS = 8 };

typedef struct ag_simple_pass {
    const char *effect;
    uint32_t output;
    ag_pass *pass; // NULL: this row is free
} ag_simple_pass;

typedef struct ag_simple {
    const ag_api *ag;
    ag_device *device; // NULL: not open
    uint64_t frame;
    uint32_t flags;       // AG_JOB_*; you may set them for the calls that follow
    uint32_t made, asked; // passes and textures, so far
    ag_simple_pass passes[AG_SIMPLE_PASSES];
    ag_texture textures[AG_SIMPLE_TEXTURES]; // name 0: this row is free
} ag_simple;

static inline void ag_simple_log(void *user, const ag_message *message)
{
    (void)user;
    if (message->level != AG_LOG_INFO)
        fprintf(stderr, "afterglow: %s\n", message->text);
}

// As device_create. `entry`: ag_entry_v1, linked or from dlsym; AG_E_ABI without a message: it is
// of an older module. `host` NULL: errors and warnings go to stderr. `desc` may be NULL.
static inline ag_status ag_simple_open(ag_simple *s, ag_entry_fn entry, const ag_host *host,
                                       const ag_device_desc *desc)
{
    ag_host own;
    memset(&own, 0, sizeof own);
    own.struct_size = sizeof own;
    own.log = ag_simple_log;
    memset(s, 0, sizeof *s);
    s->ag = entry(AG_ABI_MINOR);
    if (s->ag->struct_size < sizeof *s->ag)
        return AG_E_ABI;
    return s->ag->device_create(host ? host : &own, desc, &s->device);
}

// As device_destroy. `s` was opened, whatever that returned, or is all zero.
static inline void ag_simple_close(ag_simple *s, int32_t context_gone)
{
    if (s->device)
        s->ag->device_destroy(s->device, context_gone);
    memset(s, 0, sizeof *s);
}

// As ag_api.frame.
static inline ag_status ag_simple_frame(ag_simple *s)
{
    return s->device ? s->ag->frame(s->device, s->frame++) : (ag_status)AG_E_ARG;
}

// Call it before a texture that a call has named is deleted, or specified anew.
static inline void ag_simple_forget(ag_simple *s, uint32_t name)
{
    if (s->device)
        s->ag->forget(s->device, name);
    for (int i = 0; i < AG_SIMPLE_TEXTURES; ++i)
        if (s->textures[i].name == name)
            s->textures[i].name = 0;
    for (int i = 0; i < AG_SIMPLE_PASSES; ++i)
        if (s->passes[i].pass && s->passes[i].output == name) {
            s->ag->pass_destroy(s->passes[i].pass);
            s->passes[i].pass = NULL;
        }
}

static inline ag_status ag_simple_texture(ag_simple *s, uint32_t name, ag_texture *texture)
{
    for (int i = 0; i < AG_SIMPLE_TEXTURES; ++i)
        if (s->textures[i].name == name) {
            *texture = s->textures[i];
            return AG_OK;
        }
    ag_status status = s->ag->texture(s->device, name, 0, texture);
    if (status >= 0)
        s->textures[s->asked++ % AG_SIMPLE_TEXTURES] = *texture;
    return status;
}

static inline ag_status ag_simple_pass_of(ag_simple *s, const char *effect, uint32_t output,
                                          ag_pass **pass)
{
    ag_simple_pass *row = &s->passes[s->made % AG_SIMPLE_PASSES];
    for (int i = 0; i < AG_SIMPLE_PASSES; ++i) {
        *pass = s->passes[i].pass;
        if (!*pass)
            row = &s->passes[i];
        else if (s->passes[i].output == output && strcmp(s->passes[i].effect, effect) == 0)
            return AG_OK;
    }
    ag_status status = s->ag->pass_create(s->device, effect, pass);
    if (status >= 0) {
        const ag_simple_pass created = {effect, output, *pass};
        s->ag->pass_destroy(row->pass);
        *row = created;
        ++s->made;
    }
    return status;
}

// Any effect, by its id (a literal: the string is kept). `names`: the textures of its first `count`
// slots, in the order of its header, 0 for an empty one; `output` is one that it writes. `dt` as of
// ag_job. `settings`: the effect's struct.
static inline ag_status ag_simple_run(ag_simple *s, const char *effect, const uint32_t *names,
                                      uint32_t count, uint32_t output, float dt,
                                      const void *settings)
{
    ag_texture slots[AG_SIMPLE_SLOTS];
    ag_job job;
    ag_pass *pass = NULL;
    ag_status status = s->device && count <= AG_SIMPLE_SLOTS ? AG_OK : AG_E_ARG;
    memset(slots, 0, sizeof slots);
    for (uint32_t i = 0; status >= 0 && i < count; ++i) {
        slots[i].struct_size = sizeof slots[i];
        status = names[i] ? ag_simple_texture(s, names[i], &slots[i]) : (ag_status)AG_OK;
    }
    if (status >= 0)
        status = ag_simple_pass_of(s, effect, output, &pass);
    if (status < 0)
        return status;
    memset(&job, 0, sizeof job);
    job.struct_size = sizeof job;
    job.flags = s->flags;
    job.slots = slots;
    job.slot_count = count;
    job.settings = settings;
    job.frame = s->frame;
    job.dt = dt;
    return s->ag->run(pass, &job);
}

// ---- effects: their headers say what they do. `settings` may be NULL, for the defaults ----------

static inline ag_status ag_simple_bloom(ag_simple *s, uint32_t src, uint32_t dst,
                                        const ag_bloom_settings *settings)
{
    const uint32_t names[] = {src, 0, dst};
    return ag_simple_run(s, "bloom", names, 3, dst, 0, settings);
}

static inline ag_status ag_simple_blur(ag_simple *s, uint32_t src, uint32_t dst,
                                       const ag_box_blur_settings *settings)
{
    const uint32_t names[] = {src, 0, 0, dst};
    return ag_simple_run(s, "box_blur", names, 4, dst, 0, settings);
}

static inline ag_status ag_simple_mips(ag_simple *s, uint32_t texture,
                                       const ag_mipchain_settings *settings)
{
    return ag_simple_run(s, "mipchain", &texture, 1, texture, 0, settings);
}

// `state`: one texel of RGBA32F, all zero at first. `dt`: seconds since the last call with it.
static inline ag_status ag_simple_exposure(ag_simple *s, uint32_t src, uint32_t state, float dt,
                                           const ag_exposure_settings *settings)
{
    const uint32_t names[] = {src, state};
    return ag_simple_run(s, "exposure", names, 2, state, dt, settings);
}

#endif
