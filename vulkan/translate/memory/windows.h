// SPDX-License-Identifier: Apache-2.0
// Windows: how pointers to global memory work without device addresses (Abi::Descriptors).
//
// In every mode, a pointer to global or constant memory is one 64-bit integer. So casts, arithmetic,
// comparisons, phis and pointers in memory are the same in all modes, and a mode only determines how an
// access is made. With addresses, the integer is converted to a pointer. With descriptors, its high half is
// the number of a window, which is a storage buffer, and its low half is a byte offset in it. The window is
// usually known at compile time: then the access indexes that buffer, and the 64-bit arithmetic is dead code.
// Otherwise the access branches over the windows of the kernel (Helpers).
//
// Windows have the same numbers in all kernels of a program: 0 is none (NULL), 1 is the data segment, and 2 +
// b is the buffer of binding b. The other buffers of the host have high numbers. An argument that is NULL has
// a buffer too, which its kernel does not access: only its value is another.
//
// Two bindings may have one buffer. So a pointer whose value is seen gets a value that all pointers to the
// same byte have: Helpers::address() adds what the argument table says. The sum is a pointer to the same byte
// too, in the window of another binding.
#pragma once

#include <set>

#include "spirv/id_map.h"
#include "vulkan/interface.h"
#include "vulkan/translate/memory/source.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/window_numbers.h"

namespace caldera::vulkan::memory {

constexpr uint32_t kPrintfWindow = 0x7fffffff, kDeviceQueueWindow = 0x7ffffffe, kTableWindow = 0x7ffffffd,
                   kPrivateWindow = 0x7ffffffc;
constexpr uint32_t window_of(HostBuffer buffer) {
    switch (buffer) {
        case HostBuffer::CheckState:  // with addresses only
        case HostBuffer::DataSegment: break;
        case HostBuffer::Printf: return kPrintfWindow;
        case HostBuffer::DeviceQueue: return kDeviceQueueWindow;
        case HostBuffer::ArgumentTable: return kTableWindow;
    }
    return kDataWindow;
}
constexpr uint64_t window_address(uint32_t window) { return uint64_t{window} << 32; }

class Windows {
 public:
    /// Does nothing if the program's ABI is addresses. Each function that handles global pointers belongs to
    /// one kernel (separate_kernels).
    Windows(const spirv::Module& module, const Source& source, const ProgramInterface& program,
            LazyCallGraph& calls);

    bool enabled() const { return enabled_; }
    /// Whether the pointer is known to point to an image's texels, whose address no program sees.
    bool is_image(Id pointer) const { return images_.contains(of(pointer)); }
    /// How many rows the argument table has, if there is one.
    uint32_t table_rows() const { return table_rows_; }
    /// ProgramInterface::argument_set.
    uint32_t argument_set() const { return argument_set_; }
    /// The window that a pointer to global memory points into, or kNoWindow if it is not known.
    uint32_t of(Id pointer) const;
    /// Whether the id is a kernel's pointer argument, whose value is just its window.
    bool is_argument(Id id) const { return arguments_.contains(id); }
    /// KernelArgument::not_null_spec_id of such an argument.
    uint32_t not_null_spec_id(Id argument) const { return arguments_.at(argument); }
    /// The windows that a function's pointers may point into, in order.
    const std::vector<uint32_t>& of_function(uint32_t function) const {
        return function == kNoFunction ? data_only_ : reachable_.at(function);
    }

 private:
    void add_arguments(const spirv::Module& module, const ProgramInterface& program, CallGraph& graph);
    void visit(const Instruction& inst, Id function);
    void flow(Id from, Id to);
    void join(Id id, uint32_t window);
    void spread();

    const Source& source_;
    bool enabled_ = false;
    uint32_t table_rows_ = 0, argument_set_ = 0;
    std::vector<uint32_t> windows_ = {};         // by id: what is known so far
    std::vector<std::pair<Id, Id>> flows_ = {};  // from one value to another
    std::vector<Id> changed_ = {};
    spirv::IdMap<uint32_t> arguments_ = {};              // their not_null_spec_id
    std::set<uint32_t> images_ = {};                     // windows
    std::vector<std::vector<uint32_t>> reachable_ = {};  // by function
    std::vector<uint32_t> data_only_ = {kDataWindow};    // for constants
};

}  // namespace caldera::vulkan::memory
