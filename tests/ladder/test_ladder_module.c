// test_ladder_module.c - every effect of the second module keeps what the interface promises, also
// beside the product
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/ladder_downsample.h>
#include <afterglow/ladder_fft.h>
#include <afterglow/ladder_sat.h>
#include <afterglow/ladder_wavelet.h>

#include "jobs.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = 16, H = 8 }; // of jobs: every effect takes powers of two

static const ag_effect_info *const *effects_of(const ag_api *ag, uint32_t *count)
{
    const ag_effect_info *const *effects = ag->effects(count);
    CHECK(*count > 0 && effects[*count] == NULL);
    return effects;
}

// The initialisers of the public headers.
static const struct {
    const char *effect;
    const void *settings;
    size_t size;
} initialisers[] = {
    {"fft_ladder", &(ag_fft_ladder_settings)AG_FFT_LADDER_DEFAULTS, sizeof(ag_fft_ladder_settings)},
    {"wavelet_ladder", &(ag_wavelet_ladder_settings)AG_WAVELET_LADDER_DEFAULTS,
     sizeof(ag_wavelet_ladder_settings)},
    {"sat_ladder", &(ag_sat_ladder_settings)AG_SAT_LADDER_DEFAULTS, sizeof(ag_sat_ladder_settings)},
    {"register_columns", &(ag_register_columns_settings)AG_REGISTER_COLUMNS_DEFAULTS,
     sizeof(ag_register_columns_settings)},
};

// ---- the list ----------------------------------------------------------------------------------

// Names are not the product's, defaults are those of the rows and of the header, rows have help.
static void test_list(void **state)
{
    fixture *f = *state;
    uint32_t count;
    const ag_effect_info *const *effects = effects_of(f->ag, &count);
    const ag_api *product = ag_entry_v1(AG_ABI_MINOR);
    CHECK(product != f->ag && product->abi_minor == f->ag->abi_minor);
    for (uint32_t i = 0; i < count; ++i) {
        const ag_effect_info *e = effects[i];
        _Alignas(16) uint8_t settings[JOB_SETTINGS] = {0};
        CHECK(e->settings_size <= JOB_SETTINGS);
        CHECK_F(!job_effect(product, e->id), "%s is the product's, too", e->id);
        CHECK(e->help && *e->help);
        CHECK_STATUS(f->ag->defaults(e->id, settings, e->settings_size), AG_OK);
        size_t at = 0;
        while (at < COUNT(initialisers) && strcmp(initialisers[at].effect, e->id) != 0)
            ++at;
        CHECK_F(at < COUNT(initialisers), "%s has no initialiser here", e->id);
        CHECK(initialisers[at].size == e->settings_size &&
              memcmp(initialisers[at].settings, settings, e->settings_size) == 0);
        for (uint32_t k = 0; k < e->setting_count; ++k) {
            const ag_setting_info *s = job_setting_info(e, k);
            int32_t whole;
            float real;
            memcpy(&whole, settings + s->offset, 4);
            memcpy(&real, settings + s->offset, 4);
            double value = s->type == AG_FLOAT ? (double)real : whole;
            CHECK_F(value == (s->type == AG_FLOAT ? (double)(float)s->initial[0] : s->initial[0]),
                    "%s %s is %g at first", e->id, s->name, value);
            CHECK_F(s->help && *s->help, "%s %s has no help", e->id, s->name);
        }
        printf("  ok    %s: %u slots, %u settings\n", e->id, e->slot_count, e->setting_count);
    }
    CHECK_STATUS(product->defaults(effects[0]->id, &(int64_t[64]){0}, 512), AG_E_ARG);
}

// ---- one pass ----------------------------------------------------------------------------------

// The results of a pass of its own, on outputs that are poison before; none of it is left.
static job_results run_alone(fixture *f, const char *effect)
{
    test_job j;
    job_results results;
    job_create(f, effect, W, H, &j);
    ag_pass *pass = fixture_pass(f, effect);
    job_poison(f, &j);
    fixture_run(f, pass, &j.job);
    CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), 0);
    job_read(f, &j, &results);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
    return results;
}

// ---- two modules -------------------------------------------------------------------------------

// On one context, in turns, with the product's device beside: each works as if it were alone, and
// neither knows the other's effects.
static void test_beside_the_product(void **state)
{
    fixture *f = *state;
    const ag_api *product = ag_entry_v1(AG_ABI_MINOR), *ladder = f->ag;
    ag_device *other = NULL, *own = f->device;
    ag_pass *pass = NULL, *refused = NULL;
    test_host host;
    test_job j;
    uint32_t count;
    const ag_effect_info *const *effects = effects_of(ladder, &count);
    host_init(&host, f->context);
    f->ag = product;
    CHECK_STATUS(product->device_create(&host.host, NULL, &other), AG_OK);
    f->device = other;
    job_create(f, "sat", W, H, &j);
    CHECK_STATUS(product->pass_create(other, "sat", &pass), AG_OK);
    CHECK_STATUS(product->pass_create(other, effects[0]->id, &refused), AG_E_ARG);
    CHECK_HAS(host_log_last(&host), "there is no effect");
    f->ag = ladder;
    f->device = own;
    job_results want = {0};
    for (uint32_t i = 0; i < count; ++i) {
        job_results alone = run_alone(f, effects[i]->id), beside, got;
        job_poison(f, &j);
        CHECK_STATUS(product->prepare(pass, &j.job), AG_OK);
        CHECK_STATUS(product->execute(pass, &j.job, NULL), AG_OK);
        beside = run_alone(f, effects[i]->id);
        CHECK_STATUS(product->frame(other, i + 1), AG_OK);
        job_read(f, &j, i ? &got : &want);
        CHECK(job_results_same(&alone, &beside));
        CHECK(i == 0 || job_results_same(&want, &got));
        if (i)
            job_results_free(&got);
        job_results_free(&alone);
        job_results_free(&beside);
    }
    printf("  ok    %u effects, in turns with the product's sat\n", count);
    job_results_free(&want);
    f->device = NULL;
    job_destroy(f, &j);
    f->device = own;
    product->device_destroy(other, false);
    CHECK(host_finish(&host));
    gl_trace_use(&f->host.trace);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_list),
        FIXTURE_TEST(test_beside_the_product),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_ladder, fixture_teardown);
}
