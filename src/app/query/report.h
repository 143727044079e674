// SPDX-License-Identifier: MIT
// Where the samples are, and which branches ran.
#pragma once

#include <string>

#include "analysis/branches/branches.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/totals.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct ReportOptions {
  std::string input = "perf.data";  // load_profile()
  Reading reading;                  // likewise
  std::string sort = "function";    // what makes a row: one key or more, with commas between
  hotspots::Options hotspots;       // but for its keys
};

struct Report {
  profile::Profile profile;
  totals::Totals totals;
  hotspots::Hotspots hotspots;
};
[[nodiscard]] Result<Report> report(const ReportOptions& options, const symbol::Resolver& resolver);

struct BranchReport {
  profile::Profile profile;
  totals::Totals totals;
  branches::Branches branches;
};
// Of the options for the hotspots only the filter and the limit count; `sort` is function or ip.
[[nodiscard]] Result<BranchReport> report_branches(const ReportOptions& options,
                                                   const symbol::Resolver& resolver);

}  // namespace hm::query
