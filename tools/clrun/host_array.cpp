// SPDX-License-Identifier: Apache-2.0
#include "tools/clrun/host_array.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

#include "spirv/support/files.h"
#include "spirv/support/float_from_chars.h"
#include "spirv/support/floats.h"

namespace caldera::tools {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

namespace {

struct Row {
    Element element;
    std::string_view name, opencl_name, npy;  // npy: the dtype character and size
    uint32_t bytes;
};
constexpr std::array kRows = {
    Row{Element::I8, "i8", "char", "i1", 1},     Row{Element::U8, "u8", "uchar", "u1", 1},
    Row{Element::I16, "i16", "short", "i2", 2},  Row{Element::U16, "u16", "ushort", "u2", 2},
    Row{Element::I32, "i32", "int", "i4", 4},    Row{Element::U32, "u32", "uint", "u4", 4},
    Row{Element::I64, "i64", "long", "i8", 8},   Row{Element::U64, "u64", "ulong", "u8", 8},
    Row{Element::F16, "f16", "half", "f2", 2},   Row{Element::F32, "f32", "float", "f4", 4},
    Row{Element::F64, "f64", "double", "f8", 8},
};
const Row& row(Element element) { return kRows[static_cast<size_t>(element)]; }

bool is_float(Element element) { return element >= Element::F16; }
bool is_signed(Element element) { return !is_float(element) && static_cast<int>(element) % 2 == 0; }

Error bad(std::string_view what, std::string_view text) {
    return {.message = std::string(what) + " '" + std::string(text) + "'"};
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
    const auto* data = reinterpret_cast<const std::byte*>(&value);
    return {data, data + sizeof value};
}

std::vector<std::byte> float_bytes(Element element, double value) {
    if (element == Element::F16) return bytes_of(half_bits(value));
    if (element == Element::F32) return bytes_of(static_cast<float>(value));
    return bytes_of(value);
}
std::vector<std::byte> integer_bytes(Element element, uint64_t value) {
    std::vector<std::byte> bytes = bytes_of(value);
    bytes.resize(size_bytes(element));
    return bytes;
}
/// An integer's bytes are those of `value` without its fraction, which is from -2^63 to 2^64.
std::vector<std::byte> number_bytes(Element element, double value) {
    if (is_float(element)) return float_bytes(element, value);
    return integer_bytes(element, value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value))
                                            : static_cast<uint64_t>(value));
}

/// All of `text` as an integer of type T.
template <class T>
bool read_integer(std::string_view text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

Error out_of_range(Element element, std::string_view text) {
    return bad("out of range for " + std::string(name(element)) + ":", text);
}

/// The T that is nearest to a number, which may be hexadecimal. Too small a number is zero.
template <class T>
Result<double> parse_float(Element element, std::string_view text) {
    std::string_view digits = text;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (is_hex) digits.remove_prefix(2);
    const char* const last = digits.data() + digits.size();
    T value = 0;
    const auto [end, error] = float_from_chars(digits.data(), last, value,
                                               is_hex ? std::chars_format::hex : std::chars_format::general);
    const std::string_view rest(end, static_cast<size_t>(last - end));
    const bool is_number = error != std::errc::invalid_argument && !digits.starts_with('-');
    if (!is_number || !(rest.empty() || rest == "f")) return bad("not a number:", text);
    const bool is_infinite = std::isinf(value);
    digits.remove_suffix(rest.size());
    if (error == std::errc::result_out_of_range) {
        if (is_huge(digits, is_hex)) return out_of_range(element, text);
        value = 0;
    }
    if (element == Element::F16 && !is_infinite && !std::isnan(value)) {
        const double half = half_value(half_from_digits(digits, is_hex, value));
        if (std::isinf(half)) return out_of_range(element, text);
        return negative ? -half : half;
    }
    return static_cast<double>(negative ? -value : value);
}

Result<std::vector<std::byte>> parse_integer(Element element, std::string_view text) {
    std::string_view digits = text;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    if (hex) digits.remove_prefix(2);
    uint64_t magnitude = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size()) return bad("not an integer:", text);
    const uint32_t bits = 8 * size_bytes(element);
    const uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const uint64_t limit = !is_signed(element) ? (negative ? 0 : all)
                           : hex && !negative  ? all
                           : negative          ? all / 2 + 1
                                               : all / 2;
    if (magnitude > limit) return out_of_range(element, text);
    return integer_bytes(element, negative ? 0 - magnitude : magnitude);
}

