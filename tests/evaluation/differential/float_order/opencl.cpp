// SPDX-License-Identifier: Apache-2.0
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>  // of half

#include "executor.h"

namespace caldera::float_order {
namespace {

class OpenclExecutor : public Executor {
 public:
    Result<Done> open() {
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) != CL_SUCCESS)
            return Error{.message = "no OpenCL device"};
        cl_int status = CL_SUCCESS;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
        if (status == CL_SUCCESS) queue_ = clCreateCommandQueue(context_, device_, 0, &status);
        if (status != CL_SUCCESS) return failed("a queue", status);
        return Done{};
    }
    ~OpenclExecutor() override {
        if (queue_) clReleaseCommandQueue(queue_);
        if (context_) clReleaseContext(context_);
    }

    std::string name() const override {
        char text[256] = {};
        clGetDeviceInfo(device_, CL_DEVICE_NAME, sizeof text - 1, text, nullptr);
        return std::string(text) + ", OpenCL";
    }

    bool has(Kind kind) const override {
        std::vector<char> text(1 << 16);
        clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, text.size() - 1, text.data(), nullptr);
        return std::string(text.data()).find(kind == Kind::Half ? "cl_khr_fp16" : "cl_khr_fp64") !=
               std::string::npos;
    }

    Denormals denormals() const override {
        return {.half = has(Kind::Half) && keeps(CL_DEVICE_HALF_FP_CONFIG),
                .single = keeps(CL_DEVICE_SINGLE_FP_CONFIG),
                .of_double = has(Kind::Double) && keeps(CL_DEVICE_DOUBLE_FP_CONFIG)};
    }

    Result<std::vector<std::vector<std::byte>>> run(const Program& program,
                                                    const std::vector<uint32_t>& slots, Input) override {
        const char* source = program.source.c_str();
        cl_program built = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
        cl_int status = clBuildProgram(built, 1, &device_, program.options.c_str(), nullptr, nullptr);
        if (status != CL_SUCCESS) {
            std::string log(1 << 16, '\0');
            clGetProgramBuildInfo(built, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
            clReleaseProgram(built);
            return Error{.message = "build: " + std::string(log.c_str())};
        }
        cl_kernel kernel = clCreateKernel(built, "test", &status);
        Result<std::vector<std::vector<std::byte>>> results = launch(kernel, program, slots);
        clReleaseKernel(kernel);
        clReleaseProgram(built);
        return results;
    }

 private:
    static Error failed(const char* what, cl_int status) {
        return {.message = std::string(what) + ": OpenCL error " + std::to_string(status)};
    }

    bool keeps(cl_device_info which) const {
        cl_device_fp_config config = 0;
        clGetDeviceInfo(device_, which, sizeof config, &config, nullptr);
        return (config & CL_FP_DENORM) != 0;
    }

    Result<std::vector<std::vector<std::byte>>> launch(cl_kernel kernel, const Program& program,
                                                       const std::vector<uint32_t>& slots) {
        std::vector<cl_mem> buffers;
        cl_uint argument = 0;
        const cl_int turns = kTurns;
        cl_int status = clSetKernelArg(kernel, argument++, sizeof turns, &turns);
        const auto pass = [&](std::vector<std::byte> bytes) {
            cl_int made = CL_SUCCESS;
            buffers.push_back(
                clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &made));
            if (status == CL_SUCCESS) status = made;
            if (status == CL_SUCCESS)
                status = clSetKernelArg(kernel, argument++, sizeof(cl_mem), &buffers.back());
        };
        for (const Kind kind : program.loaded) pass(table_bytes(kind));
        std::vector<std::vector<std::byte>> results;
        for (size_t i = 0; i < program.stored.size(); ++i) {
            const auto element = static_cast<size_t>(info(program.stored[i]).bytes);
            results.emplace_back(slots[i] * kItems * kMaxWidth * element);
            pass(results.back());
        }
        const size_t global = kItems, local = 16;
        if (status == CL_SUCCESS)
            status = clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
        for (size_t i = 0; i < results.size() && status == CL_SUCCESS; ++i)
            status = clEnqueueReadBuffer(queue_, buffers[program.loaded.size() + i], CL_TRUE, 0,
                                         results[i].size(), results[i].data(), 0, nullptr, nullptr);
        for (cl_mem buffer : buffers)
            if (buffer) clReleaseMemObject(buffer);
        if (status != CL_SUCCESS) return failed("a kernel", status);
        return results;
    }

    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Executor>> open_opencl() {
    auto executor = std::make_unique<OpenclExecutor>();
    if (auto done = executor->open(); !done) return done.error();
    return std::unique_ptr<Executor>(std::move(executor));
}

}  // namespace caldera::float_order
