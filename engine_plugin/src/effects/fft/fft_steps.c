// fft_steps.c - the FFT convolution that convolve and bloom share: resources and recording
// SPDX-License-Identifier: MIT
#include "effects/fft/fft_steps.h"
#include "base/rounding.h"

#include <afterglow/convolve.h>
#include <stdio.h>
#include <string.h>

// ---- making ------------------------------------------------------------------------------------

static ag_spectrum_key key_of(const ag_fft_plan *p, const ag_kernel_source *kernel,
                              const ag_program *const programs[AG_KERNEL_PROGRAMS])
{
    const ag_fft_request *r = &p->request;
    // Radices, threads and layout follow from the lengths.
    ag_spectrum_key key = {.plan = {p->x.line.length, p->y.line.length, p->x.reach_low,
                                    p->x.reach_high, p->y.reach_low, p->y.reach_high,
                                    r->kernel_width, r->kernel_height, r->kernel_channels,
                                    r->correlate, r->kernel_form, p->kept, r->storage}};
    memcpy(key.words, kernel->words, sizeof key.words);
    for (int i = 0; i < AG_KERNEL_PROGRAMS; ++i)
        key.programs[i] = programs[i] ? programs[i]->name : 0;
    return key;
}

static ag_status kernel_programs(const ag_preparation *prep, const ag_fft_plan *plan,
                                 const ag_kernel_source *kernel,
                                 const ag_program *programs[AG_KERNEL_PROGRAMS])
{
    programs[0] = kernel->drawn_by;
    ag_status status = ag_kernel_sum_program(prep, kernel->format, &programs[1]);
    if (status >= 0)
        status = ag_kernel_rows_program(prep, plan, kernel->format, &programs[2]);
    if (status >= 0)
        status = ag_kernel_columns_program(prep, plan, &programs[3]);
    return status < 0 ? status : ag_kernel_shape_program(prep, kernel->format, &programs[4]);
}

// The former spectrum stays in use. The programs that made it count as used by this plan too, so
// that live reload transforms the kernel again when one of their shaders changes.
static void keep_spectrum(const ag_fft_steps *old, ag_fft_steps *made)
{
    made->spectrum_kept = true;
    made->form_known = old->form_known;
    made->centre_known = old->centre_known;
    made->small_centre = old->small_centre;
    ag_fft_plan_kernel(&made->plan, old->plan.kernel_form);
    made->kernel = old->kernel;
    made->spare = old->spare;
    made->kernel_scratch = old->kernel_scratch; // for the next size whose spectrum is another
    for (int i = 0; i < AG_KERNEL_PROGRAMS; ++i)
        if (made->kernel_programs[i])
            *made->kernel_programs[i]->use = *old->kernel_programs[i]->use;
}

// The plan serves several sizes, and a change of size must not allocate: memory is allocated now.
static bool reserves_memory(const ag_fft_steps *c)
{
    return c->plan.request.min_x > 0;
}

static ag_status make_memory(const ag_preparation *prep, const ag_kernel_source *kernel,
                             const ag_fft_steps *old, ag_fft_steps *made)
{
    const ag_fft_plan *plan = &made->plan;
    uint64_t kernel_scratch = (uint64_t)plan->kernel_scratch_bytes;
    if (kernel_scratch < ag_kernel_shape_bytes(kernel->width, kernel->height))
        kernel_scratch = ag_kernel_shape_bytes(kernel->width, kernel->height);
    ag_status status = AG_OK;
    if (made->spectrum_kept || !kernel->format)
        return status;
    // Scratch holds nothing between executes; the host's may hold another pass's data now.
    if (prep->scratch.bytes < kernel_scratch)
        status = ag_gpu_buffer_again(prep->gpu, "afterglow kernel scratch", kernel_scratch,
                                     &old->kernel_scratch, &made->kernel_scratch);
    return status;
}

