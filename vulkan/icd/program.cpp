// SPDX-License-Identifier: Apache-2.0
// Programs as objects (OpenCL API 5.8); build.cpp builds them.
#include "vulkan/icd/program.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <map>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/raw_words.h"
#include "spirv/specialize.h"
#include "vulkan/build_program.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/names.h"
#include "vulkan/icd/queue.h"

using namespace caldera;
using namespace caldera::icd;

std::shared_ptr<runtime::Program> _cl_program::any_executable() const {
    const std::lock_guard lock(mutex);
    bool is_built = false;
    for (const Build& build : builds) {
        if (build.program) return build.program;
        is_built |= build.is_executable();
    }
    if (is_built) return nullptr;
    throw ApiError(CL_INVALID_PROGRAM_EXECUTABLE);
}

namespace caldera::icd {
namespace {

/// The places of the devices in a list, or of all devices of the program if there is no list.
std::vector<size_t> checked_places(const Program& program, cl_uint count, const cl_device_id* list) {
    require((count == 0) == (list == nullptr), CL_INVALID_VALUE);
    std::vector<size_t> places;
    for (cl_uint i = 0; i < count; ++i) {
        const size_t place = program.context->place_of(checked(list[i]));
        const std::lock_guard lock(program.mutex);
        require(program.builds[place].has_device, CL_INVALID_DEVICE);
        places.push_back(place);
    }
    const std::lock_guard lock(program.mutex);
    for (size_t place = 0; count == 0 && place < program.builds.size(); ++place)
        if (program.builds[place].has_device) places.push_back(place);
    return places;
}

/// What the objects that are linked are now on the device of a place. Throws CL_INVALID_OPERATION for what is
/// none, or is being built (OpenCL API 5.8.5).
std::vector<Program::Build> checked_objects(std::span<const Program* const> programs, size_t place) {
    std::vector<Program::Build> objects;
    for (const Program* program : programs) {
        const std::lock_guard lock(program->mutex);
        const Program::Build& object = program->builds[place];
        require(
            object.status != CL_BUILD_IN_PROGRESS && (object.type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                                                      object.type == CL_PROGRAM_BINARY_TYPE_LIBRARY),
            CL_INVALID_OPERATION);
        objects.push_back(object);
    }
    return objects;
}

/// Whether a program has something to link on the device of a place. The others are left out (OpenCL API
/// 5.8.5).
bool has_any_object(std::span<const Program* const> programs, size_t place) {
    return std::ranges::any_of(programs, [&](const Program* program) {
        const std::lock_guard lock(program->mutex);
        return program->builds[place].status == CL_BUILD_IN_PROGRESS ||
               program->builds[place].type != CL_PROGRAM_BINARY_TYPE_NONE;
    });
}

/// Calls `make` for the builds of all places. No lock is held meanwhile; other threads see that the builds
/// are in progress. Throws CL_INVALID_OPERATION if they are already, or if the program has kernels: as long
/// as these exist, its builds stay as they are.
template <class Make>
bool make_builds(Program& program, const std::vector<size_t>& places, const Make& make) {
    {
        const std::lock_guard lock(program.mutex);
        require(program.kernels == 0, CL_INVALID_OPERATION);
        for (const size_t place : places)
            require(program.builds[place].status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION);
        for (const size_t place : places) {
            program.builds[place].status = CL_BUILD_IN_PROGRESS;
            program.builds[place].program.reset();
        }
    }
    bool succeeds = true;
    const cl_int code = entry([&] {
        for (const size_t place : places) {
            Program::Build made = make(place);
            succeeds &= made.status == CL_BUILD_SUCCESS;
            const std::lock_guard lock(program.mutex);
            program.builds[place] = std::move(made);
        }
    });
    const std::lock_guard lock(program.mutex);
    for (const size_t place : places) {
        cl_build_status& status = program.builds[place].status;
        if (status == CL_BUILD_IN_PROGRESS) status = CL_BUILD_ERROR;
    }
    require(code == CL_SUCCESS, code);
    return succeeds;
}

void check_callback(BuildCallback callback, void* user_data) {
    require(callback || !user_data, CL_INVALID_VALUE);
}

/// A call of the program's function, which tells it that a build is over. It keeps the program that was
/// built.
struct Notice {
    BuildCallback function = nullptr;
    Ref<Program> built = {};
    void* user_data = nullptr;
};

/// What the function that this thread calls leaves to do after it. Null while it calls none.
constinit thread_local std::list<Notice>* later_notices = nullptr;

/// Such a function may build the next program, whose function builds the next one, and so on. So functions
/// that are to be called while another one runs are called after that, and a chain of them needs no stack.
void notify(BuildCallback callback, Program& built, void* user_data) {
    if (!callback) return;
    std::list<Notice> notices = {{callback, Ref<Program>(&built), user_data}};
    if (later_notices) return later_notices->splice(later_notices->end(), notices);
    const struct Calling {
        explicit Calling(std::list<Notice>& later) { later_notices = &later; }
        ~Calling() { later_notices = nullptr; }
    } calling(notices);
    const CallersFloatEnvironment callers;
    for (; !notices.empty(); notices.pop_front()) {
        const Notice& notice = notices.front();
        notice.function(notice.built.get(), notice.user_data);
    }
}

}  // namespace

// ---- Creating ----

cl_program CL_API_CALL CreateProgramWithSource(cl_context handle, cl_uint count, const char** strings,
                                               const size_t* lengths, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        require(count != 0 && strings, CL_INVALID_VALUE);
        auto program = std::make_unique<Program>(context);
        program->source = "";
        for (cl_uint i = 0; i < count; ++i) {
            require(strings[i], CL_INVALID_VALUE);
            const size_t length = lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]);
            program->source->append(strings[i], length);
        }
        return program.release();
    });
}

