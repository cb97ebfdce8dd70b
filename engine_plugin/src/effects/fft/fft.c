// fft.c - the effect "fft": the discrete Fourier transform of an image, and its inverse
// SPDX-License-Identifier: MIT
//
// A transform is a list of passes over lines, along one axis and then along the other. A pass reads
// the host's textures or cells of scratch, and writes either.
//
//   tiled       textures -> lines along x -> cells -> lines along y -> textures
//   multipass   each axis in two passes: parts of lines, through two buffers of cells
//   Bluestein   other lengths than 2^a 3^b 5^c 7^d: within one pass, or in four of multipass
#include "base/log.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/fft/fft_shaders.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface.h"

#include <afterglow/fft.h>
#include <math.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_FFT_SRC,
    DST = AG_FFT_DST,
    SRC_IMAG = AG_FFT_SRC_IMAG,
    DST_IMAG = AG_FFT_DST_IMAG,
    SLOTS
};

static const uint32_t float_formats[] = {GL_R16F, GL_RG16F, GL_RGBA16F,
                                         GL_R32F, GL_RG32F, GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the input's real part", AG_READ),
    [DST] = AG_COLOUR_SLOT("dst", "the output's real part", AG_WRITE),
    [SRC_IMAG] = AG_SLOT("src_imag", "the input's imaginary part; empty: the input is real",
                         AG_READ | AG_OPTIONAL, float_formats),
    [DST_IMAG] =
        AG_SLOT("dst_imag", "the output's imaginary part; empty: only the real part is stored",
                AG_WRITE | AG_OPTIONAL, float_formats),
};

AG_SETTINGS(fft, FFT)

// ---- check -------------------------------------------------------------------------------------

typedef struct sides {           // what the settings say of both
    bool inverse, half, half_in; // half_in: the input is half a spectrum
    int axis;                    // that half a spectrum halves
    int image, spectrum;         // slots
} sides;

static sides sides_of(const ag_request *request)
{
    const ag_fft_settings s = settings_of(request);
    bool inverse = s.direction == AG_FFT_INVERSE, half = s.spectrum == AG_FFT_HALF;
    return (sides){.inverse = inverse,
                   .half = half,
                   .half_in = half && inverse,
                   .axis = s.axes == AG_FFT_Y,
                   .image = inverse ? DST : SRC,
                   .spectrum = inverse ? SRC : DST};
}

static int imaginary(int slot)
{
    return slot == SRC ? SRC_IMAG : DST_IMAG;
}

// The sizes of src and dst; of the two, dst knows the parity of a line that half a spectrum gives.
static ag_status check_sizes(const ag_host *host, const ag_request *request)
{
    const sides v = sides_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const int32_t in[2] = {src->rect_width, src->rect_height};
    const int32_t out[2] = {dst->rect_width, dst->rect_height};
    int32_t want[2] = {in[0], in[1]}, axis = v.axis;
    if (v.half && !v.inverse)
        want[axis] = in[axis] / 2 + 1;
    if (v.half_in && (out[axis] / 2 + 1 != in[axis] || out[!axis] != in[!axis]))
        return ag_fail(host, AG_E_SIZE,
                       "fft: dst's rectangle is %dx%d, src's %dx%d with half a spectrum; dst "
                       "must have %d or %d %s, and as many %s as src",
                       out[0], out[1], in[0], in[1], 2 * in[axis] - 2, 2 * in[axis] - 1,
                       axis ? "rows" : "columns", axis ? "columns" : "rows");
    if (!v.half_in && (out[0] != want[0] || out[1] != want[1]))
        return ag_fail(host, AG_E_SIZE,
                       "fft: dst's rectangle is %dx%d, src's %dx%d; it must be "
                       "%dx%d",
                       out[0], out[1], in[0], in[1], want[0], want[1]);
    AG_TRY(ag_check_same_rect(host, request, SRC_IMAG, SRC));
    return ag_check_same_rect(host, request, DST_IMAG, DST);
}

