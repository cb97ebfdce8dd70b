// test_scrub.c - one bad texel never spoils a frame: scrub in every effect, with every choice
//
// The texels are no numbers, or finite, but sums over a line of them are not: 3e38, FLT_MAX, and
// some that cancel each other. What an effect makes of them is compared with what it makes of 0 in
// their places. Effects whose results are means or extremes keep such texels, because these never
// exceed the largest texel: there all results must be finite.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/downsample.h>
#include <afterglow/mipchain.h>
#include <afterglow/sat.h>

#include "jobs.h"
#include "random.h"

enum { WIDTH = JOB_WIDTH, HEIGHT = JOB_HEIGHT, PLACES = 4 };

static const int places[PLACES][2] = {{15, 11}, {16, 11}, {0, 0}, {WIDTH - 1, HEIGHT - 1}};

typedef struct pattern {
    const char *name;
    double values[PLACES]; // times the limit, where `limited`
    bool all_channels, limited, everywhere, kept, no_numbers;
} pattern;

static const pattern patterns[] = {
    {.name = "NaN, Inf", .values = {NAN, INFINITY, -INFINITY, NAN}, .no_numbers = true},
    {.name = "3e38", .values = {3e38, 3e38, 3e38, 3e38}, .all_channels = true},
    {.name = "+-FLT_MAX", .values = {FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX}},
    {.name = "-FLT_MAX", .values = {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX}, .all_channels = true},
    {.name = "the limit", .values = {1, -1, -1, 1}, .limited = true},
    {.name = "below the limit",
     .values = {0.99, 0.99, -0.99, 0.99},
     .all_channels = true,
     .limited = true,
     .kept = true},
    {.name = "all below the limit",
     .values = {0.99, 0.99, 0.99, 0.99},
     .all_channels = true,
     .limited = true,
     .everywhere = true,
     .kept = true},
};

// From which magnitude on texels count as 0; infinity: all finite ones are kept.
static double limit_of(const test_job *j)
{
    const char *id = j->info->id;
    if (!strcmp(id, "local_stats") || (!strcmp(id, "sat") && job_get(j, "square", 0) != 0))
        return 0x1p48;
    bool keeps = !strcmp(id, "depth_pyramid") || !strcmp(id, "soft_shadow");
    if (!strcmp(id, "mipchain"))
        keeps = job_get(j, "weight", 0) == AG_MIP_WEIGHT_NONE;
    if (!strcmp(id, "downsample")) // with positive weights of no texels
        keeps = job_get(j, "filter", 0) < AG_DOWN_BICUBIC && job_get(j, "weight", 0) == 0;
    return keeps ? (double)INFINITY : 0x1p64;
}

// ---- jobs --------------------------------------------------------------------------------------

static bool is_output(const test_job *j, uint32_t slot)
{
    return (job_slot_info(j->info, slot)->access & (AG_WRITE | AG_STATE)) && j->textures[slot].name;
}

static void replace(fixture *f, test_job *j, uint32_t slot, const char *format, const int size[3],
                    const double *values)
{
    texture *t = &j->textures[slot];
    int levels = t->levels > 1 ? texture_full_levels(size[0], size[1]) : 1;
    if (t->name)
        texture_destroy(f, t);
    *t = texture_create_array(f, format, size[0], size[1], size[2] > 1 ? size[2] : 0, levels,
                              values);
    j->slots[slot] = texture_view(t);
}

static void add_input(fixture *f, test_job *j, const char *name)
{
    uint32_t slot = job_slot(j, name);
    const ag_slot_info *info = job_slot_info(j->info, slot);
    bool rgba = false, state = info->access & AG_STATE;
    for (uint32_t i = 0; i < info->format_count; ++i)
        rgba |= info->formats[i] == GL_RGBA32F;
    bool one = !strcmp(name, "exposure"), taps = !strcmp(name, "taps");
    bool halves = !strcmp(name, "low") && job_get(j, "storage", 0) == AG_SAT_FLOAT32_RESIDUAL;
    int size[3] = {one ? 1 : taps ? 4 : WIDTH, one ? 1 : taps ? 2 : HEIGHT, 1};
    size_t count = (size_t)size[0] * (size_t)size[1] * (rgba ? 4 : 1);
    double *values = check_doubles(count);
    rng r = {77 + slot};
    rng_fill_uniform(&r, values, count, state ? 0 : 0.1, state ? 1e-30 : 1);
    replace(f, j, slot, halves ? "rgba16f" : rgba ? "rgba32f" : "r32f", size, values);
    free(values);
}

