// convolve_contract_halves.c - RGBA16F to RGBA16F, where alpha is stored beside the spectra
// SPDX-License-Identifier: MIT
//
// See PLAIN of shaders/fft/rows_c2r.comp. The images have so many rows that a work group computes
// all channels, one after the other. Images with fewer rows have one work group per channel, and
// read src again.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_convolve_contract.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = 45, H = 607, KW = 9, KH = 7, TEXELS = W * H };

// Results against exact arithmetic: every border, rows and columns with and without padding,
// kernels with a small centre weight, and one with a large centre weight, which the general C2R row
// pass computes.
static void enlarge_centre(double *kernel, int width, int height, int channels)
{
    for (int c = 0; c < channels; ++c)
        kernel[(height / 2 * width + width / 2) * channels + c] = 60;
}

void test_halves(void **state)
{
    static const struct {
        int width, height, storage;
        bool large_centre;
    } images[] = {{W, H, AG_STORAGE_FULL, false},    {48, 640, AG_STORAGE_FULL, false},
                  {1, 601, AG_STORAGE_FULL, false},  {W, H, AG_STORAGE_FULL, true},
                  {W, H, AG_STORAGE_COMPACT, false}, {64, 608, AG_STORAGE_COMPACT, true}};
    fixture *f = *state;
    rng r = rng_start("halves", 95);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("halves", 12);
    for (size_t i = 0; i < COUNT(images); ++i)
        for (int border = 0; border < 4; ++border) {
            if (!sweep_takes(share))
                continue;
            convolving c = {.name = images[i].large_centre ? "large_centre" : "small_centre",
                            .width = images[i].width,
                            .height = images[i].height,
                            .kernel_width = KW,
                            .kernel_height = KH,
                            .src_format = "rgba16f",
                            .dst_format = "rgba16f",
                            .kernel_format = border % 2 ? "r32f" : "rgba16f",
                            .settings =
                                *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = border,
                                                    .normalize = 1, .scrub = 1,
                                                    .storage = images[i].storage),
                            .reshape = images[i].large_centre ? enlarge_centre : NULL};
            good = convolving_check(f, pass, &c, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- what is stored, to the bit ----------------------------------------------------------------

typedef struct scene {
    double *src, *kernel;
} scene;

static scene scene_of(rng *r)
{
    scene s = {contract_noise(r, W, H, 4), contract_noise(r, KW, KH, 1)};
    for (int i = 0; i < KW * KH; ++i)
        s.kernel[i] = fabs(s.kernel[i]) / 32 + 0.001;
    texture_quantise("r32f", s.kernel, KW * KH);
    texture_quantise("rgba16f", s.src, TEXELS);
    return s;
}

static void scene_free(scene *s)
{
    free(s->src);
    free(s->kernel);
}

static void open_halves(fixture *f, contract *c, const scene *s)
{
    contract_adopt(c, texture_create(f, "rgba16f", W, H, s->src),
                   texture_create(f, "r32f", KW, KH, s->kernel),
                   texture_create(f, "rgba16f", W, H, NULL));
    c->settings.method = AG_CONVOLVE_FFT;
    c->settings.border = AG_BORDER_CLAMP;
}

// The number of texels whose alpha is in scratch after a run, where the R2C row pass stores it.
static int alphas_in_scratch(fixture *f, ag_pass *pass, contract *c, const char *name)
{
    const ag_plan *plan;
    CHECK_STATUS(f->ag->declare(pass, &c->job, &plan), AG_OK);
    CHECK(strstr(plan->text, "src read once unless the centre weight is large") != NULL);
    uint64_t bytes = plan->scratch_bytes;
    uint32_t *words = malloc(bytes);
    CHECK(words != NULL);
    memset(words, 0xa5, bytes);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, words, GL_STATIC_DRAW);
    c->job.scratch = (ag_buffer){.struct_size = sizeof(ag_buffer), .name = buffer, .bytes = bytes};
    fixture_run(f, pass, &c->job);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    f->gl_transfer = true;
    f->gl.GetBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, words);
    f->gl_transfer = false;
    uint8_t *stored = texture_read_bytes(f, &c->src, 0);
    // The last words that were written are those of the last pair of rows. The rest is unused.
    int found = 0;
    uint64_t last = bytes / 4;
    const uint16_t *halves = (const uint16_t *)(const void *)stored;
    uint32_t corner = halves[4 * ((H - 1) * W + W - 1) + 3]; // the last row has no partner
    while (last > 0 && words[last - 1] == 0xa5a5a5a5u)
        --last;
    const uint32_t *first = words + last - (uint64_t)W * ((H + 1) / 2);
    for (int pair = 0; pair < (H + 1) / 2; ++pair)
        for (int x = 0; x < W; ++x) {
            uint32_t upper = halves[4 * (2 * pair * W + x) + 3], lower = 0;
            if (2 * pair + 1 < H)
                lower = halves[4 * ((2 * pair + 1) * W + x) + 3];
            found += first[pair * W + x] == (upper | lower << 16);
        }
    printf("  note  %s: the last word written is %08x, alpha of the last texel %04x\n", name,
           words[last - 1], corner);
    free(stored);
    free(words);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    f->gl.DeleteBuffers(1, &buffer);
    c->job.scratch = (ag_buffer){.struct_size = sizeof(ag_buffer)};
    return found;
}

