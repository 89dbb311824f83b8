// SPDX-License-Identifier: Apache-2.0
// The emitter's state. Only the files of this folder use it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/builtin/builtin.h"
#include "frontend/check/checker.h"
#include "frontend/emit/debug_info.h"
#include "frontend/emit/emitter.h"
#include "frontend/emit/type_facts.h"
#include "spirv/builder.h"
#include "spirv/encoded_floats.h"

namespace caldera::frontend {

inline constexpr uint32_t kSpirv13 =
    0x00010300;  ///< the version that has sub-group operations in non-uniform control flow

using spirv::Builder;
using spirv::Id;
using spirv::Operand;
using spirv::Operands;

/// What an lvalue designates: an object in memory, or some components of a vector there.
struct Place {
    Id pointer = {};
    QualType type = {};    ///< of what is designated: of v.xy, the vector of two
    uint32_t align = 1;    ///< what `pointer` is known to be a multiple of, in bytes
    Id dynamic_lane = {};  ///< the component chosen at run time: of `lanes`, or without them of `vector`
    const Type* vector = nullptr;  ///< the whole vector at `pointer`, when only some lanes are meant
    uint8_t lane_count = 0;
    uint8_t lanes[16] = {};
};

/// The layout of a record in SPIR-V: members, including padding, so that each field has its offset_bytes.
struct RecordLayout {
    static constexpr uint32_t kNoMember = ~0u;  // reached through a pointer cast
    Id type = {};
    bool packed = false;
    bool has_gaps = false;  ///< bytes that no member covers: a load and a store leave them behind
    uint32_t align = 1;     ///< that SPIR-V's consumers give the type by themselves
    std::vector<uint32_t> members = {};   ///< by field index: member index or kNoMember
    std::vector<uint32_t> field_of = {};  ///< by member index: field index, or kNoMember for padding
    uint32_t storage_field = kNoMember;   ///< union: the field that its members[0] is
};

/// The layout of a block literal's object in memory: size, alignment, a pointer that stays null, and the
/// captures.
struct BlockLayout {
    Id type = {};
    uint32_t size_bytes = 0;
    uint32_t align_bytes = 0;
    std::vector<uint32_t> members = {};  ///< by index of the capture
    std::vector<uint32_t> offsets = {};  ///< likewise, in bytes
};

/// The blocks that a function is called with, one for each parameter of block type.
using BlockArgs = std::vector<const BlockLiteralExpr*>;

/// A user's function, by its first declaration.
struct FunctionInfo {
    Id id = {};
    const FunctionDecl* definition = nullptr;
    bool queued = false;
    std::vector<Id> inputs = {};                           ///< Input variables that its body names
    std::unordered_set<const FunctionDecl*> callees = {};  ///< canonical declarations
    BlockArgs blocks = {};                                 ///< of an instance()
    bool no_contraction = false;  ///< it computes sums or products that may not be contracted with others
    bool external = false;        ///< in other modules too: called as clang calls it (linkage.cpp)
    Place result = {};  ///< while the body is emitted: where a struct result goes, when by reference
};

class Emitter {
 public:
    Emitter(const TranslationUnit& unit, const CompileOptions& options, TypeTable& types, Arena& arena,
            const SourceManager& sources, Diagnostics& diags);
    spirv::Module run();

 private:
    friend class SyncEmitter;  // builtin_sync.cpp

    // ---- type.cpp ----
    Id memory_type(const QualType& type);  ///< as it lies in memory: bool is a byte
    Id value_type(const QualType& type);   ///< as it is in SSA: bool is OpTypeBool
    Id memory_type(const Type* type) { return memory_type(QualType{.type = type}); }
    Id value_type(const Type* type) { return value_type(QualType{.type = type}); }
    Id pointer_to(AddressSpace space, const QualType& pointee);
    Id byte_type() { return b_.type_int(8); }
    const RecordLayout& layout(const Type* record);
    void lay_out_struct(const RecordDecl& record, RecordLayout& out, std::vector<Id>& members);
    void lay_out_union(const RecordDecl& record, RecordLayout& out, std::vector<Id>& members);
    uint32_t natural_align(const Type* type);
    bool has_gaps(const Type* type);
    static bool has_near_pointers(const Type* type);
    Id opaque_bytes(uint64_t size, uint32_t align);
    Id bytes_type(uint64_t count);
    void emit_record(const Type* type);
    Id pointer_to_record(spv::StorageClass storage, const Type* record);
    std::vector<bool> used_ids() const;
    void drop_unused(const std::vector<bool>& used);
    void check_target();
    void need_version(uint32_t version);
    void instruction_capabilities(const spirv::Instruction& inst);
    Id encoded_type(uint32_t width, spirv::FloatEncoding encoding);
    std::optional<TypeKind> encoded_kind(Id type) const;
    const Type* floats_like(const Type* type);
    void atomic_capabilities(const spirv::Instruction& inst);
    void add_capabilities(const std::vector<bool>& used);

