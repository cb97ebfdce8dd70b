// bloom_kernel.c - bloom's kernel K, made in a prepare: drawn, summed, transformed, or moved to
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/bloom/bloom.h"
#include "effects/kit/tables.h"

#include <math.h>
#include <string.h>

enum { KERNEL_IMAGE = AG_BLOOM_KERNEL_IMAGE, SRC = AG_BLOOM_SRC };
static const double PI = 3.14159265358979323846;
_Static_assert(AG_GLARE_GAUSSIAN == (int)AG_BLOOM_GAUSSIAN &&
                   AG_GLARE_APERTURE == (int)AG_BLOOM_APERTURE &&
                   AG_GLARE_TEXTURE == (int)AG_BLOOM_TEXTURE &&
                   AG_GLARE_STAR == (int)AG_BLOOM_STAR &&
                   AG_GLARE_ANAMORPHIC == (int)AG_BLOOM_ANAMORPHIC,
               "shaders do not include public headers");

// ---- what it depends on ------------------------------------------------------------------------

bool ag_pupil_makes(int32_t shape)
{
    return shape == AG_BLOOM_APERTURE || shape == AG_BLOOM_STAR || shape == AG_BLOOM_ANAMORPHIC;
}

bool ag_bloom_moves(const ag_bloom_settings *s)
{
    return s->transition > 0 && ag_pupil_makes(s->shape);
}

static bool fits(const ag_bloom_settings *s)
{
    return s->shape == AG_BLOOM_TEXTURE && s->kernel_fit == AG_BLOOM_FIT_AUTO;
}

void ag_bloom_texel_words(const ag_texture *t, int32_t words[AG_TEXEL_WORDS])
{
    const int32_t all[AG_TEXEL_WORDS] = {(int32_t)t->name,
                                         (int32_t)t->version,
                                         (int32_t)(t->version >> 32),
                                         (int32_t)t->format,
                                         t->level,
                                         t->first_layer,
                                         t->rect_x,
                                         t->rect_y,
                                         t->rect_width,
                                         t->rect_height};
    memcpy(words, all, sizeof all);
}

ag_kernel_id ag_bloom_kernel_id(const ag_request *request, const ag_bloom_settings *s)
{
    ag_kernel_id id = {
        .shape = s->shape, .size = s->size, .blades = s->blades, .rotation = s->rotation};
    if (ag_pupil_makes(s->shape)) {
        id.roundness = s->roundness;
        id.dispersion = s->dispersion;
        id.dust = s->dust;
        id.scratches = s->scratches;
        id.seed = s->seed;
    }
    if (s->shape == AG_BLOOM_STAR)
        id.eyelashes = s->eyelashes;
    if (s->shape == AG_BLOOM_ANAMORPHIC) {
        id.stretch = s->stretch;
        id.streak = s->streak;
    }
    if (s->shape == AG_BLOOM_TEXTURE) {
        id.scrub = s->scrub;
        id.kernel_fit = s->kernel_fit;
        ag_bloom_texel_words(&request->slots[KERNEL_IMAGE], id.image);
    }
    return id;
}

// ---- the pupil ---------------------------------------------------------------------------------

// A lens's or an eye's opening is drawn, transformed by the rows and columns that transform every
// kernel, and squared: far-field diffraction (docs/bloom.md). All sizes are constant, whatever the
// image's: lines of exactly AG_PUPIL_LINE points, with the largest image that they allow.
static bool plan_pupil(const ag_gl *gl, ag_fft_plan *plan)
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

// How many obstacles a share of 1 is.
enum { MOST_DUST = 240, MOST_SCRATCHES = 80, MOST_LASHES = 60 };

static int32_t obstacles(float share, int32_t most)
{
    return (int32_t)lroundf(share * (float)most);
}

