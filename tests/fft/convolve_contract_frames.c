// convolve_contract_frames.c - many frames: scratch, barriers, kernels and sizes that change
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_convolve_contract.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = CONVOLVE_WIDTH, H = CONVOLVE_HEIGHT, TAPS = CONVOLVE_TAPS, PLANE = 4 * W * H };

static bool same_image(const double *a, const double *b)
{
    return memcmp(a, b, sizeof *a * PLANE) == 0;
}

// ---- scratch -----------------------------------------------------------------------------------

static GLuint buffer_of(fixture *f, uint64_t bytes, uint8_t fill)
{
    uint8_t *data = malloc(bytes);
    CHECK(data != NULL);
    memset(data, fill, bytes);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, data, GL_DYNAMIC_COPY);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    free(data);
    return buffer;
}

static const ag_plan *plan_of(fixture *f, ag_pass *pass, const ag_job *job)
{
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(pass, job, &plan), AG_OK);
    return plan;
}

static ag_buffer range_of(GLuint name, uint64_t offset, uint64_t bytes)
{
    return (ag_buffer){
        .struct_size = sizeof(ag_buffer), .name = name, .offset = offset, .bytes = bytes};
}

// Two passes with different kernels use one range of scratch in turn; it is full of NaN at first.
// There is no barrier between them: execute returns the closing bits in `bits_owed`, and the test
// does not place them.
void test_shared_scratch(void **state)
{
    enum { TURNS = 8 };
    fixture *f = *state;
    rng r = rng_start("shared scratch", 81);
    ag_pass *pass[2] = {fixture_pass(f, "convolve"), fixture_pass(f, "convolve")};
    contract c[TURNS];
    double *want[TURNS];
    uint64_t bytes = 0, alignment = 1;
    for (int i = 0; i < TURNS; ++i) {
        double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
        contract_open(f, &c[i], "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
        if (i > 1) { // each pass keeps its kernel, so no prepare is needed between them
            texture_destroy(f, &c[i].kernel);
            c[i].slots[1] = c[i % 2].slots[1];
        }
        c[i].settings.method = AG_CONVOLVE_FFT;
        c[i].settings.border = i % 2 ? AG_BORDER_CLAMP : AG_BORDER_ZERO;
        c[i].settings.alpha = i % 2;
        want[i] = contract_run(f, pass[i % 2], &c[i]);
        texture_poison(f, &c[i].dst);
        const ag_plan *plan = plan_of(f, pass[i % 2], &c[i].job);
        bytes = plan->scratch_bytes > bytes ? plan->scratch_bytes : bytes;
        alignment = plan->scratch_alignment;
        free(src);
        free(kernel);
    }
    uint64_t guard = 4 * alignment;
    GLuint buffer = buffer_of(f, bytes + 2 * guard, 0xff);
    for (int i = 0; i < TURNS; ++i) {
        c[i].job.scratch = range_of(buffer, guard, bytes);
        if (i < 2)
            CHECK_STATUS(f->ag->prepare(pass[i], &c[i].job), AG_OK);
    }
    uint32_t bits_owed = 0;
    for (int i = 0; i < TURNS; ++i)
        CHECK_STATUS(f->ag->execute(pass[i % 2], &c[i].job, &bits_owed), AG_OK);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    for (int i = 0; i < TURNS; ++i) {
        double *got = texture_read(f, &c[i].dst, 0);
        char name[64];
        snprintf(name, sizeof name, "turn %d in shared scratch: the bits of a run alone", i);
        CHECK(check_case(name, same_image(got, want[i])));
        free(got);
        free(want[i]);
    }
    uint8_t *after = malloc(bytes + 2 * guard);
    CHECK(after != NULL);
    f->gl.BindBuffer(GL_COPY_READ_BUFFER, buffer);
    f->gl_transfer = true;
    f->gl.GetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(bytes + 2 * guard), after);
    f->gl_transfer = false;
    f->gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    int touched = 0;
    for (uint64_t i = 0; i < guard; ++i)
        touched += (after[i] != 0xff) + (after[guard + bytes + i] != 0xff);
    CHECK_LIMIT("bytes touched outside the range of scratch", touched, 0);
    free(after);
    f->gl.DeleteBuffers(1, &buffer);
    for (int i = 0; i < TURNS; ++i)
        contract_close(f, &c[i]);
    f->ag->pass_destroy(pass[0]);
    f->ag->pass_destroy(pass[1]);
}

