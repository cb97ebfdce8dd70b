// mipchain.c - the effect "mipchain": the levels of a texture below its first, in place
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "effects/mip/levels.h"

#include <afterglow/mipchain.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

static const ag_slot_info slots[] = {
    AG_COLOUR_SLOT("texture", "its first level is read, the levels below it are written",
                   AG_READ | AG_WRITE | AG_LEVELS),
};

AG_SETTINGS(mipchain, MIPCHAIN)
static const char *const weights[] = {AG_MIP_WEIGHT(AG_NAME)};
static const char *const reductions[] = {AG_MIP_REDUCE(AG_NAME)};

static int32_t levels_of(const ag_request *request)
{
    const ag_texture *t = &request->slots[0];
    int32_t full = ag_mip_full(t->rect_width, t->rect_height), wanted = settings_of(request).levels;
    return wanted ? ag_min(wanted, full) : full;
}

static ag_levels_io io_of(const ag_request *request)
{
    ag_mipchain_settings s = settings_of(request);
    return (
        ag_levels_io){.request = request, .reduce = s.reduce, .weight = s.weight, .scrub = s.scrub};
}

static ag_status check(const ag_host *host, ag_request *request)
{
    ag_mipchain_settings s = settings_of(request);
    const ag_format *format = request->formats[0];
    if (s.weight != AG_MIP_WEIGHT_NONE && s.reduce != AG_MIP_MEAN)
        return ag_fail(host, AG_E_ARG, "mipchain: weight is %s with reduce %s; it needs mean",
                       weights[s.weight], reductions[s.reduce]);
    if (s.weight >= AG_MIP_WEIGHT_ALPHA && format->channels != 4)
        return ag_fail(host, AG_E_FORMAT,
                       "mipchain: weight is %s and the texture %s; it takes RGBA8 SRGB8_ALPHA8 "
                       "RGB10_A2 RGBA16F RGBA32F",
                       weights[s.weight], format->text);
    if (s.exactness == AG_MIP_DIRECT && (s.reduce != AG_MIP_MEAN || s.weight != AG_MIP_WEIGHT_NONE))
        return ag_fail(
            host, AG_E_ARG,
            "mipchain: exactness is direct with reduce %s, weight %s; it needs mean, none",
            reductions[s.reduce], weights[s.weight]);
    if (s.reduce == AG_MIP_MINMAX && format->channels != 2)
        return ag_fail(host, AG_E_FORMAT,
                       "mipchain: reduce is minmax and the texture %s; it takes RG8 RG16F RG32F",
                       format->text);
    s.levels = request->more_levels[0] = levels_of(request);
    memcpy(&request->settings, &s, sizeof s);
    return AG_OK;
}

// ---- design ------------------------------------------------------------------------------------

typedef struct mip_design {
    ag_levels_design chain;                // of the first levels, or of all
    bool direct;                           // the others are boxes of level 0
    int32_t rows;                          // texels of a layer that their rows take
    uint64_t rows_at, rows_bytes, scratch; // the rows lie behind the chain's hand-over
} mip_design;

static int32_t rows_texels(const ag_texture *t, int32_t level)
{
    return ag_mip_size(t->rect_width, level) * t->rect_height;
}

// The number of levels that a chain makes exactly as area averages of level 0: those up to the
// first odd size below level 0, after which boxes overlap differently.
static int32_t same_levels(const ag_texture *t, int32_t levels)
{
    int32_t same = 1;
    while (same < levels && !ag_mip_is_odd(ag_mip_size(t->rect_width, same)) &&
           !ag_mip_is_odd(ag_mip_size(t->rect_height, same)))
        ++same;
    return ag_min(same, levels);
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_texture *t = &request->slots[0];
    const ag_mipchain_settings s = settings_of(request);
    const ag_levels_io io = io_of(request);
    int32_t same = s.exactness == AG_MIP_DIRECT ? same_levels(t, s.levels) : s.levels;
    mip_design *d = out;
    *d = (mip_design){.direct = same < s.levels};
    AG_TRY(ag_levels_plan(host, gl, &io, same, &d->chain));
    int64_t rows = 0;
    for (int32_t k = same + 1; k <= s.levels; ++k)
        rows += rows_texels(t, k);
    uint64_t texel = 4 * (uint64_t)ag_levels_held_channels(request->formats[0]);
    uint64_t handover = d->chain.handover;
    d->rows = (int32_t)rows;
    d->rows_bytes = texel * (uint64_t)rows * (uint64_t)t->layers;
    d->rows_at = (uint64_t)ag_align_up((int64_t)handover, gl->ssbo_alignment);
    d->scratch = rows ? d->rows_at + d->rows_bytes : handover;
    return ag_check_block(host, gl, request, 0, (int64_t)d->rows_bytes);
}

