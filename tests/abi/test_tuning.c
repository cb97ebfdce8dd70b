// test_tuning.c - ag_device_desc.tuning: what `afterglow tune` wrote is taken, all else refused;
// and how it predicts
// SPDX-License-Identifier: MIT
#include "core/device.h"
#include "core/tuning.h"
#include "jobs.h"
#include "random.h"

#include "demo/cli/cost.h"

#include <afterglow/convolve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The four lines that say what a text is of: of this context, if nothing else is given.
static void head(fixture *f, char *out, size_t size, const char *module, const char *renderer,
                 const char *driver)
{
    snprintf(out, size, "afterglow tuning 1\nmodule %s\nrenderer %s\ndriver %s\n",
             module ? module : f->ag->version,
             renderer ? renderer : (const char *)f->gl.GetString(GL_RENDERER),
             driver ? driver : ag_tuned_driver((const char *)f->gl.GetString(GL_VERSION)));
}

// A device of its own host, which outlives it.
static ag_status make(fixture *f, test_host *h, const char *text, ag_device **device)
{
    const ag_device_desc desc = {.struct_size = sizeof desc, .tuning = text};
    *device = NULL;
    host_init(h, f->context);
    return f->ag->device_create(&h->host, &desc, device);
}

static void drop(fixture *f, test_host *h, ag_device *device)
{
    f->ag->device_destroy(device, 0);
    CHECK(host_finish(h));
    fixture_current(f);
}

static void test_taken(void **state)
{
    fixture *f = *state;
    char text[2048];
    test_host h;
    ag_device *device;
    head(f, text, sizeof text, NULL, NULL, NULL);
    strcat(
        text,
        "# a remark\n\ncopy_speed 4071000\nconvolve.direct_taps.zero 1\nconvolve.direct_taps.wrap 65025\n"
        "fft.per_channel_pairs 77\r\nsat.folded_tiles 12\nbox.tables 2\n"
        "downsample.tile_rows 3\nmips.exchange 2\nbloom.fft_bytes 1048576\n"
        "time.bloom 1.5 0.25\n# the last line has no end\ntime.sat 1 2");
    CHECK_STATUS(make(f, &h, text, &device), AG_OK);
    CHECK(h.message_count == 0);
    const ag_tuning *tuning = ag_device_tuning(device);
    CHECK(tuning->direct_taps[AG_BORDER_ZERO] == 1 && tuning->direct_taps[AG_BORDER_WRAP] == 65025);
    CHECK(tuning->direct_taps[AG_BORDER_CLAMP] == 0 && tuning->direct_taps[AG_BORDER_MIRROR] == 0);
    CHECK(tuning->tile_rows == 3 && tuning->mip_exchange == AG_EXCHANGE_SHARED);
    CHECK(tuning->fft_bytes == 1048576 && tuning->denoise_exchange == AG_EXCHANGE_AUTO);
    CHECK(ag_tuned(tuning, &tuning->tile_rows) == 3);
    CHECK(ag_tuned(tuning, &tuning->few_groups) == 64); // its default
    CHECK(tuning->per_channel_pairs == 77 && tuning->folded_tiles == 12);
    CHECK(tuning->tables == AG_TABLES_TEXTURE && tuning->tile == 0 && tuning->threads == 0);
    CHECK(device->desc.copy_speed == 4071000 && device->desc.tuning == NULL);
    drop(f, &h, device);
    // What the host says of the copy speed goes before.
    const ag_device_desc desc = {.struct_size = sizeof desc, .tuning = text, .copy_speed = 5};
    host_init(&h, f->context);
    CHECK_STATUS(f->ag->device_create(&h.host, &desc, &device), AG_OK);
    CHECK(device->desc.copy_speed == 5);
    drop(f, &h, device);
}

// A device is made, it is as without a text, and one warning has the word.
static void refuse(fixture *f, const char *text, const char *word)
{
    test_host h;
    ag_device *device;
    CHECK_STATUS(make(f, &h, text, &device), AG_UNTUNED);
    CHECK(device != NULL && h.message_count == 1);
    ag_tuning none = {0};
    CHECK_F(memcmp(ag_device_tuning(device), &none, sizeof none) == 0, "%s", word);
    CHECK(device->desc.copy_speed == 0);
    CHECK_HAS(host_log_last(&h), word);
    CHECK_HAS(host_log_last(&h), "defaults serve");
    CHECK(h.messages[0].level == AG_LOG_WARNING);
    drop(f, &h, device);
}