// Leaves |F|^2 in `diffracted`.
static void make_pupil(ag_frame *f, const ag_drawing *d)
{
    const ag_bloom_settings *s = &d->settings;
    bool eye = s->shape == AG_BLOOM_STAR;
    ag_uniform pupil[] = {
        AG_FLOATS(AG_LOC_PUPIL, (float)((double)s->rotation * PI / 180), eye ? 1 : s->roundness,
                  AG_PUPIL_RADIUS, 0),
        AG_INTS(AG_LOC_PUPIL_MODE, s->blades, obstacles(s->dust, MOST_DUST),
                obstacles(s->scratches, MOST_SCRATCHES),
                eye ? obstacles(s->eyelashes, MOST_LASHES) : 0),
        AG_INTS(AG_LOC_PUPIL_SEED, s->seed, 0, 0, 0),
    };
    ag_frame_step(f, "pupil");
    ag_frame_dispatch(
        f, &(ag_dispatch){.shader = d->pupil,
                          .images[AG_IMAGE_DST] = ag_picture_view(&d->opening.picture, AG_WRITE, 0),
                          .uniforms = pupil,
                          .uniform_count = AG_COUNT_OF(pupil),
                          .groups = {ag_groups(AG_PUPIL_SIDE, 8), ag_groups(AG_PUPIL_SIDE, 8), 1}});
    ag_kernel_transform_make(f, &d->pupil_transform, &d->pupil_plan, &d->opening.picture, false,
                             d->ones, "pupil rows", d->pupil_spectrum);
    ag_uniform power[] = {AG_INTS(AG_LOC_KERNEL, d->pupil_plan.y.line.lines, 0, 0, 0)};
    ag_frame_step(f, "pupil power");
    ag_frame_dispatch(
        f,
        &(ag_dispatch){.shader = d->power,
                       .images[AG_IMAGE_DST] = ag_picture_view(&d->diffracted.picture, AG_WRITE, 0),
                       .ranges[AG_SSBO_KERNEL] = ag_all(d->pupil_spectrum, AG_READ),
                       .uniforms = power,
                       .uniform_count = 1,
                       .groups = {ag_groups(AG_POWER_SIDE, 8), ag_groups(AG_POWER_SIDE, 8), 1}});
}

// Frequencies of the power, which bloom/kernel.comp draws, in a texel of K.
static double power_step(int32_t extent)
{
    return AG_POWER_EDGE / (extent / 2.0);
}

// The area of the opening without obstacles, in texels: an integral over one blade of the radius at
// which bloom/pupil.comp's distance is 0.
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

// The factor that makes a kernel of |F|^2 / F(0)^2 sum to about 1, before its window. Parseval: the
// sum of |F|^2 over all frequencies is N^2 times that of the squared pupil, which is F(0) where
// nothing is half transparent.
static double pupil_scale(const ag_bloom_settings *s, int32_t extent, double stretch)
{
    double step = power_step(extent), all = (double)AG_PUPIL_LINE * AG_PUPIL_LINE;
    return step * step / stretch * open_area(s) / all;
}

double ag_pupil_cutoff(const ag_bloom_settings *s, int32_t extent)
{
    // Blue gathers little below 436 nm: one standard deviation from 460.
    double blue = pow(545 / 436.0, (double)s->dispersion);
    return 2.0 * AG_PUPIL_RADIUS / AG_PUPIL_LINE * power_step(extent) * blue;
}

// ---- drawing -----------------------------------------------------------------------------------

typedef struct fit { // AG_DRAW_FIT of bloom/kernel.comp
    float black[4], centre[4], light[4];
} fit;

