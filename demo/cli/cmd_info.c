// cli/cmd_info.c - `afterglow info`: the device, its limits, formats and optional extensions
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "copy.h"
#include "format.h"
#include "gpu.h"
#include "json.h"
#include "report.h"
#include "view_options.h"

#include <string.h>

enum { OPT_JSON, OPT_COPY, OPT_DEVICE, OPT_COUNT };

static const option options[OPT_COUNT] = {
    [OPT_JSON] = {"--json", NULL, "print JSON"},
    [OPT_COPY] = {"--copy", NULL, "also measure how fast the device copies memory"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

const command command_info = {
    .name = "info",
    .usage = "[--json] [--copy] [--device N]",
    .help = "shows the OpenGL device, its limits, formats and optional extensions",
    .options = options,
    .option_count = OPT_COUNT,
    .run = info_command,
};

static const struct {
    const char *name;
    GLenum value;
} strings[] = {
    {"vendor", GL_VENDOR},
    {"renderer", GL_RENDERER},
    {"version", GL_VERSION},
    {"glsl", GL_SHADING_LANGUAGE_VERSION},
};

static const struct {
    const char *name;
    GLenum value;
    GLint promised; // the limit that OpenGL 4.3 guarantees
} limits[] = {
    {"image_units", GL_MAX_IMAGE_UNITS, 8},
    {"compute_image_uniforms", GL_MAX_COMPUTE_IMAGE_UNIFORMS, 8},
    {"shader_storage_bindings", GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8},
    {"compute_shader_storage_blocks", GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8},
    {"combined_shader_output_resources", GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES, 8},
    {"shader_storage_block_size", GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 24},
    {"shared_memory_bytes", GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768},
    {"work_group_invocations", GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024},
    {"texture_size", GL_MAX_TEXTURE_SIZE, 16384},
    {"texture_units", GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS, 16},
};

static const char *const extensions[] = {
    "GL_KHR_debug",
    "GL_KHR_robustness",
    "GL_ARB_query_buffer_object",
    "GL_KHR_parallel_shader_compile",
    "GL_KHR_shader_subgroup",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *get_string(const GladGLContext *gl, GLenum name)
{
    const char *text = (const char *)gl->GetString(name);
    return text ? text : "";
}

static bool has_extension(const GladGLContext *gl, const char *name)
{
    GLint count = 0;
    gl->GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        const char *known = (const char *)gl->GetStringi(GL_EXTENSIONS, (GLuint)i);
        if (known && strcmp(known, name) == 0)
            return true;
    }
    return false;
}

static bool can_store(const GladGLContext *gl, const format_info *format)
{
    GLint support = GL_NONE;
    gl->GetInternalformativ(GL_TEXTURE_2D, format->sized, GL_SHADER_IMAGE_STORE, 1, &support);
    return support == GL_FULL_SUPPORT || support == GL_CAVEAT_SUPPORT;
}

// `copy_gb_s` 0: not measured.
static void print_text(const GladGLContext *gl, double copy_gb_s)
{
    for (size_t i = 0; i < COUNT(strings); i++)
        printf("%-34s %s\n", strings[i].name, get_string(gl, strings[i].value));
    if (copy_gb_s > 0)
        printf("%-34s %.1f GB/s (ag_device_desc.copy_speed = %.0f)\n", "copy_speed", copy_gb_s,
               copy_gb_s * 1e3);
    puts("\nlimits (OpenGL 4.3 guarantees)");
    for (size_t i = 0; i < COUNT(limits); i++) {
        GLint64 value = 0;
        gl->GetInteger64v(limits[i].value, &value);
        printf("  %-32s %lld (%d)\n", limits[i].name, (long long)value, limits[i].promised);
    }
    puts("\noptional extensions");
    for (size_t i = 0; i < COUNT(extensions); i++)
        printf("  %-32s %s\n", extensions[i], has_extension(gl, extensions[i]) ? "yes" : "no");
    puts("\nformats, and whether shaders can store to them");
    for (const format_info *at = format_table; at->name; at++)
        printf("  %-32s %s\n", at->name, can_store(gl, at) ? "yes" : "no");
}

static void print_json(const GladGLContext *gl, double copy_gb_s)
{
    json out = json_begin(stdout);
    json_open(&out, NULL, '{');
    for (size_t i = 0; i < COUNT(strings); i++)
        json_text(&out, strings[i].name, get_string(gl, strings[i].value));
    if (copy_gb_s > 0)
        json_number(&out, "copy_gb_per_s", copy_gb_s);
    json_open(&out, "limits", '{');
    for (size_t i = 0; i < COUNT(limits); i++) {
        GLint64 value = 0;
        gl->GetInteger64v(limits[i].value, &value);
        json_int(&out, limits[i].name, value);
    }
    json_close(&out, '}');
    json_open(&out, "extensions", '{');
    for (size_t i = 0; i < COUNT(extensions); i++)
        json_bool(&out, extensions[i], has_extension(gl, extensions[i]));
    json_close(&out, '}');
    json_open(&out, "formats", '[');
    for (const format_info *at = format_table; at->name; at++) {
        json_open_flat(&out, NULL, '{');
        json_text(&out, "name", at->name);
        json_int(&out, "channels", at->channels);
        json_int(&out, "texel_bytes", at->texel_bytes);
        json_bool(&out, "image_store", can_store(gl, at));
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
}

int info_command(int argc, char **argv)
{
    bool as_json = false, measures = false;
    int index = 0;
    option_reader reader = option_begin(&command_info, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        int status = STATUS_USAGE;
        if (which == OPT_JSON || which == OPT_COPY) {
            *(which == OPT_JSON ? &as_json : &measures) = true;
            status = STATUS_OK;
        } else if (which == OPT_DEVICE) {
            status = view_parse_device(reader.value, &index);
        } else if (which == OPTION_INPUT) {
            fail(STATUS_USAGE, "info takes no input, got %s", reader.value);
        }
        if (status != STATUS_OK)
            return status;
    }
    gpu device;
    int status = gpu_open(&device, index);
    if (status != STATUS_OK)
        return status;
    copy_speed speed = {0};
    if (measures)
        status = copy_measure(&device, &speed);
    if (status == STATUS_OK && as_json)
        print_json(&device.gl, speed.gb_s);
    else if (status == STATUS_OK)
        print_text(&device.gl, speed.gb_s);
    gpu_close(&device);
    return status;
}
