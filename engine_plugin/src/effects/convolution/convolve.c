// convolve.c - the effect "convolve": exact convolution with a kernel texture, direct or by FFT
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/convolution/convolution.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "shaders/common/interface.h"
#include "shaders/fft/interface.h"

#include <afterglow/convolve.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_CONVOLVE_SRC, KERNEL = AG_CONVOLVE_KERNEL, DST = AG_CONVOLVE_DST };
enum { DIRECT_LIMIT = 255 }; // taps a side: beyond it a frame could take longer than drivers allow

static const ag_slot_info slots[] = {
    AG_FRAME_SLOT("src", "the image", AG_READ),
    AG_COLOUR_SLOT("kernel", "the kernel: 1, 3 or 4 channels", AG_READ),
    AG_FRAME_SLOT("dst", "the result, of src's size", AG_WRITE),
};

AG_SETTINGS(convolve, CONVOLVE)
static const char *const borders[] = {AG_CONVOLVE_BORDER(AG_NAME)};

typedef struct convolve_design {
    bool direct;
    bool filter_taps; // the kernel of the FFT is Wiener's filter itself, of taps as src has texels
    ag_fft_plan fft;  // unless direct
} convolve_design;

// Channels that are convolved: colour always, alpha when asked for and when the kernel serves it.
static int32_t convolved_channels(const ag_request *request, const ag_convolve_settings *s)
{
    int32_t src = request->formats[SRC]->channels, kernel = request->formats[KERNEL]->channels;
    bool alpha = src == 4 && s->alpha == AG_ALPHA_CONVOLVE && kernel != 3;
    return src == 4 && !alpha ? 3 : src;
}

static int32_t kernel_channels(const ag_request *request, int32_t channels)
{
    int32_t kernel = request->formats[KERNEL]->channels;
    return kernel == 1 ? 1 : channels < 3 ? 3 : channels;
}

static bool deconvolves(const ag_convolve_settings *s)
{
    return s->operation == AG_OPERATION_DECONVOLVE;
}

static bool tapers(const ag_convolve_settings *s)
{
    return deconvolves(s) && s->edges == AG_EDGES_TAPER;
}

