// test_folder.c - passes from folders: formats, sizes, textures, settings, slots
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "jobs.h"
#include "pass_folder.h"
#include "passes/words.h"
#include "random.h"
#include "shader/embedded.h"
#include "test_folder.h"

#define COPY                                                        \
    "//! pass copy \"a copy\"\n" SLOTS "//! step copy src -> dst\n" \
    "#include \"pass.glsl\"\n"                                      \
    "void main() { store(dst, this_texel, load(src, this_texel)); }\n"

// ---- copies ------------------------------------------------------------------------------------

static bool copied(trial *t, const trial_part *p, double *want, double *bound)
{
    double *in = trial_input(t, SRC, p->layer);
    int channels = trial_channels(t, SRC);
    for (int i = 0; i < p->width * p->height; ++i)
        for (int c = 0; c < p->channels; ++c) {
            if (c < channels)
                want[i * p->channels + c] = in[i * channels + c];
            else
                want[i * p->channels + c] = c == 3; // as GL reads what is missing
            bound[i * p->channels + c] = t->limit;
        }
    free(in);
    return true;
}

static double *noise(rng *r, int count)
{
    double *values = check_doubles((size_t)count);
    rng_fill_uniform(r, values, (size_t)count, 0, 1);
    return values;
}

// Every format from and to every other.
static void test_formats(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f, COPY, &p);
    rng r = rng_start("formats", 1);
    double *values = noise(&r, 4 * 21 * 13);
    bool good = true;
    sweep *share = sweep_start("formats", 4);
    for (int from = 0; from < FORMAT_COUNT; ++from)
        for (int to = 0; to < FORMAT_COUNT; ++to) {
            if (!sweep_takes(share))
                continue;
            char name[64];
            snprintf(name, sizeof name, "%s to %s", format_at(from)->name, format_at(to)->name);
            trial t = pass_trial(&p, name);
            t.slots[SRC] = trial_image(format_at(from)->name, 21, 13, values);
            t.slots[DST] = trial_image(format_at(to)->name, 21, 13, NULL);
            t.reference = copied;
            t.limit = 1e-6; // of the curves of sRGB
            good = trial_check(&t) && good;
            trial_free(&t);
        }
    free(values);
    CHECK(good);
    pass_close(&p);
}

static void test_shapes(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f, COPY, &p);
    rng r = rng_start("shapes", 2);
    double *values = noise(&r, 4 * 40 * 30 * 3);
    static const int sizes[][2] = {{1, 1}, {1, 17}, {33, 1}, {40, 30}, {8, 8}, {9, 7}};
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%d x %d", sizes[i][0], sizes[i][1]);
        trial t = pass_image(&p, name, "rgba32f", sizes[i][0], sizes[i][1], values);
        t.reference = copied;
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    // A rectangle into another one, in layers: what lies beside it stays.
    trial t = pass_trial(&p, "a rectangle of layers");
    t.slots[SRC] = trial_image("rgba32f", 40, 30, values);
    t.slots[DST] = trial_image("rgba16f", 35, 28, NULL);
    for (int i = 0; i < 2; ++i) {
        t.slots[i].layers = 3;
        t.slots[i].first = i == SRC;
        t.slots[i].count = 2;
        t.slots[i].x = 3 + i;
        t.slots[i].y = 5 - i;
        t.slots[i].w = 21;
        t.slots[i].h = 17;
    }
    t.reference = copied;
    good = trial_check(&t) && good;
    trial_free(&t);
    free(values);
    CHECK(good);
    pass_close(&p);
}

// Between texels, up to two texels outside of the image.
static bool interpolated(trial *t, const trial_part *p, double *want, double *bound)
{
    double *in = trial_input(t, SRC, p->layer);
    const ag_texture *src = &t->views[SRC];
    int w = src->rect_width ? src->rect_width : src->width;
    int h = src->rect_height ? src->rect_height : src->height, channels = trial_channels(t, SRC);
    for (int i = 0; i < p->width * p->height; ++i) {
        double x = (i % p->width + 0.5) * (w + 4) / p->width - 2.5;
        double y = (i / p->width + 0.5) * (h + 4) / p->height - 2.5;
        for (int c = 0; c < p->channels; ++c) {
            double sum = 0;
            for (int k = 0; k < 4 && c < channels; ++k) {
                int at_x = (int)floor(x) + (k & 1), at_y = (int)floor(y) + (k >> 1);
                double weight = (1 - fabs(x - at_x)) * (1 - fabs(y - at_y));
                at_x = at_x < 0 ? 0 : at_x >= w ? w - 1 : at_x;
                at_y = at_y < 0 ? 0 : at_y >= h ? h - 1 : at_y;
                sum += weight * in[(at_y * w + at_x) * channels + c];
            }
            if (c < channels)
                want[i * p->channels + c] = sum;
            bound[i * p->channels + c] = t->limit;
        }
    }
    free(in);
    return true;
}

