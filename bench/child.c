// child.c - work in a process of its own, which starts as a host does
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE
#include "child.h"

#include "cli/report.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *child_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        return memory;
    fail_memory();
    return NULL;
}

int child_run(int (*work)(void *user), void *user)
{
    int status;
    fflush(NULL); // else a child would write the buffered text again
    pid_t child = fork();
    if (child < 0)
        return fail(STATUS_FAILED, "a process could not be started");
    if (child == 0) {
        status = work(user);
        fflush(NULL);
        _exit(status);
    }
    if (waitpid(child, &status, 0) != child)
        return fail(STATUS_FAILED, "a process returned no result");
    return WIFEXITED(status)
               ? WEXITSTATUS(status)
               : fail(STATUS_FAILED, "a process ended by signal %d", WTERMSIG(status));
}
