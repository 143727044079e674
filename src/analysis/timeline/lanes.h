// SPDX-License-Identifier: MIT
// The unit of a time line's row: a thread, a process or a CPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/timeline/tracks.h"

namespace hm::timeline {

enum class By { kThread, kProcess, kCpu };
[[nodiscard]] std::string_view name_of(By by);
[[nodiscard]] std::optional<By> by_named(std::string_view name);

struct LaneName {
  std::string text;             // "7 name" for a thread or process, "CPU 3" or "CPU not recorded" for a CPU
  std::optional<uint32_t> pid;  // nullopt for a CPU
  std::string program;          // file name of the executable, or the process's name; empty for a CPU
};

// Numbers the lanes that tracks belong to, from 0.
class LaneNumbers {
 public:
  LaneNumbers(const profile::Profile& profile, By by) : profile_(profile), by_(by) {}

  uint32_t of(const Track& track);
  [[nodiscard]] const std::vector<LaneName>& names() const { return names_; }

 private:
  const profile::Profile& profile_;
  By by_;
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<LaneName> names_;
};

}  // namespace hm::timeline