// By texture units, of which most formats are read as packed texels, and by image units.
static void test_bilinear(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass between \"x\"\n//! slot src read colour \"in\"\n"
              "//! slot dst write rgba32f size any \"out\"\n//! step s src -> dst\n"
              "#include \"pass.glsl\"\n"
              "void main()\n{\n    vec2 at = (vec2(this_texel) + 0.5) / vec2(size_of(dst));\n"
              "    store(dst, this_texel, bilinear(src, at * vec2(size_of(src) + 4) - 2.0));\n}\n",
              &p);
    rng r = rng_start("bilinear", 5);
    double *values = noise(&r, 4 * 19 * 14);
    static const int sizes[][2] = {{19, 14}, {1, 9}, {7, 1}, {1, 1}, {2, 2}};
    bool good = true;
    for (int i = 0; i < 2 * FORMAT_COUNT * (int)(sizeof sizes / sizeof *sizes); ++i) {
        const char *format = format_at(i / 2 % FORMAT_COUNT)->name;
        const int *size = sizes[i / 2 / FORMAT_COUNT];
        ag_tuning tuning = {.without = i % 2 ? AG_WITHOUT_TEXTURE_UNITS : 0};
        char name[64];
        snprintf(name, sizeof name, "%s by %s units", format, i % 2 ? "image" : "texture");
        trial t = pass_trial(&p, name);
        t.tuning = &tuning;
        t.slots[SRC] = trial_image(format, 19, 14, values);
        t.slots[SRC].w = size[0]; // a rectangle, which is not left
        t.slots[SRC].h = size[1];
        t.slots[SRC].x = 19 - size[0];
        t.slots[SRC].y = (14 - size[1]) / 2;
        t.slots[DST] = trial_image("rgba32f", 3 * size[0] + 2, 2 * size[1] + 5, NULL);
        t.reference = interpolated;
        t.limit = 1e-5;
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    free(values);
    CHECK(good);
    pass_close(&p);
}

// Bad texels are 0 and counted once for each read. Without scrub they stay; infinite halves are
// stored as the largest one.
static bool scrubs(pass_folder *p, const char *format, const ag_tuning *tuning)
{
    fixture *f = p->f;
    double values[4 * 35];
    char name[64];
    snprintf(name, sizeof name, "%s by %s units", format, tuning->without ? "image" : "texture");
    trial t = pass_image(p, name, format, 7, 5, values);
    int channels = format_named(format)->channels;
    for (int i = 0; i < channels * 35; ++i)
        values[i] = i;
    values[channels * 3 + 1] = (double)NAN;
    values[channels * 20] = (double)INFINITY;
    t.tuning = tuning;
    bool good = true;
    uint64_t before = fixture_scrubbed(f);
    for (int scrub = 1; scrub >= 0; --scrub) {
        pass_set(p, "scrub", 0, scrub);
        trial_run(&t);
        for (int i = 0; i < channels * 35; ++i) {
            double got = t.got[DST][i], kept = isinf(values[i]) && got == 65504 ? values[i] : got;
            bool bad = i / channels == 3 || i / channels == 20;
            good = good && (scrub && bad       ? got == 0
                            : isnan(values[i]) ? isnan(got)
                                               : kept == values[i]);
        }
    }
    int seen = (int)(fixture_scrubbed(f) - before);
    trial_free(&t);
    return check_case(name, good && seen == 2);
}

static void test_scrub(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rg16f", "rgba16f", "rg32f", "rgba32f"};
    pass_folder p;
    pass_open(f, COPY, &p);
    bool good = true;
    for (size_t i = 0; i < 2 * sizeof formats / sizeof *formats; ++i) {
        ag_tuning tuning = {.without = i % 2 ? AG_WITHOUT_TEXTURE_UNITS : 0};
        good = scrubs(&p, formats[i / 2], &tuning) && good;
    }
    CHECK(good);
    pass_close(&p);
}

// ---- textures and memory -----------------------------------------------------------------------

