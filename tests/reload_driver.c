// reload_driver.c - reload on drivers that compile in the background, and on drivers that do not
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "reload_tests.h"
#include "reloading.h"

// A driver whose programs take a number of frames: told by when each name was first asked about.
typedef struct slow_driver {
    uint64_t frame;
    int least, most; // frames that a program takes
    rng random;
    uint64_t ready[4096]; // by program name; 0: not seen yet
} slow_driver;

static bool is_compiling(void *user, uint32_t program)
{
    slow_driver *slow = user;
    CHECK(program < 4096);
    if (!slow->ready[program])
        slow->ready[program] =
            slow->frame + (uint64_t)rng_int(&slow->random, slow->least, slow->most);
    return slow->frame < slow->ready[program];
}

// From here on every program that is not linked yet takes its time. Those that are have been seen.
static void slow_down(reloading *r, slow_driver *slow, int least, int most)
{
    *slow = (slow_driver){.least = least, .most = most, .random = rng_start("slow driver", 5)};
    for (uint32_t i = 0; i < 4096; ++i)
        slow->ready[i] = r->f->gl.IsProgram(i) ? 1 : 0;
    slow->frame = 1;
    r->f->host.trace.on_call_user = slow;
    r->f->host.trace.is_compiling = is_compiling;
    r->f->host.trace.impatient = 0;
}

static void frame(reloading *r, slow_driver *slow)
{
    reloading_frame(r);
    ++slow->frame;
}

void test_slow_driver(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    slow_driver slow;
    slow_down(r, &slow, 50, 50);
    reloading_brighten(&r->d, 2);
    int frames = 0, waited = 0;
    while (reloading_factor(r) == 1 && ++frames < 200) {
        frame(r, &slow);
        waited += reloading_status(r).pending > 1;
    }
    printf("  ok    swapped after %d frames, of which %d compiled; %u questions that would wait\n",
           frames, waited, r->f->host.trace.impatient);
    CHECK(frames >= 50 && frames < 80 && waited >= 49);
    CHECK_EQ(reloading_factor(r), 2);
    CHECK_EQ(r->f->host.trace.impatient, 0);
    reloading_close(r);
}

// A second edit while the first compiles: only the second is ever seen, also when the first breaks.
void test_edit_during_compile(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    slow_driver slow;
    slow_down(r, &slow, 100, 100);
    reloading_brighten(&r->d, 2);
    for (int i = 0; i < 40; ++i)
        frame(r, &slow);
    CHECK(reloading_status(r).pending > 1);
    slow.least = slow.most = 5; // the second one overtakes it
    reloading_brighten(&r->d, 3);
    int factor = 1, frames = 0;
    for (; frames < 200 && factor == 1; ++frames) {
        frame(r, &slow);
        factor = reloading_factor(r);
    }
    printf("  ok    the second edit is there after %d frames, the first still compiles\n", frames);
    CHECK(factor == 3 && frames < 30);
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(r->f->ag->health(r->f->device, &health), AG_OK);
    CHECK_EQ(health.programs, 4); // two in use, the built-in one, and the first edit's
    for (int i = 0; i < 200; ++i)
        frame(r, &slow);
    CHECK_EQ(reloading_factor(r), 3);
    CHECK_EQ(reloading_status(r).generation, 1);
    CHECK_EQ(r->f->host.trace.impatient, 0);
    CHECK_STATUS(r->f->ag->health(r->f->device, &health), AG_OK);
    CHECK_EQ(health.programs, 3);

    // An edit that breaks, mended before the driver has said so: no message.
    slow.least = slow.most = 60;
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, DIRECT, "u_gain * total", "u_gain * totally");
    for (int i = 0; i < 40; ++i)
        frame(r, &slow);
    reloading_brighten(&r->d, 4);
    for (int i = 0; i < 200; ++i)
        frame(r, &slow);
    CHECK_EQ(reloading_factor(r), 4);
    if (host_log_has(&r->f->host, "totally"))
        host_log_print(&r->f->host);
    CHECK(!host_log_has(&r->f->host, "totally"));
    CHECK_EQ(r->f->host.trace.impatient, 0);

    // Destroyed while something compiles.
    reloading_brighten(&r->d, 5);
    for (int i = 0; i < 30; ++i)
        frame(r, &slow);
    CHECK(reloading_status(r).pending > 1);
    r->f->host.trace.is_compiling = NULL;
    reloading_close(r);
}

