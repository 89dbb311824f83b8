// SPDX-License-Identifier: Apache-2.0
// check_races: reports accesses of two work-items to the same global or local memory that nothing orders,
// where at least one of them writes and one is no atomic operation (OpenCL C 3.0 6.15.12). Shadows of the
// memory have the last access that wrote and the last that read (vulkan/race_words.h). A work-item's clock
// counts the barriers that it has left behind, those that order global memory and those that order local
// memory. So accesses of one group with such a barrier between them are in order.
//
// An asynchronous copy is an access by nobody of the group: nothing orders it before somebody waits.
//
// The order that atomic operations and fences make is not followed. A work-item that has executed one that
// may order it after others reports nothing from then on, nor does its group from the next barrier on. A
// volatile access counts as an atomic operation.
//
// With MemoryChecks::SameRaces, stores race whatever they store. Without it, several work-items may store the
// same value to one place: a store of a scalar or a vector is told what memory has before and behind it.
// Other stores still race whatever they store. On a GPU, stores of several groups at the same time may look
// like stores of one value.
//
// Before: kernels are described; only the program's own functions have bodies. After: interface.check_sites
// has the places that are reported.
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <optional>

#include "spirv/op_class.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/checks/noted_accesses.h"
#include "vulkan/translate/checks/queued_notes.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/share.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

/// How an access is told to the library, and the bits of a clock: as builtins/check/race.cl has them.
constexpr uint32_t kWrites = 1, kIsAtomic = 2, kHasFences = 1u << 30, kIsSynchronized = 1u << 31;
constexpr uint32_t kDifferedBefore = 1, kDiffersNow = 2;
constexpr uint64_t kShadowWordBytes = 4, kMostWords = 4;  // of an access that are looked at

class RaceChecks {
 public:
    RaceChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          context_(context),
          opencl_std_(opencl_std_of(module)),
          facts_(module),
          instrument_(module, context),
          builder_(instrument_.builder()),
          noted_([this](const Instruction& inst) { return plain_accesses(inst); },
                 [this](const Instruction& inst) { return ends_span(inst); },
                 has(context.options.checks, MemoryChecks::SameRaces)),
          queued_(
              builder_, [this](const Instruction& inst) { return stops(inst); },
              [this](const Instruction& inst) { return plain_accesses(inst).size(); }) {}

