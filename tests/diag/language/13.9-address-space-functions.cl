// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// 6.13.9: what to_global, to_local and to_private give points to what the argument points to, qualified as that is.
kernel void valid(global const int *o, global volatile int *v, global int *w) {
    const int *c = o;
    volatile int *changing = v;
    const volatile int *both = changing;
    global const int *a = to_global(c);
    global volatile int *b = to_global(changing);
    global const volatile int *ab = to_global(both);
    global int *plain = to_global((int *)w);
    const local void *d = to_local((const void *)c);
    private volatile int *e = to_private(changing);
    *w = *a + *b + *ab + *plain + !d + !e + get_fence(c) + get_fence(changing) + get_fence(both) + get_fence(w);
}
kernel void qualifiers(global const int *o) {
    const int *c = o;
    global int *a = to_global(c);
    *to_global(c) = 1;
}
