// test_camera.c - the viewer's camera stays in the street: by hand, and between the keys of a path
// SPDX-License-Identifier: MIT
//
// The reference is Catmull and Rom's spline in Hermite's form, in double precision, cut off at the
// walls.
#include "camera.h"
#include "check.h"
#include "folder.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 12, VALUES = 5, PATHS = 300, STEPS = 4000 };

// Of x, y, z, yaw and pitch.
static const double low[VALUES] = {-6.6, 0.35, -9, -1e6, -1.4};
static const double high[VALUES] = {6.6, 14, 110, 1e6, 1.4};

typedef struct path {
    int count;
    double keys[KEYS][VALUES], times[KEYS];
} path;

// Half of the places lie on a wall or next to it: there a spline leaves the street.
static path random_path(rng *r)
{
    path p = {.count = rng_int(r, 1, KEYS)};
    double time = 0;
    for (int i = 0; i < p.count; i++) {
        for (int n = 0; n < VALUES; n++) {
            double from = n == 3 ? -4 : low[n], to = n == 3 ? 4 : high[n];
            int where = rng_int(r, 0, 3);
            p.keys[i][n] = where == 0 ? from : where == 1 ? to : rng_uniform(r, from, to);
            p.keys[i][n] = (double)(float)p.keys[i][n]; // as the viewer keeps it
        }
        p.times[i] = (double)(float)time;
        time += rng_int(r, 0, 7) ? rng_uniform(r, 0.01, 2) : 0; // also two keys at one time
    }
    return p;
}

static void write_path(folder *d, const char *name, const path *p)
{
    char text[KEYS * 256], *at = text;
    at += sprintf(at, "{\"keys\": [");
    for (int i = 0; i < p->count; i++) {
        const double *k = p->keys[i];
        at += sprintf(
            at, "%s{\"time\": %.9g, \"eye\": [%.9g, %.9g, %.9g], \"yaw\": %.9g, \"pitch\": %.9g}",
            i ? ", " : "", p->times[i], k[0], k[1], k[2], k[3], k[4]);
    }
    sprintf(at, "]}");
    folder_put(d, name, text);
}

static void reference(const path *p, double time, double out[VALUES], bool *outside)
{
    int last = p->count - 1, i = 0;
    while (i + 1 < last && p->times[i + 1] <= time)
        i++;
    int k = i < last ? i + 1 : last;
    const double *a = p->keys[i], *b = p->keys[k], *before = p->keys[i ? i - 1 : 0],
                 *after = p->keys[k < last ? k + 1 : last];
    double span = p->times[k] - p->times[i], t = span > 0 ? (time - p->times[i]) / span : 0;
    t = fmin(fmax(t, 0), 1);
    for (int n = 0; n < VALUES; n++) {
        double slope_a = (b[n] - before[n]) / 2, slope_b = (after[n] - a[n]) / 2;
        double free = (2 * t * t * t - 3 * t * t + 1) * a[n] +
                      (t * t * t - 2 * t * t + t) * slope_a + (3 * t * t - 2 * t * t * t) * b[n] +
                      (t * t * t - t * t) * slope_b;
        out[n] = fmin(fmax(free, low[n]), high[n]);
        *outside = *outside || free < low[n] - 1e-3 || free > high[n] + 1e-3;
    }
}

static const char *path_of(const folder *d, const char *name)
{
    static char buffer[256];
    snprintf(buffer, sizeof buffer, "%s/%s", d->path, name);
    return buffer;
}

static double value(const pose *p, int n)
{
    return (double)(n < 3 ? p->eye[n] : n == 3 ? p->yaw : p->pitch);
}

static double excess(const pose *p)
{
    double worst = 0;
    for (int n = 0; n < VALUES; n++)
        worst = check_worse(worst, fmax(low[n] - value(p, n), value(p, n) - high[n]));
    return worst;
}

static void test_paths(void **state)
{
    (void)state;
    rng r = rng_start("paths", 41);
    folder d = folder_create();
    camera *c = check_allocate(sizeof *c);
    double worst = 0, error = 0;
    int outside = 0, poses = 0;
    for (int i = 0; i < PATHS; i++) {
        path p = random_path(&r);
        write_path(&d, "path.json", &p);
        memset(c, 0, sizeof *c);
        camera_reset(c);
        CHECK(camera_load(c, path_of(&d, "path.json")));
        CHECK_EQ(c->key_count, p.count);
        camera_play(c, true);
        double end = p.times[p.count - 1];
        for (double time = 0; time <= end && poses < PATHS * 1000; poses++) {
            double wanted[VALUES];
            bool left = false;
            c->path_time = (float)time;
            camera_step(c, &(camera_move){0}, 0);
            reference(&p, (double)(float)time, wanted, &left);
            outside += left;
            worst = check_worse(worst, excess(&c->now));
            for (int n = 0; n < VALUES; n++)
                error = check_worse(error, fabs(value(&c->now, n) - wanted[n]));
            time += rng_uniform(&r, 0, 0.05) + end / 500 + 1e-3;
        }
    }
    printf("  %d poses of %d paths; a bare spline leaves the street in %d\n", poses, PATHS,
           outside);
    CHECK(outside > poses / 20); // else the paths are too tame to show anything
    CHECK_LIMIT("outside of the street, metres or radians", worst, 1e-6);
    CHECK_LIMIT("from the spline that is cut off at the walls", error, 2e-4);
    free(c);
    folder_destroy(&d);
}

