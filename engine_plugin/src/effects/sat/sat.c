// sat.c - the effect "sat": summed-area tables with a stated precision
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/sat_table.h"

#include <afterglow/sat.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_SAT_SRC,
    DST = AG_SAT_DST,
    LOW = AG_SAT_LOW,
    SQUARES = AG_SAT_SQUARES,
    SQUARES_LOW = AG_SAT_SQUARES_LOW,
    MEAN = AG_SAT_MEAN,
    SLOTS
};

static const uint32_t low_formats[] = {GL_R16F, GL_RG16F, GL_RGBA16F,
                                       GL_R32F, GL_RG32F, GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [DST] = AG_SLOT("dst", "its table", AG_WRITE, ag_table_formats),
    [LOW] = AG_SLOT("low",
                    "what dst's floats leave: residual (16F), low part (32F), split's sums (32F)",
                    AG_WRITE | AG_OPTIONAL, low_formats),
    [SQUARES] =
        AG_SLOT("squares", "the table of squares", AG_WRITE | AG_OPTIONAL, ag_table_formats),
    [SQUARES_LOW] =
        AG_SLOT("squares_low", "as low, of squares", AG_WRITE | AG_OPTIONAL, low_formats),
    [MEAN] = {"mean", "1 x 1: what offset = mean took off", AG_WRITE | AG_OPTIONAL, 3,
              ag_table_formats},
};

AG_SETTINGS(sat, SAT)
static const char *const storages[] = {AG_SAT_STORAGE(AG_NAME)};
static const char *const edges[] = {AG_SAT_EDGE(AG_NAME)};

typedef struct sat_design {
    int32_t storage; // never AG_SAT_AUTO
    ag_sat_plan table;
} sat_design;

// ---- which storage -----------------------------------------------------------------------------

static ag_sat_question question_of(const ag_request *request, const ag_sat_settings *s)
{
    const ag_texture *src = &request->slots[SRC];
    return (ag_sat_question){.struct_size = sizeof(ag_sat_question),
                             .width = src->rect_width,
                             .height = src->rect_height,
                             .min_box = s->min_box,
                             .max_box = s->max_box,
                             .codes = request->formats[SRC]->store == AG_STORE_UNORM8,
                             .fraction_bits = s->fraction_bits,
                             .offset = s->offset,
                             .origin = s->origin,
                             .square = s->square,
                             .max_value = (double)s->max_value};
}

// The storages (bits) that the formats of dst and low allow.
static uint32_t storages_of_slots(const ag_request *request)
{
    const ag_format *dst = request->formats[DST], *low = request->formats[LOW];
    if (dst->store == AG_STORE_32UI)
        return low ? 0 : 1u << AG_SAT_UINT32;
    if (!low)
        return 1u << AG_SAT_FLOAT32;
    if (low->store == AG_STORE_16F)
        return 1u << AG_SAT_FLOAT32_RESIDUAL;
    const ag_texture *src = &request->slots[SRC], *l = &request->slots[LOW];
    const ag_texture *d = &request->slots[DST];
    bool split = l->rect_width == ag_sat_split_width(src->rect_width, src->rect_height) &&
                 l->rect_height == ag_sat_split_height(src->rect_width, src->rect_height);
    bool same = l->rect_width == d->rect_width && l->rect_height == d->rect_height;
    return (same ? 1u << AG_SAT_DOUBLE_FLOAT : 0) | (split ? 1u << AG_SAT_SPLIT : 0);
}

static const char *const needs[] = {
    [AG_SAT_FLOAT32] = "dst 32F and nothing in low",
    [AG_SAT_FLOAT32_RESIDUAL] = "dst 32F and low 16F, of dst's size",
    [AG_SAT_DOUBLE_FLOAT] = "dst and low 32F, of one size",
    [AG_SAT_UINT32] = "dst 32UI and nothing in low",
    [AG_SAT_SPLIT] = "dst 32F and low 32F, of the size that sat.h states"};

