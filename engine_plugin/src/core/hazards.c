// hazards.c - which barrier a dispatch needs before it, from what it and those before it access
// SPDX-License-Identifier: MIT
#include "core/hazards.h"

#include <afterglow/afterglow.h>

// All kinds of access of our dispatches.
static const GLbitfield all_units = GL_SHADER_STORAGE_BARRIER_BIT |
                                    GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                                    GL_TEXTURE_FETCH_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;

static bool collide(const struct ag_touched *before, const ag_touch *t, uint32_t step)
{
    const ag_touch *b = &before->touch;
    if (b->memory != t->memory || b->to <= t->from || t->to <= b->from || (before->seen & t->unit))
        return false;
    if (!((b->how | t->how) & (AG_WRITE | AG_ADD)) || (b->how == AG_ADD && t->how == AG_ADD))
        return false;
    return b->how != AG_WRITE || t->how != AG_WRITE || before->step != step;
}

GLbitfield ag_hazards_of(const ag_hazards *h, const ag_touch *touches, uint32_t count,
                         uint32_t step)
{
    GLbitfield bits = 0;
    for (uint32_t i = 0; i < h->count; ++i)
        for (uint32_t k = 0; k < count; ++k)
            if (collide(&h->touched[i], &touches[k], step))
                bits |= touches[k].unit;
    return bits;
}

GLbitfield ag_hazards_barrier(ag_hazards *h, GLbitfield bits)
{
    if (h->count > AG_MAX_TOUCHES / 2) {
        h->count = 0;
        return all_units;
    }
    for (uint32_t i = 0; i < h->count; ++i)
        h->touched[i].seen |= bits;
    return bits;
}

static bool join(struct ag_touched *before, const ag_touch *t, uint32_t step)
{
    ag_touch *b = &before->touch;
    if (before->seen || b->memory != t->memory || b->how != t->how || before->step != step ||
        t->from > b->to || b->from > t->to)
        return false;
    b->from = t->from < b->from ? t->from : b->from;
    b->to = t->to > b->to ? t->to : b->to;
    return true;
}

GLbitfield ag_hazards_add(ag_hazards *h, const ag_touch *touches, uint32_t count, uint32_t step)
{
    GLbitfield bits = 0;
    if (h->count + count > AG_MAX_TOUCHES) {
        bits = all_units;
        h->count = 0;
    }
    for (uint32_t k = 0; k < count; ++k) {
        bool joined = false;
        for (uint32_t i = 0; i < h->count && !joined; ++i)
            joined = join(&h->touched[i], &touches[k], step);
        if (!joined)
            h->touched[h->count++] = (struct ag_touched){.touch = touches[k], .step = step};
    }
    return bits;
}
