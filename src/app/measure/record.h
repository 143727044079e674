// SPDX-License-Identifier: MIT
// Measuring, from plain options to a recording or to counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/totals/counting.h"
#include "app/measure/loop.h"
#include "app/measure/options.h"
#include "base/result.h"
#include "record/perf_data_sink.h"
#include "record/recording_sink.h"
#include "record/rotating_sink.h"

namespace hm::measure {

struct RecordOptions {
  MeasureOptions what;
  SamplingOptions sampling;
  std::string output = "perf.data";          // an old one becomes FILE.old; - is standard output
  record::FileOptions file;                  // of `output`
  std::optional<record::Rotation> rotation;  // several files instead of `output`
  record::RecordingSink* sink = nullptr;     // takes the records instead; null: `output` does
  std::vector<std::string> command_line;     // of whoever records, for the recording to tell
};

struct Recorded {
  std::optional<pmu::Refusal> refusal;  // nothing was run then, and there is nothing else
  pmu::Outcome outcome;
  pmu::CommandEnd command;
  pmu::Progress progress;
  uint64_t bytes = 0;                  // of the recording
  std::string_view title;              // "[ TITLE: REASON ]"
  record::SeveralFiles files;          // of a recording in several
  std::optional<std::string> stopped;  // why it has not the whole run, though the program went on
  std::string reason;                  // why this source measured; empty where the user chose himself
  pmu::Report report;
  std::optional<record::CpuUse> cpu;  // the target's; nullopt: not known
};

// Samples the target until it is over.
[[nodiscard]] Result<Recorded> make_recording(const RecordOptions& options, const Observer& observer);

struct Counted {
  std::optional<pmu::Refusal> refusal;  // likewise
  pmu::Outcome outcome;
  pmu::CommandEnd command;
  totals::Counting counting;
  std::vector<std::string> obstacles;  // sentences
};

// Counts the events of the target until it is over; takes no samples.
[[nodiscard]] Result<Counted> count_events(const MeasureOptions& options, const Observer& observer);

}  // namespace hm::measure
