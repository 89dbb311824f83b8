// SPDX-License-Identifier: Apache-2.0
// OPTIONS: --target=opencl2.0
// Elements without room for a value: once an endless loop.
struct none {};
struct with_none { int x; int z[0]; struct none e; };
void function(int n) {
    struct with_none a = {.x = 1, .z = 2};
    struct with_none b = {.e = n, .x = 2};
    struct none c[3] = {1, 2};
    struct with_none d = {1, 2, 3};
}
