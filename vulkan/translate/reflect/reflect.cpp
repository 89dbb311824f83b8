// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/reflect/reflect.h"

#include <algorithm>

#include "spirv/support/json.h"
#include "vulkan/translate/reflect/reflect_text.h"

namespace caldera::vulkan {
namespace {

std::string_view text_of(ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::Value: return "value";
        case ArgumentKind::DeviceQueue: return "device_queue";
        case ArgumentKind::GlobalPointer: return "global_pointer";
        case ArgumentKind::ConstantPointer: return "constant_pointer";
        case ArgumentKind::LocalPointer: return "local_pointer";
        case ArgumentKind::Pipe: return "pipe";
        case ArgumentKind::Image: return "image";
        case ArgumentKind::Sampler: return "sampler";
        case ArgumentKind::SampledImage:
        case ArgumentKind::StorageImage:
        case ArgumentKind::UniformTexelBuffer:
        case ArgumentKind::StorageTexelBuffer:
        case ArgumentKind::SamplerObject: return descriptor_text(kind).name;
    }
    return {};
}

std::string_view text_of(ArgumentAccess access) {
    switch (access) {
        case ArgumentAccess::None: return "none";
        case ArgumentAccess::ReadOnly: return "read_only";
        case ArgumentAccess::WriteOnly: return "write_only";
        case ArgumentAccess::ReadWrite: return "read_write";
    }
    return {};
}

// ---- JSON ----

class Json {
 public:
    void open(char bracket) {
        out_ << bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (!first_) newline();
        out_ << bracket;
        first_ = false;
    }
    void item() {
        if (!first_) out_ << ',';
        newline();
        first_ = false;
    }
    void key(std::string_view name) {
        item();
        string(name);
        out_ << ": ";
    }
    void field(std::string_view name, uint64_t value) { key(name), out_ << value; }
    void field(std::string_view name, bool value) { key(name), out_ << (value ? "true" : "false"); }
    void field(std::string_view name, std::string_view value) { key(name), string(value); }
    void field(std::string_view name, const std::array<uint32_t, 3>& v) {
        key(name), out_ << '[' << v[0] << ", " << v[1] << ", " << v[2] << ']';
    }
    void number(uint64_t value) { item(), out_ << value; }
    void string(std::string_view text) { out_ << json_string(text); }
    std::string text() const { return out_.str(); }

 private:
    void newline() { out_ << '\n' << std::string(2 * depth_, ' '); }

