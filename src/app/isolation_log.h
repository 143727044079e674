// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "app/containers.h"
#include "record/isolation.h"
#include "record/perf_record.h"

namespace hm::app {

// The control groups and namespaces of the processes in a recording, read while the processes live.
class IsolationLog {
 public:
  static constexpr size_t kMaxProcesses = size_t{1} << 16;

  // `root` is the root of the file system.
  explicit IsolationLog(const std::string& root = "") : proc_(root + "/proc"), containers_(root) {}

  // Accepts any record; records of different CPUs need not be in order. Reads a process when it is first seen
  // and whenever it runs a program: a container runtime moves a process into its container before that. A
  // child has the isolation of its parent until then.
  void see(const record::Record& record);

  [[nodiscard]] record::IsolatedProcesses processes() const;

 private:
  void see_name(const record::Record& record);
  void see_fork(const record::Record& record);
  // Returns false if the process has ended.
  bool read(uint32_t pid);
  [[nodiscard]] bool has(uint32_t pid, const std::string& cgroup, uint64_t mounts) const;
  void keep(uint32_t pid, const record::Isolation& isolation);
  [[nodiscard]] std::string container_of(const std::string& cgroup);

  std::string proc_;
  Containers containers_;
  std::set<record::Isolation> distinct_;
  std::unordered_map<uint32_t, const record::Isolation*> known_;  // points into `distinct_`
};

}  // namespace hm::app
