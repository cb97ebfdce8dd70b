// reload_driver.c - reload on drivers that compile in the background, and on drivers that do not
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // clock_gettime, usleep
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "minimums.h"
#include "reloading.h"
#include "slow_driver.h"
#include "test_reload.h"

enum { PATIENCE = 2000 /* frames */, MS = 1000000 };

static void slow_down(reloading *r, slow_driver *slow, int least, int most)
{
    slow_driver_start(slow, &r->f->host.trace, least, most);
}

static void frame(reloading *r, slow_driver *slow)
{
    reloading_frame(r);
    ++slow->frame;
}

// Runs frames until the driver gets one more program, which is not finished; returns its name.
static uint32_t until_linked(reloading *r, slow_driver *slow)
{
    uint32_t links = slow->links;
    for (int i = 0; slow->links == links; ++i) {
        CHECK(i < PATIENCE);
        frame(r, slow);
    }
    CHECK_EQ(slow->links, links + 1);
    CHECK(slow_driver_is_at(slow, slow->last));
    CHECK(reloading_status(r).pending > 1);
    return slow->last;
}

// Runs frames until the picture is `factor` times as bright; no other picture may appear before.
static int until_factor(reloading *r, slow_driver *slow, int factor)
{
    int before = reloading_factor(r), now = before, frames = 0;
    for (; now != factor; ++frames) {
        CHECK(frames < PATIENCE && now == before);
        frame(r, slow);
        now = reloading_factor(r);
    }
    return frames;
}

// Frames until `count` programs are left.
static void until_programs(reloading *r, slow_driver *slow, uint32_t count)
{
    ag_health health = {.struct_size = sizeof health};
    for (int i = 0; health.programs != count; ++i) {
        CHECK_F(i < PATIENCE, "%u programs", health.programs);
        frame(r, slow);
        CHECK_STATUS(r->f->ag->health(r->f->device, &health), AG_OK);
    }
}

// A second edit while the first compiles: only the second is ever used, also if the first is
// broken. The driver does not finish the first one until the test allows it.
void test_edit_during_compile(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    slow_driver slow;
    slow_down(r, &slow, SLOW_NEVER, SLOW_NEVER);
    reloading_brighten(&r->d, 2);
    uint32_t first = until_linked(r, &slow);
    slow.least = slow.most = 5; // the second one overtakes it
    reloading_brighten(&r->d, 3);
    int frames = until_factor(r, &slow, 3);
    printf("  ok    the second edit is there after %d frames, the first still compiles\n", frames);
    CHECK(slow_driver_is_at(&slow, first));
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(r->f->ag->health(r->f->device, &health), AG_OK);
    CHECK_EQ(health.programs, 4); // two in use, the built-in one, and the first edit's
    slow_driver_finish(&slow);
    until_programs(r, &slow, 3);
    reloading_settle(r);
    CHECK_EQ(reloading_factor(r), 3);
    CHECK_EQ(reloading_status(r).generation, 1);
    CHECK_EQ(r->f->host.trace.impatient, 0);

    // A broken edit that is corrected before the driver reports it: no message, not even
    // afterwards.
    slow.least = slow.most = SLOW_NEVER;
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, DIRECT, "u_gain * total", "u_gain * totally");
    uint32_t broken = until_linked(r, &slow);
    slow.least = slow.most = 5;
    reloading_brighten(&r->d, 4);
    until_factor(r, &slow, 4);
    CHECK(slow_driver_is_at(&slow, broken));
    slow_driver_finish(&slow);
    until_programs(r, &slow, 3);
    reloading_settle(r);
    CHECK_EQ(reloading_factor(r), 4);
    CHECK_EQ(reloading_status(r).generation, 2);
    if (host_log_has(&r->f->host, "totally"))
        host_log_print(&r->f->host);
    CHECK(!host_log_has(&r->f->host, "totally"));
    CHECK_EQ(r->f->host.trace.impatient, 0);

    // Destroyed while something compiles.
    slow.least = slow.most = SLOW_NEVER;
    reloading_brighten(&r->d, 5);
    until_linked(r, &slow);
    slow_driver_stop(&r->f->host.trace);
    reloading_close(r);
}