void ag_drawing_begin(ag_frame *f, const ag_bloom_settings *s, const ag_kernel_size *size,
                      ag_drawing *d)
{
    const ag_format *floats = ag_format_find(GL_R32F);
    const ag_format *format =
        s->shape == AG_BLOOM_TEXTURE ? ag_frame_request(f)->formats[KERNEL_IMAGE] : floats;
    *d = (ag_drawing){.settings = *s, .size = *size};
    d->draw = ag_picture_shader(f, "bloom/kernel.comp", format);
    ag_shader_define(d->draw, "PART", AG_DRAW_TEXELS);
    if (fits(s)) {
        d->fit = ag_picture_shader(f, "bloom/kernel.comp", format);
        ag_shader_define(d->fit, "PART", AG_DRAW_FIT);
    }
    if (!ag_pupil_makes(s->shape))
        return;
    if (!plan_pupil(ag_frame_gl(f), &d->pupil_plan))
        ag_frame_fail(f, AG_E_MEMORY); // 4 MiB a storage block, which GL 4.3 promises, suffice
    d->pupil = ag_frame_shader(f, "bloom/pupil.comp");
    ag_shader_define(d->pupil, "PART", AG_PUPIL_OPENING);
    d->pupil_transform = ag_kernel_transform_begin(f, &d->pupil_plan, floats);
    d->power = ag_frame_shader(f, "bloom/pupil.comp");
    ag_shader_define(d->power, "PART", AG_PUPIL_POWER);
}

void ag_drawing_memory(ag_frame *f, int32_t max_width, int32_t max_height, ag_drawing *d)
{
    static const int32_t key[8] = {-1, AG_INFO_BYTES};
    ag_own own = {.name = "kernel texels",
                  .format = GL_RGBA32F,
                  .width = max_width,
                  .height = max_height,
                  .layers = 1,
                  .temporary = true};
    ag_bloom_own_image(f, &own, d->size.width, d->size.height, &d->kernel);
    if (d->fit)
        d->fit_sums =
            ag_own_memory(f,
                          &(ag_own){.name = "kernel fit", .bytes = sizeof(fit), .temporary = true});
    if (!d->pupil)
        return;
    own = (ag_own){.name = "pupil", .format = GL_R32F, .layers = 1, .temporary = true};
    ag_bloom_own_image(f, &own, AG_PUPIL_SIDE, AG_PUPIL_SIDE, &d->opening);
    own.name = "pupil power";
    ag_bloom_own_image(f, &own, AG_POWER_SIDE, AG_POWER_SIDE, &d->diffracted);
    d->pupil_spectrum = ag_own_memory(f, &(ag_own){.name = "pupil spectrum",
                                                   .bytes = (uint64_t)d->pupil_plan.kernel_bytes,
                                                   .temporary = true});
    // A kernel's factor of 1 (common/info.glsl).
    d->ones = ag_shared_constants(f, "afterglow ones", key, AG_INFO_BYTES / 4, fill_ones, NULL);
}

static void bind_image(ag_frame *f, const ag_drawing *drawing, ag_uniform uniforms[2],
                       ag_dispatch *d)
{
    bool textured = drawing->settings.shape == AG_BLOOM_TEXTURE;
    ag_picture image = ag_slot_picture(f, textured ? KERNEL_IMAGE : SRC);
    ag_read_uniforms(uniforms, &image, image.format->channels, drawing->settings.scrub, 0);
    if (textured)
        d->images[AG_IMAGE_SRC] = ag_picture_view(&image, AG_READ, 0);
}

// What K is drawn from.
static void draw_first(ag_frame *f, const ag_drawing *drawing, ag_handle info)
{
    if (drawing->pupil)
        make_pupil(f, drawing);
    if (!drawing->fit)
        return;
    ag_uniform uniforms[2];
    ag_dispatch d = {.shader = drawing->fit,
                     .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                     .ranges[AG_SSBO_FIT] = ag_all(drawing->fit_sums, AG_WRITE),
                     .uniforms = uniforms,
                     .uniform_count = 2,
                     .groups = {1, 1, 1}};
    bind_image(f, drawing, uniforms, &d);
    ag_frame_step(f, "kernel fit");
    ag_frame_dispatch(f, &d);
}

// Pairs of samples a texel, an even number: enough wavelengths to smooth the rings, and more where
// a texel spans many of the power's frequencies. From 48 pairs to 512 all texels together take the
// same.
static int32_t samples(int32_t height)
{
    double step = power_step(height);
    return 2 * (int32_t)fmin(fmax(24 * step * step / 4, 24), 256);
}

