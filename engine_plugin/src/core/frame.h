// frame.h - what an effect does, said once: the core plans it, compiles it, and records it
// SPDX-License-Identifier: MIT
//
// An effect's `frame` is straight-line C. It names its shaders and its memory, then its steps with
// their dispatches, in the order in which the GPU does them:
//
//        ag_shader *sum = ag_frame_shader(f, "exposure/histogram.comp");
//        ag_shader_define(sum, "LUMINANCE", luminance);
//        ag_handle counts = ag_own_memory(f, &(ag_own){.name = "counts", .bytes = 4096});
//        ag_frame_step(f, "histogram");
//        ag_frame_dispatch(f, &(ag_dispatch){.shader = sum,
//                                            .images[AG_IMAGE_SRC] = ag_slot_view(SRC, AG_READ, 0),
//                                            .ranges[AG_SSBO_COUNTS] = ag_all(counts, AG_ADD),
//                                            ...});
//
// The core runs the same function in each of these modes:
//
//        plan      no GL: steps, groups, bytes, live ranges, the layout of scratch
//        compile   all shaders at once
//        record    the dispatches, with the fewest barriers that what they read and write needs
//
// So a plan says what is done. A frame of one plan names the same shaders and the same memory each
// time, in the same order, whatever the size of its images: recording finds them by their place.
// `make` is a second such function, for what a prepare computes: a kernel's spectrum, for example.
#ifndef AG_FRAME_H
#define AG_FRAME_H

#include "base/hash.h"
#include "core/effect.h"
#include "core/hazards.h"
#include "shader/program.h"

typedef struct ag_frame ag_frame;
typedef struct ag_shader ag_shader;

// What dispatches read and write: a slot's texture, scratch, or memory of the pass. 0: nothing.
typedef struct ag_handle {
    uint32_t number;
} ag_handle;

// ---- access ------------------------------------------------------------------------------------

// How a dispatch uses memory: AG_READ | AG_WRITE, or AG_ADD (core/hazards.h); 0: it is bound,
// because the shader declares it, but not used. tests/shader/check_access.py compares this with
// what the shaders do.
typedef struct ag_view { // of a texture, for an image unit or a texture unit
    ag_handle of;
    uint32_t access;
    GLenum format;        // of the image unit; 0: the texture's own
    int32_t level, layer; // counted from the slot's
    bool layered;         // all layers
    uint64_t bytes;       // that move, if not those of the rectangle; for the plan
} ag_view;

typedef struct ag_block { // of a buffer
    ag_handle of;
    uint32_t access;
    uint64_t at, bytes;
    uint64_t moves; // bytes that move, if not all of these; for the plan
} ag_block;

typedef struct ag_dispatch {
    ag_shader *shader;
    ag_view images[AG_IMAGE_MAX];
    ag_view textures[AG_TEXTURE_MAX];
    ag_block ranges[AG_SSBO_COUNT];
    const ag_uniform *uniforms;
    uint32_t uniform_count;
    uint32_t groups[3]; // none, in a run that plans: what it moves is not counted
    ag_block indirect;  // 12 bytes: the GPU's own groups, of which `groups` are the most
} ag_dispatch;

// ---- shaders and memory ------------------------------------------------------------------------

// The next shader of the frame. Its defines follow, before the next shader or step.
ag_shader *ag_frame_shader(ag_frame *f, const char *path);
void ag_shader_define(ag_shader *shader, const char *name, int32_t value);
// Whole lines of defines, only while compiling; else NULL.
ag_defines *ag_shader_defines(ag_shader *shader);

// Memory whose content ends with the frame. Blocks that no step uses together share bytes.
ag_handle ag_scratch(ag_frame *f, const char *name, uint64_t bytes);

typedef struct ag_own { // memory that the pass keeps
    const char *name;
    // A buffer of so many bytes; or a texture of a format and a size.
    uint64_t bytes;
    GLenum format;
    int32_t width, height, layers;
    GLenum target; // for a texture unit that takes GL_TEXTURE_2D_ARRAY even with one layer; 0: any
    bool packed;   // texture units read it as one of the host's: ag_format.texture
    bool filtered; // texture units interpolate linearly; of one name always or never
    // Its content at first, written by the CPU: `fill` writes `bytes` of a buffer. NULL: zeros.
    // When the bytes of `key` change, the content is made anew; else it stays.
    void (*fill)(const void *context, void *bytes);
    const void *context;
    const void *key;
    size_t key_bytes;
    bool twice;     // there is room for the next content, too: a change allocates nothing
    bool temporary; // of `make` alone
} ag_own;

ag_handle ag_own_memory(ag_frame *f, const ag_own *own);
// Constants that all passes of the device share; see ag_gpu_constants.
ag_handle ag_shared_constants(ag_frame *f, const char *name, const int32_t key[8], size_t count,
                              void (*fill)(const void *context, float *values),
                              const void *context);
// Memory of the host for a `fill` that works in it, to be freed after it. NULL: nothing is filled.
void *ag_frame_work(ag_frame *f, size_t bytes);
// The counters that every pass has (common/info.glsl).
ag_handle ag_frame_info(ag_frame *f);

// ---- steps -------------------------------------------------------------------------------------

