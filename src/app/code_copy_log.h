// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "app/mapped_files.h"
#include "profile/process_table.h"
#include "record/code_copies.h"
#include "record/mmap.h"
#include "record/record.h"

namespace hm::app {

// Compares memory that processes map over code of a file with this code. Programs copy their code to huge
// pages, some compilers map memory anywhere, and a recording cannot tell them apart.
class CodeCopyLog {
 public:
  // `files` must outlive this object.
  explicit CodeCopyLog(MappedFiles& files) : files_(files) {}

  // Accepts any record of a process that runs on this machine.
  void see(const record::Record& record);
  // Compares once more what had other code so far: a program fills the memory after it has mapped it.
  void compare_rest();

  [[nodiscard]] std::vector<record::CodeCopy> copies() const;

 private:
  using Key = std::tuple<uint32_t, uint64_t, uint64_t>;  // process, start and end

  struct Copy {
    std::vector<profile::Mapping> parts;  // of the file, in which `dso` is the index in `files_`
    std::optional<bool> has_same_code{};  // nullopt if the memory could not be read
    int tries = 0;
  };

  void see_mapping(const record::Mmap& mmap);
  void add(uint32_t pid, const profile::Mapping& memory, std::vector<profile::Mapping> parts);
  void see_other(const record::Record& record);
  void compare_pending(uint32_t pid);
  void compare(uint32_t pid, Copy& copy) const;

  MappedFiles& files_;
  profile::ProcessTable processes_;
  std::map<Key, Copy> copies_;
};

}  // namespace hm::app