// ---- shaders that read levels ------------------------------------------------------------------

static ag_shader *level_shader(ag_frame *f, const char *path, bool reads)
{
    const ag_request *request = ag_frame_request(f);
    const ag_format *format = request->formats[0];
    bool array = ag_is_array(&request->slots[0]);
    ag_shader *shader = ag_frame_shader(f, path);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines && reads)
        ag_source_defines(format, array ? AG_BY_IMAGE_LAYERS : AG_BY_IMAGE, defines);
    if (defines)
        ag_defines_add(defines,
                       "#define STORE %d\n#define ARRAY %d\n#define CHANNELS %d\n"
                       "#define REDUCE %d\n",
                       format->store, array, ag_levels_held_channels(format), AG_REDUCE_MEAN);
    return shader;
}

static ag_uniform written_to(const ag_texture *t)
{
    return (ag_uniform)AG_INTS(AG_LOC_DST_RECT, t->rect_x, t->rect_y, t->width, t->height);
}

static ag_uniform layer_read(const ag_texture *t)
{
    return (ag_uniform)AG_INTS(AG_LOC_SRC_MODE, 0, 0, 0, t->first_layer);
}

static ag_uniform layer_written(const ag_texture *t)
{
    return (ag_uniform)AG_INTS(AG_LOC_TEXTURE, 1, t->level, t->first_layer, 0);
}

// ---- boxes of level 0 --------------------------------------------------------------------------

// Rows of level 0, averaged to the width of each level; then columns of these. The chain has
// already counted non-finite texels.
static void make_direct(ag_frame *f, const mip_design *d, ag_handle scratch)
{
    const ag_request *request = ag_frame_request(f);
    const ag_mipchain_settings s = settings_of(request);
    const ag_texture *t = &request->slots[0];
    const ag_format *format = request->formats[0];
    const int32_t first = d->chain.plan.request.levels + 1;
    ag_frame_text(f, "; %d levels from level 0", s.levels - first + 1);
    ag_shader *shaders[2];
    for (int columns = 0; columns < 2; ++columns) {
        shaders[columns] = level_shader(f, "mip/direct.comp", !columns);
        ag_shader_define(shaders[columns], "ROWS", !columns);
        if (columns)
            continue;
        ag_shader_define(shaders[columns], "DEPTH", 0);
        ag_shader_define(shaders[columns], "COUNTS", 0);
    }
    ag_view source = ag_levels_view(f, 0, AG_READ, 0); // read once: then caches have it
    source.bytes = (uint64_t)t->rect_width * (uint64_t)t->rect_height * (uint64_t)t->layers *
                   (uint64_t)format->bytes / (uint64_t)(s.levels - first + 1);
    for (int columns = 0; columns < 2; ++columns) {
        ag_frame_step(f, columns ? "columns" : "rows");
        int32_t at = 0;
        for (int32_t level = first; level <= s.levels; ++level) {
            const int32_t w = ag_mip_size(t->rect_width, level),
                          h = columns ? ag_mip_size(t->rect_height, level) : t->rect_height;
            const ag_uniform uniforms[] = {
                ag_rect_uniform(AG_LOC_SRC_RECT, t),
                written_to(t),
                layer_read(t),
                layer_written(t),
                AG_INTS(AG_LOC_STAGE, level, d->rows, 0, columns ? 0 : s.scrub),
                AG_INTS(AG_LOC_HANDOVER, at, 0, 0, 0),
            };
            ag_dispatch dispatch = {
                .shader = shaders[columns],
                .images[0] = columns ? ag_levels_view(f, 0, AG_WRITE, level) : source,
                .ranges[AG_SSBO_HANDOVER] = {.of = scratch,
                                             .access = columns ? AG_READ : AG_WRITE,
                                             .at = d->rows_at,
                                             .bytes = d->rows_bytes,
                                             .moves = d->rows_bytes / (uint64_t)d->rows *
                                                      (uint64_t)rows_texels(t, level)},
                AG_UNIFORMS(uniforms),
                .groups = {ag_groups(w, 64), ag_groups(h, 4), (uint32_t)t->layers}};
            ag_frame_dispatch(f, &dispatch);
            at += rows_texels(t, level);
        }
    }
}

// ---- coverage ----------------------------------------------------------------------------------

static float half_value(uint32_t code) // of 0 .. 0x3c00
{
    int32_t exponent = (int32_t)(code >> 10);
    float mantissa = (float)(code & 1023u);
    return exponent ? ldexpf(1024 + mantissa, exponent - 25) : ldexpf(mantissa, -24);
}

