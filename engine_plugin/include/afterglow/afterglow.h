// afterglow.h - the interface of Afterglow, GPU post-processing for OpenGL engines
// SPDX-License-Identifier: MIT
//
// HOW TO USE IT (simple.h is one call an effect on top of this; README.md has a program with it)
//
//   const ag_api *ag = ag_entry_v1(AG_ABI_MINOR);      or dlsym(module, "ag_entry_v1")
//   ag->device_create(&host, NULL, &device)            once per GL context, context current
//   ag->pass_create(device, "bloom", &pass)            one per configured effect
//   ag->texture(device, name, 0, &slots[i])            each new texture: GL says format and size
//   ag->run(pass, &job)                                every frame: checks, records GL commands
//   ag->frame(device, frame_number)                    every frame: GPU times, live reload
//   ag->device_destroy(device, 0)                      with all its passes
//
//   A job has one ag_texture for each slot of the effect, in the order of its header (AG_BLOOM_SRC
//   0, ...), and slot_count says how many of them it has. next_use says how its outputs are used
//   next: AG_USE_SAMPLE if your shaders sample them, AG_USE_PASS if another pass of this module
//   reads them.
//   run is prepare and execute in one call. Call these two instead where it matters when programs
//   compile and memory is made, or to merge barriers (docs/integrate.md).
//
// WHICH GL STATE IT CHANGES
//
//   execute   changes the current program, the image units [image_unit_base,
//             + ag_effect_info.image_units), the indexed shader storage bindings [ssbo_base,
//             + ag_effect_info.ssbos) and the generic GL_SHADER_STORAGE_BUFFER binding. It leaves
//             all of them 0, or as ag_job.restore says, or (AG_JOB_RESTORE) as glGet found them.
//             It calls glGet only with AG_JOB_RESTORE or AG_DEVICE_VALIDATE.
//             An effect with ag_effect_info.texture_units > 0 may also change, at the units
//             [texture_unit_base, + texture_units), the sampler and the texture of the target that
//             it reads, and the active texture unit. It leaves these 0, 0 and GL_TEXTURE0, or
//             restores them as above. It does not touch them where it reads by image units instead:
//             textures made by glTexImage, some formats, AG_WITHOUT_TEXTURE_UNITS.
//   others    leave every binding exactly as they found it.
//   never     other texture units, framebuffers, vertex arrays, raster state, pixel store, texture
//             parameters, the debug callback. The error flag is never read. It is set only when GL
//             runs out of memory, or when a job names a texture of another target.
//   expects   no active transform feedback and no conditional rendering around execute and prepare,
//             and two free levels of debug groups.
//
// WHAT IT DOES NOT DO
//
//   It does not create contexts, load images, own your textures or start threads. Its only global
//   state is one lock, around a GL call that crashes NVIDIA's driver when two threads make it at
//   once (docs/reload.md). Only prepare waits for the GPU, where it says so.
//
// CONVENTIONS
//
//   Texel (0,0) is the first texel as GL stores it; nothing is flipped. Sizes are in texels, memory
//   in bytes, time in nanoseconds. GL enums are plain uint32_t, so that this header needs no GL
//   header.
//   Every struct that you fill, or let the module fill, starts with struct_size = sizeof the struct
//   that you compiled. If it is smaller than the module's struct, the missing members are zero,
//   which is always the default. If it is larger, the part that the module does not know must be
//   zero, else the call returns AG_E_ABI. The module reads your structs during the call only and
//   keeps no pointer to them.
//   Functions that can fail return ag_status, log the reason through ag_host.log, and leave outputs
//   untouched. A NULL host, device or pass gives AG_E_ARG without a message; functions that return
//   void ignore it. A handle that was destroyed must not be used again.
#ifndef AFTERGLOW_H
#define AFTERGLOW_H

#include "reflection.h" // slots and settings of effects, for editors and command lines

#include <stddef.h>
#include <stdint.h>

#define AG_ABI_MAJOR 1u // a break means a new entry symbol and a new soname
#define AG_ABI_MINOR 0u // grows when structs or the table gain members at their end

#if !defined(_WIN32) && defined(__GNUC__)
#define AG_API __attribute__((visibility("default")))
#elif !defined(_WIN32) || defined(AG_STATIC)
#define AG_API
#elif defined(AG_BUILD)
#define AG_API __declspec(dllexport)
#else
#define AG_API __declspec(dllimport)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- results -----------------------------------------------------------------------------------

typedef int32_t ag_status; // 0 success, > 0 success with a remark, < 0 failure

