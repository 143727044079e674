// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Limits the descriptors kept open for counters, to leave enough for the rest of the process.
class DescriptorBudget {
 public:
  // Raises the process's soft limit (RLIMIT_NOFILE) towards the hard limit if `wanted` descriptors need it.
  // The usual soft limit of 1024 exists for programs that call select(2), which cannot handle more. Child
  // processes inherit the raised limit.
  static DescriptorBudget for_counters(size_t wanted);

  explicit DescriptorBudget(size_t most) : left_(most) {}

  bool take() { return left_ > 0 && left_-- > 0; }
  void give_back() { ++left_; }

 private:
  size_t left_;
};

// A group's counters in each domain. Files are kept open, because opening one takes several times as long as
// reading it. Files beyond the budget are opened for each reading.
class CounterFiles {
 public:
  // `group`: absolute path of the group's folder.
  CounterFiles(std::string group, const Monitoring& monitoring, std::shared_ptr<DescriptorBudget> budget);
  CounterFiles(CounterFiles&&) noexcept = default;
  CounterFiles& operator=(CounterFiles&&) = delete;
  CounterFiles(const CounterFiles&) = delete;
  CounterFiles& operator=(const CounterFiles&) = delete;
  ~CounterFiles();

  // Returns one reading per domain; nullopt if the group no longer exists. Detects new domains only if
  // `version` differs from the previous call's; always detects removed domains.
  [[nodiscard]] std::optional<std::vector<Reading>> read(uint64_t version);

 private:
  static constexpr size_t kKinds = 3;

  struct Counter {
    UniqueFd file;
    std::string path;  // set if no file is kept open; empty if the counter does not exist
  };
  struct DomainCounters {
    uint32_t domain;
    std::array<Counter, kKinds> counters;
  };

  bool find_counters();
  void close_all();
  [[nodiscard]] Counter open_counter(const std::string& path) const;
  // nullopt if a file no longer exists, because the group or a domain was removed.
  [[nodiscard]] std::optional<std::vector<Reading>> read_all() const;

  std::string group_;
  std::array<const char*, kKinds> names_{};  // null: the processor lacks the counter
  std::shared_ptr<DescriptorBudget> budget_;
  std::optional<uint64_t> version_;
  std::vector<DomainCounters> domains_;
};

}  // namespace hm::rdt
