// test_module.c - the module as an engine uses it: loaded, unloaded, twice in one process
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // mkstemp
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "jobs.h"

enum { CYCLES = 100, NAMES = 2048 };

typedef struct module {
    void *handle;
    const ag_api *ag;
} module;

static module load(const char *path)
{
    module m = {dlopen(path, RTLD_NOW | RTLD_LOCAL), NULL};
    CHECK_F(m.handle != NULL, "%s", dlerror());
    ag_entry_fn entry = NULL;
    void *symbol = dlsym(m.handle, "ag_entry_v1");
    memcpy(&entry, &symbol, sizeof entry);
    CHECK(entry != NULL);
    m.ag = entry(AG_ABI_MINOR);
    return m;
}

static bool is_loaded(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

// GL objects alive on the context.
static int count_objects(const GladGLContext *gl)
{
    int count = 0;
    for (GLuint i = 1; i < NAMES; ++i)
        count += gl->IsProgram(i) + gl->IsShader(i) + gl->IsBuffer(i) + gl->IsTexture(i) +
                 gl->IsQuery(i);
    return count;
}

// One life of a device of a module's.
static void live(fixture *f, const ag_api *ag, test_job *j, uint64_t frame)
{
    test_host h;
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    host_init(&h, f->context);
    CHECK_STATUS(ag->device_create(&h.host, NULL, &device), AG_OK);
    CHECK_STATUS(ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(ag->prepare(pass, &j->job), AG_OK);
    CHECK_STATUS(ag->execute(pass, &j->job, NULL), AG_OK);
    CHECK_STATUS(ag->frame(device, frame), AG_OK);
    ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    gl_trace_use(&f->host.trace);
}

// 100 times: the module is unloaded, deletes nothing of the host, and leaves nothing behind. The
// sanitizers check the rest.
static void test_cycles(void **state)
{
    fixture *f = *state;
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    int before = 0;
    for (int i = 0; i < CYCLES; ++i) {
        module m = load(folder_find(AG_MODULE));
        texture_poison(f, job_output(&j));
        live(f, m.ag, &j, (uint64_t)i);
        CHECK_EQ(texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0), 0);
        CHECK_EQ(dlclose(m.handle), 0);
        CHECK(!is_loaded(folder_find(AG_MODULE)));
        if (i == 0)
            before = count_objects(&f->gl);
    }
    CHECK_EQ(count_objects(&f->gl), before);
    printf("  %d GL objects before and after\n", before);
    job_destroy(f, &j);
}

// ---- two in one process ------------------------------------------------------------------------

static void copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    CHECK(in && out);
    char block[65536];
    for (size_t count; (count = fread(block, 1, sizeof block, in)) > 0;)
        CHECK_EQ(fwrite(block, 1, count, out), count);
    fclose(in);
    CHECK_EQ(fclose(out), 0);
}

// Two plugins of an engine may each contain a copy, and the engine may link a third. On one
// context, in turns and with lifetimes in any order, each works as if it were alone.
static void test_copies(void **state)
{
    enum { COPIES = 3 };
    fixture *f = *state;
    char path[64] = "/tmp/afterglow-copy-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    copy_file(folder_find(AG_MODULE), path);
    module copies[COPIES] = {load(folder_find(AG_MODULE)), load(path), {NULL, f->ag}};
    CHECK_EQ(unlink(path), 0);
    for (int i = 0; i < COPIES; ++i)
        for (int k = 0; k < i; ++k)
            CHECK(copies[i].ag != copies[k].ag);

    test_job j;
    job_create(f, "bloom", JOB_WIDTH, JOB_HEIGHT, &j);
    size_t bytes = texture_value_count(job_output(&j), 0) * sizeof(double);
    test_host hosts[COPIES];
    ag_device *devices[COPIES] = {NULL};
    ag_pass *passes[COPIES] = {NULL};
    double *alone = NULL;
    for (int i = 0; i < COPIES; ++i) {
        host_init(&hosts[i], f->context);
        CHECK_STATUS(copies[i].ag->device_create(&hosts[i].host, NULL, &devices[i]), AG_OK);
        CHECK_STATUS(copies[i].ag->pass_create(devices[i], "bloom", &passes[i]), AG_OK);
        CHECK_STATUS(copies[i].ag->prepare(passes[i], &j.job), AG_OK);
    }
    for (int turn = 0; turn < 4 * COPIES; ++turn) {
        int i = turn % COPIES;
        gl_trace_use(&hosts[i].trace);
        texture_poison(f, job_output(&j));
        CHECK_STATUS(copies[i].ag->execute(passes[i], &j.job, NULL), AG_OK);
        CHECK_STATUS(copies[i].ag->frame(devices[i], 1), AG_OK);
        double *now = texture_read(f, job_output(&j), 0);
        CHECK_F(!alone || memcmp(now, alone, bytes) == 0, "copy %d, turn %d", i, turn);
        if (alone)
            free(now);
        else
            alone = now;
    }
    for (int i = 0; i < COPIES; ++i) { // the first goes first; the others go on
        gl_trace_use(&hosts[i].trace);
        copies[i].ag->device_destroy(devices[i], 0);
        CHECK(host_finish(&hosts[i]));
        if (copies[i].handle)
            CHECK_EQ(dlclose(copies[i].handle), 0);
        for (int k = i + 1; k < COPIES; ++k) {
            gl_trace_use(&hosts[k].trace);
            texture_poison(f, job_output(&j));
            CHECK_STATUS(copies[k].ag->execute(passes[k], &j.job, NULL), AG_OK);
            double *now = texture_read(f, job_output(&j), 0);
            CHECK(memcmp(now, alone, bytes) == 0);
            free(now);
        }
    }
    free(alone);
    fixture_current(f);
    job_destroy(f, &j);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_cycles),
        FIXTURE_TEST(test_copies),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
