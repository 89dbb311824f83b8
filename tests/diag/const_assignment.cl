// What is const in an assignment: a variable, a field on the way or a field inside.
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
struct Inner {
    const int c;
    int d;
};
struct Outer {
    const int a;
    int b[2];
    struct Inner i;
    const struct Inner ci;
    struct Inner *const pi;
    struct Inner ai[2];
};
struct Plain {
    int a;
};
kernel void k(global int *o, const float4 cv, constant struct Outer *cp, const global struct Outer *gp) {
    struct Outer s, *ps = &s;
    const struct Outer cs = {1};
    const int ca[3] = {1};
    const float4 lv = cv;
    int *const pc = o;
    s.a = 1;
    ps->a = 1;
    (*ps).a = 1;
    s.i.c = 1;
    s.ci.d = 1;
    ps->ci.c = 1;
    s.pi->d = 1;  // fine
    s.pi->c = 1;
    s.pi = 0;
    cs.b[0] += 1;
    cs.a++;
    s = cs;
    *ps = s;
    s.i = s.i;
    s.ai[0] = s.i;
    ca[0] = 1;
    pc = 0;
    *pc = 1;  // fine
    cv.x = 1;
    lv[0] = 1;
    cp->b[0] = 1;
    gp->b[0] = 1;
    gp->i.d = 1;
    (1 ? ps : ps)->a = 1;
    (int)s.b[0] = 1;
    (int)s.b[1]++;
    const struct Plain plain = {1};
    plain.a = 2;
}
typedef int number;
typedef int number;
