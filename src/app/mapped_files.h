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

// The files whose code was mapped while a recording was made. The first kMaxHeld of them stay open, so that
// those which are deleted or replaced before the recording ends can still be read.
class MappedFiles {
 public:
  static constexpr size_t kMaxHeld = 256;

  // Of the path of mapped code, which is remembered.
  uint32_t index_of(const record::Mmap& mmap);
  [[nodiscard]] const std::string& path(uint32_t index) const { return files_[index].path; }

  // Any record: remembers the path if it maps code.
  void see(const record::Record& record);

  // Adds the build-ids of the mapped files. Keeps a copy of those that are not at their path any more
  // (symbol/files/kept_files.h).
  void describe(record::Features& features) const;

  // A file in the file system; not "[vdso]" or "//anon".
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
