// SPDX-License-Identifier: Apache-2.0
// Loans: the shared memory of other devices that a device uses in one command.
#pragma once

#include <functional>
#include <vector>

namespace caldera::icd {

/// Exists while a thread records a command. Where others may access shared memory at any time, it is lent for
/// no longer.
class Loans {
 public:
    /// Ends a loan. `is_over`: the command is recorded, and the device has run it if it may have written.
    /// Otherwise it could not be recorded.
    using End = std::function<void(bool is_over)>;

    Loans();
    ~Loans();
    Loans(const Loans&) = delete;
    Loans& operator=(const Loans&) = delete;
    /// Notes a loan to the command that this thread records.
    static void add(End end);
    /// The command may write to what is lent.
    static void wait_for_device();
    bool waits_for_device() const { return waits_for_device_; }
    /// Ends all loans.
    void give_back();

 private:
    std::vector<End> ends_ = {};
    bool waits_for_device_ = false;
};

}  // namespace caldera::icd
