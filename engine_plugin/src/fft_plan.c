// fft_plan.c - plans an FFT convolution: lengths, radices, threads, memory, cost. Pure C, no GL
// SPDX-License-Identifier: MIT
#include "fft_plan.h"

#include <afterglow/convolve.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- one line ----------------------------------------------------------------------------------

// Arithmetic instructions of one butterfly (shaders/fft/butterfly.glsl), twiddles not counted.
static const struct {
    int32_t radix, instructions;
} butterflies[] = {{16, 168}, {15, 200}, {12, 112}, {10, 100}, {9, 108}, {8, 56},
                   {7, 84},   {6, 44},   {5, 40},   {4, 16},   {3, 16},  {2, 4}};
enum { BUTTERFLIES = sizeof butterflies / sizeof *butterflies };

// An exchange through shared memory costs about as much as this many instructions a point:
// two writes, two reads, addresses, four barriers (fitted to measurements).
enum { EXCHANGE = 24, TWIDDLE = 10 };

static int32_t butterfly_cost(int32_t radix)
{
    for (int i = 0; i < BUTTERFLIES; ++i)
        if (butterflies[i].radix == radix)
            return butterflies[i].instructions;
    return 0;
}

static int64_t line_cost(int32_t length, const int32_t *radix, int32_t stages)
{
    int64_t cost = 0;
    for (int32_t s = 0; s < stages; ++s) {
        cost += (int64_t)(length / radix[s]) * butterfly_cost(radix[s]);
        if (s)
            cost += (int64_t)length * (EXCHANGE + TWIDDLE) - (length / radix[s]) * TWIDDLE;
    }
    return cost;
}

static int32_t div_up(int32_t a, int32_t b)
{
    return (a + b - 1) / b;
}

static int32_t elements_with(const ag_fft_line *line, int32_t threads)
{
    int32_t elements = 0;
    for (int32_t s = 0; s < line->stages; ++s) {
        int32_t need = div_up(line->length / line->radix[s], threads) * line->radix[s];
        elements = need > elements ? need : elements;
    }
    return elements;
}

// Instructions a line costs with so many threads, idle ones counted. What the counting misses was
// measured (docs/rejected.md): rounds that only part of the threads take cost about a third more, and
// beyond some 300 threads a line a multiprocessor holds too few groups to hide their barriers.
static int64_t threads_cost(const ag_fft_line *line, int32_t threads)
{
    int64_t cost = 0;
    for (int32_t s = 0; s < line->stages; ++s) {
        int32_t count = line->length / line->radix[s], rounds = div_up(count, threads);
        int64_t stage = (int64_t)rounds * threads *
                        (butterfly_cost(line->radix[s]) + line->radix[s] * (EXCHANGE + TWIDDLE));
        cost += rounds > 1 && count % threads ? stage * 4 / 3 : stage;
    }
    return threads > 300 ? cost * 5 / 4 : cost;
}

typedef struct search {
    ag_fft_line line, best; // best.stages 0: none found yet
    int32_t max_elements, max_invocations;
    int64_t best_cost;
} search;

// The number of threads that serves a schedule of radices best.
static void try_threads(search *f)
{
    for (int32_t s = 0; s < f->line.stages; ++s)
        for (int32_t split = 1; split <= 4; ++split) {
            int32_t threads = div_up(f->line.length / f->line.radix[s], split);
            int32_t elements = elements_with(&f->line, threads);
            if (threads > f->max_invocations || elements > f->max_elements)
                continue;
            int64_t cost = threads_cost(&f->line, threads);
            if (!f->best.stages || cost < f->best_cost) {
                f->best = f->line;
                f->best.threads = threads;
                f->best.elements = elements;
                f->best_cost = cost;
            }
        }
}

// Tries radices in falling order, so every multiset is seen once and the largest comes first:
// the first radix sets how finely rows can be paired, and the last stages write the widest runs.
static void try_radices(search *f, int32_t rest, int from)
{
    if (rest == 1) {
        try_threads(f);
        return;
    }
    if (f->line.stages == AG_FFT_MAX_STAGES)
        return;
    for (int i = from; i < BUTTERFLIES; ++i)
        if (butterflies[i].radix <= f->max_elements && rest % butterflies[i].radix == 0) {
            f->line.radix[f->line.stages++] = butterflies[i].radix;
            try_radices(f, rest / butterflies[i].radix, i);
            f->line.radix[--f->line.stages] = 0;
        }
}

