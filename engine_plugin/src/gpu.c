// gpu.c - buffers, textures and views of the module's own; every function restores its bindings
// SPDX-License-Identifier: MIT
#include "gpu.h"
#include "device.h"
#include "log.h"
#include "memory.h"

#include <string.h>

static void label(const ag_device *device, GLenum kind, GLuint name, const char *text)
{
    if (device->gl.labels)
        device->gl.ObjectLabel(kind, name, (GLsizei)strlen(text), text);
}

// ---- buffers -----------------------------------------------------------------------------------

ag_status ag_gpu_buffer(ag_device *device, const char *name, ag_usage usage, uint64_t bytes,
                        const void *data, ag_memory *memory)
{
    static const GLenum hints[] = {[AG_ON_GPU] = GL_DYNAMIC_COPY, [AG_UPLOADED] = GL_STATIC_DRAW,
                                   [AG_READBACK] = GL_STREAM_READ};
    const ag_gl *gl = &device->gl;
    GLint bound = 0;
    gl->GetIntegerv(GL_COPY_WRITE_BUFFER, &bound);
    GLuint buffer = 0;
    gl->GenBuffers(1, &buffer);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl->BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, data, hints[usage]);
    // The size tells whether there was memory for it, without touching the host's error flag.
    GLint64 size = 0;
    gl->GetBufferParameteri64v(GL_COPY_WRITE_BUFFER, GL_BUFFER_SIZE, &size);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, (GLuint)bound);
    if ((uint64_t)size != bytes) {
        gl->DeleteBuffers(1, &buffer);
        return ag_fail(&device->host, AG_E_MEMORY, "GL has no memory for %s: %llu bytes", name,
                       (unsigned long long)bytes);
    }
    label(device, GL_BUFFER, buffer, name);
    *memory = (ag_memory){buffer, bytes};
    device->persistent_bytes += bytes;
    return AG_OK;
}

void ag_gpu_free_buffer(ag_device *device, ag_memory *memory, bool with_gl)
{
    if (memory->name && with_gl)
        device->gl.DeleteBuffers(1, &memory->name);
    device->persistent_bytes -= memory->bytes;
    *memory = (ag_memory){0};
}

void ag_gpu_read_mailbox(ag_device *device, const ag_memory *mailbox, uint64_t bytes, void *out)
{
    const ag_gl *gl = &device->gl;
    GLint bound = 0;
    gl->GetIntegerv(GL_COPY_READ_BUFFER, &bound);
    gl->BindBuffer(GL_COPY_READ_BUFFER, mailbox->name);
    gl->GetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)bytes, out);
    gl->BindBuffer(GL_COPY_READ_BUFFER, (GLuint)bound);
}

// By way of a buffer made for reading: a driver that finds the CPU reading a shader's buffer moves it
// to host memory (NVIDIA says so in a performance warning), and every later frame pays.
ag_status ag_gpu_read(ag_device *device, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                      void *out)
{
    ag_memory mailbox;
    ag_status status = ag_gpu_buffer(device, "afterglow readback", AG_READBACK, bytes, NULL, &mailbox);
    if (status < 0)
        return status;
    ag_gpu_copy(device, memory, offset, &mailbox, bytes);
    ag_gpu_read_mailbox(device, &mailbox, bytes, out);
    ag_gpu_free_buffer(device, &mailbox, true);
    return AG_OK;
}

void ag_gpu_copy(ag_device *device, const ag_memory *from, uint64_t from_offset, const ag_memory *to,
                 uint64_t bytes)
{
    const ag_gl *gl = &device->gl;
    GLint read = 0, write = 0;
    gl->GetIntegerv(GL_COPY_READ_BUFFER, &read);
    gl->GetIntegerv(GL_COPY_WRITE_BUFFER, &write);
    gl->BindBuffer(GL_COPY_READ_BUFFER, from->name);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, to->name);
    gl->CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)from_offset, 0,
                          (GLsizeiptr)bytes);
    gl->BindBuffer(GL_COPY_READ_BUFFER, (GLuint)read);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, (GLuint)write);
}

// ---- textures ----------------------------------------------------------------------------------

ag_status ag_gpu_texture(ag_device *device, const char *name, int32_t width, int32_t height,
                         ag_memory *memory)
{
    const ag_gl *gl = &device->gl;
    GLint bound = 0, immutable = 0;
    gl->GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    GLuint texture = 0;
    gl->GenTextures(1, &texture);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, width, height);
    gl->GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT, &immutable);
    gl->BindTexture(GL_TEXTURE_2D, (GLuint)bound);
    uint64_t bytes = (uint64_t)width * (uint64_t)height * 16;
    if (!immutable) {
        gl->DeleteTextures(1, &texture);
        return ag_fail(&device->host, AG_E_MEMORY, "GL has no memory for %s: %dx%d RGBA32F", name, width,
                       height);
    }
    label(device, GL_TEXTURE, texture, name);
    *memory = (ag_memory){texture, bytes};
    device->persistent_bytes += bytes;
    return AG_OK;
}

