// gl.h - the module's own table of GL functions and limits (gl/context.c fills it)
// SPDX-License-Identifier: MIT
//
// The module uses only glad's header (types and enums), not its loader. The table below has every
// function that the module calls. So a missing function is reported by name, and nothing can
// collide with a glad that the host links.
#ifndef AG_GL_H
#define AG_GL_H

#include "gl/loader.h"

#include <afterglow/afterglow.h>
#include <glad/gl.h>
#include <stdbool.h>

#define AG_GL_REQUIRED(X)                                            \
    X(PFNGLGETSTRINGPROC, GetString)                                 \
    X(PFNGLGETSTRINGIPROC, GetStringi)                               \
    X(PFNGLGETINTEGERVPROC, GetIntegerv)                             \
    X(PFNGLGETINTEGER64VPROC, GetInteger64v)                         \
    X(PFNGLGETINTEGERI_VPROC, GetIntegeri_v)                         \
    X(PFNGLGETINTEGER64I_VPROC, GetInteger64i_v)                     \
    X(PFNGLGETBOOLEANI_VPROC, GetBooleani_v)                         \
    X(PFNGLCREATESHADERPROC, CreateShader)                           \
    X(PFNGLSHADERSOURCEPROC, ShaderSource)                           \
    X(PFNGLCOMPILESHADERPROC, CompileShader)                         \
    X(PFNGLGETSHADERIVPROC, GetShaderiv)                             \
    X(PFNGLGETSHADERINFOLOGPROC, GetShaderInfoLog)                   \
    X(PFNGLDELETESHADERPROC, DeleteShader)                           \
    X(PFNGLCREATEPROGRAMPROC, CreateProgram)                         \
    X(PFNGLATTACHSHADERPROC, AttachShader)                           \
    X(PFNGLDETACHSHADERPROC, DetachShader)                           \
    X(PFNGLLINKPROGRAMPROC, LinkProgram)                             \
    X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                           \
    X(PFNGLGETPROGRAMINFOLOGPROC, GetProgramInfoLog)                 \
    X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)               \
    X(PFNGLGETPROGRAMINTERFACEIVPROC, GetProgramInterfaceiv)         \
    X(PFNGLGETPROGRAMRESOURCEIVPROC, GetProgramResourceiv)           \
    X(PFNGLGETPROGRAMRESOURCENAMEPROC, GetProgramResourceName)       \
    X(PFNGLGETUNIFORMIVPROC, GetUniformiv)                           \
    X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                         \
    X(PFNGLUSEPROGRAMPROC, UseProgram)                               \
    X(PFNGLPROGRAMUNIFORM1IPROC, ProgramUniform1i)                   \
    X(PFNGLPROGRAMUNIFORM4IVPROC, ProgramUniform4iv)                 \
    X(PFNGLPROGRAMUNIFORM4FVPROC, ProgramUniform4fv)                 \
    X(PFNGLSHADERSTORAGEBLOCKBINDINGPROC, ShaderStorageBlockBinding) \
    X(PFNGLBINDIMAGETEXTUREPROC, BindImageTexture)                   \
    X(PFNGLGENBUFFERSPROC, GenBuffers)                               \
    X(PFNGLDELETEBUFFERSPROC, DeleteBuffers)                         \
    X(PFNGLBINDBUFFERPROC, BindBuffer)                               \
    X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                       \
    X(PFNGLBINDBUFFERRANGEPROC, BindBufferRange)                     \
    X(PFNGLBUFFERDATAPROC, BufferData)                               \
    X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                         \
    X(PFNGLGETBUFFERPARAMETERI64VPROC, GetBufferParameteri64v)       \
    X(PFNGLGETBUFFERSUBDATAPROC, GetBufferSubData)                   \
    X(PFNGLCOPYBUFFERSUBDATAPROC, CopyBufferSubData)                 \
    X(PFNGLDISPATCHCOMPUTEPROC, DispatchCompute)                     \
    X(PFNGLDISPATCHCOMPUTEINDIRECTPROC, DispatchComputeIndirect)     \
    X(PFNGLMEMORYBARRIERPROC, MemoryBarrier)                         \
    X(PFNGLGENQUERIESPROC, GenQueries)                               \
    X(PFNGLDELETEQUERIESPROC, DeleteQueries)                         \
    X(PFNGLQUERYCOUNTERPROC, QueryCounter)                           \
    X(PFNGLGETQUERYIVPROC, GetQueryiv)                               \
    X(PFNGLGETQUERYOBJECTUIVPROC, GetQueryObjectuiv)                 \
    X(PFNGLGETQUERYOBJECTUI64VPROC, GetQueryObjectui64v)             \
    X(PFNGLFENCESYNCPROC, FenceSync)                                 \
    X(PFNGLCLIENTWAITSYNCPROC, ClientWaitSync)                       \
    X(PFNGLDELETESYNCPROC, DeleteSync)                               \
    X(PFNGLGENTEXTURESPROC, GenTextures)                             \
    X(PFNGLDELETETEXTURESPROC, DeleteTextures)                       \
    X(PFNGLBINDTEXTUREPROC, BindTexture)                             \
    X(PFNGLACTIVETEXTUREPROC, ActiveTexture)                         \
    X(PFNGLBINDSAMPLERPROC, BindSampler)                             \
    X(PFNGLTEXSTORAGE2DPROC, TexStorage2D)                           \
    X(PFNGLTEXSTORAGE3DPROC, TexStorage3D)                           \
    X(PFNGLGETTEXPARAMETERIVPROC, GetTexParameteriv)                 \
    X(PFNGLTEXPARAMETERIPROC, TexParameteri)                         \
    X(PFNGLGETTEXLEVELPARAMETERIVPROC, GetTexLevelParameteriv)       \
    X(PFNGLISTEXTUREPROC, IsTexture)                                 \
    X(PFNGLISBUFFERPROC, IsBuffer)                                   \
    X(PFNGLTEXTUREVIEWPROC, TextureView)

