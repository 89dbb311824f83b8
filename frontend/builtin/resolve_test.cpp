// SPDX-License-Identifier: Apache-2.0
// Overload resolution against what clang 15 chose for the same calls, and every function of the
// specification's tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "frontend/ast/ast.h"
#include "frontend/builtin/builtin.h"
#include "frontend/builtin/table.h"

using namespace caldera::frontend;
using namespace caldera::frontend::builtin;

namespace {

struct Fixture {
    Arena arena;
    TypeTable types{arena};
    Features features = {};

    // "const global float *", "float4", "zero" (a null constant)
    QualType type(std::string_view text) {
        std::istringstream words{std::string(text)};
        QualType base;
        std::string word;
        bool pointer = !text.empty() && text.back() == '*';
        if (pointer) words.str(std::string(text.substr(0, text.size() - 1)));
        while (words >> word) {
            if (word == "const")
                base.is_const = true;
            else if (word == "volatile")
                base.is_volatile = true;
            else if (word == "global")
                base.space = AddressSpace::Global;
            else if (word == "local")
                base.space = AddressSpace::Local;
            else if (word == "constant")
                base.space = AddressSpace::Constant;
            else if (word == "generic")
                base.space = AddressSpace::Generic;
            else if (word != "private")
                base.type = word == "zero" ? types.scalar(TypeKind::Int)
                                           : types.builtin_name(word, {.standard = Standard::CL20});
        }
        REQUIRE_MESSAGE(base.type != nullptr, text);
        return pointer ? QualType{.type = types.pointer(base)} : base;
    }

    std::variant<const Resolution*, Mismatch> call(std::string_view name, std::string_view args) {
        std::vector<QualType> qual_types;
        std::vector<char> nulls;
        std::istringstream list{std::string(args)};
        std::string arg;
        while (std::getline(list, arg, ',')) {
            arg.erase(0, arg.find_first_not_of(' '));
            qual_types.push_back(type(arg));
            nulls.push_back(arg == "zero");
        }
        bool flags[16] = {};
        std::copy(nulls.begin(), nulls.end(), flags);
        return resolve(name, qual_types, std::span(flags, nulls.size()), features, types, arena);
    }

