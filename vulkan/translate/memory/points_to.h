// SPDX-License-Identifier: Apache-2.0
// Finds which private and local objects a pointer may point to, with one linear pass based on B. Steensgaard,
// "Points-to Analysis in Almost Linear Time" (POPL 1996). Values that may hold each other's pointers share a
// class. Each class has one class for the pointers that are stored in the memory it points to. Objects of one
// class share a region of memory.
#pragma once

#include "vulkan/translate/memory/module_constants.h"
#include "vulkan/translate/memory/source.h"

namespace caldera::vulkan::memory {

/// The space that a pointer points into. It determines which integer represents the pointer.
enum class Space : uint8_t {
    Global,   ///< u64 device address (also constant memory)
    Local,    ///< u32 byte offset in the class's local region
    Private,  ///< u32 byte offset in the class's private region (also of ModuleConstants)
    /// u64: local and private offsets have the tag kLocalTag or kPrivateTag, other values are addresses
    Generic,
};
constexpr uint64_t kLocalTag = uint64_t{1} << 62, kPrivateTag = uint64_t{2} << 62;

struct PointerClass {
    bool may_be_global = false;  ///< a global pointer may be in the class
    bool has_local = false;      ///< the class contains a local object
    bool has_private = false;    ///< the class contains a private object
    bool needs_null = false;     ///< NULL must differ from every object's offset
    bool is_compared = false;  ///< pointers are compared; programs let them point slightly outside the object
    bool holds_pointers = false;  ///< the memory holds local, private or generic pointers
    bool holds_bytes = false;    ///< the memory is also accessed by bytes, or as numbers that may be pointers
    bool holds_numbers = false;  ///< the memory has such bytes or numbers, perhaps beside the pointers
    bool is_recast = false;  ///< pointers to the memory change their type, so numbers may be those pointers
};

class PointsTo {
 public:
    /// Which functions the module calls. Before the library is linked, some have no bodies. These and
    /// instructions that later passes replace may copy the bytes of the memory that they get.
    enum class Calls : uint8_t { AllKnown, SomeUnknown };
    PointsTo(const spirv::Module& module, const Source& source, const ModuleConstants& constants,
             Calls calls = Calls::AllKnown);

    /// The class of a pointer value, or of an aggregate value that contains pointers.
    uint32_t class_of(Id value) const;
    /// An upper bound of class ids.
    uint32_t size() const { return static_cast<uint32_t>(parents_.size()); }
    const PointerClass& operator[](uint32_t id) const { return facts_[find(id)]; }
    /// The space of a pointer's value: Generic only if its class mixes spaces.
    Space space_of(Id pointer) const;
    /// Whether a variable is a constant of the module.
    bool is_module_constant(Id variable) const { return constants_.contains(variable); }
    /// The class of every global pointer, and of the constant ones that ModuleConstants does not contain.
    static constexpr uint32_t kGlobalClass = 0;

 private:
    void visit(const Instruction& inst, Id function);
    bool casts_to_words(const Instruction& inst) const;
    bool recasts(const Instruction& inst) const;
    bool may_copy_pointers(const TypeInfo& type) const;
    void visit_memory(const Instruction& inst);
    void visit_call(const Instruction& inst);
    void visit_unknown(const Instruction& inst);
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
    const ModuleConstants& constants_;
    const Calls calls_;
    mutable std::vector<uint32_t> parents_ = {};
    std::vector<uint32_t> contents_ = {};  // class of the pointers in this class's memory; 0: none yet
    std::vector<PointerClass> facts_ = {};
    std::vector<uint32_t> nodes_ = {};                  // by id; 0: none yet
    std::vector<const spirv::Function*> callees_ = {};  // by id
    spirv::IdSet integers_ = {};                        // integers that were converted from pointers
    uint32_t escaped_ = 0;                              // class of the pointers that are integers for a while
};

}  // namespace caldera::vulkan::memory
