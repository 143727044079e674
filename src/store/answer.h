// SPDX-License-Identifier: MIT
// What a store answers. A server's cells need not be what was asked for: each has its value as text and as
// number.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace hm::store {

// Rows, a number or a string in each column.
using Answer = std::vector<std::vector<nlohmann::json>>;

[[nodiscard]] inline std::string text_of(const nlohmann::json& cell) {
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

// 0 where it is none.
[[nodiscard]] inline double number_of(const nlohmann::json& cell) {
  return cell.is_number() ? cell.get<double>() : 0;
}

// The only cell of an answer; null where there is none.
[[nodiscard]] inline nlohmann::json only_cell(const Answer& answer) {
  return answer.empty() || answer.front().empty() ? nlohmann::json() : answer.front().front();
}

}  // namespace hm::store