// A driver without a thread of its own: a frame ends with the program that uses up its time.
void test_one_program_a_frame(void **state)
{
    (void)state;
    reloading *r = reloading_open("parallel_shader_compile", 0);
    CHECK_EQ(gl_trace_calls(&r->f->host.trace, "glMaxShaderCompilerThreadsKHR"), 0);
    slow_driver slow;
    slow_down(r, &slow, 0, 0);
    slow.clock = &r->f->host.clock;
    slow.link_ns = 20 * MS;
    reloading_edit(&r->d, LOAD, "vec4 load_texel(", "#define BOTH_CHANGE\nvec4 load_texel(");
    uint32_t total = 0, frames = 0;
    for (; frames < 100 && !reloading_status(r).generation; ++frames) {
        gl_trace_reset(&r->f->host.trace);
        frame(r, &slow);
        uint32_t now = gl_trace_calls(&r->f->host.trace, "glLinkProgram");
        CHECK(now <= 1);
        total += now;
        CHECK_EQ(reloading_factor(r), 1);
    }
    printf("  ok    %u programs in %u frames, never two in one\n", total, frames);
    CHECK_EQ(total, 2);
    CHECK_EQ(reloading_status(r).generation, 1);
    slow_driver_stop(&r->f->host.trace);
    reloading_close(r);
}

// Frames until a message with `word` arrives, or for NULL until a new generation.
static uint64_t until_told(reloading *r, slow_driver *slow, const char *word)
{
    uint32_t generation = reloading_status(r).generation;
    uint64_t begin = r->f->host.clock;
    host_log_clear(&r->f->host);
    slow->links = 0;
    usleep(100000); // the file's own time says that it is complete
    for (int i = 0;
         word ? !host_log_has(&r->f->host, word) : reloading_status(r).generation == generation;
         ++i) {
        CHECK(i < PATIENCE);
        frame(r, slow);
    }
    return (r->f->host.clock - begin) / MS;
}

// Jobs with common/interface.h in all their programs.
static const struct {
    const char *effect;
    uint32_t variant;
} looks[] = {{"convolve", 1}, {"convolve", 2}, {"exposure", 0}, {"mipchain", 0},
             {"sat", 0},      {"wavelet", 0},  {"fft", 1},      {"downsample", 1}};
enum { LOOKS = sizeof looks / sizeof *looks };

