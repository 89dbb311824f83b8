// SPDX-License-Identifier: Apache-2.0
// Constraints of C99 6.7: all of them 1-1, and 1-2 where C11 is named.
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
enum doubled { kTwice, kTwice };
enum nothing { };
enum half_value { kHalf = 1.5f };
enum narrow : char { kWide = 300 };
enum fractional : float { kFraction };
enum again { kAgain }; enum again { kMore };
enum tag { kTag }; struct tag { int a; };
enum unknown unknown_size;
struct twice { int a; int a; };
struct twice { int b; };
struct inner_later { int a; union { int a; }; };             // 1-2
struct inner_first { union { int a; }; int a; };             // 1-2
struct inner_both { struct { struct { int q; }; }; union { struct { int q; }; }; };  // 1-2
struct inner_deep { int a; struct { struct { int a; }; int b, b; }; int b; };        // 1-2
union inner_union { struct { int x, y; }; struct { int x, z; }; };                   // 1-2
struct inner_named { int a; struct { int a; } x; union { int b; }; };  // fine: not members of the outer one
struct contains { struct contains self; };
struct incomplete_member { struct unseen x; };
struct member_function { int f(void); };
struct void_member { void v; };
struct no_type { a; };
union record { int a; }; struct record { int a; };
struct unseen variable;
void takes(struct unseen s) { }
struct unseen returns(void) { }
typedef int once; typedef float once;
typedef int valued = 1;
typedef int function_type(int);
function_type with_body { return 1; }
function_type *pointer_to_function;
function_type fine; int fine(int n) { return n; } int calls(void) { return fine(1, 2); }
int kind; float kind;
int kind(void);
int redefined(int a) { return a; } int redefined(int a) { return a; }
int conflicting(int a); float conflicting(int a);
int overloaded(int a); int overloaded(float a);
int same_names(int a, int a) { return a; }
int names_only(a, b);
int other_name(a, b) int a, c; { return a; }
int returns_array(int x)[3] { }
int array_of_functions[2](int);
int int two_types;
unsigned float sign;
short long width;
long long long too_long;
constant int restrict not_a_pointer = 1;
inline int variable_inline;
void nothing_at_all;
int main(void) { return 0; }
_Static_assert(sizeof(int) == 8, "four bytes");              // 1-2
_Static_assert(1.0f, "an integer");                          // 1-2
_Atomic(int) atomic;                                         // 1-2: OpenCL C has names for these
int generic(int x) { return _Generic(x, float: 2); }         // 1-2
int twice_generic(int x) { return _Generic(x, int: 1, int: 2); }  // 1-2
int const_generic(int x) { return _Generic(x, const int: 1, volatile int: 2); }   // 1-2: a value is not const
int const_twice(int x) { return _Generic(x, const int: 1, int: 2, const int: 3); }  // 1-2
_Alignas(3) constant int aligned = 1;                        // 1-2
void variable_length(int n, int a[n], int b[*], int c[static 3], int d[const 3]) {
    d = c;
    int x; int x;
    int n;
    typedef int T[n];
    int (*p)[n];
    sizeof(int[n]);
    const int constant_value = 1; constant_value = 2;
    extern int linked = 1;
    void nested(void) { }
    int f(int) = 1;
}
