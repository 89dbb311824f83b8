// SPDX-License-Identifier: Apache-2.0
// lower_printf: turns a call of printf into calls of library functions that write a record
// (builtins/printf/record.cl). Before: check_supported has found that formats are known; kernels are
// described. After: there is no printf, but imports of these functions. interface.printf_formats describes
// the records. The buffer is a program-scope variable with the binding that it has with descriptors, and its
// size is a specialisation constant.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "vulkan/printf_format.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/link/library_imports.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/number_arguments.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class PrintfLowering {
 public:
    PrintfLowering(spirv::Module& module, PassContext& context, Id opencl_std)
        : module_(module),
          program_(context.interface),
          buffer_(context.variables.printf_buffer),
          opencl_std_(opencl_std),
          builder_(module),
          strings_(builder_, opencl_std),
          imports_(builder_) {}

    void run() {
        mark_kernels();
        for (size_t i = 0; i < module_.functions.size(); ++i)
            if (prints(module_.functions[i], opencl_std_)) lower(i);
        imports_.finish();
    }

 private:
    void mark_kernels() {
        CallGraph graph(module_);
        for (size_t k = 0; k < module_.entry_points.size(); ++k)
            program_.kernels[k].prints = std::ranges::any_of(
                graph.functions(module_.entry_points[k].id(1)),
                [&](uint32_t index) { return prints(module_.functions[index], opencl_std_); });
    }

    void lower(size_t index) {
        const Function before = module_.functions[index];  // strings are looked up there
        strings_.enter(before);
        for (spirv::Block& block : module_.functions[index].blocks) {
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                if (!is_printf(inst, opencl_std_))
                    out.push_back(std::move(inst));
                else if (!lower(inst))
                    out.push_back({.op = Op::OpUndef, .type = inst.type, .result = inst.result});
            });
        }
        drop_unused_pointers(module_.functions[index], known_texts_);
    }

    // ---- One call ----

    /// False in a function that no kernel reaches: its format may be anything, and is not known.
    bool lower(const Instruction& call) {
        if (!printf_fault(builder_, strings_, call).empty()) return false;
        known_texts_.insert(call.id(kPrintfFormat));
        PrintfFormat format{.text = *strings_.find(call.id(kPrintfFormat))};
        std::vector<Id> words;
        size_t next = kPrintfArguments;
        for (const PrintfPiece& piece : parse_printf(format.text)) {
            if (!piece.letter || next == call.operands.size()) continue;
            const size_t before = words.size();
            add_argument(call.id(next++), piece.letter == 's', words);
            format.argument_bytes.push_back(static_cast<uint32_t>(4 * (words.size() - before)));
        }
        make_functions();
        const Id u32 = builder_.type_int(32), zero = builder_.constant_u32(0);
        const auto count = static_cast<uint32_t>(words.size());
        const Id record = builder_.append(
            Op::OpFunctionCall, u32,
            {begin_, buffer_, buffer_words_, builder_.constant_u32(number_of(std::move(format))),
             builder_.constant_u32(count)});
        for (uint32_t i = 0; i < count; ++i)
            builder_.append(Op::OpFunctionCall, builder_.type_void(),
                            {word_, buffer_, record, builder_.constant_u32(i), words[i]});
        const Id failed = builder_.append(Op::OpIEqual, builder_.type_bool(), {record, zero});
        builder_.append({.op = Op::OpSelect,
                         .type = call.type,
                         .result = call.result,
                         .operands = {failed, builder_.constant_u32(~0u), zero},
                         .line = call.line});
        return true;
    }

    uint32_t number_of(PrintfFormat format) {
        std::vector<PrintfFormat>& formats = program_.printf_formats;
        const auto [known, is_new] =
            numbers_.try_emplace({format.text, format.argument_bytes}, static_cast<uint32_t>(formats.size()));
        if (is_new) formats.push_back(std::move(format));
        return known->second;
    }

    // ---- Arguments as words ----

    void add_argument(Id value, bool is_string, std::vector<Id>& words) {
        if (is_string)
            if (std::optional<std::string> text = strings_.find(value)) {
                known_texts_.insert(value);
                words.push_back(builder_.constant_u32(number_of({.text = std::move(*text)})));
                return;
            }
        const Id type = builder_.type_of(value);
        if (!builder_.is_vector(type)) return add_scalar(value, words);
        std::vector<Id> components;
        for (uint32_t i = 0; i < builder_.count(type); ++i)
            components.push_back(builder_.append(Op::OpCompositeExtract, builder_.element(type), {value, i}));
        if (builder_.width(type) >= 32)
            for (const Id component : components) add_scalar(component, words);
        else
            add_packed(components, words);
    }

    void add_scalar(Id value, std::vector<Id>& words) {
        Id type = builder_.type_of(value);
        const Id u32 = builder_.type_int(32);
        if (builder_.is_pointer(type)) {
            type = builder_.type_int(64);
            value = builder_.append(Op::OpConvertPtrToU, type, {value});
        }
        if (builder_.is_bool(type)) {
            words.push_back(builder_.append(Op::OpSelect, u32,
                                            {value, builder_.constant_u32(1), builder_.constant_u32(0)}));
            return;
        }
        const uint32_t width = builder_.width(type);
        if (width == 64) return add_halves(value, words);
        if (builder_.is_float(type) && width == 16)
            value = builder_.append(Op::OpFConvert, builder_.type_float(32), {value});
        if (builder_.is_float(type))
            value = builder_.append(Op::OpBitcast, u32, {value});
        else if (width != 32)
            value = builder_.append(Op::OpUConvert, u32, {value});
        words.push_back(value);
    }

    void add_halves(Id value, std::vector<Id>& words) {
        const Id u32 = builder_.type_int(32);
        const Id pair = builder_.append(Op::OpBitcast, builder_.type_vector(u32, 2), {value});
        for (const uint32_t half : {0u, 1u})
            words.push_back(builder_.append(Op::OpCompositeExtract, u32, {pair, half}));
    }

    /// Components of 8 or 16 bits.
    void add_packed(const std::vector<Id>& components, std::vector<Id>& words) {
        const Id type = builder_.type_of(components[0]), u32 = builder_.type_int(32);
        const uint32_t width = builder_.width(type);
        Id word = {};
        for (uint32_t i = 0; i < components.size(); ++i) {
            Id part = components[i];
            if (builder_.is_float(type)) part = builder_.append(Op::OpBitcast, builder_.type_int(16), {part});
            part = builder_.append(Op::OpUConvert, u32, {part});
            const uint32_t shift = i * width % 32;
            if (shift != 0) {
                part = builder_.append(Op::OpShiftLeftLogical, u32, {part, builder_.constant_u32(shift)});
                word = builder_.append(Op::OpBitwiseOr, u32, {word, part});
            } else {
                if (word) words.push_back(word);
                word = part;
            }
        }
        words.push_back(word);
    }

    // ---- The buffer and the library's functions ----

    void make_functions() {
        if (buffer_) return;
        const Id u32 = builder_.type_int(32);
        buffer_ = builder_.variable(spv::StorageClass::CrossWorkgroup, u32);
        builder_.decorate(buffer_, spv::Decoration::DescriptorSet,
                          {kPrintfBufferSet + program_.argument_set});
        builder_.decorate(buffer_, spv::Decoration::Binding, {kPrintfBufferBinding});
        builder_.decorate(buffer_, spv::Decoration::Alignment, {4u});
        program_.printf_words_spec_id = first_free_spec_id(program_);
        buffer_words_ = builder_.spec_constant_u32(program_.printf_words_spec_id, kPrintfBufferBytes / 4);
        const Id pointer = builder_.type_of(buffer_);
        begin_ = imports_.function("_Z12printf_beginPU3AS1jjjj", u32, {pointer, u32, u32, u32});
        word_ =
            imports_.function("_Z11printf_wordPU3AS1jjjj", builder_.type_void(), {pointer, u32, u32, u32});
    }

    spirv::Module& module_;
    ProgramInterface& program_;
    Id& buffer_;
    Id opencl_std_;
    Builder builder_;
    LiteralStrings strings_;
    LibraryImports imports_;
    std::map<std::pair<std::string, std::vector<uint32_t>>, uint32_t> numbers_ = {};  // of the formats
    spirv::IdSet known_texts_ = {};  // pointers that printf was given, and what they come from
    Id buffer_words_ = {}, begin_ = {}, word_ = {};
};

}  // namespace

Result<Done> lower_printf(spirv::Module& module, PassContext& context) {
    if (const Id opencl_std = opencl_std_of(module)) PrintfLowering(module, context, opencl_std).run();
    return Done{};
}

}  // namespace caldera::vulkan
