// bloom_kernel.c - draws bloom's kernels, of every shape, into a texture
// SPDX-License-Identifier: MIT
#include "effects/fft/bloom_kernel.h"
#include "base/float_bits.h"
#include "base/log.h"
#include "base/rounding.h"

#include <math.h>
#include <string.h>

enum { KERNEL_IMAGE = AG_BLOOM_KERNEL_IMAGE, SRC = AG_BLOOM_SRC };

static bool fits(const ag_bloom_settings *s)
{
    return s->shape == AG_BLOOM_TEXTURE && s->kernel_fit == AG_BLOOM_FIT_AUTO;
}

void ag_bloom_kernel_words(const ag_request *request, const ag_bloom_settings *s,
                           int32_t words[AG_BLOOM_KERNEL_WORDS])
{
    const ag_texture *t = &request->slots[KERNEL_IMAGE]; // all zero unless it is used
    bool pupil = ag_pupil_makes(s->shape), textured = s->shape == AG_BLOOM_TEXTURE;
    bool streak = s->shape == AG_BLOOM_ANAMORPHIC, eye = s->shape == AG_BLOOM_STAR;
    int32_t all[AG_BLOOM_KERNEL_WORDS] = {s->shape, ag_float_bits(s->size), s->blades,
                                          ag_float_bits(s->rotation)};
    if (pupil) {
        int32_t of_pupil[] = {ag_float_bits(s->roundness),
                              ag_float_bits(s->dispersion),
                              ag_float_bits(s->dust),
                              ag_float_bits(s->scratches),
                              s->seed,
                              eye ? ag_float_bits(s->eyelashes) : 0,
                              streak ? ag_float_bits(s->stretch) : 0,
                              streak ? ag_float_bits(s->streak) : 0};
        memcpy(all + 4, of_pupil, sizeof of_pupil);
    }
    if (textured) {
        int32_t of_texture[] = {s->scrub,       s->kernel_fit,       (int32_t)t->name,
                                t->rect_width,  (int32_t)t->version, (int32_t)(t->version >> 32),
                                t->rect_height, (int32_t)t->format,  t->level,
                                t->first_layer, t->rect_x,           t->rect_y};
        memcpy(all + 12, of_texture, sizeof of_texture);
    }
    memcpy(words, all, sizeof all);
}

bool ag_bloom_kernel_is_even(const ag_bloom_settings *s)
{
    return ag_pupil_makes(s->shape);
}

// ---- programs ----------------------------------------------------------------------------------

ag_status ag_bloom_drawer_programs(const ag_preparation *prep, const ag_request *request,
                                   ag_bloom_drawer *made)
{
    ag_bloom_settings s;
    memcpy(&s, &request->settings, sizeof s);
    ag_defines defines = {0};
    bool textured = s.shape == AG_BLOOM_TEXTURE;
    ag_source_defines(textured ? request->formats[KERNEL_IMAGE] : ag_format_find(GL_R32F),
                      AG_BY_IMAGE, &defines);
    ag_status status =
        ag_program_get(prep, "fft/bloom_kernel.comp", &defines, made ? &made->draw : NULL);
    if (status >= 0 && fits(&s))
        status = ag_program_get(prep, "fft/kernel_fit.comp", &defines, made ? &made->fit : NULL);
    if (status >= 0 && ag_pupil_makes(s.shape))
        status = ag_pupil_programs(prep, made ? &made->pupil : NULL);
    return status;
}

enum { PROGRAMS = 6 };

static const ag_program *program_at(const ag_bloom_drawer *d, int i)
{
    const ag_program *const *kernel = d->pupil.transform.kernel_programs;
    const ag_program *all[PROGRAMS] = {d->draw,        d->fit,    d->pupil.draw,
                                       d->pupil.power, kernel[2], kernel[3]};
    return all[i];
}

void ag_bloom_drawer_key(const ag_bloom_drawer *drawer, int32_t *words)
{
    for (int i = 0; i < PROGRAMS; ++i)
        words[i] = program_at(drawer, i) ? (int32_t)program_at(drawer, i)->name : 0;
}

void ag_bloom_drawer_keep(const ag_bloom_drawer *old, ag_bloom_drawer *made)
{
    for (int i = 0; i < PROGRAMS; ++i)
        if (program_at(made, i) && program_at(old, i))
            *program_at(made, i)->use = *program_at(old, i)->use;
}

// ---- memory ------------------------------------------------------------------------------------

enum { SUMS_BYTES = 48 }; // kernel_fit.comp

