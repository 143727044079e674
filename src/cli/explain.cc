// SPDX-License-Identifier: MIT
#include <memory>

#include "analysis/cause/cause.h"
#include "analysis/totals/totals.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/causes.h"
#include "view/text/causes.h"
#include "view/text/recording.h"

namespace hm::cli {
namespace {

struct ExplainOptions {
  std::string input = "perf.data";
  bool json = false;
  bool raw_ip = false;
  double min_percent = 1;
  cause::Options cause;
};

Result<int> run_explain(const ExplainOptions& chosen) {
  cause::Options options = chosen.cause;
  options.min_share = chosen.min_percent / 100;
  profile::Needs needs = profile::kPlacesOnly;
  needs.details = needs.objects = true;
  Result<profile::Profile> profile = load_profile(chosen.input, needs, chosen.raw_ip);
  if (!profile.ok()) return profile.error();
  Result<cause::Causes> result = cause::find_causes(*profile, options);
  if (!result.ok()) return result.error();
  std::string out = chosen.json ? json::causes_json(*profile, *result)
                                : text::recording_header(*profile, totals::find_totals(*profile)) +
                                      text::causes(*result, output_style());
  if (Status written = write_output(out); !written.ok()) return written.error();
  return 0;
}

}  // namespace

Run add_explain(CommandLine& line) {
  auto options = std::make_shared<ExplainOptions>();
  add_input_option(line, options->input);
  add_format_options(line, options->json);
  add_raw_ip_option(line, options->raw_ip);
  add_filter_options(line, options->cause.filter);
  line.add_option("-S,--function", options->cause.filter.function, "only this function");
  line.add_option("--limit", options->cause.limit, "at most this many places of each event; 0 is all")
      .show_default();
  line.add_option("--min-share", options->min_percent,
                  "leave out places with less of the event's samples, in per cent")
      .between(0.0, 100.0)
      .show_default();
  return [options] { return run_explain(*options); };
}

}  // namespace hm::cli
