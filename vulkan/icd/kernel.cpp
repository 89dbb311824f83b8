// SPDX-License-Identifier: Apache-2.0
// Kernels as objects, and their arguments (OpenCL API 5.9); launch.cpp runs them.
#include "vulkan/icd/kernel.h"

#include <algorithm>
#include <span>

#include "spirv/support/owners.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image.h"
#include "vulkan/icd/queue.h"
#include "vulkan/icd/sampler.h"
#include "vulkan/icd/value_at.h"

using namespace caldera;
using namespace caldera::icd;

_cl_kernel::_cl_kernel(Program& its_program, const std::string& name)
    : program(&its_program), arguments(std::make_shared<Arguments>()) {
    const std::lock_guard lock(program->mutex);
    arguments->kernels.resize(program->builds.size());
    for (size_t place = 0; place < program->builds.size(); ++place) {
        const Program::Build& build = program->builds[place];
        arguments->programs.push_back(build.program);
        arguments->groups.push_back(std::ranges::count(build.uniform_kernels, name) != 0
                                        ? runtime::WorkGroups::Uniform
                                        : runtime::WorkGroups::Any);
        if (!arguments->programs[place]) continue;
        arguments->kernels[place] =
            take(runtime::Kernel::create(*arguments->programs[place], name), CL_INVALID_KERNEL_NAME);
    }
    const size_t count = interface().arguments.size();
    arguments->buffers.resize(count);
    arguments->addresses.resize(count);
    arguments->in_system_memory.resize(count);
    arguments->images.resize(count);
    arguments->packet_bytes.resize(count);
    arguments->device_queues.resize(count);
    ++program->kernels;  // under the lock: no build begins between the look at the builds and this
}

_cl_kernel::_cl_kernel(const _cl_kernel& other, int)
    : program(other.program), arguments(std::make_shared<Arguments>(*other.arguments)) {
    ++program->kernels;
}

/// A program can be built again when it has no kernels any more (OpenCL API 5.8.2).
_cl_kernel::~_cl_kernel() { --program->kernels; }

const vulkan::Kernel& _cl_kernel::interface() const {
    for (size_t place = 0; place < arguments->kernels.size(); ++place)
        if (arguments->programs[place]) return arguments->kernels[place].interface();
    throw ApiError(CL_INVALID_PROGRAM_EXECUTABLE);
}

Arguments& _cl_kernel::own_arguments() {
    if (!changes_in_place && !is_shared_by(arguments, 1)) arguments = std::make_shared<Arguments>(*arguments);
    return *arguments;
}

