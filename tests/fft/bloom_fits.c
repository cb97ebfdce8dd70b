// bloom_fits.c - frames whose lines are too long for an FFT at full resolution
// SPDX-License-Identifier: MIT
#include "core/tuning.h"
#include "test_bloom.h"

enum { AUTO = AG_BLOOM_AUTO, RESOLUTIONS };
static const char *const names[RESOLUTIONS] = {"full", "half", "quarter", "eighth", "auto"};

typedef struct answer {
    bool fits;
    uint64_t scratch;
    char text[512]; // of the plan, or why there is none
} answer;

static answer declare(fixture *f, ag_pass *pass, const ag_bloom_settings *s, int width, int height,
                      bool several)
{
    answer a = {0};
    const ag_plan *plan = NULL;
    ag_bloom_settings settings;
    trial t = trial_of(f, "bloom", "plan", &settings, sizeof settings);
    t.pass = pass;
    settings = *s;
    trial_make(&t);
    t.views[SRC] = t.views[DST] = (ag_texture){.struct_size = sizeof(ag_texture),
                                               .target = GL_TEXTURE_2D,
                                               .format = GL_RGBA16F,
                                               .width = width,
                                               .height = height,
                                               .layers = 1};
    t.job.plan_width = several ? width + 200 : 0;
    t.job.plan_height = several ? height + 100 : 0;
    host_log_clear(&f->host);
    ag_status status = f->ag->declare(pass, &t.job, &plan);
    CHECK(status == AG_OK || status == AG_E_SIZE);
    a.fits = status == AG_OK;
    a.scratch = a.fits ? plan->scratch_bytes : 0;
    snprintf(a.text, sizeof a.text, "%s", a.fits ? plan->text : host_log_last(&f->host));
    return a;
}

// auto fits where any resolution does, and is planned as the finest until it knows which. A refusal
// names those that fit, the finest first, and none where none does.
static bool is_right(const answer a[RESOLUTIONS], int finest)
{
    bool right = a[AUTO].fits == (finest < AUTO);
    if (finest < AUTO)
        right &= strncmp(a[AUTO].text, names[finest], strlen(names[finest])) == 0;
    for (int i = 0; i < RESOLUTIONS; ++i) {
        char way[64];
        snprintf(way, sizeof way, "; set resolution to %s", names[finest]);
        if (!a[i].fits && finest < AUTO && finest > i)
            right &= strstr(a[i].text, way) && strstr(a[i].text, " or auto");
        if (!a[i].fits && finest == AUTO)
            right &= strstr(a[i].text, "resolution") == NULL;
        right &= a[i].fits || strstr(a[i].text, "; the limit is 8192") ||
                 strstr(a[i].text, "; this context's ");
    }
    return right;
}

void test_bloom_fits_plans(void **state)
{
    static const int sides[] = {1, 16, 1080, 2160, 4320, 5000, 8192, 8200, 16384};
    static const float sizes[] = {0.02f, 0.3f, 1, 2};
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    enum { SIDES = COUNT(sides), SIZES = COUNT(sizes) };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    uint32_t at[RESOLUTIONS] = {0}, wrong = 0;
    sweep *share = sweep_start("fits plans", 8);
    for (int k = 0; k < SIDES * SIDES * SIZES * 3; ++k) {
        int width = sides[k % SIDES], height = sides[k / SIDES % SIDES];
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s = AG_BLOOM_DEFAULTS;
        s.size = sizes[k / (SIDES * SIDES) % SIZES];
        s.shape = shapes[k / (SIDES * SIDES * SIZES)];
        answer a[RESOLUTIONS];
        int finest = AUTO;
        for (int i = RESOLUTIONS - 1; i >= 0; --i) {
            s.resolution = i;
            a[i] = declare(f, pass, &s, width, height, k % 5 == 0);
            finest = i < AUTO && a[i].fits ? i : finest;
        }
        ++at[finest];
        if (is_right(a, finest))
            continue;
        ++wrong;
        printf("  FAIL  %dx%d, size %g, shape %d:\n", width, height, (double)s.size, s.shape);
        for (int i = 0; i < RESOLUTIONS; ++i)
            printf("        %s: %s: %s\n", names[i], a[i].fits ? "fits" : "refused", a[i].text);
    }
    printf(
        "  note  the finest that fits is full in %u, half in %u, quarter in %u, eighth in %u, none "
        "in %u\n",
        at[0], at[1], at[2], at[3], at[AUTO]);
    CHECK_EQ(wrong, 0);
    CHECK(check_tier_now() != CHECK_QUICK || (at[0] && at[1] && at[2])); // a part may be few
    // transition keeps the full resolution: the way out is another setting, too.
    ag_bloom_settings s = *ag_bloom_params(.transition = 30);
    answer a = declare(f, pass, &s, 8200, 64, false);
    CHECK_HAS(a.text, "; set resolution to half, quarter, eighth or auto, with transition = 0");
    f->ag->pass_destroy(pass);
}

