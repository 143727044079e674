// SPDX-License-Identifier: MIT
#include "analysis/timeline/tracks.h"

#include <unordered_map>

namespace hm::timeline {

Tracks find_tracks(const profile::Profile& profile, const profile::TimeAxis& axis,
                   const profile::Filter& filter, uint32_t event) {
  const profile::Samples& samples = profile.samples;
  constexpr uint32_t kUnknownCpu = UINT32_MAX, kLeftOut = UINT32_MAX;
  Tracks found;
  std::unordered_map<uint64_t, uint32_t> numbers;  // by thread and CPU
  std::vector<uint32_t> track_of(samples.size(), kLeftOut);
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples.event[i] != event || !axis.at(i) || !filter.passes_thread(samples.thread[i])) continue;
    auto cpu = static_cast<uint32_t>(samples.cpu.at(i).value_or(kUnknownCpu));
    auto [number, is_new] = numbers.try_emplace(uint64_t{samples.thread[i]} << 32 | cpu,
                                                static_cast<uint32_t>(found.tracks.size()));
    if (is_new)
      found.tracks.push_back(
          {samples.thread[i], cpu == kUnknownCpu ? std::nullopt : std::optional(cpu), 0, 0});
    track_of[i] = number->second;
    ++found.tracks[number->second].count;
  }
  size_t all = 0;
  for (Track& track : found.tracks) {
    track.first = all;
    all += track.count;
  }
  found.samples.resize(all);
  std::vector<size_t> next;
  for (const Track& track : found.tracks) next.push_back(track.first);
  for (size_t i = 0; i < samples.size(); ++i) {
    if (track_of[i] != kLeftOut) found.samples[next[track_of[i]]++] = static_cast<uint32_t>(i);
  }
  return found;
}

}  // namespace hm::timeline
