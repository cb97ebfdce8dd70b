// exposure.c - the effect "exposure": a frame's exposure from its histogram, kept in a texel of the
// host's
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "shaders/exposure/interface.h"

#include <afterglow/exposure.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_EXPOSURE_SRC, STATE = AG_EXPOSURE_STATE, SLOTS };

static const uint32_t state_formats[] = {GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [STATE] =
        AG_SLOT("state", "one texel: exposure in EV, mean log2 luminance, share used, 1 = valid",
                AG_READ | AG_WRITE | AG_STATE, state_formats),
};

AG_SETTINGS(exposure, EXPOSURE)

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_exposure_settings s = settings_of(request);
    const ag_texture *state = &request->slots[STATE];
    if (state->rect_width != 1 || state->rect_height != 1 || state->layers != 1)
        return ag_fail(host, AG_E_SIZE,
                       "exposure: state's rectangle is %dx%d with %d layers; it must be 1x1 with 1",
                       state->rect_width, state->rect_height, state->layers);
    if (!(s.max_ev - s.min_ev >= 1))
        return ag_fail(host, AG_E_ARG,
                       "exposure: min_ev is %g, max_ev %g; max_ev must be at least 1 above min_ev",
                       (double)s.min_ev, (double)s.max_ev);
    if (!(s.low < s.high))
        return ag_fail(host, AG_E_ARG, "exposure: low is %g, high %g; low must be below high",
                       (double)s.low, (double)s.high);
    return AG_OK;
}

// ---- what the histogram counts -----------------------------------------------------------------

typedef struct measure { // of luminance, in a format
    int32_t luminance;   // AG_EXPOSURE_*: what the format's texels are
    int32_t code_max;    // the code of 1; 0: no codes
    double units;        // of luminance 1
} measure;

static measure measure_of(const ag_format *format)
{
    bool bytes = format->store == AG_STORE_UNORM8 || format->store == AG_STORE_SRGB8;
    measure m = {.code_max = bytes ? 255 : format->store == AG_STORE_10_10_10_2 ? 1023 : 0};
    m.luminance = format->srgb ? AG_EXPOSURE_SRGB
                  : m.code_max ? AG_EXPOSURE_CODED
                               : AG_EXPOSURE_VALUES;
    bool coded = m.luminance == AG_EXPOSURE_CODED;
    m.units = coded ? (double)AG_EXPOSURE_CODE_UNITS * m.code_max : 1;
    return m;
}

typedef struct bins {
    double min_ev, width; // EV
    double units;
} bins;