// The storage to use; never AG_SAT_AUTO on success.
static ag_status choose_storage(const ag_host *host, const ag_request *request,
                                const ag_sat_settings *s, int32_t *storage)
{
    uint32_t possible = storages_of_slots(request);
    ag_sat_question q = question_of(request, s);
    *storage = s->storage;
    if (s->storage == AG_SAT_AUTO) {
        double tolerance = s->tolerance > 0 ? (double)s->tolerance : HUGE_VAL;
        *storage = possible ? ag_sat_choose(&q, tolerance, possible) : 0;
        if (*storage)
            return AG_OK;
        int32_t best = ag_sat_choose(&q, tolerance, 0);
        if (best)
            return ag_fail(host, AG_E_FORMAT,
                           "sat: storage auto: for %dx%d, max_value %g, min_box %d and tolerance "
                           "%g it takes %s, which wants %s",
                           q.width, q.height, q.max_value, q.min_box, tolerance, storages[best],
                           needs[best]);
        return ag_fail(host, AG_E_ARG,
                       "sat: storage auto: for %dx%d, max_value %g and min_box %d none holds "
                       "tolerance %g; double_float holds %.3g",
                       q.width, q.height, q.max_value, q.min_box, tolerance,
                       ag_sat_error(&q, AG_SAT_DOUBLE_FLOAT));
    }
    if (!(possible >> s->storage & 1u))
        return ag_fail(host, AG_E_FORMAT, "sat: storage %s wants %s", storages[s->storage],
                       needs[s->storage]);
    if (s->storage == AG_SAT_UINT32 && !s->offset && !s->origin && ag_sat_fraction_bits(&q, 1) < 0)
        return ag_fail(host, AG_E_ARG,
                       "sat: storage uint32: boxes of max_box %d (0: the image) of %dx%d with "
                       "max_value %g and fraction_bits %d reach 2^32",
                       s->max_box, q.width, q.height, q.max_value, s->fraction_bits);
    return AG_OK;
}

// ---- check -------------------------------------------------------------------------------------

// Combinations without meaning.
static ag_status check_meaning(const ag_host *host, const ag_sat_settings *s, int32_t storage)
{
    const struct {
        bool wrong;
        const char *what, *why;
    } rules[] = {
        {storage == AG_SAT_UINT32 && s->offset, "offset with storage uint32",
         "its integers are exact without one"},
        {storage == AG_SAT_UINT32 && s->origin, "origin center with storage uint32",
         "its integers are exact from any origin"},
        {storage == AG_SAT_SPLIT && s->origin, "origin center with storage split",
         "its tiles have origins of their own"},
        {storage == AG_SAT_SPLIT && s->edge, "edge exclusive with storage split",
         "its tiles begin at the image's corner"},
        {s->origin && s->edge, "edge exclusive with origin center",
         "the zeros would lie between the four tables"},
    };
    for (size_t i = 0; i < AG_COUNT_OF(rules); ++i)
        if (rules[i].wrong)
            return ag_fail(host, AG_E_ARG, "sat: %s has no meaning: %s", rules[i].what,
                           rules[i].why);
    return AG_OK;
}

// Whether a storage has a second part, which lies in low.
static bool has_low(int32_t storage)
{
    return storage != AG_SAT_FLOAT32 && storage != AG_SAT_UINT32; // auto may take it
}

// Which optional slots there are, and of which formats and channels.
static ag_status check_slots(const ag_host *host, const ag_request *request,
                             const ag_sat_settings *s, int32_t storage)
{
    const ag_format *const *formats = request->formats;
    int32_t dst = formats[DST]->channels, src = formats[SRC]->channels;
    const struct {
        int slot;
        bool wanted;
        const char *by; // what wants it
        int model;      // of its format; DST too, where it has one of its own
    } rules[] = {{SQUARES, s->square, "square = on", DST},
                 {SQUARES_LOW, has_low(storage) && s->square,
                  "square = on, with a storage of two parts,", LOW},
                 {MEAN, s->offset == AG_SAT_OFFSET_MEAN, "offset = mean", MEAN}};
    for (size_t i = 0; i < AG_COUNT_OF(rules); ++i) {
        int slot = rules[i].slot, model = rules[i].model;
        if ((formats[slot] != NULL) != rules[i].wanted)
            return ag_fail(host, AG_E_ARG,
                           rules[i].wanted ? "sat: slot %s is empty; %s needs it"
                                           : "sat: slot %s is given; only %s uses it",
                           slots[slot].name, rules[i].by);
        if (formats[slot] && formats[slot] != formats[model])
            return ag_fail(host, AG_E_FORMAT, "sat: slot %s is %s, %s is %s; they must be equal",
                           slots[slot].name, formats[slot]->text, slots[model].name,
                           formats[model]->text);
    }
    if (dst > (src == 3 ? 4 : src))
        return ag_fail(host, AG_E_FORMAT, "sat: dst has %d channels, src only %d", dst, src);
    for (int i = LOW; i < SLOTS; ++i)
        if (formats[i] && formats[i]->channels != dst)
            return ag_fail(host, AG_E_FORMAT, "sat: %s has %d channels, dst %d; they must be equal",
                           slots[i].name, formats[i]->channels, dst);
    return AG_OK;
}

