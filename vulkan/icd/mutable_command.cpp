// SPDX-License-Identifier: Apache-2.0
// Launches in command-buffers that the program changes between replays
// (cl_khr_command_buffer_mutable_dispatch).
#include <algorithm>
#include <span>
#include <unordered_map>

#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/commands.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"

namespace caldera::icd {

Work make_work(const CommandQueue& queue, const LaunchSettings& settings) {
    return make_work(queue, settings, settings.kernel->arguments);
}

Work make_work(const CommandQueue& queue, const LaunchSettings& settings,
               const std::shared_ptr<Arguments>& arguments) {
    const Kernel& kernel = *settings.kernel;
    check_kernel(queue, kernel, *arguments);
    if (arguments->kernels[queue.place].unset_argument()) return {};
    check_launchable(queue, kernel, *arguments);
    const runtime::NDRange whole = completed_range(
        queue, *arguments, settings.range, settings.local_size ? settings.local_size->data() : nullptr);
    return {.command =
                std::make_shared<const Command>(launch(queue, arguments, CL_COMMAND_NDRANGE_KERNEL, whole)),
            .arguments = is_recordable(queue, *arguments) ? arguments : nullptr,
            .range = whole};
}

namespace {

using Change = CommandBuffer::Change;

/// Gives the clones of kernels their arguments back, unless all changes are right.
class Attempt {
 public:
    Attempt() = default;
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
        if (!succeeds_)
            for (auto at = before_.rbegin(); at != before_.rend(); ++at)
                at->kernel->arguments = at->arguments;
    }
    void note(const Ref<Kernel>& kernel) { before_.push_back({kernel, kernel->arguments}); }
    void succeed() { succeeds_ = true; }

