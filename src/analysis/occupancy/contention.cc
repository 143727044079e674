// SPDX-License-Identifier: MIT
#include "analysis/occupancy/contention.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/occupancy/intervals.h"

namespace hm::occupancy {
namespace {

using profile::Profile;

uint32_t event_of_misses(const Profile& profile) {
  auto found = std::ranges::find(profile.events, "l3_cache_miss", &profile::Event::name);
  return found == profile.events.end() ? 0 : static_cast<uint32_t>(found - profile.events.begin());
}

// Returns the range from the first to the last interval with events. Outside of it, the program does not run.
std::pair<size_t, size_t> active(const std::vector<Interval>& intervals) {
  const auto has_events = [](const Interval& each) { return each.events > 0; };
  auto first = std::ranges::find_if(intervals, has_events);
  auto last = std::find_if(intervals.rbegin(), intervals.rend(), has_events).base();
  if (first == intervals.end()) return {0, 0};
  return {static_cast<size_t>(first - intervals.begin()), static_cast<size_t>(last - intervals.begin())};
}

// Event rates on one side, and their dispersion.
struct Rates {
  std::vector<double> values;

  [[nodiscard]] double mean() const {
    double sum = 0;
    for (double each : values) sum += each;
    return sum / static_cast<double>(values.size());
  }
  // Returns the relative standard error of the mean. `effective_part` is the ratio of effective to actual
  // values.
  [[nodiscard]] double relative_error(double effective_part) const {
    double middle = mean(), squares = 0;
    for (double each : values) squares += (each - middle) * (each - middle);
    auto count = static_cast<double>(values.size());
    double error = std::sqrt(squares / (count - 1) / std::max(count * effective_part, 1.0));
    return error / middle;
  }
};

// One victim with one neighbour.
class Pair {
 public:
  Pair(const Intervals& all, size_t victim, size_t neighbour)
      : all_(all), victim_(all.of[victim]), neighbour_(all.of[neighbour]) {
    std::tie(begin_, end_) = active(victim_);
    double least = 1, most = 0;
    for (size_t i = begin_; i < end_; ++i) {
      if (!counts(i)) continue;
      least = std::min(least, *neighbour_[i].share);
      most = std::max(most, *neighbour_[i].share);
    }
    varies_ = most - least >= kMinVariation;
    much_ = (least + most) / 2;
    for (size_t i = begin_; varies_ && i < end_; ++i) {
      if (counts(i)) (is_much(i) ? then_ : else_).values.push_back(rate(i));
    }
  }

  [[nodiscard]] bool suffices() const {
    return varies_ && then_.values.size() >= kFewestIntervals && else_.values.size() >= kFewestIntervals &&
           then_.mean() > 0;
  }
  [[nodiscard]] double much() const { return much_; }

  [[nodiscard]] Ratio ratio() const {
    constexpr double kSigmas = 1.96;
    // If there were no other events, assume one.
    double other = std::max(else_.mean(), 1 / total_seconds(false));
    Ratio ratio{then_.mean() / other, 0, 0};
    double part = effective_part();
    double of_else = else_.mean() > 0 ? else_.relative_error(part) : 1;
    double error = kSigmas * std::hypot(then_.relative_error(part), of_else);
    ratio.low = ratio.value * std::exp(-error);
    ratio.high = ratio.value * std::exp(error);
    return ratio;
  }
  // Returns the number of events in excess of the rate otherwise.
  [[nodiscard]] double excess() const { return (then_.mean() - else_.mean()) * total_seconds(true); }

  [[nodiscard]] double victim_share(bool then) const { return mean_share(victim_, then); }
  [[nodiscard]] double neighbour_share() const { return mean_share(neighbour_, true); }

  [[nodiscard]] std::pair<uint64_t, uint64_t> longest() const {
    std::pair<uint64_t, uint64_t> longest{0, 0};
    for (size_t i = begin_; i < end_; ++i) {
      if (!counts(i) || !is_much(i)) continue;
      size_t first = i;
      while (i + 1 < end_ && counts(i + 1) && is_much(i + 1)) ++i;
      if (all_.times[i + 1] - all_.times[first] > longest.second - longest.first)
        longest = {all_.times[first], all_.times[i + 1]};
    }
    return longest;
  }

