// test_depth_of_field.c - "depth_of_field" against its definition, and what the definition promises
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "focusing.h"
#include "minimums.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC, DEPTH, DST, SLOTS };

// Of values up to 1: RGBA16F rounds each texel of a layer by half of 2^-11 of it, and the near
// result once more; the table adds 1e-5 at these sizes.
#define LAYER_ERROR 6e-4

// ---- against the definition --------------------------------------------------------------------

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1}, {33, 1}, {2, 35}, {17, 16}, {61, 47}, {131, 77}};
    fixture *f = *state;
    rng r = rng_start("sizes", 710);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("sizes", 9);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k < 6; ++k) {
            if (!sweep_takes(share))
                continue;
            double *depth = focusing_scene(&r, sizes[i][0], sizes[i][1]);
            double *src = focusing_noise(&r, sizes[i][0], sizes[i][1], 0, 1);
            focusing b = focusing_of(f, "scene", sizes[i][0], sizes[i][1], src, depth);
            b.settings.shape = k % 3;
            b.settings.storage = k / 3;
            b.settings.f_number = (float)rng_uniform(&r, 0.02, 0.2) * (float)sizes[i][1] / 10;
            b.settings.f_number = fmaxf(b.settings.f_number, 0.5f);
            b.settings.focal_length = (float)rng_uniform(&r, 60, 200);
            b.settings.max_radius = (float)rng_uniform(&r, 9, 40);
            b.tables = AG_TABLES_IMAGE + ((int)i + k) % 3;
            good = focusing_check(f, pass, &b, LAYER_ERROR) && good;
            free(src);
            free(depth);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Depths as engines store them, in every format.
static void test_encodings(void **state)
{
    static const uint32_t formats[] = {0,
                                       GL_DEPTH_COMPONENT16,
                                       GL_DEPTH_COMPONENT24,
                                       GL_DEPTH_COMPONENT32,
                                       GL_DEPTH_COMPONENT32F,
                                       GL_DEPTH24_STENCIL8,
                                       GL_DEPTH32F_STENCIL8};
    enum { W = 45, H = 38 };
    fixture *f = *state;
    rng r = rng_start("encodings", 711);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("encodings", 4);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        if (!sweep_takes(share))
            continue;
        int layers = i % 3 ? 2 : 0, all = W * H * (layers ? layers : 1);
        double *z = focusing_scene(&r, W, H * (layers ? layers : 1)),
               *stored = check_doubles(W * H * 2);
        double *src = focusing_noise(&r, W, H * (layers ? layers : 1), 0, 1);
        focusing b = focusing_of(f, "stored depth", W, H, src, stored);
        b.settings.encoding = i % 2 ? AG_ENCODING_FORWARD : AG_ENCODING_REVERSED;
        b.settings.near_plane = 0.5f;
        b.settings.far_plane = i % 4 < 2 ? 60 : 0;
        b.settings.focal_length = 180;
        b.settings.f_number = 0.9f;
        b.settings.focus = i % 2 ? AG_FOCUS_POINT : AG_FOCUS_DISTANCE;
        b.settings.focus_x = 0.65f;
        b.settings.focus_y = 0.4f;
        b.layers = layers;
        b.depth_format = formats[i];
        double first = 1 / 0.5, last = i % 4 < 2 ? 1 / 60.0 : 0;
        for (int k = 0; k < all; ++k) {
            double d = (1 / z[k] - first) / (last - first);
            stored[k] = (double)(float)(i % 2 ? d : 1 - d);
        }
        char name[64];
        snprintf(name, sizeof name, "format 0x%x, encoding %d, %d layers", formats[i],
                 b.settings.encoding, layers);
        b.name = name;
        good = focusing_check(f, pass, &b, LAYER_ERROR) && good;
        free(z);
        free(stored);
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_rectangles(void **state)
{
    enum { W = 90, H = 70 };
    fixture *f = *state;
    rng r = rng_start("rectangles", 712);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *depth = focusing_scene(&r, W, H * 2), *src = focusing_noise(&r, W, H * 2, 0, 1);
    focusing b = focusing_of(f, "a rectangle of an array", W, H, src, depth);
    b.settings.focal_length = 150;
    b.settings.f_number = 0.5f; // discs of 10 texels
    b.settings.focus = AG_FOCUS_POINT;
    b.layers = 2;
    b.x = 7, b.y = 13, b.w = 66, b.h = 49;
    bool good = focusing_check(f, pass, &b, LAYER_ERROR);
    free(depth);
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- promises ----------------------------------------------------------------------------------

// Everything in focus: bit by bit, in every format.
static void test_in_focus(void **state)
{
    enum { W = 37, H = 29 };
    fixture *f = *state;
    rng r = rng_start("in focus", 713);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *depth = check_doubles(W * H);
    for (int i = 0; i < W * H; ++i)
        depth[i] = i % 5 ? 4 : i % 2 ? (double)NAN : -1; // no depth counts as in focus
    bool good = true;
    sweep *share = sweep_start("formats", 4);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const format_info *format = format_at(i);
        size_t count = (size_t)(W * H * format->channels);
        double *src = check_doubles(count);
        for (size_t k = 0; k < count; ++k)
            src[k] = rng_uniform(&r, 0, 1);
        texture_quantise(format->name, src, W * H);
        focusing b = focusing_of(f, format->name, W, H, src, depth);
        b.src_format = b.dst_format = format->name;
        double *got = focusing_run(f, pass, &b, NULL);
        good = check_case(format->name, memcmp(got, src, count * sizeof *got) == 0) && good;
        free(got);
        free(src);
    }
    free(depth);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A sharp lamp before a blurred black wall: no light of it beyond its edge, and it stays as it is.
static void test_leak(void **state)
{
    enum { W = 96, H = 80 };
    static const float most[] = {3, 12, 31};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *depth = check_doubles(W * H), *src = check_doubles(4 * W * H);
    sweep *share = sweep_start("leak", 3);
    for (int shape = 0; shape < 3; ++shape)
        for (size_t k = 0; k < COUNT(most); ++k) {
            if (!sweep_takes(share))
                continue;
            for (int i = 0; i < W * H; ++i) {
                bool lamp = abs(i % W - 50) < 9 && abs(i / W - 35) < 6;
                depth[i] = lamp ? 4 : 1000;
                for (int c = 0; c < 4; ++c)
                    src[4 * i + c] = c == 3 ? 1 : lamp ? 1e4 : 0;
            }
            focusing b = focusing_of(f, "leak", W, H, src, depth);
            b.settings.focal_length = 300;
            b.settings.max_radius = most[k];
            b.settings.shape = shape;
            double *got = focusing_run(f, pass, &b, NULL), outside = 0;
            bool same = true;
            for (int i = 0; i < W * H; ++i)
                for (int c = 0; c < 3; ++c) {
                    if (depth[i] > 4)
                        outside = check_worse(outside, fabs(got[4 * i + c]));
                    else
                        same = same && got[4 * i + c] == 1e4;
                }
            char name[64];
            snprintf(name, sizeof name, "shape %d, radius %g: share of the lamp outside", shape,
                     (double)most[k]);
            CHECK_LIMIT(name, outside / 1e4, 0);
            CHECK(same);
            free(got);
        }
    free(depth);
    free(src);
    f->ag->pass_destroy(pass);
}

// The light of a point, in front and behind: all of it arrives, in the shape's area, also where it
// falls on what is sharp.
static void test_energy(void **state)
{
    enum { W = 120, H = 110 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *depth = check_doubles(W * H), *src = check_doubles(4 * W * H);
    sweep *share = sweep_start("energy", 4);
    for (int k = 0; k < 12; ++k) {
        if (!sweep_takes(share))
            continue;
        bool near = k % 2;
        for (int i = 0; i < W * H; ++i) {
            bool point = i % W == 60 && i / W == 52;
            depth[i] = near ? 2 : 1e6;
            for (int c = 0; c < 4; ++c)
                src[4 * i + c] = point ? 5000 : 0;
        }
        focusing b = focusing_of(f, "a point", W, H, src, depth);
        b.settings.shape = k / 2 % 3;
        b.settings.storage = k / 6;
        b.settings.focal_length = 150;
        b.settings.f_number = 0.5f;
        b.settings.max_radius = (float)(k < 6 ? 20.3 : 6.4);
        double *got = focusing_run(f, pass, &b, NULL), sum = 0, most = 0;
        for (int i = 0; i < W * H; ++i) {
            sum += got[4 * i];
            most = fmax(most, got[4 * i]);
        }
        double area = 3.14159265 * pow((double)b.settings.max_radius, 2);
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s, radius %g, storage %d: energy off by",
                 b.settings.shape, near ? "near" : "far", (double)b.settings.max_radius,
                 b.settings.storage);
        CHECK_LIMIT(name, fabs(sum / 5000 - 1), b.settings.storage ? 2e-3 : 6e-3);
        if (b.settings.shape != AG_SHAPE_SMOOTH)
            CHECK_LIMIT("  its brightest texel, over that of a disc: off by",
                        fabs(most * area / 5000 - 1), 0.12);
        free(got);
    }
    free(depth);
    free(src);
    f->ag->pass_destroy(pass);
}

// An even image stays even, whatever the depths are.
static void test_even(void **state)
{
    enum { W = 150, H = 140 };
    fixture *f = *state;
    rng r = rng_start("even", 714);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *depth = check_doubles(W * H), *src = check_doubles(4 * W * H);
    for (int i = 0; i < W * H; ++i)
        depth[i] = rng_hdr(&r, 1, 100);
    for (int i = 0; i < 4 * W * H; ++i)
        src[i] = 0.75;
    for (int shape = 0; shape < 3; ++shape) {
        focusing b = focusing_of(f, "even", W, H, src, depth);
        b.settings.shape = shape;
        b.settings.focal_length = 150;
        double *got = focusing_run(f, pass, &b, NULL), worst = 0;
        for (int i = 0; i < 4 * W * H; ++i)
            worst = isnan(got[i]) ? (double)NAN : fmax(worst, fabs(got[i] - 0.75));
        CHECK_LIMIT("an even image stays", worst, 0.75 / 1024);
        free(got);
    }
    free(depth);
    free(src);
    f->ag->pass_destroy(pass);
}

static void test_bad_texels(void **state)
{
    enum { W = 70, H = 40 };
    fixture *f = *state;
    rng r = rng_start("bad texels", 715);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *depth = focusing_scene(&r, W, H), *src = focusing_noise(&r, W, H, 0, 1);
    for (int i = 0; i < 9; ++i) {
        src[4 * rng_int(&r, i * 300, i * 300 + 299) + i % 4] =
            i % 2 ? (double)NAN : (double)INFINITY;
        depth[rng_int(&r, 0, W * H - 1)] = i % 3 ? (double)NAN : i % 2 ? 0 : (double)INFINITY;
    }
    focusing b = focusing_of(f, "NaN and infinity", W, H, src, depth);
    b.settings.focal_length = 120;
    uint64_t before = fixture_scrubbed(f);
    CHECK(focusing_check(f, pass, &b, LAYER_ERROR));
    CHECK_EQ(fixture_scrubbed(f) - before, 9);
    free(depth);
    free(src);
    f->ag->pass_destroy(pass);
}

// Neither the plan nor the number of dispatches depends on a radius.
static void test_cost(void **state)
{
    fixture *f = *state;
    ag_step steps[2][8];
    uint64_t bytes[2];
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    focusing b = focusing_of(f, "cost", 3840, 2160, NULL, NULL);
    const ag_texture frame = {.struct_size = sizeof frame,
                              .target = GL_TEXTURE_2D,
                              .format = GL_RGBA16F,
                              .width = 3840,
                              .height = 2160};
    ag_texture slots[SLOTS] = {frame, frame, frame};
    slots[DEPTH].format = GL_R32F;
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = SLOTS,
                  .settings = &b.settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    memset(steps, 0, sizeof steps);
    for (int k = 0; k < 2; ++k) {
        const ag_plan *plan = NULL;
        b.settings.max_radius = k ? 128 : 2;
        b.settings.f_number = k ? 0.5f : 22;
        ag_status status = f->ag->declare(pass, &job, &plan);
        if (minimums_refused(&f->host, status)) {
            f->ag->pass_destroy(pass);
            return;
        }
        CHECK_STATUS(status, AG_OK);
        CHECK(plan && plan->step_count == 5);
        bytes[k] = plan->scratch_bytes + plan->persistent_bytes;
        memcpy(steps[k], plan->steps, 5 * sizeof *plan->steps);
    }
    CHECK_EQ(bytes[0], bytes[1]);
    for (int i = 0; i < 5; ++i) {
        printf("  %-8s %u dispatches, %.0f bytes a texel\n", steps[1][i].name,
               steps[1][i].dispatches, (double)steps[1][i].bytes / (3840 * 2160));
        CHECK_EQ(steps[0][i].dispatches, steps[1][i].dispatches);
        CHECK_EQ(steps[0][i].bytes, steps[1][i].bytes);
        for (int k = 0; k < 3; ++k)
            CHECK_EQ(steps[0][i].groups[k], steps[1][i].groups[k]);
    }
    f->ag->pass_destroy(pass);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    texture src = texture_create(f, "rgba16f", 20, 10, NULL),
            dst = texture_create(f, "rgba16f", 20, 10, NULL);
    texture depth = texture_create(f, "r32f", 20, 10, NULL),
            small = texture_create(f, "r32f", 19, 10, NULL);
    focusing b = focusing_of(f, "", 20, 10, NULL, NULL);
    ag_texture slots[SLOTS] = {texture_view(&src), texture_view(&depth), texture_view(&dst)};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = SLOTS,
                  .settings = &b.settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    slots[DEPTH] = texture_view(&small);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "depth"));
    slots[DEPTH] = texture_view(&src);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_FORMAT);
    CHECK(host_log_error(&f->host, AG_E_FORMAT, "depth"));
    slots[DEPTH] = texture_view(&depth);
    b.settings.encoding = AG_ENCODING_FORWARD;
    b.settings.near_plane = 10;
    b.settings.far_plane = 10;
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "far_plane"));
    b.settings.near_plane = 0.1f;
    b.settings.max_radius = 129;
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "max_radius"));
    CHECK(texture_is_poison(f, &dst));
    texture *all[] = {&src, &dst, &small, &depth};
    f->ag->pass_destroy(pass);
    for (size_t i = 0; i < COUNT(all); ++i) {
        f->ag->forget(f->device, all[i]->name);
        texture_destroy(f, all[i]);
    }
}

