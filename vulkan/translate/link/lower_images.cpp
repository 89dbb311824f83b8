// SPDX-License-Identifier: Apache-2.0
// lower_images: turns an image into a pointer to its descriptor in constant memory, and a sampler into the
// bits of its literal. Image instructions become calls of the library (builtins/image), and queries become
// loads from the descriptor. With Abi::Descriptors, an image is a pointer to its texels, the first byte of a
// storage buffer, and its descriptor is the row of the argument table that its window has. Functions have a
// parameter more for its format.
//
// What Images::Hardware makes Vulkan's is bind_images' work.
//
// Before: kernels are described; check_supported has declined samples, and levels by descriptors. After:
// there is no type or instruction of images in memory, and none of samplers if all images are.
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/link/library_imports.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/function_type.h"
#include "vulkan/translate/support/image_constants.h"
#include "vulkan/translate/support/image_operands.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/replace_types.h"
#include "vulkan/translate/support/rewrite_block.h"
#include "vulkan/translate/support/window_numbers.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

constexpr uint32_t word_of(size_t offset_bytes) { return static_cast<uint32_t>(offset_bytes / 4); }
constexpr uint32_t kWidth = word_of(offsetof(ImageDescriptor, width)),
                   kHeight = word_of(offsetof(ImageDescriptor, height)),
                   kDepth = word_of(offsetof(ImageDescriptor, depth)),
                   kArraySize = word_of(offsetof(ImageDescriptor, array_size)),
                   kOrder = word_of(offsetof(ImageDescriptor, channel_order)),
                   kDataType = word_of(offsetof(ImageDescriptor, channel_data_type));

/// The part of the library's function names, the number of coordinates and of their gradients, and the sizes
/// that OpImageQuerySize returns.
struct Shape {
    spv::Dim dim = {};
    bool is_array = false;
    std::string_view name = {};
    uint32_t coordinates = 0, gradients = 0;
    uint32_t extent_count = 0;
    std::array<uint32_t, 3> extents = {};
};

const Shape& image_shape(const Instruction& image_type) {
    static constexpr Shape kShapes[] = {
        {spv::Dim::Dim1D, false, "1d", 1, 1, 1, {kWidth}},
        {spv::Dim::Buffer, false, "1d", 1, 1, 1, {kWidth}},
        {spv::Dim::Dim1D, true, "1d_array", 2, 1, 2, {kWidth, kArraySize}},
        {spv::Dim::Dim2D, false, "2d", 2, 2, 2, {kWidth, kHeight}},
        {spv::Dim::Dim2D, true, "2d_array", 4, 2, 3, {kWidth, kHeight, kArraySize}},
        {spv::Dim::Dim3D, false, "3d", 4, 4, 3, {kWidth, kHeight, kDepth}}};
    constexpr size_t kDim = 1, kArrayed = 3;
    const auto found = std::ranges::find_if(kShapes, [&](const Shape& shape) {
        return shape.dim == static_cast<spv::Dim>(image_type.word(kDim)) &&
               shape.is_array == (image_type.word(kArrayed) != 0);
    });
    check(found != std::end(kShapes), "an image has a shape that OpenCL does not have");
    return *found;
}

class ImageLowering {
 public:
    ImageLowering(spirv::Module& module, PassContext& context)
        : module_(module),
          options_(context.options),
          program_(context.interface),
          argument_table_(context.variables.argument_table),
          builder_(module),
          imports_(builder_) {}

