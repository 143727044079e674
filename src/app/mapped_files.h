// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/keep_symbols.h"
#include "base/unique_fd.h"
#include "record/features.h"
#include "record/file_builds.h"
#include "record/mmap.h"
#include "record/perf_record.h"

namespace hm::app {

// The files with code that was mapped during a recording. The first kMaxHeld files stay open, so that deleted
// or replaced files can be read until the recording ends.
class MappedFiles {
 public:
  static constexpr size_t kMaxHeld = 256;

  // `processes_are_here`: the recorded processes run on this machine, which has their folders in /proc.
  explicit MappedFiles(KeepSymbols keep = KeepSymbols::kLost, bool processes_are_here = true)
      : keep_(keep), processes_are_here_(processes_are_here) {}

  // Returns the index of the mapped file; adds a new file. Files of the same path in two containers differ.
  uint32_t index_of(const record::Mmap& mmap);
  [[nodiscard]] const std::string& path(uint32_t index) const { return files_[index].path; }
  // Returns a path through which this process can read the file: its own path, or that of its descriptor.
  [[nodiscard]] std::string readable_path(uint32_t index) const;

  // Returns the descriptor of the file, or -1 if it is not held.
  [[nodiscard]] int descriptor(uint32_t index) const { return files_[index].held.get(); }

  // Accepts any record and adds the path if the record maps code.
  void see(const record::Record& record);
  // Adds the path of a mapping of code.
  void see_code(const record::Mmap& mmap);

  // Adds the build IDs of the mapped files. Keeps copies of the files that `keep` selects.
  void describe(record::Features& features) const;
  // Returns the builds of the paths that had several files.
  [[nodiscard]] std::vector<record::FileBuild> builds_of_same_path() const;

  // Returns true for a file in the file system, unlike "[vdso]" or "//anon".
  static bool is_file(std::string_view path) { return path.starts_with('/') && !path.starts_with("//"); }

 private:
  using Key = std::tuple<std::string, uint32_t, uint32_t, uint64_t>;  // path, device, inode

  struct File {
    std::string path;  // as recorded
    record::FileIdentity identity{};
    bool is_of_container = false;
    UniqueFd held{};         // not valid if it could not be opened or is not held
    std::string build_id{};  // hex; empty if unknown
  };
  // Code in memory of a process, whose names a just-in-time compiler may write to a map.
  struct CodeInMemory {
    UniqueFd held{};  // the map, if it is in the root of the process
    int tries = 0;
  };

  void open(const record::Mmap& mmap, File& file);
  void see_code_in_memory(const record::Mmap& mmap);
  void describe_files(record::Features& features) const;
  void describe_maps(record::Features& features) const;

  KeepSymbols keep_;
  bool processes_are_here_;
  std::vector<File> files_;
  std::map<Key, uint32_t> index_of_file_;
  std::map<uint32_t, CodeInMemory> code_in_memory_;  // by process
  size_t held_ = 0;
};

}  // namespace hm::app
