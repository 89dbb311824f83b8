// SPDX-License-Identifier: Apache-2.0
// Attributes: which are known, on what, and with how many arguments (OpenCL C 6.11). What they mean is
// decided where what they stand on is checked.
#include <algorithm>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

constexpr uint8_t kFunction = kOnFunction, kVariable = kOnVariable, kParameter = kOnParameter,
                  kRecord = kOnRecord, kTypedef = kOnTypedef, kStatement = kOnStatement;
constexpr uint8_t kDeclaration = static_cast<uint8_t>(~kStatement);
constexpr uint32_t kAny = 16;

struct KnownAttribute {
    std::string_view name;
    uint8_t subjects;
    uint32_t most_args;
    enum Fault : uint8_t { Error, Warning, Declined } fault;
    std::string_view applies_to;
};

constexpr KnownAttribute kAttributes[] = {
#define ATTRIBUTE(name, subjects, most, fault, text) {name, subjects, most, KnownAttribute::fault, text},
#include "frontend/check/attributes.def"
#undef ATTRIBUTE
};

std::string no_more_than(uint32_t count) {
    if (count == 0) return "takes no arguments";
    return "takes no more than " + std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

}  // namespace

void Checker::attributes(std::span<Attribute> list, AttributeSubject subject) {
    for (const Attribute& attribute : list) {
        auto known = std::find_if(std::begin(kAttributes), std::end(kAttributes),
                                  [&](const KnownAttribute& row) { return row.name == attribute.name; });
        auto say = [&](bool is_error, auto... parts) {
            if (is_error)
                diags_.error(attribute.range, "'", attribute.name, "' attribute ", parts...);
            else
                diags_.warning(Warning::IgnoredAttributes, attribute.range, "'", attribute.name,
                               "' attribute ", parts...);
        };
        if (known == std::end(kAttributes)) {
            if (attribute.name == "kernel")
                say(false, "ignored");
            else
                diags_.warning(Warning::UnknownAttributes, attribute.range, "unknown attribute '",
                               attribute.name, "' ignored");
            continue;
        }
        if (attribute.name == "nosvm" && (known->subjects & subject)) old_nosvm(attribute);
        if (attribute.args.size() > known->most_args)
            say(true, no_more_than(known->most_args));
        else if (known->fault == KnownAttribute::Declined)
            say(true, "is not supported");
        else if (known->subjects & subject)
            continue;
        else if (subject == kOnStatement)
            say(true, "cannot be applied to a statement");
        else if (known->subjects == kOnStatement)
            say(true, "cannot be applied to a declaration");
        else
            say(known->fault == KnownAttribute::Error, "only applies to ", known->applies_to);
    }
}

bool knows_attribute(std::string_view name) {
    const auto* known = std::ranges::find(kAttributes, name, &KnownAttribute::name);
    return known != std::end(kAttributes) && known->fault != KnownAttribute::Declined && name != "unroll" &&
           name != "nounroll";
}

/// OpenCL C 2.0 6.7.2 defines it, 3.0 no longer does; it has no effect.
void Checker::old_nosvm(const Attribute& attribute) {
    if (!at_least(Standard::CL20))
        diags_.error(attribute.range, "attribute 'nosvm' is supported in the OpenCL version 2.0 onwards");
    else
        diags_.warning(Warning::IgnoredAttributes, attribute.range,
                       "'nosvm' attribute is deprecated and ignored in OpenCL version 2.0");
}

void Checker::attributes(const Specifiers& specifiers, const Declarator& declarator,
                         AttributeSubject subject) {
    attributes(specifiers.attributes, subject);
    attributes(declarator.attributes, subject);
    for (const DeclaratorChunk& chunk : declarator.chunks) attributes(chunk.attributes, subject);
}

/// packed belongs to the definition of a struct or a union (OpenCL C 6.11.1).
void Checker::ignored_packed(std::span<Attribute> attributes) {
    for (const Attribute& attribute : attributes)
        if (attribute.name == "packed")
            diags_.warning(Warning::IgnoredAttributes, attribute.range, "'packed' attribute ignored");
}

/// In `__attribute__((packed)) struct S {};`, an attribute before the keyword applies to variables, but none
/// are declared.
void Checker::attributes_of_no_type(const Specifiers& spec) {
    if (!spec.record && !spec.enumeration) return;
    const std::string_view word = spec.enumeration ? "enum" : spec.record->is_union ? "union" : "struct";
    for (const Attribute& attribute : spec.attributes)
        diags_.warning(Warning::IgnoredAttributes, attribute.range, "attribute '", attribute.name,
                       "' is ignored, place it after \"", word, "\" to apply attribute to type declaration");
}

}  // namespace caldera::frontend
