// SPDX-License-Identifier: MIT
#include "analysis/timeline/index.h"

#include "base/parallel.h"

namespace hm::timeline {
namespace {

constexpr size_t kLeafPoints = 16, kFanOut = 16;

}  // namespace

// Sums up times by function, for one node after the other.
class Index::Sums {
 public:
  explicit Sums(size_t functions) : ns_(functions) {}

  void add(uint32_t function, double ns) {
    if (ns_[function] == 0) touched_.push_back(function);
    ns_[function] += ns;
  }
  // Appends the sums to `times` and resets them.
  profile::Slice take(std::vector<FunctionTime>& times) {
    profile::Slice range{static_cast<uint32_t>(times.size()), 0};
    for (uint32_t function : touched_) {
      if (ns_[function] > 0) times.push_back({function, static_cast<float>(ns_[function])});
      ns_[function] = 0;
    }
    touched_.clear();
    range.count = static_cast<uint32_t>(times.size()) - range.offset;
    return range;
  }

 private:
  std::vector<double> ns_;
  std::vector<uint32_t> touched_;
};

PointCounts& PointCounts::operator+=(const PointCounts& other) {
  points += other.points;
  branches += other.branches;
  new_branches += other.new_branches;
  ambiguous += other.ambiguous;
  return *this;
}

Index::Index(Series series, Way way) : series_(std::move(series)), way_(way) {
  levels_.push_back(make_leaves());
  const auto has_several = [](const Range& range) { return range.count > 1; };
  while (std::ranges::any_of(levels_.back().of_track, has_several))
    levels_.push_back(make_above(levels_.back()));
}

PointCounts Index::counts_of(const Point& point) const {
  return {1, series_.branches_of(point).size(), series_.new_branches_of(point).size(),
          series_.is_ambiguous(point) ? 1u : 0u};
}

// Makes the leaves in parallel, because leaves are independent of each other.
Index::Level Index::make_leaves() const {
  constexpr size_t kLeavesPerPart = 4096;
  Level level;
  for (const Track& track : series_.tracks) {
    level.of_track.push_back({level.nodes.size(), (track.count + kLeafPoints - 1) / kLeafPoints});
    for (size_t i = 0; i < track.count; i += kLeafPoints) {
      Node node;
      node.below = {track.first + i, std::min(kLeafPoints, track.count - i)};
      level.nodes.push_back(node);
    }
  }
  size_t parts = level.nodes.size() / kLeavesPerPart + 1;
  std::vector<std::vector<FunctionTime>> times(parts);
  parallel_for(parts, available_cpus(), [&](size_t part) {
    Sums sums(series_.share.size());
    Divider divider(series_, way_);
    size_t end = level.nodes.size() * (part + 1) / parts;
    for (size_t i = level.nodes.size() * part / parts; i < end; ++i) {
      Node& node = level.nodes[i];
      auto points = std::span(series_.points).subspan(node.below.first, node.below.count);
      node.begin_ns = points.front().begin_ns;
      node.first_end_ns = points.front().end_ns;
      node.end_ns = points.back().end_ns;
      for (const Point& point : points) node.counts += counts_of(point);
      divider.add_up(node.below.first, node.below.count,
                     [&](uint32_t function, double ns) { sums.add(function, ns); });
      node.times = sums.take(times[part]);
    }
  });
  for (size_t part = 0; part < parts; ++part) {
    auto offset = static_cast<uint32_t>(level.times.size());
    bool fits = level.times.append(std::move(times[part]));
    size_t end = level.nodes.size() * (part + 1) / parts;
    for (size_t i = level.nodes.size() * part / parts; i < end; ++i) {
      profile::Slice& slice = level.nodes[i].times;
      slice = fits ? profile::Slice{slice.offset + offset, slice.count} : profile::Slice();
    }
  }
  return level;
}

Index::Level Index::make_above(const Level& below) const {
  Level level;
  Sums sums(series_.share.size());
  std::vector<FunctionTime> times;
  for (const Range& range : below.of_track) {
    Range nodes{level.nodes.size(), 0};
    // A track with a single node below has its root there.
    for (size_t i = 0; range.count > 1 && i < range.count; i += kFanOut) {
      Node node;
      node.below = {range.first + i, std::min(kFanOut, range.count - i)};
      auto children = std::span(below.nodes).subspan(node.below.first, node.below.count);
      node.begin_ns = children.front().begin_ns;
      node.first_end_ns = children.front().first_end_ns;
      node.end_ns = children.back().end_ns;
      for (const Node& child : children) {
        node.counts += child.counts;
        for (const FunctionTime& time : below.times_of(child)) sums.add(time.function, double{time.ns});
      }
      node.times = sums.take(times);
      level.nodes.push_back(node);
    }
    nodes.count = level.nodes.size() - nodes.first;
    level.of_track.push_back(nodes);
  }
  level.times.append(std::move(times));
  return level;
}

PointCounts Index::count(size_t track, int64_t begin_ns, int64_t end_ns) const {
  PointCounts counts;
  for (size_t level = levels_.size(); level-- > 0;) {
    Range nodes = levels_[level].of_track[track];
    if (nodes.count == 0) continue;
    for (size_t i = 0; i < nodes.count; ++i) count(level, nodes.first + i, begin_ns, end_ns, counts);
    break;
  }
  return counts;
}

std::optional<int64_t> Index::next_time(size_t track, const std::vector<bool>& functions,
                                        int64_t from_ns) const {
  for (size_t level = levels_.size(); level-- > 0;) {
    Range nodes = levels_[level].of_track[track];
    if (nodes.count == 0) continue;
    return next_in(level, nodes.first, functions, from_ns);
  }
  return std::nullopt;
}

std::optional<int64_t> Index::next_in(size_t level, size_t number, const std::vector<bool>& functions,
                                      int64_t from_ns) const {
  const Node& node = levels_[level].nodes[number];
  if (node.end_ns <= from_ns) return std::nullopt;
  const auto is_wanted = [&](const FunctionTime& time) { return functions[time.function]; };
  if (std::ranges::none_of(levels_[level].times_of(node), is_wanted)) return std::nullopt;
  std::optional<int64_t> found;
  for (size_t i = node.below.first; i < node.below.first + node.below.count && !found; ++i) {
    if (level > 0) {
      found = next_in(level - 1, i, functions, from_ns);
      continue;
    }
    Divider divider(series_, way_);
    divider.divide(i, [&](uint32_t function, double begin, double, double) {
      auto time = static_cast<int64_t>(begin);
      if (!found && functions[function] && time >= from_ns) found = time;
    });
  }
  return found;
}

void Index::count(size_t level, size_t number, int64_t begin_ns, int64_t end_ns, PointCounts& counts) const {
  const Node& node = levels_[level].nodes[number];
  if (node.end_ns < begin_ns || node.first_end_ns > end_ns) return;
  if (node.first_end_ns >= begin_ns && node.end_ns <= end_ns) {
    counts += node.counts;
    return;
  }
  for (size_t i = node.below.first; i < node.below.first + node.below.count; ++i) {
    if (level > 0) {
      count(level - 1, i, begin_ns, end_ns, counts);
    } else if (const Point& point = series_.points[i]; point.end_ns >= begin_ns && point.end_ns <= end_ns) {
      counts += counts_of(point);
    }
  }
}

}  // namespace hm::timeline
