// SPDX-License-Identifier: Apache-2.0
// Debug information of a module (OpenCL.DebugInfo.100): sources, types, functions, scopes and variables.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/source.h"
#include "spirv/builder.h"

namespace caldera::frontend {

/// Makes the instructions beside the code. Types, files and scopes appear when something first needs them.
class DebugInfoEmitter {
 public:
    /// `in_main_file` is any place in the file that was compiled, or in one that it includes.
    DebugInfoEmitter(spirv::Builder& builder, const CompileOptions& options, const SourceManager& sources,
                     SourceLoc in_main_file);

    /// A struct, union or enum without a tag has the name of its typedef.
    void name_untagged(std::span<Decl* const> decls);
    /// The line of a place in the scope at hand.
    spirv::Line line(SourceLoc place);
    void begin_function(const FunctionDecl& decl, std::string_view symbol, spirv::Id function);
    void end_function();
    void begin_block(SourceRange range);
    void end_block();

    /// A local variable or parameter and the pointer to its memory. Where no block is open, the instruction
    /// waits for flush().
    void declare(const VarDecl& decl, spirv::Id pointer);
    /// A parameter that is never in memory.
    void value(const VarDecl& decl, spirv::Id value);
    void flush();
    void global(const VarDecl& decl, spirv::Id variable);

    /// `used`: by id, what remains in the module. A variable that does not is named by no instruction.
    void finish(const std::vector<bool>& used);

 private:
    struct Place {
        spirv::Id source = {};
        uint32_t line = 0, column = 0;
    };
    struct File {
        spirv::Id name = {}, source = {};
    };

    spirv::Id add(uint32_t instruction, spirv::Operands operands);
    const File& file(SourceLoc place);
    Place place(SourceLoc at);
    spirv::Id string(std::string_view text);
    spirv::Id bits(uint64_t bytes);
    spirv::Id none();
    spirv::Id type(const QualType& type);
    /// A declared type: a typedef where the declaration names one.
    spirv::Id type(const QualType& type, const Specifiers* specifiers, const Declarator& declarator,
                   SourceLoc at);
    std::string_view name(const Type& type, const Decl& decl) const;
    std::string name_of_pointee(const QualType& type) const;
    spirv::Id qualified(spirv::Id base, uint32_t qualifier);
    spirv::Id unqualified(const Type& type);
    spirv::Id basic(const Type& type);
    spirv::Id pointee(const QualType& type);
    spirv::Id vector(const Type& type);
    spirv::Id array(const Type& type);
    spirv::Id record(const Type& type);
    spirv::Id enumeration(const Type& type);
    spirv::Id opaque(const Type& type);
    spirv::Id function_type(const FunctionDecl& decl);
    spirv::Id local(const VarDecl& decl);
    void locate(spv::Op op, const VarDecl& decl, spirv::Id at);

    spirv::Builder& b_;
    const CompileOptions& options_;
    const SourceManager& sources_;
    spirv::Id set_ = {}, void_ = {}, unit_ = {}, expression_ = {}, none_ = {};
    std::vector<spirv::Id> scopes_ = {};  // from the compilation unit to the block at hand
    std::map<std::string, File, std::less<>> files_ = {};
    std::map<std::string, spirv::Id, std::less<>> strings_ = {};
    std::unordered_map<const Type*, spirv::Id> types_ = {};
    std::unordered_map<const Type*, std::string_view> names_ = {};  // of types without a tag
    std::map<std::pair<spirv::Id, uint32_t>, spirv::Id> qualified_ = {};
    std::map<std::pair<std::string, spirv::Id>, spirv::Id> typedefs_ = {};
    std::map<std::string, spirv::Id> pointees_ = {};  // that are not of a basic type
    spirv::IdSet basic_ = {};                         // basic types
    std::vector<spirv::Instruction> waiting_ = {};
};

/// While this lives, what is emitted belongs to a block of the source.
class DebugBlock {
 public:
    DebugBlock(std::optional<DebugInfoEmitter>& info, SourceRange range) : info_(info) {
        if (info_) info_->begin_block(range);
    }
    ~DebugBlock() {
        if (info_) info_->end_block();
    }
    DebugBlock(const DebugBlock&) = delete;
    DebugBlock& operator=(const DebugBlock&) = delete;

 private:
    std::optional<DebugInfoEmitter>& info_;
};

}  // namespace caldera::frontend