/// `name`, or `name(a,b)`.
struct Rule {
    std::string_view name = {};
    std::vector<std::string_view> parameters = {};
};

Result<Rule> parse_rule(std::string_view text) {
    const size_t open = text.find('(');
    if (open == std::string_view::npos) return Rule{.name = text};
    if (!text.ends_with(')')) return bad("missing ')' in", text);
    return Rule{text.substr(0, open), split(text.substr(open + 1, text.size() - open - 2), ',')};
}

/// START + i * STEP. Integers wrap as the type does.
Result<Done> fill_by_range(HostArray& array, uint64_t count, const Rule& rule, const auto& put) {
    const auto parameter = [&](size_t i, std::string_view otherwise) {
        return i < rule.parameters.size() ? rule.parameters[i] : otherwise;
    };
    const std::string_view texts[] = {parameter(0, "0"), parameter(1, "1")};
    const auto whole = [](std::string_view text, uint64_t& value) {
        return text.starts_with('-') ? read_integer(text, reinterpret_cast<int64_t&>(value))
                                     : read_integer(text, value);
    };
    uint64_t first = 0, step = 0;
    if (!is_float(array.element) && whole(texts[0], first) && whole(texts[1], step)) {
        for (uint64_t i = 0; i < count; ++i) put(i, integer_bytes(array.element, first + step * i));
        return Done{};
    }
    double numbers[2] = {};
    for (size_t i = 0; i < 2; ++i) {
        Result<double> number = parse_float<double>(Element::F64, texts[i]);
        if (!number) return number.error();
        numbers[i] = *number;
    }
    const auto at = [&](uint64_t i) { return numbers[0] + numbers[1] * static_cast<double>(i); };
    if (!is_float(array.element))
        for (const double end : {at(0), at(std::max<uint64_t>(count, 1) - 1)})
            if (!(end >= -0x1p63 && end < 0x1p64)) return bad("the range leaves all integers:", texts[0]);
    for (uint64_t i = 0; i < count; ++i) put(i, number_bytes(array.element, at(i)));
    return Done{};
}

Result<HostArray> generate(HostArray array, uint64_t count, std::string_view how) {
    const uint32_t size = size_bytes(array.element);
    auto put = [&](uint64_t i, const std::vector<std::byte>& bytes) {
        std::ranges::copy(bytes, array.bytes.begin() + static_cast<ptrdiff_t>(i * size));
    };
    if (how.empty()) return array;
    if (how.starts_with('=')) {
        Result<std::vector<std::byte>> value = parse_number(array.element, how.substr(1));
        if (!value) return value.error();
        for (uint64_t i = 0; i < count; ++i) put(i, *value);
        return array;
    }
    Result<Rule> rule = parse_rule(how);
    if (!rule) return rule.error();
    const size_t given = rule->parameters.size();
    if (rule->name == "range" && given <= 2) {
        if (Result<Done> done = fill_by_range(array, count, *rule, put); !done) return done.error();
        return array;
    }
    if (rule->name == "random" && given <= 1) {
        uint64_t seed = 1;
        if (given == 1 && !read_integer(rule->parameters[0], seed))
            return bad("a seed is an integer from 0 on, not", rule->parameters[0]);
        std::mt19937_64 random(seed);
        for (uint64_t i = 0; i < count; ++i)
            put(i, is_float(array.element)
                       ? float_bytes(array.element, static_cast<double>(random() >> 40) * 0x1p-24)
                       : integer_bytes(array.element, random()));
        return array;
    }
    return bad("unknown contents (=VALUE, range, range(START,STEP), random or random(SEED)):", how);
}

}  // namespace

uint32_t size_bytes(Element element) { return row(element).bytes; }
std::string_view name(Element element) { return row(element).name; }

bool reads_as_other(Element given, Element wanted) {
    if (size_bytes(wanted) == 1) return false;
    return size_bytes(given) != size_bytes(wanted) || is_float(given) != is_float(wanted);
}

