// plugin.c - the OBS plugin: registers the filter "Afterglow bloom"
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. A plugin that is built of it links libobs, which is
// under the GNU GPL, version 2 or later, so the built plugin is distributed under those terms.
#include "filter.h"

OBS_DECLARE_MODULE()

const char *obs_module_name(void)
{
    return "Afterglow";
}

const char *obs_module_description(void)
{
    return "Bloom by FFT convolution: stars of a lens's aperture around lights";
}

bool obs_module_load(void)
{
    char why[MODULE_WHY];
    if (!module_open(why)) {
        blog(LOG_ERROR, "[afterglow] %s", why);
        return false; // OBS lists the plugin among those that failed
    }
    obs_register_source(&afterglow_bloom);
    return true;
}
