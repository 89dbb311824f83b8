// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools stop at the first fault. Here the faulty instruction is replaced by a valid one and the module
// is judged again, until nothing is refused:
// - a value becomes OpUndef, a type an empty struct; what has no result is taken out;
// - a capability that is missing is declared;
// - a function whose control flow is wrong becomes one block, so that its instructions are judged all the
// same. Whatever stands in for something else is tainted. A fault of an instruction that uses a tainted id
// may follow from the first, so that it is not reported; the instruction is replaced in the same way.
#include "spirv/faults.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "spirv/describe_faults.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/module_editor.h"
#include "spirv/newer_rules.h"
#include "spirv/validator.h"
#include "spirv/violations.h"

namespace caldera::spirv {
namespace {

struct Hint {
    std::string_view about;  // a part of the rule or of the message
    std::string_view text;
};
constexpr Hint kHints[] = {
#define HINT(about, text) {about, text},
#include "spirv/hints.def"
#undef HINT
};

/// What control flow allows of a function: it is simplified until SPIRV-Tools take it.
enum class Form : uint8_t { Whole, Straight, Empty, Removed };

class Finder {
 public:
    Finder(std::span<const uint32_t> words, std::optional<Target> target, size_t limit)
        : original_(words), target_(target), validator_(words, target), limit_(limit) {}

    Faults find();

 private:
    void judge();
    bool judge_header();
    void judge_bound();
    void add_violations();
    bool repair_words();
    bool refused(const Refusal& refusal);
    bool undefined_id(const std::string& message);
    bool missing_capability(EditedInstruction& inst, const std::string& message);
    bool is_known_consequence(const EditedInstruction& inst, const std::string& message) const;
    bool neutralise(EditedInstruction& inst);
    bool simplify(EditedInstruction& inst);
    void taint(Id id) {
        if (id) tainted_.insert(id);
    }
    void report(const EditedInstruction* inst, std::string message);
    bool is_void(Id type) const {
        return std::ranges::any_of(editor_->instructions(), [&](const EditedInstruction& inst) {
            return inst.result == type && inst.op() == spv::Op::OpTypeVoid;
        });
    }

    std::span<const uint32_t> original_;
    std::optional<Target> target_;
    Validator validator_;
    size_t limit_;
    std::optional<ModuleEditor> editor_ = {};
    Faults faults_ = {};
    IdSet tainted_ = {};
    std::set<std::pair<size_t, std::string>> reported_ = {};
    std::vector<Form> forms_ = {};
    std::set<std::string> removed_names_ = {};           // capabilities and extensions that were refused
    std::set<spv::Capability> tried_capabilities_ = {};  // declared in the place of missing ones
    bool lost_entry_point_ = false;
};

/// "Expected x: '12[%sum]'\n  %sum = ..." -> "Expected x: %sum", and the rule in brackets apart.
void tidy(std::string& message, std::string& rule) {
    message = message.substr(0, message.find("\n  "));
    while (!message.empty() && (message.back() == '\n' || message.back() == '.' || message.back() == ' '))
        message.pop_back();
    std::ranges::replace(message, '\n', ' ');
    if (message.starts_with("[VUID-")) {
        const size_t end = message.find(']');
        rule = message.substr(1, end - 1);
        message.erase(0, std::min(message.size(), message.find_first_not_of(' ', end + 1)));
    }
    std::string out;
    for (size_t i = 0; i < message.size();) {
        size_t digits = i + (message[i] == '\'' ? 1 : 0);
        const size_t quote = digits;
        while (digits < message.size() && std::isdigit(static_cast<unsigned char>(message[digits]))) ++digits;
        const size_t close = digits > quote && message.substr(digits, 2) == "[%" ? message.find(']', digits)
                                                                                 : std::string::npos;
        if (close == std::string::npos) {
            out += message[i++];
            continue;
        }
        out += message.substr(digits + 1, close - digits - 1);
        const bool is_genitive = quote != i && message.substr(close + 1, 3) == "'s ";
        i = close + 1 + (quote != i && !is_genitive ? 1 : 0);  // and the quote behind
    }
    message = std::move(out);
}

/// The words of a message: letters, digits and '_'.
std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
            ++end;
        if (end > i) words.push_back(text.substr(i, end - i));
        i = std::max(end, i + 1);
    }
    return words;
}