// Each level is the mean of four texels of the one before, repeated at the edges; dst shows the
// last one.
#define CHAIN(format)                                                                             \
    "//! pass chain \"a chain\"\n" SLOTS "//! setting levels int 3 1..6 constant \"n\"\n"         \
    "//! texture chain " format " size src/2 levels 6\n"                                          \
    "//! step first from=src -> to=chain[0] define DOWN 1\n"                                      \
    "//! step more for i in 1..levels-1 from=chain[i-1] -> to=chain[i] define DOWN 1 group 4x4\n" \
    "//! step show from=chain[levels-1] -> to=dst define DOWN 0\n"                                \
    "#include \"pass.glsl\"\n"                                                                    \
    "void main()\n{\n    ivec2 p = this_texel;\n"                                                 \
    "#if DOWN\n"                                                                                  \
    "    vec4 sum = load(from, 2 * p) + load(from, 2 * p + ivec2(1, 0));\n"                       \
    "    sum += load(from, 2 * p + ivec2(0, 1)) + load(from, 2 * p + 1);\n"                       \
    "    store(to, p, sum / 4.0);\n"                                                              \
    "#else\n    store(to, p, load(from, p >> setting_levels));\n#endif\n}\n"

static double *halved(double *in, int *w, int *h)
{
    int w2 = (*w + 1) / 2, h2 = (*h + 1) / 2;
    double *out = check_doubles((size_t)(4 * w2 * h2));
    for (int y = 0; y < h2; ++y)
        for (int x = 0; x < w2; ++x)
            for (int c = 0; c < 4; ++c) {
                double sum = 0;
                for (int k = 0; k < 4; ++k) {
                    int sx = 2 * x + (k & 1), sy = 2 * y + (k >> 1);
                    sx = sx < *w ? sx : *w - 1;
                    sy = sy < *h ? sy : *h - 1;
                    sum += in[4 * (sy * *w + sx) + c];
                }
                out[4 * (y * w2 + x) + c] = sum / 4;
            }
    free(in);
    *w = w2;
    *h = h2;
    return out;
}

static bool chained(trial *t, const trial_part *p, double *want, double *bound)
{
    int levels = *(int *)t->user, w = p->width, h = p->height;
    double *in = trial_input(t, SRC, p->layer);
    for (int i = 0; i < levels; ++i)
        in = halved(in, &w, &h);
    for (int y = 0; y < p->height; ++y)
        for (int x = 0; x < p->width; ++x)
            for (int c = 0; c < 4; ++c) {
                size_t at = (size_t)(4 * (y * p->width + x) + c);
                want[at] = in[4 * ((y >> levels) * w + (x >> levels)) + c];
                bound[at] = t->limit;
            }
    free(in);
    return true;
}

static void test_chain(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text;
        double limit;
    } formats[] = {{CHAIN("rgba32f"), 1e-6}, {CHAIN("rgba16f"), 2e-3}, {CHAIN("rgba8"), 0.013}};
    rng r = rng_start("chain", 3);
    double *values = noise(&r, 4 * 45 * 37 * 2);
    bool good = true;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        pass_folder p;
        pass_open(f, formats[i].text, &p);
        for (int levels = 1; levels <= 6; levels += i ? 5 : 1) {
            char name[64];
            snprintf(name, sizeof name, "%d levels, within %g", levels, formats[i].limit);
            trial t = pass_image(&p, name, "rgba32f", 45, 37, values);
            pass_set(&p, "levels", 0, levels);
            t.slots[SRC].layers = t.slots[DST].layers = levels == 2 ? 2 : 0;
            t.reference = chained;
            t.user = &levels;
            t.limit = formats[i].limit;
            t.lend = levels == 3;
            good = trial_check(&t) && good;
            trial_free(&t);
        }
        pass_close(&p);
    }
    free(values);
    CHECK(good);
}

// Blocks of scratch whose steps are apart share bytes, as the plan says.
static void test_plan(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass shared \"x\"\n" SLOTS "//! texture a rgba32f size src\n"
              "//! texture b rgba32f size src\n//! texture c rgba32f size src\n"
              "//! step one from=src -> to=a\n//! step two from=a -> to=b\n"
              "//! step three from=b -> to=c\n//! step four from=c -> to=dst\n"
              "#include \"pass.glsl\"\n"
              "void main() { store(to, this_texel, load(from, this_texel)); }\n",
              &p);
    double values[4 * 12];
    for (int i = 0; i < 4 * 12; ++i)
        values[i] = i;
    trial t = pass_image(&p, "four copies", "rgba32f", 4, 3, values);
    t.reference = copied;
    bool good = trial_check(&t);
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
    CHECK_EQ(plan->step_count, 4);
    CHECK(!strcmp(plan->steps[2].name, "three"));
    uint64_t block = 4 * 3 * 16, alignment = plan->scratch_alignment;
    CHECK_EQ(plan->scratch_bytes, 2 * ((block + alignment - 1) / alignment * alignment));
    trial_free(&t);
    CHECK(good);
    pass_close(&p);
}

