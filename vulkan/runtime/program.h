// SPDX-License-Identifier: Apache-2.0
// Program: a translated module on a device. Kernel: one of its kernels with its arguments.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vulkan/interface.h"
#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/check_log.h"
#include "vulkan/runtime/compiled_module.h"
#include "vulkan/runtime/descriptors.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/pipe.h"
#include "vulkan/runtime/printf.h"

namespace caldera::runtime {

/// A form of a program whose images are textures: those that kernels only read, if nothing else is said.
struct ImageForm {
    bool is_written = false;  ///< those too that kernels write
    /// What kernels write are numbers that the texels have, for devices that would round otherwise than
    /// OpenCL wants. With `is_written` alone.
    bool rounds = false;
    bool has_slices = false;  ///< the texture of a 3D image is a 2D array of its slices
    auto operator<=>(const ImageForm&) const = default;
};

/// Thread-safe. Owns the data segment, and has the shader modules and pipelines together with other programs
/// of the same words.
class Program {
 public:
    /// Another form of the program.
    struct Code {
        std::vector<uint32_t> words = {};
        vulkan::ProgramInterface interface = {};
    };
    using TranslateSplit = std::function<Result<Code>(const vulkan::SplitBuffers&)>;
    using TranslateForm = std::function<Result<Code>()>;
    using TranslateImages = std::function<Result<Code>(const ImageForm&)>;

    ~Program();
    /// `words` and `interface` come from translate() for this device's profile.
    static Result<std::unique_ptr<Program>> create(Device& device, std::span<const uint32_t> words,
                                                   vulkan::ProgramInterface interface);

    /// With descriptors: how the program is translated anew for buffers that are larger than a descriptor may
    /// say. Without it no argument may have such a buffer.
    void split_with(TranslateSplit translate) { translate_split_ = std::move(translate); }
    bool can_split() const { return translate_split_ != nullptr; }
    /// The program with this kernel alone, for buffers in such parts: made at its first use. It lives as long
    /// as this one.
    Result<Program*> split(const vulkan::Kernel& kernel, const vulkan::SplitBuffers& split);

    Device& device() const { return device_; }
    const vulkan::ProgramInterface& interface() const { return interface_; }
    /// The device's, with the largest work-groups that both the device and the program have.
    const vulkan::DeviceProfile& launch_profile() const { return launch_profile_; }
    const vulkan::Kernel* find_kernel(std::string_view name) const;
    /// The place of one of its kernels in the interface.
    size_t index_of(const vulkan::Kernel& kernel) const {
        return static_cast<size_t>(&kernel - interface_.kernels.data());
    }
    /// Kernels of a program by addresses that also exist by descriptors, which suit the device better. Its
    /// launches use that form wherever the arguments allow it. Before the first kernel is made.
    void add_descriptor_form(std::unique_ptr<Program> form) { descriptor_form_ = std::move(form); }
    /// Null if there is none. It may have fewer kernels than this program.
    Program* descriptor_form() const { return descriptor_form_.get(); }
    /// How the program is translated anew for launches with textures.
    void make_image_forms_with(TranslateImages translate) { translate_images_ = std::move(translate); }
    /// The program in that form, with the same data segment: made at its first use. Null if there is none. It
    /// lives as long as this one.
    Program* image_form(const ImageForm& form);
    /// The same for launches that read their arguments from memory, where they change after the launch was
    /// recorded: ArgumentBlock::Buffer of all kernels that have arguments.
    void make_block_form_with(TranslateForm translate) { block_form_.translate = std::move(translate); }
    Program* block_form() { return made(block_form_); }
    const Buffer& data_segment() const { return whole_ ? whole_->data_segment_ : data_segment_; }
    uint64_t data_segment_address() const {
        return whole_ ? whole_->data_segment_address() : data_segment_.address() + data_offset_bytes_;
    }
    /// Outlives the program if its output has not been read yet. Null if no kernel prints.
    const std::shared_ptr<const PrintfTable>& printf_table() const { return printf_table_; }
    /// Null if accesses are not checked, or not reported.
    const std::shared_ptr<CheckLog>& check_log() const { return check_log_; }
    /// Null if kernels use device addresses and no images of Vulkan's.
    const DescriptorLayout* descriptor_layout(const vulkan::Kernel& kernel) const {
        return descriptors_.empty() ? nullptr : &descriptors_[index_of(kernel)];
    }
    VkPipelineLayout pipeline_layout(const vulkan::Kernel& kernel) const;

    /// The properties that a launch needs of a pipeline.
    struct Wanted {
        std::array<uint32_t, 3> local_size = {1, 1, 1};
        uint32_t dimensions = 3;                   ///< of the NDRange
        bool has_base = false;                     ///< a group or global id base is not 0
        bool has_full_groups = true;               ///< no group extends beyond the region
        uint32_t printf_words = 0;                 ///< the size of printf's buffer, for kernels that print
        uint32_t search_limit = 0;                 ///< search_limit(), for kernels that check accesses
        std::span<const uint32_t> constants = {};  ///< of the arguments that have one, in order
        uint64_t work_items = 0;                   ///< the number that will be launched
    };
    /// Returns a pipeline of the kernel, created unless there is one.
    Result<SharedPipeline> pipeline(const vulkan::Kernel& kernel, const Wanted& wanted);

