// SPDX-License-Identifier: Apache-2.0
// lower_memory: turns typed OpenCL pointers into integers. A SPIR-V pointer is made at each access, to a
// scalar or a vec2 to vec4.
//
//   global, constant  u64 device address; OpConvertUToPtr to PhysicalStorageBuffer at the access. With
//                     descriptors, u64 window and offset (windows.h); an element of a storage
//                     buffer at the access
//   local, private    u32 offset in a region: an array of one element type if accesses allow it, else words;
//                     large private ones are in a buffer (private_buffer.cpp); local ones that are accessed
//                     by several widths are in a block, where the device has such (local_blocks.cpp)
//   generic           the only space if the points-to analysis finds just one, else u64 with the space in the
//                     top bits
//   program scope     constants are folded into their uses, or are in the data segment with the variables;
//   with
//                     constants_in_module, those that can be are private arrays with initializers
//
// If the device lacks integers of 8, 16 or 64 bits, memory is accessed in words or pairs of words. Values
// still have their types (lower_int64, lower_narrow_ints change them).
//
// The steps are: facts about the module as it is (Source, Layout), the objects that a pointer may point to
// (PointsTo), pointers as formulas (Addresses), one array per class of objects (Regions). Then types are
// replaced and functions rewritten.
//
// Before: no call takes or returns a pointer to private or local memory; no parameter is ByVal.
#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"
#include "spirv/support/try.h"
#include "vulkan/translate/memory/guarded_local.h"
#include "vulkan/translate/memory/rewrite.h"
#include "vulkan/translate/memory/types.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace memory;

constexpr uint64_t kMaxLeaves = 1 << 14;  // of one value that is loaded or stored at once
constexpr uint32_t kMaxDepth = 255;       // SPIR-V 2.17 "Structure nesting depth"
constexpr uint32_t kMaxTableRows = 256;   // every device has uniform buffers of 16 KiB

Result<Done> check_sizes(const spirv::Module& module, const Source& source) {
    for (const Instruction& inst : module.globals)
        if (source.layout()[inst.result].depth > kMaxDepth)
            return Error{"a type nests deeper than " + std::to_string(kMaxDepth) + " levels"};
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                for (const AccessInfo& access : source.accesses(inst))
                    if (const TypeInfo& type = source.layout()[access.type]; type.leaves > kMaxLeaves)
                        return Error{"a value of " + std::to_string(type.size_bytes) +
                                     " bytes is too large to load or store at once"};
    return Done{};
}

/// Whether local memory can be blocks of explicit layout. A later pass may add a variable where fences are
/// barriers.
bool has_local_blocks(const TranslateOptions& options) {
    const DeviceProfile& profile = options.profile;
    return profile.workgroup_explicit_layout && profile.int8 && profile.int16 &&
           spirv::spirv_version(options.target) >= 0x00010400 && !profile.quirks.fences_are_barriers;
}

/// What a kernel has of an array without the arguments. The array has as many bytes at least as other kernels
/// need without arguments, but those may take the place of a kernel's own arguments.
uint64_t local_bytes(const Region& region, size_t kernel) {
    const bool has_arguments = std::ranges::any_of(region.objects, [&](const Object& object) {
        return object.argument >= 0 &&
               (object.kernels.empty() || std::ranges::count(object.kernels, kernel) != 0);
    });
    return has_arguments ? align_up(region.kernel_bytes[kernel], region.argument_align_bytes)
                         : region.size_bytes;
}

/// Reports how much local memory each kernel uses, without its arguments and without the part that grows with
/// the work-group.
Result<Done> report_local_bytes(const spirv::Module& module, const Source& source, const Regions& regions,
                                const LocalViews& views, const DeviceProfile& profile,
                                ProgramInterface& program) {
    spirv::IdMap<const Region*> arrays;
    for (const auto& [key, region] : regions.all())
        if (region.space == Space::Local && !region.block && !source.is_group_values(region.objects[0].id))
            arrays[region.variable] = &region;
    CallGraph graph(module, true);  // not the one before the rewrite: other functions use other variables
    for (size_t i = 0; i < module.entry_points.size(); ++i) {  // described in their order
        Kernel& kernel = program.kernels.at(i);
        kernel.local_bytes = 0;
        for (const Id variable : graph.variables(module.entry_points[i].id(1))) {
            if (const auto array = arrays.find(variable); array != arrays.end())
                kernel.local_bytes += local_bytes(*array->second, i);
            // A kernel has one block, or arrays.
            if (const auto view = views.variables().find(variable); view != views.variables().end())
                kernel.local_bytes = view->second->size_bytes;
        }
        if (kernel.local_bytes > profile.max_local_bytes)
            return Error{"kernel '" + kernel.name + "': its local memory takes " +
                         std::to_string(kernel.local_bytes) + " bytes with its objects aligned, but " +
                         profile.name + " has " + std::to_string(profile.max_local_bytes)};
    }
    return Done{};
}

