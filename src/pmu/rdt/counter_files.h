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

// How many descriptors may be kept open for counters, so that some stay for the rest of the process.
class DescriptorBudget {
 public:
  // Raises the process's soft limit (RLIMIT_NOFILE) towards the hard one where `wanted` descriptors take it:
  // 1024, the usual soft one, is for programs that call select(2), which cannot have more. What this process
  // starts inherits the raised one.
  static DescriptorBudget for_counters(size_t wanted);

  explicit DescriptorBudget(size_t most) : left_(most) {}

  bool take() { return left_ > 0 && left_-- > 0; }
  void give_back() { ++left_; }

 private:
  size_t left_;
};

// The counters of a group, in each domain. Files are kept open, as opening one takes several times as long as
// reading it; what the budget does not allow is opened for each reading.
class CounterFiles {
 public:
  // `group`: the whole path of its folder.
  CounterFiles(std::string group, const Monitoring& monitoring, std::shared_ptr<DescriptorBudget> budget);
  CounterFiles(CounterFiles&&) noexcept = default;
  CounterFiles& operator=(CounterFiles&&) = delete;
  CounterFiles(const CounterFiles&) = delete;
  CounterFiles& operator=(const CounterFiles&) = delete;
  ~CounterFiles();

  // By domain. nullopt where the group is no more. Domains that have come are found where `version` is
  // another than the last time; those that have gone are found always.
  [[nodiscard]] std::optional<std::vector<Reading>> read(uint64_t version);

 private:
  static constexpr size_t kKinds = 3;

  struct Counter {
    UniqueFd file;
    std::string path;  // where no file is kept open; empty where there is no such counter
  };
  struct DomainCounters {
    uint32_t domain;
    std::array<Counter, kKinds> counters;
  };

  bool find_counters();
  void close_all();
  [[nodiscard]] Counter open_counter(const std::string& path) const;
  // nullopt where a file is no more: the group, or a domain, has gone.
  [[nodiscard]] std::optional<std::vector<Reading>> read_all() const;

  std::string group_;
  std::array<const char*, kKinds> names_{};  // null: the processor does not have it
  std::shared_ptr<DescriptorBudget> budget_;
  std::optional<uint64_t> version_;
  std::vector<DomainCounters> domains_;
};

}  // namespace hm::rdt
