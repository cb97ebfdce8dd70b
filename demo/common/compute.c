// compute.c - compute programs from text
// SPDX-License-Identifier: MIT
#include "compute.h"

#include <stdio.h>
#include <string.h>

static const ag_embedded_file *find(const ag_embedded_file *table, const char *path, size_t length)
{
    while (table->path &&
           (strlen(table->path) != length || strncmp(table->path, path, length) != 0))
        table++;
    return table->path ? table : NULL;
}

GLuint compute_program(const GladGLContext *gl, const ag_embedded_file *table, const char *path,
                       const char *defines, char *error, size_t error_size)
{
    static const char include[] = "#include \"";
    const ag_embedded_file *file = find(table, path, strlen(path)), *included = NULL;
    const char *text = file ? file->text : "";
    // #version must stay the first statement; only comments may precede it.
    const char *version = strstr(text, "#version"), *rest = version ? strchr(version, '\n') : NULL;
    if (!rest) {
        snprintf(error, error_size, "there is no %s, or it has no #version line", path);
        return 0;
    }
    const char *body = rest + 1, *at = strstr(body, include);
    if (at) {
        const char *name = at + sizeof include - 1;
        size_t length = strcspn(name, "\"");
        included = find(table, name, length);
        rest = name + length + 1;
    }
    at = included ? at : body;
    rest = included ? rest : body;
    const char *parts[] = {text, defines ? defines : "", body, included ? included->text : "",
                           rest};
    const GLint lengths[] = {(GLint)(body - text), -1, (GLint)(at - body), -1, -1};
    GLuint shader = gl->CreateShader(GL_COMPUTE_SHADER), program = gl->CreateProgram();
    GLint compiled = 0, linked = 0;
    gl->ShaderSource(shader, 5, parts, lengths);
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
