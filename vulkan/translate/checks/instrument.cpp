// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/instrument.h"

#include <algorithm>

#include "spirv/op_class.h"
#include "vulkan/check_search.h"
#include "vulkan/object_names.h"
#include "vulkan/translate/checks/calls.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/support/function_type.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

namespace {

constexpr const char* kFinder = "_Z12check_shadowPU3AS1jmj";

}  // namespace

Instrument::Instrument(spirv::Module& module, PassContext& context)
    : context_(context),
      builder_(module),
      layout_(builder_),
      imports_(builder_),
      accesses_(builder_, layout_, opencl_std_of(module)),
      names_(names_of(module)),
      local_ids_(local_id_limits(module)),
      opencl_std_(opencl_std_of(module)) {
    if (context.options.profile.quirks.masks_branches) slots_.emplace(builder_);
    for (const Instruction& inst : module.debug_sources)
        if (inst.op == Op::OpString) files_[inst.result] = spirv::string_at(inst, 0);
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == Op::OpFunctionCall) called_.insert(inst.id(0));
    for (const Instruction& decoration : module.annotations) {
        const std::optional<spirv::Linkage> linkage = spirv::linkage_of(decoration);
        if (linkage && linkage->name == kFinder) finders_.insert(linkage->target);
        if (decoration.op == Op::OpDecorate &&
            decoration.word(1) == static_cast<uint32_t>(spv::Decoration::SpecId) &&
            decoration.word(2) == kSearchSpecId)
            search_limit_ = decoration.id(0);  // of an earlier pass
    }
}

void Instrument::begin(const spirv::Function& function) {
    function_ = &function;
    if (slots_) slots_->begin(function);
    paths_.emplace(builder_, layout_, function);
    cfg_ = spirv::build_cfg(function);
    tree_ = spirv::dominators(cfg_);
    index_limits_.emplace(builder_, function, cfg_, tree_, local_ids_, opencl_std_);
    block_ = 0;
    version_sites_.clear();
    for (const auto& [version, site] : sites_[names_[function.id()]])
        if (version != function.id()) version_sites_.push_back(site);
    next_version_site_ = 0;
    found_.clear();
    objects_.clear();
    limits_.clear();
    shadows_.clear();
    entry_.clear();
    spare_ = {};
    name_arguments(function);
}

void Instrument::end(spirv::Function& function) {
    if (!entry_.empty()) function.insert_at_entry(std::move(entry_));
    entry_.clear();
}

void Instrument::finish() {
    if (slots_)
        slots_->finish([&](const std::array<Id, 6>& values) {
            std::vector<Id> all = {state()};
            all.insert(all.end(), values.begin(), values.end());
            call("_Z13check_countedPU3AS1jjjmmmm", builder_.type_void(), all);
        });
    imports_.finish();
}

