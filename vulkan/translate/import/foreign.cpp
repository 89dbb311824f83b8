// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/foreign.h"

#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/phis.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/built_in_copies.h"
#include "vulkan/translate/import/global_order.h"
#include "vulkan/translate/import/moved_pointers.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

bool is_variable_in(const Instruction& inst, spv::StorageClass storage) {
    return inst.op == spv::Op::OpVariable && inst.word(0) == static_cast<uint32_t>(storage);
}

/// Whether the instruction makes a pointer of one to other storage.
bool casts_storage(spv::Op op) {
    return op == spv::Op::OpPtrCastToGeneric || op == spv::Op::OpGenericCastToPtr;
}

/// Gives module-scope variables, and pointers computed from them, other storage.
template <class IsMisplaced>
bool move_variables(Module& module, spv::StorageClass storage, IsMisplaced&& is_misplaced) {
    IdSet mended;
    std::vector<Instruction> variables;
    std::erase_if(module.globals, [&](Instruction& inst) {
        if (!is_misplaced(inst)) return false;
        mended.insert(inst.result.value);
        variables.push_back(std::move(inst));
        return true;
    });
    if (variables.empty()) return false;

    Builder builder(module);
    for (Instruction& inst : variables) {
        inst.type = builder.type_pointer(storage, builder.pointee(inst.type));
        inst.operands[0] = storage;
    }
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (casts_storage(inst.op) && mended.contains(inst.word(0)) && builder.is_pointer(inst.type))
                    inst.op = spv::Op::OpCopyObject;
                move_result(builder, inst, storage, mended);
            }
    module.globals.insert(module.globals.end(), std::make_move_iterator(variables.begin()),
                          std::make_move_iterator(variables.end()));
    return true;
}

bool mend_constant_initializers(Module& module) {
    return move_variables(module, spv::StorageClass::UniformConstant, [](const Instruction& inst) {
        return is_variable_in(inst, spv::StorageClass::Function);
    });
}

/// SYCL compilers give constants the generic address space, which has no variables. They are global
/// variables, and their addresses are cast.
bool mend_generic_variables(Module& module) {
    std::vector<Instruction> variables, addresses;
    std::erase_if(module.globals, [&](Instruction& inst) {
        if (!is_variable_in(inst, spv::StorageClass::Generic)) return false;
        variables.push_back(std::move(inst));
        return true;
    });
    if (variables.empty()) return false;
    Builder builder(module);
    IdMap<Id> moved;
    for (Instruction& inst : variables) {
        addresses.push_back({.op = spv::Op::OpSpecConstantOp,
                             .type = inst.type,
                             .result = inst.result,
                             .operands = {static_cast<uint32_t>(spv::Op::OpPtrCastToGeneric)}});
        if (builder.is_pointer(inst.type))
            inst.type = builder.type_pointer(spv::StorageClass::CrossWorkgroup, builder.pointee(inst.type));
        inst.operands[0] = spv::StorageClass::CrossWorkgroup;
        moved[inst.result] = builder.fresh();
        inst.result = moved.at(inst.result);
        addresses.back().operands.push_back(inst.result);
    }
    for (std::vector<Instruction>* list : {&module.names, &module.annotations})
        for (Instruction& inst : *list)
            if (const auto variable = moved.find(inst.id(0)); variable != moved.end())
                inst.operands[0] = variable->second;
    for (std::vector<Instruction>* list : {&variables, &addresses})
        module.globals.insert(module.globals.end(), std::make_move_iterator(list->begin()),
                              std::make_move_iterator(list->end()));
    mend_global_order(module);
    return true;
}

bool mend_built_ins(Module& module) {
    const IdMap<spv::BuiltIn> built_ins = built_ins_of(module);
    bool any = copy_built_ins(module);
    any |= move_variables(module, spv::StorageClass::Input, [&](const Instruction& inst) {
        return inst.op == spv::Op::OpVariable && built_ins.contains(inst.result.value) &&
               !is_variable_in(inst, spv::StorageClass::Input);
    });
    if (any) set_entry_point_interfaces(module, false);
    return any;
}

