// SPDX-License-Identifier: Apache-2.0
// Queries of kernels (OpenCL API 5.9.4).
#include <algorithm>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/kernel.h"
#include "vulkan/icd/value_at.h"

namespace caldera::icd {
namespace {

/// The place of a device for which the kernel was built. Without a device, there must be just one.
size_t checked_place(const Kernel& self, cl_device_id device) {
    const auto& programs = self.arguments->programs;
    if (device) {
        const size_t place = self.program->context->place_of(checked(device));
        require(programs[place] != nullptr, CL_INVALID_DEVICE);
        return place;
    }
    require(std::ranges::count(programs, nullptr) + 1 == static_cast<std::ptrdiff_t>(programs.size()),
            CL_INVALID_DEVICE);
    return static_cast<size_t>(std::ranges::find_if(programs, [](const auto& p) { return bool(p); }) -
                               programs.begin());
}

size_t max_group_size(const Kernel& self, size_t place) {
    const runtime::Kernel& kernel = self.arguments->kernels[place];
    return runtime::largest_group(kernel.interface(), kernel.program().launch_profile());
}

/// The most that a work-group of the kernel has.
size_t most_sub_groups(const runtime::Device& device, const vulkan::Kernel& kernel) {
    if (kernel.required_local_size[0] != 0) {
        const auto& required = kernel.required_local_size;
        return runtime::sub_groups(device, kernel, {required[0], required[1], required[2]}).count;
    }
    if (kernel.required_sub_groups != 0) return kernel.required_sub_groups;
    const size_t most = runtime::largest_group(kernel, device.profile());
    return runtime::sub_groups(device, kernel, {most, 1, 1}).count;
}

/// The size of one dimension with so many full sub-groups, if the kernel may have it, or 0.
size_t local_size_of(size_t sub_groups, const runtime::Device& device, const vulkan::Kernel& kernel) {
    const auto& required = kernel.required_local_size;
    const bool is_required = required[0] != 0;
    const size_t most = runtime::largest_group(kernel, device.profile());
    // Without operations, a whole work-group is one sub-group.
    const size_t each = device.profile().subgroups ? runtime::sub_group_size(device, kernel)
                        : is_required              ? required[0]
                                                   : most;
    if (sub_groups == 0 || sub_groups > most / each) return 0;
    if (kernel.required_sub_groups != 0 && kernel.required_sub_groups != sub_groups) return 0;
    const size_t size = sub_groups * each;
    if (is_required && (required[0] != size || required[1] != 1 || required[2] != 1)) return 0;
    return size;
}

bool has_word(std::string_view text, std::string_view word) {
    return (" " + std::string(text) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

cl_kernel_arg_address_qualifier address_qualifier(const vulkan::KernelArgument& argument) {
    using enum vulkan::ArgumentKind;
    switch (argument.kind) {
        case GlobalPointer:
        case Image:
        case Pipe: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
        case ConstantPointer: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
        case LocalPointer: return CL_KERNEL_ARG_ADDRESS_LOCAL;
        default: return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

cl_kernel_arg_access_qualifier access_qualifier(vulkan::ArgumentAccess access) {
    switch (access) {
        case vulkan::ArgumentAccess::ReadOnly: return CL_KERNEL_ARG_ACCESS_READ_ONLY;
        case vulkan::ArgumentAccess::WriteOnly: return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
        case vulkan::ArgumentAccess::ReadWrite: return CL_KERNEL_ARG_ACCESS_READ_WRITE;
        default: return CL_KERNEL_ARG_ACCESS_NONE;
    }
}

cl_kernel_arg_type_qualifier type_qualifiers(const vulkan::KernelArgument& argument) {
    const std::pair<const char*, cl_kernel_arg_type_qualifier> kWords[] = {
        {"const", CL_KERNEL_ARG_TYPE_CONST},
        {"restrict", CL_KERNEL_ARG_TYPE_RESTRICT},
        {"volatile", CL_KERNEL_ARG_TYPE_VOLATILE},
        {"pipe", CL_KERNEL_ARG_TYPE_PIPE}};
    cl_kernel_arg_type_qualifier out = CL_KERNEL_ARG_TYPE_NONE;
    for (const auto& [word, bit] : kWords)
        if (has_word(argument.type_qualifiers, word)) out |= bit;
    return out;
}

}  // namespace

cl_int CL_API_CALL GetKernelInfo(cl_kernel handle, cl_kernel_info name, size_t size, void* value,
                                 size_t* size_ret) {
    return entry([&] {
        const Kernel& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_KERNEL_FUNCTION_NAME: return answer.put_text(self.interface().name);
            case CL_KERNEL_NUM_ARGS:
                return answer.put(static_cast<cl_uint>(self.interface().arguments.size()));
            case CL_KERNEL_REFERENCE_COUNT: return answer.put(self.references());
            case CL_KERNEL_CONTEXT: return answer.put<cl_context>(self.program->context.get());
            case CL_KERNEL_PROGRAM: return answer.put<cl_program>(self.program.get());
            case CL_KERNEL_ATTRIBUTES: return answer.put_text(self.interface().attributes);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL GetKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size,
                                    void* value, size_t* size_ret) {
    return entry([&] {
        const Kernel& self = checked(handle);
        require(index < self.interface().arguments.size(), CL_INVALID_ARG_INDEX);
        const vulkan::KernelArgument& argument = self.interface().arguments[index];
        require(!argument.type_name.empty(), CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_KERNEL_ARG_ADDRESS_QUALIFIER: return answer.put(address_qualifier(argument));
            case CL_KERNEL_ARG_ACCESS_QUALIFIER: return answer.put(access_qualifier(argument.access));
            case CL_KERNEL_ARG_TYPE_NAME: return answer.put_text(argument.type_name);
            case CL_KERNEL_ARG_TYPE_QUALIFIER: return answer.put(type_qualifiers(argument));
            case CL_KERNEL_ARG_NAME: return answer.put_text(argument.name);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL GetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device,
                                          cl_kernel_work_group_info name, size_t size, void* value,
                                          size_t* size_ret) {
    return entry([&] {
        const Kernel& self = checked(handle);
        const size_t place = checked_place(self, device);
        const runtime::Kernel& kernel = self.arguments->kernels[place];
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_KERNEL_GLOBAL_WORK_SIZE: throw ApiError(CL_INVALID_VALUE);  // only for built-in kernels
            case CL_KERNEL_WORK_GROUP_SIZE: return answer.put(max_group_size(self, place));
            case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
                const auto& required = kernel.interface().required_local_size;
                return answer.put_all(std::vector<size_t>(required.begin(), required.end()));
            }
            case CL_KERNEL_LOCAL_MEM_SIZE: return answer.put<cl_ulong>(kernel.local_bytes());
            case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
                return answer.put<size_t>(runtime::sub_group_size(
                    *self.program->context->places[place].opened, kernel.interface()));
            // Vulkan does not report what is not in a buffer.
            case CL_KERNEL_PRIVATE_MEM_SIZE: return answer.put<cl_ulong>(kernel.interface().private_bytes);
            case CL_KERNEL_SPILL_MEM_SIZE_INTEL: return answer.put<cl_ulong>(0);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL GetKernelSubGroupInfo(cl_kernel handle, cl_device_id device, cl_kernel_sub_group_info name,
                                         size_t input_size, const void* input, size_t size, void* value,
                                         size_t* size_ret) {
    return entry([&] {
        const Kernel& self = checked(handle);
        const size_t place = checked_place(self, device);
        const runtime::Device& opened = *self.program->context->places[place].opened;
        const vulkan::Kernel& kernel = self.arguments->kernels[place].interface();
        const Answer answer(size, value, size_ret);
        const auto local_size = [&] {
            require(input && input_size != 0 && input_size <= 3 * sizeof(size_t) &&
                        input_size % sizeof(size_t) == 0,
                    CL_INVALID_VALUE);
            runtime::Size3 sizes = {1, 1, 1};
            for (size_t i = 0; i < input_size / sizeof(size_t); ++i) sizes[i] = value_at<size_t>(input, i);
            return sizes;
        };
        switch (name) {
            case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
                return answer.put<size_t>(runtime::sub_groups(opened, kernel, local_size()).max_size);
            case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
                return answer.put<size_t>(runtime::sub_groups(opened, kernel, local_size()).count);
            case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
                require(input && input_size == sizeof(size_t), CL_INVALID_VALUE);
                require(size % sizeof(size_t) == 0 && (!value || size != 0), CL_INVALID_VALUE);
                const size_t wanted = local_size_of(value_at<size_t>(input), opened, kernel);
                std::vector<size_t> sizes(value ? std::min<size_t>(size / sizeof(size_t), 3) : 3,
                                          wanted != 0 ? 1 : 0);
                sizes[0] = wanted;
                return answer.put_all(sizes);
            }
            case CL_KERNEL_MAX_NUM_SUB_GROUPS: return answer.put<size_t>(most_sub_groups(opened, kernel));
            case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
                return answer.put<size_t>(runtime::required_sub_group_size(kernel));
            case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: return answer.put<size_t>(kernel.required_sub_groups);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
