// filter.c - the abstract base: a device for GStreamer's context, a pass, a job a frame
// SPDX-License-Identifier: MIT
#include "filter.h"

#include <string.h>

#define GST_CAT_DEFAULT gst_afterglow_debug

enum { TEXTURE_2D = 0x0DE1, RGBA8 = 0x8058, R8 = 0x8229 }; // GL_TEXTURE_2D ...
enum { PROP_SHADER_DIR = 1 };

G_DEFINE_ABSTRACT_TYPE(GstAfterglowFilter, gst_afterglow_filter, GST_TYPE_GL_FILTER)

// ---- what the module asks of its host ----------------------------------------------------------

static void *find_proc(void *user, const char *name)
{
    GstAfterglowFilter *self = user;
    return gst_gl_context_get_proc_address(GST_GL_BASE_FILTER(self)->context, name);
}

static int32_t is_current(void *user)
{
    GstAfterglowFilter *self = user;
    return gst_gl_context_get_current() == GST_GL_BASE_FILTER(self)->context;
}

static void take_message(void *user, const ag_message *message)
{
    GstAfterglowFilter *self = user;
    if (message->level == AG_LOG_ERROR) {
        g_strlcpy(self->message, message->text, sizeof self->message);
        GST_ERROR_OBJECT(self, "%s", message->text);
    } else if (message->level == AG_LOG_WARNING) {
        GST_WARNING_OBJECT(self, "%s", message->text);
    } else {
        GST_INFO_OBJECT(self, "%s", message->text);
    }
}

// ---- the device, on the GL thread --------------------------------------------------------------

static gboolean make_pass(GstAfterglowFilter *self)
{
    GstAfterglowFilterClass *class = GST_AFTERGLOW_FILTER_GET_CLASS(self);
    if (class->load)
        class->load(self);
    GST_OBJECT_LOCK(self);
    self->running = self->effect;
    GST_OBJECT_UNLOCK(self);
    if (!self->running || self->ag->pass_create(self->device, self->running->id, &self->pass) < 0)
        return FALSE;
    self->used = g_malloc(self->running->settings_size);
    self->slots = g_new0(ag_texture, self->running->slot_count);
    module_is_filter(self->running, &self->src, &self->dst);
    return TRUE;
}

static void gl_stop(GstGLBaseFilter *base)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(base);
    if (self->device)
        self->ag->device_destroy(self->device, 0);
    self->device = NULL;
    self->pass = NULL;
    if (GST_AFTERGLOW_FILTER_GET_CLASS(self)->load)
        GST_AFTERGLOW_FILTER_GET_CLASS(self)->load(self);
    g_clear_pointer(&self->used, g_free);
    g_clear_pointer(&self->slots, g_free);
    g_array_set_size(self->seen, 0);
    GST_GL_BASE_FILTER_CLASS(gst_afterglow_filter_parent_class)->gl_stop(base);
}

static gboolean gl_start(GstGLBaseFilter *base)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(base);
    if (!GST_GL_BASE_FILTER_CLASS(gst_afterglow_filter_parent_class)->gl_start(base))
        return FALSE;
    GST_OBJECT_LOCK(self);
    gchar *shader_dir = g_strdup(self->shader_dir);
    GST_OBJECT_UNLOCK(self);
    ag_host host = {.struct_size = sizeof host,
                    .user = self,
                    .gl_proc = find_proc,
                    .log = take_message,
                    .is_current = is_current};
    ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = shader_dir};
    self->message[0] = '\0';
    gboolean made = self->ag->device_create(&host, &desc, &self->device) >= 0 && make_pass(self);
    g_free(shader_dir);
    if (!made)
        GST_ELEMENT_ERROR(self, LIBRARY, INIT, ("%s", self->message), (NULL));
    return made;
}

// Names of the old size's textures may be deleted now.
static gboolean gl_set_caps(GstGLBaseFilter *base, GstCaps *in, GstCaps *out)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(base);
    for (guint i = 0; self->device && i < self->seen->len; i++)
        self->ag->forget(self->device, g_array_index(self->seen, guint, i));
    g_array_set_size(self->seen, 0);
    GstGLBaseFilterClass *parent = GST_GL_BASE_FILTER_CLASS(gst_afterglow_filter_parent_class);
    return parent->gl_set_caps ? parent->gl_set_caps(base, in, out) : TRUE;
}

// ---- a frame -----------------------------------------------------------------------------------

