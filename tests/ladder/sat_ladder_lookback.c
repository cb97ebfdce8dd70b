// sat_ladder_lookback.c - "lookback": tiles that publish nothing, waits that expire, many runs
// SPDX-License-Identifier: MIT
#include <afterglow/sat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test_sat_ladder.h"

enum { ACROSS = 5, DOWN = 4, W = 32 * ACROSS - 11, H = 32 * DOWN - 7 }; // tiles of 32 x 32
enum { SRC = AG_SAT_LADDER_SRC, DST = AG_SAT_LADDER_DST };
enum { MANY_TURNS = 1 << 24 }; // beside other work a processor may wait for long

static trial lookback_of(fixture *f, ag_pass *pass, bool integers, const char *format, int width,
                         int height, const double *src, ag_sat_ladder_settings *s)
{
    trial t = (integers ? scan_of_integers : scan_of)(f, pass, AG_SCAN_LOOKBACK, format, width,
                                                      height, src, s);
    s->rows = 32;
    return t;
}

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// ---- silent tiles ------------------------------------------------------------------------------

// A tile whose first texel is bad publishes nothing.
static const char silent[] = "bool is_silent()\n"
                             "{\n"
                             "    bool bad;\n"
                             "    value_of_texel(fetch_inside(s_place * ivec2(32, ROWS)), bad);\n"
                             "    return bad;\n"
                             "}\n"
                             "void publish_unless_silent(int place, VALUE v)\n"
                             "{\n"
                             "    if (!is_silent())\n"
                             "        publish(place, v);\n"
                             "}\n"
                             "#define publish publish_unless_silent\n"
                             "void main()";

static fixture *open_on(const char *module, const char *shaders)
{
    const ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = shaders};
    fixture *f = fixture_open(
        &(fixture_options){.module = module, .desc = shaders ? &desc : NULL, .quiet = true});
    CHECK(f != NULL);
    return f;
}

// The table of the effect "sat" of the product, whose tiles repair what look-back leaves. malloc.
static double *table_by_tiles(const double *src)
{
    fixture *f = open_on(NULL, NULL);
    ag_sat_settings s;
    trial t = trial_of(f, "sat", "tiles", &s, sizeof s);
    s.storage = AG_SAT_FLOAT32;
    t.slots[AG_SAT_SRC] = trial_image("r32f", W, H, src);
    t.slots[AG_SAT_DST] = trial_image("r32f", W, H, NULL);
    trial_run(&t);
    double *table = t.got[AG_SAT_DST];
    t.got[AG_SAT_DST] = NULL;
    trial_free(&t);
    CHECK(fixture_close(f));
    return table;
}

