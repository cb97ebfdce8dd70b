// pretend.c - GL functions of a driver that compiles and runs nothing
// SPDX-License-Identifier: MIT
#include "pretend.h"

#include <glad/gl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef GL_SUBGROUP_SIZE_KHR
#define GL_SUBGROUP_SIZE_KHR 0x9532
#endif

typedef void (*gl_any)(void);

static pretence now;

static const char *const extension = "GL_KHR_shader_subgroup";

static gl_any real(const char *name)
{
    void *address = now.proc(now.user, name);
    gl_any function;
    memcpy(&function, &address, sizeof function);
    return function;
}

// ---- what the driver has -----------------------------------------------------------------------

static GLint own_extensions(void)
{
    GLint count = 0;
    ((PFNGLGETINTEGERVPROC)real("glGetIntegerv"))(GL_NUM_EXTENSIONS, &count);
    return count;
}

// The limits that plans depend on, with the values of NVIDIA's driver.
static void GLAD_API_PTR get_integerv(GLenum name, GLint *data)
{
    static const struct {
        GLenum name;
        GLint value;
    } limits[] = {{GL_SUBGROUP_SIZE_KHR, 32},
                  {GL_MAX_IMAGE_UNITS, 8},
                  {GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 16},
                  {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 96},
                  {GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, 16},
                  {GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024},
                  {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 96},
                  {GL_MAX_TEXTURE_SIZE, 16384}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i].name == name) {
            *data = limits[i].value;
            return;
        }
    ((PFNGLGETINTEGERVPROC)real("glGetIntegerv"))(name, data);
    if (name == GL_NUM_EXTENSIONS)
        *data += now.full;
}

static const GLubyte *GLAD_API_PTR get_stringi(GLenum name, GLuint index)
{
    if (name == GL_EXTENSIONS && index == (GLuint)own_extensions())
        return (const GLubyte *)extension;
    const GLubyte *text = ((PFNGLGETSTRINGIPROC)real("glGetStringi"))(name, index);
    if (text && !now.full && strcmp((const char *)text, extension) == 0)
        return (const GLubyte *)"";
    return text;
}

static const GLubyte *GLAD_API_PTR get_string(GLenum name)
{
    if (name == GL_VENDOR) // the plugin uses subgroups of this vendor
        return (const GLubyte *)(now.full ? "NVIDIA Corporation" : "nobody");
    return ((PFNGLGETSTRINGPROC)real("glGetString"))(name);
}

static void GLAD_API_PTR get_integer64v(GLenum name, GLint64 *data)
{
    ((PFNGLGETINTEGER64VPROC)real("glGetInteger64v"))(name, data);
    if (name == GL_MAX_SHADER_STORAGE_BLOCK_SIZE)
        *data = INT32_MAX;
}

// ---- calls without effect -----------------------------------------------------------------------

static void GLAD_API_PTR one_name(GLuint name)
{
    (void)name;
}

static void GLAD_API_PTR dispatch_compute(GLuint x, GLuint y, GLuint z)
{
    (void)x, (void)y, (void)z;
}

static void GLAD_API_PTR get_programiv(GLuint program, GLenum name, GLint *data)
{
    (void)program;
    if (name == GL_LINK_STATUS)
        *data = GL_TRUE;
}

static void GLAD_API_PTR get_shaderiv(GLuint shader, GLenum name, GLint *data)
{
    (void)shader, (void)name;
    *data = GL_TRUE;
}

static void GLAD_API_PTR get_interface(GLuint program, GLenum interface, GLenum name, GLint *data)
{
    (void)program, (void)interface, (void)name;
    *data = 0;
}

// Readbacks return 1 everywhere: a kernel has the sum 1, and its taps have no special form.
static void GLAD_API_PTR get_buffer(GLenum target, GLintptr offset, GLsizeiptr bytes, void *data)
{
    const float one = 1;
    (void)target, (void)offset;
    for (GLsizeiptr i = 0; i + (GLsizeiptr)sizeof one <= bytes; i += (GLsizeiptr)sizeof one)
        memcpy((char *)data + i, &one, sizeof one);
}

void pretend_begin(const pretence *target)
{
    now = *target;
}

void *pretend_proc(const char *name)
{
    static const struct {
        const char *name;
        gl_any function;
    } rows[] = {{"glGetIntegerv", (gl_any)get_integerv},
                {"glGetInteger64v", (gl_any)get_integer64v},
                {"glGetString", (gl_any)get_string},
                {"glGetStringi", (gl_any)get_stringi},
                {"glCompileShader", (gl_any)one_name},
                {"glLinkProgram", (gl_any)one_name},
                {"glUseProgram", (gl_any)one_name},
                {"glDispatchCompute", (gl_any)dispatch_compute},
                {"glGetProgramiv", (gl_any)get_programiv},
                {"glGetShaderiv", (gl_any)get_shaderiv},
                {"glGetProgramInterfaceiv", (gl_any)get_interface},
                {"glGetBufferSubData", (gl_any)get_buffer}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) {
            void *out;
            memcpy(&out, &rows[i].function, sizeof out);
            return out;
        }
    return NULL;
}
