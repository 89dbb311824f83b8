// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.11: where attributes may stand, and what they do to types and variables.
struct __attribute__((packed)) before { char c; int i; };        // 1.11.1-1, 1.11-2
struct after { char c; int i; } __attribute__((__packed__));     // 1.11.1-1
typedef int aligned_int __attribute__((aligned(16)));            // 1.11.1-1
typedef struct __attribute__((aligned(32))) { float x; } wide;
enum __attribute__((packed)) small { A, B };                     // 1.11.1-1
union both { char c; float4 v; } __attribute__((aligned(64)));
struct fields { char c; int i __attribute__((packed)); int j __attribute__((aligned(8))); };
_Static_assert(sizeof(struct before) == 5, "");
_Static_assert(sizeof(struct after) == 5, "");
_Static_assert(__alignof__(aligned_int) == 16, "");
_Static_assert(sizeof(wide) == 32, "");
_Static_assert(sizeof(union both) == 64, "");
_Static_assert(sizeof(struct fields) == 16, "");
_Static_assert(__builtin_offsetof(struct fields, i) == 1, "");
_Static_assert(__builtin_offsetof(struct fields, j) == 8, "");
// 1.11.3-5: before the declarator the attribute is the variable's, after the body the type's.
struct __attribute__((aligned(16))) typed { int i; } __attribute__((packed)) ;
struct plain { int i; };
__attribute__((aligned(64))) struct plain variable_1;   // CHECK: OpDecorate %variable_1 Alignment 64
struct plain __attribute__((aligned(32))) variable_2;   // CHECK: OpDecorate %variable_2 Alignment 32
struct plain variable_3 __attribute__((aligned(128)));  // CHECK: OpDecorate %variable_3 Alignment 128
struct plain variable_4 __attribute__((aligned));
_Static_assert(sizeof(struct plain) == 4, "");
_Static_assert(__alignof__(struct typed) == 16, "");
int empty __attribute__(()), empty_items __attribute__((, aligned(8), ));  // 1.11-1
void function(void) __attribute__((some_vendor("text", 3 + 4)));  // 1.11-3, 1.11.6-1: ignored with a warning
__attribute__((always_inline)) int inlined(int n) { return n; }   // 1.11.2-1
kernel void k(global int *out) {
    __attribute__((aligned(32))) int variable;  // 1.11-2
    // CHECK: %variable = OpVariable
    if (out[0]) __attribute__((some_hint)) { out[1] = 1; }  // 1.11.4-1: before the braces of a block
    for (int i = 0; i < 2; i++) __attribute__((some_hint)) { out[i] = 1; }
    variable = inlined(3);
    out[0] = variable + variable_1.i + variable_2.i + variable_3.i + variable_4.i + empty + empty_items;
}
