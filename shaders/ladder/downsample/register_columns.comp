// ladder/downsample/register_columns.comp - ratios of powers of two as the document "Image
// downsampling" has them: columns in registers, sums in shared memory
//
//   in        t_src or i_src   the image (downsample/texel.glsl)
//   out       i_dst0           the target
//   host sets TARGETS (1), and the defines of downsample/sum.glsl
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
//   technique docs/ladder.md, section 4
//   source    the document's figures 10 and 11
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "downsample/sum.glsl"
#include "downsample/targets.glsl"
#include "ladder/downsample/interface.h"

#define BLOCK AG_REGISTER_BLOCK

#pragma optionNV(unroll all) // arrays of constant indices stay in registers

layout(local_size_x = BLOCK) in;

shared vec4 s_sums[PARTS * BLOCK * BLOCK]; // of the columns, row of outputs by row of outputs

void main()
{
    // Ratios are powers of two, so u_axes0.yw are 1.
    ivec2 ratio = u_axes0.xz, outputs = BLOCK / ratio;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * BLOCK, last = u_src_rect.zw - 1;
    int lane = int(gl_LocalInvocationIndex), x = corner.x + lane;

    // 1. A column of texels. Beyond the image it is the last one again, which no output takes.
    vec4 texels[BLOCK];
    for (int i = 0; i < BLOCK; ++i)
        texels[i] = load_number(min(ivec2(x, corner.y + i), last));
    uint bad_texels = 0u;
    for (int i = 0; i < BLOCK; ++i) {
        bool bad = is_bad(texels[i]);
        bad_texels += uint(bad && x <= last.x && corner.y + i <= last.y);
        texels[i] = mix(texels[i], vec4(0.0), bvec4(bad));
    }
    count_bad(bad_texels);

    // 2., 3. Down the column. Weights are powers of two.
    Parts hi = Parts(0.0), lo = Parts(0.0);
    for (int i = 0; i < BLOCK; ++i) {
        add_to(hi, lo, parts_of(texels[i]) * u_scale0.w);
        if (((i + 1) & (ratio.y - 1)) == 0) {
            STORE_PARTS(s_sums, i / ratio.y * BLOCK + lane, BLOCK * BLOCK, hi + lo)
            hi = lo = Parts(0.0);
        }
    }
    sync_shared();

    // 4., 5. Across the columns.
    for (int i = lane; i < outputs.x * outputs.y; i += BLOCK) {
        ivec2 at = ivec2(i % outputs.x, i / outputs.x), to = corner / ratio + at;
        hi = lo = Parts(0.0);
        for (int k = 0; k < ratio.x; ++k) {
            int from = at.y * BLOCK + at.x * ratio.x + k;
            add_to(hi, lo, LOAD_PARTS(s_sums, from, BLOCK * BLOCK) * u_scale0.z);
        }
        if (all(lessThan(to, u_dst0.zw)))
            imageStore(i_dst0, u_dst0.xy + to, stored(mean_of(hi, lo, u_scale0.xy)));
    }
}
