// SPDX-License-Identifier: Apache-2.0
// Vector loads and stores in each address space before 2.0, for every element type and length.
// OPTIONS: --target=opencl1.2 -cl-std=CL1.2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define COPY(T, n)                                                    \
    kernel void copy_##T##n(global T *g, local T *l, constant T *c) { \
        T p[16];                                                      \
        vstore##n(vload##n(1, c), 2, l);                              \
        vstore##n(vload##n(1, l), 2, p);                              \
        vstore##n(vload##n(1, p), 2, g);                              \
        vstore##n(vload##n(1, g), 2, l);                              \
    }
COPY(char, 2)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v2uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v2uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v2uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v2uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(uchar, 3)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v3uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v3uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v3uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v3uchar %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(short, 4)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v4ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v4ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v4ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v4ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(ushort, 8)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v8ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v8ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v8ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v8ushort %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(int, 16)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v16uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v16uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v16uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v16uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(uint, 2)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v2uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v2uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v2uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v2uint %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(long, 3)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v3ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v3ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v3ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v3ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(ulong, 4)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v4ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v4ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v4ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v4ulong %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(float, 8)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v8float %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v8float %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v8float %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v8float %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
COPY(double, 16)  // 1.13.7-1 1.13.7-2 1.13.7-14
// CHECK: OpExtInst %v16double %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v16double %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v16double %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
// CHECK: OpExtInst %v16double %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
kernel void halves(global half *g, local half *l, constant half *c) {
    half p[64];
    vstore_half(vload_half(1, c), 2, g);  // 1.13.7-4 1.13.7-6
// CHECK: OpExtInst %float %1 vload_half
// CHECK: OpExtInst %void %1 vstore_half
    vstore_half3(vload_half3(1, l), 2, p);  // 1.13.7-5 1.13.7-7
// CHECK: OpExtInst %v3float %1 vload_halfn
// CHECK: OpExtInst %void %1 vstore_halfn
    vstorea_half16(vloada_half16(1, p), 2, l);  // 1.13.7-8 1.13.7-9
// CHECK: OpExtInst %v16float %1 vloada_halfn
// CHECK: OpExtInst %void %1 vstorea_halfn
    vstore_half_rte(1.5, 2, g);  // 1.13.7-6 1.13.7-15
// CHECK: OpExtInst %void %1 vstore_half_r %double_1_5
// CHECK: RTE
    vstore_half_rtz(1.5f, 2, g);
// CHECK: OpExtInst %void %1 vstore_half_r %float_1_5
// CHECK: RTZ
    vstore_half2_rtp((double2)1.5, 2, g);  // 1.13.7-7
// CHECK: OpExtInst %void %1 vstore_halfn_r
// CHECK: RTP
    vstorea_half4_rtn((float4)1.5f, 2, g);  // 1.13.7-9
// CHECK: OpExtInst %void %1 vstorea_halfn_r
// CHECK: RTN
}
