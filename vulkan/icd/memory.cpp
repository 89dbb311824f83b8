// SPDX-License-Identifier: Apache-2.0
// Buffers, sub-buffers and pipes as objects (OpenCL API 5.2.1, 5.4, 5.5). buffer_commands.cpp has the
// commands on them.
#include "vulkan/icd/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/external.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/loans.h"
#include "vulkan/icd/queue.h"
#include "vulkan/icd/value_at.h"
#include "vulkan/runtime/file_descriptor.h"
#include "vulkan/runtime/pipe.h"

using namespace caldera;
using namespace caldera::icd;

_cl_mem::~_cl_mem() {
    // Callbacks run in the reverse order of their registration (clSetMemObjectDestructorCallback).
    const CallersFloatEnvironment callers;
    for (auto it = destructor_callbacks.rbegin(); it != destructor_callbacks.rend(); ++it)
        it->function(this, it->user_data);
}

/// The last release of a sub-buffer may also end its parent. No lock is held while the queues are told: they
/// call callbacks, which may release another sub-buffer of the same parent.
void _cl_mem::on_last_release() {
    const auto has_callbacks = [](_cl_mem& object) {
        const std::lock_guard lock(object.mutex);
        return !object.destructor_callbacks.empty();
    };
    _cl_mem* object = this;
    while (object && !has_callbacks(*object)) object = object->parent.get();
    // Whatever fails, the program's reference is gone.
    if (object) entry([&] { keep_while_busy(*context, std::make_shared<Ref<Memory>>(this)); });
}

namespace caldera::icd {

// ---- Storage ----

namespace {

constexpr uint64_t kMovedAtOnce = 64ull << 20;  // bytes that move between devices at once, through the host

/// Uploads bytes of the program. Those that are needed after the call are copied.
Storage::Initialize upload_of(std::span<const std::byte> bytes, bool is_later) {
    if (bytes.empty()) return nullptr;
    std::shared_ptr<const std::vector<std::byte>> kept;
    if (is_later) bytes = *(kept = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end()));
    return [kept, bytes](runtime::Queue& queue, const runtime::Buffer& buffer) {
        take(queue.upload(buffer, 0, bytes));
    };
}

}  // namespace

Storage::Storage(Context& context, uint64_t size_bytes, runtime::MemoryUse use, Initialize initialize)
    : context_(context),
      size_(size_bytes),
      use_(use),
      buffers_(context.places.size()),
      has_(context.places.size()),
      uses_(context.places.size()) {
    if (buffers_.size() > 1) {
        initialize_ = std::move(initialize);
        return;
    }
    make_on(0);
    if (initialize) initialize_on(0, initialize);
}

Storage::Storage(Context& context, uint64_t size_bytes, runtime::MemoryUse use, const void* initial)
    : Storage(context, size_bytes, use,
              upload_of({static_cast<const std::byte*>(initial), initial ? size_bytes : 0},
                        context.places.size() > 1)) {}

Storage::Storage(Context& context, std::vector<runtime::Buffer> imported, uint64_t size_bytes)
    : context_(context),
      size_(size_bytes),
      use_(runtime::MemoryUse::Device),
      buffers_(std::move(imported)),
      is_imported_(true),
      has_(context.places.size()),
      uses_(context.places.size()) {}

Storage::Storage(Context& context, runtime::SharedBuffer shared, size_t place, uint64_t size_bytes)
    : context_(context),
      size_(size_bytes),
      use_(runtime::MemoryUse::Device),
      mirror_(std::move(shared.mirror)),
      reservation_(std::move(shared.reservation)),
      is_shared_(true),
      owner_(place),
      loans_(context.places.size()) {
    buffers_.push_back(std::move(shared.buffer));
}

void Storage::make_on(size_t place) {
    buffers_[place] = take(runtime::Buffer::create(*context_.places[place].opened, size_, use_),
                           CL_MEM_OBJECT_ALLOCATION_FAILURE);
    buffers_[place].allow_access(*context_.places[place].opened);
}

