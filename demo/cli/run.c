// cli/run.c - runs one pass: files into textures, the pass, textures into files
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include "compare.h"
#include "complex.h"
#include "copy.h"
#include "measure.h"
#include "plan.h"
#include "report.h"
#include "stats.h"
#include "texel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int run_source_slot(const ag_effect_info *effect)
{
    for (int i = 0; i < (int)effect->slot_count; i++) {
        uint32_t access = effect_slot(effect, i)->access;
        if ((access & AG_READ) && !(access & (AG_OPTIONAL | AG_STATE)))
            return i;
    }
    return -1;
}

int run_open_slots(const run_request *request, int slots[EFFECT_MAX_SLOTS])
{
    int count = 0;
    for (int i = 0; i < (int)request->effect->slot_count; i++) {
        uint32_t access = effect_slot(request->effect, i)->access;
        if ((access & AG_READ) && !(access & (AG_OPTIONAL | AG_STATE)) && !request->files[i])
            slots[count++] = i;
    }
    return count;
}

static int count_outputs(const ag_effect_info *effect, uint32_t optional)
{
    int count = 0;
    for (int i = 0; i < (int)effect->slot_count; i++) {
        uint32_t access = effect_slot(effect, i)->access;
        count += (access & AG_WRITE) && (access & AG_OPTIONAL) == optional;
    }
    return count;
}

int run_output_slots(const run_request *request, int slots[EFFECT_MAX_SLOTS])
{
    const ag_effect_info *effect = request->effect;
    int count = 0, more = request->size_count - count_outputs(effect, 0);
    for (int i = 0; i < (int)effect->slot_count; i++) {
        uint32_t access = effect_slot(effect, i)->access;
        if ((access & AG_WRITE) &&
            (!(access & AG_OPTIONAL) || complex_output(request, i) || more-- > 0))
            slots[count++] = i;
    }
    return count;
}

int run_most_outputs(const ag_effect_info *effect)
{
    return count_outputs(effect, 0) + count_outputs(effect, AG_OPTIONAL);
}

bool run_writes_chains(const ag_effect_info *effect)
{
    for (int i = 0; i < (int)effect->slot_count; i++)
        if (effect_slot(effect, i)->access & AG_LEVELS)
            return true;
    return false;
}

int run_open(run *out, run_request *request)
{
    *out = (run){.request = request};
    int status = session_open(&out->session, &(session_desc){
                                                 .api = request->api,
                                                 .effect = request->effect->id,
                                                 .folder = request->folder,
                                                 .shaders = request->shaders,
                                                 .tuning = request->tuning,
                                                 .device = request->device,
                                             });
    if (status == STATUS_OK)
        out->limits = texture_limits(&out->session.gpu, request->memory);
    return status;
}

static void drop_texture(run *target, int slot)
{
    texture *old = &target->textures[slot];
    if (old->name) {
        // GL may reuse the name for the next texture, so the module must forget it.
        target->session.api->forget(target->session.device, old->name);
        texture_destroy(&target->session.gpu, old);
    }
}

void run_drop_textures(run *target)
{
    for (int i = 0; i < EFFECT_MAX_SLOTS && target->session.device; i++)
        drop_texture(target, i);
}

void run_close(run *target)
{
    run_drop_textures(target);
    session_close(&target->session);
}

static int check_format(const ag_effect_info *effect, int slot, const format_info *format)
{
    const ag_slot_info *info = effect_slot(effect, slot);
    if (effect_takes_format(info, format))
        return STATUS_OK;
    char names[512];
    return fail(STATUS_USAGE, "%s of %s does not take %s; expected --format with one of: %s",
                info->name, effect->id, format->name,
                effect_format_names(info, names, sizeof names));
}

// The format of --format; else the format that holds the file's data unchanged, or for a picture a
// larger one, if the slot takes no smaller one.
static const format_info *input_format(const run_request *request, int slot, const image *loaded)
{
    if (request->formats[slot])
        return request->formats[slot];
    const format_info *exact = format_of_image(loaded);
    const format_info *wide = format_find(exact->kind, 4);
    const ag_slot_info *info = effect_slot(request->effect, slot);
    bool widen = loaded->decoded && !effect_takes_format(info, exact);
    return widen && effect_takes_format(info, wide) ? wide : exact;
}

