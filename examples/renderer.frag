#version 450
// Bands of a torus shine more brightly than a picture can show. SPDX-License-Identifier: Apache-2.0
layout(location = 0) in vec3 normal;
layout(location = 1) in float around;
layout(location = 0) out vec4 colour;

void main() {
    const float light = 0.08 + 0.6 * max(dot(normalize(normal), normalize(vec3(-0.5, -0.7, -0.6))), 0);
    const bool shines = fract(around * 12) < 0.16;
    colour = vec4(shines ? vec3(0.5, 2.2, 4.5) : light * vec3(0.95, 0.55, 0.3), 1);
}
