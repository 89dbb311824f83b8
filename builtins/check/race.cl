// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Data races (vulkan/race_words.h). Each word of a shadow says that there was an access, which stays true: so it does
// not matter whose word is seen, or lost, while work-items write them. Where numbers do not fit into their bits, two
// work-items or groups may count as one; then a race is missed.
//
// The functions return what an access races with: a word, and how above it, or 0. The pass reports it.
#include "objects.h"
#include "vulkan/race_words.h"

#define ITEM ((uint)kRaceItemMask)
#define GROUP ((uint)kRaceGroupMask << kRaceGroupShift)
#define EPOCH ((uint)kRaceEpochMask << kRaceEpochShift)
#define FLAG (1u << kRaceFlagShift)
#define BYTES (15u << kRaceBytesShift)

/// How an access is told: bits.
enum { kWrites = 1, kIsAtomic = 2 };
/// What a barrier orders: bits of SPIR-V's memory semantics.
enum { kOrdersLocal = 0x100, kOrdersGlobal = 0x200 };
/// What end_store is told of values: bits.
enum { kDifferedBefore = 1, kDiffersNow = 2 };
/// The state of a work-item, its clock: how many barriers that order global memory it has left behind, above these how
/// many that order local memory, how many copies the group has made, and these bits.
#define LOCAL_SHIFT kRaceEpochBits
#define COPIES_SHIFT (2 * kRaceEpochBits)
#define COPIES ((uint)(kRaceCopiers - 1) << COPIES_SHIFT)
#define HAS_FENCES (1u << 30)       // the kernel has fences, or atomic operations that order others
#define IS_SYNCHRONIZED (1u << 31)  // the work-item may have been ordered by them

static uint group_number(void) {
    return (uint)get_group_id(0) +
           (uint)get_num_groups(0) * ((uint)get_group_id(1) + (uint)get_num_groups(1) * (uint)get_group_id(2));
}

// ---- At the entry of a function ----

/// The work-item in global memory's shadows.
uint FUNCTION check_who(void) {
    uint group = group_number();
    group ^= group >> kRaceGroupBits ^ group >> 2 * kRaceGroupBits;
    return ((uint)get_local_linear_id() & ITEM) | (group & kRaceGroupMask) << kRaceGroupShift;
}

/// The work-item in the shadow of its group's local memory. A later group has the same place, and another number.
uint FUNCTION check_who_in_group(global uint *words) {
    uint turn = group_number() / max(((global const CheckState *)words)->local_shadows, 1u);
    return ((uint)get_local_linear_id() & ITEM) | (turn & kRaceGroupMask) << kRaceGroupShift;
}

/// The address of the shadow of the group's local memory, or 0 if it has none, and the bits of a place in it.
ulong2 FUNCTION check_local_shadow(global uint *words) {
    global const CheckState *state = (global const CheckState *)words;
    uint group = group_number(), places = state->local_shadows;
    bool has_place = places != 0 && group / max(places, 1u) <= kRaceGroupMask;
    ulong place = (ulong)(group % max(places, 1u)) * state->local_bytes * kLocalShadowFactor;
    return (ulong2)(has_place ? state->local_shadow + place : 0, state->local_bytes - 1);
}

/// The begin, the size and the shadow of the object that an argument points to.
ulong4 FUNCTION check_argument_shadow(global uint *words, uint argument) {
    global const CheckState *state = (global const CheckState *)words;
    uint index = state->object_count + argument;
    CheckObject object = argument_object(words, argument);
    return (ulong4)(object.begin, object.size_bytes, ((global const ulong *)state->shadows)[index], 0);
}

/// The same of the object that the address is in; 0 if it is in none.
ulong4 FUNCTION check_shadow(global uint *words, ulong address, uint limit) {
    global const CheckState *state = (global const CheckState *)words;
    ulong4 found = check_find_object(words, address, limit);
    ulong shadow = 0;
    if (found.y != 0) shadow = ((global const ulong *)state->shadows)[found.z];
    return (ulong4)(found.y != 0 ? found.x : 0, found.y, shadow, 0);
}

// ---- Barriers ----

static uint epoch_of(uint clock, bool is_local) { return clock >> (is_local ? LOCAL_SHIFT : 0) & kRaceEpochMask; }