void test_scratch_limits(void **state)
{
    fixture *f = *state;
    rng r = rng_start("scratch limits", 82);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    contract c;
    contract_open(f, &c, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
    c.settings.method = AG_CONVOLVE_FFT;
    const ag_plan *plan = plan_of(f, pass, &c.job);
    uint64_t bytes = plan->scratch_bytes, alignment = plan->scratch_alignment;
    printf("  note  scratch: %llu bytes, aligned to %llu\n", (unsigned long long)bytes,
           (unsigned long long)alignment);
    CHECK(bytes > 0 && alignment > 1);
    GLuint buffer = buffer_of(f, bytes + alignment, 0);
    const struct {
        ag_buffer scratch;
        ag_status status;
        const char *part;
    } rows[] = {{range_of(buffer, 0, bytes - 1), AG_E_SIZE, "scratch.bytes"},
                {range_of(buffer, 0, 0), AG_E_SIZE, "scratch.bytes"},
                {range_of(buffer, alignment / 2, bytes), AG_E_ARG, "scratch.offset"},
                {range_of(buffer, 1, bytes), AG_E_ARG, "scratch.offset"},
                {range_of(buffer, alignment, bytes), AG_OK, ""}};
    for (int prepared = 0; prepared < 2; ++prepared)
        for (size_t i = 0; i < COUNT(rows); ++i) {
            texture_poison(f, &c.dst);
            c.job.scratch = rows[i].scratch;
            host_log_clear(&f->host);
            if (!prepared || rows[i].status == AG_OK)
                CHECK_STATUS(f->ag->prepare(pass, &c.job), rows[i].status);
            if (prepared || rows[i].status == AG_OK)
                CHECK_STATUS(f->ag->execute(pass, &c.job, NULL), rows[i].status);
            if (rows[i].status == AG_OK)
                continue;
            CHECK(host_log_error(&f->host, rows[i].status, rows[i].part));
            CHECK(texture_is_poison(f, &c.dst));
        }
    printf("  ok    scratch one byte short or off its alignment is refused\n");
    f->gl.DeleteBuffers(1, &buffer);
    contract_close(f, &c);
    free(src);
    free(kernel);
    f->ag->pass_destroy(pass);
}

// ---- the host's own state ----------------------------------------------------------------------

// BASE_LEVEL, MAX_LEVEL, swizzle, filters and bound samplers of the host change nothing.
void test_texture_state(void **state)
{
    static const char *const formats[] = {"rgba32f", "srgb8"};
    fixture *f = *state;
    rng r = rng_start("texture state", 83);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    for (int i = 0; i < 4; ++i) {
        contract c;
        contract_open(f, &c, formats[i / 2], src, formats[i / 2], TAPS, TAPS, kernel);
        c.settings.method = 1 + i % 2;
        double *want = contract_run(f, pass, &c);
        texture_poison(f, &c.dst);
        const texture *all[] = {&c.src, &c.kernel, &c.dst};
        GLuint samplers[16];
        f->gl.GenSamplers(16, samplers);
        for (int k = 0; k < 3; ++k) {
            static const GLint swizzle[] = {GL_ZERO, GL_ALPHA, GL_ONE, GL_BLUE};
            f->gl.BindTexture(GL_TEXTURE_2D, all[k]->name);
            f->gl.TexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 7);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 3);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        }
        for (GLuint unit = 0; unit < 16; ++unit) {
            f->gl.SamplerParameteri(samplers[unit], GL_TEXTURE_WRAP_T, GL_MIRRORED_REPEAT);
            f->gl.SamplerParameterf(samplers[unit], GL_TEXTURE_MIN_LOD, 5);
            f->gl.BindSampler(unit, samplers[unit]);
            f->gl.ActiveTexture(GL_TEXTURE0 + unit);
            f->gl.BindTexture(GL_TEXTURE_2D, all[unit % 3]->name);
        }
        // one pass was prepared before these conditions, one under them
        for (int again = 0; again < 2; ++again) {
            if (again)
                f->ag->forget(f->device, c.src.name);
            if (again)
                CHECK_STATUS(f->ag->prepare(pass, &c.job), AG_OK);
            CHECK_STATUS(f->ag->execute(pass, &c.job, NULL), AG_OK);
            for (GLuint unit = 0; unit < 16; ++unit)
                f->gl.BindSampler(unit, 0);
            f->gl.ActiveTexture(GL_TEXTURE0);
            f->gl.BindTexture(GL_TEXTURE_2D, c.dst.name); // glGetTexImage needs valid levels
            f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
            double *got = texture_read(f, &c.dst, 0);
            char name[96];
            snprintf(name, sizeof name, "nonsense in the host's texture state, %s, method %d, %s",
                     formats[i / 2], 1 + i % 2, again ? "prepared under it" : "prepared before");
            CHECK(check_case(name, same_image(got, want)));
            free(got);
            texture_poison(f, &c.dst);
        }
        for (GLuint unit = 0; unit < 16; ++unit) {
            f->gl.ActiveTexture(GL_TEXTURE0 + unit);
            f->gl.BindTexture(GL_TEXTURE_2D, 0);
        }
        f->gl.ActiveTexture(GL_TEXTURE0);
        f->gl.DeleteSamplers(16, samplers);
        free(want);
        contract_close(f, &c);
    }
    free(src);
    free(kernel);
    f->ag->pass_destroy(pass);
}