// What a pass keeps is zero at first, stays from frame to frame, and is zero again at another size.
static void test_keep(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass sums \"x\"\n" SLOTS "//! texture past rgba32f size src keep\n"
              "//! step add src past -> dst past\n#include \"pass.glsl\"\n"
              "void main()\n{\n    vec4 c = load(src, this_texel);\n"
              "    if (!frame_reset)\n        c += load(past, this_texel);\n"
              "    store(past, this_texel, c);\n    store(dst, this_texel, c);\n}\n",
              &p);
    double values[4 * 30];
    for (int i = 0; i < 4 * 30; ++i)
        values[i] = i % 7;
    ag_pass *pass = fixture_pass(f, "sums");
    bool good = true;
    for (int size = 0; size < 2; ++size) {
        trial t = pass_image(&p, "sums", "rgba32f", 6 - size, 5, values);
        t.pass = pass;
        for (int frame = 1; frame <= 4; ++frame) {
            t.job.flags = frame == 4 ? AG_JOB_RESET : 0;
            trial_run(&t);
            int times = frame == 4 ? 1 : frame;
            for (int i = 0; i < 4 * (6 - size) * 5; ++i)
                good = good && t.got[DST][i] == times * values[i];
            char name[64];
            snprintf(name, sizeof name, "frame %d is %d times the image", frame, times);
            check_case(name, good);
        }
        trial_free(&t);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
    pass_close(&p);
}

// Counts of a histogram, to which all threads add, in several groups; then shown.
static void test_counts(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass counts \"x\"\n" SLOTS "//! texture bins r32ui size 16x1\n"
              "//! step empty bins -> bins\n//! step count src bins -> bins over src\n"
              "//! step show bins -> dst\n#include \"pass.glsl\"\n"
              "void main()\n{\n#ifdef STEP_empty\n    store_word(bins, this_texel, 0u);\n"
              "#elif defined(STEP_count)\n    if (contains(src, this_texel))\n"
              "        add_word(bins, ivec2(int(load(src, this_texel).r * 16.0), 0), 1u);\n"
              "#else\n    store(dst, this_texel, vec4(load_word(bins, ivec2(this_texel.x, 0))));\n"
              "#endif\n}\n",
              &p);
    rng r = rng_start("counts", 4);
    double *values = noise(&r, 61 * 43), bins[16] = {0};
    for (int i = 0; i < 61 * 43; ++i)
        bins[(int)((double)(float)values[i] * 16)] += 1;
    trial t = pass_image(&p, "counts", "r32f", 61, 43, values);
    bool good = true;
    for (int frame = 0; frame < 2; ++frame) {
        trial_run(&t);
        for (int i = 0; i < 61 * 43; ++i)
            good = good && t.got[DST][i] == bins[i % 61 < 16 ? i % 61 : 15];
    }
    trial_free(&t);
    free(values);
    CHECK(check_case("a histogram", good));
    pass_close(&p);
}

// ---- settings, state, depth --------------------------------------------------------------------

