// denoise/ti_haar.comp - denoises by thresholding the Haar transforms of all shifts: one dispatch
//
//   in        t_src or i_src   the image
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_denoise        with STATISTICS: the counts of this image
//             b_info.scrubbed
//   host sets LEVELS           1..3
//             TILE             AG_DENOISE_TI_TILE, or _TI_GROUP_TILE with a joint threshold
//             THREADS          ((TILE + 4) / 2)^2: 256, 64 with a joint threshold
//             the defines of denoise/component.glsl, shrink.glsl, statistics.glsl and
//             common/store.glsl
//   method    m_0 is the image, m_l(p) the LL of the block of 2^l x 2^l texels whose corner is p,
//             at every p. A step of four values of m_(l-1), h = 2^(l-1) apart, gives the
//             coefficients of that block. Each block's corner belongs to one of 4^l shifts, so the
//             mean over all shifts is, level by level, the mean over the four blocks in which a
//             quarter lies:
//
//        removed_(l-1)(p) = 1/8 sum over i, j of (removed_l + (-1)^i HL + (-1)^j LH
//                                                 + (-1)^(i+j) HH)(p - h (i, j))
//
//             where HL, LH and HH are what the threshold removes. removed_0 leaves the image.
//   tile      SIDE = TILE + 2 (2^LEVELS - 1) texels a side are loaded. A thread makes 2 x 2 values
//             of a level, h apart, so it makes 3 x 3 steps from 4 x 4 values of m:
//
//             m   m   m   m          o: its values; x, o: corners of the blocks whose coefficients
//               x   x   x            it makes
//             m   m   m   m
//               x   o   o
//             m   m   m   m
//               x   o   o
//             m   m   m   m
//
//   dispatch  tiles of TILE x TILE texels in x and y; THREADS threads
//   shared    SIDE x PITCH floats for each level and component at once: 21.7 KiB, and 3 KiB of bins
//   cost      each texel read (SIDE / TILE)^2 = 2.25 times, mostly from the cache; some 40 accesses
//             to shared memory a texel and component
//   source    Coifman, Donoho 1995 (translation invariance); Beylkin 1992 (all shifts at once);
//             docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "denoise/extend.glsl"
#include "denoise/haar.glsl"
#include "denoise/interface.h"

#define TASKS_X ((TILE + 4) / 2)
#if THREADS != TASKS_X * TASKS_X
#error "THREADS must be ((TILE + 4) / 2)^2"
#endif
#define HALO ((1 << LEVELS) - 1)
#define SIDE (TILE + 2 * HALO)
#define PITCH (TILE + 16)
#define ROWS (TILE + 14)
#define TEXELS ((SIDE * SIDE + THREADS - 1) / THREADS) // a thread loads

#include "denoise/statistics.glsl"
#include "common/store.glsl"

layout(local_size_x = THREADS) in;

// Plane l holds m_l, and later what is removed of m_l.
shared float s_plane[LEVELS * TOGETHER * ROWS * PITCH];

V plane_value(int plane, int at)
{
    at += plane * TOGETHER * ROWS * PITCH;
#if TOGETHER == 1
    return s_plane[at];
#else
    return V(s_plane[at], s_plane[at + ROWS * PITCH], s_plane[at + 2 * ROWS * PITCH]);
#endif
}

void set_plane(int plane, int at, V value)
{
    at += plane * TOGETHER * ROWS * PITCH;
#if TOGETHER == 1
    s_plane[at] = value;
#else
    for (int c = 0; c < 3; ++c)
        s_plane[at + c * ROWS * PITCH] = value[c];
#endif
}

ivec2 tile_corner()
{
    return ivec2(gl_WorkGroupID.xy) * TILE;
}

// Place k of a thread among `width` x `width` places.
ivec2 place_of_thread(int k, int width)
{
    int at = int(gl_LocalInvocationIndex) + k * THREADS;
    return ivec2(at % width, at / width);
}

