// jobs.c - a small valid job for any effect
// SPDX-License-Identifier: MIT
#include "jobs.h"

#include "minimums.h"

#include <afterglow/bloom.h>
#include <afterglow/depth_of_field.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "random.h"

const ag_effect_info *const *job_effects(const ag_api *ag)
{
    enum { MOST = 64 };
    static _Thread_local const ag_effect_info *all[MOST + 1];
    uint32_t count = 0;
    const ag_effect_info *const *effects = ag->effects(&count);
    CHECK(count <= MOST);
    memcpy(all, effects, count * sizeof *all);
    all[count] = NULL;
    return all;
}

const ag_effect_info *job_effect(const ag_api *ag, const char *id)
{
    for (const ag_effect_info *const *e = job_effects(ag); *e; ++e)
        if (strcmp((*e)->id, id) == 0)
            return *e;
    return NULL;
}

const ag_slot_info *job_slot_info(const ag_effect_info *info, uint32_t slot)
{
    return (const ag_slot_info *)(const void *)((const char *)info->slots +
                                                (size_t)slot * info->slot_stride);
}

const ag_setting_info *job_setting_info(const ag_effect_info *info, uint32_t setting)
{
    return (const ag_setting_info *)(const void *)((const char *)info->settings +
                                                   (size_t)setting * info->setting_stride);
}

static const ag_setting_info *find(const test_job *j, const char *name, uint32_t index)
{
    for (uint32_t i = 0; i < j->info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(j->info, i);
        if (strcmp(s->name, name) == 0) {
            CHECK_F(index < s->count, "%s has %u values", name, s->count);
            return s;
        }
    }
    return NULL;
}

void job_set(test_job *j, const char *name, uint32_t index, double value)
{
    const ag_setting_info *s = find(j, name, index);
    CHECK_F(s != NULL, "%s has no setting %s", j->info->id, name);
    uint8_t *at = j->settings + s->offset + 4 * index;
    float real = (float)value;
    if (s->type == AG_FLOAT) {
        memcpy(at, &real, sizeof real);
    } else {
        int32_t whole = (int32_t)value;
        memcpy(at, &whole, sizeof whole);
    }
}

double job_get(const test_job *j, const char *name, uint32_t index)
{
    const ag_setting_info *s = find(j, name, index);
    CHECK_F(s != NULL, "%s has no setting %s", j->info->id, name);
    const uint8_t *at = j->settings + s->offset + 4 * index;
    float real;
    int32_t whole;
    memcpy(&real, at, sizeof real);
    memcpy(&whole, at, sizeof whole);
    return s->type == AG_FLOAT ? (double)real : (double)whole;
}

uint32_t job_slot(const test_job *j, const char *name)
{
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        if (strcmp(job_slot_info(j->info, i)->name, name) == 0)
            return i;
    }
    check_fail(__FILE__, __LINE__, "slot", "%s has no slot %s", j->info->id, name);
    return 0;
}

texture *job_output(test_job *j)
{
    if (j->lower.name)
        return &j->lower;
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        if (job_slot_info(j->info, i)->access & AG_WRITE)
            return &j->textures[i];
    }
    check_fail(__FILE__, __LINE__, "output", "%s writes nothing", j->info->id);
    return NULL;
}

// A chain of levels, and a texture of its own for those that an effect writes in place.
static void create_chain(fixture *f, int width, int height, const double *values, test_job *j,
                         texture *whole)
{
    int levels = texture_full_levels(width, height);
    *whole = texture_create_array(f, "rgba32f", width, height, 0, levels, values);
    j->lower = *whole;
    j->lower.levels = levels - 1;
    j->lower.width = width / 2 > 1 ? width / 2 : 1;
    j->lower.height = height / 2 > 1 ? height / 2 : 1;
    f->gl.GenTextures(1, &j->lower.name);
    f->gl.TextureView(j->lower.name, GL_TEXTURE_2D, whole->name, GL_RGBA32F, 1,
                      (GLuint)j->lower.levels, 0, 1);
}

// RGBA32F, or R32F if a slot does not take RGBA32F.
static const char *job_format(const ag_slot_info *slot, bool kernel)
{
    for (uint32_t i = 0; i < slot->format_count && !kernel; ++i)
        if (slot->formats[i] == GL_RGBA32F)
            return "rgba32f";
    return "r32f";
}

