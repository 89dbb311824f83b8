// OPTIONS: --target=opencl2.0 -Wpedantic -cl-std=CL2.0
// What is beyond C99 and OpenCL C.
int case_range(int a) {
    switch (a) { case 1 ... 3: return 1; }
    return a ?: 2;
}
int statement(int a) { return ({ a; }); }
struct empty {};
struct unnamed { struct { int x; }; union { int y; }; };
int binary = 0b11;
int pointer(void *p, int *q) { return p + 1 == (void *)q; }
void void_return(int a) { return (void)a; }
struct s { int x; };;
;
struct s t = {};
int old[2] = {[0] 1};
__typeof__(int) u;
enum { A, B, };
enum { BIG = 5000000000 };
#define VA(a, ...) f(a, ##__VA_ARGS__)
#define VB(...) __VA_ARGS__
int va = VB(1);
int range[4] = {[0 ... 2] = 1};
void use(void) { int a = __extension__ 1; label: ; }
inline int f(void) { return 1; }
_Static_assert(1);
int $dollar;
const int const twice = 1;
int mixed(int a) { for (int i = 0; i < a; i++) ; a++; int b = a; return b; }
