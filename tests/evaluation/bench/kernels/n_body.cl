// SPDX-License-Identifier: Apache-2.0
// One step of all-pairs gravity, a tile of bodies at a time. xyz is the position, w the mass.
float3 acceleration(float4 from, float4 to, float softening) {
    const float3 distance = to.xyz - from.xyz;
    const float inverse = rsqrt(dot(distance, distance) + softening);
    return distance * (to.w * inverse * inverse * inverse);
}

kernel void n_body(global const float4* restrict before, global float4* restrict after, global float4* restrict velocity,
                   uint count, float dt, float softening, local float4* tile) {
    const uint id = get_global_id(0), lane = get_local_id(0);
    const float4 body = before[id];
    float3 sum = (float3)(0.0f);
    for (uint base = 0; base < count; base += get_local_size(0)) {
        tile[lane] = before[base + lane];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < get_local_size(0); ++i) sum += acceleration(body, tile[i], softening);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = velocity[id];
    v.xyz += dt * sum;
    velocity[id] = v;
    after[id] = (float4)(body.xyz + dt * v.xyz, body.w);
}
