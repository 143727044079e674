// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "view/text/table.h"

namespace hm::text {

// The display names of the functions in one text (symbol/display_name.h). Different functions have different
// names. With Style::full_names, these are the functions' full names.
class FunctionNames {
 public:
  FunctionNames(const std::vector<std::string>& functions, const Style& style);

  // `function`: one of the constructor's functions.
  [[nodiscard]] const std::string& of(const std::string& function) const { return shown_.at(function); }

 private:
  std::map<std::string, std::string> shown_;  // printable; by function
};

// The texts of rows' keys, in which the column "function" holds functions.
class KeyNames {
 public:
  // `rows`: the keys of all rows, one per column.
  KeyNames(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
           const Style& style);

  // Returns the texts of one of the rows.
  [[nodiscard]] std::vector<std::string> of(const std::vector<std::string>& keys) const;

 private:
  size_t function_;  // index of the column; the number of columns if there is none
  FunctionNames functions_;
};

}  // namespace hm::text
