// SPDX-License-Identifier: Apache-2.0
// The checker's state and its functions, by file. One Checker lives for one translation unit.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/builtin/resolution_cache.h"
#include "frontend/check/checker.h"
#include "frontend/check/scope.h"

namespace caldera::frontend {

/// What an implicit conversion is for; chooses the words of its diagnostic.
enum class Action : uint8_t { Assign, Pass, Return, Init };

/// Where a declarator stands: decides default address spaces and what is allowed.
enum class Where : uint8_t { File, Local, Param, Field, Typedef, TypeName };

/// A type while its declarator is read: whether an address space was written (Private is also the default).
struct TypeInProgress {
    QualType type = {};
    bool has_space = false;
};

/// What an attribute stands on; attributes.def says which may stand where.
enum AttributeSubject : uint8_t {
    kOnFunction = 1,
    kOnVariable = 2,
    kOnParameter = 4,
    kOnField = 8,
    kOnRecord = 16,
    kOnEnum = 32,
    kOnTypedef = 64,
    kOnStatement = 128,
};

/// size_t and its kin.
bool is_address_sized_name(std::string_view name);

/// Whether two pointers to pointers lead into different spaces further in.
bool nested_spaces_differ(const QualType& a, const QualType& b);
/// The name of the built-in function that is called.
std::string_view called(const CallExpr& e);

/// What is known of the function whose body is being checked.
struct FunctionContext {
    FunctionDecl* decl = nullptr;
    QualType result = {};
    size_t outer_depth = 0;  ///< scope depth of the outermost block
    bool is_faulty = false;  ///< nobody knows what is unused
    struct Jump {
        GotoStmt* stmt = nullptr;
        const LocalLabel* target = nullptr;  ///< null for a label of the whole function
    };
    std::unordered_map<std::string_view, LabelStmt*> labels = {};  ///< without the local ones
    /// Those of the blocks around, the innermost last.
    std::unordered_map<std::string_view, std::vector<LocalLabel*>> local_labels = {};
    std::vector<LabelStmt*> defined_labels = {};
    std::vector<Jump> gotos = {};
    std::vector<VarDecl*> statics = {};
    int loop_depth = 0;
    int break_depth = 0;             ///< loops and switches
    bool breaks_in_step = false;     ///< `break` would leave the loop whose step or `do` condition this is in
    bool continues_in_step = false;  ///< likewise `continue`
    const StmtExprExpr* inside = nullptr;  ///< the innermost statement expression
    // For a block's body:
    FunctionContext* outer = nullptr;         ///< the function around it
    const BlockLiteralExpr* block = nullptr;  ///< null for a function
    std::vector<VarDecl*> captures = {};
    bool infer_result = false;  ///< from the return statements
    bool returned = false;      ///< one was seen
};

/// The switch whose body is being checked.
struct SwitchContext {
    struct Label {
        uint64_t first, last;  ///< order_key() of the values
        const CaseStmt* stmt;
    };
    SwitchStmt* stmt = nullptr;
    const StmtExprExpr* inside = nullptr;  ///< the innermost statement expression around it
    const Type* type = nullptr;            ///< of the promoted condition; null when it was faulty
    const Type* written_type = nullptr;    ///< before the promotion
    std::vector<Label> labels = {};
    const DefaultStmt* default_stmt = nullptr;
};

/// Whether one of the attributes has this name.
bool has_attribute(std::span<const Attribute> attributes, std::string_view name);

class Checker {
 public:
    Checker(const CompileOptions& options, TypeTable& types, Arena& arena, Diagnostics& diags);
    void note_names(NameIndex& mentions) { mentions_ = &mentions; }
    void external_declaration(Decl& decl);
    void finish();

 private:
    // ---- attribute.cpp ----
    void attributes(std::span<Attribute> list, AttributeSubject subject);
    void old_nosvm(const Attribute& attribute);
    void attributes(const Specifiers& specifiers, const Declarator& declarator, AttributeSubject subject);
    void ignored_packed(std::span<Attribute> attributes);
    void attributes_of_no_type(const Specifiers& spec);

