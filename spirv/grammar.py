# SPDX-License-Identifier: Apache-2.0
"""Writes C++ tables from SPIRV-Headers' grammar JSON: grammar.py GRAMMAR_DIR OUTPUT.

Included by grammar.cpp alone. Aliases (one opcode or enumerant under several names) keep their first name.
What we read or write and older headers lack is added: see spirv/float_controls2.h, spirv/cooperative_matrix.h,
spirv/encoded_floats.h, spirv/untyped_pointers.h and spirv/newer_ops.h.
"""
import json
import os
import sys

KIND = {
    "IdResultType": "Id", "IdResult": "Id", "IdMemorySemantics": "Id", "IdScope": "Id", "IdRef": "Id",
    "LiteralInteger": "Literal", "LiteralFloat": "Literal", "LiteralString": "String",
    "LiteralContextDependentNumber": "TypedLiteral", "LiteralExtInstInteger": "ExtInst",
    "LiteralSpecConstantOpInteger": "SpecOp",
}
PAIR = {
    "PairLiteralIntegerIdRef": ("TypedLiteral", "Id"),
    "PairIdRefLiteralInteger": ("Id", "Literal"),
    "PairIdRefIdRef": ("Id", "Id"),
}
QUANTIFIER = {None: "One", "?": "Optional", "*": "Many"}
NEWER = {
    "Capability": [{"enumerant": "UntypedPointersKHR", "value": 4473},
                   {"enumerant": "FMAKHR", "value": 6030},
                   {"enumerant": "PoisonFreezeKHR", "value": 5156},
                   {"enumerant": "BFloat16ConversionINTEL", "value": 6115},
                   {"enumerant": "BFloat16TypeKHR", "value": 5116},
                   {"enumerant": "BFloat16DotProductKHR", "value": 5117},
                   {"enumerant": "BFloat16CooperativeMatrixKHR", "value": 5118},
                   {"enumerant": "BFloat16ArithmeticEXT", "value": 6226},
                   {"enumerant": "Float8EXT", "value": 4212},
                   {"enumerant": "Float8CooperativeMatrixEXT", "value": 4213},
                   {"enumerant": "CooperativeMatrixKHR", "value": 6022},
                   {"enumerant": "FloatControls2", "value": 6029}],
    "ExecutionMode": [{"enumerant": "FPFastMathDefault", "value": 6028,  # SPV_KHR_float_controls2
                       "parameters": [{"kind": "IdRef"}, {"kind": "IdRef"}]},
                      {"enumerant": "MaximumRegistersINTEL", "value": 6461, "parameters": [{"kind": "LiteralInteger"}]},
                      {"enumerant": "MaximumRegistersIdINTEL", "value": 6462, "parameters": [{"kind": "IdRef"}]},
                      {"enumerant": "NamedMaximumRegistersINTEL", "value": 6463,
                       "parameters": [{"kind": "LiteralInteger"}]}],
    "Decoration": [{"enumerant": "FPMaxErrorDecorationINTEL", "value": 6170, "parameters": [{"kind": "LiteralFloat"}]},
                   {"enumerant": "HostAccessINTEL", "value": 6188,
                    "parameters": [{"kind": "LiteralInteger"}, {"kind": "LiteralString"}]},
                   {"enumerant": "InitModeINTEL", "value": 6190, "parameters": [{"kind": "LiteralInteger"}]},
                   {"enumerant": "ImplementInRegisterMapINTEL", "value": 6191,
                    "parameters": [{"kind": "LiteralInteger"}]},
                   {"enumerant": "CacheControlLoadINTEL", "value": 6442,
                    "parameters": [{"kind": "LiteralInteger"}, {"kind": "LiteralInteger"}]},
                   {"enumerant": "CacheControlStoreINTEL", "value": 6443,
                    "parameters": [{"kind": "LiteralInteger"}, {"kind": "LiteralInteger"}]}],
}


def operand_kinds(text):
    """Kinds of operands, each with its quantifier behind it."""
    return [{"kind": kind.rstrip("?*"), **({"quantifier": kind[-1]} if kind[-1] in "?*" else {})}
            for kind in text.split()]


