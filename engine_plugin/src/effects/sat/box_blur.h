// box_blur.h - which of box_blur's programs run, and over which blocks: the host's half of
// shaders/sat/blur.comp. Pure C
// SPDX-License-Identifier: MIT
#ifndef AG_EFFECT_BOX_BLUR_H
#define AG_EFFECT_BOX_BLUR_H

#include "effects/sat/sat_plan.h"
#include "shaders/sat/interface.h"

typedef struct ag_blur_boxes {
    int32_t width, height; // texels of the image
    bool textured;         // every texel has its own radius; else all have this one:
    double radius;
    ag_box_group block; // texels of a group
} ag_blur_boxes;

// The programs that any radius needs, as bits of AG_BLUR_*. Each kind of box has
// its own program (docs/decisions.md, D46).
int32_t ag_blur_parts_ever(bool textured);
// The programs that this radius needs.
int32_t ag_blur_parts(const ag_blur_boxes *boxes);

typedef struct ag_blur_area {
    int32_t x0, y0, x1, y1; // x0 <= x < x1
} ag_blur_area;

// With one radius for all, the blocks whose texels all have boxes inside: u_inside. All 0 if there
// are none.
ag_blur_area ag_blur_inside(const ag_blur_boxes *boxes);
// Blocks that cover the image.
int32_t ag_blur_blocks(const ag_blur_boxes *boxes);
// Groups of a program's dispatch.
void ag_blur_groups(const ag_blur_boxes *boxes, int32_t part, uint32_t groups[3]);

#endif
