// system.h - what the operating system gives: a clock, the process's lock, files
// SPDX-License-Identifier: MIT
#ifndef AG_SYSTEM_H
#define AG_SYSTEM_H

#include "base/memory.h"

// ns since a fixed moment, by the host's clock or the system's. Only the host's may run backwards.
uint64_t ag_now(const ag_host *host);

// Lets other threads run for that time, or a little longer.
void ag_sleep(uint32_t ms);

// The module's one lock, for the process. Devices share nothing, so the module itself needs none.
// NVIDIA's driver does: it crashes if two threads, each with its own context, call
// glMaxShaderCompilerThreads at once (docs/reload.md).
void ag_lock(void);
void ag_unlock(void);

typedef struct ag_file_stamp { // what stat says of a path; all zero: there is no such file
    bool exists;
    int64_t seconds;      // of the last modification
    int64_t nanoseconds;  // 0 where the system has only seconds
    uint64_t size, inode; // inode 0 where there are none (Windows)
    int64_t changed;      // when content or name changed last, ns of the system's clock; 0: unknown
} ag_file_stamp;

// Paths are UTF-8. All but regular files count as missing.
ag_file_stamp ag_file_look(const char *path);
bool ag_folder_readable(const char *path); // its files may be opened, as far as the system says
bool ag_file_stamp_equal(const ag_file_stamp *a, const ag_file_stamp *b); // but for `changed`
// ns since the file changed; 0: not known.
uint64_t ag_file_stamp_age(const ag_file_stamp *stamp);
// Whether a further write may leave this stamp unchanged: file systems keep times in ticks of up to
// two seconds, so a stamp does not show a second write within that time.
bool ag_file_stamp_is_young(const ag_file_stamp *stamp);

typedef enum ag_file_answer {
    AG_FILE_READ,
    AG_FILE_UNREADABLE, // missing, or without permission to read
    AG_FILE_SPECIAL,    // a folder, FIFO, socket or device: not opened, because that may block
    AG_FILE_TOO_LARGE,
    AG_FILE_NO_MEMORY
} ag_file_answer;

// Appends the bytes of a regular file of at most `most` bytes. Never waits for a writer. If the
// result is not AG_FILE_READ, the appended bytes are undefined.
ag_file_answer ag_file_read(const char *path, uint64_t most, ag_text *out);

#endif