static void *plain_proc(void *user, const char *name)
{
    return headless_proc(user, name);
}

// The size that the module states for a slot. A separate device is asked, because the fixture may
// have none yet, and because these calls must not be counted. All 0 on a context that the module
// refuses.
static void ask_size(fixture *f, const test_job *j, uint32_t slot, int32_t size[3])
{
    const ag_host host = {.struct_size = sizeof host, .user = f->context, .gl_proc = plain_proc};
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    memset(size, 0, 3 * sizeof *size);
    if (f->ag->device_create(&host, NULL, &device) == AG_E_GL)
        return;
    CHECK_STATUS(f->ag->pass_create(device, j->info->id, &pass), AG_OK);
    CHECK_STATUS(f->ag->slot_size(pass, &j->job, slot, size), AG_OK);
    f->ag->device_destroy(device, 0);
}

// An output whose size is another than that of the inputs.
static void resize_output(fixture *f, test_job *j, uint32_t slot)
{
    int32_t size[3];
    texture *t = &j->textures[slot];
    ask_size(f, j, slot, size);
    if (!size[0] || !size[1] || (size[0] == t->width && size[1] == t->height && size[2] == 1))
        return;
    int levels = t->levels > 1 ? texture_full_levels(size[0], size[1]) : 1;
    texture_destroy(f, t);
    *t = texture_create_array(f, job_format(job_slot_info(j->info, slot), false), size[0], size[1],
                              size[2] > 1 ? size[2] : 0, levels, NULL);
    j->slots[slot] = texture_view(t);
}

void job_fit_outputs(fixture *f, ag_pass *pass, test_job *j)
{
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        texture *t = &j->textures[i];
        int32_t size[3] = {0};
        if (!t->name || job_first_output(j->info, i) ||
            !(job_slot_info(j->info, i)->access & AG_WRITE))
            continue;
        if (f->ag->slot_size(pass, &j->job, i, size) < 0 || size[0] < 1 ||
            (size[0] == t->width && size[1] == t->height && size[2] == (t->layers ? t->layers : 1)))
            continue;
        texture old = *t;
        *t = texture_create_array(f, old.format->name, size[0], size[1], size[2] > 1 ? size[2] : 0,
                                  old.levels > 1 ? texture_full_levels(size[0], size[1]) : 1, NULL);
        j->slots[i] = texture_view(t);
        texture_destroy(f, &old);
    }
}

static void create_state(fixture *f, test_job *j, uint32_t slot)
{
    int32_t size[3];
    ask_size(f, j, slot, size);
    size_t count = (size_t)size[0] * (size_t)size[1] * (size_t)size[2] * 4;
    double *zeros = check_doubles(count);
    memset(zeros, 0, count * sizeof *zeros);
    j->textures[slot] = texture_create_array(f, job_format(job_slot_info(j->info, slot), false),
                                             size[0], size[1], size[2] > 1 ? size[2] : 0, 1, zeros);
    j->slots[slot] = texture_view(&j->textures[slot]);
    free(zeros);
}

bool job_generates(const ag_effect_info *info)
{
    for (uint32_t i = 0; i < info->slot_count; ++i)
        if (job_slot_info(info, i)->access & AG_READ)
            return false;
    return true;
}

static void create_generated(fixture *f, test_job *j)
{
    if (find(j, "size", 0))
        job_set(j, "size", 0, 0); // the smallest, whatever size the test takes for others
    if (find(j, "cascades", 0))
        job_set(j, "cascades", 0, 1);
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        int32_t size[3];
        if (job_slot_info(j->info, i)->access & AG_OPTIONAL)
            continue;
        ask_size(f, j, i, size);
        j->textures[i] = texture_create_array(f, job_format(job_slot_info(j->info, i), false),
                                              size[0], size[1], size[2] > 1 ? size[2] : 0, 1, NULL);
        j->slots[i] = texture_view(&j->textures[i]);
    }
}

