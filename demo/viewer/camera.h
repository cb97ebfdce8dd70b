// viewer/camera.h - where the street is seen from, by hand or along a recorded path
// SPDX-License-Identifier: MIT
#ifndef VIEWER_CAMERA_H
#define VIEWER_CAMERA_H

#include <cglm/cglm.h>
#include <cglm/clipspace/view_lh_no.h>
#include <stdbool.h>

typedef struct
    pose { // metres; radians: yaw from straight down the street to the right, pitch upward
    float eye[3], yaw, pitch;
} pose;

enum { PATH_KEYS = 3600 };
typedef struct camera {
    pose now;
    pose keys[PATH_KEYS]; // of a path
    float times[PATH_KEYS];
    int key_count;
    bool recording, playing;
    float path_time;
} camera;

typedef struct camera_move { // what the hand asks for, in a frame
    float ahead, right, up;  // -1..1
    float turn, tilt;        // radians
    float orbit;             // radians, about the point `distance` ahead
    bool fast;
} camera_move;

// What a shader needs to know. Rows of the picture go down, so that clip space has y down, too.
typedef struct camera_view {
    vec3 eye;
    mat3 axes;   // right, up, ahead
    vec2 centre; // the vanishing point, in heights of the picture
    mat4 clip;   // world to clip space; w is the distance along the axis
} camera_view;

void camera_reset(camera *c);
void camera_step(camera *c, const camera_move *move, float dt); // also records, and follows a path
void camera_look(const pose *from, float aspect, camera_view *out);

void camera_record(camera *c, bool on); // on: forgets the former path
void camera_play(camera *c, bool on);
// JSON: {"keys": [{"time": s, "eye": [x, y, z], "yaw": rad, "pitch": rad}, ...]}. Angles that are
// left out are 0, times the number of the key. False: printed why, and nothing is changed.
bool camera_save(const camera *c, const char *path);
bool camera_load(camera *c, const char *path);

#endif
