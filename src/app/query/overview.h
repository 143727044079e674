// SPDX-License-Identifier: MIT
// Overview of a recording, for display right after it was made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/cause/worst_places.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/reconcile/reconcile.h"
#include "analysis/totals/totals.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct OverviewOptions {
  std::string input = "perf.data";  // for load_profile()
  // A recording of the clock in a native run of the same program; empty: none.
  std::string clock;
  size_t functions = 10;  // functions per event
  size_t scripts = 8;     // functions of a language runtime's program
  size_t places = 3;
};

struct Overview {
  profile::Profile profile;
  totals::Totals totals;
  // The hottest functions, one entry for each event with samples; of memory_wait alone if it was sampled, as
  // it is the time that the other events cost.
  std::vector<hotspots::Hotspots> functions;
  // The functions that a language runtime interpreted or compiled (with --jit-names), by inclusive counts.
  // nullopt if there are none, or if all of them are in `functions`.
  std::optional<hotspots::Hotspots> scripts;
  // The most expensive places, all events combined; empty if samples have no latencies.
  std::vector<cause::WorstPlace> worst;
  cause::ContestedLines contested;
  // Set if `worst` is empty: causes of the hottest places of the first event with advice; nullopt if no event
  // has advice.
  std::optional<cause::Causes> causes;
  // The functions' time by OverviewOptions::clock and their waits; nullopt without a clock.
  std::optional<reconcile::Reconciliation> reconciliation;
};

[[nodiscard]] Result<Overview> overview(const OverviewOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
