// test_faults.c - memory, GL functions, extensions and limits missing, one at a time
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // fork, exec: a context of another version needs a new process

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jobs.h"
#include "minimums.h"
#include "random.h"

// ---- memory

typedef struct attempt {
    ag_status status; // of the first call that failed, or AG_OK
    const char *call;
    ag_device *device;
    ag_pass *pass;
} attempt;

static attempt run_all(fixture *f, test_host *h, const char *effect, test_job *j)
{
    attempt a = {AG_OK, "device_create", NULL, NULL};
    a.status = f->ag->device_create(&h->host, NULL, &a.device);
    if (a.status != AG_OK)
        return a;
    job_tune(a.device, j);
    a.call = "pass_create";
    a.status = f->ag->pass_create(a.device, effect, &a.pass);
    if (a.status != AG_OK)
        return a;
    a.call = "prepare";
    a.status = f->ag->prepare(a.pass, &j->job);
    if (a.status != AG_OK)
        return a;
    uint64_t before = h->alloc_calls;
    a.call = "execute";
    a.status = f->ag->execute(a.pass, &j->job, NULL);
    CHECK_EQ(h->alloc_calls - before, 0); // execute never allocates
    return a;
}

// The next allocation to fail. The first ones are of different kinds, and each of them fails. The
// others are mostly for programs and take long: quick takes some of them, the other tiers all.
static uint64_t after(rng *r, uint64_t k)
{
    return k + (k < 16 || check_tier_now() != CHECK_QUICK ? 1 : (uint64_t)rng_int(r, 1, 40));
}

// Fails allocation k = 1, 2, ... until a run needs fewer than k.
static void fail_allocations(fixture *f, rng *r, const char *effect, uint32_t variant)
{
    test_job j;
    job_create(f, effect, JOB_WIDTH, JOB_HEIGHT, &j);
    if (!job_variant(&j, variant)) {
        job_destroy(f, &j);
        return;
    }
    uint64_t k = 1, failed_in[4] = {0};
    for (bool failed = true; failed; k = after(r, k)) {
        test_host h;
        host_init(&h, f->context);
        host_alloc_reset(&h, k);
        texture_poison(f, job_output(&j));
        attempt a = run_all(f, &h, effect, &j);
        failed = h.alloc_calls >= k;
        if (failed) {
            CHECK_F(a.status == AG_E_MEMORY, "%s, allocation %u: %s gave %s", effect, (unsigned)k,
                    a.call, check_status_name(a.status));
            CHECK(host_log_error(&h, AG_E_MEMORY, "memory"));
            CHECK(texture_is_poison(f, job_output(&j)));
            CHECK_F((a.device == NULL) == (strcmp(a.call, "device_create") == 0), "%s", a.call);
            CHECK_F((a.pass == NULL) == (strcmp(a.call, "prepare") != 0), "%s", a.call);
            ++failed_in[a.call[0] == 'd' ? 0 : a.call[1] == 'a' ? 1 : 2];
            if (a.pass) { // with memory again, the same pass works
                CHECK_STATUS(f->ag->execute(a.pass, &j.job, NULL), AG_E_STATE);
                CHECK_STATUS(f->ag->prepare(a.pass, &j.job), AG_OK);
                CHECK_STATUS(f->ag->execute(a.pass, &j.job, NULL), AG_OK);
                CHECK(!texture_is_poison(f, job_output(&j)));
            }
        } else {
            CHECK_F(a.status == AG_OK, "%s: %s", a.call, check_status_name(a.status));
            CHECK(!texture_is_poison(f, job_output(&j)));
        }
        f->ag->device_destroy(a.device, 0);
        CHECK_F(host_finish(&h), "%s: leak or wrong free after allocation %u failed in %s", effect,
                (unsigned)k, a.call);
    }
    printf("  ok    %s, variant %u: allocations failed in turn: %u in device_create, %u in "
           "pass_create, %u in prepare\n",
           effect, variant, (unsigned)failed_in[0], (unsigned)failed_in[1], (unsigned)failed_in[2]);
    CHECK(failed_in[0] > 0 && failed_in[1] > 0);
    job_destroy(f, &j);
    fixture_current(f);
}

