// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hm::symbol {

// Source text by file and line; each file is read once.
class SourceFiles {
 public:
  // nullopt where the file or the line is not there.
  [[nodiscard]] std::optional<std::string> line(const std::string& path, uint32_t number);

 private:
  static std::vector<std::string> read_lines(const std::string& path);

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace hm::symbol
