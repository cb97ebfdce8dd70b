// ocean.c - the effect "ocean": waves of the sea by inverse FFTs
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/fft/fft_shaders.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "shaders/ocean/interface.h"

#include <afterglow/ocean.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    DISPLACEMENT = AG_OCEAN_DISPLACEMENT,
    DERIVATIVES = AG_OCEAN_DERIVATIVES,
    JACOBIAN = AG_OCEAN_JACOBIAN,
    SLOTS
};
enum { MAX_CASCADES = 3 };

static const uint32_t four_floats[] = {GL_RGBA32F, GL_RGBA16F};
static const uint32_t one_float[] = {GL_R32F, GL_R16F};

static const ag_slot_info slots[SLOTS] = {
    AG_SLOT("displacement", "offset of the surface, metres", AG_WRITE, four_floats),
    AG_SLOT("derivatives", "slopes of the surface, and stretch of the offset", AG_WRITE,
            four_floats),
    AG_SLOT("jacobian", "area of the surface over that at rest: foam where it is small",
            AG_WRITE | AG_OPTIONAL, one_float),
};

AG_SETTINGS(ocean, OCEAN)
_Static_assert((int)most_cascades == MAX_CASCADES, "plans have room for so many");

static const double pi = 3.14159265358979323846;

static int32_t size_of(const ag_ocean_settings *s)
{
    return 32 << s->size;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    ag_ocean_settings s = settings_of(request);
    (void)slot;
    size[0] = size[1] = size_of(&s);
    size[2] = s.cascades;
}