    // ---- call_attribute.cpp: enable_if, diagnose_if, error and warning ----
    void call_attributes(FunctionDecl& function, std::span<Attribute> list, bool sees_params);
    void call_condition(FunctionDecl& function, Attribute& attribute, bool sees_params);
    void call_message(FunctionDecl& function, Attribute& attribute);
    void nonnull_attribute(FunctionDecl& function, Attribute& attribute);
    void nonnull_params(FunctionDecl& function);
    void warn_null_arguments(const CallExpr& e, const FunctionDecl& first);
    void merge_call_attributes(FunctionDecl& first, const FunctionDecl& later);
    bool holds(const CallCondition& condition, std::span<const std::optional<ConstantValue>> args);
    std::optional<ConstantValue> argument_value(Expr*& arg, const Type* param);
    std::vector<std::optional<ConstantValue>> argument_values(const CallExpr& e,
                                                              const FunctionDecl& function);
    const CallCondition* disabled_by(const CallExpr& e, const FunctionDecl& function);
    void note_disabled(Diagnostics::Handle& handle, const FunctionDecl& function, const CallCondition& by);
    void diagnose_call(const CallExpr& e, const FunctionDecl& first);

    // ---- type.cpp: specifiers and declarators to types ----
    TypeInProgress specifier_type(Specifiers& spec, Where where);
    TypeInProgress base_type(Specifiers& spec, Where where);
    TypeInProgress declarator_type(TypeInProgress base, Declarator& declarator);
    TypeInProgress pointer_to(TypeInProgress base, const DeclaratorChunk& chunk,
                              const Declarator& declarator);
    TypeInProgress block_pointer_to(TypeInProgress base, const DeclaratorChunk& chunk,
                                    const TypeInProgress& space);
    TypeInProgress array_of(TypeInProgress base, DeclaratorChunk& chunk, const Declarator& declarator);
    TypeInProgress function_returning(TypeInProgress base, DeclaratorChunk& chunk,
                                      const Declarator& declarator);
    QualType type_name(TypeName* name);
    QualType qualified(QualType type, bool is_const, bool is_volatile, bool is_restrict);
    QualType in_space(QualType type, AddressSpace space);
    QualType pipe_of(const Specifiers& spec, const QualType& packet);
    uint32_t aligned_attribute(std::span<Attribute> attributes);
    void require_alignment(const QualType& type, uint32_t align,
                           std::initializer_list<std::span<const Attribute>> lists);
    void refuse_alignas(std::span<const Attribute> attributes, std::string_view message);
    bool require_complete(const QualType& type, SourceRange range, std::string_view message);
    AddressSpace default_pointee_space() const;

    // ---- type_attribute.cpp ----
    TypeInProgress type_attributes(TypeInProgress base, std::span<Attribute> attributes);
    TypeInProgress in_named_space(TypeInProgress base, AddressSpace space, SourceRange at);
    const Type* matrix_of(const Type* component, Attribute& attribute);
    const Type* vector_of_lanes(const Type* element, Attribute& attribute);
    const Type* vector_of_bytes(const Type* element, Attribute& attribute);
    const Type* of_mode(const Type* type, Attribute& attribute);

