// convolution.c - the FFT convolution that convolve and bloom share, as a part of their frames
// SPDX-License-Identifier: MIT
#include "effects/convolution/convolution.h"
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <afterglow/convolve.h>
#include <stdio.h>

ag_fft_request ag_fft_request_of(const ag_gl *gl, const ag_request *request, int src, int dst,
                                 int32_t channels)
{
    const ag_texture *t = &request->slots[src];
    const ag_format *in = request->formats[src], *out = request->formats[dst];
    return (ag_fft_request){
        .per_channel_pairs = ag_tuned(&request->tuning, &request->tuning.per_channel_pairs),
        .width = t->rect_width,
        .height = t->rect_height,
        .layers = t->layers,
        .src_bytes = in->bytes,
        .dst_bytes = out->bytes,
        .reads_src_again = 1,
        .channels = channels,
        // Three channels, RGBA16F to RGBA16F, alpha copied: then dst needs only the alpha of src,
        // unless the centre weight is large, and alpha is stored beside the spectra.
        .plain_output = channels == 3 && in->channels == 4 && in->hold == AG_TEXEL_HALF4 &&
                        out->store == AG_STORE_16F && out->channels == 4,
        .max_invocations = gl->max_invocations,
        .max_block_bytes = gl->max_ssbo_bytes,
        .alignment = gl->ssbo_alignment};
}

ag_status ag_kernel_check(const ag_host *host, const ag_request *request, int slot)
{
    const ag_format *format = request->formats[slot];
    AG_TRY(ag_check_one_layer(host, request, slot));
    if (!format || format->channels != 2)
        return AG_OK;
    return ag_fail(host, AG_E_FORMAT, "%s: %s has 2 channels (%s); it takes 1, 3 or 4",
                   request->info->id, request->info->slots[slot].name, format->text);
}

// The plan serves several sizes, and a change of size must not allocate.
ag_handle ag_kernel_memory(ag_frame *f, const ag_fft_plan *p)
{
    return ag_own_memory(f, &(ag_own){.name = "kernel spectrum",
                                      .bytes = (uint64_t)p->kernel_bytes,
                                      .twice = p->request.min_x > 0});
}

// ---- shaders -----------------------------------------------------------------------------------

// What fft/spectrum.glsl wants to know.
static void define_storage(ag_shader *shader, const ag_fft_plan *plan)
{
    bool compact = plan->request.storage == AG_STORAGE_COMPACT;
    ag_shader_define(shader, "COMPACT", compact);
    if (!compact)
        return;
    ag_shader_define(shader, "SHARE", plan->share);
    ag_shader_define(shader, "EXACT", AG_FFT_EXACT);
}

// What fft/rows_store.glsl and rows_c2r.comp want to know.
static void define_band(ag_shader *shader, const ag_fft_plan *plan, bool kernel)
{
    ag_shader_define(shader, "BAND_LIMITED", !kernel && plan->kept < plan->columns);
    ag_shader_define(shader, "NARROW", plan->x.line.narrow);
}

static void define_source(ag_shader *shader, const ag_format *format, int32_t reading)
{
    ag_shader_reads_packed(shader, &(ag_picture){.format = format, .reading = reading});
}

// BORDERED of shaders/fft/columns_load.glsl: places of a padded line hold 0: the image in order,
// then zeros; 1: what a border repeats; 2: a ramp behind the image.
static int32_t bordered(const ag_fft_axis *axis, int32_t border)
{
    if (axis->periodic || border == AG_BORDER_ZERO)
        return 0;
    return border == AG_OUTSIDE_RAMP ? 2 : 1;
}

// Whether the C2R row pass may do without src, if the kernel has a small centre weight.
static bool stores_alpha(const ag_fft_plan *plan)
{
    return plan->alpha_bytes > 0 && !plan->per_channel;
}

