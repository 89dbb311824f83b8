// SPDX-License-Identifier: Apache-2.0
// reference DIR [FILTER]: runs the execution tests through the system's OpenCL loader, to check the tests
// themselves. Where another implementation fails a test, either that implementation or the test is wrong. It
// is built when OpenCL is installed, and ctest does not run it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

struct Sizes {
    size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, offset[3] = {0, 0, 0};
    cl_uint dimensions = 1;
};

std::string directive(const std::string& source, const std::string& marker) {
    const size_t at = source.find(marker);
    if (at == std::string::npos) return {};
    return source.substr(at + marker.size(), source.find('\n', at) - at - marker.size());
}

Sizes parse_sizes(const std::string& run) {
    Sizes sizes;
    std::istringstream words(run);
    for (std::string word; words >> word;) {
        const size_t equal = word.find('=');
        const std::string key = word.substr(0, equal);
        size_t* to = key == "global" ? sizes.global : key == "local" ? sizes.local : sizes.offset;
        std::istringstream numbers(word.substr(equal + 1));
        cl_uint d = 0;
        for (std::string number; d < 3 && std::getline(numbers, number, ',');) to[d++] = std::stoull(number);
        if (key == "global") sizes.dimensions = d;
    }
    return sizes;
}

class Reference {
 public:
    bool open() {
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return false;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) != CL_SUCCESS) return false;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
        queue_ = clCreateCommandQueue(context_, device_, 0, nullptr);
        return queue_ != nullptr;
    }

    bool run(const fs::path& path, const fs::path& root) {
        std::ifstream file(path);
        std::ostringstream text;
        text << file.rdbuf();
        const std::string source = text.str();
        const char* pointer = source.c_str();
        cl_program program = clCreateProgramWithSource(context_, 1, &pointer, nullptr, nullptr);
        std::string options = "-cl-kernel-arg-info -I " + root.string() + " " + directive(source, "OPTIONS:");
        if (const size_t at = options.find("--target="); at != std::string::npos)
            options.erase(at, std::min(options.find(' ', at), options.size()) - at);
        if (clBuildProgram(program, 1, &device_, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
            std::vector<char> log(65536);
            clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
            std::printf("%s: does not build:\n%s\n", path.c_str(), log.data());
            return false;
        }
        cl_uint count = 0;
        clCreateKernelsInProgram(program, 0, nullptr, &count);
        std::vector<cl_kernel> kernels(count);
        clCreateKernelsInProgram(program, count, kernels.data(), nullptr);
        bool ok = true;
        for (cl_kernel kernel : kernels) {
            char name[256] = {};
            clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr);
            if (std::string(name).starts_with("test_"))
                ok = dispatch(path, name, kernel, parse_sizes(directive(source, "RUN:"))) && ok;
        }
        return ok;
    }

 private:
    bool dispatch(const fs::path& path, const char* name, cl_kernel kernel, const Sizes& sizes) {
        cl_uint arguments = 0;
        clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr);
        std::vector<cl_mem> buffers;
        for (cl_uint i = 0; i < arguments; ++i) {
            cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_GLOBAL;
            clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr);
            if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
                clSetKernelArg(kernel, i, 1024, nullptr);
                continue;
            }
            std::vector<cl_uint> words(i == 0 ? 16 : 16384);
            for (cl_uint w = 0; i != 0 && w < words.size(); ++w) words[w] = w;
            buffers.push_back(
                clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, words.size() * 4, words.data(), nullptr));
            clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers.back());
        }
        cl_uint record[16] = {};
        cl_int error = clEnqueueNDRangeKernel(queue_, kernel, sizes.dimensions, sizes.offset, sizes.global,
                                              sizes.local, 0, nullptr, nullptr);
        if (error == CL_SUCCESS)
            error = clEnqueueReadBuffer(queue_, buffers[0], CL_TRUE, 0, sizeof record, record, 0, nullptr,
                                        nullptr);
        if (error == CL_SUCCESS && record[0] == 0 && record[1] != 0) return true;
        std::printf("%s: %s: error %d, line %u: expected 0x%08x, got 0x%08x (%u of %u)\n", path.c_str(), name,
                    error, record[2], record[3], record[4], record[0], record[1]);
        return false;
    }

    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::fprintf(stderr, "usage: reference DIR [FILTER]\n"), 2;
    Reference reference;
    if (!reference.open()) return std::fprintf(stderr, "error: no OpenCL device\n"), 1;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argv[1]))
        if (entry.path().extension() == ".cl" &&
            (argc < 3 || entry.path().string().find(argv[2]) != std::string::npos))
            files.push_back(entry.path());
    std::ranges::sort(files);
    size_t passed = 0;
    for (const fs::path& path : files) passed += reference.run(path, argv[1]);
    std::printf("%zu passed, %zu failed\n", passed, files.size() - passed);
    return passed == files.size() ? 0 : 1;
}
