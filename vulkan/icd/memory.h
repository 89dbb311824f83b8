// SPDX-License-Identifier: Apache-2.0
// Memory: a buffer, a sub-buffer, an image, or a pipe. Storage: the bytes behind it.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/icd/box.h"
#include "vulkan/icd/context.h"
#include "vulkan/icd/host_ranges.h"
#include "vulkan/icd/image_uses.h"
#include "vulkan/icd/mappings.h"
#include "vulkan/icd/newer_names.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/shared_memory.h"
#include "vulkan/runtime/texture.h"

namespace caldera::icd {

class Image;
class SharedImage;
struct ExternalMemory;

constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// Texels that a kernel wrote to a texture (ImageTexture), and where they belong in the bytes of the image.
struct TexelsInTexture {
    std::shared_ptr<const runtime::Texture> texture = {};
    runtime::TexelRows rows = {};
};

/// The bytes of a storage that a command uses.
struct UsedBytes {
    uint64_t offset = 0;
    uint64_t size_bytes = ~uint64_t{0};  ///< no more than there are
    bool are_written = true;             ///< or may be
};

/// The bytes of a buffer on the devices of its context. Devices that only read have the newest bytes at the
/// same time, one that writes has them alone. Commands keep the storage alive, so it can outlive its cl_mem.
/// Thread-safe.
class Storage : public std::enable_shared_from_this<Storage> {
 public:
    /// Writes initial contents to a device's buffer, in the queue, which it may leave unfinished.
    using Initialize = std::function<void(runtime::Queue& queue, const runtime::Buffer& buffer)>;
    /// Without `initialize` the contents are undefined. With one device, memory is allocated at once;
    /// otherwise when a device first needs it.
    Storage(Context& context, uint64_t size_bytes, runtime::MemoryUse use, Initialize initialize = nullptr);
    /// The same with a copy of the program's bytes, or null.
    Storage(Context& context, uint64_t size_bytes, runtime::MemoryUse use, const void* initial);
    /// Storage on memory of others: a buffer by place, or none for a device that does not have it. All of
    /// them are the same bytes.
    Storage(Context& context, std::vector<runtime::Buffer> imported, uint64_t size_bytes);
    /// Storage for shared memory, which is of the device at this place.
    Storage(Context& context, runtime::SharedBuffer shared, size_t place, uint64_t size_bytes);

    /// The buffer of the device at this place, with the newest bytes of all devices. Those of an image may be
    /// in a texture. If it is shared memory of another device, the used bytes are lent: to the command that
    /// is recorded (Loans) where the host accesses them directly, else until another device needs them.
    const runtime::Buffer& on(size_t place, const UsedBytes& used = {});
    /// Whether kernels on the device of a place find shared memory of another device by its address, so that
    /// it need not be lent.
    bool has_only_address_on(size_t place) const;

