// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "frontend/ast/ast.h"
#include "frontend/types/type.h"

using namespace caldera::frontend;

namespace {

struct Fixture {
    Arena arena;
    TypeTable types{arena};
    const Type* operator()(std::string_view name) {
        return types.builtin_name(name, {.standard = Standard::CL20});
    }
    QualType in(AddressSpace space, std::string_view name) { return {.type = (*this)(name), .space = space}; }
};

// A record whose fields have these types, laid out.
struct Record {
    RecordDecl decl = {};
    std::vector<FieldDecl> fields = {};
    std::vector<FieldDecl*> pointers = {};
    Record(Fixture& f, std::initializer_list<std::string_view> names) : fields(names.size()) {
        size_t i = 0;
        for (std::string_view name : names) fields[i++].type = {.type = f(name)};
        for (FieldDecl& field : fields) pointers.push_back(&field);
        decl.fields = pointers;
        decl.record_type = f.types.record(&decl);
    }
    uint64_t size() const { return decl.record_type->size_bytes; }
};

}  // namespace

TEST_CASE("the same type has the same address") {
    Fixture f;
    CHECK(f("float4") == f.types.vector(f("float"), 4));
    CHECK(f("float4") != f("float3"));
    CHECK(f.types.pointer({.type = f("int")}) == f.types.pointer({.type = f("int")}));
    CHECK(f.types.pointer({.type = f("int")}) != f.types.pointer({.type = f("int"), .is_const = true}));
    CHECK(f.types.array({.type = f("int")}, 3) != f.types.array({.type = f("int")}, 4));
    QualType params[] = {{.type = f("int")}};
    QualType other[] = {{.type = f("int")}};
    CHECK(f.types.function({.type = f("int")}, params, false) ==
          f.types.function({.type = f("int")}, other, false));
    CHECK(f.types.function({.type = f("int")}, params, true) !=
          f.types.function({.type = f("int")}, other, false));
}

TEST_CASE("1.1.1: names and sizes of built-in types") {
    Fixture f;
    CHECK(f("bool")->size_bytes == 1);
    CHECK(f("half")->size_bytes == 2);
    CHECK(f("long")->size_bytes == 8);
    CHECK(f("size_t") == f("ulong"));
    CHECK(f("ptrdiff_t") == f("long"));
    CHECK(f("uint3")->size_bytes == 16);  // OpenCL C 6.1.5
    CHECK(f("uint3")->align_bytes == 16);
    CHECK(f("uint3")->lanes() == 3);
    CHECK(f("double16")->size_bytes == 128);
    CHECK(f("image2d_array_depth_t")->image == ImageKind::Image2DArrayDepth);
    CHECK(f("atomic_int")->element.type == f("int"));
    for (auto name : {"float5", "float1", "bool2", "size_t4", "4", "", "floats", "image2d_t4", "float04"})
        CHECK(f(name) == nullptr);
    CHECK(f.types.builtin_name("atomic_int", {.standard = Standard::CL12}) == nullptr);
    CHECK(f.types.builtin_name("event_t", {.standard = Standard::CL12}) != nullptr);
    Features bare = {.standard = Standard::CL30, .device = {}};
    for (auto name : {"queue_t", "reserve_id_t", "atomic_long", "atomic_size_t"}) {
        CHECK(f.types.builtin_name(name, bare) == nullptr);
        CHECK(f.types.builtin_name(name, {.standard = Standard::CL30}) != nullptr);
    }
    CHECK(f.types.builtin_name("atomic_int", bare) != nullptr);
}

TEST_CASE("types print as clang prints them") {
    Fixture f;
    auto text = [&](const Type* type) { return to_string(type); };
    CHECK(text(f("float4")) == "float4");
    CHECK(text(f("uchar")) == "uchar");
    const Type* global_int = f.types.pointer(f.in(AddressSpace::Global, "int"));
    CHECK(text(global_int) == "__global int *");
    CHECK(text(f.types.pointer(f.in(AddressSpace::Global, "int").with_const())) == "const __global int *");
    CHECK(text(f.types.pointer({.type = f("int")})) == "__private int *");
    CHECK(text(f.types.pointer({.type = global_int})) == "__global int *__private *");
    CHECK(text(f.types.array({.type = f("int")}, 4)) == "int[4]");
    CHECK(text(f.types.array({.type = f.types.pointer({.type = f("int")})}, 3)) == "__private int *[3]");
    CHECK(text(f.types.pointer({.type = f.types.array({.type = f("int")}, 4)})) == "__private int (*)[4]");
    QualType params[] = {{.type = f("int")}, {.type = f("float")}};
    const Type* function = f.types.function({.type = f("int")}, params, false);
    CHECK(text(function) == "int (int, float)");
    CHECK(text(f.types.pointer({.type = function})) == "int (*)(int, float)");
    CHECK(text(f.types.function({.type = f("void")}, {}, false)) == "void (void)");
    CHECK(to_string(QualType{.type = f("image2d_t"), .access = Access::ReadOnly}) == "__read_only image2d_t");
    CHECK(to_string(QualType{.type = global_int, .is_const = true}) == "__global int *const");
    RecordDecl point = {};
    point.name = "point";
    CHECK(text(f.types.pointer({.type = f.types.record(&point), .space = AddressSpace::Local})) ==
          "__local struct point *");
}

