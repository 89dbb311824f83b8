// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/reflect.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace caldera::vulkan {
namespace {

std::string_view text_of(ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::Value: return "value";
        case ArgumentKind::GlobalPointer: return "global_pointer";
        case ArgumentKind::ConstantPointer: return "constant_pointer";
        case ArgumentKind::LocalPointer: return "local_pointer";
    }
    return {};
}

struct HiddenText {
    std::string_view name;
    uint32_t component_bits, count;
};
HiddenText text_of(HiddenKind kind) {
    switch (kind) {
        case HiddenKind::GlobalOffset: return {"global_offset", 64, 3};
        case HiddenKind::GlobalSize: return {"global_size", 64, 3};
        case HiddenKind::NumGroups: return {"num_groups", 32, 3};
        case HiddenKind::EnqueuedLocalSize: return {"enqueued_local_size", 32, 3};
        case HiddenKind::GroupBase: return {"group_base", 32, 3};
        case HiddenKind::GlobalIdBase: return {"global_id_base", 64, 3};
        case HiddenKind::WorkDim: return {"work_dim", 32, 1};
        case HiddenKind::DataSegment: return {"data_segment", 64, 1};
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
    void string(std::string_view text) {
        static constexpr char kHex[] = "0123456789abcdef";
        out_ << '"';
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\')
                out_ << '\\' << c;
            else if (byte < 0x20)
                out_ << "\\u00" << kHex[byte >> 4] << kHex[byte & 15];
            else
                out_ << c;
        }
        out_ << '"';
    }
    std::string text() const { return out_.str(); }

 private:
    void newline() { out_ << '\n' << std::string(2 * depth_, ' '); }

    std::ostringstream out_ = {};
    size_t depth_ = 0;
    bool first_ = true;
};

std::string_view text_of(Abi abi) { return abi == Abi::Addresses ? "addresses" : "descriptors"; }
std::string_view text_of(ArgumentBlock block) {
    switch (block) {
        case ArgumentBlock::PushConstants: return "push_constants";
        case ArgumentBlock::Buffer: return "buffer";
        case ArgumentBlock::UniformBuffer: return "uniform_buffer";
    }
    return {};
}

void argument_json(Json& json, const KernelArgument& argument) {
    json.item();
    json.open('{');
    json.field("kind", text_of(argument.kind));
    json.field("name", argument.name);
    json.field("type_name", argument.type_name);
    if (argument.kind == ArgumentKind::LocalPointer) {
        json.field("spec_id", uint64_t{argument.spec_id});
        json.field("element_bytes", uint64_t{argument.element_bytes});
    } else if (argument.binding != kNoBinding) {
        json.field("descriptor_set", uint64_t{0});
        json.field("binding", uint64_t{argument.binding});
    } else {
        json.field("offset_bytes", uint64_t{argument.offset_bytes});
        json.field("size_bytes", uint64_t{argument.size_bytes});
    }
    json.close('}');
}

void kernel_json(Json& json, const Kernel& kernel) {
    json.item();
    json.open('{');
    json.field("name", kernel.name);
    json.key("arguments");
    json.open('[');
    for (const KernelArgument& argument : kernel.arguments) argument_json(json, argument);
    json.close(']');
    json.key("hidden");
    json.open('[');
    for (const HiddenArgument& hidden : kernel.hidden) {
        json.item();
        json.open('{');
        json.field("kind", text_of(hidden.kind).name);
        json.field("offset_bytes", uint64_t{hidden.offset_bytes});
        json.close('}');
    }
    json.close(']');
    json.field("block", text_of(kernel.block));
    if (kernel.block == ArgumentBlock::UniformBuffer) {
        json.field("block_descriptor_set", uint64_t{0});
        json.field("block_binding", uint64_t{kernel.block_binding});
    }
    json.field("block_bytes", uint64_t{kernel.block_bytes});
    json.field("required_local_size", kernel.required_local_size);
    json.field("local_size_hint", kernel.local_size_hint);
    json.field("local_size_spec_ids", kernel.local_size_spec_ids);
    json.field("local_bytes", kernel.local_bytes);
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

// ---- C ----

bool is_identifier_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
std::string identifier(std::string_view text) {
    std::string name(text);
    for (char& c : name)
        if (!is_identifier_char(c)) c = '_';
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
    return name;
}
/// Text that may stand in a comment.
std::string in_comment(std::string text) {
    for (size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at))
        text.replace(at, 2, "* /");
    return text;
}

