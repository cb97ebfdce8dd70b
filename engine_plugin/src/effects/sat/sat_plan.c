// sat_plan.c - which storage a summed-area table takes and how it is made. Pure C
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_plan.h"
#include "base/rounding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- error bounds ------------------------------------------------------------------------------

double ag_sat_ulp(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent - 24);
}

int32_t ag_sat_fraction_bits(const ag_sat_question *q, int32_t power)
{
    int32_t box = q->max_box ? q->max_box : INT32_MAX;
    double w = ag_min(box, q->width), h = ag_min(box, q->height);
    double most = power == 2 ? q->max_value * q->max_value : q->max_value;
    int32_t bits = 24;
    if (q->struct_size != sizeof *q)
        return -1;
    if (q->codes)
        return w * h * (power == 2 ? 65025.0 : 255.0) < 4294967296.0 ? 0 : -1;
    if (q->fraction_bits >= 0)
        return w * h * (ldexp(most, (int)q->fraction_bits) + 0.5) < 4294967296.0 ? q->fraction_bits
                                                                                 : -1;
    while (bits >= 0 && w * h * (ldexp(most, (int)bits) + 0.5) >= 4294967296.0)
        --bits;
    return bits;
}

double ag_sat_error(const ag_sat_question *q, int32_t storage)
{
    double texels = (double)q->width * q->height, area = (double)q->min_box * q->min_box;
    double share = 1, largest, tile = 4096 * q->max_value, ask = ldexp(q->max_value, -22);
    int32_t bits = ag_sat_fraction_bits(q, 1);
    if (q->struct_size != sizeof *q)
        return HUGE_VAL;
    if (q->origin == AG_SAT_CENTER)
        texels = ((q->width + 1) / 2) * (double)((q->height + 1) / 2);
    if (q->offset == AG_SAT_OFFSET_HALF)
        share = fmax(0.5, fabs(q->max_value - 0.5)) / q->max_value;
    if (q->offset == AG_SAT_OFFSET_MEAN) // worst: a share f at max_value, the rest 0: f (1 - f)
        share = q->origin == AG_SAT_CENTER ? 0.75 : 0.25;
    largest = texels * q->max_value * share;
    tile = fmin(tile, largest);
    switch (storage) {
    case AG_SAT_FLOAT32: // four entries, each off by half a unit, and the roundings within tiles
        // With squares NVIDIA's driver 580 rounds the three carry-ins of an entry before the mean
        // is subtracted: half a unit each of the whole sum (docs/sat.md).
        if (q->square && q->offset == AG_SAT_OFFSET_MEAN)
            ask += 4 * 1.5 * ag_sat_ulp(texels * q->max_value) / area;
        return 2 * (ag_sat_ulp(largest) + 12 * ag_sat_ulp(tile)) / area + ask;
    case AG_SAT_FLOAT32_RESIDUAL:
        return largest >= ldexp(1.0, 40)
                   ? HUGE_VAL
                   : 4 * (ldexp(ag_sat_ulp(largest), -12) + ldexp(1.0, -25)) / area + ask;
    case AG_SAT_DOUBLE_FLOAT: return 4 * ldexp(largest, -47) / area + ask;
    case AG_SAT_UINT32:
        return bits < 0 || q->offset || q->origin ? HUGE_VAL
                                                  : (q->codes ? 0 : ldexp(0.5, -(int)bits)) + ask;
    case AG_SAT_SPLIT:
        return q->origin ? HUGE_VAL : 4 * 7 * ag_sat_ulp(1024 * q->max_value) / area + ask;
    default: return HUGE_VAL;
    }
}

int32_t ag_sat_choose(const ag_sat_question *q, double tolerance, uint32_t allowed)
{
    static const int32_t cheapest_first[5] = {AG_SAT_FLOAT32, AG_SAT_UINT32, AG_SAT_SPLIT,
                                              AG_SAT_FLOAT32_RESIDUAL, AG_SAT_DOUBLE_FLOAT};
    int i;
    for (i = 0; i < 5; ++i) {
        int32_t storage = cheapest_first[i];
        if ((!allowed || (allowed >> storage & 1u)) && ag_sat_error(q, storage) <= tolerance)
            return storage;
    }
    return 0;
}