// Each tile in turn publishes nothing. Those that wait for it give up, and `tiles` makes the table:
// integers are right, and floats have the bits of `tiles`, which look-back's differ from.
void test_silent_tiles(void **state)
{
    static const char *const folders[] = {"common", "sat", "ladder/sat", NULL};
    const size_t bytes = (size_t)W * H * sizeof(double);
    fixture *group = *state;
    rng r = rng_start("silent tiles", 107);
    double *src = values_noise(&r, "r32f", W, H, 0, 1), longest = 0;
    folder d = shader_folder(folders, "ladder/sat/lookback.comp", "void main()", silent);
    fixture *f = open_on("libafterglow_ladder.so.1", d.path);
    ag_pass *pass = fixture_pass(f, "sat_ladder"), *integers = fixture_pass(f, "sat_ladder");
    bool good = true, differ = false;
    sweep *share = sweep_start("silent tiles", 10);
    for (int tile = -1; tile < ACROSS * DOWN; ++tile) {
        if (tile >= 0 && !sweep_takes(share)) // -1: none is silent
            continue;
        ag_sat_ladder_settings s;
        double *at = &src[tile < 0 ? 0 : tile / ACROSS * 32 * W + tile % ACROSS * 32], was = *at;
        *at = 0;
        fixture_current(group);
        double *want = table_by_tiles(src);
        fixture_current(f);
        *at = tile < 0 ? 0 : (double)NAN;
        trial t = lookback_of(f, pass, false, "r32f", W, H, src, &s);
        s.turns = tile < 0 ? MANY_TURNS : tile % 2 ? 300 : 20;
        double before = seconds();
        trial_run(&t);
        double took = seconds() - before;
        bool same = memcmp(t.got[DST], want, bytes) == 0;
        trial_free(&t);
        free(want);
        longest = took > longest ? took : longest;
        // Nobody waits for the last one; short waits may expire all the same.
        bool repaired = tile >= 0 && tile < ACROSS * DOWN - 1;
        if (tile < 0)
            differ = !same;
        printf("  %-5s tile %d is silent: %s\n", same || !repaired ? "ok" : "WRONG", tile,
               same ? "tiles made the table" : "look-back made the table");
        good = good && (same || !repaired);
        t = lookback_of(f, integers, true, "r32f", W, H, src, &s);
        s.turns = tile < 0 ? MANY_TURNS : 20;
        good = scan_check(&t) && good;
        *at = was;
    }
    printf("  the longest run took %.2f s\n", longest);
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(integers);
    CHECK(fixture_close(f));
    fixture_current(group);
    folder_destroy(&d);
    free(src);
    CHECK(differ);
    CHECK(good);
}

// ---- waits -------------------------------------------------------------------------------------

// A wait of no turns at all: whoever does not find a sum at once gives up. Afterwards the pass
// works again, because each execute starts anew.
void test_expired(void **state)
{
    fixture *f = *state;
    rng r = rng_start("expired", 108);
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    double *src = values_noise(&r, "r32f", W, H, 0, 1);
    bool good = true;
    for (int turns = 1; turns <= 4096; turns *= 16) {
        ag_sat_ladder_settings s;
        trial t = lookback_of(f, pass, true, "r32f", W, H, src, &s);
        s.turns = turns;
        good = scan_check(&t) && good;
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The repair's dispatches are indirect: the host's buffer of commands stays bound.
void test_indirect_binding(void **state)
{
    fixture *f = *state;
    rng r = rng_start("indirect binding", 110);
    double *src = values_noise(&r, "r32f", W, H, 0, 1);
    ag_sat_ladder_settings s;
    trial t = lookback_of(f, NULL, true, "r32f", W, H, src, &s);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer);
    trial_run(&t);
    GLint bound = 0;
    f->gl.GetIntegerv(GL_DISPATCH_INDIRECT_BUFFER_BINDING, &bound);
    f->gl.BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    f->gl.DeleteBuffers(1, &buffer);
    trial_free(&t);
    free(src);
    CHECK_EQ(bound, buffer);
}

// Tables of few columns or rows of tiles, and a square: waits for a neighbour, again and again.
// llvmpipe loses values of threads that leave a loop before others; floats showed that. Schedules
// differ from run to run.
void test_narrow(void **state)
{
    static const int sizes[][2] = {{20, 3000}, {33, 1500}, {3000, 20}, {500, 70}, {330, 330}};
    fixture *f = *state;
    rng r = rng_start("narrow", 111);
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    bool good = true, quick = check_tier_now() == CHECK_QUICK;
    for (size_t i = 0; i < COUNT(sizes); i += quick ? 2 : 1) {
        bool large = check_tier_now() == CHECK_GPU && i == 4;
        int w = large ? 2048 : sizes[i][0], h = large ? 2017 : sizes[i][1];
        double *src = values_noise(&r, "rgba32f", w, h, 0, 1);
        for (int run = 0; run < (quick ? 1 : 8); ++run) {
            ag_sat_ladder_settings s;
            trial t = lookback_of(f, pass, run >= 4, "rgba32f", w, h, src, &s);
            s.rows = (run + (int)i / 2) % 2 ? 32 : 64;
            good = scan_check(&t) && good;
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
