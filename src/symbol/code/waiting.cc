// SPDX-License-Identifier: MIT
#include "symbol/code/waiting.h"

#include <array>

namespace hm::symbol {
namespace {

Undetermined reason_of(Way::Kind kind) {
  switch (kind) {
    case Way::Kind::kEntry:
      return Undetermined::kEntry;
    case Way::Kind::kReturn:
      return Undetermined::kReturn;
    default:
      return Undetermined::kSeveralWays;
  }
}

}  // namespace

std::string_view name_of(Undetermined reason) {
  constexpr std::array<std::string_view, kUndeterminedCount> kNames = {
      "kernel", "no_code", "not_decoded", "entry", "return", "half_done", "several_ways", "no_way"};
  return kNames[static_cast<size_t>(reason)];
}

Waiting waiting_at(const Predecessors& predecessors, const RegisterValues& registers, uint64_t ip) {
  if (predecessors.undetermined) return {nullptr, *predecessors.undetermined};
  Waiting waiting;
  for (const Arrival& arrival : predecessors.arrivals) {
    if (arrival.way.kind == Way::Kind::kItself) return {nullptr, Undetermined::kHalfDone};
    if (!possible(arrival.way, registers, ip)) continue;
    if (waiting.arrival != nullptr) return {nullptr, Undetermined::kSeveralWays};
    waiting.arrival = &arrival;
  }
  if (waiting.arrival == nullptr) return waiting;
  Way::Kind kind = waiting.arrival->way.kind;
  bool is_known = kind == Way::Kind::kThrough || kind == Way::Kind::kJump;
  return is_known ? waiting : Waiting{nullptr, reason_of(kind)};
}

}  // namespace hm::symbol