/// llvm-spirv turns LLVM's i1 constants into bools in memory, but the code that reads them expects a byte.
bool mend_bool_constants(Module& module) {
    IdSet trues, bools, pointers;  // constants; types
    std::vector<Instruction> variables;
    std::erase_if(module.globals, [&](Instruction& inst) {
        const auto in_constant_memory = [&](size_t operand) {
            return inst.word(operand) == static_cast<uint32_t>(spv::StorageClass::UniformConstant);
        };
        if (inst.op == spv::Op::OpTypeBool) bools.insert(inst.result.value);
        if (inst.op == spv::Op::OpConstantTrue) trues.insert(inst.result.value);
        if (inst.op == spv::Op::OpTypePointer && in_constant_memory(0) && bools.contains(inst.word(1)))
            pointers.insert(inst.result.value);
        if (inst.op != spv::Op::OpVariable || inst.operands.size() < 2 || !pointers.contains(inst.type.value))
            return false;
        variables.push_back(std::move(inst));
        return true;
    });
    if (variables.empty()) return false;

    Builder builder(module);
    const Id byte = builder.type_int(8);
    IdMap<Id> values;
    for (Instruction& inst : variables) {
        values.emplace(inst.result, inst.id(1));
        inst.type = builder.type_pointer(spv::StorageClass::UniformConstant, byte);
        inst.operands[1] = builder.constant_int(byte, trues.contains(inst.word(1)) ? 1 : 0);
    }
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.operands.empty() || !inst.operands[0].is_id || !values.contains(inst.id(0)))
                    continue;
                const Id variable = inst.id(0);
                if (inst.op == spv::Op::OpLoad) {
                    inst.op = spv::Op::OpCopyObject;
                    inst.operands = {values.at(variable)};
                } else if (inst.op == spv::Op::OpBitcast && inst.type == variables.front().type) {
                    inst.op = spv::Op::OpCopyObject;
                }
            }
    module.globals.insert(module.globals.end(), std::make_move_iterator(variables.begin()),
                          std::make_move_iterator(variables.end()));
    return true;
}

/// An address in a table is what llvm-spirv makes a part of a constant as it is; only constants may be
/// (OpConstantComposite).
bool mend_addresses(Module& module) {
    IdMap<Id> types;  // by variable
    std::vector<Instruction> out;
    const size_t before = module.globals.size();
    for (Instruction& inst : module.globals) {
        if (inst.op == spv::Op::OpVariable) types.emplace(inst.result, inst.type);
        if (inst.op == spv::Op::OpConstantComposite)
            for (Operand& part : inst.operands) {
                const auto type = types.find(part.id());
                if (type == types.end()) continue;
                const Id address = module.fresh();
                out.push_back({.op = spv::Op::OpSpecConstantOp,
                               .type = type->second,
                               .result = address,
                               .operands = {static_cast<uint32_t>(spv::Op::OpBitcast), part}});
                part = address;
            }
        out.push_back(std::move(inst));
    }
    module.globals = std::move(out);
    return module.globals.size() != before;
}

/// A null pointer of one storage class is one of any other, also where a constant casts it.
bool mend_null_casts(Module& module) {
    IdSet nulls;
    bool any = false;
    for (Instruction& inst : module.globals) {
        const bool is_cast = inst.op == spv::Op::OpSpecConstantOp && inst.operands.size() == 2 &&
                             casts_storage(static_cast<spv::Op>(inst.word(0)));
        if (is_cast && nulls.contains(inst.id(1))) {
            inst.op = spv::Op::OpConstantNull;
            inst.operands.clear();
            any = true;
        }
        if (inst.op == spv::Op::OpConstantNull) nulls.insert(inst.result);
    }
    return any;
}

/// llvm-spirv writes the filter of a literal sampler that names none as one less than the nearest.
bool mend_samplers(Module& module) {
    constexpr uint32_t kNoFilter = ~0u;
    bool any = false;
    for (Instruction& inst : module.globals) {
        if (inst.op != spv::Op::OpConstantSampler || inst.word(2) != kNoFilter) continue;
        inst.operands[2] = static_cast<uint32_t>(spv::SamplerFilterMode::Nearest);
        any = true;
    }
    return any;
}

bool is_size(spv::BuiltIn built_in) {
    return built_in == spv::BuiltIn::GlobalSize || built_in == spv::BuiltIn::WorkgroupSize ||
           built_in == spv::BuiltIn::EnqueuedWorkgroupSize || built_in == spv::BuiltIn::NumWorkgroups;
}

