// scopes.comp - how often each code of 8 bits is in a picture, and in each column of a waveform
//
//   in        t_canvas: codes; u_rect of it
//   out       b_all: counts by channel and code; b_columns: the same by column, one group a column
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 256) in;
layout(binding = 0) uniform sampler2D t_canvas;
layout(location = 0) uniform ivec4 u_rect;   // x, y, width (at least the number of groups), height
layout(std430, binding = 0) buffer Counts {
    uint b_all[768];       // channel * 256 + code; zero before
    uint b_columns[];      // column * 768 + the same
};
shared uint s_counts[768];

void main() {
    int t = int(gl_LocalInvocationIndex);
    int column = int(gl_WorkGroupID.x), columns = int(gl_NumWorkGroups.x);
    for (int c = 0; c < 3; ++c) s_counts[256 * c + t] = 0u;
    barrier();
    int x0 = column * u_rect.z / columns, wide = (column + 1) * u_rect.z / columns - x0;
    for (int i = t; i < wide * u_rect.w; i += 256) {
        vec4 v = texelFetch(t_canvas, u_rect.xy + ivec2(x0 + i % wide, i / wide), 0);
        for (int c = 0; c < 3; ++c) atomicAdd(s_counts[256 * c + int(v[c] * 255.0 + 0.5)], 1u);
    }
    barrier();
    for (int c = 0; c < 3; ++c) {
        uint n = s_counts[256 * c + t];
        b_columns[768 * column + 256 * c + t] = n;
        if (n > 0u) atomicAdd(b_all[256 * c + t], n);
    }
}
