// SPDX-License-Identifier: MIT
#include "analysis/reconcile/reconcile.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hm::reconcile {
namespace {

constexpr double kShown = 0.005;  // smaller shares are left out
constexpr std::string_view kClock = "clock", kMemoryWait = "memory_wait";

using Key = std::tuple<std::string, std::string, std::string>;  // function, object, source file

Key key_of(const hotspots::Row& row) { return {row.keys.front(), row.dso.value_or(""), row.file}; }

std::optional<profile::Share> share_of(const hotspots::Row& row) {
  return row.counts.empty() ? std::nullopt : row.counts.front().share;
}

// Returns the share of all cycles, from a share of all waits. Its interval has the relative errors of both.
profile::Share of_cycles(const profile::Share& of_waits, const totals::Verdict& verdict) {
  double error = verdict.error.value_or(0);
  profile::Share share = of_waits;
  share.value *= verdict.memory;
  share.low *= std::max(verdict.memory - error, 0.0);
  share.high *= std::min(verdict.memory + error, 1.0);
  return share;
}

void compare(FunctionTime& function) {
  constexpr double kMinDifference = 0.01;  // smaller ones would only be noise of the row's place in the table
  const std::optional<profile::Share>&time = function.time, &waits = function.waits;
  if (!waits || waits->few_samples) return;
  double most = time ? time->high : 0;
  function.overestimated = waits->low > most && waits->value > most + kMinDifference;
  if (time && !time->few_samples && time->value > 0) function.waiting = waits->value / time->value;
}

double larger_share(const FunctionTime& function) {
  const auto value = [](const std::optional<profile::Share>& share) { return share ? share->value : 0; };
  return std::max(value(function.time), value(function.waits));
}

hotspots::Options by_function(std::string_view event) {
  hotspots::Options options;
  options.filter.events = {std::string(event)};
  return options;
}

bool has_event(const profile::Profile& profile, std::string_view event) {
  return std::ranges::find(profile.events, event, &profile::Event::name) != profile.events.end();
}

Reconciliation missing(std::string why) {
  Reconciliation result;
  result.missing = std::move(why);
  return result;
}

}  // namespace

Reconciliation reconcile(const hotspots::Hotspots& time, const hotspots::Hotspots& waits,
                         const totals::Verdict& verdict, size_t limit) {
  std::map<Key, FunctionTime> functions;
  const auto entry = [&](const hotspots::Row& row) -> FunctionTime& {
    FunctionTime& function = functions[key_of(row)];
    function.function = row.keys.front();
    function.dso = row.dso;
    function.short_file = row.short_file;
    return function;
  };
  for (const hotspots::Row& row : time.rows) entry(row).time = share_of(row);
  for (const hotspots::Row& row : waits.rows) {
    if (auto share = share_of(row)) entry(row).waits = of_cycles(*share, verdict);
  }
  Reconciliation result;
  for (auto& [key, function] : functions) {
    if (larger_share(function) < kShown) continue;
    compare(function);
    result.functions.push_back(std::move(function));
  }
  std::ranges::stable_sort(result.functions, std::greater(), larger_share);
  result.all_functions = result.functions.size();
  if (limit != 0) result.functions.resize(std::min(result.functions.size(), limit));
  if (!time.events.empty()) result.clock_samples = time.events.front().samples;
  return result;
}

Result<Reconciliation> reconcile(const profile::Profile& clock, const profile::Profile& model,
                                 const symbol::Resolver& resolver, size_t limit) {
  std::optional<totals::Verdict> verdict = totals::find_verdict(model);
  if (!verdict || !has_event(model, kMemoryWait))
    return missing("no waits were measured, or too few bursts were");
  if (verdict->unseen)
    return missing("the waits of a part of the run are unknown; --detail exact measures everything");
  if (!has_event(clock, kClock)) return missing("the native run was not measured by the clock");
  Result<hotspots::Hotspots> time = hotspots::find_hotspots(clock, resolver, by_function(kClock));
  if (!time) return time.error();
  if (time->rows.empty()) return missing("the native run was too short for the clock");
  Result<hotspots::Hotspots> waits = hotspots::find_hotspots(model, resolver, by_function(kMemoryWait));
  if (!waits) return waits.error();
  return reconcile(*time, *waits, *verdict, limit);
}

}  // namespace hm::reconcile
