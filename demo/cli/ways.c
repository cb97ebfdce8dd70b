// cli/ways.c - the choices of all effects: jobs, and every way of doing them
// SPDX-License-Identifier: MIT
#include "ways.h"

#include <string.h>

enum { NEVER = 1 };

#define OF(member) offsetof(ag_tuning, member)

// ---- convolve, fft -----------------------------------------------------------------------------

#define KERNEL(side)                                      \
    {                                                     \
        1920, 1080, side *side, "rgba16f", .kernel = side \
    }
static const way_job kernels[] = {KERNEL(3), KERNEL(5), KERNEL(7), KERNEL(9), KERNEL(11), {0}};

#define FRAME(w, h)                          \
    {                                        \
        w, h, h / 2, "rgba16f", .kernel = 63 \
    }
static const way_job frames[] = {FRAME(456, 256),  FRAME(640, 360),   FRAME(912, 512),
                                 FRAME(1280, 720), FRAME(1920, 1080), {0}};

#define METHOD(text)                     \
    {                                    \
        text, .settings = "method=" text \
    }
static const way fft_methods[] = {METHOD("tiled"), METHOD("multipass"), {0}};
#define LINE(side)                            \
    {                                         \
        side, side, side, .format = "rgba32f" \
    }
static const way_job lines[] = {LINE(512), LINE(1000), LINE(2048), LINE(4096), {0}};
static const way_job spread_lines[] = {LINE(128), LINE(256), LINE(512), LINE(768), {0}};

// ---- tables ------------------------------------------------------------------------------------

#define TILES(text, side, count)   \
    {                              \
        text, NULL,                \
        {                          \
            {OF(tile), side},      \
            {                      \
                OF(threads), count \
            }                      \
        }                          \
    }
static const way sat_tiles[] = {TILES("32x32, 64", AG_TILE_32, 64),
                                TILES("32x32, 128", AG_TILE_32, 128),
                                TILES("64x32, 64", AG_TILE_64X32, 64),
                                TILES("64x32, 128", AG_TILE_64X32, 128),
                                TILES("64x64, 128", AG_TILE_64, 128),
                                TILES("64x64, 256", AG_TILE_64, 256),
                                {0}};
#define TABLE(w, h, from, to)              \
    {                                      \
        w, h, .format = from, .target = to \
    }
#define TABLES(format, target)                                                \
    TABLE(512, 512, format, target), TABLE(1024, 1024, format, target),       \
        TABLE(1920, 1080, format, target), TABLE(2048, 2048, format, target), \
        TABLE(4096, 4096, format, target)
static const way_job sat_jobs[] = {TABLES("rgba16f", "rgba32f"), TABLES("r32f", "r32f"), {0}};

#define FOLDED(side)                                                                        \
    {                                                                                       \
        side, side, 4 * (side / 32) * (side / 32), .format = "rgba16f", .target = "rgba32f" \
    }
static const way_job folded[] = {FOLDED(512),  FOLDED(768),  FOLDED(1024),
                                 FOLDED(1536), FOLDED(2048), {0}};
#define SMALL(side)                                             \
    {                                                           \
        side, side, (side / 64) * (side / 64), .format = "r32f" \
    }
static const way_job small_tables[] = {SMALL(256),  SMALL(512),  SMALL(768),
                                       SMALL(1024), SMALL(2048), {0}};

static const way box_tables[] = {{"images", NULL, {{OF(tables), AG_TABLES_IMAGE}}},
                                 {"textures", NULL, {{OF(tables), AG_TABLES_TEXTURE}}},
                                 {"buffers", NULL, {{OF(tables), AG_TABLES_BUFFER}}},
                                 {0}};
#define BLUR(w, h, radius)                            \
    {                                                 \
        w, h, .format = "rgba16f", .settings = radius \
    }
static const way_job blurs[] = {BLUR(1920, 1080, "radius=24"),
                                BLUR(3840, 2160, "radius=24"),
                                BLUR(1920, 1080, "radius=24.5"),
                                BLUR(3840, 2160, "radius=24.5"),
                                {0}};

// ---- downsample --------------------------------------------------------------------------------

static const way down_methods[] = {
    METHOD("tile"), METHOD("columns"), METHOD("partial_sums"), METHOD("blocks"), {0}};

static bool down_takes(const way *it, const way_job *job)
{
    bool whole = job->width % job->to_width == 0 && job->height % job->to_height == 0;
    int x = job->width / job->to_width, y = job->height / job->to_height, most = x > y ? x : y;
    if (strcmp(it->name, "tile") == 0)
        return most <= 24; // the others are faster long before
    return strcmp(it->name, "blocks") != 0 || (whole && most <= 16 && x == y);
}

