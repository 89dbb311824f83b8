// SPDX-License-Identifier: Apache-2.0
// Instrument: what passes share that add checks to a program: calls of functions of builtins/check, the
// places that they report, and the objects of pointers.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/checks/fault_slots.h"
#include "vulkan/translate/checks/object_paths.h"
#include "vulkan/translate/link/library_imports.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/accesses.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {

/// Why a build for descriptors has no checks.
constexpr const char* kNeedsAddresses =
    "accesses are checked by addresses only, and this program reaches memory by descriptors";

/// The object that an access should stay in, in the function that is being rewritten.
struct CheckedObject {
    spirv::Id begin = {}, size = {};
    std::string name = {};
    bool is_argument = false;
    uint32_t argument = 0;  ///< its number, if it is one
    spirv::Id shadow = {};  ///< ObjectShadow::all, if a parameter has it
};

/// The shadow of an object (vulkan/race_words.h): what functions of the library that note accesses take.
struct ObjectShadow {
    spirv::Id all = {};  ///< the begin, the size and the address of the shadow of what the object is in
    spirv::Id begin = {}, size = {};
};

/// For one module. Functions are rewritten one after another: begin() and end() enclose each.
class Instrument {
 public:
    Instrument(spirv::Module& module, PassContext& context);

    /// Functions that are called alone get the begin and the size of the object of each pointer to global
    /// memory that they have as a parameter, if all calls know it; `with_shadows`: its shadow, too. Once,
    /// before the first function is rewritten, when variables are values.
    void pass_objects(spirv::Module& module, bool with_shadows);
    /// `function` must not change until end(). It may be a copy of the one that is rewritten.
    void begin(const spirv::Function& function);
    /// Adds what at_entry() made to the function.
    void end(spirv::Function& function);
    /// Both, and between them `rewrite(inst, out)` for each instruction of the function (rewrite_block).
    template <class Rewrite>
    void rewrite(spirv::Function& function, Rewrite&& rewrite) {
        this->rewrite(
            function, [](const spirv::Function&) {}, rewrite);
    }
    /// The same after `prepare(function)`, which may make instructions at_entry().
    template <class Prepare, class Rewrite>
    void rewrite(spirv::Function& function, Prepare&& prepare, Rewrite&& rewrite) {
        const spirv::Function before = function;
        begin(before);
        prepare(before);
        for (block_ = 0; block_ < function.blocks.size(); ++block_)
            rewrite_block(builder_, function.blocks[block_],
                          [&](spirv::Instruction& inst, std::vector<spirv::Instruction>& out) {
                              note_found(inst);
                              if (inst.op == spv::Op::OpFunctionCall) add_objects(inst);
                              rewrite(inst, out);
                          });
        end(function);
    }
    /// The number of the block that is being rewritten.
    uint32_t block() const { return block_; }
    /// Whether every way to what is being rewritten leads through that block.
    bool comes_after(uint32_t block) const { return tree_.dominates(block, block_); }
    /// Adds to kernels what reports the faults of all functions, and to the module the declarations of
    /// library functions. Once, after all functions.
    void finish();

    spirv::Builder& builder() { return builder_; }
    const OpenclLayout& layout() const { return layout_; }
    const AccessFinder& accesses() const { return accesses_; }
    const ObjectPaths& paths() const { return *paths_; }
    /// Whether an access in the block that is being rewritten is wholly in its variable.
    bool is_inside(const ObjectPath& path, uint64_t bytes) const {
        return paths_->is_inside(path, bytes, *index_limits_, block_);
    }
    /// Whether an index is one of so many there.
    bool is_below(spirv::Id index, uint64_t count) const {
        return index_limits_->largest(index, block_) < count;
    }

    /// Makes instructions in the function's first block.
    template <class Emit>
    spirv::Id at_entry(const Emit& emit) {
        const spirv::SinkScope sink(builder_, &entry_);
        return emit();
    }

    /// Calls a function of the library; its parameters are of the types of the values.
    spirv::Id call(const char* mangled_name, spirv::Id result, const std::vector<spirv::Id>& values);
    spirv::Id state();
    /// The spare area for accesses that write, or for those that read.
    spirv::Id spare(bool writes);
    /// Records a place; the index of it, as a constant. This adds what is known of the instruction.
    spirv::Id site(const spirv::Instruction& inst, CheckSite site);
    /// The same for an access. `space` is that of a private or local object.
    spirv::Id site(const spirv::Instruction& inst, CheckKind kind, const Access& access,
                   const CheckedObject* object, spv::StorageClass space = {});

    /// What the library finds for an access by a pointer whose object is not known: the begin, the size and
    /// the shadow of the object that `address` is in. One search serves all accesses by the pointer that come
    /// after it.
    spirv::Id find_object(spirv::Id pointer, const Access& access, spirv::Id address);
    /// The same, if it has been found; this or an earlier pass has asked for it.
    spirv::Id found_object(spirv::Id pointer, const Access& access) const;
    /// How many objects there are less than; functions of the library that search take it last.
    spirv::Id search_limit();

    /// Reports a fault at the site where `is_fault`, a bool, holds.
    void report_if(spirv::Id is_fault, spirv::Id site, const FaultDetails& details);
    /// The same on every device as soon as it happens, at a site that may vary.
    void report_now(spirv::Id is_fault, spirv::Id site, const FaultDetails& details);

