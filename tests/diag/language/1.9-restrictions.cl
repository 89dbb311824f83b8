// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// OpenCL C 2.0, 6.9: restrictions that rooms of their own (images, pipes, blocks) do not cover.
kernel void pointer(int *p) {}                     // 1.9-1
void constants(constant int *c, global int *g) {
    c = g;  // 1.9-2
    g = c;  // 1.9-2
}
void function(void);
void (*to_function)(void);                         // 1.9-3
void take(void (*callback)(int));                  // 1.9-3
typedef void (*alias)(void);                       // 1.9-3
void address(void) {
    void *p = &function;                           // 1.9-3
    void *q = function;                            // 1.9-3
    function + 1;                                  // 1.9-3
    (*function)();                                 // 1.9-3
}
struct callback {
    void (*member)(void);                          // 1.9-3
};
struct bits {
    int a : 3;                                     // 1.9-11
    uint : 4;                                      // 1.9-11
};
union bits_2 {
    int a : 3;                                     // 1.9-11
};
struct flexible {
    int n;
    int tail[];                                    // DIFFERS 1.9-12: clang takes it
};
void arrays(int n) {
    int variable[n];                               // 1.9-12
    int two[2][n];                                 // 1.9-12
    int from_call[n + 1];                          // 1.9-12
    typedef int later[n];                          // 1.9-12
    (void)sizeof(int[n]);                          // 1.9-12
}
#define variadic(...) __VA_ARGS__                  // DIFFERS 1.9-13: clang takes variadic macros, and so do we
int macro = variadic(1);
void variadic_function(int n, ...);                // 1.9-13
void variadic_function_2(int n, ...) {}            // 1.9-13
void classes(void) {
    auto int a;                                    // 1.9-15
    register int b;                                // 1.9-15
}
int recursive(int n) { return n ? recursive(n - 1) : 0; }   // DIFFERS 1.9-17: clang accepts recursion
void even(int n);
void odd(int n) { if (n) even(n - 1); }            // DIFFERS 1.9-17: clang accepts recursion
void even(int n) { if (n) odd(n - 1); }            // DIFFERS 1.9-17: clang accepts recursion
kernel int not_void(void) { return 1; }            // 1.9-18
kernel void kernel_bool(bool b) {}                 // 1.9-19
kernel void kernel_size(size_t n) {}               // 1.9-19
kernel void kernel_diff(ptrdiff_t n) {}            // 1.9-19
kernel void kernel_int(intptr_t n) {}              // 1.9-19
kernel void kernel_uint(uintptr_t n) {}            // 1.9-19
struct with_bool { int i; bool b; };
struct outer { struct with_bool inner[2]; };
union with_size { int i; bool n; };
kernel void kernel_record(struct with_bool s) {}   // 1.9-19
kernel void kernel_nested(struct outer s) {}       // 1.9-19
kernel void kernel_union(union with_size u) {}     // 1.9-19
