// loaded.h - effects that come from folders: who reads them, and what was read
// SPDX-License-Identifier: MIT
//
// A folder is watched. When its description changes, it becomes a further effect, and passes take
// it in their next prepare; passes that run keep theirs. So all that were read live as long as the
// device.
#ifndef AG_LOADED_H
#define AG_LOADED_H

#include "core/effect.h"
#include "shader/source.h"

typedef struct ag_reader { // passes/reader.c
    // Reads the folder's description. *effect is `former` if it says the same, else a new effect,
    // which keeps `former`.
    //   errors  AG_E_ARG (`problem`), AG_E_MEMORY
    ag_status (*read)(const ag_host *host, ag_watch *folder, const ag_effect *former,
                      const ag_effect **effect, ag_problem *problem);
    // Fills a problem about the effect's id, where the folder says it.
    void (*point)(const ag_host *host, ag_watch *folder, const ag_effect *effect, const char *what,
                  ag_problem *problem);
    void (*drop)(const ag_host *host, const ag_effect *effect); // frees it, and not `former`
    // Frees an effect and the former ones.
    void (*free)(const ag_host *host, const ag_effect *effect);
} ag_reader;

typedef struct ag_loaded {
    struct ag_loaded *next;
    const ag_reader *reader;
    ag_watch *folder;
    const ag_effect *newest;
    const ag_effect *good; // that the shaders of AG_ORIGIN_GOOD are of
    bool changed;          // since the description was read
    bool broken; // the description of now has an error: the newest effect is of an earlier one
} ag_loaded;

// A folder that is read for the first time. errors  AG_E_ARG (logged), AG_E_MEMORY
ag_status ag_loaded_create(const ag_host *host, const char *folder, const ag_reader *reader,
                           ag_loaded **loaded);
void ag_loaded_free(const ag_host *host, ag_loaded *list); // all of the list
ag_loaded *ag_loaded_find(ag_loaded *list, const char *id);
// Reads the description again, after the folder changed. False: it has a problem.
bool ag_loaded_renew(const ag_host *host, ag_loaded *loaded, ag_problem *problem);
// The effect that a new pass starts from.
const ag_effect *ag_loaded_first(const ag_loaded *loaded);
// The effect that a job is for: the newest, unless its settings are of the one in use, or the
// description of now has an error.
const ag_effect *ag_loaded_effect(const ag_loaded *loaded, const ag_effect *in_use,
                                  const ag_job *job);

#endif
