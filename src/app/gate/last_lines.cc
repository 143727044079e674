// SPDX-License-Identifier: MIT
#include "app/gate/last_lines.h"

#include <algorithm>
#include <fstream>

namespace hm::gate {

std::vector<std::string> last_lines(const std::string& path, size_t count) {
  constexpr size_t kMaxLineBytes = 400;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<std::string> lines;
  if (!file || count == 0) return lines;
  const auto size = static_cast<size_t>(std::max<std::streamoff>(file.tellg(), 0));
  const size_t begin = size - std::min(size, count * (kMaxLineBytes + 1));
  file.seekg(static_cast<std::streamoff>(begin));
  std::string line;
  while (std::getline(file, line)) lines.push_back(line.substr(0, kMaxLineBytes));
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<ptrdiff_t>(count));
  return lines;
}

}  // namespace hm::gate
