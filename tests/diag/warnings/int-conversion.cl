// OPTIONS: -cl-std=CL2.0 -Wno-error=return-type
global int *absolute = 0xdeadbeef;
void number(global int *o, long n);
int *pointer(global int *o, long n) {
    o = 5;
    o = n;
    int i = o;
    number(n, o);
    i += o;
    n += o;
    i -= o;
    o -= o;
    return 7;
}
void nothing(void) { return 1; }
kernel void k(void) {}
