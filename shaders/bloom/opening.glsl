// bloom/opening.glsl - the outline of an iris
//
//   opening(u, blades, rotation, roundness)  distance to its edge, negative inside: a polygon with
//                     its corners on the unit circle, rounded towards that circle; radians
//   SPDX-License-Identifier: MIT

float opening(vec2 u, int blades, float rotation, float roundness)
{
    float part = 6.28318530717959 / float(blades), angle = atan(u.y, u.x) - rotation;
    float from_middle = angle - part * (floor(angle / part) + 0.5); // of the nearest edge
    float polygon = length(u) * cos(from_middle) - cos(0.5 * part);
    return mix(polygon, length(u) - 1.0, roundness);
}
