// morph.c - bloom's kernel in motion: a new one is made over several frames, then faded to
// SPDX-License-Identifier: MIT
#include "effects/fft/morph.h"
#include "base/rounding.h"

#include <string.h>

// Loads of a frame while a kernel is drawn: what a large GPU makes in some 50 us.
enum { LOADS_A_FRAME = 96 << 20 };
enum { STAGE_PUPIL, STAGE_ROWS, STAGE_SUM, STAGE_SPECTRUM };

bool ag_morph_serves(const ag_bloom_settings *s)
{
    return s->transition > 0 && ag_pupil_makes(s->shape);
}

ag_status ag_morph_programs(const ag_preparation *prep, ag_morph *made)
{
    ag_status status = ag_program_get(prep, "fft/morph_sum.comp", NULL, made ? &made->sum : NULL);
    return status < 0
               ? status
               : ag_program_get(prep, "fft/morph_blend.comp", NULL, made ? &made->blend : NULL);
}

// ---- memory ------------------------------------------------------------------------------------

enum { MEMORIES = 6 };

static ag_memory *memory_at(ag_morph *m, int i)
{
    ag_memory *all[MEMORIES] = {&m->goal.spectrum, &m->goal.info, &m->next.spectrum,
                                &m->next.info,     &m->row_sums,  &m->scratch};
    return all[i];
}

ag_status ag_morph_reserve(const ag_preparation *prep, const ag_fft_plan *plan, const ag_morph *old,
                           ag_morph *made)
{
    const uint64_t spectrum = (uint64_t)plan->kernel_bytes;
    bool needs_scratch = prep->scratch.bytes < (uint64_t)plan->kernel_scratch_bytes;
    const uint64_t bytes[MEMORIES] = {spectrum,
                                      AG_INFO_BYTES,
                                      spectrum,
                                      AG_INFO_BYTES,
                                      32 * (uint64_t)plan->request.kernel_height,
                                      needs_scratch ? (uint64_t)plan->kernel_scratch_bytes : 0};
    ag_morph had = *old;
    const ag_program *sum = made->sum, *blend = made->blend;
    *made = *old;
    made->sum = sum;
    made->blend = blend;
    ag_status status = AG_OK;
    for (int i = 0; i < MEMORIES; ++i)
        *memory_at(made, i) = (ag_memory){0};
    for (int i = 0; i < MEMORIES && status >= 0; ++i)
        if (bytes[i])
            status = ag_gpu_buffer_again(prep->gpu, "afterglow kernel in motion", bytes[i],
                                         memory_at(&had, i), memory_at(made, i));
    return status;
}

void ag_morph_free(ag_gpu *gpu, ag_morph *m, const ag_morph *other, bool with_gl)
{
    ag_morph kept = other ? *other : (ag_morph){0};
    for (int i = 0; i < MEMORIES; ++i) {
        bool shared = false;
        for (int k = 0; k < MEMORIES; ++k)
            shared = shared || memory_at(m, i)->name == memory_at(&kept, k)->name;
        if (!shared)
            ag_gpu_free_buffer(gpu, memory_at(m, i), with_gl);
        *memory_at(m, i) = (ag_memory){0};
    }
}

// ---- a build, slice by slice -------------------------------------------------------------------

static ag_texture drawn_view(const ag_bloom_drawer *drawer, int32_t width, int32_t height)
{
    return (ag_texture){.name = drawer->texture.name,
                        .target = 0x0DE1, // GL_TEXTURE_2D
                        .format = GL_RGBA32F,
                        .width = drawer->width,
                        .height = drawer->height,
                        .layers = 1,
                        .rect_width = width,
                        .rect_height = height};
}