bool mend_components(Module& module) {
    IdSet sizes;  // variables, and values loaded from them
    for (const auto& [id, built_in] : built_ins_of(module))
        if (is_size(built_in)) sizes.insert(id);
    Builder builder(module);
    bool any = false;
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op == spv::Op::OpLoad && sizes.contains(inst.word(0)))
                    sizes.insert(inst.result.value);
                if (inst.op != spv::Op::OpCompositeExtract || inst.operands.size() != 2) continue;
                const Id vector = builder.type_of(inst.id(0));
                if (!vector || !builder.is_vector(vector) || inst.word(1) < builder.count(vector)) continue;
                if (!builder.is_int(inst.type)) continue;
                const Id value = builder.constant_int(inst.type, sizes.contains(inst.word(0)) ? 1 : 0);
                inst.op = spv::Op::OpCopyObject;
                inst.operands = {value};
                any = true;
            }
    return any;
}

bool mend_selects(Module& module) {
    if (module.version >= 0x00010400) return false;
    Builder builder(module);
    bool any = false;
    for (Function& function : module.functions)
        for (Block& block : function.blocks) {
            std::vector<Instruction> body;
            for (Instruction& inst : block.body) {
                if (inst.op == spv::Op::OpSelect && builder.is_vector(inst.type) &&
                    builder.is_bool(builder.type_of(inst.id(0)))) {
                    const uint32_t count = builder.count(inst.type);
                    Instruction lanes = {.op = spv::Op::OpCompositeConstruct,
                                         .type = builder.type_vector(builder.type_bool(), count),
                                         .result = builder.fresh(),
                                         .line = inst.line};
                    for (uint32_t i = 0; i < count; ++i) lanes.operands.push_back(inst.id(0));
                    inst.operands[0] = lanes.result;
                    body.push_back(std::move(lanes));
                    any = true;
                }
                body.push_back(std::move(inst));
            }
            block.body = std::move(body);
        }
    return any;
}

bool mend_extensions(Module& module) {
    constexpr std::string_view kFastMath = "SPV_INTEL_fp_fast_math_mode";
    const bool uses = std::ranges::any_of(module.capabilities, [](const Instruction& inst) {
        return inst.word(0) == static_cast<uint32_t>(spv::Capability::FPFastMathModeINTEL);
    });
    const bool says = std::ranges::any_of(
        module.extensions, [&](const Instruction& inst) { return string_at(inst, 0) == kFastMath; });
    if (uses && !says) Builder(module).extension(kFastMath);
    return uses && !says;
}

/// llvm-spirv declares Shader for bits that are reversed, moved or taken out, and SPIRV-Tools then ask for
/// structured control flow. Kernels have another capability for these instructions.
bool mend_bit_instructions(Module& module) {
    using enum spv::Op;
    const auto declares = [](spv::Capability capability) {
        return [=](const Instruction& inst) { return inst.word(0) == static_cast<uint32_t>(capability); };
    };
    if (std::ranges::none_of(module.capabilities, declares(spv::Capability::Kernel)) ||
        std::ranges::none_of(module.capabilities, declares(spv::Capability::Shader)))
        return false;
    std::erase_if(module.capabilities, declares(spv::Capability::Shader));
    std::erase_if(module.capabilities, declares(spv::Capability::Matrix));
    bool uses = false;
    for (const Function& function : module.functions)
        for_each_instruction(function, [&](const Instruction& inst) {
            uses |= inst.op == OpBitReverse || inst.op == OpBitFieldInsert || inst.op == OpBitFieldSExtract ||
                    inst.op == OpBitFieldUExtract;
        });
    if (!uses) return true;
    Builder builder(module);
    builder.capability(spv::Capability::BitInstructions);
    builder.extension("SPV_KHR_bit_instructions");
    return true;
}