    void run() {
        count_reads();
        mark_kernels();
        take_formats();
        for (spirv::Function& function : module_.functions) {
            for (spirv::Block& block : function.blocks) {
                rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>&) {
                    if (!lower(inst)) builder_.append(std::move(inst));
                });
            }
            results_.apply(function);
        }
        imports_.finish();
    }

 private:
    struct Sampled {
        Id image = {}, sampler = {};
    };

    /// Returns true if emitted code replaces the instruction.
    bool lower(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpSampledImage:
            case Op::OpImageRead:
            case Op::OpImageWrite:
            case Op::OpImageQuerySize:
            case Op::OpImageQuerySizeLod:
            case Op::OpImageQueryFormat:
            case Op::OpImageQueryOrder:
            case Op::OpImageQueryLevels:
            case Op::OpSubgroupImageBlockReadINTEL:
            case Op::OpSubgroupImageBlockWriteINTEL:
                if (is_hardware(inst.id(0))) return false;
                break;
            case Op::OpImageSampleExplicitLod:
                if (undefined_.contains(inst.id(0)) || is_undefined(inst.id(0))) {
                    results_.set(inst.result, builder_.undef(inst.type));
                    return true;
                }
                if (!sampled_.contains(inst.id(0))) return false;
                break;
            case Op::OpUndef:
                if (builder_.op_of_type(inst.type) != Op::OpTypeSampledImage) return false;
                undefined_.insert(inst.result);
                return true;
            case Op::OpFunctionCall: return pass_formats(inst);
            default: return false;
        }
        switch (inst.op) {
            case Op::OpSampledImage: sampled_[inst.result] = {inst.id(0), inst.id(1)}; return true;
            case Op::OpImageSampleExplicitLod: sample(inst); return true;
            case Op::OpImageRead: read(inst); return true;
            case Op::OpImageWrite: write(inst); return true;
            case Op::OpImageQuerySize:
            case Op::OpImageQuerySizeLod: query_size(inst); return true;
            case Op::OpImageQueryFormat: query(inst, kDataType, kFirstDataType); return true;
            case Op::OpImageQueryOrder: query(inst, kOrder, kFirstOrder); return true;
            case Op::OpImageQueryLevels: query_levels(inst); return true;
            case Op::OpSubgroupImageBlockReadINTEL: read_block(inst); return true;
            case Op::OpSubgroupImageBlockWriteINTEL: write_block(inst); return true;
            default: return false;
        }
    }

    // ---- Counts ----

    /// Sets image_reads of the kernels.
    void count_reads() {
        const CallGraph graph(module_);
        std::vector<uint32_t> reads(module_.functions.size());
        for (const uint32_t f : graph.order().callees_first) {
            uint64_t its = 0;
            for (const spirv::Block& block : module_.functions[f].blocks)
                for (const Instruction& inst : block.body) its += reads_memory(inst);
            for (const uint32_t callee : graph.callees(f)) its += reads[callee];
            reads[f] = static_cast<uint32_t>(std::min<uint64_t>(its, std::numeric_limits<uint32_t>::max()));
        }
        for (size_t k = 0; k < module_.entry_points.size(); ++k)
            if (const uint32_t f = graph.index_of(module_.entry_points[k].id(1)); f != CallGraph::kNone)
                program_.kernels[k].image_reads = reads[f];
    }

    /// An image of a sampled read is that of the OpSampledImage before it, which is one such read.
    bool reads_memory(const Instruction& inst) const {
        return (inst.op == Op::OpSampledImage || inst.op == Op::OpImageRead) && !is_hardware(inst.id(0));
    }

    bool is_undefined(Id value) const {
        const Instruction* constant = builder_.find_global(value);
        return constant && constant->op == Op::OpUndef;
    }

    bool is_hardware(Id image) const {
        return becomes_hardware(*builder_.find_global(builder_.type_of(image)), options_);
    }

    // ---- Formats ----

    /// A kernel's images are the addresses that it is given with the numbers of their formats in the highest
    /// bits, which are specialisation constants.
    void mark_kernels() {
        for (size_t k = 0; k < module_.entry_points.size(); ++k)
            for (spirv::Function& function : module_.functions)
                if (function.id() == module_.entry_points[k].id(1)) mark(function, program_.kernels[k]);
    }

    void mark(spirv::Function& function, const Kernel& kernel) {
        if (by_table()) return mark_bindings(function, kernel);
        std::vector<Instruction> code;
        const spirv::SinkScope sink(builder_, &code);
        const Id u64 = builder_.type_int(64);
        for (size_t i = 0; i < function.params.size(); ++i) {
            Instruction& param = function.params[i];
            if (kernel.arguments[i].kind != ArgumentKind::Image) continue;
            const Id given = builder_.fresh();
            const Id format = builder_.spec_constant_u32(kernel.arguments[i].spec_id, 0);
            const Id address = builder_.append(Op::OpConvertPtrToU, u64, {given});
            const Id wide = builder_.append(Op::OpUConvert, u64, {format});
            const Id high = builder_.append(Op::OpShiftLeftLogical, u64,
                                            {wide, builder_.constant_u64(kImageFormatShift)});
            const Id marked = builder_.append(Op::OpBitwiseOr, u64, {address, high});
            builder_.append({.op = Op::OpConvertUToPtr,
                             .type = param.type,
                             .result = param.result,
                             .operands = {marked}});
            formats_[param.result] = format;
            param.result = given;
        }
        if (!code.empty()) function.insert_at_entry(std::move(code));
    }

    /// Only the bindings of a kernel's images tell their rows of the table.
    void mark_bindings(const spirv::Function& function, const Kernel& kernel) {
        for (size_t i = 0; i < function.params.size(); ++i) {
            const KernelArgument& argument = kernel.arguments[i];
            if (argument.kind != ArgumentKind::Image) continue;
            formats_[function.params[i].result] = builder_.spec_constant_u32(argument.spec_id, 0);
            rows_[function.params[i].result] = builder_.constant_u32(argument.binding * kTableRowWords);
        }
    }

    /// By descriptors, a function has a parameter for the format of each of its images. Addresses have bits
    /// for it.
    void take_formats() {
        if (!by_table()) return;
        for (spirv::Function& function : module_.functions) {
            if (function.blocks.empty() || is_kernel(module_, function.id())) continue;
            std::vector<uint32_t> images;
            for (uint32_t i = 0; i < function.params.size(); ++i)
                if (builder_.op_of_type(function.params[i].type) == Op::OpTypeImage &&
                    !is_hardware(function.params[i].result))
                    images.push_back(i);
            if (images.empty()) continue;
            const spirv::SinkScope sink(builder_, &function.params);
            for (const uint32_t i : images) {
                const Id image = function.params[i].result;
                formats_[image] = builder_.append(Op::OpFunctionParameter, builder_.type_int(32), {});
            }
            match_params(builder_, function);
            images_of_[function.id()] = std::move(images);
        }
    }

    bool pass_formats(const Instruction& call) {
        const auto images = images_of_.find(call.id(0));
        if (images == images_of_.end()) return false;
        Instruction longer = call;
        for (const uint32_t i : images->second) longer.operands.push_back(format_of(call.id(1 + i)));
        builder_.append(std::move(longer));
        return true;
    }

    bool by_table() const { return program_.abi == Abi::Descriptors; }

    /// The row of the argument table that describes the image.
    Id row_of(Id image) {
        const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
        if (!argument_table_) {
            argument_table_ = builder_.variable(spv::StorageClass::UniformConstant, u32);
            builder_.decorate(argument_table_, spv::Decoration::Alignment, {16u});
        }
        Id word = rows_[image];
        if (!word) {
            const Id bits = builder_.append(Op::OpConvertPtrToU, u64, {image});
            const Id high = builder_.append(Op::OpShiftRightLogical, u64, {bits, builder_.constant_u64(32)});
            const Id window = builder_.append(Op::OpUConvert, u32, {high});
            const Id binding =
                builder_.append(Op::OpISub, u32, {window, builder_.constant_u32(kFirstBindingWindow)});
            word = builder_.append(Op::OpIMul, u32, {binding, builder_.constant_u32(kTableRowWords)});
        }
        return builder_.append(Op::OpInBoundsPtrAccessChain, builder_.type_of(argument_table_),
                               {argument_table_, word});
    }

    /// By descriptors, the table has the format of an image whose origin is not known.
    Id format_of(Id image) {
        if (const auto known = formats_.find(image); known != formats_.end()) return known->second;
        if (by_table()) return builder_.constant_u32(0);
        const Id u64 = builder_.type_int(64);
        const Id bits = builder_.append(Op::OpConvertPtrToU, u64, {image});
        const Id high =
            builder_.append(Op::OpShiftRightLogical, u64, {bits, builder_.constant_u64(kImageFormatShift)});
        return builder_.append(Op::OpUConvert, builder_.type_int(32), {high});
    }

    const Shape& shape(Id image) const { return image_shape(*builder_.find_global(builder_.type_of(image))); }

    // ---- Reading and writing ----

    void sample(const Instruction& inst) {
        const Sampled from = sampled_.at(inst.id(0));
        const Shape& shape = this->shape(from.image);
        const Id at = numbers(inst.id(1), shape.coordinates);
        std::vector<Id> args = {from.image, format_of(from.image), from.sampler, at};
        std::string_view what =
            builder_.is_float(builder_.element(builder_.type_of(at))) ? "sample" : "fetch";
        if (const auto gradients = gradients_of(inst)) {
            what = "sample_gradient";
            for (const Id gradient : *gradients) args.push_back(numbers(gradient, shape.gradients));
        } else if (const Id level = level_of(builder_, inst)) {
            what = "sample_level";
            args.push_back(level);
        } else if (what == "sample" && builder_.is_float(builder_.element(inst.type)) &&
                   is_nearest(from.sampler)) {
            what = "nearest";
        }
        give(inst, call(what, from.image, color_type(inst.type), std::move(args)));
    }

    /// A literal that does not filter. The module needs no filters for it.
    bool is_nearest(Id sampler) const {
        const Instruction* literal = builder_.find_global(sampler);
        return literal && literal->op == Op::OpConstantSampler && !(sampler_bits(*literal) & kSamplerLinear);
    }

    void read(const Instruction& inst) {
        const Id image = inst.id(0), level = level_of(builder_, inst);
        std::vector<Id> args = {image, format_of(image), numbers(inst.id(1), shape(image).coordinates)};
        if (level) args.push_back(level);
        give(inst, call(level ? "read_level" : "read", image, color_type(inst.type), std::move(args)));
    }

    void write(const Instruction& inst) {
        const Id image = inst.id(0), level = level_of(builder_, inst);
        Id color = inst.id(2);
        const Id type = builder_.type_of(color);
        if (builder_.count(type) == 1)  // depth
            color = builder_.append(Op::OpCompositeConstruct, builder_.type_vector(type, 4),
                                    {color, color, color, color});
        if (is_half(type)) color = builder_.append(Op::OpFConvert, color_type(type), {color});
        std::vector<Id> args = {image, format_of(image), numbers(inst.id(1), shape(image).coordinates)};
        if (level) args.push_back(level);
        args.push_back(color);
        call(level ? "write_level" : "write", image, {}, std::move(args));
    }

    /// As many components as the library's function takes.
    Id numbers(Id given, uint32_t wanted) {
        const Id type = builder_.type_of(given);
        const uint32_t count = builder_.count(type);
        if (count == wanted) return given;
        if (wanted == 1) return builder_.append(Op::OpCompositeExtract, builder_.element(type), {given, 0u});
        spirv::Operands operands = {given, given};
        for (uint32_t i = 0; i < wanted; ++i) operands.push_back(std::min(i, count - 1));
        return builder_.append(Op::OpVectorShuffle, builder_.with_count(type, wanted), std::move(operands));
    }

    bool is_half(Id type) const {
        const Id element = builder_.element(type);
        return builder_.is_float(element) && builder_.width(element) == 16;
    }
    /// The library's type for colours and depths of this type: four floats or 32-bit integers.
    Id color_type(Id type) {
        const bool is_float = builder_.is_float(builder_.element(type));
        return builder_.type_vector(is_float ? builder_.type_float(32) : builder_.type_int(32), 4);
    }

    /// `color`: the result's type, or none of a function whose last argument is the colour.
    Id call(std::string_view what, Id image, Id color, std::vector<Id> args) {
        const bool is_float =
            builder_.is_float(builder_.element(color ? color : builder_.type_of(args.back())));
        return call(std::string(what) + "_" + std::string(shape(image).name) + (is_float ? "_f" : "_u"),
                    color ? color : builder_.type_void(), std::move(args));
    }

    /// The first of `args` is the image.
    Id call(const std::string& what, Id result, std::vector<Id> args) {
        if (by_table()) args.insert(args.begin() + 1, row_of(args[0]));
        return ask((by_table() ? "bound_image_" : "image_") + what, result, args);
    }
    Id ask(const std::string& function, Id result, const std::vector<Id>& args) {
        std::vector<Id> types;
        spirv::Operands operands(args.begin(), args.end());
        for (const Id arg : args) types.push_back(builder_.type_of(arg));
        operands.insert(operands.begin(), imports_.function(function, result, types));
        return builder_.append(Op::OpFunctionCall, result, std::move(operands));
    }

    /// The colour as the instruction gives it.
    void give(const Instruction& inst, Id color) {
        const Id type = builder_.with_count(builder_.type_of(color), builder_.count(inst.type));
        if (type != builder_.type_of(color))
            color = builder_.append(Op::OpCompositeExtract, type, {color, 0u});
        if (is_half(inst.type)) color = builder_.append(Op::OpFConvert, inst.type, {color});
        results_.set(inst.result, color);
    }

    // ---- Blocks of bytes (cl_intel_subgroups): a component is in the row below the one before ----

    void read_block(const Instruction& inst) {
        const Id image = inst.id(0), element = builder_.element(inst.type);
        const uint32_t count = builder_.count(inst.type), width = builder_.width(element);
        spirv::Operands values;
        for (uint32_t c = 0; c < count; ++c)
            values.push_back(call("read_block_" + std::to_string(width), element,
                                  {image, format_of(image), block_place(inst.id(1), width / 8, c)}));
        results_.set(inst.result,
                     count == 1 ? values[0].id()
                                : builder_.append(Op::OpCompositeConstruct, inst.type, std::move(values)));
    }

    void write_block(const Instruction& inst) {
        const Id image = inst.id(0), type = builder_.type_of(inst.id(2)), element = builder_.element(type);
        const uint32_t count = builder_.count(type), width = builder_.width(element);
        for (uint32_t c = 0; c < count; ++c) {
            const Id value =
                count == 1 ? inst.id(2) : builder_.append(Op::OpCompositeExtract, element, {inst.id(2), c});
            call("write_block_" + std::to_string(width), builder_.type_void(),
                 {image, format_of(image), block_place(inst.id(1), width / 8, c), value});
        }
    }

    /// Where a work-item's value is in the given row of a block.
    Id block_place(Id start, uint32_t value_bytes, uint32_t row) {
        const Id u32 = builder_.type_int(32), int2 = builder_.type_vector(u32, 2);
        if (!sub_group_local_id_)
            sub_group_local_id_ =
                new_built_in_variable(builder_, spv::BuiltIn::SubgroupLocalInvocationId, u32);
        const Id lane = builder_.append(Op::OpLoad, u32, {sub_group_local_id_});
        const Id column = builder_.append(Op::OpIMul, u32, {lane, builder_.constant_u32(value_bytes)});
        const Id offset =
            builder_.append(Op::OpCompositeConstruct, int2, {column, builder_.constant_u32(row)});
        return builder_.append(Op::OpIAdd, int2, {start, offset});
    }

    // ---- Queries ----

    /// Only the library knows how to extract the descriptor's address from the bits of an image.
    Id load(Id image, uint32_t word) {
        const Id u32 = builder_.type_int(32);
        image = by_table() ? row_of(image) : ask("image_descriptor", builder_.type_of(image), {image});
        const Id pointer = builder_.append(Op::OpInBoundsPtrAccessChain,
                                           builder_.type_pointer(spv::StorageClass::UniformConstant, u32),
                                           {image, builder_.constant_u32(word)});
        return builder_.append(Op::OpLoad, u32, {pointer, spv::MemoryAccessMask::Aligned, 4u});
    }

    void query(const Instruction& inst, uint32_t word, uint32_t first) {
        const Id number = load(inst.id(0), word);
        results_.set(inst.result,
                     builder_.append(Op::OpISub, inst.type, {number, builder_.constant_u32(first)}));
    }

    /// The integer as one of another type.
    Id with_width(Id number, Id type) {
        return builder_.type_of(number) == type ? number : builder_.append(Op::OpUConvert, type, {number});
    }

    void query_levels(const Instruction& inst) {
        results_.set(inst.result,
                     with_width(ask("image_levels", builder_.type_int(32), {inst.id(0)}), inst.type));
    }

    void query_size(const Instruction& inst) {
        spirv::Operands numbers;
        const Id element = builder_.element(inst.type);
        Id image = inst.id(0);
        const bool is_first = inst.op == Op::OpImageQuerySize || is_zero(builder_, inst.id(1));
        if (!is_first && !by_table())
            image = ask("image_level", builder_.type_of(image),
                        {image, with_width(inst.id(1), builder_.type_int(32))});
        const Shape& sizes = shape(inst.id(0));
        for (const uint32_t word : std::span(sizes.extents).first(sizes.extent_count))
            numbers.push_back(with_width(load(image, word), element));
        results_.set(inst.result, numbers.size() == 1 ? numbers[0].id()
                                                      : builder_.append(Op::OpCompositeConstruct, inst.type,
                                                                        std::move(numbers)));
    }

    spirv::Module& module_;
    const TranslateOptions& options_;
    ProgramInterface& program_;
    Id& argument_table_;
    Builder builder_;
    LibraryImports imports_;
    spirv::IdMap<Id> formats_ = {};  // of kernels' images, and by descriptors of functions' too
    spirv::IdMap<std::vector<uint32_t>> images_of_ = {};  // parameters of functions that take formats
    spirv::IdMap<Id> rows_ = {};  // of kernels' images, by descriptors: an index of the table's words
    spirv::IdMap<Sampled> sampled_ = {};
    spirv::IdSet undefined_ = {};  // sampled images
    Id sub_group_local_id_ = {};
    spirv::Substitution results_ = {};
};

