// SPDX-License-Identifier: Apache-2.0
// link_builtins: computes with the library what Vulkan cannot compute within OpenCL's error bounds (see
// numerics.def). Before: a normal OpenCL module. After: such OpenCL.std instructions, asynchronous copies and
// calls of imported functions are calls of functions copied from the library. No function is imported, and
// there are no events. Group functions are Vulkan's sub-group instructions on scalars, or calls of the
// library.
//
// The library has scalar functions. A function of vectors is called for each component, unless the library
// has it for vectors, too. Half is computed through float. A result through a pointer goes to a private
// variable first, then to the caller's pointer, whatever memory that points to.
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <optional>

#include "spirv/cooperative_matrix.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/sub_group_sizes.h"
#include "vulkan/translate/link/async_copies.h"
#include "vulkan/translate/link/divide.h"
#include "vulkan/translate/link/divide_long.h"
#include "vulkan/translate/link/group_functions.h"
#include "vulkan/translate/link/library_linker.h"
#include "vulkan/translate/link/saturate.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/double_functions.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/source_name.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

enum class Policy : uint8_t { Library, Relaxed, RelaxedExp, RelaxedLog, HalfExp, Double, Fused, Rounded };

struct MathRow {
    OpenCLLIB::Entrypoints instruction = {};
    std::string_view name = {};
    std::string_view args = {};
    Policy policy = {};
};
constexpr MathRow kMathRows[] = {
#define MATH(instruction, name, args, policy) {OpenCLLIB::instruction, #name, args, Policy::policy},
#include "vulkan/translate/link/numerics.def"
};
// These are for float under -cl-fp32-correctly-rounded-divide-sqrt. Roots, reciprocals and quotients of
// doubles are always correctly rounded. Where mad() is fused, the library's roots and reciprocals are faster
// than the device's.
constexpr MathRow kDivision = {.name = "divide_rounded", .args = "ff", .policy = Policy::Rounded};
constexpr MathRow kReciprocal = {.name = "reciprocal_rounded", .args = "f", .policy = Policy::Rounded};
constexpr MathRow kSquareRoot = {OpenCLLIB::Sqrt, "sqrt_rounded", "f", Policy::Rounded};

enum class Condition : uint8_t { Fused, Exp2, Sqrt, Denormals, Branches, Loops };

struct Version {
    std::string_view name = {}, args = {}, yes = {}, no = {};
    Condition condition = {};
};
constexpr Version kVersions[] = {
#define VERSION(name, args, yes, no, condition) {#name, args, "_" #yes, "_" #no, Condition::condition},
#include "vulkan/translate/link/numerics.def"
};

/// Whether the library's mad() rounds once: it is Fma only where that is fast (Code::multiply_add).
bool fuses_mad(const DeviceProfile& profile, uint32_t width) {
    if (width == 64 && profile.emulated_float64) return true;
    return profile.fused_fma && !profile.quirks.slow_fma;
}

bool holds(Condition condition, const DeviceProfile& profile, bool is_float) {
    switch (condition) {
        case Condition::Fused: return fuses_mad(profile, is_float ? 32 : 64);
        case Condition::Exp2:
        case Condition::Sqrt: return is_float && fuses_mad(profile, 32) && profile.exact_exp2_sqrt;
        case Condition::Denormals: return keeps_denormals(profile, is_float ? 32 : 64);
        case Condition::Branches:
            return !is_float && !profile.quirks.slow_fma;  // a fault of processors alone
        case Condition::Loops: return !profile.quirks.ends_long_loops;
    }
    return false;
}

const MathRow* find_row(uint32_t instruction) {
    for (const MathRow& row : kMathRows)
        if (row.instruction == instruction) return &row;
    return instruction == kSquareRoot.instruction ? &kSquareRoot : nullptr;
}

class BuiltinLinking {
 public:
    BuiltinLinking(Module& module, PassContext& context)
        : module_(module),
          context_(context),
          builder_(module),
          layout_(builder_),
          linker_(builder_, context.library),
          long_division_(builder_, linker_),
          groups_(builder_, linker_, context.options) {
        choose_versions();
        imports_ = imported_names(module);
    }

