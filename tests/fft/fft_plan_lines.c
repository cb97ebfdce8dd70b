// fft_plan_lines.c - what the planner promises of one line: radices, threads, shared memory,
// lengths
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "test_fft_plan.h"

bool smooth(int n)
{
    static const int primes[] = {2, 3, 5, 7};
    for (int i = 0; i < 4; ++i)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

// ROUNDS of shaders/fft/line.glsl, of a stage in the order of the plan.
static int rounds_of(const ag_fft_line *line, int stage)
{
    int count = line->length / line->radix[stage];
    bool mirrored = line->row && stage == line->stages - 1;
    int pairs = count / 2 + count % 2;
    return mirrored ? 2 * div_up(pairs, line->threads) : div_up(count, line->threads);
}

static void check_stages(const ag_fft_line *line)
{
    static const int radices[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16};
    int product = 1, n = line->length;
    CHECK_F(line->stages >= 1 && line->stages <= AG_FFT_MAX_STAGES, "%d: %d stages", n,
            line->stages);
    for (int s = 0; s < line->stages; ++s) {
        int radix = line->radix[s];
        bool known = false;
        product *= radix;
        if (line->narrow && s == line->stages - 1)
            break; // sums of any length
        for (size_t i = 0; i < sizeof radices / sizeof *radices; ++i)
            known = known || radices[i] == radix;
        CHECK_F(known, "%d: radix %d", n, radix);
        // A thread holds whole butterflies of each stage.
        CHECK_F(rounds_of(line, s) * radix <= line->elements,
                "%d: stage %d needs %d elements, a thread has %d", n, s, rounds_of(line, s) * radix,
                line->elements);
    }
    CHECK_EQ(product, n);
}

void check_line(const ag_fft_line *line, int length, bool row, int max_invocations)
{
    CHECK_EQ(line->length, length);
    CHECK_F(line->row == row && (!row || length % 2 == 0), "%d: row %d, asked %d", length,
            line->row, row);
    check_stages(line);
    CHECK_F(line->threads >= 1 && line->lines >= 1 &&
                line->threads * line->lines <= max_invocations,
            "%d: %d threads x %d lines of %d", length, line->threads, line->lines, max_invocations);
    // Groups of columns begin on whole tiles, or tiles are whole groups.
    CHECK_F(line->lines % AG_FFT_TILE == 0 || AG_FFT_TILE % line->lines == 0, "%d: %d lines",
            length, line->lines);
    CHECK_F(line->elements >= 2 && line->elements <= 32, "%d: %d elements", length, line->elements);
    // Compact storage and rows_c2r.comp with PER_CHANNEL also take the N places unpadded.
    CHECK_F(line->stride >= length, "%d: stride %d", length, line->stride);
    int bytes = line->lines * line->stride * (line->split ? 4 : 8);
    CHECK_EQ(ag_fft_shared_bytes(line), bytes);
    CHECK_F(bytes <= AG_FFT_SHARED_BYTES, "%d: %d bytes shared", length, bytes);
}

void test_every_smooth_length(void **state)
{
    (void)state;
    int planned[2] = {0}, split[2] = {0};
    for (int n = -1; n <= AG_FFT_MAX_LENGTH + 300; ++n)
        for (int row = 0; row < 2; ++row) {
            bool wanted = n >= 2 && n <= AG_FFT_MAX_LENGTH && smooth(n) && !(row && n % 2);
            ag_fft_line line = {0};
            bool good = ag_fft_plan_line(n, row, INVOCATIONS, &line);
            CHECK_F(good == wanted, "%s of %d: %s", row ? "row" : "column", n,
                    good ? "planned" : "refused");
            if (!good)
                continue;
            check_line(&line, n, row, INVOCATIONS);
            CHECK(line.elements <= 16);
            ++planned[row];
            split[line.split] += 1;
        }
    printf("  note  %d columns, %d rows planned\n", planned[0], planned[1]);
    CHECK_EQ(planned[0], 316); // 7-smooth numbers in 2..8192, from an independent count
    CHECK_EQ(planned[1], 248); // and the even ones
    CHECK(split[0] > 0 && split[1] > 0);
    ag_fft_line line;
    for (int row = 0; row < 2; ++row) {
        CHECK(!ag_fft_plan_line(INT32_MAX, row, INVOCATIONS, &line));
        CHECK(!ag_fft_plan_line(INT32_MIN, row, INVOCATIONS, &line));
    }
}

// GL 4.3 promises 1024 invocations; earlier contexts may have fewer. No plan may exceed the limit.
void test_few_invocations(void **state)
{
    (void)state;
    int planned = 0;
    for (int max = 1; max < INVOCATIONS; max *= 2)
        for (int n = 2; n <= AG_FFT_MAX_LENGTH; ++n)
            for (int row = 0; row < 2; ++row) {
                ag_fft_line line;
                if (!smooth(n) || !ag_fft_plan_line(n, row, max, &line))
                    continue;
                check_line(&line, n, row, max);
                ++planned;
            }
    printf("  note  %d plans with 1..512 invocations\n", planned);
    CHECK(planned > 1000);
}

void test_good_length(void **state)
{
    (void)state;
    for (int even = 0; even < 2; ++even) {
        double worst = 0;
        for (int minimum = -3; minimum <= AG_FFT_MAX_LENGTH; ++minimum) {
            int n = ag_fft_good_length(minimum, even, INVOCATIONS);
            CHECK_F(n >= minimum && n >= 2 && n <= AG_FFT_MAX_LENGTH && smooth(n),
                    "minimum %d gives %d", minimum, n);
            CHECK_F(!even || n % 2 == 0, "minimum %d gives the odd %d", minimum, n);
            worst = minimum < 64 ? 0 : check_worse(worst, (double)n / minimum - 1);
        }
        // longer lines of better radices are faster
        CHECK_LIMIT(even ? "waste of even lengths from 64 on" : "waste of lengths from 64 on",
                    worst, 1.0 / 7);
    }
    CHECK_EQ(ag_fft_good_length(AG_FFT_MAX_LENGTH + 1, false, INVOCATIONS), 0);
    CHECK_EQ(ag_fft_good_length(INT32_MAX, true, INVOCATIONS), 0);
}

// Sizes that change every frame must need few programs: there are few lengths an octave, and they
// cost little more than the best ones.
void test_few_lengths(void **state)
{
    (void)state;
    for (int row = 0; row < 2; ++row) {
        int64_t cost[AG_FFT_MAX_LENGTH + 1] = {0}; // 0: cannot be planned
        for (int n = 2; n <= AG_FFT_MAX_LENGTH; ++n) {
            ag_fft_line line;
            if (smooth(n) && ag_fft_plan_line(n, row, INVOCATIONS, &line))
                cost[n] = line.cost;
        }
        int steps = 0, octave = 64, last = 0, most = 0, where = 0;
        double sum = 0, weights = 0, worst = 1;
        for (int m = 65; m <= AG_FFT_MAX_LENGTH; ++m) {
            int n = ag_fft_good_length(m, row, INVOCATIONS);
            CHECK_F(n >= last && ag_fft_good_length(n, row, INVOCATIONS) == n, "%d -> %d", m, n);
            steps += n != last;
            last = n;
            if (m == 2 * octave) {
                most = larger(most, steps);
                steps = 0;
                octave *= 2;
            }
            int64_t best = 0; // as if all lengths were offered
            for (int q = m; q <= AG_FFT_MAX_LENGTH && (!best || q <= m + m / 8); ++q)
                if (cost[q] && (!best || cost[q] < best))
                    best = cost[q];
            double ratio = (double)cost[n] / (double)best;
            sum += ratio / m; // every octave counts the same
            weights += 1.0 / m;
            if (ratio > worst) {
                worst = ratio;
                where = m;
            }
        }
        char name[96];
        CHECK_LIMIT(row ? "lengths of rows an octave" : "lengths of columns an octave", most, 8);
        snprintf(name, sizeof name, "cost of a step over the best length, mean (%s)",
                 row ? "rows" : "columns");
        CHECK_LIMIT(name, sum / weights - 1, 0.0035);
        snprintf(name, sizeof name, "cost of a step over the best length, worst at %d", where);
        CHECK_LIMIT(name, worst - 1, 0.145);
    }
}

// Rows of few frequencies, as shaders/fft/rows_store.glsl and rows_c2r.comp need them; which there
// are for what bloom keeps: a 16th to a 64th of a line.
void test_narrow_rows(void **state)
{
    (void)state;
    static const int invocations[] = {INVOCATIONS, 256};
    for (int i = 0; i < 2; ++i)
        for (int length = 0; (length = ag_fft_good_length(length + 1, true, INVOCATIONS)) > 0;)
            for (int kept = 4; kept <= length / 2; kept += 4) {
                ag_fft_line line;
                bool some = ag_fft_plan_narrow(length, kept, invocations[i], &line);
                bool asked = length >= 512 && length <= 8 * invocations[i] && length >= 16 * kept &&
                             length <= 64 * kept;
                CHECK_F(some || !asked, "%d with %d kept: none", length, kept);
                if (!some)
                    continue;
                check_line(&line, length, true, invocations[i]);
                int parts = line.radix[line.stages - 1], inner = line.radix[line.stages - 2];
                CHECK_F(line.narrow && length / parts >= 2 * kept && line.threads >= 2 * kept &&
                            inner % 2 == 0,
                        "%d with %d kept: %d sums, %d threads, radix %d before", length, kept,
                        parts, line.threads, inner);
            }
}
