// abi.h - reads and writes the structs of hosts older and newer than this module
// SPDX-License-Identifier: MIT
#ifndef AG_ABI_H
#define AG_ABI_H

#include <afterglow/afterglow.h>

#include <stdbool.h>

// Reads the size that a host's struct states, its first member.
//   errors  AG_E_ARG (NULL), AG_E_ABI (a size of no struct); the message names `what`
ag_status ag_struct_size(const ag_host *host, const char *what, const void *theirs, uint32_t *size);

// Whether all is zero that a host's struct of `given` bytes has beyond the `known` ones.
bool ag_tail_is_zero(const void *theirs, uint32_t known, uint32_t given);

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