  struct FunctionRise {
    uint32_t function = 0;
    double then = 0, otherwise = 0;  // events per second
  };
  [[nodiscard]] FunctionRise most_risen() const {
    std::map<uint32_t, FunctionRise> all;
    for (size_t i = begin_; i < end_; ++i) {
      if (!counts(i)) continue;
      for (const auto& [function, events] : victim_[i].by_function) {
        FunctionRise& rise = all[function];
        rise.function = function;
        (is_much(i) ? rise.then : rise.otherwise) += events / total_seconds(is_much(i));
      }
    }
    FunctionRise most;
    for (const auto& [function, each] : all) {
      if (each.then - each.otherwise > most.then - most.otherwise) most = each;
    }
    return most;
  }

 private:
  [[nodiscard]] bool counts(size_t i) const { return victim_[i].share && neighbour_[i].share; }
  [[nodiscard]] bool is_much(size_t i) const { return *neighbour_[i].share >= much_; }
  [[nodiscard]] double rate(size_t i) const { return victim_[i].events / all_.seconds(i); }

  [[nodiscard]] double total_seconds(bool then) const {
    double sum = 0;
    for (size_t i = begin_; i < end_; ++i) {
      if (counts(i) && is_much(i) == then) sum += all_.seconds(i);
    }
    return sum;
  }
  [[nodiscard]] double mean_share(const std::vector<Interval>& of, bool then) const {
    double sum = 0;
    size_t count = 0;
    for (size_t i = begin_; i < end_; ++i) {
      if (!counts(i) || is_much(i) != then) continue;
      sum += *of[i].share;
      ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }

  // Returns (1 - r) / (1 + r) for the lag-1 autocorrelation r of the residuals from the sides' means.
  [[nodiscard]] double effective_part() const {
    double products = 0, squares = 0;
    std::optional<double> before;
    for (size_t i = begin_; i < end_; ++i) {
      if (!counts(i)) continue;
      double rest = rate(i) - (is_much(i) ? then_ : else_).mean();
      if (before) products += *before * rest;
      squares += rest * rest;
      before = rest;
    }
    double r = squares > 0 ? std::clamp(products / squares, 0.0, 0.95) : 0;
    return (1 - r) / (1 + r);
  }

  const Intervals& all_;
  const std::vector<Interval>&victim_, &neighbour_;
  size_t begin_ = 0, end_ = 0;
  bool varies_ = false;
  double much_ = 0;
  Rates then_, else_;
};

Contention describe(const Profile& profile, const Pair& pair, uint64_t origin_ns) {
  Contention found;
  found.ratio = pair.ratio();
  found.much_share = pair.much();
  found.neighbour_share = pair.neighbour_share();
  found.victim_share_then = pair.victim_share(true);
  found.victim_share_else = pair.victim_share(false);
  auto [begin, end] = pair.longest();
  found.longest_begin_ns = begin - origin_ns;
  found.longest_end_ns = end - origin_ns;
  Pair::FunctionRise rise = pair.most_risen();
  const profile::FunctionRow& function = profile.functions[rise.function];
  found.function = function.name;
  found.dso = profile.dsos[function.dso].name();
  if (rise.otherwise > 0) found.function_ratio = rise.then / rise.otherwise;
  return found;
}

}  // namespace

std::vector<Contention> find_contentions(const Profile& profile, uint64_t cache_bytes, uint64_t origin_ns,
                                         const std::vector<SizedProgram>& programs) {
  if (profile.events.empty()) return {};
  DividedCache cache = divided_cache(profile, cache_bytes);
  uint32_t event = event_of_misses(profile);
  Intervals intervals = intervals_of(profile, event, cache_bytes);
  std::vector<std::pair<double, Contention>> found;
  for (size_t victim = 0; victim < intervals.of.size(); ++victim) {
    for (size_t neighbour = 0; neighbour < intervals.of.size(); ++neighbour) {
      if (victim == neighbour) continue;
      Pair pair(intervals, victim, neighbour);
      if (!pair.suffices() || pair.ratio().low < kMinRatio) continue;
      if (pair.victim_share(true) >= pair.victim_share(false)) continue;
      Contention contention = describe(profile, pair, origin_ns);
      contention.victim = victim;
      contention.neighbour = neighbour;
      contention.event = profile.events[event].name;
      contention.split = find_split({profile.occupancy[victim].name, pair.victim_share(true)},
                                    {profile.occupancy[neighbour].name, pair.neighbour_share()},
                                    pair.victim_share(false), cache, programs);
      found.emplace_back(pair.excess(), std::move(contention));
    }
  }
  std::ranges::stable_sort(found, std::greater(), [](const auto& each) { return each.first; });
  std::vector<Contention> contentions;
  contentions.reserve(found.size());
  for (auto& [excess, each] : found) contentions.push_back(std::move(each));
  return contentions;
}

}  // namespace hm::occupancy
