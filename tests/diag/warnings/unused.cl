// OPTIONS: --target=opencl2.0 -Wall -Wextra -cl-std=CL2.0
// What nobody uses.
static void nobody(void) {}
static inline void in_line(void) {}
static void only_declared(void);
static int recursive_only(int n) { return n; }
static constant int table = 3;
constant int exported = 4;
static int counter;
void parameters(int used, int unused, int __attribute__((unused)) marked, int set) {
    set = used;
}
void variables(int p) {
    int nothing;
    int given = p;
    int set;
    set = p;
    int added = 0;
    added += p;
    int counted = 0;
    counted++;
    int array[2];
    array[0] = p;
    int read = p;
    (void)read;
    int sized;
    (void)sizeof(sized);
    __attribute__((unused)) int quiet;
    volatile int v;
    v = p;
    struct { int m; } record;
    record.m = p;
    float4 vector;
    vector.x = p;
    int *pointer = &p;
    *pointer = 1;
    typedef int local_type;
    typedef int used_type;
    used_type t = 1;
    (void)t;
}
int labels(int n) {
again:
    if (n) goto out;
    n++;
out:
    return n;
}
__attribute__((const)) int constant_function(int n);
__attribute__((pure)) int pure_function(int n);
__attribute__((warn_unused_result)) int must_use(int n);
void results(int n, float f, global int *p) {
    constant_function(n);
    pure_function(n);
    must_use(n);
    (void)must_use(n);
    sqrt(f);
    get_global_id(0);
    n + 1;
    n == 1;
    p[1];
    -n;
    !n;
    (float)n;
    *p;
    n ? 1 : 2;
    n, 1;
    n && f;
    sizeof(n);
    1;
    "text";
    &n;
    n < 1;
    n != 1;
    *p++;
    for (n == 0; n < 1; n + 1)
        ;
}
kernel void used_by_host(global int *p) {}
// Tags whose values are to be used, wherever they come from.
struct __attribute__((warn_unused_result)) status { int code; };
enum __attribute__((warn_unused_result)) state { STOPPED, RUNS };
typedef union __attribute__((warn_unused_result)) { int i; float f; } either;
struct status start(void);
enum state state_now(void);
either both(int n);
void tags(int n) {
    start();
    state_now();
    both(n);
    (void)start();
    (void)both(n);
    n = start().code + state_now();
}
