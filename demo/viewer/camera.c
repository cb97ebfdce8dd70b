// viewer/camera.c - where the street is seen from, by hand or along a recorded path
// SPDX-License-Identifier: MIT
#include "camera.h"

#include "file.h"
#include "json.h"
#include "json_read.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

static const float ZOOM = 0.92f;    // view height at 1 m, as in street.glsl
static const double FARTHEST = 1e6; // of what a path's file says: seconds, metres, radians

static float between(float x, float low, float high)
{
    return fminf(fmaxf(x, low), high);
}

void camera_reset(camera *c)
{
    c->now = (pose){.eye = {0.2f, 1.5f, 0}};
    c->playing = false;
}

static void axes_of(const pose *p, mat3 axes)
{
    vec3 up = {0, 1, 0};
    axes[2][0] = sinf(p->yaw) * cosf(p->pitch);
    axes[2][1] = sinf(p->pitch);
    axes[2][2] = cosf(p->yaw) * cosf(p->pitch);
    glm_vec3_crossn(up, axes[2], axes[0]); // x right, y up, z ahead: a left-handed world
    glm_vec3_cross(axes[2], axes[0], axes[1]);
}

// The street has walls: nobody flies through them. Nor does anybody look straight up or down.
static void keep_inside(pose *p)
{
    p->eye[0] = between(p->eye[0], -6.6f, 6.6f);
    p->eye[1] = between(p->eye[1], 0.35f, 14.0f);
    p->eye[2] = between(p->eye[2], -9.0f, 110.0f);
    p->pitch = between(p->pitch, -1.4f, 1.4f);
}

// Catmull-Rom through four values.
static float spline(float a, float b, float c, float d, float t)
{
    return 0.5f *
           (2 * b + t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))));
}

static pose pose_at(const camera *c, float time)
{
    int last = c->key_count - 1, i = 0;
    while (i < last - 1 && c->times[i + 1] <= time)
        i++;
    int k[4] = {i ? i - 1 : 0, i, i < last ? i + 1 : last, i + 2 < last ? i + 2 : last};
    float span = c->times[k[2]] - c->times[k[1]];
    float t = span > 0 ? between((time - c->times[k[1]]) / span, 0, 1) : 0;
    pose p;
    const float *from[4];
    float *to = p.eye;
    for (int n = 0; n < 4; n++)
        from[n] = c->keys[k[n]].eye;
    for (int n = 0; n < 5; n++) // eye, yaw and pitch lie one after the other
        to[n] = spline(from[0][n], from[1][n], from[2][n], from[3][n], t);
    keep_inside(&p); // a spline leaves the room that its keys are in
    return p;
}

void camera_step(camera *c, const camera_move *move, float dt)
{
    if (c->playing && c->key_count > 0) {
        c->now = pose_at(c, c->path_time);
        c->path_time += dt;
        if (c->path_time > c->times[c->key_count - 1])
            c->path_time = 0; // from the beginning
        return;
    }
    mat3 axes;
    pose *p = &c->now;
    const float speed = (move->fast ? 12.0f : 4.0f) * dt, distance = 9.0f;
    p->yaw += move->turn;
    p->pitch += move->tilt;
    keep_inside(p);
    axes_of(p, axes);
    for (int i = 0; i < 3; i++)
        p->eye[i] += axes[2][i] * distance * (move->orbit != 0);
    p->yaw += move->orbit;
    axes_of(p, axes);
    for (int i = 0; i < 3; i++) {
        p->eye[i] -= axes[2][i] * distance * (move->orbit != 0);
        p->eye[i] += speed * (move->ahead * axes[2][i] + move->right * axes[0][i]);
    }
    p->eye[1] += speed * move->up;
    keep_inside(p);
    if (c->recording && c->key_count < PATH_KEYS) {
        c->times[c->key_count] = c->path_time;
        c->keys[c->key_count++] = *p;
        c->path_time += dt;
    }
}

