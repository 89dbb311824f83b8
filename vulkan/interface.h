// SPDX-License-Identifier: Apache-2.0
// KernelInterface: what translate/ tells the runtime about a program. Plain data. What kernels and the host
// share in memory is in device_abi.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/device_abi.h"

namespace caldera::vulkan {

/// How kernels reach global and constant memory.
enum class Abi : uint8_t {
    Addresses,  ///< a pointer is a 64-bit device address (VK_KHR_buffer_device_address)
    /// each pointer argument is a storage buffer of descriptor set 0, with clspv's default numbering
    Descriptors,
};
constexpr uint32_t kNoBinding = ~0u, kNoSpecId = ~0u;
/// Abi::Descriptors: the data segment is the storage buffer here. Kernels' arguments are in set 0.
constexpr uint32_t kDataSegmentSet = 1, kDataSegmentBinding = 0;
/// Abi::Descriptors: printf's buffer is the storage buffer here.
constexpr uint32_t kPrintfBufferSet = 1, kPrintfBufferBinding = 1;
/// Abi::Descriptors: the device queue's buffer (DeviceQueueWord) is the storage buffer here.
constexpr uint32_t kDeviceQueueSet = 1, kDeviceQueueBinding = 2;
/// The size of printf's buffer if printf_words_spec_id keeps its default.
constexpr uint32_t kPrintfBufferBytes = 1 << 20;

enum class ArgumentKind : uint8_t {
    Value,        ///< bytes copied into the argument block
    DeviceQueue,  ///< a queue_t, 8 bytes copied into the argument block: a device queue's handle (DeviceQueueWord)
    GlobalPointer,    ///< 8 bytes in the argument block: a device address (0 is NULL); or a storage buffer
    ConstantPointer,  ///< the same, but the kernel only reads
    LocalPointer,     ///< no bytes: its size in elements is a specialisation constant
    /// The same as GlobalPointer: to a ring of 32-bit words (PipeWord). The first is the most packets that it
    /// holds, M; then come three and M words that are 0 while the pipe is new, and M times the words of a
    /// packet.
    Pipe,
    Image,  ///< 8 bytes in the argument block: the device address of an ImageDescriptor, never 0
    /// 4 bytes copied into the argument block: the bits of OpenCL C's sampler literals (SamplerBits)
    Sampler,
};
constexpr bool has_spec_id(ArgumentKind kind) {
    return kind == ArgumentKind::LocalPointer || kind == ArgumentKind::Image;
}
constexpr bool is_by_value(ArgumentKind kind) {
    return kind == ArgumentKind::Value || kind == ArgumentKind::DeviceQueue || kind == ArgumentKind::Sampler;
}

/// CLK_NORMALIZED_COORDS_TRUE and so on (OpenCL C 6.13.14.1), with the values that clang's header gives them:
/// one of each group, ORed.
enum SamplerBits : uint32_t {
    kSamplerNormalized = 0x01,
    kSamplerAddressNone = 0x00,
    kSamplerClampToEdge = 0x02,
    kSamplerClamp = 0x04,
    kSamplerRepeat = 0x06,
    kSamplerMirroredRepeat = 0x08,
    kSamplerNearest = 0x10,
    kSamplerLinear = 0x20,
};

/// The specialisation constant of an Image argument may be set to this number, for a pipeline that serves
/// only images of this format. Most images have a format with a number from 1 to 127. Other formats have 0,
/// the default, with which the pipeline serves all formats.
constexpr uint32_t image_format_number(uint32_t channel_order, uint32_t channel_data_type) {
    const uint32_t type = channel_data_type - kFirstFormatType;
    if (type >= kFormatTypes) return 0;
    switch (channel_order) {
#define ORDER(number, order) \
    case order:              \
        return uint32_t{number} << kFormatOrderShift | type;
#include "vulkan/image_orders.def"
#undef ORDER
        default: return 0;
    }
}

/// How a kernel may access an image or a pipe (clGetKernelArgInfo, CL_KERNEL_ARG_ACCESS_QUALIFIER).
enum class ArgumentAccess : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };

/// One argument of the OpenCL C kernel, in order.
struct KernelArgument {
    ArgumentKind kind = ArgumentKind::Value;
    std::string name = {};
    std::string type_name = {};        ///< as written in the source ("float*"), if the module records it
    std::string type_qualifiers = {};  ///< "restrict const"; known only if type_name is
    ArgumentAccess access = {};        ///< of an Image or a Pipe
    uint32_t offset_bytes = 0;         ///< in the argument block
    /// as clSetKernelArg expects it; 8 for pointers and images, 4 for a sampler's bits
    uint32_t size_bytes = 0;
    uint32_t spec_id = 0;  ///< LocalPointer: sets the number of elements. Image: sets image_format_number()
    /// LocalPointer: size of an element. Pipe: size of a packet, or 0 if it is not known
    uint32_t element_bytes = 0;
    /// Abi::Descriptors, GlobalPointer, ConstantPointer and Pipe: the binding of the storage buffer
    uint32_t binding = kNoBinding;
};

