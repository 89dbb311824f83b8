// SPDX-License-Identifier: Apache-2.0
// Windows: names are UTF-16, and what takes a char* takes the code page of the user.
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <sys/stat.h>

#include <cstdlib>

#include "spirv/support/c_locale.h"
#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "spirv/support/process.h"
#include "spirv/support/program.h"

namespace caldera {
namespace {

std::wstring to_utf16(std::string_view text) {
    const int size = static_cast<int>(text.size());
    std::wstring wide(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)),
                      L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), size, wide.data(), static_cast<int>(wide.size()));
    return wide;
}

std::string to_utf8(std::wstring_view wide) {
    const int size = static_cast<int>(wide.size());
    std::string text(
        static_cast<size_t>(WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr)),
        '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, text.data(), static_cast<int>(text.size()), nullptr,
                        nullptr);
    return text;
}

}  // namespace

std::filesystem::path utf8_path(std::string_view name) { return to_utf16(name); }

std::string utf8_text(const std::filesystem::path& path) { return to_utf8(path.native()); }

FILE* open_file(const std::string& name, const char* mode) {
    return _wfopen(to_utf16(name).c_str(), to_utf16(mode).c_str());
}

FILE* make_file(const std::string& name, bool /*is_private*/) {
    const int descriptor =
        _wopen(to_utf16(name).c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
    return descriptor < 0 ? nullptr : _fdopen(descriptor, "wb");
}

bool have_same_owner(const std::string&, const std::string&) {
    return true;
}  // a folder's files inherit theirs

bool is_regular_file(const std::string& name) {
    std::error_code error;
    return std::filesystem::is_regular_file(utf8_path(name), error);
}

bool is_stream(const std::string& name) {
    std::error_code error;
    const std::filesystem::file_type type = std::filesystem::status(utf8_path(name), error).type();
    return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character;
}

std::vector<std::string> arguments(int, char**) {
    int count = 0;
    wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &count);
    std::vector<std::string> texts;
    for (int i = 1; i < count; ++i) texts.push_back(to_utf8(wide[i]));
    LocalFree(wide);
    return texts;
}

void use_binary_streams() {
    for (FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
}

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);  // no process has other rights than its user
    return value ? value : "";
}

CLocale::CLocale() : had_its_own_(_configthreadlocale(_ENABLE_PER_THREAD_LOCALE)) {
    if (const char* before = std::setlocale(LC_ALL, nullptr)) before_ = before;
    std::setlocale(LC_ALL, "C");
}
CLocale::~CLocale() {
    std::setlocale(LC_ALL, before_.c_str());
    _configthreadlocale(had_its_own_);
}

void run_at_fork(void (*)(), void (*)(), void (*)()) {}  // no process is a copy of another

EndingSignalsWait::EndingSignalsWait() = default;
EndingSignalsWait::~EndingSignalsWait() = default;

std::string executable_name() {
    std::wstring path(32768, L'\0');  // the longest path
    path.resize(GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return to_utf8(std::filesystem::path(path).stem().native());
}

int64_t process_id() { return GetCurrentProcessId(); }

bool other_threads_are_gone() {
    using IsEnding = BOOLEAN(NTAPI*)();
    const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    const auto is_ending = reinterpret_cast<IsEnding>(
        reinterpret_cast<void*>(GetProcAddress(ntdll, "RtlDllShutdownInProgress")));
    return is_ending && is_ending();
}

bool other_threads_are_ready() { return false; }

}  // namespace caldera
