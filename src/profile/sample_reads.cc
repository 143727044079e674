// SPDX-License-Identifier: MIT
#include "profile/sample_reads.h"

#include <linux/perf_event.h>

namespace hm::profile {

bool reads_counters(const perf_event_attr& attr) {
  return (attr.sample_type & PERF_SAMPLE_READ) != 0 && (attr.read_format & PERF_FORMAT_ID) != 0;
}

const std::vector<CounterGain>& SampleReads::add(const perf_event_attr& attr, const record::Sample& sample) {
  gains_.clear();
  if (!reads_counters(attr)) return gains_;
  bool per_thread = attr.inherit != 0 && sample.has(PERF_SAMPLE_TID);
  for (size_t i = 0; i < sample.read.size(); ++i) {
    record::ReadValue value = sample.read[i];
    uint64_t gain =
        take({value.id, per_thread ? sample.tid : 0},
             {sample.pid, sample.tid, value.value, sample.read.time_enabled_ns, sample.read.time_running_ns});
    if (gain > 0) gains_.push_back({value.id, gain});
  }
  return gains_;
}

// A counter with samples from several threads counts on a CPU. A value below the previous one is older:
// records of the same moment may be out of order.
uint64_t SampleReads::take(const Key& key, Counter counter) {
  auto [found, is_new] = last_.try_emplace(key, counter);
  if (is_new) return counter.value;
  Counter& last = found->second;
  if (counter.value < last.value) return 0;
  bool same = last.pid == counter.pid && last.tid == counter.tid;
  if (!same) counter.pid = counter.tid = UINT32_MAX;
  uint64_t gain = counter.value - last.value;
  last = counter;
  return gain;
}

void SampleReads::add_totals(const std::vector<record::EventDescription>& events,
                             std::vector<ThreadTotal>& totals) const {
  std::vector<bool> known(events.size());
  for (const ThreadTotal& total : totals) known[total.event] = true;
  for (uint32_t event = 0; event < events.size(); ++event) {
    if (known[event]) continue;
    for (uint64_t id : events[event].ids) {
      for (auto found = last_.lower_bound({id, 0}); found != last_.end() && found->first.first == id;
           ++found) {
        const Counter& counter = found->second;
        totals.push_back({event, counter.pid, counter.tid, counter.value, counter.time_enabled_ns,
                          counter.time_running_ns});
      }
    }
  }
}

}  // namespace hm::profile
