// SPDX-License-Identifier: Apache-2.0
// What the module for WebAssembly exports: a C interface over job.h. Texts are UTF-8, and sizes are in bytes.
// Addresses that a function gives belong to the handle that it was given, until that is freed.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>

#include "web/job.h"

namespace {

using caldera::web::Answer;

const std::vector<uint32_t>* module_at(const Answer& answer, uint32_t number) {
    return number < answer.modules.size() ? &answer.modules[number] : nullptr;
}

}  // namespace

/// The host's function: says why the instance is about to end.
extern "C" __attribute__((import_module("caldera"), import_name("fail"))) void caldera_fail(
    const char* text, size_t size_bytes);

extern "C" {

/// Memory for a request, for free().
__attribute__((export_name("caldera_allocate"))) void* caldera_allocate(size_t size_bytes) {
    return std::malloc(size_bytes);
}
/// Frees what caldera_allocate() gave.
__attribute__((export_name("caldera_free"))) void caldera_free(void* memory) { std::free(memory); }

/// run(): a handle for caldera_free_answer().
__attribute__((export_name("caldera_run"))) Answer* caldera_run(const char* request, size_t size_bytes) {
    return new Answer(caldera::web::run({request, size_bytes}));
}
__attribute__((export_name("caldera_free_answer"))) void caldera_free_answer(Answer* answer) {
    delete answer;
}
/// The answer in JSON.
__attribute__((export_name("caldera_json"))) const std::string* caldera_json(const Answer* answer) {
    return &answer->json;
}
/// The words of a module, and how many bytes they have: 0 if there is no such module.
__attribute__((export_name("caldera_module"))) const uint32_t* caldera_module(const Answer* answer,
                                                                              uint32_t number) {
    const auto* words = module_at(*answer, number);
    return words ? words->data() : nullptr;
}
__attribute__((export_name("caldera_module_bytes"))) size_t caldera_module_bytes(const Answer* answer,
                                                                                 uint32_t number) {
    const auto* words = module_at(*answer, number);
    return words ? words->size() * sizeof(uint32_t) : 0;
}

/// disassemble(): a text for caldera_free_text(). Without such a module it is empty.
__attribute__((export_name("caldera_disassemble"))) std::string* caldera_disassemble(const Answer* answer,
                                                                                     uint32_t number,
                                                                                     int by_source) {
    const auto* words = module_at(*answer, number);
    return new std::string(words ? caldera::web::disassemble(*words, by_source != 0) : "");
}
/// about(): a text for caldera_free_text().
__attribute__((export_name("caldera_about"))) std::string* caldera_about() {
    return new std::string(caldera::web::about());
}
/// A text's bytes, and how many they are.
__attribute__((export_name("caldera_text"))) const char* caldera_text(const std::string* text) {
    return text->data();
}
__attribute__((export_name("caldera_text_bytes"))) size_t caldera_text_bytes(const std::string* text) {
    return text->size();
}
__attribute__((export_name("caldera_free_text"))) void caldera_free_text(std::string* text) { delete text; }

// ---- Exceptions ----
// Debian's C++ library for WebAssembly cannot unwind. What Caldera throws are broken invariants
// (spirv/support/check.h), and memory that ran out: the instance ends, and the host makes another.

void* __cxa_allocate_exception(size_t size_bytes) noexcept { return std::malloc(size_bytes); }
void __cxa_free_exception(void* exception) noexcept { std::free(exception); }

[[noreturn]] void __cxa_throw(void* exception, std::type_info* type, void (*)(void*)) {
    // All of Caldera's exceptions derive from std::logic_error, at whose beginning std::exception is.
    const std::string text =
        std::string(type->name()).find("InternalError") != std::string::npos
            ? "internal compiler error: " + std::string(static_cast<const std::exception*>(exception)->what())
            : "exception " + std::string(type->name());
    caldera_fail(text.data(), text.size());
    __builtin_trap();
}

}  // extern "C"
