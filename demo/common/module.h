// module.h - finds and loads a module of Afterglow's interface
// SPDX-License-Identifier: MIT
#ifndef MODULE_H
#define MODULE_H

#include <afterglow/afterglow.h>
#include <stddef.h>

// A name without a folder is looked for beside the program, and in ../lib of it as in a build
// tree; what is not there stays as it is, for the system's loader. Returns `buffer` or `name`.
const char *module_find(const char *name, char *buffer, size_t size);

// Loads a library; `library` gets what dlclose takes. NULL: `why` says what failed.
const ag_api *module_open(const char *file, void **library, char *why, size_t size);

#endif
