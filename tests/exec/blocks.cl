// SPDX-License-Identifier: Apache-2.0
// Blocks that are called where they are known (OpenCL C 2.0 6.12).
// OPTIONS: -cl-std=CL2.0
// RUN: global=1
#include "assert.h"

int (^twice)(int) = ^(int x) { return 2 * x; };  // 1.12.3-9
int global_int = 40;
int (^get_global_int)(void) = ^{ return global_int; };

// DIFFERS 1.12.5-17: clang refuses parameters of block type, which example 1 of 6.12.5 calls legal
int apply(int (^f)(int, int), int a, int b) { return f(a, b); }
// DIFFERS 1.12.5-17: likewise
int apply_later(int (^f)(int, int), int a, int b) { return apply(f, a, b) + 1; }

kernel void test_calls(global uint* record, global const int* in) {
    int three = in[3], four = in[4];
    int (^multiply)(int) = ^(int n) { return n * three; };  // 1.12-1 1.12.1-1 1.12.3-2
    ASSERT(12, multiply(four));                             // 1.12.2-1
    three = 100;  // 1.12.3-5: the copy was taken above
    ASSERT(12, multiply(four));
    ASSERT(8, twice(four));
    ASSERT(40, get_global_int());                    // 1.12.3-4
    ASSERT(9, ^int(int x) { return x + 5; }(four));  // 1.12.3-1
    int (^same)(int) = multiply;
    ASSERT(21, same(in[7]));
}

kernel void test_captures(global uint* record, global const int* in) {
    char c = (char)in[1];
    float4 v = (float4)(in[1], in[2], in[3], in[4]);
    bool flag = in[1];
    ulong wide = (ulong)in[5] << 40;
    int3 odd = (int3)(in[1], in[2], in[3]);
    struct { int arr[2]; short s; } both = {{in[0], in[1]}, (short)in[2]};
    global const int* p = in + 6;
    int (^sum)(void) = ^{ return c + (int)v.w + flag + (int)(wide >> 40) + odd.z + both.arr[1] + both.s + *p; };
    both.arr[1] = 1000;
    ASSERT(1 + 4 + 1 + 5 + 3 + 1 + 2 + 6, sum());
}

// 1.12.5-15 (OpenCL C 2.0 6.12.5, example 5): structures are captured by value, arrays by reference.
kernel void test_arrays(global uint* record, global const int* in) {
    struct { int arr[2]; } s = {{in[0], in[1]}};
    int arr[2] = {in[0], in[1]};
    int (^bl1)(void) = ^{ return s.arr[1]; };
    int (^bl2)(void) = ^{ return arr[1]; };
    int (^nested)(void) = ^{ return ^{ return arr[0] + arr[1]; }(); };
    s.arr[1] = arr[1] = in[8];
    ASSERT(1, bl1());
    ASSERT(8, bl2());
    ASSERT(8, nested());
}

kernel void test_nested(global uint* record, global const int* in) {
    int a = in[1];
    int (^outer)(int) = ^(int b) {
        int c = in[3];  // 1.12.3-7
        int (^inner)(int) = ^(int d) { return a * 1000 + b * 100 + c * 10 + d; };
        c = 9;
        return inner(4);
    };
    ASSERT(1234, outer(in[2]));
}

// 6.12.5, example 1: a block is passed to a function, which is made once for each.
kernel void test_passed(global uint* record, global const int* in) {
    int z = in[5];
    int result;
    if (in[1])
        result = apply(^int(int x, int y) { return x + y + z; }, in[2], in[3]);
    else
        result = apply(^int(int x, int y) { return x * y - z; }, in[2], in[3]);
    ASSERT(10, result);
    ASSERT(2, apply_later(^(int x, int y) { return x * y - z; }, in[2], in[3]));
}

kernel void test_control(global uint* record, global const int* in) {
    int total = 0;
    for (int i = 0; i < 3; ++i) {
        int (^sum)(int) = ^(int n) {
            int s = i;
            for (int j = 0; j < n; ++j) {
                if (j == 3) break;  // 1.12.4-1
                s += j;
            }
            return s;
        };
        total += sum(in[8]);
    }
    ASSERT(3 * 3 + 3, total);
    int (^counter)(void) = ^{
        static int count = 10;
        return ++count;
    };
    counter();
    ASSERT(12, counter());
}

typedef int (^Binary)(int, int);  // 1.12.2-5
kernel void test_scopes(global uint* record, global const int* in) {
    static global int counter = 100;  // 1.12.3-4: not captured
    int base = in[2];
    Binary add = ^int(int a, int b) {
        int base = a;  // 1.12.3-3: a scope of its own
        counter += 1;
        return base + b;
    };
    counter = 100;
    ASSERT(7, add(in[3], in[4]));
    ASSERT(8, add(in[3], in[5]));
    ASSERT(102, counter);
    ASSERT(2, base);
    int (^nothing)(void) = ^{ return 5; };  // 1.12.3-3 1.12.3-6
    ASSERT(5, nothing());
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int (^of_turn)(void) = ^{ return i * base; };  // 1.12.5-6: taken anew in each turn, lasts to its end
        total += of_turn() + of_turn();
    }
    ASSERT(12, total);
}
