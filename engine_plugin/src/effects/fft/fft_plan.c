// fft_plan.c - plans an FFT convolution of two axes: lengths, memory, bytes. Pure C, no GL
// SPDX-License-Identifier: MIT
#include "effects/fft/fft_plan.h"
#include "base/rounding.h"
#include "gl/bindings.h"

#include <afterglow/convolve.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool plan_axis(const ag_fft_request *r, bool horizontal, ag_fft_axis *axis, char *error,
                      size_t error_size)
{
    int32_t size = horizontal ? r->width : r->height;
    int32_t kernel = horizontal ? r->kernel_width : r->kernel_height;
    // dst(x) = sum K(m) src(x - m): m runs from -low to high; a correlation swaps the two.
    int32_t centre = kernel / 2, rest = kernel - 1 - centre;
    int32_t low = r->correlate ? rest : centre, high = r->correlate ? centre : rest;
    int32_t needed = size + kernel - 1, least = horizontal ? r->min_x : r->min_y;
    *axis = (ag_fft_axis){0};
    if (r->border == AG_BORDER_ZERO) {
        // Taps that reach from one end of the image past the other meet only zeros, and are left
        // out. Those of a band-limited kernel are kept: without them its spectrum would not be
        // band-limited.
        bool ends = horizontal && r->band > 0;
        low = low < size - 1 || ends ? low : size - 1;
        high = high < size - 1 || ends ? high : size - 1;
        needed = size + ag_max(low, high);
    }
    axis->periodic = r->border == AG_BORDER_WRAP && kernel <= size &&
                     ag_fft_has_line(size, horizontal, r->max_invocations);
    axis->reach_low = low;
    axis->reach_high = high;
    int32_t length =
        axis->periodic ? size
                       : ag_fft_good_length(ag_max(needed, least), horizontal, r->max_invocations);
    if (!length) {
        snprintf(error, error_size,
                 "%s %d with a kernel of %d needs lines of %d points; the limit is %d",
                 horizontal ? "width" : "height", size, kernel, needed, AG_FFT_MAX_LENGTH);
        return false;
    }
    axis->line.length = length;
    return true;
}

// Bytes of a channel of the kernel's spectrum, as shaders/fft/kernel_spectrum.glsl lays it out;
// `stored`: without the places that no column fills, and what a formula's kernel has behind them
// for the info buffer.
static int64_t kernel_bytes(const ag_fft_plan *p, int32_t form, bool stored)
{
    int64_t half = p->y.line.length / 2 + 1;
    int64_t whole = ag_align_up(p->kept, stored ? 1 : p->y.line.lines);
    switch (form) {
    case AG_KERNEL_REAL: return whole * p->y.line.length * 4;
    case AG_KERNEL_MIRRORED: return whole * half * 4;
    case AG_KERNEL_LINES: return (p->kept + half + 2) * 4 + (stored ? 0 : AG_INFO_SCRUBBED);
    default: return whole * p->y.line.length * 8;
    }
}

// Bytes that a channel of the kernel gets. Where a plan serves several sizes, these are the bytes
// of any form and band, because a smaller image may have a kernel of another form. Where a formula
// and the image's size decide the form, the same holds while the bytes are few (LITTLE): a size
// that changes on every frame must not allocate.
enum { LITTLE = 1 << 20 };

static int64_t kernel_room(const ag_fft_plan *p)
{
    int64_t own = kernel_bytes(p, p->kernel_form, false);
    int64_t any = ag_align_up(p->columns, p->y.line.lines) * p->y.line.length * 8;
    bool by_formula = p->request.kernel_form == AG_KERNEL_LINES;
    if (any > own && (p->request.min_x > 0 || (by_formula && any <= LITTLE)))
        own = any;
    return ag_align_up(own, p->request.alignment);
}

// Bytes of a channel of the half spectra, as shaders/fft/spectrum.glsl lays them out.
static int64_t spectrum_bytes(const ag_fft_plan *p)
{
    int64_t pairs = ag_max(p->pairs, p->request.min_pairs);
    int64_t tiles = ag_div_up(p->kept, AG_FFT_TILE), runs = tiles * ((pairs + 1) / 2);
    if (p->request.storage == AG_STORAGE_COMPACT)
        return 4 *
               (runs * (4 * AG_FFT_TILE + 2 + AG_FFT_TILE / p->share) + 4 * AG_FFT_EXACT * pairs);
    int64_t cells = tiles * AG_FFT_TILE * pairs;
    if (p->kept < p->columns) {
        // A kernel that shrinks with the image has a wider band. No smaller image may need more
        // memory than this one; the worst is the last that keeps all columns, of 16/7 band * height
        // rows. 5 a pair are for rounding.
        int64_t rows = (int64_t)ceil(p->request.band * p->request.height * 16 / 7);
        int64_t most = (int64_t)p->columns * ((rows + 1) / 2) + 5 * pairs;
        cells = ag_max64(cells, most);
    }
    return cells * 16;
}

