// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/unload.h"

#include <dlfcn.h>

#include "vulkan/icd/device.h"

namespace caldera::icd {
namespace {

thread_local bool is_own_thread = false;

/// When a process ends, static objects are destroyed before the driver's last function is called; when the driver is unloaded, after.
bool is_process_ending = false;
struct AtExit {
    ~AtExit() { is_process_ending = true; }
} at_exit;

/// A process that ends does not close devices: the libraries of Vulkan's drivers have ended already.
[[gnu::destructor]] void unload() {
    if (!is_process_ending) close_platform();
}

}  // namespace

Loaded::Loaded() {
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void*>(&begin_own_thread), &info) != 0)
        driver_ = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

Loaded::~Loaded() {
    if (driver_ && !is_own_thread) dlclose(driver_);
}

void begin_own_thread() { is_own_thread = true; }

}  // namespace caldera::icd
