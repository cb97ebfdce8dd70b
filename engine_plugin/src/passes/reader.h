// reader.h - passes from folders, for ag_loaded_create
// SPDX-License-Identifier: MIT
#ifndef AG_READER_H
#define AG_READER_H

#include "core/loaded.h"

extern const ag_reader ag_pass_reader;

#endif