    /// Kernels may have textures of the image that these bytes are. Whoever records a command that uses it
    /// calls the functions up to end_write() with an ImageLock.
    void allow_textures() { may_have_textures_ = true; }
    /// The same as on(), for a command that is recorded in the queue next, which finds the newest texels
    /// there. If the bytes are written, end_write() follows.
    const runtime::Buffer& newest_on(size_t place, runtime::Queue& queue, const UsedBytes& used = {});
    /// A kernel that is recorded next writes to a texture that has all newest texels.
    void leave_texels_in(TexelsInTexture texels) { in_texture_ = std::move(texels); }
    bool has_texels_in_texture() const { return in_texture_.texture != nullptr; }
    /// Whether all that reads the bytes asks for the newest ones here.
    bool may_leave_texels() const { return buffers_.size() == 1 && !is_shared_ && !is_imported_; }
    /// Others share the image: the bytes are copies of its texels.
    void share(std::shared_ptr<SharedImage> image) { shared_image_ = std::move(image); }
    /// Null if they are not.
    SharedImage* shared_image() const { return shared_image_.get(); }
    /// Which commands use the image on the device of a place.
    ImageUses& uses(size_t place) { return uses_[place]; }
    /// A command writes to the bytes, as long as there is a MemoryClaim on them. No kernel uses textures of
    /// the image meanwhile.
    bool is_claimed() const { return claims_ != 0; }
    /// The command that writes to the bytes has been recorded in the queue.
    void end_write(size_t place, runtime::Queue& queue) noexcept;
    /// Makes the buffers of all devices that have addresses, so that address() stays as it is.
    void fix_addresses();
    /// The address on the device of a place, after fix_addresses(). 0 if the device has no addresses, or does
    /// not have the memory.
    uint64_t address(size_t place) const;
    /// Where the host can access the bytes directly, or null.
    std::byte* mapped() const;
    /// Whether the program has the bytes all the time, and needs not map them.
    bool is_shared_with_host() const { return is_shared_ && mapped(); }
    /// The host's copy of shared memory whose bytes it cannot access directly.
    std::byte* mirror() const { return mirror_.data(); }
    /// Those of all objects on these bytes whose memory is the program's own. What they write may be newer
    /// than the bytes of the device.
    std::shared_ptr<MappedWrites> mapped_writes() const { return {storage_writes_, &storage_writes_->held}; }
    /// Mappings that write, of all objects on these bytes.
    const std::shared_ptr<StorageWrites>& storage_writes() const { return storage_writes_; }
    const Context& context() const { return context_; }
    uint64_t size_bytes() const { return size_; }
    /// Something writes to the image without newest_on(): textures are copies of what was there before.
    /// Returns the number of writes.
    uint64_t note_write() { return ++writes_; }
    uint64_t writes() const { return writes_; }
    /// Whether the program uses it as mapped memory for transfers (CL_MEM_ALLOC_HOST_PTR).
    bool is_for_transfers() const { return use_ != runtime::MemoryUse::Device; }

 private:
    void make_on(size_t place);
    void initialize_on(size_t place, const Initialize& initialize);
    std::optional<size_t> copy_newest_to(size_t place);

    Context& context_;
    const uint64_t size_;
    const runtime::MemoryUse use_;
    std::atomic<uint64_t> writes_ = 0;
    std::mutex mutex_ = {};
    std::vector<runtime::Buffer> buffers_;  // by place
    runtime::HostMirror mirror_ = {}, reservation_ = {};
    const bool is_shared_ = false, is_imported_ = false;
    const size_t owner_ = 0;  // the place of shared memory
    /// From a byte to another one, which it does not contain.
    struct Stretch {
        uint64_t begin = 0, end = 0;
        bool is_empty() const { return begin == end; }
        /// The least one that contains both.
        Stretch with(Stretch other) const {
            if (is_empty()) return other;
            return {std::min(begin, other.begin), std::max(end, other.end)};
        }
    };
    /// Shared memory on another device.
    struct Loan {
        runtime::Buffer buffer = {};
        bool is_same_memory = false;         // nothing needs to be copied
        Stretch held = {};                   // this device alone uses these bytes, and has the newest ones
        Stretch written = {};                // those of them that it may have changed
        std::vector<std::byte> before = {};  // what was lent, if the host accesses it meanwhile
    };
    /// The buffer of a device, and the queue that copies from or to it.
    struct Side {
        const runtime::Buffer& buffer;
        runtime::Queue& transfers;
    };
    static void copy_bytes(Stretch part, const Side& from, const Side& to);
    const runtime::Buffer& lend_to(size_t place, const UsedBytes& used);
    void make_loan(size_t place);
    void lend(size_t place, Stretch part, bool are_written);
    void copy_to_loan(size_t place, Stretch part);
    void end_loan(size_t place, bool is_over);
    static void store_differences(const runtime::Buffer& buffer, runtime::Queue& transfers, Stretch written,
                                  const std::byte* before, std::byte* own);
    std::vector<Loan> loans_ = {};  // by place
    /// What the buffer of a device has.
    enum class Bytes : uint8_t {
        None,   ///< no command uses it
        Older,  ///< commands of the device may still read these
        Newest,
    };
    std::vector<Bytes> has_ = {};  // by place
    Initialize initialize_ = {};   // until a device has the contents
    const std::shared_ptr<StorageWrites> storage_writes_ = std::make_shared<StorageWrites>();

