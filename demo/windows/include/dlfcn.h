// dlfcn.h - modules of Windows by POSIX's names
// SPDX-License-Identifier: MIT
#ifndef AG_WINDOWS_DLFCN_H
#define AG_WINDOWS_DLFCN_H

enum { RTLD_NOW = 2, RTLD_LOCAL = 0, RTLD_LAZY = 1, RTLD_NODELETE = 0, RTLD_NOLOAD = 4 };
void *dlopen(const char *path, int flags);
void *dlsym(void *module, const char *name);
int dlclose(void *module);
char *dlerror(void);

#endif
