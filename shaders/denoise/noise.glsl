// denoise/noise.glsl - the noise of an image: of each band, and how it grows with brightness
//
//   in        g_hl, g_lh, g_hh, g_patch   denoise/haar_tile.glsl
//   in, out   b_denoise    histograms of what tiles have; sigmas and the curve, which the last
//                          group makes of them
//   host sets the defines of denoise/haar_tile.glsl; TILE is 32
//   method    a tile of 16 x 16 texels without texture has the noise alone in its bands. So of all
//             tiles a low quantile of the rms of a band is its noise, but for texture that covers
//             nearly all of the image. What is known of noise bounds it: a filter with few taps (of
//             a mosaic, of a smaller size, of a codec) makes HH grow from level to level ever less;
//             HL and LH lie between HH of their level and of the next; luma's noise is no more
//             correlated than that of chroma. Coarser levels than the third follow by the same
//             rules. Where tiles show noise, many have the same; where they show texture alone,
//             some have much less than others, and the estimate goes down to 0. Texels equal to
//             their neighbours say nothing about noise (black borders, white clips)
//   curve     rms of HH1 of the image as it is, of tiles of each octave of brightness; the line
//             a + b x through the squares of their low quantiles. Of colour in the last component,
//             which has the least texture
//   shared    with denoise/haar_energies.glsl: its rows, and 3 KiB
//   source    Donoho 1995 (noise is in most coefficients of HH1); Pyatykh, Hesser, Zheng 2013 and
//             Liu, Tanaka, Okutomi 2013 (weak textures); Foi et al. 2008 (curve); docs/denoise.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/haar_energies.glsl"

#define BANDS AG_DENOISE_BANDS
#define MEASURED (AG_DENOISE_NOISE_LEVELS * BANDS) // bands of a component
#define OF_CURVE 9                                 // row of its coefficient, and then of brightness
#define COARSE_ROWS 11                             // of levels 2 and 3
#define COUNTS 29 // of texels' coefficients that are not 0, of each component and of the curve
#define PATCH_ROWS 33
shared float s_patch[PATCH_ROWS * PATCHES];
shared float s_low[AG_DENOISE_HISTOGRAMS];       // low quantiles
shared float s_tiles[AG_DENOISE_HISTOGRAMS];     // numbers of tiles
shared float s_lowest[COMPONENTS];               // even lower quantiles of HH1
#if CURVE
shared float s_tones[5 * AG_DENOISE_TONES];      // terms of its least squares
#endif
shared float s_noise[AG_DENOISE_ALL_BANDS];

// ---- counts -------------------------------------------------------------------------------------

float squared(float d) // finite
{
    d = clamp(d, -1e15, 1e15);
    return d * d;
}

float tone_of(vec4 c) // what the curve is measured in
{
#if COLOUR
    return (c.r - 2.0 * c.g + c.b) * 0.40824829;
#else
    return c.r;
#endif
}

float brightness_of(vec4 c) // on which the noise of tone_of depends
{
#if COLOUR
    return (c.r + 4.0 * c.g + c.b) * 0.16666667;
#else
    return c.r;
#endif
}

void set_rows(const vec4 texel[4])
{
    int t = int(gl_LocalInvocationIndex);
    for (int c = 0; c < COMPONENTS; ++c) {
        vec3 d = vec3(g_hl[0][c], g_lh[0][c], g_hh[0][c]);
        for (int band = 0; band < BANDS; ++band)
            s_rows[(c * BANDS + band) * ROW + t] = floatBitsToUint(squared(d[band]));
    }
#if CURVE
    float a = tone_of(texel[0]), b = tone_of(texel[1]), c = tone_of(texel[2]),
          d = tone_of(texel[3]);
    vec4 sum = (texel[0] + texel[1]) + (texel[2] + texel[3]);
    s_rows[OF_CURVE * ROW + t] = floatBitsToUint(squared(((a - b) - (c - d)) * 0.5));
    s_rows[(OF_CURVE + 1) * ROW + t] =
        floatBitsToUint(clamp(brightness_of(sum), -1e15, 1e15));
#endif
}

// Level 1, after a sync: a thread a row and patch.
void add_rows_of_patch()
{
    int t = int(gl_LocalInvocationIndex), row = t / PATCHES, patch_ = t % PATCHES;
    if (row >= (CURVE != 0 ? OF_CURVE + 2 : COMPONENTS * BANDS) ||
        (row >= COMPONENTS * BANDS && row < OF_CURVE))
        return;
    float sum = 0.0, count = 0.0;
    int at = row * ROW + patch_ / PATCHES_X * 64 + patch_ % PATCHES_X * 4;
    for (int i = 0; i < 16; ++i) {
        float size = uintBitsToFloat(s_rows[at + i / 4 * 16 + i % 4]);
        sum += size;
        count += size != 0.0 ? 1.0 : 0.0;
    }
    s_patch[t] = sum;
    if (row == OF_CURVE || (row < OF_CURVE && row % BANDS == 2))
        s_patch[(COUNTS + row / BANDS) * PATCHES + patch_] = count;
}