// Of wavelets sizes are multiples of 2^levels, so that an inverse takes them, too.
static void create(fixture *f, const char *effect, test_job *j)
{
    bool wavelet = !strcmp(effect, "wavelet");
    job_create(f, effect, wavelet ? 64 : WIDTH, wavelet ? 32 : HEIGHT, j);
    if (!strcmp(effect, "downsample")) // the image is made smaller
        replace(f, j, AG_DOWNSAMPLE_DST0, "rgba32f", (int[3]){WIDTH / 3, HEIGHT / 2, 1}, NULL);
}

// All four channels become those of another format.
static void use_format(fixture *f, test_job *j, const char *format)
{
    for (uint32_t i = 0; i < j->info->slot_count; ++i) {
        texture *t = &j->textures[i];
        bool state = job_slot_info(j->info, i)->access & AG_STATE;
        if (!t->name || strcmp(t->format->name, "rgba32f") != 0 || state)
            continue;
        int size[3] = {t->width, t->height, t->layers};
        double *values = texture_read(f, t, 0);
        replace(f, j, i, format, size, values);
        free(values);
    }
}

// ---- results -----------------------------------------------------------------------------------

typedef struct results {
    double *values[JOB_SLOTS][16];
    size_t counts[JOB_SLOTS][16];
} results;

static void free_results(results *r)
{
    for (int i = 0; i < JOB_SLOTS; ++i)
        for (int level = 0; level < 16; ++level)
            free(r->values[i][level]);
}

static void upload(fixture *f, test_job *j, uint32_t slot, const double *values)
{
    texture_upload(f, &j->textures[slot], 0, values);
    ++j->slots[slot].version;
}

// Executes the job with these values in a slot, and reads all that it wrote.
static uint64_t run_with(fixture *f, ag_pass *pass, test_job *j, uint32_t slot,
                         const double *values, results *out)
{
    memset(out, 0, sizeof *out);
    job_poison(f, j);
    upload(f, j, slot, values);
    uint64_t before = fixture_scrubbed(f);
    job_tune(f->device, j);
    fixture_run(f, pass, &j->job);
    uint64_t counted = fixture_scrubbed(f) - before;
    for (uint32_t i = 0; i < j->info->slot_count; ++i)
        for (int level = job_first_output(j->info, i);
             is_output(j, i) && level < j->textures[i].levels; ++level) {
            out->values[i][level] = texture_read(f, &j->textures[i], level);
            out->counts[i][level] = texture_value_count(&j->textures[i], level);
        }
    return counted;
}

typedef struct verdict {
    size_t values, infinite, changed;
} verdict;

static verdict compare(const test_job *j, const results *a, const results *b)
{
    verdict v = {0};
    for (uint32_t i = 0; i < j->info->slot_count; ++i)
        for (int level = 0; level < 16; ++level)
            for (size_t k = 0; k < a->counts[i][level]; ++k) {
                double x = a->values[i][level][k], y = b->values[i][level][k];
                bool differs = !(fabs(x - y) <= 1e-6 * fmax(1, fabs(y))); // a NaN differs
                ++v.values;
                v.infinite += isfinite(x) ? 0 : 1;
                v.changed += differs;
            }
    return v;
}

// ---- a case ------------------------------------------------------------------------------------

// Filters of downsample but area count a texel for each output that reads it, and a mask's texels
// are counted for each frequency that reads them.
static bool is_count(const test_job *j, uint32_t slot, uint64_t counted, uint64_t bad)
{
    bool often = !strcmp(job_slot_info(j->info, slot)->name, "mask") ||
                 (!strcmp(j->info->id, "downsample") && job_get(j, "filter", 0) != 0);
    return often && bad ? counted > 0 : counted == bad;
}

typedef enum expect {
    AS_ZERO,   // every result is as with 0, and all are counted
    UNCOUNTED, // the same, and what is counted does not matter
    FINITE     // every result is finite
} expect;

