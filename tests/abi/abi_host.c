// abi_host.c - wrong members of the host and of the device's description: a code, and a name
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // chmod, access
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
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
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
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
        {"without is 0x4; the known bits are 0x3", {.without = 4}},
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

// No folder: device_create says so. A folder without shaders: prepare logs it with the file name,
// and uses the embedded shaders.
void test_shader_dir(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    ag_device_desc desc = {.struct_size = sizeof desc};
    ag_device *device = NULL;
    folder empty = folder_create();
    char file[80];
    folder_put(&empty, "file", "no folder");
    snprintf(file, sizeof file, "%s/file", empty.path);
    const char *const wrong[] = {"/no/such/folder", file, ""};
    for (int i = 0; i < 3; ++i) {
        host_log_clear(&h);
        desc.shader_dir = wrong[i];
        CHECK_STATUS(f->ag->device_create(&h.host, &desc, &device), AG_E_ARG);
        CHECK(!device && host_log_error(&h, AG_E_ARG, "shader_dir") && host_log_has(&h, wrong[i]));
    }
    folder_drop(&empty, "file");
    desc.shader_dir = empty.path;
    CHECK(chmod(empty.path, 0) == 0);
    if (access(empty.path, R_OK) != 0) { // root may read everything
        host_log_clear(&h);
        CHECK_STATUS(f->ag->device_create(&h.host, &desc, &device), AG_E_ARG);
        CHECK(!device && host_log_error(&h, AG_E_ARG, empty.path));
    }
    CHECK(chmod(empty.path, 0700) == 0);
    ag_pass *pass = NULL;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    CHECK_STATUS(f->ag->device_create(&h.host, &desc, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_FALLBACK);
    host_log_print(&h);
    CHECK(host_log_error(&h, AG_E_SHADER, ".comp"));
    CHECK(host_log_has(&h, empty.path));
    ag_reload reload = {.struct_size = sizeof reload};
    CHECK_STATUS(f->ag->reload_status(device, &reload), AG_OK);
    CHECK_EQ(reload.failed, 1);
    CHECK(reload.watched > 0 && strstr(reload.message, ".comp") && strstr(reload.file, ".comp"));
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    f->ag->device_destroy(device, 0);
    job_destroy(f, &j);
    folder_destroy(&empty);
    CHECK(host_finish(&h));
    fixture_current(f);
}

// Without gl_proc and is_current the module asks the library in which it found the context: no call
// may reach GL while another context is current, or none.
void test_context_found(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    h.host.gl_proc = NULL;
    h.host.is_current = NULL;
    ag_device *device = NULL;
    ag_pass *pass = NULL, *more = NULL;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    CHECK_STATUS(f->ag->device_create(&h.host, NULL, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    char error[256] = "";
    headless *other = headless_create(&(headless_options){0}, error, sizeof error);
    CHECK_F(other != NULL, "%s", error);
    for (int i = 0; i < 2; ++i) {
        CHECK(headless_make_current(i ? other : NULL));
        host_log_clear(&h);
        CHECK_STATUS(f->ag->pass_create(device, "bloom", &more), AG_E_THREAD);
        CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_THREAD);
        CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_E_THREAD);
        CHECK_STATUS(f->ag->frame(device, 1), AG_E_THREAD);
        CHECK(host_log_error(&h, AG_E_THREAD, "current"));
    }
    headless_destroy(other);
    fixture_current(f);
    CHECK(texture_is_poison(f, job_output(&j)));
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), 0);
    f->ag->device_destroy(device, 0);
    job_destroy(f, &j);
    CHECK(host_finish(&h));
    fixture_current(f);
}

// Messages name a format, and what to use instead.
void test_format_words(void **state)
{
    static const struct {
        uint32_t internal, format, type;
        const char *words;
    } rows[] = {
        {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, "RGB8; use RGBA8"},
        {GL_RGB16F, GL_RGB, GL_FLOAT, "RGB16F; use RGBA16F"},
        {GL_RGB32F, GL_RGB, GL_FLOAT, "RGB32F; use RGBA32F"},
        {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, "SRGB8; use SRGB8_ALPHA8"},
        {GL_RGB9_E5, GL_RGB, GL_FLOAT, "RGB9_E5; use"},
        {GL_R16, GL_RED, GL_UNSIGNED_SHORT, "R16; use"},
        {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, "RGBA8_SNORM; use"},
        {GL_R8I, GL_RED_INTEGER, GL_BYTE, "R8I; use R8"},
        {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, "RGBA16UI; use RGBA16F or RGBA32F"},
        {GL_COMPRESSED_RG_RGTC2, GL_RG, GL_UNSIGNED_BYTE, "BC5 (RGTC); use RG8 or RG16F"},
    };
    fixture *f = *state;
    ag_texture t = {.struct_size = sizeof t};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        GLuint name;
        f->gl.GenTextures(1, &name);
        f->gl.BindTexture(GL_TEXTURE_2D, name);
        f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)rows[i].internal, 4, 4, 0, rows[i].format,
                         rows[i].type, NULL);
        f->gl.BindTexture(GL_TEXTURE_2D, 0);
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->texture(f->device, name, 0, &t), AG_E_FORMAT);
        CHECK_F(host_log_error(&f->host, AG_E_FORMAT, rows[i].words), "%s, not \"%s\"",
                host_log_last(&f->host), rows[i].words);
        f->gl.DeleteTextures(1, &name);
    }
    // What a host states: unsized formats, and none at all.
    static const struct {
        uint32_t format;
        const char *words;
    } stated[] = {{GL_RGBA, "RGBA, which is unsized; use RGBA8"},
                  {GL_RGB, "RGB, which is unsized"},
                  {GL_DEPTH_COMPONENT, "DEPTH_COMPONENT, which is unsized"},
                  {GL_RGB8, "RGB8; use RGBA8"},
                  {GL_RED, "RED, which is unsized; use R8"},
                  {GL_RGBA4, "RGBA4; use RGBA8"},
                  {0x83F1, "BC1, BC2 or BC3 (S3TC); use RGBA8"},
                  {0x8E8D, "BC7 (BPTC) in sRGB; use SRGB8_ALPHA8"},
                  {GL_R32UI, "format R32UI. It takes"},
                  {0, "format 0; set"},
                  {1, "0x0001, which no effect takes"}};
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    for (size_t i = 0; i < sizeof stated / sizeof stated[0]; ++i) {
        j.slots[0].format = stated[i].format;
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_FORMAT);
        CHECK_F(host_log_error(&f->host, AG_E_FORMAT, stated[i].words), "%s, not \"%s\"",
                host_log_last(&f->host), stated[i].words);
    }
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}
