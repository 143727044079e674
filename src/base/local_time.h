// SPDX-License-Identifier: MIT
// The local time, for fmt/chrono.h to format. fmt 12 has no fmt::localtime().
#pragma once

#include <ctime>

namespace hm {

// Returns `time` in the time zone of this process.
[[nodiscard]] inline std::tm local_time(std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return parts;
}

}  // namespace hm
