// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// OpenCL C 2.0, 6.5.6: changes to C99 for address spaces.
void takes_char(global char *p);
void takes_void(global void *p);
void call(global int *g, local char *lc, private void *pv, constant char *cc, global char *gc) {
    takes_void(g);
    takes_char(lc);  // 1.5.6-6
    takes_void(lc);  // 1.5.6-6
    takes_char(pv);  // 1.5.6-6
    takes_char(cc);  // 1.5.6-6
}
void arithmetic(global int *g, local int *l, private int *p, constant int *c, int *any) {
    (void)(g - l);    // 1.5.6-7
    (void)(p - g);    // 1.5.6-7
    (void)(c - any);  // 1.5.6-7
    (void)(g - any);
    (void)(g < l);    // 1.5.6-8
    (void)(l >= p);   // 1.5.6-8
    (void)(any < c);  // 1.5.6-8
    (void)(g < any);
    (void)(g == l);   // 1.5.6-9
    (void)(l != p);   // 1.5.6-9
    (void)(c == g);   // 1.5.6-9
    (void)(any == c); // 1.5.6-9
    (void)(any == g);
    (void)(1 ? g : l);    // 1.5.6-13
    (void)(1 ? c : any);  // 1.5.6-13
    (void)(1 ? p : l);    // 1.5.6-13
    (void)(1 ? g : any);
    g ? (void)0 : (void)0;
}
void enclose(global int *g, const global int *cg, local int *l, int *any, const int *cany) {
    any = g;
    cany = cg;
    g = any;     // 1.5.6-14
    any = cg;    // 1.5.6-14: a qualifier lost
    g = cg;      // 1.5.6-14
    cg = l;      // 1.5.6-4, 1.5.6-14
    cany = l;
}
struct s {
    global int g;   // 1.5.6-15
    local float f;  // 1.5.6-15
    int local a[2]; // 1.5.6-15
};
global local int two_1;            // 1.5.6-16
global int constant two_2 = 1;     // 1.5.6-16
void two(local global int *p) {}   // 1.5.6-16
void three(private int constant *p) {}  // 1.5.6-16
typedef global int gint;
void four(local gint *p) {}        // 1.5.6-16
void five(global global int *p) {} // 1.5.6-16: the same one twice is a warning
kernel void objects(void) {
    global int arr[5] = {1};         // 1.5.6-18
    global int gval = 1;             // 1.5.6-18
    constant int c;                  // 1.5.6-18
    global int *gptr = 0xdeadbeef;   // DIFFERS 1.5.6-19: clang 15 refuses what the examples of 6.5.6 write
    intptr bits = 0;                 // 1.5.6-19: intptr_t is meant
}
