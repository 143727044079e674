// SPDX-License-Identifier: MIT
#include "base/process_stat.h"

#include <algorithm>
#include <charconv>

namespace hm {

std::optional<ProcessStat> parse_process_stat(std::string_view line) {
  size_t name_end = line.rfind(") ");
  if (name_end == std::string_view::npos || name_end + 2 >= line.size()) return std::nullopt;
  std::string_view rest = line.substr(name_end + 2);
  ProcessStat stat{rest.front()};
  rest.remove_prefix(std::min<size_t>(rest.size(), 2));
  std::from_chars(rest.data(), rest.data() + rest.size(), stat.parent);
  return stat;
}

}  // namespace hm
