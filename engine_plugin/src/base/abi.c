// abi.c - reads and writes the structs of hosts older and newer than this module
// SPDX-License-Identifier: MIT
#include "base/abi.h"
#include "base/log.h"

#include <string.h>

ag_status ag_struct_size(const ag_host *host, const char *what, const void *theirs, uint32_t *size)
{
    if (!theirs)
        return ag_fail(host, AG_E_ARG, "%s is NULL", what);
    memcpy(size, theirs, sizeof *size); // struct_size is every struct's first member
    // Of no version of a struct: it was never initialised.
    if (*size < 8 || *size > 65536 || *size % 4)
        return ag_fail(host, AG_E_ABI, "%s.struct_size is %u; set it to sizeof the struct", what,
                       *size);
    return AG_OK;
}

bool ag_tail_is_zero(const void *theirs, uint32_t known, uint32_t given)
{
    for (uint32_t i = known; i < given; ++i)
        if (((const unsigned char *)theirs)[i])
            return false;
    return true;
}

// Whole 8-byte members: a size that ends inside a pointer must not copy half of it.
static size_t whole_members(uint32_t size)
{
    return size / 8 * 8;
}

ag_status ag_read_struct(const ag_host *host, const char *what, void *mine, uint32_t size,
                         const void *theirs)
{
    uint32_t given = 0;
    ag_status status = ag_struct_size(host, what, theirs, &given);
    if (status < 0)
        return status;
    if (!ag_tail_is_zero(theirs, size, given))
        return ag_fail(
            host, AG_E_ABI,
            "%s has struct_size %u and sets members beyond the %u bytes that this module knows",
            what, given, size);
    memset(mine, 0, size);
    memcpy(mine, theirs, whole_members(given < size ? given : size));
    memcpy(mine, &size, sizeof size);
    return AG_OK;
}

ag_status ag_write_struct(const ag_host *host, const char *what, void *theirs, const void *mine,
                          uint32_t size)
{
    uint32_t given = 0;
    ag_status status = ag_struct_size(host, what, theirs, &given);
    if (status < 0)
        return status;
    memcpy(theirs, mine, whole_members(given < size ? given : size));
    memcpy(theirs, &given, sizeof given);
    return AG_OK;
}
