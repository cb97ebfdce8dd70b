// bloom_fits.c - frames whose lines are too long for an FFT at full resolution
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

#include "core/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESOLUTIONS = 4 };
static const char *const names[RESOLUTIONS] = {"full", "half", "quarter", "auto"};

typedef struct answer {
    bool fits;
    uint64_t scratch;
    char text[512]; // of the plan, or why there is none
} answer;

static ag_texture declared(int width, int height)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .target = GL_TEXTURE_2D,
                        .format = GL_RGBA16F,
                        .width = width,
                        .height = height,
                        .layers = 1};
}

static answer declare(fixture *f, ag_pass *pass, const ag_bloom_settings *s, int width, int height,
                      int plan_width, int plan_height)
{
    answer a = {0};
    const ag_plan *plan = NULL;
    ag_texture slots[3] = {declared(width, height), texture_no_view(), declared(width, height)};
    ag_job job = blooming_job(slots, s);
    job.plan_width = plan_width;
    job.plan_height = plan_height;
    host_log_clear(&f->host);
    ag_status status = f->ag->declare(pass, &job, &plan);
    CHECK(status == AG_OK || status == AG_E_SIZE);
    a.fits = status == AG_OK;
    a.scratch = a.fits ? plan->scratch_bytes : 0;
    snprintf(a.text, sizeof a.text, "%s", a.fits ? plan->text : host_log_last(&f->host));
    return a;
}

// auto fits where any resolution does, and is planned as the finest until it knows which. A refusal
// names the finest resolution that fits, and none where none does.
static bool is_right(const answer a[RESOLUTIONS])
{
    int finest = a[0].fits ? 0 : a[1].fits ? 1 : a[2].fits ? 2 : -1;
    bool right = a[3].fits == (finest >= 0);
    if (finest >= 0)
        right &= strcmp(a[3].text, a[finest].text) == 0;
    for (int i = 0; i < RESOLUTIONS; ++i) {
        char way[64];
        snprintf(way, sizeof way, "resolution = %s%s fits", names[finest < 0 ? 0 : finest],
                 i ? "" : " or auto");
        if (!a[i].fits && finest > i)
            right &= strstr(a[i].text, way) != NULL;
        if (!a[i].fits && finest < 0)
            right &= strstr(a[i].text, "resolution") == NULL;
        right &= a[i].fits || strstr(a[i].text, "; the limit is 8192") ||
                 strstr(a[i].text, "; this context's ");
    }
    return right;
}

void test_bloom_fits_plans(void **state)
{
    static const int sides[] = {1,    16,   1080, 2160, 3840,  4320,
                                5000, 7680, 8192, 8200, 10240, 16384};
    static const float sizes[] = {0.02f, 0.3f, 1, 2};
    enum { SIDES = sizeof sides / sizeof *sides, SIZES = sizeof sizes / sizeof *sizes };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    uint32_t cases = 0, at[RESOLUTIONS] = {0}, wrong = 0;
    sweep *share = sweep_start("fits plans", 8);
    for (int k = 0; k < SIDES * SIDES * SIZES * 3; ++k) {
        if (!sweep_takes(share))
            continue;
        int width = sides[k % SIDES], height = sides[k / SIDES % SIDES];
        ag_bloom_settings s = blooming_defaults(f);
        s.size = sizes[k / (SIDES * SIDES) % SIZES];
        s.shape = (int[]){AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE,
                          AG_BLOOM_ANAMORPHIC}[k / (SIDES * SIDES * SIZES)];
        bool several = k % 5 == 0; // planned for a larger size
        answer a[RESOLUTIONS];
        for (int i = 0; i < RESOLUTIONS; ++i) {
            s.resolution = i;
            a[i] = declare(f, pass, &s, width, height, several ? width + 200 : 0,
                           several ? height + 100 : 0);
        }
        int finest = a[0].fits ? 0 : a[1].fits ? 1 : a[2].fits ? 2 : 3;
        ++at[finest];
        ++cases;
        if (is_right(a))
            continue;
        ++wrong;
        printf("  FAIL  %dx%d, size %g, shape %d:\n", width, height, (double)s.size, s.shape);
        for (int i = 0; i < RESOLUTIONS; ++i)
            printf("        %s: %s, %llu bytes: %s\n", names[i], a[i].fits ? "fits" : "refused",
                   (unsigned long long)a[i].scratch, a[i].text);
    }
    printf(
        "  %u cases: the finest that fits is full in %u, half in %u, quarter in %u, none in %u\n",
        cases, at[0], at[1], at[2], at[3]);
    CHECK_EQ(wrong, 0);
    CHECK(at[0] && at[1] && at[2] && at[3]);
    f->ag->pass_destroy(pass);
}

