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

// What /proc/TID/cpu_resctrl_groups says: "res:/\nmon:NAME\n". nullopt where resctrl is not mounted.
[[nodiscard]] std::optional<ThreadPlace> parse_thread_place(std::string_view text);

// In which groups threads are: from /proc/TID/cpu_resctrl_groups (since Linux 5.6), else from the groups' own
// lists.
class ThreadPlaces {
 public:
  // Groups that `is_own` names are not looked into: there may be hundreds, and a list of threads costs the
  // kernel a walk over all that there are.
  ThreadPlaces(const Resctrl& resctrl, std::string proc, std::function<bool(const std::string&)> is_own)
      : resctrl_(resctrl), proc_(std::move(proc)), is_own_(std::move(is_own)) {}

  [[nodiscard]] ThreadPlace find(pid_t thread);
  // What the groups' lists said may be out of date from now on.
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