void Storage::initialize_on(size_t place, const Initialize& initialize) {
    runtime::Queue& transfers = *context_.places[place].transfers;
    initialize(transfers, buffers_[place]);
    take(transfers.finish());
}

void Storage::copy_bytes(Stretch part, const Side& from, const Side& to) {
    std::vector<std::byte> bytes(std::min(part.end - part.begin, kMovedAtOnce));
    for (uint64_t at = part.begin; at < part.end; at += bytes.size()) {
        const std::span piece = std::span(bytes).first(std::min<uint64_t>(bytes.size(), part.end - at));
        take(from.transfers.download(from.buffer, at, piece));
        take(to.transfers.upload(to.buffer, at, piece));
    }
    if (!part.is_empty()) take(to.transfers.finish());
}

/// Waits for all that the device with the newest bytes has been given, since semaphores do not work across
/// devices, and returns its place. The same bytes are in all buffers of imported memory.
std::optional<size_t> Storage::copy_newest_to(size_t place) {
    const auto found = std::ranges::find(has_, Bytes::Newest);
    if (found == has_.end()) {
        if (initialize_) initialize_on(place, initialize_);
        initialize_ = nullptr;
        return std::nullopt;
    }
    const auto from = static_cast<size_t>(found - has_.begin());
    context_.finish(from);
    if (is_imported_) return from;
    if (has_[place] == Bytes::Older) context_.finish(place);
    copy_bytes({0, size_}, {buffers_[from], *context_.places[from].transfers},
               {buffers_[place], *context_.places[place].transfers});
    return from;
}

// ---- Shared memory on other devices ----

namespace {

/// Calls visit(at, size) for stretches that contain all bytes in which `now` and `before` differ.
template <class Visit>
void for_differences(const std::byte* now, const std::byte* before, size_t size, const Visit& visit) {
    constexpr size_t kStretch = 4096;
    size_t from = 0, to = 0;  // of stretches that differ and lie side by side
    for (size_t at = 0; at < size; at += kStretch) {
        const size_t length = std::min(kStretch, size - at);
        if (std::memcmp(now + at, before + at, length) == 0) continue;
        if (at != to && to != 0) visit(from, to - from);
        if (at != to || to == 0) from = at;
        to = at + length;
    }
    if (to != 0) visit(from, to - from);
}

}  // namespace

bool Storage::has_only_address_on(size_t place) const {
    const auto is_of_host = [&](size_t each) {
        return context_.places[each].opened->shared_memory() == runtime::SharedMemory::Same;
    };
    return is_shared_ && place != owner_ && is_of_host(place) && is_of_host(owner_);
}

