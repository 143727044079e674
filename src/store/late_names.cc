// SPDX-License-Identifier: MIT
#include "store/late_names.h"

#include <fmt/format.h>

namespace hm::store {

std::string named_column(const Store& store, std::string_view name, const std::vector<LateName>& names) {
  std::vector<PlaceValue> values;
  for (const LateName& each : names) {
    nlohmann::json value;
    if (name == "function" && !each.function.empty()) value = each.function;
    bool has_line = !each.file.empty() && each.line != 0;
    if (name == "file" && has_line) value = each.file;
    if (name == "line" && has_line) value = each.line;
    if (!value.is_null()) values.push_back({each.build_id, each.offset, std::move(value)});
  }
  std::string column(name);
  if (values.empty()) return column;
  std::string_view lacks_it = name == "function" ? kHasNoName : "file = ''";
  return fmt::format("CASE WHEN {} THEN {} ELSE {} END", lacks_it, store.by_place(values, column), column);
}

}  // namespace hm::store
