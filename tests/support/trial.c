// trial.c - one job of any effect on the GPU, and its outputs against a reference
// SPDX-License-Identifier: MIT
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "jobs.h"

// ---- running -----------------------------------------------------------------------------------

trial trial_of(fixture *f, const char *effect, const char *name, void *settings, uint32_t size)
{
    const ag_effect_info *info = job_effect(f->ag, effect);
    CHECK_F(info != NULL, "%s", effect);
    return trial_of_info(f, info, name, settings, size);
}

trial trial_of_info(fixture *f, const ag_effect_info *info, const char *name, void *settings,
                    uint32_t size)
{
    trial t = {.f = f, .name = name, .info = info, .settings = settings};
    CHECK_F(info->slot_count <= TRIAL_SLOTS, "%s", info->id);
    CHECK_STATUS(f->ag->effect_defaults(info, settings, size), AG_OK);
    t.job = (ag_job){.struct_size = sizeof t.job,
                     .slot_count = t.info->slot_count,
                     .next_use = AG_USE_COPY,
                     .scratch = {.struct_size = sizeof(ag_buffer)}};
    return t;
}

trial_slot trial_image(const char *format, int width, int height, const double *values)
{
    return (trial_slot){.format = format, .width = width, .height = height, .values = values};
}

const ag_tuning *trial_tiles(void)
{
    static const ag_tuning tiles = {.tile = AG_TILE_32, .threads = 512};
    return check_tier_now() == CHECK_QUICK ? &tiles : NULL;
}

static uint32_t access_of(const trial *t, int slot)
{
    return job_slot_info(t->info, (uint32_t)slot)->access;
}

static bool is_made(const trial *t, int slot)
{
    return t->textures[slot].name && !t->slots[slot].own;
}

static void make_texture(trial *t, int slot)
{
    const trial_slot *s = &t->slots[slot];
    texture *own = &t->textures[slot];
    double *zeros = NULL;
    if (s->own)
        *own = *s->own;
    else if (s->format)
        *own = texture_create_array(t->f, s->format, s->width, s->height, s->layers, s->levels,
                                    s->base ? NULL : s->values);
    else if (t->views[slot].struct_size)
        return;
    t->views[slot] = own->name ? texture_view(own) : texture_no_view();
    if (!own->name)
        return;
    if ((access_of(t, slot) & AG_STATE) && !s->values && !s->own) {
        zeros = check_doubles(texture_value_count(own, 0));
        memset(zeros, 0, texture_value_count(own, 0) * sizeof *zeros);
        texture_upload(t->f, own, 0, zeros);
        free(zeros);
    }
    ag_texture *view = &t->views[slot];
    if (s->base && s->values)
        texture_upload(t->f, own, s->base, s->values);
    view->level = s->base;
    view->width = texture_level_size(own->width, s->base);
    view->height = texture_level_size(own->height, s->base);
    view->first_layer = s->first;
    view->layers = s->count ? s->count : view->layers - s->first;
    view->rect_x = s->x;
    view->rect_y = s->y;
    view->rect_width = s->w;
    view->rect_height = s->h;
}

void trial_make(trial *t)
{
    for (int i = 0; i < (int)t->info->slot_count; ++i)
        if (!t->textures[i].name)
            make_texture(t, i);
    if (!t->pass) {
        t->pass = fixture_pass(t->f, t->info->id);
        t->own_pass = true;
    }
    t->job.slots = t->views;
    t->job.settings = t->settings;
}

static void execute(trial *t)
{
    GLuint buffer = 0;
    const ag_plan *plan = NULL;
    if (t->lend) {
        CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
        t->job.scratch.bytes = plan->scratch_bytes;
        if (plan->scratch_bytes) {
            t->f->gl.GenBuffers(1, &buffer);
            t->f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
            t->f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)plan->scratch_bytes, NULL,
                                GL_DYNAMIC_COPY);
            t->f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        }
        t->job.scratch.name = buffer;
    }
    fixture_run(t->f, t->pass, &t->job);
    t->job.scratch = (ag_buffer){.struct_size = sizeof(ag_buffer)};
    t->f->gl.DeleteBuffers(1, &buffer);
}