// ---- how far a shape is from the disc ----------------------------------------------------------

// The area of [0, x] x [0, y] within the circle of radius q around the origin; negative where the
// corner lies in the second or fourth quadrant.
static double corner(double x, double y, double q)
{
    double sign = (x < 0) != (y < 0) ? -1 : 1, along = fmin(fabs(x), q), up = fmin(fabs(y), q);
    double from = sqrt(q * q - up * up); // where the circle leaves the box's upper side
    if (along <= from)
        return sign * along * up;
    double far = along * sqrt(q * q - along * along) + q * q * asin(along / q);
    double near = from * up + q * q * asin(from / q);
    return sign * (from * up + (far - near) / 2);
}

// The part of texel (x, y) within the circle: exact.
static double part(int x, int y, double q)
{
    if (hypot(x + 0.5, y + 0.5) <= q)
        return 1;
    if (hypot(fmax(x - 0.5, 0), fmax(y - 0.5, 0)) >= q)
        return 0;
    return corner(x + 0.5, y + 0.5, q) - corner(x - 0.5, y + 0.5, q) - corner(x + 0.5, y - 0.5, q) +
           corner(x - 0.5, y - 0.5, q);
}

typedef struct shape {
    focus_ref_box boxes[FOCUS_REF_BOXES];
    int count;
    double area;
} shape;

