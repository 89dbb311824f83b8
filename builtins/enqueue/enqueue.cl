// SPDX-License-Identifier: Apache-2.0
// Device-side enqueue (OpenCL C 6.13.17): records in the buffer of a device queue, whose layout
// caldera/device_abi.h tells (DeviceQueueWord). The host runs what they say. A clk_event_t and a queue_t are 8
// bytes here.
// OPTIONS: -cl-std=CL3.0
//
// Only the host frees events, while no kernel runs. Kernels only take them, in the order of the host's free
// list.

#include "caldera/device_abi.h"
#include "vulkan/local_size.h"

#define FUNCTION __attribute__((overloadable))

static uint load(global uint *from) {
    return atomic_load_explicit((volatile global atomic_uint *)from, memory_order_relaxed, memory_scope_device);
}
static uint add(global uint *to, uint value) {
    return atomic_fetch_add_explicit((volatile global atomic_uint *)to, value, memory_order_relaxed, memory_scope_device);
}

static ulong handle_of(global uint *queue) { return upsample(queue[kQueueHandle + 1], queue[kQueueHandle]); }
static bool is_queue(global uint *queue, ulong handle) { return handle != 0 && handle == handle_of(queue); }

static int error(uint options, int code) { return options & kEnqueueDetailedErrors ? code : CLK_ENQUEUE_FAILURE; }

// ---- Events ----

static global uint *event_words(global uint *queue, uint index) { return queue + queue[kQueueEventsAt] + kEventWords * index; }

static bool is_valid(global uint *queue, ulong event) {
    uint index = (uint)event - 1;
    if (index >= queue[kQueueEvents]) return false;
    global uint *words = event_words(queue, index);
    return words[kEventGeneration] == (uint)(event >> 32) && (int)load(&words[kEventReferences]) > 0;
}

/// An event with one reference, or 0 when none is left.
static ulong take_event(global uint *queue) {
    uint free = queue[kQueueFreeEvents];
    if (load(&queue[kQueueTakenEvents]) >= free) return 0;
    uint taken = add(&queue[kQueueTakenEvents], 1);
    if (taken >= free) return 0;
    uint index = event_words(queue, taken)[kEventFree];
    global uint *words = event_words(queue, index);
    words[kEventReferences] = 1;
    words[kEventStatus] = kEventSubmitted;
    return upsample(words[kEventGeneration], index + 1);
}

uint FUNCTION event_is_valid(global uint *queue, ulong event) { return is_valid(queue, event); }
ulong FUNCTION event_create(global uint *queue) { return take_event(queue); }
void FUNCTION event_retain(global uint *queue, ulong event) {
    if (is_valid(queue, event)) add(&event_words(queue, (uint)event - 1)[kEventReferences], 1);
}
void FUNCTION event_release(global uint *queue, ulong event) {
    if (is_valid(queue, event)) add(&event_words(queue, (uint)event - 1)[kEventReferences], ~0u);
}
void FUNCTION event_set_status(global uint *queue, ulong event, uint status) {
    if (is_valid(queue, event)) event_words(queue, (uint)event - 1)[kEventStatus] = status;
}

// ---- Records ----

/// Index of the first of so many words, or 0 when the queue is full.
static uint take_record(global uint *queue, uint words, uint command, uint parent, ulong event, uint wait_count) {
    uint size = queue[kQueueRecordWords];
    if (words > size || load(&queue[kQueueUsedWords]) >= size) return 0;
    uint at = add(&queue[kQueueUsedWords], words);
    global uint *record = queue + kQueueRecords + at;
    if (at > size - words) {
        if (at < size) record[kRecordWords] = 0;
        return 0;
    }
    record[kRecordWords] = words;
    record[kRecordCommand] = command;
    record[kRecordParent] = parent;
    record[kRecordEvent] = (uint)event;
    record[kRecordWaitCount] = wait_count;
    record[kRecordDimensions] = 0;
    return kQueueRecords + at;
}

static void put(global uint *words, ulong value) {
    words[0] = (uint)value;
    words[1] = (uint)(value >> 32);
}
static void put3(global uint *words, ulong3 value) {
    put(words, value.x);
    put(words + 2, value.y);
    put(words + 4, value.z);
}

/// A record's tail, or 0; a status; an event, or 0.
static uint4 result(uint tail, int status, ulong event) {
    return (uint4)(tail, status, (uint)event, (uint)(event >> 32));
}

