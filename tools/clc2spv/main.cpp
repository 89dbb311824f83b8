// SPDX-License-Identifier: Apache-2.0
// clc2spv: OpenCL C or OpenCL SPIR-V in; SPIR-V for OpenCL or Vulkan, or a description of it, out.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "frontend/options.h"
#include "spirv/annotate.h"
#include "spirv/faults.h"
#include "spirv/limits.h"
#include "spirv/link.h"
#include "spirv/raw_words.h"
#include "spirv/spirv.h"
#include "spirv/support/files.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/paths.h"
#include "spirv/support/program.h"
#include "spirv/support/stopwatch.h"
#include "tools/clc2spv/command_line.h"
#include "tools/clc2spv/output_files.h"
#include "tools/clc2spv/passes.h"
#include "tools/clc2spv/translation.h"
#include "tools/language_server/serve.h"
#include "tools/report/faults.h"
#include "vulkan/device_extensions.h"
#include "vulkan/translate/reflect/reflect.h"
#include "vulkan/translate/translate.h"

namespace caldera::tools {
namespace {

/// What goes to standard error: text at once, or the findings of all inputs as one document at the end.
class Reporter {
 public:
    explicit Reporter(Format format) : format_(format) {}

    bool is_text() const { return format_ == Format::Text; }
    /// An error of a file, at ":LINE:COLUMN" or without a place.
    void error(const std::string& file, const std::string& place, const std::string& message);
    /// An error of the command.
    void complain(const std::string& message) { error("", "", message); }
    /// The front end's log and clang's closing line.
    void add(const frontend::CompileResult& result);
    void add(Finding finding);
    void explain(const std::string& text);  ///< adds to the last diagnostics
    void finish(bool succeeded) const;

 private:
    Format format_;
    std::vector<Finding> findings_ = {};
};

void Reporter::error(const std::string& file, const std::string& place, const std::string& message) {
    if (is_text())
        std::fprintf(stderr, "%s%s: error: %s\n", file.empty() ? "clc2spv" : file.c_str(), place.c_str(),
                     message.c_str());
    else
        findings_.push_back(
            {.text = message, .place = place_of(file + place).value_or(place_in(file, message))});
}

void Reporter::add(const frontend::CompileResult& result) {
    for (const std::string& line : result.included) std::fprintf(stderr, "%s\n", line.c_str());
    findings_.insert(findings_.end(), result.findings.begin(), result.findings.end());
    if (!is_text()) return;
    std::fputs(result.log.c_str(), stderr);
    auto count = [](uint32_t n, const char* what) {
        return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    };
    std::string counts;
    if (result.warnings != 0) counts = count(result.warnings, "warning");
    if (result.errors != 0) counts += (counts.empty() ? "" : " and ") + count(result.errors, "error");
    if (!counts.empty()) std::fprintf(stderr, "%s generated.\n", counts.c_str());
}

void Reporter::add(Finding finding) {
    if (is_text())
        std::fputs(as_text(finding).c_str(), stderr);
    else
        findings_.push_back(std::move(finding));
}

void Reporter::explain(const std::string& text) {
    if (is_text()) std::fputs(text.c_str(), stderr);
    if (is_text() || findings_.empty()) return;
    std::istringstream lines(text);
    constexpr std::string_view kNote = "note: ";
    for (std::string line; std::getline(lines, line);)
        findings_.back().notes.push_back({{}, line.substr(line.starts_with(kNote) ? kNote.size() : 0)});
}

void Reporter::finish(bool succeeded) const {
    if (format_ == Format::Json) std::fputs(to_json(findings_).c_str(), stderr);
    if (format_ == Format::Sarif)
        std::fputs(to_sarif(findings_, {.name = "clc2spv",
                                        .full_name = "Caldera's compiler of OpenCL C",
                                        .succeeded = succeeded})
                       .c_str(),
                   stderr);
}

// ---- Files ----

std::optional<std::string> read_input(const std::string& name, Reporter& reporter) {
    Result<std::string> text = caldera::read_input(name);
    if (text) return text.take();
    reporter.complain(text.error().message);
    return std::nullopt;
}

bool write_output(const std::string& name, std::string_view bytes, Reporter& reporter) {
    const bool good = write_file(name, bytes);
    if (!good) reporter.complain("unable to write output file '" + name + "': " + std::strerror(errno));
    return good;
}

/// Reads what #include and -include name. A pipe or a device gives its bytes once, so they are kept for
/// later inputs and compilations.
class Headers {
 public:
    std::optional<std::string> operator()(const std::string& path) {
        if (!is_stream(path)) return frontend::read_text_file(path);
        auto found = streams_->find(path);
        if (found == streams_->end()) {
            std::optional<std::string> text = read_file(path);
            if (!text) throw std::runtime_error(why_unread(path, errno));
            found = streams_->emplace(path, std::move(*text)).first;
        }
        return found->second;
    }

