// state_table.c - the table of GL state, and snapshots of it
// SPDX-License-Identifier: MIT
#include "state_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_BUFFER_BINDING 0x9193u

#define INT(name)                            \
    {                                        \
#name, STATE_INT, GL_##name, 1, 1, 0 \
    }
#define INTS(name, values)                        \
    {                                             \
#name, STATE_INT, GL_##name, 1, values, 0 \
    }
#define REAL(name, values)                         \
    {                                              \
#name, STATE_REAL, GL_##name, 1, values, 0 \
    }
#define ENABLE(name)                            \
    {                                           \
#name, STATE_ENABLE, GL_##name, 1, 1, 0 \
    }
#define INDEXED(name, count)                       \
    {                                              \
#name, STATE_INT_I, GL_##name, count, 1, 0 \
    }
#define INDEXED4(name, count)                      \
    {                                              \
#name, STATE_INT_I, GL_##name, count, 4, 0 \
    }
#define INDEXED64(name, count)                       \
    {                                                \
#name, STATE_INT64_I, GL_##name, count, 1, 0 \
    }
#define UNIT(name)                                      \
    {                                                   \
#name, STATE_UNIT, GL_##name, STATE_UNITS, 1, 0 \
    }
#define TEXTURE(name, values)                                         \
    {                                                                 \
        "host texture " #name, STATE_TEXTURE, GL_##name, 1, values, 0 \
    }
#define SAMPLER(name, values)                                         \
    {                                                                 \
        "host sampler " #name, STATE_SAMPLER, GL_##name, 1, values, 0 \
    }
#define ATTRIBUTE(name)                            \
    {                                              \
#name, STATE_ATTRIBUTE, GL_##name, 4, 1, 0 \
    }
#define QUERY(name)                                            \
    {                                                          \
        "active query " #name, STATE_QUERY, GL_##name, 1, 1, 0 \
    }

