// afterglow.h - the whole interface of Afterglow, GPU post-processing for OpenGL 4.3 engines
// SPDX-License-Identifier: MIT
//
// HOW TO USE IT (README.md has this as a program that the tests compile and run)
//
//   const ag_api *ag = ag_entry_v1(AG_ABI_MINOR);      or dlsym(module, "ag_entry_v1")
//   ag->device_create(&host, NULL, &device)            once per GL context, context current
//   ag->pass_create(device, "bloom", &pass)            one per configured effect
//   ag->prepare(pass, &job)                            compiles, allocates: at load time and on resize
//   ag->execute(pass, &job, NULL)                      every frame: records GL commands, nothing else
//   ag->frame(device, frame_number)                    every frame: harvests GPU times, reloads shaders
//   ag->pass_destroy(pass); ag->device_destroy(device, 0);
//
// WHAT IT DOES TO YOUR GL STATE
//
//   execute   changes the current program, the image units [image_unit_base, + ag_effect_info.image_units),
//             the indexed shader storage bindings [ssbo_base, + ag_effect_info.ssbos) and the generic
//             GL_SHADER_STORAGE_BUFFER binding. It leaves all of them 0, or as `ag_job.restore` says, or
//             (AG_JOB_RESTORE) exactly as glGet found them. It calls glGet only with AG_JOB_RESTORE or
//             AG_DEVICE_VALIDATE.
//             An effect that states texture units may also change, at [texture_unit_base,
//             + ag_effect_info.texture_units), the sampler and what is bound to the target that it reads, and
//             then the active texture: left 0, 0 and GL_TEXTURE0, or as above. Where it reads by image units
//             instead (textures made by glTexImage, some formats, AG_WITHOUT_TEXTURE_UNITS), it touches none of these.
//   prepare   of chains of levels makes image handles resident (GL_ARB_bindless_texture, where the context
//             has it) of views of its own, for writing, until forget or device_destroy.
//   others    leave every binding exactly as they found it.
//   never     other texture units, framebuffers, vertex arrays, raster state, pixel store,
//             texture parameters, the debug callback. The error flag is never read; it is set only
//             when GL itself runs out of memory or a job names a texture of another target.
//   expects   no active transform feedback and no conditional rendering around execute and prepare,
//             and two free levels of debug groups.
//
// WHAT IT DOES NOT
//
//   create contexts, load images, own your textures, start threads, keep global state (but one lock
//   around a call that a driver does not survive in two threads: docs/reload.md), wait for the GPU
//   (except in prepare, where it says so), or sample your textures as they are: it uses image
//   units, and views of its own where GL wants them or a texture unit reads, so swizzle, samplers,
//   BASE_LEVEL and MAX_LEVEL of yours do not matter. Textures made by glTexImage cannot be viewed: of those,
//   SRGB8_ALPHA8, depth and (to be read) R11F_G11F_B10F are refused, the level must lie within
//   BASE_LEVEL..MAX_LEVEL, and chains of levels take longer.
//
// LIVE RELOAD (ag_device_desc.shader_dir; docs/reload.md)
//
//   frame() watches every file that a program was made from, and every name it asked for in vain. Once
//   the folder has been quiet for 80 ms, changed programs compile beside the ones that run, in the
//   driver's threads where it has GL_KHR_parallel_shader_compile, else one a frame. When all are linked
//   and ask for nothing that the plan does not bind, frame() swaps them: each pass whole, all passes in
//   one frame. Until then, and as long as the folder does not work, passes go on with what they had; a
//   pass prepared meanwhile gets the last shaders that worked, or the embedded ones, and AG_FALLBACK.
//   Each edit that fails makes one message: file, line, column, the line with a caret, the driver's log.
//   The device's first prepare sets GL_MAX_SHADER_COMPILER_THREADS to 8 if nobody has set it (without
//   shader_dir the first with AG_JOB_BACKGROUND, else none does: docs/reload.md).
//
// CONVENTIONS
//
//   Texel (0,0) is the first texel as GL stores it; nothing is flipped. Colours are linear, except
//   in SRGB8_ALPHA8 textures, which are decoded and encoded by the exact piecewise curve.
//   Sizes are in texels, memory in bytes, time in nanoseconds. GL enums are plain uint32_t, so that
//   this header needs no GL header.
//   Every struct you fill starts with struct_size = sizeof the struct you compiled. A smaller struct than
//   the module's is completed with zeros, and zero is always the default; a larger one is accepted
//   when its unknown tail is zero, and refused with AG_E_ABI when it is not. Settings structs work
//   the same way through ag_job.settings_size, but are completed with the effect's defaults.
//   Functions that can fail return ag_status, say why through ag_host.log, and touch no output.
#ifndef AFTERGLOW_H
#define AFTERGLOW_H

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