bool mend_variables(Function& function) {
    std::vector<Instruction> variables;
    bool past_variables = false, any = false;
    for (Block& block : function.blocks) {
        std::vector<Instruction> body;
        for (Instruction& inst : block.body) {
            if (inst.op != spv::Op::OpVariable) {
                past_variables = true;
                body.push_back(std::move(inst));
                continue;
            }
            any |= past_variables;
            if (past_variables &&
                inst.operands.size() > 1) {  // it starts anew each time that control comes here
                body.push_back(
                    {.op = spv::Op::OpStore, .operands = {inst.result, inst.operands[1]}, .line = inst.line});
                inst.operands.resize(1);
            }
            variables.push_back(std::move(inst));
        }
        block.body = std::move(body);
        past_variables = true;
    }
    if (variables.empty()) return false;
    std::vector<Instruction>& entry = function.blocks[0].body;
    entry.insert(entry.begin(), std::make_move_iterator(variables.begin()),
                 std::make_move_iterator(variables.end()));
    return any;
}

/// LLVM's tools may give a variable of a function a pointer to other storage as its type. Code that takes it
/// for a generic pointer gets one.
bool mend_variable_types(Builder& builder, Function& function) {
    constexpr auto kFunction = spv::StorageClass::Function;
    IdSet moved;
    std::vector<Instruction> casts;
    for (Instruction& inst : function.blocks[0].body) {
        if (!is_variable_in(inst, kFunction) || !builder.is_pointer(inst.type)) continue;
        const spv::StorageClass storage = builder.storage(inst.type);
        if (storage == kFunction) continue;
        const Id type = inst.type, variable = inst.result;
        inst.type = builder.type_pointer(kFunction, builder.pointee(type));
        if (storage == spv::StorageClass::Generic) {
            inst.result = builder.fresh();
            casts.push_back({.op = spv::Op::OpPtrCastToGeneric,
                             .type = type,
                             .result = variable,
                             .operands = {inst.result}});
        } else {
            moved.insert(variable);
        }
    }
    const bool any = !moved.empty() || !casts.empty();
    for (Block& block : function.blocks)
        for (Instruction& inst : block.body) move_result(builder, inst, kFunction, moved);
    function.insert_at_entry(std::move(casts));
    return any;
}

/// llvm-spirv writes the hints of a loop whose first block ends in a switch where they may not stand. They
/// go: kernels need no OpLoopMerge.
bool mend_loop_hints(Function& function) {
    bool any = false;
    for (Block& block : function.blocks) {
        const spv::Op end = block.terminator.op;
        if (block.merge.op != spv::Op::OpLoopMerge || end == spv::Op::OpBranch ||
            end == spv::Op::OpBranchConditional)
            continue;
        block.merge = {};
        any = true;
    }
    return any;
}

bool mend_block_order(Function& function) {
    const Cfg cfg = build_cfg(function);
    const Dominators tree = dominators(cfg);
    const bool sound = std::ranges::all_of(
        cfg.order, [&](uint32_t b) { return tree.parent[b] == kNoBlock || tree.parent[b] < b; });
    if (sound) return false;
    std::vector<Block> blocks;
    for (uint32_t b : cfg.order) blocks.push_back(std::move(function.blocks[b]));
    for (uint32_t b = 0; b < cfg.size(); ++b)
        if (!cfg.reachable(b)) blocks.push_back(std::move(function.blocks[b]));
    function.blocks = std::move(blocks);
    return true;
}

/// OpImage takes an image out of a sampled image that the same function has made of it. The blocks must come
/// after their dominators.
bool mend_taken_images(Function& function) {
    IdMap<Id> sampled, taken;  // images by what OpSampledImage, and OpImage, give
    for (Block& block : function.blocks) {
        std::erase_if(block.body, [&](Instruction& inst) {
            for (Operand& operand : inst.operands)
                if (const auto image = operand.is_id ? taken.find(operand.id()) : taken.end();
                    image != taken.end())
                    operand = image->second;
            if (inst.op == spv::Op::OpSampledImage) sampled[inst.result] = inst.id(0);
            const auto image = inst.op == spv::Op::OpImage ? sampled.find(inst.id(0)) : sampled.end();
            if (image == sampled.end()) return false;
            taken[inst.result] = image->second;
            return true;
        });
    }
    return !taken.empty();
}

