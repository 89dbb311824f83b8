// SPDX-License-Identifier: Apache-2.0
// Makes clFFT generate its kernels: powers of two, three, five and seven, in one to three dimensions.
#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>

static void plan(clfftDim dimensions, size_t x, size_t y, size_t z, clfftPrecision precision, clfftLayout in,
                 clfftLayout out) {
    const size_t lengths[3] = {x, y, z};
    cl_command_queue queue = nullptr;
    cl_device_id device = nullptr;
    clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue = clCreateCommandQueue(context, device, 0, nullptr);
    clfftPlanHandle handle;
    if (clfftCreateDefaultPlan(&handle, context, dimensions, lengths) != CLFFT_SUCCESS) return;
    clfftSetPlanPrecision(handle, precision);
    clfftSetLayout(handle, in, out);
    clfftSetResultLocation(handle, in == out ? CLFFT_INPLACE : CLFFT_OUTOFPLACE);
    clfftBakePlan(handle, 1, &queue, nullptr, nullptr);
}

int main() {
    clfftSetupData setup;
    clfftInitSetupData(&setup);
    clfftSetup(&setup);
    const clfftLayout complex = CLFFT_COMPLEX_INTERLEAVED, planar = CLFFT_COMPLEX_PLANAR, real = CLFFT_REAL,
                      half = CLFFT_HERMITIAN_INTERLEAVED;
    for (int i = 0; i < 2; ++i) {
        const clfftPrecision precision = i ? CLFFT_DOUBLE : CLFFT_SINGLE;
        plan(CLFFT_1D, 1024, 1, 1, precision, complex, complex);
        plan(CLFFT_1D, 4096 * 64, 1, 1, precision, complex, complex);
        plan(CLFFT_1D, 3 * 5 * 7 * 11 * 13, 1, 1, precision, planar, planar);
        plan(CLFFT_1D, 2000, 1, 1, precision, real, half);
        plan(CLFFT_1D, 2000, 1, 1, precision, half, real);
        plan(CLFFT_2D, 64, 96, 1, precision, complex, complex);
        plan(CLFFT_2D, 64, 64, 1, precision, real, half);
        plan(CLFFT_3D, 16, 27, 25, precision, complex, complex);
    }
    return 0;
}
