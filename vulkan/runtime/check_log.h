// SPDX-License-Identifier: Apache-2.0
// CheckLog: where the kernels of a program record their faults, and what has been reported of them.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/fault_reporter.h"

namespace caldera::runtime {

/// Thread-safe. Commands that run keep it alive. When it dies, it reports how many faults came after the
/// reports.
class CheckLog {
 public:
    static Result<std::shared_ptr<CheckLog>> create(Device& device, const vulkan::ProgramInterface& program);
    ~CheckLog();
    /// The address of the records.
    uint64_t address() const { return records_.address(); }
    /// Reports the places at which there are faults for the first time.
    void read() noexcept;

 private:
    CheckLog(FaultReporter& reporter, const vulkan::ProgramInterface& program);
    void report(bool again);

    FaultReporter& reporter_;
    const std::vector<vulkan::CheckSite> sites_;
    std::vector<std::string> kernels_ = {};  // their names
    Buffer records_ = {};
    std::mutex mutex_ = {};
    std::vector<uint32_t> reported_ = {};  // by place: how many faults
};

}  // namespace caldera::runtime
