// SPDX-License-Identifier: Apache-2.0
// Memory: a buffer, a stretch of one, an image, or a pipe. Storage: where its bytes are.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/icd/box.h"
#include "vulkan/icd/context.h"
#include "vulkan/icd/image.h"
#include "vulkan/runtime/pipe.h"
#include "vulkan/runtime/shared_memory.h"

namespace caldera::icd {

constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// The bytes of a buffer on the devices of its context, of which one at a time has the newest. Commands keep it, so that it
/// outlives its cl_mem. Thread-safe.
class Storage {
 public:
    /// `initial`: what it holds at first; null for nothing in particular. The memory is there at once where the context has one
    /// device, else when a device first needs it.
    Storage(Context& context, uint64_t size_bytes, runtime::MemoryUse use, const void* initial);
    /// Of shared memory, which has one place for all devices.
    Storage(Context& context, runtime::SharedBuffer shared, uint64_t size_bytes);

    /// The buffer of the device at this place, with the newest bytes.
    const runtime::Buffer& on(size_t place);
    /// Where the host may read and write the bytes themselves, or null.
    std::byte* mapped() const;
    /// Of shared memory whose bytes the host has not itself: what it has in their place.
    std::byte* mirror() const { return mirror_.data(); }
    const Context& context() const { return context_; }
    uint64_t size_bytes() const { return size_; }
    /// The program maps it for transfers (CL_MEM_ALLOC_HOST_PTR).
    bool is_for_transfers() const { return use_ != runtime::MemoryUse::Device; }

 private:
    void make_on(size_t place);
    void move(size_t from, size_t to);

    Context& context_;
    const uint64_t size_;
    const runtime::MemoryUse use_;
    std::mutex mutex_ = {};
    std::vector<runtime::Buffer> buffers_;  // by place
    runtime::HostMirror mirror_ = {};
    const bool is_shared_ = false;
    std::optional<size_t> newest_ = {};
    std::vector<std::byte> initial_ = {};  // until a device has it
};

/// A region that the program has.
struct Mapping {
    std::byte* pointer = nullptr;
    cl_map_flags flags = 0;
    Box device = {}, host = {};  ///< where it lies in the storage, and in what the program has
    Size3 region = {};
    /// What it has when it has not the bytes themselves: memory that the device sees, or where that would be much, other.
    std::shared_ptr<runtime::Buffer> copy = {};
    size_t copy_place = 0;  ///< of the device that sees `copy`
    std::shared_ptr<std::byte[]> pages = {};

    bool writes() const { return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION); }
};

/// Those of one object; several may be of the same bytes. Commands that map and unmap keep them. Thread-safe.
class Mappings {
 public:
    using Item = std::shared_ptr<const Mapping>;
    /// Throws CL_INVALID_OPERATION where the program would have bytes for writing twice (OpenCL API 5.2.5).
    void add(const Item& mapping);
    /// It has been before, and is again.
    void put_back(const Item& mapping);
    void remove(const Item& mapping) noexcept;
    /// Takes out the one that the program knows by the pointer. Null: there is none.
    Item take(const void* pointer);
    size_t count() const;

 private:
    mutable std::mutex mutex_ = {};
    std::vector<Item> items_ = {};
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
    std::byte* host_ptr = nullptr;  ///< CL_MEM_USE_HOST_PTR: the program's memory, which maps give out
    bool uses_svm = false;          ///< `host_ptr` is shared memory
    size_t size = 0;
    caldera::icd::Ref<_cl_mem> parent = {};  ///< of a sub-buffer
    size_t offset = 0;                       ///< in the storage
    std::shared_ptr<caldera::icd::Storage> storage = {};
    std::shared_ptr<caldera::icd::Image> image = {};    ///< an image's
    std::shared_ptr<caldera::runtime::Pipe> pipe = {};  ///< on the context's only device

    const std::shared_ptr<caldera::icd::Mappings> mappings = std::make_shared<caldera::icd::Mappings>();

    std::mutex mutex = {};  ///< guards what follows
    struct DestructorCallback {
        void(CL_CALLBACK* function)(cl_mem, void*) = nullptr;
        void* user_data = nullptr;
    };
    std::vector<DestructorCallback> destructor_callbacks = {};
};

namespace caldera::icd {
using Memory = ::_cl_mem;

/// The storage that so many bytes at the pointer are of, if the host's pointer is a mapped one's.
StoredBytes find_mapped(Context& context, const void* pointer, size_t size);

/// Throws CL_INVALID_VALUE for flags of clCreateBuffer and clCreateImage that contradict each other.
void check_memory_flags(cl_mem_flags flags);
/// Those of an object that is made of another's bytes: what they leave open is as the parent has it. Throws CL_INVALID_VALUE where
/// they want what the parent's forbid, or a host pointer (OpenCL API 5.2.1, 5.3.1).
cl_mem_flags inherited_flags(const Memory& parent, cl_mem_flags flags);
/// Of the device of the context that offers most.
uint64_t max_buffer_bytes(const Context& context);

/// A buffer that a command of a queue names. Throws CL_INVALID_MEM_OBJECT or CL_INVALID_CONTEXT.
Memory& checked_buffer(cl_mem handle, const Context& context);
}  // namespace caldera::icd
