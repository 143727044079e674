// SPDX-License-Identifier: MIT
#include "pmu/linux/kept_samples.h"

#include <cstring>

#include "record/sample.h"

namespace hm::linux_pmu {

KeptSamples::KeptSamples(const Session& session) {
  for (const OpenEvent& event : session.events()) {
    if (event.event.keep.keeps_all()) continue;
    for (const Counter& counter : event.counters)
      filtered_.emplace(counter.id, Filtered{event.attr, event.event.keep});
  }
}

bool KeptSamples::keeps(Bytes sample) const {
  if (filtered_.empty() || sample.size() < sizeof(perf_event_header) + sizeof(uint64_t)) return true;
  Bytes payload = sample.subspan(sizeof(perf_event_header));
  uint64_t id = 0;
  std::memcpy(&id, payload.data(), sizeof id);
  auto filtered = filtered_.find(id);
  if (filtered == filtered_.end()) return true;
  Result<record::Sample> decoded = record::decode_sample(filtered->second.attr, payload, false);
  return decoded.ok() && event::keeps(filtered->second.keep, decoded->data_source);
}

}  // namespace hm::linux_pmu
