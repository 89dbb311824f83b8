// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits
// Instructions on values that compilers of OpenCL C seldom make, specialisation constants and decorations: values.spvasm has the
// functions, which are called as their instructions are.
#include "assert.h"

int signed_mod(int a, int b);
int signed_rem(int a, int b);
int unsigned_mod(int a, int b);
float float_mod(float a, float b);
float float_rem(float a, float b);
long add_carry(int a, int b);
long subtract_borrow(int a, int b);
long multiply_unsigned(int a, int b);
long multiply_signed(int a, int b);
// The low member of a result of narrow integers, with the high one above 16 bits.
int add_carry_char(int a, int b);
int add_carry_short(int a, int b);
int8 add_carry_short8(int8 a, int8 b);
int subtract_borrow_char(int a, int b);
int subtract_borrow_short(int a, int b);
int8 subtract_borrow_short8(int8 a, int8 b);
int multiply_unsigned_char(int a, int b);
int multiply_unsigned_short(int a, int b);
int8 multiply_unsigned_short8(int8 a, int8 b);
int multiply_signed_char(int a, int b);
int multiply_signed_short(int a, int b);
int8 multiply_signed_short8(int8 a, int8 b);
int saturate_to_unsigned(int a);
int saturate_narrow(int a);
int saturate_to_signed(int a);
float quantize(float a);
int ordered(float a, float b);
int unordered(float a, float b);
int less_or_greater(float a, float b);
int unordered_equal(float a, float b);
int unordered_less(float a, float b);
int unordered_not_less(float a, float b);
int ordered_unequal(float a, float b);
int finite(float a);
int normal(float a);
int negative(float a);
int logical(int a, int b);
int select_vector(int4 a, int4 b);
float scaled_dot(float4 a, float b);
int shuffled(int4 a, int4 b);
int shift_narrow(int a, int b);
int shift_by_long(int a, long b);
int reverse_bits(int a);
int count_bits(int a);
int dot_shorts(int a, int b);
int dot_saturated(int a, int b);
long dot_mixed(int a, int b);
int spec_sum(int a);
float spec_scaled(int a);
int spec_length(int a);
int spec_address(int a);
int undefined(int a);
int null_values(int a);
int bit_cast(float a);
float rounded_up(int a);
int saturated(float a);
int rounded_down(float a);

kernel void test_narrow_pairs(global uint *record, global int *in) {
    const int seven = in[7], three = in[3], all = in[0] - 1;
    ASSERT(0x10006, add_carry_char(all, seven)); ASSERT(10, add_carry_char(seven, three)); ASSERT(255, add_carry_char(all, in[0]));
    ASSERT(0x10006, add_carry_short(all, seven)); ASSERT(0x106, add_carry_short(in[255], seven)); ASSERT(0x1fffe, add_carry_short(all, all));
    ASSERT(4, subtract_borrow_char(seven, three)); ASSERT(0x100fc, subtract_borrow_char(three, seven)); ASSERT(0, subtract_borrow_char(all, all));
    ASSERT(4, subtract_borrow_short(seven, three)); ASSERT(0x1fffc, subtract_borrow_short(three, seven));
    ASSERT(0xfe0001, multiply_unsigned_char(all, all)); ASSERT(0xfffe0001, multiply_unsigned_short(all, all));
    ASSERT(1, multiply_signed_char(all, all)); ASSERT(0xff00eb, multiply_signed_char(-seven, three));
    ASSERT(1, multiply_signed_short(all, all)); ASSERT(0xffffffeb, multiply_signed_short(-seven, three));
    const int8 a = (int8)(all, seven, three, 0x8000, 0, all, 1, 2) + in[0], b = (int8)(seven, all, seven, 0x8000, 0, all, 1, 3);
    const int8 sum = add_carry_short8(a, b), difference = subtract_borrow_short8(a, b);
    const int8 product = multiply_unsigned_short8(a, b), signed_product = multiply_signed_short8(a, b);
    ASSERT(0x10006, sum.s0); ASSERT(0x10006, sum.s1); ASSERT(10, sum.s2); ASSERT(0x10000, sum.s3); ASSERT(0, sum.s4); ASSERT(0x1fffe, sum.s5); ASSERT(5, sum.s7);
    ASSERT(0xfff8, difference.s0); ASSERT(0x10008, difference.s1); ASSERT(0x1fffc, difference.s2); ASSERT(0, difference.s3); ASSERT(0, difference.s5); ASSERT(0x1ffff, difference.s7);
    ASSERT(0x6fff9, product.s0); ASSERT(21, product.s2); ASSERT(0x40000000, product.s3); ASSERT(0xfffe0001, product.s5); ASSERT(6, product.s7);
    ASSERT(-7, signed_product.s0); ASSERT(0x40000000, signed_product.s3); ASSERT(1, signed_product.s5); ASSERT(6, signed_product.s7);
}

