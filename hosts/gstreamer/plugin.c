// plugin.c - the GStreamer plugin: registers `afterglow`, and `afterglow-EFFECT` for each effect
// SPDX-License-Identifier: MIT
#include "filter.h"

GST_DEBUG_CATEGORY(gst_afterglow_debug);

static gboolean start(GstPlugin *plugin)
{
    static const gchar *const variables[] = {"AFTERGLOW_LIBRARY", NULL};
    GST_DEBUG_CATEGORY_INIT(gst_afterglow_debug, "afterglow", 0, "Afterglow's elements");
    // GStreamer keeps a list of each plugin's elements, and these depend on the library.
    gst_plugin_add_dependency(plugin, (const gchar **)variables, NULL, NULL,
                              GST_PLUGIN_DEPENDENCY_FLAG_NONE);
    char why[MODULE_WHY];
    const ag_api *ag = module_open(why);
    if (!ag) // `afterglow` is registered in any case, and posts this as an error when it is used
        GST_WARNING("%s", why);
    return gst_afterglow_register_generic(plugin) &&
           (!ag || gst_afterglow_register_effects(plugin, ag));
}

#define PACKAGE "afterglow"
GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, afterglow,
                  "GPU effects of Afterglow: bloom, blurs, denoising, resizing", start, AG_VERSION,
                  "MIT/X11", "Afterglow", "Afterglow")
