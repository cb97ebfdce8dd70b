// morph.c - bloom's kernel in motion: a new one is made over several frames, then faded to
// SPDX-License-Identifier: MIT
#include "effects/bloom/morph.h"
#include "base/rounding.h"
#include "effects/kit/tables.h"

#include <string.h>

// Loads of a frame while a kernel is drawn: what a large GPU makes in some 50 us.
enum { LOADS_A_FRAME = 96 << 20 };
enum { STAGE_PUPIL, STAGE_ROWS, STAGE_SUM, STAGE_SPECTRUM };

bool ag_morph_serves(const ag_bloom_settings *s)
{
    return s->transition > 0 && ag_pupil_makes(s->shape);
}

void ag_morph_begin(ag_frame *f, ag_morph_work *work)
{
    work->sum = ag_frame_shader(f, "fft/morph_sum.comp");
    work->blend = ag_frame_shader(f, "fft/morph_blend.comp");
}

void ag_morph_memory(ag_frame *f, const ag_fft_plan *plan, ag_morph_work *work)
{
    static const char *const spectra[] = {"spectrum in motion 0", "spectrum in motion 1"};
    static const char *const infos[] = {"info in motion 0", "info in motion 1"};
    for (int i = 0; i < 2; ++i) {
        work->spectra[i] =
            ag_own_memory(f, &(ag_own){.name = spectra[i], .bytes = (uint64_t)plan->kernel_bytes});
        work->infos[i] = ag_own_memory(f, &(ag_own){.name = infos[i], .bytes = AG_INFO_BYTES});
    }
    work->row_sums = ag_own_memory(
        f, &(ag_own){.name = "row sums", .bytes = 32 * (uint64_t)plan->request.kernel_height});
}

// ---- a build, slice by slice -------------------------------------------------------------------

static void sum(ag_frame *f, const ag_bloom_drawer *drawer, const ag_morph_work *work,
                ag_handle info)
{
    for (int32_t part = 0; part < 2; ++part) {
        ag_uniform uniforms[] = {AG_INTS(AG_LOC_SRC_RECT, 0, 0, drawer->width, drawer->height),
                                 AG_INTS(AG_LOC_PART, part, 0, 0, 0)};
        ag_frame_step(f, "kernel sums");
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = work->sum,
                              .images[AG_IMAGE_SRC] = ag_picture_view(&drawer->kernel, AG_READ, 0),
                              .ranges[AG_SSBO_INFO] = ag_all(info, part ? AG_WRITE : 0),
                              .ranges[AG_SSBO_TAP_SUMS] =
                                  ag_all(work->row_sums, part ? AG_READ : AG_WRITE),
                              .uniforms = uniforms,
                              .uniform_count = AG_COUNT_OF(uniforms),
                              .groups = {part ? 1 : (uint32_t)drawer->height, 1, 1}});
    }
}

// Rows that a frame may draw, in whole groups.
static int32_t rows_of(const ag_bloom_drawer *drawer)
{
    int32_t height = drawer->height;
    int64_t rows =
        LOADS_A_FRAME / ((int64_t)drawer->width * ag_bloom_kernel_loads(&drawer->settings, height));
    return rows < 8 ? 8 : rows > height ? height : (int32_t)(rows / 8 * 8);
}

static void build(ag_frame *f, const ag_morph_kernel *kernel, const ag_morph_work *work,
                  ag_morph *m)
{
    ag_bloom_drawer *drawer = kernel->drawer;
    ag_handle info = work->infos[1 - m->goal_at];
    drawer->settings = m->settings;
    drawer->sigma = 1;
    int32_t rows = rows_of(drawer), left = drawer->height - m->row;
    switch (m->stage) {
    case STAGE_PUPIL:
        ag_bloom_kernel_begin(f, drawer, info);
        m->stage = STAGE_ROWS;
        m->row = 0;
        break;
    case STAGE_ROWS:
        rows = rows < left ? rows : left;
        ag_bloom_kernel_rows(f, drawer, m->row, rows, info);
        m->row += rows;
        m->stage = m->row < drawer->height ? STAGE_ROWS : STAGE_SUM;
        break;
    case STAGE_SUM:
        sum(f, drawer, work, info);
        m->stage = STAGE_SPECTRUM;
        break;
    default:
        ag_kernel_transform_make(f, kernel->transform, kernel->plan, &drawer->kernel, false, info,
                                 "rows of the kernel", work->spectra[1 - m->goal_at]);
        m->building = false;
        m->ready = true;
        break;
    }
}

// ---- a fade ------------------------------------------------------------------------------------

static void blend(ag_frame *f, const ag_morph_kernel *kernel, const ag_morph_work *work,
                  const ag_morph *m)
{
    const ag_fft_plan *p = kernel->plan;
    uint64_t bytes = (uint64_t)p->kernel_channel_bytes;
    int32_t vectors = (int32_t)(bytes / 16);
    ag_frame_step(f, "kernel fade");
    for (int32_t i = 0; i < p->request.kernel_channels; ++i) {
        ag_uniform uniforms[] = {
            AG_FLOATS(AG_LOC_SCALE, 1.0f / (float)m->fade_left, 0, 0, 0),
            AG_INTS(AG_LOC_PART, vectors, i == 0, 0, 0),
        };
        uint64_t at = bytes * (uint64_t)i;
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = work->blend,
                              .ranges[AG_SSBO_KERNEL] =
                                  ag_block_of(kernel->spectrum, AG_READ | AG_WRITE, at, bytes),
                              .ranges[AG_SSBO_KERNEL_REAL] =
                                  ag_block_of(work->spectra[m->goal_at], AG_READ, at, bytes),
                              .ranges[AG_SSBO_INFO] =
                                  ag_all(kernel->info, i == 0 ? AG_READ | AG_WRITE : 0),
                              .ranges[AG_SSBO_GOAL_INFO] = ag_all(work->infos[m->goal_at], AG_READ),
                              .uniforms = uniforms,
                              .uniform_count = AG_COUNT_OF(uniforms),
                              .groups = {ag_groups(vectors, 256), 1, 1}});
    }
}

// ---- a frame -----------------------------------------------------------------------------------

void ag_morph_share(ag_frame *f, const ag_morph_kernel *kernel, const ag_morph_work *work,
                    const ag_bloom_settings *s, ag_morph *m)
{
    int32_t wanted[AG_BLOOM_KERNEL_WORDS];
    ag_bloom_kernel_words(ag_frame_request(f), s, wanted);
    if (m->fade_left) {
        blend(f, kernel, work, m);
        if (!--m->fade_left)
            memcpy(m->shown, m->goal, sizeof m->goal);
    }
    if (m->building)
        build(f, kernel, work, m);
    if (m->ready && !m->fade_left) {
        m->goal_at = 1 - m->goal_at; // what was built is the goal, and its place takes the next one
        memcpy(m->goal, m->next, sizeof m->next);
        m->ready = false;
        m->fade_left = s->transition > 0 ? s->transition : 1;
        m->shown[0] = -1; // no shape: what is shown from now on is a mixture
    }
    const int32_t *latest = m->fade_left ? m->goal : m->shown;
    if (!m->building && !m->ready && memcmp(latest, wanted, sizeof wanted) != 0) {
        memcpy(m->next, wanted, sizeof wanted);
        m->settings = *s;
        m->stage = STAGE_PUPIL;
        m->building = true;
    }
}
