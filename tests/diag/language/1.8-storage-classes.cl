// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
auto int a = 1;                 // 1.8-2
register int b = 1;             // 1.8-2
static kernel void c(void);     // 1.8-5
static kernel void d(void) {}   // 1.8-5
extern static int e;            // 1.8-1: one class
typedef extern int f;           // 1.8-1
struct s { static int member; };        // 1.8-4
struct t { extern int member; };        // 1.8-3
struct u { typedef int member; };       // 1.8-1
void param_static(static int x);        // 1.8-4
void param_extern(extern int x);        // 1.8-3
void param_typedef(typedef int x);      // 1.8-1
void param_auto(auto int x);            // 1.8-2
void param_register(register int x);    // 1.8-2
typedef int named = 1;                  // 1.8-1
kernel void g(global int *out) {
    auto int x = 1;             // 1.8-2
    register int y = 1;         // 1.8-2
    for (register int i = 0; i < 2; i++) out[i] = i;      // 1.8-2
    for (static int i = 0; i < 2; i++) out[i] = i;        // 1.8-4
    for (extern int i; i < 2; i++) out[i] = i;            // 1.8-3
    for (typedef int i; out[0] < 2;) out[0]++;            // 1.8-1
    global int z;               // 1.8-6
    global int many[4];         // 1.8-6
    static local int l;         // 1.8-4
    static private int p;       // 1.8-4
    extern local int m;         // 1.8-3
    extern int initialised = 1; // 1.8-3
    static int computed = out[0];               // 1.8-4: constants only
    static void nested(void);   // 1.8-4
    int size = sizeof(static int);              // 1.8-4
    int cast = (register int)1; // 1.8-2
}
