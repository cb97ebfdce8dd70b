// test_preset.c - presets of the viewer: what is saved is loaded, what has another form is refused
// SPDX-License-Identifier: MIT
//
// A frame has its effects and settings here, but no GL: presets touch none.
#include "check.h"
#include "effect.h"
#include "folder.h"
#include "preset.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static frame *make_frame(void)
{
    const ag_api *api = effect_api();
    uint32_t count = 0;
    const ag_effect_info *const *effects = api->effects(&count);
    frame *f = check_allocate(sizeof *f);
    memset(f, 0, sizeof *f);
    CHECK(count > 4 && count <= NODES_MOST);
    f->graph.ag = api;
    for (uint32_t i = 0; i < count; i++)
        CHECK(frame_add(f, effects[i]->id));
    for (int i = 0; i < OWN_COUNT; i++)
        own_defaults(&own_info[i], preset_own(f, i));
    return f;
}

static void drop_frame(frame *f)
{
    for (int i = 0; i < f->node_count + f->other_count; i++)
        node_close(frame_node(f, i), NULL);
    free(f);
}

static bool same_settings(const frame *a, const frame *b)
{
    bool same = !memcmp(&a->street, &b->street, sizeof a->street) &&
                !memcmp(&a->particles, &b->particles, sizeof a->particles) &&
                a->view.exposure == b->view.exposure && a->view.automatic == b->view.automatic &&
                a->view.tonemap == b->view.tonemap;
    same = same && a->node_count == b->node_count;
    for (int i = 0; same && i < a->node_count; i++) {
        const node *x = &a->nodes[i], *y = &b->nodes[i];
        same = same && !strcmp(x->name, y->name) && x->info == y->info && x->on == y->on &&
               x->in_picture == y->in_picture &&
               !memcmp(x->settings, y->settings, x->settings_size);
    }
    return same;
}

static void randomize(rng *r, const ag_effect_info *info, void *settings)
{
    for (int i = 0; i < (int)info->setting_count; i++) {
        const ag_setting_info *row = effect_setting(info, i);
        for (uint32_t k = 0; k < row->count; k++) {
            char *place = (char *)settings + row->offset + 4 * k;
            float number = (float)rng_uniform(r, row->min, row->max);
            int32_t integer = (int32_t)rng_uniform(r, row->min, row->max + 0.999);
            while (row->type == AG_ENUM && !row->names[integer])
                integer = rng_int(r, 0, (int)row->name_count - 1);
            if (number < (float)row->min || number > (float)row->max)
                number = (float)row->initial[k];
            memcpy(place, row->type == AG_FLOAT ? (void *)&number : (void *)&integer, 4);
        }
    }
}

// Names are no part of a preset: they come from the order.
static void rename_in_order(frame *f)
{
    for (int i = 0; i < f->node_count; i++)
        f->nodes[i].name[0] = '\0';
    for (int i = 0; i < f->node_count; i++) {
        node *n = &f->nodes[i];
        char name[NODE_NAME];
        snprintf(name, sizeof name, "%s", n->id);
        for (int number = 2; frame_find(f, name); number++)
            snprintf(name, sizeof name, "%s-%d", n->id, number);
        memcpy(n->name, name, sizeof name);
    }
}

static const char *path_of(const folder *d, const char *name)
{
    static char buffer[256];
    snprintf(buffer, sizeof buffer, "%s/%s", d->path, name);
    return buffer;
}

