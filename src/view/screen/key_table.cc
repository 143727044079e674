// SPDX-License-Identifier: MIT
#include "view/screen/key_table.h"

#include "view/screen/screen_lines.h"
#include "view/text/format.h"

namespace hm::screen {

std::vector<std::string> key_help(const std::vector<KeyText>& keys) {
  size_t widest = 0;
  for (const KeyText& key : keys) widest = std::max(widest, text::columns_of(key.names));
  std::vector<std::string> lines;
  for (const KeyText& key : keys) {
    if (!key.names.empty()) lines.push_back(to_left(key.names, widest + 2) + std::string(key.effect));
  }
  return lines;
}

std::string key_hints(const std::vector<KeyText>& keys, size_t columns) {
  std::string line;
  for (const KeyText& key : keys) {
    if (key.hint.empty()) continue;
    if (!line.empty()) line += "  ";
    line += key.hint;
  }
  if (text::columns_of(line) <= columns) return line;
  size_t end = line.rfind("  ", columns < 2 ? 0 : columns - 2);
  return marked(end == std::string::npos ? line : line.substr(0, end) + " …", columns);
}

}  // namespace hm::screen