    // ---- record.cpp: structs, unions; enumeration.cpp ----
    const Type* record_mention(RecordDecl* record, Where where, bool stands_alone);
    /// The fields of a record by name, each with the member that it is or that has it.
    using MemberNames = std::unordered_map<std::string_view, std::pair<FieldDecl*, const FieldDecl*>>;
    void add_member_names(FieldDecl& field, const FieldDecl& member, MemberNames& names);
    void record_body(RecordDecl& record);
    void field(FieldDecl& field, RecordDecl& record);
    const Type* enum_mention(EnumDecl* decl, Where where);
    void declare_enum(EnumDecl& decl, Where where);
    void complete_enum(EnumDecl& decl);
    void enum_body(EnumDecl& decl);
    bool declare_enumerator(EnumConstantDecl& constant);
    bool enumerator_value(EnumConstantDecl& constant);
    void next_enumerator(EnumConstantDecl& constant, const EnumConstantDecl& last);
    void fixed_enumerator(EnumConstantDecl& constant, const Type& underlying);
    FieldDecl* named_field(const RecordDecl& record, std::string_view name);
    FieldDecl* find_field(const RecordDecl& record, std::string_view name, std::vector<FieldDecl*>& path);
    void note_incomplete(Diagnostics::Handle handle, const Type* type);

    // ---- declaration.cpp: variables and typedefs; function.cpp: functions ----
    void declaration(Decl* decl);
    void typedef_decl(TypedefDecl& decl);
    void empty_decl(EmptyDecl& decl);
    void static_assertion(StaticAssertDecl& decl);
    void variable(VarDecl& var);
    bool variable_type(VarDecl& var);
    bool event_variable(const VarDecl& var, const Type& type);
    void variable_space(VarDecl& var, bool has_space);
    void file_variable_space(VarDecl& var, bool has_space);
    void local_variable_space(VarDecl& var, bool has_space);
    const FunctionDecl& enclosing_function() const;
    bool conflicts_in_linkage(const VarDecl& var);
    void merge_variable(VarDecl& var);
    void variable_init(VarDecl& var);
    void keep_value(VarDecl& var);
    void complete_tentative();
    void link_objects();
    bool refuse_storage(const Specifiers& spec);
    bool hides_builtin_type(const Decl& decl);
    bool redeclares_builtin(const Decl& decl);
    void function(FunctionDecl& function);
    bool redeclares_printf(const FunctionDecl& function) const;
    const builtin::Resolution* same_builtin(const FunctionDecl& function);
    void function_type(FunctionDecl& function);
    void parameter(VarDecl& param);
    void merge_function(FunctionDecl& function);
    FunctionDecl* find_overload(const FunctionDecl& function) const;
    void function_attributes(FunctionDecl& function);
    void function_body(FunctionContext& context);
    void declare_labels(CompoundStmt& stmt);
    void forget_labels(const CompoundStmt& stmt);
    LocalLabel* local_label(std::string_view name) const;
    void define_label(LabelStmt& label);
    void resolve_gotos();

    // ---- kernel.cpp ----
    void kernel_attributes(FunctionDecl& function, std::span<Attribute> attributes);
    void vec_type_hint(const Attribute& attribute, KernelAttributes& kernel);
    bool attribute_sizes(const Attribute& attribute, size_t count, uint32_t (&size)[3]);
    void kernel_function(FunctionDecl& function);
    void kernel_param(VarDecl& param);
    bool may_be_passed_in_a_structure(const Type& pointer) const;
    bool is_address_sized(const Specifiers& spec) const;

    // ---- call_graph.cpp ----
    void record_call(FunctionDecl* callee, SourceRange range);
    void record_call(FunctionDecl* caller, FunctionDecl* callee, SourceRange range);
    void refuse_recursion();

    // ---- block.cpp ----
    bool require_blocks(SourceRange at);
    std::string_view block_name();
    Expr* block_literal(BlockLiteralExpr& e);
    void infer_result(ReturnStmt& stmt);
    bool is_captured(const VarDecl& var, size_t depth) const;
    Expr* captured(DeclRefExpr& e, VarDecl& var, size_t depth);
    bool require_known_block(const Expr& block);
    void block_variable(VarDecl& var);
    Expr* convert_block(Expr* e, const QualType& to, Action action, SourceRange at, const VarDecl* param);
    Expr* block_call(CallExpr& e);
    void record_blocks(FunctionDecl* callee, const CallExpr& e);