void trial_run(trial *t)
{
    trial_make(t);
    for (int i = 0; i < (int)t->info->slot_count; ++i) {
        uint32_t access = access_of(t, i);
        bool writes = (access & AG_WRITE) != 0, reads = (access & AG_READ) != 0;
        if (is_made(t, i) && writes && !(access & AG_STATE)) {
            texture_poison(t->f, &t->textures[i]);
            if (t->slots[i].values)
                texture_upload(t->f, &t->textures[i], t->slots[i].base, t->slots[i].values);
        }
        if (t->textures[i].name && reads && (writes || (t->reference && !t->held[i]))) {
            free(t->held[i]);
            t->held[i] = texture_read(t->f, &t->textures[i], t->slots[i].base);
        }
    }
    ag_tuning *tuning = ag_device_tuning(t->f->device), former = *tuning;
    if (t->tuning)
        *tuning = *t->tuning;
    execute(t);
    *tuning = former;
    for (int i = 0; i < (int)t->info->slot_count; ++i)
        if (t->textures[i].name && (access_of(t, i) & AG_WRITE)) {
            free(t->got[i]);
            t->got[i] = texture_read(t->f, &t->textures[i], t->slots[i].base);
        }
}

bool trial_refused(trial *t, ag_status status, const char *word)
{
    trial_make(t);
    host_log_clear(&t->f->host);
    ag_status got = t->f->ag->prepare(t->pass, &t->job);
    bool good = got == status && host_log_error(&t->f->host, status, word);
    for (int i = 0; i < (int)t->info->slot_count; ++i)
        if (is_made(t, i) && !(access_of(t, i) & AG_READ))
            good = good && texture_is_poison(t->f, &t->textures[i]);
    printf("  %-5s %s, \"%s\": %s\n", good ? "ok" : "WRONG", check_status_name(got), word,
           host_log_last(&t->f->host));
    return good;
}

void trial_free(trial *t)
{
    if (t->own_pass)
        t->f->ag->pass_destroy(t->pass);
    t->pass = t->own_pass ? NULL : t->pass;
    t->own_pass = false;
    for (int i = 0; i < TRIAL_SLOTS; ++i) {
        if (is_made(t, i))
            texture_destroy(t->f, &t->textures[i]);
        t->textures[i] = (texture){0};
        free(t->held[i]);
        free(t->got[i]);
        t->held[i] = t->got[i] = NULL;
    }
}

bool trial_check_and_free(trial *t, ag_pass *pass)
{
    t->pass = pass;
    bool good = trial_check(t);
    trial_free(t);
    return good;
}

double *trial_take(trial *t, int slot)
{
    trial_run(t);
    double *got = t->got[slot];
    t->got[slot] = NULL;
    trial_free(t);
    return got;
}

// ---- what a reference needs --------------------------------------------------------------------

int trial_channels(const trial *t, int slot)
{
    return t->textures[slot].format->channels;
}

static int at_level(int at, int size, int level)
{
    int last = texture_level_size(size, level) - 1;
    return at >> level < last ? at >> level : last;
}

// The part of a level and a layer that the job works on. A rectangle halves with each level.
static trial_part part_of(const trial *t, int slot, int level, int layer)
{
    const ag_texture *v = &t->views[slot];
    int w = v->rect_width ? v->rect_width : v->width - v->rect_x;
    int h = v->rect_height ? v->rect_height : v->height - v->rect_y;
    return (trial_part){slot,
                        level,
                        layer,
                        at_level(v->rect_x, v->width, level),
                        at_level(v->rect_y, v->height, level),
                        texture_level_size(w, level),
                        texture_level_size(h, level),
                        trial_channels(t, slot)};
}