static ag_shader *rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_io *io)
{
    int32_t borders = bordered(&plan->x, plan->request.border);
    ag_shader *shader = ag_line_shader(f, "fft/rows_r2c.comp", &plan->x.line, AG_LINE_FORWARD);
    define_source(shader, io->src, io->reading);
    ag_shader_define(shader, "SRC_TEXEL", io->src->hold);
    ag_shader_define(shader, "CHANNELS", plan->per_channel ? 1 : plan->request.channels);
    ag_shader_define(shader, "PER_CHANNEL", plan->per_channel);
    ag_shader_define(shader, "FILTERABLE", io->filterable);
    ag_shader_define(shader, "BORDERED", borders);
    // With a border every place is mapped to a texel: one program for all widths.
    ag_shader_define(shader, "PADDED", borders || plan->x.line.length != plan->request.width);
    ag_shader_define(shader, "ALPHA", stores_alpha(plan));
    define_band(shader, plan, false);
    define_storage(shader, plan);
    return shader;
}

static ag_shader *columns_shader(ag_frame *f, const ag_fft_plan *plan)
{
    const ag_fft_line *line = &plan->y.line;
    ag_shader *shader;
    if (line->in_place) {
        shader = ag_frame_shader(f, "fft/columns_band_limited.comp");
        ag_shader_define(shader, "N", line->length);
        ag_shader_define(shader, "HEAD", line->radix[0]);
        ag_shader_define(shader, "FOURS", line->stages - 1);
        ag_shader_define(shader, "LINES", line->lines);
        ag_shader_define(shader, "GROUP", line->threads * line->lines);
    } else {
        shader = ag_line_shader(f, "fft/columns.comp", line, AG_LINE_FORWARD_AND_INVERSE);
        ag_shader_define(shader, "PADDED", 2 * plan->pairs != line->length);
        define_storage(shader, plan);
    }
    ag_shader_define(shader, "BORDERED", bordered(&plan->y, plan->request.border));
    return shader;
}

// `plain`: of what dst needs of src, the R2C row pass has stored the alpha.
static ag_shader *rows_c2r_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_io *io,
                                  bool plain)
{
    ag_shader *shader = ag_line_shader(f, "fft/rows_c2r.comp", &plan->rows_c2r, AG_LINE_INVERSE);
    ag_shader_define(shader, "PLAIN", plain);
    ag_shader_define(shader, "CHANNELS", plan->request.channels);
    ag_shader_define(shader, "PER_CHANNEL", plan->per_channel);
    define_band(shader, plan, false);
    define_storage(shader, plan);
    if (plain)
        return shader;
    define_source(shader, io->src, io->reading);
    ag_shader_define(shader, "FILTERABLE", io->filterable);
    if (ag_shader_defines(shader))
        ag_composite_defines(io->dst, ag_shader_defines(shader));
    return shader;
}

// ---- every frame -------------------------------------------------------------------------------

void ag_convolution_begin(ag_frame *f, const ag_fft_plan *plan, const ag_kernel_facts *facts,
                          const ag_picture *src, const ag_picture *dst, const ag_fft_io *io,
                          ag_convolution *c)
{
    *c = (ag_convolution){.plan = *plan,
                          .io = *io,
                          .small_centre = !facts || !facts->large_centre,
                          .src = *src,
                          .dst = *dst};
    if (facts && facts->known && plan->kernel_form == AG_KERNEL_COMPLEX)
        ag_fft_plan_kernel(&c->plan, facts->form);
    c->rows = rows_shader(f, plan, &c->io);
    c->columns = columns_shader(f, plan);
    c->rows_c2r = rows_c2r_shader(f, plan, &c->io, false);
    if (stores_alpha(plan))
        c->rows_c2r_plain = rows_c2r_shader(f, plan, &c->io, true);
    c->info = ag_frame_info(f);
    c->twiddle_x = ag_frame_twiddles(f, &plan->x.line);
    c->twiddle_c2r = ag_frame_twiddles(f, &plan->rows_c2r);
    c->twiddle_y = ag_frame_twiddles(f, &plan->y.line);
    c->kernel = ag_kernel_memory(f, &c->plan);
    c->spectra = ag_scratch(f, "spectra", (uint64_t)plan->scratch_bytes);
}

// Where the texels around an axis of the image lie on a padded line (common/border.glsl).
static void line_uniforms(ag_uniform *u, int32_t location, const ag_fft_axis *axis, int32_t size,
                          int32_t border)
{
    int32_t length = axis->line.length;
    u[0] = (ag_uniform)AG_INTS(location, size, size + axis->reach_low, length, border);
    u[1] = (ag_uniform)AG_INTS(location + 1, -length, 1, 0, 0);
}

