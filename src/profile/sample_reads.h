// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "profile/profile.h"
#include "record/event.h"
#include "record/sample.h"

namespace hm::profile {

// Returns true if samples of the event hold counter values with ids (PERF_SAMPLE_READ). A sample then
// represents what each counter gained since its previous value, not the event's period.
[[nodiscard]] bool reads_counters(const perf_event_attr& attr);

// Number of events that one counter counted between two samples that hold its value.
struct CounterGain {
  uint64_t id = 0;
  uint64_t events = 0;
};

// The counter values in samples, as for an event group in which only the leader samples (`perf record -e
// '{a,b}:S'`). The last value of each counter is its total until then.
class SampleReads {
 public:
  // Takes the values of the next sample in order of time. Returns the counters that increased since their
  // previous value, as deliver_sample_value() in Linux' tools/perf/util/session.c does. The result is valid
  // until the next call.
  const std::vector<CounterGain>& add(const perf_event_attr& attr, const record::Sample& sample);
  // Adds totals for those events that have none in the recording.
  void add_totals(const std::vector<record::EventDescription>& events,
                  std::vector<ThreadTotal>& totals) const;

 private:
  struct Counter {
    uint32_t pid = 0;  // both UINT32_MAX: the counter counts on a CPU
    uint32_t tid = 0;
    uint64_t value = 0;
    uint64_t time_enabled_ns = 0;
    uint64_t time_running_ns = 0;
  };
  // Counter id, and the thread if each thread inherited its own counter under the same id; otherwise 0.
  using Key = std::pair<uint64_t, uint32_t>;
  uint64_t take(const Key& key, Counter counter);

  std::map<Key, Counter> last_;
  std::vector<CounterGain> gains_;
};

}  // namespace hm::profile