// The imaginary parts of a complex file, into the slot beside that of its real parts.
static int load_imaginary(run *target, int slot, const char *path, const image *loaded)
{
    const ag_effect_info *effect = target->request->effect;
    int partner = complex_slot(effect, slot);
    if (partner < 0)
        return fail(STATUS_USAGE, "%s: complex numbers; %s of %s takes real ones", path,
                    effect_slot(effect, slot)->name, effect->id);
    image imag = *loaded;
    imag.data = loaded->imag;
    const format_info *format = target->textures[slot].format;
    int status = check_format(effect, partner, format);
    if (status == STATUS_OK) {
        drop_texture(target, partner);
        status = texture_upload(&target->session.gpu, path, format, &imag, false,
                                &target->textures[partner]);
        target->versions[partner] = ++target->version;
    }
    return status;
}

// Into the texture that is there, if it has the format and the size: a stream's frames come in one.
static int fill_texture(run *target, int slot, const char *label, const format_info *format,
                        const image *loaded)
{
    texture *there = &target->textures[slot];
    const session *work = &target->session;
    bool chain = effect_slot(target->request->effect, slot)->access & AG_WRITE;
    if (there->name && there->format == format && there->width == loaded->width && !chain &&
        !there->layers && !loaded->layers && there->height == loaded->height)
        return texture_write(&work->gpu, there, loaded);
    drop_texture(target, slot);
    return texture_upload(&work->gpu, label, format, loaded, chain, there);
}

int run_put(run *target, int slot, const char *label, const image *loaded)
{
    const run_request *request = target->request;
    const format_info *format = input_format(request, slot, loaded);
    GLuint before = target->textures[slot].name;
    int status = check_format(request->effect, slot, format);
    if (status == STATUS_OK)
        status = texel_check(loaded, format, label);
    if (status == STATUS_OK)
        status = fill_texture(target, slot, label, format, loaded);
    if (status != STATUS_OK)
        return status;
    // The version of the source names the texture, those of other slots their content.
    bool is_source = slot == run_source_slot(request->effect);
    if (!is_source || before != target->textures[slot].name)
        target->versions[slot] = ++target->version;
    if (is_source) {
        target->source = *loaded;
        target->source.data = NULL;
        target->source.imag = NULL;
    }
    return STATUS_OK;
}

int run_load(run *target, int slot, const char *path)
{
    const run_request *request = target->request;
    image loaded = {0};
    image_view view = request->view;
    if (slot != run_source_slot(request->effect))
        view.channels = NULL; // the channels apply to the picture only
    int status = image_load_within(path, &view, &target->limits, &loaded);
    if (status != STATUS_OK)
        return status;
    status = run_put(target, slot, path, &loaded);
    int partner = complex_slot(request->effect, slot);
    if (status == STATUS_OK && loaded.imag)
        status = load_imaginary(target, slot, path, &loaded);
    else if (partner >= 0 && !request->files[partner])
        drop_texture(target, partner); // of the file before
    image_destroy(&loaded);
    return status;
}

int run_load_slots(run *target)
{
    int status = STATUS_OK;
    for (int i = 0; i < (int)target->request->effect->slot_count && status == STATUS_OK; i++)
        if (target->request->files[i])
            status = run_load(target, i, target->request->files[i]);
    return status;
}

int run_load_inputs(run *target, const char **frames)
{
    const run_request *request = target->request;
    int open_slots[EFFECT_MAX_SLOTS], status = STATUS_OK;
    run_open_slots(request, open_slots);
    for (int i = 0; i < request->input_count && status == STATUS_OK; i++)
        if (run_is_stream(request->inputs[i]))
            *frames = request->inputs[i];
        else
            status = run_load(target, open_slots[i], request->inputs[i]);
    return status;
}

static int check_rect(const run_request *request, const texture *source)
{
    // These sums cannot overflow, because the options limit each term to 65536.
    if (request->rect.x + request->rect.width > source->width ||
        request->rect.y + request->rect.height > source->height) {
        return fail(STATUS_USAGE, "--rect %d,%d,%d,%d: expected a rectangle within %dx%d",
                    request->rect.x, request->rect.y, request->rect.width, request->rect.height,
                    source->width, source->height);
    }
    return STATUS_OK;
}

