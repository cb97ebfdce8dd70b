// sat_contract.c - what "sat" refuses, chooses, counts, and repeats
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effects/sat/sat_plan.h"
#include "test_sat.h"

// ---- declared jobs: no texture is needed -------------------------------------------------------

typedef struct declared {
    ag_texture slots[1 + SUMMED];
    ag_sat_settings settings;
} declared;

static ag_texture plain(uint32_t format, int width, int height)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .target = GL_TEXTURE_2D,
                        .format = format,
                        .width = width,
                        .height = height};
}

static declared declared_job(fixture *f, int width, int height)
{
    declared d = {.settings = summing_defaults(f)};
    for (int i = 0; i < 1 + SUMMED; ++i)
        d.slots[i] = texture_no_view();
    d.slots[0] = plain(GL_R32F, width, height);
    d.slots[1 + SUMMED_DST] = plain(GL_R32F, width, height);
    return d;
}

static ag_status declare(fixture *f, ag_pass *pass, const declared *d, const ag_plan **plan)
{
    const ag_plan *unused;
    ag_job job = {.struct_size = sizeof job,
                  .slots = d->slots,
                  .slot_count = 1 + SUMMED,
                  .settings = &d->settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    host_log_clear(&f->host);
    return f->ag->declare(pass, &job, plan ? plan : &unused);
}

static void refuse(fixture *f, ag_pass *pass, const declared *d, ag_status status, const char *word)
{
    CHECK_STATUS(declare(f, pass, d, NULL), status);
    CHECK_F(host_log_error(&f->host, status, word), "\"%s\" is not in \"%s\"", word,
            host_log_last(&f->host));
    printf("  ok    %s\n", host_log_last(&f->host));
}

void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "sat");
    const declared good = declared_job(f, 100, 80);
    declared d = good;
    CHECK_STATUS(declare(f, pass, &d, NULL), AG_OK);
    d.settings.origin = AG_SAT_CENTER;
    d.settings.edge = AG_SAT_EXCLUSIVE;
    d.slots[1].width = 101;
    d.slots[1].height = 81;
    refuse(f, pass, &d, AG_E_ARG, "exclusive with origin center");

    declared integers = good;
    integers.settings.storage = AG_SAT_UINT32;
    refuse(f, pass, &integers, AG_E_FORMAT, "32UI");
    integers.slots[1].format = GL_R32UI;
    CHECK_STATUS(declare(f, pass, &integers, NULL), AG_OK);
    d = integers;
    d.settings.offset = AG_SAT_OFFSET_HALF;
    refuse(f, pass, &d, AG_E_ARG, "offset with storage uint32");
    d = integers;
    d.settings.origin = AG_SAT_CENTER;
    refuse(f, pass, &d, AG_E_ARG, "origin center with storage uint32");
    d = integers;
    d.settings.fraction_bits = 24;
    refuse(f, pass, &d, AG_E_ARG, "2^32");
    d.settings.max_box = 15;
    CHECK_STATUS(declare(f, pass, &d, NULL), AG_OK);

    declared split = good;
    split.settings.storage = AG_SAT_SPLIT;
    refuse(f, pass, &split, AG_E_FORMAT, "low");
    split.slots[1 + SUMMED_LOW] =
        plain(GL_R32F, ag_sat_split_width(100, 80), ag_sat_split_height(100, 80));
    CHECK_STATUS(declare(f, pass, &split, NULL), AG_OK);
    d = split;
    d.settings.origin = AG_SAT_CENTER;
    refuse(f, pass, &d, AG_E_ARG, "origin center with storage split");
    d = split;
    d.settings.edge = AG_SAT_EXCLUSIVE;
    d.slots[1].width = 101;
    d.slots[1].height = 81;
    refuse(f, pass, &d, AG_E_ARG, "exclusive with storage split");

    d = good;
    d.settings.offset = AG_SAT_OFFSET_MEAN;
    refuse(f, pass, &d, AG_E_ARG, "mean is empty");
    d.slots[1 + SUMMED_MEAN] = plain(GL_R32F, 2, 1);
    refuse(f, pass, &d, AG_E_SIZE, "1x1");
    d.slots[1 + SUMMED_MEAN].width = 1;
    CHECK_STATUS(declare(f, pass, &d, NULL), AG_OK);
    d = good;
    d.slots[1 + SUMMED_MEAN] = plain(GL_R32F, 1, 1);
    refuse(f, pass, &d, AG_E_ARG, "mean is given");
    d = good;
    d.settings.square = 1;
    refuse(f, pass, &d, AG_E_ARG, "squares is empty");
    d.slots[1 + SUMMED_SQUARES] = plain(GL_R32F, 100, 79);
    refuse(f, pass, &d, AG_E_SIZE, "squares's rectangle is 100x79");
    d.slots[1 + SUMMED_SQUARES] = plain(GL_RG32F, 100, 80);
    refuse(f, pass, &d, AG_E_FORMAT, "squares");
    d = good;
    d.slots[1].format = GL_RGBA32F;
    refuse(f, pass, &d, AG_E_FORMAT, "channels");
    d = good;
    d.settings.edge = AG_SAT_EXCLUSIVE;
    refuse(f, pass, &d, AG_E_SIZE, "101x81");
    d = good;
    d.slots[0].width = d.slots[1].width = 16385;
    refuse(f, pass, &d, AG_E_SIZE, "16384");
    d = good;
    d.settings.storage = AG_SAT_FLOAT32_RESIDUAL;
    d.slots[1 + SUMMED_LOW] = plain(GL_R16F, 100, 79);
    refuse(f, pass, &d, AG_E_SIZE, "low");
    d = good;
    d.slots[1 + SUMMED_LOW] = plain(GL_R16F, 100, 80);
    refuse(f, pass, &d, AG_E_FORMAT, "float32");
    // Rectangles whose corners differ from those of the outputs.
    d = good;
    d.settings.storage = AG_SAT_FLOAT32_RESIDUAL;
    ag_texture *low = &d.slots[1 + SUMMED_LOW];
    *low = plain(GL_R16F, 101, 80);
    low->rect_x = 1;
    low->rect_width = 100;
    low->rect_height = 80;
    refuse(f, pass, &d, AG_E_ARG, "low's rectangle begins at 1, 0; it must at 0, 0");
    d.slots[1] = plain(GL_R32F, 101, 80);
    d.slots[1].rect_x = 1;
    d.slots[1].rect_width = 100;
    d.slots[1].rect_height = 80;
    CHECK_STATUS(declare(f, pass, &d, NULL), AG_OK);
    d = good;
    d.settings.offset = AG_SAT_OFFSET_MEAN;
    d.slots[1 + SUMMED_MEAN] = plain(GL_R32F, 1, 2);
    d.slots[1 + SUMMED_MEAN].rect_y = 1;
    d.slots[1 + SUMMED_MEAN].rect_width = d.slots[1 + SUMMED_MEAN].rect_height = 1;
    refuse(f, pass, &d, AG_E_ARG, "mean's rectangle begins at 0, 1");
    f->ag->pass_destroy(pass);
}

