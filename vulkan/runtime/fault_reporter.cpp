// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/fault_reporter.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "spirv/support/floats.h"
#include "spirv/support/json.h"
#include "spirv/support/process.h"
#include "vulkan/object_names.h"
#include "vulkan/race_words.h"
#include "vulkan/runtime/settings.h"

namespace caldera::runtime {
namespace {

std::string plural(uint64_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// A kind of faults: what users ask for, and how a report begins.
struct Kind {
    std::string_view name = {};
    vulkan::MemoryChecks check = {};
    const char* what = "";  // behind the access, if there is one
};

constexpr Kind kKinds[] = {
    // by vulkan::CheckKind, and then other names of them
    {"bounds", vulkan::MemoryChecks::Bounds, " out of bounds"},
    {"alignment", vulkan::MemoryChecks::Alignment, " at a misaligned address"},
    {"barriers", vulkan::MemoryChecks::Barriers, "barrier that not all work-items of the group reach"},
    {"races", vulkan::MemoryChecks::Races | vulkan::MemoryChecks::SameRaces, " in a data race"},
    {"uninitialised", vulkan::MemoryChecks::Uninitialised, " that nobody has written"},
    {"arithmetic", vulkan::MemoryChecks::Arithmetic, " without a defined result"},
    {"loops", vulkan::MemoryChecks::Loops, "loop that turns too often"},
    {"unequal-races", vulkan::MemoryChecks::Races},
};

const Kind& kind_of(const vulkan::CheckSite& site) { return kKinds[static_cast<size_t>(site.kind)]; }

bool is_of_access(const vulkan::CheckSite& site) {
    using enum vulkan::CheckKind;
    return site.kind != Barrier && site.kind != Arithmetic && site.kind != Loop;
}

/// "a, b or c"
std::string all_kinds() {
    std::string text;
    for (size_t i = 0; i < std::size(kKinds); ++i)
        text += (i == 0 ? "" : i + 1 == std::size(kKinds) ? " or " : ", ") + std::string(kKinds[i].name);
    return text;
}

const char* name_of(vulkan::CheckedAccess access) {
    switch (access) {
        case vulkan::CheckedAccess::Load: return "load";
        case vulkan::CheckedAccess::Store: return "store";
        case vulkan::CheckedAccess::Atomic: return "atomic operation";
        case vulkan::CheckedAccess::Copy: return "copy";
    }
    return "access";
}

std::string hexadecimal(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%" PRIx64, value);
    return text;
}

std::string place_of(const vulkan::CheckSite& site) {
    if (site.line == 0) return "an unknown line";
    return site.file + ":" + std::to_string(site.line) + ":" + std::to_string(site.column);
}

/// Which work-items have not come to a barrier.
std::string who_is_missing(const Fault& fault) {
    const vulkan::CheckRecord& record = *fault.record;
    if (fault.other_site) return "others of the group wait at " + place_of(*fault.other_site);
    return std::to_string(record.address) + " of " + plural(record.size_bytes, "work-item") +
           " came, and number " + std::to_string(record.begin) + " of the group is the first that did not";
}

/// The other access of a data race (vulkan/race_words.h).
std::string who_races(const vulkan::CheckRecord& record) {
    const auto word = static_cast<uint32_t>(record.other), how = static_cast<uint32_t>(record.other >> 32);
    const std::string number = "number " + std::to_string(word & kRaceItemMask);
    const char* const does = how & kRaceWithAtomic  ? "accesses it atomically"
                             : how & kRaceWithWrite ? "writes it"
                                                    : "reads it";
    if (how & kRaceWithSeveral) return "other work-items read it";
    const bool is_copy = (word & kRaceItemMask) > kRaceItemMask - kRaceCopiers;  // or a very large group's
    return (is_copy ? "an asynchronous copy or work-item " : "work-item ") + number +
           (how & kRaceWithOtherGroup ? " of another group " : " of the group ") + does;
}

/// The variable of an access, as reports name it.
std::string variable_of(const vulkan::CheckSite& site) {
    if (site.object == vulkan::kStringLiteral) return "a string literal";
    const std::string space = site.space.empty() ? "" : site.space + " ";
    if (site.object == vulkan::kVectorValue) return "a vector";
    return site.object.empty() ? "a " + space + "variable" : space + "variable '" + site.object + "'";
}

/// Whether an object is all of a sub-buffer, or of a part of an application's buffer.
bool has_part(const vulkan::CheckObject& whole, const vulkan::CheckObject& part) {
    return part.size_bytes < whole.size_bytes && part.begin >= whole.begin &&
           part.begin - whole.begin <= whole.size_bytes - part.size_bytes;
}

/// How far an address is from an object that does not contain all of the access.
std::string beside(uint64_t address, uint64_t bytes, const vulkan::CheckObject& object) {
    const uint64_t end = object.begin + object.size_bytes;
    const bool is_offset = object.begin == 0;  // of a private or local variable, and may be negative
    if (is_offset && static_cast<int64_t>(address) < 0)
        return plural(-address, "byte") + " before the beginning of ";
    if (address < object.begin) return plural(object.begin - address, "byte") + " before the beginning of ";
    if (address >= end) return plural(address - end, "byte") + " after the end of ";
    if (bytes == 0) return "in part outside of ";  // a copy, by the address where it begins
    return "with its last " + plural(address + bytes - end, "byte") + " after the end of ";
}

/// The process that has reported a fault, or its parent that had done so.
constinit std::atomic<int64_t> reporting_process = 0;
/// The thread's.
constinit thread_local FaultDelivery* outermost = nullptr;

}  // namespace

Result<vulkan::MemoryChecks> parse_checks(std::string_view kinds) {
    vulkan::MemoryChecks checks = vulkan::MemoryChecks::None;
    while (!kinds.empty()) {
        const std::string_view name = kinds.substr(0, kinds.find(','));
        kinds.remove_prefix(std::min(name.size() + 1, kinds.size()));
        const auto found = std::ranges::find(kKinds, name, &Kind::name);
        if (found == std::end(kKinds))
            return Error{.message = "unknown check '" + std::string(name) + "'; expected " + all_kinds()};
        checks = checks | found->check;
    }
    return checks;
}

Result<CheckOptions> check_options_of_environment() {
    CheckOptions options;
    options.robust = flag_setting("CALDERA_ROBUST", false);
    if (const std::string_view kinds = environment("CALDERA_CHECK"); !kinds.empty()) {
        const Result<vulkan::MemoryChecks> checks = parse_checks(kinds);
        if (!checks) return Error{.message = "CALDERA_CHECK: " + checks.error().message};
        options.checks = *checks;
    }
    const std::string_view format = environment("CALDERA_CHECK_FORMAT");
    options.json = format == "json";
    if (!format.empty() && format != "json" && format != "text")
        return Error{.message = "CALDERA_CHECK_FORMAT: unknown format '" + std::string(format) +
                                "'; expected text or json"};
    options.file = environment("CALDERA_CHECK_FILE");
    if (!options.file.empty()) {
        FILE* const file = open_file(options.file, "ab");  // reports are added to it
        if (!file)
            return Error{.message = "CALDERA_CHECK_FILE: cannot write '" + options.file +
                                    "': " + std::strerror(errno)};
        std::fclose(file);
    }
    if (const std::string_view turns = environment("CALDERA_CHECK_LOOPS"); !turns.empty()) {
        const auto [end, error] =
            std::from_chars(turns.data(), turns.data() + turns.size(), options.loop_turns);
        if (error != std::errc() || end != turns.data() + turns.size() || options.loop_turns == 0 ||
            options.loop_turns == ~0u)
            return Error{.message = "CALDERA_CHECK_LOOPS: '" + std::string(turns) +
                                    "' is no number of turns from 1 to 4294967294"};
    }
    if (const std::string_view status = environment("CALDERA_CHECK_EXIT"); !status.empty()) {
        const auto [end, error] =
            std::from_chars(status.data(), status.data() + status.size(), options.exit_status);
        if (error != std::errc() || end != status.data() + status.size())
            return Error{.message = "CALDERA_CHECK_EXIT: '" + std::string(status) +
                                    "' is no exit status from 0 to 255"};
    }
    return options;
}

bool has_reported_faults() { return reporting_process == process_id(); }

FaultDelivery::FaultDelivery() {
    if (!outermost) outermost = this;
}

/// The functions may call Caldera: what they find has the same end.
FaultDelivery::~FaultDelivery() {
    if (outermost != this) return;
    while (!waiting_.empty())
        for (const auto& [on_fault, report] : std::exchange(waiting_, {})) try {
                (*on_fault)(report);
            } catch (...) {  // nobody is here to take it
            }
    outermost = nullptr;
}

void FaultDelivery::give(std::shared_ptr<const OnFault> to, FaultReport report) {
    FaultDelivery at_once;
    outermost->waiting_.emplace_back(std::move(to), std::move(report));
}

/// The place in memory of an access with the wrong alignment.
std::string FaultReporter::misaligned(const Fault& fault) const {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    std::string text = "no multiple of " + std::to_string(site.alignment_bytes);
    const std::string offset = plural(record.address - record.begin, "byte"),
                      size = "of " + plural(record.size_bytes, "byte");
    if (record.size_bytes == 0) {
        const auto found = site.space.empty() ? allocations_.find(record.address) : std::nullopt;
        if (!found) return text;
        return text + ", " + plural(record.address - found->begin, "byte") + " into a buffer of " +
               plural(found->size_bytes, "byte");
    }
    if (!site.space.empty()) return text + ", in " + variable_of(site) + " " + size;
    return text + ", " + offset + " into " +
           (site.is_argument ? "the buffer " + size + " that argument '" + site.object + "' points to"
                             : variable_of(site) + " " + size);
}

/// The place of a data race, and the other access.
std::string FaultReporter::racing(const Fault& fault) const {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    const bool is_local = record.begin == 0;
    std::string place = is_local ? "in local memory" : "in " + variable_of(site);
    if (is_local && !site.object.empty()) place = "in local variable '" + site.object + "'";
    if (!is_local && (site.is_argument || site.object.empty())) {
        place = plural(record.address - record.begin, "byte") + " into " + (site.is_argument ? "the" : "a") +
                " buffer of " + plural(record.size_bytes, "byte");
        if (site.is_argument) place += " that argument '" + site.object + "' points to";
    }
    return place + "; " + who_races(record) + ", and nothing orders the two";
}

/// The operation and its value, which has no defined result.
std::string FaultReporter::computing(const Fault& fault) {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    const bool is_unsigned = site.operation.find(" of u") != std::string::npos;
    const std::string value =
        is_unsigned ? std::to_string(record.address) : std::to_string(static_cast<int64_t>(record.address));
    switch (static_cast<ArithmeticFault>(record.other)) {
        case kDividesByZero: return value + " is divided by zero";
        case kOverflowsQuotient: return value + " is divided by -1";
        case kShiftsTooFar: return "by " + std::to_string(record.address) + " bits";
        case kConvertsTooMuch: break;
    }
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", float_value(8 * site.size_bytes, record.address));
    return "the value is " + std::string(text);
}

/// The place in memory, as a sentence goes on behind "which is".
std::string FaultReporter::where(const Fault& fault) const {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    if (site.kind == vulkan::CheckKind::Barrier) return who_is_missing(fault);
    if (site.kind == vulkan::CheckKind::Alignment) return misaligned(fault);
    if (site.kind == vulkan::CheckKind::Race) return racing(fault);
    if (site.kind == vulkan::CheckKind::Arithmetic) return computing(fault);
    if (site.kind == vulkan::CheckKind::Loop)
        return "it turned more than " + plural(record.address, "time") + ", and was ended";
    const vulkan::CheckObject object = {record.begin, record.size_bytes};
    const std::string size = "of " + plural(object.size_bytes, "byte");
    if (site.kind == vulkan::CheckKind::Uninitialised) {
        if (site.object.empty()) return "in local memory";
        return "in " + variable_of(site) + (object.size_bytes ? " " + size : "");
    }
    if (!site.space.empty() && object.size_bytes == 0)
        return record.address < kNullPageBytes ? "through a NULL pointer"
                                               : "in no " + site.space + " variable";
    if (!site.space.empty() && site.is_argument)
        return beside(record.address, site.size_bytes, object) + "the local memory " + size +
               " that argument '" + site.object + "' points to";
    if (!site.space.empty())
        return beside(record.address, site.size_bytes, object) + variable_of(site) + " " + size;
    if (site.is_argument && object.begin == 0) return "through argument '" + site.object + "', which is NULL";
    const bool is_known = object.size_bytes != 0;
    std::string text;
    if (is_known)
        text = beside(record.address, site.size_bytes, object) +
               (site.is_argument ? "the buffer " + size + " that argument '" + site.object + "' points to"
                : site.object.empty() ? "an object " + size
                                      : variable_of(site) + " " + size);
    else if (record.address < kNullPageBytes)
        return "through a NULL pointer";
    const auto other = allocations_.find(record.address);
    if (other && is_known && has_part(*other, object))
        return text + ", in the buffer of " + plural(other->size_bytes, "byte") + " that it is a part of";
    if (other && is_known && other->begin == object.begin) return text;  // the access leaves it at its end
    if (other)
        return is_known
                   ? text + ", in another buffer " + std::string("of ") + plural(other->size_bytes, "byte")
                   : beside(record.address, site.size_bytes, *other) + "a buffer of " +
                         plural(other->size_bytes, "byte");
    // An object that lies where a buffer was has taken its memory.
    const auto is_taken = [&](const vulkan::CheckObject& freed) {
        return object.begin < freed.begin + freed.size_bytes &&
               freed.begin < object.begin + object.size_bytes;
    };
    if (const auto freed = allocations_.find_removed(record.address); freed && !is_taken(*freed)) {
        const std::string inside = plural(record.address - freed->begin, "byte") +
                                   " into a freed buffer of " + plural(freed->size_bytes, "byte");
        return is_known ? text + ", " + inside : inside;
    }
    if (is_known) return text;
    const auto near = allocations_.nearest(record.address);
    if (!near) return "in no buffer";
    return beside(record.address, site.size_bytes, *near) + "the nearest buffer, of " +
           plural(near->size_bytes, "byte");
}

std::string FaultReporter::text_of(const Fault& fault) const {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    if (fault.earlier != 0)
        return "caldera: " + place_of(site) + ": " + plural(record.count, "fault") + " of kernel '" +
               fault.kernel + "' in all, " + std::to_string(fault.earlier) + " of them reported before\n";
    const std::string size = site.size_bytes == 0 ? "" : " of " + plural(site.size_bytes, "byte");
    const bool is_access = is_of_access(site);
    std::string text = "caldera: error: ";
    if (is_access) text += name_of(site.access) + size;
    text += site.operation;
    text += kind_of(site).what + ("\n    at " + place_of(site)) + ", ";
    if (site.function != fault.kernel) text += "function '" + site.function + "' of ";
    text += "kernel '" + fault.kernel + "', work-item (" + std::to_string(record.id[0]) + "," +
            std::to_string(record.id[1]) + "," + std::to_string(record.id[2]) + ")\n    ";
    const bool is_local_race = site.kind == vulkan::CheckKind::Race && record.begin == 0;
    if (is_access && site.space.empty() && !is_local_race)
        text += "address " + hexadecimal(record.address) + ": ";
    const bool is_any_local = site.kind == vulkan::CheckKind::Race ||
                              (site.kind == vulkan::CheckKind::Uninitialised && record.size_bytes == 0);
    if (is_access && !site.space.empty() && !is_any_local)
        text += "offset " + std::to_string(static_cast<int64_t>(record.address)) + ": ";
    text += where(fault) + "\n";
    if (record.count > 1) text += "    " + std::to_string(record.count) + " times so far\n";
    return text;
}

std::string FaultReporter::json_of(const Fault& fault) const {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    std::string text = "{\"kind\":" + json_string(kind_of(site).name);
    const auto field = [&](const char* name, const std::string& value) {
        text += ",\"" + std::string(name) + "\":" + value;
    };
    const bool is_access = is_of_access(site);
    if (is_access) {
        field("access", json_string(name_of(site.access)));
        field("size_bytes", std::to_string(site.size_bytes));
    }
    if (!site.operation.empty()) field("operation", json_string(site.operation));
    field("file", json_string(site.file));
    field("line", std::to_string(site.line));
    field("column", std::to_string(site.column));
    field("kernel", json_string(fault.kernel));
    field("function", json_string(site.function));
    field("global_id", "[" + std::to_string(record.id[0]) + "," + std::to_string(record.id[1]) + "," +
                           std::to_string(record.id[2]) + "]");
    if (is_access) field("address", json_string(hexadecimal(record.address)));
    if (!site.object.empty())
        field("object", "{\"name\":" + json_string(site.object) +
                            ",\"is_argument\":" + (site.is_argument ? "true" : "false") +
                            ",\"space\":" + json_string(site.space.empty() ? "global" : site.space) +
                            ",\"begin\":" + json_string(hexadecimal(record.begin)) +
                            ",\"size_bytes\":" + std::to_string(record.size_bytes) + "}");
    field("where", json_string(where(fault)));
    field("count", std::to_string(record.count));
    field("reported_before", std::to_string(fault.earlier));
    return text + "}\n";
}

FaultReport FaultReporter::report_of(const Fault& fault) const {
    const vulkan::CheckSite& site = *fault.site;
    const vulkan::CheckRecord& record = *fault.record;
    return {.kind = std::string(kind_of(site).name),
            .file = site.file,
            .line = site.line,
            .column = site.column,
            .kernel = fault.kernel,
            .function = site.function,
            .global_id = {record.id[0], record.id[1], record.id[2]},
            .where = where(fault),
            .count = record.count,
            .reported_before = fault.earlier,
            .text = text_of(fault),
            .json = json_of(fault)};
}

void FaultReporter::report(const Fault& fault) {
    count_ += fault.record->count - fault.earlier;
    reporting_process = process_id();
    if (options_.on_fault) FaultDelivery::give(options_.on_fault, report_of(fault));
    if (options_.on_fault && options_.file.empty()) return;
    const std::string text = options_.json ? json_of(fault) : text_of(fault);
    const std::lock_guard lock(writing_);
    if (!options_.file.empty()) {
        std::ofstream file(utf8_path(options_.file), std::ios::app | std::ios::binary);
        if (file << text << std::flush || options_.on_fault) return;
    }
    std::fputs(text.c_str(), stderr);
}

}  // namespace caldera::runtime
