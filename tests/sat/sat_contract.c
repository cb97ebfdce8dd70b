// sat_contract.c - what "sat" refuses and chooses; without scrub
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_sat.h"

// ---- declared jobs: no texture is needed -------------------------------------------------------

typedef struct place { // of a slot; format 0: empty, or as the case's first line says
    uint32_t format;
    int width, height, x, y, w, h;
} place;

typedef struct declared { // a job; of what is 0: storage float32, 100 x 80 texels of R32F
    const char *text;     // of the plan; of a refusal, a part of its message
    ag_status status;
    int side; // of src and dst, if that is not 100 x 80
    int storage, offset, origin, edge, square, fraction_bits, max_box;
    float max_value, tolerance;
    place src, dst, low, squares, mean;
} declared;

static bool check_declared(fixture *f, ag_pass *pass, const declared *d)
{
    const place *const places[] = {&d->src, &d->dst, &d->low, &d->squares, NULL, &d->mean};
    ag_texture slots[SLOTS];
    ag_sat_settings s;
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->defaults("sat", &s, sizeof s), AG_OK);
    for (int i = 0; i < SLOTS; ++i) {
        const place *p = places[i];
        slots[i] = texture_no_view();
        if (i > DST && (!p || !p->format))
            continue;
        slots[i].target = GL_TEXTURE_2D;
        slots[i].format = p->format ? p->format : GL_R32F;
        slots[i].width = p->width ? p->width : d->side ? d->side : 100;
        slots[i].height = p->height ? p->height : d->side ? d->side : 80;
        slots[i].rect_x = p->x;
        slots[i].rect_y = p->y;
        slots[i].rect_width = p->w;
        slots[i].rect_height = p->h;
    }
    s.storage = d->storage < 0 ? AG_SAT_AUTO : d->storage ? d->storage : AG_SAT_FLOAT32;
    s.offset = d->offset;
    s.origin = d->origin;
    s.edge = d->edge;
    s.square = d->square;
    s.fraction_bits = d->fraction_bits ? d->fraction_bits : s.fraction_bits;
    s.max_box = d->max_box;
    s.max_value = d->max_value > 0 ? d->max_value : s.max_value;
    s.tolerance = d->tolerance < 0 ? 0 : d->tolerance > 0 ? d->tolerance : s.tolerance;
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = SLOTS,
                  .settings = &s,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    host_log_clear(&f->host);
    ag_status status = f->ag->declare(pass, &job, &plan);
    const char *text = status == AG_OK ? plan->text : host_log_last(&f->host);
    bool good = status == d->status && strstr(text, d->text);
    printf("  %-5s %s: %s\n", good ? "ok" : "WRONG", check_status_name(status), text);
    return good;
}