// The spectra of a layer, one channel each. Shaders have a binding for each of four channels.
static void channel_ranges(const ag_convolution *c, int32_t layer, uint32_t access, bool plain,
                           ag_dispatch *d)
{
    const ag_fft_plan *p = &c->plan;
    uint64_t start = (uint64_t)(layer * p->layer_bytes), bytes = (uint64_t)p->channel_bytes;
    for (int32_t i = 0; i < 4; ++i) {
        bool has = i < p->request.channels;
        uint64_t at = start + (has ? (uint64_t)i * bytes : 0);
        d->ranges[AG_SSBO_SPECTRUM + i] = ag_block_of(c->spectra, has ? access : 0, at, bytes);
    }
    if (c->rows_c2r_plain)
        d->ranges[AG_SSBO_ALPHA] =
            ag_block_of(c->spectra, plain ? access : 0,
                        start + (uint64_t)p->request.channels * bytes, (uint64_t)p->alpha_bytes);
}

void ag_mix_uniforms(const ag_mix *mix, const ag_picture *dst, ag_uniform *u)
{
    const float *f = mix->filter, *g = mix->gain, *d = mix->direct, *s = mix->self, *k = mix->keep;
    u[0] = (ag_uniform)AG_INTS(AG_LOC_DST_RECT, dst->shape->rect_x, dst->shape->rect_y, 0, 0);
    u[1] = (ag_uniform)AG_FLOATS(AG_LOC_FILTER, f[0], f[1], f[2], f[3]);
    u[2] = (ag_uniform)AG_FLOATS(AG_LOC_GAIN, g[0], g[1], g[2], g[3]);
    u[3] = (ag_uniform)AG_FLOATS(AG_LOC_DIRECT, d[0], d[1], d[2], d[3]);
    u[4] = (ag_uniform)AG_FLOATS(AG_LOC_SELF, s[0], s[1], s[2], s[3]);
    u[5] = (ag_uniform)AG_FLOATS(AG_LOC_KEEP, k[0], k[1], k[2], k[3]);
}

static void bind_source(const ag_convolution *c, int32_t layer, bool reads, ag_dispatch *d)
{
    bool by_image = c->io.reading == AG_BY_IMAGE;
    ag_view *view = by_image ? &d->images[AG_IMAGE_SRC] : &d->textures[0];
    *view = by_image ? ag_packed_view(&c->src, AG_READ, layer)
                     : ag_picture_view(&c->src, AG_READ, layer);
    view->access = reads ? AG_READ : 0;
}

// Of some hundred groups of R2C rows the last have one channel each instead of all: they end at
// about the same time, however many groups run at once. Of more groups the last matter less than
// the texels that are then read again (docs/decisions.md, D76).
enum { SINGLE_CHANNELS = 64, SOME_GROUPS = 300, MANY_GROUPS = 1000 };

static uint32_t row_groups(const ag_fft_plan *p)
{
    uint32_t groups = ag_groups(p->pairs, p->x.line.lines);
    bool some = groups > SOME_GROUPS && groups <= MANY_GROUPS && !p->per_channel &&
                p->request.storage == AG_STORAGE_FULL;
    return some ? groups + SINGLE_CHANNELS * (uint32_t)(p->request.channels - 1) : groups;
}

static void rows(ag_frame *f, const ag_convolution *c, bool scrub, bool plain, const ag_mix *mix)
{
    const ag_fft_plan *p = &c->plan;
    const ag_fft_request *r = &p->request;
    const float *filter = mix->filter;
    ag_frame_step(f, "R2C rows");
    for (int32_t layer = 0; layer < r->layers; ++layer) {
        ag_uniform uniforms[] = {
            [4] = AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->kept, plain,
                          (int32_t)(p->channel_bytes / 16)),
            AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
        };
        ag_read_uniforms(uniforms, &c->src, r->channels, scrub, layer);
        line_uniforms(uniforms + 2, AG_LOC_LINE_X, &p->x, r->width, r->border);
        ag_dispatch d = {.shader = c->rows,
                         .ranges[AG_SSBO_TWIDDLE] = ag_all(c->twiddle_x, AG_READ),
                         .ranges[AG_SSBO_INFO] = ag_all(c->info, AG_ADD),
                         AG_UNIFORMS(uniforms),
                         .groups = {row_groups(p), p->per_channel ? (uint32_t)r->channels : 1, 1}};
        channel_ranges(c, layer, AG_WRITE, plain, &d);
        bind_source(c, layer, true, &d);
        ag_frame_dispatch(f, &d);
    }
}

