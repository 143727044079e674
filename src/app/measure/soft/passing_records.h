// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "app/mapped_files.h"
#include "app/measure/soft/code_place.h"
#include "base/bytes.h"
#include "profile/process_table.h"
#include "record/features.h"
#include "record/record.h"

namespace hm::measure {

// Looks at the records on their way into the recording: the code that is mapped, what the processes are
// called, the first and the last moment.
class PassingRecords {
 public:
  // One whole record in this machine's byte order.
  void see(Bytes record);

  // The time span, and the build ids of all files whose code was mapped.
  void describe(record::Features& features) const;

  [[nodiscard]] CodePlace find(uint32_t pid, uint64_t address) const;

  // What the process executes, by index of a path; empty where nothing is known of it.
  [[nodiscard]] const profile::NumberedSpace& code_of(uint32_t pid) const;
  [[nodiscard]] const std::string& path(uint32_t index) const { return files_.path(index); }

 private:
  struct Process {
    std::string name;
    profile::NumberedSpace code;
  };

  void see_mapping(const record::Record& record);
  void see_name(const record::Record& record);
  void see_fork(const record::Record& record);
  void see_time(uint64_t time_ns);

  std::unordered_map<uint32_t, Process> processes_;
  uint32_t versions_ = 0;  // of processes' mappings
  app::MappedFiles files_;
  record::TimeSpan span_;
};

}  // namespace hm::measure