static void draw_rows(ag_frame *f, const ag_drawing *drawing, int32_t first, int32_t rows,
                      ag_handle info)
{
    const ag_bloom_settings *s = &drawing->settings;
    int32_t width = drawing->size.width, height = drawing->size.height;
    float stretch = s->shape == AG_BLOOM_ANAMORPHIC ? s->stretch : 1;
    double scale = drawing->pupil ? pupil_scale(s, height, (double)stretch) : 1;
    ag_uniform uniforms[6] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, 0, 0, width, height),
        AG_FLOATS(AG_LOC_SHAPE, (float)drawing->size.sigma, 0, (float)height / 2, s->dispersion),
        AG_INTS(AG_LOC_SHAPE_MODE, s->shape, samples(height), first, fits(s)),
        AG_FLOATS(AG_LOC_STREAK, stretch, s->streak, (float)scale, 0),
    };
    ag_dispatch d = {.shader = drawing->draw,
                     .images[AG_IMAGE_DST] = ag_picture_view(&drawing->kernel.picture, AG_WRITE, 0),
                     .ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD),
                     .ranges[AG_SSBO_FIT] =
                         drawing->fit ? ag_all(drawing->fit_sums, AG_READ) : ag_all(info, 0),
                     .uniforms = uniforms,
                     .uniform_count = 6,
                     .groups = {ag_groups(width, 8), ag_groups(rows, 8), 1}};
    bind_image(f, drawing, uniforms, &d);
    if (drawing->pupil)
        d.images[AG_IMAGE_KERNEL] = ag_picture_view(&drawing->diffracted.picture, AG_READ, 0);
    ag_frame_step(f, "kernel texels");
    ag_frame_dispatch(f, &d);
}

void ag_drawing_make(ag_frame *f, const ag_drawing *drawing)
{
    ag_handle info = ag_frame_info(f);
    draw_first(f, drawing, info);
    draw_rows(f, drawing, 0, drawing->size.height, info);
}

// Logs what the texels of kernel_image came to, after they were summed. Waits for the GPU.
static void report(ag_frame *f, const ag_drawing *drawing)
{
    struct {
        float scale[4], centre[4], sums[4][2]; // pairs of floats
    } found;
    fit image;
    const ag_texture *t = &ag_frame_request(f)->slots[KERNEL_IMAGE];
    const ag_host *host = ag_frame_host(f);
    const float *c = found.centre;
    double sums[3];
    if (!ag_frame_look(f, ag_frame_info(f), 0, sizeof found, &found))
        return;
    for (int i = 0; i < 3; ++i)
        sums[i] = (double)found.sums[i][0] + (double)found.sums[i][1];
    if (!drawing->fit) {
        ag_say(host, AG_LOG_INFO, "bloom: kernel_image: sum %g %g %g, centre weight %g %g %g",
               sums[0], sums[1], sums[2], (double)c[0], (double)c[1], (double)c[2]);
        return;
    }
    if (!ag_frame_look(f, drawing->fit_sums, 0, sizeof image, &image))
        return;
    // Texels of the image in one of K's.
    double area = (double)t->rect_width * t->rect_height /
                  ((double)drawing->size.width * drawing->size.height);
    double inside = area * (sums[0] + sums[1] + sums[2]);
    double light = (double)image.light[0] + (double)image.light[1] + (double)image.light[2];
    double clipped = light > 0 ? fmax(1 - inside / light, 0) : 0;
    ag_say(
        host, AG_LOG_INFO,
        "bloom: kernel_image: centre at %.2f, %.2f of %dx%d; black level %g %g %g; sum %g %g %g; "
        "centre weight %g %g %g; %.2f%% of the light is outside the window",
        (double)image.centre[0], (double)image.centre[1], t->rect_width, t->rect_height,
        (double)image.black[0], (double)image.black[1], (double)image.black[2], sums[0], sums[1],
        sums[2], (double)c[0], (double)c[1], (double)c[2], 100 * clipped);
}

// ---- in motion ---------------------------------------------------------------------------------

