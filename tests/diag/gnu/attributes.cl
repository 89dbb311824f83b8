// OPTIONS: -cl-std=CL2.0 -Wzero-length-array
typedef int v7 __attribute__((vector_size(28)));  // DIFFERS gnu: vectors of 7 elements are none of OpenCL C's
typedef int v7_5 __attribute__((vector_size(30)));
typedef int v0 __attribute__((vector_size(0)));
typedef struct { int a; } of_struct __attribute__((vector_size(16)));
typedef int *of_pointer __attribute__((vector_size(16)));
typedef int no_size __attribute__((vector_size));
constant int size = 16;
int run_time;
typedef int not_constant __attribute__((vector_size(run_time)));
typedef int two_sizes __attribute__((vector_size(16, 3)));
typedef float float_di __attribute__((mode(DI)));
typedef int int_sf __attribute__((mode(SF)));
typedef int unknown __attribute__((mode(XX)));
typedef int no_mode __attribute__((mode));
typedef struct { int a; } struct_mode __attribute__((mode(QI)));
void end(int *p);
void f(int n) {
    int a __attribute__((cleanup(end)));
    __attribute__((assume(n > 1)));
    int none[0];
}
__attribute__((packed)) struct packed_before { char tag; int value; };
__attribute__((aligned(32))) union aligned_before { char tag; int value; };
struct __attribute__((packed)) packed_inside { char tag; int value; };
struct packed_behind { char tag; int value; } __attribute__((packed));
// Hints of clang's that change nothing here: only the last one is not known.
__attribute__((noduplicate, nomerge, leaf, not_tail_called, disable_tail_calls, returns_nonnull)) int *hinted(int x);
__attribute__((no_instrument_function, assume_aligned(8), alloc_size(1), alloc_align(1))) int *allocated(int x);
__attribute__((amdgpu_flat_work_group_size(64, 256), amdgpu_waves_per_eu(2, 4)))
__attribute__((amdgpu_num_vgpr(32), amdgpu_num_sgpr(32))) kernel void of_amd(global int *out) {
    __attribute__((annotate("kept"))) int x = 1;
    __attribute__((nomerge)) hinted(x);
    __attribute__((no_such_hint)) out[0] = x;
}
