// SPDX-License-Identifier: Apache-2.0
// Kernel: a function of a program, with arguments.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "vulkan/icd/memory.h"
#include "vulkan/icd/program.h"
#include "vulkan/runtime/device_queue.h"

namespace caldera::icd {

/// What a launch needs from a kernel. Commands share it with the kernel until the program changes an
/// argument. So enqueueing copies nothing, and everything that the command uses stays alive.
struct Arguments {
    /// The bytes of a buffer, a pipe or an image, passed as the device's address or as a descriptor; NULL
    /// without storage.
    struct BufferArgument {
        std::shared_ptr<Storage> storage = {};
        uint64_t offset = 0;
        UsedBytes used = {};  ///< the buffer's, by which a kernel reaches no others
    };
    /// Pointers that the kernel finds in memory, as clSetKernelExecInfo was told last.
    struct PointerList {
        std::vector<uint64_t> addresses = {};
        bool has_system_memory = false;  ///< there are pointers to memory outside all allocations
    };
    std::vector<std::shared_ptr<runtime::Program>> programs = {};  ///< by place; null if not built there
    std::vector<runtime::Kernel> kernels = {};                     ///< by place, if there is a program
    std::vector<runtime::WorkGroups> groups = {};                  ///< by place: what the kernel may have
    std::vector<BufferArgument> buffers = {};                      ///< by argument
    std::vector<uint64_t> addresses = {};                          ///< by argument: a device pointer, or 0
    std::vector<bool> in_system_memory = {};    ///< by argument: a pointer to memory outside all allocations
    std::vector<uint64_t> more_addresses = {};  ///< device pointers that the kernel finds in memory
    PointerList svm_pointers = {};              ///< the same in shared memory, as the program told of SVM
    PointerList usm_pointers = {};              ///< and of unified shared memory, which is another list
    /// The kernel may find pointers to all shared memory in memory: a bit for each name by which the program
    /// told so.
    unsigned reaches_all_shared = 0;
    std::vector<std::shared_ptr<Image>> images = {};  ///< by argument; `buffers` has the storage
    std::vector<cl_uint> packet_bytes = {};           ///< by argument, of a pipe
    std::vector<std::shared_ptr<runtime::DeviceQueue>> device_queues = {};  ///< by argument: a queue_t
    bool finds_system_memory = false;  ///< the program told so by CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM

    /// Whether the kernel may access memory outside all allocations.
    bool uses_system_memory() const {
        return finds_system_memory || svm_pointers.has_system_memory || usm_pointers.has_system_memory ||
               std::ranges::find(in_system_memory, true) != in_system_memory.end();
    }
};

}  // namespace caldera::icd

/// The functions that set arguments are not thread-safe (OpenCL API 5.9.2).
struct _cl_kernel final : caldera::icd::Object<_cl_kernel> {
    static constexpr cl_int kInvalid = CL_INVALID_KERNEL;
    _cl_kernel(caldera::icd::Program& program, const std::string& name);
    _cl_kernel(const _cl_kernel& other, int);  ///< for clCloneKernel
    ~_cl_kernel();

    const caldera::icd::Ref<caldera::icd::Program> program;
    std::shared_ptr<caldera::icd::Arguments> arguments = {};

    /// The interface, as far as it is the same on every device.
    const caldera::vulkan::Kernel& interface() const;
    /// The arguments to modify: a copy if commands still share them, unless they change in place.
    caldera::icd::Arguments& own_arguments();
    /// What shares the arguments does not read them any more, or shall get a change too.
    bool changes_in_place = false;
};

namespace caldera::icd {
using Kernel = ::_cl_kernel;

/// Sets an argument that is a buffer or a pipe on the device of a place.
void set_bytes(runtime::Kernel& kernel, const Arguments& arguments, cl_uint index, size_t place);

/// An image argument on the device of a place.
runtime::ImageArgument image_argument(const Context& context, const Arguments& arguments, size_t index,
                                      size_t place);

/// What these calls do to a valid kernel. They throw the errors of the calls.
void set_argument(Kernel& kernel, cl_uint index, size_t size, const void* value);  ///< clSetKernelArg
void set_svm_argument(Kernel& kernel, cl_uint index, const void* pointer);  ///< clSetKernelArgSVMPointer
void set_exec_info(Kernel& kernel, cl_kernel_exec_info name, size_t size,
                   const void* value);  ///< clSetKernelExecInfo

/// Returns a checked NDRange without its local size. Throws the errors of clEnqueueNDRangeKernel.
runtime::NDRange checked_range(cl_uint work_dim, const size_t* global_offset, const size_t* global_size);

}  // namespace caldera::icd