int32_t ag_sat_split_width(int32_t width, int32_t height)
{
    return ag_max(width, height);
}

int32_t ag_sat_split_height(int32_t width, int32_t height)
{
    return 2 * (ag_div_up(width, 32) + ag_div_up(height, 32));
}

// ---- plan --------------------------------------------------------------------------------------

static int32_t round_up(int32_t a, int32_t b)
{
    return ag_div_up(a, b) * b;
}

static ag_sat_range take(ag_sat_plan *plan, int64_t bytes)
{
    ag_sat_range range = {plan->layer_bytes, bytes};
    plan->layer_bytes += ag_align_up(bytes, plan->request.alignment);
    return range;
}

bool ag_sat_sums_wide(const ag_sat_request *r)
{
    return r->storage == AG_TABLE_RESIDUAL || r->storage == AG_TABLE_DOUBLE ||
           (r->square && r->storage != AG_TABLE_UINT32);
}

bool ag_sat_scans_wide(const ag_sat_request *r)
{
    return r->storage == AG_TABLE_RESIDUAL || r->storage == AG_TABLE_DOUBLE;
}

static bool folds(const ag_sat_plan *plan, int32_t tiles)
{
    const ag_sat_request *r = &plan->request;
    // The mean is known before the last step only by a step between. The half could be taken off
    // without one, but few tables have it, and programs without an offset are smaller.
    if (r->offset != AG_TABLE_PLAIN)
        return false;
    // On an H100 R32F 2048 x 2048, 1024 tiles, takes 33 us folded and 36 with a step between;
    // RGBA16F 1024 x 1024, as many tiles of four channels, 36.4 and 35.2.
    int32_t max = ag_tuned(&r->tuning, &r->tuning.folded_tiles);
    return r->tuning.carry == AG_CARRY_AUTO ? tiles * plan->planes <= max
                                            : r->tuning.carry == AG_CARRY_FOLDED;
}

// The fastest tiles and threads on an H200 (docs/sat.md has the times). Where the last step adds up
// the carry-ins itself, larger tiles leave fewer sums to add.
static void choose_auto(const ag_sat_plan *plan, int32_t *shape, int32_t *texels_a_thread)
{
    const ag_sat_request *r = &plan->request;
    int32_t large = ag_div_up(plan->part_width, 64) * ag_div_up(plan->part_height, 64);
    bool few = large <= ag_tuned(&r->tuning, &r->tuning.few_tiles); // they leave a GPU idle
    *texels_a_thread = 8;
    *shape = plan->planes <= 2 && !few ? AG_TILE_64 : AG_TILE_32;
    if (!plan->subgroups || plan->planes > 2 || folds(plan, large))
        return;
    *texels_a_thread = 16;
    *shape = plan->planes == 1 ? AG_TILE_64X32 : AG_TILE_32;
}

// A subgroup spans 16 x 2 texels, and a group has 16 threads in x. A thread has 2 to 32 texels.
static void choose_tile(ag_sat_plan *plan)
{
    static const int32_t shapes[][2] = {
        [AG_TILE_32] = {32, 32}, [AG_TILE_64X32] = {64, 32}, [AG_TILE_64] = {64, 64}};
    const ag_sat_request *r = &plan->request;
    int32_t shape, texels_a_thread;
    choose_auto(plan, &shape, &texels_a_thread);
    if (r->tuning.tile != AG_TILE_AUTO)
        shape = r->tuning.tile;
    if (r->storage == AG_TABLE_SPLIT) // tiles of 32 x 32 are part of the format
        shape = AG_TILE_32;
    // Smaller tiles where shared memory would exceed what GL 4.3 promises.
    if (ag_sat_scans_wide(r))
        shape = shape == AG_TILE_32 || plan->planes > 2 ? AG_TILE_32 : AG_TILE_64X32;
    if (shape == AG_TILE_64 && plan->planes > 4)
        shape = AG_TILE_64X32;
    plan->tile_w = shapes[shape][0];
    plan->tile_h = shapes[shape][1];
    int32_t texels = plan->tile_w * plan->tile_h;
    int32_t wanted = r->tuning.threads, threads = wanted ? wanted : texels / texels_a_thread;
    if (!wanted && threads > 256)
        threads = 256;
    while (threads < texels / 32)
        threads *= 2;
    plan->group_x = 16;
    plan->group_y = threads / plan->group_x;
}

