// blur_parts.c - which of box_blur's programs run, and over which blocks. Pure C
// SPDX-License-Identifier: MIT
#include "effects/sat/blur_parts.h"
#include "base/rounding.h"

#include <math.h>

int32_t ag_blur_parts_ever(bool textured)
{
    int32_t any = 1 << AG_BLUR_CUT | 1 << AG_BLUR_BEYOND | 1 << AG_BLUR_SMALL;
    return textured ? any : any | 1 << AG_BLUR_WHOLE;
}

static ag_blur_area area_or_none(ag_blur_area a)
{
    return a.x0 < a.x1 && a.y0 < a.y1 ? a : (ag_blur_area){0, 0, 0, 0};
}

// Texels whose boxes lie at least one texel within the image: is_inside of shaders/sat/box.glsl.
static ag_blur_area texels_inside(const ag_blur_boxes *b)
{
    int32_t before = (int32_t)ceil(b->radius) + 1, after = (int32_t)floor(b->radius) + 1;
    return area_or_none((ag_blur_area){before, before, b->width - after, b->height - after});
}

ag_blur_area ag_blur_inside(const ag_blur_boxes *b)
{
    ag_blur_area t = texels_inside(b);
    return area_or_none((ag_blur_area){ag_div_up(t.x0, b->block.x), ag_div_up(t.y0, b->block.y),
                                       t.x1 / b->block.x, t.y1 / b->block.y});
}

int32_t ag_blur_parts(const ag_blur_boxes *b)
{
    if (b->textured)
        return ag_blur_parts_ever(true);
    if (b->radius < AG_BOX_DIRECT)
        return 1 << AG_BLUR_SMALL;
    int32_t inside = b->radius == floor(b->radius) ? AG_BLUR_WHOLE : AG_BLUR_CUT;
    return 1 << AG_BLUR_BEYOND | (texels_inside(b).x1 > 0 ? 1 << inside : 0);
}

int32_t ag_blur_blocks(const ag_blur_boxes *b)
{
    return ag_div_up(b->width, b->block.x) * ag_div_up(b->height, b->block.y);
}

void ag_blur_groups(const ag_blur_boxes *b, int32_t part, uint32_t groups[3])
{
    int32_t blocks = ag_blur_blocks(b);
    groups[0] = ag_groups(b->width, b->block.x);
    groups[1] = ag_groups(b->height, b->block.y);
    groups[2] = 1;
    if ((part == AG_BLUR_BEYOND || part == AG_BLUR_SMALL) && b->textured) {
        groups[0] = ag_groups(blocks, AG_BLUR_BLOCKS);
        groups[1] = 1;
    } else if (part == AG_BLUR_BEYOND) {
        ag_blur_area inside = ag_blur_inside(b);
        int32_t frame = blocks - (inside.x1 - inside.x0) * (inside.y1 - inside.y0);
        groups[0] = frame < AG_BLUR_ROW ? (uint32_t)frame : AG_BLUR_ROW;
        groups[1] = ag_groups(frame, AG_BLUR_ROW);
    }
}
