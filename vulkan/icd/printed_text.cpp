// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/printed_text.h"

#include "spirv/support/float_environment.h"

namespace caldera::icd {

/// The program's function does not learn that text is lost, so stderr says so, as it does without one.
void PrintedText::add(const runtime::Printed& printed) {
    if (printed.is_cut) runtime::print_to_stdout({.is_cut = true});
    if (printed.text.empty()) return;
    const std::lock_guard lock(mutex_);
    pieces_.push_back({std::string(printed.text), printed.is_last});
}

void PrintedText::pass_on(const Context::Printing& printing) {
    std::list<Piece> pieces;
    {
        const std::lock_guard lock(mutex_);
        pieces.swap(pieces_);
    }
    const CallersFloatEnvironment callers;
    for (const Piece& piece : pieces)
        printing.function(piece.text.data(), piece.text.size(), piece.is_last ? 1 : 0, printing.user_data);
}

}  // namespace caldera::icd