kernel void test_integers(global uint *record, global int *in) {
    const int seven = in[7], three = in[3], all = in[0] - 1;
    ASSERT(2, signed_mod(-seven, three)); ASSERT(-2, signed_mod(seven, -three)); ASSERT(-1, signed_mod(-seven, -three)); ASSERT(0, signed_mod(-6, three));
    ASSERT(-1, signed_rem(-seven, three)); ASSERT(1, signed_rem(seven, -three)); ASSERT(3, unsigned_mod(all, seven - 3));
    ASSERT_LONG(0x100000006ul, add_carry(all, seven)); ASSERT_LONG(10, add_carry(seven, three));
    ASSERT_LONG(4, subtract_borrow(seven, three)); ASSERT_LONG(0x1fffffffcul, subtract_borrow(three, seven));
    ASSERT_LONG(0xfffffffe00000001ul, multiply_unsigned(all, all)); ASSERT_LONG(1, multiply_signed(all, all)); ASSERT_LONG(-21, multiply_signed(-seven, three));
    ASSERT(0, saturate_to_unsigned(all)); ASSERT(7, saturate_to_unsigned(seven)); ASSERT(255, saturate_narrow(in[300])); ASSERT(0, saturate_narrow(-seven));
    ASSERT(200, saturate_narrow(in[200])); ASSERT(32767, saturate_to_signed(all)); ASSERT(7, saturate_to_signed(seven));
    ASSERT(-4, shift_narrow(in[0xe0], three)); ASSERT(4, shift_narrow(in[0x20], three)); ASSERT(56, shift_by_long(seven, three));
    ASSERT(0xe0000000, reverse_bits(seven)); ASSERT(16, count_bits(all)); ASSERT(3, count_bits(seven));
    ASSERT(0x80010000, dot_shorts(0x80007fff + in[0], 0x7fff8000)); ASSERT(65533, dot_saturated(0x10000 + in[0], 0x30000));
    ASSERT(65535, dot_saturated(0x10001 + in[0], 0x30004)); ASSERT_LONG(4294967293, dot_mixed(all, in[2])); ASSERT_LONG(70, dot_mixed(in[0] + 5, in[4] + 0) + 5);
    ASSERT(0, logical(seven, three)); ASSERT(1, logical(seven, in[0])); ASSERT(0, logical(in[0], in[0]));
    ASSERT(9 * 4, select_vector((int4)(in[9], 2, 3, 4), (int4)(in[1], 2, 3, in[4]))); ASSERT(0, select_vector((int4)(in[1]), (int4)(in[2])));
    ASSERT(702, shuffled((int4)(in[1], in[2], 3, 4), (int4)(5, 6, in[7], 8)));
    ASSERT(507 + 5, spec_sum(seven)); ASSERT_BITS(0xc22f0000, spec_scaled(seven)); ASSERT(5, spec_length(in[5])); ASSERT(107, spec_address(seven)); ASSERT(7, undefined(seven)); ASSERT(7, null_values(seven));
}

kernel void test_floats(global uint *record, global int *in) {
    const float seven = in[7], three = in[3], zero = in[0], nan = as_float(0x7fc00000 | in[0]), infinity = as_float(0x7f800000 | in[0]);
    ASSERT_BITS(0x40000000, float_mod(-seven, three)); ASSERT_BITS(0xc0000000, float_mod(seven, -three)); ASSERT_BITS(0x3f800000, float_rem(seven, -three));
    ASSERT_BITS(0x3dccccca, float_mod(as_float(0x3f333333 | in[0]), 0.1f)); ASSERT_BITS(0x3f800000, float_mod(as_float(0x501502f9 | in[0]), 1.5f));
    ASSERT_BITS(0x40400000, float_mod(three, infinity)); ASSERT_BITS(0x7f800000, float_mod(-three, infinity));
    ASSERT_BITS(0xbf800000, float_rem(-seven, three)); ASSERT_BITS(0x3f801000 & 0xffffe000, quantize(as_float(0x3f800fff | in[0])));
    ASSERT_BITS(0x3f802000, quantize(as_float(0x3f801001 | in[0]))); ASSERT_BITS(0x7f800000, quantize(seven * 1e5f)); ASSERT_BITS(0x80000000, quantize(-seven * 1e-9f));
    ASSERT(1, ordered(seven, three)); ASSERT(0, ordered(seven, nan)); ASSERT(1, unordered(nan, three)); ASSERT(0, unordered(three, three));
    ASSERT(1, less_or_greater(seven, three)); ASSERT(0, less_or_greater(three, three)); ASSERT(0, less_or_greater(nan, three));
    ASSERT(1, unordered_equal(nan, three)); ASSERT(1, unordered_equal(three, three)); ASSERT(0, unordered_equal(seven, three));
    ASSERT(1, unordered_less(nan, nan)); ASSERT(1, unordered_less(three, seven)); ASSERT(0, unordered_less(seven, three));
    ASSERT(1, unordered_not_less(nan, seven)); ASSERT(0, unordered_not_less(three, seven)); ASSERT(0, ordered_unequal(nan, three)); ASSERT(1, ordered_unequal(seven, three));
    ASSERT(1, finite(seven)); ASSERT(0, finite(infinity)); ASSERT(0, finite(nan)); ASSERT(1, normal(-seven)); ASSERT(0, normal(zero)); ASSERT(0, normal(-infinity));
    ASSERT(1, negative(-zero)); ASSERT(0, negative(zero)); ASSERT(1, negative(-infinity));
    ASSERT_BITS(as_uint(2.0f * (49 + 9 + 1 + 4)), scaled_dot((float4)(seven, three, 1, 2), zero + 2));
    ASSERT(0x40e0, bit_cast(seven)); ASSERT_BITS(0x4b800001, rounded_up(16777217 + in[0])); ASSERT_BITS(0xcb800000, rounded_up(-16777217 - in[0]));
    ASSERT(255, saturated(seven * 100)); ASSERT(0, saturated(-seven)); ASSERT(4, saturated(seven * 0.5f)); ASSERT(-4, rounded_down(seven * -0.5f)); ASSERT(3, rounded_down(seven * 0.5f));
}