// Points of rows whose C2R pass is no faster where it reads alpha instead of src, while the R2C
// pass stores alpha (docs/decisions.md, D80).
enum { SHORT_ROW = 1024 };

static bool plan_memory(ag_fft_plan *p, char *error, size_t error_size)
{
    const ag_fft_request *r = &p->request;
    int64_t row = (int64_t)p->tiles * AG_FFT_TILE * 8;
    int32_t kernel_pairs = ag_max(p->kernel_pairs, r->min_kernel_pairs);
    p->channel_bytes = ag_align_up(spectrum_bytes(p), r->alignment);
    p->kernel_form = r->kernel_form;
    p->kernel_channel_bytes = kernel_room(p);
    p->kernel_scratch_bytes =
        ag_align_up(2 * row * kernel_pairs, r->alignment) * r->kernel_channels;
    int64_t pairs = ag_max(p->pairs, r->min_pairs);
    bool plain = r->plain_output && p->x.line.length > SHORT_ROW;
    p->alpha_bytes = plain ? ag_align_up(4 * pairs * p->x.line.length, r->alignment) : 0;
    p->layer_bytes = p->channel_bytes * r->channels + p->alpha_bytes;
    p->scratch_bytes = p->layer_bytes * r->layers;
    p->kernel_bytes = p->kernel_channel_bytes * r->kernel_channels;
    int64_t largest = ag_max64(ag_max64(p->channel_bytes, p->kernel_channel_bytes),
                               p->kernel_scratch_bytes / r->kernel_channels);
    if (largest > r->max_block_bytes || largest / 8 > INT32_MAX) {
        snprintf(error, error_size,
                 "%dx%d needs %lld bytes a channel; this context's storage blocks hold %lld",
                 r->width, r->height, (long long)largest, (long long)r->max_block_bytes);
        return false;
    }
    // All channels in one dispatch when one block can hold them, else one at a time.
    bool fits = p->channel_bytes * r->channels <= r->max_block_bytes &&
                p->kernel_bytes <= r->max_block_bytes &&
                p->kernel_scratch_bytes <= r->max_block_bytes &&
                p->channel_bytes * r->channels / 8 <= INT32_MAX && p->kernel_bytes / 8 <= INT32_MAX;
    p->channels_a_dispatch = fits ? r->channels : 1;
    return true;
}

// What the steps move: of the padded lines those values that hold something.
static void count_bytes(ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    int64_t texels = (int64_t)r->width * r->height, images = r->layers;
    int64_t values = (int64_t)p->kept * r->height * r->channels, spectrum = values * 8,
            c2r = spectrum;
    if (r->storage == AG_STORAGE_COMPACT) { // a scale for eight of what rows write, for 4 SHARE of
        spectrum = values * 4 + values / 2; // columns'
        c2r = values * 4 + values / p->share;
    }
    int64_t kernel = kernel_bytes(p, p->kernel_form, true) * r->kernel_channels;
    p->bytes[0] = images * (texels * r->src_bytes + spectrum);
    p->bytes[1] = images * (spectrum + c2r + kernel);
    p->bytes[2] =
        images * (c2r + texels * (r->dst_bytes + (r->reads_src_again ? r->src_bytes : 0)));
}

void ag_fft_plan_kernel(ag_fft_plan *p, int32_t form)
{
    p->kernel_form = form;
    p->kernel_channel_bytes = kernel_room(p);
    p->kernel_bytes = p->kernel_channel_bytes * p->request.kernel_channels;
    count_bytes(p);
}

// With few groups a GPU waits for the channels of one group more than for memory: each channel has
// a group of its own, and in the C2R row pass they are side by side (docs/decisions.md, D15). Not
// where a channel needs a storage block of its own.
static void plan_per_channel(ag_fft_plan *p)
{
    const ag_fft_request *r = &p->request;
    p->per_channel = false;
    if (r->channels < 2 || p->channels_a_dispatch < r->channels ||
        p->pairs > r->per_channel_pairs || p->rows_c2r.threads * r->channels > r->max_invocations)
        return;
    ag_fft_line line = p->rows_c2r;
    line.lines = r->channels;
    line.split = line.lines * line.length > 2048;
    if (!ag_fft_plan_shared(&line))
        return;
    p->rows_c2r = line;
    p->per_channel = true;
}