static ag_status check_deconvolution(const ag_host *host, const ag_request *request,
                                     const ag_convolve_settings *s)
{
    const ag_texture *src = &request->slots[SRC], *kernel = &request->slots[KERNEL];
    if (!(s->noise > 0))
        return ag_fail(host, AG_E_ARG,
                       "convolve: setting noise is %g; to deconvolve it must be above 0",
                       (double)s->noise);
    if (tapers(s) && s->border != AG_BORDER_ZERO)
        return ag_fail(host, AG_E_ARG,
                       "convolve: setting border is %s; to deconvolve with it set edges to border",
                       borders[s->border]);
    if (s->method == AG_CONVOLVE_DIRECT)
        return ag_fail(
            host, AG_E_ARG,
            "convolve: setting method is direct; operation deconvolve takes fft or auto");
    if (s->storage != AG_STORAGE_FULL)
        return ag_fail(
            host, AG_E_ARG,
            "convolve: setting storage is compact; operation deconvolve takes storage full");
    if (kernel->rect_width > src->rect_width || kernel->rect_height > src->rect_height)
        return ag_fail(host, AG_E_SIZE,
                       "convolve: the kernel is %dx%d and src %dx%d; to deconvolve the kernel must "
                       "be no larger",
                       kernel->rect_width, kernel->rect_height, src->rect_width, src->rect_height);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    ag_convolve_settings s = settings_of(request);
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    AG_TRY(ag_kernel_check(host, request, KERNEL));
    if (!ag_fft_samples(request->formats[SRC]))
        request->samples = 0;
    return deconvolves(&s) ? check_deconvolution(host, request, &s) : AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// docs/convolve.md 1 has the measurements of auto.
static bool choose_direct(const ag_request *request, const ag_convolve_settings *s)
{
    const ag_texture *kernel = &request->slots[KERNEL];
    if (s->method != AG_CONVOLVE_AUTO || deconvolves(s))
        return s->method == AG_CONVOLVE_DIRECT;
    int32_t most = ag_tuned(&request->tuning, &request->tuning.direct_taps[s->border]);
    return (int64_t)kernel->rect_width * kernel->rect_height <= most;
}

static bool direct_can(const ag_gl *gl, const ag_texture *src, const ag_texture *kernel)
{
    return kernel->rect_width <= DIRECT_LIMIT && kernel->rect_height <= DIRECT_LIMIT &&
           ag_div_up(src->rect_width, 16) <= gl->max_groups[0] &&
           ag_div_up(src->rect_height, 16) <= gl->max_groups[1];
}

// What fills the rest of a line.
static int32_t outside(const ag_convolve_settings *s)
{
    return tapers(s) ? AG_OUTSIDE_RAMP : s->border;
}

// To deconvolve what wraps with a size that has no FFT: its filter has no fewer taps than texels.
static bool has_filter_taps(const ag_convolve_settings *s, const ag_fft_request *fft)
{
    return deconvolves(s) && outside(s) == AG_BORDER_WRAP &&
           !(ag_fft_has_line(fft->width, true, fft->max_invocations) &&
             ag_fft_has_line(fft->height, false, fft->max_invocations));
}

// Taps that the plan leaves room for on an axis. Wiener's filter reaches further than the kernel
// that it undoes, and rings where the canvas has a step. With mirror the canvas is a whole period
// of the mirrored image, where it fits, and has none; else there is room for the kernel twice.
static int32_t planned_taps(const ag_convolve_settings *s, const ag_fft_request *fft, bool row)
{
    int32_t size = row ? fft->width : fft->height;
    int32_t taps = row ? fft->kernel_width : fft->kernel_height;
    if (has_filter_taps(s, fft))
        return size;
    if (!deconvolves(s) || outside(s) == AG_BORDER_WRAP)
        return taps;
    bool whole = outside(s) == AG_BORDER_MIRROR && 2 * size <= AG_FFT_MAX_LENGTH;
    return whole && size > 2 * taps + 1 ? size : 2 * taps + 1;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_texture *src = &request->slots[SRC], *kernel = &request->slots[KERNEL];
    ag_convolve_settings s = settings_of(request);
    convolve_design *p = out;
    int32_t channels = convolved_channels(request, &s);
    *p = (convolve_design){.direct = choose_direct(request, &s)};
    if (p->direct) {
        if (direct_can(gl, src, kernel))
            return AG_OK;
        return ag_fail(
            host, AG_E_SIZE,
            "convolve: method direct takes kernels up to %dx%d and %dx%d work groups of 16x16 texels, "
            "not a kernel of %dx%d on %dx%d",
            DIRECT_LIMIT, DIRECT_LIMIT, gl->max_groups[0], gl->max_groups[1], kernel->rect_width,
            kernel->rect_height, src->rect_width, src->rect_height);
    }
    AG_TRY(ag_check_limit(host, request, KERNEL, AG_FFT_MAX_LENGTH));
    ag_fft_request fft = ag_fft_request_of(gl, request, SRC, DST, channels);
    fft.kernel_width = kernel->rect_width;
    fft.kernel_height = kernel->rect_height;
    fft.border = outside(&s);
    fft.correlate = s.correlate;
    fft.kernel_channels = kernel_channels(request, channels);
    fft.storage = s.storage;
    char why[256];
    p->filter_taps = has_filter_taps(&s, &fft);
    if (p->filter_taps && (fft.width > AG_FFT_MAX_LENGTH / 2 || fft.height > AG_FFT_MAX_LENGTH / 2))
        return ag_fail(host, AG_E_SIZE,
                       "convolve: src is %dx%d; to deconvolve with border wrap it has at most %d "
                       "texels an axis, or no prime factor above 7 and an even width",
                       fft.width, fft.height, AG_FFT_MAX_LENGTH / 2);
    int32_t taps[2] = {planned_taps(&s, &fft, true), planned_taps(&s, &fft, false)};
    fft.kernel_width = taps[0];
    fft.kernel_height = taps[1];
    ag_fft_request largest = fft;
    if (s.border != AG_BORDER_WRAP) {
        largest.width = ag_max(fft.width, request->plan_width);
        largest.height = ag_max(fft.height, request->plan_height);
    }
    const ag_fft_request *most = request->plan_width ? &largest : NULL;
    if (!ag_fft_plan_make_within(most, &fft, &p->fft, why, sizeof why)) {
        p->direct = s.method == AG_CONVOLVE_AUTO && !deconvolves(&s) && direct_can(gl, src, kernel);
        return p->direct ? AG_OK : ag_fail(host, AG_E_SIZE, "convolve: %s", why);
    }
    // What both sides lead to meets in the middle of the padding.
    bool fills = deconvolves(&s) && !p->filter_taps;
    if (fills && !p->fft.x.periodic)
        p->fft.x.reach_low = (p->fft.x.line.length - src->rect_width) / 2;
    if (fills && !p->fft.y.periodic)
        p->fft.y.reach_low = (p->fft.y.line.length - src->rect_height) / 2;
    return AG_OK;
}

// ---- deconvolution: Wiener's filter, in a prepare ----------------------------------------------

// Replaces a kernel's spectrum K, as ag_kernel_transform_make left it, by that of Wiener's filter
// (docs/convolve.md 8).
static void wiener_spectrum(ag_frame *f, ag_shader *shader, const ag_fft_plan *p,
                            ag_handle spectrum)
{
    // What the column pass multiplies by is half of the filter over the two lengths: unpacking
    // doubles the scene, and each inverse transform multiplies by its length.
    double scale = 0.5 / ((double)p->x.line.length * p->y.line.length);
    float noise = settings_of(ag_frame_request(f)).noise;
    int64_t values = p->kernel_channel_bytes / (p->kernel_form == AG_KERNEL_COMPLEX ? 8 : 4);
    ag_uniform uniforms[] = {AG_INTS(AG_LOC_KERNEL, 0, 0, p->kernel_form, 0),
                             AG_FLOATS(AG_LOC_WIENER, (float)scale, noise, 0, 0),
                             AG_INTS(AG_LOC_POINTS, p->x.line.length, p->y.line.length, 0, 0),
                             AG_INTS(AG_LOC_VALUES, (int32_t)values, p->y.line.lines, 0, 0)};
    uint64_t bytes = (uint64_t)p->kernel_channel_bytes;
    ag_frame_step(f, "filter");
    for (int32_t i = 0; i < p->request.kernel_channels; ++i) {
        uint64_t at = (uint64_t)i * bytes;
        ag_dispatch d = {.shader = shader,
                         .ranges[AG_SSBO_KERNEL] =
                             ag_block_of(spectrum, AG_READ | AG_WRITE, at, bytes),
                         .ranges[AG_SSBO_KERNEL_REAL] = ag_block_of(spectrum, 0, at, bytes),
                         AG_UNIFORMS(uniforms)};
        ag_fold_groups((values + 255) / 256, 1024, d.groups);
        ag_frame_dispatch(f, &d);
    }
}

static void fill_turns(const void *context, float *values)
{
    const int32_t *size = context;
    const double pi = 3.14159265358979323846;
    for (int axis = 0; axis < 2; ++axis)
        for (int32_t m = 0; m < size[axis]; ++m) {
            *values++ = (float)cos(2 * pi * m / size[axis]);
            *values++ = (float)sin(2 * pi * m / size[axis]);
        }
}

// A dispatch has at most so many products, because drivers end those that take seconds.
enum { PRODUCTS = 1 << 29 };

// The filter's taps as a texture, as many as the canvas, which wraps, has texels: a kernel for
// ag_kernel_transform_make. `info`: ag_kernel_sums_make has summed the blur's kernel into it.
// `shape`: for the returned picture.
static ag_picture wiener_taps(ag_frame *f, ag_shader *shader, const ag_picture *kernel,
                              const ag_fft_request *r, ag_handle info, ag_texture *shape)
{
    const ag_convolve_settings s = settings_of(ag_frame_request(f));
    const ag_texture *k = kernel->shape;
    int32_t w = r->width, h = r->height, columns = w / 2 + 1;
    const int32_t size[2] = {w, h};
    // No other constants have such a key: their second word is -2, -1 or a radix.
    int32_t key[8] = {w, -3, h};
    ag_handle turns = ag_shared_constants(f, "afterglow turns", key, 2 * ((size_t)w + (size_t)h),
                                          fill_turns, size);
    uint64_t bytes = (uint64_t)columns * (uint64_t)h * 8;
    ag_handle lines[2] = {ag_scratch(f, "Wiener lines 0", bytes),
                          ag_scratch(f, "Wiener lines 1", bytes)};
    ag_picture result = ag_own_picture(f,
                                       &(ag_own){.name = "Wiener taps",
                                                 .format = GL_RGBA32F,
                                                 .width = w,
                                                 .height = h,
                                                 .layers = 1,
                                                 .temporary = true},
                                       shape);
    enum { PARTS = AG_TAPS_ROWS_BACK + 1 };
    const struct { // of a part of fft/wiener.comp
        int32_t columns, lines, summands;
    } parts[PARTS] = {[AG_TAPS_ROWS] = {columns, k->rect_height, k->rect_width},
                      [AG_TAPS_COLUMNS] = {columns, h, k->rect_height},
                      [AG_TAPS_COLUMNS_BACK] = {columns, h, h},
                      [AG_TAPS_ROWS_BACK] = {w, h, columns}};
    *shape = (ag_texture){.format = GL_RGBA32F,
                          .target = GL_TEXTURE_2D,
                          .layers = 1,
                          .rect_width = w,
                          .rect_height = h};
    for (int32_t channel = 0; channel < r->kernel_channels; ++channel)
        for (int32_t i = 0; i < PARTS; ++i) {
            ag_uniform uniforms[] = {
                [2] = AG_INTS(AG_LOC_PART, i, channel, 0, 0),
                AG_INTS(AG_LOC_KERNEL, k->rect_width / 2, k->rect_height / 2, 0, 0),
                AG_FLOATS(AG_LOC_WIENER, (float)(1 / ((double)w * h)), s.noise, 0, 0),
                AG_INTS(AG_LOC_POINTS, w, h, 0, 0),
            };
            ag_read_uniforms(uniforms, kernel, r->kernel_channels, s.scrub, 0);
            // The last part keeps the channels before.
            ag_dispatch d = {.shader = shader,
                             .images[AG_IMAGE_SRC] = ag_packed_view(kernel, AG_READ, 0),
                             .images[AG_IMAGE_DST] = ag_picture_view(
                                 &result, i == AG_TAPS_ROWS_BACK ? AG_READ | AG_WRITE : 0, 0),
                             .ranges[AG_SSBO_LINES_IN] =
                                 ag_all(lines[(i + 1) % 2], i == AG_TAPS_ROWS ? 0 : AG_READ),
                             .ranges[AG_SSBO_LINES_OUT] =
                                 ag_all(lines[i % 2], i == AG_TAPS_ROWS_BACK ? 0 : AG_WRITE),
                             .ranges[AG_SSBO_TURNS] = ag_all(turns, AG_READ),
                             .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ),
                             AG_UNIFORMS(uniforms)};
            int64_t a_line = (int64_t)parts[i].columns * parts[i].summands;
            int32_t most = a_line < PRODUCTS ? (int32_t)(PRODUCTS / a_line) : 1;
            ag_frame_step(f, "Wiener taps");
            for (int32_t line = 0; line < parts[i].lines; line += most) {
                uniforms[2].value.i[2] = line;
                d.groups[0] = ag_groups(parts[i].columns, 64);
                d.groups[1] = (uint32_t)ag_min(parts[i].lines - line, most);
                d.groups[2] = 1;
                ag_frame_dispatch(f, &d);
            }
        }
    return result;
}

