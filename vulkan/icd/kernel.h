// SPDX-License-Identifier: Apache-2.0
// Kernel: a function of a program, with arguments.
#pragma once

#include <memory>
#include <vector>

#include "vulkan/icd/memory.h"
#include "vulkan/icd/program.h"
#include "vulkan/runtime/device_queue.h"

namespace caldera::icd {

/// What a launch needs of a kernel. Commands share it with the kernel until the program changes an argument: an enqueue copies
/// nothing, and what it uses lives as long.
struct Arguments {
    /// A buffer, whose address is the device's.
    struct BufferArgument {
        std::shared_ptr<Storage> storage = {};
        uint64_t offset = 0;
    };
    std::vector<std::shared_ptr<runtime::Program>> programs = {};  ///< by place; null: not built there
    std::vector<runtime::Kernel> kernels = {};                     ///< by place, where there is a program
    std::vector<BufferArgument> buffers = {};                      ///< by argument
    std::vector<std::shared_ptr<Image>> images = {};               ///< by argument; `buffers` has the storage
    std::vector<std::shared_ptr<runtime::Pipe>> pipes = {};        ///< by argument
    std::shared_ptr<runtime::DeviceQueue> device_queue = {};       ///< of the last queue_t that was set
    bool uses_system_memory = false;  ///< the program gave pointers to memory that is nobody's allocation
};

}  // namespace caldera::icd

/// Not thread-safe in what sets arguments (OpenCL API 5.9.2).
struct _cl_kernel final : caldera::icd::Object<_cl_kernel> {
    static constexpr cl_int kInvalid = CL_INVALID_KERNEL;
    _cl_kernel(caldera::icd::Program& program, const std::string& name);
    _cl_kernel(const _cl_kernel& other, int);  ///< clCloneKernel
    ~_cl_kernel();

    const caldera::icd::Ref<caldera::icd::Program> program;
    std::shared_ptr<caldera::icd::Arguments> arguments = {};

    /// What is the same on every device.
    const caldera::vulkan::Kernel& interface() const;
    /// To be changed: a copy if commands still have it.
    caldera::icd::Arguments& own_arguments();
};

namespace caldera::icd {
using Kernel = ::_cl_kernel;

/// Of the image that an argument is, on the device of a place.
uint64_t descriptor_address(const Context& context, const Arguments& arguments, size_t index, size_t place);

/// An NDRange without its local size, checked. Throws what clEnqueueNDRangeKernel returns.
runtime::NDRange checked_range(cl_uint work_dim, const size_t* global_offset, const size_t* global_size);

}  // namespace caldera::icd
