#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates the corpus to Vulkan: every source that clang-15 accepts according to corpus.py. Three producers make OpenCL SPIR-V
of it: our front end, and clang-15 with llvm-spirv-15 at -O0 and at -O2.

    tests/evaluation/corpus/translate.py --clc build/clc2spv build/corpus
    tests/evaluation/corpus/translate.py --producer ours --target vulkan1.2 --option=--abi=descriptors build/corpus
    VK_ICD_FILENAMES=... VK_LAYER_PATH=... tests/evaluation/corpus/translate.py --pipelines build/tests/make_pipelines build/corpus

Each result is checked by spirv-val and, with --pipelines, by the validation layer that the Vulkan loader finds. Sources that
the translator declines are counted by feature. Everything else that does not end in a valid module has FAILED, and is listed
with its message in translations.txt in the corpus's folder. clang's modules are kept there in modules/.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import re
import shlex
import sys
import tempfile

import corpus

PRODUCERS = ("ours", "clang-O0", "clang-O2")
TARGETS = ("vulkan1.1", "vulkan1.2", "vulkan1.3")
SECONDS = 120  # for one step of one module
OURS, MODULE, TRANSLATED, FAILED = "not compiled", "no module", "translated", "FAILED"

# The messages with which the translator declines a source, and the feature that each one is about.
DECLINED = (
    (r"multisampled images|levels (and samples )?of images|images that OpenCL does not have", "images that OpenCL C 2.0 does not have"),
    (r"pipes in program scope", "pipes in program scope"),
    (r"it declares \d+ bytes of local memory", "local memory beyond the target's"),
    (r"work-group size .* is larger", "work-group size beyond the target's"),
    (r"the module has no kernel", "no kernel"),
    (r"needs? device addresses", "addresses in memory, without device addresses"),
    (r"needs the feature", "the target lacks a feature"),
    (r"(integers|vectors) of \d+ (bits|components) are not supported", "integers and vectors that OpenCL C does not have"),
    (r"a function calls itself", "recursion"),
    (r"is declared but defined nowhere", "undefined functions"),
)


def module_of(producer, unit, args, scratch):
    """Where the unit's OpenCL SPIR-V is, or None and why there is none."""
    place = os.path.dirname(unit.path)
    name = os.path.join(scratch, hashlib.sha1(repr(unit).encode()).hexdigest())
    if producer == "ours":
        status, said = corpus.run([args.clc, "-w", "--target=" + corpus.environment(unit.std), "-cl-std=" + unit.std]
                                  + unit.options + [unit.path, "-o", name + ".spv"], SECONDS, cwd=place)
        return (name + ".spv", "") if status == 0 else (None, corpus.first_error(said))
    kept = os.path.join(args.folder, "modules", producer, corpus.key_of(unit))
    if os.path.exists(kept + ".error"):
        return None, open(kept + ".error").read()
    if not os.path.exists(kept + ".spv"):
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        status, said = corpus.run_clang(unit, [producer.removeprefix("clang"), "-S", "-Xclang", "-no-opaque-pointers"], name + ".ll")
        if status == 0:
            melt(name + ".ll")
            status, said = corpus.run(["llvm-as-15", "--opaque-pointers=0", name + ".ll", "-o", name + ".bc"], SECONDS)
        if status == 0:
            to_spirv = ["llvm-spirv-15", name + ".bc", "-o", kept + ".part"]
            status, said = corpus.run(to_spirv, SECONDS)
            if "RequiresExtension" in said or "InvalidBitWidth" in said:
                status, said = corpus.run(to_spirv + ["--spirv-ext=+all"], SECONDS)
        for path in (name + ".ll", name + ".bc"):
            if os.path.exists(path):
                os.remove(path)
        if status != 0:
            with open(kept + ".error", "w") as out:
                out.write(" ".join(corpus.first_error(said).split()))
            return None, corpus.first_error(said)
        os.rename(kept + ".part", kept + ".spv")
    return kept + ".spv", ""


def melt(path):
    """Without `freeze`, which llvm-spirv-15 declines and its successors drop, as SPIR-V has nothing like it."""
    with open(path) as file:
        text = file.read()
    def instead(match):
        kind, value = match.groups()
        return "= or %s %s, zeroinitializer" % (kind, value) if "i1" in re.findall(r"\w+", kind) else \
            "= bitcast %s %s to %s" % (kind, value, kind)
    with open(path, "w") as file:
        file.write(re.sub(r"= freeze (.*?) ([%@][-\w.$]+|undef|poison)(?=,|$)", instead, text, flags=re.M))