// storage = auto chooses a storage that the slots can hold and the tolerance allows; its message
// names one.
void test_auto(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "sat");
    const ag_plan *plan;
    declared d = declared_job(f, 200, 150);
    d.settings.storage = AG_SAT_AUTO;
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage float32, chosen");
    d = declared_job(f, 4096, 4096);
    d.settings.storage = AG_SAT_AUTO;
    d.settings.max_value = 2;
    refuse(f, pass, &d, AG_E_FORMAT, "split");
    d.settings.max_value = 1;
    d.settings.max_box = 64;
    refuse(f, pass, &d, AG_E_FORMAT, "uint32");
    d.slots[1].format = GL_R32UI;
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage uint32 (19 fraction bits), chosen");
    d = declared_job(f, 4096, 4096);
    d.settings.storage = AG_SAT_AUTO;
    d.slots[1 + SUMMED_LOW] = plain(GL_R16F, 4096, 4096);
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage float32_residual, chosen");
    d.slots[1 + SUMMED_LOW] = plain(GL_R32F, 4096, 4096);
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage double_float, chosen");
    d.slots[1 + SUMMED_LOW] = plain(GL_R32F, 4096, 512);
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage split, chosen");
    d.settings.tolerance = 1e-9f;
    refuse(f, pass, &d, AG_E_ARG, "none holds");
    d = declared_job(f, 4096, 4096);
    d.settings.storage = AG_SAT_AUTO;
    d.settings.tolerance = 0;
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage float32, chosen");
    d = declared_job(f, 4096, 4096);
    d.settings.storage = AG_SAT_AUTO;
    d.slots[0].format = GL_R8;
    d.slots[1].format = GL_R32UI;
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage uint32 (counts codes), chosen");
    f->ag->pass_destroy(pass);
}