static void test_allocations(void **state)
{
    fixture *f = *state;
    rng r = rng_start("allocations", 131);
    sweep *share = sweep_start("allocations", 8);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        for (uint32_t variant = 0; variant < JOB_VARIANTS; ++variant)
            if (sweep_takes(share))
                fail_allocations(f, &r, (*e)->id, variant);
    }
}

// If a second prepare runs out of memory, the first plan stays in use.
static void test_allocations_in_second_prepare(void **state)
{
    fixture *f = *state;
    rng r = rng_start("allocations in a second prepare", 132);
    sweep *share = sweep_start("allocations in a second prepare", 8);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        if (!sweep_takes(share))
            continue;
        test_job first, second;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &first);
        job_create(f, (*e)->id, 9, 7, &second);
        uint64_t k = 1, tried = 0;
        for (bool failed = true; failed; k = after(&r, k), ++tried) {
            test_host h;
            host_init(&h, f->context);
            attempt a = run_all(f, &h, (*e)->id, &first);
            CHECK_STATUS(a.status, AG_OK);
            host_alloc_reset(&h, k);
            ag_status status = f->ag->prepare(a.pass, &second.job);
            failed = h.alloc_calls >= k;
            CHECK_STATUS(status, failed ? AG_E_MEMORY : AG_OK);
            test_job *serves = failed ? &first : &second;
            texture_poison(f, job_output(serves));
            CHECK_STATUS(f->ag->execute(a.pass, &serves->job, NULL), AG_OK);
            CHECK_EQ(texture_poison_count(f, job_output(serves), 0, 0, 0, 0, 0), 0);
            f->ag->device_destroy(a.device, 0);
            CHECK_F(host_finish(&h), "leak after allocation %u", (unsigned)k);
        }
        printf("  ok    %s: %u allocations failed in a second prepare\n", (*e)->id,
               (unsigned)tried - 1);
        job_destroy(f, &first);
        job_destroy(f, &second);
        fixture_current(f);
    }
}

// ---- GL functions

static bool may_miss(const char *name)
{
    static const char *const parts[] = {"Debug",           "Label",           "GraphicsReset",
                                        "CompilerThreads", "ProgramBinary",   "ProgramParameter",
                                        "ImageHandle",     "TextureParameter"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        if (strstr(name, parts[i]))
            return true;
    }
    return false;
}

static void test_missing_functions(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    job_set(&j, "method", 0, 2); // fft: what uses the most of GL
    test_host good;
    host_init(&good, f->context);
    attempt a = run_all(f, &good, "convolve", &j);
    CHECK_STATUS(a.status, AG_OK);
    CHECK_STATUS(f->ag->frame(a.device, 1), AG_OK);
    CHECK_STATUS(f->ag->health(a.device, NULL), AG_OK);
    f->ag->device_destroy(a.device, 0);
    uint32_t count = good.trace.asked_count, optional = 0, failures = 0;
    CHECK(count > 20);
    for (uint32_t i = 0; i < count; ++i) {
        const char *name = good.trace.asked[i];
        test_host h;
        host_init(&h, f->context);
        h.trace.hide = name;
        a = run_all(f, &h, "convolve", &j);
        if (a.status == AG_OK) {
            ++optional;
            CHECK_STATUS(f->ag->frame(a.device, 1), AG_OK);
            CHECK_STATUS(f->ag->health(a.device, NULL), AG_OK);
            if (!check_case(name, may_miss(name)))
                ++failures;
        } else if (a.status != AG_E_GL || a.device || !host_log_error(&h, AG_E_GL, name)) {
            check_case(name, false);
            printf("        %s gave %s: \"%s\"\n", a.call, check_status_name(a.status),
                   host_log_last(&h));
            ++failures;
        }
        f->ag->device_destroy(a.device, 0);
        CHECK_F(host_finish(&h), "leak without %s", name);
    }
    printf("  ok    %u functions missing in turn, %u of them optional\n", count, optional);
    CHECK_EQ(failures, 0);

    test_host none;
    host_init(&none, NULL); // no function at all
    ag_device *device = NULL;
    CHECK_STATUS(f->ag->device_create(&none.host, NULL, &device), AG_E_GL);
    CHECK(device == NULL && host_log_error(&none, AG_E_GL, "gl"));
    CHECK(host_finish(&none));
    CHECK(host_finish(&good));
    job_destroy(f, &j);
    fixture_current(f);
}

