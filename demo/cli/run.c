// cli/run.c - runs a chain of passes: files into textures, the passes, textures into files
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include "complex.h"
#include "report.h"
#include "texel.h"

#include <inttypes.h>
#include <math.h>
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

int run_picture_slot(const ag_effect_info *effect)
{
    for (int i = 0; i < (int)effect->slot_count; i++) {
        uint32_t access = effect_slot(effect, i)->access;
        if ((access & AG_WRITE) && !(access & (AG_OPTIONAL | AG_STATE)))
            return i;
    }
    return run_source_slot(effect);
}

int run_open_places(const run_request *chain, run_place *places)
{
    int count = 0;
    for (const run_request *at = chain; at < chain + chain->stage_count; at++) {
        for (int i = 0; i < (int)at->effect->slot_count; i++) {
            uint32_t access = effect_slot(at->effect, i)->access;
            bool required = (access & AG_READ) && !(access & (AG_OPTIONAL | AG_STATE));
            if (!required || at->files[i] || at->links[i].stage >= 0)
                continue;
            if (places)
                places[count] = (run_place){at->stage, i};
            count++;
        }
    }
    return count;
}

const run_request *run_chain(const run_request *request)
{
    return request - request->stage;
}

const run_request *run_last(const run_request *request)
{
    return run_chain(request) + request->stage_count - 1;
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
        if (!(access & AG_WRITE))
            continue;
        bool optional = access & AG_OPTIONAL;
        if (optional && !complex_output(request, i) && !request->wanted[i] && more <= 0)
            continue;
        more -= optional;
        slots[count++] = i;
    }
    return count;
}

int run_most_outputs(const ag_effect_info *effect)
{
    return count_outputs(effect, 0) + count_outputs(effect, AG_OPTIONAL);
}

image_file run_output_type(const run_request *request, const char *path)
{
    return strcmp(path, "-") == 0 ? request->output_type : image_output_type(path);
}

bool run_writes_chains(const ag_effect_info *effect)
{
    for (int i = 0; i < (int)effect->slot_count; i++)
        if (effect_slot(effect, i)->access & AG_LEVELS)
            return true;
    return false;
}

int run_open(run *out, run_request *chain)
{
    int status = STATUS_OK;
    for (int i = 0; i < chain->stage_count && status == STATUS_OK; i++) {
        run_request *request = &chain[i];
        const session_desc desc = {
            .api = request->api,
            .effect = request->effect->id,
            .folder = request->folder,
            .shaders = request->shaders,
            .tuning = request->tuning,
            .device = request->device,
        };
        out[i] = (run){.request = request};
        status = i ? session_join(&out[i].session, &out->session, &desc)
                   : session_open(&out->session, &desc);
        if (status == STATUS_OK)
            out[i].limits = texture_limits(&out->session.gpu, request->memory);
    }
    return status;
}

// The run that a place of the same chain is in.
static run *run_at(run *target, int stage)
{
    return target - target->request->stage + stage;
}

static void drop_texture(run *target, int slot)
{
    texture *old = &target->textures[slot];
    if (target->request->links[slot].stage >= 0 || target->shared[slot]) {
        *old = (texture){0}; // another run's
        target->shared[slot] = false;
    } else if (old->name) {
        // GL may reuse the name for the next texture, so the module must forget it.
        target->session.api->forget(target->session.device, old->name);
        texture_destroy(&target->session.gpu, old);
    }
}

void run_drop_textures(run *chain)
{
    int count = chain->request ? chain->request->stage_count : 0;
    for (int i = 0; i < count * EFFECT_MAX_SLOTS; i++)
        if (chain[i / EFFECT_MAX_SLOTS].session.device)
            drop_texture(&chain[i / EFFECT_MAX_SLOTS], i % EFFECT_MAX_SLOTS);
}

