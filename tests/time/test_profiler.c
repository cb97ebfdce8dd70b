// test_profiler.c - times of passes and steps: statistics, clocks, spans, and that nothing waits
// SPDX-License-Identifier: MIT
//
// Most of it runs on scripted clocks: test_profiler.h.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/convolve.h"
#include "minimums.h"
#include "random.h"
#include "reloading.h"
#include "test_profiler.h"

static const uint64_t second = 1000000000u;

// ---- statistics --------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// The smallest value that `percent` of a hundred do not exceed, by counting.
static double percentile(const uint32_t *sorted, uint32_t count, uint32_t percent)
{
    for (uint32_t i = 0; i < count; ++i)
        if ((i + 1) * 100 >= percent * count)
            return sorted[i];
    return 0;
}

static void check_gpu(const ag_stats *s, const uint32_t *times, uint32_t count, const char *what)
{
    static uint32_t sorted[512];
    double sum = 0;
    memcpy(sorted, times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    for (uint32_t i = 0; i < count; ++i)
        sum += sorted[i];
    CHECK_EQ(s->samples, count);
    const double rows[][2] = {
        {s->gpu_last, times[count - 1]},
        {s->gpu_min, sorted[0]},
        {s->gpu_median, percentile(sorted, count, 50)},
        {s->gpu_p95, percentile(sorted, count, 95)},
        {s->gpu_p99, percentile(sorted, count, 99)},
        {s->gpu_mean, sum / count},
    };
    double worst = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        worst = check_worse(worst, fabs(rows[i][0] - rows[i][1]));
    CHECK_LIMIT(what, worst, 1e-6);
}

// 700 executes of random times: the last 512 count, per pass and per step, to the nanosecond.
static void test_ring(void **state)
{
    enum { COPY_MB_S = 4000000 };
    scene s;
    scene_open(&s, false, (ag_device_desc){.copy_speed = COPY_MB_S});
    rng r = {2026};
    static uint32_t whole[700], parts[WORLD_STEPS][700];
    scene_execute(&s, AG_JOB_TIME_STEPS); // the first use
    scene_frame(&s);
    for (uint32_t i = 0; i < 700; ++i) {
        whole[i] = 0;
        for (uint32_t k = 0; k < s.steps; ++k) {
            parts[k][i] = (uint32_t)rng_int(&r, 100, 40000);
            s.w.step_ns[k + 1] = parts[k][i];
            whole[i] += parts[k][i] + 20; // the clock is read before a stamp is placed
            parts[k][i] += 20;
        }
        scene_execute(&s, AG_JOB_TIME_STEPS);
        scene_frame(&s);
        if (i == 99 || i == 0) {
            ag_stats early = scene_stats(&s, AG_WHOLE_PASS);
            check_gpu(&early, whole, i + 1, "whole pass, ring not full");
        }
    }
    ag_stats all = scene_stats(&s, AG_WHOLE_PASS);
    check_gpu(&all, whole + 700 - 512, 512, "whole pass, last 512 of 700");
    CHECK_EQ(all.count, 700);
    CHECK_EQ(all.dropped, 0);
    CHECK_EQ(all.bytes, s.bytes);
    CHECK_LIMIT("GB/s", fabs(all.gb_per_s - (double)s.bytes / all.gpu_median), 1e-9);
    CHECK_LIMIT("ratio to copy speed", fabs(all.copy_ratio - all.gb_per_s * 1e3 / COPY_MB_S),
                1e-12);
    CHECK(all.gb_per_s > 0 && all.copy_ratio > 0);
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < s.steps; ++k) {
        char name[64];
        snprintf(name, sizeof name, "step %u, last 512 of 700", k);
        ag_stats one = scene_stats(&s, k);
        check_gpu(&one, parts[k] + 700 - 512, 512, name);
        bytes += one.bytes;
    }
    CHECK_EQ(bytes, s.bytes);
    scene_close(&s, *state);
}