// A texture to draw K into, as of ag_gpu_buffer_again.
static ag_status make_texture(ag_gpu *gpu, int32_t w, int32_t h, int32_t max_width,
                              int32_t max_height, const ag_bloom_drawer *old, ag_bloom_drawer *made)
{
    bool planned = max_width > 0;
    made->texture = old->texture;
    made->width = old->width;
    made->height = old->height;
    if (old->width >= w && old->height >= h &&
        (planned || ag_memory_serves(&old->texture, (uint64_t)w * (uint64_t)h * 16)))
        return AG_OK;
    if (planned) {
        w = max_width;
        h = max_height;
    } else if (old->texture.name && (old->width < w || old->height < h)) {
        int32_t most = gpu->gl.max_texture_size;
        w = w + w / 8 < most ? w + w / 8 : most;
        h = h + h / 8 < most ? h + h / 8 : most;
    }
    made->texture = (ag_memory){0};
    made->width = w;
    made->height = h;
    return ag_gpu_texture(gpu, "afterglow bloom kernel", w, h, &made->texture);
}

ag_status ag_bloom_drawer_allocate(ag_gpu *gpu, const ag_request *request, int32_t width,
                                   int32_t height, int32_t max_width, int32_t max_height,
                                   const ag_bloom_drawer *old, ag_bloom_drawer *made)
{
    ag_bloom_settings s;
    memcpy(&s, &request->settings, sizeof s);
    ag_status status = make_texture(gpu, width, height, max_width, max_height, old, made);
    if (status >= 0 && fits(&s))
        status =
            ag_gpu_buffer_again(gpu, "afterglow kernel fit", SUMS_BYTES, &old->sums, &made->sums);
    if (status >= 0 && ag_pupil_makes(s.shape))
        status = ag_pupil_allocate(gpu, &old->pupil, &made->pupil);
    return status;
}

void ag_bloom_drawer_take(ag_bloom_drawer *old, ag_bloom_drawer *made)
{
    ag_pupil *from = &old->pupil, *to = &made->pupil;
    made->texture = old->texture;
    made->width = old->width;
    made->height = old->height;
    made->sums = old->sums;
    to->image = from->image;
    to->squared = from->squared;
    to->transform.kernel = from->transform.kernel;
    to->transform.kernel_scratch = from->transform.kernel_scratch;
}

void ag_bloom_drawer_free(ag_gpu *gpu, ag_bloom_drawer *d, const ag_bloom_drawer *other,
                          bool with_gl)
{
    if (!other || d->texture.name != other->texture.name)
        ag_gpu_free_texture(gpu, &d->texture, with_gl);
    if (!other || d->sums.name != other->sums.name)
        ag_gpu_free_buffer(gpu, &d->sums, with_gl);
    ag_pupil_free(gpu, &d->pupil, other ? &other->pupil : NULL, with_gl);
    d->texture = d->sums = (ag_memory){0};
    d->width = d->height = 0;
}

ag_texture ag_bloom_drawer_view(const ag_bloom_drawer *drawer, int32_t width, int32_t height)
{
    return (ag_texture){.name = drawer->texture.name,
                        .target = GL_TEXTURE_2D,
                        .format = GL_RGBA32F,
                        .width = drawer->width,
                        .height = drawer->height,
                        .layers = 1,
                        .rect_width = width,
                        .rect_height = height};
}

// ---- drawing -----------------------------------------------------------------------------------

// Pairs of samples a texel: enough wavelengths to smooth the rings, and more where a texel spans
// many of the power's frequencies.
static int32_t samples(int32_t height)
{
    double step = 2 * AG_POWER_EDGE / height;
    return (int32_t)fmin(fmax(48 * step * step / 4, 48), 256);
}

int32_t ag_bloom_kernel_loads(const ag_bloom_settings *s, int32_t height)
{
    return ag_pupil_makes(s->shape) ? 32 * samples(height) : 16;
}

static void source_of(const ag_preparation *prep, const ag_request *request,
                      const ag_bloom_settings *s, ag_uniform uniforms[2], ag_gl_dispatch *d)
{
    bool textured = s->shape == AG_BLOOM_TEXTURE;
    ag_source_texture image = ag_source_of(prep->gpu, request, textured ? KERNEL_IMAGE : SRC);
    ag_source_uniforms(uniforms, &image, image.format->channels, s->scrub, 0);
    if (textured)
        d->images[AG_IMAGE_SRC] = ag_read_image(&image, 0);
}

