// SPDX-License-Identifier: Apache-2.0
// clc2spv's output about the translator's passes: their list, and the module after them.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tools/clc2spv/command_line.h"
#include "vulkan/translate/translate.h"

namespace caldera::tools {

/// --list-passes: a line for each pass that the command runs, in order.
std::string list_of_passes(const Command& command);

/// The file of --print-to, which all inputs of a command share; standard error without a name.
class PassFile {
 public:
    explicit PassFile(std::string name) : name_(std::move(name)) {}

    /// Replaces what an earlier command left there, once. Call it when all that an input needs has been read.
    void begin();
    void add(std::string_view text);
    /// Why it could not be written, for the first caller after that happened; empty while all is well.
    std::string take_fault() { return std::exchange(fault_, {}); }

 private:
    void write(bool (*how)(const std::string& name, std::string_view bytes), std::string_view text);

    const std::string name_;
    bool has_begun_ = false, has_failed_ = false;
    std::string fault_ = {};
};

/// --print-after: collects the module as assembly text after the passes that the command names.
class PassPrinter {
 public:
    PassPrinter(const Command& command, std::string shown_name, PassFile& file)
        : command_(command), shown_name_(std::move(shown_name)), file_(file) {}

    /// For TranslateOptions::after_pass; empty if the command prints nothing. The printer must outlive the
    /// function.
    std::function<void(const vulkan::AfterPass&)> observer();

    /// A line for each pass of --print-after and --stop-after that did not run, and why.
    std::string what_did_not_run() const;

 private:
    /// Why the pass, which the command names, did not run; empty when it ran.
    std::string_view why_not(const std::string& name) const;
    void print(const vulkan::AfterPass& after);

    const Command& command_;
    const std::string shown_name_;
    PassFile& file_;
    std::set<std::string, std::less<>> ran_ = {};
};

}  // namespace caldera::tools
