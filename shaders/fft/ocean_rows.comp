// fft/ocean_rows.comp - the sea at a time: turns all modes, then inverse FFTs of rows
//
//   in        b_modes, b_loops  from ocean_modes.comp
//   out       b_rows            by cascade, field, tile of TILE columns, row: complex values
//   host sets the defines of fft/line.glsl (an inverse)
//   dispatch  N / LINES, cascades; a group transforms LINES rows of four fields
//   cost      reads 20 bytes and writes 32 a texel
//   how       each complex transform carries two real fields, F + i G, because the transforms of
//             both are Hermitian (rows and columns of N / 2 are 0):
//
//                 field 0   eta + i Dx             (1 - kx/k) h
//                 field 1   Dz + i dDx/dz          i kz/k (1 - kx) h
//                 field 2   d eta/dx + i d eta/dz  (-kz + i kx) h
//                 field 3   dDx/dx + i dDz/dz      -(kx^2/k + i kz^2/k) h
//   source    docs/ocean.md. Tessendorf 2001, "Simulating Ocean Water"
//   SPDX-License-Identifier: MIT
#version 430 core
#define MIRROR_FIRST false
#define MIRROR_LAST false
#include "fft/line.glsl"
#include "fft/interface_ocean.h"
#include "fft/ocean_turns.glsl"

layout(location = AG_LOC_OCEAN) uniform ivec4 u_ocean;
#define FIRST_CASCADE u_ocean.y
#define CLOCK uint(u_ocean.z)
layout(location = AG_LOC_STEPS) uniform vec4 u_steps;
layout(std430, binding = AG_SSBO_MODES) readonly buffer Modes {
    vec4 b_modes[];
};
layout(std430, binding = AG_SSBO_LOOPS) readonly buffer Loops {
    uint b_loops[];
};
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Rows {
    vec2 b_rows[];
};

// 0, which no compiler knows: the loop over fields is not unrolled, so that the program is small
#define NEVER min(u_ocean.x, 0)

const int FIRST_STEP = N / R0, LAST_STEP = N / LAST;

vec2 h[ELEMENTS]; // the modes of this thread at this time

// The factor of h in a field, a complex number.
vec2 factor_of(int field, vec2 k)
{
    float squared = dot(k, k), scale = squared > 0.0 ? inversesqrt(squared) : 0.0;
    return field == 0   ? vec2(1.0 - k.x * scale, 0.0)
           : field == 1 ? vec2(0.0, k.y * scale * (1.0 - k.x))
           : field == 2 ? vec2(-k.y, k.x)
                        : -k * k * scale;
}

float wave_number(int index, float unit)
{
    return float(index - N * int(index >= N / 2)) * unit;
}

void main()
{
    uint line = LINE, thread = THREAD;
    int row = int(gl_WorkGroupID.x * uint(LINES) + line);
    int cascade = int(gl_WorkGroupID.y), whole = FIRST_CASCADE + cascade;
    float unit = whole == 0 ? u_steps.x : whole == 1 ? u_steps.y : u_steps.z;
    int start = (whole * N + row) * N;
    for (int i = 0; i < ROUNDS(R0, false); ++i)
        for (int e = 0; e < R0; ++e) {
            int at = start + min(int(thread) + i * THREADS, FIRST_STEP - 1) + e * FIRST_STEP;
            vec4 mode = b_modes[at];
            vec2 turned = unit_of_turn(b_loops[at] * CLOCK);
            h[i * R0 + e] = cmul(mode.xy, vec2(turned.x, -turned.y)) + cmul(mode.zw, turned);
        }
    for (int field = 0; field < AG_OCEAN_FIELDS + NEVER; ++field) {
        for (int i = 0; i < ROUNDS(R0, false); ++i)
            for (int e = 0; e < R0; ++e) {
                int n = min(int(thread) + i * THREADS, FIRST_STEP - 1) + e * FIRST_STEP;
                vec2 k = vec2(wave_number(n, unit), wave_number(row, unit));
                v[i * R0 + e] = cmul(h[i * R0 + e], factor_of(field, k)).yx; // an inverse: swapped
            }
        transform(line, thread);
        int plane = (cascade * AG_OCEAN_FIELDS + field) * N * N;
        for (int i = 0; i < ROUNDS(LAST, false); ++i)
            for (int e = 0; e < LAST; ++e) {
                int x = int(thread) + i * THREADS + e * LAST_STEP;
                if (HAS_BUTTERFLY(i, LAST_STEP, false))
                    b_rows[plane + (x / TILE * N + row) * TILE + x % TILE] = v[i * LAST + e].yx;
            }
    }
}
