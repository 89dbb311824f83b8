// SPDX-License-Identifier: Apache-2.0
// BackgroundTasks: what a device does on threads of its own, because nobody waits for it yet. CompiledModule
// has it make pipelines.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "vulkan/runtime/patience.h"

namespace caldera::runtime {

/// Thread-safe. A task must not throw.
class BackgroundTasks {
 public:
    using Task = std::function<void()>;

    BackgroundTasks() = default;
    /// Waits for tasks that have begun.
    ~BackgroundTasks();
    BackgroundTasks(const BackgroundTasks&) = delete;
    BackgroundTasks& operator=(const BackgroundTasks&) = delete;

    /// Begins the tasks in this order. They are dropped if no thread can be had, or after stop().
    void add(std::vector<Task> tasks);
    /// Begins no other task from now on, and waits for those that have begun, but no longer than patience
    /// lasts.
    void stop(Patience patience);

 private:
    void begin_no_more();
    void start_threads();
    void run();

    std::mutex mutex_ = {};
    std::condition_variable ended_ = {};
    std::deque<Task> tasks_ = {};
    std::vector<std::thread> threads_ = {};  // each ends when there are no tasks
    size_t running_ = 0;                     // of the threads
    bool is_stopped_ = false;
};

}  // namespace caldera::runtime