 private:
    struct Before {
        Ref<Kernel> kernel = {};
        std::shared_ptr<Arguments> arguments = {};
    };
    std::vector<Before> before_ = {};
    bool succeeds_ = false;
};

template <class T>
std::span<const T> checked_list(const T* list, cl_uint count) {
    require((count == 0) == (list == nullptr), CL_INVALID_VALUE);
    return {list, count};
}

/// Whether all work-groups have the same size. A local size that the runtime chooses does not count.
bool is_uniform(const LaunchSettings& settings) {
    for (size_t d = 0; settings.local_size && d < settings.range.dimensions; ++d) {
        const size_t local = (*settings.local_size)[d];
        if (local != 0 && settings.range.global[d] % local != 0) return false;
    }
    return true;
}

/// Changes the arguments of the clone, and the ranges of `to`.
void change(const MutableCommand& launch, const MutableDispatchConfig& config, LaunchSettings& to) {
    const auto require_field = [&](bool is_used, cl_mutable_dispatch_fields_khr field) {
        require(!is_used || launch.fields & field, CL_INVALID_OPERATION);
    };
    const cl_uint dimensions = to.range.dimensions;
    require(config.work_dim == 0 || config.work_dim == dimensions, CL_INVALID_OPERATION);
    require_field(config.global_work_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR);
    require_field(config.global_work_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR);
    require_field(config.local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR);
    require_field(config.num_args != 0 || config.num_svm_args != 0, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
    require_field(config.num_exec_infos != 0, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR);
    const auto arguments = checked_list(config.arg_list, config.num_args);
    const auto svm_arguments = checked_list(config.arg_svm_list, config.num_svm_args);
    const auto infos = checked_list(config.exec_info_list, config.num_exec_infos);
    for (const MutableDispatchArg& argument : arguments)
        set_argument(*to.kernel, argument.arg_index, argument.arg_size, argument.arg_value);
    for (const MutableDispatchArg& argument : svm_arguments)
        set_svm_argument(*to.kernel, argument.arg_index, argument.arg_value);
    for (const MutableDispatchExecInfo& info : infos)
        set_exec_info(*to.kernel, info.param_name, info.param_value_size, info.param_value);
    const bool was_uniform = is_uniform(to);
    if (config.global_work_offset)
        std::copy_n(config.global_work_offset, dimensions, to.range.offset.begin());
    if (config.global_work_size) std::copy_n(config.global_work_size, dimensions, to.range.global.begin());
    if (config.local_work_size)
        std::copy_n(config.local_work_size, dimensions, to.local_size.emplace().begin());
    require(is_uniform(to) == was_uniform, CL_INVALID_OPERATION);
}

/// All changes that the program lists; a launch may have several.
std::vector<Change> make_changes(const CommandBuffer& buffer, std::span<const void* const> configs,
                                 Attempt& attempt) {
    std::vector<Change> changes;
    std::unordered_map<const MutableCommand*, size_t> places;
    for (const void* each : configs) {
        const auto& config = *static_cast<const MutableDispatchConfig*>(each);
        MutableCommand& launch = checked(config.command);
        require(&launch.buffer == &buffer, CL_INVALID_MUTABLE_COMMAND_KHR);
        const auto [place, is_first] = places.try_emplace(&launch, changes.size());
        if (is_first) changes.push_back({.launch = &launch, .settings = launch.settings});
        Change& made = changes[place->second];
        attempt.note(made.settings.kernel);
        change(launch, config, made.settings);
    }
    for (Change& made : changes) made.work = make_work(*buffer.queues[made.launch->queue], made.settings);
    attempt.succeed();
    return changes;
}

// ---- Arguments in memory ----

/// Whether the argument is bytes of the argument block and nothing else.
bool is_stored(const vulkan::Kernel& kernel, cl_uint index) {
    using enum vulkan::ArgumentKind;
    if (index >= kernel.arguments.size()) return false;
    const vulkan::ArgumentKind kind = kernel.arguments[index].kind;
    return kind == Value || kind == GlobalPointer || kind == ConstantPointer || kind == Sampler;
}

/// Whether a change is one of arguments that are stored where the device reads them. All that may be wrong
/// with it is in the values.
bool is_stored(const CommandBuffer& buffer, const MutableDispatchConfig& config) {
    const bool has_others = config.num_svm_args != 0 || config.arg_svm_list || config.num_exec_infos != 0 ||
                            config.exec_info_list || config.global_work_offset || config.global_work_size ||
                            config.local_work_size;
    if (has_others || config.num_args == 0 || !config.arg_list) return false;
    const MutableCommand& launch = checked(config.command);
    if (&launch.buffer != &buffer || !(launch.fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR)) return false;
    if (config.work_dim != 0 && config.work_dim != launch.settings.range.dimensions) return false;
    const vulkan::Kernel& interface = launch.settings.kernel->interface();
    return buffer.recorded(launch).sequence &&
           std::ranges::all_of(std::span(config.arg_list, config.num_args), [&](const auto& argument) {
               return is_stored(interface, argument.arg_index);
           });
}

/// Changes arguments of kernels, which the recorded commands share, and takes the changes back unless all are
/// right.
class InPlace {
 public:
    InPlace() = default;
    InPlace(const InPlace&) = delete;
    InPlace& operator=(const InPlace&) = delete;
    ~InPlace() {
        for (auto at = before_.rbegin(); !succeeds_ && at != before_.rend(); ++at)
            *at->kernel->arguments = std::move(at->arguments);
    }
    /// Call it before the second change: the first one fails without an effect.
    void note(const Ref<Kernel>& kernel) { before_.push_back({kernel, *kernel->arguments}); }
    static void set(Kernel& kernel, const MutableDispatchArg& argument) {
        struct Mark {
            Kernel& kernel;
            explicit Mark(Kernel& its_kernel) : kernel(its_kernel) { kernel.changes_in_place = true; }
            ~Mark() { kernel.changes_in_place = false; }
        } const mark(kernel);
        set_argument(kernel, argument.arg_index, argument.arg_size, argument.arg_value);
    }
    void succeed() { succeeds_ = true; }

 private:
    struct Before {
        Ref<Kernel> kernel = {};
        Arguments arguments = {};
    };
    std::vector<Before> before_ = {};
    bool succeeds_ = false;
};

/// Stores all changes if they are of such arguments. Otherwise it returns false and changes nothing.
bool store(CommandBuffer& buffer, std::span<const void* const> configs) {
    const auto config_of = [](const void* each) -> const MutableDispatchConfig& {
        return *static_cast<const MutableDispatchConfig*>(each);
    };
    if (!std::ranges::all_of(configs, [&](const void* each) { return is_stored(buffer, config_of(each)); }))
        return false;
    for (const void* each : configs)
        if (!buffer.make_writable(*config_of(each).command)) return false;
    const bool is_one = configs.size() == 1 && config_of(configs[0]).num_args == 1;
    InPlace changes;
    for (const void* each : configs) {
        const MutableDispatchConfig& config = config_of(each);
        const Ref<Kernel>& kernel = config.command->settings.kernel;
        if (!is_one) changes.note(kernel);
        for (const MutableDispatchArg& argument : std::span(config.arg_list, config.num_args)) {
            buffer.hold_argument(*config.command, argument.arg_index);
            InPlace::set(*kernel, argument);
        }
    }
    changes.succeed();
    for (const void* each : configs) {
        const MutableDispatchConfig& config = config_of(each);
        const auto [sequence, item] = buffer.recorded(*config.command);
        const runtime::Kernel& kernel =
            config.command->settings.kernel->arguments->kernels[buffer.queues[config.command->queue]->place];
        for (const MutableDispatchArg& argument : std::span(config.arg_list, config.num_args)) {
            sequence->store_argument(item, kernel, argument.arg_index);
            buffer.note_stored(*config.command, argument.arg_index);
        }
    }
    return true;
}

}  // namespace

cl_int CL_API_CALL UpdateMutableCommandsKHR(cl_command_buffer_khr handle, cl_uint count,
                                            const cl_command_buffer_update_type_khr* types,
                                            const void** configs) {
    return entry([&] {
        CommandBuffer& buffer = checked(handle);
        const auto check_lists = [&] {
            require((count == 0) == (types == nullptr), CL_INVALID_VALUE);
            require((count == 0) == (configs == nullptr), CL_INVALID_VALUE);
            for (cl_uint i = 0; i < count; ++i)
                require(types[i] == kMutableDispatchConfig && configs[i], CL_INVALID_VALUE);
        };
        buffer.change(
            [&] {
                check_lists();
                return store(buffer, std::span(configs, count));
            },
            [&] {
                check_lists();
                Attempt attempt;
                return make_changes(buffer, std::span(configs, count), attempt);
            });
    });
}

cl_int CL_API_CALL GetMutableCommandInfoKHR(cl_mutable_command_khr handle, cl_mutable_command_info_khr name,
                                            size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        MutableCommand& self = checked(handle);
        const Answer answer(size, value, size_ret);
        const LaunchSettings settings = self.buffer.settings(self);
        const auto put_sizes = [&](const auto& sizes) {
            answer.put_all(std::vector<size_t>(sizes.begin(), sizes.begin() + settings.range.dimensions));
        };
        switch (name) {
            case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
                return answer.put<cl_command_queue>(self.buffer.queues[self.queue].get());
            case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
                return answer.put<cl_command_buffer_khr>(&self.buffer);
            case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
                return answer.put<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL);
            case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: return answer.put_all(self.given_properties);
            case CL_MUTABLE_DISPATCH_KERNEL_KHR: return answer.put<cl_kernel>(self.kernel.get());
            case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR: return answer.put<cl_uint>(settings.range.dimensions);
            case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR: return put_sizes(settings.range.offset);
            case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR: return put_sizes(settings.range.global);
            case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
                return put_sizes(settings.local_size.value_or(std::array<size_t, 3>{}));
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
