// SPDX-License-Identifier: Apache-2.0
// What a process may do to a ClockKeeper, whose thread uses the libcuda of this folder. `clock_keeper_process
// NAME` does one thing and returns 0 when all was well.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "tests/clock_keeper/fake_cuda.h"
#include "vulkan/runtime/clock_keeper.h"

using namespace caldera::runtime;
using namespace std::chrono_literals;

namespace {

void check(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::_Exit(1);
}

bool becomes(const std::function<bool()>& condition) {
    for (int i = 0; i < 1000; ++i, std::this_thread::sleep_for(5ms))
        if (condition()) return true;
    return false;
}

FakeCuda& cuda() {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    check(library != nullptr, "the fake libcuda.so.1");
    auto* fake = static_cast<FakeCuda*>(dlsym(library, "fake_cuda"));
    check(fake != nullptr, "it is the fake one");
    return *fake;
}

constexpr ClockKeeperOptions kOn{.wish = KeepClocks::On, .uuid = FakeCuda::kUuid};

/// With a context.
std::unique_ptr<ClockKeeper> ready_keeper() {
    auto keeper = std::make_unique<ClockKeeper>(kOn);
    keeper->launched();
    check(becomes([&] { return keeper->has_context(); }), "a context");
    return keeper;
}

/// FAKE_CUDA_MS is for libcuda. In the program's own thread, before another one is there.
void let_calls_take(std::chrono::milliseconds time) {
    setenv("FAKE_CUDA_MS", std::to_string(time.count()).c_str(), 1);
}

int context_while_open() {
    ClockKeeper idle(kOn);
    std::unique_ptr<ClockKeeper> keeper = ready_keeper();
    check(cuda().contexts == 1, "one context");
    check(cuda().currents == 0, "which is current nowhere");
    check(cuda().all_signals_were_blocked, "in a thread that takes no signals");
    for (int i = 0; i < 1000; ++i) keeper->launched();
    check(cuda().created == 1, "no other");
    keeper.reset();
    check(cuda().contexts == 0, "which goes with the device");
    keeper = ready_keeper();
    check(cuda().contexts == 1, "and comes with the next");
    return 0;
}

/// The default: no context for a short program, nor during a pause.
int context_while_launching() {
    using Clock = std::chrono::steady_clock;
    ClockKeeper keeper({.uuid = FakeCuda::kUuid, .pause = 1500ms});
    const auto start = Clock::now();
    const auto launch_for = [&](std::chrono::milliseconds time) {
        for (const auto end = Clock::now() + time; Clock::now() < end; std::this_thread::sleep_for(5ms))
            keeper.launched();
    };
    if (runs_on_battery()) return 77;
    launch_for(600ms);
    check(cuda().inits == 0 || Clock::now() - start > 1s, "nothing in the first second");
    launch_for(700ms);
    check(becomes([&] { return keeper.has_context(); }), "a context");
    launch_for(2s);
    check(keeper.has_context(), "as long as launches go on");
    check(becomes([&] { return cuda().contexts == 0; }), "none after a pause");
    launch_for(1300ms);
    check(becomes([&] { return keeper.has_context(); }), "another one");
    check(cuda().created == 2, "the second");
    return 0;
}

/// The program does not wait for what the thread does, nor does that outlive the device.
int close_meanwhile() {
    let_calls_take(1s);
    check(cuda().contexts == 0, "no context");
    const auto start = std::chrono::steady_clock::now();
    {
        ClockKeeper keeper(kOn);
        keeper.launched();
        check(becomes([] { return cuda().inits == 1; }), "the thread is there");
    }
    check(std::chrono::steady_clock::now() - start < 900ms, "nobody waits");
    check(becomes([] { return cuda().created == 1 && cuda().contexts == 0; }), "the context is gone");
    return 0;
}

/// The process waits for the thread, which is in cuInit or makes the context.
int exit_meanwhile() {
    let_calls_take(200ms);
    auto& keeper = *new ClockKeeper(kOn);
    keeper.launched();
    check(becomes([] { return cuda().inits == 1; }), "the thread is there");
    return 0;
}
int exit_while_context_is_made() {
    let_calls_take(200ms);
    auto& keeper = *new ClockKeeper(kOn);
    keeper.launched();
    check(becomes([] { return cuda().inits == 1; }), "the thread is there");
    std::this_thread::sleep_for(300ms);
    return 0;
}

int exit_with_context() {
    ready_keeper().release();
    return 0;
}

/// An object that outlives CUDA.
std::unique_ptr<ClockKeeper> early;
int close_after_the_end() {
    early = ready_keeper();
    return 0;
}

int exit_from_other_thread() {
    let_calls_take(100ms);
    std::thread([] {
        std::this_thread::sleep_for(150ms);
        std::exit(0);
    }).detach();
    for (;;) {
        ClockKeeper keeper(kOn);
        keeper.launched();
        std::this_thread::sleep_for(20ms);
    }
}

int fork_with_context() {
    std::unique_ptr<ClockKeeper> keeper = ready_keeper();
    for (const bool closes : {false, true}) {
        const pid_t child = fork();
        if (child == 0) {
            if (closes) keeper.reset();
            std::exit(0);
        }
        int status = 1;
        check(waitpid(child, &status, 0) == child && status == 0, "a child that exits");
    }
    check(keeper->has_context() && cuda().contexts == 1, "the parent's context");
    return 0;
}

int gives_up_without_device() {
    ClockKeeperOptions other = kOn;
    other.uuid[0] = 77;
    ClockKeeper keeper(other);
    keeper.launched();
    check(becomes([&] { return keeper.has_given_up(); }), "it gives up");
    keeper.launched();
    check(cuda().created == 0 && cuda().inits == 1, "for good");
    return 0;
}

/// A context of ours would keep other processes from the device.
int gives_up_where_device_is_exclusive() {
    cuda().compute_mode = 3;
    ClockKeeper keeper(kOn);
    keeper.launched();
    check(becomes([&] { return keeper.has_given_up(); }), "it gives up");
    check(cuda().created == 0, "without a context");
    return 0;
}

/// A driver may be unloaded while its thread is in cuInit.
int unload_meanwhile() {
    let_calls_take(200ms);
    check(cuda().contexts == 0, "no context");
    void* library = dlopen(KEEPER, RTLD_NOW | RTLD_LOCAL);
    check(library != nullptr, "the library");
    const auto make = reinterpret_cast<ClockKeeper* (*)()>(dlsym(library, "make_keeper"));
    const auto launch = reinterpret_cast<void (*)(ClockKeeper*)>(dlsym(library, "launch"));
    const auto close = reinterpret_cast<void (*)(ClockKeeper*)>(dlsym(library, "delete_keeper"));
    check(make && launch && close, "its functions");
    ClockKeeper* keeper = make();
    launch(keeper);
    check(becomes([] { return cuda().inits == 1; }), "the thread is there");
    close(keeper);
    check(dlclose(library) == 0, "dlclose");
    check(becomes([] { return cuda().created == 1 && cuda().contexts == 0; }), "the context is gone");
    return 0;
}

const std::map<std::string, int (*)()> kCases = {
    {"context_while_open", context_while_open},
    {"context_while_launching", context_while_launching},
    {"close_meanwhile", close_meanwhile},
    {"exit_meanwhile", exit_meanwhile},
    {"exit_while_context_is_made", exit_while_context_is_made},
    {"exit_with_context", exit_with_context},
    {"close_after_the_end", close_after_the_end},
    {"exit_from_other_thread", exit_from_other_thread},
    {"fork_with_context", fork_with_context},
    {"gives_up_without_device", gives_up_without_device},
    {"gives_up_where_device_is_exclusive", gives_up_where_device_is_exclusive},
    {"unload_meanwhile", unload_meanwhile},
};

}  // namespace

int main(int count, char** arguments) {
    const auto found = kCases.find(count == 2 ? arguments[1] : "");
    if (found == kCases.end()) {
        for (const auto& [name, ignored] : kCases) std::printf("%s\n", name.c_str());
        return 2;
    }
    return found->second();
}