    Result<Done> run() {
        find_emulated_sub_groups();
        // Copied functions are appended, so their own calls are linked in turn.
        own_functions_ = module_.functions.size();
        link_functions(0);
        if (context_.options.profile.emulated_float64 && has_doubles()) {
            const size_t first = module_.functions.size();
            link_double_functions();
            link_functions(first);
        }
        if (!error_.message.empty()) return error_;
        linker_.finish();
        std::erase_if(module_.functions,
                      [](const spirv::Function& function) { return function.blocks.empty(); });
        spirv::drop_stale_names(module_);
        groups_.describe(context_.interface, context_.variables);
        context_.interface.fused_fma = has_fused_fma();
        if (!groups_.error().empty()) return Error{.message = groups_.error()};
        return Done{};
    }

 private:
    void link_functions(size_t first) {
        for (size_t i = first; i < module_.functions.size() && error_.message.empty(); ++i) {
            function_ = i;
            link_function();
            linker_.copy_pending();
        }
    }

    void find_emulated_sub_groups() {
        const std::vector<Kernel>& kernels = context_.interface.kernels;
        CallGraph graph(module_);
        for (size_t i = 0; i < kernels.size(); ++i) {
            const uint32_t size = required_sub_group_size(kernels[i]);
            if (!emulates_subgroup_size(context_.options.profile, size)) continue;
            for (const uint32_t function : graph.functions(module_.entry_points[i].id(1)))
                emulated_sizes_[module_.functions[function].id()] = size;
        }
    }

    bool has_doubles() const {
        return std::ranges::any_of(module_.globals, [](const Instruction& inst) {
            return inst.op == Op::OpTypeFloat && inst.word(0) == 64;
        });
    }
    /// For emulate_doubles, which knows only later what it needs.
    void link_double_functions() {
        for (const std::string_view name : kDoubleFunctions) {
            const Id function = import(std::string(name));
            if (!function) return fail("the library has no " + std::string(name));
            context_.variables.double_functions.push_back(function);
        }
        linker_.copy_pending();
    }

    /// An fma of the program, or of the library's versions for fused ones, that is left to the device.
    bool has_fused_fma() {
        const DeviceProfile& profile = context_.options.profile;
        bool found = false;
        for (const spirv::Function& function : module_.functions)
            spirv::for_each_instruction(function, [&](const Instruction& inst) {
                found |= inst.op == Op::OpExtInst && inst.word(1) == OpenCLLIB::Fma &&
                         is_opencl_set(inst.id(0)) && !is_emulated(inst.type) &&
                         (builder_.width(inst.type) == 16 ? profile.fused_half_fma : profile.fused_fma);
            });
        return found;
    }

    bool is_emulated(Id type) const {
        return context_.options.profile.emulated_float64 && builder_.width(type) == 64;
    }

    void choose_versions() {
        for (const Version& version : kVersions)
            for (const char real : {'f', 'd'}) {
                std::string args(version.args);
                std::ranges::replace(args, 'r', real);
                const auto mangled = [&](std::string_view end) {
                    const std::string name = std::string(version.name) + std::string(end);
                    return "_Z" + std::to_string(name.size()) + name + args;
                };
                const bool has = holds(version.condition, context_.options.profile, real == 'f');
                linker_.choose(mangled(""), mangled(has ? version.yes : version.no));
            }
    }

    void fail(std::string message) {
        if (error_.message.empty()) error_.message = std::move(message);
    }

    /// " (kernel 'k')" for the current function.
    std::string place() const {
        const Id function = module_.functions[function_].id();
        CallGraph graph(module_);
        for (const Instruction& entry : module_.entry_points)
            for (uint32_t index : graph.more_functions(entry.id(1)))
                if (module_.functions[index].id() == function)
                    return " (kernel '" + spirv::string_at(entry, 2) + "')";
        return {};
    }

    // ---- One function ----

