// OPTIONS: --target=opencl2.0 -Wall
// Assignments and comparisons that look like mistakes.
struct s { int x, y; };
void self(int i, int *p, struct s s, float4 v, volatile int vol) {
    i = i;
    i = (i);
    p[0] = p[0];
    *p = *p;
    s.x = s.x;
    v = v;
    v.x = v.x;
    vol = vol;
    i += i;
    i -= i;
    i |= i;
    i &= i;
    i ^= i;
    i /= i;
    int own = own;
    int sum = sum + 1;
}
void conditions(int a, int b, int *p) {
    if (a = b) a = 1;
    if ((a = b)) a = 1;
    while (a = b) break;
    for (; a = b;) break;
    if ((a == b)) a = 1;
    while ((a == b)) break;
    if ((a == b) && b) a = 1;
    if (((a == b))) a = 1;
    if ((a != b)) a = 1;
    a = (a = b) ? 1 : 2;
    a = a = b ? 1 : 2;
    do a = 1; while (b = a);
    if (p = 0) a = 1;
    if (a += b) a = 1;
    if (!(a = b)) a = 1;
    if (a = b && b) a = 2;
    switch (a = b) { default: break; }
}
