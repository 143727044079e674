// SPDX-License-Identifier: MIT
// Estimates the miss class of a place from hardware samples: addresses, data sources, and the code.
// docs/estimates.md gives the accuracy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/data_rows.h"
#include "record/extension.h"
#include "record/features.h"

namespace hm::cause {

// Geometry of the cache that an event counts misses of.
struct CacheShape {
  uint64_t line_bytes = 64;
  uint64_t sets = 0;
  uint64_t ways = 0;
  [[nodiscard]] uint64_t lines() const { return sets * ways; }
  // Returns the number of sets that addresses with a stride of `bytes` map to.
  [[nodiscard]] uint64_t sets_of_stride(uint64_t bytes) const;
  // Returns the probability that a line survives `others` insertions if lines map to sets at random and
  // replacement is LRU. The line survives if fewer than `ways` of them map to its set. Smith, "A Comparative
  // Study of Set Associative Memory Mapping Algorithms", IEEE Transactions on Software Engineering 4, 1978;
  // with a Poisson distribution.
  [[nodiscard]] double part_kept_by_chance(uint64_t others) const;
};

// Returns nullopt if the event concerns no cache or the recording does not describe the cache. The result has
// no sets if the event concerns lines of any cache.
[[nodiscard]] std::optional<CacheShape> cache_of(std::string_view event,
                                                 const std::vector<record::CacheInfo>& caches);

struct Observed {
  std::vector<uint64_t> addresses;  // addresses of the samples that have one
  double events = 0;                // events that the samples represent; 0: unknown
  double modified_elsewhere = 0;    // fraction of the samples that were served from another core's cache
  bool stores = false;
  profile::ObjectKind memory = profile::ObjectKind::kUnknown;  // kind of memory that most samples access
  std::optional<int64_t> step_bytes = std::nullopt;            // step according to the code
};

struct ClassEstimate {
  record::MissClass miss_class = record::MissClass::kNone;
  std::string why;
};

// Returns the class of most of the place's misses, or nullopt if the evidence is insufficient. Does not
// distinguish true from false sharing. `cache`: the cache that the event counts misses of, if any.
[[nodiscard]] std::optional<ClassEstimate> estimate_class(const Observed& place,
                                                          const std::optional<CacheShape>& cache);

// Returns the number of lines between the lowest and the highest address, without gaps that are far wider
// than the others.
[[nodiscard]] uint64_t lines_spanned(std::span<const uint64_t> addresses, uint64_t line_bytes);

// Returns the effective number of sets: the reciprocal of the sum of squared shares, corrected for the number
// of samples (Simpson, Nature 163, 1949). For samples spread evenly over n sets, the result is about n.
[[nodiscard]] double effective_sets(std::span<const uint64_t> addresses, const CacheShape& cache);

}  // namespace hm::cause