void run_close(run *chain)
{
    run_drop_textures(chain);
    for (int at = chain->request ? chain->request->stage_count - 1 : -1; at >= 0; at--)
        session_close(&chain[at].session);
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

int run_load_slots(run *chain)
{
    int status = STATUS_OK;
    for (int i = 0; i < chain->request->stage_count * EFFECT_MAX_SLOTS && status == STATUS_OK;
         i++) {
        run *target = &chain[i / EFFECT_MAX_SLOTS];
        const char *file = target->request->files[i % EFFECT_MAX_SLOTS];
        if (file)
            status = run_load(target, i % EFFECT_MAX_SLOTS, file);
    }
    return status;
}

int run_load_inputs(run *chain, const char **frames)
{
    const run_request *request = chain->request;
    run_place places[RUN_MAX_STAGES * EFFECT_MAX_SLOTS];
    run_open_places(request, places);
    int status = STATUS_OK;
    for (int i = 0; i < request->input_count && status == STATUS_OK; i++)
        if (request->stream && run_is_stream(request->inputs[i]))
            *frames = request->inputs[i];
        else
            status = run_load(&chain[places[i].stage], places[i].slot, request->inputs[i]);
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

static void describe_job(run *target)
{
    ag_texture *views = target->views;
    const run_request *request = target->request;
    int source = run_source_slot(request->effect);
    for (int i = 0; i < (int)request->effect->slot_count; i++) {
        const texture *from = &target->textures[i];
        views[i] = texture_view(from);
        if (!from->name)
            continue; // an optional slot left empty
        views[i].version = target->versions[i];
        if (i == source && request->rect.width) {
            views[i].rect_x = request->rect.x;
            views[i].rect_y = request->rect.y;
            views[i].rect_width = request->rect.width;
            views[i].rect_height = request->rect.height;
        }
    }
    target->job = (ag_job){
        .struct_size = sizeof(ag_job),
        .slots = views,
        .slot_count = request->effect->slot_count,
        .settings = request->settings,
        .next_use = request == run_last(request) ? AG_USE_COPY : AG_USE_PASS | AG_USE_COPY,
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

// ---- what passes from effect to effect ----------------------------------------------------------

// Takes the textures of earlier effects. Their sizes and formats are known.
static int take_links(run *target)
{
    const run_request *request = target->request;
    for (int i = 0; i < (int)request->effect->slot_count; i++) {
        run_place link = request->links[i];
        if (link.stage < 0)
            continue;
        const run *from = run_at(target, link.stage);
        const ag_slot_info *slot = effect_slot(from->request->effect, link.slot);
        target->textures[i] = from->textures[link.slot];
        target->versions[i] = from->versions[link.slot];
        const format_info *format = target->textures[i].format;
        if (!format)
            return fail(STATUS_USAGE, "%s of %s takes %s of %s, which is empty",
                        effect_slot(request->effect, i)->name, request->effect->id, slot->name,
                        from->request->effect->id);
        int status = check_format(request->effect, i, format);
        if (status == STATUS_OK && request->formats[i] && request->formats[i] != format)
            status = fail(STATUS_USAGE, "--format %s of %s: %s of %s has the format %s",
                          request->formats[i]->name, request->effect->id, slot->name,
                          from->request->effect->id, format->name);
        if (status != STATUS_OK)
            return status;
        if (i != run_source_slot(request->effect))
            continue;
        target->source = from->source;
        if (slot->access & AG_STATE)
            target->source = (image){.channels = format->channels};
    }
    return STATUS_OK;
}

bool run_find_taker(const run_request *request, int slot, int turn, run_place *out)
{
    for (const run_request *at = request + 1; at <= run_last(request); at++)
        for (int i = 0; i < (int)at->effect->slot_count; i++)
            if (at->links[i].stage == request->stage && at->links[i].slot == slot && turn-- == 0) {
                *out = (run_place){at->stage, i};
                return true;
            }
    return false;
}

// Whether the slot takes a format, and later effects do, too.
static bool passes_on(const run_request *request, int slot, const format_info *format)
{
    run_place taker;
    bool good = format && effect_takes_format(effect_slot(request->effect, slot), format);
    for (int i = 0; good && run_find_taker(request, slot, i, &taker); i++) {
        const run_request *next = run_chain(request) + taker.stage;
        good = effect_takes_format(effect_slot(next->effect, taker.slot), format);
    }
    return good;
}

// What a later effect's --format says of this slot, or a format that all take in place of `usual`.
static const format_info *format_to_pass_on(const run_request *request, int slot,
                                            const format_info *usual)
{
    run_place taker;
    for (int i = 0; run_find_taker(request, slot, i, &taker); i++) {
        const run_request *next = run_chain(request) + taker.stage;
        if (next->formats[taker.slot] && !request->formats[slot])
            return next->formats[taker.slot];
    }
    const format_info *others[] = {usual, format_find(usual->kind, 4),
                                   format_find(FORMAT_FLOAT32, usual->channels),
                                   format_find(FORMAT_FLOAT32, 4), format_find(FORMAT_FLOAT16, 4)};
    for (size_t i = 0; i < sizeof others / sizeof *others && !request->formats[slot]; i++)
        if (passes_on(request, slot, others[i]))
            return others[i];
    return usual; // take_links says who refuses it
}

// Whether an effect from this one on reads the texture, or it becomes a file. A texture may be in
// slots of several effects.
static bool is_needed(run *target, const texture *one)
{
    run *chain = run_at(target, 0);
    run_place taker;
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (target->textures[i].name == one->name)
            return true;
    for (run *at = chain; at < target; at++)
        for (int i = 0; i < EFFECT_MAX_SLOTS; i++) {
            if (at->textures[i].name != one->name)
                continue;
            if (at->request->writes[i])
                return true;
            for (int k = 0; run_find_taker(at->request, i, k, &taker); k++)
                if (taker.stage >= target->request->stage)
                    return true;
        }
    return false;
}

// Lends an output the texture of an earlier one that is as large and not needed any more, so that a
// long chain takes two textures and not one an effect.
static bool share_texture(run *target, int slot, const texture *like)
{
    for (run *at = run_at(target, 0); at < target; at++)
        for (int i = 0; i < EFFECT_MAX_SLOTS; i++) {
            const texture *one = &at->textures[i];
            uint32_t access = i < (int)at->request->effect->slot_count
                                  ? effect_slot(at->request->effect, i)->access
                                  : 0;
            bool made = one->name && (access & AG_WRITE) && !(access & (AG_STATE | AG_READ)) &&
                        !at->shared[i];
            if (made && one->format == like->format && one->width == like->width &&
                one->height == like->height && one->layers == like->layers && one->levels == 1 &&
                !is_needed(target, one)) {
                target->textures[slot] = *one;
                target->versions[slot] = at->versions[i];
                target->shared[slot] = true;
                return true;
            }
        }
    return false;
}

// Whether the texture needs all levels: it is written level by level, by its effect or in place.
static bool needs_levels(const run_request *request, int slot)
{
    run_place taker;
    bool needed = run_writes_chains(request->effect);
    for (int i = 0; run_find_taker(request, slot, i, &taker); i++) {
        const run_request *next = run_chain(request) + taker.stage;
        needed = needed || (effect_slot(next->effect, taker.slot)->access & AG_LEVELS);
    }
    return needed;
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

// Of the source's rectangle.
static int source_width(const run *target)
{
    const run_request *request = target->request;
    return request->rect.width ? request->rect.width
                               : target->textures[run_source_slot(request->effect)].width;
}

static int source_height(const run *target)
{
    const run_request *request = target->request;
    return request->rect.width ? request->rect.height
                               : target->textures[run_source_slot(request->effect)].height;
}

static int scaled(int size, double percent)
{
    double made = floor(size * percent / 100 + 0.5);
    return made < 1 ? 1 : made > IMAGE_MAX ? IMAGE_MAX : (int)made;
}

// One output: of the size that was asked for, else of the one that the effect says.
static int create_output(run *target, int slot, const run_size *asked)
{
    const run_request *request = target->request;
    session *work = &target->session;
    const format_info *format = format_to_pass_on(request, slot, output_format(target, slot));
    int32_t size[3] = {0};
    int status = check_format(request->effect, slot, format);
    if (status == STATUS_OK)
        status = session_check(work,
                               work->api->slot_size(work->pass, &target->job, (uint32_t)slot, size),
                               STATUS_USAGE, "slot_size");
    if (status != STATUS_OK)
        return status;
    int width = asked ? asked->width : size[0], height = asked ? asked->height : size[1];
    if (asked && asked->percent > 0) {
        width = scaled(source_width(target), asked->percent);
        height = scaled(source_height(target), asked->percent);
    }
    int layers = size[2] > 1 ? size[2] : 0;
    const ag_slot_info *info = effect_slot(request->effect, slot);
    if (!width || !height)
        return fail(STATUS_USAGE, "%s of %s may have any size; expected --size WxH or 50%%%s",
                    info->name, request->effect->id,
                    request->stage_count > 1 ? " behind its name" : "");
    const texture *there = &target->textures[slot];
    if (there->name && there->format == format && there->width == width &&
        there->height == height && there->layers == layers)
        return STATUS_OK; // of the file or frame before: every texel is written
    drop_texture(target, slot);
    const texture like = {.format = format, .width = width, .height = height, .layers = layers};
    bool levels = needs_levels(request, slot);
    if (!(info->access & AG_STATE) && !levels && !request->writes[slot] &&
        share_texture(target, slot, &like))
        return STATUS_OK;
    if (info->access & AG_STATE)
        status =
            texture_zeros(&work->gpu, info->name, format, width, height, &target->textures[slot]);
    else
        status = texture_create(&work->gpu, info->name, format, width, height, layers, levels,
                                &target->textures[slot]);
    target->versions[slot] = ++target->version;
    return status;
}

static int create_outputs(run *target)
{
    const run_request *request = target->request;
    const texture *source = &target->textures[run_source_slot(request->effect)];
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(request, slots);
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (target->shared[i]) // with what may be another texture now
            drop_texture(target, i);
    int status = take_links(target);
    if (status == STATUS_OK && request->rect.width)
        status = check_rect(request, source);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t access = effect_slot(request->effect, slots[i])->access;
        if ((access & AG_READ) && !(access & AG_STATE))
            continue; // in place: the texture is loaded already
        if ((access & AG_STATE) && target->textures[slots[i]].name)
            continue; // state is kept from file to file
        describe_job(target);
        const run_size *asked = i < request->size_count ? &request->sizes[i] : NULL;
        status = create_output(target, slots[i], asked);
        int partner = complex_partner(request, slots[i]);
        if (status == STATUS_OK && partner >= 0)
            status = create_output(target, partner, asked);
    }
    describe_job(target);
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
        image_file type = run_output_type(target->request, outputs[i]);
        bool state = effect_slot(effect, slots[i])->access & AG_STATE; // exact data, no picture
        if ((format->kind == FORMAT_UINT32 || state) && type != FILE_NPY)
            return fail(STATUS_USAGE, "%s: expected a .npy file, for %s", outputs[i],
                        state ? effect_slot(effect, slots[i])->name : format->name);
        // A texture of four channels may hold an image of three, so their number is checked when
        // the file is saved.
        int status = image_check_output(outputs[i], type, target->textures[slots[i]].width,
                                        target->textures[slots[i]].height, 1);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// All outputs of a chain, and its plans. `outputs` is for the last effect, or NULL.
static int declare_all(run *chain, const char *const *outputs, session_pass *passes)
{
    int count = chain->request->stage_count, status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        run *target = &chain[i];
        session *work = &target->session;
        status = create_outputs(target);
        if (status == STATUS_OK)
            status = check_output_types(target, i == count - 1 ? outputs : NULL);
        if (status != STATUS_OK)
            break;
        // declare refuses wrong sizes, formats and values of the command line.
        passes[i] = (session_pass){work, target->request->effect->id, &target->job, NULL};
        status = session_check(work, work->api->declare(work->pass, &target->job, &passes[i].plan),
                               STATUS_USAGE, passes[i].effect);
    }
    return status;
}

// A module may compile in the background; prepare is then called again.
static int prepare(run *target)
{
    session *work = &target->session;
    const ag_job *job = &target->job;
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

static int execute(run *target)
{
    session *work = &target->session;
    return session_check(work, work->api->execute(work->pass, &target->job, NULL), STATUS_FAILED,
                         target->request->effect->id);
}

int run_start(run *chain)
{
    int status = STATUS_OK;
    for (int i = 0; i < chain->request->stage_count && status == STATUS_OK; i++) {
        status = prepare(&chain[i]);
        if (chain->again && chain[i].fell_back)
            break;
        if (status == STATUS_OK)
            status = execute(&chain[i]);
    }
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

bool run_fell_back(const run *chain)
{
    bool any = false;
    for (int i = 0; i < chain->request->stage_count; i++)
        any = any || chain[i].fell_back;
    return any;
}

int run_process(run *chain, const char *const *outputs)
{
    const run_request *request = chain->request;
    session_pass passes[RUN_MAX_STAGES];
    int status = declare_all(chain, outputs, passes);
    if (status == STATUS_OK && request->plan && !request->frames) // else beside what is measured
        status = run_print_plans(chain, passes, NULL, NULL);
    bool only_plan = request->plan && !outputs && !request->frames && !request->reference;
    if (only_plan || status != STATUS_OK)
        return status;
    status = request->frames ? run_measure(chain, passes) : run_start(chain);
    if (chain->again && run_fell_back(chain))
        return status;
    if (status == STATUS_OK)
        status = run_write_outputs(chain, outputs);
    if (status == STATUS_OK)
        report_health(&chain->session);
    return status;
}

int run_frame(run *chain, uint64_t number, double seconds, image *out)
{
    session *work = &chain->session;
    run *last = &chain[chain->request->stage_count - 1];
    int slots[EFFECT_MAX_SLOTS], status = STATUS_OK;
    run_output_slots(last->request, slots);
    for (run *at = chain; at <= last && status == STATUS_OK; at++) {
        status = create_outputs(at);
        at->job.frame = number;
        at->job.dt = (float)seconds;
        at->job.flags = number == 0 ? AG_JOB_RESET : 0;
    }
    if (status == STATUS_OK)
        status = run_start(chain);
    if (status == STATUS_OK)
        status =
            session_check(work, work->api->frame(work->device, number), STATUS_FAILED, "frame");
    return status == STATUS_OK ? run_read_output(last, slots[0], 0, out) : status;
}

void run_end_stream(run *chain)
{
    report_health(&chain->session);
}