    void link_function() {
        variables_.clear();
        replaced_.clear();
        whole_.clear();
        const auto size = emulated_sizes_.find(module_.functions[function_].id());
        groups_.emulate_size(size == emulated_sizes_.end() ? 0 : size->second);
        for (size_t b = 0; b < module_.functions[function_].blocks.size(); ++b) {
            std::vector<Instruction> body = std::move(module_.functions[function_].blocks[b].body), out;
            out_ = &out;
            builder_.set_sink(out_);
            long_division_.begin_block();
            for (Instruction& inst : body) {
                builder_.set_line(inst.line);
                groups_.widen_scopes(inst);
                if (inst.op == Op::OpFunctionCall && link_call(inst)) continue;
                if (!link_instruction(inst, out)) out.push_back(std::move(inst));
            }
            builder_.set_sink(nullptr);
            builder_.set_line({});
            module_.functions[function_].blocks[b].body = std::move(out);
        }
        if (!replaced_.empty())
            for_each_use(module_.functions[function_], [&](spirv::Operand& operand) {
                if (const auto found = replaced_.find(operand.id()); found != replaced_.end())
                    operand = found->second;
            });
        if (variables_.empty()) return;
        std::vector<Instruction>& entry = module_.functions[function_].blocks.front().body;
        entry.insert(entry.begin(), variables_.begin(), variables_.end());
    }

    /// Returns true if emitted code replaces the call.
    bool link_call(Instruction& inst) {
        const auto import = imports_.find(inst.id(0));
        if (import == imports_.end()) return false;
        const std::string name(source_name(import->second));
        if (is_extended_copy(builder_, name, inst)) {
            const Result<Id> event = emit_extended_copy(builder_, linker_, inst);
            if (event)
                replace(inst.result, *event);
            else
                fail(event.error().message + place());
            return true;
        }
        Result<Id> function = linker_.import_function(import->second);
        if (!function) return fail(function.error().message), false;
        if (!*function)
            return fail("function '" + name + "' is declared but defined nowhere" + place()), false;
        inst.operands[0] = *function;
        return false;
    }

    bool is_opencl_set(Id set) {
        if (!opencl_std_)
            for (const Instruction& inst : module_.ext_inst_imports)
                if (spirv::string_at(inst, 0) == "OpenCL.std") opencl_std_ = inst.result;
        return set == opencl_std_;
    }

    void replace(Id result, Id value) {
        if (const auto known = replaced_.find(value); known != replaced_.end()) value = known->second;
        replaced_[result] = value;
    }

    /// Returns true if emitted code replaces the instruction.
    bool link_instruction(Instruction& inst, std::vector<Instruction>& out) {
        if (inst.op == Op::OpGroupAsyncCopy) {
            const Result<Id> event = emit_async_copy(builder_, linker_, inst);
            if (event)
                replaced_[inst.result] = *event;
            else
                fail(event.error().message + place());
            return true;
        }
        if (inst.op == Op::OpGroupWaitEvents) {
            emit_wait_events(builder_);
            return true;
        }
        if (const std::optional<Id> value = groups_.emit(inst)) {
            if (!groups_.error().empty()) fail(groups_.error() + place());
            if (*value) replaced_[inst.result] = *value;
            return true;
        }
        if (inst.type && builder_.op_of_type(inst.type) == spirv::kTypeMatrix) return false;
        if (const DeviceProfile& profile = context_.options.profile;
            profile.quirks.wrong_around_calls && profile.int64) {
            const Result<Id> value = long_division_.emit(inst);
            if (!value) fail(value.error().message + place());
            if (value && *value) replace(inst.result, *value);
            if (!value || *value) return true;
        }
        if (inst.op == Op::OpConvertUToF || inst.op == Op::OpConvertSToF) whole_.insert(inst.result);
        const MathRow* row = nullptr;
        std::vector<Id> args;
        if (inst.op == Op::OpExtInst && inst.word(1) == OpenCLLIB::Half_divide && is_opencl_set(inst.id(0))) {
            // From here on it is the operator, which handles all floats (OpenCL C 3.0 6.15.2).
            inst.op = Op::OpFDiv;
            inst.operands = {inst.id(2), inst.id(3)};
            return link_division(inst);
        }
        if (inst.op == Op::OpExtInst && is_opencl_set(inst.id(0))) {
            row = find_row(inst.word(1));
            for (size_t i = 2; i < inst.operands.size(); ++i) args.push_back(inst.id(i));
        } else if (inst.op == Op::OpFRem || inst.op == Op::OpFMod) {
            row = find_row(OpenCLLIB::Fmod);
            args = {inst.id(0), inst.id(1)};
        } else if (inst.op == Op::OpFDiv) {
            const bool is_reciprocal = is_one(inst.id(0)) && wants_library(kReciprocal, inst.id(1));
            if (!is_reciprocal && !wants_library(kDivision, inst.id(0))) return link_division(inst);
            row = is_reciprocal ? &kReciprocal : &kDivision;
            args = {inst.id(1)};
            if (!is_reciprocal) args.insert(args.begin(), inst.id(0));
        }
        if (row && row->instruction == OpenCLLIB::Sincos && !wants_library(*row, args[0])) {
            emit_sincos(inst, args);
            return true;
        }
        if (!row || !wants_library(*row, args[0])) return false;
        Id value = call(*row, inst.type, args);
        if (!value) return false;
        if (inst.op == Op::OpFMod) value = floor_remainder(value, args[1]);
        if (out.back().result == value)
            out.back().result = inst.result;
        else
            replaced_[inst.result] = value;
        return true;
    }

