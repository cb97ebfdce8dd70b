// denoise/frames.glsl - of how many frames a texel's history is the mean, and so what noise it has
//
//   in        i_state        with STATE_FORMAT: what denoise/accumulate.comp wrote
//   host sets STATE_FORMAT   GLSL image format; not set: there is no history
//             the defines of denoise/memory.glsl
//   why       noise of one strength before is of many after: what a moving object uncovers has that
//             of one frame beside that of all. sigma is of a frame, of a block sigma / sqrt(frames)
//   source    Schied et al. 2017 (variance by the length of the history)
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/memory.glsl"

#ifdef STATE_FORMAT
layout(STATE_FORMAT, binding = AG_IMAGE_STATE) readonly uniform uimage2D i_state;

// By which the variance of one frame is divided.
float frames_at(ivec2 p)
{
    p = clamp(p, ivec2(0), u_src_rect.zw - 1);
    return max(unpackHalf2x16(imageLoad(i_state, p).x).x, 1.0);
}
#else
float frames_at(ivec2 p) { return 1.0; }
#endif
