// OPTIONS: -cl-std=CL2.0 -Wgnu-folding-constant -Wno-unused-value -Wno-division-by-zero -ferror-limit=0
// What is an integer constant expression (C99 6.6p6), what clang folds in place of one, and what it refuses.
constant int table[2] = {7, 8};
constant int four = 4;
constant float real = 2.5f;
constant int folded = (int)(real * 2);
constant int2 pair = (int2)(3, 4);
struct S {
    int a;
};
constant struct S s = {5};

kernel void k(int n) {
    const int whole = 3, cut = (int)real, unknown = n;
    // sizes of arrays
    int fine1[four], fine2[whole], fine3[(int)2.5f], fine4[1 ? 2 : 1 / 0], fine5[1 || 1 / 0];
    int fine6[__builtin_popcount(7) + __builtin_clz(255u) + __builtin_bswap32(1u << 24) + __builtin_expect(4, 1)];
    int fine7[__builtin_choose_expr(1, 3, 4.0f) + __builtin_types_compatible_p(int, int) + sizeof(int[2]) + 'a'];
    int bad1[cut];
    int bad2[unknown];
    int bad3[folded];
    int bad4[table[0]];
    int bad5[s.a];
    int bad6[(int)(1.5f * 2)];
    int bad7[2.5f > 1 ? 2 : 1];
    int bad8[(1, 2)];
    int bad9[1 / 0];
    int bad10[pair.x];
    int bad11[(int){3}];
    int bad12[!"abc" + 1];
    int bad13[as_int(1)];
    int bad14[1 && 1 / 0];
    _Static_assert(real == 2.5f, "");
    _Static_assert(table[0] == 7, "");
    _Static_assert((1, 1), "");
    // labels, enumerators and designators are folded
    switch (n) {
        case (int)2.5f: break;
        case (int)real + 10: break;
        case folded + 10: break;
        case cut + 100: break;
        case "abc"[0]: break;
        case (int){32}: break;
        case 1 ? 900 : n: break;
        case (n, 5): break;
        case table[0]: break;
        case s.a: break;
        case pair.x: break;
        case ((int4)(1, 2, 3, 4)).y: break;
        case as_int(1.0f): break;
        case unknown: break;
        case max(1, 2): break;
        case 0xffffffffffL: break;
    }
    enum { A = (int)real, B = folded, C = (1, 2), D = table[1], E = 0x7fffffff, F };
    int designated1[] = {[(int)real] = 1, [four] = 2};
    int designated2[] = {[table[0]] = 1};
    // attributes and built-in functions take integer constant expressions alone
    int aligned1 __attribute__((aligned(four)));
    int aligned2 __attribute__((aligned(folded - 1)));
    typedef int wide1 __attribute__((vector_size((int)(2.0f * 8))));
    typedef int wide2 __attribute__((ext_vector_type(folded - 1)));
    n = __builtin_choose_expr(folded, 1, 2) + __builtin_choose_expr(four, 1, 2);
    _Static_assert(__builtin_constant_p(four) && __builtin_constant_p(1.5f) && __builtin_constant_p("abc"), "");
    _Static_assert(!__builtin_constant_p(&four) && !__builtin_constant_p(table), "");
    _Static_assert(!__builtin_constant_p((int2)(1, 2)) && !__builtin_constant_p(s) && !__builtin_constant_p(n), "");
}
kernel __attribute__((reqd_work_group_size(four, 1, 1))) void sized(void) {}
kernel __attribute__((reqd_work_group_size(table[0], 1, 1))) void missized(void) {}
