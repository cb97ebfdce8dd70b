// transfers.c - bytes to the GPU and back: by plain calls, by pixel buffers, by memory that stays
// mapped
// SPDX-License-Identifier: MIT
//
// Times are of the CPU's clock, from the first call until glFinish returns: what a host waits for,
// copies of its own included. The least of several counts, since everything else on the machine
// only adds.
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 64 << 20,
    SOFTWARE_BYTES = 1 << 18,
    RUNS = 8,
    MAP_PERSISTENT = 0x0040, // GL_ARB_buffer_storage, in core since 4.4
    MAP_COHERENT = 0x0080,
};

typedef void(GLAD_API_PTR *storage_fn)(GLenum target, GLsizeiptr bytes, const void *data,
                                       GLbitfield flags);

typedef struct transfer {
    memory_bench *self;
    const GladGLContext *gl;
    size_t bytes;
    GLuint pack, unpack; // buffers that are not mapped
    GLuint kept_pack, kept_unpack;
    void *kept_read,
        *kept_write; // mapped as long as they live; NULL: the context has no such thing
    uint32_t *sent, *got;
    GLsizei width, height;
} transfer;

static void upload(transfer *it, GLuint buffer, const void *from)
{
    it->gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    it->gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, it->width, it->height, GL_RGBA, GL_UNSIGNED_BYTE,
                          from);
    it->gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

static void readback(transfer *it, GLuint buffer, void *to)
{
    it->gl->BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    it->gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, to);
    it->gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static bool up_plain(transfer *it)
{
    upload(it, 0, it->sent);
    return true;
}

static bool up_pixel_buffer(transfer *it)
{
    it->gl->BindBuffer(GL_PIXEL_UNPACK_BUFFER, it->unpack);
    void *at = it->gl->MapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)it->bytes,
                                      GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (!at)
        return false;
    memcpy(at, it->sent, it->bytes);
    it->gl->UnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
    upload(it, it->unpack, NULL);
    return true;
}

static bool up_kept(transfer *it)
{
    memcpy(it->kept_write, it->sent, it->bytes);
    upload(it, it->kept_unpack, NULL);
    return true;
}

static bool down_plain(transfer *it)
{
    readback(it, 0, it->got);
    return true;
}

static bool down_pixel_buffer(transfer *it)
{
    readback(it, it->pack, NULL);
    it->gl->BindBuffer(GL_PIXEL_PACK_BUFFER, it->pack);
    const void *at =
        it->gl->MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)it->bytes, GL_MAP_READ_BIT);
    if (at)
        memcpy(it->got, at, it->bytes);
    it->gl->UnmapBuffer(GL_PIXEL_PACK_BUFFER);
    it->gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return at != NULL;
}

static bool down_kept(transfer *it)
{
    readback(it, it->kept_pack, NULL);
    it->gl->MemoryBarrier(0x4000); // GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT
    it->gl->Finish();
    memcpy(it->got, it->kept_read, it->bytes);
    return true;
}

static const struct {
    const char *series, *name;
    bool (*run)(transfer *it);
    bool kept, down;
} ways[] = {
    {"upload", "plain call", up_plain, false, false},
    {"upload", "pixel buffer", up_pixel_buffer, false, false},
    {"upload", "mapped for good", up_kept, true, false},
    {"readback", "plain call", down_plain, false, true},
    {"readback", "pixel buffer", down_pixel_buffer, false, true},
    {"readback", "mapped for good", down_kept, true, true},
};

// The least of several; what was sent must be what comes back, by plain calls on the other way.
static void measure_one(transfer *it, int way)
{
    const char *series = ways[way].series, *name = ways[way].name;
    double least = INFINITY;
    int runs = it->self->software ? 2 : it->self->quick ? 4 : RUNS;
    for (int i = 0; i < runs; i++) {
        for (size_t k = 0; k < it->bytes / 4; k++)
            it->sent[k] = memory_value((uint32_t)k + (uint32_t)(way * RUNS + i) * 7919u);
        memset(it->got, 0x5a, it->bytes);
        if (ways[way].down)
            upload(it, 0, it->sent);
        it->gl->Finish();
        double start = bench_now_us();
        must(ways[way].run(it), "%s by %s failed", series, name);
        it->gl->Finish();
        least = fmin(least, bench_now_us() - start);
        if (!ways[way].down)
            readback(it, 0, it->got);
        must(memcmp(it->sent, it->got, it->bytes) == 0, "%s by %s: other bytes arrive", series,
             name);
    }
    memory_result result = memory_head("transfer", series, (double)NAN, "GB/s", "%s", name);
    result.value = (double)it->bytes / least * 1e-3;
    result.checked = (long long)it->bytes / 4 * runs;
    memory_add_value(it->self, &result);
}

static GLuint pixel_buffer(const transfer *it, GLenum target, GLenum usage)
{
    GLuint name;
    it->gl->GenBuffers(1, &name);
    it->gl->BindBuffer(target, name);
    it->gl->BufferData(target, (GLsizeiptr)it->bytes, NULL, usage);
    it->gl->BindBuffer(target, 0);
    return name;
}

static GLuint kept_buffer(const transfer *it, GLenum target, GLbitfield access, void **at)
{
    void *address = headless_proc(it->self->bench.gpu.context, "glBufferStorage");
    storage_fn storage;
    memcpy(&storage, &address, sizeof storage);
    GLuint name = 0;
    *at = NULL;
    if (!storage)
        return 0;
    const GLbitfield flags = access | MAP_PERSISTENT | MAP_COHERENT;
    it->gl->GenBuffers(1, &name);
    it->gl->BindBuffer(target, name);
    storage(target, (GLsizeiptr)it->bytes, NULL, flags);
    *at = it->gl->MapBufferRange(target, 0, (GLsizeiptr)it->bytes, flags);
    it->gl->BindBuffer(target, 0);
    while (it->gl->GetError() != GL_NO_ERROR)
        ; // a driver may have the function but not the extension: `at` tells
    return name;
}

void memory_transfers(memory_bench *self)
{
    const GladGLContext *gl = self->gl;
    transfer it = {.self = self, .gl = gl};
    it.bytes = self->software ? SOFTWARE_BYTES : BYTES;
    it.width = self->software ? 256 : 4096;
    it.height = (GLsizei)(it.bytes / 4 / (size_t)it.width);
    it.sent = need_memory(it.bytes);
    it.got = need_memory(it.bytes);
    it.unpack = pixel_buffer(&it, GL_PIXEL_UNPACK_BUFFER, GL_STREAM_DRAW);
    it.pack = pixel_buffer(&it, GL_PIXEL_PACK_BUFFER, GL_STREAM_READ);
    it.kept_unpack = kept_buffer(&it, GL_PIXEL_UNPACK_BUFFER, GL_MAP_WRITE_BIT, &it.kept_write);
    it.kept_pack = kept_buffer(&it, GL_PIXEL_PACK_BUFFER, GL_MAP_READ_BIT, &it.kept_read);
    GLuint texture = picture_texture(gl, GL_RGBA8, it.width, it.height, NULL);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    for (int i = 0; i < COUNT(ways); i++)
        if (!ways[i].kept || (ways[i].down ? it.kept_read : it.kept_write))
            measure_one(&it, i);
    const GLuint buffers[] = {it.pack, it.unpack, it.kept_pack, it.kept_unpack};
    gl->DeleteBuffers(4, buffers); // which unmaps those that are mapped
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->DeleteTextures(1, &texture);
    free(it.sent);
    free(it.got);
}