#define DOWN(w, h, to_w, to_h, at, from)                    \
    {                                                       \
        w, h, at, from, .to_width = to_w, .to_height = to_h \
    }
// `at`: rows of a cell.
#define CELLS(format)                                                                  \
    DOWN(1920, 1080, 960, 540, 2, format), DOWN(3840, 2160, 1920, 1080, 2, format),    \
        DOWN(1920, 1080, 640, 360, 3, format), DOWN(3840, 2160, 1280, 720, 3, format), \
        DOWN(1920, 1080, 480, 270, 4, format), DOWN(3840, 2160, 960, 540, 4, format),  \
        DOWN(1920, 1080, 384, 216, 5, format), DOWN(3840, 2160, 768, 432, 5, format),  \
        DOWN(1920, 1080, 320, 180, 6, format), DOWN(3840, 2160, 640, 360, 6, format)
static const way_job cells[] = {CELLS("rgba16f"), CELLS("rgba8"), {0}};
// `at`: rows of a cell.
#define BLOCKS(format)                                                                  \
    DOWN(3840, 2160, 640, 360, 6, format), DOWN(4095, 4095, 455, 455, 9, format),       \
        DOWN(3840, 2160, 384, 216, 10, format), DOWN(3840, 2160, 320, 180, 12, format), \
        DOWN(3840, 2160, 256, 144, 15, format)
static const way_job blocks[] = {BLOCKS("rgba16f"), BLOCKS("rgba8"), {0}};
// `at`: groups of `columns`.
#define GROUPS(format)                                                         \
    DOWN(1920, 1080, 10, 6, 60, format), DOWN(1920, 1080, 15, 8, 120, format), \
        DOWN(2048, 2048, 16, 16, 256, format), DOWN(1920, 1080, 30, 17, 510, format)
static const way_job groups[] = {GROUPS("rgba16f"), {0}};
// `at`: rows of a cell.
#define ROWS(format)                                                                \
    DOWN(3840, 2160, 240, 135, 16, format), DOWN(4096, 4096, 200, 200, 21, format), \
        DOWN(4096, 4096, 128, 128, 32, format), DOWN(4096, 4096, 64, 64, 64, format)
static const way_job rows[] = {ROWS("rgba16f"), {0}};
#define SIZES(format)                                                                 \
    DOWN(1920, 1080, 240, 135, 0, format), DOWN(1920, 1080, 96, 54, 0, format),       \
        DOWN(1920, 1080, 30, 17, 0, format), DOWN(2048, 2048, 1024, 1024, 0, format), \
        DOWN(2048, 2048, 512, 512, 0, format), DOWN(2048, 2048, 256, 256, 0, format), \
        DOWN(2048, 2048, 100, 100, 0, format), DOWN(2048, 2048, 64, 64, 0, format),   \
        DOWN(2048, 2048, 16, 16, 0, format), DOWN(3840, 2160, 1600, 900, 0, format),  \
        DOWN(3840, 2160, 480, 270, 0, format), DOWN(3840, 2160, 240, 135, 0, format), \
        DOWN(3840, 2160, 60, 34, 0, format), DOWN(4096, 4096, 1365, 1365, 0, format), \
        DOWN(4096, 4096, 819, 819, 0, format), DOWN(4096, 4096, 509, 509, 0, format), \
        DOWN(4096, 4096, 300, 300, 0, format), DOWN(4096, 4096, 128, 128, 0, format), \
        DOWN(4096, 4096, 64, 64, 0, format)
static const way_job sizes[] = {SIZES("rgba16f"), SIZES("rgba8"), {0}};

// ---- mips, denoise -----------------------------------------------------------------------------

#define EXCHANGES(member)                                            \
    {"subgroups", NULL, {{OF(member), AG_EXCHANGE_SUBGROUPS}}},      \
        {"shared memory", NULL, {{OF(member), AG_EXCHANGE_SHARED}}}, \
    {                                                                \
        0                                                            \
    }
static const way sat_exchanges[] = {EXCHANGES(sat_exchange)};
static const way mip_exchanges[] = {EXCHANGES(mip_exchange)};
static const way denoise_exchanges[] = {EXCHANGES(denoise_exchange)};
#define CHAINS(of)                                                                    \
    {512, 512, .format = of}, {1024, 1024, .format = of}, {1920, 1080, .format = of}, \
        {2048, 2048, .format = of},                                                   \
    {                                                                                 \
        4096, 4096, .format = of                                                      \
    }