    /// None if it is not known. The reference is valid until the next call.
    const CheckedObject* object_of(spirv::Id pointer);
    /// How many places in such an object an access of so many bytes may begin at.
    spirv::Id limit_of(const CheckedObject& object, uint64_t bytes);
    /// The shadow of a known object, which the function has or looks for at its entry. The reference is valid
    /// until the next call.
    const ObjectShadow& shadow_of(const CheckedObject& object);
    /// The name of a kernel's argument; none for all other values.
    std::string argument_name(spirv::Id pointer) const;
    /// Without the function's name, which front ends put before a variable of local memory.
    std::string name_of(spirv::Id variable);
    /// "file:line:column" of the instruction, or nothing.
    std::string place_of(const spirv::Instruction& inst) const;

    spv::StorageClass storage(spirv::Id pointer) const;
    /// Whether the value is a pointer by which global or constant memory may be reached.
    bool is_global(spirv::Id value) const;
    spirv::Id pointee(spirv::Id pointer) const { return builder_.pointee(builder_.type_of(pointer)); }
    /// The integer with 64 bits.
    spirv::Id widened(spirv::Id value, spv::Op convert);
    /// The address of the access, as an integer.
    spirv::Id address_of(spirv::Id pointer, const Access& access);
    /// How far an access with an index is from its pointer, in bytes.
    spirv::Id index_bytes(const Access& access);
    /// The pointer, which moves from one address to another.
    spirv::Id moved(spirv::Id pointer, spirv::Id from, spirv::Id to);
    /// For an atomic operation that gets a spare place where `condition` is `left_out`: there others may have
    /// stored, so its result is zero. A compare-exchange gives what it expected, which ends loops that try
    /// it again. The instruction gets another result, and add_result() makes the old one behind it.
    void replace_result(spirv::Instruction& inst, spirv::Id condition, bool left_out);
    void add_result();
    /// The offset of a place in its variable, as an integer.
    spirv::Id offset_of(const ObjectPath& path);

 private:
    void name_arguments(const spirv::Function& function);
    bool is_only_kernel(spirv::Id function) const;
    void add_objects(spirv::Instruction& call);
    void note_found(const spirv::Instruction& inst);
    /// Whether calls pass the shadow of what the pointer points to. Nobody races in constant memory.
    bool has_shadow(spirv::Id pointer) const {
        return passes_shadows_ && storage(pointer) == spv::StorageClass::CrossWorkgroup;
    }
    std::optional<uint32_t> site_of_version(const CheckSite& site);
    CheckedObject object_of_variable(spirv::Id variable);
    bool is_string_literal(spirv::Id variable);
    CheckedObject object_of_argument(spirv::Id argument);

    /// What tells the places of accesses apart: a pointer, an index, and its stride.
    using Place = std::tuple<spirv::Id, spirv::Id, uint64_t>;
    static Place place_of(spirv::Id pointer, const Access& access) {
        return {pointer, access.index, access.stride_bytes};
    }
    struct Found {
        uint32_t block = 0;
        spirv::Id object = {};
    };

    /// An argument of a kernel.
    struct Argument {
        std::string name = {};
        uint32_t number = 0;
    };

    PassContext& context_;
    spirv::Builder builder_;
    OpenclLayout layout_;
    LibraryImports imports_;
    AccessFinder accesses_;
    spirv::IdMap<std::string> names_, files_ = {};
    spirv::IdSet called_ = {};
    spirv::IdMap<std::vector<size_t>> passed_ = {};  // parameters whose objects calls do not pass yet
    bool passes_shadows_ = false;
    LocalIdLimits local_ids_;
    spirv::Id opencl_std_;
    spirv::IdSet finders_ = {};  // declarations of what find_object() calls
    spirv::Id search_limit_ = {};
    std::optional<FaultSlots> slots_ = {};
    // what this pass has made, by the function's name, with the function's id
    std::map<std::string, std::vector<std::pair<spirv::Id, uint32_t>>> sites_ = {};
    // of the function that is being rewritten
    const spirv::Function* function_ = nullptr;
    uint32_t block_ = 0;
    std::vector<uint32_t> version_sites_ =
        {};                         // of other versions of the function, which it does not have yet
    size_t next_version_site_ = 0;  // where the next one probably is
    spirv::Cfg cfg_ = {};
    spirv::Dominators tree_ = {};
    std::map<Place, std::vector<Found>> found_ = {};
    std::optional<ObjectPaths> paths_ = {};
    std::optional<IndexLimits> index_limits_ = {};
    spirv::IdMap<Argument> arguments_ = {};
    spirv::IdMap<CheckedObject> objects_ = {};
    std::map<std::pair<spirv::Id, uint64_t>, spirv::Id> limits_ = {};  // by size and bytes
    spirv::IdMap<ObjectShadow> shadows_ = {};                          // by an object's begin
    std::vector<spirv::Instruction> entry_ = {};
    std::array<spirv::Id, 2> spare_ = {};
    std::optional<spirv::Instruction> replaced_ = {};  // the result of an atomic operation
};

}  // namespace caldera::vulkan
