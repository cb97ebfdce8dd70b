// fft/direct.comp - convolution by its definition: kw * kh products a texel
//
//   in        i_src, i_kernel
//             b_info    the kernel's factor, from kernel_sum.comp
//   out       i_dst     gain * convolution; channels whose gain is 0: keep * src
//             b_info    while u_src_mode.z, scrub, is on: adds the number of non-finite texels
//   host sets the defines of common/source.glsl and common/store.glsl
//             KERNEL_FORMAT  GLSL image format of the kernel
//             KERNEL_CODES   1 = it is R11F_G11F_B10F, bound as R32UI; else 0
//             BLOCK          4, 8, 16: a block has BLOCK x BLOCK taps; the least that holds the
//                            kernel, or 16. A smaller one takes less shared memory
//   dispatch  ceil(width / 16), ceil(height / 16); a group computes 16 x 16 texels
//   cost      kw * kh multiply-adds a texel and channel; for each block of w x h taps a group
//             reads (15 + w) x (15 + h) texels into shared memory once
//   shared    (15 + BLOCK)^2 * 16 + BLOCK^2 * 16 bytes: 6032, 9488, 19472
//   error     sums of up to 16 products in float, sums of those compensated (Kahan 1965), so that
//             the error does not grow with the kernel
//
//      src texels of a block of w x h taps, correlated      x: outputs of the group
//      +---------------+------+
//      | x x x ...     |      |      output (tx, ty), tap (i, j) of the block:
//      | x x x ...     |      |        convolve   reads (tx + w - 1 - i, ty + h - 1 - j)
//      +---------------+      |        correlate  reads (tx + i, ty + j)
//      |                      |
//      +----------------------+
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "common/source.glsl"
#include "common/store.glsl"
#include "common/border.glsl"
#include "common/info.glsl"
#include "common/sync.glsl"
#if !defined(KERNEL_FORMAT) || !defined(KERNEL_CODES) || !defined(BLOCK)
#error "KERNEL_FORMAT (a GLSL image format such as r32f), KERNEL_CODES and BLOCK: set by the host"
#endif

layout(local_size_x = 16, local_size_y = 16) in;
#if KERNEL_CODES
layout(KERNEL_FORMAT, binding = AG_IMAGE_KERNEL) readonly uniform uimage2D i_kernel;
#else
layout(KERNEL_FORMAT, binding = AG_IMAGE_KERNEL) readonly uniform image2D i_kernel;
#endif
layout(location = AG_LOC_LINE_X) uniform ivec4 u_line_x;
layout(location = AG_LOC_LINE_X2) uniform ivec4 u_more_x;
layout(location = AG_LOC_LINE_Y) uniform ivec4 u_line_y;
layout(location = AG_LOC_LINE_Y2) uniform ivec4 u_more_y;
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // y = kernel channels
layout(location = AG_LOC_DIRECT_MODE) uniform ivec4 u_mode;
#define CORRELATES (u_mode.x != 0)
#define KERNEL_IS_SRGB (u_mode.y != 0)
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;     // centre x, y
layout(location = AG_LOC_KERNEL_RECT) uniform ivec4 u_kernel_rect;
layout(location = AG_LOC_GAIN) uniform vec4 u_gain;
layout(location = AG_LOC_KEEP) uniform vec4 u_keep;

const int TILE = 16, SPAN = TILE - 1 + BLOCK;
shared vec4 s_src[SPAN][SPAN];
shared vec4 s_kernel[BLOCK][BLOCK];

vec4 load_source(ivec2 p)
{
    p = ivec2(source_index(p.x, u_line_x, u_more_x), source_index(p.y, u_line_y, u_more_y));
    uint not_counted = 0u; // each output counts its own texel, below
    vec4 c = load_texel(max(p, 0), not_counted);
    return p.x < 0 || p.y < 0 ? vec4(0.0) : c;
}

vec4 load_kernel(ivec2 p)
{
#if KERNEL_CODES
    vec4 k = decode_11_11_10(imageLoad(i_kernel, u_kernel_rect.xy + p).r);
#else
    vec4 k = imageLoad(i_kernel, u_kernel_rect.xy + p);
#endif
    if (KERNEL_IS_SRGB)
        k.rgb = srgb_decode(k.rgb);
    if (u_src_mode.z != 0 && size_bits(k) >= TOO_LARGE)
        k = vec4(0.0);
    return (u_channels.y == 1 ? vec4(k.r) : k) * b_info.scale;
}

void main()
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy), first = ivec2(gl_WorkGroupID.xy) * TILE;
    bool correlate = CORRELATES;
    precise vec4 total = vec4(0.0), lost = vec4(0.0);
    for (int j = 0; j < u_kernel_rect.w; j += BLOCK)
        for (int i = 0; i < u_kernel_rect.z; i += BLOCK) {
            ivec2 at = ivec2(i, j), tap = at - u_kernel.xy;
            ivec2 taps = min(u_kernel_rect.zw - at, BLOCK);
            ivec2 origin = correlate ? first + tap : first - tap - (taps - 1);
            int side = TILE - 1 + taps.x, count = side * (TILE - 1 + taps.y);
            sync_shared(); // the former block has been read
            if (all(lessThan(local, taps)))
                s_kernel[local.y][local.x] = load_kernel(at + local);
            for (int k = int(gl_LocalInvocationIndex); k < count; k += TILE * TILE)
                s_src[k / side][k % side] = load_source(origin + ivec2(k % side, k / side));
            sync_shared();
            ivec2 corner = local + (correlate ? ivec2(0) : taps - 1);
            int step = correlate ? 1 : -1;
            for (int b = 0; b < taps.y; ++b) {
                vec4 sum = vec4(0.0);
                for (int a = 0; a < taps.x; ++a)
                    sum += s_kernel[b][a] * s_src[corner.y + step * b][corner.x + step * a];
                vec4 more = sum - lost, next = total + more;
                lost = (next - total) - more;
                total = next;
            }
        }
    ivec2 p = first + local;
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint bad = 0u;
    vec4 c = load_texel(p, bad);
    count_bad(bad);
    // A channel that is only copied (alpha) must not meet a product: 0 times infinity is not 0.
    store_texel(p, mix(u_gain * total, u_keep * c, equal(u_gain, vec4(0.0))));
}
