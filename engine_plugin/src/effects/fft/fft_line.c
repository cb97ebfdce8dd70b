// fft_line.c - plans the FFT of one line: radices, threads, shared memory, cost. Pure C, no GL
// SPDX-License-Identifier: MIT
#include "effects/fft/fft_line.h"
#include "base/rounding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Instructions of one butterfly (shaders/fft/dft.glsl): plain, and with its twiddles.
static const struct {
    int32_t radix, plain, twiddled;
} butterflies[] = {{16, 168, 216}, {15, 200, 340}, {12, 112, 220}, {10, 100, 190},
                   {9, 108, 190},  {8, 56, 80},    {7, 84, 140},   {6, 44, 90},
                   {5, 40, 75},    {4, 16, 28},    {3, 16, 32},    {2, 4, 8}};
enum { BUTTERFLIES = sizeof butterflies / sizeof *butterflies };

// An exchange through shared memory costs about as much as this many instructions a point: two
// writes, two reads, barriers (fitted to measurements).
enum { EXCHANGE = 16 };
// A summand of a narrow line's last stage; and how many there are at most, in program text.
enum { SUMMAND = 6, MOST_PARTS = 36 };
// And the memory traffic of a point, 16 bytes, about as much as this many.
enum { POINT = 60 };

static int32_t butterfly_cost(int32_t radix, bool twiddled)
{
    for (int i = 0; i < BUTTERFLIES; ++i)
        if (butterflies[i].radix == radix)
            return twiddled ? butterflies[i].twiddled : butterflies[i].plain;
    return 0;
}

// Butterflies of a stage that a thread may hold: ROUNDS of shaders/fft/line.glsl.
static int32_t rounds_of(const ag_fft_line *line, int32_t stage, int32_t threads)
{
    int32_t count = line->length / line->radix[stage];
    bool mirrored = line->row && stage == line->stages - 1;
    return mirrored ? ag_div_up(count / 2 + count % 2, threads) * 2 : ag_div_up(count, threads);
}

// Stages of butterflies.
static int32_t whole_stages(const ag_fft_line *line)
{
    return line->stages - line->narrow;
}

static int32_t elements_with(const ag_fft_line *line, int32_t threads)
{
    int32_t elements = 0;
    for (int32_t s = 0; s < whole_stages(line); ++s)
        elements = ag_max(elements, rounds_of(line, s, threads) * line->radix[s]);
    return elements;
}

