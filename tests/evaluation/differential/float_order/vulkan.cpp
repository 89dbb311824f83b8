// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "executor.h"
#include "frontend/options.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"

namespace caldera::float_order {
namespace {

/// The program in SPIR-V by clang and llvm-spirv, in files of a folder that is removed afterwards.
class Clang {
 public:
    Clang() {
        folder_ = std::filesystem::temp_directory_path() / "float_order.XXXXXX";
        is_made_ = mkdtemp(folder_.data()) != nullptr;
    }
    ~Clang() {
        if (is_made_) std::filesystem::remove_all(folder_);
    }
    Clang(const Clang&) = delete;
    Clang& operator=(const Clang&) = delete;

    Result<std::vector<uint32_t>> compile(const Program& program, Input input) const {
        std::ofstream(folder_ + "/k.cl") << program.source;
        const std::string level = input == Input::Clang2 ? "-O2" : "-O0 -disable-O0-optnone";
        const std::string command =
            "cd " + folder_ +
            " && clang-15 -cc1 -triple spir64-unknown-unknown -finclude-default-header "
            "-fdeclare-opencl-builtins -no-opaque-pointers -relaxed-aliasing -cl-std=CL1.2 "
            "-ffp-contract=on " +
            program.options + " " + level + " -emit-llvm-bc k.cl -o k.bc && llvm-spirv-15 k.bc -o k.spv";
        if (std::system(command.c_str()) != 0) return Error{.message = "clang or llvm-spirv fails"};
        std::ifstream file(folder_ + "/k.spv", std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        std::vector<uint32_t> words(text.size() / 4);
        std::memcpy(words.data(), text.data(), words.size() * 4);
        return words;
    }

 private:
    std::string folder_ = {};
    bool is_made_ = false;
};

class VulkanExecutor : public Executor {
 public:
    Result<Done> open(const VulkanOptions& options) {
        options_ = options;
        Result<std::unique_ptr<runtime::Device>> device = runtime::open_device();
        if (!device) return device.error();
        device_ = device.take();
        Result<std::unique_ptr<runtime::Queue>> queue = runtime::Queue::create(*device_);
        if (!queue) return queue.error();
        queue_ = queue.take();
        for (const auto& [kind, numbers] : tables()) {
            const std::vector<std::byte> bytes = table_bytes(kind);
            Result<runtime::Buffer> buffer = runtime::Buffer::create(*device_, bytes.size());
            if (!buffer) return buffer.error();
            if (auto done = queue_->upload(*buffer, 0, bytes); !done) return done.error();
            tables_.emplace(kind, buffer.take());
        }
        return Done{};
    }

    std::string name() const override {
        return device_->name() + (options_.descriptors ? ", descriptors" : ", addresses") +
               (options_.offline ? ", offline" : "");
    }

    bool has(Kind kind) const override {
        return kind == Kind::Half ? device_->profile().float16 && device_->profile().int16
                                  : device_->profile().float64 && device_->profile().int64;
    }

    Denormals denormals() const override {
        const bool of_double = device_->keeps_double_denormals();
        if (options_.offline) return {.of_double = of_double};
        return {.half = keeps_denormals(device_->profile(), 16),
                .single = keeps_denormals(device_->profile(), 32),
                .of_double = of_double};
    }

    Result<std::vector<std::vector<std::byte>>> run(const Program& program,
                                                    const std::vector<uint32_t>& slots,
                                                    Input input) override {
        BuildOptions options;
        if (auto done = frontend::parse_build_options(program.options, options.compile); !done)
            return done.error();
        options.abi = options_.descriptors ? vulkan::Abi::Descriptors : vulkan::Abi::Addresses;
        options.profile = profile();
        BuildResult built = {};
        if (input == Input::Ours) {
            built = build_program(*device_, program.source, "float_order.cl", options);
        } else {
            Result<std::vector<uint32_t>> words = clang_.compile(program, input);
            if (!words) return words.error();
            built = build_program(*device_, *words, options);
        }
        if (!built) return Error{.message = "build: " + built.log};
        Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, "test");
        if (!kernel) return kernel.error();
        return launch(*kernel, program, slots);
    }

 private:
    /// A preset promises what not every device keeps: that Fma rounds once.
    vulkan::DeviceProfile profile() const {
        if (!options_.offline) return device_->profile();
        vulkan::DeviceProfile preset;
        if (options_.promised_fma) return preset;
        preset.fused_fma = device_->profile().fused_fma;
        preset.fused_half_fma = device_->profile().fused_half_fma;
        return preset;
    }

    Result<std::vector<std::vector<std::byte>>> launch(runtime::Kernel& kernel, const Program& program,
                                                       const std::vector<uint32_t>& slots) {
        uint32_t argument = 0;
        const int32_t turns = kTurns;
        if (auto done = kernel.set_value(argument++, std::as_bytes(std::span(&turns, 1))); !done)
            return done.error();
        for (const Kind kind : program.loaded)
            if (auto done = kernel.set(argument++, tables_.at(kind)); !done) return done.error();
        std::vector<runtime::Buffer> buffers;
        for (size_t i = 0; i < program.stored.size(); ++i) {
            const auto element = static_cast<uint64_t>(info(program.stored[i]).bytes);
            Result<runtime::Buffer> buffer =
                runtime::Buffer::create(*device_, slots[i] * kItems * kMaxWidth * element);
            if (!buffer) return buffer.error();
            buffers.push_back(buffer.take());
        }
        for (const runtime::Buffer& buffer : buffers) {
            if (auto event = queue_->fill(buffer, 0, buffer.size_bytes(), 0xdeadbeefu); !event)
                return event.error();
            if (auto done = kernel.set(argument++, buffer); !done) return done.error();
        }
        const runtime::NDRange range{.dimensions = 1, .global = {kItems, 1, 1}, .local = {16, 1, 1}};
        if (auto event = queue_->dispatch(kernel, range); !event) return event.error();
        std::vector<std::vector<std::byte>> results;
        for (const runtime::Buffer& buffer : buffers) {
            results.emplace_back(buffer.size_bytes());
            if (auto done = queue_->download(buffer, 0, results.back()); !done) return done.error();
        }
        return results;
    }

    VulkanOptions options_ = {};
    std::unique_ptr<runtime::Device> device_ = {};
    std::map<Kind, runtime::Buffer> tables_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};  // dies before the buffers that it uses
    Clang clang_ = {};
};

}  // namespace

std::vector<std::byte> table_bytes(Kind kind) {
    const std::vector<uint64_t>& numbers = tables().at(kind);
    const auto size = static_cast<size_t>(info(kind).bytes);
    std::vector<std::byte> bytes(numbers.size() * size);
    for (size_t i = 0; i < numbers.size(); ++i) std::memcpy(&bytes[i * size], &numbers[i], size);
    return bytes;
}

Result<std::unique_ptr<Executor>> open_vulkan(const VulkanOptions& options) {
    auto executor = std::make_unique<VulkanExecutor>();
    if (auto done = executor->open(options); !done) return done.error();
    return std::unique_ptr<Executor>(std::move(executor));
}

}  // namespace caldera::float_order
