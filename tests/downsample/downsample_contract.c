// downsample_contract.c - which texels downsample writes, by which ways, and what it refuses
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Up to four targets from one execute, by every method and filter, are each as exact as alone; in
// any optional slots.
void test_targets(void **state)
{
    fixture *f = *state;
    static const int sizes[][4][2] = {{{65, 35}, {32, 18}, {7, 5}, {1, 1}},
                                      {{523, 141}, {260, 70}, {131, 35}, {65, 17}},
                                      {{5, 3}, {100, 100}, {300, 1}, {1, 140}},
                                      {{64, 32}, {64, 32}, {32, 16}, {16, 8}}};
    rng r = rng_start("targets", 240);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("targets", 32);
    for (int i = 0; i < 4; ++i)
        for (int count = 2; count <= 4; ++count)
            for (int way = 0; way < 4; ++way)
                for (int weight = 0; weight < 2; ++weight) {
                    if (!sweep_takes(share))
                        continue;
                    scale c = {.format = way % 2 ? "rgba16f" : "rgba8",
                               .width = 523,
                               .height = 141,
                               .count = count};
                    if (i == 3)
                        c.width = c.height = 512;
                    memcpy(c.sizes, sizes[i], sizeof c.sizes);
                    c.settings = scale_defaults(f);
                    c.settings.weight = way == 3 ? 0 : weight;
                    c.settings.method = way == 1 ? AG_DOWN_COLUMNS
                                        : way == 2 && (i % 2 || (i == 0 && count == 2))
                                            ? AG_DOWN_TILE
                                            : AG_DOWN_AUTO;
                    c.settings.filter = way < 3  ? AG_DOWN_AREA
                                        : weight ? AG_DOWN_BICUBIC
                                                 : AG_DOWN_BILINEAR;
                    good &= scale_check_noise(f, pass, &r, c);
                }
    // Slots may be left out between: the same bits.
    double *values = scale_noise(&r, "rgba8", 200 * 90, false);
    texture src = texture_create(f, "rgba8", 200, 90, values);
    texture near = texture_create(f, "rgba8", 31, 7, NULL),
            far = texture_create(f, "rgba8", 3, 2, NULL);
    ag_downsample_settings s = scale_defaults(f);
    uint8_t *bytes[2];
    for (int i = 0; i < 2; ++i) {
        ag_texture slots[5] = {texture_view(&src), texture_view(&near), texture_no_view(),
                               texture_no_view(), texture_no_view()};
        slots[i ? 4 : 2] = texture_view(&far);
        ag_job job = scale_job(slots, 4, &s);
        texture_poison(f, &far);
        fixture_run(f, pass, &job);
        bytes[i] = texture_read_bytes(f, &far, 0);
    }
    CHECK(memcmp(bytes[0], bytes[1], 3 * 2 * 4) == 0);
    free(bytes[0]);
    free(bytes[1]);
    free(values);
    texture_destroy(f, &src);
    texture_destroy(f, &near);
    texture_destroy(f, &far);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A rectangle is an image of its own, into a rectangle of the target, in the layers asked for: the
// bits of textures that hold nothing else; everything around stays poison.
void test_rectangles_and_layers(void **state)
{
    fixture *f = *state;
    rng r = rng_start("rectangles", 241);
    sweep *share = sweep_start("rectangles", 5);
    for (int i = 0; i < 15; ++i) {
        if (!sweep_takes(share))
            continue;
        int W = rng_int(&r, 60, 350), H = rng_int(&r, 20, 90), layers = i % 3 ? 3 : 0;
        int x = rng_int(&r, 0, W - 2), y = rng_int(&r, 0, H - 2);
        int w = rng_int(&r, 1, W - x), h = rng_int(&r, 1, H - y);
        int tw = rng_int(&r, 1, w < 40 ? w : 40), th = rng_int(&r, 1, h < 30 ? h : 30);
        int tx = rng_int(&r, 0, 50 - tw), ty = rng_int(&r, 0, 40 - th);
        int first = layers ? 1 : 0, count = layers ? 2 : 1, stored = layers ? layers : 1;
        ag_downsample_settings s = scale_defaults(f);
        s.filter = i % 5 == 4                                   ? AG_DOWN_BICUBIC
                   : i % 5 == 3 && w <= 16 * tw && h <= 16 * th ? AG_DOWN_LANCZOS
                                                                : 0;
        s.method = s.filter ? 0 : i % 5;
        s.method = s.method > 3 ? 0 : s.method;
        if (s.method == AG_DOWN_TILE && (w > 64 * tw || h > 64 * th))
            s.method = AG_DOWN_AUTO;
        const char *format = i % 2 ? "rgba8" : "rgba16f";
        double *big = scale_noise(&r, format, (size_t)(W * H * stored), false);
        double *part = check_doubles((size_t)(w * h * 4));
        texture src = texture_create_array(f, format, W, H, layers, 1, big);
        texture dst = texture_create_array(f, format, 50, 40, layers, 1, NULL);
        ag_texture slots[2] = {texture_view(&src), texture_view(&dst)};
        int rects[2][4] = {{x, y, w, h}, {tx, ty, tw, th}};
        for (int k = 0; k < 2; ++k) {
            slots[k].rect_x = rects[k][0];
            slots[k].rect_y = rects[k][1];
            slots[k].rect_width = rects[k][2];
            slots[k].rect_height = rects[k][3];
            slots[k].first_layer = first;
            slots[k].layers = count;
        }
        ag_pass *pass = fixture_pass(f, "downsample"), *plain = fixture_pass(f, "downsample");
        ag_job job = scale_job(slots, 1, &s);
        fixture_run(f, pass, &job);
        double *got = texture_read(f, &dst, 0);
        for (int layer = first; layer < first + count; ++layer) {
            for (int row = 0; row < h; ++row)
                memcpy(part + 4 * row * w, big + 4 * ((layer * H + y + row) * W + x),
                       sizeof *part * 4 * (size_t)w);
            texture alone = texture_create(f, format, w, h, part),
                    small = texture_create(f, format, tw, th, NULL);
            ag_texture views[2] = {texture_view(&alone), texture_view(&small)};
            job.slots = views;
            fixture_run(f, plain, &job);
            double *want = texture_read(f, &small, 0);
            for (int row = 0; row < th; ++row)
                CHECK(memcmp(got + 4 * ((layer * 40 + ty + row) * 50 + tx), want + 4 * row * tw,
                             sizeof *got * 4 * (size_t)tw) == 0);
            free(want);
            texture_destroy(f, &alone);
            texture_destroy(f, &small);
        }
        CHECK_EQ(texture_poison_count(f, &dst, 0, 0, 0, 0, 0), 50 * 40 * stored - tw * th * count);
        printf("  ok    %s %s %dx%d at %d,%d of %dx%d to %dx%d, %d layers\n",
               scale_filter(s.filter), scale_method(s.method), w, h, x, y, W, H, tw, th, layers);
        free(got);
        free(big);
        free(part);
        f->ag->pass_destroy(pass);
        f->ag->pass_destroy(plain);
        texture_destroy(f, &src);
        texture_destroy(f, &dst);
    }
}

// What glTexImage made has no view: image units read it. As exact, and of codes the same bits.
void test_image_units(void **state)
{
    fixture *f = *state;
    rng r = rng_start("image units", 242);
    static const char *const formats[] = {"rgba8", "r8", "rgb10a2", "rgba16f"};
    sweep *share = sweep_start("image units", 4);
    for (int i = 0; i < 4; ++i) {
        const format_info *info = format_named(formats[i]);
        int w = 301, h = 77;
        double *values = scale_noise(&r, formats[i], (size_t)(w * h), false);
        texture src = texture_create(f, formats[i], w, h, values),
                dst = texture_create(f, formats[i], 23, 9, NULL);
        GLuint name = 0;
        f->gl.GenTextures(1, &name);
        f->gl.BindTexture(GL_TEXTURE_2D, name);
        f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)info->internal, w, h, 0, info->base, info->type,
                         NULL);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        f->gl.BindTexture(GL_TEXTURE_2D, 0);
        f->gl.CopyImageSubData(src.name, GL_TEXTURE_2D, 0, 0, 0, 0, name, GL_TEXTURE_2D, 0, 0, 0, 0,
                               w, h, 1);
        for (int method = AG_DOWN_TILE; method <= AG_DOWN_PARTIAL_SUMS; ++method) {
            if (!sweep_takes(share))
                continue;
            ag_pass *pass = fixture_pass(f, "downsample");
            ag_downsample_settings s = scale_defaults(f);
            s.method = method;
            ag_texture slots[2] = {texture_view(&src), texture_view(&dst)};
            ag_job job = scale_job(slots, 1, &s);
            fixture_run(f, pass, &job);
            uint8_t *want = texture_read_bytes(f, &dst, 0);
            slots[0].name = name;
            texture_poison(f, &dst);
            fixture_run(f, pass, &job);
            uint8_t *got = texture_read_bytes(f, &dst, 0);
            CHECK_F(memcmp(want, got, texture_byte_count(&dst, 0)) == 0, "%s %s", formats[i],
                    scale_method(method));
            printf("  ok    %s by %s from image units, to the bit\n", formats[i],
                   scale_method(method));
            free(want);
            free(got);
            f->ag->pass_destroy(pass);
        }
        f->ag->forget(f->device, name);
        f->gl.DeleteTextures(1, &name);
        texture_destroy(f, &src);
        texture_destroy(f, &dst);
        free(values);
    }
}

