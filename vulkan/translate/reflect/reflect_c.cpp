// SPDX-License-Identifier: Apache-2.0
// Headers for programs in C and C++ that embed the module.
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "vulkan/translate/reflect/reflect.h"
#include "vulkan/translate/reflect/reflect_text.h"

namespace caldera::vulkan {
namespace {

bool is_identifier_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/// Words that OpenCL C lets a program use and C++20 does not; with the macros of compilers and of the
/// headers that ours includes.
constexpr std::string_view kCppWords[] = {"alignas",      "alignof",       "and",         "and_eq",
                                          "asm",          "assert",        "bitand",      "bitor",
                                          "catch",        "char16_t",      "char32_t",    "char8_t",
                                          "class",        "co_await",      "co_return",   "co_yield",
                                          "compl",        "concept",       "const_cast",  "consteval",
                                          "constexpr",    "constinit",     "decltype",    "delete",
                                          "dynamic_cast", "explicit",      "export",      "friend",
                                          "linux",        "mutable",       "namespace",   "new",
                                          "noexcept",     "not",           "not_eq",      "nullptr",
                                          "offsetof",     "operator",      "or",          "or_eq",
                                          "private",      "protected",     "public",      "reinterpret_cast",
                                          "requires",     "static_assert", "static_cast", "template",
                                          "this",         "thread_local",  "throw",       "try",
                                          "typeid",       "typename",      "typeof",      "unix",
                                          "using",        "virtual",       "wchar_t",     "xor",
                                          "xor_eq"};

/// Types and macros of <stdint.h>: uint32_t, int_least8_t, INT8_MAX, SIZE_MAX.
bool is_of_stdint(std::string_view name) {
    static constexpr std::string_view kTypes[] = {
        "8_t",        "16_t",     "32_t",      "64_t",      "_least8_t", "_least16_t", "_least32_t",
        "_least64_t", "_fast8_t", "_fast16_t", "_fast32_t", "_fast64_t", "max_t",      "ptr_t"};
    static constexpr std::string_view kBegins[] = {"INT",         "UINT",   "PTRDIFF_", "SIZE_",
                                                   "SIG_ATOMIC_", "WCHAR_", "WINT_"};
    static constexpr std::string_view kEnds[] = {"_MIN", "_MAX", "_WIDTH", "_C"};
    const auto begins = [&](std::string_view with) { return name.starts_with(with); };
    const auto ends = [&](std::string_view with) { return name.ends_with(with); };
    if (std::ranges::any_of(kBegins, begins) && std::ranges::any_of(kEnds, ends)) return true;
    if (name.starts_with('u')) name.remove_prefix(1);
    return name.starts_with("int") && std::ranges::find(kTypes, name.substr(3)) != std::end(kTypes);
}

std::string identifier(std::string_view text) {
    std::string name(text);
    for (char& c : name)
        if (!is_identifier_char(c)) c = '_';
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
    if (is_of_stdint(name) || std::ranges::find(kCppWords, name) != std::end(kCppWords)) name += '_';
    return name;
}

/// A string literal of C. Characters that are not printable are octal escapes of three digits, so that a
/// digit may follow.
std::string literal_c(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || c == '?')  // '?': no trigraphs
            out += {'\\', c};
        else if (byte >= 0x20 && byte < 0x7f)
            out += c;
        else
            out += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                    static_cast<char>('0' + (byte & 7))};
    }
    return out + '"';
}

/// Text that may stand in a comment.
std::string in_comment(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == '\\') c = ' ';
    for (size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/", at))
        text.replace(at, 2, "* /");
    return text;
}

// What ends the names of macros that could be an argument's too.
constexpr std::string_view kHasBaseSpecId = "_HAS_BASE_SPEC_ID";
constexpr std::string_view kWorkDimSpecId = "_WORK_DIM_SPEC_ID";
constexpr std::string_view kPrintfWordsSpecId = "_PRINTF_WORDS_SPEC_ID";
constexpr std::string_view kArgumentsBinding = "_ARGUMENTS_BINDING";
constexpr const char* kBlockEnumerator = "arguments_block";

struct CType {
    std::string_view type;
    uint32_t bytes;
};
/// The element type of an argument in C; none if the name is not a scalar or vector type of OpenCL C.
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

/// "" or what a pipe's ring has, for a comment.
std::string packets_c(const KernelArgument& argument) {
    if (argument.kind != ArgumentKind::Pipe || argument.element_bytes == 0) return {};
    return ", packets of " + std::to_string(argument.element_bytes) + " bytes";
}

