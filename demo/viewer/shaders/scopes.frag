// scopes.frag - the counts of scopes.comp as a histogram (left) and a waveform (right)
//
//   in        b_all, b_columns
//   out       codes of 8 bits; row 0 is the top
//   SPDX-License-Identifier: MIT
#version 430 core

layout(std430, binding = 0) readonly buffer Counts {
    uint b_all[768];
    uint b_columns[];
};
layout(location = 0) uniform ivec4 u_size;   // of what is drawn to; columns of the waveform; columns left for the histogram
layout(location = 1) uniform vec2 u_texels;  // of the picture, and of a column of it
layout(location = 0) out vec4 o_code;

// Codes that fall on a place of `length` places; at most 4, so that each place is 64 codes long or more.
ivec2 codes(float at, float length_) {
    int first = int(at * 256.0 / length_), end = int((at + 1.0) * 256.0 / length_);
    return ivec2(first, max(end, first + 1));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy); vec3 light = vec3(0.0);
    if (p.x < u_size.w) {
        // The top is a share of 1/25 in one code; the scale is that of square roots, so that few texels are seen.
        ivec2 range = codes(float(p.x), float(u_size.w));
        float level = float(u_size.y - p.y) / float(u_size.y);
        for (int c = 0; c < 3; ++c) {
            uint most = 0u;
            for (int k = 0; k < 4; ++k) most = max(most, range.x + k < range.y ? b_all[256 * c + range.x + k] : 0u);
            light[c] = sqrt(float(most) / u_texels.x * 25.0) >= level ? 0.72 : 0.0;
        }
    } else {
        int column = (p.x - u_size.w) * u_size.z / (u_size.x - u_size.w);
        ivec2 range = codes(float(u_size.y - 1 - p.y), float(u_size.y));
        for (int c = 0; c < 3; ++c) {
            uint sum = 0u;
            for (int k = 0; k < 4; ++k) sum += range.x + k < range.y ? b_columns[768 * column + 256 * c + range.x + k] : 0u;
            light[c] = 1.0 - exp2(-24.0 * float(sum) / u_texels.y);
        }
    }
    o_code = vec4(0.043 + light * 0.9, 1.0);
}