 private:
    Program(Device& device, std::span<const uint32_t> words, vulkan::ProgramInterface interface);
    Result<Done> upload_data_segment();
    Result<Done> make_layouts();
    /// Another form of this program, which has this one's data segment and no descriptor layouts yet.
    Result<std::unique_ptr<Program>> make_form(Code code) const;
    /// A form of the program that is made at its first use.
    struct Form {
        TranslateForm translate = {};  // empty once it has been called
        std::unique_ptr<Program> program = {};
    };
    Program* made(Form& form);
    Result<std::unique_ptr<Program>> make(Result<Code> code) const;
    Result<std::unique_ptr<Program>> make_split(const vulkan::Kernel& kernel,
                                                const vulkan::SplitBuffers& split) const;
    Result<PipelineVariant> variant(const vulkan::Kernel& kernel, const Wanted& wanted) const;

    Device& device_;
    vulkan::ProgramInterface interface_;
    vulkan::DeviceProfile launch_profile_;
    std::shared_ptr<CompiledModule> code_;
    Buffer data_segment_ = {};
    uint64_t data_offset_bytes_ = 0;  // offset of the data segment in its buffer
    std::shared_ptr<const PrintfTable> printf_table_ = {};
    std::shared_ptr<CheckLog> check_log_ = {};
    std::vector<DescriptorLayout> descriptors_ = {};  // by kernel
    std::unique_ptr<Program> descriptor_form_ = {};
    TranslateSplit translate_split_ = {};
    Form block_form_ = {};
    TranslateImages translate_images_ = {};
    std::map<ImageForm, std::unique_ptr<Program>> image_forms_ = {};  // null: there is none
    const Program* whole_ = nullptr;  // of which this one is a part or a form, whose data segment both have
    std::mutex making_ = {};          // held while a part or a form is made
    /// By the kernel's name and the number of parts.
    std::map<std::pair<std::string, std::vector<uint32_t>>, std::unique_ptr<Program>> splits_ = {};
};

/// An image, as a kernel is given it.
struct ImageArgument {
    vulkan::ImageDescriptor descriptor = {};
    uint64_t descriptor_address = 0;  ///< on devices with addresses
    const Buffer* texels = nullptr;   ///< null: not known yet
    uint64_t offset_bytes = 0;        ///< of the first texel, in `texels`
    /// vulkan::image_format_number() for a pipeline for this format only, or 0 for one that serves all
    /// formats.
    uint32_t format_number = 0;
};

/// An image of Vulkan's, as a kernel is given it.
struct VulkanImage {
    VkImageView view = VK_NULL_HANDLE;
    VkBufferView texels = VK_NULL_HANDLE;  ///< of an image1d_buffer_t, instead of `view`
    VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
    uint32_t channel_order = 0, channel_data_type = 0;  ///< OpenCL's numbers
};

/// A pointer to global or constant memory, as a kernel is given it.
struct GivenPointer {
    uint64_t address = 0;
    /// Where accesses are checked: the memory that the kernel reaches by it. Its begin is 0 where only the
    /// address is known, and then the device's AllocationTable tells.
    vulkan::CheckObject stretch = {};
};

/// A kernel and its arguments. Not thread-safe, as clSetKernelArg is not (OpenCL API 5.9.2). The program must
/// outlive it.
class Kernel {
 public:
    static Result<Kernel> create(Program& program, std::string_view name);

    const vulkan::Kernel& interface() const { return *interface_; }
    Program& program() const { return *program_; }

