// SPDX-License-Identifier: MIT
// Rows of the event tables. Consecutive rows of an event are added up. A table may precede another one that
// it corrects: the first table with an event overrides all later ones.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/encoding.h"

namespace hm::event {

// Precision and contents of a sample. PEBS: Intel SDM volume 3, "Processor event based sampling".
enum class Sampling : uint8_t {
  kSkids,        // the sample has the address of a later instruction
  kPrecise,      // precise_ip 2: the address of the instruction itself
  kDistributed,  // precise_ip 3: also without bias between instructions
  kAccess,       // precise, with the accessed address (but without the level that had the data)
};

struct EventRow {
  EventId id;
  std::string_view native;  // the vendor's name; empty if the event is not available
  Sampling sampling = Sampling::kSkids;
  // Difference from the definition; without a native name, the reason and the nearest event.
  std::string_view note;
  uint64_t config = 0;  // the code; 0 if libpfm4 has it (Pentium 4: bits to add to libpfm4's code)
  // If it does not keep all samples, they are of more than the event, and their data source selects those
  // with the event.
  SampleFilter keep = {};
  uint64_t config1 = 0;  // belongs to `config`
};

using EventTable = std::span<const EventRow>;

// Returns the rows of an event; empty if no table has it.
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

// Notes that several families share.
inline constexpr std::string_view kRepeatedString = "a repeated string instruction counts once";
inline constexpr std::string_view kFarBranches = "far branches count too";
inline constexpr std::string_view kThatRetired = "branches that retired";
inline constexpr std::string_view kFetches = "fetches, including those on wrong paths";
inline constexpr std::string_view kCoreCycles =
    "core cycles: they change with the frequency and stop in idle";
inline constexpr std::string_view kMicroOperations = "micro-operations";
inline constexpr std::string_view kSecondLevelTlb =
    "misses of the second-level TLB only: hits in the second level are not counted";
inline constexpr std::string_view kNoMoves =
    "no event distinguishes these moves from others; the nearest is memory_moves";
inline constexpr std::string_view kNoSplitLoadMiss =
    "no event counts loads over two lines that missed; the nearest is split_load_retired";
inline constexpr std::string_view kNoSplitStoreMiss =
    "no event counts stores over two lines that missed; the nearest is memory_stores";
inline constexpr std::string_view kNoSplitFetch =
    "no event counts instructions over two lines; the nearest is icache_miss";

// Returns the error "FOO is not to be had from the hardware of BAR: reason".
[[nodiscard]] Error not_to_be_had(EventId id, std::string_view cpu_title, std::string_view reason);

// Returns one encoding for each row, or the error of a row without a native name, or of `encode_row`.
[[nodiscard]] Result<std::vector<Encoding>> encode_rows(
    EventTable rows, std::string_view cpu_title,
    const std::function<Result<Encoding>(const EventRow&)>& encode_row);

// Returns the row's fields, except the PMU.
[[nodiscard]] Encoding encoding_of(const EventRow& row);

// Returns the row's fields, except the PMU. A row without a code gets the code that libpfm4 has for its name
// in `pfm_tables`. Fails with kUnsupported if libpfm4 lacks the name.
[[nodiscard]] Result<Encoding> encoding_of(const EventRow& row, std::string_view pfm_tables);

}  // namespace hm::event
