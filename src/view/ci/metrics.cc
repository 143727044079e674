// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "view/ci/formats.h"
#include "view/json/values.h"

namespace hm::ci {
namespace {

using json::Json;

// The services keep a history for each name, so it must not depend on the run.
std::string benchmark_name(const diff::Diff& result) {
  return result.after.command.empty() ? "program" : result.after.command;
}

}  // namespace

std::string bencher(const diff::Diff& result) {
  Json measures = Json::object();
  for (const diff::Total& total : result.totals) measures[total.event] = {{"value", total.after}};
  return indented_json({{benchmark_name(result), std::move(measures)}});
}

std::string benchmark_action(const diff::Diff& result) {
  Json list = Json::array();
  for (const diff::Total& total : result.totals) {
    list.push_back(
        {{"name", benchmark_name(result) + ": " + total.event}, {"unit", "events"}, {"value", total.after}});
  }
  return indented_json(list);
}

}  // namespace hm::ci