// Two frames a second: what an edit needs is bounded by time, not by a number of frames, and only
// programs that a changed file is part of are compiled.
static void slow_frames(const char *hide)
{
    static const char ALL[] = "common/interface.h";
    reloading *r = reloading_open(hide, 0);
    test_job jobs[LOOKS];
    slow_driver slow;
    ag_health health = {.struct_size = sizeof health};
    for (int i = 0; i < LOOKS; ++i) {
        job_create(r->f, looks[i].effect, JOB_WIDTH, JOB_HEIGHT, &jobs[i]);
        CHECK_F(job_variant(&jobs[i], looks[i].variant), "%s %u", looks[i].effect,
                looks[i].variant);
        fixture_run(r->f, fixture_pass(r->f, looks[i].effect), &jobs[i].job);
    }
    CHECK_STATUS(r->f->ag->health(r->f->device, &health), AG_OK);
    slow_down(r, &slow, 0, 0);
    slow.clock = &r->f->host.clock;
    if (hide) {
        slow.link_ns = 3 * MS;
    } else { // threads compile all of them together
        slow.question_ns = MS / 5;
        slow.least = slow.most = 200;
    }
    r->frame_ns = 500 * MS;
    for (int i = 0; i < 4; ++i)
        frame(r, &slow);

    char *broken = reloading_text(ALL, "#define AG_LOC_", "wrong_type w;\n#define AG_LOC_");
    char *edited = reloading_text(ALL, "#define AG_LOC_", "#define ALL_CHANGE\n#define AG_LOC_");
    folder_put(&r->d, ALL, broken);
    uint64_t ms = until_told(r, &slow, "wrong_type");
    printf("  ok    two frames a second, %u programs, %s: an error is told after %llu ms <= 600\n",
           health.programs, hide ? "no threads" : "threads", (unsigned long long)ms);
    CHECK(ms <= 600);
    frame(r, &slow);
    folder_put(&r->d, ALL, edited);
    ms = until_told(r, &slow, NULL);
    printf("  ok    an edit of all, %u programs compiled, is there after %llu ms <= 600\n",
           slow.links, (unsigned long long)ms);
    CHECK(ms <= 600 && slow.links >= 12);

    reloading_brighten(&r->d, 2);
    ms = until_told(r, &slow, NULL);
    printf("  ok    an edit of one, %u compiled, is there after %llu ms <= 600\n", slow.links,
           (unsigned long long)ms);
    CHECK(ms <= 600);
    CHECK_EQ(slow.links, 1);
    CHECK_EQ(r->f->host.trace.impatient, 0);

    // What takes longer than half a second is left to the next frame.
    if (!hide) {
        slow.question_ns = 1 * MS;
        slow.least = slow.most = 700;
        reloading_brighten(&r->d, 3);
        ms = until_told(r, &slow, NULL);
        printf("  ok    700 ms in the driver's threads: there after %llu ms, in two frames\n",
               (unsigned long long)ms);
        CHECK(ms >= 1000 + 700 && ms <= 1000 + 700 + 50);
    }
    free(broken);
    free(edited);
    slow_driver_stop(&r->f->host.trace);
    for (int i = 0; i < LOOKS; ++i)
        job_destroy(r->f, &jobs[i]);
    reloading_close(r);
}

void test_slow_frames(void **state)
{
    (void)state;
    slow_frames("parallel_shader_compile");
}

void test_slow_frames_threads(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    (void)state;
    slow_frames(NULL);
}