    std::string mangled(std::string_view name, std::string_view args) {
        auto result = call(name, args);
        if (auto* found = std::get_if<const Resolution*>(&result)) return std::string((*found)->mangled);
        return std::get<Mismatch>(result).ambiguous ? "ambiguous" : "none";
    }
};

struct Call {
    std::string_view name, args, result;
};

// What clang-15 -cl-std=CL1.2 -target spir64 with its OpenCL header does with these.
constexpr Call kClang12[] = {
    {"sqrt", "int", "ambiguous"},
    {"sqrt", "int", "ambiguous"},
    {"sqrt", "char", "ambiguous"},
    {"sqrt", "double", "_Z4sqrtd"},
    {"pow", "float, int", "_Z3powff"},
    {"pow", "float, double", "ambiguous"},
    {"pow", "float4, float", "_Z3powDv4_fS_"},
    {"pow", "float4, int", "_Z3powDv4_fS_"},
    {"pow", "float4, double", "_Z3powDv4_fS_"},
    {"fmax", "float4, int", "_Z4fmaxDv4_ff"},
    {"fmax", "float4, double", "_Z4fmaxDv4_ff"},
    {"fmax", "float4, float", "_Z4fmaxDv4_ff"},
    {"fmax", "float, int", "_Z4fmaxff"},
    {"clamp", "float, int, int", "ambiguous"},
    {"clamp", "float4, double, double", "_Z5clampDv4_fff"},
    {"clamp", "int, int, uint", "ambiguous"},
    {"min", "int, uint", "ambiguous"},
    {"min", "char, short", "ambiguous"},
    {"max", "int, long", "ambiguous"},
    {"abs", "char", "_Z3absc"},
    {"abs", "int", "_Z3absi"},
    {"abs", "float", "ambiguous"},
    {"abs", "bool", "_Z3absi"},
    {"vload4", "int, global int*", "_Z6vload4mPU3AS1Ki"},
    {"vload4", "int, const global int*", "_Z6vload4mPU3AS1Ki"},
    {"vload4", "int, global void*", "ambiguous"},
    {"vload4", "int, private float*", "_Z6vload4mPKf"},
    {"vload4", "int, local int*", "_Z6vload4mPU3AS3Ki"},
    {"atomic_add", "global int*, uint", "_Z10atomic_addPU3AS1Vii"},
    {"atomic_add", "global uint*, int", "_Z10atomic_addPU3AS1Vjj"},
    {"atomic_add", "volatile global int*, int", "_Z10atomic_addPU3AS1Vii"},
    {"atomic_add", "private int*, int", "none"},
    {"atomic_add", "local int*, int", "_Z10atomic_addPU3AS3Vii"},
    {"atomic_xchg", "global float*, float", "_Z11atomic_xchgPU3AS1Vff"},
    {"atomic_xchg", "global float*, int", "_Z11atomic_xchgPU3AS1Vff"},
    {"atomic_inc", "global float*", "ambiguous"},
    {"select", "float4, float4, uint4", "_Z6selectDv4_fS_Dv4_j"},
    {"select", "float, float, int", "_Z6selectffi"},
    {"select", "float, float, uint", "_Z6selectffj"},
    {"select", "int, int, int", "_Z6selectiii"},
    {"select", "float4, float4, int", "ambiguous"},
    {"select", "float, float, int", "_Z6selectffi"},
    {"mad24", "int, int, uint", "ambiguous"},
    {"mad24", "char, char, char", "_Z5mad24iii"},
    {"mul24", "short, short", "_Z5mul24ii"},
    {"mul_hi", "short, int", "ambiguous"},
    {"isequal", "float, int", "_Z7isequalff"},
    {"isequal", "float, double", "ambiguous"},
    {"any", "int", "_Z3anyi"},
    {"any", "float", "ambiguous"},
    {"all", "int4", "_Z3allDv4_i"},
    {"any", "int4", "_Z3anyDv4_i"},
    {"dot", "float4, float", "_Z3dotDv4_fS_"},
    {"length", "int", "ambiguous"},
    {"cross", "float4, float4", "_Z5crossDv4_fS_"},
    {"frexp", "float, private uint*", "_Z5frexpfPi"},
    {"frexp", "float, private int*", "_Z5frexpfPi"},
    {"frexp", "float4, private int4*", "_Z5frexpDv4_fPDv4_i"},
    {"get_global_id", "int", "_Z13get_global_idj"},
    {"get_global_id", "float", "_Z13get_global_idj"},
    {"get_global_id", "float4", "_Z13get_global_idj"},
    {"barrier", "int", "_Z7barrierj"},
    {"convert_int", "float", "_Z11convert_intf"},
    {"convert_int4", "float", "ambiguous"},
    {"convert_int4", "float4", "_Z12convert_int4Dv4_f"},
    {"convert_float4", "int4", "_Z14convert_float4Dv4_i"},
    {"convert_int", "float4", "none"},
    {"mix", "float4, float4, double", "_Z3mixDv4_fS_f"},
    {"mix", "float4, float4, float", "_Z3mixDv4_fS_f"},
    {"mix", "float, float, double", "ambiguous"},
    {"smoothstep", "float, float, float4", "_Z10smoothstepffDv4_f"},
    {"step", "float, float4", "_Z4stepfDv4_f"},
    {"native_sin", "int", "_Z10native_sinf"},
    {"native_sin", "double", "_Z10native_sinf"},
    {"half_sqrt", "double", "_Z9half_sqrtf"},
    {"native_sin", "double", "_Z10native_sinf"},
    {"ldexp", "float4, int", "_Z5ldexpDv4_fi"},
    {"ldexp", "float, uint", "_Z5ldexpfi"},
    {"pown", "float, int", "_Z4pownfi"},
    {"pown", "float4, int", "_Z4pownDv4_fDv4_i"},
    {"nan", "int", "ambiguous"},
    {"nan", "uint", "_Z3nanj"},
    {"upsample", "char, uchar", "_Z8upsamplech"},
    {"upsample", "char, char", "_Z8upsamplech"},
    {"rotate", "uint, int", "ambiguous"},
    {"rotate", "uint4, int", "_Z6rotateDv4_jS_"},
    {"hadd", "ushort, int", "ambiguous"},
    {"popcount", "int", "_Z8popcounti"},
    {"clz", "char", "_Z3clzc"},
    {"bitselect", "float, float, float", "_Z9bitselectfff"},
    {"bitselect", "float, float, uint", "ambiguous"},
    {"shuffle", "float4, uint4", "_Z7shuffleDv4_fDv4_j"},
    {"shuffle", "float4, int4", "none"},
    {"async_work_group_copy", "local int*, global int*, int, zero",
     "_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event"},
    {"async_work_group_copy", "local int*, global int*, int, event_t",
     "_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event"},
    {"wait_group_events", "int, private event_t*", "_Z17wait_group_eventsiP9ocl_event"},
    {"prefetch", "global int*, int", "_Z8prefetchPU3AS1Kim"},
    {"sincos", "float, private float*", "_Z6sincosfPf"},
    {"sincos", "double, private float*", "_Z6sincosfPf"},
    {"atan2", "int, float", "_Z5atan2ff"},
    {"fma", "float, float, int", "_Z3fmafff"},
    {"fma", "float, float, double", "ambiguous"},
    {"fma", "float4, float, float4", "_Z3fmaDv4_fS_S_"},
    {"max", "half, float", "ambiguous"},
    {"sqrt", "half", "_Z4sqrtDh"},
    {"fabs", "half", "_Z4fabsDh"},
    {"sign", "float", "_Z4signf"},
    {"isnan", "int", "ambiguous"},
    {"rsqrt", "uint", "ambiguous"},
    {"degrees", "int", "ambiguous"},
    {"max", "char, int", "ambiguous"},
    {"max", "uchar, int", "ambiguous"},
    {"max", "ushort, ushort", "_Z3maxtt"},
    {"max", "float4, int", "_Z3maxDv4_ff"},
    {"max", "int4, int", "_Z3maxDv4_ii"},
    {"max", "uint4, int", "_Z3maxDv4_jj"},
    {"min", "int4, uint", "_Z3minDv4_ii"},
    {"clamp", "int4, int, int", "_Z5clampDv4_iii"},
    {"clamp", "int4, int4, int", "_Z5clampDv4_iS_S_"},
    {"clamp", "uint4, int, int", "_Z5clampDv4_jjj"},
    {"vload_half", "ulong, global half*", "_Z10vload_halfmPU3AS1KDh"},
    {"vstore_half4_rtz", "double4, int, global half*", "_Z16vstore_half4_rtzDv4_dmPU3AS1Dh"},
    {"vstore_half", "float, int, global half*", "_Z11vstore_halffmPU3AS1Dh"},
    {"atom_add", "global int*, int", "_Z8atom_addPU3AS1Vii"},
    {"atom_add", "global long*, int", "_Z8atom_addPU3AS1Vll"},
    {"popcount", "float", "ambiguous"},
    {"dot", "double4, double4", "_Z3dotDv4_dS_"},
    {"dot", "half, half", "_Z3dotDhDh"},
    {"cross", "float4, float", "_Z5crossDv4_fS_"},
    {"convert_half", "float", "_Z12convert_halff"},
    {"isfinite", "half", "_Z8isfiniteDh"},
    {"fract", "float4, private float4*", "_Z5fractDv4_fPS_"},
    {"remquo", "float4, float4, private int4*", "_Z6remquoDv4_fS_PDv4_i"},
    {"lgamma_r", "float4, private int4*", "_Z8lgamma_rDv4_fPDv4_i"},
    {"shuffle2", "float4, float4, uint8", "_Z8shuffle2Dv4_fS_Dv8_j"},
    {"read_imagef", "image2d_t, int, int2", "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i"},
    {"read_imagef", "image2d_t, sampler_t, float2", "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f"},
    {"read_imagef", "image2d_t, int2", "_Z11read_imagef14ocl_image2d_roDv2_i"},
    {"get_image_dim", "image2d_t", "_Z13get_image_dim14ocl_image2d_ro"},
    {"async_work_group_copy", "local float4*, global float4*, int, event_t",
     "_Z21async_work_group_copyPU3AS3Dv4_fPU3AS1KS_m9ocl_event"},
};

// The same with -cl-std=CL2.0.
constexpr Call kClang20[] = {
    {"fract", "float, private float*", "_Z5fractfPU3AS4f"},
    {"frexp", "float, local int*", "_Z5frexpfPU3AS4i"},
    {"fract", "float, generic float*", "_Z5fractfPU3AS4f"},
    {"vload4", "int, constant float*", "_Z6vload4mPU3AS2Kf"},
    {"vload4", "int, global float*", "_Z6vload4mPU3AS4Kf"},
    {"atomic_add", "global int*, int", "_Z10atomic_addPU3AS1Vii"},
    {"atomic_add", "generic int*, int", "none"},
    {"wait_group_events", "int, private event_t*", "_Z17wait_group_eventsiPU3AS49ocl_event"},
    {"work_group_barrier", "int", "_Z18work_group_barrierj"},
    {"vstore4", "float4, int, global float*", "_Z7vstore4Dv4_fmPU3AS4f"},
    {"vload_half", "int, global half*", "_Z10vload_halfmPU3AS4KDh"},
    {"get_global_linear_id", "", "_Z20get_global_linear_idv"},
    {"ctz", "int", "_Z3ctzi"},
    {"atomic_fetch_add", "global atomic_int*, int", "_Z16atomic_fetch_addPU3AS4VU7_Atomicii"},
    {"atomic_load", "local atomic_float*", "_Z11atomic_loadPU3AS4VU7_Atomicf"},
};

}  // namespace