// CPU times: from the job's check to the return, steps within.
static void test_cpu_times(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    scene_execute(&s, 0);
    scene_execute(&s, AG_JOB_TIME_STEPS);
    scene_frame(&s);
    ag_stats all = scene_stats(&s, AG_WHOLE_PASS);
    double sum = 0;
    for (uint32_t k = 0; k < s.steps; ++k) {
        ag_stats one = scene_stats(&s, k);
        CHECK_EQ(one.samples, 1);
        CHECK(one.cpu_last >= 1000); // a stamp takes that long here
        sum += one.cpu_last;
    }
    CHECK(all.samples == 1 && all.cpu_last > sum);
    CHECK_EQ(all.cpu_min, all.cpu_last);
    CHECK(all.cpu_prepare > 0);
    CHECK(all.copy_ratio == 0 && all.gb_per_s > 0); // no copy speed given
    scene_close(&s, *state);
}

// ---- what is placed ----------------------------------------------------------------------------

// docs/profiling.md, "What it costs", to the call: a timed execute, and the frame that collects it.
static void count_calls(fixture *group, bool old)
{
    enum { PASSES = 5 };
    scene s;
    scene_open(&s, old, (ag_device_desc){0});
    gl_trace *t = &s.f->host.trace;
    scene_execute(&s, 0);
    scene_frame(&s);
    gl_trace_reset(t);
    uint64_t clock = s.w.now;
    uint32_t readings = s.w.readings;
    scene_execute(&s,
                  AG_JOB_UNTIMED | AG_JOB_TIME_STEPS); // untimed wins: nothing is placed or read
    const uint64_t untimed = t->total;
    CHECK(gl_trace_calls(t, "glQueryCounter") == 0 && s.w.now == clock);
    world_pass(&s.w, 2 * second);
    scene_frame(&s);
    CHECK(gl_trace_calls_with(t, "glGetQueryObject") == 0 && s.w.readings == readings);
    for (int by_step = 0; by_step < 2; ++by_step) {
        const uint32_t flags = by_step ? AG_JOB_TIME_STEPS : 0;
        const uint32_t stamps = by_step ? s.steps + 1 : 2;
        gl_trace_reset(t);
        uint64_t before = s.w.now;
        scene_execute(&s, flags);
        CHECK_EQ(t->total - untimed, stamps);
        CHECK_EQ(gl_trace_calls(t, "glQueryCounter"), stamps);
        CHECK_EQ((s.w.now - before - stamps * s.w.before_stamp) / 20, 2 + (by_step ? stamps : 0));

        // Two frames of passes whose stamps are not there: one question each.
        for (int frame = 0; frame < 2; ++frame) {
            for (int i = frame ? 0 : 1; i < PASSES; ++i)
                scene_execute(&s, flags);
            s.w.stuck = true;
            gl_trace_reset(t);
            scene_frame(&s);
            CHECK_EQ(gl_trace_calls_with(t, "glGetQuery"), 1);
            CHECK_EQ(t->query_bindings, !old);
            s.w.stuck = false;
        }
        // Then all of them: each stamp's result, and on a context of 4.3 a question a frame.
        gl_trace_reset(t);
        ag_stats known = scene_stats(&s, AG_WHOLE_PASS);
        scene_frame(&s);
        CHECK_EQ(scene_stats(&s, AG_WHOLE_PASS).samples - known.samples, 2 * PASSES);
        CHECK_EQ(gl_trace_calls(t, "glGetQueryObjectui64v"), 2 * PASSES * stamps);
        CHECK_EQ(gl_trace_calls(t, "glGetQueryObjectuiv"), old ? 2 : 0);
        CHECK_EQ(t->query_bindings, !old);
        CHECK_EQ(gl_trace_calls(t, "glGetInteger64v"), 0); // the GPU's clock is not due
        // And nothing when nothing is in flight.
        gl_trace_reset(t);
        scene_frame(&s);
        CHECK_EQ(gl_trace_calls_with(t, "glGetQuery") + t->query_bindings, 0);
    }
    scene_close(&s, group);
}

static void test_calls(void **state)
{
    if (!minimums_wanted())
        count_calls(*state, false);
    count_calls(*state, true);
}

