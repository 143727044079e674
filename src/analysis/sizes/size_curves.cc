// SPDX-License-Identifier: MIT
#include "analysis/sizes/size_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "profile/lookup.h"

namespace hm::sizes {
namespace {

struct Shape {
  uint32_t set_count;  // index
  uint32_t ways;
};

// Returns one shape per size, the one with the most ways.
std::map<uint64_t, Shape> shapes_of(const profile::Sizes& counted) {
  std::map<uint64_t, Shape> shapes;
  for (uint32_t i = 0; i < counted.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= counted.ways; ++ways) {
      Shape& shape = shapes.try_emplace(counted.bytes(i, ways), Shape{i, ways}).first->second;
      if (shape.ways < ways) shape = {i, ways};
    }
  }
  // Excludes caches with one or two ways: their conflict misses are avoidable at this size.
  constexpr uint32_t kFewWays = 2;
  std::erase_if(shapes,
                [&](const auto& each) { return each.second.ways <= kFewWays && counted.ways > kFewWays; });
  return shapes;
}

template <typename MissedIn>
Curve curve_of(const profile::Sizes& counted, MissedIn&& missed_in) {
  Curve curve;
  for (const auto& [bytes, shape] : shapes_of(counted))
    curve.push_back({bytes, counted.sets(shape.set_count), shape.ways, missed_in(shape)});
  return curve;
}

Curve whole_curve(const profile::Sizes& counted) {
  auto accesses = static_cast<double>(std::max<uint64_t>(counted.accesses, 1));
  return curve_of(counted, [&](Shape shape) {
    auto missed = static_cast<double>(counted.misses[shape.set_count][shape.ways - 1]);
    auto error =
        counted.errors.empty() ? 0.0 : static_cast<double>(counted.errors[shape.set_count][shape.ways - 1]);
    return profile::Share{missed / accesses, std::max(0.0, missed - error) / accesses,
                          std::min(accesses, missed + error) / accesses};
  });
}

Counted with_curve(profile::Sizes counted) {
  Curve curve = whole_curve(counted);
  std::optional<Need> need = find_need(curve);
  return {std::move(counted), std::move(curve), need};
}

// Selects the events that sample all accesses: memory_moves, or else both memory_loads and memory_stores.
std::vector<bool> events_of_accesses(const profile::Profile& profile, std::string& name) {
  std::vector<bool> wanted(profile.events.size());
  const auto want = [&](std::string_view event) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (profile.events[i].name == event) wanted[i] = true;
    }
  };
  want("memory_moves");
  name = "memory_moves";
  if (std::ranges::find(wanted, true) != wanted.end()) return wanted;
  want("memory_loads");
  want("memory_stores");
  name = std::ranges::count(wanted, true) == 2 ? "memory_loads and memory_stores" : "";
  if (name.empty()) wanted.assign(wanted.size(), false);
  return wanted;
}

// Samples of one row.
struct Tally {
  double weight = 0;
  double squares = 0;
  std::vector<size_t> samples;
};

// Assigns samples to rows, which are numbered.
class Grouping {
 public:
  Grouping(const profile::Profile& profile, const symbol::Resolver& resolver, By by)
      : profile_(profile), resolver_(resolver), by_(by) {}

  uint32_t row_of(size_t sample) {
    uint32_t location = profile_.samples.location[sample];
    if (by_ == By::kFunction) return profile_.locations[location].function;
    bool is_line = by_ == By::kLine;
    uint32_t place = is_line ? location : profile_.samples.object[sample];
    auto [found, is_new] = rows_.try_emplace(place);
    if (is_new) found->second = is_line ? line_number(place) : number_of(profile_.object_text(place));
    return found->second;
  }

  void name(uint32_t number, Row& row) const {
    if (by_ != By::kFunction) return void(row.name = names_[number]);
    const profile::FunctionRow& function = profile_.functions[number];
    row.name = function.name;
    row.dso = profile_.dsos[function.dso].name();
  }

 private:
  // Falls back to the function if the line is unknown.
  uint32_t line_number(uint32_t location) {
    symbol::SourceLine line = profile::line_at(profile_, resolver_, location);
    if (line.line == 0) return number_of(profile_.functions[profile_.locations[location].function].name);
    std::string_view file = std::string_view(line.file).substr(line.file.rfind('/') + 1);
    return number_of(fmt::format("{}:{}", line.file, line.line), fmt::format("{}:{}", file, line.line));
  }