TEST_CASE("1.13: calls resolve as clang resolves them") {
    Fixture f;
    for (const Call& call : kClang12) {
        CAPTURE(call.name);
        CAPTURE(call.args);
        CHECK(f.mangled(call.name, call.args) == call.result);
    }
    f.features.standard = Standard::CL20;
    for (const Call& call : kClang20) {
        CAPTURE(call.name);
        CAPTURE(call.args);
        CHECK(f.mangled(call.name, call.args) == call.result);
    }
}

TEST_CASE("every name of the tables of 6.13.1 to 6.13.13 and of OpenCL C 1.2 is a built-in") {
    constexpr std::string_view kNames =
        "get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id "
        "get_num_groups "
        "get_group_id get_global_offset get_global_linear_id get_local_linear_id "
        "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh "
        "cospi erfc erf "
        "exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma "
        "lgamma_r log log2 "
        "log10 log1p logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn "
        "round rsqrt sin "
        "sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc half_cos half_divide half_exp half_exp2 "
        "half_exp10 half_log "
        "half_log2 half_log10 half_powr half_recip half_rsqrt half_sin half_sqrt half_tan native_cos "
        "native_divide "
        "native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_powr native_recip "
        "native_rsqrt "
        "native_sin native_sqrt native_tan "
        "abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min mul_hi rotate sub_sat upsample "
        "popcount "
        "mad24 mul24 degrees mix radians step smoothstep sign "
        "cross dot distance length normalize fast_distance fast_length fast_normalize "
        "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan "
        "isnormal "
        "isordered isunordered signbit any all bitselect select "
        "vload2 vload3 vload4 vload8 vload16 vstore2 vstore3 vstore4 vstore8 vstore16 vload_half vload_half2 "
        "vload_half3 "
        "vload_half16 vloada_half vstorea_half_rtn vloada_half2 vloada_half16 vstore_half vstore_half_rte "
        "vstore_half3_rtz "
        "vstore_half16_rtp "
        "vstorea_half2 vstorea_half4_rtn work_group_barrier barrier mem_fence read_mem_fence write_mem_fence "
        "to_global to_local to_private get_fence async_work_group_copy async_work_group_strided_copy "
        "wait_group_events "
        "prefetch atomic_init atomic_work_item_fence atomic_store atomic_store_explicit atomic_load "
        "atomic_load_explicit "
        "atomic_exchange atomic_exchange_explicit atomic_compare_exchange_strong "
        "atomic_compare_exchange_strong_explicit "
        "atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit atomic_fetch_add "
        "atomic_fetch_sub_explicit "
        "atomic_fetch_or atomic_fetch_xor atomic_fetch_and atomic_fetch_min_explicit atomic_fetch_max "
        "atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_flag_clear "
        "atomic_flag_clear_explicit "
        "atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max "
        "atomic_and "
        "atomic_or atomic_xor atom_add atom_sub atom_xchg atom_inc atom_dec atom_cmpxchg atom_min atom_max "
        "atom_and "
        "atom_or atom_xor shuffle shuffle2 printf work_group_all work_group_any work_group_broadcast "
        "work_group_reduce_add work_group_scan_exclusive_min work_group_scan_inclusive_max "
        "convert_int convert_uchar16_sat_rtz convert_float3_rtp convert_double2 convert_half as_int "
        "as_float4 as_size_t";
    Features all = {.standard = Standard::CL20};
    std::istringstream names{std::string(kNames)};
    for (std::string name; names >> name;) CHECK_MESSAGE(is_builtin(name, all), name);
    for (auto name :
         {"vload5", "vload", "vstore", "convert_float_sat", "convert_bool", "convert_size_t", "convert_int5",
          "as_bool", "as_size_t2", "vload4_rte", "convert_", "as_", "sine", "vload#", "vstore_half_rt"})
        CHECK_MESSAGE(!is_builtin(name, all), std::string(name));
    CHECK(!is_builtin("ctz", {}));  // OpenCL C 2.0
    CHECK(!is_builtin("convert_double", {.device = {}}));
}

