// denoise/interface_scratch.h - scratch between dispatches, and uniforms of dwt, for C and GLSL
// SPDX-License-Identifier: MIT
#pragma once

// ---- scratch of dwt: approximations, row by row, and details (denoise/dwt_forward.comp). Of
// ti_haar with more than three levels: M_3 and R_3 (denoise/ti_haar_coarse.comp)
#define AG_SSBO_DENOISE_FROM 1
#define AG_SSBO_DENOISE_TO 2
#define AG_SSBO_DENOISE_DETAILS 3

// ---- uniforms of dwt
#define AG_LOC_DENOISE_DWT_SIZE 6 // ivec4: samples in x, y; coefficients of a band in x, y
#define AG_LOC_DENOISE_DWT_BAND 7 // vec4: noise gain of HL and LH, of HH; level; 1 = the last one