#define AG_STATUS_LIST(X)                                                                         \
    X(AG_OK, 0, "ok")                                                                             \
    X(AG_PENDING, 1, "programs are still compiling; make the same call again in a later frame")   \
    X(AG_FALLBACK, 2, "prepared with fallback shaders, because those of shader_dir failed")       \
    X(AG_UNTUNED, 3, "created with defaults, because desc.tuning is of another GPU or driver")    \
    X(AG_E_ARG, -1, "an argument is wrong, as the message says; without a message: it is NULL")   \
    X(AG_E_ABI, -2, "a struct_size is wrong, as the message says; without one: that of ag_host")  \
    X(AG_E_GL, -3, "the context lacks a feature; the message names it")                           \
    X(AG_E_FORMAT, -4, "the slot does not take this texture format; the message lists which")     \
    X(AG_E_SIZE, -5, "a size is beyond a limit; the message states the limit")                    \
    X(AG_E_MEMORY, -6, "the host's allocator or GL is out of memory")                             \
    X(AG_E_SHADER, -7, "a shader does not compile or link; the message has file, line and caret") \
    X(AG_E_LOST, -8, "the GL context was lost; destroy the device and create it again")           \
    X(AG_E_THREAD, -9, "the device's context is not current on this thread")                      \
    X(AG_E_STATE, -10, "the job differs from what was prepared; call prepare with it first")

#define AG_STATUS_ENUM(name, value, text) name = value,
enum ag_status_code { AG_STATUS_LIST(AG_STATUS_ENUM) };
#undef AG_STATUS_ENUM

// ---- host: what the engine gives ---------------------------------------------------------------

typedef struct ag_device ag_device; // all that the module keeps for one GL context
typedef struct ag_pass ag_pass;     // one configured effect on a device

enum ag_log_level { AG_LOG_ERROR = 0, AG_LOG_WARNING = 1, AG_LOG_INFO = 2 };

typedef struct ag_message {
    uint32_t struct_size;
    int32_t level;    // AG_LOG_*
    ag_status code;   // what the failing call returns
    const char *text; // UTF-8, no newline at its end; messages about shaders have several lines
    const char *file; // shader file, relative to the root of the shaders; NULL: none
    uint32_t line;    // in that file, from 1; 0: none
    uint32_t column;  // in that line, from 1 (1 also where the driver gives no column); 0: none
} ag_message;

// One timed interval. frame() reports it once its result has arrived. The struct is valid until the
// callback returns, the strings `effect` and `name` as long as the module is loaded; of a pass from
// a folder (pass_load), as long as the device.
typedef struct ag_span {
    uint32_t struct_size;
    uint32_t step; // index into ag_plan.steps, or AG_WHOLE_PASS
    const ag_pass *pass;
    const char *effect;          // "bloom"
    const char *name;            // the step's name, or the effect's for the whole pass
    uint64_t frame;              // ag_job.frame of that execute
    uint64_t gpu_begin, gpu_end; // ns on the GPU's clock (GL_TIMESTAMP)
    // ns on the host's clock: recording the step's commands, or the whole call to execute.
    uint64_t cpu_begin, cpu_end;
    uint64_t host_begin, host_end; // gpu_begin and gpu_end converted to the host's clock
    uint64_t clock_error;          // ns: error bound of both; AG_NO_CLOCK: unknown, both are 0
    uint32_t flags;                // AG_SPAN_*
    uint32_t reserved;
} ag_span;

enum ag_span_flags {
    // The pass dispatched a program for the first time, or for the first time since live reload
    // replaced it. Drivers finish compiling then, so this interval is longer than later ones.
    AG_SPAN_FIRST = 1
};

#define AG_WHOLE_PASS 0xffffffffu
#define AG_NO_CLOCK UINT64_MAX