ag_status ag_fft_steps_allocate_kernel(ag_gpu *gpu, const ag_fft_steps *old, ag_fft_steps *made)
{
    // As large as the one in use if that would serve: the two take turns.
    uint64_t bytes = (uint64_t)made->plan.kernel_bytes;
    if (!ag_memory_serves(&old->spare, bytes) && ag_memory_serves(&old->kernel, bytes))
        bytes = old->kernel.bytes;
    ag_status status =
        ag_gpu_buffer_again(gpu, "afterglow kernel spectrum", bytes, &old->spare, &made->kernel);
    if (status >= 0 && reserves_memory(made) && !ag_memory_serves(&old->kernel, bytes))
        status =
            ag_gpu_buffer(gpu, "afterglow kernel spectrum", AG_ON_GPU, bytes, NULL, &made->spare);
    return status;
}

ag_status ag_fft_steps_prepare(const ag_preparation *prep, const ag_fft_plan *plan,
                               const ag_fft_steps_io *io, const ag_kernel_source *kernel,
                               const ag_fft_steps *old, ag_fft_steps *made)
{
    *made = (ag_fft_steps){.plan = *plan};
    ag_status status = ag_frame_programs(prep, plan, io, made);
    made->kernel_programs[0] = kernel->drawn_by;
    if (status >= 0 && kernel->format)
        status = kernel_programs(prep, plan, kernel, made->kernel_programs);
    if (status >= 0)
        status = ag_line_twiddles(prep->gpu, &plan->x.line, &made->twiddle_x);
    if (status >= 0)
        status = ag_line_twiddles(prep->gpu, &plan->y.line, &made->twiddle_y);
    if (status >= 0) {
        made->key = key_of(plan, kernel, made->kernel_programs);
        if (old->kernel.name && prep->may_wait && !memcmp(&made->key, &old->key, sizeof made->key))
            keep_spectrum(old, made);
        else if (!memcmp(made->key.words, old->key.words, sizeof old->key.words) &&
                 old->form_known && prep->may_wait && plan->kernel_form == AG_KERNEL_COMPLEX) {
            made->form_known =
                true; // the same kernel for other lengths: its taps are what they were
            made->centre_known =
                old->centre_known && old->plan.request.storage == plan->request.storage;
            made->small_centre = made->centre_known && old->small_centre;
            ag_fft_plan_kernel(&made->plan, old->plan.kernel_form);
        }
        status = make_memory(prep, kernel, old, made);
    }
    if (status < 0)
        ag_fft_steps_abandon(prep->gpu, old, made);
    return status;
}

enum { MEMORIES = 3 };

static ag_memory *memory_at(ag_fft_steps *c, int i)
{
    ag_memory *all[MEMORIES] = {&c->kernel, &c->spare, &c->kernel_scratch};
    return all[i];
}

// Leaves with `to` alone what both have.
static void release_shared(ag_fft_steps *from, const ag_fft_steps *to)
{
    for (int i = 0; i < MEMORIES; ++i) {
        ag_memory *m = memory_at(from, i);
        if (m->name == to->kernel.name || m->name == to->spare.name ||
            m->name == to->kernel_scratch.name)
            *m = (ag_memory){0};
    }
}

void ag_fft_steps_commit(ag_fft_steps *old, ag_fft_steps *made)
{
    bool first = !old->kernel.name && !reserves_memory(made);
    release_shared(old, made);
    if (!made->spare.name && ag_memory_serves(&old->kernel, (uint64_t)made->plan.kernel_bytes)) {
        made->spare = old->kernel;
        old->kernel = (ag_memory){0};
    }
    // A pass that is prepared once needs it no more; then it goes with the old state.
    if (first) {
        old->kernel_scratch = made->kernel_scratch;
        made->kernel_scratch = (ag_memory){0};
    }
}

void ag_fft_steps_abandon(ag_gpu *gpu, const ag_fft_steps *old, ag_fft_steps *made)
{
    release_shared(made, old);
    ag_fft_steps_free(gpu, made, true);
}

void ag_fft_steps_free(ag_gpu *gpu, ag_fft_steps *c, bool with_gl)
{
    for (int i = 0; i < MEMORIES; ++i)
        ag_gpu_free_buffer(gpu, memory_at(c, i), with_gl);
}