static const way_job chains[] = {CHAINS("rgba16f"), CHAINS("rgba8"), {0}};
static const way_job pictures[] = {{1920, 1080, .format = "rgba16f"}, {0}};

// ---- bloom -------------------------------------------------------------------------------------

#define PLAN(text, number)             \
    {                                  \
        text, NULL,                    \
        {                              \
            {                          \
                OF(bloom_plan), number \
            }                          \
        }                              \
    }
static const way bloom_plans[] = {PLAN("full", 1),         PLAN("half 7", 2),
                                  PLAN("half 5", 3),       PLAN("half", 4),
                                  PLAN("quarter 7 7", 5),  PLAN("quarter 0 7", 6),
                                  PLAN("quarter 0 5", 7),  PLAN("quarter", 8),
                                  PLAN("eighth 0 7 7", 9), {0}};
static const way_job blooms[] = {{1280, 720, .format = "rgba16f"},
                                 {1920, 1080, .format = "rgba16f"},
                                 {2560, 1440, .format = "rgba16f"},
                                 {3840, 2160, .format = "rgba16f"},
                                 {0}};

// ---- all ---------------------------------------------------------------------------------------

// So weak that every plan keeps what auto promises.
#define WEAK "resolution=auto intensity=0.01 "

const choice choices[] = {
    {"convolve", "border=zero", "convolve.direct_taps.zero", WAYS_LAST, .jobs = kernels},
    {"convolve", "border=clamp", "convolve.direct_taps.clamp", WAYS_LAST, .jobs = kernels},
    {"convolve", "border=mirror", "convolve.direct_taps.mirror", WAYS_LAST, .jobs = kernels},
    {"convolve", "border=wrap", "convolve.direct_taps.wrap", WAYS_LAST, .jobs = kernels},
    {"convolve", "method=fft", "fft.per_channel_pairs", WAYS_LAST, .jobs = frames},
    {"fft", "spectrum=full", NULL, WAYS_COMPARED, fft_methods, NULL, lines},
    {"fft", "spectrum=full", "fft.spread_points", WAYS_LAST, .jobs = spread_lines},
    {"sat", "storage=float32", "sat.folded_tiles", WAYS_LAST, .jobs = folded},
    {"sat", "storage=float32", "sat.few_tiles", WAYS_LAST, .jobs = small_tables},
    {"sat", "storage=float32", "sat.exchange", WAYS_BEST, sat_exchanges, NULL, sat_jobs},
    {"sat", "storage=float32", NULL, WAYS_COMPARED, sat_tiles, NULL, sat_jobs},
    {"box_blur", NULL, "box.tables", WAYS_BEST, box_tables, NULL, blurs},
    {"downsample", NULL, "downsample.tile_rows", WAYS_LAST, down_methods, down_takes, cells},
    {"downsample", NULL, "downsample.block_rows", WAYS_LAST, down_methods, down_takes, blocks},
    {"downsample", NULL, "downsample.few_groups", WAYS_LAST, down_methods, down_takes, groups},
    {"downsample", NULL, "downsample.shared_rows", WAYS_LAST, down_methods, down_takes, rows},
    {"downsample", NULL, NULL, WAYS_COMPARED, down_methods, down_takes, sizes},
    {"mipchain", NULL, "mips.exchange", WAYS_BEST, mip_exchanges, NULL, chains},
    {"denoise", "filter=blocks", "denoise.exchange", WAYS_BEST, denoise_exchanges, NULL, pictures},
    {"bloom", WEAK "shape=gaussian", "bloom.fft_bytes", WAYS_COST, bloom_plans, NULL, blooms},
    {"bloom", WEAK "shape=aperture", "bloom.fft_bytes", WAYS_COST, bloom_plans, NULL, blooms},
    {"bloom", WEAK "shape=anamorphic", "bloom.fft_bytes", WAYS_COST, bloom_plans, NULL, blooms},
    {NULL, NULL, NULL, WAYS_COMPARED, NULL, NULL, NULL}};

const ag_tuned_key *choice_key(const choice *it)
{
    const ag_tuned_key *key = ag_tuned_keys;
    while (it->key && key->name && strcmp(key->name, it->key) != 0)
        key++;
    return it->key && key->name ? key : NULL;
}

const way *choice_ways(const choice *it, way made[3])
{
    const ag_tuned_key *key = choice_key(it);
    if (it->ways)
        return it->ways;
    made[0] = (way){"up to it", NULL, {{key->offset, key->max}}};
    made[1] = (way){"beyond", NULL, {{key->offset, NEVER}}};
    made[2] = (way){0};
    return made;
}
