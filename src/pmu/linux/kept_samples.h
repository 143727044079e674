// SPDX-License-Identifier: MIT
// Selects the samples that had the requested event, for hardware that samples every operation (AMD's IBS).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/bytes.h"
#include "pmu/linux/perf_session.h"

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
  std::unordered_map<uint64_t, Filtered> filtered_;  // by event id; only events that drop samples
};

}  // namespace hm::linux_pmu