struct CType {
    std::string_view type;
    uint32_t bytes;
};
/// The element of an argument's C type; none when the name is no scalar or vector of OpenCL C.
std::optional<CType> c_element(std::string_view opencl) {
    struct Row {
        std::string_view name;
        CType type;
    };
    static constexpr Row kRows[] = {
        {"char", {"int8_t", 1}},      {"uchar", {"uint8_t", 1}},  {"short", {"int16_t", 2}},
        {"ushort", {"uint16_t", 2}},  {"int", {"int32_t", 4}},    {"uint", {"uint32_t", 4}},
        {"long", {"int64_t", 8}},     {"ulong", {"uint64_t", 8}}, {"half", {"uint16_t", 2}},
        {"float", {"float", 4}},      {"double", {"double", 8}},  {"size_t", {"uint64_t", 8}},
        {"ptrdiff_t", {"int64_t", 8}}};
    const size_t end = opencl.find_last_not_of("0123456789");
    const std::string_view base = end == std::string_view::npos ? opencl : opencl.substr(0, end + 1);
    for (const Row& row : kRows)
        if (row.name == base) return row.type;
    return std::nullopt;
}

struct Field {
    uint32_t offset = 0, bytes = 0;
    std::string declaration = {}, comment = {};
};

Field argument_field(const KernelArgument& argument, size_t index) {
    std::string name = identifier(argument.name);
    if (argument.name.empty()) name = "arg" + std::to_string(index);
    Field field{argument.offset_bytes, argument.size_bytes, {}, in_comment(argument.type_name)};
    if (argument.kind != ArgumentKind::Value) {
        field.declaration = "uint64_t " + name;
        field.comment += field.comment.empty() ? "device address" : ", device address";
        return field;
    }
    const CType type = c_element(argument.type_name).value_or(CType{"uint8_t", 1});
    const uint32_t count = std::max(1u, argument.size_bytes / type.bytes);
    field.declaration = std::string(type.type) + " " + name;
    if (count > 1) field.declaration += "[" + std::to_string(count) + "]";
    return field;
}

Field hidden_field(const HiddenArgument& hidden) {
    const HiddenText text = text_of(hidden.kind);
    Field field{hidden.offset_bytes, text.component_bits / 8 * text.count, {}, {}};
    field.declaration = "uint" + std::to_string(text.component_bits) + "_t hidden_" + std::string(text.name);
    if (text.count > 1) field.declaration += "[" + std::to_string(text.count) + "]";
    return field;
}

std::string_view place_c(ArgumentBlock block) {
    switch (block) {
        case ArgumentBlock::PushConstants: return "the arguments are push constants";
        case ArgumentBlock::Buffer:
            return "the arguments are in a buffer whose address is an 8-byte push constant";
        case ArgumentBlock::UniformBuffer: return "arguments by value are in a uniform buffer";
    }
    return {};
}

void kernel_c(std::ostream& out, const Kernel& kernel, const std::string& prefix) {
    const std::string name = prefix + "_" + identifier(kernel.name);
    out << "\n/* kernel " << kernel.name << ": " << place_c(kernel.block) << " */\n";
    out << "#define " << name << "_ENTRY \"" << kernel.name << "\"\n";
    const auto& ids = kernel.local_size_spec_ids;
    out << "#define " << name << "_LOCAL_SIZE_SPEC_IDS {" << ids[0] << ", " << ids[1] << ", " << ids[2]
        << "}\n";
    const auto& size = kernel.required_local_size;
    if (size[0] != 0)
        out << "#define " << name << "_REQUIRED_LOCAL_SIZE {" << size[0] << ", " << size[1] << ", " << size[2]
            << "}\n";
    std::vector<Field> fields;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        const KernelArgument& argument = kernel.arguments[i];
        if (argument.binding != kNoBinding) {
            out << "/* " << in_comment(argument.type_name) << (argument.type_name.empty() ? "" : " ")
                << argument.name << ": a storage buffer of descriptor set 0 */\n";
            out << "#define " << name << "_" << identifier(argument.name) << "_BINDING " << argument.binding
                << "\n";
            continue;
        }
        if (argument.kind != ArgumentKind::LocalPointer) {
            fields.push_back(argument_field(argument, i));
            continue;
        }
        out << "/* local argument " << argument.name << ": elements of " << argument.element_bytes
            << " bytes */\n";
        out << "#define " << name << "_" << identifier(argument.name) << "_SPEC_ID " << argument.spec_id
            << "\n";
    }
    if (kernel.block_binding != kNoBinding)
        out << "#define " << name << "_ARGUMENTS_BINDING " << kernel.block_binding << "\n";
    for (const HiddenArgument& hidden : kernel.hidden) fields.push_back(hidden_field(hidden));
    if (fields.empty()) return;
    std::ranges::sort(fields, {}, &Field::offset);
    out << "#pragma pack(push, 1)\ntypedef struct " << name << "_arguments {\n";
    uint32_t end = 0;
    auto pad_to = [&](uint32_t offset) {
        if (offset > end) out << "    uint8_t pad_" << end << "[" << offset - end << "];\n";
    };
    for (const Field& field : fields) {
        pad_to(field.offset);
        out << "    " << field.declaration << ";";
        if (!field.comment.empty()) out << " /* " << field.comment << " */";
        out << "\n";
        end = field.offset + field.bytes;
    }
    pad_to(kernel.block_bytes);
    out << "} " << name << "_arguments; /* " << kernel.block_bytes << " bytes */\n#pragma pack(pop)\n";
}

