// test_planned.c - after a plan for the largest size, smaller ones compile and allocate nothing
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>

#include "jobs.h"
#include "random.h"

enum { W = 72, H = 48, SIZES = 24 };

static uint32_t made(const gl_trace *t)
{
    static const char *const makers[] = {
        "glGen",           "glCreate",      "glDeleteBuffers", "glDeleteTextures",
        "glDeleteProgram", "glBufferData",  "glTexStorage",    "glTextureView",
        "glCompileShader", "glLinkProgram", "glShaderSource"};
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i)
        sum += gl_trace_calls_with(t, makers[i]);
    return sum;
}

// The largest difference within w x h, over the largest value.
static double difference(const double *a, const double *b, int w, int h)
{
    double worst = 0, scale = 0;
    for (int y = 0; y < h; ++y)
        for (int i = y * W * 4; i < (y * W + w) * 4; ++i) {
            worst = check_worse(worst, fabs(a[i] - b[i]));
            worst = isnan(a[i]) || isnan(b[i]) ? INFINITY : worst;
            scale = fmax(scale, fabs(b[i]));
        }
    return worst / scale;
}

static void set_size(test_job *j, uint32_t src, uint32_t dst, int w, int h)
{
    j->slots[src].rect_width = j->slots[dst].rect_width = w;
    j->slots[src].rect_height = j->slots[dst].rect_height = h;
}

static void run_kind(fixture *f, const char *effect, int border, uint64_t seed)
{
    test_job j;
    rng r = {seed};
    job_create(f, effect, W, H, &j);
    bool convolve = strcmp(effect, "convolve") == 0;
    if (convolve) {
        job_set(&j, "method", 0, AG_CONVOLVE_FFT);
        job_set(&j, "border", 0, border);
    }
    uint32_t src = job_slot(&j, "src"), dst = job_slot(&j, "dst");
    ag_pass *planned = fixture_pass(f, effect), *own = fixture_pass(f, effect);
    j.job.plan_width = W;
    j.job.plan_height = H;
    CHECK_STATUS(f->ag->prepare(planned, &j.job), AG_OK);
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(planned, &j.job, &plan), AG_OK);
    uint64_t scratch = plan->scratch_bytes;

    double worst = 0;
    uint32_t calls = 0;
    int shorter = 0, step = check_tier_now() == CHECK_QUICK ? 8 : 4; // each has programs of its own
    for (int i = 0; i < SIZES; ++i) {
        int w = rng_int(&r, i % 4 ? W * 3 / 8 : 1, W), h = rng_int(&r, H * 3 / 8, H);
        set_size(&j, src, dst, w, h);
        j.job.plan_width = W;
        j.job.plan_height = H;
        texture_poison(f, job_output(&j));
        gl_trace_reset(&f->host.trace);
        CHECK_STATUS(f->ag->prepare(planned, &j.job), AG_OK);
        CHECK_STATUS(f->ag->execute(planned, &j.job, NULL), AG_OK);
        calls += made(&f->host.trace);
        CHECK_STATUS(f->ag->declare(planned, &j.job, &plan), AG_OK);
        CHECK_EQ(plan->scratch_bytes, scratch);
        double *got = texture_read(f, job_output(&j), 0);
        CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, w, h), 0);
        CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), W * H - w * h);
        if (i % step == 0) {
            j.job.plan_width = j.job.plan_height = 0;
            fixture_run(f, own, &j.job);
            CHECK_STATUS(f->ag->declare(own, &j.job, &plan), AG_OK);
            shorter += plan->scratch_bytes < scratch;
            double *expected = texture_read(f, job_output(&j), 0);
            worst = check_worse(worst, difference(got, expected, w, h));
            free(expected);
        }
        free(got);
    }
    char name[96];
    snprintf(name, sizeof name, "%s, border %d: against plans of their own", effect, border);
    CHECK_LIMIT(name, worst, 2e-6);
    CHECK(shorter > 0); // else nothing was planned for
    printf("  %d sizes: %u GL calls that make something\n", SIZES, calls);
    CHECK_EQ(calls, 0);
    f->ag->pass_destroy(planned);
    f->ag->pass_destroy(own);
    job_destroy(f, &j);
}

static void test_nothing_is_made(void **state)
{
    sweep *share = sweep_start("planned", 4);
    for (int border = AG_BORDER_ZERO; border <= AG_BORDER_MIRROR; ++border)
        if (sweep_takes(share))
            run_kind(*state, "convolve", border, (uint64_t)border + 1);
    if (sweep_takes(share))
        run_kind(*state, "bloom", 0, 4);
}

// wrap ignores the planned size; larger images get a plan of their own; invalid sizes are refused.
static void test_limits(void **state)
{
    fixture *f = *state;
    test_job j;
    const ag_plan *plan = NULL;
    job_create(f, "convolve", 40, 30, &j);
    job_set(&j, "method", 0, AG_CONVOLVE_FFT);
    ag_pass *pass = fixture_pass(f, "convolve");
    static const int borders[] = {AG_BORDER_WRAP, AG_BORDER_ZERO};
    static const int sizes[][2] = {{400, 300}, {4, 3}};
    for (int i = 0; i < 2; ++i) {
        job_set(&j, "border", 0, borders[i]);
        j.job.plan_width = j.job.plan_height = 0;
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
        uint64_t own = plan->scratch_bytes;
        j.job.plan_width = sizes[i][0];
        j.job.plan_height = sizes[i][1];
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
        CHECK_EQ(plan->scratch_bytes, own);
    }
    static const int bad[][2] = {{1, 0}, {0, 1}, {-1, -1}, {65537, 1}, {1, 65537}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        j.job.plan_width = bad[i][0];
        j.job.plan_height = bad[i][1];
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_ARG);
        CHECK(host_log_error(&f->host, AG_E_ARG, "plan_width"));
    }
    j.job.plan_width = j.job.plan_height = 9000; // no line is that long
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_SIZE);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_nothing_is_made), FIXTURE_TEST(test_limits)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
