// bloom_reduced.c - bloom by the FFT of a smaller image: half, quarter, auto (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
//   fireflies  T with less of single bright texels, if the host wants it   bloom/firefly.comp
//   down       T, what blooms of the frame, to the smaller image           bloom/down.comp
//   FFT        the convolution of the smaller image with the rest of K     convolution.h
//   up         the result to the frame, the core, and the composite        bloom/up.comp
//
// K is drawn for the frame as it would without this. Here it is split into a core, 5 x 5 taps, and
// the rest, a smaller kernel. Only K's texels are looked at: K may be any kernel.
#include "base/log.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "core/frame_pass.h"
#include "effects/bloom/bloom.h"
#include "effects/kit/tables.h"

#include <math.h>
#include <string.h>

// ---- B-splines ---------------------------------------------------------------------------------

// Along an axis, the smaller image has one texel for `ratio` texels of the frame. Down, it takes
// h(t) = B(t / ratio) / ratio; up, the frame takes B(t / ratio), with B the cubic B-spline and t
// the distance of two texels' centres. All lengths in texels of the frame:
//
//   g(d)  h * B(. / ratio) at distance d: what a kernel that is one texel of the smaller image
//         becomes in the frame, averaged over all places of the light, times ratio
//   w(d)  g divided by the square of its own values at multiples of `ratio`. A kernel K in the
//         frame becomes  reduced(m) = sum K(x) w(x - m ratio):  of all kernels of the smaller image
//         the one with the least error, in the mean over places and for white light (its spectrum
//         is  sum H^2 K / (sum H^2)^2  over the frequencies that meet there, with H that of h).
//         Where much of K is cut off, rings would surround every lamp, and where they are darkest
//         the frame would lose more light than it has. There it is also multiplied by
//         1 - sin(pi f)^p,  f in cycles a texel of the smaller image. p = 2 leaves no dark ring of
//         any kernel; p = 2.8 loses less, and serves stars, of which the core holds the middle
//
// source  M. Unser 1999, "Splines: a perfect fit for signal and image processing": the least
//         squares projection; docs/bloom.md
enum {
    MOST = 4,                           // the largest ratio
    FAR = (AG_SPLINE_REACH + 4) * MOST, // distances in the tables of doubles
    INVERSE = AG_SPLINE_REACH + 4,      // of the division, in texels of the smaller image
    TURN = 256                          // points of the division in the frequency domain
};

// How a spectrum ends: as the least squares have it, or with p = 2.8, or 2.
enum { CUT = 0, STEEP = 1, GENTLE = 2 };

typedef struct tables {
    int32_t ratio;
    double g[FAR + 1], w[FAR + 1]; // even functions
} tables;