namespace caldera::icd {

void set_bytes(runtime::Kernel& kernel, const Arguments& arguments, cl_uint index, size_t place) {
    const Arguments::BufferArgument& bytes = arguments.buffers[index];
    const bool is_by_address = kernel.program().interface().abi == vulkan::Abi::Addresses;
    const auto limit = [&](uint64_t address) {  // a sub-buffer is not all of its storage
        kernel.limit(index, {.begin = address + bytes.used.offset, .size_bytes = bytes.used.size_bytes});
    };
    if (bytes.storage && is_by_address && bytes.storage->has_only_address_on(place)) {
        const uint64_t address = bytes.storage->address(place);
        take(kernel.set_address(index, address + bytes.offset));
        return limit(address);
    }
    const runtime::Buffer* buffer = bytes.storage ? &bytes.storage->on(place, bytes.used) : nullptr;
    if (kernel.interface().arguments[index].kind == vulkan::ArgumentKind::Pipe)
        take(kernel.set_pipe(index, buffer, arguments.packet_bytes[index]));
    else
        take(buffer ? kernel.set(index, *buffer, bytes.offset) : kernel.set_address(index, 0));
    if (buffer && is_by_address) limit(buffer->address());
}

runtime::ImageArgument image_argument(const Context& context, const Arguments& arguments, size_t index,
                                      size_t place) {
    return arguments.images[index]->argument(context, *arguments.buffers[index].storage, place);
}

cl_kernel CL_API_CALL CreateKernel(cl_program handle, const char* name, cl_int* code_ret) {
    return make(code_ret, [&] {
        Program& program = checked(handle);
        (void)program.any_executable();  // there must be one
        require(name, CL_INVALID_VALUE);
        const HasKernel found = devices_with_kernel(program, name);
        require(found != HasKernel::None, CL_INVALID_KERNEL_NAME);
        require(found == HasKernel::All, CL_INVALID_KERNEL_DEFINITION);
        return new Kernel(program, name);
    });
}

cl_int CL_API_CALL CreateKernelsInProgram(cl_program handle, cl_uint capacity, cl_kernel* kernels,
                                          cl_uint* count_ret) {
    return entry([&] {
        Program& program = checked(handle);
        const std::vector<std::string> all = kernel_names(program);
        require(!kernels || capacity >= all.size(), CL_INVALID_VALUE);
        std::vector<std::unique_ptr<Kernel>> made;
        for (const std::string& name : all)
            if (kernels) made.push_back(std::make_unique<Kernel>(program, name));
        for (size_t i = 0; i < made.size(); ++i) kernels[i] = made[i].release();
        if (count_ret) *count_ret = static_cast<cl_uint>(all.size());
    });
}

cl_kernel CL_API_CALL CloneKernel(cl_kernel handle, cl_int* code_ret) {
    return make(code_ret, [&] { return new Kernel(checked(handle), 0); });
}

cl_int CL_API_CALL RetainKernel(cl_kernel kernel) { return retain(kernel); }
cl_int CL_API_CALL ReleaseKernel(cl_kernel kernel) { return release(kernel); }

namespace {

/// Calls `set` for the kernel of every device that has one.
template <class F>
void on_each(Arguments& arguments, const F& set) {
    for (size_t place = 0; place < arguments.kernels.size(); ++place)
        if (arguments.programs[place]) set(arguments.kernels[place]);
}

void set_buffer(Kernel& self, cl_uint index, const void* value) {
    const cl_mem handle = value ? value_at<cl_mem>(value) : nullptr;
    Memory* memory = handle ? &checked(handle) : nullptr;
    require(!memory || memory->context == self.program->context, CL_INVALID_CONTEXT);
    require(!memory || memory->type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
    // Other compilers' modules need not say through which pointers kernels write.
    const vulkan::KernelArgument& argument = self.interface().arguments[index];
    const bool writes = self.program->source && argument.kind == vulkan::ArgumentKind::GlobalPointer &&
                        !argument.is_read_only;
    require(!memory || !is_immutable(*memory) || !writes, CL_INVALID_ARG_VALUE);
    Arguments& arguments = self.own_arguments();
    arguments.buffers[index] = {};
    if (memory) {
        // What `const` says of a pointer, a cast may take away.
        const bool is_constant =
            argument.kind == vulkan::ArgumentKind::ConstantPointer || memory->flags & CL_MEM_READ_ONLY;
        arguments.buffers[index] = {
            memory->storage, memory->offset, {memory->offset, memory->size, !is_constant}};
    }
    // In contexts with several devices, the place of the bytes is determined at launch, because they may have
    // to move.
    if (arguments.kernels.size() == 1)
        set_bytes(arguments.kernels[0], arguments, index, 0);
    else
        on_each(arguments, [&](runtime::Kernel& kernel) { take(kernel.set_address(index, 0)); });
    arguments.addresses[index] = 0;
    arguments.in_system_memory[index] = false;
}

/// Whether a parameter of this shape takes images of this type. image1d_t and image1d_buffer_t have one
/// shape.
bool takes(vulkan::ImageShape shape, cl_mem_object_type type) {
    using enum vulkan::ImageShape;
    switch (type) {
        case CL_MEM_OBJECT_IMAGE1D:
        case CL_MEM_OBJECT_IMAGE1D_BUFFER: return shape == Image1D;
        case CL_MEM_OBJECT_IMAGE1D_ARRAY: return shape == Image1DArray;
        case CL_MEM_OBJECT_IMAGE2D: return shape == Image2D || shape == Image2DMultisampled;
        case CL_MEM_OBJECT_IMAGE2D_ARRAY: return shape == Image2DArray || shape == Image2DArrayMultisampled;
        case CL_MEM_OBJECT_IMAGE3D: return shape == Image3D;
        default: return true;
    }
}

void set_image(Kernel& self, cl_uint index, const void* value) {
    require(value, CL_INVALID_MEM_OBJECT);
    const Memory& memory = checked(value_at<cl_mem>(value));
    require(memory.context == self.program->context, CL_INVALID_CONTEXT);
    require(memory.image && takes(self.interface().arguments[index].image_shape, memory.type),
            CL_INVALID_MEM_OBJECT);
    const vulkan::ArgumentAccess access = self.interface().arguments[index].access;
    const cl_mem_flags refused = access == vulkan::ArgumentAccess::ReadOnly ? CL_MEM_WRITE_ONLY
                                 : access == vulkan::ArgumentAccess::WriteOnly
                                     ? CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT
                                     : CL_MEM_IMMUTABLE_EXT;
    require(!(memory.flags & refused), CL_INVALID_ARG_VALUE);
    Arguments& arguments = self.own_arguments();
    arguments.buffers[index] = {memory.storage, memory.image->layout.offset};
    arguments.images[index] = memory.image;
    const bool is_known = arguments.kernels.size() == 1;
    const runtime::ImageArgument now =
        is_known ? image_argument(*self.program->context, arguments, index, 0) : runtime::ImageArgument{};
    on_each(arguments, [&](runtime::Kernel& kernel) { take(kernel.set_image(index, now)); });
}

void set_sampler(Kernel& self, cl_uint index, const void* value) {
    require(value, CL_INVALID_SAMPLER);
    const icd::Sampler& sampler = checked(value_at<cl_sampler>(value));
    require(sampler.context == self.program->context, CL_INVALID_CONTEXT);
    on_each(self.own_arguments(),
            [&](runtime::Kernel& kernel) { take(kernel.set_sampler(index, sampler.bits())); });
}

void set_pipe(Kernel& self, cl_uint index, const void* value) {
    require(value, CL_INVALID_MEM_OBJECT);
    const Memory& memory = checked(value_at<cl_mem>(value));
    require(memory.context == self.program->context, CL_INVALID_CONTEXT);
    require(memory.type == CL_MEM_OBJECT_PIPE, CL_INVALID_MEM_OBJECT);
    Arguments& arguments = self.own_arguments();
    const bool is_known = arguments.kernels.size() == 1;
    const runtime::Buffer* ring = is_known ? &memory.storage->on(0) : nullptr;
    on_each(arguments, [&](runtime::Kernel& kernel) {
        take(kernel.set_pipe(index, ring, memory.packet_bytes), CL_INVALID_ARG_VALUE);
    });
    arguments.buffers[index] = {memory.storage, 0};
    arguments.packet_bytes[index] = memory.packet_bytes;
}

void set_queue(Kernel& self, cl_uint index, const void* value) {
    require(value, CL_INVALID_DEVICE_QUEUE);
    const cl_command_queue handle = value_at<cl_command_queue>(value);
    require(handle && handle->is_alive(), CL_INVALID_DEVICE_QUEUE);
    const CommandQueue& queue = *handle;
    require(queue.device_queue && queue.context == self.program->context, CL_INVALID_DEVICE_QUEUE);
    Arguments& arguments = self.own_arguments();
    on_each(arguments,
            [&](runtime::Kernel& kernel) { take(kernel.set_queue(index, queue.device_queue->handle())); });
    arguments.device_queues[index] = queue.device_queue;
}

}  // namespace

void set_argument(Kernel& self, cl_uint index, size_t size, const void* value) {
    require(index < self.interface().arguments.size(), CL_INVALID_ARG_INDEX);
    const vulkan::KernelArgument& argument = self.interface().arguments[index];
    using enum vulkan::ArgumentKind;
    switch (argument.kind) {
        case Value: {
            require(value, CL_INVALID_ARG_VALUE);
            require(size == argument.size_bytes, CL_INVALID_ARG_SIZE);
            const std::span bytes(static_cast<const std::byte*>(value), size);
            on_each(self.own_arguments(),
                    [&](runtime::Kernel& kernel) { take(kernel.set_value(index, bytes)); });
            break;
        }
        case LocalPointer:
            require(!value, CL_INVALID_ARG_VALUE);
            on_each(self.own_arguments(), [&](runtime::Kernel& kernel) {
                take(kernel.set_local(index, size), CL_OUT_OF_RESOURCES);
            });
            break;
        case GlobalPointer:
        case ConstantPointer:
            require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
            set_buffer(self, index, value);
            break;
        case DeviceQueue:
            require(size == sizeof(cl_command_queue), CL_INVALID_ARG_SIZE);
            set_queue(self, index, value);
            break;
        case Pipe:
            require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
            set_pipe(self, index, value);
            break;
        case Image:
            require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
            set_image(self, index, value);
            break;
        case Sampler:
            require(size == sizeof(cl_sampler), CL_INVALID_ARG_SIZE);
            set_sampler(self, index, value);
            break;
        case SampledImage:
        case StorageImage:
        case UniformTexelBuffer:
        case StorageTexelBuffer:
        case SamplerObject: throw ApiError(CL_INVALID_KERNEL);  // the driver's programs have none
    }
}

cl_int CL_API_CALL SetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
    return entry([&] { set_argument(checked(kernel), index, size, value); });
}

// ---- Shared virtual memory ----

namespace {

/// Whether kernels on a device of the context can use memory outside all allocations.
bool has_system_memory(const Context& context) {
    return std::ranges::any_of(context.places, [](const Context::Place& place) {
        return (place.device->svm_capabilities() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
    });
}

/// Throws CL_INVALID_OPERATION if no device of the context has shared memory.
void check_pointers(const Context& context) {
    const auto has = [](const Context::Place& place) { return has_pointers(*place.device); };
    require(std::ranges::any_of(context.places, has), CL_INVALID_OPERATION);
}

/// Throws CL_INVALID_ARG_INDEX, or CL_INVALID_ARG_VALUE for an argument that is no pointer.
void check_takes_pointer(const Kernel& kernel, cl_uint index) {
    require(index < kernel.interface().arguments.size(), CL_INVALID_ARG_INDEX);
    const vulkan::ArgumentKind kind = kernel.interface().arguments[index].kind;
    using enum vulkan::ArgumentKind;
    require(kind == GlobalPointer || kind == ConstantPointer, CL_INVALID_ARG_VALUE);
}

/// Any pointer will do (cl_khr_unified_svm), but kernels can use memory outside all allocations only on some
/// devices.
bool is_in_system_memory(const Context& context, const void* pointer) {
    return pointer && !context.heap.find(pointer) && has_system_memory(context);
}

}  // namespace

void set_svm_argument(Kernel& self, cl_uint index, const void* pointer) {
    check_pointers(*self.program->context);
    check_takes_pointer(self, index);
    Arguments& arguments = self.own_arguments();
    arguments.buffers[index] = {};
    arguments.addresses[index] = 0;
    arguments.in_system_memory[index] = is_in_system_memory(*self.program->context, pointer);
    on_each(arguments, [&](runtime::Kernel& kernel) {
        take(kernel.set_address(index, reinterpret_cast<uint64_t>(pointer)));
    });
}

cl_int CL_API_CALL SetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void* pointer) {
    return entry([&] { set_svm_argument(checked(kernel), index, pointer); });
}

// ---- Device pointers ----

/// A device without addresses cannot run the kernel (require_addresses() in launch.cpp).
static void set_address(Kernel& self, cl_uint index, uint64_t address, bool in_system_memory) {
    const Context& context = *self.program->context;
    Arguments& arguments = self.own_arguments();
    arguments.buffers[index] = {};
    arguments.addresses[index] = address;
    arguments.in_system_memory[index] = in_system_memory;
    for (size_t place = 0; place < arguments.kernels.size(); ++place)
        if (arguments.programs[place])
            take(arguments.kernels[place].set_address(
                index, context.places[place].opened->has_addresses() ? address : 0));
}

/// Any address will do: kernels may receive pointers that they do not use.
cl_int CL_API_CALL SetKernelArgDevicePointerEXT(cl_kernel handle, cl_uint index,
                                                cl_mem_device_address_ext address) {
    return entry([&] {
        Kernel& self = checked(handle);
        const Context& context = *self.program->context;
        require(any_has_addresses(context), CL_INVALID_OPERATION);
        require(index < self.interface().arguments.size() &&
                    self.interface().arguments[index].kind == vulkan::ArgumentKind::GlobalPointer,
                CL_INVALID_ARG_INDEX);
        set_address(self, index, address, false);
    });
}

// ---- Unified shared memory ----

namespace {

/// Throws CL_INVALID_OPERATION if no device of the context has memory of this kind.
void check_usm(const Context& context, cl_device_info kind) {
    require(std::ranges::any_of(
                context.places,
                [&](const Context::Place& place) { return place.device->usm_capabilities(kind) != 0; }),
            CL_INVALID_OPERATION);
}
/// The kind that a kernel is said to access by pointers in other memory.
cl_device_info indirect_kind(cl_kernel_exec_info name) {
    switch (name) {
        case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL: return CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL;
        case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
            return CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL;
        default: return CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL;
    }
}

/// The bit of that name in Arguments::reaches_all_shared.
unsigned indirect_bit(cl_kernel_exec_info name) {
    switch (name) {
        case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL: return 1;
        case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL: return 2;
        case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: return 4;
        default: return 8;  // CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR
    }
}

Arguments::PointerList pointer_list(const Context& context, size_t size, const void* value) {
    Arguments::PointerList list;
    for (size_t i = 0; i < size / sizeof(void*); ++i) {
        const void* const pointer = value_at<const void*>(value, i);
        list.addresses.push_back(reinterpret_cast<uintptr_t>(pointer));
        list.has_system_memory |= is_in_system_memory(context, pointer);
    }
    return list;
}

}  // namespace

/// Any pointer will do, as for device pointers.
cl_int CL_API_CALL SetKernelArgMemPointerINTEL(cl_kernel handle, cl_uint index, const void* pointer) {
    return entry([&] {
        Kernel& self = checked(handle);
        const Context& context = *self.program->context;
        check_usm(context, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
        check_takes_pointer(self, index);
        set_address(self, index, reinterpret_cast<uint64_t>(pointer), is_in_system_memory(context, pointer));
    });
}

/// Memory that kernels access through pointers in other memory is always accessible, because all device
/// memory has addresses.
void set_exec_info(Kernel& self, cl_kernel_exec_info name, size_t size, const void* value) {
    const Context& context = *self.program->context;
    if (name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR)
        check_pointers(context);
    if (name == CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT)
        require(any_has_addresses(context), CL_INVALID_OPERATION);
    if (name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL)
        check_usm(context, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
    // clears the earlier list
    const bool is_list = name == CL_KERNEL_EXEC_INFO_SVM_PTRS ||
                         name == CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT ||
                         name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL;
    const bool takes_back = is_list && size == 0 && !value;
    require(value || takes_back, CL_INVALID_VALUE);
    switch (name) {
        case CL_KERNEL_EXEC_INFO_SVM_PTRS:
            require((size != 0 || takes_back) && size % sizeof(void*) == 0, CL_INVALID_VALUE);
            self.own_arguments().svm_pointers = pointer_list(context, size, value);
            break;
        case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: {
            require(size == sizeof(cl_bool), CL_INVALID_VALUE);
            const bool uses = value_at<cl_bool>(value) != CL_FALSE;
            require(!uses || has_system_memory(context), CL_INVALID_OPERATION);
            self.own_arguments().finds_system_memory = uses;
            break;
        }
        case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT: {
            require((size != 0 || takes_back) && size % sizeof(cl_mem_device_address_ext) == 0,
                    CL_INVALID_VALUE);
            auto& addresses = self.own_arguments().more_addresses;
            addresses.resize(size / sizeof(cl_mem_device_address_ext));
            for (size_t i = 0; i < addresses.size(); ++i)
                addresses[i] = value_at<cl_mem_device_address_ext>(value, i);
            break;
        }
        case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:  // any pointers
            require((size != 0 || takes_back) && size % sizeof(void*) == 0, CL_INVALID_VALUE);
            self.own_arguments().usm_pointers = pointer_list(context, size, value);
            break;
        case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
        case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
        case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
            check_usm(context, indirect_kind(name));
            [[fallthrough]];
        case CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR: {
            require(size == sizeof(cl_bool), CL_INVALID_VALUE);
            const bool reaches = value_at<cl_bool>(value) != CL_FALSE;
            unsigned& bits = self.own_arguments().reaches_all_shared;
            bits = (bits & ~indirect_bit(name)) | (reaches ? indirect_bit(name) : 0);
            break;
        }
        default: throw ApiError(CL_INVALID_VALUE);
    }
}

cl_int CL_API_CALL SetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                     const void* value) {
    return entry([&] { set_exec_info(checked(kernel), name, size, value); });
}

}  // namespace caldera::icd
