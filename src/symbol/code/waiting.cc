// SPDX-License-Identifier: MIT
#include "symbol/code/waiting.h"

#include <array>

namespace hm::symbol {
namespace {

Untold reason_of(Way::Kind kind) {
  switch (kind) {
    case Way::Kind::kEntry:
      return Untold::kEntry;
    case Way::Kind::kReturn:
      return Untold::kReturn;
    default:
      return Untold::kSeveralWays;
  }
}

}  // namespace

std::string_view name_of(Untold reason) {
  constexpr std::array<std::string_view, kUntoldCount> kNames = {
      "kernel", "no_code", "not_decoded", "entry", "return", "half_done", "several_ways", "no_way"};
  return kNames[static_cast<size_t>(reason)];
}

Waiting waiting_at(const Place& place, const RegisterValues& registers, uint64_t ip) {
  if (place.untold) return {nullptr, *place.untold};
  Waiting waiting;
  for (const Arrival& arrival : place.arrivals) {
    if (arrival.way.kind == Way::Kind::kItself) return {nullptr, Untold::kHalfDone};
    if (!possible(arrival.way, registers, ip)) continue;
    if (waiting.arrival != nullptr) return {nullptr, Untold::kSeveralWays};
    waiting.arrival = &arrival;
  }
  if (waiting.arrival == nullptr) return waiting;
  Way::Kind kind = waiting.arrival->way.kind;
  bool told = kind == Way::Kind::kThrough || kind == Way::Kind::kJump;
  return told ? waiting : Waiting{nullptr, reason_of(kind)};
}

}  // namespace hm::symbol
