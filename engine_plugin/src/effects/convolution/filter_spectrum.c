// filter_spectrum.c - the effect "filter_spectrum": weights the frequencies of an image
// SPDX-License-Identifier: MIT
//
// It is convolve's FFT with a kernel that only has a spectrum: a formula or a mask writes it, real
// and even, where convolve transforms taps.
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/convolution/convolution.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface.h"

#include <afterglow/filter_spectrum.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

_Static_assert(AG_PASS_LOW == (int)AG_FILTER_SPECTRUM_LOWPASS &&
                   AG_PASS_HIGH == (int)AG_FILTER_SPECTRUM_HIGHPASS &&
                   AG_PASS_BAND == (int)AG_FILTER_SPECTRUM_BANDPASS &&
                   AG_ROLL_OFF_IDEAL == (int)AG_PROFILE_IDEAL &&
                   AG_ROLL_OFF_GAUSSIAN == (int)AG_PROFILE_GAUSSIAN,
               "shaders do not include public headers");

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_FILTER_SPECTRUM_SRC,
    MASK = AG_FILTER_SPECTRUM_MASK_IMAGE,
    DST = AG_FILTER_SPECTRUM_DST
};

static const ag_slot_info slots[] = {
    AG_FRAME_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("mask", "weights of frequencies, 0 in the middle, for shape = mask",
                   AG_READ | AG_OPTIONAL),
    AG_FRAME_SLOT("dst", "the result, of src's size", AG_WRITE),
};

AG_SETTINGS(filter_spectrum, FILTER_SPECTRUM)

static bool has_band(const ag_filter_spectrum_settings *s)
{
    return s->shape == AG_FILTER_SPECTRUM_BANDPASS || s->shape == AG_FILTER_SPECTRUM_NOTCH;
}

static bool is_masked(const ag_request *request)
{
    return settings_of(request).shape == AG_FILTER_SPECTRUM_MASK;
}

// What the shape ignores is as if it were not there.
static void clear_ignored(ag_request *request)
{
    ag_filter_spectrum_settings s = settings_of(request);
    bool masked = is_masked(request), band = has_band(&s);
    if (masked || s.profile != AG_PROFILE_BUTTERWORTH)
        s.order = 0;
    if (masked)
        s.profile = 0;
    if (masked || band)
        s.cutoff = 0;
    if (!band)
        s.low = s.high = 0;
    memcpy(&request->settings, &s, sizeof s);
    if (!masked) {
        request->slots[MASK] = (ag_texture){0};
        request->formats[MASK] = NULL;
    }
}

static ag_status check(const ag_host *host, ag_request *request)
{
    ag_filter_spectrum_settings s = settings_of(request);
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    if (has_band(&s) && !(s.low < s.high))
        return ag_fail(host, AG_E_ARG,
                       "filter_spectrum: setting low is %g and high %g; low must be below high",
                       (double)s.low, (double)s.high);
    clear_ignored(request);
    if (!ag_fft_samples(request->formats[SRC]))
        request->samples = 0;
    if (is_masked(request) && !request->formats[MASK])
        return ag_fail(host, AG_E_ARG, "filter_spectrum: shape is mask, but slot mask is empty");
    return ag_kernel_check(host, request, MASK);
}

// ---- plan --------------------------------------------------------------------------------------

// Texels around the image on an axis, as taps of a kernel so wide that convolve's plan has room for
// them. The narrower the step of H, the further it reaches.
static int32_t reach_of(const ag_filter_spectrum_settings *s, int32_t size, bool row, int32_t most)
{
    if (s->border == AG_BORDER_WRAP && ag_fft_has_line(size, row, most))
        return 0; // the image is its own canvas
    double step = has_band(s) ? (double)s->high - (double)s->low : (double)s->cutoff;
    double wanted = s->shape == AG_FILTER_SPECTRUM_MASK ? 0.5 * size : ceil(3 / step);
    double room =
        s->border == AG_BORDER_ZERO ? AG_FFT_MAX_LENGTH - size : 0.5 * (AG_FFT_MAX_LENGTH - size);
    double reach = fmin(fmin(wanted, size), floor(room));
    return reach > 0 ? (int32_t)reach : 0;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_texture *src = &request->slots[SRC];
    ag_filter_spectrum_settings s = settings_of(request);
    ag_fft_plan *p = out;
    AG_TRY(ag_check_limit(host, request, SRC, AG_FFT_MAX_LENGTH));
    bool masked = is_masked(request);
    bool one = !masked || request->formats[MASK]->channels == 1;
    int32_t most = gl->max_invocations;
    ag_fft_request fft =
        ag_fft_request_of(gl, request, SRC, DST, ag_min(request->formats[SRC]->channels, 3));
    fft.kernel_width = 2 * reach_of(&s, src->rect_width, true, most) + 1;
    fft.kernel_height = 2 * reach_of(&s, src->rect_height, false, most) + 1;
    fft.border = s.border;
    fft.kernel_channels = one ? 1 : 3;
    fft.kernel_form = masked ? AG_KERNEL_REAL : AG_KERNEL_MIRRORED;
    char why[256];
    if (!ag_fft_plan_make(&fft, p, why, sizeof why))
        return ag_fail(host, AG_E_SIZE, "filter_spectrum: %s", why);
    // The borders of both sides meet in the middle of what the image leaves of its canvas.
    p->x.reach_low = (p->x.line.length - src->rect_width) / 2;
    p->y.reach_low = (p->y.line.length - src->rect_height) / 2;
    return AG_OK;
}