// Instructions a line costs with so many threads, idle ones counted. What the counting misses was
// measured (docs/decisions.md, D24): rounds that only part of the threads take cost about a third
// more, and beyond some 300 threads a line a multiprocessor holds too few groups to hide their
// barriers.
static int64_t threads_cost(const ag_fft_line *line, int32_t threads)
{
    int64_t cost = 0;
    for (int32_t s = 0; s < whole_stages(line); ++s) {
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
    int32_t kept, parts; // of a narrow line: frequencies, and its last radix; else 0
    int64_t best_cost;
} search;

// The number of threads that serves a schedule of radices best.
static void try_threads(search *f)
{
    for (int32_t s = 0; s < whole_stages(&f->line); ++s)
        for (int32_t split = 1; split <= 4; ++split) {
            int32_t threads = ag_div_up(f->line.length / f->line.radix[s], split);
            int32_t elements = elements_with(&f->line, threads);
            if (threads > f->max_invocations || threads < 2 * f->kept || elements > f->max_elements)
                continue;
            int64_t cost = threads_cost(&f->line, threads);
            cost += (int64_t)SUMMAND * 2 * f->kept * f->parts;
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
    if (rest == 1 && f->parts) {
        if (f->line.stages && f->line.radix[f->line.stages - 1] % 2 == 0) {
            f->line.radix[f->line.stages++] = f->parts;
            try_threads(f);
            f->line.radix[--f->line.stages] = 0;
        }
        return;
    }
    if (rest == 1) {
        try_threads(f);
        return;
    }
    if (f->line.stages + (f->parts > 0) == AG_FFT_MAX_STAGES)
        return;
    for (int i = from; i < BUTTERFLIES; ++i)
        if (butterflies[i].radix <= f->max_elements && rest % butterflies[i].radix == 0) {
            f->line.radix[f->line.stages++] = butterflies[i].radix;
            try_radices(f, rest / butterflies[i].radix, i);
            f->line.radix[--f->line.stages] = 0;
        }
}

// The best schedule of a line; more registers, up to `most` points a thread, for the few lengths
// that fit no shorter list.
static void search_schedules(search *f, int32_t most)
{
    bool possible = f->line.length >= 2 && f->line.length <= AG_FFT_MAX_LENGTH;
    for (; possible && f->max_elements <= most && !f->best.stages; f->max_elements *= 2)
        try_radices(f, f->line.length, 0);
}

// Of a narrow line the parts that are transformed have at least twice as many points as there are
// frequencies, and an even radix last: shaders/fft/rows_c2r.comp.
static void search_narrow(search *f)
{
    int32_t length = f->line.length;
    for (f->parts = 2; f->parts <= MOST_PARTS && length / f->parts >= 2 * f->kept; ++f->parts)
        if (length % f->parts == 0)
            try_radices(f, length / f->parts, 0);
}

static bool take_best(const search *f, ag_fft_line *line)
{
    if (!f->best.stages)
        return false;
    *line = f->best;
    line->cost = f->best_cost + POINT * (int64_t)line->length;
    return true;
}

// Schedules that were measured to be faster than the search's, for lengths that many frames have
// (docs/decisions.md, D24): counting cannot foresee how many registers a compiler takes.
static const struct {
    int32_t length, row, threads, lines, rounds; // rounds of an exchange, 0: by rule
    int32_t radix[AG_FFT_MAX_STAGES];
} measured[] = {
    {1024, 1, 128, 2, 1, {8, 8, 4, 4}},    {1920, 1, 240, 1, 0, {8, 8, 6, 5}},
    {2304, 1, 288, 1, 1, {9, 8, 8, 4}},    {3840, 1, 256, 1, 0, {15, 8, 8, 4}},
    {4608, 1, 576, 1, 0, {9, 8, 8, 4, 2}}, {512, 0, 64, 2, 0, {8, 8, 8}},
    {1024, 0, 128, 2, 0, {8, 8, 4, 4}},    {1080, 0, 120, 2, 0, {9, 12, 10}},
    {1200, 0, 120, 2, 0, {12, 10, 10}},    {1296, 0, 144, 2, 0, {12, 12, 9}},
    {2560, 0, 256, 1, 0, {16, 16, 10}},
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
    bool found = f->best.stages > 0;
    if (at < 0)
        return;
    f->best = f->line;
    memcpy(f->best.radix, measured[at].radix, sizeof f->best.radix);
    while (f->best.stages < AG_FFT_MAX_STAGES && f->best.radix[f->best.stages])
        ++f->best.stages;
    f->best.threads = measured[at].threads;
    f->best.elements = elements_with(&f->best, f->best.threads);
    // The cost stays the search's: lengths are chosen by what is counted alike for all.
    if (!found)
        f->best_cost = threads_cost(&f->best, f->best.threads);
}

static bool find_line(int32_t length, bool row, int32_t max_invocations, ag_fft_line *line)
{
    // Rows also hold the other channels' values (docs/decisions.md, D16).
    search f = {.line = {.length = length, .row = row},
                .max_elements = row && length <= 3072 ? 10 : 16,
                .max_invocations = max_invocations};
    if (row && length % 2)
        return false;
    search_schedules(&f, 32);
    take_measured(&f);
    return take_best(&f, line);
}

// ---- shared memory -----------------------------------------------------------------------------

static int32_t radix_at(const ag_fft_line *line, int order, int32_t stage)
{
    return line->radix[order ? line->stages - 1 - stage : stage];
}

// Lanes that meet in one of the banks, the worst of each access, over the first accesses of both
// sides of an exchange: writes by a stage of `radix` after `before`, reads by butterflies in order.
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
                worst = ag_max(worst, ++hits[bank]);
            }
            total += worst;
        }
    return total;
}

// Accesses that bank_conflicts looks at: its result when none of them meets another.
static int32_t no_conflicts(const ag_fft_line *line)
{
    int32_t threads = line->threads * line->lines;
    return 2 * ag_div_up(ag_min(threads, 64), line->split ? 32 : 16);
}

// The padding with the fewest conflicts that keeps addresses a sum of the thread's part and a
// constant: blocks must be whole runs of `before`, nest with the radix, and divide the next stage's
// step.
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

