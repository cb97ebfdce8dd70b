// test_depth_of_field.c - "depth_of_field" against its definition, and what the definition promises
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "focus_ref.h"
#include "minimums.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC, DEPTH, DST };

// Of values up to 1: RGBA16F rounds each texel of a layer by half of 2^-11 of it, and the near
// result once more; the table adds 1e-5 at these sizes.
#define LAYER_ERROR 6e-4

// ---- a frame, and its exact result -------------------------------------------------------------

// Where rounding decides about a shape the value is left open.
static bool focused(trial *t, const trial_part *p, double *want, double *bound)
{
    int texels = p->width * p->height, n = trial_channels(t, SRC);
    double *src = trial_input(t, SRC, p->layer), *depth = trial_input(t, DEPTH, p->layer);
    double *colour = check_doubles(4 * (size_t)texels), *out = check_doubles(4 * (size_t)texels);
    unsigned char *doubt = check_allocate((size_t)texels);
    (void)bound;
    for (int i = 0; i < texels; ++i) {
        bool bad = false;
        for (int c = 0; c < n; ++c)
            bad = bad || !isfinite(src[n * i + c]);
        for (int c = 0; c < 4; ++c)
            colour[4 * i + c] = bad ? 0 : c < n ? src[n * i + c] : c == 3;
    }
    focus_ref(t->settings, p->width, p->height, colour, depth, out, doubt);
    for (int i = 0; i < texels; ++i)
        for (int c = 0; c < p->channels; ++c)
            want[p->channels * i + c] = doubt[i] ? TRIAL_ANY : out[4 * i + c];
    free(src);
    free(depth);
    free(colour);
    free(out);
    free(doubt);
    return true;
}

// Linear depth in metres, else the effect's defaults.
static trial focus_of(fixture *f, const char *name, int width, int height, const double *src,
                      const double *depth, ag_depth_of_field_settings *s)
{
    trial t = trial_of(f, "depth_of_field", name, s, sizeof *s);
    s->method = AG_FOCUS_TABLES;
    s->encoding = AG_ENCODING_LINEAR;
    s->focus_distance = 4;
    t.slots[SRC] = trial_image("rgba32f", width, height, src);
    t.slots[DEPTH] = trial_image("r32f", width, height, depth);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    t.reference = focused;
    t.limit = LAYER_ERROR;
    t.left_out = 0.25;
    t.tuning = trial_tiles();
    return t;
}

// In metres: a wall far behind, a slope, an object in focus at 4, a bar in front. malloc.
static double *scene(rng *r, int width, int height)
{
    double *depth = check_doubles((size_t)width * (size_t)height);
    for (int i = 0; i < width * height; ++i) {
        double x = (i % width + 0.5) / width, y = (i / width + 0.5) / height;
        double z = 40 + 10 * rng_uniform(r, 0, 1); // the wall
        if (y > 0.6)
            z = 3 + 20 * (1 - y); // the ground
        if (fabs(x - 0.65) < 0.15 && fabs(y - 0.4) < 0.25)
            z = 4; // the object
        if (fabs(x - 0.25) < 0.06)
            z = 1.7 + 0.5 * y; // the bar
        depth[i] = z;
    }
    return depth;
}

// ---- against the definition --------------------------------------------------------------------

typedef struct view { // a case; what is 0 is the first of its kind
    int width, height, shape, storage, tables;
    double f_number, radius; // 0: 0.5; 30
    const char *depth;       // its format; NULL: r32f in metres
    bool reversed, infinite; // how it stores depths, and whether the far plane is
    bool point;              // in focus is what lies at a point
    int layers;
    bool placed, bad; // in a rectangle; nine texels and as many depths are not finite
} view;

// As engines store depths.
static void store(const view *v, double *z, int count, ag_depth_of_field_settings *s)
{
    s->encoding = v->reversed ? AG_ENCODING_REVERSED : AG_ENCODING_FORWARD;
    s->near_plane = 0.5f;
    s->far_plane = v->infinite ? 0 : 60;
    for (int k = 0; k < count; ++k)
        z[k] = focus_ref_stored(s, z[k]);
}