    // ---- constant.cpp ----
    Id constant(const ConstantValue& value, const QualType& type, SourceRange range, bool in_memory);
    Id constant_aggregate(const ConstantValue& value, const QualType& type, SourceRange range);
    Id long_array(const ConstantValue& value, const Type& array, SourceRange range);
    Id constituent(Id constant);
    Id constant_record(const ConstantValue& value, const Type* type, SourceRange range);
    Id constant_address(const ConstantValue& value, const QualType& type, SourceRange range);
    bool to_bytes(const ConstantValue& value, const Type* type, uint8_t* out, size_t size);
    Id from_bytes(const uint8_t* bytes, const QualType& type);
    Id from_bytes(const uint8_t* bytes, Id type);
    Id constant_float(Id type, double value);
    std::optional<double> float_value(Id constant) const;
    Id zero(const Type* type) { return b_.constant_null(value_type(type)); }
    Id scalar_constant(const Type* type, uint64_t value);  ///< integer or float, splatted over a vector
    Id string_variable(const StringLiteralExpr& literal);
    const Place& global_place(const VarDecl& decl);
    bool is_zero(Id constant) const;
    Id constant_data(Id type, Id value, uint32_t align);  ///< an unnamed UniformConstant variable

    // ---- lvalue.cpp ----
    Place lvalue(const Expr& expr);
    Place lvalue_of(const DeclRefExpr& ref);
    Place dereference(const Expr& pointer, const QualType& type);
    Place subscript(const SubscriptExpr& expr);
    Place component(const Place& base, Id index, const QualType& type);
    Place member(const Place& base, const FieldDecl& field, const QualType& type);
    Place swizzle(const Place& base, const SwizzleExpr& expr);
    Place variable_place(const VarDecl& decl);
    Place compound_literal(const CompoundLiteralExpr& expr);
    Place temporary(const QualType& type);
    Place spill(const Expr& rvalue);  ///< an rvalue that has to have an address
    Place lane_place(const Place& place, uint32_t lane);
    Id load(const Place& place);
    void store(const Place& place, Id value);
    static constexpr uint64_t kMostCopiedAsValue = 128;  // bytes; larger objects are copied as bytes
    void copy(const Place& to, const Place& from);
    Id load_raw(const Place& place, const QualType& type);
    void store_raw(const Place& place, Id value);
    Id to_memory(Id value, const QualType& type);
    Id from_memory(Id value, const QualType& type);
    Id retype(Id pointer, Id pointee);  ///< the pointer, as one to another type
    Id access_chain(Id pointer, Id pointee, Operands indices);
    Id element_pointer(Id pointer, Id index, bool in_bounds = true);  ///< pointer arithmetic
    Id decay(const Place& array);
    bool is_function_memory(Id pointer) const;

