// convolve_halves.c - RGBA16F to RGBA16F, where alpha is stored beside the spectra
// SPDX-License-Identifier: MIT
//
// See PLAIN of shaders/fft/rows_c2r.comp. The images have so many rows that a work group computes
// all channels, one after the other. Images with fewer rows have one work group per channel, and
// read src again. In all of these alpha is src's, every bit.
#include "test_convolve.h"

enum { WIDE = 45, HIGH = 607, KW = 9, KH = 7, HALVES = WIDE * HIGH };
enum { PAIRS = (HIGH + 1) / 2 };

// A centre weight that is small enough for alpha to be stored, or one that the general C2R row pass
// computes.
static void small_centre(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = fabs(kernel[i]) / 32 + 0.001;
}

static void large_centre(double *kernel, int width, int height, int channels)
{
    for (int c = 0; c < channels; ++c)
        kernel[(height / 2 * width + width / 2) * channels + c] = 60;
}

// Every border, rows and columns with and without padding.
void test_halves(void **state)
{
    static const struct {
        int width, height, storage;
        bool large;
    } images[] = {{WIDE, HIGH, AG_STORAGE_FULL, false},    {48, 640, AG_STORAGE_FULL, false},
                  {1, 601, AG_STORAGE_FULL, false},        {WIDE, HIGH, AG_STORAGE_FULL, true},
                  {WIDE, HIGH, AG_STORAGE_COMPACT, false}, {64, 608, AG_STORAGE_COMPACT, true}};
    table t = table_of(*state, "halves", 95);
    t.share = sweep_start("halves", 24);
    for (size_t i = 0; i < COUNT(images); ++i)
        for (int border = 0; border < 4; ++border) {
            convolving c = {.name = images[i].large ? "large centre" : "small centre",
                            .width = images[i].width,
                            .height = images[i].height,
                            .kernel_width = KW,
                            .kernel_height = KH,
                            .src_format = "rgba16f",
                            .dst_format = "rgba16f",
                            .kernel_format = border % 2 ? "r32f" : "rgba16f",
                            .settings =
                                *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = border,
                                                    .normalize = 1, .storage = images[i].storage),
                            .reshape = images[i].large ? large_centre : NULL};
            table_row(&t, &c);
        }
    table_end(&t);
}

// A trial of WIDE x HIGH texels, clamped, with a small centre weight. The caller frees `s`.
static trial halves_trial(fixture *f, const char *name, rng *r, scene *s,
                          ag_convolve_settings *settings)
{
    *s = (scene){values_noise(r, "rgba16f", WIDE, HIGH, -1, 1),
                 values_noise(r, "r32f", KW, KH, -1, 1)};
    small_centre(s->kernel, KW, KH, 1);
    *settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = AG_BORDER_CLAMP);
    return convolving_of(f, name, trial_image("rgba16f", WIDE, HIGH, s->src),
                         trial_image("r32f", KW, KH, s->kernel),
                         trial_image("rgba16f", WIDE, HIGH, NULL), settings);
}

// The number of texels whose alpha is in scratch after a run, where the R2C row pass stores it: the
// last words that are written are those of the last pair of rows.
static int alphas_in_scratch(fixture *f, trial *t)
{
    const ag_plan *plan;
    CHECK_STATUS(f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    CHECK(strstr(plan->text, "src read once unless the centre weight is large") != NULL);
    uint64_t bytes = plan->scratch_bytes, last = bytes / 4;
    uint32_t *words = check_allocate(bytes);
    memset(words, 0xa5, bytes);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, words, GL_STATIC_DRAW);
    t->job.scratch = (ag_buffer){.struct_size = sizeof(ag_buffer), .name = buffer, .bytes = bytes};
    fixture_run(f, t->pass, &t->job);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    f->gl_transfer = true;
    f->gl.GetBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, words);
    f->gl_transfer = false;
    uint8_t *stored = texture_read_bytes(f, &t->textures[SRC], 0);
    const uint16_t *halves = (const uint16_t *)(const void *)stored;
    while (last > 0 && words[last - 1] == 0xa5a5a5a5u)
        --last;
    const uint32_t *first = words + last - (uint64_t)WIDE * PAIRS;
    int found = 0;
    for (int pair = 0; pair < PAIRS; ++pair)
        for (int x = 0; x < WIDE; ++x) {
            uint32_t upper = halves[4 * (2 * pair * WIDE + x) + 3], lower = 0;
            if (2 * pair + 1 < HIGH) // the last row has no partner
                lower = halves[4 * ((2 * pair + 1) * WIDE + x) + 3];
            found += first[pair * WIDE + x] == (upper | lower << 16);
        }
    free(stored);
    free(words);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    f->gl.DeleteBuffers(1, &buffer);
    t->job.scratch = (ag_buffer){.struct_size = sizeof(ag_buffer)};
    return found;
}

