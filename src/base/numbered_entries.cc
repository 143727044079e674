// SPDX-License-Identifier: MIT
#include "base/numbered_entries.h"

#include <dirent.h>

#include <charconv>
#include <memory>
#include <string_view>

namespace hm {

// Uses readdir(3) because std::filesystem would construct a path for each of thousands of names.
std::vector<pid_t> numbered_entries(const std::string& folder) {
  std::vector<pid_t> numbers;
  std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (open == nullptr) return numbers;
  while (const dirent* entry = ::readdir(open.get())) {
    std::string_view name = entry->d_name;
    pid_t number = 0;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace hm
