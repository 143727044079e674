// SPDX-License-Identifier: MIT
#include "profile/sample_reads.h"

#include <linux/perf_event.h>

namespace hm::profile {

void SampleReads::add(const record::Sample& sample) {
  if (!sample.has(PERF_SAMPLE_READ) || (sample.read.format() & PERF_FORMAT_ID) == 0) return;
  for (size_t i = 0; i < sample.read.size(); ++i) {
    record::ReadValue value = sample.read[i];
    add(value.id,
        {sample.pid, sample.tid, value.value, sample.read.time_enabled_ns, sample.read.time_running_ns});
  }
}

void SampleReads::add(const SampleReads& later) {
  for (const auto& [id, counter] : later.last_) add(id, counter);
}

// A counter that several threads were sampled by counts on a CPU.
void SampleReads::add(uint64_t id, Counter counter) {
  auto [found, is_new] = last_.try_emplace(id, counter);
  if (is_new) return;
  bool same = found->second.pid == counter.pid && found->second.tid == counter.tid;
  if (!same) counter.pid = counter.tid = UINT32_MAX;
  found->second = counter;
}

void SampleReads::add_totals(const std::vector<record::EventDescription>& events,
                             std::vector<ThreadTotal>& totals) const {
  std::vector<bool> known(events.size());
  for (const ThreadTotal& total : totals) known[total.event] = true;
  for (uint32_t event = 0; event < events.size(); ++event) {
    if (known[event]) continue;
    for (uint64_t id : events[event].ids) {
      auto found = last_.find(id);
      if (found == last_.end()) continue;
      const Counter& counter = found->second;
      totals.push_back(
          {event, counter.pid, counter.tid, counter.value, counter.time_enabled_ns, counter.time_running_ns});
    }
  }
}

}  // namespace hm::profile
