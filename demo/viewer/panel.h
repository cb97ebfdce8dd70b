// viewer/panel.h - the settings of all that the frame has, by the effects' own descriptions
// SPDX-License-Identifier: MIT
#ifndef VIEWER_PANEL_H
#define VIEWER_PANEL_H

#include "frame.h"

enum { PANEL_FOLDS = 64, PANEL_PRESETS = 16 };

typedef struct panel {
    struct panel_fold {
        char id[NODE_NAME];
        bool open;
    } folds[PANEL_FOLDS];
    int fold_count;
    char presets[PANEL_PRESETS][64]; // files of this folder; [0] is what the viewer starts with
    int preset_count;
} panel;

void panel_open(panel *p);
void panel_show(panel *p, frame *f, float x, float y, float w, float h);
bool panel_save_preset(panel *p, frame *f); // under the next free name

#endif
