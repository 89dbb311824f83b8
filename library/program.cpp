// SPDX-License-Identifier: Apache-2.0
// Programs and their kernels.
#include "caldera/program.h"

#include "caldera/device_queue.h"
#include "caldera/kernel.h"
#include "library/adopted_image.h"
#include "library/objects.h"
#include "library/options.h"
#include "spirv/support/try.h"
#include "vulkan/build_program.h"
#include "vulkan/narrowed_profile.h"

namespace caldera {

using detail::Access;

// ---- Program ----

Result<BuildOptions> detail::build_options(const ProgramOptions& options,
                                           const vulkan::DeviceProfile& device) {
    Result<frontend::CompileOptions> compile = detail::frontend_options(options.compile);
    if (!compile) return compile.error();
    BuildOptions build;
    build.optimization_level = compile->opt_disable ? 0 : compile->optimization;
    build.compile = compile.take();
    build.abi = options.abi;
    build.images = options.images;
    build.spec_constants = options.spec_constants;
    if (options.compile.profile)
        build.profile = vulkan::narrowed_profile(device, detail::plain(*options.compile.profile));
    return build;
}

namespace {

ProgramResult public_result(const Device& device, BuildResult built) {
    ProgramResult result{.log = std::move(built.log),
                         .diagnostics = std::move(built.diagnostics),
                         .failure = std::move(built.failure)};
    if (built.program)
        result.program = Access::make<Program>(device, std::move(built.words), std::move(built.program));
    return result;
}

template <class... Input>
ProgramResult build_any(const Device& device, const ProgramOptions& options, auto build,
                        const Input&... input) {
    const Result<BuildOptions> given = device
                                           ? detail::build_options(options, detail::opened(device).profile())
                                           : Error{.message = "there is no device"};
    if (given) return public_result(device, build(detail::opened(device), input..., *given));
    CompileResult failed = detail::failed(given.error());
    return {.log = std::move(failed.log), .diagnostics = std::move(failed.diagnostics)};
}

}  // namespace

ProgramResult Program::build(const Device& device, std::string_view source, const std::string& file_name,
                             const ProgramOptions& options) {
    return build_any(
        device, options, [](auto&&... all) { return build_program(all...); }, source, file_name);
}

ProgramResult Program::build(const Device& device, std::span<const uint32_t> opencl_words,
                             const ProgramOptions& options) {
    return build_any(
        device, options, [](auto&&... all) { return build_program(all...); }, opencl_words);
}

ProgramResult Program::build_file(const Device& device, const std::string& path,
                                  const ProgramOptions& options) {
    return build_any(
        device, options, [](auto&&... all) { return build_program_from_file(all...); }, path);
}

Result<Program> Program::load(const Device& device, const Translation& translation) {
    TRY(detail::check_exists(device, "device"));
    Result<std::unique_ptr<runtime::Program>> program =
        runtime::Program::create(detail::opened(device), translation.words, translation.interface);
    if (!program) return program.error();
    return Access::make<Program>(device, translation.words, program.take());
}

const ProgramInterface& Program::interface() const { return impl_->program->interface(); }
std::span<const uint32_t> Program::words() const { return impl_->words; }

// ---- Kernel ----

Result<Done> Kernel::Impl::keep(uint32_t index, Result<Done> result, detail::Kept object) {
    if (!result) return result;
    arguments[index] = std::move(object);
    kept = nullptr;
    return result;
}

const std::shared_ptr<const std::vector<detail::Kept>>& Kernel::Impl::used() {
    if (kept) return kept;
    auto all = std::make_shared<std::vector<detail::Kept>>(arguments);
    all->push_back(detail::Access::of(program));
    kept = std::move(all);
    return kept;
}

Result<Kernel> Kernel::create(const Program& program, std::string_view name) {
    TRY(detail::check_exists(program, "program"));
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*Access::of(program)->program, name);
    if (!kernel) return kernel.error();
    std::vector<detail::Kept> arguments(kernel->interface().arguments.size());
    return Access::make<Kernel>(program, kernel.take(), std::move(arguments));
}

const KernelInterface& Kernel::interface() const { return impl_->kernel.interface(); }

