// passes_ref.c - the passes of passes/, in double, written from their sources and definitions
// SPDX-License-Identifier: MIT
#include "passes_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

static const double pi = 3.14159265358979323846;

static double clamped(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

static const double *texel(const ref_image *image, int x, int y)
{
    x = x < 0 ? 0 : x < image->width ? x : image->width - 1;
    y = y < 0 ? 0 : y < image->height ? y : image->height - 1;
    return image->texels + 4 * (y * image->width + x);
}

static void between(const ref_image *image, double x, double y, double out[4])
{
    double left = floor(x - 0.5), top = floor(y - 0.5), a = x - 0.5 - left, b = y - 0.5 - top;
    int i = (int)left, k = (int)top;
    for (int c = 0; c < 4; ++c)
        out[c] = (1 - b) * ((1 - a) * texel(image, i, k)[c] + a * texel(image, i + 1, k)[c]) +
                 b * ((1 - a) * texel(image, i, k + 1)[c] + a * texel(image, i + 1, k + 1)[c]);
}

// ---- tone_map ----------------------------------------------------------------------------------

static void times(const double m[3][3], const double in[3], double out[3]) // by rows
{
    for (int i = 0; i < 3; ++i)
        out[i] = m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2];
}

static void aces(double c[3])
{
    static const double to[3][3] = {{0.59719, 0.35458, 0.04823},
                                    {0.07600, 0.90834, 0.01566},
                                    {0.02840, 0.13383, 0.83777}};
    static const double from[3][3] = {{1.60475, -0.53108, -0.07367},
                                      {-0.10208, 1.10813, -0.00605},
                                      {-0.00327, -0.07276, 1.07602}};
    double v[3];
    times(to, c, v);
    for (int i = 0; i < 3; ++i)
        v[i] = (v[i] * (v[i] + 0.0245786) - 0.000090537) /
               (v[i] * (0.983729 * v[i] + 0.4329510) + 0.238081);
    times(from, v, c);
}

static void agx(double c[3])
{
    static const double to[3][3] = {{0.842479062253094, 0.0784335999999992, 0.0792237451477643},
                                    {0.0423282422610123, 0.878468636469772, 0.0791661274605434},
                                    {0.0423756549057051, 0.0784336, 0.879142973793104}};
    static const double from[3][3] = {{1.19687900512017, -0.0980208811401368, -0.0990297440797205},
                                      {-0.0528968517574562, 1.15190312990417, -0.0989611768448433},
                                      {-0.0529716355144438, -0.0980434501171241, 1.15107367264116}};
    double v[3];
    times(to, c, v);
    for (int i = 0; i < 3; ++i) {
        double x = v[i] > 1e-10 ? v[i] : 1e-10;
        x = clamped((log2(x) + 12.47393) / (4.026069 + 12.47393), 0, 1);
        v[i] = 15.5 * pow(x, 6) - 40.14 * pow(x, 5) + 31.96 * pow(x, 4) - 6.868 * pow(x, 3) +
               0.4298 * x * x + 0.1191 * x - 0.00232;
    }
    times(from, v, c);
    for (int i = 0; i < 3; ++i)
        c[i] = pow(c[i] > 0 ? c[i] : 0, 2.2);
}

static void neutral(double c[3])
{
    double low = fmin(c[0], fmin(c[1], c[2])), offset = low < 0.08 ? low - 6.25 * low * low : 0.04;
    for (int i = 0; i < 3; ++i)
        c[i] -= offset;
    double peak = fmax(c[0], fmax(c[1], c[2])), d = 1 - 0.76;
    if (peak < 0.76)
        return;
    double shown = 1 - d * d / (peak + d - 0.76), white = 1 - 1 / (0.15 * (peak - shown) + 1);
    for (int i = 0; i < 3; ++i)
        c[i] = (1 - white) * c[i] * shown / peak + white * shown;
}

void tone_map_ref(const ref_image *src, int curve, double ev, int encode, int x, int y,
                  double out[4])
{
    memcpy(out, texel(src, x, y), 4 * sizeof *out);
    for (int i = 0; i < 3; ++i)
        out[i] = fmax(out[i], 0) * exp2(ev);
    (curve == 0 ? aces : curve == 1 ? agx : neutral)(out);
    for (int i = 0; i < 3; ++i) {
        out[i] = clamped(out[i], 0, 1);
        out[i] = encode ? format_srgb_encode(out[i]) : out[i];
    }
}

