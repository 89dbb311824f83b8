// SPDX-License-Identifier: Apache-2.0
// Integer and floating constants (C99 6.4.4.1, 6.4.4.2).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "frontend/lex/literal.h"
#include "spirv/support/float_from_chars.h"
#include "spirv/support/floats.h"

namespace caldera::frontend {
namespace {

/// One Token::Number being taken apart.
class NumberParser {
 public:
    NumberParser(const Tok& token, const CompileOptions& options, const ExtSet& enabled, Diagnostics& diags)
        : token_(token), text_(token.text), options_(options), enabled_(enabled), diags_(diags) {}

    NumberLiteral parse();

 private:
    bool integer_suffix(std::string_view suffix);
    void integer_value(std::string_view digits);
    void integer_type();
    void floating(size_t digits_end, bool has_exponent);
    bool floating_suffix(std::string_view suffix);
    void floating_value(std::string_view digits);

    template <class... Parts>
    void error(size_t at, const Parts&... parts) {
        SourceLoc begin{token_.range.begin.offset + static_cast<uint32_t>(at)};
        diags_.error({begin, begin.offset < token_.range.end.offset ? SourceLoc{begin.offset + 1} : begin},
                     parts...);
        result_.valid = false;
    }
    bool is_digit(char c) const {
        int value = c >= '0' && c <= '9'                     ? c - '0'
                    : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                             : 99;
        return value < (base_ == 16 ? 16 : 10);  // octal and binary constants are checked digit by digit
    }

