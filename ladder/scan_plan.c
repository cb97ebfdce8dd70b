// scan_plan.c - the documents' scans: which passes each method has, and how these are cut
// SPDX-License-Identifier: MIT
#include "ladder/scan_plan.h"
#include "base/rounding.h"
#include "shaders/ladder/sat/interface.h"

#include <math.h>

enum {
    MAX_GROUP = 512, // threads
    MIN_GROUP = 64,
    BLOCK_TEXELS = 1024, // of segmented
    BRLT_LINES = 8,      // a group of brlt_scanrow
    MOST_STEPS = 6
};

// ---- cutting -----------------------------------------------------------------------------------

typedef enum next { NEXT, AGAIN, SKIP } next; // AGAIN: another pass of the same shader; SKIP: none

static int32_t log_of(int32_t n)
{
    int32_t log = 0;
    while (n > 1 << log)
        ++log;
    return log;
}

// Threads for lines of so many places: the next power of two.
static int32_t group_of(int32_t places)
{
    int32_t group = MIN_GROUP;
    while (group < places && group < MAX_GROUP)
        group *= 2;
    return group;
}

static void set_groups(ag_scan_pass *pass, int32_t x, int32_t y)
{
    pass->groups[0] = (uint32_t)x;
    pass->groups[1] = (uint32_t)y;
}

// A thread a texel.
static void cover(ag_scan_pass *pass, int32_t side)
{
    set_groups(pass, ag_div_up(pass->width, side), ag_div_up(pass->height, side));
}

static int32_t line_length(const ag_scan_pass *pass)
{
    return pass->axis ? pass->height : pass->width;
}

static int32_t line_count(const ag_scan_pass *pass)
{
    return pass->axis ? pass->width : pass->height;
}

static int32_t lines_a_group(const ag_scan_plan *p, const ag_scan_pass *pass)
{
    return pass->axis ? p->question.settings.columns : 1;
}

static int64_t value_bytes(const ag_scan_plan *p)
{
    return 4 * p->question.channels;
}

// Rows of an image of one texel a row have a pass, too: it makes a table of the image.
static next cut_hensley(ag_scan_plan *p, ag_scan_pass *pass)
{
    int32_t length = line_length(pass), others = line_count(pass);
    if (pass->axis && length == 1)
        return SKIP;
    cover(pass, 16);
    for (int32_t k = 1; k < p->radix && k * pass->distance < length; ++k) // terms inside the image
        pass->texels_read += (uint64_t)(length - k * pass->distance) * (uint64_t)others;
    p->roundings += p->radix - 1;
    return pass->distance * p->radix < length ? AGAIN : NEXT;
}

// Groups of whole lines.
static next cut_lines(ag_scan_plan *p, ag_scan_pass *pass)
{
    pass->lines = lines_a_group(p, pass);
    pass->group = group_of(line_length(pass) * pass->lines);
    set_groups(pass, ag_div_up(line_count(pass), pass->lines), 1);
    int32_t places = pass->group / pass->lines, chunks = ag_div_up(line_length(pass), places);
    bool shuffles = pass->shader->is & AG_SCAN_SHUFFLES;
    p->roundings += (shuffles ? 5 + pass->group / 32 : log_of(places)) + chunks;
    return NEXT;
}

static next cut_blelloch(ag_scan_plan *p, ag_scan_pass *pass)
{
    pass->lines = lines_a_group(p, pass);
    pass->group = group_of((line_length(pass) * pass->lines + 1) / 2);
    int32_t block = 2 * pass->group / pass->lines;
    pass->blocks = ag_div_up(line_length(pass), block);
    set_groups(pass, pass->blocks, ag_div_up(line_count(pass), pass->lines));
    int64_t bytes = pass->blocks * line_count(pass) * value_bytes(p);
    p->sums_bytes = ag_max64(p->sums_bytes, bytes);
    p->roundings += 2 * log_of(block) + 1 + (pass->blocks > 1 ? pass->blocks : 0);
    return NEXT;
}