    /// 1.0, or a vector of it, of double
    bool is_one(Id value) const {
        const Instruction* constant = builder_.find_global(value);
        if (!constant) return false;
        if (constant->op == Op::OpConstantComposite)
            return std::ranges::all_of(constant->operands,
                                       [&](const spirv::Operand& part) { return is_one(part.id()); });
        return constant->op == Op::OpConstant && builder_.width(constant->type) == 64 &&
               constant->word(0) == 0 && constant->word(1) == 0x3ff00000;
    }

    /// The library keeps its divisors in range. A float that was an integer is zero or has a magnitude from 1
    /// to 2^64, for which Vulkan guarantees 2.5 ulp.
    bool link_division(const Instruction& inst) {
        const bool is_promised = builder_.width(inst.type) == 32 && whole_.contains(inst.id(1));
        const bool is_relaxed = context_.options.fast_math && builder_.width(inst.type) != 16;
        return function_ < own_functions_ && !is_relaxed && !is_promised &&
               emit_division(builder_, inst, context_.options.denorms_are_zero);
    }

    /// OpFMod of OpFRem's result: with the sign of the divisor where it is not zero.
    Id floor_remainder(Id rest, Id divisor) {
        const Id type = builder_.type_of(rest), zero = builder_.constant_null(type);
        const Id truth = builder_.with_count(builder_.type_bool(), builder_.count(type));
        const Id below = builder_.append(Op::OpFOrdLessThan, truth, {rest, zero});
        const Id divisor_below = builder_.append(Op::OpFOrdLessThan, truth, {divisor, zero});
        const Id differ = builder_.append(Op::OpLogicalNotEqual, truth, {below, divisor_below});
        const Id nonzero = builder_.append(Op::OpFOrdNotEqual, truth, {rest, zero});
        const Id wrong = builder_.append(Op::OpLogicalAnd, truth, {differ, nonzero});
        const Id sum = builder_.append(Op::OpFAdd, type, {rest, divisor});
        return builder_.append(Op::OpSelect, type, {wrong, sum, rest});
    }

    void emit_sincos(const Instruction& inst, const std::vector<Id>& args) {
        const Id set = inst.id(0), x[] = {args[0]};
        store(args[1], builder_.ext_inst(set, inst.type, OpenCLLIB::Cos, x));
        replaced_[inst.result] = builder_.ext_inst(set, inst.type, OpenCLLIB::Sin, x);
    }

