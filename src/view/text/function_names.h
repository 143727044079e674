// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace hm::text