// In compact storage two pairs of rows fill a run: they share a group where threads and memory
// allow.
enum { PAIRED_THREADS = 640 };

static void plan_paired_rows(ag_fft_plan *p)
{
    ag_fft_line line = p->x.line;
    int32_t threads = 2 * line.threads, max = p->request.max_invocations;
    p->share = p->y.line.lines > 1 ? 2 : 1;
    if (p->request.storage != AG_STORAGE_COMPACT || line.lines > 1 ||
        threads > (max < PAIRED_THREADS ? max : PAIRED_THREADS) ||
        2 * line.length * 4 > AG_FFT_SHARED_BYTES / 16 * 15)
        return;
    line.lines = 2;
    line.split = 2 * line.length > 1024;
    if (ag_fft_plan_shared(&line))
        p->x.line = line;
}

// So few columns that all groups run at once: then the time of a group counts, not its bytes, and
// one line a group with few barriers is fastest (docs/decisions.md, D20).
enum { FEW_GROUPS = 600 };

static void plan_few_columns(ag_fft_plan *p)
{
    ag_fft_line line = p->y.line;
    if (p->kept == p->columns || p->kept * p->request.channels > FEW_GROUPS ||
        line.length * 8 > AG_FFT_SHARED_BYTES)
        return;
    // The CPU computes this kernel's spectrum, so no program of the line has to transform it.
    if (p->request.kernel_form == AG_KERNEL_LINES &&
        ag_fft_plan_in_place(line.length, p->request.max_invocations, &p->y.line))
        return;
    line.lines = 1;
    line.split = false;
    if (ag_fft_plan_shared(&line))
        p->y.line = line;
}

// Rows of which few frequencies are stored, where no program of theirs transforms the kernel. R2C
// rows keep one texel a point in registers, C2R rows all channels (docs/decisions.md, D77).
static void plan_narrow_rows(ag_fft_plan *p)
{
    int32_t length = p->x.line.length, max = p->request.max_invocations;
    ag_fft_line back;
    if (p->kept < p->columns && p->request.kernel_form == AG_KERNEL_LINES &&
        ag_fft_plan_narrow(length, p->kept, 10, max, &back) &&
        ag_fft_plan_narrow(length, p->kept, length <= 3072 ? 10 : 16, max, &p->x.line))
        p->rows_c2r = back;
    else
        p->rows_c2r = p->x.line;
}

bool ag_fft_plan_make(const ag_fft_request *request, ag_fft_plan *p, char *error, size_t error_size)
{
    *p = (ag_fft_plan){.request = *request};
    if (!plan_axis(request, true, &p->x, error, error_size) ||
        !plan_axis(request, false, &p->y, error, error_size))
        return false;
    p->columns = p->kept = p->x.line.length / 2 + 1;
    if (request->band > 0 &&
        request->band * p->x.line.length < p->columns * 7 / 8) { // to be worth it
        p->request.storage = AG_STORAGE_FULL; // of so little it is exact and fast as well
        p->kept = ag_div_up((int32_t)ceil(request->band * p->x.line.length) + 1, AG_FFT_TILE) *
                  AG_FFT_TILE;
    }
    p->tiles = ag_div_up(p->columns, AG_FFT_TILE);
    int32_t max = request->max_invocations;
    if (!ag_fft_plan_line(p->x.line.length, true, max, &p->x.line) ||
        !ag_fft_plan_line(p->y.line.length, false, max, &p->y.line)) {
        snprintf(error, error_size, "lines of %d and %d points need more than %d threads a group",
                 p->x.line.length, p->y.line.length, max);
        return false;
    }
    plan_few_columns(p);
    plan_paired_rows(p);
    plan_narrow_rows(p);
    p->pairs = ag_div_up(request->height, 2);
    p->kernel_pairs = ag_div_up(request->kernel_height, 2);
    if (!plan_memory(p, error, error_size))
        return false;
    plan_per_channel(p);
    count_bytes(p);
    return true;
}

bool ag_fft_plan_make_within(const ag_fft_request *largest, const ag_fft_request *request,
                             ag_fft_plan *p, char *error, size_t error_size)
{
    ag_fft_plan most;
    if (!largest)
        return ag_fft_plan_make(request, p, error, error_size);
    if (!ag_fft_plan_make(largest, &most, error, error_size))
        return false;
    ag_fft_request here = *request;
    if (!most.x.periodic && !most.y.periodic) {
        here.min_x = most.x.line.length;
        here.min_y = most.y.line.length;
        here.min_pairs = most.pairs;
        here.min_kernel_pairs = most.kernel_pairs;
    }
    return ag_fft_plan_make(&here, p, error, error_size);
}
