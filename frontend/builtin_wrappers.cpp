// SPDX-License-Identifier: Apache-2.0
// A wrapper is a function of OpenCL C that calls the built-in function, in a line of its own. So whatever
// kernels in OpenCL C may call, modules of other compilers may call.
#include "frontend/builtin_wrappers.h"

#include <algorithm>

#include "frontend/arena.h"
#include "frontend/builtin/builtin.h"
#include "frontend/compile.h"

namespace caldera::frontend {
namespace {

CompileOptions wrapper_options() {
    CompileOptions options;
    options.standard = Standard::CL31;
    options.target = spirv::Target::OpenCL22;
    options.export_functions = true;
    options.warnings = {.no_warnings = true, .error_limit = 0};
    return options;
}

/// What a function cannot take or return alone.
bool is_special(const QualType& type) {
    return type->kind == TypeKind::NDRange || type->kind == TypeKind::Pipe ||
           type->kind == TypeKind::BlockPointer || type->is_record();
}

/// Diagnostics call a type "_Atomic(int)" that sources have to call atomic_int.
std::string source_text(const QualType& type) {
    std::string text = to_string(type);
    constexpr std::string_view kAtomic = "_Atomic(";
    if (const size_t at = text.find(kAtomic); at != text.npos) {
        text.erase(text.find(')', at), 1);
        text.replace(at, kAtomic.size(), "atomic_");
    }
    return text;
}

class Writer {
 public:
    explicit Writer(const CompileOptions& options) : features_(options.features()) {}

    /// The wrapper's text, or "" if there is no such built-in function.
    std::string text(const BuiltinUse& use, const std::string& name) {
        std::optional<builtin::Demangled> wanted = builtin::demangle(use.mangled, types_);
        if (!wanted || !builtin::is_builtin(wanted->name, features_)) return {};
        for (QualType& param : wanted->params)  // clang's header has atomic_store(..., atomic_half)
            if (param->kind == TypeKind::Atomic) param = param->element;
        const auto found = builtin::resolve(wanted->name, wanted->params, {}, features_, types_, arena_);
        const auto* chosen = std::get_if<const builtin::Resolution*>(&found);
        if (!chosen) return {};
        const builtin::Resolution& call = **chosen;
        if (call.row->lowering == builtin::Lowering::Call && call.mangled == use.mangled) return {};
        if (is_special(call.result) || std::ranges::any_of(wanted->params, is_special)) return {};
        std::string params, args;
        for (size_t i = 0; i < wanted->params.size(); ++i) {
            const std::string type = source_text(wanted->params[i]), param = "a" + std::to_string(i);
            const bool is_known =
                i < use.constants.size() && use.constants[i] && wanted->params[i]->is_integer();
            const std::string comma = i > 0 ? ", " : "";
            params += comma + type + " " + param;
            args += comma + (is_known ? "(" + type + ")" + std::to_string(*use.constants[i]) + "ul" : param);
        }
        const std::string result = source_text(call.result.unqualified());
        return result + " " + name + "(" + (params.empty() ? "void" : params) + ") { " +
               (call.result->is_void() ? "" : "return ") + std::string(wanted->name) + "(" + args + "); }";
    }

 private:
    Features features_;
    Arena arena_ = {};
    TypeTable types_{arena_};
};

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace

BuiltinWrappers wrap_builtins(std::span<const BuiltinUse> uses) {
    const CompileOptions options = wrapper_options();
    Writer writer(options);
    BuiltinWrappers out;
    std::vector<std::string> lines = {"#pragma OPENCL EXTENSION cl_khr_fp16 : enable"};
    std::vector<size_t> use_of = {0};  // by line
    for (const BuiltinUse& use : uses) {
        std::string name = "caldera_builtin_" + std::to_string(out.names.size());
        std::string line = writer.text(use, name);
        if (line.empty()) {
            name.clear();
        } else {
            lines.push_back(std::move(line));
            use_of.push_back(out.names.size());
        }
        out.names.push_back(std::move(name));
    }
    // A line may be wrong because of its constants: it goes.
    while (lines.size() > 1) {
        CompileResult compiled = compile(joined(lines), "built-in functions", options);
        out.words = std::move(compiled.words);
        if (compiled) return out;
        bool any = false;
        for (const caldera::Diagnostic& fault : compiled.diagnostics) {
            if (fault.severity != caldera::Severity::Error || fault.line < 2 || fault.line > lines.size() ||
                lines[fault.line - 1].empty())
                continue;
            lines[fault.line - 1].clear();
            out.names[use_of[fault.line - 1]].clear();
            any = true;
        }
        if (!any) break;
    }
    out.words.clear();
    for (std::string& name : out.names) name.clear();
    return out;
}

}  // namespace caldera::frontend