    // ---- expression.cpp ----
    Id rvalue(const Expr& expr);
    void discard(const Expr& expr);
    Id condition(const Expr& expr);  ///< compared with zero: OpTypeBool, or a vector of it
    Id literal(const Expr& expr);
    Id unary(const UnaryExpr& expr);
    Id increment(const UnaryExpr& expr, bool want_value);
    /// Comparisons and logical operators give OpTypeBool, or a vector of it, until an integer is needed.
    struct Operated {
        Id id = {};
        bool boolean = false;
        Id factor = {};  ///< a product that is not computed yet, of id and this
    };
    Operated binary(const BinaryExpr& expr);
    Operated binary_step(const BinaryExpr& expr, Operated lhs, bool keeps_product);
    /// The product that this sum or difference may be contracted with (C99 6.5p8); null if there is none.
    const BinaryExpr* contracted(BinaryOp op, const Type* type, const Expr& operand) const;
    Id contracted_sum(const BinaryExpr& expr, const BinaryExpr* product, Operated lhs);
    Id multiply_add(const Type* type, Id a, Id b, Id c);
    Id pointer_offset(BinaryOp op, Id pointer, Id index, const Type* index_type);
    Id pointer_difference(const BinaryExpr& expr, Id lhs, Id rhs);
    Id short_circuit(const BinaryExpr& expr, Id lhs);
    Id assign(const AssignExpr& expr, bool want_value);
    Id conditional(const ConditionalExpr& expr);
    Id conditional_by_branch(const ConditionalExpr& expr, Id condition, Id true_value);
    Id condition_vector(Id condition, const Type* type);
    Id vector_literal(const VectorLiteralExpr& expr);
    Id swizzle_value(const SwizzleExpr& expr);
    Id statement_expression(const StmtExprExpr& expr, bool want_value);
    Id call(const CallExpr& expr);
    void emit_into(const Expr& expr, const Place& place);
    void choose_into(const ConditionalExpr& expr, const Place& place);
    void initialise(const Place& place, const Expr& init);
    void initialise_list(const Place& place, const InitListExpr& list);
    void initialise_array(const Place& place, const InitListExpr& list);
    void initialise_record(const Place& place, const InitListExpr& list);
    void initialise_string(const Place& place, const StringLiteralExpr& literal);
    bool initialise_constant(const Place& place, const Expr& init);
    void store_constant(const Place& place, Id constant);

    // ---- arithmetic.cpp ----
    Id arithmetic(BinaryOp op, const Type* type, Id lhs, Id rhs);
    Id shift(BinaryOp op, const Type* type, Id lhs, Id rhs, const Type* count_type);
    Id compare(BinaryOp op, const Type* operand, Id lhs, Id rhs);
    Id compare_result(Id boolean, const Type* type);  ///< 0 or 1; 0 or -1 in vectors
    Id not_zero(Id value, const Type* type);
    Id top_bit(Id value, const Type* type);  ///< of each component, whatever its signedness
    Id negate(Id value, const Type* type);
    Id fold(BinaryOp op, const Type* type, Id lhs, Id rhs);
    Id fp(spv::Op op, Id type, Operands operands);  ///< with the fast-math flags in force
    Id splat(Id scalar, Id vector_type);
    Id build_vector(Id type, std::span<const Id> parts);
    Id insert_vector(Id vector, Id part, uint32_t at);
    Id shuffle(Id vector, const uint8_t* lanes, uint32_t count);
    Id extract(Id composite, Id type, uint32_t index);

    // ---- conversion.cpp ----
    Id cast(const CastExpr& expr);
    Id convert(Id value, const Type* from, const Type* to);
    Id convert_integer(Id value, const Type* from, Id to);
    Id fold_conversion(Id value, const Type* from, const Type* to);
    Id reinterpret(Id value, Id to);
    Id convert_pointer(Id value, Id to);
    Id null_queue();

    // ---- statement.cpp ----
    void statement(const Stmt& stmt);
    void compound(const CompoundStmt& stmt);
    void declaration(const DeclStmt& stmt);
    bool may_repeat() const;
    void begin_lifetime(const Place& variable);
    void if_statement(const IfStmt& stmt);
    void switch_statement(const SwitchStmt& stmt);
    void loop(const Stmt& stmt, const Expr* condition, const Expr* step, const Stmt& body);
    void do_loop(const DoStmt& stmt);
    void return_statement(const ReturnStmt& stmt);
    void label_block(Id label);
    Id label_of(const LabelStmt& stmt);
    void begin_merge(Id label, bool reached);
    void branch_to(Id label);
    void selection_merge(Id merge);
    /// Runs each of the two in a block of its own, one for each outcome of `test`. Gives the labels at whose
    /// ends control leaves them.
    template <class Yes, class No>
    std::pair<Id, Id> either(Id test, Yes yes, No no) {
        const Id yes_label = b_.fresh(), no_label = b_.fresh(), merge = b_.fresh();
        selection_merge(merge);
        b_.branch_if(test, yes_label, no_label);
        const auto arm = [&](Id label, auto& emit) {
            b_.begin_block(label);
            emit();
            ensure_block();
            const Id end = b_.current_label();
            b_.branch(merge);
            return end;
        };
        const Id yes_end = arm(yes_label, yes), no_end = arm(no_label, no);
        b_.begin_block(merge);
        return {yes_end, no_end};
    }
    void loop_merge(Id merge, Id continue_target, const Stmt& stmt);
    void ensure_block();

