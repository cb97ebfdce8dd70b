// fuzz_calls.c - sequences of calls of the interface, by a grammar of one byte a call, on a driver
// SPDX-License-Identifier: MIT
//
// One device at a time, three passes and six textures of at most 48 texels a side. Every call is
// valid C; only the host's values and the order of calls are wrong. After each call the driver must
// have reported no problem, and after device_destroy no memory is allocated. Undefined uses of the
// interface are left out: textures are deleted or specified anew without `forget` only on devices
// with AG_DEVICE_VALIDATE.
#include "fuzz.h"
#include "fuzz_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 3, TEXTURES = 6, SLOTS = 8, SETTINGS = 384, CALLS = 48 };

typedef struct host_texture {
    GLuint name;
    ag_texture view;
} host_texture;

typedef struct host_pass {
    ag_pass *pass;
    const ag_effect_info *effect;
    ag_texture slots[SLOTS];
    _Alignas(16) uint8_t settings[SETTINGS];
    ag_job job;
} host_pass;

typedef struct world {
    fuzz_context context;
    ag_device *device;
    uint32_t flags; // of the device
    host_pass passes[PASSES];
    host_texture textures[TEXTURES];
    uint64_t frame;
    bool littered; // a device that was destroyed without its context left objects there
} world;

static world w;

static const struct {
    GLenum sized, layout, type;
} formats[] = {
    {GL_RGBA32F, GL_RGBA, GL_FLOAT},
    {GL_RGBA16F, GL_RGBA, GL_FLOAT},
    {GL_R32F, GL_RED, GL_FLOAT},
    {GL_RG32F, GL_RG, GL_FLOAT},
    {GL_R16F, GL_RED, GL_FLOAT},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT},
    {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE},
};

static int32_t side(fuzz_input *input)
{
    static const int32_t sides[] = {1, 2, 3, 5, 8, 9, 16, 17, 31, 32, 33, 48};
    return sides[fuzz_below(input, sizeof sides / sizeof *sides)];
}

static void forget_texture(host_texture *texture, bool tell)
{
    if (texture->name && tell && w.device)
        w.context.ag->forget(w.device, texture->name);
}

static void make_texture(fuzz_input *input, host_texture *texture)
{
    const GladGLContext *gl = &w.context.gl;
    uint32_t how = fuzz_take(input, 1), which = fuzz_below(input, sizeof formats / sizeof *formats);
    int32_t width = side(input), height = side(input), layers = how & 1 ? 2 : 0;
    int32_t levels = how & 2 ? 1 : 1 + (int32_t)fuzz_below(input, 6);
    bool tell = !(how & 4) || !(w.flags & AG_DEVICE_VALIDATE);
    forget_texture(texture, tell);
    bool again =
        (how & 8) && texture->name && texture->view.reserved; // the same name, specified anew
    if (!again) {
        gl->DeleteTextures(1, &texture->name);
        gl->GenTextures(1, &texture->name);
    }
    GLenum target = layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    if (again)
        target = texture->view.target, layers = target == GL_TEXTURE_2D ? 0 : 2;
    bool mutable = again || (how & 16);
    for (levels = levels < 1 ? 1 : levels;
         levels > 1 && (1 << (levels - 1)) > (width > height ? width : height);)
        levels--;
    gl->BindTexture(target, texture->name);
    for (int32_t level = 0; mutable && level < levels; level++) {
        int32_t x = width >> level ? width >> level : 1, y = height >> level ? height >> level : 1;
        if (layers)
            gl->TexImage3D(target, level, (GLint)formats[which].sized, x, y, layers, 0,
                           formats[which].layout, formats[which].type, NULL);
        else
            gl->TexImage2D(target, level, (GLint)formats[which].sized, x, y, 0,
                           formats[which].layout, formats[which].type, NULL);
    }
    if (!mutable && layers)
        gl->TexStorage3D(target, levels, formats[which].sized, width, height, layers);
    else if (!mutable)
        gl->TexStorage2D(target, levels, formats[which].sized, width, height);
    gl->TexParameteri(target, GL_TEXTURE_MAX_LEVEL, levels - 1);
    gl->BindTexture(target, 0);
    texture->view = (ag_texture){.struct_size = sizeof texture->view,
                                 .name = texture->name,
                                 .target = target,
                                 .format = formats[which].sized,
                                 .width = width,
                                 .height = height,
                                 .layers = layers,
                                 .version = 1 + fuzz_below(input, 2)};
    texture->view.reserved = mutable; // ours until a slot takes it
}