    TextStream out_ = {};
    size_t depth_ = 0;
    bool first_ = true;
};

std::string_view text_of(Abi abi) { return abi == Abi::Addresses ? "addresses" : "descriptors"; }
std::string_view text_of(ArgumentBlock block) {
    switch (block) {
        case ArgumentBlock::PushConstants: return "push_constants";
        case ArgumentBlock::Buffer: return "buffer";
        case ArgumentBlock::UniformBuffer: return "uniform_buffer";
        case ArgumentBlock::StorageBuffer: return "storage_buffer";
    }
    return {};
}

std::string_view text_of(ImageShape shape) {
    switch (shape) {
        case ImageShape::Image1D: return "1d";
        case ImageShape::Image1DArray: return "1d_array";
        case ImageShape::Image2D: return "2d";
        case ImageShape::Image2DArray: return "2d_array";
        case ImageShape::Image3D: return "3d";
        case ImageShape::Image2DMultisampled: return "2d_multisampled";
        case ImageShape::Image2DArrayMultisampled: return "2d_array_multisampled";
    }
    return {};
}
std::string_view text_of(CheckKind kind) {
    switch (kind) {
        case CheckKind::Bounds: return "bounds";
        case CheckKind::Alignment: return "alignment";
        case CheckKind::Barrier: return "barrier";
        case CheckKind::Race: return "race";
        case CheckKind::Uninitialised: return "uninitialised";
        case CheckKind::Arithmetic: return "arithmetic";
        case CheckKind::Loop: return "loop";
    }
    return {};
}

std::string_view text_of(CheckedAccess access) {
    switch (access) {
        case CheckedAccess::Load: return "load";
        case CheckedAccess::Store: return "store";
        case CheckedAccess::Atomic: return "atomic";
        case CheckedAccess::Copy: return "copy";
    }
    return {};
}

/// The words for TexelNumbers.
std::string texel_text(uint8_t numbers) {
    std::string text;
    const auto add = [&](TexelNumbers bit, const char* word) {
        if (numbers & bit) text += (text.empty() ? "" : " ") + std::string(word);
    };
    add(kFloatTexels, "float");
    add(kSignedTexels, "signed");
    add(kUnsignedTexels, "unsigned");
    return text;
}
bool has_shape(ArgumentKind kind) {
    return kind == ArgumentKind::Image || kind == ArgumentKind::SampledImage ||
           kind == ArgumentKind::StorageImage;
}

void argument_json(Json& json, const KernelArgument& argument, uint32_t argument_set) {
    json.item();
    json.open('{');
    json.field("kind", text_of(argument.kind));
    json.field("name", argument.name);
    json.field("type_name", argument.type_name);
    if (argument.base_type_name != argument.type_name) json.field("base_type_name", argument.base_type_name);
    json.field("type_qualifiers", argument.type_qualifiers);
    if (argument.access != ArgumentAccess::None) json.field("access", text_of(argument.access));
    if (argument.is_read_only) json.field("is_read_only", true);
    if (argument.kind != ArgumentKind::LocalPointer && argument.binding == kNoBinding) {
        json.field("offset_bytes", uint64_t{argument.offset_bytes});
        json.field("size_bytes", uint64_t{argument.size_bytes});
    }
    if (has_spec_id(argument.kind)) json.field("spec_id", uint64_t{argument.spec_id});
    if (argument.kind == ArgumentKind::LocalPointer || argument.kind == ArgumentKind::Pipe)
        json.field("element_bytes", uint64_t{argument.element_bytes});
    if (argument.binding != kNoBinding) {
        json.field("descriptor_set", uint64_t{argument_set});
        json.field("binding", uint64_t{argument.binding});
    }
    if (argument.not_null_spec_id != kNoSpecId)
        json.field("not_null_spec_id", uint64_t{argument.not_null_spec_id});
    if (has_shape(argument.kind)) json.field("image_shape", text_of(argument.image_shape));
    if (is_vulkan_image(argument.kind) && argument.kind != ArgumentKind::SamplerObject)
        json.field("texel_numbers", texel_text(argument.texel_numbers));
    if (!argument.image_format.empty()) json.field("image_format", argument.image_format);
    if (argument.reads_levels) json.field("reads_levels", true);
    if (argument.has_open_signs) json.field("has_open_signs", true);
    json.close('}');
}

void samplings_json(Json& json, const Kernel& kernel) {
    json.key("samplings");
    json.open('[');
    for (const ImageSampling& sampling : kernel.samplings) {
        json.item();
        json.open('{');
        json.field("image", uint64_t{sampling.image});
        if (sampling.sampler != kNoArgument)
            json.field("sampler", uint64_t{sampling.sampler});
        else
            json.field("literal_bits", uint64_t{sampling.literal_bits});
        json.field("texel_numbers", texel_text(sampling.texel_numbers));
        json.close('}');
    }
    json.close(']');
}

void kernel_json(Json& json, const ProgramInterface& interface, const Kernel& kernel) {
    json.item();
    json.open('{');
    json.field("name", kernel.name);
    json.key("arguments");
    json.open('[');
    for (const KernelArgument& argument : kernel.arguments)
        argument_json(json, argument, interface.argument_set);
    json.close(']');
    json.key("hidden");
    json.open('[');
    for (const HiddenArgument& hidden : kernel.hidden) {
        json.item();
        json.open('{');
        json.field("kind", hidden_text(hidden.kind).name);
        json.field("offset_bytes", uint64_t{hidden.offset_bytes});
        if (is_about_argument(hidden.kind)) json.field("argument", uint64_t{hidden.argument});
        json.close('}');
    }
    json.close(']');
    json.field("block", text_of(kernel.block));
    json.field("block_bytes", uint64_t{kernel.block_bytes});
    if (has_binding(kernel.block)) {
        json.field("block_descriptor_set", uint64_t{interface.argument_set});
        json.field("block_binding", uint64_t{kernel.block_binding});
    }
    if (interface.abi == Abi::Descriptors)
        json.field("storage_buffers", uint64_t{storage_buffers(interface, kernel)});
    json.field("required_local_size", kernel.required_local_size);
    json.field("local_size_hint", kernel.local_size_hint);
    if (kernel.required_sub_groups != 0)
        json.field("required_sub_groups", uint64_t{kernel.required_sub_groups});
    json.field("local_size_spec_ids", kernel.local_size_spec_ids);
    json.field("prints", kernel.prints);
    json.field("enqueues", kernel.enqueues);
    if (kernel.enqueues && interface.abi == Abi::Descriptors) {
        json.field("device_queue_descriptor_set", uint64_t{kDeviceQueueSet + interface.argument_set});
        json.field("device_queue_binding", uint64_t{kDeviceQueueBinding});
    }
    json.field("is_block", kernel.is_block);
    json.field("uses_sub_groups", kernel.uses_sub_groups);
    if (kernel.ignores_groups) json.field("ignores_groups", true);
    if (kernel.has_linear_literals) json.field("has_linear_literals", true);
    if (!kernel.samplings.empty()) samplings_json(json, kernel);
    if (kernel.image_reads != 0) json.field("image_reads", uint64_t{kernel.image_reads});
    json.field("local_bytes", kernel.local_bytes);
    json.field("local_bytes_per_work_item", kernel.local_bytes_per_work_item);
    json.field("private_bytes", kernel.private_bytes);
    if (kernel.private_bytes != 0 && interface.abi == Abi::Descriptors) {
        json.field("private_descriptor_set", uint64_t{kPrivateMemorySet + interface.argument_set});
        json.field("private_binding", uint64_t{kPrivateMemoryBinding});
    }
    json.field("vec_type_hint", std::string_view(kernel.vec_type_hint));
    json.field("attributes", std::string_view(kernel.attributes));
    json.close('}');
}

std::string hexadecimal(const std::vector<uint8_t>& bytes) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (const uint8_t byte : bytes) text += {kHex[byte >> 4], kHex[byte & 15]};
    return text;
}

