// process.c - a process of the bench: what ends it, children, and folders that do not outlive it
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "process.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDERS = 4 };
static char folders[FOLDERS][FOLDER_PATH]; // that exist
static char cache[FOLDER_PATH];            // the driver's, one of them

static _Noreturn void end(int status, const char *format, va_list arguments)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    fail(status, "%s", text);
    for (int i = 0; i < FOLDERS; i++)
        if (folders[i][0])
            folder_drop(folders[i]);
    fflush(NULL);
    _Exit(status); // a driver's threads may still run: no handlers
}

void stop(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    end(status, format, arguments);
}

void must(bool holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!holds)
        end(STATUS_FAILED, format, arguments);
    va_end(arguments);
}

void *need_memory(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    must(memory, "out of memory");
    return memory;
}

// ---- children ----------------------------------------------------------------------------------

void *child_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    must(memory != MAP_FAILED, "out of memory");
    return memory;
}

void child_run(void (*work)(void *user), void *user)
{
    int status;
    fflush(NULL); // else a child would write the buffered text again
    pid_t child = fork();
    must(child >= 0, "a process could not be started");
    if (child == 0) {
        work(user);
        fflush(NULL);
        _exit(STATUS_OK);
    }
    must(waitpid(child, &status, 0) == child, "a process returned no result");
    must(!WIFSIGNALED(status), "a process ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) != STATUS_OK)
        stop(WEXITSTATUS(status), "a process of this bench failed");
}

// ---- folders -----------------------------------------------------------------------------------

void folder_make(char path[FOLDER_PATH])
{
    snprintf(path, FOLDER_PATH, "/tmp/afterglow-bench-XXXXXX");
    must(mkdtemp(path) != NULL, "no temporary folder can be made");
    for (int i = 0; i < FOLDERS; i++)
        if (!folders[i][0]) {
            strcpy(folders[i], path);
            return;
        }
}

static int drop_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    remove(path); // a driver may still write there: remove as much as possible
    return 0;
}

void folder_drop(char path[FOLDER_PATH])
{
    nftw(path, drop_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (int i = 0; i < FOLDERS; i++)
        if (path != folders[i] && strcmp(folders[i], path) == 0)
            folders[i][0] = '\0';
    path[0] = '\0';
}

void folder_put(const char *folder, const char *name, const char *text, size_t length)
{
    char path[256];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text, 1, length, file) == length;
    must(file && fclose(file) == 0 && good, "%s cannot be written", path);
}

// ---- the driver's cache ------------------------------------------------------------------------

void driver_cache_off(bool mesa)
{
    setenv("__GL_SHADER_DISK_CACHE", "0", 1); // NVIDIA's
    if (mesa) {
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
        setenv("MESA_GLSL_CACHE_DISABLE", "true", 1); // the same before Mesa 22
    }
}

void driver_cache_new(bool all)
{
    driver_cache_drop();
    folder_make(cache);
    unsetenv("MESA_SHADER_CACHE_DISABLE");
    unsetenv("MESA_GLSL_CACHE_DISABLE");
    setenv("MESA_SHADER_CACHE_DIR", cache, 1);
    setenv("MESA_GLSL_CACHE_DIR", cache, 1);
    if (all) {
        setenv("__GL_SHADER_DISK_CACHE", "1", 1);
        setenv("__GL_SHADER_DISK_CACHE_PATH", cache, 1);
    }
}

void driver_cache_drop(void)
{
    if (cache[0])
        folder_drop(cache);
}
