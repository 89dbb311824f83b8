// SPDX-License-Identifier: Apache-2.0
// A door of frontend/ for editors: OpenCL C text in, everything that the front end knows of it out.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/builtin/builtin.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/mention.h"
#include "frontend/source.h"

namespace caldera::frontend {

struct Session;

/// A checked source, whatever errors it has. All that its functions return lives as long as the object.
class Analysis {
 public:
    /// Never throws, as compile(). All errors are reported, and a missing header does not end the source.
    Analysis(std::string_view source, const std::string& file_name, const CompileOptions& options);
    ~Analysis();
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;

    const SourceManager& sources() const;
    const std::deque<Diagnostic>& diagnostics() const;      ///< in source order
    const TranslationUnit& unit() const { return *unit_; }  ///< partly unchecked where there are errors
    const NameIndex& mentions() const { return mentions_; }
    const std::vector<SourceLoc>& files() const;  ///< the first byte of each file, the main one first
    const CompileOptions& options() const;        ///< with what they imply
    /// The macros that are defined at the end, as `#define` lines, with the range of the name.
    struct Macro {
        SourceRange name = {};
        std::string definition = {};
    };
    std::vector<Macro> macros() const;

 private:
    std::unique_ptr<Session> session_;
    NameIndex mentions_ = {};
    const TranslationUnit* unit_ = nullptr;
};

}  // namespace caldera::frontend
