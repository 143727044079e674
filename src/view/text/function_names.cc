// SPDX-License-Identifier: MIT
#include "view/text/function_names.h"

#include <algorithm>

#include "symbol/display_name.h"
#include "view/text/format.h"

namespace hm::text {

FunctionNames::FunctionNames(const std::vector<std::string>& functions, const Style& style) {
  std::vector<std::string> shown = style.full_names ? functions : symbol::display_names(functions);
  for (size_t i = 0; i < functions.size(); ++i) shown_.try_emplace(functions[i], printable(shown[i]));
}

namespace {

size_t function_column(const std::vector<std::string>& columns) {
  return static_cast<size_t>(std::ranges::find(columns, "function") - columns.begin());
}

std::vector<std::string> column_of(const std::vector<std::vector<std::string>>& rows, size_t column) {
  std::vector<std::string> keys;
  for (const std::vector<std::string>& row : rows) {
    if (column < row.size()) keys.push_back(row[column]);
  }
  return keys;
}

}  // namespace

KeyNames::KeyNames(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows,
                   const Style& style)
    : function_(function_column(columns)), functions_(column_of(rows, function_), style) {}

std::vector<std::string> KeyNames::of(const std::vector<std::string>& keys) const {
  std::vector<std::string> texts;
  for (size_t i = 0; i < keys.size(); ++i)
    texts.push_back(i == function_ ? functions_.of(keys[i]) : printable(keys[i]));
  return texts;
}

}  // namespace hm::text