static double b_spline(double t)
{
    t = fabs(t);
    return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

// An even ratio has its centres between texels.
static double blend(int32_t ratio, int32_t distance)
{
    double sum = 0, shift = ratio % 2 ? 0 : 0.5;
    for (int32_t i = -2 * ratio; i <= 2 * ratio; ++i)
        sum += b_spline((i + shift) / ratio) / ratio * b_spline((i + shift + distance) / ratio);
    return sum;
}

static void fill_tables(int32_t ratio, int32_t roll_off, tables *t)
{
    static const double exponents[] = {0, 2.8, 2}; // CUT, STEEP, GENTLE
    const double turn = 6.28318530717958647692;
    double inverse[INVERSE + 1], spectrum[TURN];
    memset(t, 0, sizeof *t);
    t->ratio = ratio;
    for (int32_t d = 0; d <= 4 * ratio; ++d)
        t->g[d] = blend(ratio, d);
    for (int32_t k = 0; k < TURN; ++k) {
        double sum = t->g[0];
        for (int32_t m = 1; m < 4; ++m)
            sum += 2 * t->g[m * ratio] * cos(turn * k * m / TURN);
        double high = roll_off ? pow(sin(turn / 2 * k / TURN), exponents[roll_off]) : 0;
        spectrum[k] = (1 - high) / (sum * sum);
    }
    for (int32_t m = 0; m <= INVERSE; ++m) {
        inverse[m] = 0;
        for (int32_t k = 0; k < TURN; ++k)
            inverse[m] += spectrum[k] * cos(turn * (k * m % TURN) / TURN) / TURN;
    }
    for (int32_t d = 0; d <= AG_SPLINE_REACH * ratio; ++d)
        for (int32_t m = -INVERSE; m <= INVERSE; ++m) {
            int32_t at = d - m * ratio < 0 ? m * ratio - d : d - m * ratio;
            if (at <= 4 * ratio)
                t->w[d] += inverse[m < 0 ? -m : m] * t->g[at];
        }
    // Of each place of a texel all weights sum to 1, so that no light is lost where w was cut off.
    double sums[MOST] = {0};
    for (int32_t d = -AG_SPLINE_REACH * ratio; d <= AG_SPLINE_REACH * ratio; ++d)
        sums[(d + AG_SPLINE_REACH * ratio) % ratio] += t->w[d < 0 ? -d : d];
    for (int32_t d = 0; d <= AG_SPLINE_REACH * ratio; ++d)
        t->w[d] /= sums[d % ratio];
}

static double at(const double *even, int32_t distance)
{
    distance = distance < 0 ? -distance : distance;
    return distance <= FAR ? even[distance] : 0;
}

// How much of a tap at b, taken to the smaller image and back, arrives at a; along one axis.
static double passes(const tables *t, int32_t a, int32_t b)
{
    double sum = 0;
    for (int32_t m = -AG_SPLINE_REACH; m <= AG_SPLINE_REACH; ++m)
        sum += at(t->w, b - m * t->ratio) * at(t->g, a - m * t->ratio) / t->ratio;
    return sum;
}

// The inverse of the matrix  1 - passes  on the taps of the core, by Gauss and Jordan. It is
// positive definite, because no frequency passes enlarged: no pivots are needed.
static void invert_core(const tables along[2], float *out)
{
    enum { N = AG_CORE_TAPS, SIDE = 2 * AG_CORE_RADIUS + 1 };
    double x[SIDE][SIDE], y[SIDE][SIDE], a[N][2 * N];
    for (int32_t i = 0; i < SIDE; ++i)
        for (int32_t k = 0; k < SIDE; ++k) {
            x[i][k] = passes(&along[0], i - AG_CORE_RADIUS, k - AG_CORE_RADIUS);
            y[i][k] = passes(&along[1], i - AG_CORE_RADIUS, k - AG_CORE_RADIUS);
        }
    for (int32_t i = 0; i < N; ++i)
        for (int32_t k = 0; k < N; ++k) {
            a[i][k] = (i == k) - x[i % SIDE][k % SIDE] * y[i / SIDE][k / SIDE];
            a[i][N + k] = i == k;
        }
    for (int32_t i = 0; i < N; ++i) {
        double pivot = a[i][i];
        for (int32_t k = 0; k < 2 * N; ++k)
            a[i][k] /= pivot;
        for (int32_t row = 0; row < N; ++row) {
            double factor = a[row][i];
            for (int32_t k = 0; k < 2 * N && row != i; ++k)
                a[row][k] -= factor * a[i][k];
        }
    }
    for (int32_t i = 0; i < N; ++i)
        for (int32_t k = 0; k < N; ++k)
            *out++ = (float)a[i][N + k];
}

static int32_t table_floats(const int32_t split[3])
{
    return (AG_SPLINE_REACH + 4) * (split[0] + split[1]) + 2 * 2 + AG_CORE_TAPS * AG_CORE_TAPS;
}

// For x, then for y: w(0) .. w(AG_SPLINE_REACH ratio), g(0) / ratio .. g(4 ratio) / ratio. Then the
// matrix of the core (bloom/split.comp), AG_CORE_TAPS rows. In double, rounded once. `split`: three
// int32_t, the ratios of x and y, each 2 or 4, and how it ends.
static void fill_table(const void *split, float *values)
{
    const int32_t *wanted = split;
    tables along[2];
    for (int i = 0; i < 2; ++i) {
        const tables *t = &along[i];
        fill_tables(wanted[i], wanted[2], &along[i]);
        for (int32_t d = 0; d <= AG_SPLINE_REACH * t->ratio; ++d)
            *values++ = (float)t->w[d];
        for (int32_t d = 0; d <= 4 * t->ratio; ++d)
            *values++ = (float)(t->g[d] / t->ratio);
    }
    invert_core(along, values);
}

void ag_spline_reduce(int32_t ratio, const double *kernel, int32_t taps, double *reduced,
                      int32_t reach)
{
    tables t;
    fill_tables(ratio, CUT, &t);
    for (int32_t m = -reach; m <= reach; ++m) {
        double sum = 0;
        for (int32_t x = -taps; x <= taps; ++x)
            sum += kernel[x < 0 ? -x : x] * at(t.w, x - m * ratio);
        reduced[m + reach] = sum;
    }
}

// What comes back of such a smaller kernel at a distance x of the centre, in the mean over places.
static double comes_back(int32_t ratio, const double *reduced, int32_t reach, int32_t x)
{
    double sum = 0;
    for (int32_t m = -reach; m <= reach; ++m) {
        int32_t d = x - m * ratio < 0 ? m * ratio - x : x - m * ratio;
        if (d <= 4 * ratio)
            sum += reduced[m + reach] * blend(ratio, d) / ratio;
    }
    return sum;
}

int32_t ag_spline_reach(int32_t ratio, int32_t taps)
{
    return (taps + AG_SPLINE_TAIL * ratio) / ratio;
}

// ---- plan --------------------------------------------------------------------------------------

ag_reduced ag_reduced_plan(const ag_request *request, const ag_bloom_settings *s, int32_t ratio,
                           const int32_t grid[2], ag_fft_request *fft)
{
    bool wide = request->formats[AG_BLOOM_SRC]->store == AG_STORE_32F;
    int32_t ratio_y = s->shape == AG_BLOOM_ANAMORPHIC && ratio > 2 ? ratio / 2 : ratio;
    const int32_t margins = 2 * AG_SMALL_MARGIN;
    ag_reduced r = {.ratio_x = ratio,
                    .ratio_y = ratio_y,
                    .width = ag_div_up(grid[0], ratio) + margins,
                    .height = ag_div_up(grid[1], ratio_y) + margins,
                    .step_x = (float)((double)ratio * fft->width / grid[0]),
                    .step_y = (float)((double)ratio_y * fft->height / grid[1]),
                    .varies = fft->width != grid[0] || fft->height != grid[1],
                    .rest_width = 2 * ag_spline_reach(ratio, fft->kernel_width / 2) + 1,
                    .rest_height = 2 * ag_spline_reach(ratio_y, fft->kernel_height / 2) + 1,
                    .fireflies = s->firefly != AG_BLOOM_FIREFLY_OFF,
                    .format = ag_format_find(wide ? GL_RGBA32F : GL_RGBA16F)};
    if (fft->kernel_form != AG_KERNEL_LINES) {
        // A kernel whose spectrum ends soon after the smaller image's needs neither a core nor
        // a rest that rolls off. The factor was chosen on the night street: 50 dB and more are
        // left. But other kernels may be split by the same programs, and a shader from the host's
        // folder may draw any.
        bool any = request->live || ag_bloom_several(request, s);
        bool smooth = !any && (s->shape == AG_BLOOM_APERTURE || s->shape == AG_BLOOM_STAR) &&
                      ag_pupil_cutoff(s, fft->kernel_height) * ratio < 0.65;
        // A core has the frame's texels, so it would change with the frame's size.
        r.core = !smooth && s->grid == AG_BLOOM_FRAME;
        // With a core, and 2 texels of the frame for one along y, little is lost by cutting off:
        // the core holds most of it (docs/decisions.md, D57).
        r.roll_off = smooth || (r.core && ratio_y == 2) ? CUT : r.core ? STEEP : GENTLE;
    }
    fft->width = r.width;
    fft->height = r.height;
    fft->kernel_width = r.rest_width;
    fft->kernel_height = r.rest_height;
    fft->src_bytes = fft->dst_bytes = r.format->bytes;
    // Nothing of the smaller image but the convolution is used: the pass that reads it once more
    // for a composite is only taken where the other one does not exist.
    fft->plain_output = !wide && fft->channels == 3;
    fft->reads_src_again = !fft->plain_output;
    return r;
}

// ---- K's split, in a prepare -------------------------------------------------------------------

// A part of the split; NULL: it reads no texture by common/source.glsl.
static ag_shader *split_shader(ag_frame *f, int32_t part, const ag_format *reads)
{
    const char *path = "bloom/split.comp";
    ag_shader *shader = reads ? ag_picture_shader(f, path, reads) : ag_frame_shader(f, path);
    ag_shader_define(shader, "PART", part);
    return shader;
}

// The core, and the rest without what the core has of it.
static void split_core(ag_frame *f, const ag_reduced *r, const ag_picture *kernel, ag_block core,
                       const ag_split *split)
{
    ag_uniform uniforms[4] = {AG_INTS(AG_LOC_SMALL, r->rest_width, r->rest_height, 0, 0),
                              AG_INTS(AG_LOC_RATIO, r->ratio_x, r->ratio_y, 0, 0)};
    ag_read_uniforms(uniforms + 2, kernel, 4, true, 0);
    core.access = AG_WRITE;
    ag_dispatch d = {.shader = split_shader(f, AG_SPLIT_CORE, kernel->format),
                     .images[AG_IMAGE_SRC] = ag_picture_view(kernel, AG_READ, 0),
                     .images[AG_IMAGE_SMALL] = ag_picture_view(&split->rest.picture, AG_READ, 0),
                     .ranges[AG_SSBO_SPLINE] = ag_all(split->spline, AG_READ),
                     .ranges[AG_SSBO_CORE] = core,
                     .uniforms = uniforms,
                     .uniform_count = 4,
                     .groups = {1, 1, 1}};
    ag_frame_dispatch(f, &d);
    core.access = AG_READ;
    d = (ag_dispatch){.shader = split_shader(f, AG_SPLIT_SUBTRACT, NULL),
                      .images[AG_IMAGE_SMALL] =
                          ag_picture_view(&split->rest.picture, AG_READ | AG_WRITE, 0),
                      .ranges[AG_SSBO_SPLINE] = ag_all(split->spline, AG_READ),
                      .ranges[AG_SSBO_CORE] = core,
                      .uniforms = uniforms,
                      .uniform_count = 2,
                      .groups = {ag_groups(r->rest_width, 8), ag_groups(r->rest_height, 8), 1}};
    ag_frame_dispatch(f, &d);
}

void ag_reduced_split(ag_frame *f, const ag_reduced *r, const ag_picture *kernel, ag_block core,
                      ag_split *split)
{
    bool half = r->ratio_x == 2;
    int32_t w = kernel->shape->rect_width, h = kernel->shape->rect_height;
    ag_own own = {.name = half ? "kernel lines, half" : "kernel lines, quarter",
                  .format = GL_RGBA32F,
                  .layers = 1,
                  .temporary = true};
    ag_bloom_own_image(f, &own, w, r->rest_height, &split->lines);
    own.name = half ? "kernel rest, half" : "kernel rest, quarter";
    ag_bloom_own_image(f, &own, r->rest_width, r->rest_height, &split->rest);
    const int32_t ratios[3] = {r->ratio_x, r->ratio_y, r->roll_off};
    const int32_t key[8] = {-1, ratios[0], ratios[1], ratios[2]}; // no line has -1 points
    split->spline = ag_shared_constants(f, "afterglow splines", key, (size_t)table_floats(ratios),
                                        fill_table, ratios);

    ag_shader *rest = split_shader(f, AG_SPLIT_REST, kernel->format);
    const ag_picture *along[3] = {kernel, &split->lines.picture, &split->rest.picture};
    const int32_t taps[2][2] = {{h / 2, r->rest_height / 2}, {w / 2, r->rest_width / 2}};
    ag_frame_step(f, "kernel split");
    for (int pass = 0; pass < 2; ++pass) { // along y, then x
        const ag_picture *in = along[pass], *out = along[pass + 1];
        const ag_texture *t = out->shape;
        ag_uniform uniforms[] = {[2] =
                                     AG_INTS(AG_LOC_DST_RECT, 0, 0, t->rect_width, t->rect_height),
                                 AG_INTS(AG_LOC_REST, !pass, taps[pass][0], taps[pass][1], 0),
                                 AG_INTS(AG_LOC_RATIO, r->ratio_x, r->ratio_y, 0, 0)};
        ag_read_uniforms(uniforms, in, 4, true, 0);
        ag_dispatch d = {.shader = rest,
                         .images[AG_IMAGE_SRC] = ag_picture_view(in, AG_READ, 0),
                         .images[AG_IMAGE_DST] = ag_picture_view(out, AG_WRITE, 0),
                         .ranges[AG_SSBO_SPLINE] = ag_all(split->spline, AG_READ),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(t->rect_width, 8), ag_groups(t->rect_height, 8), 1}};
        ag_frame_dispatch(f, &d);
    }
    if (r->core)
        split_core(f, r, kernel, core, split);
}

