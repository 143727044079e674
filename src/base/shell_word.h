// SPDX-License-Identifier: MIT
// Quotes words for the command line of a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace hm {

// Returns `text` in single quotes, as one word of a shell's command line; `text` may contain any characters.
inline std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (char each : text) {
    if (each == '\'')
      word += "'\\''";
    else
      word += each;
  }
  return word + "'";
}

}  // namespace hm
