// SPDX-License-Identifier: MIT
// The input is a window, and samples of a few threads and functions with branch stacks: at any times, in any
// order, with any index. The time line has an end, and the times in a cell do not exceed the cell's length.
#include <set>

#include "analysis/timeline/history.h"

#include "input.h"

namespace {

constexpr uint32_t kFunctions = 5, kThreads = 3;

hm::profile::Profile read_profile(hm::ByteReader& in) {
  hm::profile::Profile profile;
  profile.events.resize(1);
  profile.dsos.resize(1);
  for (uint32_t i = 0; i < kFunctions; ++i) {
    profile.functions.push_back(
        {.dso = 0, .name = std::string(1, static_cast<char>('a' + i)), .start = 0, .size = 0});
    profile.locations.push_back({.dso = 0, .offset = 0, .function = i, .address = 0});
  }
  for (uint32_t i = 0; i < kThreads; ++i) profile.threads.push_back({.pid = i / 2, .tid = i, .comm = ""});
  hm::profile::Samples& samples = profile.samples;
  hm::profile::LastStacks stacks;
  while (in.remaining() != 0 && samples.size() < 4096) {
    size_t row = samples.size();
    uint8_t what = in.u8();
    uint64_t time = what % 16 == 0 ? in.u64()
                    : row == 0     ? 0
                                   : samples.time_ns.at(row - 1).value_or(0) + in.u16();
    if (what % 16 != 1) samples.time_ns.set(row, time);
    if (what % 4 == 3) samples.cpu.set(row, in.u32());
    samples.event.push_back(0);
    samples.thread.push_back(in.u8() % kThreads);
    samples.location.push_back(in.u8() % kFunctions);
    samples.chain.push_back({});
    hm::profile::LastStacks::Stack stack;
    if (what % 8 == 2) stack.hardware_index = in.u8();
    std::vector<uint32_t> left;
    std::vector<uint16_t> cycles;
    for (uint32_t more = in.u8() % 40; more > 0 && in.remaining() != 0; --more) {
      uint8_t from = in.u8();
      stack.entries.push_back({from, from, from});
      left.push_back(from % kFunctions);
      cycles.push_back(from);
    }
    samples.new_branches.push_back(stacks.add(row, samples.thread[row], 0, stack));
    samples.branch.push_back(
        {static_cast<uint32_t>(samples.left_functions.size()), static_cast<uint32_t>(left.size())});
    samples.left_functions.append(std::move(left));
    samples.branch_cycles.append(std::move(cycles));
  }
  return profile;
}

// Returns the number of threads. The first thread is the idle task: each CPU has its own.
size_t count_tasks(const hm::profile::Samples& samples) {
  std::set<uint64_t> cpus;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples.thread[i] == 0) cpus.insert(samples.cpu.at(i).value_or(0));
  }
  return kThreads - 1 + cpus.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::timeline;
  hm::ByteReader in(hm::fuzz::input(data, size));
  HistoryOptions options;
  options.way = kAllWays[in.u8() % std::size(kAllWays)];
  Window window;
  window.by = static_cast<By>(in.u8() % 3);
  window.from_ns = in.u8() % 2 == 0 ? 0 : in.u64();
  window.to_ns = in.u8() % 2 == 0 ? UINT64_MAX : in.u64();
  window.bin_ns = in.u8() % 2 == 0 ? 0 : in.u64();
  window.columns = in.u8();
  window.functions = in.u8() % 4;
  window.samples = in.u8() % 4;
  hm::profile::Profile profile = read_profile(in);
  auto tasks = static_cast<double>(count_tasks(profile.samples));
  hm::Result<History> history = History::make(profile, options);
  if (!history) return 0;
  hm::Result<Timeline> line = history->show(window);
  if (!line) return 0;
  hm::fuzz::require(line->points.new_branches <= line->points.branches &&
                    line->functions.size() <= kFunctions + 1);
  for (const Lane& lane : line->lanes) {
    hm::fuzz::require(lane.bins.size() <= 100'001);
    for (const Bin& bin : lane.bins) {
      double ns = 0;
      for (float each : bin.ns) ns += each;
      hm::fuzz::require(ns >= 0);
      // The tasks of a process or CPU share its lane. Beyond weeks, the rounding error of times exceeds a
      // cell's length.
      constexpr uint64_t kWeeks = uint64_t{1} << 50;
      bool exact = line->end_ns < kWeeks && line->interval_ns < kWeeks;
      double most = 1.01 * tasks * static_cast<double>(line->bin_ns) + 10;
      hm::fuzz::require(!exact || ns <= most);
    }
  }
  return 0;
}
