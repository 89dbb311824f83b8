// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/data.h"

#include <algorithm>
#include <cstring>

#include "spirv/support/check.h"
#include "vulkan/translate/memory/windows.h"

namespace caldera::vulkan::memory {
namespace {
constexpr uint64_t kMaxSegmentBytes = uint64_t{1} << 28;

/// NULL, cast to other pointers: to a generic one in clang's blocks of program scope.
bool is_cast_null(const Source& source, Id pointer) {
    const Instruction* inst = source.def(pointer);
    while (inst && (Source::op_of(*inst) == spv::Op::OpPtrCastToGeneric ||
                    Source::op_of(*inst) == spv::Op::OpBitcast)) {
        pointer = Source::id_of(*inst, 0);
        inst = source.def(pointer);
    }
    return source.is_null(pointer);
}

/// The integer that a pointer is made of.
std::optional<uint64_t> absolute_address(const Source& source, const Instruction* pointer) {
    if (!pointer || Source::op_of(*pointer) != spv::Op::OpConvertUToPtr) return std::nullopt;
    const Instruction* integer = source.def(Source::id_of(*pointer, 0));
    if (!integer || integer->op != spv::Op::OpConstant) return std::nullopt;
    return number_at(*integer);
}

/// The pointer that a constant is, where it is cast to an integer and perhaps back.
Id cast_pointer(const Source& source, const Instruction& constant) {
    const Instruction* inst = &constant;
    while (source.layout()[inst->type].size_bytes == 8 &&
           (Source::op_of(*inst) == spv::Op::OpConvertPtrToU ||
            Source::op_of(*inst) == spv::Op::OpConvertUToPtr)) {
        const Instruction* inner = source.def(Source::id_of(*inst, 0));
        if (!inner || inner->op == spv::Op::OpConstant) break;  // an absolute address
        inst = inner;
    }
    return inst->result;
}
}  // namespace

uint64_t DataSegment::place(Id variable) {
    const auto found = offsets_.find(variable);
    if (found != offsets_.end()) return found->second;
    const TypeInfo& type = source_.layout()[source_.pointee(variable)];
    const uint64_t alignment = std::max<uint64_t>({type.align_bytes, source_.alignment(variable), 8});
    alignment_ = std::max(alignment_, alignment);
    size_bytes_ = (size_bytes_ + alignment - 1) & ~(alignment - 1);
    const uint64_t offset = size_bytes_;
    offsets_[variable] = offset;
    order_.push_back(variable);
    size_bytes_ += std::min<uint64_t>(type.size_bytes, kMaxSegmentBytes + 1);
    if (size_bytes_ > kMaxSegmentBytes && error_.empty()) {
        error_ = "program-scope variables take more than 256 MiB";
        size_bytes_ = 0;
    }
    return offset;
}

const DataSegment::Image& DataSegment::image(Id variable) {
    const auto found = images_.find(variable);
    if (found != images_.end()) return found->second;
    Image& image = images_[variable];
    const TypeInfo& type = source_.layout()[source_.pointee(variable)];
    if (type.size_bytes > kMaxSegmentBytes) return image;
    image.variable = variable;
    image.bytes.resize(type.size_bytes);
    const Instruction* inst = source_.def(variable);
    if (inst->operands.size() > 1) write(inst->id(1), 0, image);
    return image;
}

/// Walks nested composites with a list instead of the stack: their depth is the input's.
void DataSegment::write(Id constant, uint64_t at, Image& image) {
    std::vector<std::pair<Id, uint64_t>> todo = {{constant, at}};
    while (!todo.empty()) {
        const auto [id, offset] = todo.back();
        todo.pop_back();
        const Instruction* inst = source_.def(id);
        check(inst != nullptr, "initializer is no constant");
        const TypeInfo& type = source_.layout()[inst->type];
        if (type.size_bytes == 0) continue;  // such parts can be many without making anything larger
        if (inst->op != spv::Op::OpConstantComposite && inst->op != spv::Op::OpSpecConstantComposite) {
            write_leaf(*inst, offset, image);
            continue;
        }
        for (size_t i = 0; i < inst->operands.size(); ++i) {
            const bool is_struct = type.op == spv::Op::OpTypeStruct;
            check(!is_struct || i < type.offsets.size(), "initializer has too many members");
            const uint64_t inside =
                is_struct ? type.offsets[i] : i * source_.layout()[type.element()].size_bytes;
            todo.emplace_back(inst->id(i), offset + inside);
        }
    }
}

void DataSegment::write_leaf(const Instruction& inst, uint64_t at, Image& image) {
    const uint64_t size = source_.layout()[inst.type].size_bytes;
    if (at > image.bytes.size() || size > image.bytes.size() - at) return;
    uint64_t bits = 0;
    switch (inst.op) {
        case spv::Op::OpConstantNull:
        case spv::Op::OpUndef:
        case spv::Op::OpConstantFalse:
        case spv::Op::OpSpecConstantFalse: return;
        case spv::Op::OpConstantTrue:
        case spv::Op::OpSpecConstantTrue: bits = 1; break;
        case spv::Op::OpConstant:
        case spv::Op::OpSpecConstant: bits = number_at(inst); break;
        default: {
            const Id pointer = cast_pointer(source_, inst);
            if (is_cast_null(source_, pointer)) return;
            const Address address = addresses_.of(pointer);
            const Instruction* root = source_.def(address.root);
            if (const auto absolute = absolute_address(source_, root); absolute && address.terms.empty()) {
                bits = *absolute + static_cast<uint64_t>(address.constant);
                break;
            }
            const bool known = root && root->op == spv::Op::OpVariable && address.terms.empty() &&
                               size == 8 &&
                               (source_.storage(address.root) == spv::StorageClass::UniformConstant ||
                                source_.storage(address.root) == spv::StorageClass::CrossWorkgroup);
            if (known)
                image.relocs.push_back({at, address.root, address.constant});
            else if (error_.empty())
                error_ = "the initializer of " + described(image.variable) +
                         " is neither a constant nor an address in global or constant memory";
            return;
        }
    }
    std::memcpy(image.bytes.data() + at, &bits, std::min<size_t>(size, 8));
}

std::optional<uint64_t> DataSegment::read(Id variable, int64_t offset, uint32_t bytes) {
    const Instruction* inst = source_.def(variable);
    if (!inst || inst->op != spv::Op::OpVariable || inst->operands.size() < 2) return std::nullopt;
    if (source_.storage(variable) != spv::StorageClass::UniformConstant) return std::nullopt;
    const Image& data = image(variable);
    if (offset < 0 || data.bytes.size() < bytes || static_cast<uint64_t>(offset) > data.bytes.size() - bytes)
        return std::nullopt;
    const auto at = static_cast<uint64_t>(offset);
    for (const Reloc& reloc : data.relocs)
        if (reloc.at < at + bytes && at < reloc.at + 8) return std::nullopt;
    uint64_t value = 0;
    std::memcpy(&value, data.bytes.data() + at, bytes);
    return value;
}

Result<Done> DataSegment::finish() {
    for (size_t i = 0; i < order_.size(); ++i) {  // placing the target of a relocation makes order_ longer
        const uint64_t base = offsets_[order_[i]];
        const std::vector<Reloc> relocs = image(order_[i]).relocs;
        for (const Reloc& reloc : relocs) {
            const uint64_t target = place(reloc.variable) + static_cast<uint64_t>(reloc.offset);
            if (program_.abi == Abi::Addresses) {
                program_.relocations.push_back({base + reloc.at, target});
            } else {
                const uint64_t address = window_address(kDataWindow) + target;
                std::memcpy(images_[order_[i]].bytes.data() + reloc.at, &address, sizeof address);
            }
        }
    }
    if (!error_.empty()) return Error{error_};
    program_.data_segment.resize(size_bytes_);
    program_.data_segment_alignment = alignment_;
    for (const Id variable : order_) {
        const std::vector<uint8_t>& bytes = image(variable).bytes;
        std::copy(bytes.begin(), bytes.end(),
                  program_.data_segment.begin() + static_cast<ptrdiff_t>(offsets_[variable]));
    }
    return Done{};
}

std::string DataSegment::described(Id variable) const {
    const std::string& name = source_.name(variable);
    return "the program-scope variable" + (name.empty() ? "" : " '" + name + "'");
}

}  // namespace caldera::vulkan::memory
