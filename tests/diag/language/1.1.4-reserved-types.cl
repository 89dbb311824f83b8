// SPDX-License-Identifier: Apache-2.0
// Names that OpenCL C keeps for types to come are no types, and declaring them is remarked on.
// OPTIONS: -Wpedantic
typedef int float5;         // 1.1.4-1
typedef int ushort32;       // 1.1.4-1
typedef int bool4;          // 1.1.4-2
typedef int quad;           // 1.1.4-4
typedef int quad2;          // 1.1.4-4
typedef float2 complex;     // 1.1.4-5, 1.1.4-6, 1.1.4-7, 1.1.4-8
typedef float2 imaginary;   // 1.1.4-5, 1.1.4-6, 1.1.4-7, 1.1.4-8
typedef struct { float4 row[4]; } float4x4;   // 1.1.4-9
typedef struct { float4 row[2]; } double2x4;  // 1.1.4-9
typedef int float4;         // 1.1.9-1
typedef uint uint;          // the same type again is fine
typedef int half3;          // 1.1.4-3
typedef int float2x, x2, floatx2, quad_t, bool_4, longlong;  // not reserved
kernel void k(global int *out) {
    quad2x q;               // 1.1.4-4: no type
    complex float c;        // 1.1.4-6
    // DIFFERS 1.1.4-6: the types are reserved; SPIR-V has none for them
    float _Complex d;       // 1.1.4-6
    // DIFFERS 1.1.4-5: as above
    half _Complex e;        // 1.1.4-5
    // DIFFERS 1.1.4-7: as above
    double _Complex f;      // 1.1.4-7
    float _Imaginary g;     // 1.1.4-6
    quad _Complex h;        // 1.1.4-8
    // DIFFERS 1.1.4-10: clang makes it an fp128, for which SPIR-V has no type
    long double i;          // 1.1.4-10
    long double4 j;         // 1.1.4-10
    long long l;            // 1.1.4-11: taken as long, with a warning
    unsigned long long m;   // 1.1.4-11
    ulong long n;           // 1.1.4-11
    long long4 o;           // 1.1.4-11
    // DIFFERS 1.1.4-11: clang makes it a 128-bit long long
    out[0] = 18446744073709551616 != 0;  // 1.1.4-11
}
