// SPDX-License-Identifier: Apache-2.0
// Loans: the shared memory of other devices that a device uses in one command.
#pragma once

#include <functional>
#include <vector>

namespace caldera::icd {

/// Exists while a thread records a command. Others may access shared memory at any time, so it is lent for no
/// longer.
class Loans {
 public:
    /// Ends a loan. `is_over`: the device has run the command. Otherwise it could not be recorded.
    using End = std::function<void(bool is_over)>;

    Loans();
    ~Loans();
    Loans(const Loans&) = delete;
    Loans& operator=(const Loans&) = delete;
    /// Notes a loan to the command that this thread records.
    static void add(End end);
    bool empty() const { return ends_.empty(); }
    /// Ends all loans. The device has run the command.
    void give_back();

 private:
    std::vector<End> ends_ = {};
};

}  // namespace caldera::icd