// ---- every frame -------------------------------------------------------------------------------

// Where the texels around an axis of the image lie on a padded line (common/border.glsl).
static void line_uniforms(ag_uniform *u, int32_t location, const ag_fft_axis *axis, int32_t size,
                          int32_t border)
{
    int32_t length = axis->line.length;
    u[0] = (ag_uniform)AG_INTS(location, size, size + axis->reach_low, length, border);
    u[1] = (ag_uniform)AG_INTS(location + 1, -length, 1, 0, 0);
}

static void record_columns(ag_recording *recording, const ag_fft_steps *c, ag_range spectrum,
                           const ag_uniform *uniforms, uint32_t count)
{
    const ag_fft_plan *p = &c->plan;
    const ag_fft_request *r = &p->request;
    int32_t together = p->channels_a_dispatch;
    for (int32_t i = 0; i < r->channels; i += together) {
        int32_t kernel_channel = r->kernel_channels == 1 ? 0 : i;
        int64_t kernel_bytes = p->kernel_channel_bytes * (together == 1             ? 1
                                                          : r->kernel_channels == 1 ? 1
                                                                                    : together);
        ag_range channels = {spectrum.buffer, spectrum.offset + (uint64_t)(i * p->channel_bytes),
                             (uint64_t)(together * p->channel_bytes)};
        ag_range kernel = {c->kernel.name, (uint64_t)(kernel_channel * p->kernel_channel_bytes),
                           (uint64_t)kernel_bytes};
        ag_record(recording, &(ag_gl_dispatch){.program = c->columns,
                                               .ranges[AG_SSBO_SPECTRUM] = channels,
                                               .ranges[AG_SSBO_KERNEL] = kernel,
                                               .ranges[AG_SSBO_KERNEL_REAL] = kernel,
                                               .ranges[AG_SSBO_TWIDDLE] = ag_whole(c->twiddle_y),
                                               .uniforms = uniforms,
                                               .uniform_count = count,
                                               .groups = {ag_groups(p->kept, p->y.line.lines),
                                                          (uint32_t)together, 1}});
    }
}

ag_image_binding ag_read_packed(const ag_source_texture *t, int32_t layer)
{
    ag_image_binding image = ag_read_image(t, layer);
    if (image.format == GL_RGBA16F && t->format->hold == AG_TEXEL_HALF4)
        image.format = GL_RG32UI;
    return image;
}

static void bind_source(ag_gl_dispatch *d, const ag_source_texture *src, int32_t layer,
                        ag_reading reading)
{
    bool by_image = reading == AG_BY_IMAGE;
    d->images[AG_IMAGE_SRC] = by_image ? ag_read_packed(src, layer) : (ag_image_binding){0};
    d->textures[0].texture = by_image ? 0 : src->texels;
    d->textures[0].target = src->texture->target;
}

ag_image_binding ag_write_packed(const ag_source_texture *dst, int32_t layer)
{
    static const GLenum words[] = {0, GL_R16UI, GL_R32UI, 0, GL_RG32UI}; // by channels
    ag_image_binding image = ag_write_image(dst, layer);
    if (dst->format->store == AG_STORE_16F)
        image.format = words[dst->format->channels];
    return image;
}

void ag_mix_uniforms(const ag_mix *mix, const ag_source_texture *dst, ag_uniform *u)
{
    const float *f = mix->filter, *g = mix->gain, *d = mix->direct, *s = mix->self, *k = mix->keep;
    u[0] = (ag_uniform)AG_INTS(AG_LOC_DST_RECT, dst->texture->rect_x, dst->texture->rect_y, 0, 0);
    u[1] = (ag_uniform)AG_FLOATS(AG_LOC_FILTER, f[0], f[1], f[2], f[3]);
    u[2] = (ag_uniform)AG_FLOATS(AG_LOC_GAIN, g[0], g[1], g[2], g[3]);
    u[3] = (ag_uniform)AG_FLOATS(AG_LOC_DIRECT, d[0], d[1], d[2], d[3]);
    u[4] = (ag_uniform)AG_FLOATS(AG_LOC_SELF, s[0], s[1], s[2], s[3]);
    u[5] = (ag_uniform)AG_FLOATS(AG_LOC_KEEP, k[0], k[1], k[2], k[3]);
}