// transition keeps the full resolution: the way out is another setting, too.
void test_bloom_fits_transition(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    ag_bloom_settings s = blooming_defaults(f);
    s.transition = 30;
    answer a = declare(f, pass, &s, 8200, 64, 0, 0);
    printf("  %s\n", a.text);
    CHECK(!a.fits);
    CHECK_HAS(a.text, "resolution = half or auto fits, with transition = 0");
    f->ag->pass_destroy(pass);
}

// auto never takes a resolution that needs more scratch than it was planned with: the host has lent
// that. Of this narrow frame half costs least, but needs more; quarter does, too.
void test_bloom_fits_scratch(void **state)
{
    enum { W = 16, H = 2160 };
    fixture *f = *state;
    ag_tuning *tuning = ag_device_tuning(f->device);
    tuning->dispatch_bytes = 1;
    ag_pass *pass = fixture_pass(f, "bloom");
    ag_bloom_settings s = blooming_defaults(f);
    s.size = 2;
    texture src = texture_create(f, "rgba16f", W, H, NULL);
    texture dst = texture_create(f, "rgba16f", W, H, NULL);
    uint64_t needs[RESOLUTIONS];
    for (int i = 0; i < RESOLUTIONS; ++i) {
        s.resolution = i;
        needs[i] = declare(f, pass, &s, W, H, 0, 0).scratch;
    }
    CHECK(needs[1] > needs[0] && needs[2] > needs[0] && needs[3] == needs[0]);
    GLuint lent = 0;
    f->gl.GenBuffers(1, &lent);
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, lent);
    f->gl.BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)needs[3], NULL, GL_DYNAMIC_COPY);
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    ag_texture slots[3] = {texture_view(&src), texture_no_view(), texture_view(&dst)};
    ag_job job = blooming_job(slots, &s);
    job.scratch = (ag_buffer){.struct_size = sizeof(ag_buffer), .name = lent, .bytes = needs[3]};
    fixture_run(f, pass, &job);
    f->ag->pass_destroy(pass);
    f->gl.DeleteBuffers(1, &lent);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
    tuning->dispatch_bytes = 0;
}

// auto executes what fits, also where that does not keep its 50 dB (`much`).
void test_bloom_fits_executes(void **state)
{
    static const struct {
        const char *name;
        int width, height, shape;
        float size, intensity;
        bool much;
    } cases[] = {{"wide", 8200, 24, AG_BLOOM_GAUSSIAN, 2, 1, false},
                 {"tall", 24, 8200, AG_BLOOM_GAUSSIAN, 0.006f, 1, false},
                 {"narrow", 8200, 24, AG_BLOOM_GAUSSIAN, 0.1f, 1, true}};
    fixture *f = *state;
    rng r = rng_start("bloom fits", 8192);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int w = cases[i].width, h = cases[i].height;
        size_t count = (size_t)w * (size_t)h;
        double *src = blooming_scene(&r, "r32f", w, h, 0.01, 1000);
        ag_pass *pass = fixture_pass(f, "bloom");
        blooming c = bloom_base(f, cases[i].name, src);
        c.src_format = c.dst_format = "r32f";
        c.width = w;
        c.height = h;
        c.settings.shape = cases[i].shape;
        c.settings.size = cases[i].size;
        c.settings.intensity = cases[i].intensity;
        c.settings.output = AG_BLOOM_ONLY;
        c.settings.resolution = AG_BLOOM_AUTO;
        double *got = blooming_run(f, pass, &c);
        c.settings.resolution = AG_BLOOM_HALF;
        double *half = blooming_run(f, pass, &c);
        CHECK_LIMIT("auto differs from half by", check_max_error(got, half, count), 0);
        if (!cases[i].much) {
            int extent = blooming_extent((double)cases[i].size, h);
            double *k = blooming_gaussian((double)cases[i].size, h);
            bloomed m = blooming_measure(&c, k, extent, extent, 1, got);
            printf("  %s %dx%d: %.1f dB\n", cases[i].name, w, h, m.snr);
            CHECK_LIMIT("50 dB over the SNR", 50 / m.snr, 1);
            free(k);
        }
        f->ag->pass_destroy(pass);
        free(got);
        free(half);
        free(src);
    }
}
