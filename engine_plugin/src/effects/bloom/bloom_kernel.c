// bloom_kernel.c - draws bloom's kernels, of every shape, into a texture
// SPDX-License-Identifier: MIT
#include "effects/bloom/bloom_kernel.h"
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

// ---- shaders and memory ------------------------------------------------------------------------

enum { SUMS_BYTES = 48 }; // kernel_fit.comp

void ag_bloom_drawer_begin(ag_frame *f, ag_bloom_drawer *drawer)
{
    const ag_bloom_settings *s = &drawer->settings;
    const ag_format *format = s->shape == AG_BLOOM_TEXTURE
                                  ? ag_frame_request(f)->formats[KERNEL_IMAGE]
                                  : ag_format_find(GL_R32F);
    drawer->draw = ag_picture_shader(f, "fft/bloom_kernel.comp", format);
    if (fits(s))
        drawer->fit = ag_picture_shader(f, "fft/kernel_fit.comp", format);
    if (ag_pupil_makes(s->shape))
        ag_pupil_begin(f, &drawer->pupil);
}

void ag_bloom_drawer_memory(ag_frame *f, int32_t max_width, int32_t max_height,
                            ag_bloom_drawer *drawer)
{
    const ag_bloom_settings *s = &drawer->settings;
    int32_t w = drawer->width, h = drawer->height;
    drawer->shape =
        (ag_texture){.target = GL_TEXTURE_2D, .layers = 1, .rect_width = w, .rect_height = h};
    drawer->kernel.shape = &drawer->shape;
    drawer->kernel.format = ag_format_find(GL_RGBA32F);
    drawer->kernel.of = ag_own_memory(f, &(ag_own){.name = "kernel texels",
                                                   .format = GL_RGBA32F,
                                                   .width = max_width > w ? max_width : w,
                                                   .height = max_height > h ? max_height : h,
                                                   .layers = 1,
                                                   .temporary = true});
    if (fits(s))
        drawer->sums =
            ag_own_memory(f,
                          &(ag_own){.name = "kernel fit", .bytes = SUMS_BYTES, .temporary = true});
    if (ag_pupil_makes(s->shape))
        ag_pupil_memory(f, &drawer->pupil);
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

static void bind_image(ag_frame *f, const ag_bloom_drawer *drawer, ag_uniform uniforms[2],
                       ag_dispatch *d)
{
    bool textured = drawer->settings.shape == AG_BLOOM_TEXTURE;
    ag_picture image = ag_slot_picture(f, textured ? KERNEL_IMAGE : SRC);
    ag_read_uniforms(uniforms, &image, image.format->channels, drawer->settings.scrub, 0);
    if (textured)
        d->images[AG_IMAGE_SRC] = ag_picture_view(&image, AG_READ, 0);
}

void ag_bloom_kernel_begin(ag_frame *f, const ag_bloom_drawer *drawer, ag_handle info)
{
    if (ag_pupil_makes(drawer->settings.shape))
        ag_pupil_make(f, &drawer->settings, &drawer->pupil);
    if (!fits(&drawer->settings))
        return;
    ag_uniform uniforms[2];
    ag_dispatch d = {.shader = drawer->fit,
                     .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                     .ranges[AG_SSBO_FIT] = ag_all(drawer->sums, AG_WRITE),
                     .uniforms = uniforms,
                     .uniform_count = 2,
                     .groups = {1, 1, 1}};
    bind_image(f, drawer, uniforms, &d);
    ag_frame_step(f, "kernel fit");
    ag_frame_dispatch(f, &d);
}

void ag_bloom_kernel_rows(ag_frame *f, const ag_bloom_drawer *drawer, int32_t first, int32_t rows,
                          ag_handle info)
{
    const ag_bloom_settings *s = &drawer->settings;
    int32_t width = drawer->width, height = drawer->height;
    bool pupil = ag_pupil_makes(s->shape), anamorphic = s->shape == AG_BLOOM_ANAMORPHIC;
    float stretch = anamorphic ? s->stretch : 1;
    double scale = pupil ? ag_pupil_scale(s, height, (double)stretch) : 1;
    ag_uniform uniforms[6] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, 0, 0, width, height),
        AG_FLOATS(AG_LOC_SHAPE, (float)drawer->sigma, 0, (float)height / 2, s->dispersion),
        AG_INTS(AG_LOC_SHAPE_MODE, s->shape, samples(height), first, fits(s)),
        AG_FLOATS(AG_LOC_STREAK, stretch, s->streak, (float)scale, 0),
    };
    ag_dispatch d = {.shader = drawer->draw,
                     .images[AG_IMAGE_DST] = ag_picture_view(&drawer->kernel, AG_WRITE, 0),
                     .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                     .ranges[AG_SSBO_FIT] =
                         fits(s) ? ag_all(drawer->sums, AG_READ) : ag_all(info, 0),
                     .uniforms = uniforms,
                     .uniform_count = 6,
                     .groups = {ag_groups(width, 8), ag_groups(rows, 8), 1}};
    bind_image(f, drawer, uniforms, &d);
    if (pupil)
        d.images[AG_IMAGE_KERNEL] = (ag_view){.of = drawer->pupil.squared, .access = AG_READ};
    ag_frame_step(f, "kernel texels");
    ag_frame_dispatch(f, &d);
}

// ---- the report --------------------------------------------------------------------------------

void ag_bloom_kernel_report(ag_frame *f, const ag_bloom_drawer *drawer, ag_handle info)
{
    struct {
        float scale[4], centre[4], sums[4][2]; // pairs of floats
    } found;
    struct {
        float black[4], centre[4], light[4];
    } fit;
    const ag_texture *t = &ag_frame_request(f)->slots[KERNEL_IMAGE];
    const ag_host *host = ag_frame_host(f);
    double sums[3];
    if (!ag_frame_look(f, info, 0, sizeof found, &found))
        return;
    for (int i = 0; i < 3; ++i)
        sums[i] = (double)found.sums[i][0] + (double)found.sums[i][1];
    if (!fits(&drawer->settings)) {
        ag_say(host, AG_LOG_INFO, "bloom: kernel_image: sum %g %g %g, centre weight %g %g %g",
               sums[0], sums[1], sums[2], (double)found.centre[0], (double)found.centre[1],
               (double)found.centre[2]);
        return;
    }
    if (!ag_frame_look(f, drawer->sums, 0, sizeof fit, &fit))
        return;
    // Texels of the image in one of K's.
    double area = (double)t->rect_width * t->rect_height / ((double)drawer->width * drawer->height);
    double inside = area * (sums[0] + sums[1] + sums[2]);
    double light = (double)fit.light[0] + (double)fit.light[1] + (double)fit.light[2];
    double clipped = light > 0 ? fmax(1 - inside / light, 0) : 0;
    ag_say(
        host, AG_LOG_INFO,
        "bloom: kernel_image: centre at %.2f, %.2f of %dx%d; black level %g %g %g; sum %g %g %g; "
        "centre weight %g %g %g; %.2f%% of the light is outside the window",
        (double)fit.centre[0], (double)fit.centre[1], t->rect_width, t->rect_height,
        (double)fit.black[0], (double)fit.black[1], (double)fit.black[2], sums[0], sums[1], sums[2],
        (double)found.centre[0], (double)found.centre[1], (double)found.centre[2], 100 * clipped);
}
