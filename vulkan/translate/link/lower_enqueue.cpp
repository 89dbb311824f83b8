// SPDX-License-Identifier: Apache-2.0
// lower_enqueue: turns device-side enqueue into calls of library functions (builtins/enqueue), which write
// records to a device queue. Before: kernels are described, and enqueued blocks are kernels that take their
// captures by value (take_captures). After: there is no type or instruction of device-side enqueue. A queue
// and a device event are u64 (see vulkan/interface.h), an ndrange_t is a struct of numbers. The queue's
// buffer is a program-scope variable with the binding that it has with descriptors. The dispatch's number is
// an Input variable.
#include <algorithm>
#include <map>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/enqueue_calls.h"
#include "vulkan/translate/link/library_imports.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/replace_types.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

// Operands of OpEnqueueKernel.
enum : size_t { kQueue = 0, kRange = 2, kWaitCount = 3, kLocalSizes = 10 };

void replace_handles(spirv::Module& module) {
    spirv::IdMap<Id> types;
    for (const Instruction& inst : module.globals)
        if (inst.op == Op::OpTypeQueue || inst.op == Op::OpTypeDeviceEvent) types[inst.result];
    if (types.empty()) return;
    const Id u64 = FirstTypes(module).add(Op::OpTypeInt, {64u, 0u});
    for (auto& [from, to] : types) to = u64;
    replace_types(module, std::move(types));
}

class EnqueueLowering {
 public:
    EnqueueLowering(spirv::Module& module, PassContext& context)
        : module_(module), context_(context), builder_(module), imports_(builder_) {
        for (uint32_t i = 0; i < module.entry_points.size(); ++i) kernels_[module.entry_points[i].id(1)] = i;
        for (const Function& function : module.functions) {
            if (function.params.empty()) continue;
            first_params_.emplace(function.id(), function.params[0].type);
        }
    }

    void run() {
        mark_kernels();
        for (size_t i = 0; i < module_.functions.size(); ++i) lower(i);
        for (const auto& [kernel, put] : puts_) make_put(kernel, put);
        imports_.finish();
    }

