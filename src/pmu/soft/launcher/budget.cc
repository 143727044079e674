// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/budget.h"

namespace hm::soft {

void Budget::begin_episode(const CpuTimes& now) {
  began_ = now;
  in_episode_ = true;
}

void Budget::end_episode(const CpuTimes& now) {
  uint64_t targets_ns = now.targets_ns - began_.targets_ns;
  in_episodes_ns_ += targets_ns;
  last_ns_ = targets_ns + now.own_ns - began_.own_ns;
  in_episode_ = false;
}

uint64_t Budget::cost_ns(const CpuTimes& now) const {
  uint64_t open_ns = in_episode_ ? now.targets_ns - began_.targets_ns : 0;
  return in_episodes_ns_ + open_ns + now.own_ns;
}

bool Budget::allows_episode(const CpuTimes& now) const {
  return static_cast<double>(cost_ns(now) + last_ns_) <= share_ * static_cast<double>(now.targets_ns);
}

double Budget::cost(const CpuTimes& now) const {
  if (now.targets_ns == 0) return 0;
  return static_cast<double>(cost_ns(now)) / static_cast<double>(now.targets_ns);
}

}  // namespace hm::soft
