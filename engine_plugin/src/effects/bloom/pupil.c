// pupil.c - the diffraction of a lens's or an eye's opening, from which bloom draws kernels
// SPDX-License-Identifier: MIT
#include "effects/bloom/pupil.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"

#include <afterglow/convolve.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

bool ag_pupil_makes(int32_t shape)
{
    return shape == AG_BLOOM_APERTURE || shape == AG_BLOOM_STAR || shape == AG_BLOOM_ANAMORPHIC;
}

// ---- plan -----------------------------------------------------------------------------------

// Lines of exactly AG_PUPIL_LINE points: the image of the convolution is as large as they allow.
static bool plan_transform(const ag_gl *gl, ag_fft_plan *plan)
{
    char why[256];
    ag_fft_request request = {.width = AG_PUPIL_LINE - AG_PUPIL_SIDE,
                              .height = AG_PUPIL_LINE - AG_PUPIL_SIDE,
                              .kernel_width = AG_PUPIL_SIDE,
                              .kernel_height = AG_PUPIL_SIDE,
                              .border = AG_BORDER_ZERO,
                              .channels = 1,
                              .kernel_channels = 1,
                              .kernel_form = AG_KERNEL_COMPLEX,
                              .layers = 1,
                              .src_bytes = 4,
                              .dst_bytes = 4,
                              .min_x = AG_PUPIL_LINE,
                              .min_y = AG_PUPIL_LINE,
                              .max_invocations = gl->max_invocations,
                              .max_block_bytes = gl->max_ssbo_bytes,
                              .alignment = gl->ssbo_alignment};
    return ag_fft_plan_make(&request, plan, why, sizeof why) &&
           plan->x.line.length == AG_PUPIL_LINE && plan->y.line.length == AG_PUPIL_LINE;
}

static void fill_ones(const void *context, float *values)
{
    (void)context;
    for (int i = 0; i < AG_INFO_BYTES / 4; ++i)
        values[i] = i < 4 ? 1.0f : 0.0f;
}

void ag_pupil_begin(ag_frame *f, ag_pupil *p)
{
    const ag_format *format = ag_format_find(GL_R32F);
    if (!plan_transform(ag_frame_gl(f), &p->plan))
        ag_frame_fail(f, AG_E_MEMORY); // 4 MiB a storage block, which GL 4.3 promises, suffice
    p->draw = ag_frame_shader(f, "fft/pupil.comp");
    p->transform = ag_kernel_transform_begin(f, &p->plan, format);
    p->power = ag_frame_shader(f, "fft/pupil_power.comp");
}

static ag_handle square(ag_frame *f, const char *name, int32_t side)
{
    return ag_own_memory(f, &(ag_own){.name = name,
                                      .format = GL_R32F,
                                      .width = side,
                                      .height = side,
                                      .layers = 1,
                                      .temporary = true});
}

void ag_pupil_memory(ag_frame *f, ag_pupil *p)
{
    static const int32_t key[8] = {-1, AG_INFO_BYTES};
    p->image = square(f, "pupil", AG_PUPIL_SIDE);
    p->squared = square(f, "pupil power", AG_POWER_SIDE);
    p->spectrum = ag_own_memory(f, &(ag_own){.name = "pupil spectrum",
                                             .bytes = (uint64_t)p->plan.kernel_bytes,
                                             .temporary = true});
    // A kernel's factor of 1 (common/info.glsl).
    p->ones = ag_shared_constants(f, "afterglow ones", key, AG_INFO_BYTES / 4, fill_ones, NULL);
}

// ---- making ---------------------------------------------------------------------------------

// How many obstacles a share of 1 is.
enum { MOST_DUST = 240, MOST_SCRATCHES = 80, MOST_LASHES = 60 };

static int32_t obstacles(float share, int32_t most)
{
    return (int32_t)lroundf(share * (float)most);
}