// The host's callbacks. device_create copies the struct; they and `user` must stay valid until
// device_destroy has returned. They run on the thread of the call that needs them, and must not
// call back into the module.
typedef struct ag_host {
    uint32_t struct_size;
    uint32_t reserved; // 0
    void *user;        // passed to every callback
    // The address of a GL function, or NULL (eglGetProcAddress, glfwGetProcAddress...). If the
    // member is NULL, device_create asks EGL and GLX, on Windows WGL, which of them has a context
    // current on its thread, and uses that one's loader.
    void *(*gl_proc)(void *user, const char *name);
    // Both or neither; NULL: the C library's malloc. alloc returns `bytes` bytes aligned to `align`
    // (a power of two), or NULL. free gets what alloc returned, with the same `bytes` and `align`.
    void *(*alloc)(void *user, size_t bytes, size_t align);
    void (*free)(void *user, void *block, size_t bytes, size_t align);
    // NULL: no messages. The message and its strings are valid until the callback returns.
    void (*log)(void *user, const ag_message *message);
    // ns since a fixed moment. NULL: the system's monotonic clock. If the clock runs backwards, the
    // samples of that time are dropped and counted (ag_stats.dropped).
    uint64_t (*now_ns)(void *user);
    // Non-zero if the device's context is current on the calling thread; if not, calls do nothing
    // and return AG_E_THREAD. NULL: the module asks EGL, GLX or WGL if gl_proc is NULL, too; else
    // it does not check, and a call on a wrong thread is undefined, as all of GL is there.
    int32_t (*is_current)(void *user);
    // NULL: none. frame() calls it for every measured interval, in the order of execution, a whole
    // pass before its steps. Pass it on to your profiler (docs/profiling.md).
    void (*span)(void *user, const ag_span *span);
    // Store for compiled programs. Both or neither; NULL: every run compiles all programs. Keys are
    // 32 hex digits; one file per key in a folder is enough, written under another name and then
    // renamed, so that processes can share the folder. prepare calls both, on its thread. Blobs and
    // strings are valid until the callback returns. load copies the blob to `data` if it has at
    // most `capacity` bytes (0 in its first call), and returns its size, or 0 if there is none.
    // store may fail silently. The module detects damaged blobs and replaces them.
    size_t (*cache_load)(void *user, const char *key, void *data, size_t capacity);
    void (*cache_store)(void *user, const char *key, const void *data, size_t bytes);
} ag_host;

enum ag_device_flags {
    AG_DEVICE_LABELS = 1, // debug groups and object labels (KHR_debug) also without a debug context
    // For debug builds of an engine. execute asks GL whether the job's textures and scratch are
    // still those that prepare saw. If a texture was deleted or specified anew without forget, it
    // fails with a message (AG_E_STATE, AG_E_ARG, AG_E_FORMAT); without this flag it would use
    // undefined texels. It calls glGet and binds, and restores all bindings. It cannot detect a
    // new texture with the name, version, size and format of the old one.
    AG_DEVICE_VALIDATE = 2
};

// Features of the context that the module shall not use, because the driver has errors there. All
// contracts stay the same, error bounds included. Results may differ in their last bits, and most
// passes take longer.
enum ag_without {
    // GL_KHR_shader_subgroup, which the module uses with NVIDIA's drivers only: threads of tables
    // and chains exchange values through shared memory instead. For compilers with wrong shuffles.
    AG_WITHOUT_SUBGROUPS = 1,
    // Texture units: image units read all inputs but depth, one texel at a time. For drivers with
    // wrong views or gathers, and for hosts without a free texture unit.
    AG_WITHOUT_TEXTURE_UNITS = 2
};

typedef struct ag_device_desc { // all zero (but struct_size) is a good device
    uint32_t struct_size;
    uint32_t flags; // AG_DEVICE_*
    // Folder of shaders to use instead of the embedded ones, watched for changes (docs/reload.md).
    // UTF-8; copied. It must be there and readable, else AG_E_ARG. NULL: embedded shaders. frame()
    // compiles changed programs beside the ones that run: in the driver's threads with
    // GL_KHR_parallel_shader_compile, otherwise in its budget. When all are linked, one frame()
    // swaps them in every pass whose programs all work and need no binding that the plan lacks; a
    // pass never mixes old and new ones. While files have errors, it keeps the old ones; a pass
    // prepared meanwhile gets the last shaders that worked, or else the embedded ones, and prepare
    // returns AG_FALLBACK. Each edit that fails logs one message: file, line, column, the line with
    // a caret, the driver's log. The first prepare of a device with shader_dir, or with
    // AG_JOB_BACKGROUND, sets GL_MAX_SHADER_COMPILER_THREADS to 8 unless the host has set it.
    const char *shader_dir;
    // First image unit that the module may use; ag_effect_info.image_units says how many. At least
    // 3 must be left, else device_create fails. An effect that uses more counts units 0..7 only; if
    // too few of these are left, mip chains take more dispatches, other effects fail in declare.
    uint32_t image_unit_base;
    uint32_t ssbo_base; // first shader storage binding; 6 must be left: ag_effect_info.ssbos
    // GPU timestamps in flight: 10..65536, fewer count as 10; 0 = 512. A pass needs 2, or its steps
    // + 1 with AG_JOB_TIME_STEPS. A sample that finds too few free is dropped and counted.
    uint32_t timer_capacity;
    // ns that frame() may spend on live reload, plus the step that it is at by then. 0: at least
    // 200000, and a share of the time between frames. With four frames a second or fewer, frame()
    // then waits for an edit's compiles, as long as the host took since the last frame and at most
    // half a second, so that an edit takes one frame. With any other value it never waits.
    uint32_t frame_budget;
    // For ag_stats.copy_ratio: MB/s, read + written (`afterglow info --copy`); 0: not known.
    uint32_t copy_speed;
    uint32_t texture_unit_base; // first texture unit: ag_effect_info.texture_units
    uint32_t without;           // AG_WITHOUT_*; other bits are refused
    uint32_t reserved;          // 0
    // The text that `afterglow tune -o FILE` wrote on this GPU: where `auto` changes from one
    // method to the next, and copy_speed where that is 0. The module reads no such file itself:
    // hand over its content, NUL at its end; it is not kept. Results obey the same contract with
    // any text; times differ. A text of another GPU, driver or version of the module, or one that
    // is damaged, changes nothing: device_create logs a warning with the reason and returns
    // AG_UNTUNED. NULL: none; the methods change over where an H200's do.
    const char *tuning;
} ag_device_desc;

