// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/loans.h"

#include <utility>

#include "spirv/support/check.h"

namespace caldera::icd {
namespace {

/// Those of the command that the thread records.
constinit thread_local Loans* loans = nullptr;

}  // namespace

Loans::Loans() { loans = this; }

Loans::~Loans() {
    loans = nullptr;
    for (const End& end : ends_) end(false);
}

void Loans::add(End end) {
    check(loans != nullptr, "shared memory is lent to a command that is being recorded");
    loans->ends_.push_back(std::move(end));
}

void Loans::wait_for_device() {
    check(loans != nullptr, "shared memory is lent to a command that is being recorded");
    loans->waits_for_device_ = true;
}

void Loans::give_back() {
    for (; !ends_.empty(); ends_.pop_back()) ends_.back()(true);
}

}  // namespace caldera::icd
