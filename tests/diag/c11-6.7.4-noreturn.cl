// OPTIONS: -cl-std=CL3.0
_Noreturn void f(int a);
static inline _Noreturn void g(void);
_Noreturn int object;
typedef _Noreturn int type;
void p(_Noreturn int a);
struct S {
    _Noreturn int m;
};
kernel void k(global int *o) {
    _Noreturn int local_object = 1;
    *o = sizeof(_Noreturn int) + local_object;
}
