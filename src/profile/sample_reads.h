// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profile/profile.h"
#include "record/event.h"
#include "record/sample.h"

namespace hm::profile {

// The counters' values that samples hold (PERF_SAMPLE_READ), as of a group that one event of samples: the
// last of each counter is its total until then.
class SampleReads {
 public:
  void add(const record::Sample& sample);
  // Of later samples.
  void add(const SampleReads& later);
  // Adds the totals of the events of which the recording has none.
  void add_totals(const std::vector<record::EventDescription>& events,
                  std::vector<ThreadTotal>& totals) const;

 private:
  struct Counter {
    uint32_t pid = 0;  // both UINT32_MAX: it counts on a CPU
    uint32_t tid = 0;
    uint64_t value = 0;
    uint64_t time_enabled_ns = 0;
    uint64_t time_running_ns = 0;
  };
  void add(uint64_t id, Counter counter);

  std::unordered_map<uint64_t, Counter> last_;  // by id
};

}  // namespace hm::profile
