// test_fft_plan.c - the planner of FFT convolutions: lengths, borders, pairs, memory, tables, cost
// SPDX-License-Identifier: MIT
//
// No GL: the planner is pure C.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/convolve.h>

#include "check.h"
#include "fft_plan.h"
#include "random.h"

enum { INVOCATIONS = 1024, ALIGNMENT = 256 };
static const int64_t BLOCK = INT64_C(1) << 27; // llvmpipe's storage blocks

static bool smooth(int n)
{
    static const int primes[] = {2, 3, 5, 7};
    for (int i = 0; i < 4; ++i)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

static int div_up(int a, int b)
{
    return (a + b - 1) / b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// ---- lines -------------------------------------------------------------------------------------

static void check_line(const ag_fft_line *line, int length)
{
    static const int radices[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16};
    int product = 1;
    CHECK_EQ(line->length, length);
    CHECK_F(line->stages >= 1 && line->stages <= AG_FFT_MAX_STAGES, "%d: %d stages", length,
            line->stages);
    for (int s = 0; s < line->stages; ++s) {
        bool known = false;
        for (size_t i = 0; i < sizeof radices / sizeof *radices; ++i)
            known = known || radices[i] == line->radix[s];
        CHECK_F(known, "%d: radix %d", length, line->radix[s]);
        product *= line->radix[s];
        // A thread holds whole butterflies of each stage.
        int butterflies = div_up(length / line->radix[s], line->threads);
        CHECK_F(butterflies * line->radix[s] <= line->elements,
                "%d: stage %d needs %d elements, a thread has %d", length, s,
                butterflies * line->radix[s], line->elements);
    }
    CHECK_EQ(product, length);
    CHECK_F(line->threads >= 1 && line->lines >= 1 && line->threads * line->lines <= INVOCATIONS,
            "%d: %d threads x %d lines", length, line->threads, line->lines);
    CHECK_F(line->elements >= 2 && line->elements <= 16, "%d: %d elements", length, line->elements);
    // The last element's place lies within the line's part of shared memory.
    int last = length - 1 + ((length - 1) >> line->pad_shift);
    CHECK_F(last < line->stride, "%d: element at %d, stride %d", length, last, line->stride);
    CHECK_F(line->stride * line->lines * 4 <= AG_FFT_SHARED_BYTES, "%d: %d bytes shared", length,
            line->stride * line->lines * 4);
    CHECK_F(line->instructions > 0, "%d: no instructions", length);
}

static void test_every_smooth_length(void **state)
{
    // as plan_make asks for rows and columns, and one line alone
    static const int groups[][3] = {{1, 8, 2}, {0, 16, 2}, {1, 1, 1}, {0, 1, 1}};
    (void)state;
    int planned = 0, refused = 0, stages[AG_FFT_MAX_STAGES + 1] = {0}, most = 0, shared = 0;
    for (int n = -1; n <= AG_FFT_MAX_LENGTH + 300; ++n) {
        bool wanted = n >= 2 && n <= AG_FFT_MAX_LENGTH && smooth(n);
        for (size_t g = 0; g < 4; ++g) {
            ag_fft_line line = {0};
            bool good =
                ag_fft_plan_line(n, groups[g][0], groups[g][1], groups[g][2], INVOCATIONS, &line);
            CHECK_F(good == wanted, "length %d: %s", n, good ? "planned" : "refused");
            if (!good)
                continue;
            check_line(&line, n);
            ++stages[line.stages];
            most = larger(most, line.threads * line.lines);
            shared = larger(shared, line.stride * line.lines * 4);
        }
        planned += wanted;
        refused += !wanted;
    }
    printf("  note  %d lengths planned, %d refused; plans by stages 1..5: %d %d %d %d %d\n",
           planned, refused, stages[1], stages[2], stages[3], stages[4], stages[5]);
    CHECK_EQ(planned, 316); // 7-smooth numbers in 2..8192, counted elsewhere
    CHECK_LIMIT("threads of a group, the most", most, 1024);
    CHECK_LIMIT("shared bytes of a group, the most", shared, 32768);
    ag_fft_line line;
    CHECK(!ag_fft_plan_line(INT32_MAX, true, 1, 1, INVOCATIONS, &line));
    CHECK(!ag_fft_plan_line(INT32_MIN, false, 1, 1, INVOCATIONS, &line));
}

// A context may offer fewer invocations than 1024 only below GL 4.3; nothing may exceed the offer.
static void test_few_invocations(void **state)
{
    (void)state;
    int planned = 0;
    for (int max = 1; max <= 1024; max *= 2)
        for (int n = 2; n <= AG_FFT_MAX_LENGTH; ++n) {
            ag_fft_line line;
            if (!ag_fft_plan_line(n, n % 2, 16, 2, max, &line))
                continue;
            CHECK_F(line.threads * line.lines <= max, "length %d: %d threads x %d lines of %d", n,
                    line.threads, line.lines, max);
            ++planned;
        }
    printf("  note  %d plans with 1..1024 invocations\n", planned);
    CHECK(planned > 1000);
}

static void test_describe(void **state)
{
    (void)state;
    ag_fft_line line;
    CHECK(ag_fft_plan_line(2048, true, 8, 2, INVOCATIONS, &line));
    char text[128], part[32];
    ag_fft_describe(&line, text, sizeof text);
    printf("  note  %s\n", text);
    CHECK_HAS(text, "2048 = ");
    snprintf(part, sizeof part, "%d threads", line.threads);
    CHECK_HAS(text, part);
    // However small the buffer, it is neither overrun nor left without its end.
    for (size_t size = 1; size < sizeof text; ++size) {
        memset(text, '#', sizeof text);
        ag_fft_describe(&line, text, size);
        CHECK_F(memchr(text, 0, size) != NULL, "%zu bytes: no end", size);
        CHECK_F(size == sizeof text || text[size] == '#', "%zu bytes: overrun", size);
    }
}

static void test_good_length(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    int where[2] = {0, 0};
    for (int even = 0; even < 2; ++even)
        for (int minimum = -3; minimum <= AG_FFT_MAX_LENGTH; ++minimum) {
            int n = ag_fft_good_length(minimum, even, INVOCATIONS);
            CHECK_F(n >= minimum && n >= 2 && n <= AG_FFT_MAX_LENGTH && smooth(n),
                    "minimum %d gives %d", minimum, n);
            CHECK_F(!even || n % 2 == 0, "minimum %d gives the odd %d", minimum, n);
            double waste = (double)n / minimum - 1;
            if (minimum >= 64 && minimum <= 7000 && waste > worst[even]) {
                worst[even] = waste;
                where[even] = minimum;
            }
        }
    for (int even = 0; even < 2; ++even) {
        char name[96];
        snprintf(name, sizeof name, "waste of %slengths for 64..7000, worst at %d -> %d",
                 even ? "even " : "", where[even],
                 ag_fft_good_length(where[even], even, INVOCATIONS));
        CHECK_LIMIT(name, worst[even], 0.125); // longer lines of better radices are faster
    }
    CHECK_EQ(ag_fft_good_length(AG_FFT_MAX_LENGTH + 1, false, INVOCATIONS), 0);
    CHECK_EQ(ag_fft_good_length(INT32_MAX, true, INVOCATIONS), 0);
}

// ---- whole plans -------------------------------------------------------------------------------

static ag_fft_request request_of(int width, int height, int kernel_width, int kernel_height,
                                 int border)
{
    return (ag_fft_request){.width = width,
                            .height = height,
                            .kernel_width = kernel_width,
                            .kernel_height = kernel_height,
                            .border = border,
                            .channels = 3,
                            .kernel_channels = 1,
                            .layers = 1,
                            .src_bytes = 8,
                            .dst_bytes = 8,
                            .reads_src_again = 1,
                            .max_invocations = INVOCATIONS,
                            .max_block_bytes = BLOCK,
                            .alignment = ALIGNMENT};
}

// The shortest line that holds an axis, straight from the definition.
static int needed(const ag_fft_request *r, bool horizontal, bool *periodic)
{
    int size = horizontal ? r->width : r->height;
    int kernel = horizontal ? r->kernel_width : r->kernel_height, centre = kernel / 2;
    *periodic = false;
    if (r->border == AG_BORDER_ZERO) {
        // what lies beyond the whole image meets only zeros
        return size + smaller(larger(centre, kernel - 1 - centre), size - 1);
    }
    *periodic = r->border == AG_BORDER_WRAP && size >= 2 && smooth(size) && kernel <= size &&
                (!horizontal || size % 2 == 0);
    return *periodic ? size : size + kernel - 1;
}

static void check_axis(const ag_fft_request *r, const ag_fft_plan *p, bool horizontal)
{
    const ag_fft_axis *axis = horizontal ? &p->x : &p->y;
    int size = horizontal ? r->width : r->height;
    int kernel = horizontal ? r->kernel_width : r->kernel_height, centre = kernel / 2;
    bool periodic;
    int need = needed(r, horizontal, &periodic);
    const char *name = horizontal ? "x" : "y";
    check_line(&axis->line, axis->line.length);
    CHECK_F(!horizontal || axis->line.length % 2 == 0, "odd rows of %d", axis->line.length);
    CHECK_F(axis->periodic == periodic, "%s: size %d kernel %d border %d: periodic %d", name, size,
            kernel, r->border, axis->periodic);
    CHECK_F(periodic ? axis->line.length == size : axis->line.length >= need,
            "%s: size %d kernel %d border %d needs %d, got %d", name, size, kernel, r->border, need,
            axis->line.length);
    int low = r->correlate ? kernel - 1 - centre : centre;
    int high = r->correlate ? centre : kernel - 1 - centre;
    if (r->border == AG_BORDER_ZERO) {
        low = smaller(low, size - 1);
        high = smaller(high, size - 1);
    }
    CHECK_F(axis->reach_low == low && axis->reach_high == high,
            "%s: size %d kernel %d border %d: reach %d %d, expected %d %d", name, size, kernel,
            r->border, axis->reach_low, axis->reach_high, low, high);
}

// Every row has exactly one place among the pairs, where the column pass looks for it.
static void check_pairs(const ag_fft_plan *p)
{
    int height = p->request.height, step = p->y.line.length / p->y.line.radix[0];
    CHECK_F(p->pair_distance > 0 && p->pair_distance % step == 0, "distance %d, step %d",
            p->pair_distance, step);
    CHECK_EQ(p->legs * step, p->pair_distance);
    CHECK_F(p->legs >= 1 && p->legs <= div_up(p->y.line.radix[0], 2), "%d legs of radix %d",
            p->legs, p->y.line.radix[0]);
    CHECK_F(p->pairs >= 1 && p->pairs <= p->pair_distance, "%d pairs at distance %d", p->pairs,
            p->pair_distance);
    for (int y = 0; y < height; ++y) {
        bool first = y < p->pairs,
             second = y >= p->pair_distance && y - p->pair_distance < p->pairs;
        CHECK_F(first != second, "row %d of %d is in %d places", y, height, first + second);
    }
    CHECK_F(p->kernel_pairs <= p->kernel_pair_distance &&
                p->kernel_pairs + p->kernel_pair_distance >= p->request.kernel_height,
            "%d kernel pairs at distance %d, %d rows", p->kernel_pairs, p->kernel_pair_distance,
            p->request.kernel_height);
}

static void check_memory(const ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    CHECK_EQ(p->columns * 2, p->x.line.length);
    CHECK(p->tiles * p->tile >= p->columns && (p->tiles - 1) * p->tile < p->columns);
    int64_t row = (int64_t)p->tiles * p->tile * 8; // bytes of one plane's row
    CHECK(p->channel_bytes >= 2 * row * p->pairs &&
          p->channel_bytes < 2 * row * p->pairs + ALIGNMENT);
    CHECK(p->kernel_channel_bytes >= row * p->y.line.length);
    CHECK(p->kernel_scratch_bytes >= 2 * row * p->kernel_pairs * r->kernel_channels);
    CHECK_EQ(p->channel_bytes % ALIGNMENT, 0);
    CHECK_EQ(p->kernel_channel_bytes % ALIGNMENT, 0);
    CHECK_EQ(p->kernel_scratch_bytes / r->kernel_channels % ALIGNMENT, 0);
    CHECK_EQ(p->scratch_bytes, p->channel_bytes * r->channels * r->layers);
    CHECK_EQ(p->kernel_bytes, p->kernel_channel_bytes * r->kernel_channels);
    CHECK(p->channels_a_dispatch == 1 || p->channels_a_dispatch == r->channels);
    CHECK(p->channel_bytes * p->channels_a_dispatch <= r->max_block_bytes);
    CHECK_EQ(p->shared_x, p->x.line.stride * p->x.line.lines * 4);
    CHECK_EQ(p->shared_y, p->y.line.stride * p->y.line.lines * 4);
    for (int i = 0; i < 3; ++i)
        CHECK_F(p->bytes[i] > 0 && p->instructions[i] > 0, "step %d costs nothing", i);
}

static void test_plans(void **state)
{
    (void)state;
    rng r = rng_start("plans", 31);
    int planned[4] = {0}, periodic[2] = {0}, refused = 0;
    for (int i = 0; i < 8000; ++i) {
        int limit = i % 4 ? 600 : 4000;
        ag_fft_request q = request_of(rng_int(&r, 1, limit), rng_int(&r, 1, limit),
                                      rng_int(&r, 1, limit), rng_int(&r, 1, limit), i / 4 % 4);
        if (i % 3 == 0) { // small kernels and smooth sizes, or else wrap is seldom periodic
            q.width = ag_fft_good_length(q.width, i % 2, INVOCATIONS);
            q.height = ag_fft_good_length(q.height, false, INVOCATIONS);
            q.kernel_width = 1 + q.kernel_width % 70;
            q.kernel_height = 1 + q.kernel_height % 70;
        }
        q.correlate = rng_int(&r, 0, 1);
        q.channels = rng_int(&r, 1, 4);
        q.kernel_channels = rng_int(&r, 0, 1) ? 1 : q.channels < 3 ? 3 : q.channels;
        q.layers = rng_int(&r, 1, 3);
        ag_fft_plan p;
        char error[256] = "";
        bool ignored, fits = needed(&q, true, &ignored) <= AG_FFT_MAX_LENGTH &&
                             needed(&q, false, &ignored) <= AG_FFT_MAX_LENGTH;
        CHECK(fits);
        if (!ag_fft_plan_make(&q, &p, error, sizeof error)) {
            CHECK_HAS(error, "bytes"); // the only reason left: a channel beyond the block size
            ++refused;
            continue;
        }
        check_axis(&q, &p, true);
        check_axis(&q, &p, false);
        check_pairs(&p);
        check_memory(&p);
        ++planned[q.border];
        periodic[0] += p.x.periodic;
        periodic[1] += p.y.periodic;
    }
    printf("  note  plans by border: %d %d %d %d; %d, %d periodic; %d beyond the block size\n",
           planned[0], planned[1], planned[2], planned[3], periodic[0], periodic[1], refused);
    CHECK(periodic[0] > 100 && periodic[1] > 100 && refused < 800);
}

static void test_correlate_swaps(void **state)
{
    (void)state;
    for (int kernel = 1; kernel < 40; ++kernel)
        for (int border = 0; border < 4; ++border) {
            ag_fft_plan p[2];
            char error[256];
            ag_fft_request q = request_of(100, 90, kernel, 40 - kernel, border);
            CHECK(ag_fft_plan_make(&q, &p[0], error, sizeof error));
            q.correlate = 1;
            CHECK(ag_fft_plan_make(&q, &p[1], error, sizeof error));
            CHECK_EQ(p[0].x.reach_low, p[1].x.reach_high);
            CHECK_EQ(p[0].x.reach_high, p[1].x.reach_low);
            CHECK_EQ(p[0].y.reach_low, p[1].y.reach_high);
            CHECK_EQ(p[0].y.reach_high, p[1].y.reach_low);
            CHECK_EQ(p[0].x.line.length, p[1].x.line.length);
        }
}

// ---- limits ------------------------------------------------------------------------------------

static void expect_refused(ag_fft_request q, const char *part, const char *part2)
{
    ag_fft_plan p;
    char error[256] = "";
    CHECK_F(!ag_fft_plan_make(&q, &p, error, sizeof error), "%dx%d kernel %dx%d was planned",
            q.width, q.height, q.kernel_width, q.kernel_height);
    printf("  note  %s\n", error);
    CHECK_HAS(error, part);
    CHECK_HAS(error, part2);
}

static void test_too_long(void **state)
{
    (void)state;
    ag_fft_plan p;
    char error[256];
    // The longest that fit, and one texel more.
    ag_fft_request fits[] = {request_of(8192, 4, 1, 1, AG_BORDER_ZERO),
                             request_of(4, 8192, 1, 1, AG_BORDER_CLAMP),
                             request_of(8000, 4, 193, 1, AG_BORDER_MIRROR),
                             request_of(4, 8000, 1, 385, AG_BORDER_ZERO),
                             request_of(8192, 4, 8192, 1, AG_BORDER_WRAP),
                             request_of(4096, 4, 60000, 1, AG_BORDER_ZERO)};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; ++i)
        CHECK_F(ag_fft_plan_make(&fits[i], &p, error, sizeof error), "case %zu: %s", i, error);
    expect_refused(request_of(8193, 4, 1, 1, AG_BORDER_ZERO), "8192", "width 8193");
    expect_refused(request_of(4, 8193, 1, 1, AG_BORDER_CLAMP), "8192", "height 8193");
    expect_refused(request_of(8000, 4, 194, 1, AG_BORDER_MIRROR), "8192", "8193 points");
    expect_refused(request_of(4, 8000, 1, 386, AG_BORDER_ZERO), "8192", "8193 points");
    expect_refused(request_of(8192, 4, 8193, 1, AG_BORDER_WRAP), "8192", "kernel of 8193");
    expect_refused(request_of(4097, 4, 60000, 1, AG_BORDER_ZERO), "8192", "8193 points");
    expect_refused(request_of(65536, 65536, 65536, 65536, AG_BORDER_CLAMP), "8192", "131071");
}

static void test_block_limit(void **state)
{
    static const int channels[][2] = {{3, 1}, {3, 3}, {4, 4}, {4, 1}, {1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof channels / sizeof *channels; ++i) {
        ag_fft_plan p;
        char error[256], part[64];
        ag_fft_request q = request_of(256, 200, 31, 41, AG_BORDER_ZERO);
        q.channels = channels[i][0];
        q.kernel_channels = channels[i][1];
        CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
        CHECK_EQ(p.channels_a_dispatch, q.channels);
        int64_t channel =
            p.channel_bytes > p.kernel_channel_bytes ? p.channel_bytes : p.kernel_channel_bytes;
        int64_t all = p.channel_bytes * q.channels;
        if (p.kernel_bytes > all)
            all = p.kernel_bytes;
        q.max_block_bytes = all;
        CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
        CHECK_EQ(p.channels_a_dispatch, q.channels);
        q.max_block_bytes = q.channels > 1 ? all - 1 : all;
        CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
        CHECK_EQ(p.channels_a_dispatch, 1);
        q.max_block_bytes = channel;
        CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
        CHECK_EQ(p.channels_a_dispatch, 1);
        q.max_block_bytes = channel - 1;
        snprintf(part, sizeof part, "%lld bytes", (long long)channel);
        char limit[32];
        snprintf(limit, sizeof limit, "%lld", (long long)channel - 1);
        expect_refused(q, part, limit);
    }
}

// ---- tables and cost ---------------------------------------------------------------------------

// The largest error of one half of a table, from its description in fft_plan.h; counts its entries.
static double table_error(const ag_fft_line *line, bool reverse, const float *table, int *used)
{
    const long double turn = 6.283185307179586476925286766559L;
    double worst = 0;
    int before = 1;
    for (int s = 0; s < line->stages; ++s) {
        int radix = line->radix[reverse ? line->stages - 1 - s : s];
        for (int m = 0; s > 0 && m < before; ++m)
            for (int power = 1; power <= (radix > 4 ? 8 : 2); power *= 2) {
                long double angle = -turn * m * power / ((long double)before * radix);
                const float *w = table + 4 * *used + (power == 1 || power == 4 ? 0 : 2);
                worst = fmax(worst, fabs((double)((long double)w[0] - cosl(angle))));
                worst = fmax(worst, fabs((double)((long double)w[1] - sinl(angle))));
                *used += power == 2 || power == 8;
            }
        before *= radix;
    }
    return worst;
}

static void test_twiddles(void **state)
{
    (void)state;
    double worst = 0;
    int tables = 0;
    for (int n = 2; n <= AG_FFT_MAX_LENGTH; ++n) {
        ag_fft_line line;
        if (!smooth(n) || !ag_fft_plan_line(n, n % 4 == 0, 8, 2, INVOCATIONS, &line))
            continue;
        for (int reverse = 0; reverse < 2; ++reverse, ++tables) {
            int count = ag_fft_twiddle_count(&line, reverse), used = 0;
            float *table = malloc(4 * sizeof *table * (size_t)(count + 1));
            CHECK(table != NULL);
            table[4 * count] = 77.0f; // a guard
            ag_fft_twiddles(&line, reverse, table);
            worst = fmax(worst, table_error(&line, false, table, &used));
            if (reverse)
                worst = fmax(worst, table_error(&line, true, table, &used));
            CHECK_F(used == count, "length %d: %d entries, %d expected", n, count, used);
            CHECK_F(table[4 * count] == 77.0f, "length %d: the table was overrun", n);
            free(table);
        }
    }
    char name[80];
    snprintf(name, sizeof name, "twiddles of %d tables against long double", tables);
    CHECK_LIMIT(name, worst, 0x1.0001p-25); // half a unit of a float below 1, rounded in double
}

// The traffic that the algorithm must have, from its description alone: real rows give width / 2
// complex values of 8 bytes a channel; columns read and write them, and read the kernel's.
static void test_cost(void **state)
{
    (void)state;
    for (int again = 0; again < 2; ++again) {
        ag_fft_request q = request_of(2048, 2048, 255, 255, AG_BORDER_WRAP);
        q.reads_src_again = again;
        ag_fft_plan p;
        char error[256];
        CHECK(ag_fft_plan_make(&q, &p, error, sizeof error));
        CHECK(p.x.periodic && p.y.periodic);
        const int64_t mib = 1 << 20;
        int64_t rows = 4 * mib * 8 + 3 * 2048 * 1024 * INT64_C(8);
        int64_t columns = 2 * 3 * 2048 * 1024 * INT64_C(8) + 1024 * 2048 * INT64_C(8);
        int64_t back = 3 * 2048 * 1024 * INT64_C(8) + 4 * mib * 8 * (again ? 2 : 1);
        CHECK_EQ(p.bytes[0], rows);
        CHECK_EQ(p.bytes[1], columns);
        CHECK_EQ(p.bytes[2], back);
        double texel = (double)(rows + columns + back) / (2048.0 * 2048.0);
        printf(
            "  note  2048x2048 RGBA16F, wrap, one kernel channel, src read %s: %g bytes a texel\n",
            again ? "twice" : "once", texel);
        CHECK_EQ(texel, again ? 76 : 68);
    }
    // Layers and channels multiply it.
    ag_fft_plan one, two;
    char error[256];
    ag_fft_request q = request_of(300, 200, 31, 31, AG_BORDER_ZERO);
    CHECK(ag_fft_plan_make(&q, &one, error, sizeof error));
    q.layers = 5;
    CHECK(ag_fft_plan_make(&q, &two, error, sizeof error));
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(two.bytes[i], 5 * one.bytes[i]);
        CHECK_EQ(two.instructions[i], 5 * one.instructions[i]);
    }
    CHECK_EQ(two.scratch_bytes, 5 * one.scratch_bytes);
    CHECK_EQ(two.kernel_bytes, one.kernel_bytes);
    // 5 N log2 N floating-point operations is the usual count of a complex FFT. Counting memory
    // instructions as well, and fused multiply-adds as one, a plan stays near it.
    double ratio =
        (double)one.x.line.instructions / (5.0 * one.x.line.length * log2(one.x.line.length));
    CHECK_LIMIT("instructions of a row over 5 N log2 N", ratio, 3.0);
    CHECK_LIMIT("5 N log2 N over instructions of a row", 1 / ratio, 3.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_smooth_length),
        cmocka_unit_test(test_few_invocations),
        cmocka_unit_test(test_describe),
        cmocka_unit_test(test_good_length),
        cmocka_unit_test(test_plans),
        cmocka_unit_test(test_correlate_swaps),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_block_limit),
        cmocka_unit_test(test_twiddles),
        cmocka_unit_test(test_cost),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