    /// Sets a by-value argument; `bytes` must have the argument's size.
    Result<Done> set_value(uint32_t index, std::span<const std::byte> bytes);
    template <class T>
    Result<Done> set(uint32_t index, const T& value) {
        return set_value(index, std::as_bytes(std::span(&value, 1)));
    }
    /// Sets a pointer to global or constant memory: `offset_bytes` into the buffer, which must stay alive
    /// while in use. With descriptors the offset must be a multiple of minStorageBufferOffsetAlignment.
    Result<Done> set(uint32_t index, const Buffer& buffer, uint64_t offset_bytes = 0);
    /// Where accesses are checked: what the pointer that was set last reaches. set() lets it reach its whole
    /// buffer, and set_address() what the device's AllocationTable has there.
    void limit(uint32_t index, const vulkan::CheckObject& stretch);
    /// Sets a pipe, whose packets must have the size that the kernel expects.
    Result<Done> set(uint32_t index, const Pipe& pipe);
    /// The same by what a pipe consists of. The ring is null if it is not known yet.
    Result<Done> set_pipe(uint32_t index, const Buffer* ring, uint32_t packet_bytes);
    /// Sets a queue_t: DeviceQueue::handle(), or 0 for CLK_NULL_QUEUE.
    Result<Done> set_queue(uint32_t index, uint64_t handle);
    /// Sets an image. Its descriptor in device memory and its texels must stay alive while in use. With
    /// descriptors the offset of the texels is as that of a pointer.
    Result<Done> set_image(uint32_t index, const ImageArgument& image);
    /// Sets an image of Vulkan's (vulkan::is_vulkan_image), which must stay alive while in use.
    Result<Done> set_vulkan_image(uint32_t index, const VulkanImage& image);
    Result<Done> set_sampler(uint32_t index, uint32_t bits);  ///< vulkan::SamplerBits
    /// Sets a pointer to a device address; 0 is NULL. With descriptors there are no addresses, and NULL only
    /// if the program was translated for it (TranslateOptions::null_arguments).
    Result<Done> set_address(uint32_t index, uint64_t address);
    /// Sets a pointer to local memory of this size, which may be 0: the kernel then accesses none of it.
    Result<Done> set_local(uint32_t index, uint64_t size_bytes);
    /// The local memory of a work-group: what the program declares, and what the set arguments point to.
    uint64_t local_bytes() const;
    /// The kernel with its arguments in another form of the program by addresses. Arguments that are images
    /// of Vulkan's there are not set yet.
    Result<Kernel> in_form(Program& form) const;
    /// Whether, as `form`, one of its samplers is a linear filter.
    bool filters_in(const vulkan::Kernel& form) const;
    /// Whether one of those that it is given is.
    bool filters_by_argument() const;
    /// Whether all samplers that it may use in `form` are linear filters.
    bool only_filters_in(const Program& form) const;
    /// Whether a sampler that it is given does not let the first level be read. OpenCL's reads without a
    /// level are of that one all the same, and Vulkan's are not.
    bool skips_first_level() const;
    /// Whether, as `form`, a linear filter's coordinates count texels, and the kernel divides them by the
    /// image's size, since Vulkan has them for 1D and 2D images only. What rounds then moves the filter a
    /// little. `has_slices`: ImageForm's, and filters of 3D images are found right with it.
    bool rounds_coordinates_in(const vulkan::Kernel& form, bool has_slices) const;
    /// Whether some buffer is larger than a descriptor may say.
    bool needs_split() const;
    /// The kernel with its arguments, in the program that is for such buffers.
    Result<Kernel> split() const;
    /// The argument's bytes in the argument block; none if it has no bytes there.
    std::span<const std::byte> argument_bytes(uint32_t index) const;
    /// By argument, with address 0 for those that do not point to global or constant memory.
    std::vector<GivenPointer> pointers() const;
    /// The first argument that has not been set.
    std::optional<uint32_t> unset_argument() const;
    /// What a launch runs: the form by descriptors (Program::descriptor_form) if there is one and all
    /// pointers are buffers that descriptors can have, else the kernel itself.
    const Kernel& form() const {
        return descriptor_form_.empty() || descriptor_form_[0].unset_argument() ? *this : descriptor_form_[0];
    }

 private:
    friend class LaunchRecorder;
    Result<Done> check_kind(uint32_t index, std::initializer_list<vulkan::ArgumentKind> kinds,
                            const char* what);
    void store(uint32_t index, std::span<const std::byte> bytes);
    Result<Done> set_descriptor(uint32_t index, const Buffer& buffer, uint64_t offset_bytes);
    void store_address(uint32_t index, uint64_t address);
    bool store_fact(vulkan::HiddenKind kind, uint32_t index, uint32_t value);
    Result<Done> set_null_descriptor(uint32_t index);
    std::vector<vulkan::ImageDescriptor> argument_table() const;
    bool has_sampler(uint32_t mask, uint32_t bits) const;
    /// Sets the argument of the form by descriptors too. If that cannot have it, the kernel itself is
    /// launched.
    template <class Set>
    void set_descriptor_form(uint32_t index, const Set& set) {
        if (!descriptor_form_.empty() && !set(descriptor_form_[0]))
            descriptor_form_[0].is_set_[index] = false;
    }
    /// The specialisation constant of an argument that has one.
    uint32_t& constant(uint32_t index) { return constants_[constant_index(index)]; }
    size_t constant_index(uint32_t index) const;
    std::string argument_text(uint32_t index) const;

    Program* program_ = nullptr;
    const vulkan::Kernel* interface_ = nullptr;
    std::vector<std::byte> block_ = {};        // the argument block, with hidden arguments still zero
    std::vector<BufferBinding> buffers_ = {};  // with descriptors: one for each argument
    std::vector<vulkan::ImageDescriptor> images_ = {};  // the argument table, as far as images are its rows
    std::vector<ImageBinding> vulkan_images_ = {};      // of the arguments that are such
    std::vector<uint32_t> constants_ = {};              // of the arguments that have one, in order
    std::vector<bool> is_set_ = {};
    std::vector<vulkan::CheckObject> stretches_ = {};  // GivenPointer's, by argument
    std::vector<Kernel> descriptor_form_ = {};         // one or none: a kernel of Program::descriptor_form()
};

}  // namespace caldera::runtime