static ag_job describe_job(const run *target, ag_texture views[EFFECT_MAX_SLOTS])
{
    const run_request *request = target->request;
    int source = run_source_slot(request->effect);
    for (int i = 0; i < (int)request->effect->slot_count; i++) {
        const texture *from = &target->textures[i];
        views[i] = (ag_texture){.struct_size = sizeof views[i]};
        if (!from->name)
            continue; // an optional slot left empty
        views[i].name = from->name;
        views[i].target = texture_target(from);
        views[i].format = from->format->sized;
        views[i].width = from->width;
        views[i].height = from->height;
        views[i].layers = from->layers;
        views[i].version = target->versions[i];
        if (i == source && request->rect.width) {
            views[i].rect_x = request->rect.x;
            views[i].rect_y = request->rect.y;
            views[i].rect_width = request->rect.width;
            views[i].rect_height = request->rect.height;
        }
    }
    return (ag_job){
        .struct_size = sizeof(ag_job),
        .slots = views,
        .slot_count = request->effect->slot_count,
        .settings = request->settings,
        .next_use = AG_USE_COPY,
        .dt = 1.0f / 60, // seconds, as in a game, for effects with state
    };
}

// Whether the setting `storage` says integers: a slot that takes them then gets them.
static bool stores_integers(const run_request *request)
{
    for (int i = 0; i < (int)request->effect->setting_count; i++) {
        const ag_setting_info *row = effect_setting(request->effect, i);
        int32_t value = 0;
        if (strcmp(row->name, "storage") != 0 || row->type != AG_ENUM)
            continue;
        memcpy(&value, (const char *)request->settings + row->offset, sizeof value);
        return value >= 0 && value < (int32_t)row->name_count && row->names[value] &&
               strcmp(row->names[value], "uint32") == 0;
    }
    return false;
}

// The format of --format; else that of the source, integers or floats if the slot takes only these,
// or the slot's only format.
static const format_info *output_format(const run *target, int slot)
{
    const run_request *request = target->request;
    const ag_slot_info *info = effect_slot(request->effect, slot);
    const format_info *source = target->textures[run_source_slot(request->effect)].format;
    if (request->formats[slot])
        return request->formats[slot];
    const format_info *parts = complex_format(request, slot, source);
    if (parts)
        return parts;
    const format_info *whole = format_find(FORMAT_UINT32, source->channels);
    if (stores_integers(request) && whole && effect_takes_format(info, whole))
        return whole;
    if (effect_takes_format(info, source))
        return source;
    return info->format_count == 1 ? format_by_enum(info->formats[0])
                                   : format_find(FORMAT_FLOAT32, source->channels);
}

// One output: of the size that was asked for, else of the one that the effect says.
static int create_output(run *target, const ag_job *job, int slot, const int asked[2])
{
    const run_request *request = target->request;
    session *work = &target->session;
    const format_info *format = output_format(target, slot);
    int32_t size[3] = {0};
    int status = check_format(request->effect, slot, format);
    if (status == STATUS_OK)
        status = session_check(work, work->api->slot_size(work->pass, job, (uint32_t)slot, size),
                               STATUS_USAGE, "slot_size");
    if (status != STATUS_OK)
        return status;
    int width = asked ? asked[0] : size[0], height = asked ? asked[1] : size[1];
    int layers = size[2] > 1 ? size[2] : 0;
    const ag_slot_info *info = effect_slot(request->effect, slot);
    if (!width || !height)
        return fail(STATUS_USAGE, "%s of %s may have any size; expected --size WxH", info->name,
                    request->effect->id);
    const texture *there = &target->textures[slot];
    if (there->name && there->format == format && there->width == width &&
        there->height == height && there->layers == layers)
        return STATUS_OK; // of the file or frame before: every texel is written
    drop_texture(target, slot);
    if (info->access & AG_STATE)
        status =
            texture_zeros(&work->gpu, info->name, format, width, height, &target->textures[slot]);
    else
        status = texture_create(&work->gpu, info->name, format, width, height, layers,
                                run_writes_chains(request->effect), &target->textures[slot]);
    target->versions[slot] = ++target->version;
    return status;
}

