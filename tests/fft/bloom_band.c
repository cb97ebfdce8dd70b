// bloom_band.c - band-limited kernels: results stay exact, and the columns left out are not written
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

enum { POISON = 0x7fc12345 }; // a NaN

static const float sizes[] = {0.7f, 1.1f, 1.5f, 2.0f}; // sigma 3 to 9 texels

// Scenes in which an error in the highest frequencies is largest.
static void fill(double *src, int kind, rng *r)
{
    for (int i = 0; i < W * H; ++i)
        for (int c = 0; c < 4; ++c) {
            double chess = (i % W + i / W) % 2 ? 60000 : 0;
            double columns = i % W % 2 ? 60000 : 1;
            double noise = rng_uniform(r, 0, 1000);
            src[4 * i + c] = kind == 0 ? chess : kind == 1 ? columns : kind == 2 ? noise : 0;
        }
    if (kind == 3) // one spot
        for (int c = 0; c < 3; ++c)
            src[4 * (H / 3 * W + W / 4) + c] = 60000;
}

static bool check_size(fixture *f, ag_pass *pass, const char *name, int width, int height,
                       float size, const double *src)
{
    ag_bloom_settings s;
    trial t = blooming_of(f, name, width, height, src, &s);
    t.pass = pass;
    s.size = size;
    bool good = trial_check(&t);
    trial_free(&t);
    return good;
}

