// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/let_finish.h"

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "vulkan/runtime/background_tasks.h"
#include "vulkan/runtime/compiled_module.h"

namespace caldera::runtime {

void let_finish(const std::shared_ptr<Device>& device, std::chrono::milliseconds at_most) try {
    device->background().stop(at_most);
    device->compiled_modules().keep();
    if (!device->is_cpu()) return;
    struct State {
        std::mutex mutex = {};
        std::condition_variable changed = {};
        bool is_idle = false;
    };
    const auto state = std::make_shared<State>();
    // Vulkan has no such wait with a time limit. The thread keeps the device alive, because it may wait for
    // longer than the process exists.
    std::thread([state, device] {
        (void)vkDeviceWaitIdle(device->vk());
        const std::lock_guard lock(state->mutex);
        state->is_idle = true;
        state->changed.notify_one();
    }).detach();
    std::unique_lock lock(state->mutex);
    state->changed.wait_for(lock, at_most, [&] { return state->is_idle; });
} catch (const std::system_error&) {}  // no thread is available: the process exits without waiting

}  // namespace caldera::runtime
