// OPTIONS: --target=opencl2.0 -Wall -Wconditional-uninitialized
// Variables that are read before anything was written to them.
int always(void) {
    int x;
    return x;
}
int sometimes_if(int c) {
    int x;
    if (c) x = 1;
    return x;
}
int sometimes_else(int c) {
    int x;
    if (c)
        c++;
    else
        x = 1;
    return x;
}
int both(int c) {
    int x;
    if (c)
        x = 1;
    else
        x = 2;
    return x;
}
int loop_while(int c) {
    int x;
    while (c--) x = c;
    return x;
}
int loop_for(int n) {
    int x;
    for (int i = 0; i < n; i++) x = i;
    return x;
}
int loop_do(int n) {
    int x;
    do x = n; while (n--);
    return x;
}
int logical(int a, int b) {
    int x;
    if (a && (x = b)) return x;
    return x;
}
int logical_or(int a, int b) {
    int x;
    if (a || (x = b)) return 1;
    return x;
}
int ternary(int a) {
    int x;
    a ? (x = 1) : 0;
    return x;
}
int switched(int a) {
    int x;
    switch (a) {
        case 1: x = 1; break;
        case 2: x = 2; break;
    }
    return x;
}
int switched_default(int a) {
    int x;
    switch (a) {
        case 1: x = 1; break;
        default: x = 2;
    }
    return x;
}
enum e { A, B };
int switched_enum(enum e e) {
    int x;
    switch (e) {
        case A: x = 1; break;
        case B: x = 2; break;
    }
    return x;
}
int returns_early(int a) {
    int x;
    if (a) return 1;
    else x = 2;
    return x;
}
int self(void) {
    int x = x;
    return x;
}
int self_used(void) {
    int x = x + 1;
    return x;
}
int incremented(void) {
    int x;
    x++;
    return x;
}
int compound(int a) {
    int x;
    x += a;
    return x;
}
void takes(int *p);
int by_address(void) {
    int x;
    takes(&x);
    return x;
}
float vector(float f) {
    float4 v;
    v.x = f;
    return v.x;
}
float vector_whole(void) {
    float4 v;
    return v.x;
}
float4 vector_read(void) {
    float4 v;
    return v;
}
int array(void) {
    int a[2];
    return a[0];
}
struct s { int x, y; };
int record(void) {
    struct s s;
    return s.x;
}
int *pointer(void) {
    int *p;
    return p;
}
int pointed(void) {
    int *p;
    return *p;
}
int jumped(int a) {
    int x;
    if (a) goto out;
    x = 1;
out:
    return x;
}
int correlated(int a) {
    int x;
    if (a) x = 1;
    if (a) return x;
    return 0;
}
int constant_true(void) {
    int x;
    if (1) x = 1;
    return x;
}
int endless(int a) {
    int x;
    for (;;) {
        x = a;
        if (a++ > 3) break;
    }
    return x;
}
int later_read(int n) {
    int x;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i) sum += x;
        x = i;
    }
    return sum;
}
int two_reads(void) {
    int x;
    int y = x;
    return x + y;
}
int sized(void) {
    int x;
    return sizeof(x);
}
int in_call(int a) {
    int x;
    return max(a, x);
}
int comma(int a) {
    int x;
    return (x = a, x);
}
void dropped(void) {
    int x;
    (void)x;
}
struct pair { int a, b; };
struct nest { struct pair pairs[2]; float4 v; };
union word { int i; float f; };
int whole(void) {
    struct pair p, q;
    q = p;
    return q.b;
}
int part_written(void) {
    struct pair p;
    p.a = 1;
    return p.a;
}
float deep(int i) {
    struct nest n;
    return n.v.x + n.pairs[i].a;
}
int index_first(void) {
    int i;
    struct nest n;
    n.v = 1;
    return n.pairs[i].a;
}
int other_member(void) {
    union word w;
    w.f = 1;
    return w.i;
}
float sums(global float *f, int n) {
    float sum[4];
    for (int i = 0; i < n; i++) sum[i & 3] += f[i];
    return sum[0];
}
int filled(int n) {
    int a[4];
    for (int i = 0; i < n; i++) a[i] = i;
    return a[0];
}
int stepped(void) {
    int a[2];
    a[1]++;
    return 0;
}
void fills(struct pair *p, int *a);
int by_call(void) {
    struct pair p;
    int a[2];
    fills(&p, a);
    return p.a + a[0];
}
int given(void) {
    struct pair p = {1};
    int a[2] = {};
    return p.b + a[1];
}
int through_pointer(struct pair *p) {
    struct pair unread;
    return p->a + sizeof(unread.a);
}
kernel void of_the_group(global int *o) {
    local struct pair shared;
    o[0] = shared.a;
}
struct empty {};
struct hollow {
    struct empty parts[2];
    union {} none;
    int no_elements[0];
};
struct mixed {
    struct empty e;
    int a;
};
int reads(struct empty e, struct hollow h);
int without_parts(void) {
    struct empty e, copy = e;
    struct empty row[2];
    struct hollow h;
    e = copy;
    return reads(e, h) + reads(h.parts[1], h) + reads(row[0], h);
}
int part_without_parts(struct hollow h) {
    struct mixed m;
    return reads(m.e, h) + m.a;
}
int pointer_before(void) {
    struct pair p, *at = &p;
    at->a = 1;
    return p.a;
}
int bytes(void) {
    struct pair p;
    char *byte = (char *)&p;
    for (int i = 0; i < (int)sizeof(p); i++) byte[i] = 0;
    return p.b;
}
float rows(global float *f) {
    float m[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) m[i][j] = f[i + j];
    return m[1][0];
}
float stored(global float *f) {
    struct nest n;
    float out[4];
    n.v.lo = (float2)(f[0]);
    vstore4((float4)(f[1]), 0, out);
    return n.v.x + out[3];
}
int literal(int n) {
    struct pair p;
    p = (struct pair){n, n};
    return p.b;
}
int jumps(int n) {
    struct pair p;
    goto fill;
use:
    return p.a;
fill:
    p.a = n;
    goto use;
}
int falls(int n) {
    struct pair p;
    switch (n) {
        case 0: p.a = 1; __attribute__((fallthrough));
        default: p.b = n;
    }
    return p.b;
}
