// SPDX-License-Identifier: Apache-2.0
// bind_images: with Images::Hardware, an image argument becomes a sampled image, a storage image or a texel
// buffer in a descriptor, and a sampler becomes a descriptor too, be it an argument or a literal. Image
// instructions become those of Vulkan.
//
// Before: kernels are described and numbered; no function but a kernel has images or samplers
// (inline_functions). After: an image or a sampler that is a value of the source is a number (u32): of the
// argument, or of the literal's bits. A value that may be one of several reads each of them and selects, so
// that no descriptor is indexed at run time. The parameters for images and samplers are not used.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/image_constants.h"
#include "vulkan/translate/support/replace_types.h"
#include "vulkan/translate/support/rewrite_block.h"
#include "vulkan/translate/support/texel_kind.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// A literal sampler's number has this bit, and its SamplerBits.
constexpr uint32_t kLiteral = uint32_t{1} << 31;

struct BoundShape {
    spv::Dim dim = {};
    bool arrayed = false, multisampled = false, must_normalize = false;
    bool sliced = false;  // a 2D array of the slices of the source's 3D image
    /// Whether the last coordinate of the source is a layer.
    bool has_layers() const { return arrayed && !sliced; }
    uint32_t count() const {  // of coordinates
        const uint32_t texel = dim == spv::Dim::Dim3D ? 3 : dim == spv::Dim::Dim2D ? 2 : 1;
        return texel + (arrayed ? 1 : 0);
    }
};

BoundShape bound_shape(const Instruction& image_type, const TranslateOptions& options) {
    constexpr size_t kDim = 1, kArrayed = 3, kMultisampled = 4;
    const auto dim = static_cast<spv::Dim>(image_type.word(kDim));
    if (options.volumes_as_slices && dim == spv::Dim::Dim3D)
        return {.dim = spv::Dim::Dim2D, .arrayed = true, .must_normalize = true, .sliced = true};
    return {dim, image_type.word(kArrayed) != 0, image_type.word(kMultisampled) != 0,
            !may_count_texels(image_shape_of(image_type))};
}

/// Where a sampler finds the level of detail: a number, or gradients. Without either, it is the first level.
struct LevelOfDetail {
    Id number = {}, by_x = {}, by_y = {};
    explicit operator bool() const { return number || by_x; }
};

class ImageBinder {
 public:
    ImageBinder(spirv::Module& module, PassContext& context)
        : module_(module), context_(context), program_(context.interface), builder_(module) {}

    void run() {
        for (const Instruction& inst : module_.globals) {
            if (inst.op == Op::OpConstantSampler) literals_[inst.result] = sampler_bits(inst);
            const bool is_loaded = inst.op == Op::OpVariable && inst.operands.size() > 1;
            if (is_loaded && literals_.contains(inst.id(1))) literals_[inst.result] = literals_[inst.id(1)];
        }
        check(module_.entry_points.size() == program_.kernels.size(), "an entry point is not described");
        for (size_t k = 0; k < module_.entry_points.size(); ++k)
            for (spirv::Function& function : module_.functions)
                if (function.id() == module_.entry_points[k].id(1)) bind(function, program_.kernels[k]);
        number_literals();
    }

    /// Whether a filter gets coordinates that count texels, and that were divided by the image's size.
    bool rounds_coordinates() const { return rounds_coordinates_; }
    /// Why the module cannot be, or nothing.
    const std::string& fault() const { return fault_; }

 private:
    struct Sampled {
        Id image = {}, sampler = {};
    };
    using Numbers = std::set<uint32_t>;

    // ---- A kernel ----

