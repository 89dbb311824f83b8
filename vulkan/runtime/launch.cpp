// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/launch.h"

#include <algorithm>
#include <numeric>

#include "vulkan/runtime/device.h"

namespace caldera::runtime {
namespace {

using enum LaunchFault::Kind;

/// The largest size that divides the range and does not exceed the limits.
Size3 dividing_local_size(const NDRange& range, const vulkan::Kernel& kernel,
                          const vulkan::DeviceProfile& profile) {
    Size3 local = choose_local_size(range, kernel, profile);
    if (kernel.required_local_size[0] != 0) return local;
    uint64_t budget = local[0] * local[1] * local[2];
    for (size_t d = 0; d < 3; ++d) {
        const uint64_t most = std::min({budget, uint64_t{profile.max_local_size[d]}, range.global[d]});
        uint64_t size = std::min(local[d], most);
        if (size == 0) continue;  // the range is empty
        if (range.global[d] % size != 0) {
            size = most;
            while (range.global[d] % size != 0) --size;
        }
        local[d] = size;
        budget /= size;
    }
    return local;
}

/// The largest size of as many sub-groups as the kernel requires that divides the range, if there is one.
Size3 size_of_sub_groups(const NDRange& range, const vulkan::Kernel& kernel, const Program& program) {
    const vulkan::DeviceProfile& profile = program.launch_profile();
    const uint64_t each = sub_group_size(program.device(), kernel);
    const uint64_t most = std::min(kernel.required_sub_groups * each, largest_group(kernel, profile));
    for (uint64_t work_items = most; work_items > (kernel.required_sub_groups - 1) * each; --work_items) {
        Size3 local = {};
        uint64_t left = work_items;
        bool fits = true;
        for (size_t d = 0; d < 3; ++d) {
            local[d] = std::gcd(left, range.global[d]);
            left /= local[d];
            fits &= local[d] <= profile.max_local_size[d];
        }
        if (fits && left == 1) return local;
    }
    return {most, 1, 1};
}

Size3 open_local_size(const NDRange& range, const vulkan::Kernel& kernel, const Program& program,
                      WorkGroups groups) {
    const vulkan::DeviceProfile& profile = program.launch_profile();
    if (kernel.required_sub_groups != 0 && kernel.required_local_size[0] == 0 && profile.subgroups)
        return size_of_sub_groups(range, kernel, program);
    return groups == WorkGroups::Uniform ? dividing_local_size(range, kernel, profile)
                                         : choose_local_size(range, kernel, profile);
}

Size3 open_local_size(const NDRange& range, const Kernel& kernel, WorkGroups groups) {
    const Program& program = kernel.program();
    const vulkan::Kernel& interface = kernel.interface();
    if (interface.local_bytes_per_work_item == 0) return open_local_size(range, interface, program, groups);
    vulkan::Kernel with_arguments = interface;  // they leave less for what each work-item needs
    with_arguments.local_bytes = kernel.local_bytes();
    return open_local_size(range, with_arguments, program, groups);
}

void complete_dimensions(NDRange& range) {
    for (size_t d = range.dimensions; d < 3; ++d) {
        range.global[d] = range.local[d] = 1;
        range.offset[d] = 0;
    }
}

/// Whose limit of work-groups it is: a program may be translated for smaller ones than the device has.
std::string whose_limit(bool is_program) { return is_program ? "program" : "device"; }

std::optional<LaunchFault> check_dimension(const NDRange& range, size_t d, uint32_t required,
                                           WorkGroups groups) {
    const uint64_t local = range.local[d], global = range.global[d];
    const std::string in_dimension = " in dimension " + std::to_string(d);
    if (local == 0) return LaunchFault{GroupSize, "a local size is 0"};
    if (required != 0 && local != required)
        return LaunchFault{GroupSize, "it requires local size " + std::to_string(required) + in_dimension};
    if (global % local != 0 && groups == WorkGroups::Uniform)
        return LaunchFault{GroupSize, "the global size must be a multiple of the local size " +
                                          std::to_string(local) + in_dimension};
    if (global / local > 0xffffffffull)
        return LaunchFault{GlobalSize, "there are more than 2^32 work-groups" + in_dimension};
    if (range.offset[d] + global < global)
        return LaunchFault{Offset, "global offset and size overflow" + in_dimension};
    return std::nullopt;
}

/// For programs that compute ids, sizes and numbers of work-groups from those of a dispatch. It takes a
/// complete range.
std::optional<LaunchFault> check_simple(const NDRange& range, uint64_t dispatches) {
    const std::string why = "; the program takes simple NDRanges only (TranslateOptions::simple_ndrange)";
    for (size_t d = 0; d < 3; ++d) {
        const std::string in_dimension = " in dimension " + std::to_string(d);
        if (range.offset[d] != 0) return LaunchFault{Offset, "there is a global offset" + in_dimension + why};
        if (range.global[d] % range.local[d] != 0)
            return LaunchFault{GroupSize, "the global size must be a multiple of the local size " +
                                              std::to_string(range.local[d]) + in_dimension + why};
    }
    if (dispatches > 1) return LaunchFault{Regions, too_many_dispatches(1) + why};
    return std::nullopt;
}

std::optional<LaunchFault> find_fault(const Kernel& kernel, NDRange& range, WorkGroups groups) {
    const vulkan::Kernel& interface = kernel.interface();
    const Device& device = kernel.program().device();
    const vulkan::DeviceProfile& profile = kernel.program().launch_profile();
    const bool is_simple = kernel.program().interface().simple_ndrange;
    if (kernel.program().interface().uniform_groups) groups = WorkGroups::Uniform;
    if (const auto argument = kernel.unset_argument())
        return LaunchFault{Arguments, "argument " + std::to_string(*argument) + " ('" +
                                          interface.arguments[*argument].name + "') is not set"};
    if (range.dimensions < 1 || range.dimensions > 3)
        return LaunchFault{Dimensions, "an NDRange has 1 to 3 dimensions"};
    complete_dimensions(range);
    if (range.local[0] == 0) {
        if (is_simple) groups = WorkGroups::Uniform;
        if (interface.ignores_groups) groups = WorkGroups::Any;
        range.local = open_local_size(range, kernel, groups);
    }
    const bool has_required = interface.required_local_size[0] != 0;
    uint64_t work_items = 1;
    for (size_t d = 0; d < 3; ++d) {
        const uint32_t required = has_required ? interface.required_local_size[d] : 0;
        const uint32_t most = profile.max_local_size[d];
        if (range.local[d] > most)
            return LaunchFault{ItemSize, "local size " + std::to_string(range.local[d]) + " in dimension " +
                                             std::to_string(d) + " exceeds the " +
                                             whose_limit(most < device.profile().max_local_size[d]) +
                                             "'s limit of " + std::to_string(most)};
        if (auto fault = check_dimension(range, d, required, groups)) return fault;
        work_items *= range.local[d];
    }
    if (const uint64_t most = most_work_items(interface, profile); work_items > most)
        return LaunchFault{GroupSize, std::to_string(work_items) + " work-items in a work-group exceed the " +
                                          whose_limit(most < most_work_items(interface, device.profile())) +
                                          "'s limit of " + std::to_string(most)};
    if (interface.required_sub_groups != 0)
        if (const uint64_t count = sub_groups(device, interface, range.local).count;
            count != interface.required_sub_groups)
            return LaunchFault{GroupSize, "it requires work-groups of " +
                                              std::to_string(interface.required_sub_groups) +
                                              " sub-groups, and these have " + std::to_string(count)};
    if (const uint64_t bytes = kernel.local_bytes() + interface.local_bytes_per_work_item * work_items;
        bytes > profile.max_local_bytes)
        return LaunchFault{LocalMemory, "it needs " + std::to_string(bytes) +
                                            " bytes of local memory; the device has " +
                                            std::to_string(profile.max_local_bytes)};
    if (kernel.needs_split())
        if (const Result<Kernel> split = kernel.split(); !split)
            return LaunchFault{Buffers, split.error().message};
    const auto& most = device.limits().maxComputeWorkGroupCount;
    const uint64_t dispatches = region_count(range, {most[0], most[1], most[2]}, interface.ignores_groups);
    if (dispatches > kMostRegions) return LaunchFault{Regions, too_many_dispatches(kMostRegions)};
    return is_simple ? check_simple(range, dispatches) : std::nullopt;
}

}  // namespace

std::string too_many_dispatches(uint64_t most) {
    return "the range needs more than " + std::to_string(most) +
           (most == 1 ? " dispatch of this device" : " dispatches of this device");
}

Size3 suggested_local_size(const Kernel& kernel, NDRange range, WorkGroups groups) {
    complete_dimensions(range);
    return open_local_size(range, kernel, groups);
}

std::optional<LaunchFault> check_launch(const Kernel& kernel, NDRange& range, WorkGroups groups) {
    std::optional<LaunchFault> fault = find_fault(kernel, range, groups);
    if (fault) fault->message = "kernel '" + kernel.interface().name + "': " + fault->message;
    return fault;
}

}  // namespace caldera::runtime