static int32_t channels_of(const ag_request *request)
{
    int32_t in = request->formats[SRC]->channels, out = request->formats[DST]->channels;
    return settings_of(request).packing == AG_FFT_RGBA_RG ? 3 : ag_min(in, out);
}

// packing rgba_rg: which slots hold the spectrum, and their channels.
static ag_status check_packing(const ag_host *host, const ag_request *request)
{
    const sides v = sides_of(request);
    const ag_format *const *formats = request->formats;
    int first = v.spectrum, second = imaginary(v.spectrum), real = v.image;
    if (!formats[second])
        return ag_fail(host, AG_E_ARG, "fft: slot %s is empty; packing rgba_rg needs it",
                       slots[second].name);
    if (formats[imaginary(real)])
        return ag_fail(host, AG_E_ARG,
                       "fft: slot %s is set; with packing rgba_rg the side that "
                       "is no spectrum is real, so leave it empty",
                       slots[imaginary(real)].name);
    if (formats[first]->channels != 4 || formats[second]->channels != 2 ||
        formats[real]->channels < 3)
        return ag_fail(host, AG_E_FORMAT,
                       "fft: packing rgba_rg takes a texture of 4 channels in "
                       "%s, of 2 in %s and of 3 or 4 in %s; they have %d, %d and %d",
                       slots[first].name, slots[second].name, slots[real].name,
                       formats[first]->channels, formats[second]->channels,
                       formats[real]->channels);
    return AG_OK;
}

static ag_status check_slots(const ag_host *host, const ag_request *request)
{
    const sides v = sides_of(request);
    int unused = imaginary(v.image);
    if (v.half && request->formats[unused])
        return ag_fail(host, AG_E_ARG, "fft: slot %s is set; %s, so leave it empty",
                       slots[unused].name,
                       v.inverse ? "the inverse of half a spectrum is real"
                                 : "spectrum half is that of a real input");
    if (settings_of(request).packing == AG_FFT_RGBA_RG)
        return check_packing(host, request);
    int32_t channels = channels_of(request);
    for (uint32_t i = SRC_IMAG; i <= DST_IMAG; ++i)
        if (request->formats[i] && request->formats[i]->channels < channels)
            return ag_fail(host, AG_E_FORMAT,
                           "fft: slot %s has %d channels; %d are transformed, "
                           "and it must have as many or more",
                           slots[i].name, request->formats[i]->channels, channels);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    AG_TRY(check_slots(host, request));
    AG_TRY(check_sizes(host, request));
    for (int i = DST; i < SLOTS; ++i)
        AG_TRY(ag_check_same_layers(host, request, i, SRC));
    return AG_OK;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const sides v = sides_of(request);
    (void)slot;
    ag_size_like(&request->slots[SRC], size);
    if (v.half_in)
        size[v.axis] = ag_max(2 * (size[v.axis] - 1), 1);
    else if (v.half)
        size[v.axis] = size[v.axis] / 2 + 1;
}

// ---- plan --------------------------------------------------------------------------------------

enum {
    MAX_SIZE = 16384, // texels of an axis
    MAX_PASSES = 8
};

typedef enum lines_kind {
    LINES_WHOLE = AG_LINES_WHOLE,
    LINES_CHIRP = AG_LINES_CHIRP,
    LINES_PART = AG_LINES_PART,
    LINES_SPREAD // whole, with threads for each channel, which line.lines counts, too
} lines_kind;

typedef struct line_pass {
    lines_kind kind;
    int32_t axis; // 0: lines along x, 1: along y
    ag_fft_line line;
    int32_t lines;    // of the dispatch, parts included
    int32_t grouped;  // of them, in a work group
    int32_t length;   // of the axis
    int32_t points;   // of the whole transform: length, or more for Bluestein's
    int32_t parts;    // lines that make one; 1: whole
    bool second;      // of two parts
    int32_t does;     // AG_PART_*
    int32_t kept;     // positions of a line that cells keep
    int32_t from, to; // buffer of cells 0 or 1; -1: textures
    bool half_in;     // the line is read from a half spectrum
    const char *name;
} line_pass;