// ---- NaN and Inf -------------------------------------------------------------------------------

void test_bad_texels(void **state)
{
    enum { W = 130, H = 67, BAD = 7 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("bad", 95);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = summing_noise(&r, "rgba32f", W, H, 0, 1),
           *clean = malloc(sizeof *clean * 4 * W * H);
    CHECK(clean != NULL);
    memcpy(clean, src, sizeof *clean * 4 * W * H);
    for (int i = 0; i < BAD; ++i) { // a bad channel makes the whole texel 0
        int texel = i ? i * 1201 : W * H - 1;
        src[4 * texel + i % 4] = bad[i % 3];
        memset(clean + 4 * texel, 0, 4 * sizeof *clean);
    }
    sweep *share = sweep_start("bad texels", 4);
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_UINT32; storage += 3) {
        if (!sweep_takes(share))
            continue;
        summing c = {.name = "bad", .width = W, .height = H, .src_format = "rgba32f", .src = src};
        c.settings = summing_defaults(f);
        c.settings.storage = storage;
        uint64_t before = fixture_scrubbed(f);
        summed a = summing_run(f, pass, &c);
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        c.src = clean;
        summed b = summing_run(f, pass, &c);
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        CHECK(check_case("bad texels count as 0, bit for bit, and are counted once",
                         memcmp(a.values[0], b.values[0], sizeof(double) * 4 * W * H) == 0));
        summed_free(f, &a);
        summed_free(f, &b);
    }
    // scrub off: entries right and below are non-finite, all others are as before.
    summing c = {.name = "off", .width = W, .height = H, .src_format = "rgba32f", .src = clean};
    c.settings = summing_defaults(f);
    c.settings.scrub = 0;
    clean[4 * (20 * W + 70)] = (double)NAN;
    summed s = summing_run(f, pass, &c);
    size_t wrong = 0;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            wrong += isfinite(s.values[0][4 * (y * W + x)]) == (x >= 70 && y >= 20);
    CHECK_EQ(wrong, 0);
    summed_free(f, &s);
    free(src);
    free(clean);
    f->ag->pass_destroy(pass);
}

// ---- repeated executes
// ----------------------------------------------------------------------------