// auto never takes a resolution that needs more scratch than it was planned with: the host has lent
// that. Of this narrow frame a quarter costs least, but a half needs more.
void test_bloom_fits_scratch(void **state)
{
    enum { NARROW = 16, HIGH = 2160 };
    fixture *f = *state;
    ag_tuning *tuning = ag_device_tuning(f->device);
    tuning->dispatch_bytes = 1;
    ag_bloom_settings s;
    trial t = blooming_of(f, "scratch", NARROW, HIGH, NULL, &s);
    blooming_formats(&t, "rgba16f", "rgba16f");
    t.lend = true;
    s = *ag_bloom_params(.shape = AG_BLOOM_GAUSSIAN, .size = 2);
    trial_make(&t);
    uint64_t needs[RESOLUTIONS];
    for (int i = 0; i < RESOLUTIONS; ++i) {
        s.resolution = i;
        needs[i] = declare(f, t.pass, &s, NARROW, HIGH, false).scratch;
    }
    CHECK(needs[1] > needs[0] && needs[AUTO] == needs[0]);
    trial_run(&t); // auto
    trial_free(&t);
    tuning->dispatch_bytes = 0;
}

// A named eighth of a star whose rays are too thin for it is a quarter, in every byte, and the plan
// says so; also where only the largest frame planned for is high enough.
void test_bloom_fits_rays(void **state)
{
    static const struct {
        int shape, height;
        float size, dispersion;
        bool several, falls;
    } cases[] = {{AG_BLOOM_APERTURE, 1080, 0.45f, 1, false, true},
                 {AG_BLOOM_APERTURE, 2160, 0.45f, 1, false, false},
                 {AG_BLOOM_STAR, 2160, 0.44f, 1, false, true},
                 {AG_BLOOM_STAR, 2160, 0.37f, 0, false, false},
                 {AG_BLOOM_ANAMORPHIC, 1080, 0.45f, 1, false, true},
                 {AG_BLOOM_ANAMORPHIC, 2160, 0.45f, 1, false, false},
                 {AG_BLOOM_APERTURE, 2100, 0.45f, 1, false, true},
                 {AG_BLOOM_APERTURE, 2100, 0.45f, 1, true, false},
                 {AG_BLOOM_GAUSSIAN, 1080, 0.1f, 1, false, false}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_bloom_settings s = *ag_bloom_params(.shape = cases[i].shape, .size = cases[i].size,
                                               .dispersion = cases[i].dispersion);
        s.resolution = AG_BLOOM_EIGHTH;
        answer eighth = declare(f, pass, &s, 640, cases[i].height, cases[i].several);
        s.resolution = AG_BLOOM_QUARTER;
        answer quarter = declare(f, pass, &s, 640, cases[i].height, cases[i].several);
        CHECK(eighth.fits && quarter.fits);
        if (cases[i].falls)
            CHECK_HAS(eighth.text, "quarter resolution (rays too thin for an eighth), ");
        else
            CHECK_HAS(eighth.text, "eighth resolution, ");
        CHECK((eighth.scratch == quarter.scratch) == cases[i].falls);
    }
    f->ag->pass_destroy(pass);
}

// auto executes what fits: half, also where that does not keep its 50 dB (`much`).
void test_bloom_fits_executes(void **state)
{
    static const struct {
        const char *name;
        int width, height;
        float size;
        bool much;
    } cases[] = {{"wide", 8200, 24, 2, false},
                 {"tall", 24, 8200, 0.006f, false},
                 {"narrow", 8200, 24, 0.1f, true}};
    fixture *f = *state;
    rng r = rng_start("bloom fits", 8192);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        int w = cases[i].width, h = cases[i].height;
        double *src = blooming_scene(&r, "r32f", w, h, 0.01, 1000);
        ag_bloom_settings s = bloom_settings(f, AG_BLOOM_HALF, AG_BLOOM_ONLY), given;
        s.size = cases[i].size;
        double *half = bloom_run(f, pass, "r32f", w, h, src, &s);
        trial t = blooming_of(f, cases[i].name, w, h, src, &given);
        given = s;
        given.resolution = AG_BLOOM_AUTO;
        blooming_formats(&t, "r32f", "r32f");
        t.pass = pass;
        t.limit = (double)INFINITY;
        t.snr = cases[i].much ? 0 : 50;
        good = trial_check(&t) && (cases[i].much || values_same(t.got[DST], half, w * h)) && good;
        trial_free(&t);
        free(half);
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
