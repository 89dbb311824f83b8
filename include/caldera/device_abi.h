// SPDX-License-Identifier: Apache-2.0
/// @file
/// The objects that kernels expect in device memory: images, samplers, pipes and device queues. A host with
/// its own Vulkan code makes these itself; docs/abi.md explains how. The library of built-in functions
/// (OpenCL C) and the runtime (C++) include this one file, and programs in C may: it has numbers and plain
/// structs only.
#ifndef CALDERA_DEVICE_ABI_H  // in OpenCL C, one file has several paths
#define CALDERA_DEVICE_ABI_H

#if defined(__OPENCL_C_VERSION__)
typedef uint uint32_t;
typedef ulong uint64_t;
#elif defined(__cplusplus)
#include <cstdint>
#else
#include <stdint.h>
#endif

/// @cond
// Enumerators that are words of a buffer have the type of a word, where the language can say so.
#ifdef __cplusplus
#define CALDERA_WORD : uint32_t
namespace caldera {
#else
#define CALDERA_WORD
#endif
/// @endcond

/// The description of an image that kernels read. It lies in device memory, aligned to 16 bytes. Its texels
/// are plain memory: texel (x, y, z) is `element_bytes` at data_address + x * element_bytes + y *
/// row_pitch_bytes + z * slice_pitch_bytes, where z is the depth or the layer. A 1D array has no y, and its
/// layer is z too. The channels of a texel lie in the order of the API's memory formats (OpenCL API 5.3.1.1).
/// Texels of 2^n bytes are aligned to so many, others to their channels. By descriptors, it is a row of the
/// argument table (ProgramInterface::argument_table_rows), and the texels begin where their binding does.
/// Texels of the types of cl_ext_image_raw10_raw12 share bytes in their row, and `element_bytes` is 1.
///
/// An image may have levels (cl_khr_mipmap_image). Then so many descriptors lie behind one another, one for
/// each level, with its own size, pitches and address. By descriptors, kernels read the first level alone.
struct ImageDescriptor {
    uint64_t data_address;       ///< the device address of the first texel; by descriptors not used
    uint64_t row_pitch_bytes;    ///< from one row to the next
    uint64_t slice_pitch_bytes;  ///< from one slice or layer to the next
    uint32_t width;              ///< in texels
    uint32_t height;             ///< in texels, 1 if the image has one dimension
    uint32_t depth;              ///< in texels, 1 if the image does not have three dimensions
    uint32_t array_size;         ///< the number of layers, 1 if the image is no array
    uint32_t channel_order;      ///< a cl_channel_order
    uint32_t channel_data_type;  ///< a cl_channel_type
    uint32_t element_bytes;      ///< the size of a texel
    uint32_t num_mip_levels;     ///< 0 or 1: there is one level. Not used of the levels behind the first one
    uint32_t num_samples;        ///< 0: images in memory have one sample
    uint32_t reserved;           ///< not used
};

/// The number of an image's format has its channel order, a row of image_orders.def, from kFormatOrderShift
/// on. Below it is its data type, counted from the first one: cl_channel_type CL_SNORM_INT8 to CL_FLOAT.
enum { kFormatOrderShift = 4, kFormatTypeMask = 15, kFirstFormatType = 0x10d0, kFormatTypes = 15 };

/// A sampler argument is one value of each group, ORed: CLK_NORMALIZED_COORDS_TRUE and so on (OpenCL
/// C 6.13.14.1), with the values that clang's header gives them.
enum SamplerBits CALDERA_WORD {
    kSamplerNormalized = 0x01,      ///< coordinates from 0 to 1; without it they count texels
    kSamplerAddressNone = 0x00,     ///< CLK_ADDRESS_NONE
    kSamplerClampToEdge = 0x02,     ///< CLK_ADDRESS_CLAMP_TO_EDGE
    kSamplerClamp = 0x04,           ///< CLK_ADDRESS_CLAMP
    kSamplerRepeat = 0x06,          ///< CLK_ADDRESS_REPEAT
    kSamplerMirroredRepeat = 0x08,  ///< CLK_ADDRESS_MIRRORED_REPEAT
    kSamplerAddressModes = 0x0e,    ///< the bits of all addressing modes
    kSamplerNearest = 0x10,         ///< CLK_FILTER_NEAREST
    kSamplerLinear = 0x20,          ///< CLK_FILTER_LINEAR
    kSamplerLinearLevels = 0x40,    ///< mixes two levels; without it, the nearest one
};

/// A sampler may limit the level of detail by two more groups of bits, each a number of steps
/// (sampler_lod_bits()). Without them, a kernel reads all levels of an image. In images in memory, reads
/// without a level do not look at these bits.
enum {
    kSamplerLodUnit = 256,      ///< steps in one level
    kSamplerLodMask = 0xfff,    ///< the bits of a group
    kSamplerLeastLodShift = 8,  ///< where the least level of detail begins
    kSamplerLodCutShift = 20,   ///< where begins how far the largest one is below kSamplerLodMask
};

/// A pipe is a ring of 32-bit words: these, a state for each packet that it holds, and the packets. All but
/// the first are 0 while the pipe is new.
enum PipeWord CALDERA_WORD {
    kPipeMaxPackets = 0,     ///< the most packets that it holds
    kPipeWritePosition = 1,  ///< of the next packet that is written
    kPipeReadPosition = 2,   ///< of the next packet that is read
    kPipeHeaderWords = 4,    ///< here the states begin
};

/// A device queue is a buffer of 32-bit words, which begin with these. Kernels append records of what they
/// enqueue. Whoever dispatched them runs these when they have ended, and so on until no record is new. Where
/// there is no device queue, the buffer of a kernel that enqueues is all zeros (OpenCL C 6.13.17).
enum DeviceQueueWord CALDERA_WORD {
    kQueueHandle = 0,       ///< two words, neither 0 nor ~0 together: the value of its queue_t
    kQueueIsDefault = 2,    ///< 1: get_default_queue() gives the handle, else CLK_NULL_QUEUE
    kQueueRecordWords = 3,  ///< how many words of records fit
    kQueueUsedWords = 4,    ///< how many words kernels asked for, perhaps more than fit; 0 before a dispatch
    kQueueEventsAt = 5,     ///< index of the word where the events begin, after the records
    kQueueEvents = 6,       ///< how many events there are
    /// How many events are free: kEventFree of the first so many events holds their indices.
    kQueueFreeEvents = 7,
    kQueueTakenEvents =
        8,  ///< how many free events kernels asked for, perhaps more than there are; 0 before a dispatch
    kQueueSubGroupSize = 9,    ///< the device's sub-group size; 0: a work-group is one sub-group
    kQueueMaxGroupSize = 10,   ///< how many work-items a work-group may have
    kQueueMaxLocalSize = 11,   ///< three words: how many of them in each dimension
    kQueueMaxLocalBytes = 14,  ///< local memory that a work-group may have
    kQueueRecords = 16,        ///< here the records begin
};

/// A record in a device queue: words at these places. From kRecordTail on come the size of each local
/// argument in bytes, the captures as they lie in memory, padded to a word, and the indices of the events
/// that the command waits for. A record of 0 words ends them all.
enum DeviceQueueRecordWord CALDERA_WORD {
    kRecordWords = 0,       ///< how many words it has
    kRecordCommand = 1,     ///< index of the kernel, a block, or one of DeviceQueueCommand
    kRecordParent = 2,      ///< HiddenKind::Command of the dispatch that left it
    kRecordEvent = 3,       ///< index of the event that it completes, plus 1; 0: none
    kRecordWaitCount = 4,   ///< how many events it waits for
    kRecordDimensions = 5,  ///< dimensions of the NDRange
    kRecordOffset = 6,  ///< three uint64: global offset, then global size, then local size (0: to be chosen)
    kRecordTail = 24,   ///< how many words come before the local arguments
};

/// A record's command if it is no kernel.
enum DeviceQueueCommand CALDERA_WORD {
    kMarkerCommand = ~0u,  ///< enqueue_marker
    /// capture_event_profiling_info: the record's event is the one to profile, and the first number of its
    /// offset is the address of the two uint64.
    kProfileCommand = ~1u,
};

/// An event of a device queue: words. Its clk_event_t is its index plus 1 in the low half, its generation in
/// the high half.
enum DeviceQueueEventWord CALDERA_WORD {
    kEventGeneration = 0,  ///< to be changed when nobody has the event any more
    kEventReferences = 1,  ///< how many references kernels hold; 0: the event is not valid
    kEventStatus = 2,      ///< of a user event: CL_SUBMITTED, CL_COMPLETE or an error
    kEventFree = 3,        ///< an entry of the list of free events: see kQueueFreeEvents
    kEventWords = 4,       ///< how many words an event has
    /// Behind the events, each event has two uint64: what capture_event_profiling_info tells of it, zeros
    /// until its command is complete. Only the host writes them.
    kEventTimesWords = 4,
};
/// The status CL_SUBMITTED, for which OpenCL C has no name.
enum { kEventSubmitted = 2 };

/// What a kernel whose accesses are checked is given (HiddenKind::CheckState): it lies in device memory,
/// aligned to 8 bytes. A kernel may access the bytes of the objects, and nothing else.
///
/// Right behind it is a CheckObject for each argument of the kernel: the object that the argument points to.
/// Its size is 0 where there is none, and then its begin is the argument's value.
struct CheckState {
    uint64_t zeros;    ///< address of kCheckAreaBytes zeros, which replace what a faulting load would read
    uint64_t sink;     ///< address of as many bytes, to which faulting stores and atomic operations go
    uint64_t objects;  ///< address of the CheckObjects, sorted; they do not overlap
    uint64_t records;  ///< address of the CheckRecords; 0 where faults are not reported
    uint32_t object_count;  ///< how many objects there are, without those of the arguments; below 2^20
    uint32_t launched;      ///< any number, which the records repeat
    /// Where data races are found, address of a uint64 for each object, those of the arguments behind the
    /// others: the address of its shadow, or 0 where its accesses are not looked at. A shadow has two uint32
    /// for each four bytes, zeros when the launch begins.
    uint64_t shadows;
    uint64_t local_shadow;   ///< address of `local_shadows` shadows of a work-group's local memory
    uint32_t local_shadows;  ///< work-groups take turns at them
    uint32_t local_bytes;    ///< how many bytes of local memory each is of, a power of two, or 0
};

/// A stretch of global memory that the kernel may access.
struct CheckObject {
    uint64_t begin;       ///< the address of its first byte
    uint64_t size_bytes;  ///< at least 1, but for an argument
};

/// A record of the faults at a place of the source. It has the place's index in
/// ProgramInterface::check_sites. All are zeros at first.
struct CheckRecord {
    uint32_t count;     ///< how many faults there were
    uint32_t launched;  ///< CheckState::launched of the first one
    /// Where it would have begun; of a private or local object, the offset. Arithmetic: the dividend,
    /// how far it shifts or the bits of the float, extended to 64 bits by its sign or zeros. Loop: the turns.
    uint64_t address;
    uint64_t begin;       ///< the object that it should have stayed in; 0 where none is known
    uint64_t size_bytes;  ///< the object's size
    uint64_t id[3];       ///< the work-item's global id
    /// CheckKind::Barrier: the place where others wait, from 1; Race: the other access; Arithmetic: the
    /// ArithmeticFault.
    uint64_t other;
};

/// Why an operation has no result that OpenCL C says.
enum ArithmeticFault CALDERA_WORD {
    kDividesByZero = 1,      ///< a divisor is 0
    kOverflowsQuotient = 2,  ///< the least integer divided by -1
    kShiftsTooFar = 3,       ///< a shift by as many bits as the integer has, or more
    kConvertsTooMuch = 4,    ///< a float that the integer cannot have, or NaN
};

/// The bytes of each area of CheckState; no access has more.
enum { kCheckAreaBytes = 1 << 17 };

/// Options that the translator passes to the functions that enqueue: bits that are ORed. Hosts need not know
/// them.
enum EnqueueOption CALDERA_WORD {
    kEnqueueDetailedErrors = 1,  ///< enqueue_kernel says why it failed
    kEnqueueUniform = 2,         ///< local sizes have to divide the global ones
};

#undef CALDERA_WORD
#ifdef __cplusplus
static_assert(sizeof(ImageDescriptor) == 64);
static_assert(sizeof(CheckState) == 64 && sizeof(CheckObject) == 16 && sizeof(CheckRecord) == 64);

/// The value for the specialisation constant of an image argument: a number from 1 to 127 for the formats
/// that most images have, 0 for others. The pipeline then serves images of that format alone. With 0 it
/// serves all formats. `channel_order` and `channel_data_type` are the API's cl_channel_order and
/// cl_channel_type.
constexpr uint32_t image_format_number(uint32_t channel_order, uint32_t channel_data_type) {
    const uint32_t type = channel_data_type - kFirstFormatType;
    if (type >= kFormatTypes) return 0;
    switch (channel_order) {
#define ORDER(number, order) \
    case order:              \
        return uint32_t{number} << kFormatOrderShift | type;
#include "caldera/image_orders.def"
#undef ORDER
        default: return 0;
    }
}

/// The bits of a sampler that limit the level of detail to those from `least` to `most`. They are rounded to
/// steps of 1 / kSamplerLodUnit.
constexpr uint32_t sampler_lod_bits(float least, float most) {
    const auto steps = [](float lod) {
        const float rounded = lod * int{kSamplerLodUnit} + 0.5f;
        if (rounded >= int{kSamplerLodMask}) return uint32_t{kSamplerLodMask};
        return rounded >= 1 ? static_cast<uint32_t>(rounded) : uint32_t{0};
    };
    return steps(least) << kSamplerLeastLodShift | (kSamplerLodMask - steps(most)) << kSamplerLodCutShift;
}

}  // namespace caldera
#elif defined(__OPENCL_C_VERSION__)
typedef struct ImageDescriptor ImageDescriptor;
typedef struct CheckState CheckState;
typedef struct CheckObject CheckObject;
typedef struct CheckRecord CheckRecord;
_Static_assert(sizeof(ImageDescriptor) == 64, "the host's descriptors have 64 bytes");
_Static_assert(kFirstFormatType == CLK_SNORM_INT8 && kFirstFormatType + kFormatTypes - 1 == CLK_FLOAT,
               "the formats' numbers count the API's data types");
#endif

#endif  // CALDERA_DEVICE_ABI_H
