// compute.c - compute programs from text
// SPDX-License-Identifier: MIT
#include "compute.h"

#include <stdio.h>
#include <string.h>

GLuint compute_program(const GladGLContext *gl, const ag_embedded_file *table, const char *path,
                       const char *defines, char *error, size_t error_size)
{
    while (table->path && strcmp(table->path, path) != 0)
        table++;
    const char *text = table->path ? table->text : "";
    // #version must stay the first statement; only comments may precede it.
    const char *version = strstr(text, "#version"), *rest = version ? strchr(version, '\n') : NULL;
    if (!rest) {
        snprintf(error, error_size, "there is no %s, or it has no #version line", path);
        return 0;
    }
    const char *parts[] = {text, defines ? defines : "", rest};
    const GLint lengths[] = {(GLint)(rest + 1 - text), (GLint)strlen(parts[1]), -1};
    GLuint shader = gl->CreateShader(GL_COMPUTE_SHADER), program = gl->CreateProgram();
    GLint compiled = 0, linked = 0;
    gl->ShaderSource(shader, 3, parts, lengths);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) {
        gl->AttachShader(program, shader);
        gl->LinkProgram(program);
        gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
        gl->DetachShader(program, shader);
    }
    if (!compiled)
        gl->GetShaderInfoLog(shader, (GLsizei)error_size, NULL, error);
    else if (!linked)
        gl->GetProgramInfoLog(program, (GLsizei)error_size, NULL, error);
    gl->DeleteShader(shader);
    if (!linked) {
        gl->DeleteProgram(program);
        return 0;
    }
    return program;
}
