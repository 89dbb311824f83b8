// SPDX-License-Identifier: Apache-2.0
// compare_code: makes pipelines of two modules' kernels and compares what the driver's compiler left of their
// float operations.
//
//   compare_code [--all] PLAIN.spv ORDERED.spv [RELAXED.spv]
//
// Nothing runs: a driver tells its code by VK_KHR_pipeline_executable_properties, as text. Each line's
// operation is counted: sums (differences are sums), products, fused ones, quotients and roots, minima.
// ORDERED has the same kernels in a form that no compiler can reorder, and a kernel whose counts differ from
// it is printed. RELAXED is the control: where no kernel of it differs, the judge would not see what it looks
// for. --all prints every kernel's counts, and the driver's own statistics. CALDERA_DEVICE names the device
// by a part of its name, else the first is taken. Exit code 1: kernels differ, or all of RELAXED are the
// same; 2: a call of Vulkan's failed; 77: the driver does not tell its code, or the device lacks the type of
// the modules.
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <regex>

#include "tests/support/plain_device.h"

using namespace caldera::plain;

namespace {

[[noreturn]] void skip(const std::string& why) {
    std::printf("skipped: %s\n", why.c_str());
    std::exit(77);
}

// ---- What a compiler's text says ----

/// Unfused is a product and a sum that are rounded each.
enum Class { Sum, Product, Fused, Quotient, Minimum, kClasses, Unfused = kClasses, kNamed };
constexpr const char* kClassNames[] = {"sums", "products", "fused", "quotients", "minima"};
using Counts = std::array<uint32_t, kClasses>;

/// The operations' names in ACO ("v_pk_add_f16", "v_dual_mul_f32"), ir3 ("add.f"), AGX, NAK, Bifrost and V3D
/// ("fadd32", "hfma2", "fadd.v2f16"), LLVM ("fadd") and NIR ("fadd", "ffma").
std::optional<Class> class_of(const std::string& name) {
    static const std::array<std::regex, kNamed> kNames = [] {
        const auto names = [](const std::string& verbs) {
            return std::regex("(v_|s_)?(pk_|dual_)?(" + verbs + ")(_mix(lo|hi)?)?_f(16|32|64)(_.*)?|(" +
                              verbs + ")\\.f(16|32|64)?(\\..*)?|v?[fdh](" + verbs +
                              ")([0-9_.].*|imm|nf)?|llvm\\.(" + verbs + ")\\..*");
        };
        return std::array{names("add|sub|subrev"),
                          names("mul|mul_legacy"),
                          names("fma|fmac|fmaak|fmamk"),
                          names("div|rcp|rsq|sqrt|rsqrt|recip|frcp|frsq"),
                          names("min|max|mnmx|minnum|maxnum"),
                          names("mad|mac|madak|madmk")};
    }();
    for (int i = 0; i < kNamed; ++i)
        if (std::regex_match(name, kNames[i])) return static_cast<Class>(i);
    return {};
}

void add(Counts& counts, Class found, uint32_t times) {
    if (found == Unfused)
        counts[Sum] += times, counts[Product] += times;
    else
        counts[found] += times;
}

/// The count in "(then repeated 2 times)", with which a disassembler shortens equal lines.
uint32_t repeats(const std::string& line) {
    constexpr std::string_view kWords = "then repeated ";
    const size_t at = line.find(kWords);
    return at == line.npos ? 0 : static_cast<uint32_t>(std::strtoul(&line[at + kWords.size()], nullptr, 10));
}

/// The first operation of a line's part: bundles (V3D, Bifrost) have several, apart by ';' or '|'.
std::optional<Class> operation_of(const std::string& part) {
    std::string name;
    for (const char c : part + "\n") {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.') {
            name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            continue;
        }
        if (const std::optional<Class> found = class_of(name)) return found;
        name.clear();
    }
    return {};
}

Counts count(const std::string& text) {
    Counts counts = {};
    std::optional<Class> last;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find_first_of("\n;|", at), text.size());
        const std::string part = text.substr(at, end - at);
        const uint32_t times = repeats(part);
        const bool begins_line = at == 0 || text[at - 1] == '\n';
        const std::optional<Class> found = times ? last : operation_of(part);
        if (found) add(counts, *found, times ? times : 1);
        if (found || begins_line) last = found;
        at = end + 1;
    }
    return counts;
}