static void plan_tiles(ag_sat_plan *plan)
{
    const ag_sat_request *r = &plan->request;
    bool integers = r->storage == AG_TABLE_UINT32;
    // Subgroups exchange sums of 4 bytes, of plain tables; doubles go through shared memory.
    bool plain = !ag_sat_sums_wide(r) && !r->square && !r->center && r->storage != AG_TABLE_SPLIT;
    plan->subgroups = plain ? r->subgroups : AG_SUBGROUPS_NONE;
    choose_tile(plan);
    if (plan->tile_h / plan->group_y % 2 != 0) // gathers return pairs of rows
        plan->subgroups = AG_SUBGROUPS_NONE;
    plan->tiles_x = ag_div_up(plan->part_width, plan->tile_w);
    plan->tiles_y = ag_div_up(plan->part_height, plan->tile_h);
    bool both = plan->planes % 2 == 0 && !ag_sat_sums_wide(r) &&
                plan->group_x * plan->group_y >= 2 * (plan->tile_w + plan->tile_h);
    plan->reduce_batch = both ? 2 : 1;
    plan->carry_batch = plan->tiles_x > 64 || plan->tiles_y > 64 ? 16 : 8;
    plan->column_pitch = round_up(plan->tiles_x * plan->tile_w + plan->tiles_x, AG_TABLE_LANES);
    plan->row_pitch = round_up(plan->tiles_y * plan->tile_h, AG_TABLE_LANES);
    plan->folded = folds(plan, plan->tiles_x * plan->tiles_y);
    plan->steps = plan->folded ? 2 : 3;
    int64_t sum = ag_sat_sums_wide(r) ? 8 : 4, wide = integers ? 4 : 8;
    int64_t parts = (int64_t)plan->planes * plan->parts;
    plan->column_sums = take(plan, parts * plan->tiles_y * plan->column_pitch * sum);
    plan->row_sums = take(plan, parts * plan->tiles_x * plan->row_pitch * sum);
    if (!plan->folded) {
        plan->column_carry =
            take(plan, (parts * (plan->tiles_y + 1) * plan->column_pitch + 4) * wide); // + the mean
        plan->row_carry = take(plan, parts * (plan->tiles_x + 1) * plan->row_pitch * wide);
    }
}

bool ag_sat_plan_make(const ag_sat_request *request, ag_sat_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->request = *request;
    const ag_sat_request *r = &plan->request;
    plan->parts = r->center ? 4 : 1;
    plan->planes = r->channels * (r->square ? 2 : 1) - r->moments; // whose fourth is not summed
    plan->part_width = r->center ? r->width - r->width / 2 : r->width;
    plan->part_height = r->center ? r->height - r->height / 2 : r->height;
    plan->units = r->counts ? 255.0f : ldexpf(1, r->fraction_bits);
    plan->square_units = r->counts ? 65025.0f : ldexpf(1, r->square_bits);
    plan_tiles(plan);
    plan->scratch_bytes = plan->layer_bytes * r->layers;
    return plan->column_sums.bytes <= r->max_block_bytes &&
           plan->column_carry.bytes <= r->max_block_bytes &&
           plan->row_carry.bytes <= r->max_block_bytes;
}

// ---- steps -------------------------------------------------------------------------------------

ag_sat_step ag_sat_step_of(const ag_sat_plan *p, int32_t index)
{
    const ag_sat_request *r = &p->request;
    if (index == 0)
        return (ag_sat_step){"reduce", {p->tiles_x, p->tiles_y, p->parts}};
    if (index == 1 && !p->folded)
        return (ag_sat_step){"carry",
                             {(p->tiles_x * p->tile_w + p->row_pitch) / AG_TABLE_LANES +
                                  p->tiles_y + (r->offset == AG_TABLE_MEAN),
                              p->parts, p->planes}};
    return (ag_sat_step){"finish", {p->tiles_x, p->tiles_y, p->parts}};
}