// Tries distances between lines that are `step` apart.
static bool plan_shared(ag_fft_line *line, int32_t step)
{
    int32_t places = AG_FFT_SHARED_BYTES / (line->split ? 4 : 8) / line->lines;
    int32_t most = ag_min(line->length + line->length / 8 + 32, places), best = -1, stride = 0;
    if (places < line->length)
        return false;
    // A single line needs no distance to the next.
    int32_t tries = line->lines > 1 ? 32 : 1, least = 2 * (line->stages - 1) * no_conflicts(line);
    for (int32_t less = 0; less < tries && most - less >= line->length && best != least;
         less += step) {
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
                stride = ag_max(stride, line->length + (line->length - 1) / line->block[order][s] *
                                                           line->pad[order][s]);
            }
        line->stride = stride;
    }
    return true;
}

bool ag_fft_plan_shared(ag_fft_line *line)
{
    return plan_shared(line, 8);
}

bool ag_fft_has_line(int32_t length, bool row, int32_t max_invocations)
{
    ag_fft_line line;
    return find_line(length, row, max_invocations, &line);
}

bool ag_fft_plan_line(int32_t length, bool row, int32_t max_invocations, ag_fft_line *line)
{
    if (!find_line(length, row, max_invocations, line))
        return false;
    // Short lines share a group until it has about 128 threads. Columns come in twos: two lines of
    // a tile are whole 32-byte sectors of the spectrum.
    int32_t lines = row ? 1 : 2;
    while (lines < 16 && lines * 2 * line->threads <= 128)
        lines *= 2;
    while (lines > 1 && (lines * line->threads > max_invocations ||
                         lines * length * 4 > AG_FFT_SHARED_BYTES / 16 * 15))
        lines /= 2;
    int at = measured_index(length, row, max_invocations);
    line->lines = at < 0 ? lines : measured[at].lines;
    // Half the memory lets more groups share a multiprocessor; while there is little of it, one
    // round with half the barriers is faster (docs/decisions.md, D18).
    line->split =
        at >= 0 && measured[at].rounds ? measured[at].rounds > 1 : line->lines * length > 1024;
    return ag_fft_plan_shared(line);
}

bool ag_fft_plan_narrow(int32_t length, int32_t kept, int32_t max_invocations, ag_fft_line *out)
{
    search f = {.line = {.length = length, .row = true, .narrow = true},
                .max_elements = 10,
                .max_invocations = max_invocations,
                .kept = kept};
    ag_fft_line line;
    search_narrow(&f);
    if (!take_best(&f, &line))
        return false;
    line.lines = 1;
    while (line.lines * 2 * line.threads <= 128 &&
           line.lines * 2 * length * 4 <= AG_FFT_SHARED_BYTES / 16 * 15)
        line.lines *= 2;
    // Half of the barriers, where the memory serves.
    line.split = line.lines * length * 8 > AG_FFT_SHARED_BYTES / 16 * 15;
    if (!ag_fft_plan_shared(&line))
        return false;
    *out = line;
    return true;
}

bool ag_fft_plan_texels(int32_t length, int32_t channels, int32_t max_invocations,
                        ag_fft_line *line)
{
    // 64 registers of values leave room for a transform and two groups a multiprocessor; 512
    // threads leave 128 registers to each.
    int32_t threads = ag_min(max_invocations, 512);
    search f = {.line = {.length = length},
                .max_elements = channels > 2 ? 8 : 16,
                .max_invocations = threads};
    search_schedules(&f, 32);
    if (!take_best(&f, line))
        return false;
    line->lines = 1;
    while (line->lines < 32 && line->lines * 2 * line->threads <= 128 &&
           line->lines * 2 * length * 4 <= AG_FFT_SHARED_BYTES / 16 * 15)
        line->lines *= 2;
    // Registers limit how many groups share a multiprocessor, not shared memory: one round with
    // half the barriers, wherever it fits.
    line->split = line->lines * length * 8 > AG_FFT_SHARED_BYTES / 16 * 15;
    // Many lines meet in a bank unless odd distances are tried.
    return plan_shared(line, line->lines > 2 ? 1 : 8);
}

// As ag_fft_plan_shared, of lines that also go through shared memory in order, without paddings,
// beside those of the other channels.
static void plan_spread_strides(ag_fft_line *line)
{
    int32_t places = AG_FFT_SHARED_BYTES / 8 / line->lines;
    int32_t most = ag_min(line->length + line->length / 8 + 32, places), best = -1, stride = 0;
    int32_t least = 2 * line->stages * no_conflicts(line);
    for (int32_t at = line->length; at <= most && best != least; ++at) {
        int32_t conflicts =
            choose_paddings(line, at) + 2 * bank_conflicts(line, 1, 1, line->length, 0, at);
        if (best < 0 || conflicts < best) {
            best = conflicts;
            stride = at;
        }
    }
    choose_paddings(line, stride);
}