    // ---- builtin.cpp, builtin_memory.cpp ----
    using Args = std::vector<Id>;
    Id builtin_call(const CallExpr& expr);
    Id extended(const builtin::Resolution& builtin, const Args& args);
    Id external_call(const builtin::Resolution& builtin, const Args& args);
    Id work_item(const builtin::Resolution& builtin, const Args& args);
    Id relational(const builtin::Resolution& builtin, const Args& args);
    Id any_all(const builtin::Resolution& builtin, Id value, spv::Op op);
    Id select_builtin(const builtin::Resolution& builtin, const Args& args);
    Id convert_builtin(const builtin::Resolution& builtin, Id value);
    Id input_variable(spv::BuiltIn which, Id type);
    Id opencl(uint32_t instruction, Id type, Operands operands);
    Id vector_load(const builtin::Resolution& builtin, const Args& args);
    Id vector_store(const builtin::Resolution& builtin, const Args& args);
    Id legacy_atomic(const builtin::Resolution& builtin, const Args& args);
    Id barrier(const builtin::Resolution& builtin, const Args& args);
    Id fence(const builtin::Resolution& builtin, const Args& args);
    Id fence_semantics(Id flags, uint32_t order);
    Id special(const CallExpr& expr, const Args& args);
    Id bfloat16_conversion(const builtin::Resolution& builtin, Id value);
    Id async_copy(const builtin::Resolution& builtin, const Args& args);
    Id clock_scope(std::string_view name);  ///< of the function of cl_khr_kernel_clock with this name
    Id atomic(const builtin::Resolution& builtin, const Args& args);
    Id compare_exchange(const builtin::Resolution& builtin, const Args& args, Id scope, Id equal, Id unequal);
    Id group_function(const builtin::Resolution& builtin, Args args);
    Id group_scope(const builtin::Resolution& builtin);
    Id dot_product(const builtin::Resolution& builtin, Args args);
    Id atomic_init(const builtin::Resolution& builtin, const Args& args);
    Id address_space_function(const builtin::Resolution& builtin, Id pointer);
    Id sync_builtin(const CallExpr& expr, const Args& args);
    Id order_constant(Id order);
    Id scope_constant(Id scope);
    Id u32(uint32_t value) { return b_.constant_u32(value); }

    // ---- image.cpp ----
    Id image_type(const QualType& type);
    Id sampler_constant(uint64_t bits);
    Id image_builtin(const builtin::Resolution& builtin, const Args& args);
    uint32_t texel_sign(const Type* texel) const;
    Id sample_image(const builtin::Resolution& builtin, const Args& args);
    Id image_size(const builtin::Resolution& builtin, Id image);

    // ---- block.cpp ----
    const BlockLiteralExpr& known_block(const Expr& expr) const;
    const FunctionDecl& instance(const FunctionDecl& function, std::span<Expr* const> args);
    void bind_blocks(const FunctionInfo& info);
    const BlockLayout& block_layout(const BlockLiteralExpr& literal);
    Id block_literal(const BlockLiteralExpr& literal);
    Id global_block(const BlockLiteralExpr& literal);
    Id block_value(const Expr& expr);
    void store_capture(const Place& place, const VarDecl& var);
    Place capture_place(Id object, const BlockLiteralExpr& literal, size_t index);
    void load_captures(const BlockLiteralExpr& literal, Id descriptor);
    Id block_call(const CallExpr& expr);
    Id block_kernel(const BlockLiteralExpr& literal);
    void emit_block_kernels();
    Id block_pointer_type();

    // ---- enqueue.cpp, pipe.cpp ----
    Id enqueue_builtin(const CallExpr& expr, const Args& args);
    Id enqueue_kernel(const CallExpr& expr, const Args& args);
    Id kernel_query(const CallExpr& expr, const Args& args);
    void append_kernel(Operands& operands, const Expr& block, Id value);
    Id build_ndrange(const CallExpr& expr, const Args& args);
    Id in_memory(Id value, const Type* type);
    Id matrix_type(const Type* type);
    Id matrix_builtin(const CallExpr& expr, const Args& args);
    Id matrix_mul_add(const CallExpr& expr, const Args& args);
    Id matrix_arithmetic(BinaryOp op, const Type* type, Id lhs, Id rhs);
    Id pipe_builtin(const CallExpr& expr, const Args& args);
    Id handle_bits(Id handle, const Type* type);

