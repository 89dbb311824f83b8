// SPDX-License-Identifier: Apache-2.0
// The data segment: program-scope variables as the bytes that the runtime copies to device memory.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/result.h"
#include "vulkan/interface.h"
#include "vulkan/translate/memory/address.h"

namespace caldera::vulkan::memory {

class DataSegment {
 public:
    DataSegment(const Source& source, const Addresses& addresses, ProgramInterface& program)
        : source_(source), addresses_(addresses), program_(program) {}

    bool empty() const { return order_.empty(); }
    /// Returns the offset of a program-scope variable; places it at the first call.
    uint64_t place(Id variable);
    /// Returns the little-endian value of constant memory that a program cannot change. nullopt if it
    /// contains an address, if the offset is out of range, or if the variable is writable.
    std::optional<uint64_t> read(Id variable, int64_t offset, uint32_t bytes);
    /// The initial bytes of a program-scope variable without pointers.
    const std::vector<uint8_t>& bytes(Id variable) { return image(variable).bytes; }
    /// Writes the bytes and relocations to the interface. Nothing more can be placed afterwards.
    Result<Done> finish();

 private:
    struct Reloc {
        uint64_t at = 0;
        Id variable = {};
        int64_t offset = 0;
    };
    struct Image {
        Id variable = {};
        std::vector<uint8_t> bytes = {};
        std::vector<Reloc> relocs = {};
    };
    const Image& image(Id variable);
    void write(Id constant, uint64_t at, Image& image);
    void write_leaf(const Instruction& inst, uint64_t at, Image& image);
    std::string described(Id variable) const;

    const Source& source_;
    const Addresses& addresses_;
    ProgramInterface& program_;
    spirv::IdMap<Image> images_ = {};
    spirv::IdMap<uint64_t> offsets_ = {};
    std::vector<Id> order_ = {};
    uint64_t size_bytes_ = 0, alignment_ = 1;
    std::string error_ = {};
};

}  // namespace caldera::vulkan::memory
