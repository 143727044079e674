// SPDX-License-Identifier: MIT
// Making a recording, as a user sees it: what `record` and `run` share.
#pragma once

#include <string>
#include <vector>

#include "cli/program_options.h"
#include "record/recording_sink.h"

namespace hm::cli {

struct RecordingOptions {
  ProgramOptions program;
  SamplingOptions sampling;
  std::string output = "perf.data";
  bool quiet = false;
  record::RecordingSink* sink = nullptr;  // takes the samples; null: the recording `output`
};

// Every option of `record`.
void add_making_options(CommandLine& line, RecordingOptions& options);

struct Recorded {
  int status = 0;        // for hardmeter to end with: the program's own, or why it was not run
  bool written = false;  // there is a recording
};

// Measures the target and writes the recording; says on standard error how it goes and what it came to.
[[nodiscard]] Result<Recorded> make_recording(const RecordingOptions& options);

// The same of what was made of the words already.
[[nodiscard]] Result<Recorded> record_measurement(const Measurement& measurement,
                                                  const RecordingOptions& options);

inline constexpr const char* kInterruptedRecording =
    "hardmeter: interrupted; what was measured until then is recorded\n";

// "[ hardmeter record: ... ]"
[[nodiscard]] std::string recording_summary(uint64_t samples, uint64_t bytes, const std::string& output);
[[nodiscard]] std::vector<std::string> own_command_line();

}  // namespace hm::cli
