// loaded.c - effects that come from folders: who reads them, and what was read
// SPDX-License-Identifier: MIT
#include "core/loaded.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

static void free_one(const ag_host *host, ag_loaded *loaded)
{
    if (loaded->newest)
        loaded->reader->free(host, loaded->newest);
    ag_watch_free(loaded->folder);
    ag_free(host, loaded, sizeof *loaded);
}

void ag_loaded_free(const ag_host *host, ag_loaded *list)
{
    for (ag_loaded *next; list; list = next) {
        next = list->next;
        free_one(host, list);
    }
}

ag_status ag_loaded_create(const ag_host *host, const char *folder, const ag_reader *reader,
                           ag_loaded **out)
{
    ag_problem problem = {0};
    if (!ag_folder_readable(folder))
        return ag_fail(host, AG_E_ARG, "pass_load: \"%s\" is no folder that can be read", folder);
    ag_loaded *loaded = ag_alloc(host, sizeof *loaded);
    if (!loaded)
        return AG_E_MEMORY;
    loaded->reader = reader;
    ag_status status = ag_watch_create(host, folder, &loaded->folder);
    if (status >= 0)
        status = reader->read(host, loaded->folder, NULL, &loaded->newest, &problem);
    if (status == AG_E_ARG)
        ag_problem_log(host, &problem, AG_E_ARG);
    ag_problem_free(&problem);
    if (status < 0) {
        free_one(host, loaded);
        return status;
    }
    *out = loaded;
    return AG_OK;
}

ag_loaded *ag_loaded_find(ag_loaded *list, const char *id)
{
    while (list && strcmp(list->newest->info.id, id) != 0)
        list = list->next;
    return list;
}

bool ag_loaded_renew(const ag_host *host, ag_loaded *loaded, ag_problem *problem)
{
    const ag_effect *had = loaded->newest, *effect = NULL;
    ag_status status = loaded->reader->read(host, loaded->folder, had, &effect, problem);
    if (status >= 0 && strcmp(effect->info.id, had->info.id) != 0) {
        char what[160];
        snprintf(what, sizeof what,
                 "expected the name %s, which this pass had; it keeps its name while its device "
                 "lives",
                 had->info.id);
        loaded->reader->point(host, loaded->folder, effect, what, problem);
        loaded->reader->drop(host, effect);
        status = AG_E_ARG;
    }
    loaded->broken = status < 0;
    if (status < 0)
        return false;
    if (effect != had && effect->info.settings_tag != had->info.settings_tag)
        ag_say(host, AG_LOG_WARNING,
               "%s: the slots or settings of the pass have changed; the former goes on until a job "
               "is of the new description (pass_load)",
               effect->info.id);
    loaded->newest = effect;
    return true;
}

const ag_effect *ag_loaded_first(const ag_loaded *loaded)
{
    return loaded->broken && loaded->good ? loaded->good : loaded->newest;
}

const ag_effect *ag_loaded_effect(const ag_loaded *loaded, const ag_effect *in_use,
                                  const ag_job *job)
{
    uint32_t head[2] = {0}; // struct_size, tag
    if (loaded->broken)     // the shaders of now are of no description
        return in_use;
    if (loaded->newest == in_use || !job || job->struct_size < sizeof *job || !job->settings)
        return loaded->newest;
    memcpy(head, job->settings, sizeof head);
    bool former =
        head[1] != loaded->newest->info.settings_tag && head[1] == in_use->info.settings_tag;
    return former ? in_use : loaded->newest;
}
