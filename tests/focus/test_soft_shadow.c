// test_soft_shadow.c - "soft_shadow" against its definition and against closed forms
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "shader/embedded.h"
#include "shadow_ref.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC, DEPTH, DST, TABLE };

// Of the share of light, in float from exact sums.
#define SHARE_ERROR (1.0 / 4096)

// ---- a map and a frame, and their exact results ------------------------------------------------

// The map's codes. malloc.
static double *codes_of(const trial *t)
{
    size_t count = (size_t)t->slots[SRC].width * (size_t)t->slots[SRC].height;
    double *z = check_doubles(count);
    for (size_t i = 0; i < count; ++i)
        z[i] = shadow_ref_code(t->settings, t->held[SRC][i]);
    return z;
}

// Where a texel of the frame lies in the map, in texels, and its depth less the bias. False: lit.
static bool place(const trial *t, int x, int y, double d, double at[2], double *far)
{
    const ag_soft_shadow_settings *s = t->settings;
    const trial_slot *map = &t->slots[SRC], *frame = &t->slots[DEPTH];
    const float *m = s->to_light;
    double u = (x + 0.5) / frame->width, v = (y + 0.5) / frame->height, h[4];
    double by = s->view == AG_SHADOW_VIEW_LINEAR ? d : 1;
    for (int i = 0; i < 4; ++i)
        h[i] = (double)m[i] * u * by + (double)m[4 + i] * v * by + (double)m[8 + i] * d +
               (double)m[12 + i];
    at[0] = h[0] / h[3] * map->width;
    at[1] = h[1] / h[3] * map->height;
    *far = fmin(shadow_ref_depth(s, h[2] / h[3]) -
                    (double)s->bias / ((double)s->far_plane - (double)s->near_plane),
                1);
    return h[3] > 0 && at[0] >= 0 && at[1] >= 0 && at[0] <= map->width && at[1] <= map->height &&
           *far > 0;
}

// The table itself, modulo 2^32, and each texel's code.
static void exact_table(const trial_part *p, const double *z, double *want, double *bound)
{
    uint32_t *above = check_allocate((size_t)p->width * 3 * sizeof *above);
    memset(above, 0, (size_t)p->width * 3 * sizeof *above);
    for (int y = 0; y < p->height; ++y) {
        uint32_t row[3] = {0};
        for (int x = 0; x < p->width; ++x) {
            size_t i = (size_t)y * (size_t)p->width + (size_t)x;
            uint32_t code = (uint32_t)z[i];
            uint32_t own[3] = {code, (code * code) >> 16, (code * code) & 65535};
            for (int c = 0; c < 4; ++c) {
                if (c < 3) {
                    row[c] += own[c];
                    above[3 * x + c] += row[c];
                }
                want[4 * i + (size_t)c] = c < 3 ? above[3 * x + c] : code;
                bound[4 * i + (size_t)c] = 0;
            }
        }
    }
    free(above);
}

static bool shadowed(trial *t, const trial_part *p, double *want, double *bound)
{
    double *z = codes_of(t);
    shadow_ref_map map = {t->slots[SRC].width, t->slots[SRC].height, z};
    if (p->slot == TABLE)
        exact_table(p, z, want, bound);
    for (int i = 0; p->slot == DST && i < p->width * p->height; ++i) {
        double at[2], far;
        bool doubt = false;
        want[i] = 1;
        if (place(t, i % p->width, i / p->width, t->held[DEPTH][i], at, &far))
            want[i] = shadow_ref(t->settings, &map, at, far, &doubt);
        if (doubt)
            want[i] = TRIAL_ANY;
    }
    free(z);
    return true;
}

// The defaults, but no bias and no bleed; a map and a frame of stored depths.
static trial shadow_of(fixture *f, const char *name, int map_w, int map_h, const double *map, int w,
                       int h, const double *depth, ag_soft_shadow_settings *s)
{
    trial t = trial_of(f, "soft_shadow", name, s, sizeof *s);
    s->bias = s->bleed = 0;
    t.slots[SRC] = trial_image("r32f", map_w, map_h, map);
    t.slots[DEPTH] = trial_image("r32f", w, h, depth);
    t.slots[DST] = trial_image("r32f", w, h, NULL);
    t.reference = shadowed;
    t.limit = SHARE_ERROR;
    t.left_out = 1 / 3.0;
    t.tuning = trial_tiles();
    return t;
}

