// test_gather.c - method = gather of "depth_of_field": what it promises exactly
// SPDX-License-Identifier: MIT
//
// How near it comes to a lens is what check_lens.py measures. Here: what stays bit by bit, closed
// forms of single lamps, ramps and even images, energy, and that layers, rectangles and formats of
// depths change nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "focus_ref.h"
#include "minimums.h"
#include "trial.h"
#include "values.h"

enum { SRC, DEPTH, DST };
#define PI 3.14159265358979
#define IN_FOCUS 4.0
#define FARTHEST 160.0 // texels, of what is infinitely far

// Metres, of a signed radius.
static double depth_of(double radius)
{
    return IN_FOCUS / (1 - radius / FARTHEST);
}

// Colours, and depths of `radii`, in rectangles of this height; the largest radius is 128.
static trial gather_of(fixture *f, const char *name, int width, int height, const double *src,
                       const double *depth, ag_depth_of_field_settings *s)
{
    trial t = trial_of(f, "depth_of_field", name, s, sizeof *s);
    s->encoding = AG_ENCODING_LINEAR;
    s->focus_distance = (float)IN_FOCUS;
    s->focal_length = 1000;
    s->f_number = 0.5f;
    s->sensor_height = (float)(1000 * height / (FARTHEST * (IN_FOCUS - 1)));
    s->max_radius = 128;
    s->method = AG_FOCUS_GATHER;
    t.slots[SRC] = trial_image("rgba32f", width, height, src);
    t.slots[DEPTH] = trial_image("r32f", width, height, depth);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    return t;
}

static double *depths(int width, int height, double radius)
{
    return values_even("r32f", width, height, depth_of(radius));
}

// ---- what stays --------------------------------------------------------------------------------