// The context's storage blocks are large enough for one channel, but not for all: the columns of
// each channel are a dispatch of their own.
void test_channel_at_a_time(void **state)
{
    fixture *f = *state;
    rng r = rng_start("channel at a time", 84);
    double *src = contract_noise(&r, W, H, 4), *kernels = contract_noise(&r, TAPS, TAPS, 4);
    double *want[2];
    ag_pass *pass = fixture_pass(f, "convolve");
    uint64_t channel = 0;
    for (int round = 0; round < 2; ++round) { // all channels at once, then one at a time
        fixture *g = f;
        ag_pass *mine = pass;
        if (round) {
            g = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
            CHECK(g != NULL);
            g->host.trace.limits[0] = (gl_trace_limit){GL_MAX_SHADER_STORAGE_BLOCK_SIZE,
                                                       (int32_t)(channel + channel / 2)};
            g->host.trace.limit_count = 1;
            fixture_device(g, NULL);
            mine = fixture_pass(g, "convolve");
        }
        for (int i = 0; i < 2; ++i) { // a kernel of one channel; one of four, for alpha too
            contract c;
            contract_adopt(&c, texture_create(g, "rgba32f", W, H, src),
                           texture_create(g, i ? "rgba32f" : "r32f", TAPS, TAPS, kernels),
                           texture_create(g, "rgba32f", W, H, NULL));
            c.settings.method = AG_CONVOLVE_FFT;
            c.settings.alpha = i;
            double *got = contract_run(g, mine, &c);
            const ag_plan *plan = plan_of(g, mine, &c.job);
            contract_dispatches(g);
            CHECK_STATUS(g->ag->execute(mine, &c.job, NULL), AG_OK);
            uint32_t count = contract_dispatches(g), channels = i ? 4 : 3;
            printf("  note  %s; %u dispatches\n", plan->text, count);
            CHECK_EQ(count, round ? 2 + channels : 3);
            CHECK_EQ(plan->steps[1].dispatches, round ? channels : 1);
            if (round) {
                CHECK(check_case("one channel at a time: the same bits", same_image(got, want[i])));
                free(got);
                free(want[i]);
            } else {
                want[i] = got;
                if (plan->scratch_bytes / channels > channel)
                    channel = plan->scratch_bytes / channels;
                uint64_t kernel = plan->persistent_bytes / (i ? 4 : 1); // tables included
                channel = kernel > channel ? kernel : channel;
            }
            contract_close(g, &c);
        }
        if (round) {
            g->ag->pass_destroy(mine);
            CHECK(fixture_close(g));
            fixture_current(f);
        }
    }
    // No channel fits: refused, with the bytes.
    fixture *g = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    CHECK(g != NULL);
    g->host.trace.limits[0] = (gl_trace_limit){GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1024};
    g->host.trace.limit_count = 1;
    fixture_device(g, NULL);
    ag_pass *mine = fixture_pass(g, "convolve");
    contract c;
    contract_open(g, &c, "rgba32f", src, "rgba32f", TAPS, TAPS, kernels);
    c.settings.method = AG_CONVOLVE_FFT;
    CHECK_STATUS(g->ag->prepare(mine, &c.job), AG_E_SIZE);
    printf("  note  %s\n", host_log_last(&g->host));
    CHECK_HAS(host_log_last(&g->host), "bytes");
    CHECK_HAS(host_log_last(&g->host), "1024");
    contract_close(g, &c);
    CHECK(fixture_close(g));
    fixture_current(f);
    f->ag->pass_destroy(pass);
    free(src);
    free(kernels);
}