typedef struct transform {
    // Of what is transformed: of the image, not of half a spectrum.
    int32_t width, height;
    int32_t channels;      // 1 .. 4
    int32_t axes, method;  // as the settings have them
    bool hermitian;        // real input: columns behind width / 2 are mirror images
    bool half_in;          // the input is half a spectrum
    int32_t spread_points; // lines to so many points have a thread a channel
    int32_t max_invocations;
    line_pass pass[MAX_PASSES];
    int32_t passes;
    int32_t columns, rows; // of the cells
    int64_t cell_bytes;    // of one buffer of cells, of one layer
    int32_t buffers;       // 0 .. 2
} transform;

// Cells are in tiles of so many columns (shaders/fft/lines.glsl).
enum { CELL_TILE = 4 };

typedef struct axis_plan { // how the lines of an axis are transformed
    int32_t length, points;
    bool chirp;
    int32_t parts;       // 1 or 2
    ag_fft_line line[2]; // of the parts
} axis_plan;

static bool plan_line(const transform *r, int32_t length, ag_fft_line *line)
{
    return ag_fft_plan_texels(length, r->channels, r->max_invocations, line);
}

// Two factors of `points`, as equal as they can be.
static bool split_line(const transform *r, int32_t points, ag_fft_line line[2])
{
    int32_t root = 1;
    while ((int64_t)(root + 1) * (root + 1) <= points)
        ++root;
    for (int32_t first = root; first > 1; --first)
        if (points % first == 0 && plan_line(r, first, &line[0]) &&
            plan_line(r, points / first, &line[1]))
            return true;
    return false;
}

// Points of a convolution of at least `least`, as a whole line. 0: there is none.
static int32_t whole_points(const transform *r, int32_t least)
{
    ag_fft_line line;
    for (int32_t points = least; points <= AG_FFT_MAX_LENGTH;) {
        points = ag_fft_good_length(points, false, r->max_invocations);
        if (!points || plan_line(r, points, &line))
            return points;
        ++points;
    }
    return 0;
}

// The same in two parts: a power of two times a length of few stages.
static int32_t split_points(const transform *r, int32_t least)
{
    int32_t first = 2;
    while (first * first < least)
        first *= 2;
    return first *
           ag_fft_good_length(ag_max(ag_div_up(least, first), 2), false, r->max_invocations);
}

static bool plan_axis(const transform *r, int32_t length, axis_plan *axis)
{
    bool multipass = r->method == AG_FFT_MULTIPASS;
    int32_t least = ag_max(2 * length - 1, 2);
    *axis = (axis_plan){.length = length, .points = length, .parts = 1};
    if (!multipass && plan_line(r, length, &axis->line[0]))
        return true;
    if (!multipass && !(length > AG_FFT_MAX_LENGTH && split_line(r, length, axis->line))) {
        axis->points = whole_points(r, least);
        axis->chirp = axis->points > 0;
        if (axis->chirp)
            return plan_line(r, axis->points, &axis->line[0]);
    }
    if (r->method == AG_FFT_TILED)
        return false;
    axis->parts = 2;
    axis->points = length;
    if (split_line(r, length, axis->line))
        return true;
    axis->chirp = true;
    axis->points = split_points(r, least);
    return split_line(r, axis->points, axis->line);
}

