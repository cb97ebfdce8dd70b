// units.c - image units and subgroups of a context, for effects
// SPDX-License-Identifier: MIT
#include "effects/kit/units.h"
#include "base/log.h"
#include "gl/bindings.h"

ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what)
{
    if (ag_image_units(gl, needed) == needed)
        return AG_OK;
    return ag_fail(host, AG_E_ARG,
                   "%s: image_unit_base is %u, and %s need %u image units from there; effects use "
                   "the context's units 0 to %d",
                   effect, gl->image_unit_base, what, needed,
                   (gl->max_image_units < AG_IMAGE_MAX ? gl->max_image_units : AG_IMAGE_MAX) - 1);
}

int32_t ag_subgroups_of(const ag_gl *gl, const ag_tuning *tuning)
{
    if (gl->has_subgroups && !(tuning->without & AG_WITHOUT_SUBGROUPS))
        return AG_SUBGROUPS_OF_DRIVER;
    return tuning->emulate ? AG_SUBGROUPS_EMULATED : AG_SUBGROUPS_NONE;
}