static void test_saved(void **state)
{
    (void)state;
    rng r = rng_start("presets", 46);
    folder d = folder_create();
    folder_put(&d, "preset.json", "");
    for (int run = 0; run < 60; run++) {
        frame *a = make_frame(), *b = make_frame();
        for (int i = 0; i < OWN_COUNT; i++)
            randomize(&r, &own_info[i], preset_own(a, i));
        for (int i = 0; i < a->node_count; i++) {
            randomize(&r, a->nodes[i].info, a->nodes[i].settings);
            a->nodes[i].on = rng_int(&r, 0, 1);
            a->nodes[i].in_picture = a->nodes[i].filters && rng_int(&r, 0, 1);
        }
        // Any chain, of which one of a kind may come several times.
        for (int i = rng_int(&r, 0, 12); i > 0; i--)
            frame_remove(a, rng_int(&r, 0, a->node_count - 1));
        for (int i = rng_int(&r, 0, 3); i > 0; i--)
            CHECK(frame_add(a, "bloom"));
        for (int i = 0; i < 200; i++)
            frame_move(a, rng_int(&r, 0, a->node_count - 1), rng_int(&r, 0, 1) ? 1 : -1);
        rename_in_order(a);
        CHECK(!same_settings(a, b));
        CHECK(preset_save(a, path_of(&d, "preset.json")));
        CHECK(preset_load(b, path_of(&d, "preset.json")));
        CHECK(same_settings(a, b));
        // How the picture is looked at stays.
        CHECK(!b->view.split && b->view.split_at == 0.5f && !b->view.scopes && !b->view.loupe);
        drop_frame(a);
        drop_frame(b);
    }
    folder_destroy(&d);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "{\"viewer\\",
        "\"x\\",
        "{\"viewer\": \"\\",
        "[]",
        "{}",
        "1",
        "{\"a\": 1}",
        "{\"viewer\": 1}",
        "{\"viewer\": {\"view\": 3}}",
        "{\"effects\": {\"id\": \"bloom\"}}",
        "{\"effects\": [3]}",
        "{\"effects\": [{\"id\": 3}]}",
        "{\"effects\": [{\"id\": \"bloom\", \"on\": 1}]}",
        "{\"effects\": [{\"id\": \"bloom\", \"picture\": \"no\"}]}",
        "{\"effects\": [{\"id\": \"bloom\", \"settings\": [1, 2]}]}",
        "{\"viewer\": {\"view\": {\"exposure\": 1, \"exposure\": 2}}}",
        "{\"viewer\": {\"view\": {\"exposure\": 1e999}}}",
        "{\"viewer\": {\"view\": {\"exposure\": nan}}}",
        "{\"viewer\": {\"view\": {\"exposure\": 1}}} x",
        "{\"viewer\": {}, \"\\u0000\": 1}",
        "{\"viewer\": {}, \"\xff\": 1}",
        "{\"effects\": [{\"id\": \"blo\\u0000om\"}]}",
    };
    folder d = folder_create();
    frame *f = make_frame(), *before = make_frame();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        folder_put(&d, "preset.json", texts[i]);
        CHECK_F(!preset_load(f, path_of(&d, "preset.json")), "taken: %s", texts[i]);
        CHECK(same_settings(f, before));
    }
    // A setting that the effect does not take stays, whole, and the others are taken.
    folder_put(&d, "preset.json",
               "{\"viewer\": {\"view\": {\"exposure\": 1e30, \"split_at\": 0.25, \"split\": 1},"
               " \"scene\": {\"samples\": 2.5}},"
               " \"effects\": [{\"id\": \"bloom\", \"settings\": {\"tint\": [0.5], \"shape\": 7,"
               " \"\\u001b[31mno\": {}, \"intensity\": 0.75}}, {\"id\": \"of a later module\"}]}");
    CHECK(preset_load(f, path_of(&d, "preset.json")));
    CHECK(f->view.split_at == 0.25f && f->view.exposure == 0 && !f->view.split &&
          f->street.samples == 1);
    before->view.split_at = 0.25f;
    const node *bloom = frame_find(f, "bloom"), *was = frame_find(before, "bloom");
    CHECK(bloom == f->nodes && f->node_count == 1);
    int differ = 0;
    for (uint32_t i = 0; i < bloom->settings_size; i += 4)
        differ += memcmp((char *)bloom->settings + i, (char *)was->settings + i, 4) != 0;
    CHECK_EQ(differ, 1);
    drop_frame(f);
    drop_frame(before);
    folder_destroy(&d);
}

// A text of JSON may have any character, escaped.
static void test_escapes(void **state)
{
    (void)state;
    folder d = folder_create();
    frame *f = make_frame();
    folder_put(&d, "preset.json",
               "{\"note\": \"two\\nlines, \\t\\\"quoted\\\", \\u00e9 \\ud83c\\udf1f\",\n"
               " \"effects\": [{\"id\": \"blo\\u006fm\", \"on\": true, \"note\": \"\\n\"}]}");
    CHECK(preset_load(f, path_of(&d, "preset.json")));
    CHECK(f->node_count == 1 && frame_find(f, "bloom") && f->nodes[0].on);
    drop_frame(f);
    folder_destroy(&d);
}

static void check_names(const frame *f, const char *names)
{
    char text[1024] = "";
    for (int i = 0; i < f->node_count; i++)
        sprintf(text + strlen(text), "%s%s", i ? " " : "", f->nodes[i].name);
    CHECK_F(strcmp(text, names) == 0, "the chain is %s, not %s", text, names);
}

