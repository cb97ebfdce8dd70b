// mip_more.c - what mipchain does beyond a plain chain: exact boxes of level 0, and coverage
// SPDX-License-Identifier: MIT
#include "effects/mip/mip_more.h"
#include "base/rounding.h"

#include <math.h>

int32_t ag_mip_same_levels(int32_t width, int32_t height, int32_t levels)
{
    int32_t same = 1;
    while (same < levels) {
        int32_t w = ag_mip_size(width, same), h = ag_mip_size(height, same);
        if ((w > 1 && w % 2) || (h > 1 && h % 2))
            break;
        ++same;
    }
    return same < levels ? same : levels;
}

uint64_t ag_mip_histogram_bytes(const ag_request *request, const ag_mip_detail *detail)
{
    return detail->coverage ? 4 * (uint64_t)AG_COVERAGE_WORDS * (uint64_t)(detail->levels + 1) *
                                  (uint64_t)request->slots[0].layers
                            : 0;
}

// ---- programs ----------------------------------------------------------------------------------

static ag_status get(const ag_preparation *prep, const ag_request *request, const char *path,
                     const char *more_defines, const ag_program **program)
{
    const ag_format *format = request->formats[0];
    bool array = request->slots[0].target == GL_TEXTURE_2D_ARRAY;
    ag_defines defines = {0};
    ag_defines_add(&defines,
                   "#define SRC_PACKING 0\n#define SRC_FORMAT %s\n#define SRC_KIND %simage2D%s\n"
                   "#define SRC_CODES %d\n"
                   "#define STORE %d\n#define ARRAY %d\n#define CHANNELS %d\n#define EXACT 0\n"
                   "#define COUNTS %d\n%s",
                   format->glsl, format->read == GL_R32UI ? "u" : "", array ? "Array" : "",
                   format->read == GL_R32UI, format->store, array, ag_levels_held_channels(format),
                   ag_levels_counts(format), more_defines);
    return ag_program_get(prep, path, &defines, program);
}

ag_status ag_mip_more_programs(const ag_preparation *prep, const ag_request *request,
                               const ag_mip_detail *detail, ag_mip_more *more)
{
    ag_status status = AG_OK;
    if (detail->direct) {
        status =
            get(prep, request, "mip/direct.comp", "#define ROWS 1\n", more ? &more->rows : NULL);
        if (status >= 0)
            status = get(prep, request, "mip/direct.comp", "#define ROWS 0\n",
                         more ? &more->columns : NULL);
    }
    if (status >= 0 && detail->coverage) {
        status = get(prep, request, "mip/coverage_count.comp", "", more ? &more->count : NULL);
        if (status >= 0)
            status =
                get(prep, request, "mip/coverage_search.comp", "", more ? &more->search : NULL);
        if (status >= 0)
            status = get(prep, request, "mip/coverage_scale.comp", "", more ? &more->scale : NULL);
    }
    return status;
}

// ---- boxes of level 0 --------------------------------------------------------------------------

static int32_t rows_texels(const ag_texture *t, int32_t level)
{
    return ag_mip_size(t->rect_width, level) * t->rect_height;
}

// The chain has already counted non-finite texels.
void ag_mip_record_rows(ag_recording *recording, const ag_request *request,
                        const ag_mip_detail *detail, const ag_mip_more *more, ag_range rows,
                        const ag_memory *info, bool scrub)
{
    ag_source_texture source = ag_source_of(recording->gpu, request, 0);
    const ag_texture *t = source.texture;
    int32_t at = 0;
    for (int32_t level = detail->chain.request.levels + 1; level <= detail->levels; ++level) {
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
            AG_INTS(AG_LOC_TEXTURE, t->width, t->height, t->first_layer, 0),
            AG_INTS(AG_LOC_STAGE, level, 0, 0, scrub),
            AG_INTS(AG_LOC_HANDOVER, at, 0, 0, detail->rows),
        };
        ag_gl_dispatch d = {.program = more->rows,
                            .images[AG_IMAGE_SRC] = ag_levels_image(&source, 0, true),
                            .ranges[AG_SSBO_HANDOVER] = rows,
                            .uniforms = uniforms,
                            .uniform_count = sizeof uniforms / sizeof *uniforms,
                            .groups = {ag_groups(ag_mip_size(t->rect_width, level), 64),
                                       ag_groups(t->rect_height, 4), (uint32_t)t->layers}};
        if (ag_levels_counts(source.format))
            d.ranges[AG_SSBO_INFO] = ag_whole(info);
        ag_record(recording, &d);
        at += rows_texels(t, level);
    }
}

