// SPDX-License-Identifier: MIT
// For tests: the files built from symbol/testdata.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/paths.h"
#include "symbol/files/dso.h"

namespace hm::symbol {

// Returns the path of "symbol_NAME".
[[nodiscard]] inline std::string subject(const std::string& name) {
  return std::string(test_paths::kSubjects) + "/symbol_" + name;
}

[[nodiscard]] inline std::vector<std::string> symbol_names_of(Dso& dso) {
  std::vector<std::string> names;
  for (size_t i = 0; i < dso.symbols().size(); ++i) names.emplace_back(dso.symbols().at(i).name);
  return names;
}

[[nodiscard]] inline Symbol symbol_of(Dso& dso, std::string_view name) {
  std::optional<Symbol> found = dso.symbols().find_name(name);
  EXPECT_TRUE(found.has_value()) << name;
  return found.value_or(Symbol());
}

}  // namespace hm::symbol