// ---- the kernel, in a prepare ------------------------------------------------------------------

// A large centre weight bypasses the FFT, so that texels beside bright ones keep their digits.
// Compact spectra have fewer digits to lose (docs/convolve.md 5).
static ag_kernel kernel_of(const ag_frame *f, const ag_convolve_settings *s)
{
    const ag_request *request = ag_frame_request(f);
    int32_t channels = convolved_channels(request, s);
    ag_kernel k = {.source = ag_slot_picture(f, KERNEL),
                   .channels = kernel_channels(request, channels) == 1 ? 1 : channels,
                   .how = s->scrub ? AG_SUM_SCRUB : 0,
                   .bypass_share = s->storage == AG_STORAGE_COMPACT ? 1.0f / 64 : 1.0f / 4};
    if (s->normalize == AG_NORMALIZE_SUM)
        k.how |= AG_SUM_NORMALIZE | AG_SUM_MAY_BE_ZERO;
    if (deconvolves(s)) { // the inverse of a product of lines is none, and has no centre weight
        k.how |= AG_SUM_HAS_TAPS | AG_SUM_NO_LINES;
        k.bypass_share = INFINITY;
    }
    return k;
}

typedef struct look_key { // what the taps that are looked at depend on
    int32_t texture[10], settings[6], size[2];
} look_key;

