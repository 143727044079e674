// SPDX-License-Identifier: MIT
#include "symbol/name_in_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace hm::symbol {

std::optional<NameInFile> name_in_file(std::string_view text) {
  constexpr std::string_view kOpen = " (";
  constexpr std::string_view kBrackets = "()<>[]{}";  // these belong to a type
  if (size_t open = text.rfind(kOpen); open != std::string_view::npos && open != 0 && text.ends_with(')')) {
    std::string_view file = text.substr(open + kOpen.size());
    file.remove_suffix(1);
    if (!file.empty() && file.find_first_of(kBrackets) == std::string_view::npos)
      return NameInFile{std::string(text.substr(0, open)), std::string(file)};
  }
  size_t colon = text.find(':');
  bool is_scope = colon == std::string_view::npos || text.substr(colon).starts_with("::");
  if (is_scope || colon == 0 || colon + 1 == text.size()) return std::nullopt;
  return NameInFile{std::string(text.substr(colon + 1)), std::string(text.substr(0, colon))};
}

std::string text_of(const NameInFile& function) {
  return fmt::format("{} ({})", function.name, function.file);
}

bool is_file(std::string_view path, std::string_view wanted) {
  if (!path.ends_with(wanted)) return false;
  return path.size() == wanted.size() || wanted.empty() || path[path.size() - wanted.size() - 1] == '/';
}

std::string short_file(std::string_view path, const std::set<std::string>& paths) {
  size_t slash = path.rfind('/');
  while (slash != std::string_view::npos) {
    std::string_view end = path.substr(slash + 1);
    bool is_unique = std::ranges::none_of(
        paths, [&](const std::string& other) { return other != path && is_file(other, end); });
    if (is_unique) return std::string(end);
    slash = slash == 0 ? std::string_view::npos : path.rfind('/', slash - 1);
  }
  return std::string(path);
}

}  // namespace hm::symbol