// Statistics need only one clock: without a span callback, the GPU's clock is not read after
// device_create.
static void test_clock_for_spans_only(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    fixture *f = s.f;
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    ag_host host = f->host.host;
    host.span = NULL;
    CHECK_STATUS(f->ag->device_create(&host, NULL, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &s.j.job), AG_OK);
    uint32_t readings = s.w.readings;
    ag_stats stats = {.struct_size = sizeof stats};
    for (int i = 0; i < 3; ++i) {
        s.w.next_step = 0;
        s.w.step_ns[1] = 7000;
        CHECK_STATUS(f->ag->execute(pass, &s.j.job, NULL), AG_OK);
        world_pass(&s.w, 5 * second);
        CHECK_STATUS(f->ag->frame(device, 1), AG_OK);
    }
    CHECK_STATUS(f->ag->stats(pass, AG_WHOLE_PASS, &stats), AG_OK);
    CHECK_EQ(stats.samples, 2);
    CHECK_EQ(stats.gpu_median, 7000);
    CHECK_EQ(s.w.readings, readings);
    f->ag->device_destroy(device, 0);
    scene_close(&s, *state);
}

// Timestamps that do not arrive: nothing waits, a full ring drops and counts samples, and later
// samples are complete.
static void stuck(fixture *group, bool old)
{
    enum { CAPACITY = 20, RUNS = 50 };
    scene s;
    scene_open(&s, old, (ag_device_desc){.timer_capacity = CAPACITY});
    scene_execute(&s, 0);
    scene_frame(&s);
    s.w.stuck = true;
    for (int i = 0; i < RUNS; ++i) {
        scene_execute(&s, 0);
        scene_frame(&s);
    }
    ag_stats all = scene_stats(&s, AG_WHOLE_PASS);
    CHECK_EQ(all.samples, 0);
    CHECK_EQ(all.dropped, RUNS - CAPACITY / 2);
    s.w.stuck = false;
    scene_frame(&s);
    all = scene_stats(&s, AG_WHOLE_PASS);
    CHECK_EQ(all.samples, CAPACITY / 2);
    // Steps take more stamps; a sample that does not fit is dropped whole.
    for (int i = 0; i < RUNS; ++i)
        scene_execute(&s, AG_JOB_TIME_STEPS);
    scene_frame(&s);
    ag_stats more = scene_stats(&s, AG_WHOLE_PASS);
    CHECK_EQ(more.samples - all.samples, CAPACITY / (s.steps + 1));
    CHECK_EQ(more.dropped - all.dropped, RUNS - CAPACITY / (s.steps + 1));
    CHECK_EQ(scene_stats(&s, 0).samples, CAPACITY / (s.steps + 1));
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(s.f->ag->health(s.f->device, &health), AG_OK);
    CHECK_EQ(health.dropped_samples, more.dropped);
    scene_close(&s, group); // checks that no question waited
}

static void test_stuck(void **state)
{
    stuck(*state, false);
    stuck(*state, true);
}

