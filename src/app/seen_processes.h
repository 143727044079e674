// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/code_copy_log.h"
#include "app/isolation_log.h"
#include "app/mapped_files.h"

namespace hm::app {

// Data of the recorded processes that can be read only while they live.
class SeenProcesses {
 public:
  // `are_here`: as in MappedFiles.
  explicit SeenProcesses(KeepSymbols keep = KeepSymbols::kLost, bool are_here = true)
      : are_here_(are_here), files_(keep, are_here), copies_(files_) {}
  SeenProcesses(const SeenProcesses&) = delete;
  SeenProcesses& operator=(const SeenProcesses&) = delete;

  // Accepts any record; records of different CPUs need not be in order.
  void see(const record::Record& record);
  // Call once after the last record.
  void end() { copies_.compare_rest(); }

  void describe(record::Features& features) const { files_.describe(features); }
  // Returns the run description with these data.
  [[nodiscard]] std::string with_seen(std::string run) const;

  [[nodiscard]] MappedFiles& files() { return files_; }
  [[nodiscard]] const MappedFiles& files() const { return files_; }

 private:
  bool are_here_;
  MappedFiles files_;
  IsolationLog isolation_;
  CodeCopyLog copies_;
};

}  // namespace hm::app