void ag_bloom_kernel_begin(const ag_preparation *prep, const ag_request *request,
                           const ag_bloom_settings *s, const ag_bloom_drawer *drawer,
                           const ag_memory *info)
{
    if (ag_pupil_makes(s->shape))
        ag_pupil_record(prep, s, &drawer->pupil);
    if (!fits(s))
        return;
    ag_uniform uniforms[2];
    ag_gl_dispatch d = {.program = drawer->fit,
                        .ranges[AG_SSBO_INFO] = ag_whole(info),
                        .ranges[AG_SSBO_FIT] = ag_whole(&drawer->sums),
                        .uniforms = uniforms,
                        .uniform_count = 2,
                        .groups = {1, 1, 1}};
    source_of(prep, request, s, uniforms, &d);
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow kernel fit");
    ag_record(&recording, &d);
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ag_bloom_kernel_rows(const ag_preparation *prep, const ag_request *request,
                          const ag_bloom_settings *s, double sigma, int32_t width, int32_t height,
                          int32_t first, int32_t rows, const ag_bloom_drawer *drawer,
                          const ag_memory *info)
{
    bool pupil = ag_pupil_makes(s->shape), anamorphic = s->shape == AG_BLOOM_ANAMORPHIC;
    float stretch = anamorphic ? s->stretch : 1;
    double scale = pupil ? ag_pupil_scale(s, height, (double)stretch) : 1;
    ag_uniform uniforms[6] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, 0, 0, width, height),
        AG_FLOATS(AG_LOC_SHAPE, (float)sigma, 0, (float)height / 2, s->dispersion),
        AG_INTS(AG_LOC_SHAPE_MODE, s->shape, samples(height), first, fits(s)),
        AG_FLOATS(AG_LOC_STREAK, stretch, s->streak, (float)scale, 0),
    };
    ag_gl_dispatch d = {.program = drawer->draw,
                        .images[AG_IMAGE_DST] = {drawer->texture.name, 0, 0, GL_WRITE_ONLY,
                                                 GL_RGBA32F},
                        .ranges[AG_SSBO_INFO] = ag_whole(info),
                        .ranges[AG_SSBO_FIT] = ag_whole(fits(s) ? &drawer->sums : info),
                        .uniforms = uniforms,
                        .uniform_count = 6,
                        .groups = {ag_groups(width, 8), ag_groups(rows, 8), 1}};
    source_of(prep, request, s, uniforms, &d);
    if (pupil)
        d.images[AG_IMAGE_KERNEL] =
            (ag_image_binding){drawer->pupil.squared.name, 0, 0, GL_READ_ONLY, GL_R32F, false};
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow bloom kernel");
    ag_record(&recording, &d);
    ag_record_end(&recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

void ag_bloom_kernel_draw(const ag_preparation *prep, const ag_request *request,
                          const ag_bloom_settings *s, double sigma, int32_t width, int32_t height,
                          const ag_bloom_drawer *drawer, const ag_memory *info)
{
    ag_bloom_kernel_begin(prep, request, s, drawer, info);
    ag_bloom_kernel_rows(prep, request, s, sigma, width, height, 0, height, drawer, info);
}

// ---- the report --------------------------------------------------------------------------------

ag_status ag_bloom_kernel_report(const ag_preparation *prep, const ag_request *request,
                                 const ag_bloom_settings *s, int32_t width, int32_t height,
                                 const ag_bloom_drawer *drawer, const ag_memory *info)
{
    struct {
        float scale[4], centre[4], sums[4][2]; // pairs of floats
    } found;
    struct {
        float black[4], centre[4], light[4];
    } fit;
    const ag_texture *t = &request->slots[KERNEL_IMAGE];
    ag_status status = ag_gpu_read(prep->gpu, info, 0, sizeof found, &found);
    double sums[3] = {0};
    for (int i = 0; status >= 0 && i < 3; ++i)
        sums[i] = (double)found.sums[i][0] + (double)found.sums[i][1];
    if (status < 0 || !fits(s)) {
        if (status >= 0)
            ag_say(&prep->gpu->host, AG_LOG_INFO,
                   "bloom: kernel_image: sum %g %g %g, centre weight %g %g %g", sums[0], sums[1],
                   sums[2], (double)found.centre[0], (double)found.centre[1],
                   (double)found.centre[2]);
        return status;
    }
    status = ag_gpu_read(prep->gpu, &drawer->sums, 0, sizeof fit, &fit);
    if (status < 0)
        return status;
    // Texels of the image in one of K's.
    double area = (double)t->rect_width * t->rect_height / ((double)width * height);
    double inside = area * (sums[0] + sums[1] + sums[2]);
    double light = (double)fit.light[0] + (double)fit.light[1] + (double)fit.light[2];
    double clipped = light > 0 ? fmax(1 - inside / light, 0) : 0;
    ag_say(
        &prep->gpu->host, AG_LOG_INFO,
        "bloom: kernel_image: centre at %.2f, %.2f of %dx%d; black level %g %g %g; sum %g %g %g; "
        "centre weight %g %g %g; %.2f%% of the light is outside the window",
        (double)fit.centre[0], (double)fit.centre[1], t->rect_width, t->rect_height,
        (double)fit.black[0], (double)fit.black[1], (double)fit.black[2], sums[0], sums[1], sums[2],
        (double)found.centre[0], (double)found.centre[1], (double)found.centre[2], 100 * clipped);
    return AG_OK;
}
