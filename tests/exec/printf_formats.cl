// SPDX-License-Identifier: Apache-2.0
// printf by formats that functions get from their callers (1.13.13-5): from several calls, through several functions,
// chosen among some, as a string that the function reads too, and in loops.
// PRINTS: x = 1
// PRINTS: y is 2 there
// PRINTS: x = 3
// PRINTS: [7] x = 7
// PRINTS: [8] y is 8 there
// PRINTS: 9 and nine: 17
// PRINTS: even 0
// PRINTS: odd 1
// PRINTS: even 2
// PRINTS: x = 4
// PRINTS: stars: 5 of *
// PRINTS: last none
#include "assert.h"

void say(constant char *format, int x) { printf(format, x); }
void say_all(constant char *format, int x) {
    printf("[%d] ", x);
    say(format, x);
}
int two(constant char *first, int x, constant char *second, int y) { return printf(first, x) + printf(second, y); }
int stars(constant char *format, int x) {
    int found = 0;
    for (int i = 0; format[i] != 0; i++) found += format[i] == '*';
    printf(format, x);
    return found;
}
void chosen(constant char *format, int x, int is_last) { say(is_last ? "last none\n" : format, x); }

kernel void test_formats(global uint *record, global int *in) {
    say("x = %d\n", in[1]);
    say("y is %d there\n", in[2]);
    say("x = %d\n", in[3]);
    say_all("x = %d\n", in[7]);
    say_all("y is %d there\n", in[8]);
    ASSERT(0, two("%d and ", in[9], "nine: %d\n", in[9] + 8));
    for (int i = 0; i < in[3]; i++) say(i % 2 == 0 ? "even %d\n" : "odd %d\n", i);
    chosen("x = %d\n", in[4], in[0]);
    ASSERT(1, stars("stars: %d of *\n", in[5]));
    chosen("no %d\n", in[6], in[1]);
}
