// SPDX-License-Identifier: Apache-2.0
#include "frontend/builtin/signature.h"

#include <algorithm>

#include "spirv/support/check.h"

namespace caldera::frontend::builtin {

namespace {

using enum TypeKind;

constexpr TypeKind kNumbers[] = {Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double};
constexpr TypeKind kSigned[] = {Char, Short, Int, Long};
constexpr TypeKind kWorkGroup[] = {Int, UInt, Long, ULong, Half, Float, Double};
constexpr TypeKind kIntFloat[] = {Int, UInt, Float};
constexpr TypeKind kAtomic[] = {Int, UInt, Long, ULong, Float, Double};
constexpr std::span<const TypeKind> kAllNumbers(kNumbers);
constexpr auto kIntegers = kAllNumbers.subspan(0, 8);
constexpr auto kNarrow = kAllNumbers.subspan(0, 6);
constexpr auto k8 = kAllNumbers.subspan(0, 2);
constexpr auto k8And16 = kAllNumbers.subspan(0, 4);
constexpr auto k16 = kAllNumbers.subspan(2, 2);
constexpr auto k32 = kAllNumbers.subspan(4, 2);
constexpr auto k64 = kAllNumbers.subspan(6, 2);
constexpr auto kFloats = kAllNumbers.subspan(8, 3);
constexpr auto kHalf = kAllNumbers.subspan(8, 1);
constexpr auto kFloat = kAllNumbers.subspan(9, 1);
constexpr auto kFloatDouble = kAllNumbers.subspan(9, 2);

constexpr uint8_t kLaneCounts[] = {1, 2, 3, 4, 8, 16};
constexpr uint8_t kEven[] = {2, 4, 8, 16};
constexpr std::span<const uint8_t> kAnyLanes(kLaneCounts);
constexpr auto kOne = kAnyLanes.subspan(0, 1);
constexpr auto kVectors = kAnyLanes.subspan(1);
constexpr auto kUpTo8 = kAnyLanes.subspan(0, 5);
constexpr auto kUpTo4 = kAnyLanes.subspan(0, 4);
constexpr auto kVectorsUpTo4 = kAnyLanes.subspan(1, 3);
constexpr auto k3And4 = kAnyLanes.subspan(2, 2);

constexpr Family kFamilies[] = {
    {"F", kFloats, kAnyLanes},   {"FV", kFloats, kVectors},
    {"F1", kFloats, kOne},       {"F16", kHalf, kAnyLanes},
    {"F32", kFloat, kAnyLanes},  {"FD1", kFloatDouble, kOne},
    {"FG", kFloats, kUpTo4},     {"FGV", kFloats, kVectorsUpTo4},
    {"FG32", kFloat, kUpTo4},    {"FC", kFloats, k3And4},
    {"I", kIntegers, kAnyLanes}, {"IV", kIntegers, kVectors},
    {"IS", kSigned, kAnyLanes},  {"IN", kNarrow, kAnyLanes},
    {"I32", k32, kAnyLanes},     {"I1", kIntegers, kOne},
    {"IN1", k8And16, kOne},      {"IF32", kIntFloat, kAnyLanes},
    {"I8", k8, kAnyLanes},       {"I8S", k8, kOne},
    {"I16", k16, kAnyLanes},     {"I16S", k16, kOne},
    {"I16N", k16, kUpTo8},       {"G", kNumbers, kAnyLanes},
    {"G1", kNumbers, kOne},      {"GV", kNumbers, kVectors},
    {"S", kNumbers, kEven},      {"A", kIntegers.subspan(4), kOne},
    {"A32", k32, kOne},          {"A64", k64, kOne},
    {"AV", kAtomic, kOne},       {"W", kWorkGroup, kOne},
};

struct NamedKind {
    std::string_view name;
    TypeKind kind;
};
constexpr NamedKind kFixed[] = {
    {"void", Void},
    {"bool", Bool},
    {"int", Int},
    {"uint", UInt},
    {"float", Float},
    {"half", Half},
    {"double", Double},
    {"char", Char},
    {"uchar", UChar},
    {"short", Short},
    {"ushort", UShort},
    {"long", Long},
    {"ulong", ULong},
    {"size_t", ULong},
    {"cl_mem_fence_flags", UInt},
    {"memory_order", Int},
    {"memory_scope", Int},
    {"event_t", Event},
    {"sampler_t", Sampler},
    {"queue_t", Queue},
    {"clk_event_t", ClkEvent},
    {"reserve_id_t", ReserveId},
    {"ndrange_t", NDRange},
    {"atomic_flag", Int},
};

struct Word {
    std::string_view text;
    uint8_t bits;
};
constexpr Word kSpaces[] = {{"private", kPrivate},   {"global", kGlobal},          {"local", kLocal},
                            {"constant", kConstant}, {"shared", kGlobal | kLocal}, {"plain", kPlain},
                            {"generic", kGeneric},   {"object", kObject},          {"memory", kMemory}};
constexpr uint8_t bit(Access access) { return static_cast<uint8_t>(1 << static_cast<int>(access)); }
constexpr Word kAccess[] = {
    {"read_only", bit(Access::ReadOnly)},
    {"write_only", bit(Access::WriteOnly)},
    {"read_write", bit(Access::ReadWrite)},
    {"readable", bit(Access::ReadOnly) | bit(Access::ReadWrite)},
    {"writable", bit(Access::WriteOnly) | bit(Access::ReadWrite)},
    {"image", bit(Access::ReadOnly) | bit(Access::WriteOnly) | bit(Access::ReadWrite)},
};

const Word* find_word(std::span<const Word> words, std::string_view text) {
    auto it = std::ranges::find(words, text, &Word::text);
    return it == words.end() ? nullptr : &*it;
}

// Reads one signature from left to right.
class Reader {
 public:
    explicit Reader(std::string_view text) : rest_(text) {}