/// `semantics`: those of SPIR-V, which say what memory the barrier orders.
uint FUNCTION check_pass_barrier(uint clock, uint semantics) {
    uint synchronized = (clock & HAS_FENCES) << 1;
    bool orders_global = (semantics & kOrdersGlobal) && epoch_of(clock, false) != kRaceEpochMask;
    bool orders_local = (semantics & kOrdersLocal) && epoch_of(clock, true) != kRaceEpochMask;
    return (clock + (orders_global ? 1u : 0) + (orders_local ? 1u << LOCAL_SHIFT : 0)) | synchronized;
}

// ---- Accesses ----

/// Whether both were in the same span between barriers, if they were of the same group.
static bool is_same_span(uint a, uint b) { return ((a ^ b) & EPOCH) == 0 && (a & EPOCH) != EPOCH; }

/// Whether `old` is of another work-item, shares a byte with `own`, and no barrier is between them.
static bool is_unordered(uint old, uint own) {
    bool is_other_group = ((old ^ own) & GROUP) != 0, is_other_item = ((old ^ own) & ITEM) != 0;
    return (old & own & BYTES) != 0 && (is_other_group || (is_other_item && is_same_span(old, own)));
}

/// Whether that is so of one of several work-items that read. All bits of the span are set if they are of several
/// groups.
static bool is_unordered_read(uint old, uint own) {
    bool is_of_several = (old & own & BYTES) != 0 &&
                         ((old & EPOCH) == EPOCH || ((old ^ own) & GROUP) != 0 || is_same_span(old, own));
    return old & FLAG ? is_of_several : is_unordered(old, own);
}

/// The word for both of two reads, or for the new one. Where it is one for several work-items, it has the bytes that
/// each of them read.
static uint merged_read(uint old, uint own) {
    uint both = old & own & BYTES, merged = own;
    bool is_same_group = ((old ^ own) & GROUP) == 0;
    if ((old & (FLAG | EPOCH)) == (FLAG | EPOCH))
        merged = both ? old : own;
    else if (!is_same_group)
        merged = both ? both | FLAG | EPOCH | (own & (GROUP | ITEM)) : own;
    else if (is_same_span(old, own) && (old & FLAG))
        merged = both ? old : own;
    else if (is_same_span(old, own))
        merged = ((old ^ own) & ITEM) == 0 ? old | own : both ? (old & ~BYTES) | both | FLAG : own;
    return merged;
}

/// How a report tells of the other access, or 0 if there is none.
static ulong told(uint other, uint kind, uint own) {
    if ((other ^ own) & GROUP) kind |= kRaceWithOtherGroup;
    return other ? (ulong)kind << 32 | other : 0;
}

/// Notes the access, and returns what races with it: a word and how, or 0.
static ulong note(volatile global uint *shadow, uint own, uint how, bool is_local) {
    uint ignored = is_local ? GROUP : 0;  // accesses of an earlier group with the same place differ in these bits
    uint written, read = 0;
    if (how & kWrites) {
        written = shadow[0];
        uint mine = how & kIsAtomic ? own | FLAG : own;
        if (((written ^ mine) & ~BYTES) == 0) mine |= written;
        // More races with the work-item's own plain store than with an atomic operation behind it.
        if ((how & kIsAtomic) && ((written ^ own) & ~BYTES) == 0 && (own & ~written) == 0) mine = written;
        if (written != mine) written = atomic_xchg(shadow, mine);
        read = shadow[1];
    } else {
        if ((how & kIsAtomic) == 0) {
            read = shadow[1];
            if (read == 0 || ((read ^ own) & ignored) || merged_read(read, own) != read) {
                read = atomic_xchg(shadow + 1, own);
                if ((read ^ own) & ignored) read = 0;
                uint merged = read ? merged_read(read, own) : own;
                if (merged != own) atomic_xchg(shadow + 1, merged);
            }
            read = 0;
        }
        written = shadow[0];
    }
    if ((written ^ own) & ignored) written = 0;
    if ((read ^ own) & ignored) read = 0;
    uint other = 0, kind = 0;
    if (is_unordered_read(read, own)) {
        other = read;
        if (read & FLAG) kind = kRaceWithSeveral;
    }
    bool are_atomic = (how & kIsAtomic) && (written & FLAG);
    if (is_unordered(written, own) && !are_atomic) {
        other = written;
        kind = written & FLAG ? kRaceWithWrite | kRaceWithAtomic : kRaceWithWrite;
    }
    return told(other, kind, own);
}

