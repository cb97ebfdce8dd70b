// abi_host.c - wrong members of the host and of the device's description: a code, and a name
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "test_abi.h"

static void refuse_host(fixture *f, test_host *h, const char *name, ag_status code,
                        const char *part)
{
    ag_device *device = NULL;
    host_log_clear(h);
    ag_status status = f->ag->device_create(&h->host, NULL, &device);
    bool named = host_log_error(h, code, part);
    CHECK_F(check_case(name, status == code && !device && named), "%s, \"%s\"",
            check_status_name(status), host_log_last(h));
}

void test_host_arguments(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    ag_host good = h.host;
    headless_make_current(NULL);
    h.host.gl_proc = NULL;
    h.host.is_current = NULL;
    refuse_host(f, &h, "gl_proc NULL without a context", AG_E_GL, "host.gl_proc is NULL");
    h.host = good;
    fixture_current(f);
    h.host.alloc = NULL;
    refuse_host(f, &h, "free without alloc", AG_E_ARG, "alloc");
    h.host = good;
    h.host.free = NULL;
    refuse_host(f, &h, "alloc without free", AG_E_ARG, "free");
    h.host = good;
    h.host.reserved = 1;
    refuse_host(f, &h, "host.reserved 1", AG_E_ARG, "reserved");
    h.host = good;

    // without optional members: no log, the C library's memory, is_current is not asked
    h.host.alloc = NULL;
    h.host.free = NULL;
    h.host.log = NULL;
    h.host.is_current = NULL;
    h.host.span = NULL;
    h.host.gl_proc = NULL; // EGL is asked, which has a current context
    ag_device *device = NULL;
    CHECK_STATUS(f->ag->device_create(&h.host, NULL, &device), AG_OK);
    ag_pass *pass = NULL;
    CHECK_STATUS(f->ag->pass_create(device, "glow", &pass), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    test_job j;
    job_create(f, "convolve", 9, 7, &j);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    CHECK_STATUS(f->ag->frame(device, 1), AG_OK);
    f->ag->device_destroy(device, 0); // while its pass exists
    CHECK_EQ(h.message_total, 4);     // of the refusals above
    CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), 0);
    job_destroy(f, &j);
    CHECK(host_finish(&h));
    fixture_current(f);
}

void test_desc_arguments(void **state)
{
    fixture *f = *state;
    GLint units = 0, bindings = 0;
    f->gl.GetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    f->gl.GetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &bindings);
    enum { IMAGES = 3, SSBOS = 6 }; // as afterglow.h publishes
    const struct {
        const char *part;
        ag_device_desc desc;
    } rows[] = {
        {"image_unit_base", {.image_unit_base = (uint32_t)(units - IMAGES + 1)}},
        {"image_unit_base", {.image_unit_base = UINT32_MAX}},
        {"ssbo_base", {.ssbo_base = (uint32_t)(bindings - SSBOS + 1)}},
        {"ssbo_base", {.ssbo_base = UINT32_MAX - 1}},
        {"flags", {.flags = 0x80000000u}},
        {"without is 0x2; the known bits are 0x5", {.without = 2}},
        {"without is 0x8; the known bits are 0x5", {.without = 8}},
        {"without", {.without = UINT32_MAX}},
        {"reserved", {.reserved = 1}},
    };
    uint32_t failures = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        test_host h;
        host_init(&h, f->context);
        ag_device_desc desc = rows[i].desc;
        desc.struct_size = sizeof desc;
        ag_device *device = NULL;
        ag_status status = f->ag->device_create(&h.host, &desc, &device);
        bool passed = status == AG_E_ARG && !device && host_log_error(&h, AG_E_ARG, rows[i].part);
        failures += !check_case(rows[i].part, passed);
        if (!passed)
            printf("        %s, \"%s\"\n", check_status_name(status), host_log_last(&h));
        f->ag->device_destroy(device, 0);
        CHECK(host_finish(&h));
    }
    fixture_current(f);
    CHECK_EQ(failures, 0);
}

// A folder without shaders: prepare logs it with the file name, and uses the embedded shaders.
void test_shader_dir(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = "/no/such/folder"};
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    test_job j;
    job_create(f, "convolve", 9, 7, &j);
    CHECK_STATUS(f->ag->device_create(&h.host, &desc, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_FALLBACK);
    host_log_print(&h);
    CHECK(host_log_error(&h, AG_E_SHADER, ".comp"));
    CHECK(host_log_has(&h, "/no/such/folder"));
    ag_reload reload = {.struct_size = sizeof reload};
    CHECK_STATUS(f->ag->reload_status(device, &reload), AG_OK);
    CHECK_EQ(reload.failed, 1);
    CHECK(reload.watched > 0 && strstr(reload.message, ".comp") && strstr(reload.file, ".comp"));
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    f->ag->device_destroy(device, 0);
    job_destroy(f, &j);
    CHECK(host_finish(&h));
    fixture_current(f);
}
