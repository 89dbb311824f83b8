// SPDX-License-Identifier: Apache-2.0
// The disassembly has what `// CHECK:` lines say.
#include <sstream>

#include "spirv/spirv.h"
#include "tests/runner/compiled.h"
#include "tests/runner/suites.h"

namespace caldera::runner {

namespace {

/// Runs of spaces become one, so that CHECK lines need not copy the disassembler's columns.
std::string squeeze(const std::string& text) {
    std::string out;
    for (char c : text)
        if (c != ' ' || out.empty() || (out.back() != ' ' && out.back() != '\n')) out += c;
    return out;
}

Verdict match_checks(const Test& test, const std::string& text) {
    size_t at = 0;
    std::istringstream lines(test.source);
    std::vector<std::string> absent;
    auto violated = [&](size_t end) -> Verdict {
        for (const std::string& wanted : absent)
            if (const size_t found = text.find(wanted, at); found != std::string::npos && found < end)
                return "found CHECK-NOT: " + wanted;
        absent.clear();
        return {};
    };
    for (std::string line; std::getline(lines, line);) {
        if (const auto nots = directives(line, "CHECK-NOT:"); !nots.empty()) {
            absent.push_back(squeeze(nots[0]));
            continue;
        }
        const auto checks = directives(line, "CHECK:");
        if (checks.empty()) continue;
        const std::string wanted = squeeze(checks[0]);
        const size_t found = text.find(wanted, at);
        if (found == std::string::npos) return "not found: CHECK: " + wanted;
        if (Verdict bad = violated(found); !bad.empty()) return bad;
        at = found + wanted.size();
    }
    return violated(text.size());
}

}  // namespace

Verdict golden(const Test& test, const fs::path& root) {
    const Compiled compiled = compile(test, root);
    if (compiled.words.empty()) return "did not compile:\n" + compiled.log;
    if (!compiled.invalid.empty()) return compiled.invalid;
    Result<std::string> text = spirv::disassemble(compiled.words);
    if (!text) return text.error().message;
    const Verdict verdict = match_checks(test, squeeze(*text));
    return verdict.empty() ? verdict : verdict + "\nin:\n" + *text;
}

}  // namespace caldera::runner
