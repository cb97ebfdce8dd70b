// viewer/command.h - the command line of the viewer
// SPDX-License-Identifier: MIT
#ifndef VIEWER_COMMAND_H
#define VIEWER_COMMAND_H

#include <stdbool.h>

enum { COMMAND_SETS = 64, COMMAND_PASSES = 6 };

typedef struct viewer_command {
    const char *image; // NULL: the street
    const char *screenshot, *video, *path, *shaders, *module, *inspect;
    const char *presets[2]; // of A and B
    const char *sets[COMMAND_SETS], *passes[COMMAND_PASSES];
    int set_count, pass_count;
    int frames; // 0: a window until it is closed
    int width, height, fps, device;
    double ui_scale; // 0: the screen's
    bool panel, help;
} viewer_command;

int command_read(int argc, char **argv,
                 viewer_command *out); // STATUS_*, having printed what is wrong
void command_help(void);

#endif
