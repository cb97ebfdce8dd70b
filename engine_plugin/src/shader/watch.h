// watch.h - the files of a shader folder: contents that change only when the folder was quiet
// SPDX-License-Identifier: MIT
//
// A driver must never see half of an edit: neither half a file, nor one file of two that an editor
// or a checkout writes together. So sources are read from a watch, not from the folder. A watch
// keeps the content of every file that was ever requested, also of names that do not exist yet. It
// replaces contents only in ag_watch_poll: all changed ones at once, after the folder was quiet.
// Where polls are seldom, the files' own times say that it was.
#ifndef AG_WATCH_H
#define AG_WATCH_H

#include "base/memory.h"

enum {
    AG_WATCH_INTERVAL_NS = 100000000, // between two looks at a path
    AG_WATCH_QUIET_NS = 80000000,     // without a change, before contents are read
    AG_WATCH_PATH = 96,               // longest path within the folder, its end included
    AG_WATCH_FILE_BYTES = 16 << 20    // of the largest file that is read
};

typedef struct ag_watch_file { // a content, valid until the next poll
    const char *text;          // NUL-terminated; NULL: there is none
    size_t length;             // may count NUL bytes of the file's own
    const char *why;           // if there is a file without a valid content: "it is ..."; else NULL
    uint32_t number;           // of the path, for ag_watch_changed
} ag_watch_file;

typedef struct ag_watch ag_watch;

// errors  AG_E_MEMORY
ag_status ag_watch_create(const ag_host *host, const char *directory, ag_watch **watch);
void ag_watch_free(ag_watch *watch); // NULL is fine
const char *ag_watch_directory(const ag_watch *watch);

// The content of a file. Reads the disk only for a path asked for the first time. `good`: as it was
// at the last ag_watch_accept. Only regular files of up to AG_WATCH_FILE_BYTES have one. errors
// AG_E_MEMORY
ag_status ag_watch_read(ag_watch *watch, const char *path, bool good, ag_watch_file *file);

// Polls that changed contents, so far; and the last of them that changed the newest content of one
// of these paths (ag_watch_file.number).
uint32_t ag_watch_changes(const ag_watch *watch);
uint32_t ag_watch_changed(const ag_watch *watch, const uint32_t *numbers, uint32_t count);

// Looks at the paths that are due, and takes new contents once all is quiet. Works until the host's
// clock passes `deadline`, and does at least one thing. True when contents have changed.
bool ag_watch_poll(ag_watch *watch, uint64_t now, uint64_t deadline);

// The contents of now are good: they are what `good` means from here on.
void ag_watch_accept(ag_watch *watch);
// Whether good contents differ from those of now.
bool ag_watch_has_good(const ag_watch *watch);

uint32_t ag_watch_paths(const ag_watch *watch);     // watched
uint32_t ag_watch_unsettled(const ag_watch *watch); // changed on disk, and not taken yet

#endif
