// SPDX-License-Identifier: MIT
#include "profile/jit_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <set>
#include <utility>

#include "profile/lookup.h"
#include "profile/profile.h"
#include "symbol/files/jitdump.h"

namespace hm::profile {
namespace {

// All events of a recording use the same clock.
bool is_monotonic(const std::vector<record::EventDescription>& events) {
  const perf_event_attr& attr = events.front().attr;
  return attr.use_clockid != 0 && attr.clockid == CLOCK_MONOTONIC;
}

}  // namespace

ReplacedCode::ReplacedCode(const std::vector<symbol::CodeLoad>& loads) {
  std::set<uint64_t> edges;
  for (const symbol::CodeLoad& load : loads) edges.insert({load.start, load.start + load.size});
  for (auto edge = edges.begin(); edge != edges.end() && std::next(edge) != edges.end(); ++edge)
    pieces_.emplace(*edge, Piece{*std::next(edge), {}});
  for (const symbol::CodeLoad& load : loads) {
    auto piece = pieces_.find(load.start);
    for (; piece != pieces_.end() && piece->first < load.start + load.size; ++piece)
      piece->second.entries.push_back({load.time_ns, load.address - load.start});
  }
  for (auto& [start, piece] : pieces_) {
    has_replaced_ = has_replaced_ || piece.entries.size() > 1;
    std::ranges::stable_sort(piece.entries, {}, &Entry::time_ns);
  }
}

uint64_t ReplacedCode::address_at(uint64_t address, uint64_t time_ns) const {
  auto piece = pieces_.upper_bound(address);
  if (piece == pieces_.begin()) return address;
  const auto& [end, entries] = std::prev(piece)->second;
  if (address >= end || entries.empty()) return address;
  auto later = std::ranges::upper_bound(entries, time_ns, {}, &Entry::time_ns);
  const Entry& entry = later == entries.begin() ? *later : *std::prev(later);
  return address + entry.shift;
}

JitCode::JitCode(const record::Reader& reader, const symbol::Resolver& resolver, Profile& profile) {
  const bool monotonic = is_monotonic(reader.events());
  for (uint32_t dso = 0; dso < profile.dsos.size(); ++dso) {
    if (!symbol::JitDump::is_name_of_one(profile.dsos[dso].path)) continue;
    const symbol::Object* object = object_of(profile, resolver, dso);
    symbol::CodeLoads code = object == nullptr ? symbol::CodeLoads() : object->code_loads();
    if (code.loads.empty()) continue;
    if (monotonic && code.is_monotonic) {
      by_dso_.emplace(dso, ReplacedCode(code.loads));
    } else if (ReplacedCode(code.loads).has_replaced()) {
      profile.notes.push_back(fmt::format(
          "some code in '{}' replaced other code at the same address, and all samples have the name of the last: the recording and the compiler use different clocks (record with --jit-names, or perf record -k mono)",
          profile.dsos[dso].path));
    }
  }
}

const ReplacedCode* JitCode::of(uint32_t dso) const {
  auto found = by_dso_.find(dso);
  return found == by_dso_.end() ? nullptr : &found->second;
}

}  // namespace hm::profile
