// mipchain_ways.c - all ways of mipchain give the same levels: texels exchanged through shared
// memory or by shuffles; level 0 read by a texture unit, or by an image unit (no texture unit;
// glTexImage); chains divided among dispatches in every way
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <stdlib.h>

enum { SHARED, SUBGROUPS, IMAGE_UNIT, MUTABLE, WAYS };

static const ag_tuning tunings[WAYS] = {[SHARED] = {.without = AG_WITHOUT_SUBGROUPS},
                                        [SUBGROUPS] = {.emulate = 1}, // the driver's, if it has any
                                        [IMAGE_UNIT] = {.without = AG_WITHOUT_TEXTURE_UNITS |
                                                                   AG_WITHOUT_SUBGROUPS},
                                        [MUTABLE] = {.without = AG_WITHOUT_SUBGROUPS}};

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
            if ((!large || check_tier_now() != CHECK_QUICK) && sweep_takes(share))
                good = chain_check(*state, pass, &r, &chains[i], &tunings[way]) && good;
        }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// A chain of glTexImage.
static texture mutable_chain(fixture *f, const format_info *format, int width, int height)
{
    texture t = {.target = GL_TEXTURE_2D, .format = format, .width = width, .height = height};
    t.levels = texture_full_levels(width, height);
    f->gl.GenTextures(1, &t.name);
    f->gl.BindTexture(GL_TEXTURE_2D, t.name);
    for (int i = 0; i < t.levels; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, (GLint)format->internal, texture_level_size(width, i),
                         texture_level_size(height, i), 0, format->base, format->type, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, t.levels - 1);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    return t;
}

static bool check_mutable(fixture *f, ag_pass *pass, rng *r, const chain *c)
{
    ag_mipchain_settings s;
    chain_level l;
    double *values = chain_noise(r, c);
    texture own = mutable_chain(f, format_named(c->format), c->width, c->height);
    texture_upload(f, &own, 0, values);
    trial t = chain_of(f, pass, c, NULL, &s, &l);
    t.name = "glTexImage";
    t.slots[0].own = &own;
    t.tuning = &tunings[MUTABLE];
    bool good = chain_try(&t, c);
    chain_free(&t);
    texture_destroy(f, &own);
    free(values);
    return good;
}

// Each format with sizes that are even for three levels, then odd in x, in y, in both, and later:
// level 0 has another reader for each.
void test_ways(void **state)
{
    static const int more[][2] = {{0, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 4}};
    rng r = rng_start("ways", 91);
    ag_pass *pass = fixture_pass(*state, "mipchain");
    bool good = true;
    sweep *share = sweep_start("ways", 40);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int k = 0; k < (int)COUNT(more); ++k) {
            const format_info *format = format_at(i);
            chain c = {format->name, 8 * (9 + i) + more[k][0], 8 * (17 - i % 3) + more[k][1],
                       .levels = 3};
            int turn = k == 0 ? i % 3 : k == 1 ? 4 + i % 2 : (i + k) % 6;
            c.reduce = turn < 3 ? AG_MIP_MEAN : turn == 3 ? AG_MIP_FIRST : turn - 3;
            c.weight = turn ? AG_MIP_WEIGHT_NONE : AG_MIP_WEIGHT_KARIS;
            for (int way = 0; way < WAYS; ++way) {
                // Textures of glTexImage are refused, in two formats.
                bool refused = format->kind == FORMAT_SRGB || format->bits[0] == 11;
                if ((way == MUTABLE && refused) || !sweep_takes(share))
                    continue;
                good = (way == MUTABLE ? check_mutable(*state, pass, &r, &c)
                                       : chain_check(*state, pass, &r, &c, &tunings[way])) &&
                       good;
            }
        }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// What is prepared for a texture that can be viewed does not run on one that cannot, and the other
// way round.
void test_not_alike(void **state)
{
    fixture *f = *state;
    const chain c = {"rgba16f", 64, 64, .levels = 3};
    texture own = mutable_chain(f, format_named(c.format), 64, 64);
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
