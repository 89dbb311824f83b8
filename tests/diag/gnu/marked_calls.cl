// Calls of functions with error and warning that are left in what kernels reach
int refused(int x) __attribute__((error("not in kernels")));
int warned(int x) __attribute__((warning("not on small devices")));
int refused(int x) { return x; }
int warned(int x) { return x; }
static int unused(void) { return refused(1); }
static int used(int x) { return warned(x); }
kernel void k(global int *a, int n) {
    a[0] = used(n) + refused(n);
    if (sizeof(int) == 8) refused(1);
    if (n) warned(2);
    a[1] = sizeof(refused(3));
    for (; 0; ) refused(4);
    a[2] = 1 ? 2 : refused(5);
    a[3] = n && refused(6);
    switch (n) { case 1: return; refused(7); default: warned(8); }
    return;
    refused(9);
}
