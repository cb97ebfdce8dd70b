// gpu.c - the module's own buffers, textures and views; every function restores its bindings
// SPDX-License-Identifier: MIT
#include "gl/gpu.h"
#include "base/log.h"
#include "base/memory.h"

#include <string.h>

void ag_gpu_label(const ag_gpu *gpu, GLenum kind, GLuint name, const char *text)
{
    if (gpu->gl.labels)
        gpu->gl.ObjectLabel(kind, name, (GLsizei)strlen(text), text);
}

ag_status ag_gpu_check(const ag_gpu *gpu)
{
    if (gpu->lost)
        return ag_fail(&gpu->host, AG_E_LOST, "the GL context was lost; destroy this device");
    const ag_host *host = &gpu->host;
    if (host->is_current ? !host->is_current(host->user)
                         : !ag_platform_is_current(&gpu->gl.platform))
        return ag_fail(&gpu->host, AG_E_THREAD,
                       "the device's context is not current on this thread");
    return AG_OK;
}

// ---- buffers -----------------------------------------------------------------------------------

// Binds a buffer to a target for copies, which is its own query. Returns what was bound there.
static GLuint bind(const ag_gl *gl, GLenum target, GLuint buffer)
{
    GLint bound = 0;
    gl->GetIntegerv(target, &bound);
    gl->BindBuffer(target, buffer);
    return (GLuint)bound;
}

ag_status ag_gpu_buffer(ag_gpu *gpu, const char *name, ag_usage usage, uint64_t bytes,
                        const void *data, ag_memory *memory)
{
    static const GLenum hints[] = {[AG_ON_GPU] = GL_DYNAMIC_COPY,
                                   [AG_UPLOADED] = GL_STATIC_DRAW,
                                   [AG_READBACK] = GL_STREAM_READ};
    const ag_gl *gl = &gpu->gl;
    GLuint buffer = 0;
    gl->GenBuffers(1, &buffer);
    GLuint former = bind(gl, GL_COPY_WRITE_BUFFER, buffer);
    gl->BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, data, hints[usage]);
    // The size tells whether the allocation succeeded, without reading the host's error flag.
    GLint64 size = 0;
    gl->GetBufferParameteri64v(GL_COPY_WRITE_BUFFER, GL_BUFFER_SIZE, &size);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, former);
    if ((uint64_t)size != bytes) {
        gl->DeleteBuffers(1, &buffer);
        return ag_fail(&gpu->host, AG_E_MEMORY,
                       "GL has no memory for the buffer \"%s\" of %llu bytes", name,
                       (unsigned long long)bytes);
    }
    ag_gpu_label(gpu, GL_BUFFER, buffer, name);
    *memory = (ag_memory){buffer, bytes};
    gpu->persistent_bytes += bytes;
    return AG_OK;
}

bool ag_memory_serves(const ag_memory *memory, uint64_t bytes)
{
    return memory->name && memory->bytes >= bytes && memory->bytes / 8 <= bytes;
}

ag_status ag_gpu_buffer_again(ag_gpu *gpu, const char *name, uint64_t bytes,
                              const ag_memory *former, ag_memory *memory)
{
    if (ag_memory_serves(former, bytes)) {
        *memory = *former;
        return AG_OK;
    }
    bool grows = former->name && former->bytes < bytes;
    return ag_gpu_buffer(gpu, name, AG_ON_GPU, grows ? bytes + bytes / 4 : bytes, NULL, memory);
}

int64_t ag_gpu_buffer_bytes(ag_gpu *gpu, GLuint buffer)
{
    const ag_gl *gl = &gpu->gl;
    GLint64 size = 0;
    GLuint former = bind(gl, GL_COPY_READ_BUFFER, buffer);
    gl->GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    gl->BindBuffer(GL_COPY_READ_BUFFER, former);
    return size;
}