    bool wants_library(const MathRow& row, Id x) const {
        const TranslateOptions& options = context_.options;
        const DriverQuirks& quirks = options.profile.quirks;
        const uint32_t width = builder_.width(builder_.type_of(x));
        // `is_coarse`: the device's own function of float is not exact enough even for relaxed math.
        const auto relaxed = [&](bool is_coarse) { return !options.fast_math || width != 32 || is_coarse; };
        switch (row.policy) {
            case Policy::Library: return true;
            case Policy::Relaxed: return relaxed(false);
            case Policy::RelaxedExp: return relaxed(quirks.coarse_exp2);
            case Policy::RelaxedLog: return relaxed(quirks.coarse_log2);
            case Policy::HalfExp: return quirks.exp2_loses_nan;
            case Policy::Fused:
                if (is_emulated(builder_.type_of(x))) return false;  // emulate_doubles calls the library
                return !(width == 16 ? options.profile.fused_half_fma : options.profile.fused_fma);
            case Policy::Double:
                return function_ < own_functions_ && width == 64 && !options.profile.emulated_float64;
            case Policy::Rounded: {
                const bool is_own = function_ < own_functions_;
                switch (width) {
                    case 32: return is_own && &row != &kReciprocal && options.correctly_rounded_divide_sqrt;
                    case 64:
                        return !options.profile.emulated_float64 && fuses_mad(options.profile, 64) &&
                               (quirks.wrong_around_calls || (is_own && &row != &kDivision));
                    default: return false;
                }
            }
        }
        return true;
    }

    // ---- Calls ----

    static std::string_view float_code(uint32_t width) {
        return width == 16 ? "Dh" : width == 32 ? "f" : "d";
    }
    static std::string mangle(const MathRow& row, uint32_t width, uint32_t count) {
        Mangler mangler(row.name);
        for (char arg : row.args)
            mangler.add(arg == 'f' || arg == 'p' ? float_code(width) : "i", count, arg == 'p' || arg == 'q');
        return mangler.text();
    }

    Id import(const std::string& name) {
        Result<Id> function = linker_.import_function(name);
        if (function) return *function;
        fail(function.error().message);
        return {};
    }

    Id call(const MathRow& row, Id type, const std::vector<Id>& args) {
        const Id float_type = builder_.type_of(args[0]);
        const uint32_t width = builder_.width(float_type), count = builder_.count(float_type);
        if (count > 1)
            if (const Id function = import(mangle(row, width, count)))
                return call_function(row, function, type, args, width);
        uint32_t library_width = width;
        Id function = import(mangle(row, width, 1));
        if (!function && width == 16) {
            library_width = 32;
            function = import(mangle(row, 32, 1));
        }
        if (!function) {
            fail("built-in function '" + std::string(row.name) + "' for " +
                 (width == 64   ? "double"
                  : width == 16 ? "half"
                                : "float") +
                 " is not in the library" + place());
            return {};
        }
        if (count == 1) return call_function(row, function, type, args, library_width);
        return call_by_component(row, function, type, args, library_width);
    }

    Id call_by_component(const MathRow& row, Id function, Id type, const std::vector<Id>& args,
                         uint32_t width) {
        const uint32_t count = builder_.count(type);
        spirv::Operands results;
        std::vector<spirv::Operands> stored(args.size());
        for (uint32_t c = 0; c < count; ++c) {
            std::vector<Id> scalars;
            for (size_t i = 0; i < args.size(); ++i) {
                if (is_pointer_arg(row, i)) {
                    scalars.push_back({});
                    continue;
                }
                const Id element = builder_.element(builder_.type_of(args[i]));
                scalars.push_back(builder_.append(Op::OpCompositeExtract, element, {args[i], c}));
            }
            std::vector<Id> outputs(args.size());
            results.push_back(
                call_scalar(row, function, builder_.element(type), scalars, width, args, outputs));
            for (size_t i = 0; i < args.size(); ++i)
                if (is_pointer_arg(row, i)) stored[i].push_back(outputs[i]);
        }
        for (size_t i = 0; i < args.size(); ++i)
            if (is_pointer_arg(row, i)) {
                const Id pointee = builder_.pointee(builder_.type_of(args[i]));
                store(args[i], builder_.append(Op::OpCompositeConstruct, pointee, stored[i]));
            }
        return builder_.append(Op::OpCompositeConstruct, type, std::move(results));
    }

    Id call_function(const MathRow& row, Id function, Id type, const std::vector<Id>& args, uint32_t width) {
        std::vector<Id> outputs(args.size());
        const Id result = call_scalar(row, function, type, args, width, args, outputs);
        for (size_t i = 0; i < args.size(); ++i)
            if (is_pointer_arg(row, i)) store(args[i], outputs[i]);
        return result;
    }