/// A parameter has an object if all calls pass pointers that have one: the argument of a kernel, a variable,
/// or another such parameter.
void Instrument::pass_objects(spirv::Module& module, bool with_shadows) {
    spirv::IdMap<ObjectParameters>& objects = context_.variables.object_parameters;
    if (!objects.empty()) return;  // an earlier pass has done it
    passes_shadows_ = with_shadows;
    const spirv::IdSet named = named_elsewhere(module);
    spirv::IdMap<const spirv::Function*> functions;
    spirv::IdSet parameters;
    for (const spirv::Function& function : module.functions) {
        if (function.blocks.empty() || named.contains(function.id()) || !called_.contains(function.id()))
            continue;
        functions[function.id()] = &function;
        for (const Instruction& param : function.params)
            if (is_global(param.result) && storage(param.result) != StorageClass::Generic)
                parameters.insert(param.result);
    }
    spirv::IdMap<std::vector<Id>> users;  // parameters that get a parameter
    std::vector<Id> unknown;
    for (const spirv::Function& function : module.functions) {
        const ObjectPaths paths(builder_, layout_, function);
        const bool runs_as_kernel = is_only_kernel(function.id());
        spirv::IdSet own;
        for (const Instruction& param : function.params) own.insert(param.result);
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op != Op::OpFunctionCall || !functions.contains(inst.id(0))) continue;
                const spirv::Function& callee = *functions[inst.id(0)];
                for (size_t i = 0; i < callee.params.size(); ++i) {
                    const Id param = callee.params[i].result;
                    if (!parameters.contains(param)) continue;
                    const Id root = paths.root_of(inst.id(i + 1)).value_or(Id{});
                    const Instruction* const variable = root ? builder_.find_global(root) : nullptr;
                    if (root && parameters.contains(root))
                        users[root].push_back(param);
                    else if (!root || !is_global(root) ||
                             !((runs_as_kernel && own.contains(root)) ||
                               (variable && variable->op == Op::OpVariable)))
                        unknown.push_back(param);
                }
            }
    }
    spirv::IdSet is_unknown;
    while (!unknown.empty()) {
        const Id param = unknown.back();
        unknown.pop_back();
        if (is_unknown.insert(param))
            for (const Id user : users[param]) unknown.push_back(user);
    }
    const Id u64 = builder_.type_int(64);
    for (spirv::Function& function : module.functions) {
        if (!functions.contains(function.id())) continue;
        std::vector<size_t> passed;
        for (size_t i = 0; i < function.params.size(); ++i) {
            const Id param = function.params[i].result;
            if (parameters.contains(param) && !is_unknown.contains(param)) passed.push_back(i);
        }
        if (passed.empty()) continue;
        const spirv::SinkScope sink(builder_, &function.params);
        for (const size_t i : passed) {
            const Id param = function.params[i].result;
            ObjectParameters& added = objects[param];
            added.begin = builder_.append(Op::OpFunctionParameter, u64, {});
            added.size = builder_.append(Op::OpFunctionParameter, u64, {});
            if (has_shadow(param))
                added.shadow = builder_.append(Op::OpFunctionParameter, builder_.type_vector(u64, 4), {});
        }
        match_params(builder_, function);
        passed_[function.id()] = std::move(passed);
    }
}

void Instrument::add_objects(Instruction& call) {
    const auto found = passed_.find(call.id(0));
    if (found == passed_.end()) return;
    for (const size_t i : found->second) {
        const CheckedObject object = *object_of(call.id(i + 1));
        call.operands.push_back(object.begin);
        call.operands.push_back(object.size);
        if (has_shadow(call.id(i + 1))) call.operands.push_back(shadow_of(object).all);
    }
}

/// Whether the function is a kernel that nothing calls.
bool Instrument::is_only_kernel(Id function) const {
    return !called_.contains(function) && is_kernel(builder_.module(), function);
}

/// The arguments of kernels have objects. Those of a kernel that is also called may point to anything.
void Instrument::name_arguments(const spirv::Function& function) {
    arguments_.clear();
    if (called_.contains(function.id())) return;
    const std::vector<Instruction>& kernels = builder_.module().entry_points;
    for (size_t k = 0; k < kernels.size(); ++k) {
        if (kernels[k].id(1) != function.id()) continue;
        const std::vector<KernelArgument>& known = context_.interface.kernels[k].arguments;
        for (size_t i = 0; i < function.params.size(); ++i) {
            const std::string& said = i < known.size() ? known[i].name : std::string();
            arguments_[function.params[i].result] = {!said.empty() ? said : "number " + std::to_string(i),
                                                     static_cast<uint32_t>(i)};
        }
    }
}

Id Instrument::call(const char* mangled_name, Id result, const std::vector<Id>& values) {
    std::vector<Id> types;
    for (const Id value : values) types.push_back(builder_.type_of(value));
    spirv::Operands operands = {imports_.function(mangled_name, result, types)};
    operands.insert(operands.end(), values.begin(), values.end());
    return builder_.append(Op::OpFunctionCall, result, std::move(operands));
}

