// minimums.c - simulates a context with the smallest limits that OpenGL 4.3 allows
// SPDX-License-Identifier: MIT
#include "minimums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glad/gl.h>

// "Minimum value" of OpenGL 4.3 core, February 2013, tables 23.53 to 23.76; for alignments the
// largest allowed value.
static const struct {
    GLenum name;
    int64_t value;
} promised[] = {
    {GL_MAX_TEXTURE_SIZE, 16384},
    {GL_MAX_RECTANGLE_TEXTURE_SIZE, 16384},
    {GL_MAX_3D_TEXTURE_SIZE, 2048},
    {GL_MAX_ARRAY_TEXTURE_LAYERS, 2048},
    {GL_MAX_TEXTURE_BUFFER_SIZE, 65536},
    {GL_MAX_COLOR_TEXTURE_SAMPLES, 1},
    {GL_MAX_DEPTH_TEXTURE_SAMPLES, 1},
    {GL_MAX_INTEGER_SAMPLES, 1},
    {GL_MAX_IMAGE_SAMPLES, 0},
    {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 96},
    {GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16},
    {GL_MAX_IMAGE_UNITS, 8},
    {GL_MAX_COMPUTE_IMAGE_UNIFORMS, 8},
    {GL_MAX_COMBINED_IMAGE_UNIFORMS, 8},
    {GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 8},
    {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8},
    {GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8},
    {GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS, 8},
    {GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 24},
    {GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, 256},
    {GL_MAX_COMPUTE_WORK_GROUP_COUNT, 65535},
    {GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024},
    {GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768},
    {GL_MAX_COMPUTE_UNIFORM_COMPONENTS, 512},
    {GL_MAX_COMPUTE_UNIFORM_BLOCKS, 12},
    {GL_MAX_UNIFORM_BUFFER_BINDINGS, 72},
    {GL_MAX_UNIFORM_BLOCK_SIZE, 16384},
    {GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, 256},
    {GL_MAX_UNIFORM_LOCATIONS, 1024},
    {GL_MAX_LABEL_LENGTH, 256},
    {GL_MAX_DEBUG_GROUP_STACK_DEPTH, 64},
    {GL_NUM_PROGRAM_BINARY_FORMATS, 0},
    {GL_NUM_EXTENSIONS, 0},
    {GL_MAJOR_VERSION, 4},
    {GL_MINOR_VERSION, 3},
};

bool minimums_wanted(void)
{
    const char *wish = getenv("AG_TEST_MINIMUMS");
    return wish && strcmp(wish, "1") == 0;
}

bool minimums_of(uint32_t name, int64_t *value)
{
    if (!minimums_wanted())
        return false;
    for (size_t i = 0; i < sizeof promised / sizeof *promised; ++i) {
        if (promised[i].name == name) {
            *value = promised[i].value;
            return true;
        }
    }
    return false;
}

bool minimums_refused(const test_host *h, ag_status status)
{
    bool named = host_log_has(h, "storage blocks") && host_log_has(h, "16777216");
    bool refused = minimums_wanted() && status == AG_E_SIZE && named;
    if (refused)
        printf("  refused by a limit: %s\n", host_log_last(h));
    return refused;
}

static void end(const char *function, uint32_t limit, int64_t used, int64_t value)
{
    fprintf(stderr, "%s: %lld, where OpenGL 4.3 promises %lld (limit 0x%04X)\n", function,
            (long long)used, (long long)value, limit);
    abort();
}

void minimums_hold(const char *function, uint32_t limit, int64_t used)
{
    int64_t value = 0;
    if (minimums_of(limit, &value) && used > value)
        end(function, limit, used, value);
}

void minimums_hold_offset(const char *function, uint32_t limit, int64_t offset)
{
    int64_t value = 0;
    if (minimums_of(limit, &value) && offset % value)
        end(function, limit, offset, value);
}