bool mend_phi(Instruction& phi) {
    if (phi.operands.size() % 2 != 0) return false;
    IdSet seen;
    Operands kept;
    for (size_t i = 0; i < phi.operands.size(); i += 2) {
        if (!seen.insert(phi.id(i + 1))) continue;
        kept.push_back(phi.operands[i]);
        kept.push_back(phi.operands[i + 1]);
    }
    if (kept.size() == phi.operands.size()) return false;
    phi.operands = std::move(kept);
    return true;
}

/// Casts before the block's last phi, by the one predecessor with which its phis name them; none for those
/// that another instruction of the block uses, or phis with several predecessors.
IdMap<Id> early_casts(const Block& block) {
    const auto is_phi = [](const Instruction& inst) { return inst.op == spv::Op::OpPhi; };
    const auto end = std::find_if(block.body.rbegin(), block.body.rend(), is_phi).base();
    IdMap<Id> casts;
    for (auto inst = block.body.begin(); inst != end; ++inst)
        if (inst->op == spv::Op::OpBitcast) casts[inst->result] = {};
    if (casts.empty()) return casts;
    IdSet others;
    for (const Instruction& inst : block.body)
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            const auto cast = inst.operands[i].is_id ? casts.find(inst.id(i)) : casts.end();
            if (cast == casts.end()) continue;
            const Id from =
                is_phi(inst) && i % 2 == 0 && i + 1 < inst.operands.size() ? inst.id(i + 1) : Id{};
            if (!from || (cast->second && cast->second != from)) others.insert(cast->first);
            cast->second = from;
        }
    for (auto& [cast, from] : casts)
        if (others.contains(cast)) from = {};
    return casts;
}

/// llvm-spirv writes casts for a phi's operands before the phi, where no instruction may stand, instead of at
/// the end of the block that the operand comes from.
bool mend_early_casts(Function& function) {
    bool any = false;
    IdMap<Block*> blocks;
    for (Block& block : function.blocks) {
        if (block.body.empty() || block.body.front().op == spv::Op::OpVariable) continue;
        IdMap<Id> casts = early_casts(block);
        if (casts.empty()) continue;
        if (blocks.empty())
            for (Block& each : function.blocks) blocks[each.label] = &each;
        std::erase_if(block.body, [&](Instruction& inst) {
            const auto cast = casts.find(inst.result);
            const auto source = cast == casts.end() ? blocks.end() : blocks.find(cast->second);
            if (source == blocks.end() || source->second == &block) return false;
            source->second->body.push_back(std::move(inst));
            return any = true;
        });
    }
    return any;
}

bool casts_address(spv::Op op) { return op == spv::Op::OpConvertUToPtr || op == spv::Op::OpBitcast; }

/// clang writes CLK_NULL_EVENT and CLK_NULL_RESERVE_ID as addresses of all ones, which are constants.
bool mend_null_handles(Module& module) {
    IdSet handles;    // types
    IdSet constants;  // integers, and pointers made of them
    for (const Instruction& inst : module.globals) {
        if (inst.op == spv::Op::OpTypeDeviceEvent || inst.op == spv::Op::OpTypeReserveId)
            handles.insert(inst.result);
        const bool is_cast = inst.op == spv::Op::OpSpecConstantOp && inst.operands.size() == 2 &&
                             casts_address(static_cast<spv::Op>(inst.word(0))) &&
                             constants.contains(inst.id(1));
        if (inst.op == spv::Op::OpConstant || inst.op == spv::Op::OpConstantNull || is_cast)
            constants.insert(inst.result);
    }
    if (handles.empty()) return false;
    IdMap<Id> nulls;  // by type
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (!casts_address(inst.op) || !constants.contains(inst.id(0))) continue;
                if (!handles.contains(inst.type)) {
                    constants.insert(inst.result);
                    continue;
                }
                Id& null = nulls[inst.type];
                if (!null) null = Builder(module).constant_null(inst.type);
                inst.op = spv::Op::OpCopyObject;
                inst.operands = {null};
            }
    return !nulls.empty();
}

bool is_alias_scope(const Instruction& inst) {
    return inst.op == spv::Op::OpAliasDomainDeclINTEL || inst.op == spv::Op::OpAliasScopeDeclINTEL ||
           inst.op == spv::Op::OpAliasScopeListDeclINTEL;
}