#define AG_STATUS_LIST(X)                                                                      \
    X(AG_OK, 0, "ok")                                                                          \
    X(AG_PENDING, 1, "still being prepared; call again in a later frame")                      \
    X(AG_FALLBACK, 2, "prepared, but not from shader_dir as it is: that does not work")        \
    X(AG_UNTUNED, 3, "made, but desc.tuning is not of this GPU, driver and module")            \
    X(AG_E_ARG, -1, "an argument is wrong; the message names it, its value and the limit")     \
    X(AG_E_ABI, -2, "host and module do not fit; the message names the struct")                \
    X(AG_E_GL, -3, "the context lacks something; the message names it")                        \
    X(AG_E_FORMAT, -4, "a texture format this slot does not take; the message lists which do") \
    X(AG_E_SIZE, -5, "a size beyond a limit; the message states the limit")                    \
    X(AG_E_MEMORY, -6, "the allocator or GL is out of memory")                                 \
    X(AG_E_SHADER, -7, "a shader does not compile; the message has file, line and caret")      \
    X(AG_E_LOST, -8, "the GL context was lost; destroy the device and create it again")        \
    X(AG_E_THREAD, -9, "the device's context is not current on this thread")                   \
    X(AG_E_STATE, -10, "called out of order: prepare this job before executing it")

#define AG_STATUS_ENUM(name, value, text) name = value,
enum { AG_STATUS_LIST(AG_STATUS_ENUM) };
#undef AG_STATUS_ENUM

// ---- host: what the engine gives ---------------------------------------------------------------

typedef struct ag_device ag_device; // one per GL context; all state lives here
typedef struct ag_pass ag_pass;     // one configured effect on a device

enum { AG_LOG_ERROR = 0, AG_LOG_WARNING = 1, AG_LOG_INFO = 2 };

typedef struct ag_message {
    uint32_t struct_size;
    int32_t level;    // AG_LOG_*
    ag_status code;   // what the failing call returns
    const char *text; // one UTF-8 message without newline at its end; shader errors span lines
    const char *file; // shader file relative to the shader root, or NULL
    uint32_t line,
        column; // in that file, counted from 1 (column 1 also when the driver names none);
                // 0: no place
} ag_message;

typedef struct ag_span { // one timed interval, reported by frame() once its result has arrived
    uint32_t struct_size;
    uint32_t step; // index into ag_plan.steps, or AG_WHOLE_PASS
    const ag_pass *pass;
    const char *effect;          // "bloom"
    const char *name;            // the step's name, or the effect's for the whole pass
    uint64_t frame;              // ag_job.frame of that execute
    uint64_t gpu_begin, gpu_end; // ns on the GPU's clock (GL_TIMESTAMP)
    // ns on the host's clock. A step: when its commands were recorded. The whole pass: the whole of
    // execute, so its steps lie within.
    uint64_t cpu_begin, cpu_end;
    uint64_t host_begin, host_end; // gpu_begin and gpu_end on the host's clock, for one timeline
    uint64_t clock_error; // ns: how far these two may be off, together; AG_NO_CLOCK: they are 0
    uint32_t flags;       // AG_SPAN_*
    uint32_t reserved;
} ag_span;

enum {
    AG_SPAN_FIRST = 1 // the pass dispatched some program for the first time, or for the first time
                      // since live reload replaced it: drivers finish their work then
};

#define AG_WHOLE_PASS 0xffffffffu
#define AG_NO_CLOCK UINT64_MAX