std::optional<spv::Capability> find_capability(std::string_view name) {
    if (name.empty() || !std::isupper(static_cast<unsigned char>(name[0]))) return std::nullopt;
    const Result<std::vector<uint32_t>> words =
        assemble("OpCapability " + std::string(name), Target::Vulkan13);
    if (!words || words->size() != 7) return std::nullopt;
    return static_cast<spv::Capability>((*words)[6]);
}

void Finder::report(const EditedInstruction* inst, std::string message) {
    const size_t ordinal = inst ? inst->ordinal : 0;
    Fault fault{.ordinal = ordinal};
    tidy(message, fault.rule);
    if (!reported_.emplace(ordinal, message).second) return;
    fault.message = std::move(message);
    for (const Hint& hint : kHints) {
        if (fault.rule.find(hint.about) == std::string::npos &&
            fault.message.find(hint.about) == std::string::npos)
            continue;
        fault.hint = hint.text;
        break;
    }
    faults_.found.push_back(std::move(fault));
}

/// The header's own faults, but for the bound. Returns whether the rest can be judged: SPIRV-Tools read no
/// instruction of a version that they do not know.
bool Finder::judge_header() {
    const std::span<const uint32_t> words = validator_.words();
    if (words.size() < 5 || words[0] != spv::MagicNumber) return true;  // SPIRV-Tools say so
    constexpr uint32_t kLatest = spv::Version, kUnused = 0xff0000ff;    // 0x00MMmm00
    const uint32_t version = words[1], schema = words[4];
    if (version < 0x00010000 || version > kLatest || (version & kUnused) != 0) {
        report(nullptr,
               "version " + std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff) +
                   ((version & 0xff) != 0 ? "." + std::to_string(version & 0xff) : "") + " is not known");
        faults_.is_complete = false;
        return false;
    }
    if (schema != 0) report(nullptr, "the schema is " + std::to_string(schema) + "; the only one is 0");
    return true;
}

/// One fault for a bound that is too low, and not one for each id above it.
void Finder::judge_bound() {
    std::string message;
    editor_->parse(editor_->write(), message);
    uint32_t highest = 0;
    for (const EditedInstruction& inst : editor_->instructions())
        for (const uint16_t at : inst.ids) highest = std::max(highest, inst.words[at]);
    for (const EditedInstruction& inst : editor_->instructions())
        highest = std::max(highest, inst.result.value);
    if (highest < editor_->bound() || highest + 1 >= kMostIds) return;
    report(nullptr, "the id bound is " + std::to_string(editor_->bound()) + ", and the highest id is " +
                        std::to_string(highest));
    editor_->set_bound(highest + 1);
}

/// Takes out what SPIRV-Tools cannot even read. Returns whether the rest can be judged.
bool Finder::repair_words() {
    for (size_t i = 0; i < limit_; ++i) {
        const std::vector<uint32_t> words = editor_->write();
        std::string message;
        EditedInstruction* inst = editor_->parse(words, message);
        if (message.empty()) return true;
        report(inst, message);
        if (!inst) return false;
        if (const InstructionGrammar* rule = grammar(inst->op()); rule && rule->has_result) {
            const size_t at = rule->has_type ? 2 : 1;
            if (at < inst->words.size()) inst->result = Id{inst->words[at]};
            taint(inst->result);
        }
        editor_->remove(*inst);
    }
    return false;
}

bool Finder::is_known_consequence(const EditedInstruction& inst, const std::string& message) const {
    if (inst.ordinal == 0 || inst.is_replaced) return true;
    if (inst.result && tainted_.contains(inst.result)) return true;
    if (std::ranges::any_of(inst.ids, [&](uint16_t at) { return tainted_.contains(Id{inst.words[at]}); }))
        return true;
    return std::ranges::any_of(
        words_of(message), [&](std::string_view word) { return removed_names_.contains(std::string(word)); });
}

