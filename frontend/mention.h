// SPDX-License-Identifier: Apache-2.0
// What each name in a source means, for editors: the stages fill it on the way, whatever errors they find.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/source.h"

namespace caldera::frontend {

struct Decl;
struct LabelStmt;
struct Type;
namespace builtin {
struct Resolution;
}

/// A place where a name stands. Exactly one of `decl`, `label` and `is_builtin` says what it means.
struct Mention {
    SourceRange range = {};
    const Decl* decl = nullptr;                    ///< what the program declares
    const LabelStmt* label = nullptr;              ///< the target of a goto
    bool is_builtin = false;                       ///< a built-in function or enumerator
    const builtin::Resolution* builtin = nullptr;  ///< the overload that a call chose, if any fits
};

/// A place where a macro is defined or used, be it in #ifdef.
struct MacroMention {
    SourceRange range = {};
    SourceRange definition = {};  ///< the name in its #define
    std::string_view name = {};
    bool function_like = false;
};

/// `a.b` and `a->b`, even if b is not written yet.
struct MemberMention {
    SourceRange op_range = {};   ///< of the `.` or `->`
    const Type* base = nullptr;  ///< of `a`; of what it points to with `->`
};

/// In the order in which the stages met them.
struct NameIndex {
    std::vector<Mention> names = {};
    std::vector<MacroMention> macros = {};
    std::vector<MemberMention> members = {};
};

}  // namespace caldera::frontend
