// sat_contract.c - what "sat" refuses, chooses, counts, and repeats
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_sat.h"

// ---- declared jobs: no texture is needed -------------------------------------------------------

typedef struct declared {
    ag_texture slots[SLOTS];
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
    declared d;
    CHECK_STATUS(f->ag->defaults("sat", &d.settings, sizeof d.settings), AG_OK);
    d.settings.storage = AG_SAT_FLOAT32;
    for (int i = 0; i < SLOTS; ++i)
        d.slots[i] = texture_no_view();
    d.slots[SRC] = plain(GL_R32F, width, height);
    d.slots[DST] = plain(GL_R32F, width, height);
    return d;
}

static ag_status declare(fixture *f, ag_pass *pass, const declared *d, const ag_plan **plan)
{
    const ag_plan *unused;
    ag_job job = {.struct_size = sizeof job,
                  .slots = d->slots,
                  .slot_count = SLOTS,
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
    d.slots[DST].width = 101;
    d.slots[DST].height = 81;
    refuse(f, pass, &d, AG_E_ARG, "exclusive with origin center");

    declared integers = good;
    integers.settings.storage = AG_SAT_UINT32;
    refuse(f, pass, &integers, AG_E_FORMAT, "32UI");
    integers.slots[DST].format = GL_R32UI;
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
    split.slots[LOW] = plain(GL_R32F, ag_sat_split_width(100, 80), ag_sat_split_height(100, 80));
    CHECK_STATUS(declare(f, pass, &split, NULL), AG_OK);
    d = split;
    d.settings.origin = AG_SAT_CENTER;
    refuse(f, pass, &d, AG_E_ARG, "origin center with storage split");
    d = split;
    d.settings.edge = AG_SAT_EXCLUSIVE;
    d.slots[DST].width = 101;
    d.slots[DST].height = 81;
    refuse(f, pass, &d, AG_E_ARG, "exclusive with storage split");

    d = good;
    d.settings.offset = AG_SAT_OFFSET_MEAN;
    refuse(f, pass, &d, AG_E_ARG, "mean is empty");
    d.slots[MEAN] = plain(GL_R32F, 2, 1);
    refuse(f, pass, &d, AG_E_SIZE, "1x1");
    d.slots[MEAN].width = 1;
    CHECK_STATUS(declare(f, pass, &d, NULL), AG_OK);
    d = good;
    d.slots[MEAN] = plain(GL_R32F, 1, 1);
    refuse(f, pass, &d, AG_E_ARG, "mean is given");
    d = good;
    d.settings.square = 1;
    refuse(f, pass, &d, AG_E_ARG, "squares is empty");
    d.slots[SQUARES] = plain(GL_R32F, 100, 79);
    refuse(f, pass, &d, AG_E_SIZE, "squares's rectangle is 100x79");
    d.slots[SQUARES] = plain(GL_RG32F, 100, 80);
    refuse(f, pass, &d, AG_E_FORMAT, "squares");
    d = good;
    d.slots[DST].format = GL_RGBA32F;
    refuse(f, pass, &d, AG_E_FORMAT, "channels");
    d = good;
    d.settings.edge = AG_SAT_EXCLUSIVE;
    refuse(f, pass, &d, AG_E_SIZE, "101x81");
    d = good;
    d.slots[SRC].width = d.slots[DST].width = 16385;
    refuse(f, pass, &d, AG_E_SIZE, "16384");
    d = good;
    d.settings.storage = AG_SAT_FLOAT32_RESIDUAL;
    d.slots[LOW] = plain(GL_R16F, 100, 79);
    refuse(f, pass, &d, AG_E_SIZE, "low");
    d = good;
    d.slots[LOW] = plain(GL_R16F, 100, 80);
    refuse(f, pass, &d, AG_E_FORMAT, "float32");
    // Rectangles whose corners differ from those of the outputs.
    d = good;
    d.settings.storage = AG_SAT_FLOAT32_RESIDUAL;
    ag_texture *low = &d.slots[LOW];
    *low = plain(GL_R16F, 101, 80);
    low->rect_x = 1;
    low->rect_width = 100;
    low->rect_height = 80;
    refuse(f, pass, &d, AG_E_ARG, "low's rectangle begins at 1, 0; it must at 0, 0");
    d.slots[DST] = plain(GL_R32F, 101, 80);
    d.slots[DST].rect_x = 1;
    d.slots[DST].rect_width = 100;
    d.slots[DST].rect_height = 80;
    CHECK_STATUS(declare(f, pass, &d, NULL), AG_OK);
    d = good;
    d.settings.offset = AG_SAT_OFFSET_MEAN;
    d.slots[MEAN] = plain(GL_R32F, 1, 2);
    d.slots[MEAN].rect_y = 1;
    d.slots[MEAN].rect_width = d.slots[MEAN].rect_height = 1;
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
    d.slots[DST].format = GL_R32UI;
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage uint32 (19 fraction bits), chosen");
    d = declared_job(f, 4096, 4096);
    d.settings.storage = AG_SAT_AUTO;
    d.slots[LOW] = plain(GL_R16F, 4096, 4096);
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage float32_residual, chosen");
    d.slots[LOW] = plain(GL_R32F, 4096, 4096);
    CHECK_STATUS(declare(f, pass, &d, &plan), AG_OK);
    CHECK_HAS(plan->text, "storage double_float, chosen");
    d.slots[LOW] = plain(GL_R32F, 4096, 512);
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
    d.slots[SRC].format = GL_R8;
    d.slots[DST].format = GL_R32UI;
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
    double *src = values_noise(&r, "rg32f", W, H, 0, 1);
    bool good = true;
    ag_sat_settings s;
    for (int i = 0; i < BAD; ++i) // a bad channel makes the whole texel 0
        src[2 * (i ? i * 1201 : W * H - 1) + i % 2] = bad[i % 3];
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_UINT32; storage += 3) {
        trial t = table_of(f, "bad texels count as 0", "rg32f", W, H, src, &s);
        s.storage = storage;
        uint64_t before = fixture_scrubbed(f);
        good = table_check(&t, pass, few_texels()) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
    }
    // scrub off: entries right and below are non-finite, all others are as before.
    free(src);
    src = values_noise(&r, "rg32f", W, H, 0, 1);
    src[2 * (20 * W + 70)] = (double)NAN;
    trial t = table_of(f, "off", "rg32f", W, H, src, &s);
    s.scrub = 0;
    table_outputs(&t, pass, few_texels());
    trial_run(&t);
    size_t wrong = 0;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            wrong += isfinite(t.got[DST][2 * (y * W + x)]) == (x >= 70 && y >= 20);
    CHECK_EQ(wrong, 0);
    trial_free(&t);
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- repeated executes, and where tables lie ---------------------------------------------------

void test_repeats(void **state)
{
    enum { W = 521, H = 389 };
    fixture *f = *state;
    rng r = rng_start("repeats", 96);
    double *src = values_noise(&r, "r32f", W, H, -1, 1), *first = check_doubles(W * H);
    ag_sat_settings s;
    trial t = table_of(f, "repeats", "r32f", W, H, src, &s);
    s.offset = AG_SAT_OFFSET_MEAN;
    table_outputs(&t, NULL, NULL);
    trial_run(&t);
    double mean = t.got[MEAN][0];
    memcpy(first, t.got[DST], sizeof *first * W * H);
    for (int i = 0; i < 5; ++i) {
        trial_run(&t);
        CHECK(check_case("again, bit for bit", !memcmp(first, t.got[DST], sizeof *first * W * H) &&
                                                   t.got[MEAN][0] == mean));
    }
    trial_free(&t);
    free(src);
    free(first);
}

// A rectangle inside a larger texture.
void test_rectangles(void **state)
{
    enum { W = 45, H = 39, ALL = 150 };
    static const char *const formats[] = {"r32f", "rgba32f"};
    fixture *f = *state;
    rng r = rng_start("rectangles", 98);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("rectangles", 4);
    for (size_t i = 0; i < (check_tier_now() == CHECK_QUICK ? 1 : COUNT(formats)); ++i)
        for (int origin = i ? AG_SAT_CENTER : AG_SAT_CORNER; origin <= AG_SAT_CENTER; ++origin)
            for (int subgroups = 0; subgroups < 2; ++subgroups) {
                if (!sweep_takes(share))
                    continue;
                double *src = values_noise(&r, formats[i], W, H, 0, 1);
                ag_sat_settings s;
                ag_tuning tuning = exchange_by(subgroups);
                trial t = table_of(f, "a rectangle", formats[i], W, H, src, &s);
                s.origin = origin;
                t.slots[DST] = (trial_slot){.format = formats[i],
                                            .width = ALL,
                                            .height = ALL,
                                            .x = 60,
                                            .y = 70,
                                            .w = W,
                                            .h = H};
                good = table_check(&t, pass, &tuning) && good;
                free(src);
            }
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
        {"in place", "r32f", AG_SAT_CORNER, false, false},
        {"in place", "rgba32f", AG_SAT_CORNER, false, false},
        {"in place, subgroups", "r32f", AG_SAT_CORNER, true, true},
        {"in place, subgroups", "rgba32f", AG_SAT_CORNER, true, true},
        {"in place", "r32f", AG_SAT_CENTER, false, false},
        {"in place, subgroups", "r32f", AG_SAT_CENTER, true, false},
    };
    fixture *f = *state;
    rng r = rng_start("in place", 97);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    ag_sat_settings s;
    sweep *share = sweep_start("in place", 1);
    for (size_t i = 0; i < (check_tier_now() == CHECK_QUICK ? 1 : COUNT(ways)); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = values_noise(&r, ways[i].format, W, H * LAYERS, 0, 1), *got[3];
        ag_tuning tuning = exchange_by(ways[i].subgroups);
        tuning.tile = AG_TILE_32;
        size_t count = (size_t)W * H * LAYERS * (size_t)format_named(ways[i].format)->channels;
        for (int k = 0; k < 3; ++k) { // apart, in place, in place again
            trial t = table_of(f, k ? ways[i].name : "apart", ways[i].format, W, H, src, &s);
            s.origin = ways[i].origin;
            t.slots[SRC].layers = LAYERS;
            if (k)
                t.slots[DST].own = &t.textures[SRC];
            table_outputs(&t, pass, &tuning);
            good = trial_check(&t) && good;
            got[k] = t.got[DST];
            t.got[DST] = NULL;
            trial_free(&t);
        }
        size_t bytes = count * sizeof(double);
        good = check_case("in place again, bit for bit", !memcmp(got[1], got[2], bytes)) && good;
        if (!ways[i].gathers)
            good = check_case("in place as apart, bit for bit", !memcmp(got[0], got[1], bytes)) &&
                   good;
        for (int k = 0; k < 3; ++k)
            free(got[k]);
        free(src);
    }
    CHECK(good);
    // Not where the two rectangles differ.
    trial t = table_of(f, "shifted", "r32f", 65, 64, NULL, &s);
    t.slots[SRC].w = t.slots[SRC].h = 64;
    t.slots[DST] = t.slots[SRC];
    t.slots[DST].x = 1;
    t.slots[DST].own = &t.textures[SRC];
    t.pass = pass;
    CHECK(trial_refused(&t, AG_E_ARG, "place"));
    CHECK(texture_is_poison(f, &t.textures[SRC]));
    trial_free(&t);
    f->ag->pass_destroy(pass);
}
