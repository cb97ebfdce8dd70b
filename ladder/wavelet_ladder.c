// wavelet_ladder.c - the effect "wavelet_ladder": a document's kernel, a thread a pair of a line
// SPDX-License-Identifier: MIT
//
//   load     src -> a, scratch = 0
//   level l  rows, then columns (inverse: the other way): a -> scratch; scratch -> a, scratch = 0
//   store    a -> dst
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "effects/wavelet/wave_plan.h"

#include <afterglow/ladder_wavelet.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_WAVELET_LADDER_SRC,
    DST = AG_WAVELET_LADDER_DST,
    TAPS = AG_WAVELET_LADDER_TAPS,
    SLOTS
};

static const uint32_t formats[] = {GL_R16F, GL_RG16F, GL_RGBA16F, GL_R32F, GL_RG32F, GL_RGBA32F};
static const uint32_t taps_formats[] = {GL_R32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_SLOT("src", "the image; inverse: coefficients", AG_READ, formats),
    [DST] = AG_SLOT("dst", "coefficients; inverse: the image", AG_WRITE, formats),
    [TAPS] = AG_SLOT("taps", "of custom: low filters of analysis and synthesis, a row each",
                     AG_READ | AG_OPTIONAL, taps_formats),
};

AG_SETTINGS(wavelet_ladder, WAVELET_LADDER)

static int32_t taps_of(const ag_request *request)
{
    int32_t wavelet = settings_of(request).wavelet;
    return wavelet == AG_WAVELET_CUSTOM ? request->slots[TAPS].rect_width : ag_wave_taps(wavelet);
}

// ---- check -------------------------------------------------------------------------------------

static ag_status check_taps(const ag_host *host, ag_request *request)
{
    ag_texture *t = &request->slots[TAPS];
    if (settings_of(request).wavelet != AG_WAVELET_CUSTOM) { // ignored, whatever it is
        *t = (ag_texture){0};
        request->formats[TAPS] = NULL;
        return AG_OK;
    }
    if (!request->formats[TAPS])
        return ag_fail(host, AG_E_ARG,
                       "wavelet_ladder: taps is empty; wavelet custom reads its filters there");
    if (t->rect_width < 2 || t->rect_width > AG_WAVELET_MAX_TAPS || t->rect_width % 2 ||
        t->rect_height > 2)
        return ag_fail(host, AG_E_SIZE,
                       "wavelet_ladder: taps is %dx%d; it takes an even width of 2 to %d and a "
                       "height of 1 or 2",
                       t->rect_width, t->rect_height, AG_WAVELET_MAX_TAPS);
    return ag_check_one_layer(host, request, TAPS);
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    const ag_format *in = request->formats[SRC], *out = request->formats[DST];
    int32_t width = src->rect_width, height = src->rect_height;
    int32_t levels = settings_of(request).levels, least = 1 << levels;
    AG_TRY(check_taps(host, request));
    AG_TRY(ag_check_one_layer(host, request, SRC));
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    AG_TRY(ag_check_limit(host, request, SRC, AG_WAVE_MAX_SIZE));
    if ((width & (width - 1)) || (height & (height - 1)) || width < least || height < least)
        return ag_fail(host, AG_E_SIZE,
                       "wavelet_ladder: src is %dx%d; with %d levels it takes powers of two from "
                       "%d on",
                       width, height, levels, least);
    if (in->channels != out->channels)
        return ag_fail(host, AG_E_FORMAT,
                       "wavelet_ladder: src is %s with %d channels, dst %s with %d", in->text,
                       in->channels, out->text, out->channels);
    return AG_OK;
}

// ---- frame -------------------------------------------------------------------------------------

static uint64_t bytes_of(const ag_request *request, int64_t texels)
{
    return 4 * (uint64_t)request->formats[SRC]->channels * (uint64_t)texels;
}

static int64_t texels_of(const ag_request *request)
{
    return (int64_t)request->slots[SRC].rect_width * request->slots[SRC].rect_height;
}

// Nothing is left for the frame: this asks the context for the memory.
static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    (void)out;
    return ag_check_block(host, gl, request, SRC,
                          (int64_t)bytes_of(request, 2 * texels_of(request)));
}

typedef struct steps { // what the dispatches of a frame share
    ag_frame *f;
    const ag_request *request;
    int32_t width, height;
    bool inverse;
    ag_handle array, taps; // a, then scratch; the filters of custom, else 0
    ag_shader *line, *take;
} steps;

static ag_shader *named(const steps *w, const char *path)
{
    ag_shader *shader = ag_frame_shader(w->f, path);
    ag_shader_define(shader, "CHANNELS", w->request->formats[SRC]->channels);
    return shader;
}

static ag_shader *filtering(const steps *w, const char *path)
{
    int32_t wavelet = settings_of(w->request).wavelet;
    ag_shader *shader = named(w, path);
    ag_shader_define(shader, "FILTER", wavelet);
    if (wavelet == AG_WAVELET_CUSTOM)
        ag_shader_define(shader, "TAPS", taps_of(w->request));
    return shader;
}

static ag_uniform size_uniform(const steps *w)
{
    return (ag_uniform)AG_INTS(AG_LOC_WAVELET_SIZE, w->width, w->height, 0, 0);
}

// A thread an element of the array, or a pair of them. `moves`: the texels of it that are read, and
// that are written.
static ag_dispatch on_array(const steps *w, ag_shader *shader, uint32_t access, int64_t moves,
                            int32_t width, int32_t height)
{
    ag_dispatch d = {.shader = shader,
                     .ranges[AG_SSBO_WAVELET_TO] = ag_all(w->array, access),
                     .groups = {ag_groups(width, AG_WAVELET_COLUMNS),
                                ag_groups(height, AG_WAVELET_GROUP_Y), 1}};
    d.ranges[AG_SSBO_WAVELET_TO].moves = bytes_of(w->request, moves);
    return d;
}

