// context.c - looks at a context: its functions, its limits, whether it will do
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "gl/bindings.h"
#include "gl/gl.h"
#include "gl/loader.h"

#include <stdio.h>
#include <string.h>

#ifndef GL_CONTEXT_FLAG_DEBUG_BIT
#define GL_CONTEXT_FLAG_DEBUG_BIT 0x00000002
#endif
#ifndef GL_SUBGROUP_SIZE_KHR
#define GL_SUBGROUP_SIZE_KHR 0x9532
#endif

static bool has_extension(const ag_gl *gl, const char *name)
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

static bool has(const ag_gl *gl, int since, const char *extension)
{
    return (since && gl->version >= since) || has_extension(gl, extension);
}

// ---- contexts older than OpenGL 4.3 ------------------------------------------------------------

// Drivers give a 3.3 context to a host that asks for 3.3, and NVIDIA's and Mesa's compile the
// shaders of 4.3 in it all the same. So the version says too little: a shader is tried.

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

// Judges a context of a version below 4.3 by what it can do: compiles and links a compute shader,
// and looks for the extensions whose functions the module calls. Sets gl->shader_head. Leaves every
// binding as it was, and sets no GL error.
static ag_status accept_older(const ag_host *host, ag_gl *gl)
{
    static const char ask[] = "ask for a core context of OpenGL 4.3 or later";
    char missing[400] = "", reason[256] = "";
    int major = gl->version / 10, minor = gl->version % 10;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
        if (!has(gl, needed[i].since, needed[i].name))
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

// ---- functions and limits ----------------------------------------------------------------------

static ag_status fail_function(const ag_host *host, const ag_gl *gl, const char *name)
{
    if (gl->version >= 43)
        return ag_fail(host, AG_E_GL, "gl_proc returned NULL for %s", name);
    return ag_fail(
        host, AG_E_GL,
        "this context of OpenGL %d.%d has no %s; ask for a core context of OpenGL 4.3 or "
        "later",
        gl->version / 10, gl->version % 10, name);
}

static ag_status load_functions(const ag_host *host, const ag_loader *loader, ag_gl *gl)
{
    // glGetString first, so that a context that is too old is refused with its version, not with
    // the first function that it lacks.
    if (!ag_loader_find(loader, "glGetString", &gl->GetString))
        return ag_fail(host, AG_E_GL,
                       "gl_proc returned NULL for glGetString: is a context current?");
    const char *version = (const char *)gl->GetString(GL_VERSION);
    if (!version)
        return ag_fail(host, AG_E_GL, "glGetString(GL_VERSION) is NULL: no context is current");
    int major = 0, minor = 0;
    if (sscanf(version, "%d.%d", &major, &minor) != 2)
        return ag_fail(host, AG_E_GL, "GL_VERSION is \"%s\": this is no desktop OpenGL context",
                       version);
    gl->version = major * 10 + minor;
    if (gl->version < 32)
        return ag_fail(host, AG_E_GL,
                       "OpenGL %d.%d is too old; ask for a core context of OpenGL 4.3 or later",
                       major, minor);
#define AG_GL_LOAD(type, name)                          \
    if (!ag_loader_find(loader, "gl" #name, &gl->name)) \
        return fail_function(host, gl, "gl" #name);
    AG_GL_REQUIRED(AG_GL_LOAD)
#undef AG_GL_LOAD
    if (gl->version < 43)
        return accept_older(host, gl);
    gl->shader_head = AG_SHADER_HEAD_430;
    gl->has_430 = true;
    return AG_OK;
}

// Checks the vendor, too: the extension allows subgroups that are smaller than stated or only
// partly filled; those of NVIDIA are always full.
static bool finds_subgroups(const ag_gl *gl)
{
    const char *vendor = (const char *)gl->GetString(GL_VENDOR);
    if (!gl->has_430 || !vendor || !strstr(vendor, "NVIDIA") ||
        !has_extension(gl, "GL_KHR_shader_subgroup"))
        return false;
    GLint size = 0;
    gl->GetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    return size == 32;
}

static void load_optional(const ag_loader *loader, uint32_t flags, ag_gl *gl)
{
#define AG_GL_LOAD(type, name, suffix, since, extension) \
    if (!gl->name && has(gl, since, extension))          \
        ag_loader_find(loader, "gl" #name suffix, &gl->name);
    AG_GL_OPTIONAL(AG_GL_LOAD)
    AG_GL_OPTIONAL_ARB(AG_GL_LOAD)
#undef AG_GL_LOAD
    GLint context = 0;
    gl->GetIntegerv(GL_CONTEXT_FLAGS, &context);
    gl->labels = gl->PushDebugGroup && gl->PopDebugGroup && gl->ObjectLabel &&
                 ((context & GL_CONTEXT_FLAG_DEBUG_BIT) || (flags & AG_DEVICE_LABELS));
    gl->has_completion = gl->MaxShaderCompilerThreads != NULL;
    gl->has_subgroups = finds_subgroups(gl);
    gl->has_query_buffer = has(gl, 44, "GL_ARB_query_buffer_object");
}

ag_status ag_gl_load(const ag_host *host, const ag_device_desc *desc, ag_gl *gl)
{
    ag_loader loader;
    ag_status status = ag_loader_make(host, &loader);
    gl->platform = loader.platform;
    if (status >= 0)
        status = load_functions(host, &loader, gl);
    if (status < 0)
        return status;
    load_optional(&loader, desc->flags, gl);
    gl->GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &gl->timestamp_bits);
    gl->GetIntegerv(GL_MAX_IMAGE_UNITS, &gl->max_image_units);
    gl->GetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &gl->max_ssbo_bindings);
    gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &gl->max_texture_size);
    gl->GetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &gl->max_invocations);
    gl->GetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &gl->ssbo_alignment);
    gl->GetIntegerv(GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES, &gl->max_outputs);
    if (gl->max_outputs < 8)
        gl->max_outputs = 8; // the minimum of 4.3; 4.2 with extensions may not know the enum
    gl->image_unit_base = desc->image_unit_base;
    gl->ssbo_base = desc->ssbo_base;
    gl->texture_unit_base = desc->texture_unit_base;
    gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &gl->max_ssbo_bytes);
    for (GLuint i = 0; i < 3; ++i)
        gl->GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &gl->max_groups[i]);
    if (gl->ssbo_alignment < 16)
        gl->ssbo_alignment = 16;

    // Drivers may have more units than the eight that the standard promises. A host that chooses a
    // base beyond the limit gets a message here, not a silent GL error in its first frame.
    if ((uint64_t)desc->image_unit_base + AG_IMAGE_COUNT > (uint64_t)gl->max_image_units)
        return ag_fail(
            host, AG_E_ARG,
            "image_unit_base is %u; this context has %d image units, and the module needs %d",
            desc->image_unit_base, gl->max_image_units, AG_IMAGE_COUNT);
    gl->GetIntegerv(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, &gl->max_texture_units);
    if (desc->texture_unit_base >= (uint32_t)gl->max_texture_units)
        return ag_fail(host, AG_E_ARG, "texture_unit_base is %u; this context has %d texture units",
                       desc->texture_unit_base, gl->max_texture_units);
    if ((uint64_t)desc->ssbo_base + AG_SSBO_COUNT > (uint64_t)gl->max_ssbo_bindings)
        return ag_fail(
            host, AG_E_ARG,
            "ssbo_base is %u; this context has %d storage bindings, and the module needs %d",
            desc->ssbo_base, gl->max_ssbo_bindings, AG_SSBO_COUNT);
    return AG_OK;
}
