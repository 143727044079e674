// SPDX-License-Identifier: MIT
#include "view/text/reconciliation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "view/text/counts.h"
#include "view/text/format.h"
#include "view/text/function_names.h"

namespace hm::text {
namespace {

constexpr std::string_view kTitle =
    "time by the clock in a native run, and modelled waits for memory as a part of all cycles";
constexpr std::string_view kNote =
    "# more waits than time: the model overestimates the waits of this function. Its misses may be prefetched or overlap, or its data may stay in caches that the model does not have.";

std::string waiting_text(const reconcile::FunctionTime& function) {
  if (function.overestimated) return "more";
  if (!function.waiting) return kNotMeasured;
  return percent(std::min(*function.waiting, 1.0));
}

std::string waits_text(const reconcile::FunctionTime& function) {
  return function.waits ? text::share_text(function.waits) : percent(0);
}

std::string name_text(const reconcile::FunctionTime& function, const FunctionNames& names) {
  std::string name = names.of(function.function);
  return function.short_file.empty() ? name : fmt::format("{} ({})", name, function.short_file);
}

FunctionNames names_of(const reconcile::Reconciliation& result, const Style& style) {
  std::vector<std::string> functions;
  for (const reconcile::FunctionTime& each : result.functions) functions.push_back(each.function);
  return {functions, style};
}

}  // namespace

std::string reconciliation(const reconcile::Reconciliation& result, const Style& style) {
  if (!result.missing.empty())
    return wrapped("# time by the clock: not compared: " + result.missing, style.width, 2) + '\n';
  Table table({{"time"}, {"waits"}, {"of its time"}, {"function", Align::kLeft}, {"dso", Align::kLeft}});
  FunctionNames names = names_of(result, style);
  for (const reconcile::FunctionTime& each : result.functions) {
    std::string time = each.time ? text::share_text(each.time) : percent(0);
    table.add({time, waits_text(each), waiting_text(each), name_text(each, names),
               printable(each.dso.value_or("several"))});
  }
  bool any = std::ranges::any_of(result.functions, &reconcile::FunctionTime::overestimated);
  std::string note = any ? wrapped(kNote, style.width, 2) + '\n' : "";
  return wrapped(kTitle, style.width, 2) + '\n' + table.render(style) + note;
}

}  // namespace hm::text