    friend class ImageLock;
    friend class MemoryClaim;
    std::atomic<bool> may_have_textures_ = false;
    std::mutex recording_ = {};        // of an ImageLock; guards the members below
    TexelsInTexture in_texture_ = {};  // none if the bytes are as new
    std::vector<ImageUses> uses_;      // by place
    size_t claims_ = 0;
    std::shared_ptr<SharedImage> shared_image_ = {};
};

}  // namespace caldera::icd

struct _cl_mem final : caldera::icd::Object<_cl_mem> {
    static constexpr cl_int kInvalid = CL_INVALID_MEM_OBJECT;
    explicit _cl_mem(caldera::icd::Context& its_context) : context(&its_context) {}
    ~_cl_mem();
    void on_last_release();

    const caldera::icd::Ref<caldera::icd::Context> context;
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    cl_mem_flags flags = 0;
    std::vector<cl_mem_properties> properties = {};
    std::byte* host_ptr = nullptr;  ///< CL_MEM_USE_HOST_PTR: the program's memory, which map calls return
    bool uses_svm = false;          ///< `host_ptr` is shared memory
    bool tells_address = false;     ///< made with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
    size_t size = 0;
    /// Memory of a handle: the devices that have it.
    std::vector<size_t> imported_places = {};
    caldera::icd::Ref<_cl_mem> parent = {};  ///< for a sub-buffer
    size_t offset = 0;                       ///< in the storage
    std::shared_ptr<caldera::icd::Storage> storage = {};
    std::shared_ptr<caldera::icd::Image> image = {};  ///< for an image
    cl_uint packet_bytes = 0, max_packets = 0;        ///< for a pipe, whose storage is its ring

    const std::shared_ptr<caldera::icd::Mappings> mappings = std::make_shared<caldera::icd::Mappings>();

    std::mutex mutex = {};  ///< guards the members below
    struct DestructorCallback {
        void(CL_CALLBACK* function)(cl_mem, void*) = nullptr;
        void* user_data = nullptr;
    };
    std::vector<DestructorCallback> destructor_callbacks = {};
};

namespace caldera::icd {
using Memory = ::_cl_mem;

/// The storage that contains these bytes of the program, if the pointer points into mapped memory.
StoredBytes find_mapped(Context& context, const void* pointer, size_t size);

/// Throws CL_INVALID_VALUE if flags of clCreateBuffer or clCreateImage contradict each other.
void check_memory_flags(cl_mem_flags flags);
/// Throws CL_INVALID_VALUE for an immutable object of its own memory that gets no bytes when it is made.
void check_has_bytes(cl_mem_flags flags, bool is_external);
/// Throws CL_INVALID_HOST_PTR if there is a pointer without flags that want one, or none for those that do,
/// or if the host cannot read there, because the memory is a device's.
void check_host_pointer(const Context& context, cl_mem_flags flags, const void* host_ptr);
/// Throws CL_INVALID_HOST_PTR if shared memory ends before the bytes that an object copies when it is made.
void check_copied_bytes(const Context& context, const void* host_ptr, size_t size);
/// Whether neither commands nor kernels may write to the object (cl_ext_immutable_memory_objects).
inline bool is_immutable(const Memory& memory) { return memory.flags & CL_MEM_IMMUTABLE_EXT; }
/// The flags of an object that shares the bytes of `parent`: it inherits what its own flags leave open.
/// Throws CL_INVALID_VALUE if they request something that the parent's forbid, or a host pointer (OpenCL API
/// 5.2.1, 5.3.1).
cl_mem_flags inherited_flags(const Memory& parent, cl_mem_flags flags);
/// Gives the object, which nothing can fail any more, the memory of a handle. The handle is the driver's
/// then.
void import(Memory& memory, const ExternalMemory& external, uint64_t size_bytes);
/// The maximum over the devices of the context.
uint64_t max_buffer_bytes(const Context& context);

/// The buffer that a program passed to a command. Throws CL_INVALID_MEM_OBJECT or CL_INVALID_CONTEXT.
Memory& checked_buffer(cl_mem handle, const Context& context);
}  // namespace caldera::icd
