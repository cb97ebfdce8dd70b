// abi_structs.c - structs of older hosts (every prefix) and newer ones (zero and non-zero tails)
// SPDX-License-Identifier: MIT
//
// Each copy lives in a block of its exact size, so that a sanitizer sees any read beyond it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "test_abi.h"

enum { TAIL = 40 };

typedef struct growth {
    fixture *f;
    const char *name; // of the struct, as messages have it
    const void *whole;
    uint32_t known; // its size in this version
    uint32_t from;  // shorter ones may be refused, by any code for a wrong struct
    test_host *host;
    ag_pass *pass;
    test_job *j;
    ag_status (*use)(const struct growth *g, const void *copy);
} growth;

// The first `bytes` of `whole` with struct_size set; beyond its end zeros.
static void *resized(const void *whole, size_t size, uint32_t bytes)
{
    uint8_t *copy = calloc(1, bytes < 4 ? 4 : bytes);
    CHECK(copy != NULL);
    memcpy(copy, whole, bytes < size ? bytes : size);
    memcpy(copy, &bytes, sizeof bytes);
    return copy;
}

// Success, or an error that wrong structs may cause.
static bool is_clean(ag_status status)
{
    return status == AG_OK || status == AG_E_ARG || status == AG_E_ABI || status == AG_E_SIZE ||
           status == AG_E_FORMAT || status == AG_E_STATE;
}

static void grow(const growth *g)
{
    for (uint32_t bytes = 0; bytes <= g->known; bytes += 4) {
        void *copy = resized(g->whole, g->known, bytes);
        ag_status status = g->use(g, copy);
        bool whole = bytes >= g->from && bytes % 8 == 0;
        CHECK_F(whole ? status == AG_OK : is_clean(status), "%u bytes of %s: %s", bytes, g->name,
                check_status_name(status));
        CHECK_F(bytes >= 8 || status == AG_E_ABI, "%u bytes are no %s: %s", bytes, g->name,
                check_status_name(status));
        free(copy);
    }
    uint8_t *copy = resized(g->whole, g->known, g->known + TAIL);
    CHECK_STATUS(g->use(g, copy), AG_OK);
    for (uint32_t at = g->known; at < g->known + TAIL; at += 13) {
        host_log_clear(g->host);
        copy[at] = 1;
        CHECK_STATUS(g->use(g, copy), AG_E_ABI);
        CHECK_F(host_log_error(g->host, AG_E_ABI, g->name), "%s: \"%s\"", g->name,
                host_log_last(g->host));
        copy[at] = 0;
    }
    free(copy);
}

// ---- what a device is made of ------------------------------------------------------------------

// device_create with a host and a desc; destroys what it made.
static ag_status create(fixture *f, const void *host, const void *desc)
{
    ag_device *device = NULL;
    ag_status status = f->ag->device_create(host, desc, &device);
    CHECK_F((status >= 0) == (device != NULL), "%s and device %p", check_status_name(status),
            (void *)device);
    f->ag->device_destroy(device, 0);
    return status;
}

static ag_status use_host(const growth *g, const void *copy)
{
    return create(g->f, copy, NULL);
}

static ag_status use_desc(const growth *g, const void *copy)
{
    return create(g->f, &g->host->host, copy);
}

void test_device_growth(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    ag_device_desc desc = {
        .struct_size = sizeof desc, .image_unit_base = 1, .ssbo_base = 2, .timer_capacity = 16};
    // Nothing is required, not even gl_proc: EGL has a current context. alloc without free is
    // refused.
    const growth host = {f,  "host", &h.host, sizeof h.host, offsetof(ag_host, log),
                         &h, NULL,   NULL,    use_host};
    grow(&host);
    void *least = resized(&h.host, sizeof h.host, 8);
    CHECK_STATUS(create(f, least, NULL), AG_OK);
    free(least);
    grow(&(growth){f, "desc", &desc, sizeof desc, 8, &h, NULL, NULL, use_desc});
    CHECK(host_finish(&h));
    fixture_current(f);
}

// ---- members of jobs: declare, prepare and execute must agree ----------------------------------

// Runs all three and returns their common status. Unless they succeed, the output keeps its poison.
static ag_status run(fixture *f, ag_pass *pass, test_job *j, const ag_job *job)
{
    const ag_plan *plan = NULL;
    texture_poison(f, job_output(j));
    ag_status declared = f->ag->declare(pass, job, &plan);
    ag_status prepared = f->ag->prepare(pass, job);
    ag_status executed = f->ag->execute(pass, job, NULL);
    CHECK_F(declared == prepared && prepared == executed, "declare %s, prepare %s, execute %s",
            check_status_name(declared), check_status_name(prepared), check_status_name(executed));
    CHECK((declared == AG_OK) == (plan != NULL));
    CHECK_EQ(texture_is_poison(f, job_output(j)), executed != AG_OK);
    return executed;
}