// What execute may change comes first.
static const state_row rows[] = {
    INT(CURRENT_PROGRAM),
    INDEXED(IMAGE_BINDING_NAME, 8),
    INDEXED(IMAGE_BINDING_LEVEL, 8),
    INDEXED(IMAGE_BINDING_LAYERED, 8),
    INDEXED(IMAGE_BINDING_LAYER, 8),
    INDEXED(IMAGE_BINDING_ACCESS, 8),
    INDEXED(IMAGE_BINDING_FORMAT, 8),
    INDEXED(SHADER_STORAGE_BUFFER_BINDING, 8),
    INDEXED64(SHADER_STORAGE_BUFFER_START, 8),
    INDEXED64(SHADER_STORAGE_BUFFER_SIZE, 8),
    INT(SHADER_STORAGE_BUFFER_BINDING),

    // other shader-visible bindings
    INT(PROGRAM_PIPELINE_BINDING),
    INT(ACTIVE_TEXTURE),
    UNIT(TEXTURE_BINDING_1D),
    UNIT(TEXTURE_BINDING_2D),
    UNIT(TEXTURE_BINDING_3D),
    UNIT(TEXTURE_BINDING_CUBE_MAP),
    UNIT(TEXTURE_BINDING_1D_ARRAY),
    UNIT(TEXTURE_BINDING_2D_ARRAY),
    UNIT(TEXTURE_BINDING_CUBE_MAP_ARRAY),
    UNIT(TEXTURE_BINDING_RECTANGLE),
    UNIT(TEXTURE_BINDING_BUFFER),
    UNIT(TEXTURE_BINDING_2D_MULTISAMPLE),
    UNIT(TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY),
    UNIT(SAMPLER_BINDING),
    INDEXED(UNIFORM_BUFFER_BINDING, 8),
    INDEXED64(UNIFORM_BUFFER_START, 8),
    INDEXED64(UNIFORM_BUFFER_SIZE, 8),
    INT(UNIFORM_BUFFER_BINDING),
    INDEXED(ATOMIC_COUNTER_BUFFER_BINDING, 1),
    INDEXED64(ATOMIC_COUNTER_BUFFER_START, 1),
    INDEXED64(ATOMIC_COUNTER_BUFFER_SIZE, 1),
    INT(ATOMIC_COUNTER_BUFFER_BINDING),
    INDEXED(TRANSFORM_FEEDBACK_BUFFER_BINDING, 4),
    INDEXED64(TRANSFORM_FEEDBACK_BUFFER_START, 4),
    INDEXED64(TRANSFORM_FEEDBACK_BUFFER_SIZE, 4),
    INT(TRANSFORM_FEEDBACK_BUFFER_BINDING),

    // generic buffer bindings
    INT(ARRAY_BUFFER_BINDING),
    INT(ELEMENT_ARRAY_BUFFER_BINDING),
    {"COPY_READ_BUFFER_BINDING", STATE_INT, GL_COPY_READ_BUFFER, 1, 1, 0},
    {"COPY_WRITE_BUFFER_BINDING", STATE_INT, GL_COPY_WRITE_BUFFER, 1, 1, 0},
    INT(DISPATCH_INDIRECT_BUFFER_BINDING),
    INT(DRAW_INDIRECT_BUFFER_BINDING),
    INT(PIXEL_PACK_BUFFER_BINDING),
    INT(PIXEL_UNPACK_BUFFER_BINDING),
    {"TEXTURE_BUFFER_BINDING", STATE_INT, GL_TEXTURE_BUFFER, 1, 1, 0},
    {"QUERY_BUFFER_BINDING", STATE_INT, QUERY_BUFFER_BINDING, 1, 1, STATE_ONLY_QUERY_BUFFER},

    // objects
    INT(VERTEX_ARRAY_BINDING),
    INDEXED(VERTEX_BINDING_BUFFER, 4),
    ATTRIBUTE(VERTEX_ATTRIB_ARRAY_ENABLED),
    ATTRIBUTE(VERTEX_ATTRIB_ARRAY_BUFFER_BINDING),
    INT(DRAW_FRAMEBUFFER_BINDING),
    INT(READ_FRAMEBUFFER_BINDING),
    INT(RENDERBUFFER_BINDING),
    INT(TRANSFORM_FEEDBACK_BINDING),
    INT(TRANSFORM_FEEDBACK_PAUSED),
    INT(TRANSFORM_FEEDBACK_ACTIVE),
    QUERY(TIME_ELAPSED),
    QUERY(SAMPLES_PASSED),
    QUERY(ANY_SAMPLES_PASSED),
    QUERY(PRIMITIVES_GENERATED),

    // pixel store
    INT(PACK_SWAP_BYTES),
    INT(PACK_LSB_FIRST),
    INT(PACK_ROW_LENGTH),
    INT(PACK_IMAGE_HEIGHT),
    INT(PACK_SKIP_ROWS),
    INT(PACK_SKIP_PIXELS),
    INT(PACK_SKIP_IMAGES),
    INT(PACK_ALIGNMENT),
    INT(UNPACK_SWAP_BYTES),
    INT(UNPACK_LSB_FIRST),
    INT(UNPACK_ROW_LENGTH),
    INT(UNPACK_IMAGE_HEIGHT),
    INT(UNPACK_SKIP_ROWS),
    INT(UNPACK_SKIP_PIXELS),
    INT(UNPACK_SKIP_IMAGES),
    INT(UNPACK_ALIGNMENT),
    INT(PACK_COMPRESSED_BLOCK_WIDTH),
    INT(PACK_COMPRESSED_BLOCK_HEIGHT),
    INT(PACK_COMPRESSED_BLOCK_DEPTH),
    INT(PACK_COMPRESSED_BLOCK_SIZE),
    INT(UNPACK_COMPRESSED_BLOCK_WIDTH),
    INT(UNPACK_COMPRESSED_BLOCK_HEIGHT),
    INT(UNPACK_COMPRESSED_BLOCK_DEPTH),
    INT(UNPACK_COMPRESSED_BLOCK_SIZE),

    // enables
    {"BLEND", STATE_ENABLE_I, GL_BLEND, 8, 1, 0},
    {"SCISSOR_TEST", STATE_ENABLE_I, GL_SCISSOR_TEST, 16, 1, 0},
    {"CLIP_DISTANCE", STATE_ENABLE, GL_CLIP_DISTANCE0, 8, 1, 0},
    ENABLE(COLOR_LOGIC_OP),
    ENABLE(CULL_FACE),
    ENABLE(DEBUG_OUTPUT),
    ENABLE(DEBUG_OUTPUT_SYNCHRONOUS),
    ENABLE(DEPTH_CLAMP),
    ENABLE(DEPTH_TEST),
    ENABLE(DITHER),
    ENABLE(FRAMEBUFFER_SRGB),
    ENABLE(LINE_SMOOTH),
    ENABLE(MULTISAMPLE),
    ENABLE(POLYGON_OFFSET_FILL),
    ENABLE(POLYGON_OFFSET_LINE),
    ENABLE(POLYGON_OFFSET_POINT),
    ENABLE(POLYGON_SMOOTH),
    ENABLE(PRIMITIVE_RESTART),
    ENABLE(PRIMITIVE_RESTART_FIXED_INDEX),
    ENABLE(PROGRAM_POINT_SIZE),
    ENABLE(RASTERIZER_DISCARD),
    ENABLE(SAMPLE_ALPHA_TO_COVERAGE),
    ENABLE(SAMPLE_ALPHA_TO_ONE),
    ENABLE(SAMPLE_COVERAGE),
    ENABLE(SAMPLE_MASK),
    ENABLE(SAMPLE_SHADING),
    ENABLE(STENCIL_TEST),
    ENABLE(TEXTURE_CUBE_MAP_SEAMLESS),

    // blending, depth, stencil
    INDEXED(BLEND_SRC_RGB, 8),
    INDEXED(BLEND_DST_RGB, 8),
    INDEXED(BLEND_SRC_ALPHA, 8),
    INDEXED(BLEND_DST_ALPHA, 8),
    INDEXED(BLEND_EQUATION_RGB, 8),
    INDEXED(BLEND_EQUATION_ALPHA, 8),
    INDEXED4(COLOR_WRITEMASK, 8),
    REAL(BLEND_COLOR, 4),
    INT(DEPTH_FUNC),
    INT(DEPTH_WRITEMASK),
    {"DEPTH_RANGE", STATE_REAL_I, GL_DEPTH_RANGE, 16, 2, 0},
    INT(STENCIL_FUNC),
    INT(STENCIL_REF),
    INT(STENCIL_VALUE_MASK),
    INT(STENCIL_FAIL),
    INT(STENCIL_PASS_DEPTH_FAIL),
    INT(STENCIL_PASS_DEPTH_PASS),
    INT(STENCIL_WRITEMASK),
    INT(STENCIL_BACK_FUNC),
    INT(STENCIL_BACK_REF),
    INT(STENCIL_BACK_VALUE_MASK),
    INT(STENCIL_BACK_FAIL),
    INT(STENCIL_BACK_PASS_DEPTH_FAIL),
    INT(STENCIL_BACK_PASS_DEPTH_PASS),
    INT(STENCIL_BACK_WRITEMASK),
    REAL(COLOR_CLEAR_VALUE, 4),
    REAL(DEPTH_CLEAR_VALUE, 1),
    INT(STENCIL_CLEAR_VALUE),

    // rasterisation and the rest
    {"VIEWPORT", STATE_REAL_I, GL_VIEWPORT, 16, 4, 0},
    INDEXED4(SCISSOR_BOX, 16),
    INT(CULL_FACE_MODE),
    INT(FRONT_FACE),
    INT(POLYGON_MODE),
    REAL(POLYGON_OFFSET_FACTOR, 1),
    REAL(POLYGON_OFFSET_UNITS, 1),
    REAL(LINE_WIDTH, 1),
    REAL(POINT_SIZE, 1),
    REAL(POINT_FADE_THRESHOLD_SIZE, 1),
    INT(POINT_SPRITE_COORD_ORIGIN),
    INT(PROVOKING_VERTEX),
    INT(PRIMITIVE_RESTART_INDEX),
    INT(LOGIC_OP_MODE),
    REAL(SAMPLE_COVERAGE_VALUE, 1),
    INT(SAMPLE_COVERAGE_INVERT),
    INDEXED(SAMPLE_MASK_VALUE, 1),
    REAL(MIN_SAMPLE_SHADING_VALUE, 1),
    INT(LINE_SMOOTH_HINT),
    INT(POLYGON_SMOOTH_HINT),
    INT(TEXTURE_COMPRESSION_HINT),
    INT(FRAGMENT_SHADER_DERIVATIVE_HINT),
    INT(CLAMP_READ_COLOR),
    INT(PATCH_VERTICES),
    REAL(PATCH_DEFAULT_INNER_LEVEL, 2),
    REAL(PATCH_DEFAULT_OUTER_LEVEL, 4),
    INT(DEBUG_GROUP_STACK_DEPTH),
    {"DEBUG_CALLBACK_FUNCTION", STATE_POINTER, GL_DEBUG_CALLBACK_FUNCTION, 1, 1, 0},
    {"DEBUG_CALLBACK_USER_PARAM", STATE_POINTER, GL_DEBUG_CALLBACK_USER_PARAM, 1, 1, 0},

    // parameters of the host's objects
    TEXTURE(TEXTURE_BASE_LEVEL, 1),
    TEXTURE(TEXTURE_MAX_LEVEL, 1),
    TEXTURE(TEXTURE_SWIZZLE_RGBA, 4),
    TEXTURE(TEXTURE_MIN_FILTER, 1),
    TEXTURE(TEXTURE_MAG_FILTER, 1),
    TEXTURE(TEXTURE_WRAP_S, 1),
    TEXTURE(TEXTURE_WRAP_T, 1),
    TEXTURE(TEXTURE_WRAP_R, 1),
    TEXTURE(TEXTURE_MIN_LOD, 1),
    TEXTURE(TEXTURE_MAX_LOD, 1),
    TEXTURE(TEXTURE_LOD_BIAS, 1),
    TEXTURE(TEXTURE_COMPARE_MODE, 1),
    TEXTURE(TEXTURE_COMPARE_FUNC, 1),
    TEXTURE(TEXTURE_BORDER_COLOR, 4),
    TEXTURE(DEPTH_STENCIL_TEXTURE_MODE, 1),
    SAMPLER(TEXTURE_MIN_FILTER, 1),
    SAMPLER(TEXTURE_MAG_FILTER, 1),
    SAMPLER(TEXTURE_WRAP_S, 1),
    SAMPLER(TEXTURE_WRAP_T, 1),
    SAMPLER(TEXTURE_WRAP_R, 1),
    SAMPLER(TEXTURE_MIN_LOD, 1),
    SAMPLER(TEXTURE_MAX_LOD, 1),
    SAMPLER(TEXTURE_LOD_BIAS, 1),
    SAMPLER(TEXTURE_COMPARE_MODE, 1),
    SAMPLER(TEXTURE_COMPARE_FUNC, 1),
    SAMPLER(TEXTURE_BORDER_COLOR, 4),
};

