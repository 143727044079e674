// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hm::prometheus {

inline constexpr size_t kMostLabelBytes = 120;

// A name as a label's value: valid UTF-8 of at most kMostLabelBytes, cut between characters. U+FFFD stands
// for what is no UTF-8 and for control characters. Never empty: to Prometheus an empty label is none.
[[nodiscard]] std::string label_value(std::string_view name);

}  // namespace hm::prometheus