struct Field {
    uint32_t offset = 0, bytes = 0;
    std::string declaration = {}, comment = {}, name = {};
};

Field argument_field(const KernelArgument& argument, const std::string& name) {
    Field field{argument.offset_bytes, argument.size_bytes, {}, in_comment(argument.type_name), name};
    if (argument.kind != ArgumentKind::Value) {
        const bool is_sampler = argument.kind == ArgumentKind::Sampler;
        field.declaration = (is_sampler ? "uint32_t " : "uint64_t ") + name;
        const std::string what = is_sampler                                   ? "OpenCL C's bits of it"
                                 : argument.kind == ArgumentKind::DeviceQueue ? "a device queue's handle"
                                 : argument.kind == ArgumentKind::Image ? "device address of its descriptor"
                                                                        : "device address";
        field.comment += (field.comment.empty() ? "" : ", ") + what + packets_c(argument);
        return field;
    }
    const CType type = c_element(argument.base_type_name).value_or(CType{"uint8_t", 1});
    const uint32_t count = std::max(1u, argument.size_bytes / type.bytes);
    field.declaration = std::string(type.type) + " " + name;
    if (count > 1) field.declaration += "[" + std::to_string(count) + "]";
    return field;
}

Field hidden_field(const HiddenArgument& hidden) {
    const HiddenText text = hidden_text(hidden.kind);
    Field field{hidden.offset_bytes, text.component_bits / 8 * text.count, {}, {}, "hidden_"};
    field.name += text.name;
    if (is_about_argument(hidden.kind)) field.name += "_" + std::to_string(hidden.argument);
    field.declaration = "uint" + std::to_string(text.component_bits) + "_t " + field.name;
    if (text.count > 1) field.declaration += "[" + std::to_string(text.count) + "]";
    return field;
}

/// Whether the argument is a field of the argument block.
bool is_in_block(const KernelArgument& argument) {
    return argument.kind != ArgumentKind::LocalPointer && argument.binding == kNoBinding;
}

std::string pad_name(uint32_t offset) { return "pad_" + std::to_string(offset); }

/// Bytes of an argument block between its fields.
struct Gap {
    uint32_t begin = 0, end = 0;
};

/// The gaps before each of the fields, which are sorted, and the one behind them.
std::vector<Gap> gaps_of(std::span<const Field> fields, uint32_t block_bytes) {
    std::vector<Gap> gaps;
    uint32_t end = 0;
    for (const Field& field : fields) {
        gaps.push_back({end, std::max(end, field.offset)});
        end = field.offset + field.bytes;
    }
    gaps.push_back({end, std::max(end, block_bytes)});
    return gaps;
}

std::string pad_c(Gap gap) {
    if (gap.begin == gap.end) return {};
    return "    uint8_t " + pad_name(gap.begin) + "[" + std::to_string(gap.end - gap.begin) + "];\n";
}

/// Names that differ from all that were used before: each `_` makes one longer.
class UniqueNames {
 public:
    void reserve(std::string name) { used_.insert(std::move(name)); }
    /// Returns stem + suffix, or stem + "_" + suffix and so on.
    std::string make(std::string stem, std::string_view suffix = {}) {
        while (!used_.insert(stem + std::string(suffix)).second) stem += '_';
        return stem + std::string(suffix);
    }

 private:
    std::set<std::string> used_ = {};
};

/// The names of a kernel in a header.
struct KernelNames {
    std::string kernel = {};               ///< without the program's
    std::vector<std::string> fields = {};  ///< of each argument, also as an enumerator
    std::vector<std::string> macros = {};  ///< of each argument that has a binding or a constant; else empty
};

/// Names of the arguments that differ from each other, and from those of padding and hidden arguments.
std::vector<std::string> field_names(const Kernel& kernel) {
    std::vector<Field> fields;
    UniqueNames names;
    for (const KernelArgument& argument : kernel.arguments)
        if (is_in_block(argument)) fields.push_back(argument_field(argument, {}));
    for (const HiddenArgument& hidden : kernel.hidden) {
        fields.push_back(hidden_field(hidden));
        names.reserve(fields.back().name);
    }
    std::ranges::sort(fields, {}, &Field::offset);
    for (const Gap gap : gaps_of(fields, kernel.block_bytes))
        if (gap.begin != gap.end) names.reserve(pad_name(gap.begin));
    if (kernel.block_binding != kNoBinding) names.reserve(kBlockEnumerator);
    std::vector<std::string> made;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        const std::string& name = kernel.arguments[i].name;
        made.push_back(names.make(name.empty() ? "arg" + std::to_string(i) : identifier(name)));
    }
    return made;
}

