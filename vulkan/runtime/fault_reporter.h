// SPDX-License-Identifier: Apache-2.0
// FaultReporter: tells the user of faults that kernels recorded.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caldera/checks.h"
#include "spirv/support/result.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/allocation_table.h"

namespace caldera::runtime {

/// Takes reports.
using OnFault = std::function<void(const FaultReport&)>;

/// What the environment says of checks: CALDERA_CHECK, CALDERA_ROBUST, CALDERA_CHECK_FORMAT,
/// CALDERA_CHECK_FILE, CALDERA_CHECK_LOOPS, CALDERA_CHECK_EXIT.
struct CheckOptions {
    vulkan::MemoryChecks checks = vulkan::MemoryChecks::None;
    bool robust = false;
    uint32_t loop_turns = 0;  ///< how often a loop may turn; 0: not said
    bool json = false;
    std::string file = {};    ///< empty: stderr
    uint8_t exit_status = 0;  ///< of a process with faults, instead of its own; 0: its own
    /// Instead of stderr; not of the environment.
    std::shared_ptr<const OnFault> on_fault = {};
};
/// The kinds of checks in a list ("bounds,alignment"). The error names one that is unknown.
Result<vulkan::MemoryChecks> parse_checks(std::string_view kinds);
/// The error names the variable that has a wrong value.
Result<CheckOptions> check_options_of_environment();

/// The faults at one place.
struct Fault {
    const vulkan::CheckSite* site = nullptr;
    const vulkan::CheckRecord* record = nullptr;
    std::string kernel = {};
    /// CheckKind::Barrier: where other work-items of the group wait, if that is known.
    const vulkan::CheckSite* other_site = nullptr;
    uint32_t earlier = 0;  ///< how many of them were reported before
};

/// Whether this process has reported a fault; its parent's do not count.
bool has_reported_faults();

/// While a thread has one, reports that it finds for a function wait. The end of the outermost one gives them
/// to it: that thread must hold no lock then. Without one, reports are given at once.
class FaultDelivery {
 public:
    FaultDelivery();
    ~FaultDelivery();
    FaultDelivery(const FaultDelivery&) = delete;
    FaultDelivery& operator=(const FaultDelivery&) = delete;
    static void give(std::shared_ptr<const OnFault> to, FaultReport report);

 private:
    std::vector<std::pair<std::shared_ptr<const OnFault>, FaultReport>> waiting_ = {};
};

/// Thread-safe.
class FaultReporter {
 public:
    FaultReporter(CheckOptions options, const AllocationTable& allocations)
        : options_(std::move(options)), allocations_(allocations) {}

    void report(const Fault& fault);
    /// How many faults were reported.
    uint64_t count() const { return count_; }
    /// The report, as it is printed.
    std::string text_of(const Fault& fault) const;
    std::string json_of(const Fault& fault) const;

 private:
    std::string where(const Fault& fault) const;
    FaultReport report_of(const Fault& fault) const;
    std::string misaligned(const Fault& fault) const;
    std::string racing(const Fault& fault) const;
    static std::string computing(const Fault& fault);

    const CheckOptions options_;
    const AllocationTable& allocations_;
    std::mutex writing_ = {};
    std::atomic<uint64_t> count_ = 0;
};

}  // namespace caldera::runtime
