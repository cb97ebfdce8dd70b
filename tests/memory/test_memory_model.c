// test_memory_model.c - which barrier orders what, and frames in flight: what docs/memory.md says
// of OpenGL 4.3
// SPDX-License-Identifier: MIT
//
// Every case is run with its barrier or fence, where no result may be wrong, and without, where the
// driver may let results be wrong: how many are is printed, and is nothing to rely on in either
// direction. Work in front of the writer, and writers that are slow in the groups that are read
// first, make it likelier.
#define _POSIX_C_SOURCE 200809L
#include "fixture.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64, GROUPS = 256, PACKED = GROUP * GROUPS, UNIFORM_WORDS = 4096, ROUNDS = 4 };

#define HEAD                                                                                 \
    "#version 430 core\nlayout(local_size_x = 64) in;\n"                                     \
    "layout(location = 0) uniform uint u_salt;\n"                                            \
    "uint value(uint i) { uint v = (i + u_salt) * 2654435761u; return v ^ (v >> 15); }\n"    \
    "uint late(uint v) { uint n = (gl_NumWorkGroups.x - gl_WorkGroupID.x) * 16u, s = v;\n"   \
    "    for (uint i = 0u; i < n; ++i) s = s * 747796405u + 1u; return s == 0u ? s : v; }\n" \
    "#define ID gl_GlobalInvocationID.x\n"                                                   \
    "#define OTHER (gl_NumWorkGroups.x * 64u - 1u - gl_GlobalInvocationID.x)\n"              \
    "layout(std430, binding = 0) buffer A { uint b_a[]; };\n"                                \
    "layout(std430, binding = 1) buffer Out { uint b_out[]; };\n"

static const char write_buffer[] = HEAD "void main() { b_a[ID] = value(late(ID)); }";
static const char write_image[] =
    HEAD "layout(binding = 0, r32ui) writeonly uniform uimage2D i_a;\n"
         "void main() { imageStore(i_a, ivec2(ID % 256u, ID / 256u), uvec4(value(late(ID)))); }";
// The arguments of a dispatch: as many groups as the reader needs.
static const char write_command[] =
    HEAD "void main() { if (ID < 3u) b_a[ID] = late(ID) == 0u ? 256u : 1u; }";
static const char read_buffer[] = HEAD "void main() { b_out[ID] = b_a[OTHER]; }";
static const char read_uniform[] =
    HEAD "layout(std140, binding = 0) uniform U { uvec4 u_a[1024]; };\n"
         "void main() { if (ID < 4096u) b_out[ID] = u_a[(4095u - ID) / 4u][(4095u - ID) % 4u]; }";
static const char read_image[] =
    HEAD "layout(binding = 0, r32ui) readonly uniform uimage2D i_a;\n"
         "void main() { b_out[ID] = imageLoad(i_a, ivec2(OTHER % 256u, OTHER / 256u)).x; }";
static const char read_texture[] =
    HEAD "layout(binding = 0) uniform usampler2D t_a;\n"
         "void main() { b_out[ID] = texelFetch(t_a, ivec2(OTHER % 256u, OTHER / 256u), 0).x; }";
static const char read_nothing[] = HEAD "void main() { b_out[ID] = value(OTHER); }";

// How the second one gets what the first one wrote.
typedef enum way { STORAGE, UNIFORM, IMAGE, TEXTURE, COMMAND, UPDATE, TEXTURE_UPDATE } way;

static const struct {
    const char *name, *writer, *reader; // reader NULL: the CPU
    GLbitfield barrier;
    way means;
} cases[] = {
    {"storage buffer, storage buffer", write_buffer, read_buffer, GL_SHADER_STORAGE_BARRIER_BIT,
     STORAGE},
    {"storage buffer, uniform buffer", write_buffer, read_uniform, GL_UNIFORM_BARRIER_BIT, UNIFORM},
    {"image, image", write_image, read_image, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT, IMAGE},
    {"image, texture unit", write_image, read_texture, GL_TEXTURE_FETCH_BARRIER_BIT, TEXTURE},
    {"storage buffer, arguments of a dispatch", write_command, read_nothing, GL_COMMAND_BARRIER_BIT,
     COMMAND},
    {"storage buffer, glGetBufferSubData", write_buffer, NULL, GL_BUFFER_UPDATE_BARRIER_BIT,
     UPDATE},
    {"image, glGetTexImage", write_image, NULL, GL_TEXTURE_UPDATE_BARRIER_BIT, TEXTURE_UPDATE},
};