// ---- jobs: what a pass is asked to do ----------------------------------------------------------

// One level of a texture of the host, or a rectangle of that level. The host owns the texture.
//
// It is read through image units or views of the module's own: your swizzle, samplers, BASE_LEVEL
// and MAX_LEVEL have no effect. Textures made by glTexImage cannot be viewed. Of those,
// SRGB8_ALPHA8, depth and (as inputs) R11F_G11F_B10F are refused, the level must lie within
// BASE_LEVEL..MAX_LEVEL, and mip chains take longer.
// Colours are linear, except in SRGB8_ALPHA8 textures, which are decoded and encoded by the exact
// piecewise curve. A colour image is R8 RG8 RGBA8 SRGB8_ALPHA8 RGB10_A2 R11F_G11F_B10F R16F RG16F
// RGBA16F R32F RG32F RGBA32F; src and dst of bloom, convolve and filter_spectrum also RGBA16. A
// depth format is DEPTH_COMPONENT16 24 32 32F DEPTH24_STENCIL8 or DEPTH32F_STENCIL8.
// ag_slot_info.formats has those of each slot.
typedef struct ag_texture {
    uint32_t struct_size;
    uint32_t name;   // GL texture; 0 in declare (not created yet), or for an empty optional slot
    uint32_t target; // GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY; of depth also the multisampled ones
    uint32_t format; // sized internal format, e.g. 0x881A = GL_RGBA16F; 0: the slot is empty
    int32_t width, height;       // of that level, in texels, 1..65536
    int32_t level;               // mipmap level; AG_E_ARG if the texture does not have it
    int32_t first_layer, layers; // array layers to process in one execute, 1..2048; 0 means 1
    // Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.
    int32_t rect_x, rect_y, rect_width, rect_height;
    uint32_t reserved; // 0
    // For every slot, name and version together name the GL object: increase the version when the
    // texture was created again under its old name. Its content may change in every frame under one
    // version. Two slots with one name must have one version. Only kernels and masks (kernel,
    // kernel_image, mask, dirt) are read by prepare: for them the version names the content, too,
    // so increase it also when that changed.
    uint64_t version;
} ag_texture;

// A byte range of a GL buffer of the host. This struct is frozen, because it lies inside ag_job.
typedef struct ag_buffer {
    uint32_t struct_size;
    uint32_t name;
    uint64_t offset, bytes; // offset: a multiple of ag_plan.scratch_alignment
} ag_buffer;

// How the outputs are used next; several values may be or-ed. They decide the bits of the one
// barrier that execute places at its end.
enum ag_next_use {
    AG_USE_PASS = 1,        // by another pass of this module: any effect, any slot
    AG_USE_SAMPLE = 2,      // texture(), texelFetch() in shaders of the host
    AG_USE_IMAGE = 4,       // imageLoad(), imageStore() there
    AG_USE_FRAMEBUFFER = 8, // as a render target, or glBlitFramebuffer
    AG_USE_COPY = 16,       // glCopyImageSubData, glGetTexImage, glTexSubImage
    AG_USE_UNKNOWN = 0      // any of these
};

enum ag_job_flags {
    AG_JOB_RESTORE = 1,    // restore the changed state exactly, by glGet: slow on threaded drivers
    AG_JOB_TIME_STEPS = 2, // time every step, not only the pass: N + 1 timestamps for N steps
    AG_JOB_UNTIMED = 4,    // place no timestamps and read no clock
    AG_JOB_BACKGROUND = 8, // the driver's threads compile what prepare needs: see there
    AG_JOB_RESET = 16      // forget former frames (dt, below): a cut, a teleport, a first one
};

