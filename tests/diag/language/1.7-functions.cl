// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// OpenCL C 2.0, 6.7: function qualifiers and kernel attributes.
int kernel;            // 1.7.1-4
void __kernel2(void);
void f(int __kernel);  // 1.7.1-4
kernel int result(void) { return 0; }  // 1.9-18
kernel kernel void twice(void) {}
kernel int variable;                   // 1.7.1-1
void parameter(kernel int p) {}        // 1.7.1-1
typedef kernel void type(void);        // 1.7.1-1

__attribute__((reqd_work_group_size(1, 2, 3))) void not_a_kernel(void) {}    // 1.7.2-4
__attribute__((work_group_size_hint(1, 2, 3))) void not_a_kernel_2(void) {}  // 1.7.2-3
__attribute__((vec_type_hint(int))) void not_a_kernel_3(void) {}             // 1.7.2-1

kernel __attribute__((reqd_work_group_size(1, 2))) void too_few(void) {}        // 1.7.2-4
kernel __attribute__((reqd_work_group_size(1, 2, 3, 4))) void too_many(void) {} // 1.7.2-4
kernel __attribute__((reqd_work_group_size(0, 2, 3))) void zero(void) {}        // 1.7.2-4
kernel __attribute__((reqd_work_group_size(1, -2, 3))) void negative(void) {}   // 1.7.2-4
kernel __attribute__((reqd_work_group_size(1, 2, 3.0f))) void real(void) {}     // 1.7.2-4
kernel __attribute__((reqd_work_group_size(1, 2, 5000000000))) void wide(void) {}  // 1.7.2-4
kernel __attribute__((reqd_work_group_size)) void none(void) {}                 // 1.7.2-4
kernel __attribute__((reqd_work_group_size(1, 1, 1))) __attribute__((reqd_work_group_size(2, 1, 1))) void two(void) {}
int n;
kernel __attribute__((reqd_work_group_size(1, n, 3))) void run_time(void) {}    // 1.7.2-4
kernel __attribute__((work_group_size_hint(1, 2))) void hint_few(void) {}       // 1.7.2-3
kernel __attribute__((work_group_size_hint(0, 2, 1))) void hint_zero(void) {}   // 1.7.2-3
kernel __attribute__((vec_type_hint)) void no_type(void) {}                     // 1.7.2-1
kernel __attribute__((vec_type_hint(4))) void number(void) {}                   // 1.7.2-1
kernel __attribute__((vec_type_hint(void))) void void_type(void) {}             // 1.7.2-1
kernel __attribute__((vec_type_hint(bool))) void bool_type(void) {}             // 1.7.2-1
struct s { int i; };
kernel __attribute__((vec_type_hint(struct s))) void record(void) {}            // 1.7.2-1
kernel __attribute__((vec_type_hint(global int *))) void pointer(void) {}       // 1.7.2-1
kernel __attribute__((vec_type_hint(float4))) __attribute__((vec_type_hint(int))) void two_hints(void) {}