void ag_fft_steps_record(ag_recording *recording, const ag_request *request, const ag_fft_steps *c,
                         const ag_source_texture *src, const ag_source_texture *dst,
                         const ag_fft_steps_io *io, const ag_memory *info, bool scrub,
                         const ag_mix *mix)
{
    const ag_fft_plan *p = &c->plan;
    const ag_fft_request *r = &p->request;
    ag_range scratch = request->scratch;
    const float *f = mix->filter;
    bool plain = c->small_centre && c->rows_c2r_plain && f[3] == 0;
    int32_t cells = (int32_t)(p->channel_bytes / 16);

    ag_uniform rows[] = {
        [4] = AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->kept, plain, cells),
        AG_FLOATS(AG_LOC_FILTER, f[0], f[1], f[2], f[3]),
    };
    line_uniforms(rows + 2, AG_LOC_LINE_X, &p->x, r->width, r->border);
    ag_uniform columns[] = {
        [2] = AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->kept, 0, cells),
        AG_INTS(AG_LOC_CHANNELS, r->channels, r->kernel_channels, 0, 0),
        AG_INTS(AG_LOC_KERNEL, 0, 0, p->kernel_form, (int32_t)(p->kernel_channel_bytes / 8)),
    };
    line_uniforms(columns, AG_LOC_LINE_Y, &p->y, r->height, r->border);
    ag_uniform rows_c2r[] = {
        [2] = AG_INTS(AG_LOC_SPECTRUM, p->pairs, p->kept, 0, cells),
        [2 + AG_MIX_UNIFORMS] = {0},
    };

    ag_mix_uniforms(mix, dst, rows_c2r + 3);
    ag_gl_dispatch d = {.ranges[AG_SSBO_TWIDDLE] = ag_whole(c->twiddle_x),
                        .ranges[AG_SSBO_INFO] = ag_whole(info)};
    for (uint32_t step = 0; step < 3; ++step) {
        static const char *const names[] = {"R2C rows", "columns", "C2R rows"};
        ag_record_step(recording, c->first_step + step, names[step], step > 0);
        for (int32_t layer = 0; layer < r->layers; ++layer) {
            uint64_t start = (uint64_t)(layer * p->layer_bytes);
            ag_range spectrum = ag_part(scratch, start, (uint64_t)(p->channel_bytes * r->channels));
            if (step == 1) {
                record_columns(recording, c, spectrum, columns, sizeof columns / sizeof *columns);
                continue;
            }
            for (int32_t i = 0; i < 4; ++i)
                d.ranges[AG_SSBO_SPECTRUM + i] =
                    ag_part(scratch,
                            start + (uint64_t)((i < r->channels ? i : 0) * p->channel_bytes),
                            (uint64_t)p->channel_bytes);
            const ag_fft_line *line = step ? &p->rows_c2r : &p->x.line;
            uint32_t channels = p->per_channel ? (uint32_t)r->channels : 1;
            d.groups[0] =
                step && p->per_channel ? (uint32_t)p->pairs : ag_groups(p->pairs, line->lines);
            d.groups[1] = step ? 1 : channels;
            d.groups[2] = 1;
            if (step && p->per_channel)
                d.ranges[AG_SSBO_SPECTRUM] = spectrum;
            if (c->rows_c2r_plain)
                d.ranges[AG_SSBO_ALPHA] =
                    ag_part(scratch, start + spectrum.bytes, (uint64_t)p->alpha_bytes);
            d.program = !step ? c->rows : plain ? c->rows_c2r_plain : c->rows_c2r;
            bind_source(&d, src, layer, io->reading);
            d.images[AG_IMAGE_DST] = step ? ag_write_packed(dst, layer) : (ag_image_binding){0};
            d.uniforms = step ? rows_c2r : rows;
            d.uniform_count =
                step ? sizeof rows_c2r / sizeof *rows_c2r : sizeof rows / sizeof *rows;
            ag_source_uniforms(step ? rows_c2r : rows, src, r->channels, scrub, layer);
            ag_record(recording, &d);
        }
    }
}