cl_program CL_API_CALL CreateProgramWithIL(cl_context handle, const void* il, size_t length,
                                           cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        require(il && length != 0 && length % 4 == 0, CL_INVALID_VALUE);
        auto program = std::make_unique<Program>(context);
        std::vector<uint32_t> given(length / 4);
        std::memcpy(given.data(), il, length);
        program->is_il_swapped = spirv::is_swapped(given);
        program->il = program->is_il_swapped ? spirv::swapped(given) : std::move(given);
        require(is_module(program->il), CL_INVALID_VALUE);
        return program.release();
    });
}

cl_program CL_API_CALL CreateProgramWithBinary(cl_context handle, cl_uint count, const cl_device_id* list,
                                               const size_t* lengths, const unsigned char** binaries,
                                               cl_int* binary_status, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        require(list && count != 0 && lengths && binaries, CL_INVALID_VALUE);
        auto program = std::make_unique<Program>(context);
        for (Program::Build& build : program->builds) build.has_device = false;
        cl_int code = CL_SUCCESS;
        for (cl_uint i = 0; i < count; ++i) {
            Program::Build& build = program->builds[context.place_of(checked(list[i]))];
            build.has_device = true;
            cl_int status = CL_SUCCESS;
            if (!binaries[i] || lengths[i] == 0)
                status = CL_INVALID_VALUE;
            else if (!from_binary({binaries[i], lengths[i]}, build))
                status = CL_INVALID_BINARY;
            if (binary_status) binary_status[i] = status;
            if (code == CL_SUCCESS) code = status;
        }
        require(code == CL_SUCCESS, code);
        return program.release();
    });
}

cl_program CL_API_CALL CreateProgramWithBuiltInKernels(cl_context handle, cl_uint count,
                                                       const cl_device_id* list, const char* names,
                                                       cl_int* code_ret) {
    return make(code_ret, [&]() -> cl_program {
        const Context& context = checked(handle);
        for (const Device* device : checked_devices(count, list)) context.place_of(*device);
        require(names, CL_INVALID_VALUE);
        throw ApiError(CL_INVALID_VALUE);  // no device has built-in kernels
    });
}