/// `storage` is the class of what images point to.
void replace_opaque_types(spirv::Module& module, const TranslateOptions& options, spv::StorageClass storage) {
    spirv::IdMap<Id> types;
    FirstTypes first(module);
    const Id u32 = first.add(Op::OpTypeInt, {32u, 0u});
    const Id image = first.add(Op::OpTypePointer, {storage, u32});
    const bool has_hardware = options.images == Images::Hardware;
    for (const Instruction& inst : module.globals) {
        const bool is_replaced = (inst.op == Op::OpTypeImage && !becomes_hardware(inst, options)) ||
                                 (inst.op == Op::OpTypeSampledImage && types.contains(inst.id(0)));
        if (is_replaced) types[inst.result] = image;
        if (inst.op == Op::OpTypeSampler && !has_hardware) types[inst.result] = u32;
    }
    if (!has_hardware) number_constant_samplers(module);
    replace_types(module, std::move(types));
}

}  // namespace

Result<Done> lower_images(spirv::Module& module, PassContext& context) {
    const bool has_any = std::ranges::any_of(module.globals, [&](const Instruction& inst) {
        return (inst.op == Op::OpTypeImage && !becomes_hardware(inst, context.options)) ||
               (inst.op == Op::OpTypeSampler && context.options.images == Images::Memory);
    });
    if (!has_any) return Done{};
    ImageLowering(module, context).run();
    replace_opaque_types(module, context.options,
                         context.interface.abi == Abi::Descriptors ? spv::StorageClass::CrossWorkgroup
                                                                   : spv::StorageClass::UniformConstant);
    return Done{};
}

}  // namespace caldera::vulkan
