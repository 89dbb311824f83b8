#version 450
// A torus from the number of the vertex alone. SPDX-License-Identifier: Apache-2.0
layout(location = 0) out vec3 normal;
layout(location = 1) out float around;

const uint kRings = 128, kSides = 48;
const float kTurn = 6.2831853;
const uvec2 kCorners[6] = uvec2[](uvec2(0, 0), uvec2(1, 0), uvec2(0, 1), uvec2(0, 1), uvec2(1, 0), uvec2(1, 1));

vec3 turned(vec3 at) {
    at = vec3(at.x, at.y * 0.62 - at.z * 0.78, at.y * 0.78 + at.z * 0.62);
    return vec3(at.x * 0.9 + at.z * 0.43, at.y, at.z * 0.9 - at.x * 0.43);
}

void main() {
    const uint quad = gl_VertexIndex / 6;
    const uvec2 at = uvec2(quad % kRings, quad / kRings) + kCorners[gl_VertexIndex % 6];
    const float u = at.x * kTurn / kRings, v = at.y * kTurn / kSides;
    const vec3 outward = vec3(cos(u) * cos(v), sin(u) * cos(v), sin(v));
    normal = turned(outward);
    around = float(at.x) / kRings;
    const vec3 place = turned(vec3(cos(u), sin(u), 0) + outward * 0.42) + vec3(0, 0, 3.2);
    const float near = 0.5, far = 10;
    gl_Position = vec4(place.x * 1.35, place.y * 1.8, (place.z - near) * far / (far - near), place.z);
}
