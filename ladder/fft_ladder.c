// fft_ladder.c - the effect "fft_ladder": the Fourier transforms of two documents
// SPDX-License-Identifier: MIT
//
// A method is a shader and what it takes: `methods`. Its passes read the host's textures, then
// planes of the effect's own, and the last one writes the host's.
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "ladder/fft_documents.h"
#include "shaders/ladder/fft/interface.h"

#include <afterglow/ladder_fft.h>
#include <math.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_FFT_LADDER_SRC,
    DST = AG_FFT_LADDER_DST,
    SRC_IMAG = AG_FFT_LADDER_SRC_IMAG,
    DST_IMAG = AG_FFT_LADDER_DST_IMAG,
    SLOTS
};

static const uint32_t formats[] = {GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_SLOT("src", "the input's real part", AG_READ, formats),
    [DST] = AG_SLOT("dst", "the output's real part", AG_WRITE, formats),
    [SRC_IMAG] = AG_SLOT("src_imag", "the input's imaginary part; empty: the input is real",
                         AG_READ | AG_OPTIONAL, formats),
    [DST_IMAG] = AG_SLOT("dst_imag", "the output's imaginary part", AG_WRITE, formats),
};

AG_SETTINGS(fft_ladder, FFT_LADDER)
_Static_assert((int)AG_FFT_LADDER_LOOKUP == AG_WEIGHTS_LOOKUP, "GLSL has the same numbers");

enum { SHARED_BYTES = 32768, THREADS = 1024 }; // what GL 4.3 promises a work group

typedef struct method {
    const char *name, *path;
    int32_t longest[2]; // points along x and along y: what SHARED_BYTES hold, else what fft takes
    int32_t weights;    // its own
    bool halves;        // a thread two points, and several lines a group
} method;

static const method methods[] = {
    [AG_FFT_LADDER_SHARED_RADIX2] = {"shared_radix2",
                                     "ladder/fft/shared_radix2.comp",
                                     {SHARED_BYTES / 64, SHARED_BYTES / 64},
                                     AG_WEIGHTS_POLYNOMIAL,
                                     false},
    [AG_FFT_LADDER_TEXTURE_RADIX2] = {"texture_radix2",
                                      "ladder/fft/texture_radix2.comp",
                                      {16384, 16384},
                                      AG_WEIGHTS_POLYNOMIAL,
                                      false},
    [AG_FFT_LADDER_HALF_THREADS] = {"half_threads",
                                    "ladder/fft/half_threads.comp",
                                    {SHARED_BYTES / 32, SHARED_BYTES / 32},
                                    AG_WEIGHTS_TABLE_2D,
                                    true},
    [AG_FFT_LADDER_HALF_LENGTH] = {"half_length",
                                   "ladder/fft/half_length.comp",
                                   {SHARED_BYTES / 16, SHARED_BYTES / 32},
                                   AG_WEIGHTS_TABLE_2D,
                                   true},
};

static bool transforms(const ag_fft_ladder_settings *s, int32_t axis)
{
    return s->axes == AG_FFT_BOTH || s->axes == AG_FFT_X + axis;
}

// ---- check -------------------------------------------------------------------------------------

// A method refuses the changes of others.
static ag_status check_changes(const ag_host *host, const ag_fft_ladder_settings *s)
{
    const method *m = &methods[s->method];
    bool shared = s->method == AG_FFT_LADDER_SHARED_RADIX2;
    bool threads = s->method == AG_FFT_LADDER_HALF_THREADS;
    const struct {
        const char *name;
        bool set, taken;
        const char *by;
    } changes[] = {
        {"weights lookup", s->weights == AG_FFT_LADDER_LOOKUP, !m->halves,
         "shared_radix2 and texture_radix2"},
        {"rows", s->rows != 0, m->halves, "half_threads and half_length"},
        {"scattered", s->scattered, m->halves, "half_threads and half_length"},
        {"copied", s->copied, shared, "shared_radix2"},
        {"transposed", s->transposed, threads && s->axes == AG_FFT_BOTH,
         "half_threads with axes both"},
        {"pairs", s->pairs, s->method == AG_FFT_LADDER_HALF_LENGTH, "half_length"},
    };
    for (size_t i = 0; i < AG_COUNT_OF(changes); ++i)
        if (changes[i].set && !changes[i].taken)
            return ag_fail(host, AG_E_ARG, "fft_ladder: %s is set with method %s; it is of %s",
                           changes[i].name, m->name, changes[i].by);
    return AG_OK;
}

