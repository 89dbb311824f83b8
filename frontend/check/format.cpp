// SPDX-License-Identifier: Apache-2.0
// The format string of printf and what it is given (OpenCL C 6.13.13). All of this is undefined at run time
// rather than an error, so these are warnings, as in clang.
#include <algorithm>

#include "frontend/check/checker_impl.h"
#include "frontend/lex/literal.h"

namespace caldera::frontend {

namespace {

enum class Kind : uint8_t { Signed, Unsigned, Floating, Character, String, Pointer };

struct Specifier {
    char letter;
    Kind kind;
    std::string_view flags;  ///< those that mean something
    bool takes_precision;
};
constexpr Specifier kSpecifiers[] = {
    {'d', Kind::Signed, "-+ 0", true},    {'i', Kind::Signed, "-+ 0", true},
    {'o', Kind::Unsigned, "-#0", true},   {'u', Kind::Unsigned, "-0", true},
    {'x', Kind::Unsigned, "-#0", true},   {'X', Kind::Unsigned, "-#0", true},
    {'f', Kind::Floating, "-+ #0", true}, {'F', Kind::Floating, "-+ #0", true},
    {'e', Kind::Floating, "-+ #0", true}, {'E', Kind::Floating, "-+ #0", true},
    {'g', Kind::Floating, "-+ #0", true}, {'G', Kind::Floating, "-+ #0", true},
    {'a', Kind::Floating, "-+ #0", true}, {'A', Kind::Floating, "-+ #0", true},
    {'c', Kind::Character, "-", false},   {'s', Kind::String, "-", true},
    {'p', Kind::Pointer, "-", false},
};

/// Length modifiers in the order in which they are tried: longer ones first. Modifiers that only C99 has are
/// listed so that they can be rejected.
struct Length {
    std::string_view text;
    bool in_opencl;
    Standard since = Standard::CL10;
};
constexpr Length kLengths[] = {{"hh", true},
                               {"hl", true},
                               {"h", true},
                               {"ll", false},
                               {"l", true},
                               {"j", false},
                               {"L", false},
                               {"q", false},
                               {"z", true, Standard::CL31},
                               {"t", true, Standard::CL31}};

/// A character as a diagnostic shows it: one that has no glyph by its number.
std::string printable(char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127) return {c};
    return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

bool is_long(std::string_view length) { return length == "l" || length == "z" || length == "t"; }

/// A part of the string: its first byte, and one past its last.
struct Part {
    size_t begin = 0, end = 0;
};

/// % flags width precision vector length conversion
struct Specification {
    Part whole = {}, flags = {}, width = {}, precision = {}, vector = {}, length = {};
    const Specifier* conversion = nullptr;
    uint32_t lanes = 0;  ///< 0: a scalar
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A string that may be the format of printf; null if it is known only at run time.
struct Format {
    const StringLiteralExpr* string = nullptr;
    size_t offset = 0;
    bool in_call = false;  ///< written where the call is
};

void find_formats(const Expr& e, Arena& arena, std::vector<Format>& out) {
    const Expr* inner = &e;
    while (true) {
        inner = strip_parens(inner);
        const auto* cast = dyn<CastExpr>(inner);
        if (!cast || cast->cast == CastKind::LValueToRValue) break;
        inner = cast->operand;
    }
    if (const auto* choice = dyn<ConditionalExpr>(inner); choice && choice->if_true) {
        find_formats(*choice->if_true, arena, out);
        find_formats(*choice->if_false, arena, out);
        return;
    }
    if (const auto* string = dyn<StringLiteralExpr>(inner)) return out.push_back({string, 0, true});
    const auto value = evaluate(e, arena);
    Format format;
    if (value && value->kind == ConstantValue::Kind::Address && value->offset_bytes >= 0) {
        format.offset = static_cast<size_t>(value->offset_bytes);
        format.string = value->string;
        if (!format.string && value->base && value->base->init)
            format.string = dyn<StringLiteralExpr>(static_cast<const Expr*>(value->base->init));
        if (format.string && format.offset > format.string->value.size()) format.string = nullptr;
    }
    out.push_back(format);
}

/// The argument as written, before the default promotions.
const Expr* unpromoted(const Expr* e) {
    while (const auto* cast = dyn<CastExpr>(e)) {
        const bool promotes = cast->cast == CastKind::Integral || cast->cast == CastKind::Float;
        if (cast->written || !promotes) break;
        e = cast->operand;
    }
    return e;
}

class FormatCheck {
 public:
    FormatCheck(const Format& format, const CallExpr& call, Standard standard, TypeTable& types,
                Diagnostics& diags)
        : format_(format),
          standard_(standard),
          text_(format.string->value),
          at_(expr_place(*call.args[0])),
          args_(std::span<Expr* const>(call.args).subspan(1)),
          types_(types),
          diags_(diags) {}