static double decode_srgb(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

// No counts, the edges of bins in units of the format, and the values of sRGB codes.
static void fill_counts(const void *context, void *bytes)
{
    const bins *b = context;
    struct {
        uint32_t counts[2 * AG_EXPOSURE_COUNTS], groups[2];
        float edges[AG_EXPOSURE_EDGES], codes[AG_EXPOSURE_CODES];
    } *words = bytes;
    _Static_assert(sizeof *words == 4 * AG_EXPOSURE_WORDS, "as shaders have it");
    for (int i = 1; i < AG_EXPOSURE_BINS; ++i) // the first stays 0: darker texels belong to its bin
        words->edges[i] = (float)(exp2(b->min_ev + i * b->width) * b->units);
    words->edges[AG_EXPOSURE_BINS] = INFINITY;
    for (int i = 0; i < AG_EXPOSURE_CODES; ++i)
        words->codes[i] = (float)decode_srgb(i / 255.0);
}

// ---- frame -------------------------------------------------------------------------------------

static void put_pair(float pair[2], double value)
{
    pair[0] = (float)value;
    pair[1] = (float)(value - (double)pair[0]);
}

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_exposure_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *state = &request->slots[STATE];
    const measure m = measure_of(request->formats[SRC]);
    const double min_ev = (double)s.min_ev, range = (double)s.max_ev - min_ev;
    const int32_t w = src->rect_width, h = src->rect_height;
    const int32_t across = ag_div_up(w, AG_EXPOSURE_TILE),
                  tiles = across * ag_div_up(h, AG_EXPOSURE_TILE);
    const int32_t groups = ag_min(ag_div_up(tiles, AG_EXPOSURE_TEAMS), AG_EXPOSURE_MAX_GROUPS);
    ag_frame_text(f, "exposure: %dx%d, %d layers; %d groups of 1024 threads for %d tiles of %dx%d",
                  w, h, src->layers, groups, tiles, AG_EXPOSURE_TILE, AG_EXPOSURE_TILE);

    ag_shader *histogram = ag_frame_shader(f, "exposure/histogram.comp");
    ag_shader_reads(f, histogram, SRC);
    ag_shader_define(histogram, "LUMINANCE", m.luminance);
    ag_shader_define(histogram, "CODE_MAX", m.code_max);

    // Each execute leaves the counts at 0: its last group empties what it reads.
    const bins b = {min_ev, range / AG_EXPOSURE_BINS, m.units};
    ag_handle info = ag_frame_info(f);
    ag_handle counts = ag_own_memory(f, &(ag_own){.name = "histogram",
                                                  .bytes = 4 * AG_EXPOSURE_WORDS,
                                                  .fill = fill_counts,
                                                  .context = &b,
                                                  .key = &b,
                                                  .key_bytes = sizeof b});

    ag_frame_step(f, "histogram");
    const float bins_an_ev = (float)(AG_EXPOSURE_BINS / range);
    const float one = (float)(-(min_ev + log2(m.units)) * (double)bins_an_ev);
    const double square = (double)w * w + (double)h * h;
    const ag_picture from = ag_slot_picture(f, SRC);
    for (int32_t layer = 0; layer < src->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_EXPOSURE_SCALE, bins_an_ev, one,
                            (float)(ldexp(1, -20) * m.units), 0),
            [3] = AG_INTS(AG_LOC_EXPOSURE_TILES, across, tiles, 0, 0),
            [4] = AG_FLOATS(AG_LOC_EXPOSURE_CENTRE, s.center, (float)(1 / square), 0, 0),
            AG_INTS(AG_LOC_EXPOSURE_STATE, state->rect_x, state->rect_y,
                    (request->flags & AG_JOB_RESET) != 0, groups * src->layers),
            AG_FLOATS(AG_LOC_EXPOSURE_RANGE, s.min_ev, s.max_ev, s.low, s.high),
            AG_FLOATS(AG_LOC_EXPOSURE_TARGET, 0, 0, 0, 0),
            AG_FLOATS(AG_LOC_EXPOSURE_RATES, 0, 0, 0, 0),
        };
        put_pair(uniforms[7].value.f, log2((double)s.key) + (double)s.compensation);
        put_pair(uniforms[7].value.f + 2, (double)w * h * src->layers);
        put_pair(uniforms[8].value.f, -expm1(-(double)request->dt * (double)s.speed_up));
        put_pair(uniforms[8].value.f + 2, -expm1(-(double)request->dt * (double)s.speed_down));
        ag_read_uniforms(uniforms, &from, from.format->channels, s.scrub, layer);
        ag_dispatch d = {.shader = histogram,
                         .images[AG_IMAGE_STATE] = ag_slot_view(STATE, AG_READ | AG_WRITE, 0),
                         .ranges[AG_SSBO_EXPOSURE] = ag_all(counts, AG_READ | AG_WRITE),
                         .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                         AG_UNIFORMS(uniforms),
                         .groups = {(uint32_t)groups, 1, 1}};
        ag_dispatch_reads(f, &d, SRC, layer);
        ag_frame_dispatch(f, &d);
    }
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    static const ag_texture texel = {.rect_width = 1, .rect_height = 1, .layers = 1};
    ag_size_like(slot == STATE ? &texel : &request->slots[SRC], size);
}

const ag_effect ag_effect_exposure = {
    .info = AG_EFFECT_INFO(
        "exposure", "automatic exposure from a histogram, adapting over time, in a texel of state",
        AG_IMAGE_COUNT, 1),
    .samples = 1u << SRC,
    .serves_smaller = true,
    .check = check,
    .size = size_of_slot,
    .frame = frame,
};
