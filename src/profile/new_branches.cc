// SPDX-License-Identifier: MIT
#include "profile/new_branches.h"

#include <algorithm>

namespace hm::profile {
namespace {

// Returns true if the entries of `now` after its `count` newest are a prefix of `before`.
bool continues(RawStack now, RawStack before, size_t count) {
  RawStack old = now.subspan(count);
  return old.size() <= before.size() && std::ranges::equal(old, before.first(old.size()));
}

// Returns true if the entries repeat some period at least twice.
bool is_loop(RawStack entries) {
  for (size_t period = 1; 2 * period <= entries.size(); ++period) {
    if (std::ranges::equal(entries.subspan(period), entries.first(entries.size() - period))) return true;
  }
  return false;
}

// Returns true if the entries after the `count` newest occur a second time, further up in the stack.
bool repeats(RawStack now, size_t count) {
  RawStack old = now.subspan(count);
  auto end = now.end() - 1;
  return std::search(now.begin(), end, old.begin(), old.end()) != end;
}

NewBranches compare(const LastStacks::Stack& now, const LastStacks::Stack& before) {
  bool has_indices =
      now.hardware_index != record::kNoHardwareIndex && before.hardware_index != record::kNoHardwareIndex;
  return find_new(
      now.entries, before.entries,
      has_indices ? std::optional(HardwareIndices{before.hardware_index, now.hardware_index}) : std::nullopt);
}

}  // namespace

RawStack without_empty(RawStack stack) {
  stack = stack.first(std::min(stack.size(), kMaxBranches));
  const auto is_empty = [](const record::RawBranch& each) { return each.from == 0 && each.to == 0; };
  return stack.first(static_cast<size_t>(std::ranges::find_if(stack, is_empty) - stack.begin()));
}

NewBranches find_new(RawStack now, RawStack before, std::optional<HardwareIndices> indices) {
  const auto all = static_cast<uint16_t>(now.size());
  size_t depth = std::max(now.size(), before.size());
  if (depth == 0) return {};
  size_t first = 0, end = now.size();
  if (indices) {
    first = static_cast<size_t>((indices->now - indices->before) % depth);
    end = std::min(end, first + 1);
  }
  for (size_t count = first; count < end; ++count) {
    if (!continues(now, before, count)) continue;
    if (is_loop(now.subspan(count)) || (!indices && repeats(now, count))) return {all, true};
    return {static_cast<uint16_t>(count), false};
  }
  return {all, false};
}

NewBranches LastStacks::add(size_t row, uint32_t thread, uint32_t event, Stack& stack) {
  Key key = uint64_t{event} << 32 | thread;
  auto [last, is_first] = last_.try_emplace(key);
  if (is_first) first_.emplace(key, First{row, stack});
  NewBranches found = compare(stack, last->second);
  std::swap(last->second, stack);
  return found;
}

void LastStacks::continue_from(LastStacks& before, std::span<const uint32_t> threads, size_t first_row,
                               std::span<NewBranches> rows) const {
  const auto of_whole = [&](Key key) { return (key >> 32 << 32) | threads[static_cast<uint32_t>(key)]; };
  for (const auto& [key, first] : first_) {
    auto last = before.last_.find(of_whole(key));
    if (last != before.last_.end()) rows[first_row + first.row] = compare(first.stack, last->second);
  }
  for (const auto& [key, stack] : last_) before.last_.insert_or_assign(of_whole(key), stack);
}

}  // namespace hm::profile
