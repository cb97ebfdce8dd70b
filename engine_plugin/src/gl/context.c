// context.c - looks at a context: its functions, its limits, whether it will do
// SPDX-License-Identifier: MIT
#include "gl/context.h"
#include "base/log.h"
#include "gl/bindings.h"
#include "gl/loader.h"
#include "gl/older.h"

#include <stdio.h>
#include <string.h>

#ifndef GL_CONTEXT_FLAG_DEBUG_BIT
#define GL_CONTEXT_FLAG_DEBUG_BIT 0x00000002
#endif

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
    if (!ag_loader_find(loader, "glGetString", &gl->GetString, sizeof gl->GetString))
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
#define AG_GL_LOAD(type, name)                                           \
    if (!ag_loader_find(loader, "gl" #name, &gl->name, sizeof gl->name)) \
        return fail_function(host, gl, "gl" #name);
    AG_GL_REQUIRED(AG_GL_LOAD)
#undef AG_GL_LOAD
    if (gl->version < 43)
        return ag_older_accept(host, gl);
    gl->shader_head = AG_SHADER_HEAD_430;
    gl->has_430 = true;
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
    if (!gl->has_430 || !is_nvidia(gl) || !ag_gl_has_extension(gl, "GL_KHR_shader_subgroup"))
        return false;
    GLint size = 0;
    gl->GetIntegerv(GL_SUBGROUP_SIZE_KHR, &size);
    return size == 32;
}

static void load_optional(const ag_loader *loader, uint32_t flags, ag_gl *gl)
{
    bool debug = gl->version >= 43 || ag_gl_has_extension(gl, "GL_KHR_debug");
    if (debug) {
        ag_loader_find(loader, "glPushDebugGroup", &gl->PushDebugGroup, sizeof gl->PushDebugGroup);
        ag_loader_find(loader, "glPopDebugGroup", &gl->PopDebugGroup, sizeof gl->PopDebugGroup);
        ag_loader_find(loader, "glObjectLabel", &gl->ObjectLabel, sizeof gl->ObjectLabel);
    }
    GLint context = 0;
    gl->GetIntegerv(GL_CONTEXT_FLAGS, &context);
    gl->labels = gl->PushDebugGroup && gl->PopDebugGroup && gl->ObjectLabel &&
                 ((context & GL_CONTEXT_FLAG_DEBUG_BIT) || (flags & AG_DEVICE_LABELS));
    if (gl->version >= 45 || ag_gl_has_extension(gl, "GL_KHR_robustness"))
        ag_loader_find(loader, "glGetGraphicsResetStatus", &gl->GetGraphicsResetStatus,
                       sizeof gl->GetGraphicsResetStatus);
    else if (ag_gl_has_extension(gl, "GL_ARB_robustness"))
        ag_loader_find(loader, "glGetGraphicsResetStatusARB", &gl->GetGraphicsResetStatus,
                       sizeof gl->GetGraphicsResetStatus);
    if (gl->version >= 41 || ag_gl_has_extension(gl, "GL_ARB_get_program_binary")) {
        ag_loader_find(loader, "glProgramBinary", &gl->ProgramBinary, sizeof gl->ProgramBinary);
        ag_loader_find(loader, "glGetProgramBinary", &gl->GetProgramBinary,
                       sizeof gl->GetProgramBinary);
        ag_loader_find(loader, "glProgramParameteri", &gl->ProgramParameteri,
                       sizeof gl->ProgramParameteri);
    }
    if (gl->version >= 45 || ag_gl_has_extension(gl, "GL_ARB_direct_state_access"))
        ag_loader_find(loader, "glGetTextureParameteriv", &gl->GetTextureParameteriv,
                       sizeof gl->GetTextureParameteriv);
    if (ag_gl_has_extension(gl, "GL_KHR_parallel_shader_compile"))
        ag_loader_find(loader, "glMaxShaderCompilerThreadsKHR", &gl->MaxShaderCompilerThreads,
                       sizeof gl->MaxShaderCompilerThreads);
    else if (ag_gl_has_extension(gl, "GL_ARB_parallel_shader_compile"))
        ag_loader_find(loader, "glMaxShaderCompilerThreadsARB", &gl->MaxShaderCompilerThreads,
                       sizeof gl->MaxShaderCompilerThreads);
    gl->has_completion = gl->MaxShaderCompilerThreads != NULL;
    gl->has_subgroups = finds_subgroups(gl);
    gl->has_query_buffer =
        gl->version >= 44 || ag_gl_has_extension(gl, "GL_ARB_query_buffer_object");
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
