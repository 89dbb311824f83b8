// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Before { vec4 before[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer After { vec4 after[]; };
layout(set = 0, binding = 2, std430) restrict buffer Velocity { vec4 velocity[]; };
layout(push_constant) uniform Block { uint count; float dt, softening; };
shared vec4 tile[gl_WorkGroupSize.x];

vec3 acceleration(vec4 from, vec4 to) {
    const vec3 distance = to.xyz - from.xyz;
    const float inverse = inversesqrt(dot(distance, distance) + softening);
    return distance * (to.w * inverse * inverse * inverse);
}

void main() {
    const uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    const vec4 body = before[id];
    vec3 sum = vec3(0.0);
    for (uint base = 0; base < count; base += gl_WorkGroupSize.x) {
        tile[lane] = before[base + lane];
        barrier();
        for (uint i = 0; i < gl_WorkGroupSize.x; ++i) sum += acceleration(body, tile[i]);
        barrier();
    }
    vec4 v = velocity[id];
    v.xyz += dt * sum;
    velocity[id] = v;
    after[id] = vec4(body.xyz + dt * v.xyz, body.w);
}