bool ag_fft_plan_spread(int32_t length, int32_t channels, int32_t max_invocations, ag_fft_line *out)
{
    enum { PLACES = AG_FFT_SHARED_BYTES / 16 * 15 / 8 }; // the rest is for paddings
    int32_t threads = ag_min(max_invocations, 512);
    search f = {.line = {.length = length},
                .max_elements = 8,
                .max_invocations = threads / channels};
    ag_fft_line line;
    if (channels * length > PLACES)
        return false;
    search_schedules(&f, 8);
    if (!take_best(&f, &line))
        return false;
    line.lines = channels;
    while (line.lines * 2 * line.threads <= 128 && line.lines * 2 * length <= PLACES)
        line.lines *= 2;
    plan_spread_strides(&line);
    *out = line;
    return true;
}

bool ag_fft_plan_in_place(int32_t length, int32_t max_invocations, ag_fft_line *line)
{
    int32_t head = length, fours = 0;
    while (head % 4 == 0 && (head > 16 || !butterfly_cost(head, false))) {
        head /= 4;
        ++fours;
    }
    int32_t stride = length + length / 16;
    if (!fours || fours >= AG_FFT_MAX_STAGES || !butterfly_cost(head, false) ||
        length / 4 > max_invocations || stride * 8 > AG_FFT_SHARED_BYTES)
        return false;
    *line = (ag_fft_line){.length = length,
                          .stages = fours + 1,
                          .radix = {head},
                          .threads = length / 4,
                          .elements = head > 4 ? head : 4,
                          .lines = 1,
                          .in_place = true,
                          .stride = stride};
    for (int32_t s = 1; s <= fours; ++s)
        line->radix[s] = 4;
    return true;
}

// Lengths that the planner chooses come from these lists, so that a size that changes every frame
// needs few programs and tables. At most eight an octave, with the powers of two, which are the
// cheapest: those with the least ag_fft_line.cost on average over all sizes, while a step is at
// most 1/7. To choose among all lengths up to 1/8 longer would save 0.3 % of the cost on average,
// 14 % at worst: tests/fft/fft_plan_lines.c holds it there. 4500 is left out: measured, 4608 is
// faster.
static const int16_t row_lengths[] = {
    2,    4,    6,    8,    10,   12,   14,   16,   18,   20,   24,   28,   32,   40,   50,
    54,   56,   64,   72,   80,   90,   96,   108,  112,  128,  144,  160,  180,  192,  200,
    216,  224,  256,  288,  320,  360,  400,  432,  450,  500,  512,  576,  640,  720,  768,
    800,  864,  896,  1024, 1152, 1280, 1296, 1440, 1536, 1600, 1792, 2048, 2304, 2500, 2560,
    2880, 3240, 3456, 3584, 4096, 4608, 5184, 5400, 6144, 6912, 7168, 8192};
static const int16_t column_lengths[] = {
    2,    3,    4,    5,    6,    7,    8,    9,    10,   12,   14,   15,   16,   18,
    20,   24,   25,   27,   32,   36,   40,   42,   48,   50,   56,   64,   72,   80,
    84,   96,   100,  108,  112,  128,  144,  150,  160,  180,  192,  200,  225,  256,
    288,  320,  324,  360,  384,  432,  448,  512,  576,  640,  675,  768,  800,  864,
    900,  1024, 1152, 1200, 1280, 1440, 1536, 1728, 1792, 2048, 2160, 2304, 2560, 2700,
    3072, 3375, 3600, 4096, 4500, 4608, 5120, 5376, 6144, 6912, 7168, 8192};

int32_t ag_fft_good_length(int32_t minimum, bool row, int32_t max_invocations)
{
    const int16_t *lengths = row ? row_lengths : column_lengths;
    int count = row ? sizeof row_lengths / sizeof *row_lengths
                    : sizeof column_lengths / sizeof *column_lengths;
    ag_fft_line line;
    for (int i = 0; i < count; ++i)
        if (lengths[i] >= minimum && find_line(lengths[i], row, max_invocations, &line))
            return lengths[i];
    return 0;
}

// ---- tables and words --------------------------------------------------------------------------

// The powers 1, 2, 4 and 8 come from the table, and all others are at most three products away.
// Each product doubles the rounding error of its factors (docs/decisions.md, D29).
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