// Of OpenGL 4.5, so glad's header, which is of 4.3, has no type for it.
typedef void(GLAD_API_PTR *ag_get_texture_parameter)(GLuint texture, GLenum name, GLint *value);

// Type, name and its suffix, the version of OpenGL that has the function (0: none), and the
// extension that does. Drivers return addresses of functions that they do not have, so an address
// alone says nothing. The second list is tried where the first finds nothing.
#define AG_GL_OPTIONAL(X)                                                                    \
    X(ag_get_texture_parameter, GetTextureParameteriv, "", 45, "GL_ARB_direct_state_access") \
    X(PFNGLPUSHDEBUGGROUPPROC, PushDebugGroup, "", 43, "GL_KHR_debug")                       \
    X(PFNGLPOPDEBUGGROUPPROC, PopDebugGroup, "", 43, "GL_KHR_debug")                         \
    X(PFNGLOBJECTLABELPROC, ObjectLabel, "", 43, "GL_KHR_debug")                             \
    X(PFNGLGETGRAPHICSRESETSTATUSPROC, GetGraphicsResetStatus, "", 45, "GL_KHR_robustness")  \
    X(PFNGLPROGRAMBINARYPROC, ProgramBinary, "", 41, "GL_ARB_get_program_binary")            \
    X(PFNGLGETPROGRAMBINARYPROC, GetProgramBinary, "", 41, "GL_ARB_get_program_binary")      \
    X(PFNGLPROGRAMPARAMETERIPROC, ProgramParameteri, "", 41, "GL_ARB_get_program_binary")    \
    X(PFNGLMAXSHADERCOMPILERTHREADSKHRPROC, MaxShaderCompilerThreads, "KHR", 0,              \
      "GL_KHR_parallel_shader_compile")
#define AG_GL_OPTIONAL_ARB(X)                                                                 \
    X(PFNGLGETGRAPHICSRESETSTATUSPROC, GetGraphicsResetStatus, "ARB", 0, "GL_ARB_robustness") \
    X(PFNGLMAXSHADERCOMPILERTHREADSKHRPROC, MaxShaderCompilerThreads, "ARB", 0,               \
      "GL_ARB_parallel_shader_compile")

#define AG_SHADER_HEAD_430 "#version 430 core\n"

typedef struct ag_gl {
#define AG_GL_MEMBER(type, name) type name;
#define AG_GL_OPTIONAL_MEMBER(type, name, suffix, since, extension) type name;
    AG_GL_REQUIRED(AG_GL_MEMBER)
    AG_GL_OPTIONAL(AG_GL_OPTIONAL_MEMBER)
#undef AG_GL_MEMBER
#undef AG_GL_OPTIONAL_MEMBER
    ag_platform platform;    // where the module found the context, if the host has no gl_proc
    int version;             // 43 for OpenGL 4.3
    const char *shader_head; // the `#version` and `#extension` lines that every shader needs here
    bool has_430;            // that is AG_SHADER_HEAD_430
    bool labels;             // place debug groups and labels
    bool has_query_buffer;   // GL_QUERY_BUFFER exists, so a host may have one bound
    bool has_completion;     // GL_COMPLETION_STATUS tells whether a compile has finished
    bool has_subgroups;      // subgroups of 32 that fill every group of a multiple of 32 threads
    int timestamp_bits;      // 0: no GPU times
    GLint max_image_units, max_texture_units, max_ssbo_bindings, max_invocations, max_texture_size;
    GLint ssbo_alignment;
    GLint max_outputs; // image units and storage blocks of one program together
    GLuint image_unit_base, ssbo_base, texture_unit_base; // the host's
    GLint64 max_ssbo_bytes;
    GLint max_groups[3];
} ag_gl;

// Loads functions and limits of the current context.
//   errors  AG_E_GL (names what is missing), AG_E_ARG (a base beyond the context's units)
ag_status ag_gl_load(const ag_host *host, const ag_device_desc *desc, ag_gl *gl);

// The first lines of a shader that uses common/subgroups.glsl with AG_SUBGROUPS_OF_DRIVER.
#define AG_SUBGROUPS_EXTENSIONS                             \
    "#extension GL_KHR_shader_subgroup_basic : require\n"   \
    "#extension GL_KHR_shader_subgroup_shuffle : require\n" \
    "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"

#endif