/// The names of all kernels. The first of several that would be the same stays as it is.
std::vector<KernelNames> names_of(const ProgramInterface& interface, const std::string& prefix) {
    std::vector<KernelNames> all;
    UniqueNames kernels, macros;
    for (const std::string_view suffix : {kHasBaseSpecId, kWorkDimSpecId, kPrintfWordsSpecId})
        macros.reserve(prefix + std::string(suffix));
    for (const Kernel& kernel : interface.kernels) {
        all.push_back({.kernel = kernels.make(identifier(kernel.name)), .fields = field_names(kernel)});
        if (kernel.block_binding != kNoBinding)
            macros.reserve(prefix + "_" + all.back().kernel + std::string(kArgumentsBinding));
    }
    for (size_t k = 0; k < all.size(); ++k) {
        const std::string stem = prefix + "_" + all[k].kernel + "_";
        for (size_t i = 0; i < all[k].fields.size(); ++i) {
            const KernelArgument& argument = interface.kernels[k].arguments[i];
            const std::string_view suffix = argument.binding != kNoBinding ? "_BINDING"
                                            : has_spec_id(argument.kind)   ? "_SPEC_ID"
                                                                           : "";
            all[k].macros.push_back(suffix.empty() ? "" : macros.make(stem + all[k].fields[i], suffix));
        }
    }
    return all;
}

std::string_view place_c(ArgumentBlock block) {
    switch (block) {
        case ArgumentBlock::PushConstants: return "the arguments are push constants";
        case ArgumentBlock::Buffer:
            return "the arguments are in a buffer whose address is an 8-byte push constant";
        case ArgumentBlock::UniformBuffer: return "arguments by value are in a uniform buffer";
        case ArgumentBlock::StorageBuffer: return "arguments by value are in a storage buffer";
    }
    return {};
}

std::string_view descriptor_c(ArgumentKind kind) {
    return is_vulkan_image(kind) ? descriptor_text(kind).vulkan_type : "a storage buffer";
}