static look_key look_key_of(const ag_frame *f, const convolve_design *d,
                            const ag_convolve_settings *s)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *t = &request->slots[KERNEL], *src = &request->slots[SRC];
    return (look_key){
        .texture = {(int32_t)t->name, (int32_t)t->version, (int32_t)(t->version >> 32),
                    (int32_t)t->format, t->level, t->first_layer, t->rect_x, t->rect_y,
                    t->rect_width, t->rect_height},
        .settings = {s->normalize, s->scrub, convolved_channels(request, s), s->operation,
                     deconvolves(s) ? ag_float_bits(s->noise) : 0, s->storage},
        .size = {d->filter_taps ? src->rect_width : 0, d->filter_taps ? src->rect_height : 0}};
}

typedef struct made_key { // what the spectrum depends on
    look_key taps;
    // Radices, threads and layout follow from the lengths.
    int32_t plan[11];
} made_key;

static made_key made_key_of(const look_key *taps, const ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    return (made_key){.taps = *taps,
                      .plan = {p->x.line.length, p->y.line.length, p->x.reach_low, p->x.reach_high,
                               p->y.reach_low, p->y.reach_high, r->kernel_width, r->kernel_height,
                               r->kernel_channels, r->correlate, p->kept}};
}

static void make_direct(ag_frame *f, const ag_convolve_settings *s)
{
    ag_kernel kernel = kernel_of(f, s);
    ag_kernel_sums sums = ag_kernel_sums_begin(f, kernel.source.format, false);
    ag_kernel_sums_make(f, &sums, &kernel, ag_frame_info(f), NULL);
}

