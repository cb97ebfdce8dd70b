// cli/file_write.c - writes whole files or none
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath
#include "file.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};
enum { ENDING = sizeof ending / sizeof ending[0] };

// The file that a signal handler removes. It changes only while these signals are blocked.
static char *volatile unfinished;

static void remove_and_end(int number)
{
    if (unfinished)
        unlink(unfinished);
    raise(number); // the default handler is restored: this ends the program after the return
}

void file_remove_on_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND}, old;
    for (int i = 0; i < ENDING; i++)
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending[i], &action, NULL);
}

static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < ENDING; i++)
        sigaddset(&held, ending[i]);
    sigprocmask(SIG_BLOCK, &held, before);
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
    sigset_t before;
    hold_signals(&before);
    int descriptor = mkstemp(writer->temporary);
    int error = errno;
    unfinished = descriptor >= 0 ? writer->temporary : NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
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

// Leaves nothing of the file behind but what `keep` says.
static void forget_temporary(file_writer *writer, bool keep)
{
    sigset_t before;
    hold_signals(&before);
    if (writer->temporary && unfinished && !keep)
        unlink(writer->temporary);
    unfinished = NULL;
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(writer->temporary);
    free(writer->target);
}

int file_begin(file_writer *writer, const char *path)
{
    struct stat info;
    bool there = stat(path, &info) == 0;
    bool special = there && !S_ISREG(info.st_mode);
    *writer = (file_writer){.path = path};
    int descriptor = -1;
    if (special) {
        descriptor = open_special(path, info.st_mode);
    } else {
        writer->target = there ? realpath(path, NULL) : strdup(path); // the target of a link
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
        forget_temporary(writer, false);
        return cannot_write(path, error);
    }
    errno = 0;
    return STATUS_OK;
}

int file_end(file_writer *writer, int status)
{
    int error = errno; // of the last write: after a failure all later writes fail, too
    bool written = !ferror(writer->stream);
    if (fclose(writer->stream) != 0 && written) {
        error = errno;
        written = false;
    }
    if (status == STATUS_OK && written && writer->temporary &&
        rename(writer->temporary, writer->target) != 0) {
        error = errno;
        written = false;
    }
    forget_temporary(writer, status == STATUS_OK && written);
    return status == STATUS_OK && !written ? cannot_write(writer->path, error) : status;
}