bool parse_element(std::string_view text, Element& element) {
    // OpenCL C 3.0, 6.3.1 and 6.15.12.3: pointers have 64 bits here, and an atomic type its plain type's
    // layout.
    constexpr std::pair<std::string_view, Element> kAliases[] = {
        {"bool", Element::U8},      {"size_t", Element::U64},    {"ptrdiff_t", Element::I64},
        {"intptr_t", Element::I64}, {"uintptr_t", Element::U64}, {"atomic_flag", Element::I32}};
    constexpr std::string_view kAtomic = "atomic_";
    for (const auto& [name, same] : kAliases)
        if (name == text) {
            element = same;
            return true;
        }
    for (const Row& candidate : kRows)
        if (candidate.name == text || candidate.opencl_name == text) {
            element = candidate.element;
            return true;
        }
    if (!text.starts_with(kAtomic)) return false;
    text.remove_prefix(kAtomic.size());
    return !text.starts_with(kAtomic) && parse_element(text, element);
}

Result<std::vector<std::byte>> parse_number(Element element, std::string_view text) {
    if (!is_float(element)) return parse_integer(element, text);
    Result<double> value =
        element == Element::F32 ? parse_float<float>(element, text) : parse_float<double>(element, text);
    if (!value) return value.error();
    return float_bytes(element, *value);
}

std::string HostArray::text(uint64_t index) const {
    const std::byte* at = bytes.data() + index * size_bytes(element);
    auto as = [at]<class T>(T value) {
        std::memcpy(&value, at, sizeof value);
        std::array<char, 32> buffer = {};
        const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
        return std::string(buffer.data(), end);
    };
    switch (element) {
        case Element::I8: return as(int8_t{});
        case Element::U8: return as(uint8_t{});
        case Element::I16: return as(int16_t{});
        case Element::U16: return as(uint16_t{});
        case Element::I32: return as(int32_t{});
        case Element::U32: return as(uint32_t{});
        case Element::I64: return as(int64_t{});
        case Element::U64: return as(uint64_t{});
        case Element::F32: return as(float{});
        case Element::F64: return as(double{});
        case Element::F16: {
            uint16_t bits = 0;
            std::memcpy(&bits, at, sizeof bits);
            std::array<char, 32> buffer = {};
            const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                                    static_cast<float>(half_value(bits)));
            return {buffer.data(), end};
        }
    }
    return {};
}

Result<HostArray> parse_array(Element element, std::string_view text) {
    HostArray array{.element = element};
    if (text.starts_with('@')) {
        const std::string path(text.substr(1));
        if (path.ends_with(".npy")) return load_npy(path);
        const Result<std::string> bytes = read_input(path);
        if (!bytes) return bytes.error();
        if (bytes->size() % size_bytes(element) != 0)
            return Error{.message = "the size of '" + path + "', " + std::to_string(bytes->size()) +
                                    " bytes, is not a multiple of the " +
                                    std::to_string(size_bytes(element)) + " of " +
                                    std::string(name(element))};
        array.bytes.resize(bytes->size());
        std::memcpy(array.bytes.data(), bytes->data(), array.bytes.size());
        array.shape = {array.count()};
        return array;
    }
    // [TYPE] first, when it is written.
    const size_t type_end = text.find_first_of("[:");
    if (type_end == std::string_view::npos)
        return bad("a buffer needs contents, as in f32:1,2,3 or f32[1024] or @file.npy:", text);
    if (type_end != 0 && !parse_element(text.substr(0, type_end), array.element))
        return bad("unknown element type", text.substr(0, type_end));
    text.remove_prefix(type_end);

    if (text.starts_with(':')) {
        for (std::string_view part : split(text.substr(1), ',')) {
            Result<std::vector<std::byte>> value = parse_number(array.element, part);
            if (!value) return value.error();
            array.bytes.insert(array.bytes.end(), value->begin(), value->end());
        }
        array.shape = {array.count()};
        return array;
    }
    const size_t close = text.find(']');
    uint64_t count = 0;
    const std::string_view digits =
        close == std::string_view::npos ? std::string_view{} : text.substr(1, close - 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc{} || end != digits.data() + digits.size() || count > (1ull << 36))
        return bad("not a number of elements:", text);
    array.shape = {count};
    array.bytes.resize(count * size_bytes(array.element));
    std::string_view how = text.substr(close + 1);
    if (!how.empty() && !how.starts_with(':')) return bad("expected ':' before the contents:", how);
    if (!how.empty()) how.remove_prefix(1);
    return generate(std::move(array), count, how);
}

