// SPDX-License-Identifier: MIT
// Words of a command line that a POSIX shell reads.
#pragma once

#include <string>
#include <string_view>

namespace hm {

// Returns `text` in quotes, as one word of a shell's command line, whatever characters are in it.
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