// ---- every frame -------------------------------------------------------------------------------

static const ag_mix plain_mix = {.gain = {1, 1, 1, 1}, .filter = {0, 0, INFINITY, 0}};

typedef struct reduction { // what the dispatches of a frame share
    const ag_reduced *plan;
    ag_picture src, dst;
    ag_bloom_image light, bloom, spread; // spread: the frame without fireflies
} reduction;

static void own_images(ag_frame *f, reduction *r)
{
    const ag_reduced *p = r->plan;
    const ag_texture *frame = r->src.shape;
    ag_own own = {.name = "light",
                  .format = p->format->name,
                  .width = p->max_width,
                  .height = p->max_height,
                  .layers = frame->layers};
    ag_bloom_own_image(f, &own, p->width, p->height, &r->light);
    own.name = "bloom";
    ag_bloom_own_image(f, &own, p->width, p->height, &r->bloom);
    own = (ag_own){.name = "fireflies", .format = own.format, .layers = own.layers};
    if (p->fireflies)
        ag_bloom_own_image(f, &own, frame->rect_width, frame->rect_height, &r->spread);
}

static ag_shader *shader_of(ag_frame *f, const char *path, const ag_picture *reads,
                            const ag_reduced *p, bool has_ratio)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_shader_reads_packed(shader, reads);
    ag_shader_define(shader, "FILTERABLE", 1);
    ag_shader_define(shader, "WIDE", p->format->store == AG_STORE_32F);
    if (!has_ratio)
        return shader;
    ag_shader_define(shader, "RATIO_X", p->ratio_x);
    ag_shader_define(shader, "RATIO_Y", p->ratio_y);
    ag_shader_define(shader, "VARIES", p->varies);
    return shader;
}