static void test_refused(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *lines, *word;
    } rows[] = {
        {"copy_speed 5\nbox.tables 4\n", "line 6"},
        {"box.tables 0\n", "line 5"},
        {"mips.exchange 3\n", "range"},
        {"downsample.tile_rows 65\n", "range"},
        {"bloom.tap_bytes 1048577\n", "range"},
        {"bloom.plan 1\n", "choice"},
        {"box.tables\n", "line 5"},
        {"box.tables 2 \n", "range"},
        {"box.tables -1\n", "range"},
        {"box.tables 2x\n", "range"},
        {"sat.folded_tiles 99999999999999999999999\n", "range"},
        {"sat.folded_tiles 0x10\n", "range"},
        {"copy_speed 0\n", "MB/s"},
        {"copy_speed 4294967296\n", "MB/s"},
        {"convolve.direct_taps 9\n", "choice"},
        {"something.else 9\n", "something.else"},
        {" box.tables 1\n", "choice"},
    };
    char text[2048];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        head(f, text, sizeof text, NULL, NULL, NULL);
        strcat(text, rows[i].lines);
        refuse(f, text, rows[i].word);
    }
    head(f, text, sizeof text, "9.9.9", NULL, NULL);
    refuse(f, text, "module 9.9.9");
    head(f, text, sizeof text, NULL, "Another Card", NULL);
    refuse(f, text, "Another Card");
    head(f, text, sizeof text, NULL, NULL, "Another Driver 3");
    refuse(f, text, "Another Driver 3");
    refuse(f, "", "afterglow tuning 1");
    refuse(f, "afterglow tuning 2\n", "tuning 2");
    refuse(f, "afterglow tuning 1", "module");
    refuse(f, "afterglow tuning 1\nmodule", "module");
    // Cut anywhere within its head a text is refused; behind it a whole line less is only less.
    head(f, text, sizeof text, NULL, NULL, NULL);
    for (size_t length = strlen(text) - 2; length > 0; length--) {
        char cut[2048];
        snprintf(cut, sizeof cut, "%.*s", (int)length, text);
        refuse(f, cut, "");
    }
    char *large = malloc(AG_TUNED_MAX + 1);
    memset(large, '#', AG_TUNED_MAX);
    large[AG_TUNED_MAX] = 0;
    refuse(f, large, "65536");
    free(large);
}

// `auto` follows the text, and the result is the same within convolve's bound by either method.
static void test_followed(void **state)
{
    fixture *f = *state;
    test_job j;
    double *results[2], worst = 0;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j); // 5 x 3 taps
    job_set(&j, "method", 0, AG_CONVOLVE_AUTO);
    for (int way = 0; way < 2; way++) {
        char text[2048];
        test_host h;
        ag_device *device;
        ag_pass *pass;
        const ag_plan *plan;
        head(f, text, sizeof text, NULL, NULL, NULL);
        strcat(text, way ? "convolve.direct_taps.zero 1\n" : "convolve.direct_taps.zero 15\n");
        CHECK_STATUS(make(f, &h, text, &device), AG_OK);
        CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
        CHECK_STATUS(f->ag->run(pass, &j.job), AG_OK);
        f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
        CHECK_F((strcmp(plan->steps->name, "direct") == 0) == (way == 0), "way %d: %s", way,
                plan->text);
        results[way] = texture_read(f, job_output(&j), 0);
        drop(f, &h, device);
    }
    worst = check_max_error(results[0], results[1], JOB_WIDTH * JOB_HEIGHT * 4);
    CHECK_LIMIT("direct and fft differ, of 15 taps", worst / 15, 2e-6);
    free(results[0]);
    free(results[1]);
    job_destroy(f, &j);
}

// What is left of GL_VERSION is the driver's own, whatever the context.
static void test_driver(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"4.3.0 NVIDIA 580.159.04", "NVIDIA 580.159.04"},
        {"4.6.0 NVIDIA 580.159.04", "NVIDIA 580.159.04"},
        {"4.5 (Core Profile) Mesa 22.3.6", "Mesa 22.3.6"},
        {"4.5 (Compatibility Profile) Mesa 22.3.6", "Mesa 22.3.6"},
        {"4.6.0 Core Profile Context 23.7.1.230626", "23.7.1.230626"},
        {"4.6.0 - Build 31.0.101.2115", "Build 31.0.101.2115"},
        {"4.6.0", "4.6.0"},
        {"", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(ag_tuned_driver(rows[i][0]), rows[i][1]);
}