static void columns(ag_frame *f, const ag_convolution *c)
{
    const ag_fft_plan *p = &c->plan;
    const ag_fft_request *r = &p->request;
    ag_uniform uniforms[] = {
        [2] = AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->kept, 0, (int32_t)(p->channel_bytes / 16)),
        AG_INTS(AG_LOC_CHANNELS, r->channels, r->kernel_channels, 0, 0),
        AG_INTS(AG_LOC_KERNEL, 0, 0, p->kernel_form, (int32_t)(p->kernel_channel_bytes / 8)),
    };
    line_uniforms(uniforms, AG_LOC_LINE_Y, &p->y, r->height, r->border);
    int32_t together = p->channels_a_dispatch;
    uint64_t channel = (uint64_t)p->channel_bytes, tap = (uint64_t)p->kernel_channel_bytes;
    ag_frame_step(f, "columns");
    for (int32_t layer = 0; layer < r->layers; ++layer)
        for (int32_t i = 0; i < r->channels; i += together) {
            bool one = r->kernel_channels == 1;
            ag_block kernel = ag_block_of(c->kernel, AG_READ, one ? 0 : (uint64_t)i * tap,
                                          one ? tap : (uint64_t)together * tap);
            ag_block same = kernel;
            same.access = 0; // the same bytes as floats
            ag_frame_dispatch(
                f, &(ag_dispatch){
                       .shader = c->columns,
                       .ranges[AG_SSBO_SPECTRUM] =
                           ag_block_of(c->spectra, AG_READ | AG_WRITE,
                                       (uint64_t)(layer * p->layer_bytes) + (uint64_t)i * channel,
                                       (uint64_t)together * channel),
                       .ranges[AG_SSBO_KERNEL] = kernel,
                       .ranges[AG_SSBO_KERNEL_REAL] = same,
                       .ranges[AG_SSBO_TWIDDLE] = ag_all(c->twiddle_y, AG_READ),
                       AG_UNIFORMS(uniforms),
                       .groups = {ag_groups(p->kept, p->y.line.lines), (uint32_t)together, 1}});
        }
}

static void rows_c2r(ag_frame *f, const ag_convolution *c, bool scrub, bool plain,
                     const ag_mix *mix)
{
    const ag_fft_plan *p = &c->plan;
    const ag_fft_request *r = &p->request;
    ag_frame_step(f, "C2R rows");
    for (int32_t layer = 0; layer < r->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->kept, 0, (int32_t)(p->channel_bytes / 16)),
            [2 + AG_MIX_UNIFORMS] = {0},
        };
        ag_read_uniforms(uniforms, &c->src, r->channels, scrub, layer);
        ag_mix_uniforms(mix, &c->dst, uniforms + 3);
        ag_dispatch d = {.shader = plain ? c->rows_c2r_plain : c->rows_c2r,
                         .images[AG_IMAGE_DST] = ag_packed_view(&c->dst, AG_WRITE, layer),
                         .ranges[AG_SSBO_TWIDDLE] = ag_all(c->twiddle_c2r, AG_READ),
                         .ranges[AG_SSBO_INFO] = ag_all(c->info, AG_ADD),
                         AG_UNIFORMS(uniforms),
                         .groups = {p->per_channel ? (uint32_t)p->pairs
                                                   : ag_groups(p->pairs, p->rows_c2r.lines),
                                    1, 1}};
        channel_ranges(c, layer, AG_READ, plain, &d);
        if (p->per_channel) { // all channels by one binding
            channel_ranges(c, layer, 0, plain, &d);
            d.ranges[AG_SSBO_SPECTRUM] =
                ag_block_of(c->spectra, AG_READ, (uint64_t)(layer * p->layer_bytes),
                            (uint64_t)(p->channel_bytes * r->channels));
        }
        bind_source(c, layer, !plain, &d);
        ag_frame_dispatch(f, &d);
    }
}

