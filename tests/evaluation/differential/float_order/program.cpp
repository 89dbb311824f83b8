// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>

namespace caldera::float_order {
namespace {

std::string with_point(std::string digits) {
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

/// A constant in OpenCL C.
std::string literal(Kind kind, uint64_t bits) {
    if (!info(kind).is_real()) return "(" + std::string(info(kind).name) + ")" + text(kind, bits);
    if (info(kind).is_nan(bits)) return std::string("(") + info(kind).name + ")NAN";
    if (!info(kind).is_finite(bits))
        return std::string("(") + info(kind).name + ")" +
               (bits & info(kind).sign() ? "-INFINITY" : "INFINITY");
    const std::string suffix = kind == Kind::Half ? "h" : kind == Kind::Float ? "f" : "";
    const std::string digits = with_point(text(kind, bits)) + suffix;
    return digits[0] == '-' ? "(" + digits + ")" : digits;
}

const char* symbol(Op op) {
    switch (op) {
        case Op::Add: return "+";
        case Op::Subtract: return "-";
        case Op::Multiply: return "*";
        case Op::Divide: return "/";
        case Op::Less: return "<";
        case Op::LessEqual: return "<=";
        case Op::Greater: return ">";
        case Op::GreaterEqual: return ">=";
        case Op::Equal: return "==";
        case Op::NotEqual: return "!=";
        case Op::And: return "&&";
        case Op::Or: return "||";
        default: return nullptr;
    }
}

const char* function(Op op) {
    switch (op) {
        case Op::Absolute: return "fabs";
        case Op::Minimum: return "fmin";
        case Op::Maximum: return "fmax";
        case Op::CommonMinimum: return "min";
        case Op::CommonMaximum: return "max";
        case Op::CopySign: return "copysign";
        case Op::SquareRoot: return "sqrt";
        case Op::Rint: return "rint";
        case Op::Trunc: return "trunc";
        case Op::Floor: return "floor";
        case Op::Ceil: return "ceil";
        case Op::Round: return "round";
        case Op::Fma: return "fma";
        case Op::Mad: return "mad";
        case Op::Product: return "product";
        case Op::Sum: return "sum";
        case Op::IsLess: return "isless";
        case Op::IsGreaterEqual: return "isgreaterequal";
        case Op::IsEqual: return "isequal";
        case Op::IsNotEqual: return "isnotequal";
        case Op::IsLessGreater: return "islessgreater";
        case Op::IsUnordered: return "isunordered";
        case Op::IsOrdered: return "isordered";
        case Op::IsNan: return "isnan";
        case Op::IsInf: return "isinf";
        case Op::IsFinite: return "isfinite";
        case Op::Select: return "select";
        default: return nullptr;
    }
}

/// The statements of a body. Where work-items are one, the numbers that it loads are in arrays of their own,
/// which fill up.
class Text {
 public:
    Text(const Body& body, bool is_alone, uint32_t item) : body_(body), is_alone_(is_alone), item_(item) {}

    std::string statements(uint32_t indent) { return statements(body_.statements, indent); }
    const Tables& loaded() const { return loaded_; }

    std::string store(uint32_t slot) const {
        const Type type = body_.result_type();
        const std::string to =
            std::string(info(type.kind).name) + "_results + " + std::to_string(slot * kItems * kMaxWidth);
        if (type.width == 1) return "*(" + to + " + g) = " + variable(body_.result) + ";\n";
        return "vstore" + std::to_string(type.width) + "(" + variable(body_.result) + ", g, " + to + ");\n";
    }

 private:
    static std::string variable(uint32_t id) { return "v" + std::to_string(id); }

    std::string statements(const std::vector<Statement>& list, uint32_t indent) {
        std::string out;
        for (const Statement& statement : list) out += this->statement(statement, indent);
        return out;
    }

    std::string statement(const Statement& statement, uint32_t indent) {
        const std::string margin(4 * indent, ' ');
        switch (statement.kind) {
            case Statement::Kind::Assign: return margin + assignment(statement) + ";\n";
            case Statement::Kind::For: {
                const std::string count = variable(statement.variable);
                const std::string turns = statement.turns == 0 ? "n" : std::to_string(statement.turns);
                return margin + "for (int " + count + " = 0; " + count + " < " + turns + "; ++" + count +
                       ") {\n" + statements(statement.then, indent + 1) + margin + "}\n";
            }
            case Statement::Kind::If: {
                std::string out = margin + "if (" + expression(statement.value) + ") {\n" +
                                  statements(statement.then, indent + 1) + margin + "}";
                if (!statement.otherwise.empty())
                    out += " else {\n" + statements(statement.otherwise, indent + 1) + margin + "}";
                return out + "\n";
            }
        }
        return "";
    }

    std::string assignment(const Statement& statement) {
        const std::string name = variable(statement.variable);
        const Node& value = body_.nodes[statement.value];
        if (statement.compound) return name + " " + symbol(value.op) + "= " + expression(value.operands[1]);
        const std::string declared =
            statement.declares ? body_.variables[statement.variable].name() + " " : std::string();
        return declared + name + " = " + expression(statement.value);
    }

    std::string operand(const Node& node, uint32_t at) { return expression(node.operands[at]); }

    std::string expression(uint32_t id) {
        const Node& node = body_.nodes[id];
        if (const char* sign = symbol(node.op))
            return "(" + operand(node, 0) + " " + sign + " " + operand(node, 1) + ")";
        if (const char* name = function(node.op)) {
            std::string out = name + std::string("(") + operand(node, 0);
            for (uint32_t at : {1, 2})
                if (node.operands[at] != kNone) out += ", " + operand(node, at);
            return out + ")";
        }
        switch (node.op) {
            case Op::Load: return load(id);
            case Op::Constant: return constant(node);
            case Op::Variable: return variable(node.variable);
            case Op::Negate: return "(-" + operand(node, 0) + ")";
            case Op::Not: return "(!" + operand(node, 0) + ")";
            case Op::Ternary:
                return "(" + operand(node, 0) + " ? " + operand(node, 1) + " : " + operand(node, 2) + ")";
            case Op::Splat: return "((" + node.type.name() + ")(" + operand(node, 0) + "))";
            case Op::Lane: {
                constexpr const char* kDigits = "0123456789abcdef";
                return "(" + operand(node, 0) + ").s" + kDigits[node.index];
            }
            case Op::Convert:
                if (node.is_cast) return "((" + node.type.name() + ")" + operand(node, 0) + ")";
                return "convert_" + node.type.name() + (node.saturated ? "_sat" : "") +
                       kRoundingSuffixes[static_cast<int>(node.rounding)] + "(" + operand(node, 0) + ")";
            default: return "";
        }
    }

    static std::string constant(const Node& node) {
        const uint32_t width = node.type.width;
        if (width == 1) return literal(node.type.kind, node.lanes[0]);
        std::string list = literal(node.type.kind, node.lanes[0]);
        if (std::any_of(node.lanes.begin(), node.lanes.begin() + width,
                        [&](uint64_t lane) { return lane != node.lanes[0]; }))
            for (uint32_t lane = 1; lane < width; ++lane)
                list += ", " + literal(node.type.kind, node.lanes[lane]);
        return "((" + node.type.name() + ")(" + list + "))";
    }

    std::string load(uint32_t id) {
        const Node& node = body_.nodes[id];
        const std::string turn = node.variable == kNone ? "" : " + " + variable(node.variable);
        const std::string table = info(node.type.kind).name + std::string("_table");
        const std::string from = std::to_string(is_alone_ ? copy(node) : node.index);
        const std::string item = "g";
        if (node.type.width == 1) return table + "[" + item + turn + " + " + from + "]";
        return "vload" + std::to_string(node.type.width) + "(" + item + turn + ", " + table + " + " + from +
               ")";
    }

    /// Copies the numbers of a load to its array; returns the index of the first.
    uint32_t copy(const Node& node) {
        std::vector<uint64_t>& array = loaded_[node.type.kind];
        const auto at = static_cast<uint32_t>(array.size());
        const uint32_t turns = node.variable == kNone ? 1 : kMaxTurns;
        const std::vector<uint64_t>& table = tables().at(node.type.kind);
        for (uint32_t i = 0; i < turns * node.type.width; ++i)
            array.push_back(table[node.index + item_ * node.type.width + i]);
        return at;
    }

    const Body& body_;
    bool is_alone_ = false;
    uint32_t item_ = 0;
    Tables loaded_ = {};
};

/// The text before the kernel.
std::string prelude(std::span<const Body> bodies) {
    std::set<std::pair<Kind, uint32_t>> products, sums;
    bool has_half = false, has_double = false;
    for (const Body& body : bodies) {
        has_half |= body.uses(Kind::Half);
        has_double |= body.uses(Kind::Double);
        walk(body, body.statements, [&](uint32_t id) {
            const Node& node = body.nodes[id];
            if (node.op == Op::Product) products.insert({node.type.kind, node.type.width});
            if (node.op == Op::Sum) sums.insert({node.type.kind, node.type.width});
        });
    }
    std::string out;
    if (has_half) out += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    if (has_double) out += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (!bodies[0].contracts) out += "#pragma OPENCL FP_CONTRACT OFF\n";
    const auto functions = [&](const auto& types, const char* name, const char* sign) {
        for (const auto& [kind, width] : types) {
            const std::string type = Type{kind, width}.name();
            out += "static " + type + " __attribute__((overloadable)) " + name + "(" + type + " a, " + type +
                   " b) { return a " + sign + " b; }\n";
        }
    };
    functions(products, "product", "*");
    functions(sums, "sum", "+");
    return out;
}

std::string parameters(std::span<const Kind> loaded, std::span<const Kind> stored) {
    std::string out = "int n";
    for (const Kind kind : loaded)
        out += std::string(", global const ") + info(kind).name + " *" + info(kind).name + "_table";
    for (const Kind kind : stored)
        out += std::string(", global ") + info(kind).name + " *" + info(kind).name + "_results";
    return out;
}

std::string options(const Body& body) {
    return body.divides_exactly ? "-w -cl-fp32-correctly-rounded-divide-sqrt" : "-w";
}

}  // namespace

std::string text(Kind kind, uint64_t bits) {
    const KindInfo& of = info(kind);
    if (!of.is_real()) {
        const bool is_negative = of.is_signed && (bits & of.sign());
        return is_negative ? "-" + std::to_string((~bits + 1) & of.mask()) : std::to_string(bits & of.mask());
    }
    if (of.is_nan(bits)) return "nan";
    char digits[64] = {};
    const double value = real(kind, bits);
    if (kind != Kind::Double)
        return std::string(digits, std::to_chars(digits, std::end(digits), static_cast<float>(value)).ptr);
    return std::string(digits, std::to_chars(digits, std::end(digits), value).ptr);
}

uint32_t Program::slots_of(std::span<const Body> bodies, Kind kind) const {
    return static_cast<uint32_t>(
        std::ranges::count_if(bodies, [&](const Body& body) { return body.result_type().kind == kind; }));
}

Program make_program(std::span<const Body> bodies) {
    Program program;
    program.options = options(bodies[0]);
    std::set<Kind> loaded, stored;
    std::map<Kind, uint32_t> slots;
    std::string text;
    for (const Body& body : bodies) {
        walk(body, body.statements, [&](uint32_t id) {
            if (body.nodes[id].op == Op::Load) loaded.insert(body.nodes[id].type.kind);
        });
        stored.insert(body.result_type().kind);
        program.slots.push_back(slots[body.result_type().kind]++);
        Text writer(body, false, 0);
        text += "    {  // seed " + std::to_string(body.seed) + "\n" + writer.statements(2) + "        " +
                writer.store(program.slots.back()) + "    }\n";
    }
    program.loaded.assign(loaded.begin(), loaded.end());
    program.stored.assign(stored.begin(), stored.end());
    program.source = prelude(bodies) + "kernel void test(" + parameters(program.loaded, program.stored) +
                     ") {\n    uint g = get_global_id(0);\n" + text + "}\n";
    return program;
}

std::string stand_alone(const Body& body, const Difference& difference, const std::string& clrun_options) {
    const Kind kind = body.result_type().kind;
    Text writer(body, true, difference.item);
    const std::string text = writer.statements(1) + "    " + writer.store(0);
    std::vector<Kind> loaded;
    std::string command = "clrun FILE --global=1 --kernel=test --arg=" + std::to_string(kTurns);
    for (const auto& [from, numbers] : writer.loaded()) {
        loaded.push_back(from);
        std::string list;
        for (uint64_t number : numbers) list += (list.empty() ? "" : ",") + float_order::text(from, number);
        command += " --arg=:" + list;
    }
    command += " --arg=[" + std::to_string(body.result_type().width) +
               "] --print=" + std::to_string(loaded.size() + 1) + " --options='" + options(body) + "'" +
               clrun_options;
    std::string allowed;
    for (uint64_t bits : difference.allowed)
        allowed += (allowed.empty() ? "" : " or ") + float_order::text(kind, bits);
    const Kind stored[] = {kind};
    return "// " + command + "\n// [" + std::to_string(difference.lane) + "] is " +
           float_order::text(kind, difference.got) + " and has to be " + allowed + "\n" +
           prelude(std::span(&body, 1)) + "kernel void test(" + parameters(loaded, stored) +
           ") {\n    uint g = get_global_id(0);\n" + text + "}\n";
}

}  // namespace caldera::float_order
