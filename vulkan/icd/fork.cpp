// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/fork.h"

#include <atomic>
#include <mutex>

#include "spirv/support/process.h"

namespace caldera::icd {
namespace {

constinit std::atomic<uint32_t> forks = 0;
constinit std::atomic<bool> has_parents_drivers = false;
constinit std::atomic<const AtFork*> functions = nullptr;
/// Held from before a fork until after it, by the thread that forks. MinGW's mutex cannot be constinit.
std::mutex forking;
constinit bool are_drivers_loaded = false;

void before_fork() {
    forking.lock();
    are_drivers_loaded = functions.load()->before();
}
void in_parent() {
    functions.load()->after();
    forking.unlock();
}
void in_child() {
    ++forks;
    if (are_drivers_loaded) has_parents_drivers = true;
    in_parent();
}

}  // namespace

uint32_t forks_before() noexcept { return forks; }

void follow_forks(const AtFork& at_fork) {
    functions = &at_fork;
    run_at_fork(before_fork, in_parent, in_child);
}

bool has_drivers_of_parent() noexcept { return has_parents_drivers; }

}  // namespace caldera::icd
