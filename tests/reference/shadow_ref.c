// shadow_ref.c - the effect "soft_shadow" by its definition (docs/soft_shadow.md), in double
// SPDX-License-Identifier: MIT
#include "shadow_ref.h"

#include <math.h>

static double clamp(double v, double low, double high)
{
    return v < low ? low : v > high ? high : v;
}

double shadow_ref_depth(const ag_soft_shadow_settings *s, double d)
{
    double n = (double)s->near_plane, f = (double)s->far_plane;
    if (s->encoding == AG_SHADOW_LINEAR)
        return (d - n) / (f - n);
    if (s->encoding == AG_SHADOW_REVERSED)
        d = 1 - d;
    return s->light == AG_SHADOW_SPOT ? (n * f / (f - d * (f - n)) - n) / (f - n) : d;
}

double shadow_ref_code(const ag_soft_shadow_settings *s, double d)
{
    double z = isfinite(d) ? shadow_ref_depth(s, d) : 1;
    return floor(clamp(z, 0, 1) * 65535 + 0.5);
}

// How much of texel i lies in from .. to.
static double part(int i, double from, double to)
{
    return fmax(fmin(to, i + 1) - fmax(from, i), 0);
}

// Texel by texel: area, and sums of T - z and of its square, T = t in 16 bits.
static void box_sums(const shadow_ref_map *map, const double from[2], const double to[2], double t,
                     double sums[3])
{
    double code = floor(clamp(t, 0, 1) * 65535 + 0.5);
    sums[0] = sums[1] = sums[2] = 0;
    for (int y = (int)fmax(floor(from[1]), 0); y < map->height && y < to[1]; ++y)
        for (int x = (int)fmax(floor(from[0]), 0); x < map->width && x < to[0]; ++x) {
            double weight = part(x, from[0], to[0]) * part(y, from[1], to[1]);
            double d = code - map->z[(long)y * map->width + x];
            sums[0] += weight;
            sums[1] += weight * d;
            sums[2] += weight * d * d;
        }
}

// The penumbra of a blocker at depth `blocker`, in texels.
static double penumbra(const ag_soft_shadow_settings *s, const shadow_ref_map *map, double blocker,
                       double t)
{
    double n = (double)s->near_plane, range = (double)s->far_plane - n;
    double metre = map->width / (double)s->map_width;
    if (s->light == AG_SHADOW_SPOT)
        return metre * (double)s->light_width * (1 / (n + range * blocker) - 1 / (n + range * t));
    return metre * 2 * tan((double)s->light_angle * acos(-1) / 360) * range * (t - blocker);
}

static void around(const shadow_ref_map *map, const double at[2], double side, double t,
                   double sums[3])
{
    double from[2] = {at[0] - side / 2, at[1] - side / 2};
    double to[2] = {at[0] + side / 2, at[1] + side / 2};
    box_sums(map, from, to, t, sums);
}

// Whether a box's mean lies more than 64 codes behind, or its blocker before the near plane. In
// doubt by half a code, and a thousandth.
static bool beyond(const double sums[3], double t, bool *doubt)
{
    double behind = -sums[1] / sums[0], before = sums[2] / (sums[1] * 65535 * t);
    if (doubt)
        *doubt = *doubt || fabs(behind - 64) < 0.5 || fabs(before - 1) < 1e-3;
    return behind > 64 || before >= 1;
}

double shadow_ref(const ag_soft_shadow_settings *s, const shadow_ref_map *map, const double at[2],
                  double t, bool *doubt)
{
    double least = (double)s->min_box, most = (double)s->max_box, sums[3];
    double side = clamp(penumbra(s, map, 0, t), least, most);
    around(map, at, side, t, sums);
    if (doubt) // also: t lies between two codes
        *doubt = fabs(sums[1]) < 1e-3 * sums[0] * 65535 ||
                 fabs(t * 65535 - floor(t * 65535) - 0.5) < 0.1;
    bool found = !beyond(sums, t, doubt);
    if (found && !(sums[1] > 0))
        return 1;
    double blocker = found ? clamp(t - sums[2] / sums[1] / 65535, 0, t) : t;
    side = clamp(penumbra(s, map, blocker, t), least, most);
    around(map, at, side, t, sums);
    if (beyond(sums, t, doubt))
        around(map, at, least, t, sums);
    double lit = sums[1] > 0 ? 1 - sums[1] * sums[1] / (sums[0] * sums[2]) : 1;
    return clamp((lit - (double)s->bleed) / (1 - (double)s->bleed), 0, 1);
}
