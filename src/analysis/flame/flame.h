// SPDX-License-Identifier: MIT
// Samples of an event by call path: what flame graphs are drawn from (Gregg, "The Flame Graph",
// Communications of the ACM 59(6), 2016), and what icicles are, which begin where the samples fell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::flame {

struct Options {
  profile::FilterOptions filter;  // of one event; where it names none, that with the most samples
  bool inverted = false;  // from where the samples fell outwards, else from the outermost caller inwards
  size_t limit = 5000;    // nodes, those with the most events; 0: all
};

struct Node {
  std::string function;
  std::string dso;
  bool inlined = false;          // into the function that it is called by
  uint64_t samples = 0;          // its own and its children's
  uint64_t self = 0;             // samples that end here
  uint64_t events = 0;           // sum of the periods of `samples`; their number if they have no periods
  uint64_t self_events = 0;      // the same of `self`
  std::vector<Node> children{};  // most events first
};

struct Flame {
  std::string event;
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;  // events
  bool has_chains = false;            // some sample says who called
  uint64_t left_out = 0;              // samples in nodes that are beyond the limit, where their parents end
  Node root;                          // "all"
};

// kNotFound where no sample passes the filter; kInvalidArgument where it names an unknown event, or several.
[[nodiscard]] Result<Flame> find_flame(const profile::Profile& profile, const symbol::Resolver& resolver,
                                       const Options& options);

}  // namespace hm::flame
