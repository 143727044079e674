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
  return [words] { return run_record(*words); };
}

}  // namespace hm::cli
