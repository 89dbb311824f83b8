// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/let_finish.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "spirv/support/process.h"
#include "vulkan/runtime/background_tasks.h"
#include "vulkan/runtime/compiled_module.h"
#include "vulkan/runtime/patience.h"

namespace caldera::runtime {
namespace {

void wait_until_idle(const std::shared_ptr<Device>& device) try {
    struct State {
        std::mutex mutex = {};
        std::condition_variable changed = {};
        bool is_idle = false;
    };
    const auto state = std::make_shared<State>();
    // Vulkan has no such wait with a time limit. The thread keeps the device alive, because it may wait for
    // longer than the process exists.
    std::thread([state, kept = device]() mutable {
        (void)vkDeviceWaitIdle(kept->vk());
        const std::lock_guard lock(state->mutex);
        kept.reset();  // the waiter has it, or has left it alone for good
        state->is_idle = true;
        state->changed.notify_one();
    }).detach();
    std::unique_lock lock(state->mutex);
    if (!Patience().wait(lock, state->changed, [&] { return state->is_idle; }))
        (void)new std::shared_ptr<Device>(device);  // nobody destroys it beside the thread
} catch (const std::system_error&) {}  // no thread is available: the process exits without waiting

struct Closing {
    std::weak_ptr<Device> device = {};
    pid_t process = 0;  // a forked child has none of the device's threads
};
struct DevicesOfProgram {
    std::mutex mutex = {};
    std::vector<Closing> open = {};
};
/// Never destroyed: programs may open and close devices in destructors of static objects.
DevicesOfProgram& devices_of_program() {
    static DevicesOfProgram& devices = *new DevicesOfProgram;
    return devices;
}

void finish_devices() {
    if (other_threads_are_gone()) return;
    std::vector<Closing> open;
    {
        // exit() may have been called while another thread opens one
        const std::unique_lock lock(devices_of_program().mutex, std::try_to_lock);
        if (lock) open = std::exchange(devices_of_program().open, {});
    }
    for (const Closing& one : open) {
        const std::shared_ptr<Device> device = one.process == getpid() ? one.device.lock() : nullptr;
        if (!device || !device->is_cpu()) continue;
        device->background().stop(Patience());
        wait_until_idle(device);
    }
}

}  // namespace

void let_finish(const std::shared_ptr<Device>& device) {
    device->background().stop(Patience());
    device->compiled_modules().keep();
    if (device->is_cpu()) wait_until_idle(device);
}

void let_finish_at_exit(const std::shared_ptr<Device>& device) {
    const std::lock_guard lock(devices_of_program().mutex);
    std::vector<Closing>& open = devices_of_program().open;
    std::erase_if(open, [](const Closing& one) { return one.device.expired(); });
    open.push_back({.device = device, .process = getpid()});
    (void)std::atexit(finish_devices);
}

}  // namespace caldera::runtime
