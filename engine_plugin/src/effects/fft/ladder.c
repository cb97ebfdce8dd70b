// ladder.c - the documents' methods of the effect "fft": what they take, their plans, their frames
// SPDX-License-Identifier: MIT
#include "effects/fft/ladder.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface.h"

#include <afterglow/fft.h>
#include <math.h>

enum { SRC = AG_FFT_SRC, DST = AG_FFT_DST, SRC_IMAG = AG_FFT_SRC_IMAG, DST_IMAG = AG_FFT_DST_IMAG };
enum { SHARED_BYTES = 32768, THREADS = 1024 }; // what GL 4.3 promises a work group

static const char *const names[] = {[AG_FFT_SHARED_RADIX2] = "shared_radix2",
                                    [AG_FFT_TEXTURE_RADIX2] = "texture_radix2",
                                    [AG_FFT_HALF_THREADS] = "half_threads",
                                    [AG_FFT_HALF_LENGTH] = "half_length"};

AG_SETTINGS_OF(ag_fft_settings)

bool ag_ladder_chosen(const ag_request *request)
{
    return settings_of(request).method >= AG_FFT_SHARED_RADIX2;
}

static bool transforms(const ag_request *request, int32_t axis)
{
    int32_t axes = settings_of(request).axes;
    return axes == AG_FFT_BOTH || axes == AG_FFT_X + axis;
}

// ---- check -------------------------------------------------------------------------------------

// Points of a line, at most, by the shared memory of the method.
static int32_t longest(int32_t method, int32_t axis)
{
    switch (method) {
    case AG_FFT_SHARED_RADIX2: return SHARED_BYTES / 64;
    case AG_FFT_TEXTURE_RADIX2: return 16384;
    case AG_FFT_HALF_LENGTH: return SHARED_BYTES / 32 * (axis == 0 ? 2 : 1);
    default: return SHARED_BYTES / 32;
    }
}

static ag_status check_lines(const ag_host *host, const ag_request *request, const char *name)
{
    int32_t method = settings_of(request).method;
    for (int32_t axis = 0; axis < 2; ++axis) {
        const ag_texture *src = &request->slots[SRC];
        int32_t n = axis ? src->rect_height : src->rect_width;
        int32_t least = method == AG_FFT_HALF_LENGTH && axis == 0 ? 4 : 2;
        int32_t most = longest(method, axis);
        if (!transforms(request, axis))
            continue;
        if (n < least || n > most || (n & (n - 1)))
            return ag_fail(host, AG_E_SIZE,
                           "fft: src has %d %s; method %s takes powers of two from %d to %d, which "
                           "is what its shared memory holds in 32 KiB",
                           n, axis ? "rows" : "columns", name, least, most);
    }
    return AG_OK;
}

ag_status ag_ladder_check(const ag_host *host, const ag_request *request)
{
    const ag_fft_settings s = settings_of(request);
    const char *name = names[s.method];
    if (s.spectrum != AG_FFT_FULL || s.packing != AG_FFT_PLANES || s.origin != AG_FFT_CORNER)
        return ag_fail(host, AG_E_ARG,
                       "fft: method %s takes spectrum full, packing planes and origin corner",
                       name);
    if (!request->formats[DST_IMAG])
        return ag_fail(host, AG_E_ARG, "fft: slot dst_imag is empty; method %s needs it", name);
    for (int i = 0; i <= DST_IMAG; ++i)
        if (request->formats[i] && request->formats[i]->name != GL_RGBA32F)
            return ag_fail(host, AG_E_FORMAT, "fft: a texture is %s; method %s takes RGBA32F",
                           request->formats[i]->text, name);
    if (request->slots[SRC].layers != 1)
        return ag_fail(host, AG_E_ARG, "fft: src has %d layers; method %s takes one",
                       request->slots[SRC].layers, name);
    if (s.method == AG_FFT_HALF_LENGTH &&
        (request->formats[SRC_IMAG] || s.direction != AG_FFT_FORWARD || s.axes == AG_FFT_Y))
        return ag_fail(host, AG_E_ARG,
                       "fft: method half_length transforms real rows forward: leave src_imag "
                       "empty, and take axes both or x");
    return check_lines(host, request, name);
}

// ---- plan --------------------------------------------------------------------------------------

static int32_t log_of(int32_t n)
{
    int32_t log = 0;
    while (n > 1 << log)
        ++log;
    return log;
}

