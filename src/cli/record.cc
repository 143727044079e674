// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/commands.h"
#include "cli/recording.h"

namespace hm::cli {
namespace {

Result<int> run_record(const RecordingWords& words) {
  Result<Recorded> recorded = make_recording(words);
  if (!recorded) return recorded.error();
  return recorded->status;
}

}  // namespace

Run add_record(CommandLine& line) {
  auto words = std::make_shared<RecordingWords>();
  add_making_options(line, *words);
  add_rotation_option(line, words->file);
  // For `mcp`, which records as `run` does.
  auto as_run = std::make_shared<bool>(false);
  line.add_flag("--as-run", *as_run, "").hide();
  return [words, as_run] {
    if (*as_run) words->program.answers_first = words->sampling.software_call_chains = true;
    return run_record(*words);
  };
}

}  // namespace hm::cli
