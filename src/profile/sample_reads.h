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

// True if samples of the event hold counter values with ids (PERF_SAMPLE_READ): each sample then stands for
// what each counter gained since its previous value, and not for the event's period.
[[nodiscard]] bool reads_counters(const perf_event_attr& attr);

// What one counter counted between two samples that hold its value.
struct CounterGain {
  uint64_t id = 0;
  uint64_t events = 0;
};

// The values of counters that samples hold, as for a group of events of which only the leader samples
// (`perf record -e '{a,b}:S'`): the last value of each counter is its total until then.
class SampleReads {
 public:
  // Takes the values of the next sample in order of time. Returns the counters that gained anything since
  // their previous value, as deliver_sample_value() in Linux' tools/perf/util/session.c does. Valid until the
  // next call.
  const std::vector<CounterGain>& add(const perf_event_attr& attr, const record::Sample& sample);
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
  // By id, and by thread if each thread inherited a counter of its own under the same id; 0 otherwise.
  using Key = std::pair<uint64_t, uint32_t>;
  uint64_t take(const Key& key, Counter counter);

  std::map<Key, Counter> last_;
  std::vector<CounterGain> gains_;
};

}  // namespace hm::profile
