// SPDX-License-Identifier: Apache-2.0
// The options of a translation. translate() takes them, and every pass may read them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/specialize.h"
#include "spirv/spirv.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// The module as a pass left it.
struct AfterPass {
    uint32_t number = 0;         ///< the pass's place in pass_list(), from 1; 0: before the first pass
    std::string_view pass = {};  ///< its name; "read" before the first pass
    bool changed = true;         ///< whether the module differs from the one before
    std::span<const uint32_t> words = {};
};

constexpr uint32_t kDefaultLoopTurns = 1 << 24;

struct TranslateOptions {
    spirv::Target target = spirv::Target::Vulkan12;  ///< a Vulkan target
    DeviceProfile profile = {};
    Abi abi = Abi::Addresses;
    /// The place of argument blocks. With descriptors, any but Buffer; PushConstants: a UniformBuffer where
    /// they do not fit. With addresses, Buffer for all blocks; else PushConstants: a Buffer where they do not
    /// fit.
    ArgumentBlock value_arguments = ArgumentBlock::PushConstants;
    /// Constants of program scope are part of the module where they can be (memory/module_constants.h), and
    /// otherwise in the data segment, as all are without it.
    bool constants_in_module = false;
    /// Hardware: with simple_ndrange or without, but not with argument_table.
    Images images = Images::Memory;
    /// Images::Hardware is for images that kernels only read. Others are memory. With addresses only.
    bool written_images_in_memory = false;
    /// Images::Hardware: the kernel converts the floats that it writes to the numbers that the image's texels
    /// have, so that a device can only store these. It asks for the type of its images' channels
    /// (HiddenKind::ChannelDataType).
    bool rounds_written_texels = false;
    /// Images::Hardware: the kernel finds the nearest texel by OpenCL's formulas, since samplers round
    /// coordinates, and the level of gradients by Vulkan's, since devices approximate it. Kernels then ask
    /// for the bits of all samplers (HiddenKind::SamplerMask). A filter whose coordinates it would have to
    /// round is an error. Images that kernels both read and write, and image1d_buffer_t, are memory. With
    /// addresses only.
    bool exact_nearest = false;
    /// With exact_nearest: the host makes a 2D array of the slices of each 3D image, and binds it instead.
    /// The kernel filters two slices by samplers, and mixes them itself, for devices whose samplers filter 3D
    /// images too coarsely. Such an array has one level.
    bool volumes_as_slices = false;
    /// Names in vulkan/storage_formats.h: the first that fits what a kernel reads or writes is the format of
    /// its storage images. None fits: the host's choice, which not every device allows.
    std::vector<std::string> storage_formats = {};
    /// Each dispatch is a whole NDRange without an offset. So work-item functions need no hidden arguments,
    /// and get_work_dim() is a specialisation constant. Programs that dispatch clspv's modules expect this.
    bool simple_ndrange = false;
    /// Kernels that cannot detect the division into work-groups get HiddenKind::RegionSize, so that one
    /// pipeline covers ranges of any size. Not with simple_ndrange.
    bool partial_groups = false;
    /// With descriptors, pointer arguments may be NULL (KernelArgument::not_null_spec_id). Not with
    /// simple_ndrange.
    bool null_arguments = false;
    /// Only kernels that are as right and fast by descriptors as by addresses are translated, and the others
    /// are left out: those that show a pointer's value, have it in memory or may access one of several
    /// buffers. A program that has them all by addresses runs these instead. With descriptors only.
    bool contained_kernels = false;
    /// With descriptors, the host gives the argument table (ProgramInterface::argument_table_rows). Kernels
    /// with images need it, and so does a comparison of pointers of several arguments to one buffer.
    bool argument_table = false;
    SplitBuffers split_buffers = {};  ///< with descriptors
    /// The module describes how to call it in instructions of NonSemantic.ClspvReflection, for clvk and
    /// Amber. Before Vulkan 1.3, a device accepts such a module only with VK_KHR_shader_non_semantic_info.
    bool clspv_reflection = false;
    MemoryChecks checks = MemoryChecks::None;
    uint32_t loop_turns = kDefaultLoopTurns;  ///< MemoryChecks::Loops and EndLoops: how often a loop may turn
    int optimization_level = 1;               ///< -O: from 2 on, SPIRV-Tools' passes run after Caldera's
    bool fast_math = false;  ///< -cl-unsafe-math-optimizations: Vulkan's own precision suffices
    /// A product and a sum become one fma if the module allows it and the device's fma is fast. If false,
    /// none do (-ffp-contract=off).
    bool contraction = true;
    bool correctly_rounded_divide_sqrt = false;  ///< applies to x / y and sqrt(x) of float
    /// Denormals of float and double may be flushed, which is faster on some devices. Constant operands are
    /// flushed.
    bool denorms_are_zero = false;
    /// -g: enqueue_kernel returns the reason for a failure (OpenCL C 6.13.17)
    bool detailed_enqueue_errors = false;
    /// Memory is zeros when a work-group, or a function, begins (cl_khr_initialize_memory).
    bool initialize_local = false, initialize_private = false;
    /// The module's OpenCL.DebugInfo.100 becomes NonSemantic.Shader.DebugInfo.100. Without it, lines serve
    /// messages alone. Before Vulkan 1.3, a device needs VK_KHR_shader_non_semantic_info for such a module.
    bool debug_info = false;
    bool uniform_work_group_size = false;  ///< enqueued kernels have local sizes that divide the global sizes
    /// The words come from Caldera's front end, so they are not validated first. Passes rely on a valid
    /// module.
    bool trusted_input = false;
    /// values of the module's specialisation constants; all others keep their defaults
    spirv::SpecValues spec_constants = {};
    bool verify_between_passes = false;  ///< structural verify() after each pass
    std::string stop_after = {};  ///< name of a pass in passes.def: the result is the module after that pass
    /// names of passes to leave out, none of which is Required
    std::vector<std::string> disabled_passes = {};
    /// Called before the first pass and after each pass, on the calling thread. An empty function costs
    /// nothing. The words are valid during the call only.
    std::function<void(const AfterPass&)> after_pass = {};
};

}  // namespace caldera::vulkan