static uint32_t value(uint32_t i, uint32_t salt)
{
    uint32_t v = (i + salt) * 2654435761u;
    return v ^ (v >> 15);
}

static GLuint buffer_of(fixture *f, GLsizeiptr bytes)
{
    GLuint name;
    f->gl.GenBuffers(1, &name);
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, name);
    f->gl.BufferData(GL_SHADER_STORAGE_BUFFER, bytes, NULL, GL_DYNAMIC_COPY);
    return name;
}

static void fill(fixture *f, GLuint buffer, uint32_t word)
{
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    f->gl.ClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                          &word);
}

typedef struct scene {
    GLuint a, out, texture, writer, reader;
} scene;

static void run(fixture *f, const scene *s, way means)
{
    const GladGLContext *gl = &f->gl;
    gl->UseProgram(s->reader);
    if (means == UNIFORM)
        gl->BindBufferRange(GL_UNIFORM_BUFFER, 0, s->a, 0, UNIFORM_WORDS * 4);
    if (means == IMAGE)
        gl->BindImageTexture(0, s->texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
    if (means == COMMAND) {
        gl->BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, s->a);
        gl->DispatchComputeIndirect(0);
    } else {
        gl->DispatchCompute(GROUPS, 1, 1);
    }
}

// Writes, orders it or not, reads; returns how many of what was read is wrong.
static int wrong_ones(fixture *f, const scene *s, int which, bool ordered, uint32_t salt)
{
    const GladGLContext *gl = &f->gl;
    static uint32_t got[PACKED];
    way means = cases[which].means;
    int words = means == UNIFORM ? UNIFORM_WORDS : PACKED, wrong = 0;
    fill(f, s->a, means == COMMAND ? 0 : 0xdeadbeef); // no group at all
    fill(f, s->out, 0xdeadbeef);
    for (int i = 0; i < PACKED; i++)
        got[i] = 0xdeadbeef;
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 256, 64, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
    gl->MemoryBarrier(GL_ALL_BARRIER_BITS);
    gl->Finish();
    gl->UseProgram(s->writer);
    gl->Uniform1ui(0, salt);
    if (s->reader) {
        gl->UseProgram(s->reader);
        if (gl->GetUniformLocation(s->reader, "u_salt") >= 0)
            gl->Uniform1ui(0, salt);
        gl->UseProgram(s->writer);
    }
    gl->BindImageTexture(0, s->texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32UI);
    gl->DispatchCompute(means == COMMAND ? 1 : GROUPS, 1, 1);
    if (ordered)
        gl->MemoryBarrier(cases[which].barrier);
    if (s->reader)
        run(f, s, means);
    if (s->reader)
        gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if (means == TEXTURE_UPDATE) {
        gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, got);
    } else {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, s->reader ? s->out : s->a);
        gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, words * 4, got);
    }
    for (int i = 0; i < words; i++) // readers turn the order round
        wrong += got[i] != value((uint32_t)(s->reader ? words - 1 - i : i), salt);
    gl->Finish();
    return wrong;
}

static void test_between_dispatches(void **state)
{
    fixture *f = *state;
    f->gl_transfer = true; // readbacks of the test's own
    const GladGLContext *gl = &f->gl;
    rng random = rng_start("test_between_dispatches", 29);
    uint32_t seed = (uint32_t)rng_next(&random);
    scene s = {buffer_of(f, PACKED * 4), buffer_of(f, PACKED * 4), 0, 0, 0};
    gl->GenTextures(1, &s.texture);
    gl->BindTexture(GL_TEXTURE_2D, s.texture);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 256, PACKED / 256);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, s.a);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, s.out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int with = 0, without = 0;
        s.writer = fixture_program(f, cases[i].writer);
        s.reader = cases[i].reader ? fixture_program(f, cases[i].reader) : 0;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            with += wrong_ones(f, &s, (int)i, true, seed + 7919u * round);
            without += wrong_ones(f, &s, (int)i, false, seed + 7919u * round + 1u);
        }
        print_message("%s: wrong with its barrier %d (limit 0), without %d, of %d\n", cases[i].name,
                      with, without, ROUNDS * PACKED);
        assert_int_equal(with, 0);
        gl->DeleteProgram(s.writer);
        gl->DeleteProgram(s.reader);
    }
    const GLuint buffers[] = {s.a, s.out};
    gl->BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->DeleteTextures(1, &s.texture);
    gl->DeleteBuffers(2, buffers);
    f->gl_transfer = false;
}

