// SPDX-License-Identifier: Apache-2.0
// Text that does not depend on the program's locale.
#pragma once

#include <clocale>
#include <string>

namespace caldera {

/// While an instance exists, the C functions of the calling thread print in the C locale.
class CLocale {
 public:
    CLocale();
    ~CLocale();
    CLocale(const CLocale&) = delete;
    CLocale& operator=(const CLocale&) = delete;

 private:
#if defined(_WIN32)
    int had_its_own_ = 0;  // whether the thread's locale was another than the program's
    std::string before_;
#elif !defined(__wasi__)
    locale_t before_ = {};
#endif
};

}  // namespace caldera