// ---- kernels that change -----------------------------------------------------------------------

void test_kernel_versions(void **state)
{
    fixture *f = *state;
    rng r = rng_start("kernel versions", 85);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4);
    double *one = contract_noise(&r, TAPS, TAPS, 1), *two = contract_noise(&r, TAPS, TAPS, 1);
    contract c, d;
    contract_open(f, &c, "rgba32f", src, "rgba32f", TAPS, TAPS, one);
    contract_open(f, &d, "rgba32f", src, "rgba32f", TAPS, TAPS, two);
    c.settings.method = d.settings.method = AG_CONVOLVE_FFT;
    double *want = contract_run(f, pass, &d);
    double *first = contract_run(f, pass, &c);
    CHECK(!same_image(want, first));
    contract_dispatches(f);
    CHECK_STATUS(f->ag->prepare(pass, &c.job), AG_OK);
    CHECK_EQ(contract_dispatches(f), 0);
    printf("  ok    prepare with nothing changed: 0 dispatches\n");

    texture_upload(f, &c.kernel, 0, two);
    CHECK_STATUS(f->ag->prepare(pass, &c.job), AG_OK); // the version is the same
    CHECK_EQ(contract_dispatches(f), 0);
    double *got = contract_run(f, pass, &c);
    CHECK(check_case("equal name and version: the spectrum is kept", same_image(got, first)));
    free(got);

    c.slots[1].version += UINT64_C(1) << 40; // beyond 32 bits
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->execute(pass, &c.job, NULL), AG_E_STATE);
    CHECK(host_log_error(&f->host, AG_E_STATE, "kernel"));
    contract_dispatches(f);
    got = contract_run(f, pass, &c);
    CHECK_F(contract_dispatches(f) > 3, "no new spectrum was made");
    CHECK(check_case("a new version: AG_E_STATE until prepared, then the new kernel",
                     same_image(got, want)));
    free(got);

    // After forget, the same name and version may be another texture.
    texture_upload(f, &c.kernel, 0, one);
    f->ag->forget(f->device, c.kernel.name);
    CHECK_STATUS(f->ag->execute(pass, &c.job, NULL), AG_E_STATE);
    got = contract_run(f, pass, &c);
    CHECK(check_case("after forget the kernel is read again", same_image(got, first)));
    free(got);
    free(want);
    free(first);
    contract_close(f, &c);
    contract_close(f, &d);
    free(src);
    free(one);
    free(two);
    f->ag->pass_destroy(pass);
}

