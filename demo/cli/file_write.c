// cli/file_write.c - writes whole files or none
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "file.h"

#include "files.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The files that a signal handler removes. They change only while signals are blocked.
enum { MOST_UNFINISHED = 4, ALTERNATE_STACK = 1 << 16 };
static const char *volatile unfinished[MOST_UNFINISHED];

static void remove_and_end(int number)
{
    for (int i = 0; i < MOST_UNFINISHED; i++)
        if (unfinished[i])
            unlink(unfinished[i]);
    raise(number); // the default handler is restored: this ends the program after the return
}

// Whether the default action of a signal is to go on, or to stop for a while.
static bool goes_on(int number)
{
    static const int harmless[] = {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP,
                                   SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (harmless[i] == number)
            return true;
    return false;
}

void file_remove_on_signals(void)
{
    static char stack[ALTERNATE_STACK]; // for a SIGSEGV that tells of a full stack
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = remove_and_end,
                               .sa_flags = (int)SA_RESETHAND | SA_ONSTACK},
                     old;
    sigaltstack(&alternate, NULL);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (!goes_on(i) && sigaction(i, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(i, &action, NULL); // fails for SIGKILL, and for two of the C library's own
}

static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigfillset(&held);
    sigprocmask(SIG_BLOCK, &held, before);
}

int file_temporary(char *name)
{
    sigset_t before;
    hold_signals(&before);
    int slot = 0, descriptor = -1;
    while (slot < MOST_UNFINISHED && unfinished[slot])
        slot++;
    errno = EMFILE;
    if (slot < MOST_UNFINISHED)
        descriptor = mkstemp(name);
    int error = errno;
    if (descriptor >= 0)
        unfinished[slot] = name;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

bool file_forget(const char *name, const char *target)
{
    sigset_t before;
    hold_signals(&before);
    bool renamed = target && rename(name, target) == 0;
    int error = errno;
    for (int i = 0; i < MOST_UNFINISHED; i++) {
        if (unfinished[i] != name)
            continue;
        if (!renamed)
            unlink(name);
        unfinished[i] = NULL;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return renamed;
}

static int cannot_write(const char *path, int error)
{
    return fail(STATUS_FAILED, "%s: cannot be written: %s", path,
                error ? strerror(error) : "output error");
}

// Creates a file with a short name in the folder of `target`, whose own name may already have the
// maximum length.
static int make_temporary(file_writer *writer, mode_t mode)
{
    static const char name[] = ".afterglow-XXXXXX";
    size_t folder = (size_t)(file_name(writer->target) - writer->target);
    writer->temporary = malloc(folder + sizeof name);
    if (!writer->temporary) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(writer->temporary, writer->target, folder);
    memcpy(writer->temporary + folder, name, sizeof name);
    int descriptor = file_temporary(writer->temporary);
    if (descriptor >= 0)
        fchmod(descriptor, mode); // mkstemp makes private files
    return descriptor;
}

// Pipes and devices are opened directly. A pipe without a reader is an error; it is not waited for.
static int open_special(const char *path, mode_t mode)
{
    if (!S_ISCHR(mode) && !S_ISFIFO(mode)) {
        errno = EINVAL;
        return -1;
    }
    int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return descriptor;
}

static void release(file_writer *writer)
{
    free(writer->temporary);
    free(writer->target);
}

int file_begin(file_writer *writer, const char *path)
{
    *writer = (file_writer){.path = path};
    if (!files_allow(FILE_WRITE, path))
        return STATUS_FAILED;
    errno = 0;
    writer->stream = strcmp(path, "-") == 0 ? stdout : NULL;
    if (writer->stream)
        return STATUS_OK;
    struct stat info;
    bool there = stat(path, &info) == 0;
    bool special = there && !S_ISREG(info.st_mode);
    int descriptor = -1;
    if (special) {
        descriptor = open_special(path, info.st_mode);
    } else {
        writer->target = there ? realpath(path, NULL) : file_resolve(path); // of a link
        mode_t mask = umask(0);
        umask(mask);
        if (writer->target)
            descriptor = make_temporary(writer, there ? info.st_mode & 07777 : 0666 & ~mask);
    }
    writer->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (!writer->stream) {
        int error = errno;
        if (descriptor >= 0)
            close(descriptor);
        if (descriptor >= 0 && writer->temporary)
            file_forget(writer->temporary, NULL);
        release(writer);
        return cannot_write(path, error);
    }
    errno = 0;
    return STATUS_OK;
}

int file_end(file_writer *writer, int status)
{
    int error = errno; // of the last write: after a failure all later writes fail, too
    bool written = !ferror(writer->stream);
    bool standard = writer->stream == stdout;
    if ((standard ? fflush(stdout) : fclose(writer->stream)) != 0 && written) {
        error = errno;
        written = false;
    }
    bool keep = status == STATUS_OK && written;
    if (writer->temporary && !file_forget(writer->temporary, keep ? writer->target : NULL) &&
        keep) {
        error = errno;
        written = false;
    }
    release(writer);
    return status == STATUS_OK && !written ? cannot_write(writer->path, error) : status;
}
