// SPDX-License-Identifier: Apache-2.0
#include "web/job.h"

#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "builtins/builtin_library.h"
#include "caldera/version.h"
#include "frontend/compile.h"
#include "spirv/annotate.h"
#include "spirv/faults.h"
#include "spirv/limits.h"
#include "spirv/spirv.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/stopwatch.h"
#include "tools/clc2spv/command_line.h"
#include "tools/clc2spv/translation.h"
#include "tools/report/faults.h"
#include "tools/report/report.h"
#include "vulkan/translate/reflect/reflect.h"
#include "vulkan/translate/translate.h"

namespace caldera::web {
namespace {

using Json = nlohmann::ordered_json;
using tools::Emit;
using tools::Language;

struct Request {
    std::string source = {}, name = "kernel.cl";
    std::vector<std::string> arguments = {};
    std::map<std::string, std::string> files = {};
    bool passes = false;
};

/// Reads a member, which may be absent. Returns whether it has the right type.
bool read_text(const Json& json, const char* name, std::string& text) {
    const auto found = json.find(name);
    if (found == json.end()) return true;
    if (!found->is_string()) return false;
    text = found->get<std::string>();
    return true;
}

/// A sentence that says what is wrong with the request; empty if nothing is.
std::string read_request(std::string_view text, Request& request) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return "the request is no object in JSON";
    if (!read_text(json, "source", request.source)) return "'source' is no text";
    if (!read_text(json, "name", request.name)) return "'name' is no text";
    if (request.name.empty() || request.name[0] == '-') return "'name' is no name of a file";
    const Json arguments = json.value("arguments", Json::array());
    if (!arguments.is_array()) return "'arguments' is no array of texts";
    for (const Json& argument : arguments) {
        if (!argument.is_string()) return "'arguments' is no array of texts";
        request.arguments.push_back(argument.get<std::string>());
        if (request.arguments.back().empty()) return "an argument is empty";
    }
    const Json files = json.value("files", Json::object());
    if (!files.is_object()) return "'files' is no object of texts";
    for (const auto& [path, content] : files.items()) {
        if (!content.is_string()) return "'files' is no object of texts";
        request.files[path] = content.get<std::string>();
    }
    const auto passes = json.find("passes");
    if (passes == json.end()) return "";
    if (!passes->is_boolean()) return "'passes' is neither true nor false";
    request.passes = passes->get<bool>();
    return "";
}

std::string_view name_of(vulkan::PassNeed need) {
    switch (need) {
        case vulkan::PassNeed::Required: return "required";
        case vulkan::PassNeed::Optimization: return "optimization";
        case vulkan::PassNeed::Precaution: return "precaution";
    }
    return "";
}

Json describe(const vulkan::PassInfo& pass, size_t number) {
    return Json::object(
        {{"number", number}, {"name", pass.name}, {"need", name_of(pass.need)}, {"summary", pass.summary}});
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

class Job {
 public:
    explicit Job(Request request) : request_(std::move(request)) {}

    void run();
    void fail(std::string_view stage, Finding finding);
    void fail(std::string_view stage, const std::string& message) { fail(stage, Finding{.text = message}); }
    Answer take();

 private:
    std::optional<std::string> read_file(const std::string& name) const;
    bool parse();
    std::optional<std::vector<uint32_t>> load();
    std::optional<std::vector<uint32_t>> compile();
    std::optional<std::vector<uint32_t>> assemble();
    void report(const frontend::CompileResult& result);
    bool pass_on(std::span<const uint32_t> words);
    std::optional<vulkan::Translation> translate(std::span<const uint32_t> words);
    std::string with_place(const std::string& message, vulkan::TranslateOptions options) const;
    void note_pass(const vulkan::AfterPass& after);
    void validate(std::span<const uint32_t> words);
    void describe_interface(const vulkan::Translation& translation);
    size_t keep(std::span<const uint32_t> words);

    Request request_;
    tools::Command command_ = {};
    Stopwatch stopwatch_ = {};
    std::vector<StageTime> times_ = {};
    std::vector<Finding> findings_ = {};
    std::string failed_ = {}, log_ = {}, text_ = {};
    Json opencl_ = nullptr, vulkan_ = nullptr, reflection_ = nullptr, passes_ = Json::array();
    std::vector<std::vector<uint32_t>> modules_ = {};
};

std::optional<std::string> Job::read_file(const std::string& name) const {
    const auto found = request_.files.find(name);
    if (found != request_.files.end()) return found->second;
    errno = ENOENT;
    return std::nullopt;
}

void Job::fail(std::string_view stage, Finding finding) {
    failed_ = stage;
    // As clc2spv prints it: a fault of the validator has a rule, and the translator's text has its place.
    const std::string& file = finding.place.file;
    if (finding.rule.empty())
        log_ += (file.empty() ? "clc2spv" : file) + ": error: " + finding.text + "\n";
    else
        log_ += tools::as_text(finding);
    findings_.push_back(std::move(finding));
}

bool Job::parse() {
    std::vector<std::string> arguments = request_.arguments;
    arguments.push_back("--");
    arguments.push_back(request_.name);
    const auto read = [this](const std::string& name) { return read_file(name); };
    Result<tools::Command> command = tools::parse_command_line(std::move(arguments), read);
    if (command) {
        command_ = command.take();
        if (command_.action != tools::Action::Compile)
            fail("options", "an option asks for no compilation");
        else if (command_.inputs.size() != 1 || command_.links())
            fail("options", "an argument is no option: one source is compiled, and not linked");
        else if (command_.language_of(request_.name) == Language::Spirv)
            fail("options", "a source is OpenCL C or assembly of SPIR-V");
        else if (command_.dependencies_only)
            fail("options", "dependencies are for make");
    } else {
        fail("options", command.error().message);
    }
    command_.compile.read_file = read;
    command_.compile.findings = true;
    return failed_.empty();
}

void Job::report(const frontend::CompileResult& result) {
    log_ += result.log;
    findings_.insert(findings_.end(), result.findings.begin(), result.findings.end());
    if (!result) failed_ = "front end";
}

std::optional<std::vector<uint32_t>> Job::compile() {
    frontend::CompileResult result;
    const bool is_text = command_.preprocess_only || command_.emit == Emit::Ast;
    if (command_.preprocess_only)
        result = frontend::preprocess(request_.source, request_.name, command_.compile, text_, false,
                                      command_.printed);
    else if (command_.emit == Emit::Ast)
        result = frontend::dump_ast(request_.source, request_.name, command_.compile, text_);
    else
        result = frontend::compile(request_.source, request_.name, command_.compile);
    stopwatch_.lap("front end");
    report(result);
    if (!result || is_text || command_.syntax_only) return std::nullopt;
    return std::move(result.words);
}

std::optional<std::vector<uint32_t>> Job::assemble() {
    Result<std::vector<uint32_t>> words = spirv::assemble(request_.source, spirv::Target::OpenCL22);
    stopwatch_.lap("SPIRV-Tools assemble");
    if (words) return words.take();
    const std::string& message = words.error().message;  // "LINE:COLUMN: what"
    const size_t text = message.find(": ");
    const std::optional<TextRange> place = tools::place_of(request_.name + ":" + message.substr(0, text));
    fail("front end", Finding{.text = place ? message.substr(text + 2) : message,
                              .place = place.value_or(TextRange{.file = request_.name})});
    return std::nullopt;
}

std::optional<std::vector<uint32_t>> Job::load() {
    return command_.language_of(request_.name) == Language::OpenCLC ? compile() : assemble();
}

size_t Job::keep(std::span<const uint32_t> words) {
    modules_.emplace_back(words.begin(), words.end());
    return modules_.size() - 1;
}

void Job::note_pass(const vulkan::AfterPass& after) {
    const std::span<const vulkan::PassInfo> list = vulkan::pass_list();
    Json row =
        after.number == 0 || after.number > list.size()
            ? Json::object({{"number", after.number}, {"name", after.pass}, {"need", ""}, {"summary", ""}})
            : describe(list[after.number - 1], after.number);
    row["changed"] = after.changed;
    row["module"] = after.changed || passes_.empty() ? Json(keep(after.words)) : passes_.back()["module"];
    passes_.push_back(std::move(row));
}

/// The translator's message with its place, which only a module with debug information has.
std::string Job::with_place(const std::string& message, vulkan::TranslateOptions options) const {
    if (command_.language_of(request_.name) != Language::OpenCLC || command_.compile.debug_info)
        return message;
    frontend::CompileOptions with_lines = command_.compile;
    with_lines.debug_info = true;
    const frontend::CompileResult again = frontend::compile(request_.source, request_.name, with_lines);
    if (!again) return message;
    options.after_pass = {};
    const Result<vulkan::Translation> translation =
        vulkan::translate(again.words, options, builtin_library());
    return translation ? message : translation.error().message;
}

std::optional<vulkan::Translation> Job::translate(std::span<const uint32_t> words) {
    vulkan::TranslateOptions options =
        tools::translate_options(command_, command_.language_of(request_.name) == Language::OpenCLC);
    Result<spirv::SpecValues> values = tools::spec_values(command_, words);
    if (!values) {
        fail("options", values.error().message);
        return std::nullopt;
    }
    options.spec_constants = values.take();
    if (request_.passes) options.after_pass = [this](const vulkan::AfterPass& after) { note_pass(after); };
    times_ = stopwatch_.take();
    Result<vulkan::Translation> translation = vulkan::translate(words, options, builtin_library());
    stopwatch_ = {};
    std::string fault;
    if (!translation)
        fault = with_place(translation.error().message, options);
    else
        fault = tools::too_many_buffers(command_, translation->interface);
    if (!fault.empty()) {
        fail("translator", Finding{.text = fault, .place = tools::place_in(request_.name, fault)});
        return std::nullopt;
    }
    times_.insert(times_.end(), translation->times.begin(), translation->times.end());
    return translation.take();
}

void Job::describe_interface(const vulkan::Translation& translation) {
    reflection_ = Json::parse(vulkan::to_json(translation.interface), nullptr, false);
    const std::string name = request_.name.substr(0, request_.name.rfind('.'));
    if (command_.emit == Emit::CHeader)
        text_ = vulkan::to_c_header(translation.interface, translation.words, name);
    if (command_.emit == Emit::CppHeader)
        text_ = vulkan::to_cpp_header(translation.interface, translation.words, name);
}

/// For OpenCL: checks what the translator would have checked.
bool Job::pass_on(std::span<const uint32_t> words) {
    const Result<spirv::Module> read = spirv::read(words);
    Result<Done> fits = Done{};
    if (!read)
        fits = read.error();
    else if (!command_.makes_part())
        fits = spirv::check_parameters(*read);
    if (!fits) fail("front end", Finding{.text = fits.error().message, .place = {.file = request_.name}});
    return static_cast<bool>(fits);
}

void Job::validate(std::span<const uint32_t> words) {
    const std::string target(spirv::name(command_.target));
    for (const spirv::Fault& fault : spirv::find_faults(words, command_.target).found) {
        Finding finding = tools::as_finding(fault, request_.name);
        finding.text = "the module is not valid for " + target + ": " + finding.text;
        fail("validator", std::move(finding));
    }
    stopwatch_.lap("SPIRV-Tools validate");
}

void Job::run() {
    if (!parse()) return;
    const std::optional<std::vector<uint32_t>> words = load();
    if (!words || !failed_.empty()) return;
    opencl_ = keep(*words);
    if (!spirv::is_vulkan(command_.target)) {
        if (pass_on(*words) && command_.validate) validate(*words);
        return;
    }
    const std::optional<vulkan::Translation> translation = translate(*words);
    if (!translation) return;
    if (command_.validate) validate(translation->words);
    vulkan_ = keep(translation->words);
    describe_interface(*translation);
}

Answer Job::take() {
    for (const StageTime& time : stopwatch_.take()) times_.push_back(time);
    Json times = Json::array();
    for (const StageTime& time : times_)
        times.push_back(Json::object({{"stage", time.stage}, {"ms", time.cpu_ms}}));
    const Json json = Json::object({{"ok", failed_.empty()},
                                    {"failed", failed_},
                                    {"log", log_},
                                    {"diagnostics", Json::parse(tools::to_json(findings_), nullptr, false)},
                                    {"target", spirv::name(command_.target)},
                                    {"opencl", opencl_},
                                    {"vulkan", vulkan_},
                                    {"reflection", reflection_},
                                    {"text", text_},
                                    {"passes", passes_},
                                    {"times", times}});
    return {.json = text_of(json), .modules = std::move(modules_)};
}

}  // namespace

Answer run(std::string_view text) {
    const DefaultFloatEnvironment floats;
    Request request;
    const std::string fault = read_request(text, request);
    Job job(std::move(request));
    if (fault.empty())
        job.run();
    else
        job.fail("request", fault);
    return job.take();
}

std::string disassemble(const std::vector<uint32_t>& words, bool by_source) {
    const Result<std::string> text = by_source ? spirv::annotate(words) : spirv::disassemble(words);
    return text ? *text : text.error().message;
}

std::string about() {
    Json passes = Json::array();
    for (const vulkan::PassInfo& pass : vulkan::pass_list())
        passes.push_back(describe(pass, passes.size() + 1));
    return text_of(
        Json::object({{"version", CALDERA_VERSION}, {"help", tools::help_text()}, {"passes", passes}}));
}

}  // namespace caldera::web