// Values that execute writes to the changed GL state when it ends. Zero means unbound.
typedef struct ag_gl_state {
    uint32_t struct_size;
    uint32_t program;
    struct ag_image_unit {
        uint32_t texture, layered; // texture 0: unbound
        uint32_t access, format;   // GL enums; 0: GL's initial values
        int32_t level, layer;
    } images[8]; // units image_unit_base + i, ag_effect_info.image_units of them
    struct ag_ssbo {
        uint32_t buffer, reserved; // reserved: 0
        uint64_t offset, bytes;    // bytes 0: the whole buffer (glBindBufferBase)
    } ssbos[8];                    // bindings ssbo_base + i, ag_effect_info.ssbos of them
    uint32_t ssbo_generic;
    uint32_t active_texture; // used only if a texture unit was; 0 means GL_TEXTURE0
    struct ag_texture_unit {
        uint32_t texture, target;   // bound again if the module used this target; 0: any target
        uint32_t sampler, reserved; // reserved: 0
    } textures[8]; // units texture_unit_base + i, ag_effect_info.texture_units of them
} ag_gl_state;

typedef struct ag_job {
    uint32_t struct_size;
    uint32_t flags; // AG_JOB_*
    // In the order of ag_effect_info.slots, slots[0].struct_size bytes apart. slot_count counts the
    // elements of this array: up to that of the effect, fewer if trailing optional slots are left
    // out. An optional slot may also be all zero. No other slot may name the same level of the same
    // texture as an output, even with another rectangle or layer (AG_E_ARG); sat has an exception.
    const ag_texture *slots;
    uint32_t slot_count;
    uint32_t next_use; // AG_USE_* of the outputs
    // ag_bloom_settings...; NULL: defaults. Start from AG_BLOOM_DEFAULTS or ag_bloom_params
    // (settings.h), or from ag_api.defaults. Members that an older header lacks get the effect's
    // defaults. The second member, the tag, says of which effect they are.
    const void *settings;
    uint64_t frame;             // any number; spans return it
    ag_buffer scratch;          // name 0: the pass allocates its own scratch
    const ag_gl_state *restore; // NULL: changed bindings are left 0
    // Dynamic resolution: plan for images of up to this size, 1..65536, or both 0: for this image.
    // Line lengths, memory and programs are then those of the largest size: prepare with a smaller
    // rectangle compiles and allocates nothing. Smaller images take somewhat longer than with plans
    // of their own. Convolve, bloom and exposure use it. Other effects ignore it, and convolve with
    // border wrap does, because its lines must fit the image.
    int32_t plan_width, plan_height;
    float dt; // seconds since the last execute of this pass, finite and >= 0: for what adapts over
              // time (AG_STATE slots, statistics of denoise, bloom's steady)
    uint32_t reserved; // 0
} ag_job;

// ---- plans: what a pass will do, for render graphs ---------------------------------------------

enum ag_resource_kind {
    AG_RESOURCE_SLOT = 0,    // a texture of the job
    AG_RESOURCE_SCRATCH = 1, // a range of the scratch memory
    AG_RESOURCE_OWN = 2      // persistent memory of the pass, counted in persistent_bytes
};

typedef struct ag_resource {        // something that a pass reads or writes
    const char *name;               // the slot's name, or what the memory holds
    uint32_t access;                // AG_READ | AG_WRITE
    uint32_t first_step, last_step; // live range; disjoint ranges of scratch may share memory
    uint32_t kind;                  // AG_RESOURCE_*
    uint64_t offset, bytes;         // scratch: the range in it. Textures: 0, bytes of the rectangle
} ag_resource;

// One timed step: one or more dispatches, with barriers between them where one reads what another
// wrote.
typedef struct ag_step {
    const char *name;
    uint32_t dispatches; // at most: of box_blur some radii need fewer
    uint32_t groups[3];  // work groups of each dispatch, or of the largest
    uint64_t bytes;      // bytes that must move, read and written
} ag_step;

// The pass owns it. It is valid until the next declare or prepare of the pass, or its destruction.
typedef struct ag_plan {
    uint32_t struct_size;
    uint32_t step_count, step_stride;
    uint32_t resource_count, resource_stride;
    // glMemoryBarrier bits that the host must place before execute, if its shaders wrote the
    // inputs, or used the memory that is now scratch or an output.
    uint32_t barriers_before;
    uint32_t barriers_after; // bits that ag_job.next_use needs: execute places or returns them
    uint32_t reserved;
    const ag_step *steps;
    const ag_resource *resources;
    uint64_t key;           // hash of the plan: changes when anything in it changes, and only then
    uint64_t scratch_bytes; // transient memory; its content need not survive between executes
    uint64_t scratch_alignment; // of the scratch range's offset
    // GPU memory that the pass keeps: tables, kernel spectra, memory of the former plan's spectrum.
    uint64_t persistent_bytes;
    char text[384]; // the plan in words: lengths, radices, threads, bytes
} ag_plan;