static ag_status check_slot(const ag_host *host, const ag_request *request, int slot)
{
    const ag_texture *t = &request->slots[slot], *first = &request->slots[DISPLACEMENT];
    ag_ocean_settings s = settings_of(request);
    int32_t n = size_of(&s);
    if (t->rect_width != n || t->rect_height != n || t->layers != s.cascades)
        return ag_fail(host, AG_E_SIZE,
                       "ocean: %s has a rectangle of %dx%d and %d layers; settings size and "
                       "cascades want %dx%d and %d",
                       slots[slot].name, t->rect_width, t->rect_height, t->layers, n, n,
                       s.cascades);
    if (t->target != first->target)
        return ag_fail(host, AG_E_ARG,
                       "ocean: %s has target 0x%04X and displacement 0x%04X; they must be equal",
                       slots[slot].name, t->target, first->target);
    if (request->formats[slot]->store != request->formats[DISPLACEMENT]->store)
        return ag_fail(host, AG_E_FORMAT,
                       "ocean: %s is %s and displacement %s; both must have 32 bits or both 16",
                       slots[slot].name, request->formats[slot]->text,
                       request->formats[DISPLACEMENT]->text);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    ag_ocean_settings s = settings_of(request);
    for (int i = 0; i < SLOTS; ++i)
        if (request->formats[i])
            AG_TRY(check_slot(host, request, i));
    for (int i = 1; i < s.cascades; ++i)
        if (!(s.lengths[i] < s.lengths[i - 1]))
            return ag_fail(host, AG_E_ARG,
                           "ocean: lengths[%d] is %g and lengths[%d] is %g; each must be less "
                           "than the one before",
                           i, (double)s.lengths[i], i - 1, (double)s.lengths[i - 1]);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

typedef struct ocean_design {
    ag_fft_line rows, columns;
    int32_t size, cascades;
    int32_t together;       // cascades of a dispatch
    uint64_t cascade_bytes; // of scratch
} ocean_design;

// Lines of `size` points, so many a group if its threads and memory allow.
static bool plan_lines(int32_t size, int32_t lines, int32_t max_invocations, ag_fft_line *line)
{
    if (!ag_fft_plan_line(size, false, max_invocations, line))
        return false;
    line->lines = lines;
    while (line->lines > 1 && line->threads * line->lines > 512)
        line->lines /= 2;
    line->split = line->lines * line->length > 2048;
    return ag_fft_plan_shared(line);
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    ag_ocean_settings s = settings_of(request);
    int32_t size = size_of(&s);
    int64_t cascade = (int64_t)size * size * 8 * AG_OCEAN_FIELDS;
    int64_t modes = (int64_t)size * size * 16 * s.cascades;
    AG_TRY(ag_check_block(host, gl, request, DISPLACEMENT, ag_max64(cascade, modes)));
    ocean_design *d = out;
    *d = (ocean_design){.size = size,
                        .cascades = s.cascades,
                        .together = cascade * s.cascades <= gl->max_ssbo_bytes ? s.cascades : 1,
                        .cascade_bytes = (uint64_t)cascade};
    // Rows: some warps a group. Columns: as many as a run of the rows' results, so that a group
    // reads whole runs.
    if (!plan_lines(size, size < 256 ? 4 : 1, gl->max_invocations, &d->rows) ||
        !plan_lines(size, AG_FFT_TILE, gl->max_invocations, &d->columns))
        return ag_fail(host, AG_E_SIZE, "ocean: size %d needs more than %d threads a group", size,
                       gl->max_invocations);
    return AG_OK;
}

// ---- the wave spectrum: what depends on the length of a wave -----------------------------------
//
// In double, because the turns of a period are whole numbers, and a mode whose number is rounded
// another way is another wave. docs/ocean.md 2 has the formulas and their sources.

static const double gravity = 9.81, tension = 7.4e-5;

typedef struct ocean_wave { // struct wave of shaders/ocean/modes.comp
    float amplitude;        // sqrt(P / D), metres; 0: in the ring of another cascade
    float exponent;         // s of the spreading Q(s) cos^2s(angle / 2)
    float factor;           // Q(s)
    uint32_t loops;         // turns in a period
} ocean_wave;

// Of a sea. All zero but depth: no waves.
typedef struct sea {
    double depth, peak;      // metres; rad/s, of the greatest S
    double swell, sharpness; // sharpness: how Hasselmann's spreading falls off above the peak
    double alpha, decay;     // S = alpha g^2 w^-5 exp(-decay (peak/w)^4) ...
    double gamma;            // .. gamma^exp(..); 1: without
    bool shallow;            // S has the factor of depth
} sea;

static sea sea_of(const ag_ocean_settings *s)
{
    double wind = (double)s->wind_speed;
    sea out = {.depth = (double)s->depth, .swell = (double)s->swell, .gamma = 1};
    if (wind < 1e-3)
        return out;
    if (s->spectrum == AG_OCEAN_PIERSON_MOSKOWITZ) {
        out.peak = 0.877 * gravity / wind;
        out.alpha = 8.1e-3;
        out.decay = 0.74 * pow(gravity / (wind * out.peak), 4);
    } else {
        // A sea does not grow beyond that of a fetch of 1e4 U^2/g.
        double fetch = fmin(gravity * (double)s->fetch / (wind * wind), 1e4);
        out.peak = 22 * gravity / wind * pow(fetch, -1.0 / 3);
        out.alpha = 0.076 * pow(fetch, -0.22);
        out.decay = 1.25;
        out.gamma = (double)s->gamma;
        out.shallow = true;
    }
    out.sharpness = wind * out.peak / gravity;
    return out;
}

typedef struct dispersion {
    double frequency, speed; // w; dw/dk, the group's
    double kh;               // at most 20: deeper water is as if it had no bottom
} dispersion;

static dispersion disperse(const sea *s, double k)
{
    bool deep = k * s->depth >= 20;
    double kh = deep ? 20 : k * s->depth, t = deep ? 1 : tanh(kh), c = deep ? 0 : 1 / cosh(kh);
    double stiff = gravity * k + tension * k * k * k;
    dispersion d = {.frequency = sqrt(stiff * t), .kh = kh};
    d.speed = ((gravity + 3 * tension * k * k) * t + s->depth * stiff * c * c) / (2 * d.frequency);
    return d;
}

// S(w) dw/dk / k: variance per area of wave numbers, all directions together.
static double density(const sea *s, double k)
{
    if (s->alpha == 0 || k == 0)
        return 0;
    dispersion d = disperse(s, k);
    double w = d.frequency, x = s->peak / w;
    double value =
        s->alpha * gravity * gravity / (w * w * w * w * w) * exp(-s->decay * x * x * x * x);
    if (s->gamma != 1) {
        double width = w <= s->peak ? 0.07 : 0.09, off = (w - s->peak) / (width * s->peak);
        value *= pow(s->gamma, exp(-off * off / 2));
    }
    if (s->shallow && d.kh < 20) {
        double t = tanh(d.kh);
        value *= t * t / (1 + 2 * d.kh / sinh(2 * d.kh));
    }
    return value * d.speed / k;
}

// s of cos^2s: Hasselmann et al. 1980; swell: Horvath 2015.
static double spread_exponent(const sea *s, double w)
{
    double x = w / s->peak;
    double wind = x < 1 ? 6.97 * pow(x, 4.06) : 9.77 * pow(x, -2.33 - 1.45 * (s->sharpness - 1.17));
    return wind + 16 * tanh(1 / x) * s->swell * s->swell;
}

// Q(s) = Gamma(s + 1) / (2 sqrt(pi) Gamma(s + 1/2)): by the ratio's series from 16 on, and downward
// from there.
static double spread_factor(double s)
{
    double steps = 1;
    for (; s < 16; s += 1)
        steps *= (s + 0.5) / (s + 1);
    double series = 1 + (1 / 8.0 + (1 / 128.0 - (5 / 1024.0 + 21 / 32768.0 / s) / s) / s) / s;
    return steps * sqrt(s) * series / (2 * sqrt(pi));
}

// The mean density over the cell of a mode. Near the peak of a small patch the centre alone is off
// by some per cent.
enum { FINE_MODES = 16, CUTS = 8 };

static double cell_density(const sea *s, int32_t n, int32_t m, double step)
{
    if (n > FINE_MODES || m > FINE_MODES)
        return density(s, step * hypot(n, m));
    double sum = 0;
    for (int32_t i = 0; i < CUTS * CUTS; ++i) {
        double x = n + (i % CUTS + 0.5) / CUTS - 0.5, y = m + (i / CUTS + 0.5) / CUTS - 0.5;
        sum += density(s, step * hypot(x, y));
    }
    return sum / (CUTS * CUTS);
}

// The wave number where a cascade's ring begins: 6.5 waves a patch, but at most about half of what
// the patch before can hold, which is four texels a wave. The halves keep modes off the edge, where
// rounding would decide.
static double ring_start(const ag_ocean_settings *s, int32_t size, int32_t cascade)
{
    if (cascade == 0)
        return 0;
    if (cascade == s->cascades)
        return INFINITY;
    double own = 6.5 / (double)s->lengths[cascade];
    return 2 * pi * fmin(own, (size / 4 - 0.5) / (double)s->lengths[cascade - 1]);
}

static ocean_wave wave_of(const sea *s, const ag_ocean_settings *o, int32_t n, int32_t m,
                          double step)
{
    double k = step * hypot(n, m), w = disperse(s, k).frequency;
    double exponent = spread_exponent(s, w);
    return (ocean_wave){
        .amplitude = (float)sqrt(cell_density(s, n, m, step) * step * step),
        .exponent = (float)exponent,
        .factor = (float)spread_factor(exponent),
        .loops = (uint32_t)fmin(floor(w * (double)o->period / (2 * pi) + 0.5), 4294967295.0),
    };
}

// Fills (size / 2 + 1)^2 waves of a cascade: that of mode (n, m) at m * (size / 2 + 1) + n.
static void cascade_waves(const ag_ocean_settings *o, int32_t size, int32_t cascade,
                          ocean_wave *waves)
{
    sea s = sea_of(o);
    double step = 2 * pi / (double)o->lengths[cascade];
    double low = ring_start(o, size, cascade), high = ring_start(o, size, cascade + 1);
    int32_t half = size / 2, across = half + 1;
    for (int32_t m = 0; m <= half; ++m)
        for (int32_t n = 0; n <= m; ++n) { // the other half of the square is the same
            double k = step * hypot(n, m);
            ocean_wave wave = {0};
            // Row and column of N / 2 have no opposite: their derivatives would not be real.
            if (m < half && m > 0 && s.alpha > 0 && k >= low && k < high)
                wave = wave_of(&s, o, n, m, step);
            waves[m * across + n] = waves[n * across + m] = wave;
        }
}

// ---- the sea at time 0, in a prepare -----------------------------------------------------------

typedef struct sea_memory { // modes: amplitudes of waves; loops: their turns in a period
    ag_handle modes, loops;
} sea_memory;

static sea_memory memory_of(ag_frame *f, const ocean_design *d)
{
    uint64_t texels = (uint64_t)d->size * (uint64_t)d->size * (uint64_t)d->cascades;
    ag_handle modes = ag_own_memory(f, &(ag_own){.name = "modes", .bytes = 16 * texels});
    return (sea_memory){modes, ag_own_memory(f, &(ag_own){.name = "loops", .bytes = 4 * texels})};
}

// What depends on the length of waves.
static void fill_waves(const void *context, void *bytes)
{
    const ag_ocean_settings *s = context;
    int32_t across = size_of(s) / 2 + 1;
    for (int32_t c = 0; c < s->cascades; ++c)
        cascade_waves(s, size_of(s), c, (ocean_wave *)bytes + c * across * across);
}

// A coordinate of the wind's direction; exactly 0 where it is so, because waves of a patch may go
// exactly against the wind.
static float coordinate(double value)
{
    return fabs(value) < 1e-12 ? 0 : (float)value;
}

static void make(ag_frame *f)
{
    const ocean_design *d = ag_frame_design(f);
    ag_ocean_settings s = settings_of(ag_frame_request(f));
    s.time = s.choppiness = 0; // these may change from frame to frame
    ag_shader *shader = ag_frame_shader(f, "ocean/modes.comp");
    if (ag_frame_is_made(f, &s, sizeof s))
        return;
    uint64_t across = (uint64_t)d->size / 2 + 1;
    ag_handle waves = ag_own_memory(f, &(ag_own){.name = "waves",
                                                 .bytes = across * across * (uint64_t)d->cascades *
                                                          sizeof(ocean_wave),
                                                 .fill = fill_waves,
                                                 .context = &s,
                                                 .key = &s,
                                                 .key_bytes = sizeof s,
                                                 .temporary = true});
    sea_memory kept = memory_of(f, d);
    double angle = (double)s.wind_direction * pi / 180;
    const ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_OCEAN, d->size, 0, 0, s.seed),
        AG_FLOATS(AG_LOC_WIND, coordinate(cos(angle)), coordinate(sin(angle)), s.directionality,
                  (1 - s.directionality) / (2 * 3.14159265f)),
    };
    ag_frame_step(f, "modes");
    ag_frame_dispatch(f, &(ag_dispatch){.shader = shader,
                                        .ranges[AG_SSBO_WAVES] = ag_all(waves, AG_READ),
                                        .ranges[AG_SSBO_MODES] = ag_all(kept.modes, AG_WRITE),
                                        .ranges[AG_SSBO_LOOPS] = ag_all(kept.loops, AG_WRITE),
                                        AG_UNIFORMS(uniforms),
                                        .groups = {ag_groups(d->size, 32), (uint32_t)d->size,
                                                   (uint32_t)d->cascades}});
}

