// fft/ocean_columns.comp - the sea at a time: inverse FFTs of columns, and the outputs
//
//   in        b_rows          from ocean_rows.comp
//   out       i_displacement  lambda Dx, eta, lambda Dz, lambda dDx/dz
//             i_derivatives   d eta/dx, d eta/dz, lambda dDx/dx, lambda dDz/dz
//             i_jacobian      J of the cascade, if there is one
//   host sets the defines of fft/line.glsl (an inverse)
//             STORE   AG_STORE_32F or AG_STORE_16F
//             ARRAY   1 = the outputs are arrays, a layer a cascade
//   dispatch  N / LINES, cascades; a group transforms LINES columns of four fields
//   cost      reads 32 bytes a texel, writes 16 (16-bit floats) or 32, and the Jacobian's 2 or 4
//   source    docs/ocean.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef ARRAY
#error "ARRAY (0 or 1) must be set by the host"
#endif
#define MIRROR_FIRST false
#define MIRROR_LAST false
#include "fft/line.glsl"
#include "fft/interface_ocean.h"
#include "common/texel.glsl"

layout(location = AG_LOC_OCEAN) uniform ivec4 u_ocean;
#define FIRST_CASCADE u_ocean.y
layout(location = AG_LOC_STEPS) uniform vec4 u_steps;
#define CHOPPINESS u_steps.w
layout(location = AG_LOC_PLACES) uniform ivec4 u_displacement;
#define HAS_JACOBIAN (u_displacement.w != 0)
layout(location = AG_LOC_PLACES2) uniform ivec4 u_derivatives;
layout(location = AG_LOC_PLACES3) uniform ivec4 u_jacobian;
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Rows {
    vec2 b_rows[];
};
#if ARRAY
#define OUTPUT image2DArray
#define PLACE_OF(first, p, layer) ivec3((first).xy + (p), (first).z + (layer))
#else
#define OUTPUT image2D
#define PLACE_OF(first, p, layer) ((first).xy + (p))
#endif
layout(binding = AG_IMAGE_DISPLACEMENT) writeonly uniform OUTPUT i_displacement;
layout(binding = AG_IMAGE_DERIVATIVES) writeonly uniform OUTPUT i_derivatives;
layout(binding = AG_IMAGE_JACOBIAN) writeonly uniform OUTPUT i_jacobian;

// 0, which no compiler knows: the loop over fields is not unrolled, so that the program is small
#define NEVER min(u_ocean.x, 0)

const int FIRST_STEP = N / R0, LAST_STEP = N / LAST;
const int PLACES = ROUNDS(LAST, false) * LAST; // texels of a thread

// The fields before the last. Arrays have as many elements as the loops over them have turns: these
// loops of up to 32 turns Mesa's RADV (zink on AMD) unrolls, however large. A loop that stays one
// puts its arrays into memory, 24 KiB a wave. radeonsi unrolls all.
vec2 g_f0[PLACES], g_f1[PLACES], g_f2[PLACES];

// Real and imaginary parts are swapped: this is an inverse transform.
void store(ivec2 p, int layer, vec2 f0, vec2 f1, vec2 f2, vec2 f3)
{
    vec4 displacement = vec4(CHOPPINESS * f0.x, f0.y, CHOPPINESS * f1.yx);
    vec4 derivatives = vec4(f2.yx, CHOPPINESS * f3.yx);
    float jacobian =
        (1.0 + derivatives.z) * (1.0 + derivatives.w) - displacement.w * displacement.w;
    imageStore(i_displacement, PLACE_OF(u_displacement, p, layer), round_for_store(displacement));
    imageStore(i_derivatives, PLACE_OF(u_derivatives, p, layer), round_for_store(derivatives));
    if (HAS_JACOBIAN)
        imageStore(i_jacobian, PLACE_OF(u_jacobian, p, layer), round_for_store(vec4(jacobian)));
}

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line), cascade = int(gl_WorkGroupID.y);
    int start = cascade * AG_OCEAN_FIELDS * N * N + column / TILE * (N * TILE) + column % TILE;
    for (int e = 0; e < PLACES; ++e) // else the first turns move what was never set
        g_f0[e] = g_f1[e] = g_f2[e] = vec2(0.0);
    for (int e = 0; e < ELEMENTS; ++e)
        v[e] = vec2(0.0);
    for (int field = 0; field < AG_OCEAN_FIELDS + NEVER; ++field) {
        for (int e = 0; e < PLACES; ++e) {
            g_f0[e] = g_f1[e];
            g_f1[e] = g_f2[e];
            g_f2[e] = v[e];
        }
        for (int i = 0; i < ROUNDS(R0, false); ++i)
            for (int e = 0; e < R0; ++e) {
                int z = min(int(thread) + i * THREADS, FIRST_STEP - 1) + e * FIRST_STEP;
                v[i * R0 + e] = b_rows[start + field * N * N + z * TILE].yx;
            }
        transform(line, thread);
    }
    for (int e = 0; e < PLACES; ++e) {
        int i = e / LAST, z = int(thread) + i * THREADS + e % LAST * LAST_STEP;
        if (HAS_BUTTERFLY(i, LAST_STEP, false))
            store(ivec2(column, z), FIRST_CASCADE + cascade, g_f0[e], g_f1[e], g_f2[e], v[e]);
    }
}
