// SPDX-License-Identifier: Apache-2.0
// Copies of command-buffers for other queues (cl_khr_command_buffer_multi_device).
#include <algorithm>

#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/entry_points.h"

using namespace caldera;
using namespace caldera::icd;

namespace {

/// The order in which a command of a queue tries others: those of its device come first. Queues at different
/// places begin with different ones.
std::vector<size_t> preferred(const CommandQueue& from, size_t place, std::span<const Ref<CommandQueue>> to) {
    std::vector<size_t> order;
    for (size_t i = 0; i < to.size(); ++i) order.push_back((place + i) % to.size());
    std::ranges::stable_partition(order, [&](size_t i) { return &to[i]->device() == &from.device(); });
    return order;
}

/// The state by queue of the commands up to a number, in a copy whose commands are for other queues.
class Replaced {
 public:
    Replaced(size_t from_count, size_t to_count)
        : to_count_(to_count), numbers_(std::vector<std::vector<cl_uint>>(from_count * to_count)) {}
    /// Notes a command. Numbers rise.
    void add(size_t from, size_t to, cl_uint number) { numbers_[from * to_count_ + to].push_back(number); }
    std::vector<cl_uint> converted(std::span<const cl_uint> after) const {
        std::vector<cl_uint> out(to_count_);
        for (size_t from = 0; from < after.size(); ++from)
            for (size_t to = 0; to < to_count_; ++to) {
                const std::vector<cl_uint>& all = numbers_[from * to_count_ + to];
                const auto end = std::ranges::upper_bound(all, after[from]);
                if (end != all.begin()) out[to] = std::max(out[to], *(end - 1));
            }
        return out;
    }

 private:
    size_t to_count_;
    std::vector<std::vector<cl_uint>> numbers_;
};

Ref<MutableCommand> copy_of(const MutableCommand& launch, CommandBuffer& buffer) {
    const auto made = Ref<MutableCommand>::adopt(new MutableCommand(buffer, *launch.kernel));
    made->given_properties = launch.given_properties;
    made->fields = launch.fields;
    made->step = launch.step;
    made->settings = launch.settings;
    made->settings.kernel = Ref<Kernel>::adopt(new Kernel(*launch.settings.kernel, 0));
    return made;
}

}  // namespace

/// Gives the step of the copy its work, in the first queue that can do it. A command tries the queue of the
/// one before it first, so that bytes stay where they are. Returns which queue that is.
size_t _cl_command_buffer_khr::place(Step& step, const CommandQueue& from, Remapping how,
                                     std::optional<size_t>& latest) {
    std::vector<size_t> order = {step.queue};
    if (how == Remapping::Automatic) order = preferred(from, step.queue, queues);
    if (how == Remapping::Automatic && latest) {
        std::erase(order, *latest);
        order.insert(order.begin(), *latest);
    }
    std::optional<ApiError> first_error;
    for (const size_t queue : order) try {
            step.work =
                step.launch ? make_work(*queues[queue], step.launch->settings) : step.make(*queues[queue]);
            latest = queue;
            return queue;
        } catch (const ApiError& error) {
            if (!first_error) first_error = error;
        }
    throw *first_error;
}

Ref<CommandBuffer> _cl_command_buffer_khr::remapped(std::vector<Ref<CommandQueue>> to, Remapping how,
                                                    std::span<MutableCommand*> launches) const {
    const auto made = Ref<CommandBuffer>::adopt(new CommandBuffer(std::move(to)));
    const bool is_final = copy_to(*made, how);
    if (is_final) made->finalize();
    for (MutableCommand*& launch : launches) launch = made->steps_[launch->step].launch.get();
    return made;
}

/// Gives the new command-buffer all commands. Returns whether this one has been finalized.
bool _cl_command_buffer_khr::copy_to(CommandBuffer& made, Remapping how) const {
    const std::lock_guard lock(mutex_);
    made.given_properties = given_properties;
    made.flags = flags;
    made.asserts = asserts;
    made.kept_ = kept_;
    made.count_ = count_;
    made.queue_of_ = queue_of_;
    Replaced replaced(queues.size(), made.queues.size());
    std::vector<std::optional<size_t>> latest(queues.size());
    for (const Step& step : steps_) {
        Step copy = step;
        if (step.launch) copy.launch = copy_of(*step.launch, made);
        copy.queue = made.place(copy, *queues[step.queue], how, latest[step.queue]);
        if (copy.launch) copy.launch->queue = copy.queue;
        copy.after = replaced.converted(step.after);
        replaced.add(step.queue, copy.queue, step.number);
        made.latest_[copy.queue] = step.number;
        made.queue_of_[step.number - 1] = copy.queue;
        made.lacking_ += !copy.work.command;
        made.steps_.push_back(std::move(copy));
    }
    made.blocked_ = replaced.converted(blocked_);
    return is_final_;
}

namespace caldera::icd {

cl_command_buffer_khr CL_API_CALL RemapCommandBufferKHR(cl_command_buffer_khr handle, cl_bool automatic,
                                                        cl_uint queue_count, const cl_command_queue* queues,
                                                        cl_uint handle_count,
                                                        const cl_mutable_command_khr* handles,
                                                        cl_mutable_command_khr* handles_ret,
                                                        cl_int* code_ret) {
    return make(code_ret, [&] {
        const CommandBuffer& buffer = checked(handle);
        require(queue_count != 0 && queues, CL_INVALID_VALUE);
        require(automatic || queue_count == buffer.queues.size(), CL_INVALID_VALUE);
        require((handle_count == 0) == (handles == nullptr), CL_INVALID_VALUE);
        require((handle_count == 0) == (handles_ret == nullptr), CL_INVALID_VALUE);
        std::vector<MutableCommand*> launches(handles, handles + handle_count);
        for (const MutableCommand* launch : launches)
            require(launch && launch->is_alive() && &launch->buffer == &buffer, CL_INVALID_VALUE);
        std::vector<Ref<CommandQueue>> to = checked_queues(queue_count, queues);
        require(to[0]->context.get() == &buffer.context(), CL_INVALID_CONTEXT);
        check_sync(buffer.flags, to);
        using enum CommandBuffer::Remapping;
        const Ref<CommandBuffer> made =
            buffer.remapped(std::move(to), automatic ? Automatic : ByPlace, launches);
        std::ranges::copy(launches, handles_ret);
        return give(made);
    });
}

}  // namespace caldera::icd