// Lines a group: as many as its memory and threads hold, or as the tuning says where they fit.
static int32_t rows_of(const ag_request *request, int32_t points)
{
    int32_t wanted = request->tuning.ladder_rows ? request->tuning.ladder_rows : 8, rows = 1;
    while (2 * rows <= wanted && 2 * rows * points * 32 <= SHARED_BYTES &&
           2 * rows * points / 2 <= THREADS)
        rows *= 2;
    return rows;
}

static void add_axis(const ag_request *request, ag_ladder *p, int32_t axis)
{
    static const char *const paths[] = {[AG_FFT_SHARED_RADIX2] = "fft/ladder/shared_radix2.comp",
                                        [AG_FFT_TEXTURE_RADIX2] = "fft/ladder/texture_radix2.comp",
                                        [AG_FFT_HALF_THREADS] = "fft/ladder/half_threads.comp",
                                        [AG_FFT_HALF_LENGTH] = "fft/ladder/half_length.comp"};
    int32_t method = p->method == AG_FFT_HALF_LENGTH && axis ? AG_FFT_HALF_THREADS : p->method;
    int32_t points = axis ? p->height : p->width, lines = axis ? p->width : p->height;
    bool pairs = method == AG_FFT_HALF_LENGTH && (p->changes & AG_LADDER_PAIRS);
    points /= method == AG_FFT_HALF_LENGTH && !pairs ? 2 : 1;
    lines = pairs ? lines / 2 + lines % 2 : lines;
    int32_t count = method == AG_FFT_TEXTURE_RADIX2 ? log_of(points) : 1;
    bool halves = method == AG_FFT_HALF_THREADS || method == AG_FFT_HALF_LENGTH;
    bool transposed = method == AG_FFT_HALF_THREADS && (p->changes & AG_LADDER_TRANSPOSED);
    for (int32_t i = 0; i < count; ++i) {
        ag_ladder_pass *pass = &p->pass[p->passes++];
        *pass = (ag_ladder_pass){.path = paths[method],
                                 .name = axis ? "columns" : "rows",
                                 .axis = transposed ? 0 : axis,
                                 .points = points,
                                 .log = log_of(points),
                                 .rows = halves ? rows_of(request, points) : 1,
                                 .lines = lines,
                                 .stage = i,
                                 .transposed = transposed};
        pass->groups[0] = halves                            ? ag_groups(lines, pass->rows)
                          : method == AG_FFT_TEXTURE_RADIX2 ? ag_groups(p->width, 16)
                                                            : 1;
        pass->groups[1] = halves                            ? 1
                          : method == AG_FFT_TEXTURE_RADIX2 ? ag_groups(p->height, 16)
                                                            : (uint32_t)lines;
    }
}

void ag_ladder_plan(const ag_request *request, ag_ladder *p)
{
    static const int32_t own[] = {[AG_FFT_SHARED_RADIX2] = AG_WEIGHTS_POLYNOMIAL,
                                  [AG_FFT_TEXTURE_RADIX2] = AG_WEIGHTS_POLYNOMIAL,
                                  [AG_FFT_HALF_THREADS] = AG_WEIGHTS_TABLE_2D,
                                  [AG_FFT_HALF_LENGTH] = AG_WEIGHTS_TABLE_2D};
    const ag_texture *src = &request->slots[SRC];
    *p = (ag_ladder){.method = settings_of(request).method,
                     .width = src->rect_width,
                     .height = src->rect_height,
                     .changes = request->tuning.ladder_changes,
                     .reads_imag = request->formats[SRC_IMAG] != NULL};
    int32_t wanted = request->tuning.ladder_weights;
    bool pairs = p->method == AG_FFT_SHARED_RADIX2 || p->method == AG_FFT_TEXTURE_RADIX2;
    p->weights = wanted && (pairs || wanted != AG_WEIGHTS_LOOKUP) ? wanted : own[p->method];
    // Only half_threads transposes, and one pass cannot transpose twice.
    if (p->method != AG_FFT_HALF_THREADS || settings_of(request).axes != AG_FFT_BOTH)
        p->changes &= ~AG_LADDER_TRANSPOSED;
    // A row of two rows has as many points as a row has texels.
    if (p->method != AG_FFT_HALF_LENGTH || p->width > longest(p->method, 1))
        p->changes &= ~AG_LADDER_PAIRS;
    for (int32_t axis = 0; axis < 2; ++axis)
        if (transforms(request, axis))
            add_axis(request, p, axis);
    for (int32_t i = 0, at = -1; i < p->passes; ++i) {
        p->pass[i].from = at;
        at = i == p->passes - 1 ? -1 : at == 0;
        p->pass[i].to = at;
        p->pairs = at + 1 > p->pairs ? at + 1 : p->pairs;
    }
}

// ---- frame -------------------------------------------------------------------------------------