typedef struct ag_host { // copied by device_create; `user` is handed back to every callback.
                         // Callbacks must not call back into the module
    uint32_t struct_size;
    uint32_t reserved; // 0
    void *user;
    // Required: the address of a GL function, or NULL (eglGetProcAddress, glfwGetProcAddress...).
    void *(*gl_proc)(void *user, const char *name);
    // Both or neither. alloc returns `bytes` bytes aligned to `align` (a power of two), or NULL;
    // free gets what alloc returned. NULL: the C library's malloc.
    void *(*alloc)(void *user, size_t bytes, size_t align);
    void (*free)(void *user, void *block, size_t bytes, size_t align);
    // NULL: silent. The message and its strings live until the callback returns.
    void (*log)(void *user, const ag_message *message);
    // NULL: a monotonic clock of the system, in ns. Times during which this one is set back are dropped
    // and counted (ag_stats.dropped).
    uint64_t (*now_ns)(void *user);
    // NULL: trusted. Non-zero when the device's context is current on the calling thread.
    int32_t (*is_current)(void *user);
    // NULL: none. Called from frame() for every interval measured, a whole pass before its steps, in
    // the order of execution; feed it to your profiler (docs/profiling.md).
    void (*span)(void *user, const ag_span *span);
    // Both or neither; NULL: programs are compiled in every run. A store of blobs by key, of 32 hex
    // digits: one file each in a folder will do. Called from prepare, on its thread; blobs and strings
    // live until the callback returns. load copies a blob of at most `capacity` bytes to `data` and
    // returns its size, 0 when it has none; it is first asked with capacity 0. store may fail: then the
    // next load returns 0, or anything: a blob that is not exactly what was stored is noticed and
    // replaced. Write to a temporary file and rename it, so that processes can share the folder.
    size_t (*cache_load)(void *user, const char *key, void *data, size_t capacity);
    void (*cache_store)(void *user, const char *key, const void *data, size_t bytes);
} ag_host;

enum {
    AG_DEVICE_LABELS = 1, // debug groups and object labels (KHR_debug) even without a debug context
    // For debug builds of an engine: execute asks GL again whether every texture of the job, and its
    // scratch, still is what prepare saw. A texture that was deleted, or specified anew, without
    // forget is refused by a sentence (AG_E_STATE, AG_E_ARG, AG_E_FORMAT); without this flag execute
    // then reads and writes undefined texels, or what was deleted. Execute calls glGet and binds for
    // it, and leaves all bindings as it found them. A texture that was made again under the same name
    // and version, exactly alike, GL cannot tell from the former one.
    AG_DEVICE_VALIDATE = 2
};

// What to do without although the context has it, because its driver is wrong there. Results obey the same
// contract, error bounds included, but need not be the same bits; most passes take longer.
enum {
    AG_WITHOUT_SUBGROUPS =
        1, // GL_KHR_shader_subgroup: threads of tables and chains pass values on through
           // shared memory. For compilers that get shuffles wrong
    AG_WITHOUT_BINDLESS =
        2, // GL_ARB_bindless_texture: levels of chains are written through image units, in
           // more dispatches. For drivers, and capture tools, that lose handles
    AG_WITHOUT_TEXTURE_UNITS =
        4 // the units from texture_unit_base on are left alone, but for depth, which nothing else
          // reads: image units read, one texel at a time. For drivers whose views or
          // gathers are wrong, and hosts that have no texture unit to give
};