// In every format what is in focus, and what has no depth, bit by bit. A sharp lamp before a
// blurred black wall, with no light of it beyond its edge. To a 1024th an even image, of any size,
// whatever the depths are.
static void test_unchanged(void **state)
{
    enum { FOCUSED, LAMP, EVEN, KINDS };
    static const char *const names[KINDS] = {"in focus", "a lamp", "even"};
    fixture *f = *state;
    rng r = rng_start("gather unchanged", 821);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("unchanged", 15);
    for (int i = 0; i < FORMAT_COUNT * KINDS; ++i) {
        int kind = i % KINDS, w = kind == EVEN ? (int)rng_hdr(&r, 1, 150) : 96,
            h = kind == EVEN ? (int)rng_hdr(&r, 1, 100) : 80;
        const char *format = kind == FOCUSED ? format_at(i / KINDS)->name : "rgba32f";
        double most = rng_hdr(&r, 1, 120), wall = rng_uniform(&r, 1, 60);
        if (!sweep_takes(share))
            continue;
        double *depth = depths(w, h, kind == LAMP ? wall : 0);
        double *src = kind == FOCUSED ? values_noise(&r, format, w, h, 0, 1)
                                      : values_even(format, w, h, kind == LAMP ? 0 : 0.75);
        for (int k = 0; k < w * h; ++k) {
            bool lamp = abs(k % w - 50) < 9 && abs(k / w - 35) < 6;
            if (kind == FOCUSED && k % 5 == 0)
                depth[k] = k % 2 ? (double)NAN : -1;
            else if (kind == FOCUSED)
                depth[k] = depth_of(rng_uniform(&r, -0.499, 0.499));
            else if (kind == EVEN)
                depth[k] = depth_of(rng_uniform(&r, -most, most));
            else if (lamp)
                depth[k] = IN_FOCUS;
            for (int c = 0; c < 4 && kind == LAMP && lamp; ++c)
                src[4 * k + c] = c == 3 ? 1 : 1e4;
        }
        ag_depth_of_field_settings s;
        trial t = gather_of(f, names[kind], w, h, src, depth, &s);
        t.slots[SRC].format = t.slots[DST].format = format;
        t.reference = trial_unchanged;
        t.limit = kind == EVEN ? 0.75 / 1024 : 0;
        s.blades = i % 4 ? 3 + i % 9 : 0;
        good = trial_check_and_free(&t, pass) && good;
        free(src);
        free(depth);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- lamps -------------------------------------------------------------------------------------

typedef struct lamp {
    double x, y, radius; // the middle; negative: in front
    double light;
    const ag_depth_of_field_settings *s;
} lamp;

// How far the opening reaches in a direction, of a radius of 1.
static double reach(const ag_depth_of_field_settings *s, double x, double y)
{
    double wide = x * (double)s->squeeze, edge = 1;
    if (s->blades) {
        double part = 2 * PI / s->blades, round = (double)s->roundness;
        double angle = atan2(y, wide) - (double)s->rotation * PI / 180;
        double off = fabs(fmod(fmod(angle, part) + part, part) - part / 2);
        edge = (round + (1 - round) * cos(part / 2)) / (round + (1 - round) * cos(off));
    }
    double d = hypot(x, y);
    return d > 0 ? edge * d / hypot(wide, y) : 1;
}

// The radius on whose edge a place lies, and by how much it grows a texel.
static double radius_through(const ag_depth_of_field_settings *s, double x, double y)
{
    return hypot(x, y) / reach(s, x, y);
}

static void growth(const ag_depth_of_field_settings *s, double x, double y, double *along)
{
    double step = 1e-6 * hypot(x, y);
    along[0] = (radius_through(s, x + step, y) - radius_through(s, x - step, y)) / (2 * step);
    along[1] = (radius_through(s, x, y + step) - radius_through(s, x, y - step)) / (2 * step);
}

// How much of a square texel a straight edge leaves that reaches `off` beyond its middle, in units
// that grow by `along`: a mean over its columns. What is below 1/256 counts as 0.
static double texel_within(double off, const double *along)
{
    enum { COLUMNS = 60 };
    double sum = 0, wide = fmax(fabs(along[0]), fabs(along[1]));
    double narrow = fmax(fmin(fabs(along[0]), fabs(along[1])), 0.02 * wide);
    for (int i = 0; i < COLUMNS; ++i) {
        double column = off + narrow * ((i + 0.5) / COLUMNS - 0.5);
        sum += fmin(fmax(column / wide + 0.5, 0), 1) / COLUMNS;
    }
    return fmin(fmax(sum * 129 / 128 - 1.0 / 256, 0), 1);
}

// A texel of a disc by 3 or 4 blades is made of its quarters.
static int parts_of(const ag_depth_of_field_settings *s)
{
    return s->blades == 3 || s->blades == 4 ? 2 : 1;
}

static double light_at(const ag_depth_of_field_settings *s, double radius, double x, double y)
{
    int parts = parts_of(s);
    double sum = 0;
    for (int i = 0; i < parts * parts; ++i) {
        double along[2],
            at[2] = {x + (i % parts + 0.5) / parts - 0.5, y + (i / parts + 0.5) / parts - 0.5};
        if (at[0] == 0 && at[1] == 0)
            return 1;
        growth(s, at[0], at[1], along);
        along[0] /= parts;
        along[1] /= parts;
        sum += texel_within(radius - radius_through(s, at[0], at[1]), along) / (parts * parts);
    }
    return sum;
}

// Of a disc with the edge of a texel or its part. Integrated in small steps.
static double area(const ag_depth_of_field_settings *s, double radius)
{
    double sum = 0;
    for (int i = 0; i < 20000; ++i) {
        double x = cos(2 * PI * i / 20000), y = sin(2 * PI * i / 20000), r = reach(s, x, y);
        double along[2];
        growth(s, x, y, along);
        sum += r * r *
               (radius * radius + (pow(along[0], 2) + pow(along[1], 2)) / 12 / pow(parts_of(s), 2));
    }
    return PI * sum / 20000;
}

// A lamp of one texel: the opening's image, with the edge of a texel; turned by 180 degrees in
// front of the focus.
static bool disc(trial *t, const trial_part *p, double *want, double *bound)
{
    const lamp *l = t->user;
    double r = fabs(l->radius), side = l->radius < 0 ? -1 : 1, level = l->light / area(l->s, r);
    (void)bound;
    for (int i = 0; i < p->width * p->height; ++i) {
        double x = side * (i % p->width + 0.5 - l->x), y = side * (i / p->width + 0.5 - l->y);
        double lit = light_at(l->s, r, x, y);
        for (int c = 0; c < 3; ++c)
            want[4 * i + c] = level * lit;
    }
    return true;
}

static void test_lamps(void **state)
{
    enum { CASES = 24 };
    fixture *f = *state;
    rng r = rng_start("gather lamps", 822);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("lamps", 12);
    for (int i = 0; i < CASES; ++i) {
        int w = rng_int(&r, 40, 130), h = rng_int(&r, 40, 110), x = rng_int(&r, 5, w - 6),
            y = rng_int(&r, 5, h - 6);
        bool near = i % 2;
        double radius = rng_hdr(&r, 3.51, i % 3 ? 30 : 120) * (near ? -1 : 1);
        ag_depth_of_field_settings s;
        double *src = values_even("rgba32f", w, h, 0), *depth = depths(w, h, near ? 0 : radius);
        trial t = gather_of(f, near ? "a near lamp" : "a far lamp", w, h, src, depth, &s);
        s.blades = i / 2 % 11 + 1 < 3 ? 0 : i / 2 % 11 + 1;
        s.roundness = (float)rng_uniform(&r, 0, 1);
        s.rotation = (float)rng_uniform(&r, -180, 180);
        s.squeeze = (float)rng_uniform(&r, 1, 2);
        lamp l = {x + 0.5, y + 0.5, radius, 1e5, &s};
        if (!sweep_takes(share)) {
            free(src);
            free(depth);
            continue;
        }
        for (int c = 0; c < 3; ++c)
            src[4 * (w * y + x) + c] = l.light;
        for (int k = 0; k < w * h; ++k)
            src[4 * k + 3] = 1;
        depth[w * y + x] = depth_of(radius);
        t.reference = disc;
        t.user = &l;
        t.relative = 1e-3; // of an edge; of the rest 1e-5
        good = trial_check_and_free(&t, pass) && good;
        free(src);
        free(depth);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The texels that a lens blurs to, from the images of points: 1/F = 1/s + 1/image. Negative: near.
static double through_lens(const ag_depth_of_field_settings *s, double z, int height)
{
    double focal = (double)s->focal_length, distance = 1000 * (double)s->focus_distance; // mm
    double sensor = 1 / (1 / focal - 1 / distance), image = 1 / (1 / focal - 1 / (1000 * z));
    double opening = focal / (double)s->f_number;
    return 0.5 * opening * (image - sensor) / image / (double)s->sensor_height * height * -1;
}

// Lenses of any kind: a lamp's disc is as large as rays through a thin lens make it.
static void test_lens(void **state)
{
    enum { CASES = 24, W = 90, H = 70 };
    fixture *f = *state;
    rng r = rng_start("gather lens", 826);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("lens", 12);
    for (int i = 0; i < CASES; ++i) {
        ag_depth_of_field_settings s;
        double *src = values_even("rgba32f", W, H, 0), *depth = values_even("r32f", W, H, 1);
        trial t = gather_of(f, i % 2 ? "a lens, near" : "a lens, far", W, H, src, depth, &s);
        double z, radius;
        do {
            s.focal_length = (float)rng_hdr(&r, 20, 400);
            s.f_number = (float)rng_hdr(&r, 0.7, 16);
            s.sensor_height = (float)rng_hdr(&r, 5, 60);
            s.focus_distance = (float)rng_hdr(&r, 0.5, 100);
            z = (double)s.focus_distance * rng_hdr(&r, 1.05, 20);
            z = i % 2 ? (double)s.focus_distance * (double)s.focus_distance / z : z;
            radius = through_lens(&s, z, H);
        } while (!(fabs(radius) > 3.6 && fabs(radius) < 60 && z > 0.3));
        lamp l = {40.5, 30.5, radius, 1e5, &s};
        s.encoding = i % 3;
        s.near_plane = 0.25f;
        s.far_plane = i % 4 ? 0 : 3000;
        for (int k = 0; k < W * H; ++k) {
            bool here = k == 30 * W + 40 || i % 2 == 0;
            depth[k] = focus_ref_stored(&s, here ? z : (double)s.focus_distance);
            src[4 * k + 3] = 1;
        }
        for (int c = 0; c < 3; ++c)
            src[4 * (30 * W + 40) + c] = l.light;
        t.reference = disc;
        t.user = &l;
        t.relative = 1e-3; // as above; 1/z in 24 bits moves an edge by 1e-3 texels
        if (sweep_takes(share))
            good = trial_check_and_free(&t, pass) && good;
        free(src);
        free(depth);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- layers ------------------------------------------------------------------------------------

typedef struct ramp {
    double radius;
    double edge; // how far the ends of the frame show
} ramp;

static double at_ramp(int i, int width)
{
    return 0.2 + 0.001 * (i % width) + 0.002 * (i / width);
}

// A wall at one distance with a ramp stays one: the means of squares, levels and rings have their
// middle where the texel is.
static bool straight(trial *t, const trial_part *p, double *want, double *bound)
{
    const ramp *m = t->user;
    (void)bound;
    for (int i = 0; i < p->width * p->height; ++i) {
        int x = i % p->width, y = i / p->width;
        double inside = fmin(fmin(x, p->width - 1 - x), fmin(y, p->height - 1 - y));
        for (int c = 0; c < 3; ++c)
            want[4 * i + c] = inside < m->edge ? TRIAL_ANY : at_ramp(i, p->width);
    }
    return true;
}

static void test_ramp(void **state)
{
    enum { W = 181, H = 149 };
    fixture *f = *state;
    rng r = rng_start("gather ramp", 823);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *src = values_even("rgba32f", W, H, 1);
    bool good = true;
    for (int i = 0; i < W * H; ++i)
        for (int c = 0; c < 3; ++c)
            src[4 * i + c] = at_ramp(i, W);
    sweep *share = sweep_start("ramp", 8);
    for (int i = 0; i < 16; ++i) {
        ramp m = {rng_hdr(&r, 0.6, 40) * (i % 2 ? 1 : -1), 0};
        m.edge = 1.3 * fabs(m.radius) + 18; // and a tile
        if (!sweep_takes(share))
            continue;
        double *depth = depths(W, H, m.radius);
        ag_depth_of_field_settings s;
        trial t = gather_of(f, m.radius < 0 ? "a near ramp" : "a far ramp", W, H, src, depth, &s);
        s.blades = i % 3 ? 0 : 6; // even: an odd opening has its middle elsewhere
        t.reference = straight;
        t.user = &m;
        t.limit = 1e-3; // halves of colours up to 0.7, and the weights of a texture unit, 1/256
        t.left_out = 1;
        good = trial_check_and_free(&t, pass) && good;
        free(depth);
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A patch in front of a black wall in focus, no lamp: all of its light arrives, wherever it lies on
// the grid of tiles.
static void test_energy(void **state)
{
    enum { W = 150, H = 140, SIDE = 9 };
    fixture *f = *state;
    rng r = rng_start("gather energy", 824);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    sweep *share = sweep_start("energy", 8);
    for (int i = 0; i < 12; ++i) {
        double radius = rng_hdr(&r, 0.7, 31), sum = 0;
        int x = rng_int(&r, 50, W - 60), y = rng_int(&r, 50, H - 60);
        if (!sweep_takes(share))
            continue;
        double *src = values_even("rgba32f", W, H, 0), *depth = depths(W, H, 0);
        for (int k = 0; k < SIDE * SIDE; ++k) {
            int at = W * (y + k / SIDE) + x + k % SIDE;
            depth[at] = depth_of(-radius);
            for (int c = 0; c < 3; ++c)
                src[4 * at + c] = 0.8;
        }
        ag_depth_of_field_settings s;
        trial t = gather_of(f, "a patch", W, H, src, depth, &s);
        t.pass = pass;
        trial_run(&t);
        for (int k = 0; k < W * H; ++k)
            sum += t.got[DST][4 * k];
        char name[80];
        snprintf(name, sizeof name, "a near patch, radius %.2f: energy off by", radius);
        CHECK_LIMIT(name, fabs(sum / (0.8 * SIDE * SIDE) - 1), 0.01);
        trial_free(&t);
        free(src);
        free(depth);
    }
    f->ag->pass_destroy(pass);
}

// ---- the same again ----------------------------------------------------------------------------

// A wall, a slope, an object in focus, a bar in front; some lamps.
static void scene(rng *r, int width, int height, double *src, double *depth)
{
    for (int i = 0; i < width * height; ++i) {
        double x = (i % width + 0.5) / width, y = (i / width + 0.5) / height, radius = 9;
        if (y > 0.6)
            radius = 40 * (0.8 - y);
        if (fabs(x - 0.65) < 0.15 && fabs(y - 0.4) < 0.25)
            radius = 0;
        if (fabs(x - 0.25) < 0.06)
            radius = -12 * y;
        depth[i] = depth_of(radius);
        if (rng_int(r, 0, 150) == 0)
            for (int c = 0; c < 3; ++c)
                src[4 * i + c] = rng_uniform(r, 20, 90);
    }
}

typedef struct other {
    const double *want; // of the frame's size
    int width, height;
} other;

static bool as_before(trial *t, const trial_part *p, double *want, double *bound)
{
    const other *o = t->user;
    (void)bound;
    for (int y = 0; y < p->height; ++y)
        memcpy(want + (size_t)(p->channels * p->width * y),
               o->want +
                   4 * ((size_t)p->layer * (size_t)(o->width * o->height) + (size_t)(o->width * y)),
               (size_t)(p->channels * p->width) * sizeof *want);
    return true;
}

// Two layers give what each gives alone, a rectangle what a texture of its size gives, and a run
// what the run before gave, bit by bit; any format of depths the same to its precision. Around the
// rectangle all is NaN.
static void test_same(void **state)
{
    enum { W = 93, H = 70, TEXELS = W * H };
    static const char *const formats[] = {"d32f", "d24s8", "d32fs8", "d24"};
    fixture *f = *state;
    rng r = rng_start("gather same", 825);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *src = values_noise(&r, "rgba32f", W, 2 * H, 0, 1);
    double *depth = depths(W, 2 * H, 0), *want = check_doubles(8 * TEXELS);
    bool good = true;
    for (int layer = 0; layer < 2; ++layer) {
        scene(&r, W, H, src + 4 * layer * TEXELS, depth + layer * TEXELS);
        ag_depth_of_field_settings s;
        trial t =
            gather_of(f, "one layer", W, H, src + 4 * layer * TEXELS, depth + layer * TEXELS, &s);
        s.blades = 7;
        t.pass = pass;
        double *got = trial_take(&t, DST);
        memcpy(want + 4 * layer * TEXELS, got, 4 * TEXELS * sizeof *got);
        free(got);
    }
    for (int i = 0; i < 7; ++i) {
        ag_depth_of_field_settings s;
        other o = {want, W, H};
        trial t = gather_of(f,
                            i == 0   ? "again"
                            : i == 1 ? "two layers"
                                     : "a format",
                            W, H, src, depth, &s);
        double *room = NULL, *stored = NULL;
        s.blades = 7;
        if (i == 1)
            t.slots[SRC].layers = t.slots[DEPTH].layers = t.slots[DST].layers = 2;
        if (i == 2) { // in the corner of a larger one
            t.name = "a rectangle";
            room = values_even("rgba32f", W + 21, H + 17, (double)NAN);
            stored = values_even("r32f", W + 21, H + 17, (double)NAN);
            for (int y = 0; y < H; ++y) {
                int at = (W + 21) * (y + 9) + 5;
                memcpy(room + 4 * at, src + 4 * W * y, 4 * W * sizeof *room);
                memcpy(stored + at, depth + W * y, W * sizeof *stored);
            }
            t.slots[SRC] = trial_image("rgba32f", W + 21, H + 17, room);
            t.slots[DEPTH] = trial_image("r32f", W + 21, H + 17, stored);
            t.slots[DST] = trial_image("rgba32f", W + 21, H + 17, NULL);
            for (int k = SRC; k <= DST; ++k) {
                t.slots[k].x = 5;
                t.slots[k].y = 9;
                t.slots[k].w = W;
                t.slots[k].h = H;
            }
        }
        if (i >= 3) { // reversed and infinitely far, or forward
            s.near_plane = 0.5f;
            s.far_plane = 0;
            s.encoding = i % 2 ? AG_ENCODING_REVERSED : AG_ENCODING_FORWARD;
            stored = check_doubles(TEXELS);
            for (int k = 0; k < TEXELS; ++k)
                stored[k] = focus_ref_stored(&s, depth[k]);
            t.slots[DEPTH] = trial_image(formats[i - 3], W, H, stored);
            t.limit = 0.02; // of 60: 2^-24 of depth moves a disc's edge by 2^-13 texels
        }
        t.reference = as_before;
        t.user = &o;
        good = trial_check_and_free(&t, pass) && good;
        free(room);
        free(stored);
    }
    free(src);
    free(depth);
    free(want);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// What is not finite counts as 0, each once, and nothing else of the frame notices more than that.
// A pass that has made other frames before makes the same bits as a new one. (Of frames of other
// sizes, too, but for the rounding of coordinates: its textures stay larger.)
static void test_frames(void **state)
{
    enum { FRAMES = 7, W = 120, H = 90 };
    fixture *f = *state;
    rng r = rng_start("gather frames", 827);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *src = check_doubles(4 * W * H), *depth = check_doubles(W * H);
    bool good = true;
    for (int i = 0; i < FRAMES; ++i) {
        double radius = i % 2 ? 0 : rng_uniform(&r, -30, 30); // odd ones are in focus but for a bar
        for (int k = 0; k < W * H; ++k) {
            depth[k] = depth_of(k % W / 9 == 2 && i != 3 ? -radius - 7 : radius);
            for (int c = 0; c < 4; ++c)
                src[4 * k + c] = rng_int(&r, 0, 300) ? rng_uniform(&r, 0, 1) : 40;
        }
        ag_depth_of_field_settings s;
        trial t = gather_of(f, "a new pass", W, H, src, depth, &s);
        double *want = trial_take(&t, DST);
        other o = {want, W, H};
        t = gather_of(f, "a frame after others", W, H, src, depth, &s);
        t.reference = as_before;
        t.user = &o;
        good = trial_check_and_free(&t, pass) && good;
        free(want);
    }
    free(src);
    free(depth);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_scrub(void **state)
{
    enum { W = 77, H = 61, BAD = 11 };
    fixture *f = *state;
    rng r = rng_start("gather scrub", 826);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    double *src = values_noise(&r, "rgba32f", W, H, 0, 1), *depth = depths(W, H, 0);
    scene(&r, W, H, src, depth);
    double *clean = check_doubles(4 * W * H);
    memcpy(clean, src, 4 * W * H * sizeof *src);
    for (int i = 0; i < BAD; ++i) {
        int at = W * (5 * i + 3) + (29 * i + 7) % W; // one is the frame's last column
        src[4 * at + i % 4] = i % 3 ? (double)NAN : (double)INFINITY;
        for (int c = 0; c < 4; ++c)
            clean[4 * at + c] = 0;
        depth[at] = i % 2 ? (double)NAN : depth[at];
    }
    ag_depth_of_field_settings s;
    trial t = gather_of(f, "clean", W, H, clean, depth, &s);
    t.pass = pass;
    double *want = trial_take(&t, DST);
    other o = {want, W, H};
    trial spoilt = gather_of(f, "spoilt", W, H, src, depth, &s);
    spoilt.reference = as_before;
    spoilt.user = &o;
    uint64_t before = fixture_scrubbed(f);
    bool good = trial_check_and_free(&spoilt, pass);
    CHECK_EQ(fixture_scrubbed(f) - before, BAD);
    free(src);
    free(clean);
    free(depth);
    free(want);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_refusals(void **state)
{
    ag_depth_of_field_settings s;
    trial t = gather_of(*state, "refusals", 20, 10, NULL, NULL, &s);
    trial_make(&t);
    CHECK_STATUS(t.f->ag->prepare(t.pass, &t.job), AG_OK);
    s.blades = 2;
    CHECK(trial_refused(&t, AG_E_ARG, "blades"));
    s.blades = 12;
    CHECK(trial_refused(&t, AG_E_ARG, "blades"));
    trial_free(&t);
}

int main(int argc, char **argv)
{
    if (minimums_wanted()) {
        puts("  left out: not a minimum of OpenGL 4.3: a program of 11 images and blocks");
        return 0;
    }
    const check_test tests[] = {
        FIXTURE_SWEEP(test_unchanged), FIXTURE_SWEEP(test_lamps), FIXTURE_SWEEP(test_ramp),
        FIXTURE_SWEEP(test_energy),    FIXTURE_SWEEP(test_lens),  FIXTURE_TEST(test_same),
        FIXTURE_TEST(test_frames),     FIXTURE_TEST(test_scrub),  FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
