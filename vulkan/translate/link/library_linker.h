// SPDX-License-Identifier: Apache-2.0
// LibraryLinker: copies functions of the built-in library, and what they need, into a module.
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

    /// The function's id in the module, or none when the library does not export the name. Its body follows with
    /// copy_pending(). An error means that the library itself cannot be read.
    Result<spirv::Id> import_function(std::string_view mangled_name);
    /// What the library declares under this name and does not define is the module's `function`.
    void provide(std::string_view mangled_name, spirv::Id function) {
        provided_.emplace(mangled_name, function);
    }
    /// Where the library calls `name`, it calls its function `instead`.
    void choose(std::string name, std::string instead) {
        chosen_.emplace(std::move(name), std::move(instead));
    }
    /// Copies the bodies of what was imported, and transitively of what they call. True when there were any.
    bool copy_pending();
    /// Copies the decorations of everything copied. Once, at the end.
    void finish();

 private:
    struct Source {
        spirv::Module module = {};
        spirv::IdMap<const spirv::Instruction*> globals = {};
        spirv::IdMap<const spirv::Function*> functions = {};
        std::unordered_map<std::string, spirv::Id> exports = {};
        spirv::IdMap<std::string> imports = {};
        spirv::IdMap<spirv::Id> ids = {};  // the library's -> the module's
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
};

/// Itanium mangling of a function of OpenCL's scalars, vectors and private pointers to them: "_Z4modfDv4_fPS_".
class Mangler {
 public:
    explicit Mangler(std::string_view function);
    /// `code` is a builtin type's letter(s): f, d, Dh, i, ...
    void add(std::string_view code, uint32_t count, bool pointer);
    const std::string& text() const { return text_; }

 private:
    bool substitute(const std::string& type);
    std::string text_ = {};
    std::vector<std::string> substitutions_ = {};
};

}  // namespace caldera::vulkan