// ---- within a dispatch -------------------------------------------------------------------------

// Each group leaves 64 words; the one that arrives last adds up all of them. Order by coherent
// memory and memoryBarrierBuffer(), before the arrival is counted and after the last one has seen
// it; barrier() alone orders shared memory at most.
static const char last_group[] =
    "#version 430 core\nlayout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) ORDERED buffer A { uint b_a[]; };\n"
    "layout(std430, binding = 1) coherent buffer Out { uint b_arrived, b_sum; };\n"
    "shared uint s_last, s_sum;\n"
    "void main() {\n"
    "    uint local = gl_LocalInvocationIndex, id = gl_GlobalInvocationID.x;\n"
    "    b_a[id] = id * 3u + 1u;\n"
    "    WAIT; barrier();\n"
    "    if (local == 0u) { s_sum = 0u; s_last = atomicAdd(b_arrived, 1u) + 1u; }\n"
    "    memoryBarrierShared(); barrier();\n"
    "    if (s_last != gl_NumWorkGroups.x) return;\n"
    "    WAIT;\n"
    "    uint sum = 0u;\n"
    "    for (uint g = 0u; g < gl_NumWorkGroups.x; ++g) sum += b_a[g * 64u + 63u - local];\n"
    "    atomicAdd(s_sum, sum);\n"
    "    memoryBarrierShared(); barrier();\n"
    "    if (local == 0u) b_sum = s_sum;\n"
    "}";

static GLuint last_group_program(fixture *f, bool ordered)
{
    char text[sizeof last_group + 128];
    const char *body = strchr(last_group, '\n') + 1;
    snprintf(text, sizeof text, "#version 430 core\n#define ORDERED %s\n#define WAIT %s\n%s",
             ordered ? "coherent" : "", ordered ? "memoryBarrierBuffer()" : "", body);
    return fixture_program(f, text);
}

static void test_within_a_dispatch(void **state)
{
    fixture *f = *state;
    f->gl_transfer = true;
    const GladGLContext *gl = &f->gl;
    enum { MANY = 2048 };
    const uint32_t threads = MANY * 64, right = 3u * (threads / 2 * (threads - 1)) + threads;
    const GLuint buffers[] = {buffer_of(f, (GLsizeiptr)threads * 4), buffer_of(f, 8)};
    for (int ordered = 1; ordered >= 0; ordered--) {
        GLuint program = last_group_program(f, ordered);
        int wrong = 0;
        for (int round = 0; round < ROUNDS; round++) {
            uint32_t got[2];
            fill(f, buffers[0], 0xdeadbeef);
            fill(f, buffers[1], 0);
            gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[0]);
            gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1]);
            gl->UseProgram(program);
            gl->DispatchCompute(MANY, 1, 1);
            gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
            gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[1]);
            gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
            assert_int_equal(got[0], MANY); // every group came
            wrong += got[1] != right;
        }
        print_message("last group of %d: wrong %s memoryBarrierBuffer(): %d of %d%s\n", MANY,
                      ordered ? "with" : "without", wrong, ROUNDS, ordered ? " (limit 0)" : "");
        if (ordered)
            assert_int_equal(wrong, 0);
        gl->DeleteProgram(program);
    }
    gl->DeleteBuffers(2, buffers);
    f->gl_transfer = false;
}

// ---- frames in flight --------------------------------------------------------------------------