static bool reads_imag(const ag_ladder *p, const ag_ladder_pass *pass)
{
    return pass->from >= 0 || p->reads_imag;
}

static ag_shader *shader_of(ag_frame *f, const ag_ladder *p, const ag_ladder_pass *pass)
{
    ag_shader *shader = ag_frame_shader(f, pass->path);
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return shader;
    ag_define(defines, "N", pass->points);
    ag_define(defines, "LOG", pass->log);
    ag_define(defines, "AXIS", pass->axis);
    ag_define(defines, "WEIGHTS", p->weights);
    ag_define(defines, "READS_IMAG", reads_imag(p, pass));
    if (p->method == AG_FFT_SHARED_RADIX2)
        ag_define(defines, "DIRECT", !(p->changes & AG_LADDER_COPIED));
    if (p->method == AG_FFT_HALF_THREADS || p->method == AG_FFT_HALF_LENGTH) {
        ag_define(defines, "ROWS", pass->rows);
        ag_define(defines, "GROUP", pass->rows * pass->points / 2);
        ag_define(defines, "PAIRS", (p->changes & AG_LADDER_PAIRS) != 0);
        ag_define(defines, "ORDERED", !(p->changes & AG_LADDER_SCATTERED));
        ag_define(defines, "TRANSPOSED", pass->transposed);
    }
    return shader;
}

typedef struct weight_table {
    int32_t points, log, form;
} weight_table;

static void fill_weights(const void *context, float *values)
{
    const weight_table *t = context;
    if (t->form == AG_WEIGHTS_LOOKUP)
        ag_ladder_lookup(t->points, values);
    for (int32_t i = 0; i < t->points && t->form == AG_WEIGHTS_TABLE; ++i)
        ag_ladder_weight(i, t->points, values + 2 * i);
    for (int32_t s = 0; s < t->log && t->form == AG_WEIGHTS_TABLE_2D; ++s)
        for (int32_t i = 0; i < t->points; ++i)
            ag_ladder_weight(i % (2 << s), 2 << s, values + 2 * (s * t->points + i));
}

static ag_handle weights_of(ag_frame *f, const ag_ladder *p, const ag_ladder_pass *pass)
{
    // No other constants have such a key: their second word is -1 or a radix.
    const weight_table t = {pass->points, pass->log, p->weights};
    const int32_t key[8] = {pass->points, -2, p->weights};
    size_t count = (size_t)pass->points * (p->weights == AG_WEIGHTS_TABLE ? 1 : (size_t)pass->log);
    if (p->weights < AG_WEIGHTS_TABLE)
        return (ag_handle){0};
    return ag_shared_constants(f, "afterglow weights", key,
                               count * (p->weights == AG_WEIGHTS_LOOKUP ? 4 : 2), fill_weights, &t);
}

// Pairs of textures between the passes: real and imaginary parts.
typedef struct planes {
    ag_handle of[2][2];
} planes;

static planes planes_of(ag_frame *f, const ag_ladder *p)
{
    static const char *const plane[2][2] = {{"real plane 0", "imaginary plane 0"},
                                            {"real plane 1", "imaginary plane 1"}};
    bool across = p->changes & AG_LADDER_TRANSPOSED; // the planes between rows and columns
    planes own = {0};
    for (int32_t i = 0; i < 2 * p->pairs; ++i)
        own.of[i / 2][i % 2] = ag_own_memory(f, &(ag_own){.name = plane[i / 2][i % 2],
                                                          .format = GL_RGBA32F,
                                                          .width = across ? p->height : p->width,
                                                          .height = across ? p->width : p->height});
    return own;
}

static void bind(const ag_ladder *p, const ag_ladder_pass *pass, const planes *own, ag_dispatch *d)
{
    // A butterfly of texture_radix2 stores one of its two results: it reads everything twice.
    uint64_t plane = 16 * (uint64_t)p->width * (uint64_t)p->height;
    uint64_t read = p->method == AG_FFT_TEXTURE_RADIX2 ? 2 * plane : plane;
    for (int imag = 0; imag < 2; ++imag) {
        ag_handle from =
            pass->from >= 0 ? own->of[pass->from][imag] : ag_slot(imag ? SRC_IMAG : SRC);
        ag_handle to = pass->to >= 0 ? own->of[pass->to][imag] : ag_slot(imag ? DST_IMAG : DST);
        d->images[imag ? AG_IMAGE_DST_IMAG : AG_IMAGE_DST] =
            (ag_view){.of = to, .access = AG_WRITE};
        if (!imag || reads_imag(p, pass))
            d->images[imag ? AG_IMAGE_SRC_IMAG : AG_IMAGE_SRC] =
                (ag_view){.of = from, .access = AG_READ, .bytes = read};
    }
}

