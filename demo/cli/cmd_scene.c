// cli/cmd_scene.c - `afterglow scene`: renders the built-in night scene, linear and HDR
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "file.h"
#include "image.h"
#include "report.h"
#include "shader/embedded.h"
#include "texture.h"
#include "view_options.h"

#include <limits.h>
#include <string.h>

enum { TILE_WIDTH = 256, TILE_HEIGHT = 64, GROUP = 8 };

typedef struct scene_options {
    const char *output, *depth; // depth NULL: none is written
    int width, height, seed, device;
    image_view view;
} scene_options;

enum {
    OPT_OUTPUT,
    OPT_DEPTH,
    OPT_SIZE,
    OPT_SEED,
    OPT_EXPOSURE,
    OPT_TONEMAP,
    OPT_DEVICE,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_OUTPUT] = {"-o", "FILE", "the picture to write: " IMAGE_FILES},
    [OPT_DEPTH] = {"--depth", "FILE", "also write the depth, in metres: .npy or .exr"},
    [OPT_SIZE] = {"--size", "WxH", "size of the picture; default 1920x1080"},
    [OPT_SEED] = {"--seed", "N", "each seed gives another street; default 1"},
    [OPT_EXPOSURE] = {"--exposure", "EV", VIEW_HELP_EXPOSURE},
    [OPT_TONEMAP] = {"--tonemap", "none|aces", VIEW_HELP_TONEMAP},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

const command command_scene = {
    .name = "scene",
    .usage = "-o FILE [options]",
    .help = "renders the built-in HDR night scene",
    .notes = ".hdr, .exr and .npy files hold linear light; .npy is float32 of shape (H, W, 3).\n",
    .options = options,
    .option_count = OPT_COUNT,
    .run = scene_command,
};

static int compile(const GladGLContext *gl, GLuint *out)
{
    static const char include[] = "#include \"street.glsl\"";
    const char *text = ag_embedded_scene[0].text, *at = strstr(text, include);
    const char *parts[] = {text, ag_embedded_scene[1].text, at + sizeof include - 1};
    const GLint lengths[] = {(GLint)(at - text), (GLint)ag_embedded_scene[1].length, -1};
    GLint linked = 0;
    GLuint shader = gl->CreateShader(GL_COMPUTE_SHADER);
    gl->ShaderSource(shader, 3, parts, lengths);
    gl->CompileShader(shader);
    GLuint program = gl->CreateProgram();
    gl->AttachShader(program, shader);
    gl->LinkProgram(program);
    gl->GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) {
        char log[1024] = "";
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
        gl->DeleteShader(shader);
        gl->DeleteProgram(program);
        return fail(STATUS_FAILED, "scene.comp does not compile:\n%s", log);
    }
    gl->DeleteShader(shader);
    *out = program;
    return STATUS_OK;
}

// Rendered in tiles: a dispatch of the whole frame can exceed the time limit of a driver's
// watchdog.
static void render(const GladGLContext *gl, GLuint program, const scene_options *wanted)
{
    int columns = (wanted->width + TILE_WIDTH - 1) / TILE_WIDTH;
    int rows = (wanted->height + TILE_HEIGHT - 1) / TILE_HEIGHT;
    gl->UseProgram(program);
    gl->Uniform1ui(1, (GLuint)wanted->seed);
    for (int i = 0; i < columns * rows; i++) {
        int x = i % columns * TILE_WIDTH, y = i / columns * TILE_HEIGHT;
        int width = wanted->width - x < TILE_WIDTH ? wanted->width - x : TILE_WIDTH;
        int height = wanted->height - y < TILE_HEIGHT ? wanted->height - y : TILE_HEIGHT;
        gl->Uniform4i(0, x, y, wanted->width, wanted->height);
        gl->DispatchCompute((GLuint)(width + GROUP - 1) / GROUP,
                            (GLuint)(height + GROUP - 1) / GROUP, 1);
        if (i % 4 == 3) {
            gl->Finish();
            progress("tiles", i + 1, columns * rows);
        }
    }
    gl->Finish();
    progress_clear();
}