static void expect_refusal(fixture *f, ag_pass *pass, const ag_job *job, ag_status status,
                           const char *part)
{
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, job), status);
    CHECK_F(host_log_error(&f->host, status, part), "no \"%s\" in \"%s\"", part,
            host_log_last(&f->host));
}

void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "downsample");
    texture src = texture_create(f, "rgba16f", 60, 40, NULL),
            dst = texture_create(f, "rgba16f", 61, 40, NULL);
    texture other = texture_create(f, "rgba8", 20, 20, NULL),
            third = texture_create(f, "rgba16f", 20, 20, NULL);
    texture one = texture_create(f, "r16f", 60, 40, NULL),
            wide = texture_create(f, "rgba16f", 1, 1, NULL);
    texture primes = texture_create(f, "rgba16f", 59, 41, NULL);
    ag_downsample_settings s = scale_defaults(f);
    ag_texture slots[3] = {texture_view(&src), texture_view(&dst), texture_view(&other)};
    ag_job job = scale_job(slots, 1, &s);
    expect_refusal(f, pass, &job, AG_E_ARG,
                   "dst0 is 61x40, src 60x40; area only makes images smaller");
    slots[1] = texture_view(&third);
    job.slot_count = 3;
    expect_refusal(f, pass, &job, AG_E_FORMAT, "dst1 is RGBA8, dst0 RGBA16F");
    job.slot_count = 2;
    s.method = AG_DOWN_BLOCKS;
    slots[0] = texture_view(&primes);
    expect_refusal(f, pass, &job, AG_E_ARG, "src is 59x41; blocks takes targets whose sizes");
    slots[0] = texture_view(&src);
    s.method = AG_DOWN_TILE;
    s.filter = AG_DOWN_NEAREST;
    expect_refusal(f, pass, &job, AG_E_ARG, "method is tile with filter nearest");
    s.method = AG_DOWN_AUTO;
    s.weight = AG_DOWN_WEIGHT_KARIS;
    expect_refusal(f, pass, &job, AG_E_ARG, "weight is karis with filter nearest; it needs area");
    s = scale_defaults(f);
    s.filter = AG_DOWN_LANCZOS;
    slots[1] = texture_view(&wide);
    expect_refusal(f, pass, &job, AG_E_ARG, "lanczos takes ratios up to 16");
    s.radius = 4;
    expect_refusal(f, pass, &job, AG_E_ARG, "radius");
    texture tall = texture_create(f, "rgba16f", 60, 130, NULL),
            two = texture_create(f, "rgba16f", 60, 2, NULL);
    s = scale_defaults(f);
    s.method = AG_DOWN_TILE;
    slots[0] = texture_view(&tall);
    slots[1] = texture_view(&two);
    expect_refusal(f, pass, &job, AG_E_ARG, "tile takes ratios up to 64");
    texture_destroy(f, &tall);
    texture_destroy(f, &two);
    slots[1] = texture_view(&wide);
    s = scale_defaults(f);
    s.weight = AG_DOWN_WEIGHT_ALPHA;
    slots[0] = texture_view(&one);
    expect_refusal(f, pass, &job, AG_E_FORMAT, "weight is alpha and src R16F");
    s.weight = AG_DOWN_WEIGHT_NONE;
    slots[0] = texture_view(&src);
    slots[0].width = slots[0].height = 20000;
    expect_refusal(f, pass, &job, AG_E_SIZE, "src is 20000x20000; the limit is 16384");
    CHECK(texture_is_poison(f, &third) && texture_is_poison(f, &wide));
    // Four targets take five image units.
    ag_device *device = NULL, *own = f->device;
    ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = 5};
    CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &device), AG_OK);
    f->device = device;
    ag_pass *high = fixture_pass(f, "downsample");
    texture more[3];
    ag_texture five[5] = {texture_view(&src), texture_view(&third)};
    for (int i = 0; i < 3; ++i) {
        more[i] = texture_create(f, "rgba16f", 9, 9 - i, NULL);
        five[2 + i] = texture_view(&more[i]);
    }
    job = scale_job(five, 4, &s);
    expect_refusal(f, high, &job, AG_E_ARG, "this many targets need 5");
    job = scale_job(five, 2, &s);
    CHECK_STATUS(f->ag->prepare(high, &job), AG_OK);
    f->ag->device_destroy(device, 0);
    f->device = own;
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &more[i]);
    f->ag->pass_destroy(pass);
    texture *all[] = {&src, &dst, &other, &third, &one, &wide, &primes};
    for (int i = 0; i < 7; ++i)
        texture_destroy(f, all[i]);
    host_log_clear(&f->host);
}