/// Takes an event if one is wanted, and a record with so many words in its tail.
static uint4 append(global uint *queue, uint options, uint command, uint parent, uint wait_count, bool wants_event,
                    uint tail_words) {
    ulong event = wants_event ? take_event(queue) : 0;
    if (wants_event && event == 0) return result(0, error(options, CLK_EVENT_ALLOCATION_FAILURE), 0);
    uint record = take_record(queue, kRecordTail + tail_words, command, parent, event, wait_count);
    if (record != 0) return result(record + kRecordTail, CLK_SUCCESS, event);
    if (wants_event) event_words(queue, (uint)event - 1)[kEventReferences] = 0;
    return result(0, error(options, CLK_DEVICE_QUEUE_FULL), 0);
}

/// If the command is complete, its times are known and are written at once. Otherwise the host will write
/// them.
void FUNCTION event_profile(global uint *queue, ulong event, uint parent, ulong address) {
    if (!is_valid(queue, event)) return;
    global uint *times = queue + queue[kQueueEventsAt] + kEventWords * queue[kQueueEvents] + kEventTimesWords * ((uint)event - 1);
    if ((times[2] | times[3]) != 0) {
        global uint *to = (global uint *)address;
        for (uint i = 0; i < kEventTimesWords; i++) to[i] = times[i];
        return;
    }
    uint record = take_record(queue, kRecordTail, kProfileCommand, parent, event, 0);
    if (record != 0) put(queue + record + kRecordOffset, address);
}

// ---- What has pointers to the caller's events, each for the caller to inline ----

/// The list and its length agree, and each event is one.
uint FUNCTION events_are_valid(global uint *queue, uint count, const ulong *events) {
    if ((count == 0) != (events == 0)) return false;
    for (uint i = 0; i < count; i++)
        if (!is_valid(queue, events[i])) return false;
    return true;
}
/// `at`: their place in a record, if there is one: then `tail` is not 0.
void FUNCTION events_put(global uint *queue, uint tail, uint at, uint count, const ulong *events) {
    for (uint i = 0; tail != 0 && i < count; i++) queue[tail + at + i] = (uint)events[i] - 1;
}
uint FUNCTION event_is_wanted(ulong *event_ret) { return event_ret != 0; }
void FUNCTION event_return(uint tail, uint low, uint high, ulong *event_ret) {
    if (tail != 0 && event_ret != 0) *event_ret = upsample(high, low);
}

// ---- NDRanges ----