/// A device that can use the host's memory uses the very bytes. Another one gets a buffer of its own.
void Storage::make_loan(size_t place) {
    runtime::Device& device = *context_.places[place].opened;
    Loan& loan = loans_[place];
    if (std::byte* const own = mapped()) {
        Result<runtime::Buffer> same = runtime::Buffer::on_host_memory(device, size_, own);
        loan.is_same_memory = bool(same);
        if (same) loan.buffer = same.take();
    }
    if (!loan.is_same_memory)
        loan.buffer = take(runtime::Buffer::create(device, size_, use_), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    loan.buffer.allow_access(device);
}

const runtime::Buffer& Storage::lend_to(size_t place, const UsedBytes& used) {
    Loan& loan = loans_[place];
    if (!loan.buffer.vk()) make_loan(place);
    if (loan.is_same_memory) return loan.buffer;
    const uint64_t begin = std::min(used.offset, size_);
    const Stretch part = {begin, begin + std::min(used.size_bytes, size_ - begin)};
    if (!part.is_empty()) lend(place, part, used.are_written);
    return loan.buffer;
}

/// If the host accesses the bytes directly, it may write at any time, and look at what the command wrote as
/// soon as that is over. Otherwise it sees them by commands alone, and before a command of another device is
/// recorded the context ends the loan. So this device's commands find them without being waited for.
void Storage::lend(size_t place, Stretch part, bool are_written) {
    Loan& loan = loans_[place];
    const Stretch held = loan.held, all = held.with(part);
    if (held.is_empty()) {
        // Any device may have written through pointers.
        for (size_t each = 0; each < context_.places.size(); ++each) context_.finish(each);
        if (mapped())
            Loans::add([this, place](bool is_over) { end_loan(place, is_over); });
        else
            context_.add_loan({weak_from_this(), place, [this, place] { end_loan(place, true); }});
        copy_to_loan(place, part);
    } else {
        copy_to_loan(place, {all.begin, held.begin});
        copy_to_loan(place, {held.end, all.end});
    }
    loan.held = all;
    if (!are_written) return;
    loan.written = loan.written.with(part);
    if (mapped()) Loans::wait_for_device();
}

/// Copies bytes before or behind those that the device holds.
void Storage::copy_to_loan(size_t place, Stretch part) {
    if (part.is_empty()) return;
    Loan& loan = loans_[place];
    runtime::Queue& transfers = *context_.places[place].transfers;
    if (!mapped())
        return copy_bytes(part, {buffers_[0], *context_.places[owner_].transfers}, {loan.buffer, transfers});
    const std::span own(mapped() + part.begin, part.end - part.begin);
    const auto at = part.begin < loan.held.begin ? loan.before.begin() : loan.before.end();
    const auto copied = loan.before.insert(at, own.begin(), own.end());
    take(transfers.upload(loan.buffer, part.begin, std::span(copied, own.size())));
    take(transfers.finish());
}

/// If the device is lost, its commands have failed, and so have said that their bytes are. If a copy back
/// fails for another reason, the device keeps the bytes, and the context the loan.
void Storage::end_loan(size_t place, bool is_over) {
    const std::lock_guard lock(mutex_);
    Loan& loan = loans_[place];
    runtime::Queue& transfers = *context_.places[place].transfers;
    const bool comes_back = is_over && !loan.written.is_empty();
    if (comes_back && !mapped() && entry([&] { context_.finish(place); }) == CL_SUCCESS)
        copy_bytes(loan.written, {loan.buffer, transfers}, {buffers_[0], *context_.places[owner_].transfers});
    const Stretch held = std::exchange(loan.held, {}), written = std::exchange(loan.written, {});
    const std::vector<std::byte> before = std::exchange(loan.before, {});
    if (std::byte* const own = mapped(); own && comes_back)
        store_differences(loan.buffer, transfers, written, &before[written.begin - held.begin], own);
}

/// The host may have written the rest meanwhile.
void Storage::store_differences(const runtime::Buffer& buffer, runtime::Queue& transfers, Stretch written,
                                const std::byte* before, std::byte* own) {
    std::vector<std::byte> now(written.end - written.begin);
    take(transfers.download(buffer, written.begin, now));
    for_differences(now.data(), before, now.size(), [&](size_t at, size_t size) {
        for (size_t i = at; i < at + size; ++i)
            if (now[i] != before[i]) own[written.begin + i] = now[i];
    });
}

const runtime::Buffer& Storage::on(size_t place, const UsedBytes& used) {
    if (context_.places.size() == 1 || (is_shared_ && place == owner_)) return buffers_[0];
    const std::lock_guard lock(mutex_);
    if (is_shared_) return lend_to(place, used);
    if (!buffers_[place].vk()) {
        require(!is_imported_, CL_INVALID_MEM_OBJECT);
        make_on(place);
    }
    const std::optional<size_t> finished =
        has_[place] == Bytes::Newest ? std::nullopt : copy_newest_to(place);
    // Buffers of imported memory are the same bytes: a device's commands wait for all of another one that
    // reads.
    if (used.are_written || is_imported_)
        for (size_t each = 0; each < has_.size(); ++each)
            if (has_[each] == Bytes::Newest) has_[each] = each == finished ? Bytes::None : Bytes::Older;
    has_[place] = Bytes::Newest;
    return buffers_[place];
}

/// A queue that may wait for the program does not copy: others, for which the program may wait, need the copy
/// too.
const runtime::Buffer& Storage::newest_on(size_t place, runtime::Queue& queue, const UsedBytes& used) {
    const runtime::Buffer& buffer = on(place, used);
    if (!may_have_textures_) return buffer;
    ImageUses& uses = uses_[place];
    if (in_texture_.texture) {
        runtime::Queue& copies = queue.may_wait_for_program() ? *context_.places[place].transfers : queue;
        uses.begin_copy(copies, TexelsTo::Memory);
        take(copies.copy(*in_texture_.texture, buffer, in_texture_.rows));
        copies.keep(in_texture_.texture);
        uses.end_copy(copies, TexelsTo::Memory);
        in_texture_ = {};
    }
    if (used.are_written) note_write();
    uses.begin_use(queue, used.are_written ? ImageUse::WritesMemory : ImageUse::ReadsMemory);
    return buffer;
}

void Storage::end_write(size_t place, runtime::Queue& queue) noexcept {
    if (may_have_textures_) uses_[place].end_use(queue, ImageUse::WritesMemory);
}

void Storage::fix_addresses() {
    if (is_shared_ || is_imported_) return;
    const std::lock_guard lock(mutex_);
    for (size_t place = 0; place < buffers_.size(); ++place)
        if (context_.places[place].opened->has_addresses() && !buffers_[place].vk()) make_on(place);
}

uint64_t Storage::address(size_t place) const {
    if (is_shared_ && place != owner_ && !has_only_address_on(place)) return 0;
    return (is_shared_ ? buffers_[0] : buffers_[place]).address();
}

std::byte* Storage::mapped() const {
    if (buffers_.size() != 1 || mirror()) return nullptr;
    return is_shared_ || buffers_[0].host_cached() ? buffers_[0].mapped() : nullptr;
}

// ---- Creating ----

namespace {

constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
/// What contradicts CL_MEM_IMMUTABLE_EXT.
constexpr cl_mem_flags kWrites = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

bool has_at_most_one(cl_mem_flags flags) { return std::popcount(flags) <= 1; }

}  // namespace

void check_memory_flags(cl_mem_flags flags) {
    require(!(flags & ~(kAccess | kHostAccess | kHostPointer | CL_MEM_IMMUTABLE_EXT)), CL_INVALID_VALUE);
    require(!(flags & CL_MEM_IMMUTABLE_EXT) || !(flags & kWrites), CL_INVALID_VALUE);
    require(has_at_most_one(flags & kAccess) && has_at_most_one(flags & kHostAccess), CL_INVALID_VALUE);
    require(!(flags & CL_MEM_USE_HOST_PTR) || !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
            CL_INVALID_VALUE);
}

void check_has_bytes(cl_mem_flags flags, bool is_external) {
    require(!(flags & CL_MEM_IMMUTABLE_EXT) || is_external ||
                flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR),
            CL_INVALID_VALUE);
}

