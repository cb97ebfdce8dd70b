// mipchain_contract.c - the texels that mipchain writes, with any image units, and the jobs that it
// refuses
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A rectangle is an image of its own: its chain has the bits of a texture that holds nothing else,
// at x >> k, y >> k, and all other texels stay poison. In the layers asked for, and no others.
void test_rectangles_and_layers(void **state)
{
    fixture *f = *state;
    rng r = rng_start("rectangles", 76);
    sweep *share = sweep_start("rectangles", 4);
    for (int i = 0; i < 12; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *format = i % 2 ? "rgba8" : "rgba16f";
        int W = rng_int(&r, 60, 150), H = rng_int(&r, 20, 90), layers = i % 3 ? 3 : 0;
        int x = rng_int(&r, 0, W - 1), y = rng_int(&r, 0, H - 1),
            levels = texture_full_levels(W, H);
        int w = rng_int(&r, 1, W - x), h = rng_int(&r, 1, H - y);
        int first = layers ? 1 : 0, count = layers ? 2 : 1, stored = layers ? layers : 1;
        ag_pass *pass = fixture_pass(f, "mipchain");
        ag_mipchain_settings s = chain_defaults(f);
        double *big = chain_noise(&r, format, (size_t)(W * H * stored)),
               *part = check_doubles((size_t)(w * h * 4));
        texture t = texture_create_array(f, format, W, H, layers, levels, NULL);
        texture_upload(f, &t, 0, big);
        ag_texture slot = texture_view(&t);
        slot.rect_x = x;
        slot.rect_y = y;
        slot.rect_width = w;
        slot.rect_height = h;
        slot.first_layer = first;
        slot.layers = count;
        ag_job job = chain_job(&slot, &s);
        fixture_run(f, pass, &job);
        size_t poison[17];
        for (int k = 1; k < levels; ++k)
            poison[k] = (size_t)(texture_level_size(W, k) * texture_level_size(H, k) * stored);
        for (int layer = first; layer < first + count; ++layer) {
            for (int row = 0; row < h; ++row)
                memcpy(part + 4 * row * w, big + 4 * ((layer * H + y + row) * W + x),
                       sizeof *part * 4 * (size_t)w);
            texture alone =
                texture_create_array(f, format, w, h, 0, texture_full_levels(w, h), NULL);
            texture_upload(f, &alone, 0, part);
            ag_texture view = texture_view(&alone);
            job.slots = &view;
            fixture_run(f, pass, &job);
            for (int k = 1; k < alone.levels; ++k) {
                double *got = texture_read(f, &t, k), *want = texture_read(f, &alone, k);
                int at_x = x >> k, at_y = y >> k, ww = texture_level_size(w, k),
                    hh = texture_level_size(h, k);
                at_x = at_x < texture_level_size(W, k) ? at_x : texture_level_size(W, k) - 1;
                at_y = at_y < texture_level_size(H, k) ? at_y : texture_level_size(H, k) - 1;
                for (int row = 0; row < hh; ++row)
                    CHECK(memcmp(got + 4 * ((layer * texture_level_size(H, k) + at_y + row) *
                                                texture_level_size(W, k) +
                                            at_x),
                                 want + 4 * row * ww, sizeof *got * 4 * (size_t)ww) == 0);
                poison[k] -= (size_t)(ww * hh);
                free(got);
                free(want);
            }
            f->ag->forget(f->device, alone.name);
            texture_destroy(f, &alone);
        }
        for (int k = 1; k < levels; ++k)
            CHECK_EQ(texture_poison_count(f, &t, k, 0, 0, 0, 0), poison[k]);
        printf("  ok    %dx%d at %d,%d of %dx%d, %d layers\n", w, h, x, y, W, H, layers);
        free(big);
        free(part);
        f->ag->pass_destroy(pass);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
}

// Every number of levels, and image units that leave three to eight: the same bits.
void test_units_and_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("units", 77);
    double *values = chain_noise(&r, "rgba8", 200 * 131);
    chain c = {"rgba8", 200, 131, chain_defaults(f), values};
    texture t = chain_texture(f, &c);
    uint8_t *want[8] = {0};
    for (int base = 0; base <= 5; ++base) {
        ag_device *device = NULL, *own = f->device;
        ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = (uint32_t)base};
        CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &device), AG_OK);
        f->device = device;
        ag_pass *pass = fixture_pass(f, "mipchain");
        for (int levels = base ? 7 : 1; levels <= 7; ++levels) {
            texture_poison(f, &t);
            texture_upload(f, &t, 0, values);
            c.settings.levels = levels;
            ag_texture slot = texture_view(&t);
            ag_job job = chain_job(&slot, &c.settings);
            for (int again = 0; again < 3; ++again) // counters must be 0 again
                fixture_run(f, pass, &job);
            for (int k = 1; k < t.levels; ++k) {
                uint8_t *got = texture_read_bytes(f, &t, k);
                if (k > levels)
                    CHECK_EQ(texture_poison_count(f, &t, k, 0, 0, 0, 0),
                             texture_level_size(200, k) * texture_level_size(131, k));
                else if (want[k])
                    CHECK(memcmp(got, want[k], texture_byte_count(&t, k)) == 0);
                if (k <= levels && !want[k])
                    want[k] = got;
                else
                    free(got);
            }
        }
        const ag_plan *plan;
        ag_texture slot = texture_view(&t);
        ag_job job = chain_job(&slot, &c.settings);
        CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
        printf("  ok    base %d: %s\n", base, plan->text);
        f->ag->device_destroy(device, 0);
        f->device = own;
    }
    for (int k = 1; k < 8; ++k)
        free(want[k]);
    free(values);
    texture_destroy(f, &t);
}

