// SPDX-License-Identifier: MIT
// Measures how well each way of timing branches (analysis/timeline/ways.h) reconstructs the running function
// over time. Usage: timeline_ways RECORDING, of the software PMU, with many samples and branch stacks. All
// samples together are the reference, with the cost model's time at 3 GHz; the ways use only one sample per 1
// ms, or per 100 us. Prints a line for each interval and width of bins: interval and bin in us, the samples
// used, and for each way the percentage of time attributed to the wrong function in the mean bin.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "analysis/timeline/index.h"
#include "profile/loader.h"
#include "record/reader.h"
#include "symbol/file_resolver.h"

namespace hm {
namespace {

constexpr uint64_t kCyclesPerUs = 3000;
constexpr uint64_t kIntervalsUs[] = {1000, 100}, kBinsUs[] = {10, 100, 1000, 10000};
constexpr timeline::Way kWays[] = {timeline::Way::kNone,  timeline::Way::kEven,  timeline::Way::kShare,
                                   timeline::Way::kRatio, timeline::Way::kDwell, timeline::Way::kMix};

// Sets times in cycles of the model, and selects the thread with the most samples.
profile::FilterOptions prepare(profile::Profile& profile) {
  std::map<uint32_t, size_t> threads;
  for (uint32_t thread : profile.samples.thread) ++threads[thread];
  uint32_t busiest =
      std::ranges::max_element(threads, {}, [](const auto& each) { return each.second; })->first;
  for (size_t i = 0; i < profile.samples.size(); ++i)
    profile.samples.time_ns.set(i, profile.samples.virtual_cycles.at(i).value_or(0));
  profile::FilterOptions of_it;
  of_it.tid = profile.threads[busiest].tid;
  return of_it;
}

// Copies a sample and its branches as far as a time line needs them.
void copy_sample(const profile::Profile& from, size_t sample, profile::LastStacks& stacks,
                 profile::Profile& to) {
  const profile::Samples& all = from.samples;
  profile::Samples& samples = to.samples;
  size_t row = samples.size();
  samples.time_ns.set(row, *all.time_ns.at(sample));
  samples.event.push_back(all.event[sample]);
  samples.thread.push_back(all.thread[sample]);
  samples.location.push_back(all.location[sample]);
  profile::Slice slice = all.branches_of(sample);
  profile::LastStacks::Stack stack;
  std::vector<uint32_t> left;
  for (uint32_t i = 0; i < slice.count; ++i) {
    const profile::Branch& branch = all.branches[slice.offset + i];
    stack.entries.push_back({branch.entry.from, branch.entry.to, branch.entry.cycles});
    left.insert(left.begin(), from.locations[branch.from].function);
  }
  samples.branch.push_back(
      {static_cast<uint32_t>(samples.left_functions.size()), static_cast<uint32_t>(left.size())});
  samples.left_functions.append(std::move(left));
  samples.new_branches.push_back(stacks.add(row, all.thread[sample], all.event[sample], stack));
}

// Keeps the first sample of each interval.
profile::Profile thinned(const profile::Profile& profile, const timeline::Series& whole, uint64_t cycles) {
  profile::Profile thin;
  thin.events = profile.events;
  thin.dsos = profile.dsos;
  thin.functions = profile.functions;
  thin.locations = profile.locations;
  thin.threads = profile.threads;
  profile::LastStacks stacks;
  uint64_t next = 0;
  for (const timeline::Point& point : whole.points) {
    auto time = static_cast<uint64_t>(point.end_ns);
    if (time < next) continue;
    next = time - time % cycles + cycles;
    copy_sample(profile, point.sample, stacks, thin);
  }
  return thin;
}

using Bins = std::vector<std::unordered_map<uint32_t, double>>;  // cycles by function

Bins bins_of(timeline::Series series, int64_t end, timeline::Way way, uint64_t cycles) {
  Bins bins(static_cast<size_t>(end) / cycles);
  timeline::Index index(std::move(series), way);
  timeline::Grid grid{0, static_cast<int64_t>(bins.size() * cycles), static_cast<int64_t>(cycles)};
  for (size_t track = 0; track < index.series().tracks.size(); ++track) {
    index.for_each_time(track, grid, [&](size_t bin, uint32_t function, double time) {
      if (bin < bins.size()) bins[bin][function] += time;
    });
  }
  return bins;
}

// Returns half of the sum of all functions' errors, relative to a bin's time.
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
  profile::Filter filter = *profile::Filter::make(*profile, prepare(*profile));
  timeline::Series whole = timeline::find_series(*profile, timeline::Axis(*profile), filter, 0);
  for (uint64_t interval : kIntervalsUs) {
    profile::Profile thin = thinned(*profile, whole, interval * kCyclesPerUs);
    timeline::Series seen = timeline::find_series(thin, timeline::Axis(thin), filter, 0);
    for (uint64_t bin : kBinsUs) {
      uint64_t cycles = bin * kCyclesPerUs;
      if (static_cast<uint64_t>(seen.end_ns) / cycles < 4) continue;
      Bins truth = bins_of(whole, seen.end_ns, timeline::Way::kNone, cycles);
      fmt::print("{} {} {}", interval, bin, seen.points.size());
      for (timeline::Way way : kWays)
        fmt::print(" {:.2f}", 100 * error_of(bins_of(seen, seen.end_ns, way, cycles), truth, cycles));
      fmt::print("\n");
    }
  }
  return 0;
}

}  // namespace
}  // namespace hm

int main(int count, char** arguments) { return count == 2 ? hm::measure(arguments[1]) : 2; }