static void make_fft(ag_frame *f, const convolve_design *d, const ag_convolve_settings *s)
{
    ag_kernel_facts *facts = ag_frame_facts(f);
    ag_kernel blur = kernel_of(f, s), kernel = blur;
    if (d->filter_taps)
        kernel.source.format = ag_format_find(GL_RGBA32F);
    ag_shader *filter = NULL;
    ag_kernel_sums blur_sums = {NULL, NULL};
    if (d->filter_taps) {
        filter = ag_frame_shader(f, "fft/wiener.comp");
        ag_shader_reads_packed(filter, &blur.source);
        ag_shader_define(filter, "TAPS", 1);
        blur_sums = ag_kernel_sums_begin(f, blur.source.format, false);
    } else if (deconvolves(s)) {
        filter = ag_frame_shader(f, "fft/wiener.comp");
        ag_shader_define(filter, "TAPS", 0);
    }
    ag_kernel_sums sums = ag_kernel_sums_begin(f, kernel.source.format, true);
    ag_kernel_transform transform = ag_kernel_transform_begin(f, &d->fft, kernel.source.format);
    look_key taps = look_key_of(f, d, s);
    made_key key = made_key_of(&taps, &d->fft);
    if (ag_frame_is_made(f, &key, sizeof key))
        return;

    ag_handle info = ag_frame_info(f);
    ag_texture shape;
    if (d->filter_taps) {
        ag_kernel_sums_make(f, &blur_sums, &blur, info, NULL);
        kernel.source = wiener_taps(f, filter, &blur.source, &d->fft.request, info, &shape);
        kernel.channels = d->fft.request.kernel_channels;
        kernel.how = AG_SUM_NO_LINES;
    }
    // The same kernel for other lengths: its sums and its form are what they were.
    ag_hash128 of = ag_hash128_of(&taps, sizeof taps);
    if (d->filter_taps || !facts->known || !ag_hash128_equal(facts->of, of) ||
        !ag_frame_may_wait(f)) {
        facts->of = of;
        ag_kernel_sums_make(f, &sums, &kernel, info, facts);
    }
    ag_fft_plan plan = d->fft;
    if (facts->known)
        ag_fft_plan_kernel(&plan, facts->form);
    ag_handle spectrum = ag_kernel_memory(f, &plan);
    ag_kernel_transform_make(f, &transform, &plan, &kernel.source, s->scrub, info,
                             "rows of the kernel", spectrum);
    if (filter && !d->filter_taps)
        wiener_spectrum(f, filter, &plan, spectrum);
}