 private:
    std::shared_ptr<std::map<std::string, std::string>> streams_ =
        std::make_shared<std::map<std::string, std::string>>();
};

/// The files that a rule for make names.
struct Dependencies {
    std::vector<std::string> all = {}, headers = {};

    /// Adds the files that the compiler read for an input: its own name first, which standard input has not.
    void add(const std::string& input, std::span<const std::string> read) {
        for (size_t i = input == "-" ? 1 : 0; i < read.size(); ++i) {
            if (std::ranges::find(all, read[i]) == all.end()) all.push_back(read[i]);
            if (i != 0 && std::ranges::find(headers, read[i]) == headers.end()) headers.push_back(read[i]);
        }
    }
};

/// The rules of all inputs. Several may go to one file.
class RuleFiles {
 public:
    bool add(const std::string& file, const std::string& rule, Reporter& reporter) {
        if (file == "-") return write_output(file, rule, reporter);
        std::string& text = texts_[file];
        text += rule;
        return write_output(file, text, reporter);
    }

 private:
    std::map<std::string, std::string> texts_ = {};
};

/// What the inputs of a command write to together.
struct SharedFiles {
    explicit SharedFiles(const Command& command) : passes(command.print_to) {}

    RuleFiles rules = {};
    PassFile passes;
};

// ---- -v ----

std::string_view what_is(const Command& command, const std::string& input) {
    switch (command.language_of(input)) {
        case Language::Spirv: return "SPIR-V";
        case Language::SpirvAssembly: return "SPIR-V assembly";
        case Language::OpenCLC:
        case Language::ByName: break;
    }
    return "OpenCL C";
}

/// Prints the version, the target, the header search path, and what is made from each file.
void describe(const Command& command) {
    std::string text = version_text() + "target: " + std::string(spirv::name(command.target));
    if (spirv::is_vulkan(command.target)) {
        text += command.abi == vulkan::Abi::Addresses ? ", --abi=addresses" : ", --abi=descriptors";
        text += command.profile ? "; device: " + command.profile->name : "; no device profile";
        if (command.driver) text += "; driver: " + command.driver->text;
    }
    text += "\nlanguage: OpenCL C " + std::string(frontend::version_name(command.compile.standard)) +
            "\n#include \"...\" search starts here:\n";
    const auto folders = [&](const std::vector<std::string>& names) {
        for (const std::string& name : names) text += " " + name + "\n";
    };
    folders(command.compile.quote_dirs);
    text += "#include <...> search starts here:\n";
    for (const auto* names :
         {&command.compile.include_dirs, &command.compile.system_dirs, &command.compile.last_dirs})
        folders(*names);
    text += "End of search list.\n";
    for (const std::string& input : command.inputs) {
        text += input + ": " + std::string(what_is(command, input));
        if (command.links())
            text += ", linked into " + command.output;
        else if (!command.syntax_only)
            text += " to " + output_name(command, input);
        text += "\n";
    }
    std::fputs(text.c_str(), stderr);
}

// ---- One input ----

class Job {
 public:
    Job(const Command& command, const std::string& input, Reporter& reporter, SharedFiles& shared)
        : command_(command),
          input_(input),
          reporter_(reporter),
          shared_(shared),
          shown_name_(input == "-" ? "<stdin>" : input) {}
    /// The job that finishes a linked module.
    static Job of_linked(const Command& command, Reporter& reporter, SharedFiles& shared) {
        Job job(command, command.output, reporter, shared);
        if (command.output == "-") job.shown_name_ = "<stdout>";
        return job;
    }

