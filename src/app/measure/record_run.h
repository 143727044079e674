// SPDX-License-Identifier: MIT
// Makes a recording or counts events, from plain options.
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
  std::string output = "perf.data";          // an existing file becomes FILE.old; "-" is standard output
  record::FileOptions file;                  // options of `output`
  std::optional<record::Rotation> rotation;  // several files instead of `output`
  record::RecordingSink* sink = nullptr;  // receives the records instead of `output`; null: write to `output`
  std::vector<std::string> command_line;  // command line of the recording program, stored in the recording
};

struct Recorded {
  std::optional<pmu::Refusal> refusal;  // if set, nothing was run and the other members are empty
  pmu::Outcome outcome;
  pmu::CommandEnd command;
  pmu::Progress progress;
  uint64_t bytes = 0;                  // size of the recording
  std::string_view title;              // title of `reason`: "[ TITLE: REASON ]"
  record::SeveralFiles files;          // for a recording in several files
  std::optional<std::string> stopped;  // reason why the recording ended before the program
  std::string reason;                  // reason for the choice of the source; empty if the user chose it
  pmu::Report report;
  std::optional<record::CpuUse> cpu;  // CPU use of the target; nullopt: unknown
};

// Samples the target until it ends.
[[nodiscard]] Result<Recorded> make_recording(const RecordOptions& options, const Observer& observer);

struct Counted {
  std::optional<pmu::Refusal> refusal;  // if set, nothing was run and the other members are empty
  pmu::Outcome outcome;
  pmu::CommandEnd command;
  totals::Counting counting;
  std::vector<std::string> obstacles;  // sentences
};

// Counts the events of the target until it ends; takes no samples.
[[nodiscard]] Result<Counted> count_events(const MeasureOptions& options, const Observer& observer);

}  // namespace hm::measure