static void expect_refusal(fixture *f, ag_pass *pass, const ag_texture *slot,
                           const ag_mipchain_settings *s, ag_status status, const char *part)
{
    ag_job job = chain_job(slot, s);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), status);
    CHECK_F(host_log_error(&f->host, status, part), "no \"%s\" in \"%s\"", part,
            host_log_last(&f->host));
}

void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "mipchain");
    ag_mipchain_settings s = chain_defaults(f);
    texture t = texture_create_array(f, "rgba16f", 32, 32, 0, 3, NULL);
    ag_texture slot = texture_view(&t);
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "set `levels` to 2");
    s.levels = 2;
    ag_job job = chain_job(&slot, &s);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    s.weight = AG_MIP_WEIGHT_KARIS;
    s.reduce = AG_MIP_MAX;
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "karis");
    s = chain_defaults(f);
    s.exactness = AG_MIP_DIRECT;
    s.reduce = AG_MIP_FIRST;
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "direct with reduce first");
    s = chain_defaults(f);
    s.reduce = AG_MIP_MINMAX;
    s.levels = 2;
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "RG8 RG16F RG32F");
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    t = texture_create_array(f, "r8", 32, 32, 0, 6, NULL);
    slot = texture_view(&t);
    s = chain_defaults(f);
    s.weight = AG_MIP_WEIGHT_ALPHA;
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "SRGB8_ALPHA8");
    slot.format = GL_RGB8;
    s.weight = AG_MIP_WEIGHT_NONE;
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "RGBA32F");
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    // mutable textures: sRGB cannot be viewed, a level of another size, one beyond MAX_LEVEL
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    for (int i = 0; i < 3; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, GL_SRGB8_ALPHA8, 4 >> i, 4 >> i, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, NULL);
    slot = (ag_texture){.struct_size = sizeof slot,
                        .name = name,
                        .target = GL_TEXTURE_2D,
                        .format = GL_SRGB8_ALPHA8,
                        .width = 4,
                        .height = 4};
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "glTexStorage");
    for (int i = 0; i < 3; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, GL_RGBA8, i == 2 ? 2 : 4 >> i, 4 >> i, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, NULL);
    slot.format = GL_RGBA8;
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "the chain needs 1x1");
    f->gl.TexImage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "MAX_LEVEL 1");
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    job = chain_job(&slot, &s);
    fixture_run(f, pass, &job);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    f->ag->pass_destroy(pass);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    host_log_clear(&f->host);
}
