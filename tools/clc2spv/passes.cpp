// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/passes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "spirv/support/files.h"

namespace caldera::tools {
namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::string padded(std::string text, size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

std::string_view shown(vulkan::PassNeed need) {
    switch (need) {
        case vulkan::PassNeed::Required: return "required";
        case vulkan::PassNeed::Optimization: return "optimization";
        case vulkan::PassNeed::Precaution: return "precaution";
    }
    return "";
}

constexpr std::string_view kAll = "all";

}  // namespace

std::string list_of_passes(const Command& command) {
    if (!spirv::is_vulkan(command.target) || command.makes_part())
        return "no pass runs: the output is the front end's OpenCL module\n";
    std::string text;
    size_t number = 0;
    for (const vulkan::PassInfo& pass : vulkan::pass_list()) {
        ++number;
        const bool is_left_out = has(command.disabled_passes, pass.name);
        text += padded(std::to_string(number), 4) + padded(std::string(pass.name), 24) +
                padded(std::string(is_left_out ? "left out" : shown(pass.need)), 14) +
                std::string(pass.summary) + "\n";
        if (pass.name == command.stop_after) return text;
    }
    if (command.optimization > 1) text += "then SPIRV-Tools' passes (-O2)\n";
    return text;
}

void PassFile::begin() {
    if (!std::exchange(has_begun_, true)) write(write_file, {});
}

void PassFile::add(std::string_view text) { write(append_to_file, text); }

void PassFile::write(bool (*how)(const std::string& name, std::string_view bytes), std::string_view text) {
    if (name_.empty()) {
        std::fwrite(text.data(), 1, text.size(), stderr);
    } else if (!has_failed_ && !how(name_, text)) {
        fault_ = "unable to write output file '" + name_ + "': " + std::strerror(errno);
        has_failed_ = true;
    }
}

std::function<void(const vulkan::AfterPass&)> PassPrinter::observer() {
    if (command_.print_after.empty()) return {};
    return [this](const vulkan::AfterPass& after) { print(after); };
}

void PassPrinter::print(const vulkan::AfterPass& after) {
    ran_.emplace(after.pass);
    const bool is_named = has(command_.print_after, after.pass);
    if (!is_named && !has(command_.print_after, kAll)) return;
    std::string text = "; " + shown_name_ + " after pass " + std::to_string(after.number) + ", " +
                       std::string(after.pass) + (after.changed ? "" : ", which changed nothing") + "\n";
    if (after.changed || is_named) {
        const Result<std::string> assembly = spirv::disassemble(after.words);
        text += assembly ? *assembly : "; " + assembly.error().message + "\n";
    }
    file_.add(text);
}

std::string_view PassPrinter::why_not(const std::string& name) const {
    if (!spirv::is_vulkan(command_.target)) return "a module for OpenCL is not translated";
    if (has(command_.disabled_passes, name)) return "--disable-pass leaves it out";
    const bool is_known = has(command_.print_after, name) && name != kAll;
    return is_known && !ran_.contains(name) ? "the translation ended before it" : "";
}

std::string PassPrinter::what_did_not_run() const {
    std::vector<std::string> wanted = command_.print_after;
    if (!command_.stop_after.empty() && !has(wanted, command_.stop_after))
        wanted.push_back(command_.stop_after);
    std::string text;
    for (const std::string& name : wanted)
        if (const std::string_view why = why_not(name); !why.empty())
            text += "clc2spv: note: pass '" + name + "' did not run: " + std::string(why) + "\n";
    return text;
}

}  // namespace caldera::tools
