// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm {

// Returns the path of a mapped file that /proc/PID/maps shows as `shown`, which perf and others record. The
// kernel writes each line feed of a path as \012 there (proc(5)), and the same four characters as they are:
// the file that exists tells which of the two it was, and first of all the file with that inode (0: not
// known). Returns `shown` if neither exists.
[[nodiscard]] std::string path_in_maps(std::string_view shown, uint64_t inode);

}  // namespace hm