void add_coarse_of_patch() // levels 2 and 3: the thread that has them
{
    int patch_, component;
    if (!owns_patch(patch_, component))
        return;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        int at = i / 2 * 8 + i % 2 * 2;
        sum += vec3(squared(g_patch[at + 1]), squared(g_patch[at + 4]), squared(g_patch[at + 5]));
    }
    vec3 last = vec3(squared(g_patch[2]), squared(g_patch[8]), squared(g_patch[10]));
    int row = COARSE_ROWS + component * 2 * BANDS;
    for (int band = 0; band < BANDS; ++band) {
        s_patch[(row + band) * PATCHES + patch_] = sum[band];
        s_patch[(row + BANDS + band) * PATCHES + patch_] = last[band];
    }
}

float sum_of_tile(int row, int part)
{
    int at = row * PATCHES + part / 2 * 2 * PATCHES_X + part % 2 * 2;
    return s_patch[at] + s_patch[at + 1] + s_patch[at + PATCHES_X] + s_patch[at + PATCHES_X + 1];
}

void add_to_histogram(int histogram, float size)
{
    int bin = int(floatBitsToUint(size) >> AG_DENOISE_BIN_SHIFT) - AG_DENOISE_BIN_FIRST;
    atomicAdd(b_denoise.bins[histogram * AG_DENOISE_BINS + clamp(bin, 0, AG_DENOISE_BINS - 1)], 1u);
}

// After a sync: a thread a band and tile of 16 x 16 texels. A tile counts that lies in the image,
// which in an image of fewer texels goes on as in a mirror, and in which half of the coefficients
// of HH1 are not 0.
void add_tiles(ivec2 corner)
{
    int t = int(gl_LocalInvocationIndex), part = t % 4, band = t / 4;
    corner += AG_DENOISE_NOISE_TILE * ivec2(part % 2, part / 2);
    if (any(greaterThan(corner + AG_DENOISE_NOISE_TILE,
                        max(u_src_rect.zw, AG_DENOISE_NOISE_TILE))))
        return;
    if (band < COMPONENTS * MEASURED) {
        int component = band / MEASURED, level = band % MEASURED / BANDS;
        int row = level == 0 ? component * BANDS + band % BANDS
                             : COARSE_ROWS + component * 2 * BANDS + band % MEASURED - BANDS;
        float count = sum_of_tile(COUNTS + component, part);
        if (count >= 32.0) // of the level's coefficients as many as of HH1 are not flat
            add_to_histogram(band, sqrt(sum_of_tile(row, part) * float(1 << 2 * level) / count));
    }
#if CURVE
    if (band == AG_DENOISE_NOISE_BANDS) {
        float count = sum_of_tile(COUNTS + 3, part);
        float mean = sum_of_tile(OF_CURVE + 1, part) / 256.0;
        int tone = int(floatBitsToUint(max(mean, 0.0)) >> 23) - AG_DENOISE_FIRST_TONE;
        if (count >= 32.0)
            add_to_histogram(AG_DENOISE_NOISE_BANDS + clamp(tone, 0, AG_DENOISE_TONES - 1),
                             sqrt(sum_of_tile(OF_CURVE, part) / count));
    }
#endif
}

// Of the tile of 32 x 32 texels at `corner`, after analyse(). A sync must follow.
void count_noise(ivec2 corner, const vec4 texel[4])
{
    set_rows(texel);
    add_coarse_of_patch();
    sync_shared();
    add_rows_of_patch();
    sync_shared();
    add_tiles(corner);
}

// ---- results, by the last group -----------------------------------------------------------------

// Histograms of a turn: as many as s_rows has rows. The quantiles of 2 % of HH1 (of a tile at
// least) have the places behind them.
#define TURN 11

