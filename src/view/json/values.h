// SPDX-License-Identifier: MIT
// Conversions to JSON that several results share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "host/estimate.h"
#include "profile/event_counts.h"
#include "profile/latencies.h"
#include "profile/time_axis.h"

namespace hm::json {

using Json = nlohmann::ordered_json;

inline constexpr int kSchema = 1;

// Returns null if the value was not measured.
template <typename T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// Returns the name of the unit of all times. Rates are per billion units.
[[nodiscard]] inline const char* unit_name(profile::TimeUnit unit) {
  return unit == profile::TimeUnit::kCycles ? "cycles" : "ns";
}

// Returns null if the text is empty.
[[nodiscard]] inline Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

// The limits are null if there are too few samples for them.
[[nodiscard]] inline Json to_json(const std::optional<profile::Share>& share) {
  if (!share) return {};
  if (share->few_samples) return {{"value", share->value}, {"low", nullptr}, {"high", nullptr}};
  return {{"value", share->value}, {"low", share->low}, {"high", share->high}};
}

[[nodiscard]] inline Json to_json(const std::optional<profile::Latency>& latency) {
  if (!latency) return {};
  return {{"samples", latency->samples}, {"total", latency->total}, {"median", latency->median},
          {"p90", latency->p90},         {"p99", latency->p99},     {"max", latency->most}};
}

[[nodiscard]] inline Json to_json(const std::optional<host::Estimate>& estimate) {
  if (!estimate) return {};
  return {{"value", estimate->value}, {"low", estimate->low}, {"high", estimate->high}};
}

// The names of an object's members with counts.
struct CountNames {
  const char* counts = "counts";
  const char* estimated = "estimated";
  const char* share = "share";
};

// Adds "counts", "estimated" and "share", each an object with a member for each event's name.
template <typename Event, typename Count>
void add_counts(const std::vector<Event>& events, const std::vector<Count>& values, Json& json,
                const CountNames& names = {}) {
  Json counts = Json::object(), estimated = Json::object(), share = Json::object();
  for (size_t i = 0; i < events.size(); ++i) {
    counts[events[i].name] = values[i].samples;
    estimated[events[i].name] = or_null(values[i].estimated);
    share[events[i].name] = to_json(values[i].share);
  }
  json[names.counts] = std::move(counts);
  json[names.estimated] = std::move(estimated);
  json[names.share] = std::move(share);
}

}  // namespace hm::json