void job_create(fixture *f, const char *effect, int width, int height, test_job *j)
{
    memset(j, 0, sizeof *j);
    j->info = job_effect(f->ag, effect);
    CHECK_F(j->info != NULL, "no effect %s", effect);
    CHECK(j->info->slot_count <= JOB_SLOTS && j->info->settings_size <= JOB_SETTINGS);
    CHECK_STATUS(f->ag->defaults(effect, j->settings, j->info->settings_size), AG_OK);
    if (strcmp(effect, "bloom") == 0)
        job_set(j, "shape", 0, AG_BLOOM_GAUSSIAN);
    if (strcmp(effect, "convolve") == 0)
        job_set(j, "method", 0, AG_CONVOLVE_FFT); // auto takes direct for so few taps
    rng r = {(uint64_t)(width * 65536 + height)};
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        const ag_slot_info *slot = job_slot_info(j->info, i);
        bool kernel = strncmp(slot->name, "kernel", 6) == 0;
        int w = kernel ? 5 : width, h = kernel ? 3 : height;
        j->slots[i] = texture_no_view();
        if ((slot->access & (AG_OPTIONAL | AG_STATE)) || job_generates(j->info))
            continue;
        double *values = NULL;
        if (slot->access & AG_READ) {
            size_t count = (size_t)w * (size_t)h * (kernel ? 1 : 4);
            values = malloc(count * sizeof *values);
            CHECK(values != NULL);
            rng_fill_uniform(&r, values, count, kernel ? 0.1 : 0, 1);
        }
        if ((slot->access & AG_READ) && (slot->access & AG_WRITE))
            create_chain(f, w, h, values, j, &j->textures[i]);
        else
            j->textures[i] =
                texture_create_array(f, job_format(slot, kernel), w, h, 0,
                                     slot->access & AG_LEVELS ? texture_full_levels(w, h) : 1,
                                     values);
        j->slots[i] = texture_view(&j->textures[i]);
        free(values);
    }
    j->job = (ag_job){
        .struct_size = sizeof j->job,
        .slots = j->slots,
        .slot_count = j->info->slot_count,
        .settings = j->settings,
        .scratch = {.struct_size = sizeof(ag_buffer)},
    };
    if (job_generates(j->info))
        create_generated(f, j);
    for (uint32_t i = 0; i < j->info->slot_count; ++i) { // sizes that depend on other slots'
        uint32_t access = job_slot_info(j->info, i)->access;
        if ((access & AG_STATE) && !(access & AG_OPTIONAL))
            create_state(f, j, i);
        else if (!job_generates(j->info) && !(access & (AG_READ | AG_OPTIONAL)))
            resize_output(f, j, i);
    }
}

void job_destroy(fixture *f, test_job *j)
{
    if (f->device)
        ag_device_tuning(f->device)->tables = AG_TABLES_AUTO;
    if (j->lower.name)
        texture_destroy(f, &j->lower);
    for (uint32_t i = 0; i < JOB_SLOTS; ++i) {
        if (j->textures[i].name)
            texture_destroy(f, &j->textures[i]);
    }
}

// The setting of every effect that reads; else the first one.
static const ag_setting_info *spoiled(const test_job *j)
{
    const ag_setting_info *scrub = find(j, "scrub", 0);
    return scrub ? scrub : job_setting_info(j->info, 0);
}

void job_spoil(test_job *j)
{
    job_set(j, spoiled(j)->name, 0, spoiled(j)->max + 4);
}

void job_mend(test_job *j)
{
    bool scrub = find(j, "scrub", 0) != NULL;
    job_set(j, spoiled(j)->name, 0, scrub ? 1 : spoiled(j)->min);
}

bool job_variant(test_job *j, uint32_t variant)
{
    const ag_setting_info *method = find(j, "method", 0);
    bool boxes = strcmp(j->info->id, "box_blur") == 0 || strcmp(j->info->id, "local_stats") == 0 ||
                 strcmp(j->info->id, "depth_of_field") == 0;
    if (variant > (method ? (uint32_t)method->max : boxes ? AG_TABLES_BUFFER : 0))
        return false;
    bool gather = strcmp(j->info->id, "depth_of_field") == 0 && variant == AG_FOCUS_GATHER;
    if (method) // gather needs more than the least of GL
        job_set(j, method->name, 0, gather && minimums_wanted() ? AG_FOCUS_AUTO : variant);
    j->tables = boxes ? (int32_t)variant : AG_TABLES_AUTO;
    return true;
}