void kernel_c(std::ostream& out, const ProgramInterface& interface, const Kernel& kernel,
              const std::string& prefix, const KernelNames& names) {
    const std::string name = prefix + "_" + names.kernel;
    out << "\n/* kernel " << in_comment(kernel.name) << ": " << place_c(kernel.block) << " */\n";
    out << "#define " << name << "_ENTRY " << literal_c(kernel.name) << "\n";
    const auto& ids = kernel.local_size_spec_ids;
    out << "#define " << name << "_LOCAL_SIZE_SPEC_IDS {" << ids[0] << ", " << ids[1] << ", " << ids[2]
        << "}\n";
    const auto& size = kernel.required_local_size;
    if (size[0] != 0)
        out << "#define " << name << "_REQUIRED_LOCAL_SIZE {" << size[0] << ", " << size[1] << ", " << size[2]
            << "}\n";
    if (kernel.required_sub_groups != 0)
        out << "#define " << name << "_REQUIRED_SUB_GROUPS " << kernel.required_sub_groups << "\n";
    if (kernel.local_bytes != 0) out << "#define " << name << "_LOCAL_BYTES " << kernel.local_bytes << "\n";
    if (kernel.local_bytes_per_work_item != 0)
        out << "#define " << name << "_LOCAL_BYTES_PER_WORK_ITEM " << kernel.local_bytes_per_work_item
            << "\n";
    if (kernel.private_bytes != 0) {
        out << "/* A buffer has private memory: so many bytes for each work-item of a dispatch, whose number "
               "is "
               "rounded up\n   to a multiple of "
            << kPrivateLanes;
        if (interface.abi == Abi::Descriptors)
            out << "; descriptor set " << kPrivateMemorySet + interface.argument_set << ", binding "
                << kPrivateMemoryBinding;
        out << ". Dispatches that may overlap need buffers of their own. */\n#define " << name
            << "_PRIVATE_BYTES " << kernel.private_bytes << "\n";
    }
    if (kernel.enqueues && interface.abi == Abi::Descriptors)
        out << "/* It enqueues kernels: the device queue's buffer, a storage buffer, descriptor set "
            << kDeviceQueueSet + interface.argument_set << ", binding " << kDeviceQueueBinding << ". */\n";
    if (interface.abi == Abi::Descriptors)
        out << "#define " << name << "_STORAGE_BUFFERS " << storage_buffers(interface, kernel) << "\n";
    std::vector<Field> fields;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        const KernelArgument& argument = kernel.arguments[i];
        if (argument.binding != kNoBinding) {
            out << "/* " << in_comment(argument.type_name) << (argument.type_name.empty() ? "" : " ")
                << in_comment(argument.name) << ": " << descriptor_c(argument.kind) << " of descriptor set "
                << interface.argument_set << packets_c(argument) << " */\n";
            out << "#define " << names.macros[i] << " " << argument.binding << "\n";
            continue;
        }
        if (argument.kind != ArgumentKind::LocalPointer) {
            fields.push_back(argument_field(argument, names.fields[i]));
            if (!has_spec_id(argument.kind)) continue;
            out << "/* image " << in_comment(argument.name) << ": its format's number, 0 for any */\n";
            out << "#define " << names.macros[i] << " " << argument.spec_id << "\n";
            continue;
        }
        out << "/* local argument " << in_comment(argument.name) << ": elements of " << argument.element_bytes
            << " bytes */\n";
        out << "#define " << names.macros[i] << " " << argument.spec_id << "\n";
    }
    if (kernel.block_binding != kNoBinding)
        out << "#define " << name << kArgumentsBinding << " " << kernel.block_binding << "\n";
    for (const HiddenArgument& hidden : kernel.hidden) fields.push_back(hidden_field(hidden));
    if (fields.empty()) return;
    std::ranges::sort(fields, {}, &Field::offset);
    out << "#pragma pack(push, 1)\ntypedef struct " << name << "_arguments {\n";
    const std::vector<Gap> gaps = gaps_of(fields, kernel.block_bytes);
    for (size_t i = 0; i < fields.size(); ++i) {
        out << pad_c(gaps[i]) << "    " << fields[i].declaration << ";";
        if (!fields[i].comment.empty()) out << " /* " << fields[i].comment << " */";
        out << "\n";
    }
    out << pad_c(gaps.back()) << "} " << name << "_arguments; /* " << kernel.block_bytes
        << " bytes */\n#pragma pack(pop)\n";
    const std::string type = name + "_arguments";
    for (const Field& field : fields)
        out << "static_assert(offsetof(" << type << ", " << field.name << ") == " << field.offset << ", \""
            << field.name << "\");\n";
    out << "static_assert(sizeof(" << type << ") == " << kernel.block_bytes << ", \"" << type << "\");\n";
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

// ---- C++ ----

void buffers_cpp(std::ostream& out, const Kernel& kernel, const KernelNames& names, uint32_t argument_set) {
    std::string rows;
    for (size_t i = 0; i < kernel.arguments.size(); ++i)
        if (kernel.arguments[i].binding != kNoBinding) {
            rows += "        " + names.fields[i] + " = " + std::to_string(kernel.arguments[i].binding) + ",";
            if (is_vulkan_image(kernel.arguments[i].kind))
                rows += "  // " + std::string(descriptor_c(kernel.arguments[i].kind));
            else if (const std::string packets = packets_c(kernel.arguments[i]); !packets.empty())
                rows += "  // a pipe" + packets;
            rows += "\n";
        }
    if (rows.empty() && kernel.block_binding == kNoBinding) return;
    out << "    /// Bindings of descriptor set " << argument_set << ".\n    enum class binding : uint32_t {\n"
        << rows;
    if (kernel.block_binding != kNoBinding)
        out << "        " << kBlockEnumerator << " = " << kernel.block_binding << ",  // the "
            << (kernel.block == ArgumentBlock::StorageBuffer ? "storage" : "uniform")
            << " buffer that block() fills\n";
    out << "    };\n";
}

void launch_cpp(std::ostream& out, const Kernel& kernel, const KernelNames& names) {
    out << "    /// A field for each argument that is not in the descriptor set.\n    struct launch "
           "{\n";
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        const KernelArgument& argument = kernel.arguments[i];
        if (argument.binding != kNoBinding) continue;
        if (argument.kind == ArgumentKind::LocalPointer) {
            out << "        uint32_t " << names.fields[i] << " = 1;  // elements of "
                << argument.element_bytes << " bytes of local memory\n";
            continue;
        }
        const Field field = argument_field(argument, names.fields[i]);
        out << "        " << field.declaration << " = {};";
        if (!field.comment.empty()) out << "  // " << field.comment;
        out << "\n";
    }
    out << "    };\n";
}

