// older.c - whether a context older than OpenGL 4.3 can do what the module needs
// SPDX-License-Identifier: MIT
//
// Drivers give a 3.3 context to a host that asks for 3.3, and NVIDIA's and Mesa's compile the
// shaders of 4.3 in it all the same. So the version says too little: a shader is tried.
#include "gl/older.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

// Of OpenGL 4.2 and older on hardware that has compute shaders but not all of GLSL 4.30.
static const char with_extensions[] = "#version 400 core\n"
                                      "#extension GL_ARB_compute_shader : require\n"
                                      "#extension GL_ARB_shader_storage_buffer_object : require\n"
                                      "#extension GL_ARB_shader_image_load_store : require\n"
                                      "#extension GL_ARB_explicit_uniform_location : require\n"
                                      "#extension GL_ARB_shading_language_420pack : require\n"
                                      "#extension GL_ARB_shading_language_packing : require\n"
                                      "#extension GL_ARB_arrays_of_arrays : require\n";

// One use of each feature of the language that the module's shaders have beyond those of 4.0.
static const char probe[] =
    "layout(local_size_x = 32) in;\n"
    "layout(binding = 0, rgba16f) readonly uniform image2D u_src;\n"
    "layout(binding = 1, rgba16f) writeonly uniform image2DArray u_dst;\n"
    "layout(location = 2) uniform ivec4 u_rect;\n"
    "layout(binding = 3, std430) buffer probe_block { uint words[]; } b_probe;\n"
    "shared float s_values[2][32];\n"
    "void main()\n"
    "{\n"
    "    uint i = gl_LocalInvocationIndex;\n"
    "    s_values[i & 1u][i] = imageLoad(u_src, u_rect.xy).r;\n"
    "    memoryBarrierShared();\n"
    "    barrier();\n"
    "    atomicAdd(b_probe.words[0], packHalf2x16(vec2(s_values[1][i ^ 1u])));\n"
    "    imageStore(u_dst, ivec3(u_rect.zw, 0), vec4(s_values[0][i]));\n"
    "}\n";

// Extensions that bring functions or enums, with the version that includes them. Drivers return
// addresses of functions that they do not have, so an address alone says nothing.
static const struct needed {
    int since;
    const char *name;
} needed[] = {
    {33, "GL_ARB_timer_query"},
    {33, "GL_ARB_sampler_objects"},
    {41, "GL_ARB_separate_shader_objects"},
    {42, "GL_ARB_shader_image_load_store"},
    {42, "GL_ARB_texture_storage"},
    {43, "GL_ARB_compute_shader"},
    {43, "GL_ARB_shader_storage_buffer_object"},
    {43, "GL_ARB_program_interface_query"},
    {43, "GL_ARB_texture_view"},
};

bool ag_gl_has_extension(const ag_gl *gl, const char *name)
{
    GLint count = 0;
    gl->GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i) {
        const char *found = (const char *)gl->GetStringi(GL_EXTENSIONS, (GLuint)i);
        if (found && !strcmp(found, name))
            return true;
    }
    return false;
}

// Compiles and links the probe. On failure `reason` gets the first line of the driver's log, if it
// has a size.
static bool compiles(const ag_gl *gl, const char *head, char *reason, size_t size)
{
    const char *const texts[2] = {head, probe};
    GLint compiled = 0, linked = 0;
    GLuint shader = gl->CreateShader(GL_COMPUTE_SHADER), program = gl->CreateProgram();
    gl->ShaderSource(shader, 2, texts, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled) {
        gl->AttachShader(program, shader);
        gl->LinkProgram(program);
        gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
        if (!linked && size)
            gl->GetProgramInfoLog(program, (GLsizei)size, NULL, reason);
    } else if (size) {
        gl->GetShaderInfoLog(shader, (GLsizei)size, NULL, reason);
    }
    gl->DeleteProgram(program);
    gl->DeleteShader(shader);
    reason[strcspn(reason, "\r\n")] = '\0';
    return linked;
}

ag_status ag_older_accept(const ag_host *host, ag_gl *gl)
{
    static const char ask[] = "ask for a core context of OpenGL 4.3 or later";
    char missing[400] = "", reason[256] = "";
    int major = gl->version / 10, minor = gl->version % 10;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
        if (gl->version < needed[i].since && !ag_gl_has_extension(gl, needed[i].name))
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s",
                     needed[i].name);
    if (missing[0])
        return ag_fail(host, AG_E_GL, "this context of OpenGL %d.%d lacks%s; %s", major, minor,
                       missing, ask);
    static const char *const heads[] = {AG_SHADER_HEAD_430, with_extensions};
    for (size_t i = 0; i < 2 && !gl->shader_head; ++i)
        if (compiles(gl, heads[i], reason, i ? 0 : sizeof reason))
            gl->shader_head = heads[i];
    gl->has_430 = gl->shader_head == heads[0];
    if (!gl->shader_head)
        return ag_fail(host, AG_E_GL,
                       "this context of OpenGL %d.%d does not compile compute shaders (%s); %s",
                       major, minor, reason, ask);
    return AG_OK;
}
