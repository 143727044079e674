// SPDX-License-Identifier: MIT
// Result of a query. Cells from a server may have unexpected types, so each cell converts to text and to a
// number.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace hm::store {

// Rows with a number or a string in each column.
using Answer = std::vector<std::vector<nlohmann::json>>;

[[nodiscard]] inline std::string text_of(const nlohmann::json& cell) {
  return cell.is_string() ? cell.get<std::string>() : cell.dump();
}

// Returns 0 if the cell is not a number.
[[nodiscard]] inline double number_of(const nlohmann::json& cell) {
  return cell.is_number() ? cell.get<double>() : 0;
}

// Returns the only cell of a result; null if it is empty.
[[nodiscard]] inline nlohmann::json only_cell(const Answer& answer) {
  return answer.empty() || answer.front().empty() ? nlohmann::json() : answer.front().front();
}

}  // namespace hm::store