// Other outputs are written at dst's rectangle; split's sums and the mean from texel 0, 0 on.
static ag_status check_rects(const ag_host *host, const ag_request *request, int32_t storage)
{
    static const ag_texture origin = {0};
    const ag_texture *mean = &request->slots[MEAN];
    if (request->formats[MEAN] && (mean->rect_width != 1 || mean->rect_height != 1))
        return ag_fail(host, AG_E_SIZE, "sat: mean's rectangle is %dx%d; it must be 1x1",
                       mean->rect_width, mean->rect_height);
    AG_TRY(ag_check_same_rect(host, request, SQUARES, DST));
    AG_TRY(ag_check_same_rect(host, request, SQUARES_LOW, LOW));
    if (storage != AG_SAT_SPLIT)
        AG_TRY(ag_check_same_rect(host, request, LOW, DST));
    for (int i = LOW; i < SLOTS; ++i) {
        bool sums = storage == AG_SAT_SPLIT && (i == LOW || i == SQUARES_LOW);
        const ag_texture *t = &request->slots[i],
                         *at = sums || i == MEAN ? &origin : &request->slots[DST];
        if (request->formats[i] && (t->rect_x != at->rect_x || t->rect_y != at->rect_y))
            return ag_fail(host, AG_E_ARG,
                           "sat: %s's rectangle begins at %d, %d; it must at %d, %d", slots[i].name,
                           t->rect_x, t->rect_y, at->rect_x, at->rect_y);
    }
    return AG_OK;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_texture *src = &request->slots[SRC];
    const ag_sat_settings s = settings_of(request);
    int32_t more = s.edge == AG_SAT_EXCLUSIVE;
    bool low = has_low(s.storage);
    if ((slot == LOW && !low) || (slot == SQUARES && !s.square) ||
        (slot == SQUARES_LOW && !(low && s.square)) ||
        (slot == MEAN && s.offset != AG_SAT_OFFSET_MEAN))
        return; // stays empty
    bool sums = s.storage == AG_SAT_SPLIT && (slot == LOW || slot == SQUARES_LOW);
    size[0] = slot == MEAN ? 1
              : sums       ? ag_sat_split_width(src->rect_width, src->rect_height)
                           : src->rect_width + more;
    size[1] = slot == MEAN ? 1
              : sums       ? ag_sat_split_height(src->rect_width, src->rect_height)
                           : src->rect_height + more;
    size[2] = src->layers;
}

// src and dst as one texture: each group reads its tile before it writes it, and nothing else does.
static ag_status check_in_place(const ag_host *host, const ag_request *request,
                                const ag_sat_settings *s)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    bool same = src->name && src->name == dst->name && src->level == dst->level;
    bool equal = src->format == dst->format && src->rect_x == dst->rect_x &&
                 src->rect_y == dst->rect_y && src->first_layer == dst->first_layer &&
                 s->edge == AG_SAT_INCLUSIVE;
    if (same && !equal)
        return ag_fail(host, AG_E_ARG,
                       "sat: src and dst are the same level of texture %u; in place takes equal "
                       "formats, rectangles and layers, and edge inclusive",
                       src->name);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_sat_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const int32_t more = s.edge == AG_SAT_EXCLUSIVE;
    int32_t storage = 0;
    AG_TRY(ag_check_limit(host, request, SRC, AG_TABLE_MAX_SIZE));
    if (dst->rect_width != src->rect_width + more || dst->rect_height != src->rect_height + more)
        return ag_fail(host, AG_E_SIZE,
                       "sat: dst's rectangle is %dx%d; for src's %dx%d and edge %s it must be "
                       "%dx%d",
                       dst->rect_width, dst->rect_height, src->rect_width, src->rect_height,
                       edges[s.edge], src->rect_width + more, src->rect_height + more);
    for (int i = DST; i < SLOTS; ++i)
        AG_TRY(ag_check_same_layers(host, request, i, SRC));
    if (s.storage)
        AG_TRY(check_meaning(host, &s, s.storage));
    AG_TRY(choose_storage(host, request, &s, &storage));
    AG_TRY(check_meaning(host, &s, storage));
    AG_TRY(check_slots(host, request, &s, storage));
    AG_TRY(check_rects(host, request, storage));
    return check_in_place(host, request, &s);
}