    void run() {
        size_t at = text_.find('%', format_.offset);
        if (const size_t nul = text_.find('\0', format_.offset); nul < text_.size())
            warn(Warning::Format, {nul, nul + 1}, "format string contains '\\0' within the string body");
        while (at < text_.size()) {
            Specification spec;
            if (!read(spec, at)) return;
            at = text_.find('%', spec.whole.end);
        }
        if (next_ < args_.size())
            note_definition(diags_.warning(Warning::FormatExtraArgs, expr_place(*args_[next_]),
                                           "data argument not used by format string"));
    }

 private:
    // ---- Reading ----

    std::string_view of(Part part) const { return text_.substr(part.begin, part.end - part.begin); }
    Part digits(size_t& at) const {
        Part part = {at, at};
        while (at < text_.size() && is_digit(text_[at])) ++at;
        part.end = at;
        return part;
    }
    /// Digits, or a '*', which OpenCL does not have and which takes an argument.
    Part amount(size_t& at, std::string_view what) {
        if (at >= text_.size() || text_[at] != '*') return digits(at);
        warn(Warning::Format, {at, at + 1}, "'*' as ", what, " is not supported in OpenCL");
        ++next_;
        return {at, ++at};
    }

    /// Reads and checks one specification; false if the rest of the string cannot be parsed.
    bool read(Specification& spec, size_t at) {
        spec.whole.begin = at++;
        spec.flags.begin = at;
        while (at < text_.size() && std::string_view("-+ #0").find(text_[at]) != std::string_view::npos) ++at;
        spec.flags.end = at;
        spec.width = amount(at, "field width");
        if (at < text_.size() && text_[at] == '.') {
            const size_t dot = at++;
            spec.precision = amount(at, "precision");
            spec.precision.begin = dot;
        }
        if (at < text_.size() && text_[at] == 'v') {
            const size_t v = at++;
            spec.vector = digits(at);
            for (const char digit : of(spec.vector))
                if (spec.lanes < 100) spec.lanes = spec.lanes * 10 + static_cast<uint32_t>(digit - '0');
            spec.vector.begin = v;
        }
        for (const Length& length : kLengths) {
            if (!text_.substr(at).starts_with(length.text)) continue;
            spec.length = {at, at + length.text.size()};
            at = spec.length.end;
            break;
        }
        if (at >= text_.size()) {
            warn(Warning::Format, {spec.whole.begin, text_.size()}, "incomplete format specifier");
            return false;
        }
        spec.whole.end = at + 1;
        if (text_[at] == '%') return true;
        const auto* found = std::ranges::find(kSpecifiers, text_[at], &Specifier::letter);
        if (found == std::end(kSpecifiers)) {
            warn(Warning::FormatInvalidSpecifier, {at, at + 1}, "invalid conversion specifier '",
                 printable(text_[at]), "'");
            ++next_;
            return true;
        }
        spec.conversion = found;
        const bool fine = judge(spec);
        if (next_ >= args_.size()) {
            warn(Warning::FormatInsufficientArgs, spec.whole, "more '%' conversions than data arguments");
            next_ = SIZE_MAX;
            return false;
        }
        if (fine) argument(spec, *args_[next_]);
        ++next_;
        return true;
    }

    // ---- What goes together ----