// 16 threads a histogram have 16 bins each. The thread whose bins have the quantile finds it.
void find_quantiles(int first)
{
    int t = int(gl_LocalInvocationIndex), place = t / 16, part = t % 16;
    bool lowest = place >= TURN;
    int component = place - TURN, histogram = lowest ? component * MEASURED + 2 : first + place;
    int row = histogram - first;
    bool taken = lowest ? component < COMPONENTS && row >= 0 && row < TURN
                        : histogram < AG_DENOISE_HISTOGRAMS;
    uint counts[16], sum = 0u, all = 0u, below = 0u;
    for (int i = 0; i < 16; ++i) {
        counts[i] = taken ? s_rows[row * ROW + part * 17 + i] : 0u;
        sum += counts[i];
    }
    s_middle[place * 17 + part] = sum;
    sync_shared();
    for (int i = 0; i < 16; ++i) {
        uint other = s_middle[place * 17 + i];
        all += other;
        below += i < part ? other : 0u;
    }
    // In percent of a tile: whole numbers, because a rank of 2.0000001 would be the third tile's.
    uint rank = uint(u_sets.z) * all;
    if (lowest)
        rank = min(max(2u * all, 100u), rank);
    bool here = all == 0u ? part == 0 : 100u * below < rank && rank <= 100u * (below + sum);
    if (!taken || !here)
        return;
    int bin = 0;
    uint count = counts[0];
    for (int i = 1; i < 16; ++i)
        if (bin == i - 1 && 100u * (below + count) < rank) {
            below += count;
            count = counts[i];
            bin = i;
        }
    uint code = uint(part * 16 + bin + AG_DENOISE_BIN_FIRST);
    float begin = uintBitsToFloat(code << AG_DENOISE_BIN_SHIFT);
    float end = uintBitsToFloat((code + 1u) << AG_DENOISE_BIN_SHIFT);
    float low = begin + (end - begin) * (0.01 * float(rank) - float(below)) / float(max(count, 1u));
    low = all == 0u ? 0.0 : low;
    if (lowest) {
        s_lowest[component] = low;
    } else {
        s_low[histogram] = low;
        s_tiles[histogram] = float(all);
    }
}

// Reads and empties the histograms.
void take_quantiles()
{
    int t = int(gl_LocalInvocationIndex);
    for (int first = 0; first < AG_DENOISE_HISTOGRAMS; first += TURN) {
        uint counts[TURN];
        for (int i = 0; i < TURN; ++i) // all loads first, so that they overlap
            counts[i] = b_denoise.bins[min(first + i, AG_DENOISE_HISTOGRAMS - 1) *
                                       AG_DENOISE_BINS + t];
        for (int i = 0; i < TURN; ++i)
            s_rows[i * ROW + t + t / 16] = counts[i];
        sync_shared();
        find_quantiles(first);
    }
    for (int i = t; i < AG_DENOISE_HISTOGRAMS * AG_DENOISE_BINS; i += THREADS)
        b_denoise.bins[i] = 0u;
}

// The noise of a component's bands HL, LH or HH, from low quantiles, within what noise can be.
void bound_noise(int component, int band)
{
    // What the low quantile lacks, as tiles have 64, 16 and 4 coefficients: 1.13, 1.3 and 1.9 where
    // all tiles are noise alone, less where few are.
    vec3 lacks = u_sets.z < 50 ? vec3(1.07, 1.15, 1.4) : vec3(1.0);
    float hh[AG_DENOISE_MAX_LEVELS + 1];
    int first = component * MEASURED;
    hh[0] = s_low[first + 2] * lacks[0];
    hh[1] = min(s_low[first + 5] * lacks[1], 4.0 * hh[0]);
    for (int l = 2; l <= AG_DENOISE_MAX_LEVELS; ++l) {
        float growth = max(hh[l - 1] / max(hh[l - 2], 1e-30), 1.0);
        hh[l] = hh[l - 1] * pow(growth, 0.4);
        if (l == 2)
            hh[l] = min(s_low[first + 8] * lacks[2], 1.05 * hh[l]);
    }
    float last = 0.0;
    for (int l = 0; l < AG_DENOISE_MAX_LEVELS; ++l) {
        float between = sqrt(hh[l] * hh[l + 1]);
        if (band == 2)
            last = hh[l];
        else if (l < AG_DENOISE_NOISE_LEVELS)
            last = min(s_low[first + l * BANDS + band] * lacks[min(l, 2)],
                       between * (l == 0 ? 1.2 : 1.1));
        else
            last *= sqrt(hh[l + 1] / max(hh[l - 1], 1e-30));
        s_noise[band_at(component, l + 1, band)] = last;
    }
}

// Luma's noise grows from HH1 to other bands as chroma's does, at most.
void bound_luma(int band)
{
    float growth = 0.0;
    for (int c = 1; c < COMPONENTS; ++c)
        growth = max(growth, s_noise[band + band_at(c, 1, 0)] /
                         max(s_noise[band_at(c, 1, 2)], 1e-30));
    if (growth > 0.0)
        s_noise[band] = min(s_noise[band], s_noise[band_at(0, 1, 2)] * max(growth, 1.0));
}

// How sure it is that the smoothest tiles of a component show noise, by how even they are: of noise
// both quantiles have a ratio of 0.84 to 0.95, of photons sometimes less than 0.8, of texture often
// less than 0.6.
float certainty(int component)
{
    float ratio = s_lowest[component] / max(s_low[component * MEASURED + 2], 1e-30);
    return u_sets.z < 50 ? clamp((ratio - 0.5) * 5.0, 0.0, 1.0) : 1.0;
}