void samplers_json(Json& json, const ProgramInterface& interface) {
    json.key("literal_samplers");
    json.open('[');
    for (const LiteralSampler& sampler : interface.literal_samplers) {
        json.item();
        json.open('{');
        json.field("descriptor_set", uint64_t{0});
        json.field("binding", uint64_t{sampler.binding});
        json.field("bits", uint64_t{sampler.bits});
        json.close('}');
    }
    json.close(']');
}

void printf_json(Json& json, const ProgramInterface& interface) {
    json.key("printf_formats");
    json.open('[');
    for (const PrintfFormat& format : interface.printf_formats) {
        json.item();
        json.open('{');
        json.field("text", std::string_view(format.text));
        json.key("argument_bytes");
        json.open('[');
        for (const uint32_t bytes : format.argument_bytes) json.number(bytes);
        json.close(']');
        json.close('}');
    }
    json.close(']');
    json.field("printf_words_spec_id", uint64_t{interface.printf_words_spec_id});
    if (interface.abi == Abi::Descriptors) {
        json.field("printf_descriptor_set", uint64_t{kPrintfBufferSet + interface.argument_set});
        json.field("printf_binding", uint64_t{kPrintfBufferBinding});
    }
}

void check_sites_json(Json& json, const ProgramInterface& interface) {
    json.key("check_sites");
    json.open('[');
    for (const CheckSite& site : interface.check_sites) {
        json.item();
        json.open('{');
        json.field("kind", text_of(site.kind));
        json.field("access", text_of(site.access));
        json.field("size_bytes", uint64_t{site.size_bytes});
        json.field("alignment_bytes", uint64_t{site.alignment_bytes});
        json.field("file", std::string_view(site.file));
        json.field("line", uint64_t{site.line});
        json.field("column", uint64_t{site.column});
        json.field("function", std::string_view(site.function));
        json.field("object", std::string_view(site.object));
        json.field("is_argument", site.is_argument);
        json.field("space", std::string_view(site.space));
        json.field("operation", std::string_view(site.operation));
        json.close('}');
    }
    json.close(']');
}

