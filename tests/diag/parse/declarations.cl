// SPDX-License-Identifier: Apache-2.0
// C99 6.7, 6.9: declarations that the grammar does not have.
foo x;
struct T { int a; };
T t;
void p1(int a, );
void p2(void, int a);
void p3(a, b);
void p4(int a b);
void p5(global);
enum { A B };
enum { C, 3 };
struct;
struct U {
    int 3;
};
struct V {
    foo a;
    static int b;
};
struct W { int a; } void q(void);
typedef int r() { return 1; }
void s(void) { void nested(void) { } }
}
void v(void) ) { }