static bool try_pattern(fixture *f, ag_pass *pass, test_job *j, uint32_t slot, const pattern *p,
                        expect how, const double *clean, const results *zero, const char *name)
{
    texture *t = &j->textures[slot];
    int channels = t->format->channels;
    size_t count = texture_value_count(t, 0);
    double limit = limit_of(j), *values = check_doubles(count);
    // Extremes keep Inf. A kernel that is the same everywhere may be none: black is subtracted.
    bool may_be_none = how != AS_ZERO || strcmp(j->info->slots[slot].name, "kernel_image") == 0;
    if (((p->limited || p->no_numbers) && !isfinite(limit)) || (p->everywhere && may_be_none)) {
        free(values);
        return true;
    }
    memcpy(values, clean, count * sizeof *values);
    uint64_t bad = 0;
    for (int k = 0; k < PLACES; ++k) {
        int x = places[k][0] % t->width, y = places[k][1] % t->height;
        bool again = false;
        for (int i = 0; i < k; ++i)
            again |= x == places[i][0] % t->width && y == places[i][1] % t->height;
        for (int c = 0; c < (p->all_channels ? channels : 1) && !again; ++c)
            values[(y * t->width + x) * channels + c] = p->values[k] * (p->limited ? limit : 1);
        bad += !again;
    }
    for (size_t i = 0; i < count && p->everywhere; ++i)
        values[i] = p->values[0] * limit;
    results got;
    uint64_t counted = run_with(f, pass, j, slot, values, &got);
    verdict v = compare(j, &got, zero);
    bool keeps = p->kept || !isfinite(limit), good = v.infinite == 0;
    if (how == AS_ZERO)
        good &= is_count(j, slot, counted, keeps ? 0 : bad);
    if (how != FINITE && !keeps)
        good &= v.changed == 0;
    if (!good)
        printf("  FAIL  %s, %s: of %zu values %zu not finite, %zu changed; counted %u of %u\n",
               name, p->name, v.values, v.infinite, v.changed, (unsigned)counted, (unsigned)bad);
    free_results(&got);
    free(values);
    return good;
}

// All patterns in one slot of a job. False: wrong. Jobs that the effect refuses are not counted.
static bool try_job(fixture *f, test_job *j, const char *slot_name, expect how, const char *what,
                    uint32_t *tried)
{
    ag_pass *pass = fixture_pass(f, j->info->id);
    char name[160];
    snprintf(name, sizeof name, "%s %s, %s", j->info->id, what, slot_name);
    job_fit_outputs(f, pass, j);
    job_tune(f->device, j);
    bool good = true;
    if (f->ag->prepare(pass, &j->job) == AG_OK) {
        uint32_t slot = job_slot(j, slot_name);
        texture *t = &j->textures[slot];
        size_t count = texture_value_count(t, 0);
        double *clean = texture_read(f, t, 0), *zero = check_doubles(count);
        memcpy(zero, clean, count * sizeof *zero);
        for (int k = 0; k < PLACES; ++k) {
            int x = places[k][0] % t->width, y = places[k][1] % t->height;
            for (int c = 0; c < t->format->channels; ++c)
                zero[(y * t->width + x) * t->format->channels + c] = 0;
        }
        results as_zero;
        run_with(f, pass, j, slot, zero, &as_zero);
        for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; ++p)
            good &= try_pattern(f, pass, j, slot, &patterns[p], how, clean, &as_zero, name);
        upload(f, j, slot, clean);
        free_results(&as_zero);
        free(clean);
        free(zero);
        if (good)
            printf("  ok    %s\n", name);
        ++*tried;
    }
    f->ag->pass_destroy(pass);
    return good;
}

static const char *image_slot(const ag_effect_info *info)
{
    return !strcmp(info->id, "mipchain") ? "texture" : "src";
}

// Every value of every choice, one at a time.
static void test_choices(void **state)
{
    fixture *f = *state;
    uint32_t tried = 0;
    bool good = true;
    sweep *share = sweep_start("choices", 16);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        const ag_effect_info *info = *e;
        if (job_generates(info))
            continue;
        for (uint32_t i = 0; i < info->setting_count; ++i) {
            const ag_setting_info *s = job_setting_info(info, i);
            int values = s->type == AG_ENUM ? (int)s->name_count : s->type == AG_BOOL ? 2 : 0;
            for (int v = 0; v < values && strcmp(s->name, "scrub") != 0; ++v) {
                test_job j;
                char what[80];
                if (!sweep_takes(share))
                    continue;
                create(f, info->id, &j);
                job_set(&j, s->name, 0, v);
                snprintf(what, sizeof what, "%s = %s", s->name,
                         s->type == AG_ENUM ? s->names[v]
                         : v                ? "on"
                                            : "off");
                bool depth = !strcmp(info->id, "soft_shadow") || !strcmp(info->id, "depth_pyramid");
                good &= try_job(f, &j, image_slot(info), depth ? FINITE : AS_ZERO, what, &tried);
                job_destroy(f, &j);
            }
        }
    }
    printf("  %u jobs\n", tried);
    CHECK(good);
}

