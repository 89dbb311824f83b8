// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
struct s { int a; };
struct unknown;
int function(void);
kernel void k(global int *out, int i, uint u, float f, double d, bool b, char c, long l, struct s s, float4 f4, int4 i4, uint4 u4,
              char4 c4, short4 s4, int8 i8, int2 i2, long4 l4, global float *fp, local int *lp, const int fixed) {
    // 1.3.1 arithmetic
    f % f;                 // 1.3.1-2
    i % f;                 // 1.3.1-2
    f4 % f4;               // 1.3.1-2
    d % 2.0;               // 1.3.1-2
    f4 % 2.0f;             // 1.3.1-2
    i4 + i2;               // 1.3.1-4
    i4 * i8;               // 1.3.1-4
    s + s;                 // 1.3.1-4
    i * s;                 // 1.3.1-4
    fp + fp;               // 1.3.1-4
    fp * i;                // 1.3.1-4
    fp + f;                // 1.3.1-4
    i - fp;                // 1.3.1-4
    i4 + fp;               // 1.3.1-4
    // 1.3.2 unary plus and minus
    +s;                    // 1.3.2-1
    -fp;                   // 1.3.2-1
    // 1.3.3 increments
    i4++ ++;               // 1.3.3-1
    (i4 + i4)++;           // 1.3.3-1
    5--;                   // 1.3.3-1
    fixed++;               // 1.3.3-1
    f4++;                  // 1.3.3-2
    --f4;                  // 1.3.3-2
    s++;                   // 1.3.3-1
    // 1.3.4 relations, 1.3.5 equality
    i4 < i2;               // 1.3.4-6
    s < s;                 // 1.3.4-6
    i4 >= u4;              // 1.3.4-6
    f > fp;                // 1.3.4-6
    s == s;                // 1.3.5-1
    i4 != i2;              // 1.3.5-1
    f4 == i4;              // 1.3.5-1
    float4 wrong = f4 < f4;   // 1.3.4-4: the result is an int4
    int8 wrong8 = f4 == f4;   // 1.3.5-1
    int4 narrow = c4 < c4;    // 1.3.4-4: a char4
    int4 wide = l4 != l4;     // 1.3.5-1: a long4
    // 1.3.6 bitwise
    f & f;                 // 1.3.6-2
    i | f;                 // 1.3.6-2
    f4 ^ f4;               // 1.3.6-2
    ~f;                    // 1.3.6-2
    ~f4;                   // 1.3.6-2
    ~fp;                   // 1.3.6-2
    // 1.3.7, 1.3.8 logical
    s && i;                // 1.3.7-1
    i || s;                // 1.3.7-1
    i4 && i2;              // 1.3.7-1
    i ^^ i;                // 1.3.7-5
    !s;                    // 1.3.8-1
    float4 no = !f4;       // 1.3.8-1: an int4
    // 1.3.9 ?:
    f ? i : i;             // 1.3.9-3
    f4 ? f4 : f4;          // 1.3.9-3
    s ? i : i;             // 1.3.9-3
    i ? i4 : f4;           // 1.3.9-4
    i ? s : i;             // 1.3.9-4
    i4 ? i4 : u4;          // 1.3.9-4
    i4 ? f4 : d;           // 1.3.9-4
    c4 ? i4 : i4;          // 1.3.9-5: widths
    i2 ? i4 : i4;          // 1.3.9-5: counts
    l4 ? f4 : f4;          // 1.3.9-5
    // 1.3.10 shifts
    f << 1;                // 1.3.10-2
    i >> f;                // 1.3.10-2
    f4 << i4;              // 1.3.10-2
    i4 << f4;              // 1.3.10-2
    i << i4;               // 1.3.10-3
    i4 << i2;              // 1.3.10-3
    // 1.3.11 sizeof
    sizeof(function);      // 1.3.11-5
    // DIFFERS 1.3.11-5: clang forgets types that are no expression
    sizeof(int(void));     // 1.3.11-5
    sizeof(struct unknown);  // 1.3.11-5
    sizeof(void);          // 1.3.11-5
    sizeof(int[]);         // 1.3.11-5
    sizeof(int[i]);        // 1.3.11-7
    // 1.3.12 comma
    (i, s) + 1;            // 1.3.12-1: the type of the last
    // 1.3.13, 1.3.14
    *i;                    // 1.3.13-1
    *f4;                   // 1.3.13-1
    *s;                    // 1.3.13-1
    *(global struct unknown *)out;  // 1.3.13-1
    &5;                    // 1.3.14-1
    &(i + i);              // 1.3.14-1
    &i++;                  // 1.3.14-1
    global int *taken = &f;  // 1.3.14-1: of its own type and space
}
