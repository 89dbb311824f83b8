// SPDX-License-Identifier: Apache-2.0
// PrintedText: what kernels of a queue have printed, on its way to the program's function (cl_arm_printf).
#pragma once

#include <list>
#include <mutex>
#include <string>

#include "vulkan/icd/context.h"
#include "vulkan/runtime/printf.h"

namespace caldera::icd {

class PrintedText {
 public:
    /// Takes a piece. For a runtime::Queue, which is locked when it calls this.
    void add(const runtime::Printed& printed);
    /// Passes on what there is, in order, while no lock is held. No two threads may do so at once.
    void pass_on(const Context::Printing& printing);

 private:
    struct Piece {
        std::string text = {};
        bool is_last = false;
    };
    std::mutex mutex_ = {};
    std::list<Piece> pieces_ = {};  // guarded by it
};

}  // namespace caldera::icd
