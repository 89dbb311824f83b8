// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/debug_info.h"

#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>

#include "frontend/emit/type_facts.h"
#include "spirv/debug_info.h"

namespace caldera::frontend {

using spirv::Builder;
using spirv::Id;
using spirv::Line;
using spirv::Operand;
using spirv::Operands;

namespace {

constexpr uint32_t kVersion = 100, kDwarfVersion = 4;
/// A string is an instruction of at most 65535 words. Longer text is left out.
constexpr size_t kMaxText = 4 * (0xffff - 3);

}  // namespace

DebugInfoEmitter::DebugInfoEmitter(Builder& builder, const CompileOptions& options,
                                   const SourceManager& sources, SourceLoc in_main_file)
    : b_(builder), options_(options), sources_(sources) {
    set_ = b_.ext_inst_import(spirv::kOpenclDebugInfo);
    void_ = b_.type_void();
    SourceLoc main = in_main_file;
    while (const SourceLoc includer = sources_.presumed(main).included_from) main = includer;
    const Id source = file(main).source;
    unit_ = add(OpenCLDebugInfo100DebugCompilationUnit,
                {kVersion, kDwarfVersion, source, static_cast<uint32_t>(spv::SourceLanguage::OpenCL_C)});
    expression_ = add(OpenCLDebugInfo100DebugExpression, {});
    scopes_.push_back(unit_);
}

void DebugInfoEmitter::name_untagged(std::span<Decl* const> decls) {
    for (const Decl* decl : decls) {
        const auto* alias = dyn<TypedefDecl>(decl);
        if (!alias || !alias->declarator.chunks.empty()) continue;
        const Type* type = alias->type.type;
        if (type->kind == TypeKind::Record ? type->record->name.empty()
                                           : type->kind == TypeKind::Enum && type->enum_decl->name.empty())
            names_.try_emplace(type, alias->name);
    }
}

std::string_view DebugInfoEmitter::name(const Type& type, const Decl& decl) const {
    const auto found = names_.find(&type);
    return found == names_.end() ? decl.name : found->second;
}

std::string DebugInfoEmitter::name_of_pointee(const QualType& type) const {
    std::string text = to_string(type);
    const Type* inner = type.type;
    while (inner->element.type) inner = inner->element.type;
    if (const auto found = names_.find(inner); found != names_.end()) {
        const std::string untagged = to_string(inner);
        if (const size_t at = text.find(untagged); at != text.npos)
            text.replace(at, untagged.size(), found->second);
    }
    return text;
}

Id DebugInfoEmitter::add(uint32_t instruction, Operands operands) {
    return spirv::add_debug_info(b_.module(), set_, void_, instruction, std::move(operands));
}

// ---- Places ----

/// The text belongs to a file unless #line gave it another name.
const DebugInfoEmitter::File& DebugInfoEmitter::file(SourceLoc at) {
    const std::string_view presumed = sources_.presumed(at).file;
    if (const auto found = files_.find(presumed); found != files_.end()) return found->second;
    File made;
    made.name = b_.string(options_.debug_source == DebugSource::None ? std::string_view() : presumed);
    const SourceLoc written = sources_.expansion(at);
    const std::string_view text = sources_.file_text(written);
    Operands operands = {made.name};
    if (options_.debug_source == DebugSource::Embed && sources_.file_name(written) == presumed &&
        text.size() < kMaxText && text.find('\0') == text.npos)
        operands.push_back(b_.string(text));
    made.source = add(OpenCLDebugInfo100DebugSource, std::move(operands));
    return files_.emplace(std::string(presumed), made).first->second;
}

DebugInfoEmitter::Place DebugInfoEmitter::place(SourceLoc at) {
    const PresumedLoc presumed = sources_.presumed(at);
    return {.source = file(at).source, .line = presumed.line, .column = presumed.column};
}

Line DebugInfoEmitter::line(SourceLoc at) {
    const PresumedLoc presumed = sources_.presumed(at);
    if (presumed.line == 0) return {};
    return {spirv::add_scope(b_.module(), {.scope = scopes_.back(), .file = file(at).name}), presumed.line,
            presumed.column};
}

void DebugInfoEmitter::begin_function(const FunctionDecl& decl, std::string_view symbol, Id function) {
    const auto [source, line, column] = place(decl.name_range.begin);
    const uint32_t scope_line = sources_.presumed(decl.body->range.begin).line;
    const Id name = string(decl.name.empty() ? symbol : decl.name);
    const uint32_t flags = OpenCLDebugInfo100FlagIsDefinition | OpenCLDebugInfo100FlagPrototyped;
    scopes_.push_back(
        add(OpenCLDebugInfo100DebugFunction, {name, function_type(decl), source, line, column, unit_,
                                              string(symbol), flags, scope_line, Operand::weak(function)}));
}

void DebugInfoEmitter::end_function() {
    scopes_.resize(1);
    waiting_.clear();
}

void DebugInfoEmitter::begin_block(SourceRange range) {
    const auto [source, line, column] = place(range.begin);
    scopes_.push_back(add(OpenCLDebugInfo100DebugLexicalBlock, {source, line, column, scopes_.back()}));
}

void DebugInfoEmitter::end_block() { scopes_.pop_back(); }

// ---- Variables ----

Id DebugInfoEmitter::local(const VarDecl& decl) {
    const auto [source, line, column] = place(decl.name_range.begin);
    const Id type = this->type(decl.type, decl.specifiers, decl.declarator, decl.range.begin);
    return add(OpenCLDebugInfo100DebugLocalVariable,
               {string(decl.name), type, source, line, column, scopes_.back(),
                uint32_t{OpenCLDebugInfo100FlagIsLocal}});
}

void DebugInfoEmitter::locate(spv::Op op, const VarDecl& decl, Id at) {
    if (options_.debug_detail != DebugDetail::Variables || decl.name.empty()) return;
    waiting_.push_back(
        {.op = op,
         .operands = {Operand::weak(local(decl)), Operand::weak(at), Operand::weak(expression_)},
         .line = line(decl.name_range.begin)});
    flush();
}

void DebugInfoEmitter::declare(const VarDecl& decl, Id pointer) {
    locate(spirv::kDebugDeclare, decl, pointer);
}
void DebugInfoEmitter::value(const VarDecl& decl, Id value) { locate(spirv::kDebugValue, decl, value); }

void DebugInfoEmitter::flush() {
    if (!b_.block_open()) return;
    for (spirv::Instruction& inst : waiting_) b_.append(std::move(inst));
    waiting_.clear();
}

void DebugInfoEmitter::global(const VarDecl& decl, Id variable) {
    if (options_.debug_detail != DebugDetail::Variables) return;
    const auto [source, line, column] = place(decl.name_range.begin);
    const Id type = this->type(decl.type, decl.specifiers, decl.declarator, decl.range.begin);
    const bool hidden = !decl.is_file_scope || decl.storage == StorageClass::Static;
    const uint32_t flags =
        OpenCLDebugInfo100FlagIsDefinition | (hidden ? uint32_t{OpenCLDebugInfo100FlagIsLocal} : 0u);
    const Id name = string(decl.name);
    add(OpenCLDebugInfo100DebugGlobalVariable,
        {name, type, source, line, column, decl.is_file_scope ? unit_ : scopes_.back(), name,
         Operand::weak(variable), flags});
}

void DebugInfoEmitter::finish(const std::vector<bool>& used) {
    constexpr size_t kVariable = spirv::kDebugOperands + 7;
    const Id nothing = none();
    for (spirv::Instruction& inst : b_.module().debug_info)
        if (inst.word(1) == OpenCLDebugInfo100DebugGlobalVariable && !used[inst.word(kVariable)])
            inst.operands[kVariable] = Operand::weak(nothing);
    // An instruction stands behind those that it names.
    std::ranges::stable_partition(b_.module().debug_info,
                                  [&](const spirv::Instruction& inst) { return inst.result == nothing; });
}

// ---- Types ----

Id DebugInfoEmitter::string(std::string_view text) {
    if (const auto found = strings_.find(text); found != strings_.end()) return found->second;
    spirv::Instruction inst{.op = spv::Op::OpString, .result = b_.fresh()};
    spirv::append_string(inst.operands, text);
    strings_.emplace(std::string(text), inst.result);
    b_.module().debug_sources.push_back(std::move(inst));
    return b_.module().debug_sources.back().result;
}

Id DebugInfoEmitter::bits(uint64_t bytes) {
    return b_.constant_u32(static_cast<uint32_t>(std::min<uint64_t>(bytes * 8, 0xffffffff)));
}

Id DebugInfoEmitter::none() {
    if (!none_) none_ = add(OpenCLDebugInfo100DebugInfoNone, {});
    return none_;
}

Id DebugInfoEmitter::type(const QualType& type, const Specifiers* specifiers, const Declarator& declarator,
                          SourceLoc at) {
    const Id base = this->type(type);
    if (!specifiers || !declarator.chunks.empty()) return base;
    const std::string_view name =
        specifiers->typedef_name.empty() ? specifiers->builtin_name : specifiers->typedef_name;
    // SPIRV-Tools 2023.1 takes other names of basic types alone.
    const bool is_basic = type->is_arithmetic() && type->kind != TypeKind::Enum && type == type.unqualified();
    if (name.empty() || !is_basic || name == to_string(type)) return base;
    const auto [found, is_new] = typedefs_.try_emplace(std::pair(std::string(name), base), Id{});
    if (is_new) {
        const auto [source, line, column] = place(at);
        found->second =
            add(OpenCLDebugInfo100DebugTypedef, {string(name), base, source, line, column, unit_});
    }
    return found->second;
}

Id DebugInfoEmitter::type(const QualType& type) {
    Id made = unqualified(*type.type);
    if (type.is_const) made = qualified(made, OpenCLDebugInfo100ConstType);
    if (type.is_volatile) made = qualified(made, OpenCLDebugInfo100VolatileType);
    if (type.is_restrict) made = qualified(made, OpenCLDebugInfo100RestrictType);
    return made;
}

Id DebugInfoEmitter::qualified(Id base, uint32_t qualifier) {
    if (!basic_.contains(base)) return base;  // SPIRV-Tools 2023.1 takes no other
    const auto [found, is_new] = qualified_.try_emplace(std::pair(base, qualifier), Id{});
    if (is_new) found->second = add(OpenCLDebugInfo100DebugTypeQualifier, {base, qualifier});
    return found->second;
}

Id DebugInfoEmitter::unqualified(const Type& type) {
    if (const auto found = types_.find(&type); found != types_.end()) return found->second;
    auto make = [&]() -> Id {
        switch (type.kind) {
            case TypeKind::Error:
            case TypeKind::Void:
            case TypeKind::Function: return none();
            case TypeKind::Bool:
            case TypeKind::Char:
            case TypeKind::UChar:
            case TypeKind::Short:
            case TypeKind::UShort:
            case TypeKind::Int:
            case TypeKind::UInt:
            case TypeKind::Long:
            case TypeKind::ULong:
            case TypeKind::Float8E4M3:
            case TypeKind::Float8E5M2:
            case TypeKind::BFloat16:
            case TypeKind::Half:
            case TypeKind::Float:
            case TypeKind::Double: return basic(type);
            case TypeKind::Vector: return vector(type);
            case TypeKind::Pointer: {
                const Id pointed = pointee(type.element);
                return add(OpenCLDebugInfo100DebugTypePointer,
                           {pointed, storage_class(type.element.space), 0u});
            }
            case TypeKind::Array: return array(type);
            case TypeKind::Record: return record(type);
            case TypeKind::Enum: return enumeration(type);
            case TypeKind::Atomic: return qualified(this->type(type.element), OpenCLDebugInfo100AtomicType);
            case TypeKind::Image:
            case TypeKind::Sampler:
            case TypeKind::Event:
            case TypeKind::Queue:
            case TypeKind::ClkEvent:
            case TypeKind::ReserveId:
            case TypeKind::NDRange:
            case TypeKind::Pipe:
            case TypeKind::Matrix:
            case TypeKind::BlockPointer: return opaque(type);
        }
        return none();
    };
    const Id made = make();
    types_[&type] = made;
    return made;
}

Id DebugInfoEmitter::basic(const Type& type) {
    uint32_t encoding = type.is_floating() ? OpenCLDebugInfo100Float
                        : type.is_signed() ? OpenCLDebugInfo100Signed
                                           : OpenCLDebugInfo100Unsigned;
    if (type.kind == TypeKind::Bool) encoding = OpenCLDebugInfo100Boolean;
    if (type.kind == TypeKind::Char) encoding = OpenCLDebugInfo100SignedChar;
    if (type.kind == TypeKind::UChar) encoding = OpenCLDebugInfo100UnsignedChar;
    const Id made =
        add(OpenCLDebugInfo100DebugTypeBasic, {string(to_string(&type)), bits(type.size_bytes), encoding});
    basic_.insert(made);
    return made;
}

/// SPIRV-Tools 2023.1 takes pointers to basic types alone. So any other pointee is a basic type with its name
/// and size.
Id DebugInfoEmitter::pointee(const QualType& type) {
    const QualType plain = {.type = type.type,
                            .is_const = type.is_const,
                            .is_volatile = type.is_volatile,
                            .is_restrict = type.is_restrict};
    if (plain == plain.unqualified() && type->scalar() == type.type && type->kind != TypeKind::Enum &&
        type->is_arithmetic())
        return unqualified(*type.type);
    const std::string name = name_of_pointee(plain);
    const auto [found, is_new] = pointees_.try_emplace(name, Id{});
    if (is_new)
        found->second = add(OpenCLDebugInfo100DebugTypeBasic,
                            {string(name), bits(type->size_bytes), uint32_t{OpenCLDebugInfo100Unspecified}});
    return found->second;
}

/// SPIRV-Tools take vectors of up to 4 components alone.
Id DebugInfoEmitter::vector(const Type& type) {
    const Id element = this->type(type.element);
    const auto count = static_cast<uint32_t>(type.count);
    return count <= 4 ? add(OpenCLDebugInfo100DebugTypeVector, {element, count})
                      : add(OpenCLDebugInfo100DebugTypeArray, {element, b_.constant_u32(count)});
}

/// An array of arrays is one type with several counts.
Id DebugInfoEmitter::array(const Type& type) {
    Operands operands;
    const Type* inner = &type;
    for (; inner->is_array(); inner = inner->element.type) {
        operands.push_back(b_.constant_u32(static_cast<uint32_t>(inner->count)));
        if (!inner->element->is_array()) operands.insert(operands.begin(), this->type(inner->element));
    }
    return add(OpenCLDebugInfo100DebugTypeArray, std::move(operands));
}

/// The composite names its members before they exist, since they name it.
Id DebugInfoEmitter::record(const Type& type) {
    const RecordDecl& decl = record_definition(&type);
    const auto [source, line, column] = place(decl.name_range ? decl.name_range.begin : decl.range.begin);
    const bool defined = type.is_complete();
    const Id name = string(this->name(type, decl));
    const uint32_t flags = defined ? 0u : uint32_t{OpenCLDebugInfo100FlagFwdDecl};
    const uint32_t tag = decl.is_union ? OpenCLDebugInfo100Union : OpenCLDebugInfo100Structure;
    const Id composite = add(OpenCLDebugInfo100DebugTypeComposite,
                             {name, tag, source, line, column, unit_, name, bits(type.size_bytes), flags});
    types_[&type] = composite;
    if (!defined) return composite;
    const size_t at = b_.module().debug_info.size() - 1;
    Operands members;
    for (const FieldDecl* field : decl.fields) {
        if (members.size() + 20 > 0xffff) break;  // an instruction's words
        const auto [file, row, col] = place(field->name_range ? field->name_range.begin : field->range.begin);
        const Id field_type =
            this->type(field->type, field->specifiers, field->declarator, field->range.begin);
        members.push_back(add(OpenCLDebugInfo100DebugTypeMember,
                              {string(field->name), field_type, file, row, col, composite,
                               bits(field->offset_bytes), bits(field->type->size_bytes), 0u}));
    }
    Operands& operands = b_.module().debug_info[at].operands;
    operands.insert(operands.end(), members.begin(), members.end());
    return composite;
}

Id DebugInfoEmitter::enumeration(const Type& type) {
    const EnumDecl& decl = type.enum_decl->definition ? *type.enum_decl->definition : *type.enum_decl;
    const auto [source, line, column] = place(decl.name_range ? decl.name_range.begin : decl.range.begin);
    const Type* underlying = arithmetic_type(&type);
    Operands operands = {string(name(type, decl)),
                         unqualified(*underlying),
                         source,
                         line,
                         column,
                         unit_,
                         bits(type.size_bytes),
                         0u};
    for (const EnumConstantDecl* constant : decl.constants) {
        if (operands.size() + 8 > 0xffff) break;  // an instruction's words
        const Id value_type = b_.type_int(underlying->size_bytes > 4 ? 64 : 32);
        operands.push_back(b_.constant_int(value_type, static_cast<uint64_t>(constant->value)));
        operands.push_back(string(constant->name));
    }
    return add(OpenCLDebugInfo100DebugTypeEnum, std::move(operands));
}

/// What only the device knows the inside of. The specification gives such a type no size, and a name with
/// "@".
Id DebugInfoEmitter::opaque(const Type& type) {
    const std::string name = to_string(&type);
    const Id source = b_.module().debug_info.front().result;
    return add(OpenCLDebugInfo100DebugTypeComposite,
               {string(name), uint32_t{OpenCLDebugInfo100Structure}, source, 0u, 0u, unit_,
                string("@" + name), none(), uint32_t{OpenCLDebugInfo100FlagFwdDecl}});
}

Id DebugInfoEmitter::function_type(const FunctionDecl& decl) {
    const bool types = options_.debug_detail == DebugDetail::Variables;
    const QualType& result = decl.type->element;
    Operands operands = {0u, types && !result->is_void() ? type(result) : void_};
    for (const VarDecl* param : decl.params)
        if (types)
            operands.push_back(type(param->type, param->specifiers, param->declarator, param->range.begin));
    return add(OpenCLDebugInfo100DebugTypeFunction, std::move(operands));
}

}  // namespace caldera::frontend
