// downsample_contract.c - which texels downsample writes, by which ways, and what it refuses
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <stdlib.h>
#include <string.h>

// Up to four targets from one execute, by every method and filter, are each as exact as alone; in
// any optional slots.
void test_targets(void **state)
{
    static const int sizes[][4][2] = {{{65, 35}, {32, 18}, {7, 5}, {1, 1}},
                                      {{523, 141}, {260, 70}, {131, 35}, {65, 17}},
                                      {{5, 3}, {100, 100}, {300, 1}, {1, 140}},
                                      {{64, 32}, {64, 32}, {32, 16}, {16, 8}}};
    fixture *f = *state;
    rng r = rng_start("targets", 240);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("targets", 48);
    for (int i = 0; i < 4; ++i)
        for (int count = 2; count <= 4; ++count)
            for (int way = 0; way < 4; ++way)
                for (int weight = 0; weight < 2; ++weight) {
                    if (!sweep_takes(share))
                        continue;
                    bool tiles = way == 2 && (i % 2 || (i == 0 && count == 2));
                    scale c = {way % 2 ? "rgba16f" : "rgba8", NULL, 523, 141, .sizes = {{0}}};
                    if (i == 3)
                        c.width = c.height = 512;
                    memcpy(c.sizes, sizes[i], sizeof c.sizes[0] * (size_t)count);
                    c.weight = way == 3 ? 0 : weight;
                    c.method = way == 1 ? AG_DOWN_COLUMNS : tiles ? AG_DOWN_TILE : AG_DOWN_AUTO;
                    c.filter = way < 3 ? AG_DOWN_AREA : weight ? AG_DOWN_BICUBIC : AG_DOWN_BILINEAR;
                    good = scale_check(f, pass, &r, &c) && good;
                }
    double *values = values_noise(&r, "rgba8", 200, 90, 0, 1);
    for (int gap = 0; gap < 2; ++gap) { // slots may be left out between
        scale c = {"rgba8", NULL, 200, 90, .sizes = {{31, 7}, {3, 2}}};
        ag_downsample_settings s;
        trial t = scale_of(f, pass, &c, values, &s);
        if (gap) {
            t.slots[DST + 3] = t.slots[DST + 1];
            t.slots[DST + 1] = (trial_slot){0};
        }
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    free(values);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A rectangle is an image of its own, into a rectangle of the target, in the layers asked for;
// everything around stays poison.
void test_rectangles_and_layers(void **state)
{
    fixture *f = *state;
    rng r = rng_start("rectangles", 241);
    bool good = true;
    sweep *share = sweep_start("rectangles", 5);
    for (int i = 0; i < 15; ++i) {
        if (!sweep_takes(share))
            continue;
        int W = rng_int(&r, 60, 350), H = rng_int(&r, 20, 90), layers = i % 3 ? 3 : 0;
        int x = rng_int(&r, 0, W - 2), y = rng_int(&r, 0, H - 2);
        int w = rng_int(&r, 1, W - x), h = rng_int(&r, 1, H - y);
        int tw = rng_int(&r, 1, w < 40 ? w : 40), th = rng_int(&r, 1, h < 30 ? h : 30);
        int tx = rng_int(&r, 0, 50 - tw), ty = rng_int(&r, 0, 40 - th);
        bool near = w <= 16 * tw && h <= 16 * th;
        scale c = {i % 2 ? "rgba8" : "rgba16f", NULL, W, H, .sizes = {{50, 40}}};
        c.filter = i % 5 == 4 ? AG_DOWN_BICUBIC : i % 5 == 3 && near ? AG_DOWN_LANCZOS : 0;
        c.method = c.filter ? 0 : scale_method(i % 5 % 4, w, h, tw, th);
        double *values = values_hdr(&r, c.format, W, H * (layers ? layers : 1), 0.01, 100, true);
        ag_downsample_settings s;
        trial t = scale_of(f, NULL, &c, values, &s);
        const int rectangles[2][4] = {{x, y, w, h}, {tx, ty, tw, th}};
        t.name = "a rectangle";
        for (int k = 0; k < 2; ++k) {
            trial_slot *slot = &t.slots[k];
            slot->x = rectangles[k][0];
            slot->y = rectangles[k][1];
            slot->w = rectangles[k][2];
            slot->h = rectangles[k][3];
            slot->layers = layers;
            slot->first = layers ? 1 : 0;
        }
        good = trial_check(&t) && good;
        trial_free(&t);
        free(values);
    }
    CHECK(good);
}

// What glTexImage made has no view: image units read it. As exact, and the same bits.
void test_image_units(void **state)
{
    static const char *const formats[] = {"rgba8", "r8", "rgb10a2", "rgba16f"};
    static const int methods[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS};
    enum { W = 301, H = 77 };
    fixture *f = *state;
    rng r = rng_start("image units", 242);
    bool good = true;
    sweep *share = sweep_start("image units", 4);
    for (int i = 0; i < 4; ++i)
        for (size_t k = 0; k < COUNT(methods); ++k) {
            if (!sweep_takes(share))
                continue;
            const format_info *info = format_named(formats[i]);
            double *values = values_hdr(&r, formats[i], W, H, 0.01, 100, true);
            scale c = {formats[i], NULL, W, H, .sizes = {{23, 9}}, .method = methods[k]};
            ag_downsample_settings s;
            trial t = scale_of(f, NULL, &c, values, &s);
            good = trial_check(&t) && good;
            uint8_t *want = texture_read_bytes(f, &t.textures[DST], 0);
            GLuint name = 0;
            f->gl.GenTextures(1, &name);
            f->gl.BindTexture(GL_TEXTURE_2D, name);
            f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)info->internal, W, H, 0, info->base,
                             info->type, NULL);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
            f->gl.BindTexture(GL_TEXTURE_2D, 0);
            f->gl.CopyImageSubData(t.textures[SRC].name, GL_TEXTURE_2D, 0, 0, 0, 0, name,
                                   GL_TEXTURE_2D, 0, 0, 0, 0, W, H, 1);
            t.views[SRC].name = name;
            trial_run(&t);
            uint8_t *got = texture_read_bytes(f, &t.textures[DST], 0);
            bool same = memcmp(want, got, texture_byte_count(&t.textures[DST], 0)) == 0;
            good = check_case("    from image units: the same bits", same) && good;
            free(want);
            free(got);
            trial_free(&t);
            f->ag->forget(f->device, name);
            f->gl.DeleteTextures(1, &name);
            free(values);
        }
    CHECK(good);
}

