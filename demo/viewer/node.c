// viewer/node.c - one effect of the module's in the chain
// SPDX-License-Identifier: MIT
#include "node.h"

#include "effect.h"

#include <stdlib.h>
#include <string.h>

const ag_slot_info *node_slot(const ag_effect_info *info, int index)
{
    return effect_slot(info, index);
}

bool node_takes(const ag_slot_info *slot, uint32_t format)
{
    for (uint32_t i = 0; i < slot->format_count; i++)
        if (slot->formats[i] == format)
            return true;
    return false;
}

static void classify(node *n)
{
    bool reads = false, writes = false;
    for (int i = 0; i < (int)n->info->slot_count; i++) {
        const ag_slot_info *slot = node_slot(n->info, i);
        uint32_t way = slot->access & (AG_READ | AG_WRITE);
        bool fits = node_takes(slot, GL_RGBA16F) && !(slot->access & (AG_STATE | AG_OPTIONAL));
        reads = reads || (fits && way == AG_READ && strcmp(slot->name, "src") == 0);
        writes = writes || (fits && way == AG_WRITE && strcmp(slot->name, "dst") == 0);
        n->chains = n->chains || (slot->access & AG_LEVELS);
    }
    n->filters = n->in_picture = reads && writes && !n->chains;
}

bool node_open(node *n, const ag_api *ag, const ag_effect_info *info)
{
    *n = (node){.info = info, .pass = GRAPH_NONE, .settings_size = info->settings_size};
    snprintf(n->id, sizeof n->id, "%s", info->id);
    snprintf(n->name, sizeof n->name, "%s", info->id);
    n->settings = calloc(1, info->settings_size + 4u);
    n->accepted = calloc(1, info->settings_size + 4u);
    if (!n->settings || !n->accepted || info->slot_count > GRAPH_SLOTS)
        return false;
    classify(n);
    node_reset(n, ag);
    memcpy(n->accepted, n->settings, info->settings_size);
    return true;
}

static const ag_setting_info *find_setting(const ag_effect_info *info, const ag_setting_info *like)
{
    for (int i = 0; i < (int)info->setting_count; i++) {
        const ag_setting_info *s = effect_setting(info, i);
        if (!strcmp(s->name, like->name) && s->type == like->type && s->count == like->count)
            return s;
    }
    return NULL;
}

// Values into the ranges of now.
static void limit_settings(const ag_effect_info *info, void *settings)
{
    for (int i = 0; i < (int)info->setting_count; i++) {
        const ag_setting_info *s = effect_setting(info, i);
        for (uint32_t k = 0; k < s->count; k++) {
            char *at = (char *)settings + s->offset + 4 * k;
            float real;
            int32_t whole;
            memcpy(&real, at, sizeof real);
            memcpy(&whole, at, sizeof whole);
            double value = s->type == AG_FLOAT ? (double)real : (double)whole;
            value = value < s->min ? s->min : value > s->max ? s->max : value;
            real = (float)value;
            whole = (int32_t)value;
            memcpy(at, s->type == AG_FLOAT ? (void *)&real : (void *)&whole, 4);
        }
    }
}

bool node_describe(node *n, const ag_api *ag, const ag_effect_info *info)
{
    node fresh;
    if (info->settings_tag == n->info->settings_tag) {
        n->info = info;
        limit_settings(info, n->settings);
        return true;
    }
    if (!node_open(&fresh, ag, info)) {
        free(fresh.settings);
        free(fresh.accepted);
        return false;
    }
    for (int i = 0; i < (int)info->setting_count; i++) {
        const ag_setting_info *to = effect_setting(info, i), *from = find_setting(n->info, to);
        if (from)
            memcpy((char *)fresh.settings + to->offset, (char *)n->settings + from->offset,
                   4 * (size_t)to->count);
    }
    limit_settings(info, fresh.settings);
    free(n->settings);
    free(n->accepted);
    n->info = info;
    n->settings = fresh.settings;
    n->accepted = fresh.accepted;
    n->settings_size = fresh.settings_size;
    n->filters = fresh.filters;
    n->chains = fresh.chains;
    n->in_picture = fresh.in_picture;
    n->works = false;
    return true;
}

bool node_copy(node *n, const ag_api *ag, const node *from)
{
    if (!node_open(n, ag, from->info))
        return false;
    memcpy(n->name, from->name, sizeof n->name);
    memcpy(n->settings, from->settings, from->settings_size);
    n->on = from->on;
    n->in_picture = from->in_picture;
    return true;
}

void node_close(node *n, const GladGLContext *gl)
{
    if (gl)
        gl->DeleteTextures(GRAPH_SLOTS, n->states);
    free(n->settings);
    free(n->accepted);
    *n = (node){0};
}

void node_reset(node *n, const ag_api *ag)
{
    ag->effect_defaults(n->info, n->settings, n->info->settings_size);
}

bool node_is_default(const node *n, const ag_api *ag)
{
    char initial[1024] = {0};
    if (n->info->settings_size > sizeof initial)
        return false;
    ag->effect_defaults(n->info, initial, n->info->settings_size);
    return memcmp(initial, n->settings, n->info->settings_size) == 0;
}
