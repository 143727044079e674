// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/address_ranges.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hm::soft {
namespace {

struct MappedPart {
  uint64_t start = 0, end = 0;
  bool is_anonymous = false;
};

// "START-END PERMISSIONS OFFSET DEVICE INODE PATH" (proc(5)). A mapping without a path is anonymous.
std::optional<MappedPart> parse_mapped_part(std::string_view line) {
  MappedPart mapping;
  const char* end = line.data() + line.size();
  auto [dash, error] = std::from_chars(line.data(), end, mapping.start, 16);
  if (error != std::errc() || dash == end || *dash != '-') return std::nullopt;
  auto [rest, other_error] = std::from_chars(dash + 1, end, mapping.end, 16);
  if (other_error != std::errc()) return std::nullopt;
  size_t last = line.find_last_not_of(' ');
  mapping.is_anonymous = line.substr(0, last + 1).ends_with(" 00:00 0");
  return mapping;
}

template <typename Visit>
void for_each_mapped_part(std::string_view maps, Visit&& visit) {
  while (!maps.empty()) {
    size_t length = maps.find('\n');
    if (auto mapping = parse_mapped_part(maps.substr(0, length))) visit(*mapping);
    maps.remove_prefix(length == std::string_view::npos ? maps.size() : length + 1);
  }
}

}  // namespace

RangeUse use_of_range(std::string_view maps, uint64_t begin, uint64_t image_end, uint64_t range_end) {
  uint64_t covered = begin;  // end of the gapless anonymous memory that starts at `begin`
  bool is_free = true, is_plain = true;
  for_each_mapped_part(maps, [&](const MappedPart& mapping) {
    if (mapping.end <= begin || mapping.start >= range_end) return;
    is_free = false;
    is_plain = is_plain && mapping.is_anonymous && mapping.start == covered;
    covered = mapping.end;
  });
  if (is_free) return RangeUse::kFree;
  return is_plain && covered == image_end ? RangeUse::kCutOff : RangeUse::kTaken;
}

uint64_t largest_free_range(std::string_view maps) {
  constexpr uint64_t kBegin = 0x10000, kEnd = uint64_t{1} << 47;  // vm.mmap_min_addr; four-level paging
  uint64_t largest = 0, free_from = kBegin;
  const auto end_at = [&](uint64_t start) {
    if (start > free_from) largest = std::max(largest, start - free_from);
  };
  for_each_mapped_part(maps, [&](const MappedPart& mapping) {
    end_at(std::min(mapping.start, kEnd));
    free_from = std::max(free_from, mapping.end);
  });
  end_at(kEnd);
  return largest;
}

}  // namespace hm::soft
