// abi.h - reads and writes the structs of hosts older and newer than this module
// SPDX-License-Identifier: MIT
#ifndef AG_ABI_H
#define AG_ABI_H

#include <afterglow/afterglow.h>

// Copies a host's struct into `mine` (`size` bytes, zeroed where the host's is shorter).
// A longer one is accepted when the tail that this module does not know is zero.
//   errors  AG_E_ARG (NULL), AG_E_ABI; the message names `what`
ag_status ag_read_struct(const ag_host *host, const char *what, void *mine, uint32_t size,
                         const void *theirs);

// Copies `mine` into a host's struct, as much of it as theirs->struct_size holds; keeps that size.
//   errors  AG_E_ARG (NULL), AG_E_ABI (a struct_size of no struct)
ag_status ag_write_struct(const ag_host *host, const char *what, void *theirs, const void *mine,
                          uint32_t size);

#endif