void ag_mip_record_columns(ag_recording *recording, const ag_request *request,
                           const ag_mip_detail *detail, const ag_mip_more *more, ag_range rows)
{
    ag_source_texture source = ag_source_of(recording->gpu, request, 0);
    const ag_texture *t = source.texture;
    int32_t at = 0;
    for (int32_t level = detail->chain.request.levels + 1; level <= detail->levels; ++level) {
        int32_t w = ag_mip_size(t->rect_width, level), h = ag_mip_size(t->rect_height, level);
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
            AG_INTS(AG_LOC_TEXTURE, t->width, t->height, t->first_layer, 0),
            AG_INTS(AG_LOC_STAGE, level, 0, 0, 0),
            AG_INTS(AG_LOC_HANDOVER, at, 0, 0, detail->rows),
        };
        ag_record(recording, &(ag_gl_dispatch){.program = more->columns,
                                               .images[0] = ag_levels_image(&source, level, false),
                                               .ranges[AG_SSBO_HANDOVER] = rows,
                                               .uniforms = uniforms,
                                               .uniform_count = sizeof uniforms / sizeof *uniforms,
                                               .groups = {ag_groups(w, 64), ag_groups(h, 4),
                                                          (uint32_t)t->layers}});
        at += rows_texels(t, level);
    }
}

// ---- coverage ----------------------------------------------------------------------------------

static float half_value(uint32_t code) // of 0 .. 0x3c00
{
    int32_t exponent = (int32_t)(code >> 10);
    float mantissa = (float)(code & 1023u);
    return exponent ? ldexpf(1024 + mantissa, exponent - 25) : ldexpf(mantissa, -24);
}

// The format's first alpha that is not below the reference, and the one before it.
static void neighbours(const ag_format *format, float reference, float *covered, float *bare)
{
    if (format->store == AG_STORE_32F) {
        *covered = reference;
        *bare = nextafterf(reference, 0);
        return;
    }
    uint32_t code = 0;
    bool half = format->store == AG_STORE_16F;
    float codes = format->store == AG_STORE_10_10_10_2 ? 3 : 255;
    while ((half ? half_value(code) : (float)code / codes) < reference)
        ++code;
    *covered = half ? half_value(code) : (float)code / codes;
    *bare = !code ? 0 : half ? half_value(code - 1) : (float)(code - 1) / codes;
}

static void record_level(ag_recording *recording, const ag_request *request,
                         const ag_program *program, int32_t levels, int32_t level,
                         const ag_image_binding *image, ag_range histograms,
                         const float reference[4])
{
    const ag_texture *t = &request->slots[0];
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_SRC_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
        AG_INTS(AG_LOC_TEXTURE, t->width, t->height, t->first_layer, levels),
        AG_INTS(AG_LOC_STAGE, level, 0, 0, 0),
        AG_FLOATS(AG_LOC_COVERAGE, reference[0], reference[1], reference[2], reference[3]),
    };
    ag_gl_dispatch d = {.program = program,
                        .ranges[AG_SSBO_HANDOVER] = histograms,
                        .uniforms = uniforms,
                        .uniform_count = sizeof uniforms / sizeof *uniforms,
                        .groups = {(uint32_t)levels, 1, (uint32_t)t->layers}};
    if (image) {
        d.images[AG_IMAGE_SRC] = *image;
        d.groups[0] = ag_groups(ag_mip_size(t->rect_width, level), 16);
        d.groups[1] = ag_groups(ag_mip_size(t->rect_height, level), 16);
    }
    ag_record(recording, &d);
}

void ag_mip_record_coverage(ag_recording *recording, const ag_request *request,
                            const ag_mip_detail *detail, const ag_mip_more *more, float reference,
                            bool scrub)
{
    ag_source_texture source = ag_source_of(recording->gpu, request, 0);
    ag_range histograms = ag_whole(&more->histograms);
    float values[4] = {reference, 0, 0, scrub ? 1.0f : 0.0f};
    neighbours(source.format, reference, &values[1], &values[2]);
    // the passes read what the chain stored
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    for (int32_t level = 0; level <= detail->levels; ++level) {
        ag_image_binding image = ag_levels_image(&source, level, true);
        record_level(recording, request, more->count, detail->levels, level, &image, histograms,
                     values);
    }
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    record_level(recording, request, more->search, detail->levels, 0, NULL, histograms, values);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    for (int32_t level = 1; level <= detail->levels; ++level) {
        ag_image_binding image = ag_levels_image(&source, level, false);
        image.access = GL_READ_WRITE;
        record_level(recording, request, more->scale, detail->levels, level, &image, histograms,
                     values);
    }
}