    // ---- pipe.cpp, enqueue.cpp: built-in functions whose arguments no signature describes ----
    using CustomCheck = bool (Checker::*)(CallExpr& e);
    static CustomCheck custom_check(std::string_view name);
    Expr* custom_call(CallExpr& e, std::string_view name, CustomCheck check);
    bool exact_count(const CallExpr& e, size_t expected);
    bool pipe_argument(CallExpr& e);
    bool packet_argument(CallExpr& e, size_t index);
    bool pipe_argument_type(const CallExpr& e, bool fits, std::string_view expected, const Expr& arg);
    bool integer_pipe_argument(CallExpr& e, size_t index);
    bool reserve_argument(CallExpr& e, size_t index);
    bool matrix_init(CallExpr& e);
    bool matrix_load(CallExpr& e);
    bool matrix_store(CallExpr& e);
    bool matrix_mul_add(CallExpr& e);
    bool matrix_length(CallExpr& e);
    bool matrix_argument(const CallExpr& e, size_t index);
    bool matrix_memory(CallExpr& e, size_t layout, bool writes);
    bool matrix_memory_type(const CallExpr& e, const Type& matrix);
    bool matrix_variable(const VarDecl& var, const Type& element);
    Expr* to_matrix(Expr* e, const Type* matrix);
    Expr* matrix_arithmetic(BinaryExpr& e, Expr* lhs, Expr* rhs);
    bool packet_call(CallExpr& e);
    bool reserve_call(CallExpr& e);
    bool commit_call(CallExpr& e);
    bool pipe_query(CallExpr& e);
    bool enqueue_kernel(CallExpr& e);
    bool enqueue_events(CallExpr& e);
    bool kernel_query(CallExpr& e);
    bool enqueue_argument(CallExpr& e, size_t index, bool fits, std::string_view expected);
    bool event_pointer(CallExpr& e, size_t index);
    bool range_argument(CallExpr& e, size_t index);
    bool kernel_block(CallExpr& e, size_t index);
    bool local_sizes(CallExpr& e, size_t block);

    // ---- statement.cpp ----
    void statement(Stmt*& stmt);
    void compound(CompoundStmt& stmt, bool new_scope);
    void expression_statement(ExprStmt& stmt);
    void if_statement(IfStmt* stmt);
    void switch_statement(SwitchStmt& stmt);
    void labelled(Stmt* stmt);
    void case_label(CaseStmt& stmt);
    void default_label(DefaultStmt& stmt);
    bool belongs_to_switch(const Stmt& label, std::string_view keyword);
    bool case_value(Expr*& expr, uint64_t& value);
    void case_duplicates();
    void duplicate_case(const CaseStmt& stmt, const CaseStmt& earlier, std::string_view value);
    void while_statement(WhileStmt& stmt);
    void do_statement(DoStmt& stmt);
    void for_statement(ForStmt& stmt);
    void for_declaration(const DeclStmt& stmt);
    void return_statement(ReturnStmt& stmt);
    void unroll_hint(Stmt& stmt, Attribute& attribute);
    void unroll_pragma(Attribute& attribute);
    Expr* condition(Expr* expr, SourceRange keyword);
    void loop_body(Stmt*& body);
    template <class Check>
    void in_loop(bool in_step, Check check);
    void leave_scope();

