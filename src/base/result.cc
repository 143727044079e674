// SPDX-License-Identifier: MIT
#include "base/result.h"

#include <system_error>

namespace hm {

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

}  // namespace hm