TEST_CASE("every row of builtins.def parses and its own parameter types choose it") {
    Fixture f;
    f.features = {.standard = Standard::CL30, .device = ExtSet::all().set(Ext::GenericAddressSpace, false)};
    std::set<std::string> seen;
    for (const Row& row : all_rows()) {
        CAPTURE(row.name);
        Signature signature = parse_signature(row.signature);
        if (row.name.ends_with('_') || row.name.starts_with("to_") || row.name == "get_fence") continue;
        if (signature.params[0].spaces == kGeneric) continue;
        auto is_pointee = [](const TypeSpec& spec) { return spec.base == Base::Pointee; };
        if (std::ranges::any_of(signature.params, is_pointee)) continue;  // of any type: none of its own
        std::string name(row.name);
        Binding binding = {.lanes = 1, .second_lanes = 2, .name_lanes = 1};
        if (name.ends_with('#')) {
            name.replace(name.size() - 1, 1, "4");
            binding.name_lanes = 4;
        }
        auto elements = signature.family ? signature.family->elements : std::span<const TypeKind>();
        auto lanes = signature.family ? signature.family->lanes : std::span<const uint8_t>();
        for (size_t e = 0; e < std::max<size_t>(elements.size(), 1); ++e) {
            for (size_t l = 0; l < std::max<size_t>(lanes.size(), 1); ++l) {
                if (signature.family) binding.element = elements[e], binding.lanes = lanes[l];
                std::vector<QualType> args;
                for (size_t i = 0; i < signature.count; ++i) {
                    const TypeSpec& spec = signature.params[i];
                    int space = 0;
                    while (spec.is_pointer && (allowed_spaces(spec, f.features) & (1 << space)) == 0) ++space;
                    int access = 0;
                    while (spec.access != 0 && (spec.access & (1 << access)) == 0) ++access;
                    args.push_back(make_type(spec, binding, static_cast<AddressSpace>(space),
                                             static_cast<Access>(access), f.types));
                }
                auto result = resolve(name, args, {}, f.features, f.types, f.arena);
                auto* found = std::get_if<const Resolution*>(&result);
                REQUIRE_MESSAGE(found, name, " of ", to_string(args.empty() ? QualType{} : args[0]));
                CHECK((*found)->row == &row);
                CHECK(std::ranges::equal((*found)->params, args));
                CHECK_MESSAGE(seen.insert(std::string((*found)->mangled)).second, (*found)->mangled);
                const bool has_name_alone =  // not of types that a kernel declares
                    std::ranges::none_of(args,
                                         [](const QualType& arg) { return arg->kind == TypeKind::Pipe; });
                const auto read = demangle((*found)->mangled, f.types);
                REQUIRE_MESSAGE(read.has_value() == has_name_alone, (*found)->mangled);
                if (!read) continue;
                CHECK_MESSAGE(read->name == name, (*found)->mangled);
                CHECK_MESSAGE(std::ranges::equal(read->params, args), (*found)->mangled);
            }
        }
    }
}

