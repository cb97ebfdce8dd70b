// fft_plan.c - plans an FFT convolution: lengths, radices, threads, memory, cost. Pure C, no GL
// SPDX-License-Identifier: MIT
#include "fft_plan.h"
#include "../../shaders/common/interface.h"

#include <afterglow/convolve.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- one line ----------------------------------------------------------------------------------

// Instructions of one butterfly (shaders/fft/butterfly.glsl): plain, and with its twiddles.
static const struct {
    int32_t radix, plain, turned;
} butterflies[] = {{16, 168, 216}, {15, 200, 340}, {12, 112, 220}, {10, 100, 190},
                   {9, 108, 190},  {8, 56, 80},    {7, 84, 140},   {6, 44, 90},
                   {5, 40, 75},    {4, 16, 28},    {3, 16, 32},    {2, 4, 8}};
enum { BUTTERFLIES = sizeof butterflies / sizeof *butterflies };

// An exchange through shared memory costs about as much as this many instructions a point: two
// writes, two reads, barriers (fitted to measurements).
enum { EXCHANGE = 16 };
// And the memory traffic of a point, 16 bytes, about as much as this many.
enum { POINT = 60 };

static int32_t butterfly_cost(int32_t radix, bool turned)
{
    for (int i = 0; i < BUTTERFLIES; ++i)
        if (butterflies[i].radix == radix)
            return turned ? butterflies[i].turned : butterflies[i].plain;
    return 0;
}

static int64_t line_cost(const ag_fft_line *line)
{
    int64_t cost = 0;
    for (int32_t s = 0; s < line->stages; ++s) {
        int32_t radix = line->radix[s];
        cost += (int64_t)(line->length / radix) * butterfly_cost(radix, s > 0);
        if (s)
            cost += (int64_t)line->length * EXCHANGE;
    }
    return cost;
}

static int32_t div_up(int32_t a, int32_t b)
{
    return (a + b - 1) / b;
}

// Butterflies of a stage that a thread may hold: ROUNDS of shaders/fft/line.glsl.
static int32_t rounds_of(const ag_fft_line *line, int32_t stage, int32_t threads)
{
    int32_t count = line->length / line->radix[stage];
    bool mirrored = line->row && stage == line->stages - 1;
    return mirrored ? div_up(count / 2 + count % 2, threads) * 2 : div_up(count, threads);
}