static void test_hand(void **state)
{
    (void)state;
    rng r = rng_start("hand", 42);
    camera *c = check_allocate(sizeof *c);
    memset(c, 0, sizeof *c);
    camera_reset(c);
    double worst = 0;
    for (int i = 0; i < STEPS; i++) {
        camera_move move = {.ahead = (float)rng_int(&r, -1, 1),
                            .right = (float)rng_int(&r, -1, 1),
                            .up = (float)rng_int(&r, -1, 1),
                            .turn = (float)rng_normal(&r),
                            .tilt = (float)rng_normal(&r),
                            .orbit = (float)(rng_int(&r, 0, 1) * rng_normal(&r)),
                            .fast = rng_int(&r, 0, 1)};
        camera_step(c, &move, (float)rng_uniform(&r, 1e-4, 1));
        worst = check_worse(worst, excess(&c->now));
    }
    CHECK_LIMIT("outside of the street, metres or radians", worst, 1e-6);
    free(c);
}

// What is recorded is loaded bit for bit, up to as many keys as there is room for.
static void test_recorded(void **state)
{
    (void)state;
    rng r = rng_start("recorded", 43);
    folder d = folder_create();
    camera *c = check_allocate(sizeof *c), *again = check_allocate(sizeof *c);
    memset(c, 0, sizeof *c);
    memset(again, 0, sizeof *again);
    camera_reset(c);
    camera_record(c, true);
    for (int i = 0; i < PATH_KEYS + 10; i++)
        camera_step(c,
                    &(camera_move){.ahead = (float)rng_uniform(&r, -1, 1),
                                   .turn = (float)rng_normal(&r),
                                   .tilt = (float)(0.1 * rng_normal(&r))},
                    (float)rng_uniform(&r, 1e-3, 0.1));
    camera_record(c, false);
    CHECK_EQ(c->key_count, PATH_KEYS);
    folder_put(&d, "path.json", "");
    CHECK(camera_save(c, path_of(&d, "path.json")));
    CHECK(camera_load(again, path_of(&d, "path.json")));
    CHECK_EQ(again->key_count, PATH_KEYS);
    CHECK(memcmp(c->times, again->times, sizeof c->times) == 0);
    CHECK(memcmp(c->keys, again->keys, sizeof c->keys) == 0);
    free(c);
    free(again);
    folder_destroy(&d);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "{\"keys\": [",
        "{\"keys\\",
        "\"x\\",
        "[\"\\",
        "{\"keys\": [{\"eye\": \"\\",
        "[]",
        "{}",
        "{\"keys\": []}",
        "{\"keys\": {}}",
        "{\"keys\": [1]}",
        "{\"keys\": [{}]}",
        "{\"keys\": [{\"eye\": [1, 2]}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3, 4]}]}",
        "{\"keys\": [{\"eye\": [1, 2, \"3\"]}]}",
        "{\"keys\": [{\"eye\": [1, 2, 1e7]}]}",
        "{\"keys\": [{\"eye\": [1, 2, 1e999]}]}",
        "{\"keys\": [{\"eye\": [1, 2, nan]}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3], \"yaw\": true}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3], \"yaw\": 1e38}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3], \"time\": -1}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3], \"time\": 2}, {\"eye\": [1, 2, 3], \"time\": 1}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3]}], \"keys\": [{\"eye\": [1, 2, 3]}]}",
        "{\"keys\": [{\"eye\": [1, 2, 3]}]} x",
        "{\"\\ud800\": 1}",
        "{\"\xff\": 1}",
        "{\"\xc0\x80\": 1}",
    };
    folder d = folder_create();
    camera *c = check_allocate(sizeof *c), *before = check_allocate(sizeof *c);
    memset(c, 7, sizeof *c);
    c->recording = c->playing = false;
    memcpy(before, c, sizeof *c);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        folder_put(&d, "path.json", texts[i]);
        CHECK_F(!camera_load(c, path_of(&d, "path.json")), "taken: %s", texts[i]);
        CHECK(memcmp(c, before, sizeof *c) == 0);
    }
    static const char nul[] = "{\"keys\": [{\"eye\": [1, 2, 3]}]}\0";
    folder_put_bytes(&d, "path.json", nul, sizeof nul);
    CHECK(!camera_load(c, path_of(&d, "path.json")));
    folder_put_bytes(&d, "path.json", nul, sizeof nul - 2);
    CHECK(camera_load(c, path_of(&d, "path.json")));
    free(c);
    free(before);
    folder_destroy(&d);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_paths), UNIT_TEST(test_hand),
                                UNIT_TEST(test_recorded), UNIT_TEST(test_refused)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
