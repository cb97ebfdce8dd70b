// posix.h - what the command line takes of POSIX, on Windows; included before every file of it
// SPDX-License-Identifier: MIT
//
// Only what Windows has no name for. Paths have slashes: main's arguments, and what these functions
// return. There are no links and no pipes of a name: opening without waiting means nothing.
#ifndef AG_WINDOWS_POSIX_H
#define AG_WINDOWS_POSIX_H

#include <direct.h>
#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { O_NONBLOCK = 0, O_NOCTTY = 0, O_CLOEXEC = O_NOINHERIT };

// One file has one st_dev and st_ino, for which Windows' own struct stat has no room.
struct ag_stat {
    uint64_t st_dev, st_ino, st_size;
    unsigned st_mode;
    time_t st_mtime;
};
int ag_stat(const char *path, struct ag_stat *info);
int ag_fstat(int descriptor, struct ag_stat *info);
#undef stat
#undef fstat
#undef st_mtime
#define stat ag_stat
#define fstat ag_fstat
#define lstat ag_stat
#define dev_t uint64_t
#define ino_t uint64_t

int ag_open(const char *path, int flags, ...);                  // binary
int ag_rename(const char *from, const char *to);                // replaces, as POSIX's does
char *ag_realpath(const char *path, char *resolved);            // `resolved` is NULL
ssize_t ag_readlink(const char *path, char *text, size_t size); // of "/proc/self/exe" alone
long ag_sysconf(int name);
char *ag_strndup(const char *text, size_t length);
int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **));
#define open ag_open
#define rename ag_rename
#define realpath ag_realpath
#define readlink ag_readlink
#define sysconf ag_sysconf
#define strndup ag_strndup
#define mkdir(path, mode) _mkdir(path)
#define fchmod(descriptor, mode) ((void)(descriptor), (void)(mode))
#define fcntl(descriptor, ...) ag_no_fcntl(descriptor, __VA_ARGS__)
int ag_no_fcntl(int descriptor, int command, ...);
enum { F_GETFL = 3, F_SETFL = 4, _SC_PHYS_PAGES = 1, _SC_PAGESIZE = 2 };

// Ctrl-C and the end of the program are all the signals that there are.
typedef struct {
    void *ss_sp;
    size_t ss_size;
} stack_t;
struct sigaction {
    void (*sa_handler)(int);
    int sa_flags;
};
enum { SA_RESETHAND = 0, SA_ONSTACK = 0, SIGRTMAX = 22, SIG_BLOCK = 0, SIG_SETMASK = 1 };
enum { SIGCHLD = 100, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGPIPE };
int ag_sigaction(int number, const struct sigaction *action, struct sigaction *old);
#define sigset_t int
#define sigaction(number, action, old) ag_sigaction(number, action, old)
#define sigaltstack(stack, old) ((void)(stack))
#define sigfillset(set) ((void)(set))
#define sigprocmask(how, set, old) ((void)(set), (void)(old))

#ifdef AG_WINDOWS_MAIN // main.c's main is called by that of posix.c, with slashes in paths
#define main ag_main
int ag_main(int argc, char **argv);
#endif

#endif