/// The index of an access's first memory operand.
size_t memory_operands_of(spv::Op op) {
    switch (op) {
        case spv::Op::OpLoad: return 1;
        case spv::Op::OpStore:
        case spv::Op::OpCopyMemory: return 2;
        case spv::Op::OpCopyMemorySized: return 3;
        default: return ~size_t{0};
    }
}

void drop_alias_operands(Instruction& inst) {
    using enum spv::MemoryAccessMask;
    for (size_t at = memory_operands_of(inst.op); at < inst.operands.size();) {  // those of copies may be two
        const auto has = [mask = inst.word(at)](spv::MemoryAccessMask bit) -> size_t {
            return (mask & static_cast<uint32_t>(bit)) != 0;
        };
        const size_t first = at + 1 + has(Aligned) + has(MakePointerAvailable) + has(MakePointerVisible);
        const size_t end = first + has(AliasScopeINTELMask) + has(NoAliasINTELMask);
        if (end > inst.operands.size()) return;
        const auto operand = [&](size_t i) { return inst.operands.begin() + static_cast<ptrdiff_t>(i); };
        inst.operands[at].word &= ~static_cast<uint32_t>(AliasScopeINTELMask | NoAliasINTELMask);
        inst.operands.erase(operand(first), operand(end));
        at = first;
    }
}

bool drop_alias_scopes(Module& module) {
    if (std::erase_if(module.globals, is_alias_scope) == 0) return false;
    std::erase_if(module.annotations, [](const Instruction& inst) {
        const auto decoration = static_cast<spv::Decoration>(inst.operands.size() > 1 ? inst.word(1) : 0);
        return (inst.op == spv::Op::OpDecorate || inst.op == spv::Op::OpDecorateId) &&
               (decoration == spv::Decoration::AliasScopeINTEL ||
                decoration == spv::Decoration::NoAliasINTEL);
    });
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) drop_alias_operands(inst);
    return true;
}

/// clang lists constructors of global objects with their addresses. LLVM's back end writes the list into each
/// function, as a variable that nobody reads; the constructors are called by a kernel of their own.
bool drop_constructor_lists(Module& module) {
    IdSet lists;
    for (const Instruction& inst : module.annotations) {
        const std::optional<Linkage> linkage = linkage_of(inst);
        if (linkage && (linkage->name == "llvm.global_ctors" || linkage->name == "llvm.global_dtors"))
            lists.insert(linkage->target);
    }
    if (lists.empty()) return false;
    const auto is_list = [&](const Instruction& inst) {
        return inst.op == spv::Op::OpVariable && lists.contains(inst.result);
    };
    std::erase_if(module.globals, is_list);
    for (Function& function : module.functions)
        for (Block& block : function.blocks) std::erase_if(block.body, is_list);
    // What they were made of goes too: types and constants of addresses of functions.
    IdSet functions, addresses;
    for (const Instruction& inst : module.globals) {
        if (inst.op == spv::Op::OpTypeFunction) functions.insert(inst.result);
        const bool is_address = inst.op == spv::Op::OpTypePointer && functions.contains(inst.id(1));
        const bool is_made_of_one =
            inst.op != spv::Op::OpTypeFunction && std::ranges::any_of(inst.operands, [&](Operand part) {
                return part.is_id && addresses.contains(part.id());
            });
        if (is_address || is_made_of_one || addresses.contains(inst.type)) addresses.insert(inst.result);
    }
    bool is_used = false;
    for (const Function& function : module.functions)
        for_each_instruction(function, [&](const Instruction& inst) {
            is_used |= addresses.contains(inst.type) || std::ranges::any_of(inst.operands, [&](Operand part) {
                           return part.is_id && addresses.contains(part.id());
                       });
        });
    if (!is_used)
        std::erase_if(module.globals,
                      [&](const Instruction& inst) { return addresses.contains(inst.result); });
    drop_stale_names(module);
    return true;
}

/// SPIRV-Tools refuse a source language that is newer than they are: Slang, Zig, Rust and others to come.
bool forget_new_languages(Module& module) {
    constexpr auto kNewest = static_cast<uint32_t>(spv::SourceLanguage::SYCL);
    bool any = false;
    for (Instruction& inst : module.debug_sources) {
        if (inst.op != spv::Op::OpSource || inst.word(0) <= kNewest) continue;
        inst.operands[0] = static_cast<uint32_t>(spv::SourceLanguage::Unknown);
        any = true;
    }
    return any;
}

}  // namespace