static void fireflies(ag_frame *f, const reduction *r, const ag_bloom_settings *s,
                      const ag_mix *mix)
{
    const float *filter = mix->filter;
    const ag_picture *src = &r->src;
    ag_shader *shader = shader_of(f, "bloom/firefly.comp", src, r->plan, false);
    ag_frame_step(f, "fireflies");
    for (int32_t layer = 0; layer < src->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
            AG_FLOATS(AG_LOC_FIREFLY, s->firefly == AG_BLOOM_FIREFLY_KARIS, exp2f(s->exposure), 0,
                      0),
        };
        ag_read_uniforms(uniforms, src, src->format->channels, s->scrub, layer);
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_packed_view(src, AG_READ, layer),
                         .images[AG_IMAGE_SMALL] =
                             ag_packed_view(&r->spread.picture, AG_WRITE, layer),
                         .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(src->shape->rect_width, 16),
                                    ag_groups(src->shape->rect_height, 16), 1}};
        ag_frame_dispatch(f, &d);
    }
}

static void down(ag_frame *f, const reduction *r, const ag_picture *from, bool scrub,
                 const ag_mix *mix)
{
    const ag_reduced *p = r->plan;
    const float *filter = mix->filter;
    ag_shader *shader = shader_of(f, "bloom/down.comp", from, p, true);
    ag_frame_step(f, "down");
    for (int32_t layer = 0; layer < from->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
            AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_SMALL, p->width, p->height, AG_SMALL_MARGIN, 0),
        };
        ag_read_uniforms(uniforms, from, from->format->channels, scrub, layer);
        ag_dispatch d = {
            .shader = shader,
            .images[AG_IMAGE_SRC] = ag_packed_view(from, AG_READ, layer),
            .images[AG_IMAGE_SMALL] = ag_packed_view(&r->light.picture, AG_WRITE, layer),
            .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
            .uniforms = uniforms,
            .uniform_count = AG_COUNT_OF(uniforms),
            // texels along x that a group of bloom/down.comp makes
            .groups = {ag_groups(p->width, p->ratio_x == 2 ? 60 : 28), ag_groups(p->height, 8), 1}};
        ag_frame_dispatch(f, &d);
    }
}