static ag_status use_job(const growth *g, const void *copy)
{
    return run(g->f, g->pass, g->j, copy);
}

static ag_status use_restore(const growth *g, const void *copy)
{
    ag_job job = g->j->job;
    job.restore = copy;
    return run(g->f, g->pass, g->j, &job);
}

// All calls read settings in the same way, so one is enough for each effect.
static ag_status use_settings(const growth *g, const void *copy)
{
    const ag_plan *plan = NULL;
    ag_job job = g->j->job;
    job.settings = copy;
    return g->f->ag->declare(g->pass, &job, &plan);
}

void test_job_growth(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    ag_gl_state restore = {.struct_size = sizeof restore};
    grow(&(growth){f, "job", &j.job, sizeof j.job, offsetof(ag_job, frame), &f->host, pass, &j,
                   use_job});
    grow(&(growth){f, "restore", &restore, sizeof restore, 8, &f->host, pass, &j, use_restore});
    // job.scratch is embedded and cannot grow; left all zero it means none.
    memset(&j.job.scratch, 0, sizeof j.job.scratch);
    CHECK_STATUS(run(f, pass, &j, &j.job), AG_OK);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

void test_settings_growth(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j;
        if (job_generates(*e))
            continue;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
        ag_pass *pass = fixture_pass(f, (*e)->id);
        const growth g = {f,        "settings", j.settings, (*e)->settings_size, 8,
                          &f->host, pass,       &j,         use_settings};
        grow(&g);
        // sizes that no version has
        static const uint32_t sizes[] = {0, 9, 65540};
        for (uint32_t i = 0; i < 3; ++i) {
            memcpy(j.settings, &sizes[i], 4);
            host_log_clear(&f->host);
            CHECK_STATUS(use_settings(&g, j.settings), AG_E_ABI);
            CHECK(host_log_error(&f->host, AG_E_ABI, "settings.struct_size"));
        }
        CHECK_STATUS(use_settings(&g, NULL), AG_OK);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}

// Rows of job.slots are as long as the first says: older and newer hosts step by their own size.
void test_texture_growth(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    uint32_t known = sizeof(ag_texture), count = j.job.slot_count;
    for (uint32_t bytes = 8; bytes <= known + TAIL; bytes += 8) {
        uint8_t *rows = calloc(count, bytes);
        CHECK(rows != NULL);
        for (uint32_t i = 0; i < count; ++i) {
            void *row = resized(&j.slots[i], known, bytes);
            memcpy(rows + (size_t)i * bytes, row, bytes);
            free(row);
        }
        ag_job job = j.job;
        job.slots = (const ag_texture *)(const void *)rows;
        ag_status status = run(f, pass, &j, &job);
        bool whole = bytes >= offsetof(ag_texture, level) + 4;
        CHECK_F(whole ? status == AG_OK : is_clean(status), "%u bytes of ag_texture: %s", bytes,
                check_status_name(status));
        if (bytes > known) {
            rows[(size_t)count * bytes - 1] = 1;
            host_log_clear(&f->host);
            CHECK_STATUS(run(f, pass, &j, &job), AG_E_ABI);
            CHECK(host_log_error(&f->host, AG_E_ABI, job_slot_info(j.info, count - 1)->name));
        }
        free(rows);
    }
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

// ag_stats, ag_health and ag_reload are filled as far as the host's struct reaches, and no further.
void test_output_growth(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    for (uint32_t bytes = 0; bytes <= sizeof(ag_stats) + TAIL; bytes += 4)
        for (int which = 0; which < 3; ++which) {
            uint8_t *out = check_allocate(bytes + 4);
            memset(out, 0xee, bytes + 4);
            memcpy(out, &bytes, sizeof bytes);
            ag_status status = which == 0   ? f->ag->stats(pass, AG_WHOLE_PASS, (void *)out)
                               : which == 1 ? f->ag->health(f->device, (void *)out)
                                            : f->ag->reload_status(f->device, (void *)out);
            CHECK_F(bytes >= 8 ? status == AG_OK : is_clean(status) && status < 0, "%u bytes: %s",
                    bytes, check_status_name(status));
            CHECK_F(memcmp(out, &bytes, sizeof bytes) == 0, "struct_size of %u changed", bytes);
            CHECK_F(bytes < 4 || out[bytes] == 0xee, "written past %u bytes", bytes);
            free(out);
        }
    f->ag->pass_destroy(pass);
}
