// effects.c - an element for each effect that is a filter, whose properties are its settings
// SPDX-License-Identifier: MIT
//
// Types and properties are made when the plugin is loaded, from the module's description of its
// effects: a later version's effects and settings appear without a change here. Property i + 1 is
// setting i.
#include "filter.h"

#include <string.h>

typedef GstAfterglowFilter GstAfterglowEffect;
typedef GstAfterglowFilterClass GstAfterglowEffectClass;

// dirt_intensity is the property dirt-intensity, as GObject wants it.
static gchar *with_dashes(const char *name)
{
    return g_strdelimit(g_strdup(name), "_", '-');
}

// The type of an enumeration's values, AfterglowBloomShape.
static GType enum_type(const ag_effect_info *effect, const ag_setting_info *setting)
{
    gchar *name = g_strdup_printf("Afterglow-%s-%s", effect->id, setting->name);
    GType type = g_type_from_name(name);
    if (!type) { // GLib keeps the values as long as the program runs
        GEnumValue *values = g_new0(GEnumValue, setting->name_count + 1);
        guint count = 0;
        for (uint32_t i = 0; i < setting->name_count; i++)
            if (setting->names[i]) // NULL: the setting does not take this value
                values[count++] = (GEnumValue){(gint)i, setting->names[i], setting->names[i]};
        type = g_enum_register_static(name, values);
    }
    g_free(name);
    return type;
}

// `initial`: the setting's default, where a struct of settings has it.
static GParamSpec *make_property(const ag_effect_info *effect, const ag_setting_info *setting,
                                 const void *initial)
{
    const GParamFlags flags =
        G_PARAM_READWRITE | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;
    gchar *name = with_dashes(setting->name);
    gboolean has_unit = setting->unit && *setting->unit;
    gchar *help = g_strdup_printf("%s%s%s", setting->help, has_unit ? ", in " : "",
                                  has_unit ? setting->unit : "");
    float number;
    int32_t integer;
    memcpy(&number, initial, sizeof number);
    memcpy(&integer, initial, sizeof integer);
    GParamSpec *spec = NULL;
    switch (setting->type) {
    case AG_FLOAT:
        spec = g_param_spec_float(name, name, help, (gfloat)setting->min, (gfloat)setting->max,
                                  number, flags);
        break;
    case AG_INT:
        spec = g_param_spec_int(name, name, help, (gint)setting->min, (gint)setting->max, integer,
                                flags);
        break;
    case AG_BOOL: spec = g_param_spec_boolean(name, name, help, integer != 0, flags); break;
    case AG_ENUM:
        spec = g_param_spec_enum(name, name, help, enum_type(effect, setting), integer, flags);
        break;
    default: break; // a type of a later version: no property
    }
    if (spec && setting->count > 1) // an array of such values, <1,0.5,0.2>; no controller takes it
        spec = gst_param_spec_array(name, name, help, spec, G_PARAM_READWRITE);
    g_free(name);
    g_free(help);
    return spec;
}

static void store(const ag_setting_info *setting, const GValue *value, void *place)
{
    if (setting->type == AG_FLOAT) {
        float number = g_value_get_float(value);
        memcpy(place, &number, sizeof number);
        return;
    }
    int32_t number = setting->type == AG_INT    ? g_value_get_int(value)
                     : setting->type == AG_BOOL ? g_value_get_boolean(value)
                                                : g_value_get_enum(value);
    memcpy(place, &number, sizeof number);
}

static void load(const ag_setting_info *setting, const void *place, GValue *value)
{
    float number;
    int32_t integer;
    memcpy(&number, place, sizeof number);
    memcpy(&integer, place, sizeof integer);
    switch (setting->type) {
    case AG_FLOAT: g_value_set_float(value, number); break;
    case AG_INT: g_value_set_int(value, integer); break;
    case AG_BOOL: g_value_set_boolean(value, integer); break;
    default: g_value_set_enum(value, integer);
    }
}

static GType value_type(const ag_setting_info *setting)
{
    static const GType types[] = {G_TYPE_FLOAT, G_TYPE_INT, G_TYPE_BOOLEAN};
    return types[setting->type];
}

