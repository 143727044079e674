// SPDX-License-Identifier: MIT
#include "app/live/precise_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "analysis/hotspots/hotspots.h"
#include "app/live/live_recording.h"
#include "app/query/load.h"
#include "record/perf_data_sink.h"

namespace hm::live {
namespace {

constexpr size_t kFunctions = 5;

// Returns half the widest interval among the hottest functions; nullopt if there is no data yet.
Result<std::optional<double>> widest_error(const std::string& path, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = query::load_profile(path, resolver, profile::kPlacesOnly, {});
  if (!profile) return profile.error();
  std::optional<double> widest;
  for (const profile::Event& event : profile->events) {
    hotspots::Options options;
    options.filter.events = {event.name};
    options.limit = kFunctions;
    Result<hotspots::Hotspots> top = hotspots::find_hotspots(*profile, resolver, options);
    if (!top) return top.error();
    for (const hotspots::Row& row : top->rows) {
      const std::optional<profile::Share>& share = row.counts.front().share;
      if (share) widest = std::max(widest.value_or(0), (share->high - share->low) / 2);
    }
  }
  return widest;
}

std::string in_points(double share) { return fmt::format("{:.1f} points", 100 * share); }

std::string reached_text(std::optional<double> widest, double share) {
  if (!widest) return "no sample came";
  std::string known =
      fmt::format("the {} hottest functions' shares are known to {}", kFunctions, in_points(*widest));
  return *widest <= share ? known : fmt::format("{}, not to the {} asked for", known, in_points(share));
}

}  // namespace

Result<measure::Recorded> record_until(const measure::RecordOptions& options, double share,
                                       const measure::Observer& observer, const symbol::Resolver& resolver) {
  constexpr auto kGlance = std::chrono::milliseconds(20);
  record::PerfDataSink file(options.output, options.file);
  std::atomic<bool> enough = false;
  std::optional<double> widest;  // read only after the recording has ended
  LiveOptions live{.record = options, .pause_for_each = 20, .also = &file, .observer = observer};
  live.observer.enough = [&] { return enough.load(); };
  LiveRecording recording(live, [&](const std::string& path) -> Status {
    Result<std::optional<double>> found = widest_error(path, resolver);
    if (!found) return found.error().code == ErrorCode::kNotFound ? Status() : found.error();
    widest = *found;
    if (widest && *widest <= share) enough = true;
    return {};
  });
  std::optional<Result<measure::Recorded>> end;
  for (; !end; end = recording.ended()) std::this_thread::sleep_for(kGlance);
  if (end->ok() && !(*end)->refusal)
    (*end)->report.delivery.push_back({"until", reached_text(widest, share)});
  return *std::move(end);
}

}  // namespace hm::live