    void bind(spirv::Function& function, Kernel& kernel) {
        kernel_ = &kernel;
        function_ = &function;
        definitions_.clear();
        numbers_.clear();
        sampled_.clear();
        masked_.clear();
        components_.clear();
        spirv::Substitution results;
        results_ = &results;
        for (size_t i = 0; i < function.params.size(); ++i) {
            if (!is_vulkan_image(kernel.arguments[i].kind)) continue;
            const Id param = function.params[i].result;
            numbers_[param] = {static_cast<uint32_t>(i)};
            results.set(param, builder_.constant_u32(static_cast<uint32_t>(i)));
        }
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (inst.result && is_opaque(inst.type)) definitions_[inst.result] = inst;
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) survey_levels(inst);
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) survey(inst);
        for (spirv::Block& block : function.blocks)
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>&) {
                if (!lower(inst)) builder_.append(std::move(inst));
            });
        results.apply(function);
    }

    bool is_opaque(Id type) const {
        const Op op = builder_.op_of_type(type);
        return op == Op::OpTypeImage || op == Op::OpTypeSampler || op == Op::OpTypeSampledImage;
    }

    /// Finds the images whose levels the kernel reads. Vulkan wants normalised coordinates of all their
    /// samplers.
    void survey_levels(const Instruction& inst) {
        if (inst.op == Op::OpSampledImage) sampled_[inst.result] = {inst.id(0), inst.id(1)};
        if (inst.op != Op::OpImageSampleExplicitLod || !sampled_.contains(inst.id(0)) || !level_of(inst))
            return;
        if (shape(sampled_.at(inst.id(0)).image).sliced) return;  // it has one level
        for (const uint32_t argument : numbers(sampled_.at(inst.id(0)).image))
            kernel_->arguments[argument].reads_levels = true;
    }
    LevelOfDetail level_of(const Instruction& inst) const {
        if (inst.word(2) & static_cast<uint32_t>(spv::ImageOperandsMask::Grad))
            return {.by_x = inst.id(3), .by_y = inst.id(4)};
        const Instruction* number = builder_.find_global(inst.id(3));
        const bool is_first =
            number &&
            (number->op == Op::OpConstantNull ||
             (number->op == Op::OpConstant && number->word(0) == 0 && number->operands.size() == 1));
        return is_first ? LevelOfDetail() : LevelOfDetail{.number = inst.id(3)};
    }

    /// Finds what an image's texels are, and which samplers must have normalised coordinates. Those that read
    /// levels have them (cl_khr_mipmap_image).
    void survey(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpImageSampleExplicitLod: {
                if (!sampled_.contains(inst.id(0))) break;
                const Sampled from = sampled_.at(inst.id(0));
                use(from.image, inst.type, inst, 2);
                const bool is_real = builder_.is_float(builder_.element(builder_.type_of(inst.id(1))));
                const BoundShape shape = this->shape(from.image);
                if (level_of(inst) && !shape.sliced) break;
                if (!shape.must_normalize && !(is_real && exact())) break;
                for (const uint32_t sampler : numbers(from.sampler))
                    if (!(sampler & kLiteral)) masked_.insert(sampler);
                break;
            }
            case Op::OpImageRead: use(inst.id(0), inst.type, inst, 2); break;
            case Op::OpImageWrite: use(inst.id(0), builder_.type_of(inst.id(2)), inst, 3); break;
            default: break;
        }
    }
    /// Notes what texels the instruction reads or writes.
    void use(Id image, Id type, const Instruction& inst, size_t mask_at) {
        const Id component = component_of(type, inst, mask_at);
        for (const uint32_t argument : numbers(image)) {
            components_.try_emplace(argument, component);
            if (has_open_sign(builder_, type, inst, mask_at))
                kernel_->arguments[argument].has_open_signs = true;
        }
    }

    /// Returns true if emitted code replaces the instruction.
    bool lower(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpSampledImage: return true;
            case Op::OpLoad: return load_literal(inst);
            case Op::OpImageSampleExplicitLod: sample(inst); return true;
            case Op::OpImageRead: read(inst); return true;
            case Op::OpImageWrite: write(inst); return true;
            case Op::OpImageQuerySize:
            case Op::OpImageQuerySizeLod: query_size(inst); return true;
            case Op::OpImageQueryLevels: query_levels(inst); return true;
            case Op::OpImageQuerySamples: query_samples(inst); return true;
            case Op::OpImageQueryFormat:
                query_fact(inst, HiddenKind::ChannelDataType, kFirstDataType);
                return true;
            case Op::OpImageQueryOrder: query_fact(inst, HiddenKind::ChannelOrder, kFirstOrder); return true;
            default: return false;
        }
    }

    /// From a variable that other compilers initialise with a constant sampler.
    bool load_literal(const Instruction& inst) {
        const auto literal = literals_.find(inst.id(0));
        if (literal == literals_.end()) return false;
        results_->set(inst.result, builder_.constant_u32(kLiteral | literal->second));
        return true;
    }

    // ---- Which image, which sampler ----

    /// The numbers that a value of the source may be.
    const Numbers& numbers(Id value) {
        if (const auto known = numbers_.find(value); known != numbers_.end()) return known->second;
        Numbers found;
        spirv::IdSet seen;
        std::vector<Id> open = {value};
        while (!open.empty()) {
            const Id id = open.back();
            open.pop_back();
            if (!seen.insert(id)) continue;
            if (const auto literal = literals_.find(id); literal != literals_.end()) {
                found.insert(kLiteral | literal->second);
                continue;
            }
            if (const auto known = numbers_.find(id); known != numbers_.end()) {
                found.insert(known->second.begin(), known->second.end());
                continue;
            }
            const auto definition = definitions_.find(id);
            if (definition == definitions_.end()) continue;  // undefined
            follow(definition->second, open, found);
        }
        return numbers_[value] = std::move(found);
    }

    void follow(const Instruction& inst, std::vector<Id>& open, Numbers& found) const {
        switch (inst.op) {
            case Op::OpUndef:
            case Op::OpConstantNull: return;
            case Op::OpCopyObject: open.push_back(inst.id(0)); return;
            case Op::OpSelect: open.insert(open.end(), {inst.id(1), inst.id(2)}); return;
            case Op::OpPhi:
                for (size_t i = 0; i < inst.operands.size(); i += 2) open.push_back(inst.id(i));
                return;
            default: break;
        }
        if (inst.op == Op::OpLoad && literals_.contains(inst.id(0))) {
            open.push_back(inst.id(0));
            return;
        }
        // From private memory: any that has this type.
        for (size_t i = 0; i < function_->params.size(); ++i)
            if (function_->params[i].type == inst.type && is_vulkan_image(kernel_->arguments[i].kind))
                found.insert(static_cast<uint32_t>(i));
        if (builder_.op_of_type(inst.type) == Op::OpTypeSampler)
            for (const auto& [id, bits] : literals_) found.insert(kLiteral | bits);
    }

    Id is_number(Id value, uint32_t number) {
        return builder_.append(Op::OpIEqual, builder_.type_bool(), {value, builder_.constant_u32(number)});
    }

    /// The result of `emit(number)` for the number that `value` is.
    Id pick(Id value, Id type, const std::function<Id(uint32_t)>& emit) {
        Id result = {};
        for (const uint32_t number : numbers(value)) {
            const Id next = emit(number);
            result = result ? select(is_number(value, number), next, result) : next;
        }
        return result ? result : builder_.undef(type);
    }

    /// Before SPIR-V 1.4, a condition has as many components as what it selects.
    Id select(Id condition, Id one, Id other) {
        const Id type = builder_.type_of(one);
        if (const uint32_t count = builder_.count(type); count > 1)
            condition =
                builder_.append(Op::OpCompositeConstruct, builder_.type_vector(builder_.type_bool(), count),
                                spirv::Operands(count, condition));
        return builder_.append(Op::OpSelect, type, {condition, one, other});
    }

    // ---- Descriptors ----

    const Instruction& image_type(uint32_t argument) const {
        return *builder_.find_global(function_->params[argument].type);
    }
    BoundShape shape(Id image) {
        BoundShape shape = bound_shape(*builder_.find_global(builder_.type_of(image)), context_.options);
        for (const uint32_t argument : numbers(image))
            shape.must_normalize |= kernel_->arguments[argument].reads_levels;
        return shape;
    }
    BoundShape shape(uint32_t argument) const {
        BoundShape shape = bound_shape(image_type(argument), context_.options);
        shape.must_normalize |= kernel_->arguments[argument].reads_levels;
        return shape;
    }
    bool is_sampled(uint32_t argument) const {
        const ArgumentKind kind = kernel_->arguments[argument].kind;
        return kind == ArgumentKind::SampledImage || kind == ArgumentKind::UniformTexelBuffer;
    }

    Id variable(Id type, uint32_t set, uint32_t binding) {
        const Id variable = builder_.variable(spv::StorageClass::UniformConstant, type);
        builder_.decorate(variable, spv::Decoration::DescriptorSet, {set});
        builder_.decorate(variable, spv::Decoration::Binding, {binding});
        return variable;
    }

    /// A binding has one view, which has one format.
    void fix_format(uint32_t argument, std::string_view name) {
        KernelArgument& its = kernel_->arguments[argument];
        if (its.image_format.empty()) its.image_format = name;
        if (its.image_format == name || !fault_.empty()) return;
        fault_ = "kernel '" + kernel_->name + "': its argument " + std::to_string(argument) +
                 (its.name.empty() ? "" : ", '" + its.name + "',") + " is an image of the format " +
                 its.image_format + " and of " + std::string(name) +
                 " (storage formats): the kernel uses it as floats and as integers, or as signed and "
                 "unsigned ones";
    }

    /// The argument's image, with texels of four `component`s. Its view must have such numbers, even if the
    /// kernel only asks for its size (VUID-vkCmdDispatch-format-07753).
    Id load_image(uint32_t argument, Id component) {
        KernelArgument& its = kernel_->arguments[argument];
        its.texel_numbers |= texel_number(kind_of(component));
        const BoundShape shape = this->shape(argument);
        const StorageFormat* fixed =
            is_sampled(argument) || !components_.contains(argument)
                ? nullptr
                : storage_format_of(context_.options.storage_formats, kind_of(component));
        if (fixed) fix_format(argument, fixed->name);
        const Id type =
            builder_.type(Op::OpTypeImage, {component, shape.dim, 0u, shape.arrayed ? 1u : 0u,
                                            shape.multisampled ? 1u : 0u, is_sampled(argument) ? 1u : 2u,
                                            fixed ? fixed->format : spv::ImageFormat::Unknown});
        const bool is_only_written = its.access == ArgumentAccess::WriteOnly;
        Id& known = images_[{its.binding, type, is_only_written}];
        if (!known) {
            known = variable(type, program_.argument_set, its.binding);
            if (is_only_written) builder_.decorate(known, spv::Decoration::NonReadable);
            if (!its.name.empty()) builder_.name(known, its.name);
        }
        return builder_.append(Op::OpLoad, type, {known});
    }

    Id load_sampler(uint32_t number) {
        // The unique one is OpenCL's, which goes.
        if (!sampler_type_) sampler_type_ = builder_.global(Op::OpTypeSampler, {}, {});
        const Id type = sampler_type_;
        if (number & kLiteral) {
            Id& known = literal_variables_[number & ~kLiteral];
            if (!known) known = builder_.variable(spv::StorageClass::UniformConstant, type);
            literal_uses_.push_back(number & ~kLiteral);
            kernel_->has_linear_literals |= (number & kSamplerLinear) != 0;
            return builder_.append(Op::OpLoad, type, {known});
        }
        const KernelArgument& its = kernel_->arguments[number];
        Id& known = samplers_[its.binding];
        if (!known) {
            known = variable(type, program_.argument_set, its.binding);
            if (!its.name.empty()) builder_.name(known, its.name);
        }
        return builder_.append(Op::OpLoad, type, {known});
    }

    /// clspv finds the literals of a program in the order of their last uses, the last one first.
    void number_literals() {
        std::ranges::reverse(literal_uses_);
        for (const uint32_t bits : literal_uses_) {
            if (std::ranges::find(program_.literal_samplers, bits, &LiteralSampler::bits) !=
                program_.literal_samplers.end())
                continue;
            const auto binding = static_cast<uint32_t>(program_.literal_samplers.size());
            program_.literal_samplers.push_back({binding, bits});
            const Id variable = literal_variables_.at(bits);
            builder_.decorate(variable, spv::Decoration::DescriptorSet, {0u});
            builder_.decorate(variable, spv::Decoration::Binding, {binding});
        }
    }

    /// What the host says of an argument.
    Id fact(HiddenKind kind, uint32_t argument) {
        const Id u32 = builder_.type_int(32);
        std::vector<ImageFact>& facts = context_.variables.image_facts;
        auto known = std::ranges::find_if(
            facts, [&](const ImageFact& each) { return each.kind == kind && each.argument == argument; });
        if (known == facts.end())
            known = facts.insert(known, {builder_.variable(spv::StorageClass::Input, u32), kind, argument});
        return builder_.append(Op::OpLoad, u32, {known->variable});
    }

    // ---- Types of texels ----

    Id component_of(Id type, const Instruction& inst, size_t mask_at) {
        switch (texel_kind(builder_, type, inst, mask_at)) {
            case TexelKind::Float: return builder_.type_float(32);
            case TexelKind::Signed: return builder_.type(Op::OpTypeInt, {32u, 1u});
            case TexelKind::Unsigned: break;
        }
        return builder_.type_int(32);
    }
    static uint8_t texel_number(TexelKind kind) {
        switch (kind) {
            case TexelKind::Float: return kFloatTexels;
            case TexelKind::Signed: return kSignedTexels;
            case TexelKind::Unsigned: break;
        }
        return kUnsignedTexels;
    }
    TexelKind kind_of(Id component) const {
        if (builder_.is_float(component)) return TexelKind::Float;
        return builder_.find_global(component)->word(1) != 0 ? TexelKind::Signed : TexelKind::Unsigned;
    }
    /// An integer of SPIR-V's OpenCL environment has no sign; components may have one.
    Id without_sign(Id type) {
        const Id element = builder_.element(type);
        return builder_.is_float(element) ? type
                                          : builder_.with_count(builder_.type_int(32), builder_.count(type));
    }

    /// The texel as the instruction gives it: four numbers, or the depth.
    void give(const Instruction& inst, Id texel) {
        Id type = without_sign(builder_.type_of(texel));
        if (type != builder_.type_of(texel)) texel = builder_.append(Op::OpBitcast, type, {texel});
        type = builder_.with_count(type, builder_.count(inst.type));
        if (type != builder_.type_of(texel))
            texel = builder_.append(Op::OpCompositeExtract, type, {texel, 0u});
        if (type != inst.type) texel = builder_.append(Op::OpFConvert, inst.type, {texel});  // half
        results_->set(inst.result, texel);
    }

    // ---- Reading and writing ----

    void read(const Instruction& inst) {
        const Id component = component_of(inst.type, inst, 2), texel = builder_.type_vector(component, 4);
        const Id at = coordinates(inst.id(1), shape(inst.id(0)));
        give(inst, pick(inst.id(0), texel, [&](uint32_t argument) {
                 const Id image = load_image(argument, component);
                 if (!is_sampled(argument)) return builder_.append(Op::OpImageRead, texel, {image, at});
                 spirv::Operands operands = {image, at};
                 if (shape(argument).multisampled)
                     operands.insert(operands.end(), {static_cast<uint32_t>(spv::ImageOperandsMask::Sample),
                                                      sample_number(inst)});
                 else if (shape(argument).dim != spv::Dim::Buffer)
                     operands.insert(operands.end(), {static_cast<uint32_t>(spv::ImageOperandsMask::Lod),
                                                      builder_.constant_u32(0)});
                 return builder_.append(Op::OpImageFetch, texel, std::move(operands));
             }));
    }

    /// The last image operand.
    static Id sample_number(const Instruction& inst) { return inst.operands.back().id(); }

    /// An image that the value is not gets a coordinate outside it, where a write does nothing.
    void write(const Instruction& inst) {
        const Id value = inst.id(0);
        const Id component = component_of(builder_.type_of(inst.id(2)), inst, 3);
        const Id texel = four(inst.id(2), component);
        const Id at = coordinates(inst.id(1), shape(value)), type = builder_.type_of(at);
        const Numbers& images = numbers(value);
        for (const uint32_t argument : images) {
            Id place = at;
            if (images.size() > 1) {
                const Id outside = builder_.constant_splat(
                    type, builder_.constant_int(builder_.element(type), ~uint64_t{0}));
                place = select(is_number(value, argument), at, outside);
            }
            const Id stored = context_.options.rounds_written_texels && builder_.is_float(component)
                                  ? rounded(texel, argument)
                                  : texel;
            builder_.append_void(Op::OpImageWrite, {load_image(argument, component), place, stored});
        }
    }

    // ---- Numbers that texels have (OpenCL C 3.0 8.3 "Conversion rules") ----

    /// What the image's texels have of four floats, so that it does not matter how a device rounds. Signed
    /// normalised images are not written so: Vulkan clamps to -1, where OpenCL has a number below.
    Id rounded(Id texel, uint32_t argument) {
        const Id type = fact(HiddenKind::ChannelDataType, argument);
        const Id is_bytes = has_type(type, kUnormInt8), is_half = has_type(type, kHalfFloat);
        const Id is_normalized =
            builder_.append(Op::OpLogicalOr, builder_.type_bool(), {is_bytes, has_type(type, kUnormInt16)});
        const Id other = select(is_half, as_half(texel), texel);
        return select(is_normalized, as_normalized(texel, is_bytes), other);
    }
    static constexpr uint32_t kUnormInt8 = 0x10d2, kUnormInt16 = 0x10d3, kHalfFloat = 0x10dd;
    Id has_type(Id type, uint32_t wanted) {
        return builder_.append(Op::OpIEqual, builder_.type_bool(), {type, builder_.constant_u32(wanted)});
    }
    Id pick_number(Id condition, float one, float other) {
        return select(condition, builder_.constant_f32(one), builder_.constant_f32(other));
    }
    Id four_of(Id scalar) {
        return builder_.append(Op::OpCompositeConstruct, builder_.type_vector(builder_.type_of(scalar), 4),
                               {scalar, scalar, scalar, scalar});
    }

    /// A quarter of a step beyond the nearest number of a texel: both rounding to nearest and truncation find
    /// it.
    Id as_normalized(Id texel, Id is_bytes) {
        const Id floats = builder_.type_of(texel), four_bools = builder_.type_vector(builder_.type_bool(), 4);
        const Id steps = pick_number(is_bytes, 255, 65535),
                 step = pick_number(is_bytes, 0x1.010102p-8f, 0x1.0001p-16f);
        const Id zero = splat(floats, 0);
        const Id is_number = builder_.append(Op::OpFOrdEqual, four_bools, {texel, texel});
        const Id number = builder_.append(Op::OpSelect, floats, {is_number, texel, zero});
        const Id clamped = builder_.ext_inst(glsl(), floats, GLSLstd450FClamp,
                                             std::vector<Id>{number, zero, splat(floats, 1)});
        const Id whole =
            round(GLSLstd450RoundEven, builder_.append(Op::OpFMul, floats, {clamped, four_of(steps)}));
        const Id quarter =
            builder_.append(Op::OpFMul, floats, {round(GLSLstd450FSign, whole), splat(floats, 0.25f)});
        const Id beyond = builder_.append(Op::OpFAdd, floats, {whole, quarter});
        return builder_.append(Op::OpFMul, floats, {beyond, four_of(step)});
    }

    /// Rounds to nearest even. For a small half, an addition rounds: floats from 0.5 to 1 are 2^-24 apart.
    Id as_half(Id texel) {
        const Id floats = builder_.type_of(texel), uints = builder_.type_vector(builder_.type_int(32), 4),
                 bools = builder_.type_vector(builder_.type_bool(), 4);
        const auto number = [&](uint32_t value) {
            return builder_.constant_splat(uints, builder_.constant_u32(value));
        };
        const auto compute = [&](Op op, Id one, uint32_t other) {
            return builder_.append(op, uints, {one, number(other)});
        };
        const Id bits = builder_.append(Op::OpBitcast, uints, {texel});
        const Id magnitude = compute(Op::OpBitwiseAnd, bits, 0x7fffffff);
        const Id last = compute(Op::OpBitwiseAnd, compute(Op::OpShiftRightLogical, magnitude, 13), 1);
        const Id sum = builder_.append(Op::OpIAdd, uints, {compute(Op::OpIAdd, magnitude, 0xfff), last});
        const Id normal = compute(Op::OpBitwiseAnd, sum, 0xffffe000);
        const Id positive = builder_.append(Op::OpBitcast, floats, {magnitude});
        const Id moved = builder_.append(Op::OpFAdd, floats, {positive, splat(floats, 0.5f)});
        const Id count = compute(Op::OpISub, builder_.append(Op::OpBitcast, uints, {moved}), 0x3f000000);
        const Id small = builder_.append(
            Op::OpBitcast, uints,
            {builder_.append(
                Op::OpFMul, floats,
                {builder_.append(Op::OpConvertUToF, floats, {count}), splat(floats, 0x1p-24f)})});
        const auto choose = [&](uint32_t from, Id above, Id below) {
            const Id is_above = builder_.append(Op::OpUGreaterThanEqual, bools, {magnitude, number(from)});
            return builder_.append(Op::OpSelect, uints, {is_above, above, below});
        };
        const Id finite = choose(0x38800000, normal, small);
        const Id infinite = choose(0x477ff000, number(0x7f800000), finite);
        const Id any = choose(0x7f800001, number(0x7fc00000), infinite);
        const Id sign = compute(Op::OpBitwiseAnd, bits, 0x80000000);
        return builder_.append(Op::OpBitcast, floats, {builder_.append(Op::OpBitwiseOr, uints, {any, sign})});
    }

    Id four(Id texel, Id component) {
        const Id type = builder_.type_of(texel);
        if (builder_.count(type) == 1)  // depth
            texel = builder_.append(Op::OpCompositeConstruct, builder_.type_vector(type, 4),
                                    {texel, texel, texel, texel});
        const Id wanted = builder_.type_vector(component, 4);
        if (builder_.type_of(texel) == wanted) return texel;
        return builder_.append(builder_.is_float(component) ? Op::OpFConvert : Op::OpBitcast, wanted,
                               {texel});
    }

    /// As many components as the image has.
    Id coordinates(Id at, const BoundShape& shape) { return first_of(at, shape.count()); }
    Id first_of(Id at, uint32_t count) {
        const Id type = builder_.type_of(at);
        if (count == builder_.count(type)) return at;
        if (count == 1) return builder_.append(Op::OpCompositeExtract, builder_.element(type), {at, 0u});
        spirv::Operands operands = {at, at};
        for (uint32_t i = 0; i < count; ++i) operands.push_back(i);
        return builder_.append(Op::OpVectorShuffle, builder_.with_count(type, count), std::move(operands));
    }

    // ---- Sampling ----

    void sample(const Instruction& inst) {
        if (!sampled_.contains(inst.id(0)))  // OpUndef
            return results_->set(inst.result, builder_.undef(inst.type));
        const Sampled from = sampled_.at(inst.id(0));
        const Id component = component_of(inst.type, inst, 2), texel = builder_.type_vector(component, 4);
        const Id given = coordinates(inst.id(1), shape(from.image));
        const LevelOfDetail level = as_vulkan_wants(level_of(inst), shape(from.image));
        give(inst, pick(from.image, texel, [&](uint32_t argument) {
                 return pick(from.sampler, texel, [&](uint32_t sampler) {
                     return sample(argument, sampler, component, given, level);
                 });
             }));
    }

    /// Gradients have as many components as the image has dimensions.
    LevelOfDetail as_vulkan_wants(LevelOfDetail level, const BoundShape& shape) {
        if (!level.by_x) return level;
        const uint32_t dimensions = shape.count() - (shape.arrayed ? 1 : 0);
        return {.by_x = first_of(level.by_x, dimensions), .by_y = first_of(level.by_y, dimensions)};
    }

    Id sample(uint32_t argument, uint32_t sampler, Id component, Id given, const LevelOfDetail& level) {
        const BoundShape shape = this->shape(argument);
        const bool is_whole = !builder_.is_float(builder_.element(builder_.type_of(given)));
        Id at = is_whole ? within_reach(centre_of(given, shape)) : with_near_layer(given, shape);
        if (shape.sliced) return sample_slices(argument, sampler, component, at, is_whole);
        if (sampler & kLiteral) {
            const uint32_t bits = vulkan_sampler_bits(sampler & ~kLiteral);
            if (!level && !is_whole && exact() && (bits & kSamplerNearest))
                return fetch_nearest(argument, bits, component, at);
            const bool normalizes = !(bits & kSamplerNormalized) && shape.must_normalize;
            if (!is_whole && !(bits & kSamplerNormalized)) at = within_reach(at);
            rounds_coordinates_ |= normalizes && !is_whole && !(bits & kSamplerNearest);
            if (normalizes && !is_whole && (bits & kSamplerNearest)) at = centre_at(at, shape);
            if (normalizes) at = normalized(at, argument, component);
            sampler = kLiteral | bits | (normalizes ? kSamplerNormalized : 0u);
        } else if (!level && masked_.contains(sampler)) {
            at = by_mask(at, is_whole, argument, sampler, component);
        }
        return sample_at(argument, sampler, component, at, level);
    }

    Id sample_at(uint32_t argument, uint32_t sampler, Id component, Id at, const LevelOfDetail& level = {}) {
        const Id image = load_image(argument, component);
        if (level.by_x && exact())
            return sample_at(argument, sampler, component, at,
                             {.number = level_by_gradients(level, argument, component)});
        note_sampling(argument, sampler, texel_number(kind_of(component)));
        const Id type = builder_.type(Op::OpTypeSampledImage, {builder_.type_of(image)});
        const Id both = builder_.append(Op::OpSampledImage, type, {image, load_sampler(sampler)});
        spirv::Operands operands = {both, at};
        if (level.by_x)
            operands.insert(operands.end(),
                            {static_cast<uint32_t>(spv::ImageOperandsMask::Grad), level.by_x, level.by_y});
        else
            operands.insert(operands.end(), {static_cast<uint32_t>(spv::ImageOperandsMask::Lod),
                                             level.number ? level.number : builder_.constant_f32(0)});
        return builder_.append(Op::OpImageSampleExplicitLod, builder_.type_vector(component, 4),
                               std::move(operands));
    }

    void note_sampling(uint32_t argument, uint32_t sampler, uint8_t texel_numbers) {
        ImageSampling sampling{.image = argument, .texel_numbers = texel_numbers};
        if (sampler & kLiteral)
            sampling.literal_bits = sampler & ~kLiteral;
        else
            sampling.sampler = sampler;
        std::vector<ImageSampling>& all = kernel_->samplings;
        if (std::ranges::find(all, sampling) == all.end()) all.push_back(sampling);
    }

    /// By Vulkan's formula ("Level-of-Detail Operation"), which lets devices approximate the lengths.
    Id level_by_gradients(const LevelOfDetail& level, uint32_t argument, Id component) {
        const Id type = builder_.type_of(level.by_x), f32 = builder_.type_float(32);
        const Id size = builder_.append(Op::OpConvertUToF, type,
                                        {first_of(size_of(argument, component), builder_.count(type))});
        const auto squared = [&](Id change) {
            const Id texels = builder_.append(Op::OpFMul, type, {change, size});
            return builder_.append(type == f32 ? Op::OpFMul : Op::OpDot, f32, {texels, texels});
        };
        const auto larger = [&](Id one, Id other) {
            return builder_.ext_inst(glsl(), f32, GLSLstd450FMax, std::vector<Id>{one, other});
        };
        const Id longest =
            larger(larger(squared(level.by_x), squared(level.by_y)), builder_.constant_f32(0x1p-100f));
        return builder_.append(Op::OpFMul, f32,
                               {round(GLSLstd450Log2, longest), builder_.constant_f32(0.5f)});
    }

    /// The sampler's bits are a hidden argument. It has normalised coordinates whatever they say if the
    /// kernel reads an image that wants them, and else those that the bits say.
    Id by_mask(Id at, bool is_whole, uint32_t argument, uint32_t sampler, Id component) {
        const bool normalizes = normalizes_samplers(*kernel_);
        if (is_whole && !normalizes) return at;
        const Id mask = fact(HiddenKind::SamplerMask, sampler);
        const Id is_normalized = has_bit(mask, kSamplerNormalized);
        if (is_whole) return select(is_normalized, at, normalized(at, argument, component));
        if (exact()) {
            const Id centre = nearest_centre(at, argument, component, mask);
            const Id normal = normalized(centre, argument, component);
            const Id nearest = normalizes ? normal : select(is_normalized, normal, centre);
            const Id filtered =
                normalizes ? select(is_normalized, at, normalized(at, argument, component)) : at;
            return select(has_bit(mask, kSamplerNearest), nearest, filtered);
        }
        const Id centre = select(has_bit(mask, kSamplerNearest), centre_at(at, shape(argument)), at);
        return select(is_normalized, at, normalized(centre, argument, component));
    }
    Id has_bit(Id mask, uint32_t bit) {
        const Id masked =
            builder_.append(Op::OpBitwiseAnd, builder_.type_int(32), {mask, builder_.constant_u32(bit)});
        return builder_.append(Op::OpINotEqual, builder_.type_bool(), {masked, builder_.constant_u32(0)});
    }

    // ---- The nearest texel by OpenCL's formulas (OpenCL C 3.0 8.1, 8.2) ----

    /// driver_quirks.def: finds_nearest_texels
    bool exact() const { return context_.options.exact_nearest; }

    /// What a literal sampler gives at a real coordinate, which may count texels or be normalised.
    Id fetch_nearest(uint32_t argument, uint32_t bits, Id component, Id at) {
        at = nearest_centre(at, argument, component, builder_.constant_u32(bits));
        uint32_t wanted = nearest_bits(bits);
        if (shape(argument).must_normalize) {
            at = normalized(at, argument, component);
            wanted |= kSamplerNormalized;
        }
        return sample_at(argument, kLiteral | wanted, component, at);
    }

    /// For places that are centres of texels: repeated ones are inside the image.
    static uint32_t nearest_bits(uint32_t bits) {
        const bool clamps = (bits & kSamplerAddressModes) == kSamplerClamp;
        return kSamplerNearest | (clamps ? kSamplerClamp : kSamplerClampToEdge);
    }

    /// The centre of the nearest texel, in texels: where no rounding changes what a sampler finds. Repeated
    /// coordinates are inside the image, others at most two texels outside. `bits` are the sampler's. A layer
    /// stays as it is.
    Id nearest_centre(Id at, uint32_t argument, Id component, Id bits) {
        const BoundShape shape = this->shape(argument);
        const Id type = builder_.type_of(at), size = real_size(argument, component);
        Id texel = builder_.ext_inst(
            glsl(), type, GLSLstd450FClamp,
            std::vector<Id>{round(GLSLstd450Floor, in_texels(at, size, bits)), splat(type, -2), size});
        // A fraction just below 1 may have become the size.
        const Id beyond = builder_.ext_inst(glsl(), type, GLSLstd450Step, std::vector<Id>{size, texel});
        const Id wrapped =
            builder_.append(Op::OpFSub, type, {texel, builder_.append(Op::OpFMul, type, {beyond, size})});
        texel = select(has_mode(bits, kSamplerRepeat), wrapped, texel);
        if (shape.has_layers()) texel = with_layer(texel, layer_of(at, shape), shape);
        return with_halves(texel, shape);
    }

    /// Coordinates that count texels. Repeated ones are inside the image.
    Id in_texels(Id at, Id size, Id bits) {
        const Id type = builder_.type_of(at);
        const Id fraction = builder_.append(Op::OpFSub, type, {at, round(GLSLstd450Floor, at)});
        const Id half = builder_.append(Op::OpFMul, type, {at, splat(type, 0.5f)});
        const Id even = builder_.append(Op::OpFMul, type, {round(GLSLstd450RoundEven, half), splat(type, 2)});
        const Id mirrored = round(GLSLstd450FAbs, builder_.append(Op::OpFSub, type, {at, even}));
        const Id moved = select(has_mode(bits, kSamplerRepeat), fraction,
                                select(has_mode(bits, kSamplerMirroredRepeat), mirrored, at));
        return select(has_bit(bits, kSamplerNormalized), builder_.append(Op::OpFMul, type, {moved, size}),
                      at);
    }
    Id has_mode(Id bits, uint32_t wanted) {
        const Id mode = builder_.append(Op::OpBitwiseAnd, builder_.type_int(32),
                                        {bits, builder_.constant_u32(kSamplerAddressModes)});
        return builder_.append(Op::OpIEqual, builder_.type_bool(), {mode, builder_.constant_u32(wanted)});
    }
    Id real_size(uint32_t argument, Id component) {
        const Id size = size_of(argument, component);
        return builder_.append(Op::OpConvertUToF,
                               builder_.with_count(builder_.type_float(32), shape(argument).count()), {size});
    }
    Id round(GLSLstd450 how, Id value) {
        return builder_.ext_inst(glsl(), builder_.type_of(value), how, std::vector<Id>{value});
    }
    Id splat(Id type, float value) { return builder_.constant_splat(type, builder_.constant_f32(value)); }

    // ---- The slices of a 3D image (TranslateOptions::volumes_as_slices) ----

    /// Where a filter reads: columns and rows, which are normalised, and two slices, of which the second one
    /// is nearer the larger the weight is.
    struct SlicePlaces {
        Id place = {}, first = {}, second = {}, weight = {};
    };

    /// Whole coordinates, and texels that are integers, are not filtered.
    Id sample_slices(uint32_t argument, uint32_t sampler, Id component, Id at, bool is_whole) {
        uint32_t bits = sampler & kLiteral ? vulkan_sampler_bits(sampler & ~kLiteral) : 0;
        if (is_whole) bits &= ~uint32_t{kSamplerNormalized};
        Id mask = sampler & kLiteral ? builder_.constant_u32(bits) : fact(HiddenKind::SamplerMask, sampler);
        if (is_whole && !(sampler & kLiteral))
            mask = builder_.append(Op::OpBitwiseAnd, builder_.type_int(32),
                                   {mask, builder_.constant_u32(~uint32_t{kSamplerNormalized})});
        const bool filters = !is_whole && builder_.is_float(component) && !(bits & kSamplerNearest);
        if (sampler & kLiteral)
            sampler = kLiteral | kSamplerNormalized | (filters ? bits : nearest_bits(bits));
        const auto in_slice = [&](Id place, Id slice) {
            return sample_at(argument, sampler, component,
                             in_one_slice(place, slice, argument, component, mask));
        };
        if (!filters) {
            const SlicePlaces nearest = nearest_slice(at, argument, component, mask);
            return in_slice(nearest.place, nearest.first);
        }
        SlicePlaces from = filtered_slices(at, argument, component, mask);
        const Id is_nearest = sampler & kLiteral ? Id{} : has_bit(mask, kSamplerNearest);
        if (is_nearest) {
            const SlicePlaces nearest = nearest_slice(at, argument, component, mask);
            from = {.place = select(is_nearest, nearest.place, from.place),
                    .first = select(is_nearest, nearest.first, from.first),
                    .second = select(is_nearest, nearest.first, from.second),
                    .weight = from.weight};
        }
        const Id first = in_slice(from.place, from.first), second = in_slice(from.place, from.second);
        const Id type = builder_.type_of(first), f32 = builder_.type_float(32);
        const Id rest = builder_.append(Op::OpFSub, f32, {builder_.constant_f32(1), from.weight});
        const Id mixed =
            builder_.append(Op::OpFAdd, type,
                            {builder_.append(Op::OpVectorTimesScalar, type, {first, rest}),
                             builder_.append(Op::OpVectorTimesScalar, type, {second, from.weight})});
        return is_nearest ? select(is_nearest, first, mixed) : mixed;
    }

    SlicePlaces nearest_slice(Id at, uint32_t argument, Id component, Id bits) {
        const Id centre = nearest_centre(at, argument, component, bits);
        return {.place = normalized(centre, argument, component),
                .first = round(GLSLstd450Floor, element_of(centre, 2))};
    }

    /// OpenCL C 3.0 8.2. Coordinates far away are cut to where both slices are as far outside.
    SlicePlaces filtered_slices(Id at, uint32_t argument, Id component, Id bits) {
        const Id f32 = builder_.type_float(32);
        const Id size = real_size(argument, component), depth = element_of(size, 2);
        const Id beyond = builder_.append(Op::OpFAdd, f32, {depth, builder_.constant_f32(1)});
        const Id from_centre = builder_.append(
            Op::OpFSub, f32, {element_of(in_texels(at, size, bits), 2), builder_.constant_f32(0.5f)});
        const Id slice = builder_.ext_inst(glsl(), f32, GLSLstd450FClamp,
                                           std::vector<Id>{from_centre, builder_.constant_f32(-2), beyond});
        const Id below = round(GLSLstd450Floor, slice);
        const Id above = builder_.append(Op::OpFAdd, f32, {below, builder_.constant_f32(1)});
        const Id repeats = has_mode(bits, kSamplerRepeat);
        const Id last = builder_.append(Op::OpFSub, f32, {depth, builder_.constant_f32(1)});
        const auto wrapped = [&](Op outside, Id number, Id bound, Id instead) {
            const Id wraps = builder_.append(Op::OpLogicalAnd, builder_.type_bool(),
                                             {repeats, compare(outside, number, bound)});
            return select(wraps, instead, number);
        };
        const Id zero = builder_.constant_f32(0);
        return {.place = select(has_bit(bits, kSamplerNormalized), at,
                                normalized(within_reach(at), argument, component)),
                .first = wrapped(Op::OpFOrdLessThan, below, zero, last),
                .second = wrapped(Op::OpFOrdGreaterThanEqual, above, depth, zero),
                .weight = builder_.append(Op::OpFSub, f32, {slice, below})};
    }

    /// What a sampler takes for a place in one slice. Columns far outside show the border instead of a slice
    /// that is not there. Vulkan clamps the number of a layer.
    Id in_one_slice(Id place, Id slice, uint32_t argument, Id component, Id bits) {
        const Id depth = element_of(real_size(argument, component), 2);
        const Id is_outside = builder_.append(Op::OpLogicalOr, builder_.type_bool(),
                                              {compare(Op::OpFOrdLessThan, slice, builder_.constant_f32(0)),
                                               compare(Op::OpFOrdGreaterThanEqual, slice, depth)});
        const Id is_border = builder_.append(Op::OpLogicalAnd, builder_.type_bool(),
                                             {has_mode(bits, kSamplerClamp), is_outside});
        const Id column = select(is_border, builder_.constant_f32(-2), element_of(place, 0));
        return builder_.append(Op::OpCompositeConstruct, builder_.type_of(place),
                               {column, element_of(place, 1), slice});
    }
    Id element_of(Id vector, uint32_t index) {
        return builder_.append(Op::OpCompositeExtract, builder_.element(builder_.type_of(vector)),
                               {vector, index});
    }
    Id compare(Op op, Id one, Id other) { return builder_.append(op, builder_.type_bool(), {one, other}); }

    /// Clamps coordinates that count texels and are far outside: lavapipe takes those that no int has for the
    /// first texel.
    Id within_reach(Id at) {
        constexpr float kBefore = -1, kAfter = 1 << 20;  // no image is as large
        const Id type = builder_.type_of(at);
        return builder_.ext_inst(
            glsl(), type, GLSLstd450FClamp,
            std::vector<Id>{at, builder_.constant_splat(type, builder_.constant_f32(kBefore)),
                            builder_.constant_splat(type, builder_.constant_f32(kAfter))});
    }

    /// Whole coordinates as real ones. A texel's centre is far from where rounding matters; a layer is whole.
    Id centre_of(Id whole, const BoundShape& shape) {
        const Id f32 = builder_.type_float(32);
        const Id type = builder_.with_count(f32, shape.count());
        return with_halves(builder_.append(Op::OpConvertSToF, type, {whole}), shape);
    }
    Id with_halves(Id at, const BoundShape& shape) {
        const Id type = builder_.type_of(at), half = builder_.constant_f32(0.5f);
        if (!shape.has_layers())
            return builder_.append(Op::OpFAdd, type, {at, builder_.constant_splat(type, half)});
        std::vector<Id> halves(shape.count(), half);
        halves.back() = builder_.constant_f32(0);
        return builder_.append(Op::OpFAdd, type, {at, builder_.constant_composite(type, halves)});
    }
    /// The centre of the texel at a real coordinate. What rounds afterwards cannot leave the texel.
    Id centre_at(Id at, const BoundShape& shape) {
        const Id type = builder_.type_of(at);
        Id below = builder_.ext_inst(glsl(), type, GLSLstd450Floor, std::vector<Id>{at});
        if (shape.has_layers()) below = with_layer(below, layer_of(at, shape), shape);
        return with_halves(below, shape);
    }
    Id layer_of(Id at, const BoundShape& shape) {
        return builder_.append(Op::OpCompositeExtract, builder_.type_float(32), {at, shape.count() - 1});
    }
    Id with_layer(Id at, Id layer, const BoundShape& shape) {
        return builder_.append(Op::OpCompositeInsert, builder_.type_of(at), {layer, at, shape.count() - 1});
    }

    Id with_near_layer(Id at, const BoundShape& shape) {
        return shape.has_layers() ? with_layer(at, within_reach(layer_of(at, shape)), shape) : at;
    }

    Id normalized(Id at, uint32_t argument, Id component) {
        const BoundShape shape = this->shape(argument);
        const Id type = builder_.type_of(at);
        Id size = builder_.append(Op::OpConvertUToF, type, {size_of(argument, component)});
        if (shape.has_layers()) size = with_layer(size, builder_.constant_f32(1), shape);
        return builder_.append(Op::OpFDiv, type, {at, size});
    }

    Id glsl() { return builder_.ext_inst_import("GLSL.std.450"); }

    // ---- Queries ----

    /// Each number has 32 bits. The number of layers is among them.
    Id size_of(uint32_t argument, Id component, Id level = {}) {
        const Id type = builder_.with_count(builder_.type_int(32), shape(argument).count());
        const Id image = load_image(argument, component);
        return is_sampled(argument) && shape(argument).dim != spv::Dim::Buffer &&
                       !shape(argument).multisampled
                   ? builder_.append(Op::OpImageQuerySizeLod, type,
                                     {image, level ? level : builder_.constant_u32(0)})
                   : builder_.append(Op::OpImageQuerySize, type, {image});
    }

    void query_size(const Instruction& inst) {
        const Id u32 = builder_.type_int(32), type = builder_.with_count(u32, shape(inst.id(0)).count());
        Id level = inst.op == Op::OpImageQuerySizeLod ? inst.id(1) : Id{};
        if (level && builder_.type_of(level) != u32) level = builder_.append(Op::OpUConvert, u32, {level});
        Id size = pick(inst.id(0), type,
                       [&](uint32_t argument) { return size_of(argument, any_component(argument), level); });
        if (inst.type != type) size = builder_.append(Op::OpUConvert, inst.type, {size});
        results_->set(inst.result, size);
    }

    /// For an instruction that reads no texel: what others read, so that the image has one variable. Floats
    /// if none does.
    Id any_component(uint32_t argument) {
        const auto component = components_.find(argument);
        return component == components_.end() ? builder_.type_float(32) : component->second;
    }

    /// A kernel can reach one level of a storage image.
    void query_levels(const Instruction& inst) {
        results_->set(inst.result, pick(inst.id(0), inst.type, [&](uint32_t argument) {
                          if (!is_sampled(argument)) return builder_.constant_int(inst.type, 1);
                          return builder_.append(Op::OpImageQueryLevels, inst.type,
                                                 {load_image(argument, any_component(argument))});
                      }));
    }
    void query_samples(const Instruction& inst) {
        results_->set(inst.result, pick(inst.id(0), inst.type, [&](uint32_t argument) {
                          return builder_.append(Op::OpImageQuerySamples, inst.type,
                                                 {load_image(argument, any_component(argument))});
                      }));
    }

    void query_fact(const Instruction& inst, HiddenKind kind, uint32_t first) {
        const Id number =
            pick(inst.id(0), builder_.type_int(32), [&](uint32_t argument) { return fact(kind, argument); });
        results_->set(inst.result,
                      builder_.append(Op::OpISub, inst.type, {number, builder_.constant_u32(first)}));
    }

    spirv::Module& module_;
    PassContext& context_;
    ProgramInterface& program_;
    Builder builder_;
    spirv::IdMap<uint32_t> literals_ = {};  // constants, and variables that they initialise: bits
    std::map<std::tuple<uint32_t, Id, bool>, Id> images_ = {};  // by binding, type and whether only written
    Id sampler_type_ = {};                                      // Vulkan's
    bool rounds_coordinates_ = false;
    std::string fault_ = {};
    std::map<uint32_t, Id> samplers_ = {};           // by binding
    std::map<uint32_t, Id> literal_variables_ = {};  // by bits
    std::vector<uint32_t> literal_uses_ = {};        // bits, in order
    // State for the current kernel:
    Kernel* kernel_ = nullptr;
    const spirv::Function* function_ = nullptr;
    spirv::IdMap<Instruction> definitions_ = {};  // of images and samplers
    std::map<Id, Numbers> numbers_ = {};
    spirv::IdMap<Sampled> sampled_ = {};
    std::set<uint32_t> masked_ = {};          // arguments: samplers that have a SamplerMask
    std::map<uint32_t, Id> components_ = {};  // by argument: of what is read or written
    spirv::Substitution* results_ = nullptr;
};

