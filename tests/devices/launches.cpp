// SPDX-License-Identifier: Apache-2.0
// launches: builds OpenCL C files with the OpenCL driver that the loader finds, and launches each kernel
// once.
//
//   launches [--seconds=120] FILE.cl...
//
// It prints a row for each kernel, with tabs between: FILE, kernel, verdict, seconds of processor time,
// remark. Verdicts are `pipeline` (the launch ended), `declined` (the build failed; the remark is the first
// error of the log), `refused` (a call gave the error in the remark), `crash` and `timeout`. Arguments are
// zeros: buffers of 1 MiB, images of 16 by 16, local memory of 4 KiB. So this is for drivers that compile and
// do not run, and for kernels that end with such arguments. A file's "// OPTIONS:" lines are options of its
// build; its folder is searched for headers. CALDERA_DEVICE chooses the device.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "tests/devices/workers.h"

using namespace caldera::devices;

namespace {

constexpr size_t kBufferBytes = 1 << 20, kLocalBytes = 4096, kImageSize = 16, kGlobalSize = 64;

struct Fault {
    std::string text = {};
};
void check(cl_int status, const char* call) {
    if (status != CL_SUCCESS) throw Fault{std::string(call) + ": " + std::to_string(status)};
}

std::string read_text(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The file's "// OPTIONS:" lines, its folder for headers, and what clGetKernelArgInfo needs.
std::string options_of(const std::string& path, const std::string& source) {
    const size_t slash = path.rfind('/');
    std::string options =
        "-cl-kernel-arg-info -I\"" + (slash == path.npos ? "." : path.substr(0, slash)) + "\"";
    constexpr std::string_view kMark = "// OPTIONS:";
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(kMark)) options += " " + line.substr(kMark.size());
    return options;
}

std::string first_error(const std::string& log) {
    const size_t at = log.find("error:");
    const size_t begin = at == log.npos ? 0 : log.rfind('\n', at) + 1;
    return log.substr(begin, log.find('\n', at == log.npos ? 0 : at) - begin);
}

class Launcher {
 public:
    Launcher() {
        cl_platform_id platform = nullptr;
        check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
        cl_int status = 0;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
        check(status, "clCreateContext");
        const cl_queue_properties on_device[] = {
            CL_QUEUE_PROPERTIES,
            CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
        device_queue_ = clCreateCommandQueueWithProperties(context_, device_, on_device, &status);  // or none
        const std::vector<char> zeros(kBufferBytes);
        buffer_ = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kBufferBytes,
                                 const_cast<char*>(zeros.data()), &status);
        check(status, "clCreateBuffer");
    }

    void launch_all(const std::string& path) {
        const double begin = processor_seconds();
        const std::string source = read_text(path);
        const char* text = source.c_str();
        cl_int status = 0;
        const cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, &status);
        check(status, "clCreateProgramWithSource");
        status = clBuildProgram(program, 1, &device_, options_of(path, source).c_str(), nullptr, nullptr);
        if (status != CL_SUCCESS) {
            size_t bytes = 0;
            clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
            std::string log(bytes, '\0');
            clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
            const bool declined = status == CL_BUILD_PROGRAM_FAILURE;
            print_row({path, "-", declined ? "declined" : "refused", seconds_since(begin),
                       declined ? first_error(log) : "clBuildProgram: " + std::to_string(status)});
        } else {
            cl_uint count = 0;
            clCreateKernelsInProgram(program, 0, nullptr, &count);
            std::vector<cl_kernel> kernels(count);
            clCreateKernelsInProgram(program, count, kernels.data(), nullptr);
            for (cl_kernel kernel : kernels) {
                char name[256] = "?";
                clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
                begin_kernel(name);
                const double start = processor_seconds();
                std::optional<std::string> fault;
                try {
                    launch(kernel);
                } catch (const Fault& found) { fault = found.text; }
                print_row(
                    {path, name, fault ? "refused" : "pipeline", seconds_since(start), fault.value_or("")});
                clReleaseKernel(kernel);
            }
        }
        clReleaseProgram(program);
    }

