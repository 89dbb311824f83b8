// SPDX-License-Identifier: Apache-2.0
// Program: what kernels are made of, and what became of it on each device.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
    std::vector<uint32_t> il = {};  ///< SPIR-V that the program was made of
    std::map<cl_uint, std::vector<std::byte>> spec_constants = {};
    bool is_linked = false;  ///< of others by clLinkProgram: there is nothing to build it of

    /// On the device of a place.
    struct Build {
        bool has_device = true;  ///< else the program is not for this device
        cl_build_status status = CL_BUILD_NONE;
        std::string options = {}, log = {};
        cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
        std::vector<uint32_t> words =
            {};                   ///< OpenCL SPIR-V: an object, a library, or what `program` was made of
        bool is_trusted = false;  ///< our own front end wrote `words`
        std::shared_ptr<caldera::runtime::Program> program = {};  ///< an executable's that has kernels
        bool has_uniform_groups =
            true;  ///< local sizes must divide global sizes (OpenCL C before 2.0, or the option)
    };
    mutable std::mutex mutex = {};  ///< guards what follows
    /// By place. One in progress is changed by nobody but who builds.
    std::vector<Build> builds;
    std::atomic<cl_uint> kernels = 0;

    /// The executable on some device, for what is the same on all of them; null for one without kernels. Throws
    /// CL_INVALID_PROGRAM_EXECUTABLE.
    std::shared_ptr<caldera::runtime::Program> any_executable() const;
};

namespace caldera::icd {

using Program = ::_cl_program;

/// Says that the build is over; a callback may be null.
using BuildCallback = void(CL_CALLBACK*)(cl_program, void*);

/// Those that a program may create: not blocks, which kernels enqueue.
std::vector<std::string> kernel_names(const Program& program);

struct Header {
    std::string name = {};
    const Program* program = nullptr;
};
/// What compiling (clCompileProgram), building or linking the objects makes of a program on the device of a place; what there was
/// is looked at, and nothing is locked. Throw what the program is not to blame for.
Program::Build compile(const Program& program, size_t place, const std::string& options,
                       const std::vector<Header>& headers);
Program::Build build(const Program& program, size_t place, const std::string& options);
Program::Build link(const Program& program, size_t place, const std::string& options,
                    const std::vector<const Program*>& objects);

/// Throw `code` when an option is none, or has a value that it cannot have.
void check_options(const char* options, cl_int code);
void check_link_options(const char* options, cl_int code);

/// What clGetProgramInfo gives as a binary: our header and OpenCL SPIR-V, the same on every device.
std::vector<unsigned char> to_binary(const Program::Build& build);
/// False when the bytes are no binary; SPIR-V is one too.
bool from_binary(std::span<const unsigned char> bytes, Program::Build& build);

}  // namespace caldera::icd