// Copies a part from the values of a whole level.
static void crop(const trial *t, const trial_part *p, const double *whole, double *out)
{
    const texture *own = &t->textures[p->slot];
    int level = t->slots[p->slot].base + p->level;
    size_t n = (size_t)p->channels, row = (size_t)texture_level_size(own->width, level);
    size_t rows = (size_t)texture_level_size(own->height, level);
    size_t layer = (size_t)(t->views[p->slot].first_layer + p->layer);
    for (size_t y = 0; y < (size_t)p->height; ++y)
        memcpy(out + y * (size_t)p->width * n,
               whole + ((layer * rows + (size_t)p->y + y) * row + (size_t)p->x) * n,
               (size_t)p->width * n * sizeof *out);
}

double *trial_input(const trial *t, int slot, int layer)
{
    trial_part p = part_of(t, slot, 0, t->views[slot].layers > 1 ? layer : 0);
    double *out = check_doubles((size_t)(p.width * p.height * p.channels));
    crop(t, &p, t->held[slot], out);
    return out;
}

bool trial_unchanged(trial *t, const trial_part *p, double *want, double *bound)
{
    double *src = trial_input(t, 0, p->layer);
    (void)bound;
    memcpy(want, src, (size_t)(p->width * p->height * p->channels) * sizeof *want);
    free(src);
    return true;
}

// ---- comparing ---------------------------------------------------------------------------------

typedef struct verdict {
    double worst; // of errors over what is allowed
    double error, allowed, want, got;
    const format_info *units; // NULL: error and allowed are values, else units of this format
    trial_part part;
    size_t at, wrong, values, open;
    double signal, noise;
    size_t stray; // texels that the job should not have written
} verdict;

static void judge(verdict *v, const trial_part *p, const format_info *format, size_t at,
                  double want, double got, double bound)
{
    int channel = (int)(at % (size_t)p->channels);
    bool wide = format->kind == FORMAT_UINT || format->bits[channel] == 32;
    bool same = got == want || (isnan(got) && isnan(want));
    double error = same ? 0 : fabs(got - want), allowed = bound;
    v->signal += isfinite(want) ? want * want : 0;
    v->noise += error * error;
    if (!wide) {
        error = same ? 0 : format_error_units(format, channel, want, got, bound);
        allowed = 0.51;
    }
    bool right = error <= allowed;
    double ratio = error == 0 ? 0 : allowed > 0 ? error / allowed : (double)INFINITY;
    v->wrong += !right;
    if (v->values++ && (isnan(v->worst) || ratio <= v->worst))
        return;
    v->worst = ratio;
    v->error = error;
    v->allowed = allowed;
    v->want = want;
    v->got = got;
    v->units = wide ? NULL : format;
    v->part = *p;
    v->at = at;
}

// Compares one part. Returns how many of its texels are still poison by right.
static size_t compare(trial *t, const trial_part *p, const double *whole, verdict *v)
{
    size_t texels = (size_t)p->width * (size_t)p->height, count = texels * (size_t)p->channels;
    double *want = check_doubles(count), *bound = check_doubles(count), *got = check_doubles(count);
    double largest = 0;
    for (size_t i = 0; i < count; ++i) {
        want[i] = i % (size_t)p->channels == 3;
        bound[i] = t->limit;
    }
    bool written = t->reference(t, p, want, bound);
    crop(t, p, whole, got);
    for (size_t i = 0; written && t->relative > 0 && i < count; ++i)
        if (isfinite(want[i]) && want[i] != TRIAL_ANY)
            largest = fmax(largest, fabs(want[i]));
    for (size_t i = 0; written && i < count; ++i)
        if (want[i] != TRIAL_ANY)
            judge(v, p, t->textures[p->slot].format, i, want[i], got[i],
                  bound[i] + t->relative * largest);
        else
            ++v->open;
    free(want);
    free(bound);
    free(got);
    return written ? 0 : texels;
}

