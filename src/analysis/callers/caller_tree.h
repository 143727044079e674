// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/callers/caller.h"
#include "analysis/callers/frame_numbers.h"
#include "analysis/callers/frame_tree.h"
#include "profile/profile.h"

namespace hm::callers {

// What the samples of a row have in common.
enum class RowKind : uint8_t {
  kFunction,  // the function with a symbol: the tree begins with its callers
  kPlace,     // a line or an instruction: the tree begins with what that is inlined into
};

// Who called one row: a tree from the row outwards.
class CallerTree {
 public:
  // `frames` must live as long.
  CallerTree(const profile::Profile& profile, FrameNumbers& frames, RowKind row)
      : profile_(&profile), frames_(&frames), row_(row) {}

  void add(size_t sample);
  // Branches with less than `min_share` of the samples are left out.
  [[nodiscard]] std::vector<Caller> callers(double min_share) const;

 private:
  static constexpr size_t kMostDepth = 48;

  [[nodiscard]] std::vector<Caller> below(uint32_t node, double min_share) const;

  const profile::Profile* profile_;
  FrameNumbers* frames_;
  RowKind row_;
  FrameTree tree_;              // begins with the row itself
  std::vector<uint32_t> path_;  // of the last sample
};

}  // namespace hm::callers