def newer(capability, name, opcode, operands):
    return {"opname": name, "opcode": opcode, "operands": operand_kinds(operands), "capabilities": [capability]}


NEWER_INSTRUCTIONS = [newer("CooperativeMatrixKHR", *row) for row in [
    ("OpTypeCooperativeMatrixKHR", 4456, "IdResult IdRef IdScope IdRef IdRef IdRef"),
    ("OpCooperativeMatrixLoadKHR", 4457, "IdResultType IdResult IdRef IdRef IdRef? MemoryAccess?"),
    ("OpCooperativeMatrixStoreKHR", 4458, "IdRef IdRef IdRef IdRef? MemoryAccess?"),
    ("OpCooperativeMatrixMulAddKHR", 4459, "IdResultType IdResult IdRef IdRef IdRef LiteralInteger?"),
    ("OpCooperativeMatrixLengthKHR", 4460, "IdResultType IdResult IdRef"),
]] + [newer("UntypedPointersKHR", *row) for row in [
    ("OpTypeUntypedPointerKHR", 4417, "IdResult StorageClass"),
    ("OpUntypedVariableKHR", 4418, "IdResultType IdResult StorageClass IdRef? IdRef?"),
    ("OpUntypedAccessChainKHR", 4419, "IdResultType IdResult IdRef IdRef IdRef*"),
    ("OpUntypedInBoundsAccessChainKHR", 4420, "IdResultType IdResult IdRef IdRef IdRef*"),
    ("OpUntypedPtrAccessChainKHR", 4423, "IdResultType IdResult IdRef IdRef IdRef IdRef*"),
    ("OpUntypedInBoundsPtrAccessChainKHR", 4424, "IdResultType IdResult IdRef IdRef IdRef IdRef*"),
    ("OpUntypedArrayLengthKHR", 4425, "IdResultType IdResult IdRef IdRef LiteralInteger"),
    ("OpUntypedPrefetchKHR", 4426, "IdRef IdRef IdRef? IdRef? IdRef? MemoryAccess?"),
    ("OpUntypedGroupAsyncCopyKHR", 4434,
     "IdResultType IdResult IdScope IdRef IdRef IdRef IdRef IdRef IdRef MemoryAccess? MemoryAccess?"),
]] + [
    newer("FMAKHR", "OpFmaKHR", 4427, "IdResultType IdResult IdRef IdRef IdRef"),
    newer("PoisonFreezeKHR", "OpPoisonKHR", 5158, "IdResultType IdResult"),
    newer("PoisonFreezeKHR", "OpFreezeKHR", 5159, "IdResultType IdResult IdRef"),
    newer("BFloat16ConversionINTEL", "OpConvertFToBF16INTEL", 6116, "IdResultType IdResult IdRef"),
    newer("BFloat16ConversionINTEL", "OpConvertBF16ToFINTEL", 6117, "IdResultType IdResult IdRef"),
    newer("ArithmeticFenceEXT", "OpArithmeticFenceEXT", 6145, "IdResultType IdResult IdRef"),
    newer("TernaryBitwiseFunctionINTEL", "OpBitwiseFunctionINTEL", 6242,
          "IdResultType IdResult IdRef IdRef IdRef IdRef"),
    newer("TensorFloat32RoundingINTEL", "OpRoundFToTF32INTEL", 6426, "IdResultType IdResult IdRef"),
    newer("SubgroupBufferPrefetchINTEL", "OpSubgroupBlockPrefetchINTEL", 6221, "IdRef IdRef MemoryAccess?"),
    # Declined by name
    *(newer("Subgroup2DBlockIOINTEL", name, opcode, " ".join(["IdRef"] * 10)) for name, opcode in [
        ("OpSubgroup2DBlockLoadINTEL", 6231), ("OpSubgroup2DBlockLoadTransformINTEL", 6232),
        ("OpSubgroup2DBlockLoadTransposeINTEL", 6233), ("OpSubgroup2DBlockStoreINTEL", 6235)]),
    newer("Subgroup2DBlockIOINTEL", "OpSubgroup2DBlockPrefetchINTEL", 6234,
          "IdRef IdRef IdRef IdRef IdRef IdRef IdRef IdRef IdRef"),
    newer("SubgroupMatrixMultiplyAccumulateINTEL", "OpSubgroupMatrixMultiplyAccumulateINTEL", 6237,
          "IdResultType IdResult IdRef IdRef IdRef IdRef LiteralInteger?"),
    newer("MaskedGatherScatterINTEL", "OpMaskedGatherINTEL", 6428,
          "IdResultType IdResult IdRef LiteralInteger IdRef IdRef"),
    newer("MaskedGatherScatterINTEL", "OpMaskedScatterINTEL", 6429, "IdRef IdRef LiteralInteger IdRef"),
    newer("BindlessImagesINTEL", "OpConvertHandleToImageINTEL", 6529, "IdResultType IdResult IdRef"),
    newer("BindlessImagesINTEL", "OpConvertHandleToSamplerINTEL", 6530, "IdResultType IdResult IdRef"),
    newer("BindlessImagesINTEL", "OpConvertHandleToSampledImageINTEL", 6531, "IdResultType IdResult IdRef"),
    newer("PredicatedIOINTEL", "OpPredicatedLoadINTEL", 6258, "IdResultType IdResult IdRef IdRef IdRef MemoryAccess?"),
    newer("PredicatedIOINTEL", "OpPredicatedStoreINTEL", 6259, "IdRef IdRef IdRef MemoryAccess?"),
]


