// test_fft_plan.c - the planner of FFT convolutions: lengths, borders, pairs, memory, tables, cost
// SPDX-License-Identifier: MIT
//
// No GL: the planner is pure C.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <afterglow/convolve.h>

#include "random.h"
#include "shaders/common/interface.h"
#include "test_fft_plan.h"

enum { ALIGNMENT = 256 };
static const int64_t BLOCK = INT64_C(1) << 27; // llvmpipe's storage blocks

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
                            .per_channel_pairs = 300,
                            .max_invocations = INVOCATIONS,
                            .max_block_bytes = BLOCK,
                            .alignment = ALIGNMENT};
}

static ag_fft_plan plan_of(const ag_fft_request *q)
{
    ag_fft_plan p;
    char error[256] = "";
    CHECK_F(ag_fft_plan_make(q, &p, error, sizeof error), "%s", error);
    return p;
}

// The shortest line that holds an axis, straight from the definition.
static int needed(const ag_fft_request *r, bool horizontal, bool *periodic)
{
    int size = horizontal ? r->width : r->height;
    int kernel = horizontal ? r->kernel_width : r->kernel_height, centre = kernel / 2;
    *periodic = false;
    if (r->border == AG_BORDER_ZERO) {
        // taps beyond the whole image read zeros only
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
    check_line(&axis->line, axis->line.length, horizontal, INVOCATIONS);
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

static void check_memory(const ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    int lines = p->y.line.lines, length = p->y.line.length;
    CHECK_EQ((p->columns - 1) * 2, p->x.line.length); // 0 .. n / 2
    CHECK_EQ(p->tiles, div_up(p->columns, AG_FFT_TILE));
    // Rows 2p and 2p + 1 share a line; the last may be alone.
    CHECK_EQ(p->pairs, div_up(r->height, 2));
    CHECK_EQ(p->kernel_pairs, div_up(r->kernel_height, 2));
    int64_t row = (int64_t)p->tiles * AG_FFT_TILE * 16; // bytes of a pair of rows
    CHECK(p->channel_bytes >= row * p->pairs && p->channel_bytes < row * p->pairs + ALIGNMENT);
    // The last frequency of the last column, as fft/columns.comp finds it.
    int64_t last = (int64_t)((p->columns - 1) / lines) * length * lines + (p->columns - 1) % lines +
                   (int64_t)(length - 1) * lines;
    CHECK(p->kernel_channel_bytes >= (last + 1) * 8);
    CHECK(p->kernel_channel_bytes < ((int64_t)p->columns + lines) * length * 8 + ALIGNMENT);
    CHECK(p->kernel_scratch_bytes >= row * p->kernel_pairs * r->kernel_channels);
    CHECK_EQ(p->channel_bytes % ALIGNMENT, 0);
    CHECK_EQ(p->kernel_channel_bytes % ALIGNMENT, 0);
    CHECK_EQ(p->kernel_scratch_bytes / r->kernel_channels % ALIGNMENT, 0);
    CHECK_EQ(p->scratch_bytes, p->channel_bytes * r->channels * r->layers);
    CHECK_EQ(p->kernel_bytes, p->kernel_channel_bytes * r->kernel_channels);
    CHECK(p->channels_a_dispatch == 1 || p->channels_a_dispatch == r->channels);
    CHECK(p->channel_bytes * p->channels_a_dispatch <= r->max_block_bytes);
    // One work group per channel: the channels of a pair are the lines of a group of the C2R row
    // pass.
    CHECK(p->rows_c2r.narrow == p->x.line.narrow);
    if (p->per_channel || !p->x.line.narrow)
        CHECK_EQ(p->rows_c2r.lines, p->per_channel ? p->request.channels : p->x.line.lines);
    CHECK_EQ(p->rows_c2r.length, p->x.line.length);
    if (!p->x.line.narrow)
        CHECK_EQ(p->rows_c2r.threads, p->x.line.threads);
    CHECK(p->rows_c2r.threads * p->rows_c2r.lines <= p->request.max_invocations);
    CHECK(ag_fft_shared_bytes(&p->rows_c2r) <= AG_FFT_SHARED_BYTES);
    if (p->per_channel)
        CHECK(p->request.channels > 1 && p->channels_a_dispatch == p->request.channels);
    for (int i = 0; i < 3; ++i)
        CHECK_F(p->bytes[i] > 0, "step %d moves nothing", i);
}

static void test_plans(void **state)
{
    (void)state;
    rng r = rng_start("plans", 31);
    int planned[4] = {0}, periodic[2] = {0}, refused = 0;
    for (int i = 0; i < 1300; ++i) {
        int limit = i % 4 ? 600 : 4000;
        ag_fft_request q = request_of(rng_int(&r, 1, limit), rng_int(&r, 1, limit),
                                      rng_int(&r, 1, limit), rng_int(&r, 1, limit), i / 4 % 4);
        if (i % 3 == 0) { // smooth sizes and small kernels: wrap has periodic lines more often
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
        check_memory(&p);
        ++planned[q.border];
        periodic[0] += p.x.periodic;
        periodic[1] += p.y.periodic;
    }
    printf("  note  plans by border: %d %d %d %d; %d, %d periodic; %d beyond the block size\n",
           planned[0], planned[1], planned[2], planned[3], periodic[0], periodic[1], refused);
    CHECK(periodic[0] > 30 && periodic[1] > 30 && refused < 130);
}

// Images with few row pairs have one work group per channel; images as large as a frame do not.
// This tests both sides of the limit, and the conditions that forbid it.
static void test_per_channel(void **state)
{
    static const struct {
        int height, channels;
        bool per_channel;
    } cases[] = {{512, 3, true}, {600, 3, true}, {601, 3, false}, {1080, 3, false},
                 {600, 2, true}, {600, 4, true}, {600, 1, false}, {1024, 3, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ag_fft_request q = request_of(512, cases[i].height, 31, 31, AG_BORDER_ZERO);
        q.channels = cases[i].channels;
        ag_fft_plan p = plan_of(&q);
        CHECK_F(p.per_channel == cases[i].per_channel, "height %d, %d channels: spread %d",
                cases[i].height, q.channels, p.per_channel);
        q.max_block_bytes = p.channel_bytes > p.kernel_bytes ? p.channel_bytes : p.kernel_bytes;
        CHECK(!plan_of(&q).per_channel); // each channel has a block of its own
    }
}

// A spectrum that ends at `band` cycles a texel: every column within it is kept, and at most a tile
// more; all of them where little would be left out.
static void test_band(void **state)
{
    (void)state;
    rng r = rng_start("band", 34);
    int limited = 0;
    for (int i = 0; i < 500; ++i) {
        ag_fft_request q = request_of(rng_int(&r, 16, 2000), rng_int(&r, 16, 600), 31, 17, 0);
        q.band = rng_uniform(&r, 0.01, 0.5);
        ag_fft_plan p = plan_of(&q);
        int within = (int)floor(q.band * p.x.line.length) + 1;
        bool all = p.kept == p.columns;
        CHECK_F(all || (p.kept >= within && p.kept <= within + AG_FFT_TILE),
                "%d points, band %g: %d columns", p.x.line.length, q.band, p.kept);
        CHECK(!all || within > p.columns / 2);
        limited += !all;
    }
    printf("  note  %d of 500 plans leave columns out\n", limited);
    CHECK(limited > 100);
}

// A kernel of a known form takes what its layout in shaders/fft/kernel_spectrum.glsl needs, never
// more than one of no form; nothing else of the plan changes.
static void test_kernel_forms(void **state)
{
    (void)state;
    rng r = rng_start("kernel forms", 32);
    for (int i = 0; i < 170; ++i) {
        ag_fft_request q = request_of(rng_int(&r, 1, 900), rng_int(&r, 1, 900), rng_int(&r, 1, 99),
                                      rng_int(&r, 1, 99), i % 4);
        q.kernel_channels = i % 3 ? 3 : 1;
        ag_fft_plan any = plan_of(&q);
        for (int form = AG_KERNEL_COMPLEX + 1; form <= AG_KERNEL_LINES; ++form) {
            q.kernel_form = form;
            ag_fft_plan p = plan_of(&q);
            int n = p.y.line.length, lines = p.y.line.lines, columns = p.columns;
            int64_t stored = form == AG_KERNEL_MIRRORED ? n / 2 + 1 : n; // of a column
            int last = columns - 1;
            // one more than the place of the last frequency of column n / 2 of the rows
            int64_t values = form == AG_KERNEL_LINES ? columns + n / 2 + 1 + 2
                                                     : last / lines * stored * lines +
                                                           last % lines + (stored - 1) * lines + 1;
            CHECK(p.kernel_channel_bytes >= 4 * values && p.kernel_channel_bytes % ALIGNMENT == 0);
            CHECK(p.kernel_channel_bytes <= any.kernel_channel_bytes ||
                  any.kernel_channel_bytes <= 3 * ALIGNMENT);
            CHECK_EQ(p.kernel_bytes, p.kernel_channel_bytes * q.kernel_channels);
            CHECK(p.bytes[1] <= any.bytes[1] || columns < 3 || n < 3);
            CHECK(p.bytes[0] == any.bytes[0] && p.bytes[2] == any.bytes[2]);
            ag_fft_plan later = any; // known after planning only: the same plan
            ag_fft_plan_kernel(&later, form);
            // known before planning: memory for any form is added where that is little
            CHECK(form == AG_KERNEL_LINES ? later.kernel_bytes <= p.kernel_bytes
                                          : later.kernel_bytes == p.kernel_bytes);
            CHECK(p.kernel_bytes == later.kernel_bytes || any.kernel_channel_bytes <= 1 << 20);
            CHECK_EQ(later.bytes[1], p.bytes[1]);
        }
    }
}

// Compact storage: what the layout of shaders/fft/spectrum.glsl takes and no more than 0.65 of full
// storage in an image of some size; rows come in twos where they can; the kernel's spectrum stays
// as it is.
static void test_compact(void **state)
{
    (void)state;
    rng r = rng_start("compact", 33);
    int paired = 0;
    for (int i = 0; i < 330; ++i) {
        int limit = i % 4 ? 600 : 4000;
        ag_fft_request q = request_of(rng_int(&r, 1, limit), rng_int(&r, 1, limit), 31, 17, i % 4);
        q.channels = 1 + i % 4;
        ag_fft_plan full = plan_of(&q);
        q.storage = AG_STORAGE_COMPACT;
        ag_fft_plan p = plan_of(&q);
        CHECK_EQ(p.share, p.y.line.lines > 1 ? 2 : 1);
        int64_t runs = (int64_t)p.tiles * div_up(p.pairs, 2);
        int64_t words =
            16 * runs + 2 * runs + 4 / p.share * runs + 4 * AG_FFT_EXACT * (int64_t)p.pairs;
        CHECK(p.channel_bytes >= 4 * words && p.channel_bytes < 4 * words + ALIGNMENT);
        if (p.columns > 200 && p.pairs > 20)
            CHECK_F(p.channel_bytes <= full.channel_bytes * (p.share == 2 ? 70 : 76) / 100,
                    "%d columns of %d pairs: %lld bytes, full %lld", p.columns, p.pairs,
                    (long long)p.channel_bytes, (long long)full.channel_bytes);
        CHECK_EQ(p.kernel_bytes, full.kernel_bytes);
        CHECK_EQ(p.kernel_scratch_bytes, full.kernel_scratch_bytes);
        // A scale for eight values that rows write, for four of `share` columns that columns do.
        int64_t values = (int64_t)p.kept * q.height * q.channels,
                texels = (int64_t)q.width * q.height;
        int64_t rows = values * 4 + values / 2, columns = values * 4 + values / p.share;
        CHECK_EQ(p.bytes[0], texels * q.src_bytes + rows);
        CHECK_EQ(p.bytes[2], columns + texels * (q.dst_bytes + q.src_bytes));
        CHECK(p.bytes[0] < full.bytes[0] && p.bytes[1] < full.bytes[1] &&
              p.bytes[2] < full.bytes[2]);
        check_line(&p.y.line, full.y.line.length, false, INVOCATIONS);
        CHECK_EQ(p.x.line.length, full.x.line.length);
        CHECK_EQ(p.x.line.threads, full.x.line.threads);
        CHECK(p.x.line.lines == full.x.line.lines ||
              (p.x.line.lines == 2 && full.x.line.lines == 1));
        CHECK(ag_fft_shared_bytes(&p.x.line) <= AG_FFT_SHARED_BYTES);
        CHECK(p.x.line.lines * p.x.line.threads <= INVOCATIONS);
        paired += p.x.line.lines > full.x.line.lines;
    }
    CHECK(paired > 30);
    // 2048 x 2048: 4.5 bytes for each value that takes 8 in full storage.
    ag_fft_request q = request_of(2048, 2048, 255, 255, AG_BORDER_WRAP);
    q.storage = AG_STORAGE_COMPACT;
    ag_fft_plan p = plan_of(&q);
    CHECK_EQ((double)(p.bytes[0] + p.bytes[1] + p.bytes[2]) / (2048.0 * 2048.0), 55);
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
    // The largest sizes that are allowed, and one texel more.
    const ag_fft_request fits[] = {request_of(8192, 4, 1, 1, AG_BORDER_ZERO),
                                   request_of(4, 8192, 1, 1, AG_BORDER_CLAMP),
                                   request_of(8000, 4, 193, 1, AG_BORDER_MIRROR),
                                   request_of(4, 8000, 1, 385, AG_BORDER_ZERO),
                                   request_of(8192, 4, 8192, 1, AG_BORDER_WRAP),
                                   request_of(4096, 4, 60000, 1, AG_BORDER_ZERO)};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; ++i)
        plan_of(&fits[i]);
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
        ag_fft_request q = request_of(256, 200, 31, 41, AG_BORDER_ZERO);
        q.channels = channels[i][0];
        q.kernel_channels = channels[i][1];
        ag_fft_plan p = plan_of(&q);
        CHECK_EQ(p.channels_a_dispatch, q.channels);
        int64_t all = p.channel_bytes * q.channels;
        all = p.kernel_bytes > all ? p.kernel_bytes : all;
        int64_t one =
            p.channel_bytes > p.kernel_channel_bytes ? p.channel_bytes : p.kernel_channel_bytes;
        q.max_block_bytes = all;
        CHECK_EQ(plan_of(&q).channels_a_dispatch, q.channels);
        q.max_block_bytes = q.channels > 1 ? all - 1 : all;
        CHECK_EQ(plan_of(&q).channels_a_dispatch, 1);
        q.max_block_bytes = one;
        CHECK_EQ(plan_of(&q).channels_a_dispatch, 1);
        q.max_block_bytes = one - 1;
        char part[64], limit[32];
        snprintf(part, sizeof part, "%lld bytes", (long long)one);
        snprintf(limit, sizeof limit, "%lld", (long long)one - 1);
        expect_refused(q, part, limit);
    }
}

// ---- cost --------------------------------------------------------------------------------------

// The traffic that the algorithm must have, from its description alone: real rows give width / 2 +
// 1 complex values of 8 bytes a channel; columns read and write them, and read the kernel's. Layers
// multiply it.
static void test_cost(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        const int64_t texels = 4 << 20, half = 2048 * 1025 * INT64_C(8), layers = 1 + 4 * (i / 2);
        ag_fft_request q = request_of(2048, 2048, 255, 255, AG_BORDER_WRAP);
        q.reads_src_again = i % 2;
        q.layers = 1 + 4 * (i / 2);
        ag_fft_plan p = plan_of(&q);
        CHECK(p.x.periodic && p.y.periodic);
        CHECK_EQ(p.bytes[0], layers * (texels * 8 + 3 * half));
        CHECK_EQ(p.bytes[1], layers * (2 * 3 * half + half));
        CHECK_EQ(p.bytes[2], layers * (3 * half + texels * 8 * (1 + i % 2)));
        CHECK_EQ(p.scratch_bytes, layers * 3 * p.channel_bytes);
    }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_every_smooth_length),
        UNIT_TEST(test_few_invocations),
        UNIT_TEST(test_good_length),
        UNIT_TEST(test_few_lengths),
        UNIT_TEST(test_narrow_rows),
        UNIT_TEST(test_banks),
        UNIT_TEST(test_plans),
        UNIT_TEST(test_per_channel),
        UNIT_TEST(test_band),
        UNIT_TEST(test_kernel_forms),
        UNIT_TEST(test_compact),
        UNIT_TEST(test_too_long),
        UNIT_TEST(test_block_limit),
        UNIT_TEST(test_cost),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