void test_zero_sum(void **state)
{
    fixture *f = *state;
    rng r = rng_start("zero sum", 86);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), good[3 * TAPS * TAPS], bad[3 * TAPS * TAPS];
    rng_fill_uniform(&r, good, COUNT(good), 0.5, 1);
    texture_quantise("r11g11b10f", good, TAPS * TAPS);
    for (int method = 1; method < 3; ++method) {
        contract c;
        contract_adopt(&c, texture_create(f, "rgba32f", W, H, src),
                       texture_create(f, "r11g11b10f", TAPS, TAPS, good),
                       texture_create(f, "rgba32f", W, H, NULL));
        c.settings.method = method;
        c.settings.normalize = AG_NORMALIZE_SUM;
        double *want = contract_run(f, pass, &c);
        memcpy(bad, good, sizeof bad);
        for (int i = 1; i < 3 * TAPS * TAPS; i += 3)
            bad[i] = 0; // green alone
        texture_upload(f, &c.kernel, 0, bad);
        ++c.slots[1].version;
        texture_poison(f, &c.dst);
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->prepare(pass, &c.job), AG_E_ARG);
        CHECK(host_log_error(&f->host, AG_E_ARG, "channel 1"));
        CHECK(texture_is_poison(f, &c.dst));
        --c.slots[1].version;
        CHECK_STATUS(f->ag->execute(pass, &c.job, NULL), AG_OK);
        double *got = texture_read(f, &c.dst, 0);
        char name[96];
        // `direct` reads the kernel's texels in execute, and these have changed. `fft` has stored
        // the kernel's spectrum
        snprintf(name, sizeof name, "method %d: a zero sum is refused, the former plan goes on",
                 method);
        CHECK(check_case(name, method == AG_CONVOLVE_DIRECT || same_image(got, want)));
        c.settings.normalize = AG_NORMALIZE_NONE; // without it a kernel's sum may be zero
        ++c.slots[1].version;
        free(got);
        got = contract_run(f, pass, &c);
        CHECK(isfinite(got[0]) && got[1] == 0);
        free(want);
        free(got);
        contract_close(f, &c);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// ---- sizes that change -------------------------------------------------------------------------

// A resize every frame: prepare for the next size while the last execute may still run.
void test_resize(void **state)
{
    enum { FRAMES = 6 };
    fixture *f = *state;
    rng r = rng_start("resize", 87);
    ag_pass *pass = fixture_pass(f, "convolve"), *alone = fixture_pass(f, "convolve");
    contract c[FRAMES];
    double *kernel = contract_noise(&r, TAPS, TAPS, 1);
    for (int i = 0; i < FRAMES; ++i) { // two sizes, so that few programs are made
        int w = i % 2 ? W - 7 : W, h = i % 2 ? H - 3 : H;
        double *src = contract_noise(&r, w, h, 4);
        contract_adopt(&c[i], texture_create(f, "rgba32f", w, h, src),
                       texture_create(f, "r32f", TAPS, TAPS, kernel),
                       texture_create(f, "rgba32f", w, h, NULL));
        c[i].settings.method = AG_CONVOLVE_FFT;
        free(src);
    }
    for (int i = 0; i < FRAMES; ++i) {
        CHECK_STATUS(f->ag->prepare(pass, &c[i].job), AG_OK);
        if (i)
            CHECK_STATUS(f->ag->execute(pass, &c[i - 1].job, NULL), AG_E_STATE); // the former size
        CHECK_STATUS(f->ag->execute(pass, &c[i].job, NULL), AG_OK);
    }
    for (int i = 0; i < FRAMES; ++i) {
        size_t bytes = sizeof(double) * texture_value_count(&c[i].dst, 0);
        double *got = texture_read(f, &c[i].dst, 0), *want = contract_run(f, alone, &c[i]);
        char name[64];
        snprintf(name, sizeof name, "frame %d, %dx%d: the bits of a run alone", i, c[i].src.width,
                 c[i].src.height);
        CHECK(check_case(name, memcmp(got, want, bytes) == 0));
        free(got);
        free(want);
    }
    for (int i = 0; i < FRAMES; ++i)
        contract_close(f, &c[i]);
    free(kernel);
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(alone);
}

