// SPDX-License-Identifier: MIT
#include "analysis/diff/diff.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "analysis/diff/baseline.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/output.h"
#include "cli/recording_options.h"

namespace hm::cli {
namespace {

constexpr double kDefaultMinShare = 0.5;

struct DiffOptions {
  std::vector<std::string> sides;  // each a file, or several with commas between
  std::string sort;                // empty: a baseline's, else by function
  std::vector<std::string> limits;
  std::string save;
  double min_share = kDefaultMinShare;  // per cent
  bool any_dso = false;
  bool raw_ip = false;
  bool json = false;
  diff::Options diff;
  text::DiffView view;
};

// "a,b,c", unless there is a file with that very name.
std::vector<std::string> files_of(const std::string& side) {
  std::error_code error;
  if (std::filesystem::exists(side, error)) return {side};
  std::vector<std::string> files;
  for (size_t begin = 0; begin <= side.size();) {
    size_t end = std::min(side.find(',', begin), side.size());
    files.push_back(side.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

// By what rows are: as the user says, else as in the first baseline among the files.
Result<std::vector<hotspots::SortKey>> row_keys(const DiffOptions& options,
                                                const std::vector<std::string>& files) {
  auto baseline = std::ranges::find_if(files, app::is_baseline);
  if (options.sort.empty() && baseline != files.end()) {
    Result<diff::Recording> loaded = app::load_baseline(*baseline);
    if (!loaded) return loaded.error();
    std::vector<hotspots::SortKey> keys = app::keys_of_baseline(*loaded);
    if (options.any_dso && std::ranges::find(keys, hotspots::SortKey::kDso) != keys.end()) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "the rows of the baseline {} are by dso, too; --any-dso has to be given where it is saved",
          *baseline);
    }
    return keys;
  }
  Result<std::vector<hotspots::SortKey>> keys =
      hotspots::parse_sort_keys(options.sort.empty() ? "function" : options.sort);
  if (!keys) return keys.error();
  return app::diff_keys(*std::move(keys), options.any_dso);
}

Result<std::vector<diff::Recording>> load_side(const DiffOptions& options, const std::string& side,
                                               const std::vector<hotspots::SortKey>& keys) {
  std::vector<diff::Recording> runs;
  for (const std::string& file : files_of(side)) {
    Result<diff::Recording> run = load_diff_input(file, keys, options.raw_ip);
    if (!run) return run.error();
    runs.push_back(*std::move(run));
  }
  return runs;
}

Result<int> compare(const DiffOptions& options) {
  diff::Options wanted = options.diff;
  Result<std::vector<diff::Limit>> limits = parse_limits(options.limits);
  if (!limits) return limits.error();
  wanted.limits = *std::move(limits);
  std::vector<std::string> sides = options.sides;
  if (sides.empty()) sides = {"perf.data.old", "perf.data"};
  if (sides.size() != 2) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "diff compares two sides, BEFORE and AFTER; repeated runs of a side go with commas between");
  }
  std::vector<std::string> files = files_of(sides[0]);
  for (std::string& file : files_of(sides[1])) files.push_back(std::move(file));
  Result<std::vector<hotspots::SortKey>> keys = row_keys(options, files);
  if (!keys) return keys.error();
  Result<std::vector<diff::Recording>> before = load_side(options, sides[0], *keys);
  if (!before) return before.error();
  Result<std::vector<diff::Recording>> after = load_side(options, sides[1], *keys);
  if (!after) return after.error();
  Result<diff::Diff> result = diff::find_diff(*before, *after, wanted);
  if (!result) return result.error();
  return print_comparison(*result, options.view, options.json);
}

Result<int> save_baseline(const DiffOptions& options) {
  if (options.sides.size() != 1 || !options.limits.empty()) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "--save-baseline takes one recording and compares nothing; compare with the baseline afterwards");
  }
  Result<std::vector<hotspots::SortKey>> keys = row_keys(options, options.sides);
  if (!keys) return keys.error();
  Result<diff::Recording> recording = load_diff_input(options.sides.front(), *keys, options.raw_ip);
  if (!recording) return recording.error();
  std::string text = diff::write_baseline(*recording, options.min_share / 100);
  if (Status written = write_file(options.save, text); !written) return written.error();
  return 0;
}

}  // namespace

Run add_diff(CommandLine& line) {
  auto options = std::make_shared<DiffOptions>();
  line.add_option(
          "recordings", options->sides,
          "BEFORE and AFTER: recordings or baselines; repeated runs of a side with commas between; default "
          "perf.data.old and perf.data")
      .type("BEFORE AFTER");
  line.add_option("-e,--event", options->diff.events, "only these events").separated_by(',').one_at_a_time();
  line.add_option(
      "-s,--sort", options->sort,
      "rows by function (the default), line, ip, dso, thread, process, comm, event: one or more; rows are "
      "matched by name");
  line.add_flag("--any-dso", options->any_dso,
                "match functions whatever program or library they are in, for programs of two names");
  line.add_flag("--all", options->view.all, "rows whose change is not significant, too");
  line.add_option("--limit", options->view.limit, "at most this many rows for each event; 0 is all")
      .show_default();
  add_limit_option(line, options->limits);
  line.add_option(
          "--save-baseline", options->save,
          "compare nothing: write a recording's totals and greatest rows as a small JSON file, which diff "
          "takes in a recording's place")
      .type("FILE");
  line.add_option("--min-share", options->min_share,
                  "of a baseline: leave out rows with less than this per cent of an event's samples")
      .between(0.0, 100.0)
      .show_default();
  line.add_flag("--force", options->diff.force, "compare the software PMU with another");
  add_raw_ip_option(line, options->raw_ip);
  add_format_options(line, options->json);
  return [options] { return options->save.empty() ? compare(*options) : save_baseline(*options); };
}

}  // namespace hm::cli
