// SPDX-License-Identifier: Apache-2.0
/// @file
/// How a translated program is called: its kernels, their arguments and what they need. Plain data without a
/// thread's or a device's state. docs/abi.md says how a host with its own Vulkan code uses it; `clc2spv
/// --emit=reflection-json` writes the fields under their own names (docs/embedding.md, Reflection).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "caldera/device_abi.h"

namespace caldera {

/// How kernels reach global and constant memory.
enum class Abi : uint8_t {
    Addresses,    ///< a pointer is a 64-bit device address (VK_KHR_buffer_device_address)
    Descriptors,  ///< each pointer argument is a storage buffer of descriptor set 0, numbered as clspv does
                  ///< by default
};

/// What images and samplers are to a kernel.
enum class Images : uint8_t {
    Memory,    ///< an image is memory behind an ImageDescriptor, which code of the library decodes
    Hardware,  ///< images and samplers are Vulkan's, each a descriptor of its own
};

constexpr uint32_t kNoBinding = ~0u;   ///< the value of a binding that is not there
constexpr uint32_t kNoArgument = ~0u;  ///< the number of an argument that is not there
constexpr uint32_t kNoSpecId = ~0u;    ///< the value of a SpecId that is not there
// With Abi::Descriptors, the kernels' arguments are in set 0, and these storage buffers in set 1. Where a
// program has literal samplers of Vulkan's (ProgramInterface::literal_samplers), those are in set 0, and all
// others in the next set.
constexpr uint32_t kDataSegmentSet = 1;        ///< Abi::Descriptors: the set of the data segment
constexpr uint32_t kDataSegmentBinding = 0;    ///< Abi::Descriptors: the binding of the data segment
constexpr uint32_t kPrintfBufferSet = 1;       ///< Abi::Descriptors: the set of printf's buffer
constexpr uint32_t kPrintfBufferBinding = 1;   ///< Abi::Descriptors: the binding of printf's buffer
constexpr uint32_t kDeviceQueueSet = 1;        ///< Abi::Descriptors: the set of the device queue's buffer
constexpr uint32_t kDeviceQueueBinding = 2;    ///< Abi::Descriptors: the binding of the device queue's buffer
constexpr uint32_t kArgumentTableSet = 1;      ///< Abi::Descriptors: the set of the argument table
constexpr uint32_t kArgumentTableBinding = 3;  ///< Abi::Descriptors: the binding of the argument table
constexpr uint32_t kPrivateMemorySet = 1;      ///< Abi::Descriptors: the set of the buffer for private memory
constexpr uint32_t kPrivateMemoryBinding = 4;  ///< Abi::Descriptors: the binding of that buffer
/// So many work-items have the same words of private memory side by side in its buffer.
constexpr uint32_t kPrivateLanes = 32;
/// The size of printf's buffer, where the constant `printf_words_spec_id` is left as it is.
constexpr uint32_t kPrintfBufferBytes = 1 << 20;

/// The kind of an argument, and its form in the argument block.
enum class ArgumentKind : uint8_t {
    Value,            ///< the bytes
    DeviceQueue,      ///< a queue_t, 8 bytes: a device queue's handle (DeviceQueueWord)
    GlobalPointer,    ///< 8 bytes: a device address, 0 for NULL; or a storage buffer
    ConstantPointer,  ///< the same as GlobalPointer; the kernel only reads
    LocalPointer,     ///< no bytes: its size in elements is a specialisation constant
    Pipe,             ///< the same as GlobalPointer: to a ring of 32-bit words (PipeWord)
    Image,            ///< 8 bytes: the device address of an ImageDescriptor, never 0; or a storage buffer
    Sampler,          ///< 4 bytes: SamplerBits
    // With Images::Hardware, a descriptor that has no bytes in the argument block:
    SampledImage,        ///< VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE: a read_only image
    StorageImage,        ///< VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: a write_only or read_write one
    UniformTexelBuffer,  ///< VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER: a read_only image1d_buffer_t
    StorageTexelBuffer,  ///< VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: one that is written
    SamplerObject,       ///< VK_DESCRIPTOR_TYPE_SAMPLER
};
/// Whether an argument of this kind is an image or a sampler of Vulkan's.
constexpr bool is_vulkan_image(ArgumentKind kind) { return kind >= ArgumentKind::SampledImage; }
/// Whether an argument of this kind has a specialisation constant.
constexpr bool has_spec_id(ArgumentKind kind) {
    return kind == ArgumentKind::LocalPointer || kind == ArgumentKind::Image;
}
/// Whether the argument block holds the argument itself.
constexpr bool is_by_value(ArgumentKind kind) {
    return kind == ArgumentKind::Value || kind == ArgumentKind::DeviceQueue || kind == ArgumentKind::Sampler;
}

/// How a kernel may access an image or a pipe (clGetKernelArgInfo, CL_KERNEL_ARG_ACCESS_QUALIFIER).
enum class ArgumentAccess : uint8_t {
    None,       ///< the argument is neither an image nor a pipe
    ReadOnly,   ///< read_only
    WriteOnly,  ///< write_only
    ReadWrite,  ///< read_write
};

/// The shape of an image (OpenCL API 5.3.1.2).
enum class ImageShape : uint8_t {
    Image1D,                   ///< image1d_t, and image1d_buffer_t
    Image1DArray,              ///< image1d_array_t
    Image2D,                   ///< image2d_t, and with ChannelOrder::Depth image2d_depth_t
    Image2DArray,              ///< image2d_array_t
    Image3D,                   ///< image3d_t
    Image2DMultisampled,       ///< image2d_msaa_t and image2d_msaa_depth_t; Images::Hardware alone
    Image2DArrayMultisampled,  ///< image2d_array_msaa_t and image2d_array_msaa_depth_t; likewise
};
/// Whether texels of images of this shape have several samples.
constexpr bool is_multisampled(ImageShape shape) {
    return shape == ImageShape::Image2DMultisampled || shape == ImageShape::Image2DArrayMultisampled;
}
/// Whether a VkSampler may have unnormalised coordinates for an image of this shape (Vulkan, Samplers). No
/// sampler reads an image of several samples.
constexpr bool may_count_texels(ImageShape shape) {
    return shape == ImageShape::Image1D || shape == ImageShape::Image2D || is_multisampled(shape);
}
/// The SamplerBits that a VkSampler can have. Coordinates that count texels cannot repeat (OpenCL
/// C 6.13.14.1), so those of such a mode clamp to the edge.
constexpr uint32_t vulkan_sampler_bits(uint32_t bits) {
    const uint32_t mode = bits & kSamplerAddressModes;
    if (bits & kSamplerNormalized || (mode != kSamplerRepeat && mode != kSamplerMirroredRepeat)) return bits;
    return (bits & ~uint32_t{kSamplerAddressModes}) | kSamplerClampToEdge;
}

/// The numbers that a kernel has texels as, and so those that a view of the image has. Bits.
enum TexelNumbers : uint8_t {
    kFloatTexels = 1,     ///< read_imagef, write_imagef and those of half: floats, or normalised integers
    kSignedTexels = 2,    ///< read_imagei, write_imagei
    kUnsignedTexels = 4,  ///< read_imageui, write_imageui
};

/// One argument of the OpenCL C kernel. They stand in order.
struct KernelArgument {
    ArgumentKind kind = ArgumentKind::Value;  ///< what stands for it in the argument block
    std::string name = {};                    ///< empty where the module does not say it
    std::string type_name = {};  ///< as written in the source ("float*"), if the module records it
    /// The same without the source's typedefs: "short*" where type_name is "int16_t*". Modules of other
    /// compilers do not record it, and it is then type_name.
    std::string base_type_name = {};
    std::string type_qualifiers = {};  ///< "restrict const"; known only if type_name is
    ArgumentAccess access = {};        ///< of an Image or a Pipe
    bool is_read_only = false;         ///< GlobalPointer: the module says that nothing is written through it
    uint32_t offset_bytes = 0;         ///< in the argument block
    /// As clSetKernelArg expects it; 8 for pointers and images, 4 for a sampler's bits.
    uint32_t size_bytes = 0;
    /// LocalPointer: sets the number of elements. Image: sets image_format_number().
    uint32_t spec_id = 0;
    /// LocalPointer: size of an element. Pipe: size of a packet, or 0 if it is not known.
    uint32_t element_bytes = 0;
    /// Abi::Descriptors: the storage buffer of a GlobalPointer, ConstantPointer or Pipe, or of an Image's
    /// texels. With either ABI, the descriptor of an image or sampler of Vulkan's.
    uint32_t binding = kNoBinding;
    /// A GlobalPointer or ConstantPointer that may be NULL with Abi::Descriptors: a VkBool32, true by
    /// default. Set it to false if the argument is NULL; the binding then may have any buffer. Only programs
    /// that the library builds for its own devices have it.
    uint32_t not_null_spec_id = kNoSpecId;
    /// Image, SampledImage, StorageImage: what view the kernel takes.
    ImageShape image_shape = ImageShape::Image1D;
    /// SampledImage, StorageImage, UniformTexelBuffer, StorageTexelBuffer: TexelNumbers; floats where a
    /// kernel only asks for the size, 0 without access. In SPIR-V before 1.4, signed ones are unsigned, too.
    uint8_t texel_numbers = 0;
    /// StorageImage, StorageTexelBuffer: the format that the view must have, as GLSL names it ("rgba8");
    /// empty: any.
    std::string image_format = {};
    /// SampledImage: the kernel reads levels of the image, by numbers or gradients (cl_khr_mipmap_image). Its
    /// view may have several.
    bool reads_levels = false;
    /// With kUnsignedTexels: the module does not say whether they have signs (SPIR-V before 1.4). Devices
    /// take views of signed integers for them, too, against the word of Vulkan.
    bool has_open_signs = false;
};

/// A value that the kernel needs and the host fills in. A region (one dispatch of an NDRange) has fewer than
/// 2^32 work-items in each dimension.
enum class HiddenKind : uint8_t {
    GlobalOffset,       ///< uint64[3]: get_global_offset
    GlobalSize,         ///< uint64[3]: get_global_size
    NumGroups,          ///< uint32[3]: get_num_groups of the whole NDRange
    EnqueuedLocalSize,  ///< uint32[3]: get_enqueued_local_size
    GroupBase,          ///< uint32[3]: the first work-group of this region in the whole NDRange
    GlobalIdBase,       ///< uint64[3]: the global id (offset included) of the region's first work-item
    WorkDim,            ///< uint32: get_work_dim
    DataSegment,        ///< uint64: the address of the program's data segment
    PrintfBuffer,       ///< uint64: the address of printf's buffer
    DeviceQueue,        ///< uint64: the address of the device queue's buffer
    Command,  ///< uint32: any number; the records that the dispatch writes to that buffer name it as their
              ///< parent
    /// uint32[3]: the number of work-items in this region, if KernelInterface::ignores_groups. The
    /// work-groups may extend beyond them.
    RegionSize,
    /// uint64: the address of the buffer for private memory (KernelInterface::private_bytes), a multiple of
    /// 32. Abi::Addresses only.
    PrivateMemory,
    /// uint64: the address of a CheckState, where the module checks the accesses of kernels. Abi::Addresses
    /// only.
    CheckState,
    // Facts about the argument HiddenArgument::argument, an image of Vulkan's:
    ChannelOrder,     ///< uint32: its cl_channel_order
    ChannelDataType,  ///< uint32: its cl_channel_type
    /// uint32: the SamplerBits of the SamplerObject that the argument HiddenArgument::argument is. If the
    /// kernel has a SampledImage that is neither 1D nor 2D, or whose levels it reads, Vulkan's sampler must
    /// have normalised coordinates then, whatever these bits say; the kernel normalises them
    /// (normalizes_samplers()).
    SamplerMask,
};

/// Whether a hidden argument of this kind is about another argument. A kernel may have several of the kind.
constexpr bool is_about_argument(HiddenKind kind) { return kind >= HiddenKind::ChannelOrder; }

/// A hidden argument and its place in the argument block.
struct HiddenArgument {
    HiddenKind kind = {};       ///< what it is
    uint32_t offset_bytes = 0;  ///< in the argument block
    uint32_t argument = 0;      ///< ChannelOrder, ChannelDataType, SamplerMask: the number of an argument
};

/// A sampler of the program's source, a descriptor of Vulkan's (Images::Hardware).
struct LiteralSampler {
    uint32_t binding = 0;  ///< in descriptor set 0
    uint32_t bits = 0;     ///< SamplerBits: what Vulkan's sampler must do
};

/// An image of Vulkan's, and a sampler with which a kernel reads it (Images::Hardware). A linear filter needs
/// a view whose format the device filters (VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT). No device
/// filters integers.
struct ImageSampling {
    uint32_t image = 0;  ///< the number of a SampledImage argument
    /// The number of a SamplerObject argument, or kNoArgument for a literal.
    uint32_t sampler = kNoArgument;
    uint32_t literal_bits = 0;  ///< LiteralSampler::bits of the literal, or 0
    uint8_t texel_numbers = 0;  ///< the TexelNumbers that the kernel reads with it