void test_refusals(void **state)
{
    static const struct {
        scale c;
        const char *second; // the format of a second target
        ag_status status;
        const char *word;
    } cases[] = {
        {{"rgba16f", NULL, 60, 40, .sizes = {{61, 40}}},
         NULL,
         AG_E_ARG,
         "dst0 is 61x40, src 60x40; area only makes images smaller"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}, {20, 20}}},
         "rgba8",
         AG_E_FORMAT,
         "dst1 is RGBA8, dst0 RGBA16F"},
        {{"rgba16f", NULL, 59, 41, .sizes = {{20, 20}}, .method = AG_DOWN_BLOCKS},
         NULL,
         AG_E_ARG,
         "src is 59x41; blocks takes targets whose sizes"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}}, .method = AG_DOWN_TILE,
          .filter = AG_DOWN_NEAREST},
         NULL,
         AG_E_ARG,
         "method is tile with filter nearest"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}}, .filter = AG_DOWN_NEAREST,
          .weight = AG_DOWN_WEIGHT_KARIS},
         NULL,
         AG_E_ARG,
         "weight is karis with filter nearest; it needs area"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{1, 1}}, .filter = AG_DOWN_LANCZOS},
         NULL,
         AG_E_ARG,
         "lanczos takes ratios up to 16"},
        {{"rgba16f", NULL, 60, 40, .sizes = {{20, 20}}, .filter = AG_DOWN_LANCZOS, .radius = 4},
         NULL,
         AG_E_ARG,
         "radius"},
        {{"rgba16f", NULL, 60, 130, .sizes = {{60, 2}}, .method = AG_DOWN_TILE},
         NULL,
         AG_E_ARG,
         "tile takes ratios up to 64"},
        {{"r16f", "rgba16f", 60, 40, {{1, 1}}, .weight = AG_DOWN_WEIGHT_ALPHA},
         NULL,
         AG_E_FORMAT,
         "weight is alpha and src R16F"},
    };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    ag_downsample_settings s;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        trial t = scale_of(f, pass, &cases[i].c, NULL, &s);
        if (cases[i].second)
            t.slots[DST + 1].format = cases[i].second;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    scale c = {"rgba16f", NULL, 60, 40, .sizes = {{20, 20}, {9, 9}, {9, 8}, {9, 7}}};
    trial t = scale_of(f, pass, &c, NULL, &s);
    trial_make(&t);
    t.views[SRC].width = t.views[SRC].height = 20000;
    good = trial_refused(&t, AG_E_SIZE, "src is 20000x20000; the limit is 16384") && good;
    trial_free(&t);
    f->ag->pass_destroy(pass);
    // Four targets take five image units.
    ag_device *device = NULL, *own = f->device;
    ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = 5};
    CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &device), AG_OK);
    f->device = device;
    t = scale_of(f, NULL, &c, NULL, &s);
    good = trial_refused(&t, AG_E_ARG, "this many targets need 5") && good;
    t.views[DST + 2] = t.views[DST + 3] = texture_no_view();
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
    trial_free(&t);
    f->ag->device_destroy(device, 0);
    f->device = own;
    host_log_clear(&f->host);
    CHECK(good);
}