// gst-launch-1.0 makes doubles and integers of <1,0.5>: each is converted.
static void store_array(GstAfterglowFilter *self, const ag_setting_info *setting,
                        const GValue *array, char *place)
{
    guint count = gst_value_array_get_size(array);
    if (count != setting->count) {
        g_warning("%s: %s takes %u values, not %u", GST_OBJECT_NAME(self), setting->name,
                  (guint)setting->count, count);
        return;
    }
    for (guint i = 0; i < count; i++) {
        GValue value = G_VALUE_INIT;
        g_value_init(&value, value_type(setting));
        if (g_value_transform(gst_value_array_get_value(array, i), &value))
            store(setting, &value, place + i * 4);
        g_value_unset(&value);
    }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(object);
    (void)spec;
    GST_OBJECT_LOCK(self);
    const ag_setting_info *setting = module_setting(self->effect, id - 1);
    char *place = (char *)self->settings + setting->offset;
    if (setting->count > 1)
        store_array(self, setting, value, place);
    else
        store(setting, value, place);
    GST_OBJECT_UNLOCK(self);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(object);
    (void)spec;
    GST_OBJECT_LOCK(self);
    const ag_setting_info *setting = module_setting(self->effect, id - 1);
    const char *place = (const char *)self->settings + setting->offset;
    for (uint32_t i = 0; setting->count > 1 && i < setting->count; i++) {
        GValue one = G_VALUE_INIT;
        g_value_init(&one, value_type(setting));
        load(setting, place + (size_t)i * 4, &one);
        gst_value_array_append_and_take_value(value, &one);
    }
    if (setting->count == 1)
        load(setting, place, value);
    GST_OBJECT_UNLOCK(self);
}

static void class_init(gpointer g_class, gpointer data)
{
    GstAfterglowEffectClass *class = g_class;
    const ag_effect_info *effect = data;
    class->effect = effect;
    GObjectClass *object = G_OBJECT_CLASS(g_class);
    object->set_property = set_property;
    object->get_property = get_property;
    char why[MODULE_WHY], *settings = g_malloc0(effect->settings_size);
    module_video_defaults(module_open(why), effect, settings); // it is open: it has the effect
    for (uint32_t i = 0; i < effect->setting_count; i++) {
        const ag_setting_info *setting = module_setting(effect, i);
        GParamSpec *spec = make_property(effect, setting, settings + setting->offset);
        if (spec)
            g_object_class_install_property(object, i + 1, spec);
    }
    g_free(settings);
    gchar *name = g_strdup_printf("Afterglow %s", effect->id);
    gst_element_class_set_metadata(GST_ELEMENT_CLASS(g_class), name, "Filter/Effect/Video",
                                   effect->help, "The Afterglow authors");
    g_free(name);
    gst_afterglow_add_pads(class, effect);
}

static void init(GTypeInstance *instance, gpointer g_class)
{
    GstAfterglowEffectClass *class = g_class;
    gst_afterglow_choose(GST_AFTERGLOW_FILTER(instance), class->effect);
}

gboolean gst_afterglow_register_effects(GstPlugin *plugin, const ag_api *ag)
{
    uint32_t count = 0, src, dst;
    const ag_effect_info *const *effects = ag->effects(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (!module_is_filter(effects[i], &src, &dst))
            continue;
        GTypeInfo info = {.class_size = sizeof(GstAfterglowEffectClass),
                          .class_init = class_init,
                          .class_data = effects[i],
                          .instance_size = sizeof(GstAfterglowEffect),
                          .instance_init = init};
        gchar *id = with_dashes(effects[i]->id);
        gchar *element = g_strdup_printf("afterglow-%s", id);
        gchar *type_name = g_strdup_printf("GstAfterglow-%s", id);
        GType type = g_type_register_static(GST_TYPE_AFTERGLOW_FILTER, type_name, &info, 0);
        gboolean registered = gst_element_register(plugin, element, GST_RANK_NONE, type);
        g_free(id);
        g_free(element);
        g_free(type_name);
        if (!registered)
            return FALSE;
    }
    return TRUE;
}
