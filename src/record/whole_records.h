// SPDX-License-Identifier: MIT
// Iterates over adjacent whole records in this machine's byte order, as read from a ring.
#pragma once

#include <linux/perf_event.h>

#include <cstring>

#include "base/bytes.h"
#include "record/perf_record.h"

namespace hm::record {

// Calls visit(const perf_event_header&, Bytes whole_record) for each record. Stops at an invalid size.
template <typename Visit>
void for_each_record(Bytes records, Visit&& visit) {
  while (records.size() >= sizeof(perf_event_header)) {
    perf_event_header header{};
    std::memcpy(&header, records.data(), sizeof header);
    if (header.size < sizeof header || header.size > records.size()) return;
    visit(header, records.first(header.size));
    records = records.subspan(header.size);
  }
}

// Returns the record in the form that the decoders take.
inline Record record_of(const perf_event_header& header, Bytes whole_record) {
  return {header.type, header.misc, false, whole_record.subspan(sizeof header), 0};
}

// Returns true for a FINISHED_ROUND record: all records after it are later than those of the round before the
// last.
inline bool is_finished_round(Bytes record) {
  perf_event_header header{};
  if (record.size() != sizeof header) return false;
  std::memcpy(&header, record.data(), sizeof header);
  return header.type == kFinishedRound;
}

}  // namespace hm::record
