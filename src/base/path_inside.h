// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace hm {

// Returns the path of a file in the folder `root`. Resolves symbolic links as if `root` were the root folder,
// so absolute targets stay inside (openat2(2), RESOLVE_IN_ROOT). Returns `root` / `path` if the file does not
// exist, or if the kernel is older than Linux 5.6.
[[nodiscard]] std::filesystem::path path_inside(const std::filesystem::path& root,
                                                const std::filesystem::path& path);

}  // namespace hm