/// Tells later passes which arrays now hold what the group functions keep for each work-item.
void replace_group_values(const Source& source, const Regions& regions, PassVariables& variables) {
    std::vector<Id> replaced;
    for (const auto& [key, region] : regions.all())
        if (region.variable && region.objects.size() == 1 && source.is_group_values(region.objects[0].id))
            replaced.push_back(region.variable);
    variables.group_values = std::move(replaced);
}

/// Names and decorations of values that have others in their place.
void drop_replaced(spirv::Module& module, FunctionRewriter& rewriter) {
    auto replaced = [&](const Instruction& inst) {
        return inst.operands[0].is_id && rewriter.replacement(inst.id(0)) != inst.id(0);
    };
    std::erase_if(module.names, replaced);
    std::erase_if(module.annotations, replaced);
}

/// DebugGlobalVariable names the arrays now.
void replace_debug_variables(spirv::Module& module, const Regions& regions) {
    for (spirv::Instruction& inst : module.debug_info)
        for (spirv::Operand& operand : inst.operands)
            if (operand.is_weak)
                if (const Id variable = regions.own_variable(operand.id()))
                    operand = spirv::Operand::weak(variable);
}

}  // namespace

Result<Done> lower_memory(spirv::Module& module, PassContext& context) {
    declare_integers(module);
    const Source source(module, context.variables);
    TRY(check_sizes(module, source));
    const bool copies = context.options.profile.quirks.copies_constant_arrays;
    const ModuleConstants constants =
        context.options.constants_in_module
            ? ModuleConstants(module, source, copies ? kMaxCopiedConstantBytes : kMaxModuleConstantBytes)
            : ModuleConstants();
    const PointsTo points_to(module, source, constants);
    const Addresses addresses(module, source, points_to);
    LazyCallGraph calls(module);
    const Windows windows(module, source, context.interface, calls);
    const bool guards = context.options.checks != MemoryChecks::None;
    Regions regions(module, source, points_to, addresses, windows, calls, context.options.profile, guards,
                    has_local_blocks(context.options));
    DataSegment data(source, addresses, context.interface);

    replace_types(module, source, points_to);
    spirv::Builder builder(module);
    TRY(regions.create(builder, context.interface, data));
    Emitter emitter(builder, source, points_to, addresses, regions, windows, data, context.options.profile);
    Helpers helpers(emitter);
    emitter.set_out_of_line(&helpers);
    FunctionRewriter rewriter(emitter, helpers, context.options.profile, context.options.argument_table);
    for (uint32_t i = 0; i < module.functions.size(); ++i) TRY(rewriter.run(module.functions[i], i));
    helpers.build();
    guard_changes(builder, emitter.unspared());
    TRY(rewriter.declined());
    drop_replaced(module, rewriter);
    if (emitter.has_table()) context.interface.argument_table_rows = windows.table_rows();
    if (context.interface.argument_table_rows > kMaxTableRows)
        return Error{"the kernels' arguments need " + std::to_string(windows.table_rows()) +
                     " bindings; programs with images or comparisons of pointers have at most " +
                     std::to_string(kMaxTableRows)};
    TRY(report_local_bytes(module, source, regions, emitter.local_views(), context.options.profile,
                           context.interface));
    emitter.add_host_variables(context.variables);
    replace_group_values(source, regions, context.variables);
    replace_debug_variables(module, regions);
    for (size_t i = 0; i < context.interface.kernels.size(); ++i)  // in the order of the entry points
        context.interface.kernels[i].private_bytes = regions.private_bytes(i);
    return data.finish();
}

}  // namespace caldera::vulkan
