// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pmu/rdt/resctrl.h"

namespace hm::rdt {

// Paths below resctrl's root.
struct ThreadPlace {
  std::string control;  // "": the root's
  std::string monitor;  // "": in none of its monitor groups

  bool operator==(const ThreadPlace&) const = default;
};

// Parses /proc/TID/cpu_resctrl_groups: "res:/\nmon:NAME\n". Returns nullopt if resctrl is not mounted.
[[nodiscard]] std::optional<ThreadPlace> parse_thread_place(std::string_view text);

// Finds the groups of threads: from /proc/TID/cpu_resctrl_groups (since Linux 5.6), or else from the groups'
// own lists.
class ThreadPlaces {
 public:
  // Groups for which `is_own` is true are not read. There may be hundreds, and for each list the kernel walks
  // all existing threads.
  ThreadPlaces(const Resctrl& resctrl, std::string proc, std::function<bool(const std::string&)> is_own)
      : resctrl_(resctrl), proc_(std::move(proc)), is_own_(std::move(is_own)) {}

  [[nodiscard]] ThreadPlace find(pid_t thread);
  // Drops the cached lists, which may be out of date.
  void forget() { listed_.reset(); }

 private:
  using Places = std::unordered_map<pid_t, ThreadPlace>;
  [[nodiscard]] Places list() const;

  const Resctrl& resctrl_;
  std::string proc_;
  std::function<bool(const std::string&)> is_own_;
  std::optional<Places> listed_;
};

}  // namespace hm::rdt
