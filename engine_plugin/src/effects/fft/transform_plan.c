// transform_plan.c - plans a Fourier transform of an image as passes over lines. Pure C, no GL
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/fft/transform.h"
#include "shaders/fft/interface_transform.h"

#include <afterglow/fft.h>
#include <stdio.h>
#include <string.h>

// Cells are in tiles of so many columns (shaders/fft/cells.glsl).
enum { CELL_TILE = 4 };

typedef struct axis_plan { // how the lines of an axis are transformed
    int32_t length, points;
    bool chirp;
    int32_t parts;       // 1 or 2
    ag_fft_line line[2]; // of the parts
} axis_plan;

static bool plan_line(const ag_transform_request *r, int32_t length, ag_fft_line *line)
{
    return ag_fft_plan_texels(length, r->channels, r->max_invocations, line);
}

// Two factors of `points`, as equal as they can be.
static bool split_line(const ag_transform_request *r, int32_t points, ag_fft_line line[2])
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
static int32_t whole_points(const ag_transform_request *r, int32_t least)
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
static int32_t split_points(const ag_transform_request *r, int32_t least)
{
    int32_t first = 2;
    while (first * first < least)
        first *= 2;
    int32_t second = ag_div_up(least, first);
    second = ag_fft_good_length(second < 2 ? 2 : second, false, r->max_invocations);
    return first * second;
}

static bool plan_axis(const ag_transform_request *r, int32_t length, axis_plan *axis)
{
    int32_t least = 2 * length - 1;
    least = least < 2 ? 2 : least;
    *axis = (axis_plan){.length = length, .points = length, .parts = 1};
    if (!r->multipass && plan_line(r, length, &axis->line[0]))
        return true;
    if (!r->multipass && !(length > AG_FFT_MAX_LENGTH && split_line(r, length, axis->line))) {
        axis->points = whole_points(r, least);
        axis->chirp = axis->points > 0;
        if (axis->chirp)
            return plan_line(r, axis->points, &axis->line[0]);
    }
    if (r->only_tiled)
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
static void add_axis(ag_transform *p, const axis_plan *axis, int32_t which, int32_t across)
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
        p->pass[p->passes++] =
            (ag_transform_pass){.kind = axis->parts > 1 ? AG_LINES_PART
                                        : axis->chirp   ? AG_LINES_CHIRP
                                                        : AG_LINES_WHOLE,
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
static void add_cells(ag_transform *p, const axis_plan axes[2], int32_t kept_columns)
{
    const ag_transform_request *r = &p->request;
    int32_t at = -1;
    for (int32_t i = 0; i < p->passes; ++i) {
        p->pass[i].from = at;
        at = i == p->passes - 1 ? -1 : at == 0;
        p->pass[i].to = at;
        p->buffers = at + 1 > p->buffers ? at + 1 : p->buffers;
    }
    bool long_x = axes[0].parts > 1, long_y = axes[1].parts > 1;
    p->columns = long_x && axes[0].points > kept_columns ? axes[0].points : kept_columns;
    p->rows = long_y && axes[1].points > r->height ? axes[1].points : r->height;
    p->cell_bytes =
        (int64_t)ag_div_up(p->columns, CELL_TILE) * CELL_TILE * p->rows * 8 * r->channels;
}

// Passes between textures and cells whose lines are short get threads for each channel: there are
// so few lines then that a GPU waits for them (docs/fft.md, 2).
static void spread_passes(ag_transform *p)
{
    enum { DEFAULT = 512 };
    const ag_transform_request *r = &p->request;
    int32_t most = r->spread_points ? r->spread_points : DEFAULT;
    for (int32_t i = 0; i < p->passes; ++i) {
        ag_transform_pass *pass = &p->pass[i];
        bool in = pass->from < 0;
        if (pass->kind != AG_LINES_WHOLE || in == (pass->to < 0) || r->channels < 2 ||
            pass->length > most ||
            !ag_fft_plan_spread(pass->length, r->channels, r->max_invocations, &pass->line))
            continue;
        pass->kind = in ? AG_LINES_SPREAD_IN : AG_LINES_SPREAD_OUT;
        pass->grouped = pass->line.lines / r->channels;
    }
}

bool ag_transform_plan(const ag_transform_request *request, ag_transform *p, char *error,
                       size_t error_size)
{
    const int32_t sizes[2] = {request->width, request->height};
    axis_plan axes[2] = {{.parts = 1}, {.parts = 1}};
    bool both = request->axes == AG_FFT_BOTH, half = request->hermitian || request->half_in;
    *p = (ag_transform){.request = *request};
    for (int i = 0; i < 2; ++i)
        if ((both || request->axes == AG_FFT_X + i) && !plan_axis(request, sizes[i], &axes[i])) {
            snprintf(error, error_size,
                     "%d %s; method tiled transforms up to %d of the form "
                     "2^a 3^b 5^c 7^d and up to %d others",
                     sizes[i], i ? "rows" : "columns", AG_FFT_MAX_LENGTH, AG_FFT_MAX_LENGTH / 2);
            return false;
        }
    int32_t kept = both && half ? request->width / 2 + 1 : request->width;
    // A half spectrum is transformed along y first: irfft2 reads whole columns of it.
    int32_t first = (both && request->half_in) || request->axes == AG_FFT_Y;
    for (int32_t i = 0; i < (both ? 2 : 1); ++i) {
        int32_t axis = i ? !first : first;
        add_axis(p, &axes[axis], axis, axis ? kept : request->height);
        p->pass[p->passes - 1].kept = axis ? request->height : kept;
    }
    add_cells(p, axes, kept);
    spread_passes(p);
    for (int32_t i = 0; i < p->passes; ++i) // the half axis is x of both, else the only one
        p->pass[i].half_in = request->half_in && (both ? p->pass[i].axis == 0 : true) &&
                             (i == 0 || p->pass[i].axis != p->pass[i - 1].axis);
    return true;
}

void ag_transform_describe(const ag_transform *p, char *text, size_t size)
{
    char line[128];
    size_t used = 0;
    for (int32_t i = 0; i < p->passes && used < size; ++i) {
        const ag_transform_pass *pass = &p->pass[i];
        ag_fft_describe(&pass->line, line, sizeof line);
        bool spread = pass->kind == AG_LINES_SPREAD_IN || pass->kind == AG_LINES_SPREAD_OUT;
        int more = snprintf(text + used, size - used, "%s%s%s %s%s", i ? "; " : "", pass->name,
                            pass->points != pass->length ? " (Bluestein)" : "", line,
                            spread ? ", a channel each" : "");
        used += more > 0 ? (size_t)more : 0;
    }
}
