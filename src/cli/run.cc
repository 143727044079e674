// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/answer/answer.h"
#include "app/query/comparison.h"
#include "app/query/overview.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"

namespace hm::cli {
namespace {

struct RunWords {
  RecordingWords recording;
  std::string baseline;  // empty: no comparison
  std::vector<std::string> limits;
  bool full_names = false;
};

// Returns nullopt if there is no baseline.
Result<std::optional<query::Gate>> read_gate(const RunWords& words) {
  if (words.baseline.empty() && !words.limits.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "--fail-above needs --baseline FILE");
  }
  if (words.baseline.empty()) return std::optional<query::Gate>();
  Result<query::Gate> gate = query::read_gate({words.baseline}, words.limits);
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

Result<int> run_and_report(const RunWords& words) {
  const std::string& path = words.recording.output;
  if (path == "-")
    return make_error(ErrorCode::kInvalidArgument, "run reads its recording again, so -o must name a file");
  Result<std::optional<query::Gate>> gate = read_gate(words);
  if (!gate) return gate.error();
  RecordingWords recording = words.recording;
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
      print(answer::overview_text(*overview, path, output_style(words.full_names)), recorded->status);
  if (!printed || !*gate) return printed;
  if (recorded->status != 0) {
    return fail(fmt::format("the program's exit status is {}: no comparison with {}", recorded->status,
                            words.baseline),
                recorded->status);
  }
  return pass_gate(**gate, overview->profile, resolver, path);
}

}  // namespace

Run add_run(CommandLine& line) {
  auto words = std::make_shared<RunWords>();
  words->recording.program.answers_first = true;
  words->recording.sampling.software_call_chains = true;
  words->recording.progress_hint = "Ctrl-C shows the result so far";
  add_making_options(line, words->recording);
  line.add_option("--baseline", words->baseline,
                  "compare with this baseline after the run (see hardmeter diff --save-baseline)")
      .type("FILE");
  add_limit_option(line, words->limits);
  add_names_option(line, words->full_names);
  return [words] { return run_and_report(*words); };
}

}  // namespace hm::cli
