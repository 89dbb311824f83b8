// SPDX-License-Identifier: Apache-2.0
// LibraryLinker: copies functions of the built-in library, and everything that they need, into a module.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/result.h"
#include "vulkan/translate/library.h"

namespace caldera::vulkan {

class LibraryLinker {
 public:
    LibraryLinker(spirv::Builder& builder, const BuiltinLibrary& library)
        : builder_(builder), library_(library) {}

    /// Returns the function's id in the module, or none if the library does not export the name.
    /// copy_pending() adds its body. An error means that the library itself cannot be read.
    Result<spirv::Id> import_function(std::string_view mangled_name);
    /// Uses the module's `function` for a function that the library declares but does not define.
    void provide(std::string_view mangled_name, spirv::Id function) {
        provided_.emplace(mangled_name, function);
    }
    /// Redirects the library's calls of `name` to its function `instead`.
    void choose(std::string name, std::string instead) {
        chosen_.emplace(std::move(name), std::move(instead));
    }
    /// Lets the library's functions call functions that it does not have: their declarations are copied, with
    /// the linkage, for another library to define.
    void allow_imports() { allows_imports_ = true; }
    /// Copies the bodies of imported functions and, transitively, of the functions that they call. Returns
    /// whether there were any.
    bool copy_pending();
    /// Copies the decorations of everything that was copied. Call this once, at the end.
    void finish();

 private:
    struct Source {
        spirv::Module module = {};
        spirv::IdMap<const spirv::Instruction*> globals = {};
        spirv::IdMap<const spirv::Function*> functions = {};
        std::unordered_map<std::string, spirv::Id> exports = {};
        spirv::IdMap<std::string> imports = {};
        spirv::IdMap<spirv::Id> ids = {};  // the library's id -> the module's id
    };
    Result<Source*> source(uint32_t index);
    spirv::Id map_function(Source& from, spirv::Id function);
    spirv::Id map_global(Source& from, spirv::Id id);
    spirv::Id make_global(Source& from, const spirv::Instruction& inst);
    spirv::Id make_constant(const spirv::Instruction& inst, spirv::Id type);
    void copy_function(Source& from, const spirv::Function& function);
    void copy_instruction(Source& from, spirv::Instruction& inst);

    spirv::Builder& builder_;
    const BuiltinLibrary& library_;
    std::map<uint32_t, std::unique_ptr<Source>> sources_ = {};
    std::deque<std::pair<Source*, const spirv::Function*>> pending_ = {};
    std::map<spirv::Id, std::string> exported_names_ = {};
    std::map<std::string, spirv::Id, std::less<>> provided_ = {};
    std::map<std::string, std::string, std::less<>> chosen_ = {};
    bool allows_imports_ = false;
};

/// Itanium mangling of a function that takes OpenCL's scalars, vectors and private pointers to them:
/// "_Z4modfDv4_fPS_".
class Mangler {
 public:
    explicit Mangler(std::string_view function);
    /// `code` is the letter or letters of a builtin type: f, d, Dh, i, ...
    void add(std::string_view code, uint32_t count, bool pointer);
    const std::string& text() const { return text_; }

 private:
    bool substitute(const std::string& type);
    std::string text_ = {};
    std::vector<std::string> substitutions_ = {};
};

}  // namespace caldera::vulkan