 private:
    void mark_kernels() {
        CallGraph graph(module_);
        auto enqueues = [&](uint32_t index) {
            for (const spirv::Block& block : module_.functions[index].blocks)
                for (const Instruction& inst : block.body)
                    if (is_enqueue(inst.op) && inst.op != Op::OpBuildNDRange) return true;
            return false;
        };
        for (size_t k = 0; k < module_.entry_points.size(); ++k)
            interface().kernels[k].enqueues =
                std::ranges::any_of(graph.functions(module_.entry_points[k].id(1)), enqueues);
        for (const Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (const auto operands = block_operands(inst))
                        interface().kernels[kernels_.at(operands->kernel)].is_block = true;
    }
    ProgramInterface& interface() { return context_.interface; }

    void lower(size_t index) {
        replaced_ = {};
        for (size_t b = 0; b < module_.functions[index].blocks.size(); ++b) {
            std::vector<Instruction> body = std::move(module_.functions[index].blocks[b].body), out;
            const spirv::SinkScope sink(builder_, &out);
            for (Instruction& inst : body) {
                builder_.set_line(inst.line);
                if (!lower(inst)) builder_.append(std::move(inst));
            }
            builder_.set_line({});
            module_.functions[index].blocks[b].body = std::move(out);
        }
        if (!replaced_.empty()) replaced_.apply(module_.functions[index]);
    }

    /// Returns true if emitted code replaces the instruction.
    bool lower(Instruction& inst) {
        switch (inst.op) {
            case Op::OpEnqueueKernel: replace(inst, enqueue_kernel(inst)); return true;
            case Op::OpEnqueueMarker: replace(inst, enqueue_marker(inst)); return true;
            case Op::OpGetKernelNDrangeSubGroupCount:
                replace(inst, has_sub_groups() ? ask("_Z23enqueue_sub_group_countPU3AS1jjDv3_mS1_S1_", inst)
                                               : number(1));
                return true;
            case Op::OpGetKernelNDrangeMaxSubGroupSize:
                replace(inst, ask(has_sub_groups() ? "_Z22enqueue_sub_group_sizePU3AS1jjDv3_mS1_S1_"
                                                   : "_Z23enqueue_work_group_sizePU3AS1jjDv3_mS1_S1_",
                                  inst));
                return true;
            case Op::OpGetKernelWorkGroupSize: replace(inst, work_group_size(inst)); return true;
            case Op::OpGetKernelPreferredWorkGroupSizeMultiple:
                replace(inst, call("_Z26enqueue_preferred_multiplePU3AS1j", u32(), {}));
                return true;
            case Op::OpGetKernelLocalSizeForSubgroupCount:
                replace(inst, local_size_for(inst.id(0), inst));
                return true;
            case Op::OpGetKernelMaxNumSubgroups: replace(inst, most_sub_groups(inst)); return true;
            case Op::OpRetainEvent: call("_Z12event_retainPU3AS1jm", {}, {inst.id(0)}); return true;
            case Op::OpReleaseEvent: call("_Z13event_releasePU3AS1jm", {}, {inst.id(0)}); return true;
            case Op::OpCreateUserEvent:
                replace(inst, call("_Z12event_createPU3AS1j", u64(), {}));
                return true;
            case Op::OpIsValidEvent: {
                const Id valid = call("_Z14event_is_validPU3AS1jm", u32(), {inst.id(0)});
                replace(inst, append(Op::OpINotEqual, builder_.type_bool(), {valid, number(0)}));
                return true;
            }
            case Op::OpSetUserEventStatus:
                call("_Z16event_set_statusPU3AS1jmj", {}, {inst.id(0), inst.id(1)});
                return true;
            case Op::OpCaptureEventProfilingInfo: {
                const Id address = append(Op::OpConvertPtrToU, u64(), {inst.id(2)});
                call("_Z13event_profilePU3AS1jmjm", {}, {inst.id(0), command(), address});
                return true;
            }
            case Op::OpGetDefaultQueue:
                replace(inst, call("_Z13queue_defaultPU3AS1j", u64(), {}));
                return true;
            case Op::OpBuildNDRange: replace(inst, build_range(inst)); return true;
            // Handles that were pointers to a front end.
            case Op::OpConvertUToPtr:
                if (builder_.is_pointer(inst.type)) return false;
                replace(inst, inst.id(0));
                return true;
            case Op::OpConvertPtrToU:
                if (builder_.is_pointer(builder_.type_of(inst.id(0)))) return false;
                replace(inst, inst.id(0));
                return true;
            default: return false;
        }
    }

    // ---- NDRanges: {dimensions, offset[3], size[3], local size[3]} as clang's ndrange_t ----

    struct Range {
        Id dimensions = {}, offset = {}, size = {}, local_size = {};  // vectors of 3
    };

    /// The sizes are numbers for one dimension, and arrays for more.
    Id build_range(const Instruction& inst) {
        const Id size_type = builder_.type_of(inst.id(0));
        const bool is_array = builder_.op_of_type(size_type) == Op::OpTypeArray;
        const auto dimensions = static_cast<uint32_t>(is_array ? builder_.array_length(size_type) : 1);
        const Id zero = builder_.constant_u64(0);
        auto part = [&](uint32_t member, Id value) {
            spirv::Operands numbers;
            for (uint32_t d = 0; d < 3; ++d)
                numbers.push_back(d >= dimensions ? zero
                                  : is_array      ? append(Op::OpCompositeExtract, u64(), {value, d})
                                                  : value);
            return append(Op::OpCompositeConstruct, builder_.member(inst.type, member), std::move(numbers));
        };
        const Id offset = part(1, inst.id(2)), size = part(2, inst.id(0)), local_size = part(3, inst.id(1));
        return append(Op::OpCompositeConstruct, inst.type, {number(dimensions), offset, size, local_size});
    }

    Range load_range(Id pointer) {
        const Id pointer_type = builder_.type_of(pointer);
        const Id array = builder_.type_array(u64(), 3), members[] = {u32(), array, array, array};
        Id type = builder_.pointee(pointer_type);
        if (builder_.op_of_type(type) != Op::OpTypeStruct) {
            type = builder_.type_struct(members);
            pointer =
                append(Op::OpBitcast, builder_.type_pointer(builder_.storage(pointer_type), type), {pointer});
        }
        const Id range = append(Op::OpLoad, type, {pointer, spv::MemoryAccessMask::Aligned, 8u});
        auto part = [&](uint32_t member) {
            spirv::Operands numbers;
            for (uint32_t d = 0; d < 3; ++d)
                numbers.push_back(append(Op::OpCompositeExtract, u64(), {range, member, d}));
            return append(Op::OpCompositeConstruct, u64x3(), std::move(numbers));
        };
        const Id dimensions = append(Op::OpCompositeExtract, u32(), {range, 0u});
        return {dimensions, part(1), part(2), part(3)};
    }
    Id sizes(const std::array<uint32_t, 3>& sizes) {
        const Id numbers[] = {builder_.constant_u64(sizes[0]), builder_.constant_u64(sizes[1]),
                              builder_.constant_u64(sizes[2])};
        return builder_.constant_composite(u64x3(), numbers);
    }

    // ---- Commands ----

    Id enqueue_kernel(const Instruction& inst) {
        const BlockOperands block = *block_operands(inst);
        const uint32_t index = kernels_.at(block.kernel);
        const Kernel& kernel = interface().kernels[index];
        const Range range = load_range(inst.id(kRange));
        std::vector<Id> local_sizes;
        for (size_t i = kLocalSizes; i < inst.operands.size(); ++i)
            local_sizes.push_back(load_size(inst.id(i)));
        const auto tail_words =
            static_cast<uint32_t>(local_sizes.size() + (kernel.arguments[0].size_bytes + 3) / 4);
        const Id bytes = argument_bytes(local_sizes);
        const BlockMemory& memory = memory_of(index);
        const Id required = sizes(kernel.required_local_size);
        return enqueue(inst, kWaitCount, tail_words, [&](Id is_valid, Id wants_event) {
            const Id begun =
                call("_Z13enqueue_beginPU3AS1jmjjjjDv3_mS1_S1_S1_jjjmjjj", u32x4(),
                     {inst.id(kQueue), options(), command(), number(index), range.dimensions, range.offset,
                      range.size, range.local_size, required, inst.id(kWaitCount), is_valid, wants_event,
                      bytes, memory.bytes, memory.bytes_per_work_item, number(tail_words)});
            spirv::Operands put = {put_of(block.kernel, builder_.type_of(block.captures),
                                          static_cast<uint32_t>(local_sizes.size())),
                                   append(Op::OpCompositeExtract, u32(), {begun, 0u}), block.captures};
            for (const Id size : local_sizes) put.push_back(append(Op::OpUConvert, u32(), {size}));
            append(Op::OpFunctionCall, builder_.type_void(), std::move(put));
            return begun;
        });
    }

    Id enqueue_marker(const Instruction& inst) {
        return enqueue(inst, 1, 0, [&](Id is_valid, Id wants_event) {
            return call("_Z20enqueue_begin_markerPU3AS1jmjjjjj", u32x4(),
                        {inst.id(0), options(), command(), inst.id(1), is_valid, wants_event});
        });
    }

    /// The common part of two kinds of instructions. Operand `at` is the number of events; the wait list and
    /// the returned event follow. begin(whether the list is valid, whether an event is requested) returns the
    /// tail of a record, a status and an event.
    template <class Begin>
    Id enqueue(const Instruction& inst, size_t at, uint32_t tail_words, Begin begin) {
        const Id count = inst.id(at), list = events(inst.id(at + 1)), returned = events(inst.id(at + 2));
        Id is_valid = {};
        if (list) {
            is_valid = call("_Z16events_are_validPU3AS1jjPU3AS4Km", u32(), {count, list});
        } else {
            const Id is_empty = append(Op::OpIEqual, builder_.type_bool(), {count, number(0)});
            is_valid = append(Op::OpSelect, u32(), {is_empty, number(1), number(0)});
        }
        const Id wants = returned ? call_plain("_Z15event_is_wantedPU3AS4m", u32(), {returned}) : number(0);
        const Id begun = begin(is_valid, wants);
        auto part = [&](uint32_t i) { return append(Op::OpCompositeExtract, u32(), {begun, i}); };
        const Id tail = part(0), status = part(1);
        if (list) call("_Z10events_putPU3AS1jjjjPU3AS4Km", {}, {tail, number(tail_words), count, list});
        if (returned) call_plain("_Z12event_returnjjjPU3AS4m", {}, {tail, part(2), part(3), returned});
        return status;
    }

    Id load_size(Id pointer) {
        const Id type = builder_.type_of(pointer);
        if (builder_.pointee(type) != u64())
            pointer = append(Op::OpBitcast, builder_.type_pointer(builder_.storage(type), u64()), {pointer});
        return append(Op::OpLoad, u64(), {pointer, spv::MemoryAccessMask::Aligned, 8u});
    }

    /// The bytes of the local arguments; ~0 if one of them has none. No sum of sizes wraps.
    Id argument_bytes(const std::vector<Id>& local_sizes) {
        const Id most = builder_.constant_u64(uint64_t{1} << 32);  // more than any device has
        Id sum = builder_.constant_u64(0), is_empty = {};
        for (const Id size : local_sizes) {
            const Id is_small = append(Op::OpULessThan, builder_.type_bool(), {size, most});
            sum = append(Op::OpIAdd, u64(), {sum, append(Op::OpSelect, u64(), {is_small, size, most})});
            const Id zero = append(Op::OpIEqual, builder_.type_bool(), {size, builder_.constant_u64(0)});
            is_empty = is_empty ? append(Op::OpLogicalOr, builder_.type_bool(), {is_empty, zero}) : zero;
        }
        return is_empty ? append(Op::OpSelect, u64(), {is_empty, builder_.constant_u64(~0ull), sum}) : sum;
    }

    /// Later passes add to what the kernel needs.
    const BlockMemory& memory_of(uint32_t kernel) {
        std::vector<BlockMemory>& all = context_.variables.block_memory;
        const auto known = std::ranges::find(all, kernel, &BlockMemory::kernel);
        if (known != all.end()) return *known;
        all.push_back({.kernel = kernel,
                       .bytes = builder_.global(Op::OpSpecConstant, u32(), {0u}),
                       .bytes_per_work_item = builder_.global(Op::OpSpecConstant, u32(), {0u})});
        return all.back();
    }

    /// A generic pointer to events; none for NULL.
    Id events(Id pointer) {
        const Instruction* global = builder_.find_global(pointer);
        if (global && global->op == Op::OpConstantNull) return {};
        const Id type = builder_.type_of(pointer),
                 generic = builder_.type_pointer(StorageClass::Generic, u64());
        if (builder_.storage(type) != StorageClass::Generic)
            pointer = append(Op::OpPtrCastToGeneric,
                             builder_.type_pointer(StorageClass::Generic, builder_.pointee(type)), {pointer});
        return builder_.type_of(pointer) == generic ? pointer : append(Op::OpBitcast, generic, {pointer});
    }

    // ---- Queries ----

    /// Else a work-group is one.
    bool has_sub_groups() const { return context_.options.profile.subgroups; }

    Id work_group_size(const Instruction& inst) {
        const auto& required =
            interface().kernels[kernels_.at(block_operands(inst)->kernel)].required_local_size;
        return number(required[0] ? required[0] * required[1] * required[2]
                                  : context_.options.profile.max_local_invocations);
    }

    // A work-group of one dimension is divided into sub-groups that are full but for the last.
    Id sub_group_size(const Instruction& inst) {
        return has_sub_groups() ? call("_Z26enqueue_preferred_multiplePU3AS1j", u32(), {})
                                : work_group_size(inst);
    }
    Id most_sub_groups(const Instruction& inst) {
        const Id size = sub_group_size(inst);
        const Id rounded = append(Op::OpIAdd, u32(), {work_group_size(inst), size});
        return append(Op::OpUDiv, u32(), {append(Op::OpISub, u32(), {rounded, number(1)}), size});
    }
    /// The size of a work-group of so many sub-groups, 0 if there is none.
    Id local_size_for(Id count, const Instruction& inst) {
        const Id most = work_group_size(inst);
        const Id wanted = append(Op::OpIMul, u32(), {count, sub_group_size(inst)});
        const Id is_large = append(Op::OpUGreaterThan, builder_.type_bool(), {wanted, most});
        const Id size = append(Op::OpSelect, u32(), {is_large, most, wanted});
        const Id is_possible =
            append(Op::OpULessThanEqual, builder_.type_bool(), {count, most_sub_groups(inst)});
        return append(Op::OpSelect, u32(), {is_possible, size, number(0)});
    }

    Id ask(const std::string& function, const Instruction& inst) {
        const Kernel& kernel = interface().kernels[kernels_.at(block_operands(inst)->kernel)];
        const bool is_required = kernel.required_local_size[0] != 0;
        const Range range = load_range(inst.id(0));
        return call(function, u32(),
                    {range.dimensions, range.size, range.local_size,
                     sizes(is_required ? kernel.required_local_size : kernel.local_size_hint)});
    }

    // ---- Functions that put local sizes and captures into a record ----

    struct Put {
        Id function = {}, captures = {};  ///< `captures`: the type of the pointer to them
        uint32_t local_sizes = 0;
    };

    Id put_of(Id kernel, Id captures, uint32_t local_sizes) {
        const auto [put, is_new] = puts_.try_emplace({kernel, captures}, Put{{}, captures, local_sizes});
        if (is_new) put->second.function = builder_.fresh();
        return put->second.function;
    }

    /// void put(uint at, T *captures, uint size...): nothing where `at`, the place in the queue, is 0.
    void make_put(const std::pair<Id, Id>& key, const Put& put) {
        const Id type = first_params_.at(key.first), words = builder_.type_of(queue());
        std::vector<Id> types = {u32(), put.captures};
        types.resize(types.size() + put.local_sizes, u32());
        builder_.begin_function(builder_.type_void(), builder_.type_function(builder_.type_void(), types), {},
                                put.function);
        std::vector<Id> params;
        for (const Id each : types) params.push_back(builder_.param(each));
        const Id fits = builder_.fresh(), end = builder_.fresh(), at = params[0];
        builder_.begin_block(builder_.fresh());
        const Id is_full = append(Op::OpIEqual, builder_.type_bool(), {at, number(0)});
        builder_.selection_merge(end);
        builder_.branch_if(is_full, end, fits);
        builder_.begin_block(fits);
        const Id record = append(Op::OpPtrAccessChain, words, {queue(), at});
        for (uint32_t i = 0; i < put.local_sizes; ++i) {
            const Id to = append(Op::OpInBoundsPtrAccessChain, words, {record, number(i)});
            builder_.append_void(Op::OpStore, {to, params[2 + i], spv::MemoryAccessMask::Aligned, 4u});
        }
        const Id from =
            append(Op::OpBitcast, builder_.type_pointer(builder_.storage(put.captures), type), {params[1]});
        const Id captures = append(Op::OpLoad, type, {from, spv::MemoryAccessMask::Aligned, 8u});
        const Id place = append(Op::OpInBoundsPtrAccessChain, words, {record, number(put.local_sizes)});
        const Id to =
            append(Op::OpBitcast, builder_.type_pointer(StorageClass::CrossWorkgroup, type), {place});
        builder_.append_void(Op::OpStore, {to, captures, spv::MemoryAccessMask::Aligned, 4u});
        builder_.branch(end);
        builder_.begin_block(end);
        builder_.return_();
        builder_.end_function();
    }

    // ---- What all of them need ----

    Id u32() { return builder_.type_int(32); }
    Id u64() { return builder_.type_int(64); }
    Id u32x4() { return builder_.type_vector(u32(), 4); }
    Id u64x3() { return builder_.type_vector(u64(), 3); }
    Id number(uint32_t value) { return builder_.constant_u32(value); }
    Id append(Op op, Id type, spirv::Operands operands) {
        return builder_.append(op, type, std::move(operands));
    }
    void replace(const Instruction& inst, Id value) { replaced_.set(inst.result, value); }

    Id options() {
        uint32_t bits = 0;
        if (context_.options.detailed_enqueue_errors) bits |= kEnqueueDetailedErrors;
        if (context_.options.uniform_work_group_size) bits |= kEnqueueUniform;
        return number(bits);
    }

    /// The library's function, which takes the queue's buffer first; `result` may be none.
    Id call(const std::string& mangled_name, Id result, std::vector<Id> args) {
        args.insert(args.begin(), queue());
        return call_plain(mangled_name, result, args);
    }
    Id call_plain(const std::string& mangled_name, Id result, const std::vector<Id>& args) {
        std::vector<Id> types;
        for (const Id arg : args) types.push_back(builder_.type_of(arg));
        if (!result) result = builder_.type_void();
        spirv::Operands operands = {imports_.function(mangled_name, result, types)};
        for (const Id arg : args) operands.push_back(arg);
        return append(Op::OpFunctionCall, result, std::move(operands));
    }

    Id queue() {
        Id& queue = context_.variables.device_queue;
        if (queue) return queue;
        queue = builder_.variable(StorageClass::CrossWorkgroup, u32());
        builder_.decorate(queue, spv::Decoration::DescriptorSet,
                          {kDeviceQueueSet + context_.interface.argument_set});
        builder_.decorate(queue, spv::Decoration::Binding, {kDeviceQueueBinding});
        builder_.decorate(queue, spv::Decoration::Alignment, {8u});
        return queue;
    }

    /// The number of the dispatch.
    Id command() {
        if (!command_) {
            command_ = builder_.variable(StorageClass::Input, u32());
            builder_.name(command_, "caldera.Command");
            context_.variables.hidden.emplace_back(command_, HiddenKind::Command);
        }
        return append(Op::OpLoad, u32(), {command_});
    }

    spirv::Module& module_;
    PassContext& context_;
    Builder builder_;
    LibraryImports imports_;
    spirv::IdMap<uint32_t> kernels_ = {};  // by function: index in the interface
    spirv::IdMap<Id> first_params_ = {};   // by function: type; of a block's kernel that of its captures
    std::map<std::pair<Id, Id>, Put> puts_ = {};  // by kernel and type of the pointer to captures
    Id command_ = {};
    spirv::Substitution replaced_ = {};  // in the function at hand
};

}  // namespace

Result<Done> lower_enqueue(spirv::Module& module, PassContext& context) {
    const bool has_any = std::ranges::any_of(module.globals, [](const Instruction& inst) {
        return inst.op == Op::OpTypeQueue || inst.op == Op::OpTypeDeviceEvent;
    });
    const bool asks = std::ranges::any_of(module.functions, [](const Function& function) {
        return std::ranges::any_of(function.blocks, [](const spirv::Block& block) {
            return std::ranges::any_of(block.body, is_enqueue, &Instruction::op);
        });
    });
    if (!has_any && !asks) return Done{};
    replace_handles(module);
    EnqueueLowering(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
