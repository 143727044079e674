// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "record/features.h"
#include "record/mmap.h"
#include "record/record.h"

namespace hm::app {

// The files with code that was mapped during a recording. The first kMaxHeld files stay open, so that deleted
// or replaced files can be read until the recording ends.
class MappedFiles {
 public:
  static constexpr size_t kMaxHeld = 256;

  // Returns the index of the mapping's path; adds a new path.
  uint32_t index_of(const record::Mmap& mmap);
  [[nodiscard]] const std::string& path(uint32_t index) const { return files_[index].path; }

  // Accepts any record and adds the path if the record maps code.
  void see(const record::Record& record);

  // Adds the build IDs of the mapped files. Keeps copies of files that are no longer at their paths
  // (symbol/files/kept_files.h).
  void describe(record::Features& features) const;

  // Returns true for a file in the file system, unlike "[vdso]" or "//anon".
  static bool is_file(std::string_view path) { return path.starts_with('/') && !path.starts_with("//"); }

 private:
  struct File {
    std::string path;  // as recorded
    UniqueFd held{};   // not valid if it could not be opened
  };

  std::vector<File> files_;
  std::map<std::string, uint32_t, std::less<>> index_of_path_;
  size_t held_ = 0;
};

}  // namespace hm::app