// The passes of an axis: one or two, or of a chirp in parts four.
static void add_axis(transform *p, const axis_plan *axis, int32_t which, int32_t across)
{
    static const char *const names[2][4] = {{"rows", "rows 2", "rows 3", "rows 4"},
                                            {"columns", "columns 2", "columns 3", "columns 4"}};
    static const int32_t smooth[2] = {AG_PART_TWIDDLE, 0};
    static const int32_t chirp[4] = {AG_PART_CHIRP_IN | AG_PART_TWIDDLE, AG_PART_PRODUCT,
                                     AG_PART_TWIDDLE, AG_PART_CHIRP_OUT};
    int32_t count = axis->parts == 1 ? 1 : axis->chirp ? 4 : 2;
    for (int32_t i = 0; i < count; ++i) {
        const ag_fft_line *line = &axis->line[axis->parts == 1 ? 0 : i % 2];
        int32_t parts = axis->parts == 1 ? 1 : axis->points / line->length;
        p->pass[p->passes++] = (line_pass){.kind = axis->parts > 1 ? LINES_PART
                                                   : axis->chirp   ? LINES_CHIRP
                                                                   : LINES_WHOLE,
                                           .axis = which,
                                           .line = *line,
                                           .lines = across * parts,
                                           .grouped = line->lines,
                                           .length = axis->length,
                                           .points = axis->points,
                                           .parts = parts,
                                           .second = i % 2,
                                           .does = axis->parts == 1 ? 0
                                                   : axis->chirp    ? chirp[i]
                                                                    : smooth[i],
                                           .kept = i == count - 1 ? axis->length : axis->points,
                                           .name = names[which][i]};
    }
}

// Which buffer of cells each pass reads and writes.
static void add_cells(transform *p, const axis_plan lines[2], int32_t kept_columns)
{
    int32_t at = -1;
    for (int32_t i = 0; i < p->passes; ++i) {
        p->pass[i].from = at;
        at = i == p->passes - 1 ? -1 : at == 0;
        p->pass[i].to = at;
        p->buffers = ag_max(p->buffers, at + 1);
    }
    bool long_x = lines[0].parts > 1, long_y = lines[1].parts > 1;
    p->columns = long_x && lines[0].points > kept_columns ? lines[0].points : kept_columns;
    p->rows = long_y && lines[1].points > p->height ? lines[1].points : p->height;
    p->cell_bytes =
        (int64_t)ag_div_up(p->columns, CELL_TILE) * CELL_TILE * p->rows * 8 * p->channels;
}

// Passes between textures and cells whose lines are short get threads for each channel: there are
// so few lines then that a GPU waits for them (docs/fft.md, 2).
static void spread_passes(transform *p)
{
    for (int32_t i = 0; i < p->passes; ++i) {
        line_pass *pass = &p->pass[i];
        bool in = pass->from < 0;
        if (pass->kind != LINES_WHOLE || in == (pass->to < 0) || p->channels < 2 ||
            pass->length > p->spread_points ||
            !ag_fft_plan_spread(pass->length, p->channels, p->max_invocations, &pass->line))
            continue;
        pass->kind = LINES_SPREAD;
        pass->grouped = pass->line.lines / p->channels;
    }
}

