#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py SHAPE LINES: a valid kernel of about so many lines, which has much of one thing. linearity.py compiles each
shape in two sizes. Nothing is random: the same arguments give the same text.
"""
import sys

SHAPES = {}


def shape(make):
    SHAPES[make.__name__] = make
    return make


@shape
def kernels(lines):
    """Many kernels of five lines."""
    for i in range(lines // 5):
        yield "kernel void k%d(global float *a, int n) {" % i
        yield "    size_t i = get_global_id(0);"
        yield "    float x = a[i] * %d.5f + n;" % i
        yield "    if (x > 1.0f) a[i] = sqrt(x);"
        yield "}"


@shape
def functions(lines):
    """Functions that call the one before them."""
    yield "int f0(int x) { return x; }"
    for i in range(1, lines // 3):
        yield "int f%d(int x) {" % i
        yield "    return f%d(x + %d) ^ x;" % (i - 1, i)
        yield "}"
    yield "kernel void k(global int *a) { a[0] = f%d(a[1]); }" % (max(lines // 3, 2) - 1)


@shape
def statements(lines):
    """One kernel of many statements."""
    yield "kernel void k(global int *a, int n) { int x = n, y = 1;"
    for i in range(lines):
        yield ("x += a[%d] * y;" % i, "y = (x >> 3) ^ n;", "a[x & 255] = y - x;", "x = max(x, y + %d);" % i)[i % 4]
    yield "a[0] = x; }"


@shape
def variables(lines):
    """One kernel of many local variables."""
    yield "kernel void k(global int *a, int n) { int v0 = n;"
    for i in range(1, lines):
        yield "int v%d = v%d + %d;" % (i, i - 1, i)
    yield "a[0] = v%d; }" % (lines - 1)


@shape
def branches(lines):
    """One kernel of many ifs and loops, none inside another."""
    yield "kernel void k(global int *a, int n) { int x = n;"
    for i in range(lines // 2):
        yield "if (x > %d && a[%d] != 0) x -= a[x]; else x ^= %d;" % (i, i, i)
        yield "for (int i = 0; i < n; ++i) { if (x == i) continue; x += i; }"
    yield "a[0] = x; }"


@shape
def blocks(lines):
    """One kernel of many scopes with variables of the same names."""
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines):
        yield "{ int x = a[%d], y[2] = {x, n}; a[x] = y[x & 1]; }" % i
    yield "}"


@shape
def initializer(lines):
    """One constant table, a row a line, in groups: a SPIR-V instruction holds 65,535 words."""
    yield "constant int table[][1000][4] = {"
    for i in range(lines):
        yield "%s{%d, %d, 0x%x, -%d},%s" % ("{" * (i % 1000 == 0), i, i * 7, i * 31, i, "}," * (i % 1000 == 999))
    yield "};" if lines % 1000 == 0 else "}};"
    yield "kernel void k(global int *a) { a[0] = table[a[1]][a[2]][a[3]]; }"


@shape
def designators(lines):
    """A constant table of structs, each by designators, last first."""
    yield "typedef struct { int x; float y[2]; } P;"
    yield "constant P table[%d][1000] = {" % (lines // 1000 + 1)
    for i in reversed(range(lines)):
        yield "[%d][%d] = {.y = {%d.0f, [1] = 2.0f}, .x = %d}," % (i // 1000, i % 1000, i, i)
    yield "};"
    yield "kernel void k(global float *a, int n) { a[0] = table[0][n].y[1] + table[0][n].x; }"


@shape
def local_initializer(lines):
    """A private array with one element a line, not constant."""
    yield "kernel void k(global int *a, int n) { int table[] = {"
    for i in range(lines):
        yield "n + %d," % i
    yield "}; a[0] = table[n]; }"


@shape
def macros(lines):
    """Macros defined, tested and used once each."""
    for i in range(lines // 4):
        yield "#define M%d(x) ((x) + %d)" % (i, i)
        yield "#ifdef M%d" % i
        yield "constant int c%d = M%d(%d);" % (i, i, i)
        yield "#endif"
    yield "kernel void k(global int *a) { a[0] = c0; }"


@shape
def expansions(lines):
    """Every line twelve macros deep."""
    yield "#define D0(x) x"
    for i in range(1, 12):
        yield "#define D%d(x) D%d((x) + %d)" % (i, i - 1, i)
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines):
        yield "a[%d] = D11(n);" % i
    yield "}"


@shape
def conditionals(lines):
    """Groups that #if leaves out."""
    yield "#define N 3"
    for i in range(lines // 4):
        yield "#if N > %d && defined(N)" % i
        yield "constant int c%d = %d;" % (i, i)
        yield "#elif N == %d" % i
        yield "#endif"
    yield "kernel void k(global int *a) { a[0] = c0; }"


@shape
def structs(lines):
    """Struct types, each holding a pointer to the one before it, in chains of 200: types nest up to 1,024 levels."""
    last = max(lines // 2, 2) - 1
    for i in range(last + 1):
        if i % 200 == 0:
            yield "struct S%d { int x; int y; };" % i
            continue
        yield "struct S%d { struct S%d *before; int x; float4 v; };" % (i, i - 1)
        yield "int g%d(private struct S%d *s) { return s->x + s->before->x; }" % (i, i)
    yield "kernel void k(global int *a) { struct S%d s; s.x = 1; a[0] = s.x + sizeof(s); }" % last


@shape
def members(lines):
    """Structs of many members: 10,000, of the 16,383 that SPIR-V has room for."""
    for first in range(0, lines // 2, 10000):
        count = min(10000, lines // 2 - first)
        yield "struct S%d {" % first
        for i in range(count):
            yield "int m%d;" % i
        yield "};"
        yield "kernel void k%d(global struct S%d *s) {" % (first, first)
        for i in range(count):
            yield "s->m%d = s->m%d;" % (i, count - 1 - i)
        yield "}"


@shape
def typedefs(lines):
    """Each type named after the one before it."""
    yield "typedef int t0;"
    for i in range(1, lines):
        yield "typedef t%d t%d;" % (i - 1, i)
    yield "kernel void k(global t%d *a) { *a = (t%d)*a; }" % (lines - 1, lines // 2)


@shape
def enumerators(lines):
    """One enumeration of many constants, all used."""
    yield "enum E {"
    for i in range(lines // 2):
        yield "e%d = %d," % (i, i * 3)
    yield "};"
    yield "kernel void k(global int *a) {"
    for i in range(lines // 2):
        yield "a[e%d] = e%d;" % (i, lines // 2 - 1 - i)
    yield "}"


@shape
def comments(lines):
    """Comments, of one line and of many."""
    for i in range(lines // 2):
        yield "// a line about nothing in particular, number %d" % i
    yield "/*"
    for i in range(lines // 2):
        yield " * another line about it, number %d" % i
    yield "*/"
    yield "kernel void k(global int *a) { a[0] = 1; }"


@shape
def strings(lines):
    """String literals in many pieces."""
    for i in range(lines):
        if i % 500 == 0:
            yield "constant char text%d[] =" % (i // 500)
        yield '"some text with an escape \\n and a number %d"%s' % (i, ";" * (i % 500 == 499 or i == lines - 1))
    yield "kernel void k(global char *a, int n) { a[0] = text0[n]; }"


@shape
def splices(lines):
    """Line splices, which shift all places behind them."""
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines // 2):
        yield "a[n] = n \\"
        yield "  + %d;" % i
    yield "}"


@shape
def expression(lines):
    """One expression."""
    yield "kernel void k(global int *a, int n) { a[0] = n"
    for i in range(lines):
        yield "+ a[%d] * n" % i
    yield "; }"


@shape
def includes(lines):
    """The text twenty files deep: this one includes itself."""
    yield "#ifndef DEPTH"
    yield "#define DEPTH"
    yield "#endif"
    yield "#if __INCLUDE_LEVEL__ < 20"
    yield "#include __FILE__"
    yield "#endif"
    for i in range(lines // 20):
        yield "kernel void k(int x); // %d" % i
    yield "#if __INCLUDE_LEVEL__ == 0"
    yield "kernel void k(int x) {}"
    yield "#endif"


@shape
def globals(lines):
    """Constants at program scope, all used."""
    for i in range(lines // 2):
        yield "constant int g%d = %d;" % (i, i)
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines // 2):
        yield "a[%d] = *(&g%d + n);" % (i, i)
    yield "}"


@shape
def calls(lines):
    """Calls of a function and of built-ins."""
    yield "float f(float x, int n) { return x * n; }"
    yield "kernel void k(global float *a, global float4 *v, int n) { float x = n;"
    for i in range(lines):
        yield ("x += f(x, %d);" % i, "x = fmax(sin(x), a[%d]);" % i, "v[%d] = mix(v[n], v[1], x);" % i,
               "x = dot(v[%d], convert_float4(as_int4(v[n])));" % i)[i % 4]
    yield "a[0] = x; }"


@shape
def conditions(lines):
    """Declarations of one function, each with a condition that its calls are checked for."""
    for i in range(lines):
        yield 'int f(int a) __attribute__((diagnose_if(a == %d, "%d", "warning")));' % (-1 - i, i)
    yield "int f(int a) { return a; }"
    yield "kernel void k(global int *a) { a[0] = f(1); }"


@shape
def switch(lines):
    """Switches of 10,000 cases, of the 16,383 that SPIR-V has room for."""
    yield "kernel void k(global int *a, int n) {"
    for first in range(0, lines, 10000):
        yield "switch (n) {"
        for i in range(first, min(first + 10000, lines)):
            yield "case %d: a[0] = %d;%s" % (i * 3, i, " break;" if i % 2 else "")
        yield "default: break; }"
    yield "}"


@shape
def labels(lines):
    """Labels and gotos."""
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines):
        yield "l%d: if (a[%d] > n) goto l%d;" % (i, i, (i * 7 + 3) % lines)
    yield "}"


@shape
def back_jumps(lines):
    """Loops in one another, by goto."""
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines // 2):
        yield "l%d: a[%d] = n;" % (i, i)
    for i in range(lines // 2):
        yield "if (a[%d] > n) goto l%d;" % (i, i)
    yield "}"


@shape
def else_ifs(lines):
    """A chain of else if that sets two variables."""
    yield "kernel void k(global int *a, int x) { int y = 0, z = 1; if (x < 0) y = 2;"
    for i in range(lines):
        yield "else if (x == %d) { y = x + a[%d]; z = %d; }" % (i, i, i)
    yield "a[0] = y + z; }"


@shape
def conjunction(lines):
    """Terms of && and ||."""
    yield "kernel void k(global int *a, int n) { a[0] = n"
    for i in range(lines):
        yield "%s a[%d]" % ("&&" if i % 3 else "||", i)
    yield "; }"


@shape
def prints(lines):
    """Calls of printf, each with a format of its own."""
    yield "kernel void k(global int *a) {"
    for i in range(lines):
        yield 'printf("line %d is %%d\\n", a[%d]);' % (i, i)
    yield "}"


@shape
def overloads(lines):
    """Overloads of one function."""
    for i in range(lines // 2):
        yield "struct S%d { int x; };" % i
        yield "int __attribute__((overloadable)) f(struct S%d s) { return s.x; }" % i
    yield "kernel void k(global int *a) { struct S1 s = {2}; a[0] = f(s); }"


@shape
def nests(lines):
    """Loops in loops, twenty deep."""
    yield "kernel void k(global int *a, int n) { int x = n;"
    for i in range(lines // 41):
        for depth in range(20):
            yield "for (int i%d = 0; i%d < n + %d; ++i%d) { if (x == i%d) break;" % (depth, depth, i, depth, depth)
        yield "x += a[x & %d];" % i
        for depth in range(20):
            yield "}"
    yield "a[0] = x; }"


@shape
def phis(lines):
    """A hundred variables that live through all of a loop and change in its branches."""
    yield "kernel void k(global int *a, int n) { int %s;" % ", ".join("v%d = n" % i for i in range(100))
    yield "for (int i = 0; i < n; ++i) {"
    for i in range(lines):
        yield "if (a[%d] > i) v%d += v%d; else v%d = i;" % (i, i % 100, (i * 7 + 3) % 100, (i * 3 + 1) % 100)
    yield "} a[0] = %s; }" % " + ".join("v%d" % i for i in range(100))


@shape
def pointers(lines):
    """Pointers to private and local objects, chosen at run time."""
    yield "kernel void k(global int *a, local int *l, int n) { int x[8] = {0}, y[8] = {1};"
    for i in range(lines):
        yield ("{ int *p = n > %d ? x : y; p[n & 7] += a[%d]; }" % (i, i), "l[%d] = x[(n + %d) & 7];" % (i, i),
               "{ int4 *v = (int4 *)(n == %d ? x : y + 4); v->z ^= n; }" % i,
               "{ local int *p = n > %d ? l : l + n; *p = y[%d]; }" % (i, i % 8))[i % 4]
    yield "a[0] = x[n & 7] + y[n & 7]; }"


@shape
def records(lines):
    """Structs and arrays, copied, indexed and passed."""
    yield "typedef struct { int x; float v[4]; struct { short s; float4 f; } in[2]; } R;"
    yield "R make(R r, int n) { r.x += n; r.in[n & 1].s = n; return r; }"
    yield "kernel void k(global R *a, int n) {"
    for i in range(lines):
        yield ("{ R r = a[%d]; r.v[n & 3] = %d.0f; a[n] = r; }" % (i, i), "{ R r = make(a[n], %d); a[%d] = r; }" % (i, i),
               "a[%d].in[n & 1].f = a[n].in[0].f;" % i, "{ R r[4]; r[n & 3] = a[%d]; a[n] = r[1]; }" % i)[i % 4]
    yield "}"


@shape
def helpers(lines):
    """Calls of functions that take private pointers and must be inlined."""
    yield "void bump(int *p, int n) { if (*p > n) *p -= n; else ++*p; }"
    yield "int both(int *p, int *q, int n) { bump(p, n); bump(q, n); return *p + *q; }"
    yield "kernel void k(global int *a, int n) { int x = n, y = 1;"
    for i in range(lines):
        yield "a[%d] = both(&x, &y, n + %d);" % (i, i)
    yield "}"


@shape
def shared(lines):
    """Kernels that all call the same functions."""
    for i in range(20):
        yield "float f%d(float x, global const float *a) { for (int i = 0; i < 9; ++i) x += a[i] * %s; return x; }" % (
            i, "f%d(x, a)" % (i - 1) if i else "x")
    for i in range(lines // 2):
        yield "kernel void k%d(global float *a, local float *l, int n) {" % i
        yield "l[n] = a[%d]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = f%d(l[0], a); }" % (i, i % 20)


@shape
def warnings(lines):
    """A warning a line."""
    yield "kernel void k(global int *a, int n) {"
    for i in range(lines):
        yield "n == %d;" % i
    yield "}"


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES:
        sys.exit("%s\nshapes:\n%s" % (__doc__.strip(), "\n".join("  %-18s %s" % (name, make.__doc__)
                                                                  for name, make in SHAPES.items())))
    sys.stdout.write("".join(line + "\n" for line in SHAPES[sys.argv[1]](int(sys.argv[2]))))


if __name__ == "__main__":
    main()
