// ocean.c - the effect "ocean": waves of the sea by inverse FFTs
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "effects/fft/ocean_waves.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "shaders/fft/interface_ocean.h"

#include <afterglow/ocean.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    DISPLACEMENT = AG_OCEAN_DISPLACEMENT,
    DERIVATIVES = AG_OCEAN_DERIVATIVES,
    JACOBIAN = AG_OCEAN_JACOBIAN,
    SLOTS
};

static const uint32_t four_floats[] = {GL_RGBA32F, GL_RGBA16F};
static const uint32_t one_float[] = {GL_R32F, GL_R16F};

static const ag_slot_info slots[SLOTS] = {
    AG_SLOT("displacement", "offset of the surface, metres", AG_WRITE, four_floats),
    AG_SLOT("derivatives", "slopes of the surface, and stretch of the offset", AG_WRITE,
            four_floats),
    AG_SLOT("jacobian", "area of the surface over that at rest: foam where it is small",
            AG_WRITE | AG_OPTIONAL, one_float),
};

static const char *const sizes[] = {"32", "64", "128", "256", "512", "1024"};
static const char *const spectra[] = {"tma", "pierson_moskowitz"};

#define SETTINGS ag_ocean_settings
static const ag_setting_info settings[] = {
    AG_CHOICE_FROM(size, "texels a side of each cascade", sizes, AG_OCEAN_256, AG_PREPARE_PLAN),
    AG_WHOLE(cascades, "", "patches of different lengths, to be added", 1, AG_OCEAN_MAX_CASCADES, 3,
             AG_PREPARE_PLAN),
    {"lengths",
     "m",
     "of the patches, each less than the one before",
     AG_FLOAT,
     AG_SETTING_AT(lengths),
     3,
     0,
     0.1,
     100000,
     {400, 54.8, 8.98},
     NULL,
     AG_PREPARE_KERNEL,
     0},
    AG_CHOICE(spectrum, "how the energy is shared among waves", spectra, AG_PREPARE_KERNEL),
    AG_REAL(wind_speed, "m/s", "ten metres above the sea; 0 = no waves", 0, 80, 10,
            AG_PREPARE_KERNEL),
    AG_REAL(wind_direction, "degrees", "where waves go, from x towards z", -360, 360, 0,
            AG_PREPARE_KERNEL),
    AG_REAL(fetch, "m", "of water that the wind blows over", 100, 1e8, 300000, AG_PREPARE_KERNEL),
    AG_REAL(depth, "m", "of the water", 0.1, 1e6, 200, AG_PREPARE_KERNEL),
    AG_REAL(gamma, "", "how peaked the spectrum is", 1, 7, 3.3, AG_PREPARE_KERNEL),
    AG_REAL(swell, "", "longer and more parallel crests", 0, 1, 0, AG_PREPARE_KERNEL),
    AG_REAL(directionality, "", "0 = waves go everywhere alike", 0, 1, 1, AG_PREPARE_KERNEL),
    AG_REAL(choppiness, "", "how sharp crests are", 0, 4, 1),
    AG_REAL(time, "s", "of the sea", -1e6, 1e6, 0),
    AG_REAL(period, "s", "after which the sea repeats", 1, 100000, 256, AG_PREPARE_KERNEL),
    AG_WHOLE(seed, "", "another seed is another sea", 0, 2147483647, 1, AG_PREPARE_KERNEL),
};

typedef struct ocean_plan {
    ag_fft_line rows, columns;
    int32_t size, cascades;
    int32_t together;      // cascades of a dispatch
    int64_t cascade_bytes; // of scratch
} ocean_plan;

typedef struct ocean_state {
    ag_state base; // without counters: nothing is read
    ocean_plan plan;
    const ag_program *evolve, *finish;
    const ag_memory *twiddles; // of the device
    ag_memory modes, loops;
} ocean_state;

AG_SETTINGS_OF(ag_ocean_settings)

