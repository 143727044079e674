// SPDX-License-Identifier: MIT
#include "app/query/diff_input.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "analysis/diff/baseline.h"
#include "analysis/totals/totals.h"
#include "app/query/diff_functions.h"
#include "app/query/diff_rows.h"
#include "base/mapped_file.h"
#include "record/run_description.h"
#include "record/run_part.h"

namespace hm::query {
namespace {

using hotspots::SortKey;

constexpr uintmax_t kMaxBaselineBytes = uintmax_t{16} << 20;

diff::Event event_of(const totals::EventTotal& total) {
  diff::Event event;
  event.name = total.name;
  event.total = total.count.best();
  if (!total.count.exact) return event;
  event.counted = true;
  const totals::Exact& exact = *total.count.exact;
  if (exact.shared())
    event.running = static_cast<double>(exact.time_running_ns) / static_cast<double>(exact.time_enabled_ns);
  return event;
}

// Returns the sampled events in their order, then events that were only counted.
std::vector<diff::Event> events_of(const profile::Profile& profile, const profile::Origin& origin) {
  totals::Totals totals = totals::find_totals(profile);
  profile::EventTotals weights(profile);
  size_t sampled = totals.events.size();
  for (const auto& [name, value] : origin.totals) {
    auto known = std::ranges::find(totals.events, name, &totals::EventTotal::name);
    if (known == totals.events.end())
      totals.events.push_back({name, {0, std::nullopt, totals::Exact{value, 0, 0}}, {}, {}});
    else if (!known->count.exact)
      known->count.exact = totals::Exact{value, 0, 0};
  }
  const totals::EventTotal* instructions = totals::instructions_of(totals);
  std::vector<diff::Event> events;
  for (size_t i = 0; i < totals.events.size(); ++i) {
    diff::Event event = event_of(totals.events[i]);
    if (origin.in_bursts) event.counted = false;
    event.instructions = &totals.events[i] == instructions;
    event.sampled =
        i < sampled && (profile.events[i].attr.sample_period > 0 || totals.events[i].count.samples > 0);
    if (event.sampled) {
      const profile::EventCount& count = weights.counts()[i];
      event.samples = count.samples;
      event.weight = count.weight();
      const perf_event_attr& attr = profile.events[i].attr;
      event.complete = attr.sample_period == 1 && attr.freq == 0 && event.counted &&
                       event.total == static_cast<double>(event.weight);
      // the estimate without any sample
      if (count.samples == 0 && !event.total) event.total = 0.0;
      if (count.samples > 0) event.effective_samples = weights.effective_samples(static_cast<uint32_t>(i));
    }
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<std::string> remarks_on(const profile::Profile& profile, const profile::Origin& origin) {
  std::vector<std::string> remarks;
  if (origin.interrupted) remarks.emplace_back("the run was interrupted");
  if (origin.random_addresses)
    remarks.emplace_back("its addresses were random, so that counts vary from run to run");
  nlohmann::json run = record::run_description(profile.features);
  if (std::optional<record::SizeLimit> limit = record::size_limit_in(run))
    remarks.push_back("recording " + record::size_limit_text(*limit));
  if (!record::part_json(run).is_null())
    remarks.emplace_back("it contains only a part of the run (--rotate)");
  if (profile.lost.records > 0) remarks.push_back(fmt::format("{} records were lost", profile.lost.records));
  if (profile.lost.samples > 0) remarks.push_back(fmt::format("{} samples were lost", profile.lost.samples));
  if (!profile.problems.empty())
    remarks.push_back(fmt::format("{}; hardmeter check shows {}", profile.problems.front(),
                                  profile.problems.size() > 1 ? "more" : "it"));
  return remarks;
}

std::string columns_text(const diff::Recording& baseline) {
  return fmt::format("{}", fmt::join(baseline.columns, ","));
}

}  // namespace

std::vector<SortKey> diff_keys(std::vector<SortKey> chosen, bool any_dso) {
  auto has = [&](SortKey key) { return std::ranges::find(chosen, key) != chosen.end(); };
  bool of_an_object = has(SortKey::kFunction) || has(SortKey::kLine) || has(SortKey::kIp);
  if (of_an_object && !any_dso && !has(SortKey::kDso)) chosen.push_back(SortKey::kDso);
  return chosen;
}

Result<diff::Recording> diff_recording(const profile::Profile& profile, const symbol::Resolver& resolver,
                                       const std::vector<SortKey>& keys,
                                       const std::vector<std::string>& wanted) {
  profile::Origin origin = profile.origin();
  diff::Recording out;
  out.pmu = origin.pmu;
  out.engine = origin.engine;
  out.machine = origin.machine;
  out.costs = origin.costs_text;
  out.collected = origin.collected;
  out.command = origin.command;
  out.processor = profile.features.cpu_desc.value_or("");
  out.reproducible = origin.reproducible;
  if (origin.random_addresses)
    out.layout = diff::kRandomLayout;
  else if (origin.layout != 0)
    out.layout = fmt::format("{}", origin.layout);
  if (origin.cores != 0) out.cores = fmt::format("{}", origin.cores);
  out.processor_features = origin.processor_features;
  out.processor_caches = origin.processor_caches;
  out.recorder = profile.features.version.value_or("");
  out.remarks = remarks_on(profile, origin);
  out.partial = record::size_limit_in(record::run_description(profile.features)).has_value();
  for (SortKey key : keys) out.columns.emplace_back(hotspots::name_of(key));
  out.events = events_of(profile, origin);
  add_rows(profile, resolver, keys, out);
  add_defined(profile, resolver, wanted, out);
  return out;
}

bool is_baseline(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::string begin(diff::kMaxMarkBytes, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<size_t>(file.gcount()));
  if (diff::has_byte_order_mark(begin)) return true;
  file.clear();
  file.seekg(0);
  char first = 0;
  file >> first;  // skips white space
  return !file || first == '{';
}

Result<diff::Recording> load_baseline(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  Bytes bytes = file->bytes();
  if (bytes.size() > kMaxBaselineBytes) {
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot read {}: it has {} bytes, and a baseline at most {}", path, bytes.size(),
                      kMaxBaselineBytes);
  }
  auto baseline = diff::read_baseline({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  if (baseline && !hotspots::parse_sort_keys(columns_text(*baseline))) {
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot read the baseline {}: hardmeter does not know the sort keys of its rows", path);
  }
  return baseline;
}

std::vector<SortKey> keys_of_baseline(const diff::Recording& baseline) {
  Result<std::vector<SortKey>> keys = hotspots::parse_sort_keys(columns_text(baseline));
  return keys ? *std::move(keys) : std::vector<SortKey>();
}

}  // namespace hm::query