float total_noise(int component) // of a texel, from all bands
{
    float sum = 0.0, share = 1.0, last = 0.0;
    for (int l = 1; l <= AG_DENOISE_MAX_LEVELS; ++l) {
        share *= 0.25;
        for (int band = 0; band < BANDS; ++band) {
            last = squared(s_noise[band_at(component, l, band)]);
            sum += share * last;
        }
    }
    return sqrt(sum + share * last);
}

#if CURVE
// The terms of an octave of brightness, 0 where few tiles have it.
void set_tone(int tone)
{
    float all = 0.0;
    for (int i = 0; i < AG_DENOISE_TONES; ++i)
        all += s_tiles[AG_DENOISE_NOISE_BANDS + i];
    float tiles = s_tiles[AG_DENOISE_NOISE_BANDS + tone];
    float v = squared(s_low[AG_DENOISE_NOISE_BANDS + tone]);
    bool few = tiles < max(4.0, all / 128.0) || v < 1e-30;
    float weight = few ? 0.0 : min(tiles, all / 16.0) / v; // and once more 1 / v, in what is summed
    float x = 1.5 * exp2(float(tone + AG_DENOISE_FIRST_TONE - 127));
    v = few ? 1.0 : v;
    s_tones[tone] = weight / v;
    s_tones[AG_DENOISE_TONES + tone] = weight * x / v;
    s_tones[2 * AG_DENOISE_TONES + tone] = weight * x * x / v;
    s_tones[3 * AG_DENOISE_TONES + tone] = weight;
    s_tones[4 * AG_DENOISE_TONES + tone] = weight * x;
}

// slope = b / a of the variance a + b x, by least squares of relative errors.
float slope_of_curve()
{
    float least = 1e38, brightest = 0.0, w = 0.0, wx = 0.0, wxx = 0.0, wv = 0.0, wxv = 0.0;
    for (int i = 0; i < AG_DENOISE_TONES; ++i) {
        w += s_tones[i];
        wx += s_tones[AG_DENOISE_TONES + i];
        wxx += s_tones[2 * AG_DENOISE_TONES + i];
        float weight = s_tones[3 * AG_DENOISE_TONES + i];
        wv += weight;
        wxv += s_tones[4 * AG_DENOISE_TONES + i];
        least = weight > 0.0 ? min(least, squared(s_low[AG_DENOISE_NOISE_BANDS + i])) : least;
        brightest = weight > 0.0 ? 1.5 * exp2(float(i + AG_DENOISE_FIRST_TONE - 127)) : brightest;
    }
    float det = w * wxx - wx * wx;
    if (det <= 1e-6 * w * wxx) // one octave alone
        return 0.0;
    float a = (wxx * wv - wx * wxv) / det, b = (w * wxv - wx * wv) / det;
    if (a < least / 8.0) {
        a = least / 8.0;
        b = (wxv - a * wx) / wxx;
    }
    float slope = max(b, 0.0) / a;
    return slope * brightest > 0.25 ? slope : 0.0; // else sigma changes by less than 12 %
}
#endif

const int CURVE_THREAD = 64; // and on, in another subgroup than the threads that have bands

void new_noise()
{
    int t = int(gl_LocalInvocationIndex);
    take_quantiles();
    for (int i = t; i < AG_DENOISE_ALL_BANDS; i += THREADS)
        s_noise[i] = 0.0;
    sync_shared();
    if (t < COMPONENTS * BANDS)
        bound_noise(t / BANDS, t % BANDS);
#if CURVE
    if (t >= CURVE_THREAD && t < CURVE_THREAD + AG_DENOISE_TONES) // beside it
        set_tone(t - CURVE_THREAD);
#endif
    sync_shared();
#if COLOUR
    if (t < AG_DENOISE_MAX_LEVELS * BANDS)
        bound_luma(t);
    sync_shared();
#endif
    for (int i = t; i < COMPONENTS * AG_DENOISE_MAX_LEVELS * BANDS; i += THREADS)
        s_noise[i] *= certainty(component_of_band(i));
    sync_shared();
    int from = AG_DENOISE_ALL_BANDS * u_sets.x, to = AG_DENOISE_ALL_BANDS * u_sets.y;
    for (int i = t; i < AG_DENOISE_ALL_BANDS; i += THREADS)
        b_denoise.sigma[to + i] = blended(b_denoise.sigma[from + i], s_noise[i]);
    int slot = t == CURVE_THREAD ? 3 : t;
    if (t < 3 || slot == 3) {
        float fresh = slot < COMPONENTS ? total_noise(slot) : 0.0;
#if CURVE
        if (slot == 3)
            fresh = slope_of_curve();
#endif
        b_denoise.noise[4 * u_sets.y + slot] =
            blended(b_denoise.noise[4 * u_sets.x + slot], fresh);
    }
}