// Of lines of several blocks, which the pass before has cut.
static next cut_sums(ag_scan_plan *p, ag_scan_pass *pass)
{
    (void)p;
    pass->blocks = pass[-1].blocks;
    pass->group = 2 * pass[-1].group / pass[-1].lines; // BLOCK of the pass that comes next
    set_groups(pass, ag_div_up(line_count(pass), 64), 1);
    return pass->blocks == 1 ? SKIP : NEXT;
}

static next cut_add(ag_scan_plan *p, ag_scan_pass *pass)
{
    (void)p;
    pass->blocks = pass[-1].blocks;
    pass->group = pass[-1].group;
    cover(pass, 16);
    return pass->blocks == 1 ? SKIP : NEXT;
}

static next cut_vector(ag_scan_plan *p, ag_scan_pass *pass)
{
    uint32_t groups[3];
    pass->group = BLOCK_TEXELS / 2;
    pass->blocks = ag_div_up(pass->width * pass->height, BLOCK_TEXELS);
    ag_fold_groups(pass->blocks, AG_SCAN_ROW, groups);
    set_groups(pass, (int32_t)groups[0], (int32_t)groups[1]);
    p->sums_bytes = pass->blocks * value_bytes(p);
    p->flags_bytes = pass->blocks * (int64_t)4;
    return NEXT;
}

static next cut_roots(ag_scan_plan *p, ag_scan_pass *pass)
{
    cut_vector(p, pass);
    set_groups(pass, 1, 1);
    // within a block, within the blocks' roots, and the chunks of those
    p->roundings += 4 * log_of(BLOCK_TEXELS) + 2 + pass->blocks / BLOCK_TEXELS;
    return NEXT;
}

static next cut_tree(ag_scan_plan *p, ag_scan_pass *pass)
{
    pass->group = group_of((pass->width + 1) / 2);
    set_groups(pass, 1, pass->height);
    p->roundings += 2 * log_of(2 * pass->group) + 1 + ag_div_up(pass->width, 2 * pass->group);
    return NEXT;
}

static next cut_transpose(ag_scan_plan *p, ag_scan_pass *pass)
{
    (void)p;
    cover(pass, 32);
    return NEXT;
}

static next cut_bands(ag_scan_plan *p, ag_scan_pass *pass)
{
    int32_t n = p->question.settings.subgroups;
    pass->group = 32 * n;
    set_groups(pass, ag_div_up(pass->height, 32 / p->question.channels), 1);
    p->roundings += 5 + n + ag_div_up(pass->width, pass->group) * n + 1;
    return NEXT;
}

static next cut_rows(ag_scan_plan *p, ag_scan_pass *pass)
{
    int32_t n = p->question.settings.subgroups;
    pass->group = 32 * n;
    set_groups(pass, ag_div_up(pass->height, n), 1);
    p->roundings += 5 + ag_div_up(pass->width, 32);
    return NEXT;
}

static next cut_runs(ag_scan_plan *p, ag_scan_pass *pass)
{
    int32_t n = p->question.settings.subgroups, rows = 32 / p->question.channels;
    set_groups(pass, ag_div_up(pass->width, 32), 1);
    p->roundings += rows + n * ag_div_up(pass->height, rows * n) + 1;
    return NEXT;
}

// Sums are doubles, which are rounded once, as codes are that become floats.
static next cut_turned(ag_scan_plan *p, ag_scan_pass *pass)
{
    pass->blocks = BRLT_LINES * ag_div_up(pass->height, BRLT_LINES);
    set_groups(pass, ag_div_up(line_count(pass), BRLT_LINES), 1);
    p->sums_bytes = (int64_t)pass->width * pass->blocks * value_bytes(p) * (p->integers ? 1 : 2);
    p->roundings = 1;
    return NEXT;
}

