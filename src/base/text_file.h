// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace hm {

// All that a file holds; for files whose size nobody knows beforehand, as those of /proc and /sys. Nothing
// where it cannot be opened, or read to its end: a process may end between the two, and its files with it.
// Nor where it is longer than `most_bytes` (EFBIG).
std::optional<std::string> read_text(const std::string& path, size_t most_bytes = SIZE_MAX);

}  // namespace hm