/// "... requires one of these capabilities: Float64": it is declared, so that one fault is reported for all
/// that need it.
bool Finder::missing_capability(EditedInstruction& inst, const std::string& message) {
    const size_t requires_at = message.find("requires ");
    if (requires_at == std::string::npos || message.find("apabilit") == std::string::npos) return false;
    for (const std::string_view word : words_of(std::string_view(message).substr(requires_at))) {
        const std::optional<spv::Capability> capability = find_capability(word);
        if (!capability || tried_capabilities_.contains(*capability)) continue;
        if (!is_known_consequence(inst, message)) report(&inst, message);
        tried_capabilities_.insert(*capability);
        editor_->declare(*capability);
        return true;
    }
    return false;
}

/// A forward reference to an id that nothing defines: SPIRV-Tools name the id, not the instruction.
bool Finder::undefined_id(const std::string& message) {
    constexpr std::string_view kText = "The following forward referenced IDs have not been defined:";
    if (!message.starts_with(kText)) return false;
    std::map<uint32_t, std::string> ids;  // "12[%sum]", by the number
    for (size_t at = message.find("[%"); at != std::string::npos; at = message.find("[%", at + 1)) {
        size_t begin = at;
        while (begin > 0 && std::isdigit(static_cast<unsigned char>(message[begin - 1]))) --begin;
        uint32_t id = 0;
        std::from_chars(message.data() + begin, message.data() + at, id);
        ids[id] = message.substr(begin, message.find(']', at) + 1 - begin);
    }
    std::vector<size_t> users;
    for (EditedInstruction& inst : editor_->instructions()) {
        if (inst.is_removed) continue;
        const auto used =
            std::ranges::find_if(inst.ids, [&](uint16_t at) { return ids.contains(inst.words[at]); });
        if (used == inst.ids.end()) continue;
        if (!is_known_consequence(inst, message))
            report(&inst, "ID " + ids[inst.words[*used]] + " has not been defined");
        users.push_back(inst.ordinal);
    }
    bool has_changed = false;
    for (const size_t ordinal : users) {
        const auto inst = std::ranges::find_if(editor_->instructions(), [&](const EditedInstruction& each) {
            return each.ordinal == ordinal && !each.is_removed;
        });
        if (inst != editor_->instructions().end()) has_changed |= neutralise(*inst);
    }
    return has_changed;
}

/// Simplifies the function around an instruction that makes its form.
bool Finder::simplify(EditedInstruction& inst) {
    const size_t function = inst.function;
    Form& form = forms_[function];
    const bool is_signature = inst.op() == spv::Op::OpFunction || inst.op() == spv::Op::OpFunctionParameter;
    if (form == Form::Removed) return false;
    if (form == Form::Whole) {
        form = Form::Straight;
        editor_->make_straight(function);
    } else if (form == Form::Straight && !is_signature) {
        form = Form::Empty;
        editor_->make_empty(function);
    } else {
        form = Form::Removed;
        for (const EditedInstruction& each : editor_->instructions())
            if (each.function == function && each.op() == spv::Op::OpFunction) taint(each.result);
        editor_->remove_function(function);
    }
    return true;
}

/// Replaces a faulty instruction by what is valid. Returns false if nothing is left to try.
bool Finder::neutralise(EditedInstruction& inst) {
    const spv::Op op = inst.op();
    if (is_structure(op) && inst.function != 0) return simplify(inst);
    if (op == spv::Op::OpCapability || op == spv::Op::OpExtension) {
        if (op == spv::Op::OpCapability)
            removed_names_.emplace(capability_name(static_cast<spv::Capability>(inst.words[1])));
        else
            removed_names_.insert(string_of(inst));
        editor_->remove(inst);
        return true;
    }
    if (op == spv::Op::OpMemoryModel) return false;
    if (op == spv::Op::OpEntryPoint && !inst.is_replaced) {  // perhaps it is valid without what is tainted
        const size_t before = inst.words.size();
        for (size_t i = inst.ids.size(); i-- > 1;)
            if (tainted_.contains(Id{inst.words[inst.ids[i]]}))
                inst.words.erase(inst.words.begin() + inst.ids[i]);
        inst.words[0] = static_cast<uint32_t>(inst.words.size()) << 16 | static_cast<uint32_t>(op);
        inst.is_replaced = true;
        if (inst.words.size() != before) return true;
    }
    if (op == spv::Op::OpEntryPoint) lost_entry_point_ = true;
    if (is_annotation(op) || op == spv::Op::OpEntryPoint) {  // what it was about lacks something now
        if (!inst.ids.empty()) taint(Id{inst.words[inst.ids[0]]});
        editor_->remove(inst);
        return true;
    }
    taint(inst.result);
    if (is_type(op) && !inst.is_replaced)
        editor_->replace_by_struct(inst);
    else if (inst.result && inst.type && !inst.is_replaced && op != spv::Op::OpUndef && !is_void(inst.type))
        editor_->replace_by_undef(inst);
    else
        editor_->remove(inst);
    return true;
}

