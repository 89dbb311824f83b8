// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL3.0
// printf with strings in any memory (SPV_EXT_relaxed_printf_string_address_space): relaxed_strings.spvasm has the
// functions.
#include "assert.h"

int print_global(int x);
int print_unwritten(int x);
int print_by_table(int x);
int print_generic(int x);
int print_filled(int x);
int print_initialised(int x);
int print_chosen(int second, int x);
int print_argument(int x);
int print_other(int x);
int print_other_tail(int x);
int print_other_chosen(int second, int x);
int print_other_argument(int x);

// Strings of this module, which the other one prints.
global char other_text[10] = "other %d\n";
global char other_string[5] = "text";

kernel void test_formats(global uint *record, global int *in) {
    ASSERT(0, print_global(in[1]));
    // PRINTS: global 1
    ASSERT(0, print_unwritten(in[2]));
    // PRINTS: unwritten 2
    ASSERT(0, print_by_table(in[3]));
    // PRINTS: global 3
    ASSERT(0, print_generic(in[4]));
    // PRINTS: al 4
    ASSERT(0, print_filled(in[5]));
    // PRINTS: filled 5
    ASSERT(0, print_initialised(in[6]));
    // PRINTS: filled 6
    ASSERT(0, print_chosen(in[0], in[7])); ASSERT(0, print_chosen(in[1], in[8]));
    // PRINTS: global 7
    // PRINTS: unwritten 8
}

kernel void test_formats_of_this_module(global uint *record, global int *in) {
    ASSERT(0, print_other(in[1]));
    // PRINTS: other 1
    ASSERT(0, print_other_tail(in[2]));
    // PRINTS: er 2
    ASSERT(0, print_other_chosen(in[0], in[3])); ASSERT(0, print_other_chosen(in[1], in[4]));
    // PRINTS: global 3
    // PRINTS: other 4
    ASSERT(0, print_other_argument(in[5]));
    // PRINTS: [text|5|xt]
}

kernel void test_arguments(global uint *record, global int *in) {
    ASSERT(0, print_argument(in[9]));
    // PRINTS: [text|9|xt]
}
