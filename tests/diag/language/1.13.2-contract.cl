// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.13.2.1: where FP_CONTRACT may stand.
#pragma OPENCL FP_CONTRACT ON           // 1.13.2-85
float f(float a, float b, float c) {
#pragma OPENCL FP_CONTRACT OFF          // 1.13.2-86
    float x = a * b + c;
#pragma OPENCL FP_CONTRACT ON           // 1.13.2-87
    if (x > 1) {
#pragma OPENCL FP_CONTRACT DEFAULT      // 1.13.2-86
        x += 1;
#pragma OPENCL FP_CONTRACT OFF          // 1.13.2-87
    }
    return x;
}