void ag_convolution_steps(ag_frame *f, const ag_convolution *c, bool scrub, const ag_mix *mix)
{
    bool plain = c->small_centre && c->rows_c2r_plain && mix->filter[3] == 0;
    // The plan knows which bytes of the padded lines hold something.
    const int64_t *bytes = c->plan.bytes;
    rows(f, c, scrub, plain, mix);
    ag_frame_step_bytes(f, (uint64_t)bytes[0]);
    columns(f, c);
    ag_frame_step_bytes(f, (uint64_t)bytes[1]);
    rows_c2r(f, c, scrub, plain, mix);
    ag_frame_step_bytes(f, (uint64_t)bytes[2]);
}

// Of the kernel's spectrum, as far as is known without its taps.
static const char *form_text(const ag_fft_plan *p, bool finds_form)
{
    return p->kernel_form == AG_KERNEL_LINES ? "of two lines"
           : finds_form ? "counted as complex, less if prepare finds its taps symmetric"
                        : "complex";
}

void ag_convolution_words(const ag_fft_plan *p, bool finds_form, char words[AG_CONVOLUTION_WORDS])
{
    const ag_fft_request *r = &p->request;
    char x[66], y[66]; // so that all fits, whatever the numbers
    ag_fft_describe(&p->x.line, x, sizeof x);
    ag_fft_describe(&p->y.line, y, sizeof y);
    snprintf(
        words, AG_CONVOLUTION_WORDS,
        "fft: rows %s; columns %s; %d pairs of rows; %d of %d columns; %d of %d channels a dispatch; %s spectra; "
        "kernel spectrum %s%s",
        x, y, p->pairs, p->kept, p->columns, p->channels_a_dispatch, r->channels,
        r->storage == AG_STORAGE_COMPACT ? "compact" : "full", form_text(p, finds_form),
        stores_alpha(p) ? "; src read once unless the centre weight is large" : "");
}

// ---- sums of a kernel --------------------------------------------------------------------------

ag_kernel_sums ag_kernel_sums_begin(ag_frame *f, const ag_format *kernel, bool finds_form)
{
    ag_kernel_sums sums = {.sum = ag_picture_shader(f, "fft/kernel_sum.comp", kernel)};
    ag_shader_define(sums.sum, "BY_ROWS", 0);
    if (finds_form)
        sums.shape = ag_picture_shader(f, "fft/kernel_shape.comp", kernel);
    return sums;
}

// Compares taps with their mirror images, and with the products of the sums of their lines.
static void shape_steps(ag_frame *f, const ag_kernel_sums *sums, const ag_kernel *k,
                        const ag_uniform source[2], ag_handle info)
{
    const ag_texture *t = k->source.shape;
    const int64_t lines = (int64_t)t->rect_width + t->rect_height,
                  taps = (int64_t)t->rect_width * t->rect_height;
    ag_handle line_sums = ag_scratch(f, "sums of taps", 32 * (uint64_t)lines);
    for (int32_t part = 0; part < 2; ++part) {
        ag_uniform uniforms[] = {source[0], source[1],
                                 AG_INTS(AG_LOC_KERNEL, t->rect_width / 2, t->rect_height / 2, 0,
                                         0),
                                 AG_INTS(AG_LOC_PART, part, 0, 0, 0)};
        ag_dispatch d = {.shader = sums->shape,
                         .images[AG_IMAGE_SRC] = ag_picture_view(&k->source, AG_READ, 0),
                         .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ | AG_WRITE),
                         .ranges[AG_SSBO_TAP_SUMS] = ag_all(line_sums, part ? AG_READ : AG_WRITE),
                         AG_UNIFORMS(uniforms)};
        ag_fold_groups(((part ? taps : lines) + 63) / 64, 1024, d.groups);
        ag_frame_step(f, part ? "kernel compares" : "kernel lines");
        ag_frame_dispatch(f, &d);
    }
}