typedef struct ag_device_desc { // all zero is a good device
    uint32_t struct_size;
    uint32_t flags; // AG_DEVICE_*
    // Shaders are read from here instead of the embedded ones, and again whenever they change (LIVE
    // RELOAD, above). UTF-8. NULL: embedded.
    const char *shader_dir;
    // First of the image units the module may use; ag_effect_info.image_units says how many. Effects
    // that write chains of levels make do with fewer than they state, by more dispatches; others
    // refuse, in declare.
    uint32_t image_unit_base;
    uint32_t ssbo_base; // first of the shader storage bindings: ag_effect_info.ssbos
    // Timestamps in flight, at least 10; 0 = 512. A full ring drops samples and counts them. Steps are
    // timed one by one only if the ring holds all stamps of a pass, its steps and one more.
    uint32_t timer_capacity;
    // ns that frame() may spend on watching and reloading shaders, beyond the step it is at;
    // 0 = 200000.
    uint32_t frame_budget;
    // MB/s, read + written, that this GPU copies (`afterglow info --copy` measures it), for
    // ag_stats.copy_ratio; 0: not known.
    uint32_t copy_speed;
    uint32_t texture_unit_base; // first of the texture units: ag_effect_info.texture_units
    uint32_t without;           // AG_WITHOUT_*; other bits are refused
    uint32_t reserved;          // 0
    // The text that `afterglow tune -o FILE` wrote on this GPU: where `auto` changes from one method to the next, and
    // copy_speed where that is 0. The module reads no such file itself: hand over its content, NUL at its end; it is not
    // kept. Results obey the same contract with any text; times differ. A text of another GPU, driver or version of the
    // module, or one that is damaged, changes nothing: device_create logs a warning with the reason and returns
    // AG_UNTUNED. NULL: none; the methods change over where an H200's do.
    const char *tuning;
} ag_device_desc;

// ---- effects: what the module can do, for editors and command lines ----------------------------

// A slot with AG_STATE (and AG_READ | AG_WRITE) holds what an effect remembers from one execute to the next, in a
// texture of the host's: all zero before the first one. An effect with complex data has two slots for it: `name` is
// the real part, `name_im` the imaginary one.
enum { AG_READ = 1, AG_WRITE = 2, AG_OPTIONAL = 4, AG_STATE = 8 };
enum { AG_MAX_VALUES = 16 }; // of a setting: a 4 x 4 matrix, column by column
enum { AG_FLOAT = 0, AG_INT = 1, AG_BOOL = 2, AG_ENUM = 3 };

typedef struct ag_slot_info { // a texture that an effect reads or writes
    const char *name;         // "src"
    const char *help;         // one line
    uint32_t access;          // AG_READ | AG_WRITE | AG_OPTIONAL | AG_STATE
    uint32_t format_count;
    const uint32_t *formats; // sized GL internal formats it accepts
} ag_slot_info;

typedef struct ag_setting_info { // a member of the effect's settings struct
    const char *name, *unit, *help;
    uint32_t type;   // AG_FLOAT, or a 4-byte int: AG_INT, AG_BOOL (0 or 1), AG_ENUM
    uint32_t offset; // in bytes, in the settings struct
    uint32_t count;  // 1..AG_MAX_VALUES consecutive values
    uint32_t name_count;
    double min, max, initial[AG_MAX_VALUES]; // inclusive range of each value, defaults
    const char *const *names; // AG_ENUM: of value i names[i]; NULL: not a value of this setting
} ag_setting_info;

// What lies outside an image of n texels, on each axis by itself: settings `border`. An effect that does not
// take one of them has NULL among its names there, or no name.
enum ag_border {
    AG_BORDER_ZERO = 0,  // 0 in every channel
    AG_BORDER_CLAMP = 1, // the texel at the edge goes on: of i < 0 texel 0, of i >= n texel n - 1
    // ... 2 1 0 1 2 ...: of i texel |i|, with period 2 (n - 1), so that the edge is not repeated; the
    // one texel of n = 1 is.
    AG_BORDER_MIRROR = 2,
    AG_BORDER_WRAP = 3, // the image again: of i texel i modulo n
    // Nothing: the sum over a box is divided by the part of its area that lies inside.
    AG_BORDER_NORMALIZE = 4
};

typedef struct ag_effect_info {
    uint32_t struct_size;
    uint32_t settings_size; // bytes of the settings struct
    const char *id, *help;
    const ag_slot_info *slots;        // job.slots come in this order
    uint32_t slot_count, slot_stride; // stride in bytes: rows may grow in later versions
    const ag_setting_info *settings;
    uint32_t setting_count, setting_stride;
    // The most that an execute of it binds, from the device's bases on.
    uint32_t image_units, ssbos, texture_units;
    uint32_t reserved;
} ag_effect_info;

// ---- jobs: what a pass is asked to do ----------------------------------------------------------

