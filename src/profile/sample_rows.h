// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "profile/sample_reads.h"
#include "record/reader.h"

namespace hm::profile {

// Expands a record into samples: one of its own event, or, if it holds counter values (reads_counters), one
// for each event with a counter that increased; the increase becomes the period.
class SampleRows {
 public:
  explicit SampleRows(const record::Reader& reader) : reader_(reader) {}

  // Calls visit(EVENT) for each resulting sample, with `sample` changed accordingly. Must be called in order
  // of time. Returns the number of counters that belong to no event of the recording.
  template <typename F>
  uint64_t visit(size_t event, record::Sample& sample, F&& visit) {
    const perf_event_attr& attr = reader_.events()[event].attr;
    if (!reads_counters(attr)) {
      visit(event);
      return 0;
    }
    uint64_t of_no_event = 0;
    sample.type |= PERF_SAMPLE_PERIOD;
    for (const CounterGain& gain : reads_.add(attr, sample)) {
      std::optional<size_t> counted = reader_.event_of_id(gain.id);
      sample.period = gain.events;
      counted ? visit(*counted) : void(++of_no_event);
    }
    return of_no_event;
  }

  // Returns the counter totals derived from the samples.
  [[nodiscard]] SampleReads take_reads() { return std::move(reads_); }

 private:
  const record::Reader& reader_;
  SampleReads reads_;
};

}  // namespace hm::profile
