// wavelet/texel.glsl - the type of samples and coefficients: as many floats as there are channels
//
//   host sets CHANNELS   1, 2 or 4
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef CHANNELS
#error "CHANNELS (1, 2 or 4) must be set by the host"
#endif
#if CHANNELS == 1
#define VALUE float
VALUE narrow(vec4 c) { return c.r; }

vec4 widen(VALUE c, float alpha) { return vec4(c, 0.0, 0.0, alpha); }
#elif CHANNELS == 2
#define VALUE vec2
VALUE narrow(vec4 c) { return c.rg; }

vec4 widen(VALUE c, float alpha) { return vec4(c, 0.0, alpha); }
#else
#define VALUE vec4
VALUE narrow(vec4 c) { return c; }

vec4 widen(VALUE c, float alpha) { return c; }
#endif