// ---- measurements ------------------------------------------------------------------------------

typedef struct ag_stats { // of the last 512 samples of a pass or of one of its steps
    uint32_t struct_size;
    uint32_t samples; // in the ring now; 0: no result has arrived yet, or timing is unavailable
    uint64_t count;   // samples since this plan was prepared, first uses left out
    uint64_t dropped; // samples of the pass lost since its creation: no timestamps were free, or
                      // the GPU's or the host's clock ran backwards
    // ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    double gpu_last, gpu_min, gpu_median, gpu_p95, gpu_p99, gpu_mean;
    double cpu_last, cpu_min, cpu_median, cpu_p95, cpu_p99, cpu_mean;
    // ns of the last first use (AG_SPAN_FIRST), which is not a sample; 0: none seen.
    double gpu_first, cpu_first;
    double cpu_prepare; // CPU ns of the last prepare that had something to do; 0: not known
    uint64_t bytes;     // that must move in one execute, by the plan
    double gb_per_s;    // bytes / gpu_median, in 10^9 bytes per second
    double copy_ratio;  // gb_per_s / ag_device_desc.copy_speed: 1 = as fast as a copy; 0: not known
} ag_stats;

// A texel is bad where a channel is NaN, infinite, or too large to be summed: of a magnitude of
// 2^64 (1.8e19) and more, or of 2^48 (2.8e14) where squares are summed (local_stats; sat with
// square). With the setting scrub, on by default, it counts as 0 in all channels, as often as a
// pass reads it: a single one of 3e38 would make all sums over its line infinite, which an FFT
// spreads over the whole frame. What is smaller makes no sum infinite, up to 16384 x 16384 texels
// and kernels whose magnitudes add up to 2^35. 16-bit floats are never too large. Effects whose
// results never exceed the largest texel keep every finite one; their headers say so.
typedef struct ag_health {
    uint32_t struct_size;
    uint32_t programs;            // GL programs alive
    uint64_t scrubbed_texels;     // bad texels read as 0 since creation, as far as read back
    uint64_t dropped_samples;     // timings lost: no timestamps were free, or a clock ran backwards
    uint64_t persistent_bytes;    // GPU memory held by the device and its passes
    uint32_t programs_from_cache; // since creation: loaded by ag_host.cache_load, not compiled
    uint32_t reserved;
} ag_health;

typedef struct ag_reload { // live reload; all zero without shader_dir and folders of passes
    uint32_t struct_size;
    uint32_t generation;   // edits that replaced programs of some pass, since creation
    uint32_t pending;      // changed files and compiling programs; 0: every edit has been handled
    uint32_t failed;       // passes on fallback shaders because those of shader_dir failed
    uint32_t watched;      // watched paths, missing files included
    uint32_t line, column; // of the message; 0: no place
    uint32_t reserved;
    // Both strings are valid until the next frame() or prepare.
    const char *file;    // of the message, relative to its folder; NULL: no place
    const char *message; // the last message about a failure that still exists; NULL: none
} ag_reload;

// ---- the table ---------------------------------------------------------------------------------
//
// Threads: any thread may call effects, defaults, status_text and sat_*, and also declare and
// slot_size of a pass that no other thread uses meanwhile. All else belongs on the thread where the
// device's context is current. Devices share nothing, so threads may use different ones at once.
// A call with a NULL handle returns AG_E_ARG; calls that need GL may return AG_E_LOST, AG_E_THREAD.

struct ag_sat_question;