bool mend_unverified_module(Module& module) {
    bool any = drop_alias_scopes(module);
    any |= forget_new_languages(module);
    any |= mend_null_handles(module);
    any |= mend_global_order(module);
    for (Function& function : module.functions) {
        any |= mend_early_casts(function);
        for (Block& block : function.blocks)
            for (Instruction& phi : spirv::phis_of(block.body)) any |= mend_phi(phi);
    }
    return any;
}

bool mend_foreign_module(Module& module) {
    const size_t annotations = module.names.size() + module.annotations.size();
    drop_stale_names(module);
    bool any = module.names.size() + module.annotations.size() != annotations;
    any |= drop_constructor_lists(module);
    any |= mend_constant_initializers(module);
    any |= mend_generic_variables(module);
    any |= mend_built_ins(module);
    any |= mend_bool_constants(module);
    any |= mend_addresses(module);
    any |= mend_null_casts(module);
    any |= mend_components(module);
    any |= mend_selects(module);
    any |= mend_extensions(module);
    any |= mend_bit_instructions(module);
    any |= mend_samplers(module);
    Builder builder(module);
    for (Function& function : module.functions) {
        if (function.blocks.empty()) continue;
        any |= mend_variables(function);
        any |= mend_loop_hints(function);
        any |= mend_block_order(function);
        any |= mend_taken_images(function);
        any |= mend_variable_types(builder, function);
    }
    return any;
}

namespace {

constexpr uint64_t kMaxParts = 65'536, kMaxAllParts = 4'000'000;  // of a type, as a tree; of all types
constexpr uint32_t kMaxCallDepth = 2'000;

Result<Done> check_types(const Module& module) {
    std::vector<uint64_t> parts(module.bound, 0);
    uint64_t all = 0;
    for (const Instruction& inst : module.globals) {
        if (inst.type || !inst.result) continue;
        uint64_t count = 1;
        if (inst.op == spv::Op::OpTypeStruct)
            for (const Operand& member : inst.operands) count += parts[member.word];
        else if (inst.op == spv::Op::OpTypeArray || inst.op == spv::Op::OpTypeRuntimeArray)
            count += parts[inst.word(0)];
        all += count;
        if (count > kMaxParts || all > kMaxAllParts)
            return Error{.message = "the module's structs have too many members, counting nested ones"};
        parts[inst.result.value] = count;
    }
    return Done{};
}

/// The longest chain of calls; where functions call themselves, some chain.
Result<Done> check_call_depth(const Module& module) {
    CallGraph graph(module);
    struct Visit {
        uint32_t function;
        size_t next = 0;
    };
    constexpr uint32_t kNew = ~0u;
    std::vector<uint32_t> depth(module.functions.size(), kNew);  // below the function; 0 while it is open
    std::vector<Visit> stack;
    for (uint32_t start = 0; start < depth.size(); ++start) {
        if (depth[start] != kNew) continue;
        stack.push_back({start});
        depth[start] = 0;
        while (!stack.empty()) {
            Visit& top = stack.back();
            const std::vector<uint32_t>& callees = graph.callees(top.function);
            if (top.next < callees.size()) {
                const uint32_t callee = callees[top.next++];
                if (depth[callee] != kNew) continue;
                depth[callee] = 0;
                stack.push_back({callee});
                continue;
            }
            for (uint32_t callee : callees)
                depth[top.function] = std::max(depth[top.function], depth[callee] + 1);
            if (depth[top.function] > kMaxCallDepth)
                return Error{.message =
                                 "calls nest deeper than " + std::to_string(kMaxCallDepth) + " levels"};
            stack.pop_back();
        }
    }
    return Done{};
}

}  // namespace

bool mend_interfaces(Module& module) {
    const std::vector<Instruction> before = module.entry_points;
    set_entry_point_interfaces(module, module.version >= 0x00010400);
    return !std::ranges::equal(before, module.entry_points, {}, &Instruction::operands,
                               &Instruction::operands);
}

Result<Done> check_foreign_limits(const Module& module) {
    if (Result<Done> types = check_types(module); !types) return types;
    return check_call_depth(module);
}

}  // namespace caldera::vulkan
