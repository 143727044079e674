// SPDX-License-Identifier: MIT
// For tests: a profile built sample by sample.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace hm::timeline {

inline constexpr uint64_t kMadeStart = 5'000'000;  // in the time of the profile's clock

// A recording of functions a, b, c, ..., each with one location.
class Made {
 public:
  Made() {
    profile.events.push_back({});
    profile.events[0].name = "clock";
    profile.dsos.resize(1);
    for (char letter = 'a'; letter <= 'z'; ++letter) {
      profile.functions.push_back({.dso = 0, .name = std::string(1, letter), .start = 0, .size = 0});
      profile.locations.push_back(
          {.dso = 0, .offset = 0, .function = static_cast<uint32_t>(letter - 'a'), .address = 0});
    }
    profile.threads.push_back({.pid = 7, .tid = 7, .comm = "one"});
    profile.threads.push_back({.pid = 7, .tid = 8, .comm = "two"});
  }

  // `branches`: the functions that branches left, oldest first.
  void sample(uint64_t time_ns, char function, std::string_view branches = "", uint32_t thread = 0) {
    profile::Samples& samples = profile.samples;
    size_t row = samples.size();
    samples.time_ns.set(row, kMadeStart + time_ns);
    samples.event.push_back(0);
    samples.thread.push_back(thread);
    samples.location.push_back(static_cast<uint32_t>(function - 'a'));
    samples.chain.push_back({});
    samples.branch.push_back(
        {static_cast<uint32_t>(samples.left_functions.size()), static_cast<uint32_t>(branches.size())});
    samples.new_branches.push_back({static_cast<uint16_t>(branches.size()), false});
    std::vector<uint32_t> left;
    for (char branch : branches) left.push_back(static_cast<uint32_t>(branch - 'a'));
    samples.left_functions.append(std::move(left));
  }

  profile::Profile profile;
};

}  // namespace hm::timeline
