// printf: conversions, flags, widths, precisions, lengths and vectors (OpenCL C 6.13.13).
#include "assert.h"

kernel void test_examples(global uint *record) {
    float4 f = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
    uchar4 uc = (uchar4)(0xFA, 0xFB, 0xFC, 0xFD);
    ASSERT(0, printf("f4 = %2.2v4hlf\n", f));  // 1.13.13-1 1.13.13-44
    ASSERT(0, printf("uc = %#v4hhx\n", uc));
    // PRINTS: f4 = 1.00,2.00,3.00,4.00
    // PRINTS: uc = 0xfa,0xfb,0xfc,0xfd
}

kernel void test_integers(global uint *record, global int *in) {
    int seven = in[7];
    ASSERT(7, seven);
    printf("%d %i %u\n", seven, -seven, -seven);  // 1.13.13-26 1.13.13-28
    // PRINTS: 7 -7 4294967289
    ASSERT(0, __builtin_printf("%d of %g\n", seven, 1.5f * seven));
    // PRINTS: 7 of 10.5
    printf("%o %x %X %#o %#x %#X %#x\n", 8 + seven, 0xabc, 0xabc, 8, 0xabc, 0xabc, seven - 7);  // 1.13.13-27 -29 -14
    // PRINTS: 17 abc ABC 010 0xabc 0XABC 0
    printf("|%5d|%-5d|%05d|%+d|% d|%+ d|%-05d|\n", seven, seven, seven, seven, seven, seven, seven);  // 1.13.13-11 -12
    // PRINTS: |    7|7    |00007|+7| 7|+7|7    |
    printf("|%.3d|%8.3d|%08.3d|%.0d|%.d|%2d|\n", seven, seven, seven, seven - 7, seven - 7, 12345);  // 1.13.13-7 -8 -15
    // PRINTS: |007|     007|     007|||12345|
    printf("%hhd %hhu %hd %hu\n", 0x1ff, 0x1ff, 0x1ffff, 0x1ffff);  // 1.13.13-20 1.13.13-21
    // PRINTS: -1 255 -1 65535
    printf("%ld %lu %lx %d\n", -1L - seven, -1L, 0x123456789abcdefL, seven);  // 1.13.13-23
    // PRINTS: -8 18446744073709551615 123456789abcdef 7
    printf("%d %d\n", (char)-3, (ushort)65535);
    // PRINTS: -3 65535
}

kernel void test_floats(global uint *record, global int *in) {
    float half_ = (float)in[1] / (float)in[2], zero = (float)in[0];
    ASSERT(1, half_ == 0.5f);
    printf("%f %F %.0f %#.0f %.2f %8.3f|%-8.1f|%08.2f\n", half_, half_, 2.0f, 2.0f, 2.345f, half_, half_, -half_);
    // PRINTS: 0.500000 0.500000 2 2. 2.35    0.500|0.5     |-0000.50
    printf("%e %E %.1e %e\n", half_, 12345.0f, 0.00012f, zero);  // 1.13.13-31
    // PRINTS: 5.000000e-01 1.234500E+04 1.2e-04 0.000000e+00
    printf("%g %g %G %g %#g %.3g\n", half_, 100000.0f, 1e10f, 1e-5f, 1.0f, 1234.0f);  // 1.13.13-32
    // PRINTS: 0.5 100000 1E+10 1e-05 1.00000 1.23e+03
    printf("%a %A %.1a\n", half_, 1.5f, 1.5f);  // 1.13.13-33
    // PRINTS: 0x1p-1 0X1.8P+0 0x1.8p+0
    printf("%f %+.1f %.0f\n", -zero, -0.01f, -0.4f);  // 1.13.13-16
    // PRINTS: -0.000000 -0.0 -0
    printf("|%f|%5f|%-5f|%05f|%+F|% f|%f|\n", INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, -INFINITY);
    // PRINTS: |inf|  inf|inf  |  inf|+INF| inf|-inf|
    printf("|%5.1f|%05F|\n", fabs(NAN), fabs(NAN));  // 1.13.13-30 1.13.13-38
    // PRINTS: |  nan|  NAN|
}

