// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/commands.h"
#include "cli/recording.h"

namespace hm::cli {
namespace {

Result<int> run_record(const RecordingOptions& options) {
  Result<Recorded> recorded = make_recording(options);
  if (!recorded) return recorded.error();
  return recorded->status;
}

}  // namespace

Run add_record(CommandLine& line) {
  auto options = std::make_shared<RecordingOptions>();
  add_making_options(line, *options);
  return [options] { return run_record(*options); };
}

}  // namespace hm::cli
