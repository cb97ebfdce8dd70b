// ocean/waves.comp - the sea at a time: turns all modes, then an inverse FFT of rows and of columns
//
//       AXIS 0, rows                                         AXIS 1, columns
//       modes at time 0 -> turned -> 4 fields -> FFT of rows -> FFT of columns -> outputs
//
//   in        b_modes, b_loops  rows: from ocean/modes.comp
//   in, out   b_rows            by cascade, field, tile of TILE columns, row: complex values
//   out       i_displacement    columns: lambda Dx, eta, lambda Dz, lambda dDx/dz
//             i_derivatives     d eta/dx, d eta/dz, lambda dDx/dx, lambda dDz/dz
//             i_jacobian        J of the cascade, if there is one
//   host sets AXIS    0 = rows, 1 = columns
//             the defines of fft/line.glsl, radices from last to first; and for columns
//             STORE   AG_STORE_32F or AG_STORE_16F
//             ARRAY   0; 1 = the outputs are arrays, a layer a cascade
//   dispatch  N / LINES, cascades; a group transforms LINES rows or columns of four fields
//   cost      rows read 20 bytes and write 32 a texel; columns read 32 bytes, and write 16 (16-bit
//             floats) or 32, and the Jacobian's 2 or 4
//   how       each complex transform carries two real fields, F + i G, because the transforms of
//             both are Hermitian (rows and columns of N / 2 are 0):
//
//                 field 0   eta + i Dx             (1 - kx/k) h
//                 field 1   Dz + i dDx/dz          i kz/k (1 - kx) h
//                 field 2   d eta/dx + i d eta/dz  (-kz + i kx) h
//                 field 3   dDx/dx + i dDz/dz      -(kx^2/k + i kz^2/k) h
//
//             An inverse transform is a forward one between two swaps of real and imaginary parts
//   source    docs/ocean.md. Tessendorf 2001, "Simulating Ocean Water"
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef AXIS
#error "AXIS (0 or 1) must be set by the host"
#endif
#define MIRROR_FIRST false
#define MIRROR_LAST false
#define LEFT_OUT 0
#include "fft/line.glsl"
#include "ocean/interface.h"

#define TILE AG_FFT_TILE

layout(location = AG_LOC_OCEAN) uniform ivec4 u_ocean;
#define FIRST_CASCADE u_ocean.y
#define CLOCK uint(u_ocean.z)
layout(location = AG_LOC_STEPS) uniform vec4 u_steps;
#define CHOPPINESS u_steps.w

// 0, which no compiler knows: the loop over fields is not unrolled, so that the program is small
#define NEVER min(u_ocean.x, 0)

const int FIRST_STEP = N / R0, LAST_STEP = N / LAST;

#if AXIS == 0
#include "ocean/turns.glsl"

layout(std430, binding = AG_SSBO_MODES) readonly buffer Modes { vec4 b_modes[]; };
layout(std430, binding = AG_SSBO_LOOPS) readonly buffer Loops { uint b_loops[]; };
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Rows { vec2 b_rows[]; };

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
                v[i * R0 + e] = cmul(h[i * R0 + e], factor_of(field, k)).yx;
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

#else
#ifndef ARRAY
#error "ARRAY (0 or 1) must be set by the host"
#endif
#include "common/texel.glsl"

layout(location = AG_LOC_PLACES) uniform ivec4 u_displacement;
#define HAS_JACOBIAN (u_displacement.w != 0)
layout(location = AG_LOC_PLACES2) uniform ivec4 u_derivatives;
layout(location = AG_LOC_PLACES3) uniform ivec4 u_jacobian;
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Rows { vec2 b_rows[]; };
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

const int PLACES = ROUNDS(LAST, false) * LAST; // texels of a thread

// The fields before the last. Each array has as many elements as the loops over it have turns:
// Mesa's RADV (zink on AMD) unrolls such loops up to 32 turns, however large. A loop that is not
// unrolled keeps its arrays in memory, 24 KiB a wave. radeonsi unrolls all.
vec2 g_f0[PLACES], g_f1[PLACES], g_f2[PLACES];

// Of fields whose real and imaginary parts are swapped.
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
#endif
