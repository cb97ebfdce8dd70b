// sat_ladder.c - the documents' scans of the effect "sat": what they take, their plans, their frame
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_ladder.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"
#include "shaders/sat/ladder/interface.h"

#include <stdio.h>
#include <string.h>

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

// ---- shaders -----------------------------------------------------------------------------------

static bool is(const ag_scan_pass *pass, const char *file)
{
    return strcmp(pass->path + sizeof "sat/ladder/" - 1, file) == 0;
}

static bool walks_lines(const ag_scan_pass *pass)
{
    return is(pass, "kogge_stone.comp") || is(pass, "ladner_fischer.comp") ||
           is(pass, "ladner_fischer_subgroups.comp") || is(pass, "blelloch_scan.comp") ||
           is(pass, "tree_rows.comp");
}

static void own_defines(const ag_scan_plan *p, const ag_scan_pass *pass, ag_defines *defines)
{
    bool chen = p->method == AG_SAT_SCANROW_BRLT || p->method == AG_SAT_SCANROWCOLUMN;
    if (is(pass, "lookback.comp"))
        ag_define(defines, "DOWN", pass->group);
    if (p->method == AG_SAT_LOOKBACK)
        return;
    bool shuffles = is(pass, "ladner_fischer_subgroups.comp") || is(pass, "scanrow_brlt.comp") ||
                    is(pass, "scanrowcolumn_rows.comp");
    if (!chen && !is(pass, "transpose.comp"))
        ag_define(defines, "AXIS", pass->axis);
    if (walks_lines(pass) || p->method == AG_SAT_SEGMENTED)
        ag_define(defines, "GROUP", pass->group);
    if (walks_lines(pass))
        ag_define(defines, "LINES", pass->lines);
    if (is(pass, "blelloch_scan.comp") || is(pass, "tree_rows.comp"))
        ag_define(defines, "TREE_PADDED", p->tile == AG_SCAN_PADDED);
    if (is(pass, "blelloch_add.comp"))
        ag_define(defines, "BLOCK", pass->group);
    if (is(pass, "hensley.comp"))
        ag_define(defines, "RADIX", p->radix);
    if (is(pass, "transpose.comp") || is(pass, "scanrow_brlt.comp"))
        ag_define(defines, "TILE", p->tile);
    if (chen)
        ag_define(defines, "SCAN_SUBGROUPS", p->in_group);
    if (shuffles) {
        ag_define(defines, "THREADS", pass->group);
        ag_defines_add(defines, "#define SUBGROUPS %d\n%s", p->subgroups,
                       p->subgroups == AG_SUBGROUPS_OF_DRIVER ? AG_SUBGROUPS_EXTENSIONS : "");
    }
}

static ag_shader *shader_of(ag_frame *f, const ag_scan_plan *p, const ag_scan_pass *pass)
{
    const ag_request *request = ag_frame_request(f);
    ag_shader *shader = ag_frame_shader(f, pass->path);
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines || is(pass, "lookback_clear.comp"))
        return shader;
    bool image = pass->reads && pass->from < 0;
    own_defines(p, pass, defines);
    ag_defines_add(defines,
                   "#define CHANNELS %d\n#define COUNTS %d\n#define LOCAL %s\n"
                   "#define LOCAL_IS_UINT %d\n#define SAT_ENTRY %s\n#define FROM_IMAGE %d\n",
                   p->channels, image && p->counts, p->integers ? "uint" : "float", p->integers,
                   ag_sat_entry_type(p->integers ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32, p->channels),
                   image);
    if (image) {
        ag_source_defines(request->formats[SRC], ag_reading_of(request, SRC), defines);
        ag_define(defines, "SRC_TEXEL", request->formats[SRC]->hold);
    } else
        ag_defines_add(defines, "#define TABLE_FORMAT %s\n",
                       ag_table_format(p->integers, p->channels)->glsl);
    return shader;
}

// ---- frame -------------------------------------------------------------------------------------

typedef struct scan {
    const ag_scan_plan *plan;
    ag_shader *shaders[AG_SCAN_PASSES];
    ag_handle info, sums, flags, textures[AG_SCAN_TEXTURES];
    ag_table repair; // lookback: by tiles, whose groups are 0 unless look-back has failed
} scan;

static void begin(ag_frame *f, const ag_scan_plan *p, scan *s)
{
    static const char *const lines[AG_SCAN_TEXTURES] = {"lines 0", "lines 1", "lines 2"};
    s->plan = p;
    for (int32_t i = 0; i < p->passes; ++i)
        s->shaders[i] = shader_of(f, p, &p->pass[i]);
    s->info = ag_frame_info(f);
    for (int32_t i = 0; i < p->textures; ++i)
        s->textures[i] =
            ag_own_memory(f, &(ag_own){.name = lines[i],
                                       .format = ag_table_format(p->integers, p->channels)->name,
                                       .width = p->texture_size[i][0],
                                       .height = p->texture_size[i][1]});
    if (p->sums_bytes)
        s->sums = ag_scratch(f, "sums of blocks", (uint64_t)p->sums_bytes);
    if (p->flags_bytes)
        s->flags = ag_scratch(f, "flags", (uint64_t)p->flags_bytes);
    if (p->method != AG_SAT_LOOKBACK)
        return;
    const ag_table_io io = {.src = ag_slot_picture(f, SRC),
                            .info = s->info,
                            .dst = ag_slot(DST),
                            .shape = &ag_frame_request(f)->slots[DST],
                            .groups = ag_block_of(s->flags, AG_READ, 16, 36)};
    ag_table_begin(f, &p->repair, &io, &s->repair);
}

