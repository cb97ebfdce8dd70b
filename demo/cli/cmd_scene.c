// cli/cmd_scene.c - `afterglow scene`: renders the built-in night scene, linear and HDR
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "file.h"
#include "image.h"
#include "report.h"
#include "sensor.h"
#include "texture.h"
#include "view_options.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { TILE_WIDTH = 256, TILE_HEIGHT = 64, GROUP = 8 };
enum { GUIDES = 4, GUIDE_PATH = 4096 };

typedef struct scene_options {
    const char *output, *depth;                      // depth NULL: none is written
    int width, height, seed, samples, frame, device; // samples 0: the finished picture
    int electrons;                                   // 0: no sensor
    image_view view;
    image_file type;                 // of the output
    char guides[GUIDES][GUIDE_PATH]; // with samples: what is written beside the picture
} scene_options;

enum {
    OPT_OUTPUT,
    OPT_AS,
    OPT_DEPTH,
    OPT_SIZE,
    OPT_SEED,
    OPT_SAMPLES,
    OPT_FRAME,
    OPT_ELECTRONS,
    OPT_EXPOSURE,
    OPT_TONEMAP,
    OPT_DITHER,
    OPT_BITS,
    OPT_DEVICE,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_OUTPUT] = {"-o", "FILE", "the picture to write: " IMAGE_FILES ", or -"},
    [OPT_AS] = {"--as", VIEW_AS, VIEW_HELP_AS},
    [OPT_DEPTH] = {"--depth", "FILE", "also write the depth, in metres: .npy or .exr"},
    [OPT_SIZE] = {"--size", "WxH", "size of the picture; default 1920x1080"},
    [OPT_SEED] = {"--seed", "N", "each seed gives another street; default 1"},
    [OPT_SAMPLES] = {"--samples", "N",
                     "paths a texel, with their noise; also writes what a "
                     "denoiser needs"},
    [OPT_FRAME] = {"--frame", "N", "with --samples: frame of 1/60 s, with noise of its own"},
    [OPT_ELECTRONS] = {"--electrons", "N",
                       "as a sensor counts it: N electrons are a 1, with a noise of 3"},
    [OPT_EXPOSURE] = {"--exposure", "EV", VIEW_HELP_EXPOSURE},
    [OPT_TONEMAP] = {"--tonemap", "none|aces", VIEW_HELP_TONEMAP},
    [OPT_DITHER] = {"--dither", "on|off", VIEW_HELP_DITHER},
    [OPT_BITS] = {"--bits", "8|16", VIEW_HELP_BITS},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const file_use uses[OPT_COUNT] = {[OPT_OUTPUT] = FILE_WRITE, [OPT_DEPTH] = FILE_WRITE};

const command command_scene = {
    .name = "scene",
    .usage = "-o FILE [options]",
    .help = "renders the built-in HDR night scene",
    .notes =
        ".hdr, .exr, .tif and .npy files hold linear light; .npy is float32 of shape (H, W, 3).\n"
        "With --samples, FILE is .exr or .npy, and FILE_albedo, FILE_normal, FILE_depth and\n"
        "FILE_motion are written beside it, for the slots of denoise.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .files = uses,
    .run = scene_command,
};

static const struct {
    const char *name;
    int channels;
} guides[GUIDES] = {{"albedo", 3}, {"normal", 3}, {"depth", 1}, {"motion", 2}};

// Rendered in tiles: a dispatch of the whole frame can exceed the time limit of a driver's
// watchdog.
static void render(const GladGLContext *gl, GLuint program, const scene_options *wanted)
{
    int columns = (wanted->width + TILE_WIDTH - 1) / TILE_WIDTH;
    int rows = (wanted->height + TILE_HEIGHT - 1) / TILE_HEIGHT;
    gl->UseProgram(program);
    gl->Uniform1ui(1, (GLuint)wanted->seed);
    if (wanted->samples) {
        gl->Uniform4i(2, wanted->samples, wanted->frame, 0, 0);
        gl->Uniform4f(3, (float)wanted->frame / 60, 0, 0, 0);
    }
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

// The light, and its depth, or with --samples all guides. `out`: 1 + GUIDES images.
static int make_scene(const gpu *device, const scene_options *wanted, image *out)
{
    const GladGLContext *gl = &device->gl;
    int count = wanted->samples ? 1 + GUIDES : 2, status = STATUS_OK;
    texture targets[1 + GUIDES] = {0};
    GLuint program = 0;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = texture_create(device, "the scene",
                                format_find(FORMAT_FLOAT32, i && !wanted->samples ? 1 : 4),
                                wanted->width, wanted->height, 0, false, &targets[i]);
    if (status == STATUS_OK)
        status = gpu_program(device, ag_embedded_scene,
                             wanted->samples ? "noisy.comp" : "scene.comp", &program);
    if (status == STATUS_OK) {
        for (int i = 0; i < count; i++)
            gl->BindImageTexture((GLuint)i, targets[i].name, 0, GL_FALSE, 0, GL_WRITE_ONLY,
                                 i && !wanted->samples ? GL_R32F : GL_RGBA32F);
        render(gl, program, wanted);
        gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT); // glGetTexImage reads what was stored
    }
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        image read = {0};
        status = texture_read(device, &targets[i], 0, &read);
        if (status == STATUS_OK)
            status = image_with_channels(&read,
                                         !i                ? 3
                                         : wanted->samples ? guides[i - 1].channels
                                                           : 1,
                                         &out[i]);
        image_destroy(&read);
    }
    gl->DeleteProgram(program);
    for (int i = 0; i < count; i++)
        texture_destroy(device, &targets[i]);
    return status;
}

