// SPDX-License-Identifier: Apache-2.0
// WebAssembly in a page or in node: there are no files, no environment and no other locale. What a source
// includes comes from the host (web/job.h).
#include <cerrno>

#include "spirv/support/c_locale.h"
#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "spirv/support/process.h"

namespace caldera {

FILE* open_file(const std::string&, const char*) {
    errno = ENOENT;
    return nullptr;
}
bool is_regular_file(const std::string&) { return false; }
bool is_stream(const std::string&) { return false; }

std::string_view environment(const char*) { return {}; }

CLocale::CLocale() = default;
CLocale::~CLocale() = default;

void run_at_fork(void (*)(), void (*)(), void (*)()) {}
EndingSignalsWait::EndingSignalsWait() = default;
EndingSignalsWait::~EndingSignalsWait() = default;

std::string executable_name() { return {}; }
int64_t process_id() { return 1; }

bool other_threads_are_gone() { return false; }
bool other_threads_are_ready() { return false; }

}  // namespace caldera
