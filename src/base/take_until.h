// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

namespace hm {

// Returns the part of `text` before the first separator, or all of `text` if it has none. Removes that part
// and the separator from `text`.
inline std::string_view take_until(std::string_view& text, char separator) {
  size_t size = std::min(text.find(separator), text.size());
  std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

}  // namespace hm