bool is_empty(const Counts& counts) { return counts == Counts{}; }

std::string text_of(const Counts& counts) {
    std::string text;
    for (int i = 0; i < kClasses; ++i)
        if (counts[i]) text += (text.empty() ? "" : ", ") + std::to_string(counts[i]) + " " + kClassNames[i];
    return text.empty() ? "nothing" : text;
}

// ---- Vulkan ----

struct Code {
    std::vector<std::pair<std::string, std::string>> texts =
        {};  ///< by name, in the order of the compiler's stages
    std::string statistics = {};
};

class Vulkan : public Device {
 public:
    Vulkan() {
        if (!has_extension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME))
            skip(name() + " has no VK_KHR_pipeline_executable_properties");
        make_device();
    }

    bool takes(const Module& module) const {
        constexpr uint32_t kFloat16 = 9, kFloat64 = 10;
        return std::ranges::none_of(module.capabilities, [&](uint32_t capability) {
            return (capability == kFloat16 && !has_half_) || (capability == kFloat64 && !has_double_);
        });
    }
    std::map<std::string, Code> compile(const Module& module);

 private:
    void make_device() {
        VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR tells{
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
        make(&tells, {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME});
        if (!tells.pipelineExecutableInfo) skip(name() + " does not tell a pipeline's code");
        const VkPhysicalDeviceFeatures& core = features_.features;
        has_half_ = v12_.shaderFloat16 && v11_.storageBuffer16BitAccess && core.shaderInt16;
        has_double_ = core.shaderFloat64 && core.shaderInt64;
        const auto entry = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                vkGetDeviceProcAddr(device_, name));
        };
        entry(executables_, "vkGetPipelineExecutablePropertiesKHR");
        entry(statistics_, "vkGetPipelineExecutableStatisticsKHR");
        entry(representations_, "vkGetPipelineExecutableInternalRepresentationsKHR");
    }

    VkPipeline make_pipeline(VkShaderModule module, VkPipelineLayout layout, const std::string& kernel) {
        VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                                                  VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
                                         .layout = layout};
        info.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = module,
                      .pName = kernel.c_str()};
        VkPipeline pipeline;
        check(vkCreateComputePipelines(device_, {}, 1, &info, nullptr, &pipeline),
              "vkCreateComputePipelines of " + kernel);
        return pipeline;
    }

    Code code_of(VkPipeline pipeline);
    void add_texts(const VkPipelineExecutableInfoKHR& executable, Code& code);
    void add_statistics(const VkPipelineExecutableInfoKHR& executable, Code& code);

    bool has_half_ = false, has_double_ = false;
    PFN_vkGetPipelineExecutablePropertiesKHR executables_ = {};
    PFN_vkGetPipelineExecutableStatisticsKHR statistics_ = {};
    PFN_vkGetPipelineExecutableInternalRepresentationsKHR representations_ = {};
};

std::map<std::string, Code> Vulkan::compile(const Module& module) {
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = module.words.size() * 4,
                                        .pCode = module.words.data()};
    VkShaderModule made;
    check(vkCreateShaderModule(device_, &info, nullptr, &made), "vkCreateShaderModule");
    const VkPipelineLayout layout = make_layout(module);
    std::map<std::string, Code> codes;
    for (const std::string& kernel : module.kernels) {
        VkPipeline pipeline = make_pipeline(made, layout, kernel);
        codes[kernel] = code_of(pipeline);
        vkDestroyPipeline(device_, pipeline, nullptr);
    }
    vkDestroyShaderModule(device_, made, nullptr);
    return codes;
}