kernel void test_vectors(global uint *record, global int *in) {
    int4 v = (int4)(in[1], -in[2], in[3], in[4]);
    ASSERT(4, v.w);
    printf("%v4hld|%v2hlx|%3v3hld|%-3v2hlu|\n", v, v.zw, v.xyz, v.xw);  // 1.13.13-17 1.13.13-18 1.13.13-22
    // PRINTS: 1,-2,3,4|3,4|  1, -2,  3|1  ,4  |
    printf("%v2hhd %v3hhu %v16hhd\n", convert_char2(v.xy), convert_uchar3(v.xyz), (char16)(-1));
    // PRINTS: 1,-2 1,254,3 -1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1
    printf("%v2hd %v3hd %v8hu\n", convert_short2(v.xy), convert_short3(v.xyz), (ushort8)(1, 2, 3, 4, 5, 6, 7, 65535));
    // PRINTS: 1,-2 1,-2,3 1,2,3,4,5,6,7,65535
    printf("%v3ld %v2lx\n", convert_long3(v.xyz), (ulong2)(0x123456789abcdefL, 1));
    // PRINTS: 1,-2,3 123456789abcdef,1
    printf("%v3hlf %.1v2hle %+v2hlg %v2hla\n", convert_float3(v.xyz), (float2)(0.5f, 20), (float2)(1, -1), (float2)(1, 2));
    // PRINTS: 1.000000,-2.000000,3.000000 5.0e-01,2.0e+01 +1,-1 0x1p+0,0x1p+1
    printf("%v16hld %s\n", (int16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), "after");
    // PRINTS: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 after
}

constant char *constant names[] = {"zero", "one", "two"};
constant char shared_format[] = "shared %d\n";

kernel void test_strings(global uint *record, global int *in) {
    printf("%s|%5s|%-5s|%.2s|%5.1s|%s|\n", "abc", "abc", "abc", "abc", "abc", "");  // 1.13.13-35
    // PRINTS: abc|  abc|abc  |ab|    a||
    printf("%s %s %s\n", in[1] ? "yes" : "no", in[0] ? "yes" : "no", in[2] == 2 ? "two" : "not two");
    // PRINTS: yes no two
    for (int i = 0; i < 3; i++) printf("%s ", names[in[i]]);
    printf("end\n");
    // PRINTS: zero one two end
    printf("%c%c%3c|%-3c|\n", 'o', in[107], '!', 'x');  // 1.13.13-34
    // PRINTS: ok  !|x  |
    printf("100%% %d%%\n", 5);  // 1.13.13-37
    // PRINTS: 100% 5%
    printf(shared_format, 1);  // 1.13.13-5
    // PRINTS: shared 1
    constant char *kept = "kept %d %.2s\n";
    printf(kept, 2, kept + 8);
    // PRINTS: kept 2 %.
    printf("quoted \"\\\"\n");
    // PRINTS: quoted "\"
    ASSERT(0, printf(""));
}

kernel void test_pointers(global uint *record, global int *in) {
    local int l[4];
    int p = 0;
    l[0] = 1;
    ASSERT(0, printf("%d %s\n", (in != 0) + l[0] + p, "pointer"));
    // PRINTS: 2 pointer
    printf("%p|%6p|%-6p|\n", (global int *)0, (constant void *)0, (local int *)0);  // 1.13.13-36
    // PRINTS: 0x0|   0x0|0x0   |
}

int nested(int value) { return printf("nested %d\n", value) + value; }

kernel void test_functions(global uint *record, global int *in) {
    ASSERT(3, nested(in[3]));
    ASSERT(4, nested(in[4]));
    if (in[0]) printf("never\n");
    // PRINTS: nested 3
    // PRINTS: nested 4
}

kernel void test_excess(global uint *record, global int *in) {
    int evaluated = 0;
    printf("%d\n", 1, ++evaluated, 2.0f);  // 1.13.13-4
    ASSERT(1, evaluated);
    // PRINTS: 1
}

constant char kTable[2][8] = {"t0 %d\n", "t1 %d\n"};

// Formats that are chosen at run time among known ones, which take other arguments each (1.13.13-4).
kernel void test_choices(global uint *record, global int *in) {
    int failed = 0;
    for (int i = 0; i < in[4]; i++)
        failed += printf(i == in[3] ? "%d\n" : i == in[1] ? "[%d]%d " : "%d ", i, in[5]);
    // PRINTS: 0 [1]5 2 3
    int n = 0;
    do {
        failed += printf(n & in[1] ? "odd\n" : "even %d\n", n);
    } while (++n < in[3]);
    // PRINTS: even 0
    // PRINTS: odd
    // PRINTS: even 2
    switch (in[5]) {
        case 5: printf(n > in[2] ? "big %s\n" : "small\n", n > in[4] ? "x" : "y"); break;
        default: printf("none\n");
    }
    // PRINTS: big y
    printf(in[6] > in[1] ? kTable[1] : kTable[0], in[5]);
    printf(in[1] > in[6] ? kTable[1] : kTable[0], in[5]);
    // PRINTS: t1 5
    // PRINTS: t0 5
    printf(in[0] ? "same\n" : "same\n");
    // PRINTS: same
    ASSERT(0, failed); ASSERT(3, n);
}