    void run() {
        find_fences();
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            promote_to_values(builder_, function);
            share_equal(function, facts_);  // pointers that are computed twice
        }
        instrument_.pass_objects(module_, true);
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            who_ = who_in_group_ = local_shadow_ = {};
            is_silent_ = may_be_silent_.contains(function.id());
            queued_.end();
            // Drivers that do not run the code of all branches need not compile less.
            if (context_.options.profile.quirks.masks_branches) queued_.begin(function);
            noted_.begin(function);
            block_ = function.blocks.size();
            instrument_.rewrite(function,
                                [&](Instruction& inst, std::vector<Instruction>& out) { check(inst, out); });
            queued_.finish(function, [&](const QueuedNote& note) { note_queued(note); });
            for (const Id id : queued_.unreported()) context_.variables.unreported.insert(id);
        }
        start_clocks();
        instrument_.finish();
    }

 private:
    void check(Instruction& inst, std::vector<Instruction>& out) {
        if (block_ != instrument_.block()) noted_.enter(instrument_.block());
        block_ = instrument_.block();
        queued_.pass(inst);
        const Id value = compared_value(inst);
        const bool is_plain = !plain_accesses(inst).empty();
        for (const Access& access : instrument_.accesses().of(inst)) {
            if (is_plain && noted_.is_noted(inst, access)) continue;
            if (!value || !begin_store(inst, access, value)) note(inst, access, is_plain);
        }
        if (is_copy_of_group(inst)) note_copy(inst);
        noted_.pass(inst);
        const Id passed = is_passed_by_group(inst) ? order_of(inst) : Id{};
        const bool orders = may_order(inst);
        out.push_back(std::move(inst));
        if (store_) end_store();
        if (passed) set_clock(instrument_.call("_Z18check_pass_barrierjj", u32(), {clock(), passed}));
        if (orders)
            set_clock(
                builder_.append(Op::OpBitwiseOr, u32(), {clock(), builder_.constant_u32(kIsSynchronized)}));
    }

    // ---- What orders accesses ----

    bool is_scope(Id scope, spv::Scope wanted) const {
        return builder_.constant_value(scope) == static_cast<uint64_t>(wanted);
    }
    /// Barriers of the group, and what all of its work-items reach and wait at in fact.
    bool is_passed_by_group(const Instruction& inst) const {
        if (inst.op == Op::OpGroupWaitEvents) return true;
        const bool is_of_group =
            inst.op == Op::OpControlBarrier || (inst.op >= Op::OpGroupAll && inst.op <= Op::OpGroupSMax);
        return is_of_group && is_scope(inst.id(0), spv::Scope::Workgroup);
    }
    bool is_copy_of_group(const Instruction& inst) const {
        return inst.op == Op::OpGroupAsyncCopy && is_scope(inst.id(0), spv::Scope::Workgroup);
    }
    /// What memory an instruction orders that the group passes, as memory semantics. What waits without
    /// telling any orders all.
    Id order_of(const Instruction& inst) {
        using enum spv::MemorySemanticsMask;
        constexpr size_t kSemantics = 2;
        if (inst.op == Op::OpControlBarrier) return inst.id(kSemantics);
        return builder_.constant_u32(static_cast<uint32_t>(WorkgroupMemory) |
                                     static_cast<uint32_t>(CrossWorkgroupMemory));
    }
    /// Whether the instruction may order what the work-item does later after what others did before.
    bool may_order(const Instruction& inst) const {
        if (inst.op == Op::OpControlBarrier) return !is_scope(inst.id(0), spv::Scope::Workgroup);
        if (inst.op == Op::OpMemoryBarrier) return true;
        if (!spirv::is_atomic(inst.op)) return false;
        constexpr size_t kSemantics = 2;
        return has_order(inst.id(kSemantics)) || (is_exchange(inst.op) && has_order(inst.id(kSemantics + 1)));
    }
    static bool is_exchange(Op op) {
        return op == Op::OpAtomicCompareExchange || op == Op::OpAtomicCompareExchangeWeak;
    }
    bool has_order(Id semantics) const {
        using enum spv::MemorySemanticsMask;
        constexpr uint32_t kOrders = static_cast<uint32_t>(Acquire) | static_cast<uint32_t>(Release) |
                                     static_cast<uint32_t>(AcquireRelease) |
                                     static_cast<uint32_t>(SequentiallyConsistent);
        const std::optional<uint64_t> value = builder_.constant_value(semantics);
        return !value || (*value & kOrders) != 0;
    }

    void find_fences() {
        spirv::IdSet with_ends, with_own_notes;
        for (const Function& function : module_.functions) {
            if (function.blocks.empty()) with_ends.insert(function.id());  // nobody knows what is in it
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body) {
                    if (may_order(inst)) with_fences_.insert(function.id());
                    if (may_order(inst) || is_passed_by_group(inst)) with_ends.insert(function.id());
                    if (spirv::is_atomic(inst.op) || is_copy_of_group(inst))
                        with_own_notes.insert(function.id());
                }
        }
        CallGraph graph(module_);
        const auto reaches = [&](Id function, const spirv::IdSet& wanted) {
            return std::ranges::any_of(graph.functions(function), [&](uint32_t i) {
                return wanted.contains(module_.functions[i].id());
            });
        };
        for (const Function& function : module_.functions) {
            if (reaches(function.id(), with_ends)) ends_span_.insert(function.id());
            if (ends_span_.contains(function.id()) || reaches(function.id(), with_own_notes))
                stops_queue_.insert(function.id());
            if (!reaches(function.id(), with_fences_)) continue;
            for (const uint32_t i : graph.functions(function.id()))
                may_be_silent_.insert(module_.functions[i].id());
        }
    }
    /// Whether the work-item may leave its span between barriers.
    bool ends_span(const Instruction& inst) const {
        if (inst.op == Op::OpFunctionCall) return ends_span_.contains(inst.id(0));
        return may_order(inst) || is_passed_by_group(inst);
    }
    /// The accesses of which one stands for the next one to the same place. A store whose value is compared
    /// stands for none: the next one may store another value. Nor does an access in a kernel with fences: who
    /// races with it may be ordered after others by then, and report nothing.
    std::vector<Access> plain_accesses(const Instruction& inst) const {
        if (is_silent_ || spirv::is_atomic(inst.op) || is_volatile(inst) || compared_value(inst)) return {};
        return instrument_.accesses().of(inst);
    }
    /// Kernels with fences say so to their clocks.
    void start_clocks() {
        if (!clock_) return;
        CallGraph graph(module_);
        for (const Instruction& entry_point : module_.entry_points) {
            const std::vector<uint32_t> reached = graph.functions(entry_point.id(1));
            const bool has_fences = std::ranges::any_of(
                reached, [&](uint32_t i) { return with_fences_.contains(module_.functions[i].id()); });
            if (!has_fences) continue;
            std::vector<Instruction> entry;
            {
                const spirv::SinkScope sink(builder_, &entry);
                set_clock(builder_.constant_u32(kHasFences));
            }
            module_.functions[graph.index_of(entry_point.id(1))].insert_at_entry(std::move(entry));
        }
    }

    // ---- The state of a work-item ----

    Id u32() { return builder_.type_int(32); }
    Id u64() { return builder_.type_int(64); }
    Id clock_variable() {
        if (!clock_) {
            clock_ = builder_.variable(StorageClass::Private, u32(), builder_.constant_u32(0));
            builder_.name(clock_, "caldera.clock");
        }
        return clock_;
    }
    Id clock() { return builder_.append(Op::OpLoad, u32(), {clock_variable()}); }
    void set_clock(Id value) { builder_.append_void(Op::OpStore, {clock_variable(), value}); }

    Id who() {
        if (!who_) who_ = instrument_.at_entry([&] { return instrument_.call("_Z9check_whov", u32(), {}); });
        return who_;
    }
    Id who_in_group() {
        if (!who_in_group_)
            who_in_group_ = instrument_.at_entry([&] {
                return instrument_.call("_Z18check_who_in_groupPU3AS1j", u32(), {instrument_.state()});
            });
        return who_in_group_;
    }
    Id local_shadow() {
        if (!local_shadow_)
            local_shadow_ = instrument_.at_entry([&] {
                return instrument_.call("_Z18check_local_shadowPU3AS1j", builder_.type_vector(u64(), 2),
                                        {instrument_.state()});
            });
        return local_shadow_;
    }
    // ---- Accesses ----

    static bool is_volatile(const Instruction& inst) {
        const size_t at = inst.op == Op::OpLoad ? 1 : inst.op == Op::OpStore ? 2 : inst.operands.size();
        return at < inst.operands.size() &&
               (inst.word(at) & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile)) != 0;
    }

    /// Where an access is, and how it is reported.
    struct Place {
        StorageClass space = {};
        const CheckedObject* object = nullptr;  ///< in global memory, where it is known
        Id found = {};                          ///< else what find_object() has found, there
        Id site = {};
        uint64_t local_bytes = 0;  ///< of a known object in local memory
    };
    static bool is_generic(const Place& place) { return place.space == StorageClass::Generic; }
    /// One of the words of an access that are looked at.
    struct Word {
        uint64_t number = 0;
        Id address = {}, bytes = {};
    };

    /// None if nobody else can access the memory.
    std::optional<Place> place_of(const Instruction& inst, const Access& access) {
        const Id pointer = inst.id(access.operand);
        const std::optional<ObjectPath> path = instrument_.paths().path_of(pointer);
        const StorageClass space = instrument_.storage(path ? path->variable : pointer);
        if (space != StorageClass::CrossWorkgroup && space != StorageClass::Workgroup &&
            space != StorageClass::Generic)
            return std::nullopt;
        const CheckedObject* object = instrument_.object_of(pointer);
        CheckedObject local;
        if (path && space == StorageClass::Workgroup) {
            local.name = instrument_.name_of(path->variable);
            object = &local;
        }
        const Id site = instrument_.site(inst, CheckKind::Race, access, object,
                                         space == StorageClass::Workgroup ? space : StorageClass{});
        const bool is_local = path && space == StorageClass::Workgroup;
        return Place{.space = space,
                     .object = space == StorageClass::CrossWorkgroup ? object : nullptr,
                     .site = site,
                     .local_bytes = is_local ? instrument_.paths().size_bytes(*path) : 0};
    }

    /// The words of an access at that place, whose object is looked for where it is not known.
    std::vector<Word> words_of(Place& place, const Instruction& inst, const Access& access) {
        std::vector<Word> words = words_of(inst, access);
        if (place.space != StorageClass::Workgroup && !place.object)
            place.found = instrument_.find_object(inst.id(access.operand), access, words.front().address);
        return words;
    }

    std::vector<Word> words_of(const Instruction& inst, const Access& access) {
        const Id begin = instrument_.address_of(inst.id(access.operand), access);
        const uint64_t words = (access.bytes + kShadowWordBytes - 1) / kShadowWordBytes;
        const uint64_t looked_at = std::min(words, kMostWords);
        std::vector<Word> result;
        for (uint64_t i = 0; i < looked_at; ++i) {
            const uint64_t word = looked_at == 1 ? 0 : i * (words - 1) / (looked_at - 1);
            const uint64_t bytes = std::min(kShadowWordBytes, access.bytes - word * kShadowWordBytes);
            const Id address = word == 0
                                   ? begin
                                   : builder_.append(Op::OpIAdd, u64(),
                                                     {begin, builder_.constant_u64(word * kShadowWordBytes)});
            result.push_back({.number = word,
                              .address = address,
                              .bytes = builder_.constant_u32(static_cast<uint32_t>(bytes))});
        }
        return result;
    }

    void note(const Instruction& inst, const Access& access, bool is_plain) {
        std::optional<Place> place = place_of(inst, access);
        if (!place) return;
        const bool is_atomic = access.kind == CheckedAccess::Atomic;
        const bool writes = is_atomic ? inst.op != Op::OpAtomicLoad : access.writes;
        const uint32_t how = (writes ? kWrites : 0) | (is_atomic || is_volatile(inst) ? kIsAtomic : 0);
        for (const Word& word : words_of(*place, inst, access)) {
            if (is_plain && is_known(*place) && queued_.take(queued(*place, word, how))) continue;
            std::vector<Id> values = {word.address, word.bytes, builder_.constant_u32(how)};
            add_who(*place, values);
            const char* const name = is_generic(*place) ? "_Z18check_generic_racemjjDv4_mDv2_mjjj"
                                     : place->space == StorageClass::Workgroup
                                         ? "_Z16check_local_racemjjDv2_mjj"
                                         : "_Z10check_racemjjDv4_mjj";
            report(*place, word, instrument_.call(name, u64(), values), object_of(*place));
        }
    }

    /// Both sides of an asynchronous copy. `bytes` of an access is 0 where it is a copy.
    void note_copy(const Instruction& inst) {
        constexpr size_t kTo = 1, kFrom = 2, kCount = 3, kStride = 4;
        const uint64_t bytes = instrument_.layout().of(instrument_.pointee(inst.id(kTo))).size_bytes;
        const Id count = instrument_.widened(inst.id(kCount), Op::OpUConvert),
                 stride = instrument_.widened(inst.id(kStride), Op::OpUConvert);
        for (const size_t side : {kFrom, kTo}) {
            const Access access{.operand = side, .writes = side == kTo};
            std::optional<Place> place = place_of(inst, access);
            if (!place) continue;
            const bool is_local = place->space == StorageClass::Workgroup;
            const Id address = instrument_.address_of(inst.id(side), access);
            if (!is_local && !place->object)
                place->found = instrument_.find_object(inst.id(side), access, address);
            std::vector<Id> values = {address, builder_.constant_u32(static_cast<uint32_t>(bytes)), count,
                                      is_local ? builder_.constant_u64(1) : stride,
                                      builder_.constant_u32(access.writes ? kWrites : 0)};
            add_who(*place, values);
            const Id raced = instrument_.call(
                is_local ? "_Z21check_local_copy_racemjmmjDv2_mjj" : "_Z15check_copy_racemjmmjDv4_mjj",
                builder_.type_vector(u64(), 2), values);
            report(*place, {.address = part(raced, 1)}, part(raced, 0), object_of(*place));
        }
        set_clock(instrument_.call("_Z15check_pass_copyj", u32(), {clock()}));
    }

    // ---- Accesses that are queued, and noted later ----

    /// Whether what is done before the instruction must be noted before it.
    bool stops(const Instruction& inst) const {
        if (inst.op == Op::OpFunctionCall) return stops_queue_.contains(inst.id(0));
        return spirv::is_atomic(inst.op) || is_copy_of_group(inst) || ends_span(inst);
    }
    /// A search for the object is better made where it serves later accesses, too.
    static bool is_known(const Place& place) {
        return place.object || place.space == StorageClass::Workgroup;
    }
    QueuedAccess queued(const Place& place, const Word& word, uint32_t how) {
        return {.is_local = !place.object,
                .address = word.address,
                .bytes = static_cast<uint32_t>(builder_.constant_value(word.bytes).value_or(1)),
                .how = how,
                .site = static_cast<uint32_t>(builder_.constant_value(place.site).value_or(0)),
                .object = place.object ? instrument_.shadow_of(*place.object).all : local_shadow(),
                .size = builder_.constant_u64(place.local_bytes),
                .who = place.object ? who() : who_in_group()};
    }
    void note_queued(const QueuedNote& note) {
        const Id other =
            instrument_.call(note.is_local ? "_Z16check_local_racemjjDv2_mjj" : "_Z10check_racemjjDv4_mjj",
                             u64(), {note.address, note.bytes, note.how, note.object, note.who, clock()});
        FaultDetails details{.address = note.address, .other = other, .object_varies = true};
        if (note.is_local) {
            details.address = builder_.append(Op::OpUConvert, u32(), {details.address});
            details.size = note.size;
        } else {
            details.begin = part(note.object, 0);
            details.size = part(note.object, 1);
        }
        const Id is_fault =
            builder_.append(Op::OpINotEqual, builder_.type_bool(), {other, builder_.constant_u64(0)});
        instrument_.report_now(is_fault, note.site, details);
    }

    Id part(Id vector, uint32_t index) {
        return builder_.append(Op::OpCompositeExtract, u64(), {vector, index});
    }

    /// `other`: what the access races with, or 0. `object` has the begin and the size of one that is not
    /// known.
    void report(const Place& place, const Word& word, Id other, FaultDetails object) {
        object.address = word.address;
        object.other = other;
        if (place.object) {
            const ObjectShadow& shadow = instrument_.shadow_of(*place.object);
            object.begin = shadow.begin;
            object.size = shadow.size;
        } else if (place.space == StorageClass::Workgroup) {
            object.address = builder_.append(Op::OpUConvert, u32(), {word.address});
            object.size = builder_.constant_u64(place.local_bytes);
        }
        const Id is_fault =
            builder_.append(Op::OpINotEqual, builder_.type_bool(), {other, builder_.constant_u64(0)});
        instrument_.report_if(is_fault, place.site, object);
    }
    /// The object that was looked for, if it was.
    FaultDetails object_of(const Place& place) {
        return place.found ? object_in(place.found, 0) : FaultDetails{};
    }
    /// The begin and the size of an object are such components, and the next ones, of what the library found.
    FaultDetails object_in(Id found, uint32_t begin) {
        return {.begin = part(found, begin), .size = part(found, begin + 1), .object_varies = true};
    }

    /// What functions of the library that note an access take last.
    void add_who(const Place& place, std::vector<Id>& values) {
        if (place.object) {
            values.push_back(instrument_.shadow_of(*place.object).all);
        } else if (place.found) {
            values.push_back(place.found);
        } else if (place.space == StorageClass::Workgroup) {
            values.push_back(local_shadow());
        }
        if (is_generic(place)) values.insert(values.end(), {local_shadow(), who_in_group()});
        values.push_back(place.space == StorageClass::Workgroup ? who_in_group() : who());
        values.push_back(clock());
    }

    // ---- Stores whose values are compared ----

    /// A store that has begun.
    struct Store {
        Place place = {};
        Id value = {}, pointer = {}, before = {};
        uint64_t alignment_bytes = 1;
        std::vector<Word> words = {};
        std::vector<Id> begun = {};  ///< by word
    };

    /// The scalar or vector that the instruction stores, or none.
    Id compared_value(const Instruction& inst) const {
        if (has(context_.options.checks, MemoryChecks::SameRaces)) return {};
        const bool is_vstore =
            inst.op == Op::OpExtInst && inst.id(0) == opencl_std_ && inst.word(1) == OpenCLLIB::Vstoren;
        if (!is_vstore && (inst.op != Op::OpStore || is_volatile(inst))) return {};
        const Id value = is_vstore ? inst.id(2) : inst.id(1), type = builder_.type_of(value),
                 element = builder_.element(type);
        const bool has_bits = builder_.is_int(element) || builder_.is_float(element);
        return has_bits || builder_.is_pointer(type) ? value : Id{};
    }

    bool begin_store(const Instruction& inst, const Access& access, Id value) {
        std::optional<Place> place = place_of(inst, access);
        if (!place) return true;
        std::vector<Word> words = words_of(*place, inst, access);
        store_ = {.place = *place,
                  .value = value,
                  .pointer = access.index ? vector_pointer(inst, access, value) : inst.id(access.operand),
                  .alignment_bytes = access.alignment_bytes,
                  .words = std::move(words)};
        for (const Word& word : store_->words) {
            std::vector<Id> values = {word.address, word.bytes};
            add_who(*place, values);
            const char* const name = is_generic(*place) ? "_Z19begin_generic_storemjDv4_mDv2_mjjj"
                                     : place->space == StorageClass::Workgroup
                                         ? "_Z17begin_local_storemjDv2_mjj"
                                         : "_Z11begin_storemjDv4_mjj";
            store_->begun.push_back(instrument_.call(name, builder_.type_vector(u64(), 4), values));
        }
        store_->before = in_memory(*store_);
        return true;
    }

    void end_store() {
        const Store& store = *store_;
        const Id after = in_memory(store);
        for (size_t i = 0; i < store.words.size(); ++i) {
            const Word& word = store.words[i];
            const Id differs = builder_.append(Op::OpBitwiseXor, u32(),
                                               {differing(store, word, store.before, kDifferedBefore),
                                                differing(store, word, after, kDiffersNow)});
            const Id other =
                instrument_.call("_Z9end_storejDv4_mj", u64(), {differs, store.begun[i], clock()});
            report(store.place, word, other,
                   is_generic(store.place) ? object_in(store.begun[i], 2) : object_of(store.place));
        }
        store_.reset();
    }

    /// The place to which vstoren stores, as one of a vector.
    Id vector_pointer(const Instruction& inst, const Access& access, Id value) {
        const Id pointer = inst.id(access.operand), type = builder_.type_of(value),
                 index_type = builder_.type_of(access.index);
        const Id index = builder_.append(
            Op::OpIMul, index_type, {access.index, builder_.constant_int(index_type, builder_.count(type))});
        const Id at = builder_.append(Op::OpPtrAccessChain, builder_.type_of(pointer), {pointer, index});
        return builder_.append(Op::OpBitcast, builder_.type_pointer(instrument_.storage(pointer), type),
                               {at});
    }

    /// A load that nothing replaces by what was stored.
    Id in_memory(const Store& store) {
        const auto how = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) |
                         static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
        const Id loaded = builder_.append(Op::OpLoad, builder_.type_of(store.value),
                                          {store.pointer, how, static_cast<uint32_t>(store.alignment_bytes)});
        context_.variables.unreported.insert(loaded);
        return loaded;
    }

    /// The bit, or 0 if the value has in this word what memory had. Where a value has no such words, all of
    /// it counts.
    Id differing(const Store& store, const Word& word, Id loaded, uint32_t bit) {
        Id own = bits_of(store.value), other = bits_of(loaded);
        const Id type = builder_.type_of(own);
        const uint32_t count = builder_.count(type), bits = builder_.width(type) * count;
        const bool has_words =
            bits % 32 == 0 && (bits <= 128 || bits == 256 || bits == 512) && word.number < bits / 32;
        Id same;
        if (has_words) {
            same = builder_.append(Op::OpIEqual, builder_.type_bool(),
                                   {component(own, bits / 32, word), component(other, bits / 32, word)});
        } else {
            same =
                builder_.append(Op::OpIEqual, builder_.with_count(builder_.type_bool(), count), {own, other});
            if (count > 1) same = builder_.append(Op::OpAll, builder_.type_bool(), {same});
        }
        return builder_.append(Op::OpSelect, u32(),
                               {same, builder_.constant_u32(0), builder_.constant_u32(bit)});
    }

    /// One of the value's words.
    Id component(Id value, uint32_t words, const Word& word) {
        const Id type = builder_.with_count(u32(), words);
        const Id all =
            builder_.type_of(value) == type ? value : builder_.append(Op::OpBitcast, type, {value});
        return words == 1 ? all
                          : builder_.append(Op::OpCompositeExtract, u32(),
                                            {all, static_cast<uint32_t>(word.number)});
    }

    /// The value as integers.
    Id bits_of(Id value) {
        const Id type = builder_.type_of(value);
        if (builder_.is_pointer(type)) return builder_.append(Op::OpConvertPtrToU, u64(), {value});
        if (builder_.is_int(builder_.element(type))) return value;
        const Id bits = builder_.with_element(type, builder_.type_int(builder_.width(type)));
        return builder_.append(Op::OpBitcast, bits, {value});
    }

    spirv::Module& module_;
    PassContext& context_;
    const Id opencl_std_;
    const ShareFacts facts_;
    Instrument instrument_;
    spirv::Builder& builder_;
    std::optional<Store> store_ = {};  // the one whose instruction is next
    spirv::IdSet with_fences_ = {};
    spirv::IdSet ends_span_ = {}, stops_queue_ = {}, may_be_silent_ = {};  // functions
    NotedAccesses noted_;
    QueuedNotes queued_;
    Id clock_ = {};
    // of the function that is being rewritten
    size_t block_ = 0;
    bool is_silent_ = false;
    Id who_ = {}, who_in_group_ = {}, local_shadow_ = {};
};

}  // namespace

Result<Done> check_races(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Races)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    RaceChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
