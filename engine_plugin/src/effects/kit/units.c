// units.c - image units and subgroups of a context, for effects
// SPDX-License-Identifier: MIT
#include "effects/kit/units.h"
#include "base/log.h"

ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what)
{
    if (ag_image_units(gl, needed) == needed)
        return AG_OK;
    return ag_fail(host, AG_E_ARG,
                   "%s: image_unit_base is %u; this context has %d image units, and %s need %u",
                   effect, gl->image_unit_base, gl->max_image_units, what, needed);
}

int32_t ag_subgroups_of(const ag_gl *gl, const ag_tuning *tuning)
{
    if (gl->has_subgroups && !(tuning->without & AG_WITHOUT_SUBGROUPS))
        return AG_SUBGROUPS_OF_DRIVER;
    return tuning->emulate ? AG_SUBGROUPS_EMULATED : AG_SUBGROUPS_NONE;
}