    Signature read() {
        out_.result = type();
        require(take() == "(");
        while (peek() != ")") {
            if (peek() == ",") take();
            if (peek() == "...") {
                out_.variadic = true;
                take();
                continue;
            }
            require(out_.count < kMaxParams);
            out_.params[out_.count++] = type();
        }
        return out_;
    }

 private:
    static void require(bool good) {
        check(good, "a row of builtins.def has a signature that does not parse");
    }

    // Tokens: "(", ")", ",", "*", "...", ".suffix", words.
    std::string_view peek() {
        while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
        if (rest_.empty()) return {};
        if (rest_.starts_with("...")) return rest_.substr(0, 3);
        if (std::string_view("(),*").find(rest_[0]) != std::string_view::npos) return rest_.substr(0, 1);
        size_t end = rest_.find_first_of(" (),*.", 1);
        return rest_.substr(0, end);
    }
    std::string_view take() {
        std::string_view token = peek();
        rest_.remove_prefix(token.size());
        return token;
    }

    TypeSpec type() {
        TypeSpec spec;
        while (qualifier(spec, peek())) take();
        base(spec, take());
        while (peek().starts_with('.') && peek() != "...") suffix(spec, take());
        if (peek() == "*") {
            take();
            spec.is_pointer = true;
        }
        return spec;
    }

    static bool qualifier(TypeSpec& spec, std::string_view word) {
        if (word == "const") return spec.is_const = true;
        if (word == "volatile") return spec.is_volatile = true;
        if (const Word* space = find_word(kSpaces, word)) return (spec.spaces = space->bits) != 0;
        if (const Word* access = find_word(kAccess, word)) return (spec.access = access->bits) != 0;
        return false;
    }

    void base(TypeSpec& spec, std::string_view word) {
        if (auto it = std::ranges::find(kFamilies, word, &Family::name); it != std::end(kFamilies)) {
            require(!out_.family || out_.family == it);
            out_.family = it;
            spec.base = Base::Family;
        } else if (auto fixed = std::ranges::find(kFixed, word, &NamedKind::name);
                   fixed != std::end(kFixed)) {
            spec.fixed = {fixed->kind, 1};
            spec.is_atomic = word == "atomic_flag";
        } else if (word == "T") {
            spec.base = Base::Pointee;
        } else if (word == "R") {
            spec.base = Base::NamedResult;
        } else if (!image(spec, word)) {
            vector(spec, word);
        }
    }

    static bool image(TypeSpec& spec, std::string_view word) {
#define IMAGE(id, spelling, ...)    \
    if (word == (spelling)) {       \
        spec.base = Base::Image;    \
        spec.image = ImageKind::id; \
        return true;                \
    }
#include "frontend/types/images.def"
#undef IMAGE
        return false;
    }

    static void vector(TypeSpec& spec, std::string_view word) {  // "float4"
        size_t digits = word.find_first_of("0123456789");
        require(digits != std::string_view::npos);
        auto it = std::ranges::find(kFixed, word.substr(0, digits), &NamedKind::name);
        require(it != std::end(kFixed));
        const auto lanes = static_cast<uint8_t>(word[digits] - '0');
        spec.fixed = {it->kind, word.ends_with("16") ? uint8_t{16} : lanes};
    }

    void suffix(TypeSpec& spec, std::string_view word) {
        if (word == ".scalar")
            spec.lanes = Lanes::Scalar;
        else if (word == ".#")
            spec.lanes = Lanes::Name;
        else if (word == ".n") {
            spec.lanes = Lanes::Second;
            out_.second_lanes = true;
        } else if (word == ".unsigned")
            spec.derive = Derive::Unsigned;
        else if (word == ".int")
            spec.derive = Derive::Int;
        else if (word == ".uint")
            spec.derive = Derive::UInt;
        else if (word == ".float")
            spec.derive = Derive::Float;
        else if (word == ".sbits")
            spec.derive = Derive::SignedBits;
        else if (word == ".ubits")
            spec.derive = Derive::UnsignedBits;
        else if (word == ".wider")
            spec.derive = Derive::Wider;
        else if (word == ".truth")
            spec.derive = Derive::Truth;
        else if (word == ".atomic")
            spec.is_atomic = true;
        else
            require(false);
    }