    // ---- expression.cpp: the dispatch and primary expressions ----
    Expr* expr(Expr* e);   ///< checks; may be an lvalue, an array or a function
    Expr* value(Expr* e);  ///< expr() and then rvalue()
    Expr* leaf(Expr* e);
    Expr* finish(Expr* e);
    Expr* faulty(ErrorExpr& e);
    Expr* decl_ref(DeclRefExpr& e);
    Expr* undeclared(DeclRefExpr& e);
    Expr* string_literal(StringLiteralExpr& e);
    Expr* constant_text(StringLiteralExpr& e);
    Expr* int_literal(IntLiteralExpr& e);
    Expr* float_literal(FloatLiteralExpr& e);
    Expr* paren(ParenExpr& e);
    Expr* subscript(SubscriptExpr& e);
    Expr* to_index(Expr* e);  ///< an integer to long or ulong
    Expr* sizeof_type(SizeofTypeExpr& e);
    Expr* sizeof_expr(SizeofExprExpr& e);
    bool size_of(SizeofOp op, const QualType& type, SourceRange op_range, SourceRange arg, uint64_t& value);
    Expr* stmt_expr(StmtExprExpr& e);
    Expr* choose(ChooseExpr& e);
    Expr* offset_of(OffsetofExpr& e);
    Expr* compound_literal(CompoundLiteralExpr& e);
    Expr* vector_literal(VectorLiteralExpr& e);
    Expr* cast_vector_of(CastExpr& e, const QualType& type);
    Expr* as_type(AsTypeExpr& e);
    Expr* types_compatible(TypesCompatibleExpr& e);
    Expr* error_expr(SourceRange range);
    Expr* error_expr(const Expr& e) { return error_expr(e.range); }
    Expr* int_constant(uint64_t value, const Type* type, SourceRange range);

    // ---- generic_selection.cpp ----
    Expr* generic_selection(GenericExpr& e);
    bool generic_association(GenericExpr& e, size_t index);

    // ---- member.cpp: members and swizzles ----
    Expr* pointee(const MemberExpr& e, Expr* pointer);
    Expr* member(MemberExpr& e);
    Expr* record_member(MemberExpr& e, const RecordDecl& record);
    Expr* swizzle(MemberExpr& e);

    // ---- operator.cpp: unary, assignment, conditional ----
    Expr* unary(UnaryExpr& e);
    Expr* address_of(UnaryExpr& e);
    Expr* dereference(UnaryExpr& e);
    Expr* increment(UnaryExpr& e);
    Expr* logical_not(UnaryExpr& e);
    Expr* unary_operand_error(UnaryExpr& e);
    Expr* assign(AssignExpr& e);
    Expr* compound_assign(AssignExpr& e);
    bool require_modifiable(Expr* e, SourceRange at);
    /// const_assignment.cpp: what of the expression is const, and which of its fields are; false if none is.
    void refuse_const(const Expr& whole, SourceRange at);
    bool refuse_const_fields(const Expr& whole, SourceRange at);
    Expr* conditional(ConditionalExpr& e);
    Expr* vector_conditional(ConditionalExpr& e);
    Expr* conditional_pointers(ConditionalExpr& e);