void ag_gpu_free_texture(ag_device *device, ag_memory *memory, bool with_gl)
{
    if (memory->name && with_gl)
        device->gl.DeleteTextures(1, &memory->name);
    device->persistent_bytes -= memory->bytes;
    *memory = (ag_memory){0};
}

// ---- tables ------------------------------------------------------------------------------------

ag_status ag_gpu_table(ag_device *device, const char *name, const int32_t key[8], size_t count,
                       void (*fill)(const void *context, float *table), const void *context,
                       const ag_memory **memory)
{
    ag_table *table = device->tables;
    while (table && memcmp(table->key, key, sizeof table->key) != 0)
        table = table->next;
    if (!table) {
        // A single-stage line has no twiddles, but its program still declares the buffer.
        size_t bytes = (count ? count : 4) * sizeof(float);
        float *data = ag_alloc(&device->host, bytes);
        table = ag_alloc(&device->host, sizeof *table);
        ag_status status = data && table ? AG_OK : AG_E_MEMORY;
        if (status >= 0) {
            fill(context, data);
            status = ag_gpu_buffer(device, name, AG_UPLOADED, bytes, data, &table->memory);
        }
        ag_free(&device->host, data, bytes);
        if (status < 0) {
            ag_free(&device->host, table, sizeof *table);
            return status;
        }
        memcpy(table->key, key, sizeof table->key);
        table->next = device->tables;
        device->tables = table;
    }
    *memory = &table->memory;
    return AG_OK;
}

void ag_gpu_tables_free(ag_device *device, bool with_gl)
{
    while (device->tables) {
        ag_table *table = device->tables;
        device->tables = table->next;
        ag_gpu_free_buffer(device, &table->memory, with_gl);
        ag_free(&device->host, table, sizeof *table);
    }
}

// ---- views -------------------------------------------------------------------------------------

static bool same_view(const ag_view *view, const ag_texture *texture)
{
    return view->texture == texture->name && view->version == texture->version &&
           view->target == texture->target;
}

GLuint ag_gpu_find_view(const ag_device *device, const ag_texture *texture)
{
    const ag_view *view = device->views;
    while (view && !same_view(view, texture))
        view = view->next;
    return view ? view->name : 0;
}

ag_status ag_gpu_view(ag_device *device, const char *slot, const ag_texture *texture)
{
    const ag_gl *gl = &device->gl;
    if (ag_gpu_find_view(device, texture))
        return AG_OK;
    GLenum target = texture->target;
    GLint bound = 0, immutable = 0, levels = 0, layers = 1;
    gl->GetIntegerv(target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D : GL_TEXTURE_BINDING_2D_ARRAY, &bound);
    gl->BindTexture(target, texture->name);
    gl->GetTexParameteriv(target, GL_TEXTURE_IMMUTABLE_FORMAT, &immutable);
    gl->GetTexParameteriv(target, GL_TEXTURE_VIEW_NUM_LEVELS, &levels);
    gl->GetTexParameteriv(target, GL_TEXTURE_VIEW_NUM_LAYERS, &layers);
    gl->BindTexture(target, (GLuint)bound);
    if (!immutable)
        return ag_fail(&device->host, AG_E_FORMAT,
                       "%s: texture %u is SRGB8_ALPHA8 made by glTexImage; only immutable ones "
                       "(glTexStorage) can be viewed as RGBA8, which compute needs",
                       slot, texture->name);
    ag_view *view = ag_alloc(&device->host, sizeof *view);
    if (!view)
        return AG_E_MEMORY;
    *view = (ag_view){.next = device->views, .texture = texture->name, .version = texture->version,
                      .target = target, .levels = levels, .layers = layers};
    gl->GenTextures(1, &view->name);
    // Levels and layers count from the start of the viewed texture, which may itself be a view.
    gl->TextureView(view->name, target, texture->name, GL_RGBA8, 0, (GLuint)levels, 0, (GLuint)layers);
    label(device, GL_TEXTURE, view->name, "afterglow sRGB view");
    device->views = view;
    return AG_OK;
}

void ag_gpu_forget_views(ag_device *device, GLuint texture, bool with_gl)
{
    for (ag_view **link = &device->views; *link;) {
        ag_view *view = *link;
        if (texture && view->texture != texture) {
            link = &view->next;
            continue;
        }
        *link = view->next;
        if (with_gl)
            device->gl.DeleteTextures(1, &view->name);
        ag_free(&device->host, view, sizeof *view);
    }
}