// Loads of a share while K is drawn: what a large GPU makes in some 50 us.
enum { LOADS_A_SHARE = 96 << 20 };
// Of the build, in their order. STAGE_READY: what was built waits for the end of a fade.
enum { STAGE_NONE, STAGE_PUPIL, STAGE_ROWS, STAGE_SUMS, STAGE_SPECTRUM, STAGE_READY };

typedef struct kernel_work { // shaders and memory of `make` that several prepares share
    ag_drawing drawing;
    ag_kernel_transform transform;
    ag_shader *sum, *blend;
    ag_handle spectra[2], infos[2], row_sums;
} kernel_work;

static void motion_memory(ag_frame *f, const ag_fft_plan *plan, kernel_work *work)
{
    static const char *const spectra[] = {"spectrum in motion 0", "spectrum in motion 1"};
    static const char *const infos[] = {"info in motion 0", "info in motion 1"};
    ag_drawing_memory(f, 0, 0, &work->drawing);
    for (int i = 0; i < 2; ++i) {
        work->spectra[i] =
            ag_own_memory(f, &(ag_own){.name = spectra[i], .bytes = (uint64_t)plan->kernel_bytes});
        work->infos[i] = ag_own_memory(f, &(ag_own){.name = infos[i], .bytes = AG_INFO_BYTES});
    }
    work->row_sums = ag_own_memory(
        f, &(ag_own){.name = "row sums", .bytes = 32 * (uint64_t)plan->request.kernel_height});
}

static void sum_rows(ag_frame *f, const kernel_work *work, ag_handle info)
{
    const ag_bloom_image *kernel = &work->drawing.kernel;
    int32_t width = kernel->shape.rect_width, height = kernel->shape.rect_height;
    for (int32_t part = 0; part < 2; ++part) {
        ag_uniform uniforms[] = {AG_INTS(AG_LOC_SRC_RECT, 0, 0, width, height),
                                 AG_INTS(AG_LOC_PART, part, 0, 0, 0)};
        ag_frame_step(f, "kernel sums");
        ag_dispatch d = {.shader = work->sum,
                         .images[AG_IMAGE_SRC] = ag_picture_view(&kernel->picture, AG_READ, 0),
                         .ranges[AG_SSBO_INFO] = ag_all(info, part ? AG_WRITE : 0),
                         .ranges[AG_SSBO_TAP_SUMS] =
                             ag_all(work->row_sums, part ? AG_READ : AG_WRITE),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {part ? 1 : (uint32_t)height, 1, 1}};
        ag_frame_dispatch(f, &d);
    }
}

// Rows that a share may draw, in whole groups.
static int32_t rows_a_share(const ag_kernel_size *size)
{
    int64_t loads = (int64_t)size->width * 32 * samples(size->height), rows = LOADS_A_SHARE / loads;
    return rows < 8 ? 8 : rows > size->height ? size->height : (int32_t)(rows / 8 * 8);
}

static void build(ag_frame *f, const ag_fft_plan *plan, kernel_work *work, ag_kernel_motion *m)
{
    ag_drawing *drawing = &work->drawing;
    ag_handle info = work->infos[1 - m->goal_at];
    drawing->settings = m->next;
    int32_t rows = rows_a_share(&drawing->size), left = drawing->size.height - m->row;
    switch (m->stage++) {
    case STAGE_PUPIL:
        draw_first(f, drawing, info);
        m->row = 0;
        break;
    case STAGE_ROWS:
        rows = rows < left ? rows : left;
        draw_rows(f, drawing, m->row, rows, info);
        m->row += rows;
        if (m->row < drawing->size.height)
            m->stage = STAGE_ROWS;
        break;
    case STAGE_SUMS: sum_rows(f, work, info); break;
    default:
        ag_kernel_transform_make(f, &work->transform, plan, &drawing->kernel.picture, false, info,
                                 "rows of the kernel", work->spectra[1 - m->goal_at]);
        break;
    }
}