    // ---- binary.cpp ----
    Expr* binary(BinaryExpr& e);
    Expr* operation(BinaryExpr& e);
    Expr* arithmetic(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* additive_pointer(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* pointer_difference(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* shift(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* comparison(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* pointer_comparison(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* handle_comparison(BinaryExpr& e, Expr* lhs, Expr* rhs);
    Expr* logical(BinaryExpr& e, Expr* lhs, Expr* rhs);
    /// `e` with its operands as the operation takes them.
    Expr* typed(BinaryExpr& e, Expr* lhs, Expr* rhs, const QualType& type);
    Expr* invalid_operands(const BinaryExpr& e);
    bool both_to_common(const BinaryExpr& e, Expr*& lhs, Expr*& rhs);
    const Type* common_pointer(const Type* a, const Type* b);
    bool half_operand(const Expr* e);
    bool refuses_logical(const Type* type) const;

    // ---- call.cpp ----
    Expr* call(CallExpr& e);
    Expr* user_call(CallExpr& e, FunctionDecl& function);
    Expr* overloaded_call(CallExpr& e, std::span<FunctionDecl* const> candidates);
    const builtin::Resolution* exact_builtin(std::string_view name, std::span<const QualType> types);
    bool clang_atomic(CallExpr& e, std::string_view name);
    bool constant_arguments(const CallExpr& e);
    void warn_memory_order(const CallExpr& e);
    bool cluster_size(const CallExpr& e);
    Expr* builtin_call(CallExpr& e, std::string_view name);
    bool check_arguments(CallExpr& e);
    bool argument_count(const CallExpr& e, const FunctionDecl& function);
    Expr* default_promotion(Expr* e);

    // ---- gnu_builtin.cpp ----
    Expr* constant_builtin(CallExpr& e, std::string_view name);
    Expr* place_constant(const CallExpr& e, std::string_view name);
    Expr* shuffle_vector(CallExpr& e);
    Expr* nan_constant(CallExpr& e, TypeKind kind, bool signaling);
    bool elementwise_arguments(CallExpr& e, std::string_view name);
    bool alike_arguments(CallExpr& e);
    bool overflow_call(CallExpr& e);
    bool sync_call(CallExpr& e);
    bool sync_old_call(CallExpr& e, builtin::SyncOp op, size_t count);
    Expr* lock_free(CallExpr& e, size_t count);
    bool sync_object(const CallExpr& e);
    bool sync_values(CallExpr& e);
    bool alignment_call(CallExpr& e);
    bool class_mask(const CallExpr& e);
    void deduce_type(VarDecl& var);

    // ---- conversion.cpp ----
    Expr* rvalue(Expr* e);
    Expr* cast(Expr* e, CastKind kind, QualType type);
    Expr* to_arithmetic(Expr* e, const Type* type);  ///< scalar to scalar, both arithmetic
    Expr* to_vector(Expr* e, const Type* type);      ///< arithmetic scalar to vector
    Expr* to_common(Expr* e, const Type* type);      ///< either, for usual arithmetic conversions
    Expr* to_bool(Expr* e);
    Expr* promoted(Expr* e);
    Expr* to_pointer(Expr* e, const Type* type);  ///< pointer to pointer, all kinds of change
    Expr* convert(Expr* e, QualType to, Action action, SourceRange at, const VarDecl* param = nullptr);
    Expr* convert_pointer(Expr* e, const QualType& from, QualType to, Action action, SourceRange at,
                          const VarDecl* param);
    Expr* convert_int_pointer(Expr* e, const QualType& from, const QualType& to, Action action,
                              SourceRange at, const VarDecl* param);
    Expr* convert_fault(const Expr& e, const QualType& from, const QualType& to, Action action,
                        SourceRange at, const VarDecl* param);
    Expr* written_cast(CastExpr& e);
    Expr* cast_pointer(CastExpr& e, const QualType& to, Expr* operand);
    Expr* cast_vector(CastExpr& e, const QualType& to, Expr* operand);
    Expr* cast_event(CastExpr& e, Expr* operand);
    Expr* cast_to_union(const CastExpr& e, const QualType& to, Expr* operand);
    bool is_null_constant(const Expr* e) const;

    // ---- initializer.cpp ----
    Expr* initialize(Expr* init, QualType& type, SourceRange at, bool constant_only);
    struct InitCursor;
    struct Filling;
    Expr* init_value(Expr* init, QualType type, SourceRange at);
    Expr* init_braced(InitListExpr& list, QualType& type);
    Expr* init_element(InitCursor& cursor, QualType& type, Expr** earlier = nullptr);
    Expr* init_vector(InitCursor& cursor, const QualType& type);
    void warn_braced(const Expr& init, const QualType& type);
    bool init_aggregate(InitCursor& cursor, QualType& type, InitListExpr& out, bool braced, size_t depth);
    bool make_room(Filling& object, const Designator* designator);
    bool fill_inside(Filling& object, InitCursor& cursor, size_t level);
    bool fill_whole(Filling& object, InitCursor& cursor, bool is_designated);
    void warn_filled(const Filling& object, const InitCursor& cursor, bool braced, bool may_lack_members);
    bool count_designated(uint64_t count, SourceRange at);
    InitListExpr* own_list(InitListExpr& list, SourceRange at);
    InitListExpr* list_to_change(Expr* earlier, const QualType& type, bool is_update, const InitEntry& entry,
                                 size_t level);
    Expr* designate_again(Expr* earlier, const InitListExpr& done, bool is_update, const InitEntry& entry,
                          size_t level);
    void spell_out_unnamed(InitEntry& entry, size_t level, const QualType& type);
    bool designated_index(const Designator& designator, const QualType& type, uint64_t& first,
                          uint64_t& last);
    bool designated_element(const Designator& designator, const QualType& type, uint64_t& first,
                            uint64_t& last);
    Expr* init_string(Expr* init, QualType& type);
    bool is_string_for(const Expr* init, const QualType& type) const;
    bool require_constant(const Expr& init);
    std::optional<uint64_t> constant_value(const Expr& e);

    // ---- image.cpp ----
    void access_qualifier(const Specifiers& spec, QualType& type);
    void require_image_support(const Specifiers& spec, QualType& type);
    bool sampler_variable(const VarDecl& var);
    Expr* to_sampler(Expr* e, Action action, SourceRange at);

    // ---- format.cpp ----
    void warn_format(const CallExpr& e);

    // ---- precedence.cpp: warnings of operators that bind otherwise than they look ----
    void warn_precedence(const BinaryExpr& e);
    void warn_conditional_precedence(const BinaryExpr& condition, SourceRange question);
    void warn_reversed_compound(const AssignExpr& e);

    // ---- warnings.cpp ----
    void warn_unevaluated(const Expr& e);  ///< the operand of sizeof and its kin, or of _Generic
    void warn_unused(const Expr& e, bool left_of_comma = false);
    void warn_unused_declarations();
    void warn_empty_body(const Stmt* body);
    void warn_condition(const Expr& e);
    void warn_void_arithmetic(SourceRange at, std::string_view what);
    void warn_division(const BinaryExpr& e, const Expr& rhs);
    void warn_unused_parameters(const FunctionDecl& function);
    void warn_unused_labels(std::span<LabelStmt* const> labels);
    void warn_empty_loop(const Stmt& stmt, const Stmt* next);
    void warn_case_overflow(const Expr& label);
    void warn_missing_enumerators(const SwitchStmt& stmt, const EnumDecl& enumeration);
    void warn_unused_at_file_scope();
    bool is_declared_inline(const FunctionDecl& canonical) const;
    void warn_undefined_functions();
    void warn_shadow(const VarDecl& var);
    void warn_switch(const SwitchStmt& stmt, const EnumDecl* enumeration);
    void warn_extra_parentheses(const Expr& e);
    void warn_indentation(const Stmt& stmt, const Stmt* next);
    void warn_ignored_qualifiers(const Specifiers& spec, const QualType& result);
    void warn_no_prototype(const FunctionDecl& function);
    bool never_falls_through(const Stmt* stmt) const;
    bool contains_return(const Stmt* root) const;
    void warn_missing_return(const FunctionDecl& function);

    // ---- NameIndex, where somebody asked for them ----
    void note(SourceRange range, const Decl& decl) {
        if (mentions_ && range) mentions_->names.push_back({.range = range, .decl = &decl});
    }
    void note(const Decl& declared) { note(declared.name_range, declared); }
    /// Notes a use, and says so if it is deprecated or unavailable.
    void use(SourceRange range, const Decl& decl);
    void warn_availability(SourceRange range, const Decl& decl);
    const Attribute* attribute_of(const Decl& decl, std::string_view name) const;
    void note(SourceRange range, const LabelStmt& label) {
        if (mentions_) mentions_->names.push_back({.range = range, .label = &label});
    }
    void note_builtin(SourceRange range, const builtin::Resolution* chosen = nullptr) {
        if (mentions_) mentions_->names.push_back({.range = range, .is_builtin = true, .builtin = chosen});
    }
    void note_member(const MemberExpr& e, const Type* base) {
        if (mentions_) mentions_->members.push_back({.op_range = e.op_range, .base = base});
    }
    void note_designator(const Designator& designator, const FieldDecl& field) {
        SourceRange name = designator.range;  // without the dot
        name.begin.offset = name.end.offset - static_cast<uint32_t>(designator.field.size());
        use(name, field);
    }

    bool is_error(const Expr* e) const {
        return e->kind == ExprKind::Error || !e->type || e->type->is_error();
    }
    /// OpenCL C 6.13.11.8: built-in functions read and write atomic objects, operators do not.
    bool is_atomic(const Expr* e) const { return !is_error(e) && e->type->kind == TypeKind::Atomic; }
    bool at_least(Standard standard) const { return options_.standard >= standard; }
    bool has_generic_space() const { return features_.has(Ext::GenericAddressSpace); }
    bool usable(Ext e) const { return features_.usable(e, enabled_); }
    /// Whether only pointers to `type` may be: half needs its extension and the pragma, its vectors the
    /// extension.
    bool is_storage_only(const Type* type) const {
        if (type->kind == TypeKind::Half) return !usable(Ext::Fp16);
        return type->scalar()->kind == TypeKind::Half && !features_.has(Ext::Fp16);
    }
    QualType int_type() const { return {.type = types_.scalar(TypeKind::Int)}; }
    QualType error_type() const { return {.type = types_.error()}; }

    const CompileOptions& options_;
    const Features features_;
    TypeTable& types_;
    Arena& arena_;
    Diagnostics& diags_;
    builtin::ResolutionCache builtins_{features_, types_, types_.arena()};
    ExtSet enabled_ = {};  ///< by pragmas, where the walk stands
    ScopeStack scopes_ = {};
    FunctionContext* function_ = nullptr;
    SwitchContext* switch_ = nullptr;
    uint64_t designated_elements_ = 0;  ///< made by designators, in all lists
    bool goes_on_ = false;  ///< values without designators followed a designated one inside its object
    /// The operand of `&`, or a part of it, that is checked next.
    struct Addressed {
        const Expr* part = nullptr;
        bool is_whole = false;
    };
    Addressed addressed_ = {};
    int unevaluated_ = 0;  ///< depth of operands that are not evaluated (sizeof, typeof)
    std::unordered_map<std::string_view, std::vector<FunctionDecl*>> overloads_ = {};
    std::unordered_multimap<size_t, FunctionDecl*> overloads_by_params_ = {};  // by params_hash()
    std::unordered_map<const RecordDecl*, std::unordered_map<std::string_view, FieldDecl*>> field_indices_ =
        {};
    std::unordered_set<const TypedefDecl*> typedefs_with_space_ = {};
    std::unordered_set<const TypedefDecl*> address_sized_ = {};  ///< names for size_t and its kin
    const Specifiers* last_specifiers_ = nullptr;                ///< the specifiers that last_type_ is of
    TypeInProgress last_type_ = {};
    const Specifiers* last_refused_ = nullptr;  ///< whose storage class was reported
    const ExprStmt* stmt_expr_value_ =
        nullptr;  ///< the statement that gives a statement expression its value
    std::vector<VarDecl*> tentative_ =
        {};  ///< program-scope objects whose type was incomplete where declared
    std::map<std::string_view, std::vector<VarDecl*>> objects_ = {};  ///< declarations with linkage, by name
    std::unordered_map<const FunctionDecl*, std::vector<FunctionDecl*>> declarations_ = {};  ///< by the first
    struct CallEdge {
        FunctionDecl* callee;
        SourceRange range;
    };
    std::unordered_map<const FunctionDecl*, std::vector<CallEdge>> calls_ = {};
    std::vector<FunctionDecl*> callers_ = {};  ///< keys of calls_ in source order
    std::vector<Decl*> file_decls_ = {};
    const VarDecl* initialised_ = nullptr;  ///< the block variable whose initialiser is being checked
    std::unordered_map<std::string, int> block_counts_ = {};
    NameIndex* mentions_ = nullptr;
};

}  // namespace caldera::frontend