    // ---- builtin_gnu.cpp ----
    Id gnu_builtin(const CallExpr& expr);
    Id count_bits(builtin::GnuOp op, Id value, const Type* type);
    void assume(const Expr& truth);
    Id reduce(builtin::GnuOp op, Id vector, const Type* type);
    Id swap_bytes(Id value, Id type);
    Id overflow(const CallExpr& expr, builtin::GnuOp op, const Args& args);
    Id overflow_of_any(const CallExpr& expr, builtin::GnuOp op, const Args& args);
    Id carry(builtin::GnuOp op, const Args& args, const Type* type);
    Id zeros_below(Id value, const Type* type);
    Id count_zeros(builtin::GnuOp op, const Args& args, const Type* type);
    Id unless_zero(Id count, const Args& args, const Type* counted);
    Id funnel_shift(builtin::GnuOp op, const Args& args, const Type* type);
    Id align(const CallExpr& expr, builtin::GnuOp op, const Args& args);
    Id load_once(const CallExpr& expr, Id pointer);
    Id store_once(const CallExpr& expr, const Args& args);
    Id gnu_memory(const CallExpr& expr, builtin::GnuOp op);
    void fill_bytes(Id to, Id byte, Id size);
    void copy_bytes(Id to, Id from, const Expr& size);

    // ---- builtin_gnu_float.cpp ----
    std::optional<Id> gnu_float(const CallExpr& expr, builtin::GnuOp op, const Args& args);
    Id extreme(builtin::GnuOp op, Id a, Id b, const Type* type);
    Id class_test(Id value, const Type* type, uint32_t classes);
    Id classify(const Args& args, const Type* type);

    // ---- linkage.cpp ----
    bool is_exported(const FunctionDecl& decl) const;
    Id function_id(const FunctionDecl& decl);  ///< and queues its body
    std::string symbol(const FunctionDecl& decl) const;
    void decorate_linkage(Id id, std::string_view name, spv::LinkageType linkage);
    void declare_import(std::string_view name, Id id, Id result, std::span<const Id> params);
    void import_function(const FunctionDecl& decl, Id id);
    bool by_reference(const FunctionDecl& decl, const QualType& param);
    bool result_by_reference(const FunctionDecl& decl);
    Id result_type(const FunctionDecl& decl);
    Id param_type(const FunctionDecl& decl, const QualType& param);
    std::vector<Id> param_types(const FunctionDecl& decl);
    Place result_place(const FunctionDecl& decl, Id param);
    void decorate_parameter(const FunctionDecl& decl, const VarDecl& param, Id id);

    // ---- kernel.cpp ----
    FunctionInfo& function_info(const FunctionDecl& decl);
    void report_marked_calls(const FunctionDecl& decl);
    void emit_function(FunctionInfo& info);
    void parameters(const FunctionDecl& decl);
    void interface_inputs(const FunctionDecl& decl, spirv::Instruction& entry_point);
    void export_variables();
    spv::FunctionControlMask function_control(const FunctionDecl& decl) const;
    void entry_points(std::span<const FunctionDecl* const> kernels);
    void entry_point(const FunctionDecl& decl, bool called);
    void execution_modes(const FunctionDecl& decl, Id entry);
    void argument_info(const FunctionDecl& decl);
    Id wrapper(const FunctionDecl& decl);
    std::vector<const FunctionInfo*> reached(const FunctionDecl& decl);  ///< by calls, itself first
    std::vector<Id> reached_inputs(const FunctionDecl& decl);
    void order_blocks(spirv::Function& function);

    std::string_view main_file(SourceLoc place) const;
    /// With -g, the source position of what follows. An operation sets it again once its operands, which have
    /// positions of their own, are emitted.
    void at(SourceRange range) {
        if (options_.debug_info) set_line(range);
    }
    void set_line(SourceRange range);
    Id decline(SourceRange range, std::string_view what, const Type* type);

    const TranslationUnit& unit_;
    const CompileOptions& options_;
    TypeTable& types_;
    Arena& arena_;
    const SourceManager& sources_;
    Diagnostics& diags_;
    spirv::Module module_ = {};
    Builder b_;
    std::optional<DebugInfoEmitter> debug_ = {};  // with -g

