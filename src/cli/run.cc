// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "analysis/cause/cause.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/recording_options.h"
#include "profile/lookup.h"
#include "symbol/file_resolver.h"
#include "view/text/causes.h"
#include "view/text/recording.h"
#include "view/text/report.h"

namespace hm::cli {
namespace {

constexpr size_t kRows = 10;

// The functions with the most samples, for each event.
Result<std::string> top_functions(const profile::Profile& profile, const symbol::Resolver& resolver) {
  std::string out;
  for (const profile::Event& event : profile.events) {
    hotspots::Options options;
    options.filter.events = {event.name};
    options.limit = kRows;
    Result<hotspots::Hotspots> top = hotspots::find_hotspots(profile, resolver, options);
    if (!top) return top.error();
    if (!top->rows.empty()) out += '\n' + text::hotspots_table(*top, output_style());
  }
  return out;
}

// Why the hottest places miss, of the first event of which that is known.
Result<std::string> top_causes(const profile::Profile& profile, const symbol::Resolver& resolver) {
  constexpr size_t kPlaces = 3;
  for (const profile::Event& event : profile.events) {
    cause::Options options;
    options.filter.events = {event.name};
    options.limit = kPlaces;
    Result<cause::Causes> top = cause::find_causes(profile, resolver, options);
    if (!top) return top.error();
    for (const cause::EventCauses& causes : top->events) {
      if (std::ranges::any_of(causes.places,
                              [](const cause::Place& place) { return place.advice.has_value(); }))
        return text::causes(*top, output_style());
    }
  }
  return std::string();
}

Status print_report(profile::Profile& profile, const symbol::Resolver& resolver, const std::string& path) {
  Result<std::string> functions = top_functions(profile, resolver);
  if (!functions) return functions.error();
  Result<std::string> causes = top_causes(profile, resolver);
  if (!causes) return causes.error();
  profile::take_problems(resolver, profile);
  return write_output(
      text::recording_header(profile, totals::find_totals(profile)) + *functions + *causes +
      fmt::format("\n# more: hardmeter explain -i {0}; hardmeter report -i {0}; hardmeter annotate -i {0}\n",
                  path));
}

struct RunOptions {
  RecordingOptions recording;
  std::string baseline;  // empty: nothing to compare with
  std::vector<std::string> limits;
};

struct Gate {
  diff::Recording baseline;
  std::vector<diff::Limit> limits;
};

// nullopt where there is nothing to compare with.
Result<std::optional<Gate>> read_gate(const RunOptions& options) {
  if (options.baseline.empty() && !options.limits.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--fail-above needs --baseline FILE, which says what was before");
  }
  if (options.baseline.empty()) return std::optional<Gate>();
  Result<std::vector<diff::Limit>> limits = parse_limits(options.limits);
  if (!limits) return limits.error();
  Result<diff::Recording> baseline = app::load_baseline(options.baseline);
  if (!baseline) return baseline.error();
  return std::optional(Gate{*std::move(baseline), *std::move(limits)});
}

Result<int> pass_gate(const profile::Profile& profile, const symbol::Resolver& resolver,
                      const std::string& path, const Gate& gate) {
  Result<diff::Recording> after =
      app::diff_recording(profile, resolver, app::keys_of_baseline(gate.baseline));
  if (!after) return after.error();
  after->name = path;
  diff::Options options;
  options.limits = gate.limits;
  Result<diff::Diff> result = diff::find_diff({&gate.baseline, 1}, {&*after, 1}, options);
  if (!result) return result.error();
  if (Status written = write_output("\n"); !written) return written.error();
  return print_comparison(*result, {}, false);
}

Result<int> run_run(const RunOptions& options) {
  const std::string& path = options.recording.output;
  if (path == "-")
    return make_error(ErrorCode::kInvalidArgument, "run reports from its recording, so -o must name a file");
  Result<std::optional<Gate>> gate = read_gate(options);
  if (!gate) return gate.error();
  Result<Recorded> recorded = make_recording(options.recording);
  if (!recorded) return recorded.error();
  if (!recorded->written) return recorded->status;
  profile::Needs needs = profile::kPlacesOnly;
  needs.details = needs.objects = true;
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = load_profile(path, resolver, needs);
  if (!profile) return profile.error();
  if (Status printed = print_report(*profile, resolver, path); !printed) return printed.error();
  if (!*gate) return recorded->status;
  if (recorded->status != 0) {
    return fail(fmt::format("the program's exit status is {}: not compared with {}", recorded->status,
                            options.baseline),
                recorded->status);
  }
  return pass_gate(*profile, resolver, path, **gate);
}

}  // namespace

Run add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  add_making_options(app, options->recording);
  app.add_option("--baseline", options->baseline,
                 "then compare with this baseline (hardmeter diff --save-baseline)")
      ->type_name("FILE");
  add_limit_option(app, options->limits);
  return [options] { return run_run(*options); };
}

}  // namespace hm::cli