 private:
    void launch(cl_kernel kernel) {
        cl_uint count = 0;
        check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), "clGetKernelInfo");
        std::vector<cl_mem> made;
        for (cl_uint i = 0; i < count; ++i) set_argument(kernel, i, made);
        size_t local[3] = {};
        check(clGetKernelWorkGroupInfo(kernel, device_, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof local,
                                       local, nullptr),
              "clGetKernelWorkGroupInfo");
        const bool required = local[0] != 0;
        const size_t one[] = {kGlobalSize, 1, 1};
        // Its own queue: where nothing runs, a queue never sees the end of commands, and keeps their memory.
        cl_int status = 0;
        const cl_command_queue made_queue =
            clCreateCommandQueueWithProperties(context_, device_, nullptr, &status);
        check(status, "clCreateCommandQueueWithProperties");
        const std::unique_ptr<std::remove_pointer_t<cl_command_queue>, decltype(&clReleaseCommandQueue)>
            queue(made_queue, clReleaseCommandQueue);
        check(clEnqueueNDRangeKernel(queue.get(), kernel, required ? 3 : 1, nullptr, required ? local : one,
                                     required ? local : nullptr, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue.get()), "clFinish");
        for (cl_mem memory : made) clReleaseMemObject(memory);
    }

    void set_argument(cl_kernel kernel, cl_uint index, std::vector<cl_mem>& made) {
        cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
        cl_kernel_arg_type_qualifier qualifiers = 0;
        char type[256] = "";
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr);
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers,
                           nullptr);
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr);
        const std::string_view name = type;
        cl_int status = CL_SUCCESS;
        if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
            status = clSetKernelArg(kernel, index, kLocalBytes, nullptr);
        } else if (name.starts_with("image")) {
            made.push_back(make_image(name));
            status = clSetKernelArg(kernel, index, sizeof(cl_mem), &made.back());
        } else if (qualifiers & CL_KERNEL_ARG_TYPE_PIPE) {
            for (cl_uint bytes = 1; bytes <= 1024; ++bytes) {  // the size of a packet is not to be asked for
                made.push_back(clCreatePipe(context_, 0, bytes, 16, nullptr, &status));
                if (status == CL_SUCCESS)
                    status = clSetKernelArg(kernel, index, sizeof(cl_mem), &made.back());
                if (status == CL_SUCCESS) return;
            }
        } else if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE) {
            status = clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer_);
        } else if (name == "sampler_t") {
            const cl_sampler sampler = clCreateSamplerWithProperties(context_, nullptr, &status);
            check(status, "clCreateSamplerWithProperties");
            status = clSetKernelArg(kernel, index, sizeof sampler, &sampler);
            clReleaseSampler(sampler);
        } else if (name == "queue_t") {
            status = clSetKernelArg(kernel, index, sizeof device_queue_, &device_queue_);
        } else {
            status = set_value(kernel, index);
        }
        check(status, "clSetKernelArg");
    }

    /// Zeros. The driver knows the size and refuses all others.
    static cl_int set_value(cl_kernel kernel, cl_uint index) {
        const std::vector<char> zeros(4096);
        cl_int status = CL_INVALID_ARG_SIZE;
        for (size_t bytes = 1; bytes <= zeros.size() && status == CL_INVALID_ARG_SIZE; ++bytes)
            status = clSetKernelArg(kernel, index, bytes, zeros.data());
        return status;
    }

    cl_mem make_image(std::string_view type) {
        const bool depth = type.find("_depth") != type.npos, array = type.find("_array") != type.npos;
        cl_image_desc shape = {};
        shape.image_width = kImageSize;
        shape.image_array_size = array ? 2 : 0;
        if (type.starts_with("image1d_buffer")) {
            shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
            shape.mem_object = buffer_;
        } else if (type.starts_with("image1d")) {
            shape.image_type = array ? CL_MEM_OBJECT_IMAGE1D_ARRAY : CL_MEM_OBJECT_IMAGE1D;
        } else if (type.starts_with("image2d")) {
            shape.image_type = array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
            shape.image_height = kImageSize;
        } else {
            shape.image_type = CL_MEM_OBJECT_IMAGE3D;
            shape.image_height = shape.image_depth = kImageSize;
        }
        const cl_image_format format = {static_cast<cl_channel_order>(depth ? CL_DEPTH : CL_RGBA), CL_FLOAT};
        cl_int status = 0;
        const cl_mem image = clCreateImage(context_, CL_MEM_READ_WRITE, &format, &shape, nullptr, &status);
        check(status, "clCreateImage");
        return image;
    }

    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue device_queue_ = nullptr;
    cl_mem buffer_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
    unsigned seconds = 120;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with("--seconds=")) {
            seconds = static_cast<unsigned>(std::strtoul(argv[i] + 10, nullptr, 10));
        } else if (argument.starts_with("--")) {
            std::fprintf(stderr, "launches: unknown option '%s'\n", argv[i]);
            return 2;
        } else {
            files.emplace_back(argument);
        }
    }
    if (files.empty()) {
        std::fprintf(stderr, "usage: launches [--seconds=120] FILE.cl...\n");
        return 2;
    }
    // Where nothing runs, threads that wait for events never end. Later files in the same process would be
    // charged for them.
    constexpr size_t kFilesEach = 1;
    const auto make_work = []() -> std::function<void(const std::string&)> {
        try {
            const auto launcher = std::make_shared<Launcher>();
            return [launcher](const std::string& path) {
                try {
                    launcher->launch_all(path);
                } catch (const Fault& fault) { print_row({path, "-", "refused", "0", fault.text}); }
            };
        } catch (const Fault& fault) {
            std::fprintf(stderr, "launches: %s\n", fault.text.c_str());
            _exit(2);
        }
    };
    work_through(files, seconds, make_work, print_death, kFilesEach);
}
