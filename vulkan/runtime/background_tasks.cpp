// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/background_tasks.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "spirv/support/threads.h"

namespace caldera::runtime {
namespace {

/// NVIDIA's driver makes pipelines of its cache with two threads in 0.6 of the time of one, and with four in
/// half of it (H200, 580.159). Eight take as long as one.
constexpr size_t kMostThreads = 4;
/// A thread more is worth so many tasks.
constexpr size_t kTasksOfThread = 4;

}  // namespace

BackgroundTasks::~BackgroundTasks() {
    begin_no_more();
    for (std::thread& thread : threads_) thread.join();
}

void BackgroundTasks::add(std::vector<Task> tasks) {
    const std::lock_guard lock(mutex_);
    if (is_stopped_) return;
    for (Task& task : tasks) tasks_.push_back(std::move(task));
    start_threads();
}

void BackgroundTasks::start_threads() {
    if (running_ == 0) {
        for (std::thread& thread : threads_) thread.join();  // they have ended
        threads_.clear();
    }
    const size_t processors = std::max(1u, std::thread::hardware_concurrency());
    const size_t most = std::min({kMostThreads, processors, tasks_.size() / kTasksOfThread + 1});
    try {
        while (!tasks_.empty() && threads_.size() < most) {
            threads_.push_back(start_thread([this] { run(); }));
            ++running_;
        }
    } catch (const std::system_error&) {
        if (running_ == 0) tasks_.clear();
    }
}

void BackgroundTasks::run() {
    std::unique_lock lock(mutex_);
    while (!tasks_.empty()) {
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
        task = {};  // what it holds may go, too, while the lock is free
        lock.lock();
    }
    --running_;
    ended_.notify_all();
}

void BackgroundTasks::begin_no_more() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    tasks_.clear();
}

void BackgroundTasks::stop(Patience patience) {
    begin_no_more();
    std::unique_lock lock(mutex_);
    (void)patience.wait(lock, ended_, [&] { return running_ == 0; });
}

}  // namespace caldera::runtime
