// ladder_record.c - programs, textures and dispatches of the documents' methods
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "effects/fft/ladder.h"
#include "effects/kit/settings.h"
#include "effects/kit/textures.h"
#include "shaders/fft/interface_ladder.h"

#include <afterglow/fft.h>

enum { SRC = AG_FFT_SRC, DST = AG_FFT_DST, SRC_IMAG = AG_FFT_SRC_IMAG, DST_IMAG = AG_FFT_DST_IMAG };

AG_SETTINGS_OF(ag_fft_settings)

// ---- programs ----------------------------------------------------------------------------------

static bool reads_imag(const ag_ladder *p, const ag_ladder_pass *pass)
{
    return pass->from >= 0 || p->reads_imag;
}

static ag_status program_of(const ag_preparation *prep, const ag_ladder *p,
                            const ag_ladder_pass *pass, const ag_program **program)
{
    ag_defines defines = {0};
    ag_define(&defines, "N", pass->points);
    ag_define(&defines, "LOG", pass->log);
    ag_define(&defines, "AXIS", pass->axis);
    ag_define(&defines, "WEIGHTS", p->weights);
    ag_define(&defines, "READS_IMAG", reads_imag(p, pass));
    if (p->method == AG_FFT_SHARED_RADIX2)
        ag_define(&defines, "DIRECT", !(p->changes & AG_LADDER_COPIED));
    if (p->method == AG_FFT_HALF_THREADS || p->method == AG_FFT_HALF_LENGTH) {
        ag_define(&defines, "ROWS", pass->rows);
        ag_define(&defines, "GROUP", pass->rows * pass->points / 2);
        ag_define(&defines, "PAIRS", (p->changes & AG_LADDER_PAIRS) != 0);
        ag_define(&defines, "ORDERED", !(p->changes & AG_LADDER_SCATTERED));
        ag_define(&defines, "TRANSPOSED", pass->transposed);
    }
    return ag_program_get(prep, pass->path, &defines, program);
}

ag_status ag_ladder_programs(const ag_preparation *prep, const ag_ladder *p, ag_ladder_state *state)
{
    ag_status status = AG_OK;
    for (int32_t i = 0; i < p->passes && status >= 0; ++i)
        status = program_of(prep, p, &p->pass[i], state ? &state->programs[i] : NULL);
    return status;
}

// ---- tables ------------------------------------------------------------------------------------

typedef struct table {
    int32_t points, log, form;
} table;

static void fill(const void *context, float *values)
{
    const table *t = context;
    if (t->form == AG_WEIGHTS_LOOKUP)
        ag_ladder_lookup(t->points, values);
    for (int32_t i = 0; i < t->points && t->form == AG_WEIGHTS_TABLE; ++i)
        ag_ladder_weight(i, t->points, values + 2 * i);
    for (int32_t s = 0; s < t->log && t->form == AG_WEIGHTS_TABLE_2D; ++s)
        for (int32_t i = 0; i < t->points; ++i)
            ag_ladder_weight(i % (2 << s), 2 << s, values + 2 * (s * t->points + i));
}

static ag_status weights_of(ag_gpu *gpu, const ag_ladder *p, const ag_ladder_pass *pass,
                            const ag_memory **memory)
{
    // No other constants have such a key: their second word is -1 or a radix.
    table t = {pass->points, pass->log, p->weights};
    int32_t key[8] = {pass->points, -2, p->weights};
    size_t count = (size_t)pass->points * (p->weights == AG_WEIGHTS_TABLE ? 1 : (size_t)pass->log);
    *memory = NULL;
    if (p->weights < AG_WEIGHTS_TABLE)
        return AG_OK;
    return ag_gpu_constants(gpu, "afterglow weights", key,
                            count * (p->weights == AG_WEIGHTS_LOOKUP ? 4 : 2), fill, &t, memory);
}

// ---- state -------------------------------------------------------------------------------------