namespace {

/// The same error, which names the argument if the kernel has it.
Error error_of(const detail::ArgumentOf& of, const Error& error) {
    return of.argument() ? Error{.message = of.text() + ": " + error.message} : error;
}

template <class Object>
Result<Done> check_argument(const Kernel& kernel, uint32_t index, const Object& object,
                            std::string_view what) {
    TRY(detail::check_exists(kernel, "kernel"));
    const Result<Done> usable = detail::check_usable(kernel, object, what);
    return usable ? usable : error_of({kernel.interface(), index}, usable.error());
}

/// SamplerBits.
Result<uint32_t> bits_of(const Sampler& sampler) {
    constexpr uint32_t kModes[] = {kSamplerAddressNone, kSamplerClampToEdge, kSamplerClamp, kSamplerRepeat,
                                   kSamplerMirroredRepeat};
    if (static_cast<size_t>(sampler.addressing) >= std::size(kModes))
        return Error{.message = "there is no such addressing mode"};
    const bool repeats =
        sampler.addressing == AddressingMode::Repeat || sampler.addressing == AddressingMode::MirroredRepeat;
    if (!sampler.normalized && (repeats || sampler.linear_levels))
        return Error{.message = std::string("a sampler that ") +
                                (repeats ? "repeats the image" : "mixes levels") +
                                " takes normalized coordinates"};
    return (sampler.normalized ? uint32_t{kSamplerNormalized} : 0u) |
           kModes[static_cast<size_t>(sampler.addressing)] |
           (sampler.linear ? uint32_t{kSamplerLinear} : uint32_t{kSamplerNearest}) |
           (sampler.linear_levels ? uint32_t{kSamplerLinearLevels} : 0u);
}

}  // namespace

Result<Done> Kernel::set_value(uint32_t index, std::span<const std::byte> bytes) {
    TRY(detail::check_exists(*this, "kernel"));
    return impl_->kernel.set_value(index, bytes);
}

Result<Done> Kernel::set(uint32_t index, const Buffer& buffer, uint64_t offset_bytes) {
    TRY(check_argument(*this, index, buffer, "buffer"));
    const auto& impl = Access::of(buffer);
    return impl_->keep(index, impl_->kernel.set(index, impl->buffer, offset_bytes), impl);
}

Result<Done> Kernel::set(uint32_t index, const Image& image) {
    TRY(check_argument(*this, index, image, "image"));
    const auto& impl = Access::of(image);
    const detail::ArgumentOf argument_of{impl_->kernel.interface(), index};
    if (impl->view) {
        TRY(detail::check_view(*impl->view, argument_of));
        TRY(detail::check_literals(*impl->view, argument_of));
        return impl_->keep(index, impl_->kernel.set_vulkan_image(index, impl->view->vulkan), impl);
    }
    TRY(detail::check_memory(impl->options, argument_of));
    const uint32_t format =
        image_format_number(impl->descriptor.channel_order, impl->descriptor.channel_data_type);
    const runtime::ImageArgument argument{.descriptor = impl->descriptor,
                                          .descriptor_address = impl->described.address(),
                                          .texels = &Access::of(impl->texels)->buffer,
                                          .format_number = format};
    return impl_->keep(index, impl_->kernel.set_image(index, argument), impl);
}

Result<Done> Kernel::set(uint32_t index, const Sampler& sampler) {
    TRY(detail::check_exists(*this, "kernel"));
    const detail::ArgumentOf of{interface(), index};
    const Result<uint32_t> bits = bits_of(sampler);
    if (!bits) return error_of(of, bits.error());
    TRY(detail::check_sampler(*bits, of));
    TRY(impl_->kernel.set_sampler(index, *bits));
    impl_->samplers[index] = *bits;
    return Done{};
}

Result<Done> Kernel::set(uint32_t index, const Pipe& pipe) {
    TRY(check_argument(*this, index, pipe, "pipe"));
    const auto& impl = Access::of(pipe);
    return impl_->keep(index, impl_->kernel.set(index, impl->pipe), impl);
}

Result<Done> Kernel::set(uint32_t index, const DeviceQueue& queue) {
    TRY(check_argument(*this, index, queue, "queue"));
    const auto& impl = Access::of(queue);
    return impl_->keep(index, impl_->kernel.set_queue(index, impl->queue->handle()), impl);
}

Result<Done> Kernel::set_local(uint32_t index, uint64_t size_bytes) {
    TRY(detail::check_exists(*this, "kernel"));
    return impl_->kernel.set_local(index, size_bytes);
}

Result<Done> Kernel::set_address(uint32_t index, uint64_t address) {
    TRY(detail::check_exists(*this, "kernel"));
    return impl_->keep(index, impl_->kernel.set_address(index, address), nullptr);
}

uint64_t Kernel::local_bytes() const { return impl_->kernel.local_bytes(); }
std::optional<uint32_t> Kernel::unset_argument() const { return impl_->kernel.unset_argument(); }

}  // namespace caldera