typedef struct ag_api {
    uint32_t struct_size;
    uint32_t abi_major, abi_minor;
    uint32_t reserved;
    const char *version; // "0.1.0"

    // The effects of this module: a constant array of *count pointers. `count` may be NULL. Those
    // of pass_load are not among them: they belong to a device.
    const ag_effect_info *const *(*effects)(uint32_t *count);

    // Fills a settings struct of `size` bytes with the defaults of an effect, struct_size and tag
    // included. What a newer header has more is zero.
    //   errors  AG_E_ARG, without a message (no such effect, NULL, or no room for struct_size and
    //           tag)
    ag_status (*defaults)(const char *effect, void *settings, uint32_t size);

    // The text of a status, never NULL.
    const char *(*status_text)(ag_status status);

    // Creates a device for the current context: loads GL functions, reads limits, creates queries.
    // `desc` may be NULL. Needs OpenGL 4.3, or an older core context, from 3.2 on, that can do the
    // same: a compute shader is compiled to find out. Else the message says what is missing and
    // which context to ask for.
    // If host->struct_size is implausible, it reads nothing else of the struct and logs nothing.
    //   returns AG_UNTUNED if desc.tuning does not fit: the device is created with defaults
    //   errors  AG_E_ARG, AG_E_ABI, AG_E_GL (names what is missing), AG_E_MEMORY, AG_E_THREAD
    ag_status (*device_create)(const ag_host *host, const ag_device_desc *desc, ag_device **device);

    // Destroys the device and all passes on it; NULL is ignored. With `context_gone` non-zero it
    // frees memory only and calls no GL: for a context that was lost or already destroyed. If
    // ag_host.is_current says that the context is not current, it also frees memory only, and logs
    // AG_E_THREAD; the GL objects then exist until their context is destroyed.
    void (*device_destroy)(ag_device *device, int32_t context_gone);

    // AG_OK, or AG_E_LOST if the context was reset (detected in robust contexts only). Fills
    // `health` in both cases; it may be NULL.
    ag_status (*health)(ag_device *device, ag_health *health);

    // Call it once per frame. Collects finished GPU times (ag_host.span) and counters, and reloads
    // changed shaders. Never waits for the GPU. Waits for a compile only after an edit, if the
    // driver lacks GL_KHR_parallel_shader_compile or, as NVIDIA's, finishes compiling on the
    // caller's thread (docs/reload.md). If you never call it, timings are dropped and edits have no
    // effect, no more. `frame` is the host's frame number, which nothing uses yet.
    //   errors  AG_E_LOST, AG_E_THREAD
    ag_status (*frame)(ag_device *device, uint64_t frame);

    // Describes a texture of yours from its bare name, as GL knows it: fills name, target, format,
    // width, height, level and layers (of an array all, else 1). `version` keeps its value; the
    // rectangle becomes the whole level. Call it where you create or resize textures, not in a
    // frame: it asks GL some ten times, for which a driver with a thread of its own waits. It
    // leaves every binding as it was. In a context with neither OpenGL 4.5 nor
    // GL_ARB_direct_state_access GL cannot be asked for the target: set texture->target before,
    // else it is taken for GL_TEXTURE_2D, and that of another target sets GL_INVALID_OPERATION.
    //   errors  AG_E_ARG (no such texture or level, or a target that no effect takes), AG_E_FORMAT
    //           (no effect takes its format), AG_E_ABI, AG_E_LOST, AG_E_THREAD; *texture is then
    //           unchanged
    ag_status (*texture)(ag_device *device, uint32_t name, int32_t level, ag_texture *texture);

    // Call it before you delete or recreate a texture that a job of this device named, or never use
    // a pair of name and version twice. It deletes the views and kernel spectra made from
    // the texture; execute wants a new prepare before it takes the name again. Unknown names are
    // ignored. AG_DEVICE_VALIDATE finds missing calls.
    void (*forget)(ag_device *device, uint32_t texture);

    // Creates a pass of an effect, named by its id. The device owns it.
    //   errors  AG_E_ARG (the message lists the ids), AG_E_MEMORY
    ag_status (*pass_create)(ag_device *device, const char *effect, ag_pass **pass);
    // Destroys a pass; NULL is ignored. It must not be called twice for a pass, nor after the
    // device is destroyed. If the context is lost or not current, it frees memory only.
    void (*pass_destroy)(ag_pass *pass);

    // prepare, then execute with barriers = NULL: all that a frame needs. If prepare fails, or
    // returns AG_PENDING because the job has AG_JOB_BACKGROUND, nothing is recorded and the outputs
    // keep their texels. Call it again with the same job in the next frame.
    //   returns what prepare returned, if execute succeeds
    //   errors  as prepare and execute
    ag_status (*run)(ag_pass *pass, const ag_job *job);

    // Plans a job, without GL and without any effect on what is prepared. Texture names may be 0.
    //   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE
    ag_status (*declare)(ag_pass *pass, const ag_job *job, const ag_plan **plan);

    // The size that an output's texture must have for this job: width, height, layers. For a slot
    // with several allowed sizes: the first. 0, 0, 0: any size, or these settings leave the slot
    // empty. The job holds inputs and settings; outputs may be all zero or left out at the end.
    //   errors  as declare, for the inputs; AG_E_ARG also for a slot that is not written
    ag_status (*slot_size)(ag_pass *pass, const ag_job *job, uint32_t slot, int32_t size[3]);

    // Creates everything that the job needs: programs, views, memory, the kernel's spectrum. Call
    // it before every execute: if nothing has changed it costs 5 us at most, and 8 us for one of up
    // to 8 sets of textures that alternate (a test measures both). Then it makes no GL call but
    // what ag_job.scratch needs. It works when sizes, formats, a kernel or a setting change
    // (ag_setting_info.prepare says which), and once for each texture, which it checks against GL;
    // execute takes only checked ones (AG_E_STATE otherwise). If it fails, the former plan stays in
    // use.
    // It waits for the GPU when convolve by FFT or with normalize = sum, or bloom with shape =
    // texture, gets a new kernel texture: it reads back properties of the kernel's values. Bloom
    // with resolution = auto waits for each new kernel, unless the job has AG_JOB_BACKGROUND.
    // Programs and tables live as long as the device; unused programs until the next reload.
    //   With AG_JOB_BACKGROUND it returns AG_PENDING while the driver's threads compile (without
    //   GL_KHR_parallel_shader_compile it compiles synchronously), and while the GPU measures the
    //   kernel of bloom with resolution = auto. Nothing has changed then: the former plan serves.
    //   Call it again with the same job in later frames, until it is AG_OK. A call gives the driver
    //   programs, and takes those that are linked, until that has taken 2 ms: one at least, and a
    //   driver that compiles in the call (docs/reload.md) holds a frame up for one program.
    //   returns AG_FALLBACK if shader_dir's shaders failed and fallback shaders are used
    //   errors  as execute, and AG_E_SHADER, AG_E_MEMORY
    ag_status (*prepare)(ag_pass *pass, const ag_job *job);

    // Records the pass. Does not allocate, compile, upload or wait. If `barriers` is NULL, it ends
    // with the one glMemoryBarrier that job->next_use needs. Otherwise it places none and returns
    // the bits there, so that the host can merge them with its own.
    //   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE, AG_E_STATE, AG_E_LOST, AG_E_THREAD;
    //           nothing is recorded and no output texel is written
    ag_status (*execute)(ag_pass *pass, const ag_job *job, uint32_t *barriers);

    // Times of the whole pass (AG_WHOLE_PASS) or of one step (executed with AG_JOB_TIME_STEPS).
    //   errors  AG_E_ARG (no such step in the prepared plan)
    ag_status (*stats)(const ag_pass *pass, uint32_t step, ag_stats *stats);

    // The state of live reload. Cheap; meant to be shown while shaders are edited. Calls no GL.
    //   errors  AG_E_ARG
    ag_status (*reload_status)(ag_device *device, ag_reload *reload);

    // Three pure functions about summed-area tables: sat.h says what they give. `q` must not be
    // NULL; `storage` is AG_SAT_*.
    double (*sat_error)(const struct ag_sat_question *q, int32_t storage);
    int32_t (*sat_fraction_bits)(const struct ag_sat_question *q, int32_t power);
    int32_t (*sat_choose)(const struct ag_sat_question *q, double tolerance, uint32_t allowed);

    // Reads the pass of a folder (UTF-8; copied): pass.comp, whose first lines describe it
    // (docs/passes.md). pass_create then takes its id on this device, and *effect is as those of
    // `effects`, but valid as long as the device, as its name is in spans. No GL call is made.
    //   For a folder that was read before it returns what frame() found there last, and reads
    //   nothing. When an edit changes only shaders, frame() replaces them, as those of shader_dir.
    //   When it changes steps or textures, the next prepare takes them. When it changes slots or
    //   settings, a warning is logged, and *effect and its settings_tag are others from then on:
    //   passes go on with jobs of the former ones until a prepare has settings of the new. While an
    //   edit has errors, the last version that worked goes on (ag_reload; prepare: AG_FALLBACK).
    //   errors  AG_E_ARG (no such folder, or the message has file, line, caret and what was
    //           expected; or another effect has this id), AG_E_MEMORY
    ag_status (*pass_load)(ag_device *device, const char *folder, const ag_effect_info **effect);

    // As `defaults`, for an effect by its description: also one of pass_load.
    //   errors  AG_E_ARG, without a message (NULL, or no room for struct_size and tag)
    ag_status (*effect_defaults)(const ag_effect_info *effect, void *settings, uint32_t size);
} ag_api;

typedef const ag_api *(*ag_entry_fn)(uint32_t host_abi_minor);

// The one exported symbol. Returns the table; it and all that it points to are valid as long as the
// module is loaded. A host that is newer than the module must compare `struct_size` before it calls
// members that its own header has and the module's table may lack.
AG_API const ag_api *ag_entry_v1(uint32_t host_abi_minor);

#ifdef __cplusplus
}
#endif
#endif