size_t state_row_count(void)
{
    return sizeof rows / sizeof rows[0];
}

static state_value *append(state_snapshot *s, const state_row *row, int index)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 512;
        s->values = realloc(s->values, s->capacity * sizeof *s->values);
        if (!s->values)
            abort();
    }
    state_value *v = &s->values[s->count++];
    memset(v, 0, sizeof *v);
    v->row = row;
    v->index = index;
    return v;
}

static void take_units(fixture *f, const state_row *row, state_snapshot *s)
{
    GLint active = 0, value = 0;
    f->gl.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int unit = 0; unit < STATE_UNITS; ++unit) {
        f->gl.ActiveTexture((GLenum)(GL_TEXTURE0 + unit));
        f->gl.GetIntegerv(row->name, &value);
        append(s, row, unit)->value.whole[0] = value;
    }
    f->gl.ActiveTexture((GLenum)active);
}

static void take_textures(fixture *f, const state_row *row, const state_watch *w, state_snapshot *s)
{
    for (int i = 0; i < JOB_SLOTS; ++i) {
        const texture *t = &w->job->textures[i];
        if (!t->name)
            continue;
        GLint bound = 0;
        f->gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        f->gl.BindTexture(GL_TEXTURE_2D, t->name);
        f->gl.GetTexParameterfv(GL_TEXTURE_2D, row->name, append(s, row, i)->value.real);
        f->gl.BindTexture(GL_TEXTURE_2D, (GLuint)bound);
    }
}

