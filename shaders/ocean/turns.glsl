// ocean/turns.glsl - cos and sin of an angle given as a 32-bit fraction of a turn
//   why       drivers' sin and cos err by 1e-3 for large angles. The integer wraps as a turn does,
//             so the time of an hour or of a year has the same error: 1e-7
//   how       the nearest quarter is taken off exactly; polynomials do the rest
//   SPDX-License-Identifier: MIT
#pragma once

vec2 unit_of_turn(uint turn)
{
    uint quarter = (turn + 0x20000000u) >> 30u;
    float x = float(int(turn - (quarter << 30u))) * 1.46291807926715968e-9; // 2 pi / 2^32
    float y = x * x;                                                       // |x| <= pi / 4
    float s = x + x * y * (-0.16666666666 + y * (0.00833333190 + y * (-0.000198393348 +
                                                                      y * 2.71811e-6)));
    float c = 1.0 + y * (-0.5 + y * (0.0416666664 + y * (-0.00138888397 + y * 2.476e-5)));
    vec2 unit = (quarter & 1u) == 0u ? vec2(c, s) : vec2(-s, c);
    return (quarter & 2u) == 0u ? unit : -unit;
}