static void sum(const ag_preparation *prep, int32_t width, int32_t height,
                const ag_bloom_drawer *drawer, const ag_morph *m)
{
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow kernel sums");
    for (int32_t part = 0; part < 2; ++part) {
        ag_uniform uniforms[] = {AG_INTS(AG_LOC_SRC_RECT, 0, 0, width, height),
                                 AG_INTS(AG_LOC_PART, part, 0, 0, 0)};
        if (part)
            ag_record_wait(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
        ag_record(&recording,
                  &(ag_gl_dispatch){.program = m->sum,
                                    .images[AG_IMAGE_SRC] = {drawer->texture.name, 0, 0,
                                                             GL_READ_ONLY, GL_RGBA32F, false},
                                    .ranges[AG_SSBO_INFO] = ag_whole(&m->next.info),
                                    .ranges[AG_SSBO_TAP_SUMS] = ag_whole(&m->row_sums),
                                    .uniforms = uniforms,
                                    .uniform_count = 2,
                                    .groups = {part ? 1 : (uint32_t)height, 1, 1}});
    }
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

static void transform(const ag_preparation *prep, int32_t width, int32_t height,
                      const ag_bloom_drawer *drawer, const ag_fft_steps *convolution,
                      const ag_morph *m)
{
    ag_fft_steps into = *convolution;
    into.kernel = m->next.spectrum;
    into.kernel_scratch = m->scratch;
    ag_texture view = drawn_view(drawer, width, height);
    ag_source_texture kernel = ag_own_texture(&drawer->texture, ag_format_find(GL_RGBA32F), &view);
    ag_kernel_spectrum(prep, &into, &kernel, false, &m->next.info);
}

// Rows that a frame may draw, in whole groups.
static int32_t rows_of(const ag_bloom_settings *s, int32_t width, int32_t height)
{
    int64_t rows = LOADS_A_FRAME / ((int64_t)width * ag_bloom_kernel_loads(s, height));
    return rows < 8 ? 8 : rows > height ? height : (int32_t)(rows / 8 * 8);
}

static void build(const ag_preparation *prep, const ag_request *request, int32_t width,
                  int32_t height, const ag_bloom_drawer *drawer, const ag_fft_steps *convolution,
                  ag_morph *m)
{
    const ag_bloom_settings *s = &m->settings;
    const ag_memory *info = &m->next.info;
    int32_t rows = rows_of(s, width, height);
    switch (m->stage) {
    case STAGE_PUPIL:
        ag_bloom_kernel_begin(prep, request, s, drawer, info);
        m->stage = STAGE_ROWS;
        m->row = 0;
        break;
    case STAGE_ROWS:
        rows = rows < height - m->row ? rows : height - m->row;
        ag_bloom_kernel_rows(prep, request, s, 1, width, height, m->row, rows, drawer, info);
        m->row += rows;
        m->stage = m->row < height ? STAGE_ROWS : STAGE_SUM;
        break;
    case STAGE_SUM:
        sum(prep, width, height, drawer, m);
        m->stage = STAGE_SPECTRUM;
        break;
    default:
        transform(prep, width, height, drawer, convolution, m);
        m->building = false;
        m->ready = true;
        break;
    }
}

// ---- a fade ------------------------------------------------------------------------------------

static void blend(const ag_preparation *prep, const ag_fft_steps *c, const ag_memory *info,
                  const ag_morph *m)
{
    const ag_fft_plan *p = &c->plan;
    uint64_t bytes = (uint64_t)p->kernel_channel_bytes;
    int32_t vectors = (int32_t)(bytes / 16);
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow kernel fade");
    for (int32_t i = 0; i < p->request.kernel_channels; ++i) {
        ag_uniform uniforms[] = {
            AG_FLOATS(AG_LOC_SCALE, 1.0f / (float)m->fade_left, 0, 0, 0),
            AG_INTS(AG_LOC_PART, vectors, i == 0, 0, 0),
        };
        ag_record(&recording,
                  &(ag_gl_dispatch){.program = m->blend,
                                    .ranges[AG_SSBO_KERNEL] = {c->kernel.name, bytes * (uint64_t)i,
                                                               bytes},
                                    .ranges[AG_SSBO_KERNEL_REAL] = {m->goal.spectrum.name,
                                                                    bytes * (uint64_t)i, bytes},
                                    .ranges[AG_SSBO_INFO] = ag_whole(info),
                                    .ranges[AG_SSBO_GOAL_INFO] = ag_whole(&m->goal.info),
                                    .uniforms = uniforms,
                                    .uniform_count = 2,
                                    .groups = {ag_groups(vectors, 256), 1, 1}});
    }
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

// ---- a frame -----------------------------------------------------------------------------------

void ag_morph_advance(const ag_preparation *prep, const ag_request *request,
                      const ag_bloom_settings *s, int32_t width, int32_t height,
                      const ag_bloom_drawer *drawer, const ag_memory *info,
                      ag_fft_steps *convolution, ag_morph *m)
{
    int32_t wanted[AG_BLOOM_KERNEL_WORDS], *shown = convolution->key.words;
    ag_bloom_kernel_words(request, s, wanted);
    if (m->fade_left) {
        blend(prep, convolution, info, m);
        if (!--m->fade_left)
            memcpy(shown, m->goal.words, sizeof m->goal.words);
    }
    if (m->building)
        build(prep, request, width, height, drawer, convolution, m);
    if (m->ready && !m->fade_left) {
        ag_morph_kernel built = m->next;
        m->next = m->goal;
        m->goal = built;
        m->ready = false;
        m->fade_left = s->transition > 0 ? s->transition : 1;
        shown[0] = -1; // no shape: what is shown from now on is a mixture
    }
    const int32_t *latest = m->fade_left ? m->goal.words : shown;
    if (!m->building && !m->ready && memcmp(latest, wanted, sizeof wanted) != 0) {
        memcpy(m->next.words, wanted, sizeof wanted);
        m->settings = *s;
        m->stage = STAGE_PUPIL;
        m->building = true;
    }
}
