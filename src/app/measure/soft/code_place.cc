// SPDX-License-Identifier: MIT
#include "app/measure/soft/code_place.h"

#include <fmt/format.h>

#include <filesystem>

namespace hm::measure {

std::string function_name(const CodePlace& place, const symbol::Resolver& resolver) {
  if (place.file.empty()) return {};
  symbol::Function function = resolver.object(place.file, "").function_at(place.offset);
  return function.named ? function.name : std::string();
}

std::string place_text(const CodePlace& place, const symbol::Resolver& resolver) {
  if (place.file.empty()) return {};
  std::string where =
      fmt::format("{}+{:#x}", std::filesystem::path(place.file).filename().string(), place.offset);
  std::string function = function_name(place, resolver);
  return function.empty() ? fmt::format("in {}", where) : fmt::format("in function {} ({})", function, where);
}

}  // namespace hm::measure
