// SPDX-License-Identifier: MIT
// Where a measurement's records go. It is begun when the measurement is about to begin, and finished however
// that ended.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/event.h"
#include "record/features.h"

namespace hm::record {

// What is known when it begins.
struct RecordingStart {
  std::vector<EventDescription> events;
  Features features;
  uint64_t ring_bytes = 0;  // what the PMU keeps until somebody takes it; 0: not known
  // What would be known if it ended now; to be called only while it is measured. Null: `features`.
  std::function<Features()> features_so_far{};
  bool many_rings = false;  // records come ring by ring, and between FINISHED_ROUNDs not in order of time
};

struct SeveralFiles {
  std::vector<std::string> kept;  // the oldest first; empty: there is one file
  uint64_t written = 0;           // those that were removed included
};

class RecordingSink {
 public:
  RecordingSink() = default;
  RecordingSink(const RecordingSink&) = delete;
  RecordingSink& operator=(const RecordingSink&) = delete;
  virtual ~RecordingSink() = default;

  virtual Status begin(const RecordingStart& start) = 0;
  // What Features::hardmeter would say if it ended now; told now and then.
  virtual void describe(const std::string& /*hardmeter*/) {}
  // Whole records, as a ring gives them. An error ends the measurement.
  virtual Status append(Bytes whole_records) = 0;
  virtual Status finish(const Features& features) = 0;

  // So far.
  [[nodiscard]] virtual uint64_t bytes() const = 0;

  // True once it takes no more samples: then sources need not take any.
  [[nodiscard]] virtual bool is_full() const { return false; }
  // Samples that are not in the recording though they were appended.
  [[nodiscard]] virtual uint64_t dropped_samples() const { return 0; }
  // After finish(): where the recording is, if that is not where the caller said.
  [[nodiscard]] virtual SeveralFiles files() const { return {}; }
};

}  // namespace hm::record