// ---- barriers ----------------------------------------------------------------------------------

enum { EVENTS = 32 };
typedef struct events { // in order: a dispatch is 0, a barrier its bits
    uint32_t list[EVENTS];
    int count;
} events;

static void on_call(void *user, const char *name)
{
    events *e = user;
    if (strcmp(name, "glDispatchCompute") == 0 && e->count < EVENTS)
        e->list[e->count++] = 0;
}

static void on_barrier(void *user, uint32_t bits)
{
    events *e = user;
    if (e->count < EVENTS)
        e->list[e->count++] = bits;
}

static void check_events(const events *e, bool fft, uint32_t closing)
{
    int wanted = fft ? 6 : 2, n = 0;
    CHECK_F(e->count == wanted + (closing != 0), "%d dispatches and barriers, expected %d",
            e->count, wanted + (closing != 0));
    for (int i = 0; i < wanted; ++i, ++n)
        if (i % 2)
            CHECK_EQ(e->list[n], 0);
        else // before each dispatch: it uses scratch, which the dispatch before has used
            CHECK_F(e->list[n] & GL_SHADER_STORAGE_BARRIER_BIT, "barrier %d is 0x%x", n,
                    e->list[n]);
    if (closing)
        CHECK_EQ(e->list[n], closing);
}

void test_barriers(void **state)
{
    static const struct {
        uint32_t use, bits;
    } rows[] = {{AG_USE_SAMPLE, GL_TEXTURE_FETCH_BARRIER_BIT},
                {AG_USE_IMAGE, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT},
                {AG_USE_FRAMEBUFFER, GL_FRAMEBUFFER_BARRIER_BIT},
                {AG_USE_COPY, GL_TEXTURE_UPDATE_BARRIER_BIT},
                {AG_USE_SAMPLE | AG_USE_COPY,
                 GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT},
                {AG_USE_UNKNOWN, GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                                     GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT}};
    fixture *f = *state;
    rng r = rng_start("barriers", 88);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *src = contract_noise(&r, W, H, 4), *kernel = contract_noise(&r, TAPS, TAPS, 1);
    contract c;
    contract_open(f, &c, "rgba32f", src, "rgba32f", TAPS, TAPS, kernel);
    for (int method = 1; method < 3; ++method) {
        c.settings.method = method;
        CHECK_STATUS(f->ag->prepare(pass, &c.job), AG_OK);
        for (size_t i = 0; i < COUNT(rows); ++i)
            for (int asked = 0; asked < 2; ++asked) {
                events e = {.count = 0};
                uint32_t bits = 0xdeadbeef;
                c.job.next_use = rows[i].use;
                f->host.trace.on_call = on_call;
                f->host.trace.on_barrier = on_barrier;
                f->host.trace.on_call_user = &e;
                ag_status status = f->ag->execute(pass, &c.job, asked ? &bits : NULL);
                f->host.trace.on_call = NULL;
                f->host.trace.on_barrier = NULL;
                CHECK_STATUS(status, AG_OK);
                check_events(&e, method == AG_CONVOLVE_FFT, asked ? 0 : rows[i].bits);
                if (asked)
                    CHECK_EQ(bits, rows[i].bits);
            }
    }
    printf(
        "  ok    6 next uses, placed or returned: the right bits, once, after the last dispatch\n");
    contract_close(f, &c);
    free(src);
    free(kernel);
    f->ag->pass_destroy(pass);
}
