// draw.c - programs that draw one triangle over all of a framebuffer
// SPDX-License-Identifier: MIT
#include "draw.h"

static const char *const vertex = "#version 430 core\n"
                                  "out vec2 v_at;\n"
                                  "void main()\n"
                                  "{\n"
                                  "    v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;\n"
                                  "    gl_Position = vec4(v_at * 2.0 - 1.0, 0.0, 1.0);\n"
                                  "}\n";

GLuint draw_program(const GladGLContext *gl, const char *fragment, char *error, size_t size)
{
    GLuint program = gl->CreateProgram();
    const char *const texts[] = {vertex, fragment};
    for (int i = 0; i < 2; i++) {
        GLuint shader = gl->CreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        gl->ShaderSource(shader, 1, &texts[i], NULL);
        gl->CompileShader(shader);
        gl->AttachShader(program, shader);
        gl->DeleteShader(shader); // it goes with the program
    }
    GLint linked = 0;
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return program;
    gl->GetProgramInfoLog(program, (GLsizei)size, NULL, error);
    gl->DeleteProgram(program);
    return 0;
}