// ---- H, in a prepare ---------------------------------------------------------------------------

typedef struct made_key { // what H depends on
    ag_filter_spectrum_settings settings;
    int32_t points[2], channels, mask[10];
} made_key;

static made_key key_of(const ag_request *request, const ag_fft_plan *p)
{
    const ag_texture *t = &request->slots[MASK];
    made_key key = {settings_of(request),
                    {p->x.line.length, p->y.line.length},
                    p->request.kernel_channels,
                    {(int32_t)t->name, (int32_t)t->version, (int32_t)(t->version >> 32),
                     (int32_t)t->format, t->level, t->first_layer, t->rect_x, t->rect_y,
                     t->rect_width, t->rect_height}};
    key.settings.border = 0; // the points tell
    key.settings.scrub = is_masked(request) && key.settings.scrub;
    return key;
}

static void make(ag_frame *f)
{
    const ag_fft_plan *p = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    const ag_filter_spectrum_settings s = settings_of(request);
    const bool masked = is_masked(request), band = has_band(&s);
    ag_shader *shader = masked ? ag_picture_shader(f, "fft/filter.comp", request->formats[MASK])
                               : ag_frame_shader(f, "fft/filter.comp");
    ag_shader_define(shader, "MASKED", masked);
    made_key key = key_of(request, p);
    if (ag_frame_is_made(f, &key, sizeof key))
        return;
    ag_handle info = ag_frame_info(f), spectrum = ag_kernel_memory(f, p);
    int32_t rows = masked ? p->y.line.length : p->y.line.length / 2 + 1;
    // Each inverse transform multiplies by its length, and unpacking doubles the image.
    double scale = 0.5 / ((double)p->x.line.length * p->y.line.length);
    ag_uniform uniforms[5] = {
        AG_INTS(AG_LOC_POINTS, p->x.line.length, p->y.line.length, p->y.line.lines, 0),
        AG_FLOATS(AG_LOC_CUTOFFS, band ? s.low : s.cutoff, s.high, (float)scale, 0),
    };
    ag_dispatch d = {.shader = shader,
                     .ranges[AG_SSBO_KERNEL_REAL] =
                         ag_block_of(spectrum, AG_WRITE, 0, (uint64_t)p->kernel_bytes),
                     .uniforms = uniforms,
                     .groups = {ag_groups(rows, 64), (uint32_t)p->kept, 1}};
    if (masked) {
        ag_picture mask = ag_slot_picture(f, MASK);
        uniforms[2] =
            (ag_uniform)AG_INTS(AG_LOC_KERNEL, 0, 0, 0, (int32_t)(p->kernel_channel_bytes / 8));
        ag_read_uniforms(uniforms + 3, &mask, p->request.kernel_channels, s.scrub, 0);
        d.uniform_count = 5;
        d.images[AG_IMAGE_SRC] = ag_picture_view(&mask, AG_READ, 0);
        d.ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD);
    } else {
        uniforms[2] = (ag_uniform)AG_INTS(AG_LOC_FILTER_KIND, s.shape, s.profile, s.order, 0);
        d.uniform_count = 3;
    }
    ag_frame_step(f, "filter");
    ag_frame_dispatch(f, &d);
}

// ---- frame -------------------------------------------------------------------------------------

static void frame(ag_frame *f)
{
    const ag_fft_plan *p = ag_frame_design(f);
    const ag_picture src = ag_slot_picture(f, SRC), dst = ag_slot_picture(f, DST);
    const ag_fft_io io = {src.format, dst.format, src.reading, false};
    ag_mix mix = {0};
    for (int i = 0; i < 4; ++i) {
        mix.gain[i] = i < p->request.channels ? 1.0f : 0.0f;
        mix.keep[i] = 1 - mix.gain[i]; // alpha
    }
    ag_frame_text(f, "fft: %dx%d in a canvas of %dx%d", p->request.width, p->request.height,
                  p->x.line.length, p->y.line.length);
    ag_lines_say(f, &p->x.line, &p->y.line);
    ag_frame_text(f, "; H %s", is_masked(ag_frame_request(f)) ? "from the mask" : "from a formula");
    ag_convolution c;
    ag_convolution_begin(f, p, NULL, &src, &dst, &io, &c);
    ag_convolution_steps(f, &c, settings_of(ag_frame_request(f)).scrub, &mix);
}

const ag_effect ag_effect_filter_spectrum = {
    .info = AG_EFFECT_INFO("filter_spectrum",
                           "weights the frequencies of an image: lowpass, highpass, band, mask",
                           AG_IMAGE_COUNT, 1),
    .check = check,
    .design = design,
    .make = make,
    .frame = frame,
    .contents = 1u << MASK,
    .samples = 1u << SRC,
    .design_bytes = sizeof(ag_fft_plan),
};
