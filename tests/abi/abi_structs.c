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

// The first `bytes` of `whole` with struct_size set; beyond its end: `fill`.
static void *resized(const void *whole, size_t size, uint32_t bytes, int fill)
{
    uint8_t *copy = malloc(bytes < 4 ? 4 : bytes);
    CHECK(copy != NULL);
    memset(copy, fill, bytes < 4 ? 4 : bytes);
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

void test_host_growth(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    uint32_t known = sizeof h.host;
    for (uint32_t bytes = 0; bytes <= known; bytes += 4) {
        void *copy = resized(&h.host, known, bytes, 0);
        ag_status status = create(f, copy, NULL);
        CHECK_F(is_clean(status), "%u bytes of ag_host: %s", bytes, check_status_name(status));
        // Nothing is required, not even gl_proc: EGL has a current context. alloc without free is
        // refused.
        size_t least = offsetof(ag_host, gl_proc) + sizeof h.host.gl_proc;
        if (bytes < 8)
            CHECK_F(status == AG_E_ABI, "%u bytes are no ag_host: %s", bytes,
                    check_status_name(status));
        else if (bytes < least)
            CHECK_F(status == AG_OK, "%u bytes of ag_host: %s", bytes, check_status_name(status));
        if (bytes == least || (bytes >= offsetof(ag_host, log) && bytes % 8 == 0))
            CHECK_F(status == AG_OK, "%u bytes of ag_host: %s", bytes, check_status_name(status));
        free(copy);
    }
    void *zero = resized(&h.host, known, known + TAIL, 0);
    CHECK_STATUS(create(f, zero, NULL), AG_OK);
    free(zero);
    host_log_clear(&h);
    for (uint32_t at = known; at < known + TAIL; at += 13) {
        uint8_t *tail = resized(&h.host, known, known + TAIL, 0);
        tail[at] = 1;
        CHECK_STATUS(create(f, tail, NULL), AG_E_ABI);
        free(tail);
    }
    CHECK(host_log_error(&h, AG_E_ABI, "host"));
    CHECK(host_finish(&h));
    fixture_current(f);
}

void test_desc_growth(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    ag_device_desc desc = {
        .struct_size = sizeof desc, .image_unit_base = 1, .ssbo_base = 2, .timer_capacity = 16};
    for (uint32_t bytes = 0; bytes <= sizeof desc; bytes += 4) {
        void *copy = resized(&desc, sizeof desc, bytes, 0);
        ag_status status = create(f, &h.host, copy);
        CHECK_F(is_clean(status), "%u bytes of ag_device_desc: %s", bytes,
                check_status_name(status));
        if (bytes >= 8 && bytes % 8 == 0)
            CHECK_F(status == AG_OK, "%u bytes: %s", bytes, check_status_name(status));
        free(copy);
    }
    void *zero = resized(&desc, sizeof desc, sizeof desc + TAIL, 0);
    CHECK_STATUS(create(f, &h.host, zero), AG_OK);
    free(zero);
    host_log_clear(&h);
    uint8_t *tail = resized(&desc, sizeof desc, sizeof desc + TAIL, 0);
    tail[sizeof desc + TAIL - 1] = 1;
    CHECK_STATUS(create(f, &h.host, tail), AG_E_ABI);
    CHECK(host_log_error(&h, AG_E_ABI, "desc"));
    free(tail);
    CHECK(host_finish(&h));
    fixture_current(f);
}

// ---- members of jobs: declare, prepare and execute must agree

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

static void check_tail(fixture *f, ag_pass *pass, test_job *j, const ag_job *job, ag_status status,
                       const char *name)
{
    host_log_clear(&f->host);
    CHECK_F(run(f, pass, j, job) == status, "%s", name);
    if (status < 0 && !host_log_error(&f->host, status, name)) {
        host_log_print(&f->host);
        CHECK_F(false, "no message of %s names %s", check_status_name(status), name);
    }
}

void test_job_growth(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", 9, 7, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    uint32_t known = sizeof j.job, full = 0;
    for (uint32_t bytes = 0; bytes <= known; bytes += 4) {
        ag_job *copy = resized(&j.job, known, bytes, 0);
        ag_status status = run(f, pass, &j, copy);
        CHECK_F(is_clean(status), "%u bytes of ag_job: %s", bytes, check_status_name(status));
        if (bytes < offsetof(ag_job, slots) + sizeof j.job.slots)
            CHECK_F(status < 0, "%u bytes of ag_job hold no slots", bytes);
        if (bytes >= offsetof(ag_job, frame) && bytes % 8 == 0) {
            CHECK_F(status == AG_OK, "%u bytes of ag_job: %s", bytes, check_status_name(status));
            ++full;
        }
        free(copy);
    }
    CHECK(full >= 4);
    ag_job *zero = resized(&j.job, known, known + TAIL, 0);
    check_tail(f, pass, &j, zero, AG_OK, "job");
    uint8_t *tail = resized(&j.job, known, known + TAIL, 0);
    tail[known] = 1;
    check_tail(f, pass, &j, (const ag_job *)(const void *)tail, AG_E_ABI, "job");
    free(zero);
    free(tail);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

// Rows of job.slots are as long as the first says: older and newer hosts step by their own size.
void test_texture_growth(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", 9, 7, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    uint32_t known = sizeof(ag_texture), count = j.job.slot_count;
    for (uint32_t bytes = 8; bytes <= known + TAIL; bytes += 8) {
        for (int fill = 0; fill < 2; ++fill) {
            uint8_t *rows = calloc(count, bytes);
            CHECK(rows != NULL);
            for (uint32_t i = 0; i < count; ++i) {
                void *row = resized(&j.slots[i], known, bytes, 0);
                memcpy(rows + (size_t)i * bytes, row, bytes);
                free(row);
            }
            if (fill)
                rows[(size_t)count * bytes - 1] = 1;
            ag_job job = j.job;
            job.slots = (const ag_texture *)(const void *)rows;
            host_log_clear(&f->host);
            if (fill && bytes <= known) {
                free(rows);
                continue;
            }
            ag_status status = run(f, pass, &j, &job);
            ag_status expected = fill ? AG_E_ABI : AG_OK;
            CHECK_F(is_clean(status), "%u bytes: %s", bytes, check_status_name(status));
            if (bytes >= offsetof(ag_texture, level) + 4 || fill)
                CHECK_F(status == expected, "%u bytes of ag_texture%s: %s", bytes,
                        fill ? ", tail not zero" : "", check_status_name(status));
            if (fill)
                CHECK(host_log_error(&f->host, AG_E_ABI, job_slot_info(j.info, count - 1)->name));
            free(rows);
        }
    }
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

void test_settings_growth(void **state)
{
    fixture *f = *state;
    uint32_t effects = 0;
    const ag_effect_info *const *infos = f->ag->effects(&effects);
    for (uint32_t e = 0; e < effects; ++e) {
        test_job j;
        if (job_generates(infos[e]))
            continue;
        job_create(f, infos[e]->id, 9, 7, &j);
        ag_pass *pass = fixture_pass(f, infos[e]->id);
        uint32_t known = infos[e]->settings_size;
        ag_job job = j.job;
        for (uint32_t bytes = 4; bytes <= known + TAIL; bytes += 4) {
            uint8_t *copy = resized(j.settings, known, bytes, 0);
            job.settings = copy;
            ag_status status = run(f, pass, &j, &job), wanted = bytes < 8 ? AG_E_ABI : AG_OK;
            CHECK_F(status == wanted, "%u bytes of %s settings: %s", bytes, infos[e]->id,
                    check_status_name(status));
            if (bytes > known) {
                copy[bytes - 1] = 1;
                check_tail(f, pass, &j, &job, AG_E_ABI, "settings");
            }
            free(copy);
        }
        // sizes that no version has
        static const uint32_t sizes[] = {0, 9, 65540};
        for (uint32_t i = 0; i < 3; ++i) {
            job.settings = j.settings;
            memcpy(j.settings, &sizes[i], 4);
            check_tail(f, pass, &j, &job, AG_E_ABI, "settings.struct_size");
        }
        job.settings = NULL;
        CHECK_STATUS(run(f, pass, &j, &job), AG_OK);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}

void test_restore_growth(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", 9, 7, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    ag_gl_state restore = {.struct_size = sizeof restore};
    for (uint32_t bytes = 8; bytes <= sizeof restore; bytes += 4) {
        j.job.restore = resized(&restore, sizeof restore, bytes, 0);
        CHECK_F(run(f, pass, &j, &j.job) == AG_OK, "%u bytes of ag_gl_state", bytes);
        free((void *)(uintptr_t)j.job.restore);
    }
    uint8_t *tail = resized(&restore, sizeof restore, sizeof restore + TAIL, 0);
    j.job.restore = (const ag_gl_state *)(const void *)tail;
    check_tail(f, pass, &j, &j.job, AG_OK, "restore");
    tail[sizeof restore + 3] = 1;
    check_tail(f, pass, &j, &j.job, AG_E_ABI, "restore");
    free(tail);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

// job.scratch is embedded and cannot grow; left all zero it means none.
void test_scratch_growth(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", 9, 7, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    memset(&j.job.scratch, 0, sizeof j.job.scratch);
    CHECK_STATUS(run(f, pass, &j, &j.job), AG_OK);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

// ag_stats, ag_health and ag_reload are filled as far as the host's struct reaches, and no further.
void test_output_growth(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    for (uint32_t bytes = 0; bytes <= sizeof(ag_stats) + TAIL; bytes += 4) {
        uint8_t *stats = malloc(bytes + 4), *health = malloc(bytes + 4);
        uint8_t *reload = malloc(bytes + 4);
        CHECK(stats && health && reload);
        memset(reload, 0xee, bytes + 4);
        memcpy(reload, &bytes, sizeof bytes);
        ag_status c = f->ag->reload_status(f->device, (ag_reload *)(void *)reload);
        CHECK_F(bytes >= 8 ? c == AG_OK : c < 0, "%u bytes: %s", bytes, check_status_name(c));
        CHECK_F(memcmp(reload, &bytes, sizeof bytes) == 0, "struct_size of %u changed", bytes);
        CHECK_F(reload[bytes] == 0xee || bytes < 4, "written past %u bytes", bytes);
        free(reload);
        memset(stats, 0xee, bytes + 4);
        memset(health, 0xee, bytes + 4);
        memcpy(stats, &bytes, sizeof bytes);
        memcpy(health, &bytes, sizeof bytes);
        ag_status a = f->ag->stats(pass, AG_WHOLE_PASS, (ag_stats *)(void *)stats);
        ag_status b = f->ag->health(f->device, (ag_health *)(void *)health);
        CHECK_F(is_clean(a) && is_clean(b), "%u bytes: %s, %s", bytes, check_status_name(a),
                check_status_name(b));
        if (bytes >= 8)
            CHECK_F(a == AG_OK && b == AG_OK, "%u bytes", bytes);
        else
            CHECK_F(a < 0 && b < 0, "%u bytes hold nothing", bytes);
        uint32_t kept[2];
        memcpy(&kept[0], stats, 4);
        memcpy(&kept[1], health, 4);
        CHECK_F(kept[0] == bytes && kept[1] == bytes, "struct_size became %u, %u", kept[0],
                kept[1]);
        if (bytes >= 4)
            CHECK_F(stats[bytes] == 0xee && health[bytes] == 0xee, "written past %u bytes", bytes);
        free(stats);
        free(health);
    }
    f->ag->pass_destroy(pass);
}