// The densest form that taps with these bits of AG_TAPS_NOT_* allow.
static int32_t form_of(uint32_t shape)
{
    return !(shape & AG_TAPS_NOT_LINES)      ? AG_KERNEL_LINES
           : !(shape & AG_TAPS_NOT_MIRRORED) ? AG_KERNEL_MIRRORED
           : !(shape & AG_TAPS_NOT_EVEN)     ? AG_KERNEL_REAL
                                             : AG_KERNEL_COMPLEX;
}

void ag_kernel_sums_make(ag_frame *f, const ag_kernel_sums *sums, const ag_kernel *k,
                         ag_handle info, ag_kernel_facts *facts)
{
    const ag_texture *t = k->source.shape;
    ag_uniform uniforms[4] = {[2] = AG_INTS(AG_LOC_KERNEL, t->rect_width / 2, t->rect_height / 2, 0,
                                            0),
                              [3] = AG_FLOATS(AG_LOC_SUM, k->how & AG_SUM_NORMALIZE ? 1.0f : 0.0f,
                                              k->bypass_share, 0, 0)};
    ag_read_uniforms(uniforms, &k->source, k->channels, (k->how & AG_SUM_SCRUB) != 0, 0);
    ag_frame_step(f, "kernel sum");
    ag_frame_dispatch(f, &(ag_dispatch){.shader = sums->sum,
                                        .images[AG_IMAGE_SRC] =
                                            ag_picture_view(&k->source, AG_READ, 0),
                                        .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ | AG_WRITE),
                                        AG_UNIFORMS(uniforms),
                                        .groups = {1, 1, 1}});
    if (sums->shape)
        shape_steps(f, sums, k, uniforms, info);
    if (facts)
        *facts = (ag_kernel_facts){.of = facts->of, .large_centre = true};
    bool checks =
        (k->how & AG_SUM_NORMALIZE && k->how & AG_SUM_MAY_BE_ZERO) || (k->how & AG_SUM_HAS_TAPS);
    struct {
        float centre[4];
        float sums[4][2]; // pairs of floats
        uint32_t scrubbed, shape;
    } found;
    if ((!facts && !checks) || !ag_frame_look(f, info, AG_INFO_CENTRE, sizeof found, &found))
        return;
    for (int32_t c = 0; c < k->channels; ++c) {
        if ((k->how & AG_SUM_HAS_TAPS) && !(found.shape & (uint32_t)AG_TAPS_IN_CHANNEL_0 << c))
            ag_frame_refuse(f, AG_E_ARG,
                            "the kernel's channel %d is zero everywhere: nothing can be restored",
                            c);
        if ((k->how & AG_SUM_NORMALIZE) && (k->how & AG_SUM_MAY_BE_ZERO) &&
            found.sums[c][0] == 0.0f)
            ag_frame_refuse(
                f, AG_E_ARG,
                "the kernel's channel %d sums to zero: it cannot be normalized by its sum", c);
    }
    if (!facts)
        return;
    const float *c = found.centre;
    uint32_t no_lines = k->how & AG_SUM_NO_LINES ? AG_TAPS_NOT_LINES : 0;
    facts->known = true;
    facts->large_centre = c[0] != 0 || c[1] != 0 || c[2] != 0 || c[3] != 0;
    facts->form = sums->shape ? form_of(found.shape | no_lines) : AG_KERNEL_COMPLEX;
}

// ---- its spectrum ------------------------------------------------------------------------------

ag_kernel_transform ag_kernel_transform_begin(ag_frame *f, const ag_fft_plan *plan,
                                              const ag_format *kernel)
{
    ag_kernel_transform t;
    t.rows = ag_line_shader(f, "fft/kernel_rows.comp", &plan->x.line, AG_LINE_FORWARD);
    define_source(t.rows, kernel, AG_BY_IMAGE);
    ag_shader_define(t.rows, "CHANNELS", plan->request.kernel_channels);
    define_band(t.rows, plan, true);
    t.columns = ag_line_shader(f, "fft/kernel_columns.comp", &plan->y.line, AG_LINE_FORWARD);
    ag_shader_define(t.columns, "BORDERED", 1);
    ag_shader_define(t.columns, "PADDED", 1);
    return t;
}