// Rates that made the rows are found again; with noise of 10 % predictions stay within it.
static void test_rates(void **state)
{
    (void)state;
    rng r = rng_start("test_rates", 2903);
    const cost_rates made[] = {{4, 0.25}, {0, 0.3}, {2, 0}};
    for (size_t way = 0; way < sizeof made / sizeof *made; way++) {
        for (int noisy = 0; noisy < 2; noisy++) {
            cost_row rows[40];
            cost_rates got;
            for (int i = 0; i < 40; i++) {
                rows[i] = (cost_row){.effect = "e",
                                     .dispatches = (uint64_t)rng_int(&r, 1, 9),
                                     .bytes = (uint64_t)rng_int(&r, 1000, 1000000000)};
                rows[i].us = cost_of(&made[way], rows[i].dispatches, rows[i].bytes) *
                             (noisy ? rng_uniform(&r, 0.9, 1.1) : 1);
            }
            assert_true(cost_fit(rows, 40, "e", &got));
            double error = cost_error(rows, 40, "e", &got), limit = noisy ? 0.1 : 1e-6;
            print_message("rates %g %g: %g %g, median error %.1e (limit %.1e)\n", made[way].launch,
                          made[way].megabyte, got.launch, got.megabyte, error, limit);
            assert_true(error <= limit);
            assert_true(got.launch >= 0 && got.megabyte >= 0);
            assert_false(cost_fit(rows, 40, "other", &got));
            assert_false(cost_fit(rows, 1, "e", &got));
        }
    }
    cost_rates read;
    const char *text = "a\ntime.bloom 1.5 0.25\ntime.bad 1\ntime.minus -1 2\n";
    assert_true(cost_read(text, "bloom", &read) && read.launch == 1.5 && read.megabyte == 0.25);
    assert_false(cost_read(text, "bad", &read) || cost_read(text, "minus", &read));
    assert_false(cost_read(text, "blo", &read));
    static const char *const lines[] = {"1 2 3", "1 2x", "1 2 ",         "1\n2",
                                        " 1 2",  "1  2", "inf 2",        "1 nan",
                                        "1",     "",     "1 1000000001", "1e400 2"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char damaged[64];
        snprintf(damaged, sizeof damaged, "time.bloom %s", lines[i]);
        assert_false(cost_read(damaged, "bloom", &read));
    }
    assert_true(cost_read("time.bloom 1 1e-05\r\n", "bloom", &read) && read.megabyte == 1e-05);
    assert_true(cost_read("time.bloom 1 2", "bloom", &read) && read.megabyte == 2);
}

// Prices that made the times: a search from others finds prices that order plans alike.
static void test_prices(void **state)
{
    (void)state;
    rng r = rng_start("test_prices", 51);
    const double made[COST_PRICES] = {9e6, 300, 25};
    double prices[COST_PRICES] = {4e6, 700, 14};
    cost_plan plans[96];
    for (int i = 0; i < 96; i++) {
        cost_plan *it = &plans[i];
        *it = (cost_plan){.job = i / 8,
                          .bytes = rng_uniform(&r, 2e7, 3e8),
                          .units = {rng_int(&r, 3, 8), rng_uniform(&r, 0, 3e5),
                                    rng_uniform(&r, 1e5, 8e6)}};
        it->us = it->bytes;
        for (int k = 0; k < COST_PRICES; k++)
            it->us += made[k] * it->units[k];
    }
    double before = cost_regret(plans, 96, prices);
    cost_search(plans, 96, prices);
    double after = cost_regret(plans, 96, prices);
    print_message("regret %.2f, after the search %.2f (limit a tenth), by %g %g %g\n", before,
                  after, prices[0], prices[1], prices[2]);
    assert_true(before > 0.5 && after <= 0.1 * before);
    assert_true(cost_regret(plans, 96, made) == 0);
    cost_search(plans, 0, prices); // of nothing: they stay
}

static void test_change_over(void **state)
{
    (void)state;
    const int at[] = {9, 16, 25, 49};
    const double before[] = {10, 20, 30, 60}, after[] = {20, 21, 22, 23};
    assert_int_equal(cost_change_over(at, before, after, 4, 9), 16);
    assert_int_equal(cost_change_over(at, before, after, 4, 49), 16);
    assert_int_equal(cost_change_over(at, before, after, 4, 16), 16);
    // A gain of less than one in a hundred moves nothing.
    const double nearly[] = {10, 20.9, 30, 60};
    assert_int_equal(cost_change_over(at, nearly, after, 4, 9), 9);
    assert_int_equal(cost_change_over(at, after, before, 2, 300), 1); // never
    assert_int_equal(cost_change_over(at, before, after, 2, 1), 16);  // as far as was measured
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_taken),    FIXTURE_TEST(test_refused), FIXTURE_TEST(test_followed),
        UNIT_TEST(test_driver),      UNIT_TEST(test_prices),     UNIT_TEST(test_rates),
        UNIT_TEST(test_change_over),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
