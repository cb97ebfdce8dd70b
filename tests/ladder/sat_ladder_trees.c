// sat_ladder_trees.c - shaders/ladder/sat's tree alone: the documents' worked example
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_sat_ladder.h"

// A program of sync.glsl, a tree's file without its include, and `ask`. Runs one group over `words`
// words of a buffer, in place.
static void run(fixture *f, const char *defines, const char *tree, const char *ask, uint32_t *data,
                size_t words)
{
    char *tree_text = shader_text(tree), *sync_text = shader_text("common/sync.glsl");
    const char *body = strstr(tree_text, "#include \"common/sync.glsl\"");
    const char *sync = strstr(sync_text, "#pragma once");
    CHECK(body != NULL && sync != NULL);
    const char *text[] = {"#version 430 core\n", strchr(sync, '\n'), defines, strchr(body, '\n'),
                          ask};
    GLuint shader = f->gl.CreateShader(GL_COMPUTE_SHADER), program = f->gl.CreateProgram(), buffer;
    GLint linked = 0;
    char log[2048] = "";
    f->gl.ShaderSource(shader, 5, text, NULL);
    f->gl.CompileShader(shader);
    f->gl.AttachShader(program, shader);
    f->gl.LinkProgram(program);
    f->gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    f->gl.GetShaderInfoLog(shader, sizeof log, NULL, log);
    CHECK_F(linked, "%s", log);
    f->gl.DeleteShader(shader);
    free(tree_text);
    free(sync_text);
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    f->gl.BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(words * 4), data, GL_DYNAMIC_COPY);
    f->gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    f->gl.UseProgram(program);
    f->gl.DispatchCompute(1, 1, 1);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    f->gl_transfer = true;
    f->gl.GetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)(words * 4), data);
    f->gl_transfer = false;
    f->gl.UseProgram(0);
    f->gl.DeleteProgram(program);
    f->gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    f->gl.DeleteBuffers(1, &buffer);
}

// The documents' example, after each stage.
void test_golden(void **state)
{
    enum { N = 8, STAGES = 7 };
    static const uint32_t want[STAGES + 1][N] = {
        {3, 1, 7, 0, 4, 1, 6, 3},   {3, 4, 7, 7, 4, 5, 6, 9},      // the data; up by 1
        {3, 4, 7, 11, 4, 5, 6, 14}, {3, 4, 7, 11, 4, 5, 6, 25},    // by 2, 4
        {3, 4, 7, 11, 4, 5, 6, 0},  {3, 4, 7, 0, 4, 5, 6, 11},     // root := 0; down by 4
        {3, 0, 7, 4, 4, 11, 6, 16}, {0, 3, 4, 11, 11, 15, 16, 22}, // by 2, 1
    };
    static const char ask[] =
        "layout(local_size_x = 4) in;\n"
        "layout(std430, binding = 0) buffer Data { uint b_data[]; };\n"
        "void show(int stage)\n"
        "{\n"
        "    int t = int(gl_LocalInvocationIndex);\n"
        "    sync_shared();\n"
        "    for (int e = t; e < 8; e += 4) b_data[8 * stage + e] = s_tree[TREE_AT(e, 0)];\n"
        "    sync_shared();\n"
        "}\n"
        "void main()\n"
        "{\n"
        "    int t = int(gl_LocalInvocationIndex);\n"
        "    for (int e = t; e < 8; e += 4) s_tree[TREE_AT(e, 0)] = b_data[e];\n"
        "    show(0);\n"
        "    for (int by = 1, k = 1; by < 8; by *= 2, ++k) { up_stage(t, by, 0); show(k); }\n"
        "    if (t == 0) s_tree[TREE_AT(7, 0)] = 0u;\n"
        "    show(4);\n"
        "    for (int by = 4, k = 5; by > 0; by /= 2, ++k) { down_stage(t, by, 0); show(k); }\n"
        "    for (int e = t; e < 8; e += 4) s_tree[TREE_AT(e, 0)] = b_data[e];\n"
        "    sync_shared();\n"
        "    uint root = scan_tree(t, 0);\n"
        "    show(8);\n"
        "    if (t == 0) b_data[72] = root;\n"
        "}\n";
    fixture *f = *state;
    for (int padded = 0; padded < 2; ++padded) {
        char defines[160];
        uint32_t data[9 * N + 1] = {0};
        memcpy(data, want[0], sizeof want[0]);
        snprintf(defines, sizeof defines,
                 "#define TREE_VALUE uint\n#define TREE_ELEMENTS 8\n#define TREE_COLUMNS 1\n"
                 "#define TREE_PADDED %d\n",
                 padded);
        run(f, defines, "ladder/sat/tree.glsl", ask, data, 9 * N + 1);
        for (int stage = 0; stage <= 8; ++stage)
            for (int i = 0; i < N; ++i)
                CHECK_F(data[stage * N + i] == want[stage < 8 ? stage : 7][i],
                        "stage %d, element %d: %u", stage, i, data[stage * N + i]);
        CHECK_EQ(data[9 * N], 25);
    }
    printf("  ok    [3 1 7 0 4 1 6 3] -> [0 3 4 11 11 15 16 22], seven stages, root 25\n");
}
