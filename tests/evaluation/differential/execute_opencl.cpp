// SPDX-License-Identifier: Apache-2.0
// execute_opencl [--options=BUILD_OPTIONS] [--dump] FILE...: as execute_vulkan, on the system's first OpenCL
// device.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "kernel_contract.h"

namespace {

struct Device {
    cl_device_id id = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;

    bool open() {
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return false;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) != CL_SUCCESS) return false;
        context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
        queue = clCreateCommandQueue(context, id, 0, nullptr);
        return queue != nullptr;
    }
};

/// Empty when `contents` holds the buffers afterwards.
std::string execute(const Device& device, const std::string& path, const std::string& options,
                    std::vector<std::vector<uint32_t>>& contents) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string source = text.str();
    const char* pointer = source.c_str();
    cl_program program = clCreateProgramWithSource(device.context, 1, &pointer, nullptr, nullptr);
    if (clBuildProgram(program, 1, &device.id, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
        std::string log(65536, '\0');
        clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
        clReleaseProgram(program);
        return "build: " + log.substr(0, log.find('\n'));
    }
    cl_int status = CL_SUCCESS;
    auto keep = [&](cl_int next) { status = status == CL_SUCCESS ? next : status; };
    cl_kernel kernel = clCreateKernel(program, "test", &status);
    std::vector<cl_mem> buffers;
    for (cl_uint i = 0; i < contents.size() && status == CL_SUCCESS; ++i) {
        buffers.push_back(clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, contents[i].size() * 4,
                                         contents[i].data(), &status));
        keep(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers.back()));
    }
    if (status == CL_SUCCESS) {
        keep(clSetKernelArg(kernel, static_cast<cl_uint>(contents.size()), differential::kDynamicBytes,
                            nullptr));
        const std::vector<uint32_t> given = differential::given();
        keep(clSetKernelArg(kernel, static_cast<cl_uint>(contents.size() + 1), given.size() * 4,
                            given.data()));
        const size_t global = differential::kGlobal, local = differential::kLocal;
        keep(clEnqueueNDRangeKernel(device.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));
        for (cl_uint i = 0; i < contents.size(); ++i)
            keep(clEnqueueReadBuffer(device.queue, buffers[i], CL_TRUE, 0, contents[i].size() * 4,
                                     contents[i].data(), 0, nullptr, nullptr));
    }
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
    if (kernel) clReleaseKernel(kernel);
    clReleaseProgram(program);
    return status == CL_SUCCESS ? "" : "OpenCL error " + std::to_string(status);
}

}  // namespace

int main(int argc, char** argv) {
    Device device;
    if (!device.open()) return std::fprintf(stderr, "error: no OpenCL device\n"), 1;
    std::string options;
    bool dump = false;
    for (int i = 1; i < argc; ++i) {
        const std::string path = argv[i];
        if (path == "--dump") {
            dump = true;
            continue;
        }
        if (path.starts_with("--options=")) {
            options = path.substr(10);
            continue;
        }
        std::vector<std::vector<uint32_t>> contents = differential::buffers();
        if (const std::string error = execute(device, path, options, contents); error.empty())
            std::printf("%s digest %016" PRIx64 " %016" PRIx64 "\n", path.c_str(),
                        differential::digest(contents[0]), differential::digest(contents[1]));
        else
            std::printf("%s error %s\n", path.c_str(), error.c_str());
        if (dump) differential::print(contents);
        std::fflush(stdout);
    }
    return 0;
}