static bool find_line(int32_t length, int32_t max_elements, int32_t max_invocations,
                      ag_fft_line *line, int64_t *cost)
{
    search f = {.line.length = length,
                .max_elements = max_elements,
                .max_invocations = max_invocations};
    if (length < 2 || length > AG_FFT_MAX_LENGTH)
        return false;
    try_radices(&f, length, 0);
    if (!f.best.stages)
        return false;
    *line = f.best;
    line->instructions = line_cost(length, line->radix, line->stages);
    if (cost)
        *cost = f.best_cost;
    return true;
}

// Points a thread. Rows hold two texels for each as well; long columns gain more from fewer exchanges
// than they lose to registers (docs/rejected.md).
static int32_t elements_limit(bool row, int32_t length)
{
    return row ? (length <= 6144 ? 10 : 16) : length <= 2730 ? 12 : 16;
}

// Worst number of lanes of a warp that meet in one of 32 banks, summed over all exchanges.
static int32_t bank_conflicts(const ag_fft_line *line, int32_t pad_shift, int32_t stride)
{
    int32_t total = 0, before = 1;
    for (int32_t s = 0; s + 1 < line->stages; ++s) {
        int32_t r = line->radix[s], after = before * r;
        int32_t next = line->length / line->radix[s + 1];
        for (int32_t write = 0; write < 2; ++write) {
            int32_t hits[32] = {0}, worst = 0;
            for (int32_t lane = 0; lane < 32 && lane < line->threads * line->lines; ++lane) {
                int32_t t = lane / line->lines, l = lane % line->lines;
                int32_t j = write ? t / before * after + t % before : t % next;
                int32_t bank = (l * stride + j + (j >> pad_shift)) & 31;
                worst = ++hits[bank] > worst ? hits[bank] : worst;
            }
            total += worst;
        }
        before = after;
    }
    return total;
}

// Picks padding and line stride for the fewest bank conflicts within the promised shared memory.
static bool choose_padding(ag_fft_line *line)
{
    static const int32_t shifts[] = {31, 5, 4, 3};
    int32_t best = -1,
            step = line->lines > 1 ? 1 : 32; // a single line needs no distance to the next
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; ++i)
        for (int32_t extra = 0; extra < 32; extra += step) {
            int32_t stride = line->length + ((line->length - 1) >> shifts[i]) + extra;
            if (stride * line->lines * 4 > AG_FFT_SHARED_BYTES)
                continue;
            int32_t conflicts = bank_conflicts(line, shifts[i], stride);
            if (best < 0 || conflicts < best) {
                best = conflicts;
                line->pad_shift = shifts[i];
                line->stride = stride;
            }
        }
    return best >= 0;
}

bool ag_fft_plan_line(int32_t length, bool row, int32_t lines_in_all, int32_t lines_multiple,
                      int32_t max_invocations, ag_fft_line *line)
{
    if (!find_line(length, elements_limit(row, length), max_invocations, line, NULL))
        return false;
    // Short lines share a group until it has about 128 threads. Rows go on to 512 while that leaves a
    // group for every multiprocessor: compilers give large groups fewer registers a thread, and rows
    // back of 1024 points ran twice as fast for it (docs/rejected.md).
    int32_t lines = lines_multiple;
    while (lines < 16 && lines * 2 * line->threads <= 128)
        lines *= 2;
    while (row && lines * 2 * line->threads <= 512 && lines_in_all / (lines * 2) >= 100)
        lines *= 2;
    // One line fewer rather than a full shared memory without room for padding.
    while (lines > 1 && (lines * line->threads > max_invocations ||
                         lines * line->length * 4 > AG_FFT_SHARED_BYTES / 16 * 15))
        lines /= 2;
    line->lines = lines;
    return choose_padding(line);
}

int32_t ag_fft_good_length(int32_t minimum, bool row, int32_t max_invocations)
{
    int32_t best = 0;
    double best_cost = 0;
    minimum = minimum < 2 ? 2 : minimum;
    for (int32_t n = minimum; n <= AG_FFT_MAX_LENGTH && (!best || n <= minimum + minimum / 8);
         ++n) {
        ag_fft_line line;
        int64_t work;
        if ((row && n % 2) || !find_line(n, elements_limit(row, n), max_invocations, &line, &work))
            continue;
        // A point costs memory traffic as well: 16 bytes, worth about 40 instructions.
        double cost = (double)work + 40.0 * n;
        if (!best || cost < best_cost) {
            best = n;
            best_cost = cost;
        }
    }
    return best;
}

