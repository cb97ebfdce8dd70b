// mipchain_ways.c - chains divided among dispatches in every way; with few image units; of textures
// that are mutable; and the jobs that mipchain refuses
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <stdlib.h>

void test_stages(void **state)
{
    static const chain chains[] = {
        {"rgba16f", 64, 64, .steps = 1},
        {"rgba16f", 128, 128, .weight = AG_MIP_WEIGHT_KARIS, .steps = 1}, // two even stages
        {"rgba16f", 192, 192, .steps = 1},                                // even, then the rest
        {"rgba8", 120, 88, .layers = 2, .steps = 1},
        {"r16f", 504, 504, .levels = 7, .steps = 1}, // a large rest
        {"rgba8", 512, 512, .layers = 2, .steps = 2},
        {"rgba16f", 1024, 512, .weight = AG_MIP_WEIGHT_ALPHA, .steps = 2},
        {"srgb8", 256, 1024, .steps = 2},
        {"rgba16f", 655, 655, .levels = 7, .steps = 2},
        {"rgba16f", 192, 320, .reduce = AG_MIP_FIRST, .steps = 2},
        // Levels from the second on.
        {"rg32f", 512, 512, .reduce = AG_MIP_MAX, .layers = 3, .base = 1, .x = 64, .y = 32,
         .w = 192, .h = 224, .steps = 1},
        {"rgba8", 640, 640, .weight = AG_MIP_WEIGHT_COVERAGE, .x = 128, .y = 128, .w = 512,
         .h = 512, .steps = 2},
        // On the CPU the large ones take a minute.
        {"r32f", 2048, 2048, .steps = 2},
        {"r8", 4096, 4096, .steps = 2},
        {"rg16f", 1023, 1023, .reduce = AG_MIP_MINMAX, .layers = 2, .steps = 2}, // with halos
        {"rgb10a2", 2047, 700, .steps = 2},
        {"rgba8", 1920, 1080, .steps = 2},
    };
    rng r = rng_start("stages", 97);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("stages", 8);
    for (size_t i = 0; i < COUNT(chains); ++i)
        for (int way = SHARED; way <= SUBGROUPS; ++way) {
            bool large = chains[i].width * chains[i].height > 1000000;
            chain c = chains[i];
            c.way = way;
            if ((!large || check_tier_now() != CHECK_QUICK) && sweep_takes(share))
                good = chain_check(*state, pass, &r, &c) && good;
        }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Every number of levels, and image units that leave three to eight; counters are 0 again after
// each execute.
void test_units(void **state)
{
    fixture *f = *state;
    rng r = rng_start("units", 77);
    ag_device *own = f->device;
    bool good = true;
    sweep *share = sweep_start("units", 12);
    for (int i = 0; i < 12; ++i) { // 5 in every tier; 1 to 5 with 7 levels, 0 with each number
        ag_device_desc desc = {.struct_size = sizeof desc,
                               .image_unit_base = (uint32_t)(i < 5 ? 5 - i : 0)};
        const chain c = {"rgba8", 200, 131, .levels = i < 5 ? 7 : i - 4, .steps = -1};
        if (!sweep_takes(share) && i)
            continue;
        CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &f->device), AG_OK);
        ag_pass *pass = fixture_pass(f, "mipchain");
        for (int again = 0; again < 2; ++again)
            good = chain_check(f, pass, &r, &c) && good;
        f->ag->pass_destroy(pass);
        f->ag->device_destroy(f->device, 0);
        f->device = own;
    }
    CHECK(good);
}

// What is prepared for a texture that can be viewed does not run on one that cannot, and the other
// way round.
void test_not_alike(void **state)
{
    fixture *f = *state;
    const chain c = {"rgba16f", 64, 64, .levels = 3};
    texture own = chain_mutable(f, c.format, 64, 64);
    ag_mipchain_settings s;
    chain_level l;
    trial kinds[2];
    for (int i = 0; i < 2; ++i) {
        kinds[i] = chain_of(f, NULL, &c, NULL, &s, &l);
        kinds[i].slots[0].own = i ? &own : NULL;
        trial_make(&kinds[i]);
        CHECK_STATUS(f->ag->prepare(kinds[i].pass, &kinds[i].job), AG_OK);
    }
    ag_pass *pass = kinds[0].pass;
    CHECK_STATUS(f->ag->execute(pass, &kinds[0].job, NULL), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &kinds[1].job, NULL), AG_E_STATE);
    CHECK(host_log_has(&f->host, "glTexImage"));
    CHECK_STATUS(f->ag->prepare(pass, &kinds[1].job), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &kinds[1].job, NULL), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &kinds[0].job, NULL), AG_E_STATE);
    chain_free(&kinds[0]);
    chain_free(&kinds[1]);
    texture_destroy(f, &own);
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