// Words of all tiles are cleared.
static next cut_clear(ag_scan_plan *p, ag_scan_pass *pass)
{
    int32_t rows = p->question.settings.rows;
    int64_t tiles = (int64_t)ag_div_up(pass->width, 32) * ag_div_up(pass->height, rows);
    uint32_t groups[3];
    p->sums_bytes = tiles * (2 * rows + 32) * value_bytes(p) * (p->integers ? 2 : 1);
    p->flags_bytes = 64;
    pass->blocks = (int32_t)(ag_align_up(p->sums_bytes, 16) / 16);
    ag_fold_groups(ag_div_up(pass->blocks, 1024), AG_SCAN_ROW, groups);
    set_groups(pass, (int32_t)groups[0], (int32_t)groups[1]);
    return NEXT;
}

// One dispatch makes the table.
static next cut_lookback(ag_scan_plan *p, ag_scan_pass *pass)
{
    int32_t rows = p->question.settings.rows;
    int32_t across = ag_div_up(pass->width, 32), down = ag_div_up(pass->height, rows);
    pass->group = rows / 8;
    set_groups(pass, across, down);
    p->roundings = 2 * (rows / 8) + 8 + 256 / rows + across + down + 3;
    return NEXT;
}

// ---- the methods -------------------------------------------------------------------------------

enum { // bits of AG_SCAN_*, of several shaders
    TABLE = AG_SCAN_READS | AG_SCAN_WRITES,
    WALKS = TABLE | AG_SCAN_HAS_AXIS | AG_SCAN_HAS_GROUP | AG_SCAN_HAS_LINES,
    VECTOR = AG_SCAN_HAS_AXIS | AG_SCAN_HAS_GROUP,
    SHUFFLED = AG_SCAN_SHUFFLES | AG_SCAN_HAS_SUBGROUPS
};

#define SHADER(name, ...) \
    static const ag_scan_shader name##_shader = {.path = "ladder/sat/" #name ".comp", __VA_ARGS__}
SHADER(hensley, TABLE | AG_SCAN_HAS_AXIS | AG_SCAN_HAS_RADIX);
SHADER(kogge_stone, WALKS);
SHADER(ladner_fischer, WALKS);
SHADER(ladner_fischer_subgroups, WALKS | AG_SCAN_SHUFFLES);
SHADER(blelloch_scan, WALKS | AG_SCAN_HAS_TREE, AG_WRITE);
SHADER(blelloch_sums, AG_SCAN_HAS_AXIS, AG_READ | AG_WRITE);
SHADER(blelloch_add, TABLE | AG_SCAN_HAS_AXIS | AG_SCAN_HAS_BLOCK, AG_READ);
SHADER(segmented_up, AG_SCAN_READS | VECTOR, AG_WRITE, AG_WRITE);
SHADER(segmented_roots, VECTOR, AG_READ | AG_WRITE, AG_READ);
SHADER(segmented_down, TABLE | VECTOR, AG_READ);
SHADER(tree_rows, WALKS | AG_SCAN_HAS_TREE);
SHADER(transpose, TABLE | AG_SCAN_ACROSS | AG_SCAN_HAS_TILE);
SHADER(scanrow_brlt, TABLE | AG_SCAN_ACROSS | SHUFFLED | AG_SCAN_HAS_TILE);
SHADER(brlt_scanrow_rows, AG_SCAN_READS, AG_WRITE);
SHADER(brlt_scanrow_columns, AG_SCAN_WRITES, AG_READ);
SHADER(scanrowcolumn_rows, TABLE | SHUFFLED);
SHADER(scanrowcolumn_columns, TABLE | AG_SCAN_HAS_SUBGROUPS);
SHADER(lookback_clear, AG_SCAN_NO_VALUES, AG_WRITE, AG_WRITE);
SHADER(lookback, TABLE | AG_SCAN_HAS_DOWN, AG_READ | AG_WRITE, AG_READ | AG_WRITE);
#undef SHADER

typedef struct step {
    const ag_scan_shader *shader;
    next (*cut)(ag_scan_plan *plan, ag_scan_pass *pass);
    int32_t axis;
    const char *name;
} step;