FPGA_FUNCTION = "IdResultType IdResult IdRef LiteralInteger*"
# What older headers say wrongly, or have changed since
CORRECTED = {
    "OpAsmTargetINTEL": "IdResult LiteralString",
    "OpFPGARegINTEL": "IdResultType IdResult IdRef",
    "OpReadPipeBlockingINTEL": "IdRef IdRef IdRef IdRef",
    "OpWritePipeBlockingINTEL": "IdRef IdRef IdRef IdRef",
    # Declined by name; the number of literals changed.
    "OpArbitraryFloatSinCosPiINTEL": FPGA_FUNCTION,
    "OpArbitraryFloatCastToIntINTEL": FPGA_FUNCTION,
    "OpArbitraryFloatPowNINTEL": "IdResultType IdResult IdRef LiteralInteger IdRef LiteralInteger*",
    **{f"OpFixed{function}INTEL": FPGA_FUNCTION for function in (
        "Sqrt", "Recip", "Rsqrt", "Sin", "Cos", "SinCos", "SinPi", "CosPi", "SinCosPi", "Log", "Exp")},
}


def number(text):
    return text if isinstance(text, int) else int(text, 0)


class Tables:
    """Flat arrays; an instruction or enumerant refers to a run of operands by offset and length."""

    def __init__(self, kinds):
        self.category = {kind["kind"]: kind["category"] for kind in kinds}
        self.enum_index = {}
        for kind in kinds:
            if kind["category"] in ("BitEnum", "ValueEnum"):
                self.enum_index[kind["kind"]] = len(self.enum_index) + 1  # 0 is "no enum"
        self.operands = []

    def run(self, operands):
        begin = len(self.operands)
        for operand in operands:
            quantifier = QUANTIFIER[operand.get("quantifier")]
            name = operand["kind"]
            if name in PAIR:
                first, second = PAIR[name]
                self.operands.append((first, quantifier, 0, 2))
                self.operands.append((second, quantifier, 0, 0))
            elif name in self.enum_index:
                kind = "Mask" if self.category[name] == "BitEnum" else "Enum"
                self.operands.append((kind, quantifier, self.enum_index[name], 1))
            else:
                self.operands.append((KIND.get(name, "Literal"), quantifier, 0, 1))
        return begin, len(self.operands) - begin


def add_newer(core):
    for kind in core["operand_kinds"]:
        known = {number(e["value"]) for e in kind.get("enumerants", [])}
        kind.get("enumerants", []).extend(e for e in NEWER.get(kind["kind"], []) if e["value"] not in known)
    known = {inst["opcode"] for inst in core["instructions"]}
    core["instructions"] += [inst for inst in NEWER_INSTRUCTIONS if inst["opcode"] not in known]
    for inst in core["instructions"]:
        if inst["opname"] == "OpTypeFloat" and len(inst["operands"]) == 2:
            inst["operands"].append({"kind": "LiteralInteger", "quantifier": "?"})  # FPEncoding
        if inst["opname"] in CORRECTED:
            inst["operands"] = operand_kinds(CORRECTED[inst["opname"]])


