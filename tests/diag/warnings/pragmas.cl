// OPTIONS: --target=opencl2.0 -Wall
// Pragmas.
#pragma unknown thing
#pragma OPENCL EXTENSION cl_khr_no_such : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : maybe
#pragma OPENCL EXTENSION cl_khr_fp64
#pragma OPENCL FP_CONTRACT MAYBE
#pragma OPENCL SOMETHING
#pragma STDC FENV_ACCESS ON
#pragma STDC UNKNOWN
#pragma GCC diagnostic push
#pragma clang diagnostic ignored "-Wunused-variable"
void quiet(void) {
    int unused;
}
#pragma clang diagnostic pop
void loud(void) {
    int unused;
}
#pragma clang diagnostic pop
#pragma clang diagnostic error "-Wunused-variable"
void fails(void) {
    int unused;  // DIFFERS 1.10-2: the comparison runs clang without warnings
}
#pragma clang diagnostic warning "-Wunused-variable"
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wno-such-group"
#pragma clang diagnostic ignored "unused"
#pragma clang diagnostic
#pragma clang diagnostic nonsense "-Wall"
#pragma clang diagnostic ignored "-Wall" extra
void still(void) {
    int unused;  // DIFFERS 1.10-2: the comparison runs clang without warnings
}
#pragma clang diagnostic ignored "-Weverything"
void nothing(void) {
    int unused;
}
#pragma clang diagnostic pop
#pragma clang unknown
#pragma GCC unknown
#pragma omp parallel
#pragma OPENCL EXTENSION cl_khr_fp64 : enable;
#pragma OPENCL EXTENSION cl_khr_fp64 : disable now