    /// Whether the type that the conversion takes is known.
    bool judge(const Specification& spec) {
        const Specifier& conversion = *spec.conversion;
        const std::string letter(1, conversion.letter);
        flags(spec);
        if (spec.precision.end != 0 && !conversion.takes_precision)
            warn(Warning::Format, spec.precision, "precision used with '", letter,
                 "' conversion specifier, resulting in undefined behavior");
        const bool number = conversion.kind <= Kind::Floating;
        if (spec.vector.end != 0) {
            const bool lanes =
                spec.lanes == 2 || spec.lanes == 3 || spec.lanes == 4 || spec.lanes == 8 || spec.lanes == 16;
            if (!lanes) {
                warn(Warning::FormatInvalidSpecifier, spec.vector, "invalid vector specifier '",
                     of(spec.vector), "'; expected 2, 3, 4, 8 or 16 components");
                return false;
            }
            if (!number) {
                warn(Warning::Format, spec.vector, "vector specifier '", of(spec.vector),
                     "' results in undefined behavior with '", letter, "' conversion specifier");
                return false;
            }
        }
        const std::string_view length = of(spec.length);
        if (length.empty()) return true;
        const Length& known = *std::ranges::find(kLengths, length, &Length::text);
        if (known.in_opencl && standard_ < known.since) {
            warn(Warning::Format, spec.length, "length modifier '", length,
                 "' is not supported before OpenCL C ", version_name(known.since));
            return false;
        }
        if (!known.in_opencl) {
            warn(Warning::Format, spec.length, "length modifier '", length, "' is not supported in OpenCL");
            return false;
        }
        const bool floating = conversion.kind == Kind::Floating;
        const bool fits = spec.lanes != 0 ? !(floating && length == "hh") && length != "z" && length != "t"
                                          : number && !floating && length != "hl";
        if (!fits)
            warn(Warning::Format, spec.length, "length modifier '", length,
                 "' results in undefined behavior or no effect with '", letter, "' conversion specifier");
        return fits;
    }

    void flags(const Specification& spec) {
        const std::string_view all = of(spec.flags);
        auto has = [&](char flag) { return all.find(flag) != std::string_view::npos; };
        for (size_t i = 0; i < all.size(); ++i) {
            if (all.find(all[i]) != i) continue;
            const Part at = {spec.flags.begin + i, spec.flags.begin + i + 1};
            const std::string flag(1, all[i]);
            if (spec.conversion->flags.find(all[i]) == std::string_view::npos) {
                warn(Warning::Format, at, "flag '", flag, "' results in undefined behavior with '",
                     std::string(1, spec.conversion->letter), "' conversion specifier");
            } else if ((all[i] == ' ' && has('+')) || (all[i] == '0' && has('-'))) {
                warn(Warning::Format, at, "flag '", flag, "' is ignored when flag '",
                     all[i] == ' ' ? "+" : "-", "' is present");
            }
        }
    }

    // ---- The argument ----

    TypeKind expected_kind(const Specification& spec) const {
        const std::string_view length = of(spec.length);
        switch (spec.conversion->kind) {
            case Kind::Floating:
                if (length == "h") return TypeKind::Half;
                return length == "hl" ? TypeKind::Float : TypeKind::Double;
            case Kind::Signed:
                if (length == "hh") return TypeKind::Char;
                if (length == "h") return TypeKind::Short;
                return is_long(length) ? TypeKind::Long : TypeKind::Int;
            case Kind::Unsigned:
                if (length == "hh") return TypeKind::UChar;
                if (length == "h") return TypeKind::UShort;
                return is_long(length) ? TypeKind::ULong : TypeKind::UInt;
            default: return TypeKind::Int;
        }
    }

    void argument(const Specification& spec, const Expr& promoted) {
        const Expr& arg = *unpromoted(&promoted);
        const QualType given = {.type = arg.type.type};
        if (given->is_error()) return;
        const Kind kind = spec.conversion->kind;
        if (kind == Kind::Pointer) {
            if (!given->is_pointer()) mismatch(spec, arg, "void *");
            return;
        }
        if (kind == Kind::String) return string_argument(spec, arg);
        const Type* expected = types_.scalar(expected_kind(spec));
        if (spec.lanes != 0) {
            const bool any_char =
                expected->kind == TypeKind::Char && given->scalar()->kind == TypeKind::UChar;
            const bool fits = given->lanes() == spec.lanes && (any_char || given->scalar() == expected);
            if (!fits) mismatch(spec, arg, to_string(types_.vector(expected, spec.lanes)));
            return;
        }
        bool fits = kind == Kind::Floating ? given->is_floating() : given->is_integer();
        // Narrower integers were promoted. Without a length modifier, the type is int.
        if (fits && kind != Kind::Floating) {
            fits =
                is_long(of(spec.length)) ? given->size_bytes == 8 : given->size_bytes <= expected->size_bytes;
        }
        if (!fits) mismatch(spec, arg, to_string(expected));
    }

