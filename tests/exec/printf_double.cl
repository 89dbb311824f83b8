// NEEDS: double
#include "assert.h"
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void test_double(global uint *record, global int *in) {
    double third = 1.0 / in[3];
    ASSERT(0, printf("%.15f %.17g %a\n", third, 0.1, third));  // 1.13.13-39
    printf("%v2lf %.2v3le\n", (double2)(third, -1.0), (double3)(1, 2, third));
    printf("%f %g\n", (double)in[1], 1e300);
    // PRINTS: 0.333333333333333 0.10000000000000001 0x1.5555555555555p-2
    // PRINTS: 0.333333,-1.000000 1.00e+00,2.00e+00,3.33e-01
    // PRINTS: 1.000000 1e+300
}