typedef struct method {
    step steps[MOST_STEPS];
    bool turns; // its textures take turns; else each pass that stores has one of its own
    bool shuffles_always;
} method;

#define HENSLEY                                                                                    \
    {                                                                                              \
        {{&hensley_shader, cut_hensley, 0, "rows"}, {&hensley_shader, cut_hensley, 1, "columns"}}, \
            .turns = true                                                                          \
    }
static const method methods[AG_SCAN_METHODS] = {
    [AG_SCAN_HENSLEY] = HENSLEY,
    [AG_SCAN_HENSLEY_RADIX4] = HENSLEY,
    [AG_SCAN_HENSLEY_RADIX16] = HENSLEY,
    [AG_SCAN_KOGGE_STONE] = {{{&kogge_stone_shader, cut_lines, 0, "rows"},
                              {&kogge_stone_shader, cut_lines, 1, "columns"}}},
    [AG_SCAN_LADNER_FISCHER] = {{{&ladner_fischer_shader, cut_lines, 0, "rows"},
                                 {&ladner_fischer_shader, cut_lines, 1, "columns"}}},
    [AG_SCAN_BLELLOCH] = {{{&blelloch_scan_shader, cut_blelloch, 0, "rows"},
                           {&blelloch_sums_shader, cut_sums, 0, "sums of rows"},
                           {&blelloch_add_shader, cut_add, 0, "add to rows"},
                           {&blelloch_scan_shader, cut_blelloch, 1, "columns"},
                           {&blelloch_sums_shader, cut_sums, 1, "sums of columns"},
                           {&blelloch_add_shader, cut_add, 1, "add to columns"}},
                          .turns = true},
    [AG_SCAN_SEGMENTED] = {{{&segmented_up_shader, cut_vector, 0, "rows up"},
                            {&segmented_roots_shader, cut_roots, 0, "roots of rows"},
                            {&segmented_down_shader, cut_vector, 0, "rows down"},
                            {&segmented_up_shader, cut_vector, 1, "columns up"},
                            {&segmented_roots_shader, cut_roots, 1, "roots of columns"},
                            {&segmented_down_shader, cut_vector, 1, "columns down"}}},
    [AG_SCAN_TRANSPOSE_SCAN] = {{{&tree_rows_shader, cut_tree, 0, "rows"},
                                 {&transpose_shader, cut_transpose, 0, "transpose"},
                                 {&tree_rows_shader, cut_tree, 0, "columns"},
                                 {&transpose_shader, cut_transpose, 0, "transpose back"}}},
    [AG_SCAN_SCANROW_BRLT] = {{{&scanrow_brlt_shader, cut_bands, 0, "rows"},
                               {&scanrow_brlt_shader, cut_bands, 0, "columns"}},
                              .shuffles_always = true},
    [AG_SCAN_BRLT_SCANROW] = {{{&brlt_scanrow_rows_shader, cut_turned, 0, "rows"},
                               {&brlt_scanrow_columns_shader, cut_turned, 1, "columns"}}},
    [AG_SCAN_SCANROWCOLUMN] = {{{&scanrowcolumn_rows_shader, cut_rows, 0, "rows"},
                                {&scanrowcolumn_columns_shader, cut_runs, 1, "columns"}},
                               .shuffles_always = true},
    [AG_SCAN_LOOKBACK] = {{{&lookback_clear_shader, cut_clear, 0, "clear"},
                           {&lookback_shader, cut_lookback, 0, "tiles"}}},
};

#define NAME_OF(value, number, name, help) [value] = name,
const char *const ag_scan_names[AG_SCAN_METHODS] = {AG_SAT_LADDER_METHOD(NAME_OF)};
#undef NAME_OF

// ---- plan --------------------------------------------------------------------------------------