static uint64_t real_time(void *user)
{
    struct timespec now;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

// An edit that is saved just before a slow frame is in that frame: it waits until the file has been
// quiet. A budget of the host's forbids that.
void test_saved_before_slow_frame(void **state)
{
    (void)state;
    for (uint32_t budget = 0; budget <= 1000 * MS; budget += 1000 * MS) {
        reloading *r = reloading_open(NULL, budget);
        r->f->host.host.now_ns = real_time;
        r->f->ag->device_destroy(r->f->device, 0);
        fixture_device(r->f, &r->desc);
        r->pass = fixture_pass(r->f, "convolve");
        fixture_run(r->f, r->pass, &r->j.job);
        reloading_frame(r);
        usleep(300000);
        reloading_brighten(&r->d, 2);
        uint64_t begin = real_time(NULL);
        reloading_frame(r);
        uint64_t ms = (real_time(NULL) - begin) / MS;
        int factor = reloading_factor(r);
        printf("  ok    budget %u: the frame took %llu ms and %s the edit\n", budget,
               (unsigned long long)ms, factor == 2 ? "has" : "has not");
        CHECK_EQ(factor, budget ? 1 : 2);
        CHECK(!budget == (ms >= 60));
        reloading_close(r);
    }
}

// Two programs whose changes cancel: one multiplies by 2^k, the other divides. Every frame must use
// both or neither, whichever is finished first and however small the budget of a frame is.
static void half_swap(const char *hide, uint32_t budget, int least, int most)
{
    enum { EDITS = 6 };
    reloading *r = reloading_open(hide, budget);
    slow_driver slow;
    slow_down(r, &slow, least, most);
    if (hide)
        slow_driver_stop(&r->f->host.trace);
    int frames = 0;
    for (int edit = 1; edit <= EDITS; ++edit) {
        char power[32];
        snprintf(power, sizeof power, "#define TWO_TO_K %d.0\n", 1 << edit);
        folder_put(&r->d, "common/k.glsl", power);
        if (edit == 1) {
            reloading_edit(&r->d, SUMS, "    b_info.scale = scale.high;",
                           "#include \"common/k.glsl\"\n    b_info.scale = scale.high * TWO_TO_K;");
            reloading_edit(&r->d, DIRECT, "    vec4 c = load_texel(p, bad);",
                           "#include \"common/k.glsl\"\n    total *= 3.0 / TWO_TO_K;\n"
                           "    vec4 c = load_texel(p, bad);");
        }
        uint32_t generation = reloading_status(r).generation;
        for (int i = 0; i < PATIENCE && reloading_status(r).generation == generation;
             ++i, ++frames) {
            int wanted = generation ? 3 : 1;
            CHECK_EQ(reloading_factor(r), wanted);
            frame(r, &slow);
        }
        CHECK_EQ(reloading_status(r).generation, generation + 1);
        CHECK_EQ(reloading_factor(r), 3);
    }
    CHECK_EQ(r->f->host.trace.impatient, 0);
    printf("  ok    %d frames over %d edits, none half-swapped\n", frames, EDITS);
    slow_driver_stop(&r->f->host.trace);
    reloading_close(r);
}

void test_never_half_swapped(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    (void)state;
    half_swap(NULL, 0, 0, 20);
    half_swap(NULL, 1, 0, 20);
    half_swap("parallel_shader_compile", 1, 0, 0);
}

// A later change of the number of compiler threads costs NVIDIA's driver 200 ms. The first program
// of a device with a folder sets it once, and no reload sets it again.
void test_threads_asked_once(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    slow_driver slow;
    GLint now = 0;
    r->f->gl.GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &now);
    printf("  ok    %d threads after the first programs\n", now);
    CHECK(now != -1); // the initial value
    uint32_t asked = gl_trace_calls(&r->f->host.trace, "glMaxShaderCompilerThreadsKHR");
    CHECK(asked <= 1); // 0: the number is the process's, and an earlier device has asked
    r->f->gl.MaxShaderCompilerThreadsKHR(3); // from now on the host's own number
    slow_down(r, &slow, 30, 30);
    reloading_brighten(&r->d, 2);
    int changed = 0;
    for (int i = 0; i < 100; ++i) {
        frame(r, &slow);
        r->f->gl.GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &now);
        changed += now != 3;
    }
    CHECK_EQ(changed, 0);
    CHECK_EQ(gl_trace_calls(&r->f->host.trace, "glMaxShaderCompilerThreadsKHR"), asked);
    CHECK_EQ(reloading_factor(r), 2);
    reloading_close(r);
}

// Nothing of a reload reaches execute: no allocation, no glGet, no compile, in any frame of it.
void test_execute_stays_free(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 1);
    reloading_edit(&r->d, LOAD, "vec4 load_texel(", "#define BOTH_CHANGE\nvec4 load_texel(");
    for (int i = 0; i < 120; ++i) {
        reloading_frame(r);
        uint64_t allocations = r->f->host.alloc_calls;
        gl_trace_reset(&r->f->host.trace);
        CHECK_STATUS(r->f->ag->execute(r->pass, &r->j.job, NULL), AG_OK);
        CHECK_EQ(r->f->host.alloc_calls - allocations, 0);
        CHECK_EQ(gl_trace_calls_with(&r->f->host.trace, "glGet"), 0);
        CHECK_EQ(gl_trace_calls_with(&r->f->host.trace, "glCreate"), 0);
        CHECK_EQ(gl_trace_calls_with(&r->f->host.trace, "glLink"), 0);
        CHECK_EQ(gl_trace_calls_with(&r->f->host.trace, "glDelete"), 0);
    }
    CHECK_EQ(reloading_status(r).generation, 1);
    reloading_close(r);
}