// Defaults of every effect, in each way that it has, and in formats of fewer channels.
static void test_defaults(void **state)
{
    static const char *const formats[] = {"rgba32f", "r32f", "rg32f"};
    fixture *f = *state;
    sweep *share = sweep_start("defaults", JOB_VARIANTS + 2);
    uint32_t tried = 0;
    bool good = true;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e)
        for (uint32_t variant = 0; variant < JOB_VARIANTS + 2; ++variant) {
            const ag_effect_info *info = *e;
            test_job j;
            if (job_generates(info) || !sweep_takes(share))
                continue;
            create(f, info->id, &j);
            bool depth = !strcmp(info->id, "soft_shadow") || !strcmp(info->id, "depth_pyramid");
            bool form = variant >= JOB_VARIANTS;
            const char *format = formats[form ? variant - JOB_VARIANTS + 1 : 0];
            if (form)
                use_format(f, &j, format);
            if (form || job_variant(&j, variant)) {
                char what[32];
                snprintf(what, sizeof what, "way %u, %s", form ? 0 : variant, format);
                good &= try_job(f, &j, image_slot(info), depth ? FINITE : AS_ZERO, what, &tried);
            }
            job_destroy(f, &j);
        }
    printf("  %u jobs\n", tried);
    CHECK(good);
}