typedef struct ag_texture { // a view of one level of a texture of the host's
    uint32_t struct_size;
    uint32_t name; // GL texture; 0 in declare (not yet created) or for an optional slot left empty
    uint32_t target; // GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY; of depth, also the multisampled ones
    uint32_t format; // sized internal format, e.g. 0x881A = GL_RGBA16F; 0: the slot is left empty
    int32_t width, height;       // of that level, in texels
    int32_t level;               // mipmap level; AG_E_ARG where the texture does not have it
    int32_t first_layer, layers; // array layers to process, all in one execute; layers 0 means 1
    // Sub-rectangle in texels; rect_width = rect_height = 0: from rect_x, rect_y to the end
    int32_t rect_x, rect_y, rect_width, rect_height;
    uint32_t reserved; // 0
    uint64_t version; // equal name and version means equal content: bump it to refresh a kernel
} ag_texture;

typedef struct
    ag_buffer { // a byte range of a GL buffer of the host's. Frozen: it lies inside ag_job
    uint32_t struct_size;
    uint32_t name;
    uint64_t offset, bytes; // offset: a multiple of ag_plan.scratch_alignment
} ag_buffer;

enum { // how the host uses the outputs next; decides the bits of the one closing barrier
    AG_USE_SAMPLE = 1,      // texture(), texelFetch()
    AG_USE_IMAGE = 2,       // imageLoad(), imageStore()
    AG_USE_FRAMEBUFFER = 4, // as a render target, or glBlitFramebuffer
    AG_USE_COPY = 8,        // glCopyImageSubData, glGetTexImage, glTexSubImage
    AG_USE_UNKNOWN = 0      // any of these
};

enum {
    AG_JOB_RESTORE = 1, // restore the touched state exactly, by glGet: slow with threaded drivers
    AG_JOB_TIME_STEPS =
        2,              // time every step, not only the whole pass (N + 1 timestamps for N steps)
    AG_JOB_UNTIMED = 4, // place no timestamps and read no clock
    AG_JOB_BACKGROUND = 8, // prepare does not wait for compiles: see there
    AG_JOB_RESET = 16      // forget what AG_STATE slots hold: a cut, a teleport, a first frame
};

typedef struct ag_gl_state { // values the host wants back in the module's slots after execute
    uint32_t struct_size;
    uint32_t program;
    struct ag_image_unit {
        uint32_t texture, layered, access,
            format; // access and format: GL enums; texture 0: unbound
        int32_t level, layer;
    } images[8]; // for the units image_unit_base + i, ag_effect_info.image_units of them
    struct ag_ssbo {
        uint32_t buffer, reserved;
        uint64_t offset, bytes; // bytes 0: the whole buffer (glBindBufferBase). reserved: 0
    } ssbos[8];                 // for the bindings ssbo_base + i, ag_effect_info.ssbos of them
    uint32_t ssbo_generic;
    uint32_t active_texture; // put back where a texture unit was used; 0 means GL_TEXTURE0
    struct ag_texture_unit {
        uint32_t texture,
            target; // what was bound, and to which target: put back if the module bound to that one;
                    // 0: whichever it bound to
        uint32_t sampler, reserved; // reserved: 0
    } textures[8]; // for the units texture_unit_base + i, ag_effect_info.texture_units of them
} ag_gl_state;

typedef struct ag_job {
    uint32_t struct_size;
    uint32_t flags;          // AG_JOB_*
    const ag_texture *slots; // in the order of ag_effect_info.slots, struct_size bytes apart. An
                             // optional one may be all zero, or miss at the end
    uint32_t slot_count;
    uint32_t settings_size;     // sizeof the settings struct you compiled
    const void *settings;       // ag_bloom_settings...; NULL: defaults
    uint64_t frame;             // any number; comes back in spans
    ag_buffer scratch;          // name 0: the pass keeps scratch of its own
    const ag_gl_state *restore; // NULL: touched bindings are left 0
    uint32_t next_use;          // AG_USE_* of the outputs
    uint32_t reserved;          // 0
    // Dynamic resolution: plan for images of up to this size. Lines, memory, scratch and programs are
    // then those of the largest, and prepare with any rectangle within it compiles and allocates nothing.
    // Smaller images take somewhat longer than by plans of their own. 0: for this image. Convolve,
    // bloom and exposure heed it; convolve with border wrap, whose lines have to fit the image, and all
    // other effects ignore it.
    int32_t plan_width, plan_height;
    // Seconds since the last execute with the same AG_STATE slots, 0 or more. Only effects with such
    // slots use it.
    float dt;
    uint32_t reserved2; // 0
} ag_job;

