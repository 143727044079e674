// SPDX-License-Identifier: MIT
// Measures a command of a gate, and compares it with its baselines or makes new ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/diff/profile_diff.h"
#include "app/measure/record_run.h"
#include "app/query/comparison_query.h"
#include "base/result.h"

namespace hm::gate {

struct Command {
  std::string name;
  std::string folder;  // in which the program runs; empty: the current one
  measure::MeasureOptions what;
  measure::SamplingOptions sampling;
  std::vector<std::string> limits;  // in the format of diff::parse_limit()
  std::string baseline;             // file, of the first memory layout
  // Number of memory layouts in which the program runs. The further ones have their own baselines
  // (baseline_files()).
  uint64_t layouts = 1;
};

// Returns the file of each layout's baseline: "table.json", "table@1.json", "table@2.json".
[[nodiscard]] std::vector<std::string> baseline_files(const Command& command);

// Returns the measured events and those of the limits, without duplicates: the events to show. Ignores
// invalid limits.
[[nodiscard]] std::vector<std::string> events_of(const Command& command);

// Reads the baselines and the limits. Fails with kInvalidArgument if a limit or a baseline is invalid or a
// baseline's file cannot be read, also if there is none.
[[nodiscard]] Result<query::Gate> read_gate(const Command& command);

struct Outcome {
  std::optional<diff::Diff> diff;        // of compare()
  std::vector<std::string> baselines;    // of make_baselines(): the texts of baseline_files()
  std::vector<std::string> obstacles;    // sentences: what could not be measured
  std::optional<Error> error;            // why there is no result
  std::vector<std::string> last_output;  // last lines that the program wrote, if it failed
  bool interrupted = false;
};

// Both run the program once in each memory layout, with standard input from /dev/null and its output in a
// temporary file, so that a terminal or a pipe does not change its behaviour. The program's failure is an
// error with kIo. Errors do not name the command. They change the current folder while the program runs:
// other threads must not use relative paths.
[[nodiscard]] Outcome compare(const Command& command, const query::Gate& gate,
                              const measure::Observer& observer);
[[nodiscard]] Outcome make_baselines(const Command& command, const measure::Observer& observer);

// Replaces or creates the file of the baseline and its folder, by a rename. Fails with kIo.
[[nodiscard]] Status save_baseline(const std::string& file, const std::string& text);

}  // namespace hm::gate
