// edges/pass.comp - smooths the steps of edges, in the picture alone
//
//! pass     edges "smooths the stairs of edges (antialiasing) in the picture alone"
//! slot     src read colour "the image as a display shows it, 0 to 1"
//! slot     dst write colour "the smoothed image"
//! setting  threshold float 0.125 0.03..0.5 "contrast of an edge, of the largest value beside it"
//! setting  reach int 12 1..32 "texels to follow an edge, each way"
//! setting  values choice linear codes constant "what src and dst hold: light, or codes of sRGB"
//! texture  grey r32f size src
//! step     value src -> grey
//! step     smooth src grey -> dst group 8x8
//
//   edge     between a texel and the neighbour across it that differs most, along the axis with
//            the smaller second differences
//   stair    the edge is followed both ways to where the mean of its two sides changes by a quarter
//            of its contrast. Between ends that differ it is a straight line: the texel gets the
//            share of its neighbour that this line covers, which is largest at the nearer end
//   values   (r + 2 g + b) / 4, of light the roots; texels are mixed as src holds them
//   alpha    is mixed as colours are
//   source   Lottes 2009, FXAA white paper; Jimenez et al. 2011, "Filtering approaches for
//            real-time anti-aliasing"
//   SPDX-License-Identifier: MIT
#include "pass.glsl"

#ifdef STEP_value
void main()
{
    vec4 c = load(src, this_texel);
#if setting_values == values_linear
    c.rgb = sqrt(clamp(c.rgb, 0.0, 1.0));
#endif
    store(grey, this_texel, vec4(0.25 * (c.r + c.g) + 0.25 * (c.g + c.b)));
}
#else
float value_at(ivec2 p) { return load(grey, p).r; }

// How far the edge goes on by `along`, and by how much the mean of its sides is then off.
float follow(ivec2 p, ivec2 along, ivec2 across, float mean, float most, out float off)
{
    int i = 1;
    for (; i <= setting_reach; ++i) {
        ivec2 q = p + i * along;
        off = 0.5 * (value_at(q) + value_at(q + across)) - mean;
        if (abs(off) >= most)
            break;
    }
    return float(min(i, setting_reach));
}

void main()
{
    ivec2 p = this_texel;
    const ivec2 x = ivec2(1, 0), y = ivec2(0, 1);
    float c = value_at(p), w = value_at(p - x), e = value_at(p + x), n = value_at(p - y),
          s = value_at(p + y);
    vec4 colour = load(src, p);
    float high = max(c, max(max(w, e), max(n, s))), low = min(c, min(min(w, e), min(n, s)));
    if (high - low >= setting_threshold * high && high > low) {
        float bend_x = 2.0 * abs(w - 2.0 * c + e) +
            abs(value_at(p - y - x) - 2.0 * n + value_at(p - y + x)) +
            abs(value_at(p + y - x) - 2.0 * s + value_at(p + y + x));
        float bend_y = 2.0 * abs(n - 2.0 * c + s) +
            abs(value_at(p - x - y) - 2.0 * w + value_at(p - x + y)) +
            abs(value_at(p + x - y) - 2.0 * e + value_at(p + x + y));
        bool level = bend_y >= bend_x; // the edge runs along x
        float before = level ? n : w, after = level ? s : e;
        bool back = abs(before - c) >= abs(after - c);
        ivec2 across = (level ? y : x) * (back ? -1 : 1), along = level ? x : y;
        float other = back ? before : after, mean = 0.5 * (c + other);
        float most = 0.25 * abs(other - c), off_a = 0.0, off_b = 0.0;
        float a = follow(p, -along, across, mean, most, off_a);
        float b = follow(p, along, across, mean, most, off_b);
        // The line cuts this side only if the nearer end leans to the neighbour.
        float off = a <= b ? off_a : off_b;
        float near = min(a, b) - 0.5, span = a + b - 1.0; // from the texel's centre to the ends
        bool cut = (off > 0.0) == (other > c) && abs(off) >= most;
        if (cut)
            colour = mix(colour, load(src, p + across), 0.5 - near / span);
    }
    store(dst, p, colour);
}
#endif
