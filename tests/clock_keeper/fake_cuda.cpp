// SPDX-License-Identifier: Apache-2.0
#include "tests/clock_keeper/fake_cuda.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

extern "C" {
FakeCuda fake_cuda;
}

namespace {

std::atomic<int> in_calls = 0;
std::atomic<bool> has_ended = false;
std::atomic<pid_t> process = 0;
thread_local int current = 0;  // contexts of this thread's stack

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "fake libcuda: %s\n", what);
    std::_Exit(99);
}

struct Call {
    Call() {
        ++in_calls;
        require(!has_ended, "a call after the end");
        require(process == 0 || process == getpid(), "a call in a child of fork");
    }
    ~Call() { --in_calls; }
};

/// FAKE_CUDA_MS: how long what takes long takes.
void take_long() {
    const char* text = std::getenv("FAKE_CUDA_MS");
    std::this_thread::sleep_for(std::chrono::milliseconds(text ? std::atoi(text) : 0));
}

void end() {
    if (process != getpid()) return;
    require(in_calls == 0, "the end meets a call");
    has_ended = true;
}
struct AtUnload {
    ~AtUnload() { end(); }
} at_unload;

}  // namespace

extern "C" {

int cuInit(unsigned) {
    const Call call;
    process = getpid();
    ++fake_cuda.inits;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    fake_cuda.all_signals_were_blocked = sigismember(&blocked, SIGINT) == 1 &&
                                         sigismember(&blocked, SIGTERM) == 1 &&
                                         sigismember(&blocked, SIGUSR1) == 1;
    take_long();
    return std::atexit(end);
}
int cuDeviceGetCount(int* count) {
    const Call call;
    *count = 2;
    return 0;
}
int cuDeviceGet(int* device, int index) {
    const Call call;
    *device = 100 + index;
    return 0;
}
int cuDeviceGetUuid(std::array<uint8_t, 16>* uuid, int device) {
    const Call call;
    *uuid = {};
    if (device == 101) *uuid = FakeCuda::kUuid;
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    const Call call;
    require(attribute == 20 && device == 101, "another attribute");
    *value = fake_cuda.compute_mode;
    return 0;
}
int cuCtxCreate_v2(void** context, unsigned, int device) {
    const Call call;
    require(device == 101, "another device");
    take_long();
    *context = &fake_cuda;
    ++fake_cuda.created, ++fake_cuda.contexts, ++fake_cuda.currents;
    ++current;
    return 0;
}
int cuCtxPopCurrent_v2(void** context) {
    const Call call;
    require(current == 1, "no context to pop");
    *context = &fake_cuda;
    --fake_cuda.currents;
    --current;
    return 0;
}
int cuCtxDestroy_v2(void* context) {
    const Call call;
    require(context == &fake_cuda, "another context");
    take_long();
    --fake_cuda.contexts;
    return 0;
}
}
