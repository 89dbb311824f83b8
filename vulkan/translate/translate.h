// SPDX-License-Identifier: Apache-2.0
// The door of translate/: OpenCL SPIR-V in, Vulkan SPIR-V and its interface out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/specialize.h"
#include "spirv/spirv.h"
#include "spirv/support/stopwatch.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// One compiled file of builtins/: OpenCL SPIR-V whose exported functions the translator links on demand.
struct BuiltinModule {
    std::string_view name = {};  ///< "math/exp.cl"
    std::span<const uint32_t> words = {};
};
/// Says which module defines an exported function; sorted by name.
struct BuiltinSymbol {
    std::string_view name = {};  ///< Itanium-mangled, "_Z3expf"
    uint32_t module = 0;         ///< index into modules
};
struct BuiltinLibrary {
    std::span<const BuiltinModule> modules = {};
    std::span<const BuiltinSymbol> symbols = {};
};

/// What a module is without a pass.
enum class PassNeed : uint8_t {
    Required,      ///< wrong, for some kernel
    Optimization,  ///< the same, but larger, or slower to run or to compile for the device
    Precaution,    ///< right, but some driver's compiler takes it for something else
};
struct PassInfo {
    std::string_view name = {};
    std::string_view summary = {};  ///< half a line for --list-passes
    PassNeed need = PassNeed::Required;
};
/// All passes in their order (passes.def).
std::span<const PassInfo> pass_list();

/// The module as a pass left it.
struct AfterPass {
    uint32_t number = 0;         ///< the pass's place in pass_list(), from 1; 0: before the first pass
    std::string_view pass = {};  ///< its name; "read" before the first pass
    bool changed = true;         ///< whether the module differs from the one before
    std::span<const uint32_t> words = {};
};

struct TranslateOptions {
    spirv::Target target = spirv::Target::Vulkan12;  ///< a Vulkan target
    DeviceProfile profile = {};
    Abi abi = Abi::Addresses;
    /// A dispatch is always a whole NDRange without an offset: work-item functions need no hidden arguments, and
    /// get_work_dim() is a specialisation constant. What programs expect that dispatch clspv's modules.
    bool simple_ndrange = false;
    /// Kernels that cannot tell which work-groups there are have HiddenKind::RegionSize, so that one pipeline covers ranges
    /// of any size. Not with simple_ndrange.
    bool partial_groups = false;
    /// The module says how it is called in instructions of NonSemantic.ClspvReflection, for clvk and Amber. A device
    /// older than Vulkan 1.3 takes such a module only with VK_KHR_shader_non_semantic_info.
    bool clspv_reflection = false;
    int optimization_level = 1;  ///< -O: from 2 on, SPIRV-Tools passes after our own
    bool fast_math = false;      ///< -cl-unsafe-math-optimizations: Vulkan's own precision suffices
    /// A product and a sum are one fma where the module allows it and the device has a fast one; else nowhere (-ffp-contract=off).
    bool contraction = true;
    bool correctly_rounded_divide_sqrt = false;  ///< x / y and sqrt(x) of float
    /// Those of float and double may be flushed, which is faster on some devices. Constants that are operands are.
    bool denorms_are_zero = false;
    bool detailed_enqueue_errors = false;  ///< -g: enqueue_kernel says why it failed (OpenCL C 6.13.17)
    bool uniform_work_group_size =
        false;  ///< what kernels enqueue has local sizes that divide the global ones
    /// The words come from our own front end: they are not validated first. Passes rely on a valid module.
    bool trusted_input = false;
    spirv::SpecValues spec_constants =
        {};  ///< values of the module's own; those that are not here keep their defaults
    bool verify_between_passes = false;  ///< structural verify() after each pass
    std::string stop_after = {};  ///< name of a pass in passes.def: the module is returned as it is then
    std::vector<std::string> disabled_passes = {};  ///< names of passes that are left out; none is Required
    /// Is called before the first pass and after each, on the calling thread; costs nothing where there is none. The words
    /// live as long as the call.
    std::function<void(const AfterPass&)> after_pass = {};
};

struct Translation {
    std::vector<uint32_t> words = {};
    ProgramInterface interface = {};
    std::vector<StageTime> times = {};  ///< reading, each pass, writing
};

/// Error::code where memory was short: VK_ERROR_OUT_OF_HOST_MEMORY.
constexpr int32_t kOutOfHostMemory = -1;

/// Translates a whole module. Never throws: a bug of ours becomes an error that says so. What is declined is
/// declined in check_supported, before any lowering, by kernel, place and missing feature. The thread's floating-point environment
/// changes nothing.
Result<Translation> translate(std::span<const uint32_t> opencl_words, const TranslateOptions& options,
                              const BuiltinLibrary& library);

}  // namespace caldera::vulkan