/// The values of the specialisation constants, in the order of spec_ids.
void constants_cpp(std::ostream& out, const ProgramInterface& interface, const Kernel& kernel,
                   const KernelNames& names) {
    std::string ids, values;
    uint32_t count = 3;
    for (uint32_t i = 0; i < 3; ++i) {
        ids += (i ? ", " : "") + std::to_string(kernel.local_size_spec_ids[i]);
        values += (i ? ", local_size[" : "local_size[") + std::to_string(i) + "]";
    }
    std::string parameters = "const std::array<uint32_t, 3> &local_size";
    if (interface.work_dim_spec_id != kNoSpecId) {
        ids += ", " + std::to_string(interface.work_dim_spec_id);
        values += ", work_dim";
        parameters += ", uint32_t work_dim";
        ++count;
    }
    std::string lengths;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        if (kernel.arguments[i].kind != ArgumentKind::LocalPointer) continue;
        ids += ", " + std::to_string(kernel.arguments[i].spec_id);
        lengths += ", with." + names.fields[i];
        ++count;
    }
    parameters = (lengths.empty() ? "const launch &, " : "const launch &with, ") + parameters;
    values += lengths;
    std::string meaning;
    if (interface.has_base_spec_id != kNoSpecId) {
        ids += ", " + std::to_string(interface.has_base_spec_id);
        values += ", has_base";
        parameters += ", bool has_base = true";
        meaning = "; has_base: hidden_group_base or hidden_global_id_base is not 0";
        ++count;
    }
    const std::string type = "std::array<uint32_t, " + std::to_string(count) + ">";
    out << "    /// Specialisation constants, and their values" << meaning << ".\n    static constexpr "
        << type << " spec_ids = {" << ids << "};\n    static constexpr " << type << " spec_values("
        << parameters << ") {\n        return {" << values << "};\n    }\n";
}

void block_cpp(std::ostream& out, const Kernel& kernel, const KernelNames& names, const std::string& type) {
    std::string copies;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        const KernelArgument& argument = kernel.arguments[i];
        if (!is_in_block(argument)) continue;
        const std::string& field = names.fields[i];
        copies += "        std::memcpy(bytes + " + std::to_string(argument.offset_bytes) + ", &with." +
                  field + ", sizeof with." + field + ");\n";
    }
    if (copies.empty() && kernel.hidden.empty()) return;
    out << "    /// " << place_c(kernel.block) << (kernel.hidden.empty() ? "" : "; hidden ones are 0")
        << ".\n"
        << "    static " << type << " block(const launch &" << (copies.empty() ? "" : "with")
        << ") {\n        " << type << " block = {};\n";
    if (!copies.empty())
        out << "        unsigned char *const bytes = reinterpret_cast<unsigned char *>(&block);\n" << copies;
    out << "        return block;\n    }\n";
}

void kernel_cpp(std::ostream& out, const ProgramInterface& interface, const Kernel& kernel,
                const std::string& prefix, const KernelNames& names) {
    const std::string& name = names.kernel;
    const auto& size = kernel.required_local_size;
    out << "\nstruct " << name
        << "_kernel {\n    static constexpr const char *entry = " << literal_c(kernel.name) << ";\n"
        << "    static constexpr std::array<uint32_t, 3> required_local_size = {" << size[0] << ", "
        << size[1] << ", " << size[2] << "};  // zeros: any\n";
    if (kernel.required_sub_groups != 0)
        out << "    static constexpr uint32_t required_sub_groups = " << kernel.required_sub_groups
            << ";  // in a work-group\n";
    out << "    static constexpr uint64_t local_bytes = " << kernel.local_bytes
        << ", local_bytes_per_work_item = " << kernel.local_bytes_per_work_item
        << ";  // local arguments apart\n"
        << "    static constexpr uint64_t private_bytes = " << kernel.private_bytes
        << ";  // of a buffer, for each work-item\n";
    if (interface.abi == Abi::Descriptors)
        out << "    static constexpr uint32_t storage_buffers = " << storage_buffers(interface, kernel)
            << ";  // in all descriptor sets\n";
    buffers_cpp(out, kernel, names, interface.argument_set);
    launch_cpp(out, kernel, names);
    constants_cpp(out, interface, kernel, names);
    block_cpp(out, kernel, names, prefix + "_" + name + "_arguments");
    out << "};\n";
}

/// The largest number of arguments plus one, because C arrays must not have length 0.
size_t most_printed(const ProgramInterface& interface) {
    size_t most = 0;
    for (const PrintfFormat& format : interface.printf_formats)
        most = std::max(most, format.argument_bytes.size());
    return most + 1;
}