Id Instrument::state() {
    Id& variable = context_.variables.check_state;
    if (variable) return variable;
    variable = builder_.variable(StorageClass::CrossWorkgroup, builder_.type_int(32));
    builder_.decorate(variable, spv::Decoration::Alignment, {8u});
    return variable;
}

Id Instrument::spare(bool writes) {
    Id& address = spare_[writes];
    if (address) return address;
    return address = at_entry([&] {
               return call("_Z11check_sparePU3AS1jj", builder_.type_int(64),
                           {state(), builder_.constant_u32(writes)});
           });
}

Id Instrument::site(const Instruction& inst, CheckSite site) {
    site.line = inst.line.line;
    site.column = inst.line.column;
    site.function = names_[function_->id()];
    if (const Id file = builder_.module().file_of(inst.line)) site.file = files_[file];
    if (const std::optional<uint32_t> known = site_of_version(site)) return builder_.constant_u32(*known);
    std::vector<CheckSite>& sites = context_.interface.check_sites;
    const auto number = static_cast<uint32_t>(sites.size());
    sites_[site.function].emplace_back(function_->id(), number);
    sites.push_back(std::move(site));
    return builder_.constant_u32(number);
}

/// The same place in another version of the function (version_functions). Several places of a function may
/// look the same, as those in a macro do: each of them is another one.
std::optional<uint32_t> Instrument::site_of_version(const CheckSite& site) {
    for (size_t i = 0; i < version_sites_.size(); ++i) {
        const size_t at = (next_version_site_ + i) % version_sites_.size();
        const uint32_t number = version_sites_[at];
        if (context_.interface.check_sites[number] != site) continue;
        version_sites_.erase(version_sites_.begin() + static_cast<std::ptrdiff_t>(at));
        next_version_site_ = at;
        return number;
    }
    return std::nullopt;
}

Id Instrument::site(const Instruction& inst, CheckKind kind, const Access& access,
                    const CheckedObject* object, StorageClass space) {
    CheckSite site{.kind = kind,
                   .access = access.bytes == 0 ? CheckedAccess::Copy : access.kind,
                   .size_bytes = static_cast<uint32_t>(access.bytes),
                   .alignment_bytes = static_cast<uint32_t>(access.alignment_bytes)};
    if (object) {
        site.object = object->name;
        site.is_argument = object->is_argument;
    }
    if (space == StorageClass::Workgroup) site.space = "local";
    if (space == StorageClass::Function) site.space = "private";
    return this->site(inst, std::move(site));
}

void Instrument::report_if(Id is_fault, Id site, const FaultDetails& details) {
    if (slots_ && slots_->has_room()) return slots_->add(is_fault, site, details);
    report_now(is_fault, site, details);
}

void Instrument::report_now(Id is_fault, Id site, const FaultDetails& details) {
    const auto known = [&](Id value) { return value ? value : builder_.constant_u64(0); };
    const Id address = known(details.address);
    call("_Z11check_faultPU3AS1jjbmmmm", builder_.type_void(),
         {state(), site, is_fault, extended(builder_, address, details), known(details.begin),
          known(details.size), known(details.other)});
}

const CheckedObject* Instrument::object_of(Id pointer) {
    if (storage(pointer) == StorageClass::Generic) return nullptr;
    const std::optional<Id> root = paths_->root_of(pointer);
    if (!root || !*root || !is_global(*root)) return nullptr;
    const Instruction* variable = builder_.find_global(*root);
    const bool is_variable = variable && variable->op == Op::OpVariable;
    if (const auto known = objects_.find(*root); known != objects_.end()) return &known->second;
    if (const auto passed = context_.variables.object_parameters.find(*root);
        passed != context_.variables.object_parameters.end())
        return &(objects_[*root] = {.begin = passed->second.begin,
                                    .size = passed->second.size,
                                    .shadow = passed->second.shadow});
    if (!arguments_.contains(*root) && !is_variable) return nullptr;
    return &(objects_[*root] = is_variable ? object_of_variable(*root) : object_of_argument(*root));
}

