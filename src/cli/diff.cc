// SPDX-License-Identifier: MIT
#include <memory>

#include "app/query/comparison.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"

namespace hm::cli {
namespace {

struct DiffWords {
  query::DiffOptions query;
  std::string save;
  double min_percent = 0.5;
  bool json = false;
  text::DiffView view;
};

Result<int> print_diff(const DiffWords& words) {
  Result<diff::Diff> result = query::compare(words.query, symbol::FileResolver());
  if (!result) return result.error();
  return print_comparison(*result, words.view, words.json);
}

Result<int> save_baseline(const DiffWords& words) {
  if (words.query.sides.size() != 1 || !words.query.limits.empty()) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "--save-baseline takes one recording and compares nothing; compare with the baseline afterwards");
  }
  Result<std::string> baseline = query::make_baseline(
      {words.query.sides.front(), words.query.rows, words.min_percent / 100}, symbol::FileResolver());
  if (!baseline) return baseline.error();
  if (Status written = write_file(words.save, *baseline); !written) return written.error();
  return 0;
}

}  // namespace

Run add_diff(CommandLine& line) {
  auto words = std::make_shared<DiffWords>();
  line.add_option(
          "recordings", words->query.sides,
          "BEFORE and AFTER: recordings or baselines; repeated runs of a side with commas between; default "
          "perf.data.old and perf.data")
      .type("BEFORE AFTER");
  line.add_option("-e,--event", words->query.diff.events, "only these events")
      .separated_by(',')
      .one_at_a_time();
  line.add_option(
      "-s,--sort", words->query.rows.sort,
      "rows by function (the default), line, ip, dso, thread, process, comm, event: one or more; rows are "
      "matched by name");
  line.add_flag("--any-dso", words->query.rows.any_dso,
                "match functions whatever program or library they are in, for programs of two names");
  line.add_flag("--all", words->view.all, "rows whose change is not significant, too");
  line.add_option("--limit", words->view.limit, "at most this many rows for each event; 0 is all")
      .show_default();
  add_limit_option(line, words->query.limits);
  line.add_option(
          "--save-baseline", words->save,
          "compare nothing: write a recording's totals and greatest rows as a small JSON file, which diff "
          "takes in a recording's place")
      .type("FILE");
  line.add_option("--min-share", words->min_percent,
                  "of a baseline: leave out rows with less than this per cent of an event's samples")
      .between(0.0, 100.0)
      .show_default();
  line.add_flag("--force", words->query.diff.force, "compare the software PMU with another");
  add_reading_options(line, words->query.rows.reading);
  add_format_options(line, words->json);
  return [words] { return words->save.empty() ? print_diff(*words) : save_baseline(*words); };
}

}  // namespace hm::cli
