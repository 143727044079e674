// SPDX-License-Identifier: MIT
// Measures a command of a gate, and compares it with its baseline or makes a new baseline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/diff/diff.h"
#include "app/measure/record.h"
#include "app/query/comparison.h"
#include "base/result.h"

namespace hm::gate {

struct Command {
  std::string name;
  std::string folder;  // in which the program runs; empty: the current one
  measure::MeasureOptions what;
  measure::SamplingOptions sampling;
  std::vector<std::string> limits;  // in the format of diff::parse_limit()
  std::string baseline;             // file
};

// Returns the measured events and those of the limits, without duplicates: the events to show. Ignores
// invalid limits.
[[nodiscard]] std::vector<std::string> events_of(const Command& command);

// Reads the baseline and the limits. Fails with kInvalidArgument if a limit or the baseline is invalid or the
// baseline's file cannot be read, also if there is none.
[[nodiscard]] Result<query::Gate> read_gate(const Command& command);

struct Outcome {
  std::optional<diff::Diff> diff;        // of compare()
  std::optional<std::string> baseline;   // of make_baseline(): the text of the file
  std::vector<std::string> obstacles;    // sentences: what could not be measured
  std::optional<Error> error;            // why there is no result
  std::vector<std::string> last_output;  // last lines that the program wrote, if it failed
  bool interrupted = false;
};

// Both run the program with standard input from /dev/null and its output in a temporary file, so that a
// terminal or a pipe does not change what it executes. The program's failure is an error with kIo. Errors do
// not name the command. They change the current folder while the program runs: other threads must not use
// relative paths.
[[nodiscard]] Outcome compare(const Command& command, const query::Gate& gate,
                              const measure::Observer& observer);
[[nodiscard]] Outcome make_baseline(const Command& command, const measure::Observer& observer);

// Replaces or creates the file of the baseline and its folder, by a rename. Fails with kIo.
[[nodiscard]] Status save_baseline(const std::string& file, const std::string& text);

}  // namespace hm::gate
