// SPDX-License-Identifier: Apache-2.0
// Program: the source of kernels, and the result of building it on each device.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontend/compile.h"
#include "vulkan/icd/context.h"
#include "vulkan/runtime/program.h"

struct _cl_program final : caldera::icd::Object<_cl_program> {
    static constexpr cl_int kInvalid = CL_INVALID_PROGRAM;
    explicit _cl_program(caldera::icd::Context& its_context)
        : context(&its_context), builds(its_context.places.size()) {}

    const caldera::icd::Ref<caldera::icd::Context> context;
    std::optional<std::string> source = {};
    std::vector<uint32_t> il = {};  ///< the SPIR-V that the program was created from
    bool is_il_swapped = false;     ///< the program gave it in the other order of bytes
    bool is_linked = false;         ///< made by clLinkProgram, so there is no source to build

    /// The state on the device of one place.
    struct Build {
        bool has_device = true;  ///< false if the program is not for this device
        cl_build_status status = CL_BUILD_NONE;
        std::string options = {}, log = {};
        /// Options from before that hold beside those above, of what was linked or created from a binary.
        std::string kept_options = {};
        /// Those of `options` that are in force, if not all of them are.
        std::optional<std::string> applied_options = {};
        /// Options of a link may change how it computes. False for a library that was created without
        /// -enable-link-options, and for what was linked with such a library.
        bool takes_link_options = true;
        cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
        /// OpenCL SPIR-V: an object, a library, or the module that `program` was made from
        std::vector<uint32_t> words = {};
        bool is_trusted = false;                                  ///< Caldera's front end made `words`
        std::shared_ptr<caldera::runtime::Program> program = {};  ///< set for an executable with kernels
        /// Kernels whose local sizes must divide global sizes: of objects in OpenCL C before 2.0, or with the
        /// option.
        std::vector<std::string> uniform_kernels = {};
        /// Those of the binary that the program was created from, whatever options its builds have.
        std::vector<std::string> kept_uniform_kernels = {};

        bool is_executable() const {
            return status == CL_BUILD_SUCCESS && type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        }
    };
    mutable std::mutex mutex = {};  ///< guards the members below
    std::map<cl_uint, std::vector<std::byte>> spec_constants = {};
    /// By place. Only the thread that builds changes a build in progress. None begins while there are
    /// kernels, so who has one reads without the lock.
    std::vector<Build> builds;
    std::atomic<cl_uint> kernels = 0;  ///< becomes more than 0 under the lock

    /// The executable on any device, for properties that are the same on all. Null if it has no kernels.
    /// Throws CL_INVALID_PROGRAM_EXECUTABLE.
    std::shared_ptr<caldera::runtime::Program> any_executable() const;
};

namespace caldera::icd {

using Program = ::_cl_program;

/// Called when the build is over; may be null.
using BuildCallback = void(CL_CALLBACK*)(cl_program, void*);

/// Which devices that have an executable have a kernel of the name, with the same parameters: macros of
/// builds may differ. Blocks are none, because only kernels enqueue them.
enum class HasKernel : uint8_t { None, Some, All };
HasKernel devices_with_kernel(const Program& program, const std::string& name);
/// The kernels that a program may create: those that all devices have.
std::vector<std::string> kernel_names(const Program& program);

struct Header {
    std::string name = {};
    const Program* program = nullptr;
};
/// The results of compiling (clCompileProgram), building or linking a program on the device of a place. These
/// read the current state without a lock. They throw for failures for which the program is not to blame.
Program::Build compile(const Program& program, size_t place, const std::string& options,
                       const std::vector<Header>& headers);
Program::Build build(const Program& program, size_t place, const std::string& options);
Program::Build link(const Program& program, size_t place, const std::string& options,
                    std::span<const Program::Build> objects);

/// Whether builds know all options: the compiler's and the linker's.
Result<Done> check_build_options(const char* options);
/// Whether the compiler knows all options.
Result<Done> check_compile_options(const char* options);
/// Throws `code` for an unknown option or an invalid value.
void check_link_options(const char* options, cl_int code);

/// Whether the words, in this machine's order, are SPIR-V of a version in CL_DEVICE_IL_VERSION that can be
/// read. The log says what they lack; a build finds whether the module is valid.
bool is_module(std::span<const uint32_t> words);
/// The binary that clGetProgramInfo returns: Caldera's header and OpenCL SPIR-V, the same on every device.
/// Empty if no build has succeeded.
std::vector<unsigned char> to_binary(const Program::Build& build);
/// Returns false if the bytes are not a binary. SPIR-V is accepted, too.
bool from_binary(std::span<const unsigned char> bytes, Program::Build& build);

}  // namespace caldera::icd