Code Vulkan::code_of(VkPipeline pipeline) {
    Code code;
    const VkPipelineInfoKHR info{.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    uint32_t count = 0;
    check(executables_(device_, &info, &count, nullptr), "vkGetPipelineExecutablePropertiesKHR");
    for (uint32_t i = 0; i < count; ++i) {
        const VkPipelineExecutableInfoKHR executable{.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                                     .pipeline = pipeline,
                                                     .executableIndex = i};
        add_texts(executable, code);
        add_statistics(executable, code);
    }
    return code;
}

void Vulkan::add_texts(const VkPipelineExecutableInfoKHR& executable, Code& code) {
    uint32_t count = 0;
    check(representations_(device_, &executable, &count, nullptr),
          "vkGetPipelineExecutableInternalRepresentationsKHR");
    std::vector<VkPipelineExecutableInternalRepresentationKHR> list(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR});
    check(representations_(device_, &executable, &count, list.data()),
          "vkGetPipelineExecutableInternalRepresentationsKHR");
    std::vector<std::vector<char>> bytes;
    for (auto& each : list) each.pData = bytes.emplace_back(each.dataSize + 1).data();
    check(representations_(device_, &executable, &count, list.data()),
          "vkGetPipelineExecutableInternalRepresentationsKHR");
    for (size_t i = 0; i < list.size(); ++i)
        if (list[i].isText) code.texts.emplace_back(list[i].name, bytes[i].data());
}

void Vulkan::add_statistics(const VkPipelineExecutableInfoKHR& executable, Code& code) {
    uint32_t count = 0;
    check(statistics_(device_, &executable, &count, nullptr), "vkGetPipelineExecutableStatisticsKHR");
    std::vector<VkPipelineExecutableStatisticKHR> list(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    check(statistics_(device_, &executable, &count, list.data()), "vkGetPipelineExecutableStatisticsKHR");
    for (const VkPipelineExecutableStatisticKHR& each : list)
        if (each.format != VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR)
            code.statistics +=
                std::string(code.statistics.empty() ? "" : ", ") + each.name + " " +
                std::to_string(each.format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR
                                   ? each.value.b32
                                   : each.value.u64);
}

// ---- The comparison ----

using Codes = std::map<std::string, Code>;

/// The name of the last stage whose text has a float operation that we recognise. That is the driver's
/// machine code, or else the last intermediate text of its compiler that uses known words.
std::string stage_of(const Codes& codes) {
    std::string name;
    for (const auto& [_, code] : codes)
        for (const auto& [stage, text] : code.texts)
            if (!is_empty(count(text))) name = stage;
    return name;
}

Counts counts_of(const Code& code, const std::string& stage) {
    Counts sum = {};
    for (const auto& [name, text] : code.texts)
        if (name == stage)
            for (int i = 0; const uint32_t more : count(text)) sum[i++] += more;
    return sum;
}

/// How many kernels differ, which are printed.
uint32_t compare(const Codes& one, const Codes& other, const std::string& stage, bool prints, bool all) {
    uint32_t differ = 0;
    for (const auto& [kernel, code] : one) {
        const auto found = other.find(kernel);
        if (found == other.end()) fail("a module lacks " + kernel);
        const Counts have = counts_of(code, stage), want = counts_of(found->second, stage);
        differ += have != want;
        if (prints && (all || have != want))
            std::printf("  %-26s %s%s\n", kernel.c_str(), text_of(have).c_str(),
                        have == want ? "" : (", in order " + text_of(want)).c_str());
        if (prints && all)
            std::printf("    %s\n    in order: %s\n", code.statistics.c_str(),
                        found->second.statistics.c_str());
    }
    return differ;
}

}  // namespace

int main(int argc, char** argv) {
    const bool all = argc > 1 && !std::strcmp(argv[1], "--all");
    const std::vector<std::string> paths(argv + 1 + all, argv + std::max(argc, 1 + all));
    if (paths.size() < 2 || paths.size() > 3)
        fail("usage: compare_code [--all] PLAIN.spv ORDERED.spv [RELAXED.spv]");
    Vulkan vulkan;
    std::vector<Codes> codes;
    for (const std::string& path : paths) {
        const Module module = read_module(path);
        if (!vulkan.takes(module)) skip(vulkan.name() + " lacks half or double");
        codes.push_back(vulkan.compile(module));
    }
    const std::string stage = stage_of(codes[1]);
    if (stage.empty()) skip(vulkan.name() + " tells no code that is known here");
    const uint32_t differ = compare(codes[0], codes[1], stage, true, all);
    const uint32_t relaxed = paths.size() > 2 ? compare(codes[2], codes[1], stage, false, all) : 1;
    std::printf("%s, %s: %zu kernels, %u differ", vulkan.name().c_str(), stage.c_str(), codes[0].size(),
                differ);
    if (paths.size() > 2) std::printf("; relaxed %u", relaxed);
    std::printf("\n");
    return differ || !relaxed;
}
