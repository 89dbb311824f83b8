// SPDX-License-Identifier: Apache-2.0
// VkFFT's plans: it writes a program for each axis, direction, length and precision.
#define VKFFT_BACKEND 3
#include <vkFFT.h>

#include <initializer_list>

namespace {

struct Plan {
    uint64_t x = 1, y = 1, real = 0, cosine = 0, half = 0, twice = 0, batches = 1;
};

void build(cl_platform_id platform, cl_device_id device, cl_context context, const Plan& plan) {
    VkFFTConfiguration config = {};
    config.FFTdim = plan.y > 1 ? 2 : 1;
    config.size[0] = plan.x;
    config.size[1] = plan.y;
    config.size[2] = 1;
    config.performR2C = plan.real;
    config.performDCT = plan.cosine;
    config.halfPrecision = plan.half;
    config.doublePrecision = plan.twice;
    config.numberBatches = plan.batches;
    config.platform = &platform;
    config.device = &device;
    config.context = &context;
    uint64_t bytes = 64 * plan.x * plan.y * plan.batches;
    config.bufferSize = &bytes;
    VkFFTApplication application = {};
    if (initializeVkFFT(&application, config) == VKFFT_SUCCESS) deleteVkFFT(&application);
}

}  // namespace

int main() {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_int error = 0;
    clGetPlatformIDs(1, &platform, nullptr);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    for (const uint64_t twice : {0, 1}) {
        for (const uint64_t length : {64, 1024, 4096, 32768, 1 << 20, 15, 1001, 17, 97, 4099})
            build(platform, device, context, {.x = length, .twice = twice});
        build(platform, device, context, {.x = 256, .y = 128, .twice = twice});
        build(platform, device, context, {.x = 512, .y = 60, .real = 1, .twice = twice, .batches = 3});
        for (const uint64_t kind : {1, 2, 3, 4})
            build(platform, device, context, {.x = 48, .y = 32, .cosine = kind, .twice = twice});
    }
    build(platform, device, context, {.x = 1024, .y = 16, .half = 1});
}