// Alpha is stored behind the spectra of three channels if the centre weight is small, and not at
// all otherwise.
void test_alpha_apart(void **state)
{
    fixture *f = *state;
    rng r = rng_start("alpha apart", 96);
    scene s = scene_of(&r);
    for (int i = 0; i < 4; ++i) {
        bool large_centre = i % 2, compact = i / 2;
        ag_pass *pass = fixture_pass(f, "convolve");
        s.kernel[KH / 2 * KW + KW / 2] = large_centre ? 5 : 0.0005;
        contract c;
        open_halves(f, &c, &s);
        c.settings.storage = compact ? AG_STORAGE_COMPACT : AG_STORAGE_FULL;
        char name[64];
        snprintf(name, sizeof name, "%s%s kernel", compact ? "compact, " : "",
                 large_centre ? "large_centre" : "small_centre");
        int found = alphas_in_scratch(f, pass, &c, name);
        CHECK(check_case(large_centre ? "large_centre: no alpha in scratch"
                                      : "small_centre: alpha of every pair of rows",
                         large_centre ? found < W : found == W * ((H + 1) / 2)));
        contract_close(f, &c);
        f->ag->pass_destroy(pass);
    }
    scene_free(&s);
}

// Through an image unit (textures without a view), in rectangles, in layers: the same bits, and
// alpha is src's.
static uint8_t *rows_of(fixture *f, const texture *t, int layer, int x, int y)
{
    uint8_t *all = texture_read_bytes(f, t, 0), *part = malloc((size_t)8 * TEXELS);
    CHECK(part != NULL);
    for (int row = 0; row < H; ++row)
        memcpy(part + (size_t)8 * W * (size_t)row,
               all + (size_t)8 * (size_t)((layer * t->height + y + row) * t->width + x), 8 * W);
    free(all);
    return part;
}

static bool same_rows(const char *name, const uint8_t *want, uint8_t *got)
{
    bool same = memcmp(want, got, (size_t)8 * TEXELS) == 0;
    free(got);
    return check_case(name, same);
}

static GLuint mutable_halves(fixture *f, const double *values)
{
    GLuint name = 0;
    float *pixels = malloc(sizeof *pixels * 4 * TEXELS);
    CHECK(pixels != NULL);
    for (int i = 0; i < 4 * TEXELS; ++i)
        pixels[i] = (float)values[i];
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, W, H, 0, GL_RGBA, GL_FLOAT, pixels);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(pixels);
    return name;
}