static shape disc_of(double q, bool large)
{
    shape s = {.area = 0};
    s.count = focus_ref_shape(AG_SHAPE_DISC, q, large, s.boxes);
    for (int i = 0; i < s.count; ++i)
        s.area += s.boxes[i].sign * (2 * s.boxes[i].x + 1) * (2 * s.boxes[i].y + 1);
    return s;
}

static double share(const shape *s, int x, int y)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        sum += s->boxes[i].sign * (x <= s->boxes[i].x && y <= s->boxes[i].y);
    return sum / s->area;
}

// The share of a point's light that falls outside the true disc, or is missing within it: these are
// equal. By the part of each texel that the circle cuts off; a quarter of the shape is enough.
static double misplaced(double q)
{
    double m = q < 4 ? floor(fmax(q - 0.5, 0)) : 0, mixed = q < 4 ? fmax(q - 0.5, 0) - m : 0;
    shape less = disc_of(q < 4 ? m + 0.5 : q, q >= 4), more = disc_of(m + 1.5, false);
    double sum = 0;
    for (int y = 0; y <= (int)q + 2; ++y)
        for (int x = 0; x <= (int)q + 2; ++x) {
            double light = share(&less, x, y);
            if (mixed > 0)
                light += mixed * (share(&more, x, y) - light);
            double off = fabs(light - part(x, y, q) / (3.14159265358979 * q * q));
            sum += (x ? 2 : 1) * (y ? 2 : 1) * off;
        }
    return sum / 2;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Radii from 0.5 to 128. The boxes are whole texels and change only where a half side becomes the
// next integer (below 4: with each mixture), so the worst radii lie at both ends of a stretch with
// the same boxes, or within it: there, 8 random ones.
static void test_disc(void **state)
{
    (void)state;
    static const double sides[] = {0.978, 0.844, 0.658, 0.657, 0.409};
    static const struct {
        double below, limit;
        const char *name;
    } ranges[] = {{1.5, 0.375, "light outside the disc, of all: radius 0.5 to 1.5"},
                  {8, 0.152, "radius 1.5 to 8"},
                  {20, 0.095, "radius 8 to 20"},
                  {129, 0.052, "radius 20 to 128"}};
    double ends[1024], worst[COUNT(ranges)] = {0};
    size_t count = 0;
    for (int i = 0; i <= 3; ++i)
        ends[count++] = i + 0.5;
    for (double range = 4; range <= 128; range += 4) // also where a range above begins
        ends[count++] = range;
    for (size_t i = 0; i < COUNT(sides); ++i)
        for (int n = (int)ceil(4 * sides[i]); n <= 128 * sides[i]; ++n)
            ends[count++] = n / sides[i];
    CHECK(count <= COUNT(ends));
    qsort(ends, count, sizeof *ends, by_value);
    rng r = rng_start("disc", 83);
    for (size_t i = 0; i + 1 < count; ++i)
        for (int k = 0; k < 10; ++k) {
            double at = k > 1 ? rng_uniform(&r, 0, 1) : k ? 1 - 1e-9 : 1e-9;
            double q = ends[i] + at * (ends[i + 1] - ends[i]);
            size_t range = 0;
            while (q >= ranges[range].below)
                ++range;
            worst[range] = check_worse(worst[range], misplaced(q));
        }
    for (size_t i = 0; i < COUNT(ranges); ++i)
        CHECK_LIMIT(ranges[i].name, worst[i], ranges[i].limit);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),    FIXTURE_SWEEP(test_encodings), FIXTURE_TEST(test_rectangles),
        FIXTURE_SWEEP(test_in_focus), FIXTURE_SWEEP(test_leak),      FIXTURE_SWEEP(test_energy),
        FIXTURE_TEST(test_even),      FIXTURE_TEST(test_bad_texels), FIXTURE_TEST(test_cost),
        FIXTURE_TEST(test_refusals),  FIXTURE_TEST(test_disc),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
