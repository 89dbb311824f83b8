// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/cuda_context.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "spirv/support/shared_library.h"

namespace caldera::runtime {
namespace {

// ---- The end of the process ----

constinit std::atomic<int> calls = 0;  // number of threads that are inside a call
constinit std::atomic<bool> is_process_ending = false;
constinit std::atomic<pid_t> process = 0;  // the process whose threads call; a forked child has none of them

/// Waits for running calls, which must not overlap CUDA's own shutdown.
void end_calls() {
    if (getpid() != process) return;
    is_process_ending = true;
    using Clock = std::chrono::steady_clock;
    for (const auto start = Clock::now(); calls != 0 && Clock::now() - start < std::chrono::seconds(2);)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// atexit() runs functions in reverse order: this one runs before those of libraries that are already loaded.
bool note_libraries() { return std::atexit(end_calls) == 0; }

class Call {
 public:
    Call() noexcept {
        // must come first: either end_calls() sees the call, or the call sees that the process exits
        ++calls;
    }
    ~Call() { --calls; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    explicit operator bool() const { return !is_process_ending && getpid() == process; }
};

// ---- CUDA's driver API, of which no header is needed ----

using CuDevice = int;
using CuContext = void*;
using CuUuid = std::array<uint8_t, VK_UUID_SIZE>;
constexpr int kComputeMode = 20;  // CU_DEVICE_ATTRIBUTE_COMPUTE_MODE; 0 is CU_COMPUTEMODE_DEFAULT

#if defined(_WIN32)
constexpr const char* kCudaLibrary = "nvcuda.dll";
#else
constexpr const char* kCudaLibrary = "libcuda.so.1";
#endif

struct Cuda {
    int (*init)(unsigned flags) = nullptr;
    int (*device_count)(int* count) = nullptr;
    int (*device)(CuDevice* device, int index) = nullptr;
    int (*device_uuid)(CuUuid* uuid, CuDevice device) = nullptr;
    int (*device_attribute)(int* value, int attribute, CuDevice device) = nullptr;
    int (*create_context)(CuContext* context, unsigned flags, CuDevice device) = nullptr;
    int (*pop_context)(CuContext* context) = nullptr;
    int (*destroy_context)(CuContext context) = nullptr;
};

Result<Cuda> load() {
    void* library = load_library(kCudaLibrary);
    if (!library) return Error{.message = std::string(kCudaLibrary) + " cannot be loaded"};
    Cuda cuda;
    const char* missing = nullptr;
    const auto get = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(function_in(library, name));
        if (!function) missing = name;
    };
    get(cuda.init, "cuInit");
    get(cuda.device_count, "cuDeviceGetCount");
    get(cuda.device, "cuDeviceGet");
    get(cuda.device_uuid, "cuDeviceGetUuid");
    get(cuda.device_attribute, "cuDeviceGetAttribute");
    get(cuda.create_context, "cuCtxCreate_v2");
    get(cuda.pop_context, "cuCtxPopCurrent_v2");
    get(cuda.destroy_context, "cuCtxDestroy_v2");
    if (missing) return Error{.message = std::string("libcuda.so.1 has no ") + missing};
    return cuda;
}

Error cuda_error(const char* call, int result) {
    return {.message = std::string(call) + " failed: CUDA error " + std::to_string(result)};
}

Result<CuDevice> find_device(const Cuda& cuda, const CuUuid& wanted) {
    int count = 0;
    if (const int result = cuda.device_count(&count)) return cuda_error("cuDeviceGetCount", result);
    for (int i = 0; i < count; ++i) {
        CuDevice device = 0;
        CuUuid uuid = {};
        if (cuda.device(&device, i) == 0 && cuda.device_uuid(&uuid, device) == 0 && uuid == wanted)
            return device;
    }
    return Error{.message = "the device is not visible to CUDA in this process"};
}

}  // namespace

Result<CudaContext> CudaContext::create(const CuUuid& uuid) {
    // these were calls of the process that forked this one
    if (process.exchange(getpid()) != getpid()) calls = 0;
    const Error ending{.message = "the process is exiting"};
    if (!note_libraries()) return ending;
    const Call call;
    if (!call) return ending;
    const Result<Cuda> cuda = load();
    if (!cuda) return cuda.error();
    if (!note_libraries() || !call) return ending;
    if (const int result = cuda->init(0)) return cuda_error("cuInit", result);
    if (!note_libraries() || !call) return ending;

    const Result<CuDevice> device = find_device(*cuda, uuid);
    if (!device) return device.error();
    int mode = 0;
    if (const int result = cuda->device_attribute(&mode, kComputeMode, *device))
        return cuda_error("cuDeviceGetAttribute", result);
    if (mode != 0)
        return Error{.message =
                         "CUDA's compute mode reserves the device for one process or prohibits its use"};
    CudaContext made;
    if (const int result = cuda->create_context(&made.context_, 0, *device))
        return cuda_error("cuCtxCreate", result);
    made.destroy_ = cuda->destroy_context;
    CuContext current = nullptr;
    (void)cuda->pop_context(&current);
    return made;
}

CudaContext::~CudaContext() {
    const Call call;
    if (context_ && call) (void)destroy_(context_);
}

}  // namespace caldera::runtime