// ---- versions and extensions

// What a context below 4.3 must list, because it brings functions or enums. What the language has
// is tried with a shader.
static const char *const below_43[] = {
    "GL_ARB_compute_shader",
    "GL_ARB_shader_storage_buffer_object",
    "GL_ARB_shader_image_load_store",
    "GL_ARB_program_interface_query",
    "GL_ARB_separate_shader_objects",
    "GL_ARB_texture_storage",
    "GL_ARB_texture_view",
    "GL_ARB_timer_query",
    "GL_ARB_sampler_objects",
    "GL_KHR_debug",
};

// A context of a version from 3.2 on is accepted if it lists these extensions; a missing one is
// named, if the version does not include it.
static void test_versions(void **state)
{
    static const int versions[][2] = {{4, 2}, {3, 3}, {3, 2}};
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    job_set(&j, "method", 0, 2);
    // Packed texels need the packing functions of GLSL 4.20.
    static const double grey[JOB_WIDTH * JOB_HEIGHT * 4] = {0.5};
    texture_destroy(f, &j.textures[0]);
    j.textures[0] = texture_create(f, "rgba16f", JOB_WIDTH, JOB_HEIGHT, grey);
    j.slots[0] = texture_view(&j.textures[0]);
    uint32_t refused[3] = {0};
    enum { ROWS = sizeof below_43 / sizeof below_43[0] };
    for (size_t k = 0; k < 3 * (ROWS + 1); ++k) {
        size_t v = k / (ROWS + 1), i = k % (ROWS + 1);
        const char *hidden = i ? below_43[i - 1] : NULL;
        test_host h;
        host_init(&h, f->context);
        h.trace.major = versions[v][0];
        h.trace.minor = versions[v][1];
        h.trace.hide_extension = hidden;
        attempt a = run_all(f, &h, "convolve", &j);
        printf("  %d.%d without %s: %s %s\n", versions[v][0], versions[v][1],
               hidden ? hidden : "nothing", check_status_name(a.status),
               a.status == AG_OK ? "" : host_log_last(&h));
        if (a.status != AG_OK) {
            CHECK_STATUS(a.status, AG_E_GL);
            CHECK(hidden && host_log_error(&h, AG_E_GL, hidden));
            CHECK(host_log_has(&h, "core context of OpenGL 4.3"));
            ++refused[v];
        }
        f->ag->device_destroy(a.device, 0);
        CHECK(host_finish(&h));
    }
    CHECK_EQ(refused[0], 4); // those of 4.3
    CHECK_EQ(refused[1], 7); // and of 4.0 to 4.2
    CHECK_EQ(refused[2], 9); // and of 3.3: all but GL_KHR_debug
    job_destroy(f, &j);
    fixture_current(f);
}

