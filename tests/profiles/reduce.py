#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reduce.py FILE...: reduces profiles of devices to what a compiler reads of them.

Takes the JSON of `vulkaninfo --json` or of VulkanCapsViewer (gpuinfo.org), and leaves out formats, queues, extensions,
features that are missing, and the structures of rasterization, ray tracing, video and the like. Prints the JSON; with
several files, `--into=FOLDER` writes one file each, under the same name.
"""
import argparse
import json
import pathlib
import re

# The structures that vulkan/device_profile_json.cpp reads, or that it may want next.
STRUCTURES = re.compile(
    r"VkPhysicalDevice(Features|Properties|Vulkan1[1-4](Features|Properties)|(8|16)BitStorageFeatures|"
    r"ShaderFloat16Int8Features|BufferDeviceAddressFeatures|VulkanMemoryModelFeatures|Shader(Image)?AtomicInt64Features|"
    r"ShaderAtomicFloat2?Features|Maintenance[3-5](Features|Properties)|ShaderFloatControls2Features|"
    r"ShaderSubgroupExtendedTypesFeatures|SubgroupSizeControl(Features|Properties)|SubgroupProperties|"
    r"ShaderIntegerDotProduct(Features|Properties)|FloatControlsProperties|DriverProperties|"
    r"VariablePointersFeatures|WorkgroupMemoryExplicitLayoutFeatures|CooperativeMatrix(Features|Properties)|"
    r"ScalarBlockLayoutFeatures|PortabilitySubsetFeatures)(KHR|EXT)?$")
# Core structures hold graphics too.
LIMITS = re.compile(r"maxStorageBufferRange|maxUniformBufferRange|maxPushConstantsSize|maxMemoryAllocationCount|"
                    r"max(PerStage)?Descriptor\w*Storage\w*|maxBoundDescriptorSets|maxPerStageResources|"
                    r"maxCompute\w+|minStorageBufferOffsetAlignment|nonCoherentAtomSize|timestamp\w+")
NAMES = re.compile(r"int\w*|shader\w*|storage\w*|\w*[sS]ub[gG]roup\w*|vulkan\w*|bufferDevice\w*|denorm\w*|rounding\w*|"
                   r"maintenance\w*|driver\w*|deviceName|deviceType|apiVersion|vendorID|deviceID|limits|variable\w*|"
                   r"computeFullSubgroups|scalarBlockLayout|workgroup\w*|maxBufferSize|robustBufferAccess|\w*maxSubgroup\w*|"
                   r"maxMemoryAllocationSize|cooperative\w*|timelineSemaphore|synchronization2")


def reduce_structure(structure):
    kept = {}
    for name, value in structure.items():
        if name == "limits":
            kept[name] = {limit: size for limit, size in value.items() if LIMITS.fullmatch(limit)}
        elif NAMES.fullmatch(name) and value is not False:
            kept[name] = value
    return kept


def reduce_profile(profile):
    device = {"features": {}, "properties": {}}
    for block in profile["capabilities"].values():
        if not isinstance(block, dict):
            continue  # alternatives
        for part in device:
            for name, structure in block.get(part, {}).items():
                if STRUCTURES.fullmatch(name):
                    device[part].setdefault(name, {}).update(reduce_structure(structure))
    name, described = next(iter(profile["profiles"].items()))
    described = {key: value for key, value in described.items() if key in ("version", "api-version", "label")}
    return {"capabilities": {"device": device}, "profiles": {name: {**described, "capabilities": ["device"]}}}


def text_of(profile):
    """JSON, a line for each structure."""
    text = json.dumps(profile, indent=1)
    return re.sub(r"\n {5,}", " ", text).replace("\n    }", "}") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--into", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    for file in arguments.files:
        text = text_of(reduce_profile(json.loads(file.read_text())))
        if arguments.into:
            (arguments.into / file.name).write_text(text)
        else:
            print(text, end="")


if __name__ == "__main__":
    main()
