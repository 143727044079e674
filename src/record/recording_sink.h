// SPDX-License-Identifier: MIT
// Receives a measurement's records. begin() is called before the measurement starts, finish() after it has
// ended, even if it failed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/event.h"
#include "record/features.h"

namespace hm::record {

// Values known when the measurement begins.
struct RecordingStart {
  std::vector<EventDescription> events;
  Features features;
  uint64_t ring_bytes = 0;  // size of the PMU's buffer; 0: unknown
  // Returns the features as of now; may be called only during the measurement. Null: use `features`.
  std::function<Features()> features_so_far{};
  bool has_descriptions = false;  // RecordingSink::describe() is called
  bool many_rings = false;  // records come ring by ring; between FINISHED_ROUNDs they are not in time order
};

struct SeveralFiles {
  std::vector<std::string> kept;  // oldest first; empty: there is only one file
  uint64_t written = 0;           // number of files written, including those removed since
};

class RecordingSink {
 public:
  RecordingSink() = default;
  RecordingSink(const RecordingSink&) = delete;
  RecordingSink& operator=(const RecordingSink&) = delete;
  virtual ~RecordingSink() = default;

  virtual Status begin(const RecordingStart& start) = 0;
  // Receives the current value of Features::hardmeter from time to time.
  virtual void describe(const std::string& /*hardmeter*/) {}
  // Takes whole records, as read from a ring. An error ends the measurement.
  virtual Status append(Bytes whole_records) = 0;
  virtual Status finish(const Features& features) = 0;

  // Returns the number of bytes written so far.
  [[nodiscard]] virtual uint64_t bytes() const = 0;

  // Returns true if the sink accepts no more samples, so that sources can stop taking them.
  [[nodiscard]] virtual bool is_full() const { return false; }
  // Returns the number of samples that were appended but are not in the recording.
  [[nodiscard]] virtual uint64_t dropped_samples() const { return 0; }
  // After finish(): returns the recording's files if they differ from the path that the caller passed.
  [[nodiscard]] virtual SeveralFiles files() const { return {}; }
};

}  // namespace hm::record