void ag_sat_plan_describe(const ag_sat_plan *p, char *text, int32_t size)
{
    snprintf(text, (size_t)size, "tiles: %dx%d of %dx%d texels, %d threads%s%s", p->tiles_x,
             p->tiles_y, p->tile_w, p->tile_h, p->group_x * p->group_y,
             p->subgroups == AG_SUBGROUPS_NONE ? ""
             : p->subgroups == AG_SUBGROUPS_OF_DRIVER
                 ? ", by subgroups where a texture unit reads"
                 : ", by emulated subgroups where a texture unit reads",
             p->folded ? ", carries folded into the last step" : "");
}

// ---- tables of the module's own

enum { QUERY_BY_AUTO = AG_QUERY_BUFFER }; // measured: docs/sat.md

int32_t ag_sat_sections(const ag_sat_request *r)
{
    return (r->square ? 2 : 1) * (r->storage == AG_TABLE_DOUBLE ? 2 : 1);
}

const char *ag_sat_entry_type(int32_t storage, int32_t channels)
{
    static const char *const floats[] = {"", "float", "vec2", "", "vec4"};
    static const char *const integers[] = {"", "uint", "uvec2", "", "uvec4"};
    return (storage == AG_TABLE_UINT32 ? integers : floats)[channels];
}

int64_t ag_table_layer_bytes(const ag_sat_request *r)
{
    int64_t bytes = (int64_t)r->width * r->height * r->channels * 4 * ag_sat_sections(r);
    return (bytes + r->alignment - 1) / r->alignment * r->alignment;
}

int32_t ag_sat_query_first(int32_t wanted)
{
    return wanted == AG_TABLES_AUTO ? (int32_t)QUERY_BY_AUTO : wanted - AG_TABLES_IMAGE;
}

int32_t ag_sat_query_ready(int32_t wanted, bool viewed)
{
    bool wants = wanted == AG_TABLES_AUTO || wanted == AG_TABLES_TEXTURE;
    return wants && viewed ? AG_QUERY_TEXTURE : AG_QUERY_IMAGE;
}

static bool has_texture_units(const ag_sat_request *r)
{
    return !(r->tuning.without & AG_WITHOUT_TEXTURE_UNITS);
}

int32_t ag_sat_query(const ag_sat_request *r, int32_t max_texture_size)
{
    int32_t query = ag_sat_query_first(r->tuning.tables);
    if (query == AG_QUERY_BUFFER && ag_table_layer_bytes(r) > r->max_block_bytes)
        query = AG_QUERY_TEXTURE;
    bool fits = (int64_t)r->height * r->layers * ag_sat_sections(r) <= max_texture_size;
    if (query == AG_QUERY_TEXTURE && !(fits && has_texture_units(r)))
        query = AG_QUERY_IMAGE;
    return query;
}

const char *ag_sat_query_text(const ag_sat_request *r, int32_t query)
{
    static const char *const without[] = {
        [AG_QUERY_IMAGE] = "image units",
        [AG_QUERY_TEXTURE] = "image units (without texture units)",
        [AG_QUERY_BUFFER] = "image units (too large for a buffer, and without texture units)"};
    static const char *const texts[][3] = {
        // query:            an image, a texture, a buffer
        [AG_QUERY_IMAGE] = {"image units", NULL, NULL},
        [AG_QUERY_TEXTURE] = {"image units (too large for one texture)", "a texture unit", NULL},
        [AG_QUERY_BUFFER] = {"image units (too large for a buffer or one texture)",
                             "a texture unit (too large for a buffer)", "a buffer"}};
    int32_t first = ag_sat_query_first(r->tuning.tables);
    return query == AG_QUERY_IMAGE && !has_texture_units(r) ? without[first] : texts[first][query];
}

ag_box_group ag_box_group_of(int32_t query)
{
    // A subgroup covers 32 x 1 texels for a buffer, and 16 x 2 for an image, whose texels lie in
    // blocks.
    return query == AG_QUERY_BUFFER ? (ag_box_group){32, 8} : (ag_box_group){16, 16};
}
