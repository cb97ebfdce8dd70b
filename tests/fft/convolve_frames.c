// convolve_frames.c - many frames: scratch in turns, small blocks, kernels that change
// SPDX-License-Identifier: MIT
#include "test_convolve.h"

// ---- scratch -----------------------------------------------------------------------------------

// Two passes with different kernels use one range of scratch in turn; it is full of NaN at first.
// There is no barrier between them: execute returns the closing bits in `bits_owed`, and the test
// does not place them. Nothing outside the range is touched.
void test_shared_scratch(void **state)
{
    enum { TURNS = 4 };
    fixture *f = *state;
    rng r = rng_start("shared scratch", 81);
    ag_convolve_settings s[TURNS];
    trial t[TURNS];
    double *want[TURNS];
    const ag_plan *plan = NULL;
    uint64_t bytes = 0;
    for (int i = 0; i < TURNS; ++i) {
        scene random = scene_of(&r);
        s[i] = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                   .border = i % 2 ? AG_BORDER_CLAMP : AG_BORDER_ZERO);
        t[i] = scene_trial(f, "turn", &random, &s[i]);
        if (i > 1) { // each pass keeps its kernel, so no prepare is needed between them
            t[i].pass = t[i - 2].pass;
            t[i].slots[KERNEL].own = &t[i - 2].textures[KERNEL];
        }
        trial_run(&t[i]);
        want[i] = t[i].got[DST];
        t[i].got[DST] = NULL;
        texture_poison(f, &t[i].textures[DST]);
        CHECK_STATUS(f->ag->declare(t[i].pass, &t[i].job, &plan), AG_OK);
        bytes = plan->scratch_bytes > bytes ? plan->scratch_bytes : bytes;
        scene_free(&random);
    }
    uint64_t guard = 4 * plan->scratch_alignment, all = bytes + 2 * guard;
    uint8_t *data = check_allocate(all);
    memset(data, 0xff, all);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)all, data, GL_DYNAMIC_COPY);
    for (int i = 0; i < TURNS; ++i) {
        t[i].job.scratch = (ag_buffer){sizeof(ag_buffer), buffer, guard, bytes};
        if (i < 2)
            CHECK_STATUS(f->ag->prepare(t[i].pass, &t[i].job), AG_OK);
    }
    uint32_t bits_owed = 0;
    for (int i = 0; i < TURNS; ++i)
        CHECK_STATUS(f->ag->execute(t[i].pass, &t[i].job, &bits_owed), AG_OK);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    f->gl_transfer = true;
    f->gl.GetBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)all, data);
    f->gl_transfer = false;
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    f->gl.DeleteBuffers(1, &buffer);
    int touched = 0;
    for (uint64_t i = 0; i < guard; ++i)
        touched += (data[i] != 0xff) + (data[guard + bytes + i] != 0xff);
    CHECK_LIMIT("bytes touched outside the range of scratch", touched, 0);
    free(data);
    for (int i = TURNS - 1; i >= 0; --i) {
        double *got = texture_read(f, &t[i].textures[DST], 0);
        CHECK(check_case("in shared scratch: the bits of a run alone",
                         values_same(got, want[i], 4 * TEXELS)));
        free(got);
        free(want[i]);
        trial_free(&t[i]);
    }
}

// ---- small storage blocks ----------------------------------------------------------------------

static fixture *with_blocks_of(uint64_t bytes)
{
    fixture *g = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    CHECK(g != NULL);
    g->host.trace.limits[0] = (gl_trace_limit){GL_MAX_SHADER_STORAGE_BLOCK_SIZE, (int32_t)bytes};
    g->host.trace.limit_count = 1;
    fixture_device(g, NULL);
    return g;
}