namespace {

/// The rest of an .npy file's header from the value of a key on: "{'shape': (3,), }". Empty without the key.
std::string_view value_of(std::string_view header, std::string_view key) {
    for (const char quote : {'\'', '"'}) {
        const std::string quoted = quote + std::string(key) + quote;
        const size_t at = header.find(quoted);
        if (at == std::string_view::npos) continue;
        const size_t colon = header.find_first_not_of(" \t", at + quoted.size());
        if (colon == std::string_view::npos || header[colon] != ':') continue;
        return header.substr(std::min(header.find_first_not_of(" \t", colon + 1), header.size()));
    }
    return {};
}

/// The text in quotation marks at the beginning of `value`; empty if there is none.
std::string_view quoted(std::string_view value) {
    if (!value.starts_with('\'') && !value.starts_with('"')) return {};
    const size_t end = value.find(value[0], 1);
    return end == std::string_view::npos ? std::string_view() : value.substr(1, end - 1);
}

/// "(2, 3)", in which old files write "2L".
bool parse_shape(std::string_view value, std::vector<uint64_t>& shape) {
    const size_t close = value.find(')');
    if (!value.starts_with('(') || close == std::string_view::npos) return false;
    for (std::string_view part : split(value.substr(1, close - 1), ',')) {
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ') || part.ends_with('L')) part.remove_suffix(1);
        if (part.empty()) continue;
        uint64_t extent = 0;
        if (!read_integer(part, extent)) return false;
        shape.push_back(extent);
    }
    return true;
}

}  // namespace

Result<HostArray> load_npy(const std::string& path) {
    const Result<std::string> file = read_input(path);
    if (!file) return file.error();
    const std::string_view all = *file;
    if (!all.starts_with("\x93NUMPY") || all.size() < 12) return bad("not a .npy file:", path);
    if (all[6] < 1 || all[6] > 3) return bad("unknown version of the .npy format:", path);
    const bool long_header = all[6] >= 2;
    const size_t header_at = long_header ? 12 : 10;
    uint32_t header_size = static_cast<uint8_t>(all[8]) | static_cast<uint32_t>(static_cast<uint8_t>(all[9]))
                                                              << 8;
    if (long_header) std::memcpy(&header_size, all.data() + 8, 4);
    if (header_size > all.size() - header_at) return bad("truncated .npy header:", path);
    const std::string_view header = all.substr(header_at, header_size);

    HostArray array;
    const std::string_view type = quoted(value_of(header, "descr"));
    const bool is_bool = type == "|b1";
    const auto found = std::ranges::find_if(kRows, [&](const Row& r) {
        return is_bool ? r.element == Element::U8
                       : type.size() == 3 && (type[0] != '>' || r.bytes == 1) && type.substr(1) == r.npy;
    });
    if (found == kRows.end())
        return Error{.message =
                         "unsupported .npy element type '" + std::string(type) + "' in '" + path + "'"};
    array.element = found->element;
    const std::string_view shape = value_of(header, "shape");
    if (shape.empty()) return bad("no shape in", path);
    if (!parse_shape(shape, array.shape)) return bad("bad shape in", path);
    const std::string_view fortran = value_of(header, "fortran_order");
    const auto longer = std::ranges::count_if(array.shape, [](uint64_t extent) { return extent != 1; });
    if (longer > 1 && !fortran.starts_with("False")) return bad("Fortran order is not supported:", path);

    const std::string_view data = all.substr(header_at + header_size);
    uint64_t bytes = size_bytes(array.element);
    for (uint64_t extent : array.shape)
        if (__builtin_mul_overflow(bytes, extent, &bytes)) return bad("bad shape in", path);
    if (bytes > data.size()) return bad("truncated .npy data:", path);
    array.bytes.resize(bytes);
    std::memcpy(array.bytes.data(), data.data(), bytes);
    return array;
}

Result<Done> save(const HostArray& array, const std::string& path) {
    std::string file;
    if (path.ends_with(".npy")) {
        std::string header = "{'descr': '" + std::string(size_bytes(array.element) == 1 ? "|" : "<") +
                             std::string(row(array.element).npy) + "', 'fortran_order': False, 'shape': (";
        for (uint64_t extent : array.shape) header += std::to_string(extent) + ",";
        header += "), }";
        header.append(63 - (10 + header.size()) % 64, ' ');
        header += '\n';
        const auto size = static_cast<uint16_t>(header.size());
        file.append("\x93NUMPY\x01\x00", 8);
        file.append(reinterpret_cast<const char*>(&size), 2);
        file += header;
    }
    file.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    if (write_file(path, file)) return Done{};
    return Error{.message = "cannot write '" + path + "': " + std::strerror(errno)};
}

}  // namespace caldera::tools
