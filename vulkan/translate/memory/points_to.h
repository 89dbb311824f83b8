// SPDX-License-Identifier: Apache-2.0
// Which private and local objects a pointer may point to: one linear pass in the manner of B. Steensgaard, "Points-to
// Analysis in Almost Linear Time" (POPL 1996). Values that may hold each other's pointers share a class; a class has one
// class for what is stored in the memory it points to. Objects of one class get one region of memory.
#pragma once

#include "vulkan/translate/memory/source.h"

namespace caldera::vulkan::memory {

/// Where a pointer points, and with it what the integer is that stands for it.
enum class Space : uint8_t {
    Global,   ///< u64 device address (constant memory too)
    Local,    ///< u32 byte offset in the class's local region
    Private,  ///< u32 byte offset in the class's private region
    Generic,  ///< u64: local and private offsets carry kLocalTag or kPrivateTag, anything else is an address
};
constexpr uint64_t kLocalTag = uint64_t{1} << 62, kPrivateTag = uint64_t{2} << 62;

struct PointerClass {
    bool may_be_global = false;   ///< a global pointer flows in
    bool has_local = false;       ///< a local object is in it
    bool has_private = false;     ///< a private object is in it
    bool needs_null = false;      ///< NULL must differ from every object's offset
    bool is_compared = false;     ///< pointers are compared; programs let them leave the object by a little
    bool holds_pointers = false;  ///< the memory holds local, private or generic pointers
    bool holds_bytes = false;     ///< the memory is accessed by bytes or as 64-bit integers too
};

class PointsTo {
 public:
    PointsTo(const spirv::Module& module, const Source& source);

    /// The class of a pointer value, or of an aggregate value that holds pointers.
    uint32_t class_of(Id value) const;
    /// How many classes there may be: ids are below it.
    uint32_t size() const { return static_cast<uint32_t>(parents_.size()); }
    const PointerClass& operator[](uint32_t id) const { return facts_[find(id)]; }
    /// What the value of a pointer is: Generic only where its class mixes spaces.
    Space space_of(Id pointer) const;
    static constexpr uint32_t kGlobalClass = 0;  ///< of every global and constant pointer

 private:
    void visit(const Instruction& inst, Id function);
    void visit_memory(const Instruction& inst);
    void visit_compare(Id a, Id b);
    void visit_integer_uses(const Instruction& inst);
    void escape(Id pointer);
    void add_objects(const spirv::Module& module);
    void close();
    uint32_t add_class();
    uint32_t find(uint32_t id) const;
    void unify(uint32_t a, uint32_t b);
    uint32_t content(uint32_t id);
    uint32_t node(Id value);
    void flow(uint32_t to, Id from);
    void flow(Id to, Id from);
    PointerClass& facts(uint32_t id) { return facts_[find(id)]; }
    bool is_global(Id pointer) const;
    Id pointer_of_integer(Id value) const;
    void find_integers(const spirv::Module& module);

    const Source& source_;
    mutable std::vector<uint32_t> parents_ = {};
    std::vector<uint32_t> contents_ = {};  // class of the pointers in the class's memory; 0: none yet
    std::vector<PointerClass> facts_ = {};
    std::vector<uint32_t> nodes_ = {};                  // by id; 0: none yet
    std::vector<const spirv::Function*> callees_ = {};  // by id
    spirv::IdSet integers_ = {};                        // values that are pointers made integers
    uint32_t escaped_ = 0;                              // of the pointers that are integers for a while
};

}  // namespace caldera::vulkan::memory
