// SPDX-License-Identifier: Apache-2.0
// Context: opened devices, and the state that their objects share.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/icd/address_map.h"
#include "vulkan/icd/device.h"
#include "vulkan/icd/purge.h"
#include "vulkan/icd/shared_heap.h"
#include "vulkan/icd/storage_ranges.h"
#include "vulkan/icd/unload.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/queue.h"

struct _cl_context final : caldera::icd::Object<_cl_context> {
    static constexpr cl_int kInvalid = CL_INVALID_CONTEXT;

    /// A device of the context. Objects index their per-device state by the device's place in `devices`.
    struct Place {
        caldera::icd::Device* device = nullptr;
        std::shared_ptr<caldera::runtime::Device> opened = {};
        /// for transfers that belong to no command queue
        std::unique_ptr<caldera::runtime::Queue> transfers = {};
        cl_command_queue default_device_queue = nullptr;  ///< guarded by `mutex`
    };
    explicit _cl_context(const std::vector<caldera::icd::Device*>& list);
    ~_cl_context();

    /// Throws CL_INVALID_DEVICE if the device is not in this context.
    size_t place_of(const caldera::icd::Device& device) const;
    /// Waits for all commands on the device.
    void finish(size_t place);

    const caldera::icd::Loaded loaded = {};  // destroyed last
    std::vector<Place> places;
    std::vector<cl_context_properties> properties = {};
    cl_bitfield initialized =
        0;  ///< CL_CONTEXT_MEMORY_INITIALIZE_KHR: which memory of kernels begins as zeros
    /// Where the text of kernels goes, and the size of printf's buffer (cl_arm_printf).
    struct Printing {
        /// (text, its size, whether it is the last of a dispatch, user_data); null: the text goes to stdout
        void(CL_CALLBACK* function)(const char*, size_t, size_t, void*) = nullptr;
        void* user_data = nullptr;
        size_t buffer_bytes = caldera::vulkan::kPrintfBufferBytes;
    };
    Printing printing = {};
    caldera::icd::AddressMap addresses;
    caldera::icd::SharedHeap heap = {};
    /// Whether kernels may access the host's memory through pointers: it must see what they have written.
    bool shares_memory() const { return heap.is_direct(); }

    // docs/architecture.md has the order of the driver's locks.

    /// Guards what events know of each other. Nothing else is locked while it is held, and nobody's function
    /// called.
    std::mutex graph = {};
    std::condition_variable changed = {};  ///< some event has changed: used with `graph`

    /// In a context with several devices: held while a command is recorded. Guards `kept_loans`.
    std::mutex moving = {};
    /// Shared memory of another device that the device of a place has to itself.
    struct KeptLoan {
        std::weak_ptr<const void> storage = {};
        size_t place = 0;
        std::function<void()> end = {};  ///< called while there is the storage
    };
    std::vector<KeptLoan> kept_loans = {};
    caldera::icd::Purge purge_loans = {};
    void add_loan(KeptLoan loan);
    /// A command is recorded for the device of this place: the loans of other devices end.
    void end_loans_of_others(size_t place);

    std::mutex mutex = {};  ///< guards the members below
    struct DestructorCallback {
        void(CL_CALLBACK* function)(cl_context, void*) = nullptr;
        void* user_data = nullptr;
    };
    std::vector<DestructorCallback> destructor_callbacks = {};
    struct HostQueue {
        cl_command_queue handle = nullptr;
        size_t place = 0;
        caldera::runtime::Queue* runtime = nullptr;
    };
    std::vector<HostQueue> queues = {};
    /// Device memory that the program may have mapped, by the host's addresses. The device itself copies from
    /// and to such memory.
    caldera::icd::StorageRanges mapped = {};
};

namespace caldera::icd {
using Context = ::_cl_context;

/// Whether some device of the context has an optional part of OpenCL C.
bool any_has(const Context& context, frontend::Ext row);
/// Whether some device of the context has buffer device addresses.
bool any_has_addresses(const Context& context);
}  // namespace caldera::icd