static void test_settings(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass values \"x\"\n" SLOTS "//! setting a float 0.25 -1..1 \"a\"\n"
              "//! setting tint float3 1 2 3 0..9 \"t\"\n//! setting n int 5 -9..9 \"n\"\n"
              "//! setting on bool off \"b\"\n//! setting curve choice one two three \"c\"\n"
              "//! setting fixed_n int 7 0..9 constant \"n\"\n"
              "//! setting which choice red green constant \"w\"\n"
              "//! setting late float 0.5 0..1 \"l\"\n"
              "//! step s src -> dst\n#include \"pass.glsl\"\n"
              "void main()\n{\n    vec4 c = vec4(setting_tint + setting_a, float(setting_n));\n"
              "    if (setting_on)\n        c.a += 100.0;\n"
              "    if (setting_curve == curve_three)\n        c.r += 10.0;\n"
              "#if setting_which == which_green\n    c.g += 20.0;\n#endif\n"
              "    c.b += float(setting_fixed_n) + setting_late + float(frame_number);\n"
              "    c.a += frame_seconds;\n    store(dst, this_texel, c);\n}\n",
              &p);
    const double zeros[4] = {0};
    // The least and the largest value, as floats, are in the range.
    pass_folder q;
    pass_open(f,
              "//! pass ends \"x\"\n" SLOTS "//! setting a float 0.1 0.03..0.4 \"a\"\n"
              "//! step s src -> dst\n#include \"pass.glsl\"\n"
              "void main() { store(dst, this_texel, vec4(setting_a)); }\n",
              &q);
    for (int i = 0; i < 2; ++i) {
        trial t = pass_image(&q, "ends", "rgba32f", 1, 1, zeros);
        pass_set(&q, "a", 0, i ? 0.4 : 0.03);
        trial_run(&t);
        CHECK(t.got[DST][0] == (i ? 0.4f : 0.03f));
        trial_free(&t);
    }
    static const double expected[][4] = {{1.25, 2.25, 3.25 + 7 + 0.5, 5},
                                         {11.5, 22.5, 4.5 + 9 + 0.75 + 3, 1 + 100 + 0.125}};
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        trial t = pass_image(&p, "settings", "rgba32f", 1, 1, zeros);
        if (i) {
            pass_set(&p, "a", 0, 0.5);
            pass_set(&p, "tint", 2, 4);
            pass_set(&p, "n", 0, 1);
            pass_set(&p, "on", 0, 1);
            pass_set(&p, "curve", 0, 2);
            pass_set(&p, "fixed_n", 0, 9);
            pass_set(&p, "which", 0, 1);
            pass_set(&p, "late", 0, 0.75);
            t.job.frame = 3;
            t.job.dt = 0.125f;
        }
        trial_run(&t);
        good = check_case(i ? "set" : "defaults",
                          !memcmp(t.got[DST], expected[i], sizeof expected[i])) &&
               good;
        trial_free(&t);
    }
    CHECK(good);
    folder_destroy(&q.d);
    pass_close(&p);
}

// A texel of state counts frames; depth is read; an optional slot changes the shader.
static void test_slots(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(
        f,
        "//! pass many \"x\"\n" SLOTS "//! slot count state r32f size 1x1 \"frames\"\n"
        "//! slot depth read depth \"z\"\n//! slot more read optional r32f \"m\"\n"
        "//! step s src depth more count -> dst\n//! step next count -> count once group 1x1\n"
        "#include \"pass.glsl\"\n"
        "void main()\n{\n    float n = load(count, ivec2(0)).r;\n"
        "#ifdef STEP_next\n    store(count, ivec2(0), vec4(n + 1.0));\n#else\n"
        "    vec4 c = load(src, this_texel) + vec4(n, load(depth, this_texel).r, 0.0, 0.0);\n"
        "#if has_more\n    c.b += load(more, this_texel).r;\n#endif\n"
        "    store(dst, this_texel, c);\n#endif\n}\n",
        &p);
    double values[4 * 30] = {0}, depths[30], more[30];
    for (int i = 0; i < 30; ++i) {
        depths[i] = i / 32.0;
        more[i] = i;
    }
    bool good = true;
    for (int way = 0; way < 3; ++way) { // depth as r32f, as depth, with the optional slot
        trial t = pass_image(&p, "slots", "rgba32f", 6, 5, values);
        t.slots[2] = trial_image("r32f", 1, 1, NULL);
        t.slots[3] = trial_image(way ? "d32f" : "r32f", 6, 5, depths);
        if (way == 2)
            t.slots[4] = trial_image("r32f", 6, 5, more);
        for (int frame = 0; frame < 3; ++frame) {
            trial_run(&t);
            bool right = true;
            for (int i = 0; i < 30; ++i)
                right = right && t.got[DST][4 * i] == frame && t.got[DST][4 * i + 1] == depths[i] &&
                        t.got[DST][4 * i + 2] == (way == 2 ? more[i] : 0);
            char name[64];
            snprintf(name, sizeof name, "way %d, frame %d", way, frame);
            good = check_case(name, right) && good;
        }
        trial_free(&t);
    }
    CHECK(good);
    pass_close(&p);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_formats),     FIXTURE_TEST(test_shapes),    FIXTURE_TEST(test_bilinear),
        FIXTURE_TEST(test_left_out),     FIXTURE_TEST(test_names),     FIXTURE_TEST(test_scrub),
        FIXTURE_TEST(test_chain),        FIXTURE_TEST(test_plan),      FIXTURE_TEST(test_keep),
        FIXTURE_TEST(test_counts),       FIXTURE_TEST(test_settings),  FIXTURE_TEST(test_slots),
        FIXTURE_TEST(test_refusals),     FIXTURE_TEST(test_memory),    FIXTURE_TEST(test_strangers),
        FIXTURE_TEST(test_edits),        FIXTURE_TEST(test_interface), FIXTURE_TEST(test_broken),
        FIXTURE_TEST(test_random_edits),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