void ag_ladder_frame(ag_frame *f, const ag_ladder *p, float scale)
{
    const ag_fft_settings s = settings_of(ag_frame_request(f));
    const ag_texture *t = ag_frame_request(f)->slots;
    ag_frame_text(f, "fft: %dx%d by %s, %d dispatches, %d lines a group", p->width, p->height,
                  names[p->method], p->passes, p->pass[0].rows);
    ag_handle info = ag_frame_info(f), weights = {0};
    planes own = planes_of(f, p);
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_ladder_pass *pass = &p->pass[i];
        bool first = pass->from < 0, last = pass->to < 0;
        bool begins = i == 0 || pass->name != p->pass[i - 1].name; // else: a further butterfly pass
        ag_shader *shader = shader_of(f, p, pass);
        int32_t in[4] = {t[SRC].rect_x, t[SRC].rect_y, t[SRC_IMAG].rect_x, t[SRC_IMAG].rect_y};
        int32_t out[4] = {t[DST].rect_x, t[DST].rect_y, t[DST_IMAG].rect_x, t[DST_IMAG].rect_y};
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_LADDER, pass->stage, s.direction, pass->lines, first && s.scrub),
            AG_INTS(AG_LOC_LADDER_IN, first ? in[0] : 0, first ? in[1] : 0, first ? in[2] : 0,
                    first ? in[3] : 0),
            AG_INTS(AG_LOC_LADDER_OUT, last ? out[0] : 0, last ? out[1] : 0, last ? out[2] : 0,
                    last ? out[3] : 0),
            AG_INTS(AG_LOC_EXTENT, p->width, p->height, 0, 0),
            AG_FLOATS(AG_LOC_TRANSFORM_SCALE, last ? scale : 1, 0, 0, 0),
        };
        if (begins) {
            weights = weights_of(f, p, pass);
            ag_frame_step(f, pass->name);
        }
        ag_dispatch d = {.shader = shader,
                         .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                         .ranges[AG_SSBO_WEIGHTS] = ag_all(weights, AG_READ),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {pass->groups[0], pass->groups[1], 1}};
        bind(p, pass, &own, &d);
        ag_frame_dispatch(f, &d);
    }
}

// ---- the documents' arithmetic -----------------------------------------------------------------

ag_ladder_bytes ag_ladder_texture_bytes(int32_t width, int32_t height, int32_t length)
{
    uint64_t size = (uint64_t)width * (uint64_t)height * 16, passes = (uint64_t)log_of(length);
    return (ag_ladder_bytes){size * passes * 4, size * passes * 2};
}

ag_ladder_bytes ag_ladder_shared_bytes(int32_t width, int32_t height, bool real)
{
    uint64_t size = (uint64_t)width * (uint64_t)height * 16;
    return (ag_ladder_bytes){real ? size : 2 * size, 2 * size};
}

uint64_t ag_ladder_lookup_bytes(int32_t width, int32_t height)
{
    return (uint64_t)width * (uint64_t)log_of(width) * 16 * (uint64_t)height;
}

double ag_ladder_half_length_gain(int32_t length, int32_t x, int32_t y)
{
    return 0.5 - (x + y) / (8.0 * log2(length));
}

void ag_ladder_weight(int32_t part, int32_t whole, float weight[2])
{
    static const float quarters[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    double angle = 6.283185307179586476925287 * part / whole;
    int64_t quarter = 4 * (int64_t)part / whole;
    bool exact = 4 * (int64_t)part % whole == 0; // pi has no double
    weight[0] = exact ? quarters[quarter & 3][0] : (float)cos(angle);
    weight[1] = exact ? quarters[quarter & 3][1] : (float)-sin(angle);
}

void ag_ladder_lookup(int32_t length, float *table)
{
    int32_t log = log_of(length);
    for (int32_t pass = 0; pass < log; ++pass)
        for (int32_t x = 0; x < length; ++x, table += 4) {
            int32_t section = 2 << pass, start = x & ~(section - 1), offset = x & (section / 2 - 1);
            uint32_t index[2] = {(uint32_t)(start + offset),
                                 (uint32_t)(start + offset + section / 2)};
            for (int i = 0; i < 2; ++i) {
                uint32_t reversed = 0;
                for (int32_t bit = 0; bit < log; ++bit)
                    reversed |= (index[i] >> bit & 1u) << (log - 1 - bit);
                table[i] = (float)(pass == 0 ? reversed : index[i]);
            }
            ag_ladder_weight(x & (section - 1), section, table + 2);
        }
}
