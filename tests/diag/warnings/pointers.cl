// OPTIONS: --target=opencl2.0 -Wall -Wextra -Wpointer-arith -Wcast-align -Wcast-qual -Wvla -Wint-to-pointer-cast -cl-std=CL2.0
// Pointers.
void arithmetic(global void *v, global char *c, const global int *ci, int n) {
    v = v + 1;
    v++;
    v += 2;
    n = v - v;
    global int *i = (global int *)c;
    global int *w = (global int *)ci;
    global int *x = (global int *)n;
    global int *y = (global int *)(long)n;
    n = (int)i;
    n = (long)i;
    char h = (char)(ulong)w;
    i = (global int *)0 + 1;
    i = 0 + x;
    c = (global char *)i;
    if (x > 0) y++;
    if (x == 1) y++;
    if (x == y) y++;
    if (x == c) y++;
    if (x < (global int *)8) h++;
    i = c;
    c = ci;
    uint4 *u;
    global uint *gu = i;
    global uchar *gc = c;
    i = 0;
    i = (global void *)c;
}
void array_parameter(int a[4], int n) {
    n = sizeof(a);
    n = sizeof(a) / sizeof(a[0]);
    int b[4];
    n = sizeof(b + 1);
    n = sizeof(a == 0);
    b[4] = 1;
    b[-1] = 2;
    *(b + 4) = 1;
    n = b[n];
    a[5] = 1;
    n = (&b)[1][0];
}
int *address(void) {
    int n = 1;
    return &n;
}
int *address_2(int p) {
    int a[2];
    return a;
}
const int qualified(const int a);
const int *fine(void);
void null(int *p) {
    int n = *(int *)0;
    *(int *)0 = 1;
    *(volatile int *)0 = 1;
    n = p == '\0';
    int *q = '\0';
    int *r = false;
}
typedef struct { int a, b, list[4]; } members;
ulong offsets(int i) {  // an address reads nothing
    return (ulong)&((members *)0)->b + (ulong)&(*(members *)0).list[2] + (ulong)((members *)0)->list +
           (ulong)&*(int *)0 + sizeof(((members *)0)->a);
}
