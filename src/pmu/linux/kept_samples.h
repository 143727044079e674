// SPDX-License-Identifier: MIT
// Filters the samples of hardware that samples every operation (AMD's IBS): keeps those with the requested
// event.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/bytes.h"
#include "pmu/linux/session.h"

namespace hm::linux_pmu {

class KeptSamples {
 public:
  explicit KeptSamples(const Session& session);

  // `sample`: a whole PERF_RECORD_SAMPLE of the session.
  [[nodiscard]] bool keeps(Bytes sample) const;

 private:
  struct Filtered {
    perf_event_attr attr;
    event::SampleFilter keep;
  };
  std::unordered_map<uint64_t, Filtered> filtered_;  // by id; only events that drop some samples
};

}  // namespace hm::linux_pmu
