// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hm::gate {

// Returns the last `count` lines of the file, which may be long; each at most 400 bytes. Returns none if the
// file cannot be read.
[[nodiscard]] std::vector<std::string> last_lines(const std::string& path, size_t count);

}  // namespace hm::gate
