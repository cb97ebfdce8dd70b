// abi_mistakes.c - wrong hosts: a device destroyed in another context, a struct never filled
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jobs.h"
#include "test_abi.h"

// Destroying a device while another context is current must not delete objects of that context that
// have the same names as its own.
void test_destroy_elsewhere(void **state)
{
    enum { OBJECTS = 64 };
    fixture *group = *state;
    fixture *f = fixture_open(&(fixture_options){.quiet = true});
    CHECK(f != NULL);
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    job_set(&j, "method", 0, 2); // fft: buffers, programs and views
    fixture_run(f, pass, &j.job);
    job_destroy(f, &j);

    fixture *other = fixture_open(&(fixture_options){.quiet = true, .no_device = true});
    CHECK(other != NULL);
    GLuint buffers[OBJECTS], textures[OBJECTS], queries[OBJECTS];
    other->gl.GenBuffers(OBJECTS, buffers);
    other->gl.GenTextures(OBJECTS, textures);
    other->gl.GenQueries(OBJECTS, queries);
    for (int i = 0; i < OBJECTS; ++i) {
        other->gl.BindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        other->gl.BindTexture(GL_TEXTURE_2D, textures[i]);
        other->gl.QueryCounter(queries[i], GL_TIMESTAMP);
    }
    host_log_clear(&f->host);
    gl_trace_use(&f->host.trace);
    gl_trace_reset(&f->host.trace);
    f->ag->device_destroy(f->device, 0);
    f->device = NULL;
    CHECK_EQ(f->host.trace.total, 0);
    CHECK(host_log_error(&f->host, AG_E_THREAD, "current"));
    CHECK_EQ(f->host.block_count, 0);
    fixture_current(other);
    for (int i = 0; i < OBJECTS; ++i) {
        CHECK_F(other->gl.IsBuffer(buffers[i]), "buffer %u is gone", buffers[i]);
        CHECK_F(other->gl.IsTexture(textures[i]), "texture %u is gone", textures[i]);
        CHECK_F(other->gl.IsQuery(queries[i]), "query %u is gone", queries[i]);
    }
    other->gl.DeleteBuffers(OBJECTS, buffers);
    other->gl.DeleteTextures(OBJECTS, textures);
    other->gl.DeleteQueries(OBJECTS, queries);
    CHECK(fixture_close(other));
    CHECK(fixture_close(f));
    fixture_current(group);
}

// `bytes` bytes of `fill` that end where memory ends, struct_size first.
static void *at_the_end(char *page, size_t page_bytes, size_t bytes, int fill, uint32_t struct_size)
{
    char *at = page + page_bytes - bytes;
    memset(at, fill, bytes);
    memcpy(at, &struct_size, bytes < sizeof struct_size ? bytes : sizeof struct_size);
    return at;
}

// Before the size of a host's struct is valid, no other member is read and no callback is called.
void test_host_garbage(void **state)
{
    static const int fills[] = {0x01, 0x5a, 0xcd, 0xff};
    static const uint32_t sizes[] = {0, 3, 4, 7, 10, 9, 11, 12, 13, 60, 61, 90, 101};
    fixture *f = *state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    for (size_t i = 0; i < sizeof fills / sizeof *fills; ++i) {
        ag_device *device = NULL;
        // all of it is garbage, its size too
        uint32_t huge;
        memset(&huge, fills[i], sizeof huge);
        void *host = at_the_end(pages, page, page, fills[i], huge);
        CHECK_STATUS(f->ag->device_create(host, NULL, &device), AG_E_ABI);
        // a size of no known struct, with as many bytes
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            uint32_t bytes = sizes[k] < 4 ? 4 : sizes[k];
            if (sizes[k] >= 8 && sizes[k] % 4 == 0)
                continue; // a prefix, which is a struct: test_host_growth
            host = at_the_end(pages, page, bytes, fills[i], sizes[k]);
            ag_status status = f->ag->device_create(host, NULL, &device);
            CHECK_F(status == AG_E_ABI, "size %u: %s", sizes[k], check_status_name(status));
        }
        // larger than a newer host's struct could be
        host = at_the_end(pages, page, page, fills[i], (uint32_t)page);
        CHECK_STATUS(f->ag->device_create(host, NULL, &device), AG_E_ABI);
        CHECK(device == NULL);
    }
    munmap(pages, 2 * page);
}