// ---- plans: what a pass will do, for render graphs ---------------------------------------------

enum {
    AG_RESOURCE_SLOT = 0,    // a texture of the job's
    AG_RESOURCE_SCRATCH = 1, // a range of the scratch memory
    AG_RESOURCE_OWN = 2 // what the pass itself keeps; counted in persistent_bytes
};

typedef struct ag_resource { // something a pass reads or writes
    const char *name;        // the slot's name; of scratch and of what is its own, what it holds
    uint32_t access;         // AG_READ | AG_WRITE
    uint32_t first_step, last_step; // live range; disjoint ranges of scratch may share memory
    uint32_t kind;                  // AG_RESOURCE_*
    uint64_t offset, bytes;         // scratch: the range in it. Textures: 0, bytes of the rectangle
} ag_resource;

typedef struct ag_step { // one timed step: one or more dispatches. No barrier between them, except
                         // where a step makes its own input: in box_blur
    const char *name;
    uint32_t dispatches;   // at most; box_blur runs fewer for some radii
    uint32_t groups[3];    // work groups of each dispatch, or of the largest
    uint32_t shared_bytes; // shared memory of one group
    uint32_t reserved;
    uint64_t bytes;        // bytes that must move, read and written
    uint64_t instructions; // arithmetic instructions, estimated
} ag_step;

typedef struct ag_plan { // owned by the pass; valid until its next declare or prepare
    uint32_t struct_size;
    uint32_t step_count, step_stride;
    uint32_t resource_count, resource_stride;
    // glMemoryBarrier bits you owe if a shader of yours wrote the inputs, or used the memory that is
    // scratch or an output now.
    uint32_t barriers_before;
    uint32_t barriers_after; // bits that job.next_use asks for: what execute places, or returns
    uint32_t reserved;
    const ag_step *steps;
    const ag_resource *resources;
    uint64_t key;               // changes when anything in the plan changes, and only then
    uint64_t scratch_bytes;     // transient memory; its content need not survive between executes
    uint64_t scratch_alignment; // of the scratch range's offset
    // GPU memory the pass itself keeps (kernel spectra, tables); prepared again, it also keeps what
    // held the former plan's spectrum.
    uint64_t persistent_bytes;
    char text[384];       // the plan in words: lengths, radices, threads, bytes
} ag_plan;

// ---- measurements ------------------------------------------------------------------------------

typedef struct ag_stats { // over the last 512 samples of a pass or of one of its steps
    uint32_t struct_size;
    uint32_t samples; // in the ring now; 0: no result has arrived yet, or timing is unavailable
    uint64_t count;   // samples since this plan was prepared, first uses left out
    uint64_t dropped; // samples of the pass lost since it was created: the ring of timestamps was
                      // full, or the GPU's or the host's clock ran backwards meanwhile
    // ns. A percentile is the smallest sample that so many of a hundred do not exceed.
    double gpu_last, gpu_min, gpu_median, gpu_p95, gpu_p99, gpu_mean;
    double cpu_last, cpu_min, cpu_median, cpu_p95, cpu_p99, cpu_mean;
    // ns. The last first use (AG_SPAN_FIRST) is no sample: it costs what the others do not. 0: not seen.
    double gpu_first, cpu_first;
    double cpu_prepare; // ns of the last prepare that had something to do, on the CPU; 0 also
                        // where the host's clock ran backwards meanwhile
    uint64_t bytes;     // that must move in one execute, by the plan
    double gb_per_s;    // these bytes in gpu_median: 10^9 bytes a second
    double
        copy_ratio; // gb_per_s over ag_device_desc.copy_speed: 1 is as fast as a copy; 0: not known
} ag_stats;