template <class T>
void array_c(std::ostream& out, std::string_view type, const std::string& name, std::span<const T> values,
             int digits, size_t per_line) {
    out << "static const " << type << " " << name << "[" << values.size() << "] = {";
    for (size_t i = 0; i < values.size(); ++i) {
        out << (i % per_line == 0 ? "\n    " : " ") << "0x";
        std::string text;
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
            text += "0123456789abcdef"[(static_cast<uint64_t>(values[i]) >> shift) & 15];
        out << text << ",";
    }
    out << "\n};\n";
}

}  // namespace

std::string to_json(const ProgramInterface& interface) {
    Json json;
    json.open('{');
    json.field("abi", text_of(interface.abi));
    json.key("kernels");
    json.open('[');
    for (const Kernel& kernel : interface.kernels) kernel_json(json, kernel);
    json.close(']');
    json.field("data_segment", std::string_view(hexadecimal(interface.data_segment)));
    if (interface.abi == Abi::Descriptors) {
        json.field("data_segment_descriptor_set", uint64_t{kDataSegmentSet});
        json.field("data_segment_binding", uint64_t{kDataSegmentBinding});
    }
    if (interface.work_dim_spec_id != kNoSpecId)
        json.field("work_dim_spec_id", uint64_t{interface.work_dim_spec_id});
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
    json.key("capabilities");
    json.open('[');
    for (const std::string& capability : interface.capabilities) {
        json.item();
        json.string(capability);
    }
    json.close(']');
    json.field("fast_math", interface.fast_math);
    json.close('}');
    return json.text() + "\n";
}

std::string to_c_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                        std::string_view name) {
    const std::string prefix = identifier(name);
    std::ostringstream out;
    out << "/* Made by Caldera: a Vulkan SPIR-V module and the interface of its kernels. */\n#ifndef CALDERA_"
        << prefix << "_H\n#define CALDERA_" << prefix << "_H\n\n#include <stdint.h>\n\n";
    array_c(out, "uint32_t", prefix + "_words", words, 8, 8);
    if (!interface.data_segment.empty()) {
        if (interface.abi == Abi::Addresses)
            out << "\n/* The data segment: copy it to device memory, its address is the hidden argument. "
                   "*/\n";
        else
            out << "\n/* The data segment: a storage buffer, descriptor set " << kDataSegmentSet
                << ", binding " << kDataSegmentBinding << ". */\n";
        array_c(out, "uint8_t", prefix + "_data", std::span<const uint8_t>(interface.data_segment), 2, 16);
    }
    if (!interface.relocations.empty()) {
        std::vector<uint64_t> pairs;
        for (const Relocation& relocation : interface.relocations) {
            pairs.push_back(relocation.at_bytes);
            pairs.push_back(relocation.target_bytes);
        }
        out << "\n/* Pairs: the 8 bytes at the first offset are the address of the byte at the second. */\n";
        array_c(out, "uint64_t", prefix + "_relocations", std::span<const uint64_t>(pairs), 16, 4);
    }
    for (const Kernel& kernel : interface.kernels) kernel_c(out, kernel, prefix);
    out << "\n#endif\n";
    return out.str();
}

}  // namespace caldera::vulkan