// A number that no other texture has had: pools delete textures, and GL reuses their names. It
// stays with GStreamer's memory as long as that lives.
static uint64_t version_of(GstGLMemory *memory)
{
    static guint last;
    GQuark quark = g_quark_from_static_string("afterglow-version");
    gpointer version = gst_mini_object_get_qdata(GST_MINI_OBJECT(memory), quark);
    if (!version) {
        version = GUINT_TO_POINTER((guint)g_atomic_int_add(&last, 1) + 1u);
        gst_mini_object_set_qdata(GST_MINI_OBJECT(memory), quark, version, NULL);
    }
    return GPOINTER_TO_UINT(version);
}

// GStreamer names some formats as glTexImage takes them, without sizes.
static uint32_t sized_format(GstGLFormat format)
{
    return format == GST_GL_RGBA ? RGBA8 : format == GST_GL_RED ? R8 : (uint32_t)format;
}

static ag_texture describe(GstAfterglowFilter *self, GstGLMemory *memory)
{
    guint name = gst_gl_memory_get_texture_id(memory);
    gboolean known = FALSE;
    for (guint i = 0; i < self->seen->len && !known; i++)
        known = g_array_index(self->seen, guint, i) == name;
    if (!known)
        g_array_append_val(self->seen, name);
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .name = name,
                        .target = TEXTURE_2D,
                        .format = sized_format(gst_gl_memory_get_texture_format(memory)),
                        .width = gst_gl_memory_get_texture_width(memory),
                        .height = gst_gl_memory_get_texture_height(memory),
                        .version = version_of(memory)};
}

typedef struct Frame {
    GstAfterglowFilter *self;
    GstGLMemory *in, *out;
    gboolean done;
} Frame;

static void draw(GstGLContext *context, gpointer user)
{
    Frame *frame = user;
    GstAfterglowFilter *self = frame->self;
    (void)context;
    self->message[0] = '\0';
    GST_OBJECT_LOCK(self);
    gboolean same = self->effect == self->running && !self->wrong;
    if (same)
        memcpy(self->used, self->settings, self->running->settings_size);
    else
        g_strlcpy(self->message,
                  self->wrong ? self->wrong : "the effect changed in a running stream",
                  sizeof self->message);
    GST_OBJECT_UNLOCK(self);
    if (!same || !self->pass)
        return;
    self->slots[self->src] = describe(self, frame->in);
    self->slots[self->dst] = describe(self, frame->out);
    // The next element's use of the texture is not known: next_use stays AG_USE_UNKNOWN.
    ag_job job = {.struct_size = sizeof job,
                  .slots = self->slots,
                  .slot_count = self->running->slot_count,
                  .settings = self->used,
                  .frame = self->frame};
    frame->done =
        self->ag->frame(self->device, self->frame++) >= 0 && self->ag->run(self->pass, &job) >= 0;
}

static gboolean filter_texture(GstGLFilter *filter, GstGLMemory *in, GstGLMemory *out)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(filter);
    Frame frame = {.self = self, .in = in, .out = out};
    gst_gl_context_thread_add(GST_GL_BASE_FILTER(filter)->context, draw, &frame);
    if (!frame.done)
        GST_ELEMENT_ERROR(self, LIBRARY, FAILED, ("%s", self->message), (NULL));
    else if (self->message[0]) // a shader of shader-dir failed, and the former one is in use
        GST_ELEMENT_WARNING(self, LIBRARY, FAILED, ("%s", self->message), (NULL));
    return frame.done;
}

// The pictures of both pads have one size, except for the effect whose purpose is another.
static GstCaps *transform_internal_caps(GstGLFilter *filter, GstPadDirection direction,
                                        GstCaps *caps, GstCaps *wanted)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(filter);
    GST_OBJECT_LOCK(self);
    gboolean resizes = self->effect && strcmp(self->effect->id, "downsample") == 0;
    GST_OBJECT_UNLOCK(self);
    if (resizes) {
        GstGLFilterClass *parent = GST_GL_FILTER_CLASS(gst_afterglow_filter_parent_class);
        return parent->transform_internal_caps(filter, direction, caps, wanted);
    }
    return gst_caps_copy(caps);
}

// ---- the element -------------------------------------------------------------------------------