cl_mem_flags inherited_flags(const Memory& parent, cl_mem_flags flags) {
    require(!(flags & ~(kAccess | kHostAccess | CL_MEM_IMMUTABLE_EXT)), CL_INVALID_VALUE);
    check_memory_flags(flags);
    const auto allow = [&](cl_mem_flags of_parent, cl_mem_flags unwanted) {
        require(!(parent.flags & of_parent) || !(flags & unwanted), CL_INVALID_VALUE);
    };
    allow(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY);
    allow(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY);
    allow(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY);
    allow(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY);
    allow(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
    allow(CL_MEM_IMMUTABLE_EXT, kWrites);
    const auto inherited = [&](cl_mem_flags kind) {
        return flags & kind ? flags & kind : parent.flags & kind;
    };
    const cl_mem_flags immutable = (flags | parent.flags) & CL_MEM_IMMUTABLE_EXT;
    cl_mem_flags its = inherited(kAccess) | inherited(kHostAccess);
    // An immutable part of memory that can be written.
    if (immutable) its &= ~kWrites;
    return its | immutable | (parent.flags & kHostPointer);
}

void import(Memory& memory, const ExternalMemory& external, uint64_t size_bytes) {
    Context& context = *memory.context;
    require(!(memory.flags & kHostPointer), CL_INVALID_VALUE);
    memory.imported_places = external.places;
    memory.storage = std::make_shared<Storage>(context, external.import(context, size_bytes), size_bytes);
    runtime::close_descriptor(external.descriptor);
}

void check_host_pointer(const Context& context, cl_mem_flags flags, const void* host_ptr) {
    const bool wants_pointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    require(wants_pointer == (host_ptr != nullptr), CL_INVALID_HOST_PTR);
    const SharedHeap::Item shared = context.heap.find(host_ptr);
    require(!shared || shared->is_of_host(), CL_INVALID_HOST_PTR);
}

void check_copied_bytes(const Context& context, const void* host_ptr, size_t size) {
    const SharedHeap::Item shared = context.heap.find(host_ptr);
    require(!shared || size <= shared->bytes_from(host_ptr).size_bytes, CL_INVALID_HOST_PTR);
}

uint64_t max_buffer_bytes(const Context& context) {
    uint64_t most = 0;
    for (const Context::Place& place : context.places) most = std::max(most, max_buffer_bytes(*place.device));
    return most;
}

namespace {

/// A buffer on shared memory uses that memory.
bool use_shared(Memory& memory) {
    Context& context = *memory.context;
    const SharedHeap::Item shared = context.heap.find(memory.host_ptr);
    if (!shared) return false;
    const StoredBytes bytes = shared->bytes_from(memory.host_ptr);
    memory.uses_svm = true;
    require(memory.size <= bytes.size_bytes, CL_INVALID_BUFFER_SIZE);
    memory.storage = bytes.storage;
    memory.offset = bytes.offset;
    return true;
}

/// Takes CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT out of the properties.
bool take_address_property(const Context& context, PropertyList& properties) {
    const std::optional<Property> property = properties.take(CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT);
    if (!property) return false;
    require(any_has_addresses(context), CL_INVALID_OPERATION);
    require(property->value() == CL_TRUE || property->value() == CL_FALSE, CL_INVALID_PROPERTY);
    return property->value() == CL_TRUE;
}

cl_mem made(std::unique_ptr<Memory> memory) {
    if (memory->tells_address) {
        Storage& storage = *memory->storage;
        storage.fix_addresses();
        std::vector<uint64_t> addresses;
        for (size_t place = 0; place < memory->context->places.size(); ++place)
            addresses.push_back(storage.address(place));
        memory->context->addresses.add(memory->storage, addresses, storage.size_bytes());
    }
    return memory.release();
}

cl_mem create_buffer(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags, size_t size,
                     void* host_ptr) {
    Context& context = checked(handle);
    PropertyList given = memory_properties(properties);
    const bool tells_address = take_address_property(context, given);
    check_memory_flags(flags);
    const std::optional<ExternalMemory> external = external_memory(context, given);
    check_has_bytes(flags, external.has_value());
    require(size != 0 && size <= max_buffer_bytes(context), CL_INVALID_BUFFER_SIZE);
    check_host_pointer(context, flags, host_ptr);
    auto memory = std::make_unique<Memory>(context);
    memory->flags = flags;
    memory->properties = given.all();
    memory->size = size;
    memory->tells_address = tells_address;
    if (external) {
        import(*memory, *external, size);
        return made(std::move(memory));
    }
    if (flags & CL_MEM_USE_HOST_PTR) {
        memory->host_ptr = static_cast<std::byte*>(host_ptr);
        if (use_shared(*memory)) return made(std::move(memory));
    }
    check_copied_bytes(context, host_ptr, size);
    // Memory that the program wants to map for fast transfers is host memory, if it can be mapped in one
    // piece.
    const bool is_for_transfers = flags & CL_MEM_ALLOC_HOST_PTR &&
                                  std::ranges::all_of(context.places, [&](const Context::Place& place) {
                                      return size <= place.opened->max_allocation_bytes();
                                  });
    const auto use = is_for_transfers ? runtime::MemoryUse::Download : runtime::MemoryUse::Device;
    memory->storage = std::make_shared<Storage>(context, size, use, host_ptr);
    if (const std::byte* bytes = memory->storage->mapped(); bytes && memory->storage->is_for_transfers()) {
        const std::lock_guard lock(context.mutex);
        context.mapped.add(reinterpret_cast<uintptr_t>(bytes), size, memory->storage);
    }
    return made(std::move(memory));
}

}  // namespace

cl_mem CL_API_CALL CreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                cl_int* code_ret) {
    return make(code_ret, [&] { return create_buffer(context, nullptr, flags, size, host_ptr); });
}

