// SPDX-License-Identifier: MIT
// Determines which threads use which bytes of a line that cores pass to each other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "profile/event_counts.h"
#include "profile/profile.h"
#include "record/extension.h"

namespace hm::cause {

inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint64_t kLineBytes = 64;  // line size assumed for recordings of all machines

// One thread's use of a byte range of a line.
struct LineUser {
  std::string thread;  // name and number
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string object;  // empty if unknown, as is `field`
  std::string field;
  bool writes = false;
  uint64_t samples = 0;
  uint64_t events = 0;  // estimated: the sum of the periods of `samples`
};

struct SharedLine {
  uint64_t address = 0;           // address of its first byte
  uint64_t samples = 0;           // samples of the event
  uint64_t events = 0;            // estimated
  std::vector<LineUser> users{};  // most events first
};

// Returns the sharing class of the misses in `own` on a line used by `all`. Considers pairs of sampled
// accesses by different threads with at least one write. True sharing if the bytes overlap in most pairs,
// else false sharing. kSharing if there is no pair.
[[nodiscard]] record::MissClass sharing_of(const SharedLine& own, const SharedLine& all);

// Returns true if the sampled access writes.
[[nodiscard]] bool writes(const profile::Samples& samples, size_t sample);

// Accumulates the samples on one line.
class LineTally {
 public:
  explicit LineTally(uint64_t line_bytes) : line_bytes_(line_bytes) {}

  void add(const profile::Profile& profile, size_t sample);
  [[nodiscard]] SharedLine describe(const profile::Profile& profile, uint64_t line) const;

 private:
  // Thread, offset, bytes, object, field, writes.
  using User = std::tuple<uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, bool>;

  uint64_t line_bytes_;
  std::map<User, profile::EventCount> counts_;
};

// Accumulates an event's samples on selected lines. Call watch() for all lines first, then add() for all
// samples.
class LineUses {
 public:
  explicit LineUses(uint64_t line_bytes) : line_bytes_(line_bytes) {}

  void watch(uint64_t line) { lines_.try_emplace(line, line_bytes_); }
  [[nodiscard]] bool empty() const { return lines_.empty(); }

  // Ignores samples without an address and samples on other lines.
  void add(const profile::Profile& profile, size_t sample);

  [[nodiscard]] SharedLine describe(const profile::Profile& profile, uint64_t line) const;

 private:
  uint64_t line_bytes_;
  std::map<uint64_t, LineTally> lines_;
};

}  // namespace hm::cause
