// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/core/signal_queue.h"

namespace hm::soft::direct {
namespace {

bool is_for_thread(const SignalInfo& info) {
  constexpr int32_t kSentToThread = -6;  // SI_TKILL
  return info.code == kSentToThread;
}

bool is_real_time(int signal) {
  constexpr int kFirstRealTime = 32;
  return signal >= kFirstRealTime;
}

bool comes_before(const PendingSignal& one, const PendingSignal& other) {
  if (one.forced != other.forced) return one.forced;
  if (is_for_thread(one.info) != is_for_thread(other.info)) return is_for_thread(one.info);
  bool may_be_fault = (mask_of(one.info.number) & kSynchronous) != 0;
  bool other_may_be_fault = (mask_of(other.info.number) & kSynchronous) != 0;
  if (may_be_fault != other_may_be_fault) return may_be_fault;
  return one.info.number < other.info.number;
}

}  // namespace

bool is_pending(const SignalState& state, const SignalInfo& info) {
  for (uint32_t i = 0; i < state.count; ++i) {
    const PendingSignal& each = state.pending[i];
    if (!each.forced && each.info.number == info.number && is_for_thread(each.info) == is_for_thread(info))
      return true;
  }
  return false;
}

Queued queue_signal(SignalState& state, const SignalInfo& info) {
  if (!is_real_time(info.number) && is_pending(state, info)) return Queued::kMerged;
  if (state.count == SignalState::kMost) return Queued::kNoRoom;
  state.pending[state.count] = {info, false};
  __atomic_store_n(&state.count, state.count + 1, __ATOMIC_RELEASE);
  return Queued::kAppended;
}

bool take_due(SignalState& state, PendingSignal& taken) {
  uint32_t first = state.count;
  for (uint32_t i = 0; i < state.count; ++i) {
    bool is_next = is_due(state.pending[i], state.mask) &&
                   (first == state.count || comes_before(state.pending[i], state.pending[first]));
    if (is_next) first = i;
  }
  if (first == state.count) return false;
  taken = state.pending[first];
  for (uint32_t i = first; i + 1 < state.count; ++i) state.pending[i] = state.pending[i + 1];
  --state.count;
  return true;
}

}  // namespace hm::soft::direct
