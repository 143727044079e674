// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/answer/answer.h"
#include "app/query/comparison_query.h"
#include "app/query/overview.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"

namespace hm::cli {
namespace {

struct RunFlags {
  RecordingFlags recording;
  std::string baseline;  // empty: no comparison
  std::vector<std::string> limits;
  bool full_names = false;
};

// Returns nullopt if there is no baseline.
Result<std::optional<query::Gate>> read_gate(const RunFlags& flags) {
  if (flags.baseline.empty() && !flags.limits.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "--fail-above needs --baseline FILE");
  }
  if (flags.baseline.empty()) return std::optional<query::Gate>();
  Result<query::Gate> gate = query::read_gate({flags.baseline}, flags.limits);
  if (!gate) return gate.error();
  return std::optional(*std::move(gate));
}

Result<int> pass_gate(const query::Gate& gate, const profile::Profile& profile,
                      const symbol::Resolver& resolver, const std::string& path) {
  Result<diff::Recording> after = query::reduced(gate, profile, resolver, path);
  if (!after) return after.error();
  Result<diff::Diff> result = query::compare(gate, {*std::move(after)});
  if (!result) return result.error();
  if (Status written = write_output("\n"); !written) return written.error();
  return print_comparison(*result, {});
}

Result<int> run_and_report(const RunFlags& flags) {
  const std::string& path = flags.recording.output;
  if (path == "-")
    return make_error(ErrorCode::kInvalidArgument, "run reads its recording again, so -o must name a file");
  Result<std::optional<query::Gate>> gate = read_gate(flags);
  if (!gate) return gate.error();
  RecordingFlags recording = flags.recording;
  if (*gate && recording.program.detail.empty()) recording.program.detail = "exact";  // a gate needs counts
  Result<Recorded> recorded = make_recording(recording);
  if (!recorded) return recorded.error();
  if (!recorded->written) return recorded->status;
  query::OverviewOptions options;
  options.input = path;
  const symbol::FileResolver resolver;
  Result<query::Overview> overview = query::overview(options, resolver);
  if (!overview) return overview.error();
  Result<int> printed =
      print(answer::overview_text(*overview, path, output_style(flags.full_names)), recorded->status);
  if (!printed || !*gate) return printed;
  if (recorded->status != 0) {
    return fail(fmt::format("the program's exit status is {}: no comparison with {}", recorded->status,
                            flags.baseline),
                recorded->status);
  }
  return pass_gate(**gate, overview->profile, resolver, path);
}

}  // namespace

Run add_run(CommandLine& line) {
  auto flags = std::make_shared<RunFlags>();
  flags->recording.program.answers_first = true;
  flags->recording.sampling.software_call_chains = true;
  flags->recording.progress_hint = "Ctrl-C shows the result so far";
  add_making_options(line, flags->recording);
  line.add_option("--baseline", flags->baseline,
                  "compare with this baseline after the run (see hardmeter diff --save-baseline)")
      .type("FILE");
  add_limit_option(line, flags->limits);
  add_names_option(line, flags->full_names);
  return [flags] { return run_and_report(*flags); };
}

}  // namespace hm::cli
