// sat/store_plain.glsl - stores entries of tables with one section: neither low parts nor squares
//   SPDX-License-Identifier: MIT
#pragma once

void store_texel(ivec2 place, ENTRY high, vec4 low, ENTRY square_high, vec4 square_low)
{
    store_section(0, place, high);
}