void test_repeats(void **state)
{
    enum { W = 521, H = 389 };
    fixture *f = *state;
    rng r = rng_start("repeats", 96);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = summing_noise(&r, NULL, W, H, -1, 1);
    {
        summing c = {.name = "repeats", .width = W, .height = H, .src = src};
        c.settings = summing_defaults(f);
        c.settings.offset = AG_SAT_OFFSET_MEAN;
        summed first = summing_run(f, pass, &c);
        for (int i = 0; i < 5; ++i) {
            summed again = summing_run(f, pass, &c);
            CHECK(!memcmp(first.values[0], again.values[0], sizeof(double) * W * H));
            CHECK(first.values[SUMMED_MEAN][0] == again.values[SUMMED_MEAN][0]);
            summed_free(f, &again);
        }
        summed_free(f, &first);
        check_case("five more runs, bit for bit", true);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// A rectangle inside a larger texture: the same entries, and nothing beside it.
static bool check_rect(fixture *f, ag_pass *pass, rng *r, const char *format, int origin,
                       bool subgroups)
{
    enum { W = 45, H = 39, X = 60, Y = 70, ALL = 150 };
    double *src = summing_noise(r, format, W, H, 0, 1);
    summing c = {.name = "rectangle", .width = W, .height = H, .src_format = format, .src = src};
    c.settings = summing_defaults(f);
    c.settings.origin = origin;
    c.tuning = summing_by(subgroups);
    summed whole = summing_run(f, pass, &c);
    texture dst = texture_create(f, format, ALL, ALL, NULL);
    ag_texture slots[1 + SUMMED] = {texture_view(&whole.src), texture_view(&dst)};
    for (int i = 2; i < 1 + SUMMED; ++i)
        slots[i] = texture_no_view();
    slots[1].rect_x = X;
    slots[1].rect_y = Y;
    slots[1].rect_width = W;
    slots[1].rect_height = H;
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 1 + SUMMED,
                  .settings = &c.settings,
                  .next_use = AG_USE_COPY,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_tuning *tuning = ag_device_tuning(f->device), former = *tuning;
    *tuning = c.tuning;
    fixture_run(f, pass, &job);
    *tuning = former;
    size_t poison = texture_poison_count(f, &dst, 0, 0, 0, ALL, ALL);
    double *got = texture_read(f, &dst, 0);
    size_t n = (size_t)whole.channels, wrong = 0;
    for (size_t y = 0; y < H; ++y)
        for (size_t k = 0; k < W * n; ++k)
            wrong += !(got[((Y + y) * ALL + X) * n + k] == whole.values[0][y * W * n + k]);
    char name[96];
    snprintf(name, sizeof name, "%s, origin %d, by %s: %zu entries differ, %zu beside it", format,
             origin, subgroups ? "subgroups" : "shared memory", wrong,
             (size_t)ALL * ALL - W * H - poison);
    free(got);
    free(src);
    f->ag->forget(f->device, dst.name);
    texture_destroy(f, &dst);
    summed_free(f, &whole);
    return check_case(name, !wrong && poison == (size_t)ALL * ALL - W * H);
}

void test_rectangles(void **state)
{
    static const char *const formats[] = {"r32f", "rgba32f"};
    fixture *f = *state;
    rng r = rng_start("rectangles", 98);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("rectangles", 6);
    for (size_t i = 0; i < COUNT(formats); ++i)
        for (int origin = i ? AG_SAT_CENTER : AG_SAT_CORNER; origin <= AG_SAT_CENTER; ++origin)
            for (int subgroups = 0; subgroups < 2; ++subgroups)
                good = !sweep_takes(share)
                           ? good
                           : check_rect(f, pass, &r, formats[i], origin, subgroups) && good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// In place texels come by single image loads, and sums go through shared memory. Apart, subgroups
// may exchange sums of texels from gathers, which adds in another order.
void test_in_place(void **state)
{
    enum { W = 203, H = 145, LAYERS = 2 };
    static const struct {
        const char *name, *format;
        int origin;
        bool subgroups, gathers; // apart
    } ways[] = {
        {"tiles, r32f", "r32f", AG_SAT_CORNER, false, false},
        {"tiles, rgba32f", "rgba32f", AG_SAT_CORNER, false, false},
        {"subgroups, r32f", "r32f", AG_SAT_CORNER, true, true},
        {"subgroups, rgba32f", "rgba32f", AG_SAT_CORNER, true, true},
        {"centre, r32f", "r32f", AG_SAT_CENTER, false, false},
        {"centre, subgroups", "r32f", AG_SAT_CENTER, true, false},
    };
    fixture *f = *state;
    rng r = rng_start("in place", 97);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("in place", 8);
    for (size_t i = 0; i < COUNT(ways); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = summing_noise(&r, ways[i].format, W, H * LAYERS, 0, 1);
        summing c = {.name = ways[i].name,
                     .width = W,
                     .height = H,
                     .layers = LAYERS,
                     .src_format = ways[i].format,
                     .src = src};
        c.settings = summing_defaults(f);
        c.settings.origin = ways[i].origin;
        c.tuning = summing_by(ways[i].subgroups);
        c.tuning.tile = AG_TILE_32;
        summed apart = summing_run(f, pass, &c);
        c.in_place = true;
        summed once = summing_run(f, pass, &c), again = summing_run(f, pass, &c);
        size_t count = (size_t)W * H * LAYERS * (size_t)apart.channels, others = 0;
        for (size_t k = 0; k < count; ++k)
            others += !(once.values[0][k] == apart.values[0][k]);
        printf("  %s: %zu of %zu entries have other bits than apart\n", ways[i].name, others,
               count);
        good = check_table("in place", &c, &once) && good;
        good = check_case("in place again, bit for bit",
                          !memcmp(once.values[0], again.values[0], count * sizeof(double))) &&
               good;
        if (!ways[i].gathers)
            good = check_case("in place as apart, bit for bit", others == 0) && good;
        summed_free(f, &apart);
        summed_free(f, &once);
        summed_free(f, &again);
        free(src);
    }
    CHECK(good);
    // Not where the two rectangles differ.
    summing c = {.name = "shifted", .width = 64, .height = 64, .in_place = true};
    c.settings = summing_defaults(f);
    texture t = texture_create(f, "r32f", 65, 64, NULL);
    ag_texture slots[2] = {texture_view(&t), texture_view(&t)};
    slots[0].rect_width = slots[1].rect_width = slots[0].rect_height = slots[1].rect_height = 64;
    slots[1].rect_x = 1;
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 2,
                  .settings = &c.settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(texture_is_poison(f, &t));
    texture_destroy(f, &t);
    f->ag->pass_destroy(pass);
}