// m_level of m_(level-1), wherever the block of a place was loaded whole.
void make_level(const int level)
{
    const int h = 1 << (level - 1), width = SIDE - (2 * h - 1);
    const int steps = (width * width + THREADS - 1) / THREADS;
    for (int k = 0; k < steps; ++k) {
        ivec2 p = place_of_thread(k, width);
        int at = p.y * PITCH + p.x;
        if (p.y < width)
            set_plane(level, at,
                      (plane_value(level - 1, at) + plane_value(level - 1, at + h) +
                       plane_value(level - 1, at + h * PITCH) +
                       plane_value(level - 1, at + h * PITCH + h)) * 0.5);
    }
}

#if STATISTICS || LOCAL
float part_of(V value, int c)
{
#if TOGETHER == 1
    return value;
#else
    return value[c];
#endif
}

// Counts the coefficients of one shift, of blocks whose corner is a multiple of 2^level in the
// image and lies in the tile.
void count_level(const int level, int first)
{
    const int h = 1 << (level - 1), size = 2 * h, width = TILE / size + 1;
    ivec2 start = (tile_corner() + size - 1) / size * size, end = tile_corner() + TILE;
    for (int k = 0; k < (width * width + THREADS - 1) / THREADS; ++k) {
        ivec2 place = place_of_thread(k, width), p = start + place * size;
        if (place.y >= width || any(greaterThanEqual(p, min(end, u_src_rect.zw))))
            continue;
        ivec2 q = p - tile_corner() + HALO;
        int at = q.y * PITCH + q.x;
        V a = plane_value(level - 1, at), b = plane_value(level - 1, at + h);
        V c = plane_value(level - 1, at + h * PITCH);
        V d = plane_value(level - 1, at + h * PITCH + h);
        haar(a, b, c, d);
        for (int i = 0; i < TOGETHER; ++i) {
            float scale = scale_of(first + i);
            count_energy(first + i, level, 0, energy_of(part_of(b, i), scale));
            count_energy(first + i, level, 1, energy_of(part_of(c, i), scale));
            count_energy(first + i, level, 2, energy_of(part_of(d, i), scale));
            if (level == 1)
                count_size(first + i, part_of(d, i));
        }
    }
}
#endif

// Twice a threshold, because coefficients are compared before they are halved.
V threshold_at(int component, int level, int band)
{
#if TOGETHER == 1
    return 2.0 * s_threshold[band_at(component, level, band)];
#else
    return 2.0 * V(s_threshold[band_at(0, level, band)], s_threshold[band_at(1, level, band)],
                   s_threshold[band_at(2, level, band)]);
#endif
}

// First of the places at which a thread makes values of level - 1: in units of h, it has 2 x 2.
ivec2 place_of_task(const int level)
{
    const int h = 1 << (level - 1);
    int t = int(gl_LocalInvocationIndex);
    ivec2 task = ivec2(t % TASKS_X, t / TASKS_X);
    return HALO - (h - 1) + task / h * (2 * h) + task % h;
}

