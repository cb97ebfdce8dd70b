// denoise/keep.comp - the mean becomes the history of the next frame
//
//   in        i_mean, i_frames   from denoise/accumulate.comp
//   out       i_dst              the host's history
//   host sets HISTORY_FORMAT     of i_mean and i_dst, so texels are copied without rounding
//   dispatch  groups of 16 x 16 texels
//   why       accumulate.comp cannot write the history, because other texels still read it
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef HISTORY_FORMAT
#error "HISTORY_FORMAT must be set by the host"
#endif
#include "common/interface.h"
#include "denoise/interface_atrous.h"

layout(local_size_x = 16, local_size_y = 16) in;

layout(HISTORY_FORMAT, binding = AG_IMAGE_HISTORY) readonly uniform image2D i_mean;
layout(r16f, binding = AG_IMAGE_FRAMES) readonly uniform image2D i_frames;
layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_dst_rect.zw)))
        imageStore(i_dst, u_dst_rect.xy + p,
                   vec4(imageLoad(i_mean, p).rgb, imageLoad(i_frames, p).r));
}
