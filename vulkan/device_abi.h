// SPDX-License-Identifier: Apache-2.0
// The memory that kernels and the host both know: images, pipes and device queues. The library of built-in
// functions (builtins/, OpenCL C) and the runtime (C++) include this one file, and programs in C may: numbers
// and plain structs only.
#pragma once

#if defined(__OPENCL_C_VERSION__)
typedef uint uint32_t;
typedef ulong uint64_t;
#elif defined(__cplusplus)
#include <cstdint>
#else
#include <stdint.h>
#endif

// Enumerators that are words of a buffer have the type of a word, where the language can say so.
#ifdef __cplusplus
#define CALDERA_WORD : uint32_t
namespace caldera::vulkan {
#else
#define CALDERA_WORD
#endif

/// What kernels know of an image, in device memory, 16-byte aligned. Its texels are plain memory: texel (x,
/// y, z) is `element_bytes` at data_address + x * element_bytes + y * row_pitch_bytes + z *
/// slice_pitch_bytes, where z is the depth or the layer (of a 1D array too, which has no y), its channels lie
/// there in the order of the API's memory formats (API 5.3.1.1). Texels of 2^n bytes are aligned to so many,
/// others to their channels.
struct ImageDescriptor {
    uint64_t data_address;
    uint64_t row_pitch_bytes, slice_pitch_bytes;
    uint32_t width, height, depth, array_size;  ///< 1 what the image does not have
    uint32_t channel_order, channel_data_type;  ///< cl_channel_order, cl_channel_type
    uint32_t element_bytes;
    uint32_t num_mip_levels, num_samples;
    uint32_t reserved;
};

/// The number of an image's format has its channel order, a row of image_orders.def, from this bit on, and
/// below it its data type, counted from the first one: cl_channel_type CL_SNORM_INT8 to CL_FLOAT.
enum { kFormatOrderShift = 4, kFormatTypeMask = 15, kFirstFormatType = 0x10d0, kFormatTypes = 15 };

/// A pipe is a ring of 32-bit words: these, a state for each packet that it holds, and the packets. All but
/// the first are 0 while the pipe is new.
enum PipeWord CALDERA_WORD {
    kPipeMaxPackets = 0,     ///< the most packets that it holds
    kPipeWritePosition = 1,  ///< of the next packet that is written
    kPipeReadPosition = 2,   ///< and read
    kPipeHeaderWords = 4,    ///< here the states begin
};

/// A device queue is a buffer of 32-bit words, which begin with these. Kernels append records of what they
/// enqueue; whoever dispatched them runs these when they have ended, and so on until no record is new. Where
/// there is no device queue, the buffer of a kernel that enqueues is all zeros.
enum DeviceQueueWord CALDERA_WORD {
    kQueueHandle = 0,       ///< two words, neither 0 nor ~0 together: the value of its queue_t
    kQueueIsDefault = 2,    ///< 1: get_default_queue() gives the handle, else CLK_NULL_QUEUE
    kQueueRecordWords = 3,  ///< how many words of records fit
    kQueueUsedWords = 4,    ///< how many words were asked for, perhaps more; 0 before a dispatch
    kQueueEventsAt = 5,     ///< index of the word where the events begin, after the records
    kQueueEvents = 6,       ///< how many there are
    kQueueFreeEvents = 7,   ///< how many indices kEventFree of the first ones hold, of events that nobody has
    kQueueTakenEvents = 8,  ///< how many of them were asked for, perhaps more; 0 before a dispatch
    kQueueSubGroupSize = 9,    ///< of the device; 0: a work-group is one sub-group
    kQueueMaxGroupSize = 10,   ///< how many work-items a work-group may have
    kQueueMaxLocalSize = 11,   ///< three words: how many of them in each dimension
    kQueueMaxLocalBytes = 14,  ///< local memory of a work-group
    kQueueRecords = 16,        ///< here the records begin
};
/// A record: words at these places, and from kRecordTail on the size of each local argument in bytes, the
/// captures as they lie in memory, padded to a word, and the indices of the events that the command waits
/// for. A record of 0 words ends them all.
enum DeviceQueueRecordWord CALDERA_WORD {
    kRecordWords = 0,       ///< how many words it has
    kRecordCommand = 1,     ///< index of the kernel, a block, or one of DeviceQueueCommand
    kRecordParent = 2,      ///< HiddenKind::Command of the dispatch that left it
    kRecordEvent = 3,       ///< index of the event that it completes, plus 1; 0: none
    kRecordWaitCount = 4,   ///< how many events it waits for
    kRecordDimensions = 5,  ///< of the NDRange
    kRecordOffset = 6,  ///< three uint64: global offset, then global size, then local size (0: to be chosen)
    kRecordTail = 24,
};
enum DeviceQueueCommand CALDERA_WORD {
    kMarkerCommand = ~0u,
    /// capture_event_profiling_info: the event is the one to profile, the offset's first number the address
    /// of the two uint64.
    kProfileCommand = ~1u,
};
/// An event: words. Its clk_event_t is its index plus 1 in the low half, its generation in the high half.
enum DeviceQueueEventWord CALDERA_WORD {
    kEventGeneration = 0,  ///< to be changed when nobody has the event any more
    kEventReferences = 1,  ///< of kernels; 0: the event is not valid
    kEventStatus = 2,      ///< of a user event: CL_SUBMITTED, CL_COMPLETE or an error
    kEventFree = 3,        ///< nothing of this event's: see kQueueFreeEvents
    kEventWords = 4,
    /// Behind the events: for each two uint64, what capture_event_profiling_info tells of it, zeros until its
    /// command is complete. Only the host writes them.
    kEventTimesWords = 4,
};
enum { kEventSubmitted = 2 };  ///< CL_SUBMITTED, for which OpenCL C has no name

/// What the translator tells the functions that enqueue: bits that are ORed.
enum EnqueueOption CALDERA_WORD {
    kEnqueueDetailedErrors = 1,  ///< enqueue_kernel says why it failed
    kEnqueueUniform = 2,         ///< local sizes have to divide the global ones
};

#undef CALDERA_WORD
#ifdef __cplusplus
static_assert(sizeof(ImageDescriptor) == 64);
}  // namespace caldera::vulkan
#elif defined(__OPENCL_C_VERSION__)
typedef struct ImageDescriptor ImageDescriptor;
_Static_assert(sizeof(ImageDescriptor) == 64, "the host's descriptors have 64 bytes");
_Static_assert(kFirstFormatType == CLK_SNORM_INT8 && kFirstFormatType + kFormatTypes - 1 == CLK_FLOAT,
               "the formats' numbers count the API's data types");
#endif
