// SPDX-License-Identifier: Apache-2.0
// C99 6.2.2p3 to p7: a name has one linkage. OPTIONS: -cl-std=CL3.0 -ferror-limit=0 --target=opencl3.0
int defined(int x) { return x; }
static int defined(int);
int declared(int);
static int declared(int x) { return x; }
int again(void);
extern int again(void);
static int again(void);
static int inherits(void);
int inherits(void) { return 1; }
static int inherits_too(void);
extern int inherits_too(void);
static int inherits_too(void) { return 1; }
void blocks(void) {
    int inner(void);
    extern int variable;
    inner();
    variable = 1;
}
static int inner(void) { return 1; }
static int variable;
extern int a;
static int a;
static int b;
extern int b;
static int b;
int b;
int c = 1;
static int c;
static global int d;
extern global int d;
constant int e = 1;
static constant int e = 1;
int f;
static float f;
int __attribute__((overloadable)) g(int);
static int __attribute__((overloadable)) g(float x) { return 1; }
static int __attribute__((overloadable)) g(int x) { return 1; }
static float sin(float x) { return x; }
static float cos(float x);