// Other inputs, and what needs several settings.
static const struct {
    const char *effect, *slot;
    expect how;
    const char *settings[4];
    double values[4];
    const char *optional[3];
} rows[] = {
    // Texels of kernels in each of their ways: the quick tier takes these, too.
    {"convolve", "kernel", UNCOUNTED, {"operation", "edges", "border"}, {1, 1, 3}, {0}},
    {"bloom", "kernel_image", AS_ZERO, {"shape"}, {2}, {"kernel_image"}},
    {"bloom", "kernel_image", AS_ZERO, {"shape", "kernel_fit"}, {2, 1}, {"kernel_image"}},

    {"convolve", "kernel", AS_ZERO, {"method", "normalize"}, {1, 1}, {0}},
    {"convolve", "kernel", AS_ZERO, {"method", "normalize"}, {2, 1}, {0}},
    {"convolve", "src", AS_ZERO, {"method", "alpha"}, {1, 1}, {0}},
    {"convolve", "src", AS_ZERO, {"method", "storage", "border"}, {2, 1, 3}, {0}},
    {"bloom", "kernel_image", AS_ZERO, {"shape", "resolution"}, {2, 3}, {"kernel_image"}},
    {"bloom", "dirt", FINITE, {"dirt_intensity"}, {1}, {"dirt"}},
    {"bloom", "src", AS_ZERO, {"dirt_intensity", "ghosts"}, {1, 4}, {"dirt"}},
    {"bloom", "exposure", FINITE, {"threshold", "clamp"}, {1, 100}, {"exposure"}},
    {"bloom", "src", AS_ZERO, {"threshold", "resolution"}, {0.5, 1}, {0}},
    {"bloom", "src", AS_ZERO, {"threshold", "resolution", "shape"}, {0.5, 2, 1}, {0}},
    {"bloom", "src", AS_ZERO, {"firefly", "resolution"}, {1, 1}, {0}},
    {"bloom", "src", AS_ZERO, {"firefly", "resolution", "shape"}, {2, 2, 3}, {0}},
    {"bloom", "src", AS_ZERO, {"resolution", "grid"}, {1, 1}, {0}},
    {"bloom", "src", AS_ZERO, {"output", "resolution"}, {1, 1}, {0}},
    {"bloom", "src", AS_ZERO, {"output", "ghosts"}, {2, 2}, {0}},
    {"filter_spectrum", "mask", AS_ZERO, {"shape"}, {4}, {"mask"}},
    {"box_blur", "radius", FINITE, {0}, {0}, {"radius"}},
    {"box_blur", "src", AS_ZERO, {0}, {0}, {"radius"}},
    {"box_blur", "src", AS_ZERO, {"radius"}, {0.7}, {0}},
    {"box_blur", "src", AS_ZERO, {"iterations", "radius"}, {3, 5.3}, {0}},
    {"box_blur", "src", AS_ZERO, {"border", "radius"}, {2, 60}, {0}},
    {"local_stats", "src", AS_ZERO, {"radius", "border"}, {2.5, 1}, {0}},
    {"sat", "src", AS_ZERO, {"square", "storage"}, {1, 1}, {"squares"}},
    {"sat", "src", AS_ZERO, {"storage", "offset"}, {1, 2}, {"mean"}},
    {"sat", "src", AS_ZERO, {"storage"}, {2}, {"low"}},
    {"sat", "src", AS_ZERO, {"storage"}, {3}, {"low"}},
    {"sat", "src", AS_ZERO, {"storage"}, {5}, {"low"}},
    {"fft", "src_imag", AS_ZERO, {0}, {0}, {"src_imag", "dst_imag"}},
    {"fft", "src", AS_ZERO, {0}, {0}, {"src_imag", "dst_imag"}},
    {"fft", "src", AS_ZERO, {"direction", "norm"}, {1, 1}, {"src_imag", "dst_imag"}},
    {"fft", "src", AS_ZERO, {"method"}, {2}, {"dst_imag"}},
    {"wavelet", "src", AS_ZERO, {"wavelet", "border"}, {7, 1}, {"taps"}},
    {"wavelet", "src", AS_ZERO, {"levels", "wavelet"}, {5, 6}, {0}},
    {"wavelet", "src", AS_ZERO, {"levels", "direction"}, {5, 1}, {0}},
    {"wavelet", "src", AS_ZERO, {"stationary", "layout", "levels"}, {1, 1, 2}, {0}},
    {"depth_of_field", "src", AS_ZERO, {"focus_distance"}, {0.2}, {0}},
    {"depth_of_field", "depth", FINITE, {"encoding"}, {2}, {0}},
    {"soft_shadow", "depth", FINITE, {"view"}, {1}, {0}},
    {"downsample", "src", AS_ZERO, {"filter", "radius"}, {4, 2}, {0}},
    {"downsample", "src", AS_ZERO, {"weight", "method"}, {2, 1}, {0}},
    {"downsample", "src", AS_ZERO, {"weight", "method"}, {1, 2}, {0}},
    {"mipchain", "texture", AS_ZERO, {"exactness", "weight"}, {1, 0}, {0}},
    {"denoise", "src", AS_ZERO, {"filter", "levels"}, {2, 4}, {"albedo", "normal", "depth"}},
    {"denoise", "albedo", FINITE, {"filter"}, {2}, {"albedo"}},
    {"denoise", "normal", FINITE, {"filter"}, {2}, {"normal"}},
    {"denoise", "depth", FINITE, {"filter"}, {2}, {"depth"}},
    {"denoise", "src", FINITE, {"filter", "levels"}, {0, 6}, {"history"}},
    {"denoise", "motion", FINITE, {"filter"}, {2}, {"history", "motion"}},
    {"denoise", "src", AS_ZERO, {"filter", "threshold"}, {1, 3}, {0}},
    {"denoise", "src", AS_ZERO, {"filter", "firefly"}, {2, 4}, {0}},
};

static void test_inputs(void **state)
{
    enum { KERNELS = 3 };
    fixture *f = *state;
    uint32_t tried = 0;
    bool good = true;
    sweep *share = sweep_start("inputs", 8);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        test_job j;
        char what[128] = "";
        uint32_t before = tried;
        if (i >= KERNELS && !sweep_takes(share))
            continue;
        create(f, rows[i].effect, &j);
        for (int k = 0; k < 4 && rows[i].settings[k]; ++k) {
            size_t used = strlen(what);
            job_set(&j, rows[i].settings[k], 0, rows[i].values[k]);
            snprintf(what + used, sizeof what - used, "%s%s = %g", k ? ", " : "",
                     rows[i].settings[k], rows[i].values[k]);
        }
        for (int k = 0; k < 3 && rows[i].optional[k]; ++k)
            add_input(f, &j, rows[i].optional[k]);
        good &= try_job(f, &j, rows[i].slot, rows[i].how, what, &tried);
        good &= check_case("        the job is one that the effect takes", tried > before);
        job_destroy(f, &j);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_defaults),
        FIXTURE_SWEEP(test_choices),
        FIXTURE_SWEEP(test_inputs),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