cl_mem CL_API_CALL CreateBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                              cl_mem_flags flags, size_t size, void* host_ptr,
                                              cl_int* code_ret) {
    return make(code_ret, [&] { return create_buffer(context, properties, flags, size, host_ptr); });
}

cl_mem CL_API_CALL CreateSubBuffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type create_type,
                                   const void* create_info, cl_int* code_ret) {
    return make(code_ret, [&] {
        Memory& parent = checked(handle);
        require(parent.type == CL_MEM_OBJECT_BUFFER && !parent.parent, CL_INVALID_MEM_OBJECT);
        const cl_mem_flags its_flags = inherited_flags(parent, flags);
        require(create_type == CL_BUFFER_CREATE_TYPE_REGION && create_info, CL_INVALID_VALUE);
        const auto region = value_at<cl_buffer_region>(create_info);
        require(region.size != 0, CL_INVALID_BUFFER_SIZE);
        require(region.origin <= parent.size && region.size <= parent.size - region.origin, CL_INVALID_VALUE);
        const auto is_aligned = [&](const Context::Place& place) {
            return region.origin % base_alignment(*place.device) == 0;
        };
        require(std::ranges::any_of(parent.context->places, is_aligned), CL_MISALIGNED_SUB_BUFFER_OFFSET);
        auto memory = std::make_unique<Memory>(*parent.context);
        memory->flags = its_flags;
        memory->size = region.size;
        memory->offset = parent.offset + region.origin;
        memory->uses_svm = parent.uses_svm;
        memory->tells_address = parent.tells_address;
        if (parent.host_ptr) memory->host_ptr = parent.host_ptr + region.origin;
        memory->storage = parent.storage;
        memory->parent = Ref<Memory>(&parent);
        return memory.release();
    });
}