def unique_by(items, key):
    seen = {}
    for item in items:
        seen.setdefault(key(item), item)
    return [seen[k] for k in sorted(seen)]


def main(folder, output):
    def load(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)

    core = load("spirv.core.grammar.json")
    add_newer(core)
    tables = Tables(core["operand_kinds"])
    capability_kind = next(kind for kind in core["operand_kinds"] if kind["kind"] == "Capability")
    capability_value = {e["enumerant"]: number(e["value"]) for e in capability_kind["enumerants"]}

    capabilities, instructions = [], []
    for inst in unique_by(core["instructions"], lambda i: i["opcode"]):
        operands = inst.get("operands", [])
        kinds = [operand["kind"] for operand in operands]
        rest = [o for o in operands if o["kind"] not in ("IdResultType", "IdResult")]
        begin, count = tables.run(rest)
        needed = [capability_value[c] for c in inst.get("capabilities", []) if c in capability_value]
        instructions.append((inst["opcode"], inst["opname"], "IdResultType" in kinds, "IdResult" in kinds, begin, count,
                             len(capabilities), len(needed)))
        capabilities += needed

    params = []
    for kind in core["operand_kinds"]:
        if kind["kind"] not in tables.enum_index:
            continue
        for enumerant in unique_by(kind["enumerants"], lambda e: number(e["value"])):
            if enumerant.get("parameters"):
                begin, count = tables.run(enumerant["parameters"])
                params.append((tables.enum_index[kind["kind"]], number(enumerant["value"]), begin, count))
    params.sort()

    with open(output, "w", encoding="utf-8") as out:
        out.write("// Generated by spirv/grammar.py from SPIRV-Headers. Do not edit.\n")
        out.write("constexpr OperandGrammar kOperands[] = {\n")
        for kind, quantifier, enum, group in tables.operands:
            out.write(f"{{OperandKind::{kind}, Quantifier::{quantifier}, {enum}, {group}}},\n")
        out.write("};\nconstexpr spv::Capability kCapabilities[] = {\n")
        for value in capabilities:
            out.write(f"spv::Capability({value}),\n")
        out.write("};\nconstexpr InstructionGrammar kInstructions[] = {\n")
        for op, name, has_type, has_result, begin, count, cap_begin, cap_count in instructions:
            out.write(f'{{"{name}", spv::Op({op}), {str(has_type).lower()}, {str(has_result).lower()}, '
                      f"{{kOperands + {begin}, {count}}}, {{kCapabilities + {cap_begin}, {cap_count}}}}},\n")
        out.write("};\nconstexpr EnumerantParams kParams[] = {\n")
        for enum, value, begin, count in params:
            out.write(f"{{{enum}, {value}u, {begin}, {count}}},\n")
        out.write("};\n")

        def names(table, rows):
            out.write(f"constexpr NumberedName {table}[] = {{\n")
            for value, name in rows:
                out.write(f'{{{value}u, "{name}"}},\n')
            out.write("};\n")

        names("kCapabilityNames", [(number(e["value"]), e["enumerant"])
                                   for e in unique_by(capability_kind["enumerants"], lambda e: number(e["value"]))])
        modes = next(kind for kind in core["operand_kinds"] if kind["kind"] == "ExecutionMode")["enumerants"]
        names("kExecutionModeNames", [(number(e["value"]), e["enumerant"])
                                      for e in unique_by(modes, lambda e: number(e["value"]))])
        for table, file in (("kOpenClStdNames", "extinst.opencl.std.100.grammar.json"),
                            ("kGlslStd450Names", "extinst.glsl.std.450.grammar.json")):
            rows = unique_by(load(file)["instructions"], lambda i: i["opcode"])
            names(table, [(i["opcode"], i["opname"]) for i in rows])


main(*sys.argv[1:])
