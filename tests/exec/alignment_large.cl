// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL3.0
// aligned(N) above what any type wants, up to 4,096 bytes, in every address space (1.11.1-3).
#include "assert.h"
#define AT(x) ((uint)(uintptr_t)(x))
#define MISALIGNED(p, bytes) (AT(p) % (bytes))

typedef struct { char c; long l; } __attribute__((aligned(1024))) Page;
constant char before_page = 3;
constant Page constant_page = {4, 5};
global char global_char = 1;
global int global_int __attribute__((aligned(4096))) = 6;
kernel void test_pages(global uint *record, global int *in) {
    int small = in[1], x __attribute__((aligned(512))) = in[2], z __attribute__((aligned(4096))) = in[3];
    Page pages[2];
    pages[0].c = in[1]; pages[1].c = in[3];
    pages[in[1]].l = in[8];
    private Page *nowhere = in[0] ? pages : 0;
    constant int table[2] __attribute__((aligned(2048))) = {7, 8};
    ASSERT(0, MISALIGNED(&x, 512)); ASSERT(0, MISALIGNED(pages, 1024)); ASSERT(0, MISALIGNED(&pages[in[1]], 1024));
    ASSERT(0, MISALIGNED(&z, 4096)); ASSERT(0, MISALIGNED(&constant_page, 1024)); ASSERT(0, MISALIGNED(table, 2048));
    ASSERT(0, MISALIGNED(&global_int, 4096)); ASSERT(1, !nowhere); ASSERT(1, pages < pages + in[1]);
    ASSERT(9, small + x + z + before_page); ASSERT_LONG(8, pages[1].l); ASSERT_LONG(5, constant_page.l); ASSERT(8, table[in[1]]);
    ASSERT(7, global_int + global_char); ASSERT(1, pages[in[0]].c);
}
// Pointers that are compared, and objects that share memory with others.
kernel void test_local_pages(global uint *record, local char *chars, local Page *argument, global int *in) {
    local char pad; local int y __attribute__((aligned(512))), w __attribute__((aligned(4096))); local Page page;
    pad = in[5]; y = in[6]; w = in[2]; page.l = in[7]; argument->l = in[9]; chars[1023] = in[4];
    local Page *chosen = in[1] ? argument : &page;
    local char *bytes = in[1] ? &pad : chars;
    Page own = {1, in[3]}, *either = in[1] ? &own : (Page *)&page;
    ASSERT(0, MISALIGNED(&y, 512)); ASSERT(0, MISALIGNED(&w, 4096)); ASSERT(0, MISALIGNED(&page, 1024));
    ASSERT(0, MISALIGNED(argument, 1024)); ASSERT(0, MISALIGNED(chosen, 1024)); ASSERT(0, MISALIGNED(either, 1024));
    ASSERT(1, AT(&pad) != 0); ASSERT(0, chosen == &page); ASSERT(13, y + w + *bytes); ASSERT_LONG(7, page.l);
    ASSERT_LONG(9, chosen->l); ASSERT(4, chars[1023]); ASSERT_LONG(3, either->l);
}
// Parameters, results, literals and arguments by value (the runner fills them with the bytes 1, 2, 3, ...) are objects too; as values of
// 1,024 bytes they took lavapipe's compiler a minute.
typedef struct { char c; long l; } __attribute__((aligned(256))) Line;
int misaligned(Line line, int n) { return MISALIGNED(&line, 256) + (line.l != n); }
Line make_line(int n) { Line line = {n, n}; return line; }
kernel void test_line_values(global uint *record, Line argument, global int *in) {
    Line made = make_line(in[3]), *literal = &(Line){in[1], in[2]};
    int sum = 0;
    for (int i = in[1]; i < in[4]; ++i) {
        char pad = i; Line inner = {pad, i};
        sum += inner.l + MISALIGNED(&inner, 256) + (AT(&pad) == AT(&inner));
    }
    ASSERT(6, sum); ASSERT(0, MISALIGNED(&argument, 256)); ASSERT_LONG(0x100f0e0d0c0b0a09, argument.l);
    ASSERT(0, misaligned(made, 3)); ASSERT(0, misaligned(*literal, 2)); ASSERT(0, MISALIGNED(literal, 256));
}