TEST_CASE("results, rounding and saturation") {
    Fixture f;
    auto result = [&](std::string_view name, std::string_view args) {
        auto found = f.call(name, args);
        REQUIRE_MESSAGE(std::holds_alternative<const Resolution*>(found), name);
        return to_string(std::get<const Resolution*>(found)->result);
    };
    CHECK(result("abs", "int4") == "uint4");
    CHECK(result("upsample", "char3, uchar3") == "short3");
    CHECK(result("isequal", "double2, double2") == "long2");
    CHECK(result("isequal", "double, double") == "int");
    CHECK(result("isequal", "half4, half4") == "short4");
    CHECK(result("dot", "float3, float3") == "float");
    CHECK(result("vload3", "ulong, global short*") == "short3");
    CHECK(result("nan", "ulong4") == "double4");
    CHECK(result("ilogb", "double8") == "int8");
    CHECK(result("shuffle", "float4, uint16") == "float16");
    CHECK(result("as_float3", "int4") == "float3");
    f.features = {.standard = Standard::CL20};
    CHECK(result("to_global", "private int*") == "__global int *");
    auto convert = std::get<const Resolution*>(f.call("convert_uchar4_sat_rtn", "float4"));
    CHECK(convert->saturate);
    CHECK(convert->rounding == 3);
    CHECK(to_string(convert->result) == "uchar4");
    CHECK(convert->row->lowering == Lowering::Convert);
}

