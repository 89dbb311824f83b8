// SPDX-License-Identifier: Apache-2.0
// C99 where OpenCL C takes nothing away (1-1), C11 where clang has it too (1-2), and the documents that both come from (4-1).
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
_Static_assert(__STDC_VERSION__ == 199901L, "ISO C99");  // 1-1, 4-1

// Initialisers: 1-1
struct point { int x, y; union { int z; float w; }; };
constant struct point points[] = {[1] = {.y = 2, .z = 3}, {1, 2}, [0].x = 9, [3 ... 4] = {4}};  // 1-1; unnamed members 1-2
constant int table[2][3] = {{1}, [1][1] = 5, 6};
constant char text[] = "abc" "def";
constant struct { union { struct { int a, b; }; int c[2]; }; int d; } nested = {.b = 7, .d = 8};  // 1-2
_Static_assert(sizeof(points) == 5 * 12 && sizeof(text) == 7, "sizes");

// Enumerations, with clang's fixed types
enum plain { kZero, kFive = 5, kSix, kMinus = -1 };
enum small : uchar { kSmall = 255 };
enum later;
int forward(enum later *e);
enum later { kLater = 3 };
_Static_assert(kSix == 6 && kMinus < 0 && sizeof(enum plain) == 4 && sizeof(enum small) == 1, "values");

// Functions by a typedef, by old style and before their definition: 1-1
typedef int binary(int, int);
binary add, subtract;
int old_style(a, b, c) int a; global int *b; { return a + *b + c; }
static int twice(int a[static 2]) { return a[0] * 2; }
_Noreturn void forever(void);  // 1-2
int by_type(float f) { return _Generic(f, int: 1, float: 2, default: 3); }  // 1-2
_Static_assert(_Generic(1.0f, int: 1, float: 2) == 2 && _Generic((short)1, default: 4) == 4, "by type");  // 1-2
_Alignas(16) constant int aligned = 1;  // 1-2
_Static_assert(_Alignof(double) == 8 && _Alignof(int4) == 16, "alignments");  // 1-2
// DIFFERS 1.1.4-11: clang gives it 128 bits, which SPIR-V does not have
_Static_assert(sizeof(long long) == 8, "as long");

kernel void k(global int *out, global int *in) {
    _Alignas(int4) char bytes[16];  // 1-2
    struct point p = {.w = 1.0f}, *q = &(struct point){in[0], in[1]};  // compound literals: 1-1
    int *r = (int[]){in[2], 2, 3}, both[2] = {in[3], 4};
    out[0] = p.x + q->y + r[0] + add(in[1], in[2]) + subtract(in[3], 1) + old_style(1, in, 2) + twice(both) + by_type(1.0f);
    for (int i = 0, j = 10; i < j; i++, j--) {
        switch (in[i]) {
            int unreached;
            case kZero ... kFive: continue;
            case 'a': out[i] += table[1][i]; break;
            default: goto done;
        }
    }
done:;
    int ternary = in[4] ?: in[5], after[] = {ternary, [3] = 4};
    int4 zero = {};
    out[1] = ((union { float f; int i; }){.f = 1.0f}).i + after[3] + zero.x + __func__[0] + points[1].y;
    bytes[in[0]] = text[in[1]];
    out[2] = bytes[1] + nested.b + aligned + kLater + sizeof("abc") + L'x';
}
int add(int a, int b) { return a + b; }
int subtract(int a, int b) { return a - b; }
int forward(enum later *e) { return *e; }
// CHECK: OpDecorate %bytes Alignment 16
// CHECK: OpDecorate %aligned Alignment 16
// table and points: the designators reached the elements that they name.
// CHECK: OpConstantComposite %_arr_uint_ulong_3 %uint_1 %uint_0 %uint_0
// CHECK: OpConstantComposite %_arr_uint_ulong_3 %uint_0 %uint_5 %uint_6
// CHECK: OpConstantComposite %struct_point %uint_9 %uint_0
// CHECK: OpConstantComposite %struct_point %uint_0 %uint_2
// CHECK: OpConstantComposite %struct_point %uint_1 %uint_2
// CHECK: OpConstantComposite %struct_point %uint_4 %uint_0
// CHECK: OpConstantComposite %_arr_struct_point_ulong_5
// CHECK: %k = OpFunction
// CHECK: OpFunctionCall %uint %add
// CHECK: OpFunctionCall %uint %subtract
// CHECK: OpFunctionCall %uint %old_style
// CHECK: OpFunctionCall %uint %twice
// CHECK: OpFunctionCall %uint %by_type
