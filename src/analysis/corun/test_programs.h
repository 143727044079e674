// SPDX-License-Identifier: MIT
// For tests and benchmarks: builds programs from streams of lines, and simulates their misses beside each
// other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/corun/corun_prediction.h"
#include "model/lru_sets.h"
#include "model/stack_distances.h"
#include "model/test_storage.h"

namespace hm::corun {

// Returns the sizes that a recording with --sizes would contain for these accesses.
inline Program program_of(std::string name, const std::vector<uint64_t>& lines,
                          const model::SizeRange& range) {
  model::InStorage<model::StackDistances> distances(range);
  for (uint64_t line : lines) distances.object.access(line);
  const model::SizeCounts& counts = distances.object.counts();
  profile::Sizes sizes{range.min_sets,  range.set_counts, range.ways, 64, counts.accesses, 0, {},
                       counts.accesses, std::nullopt};
  for (uint32_t i = 0; i < range.set_counts; ++i) {
    std::vector<uint64_t>& row = sizes.misses.emplace_back();
    for (uint32_t ways = 1; ways <= range.ways; ++ways) row.push_back(counts.misses(i, ways));
  }
  sizes.reuses.emplace();
  auto reuses = std::make_unique<model::ReuseCounts>();
  distances.object.reuse_times().move_to(*reuses, range);
  for (uint32_t time = 0; time < model::kReuseClasses; ++time) {
    for (uint32_t i = 0; i < range.set_counts; ++i) {
      for (uint32_t depth = 0; depth <= range.ways; ++depth) {
        if (uint64_t count = reuses->of[time][i][depth]) sizes.reuses->push_back({time, i, depth, count});
      }
    }
  }
  return {std::move(name), std::move(sizes)};
}

// Returns the misses per 1000 accesses of each stream. The streams take turns at one LRU cache until the
// shortest stream ends.
inline std::vector<double> simulate_together(const std::vector<const std::vector<uint64_t>*>& streams,
                                             model::SetGeometry geometry) {
  model::InStorage<model::LruSets<uint64_t>> cache(geometry);
  std::vector<double> misses(streams.size());
  size_t count = streams.front()->size();
  for (const auto* stream : streams) count = std::min(count, stream->size());
  for (size_t i = 0; i < count; ++i) {
    for (size_t program = 0; program < streams.size(); ++program) {
      uint64_t line = (*streams[program])[i];
      uint64_t tag = line / geometry.sets | uint64_t{program} << 56;
      uint32_t depth = cache.object.touch(static_cast<uint32_t>(line % geometry.sets), tag).position;
      misses[program] += depth == geometry.ways ? 1 : 0;
    }
  }
  for (double& each : misses) each *= 1000.0 / static_cast<double>(count);
  return misses;
}

}  // namespace hm::corun