static void test_chain(void **state)
{
    (void)state;
    frame *f = make_frame();
    while (f->node_count)
        frame_remove(f, 0);
    CHECK(frame_add(f, "bloom") && frame_add(f, "sat") && frame_add(f, "bloom") &&
          frame_add(f, "bloom") && !frame_add(f, "no such"));
    check_names(f, "bloom sat bloom-2 bloom-3");
    frame_move(f, 3, -1);
    frame_move(f, 0, -1); // nowhere to go
    check_names(f, "bloom sat bloom-3 bloom-2");
    frame_remove(f, 0);
    check_names(f, "sat bloom-3 bloom-2");
    CHECK(frame_add(f, "bloom"));
    check_names(f, "sat bloom-3 bloom-2 bloom");
    CHECK_EQ(preset_set(f, "bloom-3.intensity=0.75"), 0);
    CHECK_EQ(preset_set(f, "exposure=on"), 0);
    CHECK_EQ(preset_set(f, "sat-2=off"), 0);
    check_names(f, "sat bloom-3 bloom-2 bloom exposure sat-2");
    CHECK(preset_set(f, "sat-9=on") != 0 && preset_set(f, "what=on") != 0 &&
          preset_set(f, "bloom-2=maybe") != 0);
    check_names(f, "sat bloom-3 bloom-2 bloom exposure sat-2");
    while (f->node_count < NODES_MOST)
        CHECK(frame_add(f, "sat"));
    CHECK(!frame_add(f, "sat"));
    drop_frame(f);
}

static float intensity(frame *f)
{
    const node *n = frame_find(f, "bloom");
    for (int i = 0; i < (int)n->info->setting_count; i++)
        if (strcmp(effect_setting(n->info, i)->name, "intensity") == 0)
            return *(float *)((char *)n->settings + effect_setting(n->info, i)->offset);
    return -1;
}

// The other side begins as a copy; from then on each keeps its chain, settings and view.
static void test_sides(void **state)
{
    (void)state;
    frame *f = make_frame();
    int count = f->node_count;
    CHECK(strcmp(f->nodes[count - 1].id, "bloom") != 0);
    CHECK_EQ(preset_set(f, "bloom.intensity=0.25"), 0);
    CHECK_EQ(preset_set(f, "view.exposure=1"), 0);
    frame_swap(f);
    CHECK(f->side == 1 && f->node_count == count && intensity(f) == 0.25f && f->view.exposure == 1);
    CHECK_EQ(preset_set(f, "bloom.intensity=0.5"), 0);
    CHECK_EQ(preset_set(f, "view.exposure=-2"), 0);
    CHECK_EQ(preset_set(f, "view.split_at=0.75"), 0);
    frame_remove(f, f->node_count - 1);
    frame_swap(f);
    CHECK(f->side == 0 && f->node_count == count && intensity(f) == 0.25f && f->view.exposure == 1);
    CHECK(f->view.split_at == 0.75f); // how they are compared belongs to none
    frame_swap(f);
    CHECK(f->node_count == count - 1 && intensity(f) == 0.5f && f->view.exposure == -2);
    frame_copy_side(f);
    frame_swap(f);
    CHECK(f->side == 0 && f->node_count == count - 1 && intensity(f) == 0.5f);
    drop_frame(f);
}

static char *effects_text(int count, bool same)
{
    char *text = check_allocate(64 + 32 * (size_t)count), *at = text;
    at += sprintf(at, "{\"effects\": [");
    for (int i = 0; i < count; i++)
        at += sprintf(at, same ? "%s{\"id\":\"sat\"}" : "%s{\"id\":\"e%d\"}", i ? "," : "", i);
    sprintf(at, "]}");
    return text;
}

static void test_limits(void **state)
{
    static const struct {
        int count;
        bool same, taken;
    } cases[] = {{256, false, true},
                 {257, false, false},
                 {257, true, false},
                 {60000, false, false},
                 {150000, true, false}};
    (void)state;
    folder d = folder_create();
    frame *f = make_frame();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = effects_text(cases[i].count, cases[i].same);
        folder_put(&d, "preset.json", text);
        struct timespec begin, end;
        timespec_get(&begin, TIME_UTC);
        CHECK_EQ(preset_load(f, path_of(&d, "preset.json")), cases[i].taken);
        timespec_get(&end, TIME_UTC);
        char name[64];
        snprintf(name, sizeof name, "%d effects, seconds", cases[i].count);
        // With sanitizers, on a busy machine; it was more than a minute once.
        CHECK_LIMIT(
            name,
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec), 3);
        free(text);
    }
    drop_frame(f);
    folder_destroy(&d);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_saved),   UNIT_TEST(test_refused),
                                UNIT_TEST(test_escapes), UNIT_TEST(test_chain),
                                UNIT_TEST(test_sides),   UNIT_TEST(test_limits)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