TEST_CASE("what does not fit is explained") {
    Fixture f;
    auto mismatch = std::get<Mismatch>(f.call("fma", "float, float"));
    REQUIRE(mismatch.candidates.size() == 1);
    CHECK(mismatch.candidates[0].signature == "float fma(float, float, float)");
    CHECK(mismatch.candidates[0].reason == "requires 3 arguments, but 2 were provided");
    auto other = std::get<Mismatch>(f.call("fma", "float, float, global int*"));
    CHECK(other.candidates[0].reason ==
          "no known conversion from '__global int *' to 'float' for 3rd argument");
    CHECK(std::get<Mismatch>(f.call("as_int", "double")).message ==
          "invalid reinterpretation: sizes of 'int' and 'double' must match");
    CHECK(std::get<Mismatch>(f.call("as_char", "bool")).message ==
          "invalid reinterpretation: 'bool' as 'char', because 'bool' has no specified bits");
    CHECK(std::get<Mismatch>(f.call("get_global_id", "")).message ==
          "too few arguments to function call, expected 1, have 0");
    CHECK(nearest("get_globl_id", {}) == "get_global_id");
    CHECK(nearest("sprt", {}) == "sqrt");
    CHECK(nearest("completely_else", {}).empty());
}

TEST_CASE("mangling of user functions") {
    Fixture f;
    auto mangled = [&](std::initializer_list<std::string_view> names) {
        std::vector<QualType> params;
        for (auto name : names) params.push_back(f.type(name));
        return mangle("foo", params);
    };
    CHECK(mangled({}) == "_Z3foov");
    CHECK(mangled({"private int*", "private int*"}) == "_Z3fooPiS0_");
    CHECK(mangled({"global int*", "global int*"}) == "_Z3fooPU3AS1iS0_");
    CHECK(mangled({"const volatile global int*", "global int*", "int"}) == "_Z3fooPU3AS1VKiPU3AS1ii");
    CHECK(mangled({"float4", "private float4*", "private float4*"}) == "_Z3fooDv4_fPS_S1_");
    CHECK(mangled({"global float4*", "const global float4*", "constant float4*", "float4"}) ==
          "_Z3fooPU3AS1Dv4_fPU3AS1KS_PU3AS2S_S_");
    CHECK(mangled({"image2d_t", "image2d_t", "sampler_t", "event_t", "private event_t*"}) ==
          "_Z3foo14ocl_image2d_roS_11ocl_sampler9ocl_eventPS1_");
    CHECK(mangled({"half", "bool", "size_t"}) == "_Z3fooDhbm");
    QualType array = {
        .type = f.types.pointer({.type = f.types.array({.type = f.types.builtin_name("int", {})}, 4)})};
    QualType arrays[] = {array, array};
    CHECK(mangle("foo", arrays) == "_Z3fooPA4_iS1_");
    QualType pointer = {.type = f.types.pointer(f.type("private int*"))};
    QualType global_pointer = {.type = f.types.pointer(f.type("global int*"))};
    QualType pointers[] = {pointer, global_pointer, pointer};
    CHECK(mangle("foo", pointers) == "_Z3fooPPiPPU3AS1iS2_");
}

