// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's atomic functions on objects of plain types (rows of builtin/sync_builtins.def).
//
// SPIR-V has atomic operations on integers of 32 and 64 bits. Other operations are loops around a
// compare-exchange, those on 8 and 16 bits of the word of 32 bits that they lie in. Nobody else sees a
// work-item's private memory: there the operations are plain loads and stores.
#include <functional>

#include "frontend/emit/emitter_impl.h"
#include "frontend/emit/memory_orders.h"

namespace caldera::frontend {

namespace {

using builtin::SyncOp;
namespace SyncForm = builtin::SyncForm;

}  // namespace

/// Emits the atomic operations of one call.
class SyncEmitter {
 public:
    SyncEmitter(Emitter& emitter, const CallExpr& expr, const Emitter::Args& args)
        : e_(emitter), b_(emitter.b_), expr_(expr), args_(args), forms_(expr.builtin->row->b) {}

    Id run();

 private:
    bool has(uint32_t form) const { return (forms_ & form) != 0; }

    void find_order(SyncOp op);
    Id scope(Id number) const;
    void find_object(SyncOp op);
    void find_word();

    Id bits_of(Id value) const;
    Id value_of(Id bits) const;
    Id object_in(Id word) const;
    Id in_word(Id value) const;
    Id bits_at(Id pointer) const;
    void set_bits_at(Id pointer, Id bits) const;

    Id load() const;
    Id compare_exchange();
    Id arithmetic(SyncOp op);
    Id computed(SyncOp op, Id old, Id operand) const;
    Id flag(SyncOp op);
    /// Returns the value from before. Where `if_equal` is given, only a value that is equal to it is
    /// replaced.
    Id update(const std::function<Id(Id old)>& compute, Id if_equal = {});
    Id exchange(Id bits);

