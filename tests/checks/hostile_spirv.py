#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile_spirv.py SHAPE SIZE: prints SPIR-V assembly for bad_input.sh that is mostly valid but has too much of one thing."""
import sys

HEAD = """OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
{decorations}%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%global = OpTypePointer CrossWorkgroup %uint
%private = OpTypePointer Function %uint
"""


def kernel(body="", types="", functions="", variables="", decorations=""):
    return (HEAD.format(decorations=decorations) + "%fn = OpTypeFunction %void %global\n" + types +
            "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %global\n%entry = OpLabel\n" + variables + body +
            "OpReturn\nOpFunctionEnd\n" + functions)


def loops(count, merges=True):
    """Loops in loops."""
    body = ""
    for i in range(count):
        body += "OpBranch %h{0}\n%h{0} = OpLabel\n%l{0} = OpLoad %uint %p Aligned 4\n".format(i)
        body += "%t{0} = OpIEqual %bool %l{0} %c0\n".format(i)
        body += "OpLoopMerge %m{0} %next{0} None\n".format(i) if merges else ""
        body += "OpBranchConditional %t{0} %b{0} %m{0}\n%b{0} = OpLabel\n".format(i)
    for i in reversed(range(count)):
        body += "OpBranch %next{0}\n%next{0} = OpLabel\nOpBranch %h{0}\n%m{0} = OpLabel\n".format(i)
    return kernel(body)


def gotos(count):
    """The same without a merge instruction."""
    return loops(count, merges=False)


def switch(count):
    """One switch."""
    body = "%x = OpLoad %uint %p Aligned 4\nOpSelectionMerge %done None\nOpSwitch %x %done"
    body += "".join(" %d %%s%d" % (i, i) for i in range(count)) + "\n"
    for i in range(count):
        body += "%%s%d = OpLabel\nOpStore %%p %%c1 Aligned 4\nOpBranch %%done\n" % i
    return kernel(body + "%done = OpLabel\n")


def phis(count):
    """Phis that take each other's values around a loop."""
    body = "OpBranch %h\n%h = OpLabel\n"
    for i in range(count):
        body += "%%v%d = OpPhi %%uint %%c0 %%entry %%v%d %%next\n" % (i, (i + 1) % count)
    return kernel(body + "%t = OpIEqual %bool %v0 %c1\nOpLoopMerge %m %next None\nOpBranchConditional %t %next %m\n"
                  "%next = OpLabel\nOpBranch %h\n%m = OpLabel\nOpStore %p %v0 Aligned 4\n")


def function(i, kind, pointer, calls, body=""):
    text = "%f{0} = OpFunction %void None %{1}\n%a{0} = OpFunctionParameter %{2}\n%fe{0} = OpLabel\n".format(i, kind, pointer)
    text += body.format(i)
    for number, callee in enumerate(calls):
        text += "%%r%d_%d = OpFunctionCall %%void %%f%d %%a%d\n" % (i, number, callee, i)
    return text + "OpStore %%a%d %%c1 Aligned 4\nOpReturn\nOpFunctionEnd\n" % i


def recursion(count):
    """Functions that call each other in a circle."""
    return kernel("%z = OpFunctionCall %void %f0 %p\n",
                  functions="".join(function(i, "fn", "global", [(i + 1) % count]) for i in range(count)))


def calls(count):
    """Functions that call the next one."""
    return kernel("%z = OpFunctionCall %void %f0 %p\n",
                  functions="".join(function(i, "fn", "global", [i + 1] * (i + 1 < count)) for i in range(count)))


def doubling(count):
    """Functions that call the next one twice with a private pointer, and look at its bits: all must be inlined."""
    anywhere = ("%b{0} = OpConvertPtrToU %ulong %a{0}\n%q{0} = OpConvertUToPtr %private %b{0}\n"
                "OpStore %q{0} %c1 Aligned 4\n")
    return kernel("%z = OpFunctionCall %void %f0 %v\n", types="%fn_private = OpTypeFunction %void %private\n",
                  functions="".join(function(i, "fn_private", "private", [i + 1] * (2 * (i + 1 < count)), anywhere)
                                    for i in range(count)),
                  variables="%v = OpVariable %private Function\n")


