// sat_ladder.c - plans the documents' scans of the effect "sat", and refuses what they do not take
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_ladder.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"
#include "shaders/sat/interface_ladder.h"

#include <stdio.h>

enum { SRC = AG_SAT_SRC, DST = AG_SAT_DST };
enum {
    MAX_GROUP = 512,
    MIN_GROUP = 64,
    COLUMNS = 8,
    SUBGROUPS = 8,
    BLOCK_TEXELS = 1024,
    TILE_ROWS = 64,
    TURNS = 1 << 14
};

static const char *const names[] = {[AG_SAT_HENSLEY] = "hensley",
                                    [AG_SAT_HENSLEY_RADIX4] = "hensley_radix4",
                                    [AG_SAT_HENSLEY_RADIX16] = "hensley_radix16",
                                    [AG_SAT_KOGGE_STONE] = "kogge_stone",
                                    [AG_SAT_LADNER_FISCHER] = "ladner_fischer",
                                    [AG_SAT_BLELLOCH] = "blelloch",
                                    [AG_SAT_SEGMENTED] = "segmented",
                                    [AG_SAT_SCAN_TRANSPOSE_SCAN] = "scan_transpose_scan",
                                    [AG_SAT_SCANROW_BRLT] = "scanrow_brlt",
                                    [AG_SAT_SCANROWCOLUMN] = "scanrowcolumn",
                                    [AG_SAT_LOOKBACK] = "lookback"};

AG_SETTINGS_OF(ag_sat_settings)

bool ag_scan_chosen(const ag_request *request)
{
    return settings_of(request).method >= AG_SAT_HENSLEY;
}

// ---- check -------------------------------------------------------------------------------------