static void compare_slot(trial *t, int slot, verdict *v)
{
    const texture *own = &t->textures[slot];
    uint32_t access = access_of(t, slot);
    int first = (access & AG_READ) && !(access & AG_STATE); // the first level is the input
    int base = t->slots[slot].base;
    for (int level = first; base + level < own->levels; ++level) {
        double *whole = level ? texture_read(t->f, own, base + level) : t->got[slot];
        size_t texels = texture_value_count(own, base + level) / (size_t)trial_channels(t, slot);
        size_t around = texels;
        for (int layer = 0; layer < t->views[slot].layers; ++layer) {
            trial_part p = part_of(t, slot, level, layer);
            around -= (size_t)p.width * (size_t)p.height;
            around += compare(t, &p, whole, v);
        }
        // State keeps around its rectangle what it held; a caller's texture what the caller says.
        if (around && is_made(t, slot) && !(access & AG_STATE)) {
            size_t poison = texture_poison_count(t->f, own, base + level, 0, 0, 0, 0);
            v->stray += poison < around ? around - poison : 0;
        }
        if (level)
            free(whole);
    }
}

static void print_settings(const trial *t)
{
    for (uint32_t i = 0; i < t->info->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(t->info, i);
        const char *at = (const char *)t->settings + s->offset;
        float real;
        int32_t whole;
        memcpy(&real, at, sizeof real);
        memcpy(&whole, at, sizeof whole);
        double value = s->type == AG_FLOAT ? (double)real : whole;
        if (s->count > 1 ||
            value == (s->type == AG_FLOAT ? (double)(float)s->initial[0] : s->initial[0]))
            continue;
        if (s->type == AG_ENUM && whole >= 0 && (uint32_t)whole < s->name_count && s->names[whole])
            printf(", %s %s", s->name, s->names[whole]);
        else
            printf(", %s %g", s->name, value);
    }
    const ag_tuning *u = t->tuning;
#define PRINT(field)   \
    if (u && u->field) \
        printf(", " #field " %d", (int)u->field);
    PRINT(without) PRINT(emulate) PRINT(tile) PRINT(threads) PRINT(carry) PRINT(tables)
#undef PRINT
}

static void print_trial(const trial *t, bool good)
{
    printf("  %-5s %s", good ? "ok" : "WRONG", t->name);
    for (int i = 0; i < (int)t->info->slot_count; ++i)
        if (t->textures[i].name) {
            trial_part p = part_of(t, i, 0, 0);
            printf("%s %s", i ? "," : ":", job_slot_info(t->info, (uint32_t)i)->name);
            printf(" %dx%d", p.width, p.height);
            if (t->textures[i].layers)
                printf("x%d", t->views[i].layers);
            printf(" %s", t->textures[i].format->name);
        }
    print_settings(t);
}

bool trial_check(trial *t)
{
    verdict v = {0};
    CHECK_F(t->reference, "%s has no reference", t->name);
    trial_run(t);
    for (int i = 0; i < (int)t->info->slot_count; ++i)
        if (t->textures[i].name && (access_of(t, i) & AG_WRITE))
            compare_slot(t, i, &v);
    double snr = v.noise > 0 || isnan(v.noise) ? 10 * log10(v.signal / v.noise) : 999;
    double open = (double)v.open / (double)(v.values + v.open);
    bool good = v.values && !v.wrong && !v.stray && open <= t->left_out;
    good = good && (t->snr <= 0 || snr >= t->snr);
    print_trial(t, good);
    if (t->limit < (double)INFINITY)
        printf(": %.2g <= %.2g%s%s", v.error, v.allowed, v.units ? " units of " : "",
               v.units ? v.units->name : "");
    if (t->snr > 0)
        printf(": %.1f dB >= %.0f", snr, t->snr);
    if (v.open)
        printf("; %.3f <= %.3f left open", open, t->left_out);
    printf("\n");
    if (v.wrong)
        printf(
            "        %zu of %zu values are wrong; worst of %s at (%zu, %zu) channel %zu layer %d "
            "level %d: %.9g, not %.9g\n",
            v.wrong, v.values, job_slot_info(t->info, (uint32_t)v.part.slot)->name,
            v.at / (size_t)v.part.channels % (size_t)v.part.width,
            v.at / (size_t)v.part.channels / (size_t)v.part.width, v.at % (size_t)v.part.channels,
            v.part.layer, v.part.level, v.got, v.want);
    if (v.stray)
        printf("        %zu texels are written that should be poison\n", v.stray);
    return good;
}
