// bloom_motion.c - bloom's kernel while its settings move: built over frames, then faded to
// SPDX-License-Identifier: MIT
//
// The response to a point of light is K. It must be the former kernel until the fade begins, then
// the straight line between the two, and at last the new one.
#include "test_bloom.h"

enum { SIDE = 64, VALUES = 4 * SIDE * SIDE, FADE = 4, MOST_FRAMES = 64 };

typedef struct motion { // one pass whose settings change, on textures that stay; do not copy
    fixture *f;
    trial t;
    ag_bloom_settings settings;
} motion;

static void motion_start(motion *m, fixture *f)
{
    double *point = values_even("rgba32f", SIDE, SIDE, 0);
    for (int c = 0; c < 3; ++c)
        point[4 * (SIDE / 2 * SIDE + SIDE / 2) + c] = 1;
    m->f = f;
    m->t = blooming_of(f, "motion", SIDE, SIDE, point, &m->settings);
    m->t.reference = NULL; // src is not read back
    trial_make(&m->t);
    free(point);
    m->settings.shape = AG_BLOOM_APERTURE;
    m->settings.size = 0.9f;
    m->settings.output = AG_BLOOM_ONLY;
    m->settings.transition = FADE;
}

// One frame of a host that prepares always. Returns what it shows (malloc).
static double *frame(motion *m)
{
    trial_run(&m->t);
    double *got = m->t.got[DST];
    m->t.got[DST] = NULL;
    return got;
}

// What these settings show when they are there from the start.
static double *at_once(fixture *f, const ag_bloom_settings *settings)
{
    motion m;
    motion_start(&m, f);
    m.settings = *settings;
    m.settings.transition = 0;
    double *k = frame(&m);
    trial_free(&m.t);
    return k;
}

// The share of `b` in `k` that leaves the least rest, and the largest rest.
static double share_of(const double *k, const double *a, const double *b, double *rest)
{
    double along = 0, square = 0;
    for (int i = 0; i < VALUES; ++i) {
        along += (k[i] - a[i]) * (b[i] - a[i]);
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    double share = along / square;
    *rest = 0;
    for (int i = 0; i < VALUES; ++i)
        *rest = check_worse(*rest, fabs(k[i] - a[i] - share * (b[i] - a[i])));
    return share;
}

// A change is seen FADE times, in equal parts, and the kernel sums to 1 meanwhile.
void test_motion_fades(void **state)
{
    fixture *f = *state;
    motion m;
    motion_start(&m, f);
    double *a = frame(&m);
    m.settings.rotation = 25;
    m.settings.roundness = 0.5f;
    double *b = at_once(f, &m.settings), before = 0, worst = 0, sums = 0, uneven = 0;
    int still = 0, moving = 0;
    while (before < 1 - 1e-5 && still + moving < MOST_FRAMES) {
        double *k = frame(&m), rest, share = share_of(k, a, b, &rest), sum = 0;
        for (int i = 0; i < VALUES; i += 4)
            sum += k[i];
        if (fabs(share) < 1e-6 && !moving)
            ++still;
        else
            uneven = check_worse(uneven, fabs(share - ++moving / (double)FADE));
        worst = check_worse(worst, rest);
        sums = check_worse(sums, fabs(sum - 1));
        before = share;
        free(k);
    }
    printf("  note  the kernel stood for %d frames, and moved in %d\n", still, moving);
    CHECK_EQ(moving, FADE);
    CHECK(still >= 3);
    CHECK_LIMIT("share of the new kernel off its part of the fade", uneven, 1e-5);
    CHECK_LIMIT("light beside the line between both kernels", worst, 1e-6);
    CHECK_LIMIT("|sum of K - 1| on the way", sums, 1e-5);
    free(a);
    free(b);
    trial_free(&m.t);
}

// An iris that turns on every frame: never a jump, no new memory, and it ends where it stops.
void test_motion_every_frame(void **state)
{
    fixture *f = *state;
    motion m;
    motion_start(&m, f);
    double *shown = frame(&m), largest = 0, peak = 0;
    uint64_t bytes = 0;
    for (int i = 0; i < 40; ++i) {
        m.settings.rotation = (float)(i < 24 ? i : 24);
        double *k = frame(&m);
        for (int p = 0; p < VALUES; ++p)
            peak = fmax(peak, k[p]);
        largest = check_worse(largest, check_max_error(k, shown, VALUES));
        ag_health health = {.struct_size = sizeof health};
        CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);
        if (i == 12)
            bytes = health.persistent_bytes;
        if (i > 12)
            CHECK_EQ(health.persistent_bytes, bytes);
        free(shown);
        shown = k;
    }
    double *last = at_once(f, &m.settings);
    CHECK_LIMIT("largest step of a frame, over K's peak", largest / peak, 0.02);
    CHECK_LIMIT("light off the last kernel", check_max_error(last, shown, VALUES), 1e-6);
    free(last);
    free(shown);
    trial_free(&m.t);
}

// What cannot wait is made at once, in the middle of a fade too: another size, another shape, no
// transition.
void test_motion_interrupted(void **state)
{
    fixture *f = *state;
    sweep *share = sweep_start("interruptions", 4);
    for (int how = 0; how < 4; ++how) {
        if (!sweep_takes(share))
            continue;
        motion m;
        motion_start(&m, f);
        free(frame(&m));
        m.settings.rotation = 25;
        for (int i = 0; i < 8; ++i)
            free(frame(&m));
        switch (how) {
        case 0: m.settings.transition = 0, m.settings.rotation = 31; break;
        case 1: m.settings.shape = AG_BLOOM_STAR; break;
        case 2: m.settings.size = 0.8f; break;
        default: m.settings.shape = AG_BLOOM_GAUSSIAN; break;
        }
        double *k = frame(&m), *want = at_once(f, &m.settings);
        printf("  note  interruption %d\n", how);
        CHECK_LIMIT("light off the kernel", check_max_error(k, want, VALUES), 1e-6);
        free(k);
        free(want);
        trial_free(&m.t);
    }
}