// The format's first alpha that is not below the reference, and the one before it.
static void neighbours(const ag_format *format, float reference, float *covered, float *bare)
{
    if (format->store == AG_STORE_32F) {
        *covered = reference;
        *bare = nextafterf(reference, 0);
        return;
    }
    bool half = format->store == AG_STORE_16F;
    float codes = format->store == AG_STORE_10_10_10_2 ? 3 : 255;
    // The least reference has a normal half.
    uint32_t code = half ? ((uint32_t)ag_float_bits(reference) >> 13) - (112u << 10) : 0;
    while ((half ? half_value(code) : (float)code / codes) < reference)
        ++code;
    *covered = half ? half_value(code) : (float)code / codes;
    *bare = !code ? 0 : half ? half_value(code - 1) : (float)(code - 1) / codes;
}

// Counts the alphas of all levels, finds thresholds, and scales the alphas below level 0.
static void make_coverage(ag_frame *f)
{
    enum { COUNT = AG_COVERAGE_COUNT, SEARCH = AG_COVERAGE_SEARCH, SCALE = AG_COVERAGE_SCALE };
    const ag_request *request = ag_frame_request(f);
    const ag_mipchain_settings s = settings_of(request);
    const ag_texture *t = &request->slots[0];
    const uint64_t one = 4 * (uint64_t)AG_COVERAGE_WORDS * (uint64_t)t->layers;
    float covered, bare;
    neighbours(request->formats[0], s.reference, &covered, &bare);
    ag_frame_text(f, "; coverage");
    ag_shader *shaders[3];
    for (int pass = COUNT; pass <= SCALE; ++pass) {
        shaders[pass] = level_shader(f, "mip/coverage.comp", pass != SEARCH);
        ag_shader_define(shaders[pass], "PASS", pass);
    }
    // Each execute leaves the counts at 0. Scaling also empties level 0's, which nothing else of it
    // uses: so it only reads.
    ag_handle histograms =
        ag_own_memory(f, &(ag_own){.name = "histograms", .bytes = one * (uint64_t)(s.levels + 1)});

    ag_frame_step(f, "coverage");
    for (int pass = COUNT; pass <= SCALE; ++pass)
        for (int32_t level = pass == SCALE; level <= (pass == SEARCH ? 0 : s.levels); ++level) {
            const ag_uniform uniforms[] = {
                ag_rect_uniform(AG_LOC_SRC_RECT, t),
                written_to(t),
                layer_read(t),
                layer_written(t),
                AG_INTS(AG_LOC_STAGE, level, s.levels, 0, s.scrub),
                AG_FLOATS(AG_LOC_COVERAGE, s.reference, covered, bare, 0),
            };
            ag_dispatch d = {.shader = shaders[pass],
                             .ranges[AG_SSBO_HANDOVER] =
                                 ag_all(histograms, pass == COUNT    ? AG_ADD
                                                    : pass == SEARCH ? AG_READ | AG_WRITE
                                                                     : AG_READ),
                             AG_UNIFORMS(uniforms),
                             .groups = {(uint32_t)s.levels, 1, (uint32_t)t->layers}};
            if (pass != SEARCH) { // of a level
                d.images[AG_IMAGE_SRC] =
                    ag_levels_view(f, 0, pass == COUNT ? AG_READ : AG_READ | AG_WRITE, level);
                // Scaling reads a threshold and a factor.
                d.ranges[AG_SSBO_HANDOVER].moves = pass == COUNT ? one : 8 * (uint64_t)t->layers;
                d.groups[0] = ag_groups(ag_mip_size(t->rect_width, level), 16);
                d.groups[1] = ag_groups(ag_mip_size(t->rect_height, level), 16);
            }
            ag_frame_dispatch(f, &d);
        }
}

// ---- frame -------------------------------------------------------------------------------------

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_mipchain_settings s = settings_of(request);
    const ag_levels_io io = io_of(request);
    const mip_design *d = ag_frame_design(f);
    ag_handle info = ag_frame_info(f), scratch = ag_scratch(f, "hand-over", d->scratch);
    ag_levels_make(f, &io, &d->chain, scratch, info);
    if (d->direct)
        make_direct(f, d, scratch);
    if (s.weight == AG_MIP_WEIGHT_COVERAGE && s.levels)
        make_coverage(f);
}

const ag_effect ag_effect_mipchain = {
    .info = AG_EFFECT_INFO("mipchain", "the mipmap levels of a texture, exact at every size",
                           AG_IMAGE_MAX, 1),
    .samples = 1,
    .check = check,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(mip_design),
};