const char *ag_scan_refused(const ag_sat_ladder_settings *s)
{
    bool tree = s->method == AG_SCAN_BLELLOCH, bands = s->method == AG_SCAN_SCANROW_BRLT;
    if (tree && s->tile > AG_SCAN_TILE_UNPADDED)
        return "tile padded or unpadded";
    if (bands && s->tile == AG_SCAN_TILE_DIRECT)
        return "tile padded, unpadded or swizzled";
    if (s->columns & (s->columns - 1))
        return "columns 1, 2, 4, 8, 16 or 32";
    if (s->rows != 32 && s->rows != 64)
        return "rows 32 or 64";
    return NULL;
}

int32_t ag_scan_fraction_bits(const ag_scan_question *q)
{
    const ag_sat_question sums = {.struct_size = sizeof sums,
                                  .width = q->width,
                                  .height = q->height,
                                  .max_box = q->settings.max_box,
                                  .codes = q->counts,
                                  .fraction_bits = q->settings.fraction_bits,
                                  .max_value = (double)q->settings.max_value};
    return ag_sat_fraction_bits(&sums, 1);
}

static void connect(ag_scan_plan *p, bool turns)
{
    int32_t at = -1, last = p->passes - 1;
    for (int32_t i = 0; i <= last; ++i) {
        ag_scan_pass *pass = &p->pass[i];
        bool across = pass->shader->is & AG_SCAN_ACROSS;
        pass->from = at;
        if (!(pass->shader->is & AG_SCAN_WRITES))
            continue;
        at = i == last ? -1 : turns ? at == 0 : at + 1;
        pass->to = at;
        if (at < 0)
            continue;
        p->texture_size[at][0] = across ? pass->height : pass->width;
        p->texture_size[at][1] = across ? pass->width : pass->height;
        p->textures = ag_max(p->textures, at + 1);
    }
}

// The passes of a step: most often one.
static void add_step(ag_scan_plan *p, const step *s, const int32_t size[2])
{
    bool shuffles = p->subgroups && s->shader == &ladner_fischer_shader && !s->axis;
    int32_t distance = 1;
    for (next after = AGAIN; after == AGAIN; distance *= p->radix) {
        ag_scan_pass *pass = &p->pass[p->passes++];
        *pass = (ag_scan_pass){.shader = shuffles ? &ladner_fischer_subgroups_shader : s->shader,
                               .name = s->name,
                               .axis = s->axis,
                               .width = size[0],
                               .height = size[1],
                               .lines = 1,
                               .distance = distance,
                               .texels_read = (uint64_t)size[0] * (uint64_t)size[1]};
        after = s->cut(p, pass);
        if (after == SKIP)
            --p->passes;
    }
}

ag_scan_plan ag_scan_plan_of(const ag_scan_question *q)
{
    const ag_sat_ladder_settings *s = &q->settings;
    const method *m = &methods[s->method];
    int32_t size[2] = {q->width, q->height};
    ag_scan_plan p = {.question = *q,
                      .integers = s->storage == AG_SCAN_UINT32,
                      .radix = s->method == AG_SCAN_HENSLEY_RADIX16  ? 16
                               : s->method == AG_SCAN_HENSLEY_RADIX4 ? 4
                                                                     : 2};
    p.fraction_bits = p.integers ? ag_max(ag_scan_fraction_bits(q), 0) : 0;
    p.units = p.integers && q->counts ? 255.0f : ldexpf(1, p.fraction_bits);
    // Without subgroups shuffles go through shared memory, slowly.
    if (m->shuffles_always)
        p.subgroups = q->subgroups ? q->subgroups : AG_SUBGROUPS_EMULATED;
    if (s->method == AG_SCAN_LADNER_FISCHER)
        p.subgroups = q->subgroups;
    for (int32_t i = 0; i < MOST_STEPS && m->steps[i].shader; ++i) {
        add_step(&p, &m->steps[i], size);
        if (m->steps[i].shader->is & AG_SCAN_ACROSS) {
            int32_t width = size[0];
            size[0] = size[1];
            size[1] = width;
        }
    }
    connect(&p, m->turns);
    return p;
}