    std::unordered_map<const Type*, RecordLayout> records_ = {};
    std::unordered_map<const Type*, Id> memory_types_ = {};
    struct ForwardPointer {
        spv::StorageClass storage;
        Id type;
    };
    size_t open_records_ = 0;  // being laid out
    bool emits_pointees_ = false;
    std::vector<const Type*> pointees_ = {};  // records that pointers were made to, still to be laid out
    std::unordered_map<const Type*, std::vector<ForwardPointer>> forward_pointers_ = {};  // to such records
    std::unordered_map<const VarDecl*, Place> globals_ = {};
    std::vector<const VarDecl*> open_globals_ = {};
    std::unordered_map<const StringLiteralExpr*, Id> strings_ = {};
    std::unordered_map<const CompoundLiteralExpr*, Place> literals_ = {};
    struct Shared {
        Place place = {};
        Id value = {};  ///< of a scalar or vector
    };
    std::unordered_map<const Expr*, Shared> shared_ =
        {};                                           ///< what several elements have, where it was evaluated
    int list_depth_ = 0;                              ///< of initializer lists being emitted
    std::unordered_map<uint32_t, Id> inputs_ = {};    // by spv::BuiltIn
    std::unordered_map<uint32_t, Id> samplers_ = {};  // by their three fields
    std::unordered_map<std::string_view, Id> externals_ = {};
    std::unordered_map<const FunctionDecl*, FunctionInfo> functions_ = {};
    std::vector<const FunctionDecl*> queue_ = {};
    std::map<std::pair<const FunctionDecl*, BlockArgs>, const FunctionDecl*> instances_ = {};
    std::unordered_map<const BlockLiteralExpr*, BlockLayout> block_layouts_ = {};
    std::unordered_map<const BlockLiteralExpr*, Id> global_blocks_ = {};
    std::vector<std::pair<const BlockLiteralExpr*, Id>> block_kernels_ = {};  // in the order of first use
    std::vector<spirv::Function> imports_ = {};
    std::vector<Id> exported_ = {};  ///< variables
    uint32_t fast_math_ = 0;

    // State for the function that is being emitted.
    struct Jump {
        Id break_target = {}, continue_target = {};
    };
    FunctionInfo* current_ = nullptr;
    bool contracts_ = true;   // in the block at hand a sum takes the product beside it into one mad
    bool structured_ = true;  // no goto: every selection and loop carries its merge instruction
    std::unordered_map<const VarDecl*, Place> locals_ = {};
    std::unordered_map<const LabelStmt*, Id> labels_ = {};
    std::unordered_map<const Stmt*, Id> case_labels_ = {};
    std::vector<Jump> jumps_ = {};
    std::unordered_map<uint32_t, Id> booleans_ = {};  // integer made by compare_result() -> its OpTypeBool
    std::unordered_map<const VarDecl*, Id> opaque_params_ = {};  // images and their like: never in memory
    std::unordered_map<const VarDecl*, const BlockLiteralExpr*> bound_blocks_ =
        {};  // parameters of block type
};

inline const Type* element_of(const Type* type) { return arithmetic_type(type->scalar()); }
inline bool is_signed(const Type* type) { return element_of(type)->is_signed(); }
inline bool is_bool(const Type* type) { return element_of(type)->kind == TypeKind::Bool; }
inline bool is_float(const Type* type) { return element_of(type)->is_floating(); }
inline bool is_aggregate(const Type* type) { return type->is_record() || type->is_array(); }
const Expr& strip_parens(const Expr& expr);
bool takes_blocks(const FunctionDecl& function);
const FunctionDecl* canonical(const FunctionDecl& decl);  ///< the first declaration
bool is_opaque(const Type* type);  ///< of values that never lie in memory as parameters

/// What a walk over a function body finds out before it is emitted.
struct BodyFacts {
    bool unstructured = false;  ///< goto, or case labels inside inner statements
    bool no_contraction = false;
};
BodyFacts examine(const Stmt& body);
/// Cheap and without effect, so it may be computed whether its value is wanted or not.
bool is_cheap(const Expr& expr);
bool is_pure(const Expr& expr);         ///< without effect: no assignment, call or volatile access
bool contains_label(const Stmt& stmt);  ///< a label that can be jumped to from outside the statement

}  // namespace caldera::frontend