TEST_CASE("what mangle writes, demangle reads") {
    Fixture f;
    const auto params = [&](std::string_view mangled) {
        const auto read = demangle(mangled, f.types);
        if (!read || read->name != "foo") return std::string("none");
        std::string text;
        for (const QualType& param : read->params) text += (text.empty() ? "" : ", ") + to_string(param);
        return text;
    };
    CHECK(params("_Z3foov") == "");
    CHECK(params("_Z3fooPiS0_") == "__private int *, __private int *");
    CHECK(params("_Z3fooPU3AS1VKiPU3AS1ii") == "const volatile __global int *, __global int *, int");
    CHECK(params("_Z3fooDv4_fPS_S1_") == "float4, __private float4 *, __private float4 *");
    CHECK(params("_Z3fooPU3AS1Dv4_fPU3AS1KS_PU3AS2S_S_") ==
          "__global float4 *, const __global float4 *, __constant float4 *, float4");
    CHECK(params("_Z3foo14ocl_image2d_roS_11ocl_sampler9ocl_eventPS1_") ==
          "__read_only image2d_t, __read_only image2d_t, sampler_t, event_t, __private event_t *");
    CHECK(params("_Z3fooPU3AS4VU7_Atomici12memory_order12memory_scope") ==
          "volatile __generic _Atomic(int) *, int, int");
    CHECK(params("_Z3fooPPiPPU3AS1iS2_") ==
          "__private int *__private *, __global int *__private *, __private int *__private *");
    CHECK(params("_Z3fooPU8CLglobaliDF16_xy") == "__global int *, half, long, ulong");
    CHECK(params("_Z3fooDv16_cDv2_dDv3_fDv4_iDv8_jDv2_lDv2_mDv2_sDv2_tDv2_hDv3_DhDv4_f8SA_") == "none");
    CHECK(params("_Z3fooDv16_cDv2_dDv3_fDv4_iDv8_jDv2_lDv2_mDv2_sDv2_tDv2_hDv3_DhDv4_fSA_S_") ==
          "char16, double2, float3, int4, uint8, long2, ulong2, short2, ushort2, uchar2, half3, float4, "
          "float4, "
          "char16");
    for (std::string_view broken : {"",
                                    "_Z",
                                    "foo",
                                    "_Z3fo",
                                    "_Z3foo",
                                    "_Z3foofS_",
                                    "_Z3fooDv5_f",
                                    "_Z3fooDv4_",
                                    "_Z3fooDv4f",
                                    "_Z3fooP",
                                    "_Z3fooPU3AS9i",
                                    "_Z3fooS_",
                                    "_Z3fooS",
                                    "_Z3fooSZZZZZZZZZZZZZZZZ_",
                                    "_Z3foo5point",
                                    "_Z3foo99999999999f",
                                    "_Z3fooU13block_pointerFvvE",
                                    "_Z3foo8ocl_pipe",
                                    "_Z3foo14ocl_image9d_ro",
                                    "_Z3fooDv4_PiS_",
                                    "_Z3fooiv",
                                    "_Z3fooPPPPPPPPPPPPPPPPPPPPPPPPPPi",
                                    "_Z3fooDv4_b",
                                    "_Z3fooz"})
        CHECK_MESSAGE(params(broken) == "none", broken);
}

TEST_CASE("1.13.11: enumerators") {
    CHECK(enumerator("memory_order_seq_cst", {}) == nullptr);
    CHECK(enumerator("memory_order_seq_cst", {.standard = Standard::CL20})->value == 5);
    CHECK(enumerator("CLK_NOTHING", {}) == nullptr);
}
