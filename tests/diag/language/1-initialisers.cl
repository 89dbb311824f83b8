// SPDX-License-Identifier: Apache-2.0
// Constraints of C99 6.7.8: all of them 1-1. OPTIONS: -ferror-limit=0
struct pair { int a; float b; };
struct inner { int a; struct { int b, c; } d; };
union either { int a; float b; };
int call(void);
constant int beyond[4] = {[4] = 2};
constant int negative[4] = {[-1] = 2};
constant int fraction[4] = {[1.0f] = 2};
constant int backwards[4] = {[3 ... 1] = 2};
constant int nested_beyond[2][2] = {[0][2] = 2};
constant int empty = {};
constant int scalar_for_array[2] = 1;
constant int missing[];
constant int none[0];
constant int minus[-1] = {};
constant int half_a_size[1.5] = {};
constant int inner_size[2][] = {{1, 2}, {3, 4}};
constant int from_string[] = "abc";
constant char from_pointer = "abc";
constant char wide[] = L"abc";
// DIFFERS 1-1: there is no wchar_t in OpenCL C (6.9f)
constant int wider[] = L"abc";
constant struct pair no_field = {.c = 1};
constant struct pair scalar_for_struct = 1;
constant struct inner too_deep = {.b = 1};
constant int no_aggregate = {.a = 1};
constant int4 short_of = {1, 2, 3};
constant int4 too_many = {1, 2, 3, 4, 5};
constant int4 designated = {.x = 1};
constant float not_constant = call();
constant int division = 1 / 0;
constant int itself = itself;
constant int statement = ({ 1; });
constant int *constant from_integer = 1;
constant int from_address = &empty;
void k(int n, struct pair p, union either u) {
    int a[2] = {1}, b[2] = a;
    int c[2] = {[n] = 1};
    int d[2] = {n, .x = 1};
    struct pair e = {[0] = 1};
    union either f = {u};
    struct pair g = u;
    int h = {p};
    int4 i = 1, 2, 3, 4;
    int j[];
    int l[n];
    int m[n] = {0};
    struct pair *q = {p};
    (struct pair){1, 2, .z = 3};
    (void){1};
    (int[n]){1};
    (struct unknown){1};
}
