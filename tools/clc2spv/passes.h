// SPDX-License-Identifier: Apache-2.0
// clc2spv's output about the translator's passes: their list, and the module after them.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "tools/clc2spv/command_line.h"
#include "vulkan/translate/translate.h"

namespace caldera::tools {

/// --list-passes: a line for each pass that the command runs, in order.
std::string list_of_passes(const Command& command);

/// --print-after: collects the module as assembly text after the passes that the command names.
class PassPrinter {
 public:
    PassPrinter(const Command& command, std::string shown_name)
        : command_(command), shown_name_(std::move(shown_name)) {}

    /// For TranslateOptions::after_pass; empty if the command prints nothing. Writes to the file of
    /// --print-to, or to standard error. The printer must outlive the function.
    std::function<void(const vulkan::AfterPass&)> observer();

    /// A line for each pass of --print-after and --stop-after that did not run, and why.
    std::string what_did_not_run() const;

 private:
    /// Why the pass, which the command names, did not run; empty when it ran.
    std::string_view why_not(const std::string& name) const;
    void print(const vulkan::AfterPass& after);

    const Command& command_;
    const std::string shown_name_;
    std::set<std::string, std::less<>> ran_ = {};
};

}  // namespace caldera::tools
