// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
struct s { int a; };
int4 returned(float4 f) { return f; }  // 1.2.1-3
void taken(uint4 u);
kernel void k(global int *out, int i, uint u, float f, double d, bool b, char c, size_t n, long l, struct s s, float4 f4,
              int4 i4, uint4 u4, char4 c4, short4 s4, int8 i8, int2 i2, long4 l4, double4 d4, global float *fp) {
    // Implicit conversions
    int4 copy = f4;          // 1.2.1-3
    u4 = i4;                 // 1.2.1-3
    i4 = i8;                 // 1.2.1-3
    taken(i4);               // 1.2.1-3
    f = f4;                  // 1.2.1-3: nor to a scalar
    i = s;                   // 1.2.1-1: built-in scalars only
    global int *p = f;       // 1.2.1-4
    f = fp;                  // 1.2.1-4
    // Casts
    u4 = (uint4)i4;          // 1.2.2-2
    i4 = (int4)f4;           // 1.2.2-2
    i8 = (int8)f4;           // 1.2.2-2
    f = (float)f4;           // 1.2.2-2
    i = (int)s;              // 1.2.2-1
    (struct s)i;             // 1.2.2-1
    f4 = (float4)fp;         // 1.2.2-3
    i = (float)fp;           // 1.2.5-1: a pointer is no number
    fp = (global float *)f;  // 1.2.5-1
    fp = (global float *)i4; // 1.2.5-1
    // convert_…: no bool, size_t and its kin, void
    convert_bool(i);         // 1.2.3-2
    convert_size_t(i);       // 1.2.3-2
    convert_ptrdiff_t(i);    // 1.2.3-2
    convert_intptr_t(i);     // 1.2.3-2
    convert_void(i);         // 1.2.3-2
    convert_int4(i);         // 1.2.3-3
    convert_int(i4);         // 1.2.3-3
    convert_int4(i8);        // 1.2.3-3
    convert_int8(f4);        // 1.2.3-3
    convert_float_sat(i);    // 1.2.3-15
    convert_float4_sat(i4);  // 1.2.3-15
    convert_double_sat_rte(d);  // 1.2.3-15
    convert_int_rtx(f);      // 1.2.3-1
    convert_int_rte_sat(f);  // 1.2.3-1
    convert_int3x(f);        // 1.2.3-1
    // as_…
    as_double4(f4);          // 1.2.4-4
    as_int(d);               // 1.2.4-4
    as_int4(i8);             // 1.2.4-4
    as_long(i4);             // 1.2.4-4
    as_char(i);              // 1.2.4-4
    as_int3(i2);             // 1.2.4-4
    as_bool(c);              // 1.2.4-2
    as_void(c);              // 1.2.4-2
    // DIFFERS 1.2.4-2: clang takes bool as an argument
    as_char((bool)i);        // 1.2.4-2
    as_uchar(true);          // 1.2.4-2
    as_int(i == 0);          // 1-1: a comparison is an int
    __builtin_astype((bool)i, char);  // 1.2.4-2
    __builtin_astype(c, bool);        // 1.2.4-2
    // DIFFERS 1.2.4-2: clang takes whatever has four bytes
    as_int(s);               // 1.2.4-2
}
