// SPDX-License-Identifier: MIT
#include "symbol/files/source_files.h"

#include <string_view>

#include "base/mapped_file.h"

namespace hm::symbol {

std::vector<std::string> SourceFiles::read_lines(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return {};
  std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

std::optional<std::string> SourceFiles::line(const std::string& path, uint32_t number) {
  auto [found, is_new] = files_.try_emplace(path);
  if (is_new) found->second = read_lines(path);
  const std::vector<std::string>& lines = found->second;
  if (number == 0 || number > lines.size()) return std::nullopt;
  return lines[number - 1];
}

}  // namespace hm::symbol
