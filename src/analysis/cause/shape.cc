// SPDX-License-Identifier: MIT
#include "analysis/cause/shape.h"

#include <algorithm>
#include <vector>

namespace hm::cause {
namespace {

// Minimum share of the most common step for a steady walk. The remaining steps are row ends and gaps between
// two loops.
constexpr double kSteady = 0.6;

struct CommonStep {
  int64_t bytes = 0;
  double share = 0;
};

CommonStep most_common(std::span<const int64_t> steps) {
  std::vector<int64_t> sorted(steps.begin(), steps.end());
  std::ranges::sort(sorted);
  CommonStep common;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    auto end = std::upper_bound(begin, sorted.end(), *begin);
    double share = static_cast<double>(end - begin) / static_cast<double>(steps.size());
    if (share > common.share) common = {*begin, share};
    begin = end;
  }
  return common;
}

Shape shape_of_source(symbol::AddressSource source) {
  switch (source) {
    case symbol::AddressSource::kChased:
      return Shape::kPointerChase;
    case symbol::AddressSource::kLoaded:
    case symbol::AddressSource::kLoadedInOrder:
    case symbol::AddressSource::kBesideChase:
      return Shape::kIndirect;
    case symbol::AddressSource::kComputed:
      return Shape::kComputed;
    default:
      return Shape::kIrregular;
  }
}

// Classifies equal steps of more than a line. Another loop order changes the steps only if a loop computes
// them by arithmetic. In an interpreter, steps may be equal by chance of object placement. A table's rows may
// lie one behind the other. Without code, nearly all steps must be equal.
Shape shape_of_stride(symbol::AddressSource source, double share) {
  constexpr double kNearlyAll = 0.9;
  switch (source) {
    case symbol::AddressSource::kUnknown:
    case symbol::AddressSource::kFixed:
      return Shape::kNotClear;
    case symbol::AddressSource::kNoCode:
      return share >= kNearlyAll ? Shape::kStrided : Shape::kNotClear;
    case symbol::AddressSource::kLoadedInOrder:
      return share >= kNearlyAll ? Shape::kStrided : Shape::kIndirect;
    case symbol::AddressSource::kLoaded:
    case symbol::AddressSource::kBesideChase:
      return Shape::kIndirect;
    default:
      return Shape::kStrided;
  }
}

// A loop with steps shorter than a line misses line by line.
Walk walk_of_code(const symbol::AddressFacts& code, uint64_t line_bytes) {
  Walk walk;
  Shape told = shape_of_source(code.source);
  if (told != Shape::kIrregular) walk.shape = told;
  if (!code.step_bytes || *code.step_bytes == 0) return walk;
  auto line = static_cast<int64_t>(line_bytes);
  bool in_order = magnitude(*code.step_bytes) <= line_bytes;
  walk.shape = in_order ? Shape::kSequential : Shape::kStrided;
  walk.step_bytes = !in_order ? *code.step_bytes : *code.step_bytes > 0 ? line : -line;
  return walk;
}

Walk walk_of_steps(std::span<const int64_t> steps, const symbol::AddressFacts& code, uint64_t line_bytes) {
  Walk walk;
  CommonStep common = most_common(steps);
  walk.step_bytes = common.bytes;
  walk.step_share = common.share;
  uint64_t size = magnitude(common.bytes);
  if (code.source == symbol::AddressSource::kChased) {
    walk.shape = Shape::kPointerChase;  // even if its nodes happen to lie in order
  } else if (common.share < kSteady) {
    walk.shape = shape_of_source(code.source);
  } else if (size < line_bytes) {
    walk.shape = Shape::kOnePlace;
  } else {
    walk.shape = size == line_bytes ? Shape::kSequential : shape_of_stride(code.source, common.share);
  }
  return walk;
}

}  // namespace

std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::kUnknown:
      return "unknown";
    case Shape::kOnePlace:
      return "one_place";
    case Shape::kSequential:
      return "sequential";
    case Shape::kStrided:
      return "strided";
    case Shape::kPointerChase:
      return "pointer_chase";
    case Shape::kIndirect:
      return "indirect";
    case Shape::kComputed:
      return "computed";
    case Shape::kIrregular:
      return "irregular";
    case Shape::kNotClear:
      return "not_clear";
  }
  return "unknown";
}

Walk walk_of(std::span<const int64_t> steps, const symbol::AddressFacts& code, uint64_t line_bytes) {
  constexpr size_t kEnough = 4;
  Walk walk =
      steps.size() < kEnough ? walk_of_code(code, line_bytes) : walk_of_steps(steps, code, line_bytes);
  walk.source = code.source;
  return walk;
}

uint64_t used_bytes(const std::vector<symbol::NearAccess>& near, uint64_t size) {
  constexpr uint64_t kLargest = 4096;
  if (size == 0 || size > kLargest) return 0;
  std::vector<bool> used(size);
  auto period = static_cast<int64_t>(size);
  for (const symbol::NearAccess& access : near) {
    for (int64_t i = 0; i < std::min<int64_t>(access.bytes, period); ++i)
      used[static_cast<uint64_t>(((access.offset + i) % period + period) % period)] = true;
  }
  return static_cast<uint64_t>(std::ranges::count(used, true));
}

// A step of more than a line touches each line once. The line is assumed to begin with the instruction's own
// operand.
std::optional<LineCoverage> coverage_of(const symbol::AddressFacts& code, uint64_t line_bytes) {
  if (!code.step_bytes || *code.step_bytes == 0 || code.near.empty()) return std::nullopt;
  LineCoverage coverage{.step_bytes = *code.step_bytes};
  uint64_t step = magnitude(*code.step_bytes);
  if (step <= line_bytes) {
    coverage.used_bytes = (used_bytes(code.near, step) * line_bytes + step / 2) / step;
    return coverage;
  }
  std::vector<symbol::NearAccess> same_line;
  auto line = static_cast<int64_t>(line_bytes);
  for (symbol::NearAccess access : code.near) {
    if (access.offset < 0 || access.offset >= line) continue;
    access.bytes = static_cast<uint16_t>(std::min<int64_t>(access.bytes, line - access.offset));
    same_line.push_back(access);
  }
  coverage.used_bytes = used_bytes(same_line, line_bytes);
  return coverage;
}

}  // namespace hm::cause