/// Returns whether the module has changed, so that judging it again makes sense.
bool Finder::refused(const Refusal& refusal) {
    if (undefined_id(refusal.message)) return true;
    EditedInstruction* inst = editor_->written(refusal.instruction);
    if (!inst) {
        const bool follows = lost_entry_point_ && refusal.message.find("OpEntryPoint") != std::string::npos;
        if (!follows) report(nullptr, refusal.message);
        return false;
    }
    if (inst->ordinal == 0 && inst->op() == spv::Op::OpCapability) {  // the environment forbids it
        editor_->remove(*inst);
        return true;
    }
    if (missing_capability(*inst, refusal.message)) return true;
    if (!is_known_consequence(*inst, refusal.message)) report(inst, refusal.message);
    return neutralise(*inst);
}

/// What SPIRV-Tools do not see, or did not get to.
void Finder::add_violations() {
    const Result<Module> module = read(original_);
    if (!module) return;
    std::vector<Violation> violated = violations(*module);
    if (violated.empty()) violated = newer_violations(*module, target_);
    if (violated.empty()) return;
    if (!editor_) {
        editor_.emplace(validator_.words());
        std::string message;
        editor_->parse(editor_->write(), message);
    }
    for (const Violation& violation : violated) {
        const auto inst = std::ranges::find_if(editor_->instructions(), [&](const EditedInstruction& each) {
            return violation.about && each.ordinal != 0 && each.result == violation.about;
        });
        const bool is_found = inst != editor_->instructions().end();
        const bool is_reported = std::ranges::any_of(
            faults_.found, [&](const Fault& fault) { return is_found && fault.ordinal == inst->ordinal; });
        if (!is_reported) report(is_found ? &*inst : nullptr, violation.message);
    }
}

void Finder::judge() {
    editor_.emplace(validator_.words());
    forms_.resize(editor_->instructions().size() + 1);
    if (!editor_->cut().empty()) report(nullptr, editor_->cut());
    if (!repair_words()) {
        faults_.is_complete = false;
        return;
    }
    judge_bound();
    // A fault of control flow costs three steps, and one step follows each value that is replaced.
    const size_t most_steps = 8 * limit_ + 64;
    for (size_t step = 0;; ++step) {
        const std::vector<uint32_t> words = editor_->write();
        std::string message;
        editor_->parse(words, message);
        const std::optional<Refusal> refusal = validator_.refusal(words, true);
        if (!refusal) return;
        if (step == most_steps || faults_.found.size() >= limit_ || !refused(*refusal)) break;
    }
    faults_.is_complete = false;
}

Faults Finder::find() {
    if (!judge_header()) return std::move(faults_);
    const size_t of_header = faults_.found.size();
    if (validator_.refusal(validator_.words())) judge();
    if (faults_.found.size() == of_header || !faults_.is_complete) add_violations();
    if (const auto& unfit = validator_.unfit())
        faults_.found.insert(faults_.found.begin(),
                             {.message = unfit->message, .ordinal = unfit->instruction});
    if (faults_.found.empty()) return {};
    const std::span<const uint32_t> judged = validator_.words();
    describe(faults_.found, judged, judged.data() == original_.data());
    return std::move(faults_);
}

}  // namespace

Faults find_faults(std::span<const uint32_t> words, std::optional<Target> target, size_t limit) {
    return Finder(words, target, limit).find();
}

}  // namespace caldera::spirv