/// Values that the kernel needs and the runtime fills in, each at its own offset of the argument block. A
/// region (one dispatch of an NDRange) has fewer than 2^32 work-items in each dimension.
enum class HiddenKind : uint8_t {
    GlobalOffset,       ///< uint64[3] get_global_offset
    GlobalSize,         ///< uint64[3] get_global_size
    NumGroups,          ///< uint32[3] get_num_groups of the whole NDRange
    EnqueuedLocalSize,  ///< uint32[3] get_enqueued_local_size
    GroupBase,          ///< uint32[3] first work-group of this region in the whole NDRange
    GlobalIdBase,       ///< uint64[3] global id (offset included) of the region's first work-item
    WorkDim,            ///< uint32 get_work_dim
    DataSegment,        ///< uint64 address of the program's data segment
    PrintfBuffer,       ///< uint64 address of printf's buffer
    DeviceQueue,        ///< uint64 address of the device queue's buffer
    /// uint32 any number; the records that the dispatch writes to that buffer name it as their parent
    Command,
    /// uint32[3] the number of work-items in this region, if Kernel::ignores_groups. The work-groups may
    /// extend beyond them.
    RegionSize,
};
struct HiddenArgument {
    HiddenKind kind = {};
    uint32_t offset_bytes = 0;
};

/// Where the argument block lives.
enum class ArgumentBlock : uint8_t {
    PushConstants,  ///< at offset 0 of the push constants
    Buffer,  ///< in memory, 16-byte aligned; the push constants hold its 8-byte device address at offset 0
    UniformBuffer,  ///< Abi::Descriptors: in the uniform buffer at block_binding of set 0
};

struct Kernel {
    std::string name = {};  ///< also the OpEntryPoint's name
    std::vector<KernelArgument> arguments = {};
    std::vector<HiddenArgument> hidden = {};
    ArgumentBlock block = ArgumentBlock::PushConstants;
    uint32_t block_bytes = 0;                          ///< size of the argument block, a multiple of 4
    uint32_t block_binding = kNoBinding;               ///< UniformBuffer
    std::array<uint32_t, 3> required_local_size = {};  ///< reqd_work_group_size, or zeros
    std::array<uint32_t, 3> local_size_hint = {};      ///< work_group_size_hint, or zeros
    /// Always set these, even to the required size, or to the size of the partial work-groups at the edge of
    /// a range. They default to the required size if all kernels of the module have the same one, else to 1.
    std::array<uint32_t, 3> local_size_spec_ids = {0, 1, 2};
    bool prints = false;  ///< the kernel may call printf and needs its buffer
    /// the kernel may call functions of device-side enqueue and needs the device queue's buffer
    bool enqueues = false;
    /// The kernel is a block that kernels enqueue; the host must not call it. Its first argument, a value, is
    /// the captures; all further ones are local memory.
    bool is_block = false;
    /// The kernel uses the device's sub-groups: launch it with full sub-groups wherever the sub-group size
    /// divides the local size. To Vulkan, its work-groups have one dimension.
    bool uses_sub_groups = false;
    /// The kernel cannot detect the division into work-groups. So groups of any size may cover a range, and
    /// extend beyond it if full_groups_spec_id is set to false. Only with TranslateOptions::partial_groups.
    bool ignores_groups = false;
    uint64_t local_bytes = 0;                ///< local memory declared in the program, without arguments
    uint64_t local_bytes_per_work_item = 0;  ///< additional local memory for each work-item of a group
    std::string vec_type_hint = {};
    std::string attributes = {};  ///< as CL_KERNEL_ATTRIBUTES lists them
};

/// An 8-byte word of the data segment that holds the address of a byte of the same segment.
struct Relocation {
    uint64_t at_bytes = 0;
    uint64_t target_bytes = 0;
};

/// What a record in printf's buffer means. The buffer consists of 32-bit words. The first word counts the
/// words that calls have requested, without itself; it is 0 before a dispatch. Then comes a record for each
/// call: the index of its format here, and the arguments as in memory, each padded to 4 bytes. A float that C
/// would promote to double may have 4 bytes. The literal of a %s is a format here too (4 bytes: its index),
/// or the address of its text in the data segment (8 bytes; with descriptors the low half is the offset
/// there). If the count is larger than the buffer, some calls have returned -1. The first record that does
/// not fit, of which at most the index is there, and all later ones are missing.
struct PrintfFormat {
    std::string text = {};
    std::vector<uint32_t> argument_bytes = {};  ///< without excess arguments
    bool operator==(const PrintfFormat&) const = default;
};

struct ProgramInterface {
    Abi abi = Abi::Addresses;
    std::vector<Kernel> kernels = {};
    std::vector<uint8_t> data_segment = {};  ///< constants and initial values of program-scope variables
    /// Abi::Addresses: alignment of the data segment's address, a power of two
    uint64_t data_segment_alignment = 1;
    std::vector<Relocation> relocations = {};
    uint32_t work_dim_spec_id = kNoSpecId;  ///< sets get_work_dim(), if dispatches are simple NDRanges
    /// A VkBool32, true by default. Set it to false if every GroupBase and GlobalIdBase is 0: then the kernel
    /// does not add them, and the driver knows which values are uniform in a work-group.
    uint32_t has_base_spec_id = kNoSpecId;
    /// A VkBool32, true by default. Set it to false if groups extend beyond HiddenKind::RegionSize;
    /// work-items there return at once.
    uint32_t full_groups_spec_id = kNoSpecId;
    std::vector<PrintfFormat> printf_formats = {};
    uint32_t printf_words_spec_id = kNoSpecId;   ///< sets the number of words in printf's buffer
    std::vector<std::string> capabilities = {};  ///< SPIR-V capability names that the module uses, sorted
    /// Members of VkPhysicalDeviceFloatControlsProperties, and the feature shaderFloatControls2, that the
    /// module needs; sorted.
    std::vector<std::string> float_controls = {};
    /// The module relies on GLSL.std.450's Fma rounding once, which Vulkan does not promise.
    bool fused_fma = false;
    bool fast_math = false;
};

}  // namespace caldera::vulkan
