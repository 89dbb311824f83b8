// SPDX-License-Identifier: Apache-2.0
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer Before { vec4 before[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer After { vec4 after[]; };
layout(set = 0, binding = 2, std430) restrict buffer Velocity { vec4 velocity[]; };
layout(push_constant) uniform Block { uint count; float dt, softening; };
shared vec4 tile[gl_WorkGroupSize.x];

// `precise` and fma: what OpenCL C keeps in order, and what it contracts.
float squared(precise vec3 v) {
    precise const float sum = fma(v.x, v.x, fma(v.y, v.y, v.z * v.z));
    return sum;
}
vec3 acceleration(vec4 from, vec4 to) {
    precise const vec3 distance = to.xyz - from.xyz;
    precise const float inverse = inversesqrt(squared(distance) + softening);
    precise const vec3 result = distance * (to.w * inverse * inverse * inverse);
    return result;
}

void main() {
    const uint id = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    const vec4 body = before[id];
    precise vec3 sum = vec3(0.0);
    for (uint base = 0; base < count; base += gl_WorkGroupSize.x) {
        tile[lane] = before[base + lane];
        barrier();
        for (uint i = 0; i < gl_WorkGroupSize.x; ++i) sum += acceleration(body, tile[i]);
        barrier();
    }
    vec4 v = velocity[id];
    v.xyz = fma(vec3(dt), sum, v.xyz);
    velocity[id] = v;
    after[id] = vec4(fma(vec3(dt), v.xyz, body.xyz), body.w);
}
