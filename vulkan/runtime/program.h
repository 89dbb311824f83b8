// SPDX-License-Identifier: Apache-2.0
// Program: a translated module on a device. Kernel: one of its kernels with its arguments.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/compiled_module.h"
#include "vulkan/runtime/descriptors.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/pipe.h"
#include "vulkan/runtime/printf.h"

namespace caldera::runtime {

/// Thread-safe. Owns the data segment, and has the shader modules and pipelines together with other programs of the same words.
class Program {
 public:
    ~Program();
    /// `words` and `interface` come from translate() for this device's profile.
    static Result<std::unique_ptr<Program>> create(Device& device, std::span<const uint32_t> words,
                                                   vulkan::ProgramInterface interface);

    Device& device() const { return device_; }
    const vulkan::ProgramInterface& interface() const { return interface_; }
    const vulkan::Kernel* find_kernel(std::string_view name) const;
    const Buffer& data_segment() const { return data_segment_; }
    uint64_t data_segment_address() const { return data_segment_.address() + data_offset_bytes_; }
    /// Outlives the program where its output has not been read yet. Null: no kernel prints.
    const std::shared_ptr<const PrintfTable>& printf_table() const { return printf_table_; }
    /// Null where kernels reach memory by addresses.
    const DescriptorLayout* descriptor_layout(const vulkan::Kernel& kernel) const {
        return descriptors_.empty() ? nullptr : &descriptors_[index_of(kernel)];
    }
    VkPipelineLayout pipeline_layout(const vulkan::Kernel& kernel) const;

    /// What a launch wants of a pipeline.
    struct Wanted {
        std::array<uint32_t, 3> local_size = {1, 1, 1};
        bool has_base = false;                     ///< a group or global id base is not 0
        bool has_full_groups = true;               ///< no group reaches beyond the region
        uint32_t printf_words = 0;                 ///< how large printf's buffer is, for kernels that print
        std::span<const uint32_t> constants = {};  ///< of the kernel's arguments, in their order
        uint64_t work_items = 0;                   ///< how many are to be launched
    };
    /// Made at first use; lives as long as the program.
    Result<VkPipeline> pipeline(const vulkan::Kernel& kernel, const Wanted& wanted);

 private:
    Program(Device& device, std::span<const uint32_t> words, vulkan::ProgramInterface interface);
    size_t index_of(const vulkan::Kernel& kernel) const {
        return static_cast<size_t>(&kernel - interface_.kernels.data());
    }
    Result<Done> upload_data_segment();
    Result<PipelineVariant> variant(const vulkan::Kernel& kernel, const Wanted& wanted) const;

    Device& device_;
    vulkan::ProgramInterface interface_;
    std::shared_ptr<CompiledModule> code_;
    Buffer data_segment_ = {};
    uint64_t data_offset_bytes_ = 0;  // of the data segment in its buffer
    std::shared_ptr<const PrintfTable> printf_table_ = {};
    std::vector<DescriptorLayout> descriptors_ = {};  // by kernel
};

/// A kernel and its arguments. Not thread-safe, as clSetKernelArg is not (OpenCL API 5.9.2). The program must outlive it.
class Kernel {
 public:
    static Result<Kernel> create(Program& program, std::string_view name);

    const vulkan::Kernel& interface() const { return *interface_; }
    Program& program() const { return *program_; }

    /// A by-value argument; `bytes` must have the argument's size.
    Result<Done> set_value(uint32_t index, std::span<const std::byte> bytes);
    template <class T>
    Result<Done> set(uint32_t index, const T& value) {
        return set_value(index, std::as_bytes(std::span(&value, 1)));
    }
    /// A pointer to global or constant memory: `offset_bytes` into the buffer, which must stay alive while in use. With
    /// descriptors the offset is a multiple of minStorageBufferOffsetAlignment.
    Result<Done> set(uint32_t index, const Buffer& buffer, uint64_t offset_bytes = 0);
    /// A pipe, whose packets must have the size that the kernel's have.
    Result<Done> set(uint32_t index, const Pipe& pipe);
    /// A queue_t: DeviceQueue::handle(), or 0 for CLK_NULL_QUEUE.
    Result<Done> set_queue(uint32_t index, uint64_t handle);
    /// The device address of an image's descriptor (vulkan/interface.h), which with the texels must stay alive while in use.
    /// `format_number`: vulkan::image_format_number() of its format for a pipeline of its own, or 0 for one that serves all.
    Result<Done> set_image(uint32_t index, uint64_t descriptor_address, uint32_t format_number = 0);
    Result<Done> set_sampler(uint32_t index, uint32_t bits);  ///< vulkan::SamplerBits
    /// A device address as it is; 0 is NULL. Descriptors have no addresses.
    Result<Done> set_address(uint32_t index, uint64_t address);
    /// A pointer to local memory of this size.
    Result<Done> set_local(uint32_t index, uint64_t size_bytes);
    /// Local memory of a work-group: the program's, and what arguments that are set point to.
    uint64_t local_bytes() const;
    /// The first argument that has not been set.
    std::optional<uint32_t> unset_argument() const;

 private:
    friend class Queue;
    Result<Done> check_kind(uint32_t index, std::initializer_list<vulkan::ArgumentKind> kinds,
                            const char* what);
    void store(uint32_t index, std::span<const std::byte> bytes);
    Result<Done> set_descriptor(uint32_t index, const Buffer& buffer, uint64_t offset_bytes);
    void store_address(uint32_t index, uint64_t address);
    uint32_t& constant(uint32_t index);  ///< the specialisation constant of an argument that has one
    std::string argument_text(uint32_t index) const;

    Program* program_ = nullptr;
    const vulkan::Kernel* interface_ = nullptr;
    std::vector<std::byte> block_ = {};        // the argument block, hidden arguments still zero
    std::vector<BufferBinding> buffers_ = {};  // with descriptors: by argument
    std::vector<uint32_t> constants_ = {};     // per argument that has a spec_id, in order
    std::vector<bool> is_set_ = {};
};

}  // namespace caldera::runtime