/// The word of an access of at most four bytes, of which those in the next word do not count.
static uint own_word(ulong at, uint bytes, uint who, uint epoch) {
    uint parts = ((1u << bytes) - 1) << (at & 3) & 15;
    return who | epoch << kRaceEpochShift | parts << kRaceBytesShift;
}

static ulong race_in_word(ulong address, uint bytes, uint how, bool is_local, ulong begin, ulong size, ulong shadow,
                          uint who, uint clock) {
    ulong at = address - begin, other = 0;
    if (shadow != 0 && at < size) {
        uint own = own_word(at, bytes, who, epoch_of(clock, is_local));
        ulong word = at / 4 * (is_local ? kLocalShadowFactor : kShadowFactor);
        other = note((volatile global uint *)shadow + word, own, how, is_local);
        if (clock & IS_SYNCHRONIZED) other = 0;
    }
    return other;
}

/// In an object that is known or found, of which begin, size and shadow are given.
ulong FUNCTION check_race(ulong address, uint bytes, uint how, ulong4 object, uint who, uint clock) {
    return race_in_word(address, bytes, how, false, object.x, object.y, object.z, who, clock);
}

/// In local memory: `at` is a pointer as an integer. The translator's offsets begin anywhere, and end before as many
/// bytes later as the shadow has.
ulong FUNCTION check_local_race(ulong at, uint bytes, uint how, ulong2 shadow, uint who, uint clock) {
    return race_in_word(at & shadow.y, bytes, how, true, 0, shadow.y + 1, shadow.x, who, clock);
}

/// By a generic pointer of a kernel that has local memory, in that or in an object that is found. There is one copy of
/// what notes an access, which drivers inline.
ulong FUNCTION check_generic_race(ulong address, uint bytes, uint how, ulong4 object, ulong2 shadow, uint who_in_group,
                                  uint who, uint clock) {
    bool is_local = address >> 62 == 1;
    ulong4 place = is_local ? (ulong4)(0, shadow.y + 1, shadow.x, 0) : object;
    return race_in_word(is_local ? address & shadow.y : address, bytes, how, is_local, place.x, place.y, place.z,
                        is_local ? who_in_group : who, clock);
}

// ---- Asynchronous copies ----
//
// All work-items of the group make a copy, and nothing orders it with what they do before they wait for it. So it is
// none of theirs who accesses the memory, and each copy is somebody else. A work-item that is the only one has made all
// of it by then.

static uint copier(uint who, uint clock) {
    bool is_alone = (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2) == 1;
    return is_alone ? who : (who & ~ITEM) | (ITEM - ((clock & COPIES) >> COPIES_SHIFT));
}

