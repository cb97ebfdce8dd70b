// gpu.h - buffers, textures and views of the module's own; every function restores its bindings
// SPDX-License-Identifier: MIT
#ifndef AG_GPU_H
#define AG_GPU_H

#include "gl/gl.h"

typedef struct ag_memory { // a buffer, or a texture; name 0: none
    GLuint name;
    uint64_t bytes;
} ag_memory;

// What all that calls GL needs of a context. One thread at a time uses it.
typedef struct ag_gpu {
    ag_host host;
    ag_gl gl;
    bool lost;     // the context was seen reset: no GL call any more
    bool validate; // AG_DEVICE_VALIDATE
    uint64_t persistent_bytes;
    ag_memory readback; // of ag_gpu_read, once it was needed
    struct ag_constants *constants;
    struct ag_known *textures; // the host's (gl/host_texture.h)
} ag_gpu;

// AG_E_LOST, AG_E_THREAD or AG_OK: first thing in every function that calls GL.
ag_status ag_gpu_check(const ag_gpu *gpu);

enum { AG_READ_MOST = 64 }; // bytes

typedef enum ag_usage { // where the driver should keep a buffer
    AG_ON_GPU,          // only shaders read and write it
    AG_UPLOADED,        // written once, from `data`
    AG_READBACK         // read by the CPU
} ag_usage;

// Makes a buffer, filled from `data` unless NULL. errors  AG_E_MEMORY
ag_status ag_gpu_buffer(ag_gpu *gpu, const char *label, ag_usage usage, uint64_t bytes,
                        const void *data, ag_memory *memory);
// Makes a zeroed buffer; none of 0 bytes. errors  AG_E_MEMORY
ag_status ag_gpu_zeros(ag_gpu *gpu, const char *label, uint64_t bytes, ag_memory *memory);
// Makes a buffer, or hands out `former` where that serves: large enough, and at most 8 times too large.
// What replaces one that was too small has room to grow by a quarter. errors  AG_E_MEMORY
ag_status ag_gpu_buffer_again(ag_gpu *gpu, const char *label, uint64_t bytes,
                              const ag_memory *former, ag_memory *memory);
bool ag_memory_serves(const ag_memory *memory, uint64_t bytes);
// The size of a buffer of the host's.
int64_t ag_gpu_buffer_bytes(ag_gpu *gpu, GLuint buffer);
void ag_gpu_free_buffer(ag_gpu *gpu, ag_memory *memory, bool with_gl);
// Queues a write, after whatever shaders wrote there. Not to bytes that a copy was just queued for: on NVIDIA's
// driver 580 the copy comes last.
void ag_gpu_write(ag_gpu *gpu, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                  const void *data);
// Waits for the GPU and copies at most AG_READ_MOST bytes out. errors  AG_E_MEMORY
ag_status ag_gpu_read(ag_gpu *gpu, const ag_memory *memory, uint64_t offset, uint64_t bytes,
                      void *out);
// Copies out of a buffer made for AG_READBACK; waits for what was queued into it.
void ag_gpu_read_mailbox(ag_gpu *gpu, const ag_memory *mailbox, uint64_t bytes, void *out);
// Queues a copy between two buffers.
void ag_gpu_copy(ag_gpu *gpu, const ag_memory *from, uint64_t from_offset, const ag_memory *to,
                 uint64_t to_offset, uint64_t bytes);

// Makes an immutable RGBA32F texture of one level. errors  AG_E_MEMORY
ag_status ag_gpu_texture(ag_gpu *gpu, const char *label, int32_t width, int32_t height,
                         ag_memory *memory);
// The same in another format, of so many bytes a texel.
ag_status ag_gpu_texture_of(ag_gpu *gpu, const char *label, GLenum format, int32_t texel_bytes,
                            int32_t width, int32_t height, ag_memory *memory);
// A view of such a texture, as one layer of `target`, for a texture unit that fetches. Freed as a texture.
ag_status ag_gpu_view(ag_gpu *gpu, const char *label, GLenum target, GLenum format,
                      const ag_memory *texture, ag_memory *view);
void ag_gpu_free_texture(ag_gpu *gpu, ag_memory *memory, bool with_gl);

// Floats in a buffer that never change, such as twiddle factors: shared by all passes whose key bytes are
// equal.
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