    /// Whether they are the same.
    bool operator==(const ImageSampling&) const = default;
};

/// The place of the argument block.
enum class ArgumentBlock : uint8_t {
    PushConstants,  ///< at offset 0 of the push constants
    Buffer,  ///< in memory, 16-byte aligned; the push constants hold its 8-byte device address at offset 0
    UniformBuffer,  ///< Abi::Descriptors: in the uniform buffer at block_binding of the arguments' set
    StorageBuffer,  ///< Abi::Descriptors: in the storage buffer at block_binding of the arguments' set
};
/// Whether a block in this place has a descriptor, at block_binding.
inline bool has_binding(ArgumentBlock block) {
    return block == ArgumentBlock::UniformBuffer || block == ArgumentBlock::StorageBuffer;
}

/// One kernel of a program.
struct KernelInterface {
    std::string name = {};                               ///< also the OpEntryPoint's name
    std::vector<KernelArgument> arguments = {};          ///< those of the source, in order
    std::vector<HiddenArgument> hidden = {};             ///< what the host fills in besides
    ArgumentBlock block = ArgumentBlock::PushConstants;  ///< where the argument block lives
    uint32_t block_bytes = 0;                            ///< size of the argument block, a multiple of 4
    uint32_t block_binding = kNoBinding;                 ///< of a UniformBuffer or StorageBuffer
    std::array<uint32_t, 3> required_local_size = {};    ///< reqd_work_group_size, or zeros
    std::array<uint32_t, 3> local_size_hint = {};        ///< work_group_size_hint, or zeros
    /// So many sub-groups make a work-group, or 0: SPIR-V's SubgroupsPerWorkgroup.
    uint32_t required_sub_groups = 0;
    /// Always set these, even to the required size, or to the size of the partial work-groups at the edge of
    /// a range. They default to the required size if all kernels of the module have the same one, else to 1.
    std::array<uint32_t, 3> local_size_spec_ids = {0, 1, 2};
    bool prints = false;  ///< the kernel may call printf and needs its buffer
    /// The kernel may call functions of device-side enqueue and needs the device queue's buffer.
    bool enqueues = false;
    /// The kernel is a block that kernels enqueue; the host must not call it. Its first argument, a value, is
    /// the captures; all further ones are local memory.
    bool is_block = false;
    /// The kernel uses the device's sub-groups: launch it with full sub-groups wherever the sub-group size
    /// divides the local size. To Vulkan, its work-groups have one dimension.
    bool uses_sub_groups = false;
    /// The kernel cannot detect the division into work-groups. So groups of any size may cover a range, and
    /// extend beyond it if full_groups_spec_id is set to false. Only programs that the library builds for its
    /// own devices have such kernels.
    bool ignores_groups = false;
    /// Images::Hardware: the kernel samples with a linear filter that the source names, not an argument.
    bool has_linear_literals = false;
    /// Images::Hardware: which images the kernel reads with which samplers, each once.
    std::vector<ImageSampling> samplings = {};
    /// How many places of the kernel's code read images that are memory, those of a function once for each of
    /// its calls.
    uint32_t image_reads = 0;
    uint64_t local_bytes = 0;                ///< local memory declared in the program, without arguments
    uint64_t local_bytes_per_work_item = 0;  ///< additional local memory for each work-item of a group
    /// Private memory that is too large for the device's variables: so many bytes of a buffer for each
    /// work-item of a dispatch, whose number is rounded up to a multiple of kPrivateLanes. It needs no
    /// initial value. Dispatches that may run at the same time need buffers of their own. 0: the kernel needs
    /// none.
    uint64_t private_bytes = 0;
    std::string vec_type_hint = {};  ///< of the attribute (OpenCL C 6.7.2), else empty
    std::string attributes = {};     ///< as CL_KERNEL_ATTRIBUTES lists them
};
/// Whether a VkSampler with which a kernel reads the argument must have normalised coordinates.
inline bool must_normalize_samplers(const KernelArgument& argument) {
    return argument.kind == ArgumentKind::SampledImage &&
           (argument.reads_levels || !may_count_texels(argument.image_shape));
}
/// Whether the VkSampler of a SamplerObject with a HiddenKind::SamplerMask must have normalised coordinates.
inline bool normalizes_samplers(const KernelInterface& kernel) {
    for (const KernelArgument& argument : kernel.arguments)
        if (must_normalize_samplers(argument)) return true;
    return false;
}

/// An 8-byte word of the data segment that holds the address of a byte of the same segment. The host adds the
/// segment's device address when it uploads the segment.
struct Relocation {
    uint64_t at_bytes = 0;      ///< the word's offset in the data segment
    uint64_t target_bytes = 0;  ///< the offset of the byte that it points to
};

/// The format of a record in printf's buffer. The buffer consists of 32-bit words. The first word counts the
/// words that calls have requested, without itself; it is 0 before a dispatch. Then comes a record for each
/// call: the index of its format here, and the arguments as in memory, each padded to 4 bytes. A float that C
/// would promote to double may have 4 bytes. The literal of a %s is a format here too (4 bytes: its index),
/// or the address of its text in the data segment (8 bytes; with descriptors the low half is the offset
/// there). If the count is larger than the buffer, some calls have returned -1. The first record that does
/// not fit, of which at most the index is there, and all later ones are missing.
struct PrintfFormat {
    std::string text = {};                      ///< the format string
    std::vector<uint32_t> argument_bytes = {};  ///< the size of each argument, without excess arguments
    /// Whether two formats have the same text and arguments.
    bool operator==(const PrintfFormat&) const = default;
};

/// What an access does.
enum class CheckedAccess : uint8_t {
    Load,    ///< reads
    Store,   ///< writes
    Atomic,  ///< reads and writes at once
    Copy,    ///< an asynchronous copy, or one whose length is known only when it runs
};

/// A kind of faults.
enum class CheckKind : uint8_t {
    Bounds,         ///< an access that is not wholly in its object
    Alignment,      ///< an access whose address is no multiple of CheckSite::alignment_bytes
    Barrier,        ///< a barrier that some work-items of the group do not reach
    Race,           ///< an access to memory that another work-item accesses, without an order between the two
    Uninitialised,  ///< a load from a private or local variable that nobody has written
    Arithmetic,     ///< an operation whose result OpenCL C does not say
    Loop,           ///< a loop that was ended because it had turned too often
};

/// A place of the source that is checked and reported.
struct CheckSite {
    CheckKind kind = {};           ///< what is checked there
    CheckedAccess access = {};     ///< what it does
    uint32_t size_bytes = 0;       ///< how many bytes it accesses, or a record's value has; 0: not constant
    uint32_t alignment_bytes = 1;  ///< the multiple that its address must be
    std::string file = {};         ///< of the source; empty where the module does not say it
    uint32_t line = 0;             ///< from 1
    uint32_t column = 0;           ///< from 1
    std::string function = {};     ///< the function that it is in
    std::string object = {};       ///< the argument or variable that it should stay in; empty: not known
    bool is_argument = false;      ///< `object` names an argument of the kernel
    std::string space = {};        ///< of the object: "local", "private"; empty: global or constant memory
    std::string operation = {};    ///< CheckKind::Arithmetic: what is computed, "conversion of float to int"
    /// Whether two places are the same.
    bool operator==(const CheckSite&) const = default;
};

/// Everything that a host must know of a translated module to call its kernels.
struct ProgramInterface {
    Abi abi = Abi::Addresses;                   ///< how the kernels reach memory
    std::vector<KernelInterface> kernels = {};  ///< an entry point of the module each
    std::vector<uint8_t> data_segment = {};     ///< constants and initial values of program-scope variables
    uint64_t data_segment_alignment = 1;  ///< Abi::Addresses: of the data segment's address, a power of two
    std::vector<Relocation> relocations = {};  ///< addresses within the data segment
    /// Each dispatch must be a whole NDRange of full work-groups, without an offset
    /// (TranslateOptions::simple_ndrange).
    bool simple_ndrange = false;
    /// Global sizes are multiples of the local size in each dimension (-cl-uniform-work-group-size). A module
    /// whose kernels require a local size has no smaller work-groups then.
    bool uniform_groups = false;
    /// The work-items of the largest work-group that the module has memory for. Larger ones are undefined,
    /// even where the device has them.
    uint32_t max_group_size = ~0u;
    std::array<uint32_t, 3> max_local_size = {~0u, ~0u, ~0u};  ///< the same in each dimension
    uint32_t work_dim_spec_id = kNoSpecId;  ///< get_work_dim(), where dispatches are simple NDRanges
    /// A VkBool32, true by default. Set it to false if every GroupBase and GlobalIdBase is 0: then the kernel
    /// does not add them, and the driver knows which values are uniform in a work-group.
    uint32_t has_base_spec_id = kNoSpecId;
    /// A VkBool32, true by default. Set it to false if groups extend beyond HiddenKind::RegionSize;
    /// work-items there return at once.
    uint32_t full_groups_spec_id = kNoSpecId;
    std::vector<PrintfFormat> printf_formats = {};  ///< what the records in printf's buffer name by index
    uint32_t printf_words_spec_id = kNoSpecId;      ///< how many words printf's buffer has
    std::vector<CheckSite> check_sites = {};        ///< what the records of CheckState name by index
    /// Abi::Descriptors: how many ImageDescriptors the argument table has, one for each binding of set 0; 0:
    /// there is none. The table is a uniform buffer. Only programs that the library builds for its own
    /// devices have it. An Image's row describes it. A pointer's row has in `data_address` what turns the
    /// pointer's value, a buffer and an offset, into the value that all pointers to the same byte have.
    uint32_t argument_table_rows = 0;
    /// Images::Hardware: the samplers of the source, in descriptor set 0.
    std::vector<LiteralSampler> literal_samplers = {};
    /// The descriptor set of the kernels' arguments: 1 where the source has samplers and Images::Hardware
    /// makes them Vulkan's, else 0. The program's own buffers are in the next set.
    uint32_t argument_set = 0;
    /// Names of the SPIR-V capabilities that the module uses, sorted.
    std::vector<std::string> capabilities = {};
    /// The members of VkPhysicalDeviceFloatControlsProperties and the feature shaderFloatControls2 that the
    /// module needs, sorted by name.
    std::vector<std::string> float_controls = {};
    /// The module relies on GLSL.std.450's Fma rounding once, which Vulkan does not promise.
    bool fused_fma = false;
    bool fast_math = false;  ///< Vulkan's own precision suffices (-cl-unsafe-math-optimizations)
};

}  // namespace caldera
