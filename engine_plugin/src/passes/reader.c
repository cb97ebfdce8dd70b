// reader.c - the descriptions of a folder, from its first to its newest
// SPDX-License-Identifier: MIT
#include "passes/reader.h"
#include "base/memory.h"
#include "passes/description.h"

static void free_one(const ag_host *host, const ag_description *d)
{
    ag_free(host, d->strings, d->string_room);
    ag_free(host, (void *)d, sizeof *d);
}

static void drop(const ag_host *host, const ag_effect *effect)
{
    free_one(host, (const ag_description *)effect);
}

static void free_all(const ag_host *host, const ag_effect *effect)
{
    for (const ag_description *d = (const ag_description *)effect, *former; d; d = former) {
        former = d->former;
        free_one(host, d);
    }
}

static ag_status read(const ag_host *host, ag_watch *folder, const ag_effect *former,
                      const ag_effect **effect, ag_problem *problem)
{
    const ag_description *had = (const ag_description *)former;
    ag_watch_file file;
    ag_status status = ag_watch_read(folder, AG_PASS_FILE, false, &file);
    if (status < 0)
        return status;
    problem->text.host = host;
    if (!file.text) {
        ag_text_print(&problem->text, "cannot read \"" AG_PASS_FILE "\" from %s%s%s",
                      ag_watch_directory(folder), file.why ? ": " : "", file.why ? file.why : "");
        return AG_E_ARG;
    }
    ag_description *d = ag_alloc(host, sizeof *d);
    if (!d)
        return AG_E_MEMORY;
    d->string_room = 2 * (file.length < AG_PASS_BYTES ? file.length : AG_PASS_BYTES) + 64;
    d->strings = ag_alloc(host, d->string_room);
    status =
        d->strings ? ag_description_read(host, file.text, file.length, d, problem) : AG_E_MEMORY;
    bool same = status >= 0 && had && ag_hash128_equal(had->text, d->text);
    if (status < 0 || same) {
        free_one(host, d);
        *effect = status < 0 ? NULL : former;
        return status;
    }
    d->former = had;
    *effect = &d->effect;
    return AG_OK;
}

const ag_reader ag_pass_reader = {read, drop, free_all};