// Refuses sizes that no line has. errors  AG_E_SIZE
static ag_status plan_passes(const ag_host *host, transform *p)
{
    const int32_t sizes[2] = {p->width, p->height};
    axis_plan lines[2] = {{.parts = 1}, {.parts = 1}};
    bool both = p->axes == AG_FFT_BOTH, half = p->hermitian || p->half_in;
    for (int i = 0; i < 2; ++i)
        if ((both || p->axes == AG_FFT_X + i) && !plan_axis(p, sizes[i], &lines[i]))
            return ag_fail(host, AG_E_SIZE,
                           "fft: %d %s; method tiled transforms up to %d of the form "
                           "2^a 3^b 5^c 7^d and up to %d others",
                           sizes[i], i ? "rows" : "columns", AG_FFT_MAX_LENGTH,
                           AG_FFT_MAX_LENGTH / 2);
    int32_t kept = both && half ? p->width / 2 + 1 : p->width;
    // A half spectrum is transformed along y first: irfft2 reads whole columns of it.
    int32_t first = (both && p->half_in) || p->axes == AG_FFT_Y;
    for (int32_t i = 0; i < (both ? 2 : 1); ++i) {
        int32_t axis = i ? !first : first;
        add_axis(p, &lines[axis], axis, axis ? kept : p->height);
        p->pass[p->passes - 1].kept = axis ? p->height : kept;
    }
    add_cells(p, lines, kept);
    spread_passes(p);
    for (int32_t i = 0; i < p->passes; ++i) // the half axis is x of both, else the only one
        p->pass[i].half_in = p->half_in && (both ? p->pass[i].axis == 0 : true) &&
                             (i == 0 || p->pass[i].axis != p->pass[i - 1].axis);
    return AG_OK;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_fft_settings s = settings_of(request);
    const sides v = sides_of(request);
    // The side that is no half spectrum.
    const ag_texture *image = &request->slots[v.half_in ? DST : SRC];
    transform *p = out;
    *p = (transform){.width = image->rect_width,
                     .height = image->rect_height,
                     .channels = channels_of(request),
                     .axes = s.axes,
                     .method = s.method,
                     .hermitian = !request->formats[SRC_IMAG] && !v.half_in,
                     .half_in = v.half_in,
                     .spread_points = ag_tuned(&request->tuning, &request->tuning.spread_points),
                     .max_invocations = gl->max_invocations};
    AG_TRY(ag_units_check(host, gl, SLOTS, "fft", "its four slots"));
    AG_TRY(ag_check_limit(host, request, v.half_in ? DST : SRC, MAX_SIZE));
    AG_TRY(plan_passes(host, p));
    p->cell_bytes = ag_align_up(p->cell_bytes, gl->ssbo_alignment);
    return p->buffers ? ag_check_block(host, gl, request, v.half_in ? DST : SRC, p->cell_bytes)
                      : AG_OK;
}

static void describe(ag_frame *f, const transform *p)
{
    char line[128];
    if (!ag_frame_is_planned(f))
        return;
    ag_frame_text(f, "fft: %dx%d, %d channels", p->width, p->height, p->channels);
    for (int32_t i = 0; i < p->passes; ++i) {
        const line_pass *pass = &p->pass[i];
        ag_fft_describe(&pass->line, line, sizeof line);
        ag_frame_text(f, "; %s%s %s%s", pass->name,
                      pass->points != pass->length ? " (Bluestein)" : "", line,
                      pass->kind == LINES_SPREAD ? ", a channel each" : "");
    }
}

// ---- constants of an axis: the chirp of Bluestein's transform and its spectrum; twiddles --------

static const double PI = 3.14159265358979323846264338327950288;

typedef struct complex_number {
    double re, im;
} complex_number;

// exp(-2 pi i part / whole), 0 <= part < whole
static complex_number root(int64_t part, int64_t whole)
{
    double angle = -2 * PI * (double)part / (double)whole;
    return (complex_number){cos(angle), sin(angle)};
}

// exp(-pi i n n / length)
static complex_number chirp_at(int64_t n, int64_t length)
{
    return root(n * n % (2 * length), 2 * length);
}