// Refusals, each beside a job that is taken and differs in what is refused; and what storage = auto
// chooses: a storage that the slots can hold and the tolerance allows, or a message that names one.
void test_declared(void **state)
{
    enum { ARG = AG_E_ARG, SIZE = AG_E_SIZE, FORMAT = AG_E_FORMAT, AUTO = -1 };
    enum { UINT = AG_SAT_UINT32, SPLIT = AG_SAT_SPLIT, RESIDUAL = AG_SAT_FLOAT32_RESIDUAL };
    enum { CENTER = AG_SAT_CENTER, EXCLUSIVE = AG_SAT_EXCLUSIVE, OF_MEAN = AG_SAT_OFFSET_MEAN };
    const place larger = {GL_R32F, 101, 81, 0, 0, 0, 0}, whole = {.format = GL_R32UI};
    const place one = {GL_R32F, 1, 1, 0, 0, 0, 0}, two = {GL_R32F, 2, 1, 0, 0, 0, 0};
    const place below = {GL_R32F, 1, 2, 0, 1, 1, 1}, beside = {GL_R16F, 101, 80, 1, 0, 100, 80};
    const place dst_beside = {GL_R32F, 101, 80, 1, 0, 100, 80};
    const place short_half = {GL_R16F, 100, 79, 0, 0, 0, 0}, half = {.format = GL_R16F};
    const place sums = {GL_R32F, ag_sat_split_width(100, 80), ag_sat_split_height(100, 80), 0, 0, 0,
                        0};
    const declared cases[] = {
        {"float32", AG_OK, .side = 0},
        {"exclusive with origin center", ARG, .origin = CENTER, .edge = EXCLUSIVE, .dst = larger},
        {"101x81", SIZE, .edge = EXCLUSIVE},
        {"channels", FORMAT, .dst = {.format = GL_RGBA32F}},
        {"16384", SIZE, .src = {0, 16385, 80, 0, 0, 0, 0}, .dst = {0, 16385, 80, 0, 0, 0, 0}},
        {"32UI", FORMAT, .storage = UINT},
        {"uint32", AG_OK, .storage = UINT, .dst = whole},
        {"offset with storage uint32", ARG, .storage = UINT, .dst = whole,
         .offset = AG_SAT_OFFSET_HALF},
        {"origin center with storage uint32", ARG, .storage = UINT, .dst = whole, .origin = CENTER},
        {"2^32", ARG, .storage = UINT, .dst = whole, .fraction_bits = 24},
        {"uint32", AG_OK, .storage = UINT, .dst = whole, .fraction_bits = 24, .max_box = 15},
        {"low", FORMAT, .storage = SPLIT},
        {"split", AG_OK, .storage = SPLIT, .low = sums},
        {"origin center with storage split", ARG, .storage = SPLIT, .low = sums, .origin = CENTER},
        {"exclusive with storage split", ARG, .storage = SPLIT, .low = sums, .edge = EXCLUSIVE,
         .dst = larger},
        {"low", SIZE, .storage = RESIDUAL, .low = short_half},
        {"float32", FORMAT, .low = half},
        {"low's rectangle begins at 1, 0; it must at 0, 0", ARG, .storage = RESIDUAL,
         .low = beside},
        {"residual", AG_OK, .storage = RESIDUAL, .low = beside, .dst = dst_beside},
        {"mean is empty", ARG, .offset = OF_MEAN},
        {"1x1", SIZE, .offset = OF_MEAN, .mean = two},
        {"mean's rectangle begins at 0, 1", ARG, .offset = OF_MEAN, .mean = below},
        {"mean", AG_OK, .offset = OF_MEAN, .mean = one},
        {"mean is given", ARG, .mean = one},
        {"squares is empty", ARG, .square = 1},
        {"squares's rectangle is 100x79", SIZE, .square = 1,
         .squares = {GL_R32F, 100, 79, 0, 0, 0, 0}},
        {"squares", FORMAT, .square = 1, .squares = {.format = GL_RG32F}},
        {"storage float32, chosen", AG_OK, .storage = AUTO},
        {"split", FORMAT, 4096, .storage = AUTO, .max_value = 2},
        {"uint32", FORMAT, 4096, .storage = AUTO, .max_box = 64},
        {"storage uint32 (19 fraction bits), chosen", AG_OK, 4096, .storage = AUTO, .max_box = 64,
         .dst = whole},
        {"storage float32_residual, chosen", AG_OK, 4096, .storage = AUTO, .low = half},
        {"storage double_float, chosen", AG_OK, 4096, .storage = AUTO, .low = {.format = GL_R32F}},
        {"storage split, chosen", AG_OK, 4096, .storage = AUTO,
         .low = {GL_R32F, 4096, 512, 0, 0, 0, 0}},
        {"none holds", ARG, 4096, .storage = AUTO, .tolerance = 1e-9f,
         .low = {GL_R32F, 4096, 512, 0, 0, 0, 0}},
        {"storage float32, chosen", AG_OK, 4096, .storage = AUTO, .tolerance = -1}, // any
        {"storage uint32 (counts codes), chosen", AG_OK, 4096, .storage = AUTO,
         .src = {.format = GL_R8}, .dst = whole},
    };
    ag_pass *pass = fixture_pass(*state, "sat");
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i)
        good = check_declared(*state, pass, &cases[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- without scrub, and where tables lie --------------------------------------------------------

// Entries right and below of a NaN are not finite, all others are as before.
void test_unscrubbed(void **state)
{
    enum { W = 130, H = 67 };
    rng r = rng_start("unscrubbed", 95);
    double *src = values_noise(&r, "rg32f", W, H, 0, 1);
    src[2 * (20 * W + 70)] = (double)NAN;
    ag_sat_settings s;
    trial t = table_of(*state, "off", "rg32f", W, H, src, &s);
    s.scrub = 0;
    table_outputs(&t, NULL, few_texels());
    trial_run(&t);
    size_t wrong = 0;
    for (int i = 0; i < W * H; ++i)
        wrong += isfinite(t.got[DST][2 * i]) == (i % W >= 70 && i / W >= 20);
    CHECK_EQ(wrong, 0);
    trial_free(&t);
    free(src);
}

// In place not where the two rectangles differ.
void test_shifted(void **state)
{
    ag_sat_settings s;
    trial t = table_of(*state, "shifted", "r32f", 65, 64, NULL, &s);
    t.slots[SRC].w = t.slots[SRC].h = 64;
    t.slots[DST] = t.slots[SRC];
    t.slots[DST].x = 1;
    t.slots[DST].own = &t.textures[SRC];
    CHECK(trial_refused(&t, AG_E_ARG, "place"));
    CHECK(texture_is_poison(t.f, &t.textures[SRC]));
    trial_free(&t);
}