static void up(ag_frame *f, const reduction *r, ag_handle kernel, bool scrub, const ag_mix *mix)
{
    const ag_reduced *p = r->plan;
    const ag_picture *src = &r->src;
    ag_shader *shader = shader_of(f, "bloom/up.comp", src, p, true);
    ag_shader_define(shader, "CORE", p->core);
    ag_shader_define(shader, "FIREFLIES", p->fireflies);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_composite_defines(r->dst.format, defines);
    ag_frame_step(f, "up");
    for (int32_t layer = 0; layer < src->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_SMALL, p->width, p->height, AG_SMALL_MARGIN, 0),
            [3 + AG_MIX_UNIFORMS] = {0},
        };
        ag_read_uniforms(uniforms, src, src->format->channels, scrub, layer);
        ag_mix_uniforms(mix, &r->dst, uniforms + 4);
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_packed_view(src, AG_READ, layer),
                         .images[AG_IMAGE_DST] = ag_packed_view(&r->dst, AG_WRITE, layer),
                         .images[AG_IMAGE_SMALL] =
                             ag_packed_view(&r->bloom.picture, AG_READ, layer),
                         .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(src->shape->rect_width, 32),
                                    ag_groups(src->shape->rect_height, 16), 1}};
        if (p->core)
            d.ranges[AG_SSBO_CORE] =
                ag_block_of(kernel, AG_READ, (uint64_t)p->core_offset, AG_CORE_BYTES);
        if (p->core && p->fireflies)
            d.images[AG_IMAGE_LIGHT] = ag_packed_view(&r->spread.picture, AG_READ, layer);
        ag_frame_dispatch(f, &d);
    }
}

