// SPDX-License-Identifier: Apache-2.0
// C99 6.7.2p2, OpenCL C 6.5, 6.6: words that do not go together.
void a(int int x);
void b(short float x);
void c(unsigned float x);
void d(long short x);
void e(global local int *x);
void f(global global int *x);
void g(read_only write_only image2d_t x);
void h(const const int *x);
static extern int i(void);
void j(signed unsigned x);
void k(void int *x);