// The CPU writes what a frame shall use into a slot of a buffer that stays mapped, without
// synchronisation; the GPU is some work behind. `wait`: before a slot is written again, for the
// fence of the frame that last read it.
enum { FRAMES = 48, SLOT_WORDS = 256 };

static const char use_slot[] =
    "#version 430 core\nlayout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) readonly buffer Slot { uint b_slot[]; };\n"
    "layout(std430, binding = 1) writeonly buffer Out { uint b_out[]; };\n"
    "layout(location = 0) uniform uint u_frame;\n"
    "void main() {\n"
    "    uint id = gl_GlobalInvocationID.x, s = id;\n"
    "    for (uint i = 0u; i < 5000u; ++i) s = s * 747796405u + 1u;\n" // the GPU is late
    "    b_out[u_frame * 256u + id] = b_slot[id] + (s == 0u ? u_frame >> 31 : 0u);\n"
    "}";

typedef void(GLAD_API_PTR *storage_fn)(GLenum target, GLsizeiptr bytes, const void *data,
                                       GLbitfield flags);

static int overwritten(fixture *f, int slots, bool wait, uint32_t salt)
{
    const GladGLContext *gl = &f->gl;
    static uint32_t got[FRAMES * SLOT_WORDS];
    const GLbitfield flags =
        GL_MAP_WRITE_BIT | 0x0040 | 0x0080; // persistent, coherent: GL_ARB_buffer_storage
    GLsizeiptr slot_bytes = SLOT_WORDS * 4;
    storage_fn storage;
    void *address = headless_proc(f->context, "glBufferStorage");
    memcpy(&storage, &address, sizeof storage);
    if (!storage)
        skip();
    GLuint ring, out = buffer_of(f, sizeof got), program = fixture_program(f, use_slot);
    GLsync fences[8] = {0};
    gl->GenBuffers(1, &ring);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, ring);
    storage(GL_SHADER_STORAGE_BUFFER, slots * slot_bytes, NULL, flags);
    uint32_t *at = gl->MapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, slots * slot_bytes, flags);
    assert_non_null(at);
    gl->UseProgram(program);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out);
    for (int frame = 0; frame < FRAMES; frame++) {
        int slot = frame % slots;
        if (fences[slot]) {
            if (wait)
                assert_int_not_equal(gl->ClientWaitSync(fences[slot], GL_SYNC_FLUSH_COMMANDS_BIT,
                                                        10000000000u),
                                     GL_TIMEOUT_EXPIRED);
            gl->DeleteSync(fences[slot]);
        }
        for (int i = 0; i < SLOT_WORDS; i++)
            at[slot * SLOT_WORDS + i] = value((uint32_t)(frame * SLOT_WORDS + i), salt);
        gl->BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, ring, slot * slot_bytes, slot_bytes);
        gl->Uniform1ui(0, (GLuint)frame);
        gl->DispatchCompute(SLOT_WORDS / 64, 1, 1);
        fences[slot] = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    gl->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, out);
    gl->GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof got, got);
    int wrong = 0;
    for (int i = 0; i < FRAMES * SLOT_WORDS; i++)
        wrong += got[i] != value((uint32_t)i, salt);
    for (int i = 0; i < slots; i++)
        gl->DeleteSync(fences[i]);
    const GLuint buffers[] = {ring, out};
    gl->DeleteBuffers(2, buffers);
    gl->DeleteProgram(program);
    return wrong;
}

static void test_frames_in_flight(void **state)
{
    fixture *f = *state;
    f->gl_transfer = true;
    rng random = rng_start("test_frames_in_flight", 30);
    uint32_t salt = (uint32_t)rng_next(&random);
    for (int slots = 1; slots <= 4; slots++) {
        int with = overwritten(f, slots, true, salt + (uint32_t)slots);
        int without = overwritten(f, slots, false, salt + 77u + (uint32_t)slots);
        print_message(
            "%d slots: words of frames overwritten with fences %d (limit 0), without %d, of %d\n",
            slots, with, without, FRAMES * SLOT_WORDS);
        assert_int_equal(with, 0);
    }
    f->gl_transfer = false;
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_between_dispatches),
        FIXTURE_TEST(test_within_a_dispatch),
        FIXTURE_TEST(test_frames_in_flight),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