// What can be known without a context is an error at once, and not in the first frame.
static GstStateChangeReturn change_state(GstElement *element, GstStateChange transition)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(element);
    if (transition == GST_STATE_CHANGE_NULL_TO_READY) {
        GST_OBJECT_LOCK(self);
        gchar *wrong = g_strdup(self->wrong);
        GST_OBJECT_UNLOCK(self);
        char why[MODULE_WHY];
        self->ag = module_open(why);
        if (!self->ag || wrong) {
            GST_ELEMENT_ERROR(self, LIBRARY, SETTINGS, ("%s", self->ag ? wrong : why), (NULL));
            g_free(wrong);
            return GST_STATE_CHANGE_FAILURE;
        }
    }
    return GST_ELEMENT_CLASS(gst_afterglow_filter_parent_class)->change_state(element, transition);
}

void gst_afterglow_choose(GstAfterglowFilter *self, const ag_effect_info *effect)
{
    char why[MODULE_WHY];
    const ag_api *ag = module_open(why);
    g_clear_pointer(&self->settings, g_free);
    self->effect = effect;
    if (ag && effect) {
        self->settings = g_malloc0(effect->settings_size);
        module_video_defaults(ag, effect, self->settings);
    }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(object);
    if (id != PROP_SHADER_DIR) {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
        return;
    }
    GST_OBJECT_LOCK(self);
    g_free(self->shader_dir);
    self->shader_dir = g_value_dup_string(value);
    GST_OBJECT_UNLOCK(self);
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(object);
    if (id != PROP_SHADER_DIR) {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
        return;
    }
    GST_OBJECT_LOCK(self);
    g_value_set_string(value, self->shader_dir);
    GST_OBJECT_UNLOCK(self);
}

static void finalize(GObject *object)
{
    GstAfterglowFilter *self = GST_AFTERGLOW_FILTER(object);
    g_free(self->settings);
    g_free(self->shader_dir);
    g_free(self->wrong);
    g_array_unref(self->seen);
    G_OBJECT_CLASS(gst_afterglow_filter_parent_class)->finalize(object);
}

void gst_afterglow_add_pads(GstAfterglowFilterClass *class, const ag_effect_info *effect)
{
    // Formats of one texture with the channels in GL's order. All others go through glcolorconvert.
    static const struct {
        const char *name;
        uint32_t format;
    } formats[] = {{"RGBA", RGBA8}, {"RGBx", RGBA8}, {"RGB10A2_LE", 0x8059}, {"GRAY8", R8}};
    uint32_t src = 0, dst = 0;
    if (effect)
        module_is_filter(effect, &src, &dst);
    GString *text = g_string_new("video/x-raw(memory:GLMemory), format=(string){");
    for (guint i = 0, listed = 0; i < G_N_ELEMENTS(formats); i++)
        if (!effect || (module_slot_takes(module_slot(effect, src), formats[i].format) &&
                        module_slot_takes(module_slot(effect, dst), formats[i].format)))
            g_string_append_printf(text, "%s%s", listed++ ? "," : "", formats[i].name);
    g_string_append(text, "}, width=(int)[1,max], height=(int)[1,max], "
                          "framerate=(fraction)[0,max], texture-target=(string)2D");
    GstCaps *caps = gst_caps_from_string(text->str);
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    gst_element_class_add_pad_template(element, gst_pad_template_new("sink", GST_PAD_SINK,
                                                                     GST_PAD_ALWAYS, caps));
    gst_element_class_add_pad_template(element, gst_pad_template_new("src", GST_PAD_SRC,
                                                                     GST_PAD_ALWAYS, caps));
    gst_caps_unref(caps);
    g_string_free(text, TRUE);
}

static void gst_afterglow_filter_class_init(GstAfterglowFilterClass *class)
{
    GObjectClass *object = G_OBJECT_CLASS(class);
    object->set_property = set_property;
    object->get_property = get_property;
    object->finalize = finalize;
    g_object_class_install_property(
        object, PROP_SHADER_DIR,
        g_param_spec_string("shader-dir", "Shader folder",
                            "Folder of shaders to use instead of the library's; files that are "
                            "saved in it while the stream runs are used at once",
                            NULL,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
    GST_ELEMENT_CLASS(class)->change_state = change_state;
    GstGLBaseFilterClass *base = GST_GL_BASE_FILTER_CLASS(class);
    base->supported_gl_api = GST_GL_API_OPENGL3;
    base->gl_start = gl_start;
    base->gl_stop = gl_stop;
    base->gl_set_caps = gl_set_caps;
    GstGLFilterClass *filter = GST_GL_FILTER_CLASS(class);
    filter->filter_texture = filter_texture;
    filter->transform_internal_caps = transform_internal_caps;
}

static void gst_afterglow_filter_init(GstAfterglowFilter *self)
{
    self->seen = g_array_new(FALSE, FALSE, sizeof(guint));
}
