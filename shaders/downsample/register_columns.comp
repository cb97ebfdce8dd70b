// downsample/register_columns.comp - ratios of powers of two by the way of a document, step by
// step, to compare with it (docs/downsample.md, section 5)
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0           the target
//   host sets the defines of downsample/weights.glsl
//   how       a subgroup of 32 threads takes 32 x 32 texels. Each thread
//
//                1. reads a column of 32 texels into registers
//                2. adds up `ratio` of them at a time, down the column
//                3. leaves those sums in shared memory
//                4. as one of the first outputs^2 threads, reads a sum of each of `ratio` columns
//                5. adds these up, and stores the output
//
//             Of more than 32 outputs a thread makes several. The document has one ratio, here each
//             axis has its own
//   dispatch  a group of 32 threads for 32 x 32 texels
//   cost      each texel read once; 32 loads a thread are in flight, but few threads: 32 vec4s of
//             registers and 16 KiB of shared memory a group (32 KiB with weights) leave room for
//             few
//   exact     downsample/sum.glsl
//   source    that document, "Image downsampling", figures 10 and 11
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "downsample/cells.glsl"
#include "downsample/weights.glsl"

#define BLOCK AG_DOWN_BLOCK

#pragma optionNV(unroll all) // arrays of constant indices stay in registers

layout(local_size_x = BLOCK) in;
layout(binding = AG_IMAGE_TARGET) writeonly uniform image2D i_dst0;

shared vec4 s_sums[PARTS * BLOCK * BLOCK]; // of the columns, row of outputs by row of outputs

void main()
{
    // powers of two: nothing is left of u_axes0.yw but 1
    ivec2 ratio = u_axes0.xz, outputs = BLOCK / ratio;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * BLOCK, last = u_src_rect.zw - 1;
    int lane = int(gl_LocalInvocationIndex), x = corner.x + lane;

    // 1. A column of texels. Beyond the image the last one, which no output takes.
    vec4 texels[BLOCK];
    for (int i = 0; i < BLOCK; ++i)
        texels[i] = load_number(min(ivec2(x, corner.y + i), last));
    uint bad_texels = 0u;
    for (int i = 0; i < BLOCK; ++i) {
        bool bad = is_bad(texels[i]);
        bad_texels += uint(bad && x <= last.x && corner.y + i <= last.y);
        texels[i] = mix(texels[i], vec4(0.0), bvec4(bad));
    }
#if COUNTS
    count_bad(bad_texels);
#endif

    // 2., 3. Down the column. Weights are powers of two.
    vec4 hi[PARTS], lo[PARTS];
    for (int part = 0; part < PARTS; ++part)
        hi[part] = lo[part] = vec4(0.0);
    for (int i = 0; i < BLOCK; ++i) {
        for (int part = 0; part < PARTS; ++part)
            add_to(hi[part], lo[part], part_of(texels[i], part) * u_scale0.w);
        if (((i + 1) & (ratio.y - 1)) == 0)
            for (int part = 0; part < PARTS; ++part) {
                s_sums[(part * BLOCK + i / ratio.y) * BLOCK + lane] = hi[part] + lo[part];
                hi[part] = lo[part] = vec4(0.0);
            }
    }
    sync_shared();

    // 4., 5. Across the columns.
    for (int i = lane; i < outputs.x * outputs.y; i += BLOCK) {
        ivec2 at = ivec2(i % outputs.x, i / outputs.x), to = corner / ratio + at;
        for (int part = 0; part < PARTS; ++part)
            hi[part] = lo[part] = vec4(0.0);
        for (int k = 0; k < ratio.x; ++k)
            for (int part = 0; part < PARTS; ++part)
                add_to(hi[part], lo[part], s_sums[(part * BLOCK + at.y) * BLOCK + at.x * ratio.x +
                    k] * u_scale0.z);
        if (all(lessThan(to, u_dst0.zw)))
            imageStore(i_dst0, u_dst0.xy + to, stored(mean_of(hi, lo, u_scale0.xy)));
    }
}