void test_halves_ways(void **state)
{
    enum { BW = W + 11, BH = H + 5, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("halves, ways", 97);
    scene s = scene_of(&r);
    ag_pass *pass = fixture_pass(f, "convolve");
    contract c, d;
    open_halves(f, &c, &s);
    fixture_run(f, pass, &c.job);
    uint8_t *want = texture_read_bytes(f, &c.dst, 0), *src = texture_read_bytes(f, &c.src, 0);
    int alphas = 0;
    for (int i = 0; i < TEXELS; ++i)
        alphas += memcmp(want + 8 * i + 6, src + 8 * i + 6, 2) == 0;
    bool good = check_case("alpha is src's, every bit", alphas == TEXELS);

    GLuint name = mutable_halves(f, s.src), viewed = c.slots[0].name;
    texture_poison(f, &c.dst);
    c.slots[0].name = name;
    fixture_run(f, pass, &c.job);
    good = same_rows("without a view", want, texture_read_bytes(f, &c.dst, 0)) && good;
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    c.slots[0].name = viewed;

    double *big = calloc((size_t)BW * BH * 4, sizeof *big);
    CHECK(big != NULL);
    for (int i = 0; i < BW * BH * 4; ++i)
        big[i] = i % 3 ? 60000 : (double)NAN;
    for (int y = 0; y < H; ++y)
        memcpy(big + 4 * ((y + 2) * BW + 7), s.src + 4 * y * W, sizeof *big * 4 * W);
    contract_adopt(&d, texture_create(f, "rgba16f", BW, BH, big),
                   texture_create(f, "r32f", KW, KH, s.kernel),
                   texture_create(f, "rgba16f", BW, BH, NULL));
    d.settings = c.settings;
    d.slots[0].rect_x = 7;
    d.slots[0].rect_y = 2;
    d.slots[2].rect_x = 3;
    d.slots[2].rect_y = 5;
    d.slots[0].rect_width = d.slots[2].rect_width = W;
    d.slots[0].rect_height = d.slots[2].rect_height = H;
    fixture_run(f, pass, &d.job);
    good = same_rows("rectangles", want, rows_of(f, &d.dst, 0, 3, 5)) && good;
    CHECK_EQ(texture_poison_count(f, &d.dst, 0, 0, 0, 0, 0), BW * BH - W * H);
    contract_close(f, &d);
    free(big);

    double *layers = malloc(sizeof *layers * LAYERS * 4 * TEXELS);
    CHECK(layers != NULL);
    for (int i = 0; i < LAYERS * 4 * TEXELS; ++i)
        layers[i] = s.src[i % (4 * TEXELS)] * (i / (4 * TEXELS) == 1 ? 0.5 : 1);
    contract_adopt(&d, texture_create_array(f, "rgba16f", W, H, LAYERS, 1, layers),
                   texture_create(f, "r32f", KW, KH, s.kernel),
                   texture_create_array(f, "rgba16f", W, H, LAYERS, 1, NULL));
    d.settings = c.settings;
    d.slots[0].first_layer = 1;
    d.slots[2].first_layer = 0;
    d.slots[0].layers = d.slots[2].layers = 2;
    fixture_run(f, pass, &d.job);
    good = same_rows("the second of two layers", want, rows_of(f, &d.dst, 1, 0, 0)) && good;
    uint8_t *first = rows_of(f, &d.dst, 0, 0, 0);
    good = check_case("the first is another", memcmp(first, want, (size_t)8 * TEXELS) != 0) && good;
    free(first);
    contract_close(f, &d);
    free(layers);

    free(want);
    free(src);
    contract_close(f, &c);
    f->ag->pass_destroy(pass);
    scene_free(&s);
    CHECK(good);
}

// A texture and an array of one layer take turns under one pass: what is prepared for the one must
// not serve the other, as a texture unit has a target for each.
void test_halves_targets(void **state)
{
    fixture *f = *state;
    rng r = rng_start("halves, targets", 99);
    scene s = scene_of(&r);
    ag_pass *pass = fixture_pass(f, "convolve");
    contract flat, array;
    open_halves(f, &flat, &s);
    contract_adopt(&array, texture_create_array(f, "rgba16f", W, H, 1, 1, s.src),
                   texture_create(f, "r32f", KW, KH, s.kernel),
                   texture_create_array(f, "rgba16f", W, H, 1, 1, NULL));
    array.settings = flat.settings;
    array.slots[1] = flat.slots[1]; // otherwise the kernel's textures would differ, too
    fixture_run(f, pass, &flat.job);
    CHECK_STATUS(f->ag->execute(pass, &array.job, NULL), AG_E_STATE);
    host_log_clear(&f->host);
    uint8_t *want = texture_read_bytes(f, &flat.dst, 0);
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        fixture_run(f, pass, &array.job);
        good =
            same_rows("an array of one layer", want, texture_read_bytes(f, &array.dst, 0)) && good;
        fixture_run(f, pass, &flat.job);
        good = same_rows("a texture again", want, texture_read_bytes(f, &flat.dst, 0)) && good;
    }
    free(want);
    contract_close(f, &array);
    contract_close(f, &flat);
    f->ag->pass_destroy(pass);
    scene_free(&s);
    CHECK(good);
}

