// SPDX-License-Identifier: MIT
#include "tlb_paper/simulation.h"

#include <algorithm>
#include <unordered_set>

namespace hm::tlb_paper {
namespace {

constexpr unsigned log2_of(uint32_t number) { return static_cast<unsigned>(__builtin_ctz(number)); }
constexpr unsigned kNumberBits = 32 + log2_of(kSets[0]) - 5;  // compact line numbers: 1023 ranges of 1 GiB

}  // namespace

Simulation::Simulation() {
  memory_.build<void>([&](model::Arena& arena) {
    numbers_ = model::CompactNumbers(kNumberBits, arena);
    for (size_t i = 0; i < kSets.size(); ++i) caches_[i] = model::LruSets<uint32_t>({kSets[i], kWays}, arena);
  });
  for (size_t i = 0; i < kSets.size(); ++i) {
    deep_hits_[i].resize(kSets[i] >> kGroupShift);
    first_hits_[i].resize(kGroups);
  }
}

void Simulation::access(uint64_t address, bool is_fetch) {
  uint64_t line = numbers_.of(address >> kLineShift);
  if (line == model::CompactNumbers::kNone) return;
  for (size_t i = 0; i < kPageShifts.size(); ++i) {
    uint64_t page = line >> (kPageShifts[i] - kLineShift);
    tlbs_[i].all.use(page);
    (is_fetch ? tlbs_[i].fetches : tlbs_[i].data).use(page);
  }
  for (size_t i = 0; i < kSets.size(); ++i) {
    uint32_t set = static_cast<uint32_t>(line) & (kSets[i] - 1);
    auto tag = static_cast<uint32_t>(line >> log2_of(kSets[i]));
    if (caches_[i].most_recent(set) == tag) {  // then it is also with more sets
      ++first_hits_[i][(line & (kSets.back() - 1)) >> kGroupShift];
      return;
    }
    uint32_t depth = caches_[i].touch(set, tag).position;
    if (depth < kWays) ++deep_hits_[i][set >> kGroupShift][depth];
  }
}

std::vector<uint64_t> Simulation::tlb(size_t page_size, size_t entries, bool split) const {
  const Tlbs& tlbs = tlbs_[page_size];
  if (!split) return tlbs.all.pages(entries);
  std::vector<uint64_t> pages = tlbs.fetches.pages(entries / 2);
  for (uint64_t page : tlbs.data.pages(entries / 2)) {
    if (std::ranges::find(pages, page) == pages.end()) pages.push_back(page);
  }
  return pages;
}

std::vector<bool> Simulation::cached(size_t sets, size_t page_size, uint32_t ways,
                                     const std::vector<uint64_t>& pages) const {
  std::unordered_set<uint64_t> resident;
  std::vector<uint32_t> seen(kSets[sets], 0);  // entries of each set, from the least recent
  // for_each visits a set's entries from its last way, without the empty ones.
  std::vector<uint32_t> filled(kSets[sets], 0);
  caches_[sets].for_each([&](uint32_t set, uint32_t) { ++filled[set]; });
  caches_[sets].for_each([&](uint32_t set, uint32_t tag) {
    uint32_t depth = filled[set] - ++seen[set];
    if (depth >= ways) return;
    uint64_t line = uint64_t{tag} << log2_of(kSets[sets]) | set;
    resident.insert(line >> (kPageShifts[page_size] - kLineShift));
  });
  std::vector<bool> cached;
  for (uint64_t page : pages) cached.push_back(resident.contains(page));
  return cached;
}

std::vector<std::array<uint64_t, kWays>> Simulation::hits(size_t sets, size_t page_size) const {
  model::CacheRegions regions({kSets[sets], kWays}, 1u << kLineShift, uint64_t{1} << kPageShifts[page_size]);
  uint32_t groups = kSets[sets] >> kGroupShift;
  uint32_t groups_of_region = std::max(groups / regions.count(), 1u);
  std::vector<std::array<uint64_t, kWays>> hits(regions.count());
  for (uint32_t group = 0; group < groups; ++group) {
    for (uint32_t depth = 1; depth < kWays; ++depth)
      hits[group / groups_of_region][depth] += deep_hits_[sets][group][depth];
  }
  for (size_t fewer = 0; fewer <= sets; ++fewer) {
    for (uint32_t group = 0; group < kGroups; ++group)
      hits[group % groups / groups_of_region][0] += first_hits_[fewer][group];
  }
  return hits;
}

void Simulation::forget_hits() {
  for (GroupHits& hits : deep_hits_) std::ranges::fill(hits, GroupHits::value_type{});
  for (std::vector<uint64_t>& hits : first_hits_) std::ranges::fill(hits, 0);
}

}  // namespace hm::tlb_paper