// Also of frames that are narrower than one half of their kernel: if the taps beyond the width were
// left out, the rest of a Gaussian would not be band-limited.
void test_bloom_band_error(void **state)
{
    enum { NARROW = 20, HIGH = 120 };
    static const char *const names[] = {"chess board", "columns", "noise", "spot"};
    static const float heights[] = {0.3f, 1.0f / 3, 0.6f,
                                    2.0f}; // 18, 20, 36 and 120 taps on either side
    fixture *f = *state;
    rng r = rng_start("band", 51);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = check_doubles(4 * TEXELS);
    double *narrow = blooming_scene(&r, "rgba32f", NARROW, HIGH, 0.01, 1000);
    bool good = true;
    sweep *share = sweep_start("band error", 4);
    for (size_t s = 0; s < COUNT(sizes); ++s) {
        if (sweep_takes(share))
            for (int kind = 0; kind < 4; ++kind) {
                fill(src, kind, &r);
                good = check_size(f, pass, names[kind], W, H, sizes[s], src) && good;
            }
        if (sweep_takes(share))
            good = check_size(f, pass, "narrow", NARROW, HIGH, heights[s], narrow) && good;
    }
    free(src);
    free(narrow);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Whether a thread transforms a quarter of a column of this length. The plan must have that length.
static bool plans_in_place(trial *t, int expected)
{
    const ag_plan *plan = NULL;
    trial_make(t);
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    const char *text = strstr(plan->text, "columns "), *comma = text ? strchr(text, ',') : NULL;
    int length = 0, threads = 0;
    CHECK(comma && sscanf(text, "columns %d", &length) == 1 &&
          sscanf(comma, ", %d threads", &threads) == 1);
    CHECK_F(length == expected, "columns %d, expected %d", length, expected);
    return threads == length / 4;
}

// Columns that shaders/fft/columns_band_limited.comp transforms: every first radix and every number
// of stages, and lengths that are too long for it.
void test_bloom_band_lengths(void **state)
{
    enum { WIDE = 25 };
    static const int lengths[] = {64,   80,   96,   112,  128,  144,  160,  192, 256,
                                  320,  384,  448,  512,  576,  640,  768,  800, 1024,
                                  1152, 1280, 1536, 1792, 2048, 2304, 2560, 3072};
    fixture *f = *state;
    rng r = rng_start("band lengths", 57);
    sweep *share = sweep_start("band lengths", 26);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    int in_place = 0, cases = COUNT(lengths);
    for (int i = 0; i < cases; ++i) {
        int height = lengths[i] * 100 / 137; // the kernel reaches 0.35 of the height
        double *src = blooming_scene(&r, "rgba32f", WIDE, height, 0.01, 1000);
        ag_bloom_settings s;
        trial t = blooming_of(f, "band lengths", WIDE, height, src, &s);
        t.pass = pass;
        s.size = 0.7f;
        in_place += plans_in_place(&t, lengths[i]); // each is planned, not each runs
        good = (!sweep_takes(share) || trial_check(&t)) && good;
        trial_free(&t);
        free(src);
    }
    printf("  note  %d of %d lengths in place\n", in_place, cases);
    CHECK(in_place > cases / 2);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The number of columns of the spectrum that the R2C row pass wrote into poisoned scratch; -1 if
// there are gaps between them.
static int columns_written(const uint32_t *words, int columns, int pairs)
{
    int last = 0, touched = 0;
    for (int column = 0; column < columns; ++column) {
        bool any = false;
        for (int pair = 0; pair < pairs; ++pair) // of shaders/fft/spectrum.glsl
            for (int i = 0; i < 4; ++i)
                any |= words[((column / 4 * pairs + pair) * 4 + column % 4) * 4 + i] != POISON;
        last = any ? column + 1 : last;
        touched += any;
    }
    return touched == last ? last : -1;
}

// A Gaussian's spectrum falls below 2^-26 of its peak at sqrt(26 ln(2) / 2) / (pi sigma) cycles a
// texel.
void test_bloom_band_end(void **state)
{
    fixture *f = *state;
    rng r = rng_start("band end", 52);
    bool good = true;
    sweep *share = sweep_start("band end", 4);
    for (size_t n = 0; n < COUNT(sizes); ++n) {
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, "rgba32f", W, H, 0.1, 100);
        ag_bloom_settings s;
        trial t = blooming_of(f, "band end", W, H, src, &s);
        s.size = sizes[n];
        trial_make(&t);
        const ag_plan *plan = NULL;
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
        int length = 0;
        CHECK(sscanf(strstr(plan->text, "fft:"), "fft: rows %d", &length) == 1);
        CHECK_HAS(plan->text, "kernel spectrum of two lines");
        size_t bytes = (size_t)plan->scratch_bytes;
        uint32_t *words = check_allocate(bytes);
        for (size_t i = 0; i < bytes / 4; ++i)
            words[i] = POISON;
        GLuint buffer;
        f->gl.GenBuffers(1, &buffer);
        f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
        f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, words,
                         GL_STREAM_READ); // it is read back
        f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        t.job.scratch = (ag_buffer){sizeof(ag_buffer), buffer, 0, bytes};
        fixture_run(f, t.pass, &t.job);
        f->gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        fixture_own(f, NOTE_BUFFER_MOVED); // from where the GPU wrote it, to be read
        f->gl.BindBuffer(GL_COPY_READ_BUFFER, buffer);
        f->gl.GetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)bytes, words);
        f->gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
        fixture_own(f, 0);
        double sigma = (double)sizes[n] * H / 12;
        double end = length * sqrt(26 * log(2) / 2) / (acos(-1) * sigma);
        int room =
            (int)(bytes / 3 / 16) / ((H + 1) / 2) / 4 * 4; // columns of one channel, in tiles
        int wrote = columns_written(words, room < length / 2 ? room : length / 2, (H + 1) / 2);
        bool all = end > length / 2.0 * 7 / 8; // then no column is left out
        bool right = all ? wrote == length / 2 : wrote >= end && wrote <= end + 5;
        printf("  %-5s sigma %.2f: %d of %d columns; the Gaussian ends at %.2f\n",
               right ? "ok" : "WRONG", sigma, wrote, length / 2, end);
        good = good && right;
        f->gl.DeleteBuffers(1, &buffer);
        free(words);
        free(src);
        trial_free(&t);
    }
    CHECK(good);
}