def verdict_of(status, said):
    """A kind and, for what is declined, the feature, else the message."""
    message = corpus.first_error(said)
    if status == 1 and "internal error" not in message:
        for pattern, feature in DECLINED:
            if re.search(pattern, message):
                return "declined", feature
    return FAILED, "exit status %d: %s" % (status, message)


def translate(module, target, args, result):
    status, said = corpus.run([args.clc, "-x", "spv", module, "--target=" + target, "-o", result] + args.option, SECONDS)
    if status != 0:
        return verdict_of(status, said)
    status, said = corpus.run(["spirv-val", "--target-env", target, result], SECONDS)
    if status != 0:
        return FAILED, "spirv-val: " + corpus.first_error(said)
    if args.pipelines:
        status, said = corpus.run([args.pipelines, "--target=" + target, result], SECONDS)
        if status != 0:
            return FAILED, "layer: " + " ".join(said.split())[:1000]
    return TRANSLATED, ""


def every_way(unit, args, scratch):
    """(producer, target, kind, message) for each producer and target."""
    for producer in args.producer:
        module, why = module_of(producer, unit, args, scratch)
        for target in args.target:
            if not module:
                yield producer, target, OURS if producer == "ours" else MODULE, why
                continue
            result = os.path.join(scratch, hashlib.sha1(repr((unit, producer, target)).encode()).hexdigest())
            yield (producer, target) + translate(module, target, args, result)
            if os.path.exists(result):
                os.remove(result)
        if module and module.startswith(scratch):
            os.remove(module)


def report(units, results, args):
    table, features = collections.defaultdict(collections.Counter), collections.Counter()
    kinds = (TRANSLATED, "declined", FAILED, MODULE, OURS)
    with open(os.path.join(args.folder, "translations.txt"), "w") as out:
        for unit, ways in zip(units, results):
            for producer, target, kind, message in ways:
                table[producer, target][kind] += 1
                if kind == "declined":
                    features[producer, message] += target == args.target[0]
                if kind != TRANSLATED:
                    out.write("\t".join((producer, target, kind, unit.path, " ".join(message.split()), unit.std,
                                         shlex.join(unit.options))) + "\n")
                    out.flush()
    print("%-10s %-10s" % ("from", "to"), *("%12s" % kind for kind in kinds))
    for (producer, target), counts in table.items():
        print("%-10s %-10s" % (producer, target), *("%12d" % counts[kind] for kind in kinds))
    print("no module: clang or llvm-spirv fails, or takes more than %d seconds" % SECONDS)
    print("\ndeclined (%s)" % args.target[0])
    for feature in sorted({feature for _, feature in features}):
        print("%-40s" % feature, *("%s %d" % (p, features[p, feature]) for p in args.producer if features[p, feature]))
    return 1 if any(counts[FAILED] for counts in table.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default="build/corpus", help="corpus.py's")
    parser.add_argument("--clc", default="build/clc2spv")
    parser.add_argument("--list", help="units as in accepted.tsv, which is the default")
    parser.add_argument("--producer", action="append", choices=PRODUCERS, help="all three when left out")
    parser.add_argument("--target", action="append", choices=TARGETS, help="all three when left out")
    parser.add_argument("--option", action="append", default=[], help="one more for clc2spv")
    parser.add_argument("--pipelines", help="the program make_pipelines, for the layer's judgement")
    parser.add_argument("--match", default="", help="just units whose path contains this")
    parser.add_argument("--every", type=int, default=1, help="just each Nth unit")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.folder, args.clc = os.path.abspath(args.folder), os.path.abspath(args.clc)
    args.producer, args.target = args.producer or PRODUCERS, args.target or TARGETS
    units = []
    for line in open(args.list or os.path.join(args.folder, "accepted.tsv")):
        std, path, options = line.rstrip("\n").split("\t")
        if args.match in path:
            units.append(corpus.Unit("", std, path, shlex.split(options)))
    units = units[::args.every]
    with tempfile.TemporaryDirectory(dir=args.folder) as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda unit: list(every_way(unit, args, scratch)), units)
        return report(units, results, args)


if __name__ == "__main__":
    sys.exit(main())
