// filter.h - GstAfterglowFilter: an effect of Afterglow as a filter of GStreamer's GL elements
// SPDX-License-Identifier: MIT
//
// The abstract base of all elements of this plugin. It has the GL work; subclasses say which effect
// it is, and keep its settings:
//
//   afterglow           properties effect and settings, a list of words (generic.c)
//   afterglow-bloom ... one element an effect, whose properties are its settings (effects.c)
#ifndef GST_AFTERGLOW_FILTER_H
#define GST_AFTERGLOW_FILTER_H

#include "module.h"

#define GST_USE_UNSTABLE_API // gst/gl has had this mark since 1.0
#include <gst/gl/gl.h>
#include <gst/gl/gstglfilter.h>

G_BEGIN_DECLS

typedef struct GstAfterglowFilter {
    GstGLFilter parent;
    // Under the object's lock, because applications set properties on threads of their own:
    const ag_effect_info *effect; // NULL: none yet, of a folder, or none, and `wrong` says why
    void *settings;               // effect->settings_size bytes, as subclasses set them
    gchar *shader_dir;            // NULL: the shaders in the library
    gchar *wrong;                 // what is wrong with the properties; NULL: nothing
    // On the GL thread, from gl_start to gl_stop:
    const ag_api *ag;
    ag_device *device;
    ag_pass *pass;
    const ag_effect_info *running; // the effect of `pass`
    void *used;                    // its settings in this frame
    ag_texture *slots;             // running->slot_count
    uint32_t src, dst;             // among them
    GArray *seen;                  // names of textures (guint) since the caps changed
    uint64_t frame;
    char message[MODULE_WHY]; // the last error of the module
} GstAfterglowFilter;

typedef struct GstAfterglowFilterClass {
    GstGLFilterClass parent;
    const ag_effect_info *effect; // of all instances, or NULL: instances choose
    // Chooses an effect that the device has to load; what is wrong goes to `message`. Without a
    // device it forgets the effect. NULL: no effect has to be loaded.
    void (*load)(GstAfterglowFilter *self);
} GstAfterglowFilterClass;

GType gst_afterglow_filter_get_type(void);
#define GST_TYPE_AFTERGLOW_FILTER (gst_afterglow_filter_get_type())
#define GST_AFTERGLOW_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_CAST((object), GST_TYPE_AFTERGLOW_FILTER, GstAfterglowFilter))
#define GST_AFTERGLOW_FILTER_GET_CLASS(object) \
    (G_TYPE_INSTANCE_GET_CLASS((object), GST_TYPE_AFTERGLOW_FILTER, GstAfterglowFilterClass))

// Pads with the video formats whose textures the effect takes as src and dst; NULL: as bloom does.
void gst_afterglow_add_pads(GstAfterglowFilterClass *class, const ag_effect_info *effect);

// Changes the effect, with its default settings for video. The caller holds the object's lock.
void gst_afterglow_choose(GstAfterglowFilter *self, const ag_effect_info *effect);

// Registers `afterglow`, and an element for each effect that makes a picture of a picture.
gboolean gst_afterglow_register_generic(GstPlugin *plugin);
gboolean gst_afterglow_register_effects(GstPlugin *plugin, const ag_api *ag);

GST_DEBUG_CATEGORY_EXTERN(gst_afterglow_debug);

G_END_DECLS

#endif
