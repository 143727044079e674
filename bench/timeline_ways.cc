// SPDX-License-Identifier: MIT
// How well each way of timing branches (analysis/timeline/ways.h) tells which function ran when:
// timeline_ways RECORDING, of the software PMU, with many samples and branch stacks. Its samples are taken
// for the truth, by the cost model's time at 3 GHz; the ways see only one of them every 1 ms, or 100 us.
// Prints a line for each interval and width of bins: interval and bin in us, samples used, and for each way
// the part of the time, in per cent, that goes to the wrong function in the mean bin.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "analysis/timeline/points.h"
#include "profile/loader.h"
#include "record/reader.h"
#include "symbol/file_resolver.h"

namespace hm {
namespace {

constexpr uint64_t kCyclesPerUs = 3000;
constexpr uint64_t kIntervalsUs[] = {1000, 100}, kBinsUs[] = {10, 100, 1000, 10000};
constexpr timeline::Way kWays[] = {timeline::Way::kNone, timeline::Way::kEven, timeline::Way::kShare,
                                   timeline::Way::kRatio, timeline::Way::kDwell};

// The time, in cycles of the model, of the thread that has the most samples.
timeline::Series whole_series(profile::Profile& profile) {
  std::map<uint32_t, size_t> threads;
  for (uint32_t thread : profile.samples.thread) ++threads[thread];
  uint32_t busiest =
      std::ranges::max_element(threads, {}, [](const auto& each) { return each.second; })->first;
  for (size_t i = 0; i < profile.samples.size(); ++i)
    profile.samples.time_ns.set(i, profile.samples.virtual_cycles.at(i).value_or(0));
  profile::FilterOptions of_it;
  of_it.tid = profile.threads[busiest].tid;
  return timeline::find_series(profile, *profile::Filter::make(profile, of_it), 0);
}

// The first sample of each interval.
timeline::Series thinned(const profile::Profile& profile, const timeline::Series& whole, uint64_t cycles) {
  std::vector<size_t> samples;
  uint64_t next = whole.begin_ns;
  for (const timeline::Point& point : whole.points) {
    if (point.end_ns < next) continue;
    next = point.end_ns - (point.end_ns - whole.begin_ns) % cycles + cycles;
    samples.push_back(point.sample);
  }
  return timeline::series_of(profile, samples);
}

using Bins = std::vector<std::unordered_map<uint32_t, double>>;  // cycles by function

Bins bins_of(const profile::Profile& profile, const timeline::Series& series, uint64_t begin, uint64_t end,
             timeline::Way way, uint64_t cycles) {
  Bins bins((end - begin) / cycles);
  for (const timeline::Point& point : series.points) {
    for (const timeline::Piece& piece : timeline::pieces_of(profile, series, point, way)) {
      double from = static_cast<double>(piece.begin_ns) - static_cast<double>(begin), to = from + piece.ns;
      for (auto i = static_cast<size_t>(std::max(from, 0.0) / static_cast<double>(cycles)); i < bins.size();
           ++i) {
        double start = static_cast<double>(i * cycles);
        if (start >= to) break;
        double here = std::min(to, start + static_cast<double>(cycles)) - std::max(from, start);
        if (here > 0) bins[i][piece.function] += here;
      }
    }
  }
  return bins;
}

// Half of what all functions are off by, of a bin's time.
double error_of(const Bins& found, const Bins& truth, uint64_t cycles) {
  double off = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    for (const auto& [function, time] : truth[i]) {
      auto other = found[i].find(function);
      off += std::abs(time - (other == found[i].end() ? 0 : other->second));
    }
    for (const auto& [function, time] : found[i]) off += truth[i].contains(function) ? 0 : time;
  }
  return off / 2 / static_cast<double>(truth.size() * cycles);
}

int measure(const char* path) {
  Result<record::Reader> reader = record::Reader::open(path);
  if (!reader) {
    fmt::print(stderr, "{}\n", reader.error().message);
    return 1;
  }
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = profile::load(*reader, resolver, {.needs = {.chains = false}});
  if (!profile || profile->samples.size() == 0) return 1;
  timeline::Series whole = whole_series(*profile);
  for (uint64_t interval : kIntervalsUs) {
    timeline::Series thin = thinned(*profile, whole, interval * kCyclesPerUs);
    uint64_t begin = whole.begin_ns, end = thin.end_ns;
    for (uint64_t bin : kBinsUs) {
      uint64_t cycles = bin * kCyclesPerUs;
      if ((end - begin) / cycles < 4) continue;
      Bins truth = bins_of(*profile, whole, begin, end, timeline::Way::kNone, cycles);
      fmt::print("{} {} {}", interval, bin, thin.points.size());
      for (timeline::Way way : kWays)
        fmt::print(" {:.2f}",
                   100 * error_of(bins_of(*profile, thin, begin, end, way, cycles), truth, cycles));
      fmt::print("\n");
    }
  }
  return 0;
}

}  // namespace
}  // namespace hm

int main(int count, char** arguments) { return count == 2 ? hm::measure(arguments[1]) : 2; }
