// box_blur_blocks.c - the texels that each program of box_blur takes: shaders/sat/blur.comp
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "effects/sat/box_blur.h"
#include "test_box_blur.h"

// Whether the box at place i of an axis of n lies at least one texel within it; the shader's
// arithmetic.
static bool is_inside(int i, int n, double r)
{
    return i - (int)ceil(r) > 0 && i + 1 + (int)floor(r) < n;
}

// The blocks left out of the frame, texel by texel, and how many groups the frame has.
void test_inside(void **state)
{
    (void)state;
    rng r = rng_start("inside", 122);
    for (int i = 0; i < 400; ++i) {
        ag_blur_boxes b = {rng_int(&r, 1, 200),
                           rng_int(&r, 1, 200),
                           false,
                           rng_uniform(&r, 2, i % 2 ? 8 : 120),
                           {i % 3 ? 16 : 32, i % 3 ? 16 : 8}};
        if (i % 4 == 0)
            b.radius = floor(b.radius);
        ag_blur_area a = ag_blur_inside(&b);
        int across = (b.width + b.block.x - 1) / b.block.x, frame = 0, some = 0;
        int down = (b.height + b.block.y - 1) / b.block.y;
        for (int y = 0; y < down; ++y)
            for (int x = 0; x < across; ++x) {
                bool all = true;
                for (int k = 0; k < b.block.x * b.block.y; ++k) {
                    int tx = x * b.block.x + k % b.block.x, ty = y * b.block.y + k / b.block.x;
                    bool in = is_inside(tx, b.width, b.radius) && is_inside(ty, b.height, b.radius);
                    all = all && in;
                    some += in;
                }
                frame += !all;
                CHECK_EQ(all, x >= a.x0 && x < a.x1 && y >= a.y0 && y < a.y1);
            }
        uint32_t groups[3];
        ag_blur_groups(&b, AG_BLUR_BEYOND, groups);
        CHECK(groups[0] * groups[1] >= (uint32_t)frame && groups[0] <= AG_BLUR_ROW);
        CHECK(groups[0] * (groups[1] - 1) < (uint32_t)frame && groups[2] == 1);
        int within = b.radius == floor(b.radius) ? AG_BLUR_WHOLE : AG_BLUR_CUT;
        CHECK_EQ(ag_blur_parts(&b), 1 << AG_BLUR_BEYOND | (some > 0) << within);
    }
}

// Blocks that reach the image's edge: above, below and beside inner ones, none inner, all texels.
void test_frames(void **state)
{
    static const int sizes[][2] = {{150, 90}, {97, 75}, {64, 32}, {70, 180}};
    static const float radii[] = {2, 6.5f, 13, 37};
    fixture *f = *state;
    rng r = rng_start("frames", 120);
    ag_pass *pass = fixture_pass(f, "box_blur");
    bool good = true;
    sweep *share = sweep_start("frames", 4);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double *src = values_noise(&r, "rgba32f", sizes[i][0], sizes[i][1], 0, 1);
        for (size_t k = 0; k < COUNT(radii) - (i != 2); ++k) {
            if (!sweep_takes(share))
                continue;
            int turn = (int)(i + k);
            ag_box_blur_settings s;
            trial t = blur_of(f, "frames", "rgba32f", sizes[i][0], sizes[i][1], src, &s);
            s.radius = radii[k];
            s.border = turn % 4 == 3 ? AG_BORDER_NORMALIZE : turn % 4;
            double side = 2 * (double)radii[k] + 1; // a 24th of what box_blur.h allows
            double limit = 1e-3 / (side * side) + 1e-6;
            good = blur_check(&t, pass, blur_way(2 - (int)i % 3), limit) && good;
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Blocks with boxes of all kinds, and of each alone, one after the other by one pass; whole radii
// among them, and 2.
void test_marks(void **state)
{
    enum { W = 110, H = 70 };
    static const double low[] = {0, 2, 18, 0, 2, 2}, high[] = {30, 6, 30, 1.9, 30, 2};
    fixture *f = *state;
    rng r = rng_start("marks", 121);
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = values_noise(&r, "rgba32f", W, H, 0, 1), *radius = check_doubles(W * H);
    bool good = true;
    for (size_t k = 0; k < COUNT(low); ++k) {
        for (int i = 0; i < W * H; ++i)
            radius[i] = rng_uniform(&r, low[k], high[k]);
        for (int i = 0; i < W * H; i += 5)
            radius[i] = i % 2 && low[k] <= 2 && high[k] > 2 ? 2 : floor(radius[i]);
        ag_box_blur_settings s;
        trial t = blur_of(f, "marks", "rgba32f", W, H, src, &s);
        t.slots[RADIUS] = trial_image("r32f", W, H, radius);
        s.radius = 1;
        s.border = AG_BORDER_CLAMP;
        good = blur_check(&t, pass, AG_TABLES_BUFFER, 4e-5) && good; // as of radius 2
    }
    free(src);
    free(radius);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Small radii over more blocks than a group tests; layers; iterations; radii that move.
void test_small_radii_move(void **state)
{
    enum { W = 257, H = 130, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("small radii move", 119);
    ag_pass *pass = fixture_pass(f, "box_blur");
    double *src = values_noise(&r, "r32f", W, H * LAYERS, 0, 1), *radius = check_doubles(W * H);
    bool good = true;
    sweep *share = sweep_start("small radii move", 1);
    for (int k = 0; k < 2 * (check_tier_now() == CHECK_QUICK ? 1 : BLUR_WAYS); ++k) {
        if (!sweep_takes(share))
            continue;
        int left = k % 2 * (W / 2);
        for (int i = 0; i < W * H; ++i) // small ones on one side, then on the other
            radius[i] = rng_uniform(&r, i % W >= left && i % W < left + W / 2 ? 0 : 2, 3);
        ag_box_blur_settings s;
        trial t = blur_of(f, "small radii move", "r32f", W, H, src, &s);
        t.slots[SRC].layers = t.slots[DST].layers = LAYERS;
        t.slots[RADIUS] = trial_image("r32f", W, H, radius);
        s.radius = 1;
        s.iterations = 2;
        good = blur_check(&t, pass, blur_way(k / 2), 1e-4) && good;
    }
    free(src);
    free(radius);
    f->ag->pass_destroy(pass);
    CHECK(good);
}
