// SPDX-License-Identifier: Apache-2.0
// The functions of cl_khr_command_buffer and its layers, cl_khr_command_buffer_mutable_dispatch and
// cl_khr_command_buffer_multi_device, which the loader finds by name.
#pragma once

#include "tests/driver/fixture.h"
#include "vulkan/icd/command_buffer_api.h"

namespace caldera::driver_test {

constexpr cl_command_buffer_properties_khr kMutable[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                         CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
constexpr cl_command_buffer_properties_khr kSimultaneous[] = {
    CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};

struct CommandBuffers {
    decltype(&icd::UpdateMutableCommandsKHR) update =
        extension_function<decltype(&icd::UpdateMutableCommandsKHR)>("clUpdateMutableCommandsKHR");
    decltype(&icd::GetMutableCommandInfoKHR) get_command_info =
        extension_function<decltype(&icd::GetMutableCommandInfoKHR)>("clGetMutableCommandInfoKHR");
    decltype(&icd::CreateCommandBufferKHR) create =
        extension_function<decltype(&icd::CreateCommandBufferKHR)>("clCreateCommandBufferKHR");
    decltype(&icd::RetainCommandBufferKHR) retain =
        extension_function<decltype(&icd::RetainCommandBufferKHR)>("clRetainCommandBufferKHR");
    decltype(&icd::ReleaseCommandBufferKHR) release =
        extension_function<decltype(&icd::ReleaseCommandBufferKHR)>("clReleaseCommandBufferKHR");
    decltype(&icd::FinalizeCommandBufferKHR) finalize =
        extension_function<decltype(&icd::FinalizeCommandBufferKHR)>("clFinalizeCommandBufferKHR");
    decltype(&icd::EnqueueCommandBufferKHR) enqueue =
        extension_function<decltype(&icd::EnqueueCommandBufferKHR)>("clEnqueueCommandBufferKHR");
    decltype(&icd::RemapCommandBufferKHR) remap =
        extension_function<decltype(&icd::RemapCommandBufferKHR)>("clRemapCommandBufferKHR");
    decltype(&icd::GetCommandBufferInfoKHR) get_info =
        extension_function<decltype(&icd::GetCommandBufferInfoKHR)>("clGetCommandBufferInfoKHR");
    decltype(&icd::CommandBarrierWithWaitListKHR) barrier =
        extension_function<decltype(&icd::CommandBarrierWithWaitListKHR)>("clCommandBarrierWithWaitListKHR");
    decltype(&icd::CommandCopyBufferKHR) copy_buffer =
        extension_function<decltype(&icd::CommandCopyBufferKHR)>("clCommandCopyBufferKHR");
    decltype(&icd::CommandCopyBufferRectKHR) copy_buffer_rect =
        extension_function<decltype(&icd::CommandCopyBufferRectKHR)>("clCommandCopyBufferRectKHR");
    decltype(&icd::CommandCopyBufferToImageKHR) copy_buffer_to_image =
        extension_function<decltype(&icd::CommandCopyBufferToImageKHR)>("clCommandCopyBufferToImageKHR");
    decltype(&icd::CommandCopyImageKHR) copy_image =
        extension_function<decltype(&icd::CommandCopyImageKHR)>("clCommandCopyImageKHR");
    decltype(&icd::CommandCopyImageToBufferKHR) copy_image_to_buffer =
        extension_function<decltype(&icd::CommandCopyImageToBufferKHR)>("clCommandCopyImageToBufferKHR");
    decltype(&icd::CommandFillBufferKHR) fill_buffer =
        extension_function<decltype(&icd::CommandFillBufferKHR)>("clCommandFillBufferKHR");
    decltype(&icd::CommandFillImageKHR) fill_image =
        extension_function<decltype(&icd::CommandFillImageKHR)>("clCommandFillImageKHR");
    decltype(&icd::CommandNDRangeKernelKHR) nd_range_kernel =
        extension_function<decltype(&icd::CommandNDRangeKernelKHR)>("clCommandNDRangeKernelKHR");
    decltype(&icd::CommandSVMMemcpyKHR) svm_memcpy =
        extension_function<decltype(&icd::CommandSVMMemcpyKHR)>("clCommandSVMMemcpyKHR");
    decltype(&icd::CommandSVMMemFillKHR) svm_mem_fill =
        extension_function<decltype(&icd::CommandSVMMemFillKHR)>("clCommandSVMMemFillKHR");
};

/// A command-buffer and its commands. Each returns the sync point, and waits for those listed.
struct OwnCommandBuffer : CommandBuffers {
    using Points = std::vector<cl_sync_point_khr>;

    explicit OwnCommandBuffer(cl_command_queue queue,
                              const cl_command_buffer_properties_khr* properties = nullptr)
        : OwnCommandBuffer(std::vector{queue}, properties) {}
    /// Commands are for the queue `on`.
    explicit OwnCommandBuffer(const std::vector<cl_command_queue>& queues,
                              const cl_command_buffer_properties_khr* properties = nullptr) {
        cl_int code = 1;
        handle = create(static_cast<cl_uint>(queues.size()), queues.data(), properties, &code);
        REQUIRE(code == CL_SUCCESS);
    }
    /// Takes over a handle.
    explicit OwnCommandBuffer(cl_command_buffer_khr made) : handle(made) { REQUIRE(made != nullptr); }
    OwnCommandBuffer(const OwnCommandBuffer&) = delete;
    OwnCommandBuffer& operator=(const OwnCommandBuffer&) = delete;
    ~OwnCommandBuffer() { CHECK(release(handle) == CL_SUCCESS); }

    /// Calls record(count of sync points, list, where the new one goes).
    template <class Record>
    static cl_sync_point_khr recorded(const Points& after, const Record& record) {
        cl_sync_point_khr point = 0;
        REQUIRE(record(static_cast<cl_uint>(after.size()), after.empty() ? nullptr : after.data(), &point) ==
                CL_SUCCESS);
        return point;
    }
    cl_sync_point_khr run(cl_kernel kernel, size_t items, const Points& after = {}) const {
        return recorded(after, [&](cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* point) {
            return nd_range_kernel(handle, on, nullptr, kernel, 1, nullptr, &items, nullptr, count, list,
                                   point, nullptr);
        });
    }
    cl_sync_point_khr fill(cl_mem buffer, cl_int value, size_t bytes, const Points& after = {}) const {
        return recorded(after, [&](cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* point) {
            return fill_buffer(handle, on, nullptr, buffer, &value, sizeof value, 0, bytes, count, list,
                               point, nullptr);
        });
    }
    cl_sync_point_khr copy(cl_mem from, cl_mem to, size_t bytes, size_t to_offset = 0,
                           const Points& after = {}) const {
        return recorded(after, [&](cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* point) {
            return copy_buffer(handle, on, nullptr, from, to, 0, to_offset, bytes, count, list, point,
                               nullptr);
        });
    }
    cl_sync_point_khr block(const Points& after = {}) const {
        return recorded(after, [&](cl_uint count, const cl_sync_point_khr* list, cl_sync_point_khr* point) {
            return barrier(handle, on, nullptr, count, list, point, nullptr);
        });
    }
    void finish_recording() const { REQUIRE(finalize(handle) == CL_SUCCESS); }
    /// Records a launch that can be changed in all ways, unless `properties` say otherwise.
    cl_mutable_command_khr run_changeable(cl_kernel kernel, size_t items, const size_t* local_size = nullptr,
                                          const cl_command_properties_khr* properties = nullptr) const {
        cl_mutable_command_khr made = nullptr;
        REQUIRE(nd_range_kernel(handle, on, properties, kernel, 1, nullptr, &items, local_size, 0, nullptr,
                                nullptr, &made) == CL_SUCCESS);
        REQUIRE(made != nullptr);
        return made;
    }
    cl_int change(const std::vector<icd::MutableDispatchConfig>& configs) const {
        const std::vector<cl_command_buffer_update_type_khr> types(configs.size(),
                                                                   icd::kMutableDispatchConfig);
        std::vector<const void*> list;
        for (const icd::MutableDispatchConfig& config : configs) list.push_back(&config);
        return update(handle, static_cast<cl_uint>(configs.size()), types.data(), list.data());
    }
    /// A copy for other queues, or null and the error.
    cl_command_buffer_khr copy_for(const std::vector<cl_command_queue>& queues, cl_bool automatic,
                                   cl_int expected = CL_SUCCESS) const {
        cl_int code = 1;
        cl_command_buffer_khr made = remap(handle, automatic, static_cast<cl_uint>(queues.size()),
                                           queues.data(), 0, nullptr, nullptr, &code);
        CHECK(code == expected);
        CHECK((made != nullptr) == (expected == CL_SUCCESS));
        return made;
    }
    /// Replays it in the queues that it was made for, or in other ones.
    cl_int replay(std::vector<cl_command_queue> queues, cl_event* event = nullptr,
                  const std::vector<cl_event>& after = {}) const {
        return enqueue(static_cast<cl_uint>(queues.size()), queues.empty() ? nullptr : queues.data(), handle,
                       static_cast<cl_uint>(after.size()), after.empty() ? nullptr : after.data(), event);
    }
    cl_int replay(cl_command_queue queue = nullptr, cl_event* event = nullptr,
                  const std::vector<cl_event>& after = {}) const {
        return replay(queue ? std::vector{queue} : std::vector<cl_command_queue>{}, event, after);
    }
    cl_command_buffer_state_khr state() const {
        return info<cl_command_buffer_state_khr>(get_info, handle, CL_COMMAND_BUFFER_STATE_KHR);
    }

    cl_command_buffer_khr handle = nullptr;
    cl_command_queue on = nullptr;
};

}  // namespace caldera::driver_test