static int32_t elements_with(const ag_fft_line *line, int32_t threads)
{
    int32_t elements = 0;
    for (int32_t s = 0; s < line->stages; ++s) {
        int32_t need = rounds_of(line, s, threads) * line->radix[s];
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
        int32_t radix = line->radix[s], rounds = rounds_of(line, s, threads);
        int64_t stage =
            (int64_t)rounds * threads * (butterfly_cost(radix, s > 0) + (s ? radix * EXCHANGE : 0));
        cost += rounds > 1 && rounds * threads * radix != line->length ? stage * 4 / 3 : stage;
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

// Tries radices in falling order, so every multiset is seen once: rows hold the butterflies of the
// last stage in pairs, so the smallest comes last.
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

// Points a thread, at most. Rows also hold the other channels' values (docs/rejected.md).
static int32_t elements_limit(bool row, int32_t length)
{
    return row && length <= 3072 ? 10 : 16;
}

// Schedules that were measured to be faster than the search's, for lengths that many frames have
// (docs/rejected.md): counting cannot foresee how many registers a compiler takes.
static const struct {
    int32_t length, row, threads, lines, radix[AG_FFT_MAX_STAGES];
} measured[] = {
    {1920, 1, 240, 1, {8, 8, 6, 5}},   {4608, 1, 576, 1, {9, 8, 8, 4, 2}},
    {1200, 0, 120, 2, {12, 10, 10}},   {1296, 0, 144, 2, {12, 12, 9}},
    {2560, 0, 256, 1, {16, 16, 10}},
};
enum { MEASURED = sizeof measured / sizeof *measured };

static int measured_index(int32_t length, bool row, int32_t max_invocations)
{
    for (int i = 0; i < MEASURED; ++i)
        if (measured[i].length == length && measured[i].row == row &&
            measured[i].threads * measured[i].lines <= max_invocations)
            return i;
    return -1;
}

static void take_measured(search *f)
{
    int at = measured_index(f->line.length, f->line.row, f->max_invocations);
    if (at < 0)
        return;
    f->best = f->line;
    memcpy(f->best.radix, measured[at].radix, sizeof f->best.radix);
    while (f->best.stages < AG_FFT_MAX_STAGES && f->best.radix[f->best.stages])
        ++f->best.stages;
    f->best.threads = measured[at].threads;
    f->best.elements = elements_with(&f->best, f->best.threads);
    f->best_cost = threads_cost(&f->best, f->best.threads);
}

static bool find_line(int32_t length, bool row, int32_t max_invocations, ag_fft_line *line)
{
    search f = {.line = {.length = length, .row = row}, .max_invocations = max_invocations};
    if (length < 2 || length > AG_FFT_MAX_LENGTH || (row && length % 2))
        return false;
    take_measured(&f);
    // A few lengths fit no short list: more registers then.
    for (f.max_elements = elements_limit(row, length); f.max_elements <= 32 && !f.best.stages;
         f.max_elements *= 2)
        try_radices(&f, length, 0);
    if (!f.best.stages)
        return false;
    *line = f.best;
    line->instructions = line_cost(line);
    line->cost = f.best_cost + POINT * (int64_t)length;
    return true;
}

// ---- shared memory -----------------------------------------------------------------------------

static int32_t radix_at(const ag_fft_line *line, int order, int32_t stage)
{
    return line->radix[order ? line->stages - 1 - stage : stage];
}

// Lanes that meet in one of the banks, the worst of each access, over the first accesses of both sides of an
// exchange: writes by a stage of `radix` after `before`, reads by butterflies in order.
static int32_t bank_conflicts(const ag_fft_line *line, int32_t before, int32_t radix, int32_t block,
                              int32_t pad, int32_t stride)
{
    int32_t banks = line->split ? 32 : 16, total = 0; // of 4 or 8 bytes
    for (int32_t write = 0; write < 2; ++write)
        for (int32_t from = 0; from < 64 && from < line->threads * line->lines; from += banks) {
            int32_t hits[32] = {0}, worst = 0;
            for (int32_t lane = from; lane < from + banks; ++lane) {
                int32_t t = lane / line->lines, l = lane % line->lines;
                int32_t j = write ? t / before * (before * radix) + t % before : t;
                int32_t bank = (l * stride + j + j / block * pad) & (banks - 1);
                worst = ++hits[bank] > worst ? hits[bank] : worst;
            }
            total += worst;
        }
    return total;
}

// Accesses that bank_conflicts looks at: its result when none of them meets another.
static int32_t no_conflicts(const ag_fft_line *line)
{
    int32_t threads = line->threads * line->lines;
    return 2 * div_up(threads < 64 ? threads : 64, line->split ? 32 : 16);
}

// The padding with the fewest conflicts that keeps addresses a sum of the thread's part and a constant:
// blocks must be whole runs of `before`, nest with the radix, and divide the next stage's step.
static int32_t best_padding(ag_fft_line *line, int order, int32_t stage, int32_t before,
                            int32_t stride)
{
    static const int32_t pads[] = {0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 15, 16, 24};
    int32_t radix = radix_at(line, order, stage), best = -1;
    int32_t step = line->length / radix_at(line, order, stage + 1), least = no_conflicts(line);
    for (int32_t m = 1; m <= 4 * radix && best != least; m += m < radix ? 1 : radix) {
        int32_t block = before * m;
        if ((radix % m && m % radix) || step % block)
            continue;
        for (size_t i = 0; i < sizeof pads / sizeof *pads && best != least; ++i) {
            if (line->length + (line->length - 1) / block * pads[i] > stride)
                break;
            int32_t conflicts = bank_conflicts(line, before, radix, block, pads[i], stride);
            if (best < 0 || conflicts < best) {
                best = conflicts;
                line->block[order][stage] = block;
                line->pad[order][stage] = pads[i];
            }
        }
    }
    return best;
}

static int32_t choose_paddings(ag_fft_line *line, int32_t stride)
{
    int32_t total = 0;
    line->stride = stride;
    for (int order = 0; order < 2; ++order)
        for (int32_t s = 0, before = 1; s + 1 < line->stages; ++s) {
            before *= s ? radix_at(line, order, s - 1) : 1;
            total += best_padding(line, order, s, before, stride);
        }
    return total;
}

int32_t ag_fft_shared_bytes(const ag_fft_line *line)
{
    return line->lines * line->stride * (line->split ? 4 : 8);
}

// Picks paddings and the stride of lines for the fewest bank conflicts within the promised memory.
static bool plan_shared(ag_fft_line *line)
{
    int32_t places = AG_FFT_SHARED_BYTES / (line->split ? 4 : 8) / line->lines;
    int32_t most = line->length + line->length / 8 + 32, best = -1, stride = 0;
    most = most < places ? most : places;
    if (places < line->length)
        return false;
    // A single line needs no distance to the next.
    int32_t tries = line->lines > 1 ? 32 : 1, least = 2 * (line->stages - 1) * no_conflicts(line);
    for (int32_t less = 0; less < tries && most - less >= line->length && best != least;
         less += 8) {
        int32_t conflicts = choose_paddings(line, most - less);
        if (best < 0 || conflicts < best) {
            best = conflicts;
            stride = most - less;
        }
    }
    choose_paddings(line, stride);
    // Not a byte more than the paddings need: groups of a multiprocessor share its memory.
    if (line->lines == 1) {
        stride = line->length;
        for (int order = 0; order < 2; ++order)
            for (int32_t s = 0; s + 1 < line->stages; ++s) {
                int32_t need =
                    line->length + (line->length - 1) / line->block[order][s] * line->pad[order][s];
                stride = need > stride ? need : stride;
            }
        line->stride = stride;
    }
    return true;
}

bool ag_fft_plan_line(int32_t length, bool row, int32_t max_invocations, ag_fft_line *line)
{
    if (!find_line(length, row, max_invocations, line))
        return false;
    // Short lines share a group until it has about 128 threads. Columns come in twos: two lines of a
    // tile are whole 32-byte sectors of the spectrum.
    int32_t lines = row ? 1 : 2;
    while (lines < 16 && lines * 2 * line->threads <= 128)
        lines *= 2;
    while (lines > 1 && (lines * line->threads > max_invocations ||
                         lines * length * 4 > AG_FFT_SHARED_BYTES / 16 * 15))
        lines /= 2;
    int at = measured_index(length, row, max_invocations);
    line->lines = at < 0 ? lines : measured[at].lines;
    // Half the memory lets more groups share a multiprocessor; while there is little of it, one round
    // with half the barriers is faster (docs/rejected.md).
    line->split = line->lines * length > 1024;
    return plan_shared(line);
}

// Lengths that the planner chooses come from these ladders, so that a size that changes every frame
// needs few programs and tables. At most eight an octave, with the powers of two, which are the
// cheapest: those with the least ag_fft_line.cost on average over all sizes, while a step is at most
// 1/7. To choose among all lengths up to 1/8 longer would save 0.3 % of the cost on average, 14 % at
// worst: tests/fft_lines.c holds it there. 4500 is left out: measured, 4608 is faster.
static const int16_t row_ladder[] = {
    2,    4,    6,    8,    10,   12,   14,   16,   18,   20,   24,   28,   32,   40,   50,
    54,   56,   64,   72,   80,   90,   96,   108,  112,  128,  144,  160,  180,  192,  200,
    216,  224,  256,  288,  320,  360,  400,  432,  450,  500,  512,  576,  640,  720,  768,
    800,  864,  896,  1024, 1152, 1280, 1296, 1440, 1536, 1600, 1792, 2048, 2304, 2500, 2560,
    2880, 3240, 3456, 3584, 4096, 4608, 5184, 5400, 6144, 6912, 7168, 8192};
static const int16_t column_ladder[] = {
    2,    3,    4,    5,    6,    7,    8,    9,    10,   12,   14,   15,   16,   18,
    20,   24,   25,   27,   32,   36,   40,   42,   48,   50,   56,   64,   72,   80,
    84,   96,   100,  108,  112,  128,  144,  150,  160,  180,  192,  200,  225,  256,
    288,  320,  324,  360,  384,  432,  448,  512,  576,  640,  675,  768,  800,  864,
    900,  1024, 1152, 1200, 1280, 1440, 1536, 1728, 1792, 2048, 2160, 2304, 2560, 2700,
    3072, 3375, 3600, 4096, 4500, 4608, 5120, 5376, 6144, 6912, 7168, 8192};

int32_t ag_fft_good_length(int32_t minimum, bool row, int32_t max_invocations)
{
    const int16_t *ladder = row ? row_ladder : column_ladder;
    int count =
        row ? sizeof row_ladder / sizeof *row_ladder : sizeof column_ladder / sizeof *column_ladder;
    ag_fft_line line;
    for (int i = 0; i < count; ++i)
        if (ladder[i] >= minimum && find_line(ladder[i], row, max_invocations, &line))
            return ladder[i];
    return 0;
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
    int32_t length = 0, least = horizontal ? r->least_x : r->least_y;
    ag_fft_line exact;
    *axis = (ag_fft_axis){0};
    if (r->border == AG_BORDER_WRAP && kernel <= size &&
        find_line(size, horizontal, r->max_invocations, &exact)) {
        axis->periodic = true;
        length = size;
    } else if (r->border == AG_BORDER_ZERO) {
        // Taps that reach from one end of the image past the other only ever meet zeros.
        low = low < size - 1 ? low : size - 1;
        high = high < size - 1 ? high : size - 1;
        length = size + (low > high ? low : high);
    } else {
        length = size + kernel - 1;
    }
    if (!axis->periodic)
        length =
            ag_fft_good_length(length > least ? length : least, horizontal, r->max_invocations);
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

// Bytes of a channel of the kernel's spectrum, as shaders/fft/kernel_store.glsl lays it out; `stored`:
// without the places that no column fills.
static int64_t kernel_bytes(const ag_fft_plan *p, int32_t form, bool stored)
{
    int64_t lines = stored ? 1 : p->y.line.lines, half = p->y.line.length / 2 + 1,
            columns = p->kept;
    int64_t complex = (columns + lines - 1) / lines * lines,
            real = (columns + lines) / lines * lines;
    switch (form) {
    case AG_KERNEL_REAL: return real * p->y.line.length * 4;
    case AG_KERNEL_MIRRORED: return real * half * 4;
    case AG_KERNEL_LINES: return (columns + 1 + half + 2) * 4;
    default: return complex * p->y.line.length * 8;
    }
}

// Bytes that a channel of the kernel gets. Where sizes will change within a plan it is room for any form and
// band, since a smaller image may have a kernel of another; and so it is while that is little, because what changes
// on every frame must not allocate.
enum { LITTLE = 1 << 20 };

static int64_t kernel_room(const ag_fft_plan *p)
{
    int64_t own = kernel_bytes(p, p->kernel_form, false);
    int32_t lines = p->y.line.lines;
    int64_t any = (int64_t)div_up(p->columns, lines) * lines * p->y.line.length * 8;
    if (any > own && (p->request.least_x > 0 || any <= LITTLE))
        own = any;
    return align_up(own, p->request.alignment);
}

// Bytes of a channel of the half spectra, as shaders/fft/spectrum.glsl and compact.glsl lay them out.
static int64_t spectrum_bytes(const ag_fft_plan *p)
{
    int64_t pairs = p->pairs > p->request.least_pairs ? p->pairs : p->request.least_pairs;
    int64_t tiles = div_up(p->kept, AG_FFT_TILE), runs = tiles * ((pairs + 1) / 2);
    if (p->request.storage == AG_STORAGE_COMPACT)
        return 4 * (runs * (4 * AG_FFT_TILE + 2 + AG_FFT_TILE / p->share) + 4 * AG_FFT_EXACT * pairs);
    int64_t cells = tiles * AG_FFT_TILE * pairs;
    if (p->kept < p->columns) {
        // A kernel that shrinks with the image has a wider band: no smaller image may need more memory than this
        // one. The worst is the last that keeps all columns, of 16/7 band * height rows; 5 a pair are roundings.
        int64_t rows = (int64_t)ceil(p->request.band * p->request.height * 16 / 7);
        int64_t most = (int64_t)p->columns * ((rows + 1) / 2) + 5 * pairs;
        cells = cells > most ? cells : most;
    }
    return cells * 16;
}

static bool plan_memory(ag_fft_plan *p, char *error, size_t error_size)
{
    const ag_fft_request *r = &p->request;
    int64_t row = (int64_t)p->tiles * AG_FFT_TILE * 8;
    int32_t kernel_pairs =
        p->kernel_pairs > r->least_kernel_pairs ? p->kernel_pairs : r->least_kernel_pairs;
    p->channel_bytes = align_up(spectrum_bytes(p), r->alignment);
    p->kernel_form = r->kernel_form;
    p->kernel_channel_bytes = kernel_room(p);
    p->kernel_scratch_bytes = align_up(2 * row * kernel_pairs, r->alignment) * r->kernel_channels;
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
    int64_t values = (int64_t)p->kept * r->height * r->channels, spectrum = values * 8,
            back = spectrum;
    if (r->storage ==
        AG_STORAGE_COMPACT) { // a scale for eight of what rows write, for 4 SHARE of columns'
        spectrum = values * 4 + values / 2;
        back = values * 4 + values / p->share;
    }
    int64_t kernel = kernel_bytes(p, p->kernel_form, true) * r->kernel_channels;
    p->bytes[0] = images * (texels * r->src_bytes + spectrum);
    p->bytes[1] = images * (spectrum + back + kernel);
    p->bytes[2] =
        images * (back + texels * (r->dst_bytes + (r->reads_src_again ? r->src_bytes : 0)));
    int64_t rows = p->x.line.instructions * p->pairs * r->channels;
    int64_t columns =
        (2 * p->y.line.instructions + 6 * p->y.line.length) * p->kept * r->channels;
    p->instructions[0] = p->instructions[2] = images * rows;
    p->instructions[1] = images * columns;
}

void ag_fft_plan_kernel(ag_fft_plan *p, int32_t form)
{
    p->kernel_form = form;
    p->kernel_channel_bytes = kernel_room(p);
    p->kernel_bytes = p->kernel_channel_bytes * p->request.kernel_channels;
    plan_cost(p);
}

// Below some 300 groups a GPU waits for the channels of one group more than for memory: they go to
// groups of their own, and come back side by side (docs/rejected.md). Not when a channel needs a block
// of its own.
enum { FEW_PAIRS = 300 };

static void plan_spread(ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    p->rows_back = p->x.line;
    p->spread = false;
    if (r->channels < 2 || p->channels_a_dispatch < r->channels || p->pairs > FEW_PAIRS ||
        p->x.line.threads * r->channels > r->max_invocations)
        return;
    ag_fft_line line = p->x.line;
    line.lines = r->channels;
    line.split = line.lines * line.length > 2048;
    if (!plan_shared(&line))
        return;
    p->rows_back = line;
    p->spread = true;
}

// In compact storage two pairs of rows fill a run: they share a group where threads and memory allow.
enum { PAIRED_THREADS = 640 };

static void plan_pairs(ag_fft_plan *p)
{
    ag_fft_line line = p->x.line;
    int32_t threads = 2 * line.threads, max = p->request.max_invocations;
    p->share = p->y.line.lines > 1 ? 2 : 1;
    if (p->request.storage != AG_STORAGE_COMPACT || line.lines > 1 ||
        threads > (max < PAIRED_THREADS ? max : PAIRED_THREADS) ||
        2 * line.length * 4 > AG_FFT_SHARED_BYTES / 16 * 15)
        return;
    line.lines = 2;
    line.split = 2 * line.length > 1024;
    if (plan_shared(&line))
        p->x.line = line;
}

// So few columns that all are under way at once: then a group's time counts, not its bytes, and a line a group with
// half the barriers is fastest (docs/rejected.md).
enum { FEW_GROUPS = 600 };

static void plan_few(ag_fft_plan *p)
{
    ag_fft_line line = p->y.line;
    if (p->kept == p->columns || p->kept * p->request.channels > FEW_GROUPS || line.length * 8 > AG_FFT_SHARED_BYTES)
        return;
    line.lines = 1;
    line.split = false;
    if (plan_shared(&line))
        p->y.line = line;
}

bool ag_fft_plan_make(const ag_fft_request *request, ag_fft_plan *p, char *error, size_t error_size)
{
    *p = (ag_fft_plan){.request = *request};
    if (!plan_axis(request, true, &p->x, error, error_size) ||
        !plan_axis(request, false, &p->y, error, error_size))
        return false;
    p->columns = p->kept = p->x.line.length / 2;
    if (request->band > 0 && request->band * p->x.line.length < p->columns * 7 / 8) { // to be worth it
        p->request.storage = AG_STORAGE_FULL; // of so little it is exact and fast as well
        p->kept = div_up((int32_t)ceil(request->band * p->x.line.length) + 1, AG_FFT_TILE) * AG_FFT_TILE;
    }
    p->tiles = div_up(p->columns, AG_FFT_TILE);
    int32_t max = request->max_invocations;
    if (!ag_fft_plan_line(p->x.line.length, true, max, &p->x.line) ||
        !ag_fft_plan_line(p->y.line.length, false, max, &p->y.line)) {
        snprintf(error, error_size, "lines of %d and %d points need more than %d threads a group",
                 p->x.line.length, p->y.line.length, max);
        return false;
    }
    plan_few(p);
    plan_pairs(p);
    p->pairs = div_up(request->height, 2);
    p->kernel_pairs = div_up(request->kernel_height, 2);
    p->shared_y = ag_fft_shared_bytes(&p->y.line);
    if (!plan_memory(p, error, error_size))
        return false;
    plan_spread(p);
    int32_t rows = ag_fft_shared_bytes(&p->x.line), back = ag_fft_shared_bytes(&p->rows_back);
    p->shared_x = rows > back ? rows : back;
    plan_cost(p);
    return true;
}

bool ag_fft_plan_make_within(const ag_fft_request *largest, const ag_fft_request *request,
                             ag_fft_plan *p, char *error, size_t error_size)
{
    ag_fft_plan most;
    if (!largest)
        return ag_fft_plan_make(request, p, error, error_size);
    if (!ag_fft_plan_make(largest, &most, error, error_size))
        return false;
    ag_fft_request here = *request;
    if (!most.x.periodic && !most.y.periodic) {
        here.least_x = most.x.line.length;
        here.least_y = most.y.line.length;
        here.least_pairs = most.pairs;
        here.least_kernel_pairs = most.kernel_pairs;
    }
    return ag_fft_plan_make(&here, p, error, error_size);
}

// ---- tables and words --------------------------------------------------------------------------

// Powers 1, 2, 4 and 8 come from the table: all others are then at most three products away. Products of
// w alone lose a digit, because each doubles the rounding of what it is made of (docs/rejected.md).
static int32_t table_half(const ag_fft_line *line, int order, float *table)
{
    int32_t count = 0, before = 1;
    for (int32_t s = 0; s < line->stages; ++s) {
        int32_t radix = radix_at(line, order, s), powers = radix > 4 ? 4 : 2;
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
    return table_half(line, 0, NULL) + (reverse ? table_half(line, 1, NULL) : 0);
}

void ag_fft_twiddles(const ag_fft_line *line, float *table)
{
    int32_t count = table_half(line, 0, table);
    table_half(line, 1, table + 4 * count);
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