// As the encoding stores the depth of a 16-bit code: rounding does not decide between codes.
static double stored(const ag_soft_shadow_settings *s, double z)
{
    double n = (double)s->near_plane, f = (double)s->far_plane;
    z = floor(z * 65535 + 0.5) / 65535;
    double metres = n + z * (f - n);
    if (s->encoding == AG_SHADOW_LINEAR)
        return metres;
    double d = s->light == AG_SHADOW_SPOT ? f * (metres - n) / (metres * (f - n)) : z;
    return s->encoding == AG_SHADOW_REVERSED ? 1 - d : d;
}

// ---- against the definition --------------------------------------------------------------------

// Blocks of random depth and size before a wall.
static double *blocks(rng *r, int w, int h)
{
    double *map = check_doubles((size_t)w * (size_t)h);
    for (int i = 0; i < w * h; ++i)
        map[i] = 0.9 + 0.05 * (i % w) / w;
    for (int k = 0; k < 12; ++k) {
        double z = rng_uniform(r, 0.1, 0.85);
        int x0 = rng_int(r, 0, w - 1), y0 = rng_int(r, 0, h - 1);
        int x1 = x0 + rng_int(r, 1, 1 + w / 3), y1 = y0 + rng_int(r, 1, 1 + h / 3);
        for (int y = y0; y < y1 && y < h; ++y)
            for (int x = x0; x < x1 && x < w; ++x)
                map[y * w + x] = fmin(map[y * w + x], z);
    }
    return map;
}