static void take_row(fixture *f, const state_row *row, const state_watch *w, state_snapshot *s)
{
    if (row->kind == STATE_UNIT) {
        take_units(f, row, s);
        return;
    }
    if (row->kind == STATE_TEXTURE) {
        take_textures(f, row, w, s);
        return;
    }
    int count = row->kind == STATE_SAMPLER ? w->sampler_count : row->count;
    for (int i = 0; i < count; ++i) {
        state_value *v = append(s, row, i);
        GLint whole[4] = {0};
        GLuint index = (GLuint)i;
        switch (row->kind) {
        case STATE_INT: f->gl.GetIntegerv(row->name, whole); break;
        case STATE_INT64: f->gl.GetInteger64v(row->name, v->value.whole); break;
        case STATE_REAL: f->gl.GetFloatv(row->name, v->value.real); break;
        case STATE_ENABLE: whole[0] = f->gl.IsEnabled(row->name + index); break;
        case STATE_ENABLE_I: whole[0] = f->gl.IsEnabledi(row->name, index); break;
        case STATE_INT_I: f->gl.GetIntegeri_v(row->name, index, whole); break;
        case STATE_INT64_I: f->gl.GetInteger64i_v(row->name, index, v->value.whole); break;
        case STATE_REAL_I: f->gl.GetFloati_v(row->name, index, v->value.real); break;
        case STATE_POINTER: f->gl.GetPointerv(row->name, &v->value.pointer); break;
        case STATE_QUERY: f->gl.GetQueryiv(row->name, GL_CURRENT_QUERY, whole); break;
        case STATE_ATTRIBUTE: f->gl.GetVertexAttribiv(index, row->name, whole); break;
        case STATE_SAMPLER:
            f->gl.GetSamplerParameterfv(w->samplers[i], row->name, v->value.real);
            break;
        default: abort();
        }
        bool wholes = row->kind == STATE_INT || row->kind == STATE_ENABLE ||
                      row->kind == STATE_ENABLE_I || row->kind == STATE_INT_I ||
                      row->kind == STATE_QUERY || row->kind == STATE_ATTRIBUTE;
        for (int k = 0; wholes && k < row->values; ++k)
            v->value.whole[k] = whole[k];
    }
}

