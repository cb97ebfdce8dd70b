// reader.c - the descriptions of a folder, from its first to its newest
// SPDX-License-Identifier: MIT
#include "passes/reader.h"
#include "base/memory.h"
#include "passes/description.h"

#include <stdio.h>
#include <string.h>

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

// Points at a place of pass.comp, as it was read.
static void point_at(const ag_host *host, const ag_watch_file *file, ag_pass_place place,
                     const char *what, ag_problem *problem)
{
    const char *line = file->text ? file->text : "";
    for (uint32_t i = 1; i < place.line && (line = strchr(line, '\n')); ++i)
        ++line;
    line = line && strlen(line) + 1 >= place.column ? line : "";
    if (!strncmp(line, "\xEF\xBB\xBF", 3)) // of UTF-8
        line += 3;
    ag_problem_point(problem, host, AG_PASS_FILE, place.line, line, line + place.column - 1, what);
}

static void point(const ag_host *host, ag_watch *folder, const ag_effect *effect, const char *what,
                  ag_problem *problem)
{
    const ag_description *d = (const ag_description *)effect;
    ag_watch_file file;
    if (ag_watch_read(folder, AG_PASS_FILE, false, &file) >= 0)
        point_at(host, &file, d->id, what, problem);
}

// All files of steps, so that they are there before a step needs them.
static ag_status check_files(const ag_host *host, ag_watch *folder, const ag_watch_file *lines,
                             const ag_description *d, ag_problem *problem)
{
    for (int32_t i = 0; i < d->step_count; ++i) {
        ag_watch_file file;
        char what[AG_WATCH_PATH + 128];
        ag_status status = ag_watch_read(folder, d->steps[i].file, false, &file);
        if (status < 0 || file.text) {
            if (status < 0)
                return status;
            continue;
        }
        snprintf(what, sizeof what, "expected a file of the pass's folder; \"%s\"%s%s",
                 d->steps[i].file, file.why ? ": " : "", file.why ? file.why : " is not there");
        point_at(host, lines, d->steps[i].place, what, problem);
        return AG_E_ARG;
    }
    return AG_OK;
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
    if (status >= 0)
        status = check_files(host, folder, &file, d, problem);
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

const ag_reader ag_pass_reader = {read, point, drop, free_all};
