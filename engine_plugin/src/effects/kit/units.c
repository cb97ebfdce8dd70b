// units.c - whether a context has the image units that an effect takes
// SPDX-License-Identifier: MIT
#include "effects/kit/units.h"
#include "base/log.h"

ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what)
{
    if (ag_image_units(gl, needed) == needed)
        return AG_OK;
    return ag_fail(host, AG_E_ARG,
                   "%s: image_unit_base is %u: this context has %d image units, %s take %u", effect,
                   gl->image_unit_base, gl->max_image_units, what, needed);
}
