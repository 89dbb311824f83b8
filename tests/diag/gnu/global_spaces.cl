// clang's parts of the global space: what converts to what, and which overload is called.
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
#define DEVICE __attribute__((opencl_global_device))
#define HOST __attribute__((opencl_global_host))
#define OVERLOAD __attribute__((overloadable))
DEVICE int at_file_scope;  // global or constant alone
void take_global(global int *p);
void take_device(DEVICE int *p);
void take_generic(int *p);
struct Global {
    int a;
};
float OVERLOAD which(global int *p);
struct Global OVERLOAD which(DEVICE int *p);
float OVERLOAD wider(global int *p);
struct Global OVERLOAD wider(generic int *p);
void OVERLOAD part(DEVICE int *p);
void OVERLOAD part(HOST int *p);

kernel void k(DEVICE int *d, HOST int *h, global int *g, local int *l, DEVICE int *DEVICE *dd,
              global int *global *gg) {
    generic int *x = d;
    g = d, g = h, x = h;
    take_global(d), take_global(h), take_generic(d), take_device(d);
    struct Global exact = which(d);
    float global_too = which(h) + which(g) + wider(d);
    part(d), part(h);
    d = (DEVICE int *)g, h = (HOST int *)x, g = (global int *)d;
    int same = (d == g) + (g - d) + (d == x) + (d == 0);
    g = same ? d : g;
    *d = *h;
    atomic_add(d, 1);
    vload4(0, h);
    async_work_group_copy(l, d, 1, 0);
    // faults
    d = g;
    d = h;
    take_device(g);
    take_device(x);
    d = (DEVICE int *)h;
    d = (DEVICE int *)l;
    part(g);
    same = d == h;
    g = same ? d : h;
    gg = dd;
    DEVICE int variable;
    local int *to_local = d;
    global DEVICE int *both;
}
DEVICE int *widens(global int *p) { return p; }