    void string_argument(const Specification& spec, const Expr& arg) {
        const Type* given = arg.type.type;
        const bool characters = given->is_pointer() && (given->element->kind == TypeKind::Char ||
                                                        given->element->kind == TypeKind::UChar);
        if (!characters) return mismatch(spec, arg, "__constant char *");
        if (given->element.space != AddressSpace::Constant)
            note_definition(diags_
                                .warning(Warning::Format, expr_place(arg), "'%s' with an argument of type '",
                                         arg.type.type, "' is undefined; only string literals can be printed")
                                .highlight(range(spec.whole)));
    }

    void mismatch(const Specification& spec, const Expr& arg, std::string_view expected) {
        auto handle = diags_.warning(Warning::Format, expr_place(arg), "format specifies type '", expected,
                                     "' but the argument has type '", arg.type.type, "'");
        if (!format_.in_call) return note_definition(handle);
        const SourceRange written = range(spec.whole);
        handle.highlight(written);
        // Not when adjacent literals share the specification.
        const bool in_one_piece =
            written.end.offset - written.begin.offset >= spec.whole.end - spec.whole.begin;
        if (const std::string better = suggestion(spec, arg.type.type); !better.empty() && in_one_piece)
            handle.fixit(written, better);
    }

    /// The specification that prints an argument of this type most like `spec`; empty if there is none.
    std::string suggestion(const Specification& spec, const Type* type) const {
        const Type* element = type->scalar();
        const Specifier& conversion = *spec.conversion;
        std::string out = "%" + std::string(of(spec.flags)) + std::string(of(spec.width));
        if (type->is_pointer()) return element->element->kind == TypeKind::Char ? out + "s" : out + "p";
        if (!element->is_arithmetic()) return {};
        out += of(spec.precision);
        if (type->is_vector()) out += "v" + std::to_string(type->count);
        const bool floating = element->is_floating();
        switch (element->size_bytes) {
            case 1: out += "hh"; break;
            case 2: out += floating && !type->is_vector() ? "" : "h"; break;
            case 4: out += type->is_vector() ? "hl" : ""; break;
            default: out += floating && !type->is_vector() ? "" : "l"; break;
        }
        const bool same = floating
                              ? conversion.kind == Kind::Floating
                              : conversion.kind == (element->is_signed() ? Kind::Signed : Kind::Unsigned);
        if (same) return out + conversion.letter;
        const bool integers = conversion.kind <= Kind::Unsigned && !floating;
        if (integers && !type->is_vector()) return out + conversion.letter;
        return out + (floating ? 'f' : element->is_signed() ? 'd' : 'u');
    }

    // ---- Saying it ----

    SourceRange range(Part part) const {
        const StringLiteralExpr& string = *format_.string;
        return string.tokens.empty() ? string.range : string_range(string.tokens, part.begin, part.end);
    }

    template <class... Parts>
    void warn(Warning group, Part part, const Parts&... parts) {
        note_definition(diags_.warning(group, format_.in_call ? range(part) : at_, parts...));
    }
    void note_definition(Diagnostics::Handle handle) {
        if (!format_.in_call) handle.note(format_.string->range, "format string is defined here");
    }

    const Format& format_;
    Standard standard_;
    std::string_view text_;
    SourceRange at_;  // of the format in the call
    std::span<Expr* const> args_;
    TypeTable& types_;
    Diagnostics& diags_;
    size_t next_ = 0;  // the argument that the next conversion takes
};

}  // namespace

void Checker::warn_format(const CallExpr& e) {
    if (unevaluated_) return;
    std::vector<Format> formats;
    find_formats(*e.args[0], arena_, formats);
    const bool alone = e.args.size() == 1;
    for (const Format& format : formats) {
        if (format.string)
            FormatCheck(format, e, options_.standard, types_, diags_).run();
        else  // 6.13.13: it has to be resolvable at compile time
            diags_.warning(alone ? Warning::FormatSecurity : Warning::FormatNonliteral,
                           expr_place(*e.args[0]), "format string is not a string literal",
                           alone ? " (potentially insecure)" : "");
    }
}

}  // namespace caldera::frontend