static void delete_texture(fuzz_input *input, host_texture *texture)
{
    forget_texture(texture, !(w.flags & AG_DEVICE_VALIDATE) || fuzz_below(input, 2));
    w.context.gl.DeleteTextures(1, &texture->name);
    texture->name = 0; // the view stays: a host may still name it
}

// A texture as one of a job's: mostly as it is, else off by a little.
static void fill_slot(fuzz_input *input, host_pass *p)
{
    ag_texture *slot = &p->slots[fuzz_below(input, SLOTS)];
    uint32_t how = fuzz_take(input, 1);
    *slot = w.textures[how % TEXTURES].view;
    slot->reserved = 0;
    // What is deleted may be named where execute asks GL again; prepare always does.
    if (how & 32) {
        slot->level = (int32_t)fuzz_below(input, 8);
        slot->width = slot->width >> slot->level ? slot->width >> slot->level : 1;
        slot->height = slot->height >> slot->level ? slot->height >> slot->level : 1;
    }
    if (how & 64) {
        slot->rect_x = (int32_t)fuzz_below(input, 16);
        slot->rect_y = (int32_t)fuzz_below(input, 16);
        slot->rect_width = (int32_t)fuzz_below(input, 32);
        slot->rect_height = slot->rect_width ? 1 + (int32_t)fuzz_below(input, 32) : 0;
    }
    if ((how & 128) && fuzz_below(input, 4) == 0) {
        slot->width = fuzz_number(input);
        slot->layers = fuzz_number(input);
    }
}

// An output, or an input that is still empty, of a format that the slot takes and of a fitting
// size: without this few jobs would be valid.
static void fit_slots(fuzz_input *input, host_pass *p)
{
    const GladGLContext *gl = &w.context.gl;
    int32_t width = side(input), height = side(input);
    for (uint32_t i = 0; i < p->effect->slot_count && i < SLOTS && i < TEXTURES; i++) {
        const ag_slot_info *slot =
            (const void *)((const char *)p->effect->slots + (size_t)i * p->effect->slot_stride);
        host_texture *texture = &w.textures[i];
        uint32_t format = slot->formats[fuzz_below(input, slot->format_count)];
        int32_t size[3] = {width, height, 0};
        p->slots[i] = (ag_texture){0};
        if ((slot->access & AG_OPTIONAL) && fuzz_below(input, 2))
            continue;
        if ((slot->access & AG_WRITE) && i > 0) {
            ag_job job = p->job;
            if (w.context.ag->slot_size(p->pass, &job, i, size) < 0 || size[0] < 1) {
                size[0] = width;
                size[1] = height;
            }
        } else if (strncmp(slot->name, "kernel", 6) == 0) {
            size[0] = side(input) % 9 + 1;
            size[1] = side(input) % 9 + 1;
        }
        if (size[0] > 256 || size[1] > 256)
            continue;
        forget_texture(texture, true);
        gl->DeleteTextures(1, &texture->name);
        gl->GenTextures(1, &texture->name);
        int32_t levels = 1;
        while ((1 << levels) <= (size[0] > size[1] ? size[0] : size[1]))
            levels++;
        gl->BindTexture(GL_TEXTURE_2D, texture->name);
        gl->TexStorage2D(GL_TEXTURE_2D, levels, format, size[0], size[1]);
        gl->BindTexture(GL_TEXTURE_2D, 0);
        texture->view = (ag_texture){.struct_size = sizeof texture->view,
                                     .name = texture->name,
                                     .target = GL_TEXTURE_2D,
                                     .format = format,
                                     .width = size[0],
                                     .height = size[1],
                                     .version = ++w.frame};
        p->slots[i] = texture->view;
    }
}

