// SPDX-License-Identifier: MIT
// Where --trace-blocks goes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hm::cli {

// What the flag is without a value: CommandLine::add_flag().
inline constexpr const char* kTraceToStandardError = "true";

// What writes there: to standard error, or to the file, which is made anew. kIo where that cannot be made.
// What cannot be written later is told once.
[[nodiscard]] Result<std::function<void(std::string_view)>> open_block_trace(const std::string& where);

}  // namespace hm::cli