// ---- words -------------------------------------------------------------------------------------

// Of the kernel's spectrum, as far as is known without its taps.
static const char *form_text(const ag_fft_plan *p, bool finds_form)
{
    return p->kernel_form == AG_KERNEL_LINES ? "of two lines"
           : finds_form ? "counted as complex, less if prepare finds its taps symmetric"
                        : "complex";
}

void ag_fft_steps_describe(const ag_fft_plan *p, bool finds_form, uint32_t dst_slot,
                           const ag_request *request, const ag_effect_info *info,
                           ag_pass_plan *plan)
{
    const ag_fft_request *r = &p->request;
    char x[66], y[66]; // so that all fits, whatever the numbers
    ag_fft_describe(&p->x.line, x, sizeof x);
    ag_fft_describe(&p->y.line, y, sizeof y);
    snprintf(
        plan->head.text, sizeof plan->head.text,
        "fft: rows %s; columns %s; %d pairs of rows; %d of %d columns; %d of %d channels a dispatch; %s spectra; "
        "kernel spectrum %s%s",
        x, y, p->pairs, p->kept, p->columns, p->channels_a_dispatch, r->channels,
        r->storage == AG_STORAGE_COMPACT ? "compact" : "full", form_text(p, finds_form),
        ag_fft_stores_alpha(p) ? "; src read once unless the centre weight is large" : "");
    static const char *const names[] = {"R2C rows", "columns", "C2R rows"};
    for (uint32_t i = 0; i < 3; ++i) {
        bool columns = i == 1;
        uint32_t chunks = columns ? (uint32_t)(r->channels / p->channels_a_dispatch) : 1;
        plan->steps[i] =
            (ag_step){.name = names[i],
                      .dispatches = chunks * (uint32_t)r->layers,
                      .groups = {columns               ? ag_groups(p->kept, p->y.line.lines)
                                 : i && p->per_channel ? (uint32_t)p->pairs
                                                       : ag_groups(p->pairs, p->x.line.lines),
                                 columns                ? (uint32_t)p->channels_a_dispatch
                                 : !i && p->per_channel ? (uint32_t)r->channels
                                                        : 1,
                                 1},
                      .shared_bytes = (uint32_t)(columns ? p->shared_y : p->shared_x),
                      .bytes = (uint64_t)p->bytes[i],
                      .instructions = (uint64_t)p->instructions[i]};
    }
    plan->head.step_count = 3;
    plan->resources[0] = (ag_resource){.name = "scratch",
                                       .kind = AG_RESOURCE_SCRATCH,
                                       .access = AG_READ | AG_WRITE,
                                       .first_step = 0,
                                       .last_step = 2,
                                       .bytes = (uint64_t)p->scratch_bytes};
    uint32_t rows = 1;
    for (uint32_t i = 0; i < info->slot_count; ++i) {
        const ag_texture *t = &request->slots[i];
        if (!request->formats[i])
            continue;
        bool writes = i == dst_slot;
        plan->resources[rows++] =
            (ag_resource){.name = info->slots[i].name,
                          .access = info->slots[i].access & (AG_READ | AG_WRITE),
                          .first_step = writes ? 2 : 0,
                          .last_step = 2,
                          .bytes = (uint64_t)t->rect_width * (uint64_t)t->rect_height *
                                   (uint64_t)t->layers * (uint64_t)request->formats[i]->bytes};
    }
    plan->head.resource_count = rows;
    plan->head.scratch_bytes = (uint64_t)p->scratch_bytes;
    plan->head.persistent_bytes = (uint64_t)p->kernel_bytes + AG_INFO_BYTES +
                                  16 * (uint64_t)(ag_fft_twiddle_count(&p->x.line, true) +
                                                  ag_fft_twiddle_count(&p->y.line, true));
}
