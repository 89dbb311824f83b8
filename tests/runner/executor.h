// SPDX-License-Identifier: Apache-2.0
// The execution suite: kernels named test_… run on the device and record what failed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/runner/test_file.h"
#include "vulkan/runtime/device_queue.h"
#include "vulkan/runtime/pipe.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runner {

/// Runs the kernels of one file after another on a device, and reads what they record.
class Executor {
 public:
    void set_abi(vulkan::Abi abi) { abi_ = abi; }
    void set_only_32_bits() { only_32_bits_ = true; }
    void set_wrong_idioms() { wrong_idioms_ = true; }
    void set_merge_calls() { merge_calls_ = true; }
    void set_modules(fs::path folder) { modules_ = std::move(folder); }
    void set_no_sub_groups() { no_sub_groups_ = true; }
    void set_private_in_buffers() { private_in_buffers_ = true; }
    void set_constants_in_module() { constants_in_module_ = true; }
    /// Files without doubles are skipped.
    void set_emulate_doubles() { emulate_doubles_ = true; }
    void set_times() { times_ = true; }
    void disable_pass(const char* name) { disabled_passes_.emplace_back(name); }
    /// A file says `// NEEDS: addresses`, `// NEEDS: double`, `// NEEDS: denormals of double`, `// NEEDS:
    /// half`, `// NEEDS: 64-bit atomics` or `// NEEDS: sub-groups`. `// NEEDS: quick doubles` says that its
    /// kernels call many functions of doubles: lavapipe takes minutes to compile them where doubles are
    /// emulated, because it inlines every call.
    bool offers(const Test& test) const;
    Verdict open();
    std::string device_name() const { return device_->name(); }
    /// What `// ALWAYS:` calls the form that tests run in.
    std::string form() const;
    /// Messages of the validation layer, when CALDERA_VALIDATION=1 loads it: any is a failure.
    uint32_t validation_messages() const { return device_ ? device_->validation_messages() : 0; }

    /// A file whose check fails is built again so that the kernels store what they compare.
    Verdict run(const Test& test, const fs::path& root);

 private:
    Verdict run_once(const Test& test, const fs::path& root);

    Verdict set_pipe(runtime::Kernel& kernel, uint32_t index);

    // ---- What kernels enqueue ----

    Verdict make_device_queue(const Test& test);

    Verdict run_kernel(const runtime::Kernel& kernel, const runtime::NDRange& range);

    // ---- What kernels print ----

    Verdict make_queue(const Test& test);

    Verdict compare_printed(const Test& test) const;

    /// A line `RUN: …`.
    struct Run {
        runtime::NDRange range = {.local = {1, 1, 1}};
        bool overlap = false, by_format = false;
        uint32_t levels = 1;
        std::vector<vulkan::ImageDescriptor> images = {};
        uint32_t sampler = vulkan::kSamplerNearest;
    };
    static Verdict read(const std::string& text, Run& run);

    bool too_large(const Run& run) const;

    /// The first argument is the record; every further pointer one is 64 KiB of global memory holding 0, 1,
    /// 2, … as ints, of its own or, when they overlap, the same for all; or 1 KiB of local memory. A value's
    /// bytes are 1, 2, 3, … A pipe is for 100 packets and lasts from kernel to kernel of a file; those with
    /// packets of one size are one. An image is the next of the RUN line's, or the last again, and a pointer
    /// after it called like it with `_bytes` behind is to its texels; `sampler_bits` are those of the
    /// samplers.
    Verdict dispatch(runtime::Program& program, const vulkan::Kernel& interface, const Run& run);

    vulkan::Abi abi_ = vulkan::Abi::Addresses;
    fs::path modules_ = {};
    std::vector<std::string> disabled_passes_ = {};
    bool only_32_bits_ = false, wrong_idioms_ = false, merge_calls_ = false, no_sub_groups_ = false,
         emulate_doubles_ = false, private_in_buffers_ = false, constants_in_module_ = false, times_ = false;
    bool stores_values_ = false, check_failed_ = false;
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    std::string printed_ = {};
    std::map<uint32_t, runtime::Pipe> pipes_ = {};  // by size of packets
    std::unique_ptr<runtime::DeviceQueue> device_queue_ = {};
    std::map<std::string, int> endings_ = {};  // by kernel
};

}  // namespace caldera::runner