ag_status ag_scan_check(const ag_host *host, const ag_request *request)
{
    const ag_sat_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const struct {
        bool wrong;
        const char *takes;
    } rules[] = {
        {s.storage != AG_SAT_FLOAT32 && s.storage != AG_SAT_UINT32, "storage float32 or uint32"},
        {s.offset != AG_SAT_OFFSET_NONE, "offset none"},
        {s.origin != AG_SAT_CORNER, "origin corner"},
        {s.edge != AG_SAT_INCLUSIVE, "edge inclusive"},
        {s.square != 0, "no squares"},
        {src->layers != 1, "one layer"},
        {src->name && src->name == dst->name && src->level == dst->level,
         "another texture in dst than in src"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        if (rules[i].wrong)
            return ag_fail(host, AG_E_ARG, "sat: method %s takes %s", names[s.method],
                           rules[i].takes);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

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

static ag_scan_pass *add(ag_scan_plan *p, const char *path, const char *name, int32_t axis,
                         int32_t width, int32_t height)
{
    ag_scan_pass *pass = &p->pass[p->passes++];
    *pass = (ag_scan_pass){.path = path,
                           .name = name,
                           .axis = axis,
                           .width = width,
                           .height = height,
                           .reads = true,
                           .texels_read = (uint64_t)width * (uint64_t)height,
                           .writes = true,
                           .lines = 1,
                           .group = 256};
    return pass;
}

static void set_groups(ag_scan_pass *pass, uint32_t x, uint32_t y)
{
    pass->groups[0] = x;
    pass->groups[1] = y;
}

static int32_t line_length(const ag_scan_pass *pass)
{
    return pass->axis ? pass->height : pass->width;
}

static int32_t line_count(const ag_scan_pass *pass)
{
    return pass->axis ? pass->width : pass->height;
}

static void plan_hensley(ag_scan_plan *p)
{
    static const char *const rows[] = {"rows", "columns"};
    int32_t size[2] = {p->width, p->height};
    for (int32_t axis = 0; axis < 2; ++axis)
        for (int64_t by = 1; by < size[axis] || (by == 1 && axis == 0); by *= p->radix) {
            ag_scan_pass *pass =
                add(p, "sat/ladder/hensley.comp", rows[axis], axis, p->width, p->height);
            pass->distance = (int32_t)by;
            set_groups(pass, ag_groups(p->width, 16), ag_groups(p->height, 16));
            for (int32_t k = 1; k < p->radix && k * by < size[axis]; ++k) // terms inside the image
                pass->texels_read += (uint64_t)(size[axis] - k * by) * (uint64_t)size[!axis];
            p->roundings += p->radix - 1;
        }
}

// Groups of whole lines: kogge_stone, ladner_fischer.
static void plan_lines(ag_scan_plan *p, int32_t columns)
{
    bool kogge = p->method == AG_SAT_KOGGE_STONE;
    const char *path = kogge ? "sat/ladder/kogge_stone.comp" : "sat/ladder/ladner_fischer.comp";
    for (int32_t axis = 0; axis < 2; ++axis) {
        ag_scan_pass *pass = add(p, path, axis ? "columns" : "rows", axis, p->width, p->height);
        bool shuffles = !kogge && !axis && p->subgroups;
        if (shuffles)
            pass->path = "sat/ladder/ladner_fischer_subgroups.comp";
        pass->lines = axis ? columns : 1;
        pass->group = group_of(line_length(pass) * pass->lines);
        set_groups(pass, ag_groups(line_count(pass), pass->lines), 1);
        int32_t places = pass->group / pass->lines, log = log_of(places);
        uint32_t chunks = ag_groups(line_length(pass), places);
        p->roundings += (shuffles ? 5 + pass->group / 32 : log) + (int32_t)chunks;
    }
}

static void plan_blelloch(ag_scan_plan *p, int32_t columns)
{
    for (int32_t axis = 0; axis < 2; ++axis) {
        ag_scan_pass *scan = add(p, "sat/ladder/blelloch_scan.comp", axis ? "columns" : "rows",
                                 axis, p->width, p->height);
        scan->lines = axis ? columns : 1;
        scan->group = group_of((line_length(scan) * scan->lines + 1) / 2);
        int32_t block = 2 * scan->group / scan->lines, lines = line_count(scan);
        int32_t blocks = ag_div_up(line_length(scan), block);
        scan->blocks = blocks;
        scan->sums = AG_WRITE;
        set_groups(scan, (uint32_t)blocks, ag_groups(lines, scan->lines));
        int64_t bytes = (int64_t)blocks * lines * p->channels * 4;
        p->sums_bytes = bytes > p->sums_bytes ? bytes : p->sums_bytes;
        p->roundings += 2 * log_of(block) + 1;
        if (blocks == 1)
            continue;
        p->roundings += blocks;
        ag_scan_pass *sums =
            add(p, "sat/ladder/blelloch_sums.comp", axis ? "sums of columns" : "sums of rows", axis,
                p->width, p->height);
        sums->reads = sums->writes = false;
        sums->blocks = blocks;
        sums->sums = AG_READ | AG_WRITE;
        set_groups(sums, ag_groups(lines, 64), 1);
        ag_scan_pass *sum = add(p, "sat/ladder/blelloch_add.comp",
                                axis ? "add to columns" : "add to rows", axis, p->width, p->height);
        sum->blocks = blocks;
        sum->group = block; // BLOCK
        sum->sums = AG_READ;
        set_groups(sum, ag_groups(p->width, 16), ag_groups(p->height, 16));
    }
}

static void plan_segmented(ag_scan_plan *p)
{
    for (int32_t axis = 0; axis < 2; ++axis) {
        uint32_t blocks = 0;
        for (int32_t i = 0; i < 3; ++i) {
            static const char *const paths[] = {"sat/ladder/segmented_up.comp",
                                                "sat/ladder/segmented_roots.comp",
                                                "sat/ladder/segmented_down.comp"};
            static const char *const steps[2][3] = {{"rows up", "roots of rows", "rows down"},
                                                    {"columns up", "roots of columns",
                                                     "columns down"}};
            ag_scan_pass *pass = add(p, paths[i], steps[axis][i], axis, p->width, p->height);
            pass->group = BLOCK_TEXELS / 2;
            blocks = ag_groups(p->width * p->height, BLOCK_TEXELS);
            pass->blocks = (int32_t)blocks;
            pass->reads = i != 1;
            pass->writes = i == 2;
            uint32_t across = blocks < AG_SCAN_ROW ? blocks : AG_SCAN_ROW;
            set_groups(pass, i == 1 ? 1 : across, i == 1 ? 1 : (blocks + across - 1) / across);
            pass->sums = i == 0 ? AG_WRITE : i == 1 ? AG_READ | AG_WRITE : AG_READ;
            pass->flags = i == 0 ? AG_WRITE : i == 1 ? AG_READ : 0;
        }
        p->sums_bytes = (int64_t)blocks * p->channels * 4;
        p->flags_bytes = (int64_t)blocks * 4;
        // within a block, within the blocks' roots, and the chunks of those
        p->roundings += 4 * log_of(BLOCK_TEXELS) + 2 + (int32_t)(blocks / BLOCK_TEXELS);
    }
}

static void plan_transposes(ag_scan_plan *p)
{
    for (int32_t i = 0; i < 4; ++i) {
        bool scan = i % 2 == 0; // of rows, then of columns as rows
        int32_t w = i < 2 ? p->width : p->height, h = i < 2 ? p->height : p->width;
        static const char *const steps[] = {"rows", "transpose", "columns", "transpose back"};
        ag_scan_pass *pass =
            add(p, scan ? "sat/ladder/tree_rows.comp" : "sat/ladder/transpose.comp", steps[i], 0, w,
                h);
        pass->across = !scan;
        if (!scan) {
            set_groups(pass, ag_groups(w, 32), ag_groups(h, 32));
            continue;
        }
        pass->group = group_of((w + 1) / 2);
        int32_t chunks = ag_div_up(w, 2 * pass->group);
        set_groups(pass, (uint32_t)1, (uint32_t)h);
        p->roundings += 2 * log_of(2 * pass->group) + 1 + chunks;
    }
}

static void plan_chen(ag_scan_plan *p)
{
    int32_t rows = 32 / p->channels, n = p->in_group, across = 32 * n;
    for (int32_t axis = 0; axis < 2; ++axis) {
        bool brlt = p->method == AG_SAT_SCANROW_BRLT;
        int32_t w = brlt && axis ? p->height : p->width, h = brlt && axis ? p->width : p->height;
        ag_scan_pass *pass = add(p,
                                 brlt   ? "sat/ladder/scanrow_brlt.comp"
                                 : axis ? "sat/ladder/scanrowcolumn_columns.comp"
                                        : "sat/ladder/scanrowcolumn_rows.comp",
                                 axis ? "columns" : "rows", brlt ? 0 : axis, w, h);
        pass->group = across;
        pass->across = brlt;
        if (brlt) {
            uint32_t chunks = ag_groups(w, across);
            set_groups(pass, ag_groups(h, rows), 1);
            p->roundings += 5 + n + (int32_t)chunks * n + 1;
        } else if (!axis) {
            uint32_t chunks = ag_groups(w, 32);
            set_groups(pass, ag_groups(h, n), 1);
            p->roundings += 5 + (int32_t)chunks;
        } else {
            uint32_t chunks = ag_groups(h, rows * n);
            set_groups(pass, ag_groups(w, 32), 1);
            p->roundings += rows + n * (int32_t)chunks + 1;
        }
    }
}

// Words of all tiles are cleared, then one dispatch makes the table; tiles repair it.
static bool plan_lookback(ag_scan_plan *p, const ag_request *request, const ag_gl *gl)
{
    int32_t rows = request->tuning.scan_rows ? request->tuning.scan_rows : TILE_ROWS;
    int32_t across = ag_div_up(p->width, 32), down = ag_div_up(p->height, rows);
    int64_t tiles = (int64_t)across * down;
    p->sums_bytes = tiles * (2 * rows + 32) * 4 * p->channels * (p->integers ? 2 : 1);
    p->flags_bytes = 64;
    ag_scan_pass *clear = add(p, "sat/ladder/lookback_clear.comp", "clear", 0, p->width, p->height);
    clear->reads = clear->writes = false;
    clear->blocks = (int32_t)(ag_align_up(p->sums_bytes, 16) / 16);
    uint32_t groups = ag_groups(clear->blocks, 1024);
    uint32_t row = groups < AG_SCAN_ROW ? groups : AG_SCAN_ROW;
    set_groups(clear, row, (groups + row - 1) / row);
    ag_scan_pass *pass = add(p, "sat/ladder/lookback.comp", "tiles", 0, p->width, p->height);
    pass->group = rows / 8;
    pass->blocks = request->tuning.scan_silent;
    set_groups(pass, (uint32_t)across, (uint32_t)down);
    clear->sums = clear->flags = AG_WRITE;
    pass->sums = pass->flags = AG_READ | AG_WRITE;
    p->roundings = 2 * (rows / 8) + 8 + 256 / rows + across + down + 3;
    p->turns = request->tuning.scan_turns ? request->tuning.scan_turns : TURNS;
    ag_sat_request want = {.width = p->width,
                           .height = p->height,
                           .layers = 1,
                           .channels = p->channels,
                           .storage = p->integers ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32,
                           .counts = p->counts,
                           .method = AG_TABLE_BY_TILES,
                           .tuning = request->tuning,
                           .subgroups = ag_subgroups_of(gl, &request->tuning),
                           .fraction_bits = p->fraction_bits,
                           .max_value = p->max_value,
                           .max_block_bytes = gl->max_ssbo_bytes,
                           .alignment = gl->ssbo_alignment};
    return ag_sat_plan_make(&want, &p->repair);
}

// Textures between the passes: two in turn, or one after the other where shapes differ.
static void connect(ag_scan_plan *p)
{
    int32_t at = -1;
    bool turns = p->method <= AG_SAT_HENSLEY_RADIX16 || p->method == AG_SAT_BLELLOCH;
    int32_t last = p->passes - 1;
    for (int32_t i = 0; i <= last; ++i) {
        ag_scan_pass *pass = &p->pass[i];
        pass->from = at;
        if (!pass->writes)
            continue;
        at = i == last ? -1 : turns ? at == 0 : at + 1;
        pass->to = at;
        if (at < 0)
            continue;
        p->texture_size[at][0] = pass->across ? pass->height : pass->width;
        p->texture_size[at][1] = pass->across ? pass->width : pass->height;
        p->textures = at + 1 > p->textures ? at + 1 : p->textures;
    }
}

ag_status ag_scan_make(const ag_host *host, const ag_gl *gl, const ag_request *request,
                       int32_t fraction_bits, ag_scan_plan *p)
{
    const ag_sat_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    const ag_tuning *tuning = &request->tuning;
    int32_t shuffles = ag_subgroups_of(gl, tuning);
    bool chen = s.method == AG_SAT_SCANROW_BRLT || s.method == AG_SAT_SCANROWCOLUMN;
    int32_t columns = tuning->scan_columns ? tuning->scan_columns : COLUMNS;
    *p = (ag_scan_plan){.method = s.method,
                        .width = src->rect_width,
                        .height = src->rect_height,
                        .channels = request->formats[DST]->channels,
                        .integers = s.storage == AG_SAT_UINT32,
                        .radix = s.method == AG_SAT_HENSLEY_RADIX16  ? 16
                                 : s.method == AG_SAT_HENSLEY_RADIX4 ? 4
                                                                     : 2,
                        .in_group = tuning->scan_subgroups ? tuning->scan_subgroups : SUBGROUPS,
                        .tile = tuning->scan_tile,
                        .counts = s.storage == AG_SAT_UINT32 &&
                                  request->formats[SRC]->store == AG_STORE_UNORM8,
                        .max_value = s.max_value,
                        .src_bytes = request->formats[SRC]->bytes};
    p->fraction_bits = p->integers && fraction_bits > 0 ? fraction_bits : 0;
    p->units = p->counts ? 255.0f : (float)(1u << p->fraction_bits);
    // Chen et al.'s methods shuffle; without subgroups through shared memory, slowly.
    p->subgroups = chen ? (shuffles ? shuffles : AG_SUBGROUPS_EMULATED)
                   : s.method == AG_SAT_LADNER_FISCHER ? shuffles
                                                       : AG_SUBGROUPS_NONE;
    bool repairable = true;
    switch (s.method) {
    case AG_SAT_KOGGE_STONE:
    case AG_SAT_LADNER_FISCHER: plan_lines(p, columns); break;
    case AG_SAT_BLELLOCH: plan_blelloch(p, columns); break;
    case AG_SAT_SEGMENTED: plan_segmented(p); break;
    case AG_SAT_SCAN_TRANSPOSE_SCAN: plan_transposes(p); break;
    case AG_SAT_SCANROW_BRLT:
    case AG_SAT_SCANROWCOLUMN: plan_chen(p); break;
    case AG_SAT_LOOKBACK: repairable = plan_lookback(p, request, gl); break;
    default: plan_hensley(p); break;
    }
    connect(p);
    if (p->sums_bytes > gl->max_ssbo_bytes || !repairable)
        return ag_fail(host, AG_E_SIZE,
                       "sat: %dx%d by method %s needs %lld bytes of sums; this context's storage "
                       "blocks hold %lld",
                       p->width, p->height, names[p->method], (long long)p->sums_bytes,
                       (long long)gl->max_ssbo_bytes);
    return AG_OK;
}

void ag_scan_text(ag_frame *f, const ag_scan_plan *p)
{
    char bound[64] = "exact";
    if (!ag_frame_is_planned(f))
        return;
    if (!p->integers)
        snprintf(bound, sizeof bound, "within %.3g last places of the largest", ag_scan_bound(p));
    ag_frame_text(f, "sat: %dx%d, storage %s by %s, %d dispatches, entries %s%s", p->width,
                  p->height, p->integers ? "uint32" : "float32", names[p->method], p->passes, bound,
                  p->subgroups == AG_SUBGROUPS_OF_DRIVER  ? ", by subgroups"
                  : p->subgroups == AG_SUBGROUPS_EMULATED ? ", by emulated subgroups"
                                                          : "");
}

// ---- the documents' arithmetic -----------------------------------------------------------------

// A rounding of a row's sum counts for each row, of which none is larger than the table's largest
// entry in all: at most a unit; one of a column's sum for half.
double ag_scan_bound(const ag_scan_plan *p)
{
    return p->roundings + 1.0;
}
