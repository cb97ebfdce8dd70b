// ftw.h - a walk through a folder, as POSIX has it
// SPDX-License-Identifier: MIT
#ifndef AG_WINDOWS_FTW_H
#define AG_WINDOWS_FTW_H

struct FTW {
    int base, level;
};
enum { FTW_F = 0, FTW_D = 1, FTW_PHYS = 1 };
typedef int ag_nftw_call(const char *path, const struct ag_stat *info, int type, struct FTW *where);
int nftw(const char *path, ag_nftw_call *call, int descriptors, int flags);

#endif