const ObjectShadow& Instrument::shadow_of(const CheckedObject& object) {
    ObjectShadow& known = shadows_[object.begin];
    if (known.all) return known;
    const Id u64 = builder_.type_int(64), four = builder_.type_vector(u64, 4);
    known.all = object.shadow;
    at_entry([&] {
        if (object.is_argument)
            known.all = call("_Z21check_argument_shadowPU3AS1jj", four,
                             {state(), builder_.constant_u32(object.argument)});
        else if (!known.all)
            known.all = call(kFinder, four, {state(), object.begin, search_limit()});
        known.begin = builder_.append(Op::OpCompositeExtract, u64, {known.all, 0u});
        return known.size = builder_.append(Op::OpCompositeExtract, u64, {known.all, 1u});
    });
    return known;
}

CheckedObject Instrument::object_of_variable(Id variable) {
    const Id u64 = builder_.type_int(64);
    return {.begin = at_entry([&] { return builder_.append(Op::OpConvertPtrToU, u64, {variable}); }),
            .size = builder_.constant_u64(layout_.of(pointee(variable)).size_bytes),
            .name = is_string_literal(variable) ? kStringLiteral : name_of(variable)};
}

/// Front ends give names to all variables but those of string literals.
bool Instrument::is_string_literal(Id variable) {
    if (!names_[variable].empty() || storage(variable) != StorageClass::UniformConstant) return false;
    const Id type = pointee(variable);
    if (builder_.op_of_type(type) != Op::OpTypeArray) return false;
    const Id element = builder_.element(type);
    return builder_.op_of_type(element) == Op::OpTypeInt && builder_.width(element) == 8;
}

CheckedObject Instrument::object_of_argument(Id argument) {
    const Id u64 = builder_.type_int(64), pair = builder_.type_vector(u64, 2);
    const Argument& known = arguments_[argument];
    CheckedObject object{.name = known.name, .is_argument = true, .argument = known.number};
    at_entry([&] {
        const Id found =
            call("_Z14check_argumentPU3AS1jj", pair, {state(), builder_.constant_u32(known.number)});
        object.begin = builder_.append(Op::OpCompositeExtract, u64, {found, 0u});
        object.size = builder_.append(Op::OpCompositeExtract, u64, {found, 1u});
        return found;
    });
    return object;
}

Id Instrument::limit_of(const CheckedObject& object, uint64_t bytes) {
    Id& limit = limits_[{object.size, bytes}];
    if (limit) return limit;
    if (const std::optional<uint64_t> size = builder_.constant_value(object.size))
        return limit = builder_.constant_u64(*size < bytes ? 0 : *size - bytes + 1);
    return limit = at_entry([&] {
               const Id u64 = builder_.type_int(64), lost = builder_.constant_u64(bytes - 1);
               const Id has_room =
                   builder_.append(Op::OpUGreaterThan, builder_.type_bool(), {object.size, lost});
               return builder_.append(Op::OpSelect, u64,
                                      {has_room, builder_.append(Op::OpISub, u64, {object.size, lost}),
                                       builder_.constant_u64(0)});
           });
}

std::string Instrument::argument_name(Id pointer) const {
    const auto found = arguments_.find(pointer);
    return found == arguments_.end() ? std::string() : found->second.name;
}