// The filters of custom, from the host's texture.
static void copy_taps(steps *w, ag_shader *shader)
{
    ag_picture taps = ag_slot_picture(w->f, TAPS);
    ag_uniform uniforms[2];
    ag_read_uniforms(uniforms, &taps, 1, false, 0);
    ag_frame_dispatch(w->f,
                      &(ag_dispatch){.shader = shader,
                                     .images[AG_IMAGE_SRC] = ag_picture_view(&taps, AG_READ, 0),
                                     .ranges[AG_SSBO_WAVELET_TAPS] = ag_all(w->taps, AG_WRITE),
                                     .uniforms = uniforms,
                                     .uniform_count = 1,
                                     .groups = {1, 1, 1}});
}

// One axis of the width x height elements that are a level's approximation.
static void lines_of(const steps *w, int axis, int32_t width, int32_t height)
{
    int32_t n = axis ? height : width, lines = axis ? width : height;
    ag_uniform uniforms[] = {size_uniform(w), AG_INTS(AG_LOC_WAVELET_GAP, n, lines,
                                                      axis ? w->width : 1, axis ? 1 : w->width)};
    for (int take = 0; take < 2; ++take) {
        ag_dispatch d =
            on_array(w, take ? w->take : w->line, AG_READ | AG_WRITE, 3 * (int64_t)width * height,
                     take || w->inverse ? n : n / 2, lines);
        if (!take)
            d.ranges[AG_SSBO_WAVELET_TAPS] = ag_all(w->taps, AG_READ);
        d.uniforms = uniforms;
        d.uniform_count = AG_COUNT_OF(uniforms);
        ag_frame_dispatch(w->f, &d);
    }
}

static void frame(ag_frame *f)
{
    static const char *const step_names[AG_WAVE_MAX_LEVELS + 1] = {
        "",        "level 1", "level 2",  "level 3",  "level 4",  "level 5",  "level 6", "level 7",
        "level 8", "level 9", "level 10", "level 11", "level 12", "level 13", "level 14"};
    static const char *const wavelets[] = {AG_WAVELET_FILTER(AG_NAME)};
    const ag_request *request = ag_frame_request(f);
    const ag_wavelet_ladder_settings s = settings_of(request);
    ag_picture src = ag_slot_picture(f, SRC), dst = ag_slot_picture(f, DST);
    ag_handle info = ag_frame_info(f);
    steps w = {.f = f,
               .request = request,
               .width = request->slots[SRC].rect_width,
               .height = request->slots[SRC].rect_height,
               .inverse = s.direction == AG_WAVELET_INVERSE};
    int64_t texels = texels_of(request);
    ag_frame_text(f, "wavelet_ladder: %s, %s, %d taps; %dx%d, %d levels; four dispatches a level",
                  w.inverse ? "inverse" : "forward", wavelets[s.wavelet], taps_of(request), w.width,
                  w.height, s.levels);
    ag_shader *load = named(&w, "ladder/wavelet/load.comp"), *custom = NULL;
    ag_shader_reads_picture(load, &src);
    w.line =
        filtering(&w, w.inverse ? "ladder/wavelet/inverse.comp" : "ladder/wavelet/forward.comp");
    w.take = filtering(&w, "ladder/wavelet/take.comp");
    ag_shader *store = named(&w, "ladder/wavelet/store.comp");
    ag_shader_define(store, "STORE", dst.format->store);
    if (s.wavelet == AG_WAVELET_CUSTOM) {
        custom = ag_frame_shader(f, "wavelet/taps.comp");
        ag_shader_define(custom, "TAPS", taps_of(request));
        w.taps = ag_scratch(f, "filters", 2 * AG_WAVELET_MAX_TAPS * 2 * 4);
    }
    w.array = ag_scratch(f, "array", bytes_of(request, 2 * texels));

    ag_frame_step(f, "load");
    if (custom)
        copy_taps(&w, custom);
    ag_uniform loads[3] = {[2] = size_uniform(&w)};
    ag_read_uniforms(loads, &src, src.format->channels, s.scrub, 0);
    ag_dispatch d = on_array(&w, load, AG_WRITE, 2 * texels, w.width, w.height);
    d.uniforms = loads;
    d.uniform_count = AG_COUNT_OF(loads);
    d.ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD);
    ag_dispatch_reads_picture(&d, &src, 0);
    ag_frame_dispatch(f, &d);

    for (int32_t i = 0; i < s.levels; ++i) {
        int32_t level = w.inverse ? s.levels - i : 1 + i;
        ag_frame_step(f, step_names[level]);
        for (int axis = 0; axis < 2; ++axis)
            lines_of(&w, w.inverse ? !axis : axis, w.width >> (level - 1), w.height >> (level - 1));
    }

    ag_frame_step(f, "store");
    ag_uniform stores[] = {size_uniform(&w), ag_rect_uniform(AG_LOC_DST_RECT, dst.shape)};
    d = on_array(&w, store, AG_READ, texels, w.width, w.height);
    d.images[AG_IMAGE_DST] = ag_picture_view(&dst, AG_WRITE, 0);
    d.uniforms = stores;
    d.uniform_count = AG_COUNT_OF(stores);
    ag_frame_dispatch(f, &d);
}

const ag_effect ag_effect_wavelet_ladder = {
    .info = AG_EFFECT_INFO("wavelet_ladder",
                           "the wavelet transform by a document's kernel, to compare with wavelet",
                           2, 1),
    .samples = 1u << SRC,
    .check = check,
    .design = design,
    .frame = frame,
};