static bool divides(ulong3 local_size, ulong3 size) {
    return size.x % local_size.x == 0 && size.y % local_size.y == 0 && size.z % local_size.z == 0;
}
static bool are_equal(ulong3 a, ulong3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Gives unused dimensions size 1 and offset 0.
static void normalize(uint dimensions, ulong3 *offset, ulong3 *size, ulong3 *local_size) {
    bool is_open = local_size->x == 0;
    if (dimensions < 2) offset->y = 0, size->y = 1, local_size->y = !is_open;
    if (dimensions < 3) offset->z = 0, size->z = 1, local_size->z = !is_open;
}

/// `required`: the block's work-group size, or zeros. `local_size` is all zeros where the host chooses.
static bool is_range(global uint *queue, uint options, uint dimensions, ulong3 offset, ulong3 size, ulong3 local_size,
                     ulong3 required) {
    if (dimensions < 1 || dimensions > 3) return false;
    if (offset.x + size.x < size.x || offset.y + size.y < size.y || offset.z + size.z < size.z) return false;
    if (required.x != 0 && !divides(required, size)) return false;
    if (local_size.x == 0) return local_size.y == 0 && local_size.z == 0;
    if (local_size.y == 0 || local_size.z == 0) return false;
    global uint *max_size = queue + kQueueMaxLocalSize;
    if (local_size.x > max_size[0] || local_size.y > max_size[1] || local_size.z > max_size[2]) return false;
    if (local_size.x * local_size.y * local_size.z > queue[kQueueMaxGroupSize]) return false;
    if (required.x != 0 && !are_equal(local_size, required)) return false;
    return !(options & kEnqueueUniform) || divides(local_size, size);
}

// ---- Kernels ----

/// The local memory that a work-group needs at least: where the host chooses its size, that of one work-item.
static ulong needed_bytes(ulong3 local_size, ulong3 required, ulong bytes, uint bytes_per_work_item) {
    ulong3 size = local_size.x != 0 ? local_size : required;
    return bytes + bytes_per_work_item * max(size.x * size.y * size.z, 1ul);
}

/// `argument_bytes`: of the block's local arguments, ~0 where one has none. `block_bytes`: of its variables. The
/// caller puts the sizes of local arguments and the captures into the record's tail, `tail_words`, and then the
/// wait list.
uint4 FUNCTION enqueue_begin(global uint *queue, ulong handle, uint options, uint parent, uint block, uint dimensions,
                             ulong3 offset, ulong3 size, ulong3 local_size, ulong3 required, uint wait_count,
                             uint wait_list_is_valid, uint wants_event, ulong argument_bytes, uint block_bytes,
                             uint block_bytes_per_work_item, uint tail_words) {
    if (!is_queue(queue, handle)) return result(0, error(options, CLK_INVALID_QUEUE), 0);
    normalize(dimensions, &offset, &size, &local_size);
    if (!is_range(queue, options, dimensions, offset, size, local_size, required))
        return result(0, error(options, CLK_INVALID_NDRANGE), 0);
    if (!wait_list_is_valid) return result(0, error(options, CLK_INVALID_EVENT_WAIT_LIST), 0);
    if (argument_bytes == ~0ul) return result(0, error(options, CLK_INVALID_ARG_SIZE), 0);
    ulong local_bytes = needed_bytes(local_size, required, argument_bytes + block_bytes, block_bytes_per_work_item);
    if (local_bytes > queue[kQueueMaxLocalBytes]) return result(0, error(options, CLK_OUT_OF_RESOURCES), 0);
    uint4 begun = append(queue, options, block, parent, wait_count, wants_event, tail_words + wait_count);
    if (begun.x == 0) return begun;
    global uint *record = queue + begun.x - kRecordTail;
    record[kRecordDimensions] = dimensions;
    put3(record + kRecordOffset, offset);
    put3(record + kRecordOffset + 6, size);
    put3(record + kRecordOffset + 12, local_size);
    return begun;
}

uint4 FUNCTION enqueue_begin_marker(global uint *queue, ulong handle, uint options, uint parent, uint wait_count,
                                    uint wait_list_is_valid, uint wants_event) {
    if (!is_queue(queue, handle)) return result(0, error(options, CLK_INVALID_QUEUE), 0);
    if (wait_count == 0 || !wait_list_is_valid) return result(0, error(options, CLK_INVALID_EVENT_WAIT_LIST), 0);
    if (!wants_event) return result(0, CLK_SUCCESS, 0);
    return append(queue, options, kMarkerCommand, parent, wait_count, true, wait_count);
}

ulong FUNCTION queue_default(global uint *queue) { return queue[kQueueIsDefault] ? handle_of(queue) : 0; }

// ---- Queries ----

/// As the runtime chooses it. `wanted`: the block's work-group size or its hint, or zeros.
static ulong chosen_group_size(global uint *queue, uint dimensions, ulong3 size, ulong3 wanted) {
    global uint *max_size = queue + kQueueMaxLocalSize;
    struct Extent3 max_local = {{max_size[0], max_size[1], max_size[2]}}, range = {{size.x, size.y, size.z}};
    struct Extent3 local_size = {{wanted.x, wanted.y, wanted.z}};
    if (!extent_fits(local_size, queue[kQueueMaxGroupSize], max_local))
        local_size = choose_local_extent(dimensions, range, queue[kQueueMaxGroupSize], max_local);
    return local_size.in[0] * local_size.in[1] * local_size.in[2];
}

static uint group_size(global uint *queue, uint dimensions, ulong3 size, ulong3 local_size, ulong3 wanted) {
    ulong3 offset = (ulong3)(0);
    normalize(dimensions, &offset, &size, &local_size);
    ulong total = local_size.x * local_size.y * local_size.z;
    if (total == 0) total = chosen_group_size(queue, dimensions, size, wanted);
    return (uint)min(total, (ulong)queue[kQueueMaxGroupSize]);
}

uint FUNCTION enqueue_sub_group_size(global uint *queue, uint dimensions, ulong3 size, ulong3 local_size, ulong3 wanted) {
    uint work_items = group_size(queue, dimensions, size, local_size, wanted);
    return queue[kQueueSubGroupSize] ? min(queue[kQueueSubGroupSize], work_items) : work_items;
}
uint FUNCTION enqueue_sub_group_count(global uint *queue, uint dimensions, ulong3 size, ulong3 local_size, ulong3 wanted) {
    uint work_items = group_size(queue, dimensions, size, local_size, wanted);
    return queue[kQueueSubGroupSize] ? (work_items + queue[kQueueSubGroupSize] - 1) / queue[kQueueSubGroupSize] : 1;
}
uint FUNCTION enqueue_work_group_size(global uint *queue, uint dimensions, ulong3 size, ulong3 local_size, ulong3 wanted) {
    return group_size(queue, dimensions, size, local_size, wanted);
}
uint FUNCTION enqueue_preferred_multiple(global uint *queue) { return max(queue[kQueueSubGroupSize], 1u); }
