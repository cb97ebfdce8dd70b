// denoise/frames.glsl - thresholds of a mean of frames, by how many it has at each texel
//
//   in        i_state        what denoise/accumulate.comp wrote
//   host sets STATE_FORMAT   GLSL image format; not set: there is no history
//             the defines of denoise/memory.glsl
//   why       what a moving object uncovers has the noise of one frame beside that of many. sigma
//             is that of a frame. At the most frames F thresholds fall by their root, before by
//             (F / n)^0.42, because much noise hides texture, which a threshold then takes, too
//   source    Schied et al. 2017 (variance by the length of the history)
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/memory.glsl"

#ifdef STATE_FORMAT
layout(STATE_FORMAT, binding = AG_IMAGE_STATE) readonly uniform uimage2D i_state;

// Of thresholds for one frame those for the mean at p.
float factor_of_frames(ivec2 p)
{
    float most = float(u_sets.w);
    p = clamp(p, ivec2(0), u_src_rect.zw - 1);
    float frames = max(unpackHalf2x16(imageLoad(i_state, p).x).x, 1.0);
    return inversesqrt(most) * pow(most / frames, 0.42);
}
#endif