// ---- the whole convolution ---------------------------------------------------------------------

static bool plan_axis(const ag_fft_request *r, bool horizontal, ag_fft_axis *axis, char *error,
                      size_t error_size)
{
    int32_t size = horizontal ? r->width : r->height;
    int32_t kernel = horizontal ? r->kernel_width : r->kernel_height;
    // dst(x) = sum K(m) src(x - m): m runs from -low to high; a correlation swaps the two.
    int32_t centre = kernel / 2, rest = kernel - 1 - centre;
    int32_t low = r->correlate ? rest : centre, high = r->correlate ? centre : rest;
    int32_t length = 0;
    ag_fft_line exact;
    *axis = (ag_fft_axis){0};
    if (r->border == AG_BORDER_WRAP && kernel <= size && (!horizontal || size % 2 == 0) &&
        find_line(size, elements_limit(horizontal, size), r->max_invocations, &exact, NULL)) {
        axis->periodic = true;
        length = size;
    } else if (r->border == AG_BORDER_ZERO) {
        // Taps that reach from one end of the image past the other only ever meet zeros.
        low = low < size - 1 ? low : size - 1;
        high = high < size - 1 ? high : size - 1;
        length =
            ag_fft_good_length(size + (low > high ? low : high), horizontal, r->max_invocations);
    } else {
        length = ag_fft_good_length(size + kernel - 1, horizontal, r->max_invocations);
    }
    axis->reach_low = low;
    axis->reach_high = high;
    if (!length) {
        int32_t need =
            size + (r->border == AG_BORDER_ZERO ? (low > high ? low : high) : kernel - 1);
        snprintf(error, error_size,
                 "%s %d with a kernel of %d needs lines of %d points; the limit is %d",
                 horizontal ? "width" : "height", size, kernel, need, AG_FFT_MAX_LENGTH);
        return false;
    }
    axis->line.length = length;
    return true;
}