    /// Reads and compiles the input. Nothing is written until all that the command reads is known.
    bool load() { return loaded_ = read(); }
    /// The files that load() read: the input's own name first, if it was OpenCL C.
    const std::vector<std::string>& files() const { return files_; }
    /// Writes what the command makes from the input, if it could be loaded.
    bool write() { return loaded_ && timed(write_all()); }
    /// The input's OpenCL SPIR-V, for the module that is linked.
    std::vector<uint32_t> take_words() {
        timed(true);
        return std::move(words_);
    }
    bool write_rule(const Dependencies& dependencies);
    /// Finishes the linked module.
    bool run_linked(std::vector<uint32_t> words) { return timed(finish(std::move(words))); }
    bool fail(const std::string& message, const std::string& place = {});

 private:
    bool read();
    bool source(std::string text);
    bool module(const std::string& bytes);
    bool report(const frontend::CompileResult& result);
    bool report(const spirv::Faults& faults);
    bool timed(bool good);
    /// Translates the module if requested, validates and writes it.
    bool finish(std::vector<uint32_t> words);
    bool write_all();
    std::string with_place(const std::string& message, vulkan::TranslateOptions options) const;
    bool passes_are_written();
    void add_times(const std::vector<StageTime>& times) {
        times_.insert(times_.end(), times.begin(), times.end());
    }
    bool write_module(const std::vector<uint32_t>& words, const vulkan::ProgramInterface& interface);
    bool use_colour() const {
        if (command_.colour != Colour::Auto) return command_.colour == Colour::Always;
        const char* term = std::getenv("TERM");
        return isatty(STDERR_FILENO) && term && std::strcmp(term, "dumb") != 0 && !std::getenv("NO_COLOR");
    }