// ---- plan --------------------------------------------------------------------------------------

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    static const int32_t stored[] = {
        0, AG_TABLE_FLOAT32, AG_TABLE_RESIDUAL, AG_TABLE_DOUBLE, AG_TABLE_UINT32, AG_TABLE_SPLIT};
    const ag_sat_settings s = settings_of(request);
    sat_design *d = out;
    *d = (sat_design){0};
    AG_TRY(choose_storage(host, request, &s, &d->storage));
    ag_sat_question q = question_of(request, &s);
    bool integers = d->storage == AG_SAT_UINT32;
    int32_t bits = ag_sat_fraction_bits(&q, 1), square_bits = ag_sat_fraction_bits(&q, 2);
    if (integers && s.square && square_bits < 0)
        return ag_fail(host, AG_E_ARG,
                       "sat: storage uint32: squares in boxes of max_box %d (0: the image) reach "
                       "2^32; give a smaller max_box, or another storage",
                       s.max_box);
    ag_sat_request want = ag_table_request(gl, request);
    want.channels = request->formats[DST]->channels;
    want.storage = stored[d->storage];
    want.offset = s.offset;
    want.center = s.origin == AG_SAT_CENTER;
    want.exclusive = s.edge == AG_SAT_EXCLUSIVE;
    want.square = s.square;
    want.counts = integers && q.codes;
    want.fraction_bits = integers ? bits : 0;
    want.square_bits = integers && s.square ? square_bits : 0;
    want.max_value = s.max_value;
    return ag_table_plan(host, gl, request, &want, &d->table);
}

// ---- frame -------------------------------------------------------------------------------------

static void text(ag_frame *f, const sat_design *d)
{
    const ag_request *request = ag_frame_request(f);
    const ag_sat_settings s = settings_of(request);
    char how[128];
    if (!ag_frame_is_planned(f))
        return;
    ag_sat_question q = question_of(request, &s);
    ag_sat_plan_describe(&d->table, how, sizeof how);
    ag_frame_text(f, "sat: %dx%d, storage %s", q.width, q.height, storages[d->storage]);
    if (d->table.request.counts)
        ag_frame_text(f, " (counts codes)");
    else if (d->storage == AG_SAT_UINT32)
        ag_frame_text(f, " (%d fraction bits%s)", d->table.request.fraction_bits,
                      s.square ? ", fewer of squares" : "");
    ag_frame_text(f, "%s: means of %dx%d boxes within %.3g; %s", s.storage ? "" : ", chosen",
                  s.min_box, s.min_box, ag_sat_error(&q, d->storage), how);
}

static ag_handle output(const ag_request *request, int slot)
{
    return request->formats[slot] ? ag_slot(slot) : (ag_handle){0};
}

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const sat_design *d = ag_frame_design(f);
    const ag_table_io io = {.src = ag_slot_picture(f, SRC),
                            .info = ag_frame_info(f),
                            .dst = ag_slot(DST),
                            .low = output(request, LOW),
                            .squares = output(request, SQUARES),
                            .squares_low = output(request, SQUARES_LOW),
                            .mean = output(request, MEAN),
                            .shape = &request->slots[DST]};
    ag_table table;
    text(f, d);
    ag_table_begin(f, &d->table, &io, &table);
    ag_table_steps(f, &table, settings_of(request).scrub, true);
}

const ag_effect ag_effect_sat = {
    .info = AG_EFFECT_INFO("sat", "summed-area table: the sum over any box in four reads",
                           AG_IMAGE_TABLES, 1),
    .in_place = true,
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(sat_design),
};
