// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/commands.h"
#include "cli/recording.h"

namespace hm::cli {
namespace {

Result<int> run_record(const RecordingFlags& flags) {
  Result<Recorded> recorded = make_recording(flags);
  if (!recorded) return recorded.error();
  return recorded->status;
}

}  // namespace

Run add_record(CommandLine& line) {
  auto flags = std::make_shared<RecordingFlags>();
  add_making_options(line, *flags);
  add_rotation_option(line, flags->file);
  // For `mcp`, which records as `run` does.
  auto as_run = std::make_shared<bool>(false);
  line.add_flag("--as-run", *as_run, "").hide();
  return [flags, as_run] {
    if (*as_run) flags->program.answers_first = flags->sampling.software_call_chains = true;
    return run_record(*flags);
  };
}

}  // namespace hm::cli