// Alpha is stored behind the spectra of three channels if the centre weight is small, and not at
// all otherwise; also where the storage changes and the kernel does not.
void test_halves_alpha(void **state)
{
    fixture *f = *state;
    rng r = rng_start("halves, alpha", 96);
    ag_convolve_settings settings;
    scene s;
    trial t = halves_trial(f, "alpha", &r, &s, &settings);
    trial_make(&t);
    for (int i = 0; i < 5; ++i) {
        bool large = i == 4;
        settings.storage = i % 2 ? AG_STORAGE_COMPACT : AG_STORAGE_FULL;
        s.kernel[KH / 2 * KW + KW / 2] = large ? 5 : 0.0005; // small for either storage
        if (i == 0 || large) {
            texture_upload(f, &t.textures[KERNEL], 0, s.kernel);
            ++t.views[KERNEL].version;
        }
        int found = alphas_in_scratch(f, &t);
        CHECK(check_case(large ? "a large centre: no alpha in scratch"
                               : "a small centre: alpha of every pair of rows",
                         large ? found < WIDE : found == WIDE * PAIRS));
    }
    trial_free(&t);
    scene_free(&s);
}

static GLuint mutable_halves(fixture *f, const double *values)
{
    GLuint name = 0;
    float *pixels = check_allocate(sizeof *pixels * 4 * HALVES);
    for (int i = 0; i < 4 * HALVES; ++i)
        pixels[i] = (float)values[i];
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, WIDE, HIGH, 0, GL_RGBA, GL_FLOAT, pixels);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(pixels);
    return name;
}

// Through an image unit (textures without a view), in rectangles and layers; and a texture and an
// array of one layer in turns under one pass: what is prepared for the one must not serve the
// other, as a texture unit has a target for each.
void test_halves_ways(void **state)
{
    enum { BW = WIDE + 11, BH = HIGH + 5, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("halves, ways", 97);
    ag_convolve_settings settings;
    scene s;
    trial t = halves_trial(f, "texture", &r, &s, &settings);
    bool good = trial_check(&t);
    trial u = t; // an array of one layer, by the same pass and kernel
    u.name = "array";
    u.own_pass = false;
    u.slots[SRC].layers = u.slots[DST].layers = 1;
    u.slots[KERNEL].own = &t.textures[KERNEL];
    memset(u.textures, 0, sizeof u.textures);
    memset(u.held, 0, sizeof u.held);
    memset(u.got, 0, sizeof u.got);
    trial_make(&u);
    CHECK_STATUS(f->ag->execute(u.pass, &u.job, NULL), AG_E_STATE);
    host_log_clear(&f->host);
    for (int i = 0; i < 2; ++i)
        good = trial_check(&u) && trial_check(&t) && good;
    trial_free(&u);

    GLuint viewed = t.views[SRC].name, name = mutable_halves(f, s.src);
    t.name = "without a view";
    t.views[SRC].name = name;
    good = trial_check(&t) && good;
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    t.views[SRC].name = viewed;
    trial_free(&t);

    double *big = check_doubles(4 * BW * BH * LAYERS);
    for (int i = 0; i < 4 * BW * BH * LAYERS; ++i) {
        int texel = i / 4 % (BW * BH), x = texel % BW - 7, y = texel / BW - 2;
        bool inside = x >= 0 && y >= 0 && x < WIDE && y < HIGH;
        double part = i / (4 * BW * BH) == 1 ? 0.5 : 1;
        big[i] = inside ? part * s.src[4 * (y * WIDE + x) + i % 4] : i % 3 ? 60000 : (double)NAN;
    }
    t.name = "rectangles in layers";
    t.slots[SRC] = (trial_slot){"rgba16f", BW, BH, LAYERS, 1, big, 7, 2, WIDE, HIGH, 1, 2, 0, NULL};
    t.slots[DST] =
        (trial_slot){"rgba16f", BW, BH, LAYERS, 1, NULL, 3, 5, WIDE, HIGH, 0, 2, 0, NULL};
    good = trial_check(&t) && good;
    trial_free(&t);
    free(big);
    scene_free(&s);
    CHECK(good);
}

// Non-finite texels become zero, alpha included, and are counted once. With scrub off their alpha
// is copied.
void test_halves_scrub(void **state)
{
    enum { BAD = 12 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("halves, scrub", 98);
    bool good = true;
    sweep *share = sweep_start("halves, scrubbed", 4);
    for (int border = 0; border < 4; ++border) {
        if (!sweep_takes(share))
            continue;
        ag_convolve_settings settings;
        scene s;
        trial t = halves_trial(f, "scrub", &r, &s, &settings);
        for (int i = 0; i < BAD; ++i) {
            int texel = i == 0 ? 0 : i == 1 ? HALVES - 1 : i == 2 ? WIDE - 1 : 1 + 2111 * i;
            s.src[4 * texel + i % 4] = bad[i / 4];
        }
        settings.border = border;
        t.left_out = 0.75;
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        settings.scrub = 0;
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        trial_free(&t);
        scene_free(&s);
    }
    CHECK(good);
}
