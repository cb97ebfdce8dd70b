// generic.c - the element `afterglow`: any effect by name, and its settings as a list of words
// SPDX-License-Identifier: MIT
#include "filter.h"

#include <string.h>

enum { PROP_EFFECT = 1, PROP_SETTINGS };

typedef struct GstAfterglow {
    GstAfterglowFilter parent;
    gchar *id, *list; // the properties as they were set
} GstAfterglow;

typedef struct GstAfterglowClass {
    GstAfterglowFilterClass parent;
} GstAfterglowClass;

static GType gst_afterglow_get_type(void);
G_DEFINE_TYPE(GstAfterglow, gst_afterglow, GST_TYPE_AFTERGLOW_FILTER)

static gboolean is_folder(const gchar *id)
{
    return strchr(id, '/') != NULL;
}

// Both properties together, because they may be set in either order. The caller holds the lock.
// `effect`: NULL, of that name, or what a device loaded.
static void understand(GstAfterglow *self, const ag_effect_info *effect)
{
    GstAfterglowFilter *filter = GST_AFTERGLOW_FILTER(self);
    char why[MODULE_WHY] = "";
    uint32_t src, dst;
    const ag_api *ag = module_open(why);
    if (ag && !effect && is_folder(self->id)) { // load() knows more
        gst_afterglow_choose(filter, NULL);
        g_clear_pointer(&filter->wrong, g_free);
        return;
    }
    if (ag && !effect)
        effect = module_effect(ag, self->id, why);
    if (effect && !module_is_filter(effect, &src, &dst)) {
        g_snprintf(why, sizeof why, "%s does not make one picture of one picture: it is no filter",
                   self->id);
        effect = NULL;
    }
    gst_afterglow_choose(filter, effect);
    gboolean right =
        effect && module_set_all(effect, filter->settings, self->list ? self->list : "", why);
    g_free(filter->wrong);
    filter->wrong = right ? NULL : g_strdup(why);
}

// What a folder describes is known once a device has read it, as long as that lives.
static void load(GstAfterglowFilter *filter)
{
    GstAfterglow *self = (GstAfterglow *)filter;
    const ag_effect_info *effect = NULL;
    GST_OBJECT_LOCK(self);
    gchar *folder = is_folder(self->id) ? g_strdup(self->id) : NULL;
    GST_OBJECT_UNLOCK(self);
    if (!folder)
        return;
    gboolean loaded = filter->device && filter->ag->pass_load(filter->device, folder, &effect) >= 0;
    GST_OBJECT_LOCK(self);
    understand(self, loaded ? effect : NULL);
    if (filter->wrong) {
        g_strlcpy(filter->message, filter->wrong, sizeof filter->message);
        gst_afterglow_choose(filter, NULL);
    }
    GST_OBJECT_UNLOCK(self);
    g_free(folder);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    GstAfterglow *self = (GstAfterglow *)object;
    gchar **text = id == PROP_EFFECT ? &self->id : id == PROP_SETTINGS ? &self->list : NULL;
    if (!text) {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
        return;
    }
    GST_OBJECT_LOCK(self);
    g_free(*text);
    *text = g_value_dup_string(value);
    if (!self->id)
        self->id = g_strdup("bloom");
    GstAfterglowFilter *filter = GST_AFTERGLOW_FILTER(self);
    gboolean loaded = id == PROP_SETTINGS && filter->device && is_folder(self->id);
    understand(self, loaded ? filter->effect : NULL);
    GST_OBJECT_UNLOCK(self);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    GstAfterglow *self = (GstAfterglow *)object;
    GST_OBJECT_LOCK(self);
    if (id == PROP_EFFECT)
        g_value_set_string(value, self->id);
    else if (id == PROP_SETTINGS)
        g_value_set_string(value, self->list);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    GST_OBJECT_UNLOCK(self);
}

static void finalize(GObject *object)
{
    GstAfterglow *self = (GstAfterglow *)object;
    g_free(self->id);
    g_free(self->list);
    G_OBJECT_CLASS(gst_afterglow_parent_class)->finalize(object);
}

static void gst_afterglow_class_init(GstAfterglowClass *class)
{
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    object->get_property = get_property;
    object->finalize = finalize;
    g_object_class_install_property(
        object, PROP_EFFECT,
        g_param_spec_string("effect", "Effect",
                            "Which effect of Afterglow, or a folder with one, as a path with a "
                            "slash; not while it runs",
                            "bloom",
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
    g_object_class_install_property(
        object, PROP_SETTINGS,
        g_param_spec_string(
            "settings", "Settings",
            "Settings of the effect, NAME=VALUE with spaces between, as `afterglow "
            "run --set` takes them; what is not named has its default",
            NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(class), "Afterglow",
                                          "Filter/Effect/Video",
                                          "An effect of Afterglow, by name, on the GPU",
                                          "The Afterglow authors");
    gst_afterglow_add_pads((GstAfterglowFilterClass *)class, NULL);
    ((GstAfterglowFilterClass *)class)->load = load;
}

static void gst_afterglow_init(GstAfterglow *self)
{
    self->id = g_strdup("bloom");
    understand(self, NULL);
}

gboolean gst_afterglow_register_generic(GstPlugin *plugin)
{
    return gst_element_register(plugin, "afterglow", GST_RANK_NONE, gst_afterglow_get_type());
}