void ag_gpu_free_buffer(ag_gpu *gpu, ag_memory *memory, bool with_gl)
{
    if (memory->name && with_gl)
        gpu->gl.DeleteBuffers(1, &memory->name);
    gpu->persistent_bytes -= memory->bytes;
    *memory = (ag_memory){0};
}

void ag_gpu_write(ag_gpu *gpu, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                  const void *data)
{
    const ag_gl *gl = &gpu->gl;
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    GLuint former = bind(gl, GL_COPY_WRITE_BUFFER, memory->name);
    gl->BufferSubData(GL_COPY_WRITE_BUFFER, (GLintptr)offset, (GLsizeiptr)bytes, data);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, former);
}

void ag_gpu_read_back(ag_gpu *gpu, const ag_memory *readback, uint64_t bytes, void *out)
{
    const ag_gl *gl = &gpu->gl;
    GLuint former = bind(gl, GL_COPY_READ_BUFFER, readback->name);
    gl->GetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)bytes, out);
    gl->BindBuffer(GL_COPY_READ_BUFFER, former);
}

// Copies to a readback buffer first: if the CPU reads a shader's buffer directly, a driver moves
// the buffer to host memory (NVIDIA reports it in a performance warning), which slows down later
// frames.
ag_status ag_gpu_read(ag_gpu *gpu, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                      void *out)
{
    ag_memory *readback = &gpu->readback;
    if (!readback->name) {
        ag_status status =
            ag_gpu_buffer(gpu, "afterglow readback", AG_READBACK, AG_READ_MAX, NULL, readback);
        if (status < 0)
            return status;
    }
    ag_gpu_copy(gpu, memory, offset, readback, 0, bytes);
    ag_gpu_read_back(gpu, readback, bytes, out);
    return AG_OK;
}

void ag_gpu_copy(ag_gpu *gpu, const ag_memory *from, uint64_t from_offset, const ag_memory *to,
                 uint64_t to_offset, uint64_t bytes)
{
    const ag_gl *gl = &gpu->gl;
    GLuint read = bind(gl, GL_COPY_READ_BUFFER, from->name);
    GLuint write = bind(gl, GL_COPY_WRITE_BUFFER, to->name);
    gl->CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from_offset,
                          (GLintptr)to_offset, (GLsizeiptr)bytes);
    gl->BindBuffer(GL_COPY_READ_BUFFER, read);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, write);
}

// ---- textures ----------------------------------------------------------------------------------

GLenum ag_gpu_texture_query(GLenum target)
{
    switch (target) {
    case GL_TEXTURE_2D: return GL_TEXTURE_BINDING_2D;
    case GL_TEXTURE_2D_ARRAY: return GL_TEXTURE_BINDING_2D_ARRAY;
    case GL_TEXTURE_2D_MULTISAMPLE: return GL_TEXTURE_BINDING_2D_MULTISAMPLE;
    case GL_TEXTURE_2D_MULTISAMPLE_ARRAY: return GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY;
    default: return 0;
    }
}

GLuint ag_gpu_bind_texture(const ag_gl *gl, GLenum target, GLuint texture)
{
    GLint bound = 0;
    gl->GetIntegerv(ag_gpu_texture_query(target), &bound);
    gl->BindTexture(target, texture);
    return (GLuint)bound;
}

// Completes the bound texture, which has one level, and puts the former one back. GL's own filters
// would leave it incomplete. On failure, when GL has no memory, the texture is deleted.
static bool finish_texture(const ag_gpu *gpu, const char *name, GLenum target, GLint filter,
                           GLuint texture, GLuint former)
{
    const ag_gl *gl = &gpu->gl;
    GLint immutable = 0;
    gl->GetTexParameteriv(target, GL_TEXTURE_IMMUTABLE_FORMAT, &immutable);
    gl->TexParameteri(target, GL_TEXTURE_MIN_FILTER, filter);
    gl->TexParameteri(target, GL_TEXTURE_MAG_FILTER, filter);
    gl->BindTexture(target, former);
    if (immutable)
        ag_gpu_label(gpu, GL_TEXTURE, texture, name);
    else
        gl->DeleteTextures(1, &texture);
    return immutable;
}