// ---- frame -------------------------------------------------------------------------------------

// The clock, of 2^32 a period: the same bits at t and t + period.
static int32_t clock_of(const ag_ocean_settings *s)
{
    double period = (double)s->period, turn = fmod((double)s->time, period) / period;
    turn -= floor(turn);
    uint32_t clock = (uint32_t)((uint64_t)floor(turn * 4294967296.0 + 0.5) & 0xffffffffu);
    int32_t bits;
    memcpy(&bits, &clock, sizeof bits);
    return bits;
}

// The cascades of a dispatch.
static ag_block cascades_from(const ocean_design *d, int32_t first, ag_handle of, uint32_t access)
{
    return ag_block_of(of, access, d->cascade_bytes * (uint64_t)first,
                       d->cascade_bytes * (uint64_t)d->together);
}

static void frame(ag_frame *f)
{
    const ocean_design *d = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    const ag_ocean_settings s = settings_of(request);
    const bool array = request->slots[DISPLACEMENT].target == GL_TEXTURE_2D_ARRAY;
    ag_frame_text(f, "fft: %d cascades of %dx%d, %d a dispatch", d->cascades, d->size, d->size,
                  d->together);
    ag_lines_say(f, &d->rows, &d->columns);

    ag_shader *rows = ag_line_shader(f, "ocean/waves.comp", &d->rows, AG_LINE_INVERSE);
    ag_shader_define(rows, "AXIS", 0);
    ag_shader *columns = ag_line_shader(f, "ocean/waves.comp", &d->columns, AG_LINE_INVERSE);
    ag_shader_define(columns, "AXIS", 1);
    ag_shader_define(columns, "STORE", request->formats[DISPLACEMENT]->store);
    ag_shader_define(columns, "ARRAY", array);

    ag_handle twiddles = ag_frame_twiddles(f, &d->rows);
    sea_memory kept = memory_of(f, d);
    ag_handle half = ag_scratch(f, "rows", d->cascade_bytes * (uint64_t)d->cascades);

    float step[3];
    for (int i = 0; i < 3; ++i)
        step[i] = (float)(2 * pi / (double)s.lengths[i]);
    ag_uniform uniforms[2 + SLOTS] = {
        AG_INTS(AG_LOC_OCEAN, d->size, 0, clock_of(&s), 0),
        AG_FLOATS(AG_LOC_STEPS, step[0], step[1], step[2], s.choppiness),
    };
    ag_frame_step(f, "rows");
    for (int32_t c = 0; c < d->cascades; c += d->together) {
        uniforms[0].value.i[1] = c;
        ag_frame_dispatch(f, &(ag_dispatch){.shader = rows,
                                            .ranges[AG_SSBO_MODES] = ag_all(kept.modes, AG_READ),
                                            .ranges[AG_SSBO_LOOPS] = ag_all(kept.loops, AG_READ),
                                            .ranges[AG_SSBO_SPECTRUM] =
                                                cascades_from(d, c, half, AG_WRITE),
                                            .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddles, AG_READ),
                                            .uniforms = uniforms,
                                            .uniform_count = 2,
                                            .groups = {ag_groups(d->size, d->rows.lines),
                                                       (uint32_t)d->together, 1}});
    }

    static const int units[SLOTS] = {AG_IMAGE_DISPLACEMENT, AG_IMAGE_DERIVATIVES,
                                     AG_IMAGE_JACOBIAN};
    ag_dispatch dispatch = {.shader = columns,
                            .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddles, AG_READ),
                            AG_UNIFORMS(uniforms),
                            .groups = {ag_groups(d->size, d->columns.lines), (uint32_t)d->together,
                                       1}};
    for (int i = 0; i < SLOTS; ++i) {
        const ag_texture *t = &request->slots[i];
        if (request->formats[i])
            dispatch.images[units[i]] =
                (ag_view){.of = ag_slot(i), .access = AG_WRITE, .layered = array};
        uniforms[2 + i] =
            (ag_uniform)AG_INTS(AG_LOC_PLACES + i, t->rect_x, t->rect_y, t->first_layer,
                                i == DISPLACEMENT && request->formats[JACOBIAN]);
    }
    ag_frame_step(f, "columns");
    for (int32_t c = 0; c < d->cascades; c += d->together) {
        uniforms[0].value.i[1] = c;
        dispatch.ranges[AG_SSBO_SPECTRUM] = cascades_from(d, c, half, AG_READ);
        ag_frame_dispatch(f, &dispatch);
    }
}

const ag_effect ag_effect_ocean = {
    .info = AG_EFFECT_INFO("ocean",
                           "waves of the sea: displacement, slopes and foam of a surface, by FFT",
                           AG_IMAGE_COUNT, 0),
    .check = check,
    .size = size_of_slot,
    .design = design,
    .make = make,
    .frame = frame,
    .design_bytes = sizeof(ocean_design),
};
