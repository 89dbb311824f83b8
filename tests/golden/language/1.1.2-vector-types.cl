// SPDX-License-Identifier: Apache-2.0
// Every vector type, with and without optional elements.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define ALL(element) \
    struct element##s { element##2 a; element##3 b; element##4 c; element##8 d; element##16 e; }; \
    _Static_assert(sizeof(element##2) == 2 * sizeof(element) && sizeof(element##3) == 4 * sizeof(element) && \
                   sizeof(element##4) == 4 * sizeof(element) && sizeof(element##8) == 8 * sizeof(element) && \
                   sizeof(element##16) == 16 * sizeof(element), "sizes"); \
    kernel void use_##element(global struct element##s *p) { \
        p[1].a = p->a; p[1].b = p->b; p[1].c = p->c; p[1].d = p->d; p[1].e = p->e; \
    }
ALL(char)    // 1.1.2-1
ALL(uchar)   // 1.1.2-1
ALL(short)   // 1.1.2-1
ALL(ushort)  // 1.1.2-1
ALL(int)     // 1.1.2-1
ALL(uint)    // 1.1.2-1
ALL(long)    // 1.1.2-1
ALL(ulong)   // 1.1.2-1
ALL(float)   // 1.1.2-1
ALL(double)  // 1.1.2-2
// CHECK: OpCapability Vector16
// CHECK: %v2uchar = OpTypeVector %uchar 2
// CHECK: %v3uchar = OpTypeVector %uchar 3
// CHECK: %v4uchar = OpTypeVector %uchar 4
// CHECK: %v8uchar = OpTypeVector %uchar 8
// CHECK: %v16uchar = OpTypeVector %uchar 16
// CHECK: %v2ushort = OpTypeVector %ushort 2
// CHECK: %v16ushort = OpTypeVector %ushort 16
// CHECK: %v3uint = OpTypeVector %uint 3
// CHECK: %v8ulong = OpTypeVector %ulong 8
// CHECK: %v16float = OpTypeVector %float 16
// CHECK: %v3double = OpTypeVector %double 3
