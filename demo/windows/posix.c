// posix.c - see posix.h
// SPDX-License-Identifier: MIT

#include "posix.h"
int ag_main(int argc, char **argv);

#include "include/dlfcn.h"
#include "include/ftw.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef stat
#undef fstat
#undef open
#undef rename
#undef main
#undef sigaction

static void with_slashes(char *path)
{
    for (; *path; path++)
        *path = *path == '\\' ? '/' : *path;
}

// Of a handle: which file it is. Devices and pipes have none.
static void identify(HANDLE handle, struct ag_stat *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (handle == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(handle, &found))
        return;
    info->st_dev = found.dwVolumeSerialNumber;
    info->st_ino = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
}

static void copy_stat(struct ag_stat *info, const struct _stat64 *from)
{
    *info = (struct ag_stat){.st_size = (uint64_t)from->st_size,
                             .st_mode = from->st_mode,
                             .st_mtime = from->st_mtime};
}

int ag_stat(const char *path, struct ag_stat *info)
{
    struct _stat64 found;
    if (_stat64(path, &found) != 0)
        return -1;
    copy_stat(info, &found);
    HANDLE handle = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    identify(handle, info);
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return 0;
}

int ag_fstat(int descriptor, struct ag_stat *info)
{
    struct _stat64 found;
    if (_fstat64(descriptor, &found) != 0)
        return -1;
    copy_stat(info, &found);
    identify((HANDLE)_get_osfhandle(descriptor), info);
    return 0;
}

int ag_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    return _open(path, flags | O_BINARY, mode);
}

int ag_rename(const char *from, const char *to)
{
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EIO;
    return -1;
}

char *ag_realpath(const char *path, char *resolved)
{
    (void)resolved;
    if (_access(path, 0) != 0)
        return NULL;
    char *whole = _fullpath(NULL, path, 0);
    if (whole)
        with_slashes(whole);
    return whole;
}

ssize_t ag_readlink(const char *path, char *text, size_t size)
{
    DWORD length = 0;
    if (strcmp(path, "/proc/self/exe") == 0)
        length = GetModuleFileNameA(NULL, text, (DWORD)size);
    errno = EINVAL;
    if (length == 0 || length >= size)
        return -1;
    with_slashes(text);
    return (ssize_t)length;
}

long ag_sysconf(int name)
{
    enum { PAGE = 65536 };
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    if (name == _SC_PAGESIZE)
        return PAGE;
    return GlobalMemoryStatusEx(&memory) ? (long)(memory.ullTotalPhys / PAGE) : -1;
}

char *ag_strndup(const char *text, size_t length)
{
    size_t there = strnlen(text, length);
    char *copy = malloc(there + 1);
    if (copy) {
        memcpy(copy, text, there);
        copy[there] = '\0';
    }
    return copy;
}

int ag_no_fcntl(int descriptor, int command, ...)
{
    (void)descriptor, (void)command;
    return 0;
}

int ag_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number != SIGINT && number != SIGTERM && number != SIGABRT)
        return -1;
    if (old)
        old->sa_handler = SIG_DFL;
    return !action || signal(number, action->sa_handler) != SIG_ERR ? 0 : -1;
}

// ---- dlfcn.h, ftw.h ----------------------------------------------------------------------------

void *dlopen(const char *path, int flags)
{
    return flags & RTLD_NOLOAD ? (void *)GetModuleHandleA(path) : (void *)LoadLibraryA(path);
}

void *dlsym(void *module, const char *name)
{
    FARPROC found = GetProcAddress(module, name);
    void *address = NULL;
    memcpy(&address, &found, sizeof address);
    return address;
}

int dlclose(void *module)
{
    return FreeLibrary(module) ? 0 : -1;
}

char *dlerror(void)
{
    static char text[64];
    snprintf(text, sizeof text, "it cannot be loaded (error %lu)", GetLastError());
    return text;
}

int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **))
{
    DIR *folder = opendir(path);
    struct dirent **found = NULL;
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct dirent **grown = NULL, *copy = NULL;
        if (wanted && !wanted(entry))
            continue;
        grown = realloc(found, (size_t)(count + 1) * sizeof *found);
        found = grown ? grown : found;
        copy = grown ? malloc(sizeof *copy) : NULL;
        if (!copy) {
            closedir(folder);
            while (count > 0)
                free(found[--count]);
            free(found);
            errno = ENOMEM;
            return -1;
        }
        *copy = *entry;
        found[count++] = copy;
    }
    if (!folder)
        return -1;
    closedir(folder);
    if (count && order)
        qsort(found, (size_t)count, sizeof *found, (int (*)(const void *, const void *))order);
    *entries = found;
    return count;
}

static int walk(const char *path, ag_nftw_call *call, int level)
{
    struct ag_stat info;
    struct FTW where = {.level = level};
    if (ag_stat(path, &info) != 0)
        return -1;
    int status = call(path, &info, S_ISDIR(info.st_mode) ? FTW_D : FTW_F, &where);
    DIR *folder = status == 0 && S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    for (struct dirent *entry; folder && status == 0 && (entry = readdir(folder));) {
        char below[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        status = walk(below, call, level + 1);
    }
    if (folder)
        closedir(folder);
    return status;
}

int nftw(const char *path, ag_nftw_call *call, int descriptors, int flags)
{
    (void)descriptors, (void)flags;
    return walk(path, call, 0);
}

// Only words that name what exists, or whose folder does: a setting may have a backslash.
static bool is_path(const char *word)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", word);
    char *slash = strrchr(folder, '\\');
    if (slash)
        *slash = '\0';
    return slash && (_access(word, 0) == 0 || _access(*folder ? folder : "\\", 0) == 0);
}

int main(int argc, char **argv)
{
    _fmode = _O_BINARY;
    for (int stream = 0; stream < 3; stream++)
        _setmode(stream, _O_BINARY);
    for (int i = 1; i < argc; i++)
        if (is_path(argv[i]))
            with_slashes(argv[i]);
    return ag_main(argc, argv);
}