static void make(ag_frame *f)
{
    const convolve_design *d = ag_frame_design(f);
    const ag_convolve_settings s = settings_of(ag_frame_request(f));
    if (d->direct)
        make_direct(f, &s);
    else
        make_fft(f, d, &s);
}

// ---- frame -------------------------------------------------------------------------------------

static void direct_line(ag_uniform *u, int32_t location, int32_t size, int32_t border)
{
    // Places are texels, also negative ones: nothing is split (common/border.glsl).
    u[0] = (ag_uniform)AG_INTS(location, size, INT32_MAX, 0, border);
    u[1] = (ag_uniform)AG_INTS(location + 1, INT32_MIN, 1, 0, 0);
}

static ag_shader *direct_shader(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *kernel = &request->slots[KERNEL];
    int32_t taps = ag_max(kernel->rect_width, kernel->rect_height);
    ag_shader *shader = ag_picture_shader(f, "fft/direct.comp", request->formats[SRC]);
    ag_shader_define(shader, "BLOCK", taps <= 4 ? 4 : taps <= 8 ? 8 : 16);
    ag_shader_define(shader, "KERNEL_CODES", request->formats[KERNEL]->read == GL_R32UI);
    ag_shader_define(shader, "STORE", request->formats[DST]->store);
    ag_shader_define_format(shader, "KERNEL_FORMAT", request->formats[KERNEL]);
    return shader;
}