  uint32_t number_of(const std::string& key, const std::string& name = {}) {
    auto [found, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(names_.size()));
    if (is_new) names_.push_back(name.empty() ? key : name);
    return found->second;
  }

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  By by_;
  std::unordered_map<uint32_t, uint32_t> rows_;  // by location or by object
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<std::string> names_;
};

class Rows {
 public:
  Rows(const profile::Profile& profile, const profile::Sizes& counted, Grouping& grouping)
      : profile_(profile), counted_(counted), grouping_(grouping) {}

  void add(size_t sample) {
    if (!profile_.samples.depth[0].at(sample)) return;
    Tally& tally = tallies_[grouping_.row_of(sample)];
    double weight = weight_of(sample);
    tally.weight += weight;
    tally.squares += weight * weight;
    tally.samples.push_back(sample);
    weight_ += weight;
    squares_ += weight * weight;
    ++samples_;
  }

  void fill(size_t limit, Sizes& sizes) const {
    sizes.samples = samples_;
    sizes.all_rows = tallies_.size();
    std::vector<std::pair<uint32_t, const Tally*>> order;
    for (const auto& [row, tally] : tallies_) order.emplace_back(row, &tally);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.second->weight != b.second->weight ? a.second->weight > b.second->weight : a.first < b.first;
    });
    if (limit != 0 && order.size() > limit) order.resize(limit);
    for (const auto& [row, tally] : order) sizes.rows.push_back(describe(row, *tally));
  }

 private:
  [[nodiscard]] double weight_of(size_t sample) const {
    return static_cast<double>(profile_.samples.events_of(sample));
  }

  [[nodiscard]] Row describe(uint32_t number, const Tally& tally) const {
    Row row;
    grouping_.name(number, row);
    row.samples = tally.samples.size();
    row.share = profile::wilson_share(tally.weight / weight_, weight_ * weight_ / squares_);
    row.curve = curve_of(counted_, [&](Shape shape) { return missed_in(shape, tally); });
    row.need = find_need(row.curve);
    return row;
  }

  [[nodiscard]] profile::Share missed_in(Shape shape, const Tally& tally) const {
    double missed = 0;
    for (size_t sample : tally.samples) {
      bool misses = profile_.samples.depth[shape.set_count].at(sample).value_or(0) >= shape.ways;
      missed += misses ? weight_of(sample) : 0;
    }
    return profile::wilson_share(missed / tally.weight, tally.weight * tally.weight / tally.squares);
  }

  const profile::Profile& profile_;
  const profile::Sizes& counted_;
  Grouping& grouping_;
  std::unordered_map<uint32_t, Tally> tallies_;  // by row
  double weight_ = 0, squares_ = 0;
  uint64_t samples_ = 0;
};

}  // namespace

std::optional<Need> find_need(const Curve& curve) {
  constexpr double
      kHardlyMore = 1.25,
      kHardlyAny =
          0.0005;  // relative to the misses of the largest cache, and absolute as a fraction of the accesses
  if (curve.empty()) return std::nullopt;
  double enough = curve.back().missed.value * kHardlyMore + kHardlyAny;
  auto first = std::ranges::find_if(curve, [&](const Point& each) { return each.missed.value <= enough; });
  auto smaller = first;
  const auto clearly_smaller = [&] { return 4 * smaller->bytes <= 3 * first->bytes; };
  while (smaller != curve.begin() && !clearly_smaller()) --smaller;
  if (!clearly_smaller() || smaller->missed.low <= first->missed.high) return std::nullopt;
  Need need{*first, *smaller, std::nullopt};
  if (first->missed.value > 0) need.times = smaller->missed.value / first->missed.value;
  return need;
}

Result<Sizes> find_sizes(const profile::Profile& profile, const symbol::Resolver& resolver,
                         const Options& options) {
  std::optional<profile::Sizes> counted = profile::recorded_sizes(profile.features);
  if (!counted)
    return make_error(ErrorCode::kNotFound,
                      "the recording has no miss counts for other cache sizes: record with --sizes");
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter, &resolver);
  if (!filter) return filter.error();
  Sizes sizes;
  for (const profile::Sizes& each : counted->further) sizes.further.push_back(with_curve(each));
  static_cast<Counted&>(sizes) = with_curve(*std::move(counted));
  std::vector<bool> wanted = events_of_accesses(profile, sizes.event);
  sizes.by = options.by;
  Grouping grouping(profile, resolver, options.by);
  Rows rows(profile, sizes.counted, grouping);
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (wanted[profile.samples.event[i]] && filter->passes(profile, i)) rows.add(i);
  }
  rows.fill(options.limit, sizes);
  return sizes;
}

}  // namespace hm::sizes