static int create_outputs(run *target)
{
    const run_request *request = target->request;
    const texture *source = &target->textures[run_source_slot(request->effect)];
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(request, slots);
    int status = request->rect.width ? check_rect(request, source) : STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t access = effect_slot(request->effect, slots[i])->access;
        if ((access & AG_READ) && !(access & AG_STATE))
            continue; // in place: the texture is loaded already
        if ((access & AG_STATE) && target->textures[slots[i]].name)
            continue; // state is kept from file to file
        ag_texture views[EFFECT_MAX_SLOTS];
        ag_job job = describe_job(target, views);
        bool sized = i < request->size_count;
        const int asked[] = {sized ? request->widths[i] : 0, sized ? request->heights[i] : 0};
        status = create_output(target, &job, slots[i], sized ? asked : NULL);
        int partner = complex_partner(request, slots[i]);
        if (status == STATUS_OK && partner >= 0)
            status = create_output(target, &job, partner, sized ? asked : NULL);
    }
    return status;
}

// Only .npy files hold integers. Outputs that are too large for their file type are refused before
// the work starts.
static int check_output_types(const run *target, const char *const *outputs)
{
    const ag_effect_info *effect = target->request->effect;
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(target->request, slots);
    for (int i = 0; i < count && outputs; i++) {
        const format_info *format = target->textures[slots[i]].format;
        bool state = effect_slot(effect, slots[i])->access & AG_STATE; // exact data, no picture
        if ((format->kind == FORMAT_UINT32 || state) && image_file_type(outputs[i]) != FILE_NPY)
            return fail(STATUS_USAGE, "%s: expected a .npy file, for %s", outputs[i],
                        state ? effect_slot(effect, slots[i])->name : format->name);
        // A texture of four channels may hold an image of three, so their number is checked when
        // the file is saved.
        int status = image_check_output(outputs[i], target->textures[slots[i]].width,
                                        target->textures[slots[i]].height, 1);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// A module may compile in the background; prepare is then called again.
static int prepare(run *target, const ag_job *job)
{
    session *work = &target->session;
    const run_request *request = target->request;
    enum { PATIENCE_S = 120, PAUSE_NS = 2000000 };
    uint64_t start = session_now_ns();
    for (;;) {
        ag_status result = work->api->prepare(work->pass, job);
        // The module has printed why. With --watch the user will correct the shader; else this is
        // an error.
        if (result == AG_FALLBACK && !request->watch)
            return STATUS_FAILED;
        target->fell_back = result == AG_FALLBACK;
        if (result == AG_FALLBACK && !target->again)
            note("the built-in shaders are used until these compile");
        if (result != AG_PENDING)
            return session_check(work, result, STATUS_FAILED, "prepare");
        if (session_now_ns() - start > PATIENCE_S * (uint64_t)1000000000)
            return fail(STATUS_FAILED, "the pass was not ready after %d s", PATIENCE_S);
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        work->api->frame(work->device, 0);
    }
}

// Saves the contents of each AG_STATE slot before a warm-up; with `back`, restores them.
static int keep_states(run *target, image states[EFFECT_MAX_SLOTS], bool back)
{
    const run_request *request = target->request;
    int status = STATUS_OK;
    for (int i = 0; i < (int)request->effect->slot_count && status == STATUS_OK; i++) {
        texture *state = &target->textures[i];
        if (!(effect_slot(request->effect, i)->access & AG_STATE) || !state->name)
            continue;
        status = back ? texture_write(&target->session.gpu, state, &states[i])
                      : texture_read(&target->session.gpu, state, 0, &states[i]);
    }
    return status;
}

static int print_plan(run *target, const ag_plan *plan, const copy_speed *speed, const stats *times)
{
    const run_request *request = target->request;
    cost_rates rates;
    char key[64];
    cost_key(request->effect->id, plan, key);
    bool known = target->session.tuned && cost_read(request->tuning, key, &rates);
    return plan_print(&target->session, plan, speed, known ? &rates : NULL, times);
}

static int measure(run *target, ag_job *job)
{
    const run_request *request = target->request;
    session *work = &target->session;
    const char *effect = request->effect->id;
    const texture *source = &target->textures[run_source_slot(request->effect)];
    copy_speed speed = {0};
    bool compares = request->stats || request->plan; // compares with the copy speed
    int status = compares ? copy_measure(&work->gpu, &speed) : STATUS_OK;
    image states[EFFECT_MAX_SLOTS] = {{0}};
    if (status == STATUS_OK)
        status = keep_states(target, states, false);
    if (status == STATUS_OK)
        status = measure_warm_up(work, job);
    if (status == STATUS_OK)
        status = keep_states(target, states, true);
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        image_destroy(&states[i]);
    if (status == STATUS_OK)
        status = measure_frames(work, job, request->frames);
    const ag_plan *plan = NULL;
    if (status == STATUS_OK) {
        status = session_check(work, work->api->declare(work->pass, job, &plan), STATUS_FAILED,
                               "declare");
    }
    if (status != STATUS_OK)
        return status;
    stats times;
    status = stats_create(work, effect, plan, request->frames, speed.gb_s, &times);
    if (status != STATUS_OK)
        return status;
    times.width = request->rect.width ? request->rect.width : source->width;
    times.height = request->rect.width ? request->rect.height : source->height;
    stats_print(&times);
    if (gpu_is_software(&work->gpu))
        puts("This renderer runs on the CPU: its times say nothing about a GPU.");
    if (request->plan)
        status = print_plan(target, plan, &speed, &times);
    if (request->stats && status == STATUS_OK)
        status = stats_save(request->stats, &times);
    if (request->trace && status == STATUS_OK)
        status = trace_save(request->trace, work, effect, plan);
    stats_destroy(&times);
    return status;
}

static void report_health(session *work)
{
    enum { LAST_CALLS = 4 }; // of frame(): counters arrive a few frames later than results
    work->gpu.gl.Finish();
    for (int i = 0; i < LAST_CALLS; i++)
        work->api->frame(work->device, 0);
    ag_health health = {.struct_size = sizeof health};
    if (work->api->health(work->device, &health) >= 0 && health.scrubbed_texels)
        note("%" PRIu64 " texels that are NaN, Inf or too large to be summed counted as 0",
             health.scrubbed_texels);
}

int run_process(run *target, const char *const *outputs)
{
    const run_request *request = target->request;
    session *work = &target->session;
    int status = create_outputs(target);
    status = status == STATUS_OK ? check_output_types(target, outputs) : status;
    if (status != STATUS_OK)
        return status;
    ag_texture views[EFFECT_MAX_SLOTS];
    ag_job job = describe_job(target, views);
    // declare refuses wrong sizes, formats and values of the command line.
    const ag_plan *plan = NULL;
    status = session_check(work, work->api->declare(work->pass, &job, &plan), STATUS_USAGE,
                           request->effect->id);
    if (status != STATUS_OK)
        return status;
    if (request->plan && !request->frames) // else beside what will be measured
        status = print_plan(target, plan, NULL, NULL);
    bool only_plan = request->plan && !outputs && !request->frames && !request->reference;
    if (only_plan || status != STATUS_OK)
        return status;
    status = prepare(target, &job);
    if (target->again && target->fell_back)
        return status;
    if (status == STATUS_OK && request->frames) {
        status = measure(target, &job);
    } else if (status == STATUS_OK) {
        status = session_check(work, work->api->execute(work->pass, &job, NULL), STATUS_FAILED,
                               request->effect->id);
    }
    if (status == STATUS_OK)
        status = run_write_outputs(target, outputs);
    if (status == STATUS_OK)
        report_health(work);
    return status;
}

int run_frame(run *target, uint64_t number, double seconds, image *out)
{
    const run_request *request = target->request;
    session *work = &target->session;
    int slots[EFFECT_MAX_SLOTS];
    run_output_slots(request, slots);
    int status = create_outputs(target);
    if (status != STATUS_OK)
        return status;
    ag_texture views[EFFECT_MAX_SLOTS];
    ag_job job = describe_job(target, views);
    job.frame = number;
    job.dt = (float)seconds;
    job.flags = number == 0 ? AG_JOB_RESET : 0;
    status = prepare(target, &job);
    if (status == STATUS_OK)
        status = session_check(work, work->api->execute(work->pass, &job, NULL), STATUS_FAILED,
                               request->effect->id);
    if (status == STATUS_OK)
        status =
            session_check(work, work->api->frame(work->device, number), STATUS_FAILED, "frame");
    return status == STATUS_OK ? run_read_output(target, slots[0], 0, out) : status;
}

void run_end_stream(run *target)
{
    report_health(&target->session);
}