static void test_definition(void **state)
{
    static const int sizes[][2] = {{31, 31}, {123, 57}, {523, 317}, {1, 1}};
    enum { W = 47, H = 33 };
    fixture *f = *state;
    rng r = rng_start("definition", 720);
    ag_pass *pass = fixture_pass(f, "soft_shadow");
    bool good = true;
    sweep *share = sweep_start("definition", 3);
    for (int k = 0; k < 12; ++k) {
        if (!sweep_takes(share))
            continue;
        const int *size = sizes[k % 4];
        bool spot = k % 2;
        double *map = blocks(&r, size[0], size[1]), *depth = check_doubles(W * H);
        ag_soft_shadow_settings s, *g = &s;
        ag_tuning tuning = trial_tiles() ? *trial_tiles() : (ag_tuning){.tile = AG_TILE_AUTO};
        trial t =
            shadow_of(f, spot ? "spot" : "directional", size[0], size[1], map, W, H, depth, g);
        g->light = spot;
        g->encoding = k % 3;
        g->view = k / 4 % 2;
        g->near_plane = 0.5f;
        g->far_plane = 8;
        g->map_width = 2;
        g->light_angle = 6;
        g->light_width = 0.3f;
        g->bleed = k % 5 ? 0.2f : 0;
        g->bias = 0.01f;
        g->min_box = (float)rng_uniform(&r, 2, 5);
        g->max_box = (float)rng_uniform(&r, 9, 40);
        // Depths as the encoding stores them.
        for (int i = 0; i < size[0] * size[1]; ++i)
            map[i] = stored(g, map[i]);
        for (int i = 0; i < W * H; ++i)
            depth[i] = stored(g, rng_uniform(&r, 0.4, 0.98));
        int bad = k % 3 ? 0 : size[0] * size[1] / 131;
        for (int i = 0; i < bad; ++i) // the farthest, and counted
            map[i * 131] = i % 2 ? (double)NAN : -(double)INFINITY;
        for (int i = 0; i < W * H && bad; i += 7)
            depth[i] = (double)NAN; // lit
        // Turned a little, and beyond the map's edges; the depth as stored.
        double a = rng_uniform(&r, -0.3, 0.3);
        double scale = g->view ? 1.1 / stored(g, 0.7) : 1.1;
        double c = scale * cos(a), d = scale * sin(a);
        const double m[16] = {c, d, 0, 0, -d, c, 0, 0, 0, 0, 1, 0, 0, -0.1, 0, 1};
        for (int i = 0; i < 16; ++i)
            g->to_light[i] = (float)m[i];
        // Texture units read the map, or image units, which cannot read depth formats.
        t.slots[SRC].format = k % 4 == 1 && !bad ? "d32f" : "r32f";
        t.slots[SRC].layers = k % 8 == 1;
        t.pass = pass;
        tuning.tables = AG_TABLES_IMAGE + k % 3;
        tuning.emulate = k / 2 % 2; // sums through shared memory, or by subgroups
        tuning.without = tuning.emulate ? 0 : AG_WITHOUT_SUBGROUPS;
        tuning.without |= k % 6 == 4 ? AG_WITHOUT_TEXTURE_UNITS : 0;
        if (tuning.emulate && tuning.threads)
            tuning.threads = 256;
        t.tuning = &tuning;
        t.left_out = 0.5; // a part of the table, too
        t.slots[TABLE] = trial_image("rgba32ui", size[0], size[1], NULL);
        uint64_t before = bad ? fixture_scrubbed(f) : 0;
        good = trial_check(&t) && good;
        if (bad)
            CHECK_EQ(fixture_scrubbed(f) - before, bad);
        trial_free(&t);
        free(map);
        free(depth);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- closed forms ------------------------------------------------------------------------------

// The frame is the map, at one depth; the map has the depth `high` left of `edge`.
static void half_plane(double *map, double *depth, int w, int h, double high, double far,
                       double edge)
{
    for (int i = 0; i < w * h; ++i) {
        map[i] = i % w < edge ? high : far;
        depth[i] = far;
    }
}

// The penumbra of an edge: a ramp as wide as the formula says, which grows with the distance.
static void test_penumbra(void **state)
{
    enum { W = 256, H = 40, MIDDLE = 20 };
    fixture *f = *state;
    double *map = check_doubles(W * H), *depth = check_doubles(W * H);
    ag_soft_shadow_settings s;
    trial t = shadow_of(f, "penumbra", W, H, map, W, H, depth, &s);
    s.near_plane = 1;
    s.far_plane = 11;    // 10 m a unit of depth
    s.map_width = 2.56f; // 100 texels a metre
    s.light_angle = 5;
    s.max_box = 120;
    double a_metre = 2 * tan(2.5 * acos(-1) / 180) * 100, first = 0;
    for (int k = 1; k <= 6; ++k) {
        double far = 52000 / 65535.0, high = far - k * 6000 / 65535.0, metres = 10 * (far - high);
        half_plane(map, depth, W, H, high, far, 128);
        trial_run(&t);
        double *got = t.got[DST], worst = 0, low = 0, up = 0;
        double wide = a_metre * metres;
        for (int x = 0; x < W; ++x) {
            double p = got[MIDDLE * W + x], want = (x + 0.5 - 128) / wide + 0.5;
            want = want < 0 ? 0 : want > 1 ? 1 : want;
            worst = check_worse(worst, fabs(p - want));
            double next = x + 1 < W ? got[MIDDLE * W + x + 1] : 1;
            if (p <= 0.1 && next > 0.1)
                low = x + (0.1 - p) / (next - p);
            if (p <= 0.9 && next > 0.9)
                up = x + (0.9 - p) / (next - p);
        }
        double measured = (up - low) / 0.8 / metres;
        first = k == 1 ? measured : first;
        char name[96];
        snprintf(name, sizeof name, "%.2f m behind its edge, %.1f texels wide: from the ramp",
                 metres, wide);
        CHECK_LIMIT(name, worst, 1 / wide + 1e-3);
        CHECK_LIMIT("  width a metre, off by", fabs(measured / a_metre - 1), 0.1);
        CHECK_LIMIT("  and of the nearest edge's", fabs(measured / first - 1), 0.1);
        trial_free(&t);
    }
    free(map);
    free(depth);
}

// Light that bleeds through a lower occluder where a higher one's edge lies above it: at most
// 1 / (1 + 2 r)^2, r the lower gap over the upper one. What lies below `bleed` is cut.
static void test_bleeding(void **state)
{
    enum { W = 160, H = 48 };
    static const double ratios[] = {0.25, 0.5, 1, 2};
    fixture *f = *state;
    double *map = check_doubles(W * H), *depth = check_doubles(W * H);
    ag_soft_shadow_settings s;
    trial t = shadow_of(f, "bleeding", W, H, map, W, H, depth, &s);
    s.light_angle = 60; // the widest box: every share of the upper occluder occurs
    s.far_plane = 40;
    s.map_width = 4;
    s.max_box = 40;
    for (size_t k = 0; k < COUNT(ratios); ++k)
        for (int cut = 0; cut < 2; ++cut) {
            double far = 0.9, upper = 0.2, lower = far - 0.3 * ratios[k], least = lower - 0.3;
            double worst = 0, most = pow(1 + 2 * ratios[k], -2);
            for (int i = 0; i < W * H; ++i) {
                map[i] = i % W < W / 2 ? (least > 0 ? least : upper) : lower;
                depth[i] = far;
            }
            s.bleed = cut ? (float)(most + 0.002) : 0;
            trial_run(&t);
            for (int x = 25; x < W - 25; ++x)
                worst = check_worse(worst, t.got[DST][24 * W + x]);
            char name[96];
            snprintf(name, sizeof name, "gaps 1 : %g, bleed %.3f: light in full shadow", ratios[k],
                     (double)s.bleed);
            CHECK_LIMIT(name, worst, cut ? 0 : most + 1e-3);
            CHECK(cut || worst > 0.5 * most); // the scene bleeds
            trial_free(&t);
        }
    free(map);
    free(depth);
}

// ---- rays --------------------------------------------------------------------------------------

typedef struct slab { // across the light
    double x0, y0, x1, y1, z;
} slab;

enum { SLABS = 14 };

static bool covers(const slab *s, double x, double y)
{
    return x > s->x0 && x < s->x1 && y > s->y0 && y < s->y1;
}

// A pergola: beams, each a little above a plate that lies high above the ground at 8 m.
static void pergola(rng *r, slab slabs[SLABS])
{
    for (int i = 0; i < SLABS; i += 2) {
        double x = rng_uniform(r, 0.3, 1.7), y = rng_uniform(r, 0.3, 1.7), z = rng_uniform(r, 2, 6);
        double half = rng_uniform(r, 0.06, 0.25), high = rng_uniform(r, 0.04, 0.15);
        slabs[i] = (slab){x - half, y - half, x + half, y + half, z};
        slabs[i + 1] = (slab){x - 0.4, y - high, x + 0.4, y + high, z - rng_uniform(r, 0.2, 1)};
    }
}

// The share of 64 rays to a square light that reach it from (x, y, z).
static double by_rays(const slab slabs[SLABS], double x, double y, double z, double slope)
{
    int lit = 0;
    for (int k = 0; k < 64; ++k) {
        double a = slope * ((k % 8 + 0.5) / 4 - 1), b = slope * ((k / 8 + 0.5) / 4 - 1);
        bool free = true;
        for (int i = 0; i < SLABS; ++i) {
            double up = z - slabs[i].z;
            free = free && !(up > 0.1 && covers(&slabs[i], x + a * up, y + b * up));
        }
        lit += free;
    }
    return lit / 64.0;
}

// What a pergola's umbra, on the ground and on plates, gets of a light that rays do not let
// through. With boxes that take what lies far behind a plate for light it was 25.6 %.
static void test_leak(void **state)
{
    enum { W = 256, H = 256, SCENES = 6 };
    fixture *f = *state;
    rng r = rng_start("leak", 723);
    ag_pass *pass = fixture_pass(f, "soft_shadow");
    double *map = check_doubles(W * H), *depth = check_doubles(W * H),
           *share = check_doubles(W * H);
    int umbra = 0, leaks = 0, lit = 0, dark = 0;
    for (int k = 0; k < SCENES; ++k) {
        slab slabs[SLABS];
        ag_soft_shadow_settings s;
        trial t = shadow_of(f, "leak", W, H, map, W, H, depth, &s);
        s = (ag_soft_shadow_settings)AG_SOFT_SHADOW_DEFAULTS;
        s.near_plane = 0.5f;
        s.far_plane = 8.5f;
        s.encoding = AG_SHADOW_LINEAR;
        s.map_width = 2;
        s.light_angle = 3;
        double slope = tan(1.5 * acos(-1) / 180);
        pergola(&r, slabs);
        for (int i = 0; i < W * H; ++i) {
            double x = (i % W + 0.5) * 2 / W, y = (i / W + 0.5) * 2 / H, receiver = 8;
            map[i] = 8;
            for (int j = 0; j < SLABS; ++j)
                if (covers(&slabs[j], x, y))
                    map[i] = fmin(map[i], slabs[j].z);
            for (int j = 0; j < SLABS; j += 2) // the camera sees under the beams
                if (covers(&slabs[j], x, y))
                    receiver = fmin(receiver, slabs[j].z);
            depth[i] = receiver;
            share[i] = by_rays(slabs, x, y, receiver, slope);
        }
        t.pass = pass;
        trial_run(&t);
        for (int i = 0; i < W * H; ++i) {
            umbra += share[i] == 0;
            leaks += share[i] == 0 && t.got[DST][i] > 0.1;
            lit += share[i] == 1;
            dark += share[i] == 1 && t.got[DST][i] < 0.9;
        }
        trial_free(&t);
    }
    printf("  %d texels in the umbra by 64 rays, %d lit\n", umbra, lit);
    CHECK_LIMIT("umbra that gets more than 0.1 of the light, %", 100.0 * leaks / umbra, 8.5);
    CHECK_LIMIT("lit texels that get less than 0.9, %", 100.0 * dark / lit, 0.5);
    free(map);
    free(depth);
    free(share);
    f->ag->pass_destroy(pass);
}

// ---- precision ---------------------------------------------------------------------------------

// p of a box from float32 tables of z and z^2, each entry correctly rounded, as a table of floats
// is at its best; of a map of noise before the receiver.
static double float_error(rng *r, int size, int box, int boxes)
{
    double worst = 0, ulp = ldexp(1, ilogb(0.25 * size * (double)size) - 23);
    // Entries in the last quarter of a map: their size is that of the sum, their errors up to half
    // an ulp of it, each on its own.
    for (int k = 0; k < boxes; ++k) {
        double t = rng_uniform(r, 0.5, 0.9), m1 = 0, m2 = 0, a = box * (double)box;
        for (int i = 0; i < box * box; ++i) {
            double d = t - (rng_int(r, 0, 1) ? t : t - 0.1);
            m1 += d;
            m2 += d * d;
        }
        double p = 1 - m1 * m1 / (a * m2), e1 = 0, e2 = 0;
        for (int i = 0; i < 4; ++i) {
            e1 += rng_uniform(r, -0.5, 0.5) * ulp;
            e2 += rng_uniform(r, -0.5, 0.5) * ulp;
        }
        double f1 = m1 - e1, f2 = m2 + e2 - 2 * t * e1;
        double q = f1 <= 0 || f2 <= 0 ? 1 : 1 - f1 * f1 / (a * f2);
        worst = check_worse(worst, fabs(fmin(fmax(q, 0), 1) - p));
    }
    return worst;
}

// A map of 4096 x 4096, where float32 fails and the integers hold.
static void test_precision(void **state)
{
    enum { SIZE = 4096, W = 64, H = 64 };
    fixture *f = *state;
    rng r = rng_start("precision", 722);
    double lost = float_error(&r, SIZE, 7, 4000);
    printf(
        "  note  float32 tables of %dx%d, boxes of 7x7: the share of light is off by up to %.2g\n",
        SIZE, SIZE, lost);
    CHECK(lost > 0.2);
    size_t count = (size_t)SIZE * SIZE;
    double *map = check_doubles(count), *depth = check_doubles(W * H);
    for (size_t i = 0; i < count; ++i)
        map[i] = rng_next(&r) & 1 ? 0.7 : 0.8;
    for (int i = 0; i < W * H; ++i)
        depth[i] = 0.8;
    ag_soft_shadow_settings s;
    trial t = shadow_of(f, "the corner of a large map", SIZE, SIZE, map, W, H, depth, &s);
    s.light_angle = 0;
    s.min_box = 7;
    const float m[16] = {0.0156f, 0, 0, 0, 0, 0.0156f, 0, 0, 0, 0, 1, 0, 0.984f, 0.984f, 0, 1};
    memcpy(s.to_light, m, sizeof m); // the last corner of the map
    t.limit = 2e-3; // a place in the map has 2^-12 of a texel in float: that much of a 7 x 7 box
    CHECK(trial_check(&t));
    trial_free(&t);
    free(map);
    free(depth);
}

// ---- sat/shadow.glsl in an engine's shader -----------------------------------------------------

static const char ask[] =
    "layout(local_size_x = 8, local_size_y = 8) in;\n"
    "layout(r32f, binding = 0) writeonly uniform image2D i_out;\n"
    "layout(location = 0) uniform vec4 u_light;\n"
    "layout(location = 1) uniform vec4 u_rest;\n" // t, least, largest side, bleed
    "void main()\n"
    "{\n"
    "    ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
    "    float lit = ag_shadow_soft(vec2(p) + 0.5, u_rest.x, u_light, u_rest.yz, u_rest.w);\n"
    "    imageStore(i_out, p, vec4(lit));\n"
    "}\n";

static GLuint engine_program(fixture *f, int w, int h)
{
    const ag_embedded_file *file = ag_embedded_shaders;
    char head[256], log[2048] = "";
    while (file->path && strcmp(file->path, "sat/shadow.glsl") != 0)
        ++file;
    CHECK(file->path != NULL);
    snprintf(head, sizeof head,
             "#version 430 core\nlayout(binding = 0) uniform usampler2D t_table;\n"
             "#define AG_SHADOW_TABLE(p) texelFetch(t_table, p, 0)\n"
             "#define AG_SHADOW_SIZE ivec2(%d, %d)\n",
             w, h);
    const char *parts[] = {head, file->text, ask};
    GLuint shader = f->gl.CreateShader(GL_COMPUTE_SHADER), program = f->gl.CreateProgram();
    f->gl.ShaderSource(shader, 3, parts, NULL);
    f->gl.CompileShader(shader);
    f->gl.AttachShader(program, shader);
    f->gl.LinkProgram(program);
    GLint linked = 0;
    f->gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    f->gl.GetShaderInfoLog(shader, sizeof log, NULL, log);
    f->gl.DeleteShader(shader);
    CHECK_F(linked, "%s", log);
    return program;
}

static void test_include(void **state)
{
    enum { W = 72, H = 64 };
    fixture *f = *state;
    rng r = rng_start("include", 723);
    ag_soft_shadow_settings s;
    double *map = blocks(&r, W, H), *depth = check_doubles(W * H), worst = 0;
    for (int i = 0; i < W * H; ++i)
        depth[i] = 0.88;
    trial t = shadow_of(f, "include", W, H, map, W, H, depth, &s);
    t.slots[TABLE] = trial_image("rgba32ui", W, H, NULL);
    s.light_angle = 20;
    s.map_width = 20;
    s.far_plane = 10.1f;
    trial_run(&t);
    const double *mask = t.got[DST];
    double k = W / 20.0 * 2 * tan(10 * acos(-1) / 180) * 10;
    texture out = texture_create(f, "r32f", W, H, NULL);
    GLuint program = engine_program(f, W, H);
    f->gl.UseProgram(program);
    f->gl.Uniform4f(0, (float)k, 0.1f, 10, 0);
    f->gl.Uniform4f(1, 0.88f, s.min_box, s.max_box, 0);
    f->gl.ActiveTexture(GL_TEXTURE0);
    f->gl.BindTexture(GL_TEXTURE_2D, t.textures[TABLE].name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    f->gl.BindImageTexture(0, out.name, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    f->gl.MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    f->gl.DispatchCompute(W / 8, H / 8, 1);
    f->gl.MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    f->gl.BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    f->gl.UseProgram(0);
    f->gl.DeleteProgram(program);
    double *got = texture_read(f, &out, 0);
    int shaded = 0;
    for (int i = 0; i < W * H; ++i) {
        worst = check_worse(worst, fabs(got[i] - mask[i]));
        shaded += mask[i] < 0.9;
    }
    CHECK_LIMIT("the include and the mask differ by", worst, 1e-4);
    CHECK(shaded > W * H / 8);
    texture_destroy(f, &out);
    free(got);
    free(map);
    free(depth);
    trial_free(&t);
}

static void test_refusals(void **state)
{
    double map[12 * 9] = {0}, depth[20 * 10] = {0};
    ag_soft_shadow_settings s;
    trial t = shadow_of(*state, "refusals", 12, 9, map, 20, 10, depth, &s);
    t.slots[TABLE] = trial_image("rgba32ui", 12, 9, NULL);
    trial_make(&t);
    CHECK_STATUS(t.f->ag->prepare(t.pass, &t.job), AG_OK);
    t.views[DST].rect_width = 19;
    t.views[DST].rect_height = 10;
    CHECK(trial_refused(&t, AG_E_SIZE, "dst"));
    t.views[DST] = texture_view(&t.textures[DST]);
    t.views[TABLE].rect_width = 11;
    t.views[TABLE].rect_height = 9;
    CHECK(trial_refused(&t, AG_E_SIZE, "table"));
    t.views[TABLE] = texture_no_view();
    s.far_plane = s.near_plane = 2;
    CHECK(trial_refused(&t, AG_E_ARG, "far_plane"));
    s.far_plane = 3;
    s.min_box = 9;
    s.max_box = 8;
    CHECK(trial_refused(&t, AG_E_ARG, "max_box"));
    trial_free(&t);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_definition), FIXTURE_TEST(test_penumbra),  FIXTURE_TEST(test_bleeding),
        FIXTURE_TEST(test_leak),        FIXTURE_FULL(test_precision), FIXTURE_TEST(test_include),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