// Twice what is removed of m_(level-1) at the thread's four places.
void make_removed(const int level, int component, out V made[4])
{
    const int h = 1 << (level - 1);
    ivec2 place = place_of_task(level);
    int at = place.y * PITCH + place.x;
    V t_hl = threshold_at(component, level, 0), t_lh = threshold_at(component, level, 1);
    V t_hh = threshold_at(component, level, 2);
    V sum[3], difference[3]; // of neighbours in the row above, by column
    for (int i = 0; i < 4; ++i)
        made[i] = V(0.0);
    for (int y = -1; y <= 2; ++y) {
        int row = at + y * h * PITCH;
        V left = plane_value(level - 1, row - h);
        for (int x = -1; x <= 1; ++x) {
            V right = plane_value(level - 1, row + (x + 1) * h);
            V new_sum = left + right, new_difference = left - right;
            left = right;
            if (y >= 0) { // the block with its corner at (x, y - 1)
                V hl = removed_of(difference[x + 1] + new_difference, t_hl);
                V lh = removed_of(sum[x + 1] - new_sum, t_lh);
                V hh = removed_of(difference[x + 1] - new_difference, t_hh);
                V ll = level == LEVELS ?
                    V(0.0) :
                    plane_value(level == LEVELS ? 0 : level, row - h * PITCH + x * h);
                V top = ll + lh, bottom = ll - lh, top_x = hl + hh, bottom_x = hl - hh;
                if (x >= 0 && y >= 1)
                    made[(y - 1) * 2 + x] += top + top_x;
                if (x < 1 && y >= 1)
                    made[(y - 1) * 2 + x + 1] += top - top_x;
                if (x >= 0 && y < 2)
                    made[y * 2 + x] += bottom + bottom_x;
                if (x < 1 && y < 2)
                    made[y * 2 + x + 1] += bottom - bottom_x;
            }
            sum[x + 1] = new_sum;
            difference[x + 1] = new_difference;
        }
    }
    for (int i = 0; i < 4; ++i)
        made[i] *= 0.125;
}

// Coarser values take the place of those they are made of.
void keep_removed(const int level, const V made[4])
{
    const int h = 1 << (level - 1);
    ivec2 place = place_of_task(level);
    int at = place.y * PITCH + place.x;
    sync_shared(); // all have read the plane
    for (int i = 0; i < 4; ++i)
        set_plane(level - 1, at + i / 2 * h * PITCH + i % 2 * h, made[i]);
    sync_shared();
}

#if TOGETHER == 1
#define PART(value, first) (value)[first]
#else
#define PART(value, first) (value)
#endif

void main()
{
    vec3 value[TEXELS], removed[4];
    uint bad = 0u;
    begin_statistics();
    for (int k = 0; k < TEXELS; ++k) { // all loads first, so that they overlap
        uint largest = 0u;
        ivec2 place = place_of_thread(k, SIDE);
        ivec2 p = tile_corner() - HALO + place;
        value[k] = components_of(load_extended(p, largest));
        bool mine = all(greaterThanEqual(place, ivec2(HALO))) &&
            all(lessThan(place, ivec2(HALO + TILE))) && all(lessThan(p, u_src_rect.zw));
        bad += uint(largest >= NOT_FINITE && mine);
    }
    for (int first = 0; first < COMPONENTS; first += TOGETHER) {
        V made[4];
        for (int k = 0; k < TEXELS; ++k) {
            ivec2 place = place_of_thread(k, SIDE);
            if (place.y < SIDE)
                set_plane(0, place.y * PITCH + place.x, PART(value[k], first));
        }
        sync_shared();
#if LEVELS > 1
        make_level(1);
        sync_shared();
#endif
#if LEVELS > 2
        make_level(2);
        sync_shared();
#endif
#if STATISTICS || LOCAL
        for (int level = 1; level <= LEVELS; ++level)
            count_level(level, first);
#endif
#if LOCAL
        sync_shared();
        local_thresholds(first, TOGETHER, tile_corner(), TILE);
        sync_shared();
#endif
#if LEVELS > 2
        make_removed(3, first, made);
        keep_removed(3, made);
#endif
#if LEVELS > 1
        make_removed(2, first, made);
        keep_removed(2, made);
#endif
        make_removed(1, first, made);
        for (int i = 0; i < 4; ++i)
            PART(removed[i], first) = made[i] * 0.5;
        sync_shared(); // before the planes are written again
    }
    ivec2 task = place_of_task(1) - HALO;
    for (int i = 0; i < 4; ++i) {
        ivec2 within = task + ivec2(i % 2, i / 2), p = tile_corner() + within;
        if (all(lessThan(within, ivec2(TILE))) && all(lessThan(p, u_src_rect.zw))) {
            uint largest = 0u;
            store_texel(p, without(load_texel_unseen(p, largest), removed[i]));
        }
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
    end_statistics();
}