std::string Instrument::name_of(Id variable) {
    const std::string name = names_[variable];  // a copy: the next look-up may move what the map has
    const std::string prefix = names_[function_->id()] + ".";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::string Instrument::place_of(const Instruction& inst) const {
    return spirv::place_text(builder_.module(), inst.line);
}

Id Instrument::search_limit() {
    if (!search_limit_) search_limit_ = builder_.spec_constant_u32(kSearchSpecId, kMostSearched);
    return search_limit_;
}

Id Instrument::found_object(Id pointer, const Access& access) const {
    const auto known = found_.find(place_of(pointer, access));
    if (known == found_.end()) return {};
    for (const Found& found : known->second)
        if (comes_after(found.block)) return found.object;
    return {};
}

Id Instrument::find_object(Id pointer, const Access& access, Id address) {
    if (const Id found = found_object(pointer, access)) return found;
    const Id object =
        call(kFinder, builder_.type_vector(builder_.type_int(64), 4), {state(), address, search_limit()});
    found_[place_of(pointer, access)].push_back({block_, object});
    return object;
}

/// Keeps what a call of an earlier pass finds.
void Instrument::note_found(const Instruction& inst) {
    if (inst.op != Op::OpFunctionCall || !finders_.contains(inst.id(0))) return;
    constexpr size_t kAddress = 2;
    const Instruction* const address = paths_->def(inst.id(kAddress));
    if (address && address->op == Op::OpConvertPtrToU)
        found_[place_of(address->id(0), {})].push_back({block_, inst.result});
}

StorageClass Instrument::storage(Id pointer) const { return builder_.storage(builder_.type_of(pointer)); }

bool Instrument::is_global(Id value) const {
    if (!builder_.is_pointer(builder_.type_of(value))) return false;
    const StorageClass space = storage(value);
    return space == StorageClass::CrossWorkgroup || space == StorageClass::UniformConstant ||
           space == StorageClass::Generic;
}

Id Instrument::widened(Id value, Op convert) {
    const Id u64 = builder_.type_int(64);
    return builder_.type_of(value) == u64 ? value : builder_.append(convert, u64, {value});
}

Id Instrument::address_of(Id pointer, const Access& access) {
    const Id u64 = builder_.type_int(64);
    const Id address = builder_.append(Op::OpConvertPtrToU, u64, {pointer});
    if (!access.index) return address;
    return builder_.append(Op::OpIAdd, u64, {address, index_bytes(access)});
}

Id Instrument::index_bytes(const Access& access) {
    return builder_.append(
        Op::OpIMul, builder_.type_int(64),
        {widened(access.index, Op::OpSConvert), builder_.constant_u64(access.stride_bytes)});
}

Id Instrument::moved(Id pointer, Id from, Id to) {
    const Id type = builder_.type_of(pointer),
             bytes_type = builder_.type_pointer(storage(pointer), builder_.type_int(8));
    const Id step = builder_.append(Op::OpISub, builder_.type_int(64), {to, from});
    const Id bytes = type == bytes_type ? pointer : builder_.append(Op::OpBitcast, bytes_type, {pointer});
    const Id moved = builder_.append(Op::OpPtrAccessChain, bytes_type, {bytes, step});
    return type == bytes_type ? moved : builder_.append(Op::OpBitcast, type, {moved});
}

void Instrument::replace_result(Instruction& inst, Id condition, bool left_out) {
    if (!spirv::is_atomic(inst.op) || inst.op == Op::OpAtomicLoad || !inst.result) return;
    const bool compares =
        inst.op == Op::OpAtomicCompareExchange || inst.op == Op::OpAtomicCompareExchangeWeak;
    constexpr size_t kComparator = 5;
    const Id spare = compares ? inst.id(kComparator) : builder_.constant_null(inst.type);
    const Id result = builder_.fresh();
    replaced_ = {.op = Op::OpSelect, .type = inst.type, .result = inst.result, .line = inst.line};
    replaced_->operands = {condition, left_out ? spare : result, left_out ? result : spare};
    inst.result = result;
}

void Instrument::add_result() {
    if (replaced_) builder_.append(*std::exchange(replaced_, std::nullopt));
}

Id Instrument::offset_of(const ObjectPath& path) {
    const Id u64 = builder_.type_int(64);
    Id at = builder_.constant_u64(static_cast<uint64_t>(path.constant));
    for (const auto& [index, stride] : path.terms) {
        const Id bytes =
            builder_.append(Op::OpIMul, u64, {widened(index, Op::OpSConvert), builder_.constant_u64(stride)});
        at = builder_.append(Op::OpIAdd, u64, {at, bytes});
    }
    return at;
}

}  // namespace caldera::vulkan
