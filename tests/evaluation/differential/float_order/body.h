// SPDX-License-Identifier: Apache-2.0
// A body: statements over floats, one result. What random kernels are made of, and what they are judged by.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "number.h"

namespace caldera::float_order {

inline constexpr uint32_t kItems = 64, kMaxWidth = 16;
inline constexpr uint32_t kMaxTurns = 12;  ///< of a loop
inline constexpr int kTurns = 7;           ///< the kernel's argument `n`

struct Type {
    Kind kind = Kind::Float;
    uint32_t width = 1;
    bool operator==(const Type&) const = default;
    std::string name() const { return info(kind).name + (width == 1 ? "" : std::to_string(width)); }
    bool is_real() const { return info(kind).is_real(); }
    /// The type of a comparison's result.
    Type mask() const {
        if (width == 1) return {Kind::Int, 1};
        const int bytes = info(kind).bytes;
        return {bytes == 2 ? Kind::Short : bytes == 4 ? Kind::Int : Kind::Long, width};
    }
};

enum class Op : uint8_t {
    Load,      ///< of a table, at `index`; with `variable` (a loop's count), one further each turn
    Constant,  ///< `lanes`
    Variable,
    // Real numbers.
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Absolute,
    Minimum,  ///< fmin
    Maximum,  ///< fmax
    CommonMinimum,
    CommonMaximum,
    CopySign,
    SquareRoot,
    Rint,
    Trunc,
    Floor,
    Ceil,
    Round,
    Fma,
    Mad,
    Product,  ///< of a function: no part of the expression that calls it
    Sum,
    // Comparisons, of which OpenCL C has functions that give the same.
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    IsLess,
    IsGreaterEqual,
    IsEqual,
    IsNotEqual,
    IsLessGreater,
    IsUnordered,
    IsOrdered,
    IsNan,
    IsInf,
    IsFinite,
    Not,
    And,
    Or,
    // Choices and conversions.
    Ternary,  ///< operands[0] ? operands[1] : operands[2]; a scalar chooses among vectors too
    Select,   ///< select(operands[0], operands[1], operands[2])
    Convert,
    Splat,
    Lane,  ///< .s`index`
};

constexpr uint32_t kNone = ~0u;

struct Node {
    Op op = Op::Constant;
    Type type = {};
    std::array<uint32_t, 3> operands = {kNone, kNone, kNone};  ///< nodes
    uint32_t variable = kNone, index = 0;
    std::array<uint64_t, kMaxWidth> lanes = {};  ///< of a constant
    Rounding rounding = Rounding::Default;
    bool saturated = false;
    bool is_cast = false;    ///< a conversion that is written (T)x
    uint32_t place = kNone;  ///< of Body::ways
};

struct Statement {
    enum class Kind : uint8_t { Assign, For, If };
    Kind kind = Kind::Assign;
    uint32_t variable = kNone;  ///< that is assigned, or the loop's count
    uint32_t value = kNone;     ///< a node; what an `if` asks
    bool declares = false;
    bool compound = false;  ///< `v += b` for `v = v + b`; likewise -= and *=
    int turns = 0;          ///< of a loop; 0: as many as the argument `n` says
    std::vector<Statement> then = {}, otherwise = {};
};

/// Half, float or double; a constant mantissa or a vector of them.
struct Body {
    uint64_t seed = 0;
    bool contracts = true;         ///< FP_CONTRACT is ON, as it is by default
    bool divides_exactly = false;  ///< -cl-fp32-correctly-rounded-divide-sqrt
    std::vector<Node> nodes = {};
    std::vector<Type> variables = {};
    std::vector<Statement> statements = {};
    uint32_t result = kNone;  ///< a variable
    /// How many ways an expression's contraction leaves at each place: a * b + c and its like (C99 6.5p8),
    /// and mad().
    std::vector<uint8_t> ways = {};

    Type result_type() const { return variables[result]; }
    bool uses(Kind kind) const;
    /// Finds the places again, when nodes have changed.
    void find_places();
    /// All combinations of ways; at most 2^30.
    uint64_t combinations() const;
};

/// The product that `operand` of a sum is, perhaps negated or cast to its own type; kNone where it is none.
uint32_t product_of(const Body& body, uint32_t operand, bool& is_negated);

/// Calls `visit(id)` for each node below and with `id`.
template <typename Visit>
void walk(const Body& body, uint32_t id, Visit visit) {
    if (id == kNone) return;
    for (uint32_t operand : body.nodes[id].operands) walk(body, operand, visit);
    visit(id);
}
/// For all nodes of the statements.
template <typename Visit>
void walk(const Body& body, const std::vector<Statement>& statements, Visit visit) {
    for (const Statement& statement : statements) {
        walk(body, statement.value, visit);
        walk(body, statement.then, visit);
        walk(body, statement.otherwise, visit);
    }
}

}  // namespace caldera::float_order