/// Images and samplers are numbers from here on.
void replace_opaque_types(spirv::Module& module, const spirv::IdSet& opaque) {
    spirv::IdMap<Id> types;
    FirstTypes first(module);
    const Id u32 = first.add(Op::OpTypeInt, {32u, 0u});
    for (const Instruction& inst : module.globals)
        if (opaque.contains(inst.result)) types[inst.result] = u32;
    number_constant_samplers(module, kLiteral);
    replace_types(module, std::move(types));
}

}  // namespace

Result<Done> bind_images(spirv::Module& module, PassContext& context) {
    if (context.options.images == Images::Memory) return Done{};
    spirv::IdSet opaque;  // OpenCL's types
    for (const Instruction& inst : module.globals)
        if (inst.op == Op::OpTypeImage || inst.op == Op::OpTypeSampledImage || inst.op == Op::OpTypeSampler)
            opaque.insert(inst.result);
    if (opaque.empty()) return Done{};
    ImageBinder binder(module, context);
    binder.run();
    if (!binder.fault().empty()) return Error{.message = binder.fault()};
    if (context.options.exact_nearest && binder.rounds_coordinates())
        return Error{.message =
                         "a filter of a 3D image or an array has coordinates that are not normalised, which "
                         "Vulkan does not have"};
    replace_opaque_types(module, opaque);
    return Done{};
}

}  // namespace caldera::vulkan
