// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

namespace hm {

// What stands before the separator, or all where there is none; it is taken off the text, and the separator
// with it.
inline std::string_view take_until(std::string_view& text, char separator) {
  size_t size = std::min(text.find(separator), text.size());
  std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

}  // namespace hm
