// gl.c - the module's own table of GL functions and limits, loaded through the host's callback
// SPDX-License-Identifier: MIT
#include "gl/gl.h"
#include "base/log.h"
#include "gl/bindings.h"

#include <stdio.h>
#include <string.h>

#ifndef GL_CONTEXT_FLAG_DEBUG_BIT
#define GL_CONTEXT_FLAG_DEBUG_BIT 0x00000002
#endif

// The extensions that OpenGL 4.0..4.2 must have. The message lists missing ones in this order.
static const char *const needed_below_43[] = {
    "GL_ARB_compute_shader",
    "GL_ARB_shader_storage_buffer_object",
    "GL_ARB_shader_image_load_store",
    "GL_ARB_program_interface_query",
    "GL_ARB_explicit_uniform_location",
    "GL_ARB_shading_language_420pack",
    "GL_ARB_shading_language_packing",
    "GL_ARB_arrays_of_arrays",
    "GL_ARB_separate_shader_objects",
    "GL_ARB_texture_storage",
    "GL_ARB_texture_view",
};

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

// Converts the host's data pointer to a function pointer; ISO C has no cast for that.
static bool load(const ag_host *host, const char *name, void *function, size_t size)
{
    void *address = host->gl_proc(host->user, name);
    memcpy(function, &address, size);
    return address != NULL;
}

static ag_status load_functions(const ag_host *host, ag_gl *gl)
{
    // glGetString first, so that a context that is too old is refused with its version, not with
    // the first function that it lacks.
    if (!load(host, "glGetString", &gl->GetString, sizeof gl->GetString))
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
    if (gl->version < 40)
        return ag_fail(host, AG_E_GL,
                       "OpenGL %d.%d is too old: the module needs 4.3, or 4.0 with extensions",
                       major, minor);
    if (!load(host, "glGetIntegerv", &gl->GetIntegerv, sizeof gl->GetIntegerv))
        return ag_fail(host, AG_E_GL, "gl_proc returned NULL for glGetIntegerv");
    if (!load(host, "glGetStringi", &gl->GetStringi, sizeof gl->GetStringi))
        return ag_fail(host, AG_E_GL, "gl_proc returned NULL for glGetStringi");
    if (gl->version < 43) {
        char missing[512] = "";
        for (size_t i = 0; i < sizeof needed_below_43 / sizeof *needed_below_43; ++i)
            if (!has_extension(gl, needed_below_43[i]))
                snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s",
                         needed_below_43[i]);
        if (missing[0])
            return ag_fail(host, AG_E_GL, "OpenGL %d.%d lacks extensions that 4.3 includes:%s",
                           major, minor, missing);
    }
#define AG_GL_LOAD(type, name)                               \
    if (!load(host, "gl" #name, &gl->name, sizeof gl->name)) \
        return ag_fail(host, AG_E_GL, "gl_proc returned NULL for gl" #name);
    AG_GL_REQUIRED(AG_GL_LOAD)
#undef AG_GL_LOAD
    return AG_OK;
}

#ifndef GL_SUBGROUP_SIZE_KHR
#define GL_SUBGROUP_SIZE_KHR 0x9532
#endif

static bool is_nvidia(const ag_gl *gl)
{
    const char *vendor = (const char *)gl->GetString(GL_VENDOR);
    return vendor && strstr(vendor, "NVIDIA");
}

// Checks the vendor, too: the extension allows subgroups that are smaller than stated or only
// partly filled; those of NVIDIA are always full.
static bool finds_subgroups(const ag_gl *gl)
{
    if (gl->version < 43 || !is_nvidia(gl) || !has_extension(gl, "GL_KHR_shader_subgroup"))
        return false;
    GLint size = 0;
    gl->GetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    return size == 32;
}

static void load_optional(const ag_host *host, uint32_t flags, ag_gl *gl)
{
    bool debug = gl->version >= 43 || has_extension(gl, "GL_KHR_debug");
    if (debug) {
        load(host, "glPushDebugGroup", &gl->PushDebugGroup, sizeof gl->PushDebugGroup);
        load(host, "glPopDebugGroup", &gl->PopDebugGroup, sizeof gl->PopDebugGroup);
        load(host, "glObjectLabel", &gl->ObjectLabel, sizeof gl->ObjectLabel);
    }
    GLint context = 0;
    gl->GetIntegerv(GL_CONTEXT_FLAGS, &context);
    gl->labels = gl->PushDebugGroup && gl->PopDebugGroup && gl->ObjectLabel &&
                 ((context & GL_CONTEXT_FLAG_DEBUG_BIT) || (flags & AG_DEVICE_LABELS));
    if (gl->version >= 45 || has_extension(gl, "GL_KHR_robustness"))
        load(host, "glGetGraphicsResetStatus", &gl->GetGraphicsResetStatus,
             sizeof gl->GetGraphicsResetStatus);
    else if (has_extension(gl, "GL_ARB_robustness"))
        load(host, "glGetGraphicsResetStatusARB", &gl->GetGraphicsResetStatus,
             sizeof gl->GetGraphicsResetStatus);
    if (gl->version >= 41 || has_extension(gl, "GL_ARB_get_program_binary")) {
        load(host, "glProgramBinary", &gl->ProgramBinary, sizeof gl->ProgramBinary);
        load(host, "glGetProgramBinary", &gl->GetProgramBinary, sizeof gl->GetProgramBinary);
        load(host, "glProgramParameteri", &gl->ProgramParameteri, sizeof gl->ProgramParameteri);
    }
    if (has_extension(gl, "GL_KHR_parallel_shader_compile"))
        load(host, "glMaxShaderCompilerThreadsKHR", &gl->MaxShaderCompilerThreads,
             sizeof gl->MaxShaderCompilerThreads);
    else if (has_extension(gl, "GL_ARB_parallel_shader_compile"))
        load(host, "glMaxShaderCompilerThreadsARB", &gl->MaxShaderCompilerThreads,
             sizeof gl->MaxShaderCompilerThreads);
    gl->has_completion = gl->MaxShaderCompilerThreads != NULL;
    gl->has_subgroups = finds_subgroups(gl);
    gl->has_query_buffer = gl->version >= 44 || has_extension(gl, "GL_ARB_query_buffer_object");
}

ag_status ag_gl_load(const ag_host *host, const ag_device_desc *desc, ag_gl *gl)
{
    ag_status status = load_functions(host, gl);
    if (status < 0)
        return status;
    load_optional(host, desc->flags, gl);
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

const char *ag_gl_shader_head(const ag_gl *gl)
{
    if (gl->version >= 43)
        return "#version 430 core\n";
    return "#version 400 core\n"
           "#extension GL_ARB_compute_shader : require\n"
           "#extension GL_ARB_shader_storage_buffer_object : require\n"
           "#extension GL_ARB_shader_image_load_store : require\n"
           "#extension GL_ARB_explicit_uniform_location : require\n"
           "#extension GL_ARB_shading_language_420pack : require\n"
           "#extension GL_ARB_shading_language_packing : require\n"
           "#extension GL_ARB_arrays_of_arrays : require\n";
}
