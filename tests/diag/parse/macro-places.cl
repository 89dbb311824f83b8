// SPDX-License-Identifier: Apache-2.0
// Faults in and behind macros: the place of use, and a note for the place of writing.
#define DECLARE int y
#define ADD(a) a + 1
#define BAD(a) a + ;
void f(int x) {
    DECLARE x;
    x = ADD((2) ) x = 1;
    x = BAD(3)
}
