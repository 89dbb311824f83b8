// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// OpenCL C 2.0, 6.5: what the named address spaces refuse.
kernel void argument_1(int *p) {}          // 1.5-6
kernel void argument_2(private int *p) {}  // 1.5-6
kernel void argument_3(int a[4]) {}        // 1.5-6
kernel void argument_4(generic int *p) {}  // 1.5-6

void assign(global int *g, local int *l, private int *p, constant int *c, int *any) {
    g = l;    // 1.5-8
    g = p;    // 1.5-8
    g = c;    // 1.5-8
    l = g;    // 1.5-8
    l = p;    // 1.5-8
    l = c;    // 1.5-8
    p = g;    // 1.5-8
    p = l;    // 1.5-8
    p = c;    // 1.5-8
    c = g;    // 1.5-8
    c = l;    // 1.5-8
    c = p;    // 1.5-8
    any = c;  // 1.5-7, 1.5-8
    c = any;  // 1.5-7, 1.5-8
}

void cast(global int *g, local int *l, private int *p, constant int *c) {
    (void)(global int *)l;    // 1.5-9
    (void)(global int *)p;    // 1.5-9
    (void)(global int *)c;    // 1.5-9
    (void)(local int *)g;     // 1.5-9
    (void)(local char *)p;    // 1.5-9
    (void)(local void *)c;    // 1.5-9
    (void)(private int *)g;   // 1.5-9
    (void)(private int *)l;   // 1.5-9
    (void)(private int *)c;   // 1.5-9
    (void)(constant int *)g;  // 1.5-9
    (void)(constant int *)l;  // 1.5-9
    (void)(constant int *)p;  // 1.5-9
}

private int result_1();          // 1.5-10
local int *result_2();           // 1.5-10: fine
local int *private result_3();   // 1.5-10
global int result_4(void);       // 1.5-10
constant int *global result_5(); // 1.5-10

void parameter_1(global int g) {}           // 1.5-3: parameters are private objects
void parameter_2(local int *global g) {}    // 1.5-3
void parameter_3(private int p) {}          // 1.5-3: fine
void parameter_4(constant int c) {}         // 1.5-3
void use_of_words(void) {
    int global = 1;   // 1.5-1: the words are reserved
    int __local = 1;  // 1.5-1
}