    Emitter& e_;
    spirv::Builder& b_;
    const CallExpr& expr_;
    const Emitter::Args& args_;
    uint32_t forms_;
    QualType object_ = {};
    uint32_t width_ = 32;            // of the object
    Id type_ = {}, word_type_ = {};  // the object's bits, and those of the word that it lies in
    Id pointer_ = {};                // to the object's bits
    Id word_ = {};                   // to the word; none in private and constant memory
    Id shift_ = {};                  // of the object in the word; none: it is the word
    Id scope_ = {}, order_ = {}, order_unequal_ = {};
};

Id Emitter::sync_builtin(const CallExpr& expr, const Args& args) {
    return SyncEmitter(*this, expr, args).run();
}

Id SyncEmitter::run() {
    const auto op = static_cast<SyncOp>(expr_.builtin->row->a);
    find_order(op);
    if (op == SyncOp::SignalFence) return {};
    if (op == SyncOp::Fence) {
        const uint32_t order = static_cast<uint32_t>(b_.constant_value(order_).value_or(kSequential));
        if (order != 0)
            b_.append_void(spv::Op::OpMemoryBarrier, {scope_, e_.fence_semantics(e_.u32(7), order)});
        return {};
    }
    find_object(op);
    const bool by_pointer = has(SyncForm::ByPointer);
    const auto operand = [&] { return by_pointer ? bits_at(args_[1]) : bits_of(args_[1]); };
    switch (op) {
        case SyncOp::Load:
            if (!by_pointer) return value_of(load());
            set_bits_at(args_[1], load());
            return {};
        case SyncOp::Store: {
            const Id bits = operand();
            if (word_ && !shift_)
                b_.append_void(spv::Op::OpAtomicStore, {word_, scope_, order_, bits});
            else
                exchange(bits);
            return {};
        }
        case SyncOp::Exchange: {
            const Id old = exchange(operand());
            if (!by_pointer) return value_of(old);
            set_bits_at(args_[2], old);
            return {};
        }
        case SyncOp::CompareExchange: return compare_exchange();
        case SyncOp::TestAndSet:
        case SyncOp::Clear: return flag(op);
        default: return arithmetic(op);
    }
}

// ---- Orders and scopes ----

void SyncEmitter::find_order(SyncOp op) {
    scope_ = e_.scope_constant({});
    order_ = order_unequal_ = e_.u32(kSequential);
    if (has(SyncForm::Old)) {
        if (op == SyncOp::Exchange) order_ = e_.u32(kAcquire);
        if (op == SyncOp::Clear) order_ = e_.u32(kRelease);
        return;
    }
    const size_t scopes = has(SyncForm::Scoped) ? 1 : 0, end = args_.size() - scopes;
    if (scopes) scope_ = scope(args_.back());
    if (op == SyncOp::CompareExchange) {
        order_ = e_.order_constant(args_[end - 2]);
        order_unequal_ = e_.order_constant(args_[end - 1]);
        // As in LLVM: a failed comparison releases nothing
        const uint64_t unequal = *b_.constant_value(order_unequal_);
        if (unequal == kRelease) order_unequal_ = e_.u32(0);
        if (unequal == kAcquireRelease) order_unequal_ = e_.u32(kAcquire);
    } else {
        order_ = e_.order_constant(args_[end - 1]);
        order_unequal_ = e_.u32(0);  // of loops, which try again
    }
}

/// __MEMORY_SCOPE_ as Scope. A scope that is not constant becomes the widest one.
Id SyncEmitter::scope(Id number) const {
    const auto known = b_.constant_value(number);
    const auto named = [&](spv::Scope scope) { return e_.u32(static_cast<uint32_t>(scope)); };
    switch (known.value_or(0)) {
        case 1: return named(spv::Scope::Device);
        case 2:
        case 5: return named(spv::Scope::Workgroup);
        case 3: return named(spv::Scope::Subgroup);
        case 4: return named(spv::Scope::Invocation);
        default: return e_.scope_constant({});
    }
}

// ---- The object and its bits ----

void SyncEmitter::find_object(SyncOp op) {
    object_ = expr_.args[0]->type->element.unqualified();
    const bool is_flag = op == SyncOp::TestAndSet || (op == SyncOp::Clear && !has(SyncForm::Old));
    if (is_flag) object_ = {.type = e_.types_.scalar(TypeKind::Bool)};
    width_ = static_cast<uint32_t>(8 * object_->size_bytes);
    type_ = b_.type_int(width_);
    word_type_ = b_.type_int(std::max(width_, 32u));
    pointer_ = e_.retype(args_[0], type_);
    const spv::StorageClass storage = b_.storage(b_.type_of(pointer_));
    if (storage == spv::StorageClass::Function || storage == spv::StorageClass::UniformConstant) return;
    if (width_ >= 32) {
        word_ = pointer_;
    } else {
        find_word();
    }
}

void SyncEmitter::find_word() {
    const Id u32 = b_.type_int(32), u64 = b_.type_int(64);
    const QualType& pointee = expr_.args[0]->type->element;
    if (!pointee->is_void() && e_.natural_align(pointee.type) >= 4) {
        word_ = e_.retype(args_[0], u32);
        shift_ = e_.u32(0);
        return;
    }
    const Id address = b_.append(spv::Op::OpConvertPtrToU, u64, {pointer_});
    const Id start = b_.append(spv::Op::OpBitwiseAnd, u64, {address, b_.constant_u64(~uint64_t{3})});
    const Id narrow = b_.append(spv::Op::OpUConvert, u32, {address});
    const Id offset = b_.append(spv::Op::OpBitwiseAnd, u32, {narrow, e_.u32(3)});
    const spv::StorageClass storage = b_.storage(b_.type_of(pointer_));
    word_ = b_.append(spv::Op::OpConvertUToPtr, b_.type_pointer(storage, u32), {start});
    shift_ = b_.append(spv::Op::OpShiftLeftLogical, u32, {offset, e_.u32(3)});
}

Id SyncEmitter::bits_of(Id value) const { return e_.reinterpret(e_.to_memory(value, object_), type_); }

Id SyncEmitter::value_of(Id bits) const {
    return e_.from_memory(e_.reinterpret(bits, e_.memory_type(object_)), object_);
}

/// The object's bits in a value of the word that it lies in.
Id SyncEmitter::object_in(Id word) const {
    if (!shift_) return word;
    return b_.append(spv::Op::OpUConvert, type_,
                     {b_.append(spv::Op::OpShiftRightLogical, word_type_, {word, shift_})});
}

/// Moves low bits to where the object lies in its word.
Id SyncEmitter::in_word(Id value) const {
    return b_.append(spv::Op::OpShiftLeftLogical, word_type_, {value, shift_});
}

Id SyncEmitter::bits_at(Id pointer) const {
    return b_.append(
        spv::Op::OpLoad, type_,
        {e_.retype(pointer, type_), spv::MemoryAccessMask::Aligned, e_.natural_align(object_.type)});
}

void SyncEmitter::set_bits_at(Id pointer, Id bits) const {
    b_.append_void(spv::Op::OpStore, {e_.retype(pointer, type_), bits, spv::MemoryAccessMask::Aligned,
                                      e_.natural_align(object_.type)});
}

// ---- The operations ----

Id SyncEmitter::load() const {
    if (!word_) return bits_at(pointer_);
    return object_in(b_.append(spv::Op::OpAtomicLoad, word_type_, {word_, scope_, order_}));
}

Id SyncEmitter::exchange(Id bits) {
    if (word_ && !shift_) return b_.append(spv::Op::OpAtomicExchange, type_, {word_, scope_, order_, bits});
    return update([&](Id) { return bits; });
}

Id SyncEmitter::compare_exchange() {
    const bool is_old = has(SyncForm::Old);
    const Id expected = is_old ? bits_of(args_[1]) : bits_at(args_[1]);
    const Id desired = has(SyncForm::ByPointer) ? bits_at(args_[2]) : bits_of(args_[2]);
    Id found = {};
    if (word_ && !shift_)
        found = b_.append(spv::Op::OpAtomicCompareExchange, type_,
                          {word_, scope_, order_, order_unequal_, desired, expected});
    else
        found = update([&](Id) { return desired; }, expected);
    if (has(SyncForm::Found)) return value_of(found);
    const Id same = b_.append(spv::Op::OpIEqual, b_.type_bool(), {found, expected});
    if (is_old) return same;
    // Where others see what was expected, nothing may be stored on success
    const Id differs = b_.fresh(), merge = b_.fresh();
    e_.selection_merge(merge);
    b_.branch_if(same, merge, differs);
    b_.begin_block(differs);
    set_bits_at(args_[1], found);
    b_.branch(merge);
    b_.begin_block(merge);
    return same;
}

Id SyncEmitter::arithmetic(SyncOp op) {
    const bool is_offset = object_->is_pointer() && !expr_.args[1]->type->is_pointer();
    const Id operand = is_offset ? args_[1] : bits_of(args_[1]);
    const bool is_signed = object_->is_signed() && !has(SyncForm::Unsigned);
    spv::Op direct = spv::Op::OpNop;
    switch (op) {
        case SyncOp::Add: direct = spv::Op::OpAtomicIAdd; break;
        case SyncOp::Sub: direct = spv::Op::OpAtomicISub; break;
        case SyncOp::And: direct = spv::Op::OpAtomicAnd; break;
        case SyncOp::Or: direct = spv::Op::OpAtomicOr; break;
        case SyncOp::Xor: direct = spv::Op::OpAtomicXor; break;
        case SyncOp::Min: direct = is_signed ? spv::Op::OpAtomicSMin : spv::Op::OpAtomicUMin; break;
        case SyncOp::Max: direct = is_signed ? spv::Op::OpAtomicSMax : spv::Op::OpAtomicUMax; break;
        default: break;
    }
    const bool is_direct = word_ && !shift_ && direct != spv::Op::OpNop && !object_->is_floating();
    const auto compute = [&](Id old) { return computed(op, old, operand); };
    const Id old = is_direct ? b_.append(direct, type_, {word_, scope_, order_, operand}) : update(compute);
    return value_of(has(SyncForm::NewValue) ? compute(old) : old);
}

Id SyncEmitter::computed(SyncOp op, Id old, Id operand) const {
    const auto binary = [&](BinaryOp how) {
        if (!object_->is_floating()) {
            const Type* bits = e_.types_.int_of_width(width_, false);
            return e_.arithmetic(how, bits, old, operand);
        }
        const Id type = e_.value_type(object_);
        return bits_of(
            e_.arithmetic(how, object_.type, e_.reinterpret(old, type), e_.reinterpret(operand, type)));
    };
    switch (op) {
        case SyncOp::Add: return binary(BinaryOp::Add);
        case SyncOp::Sub: return binary(BinaryOp::Sub);
        case SyncOp::And: return binary(BinaryOp::And);
        case SyncOp::Or: return binary(BinaryOp::Or);
        case SyncOp::Xor: return binary(BinaryOp::Xor);
        case SyncOp::Nand: return b_.append(spv::Op::OpNot, type_, {binary(BinaryOp::And)});
        default: break;
    }
    const bool is_signed = object_->is_signed() && !has(SyncForm::Unsigned);
    const Id less =
        b_.append(is_signed ? spv::Op::OpSLessThan : spv::Op::OpULessThan, b_.type_bool(), {old, operand});
    const Id least = op == SyncOp::Min ? old : operand, greatest = op == SyncOp::Min ? operand : old;
    return b_.append(spv::Op::OpSelect, type_, {less, least, greatest});
}

/// `__atomic_test_and_set` and `__atomic_clear` set and clear a byte, `__sync_lock_release` the object.
Id SyncEmitter::flag(SyncOp op) {
    const bool sets = op == SyncOp::TestAndSet;
    const Id bits = b_.constant_int(type_, sets ? 1 : 0);
    if (!word_ || !shift_) {
        if (word_ && !sets) {
            b_.append_void(spv::Op::OpAtomicStore, {word_, scope_, order_, bits});
            return {};
        }
        const Id old = exchange(bits);
        return sets ? value_of(old) : Id{};
    }
    if (!sets) {
        const Id others = b_.append(spv::Op::OpNot, word_type_, {in_word(e_.u32((1u << width_) - 1))});
        b_.append(spv::Op::OpAtomicAnd, word_type_, {word_, scope_, order_, others});
        return {};
    }
    const Id old = b_.append(spv::Op::OpAtomicOr, word_type_, {word_, scope_, order_, in_word(e_.u32(1))});
    return value_of(object_in(old));
}

Id SyncEmitter::update(const std::function<Id(Id old)>& compute, Id if_equal) {
    const auto equals = [&](Id found) {
        return b_.append(spv::Op::OpIEqual, b_.type_bool(), {found, if_equal});
    };
    if (!word_) {
        const Id old = bits_at(pointer_);
        Id value = compute(old);
        if (if_equal) value = b_.append(spv::Op::OpSelect, type_, {equals(old), value, old});
        set_bits_at(pointer_, value);
        return old;
    }
    const uint32_t word_width = std::max(width_, 32u);
    const Place seen = e_.temporary({.type = e_.types_.int_of_width(word_width, false)});
    e_.store(seen, b_.append(spv::Op::OpAtomicLoad, word_type_, {word_, scope_, e_.u32(0)}));
    const Id header = b_.fresh(), body = b_.fresh(), attempt = b_.fresh(), next = b_.fresh(),
             merge = b_.fresh();
    b_.branch(header);
    b_.begin_block(header);
    if (e_.structured_) b_.loop_merge(merge, next, spv::LoopControlMask::MaskNone);
    b_.branch(body);

    b_.begin_block(body);
    const Id word = e_.load(seen);
    const Id old = object_in(word);
    if (if_equal)
        b_.branch_if(equals(old), attempt, merge);
    else
        b_.branch(attempt);

    b_.begin_block(attempt);
    Id desired = compute(old);
    if (shift_) {
        const Id others = b_.append(spv::Op::OpNot, word_type_, {in_word(e_.u32((1u << width_) - 1))});
        const Id kept = b_.append(spv::Op::OpBitwiseAnd, word_type_, {word, others});
        const Id wide = b_.append(spv::Op::OpUConvert, word_type_, {desired});
        desired = b_.append(spv::Op::OpBitwiseOr, word_type_, {kept, in_word(wide)});
    }
    const Id found = b_.append(spv::Op::OpAtomicCompareExchange, word_type_,
                               {word_, scope_, order_, order_unequal_, desired, word});
    b_.branch_if(b_.append(spv::Op::OpIEqual, b_.type_bool(), {found, word}), merge, next);

    b_.begin_block(next);
    e_.store(seen, found);
    b_.branch(header);
    b_.begin_block(merge);
    return old;
}

}  // namespace caldera::frontend