void job_tune(ag_device *device, const test_job *j)
{
    ag_device_tuning(device)->tables = j->tables;
}

// A format of the slot: the first slot's if the slot takes it, else the first that tests can fill.
static const char *optional_format(const test_job *j, const ag_slot_info *slot)
{
    const format_info *chosen = NULL;
    for (uint32_t i = 0; i < slot->format_count; ++i) {
        const format_info *format = format_find(slot->formats[i]);
        if (format && (!chosen || format == j->textures[0].format))
            chosen = format;
    }
    CHECK_F(chosen != NULL, "slot %s takes no format that tests can fill", slot->name);
    return chosen->name;
}

void job_fill_optional(fixture *f, test_job *j)
{
    rng r = {77};
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        const ag_slot_info *slot = job_slot_info(j->info, i);
        if (j->textures[i].name)
            continue;
        bool kernel = strncmp(slot->name, "kernel", 6) == 0;
        bool one = strcmp(slot->name, "exposure") == 0 || strcmp(slot->name, "state") == 0;
        int w = kernel ? 5 : one ? 1 : j->textures[0].width;
        int h = kernel ? 3 : one ? 1 : j->textures[0].height;
        size_t count = (size_t)w * (size_t)h * 4;
        double *values = NULL;
        if (slot->access & AG_READ) {
            values = check_doubles(count);
            rng_fill_uniform(&r, values, count, 0, 1);
        }
        j->textures[i] = texture_create(f, optional_format(j, slot), w, h, values);
        j->slots[i] = texture_view(&j->textures[i]);
        free(values);
    }
    j->job.slot_count = j->info->slot_count;
}

int job_setting_values(const ag_setting_info *s)
{
    return s->type == AG_ENUM ? (int)s->name_count : s->type == AG_BOOL ? 2 : 6;
}

double job_setting_value(const ag_setting_info *s, int i)
{
    static const double shares[] = {0, 1, 0.5, 0.1, 0.003, 0.9};
    if (s->type == AG_ENUM || s->type == AG_BOOL)
        return i;
    double low = s->min, high = s->max > 100 && i > 3 ? 100 : s->max;
    double value = low + (high - low) * shares[i];
    return s->type == AG_FLOAT ? value : (double)(int64_t)value;
}

int job_first_output(const ag_effect_info *info, uint32_t slot)
{
    uint32_t access = job_slot_info(info, slot)->access;
    return (access & AG_READ) && (access & AG_WRITE) && !(access & AG_STATE);
}

static bool is_written(const test_job *j, uint32_t slot)
{
    return j->textures[slot].name && (job_slot_info(j->info, slot)->access & AG_WRITE);
}

void job_poison(fixture *f, test_job *j)
{
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        texture *t = &j->textures[i];
        if (!is_written(j, i))
            continue;
        if (job_slot_info(j->info, i)->access & AG_STATE) {
            double *zeros = calloc(texture_value_count(t, 0), sizeof *zeros);
            CHECK(zeros != NULL);
            texture_upload(f, t, 0, zeros);
            free(zeros);
        } else {
            texture_poison(f, job_first_output(j->info, i) ? &j->lower : t);
        }
    }
}

void job_read(fixture *f, const test_job *j, job_results *results)
{
    results->count = 0;
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        const texture *t = &j->textures[i];
        for (int level = job_first_output(j->info, i); is_written(j, i) && level < t->levels;
             ++level) {
            CHECK(results->count < JOB_RESULTS);
            results->sizes[results->count] = texture_byte_count(t, level);
            results->bytes[results->count++] = texture_read_bytes(f, t, level);
        }
    }
}

bool job_results_same(const job_results *a, const job_results *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; ++i)
        same = a->sizes[i] == b->sizes[i] && memcmp(a->bytes[i], b->bytes[i], a->sizes[i]) == 0;
    return same;
}

void job_results_free(job_results *results)
{
    for (int i = 0; i < results->count; ++i)
        free(results->bytes[i]);
    results->count = 0;
}
