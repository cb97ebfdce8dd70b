// wave_haar.comp - three levels of the Haar transform in one dispatch: its blocks do not overlap
//
//   in, out   t_src -> i_dst, the pyramid of three levels; sizes are multiples of 8
//   dispatch  16 x 16 threads for 32 x 32 texels; LL stays in shared memory
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(location = 0) uniform ivec4 u_size; // samples in x, y
shared vec4 s_low[16][16];

// Splits 2 x 2 samples; stores the details of `band` coefficients in x, y; returns LL.
vec4 split_block(vec4 a, vec4 b, vec4 c, vec4 d, ivec2 p, ivec2 band)
{
    if (p.x < band.x && p.y < band.y) {
        imageStore(i_dst, p + ivec2(band.x, 0), 0.5 * (a - b + c - d));
        imageStore(i_dst, p + ivec2(0, band.y), 0.5 * (a + b - c - d));
        imageStore(i_dst, p + band, 0.5 * (a - b - c + d));
    }
    return 0.5 * (a + b + c + d);
}

void main()
{
    ivec2 at = ivec2(gl_LocalInvocationID.xy), group = ivec2(gl_WorkGroupID.xy);
    ivec2 p = 16 * group + at, last = u_size.xy - 1;
    vec4 low = split_block(texelFetch(t_src, min(2 * p, last), 0),
                           texelFetch(t_src, min(2 * p + ivec2(1, 0), last), 0),
                           texelFetch(t_src, min(2 * p + ivec2(0, 1), last), 0),
                           texelFetch(t_src, min(2 * p + 1, last), 0), p, u_size.xy / 2);
    for (int level = 2; level <= 3; ++level) {
        int side = 32 >> level;
        s_low[at.y][at.x] = low;
        memoryBarrierShared();
        barrier();
        ivec2 from = min(2 * at, 14);
        vec4 a = s_low[from.y][from.x], b = s_low[from.y][from.x + 1];
        vec4 c = s_low[from.y + 1][from.x], d = s_low[from.y + 1][from.x + 1];
        bool mine = at.x < side && at.y < side;
        p = side * group + at;
        low = split_block(a, b, c, d, mine ? p : u_size.xy, u_size.xy >> level);
        memoryBarrierShared();
        barrier();
    }
    if (at.x < 4 && at.y < 4 && p.x < u_size.x / 8 && p.y < u_size.y / 8)
        imageStore(i_dst, p, low);
}
