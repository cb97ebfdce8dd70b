// settings.h - the settings of a request, as the effect's own struct
// SPDX-License-Identifier: MIT
#ifndef AG_SETTINGS_H
#define AG_SETTINGS_H

#include "core/effect.h"

#include <string.h>

// Defines settings_of(request), which returns the settings as a `type`.
#define AG_SETTINGS_OF(type)                                                                  \
    _Static_assert(sizeof(type) <= sizeof((ag_request *)0)->settings, "see AG_MAX_SETTINGS"); \
    static type settings_of(const ag_request *request)                                        \
    {                                                                                         \
        type mine;                                                                            \
        memcpy(&mine, &request->settings, sizeof mine);                                       \
        return mine;                                                                          \
    }

#endif
