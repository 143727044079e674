// SPDX-License-Identifier: MIT
// Who uses which bytes of a line that several cores hand to each other.
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
inline constexpr uint64_t kLineBytes = 64;  // what recordings of all machines are read by

// Of one line: who, and which of its bytes.
struct LineUser {
  std::string thread;  // its name and number
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string object;  // and field, where known; likewise
  std::string field;
  bool writes = false;
  uint64_t samples = 0;
  uint64_t events = 0;  // estimated: the sum of the periods of `samples`
};

struct SharedLine {
  uint64_t address = 0;           // of its first byte
  uint64_t samples = 0;           // of the event
  uint64_t events = 0;            // estimated
  std::vector<LineUser> users{};  // most events first
};

// Why `own` users miss a line that `all` use: of true sharing where most of what other threads write, or read
// of what these write, are the same bytes, else of false sharing; kSharing where no such thread was seen.
[[nodiscard]] record::MissClass sharing_of(const SharedLine& own, const SharedLine& all);

// Whether the sampled access writes.
[[nodiscard]] bool writes(const profile::Samples& samples, size_t sample);

// The samples on one line.
class LineTally {
 public:
  explicit LineTally(uint64_t line_bytes) : line_bytes_(line_bytes) {}

  void add(const profile::Profile& profile, size_t sample);
  [[nodiscard]] SharedLine describe(const profile::Profile& profile, uint64_t line) const;

 private:
  // Thread, offset, bytes, object, field, whether it writes.
  using User = std::tuple<uint32_t, uint64_t, uint64_t, uint32_t, uint32_t, bool>;

  uint64_t line_bytes_;
  std::map<User, profile::EventCount> counts_;
};

// The samples of an event on a few lines: first all lines are watched that are to be described, then all
// samples are added.
class LineUses {
 public:
  explicit LineUses(uint64_t line_bytes) : line_bytes_(line_bytes) {}

  void watch(uint64_t line) { lines_.try_emplace(line, line_bytes_); }
  [[nodiscard]] bool empty() const { return lines_.empty(); }

  // A sample elsewhere, or without an address, is passed over.
  void add(const profile::Profile& profile, size_t sample);

  [[nodiscard]] SharedLine describe(const profile::Profile& profile, uint64_t line) const;

 private:
  uint64_t line_bytes_;
  std::map<uint64_t, LineTally> lines_;
};

}  // namespace hm::cause
