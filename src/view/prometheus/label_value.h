// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hm::prometheus {

inline constexpr size_t kMaxLabelBytes = 120;

// Converts a name to a label's value: valid UTF-8 of at most kMaxLabelBytes, cut between characters. U+FFFD
// replaces invalid UTF-8 and control characters. The result is never empty, because Prometheus treats an
// empty label as absent.
[[nodiscard]] std::string label_value(std::string_view name);

}  // namespace hm::prometheus