static int32_t size_of(const ag_ocean_settings *s)
{
    return 32 << s->size;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    ag_ocean_settings s = settings_of(request);
    (void)slot;
    size[0] = size[1] = size_of(&s);
    size[2] = s.cascades;
}

static ag_status check_slot(const ag_host *host, const ag_request *request, int slot)
{
    const ag_texture *t = &request->slots[slot], *first = &request->slots[DISPLACEMENT];
    ag_ocean_settings s = settings_of(request);
    int32_t n = size_of(&s);
    if (t->rect_width != n || t->rect_height != n || t->layers != s.cascades)
        return ag_fail(host, AG_E_SIZE,
                       "ocean: %s has a rectangle of %dx%d and %d layers; settings size and "
                       "cascades want %dx%d and %d",
                       slots[slot].name, t->rect_width, t->rect_height, t->layers, n, n,
                       s.cascades);
    if (t->target != first->target)
        return ag_fail(host, AG_E_ARG,
                       "ocean: %s has target 0x%04X and displacement 0x%04X; they must be equal",
                       slots[slot].name, t->target, first->target);
    if (request->formats[slot]->store != request->formats[DISPLACEMENT]->store)
        return ag_fail(host, AG_E_FORMAT,
                       "ocean: %s is %s and displacement %s; both must have 32 bits or both 16",
                       slots[slot].name, request->formats[slot]->text,
                       request->formats[DISPLACEMENT]->text);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_ocean_settings s = settings_of(request), structural = s;
    ag_status status = AG_OK;
    for (int i = 0; i < SLOTS && status >= 0; ++i)
        if (request->formats[i])
            status = check_slot(host, request, i);
    for (int i = 1; i < s.cascades && status >= 0; ++i)
        if (!(s.lengths[i] < s.lengths[i - 1]))
            status = ag_fail(host, AG_E_ARG,
                             "ocean: lengths[%d] is %g and lengths[%d] is %g; each must be less "
                             "than the one before",
                             i, (double)s.lengths[i], i - 1, (double)s.lengths[i - 1]);
    if (status < 0)
        return status;
    const ag_texture *t = &request->slots[DISPLACEMENT];
    int32_t plan[] = {(int32_t)t->format, (int32_t)t->target, s.size, s.cascades};
    memcpy(shape->plan, plan, sizeof plan);
    structural.time = structural.choppiness = 0; // may change from frame to frame
    _Static_assert(sizeof structural <= sizeof shape->kernel, "a shape holds all settings");
    memcpy(shape->kernel, &structural, sizeof structural);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// Lines of `size` points, so many a group if its threads and memory allow.
static bool plan_lines(int32_t size, int32_t lines, int32_t max_invocations, ag_fft_line *line)
{
    if (!ag_fft_plan_line(size, false, max_invocations, line))
        return false;
    line->lines = lines;
    while (line->lines > 1 && line->threads * line->lines > 512)
        line->lines /= 2;
    line->split = line->lines * line->length > 2048;
    return ag_fft_plan_shared(line);
}

static void describe(const ag_request *request, const ocean_plan *p, ag_pass_plan *plan)
{
    uint64_t texels = (uint64_t)p->size * (uint64_t)p->size * (uint64_t)p->cascades, out = 0;
    uint32_t dispatches = (uint32_t)ag_div_up(p->cascades, p->together);
    ag_plan_scratch(plan, 32 * texels, 1);
    for (int i = 0; i < SLOTS; ++i) {
        ag_plan_slot(plan, request, i, 1, 1);
        out += ag_slot_bytes(request, i);
    }
    for (int i = 0; i < 2; ++i) {
        const ag_fft_line *line = i ? &p->columns : &p->rows;
        uint64_t transforms = (uint64_t)p->size * (uint64_t)p->cascades * AG_OCEAN_FIELDS;
        plan->steps[i] =
            (ag_step){.name = i ? "columns" : "rows",
                      .dispatches = dispatches,
                      .groups = {ag_groups(p->size, line->lines), (uint32_t)p->together, 1},
                      .shared_bytes = (uint32_t)ag_fft_shared_bytes(line),
                      .bytes = texels * (i ? 32 : 20 + 32) + (i ? out : 0),
                      .instructions = transforms * (uint64_t)line->instructions + texels * 80};
    }
    plan->head.step_count = 2;
    plan->head.persistent_bytes = 20 * texels + 16 * (uint64_t)ag_fft_twiddle_count(&p->rows, true);
    char x[66], y[66];
    ag_fft_describe(&p->rows, x, sizeof x);
    ag_fft_describe(&p->columns, y, sizeof y);
    snprintf(plan->head.text, sizeof plan->head.text,
             "fft: %d cascades of %dx%d, %d a dispatch; rows %s; columns %s", p->cascades, p->size,
             p->size, p->together, x, y);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    ag_ocean_settings s = settings_of(request);
    ocean_plan *p = out;
    memset(p, 0, sizeof *p);
    p->size = size_of(&s);
    p->cascades = s.cascades;
    p->cascade_bytes = (int64_t)p->size * p->size * 8 * AG_OCEAN_FIELDS;
    int64_t modes = (int64_t)p->size * p->size * 16 * p->cascades;
    int64_t largest = p->cascade_bytes > modes ? p->cascade_bytes : modes;
    if (largest > gl->max_ssbo_bytes)
        return ag_fail(host, AG_E_SIZE,
                       "ocean: size %d with %d cascades needs blocks of %lld bytes; this context's "
                       "storage blocks hold %lld",
                       p->size, p->cascades, (long long)largest, (long long)gl->max_ssbo_bytes);
    p->together = p->cascade_bytes * p->cascades <= gl->max_ssbo_bytes ? p->cascades : 1;
    // Rows: some warps a group. Columns: as many as a run of the rows' results, so that a group
    // reads whole runs.
    if (!plan_lines(p->size, p->size < 256 ? 4 : 1, gl->max_invocations, &p->rows) ||
        !plan_lines(p->size, AG_FFT_TILE, gl->max_invocations, &p->columns))
        return ag_fail(host, AG_E_SIZE, "ocean: size %d needs more than %d threads a group",
                       p->size, gl->max_invocations);
    describe(request, p, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status modes_program(const ag_preparation *prep, const ag_program **program)
{
    ag_defines none = {0};
    return ag_program_get(prep, "fft/ocean_modes.comp", &none, program);
}

static ag_status rows_program(const ag_preparation *prep, const ocean_plan *p,
                              const ag_program **program)
{
    ag_defines defines = {0};
    ag_line_defines(&p->rows, AG_LINE_INVERSE, &defines);
    return ag_program_get(prep, "fft/ocean_rows.comp", &defines, program);
}

static ag_status columns_program(const ag_preparation *prep, const ag_request *request,
                                 const ocean_plan *p, const ag_program **program)
{
    ag_defines defines = {0};
    ag_line_defines(&p->columns, AG_LINE_INVERSE, &defines);
    ag_define(&defines, "STORE", request->formats[DISPLACEMENT]->store);
    ag_define(&defines, "ARRAY", request->slots[DISPLACEMENT].target == GL_TEXTURE_2D_ARRAY);
    return ag_program_get(prep, "fft/ocean_columns.comp", &defines, program);
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    ag_status status = modes_program(prep, NULL);
    if (status >= 0)
        status = rows_program(prep, detail, NULL);
    return status < 0 ? status : columns_program(prep, request, detail, NULL);
}

// What depends on the length of waves, computed by the CPU, in a buffer for one dispatch.
static ag_status make_waves(const ag_preparation *prep, const ag_ocean_settings *s,
                            const ocean_plan *p, ag_memory *waves)
{
    size_t across = (size_t)p->size / 2 + 1, count = across * across;
    size_t bytes = count * (size_t)p->cascades * sizeof(ag_ocean_wave);
    ag_ocean_wave *table = ag_alloc(&prep->gpu->host, bytes);
    if (!table)
        return AG_E_MEMORY;
    for (int32_t c = 0; c < p->cascades; ++c)
        ag_ocean_waves(s, p->size, c, table + (size_t)c * count);
    ag_status status =
        ag_gpu_buffer(prep->gpu, "afterglow ocean waves", AG_UPLOADED, bytes, table, waves);
    ag_free(&prep->gpu->host, table, bytes);
    return status;
}

// A coordinate of the wind's direction; exactly 0 where it is so, because waves of a patch may go
// exactly against the wind.
static float coordinate(double value)
{
    return fabs(value) < 1e-12 ? 0 : (float)value;
}

static void record_modes(const ag_preparation *prep, const ag_ocean_settings *s,
                         const ag_program *program, const ag_memory *waves,
                         const ocean_state *state)
{
    const ocean_plan *p = &state->plan;
    double angle = (double)s->wind_direction * 3.14159265358979323846 / 180;
    ag_uniform uniforms[] = {AG_INTS(AG_LOC_OCEAN, p->size, 0, 0, s->seed),
                             AG_FLOATS(AG_LOC_WIND, coordinate(cos(angle)), coordinate(sin(angle)),
                                       s->directionality,
                                       (1 - s->directionality) / (2 * 3.14159265f))};
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow ocean modes");
    ag_record_step(&recording, 0, "modes", false);
    ag_record(&recording, &(ag_gl_dispatch){.program = program,
                                            .ranges[AG_SSBO_WAVES] = ag_whole(waves),
                                            .ranges[AG_SSBO_MODES] = ag_whole(&state->modes),
                                            .ranges[AG_SSBO_LOOPS] = ag_whole(&state->loops),
                                            .uniforms = uniforms,
                                            .uniform_count = 2,
                                            .groups = {ag_groups(p->size, 32), (uint32_t)p->size,
                                                       (uint32_t)p->cascades}});
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    ocean_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_gpu_free_buffer(gpu, &state->modes, with_gl);
    ag_gpu_free_buffer(gpu, &state->loops, with_gl);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    ocean_state *state = out;
    const ocean_plan *p = detail;
    ag_ocean_settings s = settings_of(request);
    uint64_t texels = (uint64_t)p->size * (uint64_t)p->size * (uint64_t)p->cascades;
    const ag_program *modes;
    ag_memory waves = {0};
    (void)plan;
    *state = (ocean_state){.plan = *p};
    ag_status status = modes_program(prep, &modes);
    if (status >= 0)
        status = rows_program(prep, p, &state->evolve);
    if (status >= 0)
        status = columns_program(prep, request, p, &state->finish);
    if (status >= 0)
        status = ag_line_twiddles(prep->gpu, &p->rows, &state->twiddles);
    if (status >= 0)
        status = ag_gpu_buffer(prep->gpu, "afterglow ocean modes", AG_ON_GPU, 16 * texels, NULL,
                               &state->modes);
    if (status >= 0)
        status = ag_gpu_buffer(prep->gpu, "afterglow ocean loops", AG_ON_GPU, 4 * texels, NULL,
                               &state->loops);
    if (status >= 0)
        status = make_waves(prep, &s, p, &waves);
    if (status >= 0)
        status = ag_info_make(prep->gpu, old, &state->base);
    if (status < 0) {
        ag_gpu_free_buffer(prep->gpu, &waves, true);
        ag_gpu_free_buffer(prep->gpu, &state->modes, true);
        ag_gpu_free_buffer(prep->gpu, &state->loops, true);
        ag_info_abandon(prep->gpu, old, &state->base);
        return status;
    }
    record_modes(prep, &s, modes, &waves, state);
    ag_gpu_free_buffer(prep->gpu, &waves, true);
    ag_info_commit(old, &state->base);
    return AG_OK;
}

// ---- execute -----------------------------------------------------------------------------------

// The clock, of 2^32 a period: the same bits at t and t + period.
static uint32_t clock_of(const ag_ocean_settings *s)
{
    double period = (double)s->period, turn = fmod((double)s->time, period) / period;
    turn -= floor(turn);
    return (uint32_t)((uint64_t)floor(turn * 4294967296.0 + 0.5) & 0xffffffffu);
}

static ag_image_binding output(const ag_source_texture *t, bool array)
{
    ag_image_binding image = ag_write_image(t, 0);
    image.layered = array;
    image.layer = array ? 0 : image.layer;
    return image;
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const ocean_state *state = out;
    const ocean_plan *p = &state->plan;
    ag_ocean_settings s = settings_of(request);
    bool has_jacobian = request->formats[JACOBIAN] != NULL;
    uint32_t clock = clock_of(&s);
    int32_t clock_bits;
    memcpy(&clock_bits, &clock, sizeof clock_bits);
    float step[3];
    for (int i = 0; i < 3; ++i)
        step[i] = (float)(2 * 3.14159265358979323846 / (double)s.lengths[i]);
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_OCEAN, p->size, 0, clock_bits, 0),
        AG_FLOATS(AG_LOC_STEPS, step[0], step[1], step[2], s.choppiness),
        AG_INTS(AG_LOC_PLACES, 0, 0, 0, 0),
        AG_INTS(AG_LOC_PLACES2, 0, 0, 0, 0),
        AG_INTS(AG_LOC_PLACES3, 0, 0, 0, 0),
    };
    ag_gl_dispatch rows = {.program = state->evolve, .uniforms = uniforms, .uniform_count = 2};
    rows.ranges[AG_SSBO_TWIDDLE] = ag_whole(state->twiddles);
    ag_gl_dispatch columns = rows;
    rows.ranges[AG_SSBO_MODES] = ag_whole(&state->modes);
    rows.ranges[AG_SSBO_LOOPS] = ag_whole(&state->loops);
    columns.program = state->finish;
    columns.uniform_count = 5;
    static const int units[SLOTS] = {AG_IMAGE_DISPLACEMENT, AG_IMAGE_DERIVATIVES,
                                     AG_IMAGE_JACOBIAN};
    for (int i = 0; i < SLOTS; ++i) {
        if (!request->formats[i])
            continue;
        ag_source_texture t = ag_source_of(recording->gpu, request, i);
        const ag_texture *v = t.texture;
        bool array = v->target == GL_TEXTURE_2D_ARRAY;
        columns.images[units[i]] = output(&t, array);
        uniforms[2 + i] = (ag_uniform)AG_INTS(AG_LOC_PLACES + i, v->rect_x, v->rect_y,
                                              v->first_layer, i == 0 && has_jacobian);
    }
    rows.groups[0] = ag_groups(p->size, p->rows.lines);
    columns.groups[0] = ag_groups(p->size, p->columns.lines);
    rows.groups[1] = columns.groups[1] = (uint32_t)p->together;
    rows.groups[2] = columns.groups[2] = 1;
    for (int step_number = 0; step_number < 2; ++step_number) {
        ag_gl_dispatch *d = step_number ? &columns : &rows;
        ag_record_step(recording, (uint32_t)step_number, step_number ? "columns" : "rows",
                       step_number > 0);
        for (int32_t c = 0; c < p->cascades; c += p->together) {
            uniforms[0].value.i[1] = c;
            d->ranges[AG_SSBO_SPECTRUM] =
                ag_part(request->scratch, (uint64_t)(p->cascade_bytes * c),
                        (uint64_t)(p->cascade_bytes * p->together));
            ag_record(recording, d);
        }
    }
}

const ag_effect ag_effect_ocean = {
    .info = AG_EFFECT_INFO("ocean",
                           "waves of the sea: displacement, slopes and foam of a surface, by FFT",
                           AG_IMAGE_COUNT, 0),
    .state_bytes = sizeof(ocean_state),
    .detail_bytes = sizeof(ocean_plan),
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
