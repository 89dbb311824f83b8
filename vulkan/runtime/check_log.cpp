// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/check_log.h"

#include <cstring>

#include "spirv/support/float_environment.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

CheckLog::CheckLog(FaultReporter& reporter, const vulkan::ProgramInterface& program)
    : reporter_(reporter), sites_(program.check_sites), reported_(sites_.size()) {
    for (const vulkan::Kernel& kernel : program.kernels) kernels_.push_back(kernel.name);
}

Result<std::shared_ptr<CheckLog>> CheckLog::create(Device& device, const vulkan::ProgramInterface& program) {
    std::shared_ptr<CheckLog> log(new CheckLog(*device.fault_reporter(), program));
    const uint64_t bytes = log->sites_.size() * sizeof(vulkan::CheckRecord);
    Result<Buffer> records = Buffer::create(device, bytes, MemoryUse::Download);
    if (!records) return records.error();
    log->records_ = records.take();
    std::memset(log->records_.mapped(), 0, bytes);
    return log;
}

CheckLog::~CheckLog() {
    if (!records_.mapped()) return;
    FaultDelivery delivery;
    try {
        const std::lock_guard lock(mutex_);
        report(true);
    } catch (const std::bad_alloc&) {  // the faults themselves have been reported
    }
}

void CheckLog::read() noexcept {
    try {
        const std::lock_guard lock(mutex_);
        report(false);
    } catch (const std::bad_alloc&) {  // the next call reports them
    }
}

void CheckLog::report(bool again) {
    const CallersFloatEnvironment callers;
    const auto* records = reinterpret_cast<const vulkan::CheckRecord*>(records_.mapped());
    for (size_t i = 0; i < sites_.size(); ++i) {
        const vulkan::CheckRecord record = records[i];
        if (record.count == reported_[i] || (reported_[i] != 0 && !again)) continue;
        const bool has_other = sites_[i].kind == vulkan::CheckKind::Barrier && record.other != 0 &&
                               record.other <= sites_.size();
        reporter_.report(
            {.site = &sites_[i],
             .record = &record,
             .kernel = record.launched < kernels_.size() ? kernels_[record.launched] : std::string(),
             .other_site = has_other ? &sites_[record.other - 1] : nullptr,
             .earlier = reported_[i]});
        reported_[i] = record.count;
    }
}

}  // namespace caldera::runtime
