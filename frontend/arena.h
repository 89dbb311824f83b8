// SPDX-License-Identifier: Apache-2.0
// Arena: owns a translation unit's nodes, types and strings, and frees them together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else  // a compiler without the address sanitizer
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace caldera::frontend {

/// Bump allocation. Nothing allocated here has its destructor run, so nodes are trivially destructible.
///
/// Allocations inside a function body (Arena::Body) are kept separate, body after body, so that the latest
/// bodies can be freed before the arena is destroyed.
class Arena {
    /// Chunks that are filled one after another.
    class Stack {
     public:
        /// A position up to which a stack is filled.
        struct Mark {
            size_t chunk = 0;
            uintptr_t at = 0;
        };

        void* allocate(size_t size, size_t align) {
            uintptr_t begin = (at_ + align - 1) & ~(align - 1);
            if (begin + size > end_) begin = open_chunk(size);  // a chunk is aligned for everything
            at_ = begin + size;
            ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void*>(begin), size);
            return reinterpret_cast<void*>(begin);
        }
        Mark mark() const { return {open_, at_}; }
        /// Frees everything allocated since the mark, and reuses its memory. An address sanitizer reports
        /// later accesses to it.
        void rewind(Mark mark) {
            open_ = mark.chunk;
            at_ = mark.at;
            end_ = open_ == 0 ? 0 : begin_of(chunks_[open_ - 1]) + chunks_[open_ - 1].size;
            ASAN_POISON_MEMORY_REGION(reinterpret_cast<void*>(at_), end_ - at_);
            for (size_t i = open_; i < chunks_.size(); ++i)
                ASAN_POISON_MEMORY_REGION(chunks_[i].bytes.get(), chunks_[i].size);
        }

     private:
        static constexpr size_t kFirstChunk = 16 * 1024, kLargestChunk = 64 * 1024;
        struct Chunk {
            std::unique_ptr<std::byte[]> bytes;
            size_t size;
        };
        static uintptr_t begin_of(const Chunk& chunk) {
            return reinterpret_cast<uintptr_t>(chunk.bytes.get());
        }

        uintptr_t open_chunk(size_t size) {
            while (open_ < chunks_.size() && chunks_[open_].size < size) ++open_;
            if (open_ == chunks_.size()) {
                size_t wanted = std::max(size, chunks_.empty() ? kFirstChunk : kLargestChunk);
                chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(wanted), wanted});
            }
            const Chunk& chunk = chunks_[open_++];
            end_ = begin_of(chunk) + chunk.size;
            return begin_of(chunk);
        }

        std::vector<Chunk> chunks_ = {};
        size_t open_ = 0;             // the chunk that is being filled, counted from 1
        uintptr_t at_ = 0, end_ = 0;  // in it
    };

 public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    template <class T, class... Args>
    T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (current_->allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
    }

    /// Returns a copy that lives as long as the arena.
    template <class T>
    std::span<T> copy(const std::vector<T>& items) {
        return copy(std::span<const T>(items));
    }
    template <class T>
    std::span<T> copy(std::span<const T> items) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (items.empty()) return {};
        T* data = static_cast<T*>(current_->allocate(sizeof(T) * items.size(), alignof(T)));
        std::memcpy(static_cast<void*>(data), items.data(), sizeof(T) * items.size());
        return {data, items.size()};
    }
    std::string_view copy(std::string_view text) {
        if (text.empty()) return {};
        char* data = static_cast<char*>(current_->allocate(text.size(), 1));
        std::memcpy(data, text.data(), text.size());
        return {data, text.size()};
    }

    /// While an instance exists, allocations belong to a body.
    class Body {
     public:
        explicit Body(Arena& arena) : arena_(arena), outer_(std::exchange(arena.current_, &arena.bodies_)) {}
        ~Body() { arena_.current_ = outer_; }
        Body(const Body&) = delete;
        Body& operator=(const Body&) = delete;

     private:
        Arena& arena_;
        Stack* outer_;
    };
    using Mark = Stack::Mark;
    Mark bodies_so_far() const { return bodies_.mark(); }
    void drop_bodies_since(Mark mark) { bodies_.rewind(mark); }

 private:
    Stack lasting_ = {}, bodies_ = {};
    Stack* current_ = &lasting_;
};

}  // namespace caldera::frontend
