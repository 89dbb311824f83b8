// SPDX-License-Identifier: Apache-2.0
// Checks of reads of memory that nobody has written: planted ones are reported at their line, and
// what looks like them is not.
#include "vulkan/kernel_checks_fixture.h"

using namespace caldera;

namespace {

constexpr Planted kUnwritten[] = {
    {"int x;\nif (n == 0) x = 1;\nout[g] = x;", 5, "load of 4 bytes that nobody has written"},
    {"int x;\nif (n == 0) x = 1;\nout[g] = x;", 5, "in private variable 'x' of 4 bytes"},
    {"int x;\nx += n;\nout[g] = x;", 4, "private variable 'x'"},
    {"int x;\n++x;\nout[g] = x;", 4, "private variable 'x'"},
    {"int x;\nif (x) out[g] = 1;", 4, "private variable 'x'"},
    {"long x;\nif (n == 0) x = 1;\nout[g] = (int)x;", 5, "load of 8 bytes"},
    {"float x;\nif (n == 0) x = 1;\nout[g] = (int)(x * 2);", 5, "load of 4 bytes"},
    {"size_t i;\nif (n == 0) i = 1;\nout[i & 63] = 1;", 5, "private variable 'i' of 8 bytes"},
    {"global int *p;\nif (n == 0) p = in;\nout[g] = p == 0;", 5, "private variable 'p'"},
    {"int sum;\nfor (int i = 0; i < n; ++i) sum += in[i];\nout[g] = sum;", 4, "private variable 'sum'"},
    {"int x;\nswitch (n & 1) {\ncase 1: x = 2;\n}\nout[g] = x;", 7, "private variable 'x'"},
    {"int x;\ndo {\nif (l < 0) x = 1;\n} while (l < 0);\nout[g] = x;", 7, "private variable 'x'"},
    {"int x;\nfor (int i = 0; i < l - 64; ++i) x = i;\nout[g] = x;", 5, "private variable 'x'"},
    {"int a[8];\nfor (int i = 0; i < 7; ++i) a[i] = i;\nout[g] = a[n - 57];", 5,
     "offset 28: in private variable 'a' of 32 bytes"},
    {"int a[4];\na[n & 3] = 1;\nout[g] = a[1];", 5, "offset 4: in private variable 'a'"},
    {"int a[64];\nfor (int i = 1; i < n; ++i) a[i] = 1;\nout[g] = a[g];", 5, "work-item (0,0,0)"},
    {"int a[200];\nfor (int i = 0; i < 200; ++i) if (i != 100) a[i] = 1;\nout[g] = a[n + 36];", 5,
     "offset 400"},
    {"int a[4][4];\nfor (int i = 0; i < 4; ++i) a[i][i] = i;\nout[g] = a[n & 1][2];", 5, "offset 8"},
    {"char a[16];\na[n & 3] = 1;\nout[g] = a[5];", 5, "load of 1 byte that"},
    {"short a[4];\na[0] = 1;\nout[g] = vload2(1, a).x;", 5, "load of 4 bytes"},
    {"float4 v;\nv.x = n;\nout[g] = (int)v.y;", 5, "private variable 'v' of 16 bytes"},
    {"float4 v;\nif (n == 0) v = (float4)(1);\nvstore4(v, g & 15, (global float *)out);", 5,
     "load of 16 bytes"},
    {"char3 c;\nc.x = 1;\nc.z = 2;\nout[g] = c.y;", 6, "private variable 'c'"},
    {"int4 v;\nv.zw = n;\nv.zw = v.xy;\nout[g] = v.z;", 5, "private variable 'v'"},
    {"int4 v;\nv.x = n;\nv = v.yyyy;\nout[g] = v.x;", 5, "private variable 'v'"},
    {"float4 v;\nv[n & 3] = 1;\nout[g] = (int)v.y;", 5, "load of 16 bytes that"},
    {"int8 v;\nfor (int i = 0; i < 7; ++i) v[i] = i;\nout[g] = v.s7;", 5, "private variable 'v'"},
    {"int4 v;\nv.wy[n & 1] = 1;\nout[g] = v.w + v.y;", 5, "private variable 'v'"},
    {"char4 v[3];\nfor (int i = 0; i < 8; ++i) v[i / 4][i % 4] = i;\nout[g] = v[n & 2 | 2].x;", 5,
     "private variable 'v' of 12 bytes"},
    {"int x;\nbool ok = n > 0;\nif (!ok) x = 4;\nout[g] = ok && x > 3;", 6, "private variable 'x'"},
    {"int x;\nbool ok = n > 0;\nif (!ok) x = 4;\nout[g] = ok ? x : 3;", 6, "private variable 'x'"},
    {"int16 v;\nv.s0 = 1;\nout[g] = v.sf;", 5, "private variable 'v'"},
    {"struct Pair p;\np.first = n;\nout[g] = p.second;", 5, "offset 4: in private variable 'p' of 8 bytes"},
    {"struct Packed p;\np.a = 1;\nout[g] = p.b;", 5, "private variable 'p' of 5 bytes"},
    {"struct Pair a[4];\nfor (int i = 0; i < 4; ++i) a[i].first = i;\nout[g] = a[n & 3].second;", 5,
     "private variable 'a' of 32 bytes"},
    {"union { int i; float f; } u;\nif (n == 0) u.i = 1;\nout[g] = (int)u.f;", 5, "private variable 'u'"},
    {"atomic_int x;\natomic_fetch_add(&x, 1);\nout[g] = 1;", 4, "atomic operation of 4 bytes that"},
    {"bool b;\nif (n == 0) b = true;\nout[g] = b;", 5, "private variable 'b'"},
    {"out[g] = late(n);", 1, "function 'late' of kernel 'test'"},
    {"int own[2] = {1, 2};\nout[g] = late_of(in) + late_of(own);", 1, "function 'late_of' of kernel 'test'"},
    // declared again at each turn
    {"int sum = 0;\nfor (int i = 0; i < n; ++i) {\nint x;\nif (i == 0) x = 1;\nsum += x;\n}\nout[g] = sum;",
     7, "in private variable 'x' of 4 bytes"},
    {"int i = 0;\nwhile (i < n) {\nint a[4];\nif (i == 0) a[n & 3] = 1;\nout[g] = a[i++ & 1];\n}", 7,
     "private variable 'a' of 16 bytes"},
    {"int i = 0;\ndo {\nfloat4 v;\nif (i == 0) v.xy = 1;\nout[g] = (int)v.y;\n} while (++i < n);", 7,
     "private variable 'v' of 16 bytes"},
    {"int i = 0;\nagain:;\nint x;\nif (i == 0) x = 1;\nout[g] = x;\nif (++i < n) goto again;", 7,
     "private variable 'x'"},
    {"for (int i = 0; i < n; ++i) switch (i & 1) {\ncase 0: {\nint x;\nif (i == 0) x = 1;\nout[g] = x;\n}\n}",
     7, "private variable 'x'"},
    {"int a = 1;\nfor (int i = 0; i < n; ++i) {\nint *p;\nif (i == 0) p = &a;\nout[g] = p == &a;\n}", 7,
     "private variable 'p' of 8 bytes"},
    // by pointers that are chosen, or that move on
    {"int a = 1, b;\nif (n == 0) b = 1;\nout[g] = *(n ? &b : &a);", 5, "in private variable 'b' of 4 bytes"},
    {"int a = 1, b;\nint *p = n > 3 ? &b : &a;\nout[g] = *p;", 5, "in private variable 'b' of 4 bytes"},
    {"int a, b = 1;\nint *p;\nif (n) p = &a; else p = &b;\nout[g] = *p;", 6, "private variable 'a'"},
    {"int a, b;\n*(n ? &a : &b) = 1;\nout[g] = b;", 5, "private variable 'b'"},
    {"int a[4], b[4];\nint *p = n ? a : b;\nfor (int i = 0; i < 3; ++i) p[i] = i;\nout[g] = p[n - 61];", 6,
     "offset 12: in private variable 'a' of 16 bytes"},
    {"int a[4], b[4] = {1};\nint *p = n ? a + 1 : b;\n*p = 1;\nout[g] = p[1];", 6,
     "offset 8: in private variable 'a'"},
    {"int a[8];\nint *p = a;\nfor (int i = 0; i < 7; ++i) *p++ = i;\nout[g] = *p;", 6,
     "offset 28: in private variable 'a' of 32 bytes"},
    {"int a[64], b[64];\nint *p = g & 1 ? a : b;\nfor (int i = 1; i < n; ++i) p[i] = 1;\nout[g] = g == 8 ? "
     "p[0] : 1;",
     6, "work-item (8,0,0)"},
    {"float4 a, b;\nfloat4 *p = n ? &a : &b;\np->x = 1;\nout[g] = (int)p->y;", 6,
     "private variable 'a' of 16 bytes"},
    {"struct Pair a, b;\nstruct Pair *p = n ? &a : &b;\np->first = 1;\nout[g] = p->second;", 6,
     "offset 4: in private variable 'a' of 8 bytes"},
    {"long a, b;\nchar *p = (char *)(n ? &a : &b);\np[3] = 1;\nout[g] = p[4];", 6, "load of 1 byte"},
    {"int a, b = 1, c = 1;\nint *p = n > 100 ? &c : n ? &a : &b;\nout[g] = *p;", 5, "private variable 'a'"},
    {"int a, b = 1;\nint *p = n ? &a : &b;\n*p += 1;\nout[g] = *p;", 5, "private variable 'a'"},
    {"int a;\nint *p = &a;\nif (n == 0) p = scratch;\nout[g] = *p;", 6, "private variable 'a'"},
    {"int *p;\nint a = 1;\nif (n == 0) p = &a;\nif (p != 0) out[g] = 1;", 6,
     "private variable 'p' of 8 bytes"},
};

constexpr Planted kUnwrittenLocal[] = {
    {"local int a;\nout[g] = a;", 4, "load of 4 bytes that nobody has written"},
    {"local int a[64];\na[l & 31] = l;\nsync();\nout[g] = a[l];", 6, "in local variable 'a'"},
    {"local char a[64];\nif (l & 1) a[l] = l;\nsync();\nout[g] = a[63 - l];", 6, "load of 1 byte"},
    {"local short a[64];\nif (l > 3) a[l] = l;\nsync();\nout[g] = a[l];", 6, "load of 2 bytes"},
    {"local float4 a[64];\na[l].x = l;\nsync();\nout[g] = (int)a[l].z;", 6, "local variable 'a'"},
    {"local struct Pair a[64];\na[l].first = l;\nsync();\nout[g] = a[l].second;", 6, "local variable 'a'"},
    {"scratch[l / 2] = l;\nsync();\nout[g] = scratch[l];", 5, "in local memory"},
    {"local long a[64];\nlocal char *b = (local char *)(a + l);\nif (l & 1) b[6] = 1;\nsync();\nout[g] = "
     "(int)a[l];",
     7, "load of 8 bytes"},
    {"local int h[4];\natomic_inc(&h[l & 3]);\nsync();\nout[g] = h[l & 3];", 4,
     "atomic operation of 4 bytes"},
    {"local atomic_int h;\natomic_fetch_add(&h, 1);\nsync();\nout[g] = atomic_load(&h);", 4,
     "in local variable 'h'"},
    {"local atomic_int h;\nout[g] = atomic_load(&h);", 4, "in local variable 'h'"},
    {"local int h;\natomic_cmpxchg(&h, 0, 1);", 4, "in local variable 'h'"},
    {"atomic_max(scratch, l);\nsync();\nout[g] = 1;", 3, "in local memory"},
    {"local int sum;\nif (l == 0) sum += 1;\nsync();\nout[g] = 1;", 4, "local variable 'sum'"},
};

constexpr const char* kWritten[] = {
    "scratch[l] = l;\nsync();\nout[g] = scratch[63 - l];",
    "local char a[64];\na[l] = l;\nsync();\nout[g] = a[63 - l];",
    "local int a[64];\nlocal char *b = (local char *)(a + l);\nb[l & 3] = l;\nsync();\nout[g] = a[63 - l] & "
    "0xff00;",
    "local long a[64];\nlocal char *b = (local char *)(a + l);\nb[l & 7] = l;\nsync();\nout[g] = (int)a[63 - "
    "l];",
    "local int a[64];\nput_any(a + l);\nsync();\nout[g] = a[63 - l];",
    "local struct Pair a[64];\nstruct Pair p = {l, l};\na[l] = p;\nsync();\nout[g] = a[63 - l].second;",
    "local float4 a[64];\na[l].x = 1;\na[l].y = 2;\nsync();\nout[g] = (int)(a[63 - l].x + a[63 - l].y);",
    "local int n2;\nif (l == 0) n2 = 0;\nsync();\natomic_inc(&n2);\nsync();\nout[g] = n2;",
    "local int h;\natomic_xchg(&h, l);\nsync();\natomic_inc(&h);\nsync();\nout[g] = h;",
    "local atomic_int h;\natomic_store(&h, l);\nsync();\natomic_fetch_add(&h, 1);\nout[g] = atomic_load(&h);",
    "local atomic_flag f;\natomic_flag_clear(&f);\nsync();\nout[g] = atomic_flag_test_and_set(&f);",
    "if (l < 16) vstore4((int4)(1), l, scratch);\nsync();\nout[g] = scratch[l];",
    "event_t e = async_work_group_copy_2D2D(scratch, 0, in, 0, 4, 16, 4, 16, 16, 0);\nwait_group_events(1, "
    "&e);\n"
    "out[g] = scratch[l];",
    "event_t e = async_work_group_copy(scratch, in, 64, 0);\nwait_group_events(1, &e);\nout[g] = scratch[l];",
    "int4 v;\nv.s3 = 1;\nv.s0 = 2;\nv = v.s3003;\nout[g] = v.y;",
    "int4 v;\nv.x = n;\nv.y = 2;\nv.zw = v.xy;\nout[g] = v.z + v.w;",
    "int4 v;\nv.x = n;\nv.y = 2;\nv.xy = v.yx;\nout[g] = v.x + v.y;",
    "int x;\nbool ok = n < 0;\nif (ok) x = 4;\nout[g] = ok && x > 3;",
    "int x;\nbool ok = n < 0;\nif (ok) x = 4;\nout[g] = !ok || x > 3;",
    "int x;\nbool ok = n < 0;\nif (ok) x = 4;\nout[g] = n == 3 ? x + 1 : ok ? x : 5;",
    "int4 x;\nbool ok = n < 0;\nif (ok) x = (int4)(4);\nint4 y = ok ? x : (int4)(5);\nout[g] = y.y;",
    "int x;\nif (n == 64) x = 1; else x = 2;\nout[g] = x;",
    "int x;\nif (n == 64) x = 1;\nif (n == 64) out[g] = x;",
    "int x;\nwhile (1) {\nx = n;\nif (x) break;\n}\nout[g] = x;",
    "int i;\nfor (i = 0; i < n; ++i) if (i == 5) break;\nout[g] = i;",
    "int x;\nswitch (n & 3) {\ncase 0: x = 1; break;\ndefault: x = 2;\n}\nout[g] = x;",
    "float4 v;\nv.x = 1;\nv.y = 2;\nout[g] = (int)(v.x + v.y);",
    "float4 v;\nv.xyz = (float3)(1);\nif (g < 16) vstore3(v.xyz, g, (global float *)out);",
    "float4 v;\nv.x = 1;\nfloat4 w = v;\nout[g] = (int)w.x;",
    "int4 v;\nv.s0 = 1;\nv.s1 = 2;\nv.s2 = 3;\nv.s3 = 4;\nout[g] = v.s2;",
    "float4 v;\nfor (int i = 0; i < 4; ++i) v[i] = i;\nout[g] = (int)(v.x + v.w);",
    "int2 v;\nv[l & 1] = 1;\nv[~l & 1] = 2;\nout[g] = v.x + v.y;",
    "int4 v[2];\nfor (long i = 0; i < 8; ++i) v[i / 4][i % 4] = i;\nout[g] = v[1].w;",
    "struct { char16 v; } q;\nfor (int i = 0; i < 16; ++i) q.v[i] = i;\nout[g] = q.v.sd;",
    "int4 v;\nfor (int i = 0; i < 2; ++i) v.wy[i] = i;\nout[g] = v.y + v.w;",
    "int4 v;\nv[n & 3] = 1;\nint4 w = v;\nout[g] = w.x;",
    "int4 a[2];\na[n & 1].w = 1;\na[1].x = 1;\nout[g] = a[n & 1].w;",
    "struct Pair p;\np.first = 1;\nstruct Pair q = p;\nout[g] = q.first;",
    "struct Pair a[2];\nstruct Pair b = {1, 2};\na[0] = b;\na[1] = b;\nout[g] = a[n & 1].second;",
    "struct Packed p[3];\nfor (int i = 0; i < 3; ++i) p[i].b = i;\nout[g] = p[n & 1].b;",
    "atomic_int x;\natomic_exchange(&x, 1);\nout[g] = atomic_fetch_add(&x, 1);",
    "int x;\nput_any(&x);\nout[g] = x;",
    "int a[4];\nint *p = a;\nfor (int i = 0; i < 4; ++i) *p++ = i;\nout[g] = a[2];",
    "int a[8];\nfor (int i = 0; i < 8; ++i) a[i] = i;\nout[g] = a[n & 7];",
    "int a[4] = {1};\nout[g] = a[n & 3];",
    "int a[4];\nvstore4((int4)(1), 0, a);\nout[g] = a[n & 3];",
    "char a[8];\n*(int *)a = n;\n*(int *)(a + 4) = n;\nout[g] = a[n & 7];",
    "int a[200];\nfor (int i = 0; i < 200; ++i) a[i] = 1;\nout[g] = a[n + 36];",
    "union { int i; char c[4]; } u;\nu.i = n;\nout[g] = u.c[n & 3];",
    "float whole;\nfloat x = fract(1.5f, &whole);\nout[g] = (int)whole;",
    "int e;\nfloat x = frexp(1.5f, &e);\nout[g] = e + (int)x;",
    "int x;\n(void)x;\nout[g] = sizeof(x);",
    "int sum = 0;\nfor (int i = 0; i < n; ++i) {\nint x;\nx = i;\nsum += x;\n}\nout[g] = sum;",
    "int sum = 0;\nfor (int i = 0; i < n; ++i) {\nint x;\nif (i & 1) x = 1; else x = 2;\nsum += "
    "x;\n}\nout[g] = sum;",
    "int a[4];\nfor (int i = 0; i < n; ++i) {\nint b[4];\nfor (int j = 0; j < 4; ++j) a[j] = b[j] = i + j;\n"
    "out[g] = b[i & 3];\n}\nout[g] += a[n & 3];",
    "int x, i = 0;\nfor (; i < n; ++i) if (i == 0) x = 1; else x += 2;\nout[g] = x;",
    "int a, i = 0;\nagain:;\nint *p;\np = &a;\n*p = i;\nout[g] = a;\nif (++i < n) goto again;",
    "int a = 1, b;\nout[g] = *(n ? &a : &b);",
    "int a, b;\nint *p = n ? &a : &b;\n*p = 1;\nout[g] = *p;",
    "int a, b;\n*(n ? &a : &b) = 1;\nif (n) out[g] = a;",
    "int a, b;\n*(n ? &a : &b) = 1;\n*(n ? &b : &a) = 1;\nout[g] = a + b;",
    "int a, b;\nint *p = n ? &a : &b, *q = n ? &b : &a;\n*p = *q = 3;\nout[g] = a + *q + b;",
    "int a[4], b[4];\nint *p = n ? a : b;\nfor (int i = 0; i < 4; ++i) p[i] = i;\nout[g] = p[n & 3] + a[2];",
    "int a[8];\nint *p = a;\nfor (int i = 0; i < 8; ++i) *p++ = i;\nout[g] = p[-1] + a[n & 7];",
    "int a[64], b[64];\nint *p = g & 1 ? a : b;\nfor (int i = 0; i < n; ++i) p[i] = 1;\nout[g] = g & 1 ? "
    "a[5] : b[6];",
    "int a[40], b[4];\nint *p = n ? a : b;\nfor (int i = 0; i < 40; i += 4) vstore4((int4)(1), 0, p + "
    "i);\nout[g] = a[n - 25];",
    "float4 a, b;\nfloat4 *p = n ? &a : &b;\np->x = 1;\np->y = 2;\nout[g] = (int)(p->x + a.y);",
    "struct Pair a, b;\nstruct Pair *p = n ? &a : &b;\np->first = 1;\nout[g] = a.first + p->first;",
    "struct Pair a[3], b = {1, 2};\nstruct Pair *p = n ? a + 1 : &b;\n*p = b;\nout[g] = a[1].second;",
    "long a, b;\nchar *p = (char *)(n ? &a : &b);\nfor (int i = 0; i < 8; ++i) p[i] = i;\nout[g] = (int)a;",
    "int a, b;\nput_any(n ? &a : &b);\nout[g] = n ? a : b;",
    "int a, b;\nint *p[2];\np[0] = &a;\np[1] = &b;\n*p[n & 1] = 1;\nout[g] = a;",
    "int a;\nint *p = &a;\nif (n == 0) p = scratch;\n*p = 1;\nout[g] = *p;",
    "int a;\nint *p = &a;\nif (n) p = scratch;\n*p = 1;\nsync();\nout[g] = *p;",
    "int a, b;\nint *p = &a;\nfor (int i = 0; i < 3; ++i) {\n*p = i;\np = p == &a ? &b : &a;\n}\nout[g] = a "
    "+ b;",
};

}  // namespace

TEST_CASE("reads of private and local memory that nobody has written are reported at their line") {
    Checked checked(vulkan::MemoryChecks::Uninitialised);
    if (!checked.has_addresses()) return;
    for (const Planted& fault : kUnwritten) checked.find(fault);
    for (const Planted& fault : kUnwrittenLocal) checked.find(fault);
    for (const char* body : kWritten) checked.find_nothing(body);
}

TEST_CASE("all kinds of checks at once are silent about what none of them reports") {
    using enum vulkan::MemoryChecks;
    Checked checked(Bounds | Alignment | Barriers | Races | Uninitialised);
    if (!checked.has_addresses()) return;
    for (const char* body : kWritten) checked.find_nothing(body);
    const std::string text =
        checked.report_of("int x;\nif (n == 0) x = 1;\nin[g] = x;\nout[0] = g;\nif (l < 8) sync();");
    CHECK_MESSAGE(text.find("faults.cl:5:") != std::string::npos, text);
    CHECK_MESSAGE(text.find("faults.cl:6:") != std::string::npos, text);
    CHECK_MESSAGE(text.find("faults.cl:1:") != std::string::npos, text);
}
