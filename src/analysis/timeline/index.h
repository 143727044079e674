// SPDX-License-Identifier: MIT
// An index over time: the functions' times in any window are a sum of precomputed sums and of a few points at
// the window's edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/timeline/series.h"
#include "profile/blocks.h"

namespace hm::timeline {

// Cells of equal length, except that the last one may be shorter. Times are relative, as in Point.
struct Grid {
  int64_t begin_ns = 0, end_ns = 1;
  int64_t bin_ns = 1;

  [[nodiscard]] size_t bin_of(int64_t time_ns) const {
    return static_cast<size_t>((time_ns - begin_ns) / bin_ns);
  }
  [[nodiscard]] size_t cells() const { return end_ns > begin_ns ? bin_of(end_ns - 1) + 1 : 0; }
  [[nodiscard]] int64_t end_of(size_t bin) const {
    int64_t begin = begin_ns + static_cast<int64_t>(bin) * bin_ns;
    return end_ns - begin < bin_ns ? end_ns : begin + bin_ns;
  }
  // Returns true if [begin, end) lies within one cell of the grid.
  [[nodiscard]] bool has_in_one_bin(int64_t begin, int64_t end) const {
    return begin >= begin_ns && end <= end_ns && begin < end && bin_of(begin) == bin_of(end - 1);
  }
};

struct FunctionTime {
  uint32_t function = 0;
  float ns = 0;
};

// Counts over the points that were taken in a window.
struct PointCounts {
  uint64_t points = 0;
  uint64_t branches = 0;
  uint64_t new_branches = 0;
  uint64_t ambiguous = 0;  // number of points with ambiguous branches

  PointCounts& operator+=(const PointCounts& other);
};

// A tree for each track: leaves sum up successive points, other nodes sum up successive nodes. After
// construction, several threads may query it concurrently.
class Index {
 public:
  Index(Series series, Way way);
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  [[nodiscard]] const Series& series() const { return series_; }
  [[nodiscard]] Way way() const { return way_; }

  // Calls visit(BIN, FUNCTION, NS) any number of times for each bin and function. NS is a time for which the
  // function ran on the track.
  template <typename Visit>
  void for_each_time(size_t track, const Grid& grid, Visit&& visit) const {
    Divider divider(series_, way_);
    for (size_t level = levels_.size(); level-- > 0;) {
      Range nodes = levels_[level].of_track[track];
      if (nodes.count == 0) continue;
      for (size_t i = 0; i < nodes.count; ++i) visit_node(level, nodes.first + i, grid, divider, visit);
      return;
    }
  }

  // Like for_each_time(), but faster and approximate: the points of a leaf that is no longer than a bin count
  // in the bin of the leaf's middle.
  template <typename Visit>
  void for_each_time_near(size_t track, const Grid& grid, Visit&& visit) const {
    Divider divider(series_, way_);
    const Level& leaves = levels_.front();
    Range nodes = leaves.of_track[track];
    for (size_t i = nodes.first; i < nodes.first + nodes.count; ++i) {
      const Node& leaf = leaves.nodes[i];
      int64_t middle = leaf.begin_ns + (leaf.end_ns - leaf.begin_ns) / 2;
      bool is_short = leaf.end_ns - leaf.begin_ns <= grid.bin_ns;
      if (!is_short || middle < grid.begin_ns || middle >= grid.end_ns) {
        visit_node(0, i, grid, divider, visit);
        continue;
      }
      for (const FunctionTime& time : leaves.times_of(leaf))
        visit(grid.bin_of(middle), time.function, double{time.ns});
    }
  }

  [[nodiscard]] PointCounts count(size_t track, int64_t begin_ns, int64_t end_ns) const;

  // Returns the begin of the first stretch on the track, at `from_ns` or later, in which a marked function
  // ran; nullopt if there is none. `functions` has one mark per function.
  [[nodiscard]] std::optional<int64_t> next_time(size_t track, const std::vector<bool>& functions,
                                                 int64_t from_ns) const;

 private:
  struct Range {
    size_t first = 0, count = 0;
  };
  struct Node {
    int64_t begin_ns = 0;      // begin of the first point
    int64_t first_end_ns = 0;  // end of the first point, when its sample was taken
    int64_t end_ns = 0;
    Range below;  // points if this is a leaf, else nodes
    profile::Slice times;
    PointCounts counts;
  };
  struct Level {
    std::vector<Node> nodes;  // concatenated by track
    std::vector<Range> of_track;
    profile::Blocks<FunctionTime> times;

    [[nodiscard]] std::span<const FunctionTime> times_of(const Node& node) const {
      return times.items(node.times);
    }
  };
  class Sums;

  [[nodiscard]] Level make_leaves() const;
  [[nodiscard]] Level make_above(const Level& below) const;
  [[nodiscard]] std::optional<int64_t> next_in(size_t level, size_t number,
                                               const std::vector<bool>& functions, int64_t from_ns) const;
  void count(size_t level, size_t node, int64_t begin_ns, int64_t end_ns, PointCounts& counts) const;
  [[nodiscard]] PointCounts counts_of(const Point& point) const;

  template <typename Visit>
  void visit_node(size_t level, size_t number, const Grid& grid, Divider& divider, Visit& visit) const {
    const Node& node = levels_[level].nodes[number];
    if (node.end_ns <= grid.begin_ns || node.begin_ns >= grid.end_ns) return;
    if (grid.has_in_one_bin(node.begin_ns, node.end_ns)) {
      size_t bin = grid.bin_of(node.begin_ns);
      for (const FunctionTime& time : levels_[level].times_of(node))
        visit(bin, time.function, double{time.ns});
      return;
    }
    for (size_t i = node.below.first; i < node.below.first + node.below.count; ++i) {
      if (level > 0)
        visit_node(level - 1, i, grid, divider, visit);
      else
        visit_point(i, grid, divider, visit);
    }
  }

  template <typename Visit>
  void visit_point(size_t number, const Grid& grid, Divider& divider, Visit& visit) const {
    const Point& point = series_.points[number];
    if (point.end_ns <= grid.begin_ns || point.begin_ns >= grid.end_ns) return;
    auto origin = static_cast<double>(grid.begin_ns), width = static_cast<double>(grid.bin_ns);
    double length = static_cast<double>(grid.end_ns) - origin;
    divider.divide(number, [&](uint32_t function, double begin, double end, double part) {
      begin = std::max(begin - origin, 0.0);
      end = std::min(end - origin, length);
      while (begin < end) {
        auto bin = static_cast<size_t>(begin / width);
        double next = std::max(std::min(end, static_cast<double>(bin + 1) * width), begin);
        visit(bin, function, part * (next - begin));
        if (next == begin)
          return;  // the time is damaged and so large that a double cannot represent the next bin
        begin = next;
      }
    });
  }

  Series series_;
  Way way_;
  std::vector<Level> levels_;  // leaves first; in the last level, each track has at most one node
};

}  // namespace hm::timeline