TEST_CASE("records are laid out as C lays them out") {
    Fixture f;
    Record plain(f, {"char", "int", "char", "float3", "char"});
    lay_out(plain.decl);
    CHECK(plain.fields[1].offset_bytes == 4);
    CHECK(plain.fields[3].offset_bytes == 16);
    CHECK(plain.fields[4].offset_bytes == 32);
    CHECK(plain.size() == 48);
    CHECK(plain.decl.record_type->align_bytes == 16);
    CHECK(plain.decl.record_type->is_complete());

    Record packed(f, {"char", "int", "double"});
    packed.decl.is_packed = true;
    lay_out(packed.decl);
    CHECK(packed.fields[2].offset_bytes == 5);
    CHECK(packed.size() == 13);

    Record aligned(f, {"char", "char"});
    aligned.fields[1].align_bytes = 8;
    aligned.decl.align_bytes = 32;
    lay_out(aligned.decl);
    CHECK(aligned.fields[1].offset_bytes == 8);
    CHECK(aligned.size() == 32);

    Record overlay(f, {"char16", "double"});
    overlay.decl.is_union = true;
    lay_out(overlay.decl);
    CHECK(overlay.fields[1].offset_bytes == 0);
    CHECK(overlay.size() == 16);

    Record incomplete(f, {"int"});
    CHECK(!incomplete.decl.record_type->is_complete());
}

TEST_CASE("usual arithmetic conversions") {
    Fixture f;
    auto usual = [&](std::string_view a, std::string_view b, bool fits = false) {
        const Type* type = usual_arithmetic(f.types, f(a), f(b), false, fits);
        return type ? to_string(type) : "none";
    };
    CHECK(usual("char", "uchar") == "int");
    CHECK(usual("int", "uint") == "uint");
    CHECK(usual("uint", "long") == "long");
    CHECK(usual("ulong", "float") == "float");
    CHECK(usual("half", "float") == "float");
    CHECK(usual("half", "long") == "half");
    CHECK(usual("float4", "float4") == "float4");
    CHECK(usual("float4", "int4") == "none");
    CHECK(usual("float4", "long") == "float4");
    CHECK(usual("float4", "double") == "none");
    CHECK(usual("float4", "double", true) == "float4");
    CHECK(usual("char4", "int") == "none");
    CHECK(usual("char4", "int", true) == "char4");
    CHECK(to_string(f.types.comparison_result(f("double2"))) == "long2");
    CHECK(to_string(f.types.comparison_result(f("float"))) == "int");
}

TEST_CASE("compatible types") {
    Fixture f;
    QualType a = {.type = f.types.incomplete_array({.type = f("int")})};
    CHECK(compatible(a, {.type = f.types.array({.type = f("int")}, 2)}));
    CHECK(!compatible(a, {.type = f.types.array({.type = f("float")}, 2)}));
    CHECK(!compatible({.type = f.types.pointer(f.in(AddressSpace::Global, "int"))},
                      {.type = f.types.pointer(f.in(AddressSpace::Local, "int"))}));
    CHECK(space_converts(AddressSpace::Local, AddressSpace::Generic));
    CHECK(!space_converts(AddressSpace::Constant, AddressSpace::Generic));
    CHECK(!space_converts(AddressSpace::Generic, AddressSpace::Global));
    CHECK(space_converts(AddressSpace::GlobalDevice, AddressSpace::Global));
    CHECK(space_converts(AddressSpace::GlobalHost, AddressSpace::Generic));
    CHECK(!space_converts(AddressSpace::Global, AddressSpace::GlobalHost));
    CHECK(!space_converts(AddressSpace::GlobalHost, AddressSpace::GlobalDevice));
}

TEST_CASE("a type nested without end is still printed") {
    Fixture f;
    const Type* type = f("int");
    for (int i = 0; i < 20000; ++i) type = f.types.pointer({.type = type});
    CHECK(type->depth == 20000);
    CHECK(to_string(type) == "<deeply nested type>");
}