static ag_status check_lines(const ag_host *host, const ag_request *request,
                             const ag_fft_ladder_settings *s)
{
    const method *m = &methods[s->method];
    for (int32_t axis = 0; axis < 2; ++axis) {
        const ag_texture *src = &request->slots[SRC];
        int32_t n = axis ? src->rect_height : src->rect_width;
        bool half = s->method == AG_FFT_LADDER_HALF_LENGTH && axis == 0;
        int32_t least = half ? 4 : 2, most = m->longest[axis] / (half && s->pairs ? 2 : 1);
        if (transforms(s, axis) && (n < least || n > most || (n & (n - 1))))
            return ag_fail(host, AG_E_SIZE,
                           "fft_ladder: src has %d %s; method %s%s takes powers of two from %d to "
                           "%d%s",
                           n, axis ? "rows" : "columns", m->name, s->pairs ? " with pairs" : "",
                           least, most,
                           s->method == AG_FFT_LADDER_TEXTURE_RADIX2
                               ? ""
                               : ", which is what its shared memory holds in 32 KiB");
    }
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_fft_ladder_settings s = settings_of(request);
    AG_TRY(check_changes(host, &s));
    if (s.method == AG_FFT_LADDER_HALF_LENGTH &&
        (request->formats[SRC_IMAG] || s.direction != AG_FFT_FORWARD || s.axes == AG_FFT_Y))
        return ag_fail(host, AG_E_ARG,
                       "fft_ladder: method half_length transforms real rows forward: leave "
                       "src_imag empty, and take axes both or x");
    AG_TRY(ag_check_one_layer(host, request, SRC));
    AG_TRY(check_lines(host, request, &s));
    for (int i = DST; i < SLOTS; ++i)
        AG_TRY(ag_check_same_size(host, request, i, SRC));
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

enum { MOST_PASSES = 28 }; // texture_radix2 of 16384 x 16384

typedef struct line_pass { // a dispatch
    const method *by;
    const char *step;
    int32_t axis;        // 0: lines along x, 1: along y
    int32_t points, log; // of the transform, and their binary logarithm
    int32_t rows, lines; // lines a group; of the dispatch
    int32_t stage;       // of texture_radix2
    int32_t from, to;    // pair of planes 0 or 1; -1: the host's textures
    uint32_t groups[2];
} line_pass;

typedef struct ladder_design {
    int32_t width, height, weights;
    bool reads_imag; // of the host
    line_pass pass[MOST_PASSES];
    int32_t passes, pairs; // pairs: of planes
} ladder_design;

// Lines a group: as many as its memory and threads hold, up to what the setting says.
static int32_t rows_of(int32_t wanted, int32_t points)
{
    int32_t rows = 1;
    while (2 * rows <= (wanted ? wanted : 8) && 2 * rows * points * 32 <= SHARED_BYTES &&
           2 * rows * points / 2 <= THREADS)
        rows *= 2;
    return rows;
}

static void add_axis(const ag_fft_ladder_settings *s, ladder_design *d, int32_t axis)
{
    bool half = s->method == AG_FFT_LADDER_HALF_LENGTH && axis == 0;
    const method *m =
        &methods[s->method == AG_FFT_LADDER_HALF_LENGTH && axis ? AG_FFT_LADDER_HALF_THREADS
                                                                : s->method];
    bool by_textures = s->method == AG_FFT_LADDER_TEXTURE_RADIX2;
    line_pass pass = {.by = m,
                      .step = axis ? "columns" : "rows",
                      .axis = s->transposed ? 0 : axis,
                      .points = axis ? d->height : d->width,
                      .rows = 1,
                      .lines = axis ? d->width : d->height};
    if (half && s->pairs)
        pass.lines = ag_div_up(pass.lines, 2);
    else if (half)
        pass.points /= 2;
    pass.log = ag_ladder_log(pass.points);
    if (m->halves)
        pass.rows = rows_of(s->rows, pass.points);
    pass.groups[0] = m->halves     ? ag_groups(pass.lines, pass.rows)
                     : by_textures ? ag_groups(d->width, 16)
                                   : 1;
    pass.groups[1] = m->halves ? 1 : by_textures ? ag_groups(d->height, 16) : (uint32_t)pass.lines;
    for (; pass.stage < (by_textures ? pass.log : 1); ++pass.stage)
        d->pass[d->passes++] = pass;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_fft_ladder_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    ladder_design *d = out;
    *d = (ladder_design){.width = src->rect_width,
                         .height = src->rect_height,
                         .weights = s.weights ? s.weights : methods[s.method].weights,
                         .reads_imag = request->formats[SRC_IMAG] != NULL};
    AG_TRY(ag_units_check(host, gl, SLOTS, "fft_ladder", "its four slots"));
    for (int32_t axis = 0; axis < 2; ++axis)
        if (transforms(&s, axis))
            add_axis(&s, d, axis);
    for (int32_t i = 0, at = -1; i < d->passes; ++i) {
        d->pass[i].from = at;
        at = i == d->passes - 1 ? -1 : at == 0;
        d->pass[i].to = at;
        d->pairs = ag_max(d->pairs, at + 1);
    }
    return AG_OK;
}

// ---- frame -------------------------------------------------------------------------------------

static bool reads_imag(const ladder_design *d, const line_pass *pass)
{
    return pass->from >= 0 || d->reads_imag;
}

static ag_shader *shader_of(ag_frame *f, const ladder_design *d, const line_pass *pass)
{
    const ag_fft_ladder_settings s = settings_of(ag_frame_request(f));
    ag_shader *shader = ag_frame_shader(f, pass->by->path);
    ag_shader_define(shader, "N", pass->points);
    ag_shader_define(shader, "LOG", pass->log);
    ag_shader_define(shader, "AXIS", pass->axis);
    ag_shader_define(shader, "WEIGHTS", d->weights);
    ag_shader_define(shader, "READS_IMAG", reads_imag(d, pass));
    if (s.method == AG_FFT_LADDER_SHARED_RADIX2)
        ag_shader_define(shader, "DIRECT", !s.copied);
    if (pass->by->halves) {
        ag_shader_define(shader, "ROWS", pass->rows);
        ag_shader_define(shader, "GROUP", pass->rows * pass->points / 2);
        ag_shader_define(shader, "PAIRS", s.pairs);
        ag_shader_define(shader, "ORDERED", !s.scattered);
        ag_shader_define(shader, "TRANSPOSED", s.transposed);
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

static ag_handle weights_of(ag_frame *f, const ladder_design *d, const line_pass *pass)
{
    const weight_table t = {pass->points, pass->log, d->weights};
    const int32_t key[8] = {pass->points, d->weights};
    size_t count = (size_t)pass->points * (d->weights == AG_WEIGHTS_TABLE ? 1 : (size_t)pass->log);
    if (d->weights < AG_WEIGHTS_TABLE)
        return (ag_handle){0};
    return ag_shared_constants(f, "afterglow weights", key,
                               count * (d->weights == AG_WEIGHTS_LOOKUP ? 4 : 2), fill_weights, &t);
}

// Between the passes: pairs of real and imaginary parts.
typedef struct planes {
    ag_handle of[2][2];
} planes;

static planes planes_of(ag_frame *f, const ladder_design *d)
{
    static const char *const names[2][2] = {{"real plane 0", "imaginary plane 0"},
                                            {"real plane 1", "imaginary plane 1"}};
    bool across = settings_of(ag_frame_request(f)).transposed;
    planes own = {0};
    for (int32_t i = 0; i < 2 * d->pairs; ++i)
        own.of[i / 2][i % 2] = ag_own_memory(f, &(ag_own){.name = names[i / 2][i % 2],
                                                          .format = GL_RGBA32F,
                                                          .width = across ? d->height : d->width,
                                                          .height = across ? d->width : d->height});
    return own;
}

static void bind(const ladder_design *d, const line_pass *pass, const planes *own,
                 ag_dispatch *dispatch)
{
    // A butterfly of texture_radix2 stores one of its two results: it reads everything twice.
    uint64_t plane = 16 * (uint64_t)d->width * (uint64_t)d->height;
    uint64_t read = pass->by == &methods[AG_FFT_LADDER_TEXTURE_RADIX2] ? 2 * plane : plane;
    for (int imag = 0; imag < 2; ++imag) {
        ag_handle from =
            pass->from >= 0 ? own->of[pass->from][imag] : ag_slot(imag ? SRC_IMAG : SRC);
        ag_handle to = pass->to >= 0 ? own->of[pass->to][imag] : ag_slot(imag ? DST_IMAG : DST);
        dispatch->images[imag ? AG_IMAGE_DST_IMAG : AG_IMAGE_DST] =
            (ag_view){.of = to, .access = AG_WRITE};
        if (!imag || reads_imag(d, pass))
            dispatch->images[imag ? AG_IMAGE_SRC_IMAG : AG_IMAGE_SRC] =
                (ag_view){.of = from, .access = AG_READ, .bytes = read};
    }
}

// A factor of NumPy's: 1, 1 / n or 1 / sqrt(n) of the points that are transformed together.
static float scale_of(const ag_fft_ladder_settings *s, const ladder_design *d)
{
    double n = (s->axes == AG_FFT_Y ? 1.0 : d->width) * (s->axes == AG_FFT_X ? 1.0 : d->height);
    bool forward = s->direction == AG_FFT_FORWARD;
    if (s->norm == AG_FFT_NORM_ORTHO)
        return (float)(1 / sqrt(n));
    return (float)((s->norm == AG_FFT_NORM_FORWARD) == forward ? 1 / n : 1);
}

// Where two textures of the host begin; planes begin at 0.
static ag_uniform origins(int32_t location, bool host, const ag_texture *real,
                          const ag_texture *imag)
{
    return host ? (ag_uniform)AG_INTS(location, real->rect_x, real->rect_y, imag->rect_x,
                                      imag->rect_y)
                : (ag_uniform)AG_INTS(location, 0, 0, 0, 0);
}

static void frame(ag_frame *f)
{
    const ladder_design *d = ag_frame_design(f);
    const ag_fft_ladder_settings s = settings_of(ag_frame_request(f));
    const ag_texture *t = ag_frame_request(f)->slots;
    ag_frame_text(f, "fft_ladder: %dx%d by %s, %d dispatches, %d lines a group", d->width,
                  d->height, methods[s.method].name, d->passes, d->pass[0].rows);
    ag_handle info = ag_frame_info(f), weights = {0};
    planes own = planes_of(f, d);
    for (int32_t i = 0; i < d->passes; ++i) {
        const line_pass *pass = &d->pass[i];
        bool first = pass->from < 0, last = pass->to < 0;
        ag_shader *shader = shader_of(f, d, pass);
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_LADDER, pass->stage, s.direction, pass->lines, first && s.scrub),
            origins(AG_LOC_LADDER_IN, first, &t[SRC], &t[SRC_IMAG]),
            origins(AG_LOC_LADDER_OUT, last, &t[DST], &t[DST_IMAG]),
            AG_INTS(AG_LOC_EXTENT, d->width, d->height, 0, 0),
            AG_FLOATS(AG_LOC_TRANSFORM_SCALE, last ? scale_of(&s, d) : 1, 0, 0, 0),
        };
        if (pass->stage == 0) { // else: a further butterfly pass of the same lines
            weights = weights_of(f, d, pass);
            ag_frame_step(f, pass->step);
        }
        ag_dispatch dispatch = {.shader = shader,
                                .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                                .ranges[AG_SSBO_WEIGHTS] = ag_all(weights, AG_READ),
                                AG_UNIFORMS(uniforms),
                                .groups = {pass->groups[0], pass->groups[1], 1}};
        bind(d, pass, &own, &dispatch);
        ag_frame_dispatch(f, &dispatch);
    }
}

const ag_effect ag_effect_fft_ladder = {
    .info = AG_EFFECT_INFO("fft_ladder",
                           "the Fourier transforms of two documents as they describe them, to "
                           "compare with fft",
                           SLOTS, 0),
    .check = check,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(ladder_design),
};
