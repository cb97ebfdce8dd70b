// gpu.h - the module's own buffers, textures and views; every function restores its bindings
// SPDX-License-Identifier: MIT
#ifndef AG_GPU_H
#define AG_GPU_H

#include "gl/gl.h"

typedef struct ag_memory { // a buffer, or a texture; name 0: none
    GLuint name;
    uint64_t bytes;
} ag_memory;

// The state of a context that all code with GL calls needs. One thread at a time may use it.
typedef struct ag_gpu {
    ag_host host;
    ag_gl gl;
    bool lost;     // the context was reset: no more GL calls
    bool validate; // AG_DEVICE_VALIDATE
    uint64_t persistent_bytes;
    ag_memory readback; // of ag_gpu_read, created at its first use
    struct ag_constants *constants;
    struct ag_known *textures; // the host's (gl/host_texture.h)
    uint64_t texture_changes;  // of that list
} ag_gpu;

// AG_E_LOST, AG_E_THREAD (both logged) or AG_OK. Every function of the interface with GL calls it
// first.
ag_status ag_gpu_check(const ag_gpu *gpu);

// Names an object for debuggers, if the host wants that.
void ag_gpu_label(const ag_gpu *gpu, GLenum kind, GLuint name, const char *text);

enum { AG_READ_MAX = 64 }; // bytes

typedef enum ag_usage { // where the driver should keep a buffer
    AG_ON_GPU,          // only shaders read and write it
    AG_UPLOADED,        // written once, from `data`
    AG_READBACK         // read by the CPU
} ag_usage;

// Makes a buffer, filled from `data` unless NULL. errors  AG_E_MEMORY
ag_status ag_gpu_buffer(ag_gpu *gpu, const char *label, ag_usage usage, uint64_t bytes,
                        const void *data, ag_memory *memory);
// Makes a buffer, or returns `former` if its size fits: large enough, and at most 8 times too
// large. A buffer that replaces a smaller one is a quarter larger than needed. errors  AG_E_MEMORY
ag_status ag_gpu_buffer_again(ag_gpu *gpu, const char *label, uint64_t bytes,
                              const ag_memory *former, ag_memory *memory);
bool ag_memory_serves(const ag_memory *memory, uint64_t bytes);
// The size of a buffer of the host.
int64_t ag_gpu_buffer_bytes(ag_gpu *gpu, GLuint buffer);
void ag_gpu_free_buffer(ag_gpu *gpu, ag_memory *memory, bool with_gl);
void ag_gpu_free_texture(ag_gpu *gpu, ag_memory *memory, bool with_gl);
// Queues a write, after earlier writes of shaders. Do not write to bytes for which a copy was just
// queued: NVIDIA's driver 580 executes the copy last.
void ag_gpu_write(ag_gpu *gpu, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                  const void *data);
// Waits for the GPU and copies at most AG_READ_MAX bytes out. errors  AG_E_MEMORY
ag_status ag_gpu_read(ag_gpu *gpu, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                      void *out);
// Reads a buffer that was made with AG_READBACK; waits for copies that were queued into it.
void ag_gpu_read_back(ag_gpu *gpu, const ag_memory *readback, uint64_t bytes, void *out);
// Queues a copy between two buffers.
void ag_gpu_copy(ag_gpu *gpu, const ag_memory *from, uint64_t from_offset, const ag_memory *to,
                 uint64_t to_offset, uint64_t bytes);

// Makes an immutable texture of one level, with `texel_bytes` bytes a texel, for a texture unit
// that takes this target: GL_TEXTURE_2D, or GL_TEXTURE_2D_ARRAY of `layers`, one or more. `filter`:
// GL_NEAREST or GL_LINEAR, which integers do not have.
//   errors  AG_E_MEMORY
ag_status ag_gpu_texture(ag_gpu *gpu, const char *label, GLenum target, GLenum format, GLint filter,
                         int32_t texel_bytes, int32_t width, int32_t height, int32_t layers,
                         ag_memory *memory);
// A view of one level of a texture for texelFetch and textureGather, or 0 if GL has no memory.
// Levels and layers count from the start of the texture, which may itself be a view.
GLuint ag_gpu_view(const ag_gpu *gpu, const char *label, GLenum target, GLenum format,
                   GLuint texture, GLint level, GLint layers);
// What glGet calls the texture bound to a target; 0: no effect takes this target.
GLenum ag_gpu_texture_query(GLenum target);
// Binds a texture to the active unit, and returns the one that was bound there.
GLuint ag_gpu_bind_texture(const ag_gl *gl, GLenum target, GLuint texture);

// A buffer of constant floats, such as twiddle factors. All passes with equal key bytes share it.
typedef struct ag_constants {
    struct ag_constants *next;
    ag_memory memory;
    int32_t key[8];
} ag_constants;

// Finds or makes the constants of `key`; `fill` writes `count` floats.
ag_status ag_gpu_constants(ag_gpu *gpu, const char *label, const int32_t key[8], size_t count,
                           void (*fill)(const void *context, float *values), const void *context,
                           const ag_memory **memory);
void ag_gpu_constants_free(ag_gpu *gpu, bool with_gl);

#endif
