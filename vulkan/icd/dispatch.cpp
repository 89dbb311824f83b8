// SPDX-License-Identifier: Apache-2.0
// The driver's entry points: the loader's table, and lookup of functions by name (cl_khr_icd).
#include <atomic>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "vulkan/icd/device.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/object.h"

namespace caldera::icd {

namespace {

/// What loaders call for an extension that this driver does not have: they export some of these functions,
/// and do not look whether the table has one. D3D's are null where the loader's header does not declare them.
template <class... Args>
cl_int CL_API_CALL decline(Args...) {
    return CL_INVALID_OPERATION;
}
template <class Handle, class... Args>
Handle CL_API_CALL decline_to_make(Args... args) {
    if (cl_int* const code = std::get<sizeof...(Args) - 1>(std::tie(args...))) *code = CL_INVALID_OPERATION;
    return nullptr;
}
struct Declines {
    template <class... Args>
    using Call = cl_int(CL_API_CALL*)(Args...);
    template <class Handle, class... Args>
    using Make = Handle(CL_API_CALL*)(Args...);
    template <class... Args>
    constexpr operator Call<Args...>() const {
        return decline<Args...>;
    }
    template <class Handle, class... Args>
    requires std::is_pointer_v<Handle>
    constexpr operator Make<Handle, Args...>() const { return decline_to_make<Handle, Args...>; }
};
constexpr Declines kDeclines;

/// The order is the loader's.
constexpr cl_icd_dispatch kTable = {
    .clGetPlatformIDs = GetPlatformIDs,
    .clGetPlatformInfo = GetPlatformInfo,
    .clGetDeviceIDs = GetDeviceIDs,
    .clGetDeviceInfo = GetDeviceInfo,
    .clCreateContext = CreateContext,
    .clCreateContextFromType = CreateContextFromType,
    .clRetainContext = RetainContext,
    .clReleaseContext = ReleaseContext,
    .clGetContextInfo = GetContextInfo,
    .clCreateCommandQueue = CreateCommandQueue,
    .clRetainCommandQueue = RetainCommandQueue,
    .clReleaseCommandQueue = ReleaseCommandQueue,
    .clGetCommandQueueInfo = GetCommandQueueInfo,
    .clSetCommandQueueProperty = SetCommandQueueProperty,
    .clCreateBuffer = CreateBuffer,
    .clCreateImage2D = CreateImage2D,
    .clCreateImage3D = CreateImage3D,
    .clRetainMemObject = RetainMemObject,
    .clReleaseMemObject = ReleaseMemObject,
    .clGetSupportedImageFormats = GetSupportedImageFormats,
    .clGetMemObjectInfo = GetMemObjectInfo,
    .clGetImageInfo = GetImageInfo,
    .clCreateSampler = CreateSampler,
    .clRetainSampler = RetainSampler,
    .clReleaseSampler = ReleaseSampler,
    .clGetSamplerInfo = GetSamplerInfo,
    .clCreateProgramWithSource = CreateProgramWithSource,
    .clCreateProgramWithBinary = CreateProgramWithBinary,
    .clRetainProgram = RetainProgram,
    .clReleaseProgram = ReleaseProgram,
    .clBuildProgram = BuildProgram,
    .clUnloadCompiler = UnloadCompiler,
    .clGetProgramInfo = GetProgramInfo,
    .clGetProgramBuildInfo = GetProgramBuildInfo,
    .clCreateKernel = CreateKernel,
    .clCreateKernelsInProgram = CreateKernelsInProgram,
    .clRetainKernel = RetainKernel,
    .clReleaseKernel = ReleaseKernel,
    .clSetKernelArg = SetKernelArg,
    .clGetKernelInfo = GetKernelInfo,
    .clGetKernelWorkGroupInfo = GetKernelWorkGroupInfo,
    .clWaitForEvents = WaitForEvents,
    .clGetEventInfo = GetEventInfo,
    .clRetainEvent = RetainEvent,
    .clReleaseEvent = ReleaseEvent,
    .clGetEventProfilingInfo = GetEventProfilingInfo,
    .clFlush = Flush,
    .clFinish = Finish,
    .clEnqueueReadBuffer = EnqueueReadBuffer,
    .clEnqueueWriteBuffer = EnqueueWriteBuffer,
    .clEnqueueCopyBuffer = EnqueueCopyBuffer,
    .clEnqueueReadImage = EnqueueReadImage,
    .clEnqueueWriteImage = EnqueueWriteImage,
    .clEnqueueCopyImage = EnqueueCopyImage,
    .clEnqueueCopyImageToBuffer = EnqueueCopyImageToBuffer,
    .clEnqueueCopyBufferToImage = EnqueueCopyBufferToImage,
    .clEnqueueMapBuffer = EnqueueMapBuffer,
    .clEnqueueMapImage = EnqueueMapImage,
    .clEnqueueUnmapMemObject = EnqueueUnmapMemObject,
    .clEnqueueNDRangeKernel = EnqueueNDRangeKernel,
    .clEnqueueTask = EnqueueTask,
    .clEnqueueNativeKernel = EnqueueNativeKernel,
    .clEnqueueMarker = EnqueueMarker,
    .clEnqueueWaitForEvents = EnqueueWaitForEvents,
    .clEnqueueBarrier = EnqueueBarrier,
    .clGetExtensionFunctionAddress = GetExtensionFunctionAddress,
    .clCreateFromGLBuffer = kDeclines,
    .clCreateFromGLTexture2D = kDeclines,
    .clCreateFromGLTexture3D = kDeclines,
    .clCreateFromGLRenderbuffer = kDeclines,
    .clGetGLObjectInfo = kDeclines,
    .clGetGLTextureInfo = kDeclines,
    .clEnqueueAcquireGLObjects = kDeclines,
    .clEnqueueReleaseGLObjects = kDeclines,
    .clGetGLContextInfoKHR = kDeclines,
    .clGetDeviceIDsFromD3D10KHR = nullptr,
    .clCreateFromD3D10BufferKHR = nullptr,
    .clCreateFromD3D10Texture2DKHR = nullptr,
    .clCreateFromD3D10Texture3DKHR = nullptr,
    .clEnqueueAcquireD3D10ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D10ObjectsKHR = nullptr,
    .clSetEventCallback = SetEventCallback,
    .clCreateSubBuffer = CreateSubBuffer,
    .clSetMemObjectDestructorCallback = SetMemObjectDestructorCallback,
    .clCreateUserEvent = CreateUserEvent,
    .clSetUserEventStatus = SetUserEventStatus,
    .clEnqueueReadBufferRect = EnqueueReadBufferRect,
    .clEnqueueWriteBufferRect = EnqueueWriteBufferRect,
    .clEnqueueCopyBufferRect = EnqueueCopyBufferRect,
    .clCreateSubDevicesEXT = kDeclines,
    .clRetainDeviceEXT = RetainDevice,
    .clReleaseDeviceEXT = ReleaseDevice,
    .clCreateEventFromGLsyncKHR = kDeclines,
    .clCreateSubDevices = CreateSubDevices,
    .clRetainDevice = RetainDevice,
    .clReleaseDevice = ReleaseDevice,
    .clCreateImage = CreateImage,
    .clCreateProgramWithBuiltInKernels = CreateProgramWithBuiltInKernels,
    .clCompileProgram = CompileProgram,
    .clLinkProgram = LinkProgram,
    .clUnloadPlatformCompiler = UnloadPlatformCompiler,
    .clGetKernelArgInfo = GetKernelArgInfo,
    .clEnqueueFillBuffer = EnqueueFillBuffer,
    .clEnqueueFillImage = EnqueueFillImage,
    .clEnqueueMigrateMemObjects = EnqueueMigrateMemObjects,
    .clEnqueueMarkerWithWaitList = EnqueueMarkerWithWaitList,
    .clEnqueueBarrierWithWaitList = EnqueueBarrierWithWaitList,
    .clGetExtensionFunctionAddressForPlatform = GetExtensionFunctionAddressForPlatform,
    .clCreateFromGLTexture = kDeclines,
    .clGetDeviceIDsFromD3D11KHR = nullptr,
    .clCreateFromD3D11BufferKHR = nullptr,
    .clCreateFromD3D11Texture2DKHR = nullptr,
    .clCreateFromD3D11Texture3DKHR = nullptr,
    .clCreateFromDX9MediaSurfaceKHR = nullptr,
    .clEnqueueAcquireD3D11ObjectsKHR = nullptr,
    .clEnqueueReleaseD3D11ObjectsKHR = nullptr,
    .clGetDeviceIDsFromDX9MediaAdapterKHR = nullptr,
    .clEnqueueAcquireDX9MediaSurfacesKHR = nullptr,
    .clEnqueueReleaseDX9MediaSurfacesKHR = nullptr,
    .clCreateFromEGLImageKHR = kDeclines,
    .clEnqueueAcquireEGLObjectsKHR = kDeclines,
    .clEnqueueReleaseEGLObjectsKHR = kDeclines,
    .clCreateEventFromEGLSyncKHR = kDeclines,
    .clCreateCommandQueueWithProperties = CreateCommandQueueWithProperties,
    .clCreatePipe = CreatePipe,
    .clGetPipeInfo = GetPipeInfo,
    .clSVMAlloc = SVMAlloc,
    .clSVMFree = SVMFree,
    .clEnqueueSVMFree = EnqueueSVMFree,
    .clEnqueueSVMMemcpy = EnqueueSVMMemcpy,
    .clEnqueueSVMMemFill = EnqueueSVMMemFill,
    .clEnqueueSVMMap = EnqueueSVMMap,
    .clEnqueueSVMUnmap = EnqueueSVMUnmap,
    .clCreateSamplerWithProperties = CreateSamplerWithProperties,
    .clSetKernelArgSVMPointer = SetKernelArgSVMPointer,
    .clSetKernelExecInfo = SetKernelExecInfo,
    .clGetKernelSubGroupInfoKHR = GetKernelSubGroupInfo,
    .clCloneKernel = CloneKernel,
    .clCreateProgramWithIL = CreateProgramWithIL,
    .clEnqueueSVMMigrateMem = EnqueueSVMMigrateMem,
    .clGetDeviceAndHostTimer = GetDeviceAndHostTimer,
    .clGetHostTimer = GetHostTimer,
    .clGetKernelSubGroupInfo = GetKernelSubGroupInfo,
    .clSetDefaultDeviceCommandQueue = SetDefaultDeviceCommandQueue,
    .clSetProgramReleaseCallback = SetProgramReleaseCallback,
    .clSetProgramSpecializationConstant = SetProgramSpecializationConstant,
    .clCreateBufferWithProperties = CreateBufferWithProperties,
    .clCreateImageWithProperties = CreateImageWithProperties,
    .clSetContextDestructorCallback = SetContextDestructorCallback,
};

template <class Table>
void set_last(Table& table, void*& last, void* function) {
    if constexpr (requires { table.clGetKernelSuggestedLocalWorkSize; })
        table.clGetKernelSuggestedLocalWorkSize =
            reinterpret_cast<decltype(table.clGetKernelSuggestedLocalWorkSize)>(function);
    else
        last = function;
}

}  // namespace

const Dispatch kDispatch = [] {
    Dispatch out{.table = kTable};
    // Older loaders do not call these two of a driver.
    const auto tag = static_cast<intptr_t>(CL_ICD2_TAG_KHR);
    out.table.clGetPlatformIDs = reinterpret_cast<decltype(out.table.clGetPlatformIDs)>(tag);
    out.table.clUnloadCompiler = reinterpret_cast<decltype(out.table.clUnloadCompiler)>(tag);
    set_last(out.table, out.last, reinterpret_cast<void*>(GetKernelSuggestedLocalWorkSizeKHR));
    return out;
}();

namespace {

/// Beside the platform, because the platform's devices are made while it is.
std::atomic<void*> data_of_loader = nullptr;

struct Named {
    std::string_view name = {};
    void* function = nullptr;
};
const Named kFunctions[] = {
#define ENTRY(name) {"cl" #name, reinterpret_cast<void*>(name)},
#define EXTENSION_ENTRY(name) {"cl" #name, reinterpret_cast<void*>(name)},
#define PROVISIONAL_ENTRY(name) {"cl" #name, reinterpret_cast<void*>(name)},
#define ALIAS(name, entry) {"cl" #name, reinterpret_cast<void*>(entry)},
#include "vulkan/icd/entry_points.def"
};

}  // namespace

void* CL_API_CALL GetExtensionFunctionAddress(const char* name) {
    for (const Named& named : kFunctions)
        if (name && named.name == name) return named.function;
    return nullptr;
}

void* CL_API_CALL GetExtensionFunctionAddressForPlatform(cl_platform_id handle, const char* name) {
    return handle == &platform() ? GetExtensionFunctionAddress(name) : nullptr;
}

cl_int CL_API_CALL IcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                        cl_uint* num_platforms) {
    return GetPlatformIDs(num_entries, platforms, num_platforms);
}

void* dispatch_data() { return data_of_loader; }

void* CL_API_CALL IcdGetFunctionAddressForPlatform(cl_platform_id handle, const char* name) {
    return GetExtensionFunctionAddressForPlatform(handle, name);
}

cl_int CL_API_CALL IcdSetPlatformDispatchData(cl_platform_id handle, void* data) {
    return entry([&] {
        Platform& self = platform();
        require(handle == &self, CL_INVALID_PLATFORM);
        data_of_loader = data;
        self.dispatch_data = data;
        for (const auto& device : self.devices) device->set_dispatch_data(data);
    });
}

}  // namespace caldera::icd

// The symbols that the loader looks up. The library exports no others (driver.map, driver.def).
extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                                       cl_uint* num_platforms) {
    return caldera::icd::GetPlatformIDs(num_entries, platforms, num_platforms);
}
CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size,
                                                  void* value, size_t* size_ret) {
    return caldera::icd::GetPlatformInfo(platform, name, size, value, size_ret);
}
CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
    return caldera::icd::GetExtensionFunctionAddress(name);
}

}  // extern "C"
