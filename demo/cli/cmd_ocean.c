// cli/cmd_ocean.c - `afterglow ocean`: waves of the sea, as maps in a folder or as a picture
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "effect.h"
#include "file.h"
#include "image.h"
#include "ocean_picture.h"
#include "report.h"
#include "session.h"
#include "view_options.h"

#include <afterglow/ocean.h>
#include <stdio.h>
#include <string.h>

typedef struct ocean_options {
    const ag_api *api;
    const ag_effect_info *effect;
    ag_ocean_settings settings;
    const char *output;
    bool to_folder;
    image_file type; // of a picture
    int width, height, device;
    image_view view;
} ocean_options;

enum { MAPS = 3, MAP_PATH = 4096 };
enum {
    OPT_OUTPUT,
    OPT_AS,
    OPT_SET,
    OPT_SIZE,
    OPT_EXPOSURE,
    OPT_TONEMAP,
    OPT_DITHER,
    OPT_DEVICE,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_OUTPUT] = {"-o", "DIR|FILE",
                    "a folder for the maps, as .npy files; or a picture of the sea at dusk,\n"
                    "bloomed: " IMAGE_FILES ", or -"},
    [OPT_AS] = {"--as", VIEW_AS, VIEW_HELP_AS},
    [OPT_SET] = {"--set", "NAME=VALUE...", "settings of the effect, by the names of `list ocean`"},
    [OPT_SIZE] = {"--size", "WxH", "size of the picture; default 1920x1080"},
    [OPT_EXPOSURE] = {"--exposure", "EV", VIEW_HELP_EXPOSURE},
    [OPT_TONEMAP] = {"--tonemap", "none|aces", "tone curve for .png and .jpg; default aces"},
    [OPT_DITHER] = {"--dither", "on|off", VIEW_HELP_DITHER},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const file_use uses[OPT_COUNT] = {[OPT_OUTPUT] = FILE_WRITE};

const command command_ocean = {
    .name = "ocean",
    .usage = "-o DIR|FILE [options]",
    .help = "waves of the sea: maps of a surface, or a picture of it",
    .notes = "Maps of cascade N: displacementN.npy, derivativesN.npy and jacobianN.npy, float32.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .files = uses,
    .run = ocean_command,
};

// The picture's sea, unless --set says otherwise: a fresh breeze towards the camera.
static void set_picture_sea(ag_ocean_settings *s)
{
    s->size = AG_OCEAN_512;
    s->wind_speed = 9;
    s->wind_direction = 152;
    s->swell = 0.35f;
    s->choppiness = 1.2f;
    s->lengths[0] = 430;
    s->lengths[1] = 61;
    s->lengths[2] = 8.3f;
    s->time = 31;
    s->seed = 7;
}

static int parse_option(int which, const char *value, ocean_options *out)
{
    switch (which) {
    case OPT_OUTPUT: out->output = value; return STATUS_OK;
    case OPT_AS: return STATUS_OK; // parse reads it
    case OPT_SET: return effect_set(out->effect, value, &out->settings);
    case OPT_SIZE:
        return parse_size(value, &out->width, &out->height, NULL)
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--size %s: expected WxH, both 1..65536", value);
    case OPT_EXPOSURE: return view_parse_exposure(value, &out->view);
    case OPT_TONEMAP: return view_parse_tonemap(value, &out->view);
    case OPT_DITHER: return view_parse_dither(value, &out->view);
    case OPT_DEVICE: return view_parse_device(value, &out->device);
    case OPTION_INPUT:
        return fail(STATUS_USAGE, "ocean takes no input, got %s; expected -o DIR|FILE", value);
    default: return STATUS_USAGE;
    }
}

static int map_path(const ocean_options *wanted, int map, int cascade, char out[MAP_PATH])
{
    static const char *const names[MAPS] = {"displacement", "derivatives", "jacobian"};
    int length = snprintf(out, MAP_PATH, "%s/%s%d.npy", wanted->output, names[map], cascade);
    return length < MAP_PATH ? STATUS_OK
                             : fail(STATUS_USAGE, "-o %s: the path is too long", wanted->output);
}

// The output decides about the defaults, so it is looked for before the settings are read.
static int parse(int argc, char **argv, ocean_options *out)
{
    option_reader reader = option_begin(&command_ocean, argc, argv);
    image_file as = FILE_UNKNOWN;
    int which;
    while ((which = option_next(&reader)) != OPTION_END) {
        if (which == OPTION_ERROR)
            return STATUS_USAGE;
        if (which == OPT_OUTPUT)
            out->output = reader.value;
        if (which == OPT_AS && view_parse_as(reader.value, &as) != STATUS_OK)
            return STATUS_USAGE;
    }
    if (!out->output)
        return fail(STATUS_USAGE, "ocean needs -o DIR|FILE, a folder or one of " IMAGE_FILES);
    out->to_folder = file_is_folder(out->output);
    int status = STATUS_OK;
    if (!out->to_folder)
        status = view_check_output(out->output, as, ", or a folder that exists", &out->type);
    if (status != STATUS_OK)
        return status;
    if (!out->to_folder)
        set_picture_sea(&out->settings);
    reader = option_begin(&command_ocean, argc, argv);
    while ((which = option_next(&reader)) != OPTION_END) {
        status = parse_option(which, reader.value, out);
        if (status != STATUS_OK)
            return status;
    }
    if (!out->to_folder)
        status = image_check_output(out->output, out->type, out->width, out->height, 3);
    for (int i = 0; i < MAPS * out->settings.cascades && out->to_folder && !status; i++) {
        char path[MAP_PATH];
        status = map_path(out, i % MAPS, i / MAPS, path);
        status = status == STATUS_OK ? files_add(FILE_WRITE, "-o", path) : status;
    }
    return status == STATUS_OK ? files_check() : status;
}