void ag_reduced_steps(ag_frame *f, const ag_bloom_design *d, const ag_bloom_settings *s,
                      const ag_picture *src, const ag_picture *dst, const ag_mix *mix)
{
    const ag_reduced *p = &d->reduced;
    reduction r = {.plan = p, .src = *src, .dst = *dst};
    own_images(f, &r);
    const ag_picture *light = &r.light.picture;
    if (p->fireflies) {
        fireflies(f, &r, s, mix);
        down(f, &r, &r.spread.picture, false, &plain_mix);
    } else {
        down(f, &r, src, s->scrub, mix);
    }
    const ag_fft_io io = {light->format, light->format, AG_BY_IMAGE, false};
    ag_convolution c;
    ag_convolution_begin(f, &d->fft, NULL, light, &r.bloom.picture, &io, &c);
    ag_convolution_steps(f, &c, false, &plain_mix);
    up(f, &r, c.kernel, s->scrub, mix);
}

// ---- resolution = auto -------------------------------------------------------------------------

// The error of the bloom is, in the mean over places and for white light, the error of the kernel:
// Q = sum r (r - E r) over its texels (bloom/split.comp). The estimate is the square of the
// intensity times Q over sum K^2; on the night street the error that is seen is a few dB less
// (docs/bloom.md).
//
// Of the resolutions that keep the limit auto takes the one whose plan costs least:
//
//   cost = bytes of all steps + dispatches * DISPATCH_BYTES
//
// Passes of an FFT are near the time of their bytes, and a dispatch takes 3 to 5 us with its
// barrier (docs/decisions.md): 4 MB at 1 TB/s. On a GPU with less bandwidth a dispatch costs fewer
// bytes; then small frames keep the full resolution for longer than they must.
static const double limit = 1e-5; // 50 dB
enum { DISPATCH_BYTES = 4000000 };

extern const ag_effect ag_effect_bloom;

