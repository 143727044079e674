// SPDX-License-Identifier: MIT
// Making a recording, shared by `record`, `run` and `ebs`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/record_run.h"
#include "cli/file_options.h"
#include "cli/program_options.h"

namespace hm::cli {

// The options of `record` as typed, also of other commands that record.
struct RecordingFlags {
  ProgramFlags program;
  measure::SamplingOptions sampling;
  std::string output = "perf.data";
  FileFlags file;
  std::string until;  // in the format of measure::parse_percent(); empty: until the target ends
  bool quiet = false;
  std::string_view progress_hint;  // what an interrupt does, shown beside the progress
};

// Adds every option of `record` except --rotate.
void add_making_options(CommandLine& line, RecordingFlags& flags);

struct Recorded {
  int status = 0;        // exit status of hardmeter: the program's own, or that of a failed start
  bool written = false;  // a recording was written
};

// Measures the target and writes the recording. Reports progress and the result on standard error; with
// `quiet` only what could not be measured. `until` is the precision at which to stop (live::record_until); 0:
// record until the target ends. `hint` is shown beside the progress.
[[nodiscard]] Result<Recorded> record_and_report(measure::RecordOptions options, bool quiet, double until = 0,
                                                 std::string_view hint = {});

// Same as record_and_report(), with the options as typed.
[[nodiscard]] Result<Recorded> make_recording(const RecordingFlags& flags);

// Adds the options of a command that reports on a recording, or first runs a program and reports on it: the
// program's own options, -i, -c, -o and -q.
void add_recorded_or_run_options(CommandLine& line, std::string& input, RecordingFlags& flags);
// Runs the program with `usual_events`, unless the user names events, and then calls `report` with the
// program's exit status.
[[nodiscard]] Result<int> record_first(RecordingFlags& flags, std::string_view usual_events,
                                       const std::function<Result<int>(int status)>& report);

// Returns an observer that ends a measurement when the user interrupts it. Counts interrupts from now on.
[[nodiscard]] measure::Observer interruptible_observer();

}  // namespace hm::cli