static void set_value(fuzz_input *input, host_pass *p)
{
    const ag_effect_info *effect = p->effect;
    uint32_t which = fuzz_below(input, effect->setting_count);
    const ag_setting_info *setting =
        (const void *)((const char *)effect->settings + (size_t)which * effect->setting_stride);
    uint32_t k = fuzz_below(input, setting->count);
    double low = setting->min > -64 ? setting->min : -64,
           high = setting->max < 64 ? setting->max : 64;
    double part = fuzz_below(input, 256) / 255.0, value = low + part * (high - low);
    float real = (float)value;
    int32_t whole = (int32_t)(value + 0.5);
    if (part == 1)
        real = fuzz_float(input);
    memcpy(p->settings + setting->offset + 4 * k,
           setting->type == AG_FLOAT ? (void *)&real : (void *)&whole, 4);
}

static void create_pass(fuzz_input *input, host_pass *p)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = w.context.ag->effects(&count);
    w.context.ag->pass_destroy(p->pass);
    *p = (host_pass){.effect = effects[fuzz_below(input, count)]};
    FUZZ_CHECK(p->effect->settings_size <= SETTINGS && p->effect->slot_count <= SLOTS);
    w.context.ag->defaults(p->effect->id, p->settings, p->effect->settings_size);
    if (w.context.ag->pass_create(w.device, p->effect->id, &p->pass) < 0)
        FUZZ_CHECK(!p->pass);
    p->job = (ag_job){.struct_size = sizeof p->job,
                      .slots = p->slots,
                      .slot_count = p->effect->slot_count,
                      .settings = p->settings,
                      .scratch = {.struct_size = sizeof(ag_buffer)}};
}

static void destroy_device(bool gone)
{
    w.littered = w.littered || (w.device && (gone || w.context.not_current));
    w.context.ag->device_destroy(w.device, gone);
    w.device = NULL;
    memset(w.passes, 0, sizeof w.passes); // they are gone with it
    FUZZ_CHECK(w.context.blocks == 0 && w.context.bytes == 0);
}

static void create_device(fuzz_input *input)
{
    destroy_device(fuzz_below(input, 4) == 1);
    ag_device_desc desc = {.struct_size = sizeof desc};
    desc.flags = fuzz_below(input, 4);
    desc.without = fuzz_below(input, 8);
    desc.image_unit_base = fuzz_below(input, 4) == 3 ? fuzz_below(input, 256) : 0;
    desc.ssbo_base = fuzz_below(input, 4) == 3 ? fuzz_below(input, 256) : 0;
    desc.timer_capacity = fuzz_below(input, 16);
    w.flags = desc.flags;
    if (w.context.ag->device_create(&w.context.host, &desc, &w.device) < 0) {
        FUZZ_CHECK(!w.device);
        FUZZ_CHECK(w.context.blocks == 0);
    }
}

// Whether GL still has all that a job names: execute without AG_DEVICE_VALIDATE counts on it.
static bool is_honest(const host_pass *p)
{
    if (w.flags & AG_DEVICE_VALIDATE)
        return true;
    for (uint32_t i = 0; i < p->effect->slot_count; i++) {
        bool known = p->slots[i].name == 0;
        for (int k = 0; k < TEXTURES; k++)
            known = known || (w.textures[k].name && w.textures[k].name == p->slots[i].name &&
                              w.textures[k].view.format == p->slots[i].format &&
                              w.textures[k].view.target == p->slots[i].target);
        if (!known)
            return false;
    }
    return true;
}