typedef struct ag_health {
    uint32_t struct_size;
    uint32_t programs;            // GL programs alive
    uint64_t scrubbed_texels;     // non-finite texels read as 0 since creation, as far as harvested
    uint64_t dropped_samples;     // timings lost: the ring was full, or a clock ran backwards
    uint64_t persistent_bytes;    // GPU memory held by the device and its passes
    uint32_t programs_from_cache; // since creation: came from ag_host.cache_load, were not compiled
    uint32_t reserved;
} ag_health;

typedef struct ag_reload { // live reload; all zero without shader_dir
    uint32_t struct_size;
    uint32_t generation; // edits that changed what some pass runs, since creation
    uint32_t pending; // changed files and compiling programs; 0: what runs is what the folder has,
                      // as far as it works
    uint32_t failed;  // passes that run on other shaders than the folder has, which do not work
    uint32_t watched; // paths watched, missing ones included
    uint32_t line, column; // of the message; 0: no place
    uint32_t reserved;
    const char *file; // of the message, relative to shader_dir; NULL: no place
    const char
        *message; // what was last logged about a failure that lasts; NULL: nothing. Both strings
                  // are valid until the next frame() or prepare
} ag_reload;

// ---- the table ---------------------------------------------------------------------------------
//
// Threads: `effects` may be called on any thread; everything else on the thread where the device's
// context is current. Devices share nothing, so several may work at once on several threads.

struct ag_sat_question;