// ---- film_grain --------------------------------------------------------------------------------

static void grain(int x, int y, uint32_t frame, uint32_t seed, double out[4])
{
    uint32_t v[4] = {(uint32_t)x, (uint32_t)y, frame, seed};
    for (int i = 0; i < 4; ++i)
        v[i] = v[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; ++round) {
        v[0] += v[1] * v[3];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
        v[3] += v[1] * v[2];
        for (int i = 0; i < 4 && !round; ++i)
            v[i] ^= v[i] >> 16;
    }
    for (int i = 0; i < 4; ++i)
        out[i] = sqrt(12) * (ldexp(v[i] >> 8, -24) - 0.5);
}

static double to_code(double v, int codes)
{
    v = clamped(v, 0, 1);
    return codes ? v : format_srgb_encode(v);
}

static double from_code(double v, int codes)
{
    v = clamped(v, 0, 1);
    return codes ? v : format_srgb_decode(v);
}

void film_grain_ref(const ref_image *src, double strength, double size, double colour,
                    uint32_t seed, uint32_t frame, int codes, int x, int y, double out[4])
{
    double n[4] = {0}, squares = 0, u = (x + 0.5) / size - 0.5, v = (y + 0.5) / size - 0.5;
    int left = (int)floor(u), top = (int)floor(v);
    for (int k = 0; k < 4; ++k) {
        double a = u - left, b = v - top, g[4];
        double w = (k & 1 ? a : 1 - a) * (k & 2 ? b : 1 - b);
        grain(left + (k & 1), top + (k >> 1), frame, seed, g);
        for (int c = 0; c < 4; ++c)
            n[c] += w * g[c];
        squares += w * w;
    }
    memcpy(out, texel(src, x, y), 4 * sizeof *out);
    for (int c = 0; c < 3; ++c) {
        double noise = (colour * n[c] + (1 - colour) * n[3]) /
                       sqrt(squares * (colour * colour + (1 - colour) * (1 - colour)));
        double code = to_code(out[c], codes);
        out[c] = from_code(code + strength * sqrt(code * (1 - code)) * noise, codes);
    }
}

// ---- sharpen, lens -----------------------------------------------------------------------------

