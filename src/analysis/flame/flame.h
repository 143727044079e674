// SPDX-License-Identifier: MIT
// Samples of an event by call path. They are the data of flame graphs (Gregg, "The Flame Graph",
// Communications of the ACM 59(6), 2016), and of icicle graphs, which begin at the sampled function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/flame/node_kind.h"
#include "base/result.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::flame {

struct Options {
  profile::FilterOptions filter;  // must select one event; if it names none, the event with the most samples
  bool inverted = false;  // true: from the sampled function outwards; false: from the outermost caller
  size_t limit = 5000;    // maximum number of nodes; keeps those with the most events; 0: all
  // Put a node for the process around each path, and one for the thread if the process has several threads.
  bool processes = false;
};

struct Node {
  std::string function;  // of a process or thread: its name and ID, "server (7)"
  std::string dso;
  bool inlined = false;          // into its caller
  uint64_t samples = 0;          // includes the children's samples
  uint64_t self = 0;             // samples that end here
  uint64_t events = 0;           // sum of the periods of `samples`; their number if they have no periods
  uint64_t self_events = 0;      // sum of the periods of `self`
  std::vector<Node> children{};  // most events first
  NodeKind kind = NodeKind::kFunction;
};

struct Flame {
  std::string event;
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;  // estimated number of events
  bool has_chains = false;            // at least one sample has a call chain
  uint64_t left_out = 0;              // samples in nodes beyond the limit, where paths end at a kept parent
  Node root;                          // has the name "all"
};

// Fails with kNotFound if no sample passes the filter, and with kInvalidArgument if the filter names an
// unknown event or several events.
[[nodiscard]] Result<Flame> find_flame(const profile::Profile& profile, const symbol::Resolver& resolver,
                                       const Options& options);

}  // namespace hm::flame