static void fade(ag_frame *f, const ag_fft_plan *plan, const kernel_work *work, ag_handle spectrum,
                 const ag_kernel_motion *m)
{
    uint64_t bytes = (uint64_t)plan->kernel_channel_bytes;
    int32_t vectors = (int32_t)(bytes / 16);
    ag_frame_step(f, "kernel fade");
    for (int32_t i = 0; i < plan->request.kernel_channels; ++i) {
        ag_uniform uniforms[] = {
            AG_FLOATS(AG_LOC_SCALE, 1.0f / (float)m->fade_left, 0, 0, 0),
            AG_INTS(AG_LOC_PART, vectors, i == 0, 0, 0),
        };
        uint64_t at = bytes * (uint64_t)i;
        ag_dispatch d = {
            .shader = work->blend,
            .ranges[AG_SSBO_KERNEL] = ag_block_of(spectrum, AG_READ | AG_WRITE, at, bytes),
            .ranges[AG_SSBO_KERNEL_REAL] =
                ag_block_of(work->spectra[m->goal_at], AG_READ, at, bytes),
            .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), i == 0 ? AG_READ | AG_WRITE : 0),
            .ranges[AG_SSBO_GOAL_INFO] = ag_all(work->infos[m->goal_at], AG_READ),
            .uniforms = uniforms,
            .uniform_count = AG_COUNT_OF(uniforms),
            .groups = {ag_groups(vectors, 256), 1, 1}};
        ag_frame_dispatch(f, &d);
    }
}

// A prepare's share of the work towards the job's settings.
static void go_on(ag_frame *f, const ag_fft_plan *plan, const ag_bloom_settings *s,
                  kernel_work *work, ag_kernel_motion *m)
{
    const ag_kernel_id wanted = ag_bloom_kernel_id(ag_frame_request(f), s);
    motion_memory(f, plan, work);
    ag_handle spectrum = ag_kernel_memory(f, plan);
    if (m->fade_left) {
        fade(f, plan, work, spectrum, m);
        if (!--m->fade_left)
            m->shown = m->goal;
    }
    if (m->stage != STAGE_NONE && m->stage != STAGE_READY)
        build(f, plan, work, m);
    if (m->stage == STAGE_READY && !m->fade_left) {
        m->goal_at = 1 - m->goal_at; // what was built is the goal, and its place takes the next one
        m->goal = ag_bloom_kernel_id(ag_frame_request(f), &m->next);
        m->stage = STAGE_NONE;
        m->fade_left = s->transition > 0 ? s->transition : 1;
        m->shown.mixed = 1;
    }
    const ag_kernel_id *latest = m->fade_left ? &m->goal : &m->shown;
    if (m->stage == STAGE_NONE && memcmp(latest, &wanted, sizeof wanted) != 0) {
        m->next = *s;
        m->stage = STAGE_PUPIL;
    }
}

// ---- at once -----------------------------------------------------------------------------------

// Draws K, sums it, and transforms it or what is left of it for a smaller image.
static void make_drawn(ag_frame *f, const ag_bloom_design *d, kernel_work *work,
                       ag_kernel_facts *facts)
{
    const ag_bloom_settings *s = &work->drawing.settings;
    const ag_format *floats = ag_format_find(GL_RGBA32F);
    bool textured = s->shape == AG_BLOOM_TEXTURE, smaller = d->reduced.octaves.levels > 0;
    bool bypass = d->fft.kept == d->fft.columns && !smaller;
    // Finding a kernel's form waits for the GPU: not done for a kernel that is drawn anew for every
    // height.
    bool finds_form = textured && !smaller;
    ag_fft_plan plan = d->fft;
    ag_handle info = ag_frame_info(f);
    ag_kernel_sums sums = ag_kernel_sums_begin(f, floats, finds_form);
    ag_drawing_memory(f, d->max_width, d->max_height, &work->drawing);
    ag_drawing_make(f, &work->drawing);
    ag_kernel kernel = {.source = work->drawing.kernel.picture,
                        .channels = plan.request.kernel_channels,
                        .how = AG_SUM_NORMALIZE | (s->scrub ? AG_SUM_SCRUB : 0) |
                               (textured ? AG_SUM_MAY_BE_ZERO : 0),
                        .bypass_share = bypass ? 0 : INFINITY};
    ag_kernel_sums_make(f, &sums, &kernel, info, finds_form ? facts : NULL);
    if (textured)
        report(f, &work->drawing);
    if (finds_form && facts->known)
        ag_fft_plan_kernel(&plan, facts->form);
    ag_handle spectrum = ag_kernel_memory(f, &plan);
    ag_bloom_image rest;
    if (smaller) {
        ag_block taps = ag_block_of(spectrum, AG_WRITE, (uint64_t)d->reduced.taps_offset,
                                    (uint64_t)ag_tap_bytes(&d->reduced.octaves));
        ag_bloom_split(f, &d->reduced.octaves, &kernel.source, taps, &rest);
        kernel.source = rest.picture;
    }
    ag_kernel_transform_make(f, &work->transform, &plan, &kernel.source, s->scrub, info,
                             "rows of the kernel", spectrum);
}

