// SPDX-License-Identifier: Apache-2.0
// Built-in functions as rows. Nothing is declared in advance: a name is looked up when a kernel uses it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/features.h"
#include "frontend/types/type.h"

namespace caldera::frontend::builtin {

/// How emit/ writes a call. A scalar argument where the result is a vector (fmax, clamp, mix, ldexp, ...) is
/// splatted. `a`, `b`, `c` are OpenCL.std numbers, opcodes or enumerants as the lowering says.
enum class Lowering : uint8_t {
    ExtInst,     ///< OpenCL.std instruction a (unsigned or floating element: b when given)
    Op,          ///< core instruction a (unsigned: b, floating: c), operands in order
    Dot,         ///< integer dot product a; b = 1: the last argument is added
    Call,        ///< external function by its mangled name
    WorkItem,    ///< a = spv::BuiltIn; a vector of three indexed by the argument, or a scalar; b = value when
                 ///< out of range
    LinearId,    ///< get_global_linear_id, get_local_linear_id: a = spv::BuiltIn
    Barrier,     ///< barrier, work_group_barrier: OpControlBarrier
    Fence,       ///< mem_fence family, atomic_work_item_fence: OpMemoryBarrier
    Convert,     ///< convert_*
    Bitcast,     ///< as_*
    Relational,  ///< comparison a whose result becomes int or the signed vector
    Any,
    All,
    Select,
    VectorLoad,
    VectorStore,     ///< vload/vstore and the half forms: a = OpenCL.std number (b: with a rounding mode)
    Atomic,          ///< object of an atomic type: a = opcode (unsigned: b)
    AtomicSubtract,  ///< the same, of the negated operand
    AtomicInit,
    LegacyAtomic,  ///< 32/64-bit atomics of OpenCL C 1.x: a = opcode (unsigned: b)
    Group,         ///< work-group and sub-group functions: a (unsigned: b, floating: c)
    Image,         ///< a = opcode, b as emit/image.cpp reads it: image operands, component, first enumerant
    Shuffle,       ///< shuffle, shuffle2
    Pipe,     ///< a = opcode (with a reservation: b); the packet's size and alignment follow the arguments
    Enqueue,  ///< device-side enqueue: a = opcode
    Matrix,   ///< cooperative matrices: emit/matrix.cpp knows the row by name
    Special,  ///< emit/builtin.cpp knows the row by name
    Gnu,      ///< __builtin_ functions: a = GnuOp
    Sync,     ///< __atomic_ and __sync_ functions: a = SyncOp, b = forms of SyncForm
};

/// What a row of sync_builtins.def does.
enum class SyncOp : uint8_t {
    Load,
    Store,
    Exchange,
    CompareExchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
    Min,
    Max,
    TestAndSet,  ///< of a byte
    Clear,       ///< stores zero: to a byte, or to the object of an Old function
    Fence,
    SignalFence,  ///< between a work-item and itself
};
/// What else is true of such a row.
namespace SyncForm {
constexpr uint32_t Plain = 0;
constexpr uint32_t ByPointer = 1;  ///< values come and go through pointers
constexpr uint32_t NewValue = 2;   ///< the result is what has been stored
constexpr uint32_t Scoped = 4;     ///< the last argument is a scope
constexpr uint32_t Old = 8;        ///< __sync_: no order, and what follows the arguments is ignored
constexpr uint32_t Found = 16;     ///< a compare-exchange whose result is what it has found
constexpr uint32_t Unsigned = 32;  ///< compares unsigned numbers
}  // namespace SyncForm

/// What a row of gnu_builtins.def does.
enum class GnuOp : uint8_t {
    First,    ///< its first argument
    Nothing,  ///< not even evaluating its arguments
    Unreachable,
    CountLeading,
    CountTrailing,
    CountOnes,
    CountSigns,  ///< the bits below the sign bit that are as it is
    Parity,
    FindFirst,  ///< the lowest bit set, counted from one; 0: none
    SwapBytes,
    RotateRight,
    AddOverflow,
    SubOverflow,
    MulOverflow,
    AddCarry,  ///< a + b + carry in; carries out through a pointer
    SubCarry,
    LeadingZeros,   ///< of each element; where it is zero, the second argument if there is one
    TrailingZeros,  ///< the same
    FunnelLeft,     ///< the high half of (a, b) << c, for each element
    FunnelRight,    ///< the low half of (a, b) >> c
    Copy,
    Move,
    Fill,
    LoadHalf,
    StoreHalf,
    LoadOnce,   ///< nontemporal
    StoreOnce,  ///< nontemporal
    IsAligned,
    AlignUp,
    AlignDown,
    Expect,  ///< its first argument, which is probably the second
    Assume,
    ReduceAdd,
    ReduceMul,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
    ReduceMax,
    ReduceMin,
    ReduceMaximum,
    ReduceMinimum,
    Canonicalize,
    Maximum,        ///< of IEEE 754-2019: NaN if one is, and +0 is above -0
    Minimum,        ///< the same
    MaximumNumber,  ///< the other one if one is NaN, and +0 is above -0
    MinimumNumber,  ///< the same
    ToEvenLong,     ///< rounded to a long, ties to even
    ToNearestLong,  ///< rounded to a long, ties away from zero
    ScaleByLong,
    IsClass,  ///< whether it is of one of the classes in a constant mask
    IsZero,   ///< and below: classes of floats
    IsSubnormal,
    IsSignaling,
    InfinitySign,  ///< 1 or -1 for an infinity, else 0
    Classify,      ///< one of the first five arguments by the class of the sixth
};

constexpr size_t kMaxNeeds = 6;

// `b` of Image rows that ask about the image
constexpr uint32_t kLayers = 3;              ///< among the sizes: width is 0, height 1, depth 2
constexpr uint32_t kFirstOrder = 0x10b0;     ///< CLK_R, where SPIR-V's orders begin
constexpr uint32_t kFirstDataType = 0x10d0;  ///< CLK_SNORM_INT8, where SPIR-V's data types begin

/// One row of builtins.def. `signature` reads like the specification's: "F (F, F.scalar)".
struct Row {
    std::string_view name = {};
    std::string_view signature = {};
    Lowering lowering = {};
    uint32_t a = 0, b = 0, c = 0;
    Standard min_standard = {};
    std::array<Ext, kMaxNeeds> needs = {};  ///< all of them; double and half overloads check themselves
};

/// A call that was resolved: the types that the arguments convert to and the result's type.
struct Resolution {
    const Row* row = nullptr;
    std::string_view name = {};  ///< as called: "convert_int4_sat_rte"
    QualType result = {};
    std::span<const QualType> params = {};
    std::string_view mangled = {};  ///< Itanium name that clang would use for this overload
    bool saturate = false;          ///< Convert
    int8_t rounding = -1;           ///< Convert, vstore_half: -1 default, else spv::FPRoundingMode
};

/// Why no row matched: notes for the diagnostic, in the order of the rows.
struct Mismatch {
    struct Candidate {
        std::string signature;
        std::string reason;
    };
    std::vector<Candidate> candidates = {};
    bool ambiguous = false;
    /// If not empty, the complete error message, which replaces "no matching function ...".
    std::string message = {};
    int argument =
        -1;  ///< with `message`: the argument at fault; their number when one is missing; -1: the call
};

/// Whether `name` is a built-in function at all under these features.
bool is_builtin(std::string_view name, const Features& features);

/// Chooses the overload as clang chooses: exact match, then promotions, then conversions (C++ [over.ics] as
/// clang applies it to overloadable C functions). Argument types are rvalue types; `null_constants[i]` says
/// that argument i is a null pointer constant. The Resolution lives in the arena.
std::variant<const Resolution*, Mismatch> resolve(std::string_view name, std::span<const QualType> args,
                                                  std::span<const bool> null_constants,
                                                  const Features& features, TypeTable& types, Arena& arena);

/// An overload pattern as a reader sees it: "gentype fmax(gentype, gentype)".
struct Prototype {
    std::string result = {};
    std::vector<std::string> params = {};
    bool variadic = false;
    std::string types = {};  ///< "gentype: float, double, or vectors of them"; empty if it has no variables
};
/// The rows that a name means, in their order; empty if the language has no such function.
std::vector<Prototype> prototypes(std::string_view name, const Features& features);
/// The names of all built-in functions that the language has, sorted, each once: "vload4", but of the names
/// that contain types, such as convert_int4, none.
std::vector<std::string> function_names(const Features& features);
/// The enumerators that the language has.
std::vector<std::string_view> enumerator_names(const Features& features);

/// The nearest built-in name by edit distance, for "did you mean"; empty when none is near.
std::string_view nearest(std::string_view name, const Features& features);

/// Itanium mangling of a function over these parameters, as clang mangles for spir64 ("_Z3fmaDv4_fS_S_"):
/// used for built-ins and for user functions marked overloadable. `enable_key`: FunctionDecl::enable_key.
std::string mangle(std::string_view name, std::span<const QualType> params, std::string_view enable_key = {});

/// What a mangled name says. `name` is part of it.
struct Demangled {
    std::string_view name = {};
    std::vector<QualType> params = {};
};
/// nullopt if the name is not mangled, or has a type that no built-in function takes by value or by pointer:
/// blocks, pipes, types of the program.
std::optional<Demangled> demangle(std::string_view mangled, TypeTable& types);

/// Object-like built-in names that are neither functions nor predefined macros: memory orders and scopes,
/// codes of device-side enqueue, as enumerators (rows of enumerators.def). Null when it is none.
struct Enumerator {
    std::string_view name;
    TypeKind type;
    uint64_t value;
    Standard min_standard;
};
const Enumerator* enumerator(std::string_view name, const Features& features);

}  // namespace caldera::frontend::builtin