void ag_pupil_make(ag_frame *f, const ag_bloom_settings *s, const ag_pupil *p)
{
    bool eye = s->shape == AG_BLOOM_STAR;
    double rotation = (double)s->rotation * PI / 180;
    ag_uniform pupil[] = {
        AG_FLOATS(AG_LOC_PUPIL, (float)rotation, eye ? 1 : s->roundness, AG_PUPIL_RADIUS, 0),
        AG_INTS(AG_LOC_PUPIL_MODE, s->blades, obstacles(s->dust, MOST_DUST),
                obstacles(s->scratches, MOST_SCRATCHES),
                eye ? obstacles(s->eyelashes, MOST_LASHES) : 0),
        AG_INTS(AG_LOC_PUPIL_SEED, s->seed, 0, 0, 0),
    };
    const ag_texture shape = {.target = GL_TEXTURE_2D,
                              .layers = 1,
                              .rect_width = AG_PUPIL_SIDE,
                              .rect_height = AG_PUPIL_SIDE};
    const ag_picture image = {.of = p->image, .shape = &shape, .format = ag_format_find(GL_R32F)};
    const ag_picture squared = {.of = p->squared, .shape = &shape, .format = image.format};
    ag_frame_step(f, "pupil");
    ag_frame_dispatch(
        f, &(ag_dispatch){.shader = p->draw,
                          .images[AG_IMAGE_DST] = ag_picture_view(&image, AG_WRITE, 0),
                          .uniforms = pupil,
                          .uniform_count = AG_COUNT_OF(pupil),
                          .groups = {ag_groups(AG_PUPIL_SIDE, 8), ag_groups(AG_PUPIL_SIDE, 8), 1}});
    ag_kernel_transform_make(f, &p->transform, &p->plan, &image, false, p->ones, "pupil rows",
                             p->spectrum);
    ag_uniform power[] = {AG_INTS(AG_LOC_KERNEL, p->plan.y.line.lines, 0, 0, 0)};
    ag_frame_step(f, "pupil power");
    ag_frame_dispatch(
        f, &(ag_dispatch){.shader = p->power,
                          .images[AG_IMAGE_DST] = ag_picture_view(&squared, AG_WRITE, 0),
                          .ranges[AG_SSBO_KERNEL] = ag_all(p->spectrum, AG_READ),
                          .uniforms = power,
                          .uniform_count = 1,
                          .groups = {ag_groups(AG_POWER_SIDE, 8), ag_groups(AG_POWER_SIDE, 8), 1}});
}

// The area of the opening without obstacles, in texels: an integral over one blade of the radius at
// which pupil.comp's distance is 0.
static double open_area(const ag_bloom_settings *s)
{
    double round = s->shape == AG_BLOOM_STAR ? 1 : (double)s->roundness, sum = 0;
    double half = PI / s->blades, apothem = cos(half);
    enum { STEPS = 64 };
    for (int i = 0; i < STEPS; ++i) {
        double c = cos(half * ((i + 0.5) / STEPS));
        double radius = (round + (1 - round) * apothem) / (round + (1 - round) * c);
        sum += radius * radius;
    }
    return PI * sum / STEPS * AG_PUPIL_RADIUS * AG_PUPIL_RADIUS;
}

double ag_pupil_scale(const ag_bloom_settings *s, int32_t extent, double stretch)
{
    // Parseval: the sum of |F|^2 over all frequencies is N^2 times that of the squared pupil, which
    // is F(0) where nothing is half transparent.
    double step = AG_POWER_EDGE / (extent / 2.0), all = (double)AG_PUPIL_LINE * AG_PUPIL_LINE;
    return step * step / stretch * open_area(s) / all;
}

double ag_pupil_cutoff(const ag_bloom_settings *s, int32_t extent)
{
    // bloom_kernel.comp draws frequency k of the power at k texels * extent / 2 / AG_POWER_EDGE.
    // Blue gathers little below 436 nm: one standard deviation from 460.
    double step = AG_POWER_EDGE / (extent / 2.0);
    return 2.0 * AG_PUPIL_RADIUS / AG_PUPIL_LINE * step * pow(545 / 436.0, (double)s->dispersion);
}
