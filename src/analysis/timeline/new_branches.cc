// SPDX-License-Identifier: MIT
#include "analysis/timeline/new_branches.h"

#include <algorithm>

namespace hm::timeline {
namespace {

bool same(const profile::Branch& a, const profile::Branch& b) { return a.entry == b.entry; }

// Whether all that `now` has behind its `count` newest entries begins `before`.
bool continues(Stack now, Stack before, size_t count) {
  Stack old = now.subspan(count);
  return old.size() <= before.size() && std::ranges::equal(old, before.first(old.size()), same);
}

// Whether the entries are some period of theirs, at least twice.
bool is_loop(Stack entries) {
  for (size_t period = 1; 2 * period <= entries.size(); ++period) {
    if (std::ranges::equal(entries.subspan(period), entries.first(entries.size() - period), same))
      return true;
  }
  return false;
}

// Whether the stack has what is behind its `count` newest entries once more, further up.
bool repeats(Stack now, size_t count) {
  Stack old = now.subspan(count);
  auto end = now.end() - 1;
  return std::search(now.begin(), end, old.begin(), old.end(), same) != end;
}

}  // namespace

Stack without_empty(Stack stack) {
  constexpr size_t kMostEntries = 256;
  stack = stack.first(std::min(stack.size(), kMostEntries));
  const auto is_empty = [](const profile::Branch& each) {
    return each.entry.from == 0 && each.entry.to == 0;
  };
  return stack.first(static_cast<size_t>(std::ranges::find_if(stack, is_empty) - stack.begin()));
}

NewBranches find_new(Stack now, Stack before, std::optional<HardwareIndices> indices) {
  now = without_empty(now);
  before = without_empty(before);
  size_t depth = std::max(now.size(), before.size());
  if (depth == 0) return {};
  size_t first = 0, end = now.size();
  if (indices) {
    first = static_cast<size_t>((indices->now - indices->before) % depth);
    end = std::min(end, first + 1);
  }
  for (size_t count = first; count < end; ++count) {
    if (!continues(now, before, count)) continue;
    if (is_loop(now.subspan(count)) || (!indices && repeats(now, count))) return {now.size(), true};
    return {count, false};
  }
  return {now.size(), false};
}

}  // namespace hm::timeline