static void bind(const ag_frame *f, const scan *s, const ag_scan_pass *pass, ag_dispatch *d)
{
    const ag_scan_plan *p = s->plan;
    bool image = pass->reads && pass->from < 0,
         by_image = ag_reading_of(ag_frame_request(f), SRC) == AG_BY_IMAGE;
    ag_view *from = image && !by_image ? &d->textures[0] : &d->images[AG_IMAGE_SRC];
    if (pass->reads)
        *from = (ag_view){.of = image ? ag_slot(SRC) : s->textures[pass->from],
                          .access = AG_READ,
                          .bytes = pass->texels_read *
                                   (uint64_t)(image ? p->src_bytes : 4 * p->channels)};
    if (pass->writes)
        d->images[AG_IMAGE_DST] =
            (ag_view){.of = pass->to < 0 ? ag_slot(DST) : s->textures[pass->to],
                      .access = AG_WRITE};
    if (image)
        d->ranges[AG_SSBO_INFO] = ag_all(s->info, AG_ADD);
    if (pass->sums)
        d->ranges[AG_SSBO_SCAN_SUMS] = ag_all(s->sums, pass->sums);
    if (pass->flags)
        d->ranges[AG_SSBO_SCAN_FLAGS] = ag_all(s->flags, pass->flags);
}

// Of lookback's tiles u_scan.w is one that is silent, or -1.
static bool silences(const ag_scan_plan *p, const ag_scan_pass *pass)
{
    return p->method == AG_SAT_LOOKBACK && pass->writes;
}

// Error of an entry of a float table, at most, in units of the last place of the sum of all
// magnitudes: half a unit for each addition that a texel's value may pass through.
// A rounding of a row's sum counts for each row, of which none is larger than the table's largest
// entry in all: at most a unit; one of a column's sum for half.
static double error_of(const ag_scan_plan *p)
{
    return p->roundings + 1.0;
}

static void text(ag_frame *f, const ag_scan_plan *p)
{
    char bound[64] = "exact";
    if (!ag_frame_is_planned(f))
        return;
    if (!p->integers)
        snprintf(bound, sizeof bound, "within %.3g last places of the largest", error_of(p));
    ag_frame_text(f, "sat: %dx%d, storage %s by %s, %d dispatches, entries %s%s", p->width,
                  p->height, p->integers ? "uint32" : "float32", names[p->method], p->passes, bound,
                  p->subgroups == AG_SUBGROUPS_OF_DRIVER  ? ", by subgroups"
                  : p->subgroups == AG_SUBGROUPS_EMULATED ? ", by emulated subgroups"
                                                          : "");
}

void ag_scan_frame(ag_frame *f, const ag_scan_plan *p)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const bool scrub = settings_of(request).scrub;
    scan s;
    text(f, p);
    begin(f, p, &s);
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_scan_pass *pass = &p->pass[i];
        bool last = pass->to < 0;
        ag_uniform uniforms[8] = {
            AG_INTS(AG_LOC_SRC_RECT, src->rect_x, src->rect_y, src->rect_width, src->rect_height),
            AG_INTS(AG_LOC_SRC_MODE, p->channels, 0, scrub, src->first_layer),
            AG_INTS(AG_LOC_DST_RECT, last ? dst->rect_x : 0, last ? dst->rect_y : 0, 0, 0),
            AG_INTS(AG_LOC_SCAN, pass->width, pass->height, pass->distance,
                    silences(p, pass) ? pass->blocks - 1 : pass->blocks),
            AG_FLOATS(AG_LOC_SAT_VALUE, p->units, 0, p->max_value, 0),
        };
        ag_dispatch d = {.shader = s.shaders[i],
                         .uniforms = uniforms,
                         .uniform_count = 5,
                         .groups = {pass->groups[0], pass->groups[1], 1}};
        for (int32_t k = 0; p->method == AG_SAT_LOOKBACK && k < p->repair.steps; ++k) {
            ag_sat_step step = ag_sat_step_of(&p->repair, k);
            uniforms[d.uniform_count++] =
                (ag_uniform)AG_INTS(AG_LOC_SCAN_REPAIR + k, step.groups[0], step.groups[1],
                                    step.groups[2], p->turns);
        }
        bind(f, &s, pass, &d);
        ag_frame_step(f, pass->name);
        ag_frame_dispatch(f, &d);
    }
    if (p->method == AG_SAT_LOOKBACK)
        ag_table_steps(f, &s.repair, scrub, true);
}