void camera_look(const pose *from, float aspect, camera_view *out)
{
    mat4 view, lens;
    const float near_ = 0.1f, far_ = 500, k = ZOOM * near_;
    vec3 up = {0, 1, 0};
    axes_of(from, out->axes);
    glm_vec3_copy((float *)from->eye, out->eye);
    // The lens is shifted, so that walls stay upright: as in the built-in picture.
    out->centre[0] = 0.5f * aspect - 0.12f * fminf(aspect, 1.8f);
    out->centre[1] = 0.575f;
    glm_look_lh(out->eye, out->axes[2], up, view);
    // Written out: glm_frustum_lh_no of cglm 0.8.8 shifts a lens to the wrong side.
    const float left = -out->centre[0] * k, right = (aspect - out->centre[0]) * k;
    const float first = out->centre[1] * k, last = (out->centre[1] - 1) * k; // rows of the picture
    glm_mat4_zero(lens);
    lens[0][0] = 2 * near_ / (right - left);
    lens[1][1] = 2 * near_ / (last - first);
    lens[2][0] = -(right + left) / (right - left);
    lens[2][1] = -(last + first) / (last - first);
    lens[2][2] = (far_ + near_) / (far_ - near_);
    lens[2][3] = 1;
    lens[3][2] = -2 * far_ * near_ / (far_ - near_);
    glm_mat4_mul(lens, view, out->clip);
}

void camera_record(camera *c, bool on)
{
    c->recording = on;
    c->playing = false;
    if (on) {
        c->key_count = 0;
        c->path_time = 0;
    }
}

void camera_play(camera *c, bool on)
{
    c->playing = on && c->key_count > 0;
    c->recording = false;
    c->path_time = 0;
}

bool camera_save(const camera *c, const char *path)
{
    file_writer writer;
    if (file_begin(&writer, path) != STATUS_OK)
        return false;
    json out = json_begin(writer.stream);
    json_open(&out, NULL, '{');
    json_open(&out, "keys", '[');
    for (int i = 0; i < c->key_count; i++) {
        const pose *p = &c->keys[i];
        json_open_flat(&out, NULL, '{');
        json_number(&out, "time", c->times[i]);
        json_open(&out, "eye", '[');
        for (int k = 0; k < 3; k++)
            json_number(&out, NULL, p->eye[k]);
        json_close(&out, ']');
        json_number(&out, "yaw", p->yaw);
        json_number(&out, "pitch", p->pitch);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
    return file_end(&writer, STATUS_OK) == STATUS_OK;
}

static bool take_key(const json_t *key, pose *p, float *time)
{
    const json_t *eye = json_object_get(key, "eye");
    if (json_array_size(eye) != 3)
        return false;
    for (size_t i = 0; i < 3; i++) {
        double metres = json_number_value(json_array_get(eye, i));
        if (!json_is_number(json_array_get(eye, i)) || fabs(metres) > FARTHEST)
            return false;
        p->eye[i] = (float)metres;
    }
    return json_member(key, "yaw", -FARTHEST, FARTHEST, &p->yaw) &&
           json_member(key, "pitch", -FARTHEST, FARTHEST, &p->pitch) &&
           json_member(key, "time", 0, FARTHEST, time);
}

static bool take_keys(camera *c, const char *path, const json_t *keys)
{
    size_t count = json_array_size(keys);
    if (!count)
        return fail(STATUS_USAGE,
                    "%s: expected {\"keys\": [{\"time\": s, \"eye\": [x, y, z], ..}, ..]}",
                    path) == STATUS_OK;
    if (count > PATH_KEYS)
        return fail(STATUS_USAGE, "%s: has %zu keys; expected at most %d", path, count,
                    PATH_KEYS) == STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        pose *p = &c->keys[i];
        *p = (pose){0};
        c->times[i] = (float)i;
        if (!take_key(json_array_get(keys, i), p, &c->times[i]) ||
            (i > 0 && c->times[i] < c->times[i - 1]))
            return fail(STATUS_USAGE,
                        "%s: key %zu: expected {\"time\": s, \"eye\": [x, y, z], \"yaw\": rad, "
                        "\"pitch\": rad}, numbers up to %g, times from 0 on that do not decrease",
                        path, i + 1, FARTHEST) == STATUS_OK;
        keep_inside(p);
    }
    c->key_count = (int)count;
    c->recording = c->playing = false;
    return true;
}

bool camera_load(camera *c, const char *path)
{
    json_t *root = json_read(path);
    camera *loaded = root ? malloc(sizeof *loaded) : NULL;
    if (root && !loaded)
        fail_memory();
    if (loaded)
        *loaded = *c; // a path that is refused leaves the former one
    bool taken = loaded && take_keys(loaded, path, json_object_get(root, "keys"));
    if (taken)
        *c = *loaded;
    free(loaded);
    json_decref(root);
    return taken;
}