/// Notes a part of `count` elements, each of which is `stride` behind the last one. What races with one, and its
/// address, or 0.
static ulong2 race_in_copy(ulong address, uint bytes, ulong count, ulong stride, uint how, bool is_local, ulong begin,
                           ulong size, ulong shadow, uint who, uint clock) {
    uint words = max(bytes / 4, 1u), word_bytes = min(bytes, 4u);
    uint step = (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
    ulong2 found = (ulong2)(0);
    for (ulong i = (uint)get_local_linear_id(); i < count * words; i += step) {
        ulong at = address + i / words * stride * bytes + i % words * 4;
        if (is_local) at &= size - 1;
        ulong other = race_in_word(at, word_bytes, how, is_local, begin, size, shadow, copier(who, clock), clock);
        if (found.x == 0) found = (ulong2)(other, at);
    }
    return found;
}

ulong2 FUNCTION check_copy_race(ulong address, uint bytes, ulong count, ulong stride, uint how, ulong4 object, uint who,
                                uint clock) {
    return race_in_copy(address, bytes, count, stride, how, false, object.x, object.y, object.z, who, clock);
}

ulong2 FUNCTION check_local_copy_race(ulong at, uint bytes, ulong count, ulong stride, uint how, ulong2 shadow,
                                      uint who, uint clock) {
    return race_in_copy(at, bytes, count, stride, how, true, 0, shadow.y + 1, shadow.x, who, clock);
}

uint FUNCTION check_pass_copy(uint clock) { return (clock & ~COPIES) | (clock + (1u << COPIES_SHIFT) & COPIES); }

// ---- Stores whose values are compared ----
//
// Several work-items may store the same value to one place. Before the store, begin_ looks at the shadow, and the
// kernel then loads what memory has; it loads again behind the store. So end_store knows both values without a place
// for them in the shadow: another work-item stored another value if memory has another one behind the store, or had
// one before it and the shadow already had the other store. Fences see to it that who sees a store in the shadow also
// sees it in memory.

/// The address of the shadow's word, or 0 if there is none; the store's own word, and above it the one that was there;
/// the begin and the size of the object.
static ulong4 begin_word(ulong address, uint bytes, bool is_local, ulong begin, ulong size, ulong shadow, uint who,
                         uint clock) {
    ulong at = address - begin;
    ulong4 begun = (ulong4)(0);
    if (shadow != 0 && at < size) {
        uint factor = is_local ? kLocalShadowFactor : kShadowFactor;
        volatile global uint *word = (volatile global uint *)shadow + at / 4 * factor;
        uint before =
            atomic_load_explicit((volatile global atomic_uint *)word, memory_order_relaxed, memory_scope_device);
        uint own = own_word(at, bytes, who, epoch_of(clock, is_local));
        begun = (ulong4)((ulong)word, (ulong)before << 32 | own, begin, size);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    }
    return begun;
}

ulong4 FUNCTION begin_store(ulong address, uint bytes, ulong4 object, uint who, uint clock) {
    return begin_word(address, bytes, false, object.x, object.y, object.z, who, clock);
}

ulong4 FUNCTION begin_local_store(ulong at, uint bytes, ulong2 shadow, uint who, uint clock) {
    return begin_word(at & shadow.y, bytes, true, 0, shadow.y + 1, shadow.x, who, clock);
}

ulong4 FUNCTION begin_generic_store(ulong address, uint bytes, ulong4 object, ulong2 shadow, uint who_in_group,
                                    uint who, uint clock) {
    bool is_local = address >> 62 == 1;
    ulong4 place = is_local ? (ulong4)(0, shadow.y + 1, shadow.x, 0) : object;
    return begin_word(is_local ? address & shadow.y : address, bytes, is_local, place.x, place.y, place.z,
                      is_local ? who_in_group : who, clock);
}

/// `differs`: what memory had before the store (kDifferedBefore), and has now (kDiffersNow), is not its value.
ulong FUNCTION end_store(uint differs, ulong4 store, uint clock) {
    ulong found = 0;
    if (store.x != 0) {
        volatile global uint *shadow = (volatile global uint *)store.x;
        uint own = (uint)store.y, before = (uint)(store.y >> 32), written = before, mine = own;
        uint ignored = store.z == 0 ? GROUP : 0;  // in local memory, as in note()
        if (((before ^ own) & ~BYTES) == 0) mine |= before;
        if (before != mine) {
            atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release,
                                   memory_scope_device);
            written = atomic_xchg(shadow, mine);
        }
        uint read = shadow[1], now = shadow[0];
        if ((before ^ own) & ignored) before = 0;
        if ((written ^ own) & ignored) written = 0;
        if ((now ^ own) & ignored) now = 0;
        if ((read ^ own) & ignored) read = 0;
        if (!is_unordered(written, own)) written = now;
        bool was_there = (differs & kDifferedBefore) && is_unordered(before, own);
        bool is_same = (written & FLAG) == 0 && (differs & kDiffersNow) == 0 && !was_there;
        uint other = 0, kind = 0;
        if (is_unordered_read(read, own)) {
            other = read;
            if (read & FLAG) kind = kRaceWithSeveral;
        }
        if (is_unordered(written, own) && !is_same) {
            other = written;
            kind = written & FLAG ? kRaceWithWrite | kRaceWithAtomic : kRaceWithWrite;
        }
        if ((clock & IS_SYNCHRONIZED) == 0) found = told(other, kind, own);
    }
    return found;
}
