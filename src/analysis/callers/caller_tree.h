// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/callers/caller.h"
#include "analysis/callers/frame_numbers.h"
#include "analysis/callers/frame_tree.h"
#include "profile/profile.h"

namespace hm::callers {

// The unit that the samples of a row share.
enum class RowKind : uint8_t {
  kFunction,  // a function with a symbol: the tree begins with its callers
  kPlace,     // a line or an instruction: the tree begins with the functions that it is inlined into
};

// Tree of the callers of one row, from the row outwards.
class CallerTree {
 public:
  // `frames` must outlive the tree.
  CallerTree(const profile::Profile& profile, FrameNumbers& frames, RowKind row)
      : profile_(&profile), frames_(&frames), row_(row) {}

  void add(size_t sample);
  // The same for a row that the first `own` frames at the sample's location belong to.
  void add(size_t sample, size_t own);
  // Returns the callers, without branches that have less than `min_share` of the row's samples.
  [[nodiscard]] std::vector<Caller> callers(double min_share) const;

 private:
  static constexpr size_t kMaxDepth = 48;

  [[nodiscard]] std::vector<Caller> below(uint32_t node, double min_share) const;

  const profile::Profile* profile_;
  FrameNumbers* frames_;
  RowKind row_;
  FrameTree tree_;              // its paths begin with the row itself
  std::vector<uint32_t> path_;  // path of the last added sample
};

}  // namespace hm::callers