void relocations_json(Json& json, const ProgramInterface& interface) {
    json.key("relocations");
    json.open('[');
    for (const Relocation& relocation : interface.relocations) {
        json.item();
        json.open('{');
        json.field("at_bytes", relocation.at_bytes);
        json.field("target_bytes", relocation.target_bytes);
        json.close('}');
    }
    json.close(']');
}

}  // namespace

uint32_t storage_buffers(const ProgramInterface& interface, const Kernel& kernel) {
    const auto arguments = std::ranges::count_if(kernel.arguments, [](const KernelArgument& argument) {
        return argument.binding != kNoBinding && !is_vulkan_image(argument.kind);
    });
    return static_cast<uint32_t>(arguments) + (kernel.prints ? 1 : 0) + (kernel.enqueues ? 1 : 0) +
           (kernel.private_bytes != 0 ? 1 : 0) + (interface.data_segment.empty() ? 0 : 1) +
           (kernel.block == ArgumentBlock::StorageBuffer ? 1 : 0);
}

std::string to_json(const ProgramInterface& interface) {
    Json json;
    json.open('{');
    json.field("abi", text_of(interface.abi));
    json.key("kernels");
    json.open('[');
    for (const Kernel& kernel : interface.kernels) kernel_json(json, interface, kernel);
    json.close(']');
    json.field("data_segment", std::string_view(hexadecimal(interface.data_segment)));
    if (interface.abi == Abi::Addresses)
        json.field("data_segment_alignment", interface.data_segment_alignment);
    if (interface.abi == Abi::Descriptors) {
        json.field("data_segment_descriptor_set", uint64_t{kDataSegmentSet + interface.argument_set});
        json.field("data_segment_binding", uint64_t{kDataSegmentBinding});
    }
    relocations_json(json, interface);
    if (interface.simple_ndrange) json.field("simple_ndrange", true);
    if (interface.uniform_groups) json.field("uniform_groups", true);
    json.field("max_group_size", uint64_t{interface.max_group_size});
    json.field("max_local_size", interface.max_local_size);
    if (interface.work_dim_spec_id != kNoSpecId)
        json.field("work_dim_spec_id", uint64_t{interface.work_dim_spec_id});
    if (interface.has_base_spec_id != kNoSpecId)
        json.field("has_base_spec_id", uint64_t{interface.has_base_spec_id});
    if (interface.full_groups_spec_id != kNoSpecId)
        json.field("full_groups_spec_id", uint64_t{interface.full_groups_spec_id});
    if (!interface.printf_formats.empty()) printf_json(json, interface);
    if (!interface.check_sites.empty()) check_sites_json(json, interface);
    if (interface.argument_table_rows != 0)
        json.field("argument_table_rows", uint64_t{interface.argument_table_rows});
    if (!interface.literal_samplers.empty()) samplers_json(json, interface);
    json.field("argument_set", uint64_t{interface.argument_set});
    for (const auto& [key, names] : {std::pair{"capabilities", &interface.capabilities},
                                     std::pair{"float_controls", &interface.float_controls}}) {
        json.key(key);
        json.open('[');
        for (const std::string& name : *names) {
            json.item();
            json.string(name);
        }
        json.close(']');
    }
    json.field("fused_fma", interface.fused_fma);
    json.field("fast_math", interface.fast_math);
    json.close('}');
    return json.text() + "\n";
}

}  // namespace caldera::vulkan
