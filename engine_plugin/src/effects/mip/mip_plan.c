// mip_plan.c - how a chain of levels is cut into dispatches and tiles
// SPDX-License-Identifier: MIT
#include "effects/mip/mip_plan.h"
#include "base/rounding.h"

int32_t ag_mip_size(int32_t size, int32_t level)
{
    return size >> level > 1 ? size >> level : 1;
}

int32_t ag_mip_full(int32_t width, int32_t height)
{
    int32_t levels = 0;
    while (width >> levels > 1 || height >> levels > 1)
        ++levels;
    return levels;
}

int32_t ag_mip_is_odd(int32_t size)
{
    return size > 1 && size % 2;
}

static ag_mip_stage make_stage(const ag_mip_request *r, int32_t source, int32_t levels,
                               int32_t tile)
{
    ag_mip_stage stage = {.source = source, .levels = levels, .tile = tile};
    for (int axis = 0; axis < 2; ++axis) {
        int32_t size = axis ? r->height : r->width;
        int32_t last = ag_mip_size(size, source + levels), owned = tile >> levels;
        stage.tiles[axis] = ag_div_up(last, owned);
        int32_t halo = 0;
        for (int32_t j = levels; j > 1; --j)
            halo = 2 * halo + ag_mip_is_odd(ag_mip_size(size, source + j - 1));
        int32_t whole = ag_mip_size(size, source + 1);
        stage.region[axis] = ag_min(tile / 2 + halo, whole);
        stage.halo[axis] = 2 * halo + ag_mip_is_odd(ag_mip_size(size, source));
    }
    return stage;
}

static bool fits(const ag_mip_request *r, const ag_mip_stage *stage)
{
    return stage->region[0] * stage->region[1] <= r->shared;
}

// As many levels as tiles make without a halo; with one, up to three: of two odd axes it is then 71
// x 71 texels for 64 x 64, and more would read and compute again more than it saves.
static ag_mip_stage best_stage(const ag_mip_request *r, int32_t source, int32_t most)
{
    ag_mip_stage best = make_stage(r, source, 1, AG_MIP_TILE);
    for (int32_t levels = 2; levels <= ag_min(most, AG_MIP_TILE_LEVELS); ++levels) {
        ag_mip_stage stage = make_stage(r, source, levels, AG_MIP_TILE);
        bool cheap = levels <= 3 || stage.halo[0] + stage.halo[1] == 0;
        bool alone = stage.tiles[0] == 1 && stage.tiles[1] == 1; // then there is no halo
        if (fits(r, &stage) && (cheap || alone))
            best = stage;
    }
    return best;
}

// The same stage by smaller tiles, where the last of few groups goes on.
static ag_mip_stage smaller_tiles(const ag_mip_request *r, const ag_mip_stage *stage)
{
    if (AG_MIP_TAIL_TILE >> stage->levels == 0)
        return *stage;
    ag_mip_stage small = make_stage(r, stage->source, stage->levels, AG_MIP_TAIL_TILE);
    return small.tiles[0] * small.tiles[1] <= AG_MIP_ARRIVALS ? small : *stage;
}

// The rest of the chain, made by one group.
static bool alone(const ag_mip_request *r, int32_t source, int32_t levels, ag_mip_stage *stage)
{
    if (levels < 1 || levels > AG_MIP_TILE_LEVELS)
        return false;
    *stage = make_stage(r, source, levels, AG_MIP_TILE);
    return stage->tiles[0] == 1 && stage->tiles[1] == 1 && fits(r, stage);
}

int32_t ag_mip_even(const ag_mip_request *r, const ag_mip_stage *stage)
{
    for (int32_t k = stage->source; k < stage->source + stage->levels; ++k)
        if (ag_mip_size(r->width, k) % 2 || ag_mip_size(r->height, k) % 2)
            return 0;
    return stage->levels;
}

int32_t ag_mip_region(const ag_mip_stage *stage)
{
    return stage->levels ? stage->region[0] * stage->region[1] : 0;
}

bool ag_mip_finishes(const ag_mip_request *r, const ag_mip_dispatch *d)
{
    return d->second.tiles[0] == 1 && d->second.tiles[1] == 1 &&
           ag_mip_region(&d->second) <= r->shared / 2;
}

bool ag_mip_alone(const ag_mip_dispatch *d)
{
    return d->first.tiles[0] == 1 && d->first.tiles[1] == 1 && !d->second.levels && d->first_at < 0;
}

static int32_t leave(ag_mip_plan *plan, int32_t level)
{
    const ag_mip_request *r = &plan->request;
    int32_t at = plan->handover;
    if (level == r->levels)
        return -1;
    plan->handover += ag_mip_size(r->width, level) * ag_mip_size(r->height, level);
    return at;
}

// One dispatch more, from `level` on. `on`: it goes on after its first stage, if its units allow.
// Returns the level that it ends with; 0: units do not suffice.
static int32_t add_dispatch(ag_mip_plan *plan, int32_t level, bool on)
{
    const ag_mip_request *r = &plan->request;
    int32_t units = level ? r->units : r->units_first - 1, rest = r->levels - level;
    if (plan->count == AG_MIP_DISPATCHES || units < 1)
        return 0;
    ag_mip_dispatch *d = &plan->dispatches[plan->count++];
    *d = (ag_mip_dispatch){.from = plan->last, .first_at = -1, .second_at = -1};
    d->first = best_stage(r, level, ag_min(units, rest));
    level += d->first.levels;
    d->first_at = plan->last = leave(plan, level);
    rest = r->levels - level;
    units -= d->first.levels;
    bool few = d->first.tiles[0] * d->first.tiles[1] <= AG_MIP_ARRIVALS;
    on = on && (few || !ag_mip_even(r, &d->first)); // else even.comp would not make the tiles
    // The end of the chain within this dispatch, if it is small enough.
    if (!few || rest > units || !alone(r, level, rest, &d->second))
        d->second = on && rest > 0 && units > 0 ? best_stage(r, level, ag_min(units, rest))
                                                : (ag_mip_stage){0};
    if (d->from >= 0 && d->second.levels)
        d->first = smaller_tiles(r, &d->first);
    if (d->second.levels) {
        level += d->second.levels;
        d->second_at = plan->last = leave(plan, level);
        int32_t counters = d->second.tiles[0] * d->second.tiles[1];
        plan->counters = ag_max(plan->counters, counters);
    }
    return level;
}

// The dispatches from `level` on: two for the chain, or as few as possible. Where a second stage
// saves a third dispatch, a late one, of small levels, is preferred to an early one.
static bool add_rest(ag_mip_plan *plan, int32_t level)
{
    if (level == plan->request.levels)
        return true;
    ag_mip_plan on = *plan;
    int32_t next = add_dispatch(plan, level, false), next_on = add_dispatch(&on, level, true);
    bool made = next && add_rest(plan, next);
    if ((made && plan->count <= 2) || next_on == next || !next_on || !add_rest(&on, next_on))
        return made;
    if (!made || on.count < plan->count)
        *plan = on;
    return true;
}

bool ag_mip_plan_make(const ag_mip_request *request, ag_mip_plan *plan)
{
    *plan = (ag_mip_plan){.request = *request, .last = -1};
    return add_rest(plan, 0);
}
