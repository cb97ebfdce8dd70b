// ladder.c - plans the documents' methods of the effect "fft", and refuses what they do not take
// SPDX-License-Identifier: MIT
#include "effects/fft/ladder.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/plans.h"
#include "effects/kit/settings.h"
#include "shaders/fft/interface_ladder.h"

#include <afterglow/fft.h>
#include <math.h>
#include <stdio.h>

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

void ag_ladder_describe(const ag_request *request, const ag_ladder *p, ag_pass_plan *plan)
{
    uint64_t texels = (uint64_t)p->width * (uint64_t)p->height, plane = 16 * texels;
    bool texture = p->method == AG_FFT_TEXTURE_RADIX2;
    plan->head.step_count = 0;
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_ladder_pass *pass = &p->pass[i];
        ag_step *step = &plan->steps[plan->head.step_count];
        if (i && pass->name == p->pass[i - 1].name)
            --step; // a further butterfly pass
        else
            *step = (ag_step){.name = pass->name, .groups = {pass->groups[0], pass->groups[1], 1}};
        plan->head.step_count = (uint32_t)(step - plan->steps) + 1;
        bool real = pass->from < 0 && !p->reads_imag;
        step->dispatches += 1;
        step->shared_bytes = texture ? 0
                             : p->method == AG_FFT_SHARED_RADIX2
                                 ? (uint32_t)(64 * pass->points)
                                 : (uint32_t)(32 * pass->points * pass->rows);
        step->bytes += plane * (texture ? 2 : 1) * (real ? 1 : 2) + 2 * plane;
        step->instructions += texels * 4 * 10 * (uint64_t)(texture ? 1 : pass->log);
    }
    uint32_t last = plan->head.step_count - 1;
    for (int i = 0; i < 4; ++i)
        ag_plan_slot(plan, request, i, i % 2 ? last : 0, i % 2 ? last : 0);
    uint64_t own = plane * 2 * (uint64_t)p->pairs;
    if (own)
        plan->resources[plan->head.resource_count++] = (ag_resource){.name = "planes",
                                                                     .kind = AG_RESOURCE_OWN,
                                                                     .access = AG_READ | AG_WRITE,
                                                                     .last_step = last,
                                                                     .bytes = own};
    plan->head.persistent_bytes = AG_INFO_BYTES + own;
    snprintf(plan->head.text, sizeof plan->head.text,
             "fft: %dx%d by %s, %d dispatches, %d lines a group", p->width, p->height,
             names[p->method], p->passes, p->pass[0].rows);
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