void ag_kernel_transform_make(ag_frame *f, const ag_kernel_transform *transform,
                              const ag_fft_plan *p, const ag_picture *kernel, bool scrub,
                              ag_handle info, const char *scratch, ag_handle spectrum)
{
    const ag_fft_request *r = &p->request;
    ag_handle twiddle_x = ag_frame_twiddles(f, &p->x.line),
              twiddle_y = ag_frame_twiddles(f, &p->y.line);
    ag_handle half = ag_scratch(f, scratch, (uint64_t)p->kernel_scratch_bytes);

    // The kernel's taps around its centre: place 0 holds the tap of offset 0 (common/border.glsl).
    const ag_texture *t = kernel->shape;
    int32_t cx = t->rect_width / 2, cy = t->rect_height / 2, sign = r->correlate ? -1 : 1;
    uint64_t channel = (uint64_t)(p->kernel_scratch_bytes / r->kernel_channels);
    int32_t values = (int32_t)(p->kernel_channel_bytes / 8), cells = (int32_t)(channel / 16);
    ag_uniform uniforms[] = {
        [2] = AG_INTS(AG_LOC_LINE_X, t->rect_width, p->x.reach_high + 1, p->x.line.length,
                      AG_OUTSIDE_ZERO),
        AG_INTS(AG_LOC_LINE_X2, -p->x.reach_low, sign, cx, 0),
        AG_INTS(AG_LOC_SPECTRUM, p->kernel_pairs, p->columns, 0, cells),
        AG_INTS(AG_LOC_KERNEL, cx, cy, 0, values),
    };
    ag_read_uniforms(uniforms, kernel, r->kernel_channels, scrub, 0);
    ag_dispatch d = {.shader = transform->rows,
                     .images[AG_IMAGE_SRC] = ag_packed_view(kernel, AG_READ, 0),
                     .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddle_x, AG_READ),
                     .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ),
                     AG_UNIFORMS(uniforms),
                     .groups = {ag_groups(p->kernel_pairs, p->x.line.lines), 1, 1}};
    for (int32_t i = 0; i < 4; ++i) {
        bool has = i < r->kernel_channels;
        d.ranges[AG_SSBO_SPECTRUM + i] =
            ag_block_of(half, has ? AG_WRITE : 0, has ? (uint64_t)i * channel : 0, channel);
    }
    ag_frame_step(f, "kernel rows");
    ag_frame_dispatch(f, &d);

    // Unpacking doubles the kernel and, later, the scene; each inverse multiplies by its length.
    float scale = (float)(0.25 / ((double)p->x.line.length * p->y.line.length));
    ag_frame_step(f, "kernel columns");
    for (int32_t i = 0; i < r->kernel_channels; ++i) {
        ag_uniform lines[] = {
            AG_INTS(AG_LOC_LINE_Y, t->rect_height, p->y.reach_high + 1, p->y.line.length,
                    AG_OUTSIDE_ZERO),
            AG_INTS(AG_LOC_LINE_Y2, -p->y.reach_low, sign, cy, 0),
            AG_INTS(AG_LOC_SPECTRUM, p->kernel_pairs, p->kept, 0, cells),
            AG_INTS(AG_LOC_CHANNELS, r->channels, r->kernel_channels, i, 0),
            AG_INTS(AG_LOC_KERNEL, cx, cy, p->kernel_form, values),
            AG_FLOATS(AG_LOC_SCALE, scale, 0, 0, 0),
        };
        uint64_t bytes = (uint64_t)p->kernel_channel_bytes;
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = transform->columns,
                              .ranges[AG_SSBO_SPECTRUM] =
                                  ag_block_of(half, AG_READ, (uint64_t)i * channel, channel),
                              .ranges[AG_SSBO_KERNEL] =
                                  ag_block_of(spectrum, AG_WRITE, (uint64_t)i * bytes, bytes),
                              .ranges[AG_SSBO_KERNEL_REAL] =
                                  ag_block_of(spectrum, 0, (uint64_t)i * bytes, bytes),
                              .ranges[AG_SSBO_TWIDDLE] = ag_all(twiddle_y, AG_READ),
                              .ranges[AG_SSBO_INFO] = ag_all(info, AG_READ),
                              AG_UNIFORMS(lines),
                              .groups = {ag_groups(p->kept, p->y.line.lines), 1, 1}});
    }
}