static bool keeps(const ag_bloom_settings *s, double error, double square)
{
    double i = (double)s->intensity;
    return i * i * error <= limit * square; // false for a NaN
}

// A Gaussian is the product of two equal lines, and so is what is made of it:
// Q = (sum k^2)^2 - (sum k E k)^2, without a core.
static int32_t decide_gaussian(const ag_host *host, const ag_bloom_settings *s,
                               const ag_kernel_size *size)
{
    int32_t taps = size->height / 2, most = 2 * ag_spline_reach(2, taps) + 1;
    size_t bytes = sizeof(double) * (size_t)(taps + 1 + most);
    double *k = ag_alloc(host, bytes), *reduced = k + taps + 1;
    int32_t found = 1;
    for (int32_t i = 0; i <= taps && k; ++i)
        k[i] = ag_gaussian_tap(i, size->sigma);
    for (int32_t ratio = 4; ratio > 1 && k && found == 1; ratio /= 2) {
        int32_t reach = ag_spline_reach(ratio, taps);
        ag_spline_reduce(ratio, k, taps, reduced, reach);
        double square = 0, back = 0;
        for (int32_t x = -taps; x <= taps; ++x) {
            double tap = k[x < 0 ? -x : x];
            square += tap * tap;
            back += tap * comes_back(ratio, reduced, reach, x);
        }
        // Where the formula of the spectrum does not serve, the kernel has a core: not estimated.
        if (size->sigma >= ratio && keeps(s, square * square - back * back, square * square))
            found = ratio;
    }
    ag_free(host, k, bytes);
    return found;
}

// Of the largest frame that is planned for.
static ag_kernel_size largest_kernel(const ag_request *request, const ag_bloom_settings *s)
{
    int32_t h = request->slots[AG_BLOOM_SRC].rect_height;
    return ag_bloom_kernel_size(request, s, request->plan_height > h ? request->plan_height : h);
}

enum { TRIED = 2, ANSWER_BYTES = 2 * sizeof(float) }; // ratios 4 and 2; of one of them

// Makes the error at one ratio, and its square, the first two floats of `rows`.
static void error_steps(ag_frame *f, ag_shader *shader, const ag_reduced *r, const ag_split *split,
                        const ag_picture *kernel, ag_handle core, ag_handle rows)
{
    for (int32_t pass = 0; pass < 2; ++pass) {
        ag_uniform uniforms[5] = {AG_INTS(AG_LOC_SMALL, r->rest_width, r->rest_height, 0, 0),
                                  AG_INTS(AG_LOC_RATIO, r->ratio_x, r->ratio_y, 0, 0),
                                  AG_INTS(AG_LOC_REST, pass, 0, 0, 0)};
        ag_read_uniforms(uniforms + 3, kernel, 4, true, 0);
        ag_frame_step(f, "bloom error");
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_picture_view(kernel, AG_READ, 0),
                         .images[AG_IMAGE_SMALL] =
                             ag_picture_view(&split->rest.picture, AG_READ, 0),
                         .ranges[AG_SSBO_SPLINE] = ag_all(split->spline, AG_READ),
                         .ranges[AG_SSBO_CORE] = ag_all(core, AG_READ),
                         .ranges[AG_SSBO_SUMS] = ag_all(rows, AG_READ | AG_WRITE),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {pass ? 1 : (uint32_t)kernel->shape->rect_height, 1, 1}};
        ag_frame_dispatch(f, &d);
    }
}

