// fuzz_preset.c - presets of the viewer: what is taken lies in the settings' ranges, and is saved
// and loaded again as it is
// SPDX-License-Identifier: MIT
//
// The frame has its effects and settings, and no GL: presets touch none.
#include "effect.h"
#include "fuzz.h"
#include "preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static frame *first, *again, *before;

static frame *make_frame(void)
{
    frame *f = calloc(1, sizeof *f);
    FUZZ_CHECK(f);
    f->graph.ag = effect_api();
    return f;
}

static void reset(frame *f)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = effect_api()->effects(&count);
    while (f->node_count)
        frame_remove(f, f->node_count - 1);
    for (uint32_t i = 0; i < count; i++)
        FUZZ_CHECK(frame_add(f, effects[i]->id));
    for (int i = 0; i < OWN_COUNT; i++)
        own_defaults(&own_info[i], preset_own(f, i));
}

static void check_same(const frame *a, const frame *b)
{
    FUZZ_CHECK(memcmp(&a->street, &b->street, sizeof a->street) == 0 &&
               memcmp(&a->particles, &b->particles, sizeof a->particles) == 0 &&
               memcmp(&a->view, &b->view, sizeof a->view) == 0);
    FUZZ_CHECK(a->node_count == b->node_count);
    for (int i = 0; i < a->node_count; i++) {
        const node *x = &a->nodes[i], *y = &b->nodes[i];
        FUZZ_CHECK(x->info == y->info && x->on == y->on && x->in_picture == y->in_picture);
        FUZZ_CHECK(memcmp(x->settings, y->settings, x->settings_size) == 0);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    first = make_frame();
    again = make_frame();
    before = make_frame();
    reset(before);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reset(first);
    if (!preset_load(first, fuzz_file(data, size))) {
        check_same(first, before);
        return 0;
    }
    for (int i = 0; i < first->node_count; i++) {
        const node *n = &first->nodes[i];
        fuzz_check_settings(n->info, n->settings);
        FUZZ_CHECK(n->filters || !n->in_picture);
    }
    for (int i = 0; i < OWN_COUNT; i++)
        fuzz_check_settings(&own_info[i], preset_own(first, i));
    reset(again);
    // No part of a preset that is saved.
    again->view.split = first->view.split;
    again->view.against = first->view.against;
    again->view.split_at = first->view.split_at;
    again->view.scopes = first->view.scopes;
    again->view.loupe = first->view.loupe;
    FUZZ_CHECK(preset_save(first, "again.json") && preset_load(again, "again.json"));
    check_same(first, again);
    return 0;
}