static complex_number product(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// The transform of n values `stride` apart into `out`, with the smallest factor of n first (Cooley
// and Tukey 1965). roots[i] = exp(-2 pi i / n) of the whole transform, which `step` times n is.
static void transform_values(const complex_number *in, int32_t n, int32_t stride,
                             complex_number *out, const complex_number *roots, int32_t step)
{
    int32_t radix = 2;
    while (n % radix && radix < n)
        ++radix;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    int32_t m = n / radix;
    for (int32_t r = 0; r < radix; ++r)
        transform_values(in + (size_t)r * (size_t)stride, m, stride * radix, out + r * m, roots,
                         step * radix);
    for (int32_t k = 0; k < m; ++k) {
        complex_number part[7];
        for (int32_t r = 0; r < radix; ++r)
            part[r] = product(out[r * m + k], roots[(int64_t)r * k % n * step]);
        for (int32_t q = 0; q < radix; ++q) {
            complex_number sum = {0, 0};
            for (int32_t r = 0; r < radix; ++r) {
                complex_number term = product(part[r], roots[(int64_t)r * q % radix * m * step]);
                sum.re += term.re;
                sum.im += term.im;
            }
            out[q * m + k] = sum;
        }
    }
}

typedef struct factors { // places in b_factors of shaders/fft/lines.comp, in complex values
    int32_t chirp, product, twiddle, count;
} factors;

static factors factors_of(const line_pass *pass)
{
    bool chirp = pass->points != pass->length || pass->kind == LINES_CHIRP;
    factors f = {0};
    if (chirp) {
        f.product = pass->length;
        f.twiddle = f.product + pass->points;
    }
    f.count = f.twiddle + (pass->kind == LINES_PART ? pass->points : 0);
    return f;
}

typedef struct filling {
    const line_pass *pass;
    complex_number *work; // 3 * points
} filling;

static void put(float *values, int32_t at, complex_number value)
{
    values[2 * at] = (float)value.re;
    values[2 * at + 1] = (float)value.im;
}

static void fill(const void *context, float *values)
{
    const filling *f = context;
    const line_pass *pass = f->pass;
    factors at = factors_of(pass);
    int32_t length = pass->length, points = pass->points;
    complex_number *kernel = f->work, *spectrum = kernel + points, *roots = spectrum + points;
    for (int32_t i = 0; i < points; ++i) {
        roots[i] = root(i, points);
        kernel[i] = (complex_number){0, 0};
    }
    for (int32_t i = 0; at.product && i < length; ++i) {
        complex_number w = chirp_at(i, length), conjugate = {w.re, -w.im};
        put(values, at.chirp + i, w);
        kernel[i] = conjugate; // of lag i and of lag -i
        kernel[(points - i) % points] = conjugate;
    }
    if (at.product) {
        transform_values(kernel, points, 1, spectrum, roots, 1);
        for (int32_t i = 0; i < points; ++i) // 1 / points: of the inverse transform
            put(values, at.product + i,
                (complex_number){spectrum[i].re / points, spectrum[i].im / points});
    }
    for (int32_t i = 0; at.twiddle + i < at.count; ++i)
        put(values, at.twiddle + i, roots[i]);
}

// The buffer of a pass, which every pass of the axis shares. Nothing, if there are none.
static ag_handle frame_factors(ag_frame *f, const line_pass *pass)
{
    // No line of twiddle factors has such a key: its second word is a radix (ag_frame_twiddles).
    const int32_t key[8] = {pass->length, -1, pass->points, pass->kind == LINES_PART};
    size_t count = (size_t)factors_of(pass).count;
    size_t bytes = 3 * (size_t)pass->points * sizeof(complex_number);
    if (!count)
        return (ag_handle){0};
    filling fills = {pass, ag_frame_work(f, bytes)};
    ag_handle handle = ag_shared_constants(f, "afterglow factors", key, 2 * count, fill, &fills);
    ag_free(ag_frame_host(f), fills.work, bytes);
    return handle;
}

// ---- frame -------------------------------------------------------------------------------------

static ag_shader *shader_of(ag_frame *f, const transform *p, const line_pass *pass)
{
    bool chirp = pass->kind == LINES_CHIRP, spread = pass->kind == LINES_SPREAD;
    ag_shader *shader =
        ag_line_shader(f, spread ? "fft/spread.comp" : "fft/lines.comp", &pass->line,
                       chirp ? AG_LINE_FORWARD_AND_INVERSE : AG_LINE_FORWARD);
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return shader;
    const ag_request *request = ag_frame_request(f);
    const ag_fft_settings s = settings_of(request);
    const ag_format *imag_in = request->formats[SRC_IMAG], *imag_out = request->formats[DST_IMAG];
    bool inverse = s.direction == AG_FFT_INVERSE, packed = s.packing == AG_FFT_RGBA_RG;
    ag_define(defines, "CHANNELS", p->channels);
    ag_define(defines, "AXIS", pass->axis);
    ag_define(defines, "INVERSE", (pass->from < 0 || pass->to < 0) && inverse);
    ag_define(defines, "FROM_CELLS", pass->from >= 0);
    ag_define(defines, "TO_CELLS", pass->to >= 0);
    ag_define(defines, "HALF_IN", pass->half_in);
    if (!spread)
        ag_define(defines, "LINE_KIND", pass->kind);
    if (pass->kind == LINES_PART) {
        ag_define(defines, "SECOND_PART", pass->second);
        ag_define(defines, "PART_DOES", pass->does);
    }
    if (pass->from < 0) {
        const ag_picture src = ag_slot_picture(f, SRC);
        ag_shader_reads_packed(shader, &src);
        ag_define(defines, "HAS_IMAG", imag_in != NULL);
        ag_define(defines, "PACKED_IN", packed && inverse);
        ag_shader_define_format(shader, "IMAG_FORMAT", imag_in);
    }
    if (pass->to < 0) {
        ag_define(defines, "STORE", request->formats[DST]->store);
        ag_define(defines, "STORES_IMAG", imag_out != NULL);
        ag_define(defines, "PACKED_OUT", packed && !inverse);
        ag_define(defines, "HERMITIAN", p->hermitian);
        if (imag_out)
            ag_define(defines, "STORE_IMAG", imag_out->store);
    }
    return shader;
}

// A factor of NumPy's: 1, 1 / n or 1 / sqrt(n) of the points that are transformed together.
static double scale_of(const ag_request *request, const transform *r)
{
    const ag_fft_settings s = settings_of(request);
    double n = (s.axes == AG_FFT_Y ? 1.0 : r->width) * (s.axes == AG_FFT_X ? 1.0 : r->height);
    if (s.norm == AG_FFT_NORM_ORTHO)
        return 1 / sqrt(n);
    return (s.norm == AG_FFT_NORM_FORWARD) == (s.direction == AG_FFT_FORWARD) ? 1 / n : 1;
}

enum { UNIFORMS = 10 };

static void uniforms_of(const ag_request *request, const transform *p, const line_pass *pass,
                        ag_uniform *u)
{
    const ag_fft_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const ag_texture *imag_in = &request->slots[SRC_IMAG], *imag_out = &request->slots[DST_IMAG];
    bool x = s.axes != AG_FFT_Y, y = s.axes != AG_FFT_X, centered = s.origin == AG_FFT_CENTERED;
    bool half = s.spectrum == AG_FFT_HALF;
    int32_t shift_x = centered && x && !half ? p->width / 2 : 0;
    int32_t shift_y = centered && y && !(half && !x) ? p->height / 2 : 0;
    // A real output is a picture, so its missing alpha is 1.
    bool real = s.direction == AG_FFT_INVERSE && !request->formats[DST_IMAG];
    factors f = factors_of(pass);
    const ag_uniform values[UNIFORMS] = {
        ag_rect_uniform(AG_LOC_SRC_RECT, src),
        AG_INTS(AG_LOC_SRC_MODE, p->channels, 0, s.scrub, 0),
        ag_rect_uniform(AG_LOC_DST_RECT, dst),
        AG_INTS(AG_LOC_LINES, pass->lines, pass->length, pass->parts, 0),
        AG_INTS(AG_LOC_CELLS, p->rows, pass->kept, real, 0),
        AG_INTS(AG_LOC_EXTENT, p->width, p->height, shift_x, shift_y),
        AG_INTS(AG_LOC_OUTPUT, dst->rect_width, dst->rect_height, x, y),
        AG_INTS(AG_LOC_IMAG_RECTS, imag_in->rect_x, imag_in->rect_y, imag_out->rect_x,
                imag_out->rect_y),
        AG_FLOATS(AG_LOC_TRANSFORM_SCALE, (float)scale_of(request, p), 0, 0, 0),
        AG_INTS(AG_LOC_FACTORS, f.chirp, f.product, f.twiddle, 0),
    };
    memcpy(u, values, sizeof values);
}

static void bind(const ag_frame *f, const line_pass *pass, int32_t layer, ag_dispatch *d)
{
    const ag_request *request = ag_frame_request(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    if (pass->from < 0) {
        d->images[AG_IMAGE_SRC] = ag_packed_view(&src, AG_READ, layer);
        if (request->formats[SRC_IMAG])
            d->images[AG_IMAGE_SRC_IMAG] = ag_slot_view(SRC_IMAG, AG_READ, layer);
    }
    if (pass->to < 0) {
        d->images[AG_IMAGE_DST] = ag_slot_view(DST, AG_WRITE, layer);
        if (request->formats[DST_IMAG])
            d->images[AG_IMAGE_DST_IMAG] = ag_slot_view(DST_IMAG, AG_WRITE, layer);
    }
}

// Cells of a layer, and how many values of a line move: of a whole one those that it has.
static ag_block cells_of(const transform *p, const line_pass *pass, int32_t layer, ag_handle of,
                         uint32_t access)
{
    uint64_t bytes = (uint64_t)p->cell_bytes;
    int64_t values = pass->parts > 1     ? pass->line.length
                     : access == AG_READ ? pass->length
                                         : pass->kept;
    return (ag_block){.of = of,
                      .access = access,
                      .at = bytes * (uint64_t)layer,
                      .bytes = bytes,
                      .moves = (uint64_t)(8 * values * pass->lines * p->channels)};
}

static void frame(ag_frame *f)
{
    const transform *p = ag_frame_design(f);
    static const char *const names[] = {"cells 0", "cells 1"};
    const int32_t layers = ag_frame_request(f)->slots[SRC].layers;
    describe(f, p);
    ag_handle info = ag_frame_info(f), cells[2];
    for (int32_t i = 0; i < p->buffers; ++i)
        cells[i] = ag_scratch(f, names[i], (uint64_t)(p->cell_bytes * layers));
    for (int32_t i = 0; i < p->passes; ++i) {
        const line_pass *pass = &p->pass[i];
        ag_shader *shader = shader_of(f, p, pass);
        ag_handle twiddles = ag_frame_twiddles(f, &pass->line), more = frame_factors(f, pass);
        ag_uniform uniforms[UNIFORMS];
        uniforms_of(ag_frame_request(f), p, pass, uniforms);
        ag_frame_step(f, pass->name);
        for (int32_t layer = 0; layer < layers; ++layer) {
            ag_dispatch d = {.shader = shader,
                             .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddles, AG_READ),
                             .ranges[AG_SSBO_FACTORS] = ag_all(more, AG_READ),
                             .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                             AG_UNIFORMS(uniforms)};
            ag_fold_groups(ag_groups(pass->lines, pass->grouped), 32768, d.groups); // GL: 65535
            if (pass->from >= 0)
                d.ranges[AG_SSBO_CELLS_IN] = cells_of(p, pass, layer, cells[pass->from], AG_READ);
            if (pass->to >= 0)
                d.ranges[AG_SSBO_CELLS_OUT] = cells_of(p, pass, layer, cells[pass->to], AG_WRITE);
            bind(f, pass, layer, &d);
            ag_frame_dispatch(f, &d);
        }
    }
}

const ag_effect ag_effect_fft = {
    .info = AG_EFFECT_INFO("fft",
                           "the Fourier transform of an image and its inverse, as numpy.fft "
                           "has them",
                           SLOTS, 0),
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(transform),
};
