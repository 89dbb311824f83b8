// SPDX-License-Identifier: Apache-2.0
// C99 6.7, 6.8: the `;` that is missing is pointed at behind what it should end, with the insertion that mends it.
#define ONE 1
struct pair {
    int a
    int b;
}
constant int table[2] = {1, 2}
constant int after = 3;
int sum(int n) {
    int total = n
    total += table[0];
    total += ONE
    for (int i = 0; i < n; ++i) {
        if (i == 2) break
        if (i == 1) continue  // DIFFERS 1-1: clang skips to the } after the fault before
    }
    do { --n; } while (n > 0)
    goto end  // DIFFERS 1-1: clang skips to the } after the fault before
end:
    return total  // DIFFERS 1-1: clang skips to the } after the fault before
}