ag_status ag_gpu_texture(ag_gpu *gpu, const char *name, GLenum target, GLenum format, GLint filter,
                         int32_t texel_bytes, int32_t width, int32_t height, int32_t layers,
                         ag_memory *memory)
{
    const ag_gl *gl = &gpu->gl;
    GLuint texture = 0;
    gl->GenTextures(1, &texture);
    GLuint former = ag_gpu_bind_texture(gl, target, texture);
    if (target == GL_TEXTURE_2D_ARRAY)
        gl->TexStorage3D(target, 1, format, width, height, layers);
    else
        gl->TexStorage2D(target, 1, format, width, height);
    if (!finish_texture(gpu, name, target, filter, texture, former))
        return ag_fail(&gpu->host, AG_E_MEMORY,
                       "GL has no memory for the texture \"%s\" of %dx%d texels, %d bytes each",
                       name, width, height, texel_bytes);
    uint64_t bytes = (uint64_t)width * (uint64_t)height * (uint64_t)layers * (uint64_t)texel_bytes;
    *memory = (ag_memory){texture, bytes};
    gpu->persistent_bytes += bytes;
    return AG_OK;
}

GLuint ag_gpu_view(const ag_gpu *gpu, const char *name, GLenum target, GLenum format,
                   GLuint texture, GLint level, GLint layers)
{
    const ag_gl *gl = &gpu->gl;
    GLuint view = 0;
    gl->GenTextures(1, &view);
    gl->TextureView(view, target, texture, format, (GLuint)level, 1, 0, (GLuint)layers);
    GLuint former = ag_gpu_bind_texture(gl, target, view);
    return finish_texture(gpu, name, target, GL_NEAREST, view, former) ? view : 0;
}

void ag_gpu_free_texture(ag_gpu *gpu, ag_memory *memory, bool with_gl)
{
    if (memory->name && with_gl)
        gpu->gl.DeleteTextures(1, &memory->name);
    gpu->persistent_bytes -= memory->bytes;
    *memory = (ag_memory){0};
}

// ---- constants --------------------------------------------------------------------------------

ag_status ag_gpu_constants(ag_gpu *gpu, const char *name, const int32_t key[8], size_t count,
                           void (*fill)(const void *context, float *values), const void *context,
                           const ag_memory **memory)
{
    ag_constants *constants = gpu->constants;
    while (constants && memcmp(constants->key, key, sizeof constants->key) != 0)
        constants = constants->next;
    if (!constants) {
        // A line of one stage has no twiddle factors, but its program declares the buffer.
        size_t bytes = (count ? count : 4) * sizeof(float);
        float *data = ag_alloc(&gpu->host, bytes);
        constants = ag_alloc(&gpu->host, sizeof *constants);
        ag_status status = data && constants ? AG_OK : AG_E_MEMORY;
        if (status >= 0) {
            fill(context, data);
            status = ag_gpu_buffer(gpu, name, AG_UPLOADED, bytes, data, &constants->memory);
        }
        ag_free(&gpu->host, data, bytes);
        if (status < 0) {
            ag_free(&gpu->host, constants, sizeof *constants);
            return status;
        }
        memcpy(constants->key, key, sizeof constants->key);
        constants->next = gpu->constants;
        gpu->constants = constants;
    }
    *memory = &constants->memory;
    return AG_OK;
}

void ag_gpu_constants_free(ag_gpu *gpu, bool with_gl)
{
    while (gpu->constants) {
        ag_constants *constants = gpu->constants;
        gpu->constants = constants->next;
        ag_gpu_free_buffer(gpu, &constants->memory, with_gl);
        ag_free(&gpu->host, constants, sizeof *constants);
    }
}
