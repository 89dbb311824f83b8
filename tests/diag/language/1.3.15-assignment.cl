// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
struct s { int a; const int b; };
struct t { int a[4]; };
int function(void);
constant int table[2] = {1, 2};
constant float4 color = (float4)(1);
kernel void k(global int *out, global const int *in, int i, float f, float4 f4, int4 i4, uint4 u4, int2 i2, struct t t, global struct s *s,
              const int fixed) {
    i4 = f4;                 // 1.3.15-1, 1.3.15-2
    u4 = i4;                 // 1.3.15-2
    i = i4;                  // 1.3.15-2
    i = t;                   // 1.3.15-2
    t = i;                   // 1.3.15-2
    fixed = 1;               // 1.3.15-2: writable
    in[0] = 1;               // 1.3.15-2
    *in = 1;                 // 1.3.15-2
    s->b = 1;                // 1.3.15-2
    s[0] = s[1];             // 1.3.15-2
    table[0] = 1;            // 1.3.15-2
    // DIFFERS 1.5.3-7: clang forgets that constant memory is read-only
    color.x = 1;             // 1.3.15-2
    color = f4;              // 1.3.15-2
    int array[4];
    array = t.a;             // 1.3.15-3: no whole arrays
    i + 1 = 2;               // 1.3.15-4
    function = 0;            // 1.3.15-4
    function() = 0;          // 1.3.15-4
    f4.xx = (float2)(1);     // 1.3.15-4
    5 = i;                   // 1.3.15-4
    'a' = i;                 // 1.3.15-4
    (i ? i : i) = 1;         // 1.3.15-4
    (i, i) = 1;              // 1.3.15-4
    (float)i = 1;            // 1.3.15-4
    i++ = 1;                 // 1.3.15-4
    -i = 1;                  // 1.3.15-4
    sizeof(i) = 1;           // 1.3.15-4
    "abc" = 0;               // 1.3.15-4
    "abc"[0] = 'x';          // 1.3.15-4
    i4 += u4;                // 1.3.15-5
    i += i4;                 // 1.3.15-5
    f %= f;                  // 1.3.15-5
    f <<= 1;                 // 1.3.15-5
    f &= 1;                  // 1.3.15-5
    f4 |= f4;                // 1.3.15-5
    i2 *= i4;                // 1.3.15-5
    t += 1;                  // 1.3.15-5
    fixed += 1;              // 1.3.15-5
    i + 1 += 2;              // 1.3.15-5
}
