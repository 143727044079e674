// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "app/measure/soft/code_place.h"
#include "app/seen_processes.h"
#include "base/bytes.h"
#include "profile/process_table.h"
#include "record/features.h"
#include "record/perf_record.h"

namespace hm::measure {

// Observes the records on their way into the recording: mapped code, process names, first and last time.
class PassingRecords {
 public:
  // `processes_are_here`: as in MappedFiles.
  explicit PassingRecords(app::KeepSymbols keep = app::KeepSymbols::kLost, bool processes_are_here = true)
      : seen_(keep, processes_are_here) {}

  // `record` is one whole record in this machine's byte order.
  void see(Bytes record);

  // Adds the time span, and the build IDs of all files with mapped code.
  void describe(record::Features& features) const;
  // As in SeenProcesses.
  void end() { seen_.end(); }
  [[nodiscard]] std::string with_seen(std::string run) const { return seen_.with_seen(std::move(run)); }

  [[nodiscard]] CodePlace find(uint32_t pid, uint64_t address) const;

  // Returns the process's executable mappings, by path index; empty if unknown.
  [[nodiscard]] const profile::NumberedSpace& code_of(uint32_t pid) const;
  [[nodiscard]] const std::string& path(uint32_t index) const { return seen_.files().path(index); }
  [[nodiscard]] std::string readable_path(uint32_t index) const { return seen_.files().readable_path(index); }

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
  uint32_t versions_ = 0;  // version counter of the processes' mappings
  app::SeenProcesses seen_;
  record::TimeSpan span_;
};

}  // namespace hm::measure
