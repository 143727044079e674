// SPDX-License-Identifier: MIT
// The tables' rows. An event may have several rows one after the other: it is the sum of them. A table may
// stand before another that it corrects: the first that has the event has all of it.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/encoding.h"

namespace hm::event {

// What a sample of it can tell. PEBS: Intel SDM volume 3, "Processor event based sampling".
enum class Sampling : uint8_t {
  kSkids,        // the sample names an instruction some way after the one
  kPrecise,      // precise_ip 2: the very instruction
  kDistributed,  // precise_ip 3: and each instruction is as likely as the next
  kAccess,       // precise, and the address that was accessed is known (not how far it had to go)
};

struct EventRow {
  EventId id;
  std::string_view native;  // the vendor's name; empty where the event is not to be had
  Sampling sampling = Sampling::kSkids;
  std::string_view note;  // how it differs; without a native name, why there is none and what is nearest
  uint64_t config = 0;    // the code where libpfm4 has no tables, else bits to add to libpfm4's
  // Not all: samples are of more than the event, and their data source tells which had it.
  SampleFilter keep = {};
};

using EventTable = std::span<const EventRow>;

// The rows of an event; empty where no table has it.
[[nodiscard]] inline EventTable find_rows(std::span<const EventTable> tables, EventId id) {
  for (EventTable table : tables) {
    size_t first = 0;
    while (first < table.size() && table[first].id != id) ++first;
    size_t end = first;
    while (end < table.size() && table[end].id == id) ++end;
    if (end > first) return table.subspan(first, end - first);
  }
  return {};
}

// What several families say.
inline constexpr std::string_view kRepeatedString = "a repeated string instruction counts once";
inline constexpr std::string_view kFarBranches = "far branches count too";
inline constexpr std::string_view kThatRetired = "branches that retired";
inline constexpr std::string_view kFetches = "fetches, also on wrong paths";
inline constexpr std::string_view kCoreCycles =
    "core cycles: they change with the frequency and stop in idle";
inline constexpr std::string_view kMicroOperations = "micro-operations";
inline constexpr std::string_view kSecondLevelTlb =
    "misses of the second-level TLB only: what the first missed and the second had is not counted";
inline constexpr std::string_view kNoMoves =
    "no event tells such moves from others; the nearest is memory_moves";
inline constexpr std::string_view kNoSplitLoadMiss =
    "nothing counts loads over two lines by whether they missed; the nearest is split_load_retired";
inline constexpr std::string_view kNoSplitStoreMiss =
    "nothing counts stores over two lines by whether they missed; the nearest is memory_stores";
inline constexpr std::string_view kNoSplitFetch =
    "nothing counts instructions over two lines; the nearest is icache_miss";

// "FOO is not to be had from the hardware of BAR: reason".
[[nodiscard]] Error not_to_be_had(EventId id, std::string_view cpu_title, std::string_view reason);

// One encoding a row, or the error that the row says or `encode_row` gives.
[[nodiscard]] Result<std::vector<Encoding>> encode_rows(
    EventTable rows, std::string_view cpu_title,
    const std::function<Result<Encoding>(const EventRow&)>& encode_row);

// The row's fields but for the PMU and the code.
[[nodiscard]] Encoding encoding_of(const EventRow& row);

}  // namespace hm::event
