// pupil.c - the diffraction of a lens's or an eye's opening, from which bloom draws kernels
// SPDX-License-Identifier: MIT
#include "effects/fft/pupil.h"
#include "base/rounding.h"

#include <afterglow/convolve.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

bool ag_pupil_makes(int32_t shape)
{
    return shape == AG_BLOOM_APERTURE || shape == AG_BLOOM_STAR || shape == AG_BLOOM_ANAMORPHIC;
}

// ---- programs ----------------------------------------------------------------------------------

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

ag_status ag_pupil_programs(const ag_preparation *prep, ag_pupil *made)
{
    ag_fft_plan plan;
    if (!plan_transform(&prep->gpu->gl, &plan))
        return AG_E_MEMORY; // 4 MiB a storage block, which GL 4.3 promises, suffice
    const ag_format *format = ag_format_find(GL_R32F);
#define PLACE(member) (made ? &made->member : NULL)
    ag_status status = ag_program_get(prep, "fft/pupil.comp", NULL, PLACE(draw));
    if (status >= 0)
        status = ag_kernel_rows_program(prep, &plan, format, PLACE(transform.kernel_programs[2]));
    if (status >= 0)
        status = ag_kernel_columns_program(prep, &plan, PLACE(transform.kernel_programs[3]));
    if (status >= 0)
        status = ag_program_get(prep, "fft/pupil_power.comp", NULL, PLACE(power));
#undef PLACE
    if (status < 0 || !made)
        return status;
    static const int32_t key[8] = {-1, AG_INFO_BYTES};
    made->transform.plan = plan;
    status = ag_line_twiddles(prep->gpu, &plan.x.line, &made->transform.twiddle_x);
    if (status >= 0)
        status = ag_line_twiddles(prep->gpu, &plan.y.line, &made->transform.twiddle_y);
    if (status >= 0)
        status = ag_gpu_constants(prep->gpu, "afterglow ones", key, AG_INFO_BYTES / 4, fill_ones,
                                  NULL, &made->ones);
    return status;
}

// ---- memory ------------------------------------------------------------------------------------

ag_status ag_pupil_allocate(ag_gpu *gpu, const ag_pupil *old, ag_pupil *made)
{
    const ag_fft_plan *plan = &made->transform.plan;
    ag_status status = AG_OK;
    made->image = old->image;
    made->squared = old->squared;
    if (!made->image.name)
        status = ag_gpu_texture_of(gpu, "afterglow pupil", GL_R32F, 4, AG_PUPIL_SIDE, AG_PUPIL_SIDE,
                                   &made->image);
    if (status >= 0 && !made->squared.name)
        status = ag_gpu_texture_of(gpu, "afterglow pupil power", GL_R32F, 4, AG_POWER_SIDE,
                                   AG_POWER_SIDE, &made->squared);
    if (status >= 0)
        status = ag_gpu_buffer_again(gpu, "afterglow pupil spectrum", (uint64_t)plan->kernel_bytes,
                                     &old->transform.kernel, &made->transform.kernel);
    if (status >= 0)
        status =
            ag_gpu_buffer_again(gpu, "afterglow pupil rows", (uint64_t)plan->kernel_scratch_bytes,
                                &old->transform.kernel_scratch, &made->transform.kernel_scratch);
    return status;
}

void ag_pupil_free(ag_gpu *gpu, ag_pupil *p, const ag_pupil *other, bool with_gl)
{
    ag_fft_steps *t = &p->transform;
    if (!other || p->image.name != other->image.name)
        ag_gpu_free_texture(gpu, &p->image, with_gl);
    if (!other || p->squared.name != other->squared.name)
        ag_gpu_free_texture(gpu, &p->squared, with_gl);
    if (!other || t->kernel.name != other->transform.kernel.name)
        ag_gpu_free_buffer(gpu, &t->kernel, with_gl);
    if (!other || t->kernel_scratch.name != other->transform.kernel_scratch.name)
        ag_gpu_free_buffer(gpu, &t->kernel_scratch, with_gl);
    p->image = p->squared = t->kernel = t->kernel_scratch = (ag_memory){0};
}

// ---- recording ---------------------------------------------------------------------------------

// How many obstacles a share of 1 is.
enum { MOST_DUST = 240, MOST_SCRATCHES = 80, MOST_LASHES = 60 };

static int32_t obstacles(float share, int32_t most)
{
    return (int32_t)lroundf(share * (float)most);
}

void ag_pupil_record(const ag_preparation *prep, const ag_bloom_settings *s, const ag_pupil *p)
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
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow pupil");
    ag_record(
        &recording,
        &(ag_gl_dispatch){.program = p->draw,
                          .images[AG_IMAGE_DST] = {p->image.name, 0, 0, GL_WRITE_ONLY, GL_R32F},
                          .uniforms = pupil,
                          .uniform_count = sizeof pupil / sizeof *pupil,
                          .groups = {ag_groups(AG_PUPIL_SIDE, 8), ag_groups(AG_PUPIL_SIDE, 8), 1}});
    ag_record_end(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);

    ag_texture view = {.name = p->image.name,
                       .target = GL_TEXTURE_2D,
                       .format = GL_R32F,
                       .width = AG_PUPIL_SIDE,
                       .height = AG_PUPIL_SIDE,
                       .layers = 1,
                       .rect_width = AG_PUPIL_SIDE,
                       .rect_height = AG_PUPIL_SIDE};
    ag_source_texture source = ag_own_texture(&p->image, ag_format_find(GL_R32F), &view);
    ag_kernel_spectrum(prep, &p->transform, &source, false, p->ones);

    ag_uniform power[] = {AG_INTS(AG_LOC_KERNEL, p->transform.plan.y.line.lines, 0, 0, 0)};
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow pupil power");
    ag_record(
        &recording,
        &(ag_gl_dispatch){.program = p->power,
                          .images[AG_IMAGE_DST] = {p->squared.name, 0, 0, GL_WRITE_ONLY, GL_R32F},
                          .ranges[AG_SSBO_KERNEL] = ag_whole(&p->transform.kernel),
                          .uniforms = power,
                          .uniform_count = 1,
                          .groups = {ag_groups(AG_POWER_SIDE, 8), ag_groups(AG_POWER_SIDE, 8), 1}});
    ag_record_end(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
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
