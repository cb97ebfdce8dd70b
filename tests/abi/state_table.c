// state_table.c - the table of GL state, and snapshots of it
// SPDX-License-Identifier: MIT
#include "state_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_BUFFER_BINDING 0x9193u

#define INT(name)                         \
    {                                     \
#name, STATE_INT, GL_##name, 1, 1 \
    }
#define INDEXED(name, count)                    \
    {                                           \
#name, STATE_INT_I, GL_##name, count, 1 \
    }
#define INDEXED64(name, count)                    \
    {                                             \
#name, STATE_INT64_I, GL_##name, count, 1 \
    }
#define UNIT(name)                                   \
    {                                                \
#name, STATE_UNIT, GL_##name, STATE_UNITS, 1 \
    }
#define TEXTURE(name, values)                                      \
    {                                                              \
        "host texture " #name, STATE_TEXTURE, GL_##name, 1, values \
    }
#define QUERY(name)                                         \
    {                                                       \
        "active query " #name, STATE_QUERY, GL_##name, 1, 1 \
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
    UNIT(TEXTURE_BINDING_2D),
    UNIT(TEXTURE_BINDING_2D_ARRAY),
    UNIT(TEXTURE_BINDING_2D_MULTISAMPLE),
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
    {"COPY_READ_BUFFER_BINDING", STATE_INT, GL_COPY_READ_BUFFER, 1, 1},
    {"COPY_WRITE_BUFFER_BINDING", STATE_INT, GL_COPY_WRITE_BUFFER, 1, 1},
    INT(DISPATCH_INDIRECT_BUFFER_BINDING),
    INT(DRAW_INDIRECT_BUFFER_BINDING),
    INT(PIXEL_PACK_BUFFER_BINDING),
    INT(PIXEL_UNPACK_BUFFER_BINDING),
    {"TEXTURE_BUFFER_BINDING", STATE_INT, GL_TEXTURE_BUFFER, 1, 1},
    {"QUERY_BUFFER_BINDING", STATE_INT, QUERY_BUFFER_BINDING, 1, 1},

    // the rest
    INT(VERTEX_ARRAY_BINDING),
    QUERY(TIME_ELAPSED),
    QUERY(SAMPLES_PASSED),
    QUERY(ANY_SAMPLES_PASSED),
    QUERY(PRIMITIVES_GENERATED),
    INT(DEBUG_GROUP_STACK_DEPTH),

    // parameters of the job's textures
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
    for (int i = 0; i < row->count; ++i) {
        state_value *v = append(s, row, i);
        GLint whole = 0;
        switch (row->kind) {
        case STATE_INT: f->gl.GetIntegerv(row->name, &whole); break;
        case STATE_INT_I: f->gl.GetIntegeri_v(row->name, (GLuint)i, &whole); break;
        case STATE_QUERY: f->gl.GetQueryiv(row->name, GL_CURRENT_QUERY, &whole); break;
        default: f->gl.GetInteger64i_v(row->name, (GLuint)i, v->value.whole); continue;
        }
        v->value.whole[0] = whole;
    }
}

state_snapshot state_take(fixture *f, const state_watch *watch)
{
    state_snapshot s = {0};
    for (size_t i = 0; i < state_row_count(); ++i) {
        if (rows[i].name != QUERY_BUFFER_BINDING || watch->query_buffer)
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
        bool indexed = v->row->kind != STATE_INT;
        if (v->row->name == name && (index < 0 ? !indexed : indexed && v->index == index))
            return v;
    }
    check_fail(__FILE__, __LINE__, "state_find", "no row 0x%x, index %d", name, index);
    return NULL;
}

static void print_value(const state_value *v)
{
    for (int k = 0; k < v->row->values; ++k) {
        if (v->row->kind == STATE_TEXTURE)
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
