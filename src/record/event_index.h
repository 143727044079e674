// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "record/event.h"
#include "record/perf_record.h"

namespace hm::record {

// Finds the event that a record belongs to without decoding the record. The id is at a fixed offset, because
// perf can only read a recording in which all events place it alike.
class EventIndex {
 public:
  EventIndex() = default;
  explicit EventIndex(const std::vector<EventDescription>& events);

  [[nodiscard]] std::optional<size_t> of_id(uint64_t id) const;
  // Returns the only event if there is just one. Returns the first event if records have no id, and for id 0,
  // which perf assigns to its synthesized records. Returns nullopt if the id is unknown or the record is too
  // short to contain an id.
  [[nodiscard]] std::optional<size_t> of_record(const Record& record) const;

 private:
  size_t event_count_ = 0;
  std::optional<size_t> from_start_;  // offset of a sample's id, in bytes from the start of the payload
  std::optional<size_t> from_end_;    // offset of other records' id, in bytes from the end of the payload
  std::unordered_map<uint64_t, size_t> event_of_id_;
};

}  // namespace hm::record