// Begins a timed step. What is dispatched before the first one belongs to that.
void ag_frame_step(ag_frame *f, const char *name);
void ag_frame_dispatch(ag_frame *f, const ag_dispatch *dispatch);
// Bytes that the step must move, if not all that its dispatches bind. Call it after them.
void ag_frame_step_bytes(ag_frame *f, uint64_t bytes);
// Whether this run makes a plan.
bool ag_frame_is_planned(const ag_frame *f);
// Goes on with the plan in words.
void ag_frame_text(ag_frame *f, const char *format, ...) AG_PRINTF(2, 3);
// What its steps come to so far.
uint64_t ag_frame_planned_bytes(const ag_frame *f);
uint32_t ag_frame_planned_dispatches(const ag_frame *f);

// For messages and memory; and the limits of the context.
const ag_host *ag_frame_host(const ag_frame *f);
const ag_gl *ag_frame_gl(const ag_frame *f);
// Samples of a slot's multisampled texture while it is recorded; else 0.
int32_t ag_frame_samples(const ag_frame *f, int slot);
// The job that is planned, prepared or executed. While planning, slots are as large as the largest
// image that the plan shall serve.
const ag_request *ag_frame_request(const ag_frame *f);
// What the effect's `design` computed for the plan.
const void *ag_frame_design(const ag_frame *f);
// What `make` found out, in the effect's own struct: all zero at first, then as the former prepare
// left it. Only `make` may write it, and a frame that is recorded: what changes from one to the
// next.
enum { AG_MAX_FACTS = 1024 }; // bytes
void *ag_frame_facts(ag_frame *f);
bool ag_frame_is_recorded(const ag_frame *f);

// ---- make --------------------------------------------------------------------------------------

// Memory of the pass that `make` asks for gets a new content, and the frame asks for it by the same
// name. Scratch and what is temporary ends with `make`.

// Whether what the last prepare made serves: `key` is all that it depends on beside the programs.
// Then `make` returns, and need not name the rest of its shaders.
bool ag_frame_is_made(ag_frame *f, const void *key, size_t bytes);
// `make` leaves work to later prepares of the same job, a share each: it is run again in them,
// names the same shaders, and is told that it goes on. Then its memory is what it is, and
// ag_frame_now_made says of which key it has become.
void ag_frame_leave(ag_frame *f, bool unfinished);
bool ag_frame_goes_on(const ag_frame *f);
void ag_frame_now_made(ag_frame *f, const void *key, size_t bytes);
// The CPU writes a buffer, from its start; bytes are copied between buffers.
void ag_frame_upload(ag_frame *f, ag_handle to, const void *data, uint64_t bytes);
void ag_frame_copy(ag_frame *f, ag_handle from, uint64_t from_at, ag_handle to, uint64_t to_at,
                   uint64_t bytes);
// Waits for the GPU and reads at most AG_READ_MAX bytes. False: there is nothing to read, because
// the run only plans or compiles, or because it may not wait: `make` takes what always serves.
bool ag_frame_look(ag_frame *f, ag_handle of, uint64_t at, uint64_t bytes, void *out);
// Whether its dispatches are recorded, and not only planned, compiled or found to be made.
bool ag_frame_is_making(const ag_frame *f);
// The prepare fails; the message was given.
void ag_frame_fail(ag_frame *f, ag_status status);
// Whether it may wait: not in a live reload.
bool ag_frame_may_wait(const ag_frame *f);
// The prepare fails, with this message.
void ag_frame_refuse(ag_frame *f, ag_status status, const char *format, ...) AG_PRINTF(3, 4);

// ---- look --------------------------------------------------------------------------------------

// What a plan depends on that only texels tell, found by the GPU before the plan. While a prepare
// runs in the background, nothing waits: it returns AG_PENDING until the answer has come.
typedef struct ag_question {
    uint32_t bytes;                            // of the answer, at most 64
    bool (*needed)(const ag_request *request); // whether the job has such a question
    bool (*looks)(const ag_request *request);  // whether the GPU is needed for it
    void (*look)(ag_frame *f);                 // as `make`, with memory that ends with it
    // Sets request->decision.
    ag_status (*decide)(const ag_host *host, const ag_gl *gl, ag_request *request,
                        const void *answer);
} ag_question;

// In `look`: bytes of a buffer become bytes of the answer.
void ag_frame_answer(ag_frame *f, ag_handle from, uint64_t at, uint64_t to, uint64_t bytes);

// ---- views -------------------------------------------------------------------------------------

static inline ag_block ag_all(ag_handle of, uint32_t access)
{
    return (ag_block){.of = of, .access = access};
}

static inline ag_block ag_block_of(ag_handle of, uint32_t access, uint64_t at, uint64_t bytes)
{
    return (ag_block){.of = of, .access = access, .at = at, .bytes = bytes};
}

static inline ag_handle ag_slot(int slot)
{
    return (ag_handle){(uint32_t)slot + 1};
}

// A layer of a slot's texture.
static inline ag_view ag_slot_view(int slot, uint32_t access, int32_t layer)
{
    return (ag_view){.of = ag_slot(slot), .access = access, .layer = layer};
}

#endif