    std::string_view rest_;
    Signature out_ = {};
};

bool is_unsigned(TypeKind kind) { return kind == UChar || kind == UShort || kind == UInt || kind == ULong; }

// The integer type of the same width as `kind`. From char to ulong the kinds come in pairs, signed first.
TypeKind integer_like(TypeKind kind, bool is_signed) {
    if (kind == Half) kind = Short;
    if (kind == Float) kind = Int;
    if (kind == Double) kind = Long;
    auto value = static_cast<uint8_t>(kind);
    if (is_unsigned(kind)) --value;
    return static_cast<TypeKind>(is_signed ? value : value + 1);
}

TypeKind derive(Derive how, TypeKind kind, uint8_t lanes) {
    switch (how) {
        case Derive::None: return kind;
        case Derive::Unsigned:
        case Derive::UnsignedBits: return integer_like(kind, false);
        case Derive::SignedBits: return integer_like(kind, true);
        case Derive::Int: return Int;
        case Derive::UInt: return UInt;
        case Derive::Float: return Float;
        case Derive::Wider: return static_cast<TypeKind>(static_cast<uint8_t>(kind) + 2);
        case Derive::Truth: return lanes == 1 ? Int : integer_like(kind, true);
    }
    return kind;
}

constexpr uint8_t bit(AddressSpace space) { return static_cast<uint8_t>(1 << static_cast<int>(space)); }

}  // namespace

Signature parse_signature(std::string_view text) { return Reader(text).read(); }

Shape shape(const TypeSpec& spec, const Binding& binding) {
    Shape out = spec.fixed;
    if (spec.base == Base::Family) out = {binding.element, binding.lanes};
    if (spec.base == Base::NamedResult) out = binding.named_result;
    if (spec.base == Base::Pointee && binding.pointee) out = shape(binding.pointee.type);
    switch (spec.lanes) {
        case Lanes::Own: break;
        case Lanes::Scalar: out.lanes = 1; break;
        case Lanes::Name: out.lanes = binding.name_lanes; break;
        case Lanes::Second: out.lanes = binding.second_lanes; break;
    }
    out.kind = derive(spec.derive, out.kind, out.lanes);
    return out;
}

Shape shape(const Type* type) { return {type->scalar()->kind, static_cast<uint8_t>(type->lanes())}; }

uint8_t allowed_spaces(const TypeSpec& spec, const Features& features) {
    const bool generic_space = features.has(Ext::GenericAddressSpace);
    if (spec.spaces == kPlain) return bit(generic_space ? AddressSpace::Generic : AddressSpace::Private);
    if (spec.spaces == kGeneric) return generic_space ? bit(AddressSpace::Generic) : 0;
    if (spec.spaces == kObject || spec.spaces == kMemory) {
        uint8_t out = generic_space ? bit(AddressSpace::Generic) : 0;
        if (generic_space && features.standard == Standard::CL20) return out;
        out |= bit(AddressSpace::Global) | bit(AddressSpace::Local);
        return spec.spaces == kObject ? out : out | bit(AddressSpace::Private);
    }
    if (spec.spaces != 0) {
        uint8_t out = 0;
        if (spec.spaces & kPrivate) out |= bit(AddressSpace::Private);
        if (spec.spaces & kGlobal) out |= bit(AddressSpace::Global);
        if (spec.spaces & kLocal) out |= bit(AddressSpace::Local);
        if (spec.spaces & kConstant) out |= bit(AddressSpace::Constant);
        return out;
    }
    uint8_t out = spec.is_const ? bit(AddressSpace::Constant) : 0;
    if (generic_space) return out | bit(AddressSpace::Generic);
    return out | bit(AddressSpace::Private) | bit(AddressSpace::Global) | bit(AddressSpace::Local);
}

QualType make_type(const TypeSpec& spec, const Binding& binding, AddressSpace space, Access access,
                   TypeTable& types) {
    QualType out;
    if (spec.base == Base::Image) {
        out = {.type = types.image(spec.image), .access = access};
    } else if (spec.base == Base::Pointee) {
        out = {.type = binding.pointee.type};
    } else {
        Shape wanted = shape(spec, binding);
        out = {.type = types.scalar(wanted.kind)};
        if (wanted.lanes != 1) out.type = types.vector(out.type, wanted.lanes);
        if (spec.is_atomic) out.type = types.atomic(out.type);
    }
    if (!spec.is_pointer) return out;
    out.is_const = spec.is_const;
    out.is_volatile = spec.is_volatile;
    out.space = space;
    return {.type = types.pointer(out)};
}

}  // namespace caldera::frontend::builtin