    const Command& command_;
    const std::string& input_;
    Reporter& reporter_;
    SharedFiles& shared_;
    std::string shown_name_;
    std::optional<std::string> source_ = {};  // OpenCL C
    // What load() leaves:
    bool loaded_ = false;
    std::vector<std::string> files_ = {};
    std::vector<uint32_t> words_ = {};
    std::string printed_ = {};  // of -E and --emit=ast
    Stopwatch stopwatch_ = {};
    std::vector<StageTime> times_ = {};
};

/// Each stage's CPU time and share, in the order in which they ran.
void print_times(const std::string& name, const std::vector<StageTime>& times) {
    double total = 0;
    for (const StageTime& time : times) total += time.cpu_ms;
    std::fprintf(stderr, "time report of %s: %.2f ms of CPU time\n", name.c_str(), total);
    for (const StageTime& time : times)
        std::fprintf(stderr, "%10.2f ms %5.1f%%  %.*s\n", time.cpu_ms,
                     100 * time.cpu_ms / std::max(total, 1e-6), static_cast<int>(time.stage.size()),
                     time.stage.data());
}

/// Prints the times of what went well. Returns `good`.
bool Job::timed(bool good) {
    add_times(stopwatch_.take());
    if (good && command_.time_report && !times_.empty()) print_times(shown_name_, times_);
    return good;
}

bool Job::read() {
    std::optional<std::string> text = read_input(input_, reporter_);
    if (!text) return false;
    if (command_.language == Language::ByName && input_.ends_with(".clcpp"))
        return fail(std::string(frontend::kNoCpp));
    const bool is_source = command_.language_of(input_) == Language::OpenCLC;
    const bool is_piped_module =
        input_ == "-" && command_.language == Language::ByName && spirv::is_module(*text);
    const bool good = is_source && !is_piped_module ? source(std::move(*text)) : module(*text);
    add_times(stopwatch_.take());
    return good;
}

/// Returns whether there were no errors.
bool Job::report(const frontend::CompileResult& result) {
    reporter_.add(result);
    if (!result && command_.profile)
        reporter_.explain(explain_extensions(*command_.profile, result.diagnostics));
    return static_cast<bool>(result);
}

/// Reports the faults of the module that would be written. Returns false.
bool Job::report(const spirv::Faults& faults) {
    const std::string target(spirv::name(command_.target));
    for (const spirv::Fault& fault : faults.found) {
        Finding finding = as_finding(fault, shown_name_);
        finding.text = "the module is not valid for " + target + ": " + finding.text;
        finding.place.offset = finding.place.length = 0;  // the file is the input
        if (fault.file == shown_name_) finding.notes.clear();
        reporter_.add(std::move(finding));
    }
    return false;
}

bool Job::fail(const std::string& message, const std::string& place) {
    reporter_.error(shown_name_, place, message);
    return false;
}

/// The translator's message with its source location, which only a module with debug information has.
std::string Job::with_place(const std::string& message, vulkan::TranslateOptions options) const {
    if (!source_ || command_.compile.debug_info) return message;
    frontend::CompileOptions with_lines = command_.compile;
    with_lines.debug_info = true;
    const frontend::CompileResult again = frontend::compile(*source_, shown_name_, with_lines);
    if (!again) return message;
    options.after_pass = {};
    const Result<vulkan::Translation> translation =
        vulkan::translate(again.words, options, builtin_library());
    return translation ? message : translation.error().message;
}

bool Job::source(std::string text) {
    source_ = std::move(text);
    const frontend::CompileOptions& options = command_.compile;
    frontend::CompileResult result;
    if (command_.preprocess_only || command_.dependencies_only)
        result =
            frontend::preprocess(*source_, shown_name_, options, printed_, use_colour(), command_.printed);
    else if (command_.emit == Emit::Ast)
        result = frontend::dump_ast(*source_, shown_name_, options, printed_, use_colour());
    else
        result = frontend::compile(*source_, shown_name_, options, use_colour());
    stopwatch_.lap("front end");
    files_ = std::move(result.dependencies);
    words_ = std::move(result.words);
    return report(result);
}

bool Job::write_all() {
    stopwatch_ = {};  // other inputs were loaded in between
    if (source_ && (command_.dependencies_only || command_.write_dependencies)) {
        Dependencies dependencies;
        dependencies.add(input_, files_);
        if (!write_rule(dependencies)) return false;
        if (command_.dependencies_only) return true;
    }
    if (command_.syntax_only && source_) return true;
    if (!command_.preprocess_only && command_.emit != Emit::Ast) return finish(std::move(words_));
    const bool good = write_output(output_name(command_, input_), printed_, reporter_);
    stopwatch_.lap("output");
    return good;
}

bool Job::module(const std::string& bytes) {
    if (command_.preprocess_only || command_.dependencies_only || command_.emit == Emit::Ast)
        return fail("-E, -M and --emit=ast need OpenCL C input");
    std::vector<uint32_t> words;
    if (command_.language_of(input_) == Language::SpirvAssembly) {
        Result<std::vector<uint32_t>> assembled = spirv::assemble(bytes, spirv::Target::OpenCL22);
        if (!assembled) {  // "LINE:COLUMN: what"
            const std::string& message = assembled.error().message;
            size_t text = message.find(": ");
            return fail(message.substr(text + 2), ":" + message.substr(0, text));
        }
        words = assembled.take();
    } else {
        if (bytes.size() % 4 != 0)
            return fail("not a SPIR-V module, or a truncated one: its size of " +
                        std::to_string(bytes.size()) + " bytes is not a multiple of 4");
        words = spirv::words_of_module(bytes);
    }
    words_ = std::move(words);
    return true;
}

/// Reports the fault of --print-to's file, unless another input has.
bool Job::passes_are_written() {
    const std::string fault = shared_.passes.take_fault();
    if (!fault.empty()) reporter_.complain(fault);
    return fault.empty();
}

bool Job::finish(std::vector<uint32_t> words) {
    vulkan::ProgramInterface interface;
    PassPrinter printer(command_, shown_name_, shared_.passes);
    shared_.passes.begin();
    if (!passes_are_written()) return false;
    if (spirv::is_vulkan(command_.target)) {
        vulkan::TranslateOptions translate = translate_options(
            command_, !command_.links() && command_.language_of(input_) == Language::OpenCLC);
#ifndef NDEBUG
        translate.verify_between_passes = true;
#endif
        Result<spirv::SpecValues> values = spec_values(command_, words);
        if (!values) return fail(values.error().message);
        translate.spec_constants = values.take();
        translate.after_pass = printer.observer();
        add_times(stopwatch_.take());
        Result<vulkan::Translation> translation = vulkan::translate(words, translate, builtin_library());
        std::fputs(printer.what_did_not_run().c_str(), stderr);
        const bool printed = passes_are_written();
        if (!translation) return fail(with_place(translation.error().message, translate));
        if (!printed) return false;
        stopwatch_ = {};
        add_times(translation->times);
        words = std::move(translation->words);
        interface = std::move(translation->interface);
        if (const std::string fault = too_many_buffers(command_, interface); !fault.empty())
            return fail(fault);
    } else {
        std::fputs(printer.what_did_not_run().c_str(), stderr);
        Result<spirv::Module> read = spirv::read(words);  // a module that is passed on is at least one
        if (!read) return fail(read.error().message);
        if (!command_.makes_part())
            if (Result<Done> fits = spirv::check_parameters(*read); !fits) return fail(fits.error().message);
    }
    if (command_.validate) {
        const spirv::Faults faults = spirv::find_faults(words, command_.target);
        if (!faults.found.empty()) return report(faults);
        stopwatch_.lap("SPIRV-Tools validate");
    }
    if (!write_module(words, interface)) return false;
    stopwatch_.lap("output");
    return true;
}

bool Job::write_module(const std::vector<uint32_t>& words, const vulkan::ProgramInterface& interface) {
    std::string output = output_name(command_, input_);
    if (command_.syntax_only) return true;
    switch (command_.emit) {
        case Emit::Assembly: {
            Result<std::string> text = spirv::disassemble(words);
            return text ? write_output(output, *text, reporter_) : fail(text.error().message);
        }
        case Emit::Annotated: {
            Result<std::string> text = spirv::annotate(words);
            if (!text) return fail(text.error().message);
            return write_output(output, *text, reporter_);
        }
        case Emit::CHeader:
        case Emit::CppHeader: {
            const std::string name = stem(output == "-" ? input_ : output);
            return write_output(output,
                                command_.emit == Emit::CHeader
                                    ? vulkan::to_c_header(interface, words, name)
                                    : vulkan::to_cpp_header(interface, words, name),
                                reporter_);
        }
        case Emit::ReflectionJson: return write_output(output, vulkan::to_json(interface), reporter_);
        case Emit::Spirv:
        case Emit::Ast: break;
    }
    return write_output(output, {reinterpret_cast<const char*>(words.data()), words.size() * 4}, reporter_);
}

/// A rule for make: target: file \ file ...
bool Job::write_rule(const Dependencies& dependencies) {
    std::string output = output_name(command_, input_);
    std::string rule;
    for (const std::string& target : command_.dependency_targets) rule += (rule.empty() ? "" : " ") + target;
    if (rule.empty()) {
        bool named = !command_.dependencies_only && output != "-";
        rule = quote_for_make(named ? output : stem(input_) + std::string(extension(command_.emit)));
    }
    rule += ":";
    size_t column = rule.size();
    for (const std::string& dependency : dependencies.all) {
        std::string name = quote_for_make(dependency);
        if (column + name.size() + 1 > 75) {
            rule += " \\\n ";
            column = 1;
        }
        rule += " " + name;
        column += name.size() + 1;
    }
    rule += "\n";
    if (command_.phony_targets)
        for (const std::string& header : dependencies.headers) rule += "\n" + quote_for_make(header) + ":\n";
    return shared_.rules.add(rule_name(command_, input_), rule, reporter_);
}

/// All inputs into one module.
bool link(const Command& command, std::span<Job> jobs, Reporter& reporter, SharedFiles& shared) {
    std::vector<std::vector<uint32_t>> modules;
    Dependencies dependencies;
    for (size_t i = 0; i < jobs.size(); ++i) {
        dependencies.add(command.inputs[i], jobs[i].files());
        modules.push_back(jobs[i].take_words());
    }
    // The rule's target is the output, or named after the first input.
    if (command.write_dependencies && !jobs.front().write_rule(dependencies)) return false;
    std::vector<spirv::LinkInput> inputs;
    for (size_t i = 0; i < jobs.size(); ++i)
        inputs.push_back({.name = command.inputs[i], .words = modules[i]});
    Result<std::vector<uint32_t>> linked = vulkan::link_foreign(
        inputs, {.create_library = command.create_library, .allow_partial = command.allow_partial_linkage});
    if (linked) return Job::of_linked(command, reporter, shared).run_linked(linked.take());
    std::istringstream faults(linked.error().message);
    for (std::string fault; std::getline(faults, fault);) reporter.complain(fault);
    return false;
}

/// The output of an action that compiles nothing.
std::string answer(const Command& command) {
    switch (command.action) {
        case Action::Help: return help_text();
        case Action::Version: return version_text();
        case Action::ListPasses: return list_of_passes(command);
        case Action::ListDrivers: return drivers_help();
        case Action::LanguageServer:
        case Action::Compile: break;
    }
    return "";
}

bool compile(const Command& command, Reporter& reporter) {
    const auto may_write = [&](Result<Done> checked) {
        if (!checked) reporter.complain(checked.error().message);
        return static_cast<bool>(checked);
    };
    if (!may_write(check_outputs(command))) return false;
    SharedFiles shared(command);
    std::vector<Job> jobs;
    std::vector<std::string> read;
    bool good = true;
    for (const std::string& input : command.inputs) {
        Job& job = jobs.emplace_back(command, input, reporter, shared);
        good &= job.load();
        read.insert(read.end(), job.files().begin(), job.files().end());
    }
    if (!may_write(check_outputs_beside(command, read))) return false;
    if (command.links()) return good && link(command, jobs, reporter, shared);
    for (Job& job : jobs) good &= job.write();
    return good;
}

int run(std::vector<std::string> args) {
    Result<Command> command = parse_command_line(std::move(args));
    if (!command) {
        Reporter(Format::Text).complain(command.error().message);
        return 1;
    }
    if (command->action == Action::LanguageServer)
        return language_server::serve(stdin, stdout, compile_options);
    command->compile.read_file = Headers();
    Reporter reporter(command->format);
    if (command->action != Action::Compile) return write_output("-", answer(*command), reporter) ? 0 : 1;
    if (command->verbose) describe(*command);
    const bool good = compile(*command, reporter);
    reporter.finish(good);
    return good ? 0 : 1;
}

}  // namespace
}  // namespace caldera::tools

int main(int argc, char** argv) {
    const caldera::DefaultFloatEnvironment floats;  // a compiler's -ffast-math gives programs another one
    caldera::use_binary_streams();
    return caldera::tools::run(caldera::arguments(argc, argv));
}