    const Tok& token_;
    std::string_view text_;
    const CompileOptions& options_;
    const ExtSet& enabled_;
    Diagnostics& diags_;
    int base_ = 10;
    size_t digits_begin_ = 0;
    bool is_unsigned_ = false, is_long_ = false;
    NumberLiteral result_ = {};
};

NumberLiteral NumberParser::parse() {
    auto second = static_cast<char>(text_.size() > 2 ? text_[1] | 0x20 : 0);
    if (text_[0] == '0' && second == 'x') {
        base_ = 16;
        digits_begin_ = 2;
    } else if (text_[0] == '0' && second == 'b' && (text_[2] == '0' || text_[2] == '1')) {
        base_ = 2;  // as clang and gcc take it
        diags_.warning(Warning::GnuBinaryLiteral, token_.range,
                       "binary integer literals are a GNU extension");
        digits_begin_ = 2;
    }
    size_t at = digits_begin_;
    bool dot = false, exponent = false;
    while (at < text_.size() && (is_digit(text_[at]) || (text_[at] == '.' && !dot && base_ != 2)))
        dot |= text_[at++] == '.';
    if (base_ == 16 && dot && at == digits_begin_ + 1) {
        error(at, "hexadecimal floating constant requires a significand");
        result_.type = TypeKind::Float;
        return result_;
    }
    if (base_ == 16 && at == digits_begin_) {  // "0x", "0xp1"
        error(1, "invalid suffix '", text_.substr(1), "' on integer constant");
        return result_;
    }
    char mark = base_ == 16 ? 'p' : 'e';
    if (base_ != 2 && at < text_.size() && (text_[at] | 0x20) == mark) {
        size_t mark_at = at++;
        exponent = true;
        if (at < text_.size() && (text_[at] == '+' || text_[at] == '-')) ++at;
        size_t first = at;
        while (at < text_.size() && text_[at] >= '0' && text_[at] <= '9') ++at;
        if (at == first) {
            error(mark_at, "exponent has no digits");
            result_.type = TypeKind::Float;
            return result_;
        }
    }
    if (dot || exponent) {
        floating(at, exponent);
        return result_;
    }
    if (base_ == 10 && text_[0] == '0' && at > 1) base_ = 8;
    std::string_view digits = text_.substr(digits_begin_, at - digits_begin_);
    std::string_view suffix = text_.substr(at);
    integer_value(digits);
    if (result_.valid && !integer_suffix(suffix)) {
        auto c = static_cast<char>(suffix[0] | 0x20);
        if (base_ <= 10 && c >= 'a' && c <= 'f' && suffix.size() > 1)
            error(at, "invalid digit '", suffix.substr(0, 1), "' in ",
                  base_ == 10  ? "decimal"
                  : base_ == 8 ? "octal"
                               : "binary",
                  " constant");
        else
            error(at, "invalid suffix '", suffix, "' on integer constant");
    }
    integer_type();
    return result_;
}

/// u, l, ul, lu, ll, ... in either case; long is 64-bit (OpenCL C 6.1.1), so `ll` says no more than `l`.
bool NumberParser::integer_suffix(std::string_view suffix) {
    while (!suffix.empty()) {
        char c = suffix[0];
        if ((c == 'u' || c == 'U') && !is_unsigned_) {
            is_unsigned_ = true;
        } else if ((c == 'l' || c == 'L') && !is_long_) {
            is_long_ = true;
            if (suffix.size() > 1 && suffix[1] == c) suffix.remove_prefix(1);
        } else {
            return false;
        }
        suffix.remove_prefix(1);
    }
    return true;
}

void NumberParser::integer_value(std::string_view digits) {
    uint64_t value = 0;
    bool overflow = false;
    for (size_t i = 0; i < digits.size(); ++i) {
        char c = digits[i];
        auto digit = static_cast<uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        auto base = static_cast<uint64_t>(base_);
        if (digit >= base) {
            error(digits_begin_ + i, "invalid digit '", digits.substr(i, 1), "' in ",
                  base_ == 8 ? "octal" : "binary", " constant");
            return;
        }
        overflow |= value > (std::numeric_limits<uint64_t>::max() - digit) / base;
        value = value * base + digit;
    }
    result_.bits = value;
    if (overflow) error(0, "integer literal is too large to be represented in any integer type");
}

/// C99 6.4.4.1p5's table.
void NumberParser::integer_type() {
    uint64_t v = result_.bits;
    bool other_base = base_ != 10;
    if (!is_long_ && !is_unsigned_ && v <= 0x7FFFFFFFu)
        result_.type = TypeKind::Int;
    else if (!is_long_ && (is_unsigned_ || other_base) && v <= 0xFFFFFFFFu)
        result_.type = TypeKind::UInt;
    else if (!is_unsigned_ && v <= 0x7FFFFFFFFFFFFFFFu)
        result_.type = TypeKind::Long;
    else {
        result_.implicitly_unsigned = !is_unsigned_ && !other_base && result_.valid;
        result_.type = TypeKind::ULong;
    }
}

void NumberParser::floating(size_t digits_end, bool has_exponent) {
    result_.type = TypeKind::Float;
    if (base_ == 16 && !has_exponent) {
        error(digits_end < text_.size() ? digits_end : text_.size(),
              "hexadecimal floating constant requires an exponent");
        return;
    }
    if (!floating_suffix(text_.substr(digits_end))) {
        error(digits_end, "invalid suffix '", text_.substr(digits_end), "' on floating constant");
        return;
    }
    floating_value(text_.substr(digits_begin_, digits_end - digits_begin_));
}

bool NumberParser::floating_suffix(std::string_view suffix) {
    if (suffix == "f" || suffix == "F") return true;
    if (suffix == "h" || suffix == "H" || suffix == "f16" ||
        suffix == "F16") {  // the latter as clang has them
        if (options_.features().usable(Ext::Fp16, enabled_))
            result_.type = TypeKind::Half;
        else
            error(0, "half precision constant requires cl_khr_fp16");
        return true;
    }
    if (!suffix.empty()) return false;  // l and L: long double is reserved (OpenCL C 6.1.4)
    if (options_.single_precision_constant) return true;
    if (options_.features().usable(Ext::Fp64, enabled_))
        result_.type = TypeKind::Double;
    else
        diags_.warning(Warning::DoubleConstant, token_.range,
                       "double precision constant requires cl_khr_fp64, casting to single precision");
    return true;
}

template <class T>
double nearest(std::string_view digits, std::chars_format format, bool& out_of_range) {
    T value = 0;
    auto [end, code] = float_from_chars(digits.data(), digits.data() + digits.size(), value, format);
    out_of_range = code == std::errc::result_out_of_range;
    return value;
}

void NumberParser::floating_value(std::string_view digits) {
    auto format = base_ == 16 ? std::chars_format::hex : std::chars_format::general;
    bool out_of_range = false;
    double value = result_.type == TypeKind::Float ? nearest<float>(digits, format, out_of_range)
                                                   : nearest<double>(digits, format, out_of_range);
    if (out_of_range) value = is_huge(digits, base_ == 16) ? std::numeric_limits<double>::infinity() : 0;
    if (result_.type == TypeKind::Half) value = half_value(half_from_digits(digits, base_ == 16, value));
    result_.number = value;

    bool is_float = result_.type == TypeKind::Float, is_half = result_.type == TypeKind::Half;
    const char* name = is_half ? "half" : is_float ? "float" : "double";
    size_t first_digit =
        digits.substr(0, digits.find_first_of(base_ == 16 ? "pP" : "eE")).find_first_not_of("0.");
    if (std::isinf(value))
        diags_.warning(Warning::LiteralRange, token_.range,
                       "magnitude of floating-point constant too large for type '", name, "'; maximum is ",
                       is_half    ? "65504"
                       : is_float ? "3.40282347E+38"
                                  : "1.7976931348623157E+308");
    else if (value == 0 && first_digit != std::string_view::npos)
        diags_.warning(Warning::LiteralRange, token_.range,
                       "magnitude of floating-point constant too small for type '", name, "'; minimum is ",
                       is_half    ? "5.9605E-8"
                       : is_float ? "1.40129846E-45"
                                  : "4.9406564584124654E-324");
}

}  // namespace

void warn_implicitly_unsigned(SourceRange range, Diagnostics& diags) {
    diags.warning(Warning::ImplicitlyUnsignedLiteral, range,
                  "integer literal is too large to be represented in a signed integer type, "
                  "interpreting as unsigned");
}

NumberLiteral parse_number(const Tok& token, const CompileOptions& options, const ExtSet& enabled,
                           Diagnostics& diags) {
    return NumberParser(token, options, enabled, diags).parse();
}

double round_to(TypeKind type, double value) {
    if (type == TypeKind::Float) return static_cast<float>(value);
    return type == TypeKind::Half ? half_value(half_bits(value)) : value;
}

}  // namespace caldera::frontend