// The storage changes, the kernel does not: its centre weight is small for both, and src is not
// needed.
void test_halves_storages(void **state)
{
    fixture *f = *state;
    rng r = rng_start("halves, storages", 100);
    scene s = scene_of(&r);
    s.kernel[KH / 2 * KW + KW / 2] = 0.0005; // small for either storage
    ag_pass *pass = fixture_pass(f, "convolve");
    contract c;
    open_halves(f, &c, &s);
    c.settings.normalize = 0;
    bool good = true;
    for (int i = 0; i < 4; ++i) {
        c.settings.storage = i % 2 ? AG_STORAGE_COMPACT : AG_STORAGE_FULL;
        int found = alphas_in_scratch(f, pass, &c, i % 2 ? "compact" : "full");
        good = check_case("alpha of every pair of rows", found == W * ((H + 1) / 2)) && good;
    }
    contract_close(f, &c);
    f->ag->pass_destroy(pass);
    scene_free(&s);
    CHECK(good);
}

// Non-finite texels become zero, alpha included, and are counted once. With scrub off their alpha
// is copied.
void test_halves_scrub(void **state)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("halves, scrub", 98);
    scene s = scene_of(&r);
    ag_pass *pass = fixture_pass(f, "convolve");
    double *values = malloc(sizeof *values * 4 * TEXELS);
    CHECK(values != NULL);
    memcpy(values, s.src, sizeof *values * 4 * TEXELS);
    enum { BAD = 12 };
    for (int i = 0; i < BAD; ++i) {
        int texel = i == 0 ? 0 : i == 1 ? TEXELS - 1 : i == 2 ? W - 1 : 1 + 2111 * i;
        values[4 * texel + i % 4] = bad[i / 4];
        memset(s.src + 4 * texel, 0, 4 * sizeof *s.src);
    }
    bool good = true;
    sweep *share = sweep_start("halves, scrubbed", 2);
    for (int border = 0; border < 4; ++border) {
        if (!sweep_takes(share))
            continue;
        contract a, b;
        open_halves(f, &b, &s);
        b.settings.border = border;
        fixture_run(f, pass, &b.job);
        uint64_t before = fixture_scrubbed(f);
        double *clean = s.src;
        s.src = values;
        open_halves(f, &a, &s);
        s.src = clean;
        a.settings.border = border;
        fixture_run(f, pass, &a.job);
        char name[80];
        uint64_t counted = fixture_scrubbed(f) - before;
        snprintf(name, sizeof name, "border %d: as zeros; counted %d of %d", border, (int)counted,
                 BAD);
        uint8_t *want = texture_read_bytes(f, &b.dst, 0);
        good = same_rows(name, want, texture_read_bytes(f, &a.dst, 0)) && counted == BAD && good;
        free(want);
        if (border == 0) {
            a.settings.scrub = 0;
            fixture_run(f, pass, &a.job);
            uint8_t *got = texture_read_bytes(f, &a.dst, 0),
                    *src = texture_read_bytes(f, &a.src, 0);
            const uint16_t *a16 = (const uint16_t *)(const void *)got,
                           *b16 = (const uint16_t *)(const void *)src;
            int same = 0;
            for (int i = 3; i < 4 * TEXELS; i += 4) // a NaN's payload is the driver's
                same +=
                    a16[i] == b16[i] || ((a16[i] & 0x7fff) > 0x7c00 && (b16[i] & 0x7fff) > 0x7c00);
            good = check_case("scrub off: alpha is src's, NaN and infinity too", same == TEXELS) &&
                   good;
            free(got);
            free(src);
        }
        contract_close(f, &a);
        contract_close(f, &b);
    }
    free(values);
    f->ag->pass_destroy(pass);
    scene_free(&s);
    CHECK(good);
}
