// OPTIONS: -cl-std=CL3.0
void a(int p[static]);
void b(int p[const static]);
void c(int p[3][static 3]);
void d(int p[3][const 3]);
void e(int (*p)[static 3]);
void f(int p[const 3], int q[static 3][4], int r[restrict volatile static 3]);
typedef int T[static 4];
struct S {
    int m[volatile 3];
};
kernel void k(global int *o) {
    int x[static 3];
    int y[const 3];
    *o = sizeof(int[static 3]);
}
