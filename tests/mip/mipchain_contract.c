// mipchain_contract.c - the texels that mipchain writes, with any image units, and the jobs that it
// refuses
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <stdlib.h>
#include <string.h>

// A rectangle is an image of its own: its chain lies at x >> k, y >> k, and all other texels stay
// poison. In the layers asked for, and no others.
void test_rectangles_and_layers(void **state)
{
    rng r = rng_start("rectangles", 76);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("rectangles", 4);
    for (int i = 0; i < 12; ++i) {
        chain c = {i % 2 ? "rgba8" : "rgba16f", rng_int(&r, 60, 150), rng_int(&r, 20, 90),
                   .layers = i % 3 ? 3 : 0};
        c.first = c.layers ? 1 : 0;
        c.x = rng_int(&r, 0, c.width - 1);
        c.y = rng_int(&r, 0, c.height - 1);
        c.w = rng_int(&r, 1, c.width - c.x);
        c.h = rng_int(&r, 1, c.height - c.y);
        if (sweep_takes(share))
            good = chain_check(*state, pass, &r, &c, NULL) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Every number of levels, and image units that leave three to eight; counters are 0 again after
// each execute.
void test_units_and_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("units", 77);
    ag_device *own = f->device;
    bool good = true;
    sweep *share = sweep_start("units", 4);
    for (int base = 0; base <= 5; ++base) {
        ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = (uint32_t)base};
        CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &f->device), AG_OK);
        for (int levels = base ? 7 : 1; levels <= 7; ++levels) {
            const chain c = {"rgba8", 200, 131, .levels = levels};
            if (!sweep_takes(share) && base != 5)
                continue;
            ag_mipchain_settings s;
            chain_level l;
            double *values = chain_noise(&r, &c);
            trial t = chain_of(f, NULL, &c, values, &s, &l);
            for (int again = 0; again < 2; ++again)
                good = trial_check(&t) && good;
            chain_free(&t);
            free(values);
        }
        f->ag->device_destroy(f->device, 0);
        f->device = own;
    }
    CHECK(good);
}

// Mutable textures: sRGB cannot be viewed, a level of another size, one beyond MAX_LEVEL.
static bool refuses_mutable(fixture *f)
{
    texture own = {.target = GL_TEXTURE_2D, .width = 4, .height = 4, .levels = 3};
    bool good = true;
    f->gl.GenTextures(1, &own.name);
    for (int srgb = 1; srgb >= 0; --srgb) {
        const chain c = {srgb ? "srgb8" : "rgba8", 4, 4, .levels = 0};
        ag_mipchain_settings s;
        chain_level l;
        trial t = chain_of(f, NULL, &c, NULL, &s, &l);
        own.format = format_named(c.format);
        t.slots[0].own = &own;
        f->gl.BindTexture(GL_TEXTURE_2D, own.name);
        for (int i = 0; i < 3; ++i)
            f->gl.TexImage2D(GL_TEXTURE_2D, i, (GLint)own.format->internal,
                             i == 2 ? 2 - srgb : 4 >> i, 4 >> i, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                             NULL);
        if (srgb) {
            good = trial_refused(&t, AG_E_FORMAT, "glTexStorage") && good;
        } else {
            good = trial_refused(&t, AG_E_ARG, "the chain needs 1x1") && good;
            f->gl.TexImage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
            good = trial_refused(&t, AG_E_ARG, "MAX_LEVEL 1") && good;
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
            fixture_run(f, t.pass, &t.job);
        }
        chain_free(&t);
    }
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    texture_destroy(f, &own);
    return good;
}

void test_refusals(void **state)
{
    static const struct {
        chain c;
        int have;        // levels of the texture; 0: all
        uint32_t format; // that the view says; 0: the texture's
        ag_status status;
        const char *word;
    } cases[] = {
        {{"rgba16f", 32, 32, .w = 0}, 3, 0, AG_E_ARG, "set `levels` to 2"},
        {{"rgba16f", 32, 32, .levels = 2, .weight = AG_MIP_WEIGHT_KARIS, .reduce = AG_MIP_MAX},
         3,
         0,
         AG_E_ARG,
         "karis"},
        {{"rgba16f", 32, 32, .exactness = AG_MIP_DIRECT, .reduce = AG_MIP_FIRST},
         3,
         0,
         AG_E_ARG,
         "direct with reduce first"},
        {{"rgba16f", 32, 32, .reduce = AG_MIP_MINMAX, .levels = 2},
         3,
         0,
         AG_E_FORMAT,
         "RG8 RG16F RG32F"},
        {{"r8", 32, 32, .weight = AG_MIP_WEIGHT_ALPHA}, 0, 0, AG_E_FORMAT, "SRGB8_ALPHA8"},
        {{"r8", 32, 32, .w = 0}, 0, GL_RGB8, AG_E_FORMAT, "RGBA32F"},
    };
    fixture *f = *state;
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_mipchain_settings s;
        chain_level l;
        trial t = chain_of(f, NULL, &cases[i].c, NULL, &s, &l);
        t.slots[0].levels = cases[i].have ? cases[i].have : t.slots[0].levels;
        trial_make(&t);
        t.views[0].format = cases[i].format ? cases[i].format : t.views[0].format;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        if (i == 0) {
            s.levels = 2;
            CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
        }
        chain_free(&t);
    }
    good = refuses_mutable(f) && good;
    host_log_clear(&f->host);
    CHECK(good);
}
