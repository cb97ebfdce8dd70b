// program.c - compute programs, keyed by their full text and shared by all passes of a device
// SPDX-License-Identifier: MIT
#include "program.h"
#include "../../shaders/common/interface.h"
#include "device.h"
#include "log.h"

#include <string.h>

static void report(const ag_device *device, const ag_source *source, const char *path,
                   const char *log)
{
    ag_text text = {.host = &device->host};
    ag_message message = {.level = AG_LOG_ERROR, .code = AG_E_SHADER};
    ag_text_print(&text, "%s does not compile\n", path);
    ag_source_explain(source, log, &text, &message);
    message.text = text.data ? text.data : path;
    ag_log(&device->host, message);
    ag_text_free(&text);
}

static GLuint build(ag_device *device, const ag_source *source, const char *path)
{
    const ag_gl *gl = &device->gl;
    char log[4096] = "";
    GLuint shader = gl->CreateShader(GL_COMPUTE_SHADER);
    const GLchar *text = source->text.data;
    GLint length = (GLint)source->text.length;
    gl->ShaderSource(shader, 1, &text, &length);
    gl->CompileShader(shader);
    GLint good = GL_FALSE;
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &good);
    GLuint program = 0;
    if (!good) {
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
    } else {
        program = gl->CreateProgram();
        gl->AttachShader(program, shader);
        gl->LinkProgram(program);
        gl->GetProgramiv(program, GL_LINK_STATUS, &good);
        if (!good)
            gl->GetProgramInfoLog(program, sizeof log, NULL, log);
        gl->DetachShader(program, shader);
    }
    gl->DeleteShader(shader);
    if (good)
        return program;
    if (program)
        gl->DeleteProgram(program);
    report(device, source, path, log[0] ? log : "(the driver gives no reason)");
    return 0;
}

// Shaders carry the relative numbers of interface.h; the host's slot bases are added here.
static void move_bindings(const ag_device *device, GLuint program)
{
    const ag_gl *gl = &device->gl;
    if (device->desc.image_unit_base) {
        static const char *const images[AG_IMAGE_COUNT] = {
            [AG_IMAGE_SRC] = "i_src", [AG_IMAGE_DST] = "i_dst", [AG_IMAGE_KERNEL] = "i_kernel"};
        for (GLint i = 0; i < AG_IMAGE_COUNT; ++i) {
            GLint location = gl->GetUniformLocation(program, images[i]);
            if (location >= 0)
                gl->ProgramUniform1i(program, location, (GLint)device->desc.image_unit_base + i);
        }
    }
    if (device->desc.ssbo_base) {
        GLint count = 0;
        gl->GetProgramInterfaceiv(program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &count);
        for (GLint i = 0; i < count; ++i) {
            GLenum property = GL_BUFFER_BINDING;
            GLint binding = 0;
            gl->GetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, (GLuint)i, 1, &property, 1,
                                     NULL, &binding);
            gl->ShaderStorageBlockBinding(program, (GLuint)i,
                                          (GLuint)binding + device->desc.ssbo_base);
        }
    }
}

static ag_status make(ag_device *device, const char *path, ag_source *source, uint64_t hash,
                      const ag_program **out)
{
    ag_program *program = ag_alloc(&device->host, sizeof *program);
    char *text = ag_alloc(&device->host, source->text.length + 1);
    GLuint name = program && text ? build(device, source, path) : 0;
    if (!name) {
        bool memory = !program || !text;
        ag_free(&device->host, program, sizeof *program);
        ag_free(&device->host, text, source->text.length + 1);
        return memory ? AG_E_MEMORY : AG_E_SHADER;
    }
    memcpy(text, source->text.data, source->text.length + 1);
    GLint local[3] = {0};
    device->gl.GetProgramiv(name, GL_COMPUTE_WORK_GROUP_SIZE, local);
    *program = (ag_program){.next = device->programs,
                            .name = name,
                            .hash = hash,
                            .text = text,
                            .length = source->text.length};
    for (int i = 0; i < 3; ++i)
        program->local_size[i] = (uint32_t)local[i];
    move_bindings(device, name);
    if (device->gl.labels)
        device->gl.ObjectLabel(GL_PROGRAM, name, (GLsizei)strlen(path), path);
    device->programs = program;
    ++device->program_count;
    *out = program;
    return AG_OK;
}

ag_status ag_program_get(ag_device *device, const char *path, const char *defines,
                         const ag_program **out)
{
    ag_source_root root = {&device->host, device->shader_dir};
    ag_source source;
    ag_status status =
        ag_source_expand(&root, path, ag_gl_shader_head(&device->gl), defines, &source);
    if (status >= 0) {
        uint64_t hash = ag_hash(source.text.data, source.text.length);
        const ag_program *found = device->programs;
        while (found && (found->hash != hash || found->length != source.text.length ||
                         memcmp(found->text, source.text.data, found->length)))
            found = found->next;
        if (found)
            *out = found;
        else
            status = make(device, path, &source, hash, out);
    }
    ag_source_free(&source);
    return status;
}

void ag_programs_free(ag_device *device, bool with_gl)
{
    while (device->programs) {
        ag_program *program = device->programs;
        device->programs = program->next;
        if (with_gl)
            device->gl.DeleteProgram(program->name);
        ag_free(&device->host, program->text, program->length + 1);
        ag_free(&device->host, program, sizeof *program);
    }
}