static int64_t align_up(int64_t value, int64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

// Rows y and y + distance share a complex row. The distance is a multiple of the first column
// stage's stride, so that both values of a column end up in one thread's registers.
static void plan_pairs(ag_fft_plan *p)
{
    int32_t leg = p->y.line.length / p->y.line.radix[0], height = p->request.height;
    p->legs = div_up(height, 2 * leg);
    p->pair_distance = p->legs * leg;
    p->pairs = p->pair_distance < height ? p->pair_distance : height;
    p->kernel_pair_distance = div_up(p->request.kernel_height, 2);
    p->kernel_pairs = p->kernel_pair_distance;
}

static bool plan_memory(ag_fft_plan *p, char *error, size_t error_size)
{
    const ag_fft_request *r = &p->request;
    int64_t row = (int64_t)p->tiles * p->tile * 8;
    p->channel_bytes = align_up(2 * row * p->pairs, r->alignment);
    p->kernel_channel_bytes = align_up(row * p->y.line.length, r->alignment);
    p->kernel_scratch_bytes =
        align_up(2 * row * p->kernel_pairs, r->alignment) * r->kernel_channels;
    p->scratch_bytes = p->channel_bytes * r->channels * r->layers;
    p->kernel_bytes = p->kernel_channel_bytes * r->kernel_channels;
    int64_t largest =
        p->channel_bytes > p->kernel_channel_bytes ? p->channel_bytes : p->kernel_channel_bytes;
    if (p->kernel_scratch_bytes / r->kernel_channels > largest)
        largest = p->kernel_scratch_bytes / r->kernel_channels;
    if (largest > r->max_block_bytes || largest / 8 > INT32_MAX) {
        snprintf(error, error_size,
                 "%dx%d needs %lld bytes a channel; this context's storage blocks hold %lld",
                 r->width, r->height, (long long)largest, (long long)r->max_block_bytes);
        return false;
    }
    // All channels in one dispatch when one block can hold them, else one at a time.
    bool fits = p->channel_bytes * r->channels <= r->max_block_bytes &&
                p->kernel_bytes <= r->max_block_bytes &&
                p->kernel_scratch_bytes <= r->max_block_bytes &&
                p->channel_bytes * r->channels / 8 <= INT32_MAX && p->kernel_bytes / 8 <= INT32_MAX;
    p->channels_a_dispatch = fits ? r->channels : 1;
    return true;
}

static void plan_cost(ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    int64_t texels = (int64_t)r->width * r->height, images = r->layers;
    int64_t spectrum = (int64_t)p->columns * r->height * 8 * r->channels;
    int64_t kernel = (int64_t)p->columns * p->y.line.length * 8 * r->kernel_channels;
    p->bytes[0] = images * (texels * r->src_bytes + spectrum);
    p->bytes[1] = images * (2 * spectrum + kernel);
    p->bytes[2] =
        images * (spectrum + texels * (r->dst_bytes + (r->reads_src_again ? r->src_bytes : 0)));
    int64_t rows = p->x.line.instructions * p->pairs * r->channels;
    int64_t columns =
        (2 * p->y.line.instructions + 6 * p->y.line.length) * p->columns * r->channels;
    p->instructions[0] = p->instructions[2] = images * rows;
    p->instructions[1] = images * columns;
}

bool ag_fft_plan_make(const ag_fft_request *request, ag_fft_plan *p, char *error, size_t error_size)
{
    *p = (ag_fft_plan){.request = *request, .tile = 2};
    if (!plan_axis(request, true, &p->x, error, error_size) ||
        !plan_axis(request, false, &p->y, error, error_size))
        return false;
    p->columns = p->x.line.length / 2;
    p->tiles = div_up(p->columns, p->tile);
    int32_t max = request->max_invocations;
    if (!ag_fft_plan_line(p->x.line.length, true, (request->height + 1) / 2, 2, max, &p->x.line) ||
        !ag_fft_plan_line(p->y.line.length, false, p->columns, p->tile, max, &p->y.line)) {
        snprintf(error, error_size, "lines of %d and %d points need more than %d threads a group",
                 p->x.line.length, p->y.line.length, max);
        return false;
    }
    plan_pairs(p);
    p->shared_x = p->x.line.stride * p->x.line.lines * 4;
    p->shared_y = p->y.line.stride * p->y.line.lines * 4;
    if (!plan_memory(p, error, error_size))
        return false;
    plan_cost(p);
    return true;
}

// ---- tables and words --------------------------------------------------------------------------

static int32_t stage_radix(const ag_fft_line *line, bool reverse, int32_t stage)
{
    return line->radix[reverse ? line->stages - 1 - stage : stage];
}

// Powers 1, 2, 4 and 8 come from the table: all others are then at most three products away. Products of
// w alone lose a digit, because each doubles the rounding of what it is made of (docs/rejected.md).
static int32_t table_half(const ag_fft_line *line, bool reverse, float *table)
{
    int32_t count = 0, before = 1;
    for (int32_t s = 0; s < line->stages; ++s) {
        int32_t radix = stage_radix(line, reverse, s), powers = radix > 4 ? 4 : 2;
        for (int32_t m = 0; s && m < before; ++m)
            for (int32_t k = 0; k < powers; ++k, ++count)
                if (table) {
                    double turns = (double)m * (1 << k) / ((double)before * radix);
                    double angle = -6.283185307179586476925287 * (turns - floor(turns));
                    table[2 * count] = (float)cos(angle);
                    table[2 * count + 1] = (float)sin(angle);
                }
        before *= radix;
    }
    return count / 2;
}

int32_t ag_fft_twiddle_count(const ag_fft_line *line, bool reverse)
{
    return table_half(line, false, NULL) + (reverse ? table_half(line, true, NULL) : 0);
}

void ag_fft_twiddles(const ag_fft_line *line, bool reverse, float *table)
{
    int32_t count = table_half(line, false, table);
    if (reverse)
        table_half(line, true, table + 4 * count);
}

void ag_fft_describe(const ag_fft_line *line, char *text, size_t size)
{
    int used = snprintf(text, size, "%d = ", line->length);
    for (int32_t s = 0; s < line->stages && used >= 0 && (size_t)used < size; ++s)
        used += snprintf(text + used, size - (size_t)used, "%s%d", s ? "x" : "", line->radix[s]);
    if (used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ", %d threads x %d points, %d lines a group",
                 line->threads, line->elements, line->lines);
}
