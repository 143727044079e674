// SPDX-License-Identifier: MIT
// Making a recording, as a user sees it: what `record`, `run` and `ebs` share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/record.h"
#include "cli/file_options.h"
#include "cli/program_options.h"

namespace hm::cli {

struct RecordingWords {
  ProgramWords program;
  measure::SamplingOptions sampling;
  std::string output = "perf.data";
  FileWords file;
  std::string until;  // as measure::parse_percent() reads it; empty: to the target's end
  bool quiet = false;
};

// Every option of `record` but --rotate.
void add_making_options(CommandLine& line, RecordingWords& words);

struct Recorded {
  int status = 0;        // for hardmeter to end with: the program's own, or why it was not run
  bool written = false;  // there is a recording
};

// Measures the target and writes the recording; says on standard error how it goes and what it came to.
// `quiet`: only what could not be measured. `until`: to what shares are to be known (live::record_until); 0:
// it is recorded until the target is over.
[[nodiscard]] Result<Recorded> record_and_tell(measure::RecordOptions options, bool quiet, double until = 0);

// The same of words.
[[nodiscard]] Result<Recorded> make_recording(const RecordingWords& words);

// Of a command that tells of a recording, or runs a program first and tells of that: the program's own
// options, -i, -c, -o and -q.
void add_recorded_or_run_options(CommandLine& line, std::string& input, RecordingWords& words);
// Runs the program, with these events where the user names none, and then what tells of its recording, which
// gets the status to end with.
[[nodiscard]] Result<int> record_first(RecordingWords& words, std::string_view usual_events,
                                       const std::function<Result<int>(int status)>& tell);

// What a measurement looks at to know whether the user wants it to end: from now on interruptions are
// counted.
[[nodiscard]] measure::Observer interruptible_observer();

}  // namespace hm::cli
