// viewer/shader.c - programs from the shaders beside this file
// SPDX-License-Identifier: MIT
#include "shader.h"

#include "report.h"
#include "shader/embedded.h"

#include <string.h>

extern const ag_embedded_file ag_embedded_viewer[], ag_embedded_scene[];

static const ag_embedded_file *find(const ag_embedded_file *table, const char *name, size_t length)
{
    for (; table->path; table++)
        if (strlen(table->path) == length && strncmp(table->path, name, length) == 0)
            return table;
    return NULL;
}

static GLuint compile(const GladGLContext *gl, GLenum stage, const char *name)
{
    static const char include[] = "#include \"";
    const ag_embedded_file *file = find(ag_embedded_viewer, name, strlen(name));
    const char *at = file ? strstr(file->text, include) : NULL;
    const char *parts[3] = {file ? file->text : "", "", ""};
    GLint lengths[3] = {-1, 0, 0}, compiled = 0;
    if (at) {
        const char *path = at + sizeof include - 1;
        size_t length = strcspn(path, "\"");
        const ag_embedded_file *included = find(ag_embedded_scene, path, length);
        lengths[0] = (GLint)(at - file->text);
        parts[1] = included ? included->text : "";
        lengths[1] = -1;
        parts[2] = path + length + 1;
        lengths[2] = -1;
    }
    GLuint shader = gl->CreateShader(stage);
    gl->ShaderSource(shader, 3, parts, lengths);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (!compiled) {
        char log[2048] = "";
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
        fail(STATUS_FAILED, "%s does not compile:\n%s", name, log);
        gl->DeleteShader(shader);
        return 0;
    }
    return shader;
}

static GLuint link(const GladGLContext *gl, const char *name, GLuint first, GLuint second)
{
    GLint linked = 0;
    GLuint program = gl->CreateProgram();
    gl->AttachShader(program, first);
    if (second)
        gl->AttachShader(program, second);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    gl->DeleteShader(first);
    gl->DeleteShader(second);
    if (!linked) {
        char log[2048] = "";
        gl->GetProgramInfoLog(program, sizeof log, NULL, log);
        fail(STATUS_FAILED, "%s does not link:\n%s", name, log);
        gl->DeleteProgram(program);
        return 0;
    }
    return program;
}

GLuint shader_compute(const GladGLContext *gl, const char *compute)
{
    GLuint shader = compile(gl, GL_COMPUTE_SHADER, compute);
    return shader ? link(gl, compute, shader, 0) : 0;
}

GLuint shader_draw(const GladGLContext *gl, const char *vertex, const char *fragment)
{
    GLuint first = compile(gl, GL_VERTEX_SHADER, vertex);
    GLuint second = first ? compile(gl, GL_FRAGMENT_SHADER, fragment) : 0;
    if (!second) {
        gl->DeleteShader(first);
        return 0;
    }
    return link(gl, fragment, first, second);
}
