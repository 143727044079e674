// SPDX-License-Identifier: MIT
// The input is a window, and samples of a few threads and functions with branch stacks: at any times, in any
// order, of any index. A time line ends, and has no more time in its cells than they are long.
#include "analysis/timeline/timeline.h"

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
  while (in.remaining() != 0 && samples.size() < 4096) {
    size_t row = samples.size();
    uint8_t what = in.u8();
    uint64_t time = what % 16 == 0 ? in.u64()
                    : row == 0     ? 0
                                   : samples.time_ns.at(row - 1).value_or(0) + in.u16();
    if (what % 16 != 1) samples.time_ns.set(row, time);
    if (what % 8 == 2) samples.branch_index.set(row, in.u8());
    if (what % 4 == 3) samples.cpu.set(row, in.u32());
    samples.event.push_back(0);
    samples.thread.push_back(in.u8() % kThreads);
    samples.location.push_back(in.u8() % kFunctions);
    samples.chain.push_back({});
    auto first = static_cast<uint32_t>(samples.branches.size());
    for (uint32_t left = in.u8() % 40; left > 0 && in.remaining() != 0; --left) {
      uint8_t from = in.u8();
      samples.branches.push_back({from % kFunctions, 0, {.from = from, .to = from, .cycles = from}});
    }
    samples.branch.push_back({first, static_cast<uint32_t>(samples.branches.size()) - first});
  }
  return profile;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::timeline;
  hm::ByteReader in(hm::fuzz::input(data, size));
  Options options;
  options.way = kAllWays[in.u8() % std::size(kAllWays)];
  options.by = static_cast<By>(in.u8() % 3);
  options.from_ns = in.u8() % 2 == 0 ? 0 : in.u64();
  options.to_ns = in.u8() % 2 == 0 ? UINT64_MAX : in.u64();
  options.bin_ns = in.u8() % 2 == 0 ? 0 : in.u64();
  options.columns = in.u8();
  options.functions = in.u8() % 4;
  options.samples = in.u8() % 4;
  hm::Result<Timeline> line = find_timeline(read_profile(in), options);
  if (!line) return 0;
  hm::fuzz::require(line->new_branches <= line->branches && line->functions.size() <= kFunctions);
  for (const Lane& lane : line->lanes) {
    hm::fuzz::require(lane.bins.size() <= 100'001);
    for (const Bin& bin : lane.bins) {
      double ns = 0;
      for (float each : bin.ns) ns += each;
      hm::fuzz::require(ns >= 0);
      // Threads of a process or CPU share its lane. Beyond weeks, times are rounded to more than cells may be
      // long.
      constexpr uint64_t kWeeks = uint64_t{1} << 50;
      bool exact = line->end_ns < kWeeks && line->interval_ns < kWeeks;
      double most = 1.01 * kThreads * static_cast<double>(line->bin_ns) + 10;
      hm::fuzz::require(!exact || ns <= most);
    }
  }
  return 0;
}
