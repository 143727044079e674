// SPDX-License-Identifier: MIT
#include "app/export.h"

#include <memory>

#include "cli/commands.h"
#include "cli/recording_options.h"

namespace hm::cli {
namespace {

struct ExportOptions {
  std::string input = "perf.data";
  std::string format;
  std::string output = "-";
  std::string event;
  uint64_t most_samples = 0;
};

Result<int> run_export(const ExportOptions& chosen) {
  Result<app::Input> input = app::Input::open(chosen.input);
  if (!input) return input.error();
  dump::DumpOptions options{.path = chosen.output, .command = {}, .most_samples = {}};
  if (chosen.most_samples != 0) options.most_samples = chosen.most_samples;
  Result<uint64_t> samples = app::export_dump(*input, chosen.event, options);
  if (!samples) return samples.error();
  return 0;
}

}  // namespace

Run add_export(CommandLine& line) {
  auto options = std::make_shared<ExportOptions>();
  add_input_option(line, options->input);
  line.add_option(
          "--format", options->format,
          "ebs: a line of registers for each sample, as the original hardmeter dumped them; it can be read "
          "wherever a recording can")
      .one_of({"ebs"})
      .required();
  line.add_option("-o,--output", options->output,
                  "where to; an old file becomes FILE.old; - is standard output")
      .type("FILE")
      .show_default();
  line.add_option("-e,--event", options->event, "which of the recording's events").type("EVENT");
  line.add_option("-c,--count", options->most_samples, "the first so many samples (default: all)")
      .positive()
      .type("COUNT");
  return [options] { return run_export(*options); };
}

}  // namespace hm::cli