static void spoil(rng *r, double *src, double *depth, int texels)
{
    for (int i = 0; i < 9; ++i) {
        int step = texels / 9;
        src[4 * rng_int(r, i * step, (i + 1) * step - 1) + i % 4] =
            i % 2 ? (double)NAN : (double)INFINITY;
        depth[rng_int(r, 0, texels - 1)] = i % 3 ? (double)NAN : i % 2 ? 0 : (double)INFINITY;
    }
}

static bool check_view(fixture *f, ag_pass *pass, rng *r, const view *v)
{
    int layers = v->layers ? v->layers : 1, w = v->width, rows = v->height * layers;
    double *depth = scene(r, w, rows), *src = values_noise(r, "rgba32f", w, rows, 0, 1);
    bool quick = check_tier_now() == CHECK_QUICK;
    ag_depth_of_field_settings s;
    ag_tuning tuning = quick ? *trial_tiles() : (ag_tuning){.tile = AG_TILE_AUTO};
    trial t = focus_of(f, "a scene", w, v->height, src, depth, &s);
    if (v->depth)
        store(v, depth, w * rows, &s);
    if (v->bad)
        spoil(r, src, depth, w * rows);
    for (int k = SRC; k <= DST; ++k) {
        t.slots[k].layers = v->layers;
        t.slots[k].x = v->placed ? 7 : 0;
        t.slots[k].y = v->placed ? 13 : 0;
        t.slots[k].w = v->placed ? w - 24 : 0;
        t.slots[k].h = v->placed ? v->height - 21 : 0;
    }
    tuning.tables = v->tables;
    t.tuning = &tuning;
    t.pass = pass;
    t.slots[DEPTH].format = v->depth ? v->depth : "r32f";
    s.shape = v->shape;
    s.storage = v->storage;
    s.focal_length = (float)rng_uniform(r, 100, 200);
    s.f_number = v->f_number > 0 ? (float)v->f_number : 0.5f; // also radii above 8
    s.max_radius = v->radius > 0 ? (float)v->radius : 30;
    s.focus = v->point ? AG_FOCUS_POINT : AG_FOCUS_DISTANCE;
    s.focus_x = 0.65f;
    s.focus_y = 0.4f;
    uint64_t before = v->bad ? fixture_scrubbed(f) : 0;
    bool good = trial_check(&t);
    if (v->bad)
        CHECK_EQ(fixture_scrubbed(f) - before, 9);
    trial_free(&t);
    free(src);
    free(depth);
    return good;
}