typedef struct made_key { // what its spectrum is made of
    ag_kernel_id id;
    float sigma;
    int32_t width, height;
    ag_octaves octaves;
    int32_t plan[12]; // radices, threads and layout follow from the lengths
} made_key;

static made_key made_key_of(const ag_bloom_design *d, const ag_kernel_id *id)
{
    const ag_fft_plan *p = &d->fft;
    const ag_fft_request *r = &p->request;
    return (made_key){.id = *id,
                      .sigma = (float)d->kernel.sigma,
                      .width = d->kernel.width,
                      .height = d->kernel.height,
                      .octaves = d->reduced.octaves,
                      .plan = {p->x.line.length, p->y.line.length, p->x.reach_low, p->x.reach_high,
                               p->y.reach_low, p->y.reach_high, r->kernel_width, r->kernel_height,
                               r->kernel_channels, r->kernel_form, p->kept, r->storage}};
}

void ag_bloom_make(ag_frame *f)
{
    const ag_bloom_design *d = ag_frame_design(f);
    const ag_request *request = ag_frame_request(f);
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    ag_bloom_facts *facts = ag_frame_facts(f);
    ag_kernel_motion *motion = &facts->motion;
    kernel_work work = {.sum = NULL};
    ag_lens_dirt(f);
    if (!d->formula) {
        ag_drawing_begin(f, &s, &d->kernel, &work.drawing);
        work.transform = ag_kernel_transform_begin(f, &d->fft, ag_format_find(GL_RGBA32F));
    }
    if (ag_bloom_moves(&s)) {
        work.sum = ag_picture_shader(f, "fft/kernel_sum.comp", ag_format_find(GL_RGBA32F));
        ag_shader_define(work.sum, "BY_ROWS", 1);
        work.blend = ag_frame_shader(f, "bloom/fade.comp");
    }
    if (ag_frame_goes_on(f)) {
        go_on(f, &d->fft, &s, &work, motion);
        const made_key shown = made_key_of(d, &motion->shown);
        ag_frame_now_made(f, &shown, sizeof shown);
        return;
    }
    const ag_kernel_id wanted = ag_bloom_kernel_id(request, &s);
    const made_key key = made_key_of(d, &wanted), shown = made_key_of(d, &motion->shown);
    // The spectrum in use stays until a new one is made and faded to, if it serves this job: all
    // but the settings that decide about its texels is the same.
    bool moving = ag_bloom_moves(&s) && !d->max_width && motion->shown.shape == s.shape &&
                  motion->shown.size == s.size && ag_frame_is_made(f, &shown, sizeof shown);
    ag_frame_leave(f, moving);
    if (moving) {
        motion_memory(f, &d->fft, &work);
        return;
    }
    *motion = (ag_kernel_motion){.shown = wanted};
    if (ag_frame_is_made(f, &key, sizeof key))
        return;
    facts->kernel = (ag_kernel_facts){0};
    if (d->formula)
        ag_gaussian_make(f, d, ag_kernel_memory(f, &d->fft));
    else
        make_drawn(f, d, &work, &facts->kernel);
}
