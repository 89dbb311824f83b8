// SPDX-License-Identifier: Apache-2.0
// The model: what the bytes of all objects must be (main.cpp).
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace caldera::random_calls {

using Size3 = std::array<size_t, 3>;
using Host = std::vector<uint8_t>;
constexpr size_t kTexel = 4;
constexpr cl_image_format kFormat = {CL_RGBA, CL_UNSIGNED_INT8};

/// Throws what is wrong.
void require(bool condition, const std::string& what);
void require_success(cl_int code, const std::string& what);
void require_same(const Host& out, const Host& expected, const std::string& what);

struct Queue {
    cl_command_queue handle = nullptr;
    bool in_order = true;
    size_t number = 0;  ///< from 1: handles come again
};

/// The event of a command, or of a marker after it.
struct Event {
    cl_event handle = nullptr;
    size_t queue = 0;  ///< its number
};

/// The bytes behind a buffer, its parts and images, as they are when all commands so far are over.
struct Bytes {
    Host now = {};
    Event written = {};            ///< by the last command that writes
    std::vector<Event> read = {};  ///< by commands since
};
struct Use {
    std::shared_ptr<Bytes> bytes;
    bool writes = false;
};

struct Buffer {
    cl_mem handle = nullptr;
    std::shared_ptr<Bytes> bytes = {};
    size_t begin = 0, size = 0;
    bool is_part = false;
    uint8_t* data() const { return bytes->now.data() + begin; }
};
struct Image {
    cl_mem handle = nullptr;
    std::shared_ptr<Bytes> bytes = {};
    cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
    size_t begin = 0, row = 0, slice = 0;  ///< in bytes
    Size3 extent = {1, 1, 1};              ///< in texels, rows, slices
    uint8_t* at(size_t y, size_t z) const { return bytes->now.data() + begin + z * slice + y * row; }
};

/// Rows and slices of bytes.
struct Box {
    uint8_t* data = nullptr;
    size_t row = 0, slice = 0;
};
void copy(const Box& to, const Box& from, const Size3& region);

}  // namespace caldera::random_calls
