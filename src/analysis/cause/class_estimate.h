// SPDX-License-Identifier: MIT
// Why a place misses, guessed from what samples of hardware hold: addresses, data sources, and the code. How
// often that is right: docs/estimates.md.
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

// The cache that an event is about.
struct CacheShape {
  uint64_t line_bytes = 64;
  uint64_t sets = 0;
  uint64_t ways = 0;
  [[nodiscard]] uint64_t lines() const { return sets * ways; }
  // Those that addresses so many bytes apart lie in.
  [[nodiscard]] uint64_t sets_of_stride(uint64_t bytes) const;
  // The probability that a line is still there after so many others, each in a set by chance and the oldest
  // of a set evicted: that fewer than the ways are in its set. Smith, "A Comparative Study of Set Associative
  // Memory Mapping Algorithms", IEEE Transactions on Software Engineering 4, 1978; by Poisson's distribution.
  [[nodiscard]] double part_kept_by_chance(uint64_t others) const;
};

// nullopt where the event is about none, or the recording does not describe it; without sets where it is
// about lines of any.
[[nodiscard]] std::optional<CacheShape> cache_of(std::string_view event,
                                                 const std::vector<record::CacheInfo>& caches);

struct Observed {
  std::vector<uint64_t> addresses;  // of the samples that have one
  double events = 0;                // that the samples stand for; 0: not known
  double modified_elsewhere = 0;    // the part of the samples whose data came from another core's cache
  bool stores = false;
  profile::ObjectKind memory = profile::ObjectKind::kUnknown;  // of most samples
  std::optional<int64_t> step_bytes = std::nullopt;            // as the code tells
};

struct ClassEstimate {
  record::MissClass miss_class = record::MissClass::kNone;
  std::string why;
};

// The class of most of the place's misses; nullopt where too little is known to say. Of sharing, only that it
// is. `cache`: that the event is about, if any.
[[nodiscard]] std::optional<ClassEstimate> estimate_class(const Observed& place,
                                                          const std::optional<CacheShape>& cache);

// How many lines lie between the first and the last address, without gaps that are far wider than the others.
[[nodiscard]] uint64_t lines_spanned(std::span<const uint64_t> addresses, uint64_t line_bytes);

// In how many sets that are as full as the fullest all addresses would lie: the reciprocal of the sum of
// squared shares, corrected for the number of samples (Simpson, Nature 163, 1949).
[[nodiscard]] double effective_sets(std::span<const uint64_t> addresses, const CacheShape& cache);

}  // namespace hm::cause