static GLuint make_map(const GladGLContext *gl, GLenum format, int size, int layers, int levels)
{
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, name);
    gl->TexStorage3D(GL_TEXTURE_2D_ARRAY, levels, format, size, size, layers);
    return name;
}

static int make_maps(session *owner, const ocean_options *wanted, ocean_maps *out)
{
    const GladGLContext *gl = &owner->gpu.gl;
    int size = 32 << wanted->settings.size, layers = wanted->settings.cascades, levels = 1;
    while (!wanted->to_folder && size >> levels)
        levels++;
    out->displacement = make_map(gl, GL_RGBA32F, size, layers, levels);
    out->derivatives = make_map(gl, GL_RGBA32F, size, layers, levels);
    out->jacobian = make_map(gl, GL_R32F, size, layers, 1);
    const GLuint names[] = {out->displacement, out->derivatives, out->jacobian};
    ag_texture slots[3];
    for (int i = 0; i < 3; i++)
        slots[i] = (ag_texture){.struct_size = sizeof slots[i],
                                .name = names[i],
                                .target = GL_TEXTURE_2D_ARRAY,
                                .format = i < 2 ? GL_RGBA32F : GL_R32F,
                                .width = size,
                                .height = size,
                                .layers = layers,
                                .version = 1};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 3,
                  .settings = &wanted->settings,
                  .next_use = AG_USE_SAMPLE | AG_USE_COPY};
    ag_status status = owner->api->run(owner->pass, &job);
    return session_check(owner, status, status == AG_E_ARG ? STATUS_USAGE : STATUS_FAILED, "ocean");
}

static int save_maps(session *owner, const ocean_options *wanted, const ocean_maps *maps)
{
    const GLuint textures[] = {maps->displacement, maps->derivatives, maps->jacobian};
    const GladGLContext *gl = &owner->gpu.gl;
    int size = 32 << wanted->settings.size, status = STATUS_OK;
    for (int i = 0; i < 3 && status == STATUS_OK; i++) {
        int channels = i < 2 ? 4 : 1, layers = wanted->settings.cascades;
        image all = {0};
        status = image_create(size, size * layers, channels, IMAGE_F32, &all);
        if (status != STATUS_OK)
            break;
        gl->BindTexture(GL_TEXTURE_2D_ARRAY, textures[i]);
        gl->GetTexImage(GL_TEXTURE_2D_ARRAY, 0, channels == 4 ? GL_RGBA : GL_RED, GL_FLOAT,
                        all.data);
        for (int c = 0; c < layers && status == STATUS_OK; c++) {
            image layer = all;
            char path[MAP_PATH];
            layer.height = size;
            layer.two_axes = channels == 1;
            layer.data = (char *)all.data + (size_t)c * (size_t)(size * size * channels) * 4;
            status = map_path(wanted, i, c, path);
            if (status == STATUS_OK)
                status = image_save(path, &layer, &wanted->view);
        }
        image_destroy(&all);
    }
    return status;
}

static int save_picture(session *owner, const ocean_options *wanted, const ocean_maps *maps)
{
    image picture = {0}, colours = {0};
    int status =
        ocean_picture(owner, maps, &wanted->settings, wanted->width, wanted->height, &picture);
    if (status == STATUS_OK)
        status = image_with_channels(&picture, 3, &colours);
    if (status == STATUS_OK)
        status = image_save_as(wanted->output, wanted->type, &colours, &wanted->view);
    image_destroy(&picture);
    image_destroy(&colours);
    return status;
}

int ocean_command(int argc, char **argv)
{
    ocean_options wanted = {.api = effect_api(),
                            .settings = AG_OCEAN_DEFAULTS,
                            .width = 1920,
                            .height = 1080,
                            .view = {.aces = true, .dither = true}};
    wanted.effect = wanted.api ? effect_find(wanted.api, "ocean") : NULL;
    int status = wanted.effect ? parse(argc, argv, &wanted) : STATUS_FAILED;
    if (status != STATUS_OK)
        return status;
    session owner;
    ocean_maps maps = {0};
    status = session_open(
        &owner, &(session_desc){.api = wanted.api, .effect = "ocean", .device = wanted.device});
    if (status != STATUS_OK)
        return status;
    status = make_maps(&owner, &wanted, &maps);
    if (status == STATUS_OK)
        status = wanted.to_folder ? save_maps(&owner, &wanted, &maps)
                                  : save_picture(&owner, &wanted, &maps);
    const GLuint names[] = {maps.displacement, maps.derivatives, maps.jacobian};
    owner.gpu.gl.DeleteTextures(3, names);
    session_close(&owner);
    return status;
}
