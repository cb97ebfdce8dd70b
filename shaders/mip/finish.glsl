// mip/finish.glsl - the rest of a chain, of any sizes, by the group that arrives last
//
//   in        b_handover   level first_source() + levels_of(0), which all groups have stored
//   host sets REGION       the most texels of the level below that one
//             THREADS      of a group
//   how       as mip/stages.glsl, without tiles: levels 1, 3, 5 in region A of shared memory, of
//             REGION texels, levels 2, 4 in region B, a quarter of that. Each level costs one
//             barrier
//   SPDX-License-Identifier: MIT
shared TEXEL s_level[REGION + REGION / 4];

void finish_level(int source, int j)
{
    ivec2 above = level_size(source + j - 1), one = texel_1(above), two = texel_2(above);
    ivec2 size = level_size(source + j), corner = level_corner(source + j);
    int into = REGION * (~j & 1), from = REGION - into;
    float row = 1.0 / float(size.x);
    for (int i = int(gl_LocalInvocationIndex); i < size.x * size.y; i += THREADS) {
        // 1. The output, and its 3 x 3 texels of the level above.
        int y = int((float(i) + 0.5) * row);
        ivec2 to = ivec2(i - y * size.x, y);
        ivec3 x = 2 * to.x + ivec3(0, one.x, two.x), v = 2 * to.y + ivec3(0, one.y, two.y);
        vec4 texels[9];
        if (j == 1)
            for (int k = 0; k < 9; ++k)
                texels[k] = load_handover(place_of_source(1), above.x, ivec2(x[k % 3], v[k / 3]));
        else
            for (int k = 0; k < 9; ++k)
                texels[k] = UNPACK(s_level[from + v[k / 3] * above.x + x[k % 3]]);
        // 2. Their sum, for the next level and in the image.
        vec4 c = weighed(texels, above, to);
        s_level[into + i] = PACK(c);
        store_placed(source - first_source() + j, corner + to, stored(c));
    }
}

void finish_chain()
{
    int source = first_source() + levels_of(0);
    if (arrives_last(0, int(gl_NumWorkGroups.x * gl_NumWorkGroups.y)))
        for (int j = 1; j <= levels_of(1); ++j) {
            if (j > 1)
                sync_shared();
            finish_level(source, j);
        }
}
