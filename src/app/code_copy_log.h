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
#include "record/perf_record.h"

namespace hm::app {

// Compares memory that processes map over code of a file, or beside it, with this code. Programs copy their
// code to huge pages, and compilers map memory anywhere; only the contents distinguish the two.
class CodeCopyLog {
 public:
  // `files` must outlive this object.
  explicit CodeCopyLog(MappedFiles& files) : files_(files) {}

  // Accepts any record of a process that runs on this machine; records of different CPUs need not be in
  // order.
  void see(const record::Record& record);
  // Compares all memory again that has not had the file's code so far: a program fills the memory after it
  // has mapped it.
  void compare_rest();

  [[nodiscard]] std::vector<record::CodeCopy> copies() const;

 private:
  using Key = std::tuple<uint32_t, uint64_t, uint64_t>;  // process, start and end

  struct Copy {
    std::vector<profile::Mapping> parts;  // of one file; `dso` is its index in `files_`
    std::optional<bool> has_same_code{};  // nullopt if no page could be compared
    int tries = 0;
    bool is_over = false;  // the process has ended or runs another program
  };

  void see_mapping(const record::Mmap& mmap);
  void see_name(const record::Record& record);
  void see_task(const record::Record& record);
  void add(uint32_t pid, const profile::Mapping& memory, std::vector<profile::Mapping> parts);
  void end(uint32_t pid);
  template <typename F>
  void for_each_of(uint32_t pid, F&& visit);
  void compare(uint32_t pid, Copy& copy) const;

  MappedFiles& files_;
  profile::ProcessTable processes_;
  std::map<Key, Copy> copies_;
};

}  // namespace hm::app