cl_mem CL_API_CALL CreatePipe(cl_context handle, cl_mem_flags flags, cl_uint packet_size, cl_uint max_packets,
                              const cl_pipe_properties* properties, cl_int* code_ret) {
    return make(code_ret, [&] {
        Context& context = checked(handle);
        require(any_has(context, frontend::Ext::Pipes), CL_INVALID_OPERATION);
        require(!(flags & ~(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS)), CL_INVALID_VALUE);
        require(!properties, CL_INVALID_VALUE);
        require(packet_size != 0 && packet_size <= kMaxPacketBytes && max_packets != 0, CL_INVALID_PIPE_SIZE);
        auto memory = std::make_unique<Memory>(context);
        memory->type = CL_MEM_OBJECT_PIPE;
        memory->flags = flags ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
        memory->packet_bytes = packet_size;
        memory->max_packets = max_packets;
        memory->size =
            take(runtime::pipe_ring_bytes(packet_size, max_packets), CL_MEM_OBJECT_ALLOCATION_FAILURE);
        memory->storage = std::make_shared<Storage>(
            context, memory->size, runtime::MemoryUse::Device,
            [max_packets](runtime::Queue& queue, const runtime::Buffer& ring) {
                take(runtime::empty_pipe_ring(queue, ring, max_packets), CL_MEM_OBJECT_ALLOCATION_FAILURE);
            });
        return memory.release();
    });
}

