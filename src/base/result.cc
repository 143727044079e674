// SPDX-License-Identifier: MIT
#include "base/result.h"

#include <system_error>

namespace hm {

Error make_error_of(ErrorCode code, fmt::string_view format, fmt::format_args args) {
  return Error{code, fmt::vformat(format, args)};
}

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

}  // namespace hm