static void execute(fuzz_input *input, host_pass *p)
{
    uint32_t barriers = 0, how = fuzz_take(input, 1);
    ag_job job = p->job;
    job.frame = ++w.frame;
    job.flags = how & (AG_JOB_RESTORE | AG_JOB_TIME_STEPS | AG_JOB_UNTIMED | AG_JOB_RESET);
    job.next_use = how >> 4;
    job.dt = (float)(how & 3);
    if (!is_honest(p))
        return;
    w.context.ag->execute(p->pass, &job, how & 8 ? &barriers : NULL);
}

static void call(fuzz_input *input)
{
    const ag_api *ag = w.context.ag;
    uint32_t what = fuzz_below(input, 24);
    host_pass *p = &w.passes[fuzz_below(input, PASSES)];
    host_texture *texture = &w.textures[fuzz_below(input, TEXTURES)];
    ag_health health = {.struct_size = sizeof health};
    ag_stats stats = {.struct_size = sizeof stats};
    ag_reload reload = {.struct_size = sizeof reload};
    const ag_plan *plan = NULL;
    bool lent =
        w.context.not_current; // to another: nothing of GL may be called by the host, either
    if (!w.device && what != 3 && what != 4)
        what = 0;
    if (!p->pass && what >= 8 && what < 20)
        what = 1;
    switch (what) {
    case 0: create_device(input); break;
    case 1:
    case 2: create_pass(input, p); break;
    case 3:
        if (!lent)
            make_texture(input, texture);
        break;
    case 4:
        if (!lent)
            delete_texture(input, texture);
        break;
    case 5: ag->forget(w.device, fuzz_below(input, 4) ? texture->name : fuzz_take(input, 1)); break;
    case 6:
        ag->frame(w.device, w.frame);
        ag->health(w.device, &health);
        ag->reload_status(w.device, &reload);
        break;
    case 7: w.context.fail_after = 1 + fuzz_below(input, 64); break;
    case 8: fill_slot(input, p); break;
    case 9:
    case 10: set_value(input, p); break;
    case 11: ag->declare(p->pass, &p->job, &plan); break;
    case 12: ag->prepare(p->pass, &p->job); break;
    case 13:
        if (is_honest(p))
            ag->run(p->pass, &p->job);
        break;
    case 14:
    case 15: execute(input, p); break;
    case 16:
    case 17:
        if (!lent)
            fit_slots(input, p);
        if (ag->prepare(p->pass, &p->job) == AG_OK)
            execute(input, p);
        break;
    case 18:
        ag->stats(p->pass, fuzz_below(input, 4) ? AG_WHOLE_PASS : fuzz_below(input, 70), &stats);
        break;
    case 19:
        ag->pass_destroy(p->pass);
        *p = (host_pass){0};
        break;
    case 20: w.context.not_current = fuzz_below(input, 2); break;
    case 21: destroy_device(fuzz_below(input, 2)); break;
    default: w.frame++; break;
    }
    w.context.fail_after = what == 7 ? w.context.fail_after : 0;
    // The error flag is GL's own where memory ran out; what a debug context says is about calls.
    FUZZ_CHECK(!w.context.complained);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const GladGLContext *gl = &w.context.gl;
    fuzz_input input = {data, size};
    if (!w.context.gl_context)
        fuzz_context_begin(&w.context);
    create_device(&(fuzz_input){0});
    for (int i = 0; i < CALLS && input.left; i++)
        call(&input);
    w.context.not_current = false;
    destroy_device(false);
    for (int i = 0; i < TEXTURES; i++)
        gl->DeleteTextures(1, &w.textures[i].name);
    if (w.littered)
        headless_destroy(w.context.gl_context);
    w = (world){.context = w.littered ? (fuzz_context){0} : w.context};
    w.context.fail_after = 0;
    return 0;
}
