// OPTIONS: --target=opencl2.0 -Weverything -Wno-unused -Wno-pedantic -Wno-padded -cl-std=CL2.0
// Declarations.
void no_prototype(int a) {}
static void has_static(int a) {}
void declared(int a);
void declared(int a) {}
kernel void is_kernel(int a) {}
void empty();
void empty2() {}
int global_variable;
static int static_variable;
extern int declared_variable;
int declared_variable = 1;
constant int constant_variable = 1;
const const int twice = 1;
int volatile volatile twice_2;
inline void in_line(void) {}
static int tentative;
static int tentative;
int;
struct s { int x; };
struct s;
typedef int;
const;
static;
int const;
long int long_int;
signed char;
void redundant(void);
void redundant(void);
extern void ext(void);
void f(struct inner { int x; } p);
void g(struct not_yet *p);
_Bool b;