// The error of a drawn kernel, by the GPU.
static void look(ag_frame *f)
{
    static const char *const names[TRIED] = {"errors of a quarter", "errors of a half"};
    const ag_request *request = ag_frame_request(f);
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    const ag_kernel_size size = largest_kernel(request, &s);
    ag_drawing drawing;
    ag_drawing_begin(f, &s, &size, &drawing);
    ag_shader *error = split_shader(f, AG_SPLIT_ERROR, ag_format_find(GL_RGBA32F));
    ag_handle core = ag_own_memory(f, &(ag_own){.name = "core", .bytes = AG_CORE_BYTES});
    ag_handle no_core =
        ag_own_memory(f, &(ag_own){.name = "no core", .bytes = AG_CORE_BYTES, .temporary = true});
    ag_drawing_memory(f, 0, 0, &drawing);
    ag_drawing_make(f, &drawing);
    const ag_picture *kernel = &drawing.kernel.picture;
    const int32_t grid[2] = {1, 1}; // of any frame
    for (int i = 0; i < TRIED; ++i) {
        ag_fft_request fft = {.kernel_width = size.width,
                              .kernel_height = size.height,
                              .kernel_form = AG_KERNEL_COMPLEX};
        const ag_reduced reduced = ag_reduced_plan(request, &s, i ? 2 : 4, grid, &fft);
        ag_split split;
        ag_reduced_split(f, &reduced, kernel, ag_all(core, AG_WRITE), &split);
        ag_handle rows = ag_own_memory(
            f, &(ag_own){.name = names[i], .bytes = 2 * sizeof(float) * (uint64_t)size.height});
        error_steps(f, error, &reduced, &split, kernel, reduced.core ? core : no_core, rows);
        ag_frame_answer(f, rows, 0, (uint64_t)i * ANSWER_BYTES, ANSWER_BYTES);
    }
}

// The cheapest ratio up to request->decision, of those that fit; the first one that fits if none of
// those does. The job was planned with that one, and the host may have lent its scratch, so none
// that needs more is taken.
static ag_status take_cheapest(const ag_host *host, const ag_gl *gl, ag_request *request)
{
    const ag_effect *effect = &ag_effect_bloom;
    ag_host quiet = *host; // that a ratio does not fit is no error yet
    int32_t most = request->decision, found = 0;
    uint64_t least = UINT64_MAX, room = 0, given = (uint64_t)request->tuning.dispatch_bytes;
    void *detail = ag_alloc(host, ag_frame_design_bytes(effect));
    ag_pass_plan *plan = ag_alloc(host, sizeof *plan);
    ag_status status = detail && plan ? AG_OK : AG_E_MEMORY;
    quiet.log = NULL;
    for (int32_t ratio = 1; ratio <= 4 && (ratio <= most || !found) && status >= 0; ratio *= 2) {
        request->decision = ratio;
        memset(plan, 0, sizeof *plan);
        bool fits = ag_frame_make_plan(&quiet, gl, request, detail, plan) >= 0;
        uint64_t cost = 0;
        for (uint32_t i = 0; i < plan->head.step_count && fits; ++i)
            cost +=
                plan->steps[i].bytes + plan->steps[i].dispatches * (given ? given : DISPATCH_BYTES);
        if (fits && !found)
            room = plan->head.scratch_bytes;
        if (fits && cost < least && plan->head.scratch_bytes <= room) {
            least = cost;
            found = ratio;
        }
    }
    request->decision = found ? found : 1; // the plan before this one fitted
    ag_free(host, plan, sizeof *plan);
    ag_free(host, detail, ag_frame_design_bytes(effect));
    return status;
}

static ag_status decide(const ag_host *host, const ag_gl *gl, ag_request *request,
                        const void *answer)
{
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    float sums[TRIED][2];
    memcpy(sums, answer, sizeof sums);
    request->decision = 1;
    if (s.shape == AG_BLOOM_GAUSSIAN) {
        const ag_kernel_size size = largest_kernel(request, &s);
        request->decision = decide_gaussian(host, &s, &size);
    }
    for (int i = TRIED - 1; i >= 0 && s.shape != AG_BLOOM_GAUSSIAN; --i)
        if (keeps(&s, (double)sums[i][0], (double)sums[i][1]))
            request->decision = i ? 2 : 4;
    return take_cheapest(host, gl, request);
}

static bool is_auto(const ag_request *request)
{
    return ag_bloom_settings_of(request).resolution == AG_BLOOM_AUTO;
}

static bool is_drawn(const ag_request *request)
{
    return ag_bloom_settings_of(request).shape != AG_BLOOM_GAUSSIAN;
}

const ag_question ag_bloom_auto = {.bytes = TRIED * ANSWER_BYTES,
                                   .needed = is_auto,
                                   .looks = is_drawn,
                                   .look = look,
                                   .decide = decide};