typedef struct ag_api {
    uint32_t struct_size;
    uint32_t abi_major, abi_minor;
    uint32_t reserved;
    const char *version; // "0.1.0"

    // The effects of this module: a constant array of *count pointers. Touches no GL.
    const ag_effect_info *const *(*effects)(uint32_t *count);

    // Fills a settings struct with the defaults of an effect, up to `size` bytes. Touches no GL.
    ag_status (*defaults)(const char *effect, void *settings, uint32_t size);

    // The text of a status, never NULL.
    const char *(*status_text)(ag_status status);

    // Makes a device for the current context: loads GL functions, reads limits, makes queries.
    // `desc` may be NULL. Needs OpenGL 4.3, or less with the extensions that the message names.
    // A host whose struct_size is no size of such a struct is refused before anything else of it is
    // read: nothing is logged then.
    //   returns AG_UNTUNED when desc.tuning is given and does not fit: the device is made, and defaults serve
    //   errors  AG_E_ARG, AG_E_ABI, AG_E_GL (what is missing), AG_E_MEMORY, AG_E_THREAD
    ag_status (*device_create)(const ag_host *host, const ag_device_desc *desc, ag_device **device);

    // Destroys the device and every pass on it; NULL is fine. With `context_gone` non-zero it frees
    // memory only and calls no GL function: use it when the context was lost or already destroyed.
    // The device is gone in every case: neither it nor a pass on it may be given to any call
    // afterwards, device_destroy and pass_destroy included, and the module cannot notice (set your
    // pointers to NULL). When ag_host.is_current says that the device's context is not current, memory
    // alone is freed, AG_E_THREAD is logged, and GL objects stay until their context is destroyed.
    void (*device_destroy)(ag_device *device, int32_t context_gone);

    // AG_OK, or AG_E_LOST when the context was reset (robust contexts only). `health` may be NULL.
    ag_status (*health)(ag_device *device, ag_health *health);

    // Once per frame: collects finished GPU times (calls ag_host.span) and counters, and reloads
    // changed shaders. Never waits for the GPU, nor for a compile where the driver has
    // GL_KHR_parallel_shader_compile. Not calling it is harmless: timings are dropped and counted, edits
    // go unseen.
    ag_status (*frame)(ag_device *device, uint64_t frame);

    // Call before deleting or re-creating a texture whose name was used here: drops views and
    // cached kernel spectra made from it. (Or never reuse a pair of name and version.) Debug builds
    // find calls that are missing by AG_DEVICE_VALIDATE.
    void (*forget)(ag_device *device, uint32_t texture);

    // Makes a pass of an effect, by id. errors  AG_E_ARG (lists the ids), AG_E_MEMORY
    ag_status (*pass_create)(ag_device *device, const char *effect, ag_pass **pass);
    // NULL is fine; a pass that is gone already, by pass_destroy or with its device, is not. Where the
    // device's context is not current it frees as device_destroy does.
    void (*pass_destroy)(ag_pass *pass);

    // What the pass would need for this job; texture names may be 0. Touches no GL and changes
    // nothing that runs: the prepared plan goes on serving.
    //   errors  as execute, without AG_E_STATE
    ag_status (*declare)(ag_pass *pass, const ag_job *job, const ag_plan **plan);

    // The size that the texture of an output must have for this job: width, height, layers; of several
    // that it takes, the first. 0, 0, 0: it may have any size, or these settings leave the slot empty.
    // The job holds the inputs and settings; outputs may be all zero or miss at the end. Touches no GL.
    //   errors  as declare, for the inputs; AG_E_ARG for a slot that is not written
    ag_status (*slot_size)(ag_pass *pass, const ag_job *job, uint32_t slot, int32_t size[3]);

    // Makes everything that this job needs: programs, views, memory, the kernel's spectrum. Call it
    // at load time, when sizes, formats or structural settings change, when a kernel changes, and once
    // for each texture that takes part: it is checked here against GL, once, and execute takes only
    // textures that were (AG_E_STATE otherwise). Cheap when nothing changed. On failure the former
    // plan goes on serving. May wait for the GPU: for a new kernel texture, convolve by fft or with
    // normalize = sum, and bloom with shape = texture, read back what its taps are like. Programs and
    // tables stay until the device goes; programs that no pass uses, until a reload.
    //   With AG_JOB_BACKGROUND it returns AG_PENDING while the driver still compiles what the job needs,
    //   on threads of its own (GL_KHR_parallel_shader_compile; without it prepare waits all the same).
    //   Nothing has changed then: the former plan goes on serving, with the former jobs. Call it again
    //   with the same job in later frames; on AG_OK the new plan serves.
    //   returns AG_FALLBACK when shader_dir's shaders do not work and others serve instead
    //   errors  as execute, and AG_E_SHADER, AG_E_MEMORY
    ag_status (*prepare)(ag_pass *pass, const ag_job *job);

    // Records the pass. Allocates, compiles, uploads and waits for nothing. `barriers` NULL: ends
    // with the one glMemoryBarrier that job->next_use asks for. Otherwise it places none and returns
    // the bits there, for the host to merge with its own.
    //   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE, AG_E_STATE, AG_E_LOST, AG_E_THREAD;
    //           no output texel is touched
    ag_status (*execute)(ag_pass *pass, const ag_job *job, uint32_t *barriers);

    // Times of the whole pass (AG_WHOLE_PASS) or of one step (executed with AG_JOB_TIME_STEPS).
    ag_status (*stats)(const ag_pass *pass, uint32_t step, ag_stats *stats);

    // Summed-area tables (afterglow/sat.h has the struct): pure functions, on any thread; `q` is not NULL.
    // Bound of |error| of the mean of any box of min_box x min_box texels or more, asked with
    // shaders/sat/query.glsl, of a table of this storage (AG_SAT_*). Infinite where the storage cannot hold the
    // image at all.
    double (*sat_error)(const struct ag_sat_question *q, int32_t storage);
    // Fraction bits of uint32: the most, up to 24, with which no box of max_box wraps; -1: not even 0 do.
    // `power` 2: of the table of squares.
    int32_t (*sat_fraction_bits)(const struct ag_sat_question *q, int32_t power);
    // The cheapest storage of those in `allowed` (bits 1 << AG_SAT_*; 0: all) whose bound is at most `tolerance`;
    // 0: none. Bytes a channel: float32 and uint32 4, split 4.5, residual 6, double_float 8.
    int32_t (*sat_choose)(const struct ag_sat_question *q, double tolerance, uint32_t allowed);

    // What live reload is at. Cheap; meant to be shown while shaders are edited. Touches no GL.
    //   errors  AG_E_ARG
    ag_status (*reload_status)(ag_device *device, ag_reload *reload);
} ag_api;

typedef const ag_api *(*ag_entry_fn)(uint32_t host_abi_minor);

// The one exported symbol. Returns the table; a host newer than the module checks `struct_size`
// before it calls members that its own header has and the module's table may not.
AG_API const ag_api *ag_entry_v1(uint32_t host_abi_minor);

#ifdef __cplusplus
}
#endif
#endif
