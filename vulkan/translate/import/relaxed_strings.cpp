// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/relaxed_strings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/printf_format.h"
#include "vulkan/translate/import/literal_strings.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/import/printf_choices.h"
#include "vulkan/translate/import/printf_parameters.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

constexpr std::string_view kExtension = "SPV_EXT_relaxed_printf_string_address_space";
constexpr auto kConstant = spv::StorageClass::UniformConstant;

class StringMover {
 public:
    StringMover(spirv::Module& module, Id opencl_std)
        : builder_(module), strings_(builder_, opencl_std), opencl_std_(opencl_std) {}

    void rewrite(Function& function) {
        const Function before = function;  // strings are looked up there
        strings_.enter(before);
        spirv::IdSet moved;
        for (spirv::Block& block : function.blocks)
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                if (is_printf(inst, opencl_std_)) move_strings(inst, moved);
                out.push_back(std::move(inst));
            });
        drop_unused_pointers(function, moved);
    }

 private:
    void move_strings(Instruction& call, spirv::IdSet& moved) {
        const std::optional<std::string> format = strings_.find(call.id(kPrintfFormat));
        if (!format) {
            cast(call.operands[kPrintfFormat]);
            return;
        }
        move(call.operands[kPrintfFormat], *format, moved);
        size_t next = kPrintfArguments;
        for (const PrintfPiece& piece : parse_printf(*format)) {
            if (!piece.letter || next == call.operands.size()) continue;
            spirv::Operand& argument = call.operands[next++];
            if (piece.letter != 's') continue;
            if (const std::optional<std::string> text = strings_.find(argument.id()))
                move(argument, *text, moved);
        }
    }

    bool is_elsewhere(Id pointer) const {
        const Id type = builder_.type_of(pointer);
        return builder_.is_pointer(type) && builder_.storage(type) != kConstant;
    }

    /// Another module may define the string. drop_format_casts() follows when all modules are linked.
    void cast(spirv::Operand& pointer) {
        if (is_elsewhere(pointer.id()))
            pointer = builder_.append(Op::OpBitcast, builder_.type_pointer(kConstant, builder_.type_int(8)),
                                      {pointer.id()});
    }

    void move(spirv::Operand& pointer, const std::string& text, spirv::IdSet& moved) {
        if (!is_elsewhere(pointer.id())) return;
        moved.insert(pointer.id());
        const Id type = builder_.type_pointer(kConstant, builder_.type_int(8)),
                 zero = builder_.constant_u32(0);
        pointer = builder_.append(Op::OpInBoundsPtrAccessChain, type, {literal(text), zero, zero});
    }

    /// A variable with the text.
    Id literal(const std::string& text) {
        Id& known = literals_[text];
        if (known) return known;
        const Id byte = builder_.type_int(8);
        const auto size = static_cast<uint32_t>(text.size() + 1);
        spirv::Operands bytes;
        for (uint32_t i = 0; i < size; ++i)
            bytes.push_back(builder_.constant_int(byte, static_cast<uint8_t>(text.c_str()[i])));
        const Id type = builder_.type_array(byte, size);
        known = builder_.variable(kConstant, type,
                                  builder_.global(Op::OpConstantComposite, type, std::move(bytes)));
        return known;
    }

    Builder builder_;
    LiteralStrings strings_;
    Id opencl_std_;
    std::unordered_map<std::string, Id> literals_ = {};
};

}  // namespace

bool take_relaxed_strings(spirv::Module& module) {
    const size_t declared = std::erase_if(
        module.extensions, [](const Instruction& inst) { return spirv::string_at(inst, 0) == kExtension; });
    if (declared == 0) return false;
    bind_printf_formats(module);
    split_printf_choices(module);
    const Id opencl_std = opencl_std_of(module);
    StringMover mover(module, opencl_std);
    for (Function& function : module.functions)
        if (prints(function, opencl_std)) mover.rewrite(function);
    return true;
}

}  // namespace caldera::vulkan
