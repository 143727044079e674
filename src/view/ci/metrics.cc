// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "view/ci/formats.h"
#include "view/json/values.h"

namespace hm::ci {
namespace {

using json::Json;

// The services keep a history for each name, so it must not depend on the run.
std::string benchmark_name(const diff::NamedDiff& result) {
  if (!result.name.empty()) return result.name;
  return result.diff.after.command.empty() ? "program" : result.diff.after.command;
}

}  // namespace

std::string bencher(Results results) {
  Json benchmarks = Json::object();
  for (const diff::NamedDiff& each : results) {
    if (!each.failure.empty()) continue;
    Json measures = Json::object();
    for (const diff::Total& total : each.diff.totals) measures[total.event] = {{"value", total.after}};
    benchmarks[benchmark_name(each)] = std::move(measures);
  }
  return indented_json(benchmarks);
}

std::string benchmark_action(Results results) {
  Json list = Json::array();
  for (const diff::NamedDiff& each : results) {
    for (const diff::Total& total : each.diff.totals) {
      list.push_back(
          {{"name", benchmark_name(each) + ": " + total.event}, {"unit", "events"}, {"value", total.after}});
    }
  }
  return indented_json(list);
}

}  // namespace hm::ci