// The picture and its depth, as read back.
static int make_scene(const gpu *device, const scene_options *wanted, image *scene, image *depth)
{
    const GladGLContext *gl = &device->gl;
    texture target = {0}, metres = {0};
    image read = {0};
    GLuint program = 0;
    int status = texture_create(device, "the scene", format_find(FORMAT_FLOAT32, 4), wanted->width,
                                wanted->height, 0, false, &target);
    if (status == STATUS_OK)
        status = texture_create(device, "its depth", format_find(FORMAT_FLOAT32, 1), wanted->width,
                                wanted->height, false, &metres);
    if (status == STATUS_OK)
        status = compile(gl, &program);
    if (status == STATUS_OK) {
        gl->BindImageTexture(0, target.name, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
        gl->BindImageTexture(1, metres.name, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
        render(gl, program, wanted);
        gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT); // glGetTexImage reads what was stored
        status = texture_read(device, &target, 0, &read);
    }
    if (status == STATUS_OK)
        status = texture_read(device, &metres, 0, depth);
    if (status == STATUS_OK)
        status = image_with_channels(&read, 3, scene);
    image_destroy(&read);
    gl->DeleteProgram(program);
    texture_destroy(device, &target);
    texture_destroy(device, &metres);
    return status;
}

static int check_depth(const char *path)
{
    image_file type = image_file_type(path);
    if (type != FILE_NPY && type != FILE_EXR)
        return fail(STATUS_USAGE, "--depth %s: expected .npy or .exr, which hold metres", path);
    return file_check_writable(path);
}

static int parse(int argc, char **argv, scene_options *out)
{
    option_reader reader = option_begin(&command_scene, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        const char *value = reader.value;
        int status = STATUS_OK;
        switch (which) {
        case OPT_OUTPUT: out->output = value; break;
        case OPT_DEPTH: out->depth = value; break;
        case OPT_SIZE:
            if (!parse_size(value, &out->width, &out->height, NULL))
                status = fail(STATUS_USAGE, "--size %s: expected WxH, both 1..65536", value);
            break;
        case OPT_SEED:
            if (!parse_int(value, 0, INT_MAX, &out->seed))
                status = fail(STATUS_USAGE, "--seed %s: expected an integer from 0", value);
            break;
        case OPT_EXPOSURE: status = view_parse_exposure(value, &out->view); break;
        case OPT_TONEMAP: status = view_parse_tonemap(value, &out->view); break;
        case OPT_DEVICE: status = view_parse_device(value, &out->device); break;
        case OPTION_INPUT:
            status = fail(STATUS_USAGE, "scene takes no input, got %s; expected -o FILE", value);
            break;
        default: return STATUS_USAGE;
        }
        if (status != STATUS_OK)
            return status;
    }
    if (!out->output)
        return fail(STATUS_USAGE, "scene needs -o FILE, one of " IMAGE_FILES);
    if (image_file_type(out->output) == FILE_UNKNOWN) {
        return fail(STATUS_USAGE, "-o %s: unknown file type; expected one of " IMAGE_FILES,
                    out->output);
    }
    int status = image_check_output(out->output, out->width, out->height, 3);
    if (status == STATUS_OK)
        status = file_check_writable(out->output);
    return status == STATUS_OK && out->depth ? check_depth(out->depth) : status;
}

int scene_command(int argc, char **argv)
{
    scene_options wanted = {.width = 1920, .height = 1080, .seed = 1};
    int status = parse(argc, argv, &wanted);
    if (status != STATUS_OK)
        return status;
    gpu device;
    image scene = {0}, depth = {0};
    status = gpu_open(&device, wanted.device);
    if (status != STATUS_OK)
        return status;
    status = make_scene(&device, &wanted, &scene, &depth);
    if (status == STATUS_OK)
        status = image_save(wanted.output, &scene, &wanted.view);
    if (status == STATUS_OK && wanted.depth)
        status = image_save(wanted.depth, &depth, &wanted.view);
    image_destroy(&scene);
    image_destroy(&depth);
    gpu_close(&device);
    return status;
}