// A GPU without a timer: no sample, and no span.
static void test_no_timer(void **state)
{
    fixture *f = *state;
    test_host h;
    test_job j;
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    ag_stats stats = {.struct_size = sizeof stats};
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    host_init(&h, f->context);
    h.trace.limits[0] = (gl_trace_limit){GL_QUERY_COUNTER_BITS, 0};
    h.trace.limit_count = 1;
    CHECK_STATUS(f->ag->device_create(&h.host, NULL, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    for (int i = 0; i < 3; ++i) {
        CHECK_STATUS(f->ag->run(pass, &j.job), AG_OK);
        f->gl.Finish();
        CHECK_STATUS(f->ag->frame(device, 1), AG_OK);
    }
    CHECK_STATUS(f->ag->stats(pass, AG_WHOLE_PASS, &stats), AG_OK);
    CHECK(stats.samples == 0 && h.span_count == 0);
    f->ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    job_destroy(f, &j);
    fixture_current(f);
}

// Stamps that run backwards are no sample.
static void test_backwards(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    scene_execute(&s, 0);
    scene_frame(&s);
    s.f->host.span_count = 0;
    world_pass(&s.w, second);
    scene_execute(&s, AG_JOB_TIME_STEPS);
    uint64_t least = UINT64_MAX;
    uint32_t first = 0;
    for (uint32_t i = 0; i < WORLD_STAMPS; ++i)
        if (s.w.stamps[i] && s.w.stamps[i] > s.w.gpu_now - second / 2 && s.w.stamps[i] < least)
            least = s.w.stamps[first = i];
    s.w.stamps[first] += second;
    scene_frame(&s);
    CHECK_EQ(scene_stats(&s, AG_WHOLE_PASS).samples, 0);
    CHECK_EQ(scene_stats(&s, AG_WHOLE_PASS).dropped, 1);
    CHECK_EQ(s.f->host.span_count, 0);
    scene_close(&s, *state);
}

// A host's clock that is set back: measurements across that moment are no samples, whichever
// reading was affected.
static void test_host_backwards(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    scene_execute(&s, AG_JOB_TIME_STEPS);
    scene_frame(&s);
    s.w.set_back = second;
    uint64_t dropped = 0;
    for (uint32_t at = 1; at <= s.steps + 1; ++at) {
        s.f->host.span_count = 0;
        s.w.set_back_at = at;
        scene_execute(&s, AG_JOB_TIME_STEPS);
        CHECK_EQ(s.w.set_back_at, 0);
        scene_frame(&s);
        ag_stats all = scene_stats(&s, AG_WHOLE_PASS);
        CHECK_EQ(all.samples, 0);
        CHECK_EQ(scene_stats(&s, 0).samples, 0);
        CHECK_EQ(all.dropped, ++dropped);
        CHECK_EQ(s.f->host.span_count, 0);
    }
    scene_execute(&s, AG_JOB_TIME_STEPS);
    scene_frame(&s);
    ag_stats all = scene_stats(&s, AG_WHOLE_PASS);
    CHECK_EQ(all.samples, 1);
    CHECK_LIMIT("median on the host's clock, ns", all.cpu_median, 1e6);
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(s.f->ag->health(s.f->device, &health), AG_OK);
    CHECK_EQ(health.dropped_samples, dropped);
    // prepare takes no time below 0 either
    s.w.falls = true;
    job_set(&s.j, "border", 0, AG_BORDER_WRAP);
    CHECK_STATUS(s.f->ag->prepare(s.pass, &s.j.job), AG_OK);
    s.w.falls = false;
    CHECK_EQ(scene_stats(&s, AG_WHOLE_PASS).cpu_prepare, 0);
    scene_close(&s, *state);
}

// ---- first use ---------------------------------------------------------------------------------

static void test_first_use(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    for (uint32_t plan = 0; plan < 2; ++plan) {
        for (int i = 0; i < 3; ++i) {
            s.f->host.span_count = 0;
            s.w.before_stamp = i ? 1000 : 900000;
            scene_execute(&s, AG_JOB_TIME_STEPS);
            scene_frame(&s);
            CHECK_EQ(s.f->host.span_count, s.steps + 1);
            for (uint32_t k = 0; k <= s.steps; ++k)
                CHECK_EQ(s.f->host.spans[k].flags, i ? 0 : AG_SPAN_FIRST);
            ag_stats all = scene_stats(&s, AG_WHOLE_PASS), step = scene_stats(&s, 0);
            CHECK(all.samples == (uint32_t)i && step.samples == (uint32_t)i);
            CHECK(all.gpu_first > 900000 * s.steps && step.gpu_first > 900000);
            CHECK(all.cpu_first > 900000 * s.steps && step.cpu_first > 900000);
            if (i)
                CHECK(all.gpu_min < 2000 * s.steps && all.cpu_p99 < 10000 * s.steps);
        }
        // Prepared with the same job nothing is new; with another plan all is.
        CHECK_STATUS(s.f->ag->prepare(s.pass, &s.j.job), AG_OK);
        CHECK_EQ(scene_stats(&s, AG_WHOLE_PASS).samples, 2);
        if (plan)
            break;
        job_set(&s.j, "border", 0, AG_BORDER_WRAP);
        CHECK_STATUS(s.f->ag->prepare(s.pass, &s.j.job), AG_OK);
        CHECK(scene_stats(&s, AG_WHOLE_PASS).samples == 0 && scene_stats(&s, 0).gpu_first == 0);
        CHECK_EQ(scene_stats(&s, AG_WHOLE_PASS).count, 0);
    }
    scene_close(&s, *state);
}

// A reload is a first use too: the driver has seen nothing of the new program yet.
static void test_first_use_after_reload(void **state)
{
    reloading *r = reloading_open(NULL, 0);
    fixture *f = r->f;
    ag_stats before = {.struct_size = sizeof before}, after = before;
    CHECK_EQ(reloading_factor(r), 1);
    CHECK_EQ(reloading_factor(r), 1);
    f->gl.Finish();
    reloading_frame(r);
    CHECK_STATUS(f->ag->stats(r->pass, AG_WHOLE_PASS, &before), AG_OK);
    CHECK(before.samples > 0 && before.gpu_first > 0);
    reloading_brighten(&r->d, 3);
    reloading_settle(r);
    f->host.span_count = 0;
    CHECK_EQ(reloading_factor(r), 3);
    CHECK_EQ(reloading_factor(r), 3);
    f->gl.Finish();
    reloading_frame(r);
    CHECK_STATUS(f->ag->stats(r->pass, AG_WHOLE_PASS, &after), AG_OK);
    CHECK_EQ(f->host.span_count, 2);
    CHECK(f->host.spans[0].flags == AG_SPAN_FIRST && f->host.spans[1].flags == 0);
    CHECK_EQ(after.samples, before.samples + 1);
    reloading_close(r);
    fixture_current(*state);
}

// ---- beside the host's own profiling -----------------------------------------------------------

// A TIME_ELAPSED query of the host's runs around it all, and a GL_QUERY_BUFFER of its is bound.
static void test_beside_the_host(void **state)
{
    fixture *f = *state;
    const GladGLContext *gl = &f->gl;
    GLint bits = 0;
    gl->GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    bool has_buffer = fixture_has_query_buffer(f);
    test_job j;
    job_create(f, "bloom", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "bloom");
    fixture_run(f, pass, &j.job);
    CHECK_STATUS(f->ag->frame(f->device, 1), AG_OK);

    GLuint query = 0, buffer = 0;
    uint8_t poison[256], seen[256];
    memset(poison, 0x5a, sizeof poison);
    gl->GenQueries(1, &query);
    gl->GenBuffers(1, &buffer);
    gl->BindBuffer(GL_ARRAY_BUFFER, buffer);
    gl->BufferData(GL_ARRAY_BUFFER, sizeof poison, poison, GL_DYNAMIC_READ);
    gl->BeginQuery(GL_TIME_ELAPSED, query);
    if (has_buffer)
        gl->BindBuffer(GL_QUERY_BUFFER, buffer);
    ag_stats before = {.struct_size = sizeof before}, after = before;
    CHECK_STATUS(f->ag->stats(pass, AG_WHOLE_PASS, &before), AG_OK);
    for (int i = 0; i < 4; ++i) {
        j.job.flags = i % 2 ? AG_JOB_TIME_STEPS : 0;
        CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
        gl->Finish();
        CHECK_STATUS(f->ag->frame(f->device, 2), AG_OK);
    }
    CHECK_STATUS(f->ag->stats(pass, AG_WHOLE_PASS, &after), AG_OK);
    GLint bound = 0;
    if (has_buffer) {
        gl->GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
        CHECK_EQ(bound, buffer);
        gl->BindBuffer(GL_QUERY_BUFFER, 0);
    }
    gl->EndQuery(GL_TIME_ELAPSED);
    CHECK_EQ(gl->GetError(), GL_NO_ERROR);
    gl->GetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof seen, seen);
    gl->BindBuffer(GL_ARRAY_BUFFER, 0);
    CHECK(memcmp(seen, poison, sizeof seen) == 0);
    if (bits) {
        CHECK_EQ(after.samples, before.samples + 4);
        CHECK(after.gpu_min > 0 && after.gpu_p99 < 60e9);
    }
    gl->DeleteQueries(1, &query);
    gl->DeleteBuffers(1, &buffer);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_ring),
        FIXTURE_TEST(test_cpu_times),
        FIXTURE_TEST(test_calls),
        FIXTURE_TEST(test_clock_for_spans_only),
        FIXTURE_TEST(test_stuck),
        FIXTURE_TEST(test_no_timer),
        FIXTURE_TEST(test_backwards),
        FIXTURE_TEST(test_host_backwards),
        FIXTURE_TEST(test_first_use),
        FIXTURE_TEST(test_first_use_after_reload),
        FIXTURE_TEST(test_spans),
        FIXTURE_TEST(test_spans_in_order),
        FIXTURE_TEST(test_clock_drift),
        FIXTURE_TEST(test_clock_backs_off),
        FIXTURE_TEST(test_clock_jumps),
        FIXTURE_TEST(test_real_clocks),
        FIXTURE_TEST(test_beside_the_host),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