cl_int CL_API_CALL RetainProgram(cl_program program) { return retain(program); }
cl_int CL_API_CALL ReleaseProgram(cl_program program) { return release(program); }

/// From OpenCL 2.2: for devices with destructors of program-scope variables. No device has them.
cl_int CL_API_CALL SetProgramReleaseCallback(cl_program handle,
                                             void(CL_CALLBACK* function)(cl_program, void*), void*) {
    return entry([&] {
        checked(handle);
        require(function, CL_INVALID_VALUE);
        throw ApiError(CL_INVALID_OPERATION);
    });
}

cl_int CL_API_CALL SetProgramSpecializationConstant(cl_program handle, cl_uint id, size_t size,
                                                    const void* value) {
    return entry([&] {
        Program& self = checked(handle);
        require(!self.il.empty(), CL_INVALID_PROGRAM);
        const size_t bytes = spirv::spec_constant_bytes(vulkan::readable(self.il), id);
        require(bytes != 0, CL_INVALID_SPEC_ID);
        require(size == bytes && value, CL_INVALID_VALUE);
        const auto* from = static_cast<const std::byte*>(value);
        const std::lock_guard lock(self.mutex);
        self.spec_constants[id].assign(from, from + size);
    });
}

// ---- Building ----

namespace {

/// Throws the code for unknown options. Programs look for the reason in the build log, so it is there if
/// nothing was built before.
void require_known(const Result<Done>& known, Program& program, const std::vector<size_t>& places,
                   cl_int code) {
    if (known) return;
    log(known.error());
    const std::lock_guard lock(program.mutex);
    for (const size_t place : places)
        if (Program::Build& build = program.builds[place]; build.status == CL_BUILD_NONE)
            build.log = "error: " + known.error().message + "\n";
    throw ApiError(code);
}

}  // namespace

cl_int CL_API_CALL BuildProgram(cl_program handle, cl_uint count, const cl_device_id* list,
                                const char* options, BuildCallback callback, void* user_data) {
    return entry([&] {
        Program& self = checked(handle);
        check_callback(callback, user_data);
        const std::vector<size_t> places = checked_places(self, count, list);
        require_known(check_build_options(options), self, places, CL_INVALID_BUILD_OPTIONS);
        require(!self.is_linked, CL_INVALID_OPERATION);
        if (!self.source && self.il.empty()) {
            const std::lock_guard lock(self.mutex);
            for (const size_t place : places)
                require(!self.builds[place].words.empty(), CL_INVALID_OPERATION);
        }
        const bool succeeds = make_builds(
            self, places, [&](size_t place) { return build(self, place, options ? options : ""); });
        notify(callback, self, user_data);
        require(succeeds, CL_BUILD_PROGRAM_FAILURE);
    });
}

cl_int CL_API_CALL CompileProgram(cl_program handle, cl_uint count, const cl_device_id* list,
                                  const char* options, cl_uint header_count, const cl_program* headers,
                                  const char** header_names, BuildCallback callback, void* user_data) {
    return entry([&] {
        Program& self = checked(handle);
        check_callback(callback, user_data);
        const std::vector<size_t> places = checked_places(self, count, list);
        require(
            (header_count == 0) == (headers == nullptr) && (header_count == 0) == (header_names == nullptr),
            CL_INVALID_VALUE);
        std::vector<Header> checked_headers;
        for (cl_uint i = 0; i < header_count; ++i) {
            require(header_names[i], CL_INVALID_VALUE);
            const Program& header = checked(headers[i]);
            require(header.context == self.context, CL_INVALID_CONTEXT);
            checked_headers.push_back({header_names[i], &header});
        }
        require_known(check_compile_options(options), self, places, CL_INVALID_COMPILER_OPTIONS);
        require(self.source || !self.il.empty(), CL_INVALID_OPERATION);
        const bool succeeds = make_builds(self, places, [&](size_t place) {
            return compile(self, place, options ? options : "", checked_headers);
        });
        notify(callback, self, user_data);
        require(succeeds, CL_COMPILE_PROGRAM_FAILURE);
    });
}

