// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace hm {

// Returns the contents of a file; for files of unknown size, as in /proc and /sys. Returns nullopt if the
// file cannot be opened or read to its end: a process, and with it its files, may vanish between the open and
// the read. Also returns nullopt, with errno EFBIG, if the file is longer than `max_bytes`.
std::optional<std::string> read_text(const std::string& path, size_t max_bytes = SIZE_MAX);

}  // namespace hm