// In a process of its own: a real context of the version in AG_TEST_GL. Every effect runs in it;
// or, if AG_TEST_REFUSAL is set, device_create says this.
static int child_main(void)
{
    const char *version = getenv("AG_TEST_GL"), *refusal = getenv("AG_TEST_REFUSAL");
    fixture *f = fixture_open(&(
        fixture_options){.no_device = true, .major = version[0] - '0', .minor = version[2] - '0'});
    if (!f)
        return 77;
    if (strncmp((const char *)f->gl.GetString(GL_VERSION), version, 3) != 0) {
        fixture_close(f);
        return 77; // this driver cannot be talked down
    }
    bool ok = true;
    if (refusal) {
        ag_device *device = NULL;
        fixture_ignore(f, true); // the shader that is tried may have errors
        ag_status status = f->ag->device_create(&f->host.host, NULL, &device);
        fixture_ignore(f, false);
        printf("  %s: %s \"%s\"\n", version, check_status_name(status), host_log_last(&f->host));
        ok = status == AG_E_GL && !device && host_log_error(&f->host, AG_E_GL, refusal) &&
             host_log_has(&f->host, "ask for a core context of OpenGL 4.3 or later");
        return fixture_close(f) && ok ? 0 : 1;
    }
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e) {
        test_job j;
        job_create(f, effects[e]->id, JOB_WIDTH, JOB_HEIGHT, &j);
        attempt a = run_all(f, &f->host, effects[e]->id, &j);
        bool good =
            a.status == AG_OK && texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0) == 0;
        if (!good)
            printf("  %s, %s: %s %s\n", version, effects[e]->id, check_status_name(a.status),
                   host_log_last(&f->host));
        ok &= good;
        job_destroy(f, &j);
        f->ag->device_destroy(a.device, 0);
    }
    printf("  %s: %u effects ran\n", version, count);
    return fixture_close(f) && ok ? 0 : 1;
}

// A real context of `version`; `name` = `value` goes into the environment of its process.
static void in_older_context(const char *version, const char *name, const char *value,
                             const char *refusal)
{
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        setenv("MESA_GL_VERSION_OVERRIDE", version, 1);
        setenv("AG_TEST_GL", version, 1);
        if (name)
            setenv(name, value, 1);
        if (refusal)
            setenv("AG_TEST_REFUSAL", refusal, 1);
        execl("/proc/self/exe", "test_faults", "--child", (char *)NULL);
        _exit(126);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_F(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77),
            "OpenGL %s: the child ended with status 0x%x", version, (unsigned)status);
    if (WEXITSTATUS(status) == 77)
        printf("  no context of %s here\n", version);
}

static void test_real_old_contexts(void **state)
{
    MINIMUMS_LACK("contexts of older versions");
    fixture *f = *state;
    static const char *const versions[] = {"4.2", "4.1", "4.0", "3.3", "3.2"};
    bool mesa = strstr((const char *)f->gl.GetString(GL_VERSION), "Mesa") != NULL;
    // NVIDIA's driver gives the version that is asked for; Mesa must be told.
    // Every version has programs of its own: quick takes the newest and the oldest.
    size_t step = check_tier_now() == CHECK_QUICK ? 4 : 1;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i += step)
        in_older_context(versions[i], NULL, NULL, NULL);
    if (!mesa)
        return;
    in_older_context("3.3", "MESA_EXTENSION_OVERRIDE", "-GL_ARB_compute_shader",
                     "GL_ARB_compute_shader");
    in_older_context("3.3", "MESA_EXTENSION_OVERRIDE", "-GL_ARB_texture_view",
                     "GL_ARB_texture_view");
    in_older_context("3.3", "MESA_GLSL_VERSION_OVERRIDE", "330",
                     "does not compile compute shaders");
    in_older_context("3.1", NULL, NULL, "OpenGL 3.1 is too old");
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--child") == 0)
        return child_main();
    const check_test tests[] = {
        FIXTURE_SWEEP(test_allocations),      FIXTURE_SWEEP(test_allocations_in_second_prepare),
        FIXTURE_TEST(test_missing_functions), FIXTURE_TEST(test_versions),
        FIXTURE_TEST(test_real_old_contexts),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
