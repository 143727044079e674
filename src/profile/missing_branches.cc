// SPDX-License-Identifier: MIT
#include "profile/missing_branches.h"

#include <algorithm>

namespace hm::profile {
namespace {

// A sample's slices of the columns; `cycles` may be empty.
struct Stack {
  std::span<uint32_t> functions;
  std::span<uint16_t> cycles;
};

// Number of functions that are kept, and the index of the first that belongs to the newest `fresh` entries.
struct Kept {
  size_t all = 0, first_new = 0;
};

Kept keep_needed(const Stack& stack, uint32_t sampled, size_t fresh) {
  Kept kept;
  size_t count = stack.functions.size();
  for (size_t i = 0; i < count; ++i) {
    bool led_to = i % 2 == 1;
    uint32_t next = i + 1 < count ? stack.functions[i + 1] : sampled;
    if (i + 2 * fresh == count) kept.first_new = kept.all;
    if (led_to && stack.functions[i] == next) continue;
    stack.functions[kept.all] = stack.functions[i];
    if (!stack.cycles.empty()) stack.cycles[kept.all] = led_to ? 0 : stack.cycles[i];
    ++kept.all;
  }
  if (fresh == 0) kept.first_new = kept.all;
  return kept;
}

}  // namespace

RecordedHalf recorded_half(uint64_t branch_sample_type) {
  constexpr uint64_t kModes = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV;
  constexpr uint64_t kWhich = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL |
                              PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_IND_CALL |
                              PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL;
  switch (branch_sample_type & kWhich & ~kModes) {
    case PERF_SAMPLE_BRANCH_ANY_CALL:
      return RecordedHalf::kCalls;
    case PERF_SAMPLE_BRANCH_ANY_RETURN:
      return RecordedHalf::kReturns;
    default:
      return RecordedHalf::kBoth;
  }
}

size_t infer_missing(std::span<uint32_t> functions, uint32_t sampled) {
  return keep_needed({functions, {}}, sampled, 0).all;
}

void infer_missing_branches(Profile& profile) {
  Samples& samples = profile.samples;
  for (size_t i = 0; i < samples.new_branches.size(); ++i) {
    if (recorded_half(profile.events[samples.event[i]].attr.branch_sample_type) == RecordedHalf::kBoth)
      continue;
    Slice& slice = samples.branch[i];
    uint32_t sampled = profile.locations[samples.location[i]].function;
    Stack stack{samples.left_functions.items(slice), samples.branch_cycles.size() == 0
                                                         ? std::span<uint16_t>()
                                                         : samples.branch_cycles.items(slice)};
    Kept kept = keep_needed(stack, sampled, samples.new_branches[i].count);
    slice.count = static_cast<uint32_t>(kept.all);
    samples.new_branches[i].count = static_cast<uint16_t>(kept.all - kept.first_new);
  }
}

}  // namespace hm::profile