void printf_c(std::ostream& out, const ProgramInterface& interface, const std::string& prefix) {
    out << "\n/* printf's buffer";
    if (interface.abi == Abi::Descriptors)
        out << ", a storage buffer, descriptor set " << kPrintfBufferSet + interface.argument_set
            << ", binding " << kPrintfBufferBinding;
    out << ": words; the first counts those that calls have asked for after it. Then a record for\n"
           "   each call: its format's index here, and its arguments, each padded to 4 bytes; a literal of "
           "%s is a\n"
           "   format too (4 bytes: its index) or its place in the data segment (8 bytes). The "
           "specialisation\n"
           "   constant tells the buffer's size in words; the first word must be 0 before a dispatch. */\n"
        << "#define " << prefix << kPrintfWordsSpecId << " " << interface.printf_words_spec_id << "\n"
        << "static const struct { const char *text; uint32_t argument_count; uint32_t argument_bytes["
        << most_printed(interface) << "]; } " << prefix << "_printf_formats["
        << interface.printf_formats.size() << "] = {\n";
    for (const PrintfFormat& format : interface.printf_formats) {
        out << "    {" << literal_c(format.text) << ", " << format.argument_bytes.size() << ", {";
        for (const uint32_t bytes : format.argument_bytes) out << bytes << ", ";
        out << "0}},\n";
    }
    out << "};\n";
}

}  // namespace

std::string to_cpp_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                          std::string_view name) {
    const std::string prefix = identifier(name);
    TextStream out;
    out << "#pragma once\n#include <array>\n#include <cstring>\n\n"
        << to_c_header(interface, words, name) << "\nnamespace " << prefix << "_kernels {\n";
    const std::vector<KernelNames> names = names_of(interface, prefix);
    for (size_t i = 0; i < names.size(); ++i)
        kernel_cpp(out, interface, interface.kernels[i], prefix, names[i]);
    out << "\n}  // namespace " << prefix << "_kernels\n";
    return out.str();
}

std::string to_c_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                        std::string_view name) {
    const std::string prefix = identifier(name);
    TextStream out;
    out << "/* Made by Caldera: a Vulkan SPIR-V module and the interface of its kernels. */\n#ifndef CALDERA_"
        << prefix << "_H\n#define CALDERA_" << prefix
        << "_H\n\n#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n\n";
    array_c(out, "uint32_t", prefix + "_words", words, 8, 8);
    if (!interface.data_segment.empty()) {
        if (interface.abi == Abi::Addresses)
            out << "\n/* The data segment: copy it to device memory, its address is the hidden argument, a "
                   "multiple of this. */\n#define "
                << prefix << "_DATA_ALIGNMENT " << interface.data_segment_alignment << "\n";
        else
            out << "\n/* The data segment: a storage buffer, descriptor set "
                << kDataSegmentSet + interface.argument_set << ", binding " << kDataSegmentBinding
                << ". */\n";
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
    if (interface.max_group_size != ~0u)
        out << "\n/* The work-items of the largest work-group that the module has memory for. */\n#define "
            << prefix << "_MAX_GROUP_SIZE " << interface.max_group_size << "\n";
    if (interface.work_dim_spec_id != kNoSpecId)
        out << "\n/* get_work_dim(). */\n#define " << prefix << kWorkDimSpecId << " "
            << interface.work_dim_spec_id << "\n";
    if (interface.has_base_spec_id != kNoSpecId)
        out << "\n/* A VkBool32, true by default: false lets the driver leave out hidden group "
               "and global id bases, all 0 then. */\n#define "
            << prefix << kHasBaseSpecId << " " << interface.has_base_spec_id << "\n";
    if (!interface.literal_samplers.empty()) {
        std::vector<uint32_t> bits;  // the bindings are 0 and up
        for (const LiteralSampler& sampler : interface.literal_samplers) bits.push_back(sampler.bits);
        out << "\n/* Samplers of the source, by binding of descriptor set 0: OpenCL C's bits of each. */\n";
        array_c(out, "uint32_t", prefix + "_samplers", std::span<const uint32_t>(bits), 8, 8);
    }
    if (!interface.printf_formats.empty()) printf_c(out, interface, prefix);
    const std::vector<KernelNames> names = names_of(interface, prefix);
    for (size_t i = 0; i < names.size(); ++i)
        kernel_c(out, interface, interface.kernels[i], prefix, names[i]);
    out << "\n#endif\n";
    return out.str();
}

}  // namespace caldera::vulkan
