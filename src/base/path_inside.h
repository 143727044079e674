// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace hm {

// Returns the path of a file in the folder `root` as a program sees it whose root folder this is: symbolic
// links with absolute targets stay inside (openat2(2), RESOLVE_IN_ROOT). Returns `root` / `path` if there is
// no such file, or if the kernel is older than Linux 5.6.
[[nodiscard]] std::filesystem::path path_inside(const std::filesystem::path& root,
                                                const std::filesystem::path& path);

}  // namespace hm