cl_program CL_API_CALL LinkProgram(cl_context handle, cl_uint count, const cl_device_id* list,
                                   const char* options, cl_uint input_count, const cl_program* inputs,
                                   BuildCallback callback, void* user_data, cl_int* code_ret) {
    // A program that failed to link is also returned; its log has the errors. OpenCL API 5.8.4 does not
    // require this, but the conformance tests do (compiler, link_error_returns_program).
    Program* made = nullptr;
    const cl_int code = entry([&] {
        Context& context = checked(handle);
        check_callback(callback, user_data);
        require((count == 0) == (list == nullptr), CL_INVALID_VALUE);
        require(input_count != 0 && inputs, CL_INVALID_VALUE);
        std::vector<const Program*> objects;
        for (cl_uint i = 0; i < input_count; ++i) {
            objects.push_back(&checked(inputs[i]));
            require(objects.back()->context.get() == &context, CL_INVALID_CONTEXT);
        }
        check_link_options(options, CL_INVALID_LINKER_OPTIONS);
        auto program = std::make_unique<Program>(context);
        program->is_linked = true;
        std::vector<size_t> places = checked_places(*program, count, list);
        std::map<size_t, std::vector<Program::Build>> by_place;
        for (const size_t place : places)
            if (has_any_object(objects, place)) by_place[place] = checked_objects(objects, place);
        require(!by_place.empty(), CL_INVALID_OPERATION);
        std::erase_if(places, [&](size_t place) { return !by_place.contains(place); });
        for (size_t place = 0; place < program->builds.size(); ++place)
            program->builds[place].has_device = by_place.contains(place);
        const bool succeeds = make_builds(*program, places, [&](size_t place) {
            return link(*program, place, options ? options : "", by_place[place]);
        });
        made = program.release();
        notify(callback, *made, user_data);
        require(succeeds, CL_LINK_PROGRAM_FAILURE);
    });
    if (code_ret) *code_ret = code;
    return made;
}

cl_int CL_API_CALL UnloadPlatformCompiler(cl_platform_id platform) {
    return entry([&] { checked_platform(platform); });
}
cl_int CL_API_CALL UnloadCompiler() { return CL_SUCCESS; }

// ---- Asking ----

/// Throws CL_INVALID_PROGRAM_EXECUTABLE: another thread may have begun a build since the caller looked.
HasKernel devices_with_kernel(const Program& program, const std::string& name) {
    const std::lock_guard lock(program.mutex);
    const vulkan::Kernel* first = nullptr;
    bool is_built = false, have_all = true;
    for (const Program::Build& build : program.builds) {
        if (!build.is_executable()) continue;
        is_built = true;
        const vulkan::Kernel* kernel = build.program ? build.program->find_kernel(name) : nullptr;
        if (!kernel || kernel->is_block) {
            have_all = false;
            continue;
        }
        const auto is_same = [](const vulkan::KernelArgument& a, const vulkan::KernelArgument& b) {
            return a.kind == b.kind &&
                   (a.kind != vulkan::ArgumentKind::Value || a.size_bytes == b.size_bytes);
        };
        have_all &= !first || std::ranges::equal(first->arguments, kernel->arguments, is_same);
        first = kernel;
    }
    require(is_built, CL_INVALID_PROGRAM_EXECUTABLE);
    return !first ? HasKernel::None : have_all ? HasKernel::All : HasKernel::Some;
}