    static bool is_pointer_arg(const MathRow& row, size_t i) {
        return row.args[i] == 'p' || row.args[i] == 'q';
    }

    /// Links one call. `outputs` receives the values that the function wrote through its pointers.
    Id call_scalar(const MathRow& row, Id function, Id type, const std::vector<Id>& values, uint32_t width,
                   const std::vector<Id>& args, std::vector<Id>& outputs) {
        spirv::Operands operands = {function};
        std::vector<Id> temporaries(args.size());
        const uint32_t count = builder_.count(type);
        for (size_t i = 0; i < args.size(); ++i) {
            if (is_pointer_arg(row, i)) {
                Id pointee = builder_.with_count(builder_.pointee(builder_.type_of(args[i])), count);
                if (builder_.is_float(builder_.element(pointee)))
                    pointee = builder_.with_element(pointee, builder_.type_float(width));
                temporaries[i] = temporary(pointee);
                operands.push_back(temporaries[i]);
            } else {
                operands.push_back(to_width(values[i], width));
            }
        }
        const Id library_type =
            is_float(type) ? builder_.with_element(type, builder_.type_float(width)) : type;
        const Id result = builder_.append(Op::OpFunctionCall, library_type, std::move(operands));
        for (size_t i = 0; i < args.size(); ++i) {
            if (!temporaries[i]) continue;
            const Id pointee = builder_.pointee(builder_.type_of(temporaries[i]));
            const auto aligned = static_cast<uint32_t>(layout_.of(pointee).alignment_bytes);
            const Id loaded = builder_.append(Op::OpLoad, pointee,
                                              {temporaries[i], spv::MemoryAccessMask::Aligned, aligned});
            const Id wanted = builder_.element(builder_.pointee(builder_.type_of(args[i])));
            outputs[i] = to_width(loaded, builder_.width(wanted));
        }
        return to_width(result, builder_.width(type));
    }

    bool is_float(Id type) const { return builder_.is_float(builder_.element(type)); }

    /// A float in another format (half computed as float); integers stay.
    Id to_width(Id value, uint32_t width) {
        const Id type = builder_.type_of(value);
        if (!is_float(type) || builder_.width(type) == width) return value;
        return builder_.append(Op::OpFConvert, builder_.with_element(type, builder_.type_float(width)),
                               {value});
    }

    Id temporary(Id pointee) {
        Instruction inst{.op = Op::OpVariable,
                         .type = builder_.type_pointer(spv::StorageClass::Function, pointee),
                         .result = builder_.fresh(),
                         .operands = {spv::StorageClass::Function}};
        const Id id = inst.result;
        builder_.set_sink(&variables_);
        builder_.append(std::move(inst));
        builder_.set_sink(out_);
        return id;
    }

    void store(Id pointer, Id value) {
        const auto aligned = static_cast<uint32_t>(layout_.of(builder_.type_of(value)).alignment_bytes);
        builder_.append_void(Op::OpStore, {pointer, value, spv::MemoryAccessMask::Aligned, aligned});
    }

    Module& module_;
    PassContext& context_;
    Builder builder_;
    OpenclLayout layout_;
    LibraryLinker linker_;
    LongDivision long_division_;
    GroupFunctions groups_;
    spirv::IdMap<uint32_t> emulated_sizes_ = {};  // of sub-groups, by function
    spirv::IdMap<std::string> imports_ = {};
    size_t function_ = 0;
    size_t own_functions_ = 0;                 // without the library's, which stand behind
    std::vector<Instruction> variables_ = {};  // of the function at hand
    std::vector<Instruction>* out_ = nullptr;  // the block's new body
    spirv::IdMap<Id> replaced_ = {};
    spirv::IdSet whole_ = {};  // floats of the function at hand that were integers
    Id opencl_std_ = {};
    Error error_ = {};
};

}  // namespace

Result<Done> link_builtins(Module& module, PassContext& context) {
    lower_event_type(module);
    Result<Done> linked = BuiltinLinking(module, context).run();
    if (linked) spell_out_saturation(module);
    return linked;
}

}  // namespace caldera::vulkan