// Each shape, storage, way to query a table, and format of depths once.
static void test_each(void **state)
{
    static const view views[] = {
        {33, 1, AG_SHAPE_BOX, 0, .tables = AG_TABLES_AUTO},
        {61, 47, AG_SHAPE_DISC, 0, .tables = AG_TABLES_AUTO, .bad = true},
        {131, 77, AG_SHAPE_SMOOTH, 0, .tables = AG_TABLES_AUTO},
        {17, 16, AG_SHAPE_DISC, 1, .tables = AG_TABLES_TEXTURE},
        {90, 70, AG_SHAPE_DISC, 0, .layers = 2, .placed = true, .point = true},
        {45, 38, AG_SHAPE_DISC, 0, .depth = "d24s8", .f_number = 0.9, .reversed = true},
        {45, 38, AG_SHAPE_DISC, 0, .depth = "d32f", .infinite = true, .point = true},
    };
    rng r = rng_start("each", 710);
    ag_pass *pass = fixture_pass(*state, "depth_of_field");
    bool good = true;
    for (size_t i = 0; i < COUNT(views); ++i)
        good = check_view(*state, pass, &r, &views[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_random(void **state)
{
    static const char *const formats[] = {"r32f", "d16", "d24", "d32", "d32f", "d24s8", "d32fs8"};
    rng r = rng_start("random", 711);
    ag_pass *pass = fixture_pass(*state, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("random", 80);
    for (int i = 0; i < 80; ++i) {
        view v = {(int)rng_hdr(&r, 1, 140),
                  (int)rng_hdr(&r, 1, 90),
                  i % 3,
                  i / 3 % 2,
                  AG_TABLES_IMAGE + i / 6 % 3,
                  rng_uniform(&r, 0.5, 2),
                  rng_uniform(&r, 9, 40),
                  i % 2 ? formats[i / 2 % 7] : NULL,
                  rng_int(&r, 0, 1),
                  rng_int(&r, 0, 1),
                  rng_int(&r, 0, 1),
                  rng_int(&r, 0, 2) ? 0 : 2,
                  .bad = false};
        v.placed = v.width > 40 && v.height > 40 && rng_int(&r, 0, 2) == 0;
        v.bad = !v.depth && !v.placed && !v.layers && v.width * v.height > 900;
        if (sweep_takes(share))
            good = check_view(*state, pass, &r, &v) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- promises ----------------------------------------------------------------------------------

// What stays as it is, bit by bit: in every format what is in focus; a sharp lamp before a blurred
// black wall, with no light of it beyond its edge. And to a 1024th an even image, whatever the
// depths are.
static void test_unchanged(void **state)
{
    enum { FOCUSED, LAMP, EVEN, KINDS, W = 96, H = 80 };
    static const char *const names[KINDS] = {"in focus", "a lamp", "even"};
    fixture *f = *state;
    rng r = rng_start("unchanged", 713);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("unchanged", 12);
    for (int i = 0; i < FORMAT_COUNT * KINDS; ++i) {
        int kind = i % KINDS;
        const char *format = kind == FOCUSED ? format_at(i / KINDS)->name : "rgba32f";
        if (!sweep_takes(share))
            continue;
        double *depth = values_hdr(&r, "r32f", W, H, 1, 100, false);
        double *src = kind == FOCUSED ? values_noise(&r, format, W, H, 0, 1)
                                      : values_even(format, W, H, 0.75);
        for (int k = 0; k < W * H && kind < EVEN; ++k) {
            bool lamp = abs(k % W - 50) < 9 && abs(k / W - 35) < 6;
            if (kind == FOCUSED) // no depth counts as in focus
                depth[k] = k % 5 ? 4 : k % 2 ? (double)NAN : -1;
            if (kind == LAMP)
                depth[k] = lamp ? 4 : 1000;
            for (int c = 0; c < 4 && kind == LAMP; ++c)
                src[4 * k + c] = c == 3 ? 1 : lamp ? 1e4 : 0;
        }
        ag_depth_of_field_settings s;
        trial t = focus_of(f, names[kind], W, H, src, depth, &s);
        t.slots[SRC].format = t.slots[DST].format = format;
        t.reference = trial_unchanged;
        t.limit = kind == EVEN ? 0.75 / 1024 : 0;
        s.shape = i / KINDS % 3;
        s.focal_length = kind == FOCUSED ? s.focal_length : kind == LAMP ? 300 : 150;
        s.max_radius = kind == LAMP ? (float)rng_uniform(&r, 3, 31) : s.max_radius;
        good = trial_check_and_free(&t, pass) && good;
        free(src);
        free(depth);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The light of a point, in front and behind: all of it arrives, in the shape's area, also where it
// falls on what is sharp.
static void test_energy(void **state)
{
    enum { W = 120, H = 110 };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *src = values_even("rgba32f", W, H, 0);
    for (int c = 0; c < 4; ++c)
        src[4 * (52 * W + 60) + c] = 5000;
    sweep *share = sweep_start("energy", 12);
    for (int k = 0; k < 12; ++k) {
        if (!sweep_takes(share))
            continue;
        bool near = k % 2;
        double *depth = values_even("r32f", W, H, near ? 2 : 1e6), sum = 0, most = 0;
        ag_depth_of_field_settings s;
        trial t = focus_of(f, "a point", W, H, src, depth, &s);
        t.pass = pass;
        s.shape = k / 2 % 3;
        s.storage = k / 6;
        s.focal_length = 150;
        s.f_number = 0.5f;
        s.max_radius = (float)(k < 6 ? 20.3 : 6.4);
        trial_run(&t);
        for (int i = 0; i < W * H; ++i) {
            sum += t.got[DST][4 * i];
            most = fmax(most, t.got[DST][4 * i]);
        }
        double area = 3.14159265 * pow((double)s.max_radius, 2);
        char name[96];
        snprintf(name, sizeof name, "shape %d, %s, radius %g, storage %d: energy off by", s.shape,
                 near ? "near" : "far", (double)s.max_radius, s.storage);
        CHECK_LIMIT(name, fabs(sum / 5000 - 1), s.storage ? 2e-3 : 6e-3);
        if (s.shape != AG_SHAPE_SMOOTH)
            CHECK_LIMIT("  its brightest texel, over that of a disc: off by",
                        fabs(most * area / 5000 - 1), 0.12);
        trial_free(&t);
        free(depth);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// Neither the plan nor the number of dispatches depends on a radius.
static void test_cost(void **state)
{
    enum { STEPS = 5 };
    fixture *f = *state;
    ag_step steps[2][STEPS];
    uint64_t bytes[2];
    ag_depth_of_field_settings s;
    trial t = focus_of(f, "cost", 0, 0, NULL, NULL, &s);
    for (int i = SRC; i <= DST; ++i) {
        t.slots[i].format = NULL;
        t.views[i] = (ag_texture){.struct_size = sizeof t.views[i],
                                  .target = GL_TEXTURE_2D,
                                  .format = i == DEPTH ? GL_R32F : GL_RGBA16F,
                                  .width = 3840,
                                  .height = 2160};
    }
    trial_make(&t);
    for (int k = 0; k < 2; ++k) {
        const ag_plan *plan = NULL;
        s.max_radius = k ? 128 : 2;
        s.f_number = k ? 0.5f : 22;
        ag_status status = f->ag->declare(t.pass, &t.job, &plan);
        if (minimums_refused(&f->host, status)) {
            trial_free(&t);
            return;
        }
        CHECK_STATUS(status, AG_OK);
        CHECK(plan && plan->step_count == STEPS);
        bytes[k] = plan->scratch_bytes + plan->persistent_bytes;
        memcpy(steps[k], plan->steps, sizeof steps[k]);
    }
    CHECK_EQ(bytes[0], bytes[1]);
    CHECK(memcmp(steps[0], steps[1], sizeof steps[0]) == 0);
    trial_free(&t);
}

static void test_refusals(void **state)
{
    ag_depth_of_field_settings s;
    trial t = focus_of(*state, "refusals", 20, 10, NULL, NULL, &s);
    t.slots[SRC].format = t.slots[DST].format = "rgba16f";
    trial_make(&t);
    ag_texture depth = t.views[DEPTH];
    CHECK_STATUS(t.f->ag->prepare(t.pass, &t.job), AG_OK);
    t.views[DEPTH].rect_width = 19;
    t.views[DEPTH].rect_height = 10;
    CHECK(trial_refused(&t, AG_E_SIZE, "depth"));
    t.views[DEPTH] = t.views[SRC];
    CHECK(trial_refused(&t, AG_E_FORMAT, "depth"));
    t.views[DEPTH] = depth;
    s.encoding = AG_ENCODING_FORWARD;
    s.near_plane = s.far_plane = 10;
    CHECK(trial_refused(&t, AG_E_ARG, "far_plane"));
    s.near_plane = 0.1f;
    s.max_radius = 129;
    CHECK(trial_refused(&t, AG_E_ARG, "max_radius"));
    trial_free(&t);
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
        FIXTURE_TEST(test_each),    FIXTURE_SWEEP(test_random), FIXTURE_SWEEP(test_unchanged),
        FIXTURE_SWEEP(test_energy), FIXTURE_TEST(test_cost),    FIXTURE_TEST(test_refusals),
        FIXTURE_TEST(test_disc),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
