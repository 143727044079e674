// SPDX-License-Identifier: MIT
#include "analysis/sizes/sizes.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace hm::sizes {
namespace {

struct Shape {
  uint32_t set_count;  // index
  uint32_t ways;
};

// One shape for each size: that with the most ways.
std::map<uint64_t, Shape> shapes_of(const profile::Sizes& counted) {
  std::map<uint64_t, Shape> shapes;
  for (uint32_t i = 0; i < counted.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= counted.ways; ++ways) {
      Shape& shape = shapes.try_emplace(counted.bytes(i, ways), Shape{i, ways}).first->second;
      if (shape.ways < ways) shape = {i, ways};
    }
  }
  // Of two or one way there are conflicts that no cache of that size need have.
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
    double missed = static_cast<double>(counted.misses[shape.set_count][shape.ways - 1]) / accesses;
    return profile::Share{missed, missed, missed};
  });
}

// Samples of any access: memory_moves, or where that was not sampled both loads and stores.
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

// The samples of one function.
struct Tally {
  double weight = 0;
  double squares = 0;
  std::vector<size_t> samples;
};

class Functions {
 public:
  Functions(const profile::Profile& profile, const profile::Sizes& counted)
      : profile_(profile), counted_(counted) {}

  void add(size_t sample) {
    if (!profile_.samples.depth[0].at(sample)) return;
    Tally& tally = tallies_[profile_.locations[profile_.samples.location[sample]].function];
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
    sizes.all_functions = tallies_.size();
    std::vector<std::pair<uint32_t, const Tally*>> order;
    for (const auto& [function, tally] : tallies_) order.emplace_back(function, &tally);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.second->weight != b.second->weight ? a.second->weight > b.second->weight : a.first < b.first;
    });
    if (limit != 0 && order.size() > limit) order.resize(limit);
    for (const auto& [function, tally] : order) sizes.functions.push_back(describe(function, *tally));
  }

 private:
  [[nodiscard]] double weight_of(size_t sample) const {
    return static_cast<double>(profile_.samples.period.at(sample).value_or(1));
  }

  [[nodiscard]] Function describe(uint32_t row, const Tally& tally) const {
    const profile::FunctionRow& function = profile_.functions[row];
    Function found;
    found.name = function.name;
    found.dso = profile_.dsos[function.dso].name();
    found.samples = tally.samples.size();
    found.share = profile::wilson_share(tally.weight / weight_, weight_ * weight_ / squares_);
    found.curve = curve_of(counted_, [&](Shape shape) { return missed_in(shape, tally); });
    found.need = find_need(found.curve);
    return found;
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
  std::unordered_map<uint32_t, Tally> tallies_;  // by function
  double weight_ = 0, squares_ = 0;
  uint64_t samples_ = 0;
};

}  // namespace

std::optional<Need> find_need(const Curve& curve) {
  constexpr double kHardlyMore = 1.25,
                   kHardlyAny = 0.0005;  // of what misses the largest, and of the accesses
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

Result<Sizes> find_sizes(const profile::Profile& profile, const Options& options) {
  std::optional<profile::Sizes> counted = profile::recorded_sizes(profile.features);
  if (!counted)
    return make_error(ErrorCode::kNotFound,
                      "the recording does not tell what caches of other sizes would do: record with --sizes");
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter);
  if (!filter) return filter.error();
  Sizes sizes;
  sizes.counted = *std::move(counted);
  sizes.curve = whole_curve(sizes.counted);
  sizes.need = find_need(sizes.curve);
  std::vector<bool> wanted = events_of_accesses(profile, sizes.event);
  Functions functions(profile, sizes.counted);
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (wanted[profile.samples.event[i]] && filter->passes(profile, i)) functions.add(i);
  }
  functions.fill(options.limit, sizes);
  return sizes;
}

}  // namespace hm::sizes
