// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/known_formats.h"

#include <algorithm>
#include <map>
#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "spirv/uses.h"
#include "vulkan/translate/optimize/dead_code.h"
#include "vulkan/translate/support/clone.h"
#include "vulkan/translate/support/image_constants.h"
#include "vulkan/translate/support/simplify.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

/// A kernel with fewer calls of image functions is left as it is: drivers fold the formats there.
constexpr size_t kManyImageCalls = 16;

class FormatSpecializer {
 public:
    explicit FormatSpecializer(Module& module) : module_(module), cloner_(module) {
        for (uint32_t f = 0; f < module.functions.size(); ++f) index_of_[module.functions[f].id()] = f;
    }

    /// Turns the formats into constants.
    void freeze(std::span<const SpecConstant> formats) {
        std::map<uint32_t, uint32_t> values;
        for (const auto& [id, value] : formats)
            if (value != 0) values[id] = value;
        IdMap<uint32_t> frozen;
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            if (inst.op != spv::Op::OpDecorate ||
                inst.word(1) != static_cast<uint32_t>(spv::Decoration::SpecId))
                return false;
            const auto value = values.find(inst.word(2));
            if (value == values.end()) return false;
            frozen[inst.id(0)] = value->second;
            return true;
        });
        for (Instruction& inst : module_.globals) {
            const auto value = frozen.find(inst.result.value);
            if (inst.op != spv::Op::OpSpecConstant || value == frozen.end()) continue;
            inst.op = spv::Op::OpConstant;
            inst.operands = {value->second};
            formats_.push_back(inst.result);
        }
    }

    /// Whether drivers gain much.
    bool specialize() {
        if (formats_.empty() || !may_gain()) return false;
        for (const Instruction& entry : module_.entry_points) {
            const uint32_t kernel = index_of_.at(entry.id(1));
            find_images(module_.functions[kernel]);
            specialize(kernel, formats_);
        }
        for (Function& function : module_.functions) reuse_descriptors(function);
        return reads_formats_ || calls_ >= kManyImageCalls;
    }

 private:
    static constexpr size_t kMostCopies = 512;
    static constexpr size_t kSmall = 48;  // instructions
    static constexpr uint64_t kIsFormat = uint64_t{1} << 32;
    static constexpr uint64_t kDescriptorMask = (uint64_t{1} << kImageFormatShift) - 1;
    using Key = std::vector<uint64_t>;  // a function, and what is known of each argument

    // ---- Before anything is copied ----

    /// What a function does together with those that it calls.
    struct Below {
        size_t calls = 0;  ///< on all paths; at most kManyImageCalls
        bool reads_formats = false;
    };

    /// False where specialize() could not count enough, whatever it copies: a call is counted at most once
    /// for each path to it.
    bool may_gain() {
        IdMap<Below> known;
        Below all;
        for (const Instruction& entry : module_.entry_points) {
            const Below below = below_of(entry.id(1), known);
            all.calls += below.calls;
            all.reads_formats |= below.reads_formats;
        }
        return all.reads_formats || all.calls >= kManyImageCalls;
    }

    void add_call(Id function, IdMap<Below>& known, Below& to) {
        const auto found = known.find(function);
        const Below below = found != known.end() ? found->second : below_of(function, known);
        to.calls = std::min(kManyImageCalls, to.calls + 1 + below.calls);
        to.reads_formats |= below.reads_formats;
    }

    /// Vulkan's functions do not call themselves.
    Below below_of(Id function, IdMap<Below>& known) {
        Below below;
        for (const Block& block : module_.functions[index_of_.at(function)].blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpFunctionCall)
                    add_call(inst.id(0), known, below);
                else
                    below.reads_formats |= inst.op == spv::Op::OpShiftRightLogical &&
                                           builder().constant_value(inst.id(1)) == kImageFormatShift;
        known[function] = below;
        return below;
    }

    /// `values`: constants in it that come from formats. Vulkan's functions do not call themselves.
    void specialize(uint32_t function, std::span<const Id> values) {
        IdSet known;
        for (const Id value : values) known.insert(value);
        bool again = true;
        while (again) {
            fold_dependents(builder(), module_.functions[function], known);
            again = pass_constants(function, known);
        }
    }

    /// A kernel's image is its address with the number of its format in the highest bits (lower_images).
    void find_images(const Function& kernel) {
        IdMap<uint32_t> wide, high;
        const auto number_of = [](const IdMap<uint32_t>& map, Id id) {
            const auto found = map.find(id);
            return found != map.end() ? found->second : 0;
        };
        for (const Id format : formats_)
            wide[format] = static_cast<uint32_t>(*builder().constant_value(format));
        for (const Block& block : kernel.blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpUConvert && number_of(wide, inst.id(0)) != 0)
                    wide[inst.result] = number_of(wide, inst.id(0));
                else if (inst.op == spv::Op::OpShiftLeftLogical && number_of(wide, inst.id(0)) != 0 &&
                         builder().constant_value(inst.id(1)) == kImageFormatShift)
                    high[inst.result] = number_of(wide, inst.id(0));
                else if (inst.op == spv::Op::OpBitwiseOr)
                    for (const Operand& operand : inst.operands)
                        if (const uint32_t format = number_of(high, operand.id()))
                            format_of_[inst.result] = format;
    }

    /// What a call tells of an argument: the id of a constant, or the format of an image.
    uint64_t told_by(Id argument) {
        const auto format = format_of_.find(argument);
        if (format != format_of_.end()) return kIsFormat | format->second;
        return builder().constant_value(argument) ? argument.value : 0;
    }

    /// Whether the format of an image is an argument itself, not only what follows from one.
    bool has_format(const Instruction& call) const {
        return std::any_of(call.operands.begin() + 1, call.operands.end(), [&](const Operand& argument) {
            return std::ranges::find(formats_, argument.id()) != formats_.end() ||
                   format_of_.contains(argument.id());
        });
    }

    bool tells_format(const Instruction& call, const IdSet& known) const {
        return has_format(call) ||
               std::any_of(call.operands.begin() + 1, call.operands.end(),
                           [&](const Operand& argument) { return known.contains(argument.id()); });
    }

    /// Calls copies for what is known. The code of small ones takes the place of the call. Returns whether
    /// there is such code; `known` receives what it computes.
    bool pass_constants(uint32_t caller, IdSet& known) {
        Substitution results;
        bool any = false;
        for (size_t b = 0; b < module_.functions[caller].blocks.size(); ++b) {
            std::vector<Instruction> body = std::move(module_.functions[caller].blocks[b].body), changed;
            for (Instruction& inst : body) {
                const bool is_wanted = inst.op == spv::Op::OpFunctionCall && !is_copy_.contains(inst.id(0)) &&
                                       tells_format(inst, known);
                if (is_wanted && has_format(inst)) ++calls_;
                const std::optional<uint32_t> copy = is_wanted ? copy_for(inst) : std::nullopt;
                if (copy) inst.operands[0] = module_.functions[*copy].id();
                if (!copy || !is_small(module_.functions[*copy])) {
                    changed.push_back(std::move(inst));
                    continue;
                }
                any = true;
                put_code(inst, module_.functions[*copy], changed, results, known);
            }
            module_.functions[caller].blocks[b].body = std::move(changed);
        }
        if (!any) return false;
        results.apply(module_.functions[caller]);
        builder_.reset();
        return true;
    }

    /// None: there are too many.
    std::optional<uint32_t> copy_for(const Instruction& call) {
        Key key = {call.id(0).value};
        for (size_t a = 1; a < call.operands.size(); ++a) key.push_back(told_by(call.id(a)));
        if (copies_.size() >= kMostCopies && !copies_.contains(key)) return std::nullopt;
        const auto [copy, is_new] = copies_.try_emplace(std::move(key));
        if (is_new) copy->second = make_copy(copy->first);
        return copy->second;
    }

    /// Without branches and variables. Debug information says of which function each instruction is.
    bool is_small(const Function& function) const {
        return function.blocks.size() == 1 && function.blocks[0].body.size() <= kSmall &&
               module_.scopes.empty() && function.blocks[0].terminator.op != spv::Op::OpUnreachable &&
               std::ranges::none_of(function.blocks[0].body,
                                    [](const Instruction& inst) { return inst.op == spv::Op::OpVariable; });
    }

    void put_code(const Instruction& call, const Function& callee, std::vector<Instruction>& out,
                  Substitution& results, IdSet& known) {
        for (size_t a = 1; a < call.operands.size(); ++a)
            cloner_.map(callee.params[a - 1].result, results.resolve(call.id(a)));
        for (const Instruction& inst : callee.blocks[0].body) {
            if (inst.result) known.insert(cloner_.rename(inst.result));
            out.push_back(cloner_.copy(inst));
        }
        const Instruction& end = callee.blocks[0].terminator;
        if (end.op != spv::Op::OpReturnValue) return;
        results.set(call.result, cloner_(end.id(0)));
        known.insert(cloner_(end.id(0)));
    }

    uint32_t make_copy(const Key& key) {
        const Id original{static_cast<uint32_t>(key[0])};
        Function copy = cloner_.copy(module_.functions[index_of_.at(original)], module_.fresh());
        std::vector<Id> known;
        Substitution values;
        for (size_t a = 1; a < key.size(); ++a) {
            if (key[a] == 0) continue;
            const Id param = copy.params[a - 1].result;
            if (key[a] & kIsFormat) {
                format_of_[param] = static_cast<uint32_t>(key[a]);
                take_format(copy, param, values, known);
            } else {
                known.push_back(Id{static_cast<uint32_t>(key[a])});
                values.set(param, known.back());
            }
        }
        values.apply(copy);
        is_copy_.insert(copy.id());
        const auto index = static_cast<uint32_t>(module_.functions.size());
        index_of_[copy.id()] = index;
        module_.functions.push_back(std::move(copy));
        builder_.reset();
        specialize(index, known);
        drop_unused_values(module_, module_.functions[index], builder());  // is_small() counts the others
        return index;
    }

    /// Replaces what a function reads of the image's format.
    void take_format(const Function& function, Id image, Substitution& values, std::vector<Id>& known) {
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpShiftRightLogical || inst.id(0) != image ||
                    builder().constant_value(inst.id(1)) != kImageFormatShift)
                    continue;
                known.push_back(builder().constant_int(inst.type, format_of_.at(image)));
                values.set(inst.result, known.back());
                reads_formats_ = true;
            }
    }

    /// A block computes the address of what an image's descriptor has once, and loads it once: nothing writes
    /// to descriptors while a kernel runs. Drivers do not know that, and load them again behind a store.
    void reuse_descriptors(Function& function) {
        Substitution same;
        for (Block& block : function.blocks) {
            IdSet addresses;
            std::map<Key, Id> first;
            std::erase_if(block.body, [&](Instruction& inst) {
                same.apply(inst);
                const bool is_mask = inst.op == spv::Op::OpBitwiseAnd && format_of_.contains(inst.id(0)) &&
                                     builder().constant_value(inst.id(1)) == kDescriptorMask;
                const bool is_address =
                    (inst.op == spv::Op::OpIAdd && addresses.contains(inst.id(0)) &&
                     builder().constant_value(inst.id(1))) ||
                    (inst.op == spv::Op::OpConvertUToPtr && addresses.contains(inst.id(0)));
                const bool is_load = inst.op == spv::Op::OpLoad && addresses.contains(inst.id(0));
                if (!is_mask && !is_address && !is_load) return false;
                Key key = {static_cast<uint64_t>(inst.op), inst.type.value};
                for (const Operand& operand : inst.operands) key.push_back(operand.word);
                const auto [place, is_new] = first.try_emplace(std::move(key), inst.result);
                if (!is_new)
                    same.set(inst.result, place->second);
                else if (!is_load)
                    addresses.insert(inst.result);
                return !is_new;
            });
        }
        same.apply(function);
    }

    /// Knows all functions and constants.
    Builder& builder() {
        if (!builder_) builder_.emplace(module_);
        return *builder_;
    }

    Module& module_;
    std::optional<Builder> builder_ = {};
    Cloner cloner_;
    IdMap<uint32_t> index_of_ = {};  // function -> index
    std::vector<Id> formats_ = {};
    IdMap<uint32_t> format_of_ = {};       // image -> the number of its format
    std::map<Key, uint32_t> copies_ = {};  // -> index
    IdSet is_copy_ = {};
    size_t calls_ = 0;            // that tell formats
    bool reads_formats_ = false;  // functions read them in images, which no driver's compiler sees through
};

}  // namespace

std::vector<uint32_t> with_known_formats(std::span<const uint32_t> words,
                                         std::span<const SpecConstant> formats) {
    Result<Module> module = read(words);
    if (!module) return {};
    FormatSpecializer specializer(*module);
    specializer.freeze(formats);
    if (!specializer.specialize()) return {};
    const Builder builder(*module);
    drop_dead_code(*module, builder);
    return write(*module);
}

}  // namespace caldera::vulkan