// The context's storage blocks are large enough for one channel, but not for all: the columns of
// each channel are a dispatch of their own. Where no channel fits, the refusal has the bytes.
void test_channel_at_a_time(void **state)
{
    fixture *f = *state;
    rng r = rng_start("channel at a time", 84);
    scene s = scene_of(&r);
    double *taps = values_noise(&r, "rgba32f", TAPS, TAPS, -1, 1), *want[2];
    uint64_t channel = 0;
    for (int round = 0; round < 2; ++round) { // all channels at once, then one at a time
        fixture *g = round ? with_blocks_of(channel + channel / 2) : f;
        for (int i = 0; i < 2; ++i) { // a kernel of one channel; one of four, for alpha too
            ag_convolve_settings settings =
                *ag_convolve_params(.method = AG_CONVOLVE_FFT, .alpha = i);
            trial t = scene_trial(g, "channels", &s, &settings);
            t.slots[KERNEL].format = i ? "rgba32f" : "r32f";
            t.slots[KERNEL].values = taps;
            trial_run(&t);
            const ag_plan *plan = NULL;
            CHECK_STATUS(g->ag->declare(t.pass, &t.job, &plan), AG_OK);
            dispatches(g);
            CHECK_STATUS(g->ag->execute(t.pass, &t.job, NULL), AG_OK);
            uint32_t channels = i ? 4 : 3;
            CHECK_EQ(dispatches(g), round ? 2 + channels : 3);
            CHECK_EQ(plan->steps[1].dispatches, round ? channels : 1);
            uint64_t image = plan->scratch_bytes / channels;
            uint64_t kernel = plan->persistent_bytes / (i ? 4 : 1); // tables included
            if (!round) {
                want[i] = t.got[DST];
                t.got[DST] = NULL;
                channel = image > channel ? image : channel;
                channel = kernel > channel ? kernel : channel;
            } else {
                CHECK(check_case("one channel at a time: the same bits",
                                 values_same(t.got[DST], want[i], 4 * TEXELS)));
                free(want[i]);
            }
            trial_free(&t);
        }
        if (round)
            CHECK(fixture_close(g));
        fixture_current(f);
    }
    fixture *g = with_blocks_of(1024);
    ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT);
    trial t = scene_trial(g, "channels", &s, &settings);
    trial_make(&t);
    CHECK_STATUS(g->ag->prepare(t.pass, &t.job), AG_E_SIZE);
    CHECK_HAS(host_log_last(&g->host), "bytes");
    CHECK_HAS(host_log_last(&g->host), "1024");
    trial_free(&t);
    CHECK(fixture_close(g));
    fixture_current(f);
    scene_free(&s);
    free(taps);
}

// ---- kernels that change -----------------------------------------------------------------------

static bool gives(trial *t, const char *name, const double *want)
{
    trial_run(t);
    return check_case(name, values_same(t->got[DST], want, 4 * TEXELS));
}

void test_kernel_versions(void **state)
{
    fixture *f = *state;
    rng r = rng_start("kernel versions", 85);
    scene one = scene_of(&r), two = scene_of(&r);
    ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT);
    trial t = scene_trial(f, "versions", &one, &settings);
    double *first = trial_take(&t, DST);
    t.slots[KERNEL].values = two.kernel;
    double *want = trial_take(&t, DST);
    CHECK(!values_same(want, first, 4 * TEXELS));
    t.slots[KERNEL].values = one.kernel;
    trial_run(&t);
    dispatches(f);
    texture_upload(f, &t.textures[KERNEL], 0, two.kernel);
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK); // the version is the same
    CHECK_EQ(dispatches(f), 0);
    CHECK(gives(&t, "equal name and version: the spectrum is kept", first));

    t.views[KERNEL].version += UINT64_C(1) << 40; // beyond 32 bits
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_E_STATE);
    CHECK(host_log_error(&f->host, AG_E_STATE, "kernel"));
    dispatches(f);
    CHECK(gives(&t, "a new version: AG_E_STATE until prepared, then the new kernel", want));
    CHECK_F(dispatches(f) > 3, "no new spectrum was made");

    // After forget, the same name and version may be another texture.
    texture_upload(f, &t.textures[KERNEL], 0, one.kernel);
    f->ag->forget(f->device, t.textures[KERNEL].name);
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_E_STATE);
    CHECK(gives(&t, "after forget the kernel is read again", first));
    trial_free(&t);
    free(want);
    free(first);
    scene_free(&one);
    scene_free(&two);
}

// A zero sum is refused, and the former plan goes on: `fft` has stored the kernel's spectrum, while
// `direct` reads the kernel's texels in execute.
void test_zero_sum(void **state)
{
    fixture *f = *state;
    rng r = rng_start("zero sum", 86);
    scene s = scene_of(&r);
    for (int method = 1; method < 3; ++method) {
        double *taps = values_noise(&r, "r11g11b10f", TAPS, TAPS, 0.5, 1);
        ag_convolve_settings settings =
            *ag_convolve_params(.method = method, .normalize = AG_NORMALIZE_SUM);
        trial t = scene_trial(f, "zero sum", &s, &settings);
        t.slots[KERNEL].format = "r11g11b10f";
        t.slots[KERNEL].values = taps;
        trial_run(&t);
        for (int i = 1; i < 3 * TAPS * TAPS; i += 3)
            taps[i] = 0; // green alone
        texture_upload(f, &t.textures[KERNEL], 0, taps);
        ++t.views[KERNEL].version;
        texture_poison(f, &t.textures[DST]);
        CHECK(trial_refused(&t, AG_E_ARG, "channel 1"));
        --t.views[KERNEL].version;
        CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK);
        double *got = texture_read(f, &t.textures[DST], 0);
        CHECK(check_case("a zero sum is refused, the former plan goes on",
                         method == AG_CONVOLVE_DIRECT || values_same(got, t.got[DST], 4 * TEXELS)));
        trial_free(&t);
        free(taps);
        free(got);
    }
    scene_free(&s);
}