void sharpen_ref(const ref_image *src, double amount, int codes, int x, int y, double out[4])
{
    static const int by[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    memcpy(out, texel(src, x, y), 4 * sizeof *out);
    for (int c = 0; c < 3; ++c) {
        double low = 1, high = 0, sum = 0, middle = to_code(out[c], codes);
        for (int k = 0; k < 5; ++k) {
            double v = to_code(texel(src, x + by[k][0], y + by[k][1])[c], codes);
            low = fmin(low, v);
            high = fmax(high, v);
            sum += k ? v : 0;
        }
        double room = clamped(fmin(low, 1 - high) / fmax(high, 1e-6), 0, 1);
        double w = -sqrt(room) / (8 - 3 * amount);
        out[c] = from_code((middle + w * sum) / (1 + 4 * w), codes);
    }
}

void lens_ref(const ref_image *src, double aberration, double vignette, double view, int x, int y,
              double out[4])
{
    double mx = 0.5 * src->width, my = 0.5 * src->height, radius = hypot(mx, my);
    double px = x + 0.5 - mx, py = y + 0.5 - my, r = hypot(px, py) / radius, red[4], blue[4];
    // In the direction of the texel, by half of the aberration times the square of r.
    double by = r > 0 ? 0.5 * aberration * r * r / hypot(px, py) : 0;
    memcpy(out, texel(src, x, y), 4 * sizeof *out);
    between(src, mx + px * (1 - by), my + py * (1 - by), red);
    between(src, mx + px * (1 + by), my + py * (1 + by), blue);
    out[0] = red[0];
    out[2] = blue[2];
    double dark = pow(cos(atan(r * tan(view / 2 * pi / 180))), 4);
    for (int c = 0; c < 3; ++c)
        out[c] *= 1 - vignette + vignette * dark;
}

// ---- edges -------------------------------------------------------------------------------------

static double value(const ref_image *src, int x, int y)
{
    const double *c = texel(src, x, y);
    return (c[0] + 2 * c[1] + c[2]) / 4;
}

static double bend(const ref_image *src, int x, int y, int dx, int dy)
{
    return fabs(value(src, x - dx, y - dy) - 2 * value(src, x, y) + value(src, x + dx, y + dy));
}

static double follow(const ref_image *src, int x, int y, int dx, int dy, int ax, int ay,
                     double mean, double most, int reach, int *steps)
{
    double off = 0;
    for (*steps = 1; *steps <= reach; ++*steps) {
        int qx = x + *steps * dx, qy = y + *steps * dy;
        off = (value(src, qx, qy) + value(src, qx + ax, qy + ay)) / 2 - mean;
        if (fabs(off) >= most)
            return off;
    }
    *steps = reach;
    return off;
}

void edges_ref(const ref_image *src, double threshold, int reach, int x, int y, double out[4])
{
    double v[5] = {value(src, x, y), value(src, x - 1, y), value(src, x + 1, y),
                   value(src, x, y - 1), value(src, x, y + 1)},
           low = 2, high = 0;
    for (int i = 0; i < 5; ++i) {
        low = fmin(low, v[i]);
        high = fmax(high, v[i]);
    }
    memcpy(out, texel(src, x, y), 4 * sizeof *out);
    if (high - low < threshold * high || high <= low)
        return;
    double along_x =
        2 * bend(src, x, y, 1, 0) + bend(src, x, y - 1, 1, 0) + bend(src, x, y + 1, 1, 0);
    double along_y =
        2 * bend(src, x, y, 0, 1) + bend(src, x - 1, y, 0, 1) + bend(src, x + 1, y, 0, 1);
    int level = along_y >= along_x;
    double before = level ? v[3] : v[1], after = level ? v[4] : v[2];
    int sign = fabs(before - v[0]) >= fabs(after - v[0]) ? -1 : 1;
    double other = sign < 0 ? before : after, mean = (v[0] + other) / 2;
    double most = fabs(other - v[0]) / 4;
    int ax = level ? 0 : sign, ay = level ? sign : 0, a, b;
    double off_a = follow(src, x, y, -level, -!level, ax, ay, mean, most, reach, &a);
    double off_b = follow(src, x, y, level, !level, ax, ay, mean, most, reach, &b);
    double off = a <= b ? off_a : off_b, nearest = (a < b ? a : b) - 0.5;
    if (fabs(off) < most || (off > 0) != (other > v[0]))
        return;
    for (int c = 0; c < 4; ++c)
        out[c] += (0.5 - nearest / (a + b - 1)) * (texel(src, x + ax, y + ay)[c] - out[c]);
}

// ---- kawase ------------------------------------------------------------------------------------

static double *resized(const ref_image *from, int width, int height, int down, double spread)
{
    double *out = malloc((size_t)(width * height * 4) * sizeof *out);
    for (int i = 0; out && i < width * height; ++i) {
        double x = (i % width + 0.5) * from->width / width,
               y = (i / width + 0.5) * from->height / height;
        double sum[4] = {0}, part[4], weights = 0;
        for (int k = 0; k < 9; ++k) {
            int dx = k % 3 - 1, dy = k / 3 - 1, corner = dx && dy, middle = !dx && !dy;
            double w = down ? (middle ? 4 : corner ? 1 : 0) : (middle ? 0 : corner ? 2 : 1);
            double by = spread * (!down && corner ? 0.5 : 1);
            between(from, x + by * dx, y + by * dy, part);
            for (int c = 0; c < 4; ++c)
                sum[c] += w * part[c];
            weights += w;
        }
        for (int c = 0; c < 4; ++c)
            out[4 * i + c] = sum[c] / weights;
    }
    return out;
}

double *kawase_ref(const ref_image *src, int levels, double spread)
{
    ref_image chain[9] = {*src};
    for (int i = 1; i <= levels; ++i) {
        int w = (chain[i - 1].width + 1) / 2, h = (chain[i - 1].height + 1) / 2;
        chain[i] = (ref_image){resized(&chain[i - 1], w, h, 1, spread), w, h};
    }
    // chain[levels] is the smallest; the result of each step takes the place of the level above.
    double *result = NULL;
    for (int i = levels; i >= 1; --i) {
        const double *had = chain[i].texels;
        result = resized(&chain[i], chain[i - 1].width, chain[i - 1].height, 0, spread);
        free((void *)had);
        if (i > 1) {
            free((void *)chain[i - 1].texels);
            chain[i - 1].texels = result;
        }
    }
    return result;
}
