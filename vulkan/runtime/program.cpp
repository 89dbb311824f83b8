// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include "spirv/support/align.h"
#include "spirv/support/try.h"
#include "vulkan/check_search.h"
#include "vulkan/runtime/buffer_parts.h"
#include "vulkan/runtime/ndrange.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/samplers.h"
#include "vulkan/sub_group_sizes.h"

namespace caldera::runtime {
namespace {

/// The specialisation constant of an argument, or kNoSpecId.
uint32_t constant_of(const vulkan::KernelArgument& argument) {
    return vulkan::has_spec_id(argument.kind) ? argument.spec_id : argument.not_null_spec_id;
}
bool has_constant(const vulkan::KernelArgument& argument) {
    return constant_of(argument) != vulkan::kNoSpecId;
}

/// Otherwise the device's own layout serves.
bool has_descriptors(const vulkan::ProgramInterface& program) {
    return program.abi == vulkan::Abi::Descriptors || !program.literal_samplers.empty() ||
           std::ranges::any_of(program.kernels, [](const vulkan::Kernel& kernel) {
               return std::ranges::any_of(kernel.arguments, vulkan::is_vulkan_image,
                                          &vulkan::KernelArgument::kind);
           });
}

vulkan::DeviceProfile profile_for(const vulkan::ProgramInterface& program, vulkan::DeviceProfile profile) {
    profile.max_local_invocations = std::min(profile.max_local_invocations, program.max_group_size);
    for (size_t d = 0; d < 3; ++d)
        profile.max_local_size[d] = std::min(profile.max_local_size[d], program.max_local_size[d]);
    return profile;
}

}  // namespace

/// Pipelines for descriptors need layouts that live as long as they do, so these pipelines stay with their
/// program.
Program::Program(Device& device, std::span<const uint32_t> words, vulkan::ProgramInterface interface)
    : device_(device),
      interface_(std::move(interface)),
      launch_profile_(profile_for(interface_, device.profile())),
      code_(has_descriptors(interface_) ? std::make_shared<CompiledModule>(device, words)
                                        : device.compiled_modules().find(device, words)) {}

Program::~Program() { code_->keep(); }

Result<std::unique_ptr<Program>> Program::create(Device& device, std::span<const uint32_t> words,
                                                 vulkan::ProgramInterface interface) {
    std::unique_ptr<Program> program(new Program(device, words, std::move(interface)));
    // The shader modules of other kernels are created on demand.
    if (!program->interface_.kernels.empty())
        TRY(program->code_->prepare(program->interface_.kernels[0].name));
    TRY(program->upload_data_segment());
    const bool has_addresses = program->interface_.abi != vulkan::Abi::Descriptors;
    if (!program->interface_.printf_formats.empty())
        program->printf_table_ = std::make_shared<PrintfTable>(
            PrintfTable{.formats = program->interface_.printf_formats,
                        .data_segment = program->interface_.data_segment,
                        .data_address = has_addresses ? program->data_segment_address() : 0});
    if (!program->interface_.check_sites.empty() && device.fault_reporter()) {
        Result<std::shared_ptr<CheckLog>> log = CheckLog::create(device, program->interface_);
        if (!log) return log.error();
        program->check_log_ = log.take();
    }
    TRY(program->make_layouts());
    return program;
}

Result<Done> Program::make_layouts() {
    if (!has_descriptors(interface_)) return Done{};
    for (const vulkan::Kernel& kernel : interface_.kernels) {
        Result<DescriptorLayout> layout = DescriptorLayout::create(device_, interface_, kernel);
        if (!layout) return layout.error();
        descriptors_.push_back(layout.take());
    }
    return Done{};
}

Result<Done> Program::upload_data_segment() {
    if (interface_.data_segment.empty()) return Done{};
    const uint64_t alignment = interface_.data_segment_alignment;
    const bool is_aligned = interface_.abi == vulkan::Abi::Descriptors || alignment <= Buffer::kAlignment;
    Result<Buffer> buffer =
        Buffer::create(device_, interface_.data_segment.size() + (is_aligned ? 0 : alignment));
    if (!buffer) return buffer.error();
    data_segment_ = buffer.take();
    if (!is_aligned)
        data_offset_bytes_ = align_up(data_segment_.address(), alignment) - data_segment_.address();
    std::vector<uint8_t> bytes = interface_.data_segment;
    for (const vulkan::Relocation& relocation : interface_.relocations) {
        const uint64_t address = data_segment_address() + relocation.target_bytes;
        std::memcpy(bytes.data() + relocation.at_bytes, &address, sizeof address);
    }
    Result<std::unique_ptr<Queue>> queue = Queue::create(device_);
    if (!queue) return queue.error();
    TRY((*queue)->upload(data_segment_, data_offset_bytes_, std::as_bytes(std::span(bytes))));
    return (*queue)->finish();
}

const vulkan::Kernel* Program::find_kernel(std::string_view name) const {
    const auto it = std::ranges::find(interface_.kernels, name, &vulkan::Kernel::name);
    return it == interface_.kernels.end() ? nullptr : &*it;
}

VkPipelineLayout Program::pipeline_layout(const vulkan::Kernel& kernel) const {
    const DescriptorLayout* layout = descriptor_layout(kernel);
    return layout ? layout->pipeline_layout() : device_.pipeline_layout();
}

Result<PipelineVariant> Program::variant(const vulkan::Kernel& kernel, const Wanted& wanted) const {
    PipelineVariant variant;
    variant.constants.reserve(wanted.constants.size() + 7);
    for (size_t d = 0; d < 3; ++d)
        variant.constants.push_back({.id = kernel.local_size_spec_ids[d], .value = wanted.local_size[d]});
    if (interface_.work_dim_spec_id != vulkan::kNoSpecId)
        variant.constants.push_back({.id = interface_.work_dim_spec_id, .value = wanted.dimensions});
    if (interface_.has_base_spec_id != vulkan::kNoSpecId)  // else one pipeline serves both
        variant.constants.push_back({.id = interface_.has_base_spec_id, .value = wanted.has_base});
    if (kernel.ignores_groups)
        variant.constants.push_back({.id = interface_.full_groups_spec_id, .value = wanted.has_full_groups});
    if (kernel.prints)
        variant.constants.push_back({.id = interface_.printf_words_spec_id, .value = wanted.printf_words});
    if (wanted.search_limit != 0)
        variant.constants.push_back({.id = vulkan::kSearchSpecId, .value = wanted.search_limit});
    size_t next = 0;
    for (const vulkan::KernelArgument& argument : kernel.arguments)
        if (has_constant(argument))
            variant.constants.push_back({.id = constant_of(argument),
                                         .value = wanted.constants[next++],
                                         .is_format = argument.kind == vulkan::ArgumentKind::Image});
    const uint32_t required = required_sub_group_size(kernel);
    const bool is_emulated = vulkan::emulates_subgroup_size(device_.profile(), required);
    if (!kernel.uses_sub_groups && (required == 0 || is_emulated)) return variant;
    const uint32_t size = is_emulated ? device_.subgroup_launch().size : sub_group_size(device_, kernel);
    const uint64_t work_items = uint64_t{wanted.local_size[0]} * wanted.local_size[1] * wanted.local_size[2];
    const SubgroupLaunch& launch = device_.subgroup_launch();
    if (work_items <= uint64_t{size} * launch.max_required)
        variant.required_subgroup_size = size;
    else if (size != launch.size)
        return Error{.message = "kernel '" + kernel.name + "': its work-group is to have more than " +
                                std::to_string(launch.max_required) + " sub-groups of the required size"};
    variant.full_subgroups =
        kernel.uses_sub_groups && device_.profile().full_subgroups && work_items % size == 0;
    return variant;
}

Result<SharedPipeline> Program::pipeline(const vulkan::Kernel& kernel, const Wanted& wanted) {
    Result<PipelineVariant> variant = this->variant(kernel, wanted);
    if (!variant) return variant.error();
    return code_->pipeline(kernel.name, variant.take(), pipeline_layout(kernel), wanted.work_items);
}

// ---- Other forms ----

Result<std::unique_ptr<Program>> Program::make_form(Code code) const {
    // Variables of the program are in its data segment.
    if (code.interface.data_segment != interface_.data_segment)
        return Error{.message = "internal error: a form of a program has another data segment"};
    std::unique_ptr<Program> program(new Program(device_, code.words, std::move(code.interface)));
    program->whole_ = this;
    program->printf_table_ = printf_table_;
    program->check_log_ = check_log_;
    return program;
}

// ---- Buffers that are larger than a descriptor may say ----

Result<Program*> Program::split(const vulkan::Kernel& kernel, const vulkan::SplitBuffers& split) {
    const std::lock_guard lock(making_);
    std::unique_ptr<Program>& found = splits_[{kernel.name, split.parts}];
    if (found) return found.get();
    Result<std::unique_ptr<Program>> made = make_split(kernel, split);
    if (!made) return made.error();
    found = made.take();
    return found.get();
}

Result<std::unique_ptr<Program>> Program::make_split(const vulkan::Kernel& kernel,
                                                     const vulkan::SplitBuffers& split) const {
    Result<Code> code = translate_split_(split);
    if (!code) return code.error();
    std::erase_if(code->interface.kernels,
                  [&](const vulkan::Kernel& each) { return each.name != kernel.name; });
    if (code->interface.kernels.size() != 1)
        return Error{.message = "internal error: a program for large buffers is another program"};
    Result<std::unique_ptr<Program>> made = make_form(code.take());
    if (!made) return made.error();
    Program& program = **made;
    TRY(program.code_->prepare(kernel.name));
    Result<DescriptorLayout> layout =
        DescriptorLayout::create(device_, program.interface_, program.interface_.kernels[0], split);
    if (!layout) return layout.error();
    program.descriptors_.push_back(layout.take());
    return made;
}

// ---- Forms ----

Program* Program::made(Form& form) {
    const std::lock_guard lock(making_);
    if (!form.translate) return form.program.get();
    Result<std::unique_ptr<Program>> program = make(form.translate());
    form.translate = {};
    if (program) form.program = program.take();
    return form.program.get();
}

Program* Program::image_form(const ImageForm& form) {
    if (!translate_images_) return nullptr;
    const std::lock_guard lock(making_);
    const auto [known, is_new] = image_forms_.try_emplace(form);
    if (is_new) {
        Result<Code> code = translate_images_(form);
        // The others of a program need not do without textures.
        if (code)
            std::erase_if(code->interface.kernels, [&](const vulkan::Kernel& kernel) {
                return !check_images(device_.limits(), code->interface, kernel);
            });
        if (Result<std::unique_ptr<Program>> program = make(std::move(code))) known->second = program.take();
    }
    return known->second.get();
}

Result<std::unique_ptr<Program>> Program::make(Result<Code> code) const {
    if (!code) return code.error();
    Result<std::unique_ptr<Program>> made = make_form(code.take());
    if (made) TRY((*made)->make_layouts());
    return made;
}

// ---- Kernel ----

Result<Kernel> Kernel::create(Program& program, std::string_view name) {
    const vulkan::Kernel* interface = program.find_kernel(name);
    if (!interface) {
        std::string names;
        for (const vulkan::Kernel& kernel : program.interface().kernels)
            if (!kernel.is_block) names += (names.empty() ? "" : ", ") + kernel.name;
        return Error{.message = "the program has no kernel '" + std::string(name) + "'; it has: " + names};
    }
    Kernel kernel;
    kernel.program_ = &program;
    kernel.interface_ = interface;
    kernel.block_.resize(interface->block_bytes);
    kernel.is_set_.resize(interface->arguments.size());
    kernel.buffers_.resize(interface->arguments.size());
    kernel.images_.resize(program.interface().argument_table_rows);
    kernel.vulkan_images_.resize(interface->arguments.size());
    kernel.stretches_.resize(interface->arguments.size());
    for (const vulkan::KernelArgument& argument : interface->arguments)
        if (has_constant(argument))
            kernel.constants_.push_back(argument.not_null_spec_id != vulkan::kNoSpecId);
    if (Program* form = program.descriptor_form(); form && form->find_kernel(name)) {
        Result<Kernel> by_descriptors = create(*form, name);
        if (!by_descriptors) return by_descriptors.error();
        kernel.descriptor_form_.push_back(by_descriptors.take());
    }
    return kernel;
}

Result<Done> Kernel::check_kind(uint32_t index, std::initializer_list<vulkan::ArgumentKind> kinds,
                                const char* what) {
    if (index >= interface_->arguments.size())
        return Error{.message = "kernel '" + interface_->name + "' has no argument " + std::to_string(index) +
                                "; it has " + std::to_string(interface_->arguments.size())};
    const vulkan::KernelArgument& argument = interface_->arguments[index];
    if (std::ranges::find(kinds, argument.kind) == kinds.end())
        return Error{.message = argument_text(index) + " is not " + what};
    return Done{};
}

void Kernel::store(uint32_t index, std::span<const std::byte> bytes) {
    std::ranges::copy(bytes, block_.begin() + interface_->arguments[index].offset_bytes);
    is_set_[index] = true;
}

Result<Done> Kernel::set_value(uint32_t index, std::span<const std::byte> bytes) {
    TRY(check_kind(index, {vulkan::ArgumentKind::Value}, "passed by value"));
    const vulkan::KernelArgument& argument = interface_->arguments[index];
    if (bytes.size() != argument.size_bytes)
        return Error{.message = argument_text(index) + " has " + std::to_string(argument.size_bytes) +
                                " bytes, not " + std::to_string(bytes.size())};
    store(index, bytes);
    set_descriptor_form(index, [&](Kernel& form) { return form.set_value(index, bytes); });
    return Done{};
}

std::string Kernel::argument_text(uint32_t index) const {
    return "argument " + std::to_string(index) + " ('" + interface_->arguments[index].name +
           "') of kernel '" + interface_->name + "'";
}

Result<Done> Kernel::set(uint32_t index, const Buffer& buffer, uint64_t offset_bytes) {
    using enum vulkan::ArgumentKind;
    TRY(check_kind(index, {GlobalPointer, ConstantPointer}, "a pointer to global or constant memory"));
    if (offset_bytes > buffer.size_bytes())  // a pointer to the end is one that C has
        return Error{.message = argument_text(index) + ": the offset " + std::to_string(offset_bytes) +
                                " is beyond the buffer of " + std::to_string(buffer.size_bytes()) + " bytes"};
    if (program_->interface().abi == vulkan::Abi::Descriptors)
        return set_descriptor(index, buffer, offset_bytes);
    if (const Result<Done> usage = buffer.check_usage(VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT); !usage)
        return Error{.message = argument_text(index) + ": " + usage.error().message +
                                ", and the program reaches memory by addresses"};
    store_address(index, buffer.address() + offset_bytes);
    stretches_[index] = {.begin = buffer.address(), .size_bytes = buffer.size_bytes()};
    set_descriptor_form(index, [&](Kernel& form) { return form.set(index, buffer, offset_bytes); });
    return Done{};
}

void Kernel::limit(uint32_t index, const vulkan::CheckObject& stretch) { stretches_[index] = stretch; }

Result<Done> Kernel::set(uint32_t index, const Pipe& pipe) {
    return set_pipe(index, &pipe.ring(), pipe.packet_bytes());
}

Result<Done> Kernel::set_pipe(uint32_t index, const Buffer* ring, uint32_t packet_bytes) {
    TRY(check_kind(index, {vulkan::ArgumentKind::Pipe}, "a pipe"));
    const uint32_t wanted_bytes = interface_->arguments[index].element_bytes;
    if (wanted_bytes != 0 && wanted_bytes != packet_bytes)
        return Error{.message = argument_text(index) + " has packets of " + std::to_string(wanted_bytes) +
                                " bytes, the pipe of " + std::to_string(packet_bytes)};
    if (program_->interface().abi == vulkan::Abi::Addresses) {
        store_address(index, ring ? ring->address() : 0);
    } else if (ring) {
        return set_descriptor(index, *ring, 0);
    } else {
        buffers_[index] = {.binding = interface_->arguments[index].binding};
        is_set_[index] = true;
    }
    return Done{};
}

Result<Done> Kernel::set_queue(uint32_t index, uint64_t handle) {
    TRY(check_kind(index, {vulkan::ArgumentKind::DeviceQueue}, "a queue_t"));
    store(index, std::as_bytes(std::span(&handle, 1)));
    return Done{};
}

std::vector<GivenPointer> Kernel::pointers() const {
    using enum vulkan::ArgumentKind;
    std::vector<GivenPointer> found;
    for (const vulkan::KernelArgument& argument : interface_->arguments) {
        GivenPointer& pointer = found.emplace_back();
        if (argument.kind != GlobalPointer && argument.kind != ConstantPointer) continue;
        std::memcpy(&pointer.address, block_.data() + argument.offset_bytes, sizeof pointer.address);
        pointer.stretch = stretches_[found.size() - 1];
    }
    return found;
}

size_t Kernel::constant_index(uint32_t index) const {
    const auto& arguments = interface_->arguments;
    return static_cast<size_t>(
        std::ranges::count_if(arguments.begin(), arguments.begin() + index, has_constant));
}

Result<Done> Kernel::set_image(uint32_t index, const ImageArgument& image) {
    TRY(check_kind(index, {vulkan::ArgumentKind::Image}, "an image"));
    if (program_->interface().abi == vulkan::Abi::Descriptors) {
        if (image.texels) {
            TRY(set_descriptor(index, *image.texels, image.offset_bytes));
        } else {
            buffers_[index] = {.binding = interface_->arguments[index].binding};
            is_set_[index] = true;
        }
        if (const uint32_t row = interface_->arguments[index].binding; row < images_.size()) {
            images_[row] = image.descriptor;
            images_[row].data_address = 0;
        }
    } else {
        store_address(index, image.descriptor_address);
    }
    constant(index) = image.format_number;
    return Done{};
}

/// Images, and for pointers the step from their own binding to the one with the lowest offset in the same
/// buffer, which has all bytes of the others. There is none for images, whose bindings tell them apart.
std::vector<vulkan::ImageDescriptor> Kernel::argument_table() const {
    std::vector<vulkan::ImageDescriptor> table = images_;
    if (table.empty()) return table;
    std::vector<BufferBinding> pointers;
    for (size_t i = 0; i < buffers_.size(); ++i)
        if (buffers_[i].info.buffer && interface_->arguments[i].kind != vulkan::ArgumentKind::Image)
            pointers.push_back(buffers_[i]);
    std::ranges::sort(pointers, {}, [](const BufferBinding& pointer) {
        return std::tuple(pointer.info.buffer, pointer.info.offset, pointer.binding);
    });
    const BufferBinding* first = nullptr;
    for (const BufferBinding& pointer : pointers) {
        if (!first || first->info.buffer != pointer.info.buffer) first = &pointer;
        table[pointer.binding].data_address =
            (uint64_t{first->binding} - pointer.binding) * (uint64_t{1} << 32) +
            (pointer.info.offset - first->info.offset);
    }
    return table;
}

/// Sets what the host tells about an argument. Returns false if the kernel does not want to know it.
bool Kernel::store_fact(vulkan::HiddenKind kind, uint32_t index, uint32_t value) {
    for (const vulkan::HiddenArgument& hidden : interface_->hidden) {
        if (hidden.kind != kind || hidden.argument != index) continue;
        std::memcpy(block_.data() + hidden.offset_bytes, &value, sizeof value);
        return true;
    }
    return false;
}

Result<Done> Kernel::set_vulkan_image(uint32_t index, const VulkanImage& image) {
    using enum vulkan::ArgumentKind;
    TRY(check_kind(index, {SampledImage, StorageImage, UniformTexelBuffer, StorageTexelBuffer},
                   "an image of Vulkan's"));
    const vulkan::KernelArgument& argument = interface_->arguments[index];
    const bool is_buffer = argument.kind == UniformTexelBuffer || argument.kind == StorageTexelBuffer;
    if (is_buffer ? !image.texels : !image.view)
        return Error{.message =
                         argument_text(index) + " has no " + (is_buffer ? "buffer view" : "image view")};
    vulkan_images_[index] = {.binding = argument.binding,
                             .type = image_descriptor_type(argument.kind),
                             .image = {.imageView = image.view, .imageLayout = image.layout},
                             .texels = image.texels};
    store_fact(vulkan::HiddenKind::ChannelOrder, index, image.channel_order);
    store_fact(vulkan::HiddenKind::ChannelDataType, index, image.channel_data_type);
    is_set_[index] = true;
    return Done{};
}

Result<Done> Kernel::set_sampler(uint32_t index, uint32_t bits) {
    using enum vulkan::ArgumentKind;
    TRY(check_kind(index, {Sampler, SamplerObject}, "a sampler"));
    if (interface_->arguments[index].kind == SamplerObject) {
        bits = vulkan::vulkan_sampler_bits(bits);
        // The kernel then normalises the coordinates itself.
        if (store_fact(vulkan::HiddenKind::SamplerMask, index, bits) && normalizes_samplers(*interface_))
            bits |= vulkan::kSamplerNormalized;
        const Result<VkSampler> sampler = program_->device().samplers().get(bits);
        if (!sampler) return sampler.error();
        vulkan_images_[index] = {.binding = interface_->arguments[index].binding,
                                 .type = VK_DESCRIPTOR_TYPE_SAMPLER,
                                 .image = {.sampler = *sampler}};
        is_set_[index] = true;
        return Done{};
    }
    store(index, std::as_bytes(std::span(&bits, 1)));
    return Done{};
}

Result<Done> Kernel::set_descriptor(uint32_t index, const Buffer& buffer, uint64_t offset_bytes) {
    const VkPhysicalDeviceLimits& limits = program_->device().limits();
    if (const Result<Done> usage = buffer.check_usage(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT); !usage)
        return Error{.message = argument_text(index) + ": " + usage.error().message +
                                ", and the program reaches memory by descriptors"};
    const uint64_t vk_offset = buffer.vk_offset_bytes() + offset_bytes;
    if (vk_offset % limits.minStorageBufferOffsetAlignment != 0 || offset_bytes > buffer.size_bytes())
        return Error{.message = argument_text(index) + ": the offset " + std::to_string(vk_offset) +
                                " is not in the buffer, or not a multiple of the device's " +
                                std::to_string(limits.minStorageBufferOffsetAlignment) +
                                ", as a descriptor's must be"};
    const uint64_t range = buffer.range_bytes_from(offset_bytes);
    const bool is_large = range > limits.maxStorageBufferRange;
    if (is_large && !(program_->can_split() && range <= largest_split_buffer(limits)))
        return Error{.message = argument_text(index) + ": " + std::to_string(range) +
                                " bytes exceed this device's limit for a descriptor, " +
                                std::to_string(limits.maxStorageBufferRange)};
    buffers_[index] = {.binding = interface_->arguments[index].binding,
                       .info = {.buffer = buffer.vk(), .offset = vk_offset, .range = range},
                       .parts = is_large ? static_cast<uint32_t>(((range - 1) >> part_bits(limits)) + 1) : 1,
                       .part_bits = part_bits(limits)};
    if (has_constant(interface_->arguments[index])) constant(index) = true;
    is_set_[index] = true;
    return Done{};
}

/// The queue binds some buffer.
Result<Done> Kernel::set_null_descriptor(uint32_t index) {
    if (!has_constant(interface_->arguments[index]))
        return Error{.message = argument_text(index) + ": this program has no NULL pointers"};
    buffers_[index] = {.binding = interface_->arguments[index].binding};
    constant(index) = false;
    is_set_[index] = true;
    return Done{};
}

Result<Done> Kernel::set_address(uint32_t index, uint64_t address) {
    using enum vulkan::ArgumentKind;
    TRY(check_kind(index, {GlobalPointer, ConstantPointer}, "a pointer to global or constant memory"));
    if (program_->interface().abi == vulkan::Abi::Descriptors)
        return address == 0
                   ? set_null_descriptor(index)
                   : Error{.message = argument_text(index) + ": with descriptors there are no addresses"};
    store_address(index, address);
    stretches_[index] = {};
    set_descriptor_form(index, [&](Kernel& form) { return form.set_address(index, address); });
    return Done{};
}

void Kernel::store_address(uint32_t index, uint64_t address) {
    store(index, std::as_bytes(std::span(&address, 1)));
}

std::span<const std::byte> Kernel::argument_bytes(uint32_t index) const {
    const vulkan::KernelArgument& argument = interface_->arguments[index];
    const bool has_bytes = argument.kind != vulkan::ArgumentKind::LocalPointer &&
                           uint64_t{argument.offset_bytes} + argument.size_bytes <= block_.size();
    return has_bytes ? std::span(block_).subspan(argument.offset_bytes, argument.size_bytes)
                     : std::span<const std::byte>();
}

Result<Kernel> Kernel::in_form(Program& form) const {
    Result<Kernel> made = create(form, interface_->name);
    if (!made) return made;
    for (uint32_t i = 0; i < interface_->arguments.size(); ++i) {
        const vulkan::KernelArgument& argument = interface_->arguments[i];
        const auto bytes = std::span(block_).subspan(argument.offset_bytes, argument.size_bytes);
        switch (made->interface_->arguments[i].kind) {
            case vulkan::ArgumentKind::LocalPointer: break;
            case vulkan::ArgumentKind::SamplerObject: {
                uint32_t bits = 0;
                std::memcpy(&bits, bytes.data(), sizeof bits);
                TRY(made->set_sampler(i, bits));
                continue;
            }
            case vulkan::ArgumentKind::SampledImage:
            case vulkan::ArgumentKind::StorageImage:
            case vulkan::ArgumentKind::UniformTexelBuffer:
            case vulkan::ArgumentKind::StorageTexelBuffer: continue;
            default: made->store(i, bytes);
        }
        if (has_constant(argument)) made->constant(i) = constants_[constant_index(i)];
        made->is_set_[i] = is_set_[i];
        made->stretches_[i] = stretches_[i];
    }
    return made;
}

/// Finds one of the samplers that are numbers whose SamplerBits in `mask` are `bits`.
bool Kernel::has_sampler(uint32_t mask, uint32_t bits) const {
    return std::ranges::any_of(interface_->arguments, [&](const vulkan::KernelArgument& argument) {
        if (argument.kind != vulkan::ArgumentKind::Sampler) return false;
        uint32_t its = 0;
        std::memcpy(&its, block_.data() + argument.offset_bytes, sizeof its);
        return (its & mask) == bits;
    });
}

bool Kernel::filters_in(const vulkan::Kernel& form) const {
    return form.has_linear_literals || filters_by_argument();
}

bool Kernel::filters_by_argument() const {
    return has_sampler(vulkan::kSamplerLinear, vulkan::kSamplerLinear);
}

/// Literals are the program's.
bool Kernel::only_filters_in(const Program& form) const {
    return !has_sampler(vulkan::kSamplerLinear, 0) &&
           std::ranges::all_of(form.interface().literal_samplers, [](const vulkan::LiteralSampler& literal) {
               return (literal.bits & vulkan::kSamplerLinear) != 0;
           });
}

bool Kernel::skips_first_level() const {
    constexpr uint32_t kLeast = uint32_t{kSamplerLodMask} << kSamplerLeastLodShift;
    return std::ranges::any_of(interface_->arguments, [&](const vulkan::KernelArgument& argument) {
        if (argument.kind != vulkan::ArgumentKind::Sampler) return false;
        uint32_t its = 0;
        std::memcpy(&its, block_.data() + argument.offset_bytes, sizeof its);
        return (its & kLeast) != 0;
    });
}

bool Kernel::rounds_coordinates_in(const vulkan::Kernel& form, bool has_slices) const {
    const auto divides = [&](const vulkan::KernelArgument& argument) {
        const bool is_sliced = has_slices && argument.image_shape == vulkan::ImageShape::Image3D;
        return !is_sliced && must_normalize_samplers(argument);
    };
    return std::ranges::any_of(form.arguments, divides) &&
           has_sampler(vulkan::kSamplerLinear | vulkan::kSamplerNormalized, vulkan::kSamplerLinear);
}

bool Kernel::needs_split() const {
    return std::ranges::any_of(buffers_, [](const BufferBinding& buffer) { return buffer.parts > 1; });
}

/// The number of parts is a power of two where there are enough descriptors, so that few programs serve
/// buffers of all sizes.
Result<Kernel> Kernel::split() const {
    const VkPhysicalDeviceLimits& limits = program_->device().limits();
    constexpr uint32_t kOfProgram = 3;  // DescriptorLayout::program() has no more
    uint32_t rounded = kOfProgram;
    for (const BufferBinding& buffer : buffers_) rounded += std::bit_ceil(buffer.parts);
    Kernel split = *this;
    vulkan::SplitBuffers wanted{.part_bits = part_bits(limits)};
    for (size_t i = 0; i < buffers_.size(); ++i) {
        const uint32_t binding = interface_->arguments[i].binding;
        if (binding == vulkan::kNoBinding) continue;
        if (binding >= wanted.parts.size()) wanted.parts.resize(binding + 1, 1);
        uint32_t& parts = split.buffers_[i].parts;
        if (rounded <= max_storage_buffers(limits)) parts = std::bit_ceil(parts);
        wanted.parts[binding] = parts;
    }
    Result<Program*> program = program_->split(*interface_, wanted);
    if (!program) return program.error();
    split.program_ = *program;
    split.interface_ = (*program)->interface().kernels.data();
    return split;
}

std::optional<uint32_t> Kernel::unset_argument() const {
    const auto found = std::ranges::find(is_set_, false);
    if (found == is_set_.end()) return std::nullopt;
    return static_cast<uint32_t>(found - is_set_.begin());
}

uint64_t Kernel::local_bytes() const {
    uint64_t bytes = interface_->local_bytes;
    size_t next = 0;
    for (const vulkan::KernelArgument& argument : interface_->arguments) {
        if (!has_constant(argument)) continue;
        const uint64_t constant = constants_[next++];
        if (argument.kind == vulkan::ArgumentKind::LocalPointer)
            bytes += constant * std::max<uint32_t>(argument.element_bytes, 1);
    }
    return bytes;
}

Result<Done> Kernel::set_local(uint32_t index, uint64_t size_bytes) {
    using enum vulkan::ArgumentKind;
    TRY(check_kind(index, {LocalPointer}, "a pointer to local memory"));
    const vulkan::KernelArgument& argument = interface_->arguments[index];
    const uint64_t element = std::max<uint32_t>(argument.element_bytes, 1);
    if (size_bytes > program_->device().profile().max_local_bytes)
        return Error{.message = "local memory of " + std::to_string(size_bytes) + " bytes for argument " +
                                std::to_string(index) + " of kernel '" + interface_->name +
                                "' is more than the device's " +
                                std::to_string(program_->device().profile().max_local_bytes)};
    constant(index) = static_cast<uint32_t>((std::max<uint64_t>(size_bytes, 1) + element - 1) / element);
    is_set_[index] = true;
    set_descriptor_form(index, [&](Kernel& form) { return form.set_local(index, size_bytes); });
    return Done{};
}

}  // namespace caldera::runtime
