// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm {

// Returns the path of a mapped file that /proc/PID/maps shows as `shown`, which perf and others record. The
// kernel writes a line feed in a path as \012 there (proc(5)), but does not escape a literal "\012". The
// ambiguity is resolved by the file that exists, preferably one with that inode (0: unknown). Returns `shown`
// if neither exists.
[[nodiscard]] std::string path_in_maps(std::string_view shown, uint64_t inode);

// Returns the path without " (deleted)", which the kernel appends to those of deleted files and groups.
[[nodiscard]] std::string_view without_mark_of_deleted(std::string_view shown);

}  // namespace hm