StoredBytes find_mapped(Context& context, const void* pointer, size_t size) {
    if (const SharedHeap::Item shared = context.heap.find(pointer)) {
        // With several devices it may be another one's memory. The bytes of a mirror are the host's own.
        const bool is_reached = shared->storage->mapped() || context.places.size() == 1;
        StoredBytes found = shared->bytes_from(pointer);
        return is_reached && !shared->storage->mirror() && size <= found.size_bytes ? found : StoredBytes{};
    }
    const std::lock_guard lock(context.mutex);
    StoredBytes found = context.mapped.find(reinterpret_cast<uintptr_t>(pointer));
    return size <= found.size_bytes ? found : StoredBytes{};
}

Memory& checked_buffer(cl_mem handle, const Context& context) {
    Memory& memory = checked(handle);
    require(memory.type == CL_MEM_OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
    require(memory.context.get() == &context, CL_INVALID_CONTEXT);
    return memory;
}

// ---- Asking ----

cl_int CL_API_CALL RetainMemObject(cl_mem memory) { return retain(memory); }
cl_int CL_API_CALL ReleaseMemObject(cl_mem memory) { return release(memory); }

cl_int CL_API_CALL SetMemObjectDestructorCallback(cl_mem handle, void(CL_CALLBACK* function)(cl_mem, void*),
                                                  void* user_data) {
    return entry([&] {
        Memory& self = checked(handle);
        require(function, CL_INVALID_VALUE);
        const std::lock_guard lock(self.mutex);
        self.destructor_callbacks.push_back({function, user_data});
    });
}

/// One for each device of the context.
static std::vector<cl_mem_device_address_ext> device_addresses(const Memory& memory) {
    require(memory.tells_address, CL_INVALID_OPERATION);
    std::vector<cl_mem_device_address_ext> addresses;
    for (size_t place = 0; place < memory.context->places.size(); ++place) {
        const uint64_t address = memory.storage->address(place);
        addresses.push_back(address == 0 ? 0 : address + memory.offset);
    }
    return addresses;
}

cl_int CL_API_CALL GetMemObjectInfo(cl_mem handle, cl_mem_info name, size_t size, void* value,
                                    size_t* size_ret) {
    return entry([&] {
        Memory& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_MEM_TYPE: return answer.put(self.type);
            case CL_MEM_FLAGS: return answer.put(self.flags);
            case CL_MEM_SIZE: return answer.put(self.size);
            case CL_MEM_HOST_PTR: return answer.put<void*>(self.host_ptr);
            case CL_MEM_MAP_COUNT: return answer.put(static_cast<cl_uint>(self.mappings->count()));
            case CL_MEM_REFERENCE_COUNT: return answer.put(self.references());
            case CL_MEM_CONTEXT: return answer.put<cl_context>(self.context.get());
            case CL_MEM_ASSOCIATED_MEMOBJECT: return answer.put<cl_mem>(self.parent.get());
            case CL_MEM_OFFSET:  // for a sub-buffer; an image begins where its buffer does
                return answer.put(self.parent && !self.image ? self.offset - self.parent->offset : size_t{0});
            case CL_MEM_USES_SVM_POINTER: return answer.put<cl_bool>(self.uses_svm);
            case CL_MEM_PROPERTIES: return answer.put_all(self.properties);
            case CL_MEM_DEVICE_ADDRESS_EXT: return answer.put_all(device_addresses(self));
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL GetPipeInfo(cl_mem handle, cl_pipe_info name, size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const Memory& self = checked(handle);
        require(self.type == CL_MEM_OBJECT_PIPE, CL_INVALID_MEM_OBJECT);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_PIPE_PACKET_SIZE: return answer.put<cl_uint>(self.packet_bytes);
            case CL_PIPE_MAX_PACKETS: return answer.put<cl_uint>(self.max_packets);
            case CL_PIPE_PROPERTIES: return answer.put_all(std::vector<cl_pipe_properties>{});
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
