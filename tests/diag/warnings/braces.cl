// SPDX-License-Identifier: Apache-2.0
// Braces around the initialiser of a scalar (-Wbraced-scalar-init), and of one element of a vector.
struct s { int x; int *p; int2 v; int a[2]; union { int u; float w; }; };
void function(void) {
    struct s a = {{1}, {0}, {1, 2}, {{1}, {2}}, {{1}}};
    struct s b = {.x = {1}, .a = {[1] = {2}}};
    struct s c = {{{1}}, {{0}}, {{1}, 2}};
    int d[] = {{1}, 2, {3}};
    int e = {1};
    int f = {{1}};
    int2 g = {{1}, 2}, h = {1, {2}}, i = {{1, 2}, 3};
    int4 j = {{1}, (int2)2, {3}};
    int2 k = {{1, 2}};
    int2 l = {{1}, {2}, 3};
    int2 m = {{}, 2};
}
