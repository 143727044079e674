// SPDX-License-Identifier: MIT
#include "cli/comparison.h"

#include <algorithm>

#include "cli/output.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"
#include "view/json/diff.h"

namespace hm::cli {

void add_limit_option(CLI::App& app, std::vector<std::string>& specs) {
  app.add_option("--fail-above", specs,
                 "exit with 3 where an event grew by more: EVENT:2%, EVENT:+5000, EVENT@FUNCTION:10%, "
                 "EVENT/kinst:+0.5 (of every 1000 instructions); may be given several times")
      ->type_name("SPEC")
      ->allow_extra_args(false);
}

Result<std::vector<diff::Limit>> parse_limits(const std::vector<std::string>& specs) {
  std::vector<diff::Limit> limits;
  for (const std::string& spec : specs) {
    Result<diff::Limit> limit = diff::parse_limit(spec);
    if (!limit) return limit.error();
    limits.push_back(*std::move(limit));
  }
  return limits;
}

Result<diff::Recording> load_diff_input(const std::string& path, const std::vector<hotspots::SortKey>& keys,
                                        bool raw_ip) {
  if (app::is_baseline(path)) return app::load_baseline(path);
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = load_profile(path, resolver, profile::kPlacesOnly, raw_ip);
  if (!profile) return profile.error();
  Result<diff::Recording> recording = app::diff_recording(*profile, resolver, keys);
  if (recording) recording->name = path;
  return recording;
}

Result<int> print_comparison(const diff::Diff& result, const text::DiffView& view, bool json) {
  std::string out = json ? json::diff_json(result) : text::diff_report(result, view, output_style());
  if (Status written = write_output(out); !written) return written.error();
  write_message(text::limit_messages(result));
  bool exceeded = std::ranges::any_of(
      result.checks, [](const diff::Check& check) { return check.verdict == diff::Verdict::kExceeded; });
  return exceeded ? kLimitExceeded : 0;
}

}  // namespace hm::cli