// FILE.exr becomes FILE_NAME.exr. False: too long.
static bool guide_path(const char *path, const char *name, char *out, size_t size)
{
    const char *end = strrchr(path, '.');
    int stem = (int)(end ? end - path : (ptrdiff_t)strlen(path));
    int length = snprintf(out, size, "%.*s_%s%s", stem, path, name, end ? end : "");
    return length > 0 && (size_t)length < size;
}

static int save_all(const scene_options *wanted, const image *images)
{
    int status = image_save_as(wanted->output, wanted->type, &images[0], &wanted->view);
    for (int i = 0; i < GUIDES && wanted->samples && status == STATUS_OK; i++)
        status = image_save(wanted->guides[i], &images[1 + i], &wanted->view);
    return status;
}

static int name_guides(scene_options *wanted)
{
    int status = STATUS_OK;
    for (int i = 0; i < GUIDES && wanted->samples && status == STATUS_OK; i++)
        status = guide_path(wanted->output, guides[i].name, wanted->guides[i], GUIDE_PATH)
                     ? files_add(FILE_WRITE, "-o", wanted->guides[i])
                     : fail(STATUS_USAGE, "-o %s: the name is too long", wanted->output);
    return status;
}

static int check_depth(const char *path)
{
    image_file type = image_output_type(path);
    if (type != FILE_NPY && type != FILE_EXR)
        return fail(STATUS_USAGE, "--depth %s: expected .npy or .exr, which hold metres", path);
    return file_check_writable(path);
}

static int parse(int argc, char **argv, scene_options *out)
{
    option_reader reader = option_begin(&command_scene, argc, argv);
    image_file as = FILE_UNKNOWN;
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        const char *value = reader.value;
        int status = STATUS_OK;
        switch (which) {
        case OPT_OUTPUT: out->output = value; break;
        case OPT_AS: status = view_parse_as(value, &as); break;
        case OPT_DEPTH: out->depth = value; break;
        case OPT_SIZE:
            if (!parse_size(value, &out->width, &out->height, NULL))
                status = fail(STATUS_USAGE, "--size %s: expected WxH, both 1..65536", value);
            break;
        case OPT_SEED:
            if (!parse_int(value, 0, INT_MAX, &out->seed))
                status = fail(STATUS_USAGE, "--seed %s: expected an integer from 0", value);
            break;
        case OPT_SAMPLES:
            if (!parse_int(value, 1, 65536, &out->samples))
                status = fail(STATUS_USAGE, "--samples %s: expected an integer, 1..65536", value);
            break;
        case OPT_FRAME:
            if (!parse_int(value, 0, 1000000, &out->frame))
                status = fail(STATUS_USAGE, "--frame %s: expected an integer, 0..1000000", value);
            break;
        case OPT_ELECTRONS:
            if (!parse_int(value, 1, 1000000, &out->electrons))
                status =
                    fail(STATUS_USAGE, "--electrons %s: expected an integer, 1..1000000", value);
            break;
        case OPT_EXPOSURE: status = view_parse_exposure(value, &out->view); break;
        case OPT_TONEMAP: status = view_parse_tonemap(value, &out->view); break;
        case OPT_DITHER: status = view_parse_dither(value, &out->view); break;
        case OPT_BITS: status = view_parse_bits(value, &out->view); break;
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
    int status = view_check_output(out->output, as, "", &out->type);
    if (status != STATUS_OK)
        return status;
    if (out->samples && strcmp(out->output, "-") == 0)
        return fail(STATUS_USAGE, "-o -: --samples writes five files; expected -o FILE");
    if (out->samples && out->type != FILE_EXR && out->type != FILE_NPY)
        return fail(STATUS_USAGE, "-o %s: with --samples expected .exr or .npy", out->output);
    if (out->samples && out->depth)
        return fail(STATUS_USAGE, "--depth: --samples writes the depth beside the picture");
    if (out->samples && out->electrons)
        return fail(STATUS_USAGE, "--electrons: expected no --samples, which have their own noise");
    if (out->frame && !out->samples)
        return fail(STATUS_USAGE, "--frame %d: expected --samples, too", out->frame);
    status = image_check_output(out->output, out->type, out->width, out->height, 3);
    if (status == STATUS_OK && out->depth)
        status = check_depth(out->depth);
    if (status == STATUS_OK)
        status = name_guides(out);
    return status == STATUS_OK ? files_check() : status;
}

int scene_command(int argc, char **argv)
{
    scene_options wanted = {.width = 1920, .height = 1080, .seed = 1, .view.dither = true};
    int status = parse(argc, argv, &wanted);
    if (status != STATUS_OK)
        return status;
    gpu device;
    image images[1 + GUIDES] = {0};
    status = gpu_open(&device, wanted.device);
    if (status != STATUS_OK)
        return status;
    status = make_scene(&device, &wanted, images);
    if (status == STATUS_OK && wanted.electrons)
        sensor_expose(&images[0], wanted.electrons, (uint32_t)wanted.seed);
    if (status == STATUS_OK)
        status = save_all(&wanted, images);
    if (status == STATUS_OK && wanted.depth)
        status = image_save(wanted.depth, &images[1], &wanted.view);
    for (int i = 0; i <= GUIDES; i++)
        image_destroy(&images[i]);
    gpu_close(&device);
    return status;
}