state_snapshot state_take(fixture *f, const state_watch *watch)
{
    state_snapshot s = {0};
    for (size_t i = 0; i < state_row_count(); ++i) {
        if (rows[i].only != STATE_ONLY_QUERY_BUFFER || watch->query_buffer)
            take_row(f, &rows[i], watch, &s);
    }
    return s;
}

void state_free(state_snapshot *s)
{
    free(s->values);
    *s = (state_snapshot){0};
}

state_value *state_find(state_snapshot *s, uint32_t name, int index)
{
    for (size_t i = 0; i < s->count; ++i) {
        state_value *v = &s->values[i];
        bool indexed = v->row->kind != STATE_INT && v->row->kind != STATE_INT64;
        if (v->row->name == name && (index < 0 ? !indexed : indexed && v->index == index))
            return v;
    }
    check_fail(__FILE__, __LINE__, "state_find", "no row 0x%x, index %d", name, index);
    return NULL;
}

static void print_value(const state_value *v)
{
    bool real = v->row->kind == STATE_REAL || v->row->kind == STATE_REAL_I ||
                v->row->kind == STATE_TEXTURE || v->row->kind == STATE_SAMPLER;
    for (int k = 0; k < v->row->values; ++k) {
        if (real)
            printf(" %.9g", (double)v->value.real[k]);
        else
            printf(" %lld (0x%llx)", (long long)v->value.whole[k],
                   (unsigned long long)v->value.whole[k]);
    }
}

size_t state_compare(const state_snapshot *expected, const state_snapshot *got, const char *when)
{
    size_t differences = 0;
    CHECK_EQ(expected->count, got->count);
    for (size_t i = 0; i < got->count; ++i) {
        const state_value *a = &expected->values[i], *b = &got->values[i];
        CHECK(a->row == b->row && a->index == b->index);
        if (memcmp(&a->value, &b->value, sizeof a->value) == 0)
            continue;
        printf("  state %s: %s[%d] expected", when, a->row->text, a->index);
        print_value(a);
        printf(", got");
        print_value(b);
        printf("\n");
        ++differences;
    }
    return differences;
}