std::vector<std::string> kernel_names(const Program& program) {
    std::vector<std::string> names;
    const std::shared_ptr<runtime::Program> executable = program.any_executable();
    if (!executable) return names;
    const bool may_differ = program.builds.size() > 1;
    for (const vulkan::Kernel& kernel : executable->interface().kernels)
        if (may_differ ? devices_with_kernel(program, kernel.name) == HasKernel::All : !kernel.is_block)
            names.push_back(kernel.name);
    return names;
}

namespace {

/// The program passes an array with the destination of each device's binary, or null for none.
void put_binaries(const Program& self, size_t size, void* value, size_t* size_ret) {
    std::vector<std::vector<unsigned char>> binaries;
    for (const Program::Build& build : self.builds)
        if (build.has_device) binaries.push_back(to_binary(build));
    const size_t bytes = binaries.size() * sizeof(unsigned char*);
    require(!value || size >= bytes, CL_INVALID_VALUE);
    auto* const* out = static_cast<unsigned char* const*>(value);
    for (size_t i = 0; value && i < binaries.size(); ++i)
        if (out[i]) std::ranges::copy(binaries[i], out[i]);
    if (size_ret) *size_ret = bytes;
}

}  // namespace

cl_int CL_API_CALL GetProgramInfo(cl_program handle, cl_program_info name, size_t size, void* value,
                                  size_t* size_ret) {
    return entry([&] {
        const Program& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_PROGRAM_REFERENCE_COUNT: return answer.put(self.references());
            case CL_PROGRAM_CONTEXT: return answer.put<cl_context>(self.context.get());
            case CL_PROGRAM_NUM_DEVICES: {
                const std::lock_guard lock(self.mutex);
                return answer.put(
                    static_cast<cl_uint>(std::ranges::count(self.builds, true, &Program::Build::has_device)));
            }
            case CL_PROGRAM_DEVICES: {
                const std::lock_guard lock(self.mutex);
                std::vector<cl_device_id> devices;
                for (size_t place = 0; place < self.builds.size(); ++place)
                    if (self.builds[place].has_device) devices.push_back(self.context->places[place].device);
                return answer.put_all(devices);
            }
            case CL_PROGRAM_SOURCE: return answer.put_text(self.source.value_or(""));
            case CL_PROGRAM_IL: return answer.put_all(self.is_il_swapped ? spirv::swapped(self.il) : self.il);
            case CL_PROGRAM_BINARY_SIZES: {
                const std::lock_guard lock(self.mutex);
                std::vector<size_t> sizes;
                for (const Program::Build& build : self.builds)
                    if (build.has_device) sizes.push_back(to_binary(build).size());
                return answer.put_all(sizes);
            }
            case CL_PROGRAM_BINARIES: {
                const std::lock_guard lock(self.mutex);
                return put_binaries(self, size, value, size_ret);
            }
            case CL_PROGRAM_NUM_KERNELS: return answer.put(kernel_names(self).size());
            case CL_PROGRAM_KERNEL_NAMES: return answer.put_text(joined(kernel_names(self), ';'));
            case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
            case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
                (void)self.any_executable();  // there must be one
                return answer.put<cl_bool>(CL_FALSE);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL GetProgramBuildInfo(cl_program handle, cl_device_id device, cl_program_build_info name,
                                       size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const Program& self = checked(handle);
        const size_t place = self.context->place_of(checked(device));
        const Answer answer(size, value, size_ret);
        const std::lock_guard lock(self.mutex);
        const Program::Build& build = self.builds[place];
        require(build.has_device, CL_INVALID_DEVICE);
        switch (name) {
            case CL_PROGRAM_BUILD_STATUS: return answer.put(build.status);
            case CL_PROGRAM_BUILD_OPTIONS: return answer.put_text(build.options);
            case CL_PROGRAM_BUILD_LOG: return answer.put_text(build.log);
            case CL_PROGRAM_BINARY_TYPE: return answer.put(build.type);
            case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
                return answer.put<size_t>(build.program ? build.program->interface().data_segment.size() : 0);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