static void direct_frame(ag_frame *f, const ag_convolve_settings *s, int32_t channels,
                         const ag_mix *mix)
{
    const ag_request *request = ag_frame_request(f);
    ag_picture src = ag_slot_picture(f, SRC), kernel = ag_slot_picture(f, KERNEL),
               dst = ag_slot_picture(f, DST);
    const ag_texture *t = src.shape, *k = kernel.shape;
    ag_frame_text(f, "direct: %d x %d taps, %d channels, 16 x 16 tiles", k->rect_width,
                  k->rect_height, channels);
    ag_shader *shader = direct_shader(f);
    ag_handle info = ag_frame_info(f);
    ag_uniform uniforms[] = {
        [4] = ag_rect_uniform(AG_LOC_SRC_RECT, t),
        AG_INTS(AG_LOC_SRC_MODE, src.format->channels, 0, s->scrub, 0),
        ag_rect_uniform(AG_LOC_DST_RECT, dst.shape),
        AG_INTS(AG_LOC_CHANNELS, channels, kernel_channels(request, channels), 0, 0),
        AG_INTS(AG_LOC_DIRECT_MODE, s->correlate, kernel.format->srgb, 0, 0),
        AG_INTS(AG_LOC_KERNEL, k->rect_width / 2, k->rect_height / 2, 0, 0),
        ag_rect_uniform(AG_LOC_KERNEL_RECT, k),
        AG_FLOATS(AG_LOC_GAIN, mix->gain[0], mix->gain[1], mix->gain[2], mix->gain[3]),
        AG_FLOATS(AG_LOC_KEEP, mix->keep[0], mix->keep[1], mix->keep[2], mix->keep[3]),
    };
    direct_line(uniforms, AG_LOC_LINE_X, t->rect_width, s->border);
    direct_line(uniforms + 2, AG_LOC_LINE_Y, t->rect_height, s->border);
    ag_frame_step(f, "direct");
    for (int32_t layer = 0; layer < t->layers; ++layer)
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = shader,
                              .images[AG_IMAGE_SRC] = ag_picture_view(&src, AG_READ, layer),
                              .images[AG_IMAGE_DST] = ag_picture_view(&dst, AG_WRITE, layer),
                              .images[AG_IMAGE_KERNEL] = ag_picture_view(&kernel, AG_READ, 0),
                              .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                              AG_UNIFORMS(uniforms),
                              .groups = {ag_groups(t->rect_width, 16),
                                         ag_groups(t->rect_height, 16), 1}});
}

static void frame(ag_frame *f)
{
    const convolve_design *d = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    const ag_convolve_settings s = settings_of(request);
    int32_t channels = convolved_channels(request, &s);
    ag_mix mix = {0};
    for (int i = 0; i < 4; ++i) {
        bool convolved = i < channels;
        mix.gain[i] = mix.direct[i] = convolved ? 1.0f : 0.0f;
        mix.keep[i] = convolved ? 0.0f : 1.0f; // alpha, and channels that src does not have
    }
    if (d->direct) {
        direct_frame(f, &s, channels, &mix);
        return;
    }
    ag_convolution c;
    ag_picture src = ag_slot_picture(f, SRC), dst = ag_slot_picture(f, DST);
    ag_fft_io io = {src.format, dst.format, src.reading, false};
    if (ag_frame_is_planned(f)) {
        char words[AG_CONVOLUTION_WORDS];
        ag_convolution_words(&d->fft, true, words);
        ag_frame_text(f, "%s", words);
    }
    ag_convolution_begin(f, &d->fft, ag_frame_facts(f), &src, &dst, &io, &c);
    ag_convolution_steps(f, &c, s.scrub, &mix);
}

const ag_effect ag_effect_convolve = {
    .info =
        AG_EFFECT_INFO("convolve", "exact 2D convolution with a kernel texture", AG_IMAGE_COUNT, 1),
    .check = check,
    .design = design,
    .frame = frame,
    .make = make,
    .contents = 1u << KERNEL,
    .samples = 1u << SRC,
    .design_bytes = sizeof(convolve_design),
    .facts_bytes = sizeof(ag_kernel_facts),
};
