// SPDX-License-Identifier: MIT
// Reports hot spots and branches.
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
  std::string input = "perf.data";  // for load_profile()
  Reading reading;                  // for load_profile()
  std::string sort = "function";    // one or more sort keys, separated by commas
  hotspots::Options hotspots;       // its keys are ignored
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
// Uses only the filter and the limit of `hotspots`; `sort` is function or ip.
[[nodiscard]] Result<BranchReport> report_branches(const ReportOptions& options,
                                                   const symbol::Resolver& resolver);

}  // namespace hm::query
