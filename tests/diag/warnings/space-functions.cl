// OPTIONS: -cl-std=CL2.0 -Wconversion
// A pointer that is not generic needs no to_global and the like.
kernel void k(global int *g, local int *l) {
    int n = 0;
    int *generic_pointer = g;
    global int *a = to_global(generic_pointer);
    global int *b = to_global(g);
    local void *c = to_local((local void *)l);
    local int *d = to_local(g);
    private int *e = to_private(&n);
    *a = *b + !c + !d + *e;
}