void test_one_program_a_frame(void **state)
{
    (void)state;
    reloading *r = reloading_open("parallel_shader_compile", 0);
    CHECK_EQ(gl_trace_calls(&r->f->host.trace, "glMaxShaderCompilerThreadsKHR"), 0);
    reloading_edit(&r->d, LOAD, "uint size_bits(", "// both programs change\nuint size_bits(");
    uint32_t total = 0, frames = 0;
    for (; frames < 100 && !reloading_status(r).generation; ++frames) {
        gl_trace_reset(&r->f->host.trace);
        reloading_frame(r);
        uint32_t now = gl_trace_calls(&r->f->host.trace, "glLinkProgram");
        CHECK(now <= 1);
        total += now;
        CHECK_EQ(reloading_factor(r), 1);
    }
    printf("  ok    %u programs in %u frames, never two in one\n", total, frames);
    CHECK_EQ(total, 2);
    CHECK_EQ(reloading_status(r).generation, 1);
    reloading_close(r);
}

// Two programs whose changes cancel: one multiplies by 2^k, the other divides. Every frame must show
// both or neither, whatever finishes first and however little a frame can do.
static void half_swap(const char *hide, uint32_t budget, int least, int most)
{
    enum { EDITS = 6 };
    reloading *r = reloading_open(hide, budget);
    slow_driver slow;
    slow_down(r, &slow, least, most);
    if (hide)
        r->f->host.trace.is_compiling = NULL;
    int frames = 0;
    for (int edit = 1; edit <= EDITS; ++edit) {
        char power[32];
        snprintf(power, sizeof power, "#define TWO_TO_K %d.0\n", 1 << edit);
        folder_put(&r->d, "common/k.glsl", power);
        if (edit == 1) {
            reloading_edit(
                &r->d, SUMS, "    b_info.scale = vec4(scale);",
                "#include \"common/k.glsl\"\n    b_info.scale = vec4(scale) * TWO_TO_K;");
            reloading_edit(&r->d, DIRECT, "    vec4 c = load_texel(p, bad);",
                           "#include \"common/k.glsl\"\n    total *= 3.0 / TWO_TO_K;\n"
                           "    vec4 c = load_texel(p, bad);");
        }
        uint32_t generation = reloading_status(r).generation;
        for (int i = 0; i < 400 && reloading_status(r).generation == generation; ++i, ++frames) {
            int wanted = generation ? 3 : 1;
            CHECK_EQ(reloading_factor(r), wanted);
            frame(r, &slow);
        }
        CHECK_EQ(reloading_status(r).generation, generation + 1);
        CHECK_EQ(reloading_factor(r), 3);
    }
    CHECK_EQ(r->f->host.trace.impatient, 0);
    printf("  ok    %d frames over %d edits, none half-swapped\n", frames, EDITS);
    r->f->host.trace.is_compiling = NULL;
    reloading_close(r);
}

void test_never_half_swapped(void **state)
{
    (void)state;
    half_swap(NULL, 0, 0, 20);
    half_swap(NULL, 1, 0, 20);
    half_swap("parallel_shader_compile", 1, 0, 0);
}

// Taking the wish for threads back costs NVIDIA's driver 200 ms: it is uttered once, by the first program of
// a device with a folder, and no reload utters it again.
void test_threads_asked_once(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    slow_driver slow;
    GLint now = 0;
    r->f->gl.GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &now);
    printf("  ok    %d threads after the first programs\n", now);
    CHECK(now != -1); // the initial value
    uint32_t asked = gl_trace_calls(&r->f->host.trace, "glMaxShaderCompilerThreadsKHR");
    CHECK(asked <= 1); // 0: the number is the process's, and an earlier device has asked
    r->f->gl.MaxShaderCompilerThreadsKHR(3); // the host's own wish from here on
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
    reloading_edit(&r->d, LOAD, "uint size_bits(", "// both programs change\nuint size_bits(");
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
