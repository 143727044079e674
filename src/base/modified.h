// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace hm {

// Returns the time of a file's last change, in seconds since 1970; nullopt if the file does not exist.
[[nodiscard]] inline std::optional<int64_t> modified_s(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return std::nullopt;
  return about.st_mtim.tv_sec;
}

}  // namespace hm