def array(length):
    """A private array, indexed."""
    return kernel("%q = OpInBoundsAccessChain %private %v %x\nOpStore %q %c1 Aligned 4\n",
                  types="%%n = OpConstant %%ulong %d\n%%array = OpTypeArray %%uint %%n\n"
                  "%%pointer = OpTypePointer Function %%array\n" % length,
                  variables="%v = OpVariable %pointer Function\n%x = OpLoad %uint %p Aligned 4\n")


def value(length):
    """An array that is loaded and stored whole."""
    return kernel("%x = OpLoad %array %v Aligned 4\nOpStore %v %x Aligned 4\n",
                  types="%%n = OpConstant %%ulong %d\n%%array = OpTypeArray %%uint %%n\n"
                  "%%pointer = OpTypePointer Function %%array\n" % length,
                  variables="%v = OpVariable %pointer Function\n")


def structs(count):
    """Structs of two of the one before."""
    types = "%t0 = OpTypeStruct %uint %uint\n"
    types += "".join("%%t%d = OpTypeStruct %%t%d %%t%d\n" % (i, i - 1, i - 1) for i in range(1, count))
    types += "%%pointer = OpTypePointer Function %%t%d\n" % (count - 1)
    return kernel("%%x = OpLoad %%t%d %%v Aligned 4\nOpStore %%v %%x Aligned 4\n" % (count - 1), types=types,
                  variables="%v = OpVariable %pointer Function\n")


def nested(count):
    """Arrays of one array of one."""
    types = "%t0 = OpTypeArray %uint %c1\n"
    types += "".join("%%t%d = OpTypeArray %%t%d %%c1\n" % (i, i - 1) for i in range(1, count))
    types += "%%pointer = OpTypePointer Function %%t%d\n" % (count - 1)
    return kernel(types=types, variables="%v = OpVariable %pointer Function\n")


def cycle(count):
    """A struct that holds itself, by a pointer declared ahead; `count` of them."""
    types = ""
    for i in range(count):
        types += "OpTypeForwardPointer %pp{0} CrossWorkgroup\n%s{0} = OpTypeStruct %uint %pp{0}\n".format(i)
        types += "%pp{0} = OpTypePointer CrossWorkgroup %s{0}\n".format(i)
    return kernel("%q = OpBitcast %pp0 %p\n%m = OpInBoundsAccessChain %ppp %q %c1\n%n = OpLoad %pp0 %m Aligned 8\n"
                  "%x = OpInBoundsAccessChain %global %n %c0\nOpStore %x %c1 Aligned 4\n",
                  types=types + "%ppp = OpTypePointer CrossWorkgroup %pp0\n")


def unreachable(count):
    """Blocks that only lead to each other."""
    body = "OpReturn\n"
    for i in range(count):
        body += "%%u%d = OpLabel\nOpStore %%p %%c1 Aligned 4\nOpBranch %%u%d\n" % (i, (i + 1) % count)
    return kernel(body + "%last = OpLabel\n")


def variables(count):
    """Variables that all live through as many branches."""
    declared = "".join("%%v%d = OpVariable %%private Function\n" % i for i in range(count))
    body = "".join("OpStore %%v%d %%c0\n" % i for i in range(count))
    for i in range(count):
        body += "%l{0} = OpLoad %uint %p Aligned 4\n%t{0} = OpIEqual %bool %l{0} %c0\nOpSelectionMerge %m{0} None\n".format(i)
        body += "OpBranchConditional %t{0} %b{0} %m{0}\n%b{0} = OpLabel\nOpStore %v{0} %l{0}\n".format(i)
        body += "OpBranch %m{0}\n%m{0} = OpLabel\n".format(i)
    for i in range(count):
        body += "%%w%d = OpLoad %%uint %%v%d\nOpStore %%p %%w%d Aligned 4\n" % (i, i, i)
    return kernel(body, variables=declared)


def capability(_):
    """64-bit integers without their capability."""
    return kernel().replace("OpCapability Int64\n", "")


def bodiless(_):
    """An entry point without a body."""
    return kernel(decorations='OpDecorate %k LinkageAttributes "k" Import\n').split("%entry")[0] + "OpFunctionEnd\n"


sys.stdout.write(globals()[sys.argv[1]](int(sys.argv[2])))
