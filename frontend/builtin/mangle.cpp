// SPDX-License-Identifier: Apache-2.0
// Itanium C++ ABI 5.1, as far as OpenCL C functions go, with clang's spelling of address spaces for spir64.
#include <unordered_map>

#include "frontend/ast/ast.h"
#include "frontend/builtin/builtin.h"

namespace caldera::frontend::builtin {

namespace {

// An entry of clang's substitution table: a type, or a type with qualifiers. A pointee in private memory
// counts as qualified, although its mangling has no qualifier: "_Z3fooPiS0_", where S_ is the private int.
struct Entry {
    QualType type;
    bool qualified;
    bool operator==(const Entry&) const = default;
};

class Mangler {
 public:
    std::string function(std::string_view name, std::span<const QualType> params,
                         std::string_view enable_key) {
        out_ = "_Z" + std::to_string(name.size()) + std::string(name);
        if (!enable_key.empty()) out_ += "Ua9enable_ifI" + std::string(enable_key) + 'E';
        if (params.empty()) out_ += 'v';
        for (const QualType& param : params) type({.type = param.type, .access = param.access});
        return std::move(out_);
    }

 private:
    void type(const QualType& t) {
        Entry entry = {t, false};
        if (is_builtin_scalar(*t.type)) {
            out_ += scalar_code(t->kind);
        } else if (!substitute(entry)) {
            composite(t);
            entries_.push_back(entry);
        }
    }

    // A pointee, with its qualifiers: vendor ones first, then volatile, then const.
    void pointee(QualType t) {
        if (t->is_function()) return type(t.unqualified());
        if (t->is_array()) return array_pointee(t);
        Entry entry = {t, true};
        if (substitute(entry)) return;
        if (t.space != AddressSpace::Private) out_ += space_code(t.space);
        if (t.is_restrict) out_ += 'r';
        if (t.is_volatile) out_ += 'V';
        if (t.is_const) out_ += 'K';
        type({.type = t.type, .access = t.access});
        entries_.push_back(entry);
    }

    // Qualifiers of an array are those of its elements.
    void array_pointee(const QualType& t) {
        Entry entry = {t, true};
        if (substitute(entry)) return;
        out_ += 'A' + (t->incomplete_array ? "" : std::to_string(t->count)) + '_';
        QualType element = t->element;
        element.is_const |= t.is_const;
        element.is_volatile |= t.is_volatile;
        element.space = t.space;
        pointee(element);
        entries_.push_back(entry);
    }

    void composite(const QualType& t) {
        switch (t->kind) {
            case TypeKind::Vector:
                out_ += "Dv" + std::to_string(t->count) + "_";
                return type({.type = t->element.type});
            case TypeKind::Pointer: out_ += 'P'; return pointee(t->element);
            case TypeKind::Array: out_ += 'P'; return pointee(t->element);  // a parameter decays
            case TypeKind::Atomic: out_ += "U7_Atomic"; return type({.type = t->element.type});
            case TypeKind::Function: return function_type(*t.type);
            case TypeKind::BlockPointer: out_ += "U13block_pointer"; return function_type(*t.type);
            case TypeKind::Record: return named(t->record->name);
            case TypeKind::Enum: return named(t->enum_decl->name);
            case TypeKind::Image: return named(image_code(t));
            case TypeKind::Sampler: return named("ocl_sampler");
            case TypeKind::Event: return named("ocl_event");
            case TypeKind::Queue: return named("ocl_queue");
            case TypeKind::ClkEvent: return named("ocl_clkevent");
            case TypeKind::ReserveId: return named("ocl_reserveid");
            case TypeKind::NDRange: return named("ndrange_t");
            case TypeKind::Float8E4M3: return named("__fp8_e4m3");
            case TypeKind::Float8E5M2: return named("__fp8_e5m2");
            case TypeKind::Pipe: return named("ocl_pipe");
            case TypeKind::Matrix: return matrix(*t.type);
            default: return;
        }
    }

    /// A vendor's qualifier of the component, as for other types that the ABI does not name.
    void matrix(const Type& t) {
        const std::string text = "coop_mat" + std::to_string(t.count) + "x" + std::to_string(t.columns) +
                                 "_" + std::to_string(static_cast<int>(t.use));
        out_ += 'U';
        named(text);
        type({.type = t.element.type});
    }

    void function_type(const Type& t) {
        out_ += 'F';
        type(t.element.unqualified());
        if (t.params.empty() && !t.variadic) out_ += 'v';
        for (const QualType& param : t.params) type({.type = param.type, .access = param.access});
        if (t.variadic) out_ += 'z';
        out_ += 'E';
    }

    void named(std::string_view name) { out_ += std::to_string(name.size()) + std::string(name); }

    static std::string image_code(const QualType& t) {
        std::string name = "ocl_" + std::string(image_name(t->image));
        name.erase(name.size() - 2);  // "_t"
        switch (t.access) {
            case Access::WriteOnly: return name + "_wo";
            case Access::ReadWrite: return name + "_rw";
            default: return name + "_ro";
        }
    }

    static bool is_builtin_scalar(const Type& t) {
        return t.kind <= TypeKind::Double && t.kind != TypeKind::Float8E4M3 && t.kind != TypeKind::Float8E5M2;
    }

    static std::string_view scalar_code(TypeKind kind) {
        switch (kind) {
            case TypeKind::Void: return "v";
            case TypeKind::Bool: return "b";
            case TypeKind::Char: return "c";
            case TypeKind::UChar: return "h";
            case TypeKind::Short: return "s";
            case TypeKind::UShort: return "t";
            case TypeKind::Int: return "i";
            case TypeKind::UInt: return "j";
            case TypeKind::Long: return "l";
            case TypeKind::ULong: return "m";
            case TypeKind::BFloat16: return "DF16b";
            case TypeKind::Half: return "Dh";
            case TypeKind::Float: return "f";
            case TypeKind::Double: return "d";
            default: return "";
        }
    }

    static std::string_view space_code(AddressSpace space) {
        switch (space) {
            case AddressSpace::Private: return "";
            case AddressSpace::Global: return "U3AS1";
            case AddressSpace::Constant: return "U3AS2";
            case AddressSpace::Local: return "U3AS3";
            case AddressSpace::Generic: return "U3AS4";
            case AddressSpace::GlobalDevice: return "U3AS5";
            case AddressSpace::GlobalHost: return "U3AS6";
        }
        return "";
    }

    // S_, S0_, ... S9_, SA_, ... (base 36)
    bool substitute(const Entry& entry) {
        for (size_t i = 0; i < entries_.size(); ++i) {
            if (!(entries_[i] == entry)) continue;
            out_ += 'S';
            if (i > 0) out_ += base36(i - 1);
            out_ += '_';
            return true;
        }
        return false;
    }

    static std::string base36(size_t value) {
        std::string digits;
        do {
            digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % 36]);
            value /= 36;
        } while (value > 0);
        return digits;
    }

    std::string out_ = {};
    std::vector<Entry> entries_ = {};
};

}  // namespace

std::string mangle(std::string_view name, std::span<const QualType> params, std::string_view enable_key) {
    return Mangler().function(name, params, enable_key);
}

}  // namespace caldera::frontend::builtin
