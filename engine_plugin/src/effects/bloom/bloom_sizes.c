// bloom_sizes.c - the sizes of bloom's kernel K, and of the frame that it belongs to
// SPDX-License-Identifier: MIT
#include "effects/bloom/bloom_sizes.h"

#include <math.h>

void ag_bloom_grid(const ag_request *request, const ag_bloom_settings *s, int32_t grid[2])
{
    const ag_texture *src = &request->slots[AG_BLOOM_SRC];
    bool fixed = s->grid == AG_BLOOM_FIXED;
    int32_t width = fixed ? request->plan_width : 0, height = fixed ? request->plan_height : 0;
    grid[0] = width > src->rect_width ? width : src->rect_width;
    grid[1] = height > src->rect_height ? height : src->rect_height;
}

bool ag_bloom_several(const ag_request *request, const ag_bloom_settings *s)
{
    return request->plan_width && s->grid == AG_BLOOM_FRAME;
}

// An odd number of texels, so that the kernel has a centre.
static int32_t odd_extent(double texels)
{
    return 2 * (int32_t)floor(texels / 2) + 1;
}

void ag_bloom_kernel_size(const ag_request *request, const ag_bloom_settings *s, int32_t height,
                          int32_t *kernel_width, int32_t *kernel_height)
{
    double extent = (double)s->size * height;
    const ag_texture *image = &request->slots[AG_BLOOM_KERNEL_IMAGE];
    *kernel_width = *kernel_height = odd_extent(extent);
    if (s->shape == AG_BLOOM_TEXTURE) // its height is the extent; its aspect ratio is kept
        *kernel_width = odd_extent(fmin(extent * image->rect_width / image->rect_height, 1e6));
}

double ag_bloom_sigma(const ag_bloom_settings *s, int32_t height)
{
    return fmax((double)s->size * height / 12, 1e-3);
}
