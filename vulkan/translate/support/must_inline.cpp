// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/must_inline.h"

#include <algorithm>

#include "spirv/limits.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

constexpr uint32_t kMaxTypeDepth = 64;  // deeper aggregates are taken for the worst

}  // namespace

bool MustInline::is_bad_type(Id type, uint32_t depth) {
    if (auto found = bad_types_.find(type.value); found != bad_types_.end()) return found->second;
    const Instruction* inst = builder_.find_global(type);
    if (inst == nullptr) return false;
    if (depth > kMaxTypeDepth) return true;
    bool result = false;
    switch (inst->op) {
        case spv::Op::OpTypePointer: {
            const auto storage = static_cast<spv::StorageClass>(inst->word(0));
            result = storage == spv::StorageClass::Function || storage == spv::StorageClass::Workgroup ||
                     storage == spv::StorageClass::Generic || storage == spv::StorageClass::Private;
            break;
        }
        case spv::Op::OpTypeImage:
        case spv::Op::OpTypeSampler:
        case spv::Op::OpTypeSampledImage:
        case spv::Op::OpTypeOpaque:
        case spv::Op::OpTypeEvent:
        case spv::Op::OpTypeDeviceEvent:
        case spv::Op::OpTypeReserveId:
        case spv::Op::OpTypeQueue:
        case spv::Op::OpTypePipe: result = true; break;
        case spv::Op::OpTypeArray: result = is_bad_type(inst->id(0), depth + 1); break;
        case spv::Op::OpTypeStruct: {
            const Operands members = inst->operands;
            for (const Operand& member : members) result = result || is_bad_type(member.id(), depth + 1);
            break;
        }
        default: break;
    }
    return bad_types_[type.value] = result;
}

bool MustInline::operator()(const Function& function) {
    if (function.params.size() > spirv::kMaxParameters) return true;
    if (is_bad_type(function.return_type(), 0)) return true;
    return std::ranges::any_of(function.params,
                               [&](const Instruction& param) { return is_bad_type(param.type, 0); });
}

}  // namespace caldera::vulkan
