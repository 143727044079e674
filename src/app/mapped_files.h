// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "record/features.h"
#include "record/record.h"

namespace hm::app {

// The files whose code was mapped while a recording was made.
class MappedFiles {
 public:
  // Of a distinct path, which is remembered.
  uint32_t index_of(std::string_view path);
  [[nodiscard]] const std::string& path(uint32_t index) const { return paths_[index]; }

  // Any record: remembers the path where it maps code.
  void see(const record::Record& record);

  // Adds the build ids that they have now.
  void describe(record::Features& features) const;

  // A file in the file system; not "[vdso]" or "//anon".
  static bool is_file(std::string_view path) { return path.starts_with('/') && !path.starts_with("//"); }

 private:
  std::vector<std::string> paths_;
  std::map<std::string, uint32_t, std::less<>> index_of_path_;
};

}  // namespace hm::app