ag_status ag_ladder_prepare(const ag_preparation *prep, const ag_ladder *p, ag_ladder_state *state)
{
    bool across = p->changes & AG_LADDER_TRANSPOSED; // the planes between rows and columns
    int32_t width = across ? p->height : p->width, height = across ? p->width : p->height;
    state->plan = *p;
    ag_status status = ag_ladder_programs(prep, p, state);
    for (int32_t i = 0; i < p->passes && status >= 0; ++i)
        status = weights_of(prep->gpu, p, &p->pass[i], &state->weights[i]);
    for (int32_t i = 0; i < 2 * p->pairs && status >= 0; ++i)
        status =
            ag_gpu_texture(prep->gpu, "afterglow fft planes", width, height, &state->textures[i]);
    return status;
}

void ag_ladder_free(ag_gpu *gpu, ag_ladder_state *state, bool with_gl)
{
    for (int i = 0; i < AG_LADDER_TEXTURES; ++i)
        ag_gpu_free_texture(gpu, &state->textures[i], with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static ag_image_binding own_image(const ag_ladder_state *state, int32_t pair, int imag,
                                  GLenum access)
{
    return (
        ag_image_binding){state->textures[2 * pair + imag].name, 0, 0, access, GL_RGBA32F, false};
}

static void bind(const ag_gpu *gpu, const ag_request *request, const ag_ladder_state *state,
                 const ag_ladder_pass *pass, ag_gl_dispatch *d)
{
    for (int imag = 0; imag < 2; ++imag) {
        ag_source_texture in = ag_source_of(gpu, request, imag ? SRC_IMAG : SRC);
        ag_source_texture out = ag_source_of(gpu, request, imag ? DST_IMAG : DST);
        ag_image_binding *read = &d->images[imag ? AG_IMAGE_SRC_IMAG : AG_IMAGE_SRC];
        ag_image_binding *write = &d->images[imag ? AG_IMAGE_DST_IMAG : AG_IMAGE_DST];
        *write = pass->to >= 0 ? own_image(state, pass->to, imag, GL_WRITE_ONLY)
                               : ag_write_image(&out, 0);
        if (imag && !reads_imag(&state->plan, pass))
            continue;
        *read = pass->from >= 0 ? own_image(state, pass->from, imag, GL_READ_ONLY)
                                : ag_read_image(&in, 0);
    }
}

void ag_ladder_record(ag_recording *recording, const ag_request *request,
                      const ag_ladder_state *state, const ag_memory *info, float scale)
{
    const ag_fft_settings s = settings_of(request);
    const ag_ladder *p = &state->plan;
    const ag_texture *t = request->slots;
    uint32_t step = 0;
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_ladder_pass *pass = &p->pass[i];
        bool first = pass->from < 0, last = pass->to < 0;
        int32_t in[4] = {t[SRC].rect_x, t[SRC].rect_y, t[SRC_IMAG].rect_x, t[SRC_IMAG].rect_y};
        int32_t out[4] = {t[DST].rect_x, t[DST].rect_y, t[DST_IMAG].rect_x, t[DST_IMAG].rect_y};
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_LADDER, pass->stage, s.direction, pass->lines, first && s.scrub),
            AG_INTS(AG_LOC_LADDER_IN, first ? in[0] : 0, first ? in[1] : 0, first ? in[2] : 0,
                    first ? in[3] : 0),
            AG_INTS(AG_LOC_LADDER_OUT, last ? out[0] : 0, last ? out[1] : 0, last ? out[2] : 0,
                    last ? out[3] : 0),
            AG_INTS(AG_LOC_EXTENT, p->width, p->height, 0, 0),
            AG_FLOATS(AG_LOC_TRANSFORM_SCALE, last ? scale : 1, 0, 0, 0),
        };
        ag_gl_dispatch d = {.program = state->programs[i],
                            .ranges[AG_SSBO_INFO] = ag_whole(info),
                            .uniforms = uniforms,
                            .uniform_count = sizeof uniforms / sizeof *uniforms,
                            .groups = {pass->groups[0], pass->groups[1], 1}};
        if (state->weights[i])
            d.ranges[AG_SSBO_WEIGHTS] = ag_whole(state->weights[i]);
        bind(recording->gpu, request, state, pass, &d);
        if (i == 0 || pass->name != p->pass[i - 1].name)
            ag_record_step(recording, step++, pass->name, false);
        ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT); // of the former execute, too
        ag_record(recording, &d);
    }
}
