// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/driver/recorded.h"

#include <limits>
#include <string>
#include <vector>

#include "tests/evaluation/bench/driver/calls.h"
#include "vulkan/icd/command_buffer_api.h"

namespace caldera::bench {
namespace {

bool has_extensions(cl_device_id device) {
    size_t size = 0;
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
    std::string names(size, '\0');
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names.data(), nullptr), "clGetDeviceInfo");
    return names.find("cl_khr_command_buffer_mutable_dispatch") != std::string::npos;
}

/// A command-buffer of kRecorded launches, which can be changed.
class Recorded {
 public:
    Recorded(cl_device_id device, cl_command_queue queue, cl_kernel kernel) : queue_(queue) {
        check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform_, &platform_, nullptr),
              "clGetDeviceInfo");
        const auto create = function<decltype(&icd::CreateCommandBufferKHR)>("clCreateCommandBufferKHR");
        const auto record = function<decltype(&icd::CommandNDRangeKernelKHR)>("clCommandNDRangeKernelKHR");
        const auto finalize =
            function<decltype(&icd::FinalizeCommandBufferKHR)>("clFinalizeCommandBufferKHR");
        release_ = function<decltype(&icd::ReleaseCommandBufferKHR)>("clReleaseCommandBufferKHR");
        enqueue_ = function<decltype(&icd::EnqueueCommandBufferKHR)>("clEnqueueCommandBufferKHR");
        update_ = function<decltype(&icd::UpdateMutableCommandsKHR)>("clUpdateMutableCommandsKHR");
        record_seconds_ = seconds_of([&] {
            const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                                   CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
            cl_int code = CL_SUCCESS;
            buffer_ = create(1, &queue, properties, &code);
            check(code, "clCreateCommandBufferKHR");
            const size_t items = 64;
            for (cl_mutable_command_khr& command : commands_)
                check(record(buffer_, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                             nullptr, &command),
                      "clCommandNDRangeKernelKHR");
            check(finalize(buffer_), "clFinalizeCommandBufferKHR");
        });
    }
    Recorded(const Recorded&) = delete;
    Recorded& operator=(const Recorded&) = delete;
    ~Recorded() { check(release_(buffer_), "clReleaseCommandBufferKHR"); }

    double record_seconds() const { return record_seconds_; }
    void enqueue() const {
        check(enqueue_(0, nullptr, buffer_, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
    }
    void finish() const { check(clFinish(queue_), "clFinish"); }
    void change(size_t command, cl_mem memory) const {
        const icd::MutableDispatchArg argument{.arg_size = sizeof memory, .arg_value = &memory};
        const icd::MutableDispatchConfig config{
            .command = commands_[command], .num_args = 1, .arg_list = &argument};
        const cl_command_buffer_update_type_khr type = icd::kMutableDispatchConfig;
        const void* configs[] = {&config};
        check(update_(buffer_, 1, &type, configs), "clUpdateMutableCommandsKHR");
    }

 private:
    template <class Function>
    Function function(const char* name) const {
        void* const found = clGetExtensionFunctionAddressForPlatform(platform_, name);
        check(found ? CL_SUCCESS : CL_INVALID_OPERATION, name);
        return reinterpret_cast<Function>(found);
    }

    cl_platform_id platform_ = nullptr;
    cl_command_queue queue_;
    decltype(&icd::ReleaseCommandBufferKHR) release_ = nullptr;
    decltype(&icd::EnqueueCommandBufferKHR) enqueue_ = nullptr;
    decltype(&icd::UpdateMutableCommandsKHR) update_ = nullptr;
    cl_command_buffer_khr buffer_ = nullptr;
    std::vector<cl_mutable_command_khr> commands_ = std::vector<cl_mutable_command_khr>(kRecorded);
    double record_seconds_ = 0;
};

}  // namespace

double seconds_of_recorded(RecordedStep step, cl_device_id device, cl_command_queue queue, cl_kernel kernel,
                           cl_mem buffer, cl_mem other) {
    if (!has_extensions(device)) return std::numeric_limits<double>::quiet_NaN();
    const Recorded recorded(device, queue, kernel);
    if (step == RecordedStep::Record) return recorded.record_seconds() / kRecorded;
    recorded.enqueue();  // what the first replay prepares is not counted
    recorded.finish();
    constexpr int kChanges = 100;
    double seconds = 0;
    switch (step) {
        case RecordedStep::Record: break;
        case RecordedStep::EnqueueAfterChange: recorded.change(kRecorded / 2, other); [[fallthrough]];
        case RecordedStep::Enqueue: seconds = seconds_of([&] { recorded.enqueue(); }); break;
        case RecordedStep::Change:
            recorded.change(0, other);
            seconds = seconds_of([&] {
                          for (int i = 0; i < kChanges; ++i) recorded.change(i, i % 2 ? buffer : other);
                      }) /
                      kChanges;
            break;
        case RecordedStep::ChangeAfterReplay:
            seconds = seconds_of([&] { recorded.change(kRecorded / 2, other); });
            break;
        case RecordedStep::Replay:
            seconds = seconds_of([&] {
                          recorded.enqueue();
                          recorded.finish();
                      }) /
                      kRecorded;
            break;
    }
    recorded.finish();
    return seconds;
}

}  // namespace caldera::bench
