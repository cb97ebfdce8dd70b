// viewer/command.c - the command line of the viewer
// SPDX-License-Identifier: MIT
#include "command.h"

#include "image.h"
#include "options.h"
#include "report.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    OPT_SIZE,
    OPT_SET,
    OPT_PRESET,
    OPT_PATH,
    OPT_SHADERS,
    OPT_PASS,
    OPT_INSPECT,
    OPT_FRAMES,
    OPT_SCREENSHOT,
    OPT_VIDEO,
    OPT_PANEL,
    OPT_FPS,
    OPT_UI_SCALE,
    OPT_MODULE,
    OPT_DEVICE,
    OPT_HELP,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_SIZE] = {"--size", "WxH", "of the window or the pictures; default 1280x720"},
    [OPT_SET] = {"--set", "PART=VALUE...",
                 "EFFECT=on|off, EFFECT.NAME=VALUE, scene.NAME=VALUE,\n"
                 "particles.NAME=VALUE, view.NAME=VALUE; one or more"},
    [OPT_PRESET] = {"--preset", "FILE",
                    "settings that the viewer has saved (.json);\n"
                    "a second one is B, and both are shown side by side"},
    [OPT_PATH] = {"--path", "FILE", "fly along a recorded camera path (.json)"},
    [OPT_SHADERS] = {"--shaders", "DIR", "effects' shaders from here; saved files are taken live"},
    [OPT_PASS] = {"--pass", "FOLDER", "a pass of your own, on; up to 6, edits are taken live"},
    [OPT_INSPECT] = {"--inspect", "EFFECT.SLOT", "open the inspector on a texture"},
    [OPT_FRAMES] = {"--frames", "N", "draw N frames without a window, then end"},
    [OPT_SCREENSHOT] = {"--screenshot", "FILE", "the last of these frames: .png .jpg"},
    [OPT_VIDEO] = {"--video", "DIR", "each of these frames: DIR/00001.png ..."},
    [OPT_PANEL] = {"--panel", NULL, "these frames with the panel"},
    [OPT_FPS] = {"--fps", "N", "of these frames, in the scene's time; default 60"},
    [OPT_UI_SCALE] = {"--ui-scale", "X", "size of the panel, 0.5..4; default: the screen's"},
    [OPT_MODULE] = {"--module", "FILE",
                    "the library; default: beside the program, else the system's"},
    [OPT_DEVICE] = {"--device", "N", "EGL device of --frames; default 0"},
    [OPT_HELP] = {"--help", NULL, "show this"},
};

static const command table = {.name = "afterglow-viewer",
                              .options = options,
                              .option_count = OPT_COUNT};

void command_help(void)
{
    puts("usage: afterglow-viewer [IMAGE] [options]\n\n"
         "The night street in motion, or an image (" IMAGE_READ_FILES
         "), through Afterglow's passes.\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        const option *row = &options[i];
        int used =
            printf("  %s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
        printf("%*s", used < 24 ? 24 - used : 1, "");
        for (const char *at = row->help; *at; at++) {
            putchar(*at);
            if (*at == '\n')
                printf("%*s", 24, "");
        }
        putchar('\n');
    }
}

static int take(viewer_command *out, int which, const char *value)
{
    switch (which) {
    case OPT_SIZE:
        return parse_size(value, &out->width, &out->height, NULL) && out->width <= 16384 &&
                       out->height <= 16384
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--size %s: expected WxH, both 1..16384", value);
    case OPT_SET:
        if (out->set_count == COMMAND_SETS)
            return fail(STATUS_USAGE, "--set: at most %d", COMMAND_SETS);
        out->sets[out->set_count++] = value;
        return STATUS_OK;
    case OPT_PRESET:
        if (out->presets[1])
            return fail(STATUS_USAGE, "--preset: at most 2, A and B");
        out->presets[out->presets[0] != NULL] = value;
        return STATUS_OK;
    case OPT_PATH: out->path = value; return STATUS_OK;
    case OPT_SHADERS: out->shaders = value; return STATUS_OK;
    case OPT_PASS:
        if (out->pass_count == COMMAND_PASSES)
            return fail(STATUS_USAGE, "--pass: at most %d", COMMAND_PASSES);
        out->passes[out->pass_count++] = value;
        return STATUS_OK;
    case OPT_INSPECT: out->inspect = value; return STATUS_OK;
    case OPT_SCREENSHOT: out->screenshot = value; return STATUS_OK;
    case OPT_VIDEO: out->video = value; return STATUS_OK;
    case OPT_PANEL: out->panel = true; return STATUS_OK;
    case OPT_MODULE: out->module = value; return STATUS_OK;
    case OPT_HELP: out->help = true; return STATUS_OK;
    case OPT_FRAMES:
        return parse_int(value, 1, INT_MAX, &out->frames)
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--frames %s: expected an integer from 1", value);
    case OPT_FPS:
        return parse_int(value, 1, 1000, &out->fps)
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--fps %s: expected an integer, 1..1000", value);
    case OPT_DEVICE:
        return parse_int(value, 0, 1000, &out->device)
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--device %s: expected an integer from 0", value);
    case OPT_UI_SCALE:
        return parse_double(value, &out->ui_scale) && out->ui_scale >= 0.5 && out->ui_scale <= 4
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--ui-scale %s: expected a number, 0.5..4", value);
    case OPTION_INPUT:
        if (out->image)
            return fail(STATUS_USAGE, "one image at most, got %s and %s", out->image, value);
        out->image = value;
        return STATUS_OK;
    default: return STATUS_USAGE;
    }
}

int command_read(int argc, char **argv, viewer_command *out)
{
    *out = (viewer_command){.width = 1280, .height = 720, .fps = 60};
    option_reader reader = option_begin(&table, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        int status = take(out, which, reader.value);
        if (status != STATUS_OK)
            return status;
    }
    if (!out->frames && !out->help && (out->screenshot || out->video || out->panel))
        return fail(STATUS_USAGE, "--screenshot, --video and --panel go with --frames N");
    return STATUS_OK;
}
